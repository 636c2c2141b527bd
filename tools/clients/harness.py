"""Drives real processes: `relist serve`, `relist watch`, and foreign clients. Every wait has a deadline, none sleeps blindly.

    with harness.Server("--token", "t") as server:
        server.request("GET", "/version")

A test file ends with harness.main(): its last line is "N passed, N failed, N skipped", and with RELIST_NO_SKIP=1 a
skipped test is a failure.
"""

import http.client
import json
import os
import pathlib
import queue
import re
import signal
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import foreign_tools

ROOT = pathlib.Path(__file__).resolve().parents[2]
RELIST = os.environ.get("RELIST") or str(ROOT / "build/dev/tools/relist")
# Sanitizers and busy machines are slow; nothing here is about speed.
DEADLINE_S = float(os.environ.get("RELIST_TEST_DEADLINE_S", "60"))


class Process:
    """A child whose standard output is read by lines, each wait with a deadline."""

    def __init__(self, command, env=None, stdin=subprocess.PIPE):
        self.command = [str(c) for c in command]
        self.errors = tempfile.TemporaryFile(mode="w+")
        self.process = subprocess.Popen(self.command, stdin=stdin, stdout=subprocess.PIPE, stderr=self.errors,
                                        text=True, env={**os.environ, **(env or {})})
        self.lines = queue.Queue()
        self.seen = []
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def line(self, deadline_s=DEADLINE_S):
        """The next line; None at the end of the output."""
        try:
            line = self.lines.get(timeout=deadline_s)
        except queue.Empty:
            raise AssertionError(f"{self.command}: no line in {deadline_s} s; so far {self.seen[-5:]}, "
                                 f"stderr: {self.stderr()}") from None
        if line is not None:
            self.seen.append(line)
        return line

    def line_that(self, wanted, deadline_s=DEADLINE_S):
        """The next line for which `wanted` is true (a function, or text that it holds)."""
        end = time.monotonic() + deadline_s
        match = wanted if callable(wanted) else lambda line: wanted in line
        while True:
            line = self.line(max(0.1, end - time.monotonic()))
            if line is None:
                raise AssertionError(f"{self.command} ended with {self.wait()}; lines {self.seen[-5:]}, stderr: {self.stderr()}")
            if match(line):
                return line

    def rest(self):
        while self.line() is not None:
            pass
        return self.seen

    def stderr(self):
        self.errors.seek(0)
        return self.errors.read()

    def write(self, text):
        self.process.stdin.write(text)
        self.process.stdin.flush()

    def close_input(self):
        self.process.stdin.close()

    def signal(self, number):
        self.process.send_signal(number)

    def wait(self, deadline_s=DEADLINE_S):
        return self.process.wait(timeout=deadline_s)

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stdout.close()
        self.errors.close()
        if self.process.stdin:
            self.process.stdin.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()


class Server(Process):
    """relist serve, from the line that says where it is until SIGTERM; or another `program` that says the same."""

    def __init__(self, *options, folder=None, program=(RELIST, "serve")):
        self.folder = folder or tempfile.mkdtemp(prefix="relist-test-")
        self.token = options[options.index("--token") + 1] if "--token" in options else None
        super().__init__([*program, *options], env={"TMPDIR": self.folder}, stdin=subprocess.DEVNULL)
        line = self.line() or ""
        match = re.fullmatch(r"serving (https?)://([^ ]*):(\d+), kubeconfig (.*)", line)
        if not match:
            status = self.wait()
            raise AssertionError(f"{program} said {line!r}, left with {status}: {self.stderr()}")
        self.scheme, self.host, self.port, self.kubeconfig = match[1], match[2], int(match[3]), match[4]
        self.host = self.host.strip("[]")
        self.env = {"KUBECONFIG": self.kubeconfig, "HOME": self.folder}

    def connect(self, port=None):
        port = port or self.port
        if self.scheme == "https":
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            return http.client.HTTPSConnection(self.host, port, timeout=DEADLINE_S, context=context)
        return http.client.HTTPConnection(self.host, port, timeout=DEADLINE_S)

    def request(self, method, path, body=None, headers=None):
        """(status, parsed JSON or text)"""
        return self.exchange(method, path, body, headers)[:2]

    def exchange(self, method, path, body=None, headers=None, port=None):
        """(status, parsed JSON or text, headers); `port`: of a replica."""
        connection = self.connect(port)
        data = json.dumps(body) if isinstance(body, (dict, list)) else body
        usual = {"Content-Type": "application/json"} if data else {}
        if self.token:
            usual["Authorization"] = "Bearer " + self.token
        connection.request(method, path, data, {**usual, **(headers or {})})
        answer = connection.getresponse()
        text = answer.read().decode("utf-8", "replace")
        connection.close()
        try:
            return answer.status, json.loads(text), answer.headers
        except ValueError:
            return answer.status, text, answer.headers

    def create(self, name, data=None, ns="default"):
        status, body = self.request("POST", f"/api/v1/namespaces/{ns}/configmaps", config_map(name, data))
        assert status == 201, (status, body)
        return body

    def stop(self, number=signal.SIGTERM):
        self.signal(number)
        return self.wait()


class Watch(Process):
    """relist watch, its lines parsed."""

    def __init__(self, server, *words, **kwargs):
        super().__init__([RELIST, "watch", *words], env=server.env, **kwargs)

    def event(self, deadline_s=DEADLINE_S):
        return json.loads(self.line_that(lambda _: True, deadline_s))

    def until_synced(self):
        events = []
        while not events or events[-1]["type"] != "synced":
            events.append(self.event())
        return events

    def leave(self):
        self.close_input()
        return self.wait()


def config_map(name, data=None):
    return {"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": name}, "data": data or {"k": "v"}}


def temporary_file(text, ending):
    with tempfile.NamedTemporaryFile("w", suffix=ending, delete=False) as file:
        file.write(text)
    return file.name


def foreign(test, which):
    """A foreign tool's path; skips the test, with the reason, where it can't be had."""
    try:
        return foreign_tools.KNOWN[which]()
    except foreign_tools.CannotHave as why:
        print(f"SKIP: {why}", flush=True)
        test.skipTest(str(why))


def run(command, env=None, stdin="", deadline_s=DEADLINE_S):
    """(exit status, standard output, standard error) of a program that ends by itself."""
    done = subprocess.run([str(c) for c in command], input=stdin, capture_output=True, text=True, timeout=deadline_s,
                          env={**os.environ, **(env or {})})
    return done.returncode, done.stdout, done.stderr


def main():
    if not os.access(RELIST, os.X_OK):
        sys.exit(f"{RELIST} is not there: build it, or name another one in $RELIST")
    program = unittest.main(module="__main__", exit=False, verbosity=1, warnings="ignore")
    result = program.result
    failed, skipped = len(result.failures) + len(result.errors), len(result.skipped)
    passed = result.testsRun - failed - skipped
    no_skip = os.environ.get("RELIST_NO_SKIP") == "1"
    print(f"{passed} passed, {failed} failed, {skipped} skipped", flush=True)
    if failed or result.testsRun == 0 or (no_skip and skipped):
        sys.exit(1)
    sys.exit(foreign_tools.SKIPPED if passed == 0 else 0)
