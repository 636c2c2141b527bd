"""What `relist watch` told, and whether it holds together: for tests that let an informer live through much."""

import json
import threading
import time

import harness


class Story(threading.Thread):
    """Follows one relist watch and judges the order of its lines."""

    def __init__(self, server, *words):
        super().__init__(daemon=True)
        self.watch, self.problems, self.shown, self.store = harness.Watch(server, *words), [], {}, None
        self.calls = 0
        self.dumped = threading.Event()

    def run(self):
        while (line := self.watch.lines.get()) is not None:
            event = json.loads(line)
            if event["type"] == "store":
                self.store = {self.key(i): i["resourceVersion"] for i in event["items"]}
                self.dumped.set()
            elif event["type"] in ("added", "modified", "deleted"):
                self.calls += 1
                self.judge(event)

    @staticmethod
    def key(item):
        return f"{item.get('namespace', '')}/{item['name']}"

    def judge(self, event):
        key, version = self.key(event), event["resourceVersion"]
        before = self.shown.get(key)
        if (event["type"] == "added") != (before is None):
            self.problems.append(f"{event['type']} of {key}, which was {before}")
        if before is not None and not event.get("tombstone") and int(version) < int(before):
            self.problems.append(f"{key} went from {before} back to {version}")
        if event["type"] == "deleted":
            self.shown.pop(key, None)
        else:
            self.shown[key] = version

    def dump(self):
        self.dumped.clear()
        self.watch.write("dump\n")
        if not self.dumped.wait(harness.DEADLINE_S):
            raise AssertionError("no dump")
        return self.store

    def agree(self, test, truth, deadline_s=120):
        """Returns once the store is the server's list; what the handler was told must replay to it."""
        end = time.monotonic() + deadline_s
        while (store := self.dump()) != truth:
            test.assertLess(time.monotonic(), end, f"{len(store)} of {len(truth)} objects, {self.watch.stderr()}")
            time.sleep(0.2)
        while self.shown != truth and time.monotonic() < end:  # handlers hear of it after the store
            time.sleep(0.2)
        test.assertEqual(truth, self.shown, "what the handler was told does not replay to the store")
        test.assertEqual([], self.problems)


def versions(items):
    """{"default/a": "12"} of a list's items, as Story has them."""
    return {f"{i['metadata'].get('namespace', '')}/{i['metadata']['name']}": i["metadata"]["resourceVersion"] for i in items}
