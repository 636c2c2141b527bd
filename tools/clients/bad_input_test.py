#!/usr/bin/env python3
"""What nobody should send: a clear line or status comes back, the others are served, nothing is lost."""

import json
import os
import resource
import socket
import tempfile
import time
import unittest

import harness
from harness import RELIST, Server, Watch, config_map, temporary_file

CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"


def raise_file_limit(wanted):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))


def read_all(connection):
    data = b""
    while True:
        try:
            more = connection.recv(65536)
        except ConnectionResetError:
            return data
        if not more:
            return data
        data += more


class RefusedAtStart(unittest.TestCase):
    """Exit status 1, and one line on standard error that names what is wrong."""

    def refused(self, words, *parts, env=None):
        status, out, err = harness.run([RELIST, *words], env=env)
        self.assertEqual((1, ""), (status, out), err)
        self.assertEqual(1, err.count("\n"), err)
        for part in parts:
            self.assertIn(part, err)

    def test_a_port_in_use(self):
        with Server() as server:
            self.refused(["serve", "--port", str(server.port)], str(server.port), "in use")

    def test_an_address_of_another_machine(self):
        self.refused(["serve", "--address", "192.0.2.1"], "192.0.2.1")

    def test_files_that_are_not_there_or_cannot_be_written(self):
        self.refused(["serve", "--objects", "/no/such/file"], "/no/such/file")
        self.refused(["serve", "--history", "/no/such/folder/h"], "/no/such/folder/h")
        self.refused(["serve", "--kubeconfig", "/no/such/folder/k"], "/no/such/folder/k")
        self.refused(["run", "/no/such/file"], "/no/such/file")

    def test_a_scenario_that_needs_a_client_of_ours(self):
        name = temporary_file("name: n\nsteps: [{at: 1s, do: stop}]\n", ".yaml")
        self.refused(["serve", "--scenario", name], name + ":2:9: this step (stop) is done to a client")

    def test_more_replicas_than_ports(self):
        self.refused(["serve", "--replicas", "3", "--port", "65535"], "--port 65535: 3 replicas take as many ports", "65533 is the most")

    def test_a_history_that_is_almost_none(self):
        self.refused(["serve", "--history", "None"], "--history", "did you mean `none`")

    def test_an_address_that_is_none(self):
        self.refused(["serve", "--address", "web"], "--address: `web` is no IP address", "localhost")

    def test_an_empty_value_is_not_taken_for_none(self):
        for option in ("--token", "--history", "--kubeconfig", "--objects", "--scenario"):
            self.refused(["serve", option, ""], option, "empty")
            self.refused(["serve", option + "="], option, "empty")

    def test_a_temporary_folder_that_is_not_there(self):
        self.refused(["serve"], "TMPDIR", "--kubeconfig", env={"TMPDIR": "/no/such/folder"})

    def test_objects_that_are_not_objects(self):
        for text in ("", "# nothing\n", "---\n---\n", "just text", "[1, 2]", "{", "a: [", "kind: List\nitems: 3", "a: &a [*a]"):
            self.refused(["serve", "--objects", temporary_file(text, ".yaml")])

    def test_a_kubeconfig_that_lacks_a_file(self):
        path = temporary_file(json.dumps({
            "current-context": "c", "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
            "clusters": [{"name": "c", "cluster": {"server": "https://127.0.0.1:1", "certificate-authority": "gone.pem"}}],
            "users": [{"name": "u", "user": {}}]}), ".yaml")
        self.refused(["watch", "cm", "--kubeconfig", path], "gone.pem")

    def test_kubeconfigs_that_are_none(self):
        empty = tempfile.mkdtemp()
        self.refused(["watch", "cm"], "config", env={"KUBECONFIG": "", "HOME": empty})
        self.refused(["watch", "cm"], "/no/such/config", env={"KUBECONFIG": "/no/such/config"})
        self.refused(["watch", "cm", "--kubeconfig", temporary_file("{a: [", ".yaml")])
        self.refused(["watch", "cm", "--kubeconfig", temporary_file("current-context: gone\n", ".yaml")], "gone")

    def test_a_resource_that_nobody_knows(self):
        with Server() as server:
            self.refused(["watch", "gadgets"], "gadgets", "configmaps", "PLURAL.VERSION.GROUP", env=server.env)
            self.refused(["watch", "gadgets..example.com"], "gadgets", env=server.env)

    def test_a_watch_that_cannot_be_meant(self):
        with Server() as server:
            for words, parts in ((["cm", "-l", "a=("], ("a=(", "selector")), (["cm", "-l", "a in"], ("a in",)),
                                 (["nodes", "-n", "default"], ("nodes", "default")), (["nodes", "default"], ("nodes",)),
                                 (["cm", "-n", "UPPER"], ("UPPER", "namespace")), (["cm", "a/b"], ("a/b",))):
                self.refused(["watch", *words], *parts, env=server.env)

    def test_a_kubeconfig_that_never_ends(self):
        self.refused(["watch", "cm", "--kubeconfig", "/dev/zero"], "/dev/zero", "cannot read this kubeconfig")

    def test_scenarios_with_mistakes_tell_the_line(self):
        for text, line in (("name: x\nfrobnicate: 1\n", 2), ("name: x\n   about: y\n", 2), ("name: x\nfaults: 3\n", 2)):
            path = temporary_file(text, ".yaml")
            self.refused(["run", path], f"{os.path.basename(path)}:{line}:")
            self.refused(["serve", "--scenario", path], f"{os.path.basename(path)}:{line}:")

    def test_a_scenario_whose_periods_would_make_the_server_spin(self):
        for line in ("bookmark_period: 0s", "timeout_min: 0s"):
            path = temporary_file(f"name: x\nserver: {{{line}}}\n", ".yaml")
            self.refused(["serve", "--scenario", path], path, "at least 1s")

    def test_a_report_that_cannot_be_written(self):
        case = sorted((harness.ROOT / "scenarios/cases").glob("*.yaml"))[0]
        for report in ("/no/such/folder/r.json", "/tmp/r.pdf"):
            self.refused(["run", str(case), "--report", report], report)

    def test_a_report_in_the_place_of_a_scenario(self):
        path = temporary_file('{"name": "a scenario"}', ".json")
        folder, name = os.path.split(path)
        for report in (path, f"{folder}/./{name}"):
            self.refused(["run", "--report", report, path], report, "this is a file that is to be read")
        self.refused(["run", "--report", path + ".xml", path, "--report", path + ".xml"], "given twice")
        with open(path, encoding="utf-8") as file:
            self.assertEqual('{"name": "a scenario"}', file.read())


