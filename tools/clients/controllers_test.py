#!/usr/bin/env python3
"""What is deleted at `relist serve` goes as in a cluster: namespaces are emptied, dependents collected."""

import json
import time
import unittest

import harness
from harness import DEADLINE_S, Server

MAPS = "/api/v1/namespaces/default/configmaps"
TEAM = "/api/v1/namespaces/team"


def newest(server):
    return server.request("GET", MAPS)[1]["metadata"]["resourceVersion"]


def events_of(server, resource, until, since):
    """What a watch from that version tells, up to the line that is wanted: the controllers may be done before it opens."""
    connection = server.connect()
    connection.request("GET", f"/api/v1/{resource}?watch=true&resourceVersion={since}&timeoutSeconds={int(DEADLINE_S)}")
    answer = connection.getresponse()
    told = []
    while until not in told:
        line = answer.readline()
        assert line, f"the watch ended before {until!r}: {told}"
        event = json.loads(line)
        told.append(f"{event['type']} {event['object']['metadata']['name']}")
    connection.close()
    return told


def owned_by(owner, name, **more):
    body = harness.config_map(name)
    body["metadata"]["ownerReferences"] = [{"apiVersion": "v1", "kind": "ConfigMap", "name": owner["metadata"]["name"],
                                            "uid": owner["metadata"]["uid"], **more}]
    return body


class ControllersTest(unittest.TestCase):
    def test_a_namespace_that_is_deleted_is_emptied_and_goes(self):
        with Server("--rate", "10") as server:
            server.request("POST", "/api/v1/namespaces", {"metadata": {"name": "team"}})
            for name in ("a", "b"):
                server.create(name, ns="team")
            server.create("stays")
            since = newest(server)
            status, body = server.request("DELETE", TEAM)
            self.assertEqual((200, "Terminating"), (status, body["status"]["phase"]))
            told = events_of(server, "namespaces", "DELETED team", since)
            self.assertEqual(["MODIFIED team", "DELETED team"], [line for line in told if line.endswith(" team")][-2:])
            self.assertEqual(404, server.request("GET", TEAM)[0])
            items = server.request("GET", "/api/v1/configmaps")[1]["items"]
            self.assertEqual(["stays"], [item["metadata"]["name"] for item in items])

    def test_dependents_go_after_their_owner(self):
        with Server() as server:
            owner = server.create("owner")
            server.request("POST", MAPS, owned_by(owner, "child"))
            since = newest(server)
            server.request("DELETE", f"{MAPS}/owner")
            self.assertEqual(["DELETED owner", "DELETED child"], events_of(server, "configmaps", "DELETED child", since))

    def test_in_the_foreground_they_go_before_it(self):
        with Server() as server:
            owner = server.create("owner")
            server.request("POST", MAPS, owned_by(owner, "child", blockOwnerDeletion=True))
            since = newest(server)
            server.request("DELETE", f"{MAPS}/owner", {"propagationPolicy": "Foreground"})
            told = events_of(server, "configmaps", "DELETED owner", since)
            self.assertLess(told.index("DELETED child"), told.index("DELETED owner"))

    def test_without_controllers_all_stays(self):
        with Server("--rate", "60", "--controllers", "none") as server:
            server.request("POST", "/api/v1/namespaces", {"metadata": {"name": "team"}})
            owner = server.create("owner")
            server.request("POST", MAPS, owned_by(owner, "child"))
            server.request("DELETE", TEAM)
            server.request("DELETE", f"{MAPS}/owner")
            started = time.monotonic()
            while time.monotonic() < started + 0.3:  # 18 s of the server
                self.assertEqual("Terminating", server.request("GET", TEAM)[1]["status"]["phase"])
            self.assertEqual(200, server.request("GET", f"{MAPS}/child")[0])

    def test_a_scenario_has_those_that_it_names_unless_the_command_line_does(self):
        with_all = harness.temporary_file("name: a\nserver: {controllers: all}\n", ".yaml")
        without = harness.temporary_file("name: a\n", ".yaml")
        for wanted, words in [(True, [with_all]), (False, [without]), (False, [with_all, "--controllers", "none"]),
                              (True, [without, "--controllers", "garbage-collector-controller"])]:
            with Server("--scenario", *words) as server:
                orphan = {"metadata": {"name": "gone", "uid": "11111111-2222-4333-8444-555555555555"}}
                server.request("POST", MAPS, owned_by(orphan, "child"))
                started = time.monotonic()
                while server.request("GET", f"{MAPS}/child")[0] == 200 and time.monotonic() < started + (20 if wanted else 0.3):
                    pass
                self.assertEqual(404 if wanted else 200, server.request("GET", f"{MAPS}/child")[0], words)


if __name__ == "__main__":
    harness.main()
