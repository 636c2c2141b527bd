"""The control API, as a test suite uses it: from Python's standard library, and with curl."""

import json
import re
import shutil
import subprocess
import time
import unittest

import harness
from harness import Server

MAPS = "/api/v1/namespaces/default/configmaps"


def act(server, name, body=None):
    return server.request("POST", f"/relist/v1/{name}", body)


def names(server, query="", port=None):
    status, answer, _ = server.exchange("GET", MAPS + query, port=port)
    assert status == 200, answer
    return [item["metadata"]["name"] for item in answer["items"]]


class ControlTest(unittest.TestCase):
    def test_one_server_serves_a_whole_suite_of_tests(self):
        """A snapshot is made once, each test begins there; a reset takes under 5 ms."""
        with Server() as server:
            base = [f"c{i:02}" for i in range(96)]
            for name in base:
                server.create(name)
            status, answer = act(server, "snapshot", {"name": "base"})
            self.assertEqual((200, 100), (status, answer["objects"]))  # and four namespaces
            best = 1.0
            for i in range(20):
                server.create(f"only-in-{i}")
                start = time.monotonic()
                self.assertEqual(200, act(server, "reset", {"snapshot": "base"})[0])
                best = min(best, time.monotonic() - start)
                self.assertEqual(base, names(server))
            self.assertLess(best, 0.005)
            self.assertEqual(200, act(server, "reset")[0])
            self.assertEqual([], names(server))
            history = server.request("GET", "/relist/v1/history")[1].splitlines()
            self.assertEqual(["history", "control"], [json.loads(line)["what"] for line in history[:2]])
            self.assertEqual("reset", json.loads(history[1])["action"])

    def test_faults_come_and_go_while_it_runs(self):
        with Server() as server:
            fault = {"fault": "status", "on": "list", "nth": "1-2", "code": 429, "headers": {"Retry-After": "7"}}
            self.assertEqual((200, 1), (lambda a: (a[0], a[1]["faults"]))(act(server, "inject", {"faults": [fault]})))
            status, _, headers = server.exchange("GET", MAPS)
            self.assertEqual((429, "7"), (status, headers["Retry-After"]))
            self.assertEqual(200, act(server, "reset")[0])
            self.assertEqual(200, server.request("GET", MAPS)[0])
            for nothing in ({}, {"faults": []}):
                self.assertEqual(400, act(server, "inject", nothing)[0])
            status, answer = act(server, "inject", {"faults": [{"fault": "melt", "on": "list"}]})
            self.assertEqual(400, status)
            self.assertIn("inject:1:", answer["message"])

    def test_injected_faults_have_a_name_and_end_without_a_reset(self):
        def end(body=None):
            return server.request("DELETE", "/relist/v1/inject", body)

        with Server() as server:
            server.create("kept")
            for code in (500, 503):
                fault = {"fault": "status", "on": "list", "nth": "every", "code": code}
                answer = act(server, "inject", {"faults": [fault]})[1]
            self.assertEqual("inject-2", answer["name"])
            self.assertEqual(500, server.request("GET", MAPS)[0])
            self.assertEqual((200, 1), (lambda a: (a[0], a[1]["ended"]))(end({"name": "inject-1"})))
            self.assertEqual(503, server.request("GET", MAPS)[0])
            self.assertEqual([{"name": "inject-2", "faults": 1}], server.request("GET", "/relist/v1/state")[1]["injected"])
            status, answer = end({"name": "inject-1"})
            self.assertEqual(400, status)
            self.assertIn('no "inject-1" is in force', answer["message"])
            self.assertEqual((200, 1), (lambda a: (a[0], a[1]["ended"]))(end()))
            self.assertEqual(["kept"], names(server))
            act(server, "inject", {"faults": [{"fault": "cut", "on": "watch"}]})
            end()
            self.assertEqual(0, server.stop(), server.stderr())  # what ended need not strike

    def test_what_was_injected_and_never_struck_is_told_at_the_end(self):
        with Server() as server:
            for fault in ("cut", "close"):
                act(server, "inject", {"faults": [{"fault": fault, "on": "watch"}]})
            self.assertEqual(1, server.stop())
            lines = server.stderr().splitlines()
            self.assertEqual(2, len(lines), lines)
            for line, part in zip(lines, ("inject-1:1:13: this fault (cut)", "inject-2:1:13: this fault (close)")):
                self.assertIn(part + " never struck", line)

    def test_replicas_have_ports_and_one_can_stay_behind(self):
        """Going back in time between apiservers (kubernetes/kubernetes#59848)."""
        with Server("--replicas", "3") as server:
            ports = [server.port]
            for i in (1, 2):
                line = server.line()
                self.assertRegex(line, rf"^replica {i} is http://127.0.0.1:\d+, context replica-{i}$")
                ports.append(int(line.split(":")[2].split(",")[0]))
            self.assertEqual(200, act(server, "pause", {"replica": 2})[0])
            server.create("new")
            any_version = "?resourceVersion=0"
            self.assertEqual(["new"], names(server, any_version, ports[1]))
            self.assertEqual([], names(server, any_version, ports[2]))
            state = server.request("GET", "/relist/v1/state")[1]
            self.assertEqual([False, False, True], [replica["paused"] for replica in state["replicas"]])
            self.assertLess(int(state["replicas"][2]["revision"]), int(state["revision"]))
            self.assertEqual(["new"], names(server, "", ports[2]))  # etcd's, after three seconds
            self.assertEqual(200, act(server, "resume")[0])
            self.assertEqual(["new"], names(server, any_version, ports[2]))

    def test_a_lag_passes_and_those_who_wait_are_answered(self):
        with Server("--rate", "10") as server:
            self.assertEqual(200, act(server, "lag", {"lag": "1s"})[0])
            server.create("late")
            self.assertEqual([], names(server, "?resourceVersion=0"))
            self.assertEqual(["late"], names(server))

    def test_caches_that_are_not_ready_refuse(self):
        with Server("--not-ready", "1h") as server:
            status, answer, headers = server.exchange("GET", MAPS)
            self.assertEqual((429, "storage is (re)initializing", "1"),
                             (status, answer["message"], headers["Retry-After"]))
            self.assertEqual(200, server.request("GET", MAPS + "?limit=5")[0])
            self.assertEqual(200, act(server, "restart")[0])
            self.assertEqual([], names(server))

    def test_a_restart_closes_connections_and_a_reset_does_not(self):
        def ask(connection, method, path, body=None):
            socket = connection.sock  # http.client would open another one by itself
            connection.request(method, path, json.dumps(body) if body else None, {"Authorization": "Bearer t"})
            answer = connection.getresponse()
            answer.read()
            self.assertTrue(socket is None or answer.will_close or connection.sock is socket)
            return answer.status, answer.getheader("Connection")

        for options in ([], ["--token", "t"]):  # plain, and TLS
            with self.subTest(options), Server("--replicas", "2", *options) as server:
                replica = int(re.search(r":(\d+),", server.line())[1])
                idle, other, suite = server.connect(), server.connect(replica), server.connect()
                for connection in (idle, other):
                    self.assertEqual((200, None), ask(connection, "GET", MAPS))
                self.assertEqual((200, None), ask(suite, "POST", "/relist/v1/reset"))
                self.assertEqual((200, None), ask(idle, "GET", MAPS))
                restart = ask(suite, "POST", "/relist/v1/restart", {"replica": 0})
                self.assertEqual((200, "close"), restart)
                self.assertEqual(b"", idle.sock.recv(1))
                self.assertEqual((200, None), ask(other, "GET", MAPS))
                self.assertEqual(200, ask(suite, "POST", "/relist/v1/restart", {"replica": 1})[0])
                self.assertEqual(b"", other.sock.recv(1))
                for connection in (idle, other, suite):
                    connection.close()

    @unittest.skipUnless(shutil.which("curl"), "no curl")
    def test_curl_reaches_every_endpoint_that_is_described(self):
        with Server("--token", "t") as server:
            def curl(method, path, body=None):
                command = ["curl", "--silent", "--show-error", "--insecure", "--max-time", "30",
                           "--header", "Authorization: Bearer t", "--request", method,
                           "--write-out", "\n%{http_code}", f"https://127.0.0.1:{server.port}{path}"]
                if body is not None:
                    command += ["--data", body, "--header", "Content-Type: application/json"]
                out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
                text, _, status = out.rpartition("\n")
                return int(status), text

            status, text = curl("GET", "/relist/v1/openapi.json")
            self.assertEqual(200, status)
            bodies = {"lag": '{"lag": "0"}', "snapshot": '{"name": "s"}', "compact": '{"learned": true}',
                      "inject": '{"faults": [{"fault": "close", "on": "watch"}]}'}
            paths = json.loads(text)["paths"]
            for path, operations in paths.items():
                for method in operations:
                    body = bodies.get(path.rsplit("/", 1)[1], "{}") if method == "post" else None if method == "get" else "{}"
                    self.assertEqual(200, curl(method.upper(), path, body)[0], path)
            self.assertLessEqual({"/relist/v1/compact", "/relist/v1/evict", "/relist/v1/restart", "/relist/v1/bookmark",
                                  "/relist/v1/lag", "/relist/v1/pause", "/relist/v1/resume", "/relist/v1/inject",
                                  "/relist/v1/snapshot", "/relist/v1/reset", "/relist/v1/state",
                                  "/relist/v1/history"}, set(paths))


class RequestLogTest(unittest.TestCase):
    def test_it_tells_who_asked_for_what_and_how_it_ended(self):
        with Server("--log", "requests") as server:
            server.create("a")
            server.request("GET", MAPS, headers={"User-Agent": "tester/1.0 (x)"})
            server.request("GET", MAPS + "?watch=true&timeoutSeconds=1")
            self.assertEqual(0, server.stop())
            lines = server.stderr().splitlines()
            clock = r"\d\d:\d\d:\d\d\.\d\d\d conn \d+ "
            self.assertRegex(lines[1], rf"^{clock}GET {MAPS} tester/1.0 200 \d+ bytes \d+\.\dms sent$")
            self.assertRegex(lines[2], rf"^{clock}GET {MAPS}\?watch=true&timeoutSeconds=1 \S+ 200 watch opened$")
            self.assertRegex(lines[3], rf"^{clock}GET \S+ \S+ 200 1 lines \d+ bytes \d+\.\dms last chunk$")


if __name__ == "__main__":
    harness.main()
