#!/usr/bin/env python3
"""reflector/examples, each started as a user would, against relist serve, and ended with SIGTERM.

RELIST_EXAMPLES names the folder where they were built. RELIST_SERVER=real: against a kube-apiserver (tools/real/serve),
but for what only ours can be told to do.
"""

import json
import os
import signal
import time
import unittest

import harness
from harness import Process

REAL = os.environ.get("RELIST_SERVER") == "real"
EXAMPLES = os.environ.get("RELIST_EXAMPLES") or str(harness.ROOT / "build/dev/reflector/examples")
DEPLOYMENTS = "/apis/apps/v1/namespaces/{}/deployments"
LEASE = "/apis/coordination.k8s.io/v1/namespaces/default/leases/relist-example"


class Server(harness.Server):
    def __init__(self, *options):
        if REAL:
            super().__init__(program=[harness.ROOT / "tools/real/serve"])
            self.token = "secret"
        else:
            super().__init__(*options)

    def end(self):
        if REAL:  # its programs and its folder go with it
            self.stop()
        super().end()


def ours(test):
    """Not for a real server."""
    return None if REAL else test


class Example(Process):
    """Running; `server` by its kubeconfig, or, with plain=True, by its URL."""

    def __init__(self, name, server, *options, plain=False):
        where = ["--server", f"http://{server.host}:{server.port}"] if plain else ["--kubeconfig", server.kubeconfig]
        super().__init__([f"{EXAMPLES}/{name}", *where, *options], env={"HOME": server.folder})

    def ask(self, line):
        self.write(line + "\n")

    def end_well(self, test, number=signal.SIGTERM):
        self.signal(number)
        test.assertEqual(self.wait(), 0, self.stderr())


def deployment(name, replicas=1):
    labels = {"app": name}
    pod = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
    return {"kind": "Deployment", "apiVersion": "apps/v1", "metadata": {"name": name},
            "spec": {"replicas": replicas, "selector": {"matchLabels": labels}, "template": pod}}


def create(server, name, ns="default", replicas=1):
    status, body = server.request("POST", DEPLOYMENTS.format(ns), deployment(name, replicas))
    assert status == 201, (status, body)


def scale(server, name, replicas):
    status, body = server.request("PATCH", f"{DEPLOYMENTS.format('default')}/{name}", {"spec": {"replicas": replicas}},
                                  {"Content-Type": "application/merge-patch+json"})
    assert status == 200, (status, body)


def delete(server, name, ns="default"):
    status, body = server.request("DELETE", f"{DEPLOYMENTS.format(ns)}/{name}")
    assert status == 200, (status, body)


class PrintDeploymentsTest(unittest.TestCase):
    def test_prints_what_comes_changes_and_goes(self):
        with Server() as server:
            create(server, "api")
            with Example("print_deployments", server) as example:
                self.assertEqual(example.line(), "added default/api")
                self.assertEqual(example.line(), "synced")
                create(server, "web", ns="kube-system")
                self.assertEqual(example.line(), "added kube-system/web")
                scale(server, "api", 3)
                self.assertEqual(example.line(), "updated default/api")
                delete(server, "web", ns="kube-system")
                self.assertEqual(example.line(), "deleted kube-system/web")
                example.end_well(self)

    @ours
    def test_takes_a_url_and_ends_at_ctrl_c(self):
        with Server() as server, Example("print_deployments", server, plain=True) as example:
            self.assertEqual(example.line(), "synced")
            example.end_well(self, signal.SIGINT)

    def test_goes_over_tls_with_a_token(self):
        with Server("--tls", "--token", "secret") as server:
            create(server, "api")
            with Example("print_deployments", server) as example:
                self.assertEqual(example.line(), "added default/api")
                example.end_well(self)

    def test_says_what_is_wrong_with_its_options(self):
        for options, why in (["--colour", "red"], "`--colour` is no option"), (["--server"], "`--server` is without a value"), \
                (["--kubeconfig", "/nowhere"], "/nowhere"):
            status, out, err = harness.run([f"{EXAMPLES}/print_deployments", *options])
            self.assertEqual((status, out), (1, ""))
            self.assertIn(why, err)


class DeploymentMapTest(unittest.TestCase):
    def map_of(self, example):
        example.ask("")
        lines = []
        while (line := example.line()) != "end":
            lines.append(line)
        return lines

    def wait_for(self, example, expected):
        """What was written a moment ago comes a moment later."""
        deadline = time.monotonic() + 20
        while (seen := self.map_of(example)) != expected and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertEqual(seen, expected)

    def test_lists_its_map_at_any_time(self):
        with Server() as server:
            create(server, "web")
            create(server, "api")
            with Example("deployment_map", server) as example:
                example.line_that("ready")
                self.assertEqual(self.map_of(example), ["default: api web"])
                create(server, "dns", ns="kube-system")
                self.wait_for(example, ["default: api web", "kube-system: dns"])
                delete(server, "web")
                delete(server, "api")
                self.wait_for(example, ["kube-system: dns"])
                example.end_well(self)


