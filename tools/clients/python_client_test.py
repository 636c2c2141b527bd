#!/usr/bin/env python3
"""The kubernetes package of PyPI sees the same events as relist watch, while the stream of each is cut twice."""

import json
import pathlib
import unittest

import harness
from harness import Process, Server, Watch, foreign, temporary_file

HERE = pathlib.Path(__file__).resolve().parent

# The Python client lists, then watches; ours asks for a streaming list, which goes on as the watch.
CUT_TWICE = """\
name: the stream is cut twice, once in the middle of an event
faults:
- {{fault: cut, on: {first}, nth: 1, events: {events}, bytes: 40}}
- {{fault: reset, on: watch, nth: {second}, events: 2}}
"""


def changes(server):
    """Ten writes, one after another."""
    for number in range(3):
        server.create(f"c{number}", {"n": str(number)})
        yield f"c{number}"
    for number in range(4):
        server.request("PATCH", "/api/v1/namespaces/default/configmaps/c1", {"data": {"n": f"p{number}"}},
                       {"Content-Type": "application/merge-patch+json"})
        yield "c1"
    for name in ("c0", "c2"):
        server.request("DELETE", f"/api/v1/namespaces/default/configmaps/{name}")
        yield name
    server.create("last")
    yield "last"


class PythonClientTest(unittest.TestCase):
    def story(self, server, client):
        """What a client prints while the changes are made, each seen before the next is made."""
        with client:
            events = []

            def until(wanted):
                while True:
                    event = json.loads(client.line_that(lambda _: True))
                    events.append(event)
                    if wanted(event):
                        return

            until(lambda event: event["type"] == "synced")
            for name in changes(server):
                until(lambda event, name=name: event.get("name") == name)
            errors = [event for event in events if event["type"] == "error"]
            client.close_input()
            self.assertEqual(0, client.wait())
        # Not uids: two servers draw their own.
        words = ("type", "namespace", "name", "resourceVersion")
        return [tuple(e[w] for w in words) for e in events if e["type"] in ("added", "modified", "deleted")], errors

    def served(self, **scenario):
        server = Server("--start-revision", "1", "--scenario", temporary_file(CUT_TWICE.format(**scenario), ".yaml"))
        self.addCleanup(server.end)
        server.create("before")
        return server

    def cuts(self, server):
        history = server.request("GET", "/relist/v1/history")[1]
        return sum('"what":"fault"' in line for line in history.splitlines())

    def test_it_sees_what_relist_watch_sees(self):
        python = foreign(self, "python")
        server = self.served(first="watch", events=3, second=2)
        theirs, errors = self.story(server, Process([python, HERE / "python_client.py", "configmaps", "default"], env=server.env))
        self.assertEqual(2, self.cuts(server))
        self.assertEqual(2, len(errors), errors)
        # The one object and the bookmark that ends the initial events come before the three.
        server = self.served(first="streaming-list", events=5, second=1)
        ours, _ = self.story(server, Watch(server, "configmaps", "default"))
        self.assertEqual(2, self.cuts(server))
        self.assertEqual(11, len(ours))
        self.assertEqual(theirs, ours)


if __name__ == "__main__":
    harness.main()
