#!/usr/bin/env python3
"""Hours in a test's time: writers, watchers of several kinds, and a server that is evicted, compacted and restarted.

RELIST_SOAK_S says how long (10 s by default). At the end every watcher's store is the server's list, every watcher's
story keeps the grammar (added, modified..., deleted), and the server's memory has stopped growing.
"""

import json
import os
import pathlib
import random
import time
import unittest

import harness
from harness import Server, config_map
from stories import Story, versions

SECONDS = float(os.environ.get("RELIST_SOAK_S", "10"))
KEYS = 200
# What AddressSanitizer keeps back of freed memory grows to 256 MB by default, and is no leak of ours.
os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=8"
CONTROL = ["evict", "restart", "compact", "bookmark"]


def resident_kb(process):
    for line in pathlib.Path(f"/proc/{process.process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise AssertionError("no VmRSS")


class SoakTest(unittest.TestCase):
    def write(self, server, chance, connection):
        name = f"c{chance.randrange(KEYS)}"
        path = f"/api/v1/namespaces/default/configmaps/{name}"
        verb = chance.choice(["POST", "PATCH", "PATCH", "DELETE"])
        body = {"POST": config_map(name), "PATCH": {"data": {"k": str(chance.random()), "pad": "x" * 500}}}.get(verb)
        connection.request(verb, path.rsplit("/", 1)[0] if verb == "POST" else path, json.dumps(body) if body else None,
                           {"Content-Type": "application/merge-patch+json" if verb == "PATCH" else "application/json"})
        answer = connection.getresponse()
        answer.read()
        self.assertIn(answer.status, (200, 201, 404, 409))

    def test_everybody_agrees_in_the_end(self):
        chance = random.Random(1)
        with Server("--history", "none", "--rate", "60", "--watch-window", "200", "--bookmark-period", "30s") as server:
            stories = [Story(server, "cm"), Story(server, "cm", "-A"), Story(server, "cm", "default")]
            for story in stories:
                self.addCleanup(story.watch.end)
                story.start()
            start, memory, writes, connection = time.monotonic(), [], 0, server.connect()
            while time.monotonic() - start < SECONDS:
                self.write(server, chance, connection)
                writes += 1
                if writes % 500 == 0:
                    self.assertEqual(200, server.request("POST", "/relist/v1/" + chance.choice(CONTROL), {})[0])
                    connection.close()  # a restart closed it; the next request opens another one
                if writes % 100 == 0:
                    memory.append(resident_kb(server))
            connection.close()
            self.agree(server, stories)
            half = memory[len(memory) // 2:]
            self.assertLess(max(half), 1.5 * max(memory[:len(memory) // 2]) + 8192, memory[:: max(1, len(memory) // 20)])
            print(f"{writes} writes, memory {max(half)} KB")

    def agree(self, server, stories):
        truth = versions(server.request("GET", "/api/v1/configmaps")[1]["items"])
        for story in stories:
            story.agree(self, truth)


if __name__ == "__main__":
    harness.main()