class BadRequests(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.end)

    def tearDown(self):
        if self.server.process.poll() is None:
            self.assertEqual(200, self.server.request("GET", "/version")[0])
            self.assertEqual(0, self.server.stop(), self.server.stderr())
        else:
            self.fail(f"the server ended with {self.server.process.returncode}: {self.server.stderr()}")

    def raw(self, data):
        connection = socket.create_connection((self.server.host, self.server.port), timeout=harness.DEADLINE_S)
        try:
            connection.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            pass  # it has answered already, and closed
        answer = read_all(connection)
        connection.close()
        return answer

    def test_a_body_that_is_not_json(self):
        for body in ("no json", "{", "[]", "3", '"text"', "{} trailing", "\x00", '{"kind":'):
            status, answer = self.server.request("POST", CONFIG_MAPS, body)
            self.assertEqual(400, status, (body, answer))
            self.assertEqual("Status", answer["kind"])

    def test_a_body_of_4_mb(self):
        status, answer = self.server.request("POST", CONFIG_MAPS, config_map("big", {"k": "x" * (4 << 20)}))
        self.assertEqual(413, status, answer)

    def test_a_body_100000_deep(self):
        for deep in ('{"a":' * 100000 + "1" + "}" * 100000, "[" * 100000 + "]" * 100000, "[" * 100000):
            self.assertEqual(400, self.server.request("POST", CONFIG_MAPS, deep)[0])

    def test_a_body_almost_10000_deep_is_a_body(self):
        deep = '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"deep"},"x":' + "[" * 9000 + "]" * 9000 + "}"
        status, answer = self.server.request("POST", CONFIG_MAPS, deep)
        self.assertEqual(201, status, answer)
        self.assertEqual(200, self.server.request("GET", CONFIG_MAPS + "/deep")[0])

    def test_a_request_line_of_1_mb_is_read_and_a_longer_one_is_431(self):
        head = b"GET /version?" + b"x" * 1000000 + b" HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        self.assertIn(b" 200 ", self.raw(head).split(b"\r\n")[0])
        head = b"GET /version?" + b"x" * 2000000 + b" HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        answer = self.raw(head)
        # Closed while half of it was on its way, the answer may get lost: TCP's rule, the real server's, too.
        self.assertIn(answer[:12], (b"HTTP/1.1 431", b""))

    def status_of(self, text):
        """Of the first answer, as a number, and whether the connection was closed behind it."""
        connection = socket.create_connection((self.server.host, self.server.port), timeout=harness.DEADLINE_S)
        connection.sendall(text.encode("latin-1"))
        connection.shutdown(socket.SHUT_WR)
        answer = read_all(connection)
        connection.close()
        return int(answer.split(b" ")[1]), b"Connection: close" in answer

    def test_paths_as_a_real_apiserver_takes_them(self):
        for path, status in (("//api/v1", 404), ("/api//v1", 404), ("/api/v1//pods", 404), ("/apis//apps", 404), ("/./api", 404),
                             ("/api/v1/namespaces/a/../b/pods", 404), ("/api/v1/namespaces/default//pods", 404),
                             ("/api/v1/pods/", 200), ("/api/v1/namespaces//pods", 200), ("/api%2Fv1", 200), ("/version//", 200),
                             ("/api/v1/namespaces/default/pods/..", 400), ("/api/v1/namespaces/default/pods//status", 400),
                             ("/api/v1/watch", 500), ("/readyz/", 404), ("/readyz/ping", 200), ("/readyz/nope", 404),
                             ("/api/v1/%zz", 400), ("/api/v1/pods?labelSelector=%zz", 200), ("http://b:1/version", 200),
                             ("http://b:x/version", 400), ("api/v1", 400)):
            self.assertEqual(status, self.status_of(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n")[0], path)

    def test_heads_as_net_http_takes_them(self):
        for head, status in (("GET /version HTTP/1.1\nHost: a\n\n", 200), ("GET /version HTTP/1.1\r\nHost: a b\r\n\r\n", 400),
                             ("GET /version HTTP/1.1\r\n\r\n", 400), ("GET /version HTTP/1.0\r\n\r\n", 200),
                             ("GET /version HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400), ("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 200),
                             ("GET /version HTTP/1.1\r\nHost: a\r\nX: 1\r\n 2\r\n\r\n", 200), ("\r\nGET /version HTTP/1.1\r\nHost: a\r\n\r\n", 400),
                             ("GET /version HTTP/1.1\r\nHost: a\r\nX : 1\r\n\r\n", 400), ("GET /version HTTP/1.2\r\nHost: a\r\n\r\n", 200),
                             ("GET /version HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n", 400), ("CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", 404),
                             ("GET /version HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
                             ("GET /version HTTP/3.0\r\nHost: a\r\n\r\n", 505), ("get /version HTTP/1.1\r\nHost: a\r\n\r\n", 405)):
            self.assertEqual(status, self.status_of(head)[0], head)

    def test_chunks_as_net_http_takes_them(self):
        body = '{"metadata":{"generateName":"c-"}}'
        head = f"POST {CONFIG_MAPS} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n"
        size = f"{len(body):x}"
        for rest, status in ((f"\r\n{size}\r\n{body}\r\n0\r\n\r\n", 201), (f"Content-Length: 3\r\n\r\n{size}\r\n{body}\r\n0\r\n\r\n", 201),
                             (f"\r\n{size} \r\n{body}\r\n0\r\nX: y\r\n\r\n", 201), (f"\r\n{size}\n{body}\r\n0\r\n\r\n", 500),
                             (f"\r\n0x{size}\r\n{body}\r\n0\r\n\r\n", 500), ("\r\n1\r\n{}\r\n0\r\n\r\n", 500),
                             (f"\r\n{size}\r\n{body}\r\n0\r\nnonsense\r\n\r\n", 500)):
            self.assertEqual((status, status == 500), self.status_of(head + rest), rest)

    def test_a_list_and_a_watch_over_http_1_0_end_with_the_connection(self):
        self.server.create("a")
        for target, part in ((CONFIG_MAPS, b'"kind":"ConfigMapList"'), (CONFIG_MAPS + "?watch=1&timeoutSeconds=1", b'{"type":"ADDED"')):
            head, _, body = self.raw(f"GET {target} HTTP/1.0\r\n\r\n".encode()).partition(b"\r\n\r\n")
            self.assertTrue(head.startswith(b"HTTP/1.0 200 "), head)
            self.assertNotIn(b"chunked", head)
            self.assertTrue(body.startswith(b"{") and part in body and body.endswith(b"}\n"), body)

    def test_yaml_as_go_yaml_takes_it(self):
        start = b"metadata: {generateName: y-}\n"
        for rest, status in ((b"data: {a: b}\n", 201), (b"data: {a: \xff}\n", 400), (b"# \x1b\n", 400), (b"data:\n\ta: b\n", 400),
                             (b"data: {a: b, a: c}\n", 201), (b"x: &a {b: c}\ndata: {<<: *a}\n", 201), (b"x: .nan\n", 400),
                             (b"data: {? [a] : b}\n", 400), (b"---\nx: [\n", 201), (b"a: &a [*a]\n", 400)):
            request = f"POST {CONFIG_MAPS} HTTP/1.1\r\nHost: a\r\nContent-Type: application/yaml\r\nConnection: close\r\n" \
                      f"Content-Length: {len(start + rest)}\r\n\r\n".encode()
            answer = self.raw(request + start + rest)
            self.assertEqual(status, int(answer.split(b" ")[1]), (rest, answer))

    def test_a_server_whose_caches_are_not_ready_says_so(self):
        self.assertEqual(200, self.status_of("GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n")[0])
        self.server.request("POST", "/relist/v1/restart", json.dumps({"notReady": "10m"}))
        answer = self.raw(b"GET /readyz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        self.assertIn(b" 500 ", answer.split(b"\r\n")[0])
        self.assertIn(b"\n[-]poststarthook/storage-readiness failed: reason withheld\n", answer)

    def test_bytes_that_are_not_http(self):
        for data in (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 500, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                     b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\r\n" * 100 + b"x\r\n\r\n", b"\x00" * 1000 + b"\r\n\r\n",
                     b"POST " + CONFIG_MAPS.encode() + b" HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                     b"POST " + CONFIG_MAPS.encode() + b" HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"):
            connection = socket.create_connection((self.server.host, self.server.port), timeout=harness.DEADLINE_S)
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            answer = read_all(connection)
            self.assertRegex(answer[:12], rb"^(HTTP/1.[01] [45]\d\d?)?", data[:40])
            self.assertNotIn(b" 200 ", answer[:20], data[:40])
            connection.close()


class SlowAndSilent(unittest.TestCase):
    def test_a_client_that_sends_a_byte_at_a_time_holds_up_nobody_and_is_let_go(self):
        with Server("--rate", "60") as server, Watch(server, "cm") as watch:
            watch.until_synced()
            slow = socket.create_connection((server.host, server.port), timeout=harness.DEADLINE_S)
            end = time.monotonic() + harness.DEADLINE_S
            gone = False
            for number, byte in enumerate(b"GET /version HTTP/1.1\r\nX-Slow: " + b"y" * 100000):
                try:
                    slow.sendall(bytes([byte]))
                except (BrokenPipeError, ConnectionResetError):
                    gone = True
                    break
                if number < 20:
                    server.create(f"c{number}")
                    self.assertEqual(f"c{number}", watch.event()["name"])
                self.assertLess(time.monotonic(), end)
                time.sleep(0.02)  # a second of the server's
            self.assertTrue(gone)
            slow.close()

    def test_a_reader_that_stops_reading_holds_up_nobody(self):
        with Server() as server, Watch(server, "cm") as watch:
            watch.until_synced()
            slow = socket.create_connection((server.host, server.port), timeout=harness.DEADLINE_S)
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.sendall(b"GET /api/v1/configmaps?watch=true HTTP/1.1\r\nHost: a\r\n\r\n")
            self.assertTrue(slow.recv(10))
            for number in range(200):  # 20 MB
                server.create(f"c{number}", {"k": "x" * 100000})
                self.assertEqual(f"c{number}", watch.event()["name"])
            slow.close()

    def test_a_line_that_is_no_event_is_told(self):
        for text, why in (('{"type":"MODIFIED","object":null}', "JSON: not an object"), ('{"type":"GONE","object":{}}', "GONE"),
                          ("<html>", "it begins with '<'")):
            script = temporary_file(json.dumps({"name": "odd", "legal": False, "faults": [
                {"on": "streaming-list", "line": "added", "fault": "insert", "text": text}]}), ".yaml")
            with self.subTest(text), Server("--scenario", script) as server, Watch(server, "cm") as watch:
                watch.until_synced()
                server.create("after")
                self.assertEqual("after", watch.event()["name"])
                watch.leave()
                self.assertIn(why, watch.stderr())

    def test_5000_connections_that_say_nothing(self):
        raise_file_limit(16384)
        with Server() as server, Watch(server, "cm") as watch:
            watch.until_synced()
            silent = []
            self.addCleanup(lambda: [c.close() for c in silent])
            for _ in range(5000):
                silent.append(socket.create_connection((server.host, server.port), timeout=harness.DEADLINE_S))
            for number in range(50):
                server.create(f"c{number}")
            self.assertEqual([f"c{n}" for n in range(50)], [watch.event()["name"] for _ in range(50)])
            self.assertEqual(50, len(server.request("GET", CONFIG_MAPS)[1]["items"]))


if __name__ == "__main__":
    harness.main()
