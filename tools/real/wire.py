"""One server as the comparison sees it: requests on kept connections, watches read in threads of their own."""

import http.client
import json
import socket
import ssl
import threading
import time
import urllib.parse
import zlib

LIMIT_S = 60.0
# What a client acts on; the others are lengths, dates and ids.
HEADERS = ("content-type", "retry-after", "warning", "cache-control", "content-encoding", "vary", "allow", "connection")


class Answer:
    """`ended`: "whole", "no answer", or how a body broke off. `body` is the parsed JSON, or None."""

    def __init__(self, status, headers, text, ended, took_s):
        self.status, self.text, self.ended, self.took_s = status, text, ended, took_s
        self.headers = {name: headers[name] for name in HEADERS if name in headers}
        try:
            self.body = json.loads(text)
        except ValueError:
            self.body = None


def unzipped(data):
    """gzip members, one after another."""
    out = b""
    while data:
        member = zlib.decompressobj(31)
        out += member.decompress(data)
        if not member.eof:
            raise ValueError("a gzip member is not whole")
        data = member.unused_data
    return out


class Server:
    def __init__(self, name, url, token):
        self.name, self.url, self.token = name, url, token
        self.address = urllib.parse.urlparse(url)
        self.kept = threading.local()
        self.context = ssl.create_default_context()
        self.context.check_hostname, self.context.verify_mode = False, ssl.CERT_NONE

    def connect(self):
        where = self.address.hostname, self.address.port
        connection = http.client.HTTPSConnection(*where, timeout=LIMIT_S, context=self.context) \
            if self.address.scheme == "https" else http.client.HTTPConnection(*where, timeout=LIMIT_S)
        connection.connect()
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def send(self, connection, method, path, headers, body):
        connection.putrequest(method, path, skip_accept_encoding=True)
        usual = {"Accept": "application/json", "User-Agent": "relist-compare"}
        if self.token:
            usual["Authorization"] = "Bearer " + self.token
        data = None
        if body is not None:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            usual.update({"Content-Type": "application/json", "Content-Length": str(len(data))})
        for name, value in {**usual, **(headers or {})}.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(data)
        return connection.getresponse()

    def request(self, method, path, headers=None, body=None):
        begun = time.monotonic()
        for attempt in (0, 1):
            fresh = getattr(self.kept, "connection", None) is None
            if fresh:
                self.kept.connection = self.connect()
            try:
                answer = self.send(self.kept.connection, method, path, headers, body)
                break
            except (http.client.RemoteDisconnected, ConnectionError, BrokenPipeError) as error:
                self.kept.connection = None
                # A kept connection may have been closed by the server since; a fresh one is an answer.
                if fresh or attempt:
                    return Answer(0, {}, repr(error), "no answer", time.monotonic() - begun)
        ended, data = "whole", b""
        try:
            data = answer.read()
        except (http.client.HTTPException, OSError) as error:
            ended = repr(error)
        headers_got = {name.lower(): value for name, value in answer.getheaders()}
        if answer.will_close or ended != "whole":
            self.kept.connection.close()
            self.kept.connection = None
        if headers_got.get("content-encoding") == "gzip" and ended == "whole":
            data = unzipped(data)
        return Answer(answer.status, headers_got, data.decode("utf-8", "replace"), ended, time.monotonic() - begun)

    def watch(self, path, headers=None):
        return Watch(self, path, headers)


class Watch:
    """Open since the constructor returned (the head of the answer has come). Lines come in a thread."""

    def __init__(self, server, path, headers):
        self.lines, self.ended, self.changed = [], "open", threading.Condition()
        self.begun = time.monotonic()
        self.took_s = None
        self.connection = server.connect()
        self.reader = threading.Thread(target=self._read, daemon=True)
        try:
            self.answer = server.send(self.connection, "GET", path, headers, None)
        except (http.client.HTTPException, OSError) as error:
            self.status, self.headers, self.ended = 0, {}, repr(error)
            self.opened_s = time.monotonic() - self.begun
            return
        self.opened_s = time.monotonic() - self.begun
        self.status = self.answer.status
        got = {name.lower(): value for name, value in self.answer.getheaders()}
        self.headers = {name: got[name] for name in (*HEADERS, "transfer-encoding") if name in got}
        self.unzip = zlib.decompressobj(31) if got.get("content-encoding") == "gzip" else None
        self.reader.start()

    def _read(self):
        ended, rest = "whole", b""
        try:
            while True:
                data = self.answer.read1(1 << 16)
                if not data:
                    break
                rest = self._lines(rest + self._plain(data))
        except (http.client.HTTPException, OSError, ValueError, zlib.error, AttributeError) as error:
            ended = repr(error)
        with self.changed:
            if rest:
                self.lines.append(rest.decode("utf-8", "replace"))
            self.ended, self.took_s = ended, time.monotonic() - self.begun
            self.changed.notify_all()

    def _plain(self, data):
        if self.unzip is None:
            return data
        out = b""
        while data:
            out += self.unzip.decompress(data)
            data = self.unzip.unused_data
            if self.unzip.eof:
                self.unzip = zlib.decompressobj(31)
        return out

    def _lines(self, data):
        *whole, rest = data.split(b"\n")
        with self.changed:
            self.lines += [line.decode("utf-8", "replace") for line in whole]
            self.changed.notify_all()
        return rest

    def wait_for(self, count, limit_s):
        """Whether there are `count` lines, at most `limit_s` from now."""
        with self.changed:
            return self.changed.wait_for(lambda: len(self.lines) >= count or self.ended != "open", limit_s) \
                and len(self.lines) >= count

    def wait_for_end(self, limit_s):
        with self.changed:
            return self.changed.wait_for(lambda: self.ended != "open", limit_s)

    def close(self):
        """What came until now; a watch that was still open has "open" as its end."""
        with self.changed:
            lines, ended = list(self.lines), self.ended
        try:
            self.connection.sock.shutdown(socket.SHUT_RDWR)
        except (OSError, AttributeError):
            pass
        if self.reader.ident:
            self.reader.join(5)
        self.connection.close()
        return lines, ended
