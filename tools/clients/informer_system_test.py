#!/usr/bin/env python3
"""Our informer against a whole server, the fake one or a real one, from one body: sync, churn while the apiserver is killed
and started again three times and etcd is compacted twice; then every store is the server's list, and what the handlers
were told replays to it.

RELIST_SERVER=fake (the default) or real (tools/real; built first if need be). RELIST_WRITES says how much churn (2,000).
For the fake, "killed" is what a client sees of it: connections are reset and new ones refused, then the apiserver is
back with an empty window over the same etcd.
"""

import json
import os
import pathlib
import random
import socket
import struct
import sys
import threading
import time
import unittest

import harness
from harness import Server, config_map
from stories import Story, versions

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "real"))
import real_server  # noqa: E402

WRITES = int(os.environ.get("RELIST_WRITES", "2000"))
KEYS = 300
NAMESPACES = ["default", "other"]
AWAY_S = 1.0


class Relay:
    """Passes bytes on to a port, until it is killed: then every connection is reset, and new ones are refused."""

    def __init__(self, target):
        self.target, self.open, self.lock = target, [], threading.Lock()
        self.port = None
        self.listen()

    def listen(self):
        self.listener = socket.create_server(("127.0.0.1", self.port or 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, args=(self.listener,), daemon=True).start()

    def accept(self, listener):
        while True:
            try:
                near, _ = listener.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self.target))
            with self.lock:
                self.open += [near, far]
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=self.pump, args=(source, sink), daemon=True).start()

    def pump(self, source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def kill(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        with self.lock:
            for one in self.open:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                try:
                    one.shutdown(socket.SHUT_RD)
                except OSError:
                    pass
                one.close()
            self.open.clear()


class Fake:
    def __init__(self):
        self.server = Server("--history", "none", "--watch-window", "500")
        self.relay = Relay(self.server.port)
        text = pathlib.Path(self.server.kubeconfig).read_text().replace(str(self.server.port), str(self.relay.port))
        self.kubeconfig = pathlib.Path(self.server.folder) / "through-the-relay"
        self.kubeconfig.write_text(text)
        self.env = {"KUBECONFIG": str(self.kubeconfig), "HOME": self.server.folder}

    def request(self, method, path, body=None):
        return self.server.request(method, path, body)

    def kill_and_start(self):
        self.relay.kill()
        time.sleep(AWAY_S)
        self.control("restart", {"notReady": "500ms"})
        self.relay.listen()

    def compact(self):
        self.control("compact", {"learned": True})

    def control(self, action, body):
        status, answer = self.request("POST", f"/relist/v1/{action}", body)
        assert status == 200, answer

    def end(self):
        self.relay.kill()
        self.server.end()


class Real:
    def __init__(self):
        self.server = real_server.RealServer()
        self.env = {"KUBECONFIG": str(self.server.kubeconfig), "HOME": str(self.server.folder)}

    def request(self, method, path, body=None):
        status, text = self.server.request(method, path, body)
        return status, json.loads(text)

    def kill_and_start(self):
        self.server.restart()

    def compact(self):
        self.server.compact()

    def end(self):
        self.server.stop()


class InformerSystemTest(unittest.TestCase):
    def setUp(self):
        kind = {"fake": Fake, "real": Real}[os.environ.get("RELIST_SERVER", "fake")]
        try:
            self.server = kind()
        except real_server.CannotHave as why:
            print(f"SKIP: {why}", flush=True)
            self.skipTest(str(why))
        self.addCleanup(self.server.end)

    def write(self, chance):
        """One write that was answered; while the apiserver is away it is tried again."""
        name, ns = f"c{chance.randrange(KEYS)}", chance.choice(NAMESPACES)
        body = config_map(name, {"k": str(chance.random()), "pad": "x" * chance.randrange(500)})
        one = f"/api/v1/namespaces/{ns}/configmaps/{name}"
        verb = chance.choice(["PUT", "PUT", "DELETE"])
        while True:
            try:
                status, answer = self.server.request(verb, one, body if verb == "PUT" else None)
                if status == 404 and verb == "PUT":
                    status, answer = self.server.request("POST", one.rsplit("/", 1)[0], body)
            except (OSError, ValueError):
                status, answer = 503, ""
            if status < 500 and status != 429:
                break
            time.sleep(0.1)
        self.assertIn(status, (200, 201, 404, 409), answer)

    def test_everybody_agrees_after_all_that(self):
        for ns in NAMESPACES[1:]:
            self.server.request("POST", "/api/v1/namespaces", {"metadata": {"name": ns}})
        chance = random.Random(7)
        for _ in range(200):
            self.write(chance)
        stories = [Story(self.server, "cm", "-A"), Story(self.server, "cm", "-n", "other")]
        for story in stories:
            self.addCleanup(story.watch.end)
            story.start()
        hurts = {WRITES * n // 6: what for n, what in enumerate(
            [self.server.kill_and_start, self.server.compact, self.server.kill_and_start, self.server.compact,
             self.server.kill_and_start], start=1)}
        for count in range(WRITES):
            if count in hurts:
                hurting = threading.Thread(target=hurts[count])
                hurting.start()  # the churn goes on meanwhile, as far as it can
                self.write(chance)
                hurting.join()
            self.write(chance)
        truth = versions(self.server.request("GET", "/api/v1/configmaps")[1]["items"])
        stories[0].agree(self, truth)
        stories[1].agree(self, {key: rv for key, rv in truth.items() if key.startswith("other/")})
        self.assertGreater(stories[0].calls, 200)
        print(f"{WRITES} writes, {len(truth)} objects, {stories[0].calls} callbacks", flush=True)


if __name__ == "__main__":
    harness.main()
