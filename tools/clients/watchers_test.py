#!/usr/bin/env python3
"""Many watchers that come and go, half of them slow, while writes go in.

RELIST_WATCHERS (1,000 in .ci/nightly) and RELIST_SOAK_S say how many and for how long. What a watcher is told is exactly what
was written in its scope, in order, nothing lost or doubled, from where it began to where it is (W1 to W4): for all that
stay, and for those that the server ends as too slow, up to their end. Memory stays flat, and no thread is left behind.
"""

import functools
import json
import os
import pathlib
import random
import resource
import select
import socket
import threading
import time
import unittest

import harness
from harness import Server
from soak_test import resident_kb

WATCHERS = int(os.environ.get("RELIST_WATCHERS", "100"))
SECONDS = float(os.environ.get("RELIST_SOAK_S", "10"))
WRITES_A_SECOND = 200
KEYS = 100
LIST = "/api/v1/namespaces/default/configmaps"


class Writer(threading.Thread):
    """The only one that writes, so that the next version is the next number. `written[i]` has version first + i."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server, self.stopping, self.problem = server, threading.Event(), None
        self.first = int(server.request("GET", LIST)[1]["metadata"]["resourceVersion"]) + 1
        self.written, self.there = [], set()

    def newest(self):
        return self.first + len(self.written) - 1

    def run(self):
        try:
            self.write()
        except Exception as problem:  # told by the test
            self.problem = problem

    def write(self):
        chance, connection, start = random.Random(7), self.server.connect(), time.monotonic()
        while not self.stopping.is_set():
            time.sleep(max(0, start + len(self.written) / WRITES_A_SECOND - time.monotonic()))
            number = chance.randrange(KEYS)
            name = f"w{number}"
            event = "ADDED" if name not in self.there else chance.choice(["MODIFIED", "MODIFIED", "DELETED"])
            verb = {"ADDED": "POST", "MODIFIED": "PUT", "DELETED": "DELETE"}[event]
            body = {"metadata": {"name": name, "labels": {"app": "even" if number % 2 == 0 else "odd"}},
                    "data": {"n": str(len(self.written))}}
            connection.request(verb, LIST if verb == "POST" else f"{LIST}/{name}",
                               None if verb == "DELETE" else json.dumps(body), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            text = answer.read()
            assert answer.status in (200, 201), text
            (self.there.discard if event == "DELETED" else self.there.add)(name)
            self.written.append((event, name))
            if verb != "DELETE":
                version = int(json.loads(text)["metadata"]["resourceVersion"])
                assert version == self.newest(), f"somebody else wrote: {version}, not {self.newest()}"


@functools.lru_cache(maxsize=50000)
def told(line):
    """(version, type, name). Hundreds of watchers get the same line, and one thread of Python reads them all."""
    event = json.loads(line)
    return int(event["object"]["metadata"]["resourceVersion"]), event["type"], event["object"]["metadata"]["name"]


class Watcher:
    """One watch, and the place in what was written up to which it has been told."""

    def __init__(self, server, writer, chance, slow):
        self.server, self.writer, self.chance, self.slow = server, writer, chance, slow
        self.socket, self.opened = None, 0
        self.open()

    def open(self):
        self.begin = self.at = self.writer.newest()
        self.selector = self.chance.choice(["", "even", "odd"])
        self.text, self.body, self.in_body, self.ended = b"", b"", False, False
        self.socket = socket.socket()
        if self.slow:  # with the kernel's usual megabytes it would be minutes until the server finds it slow
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
        self.socket.connect((self.server.host, self.server.port))
        self.socket.setblocking(False)
        query = f"?watch=true&resourceVersion={self.begin}" + (f"&labelSelector=app={self.selector}" if self.selector else "")
        self.socket.send(f"GET {LIST}{query} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        self.opened += 1
        self.next_read = 0

    def close(self):
        self.socket.close()

    def read(self, size):
        """False at the end of the stream. Raises where what it is told is not what was written."""
        try:
            bytes_ = self.socket.recv(size)
        except BlockingIOError:
            return True
        self.text += bytes_
        if not self.in_body:
            head, found, rest = self.text.partition(b"\r\n\r\n")
            if not found:
                return bool(bytes_)
            assert b" 200 " in head.split(b"\r\n")[0], head
            self.text, self.in_body = rest, True
        *lines, self.body = self.unchunked().split(b"\n")
        for line in lines:
            self.judge(line)
        return bool(bytes_) and not self.ended

    def unchunked(self):
        """What has come of the body and was not judged yet."""
        at, parts = 0, [self.body]
        while (end := self.text.find(b"\r\n", at)) >= 0:
            size = int(self.text[at:end], 16)
            if len(self.text) < end + size + 4:
                break
            parts.append(self.text[end + 2:end + 2 + size])
            at = end + size + 4
            self.ended |= size == 0
        self.text = self.text[at:]
        return b"".join(parts)

    def expected(self):
        """Version and event of the next one that is due."""
        while True:
            self.at += 1
            event, name = self.writer.written[self.at - self.writer.first]
            if not self.selector or (int(name[1:]) % 2 == 0) == (self.selector == "even"):
                return self.at, event, name

    def judge(self, line):
        seen = told(line)
        end = time.monotonic() + 5  # a watcher may hear of a write before the writer has its answer
        while seen[0] > self.writer.newest() and time.monotonic() < end:
            time.sleep(0.001)
        due = self.expected()
        assert seen == due, f"a watch of {self.selector or 'all'} from {self.begin} was told {seen}, due was {due}"


class WatchersTest(unittest.TestCase):
    def test_nobody_is_told_less_or_other_than_what_was_written(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, WATCHERS + 200)), hard))
        # By default etcd remembers the writes of five to ten minutes: nothing could be flat in ten.
        with Server("--history", "none", "--controllers", "none", "--compaction-period", "30s") as server:
            writer, chance = Writer(server), random.Random(3)
            threads = len(os.listdir(f"/proc/{server.process.pid}/task"))  # it has answered by now
            writer.start()
            watchers = [Watcher(server, writer, chance, slow=i % 2 == 1) for i in range(WATCHERS)]
            memory = self.soak(server, watchers, chance)
            writer.stopping.set()
            writer.join(harness.DEADLINE_S)
            self.assertIsNone(writer.problem)
            self.finish(writer, watchers)
            for watcher in watchers:
                watcher.close()
            half = len(memory) // 2
            self.assertLess(max(memory[half:]), 1.3 * max(memory[:half]) + 8192, memory[::max(1, len(memory) // 20)])
            self.assertEqual(threads, len(os.listdir(f"/proc/{server.process.pid}/task")))
            print(f"{len(writer.written)} writes, {sum(w.opened for w in watchers)} watches, memory {max(memory)} KB")
            self.assertEqual(0, server.stop())

    def soak(self, server, watchers, chance):
        poll, by_fd = select.epoll(), {}

        def register(watcher):
            by_fd[watcher.socket.fileno()] = watcher
            if not watcher.slow:
                poll.register(watcher.socket, select.EPOLLIN)

        def reopen(watcher):
            by_fd.pop(watcher.socket.fileno())
            if not watcher.slow:
                poll.unregister(watcher.socket)
            watcher.close()
            watcher.open()
            register(watcher)

        for watcher in watchers:
            register(watcher)
        slow, start, memory, goes = [w for w in watchers if w.slow], time.monotonic(), [], 0
        while (now := time.monotonic()) - start < SECONDS:
            for fd, _ in poll.poll(0.01):
                if not by_fd[fd].read(1 << 16):
                    self.fail(f"a watch that reads was ended: {by_fd[fd].selector} from {by_fd[fd].begin}")
            for watcher in slow:
                if now >= watcher.next_read:
                    watcher.next_read = now + chance.uniform(0.2, 3)
                    if not watcher.read(2048):
                        reopen(watcher)
            if now - start > goes * 0.1:  # ten a second come and go
                goes += 1
                reopen(chance.choice(watchers))
                memory.append(resident_kb(server))
        return memory

    def finish(self, writer, watchers):
        """Whoever stayed hears of the last write in its scope."""
        end = time.monotonic() + harness.DEADLINE_S + WATCHERS / 10
        for watcher in watchers:
            last = max((i for i, (_, name) in enumerate(writer.written)
                        if not watcher.selector or (int(name[1:]) % 2 == 0) == (watcher.selector == "even")), default=-1)
            while watcher.at < max(writer.first + last, watcher.begin):
                self.assertLess(time.monotonic(), end, f"at {watcher.at}, the last was {writer.first + last}")
                if not watcher.read(1 << 16):
                    self.assertTrue(watcher.slow, "a watch that reads was ended")
                    break
                time.sleep(0.0005)


if __name__ == "__main__":
    harness.main()