class StatusControllerTest(unittest.TestCase):
    def condition(self, server, name):
        body = server.request("GET", f"{DEPLOYMENTS.format('default')}/{name}")[1]
        conditions = body.get("status", {}).get("conditions") or []
        return [c["message"] for c in conditions if c["type"] == "RelistExample"]

    def test_writes_the_status_back(self):
        with Server() as server:
            create(server, "web", replicas=3)
            with Example("status_controller", server) as example:
                self.assertEqual(example.line(), "wrote default/web: replicas wanted: 3")
                self.assertEqual(self.condition(server, "web"), ["replicas wanted: 3"])
                scale(server, "web", 5)
                self.assertEqual(example.line(), "wrote default/web: replicas wanted: 5")
                self.assertEqual(self.condition(server, "web"), ["replicas wanted: 5"])
                delete(server, "web")
                self.assertEqual(example.line(), "gone default/web")
                example.end_well(self)

    @ours
    def test_tries_again_what_failed(self):
        """A cache that is behind makes every write a conflict, until it has caught up."""
        with Server() as server:
            create(server, "web")
            with Example("status_controller", server) as example:
                self.assertEqual(example.line(), "wrote default/web: replicas wanted: 1")
                self.assertEqual(server.request("POST", "/relist/v1/lag", {"lag": "200ms"})[0], 200)
                replicas, end = 1, time.monotonic() + harness.DEADLINE_S
                while not any(line.startswith("failed default/web: ") for line in example.seen):
                    self.assertLess(time.monotonic(), end, example.seen)
                    replicas += 1
                    scale(server, "web", replicas)
                    while not example.lines.empty():
                        example.line()
                example.line_that(f"wrote default/web: replicas wanted: {replicas}")
                self.assertEqual(self.condition(server, "web"), [f"replicas wanted: {replicas}"])
                example.end_well(self)


class LeaderTest(unittest.TestCase):
    def start(self, server, identity):
        return Example("leader", server, "--identity", identity)

    def holder(self, server):
        return server.request("GET", LEASE)[1]["spec"]["holderIdentity"]

    def test_hands_over_when_the_leader_is_stopped(self):
        with Server() as server, self.start(server, "one") as one:
            one.line_that("leading")
            self.assertEqual(self.holder(server), "one")
            with self.start(server, "two") as two:
                self.assertEqual(two.line(), "the leader is one")
                one.end_well(self)
                self.assertIn("no longer leading", one.rest())
                two.line_that("leading")
                self.assertEqual(two.seen[-2:], ["the leader is two", "leading"])
                self.assertEqual(self.holder(server), "two")
                two.end_well(self)
                self.assertEqual(self.holder(server), "")

    def test_takes_over_when_the_leader_is_killed(self):
        with Server() as server, self.start(server, "one") as one:
            one.line_that("leading")
            with self.start(server, "two") as two:
                two.line_that("the leader is one")
                one.signal(signal.SIGKILL)
                two.line_that("leading")
                self.assertEqual(server.request("GET", LEASE)[1]["spec"]["leaseTransitions"], 1)
                two.end_well(self)

    def test_wants_an_identity(self):
        with Server() as server:
            status, _, err = harness.run([f"{EXAMPLES}/leader", "--kubeconfig", server.kubeconfig])
            self.assertEqual(status, 1)
            self.assertIn("Lock identity is empty", err)


class PodMetadataTest(unittest.TestCase):
    def test_holds_metadata_and_nothing_else(self):
        with Server() as server:
            pod = {"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "web", "labels": {"app": "web"}},
                   "spec": {"containers": [{"name": "c", "image": "i", "env": [{"name": "LONG", "value": "x" * 5000}]}]}}
            self.assertEqual(server.request("POST", "/api/v1/namespaces/default/pods", pod)[0], 201)
            with Example("pod_metadata", server) as example:
                words = example.line().split()
                self.assertEqual(words[:3], ["holds", "1", "pods,"])
                self.assertLess(int(words[3]), 2000, "a real one has managed fields")
                example.ask("default/web")
                self.assertEqual(json.loads(example.line())["labels"], {"app": "web"})
                example.ask("default/none")
                self.assertEqual(example.line(), "none default/none")
                example.end_well(self)


if __name__ == "__main__":
    harness.main()
