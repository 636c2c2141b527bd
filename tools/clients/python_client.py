"""The kubernetes package of PyPI as its users use it: a list, then watch.Watch().stream, again from where it broke.

Speaks the client protocol (arguments: resource, namespace). Run by the Python that foreign_tools.python_with_client made.
"""

import json
import os
import sys
import threading
import time

import urllib3
from kubernetes import client, config, watch

START = time.monotonic()
WORDS = {"ADDED": "added", "MODIFIED": "modified", "DELETED": "deleted"}


def say(**line):
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def identity(item):
    meta = item.metadata
    return {"namespace": meta.namespace, "name": meta.name, "uid": meta.uid, "resourceVersion": meta.resource_version}


def leave_with_input():
    sys.stdin.read()
    os._exit(0)  # the stream blocks in a read


def elapsed_ms():
    return int((time.monotonic() - START) * 1000)


class Store:
    """What was shown last of each object, so that a new list can be told as changes."""

    def __init__(self):
        self.shown = {}

    def see(self, word, item):
        who = identity(item)
        if word == "deleted":
            self.shown.pop(who["name"], None)
        else:
            self.shown[who["name"]] = who
        say(type=word, t=elapsed_ms(), **who)

    def replace(self, items):
        names = {item.metadata.name for item in items}
        for name in [name for name in self.shown if name not in names]:
            say(type="deleted", t=elapsed_ms(), tombstone=True, **self.shown.pop(name))
        for item in items:
            before = self.shown.get(item.metadata.name)
            if before is None:
                self.see("added", item)
            elif before["resourceVersion"] != item.metadata.resource_version:
                self.see("modified", item)


def main():
    threading.Thread(target=leave_with_input, daemon=True).start()
    config.load_kube_config()
    api = client.CoreV1Api()
    namespace = sys.argv[2]
    store, version = Store(), None
    while True:
        try:
            if version is None:
                listed = api.list_namespaced_config_map(namespace)
                store.replace(listed.items)
                say(type="synced")
                version = listed.metadata.resource_version
            for event in watch.Watch().stream(api.list_namespaced_config_map, namespace, resource_version=version):
                version = event["object"].metadata.resource_version
                store.see(WORDS[event["type"]], event["object"])
        except urllib3.exceptions.HTTPError as broken:
            say(type="error", terminal=False, message=str(broken))
        except client.ApiException as refused:
            say(type="error", terminal=False, message=str(refused.reason))
            version = None  # gone, or in doubt: list again
            time.sleep(0.1)


if __name__ == "__main__":
    main()
