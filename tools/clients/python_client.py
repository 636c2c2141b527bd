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


def main():
    threading.Thread(target=leave_with_input, daemon=True).start()
    config.load_kube_config()
    api = client.CoreV1Api()
    namespace = sys.argv[2]
    listed = api.list_namespaced_config_map(namespace)
    for item in listed.items:
        say(type="added", t=int((time.monotonic() - START) * 1000), **identity(item))
    say(type="synced")
    version = listed.metadata.resource_version
    while True:
        stream = watch.Watch()
        try:
            for event in stream.stream(api.list_namespaced_config_map, namespace, resource_version=version):
                version = event["object"].metadata.resource_version
                say(type=WORDS[event["type"]], t=int((time.monotonic() - START) * 1000), **identity(event["object"]))
        except urllib3.exceptions.HTTPError as broken:
            say(type="error", terminal=False, message=str(broken))


if __name__ == "__main__":
    main()
