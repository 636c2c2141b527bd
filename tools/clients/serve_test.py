#!/usr/bin/env python3
"""relist serve and relist watch as a stranger meets them: their first line, their files, their exit statuses."""

import http.server
import json
import os
import pathlib
import re
import signal
import socket
import tempfile
import threading
import time
import unittest

import harness
from harness import RELIST, Process, Server, Watch, temporary_file

LIST_YAML = """\
apiVersion: v1
items:
- apiVersion: v1
  data:
    colour: red
  kind: ConfigMap
  metadata:
    creationTimestamp: "2025-11-03T10:00:00Z"
    labels:
      app: web
    name: first
    namespace: default
    resourceVersion: "4711"
    uid: 11111111-2222-3333-4444-555555555555
- apiVersion: v1
  kind: ConfigMap
  metadata:
    creationTimestamp: "2025-11-03T10:00:01Z"
    name: second
    namespace: elsewhere
    resourceVersion: "4712"
    uid: 11111111-2222-3333-4444-666666666666
kind: List
metadata:
  resourceVersion: ""
"""


class ServeTest(unittest.TestCase):
    def test_the_first_line_comes_when_it_can_be_reached(self):
        with Server() as server:
            self.assertEqual(200, server.request("GET", "/version")[0])
            self.assertEqual("127.0.0.1", server.host)

    def test_the_kubeconfig_lies_in_the_temporary_folder_named_after_the_port(self):
        with Server() as server:
            path = pathlib.Path(server.kubeconfig)
            self.assertEqual(server.folder, str(path.parent))
            self.assertIn(str(server.port), path.name)
            self.assertIn(f"http://127.0.0.1:{server.port}", path.read_text())

    def test_the_kubeconfig_can_be_put_elsewhere_and_is_for_its_owner_only(self):
        target = os.path.join(tempfile.mkdtemp(), "config")
        with Server("--token", "secret", "--kubeconfig", target) as server:
            self.assertEqual(target, server.kubeconfig)
            self.assertEqual("https", server.scheme)
            self.assertIn("secret", pathlib.Path(target).read_text())
            self.assertEqual(0o600, os.stat(target).st_mode & 0o777)

    def test_over_tls_the_kubeconfig_has_a_token_though_none_is_asked_for(self):
        with Server("--tls") as server:
            user = json.loads(pathlib.Path(server.kubeconfig).read_text())["users"][0]["user"]
            for headers in ({}, {"Authorization": "Bearer " + user["token"]}):
                self.assertEqual(200, server.request("GET", "/api/v1/configmaps", headers=headers)[0])
            with Watch(server, "cm") as watch:
                watch.until_synced()
                self.assertEqual(0, watch.leave())

    def test_over_tls_it_chooses_the_cheapest_cipher_as_the_real_one_does(self):
        with Server("--tls") as server:
            connection = server.connect()
            connection.connect()
            self.assertEqual("TLS_AES_128_GCM_SHA256", connection.sock.cipher()[0])  # OpenSSL's clients like 256 best
            connection.close()

    def test_its_own_kubeconfig_goes_with_it_and_a_named_one_stays(self):
        named = os.path.join(tempfile.mkdtemp(), "config")
        for number in (signal.SIGTERM, signal.SIGHUP):
            with Server() as server, Server("--kubeconfig", named) as other:
                self.assertTrue(os.path.exists(server.kubeconfig))
                self.assertEqual((0, 0), (server.stop(number), other.stop(number)))
                self.assertFalse(os.path.exists(server.kubeconfig))
                self.assertTrue(os.path.exists(named))

    def test_sigterm_sigint_and_sighup_end_it_with_0_and_its_watches_with_a_last_chunk(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with Server() as server:
                connection = server.connect()
                connection.request("GET", "/api/v1/configmaps?watch=true")
                answer = connection.getresponse()
                server.signal(number)
                answer.read()  # IncompleteRead unless the last chunk came
                self.assertEqual(0, server.wait())
                with self.assertRaises(OSError):
                    socket.create_connection((server.host, server.port))

    def test_before_it_serves_a_signal_ends_it_as_any_program(self):
        pipe = os.path.join(tempfile.mkdtemp(), "objects")
        os.mkfifo(pipe)
        with Process([RELIST, "serve", "--objects", pipe]) as server:
            end, writer = time.monotonic() + harness.DEADLINE_S, None
            while writer is None:
                self.assertLess(time.monotonic(), end)
                try:
                    writer = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
                except OSError:  # it does not read yet
                    time.sleep(0.01)
            server.signal(signal.SIGTERM)
            self.assertEqual(-signal.SIGTERM, server.wait())
            os.close(writer)

    def test_started_by_nohup_it_survives_a_sighup(self):
        with Process(["nohup", RELIST, "serve"], env={"TMPDIR": tempfile.mkdtemp()}) as server:
            address = re.search(r"127\.0\.0\.1:(\d+)", server.line())
            server.signal(signal.SIGHUP)
            time.sleep(0.3)  # it has nothing to say of it
            socket.create_connection(("127.0.0.1", int(address[1]))).close()
            server.signal(signal.SIGTERM)
            self.assertEqual(0, server.wait())

    def test_with_a_grace_watches_go_on_and_new_connections_do_not(self):
        with Server("--shutdown-grace", "2s") as server:
            connection = server.connect()
            connection.request("GET", "/api/v1/configmaps?watch=true&allowWatchBookmarks=true&sendInitialEvents=true"
                                      "&resourceVersionMatch=NotOlderThan")
            answer = connection.getresponse()
            self.assertIn(b"BOOKMARK", answer.readline())
            server.signal(signal.SIGTERM)
            self.assertEqual(b"", answer.read())
            self.assertEqual(0, server.wait())

    def test_a_token_is_asked_for_and_relist_watch_sends_the_kubeconfigs(self):
        with Server("--token", "secret") as server:
            for wrong in ("", "Bearer", "Bearer public", "secret"):
                self.assertEqual(401, server.request("GET", "/api/v1/configmaps", headers={"Authorization": wrong})[0])
                self.assertEqual(401, server.request("POST", "/relist/v1/evict", {}, {"Authorization": wrong})[0])
            self.assertEqual(200, server.request("GET", "/api/v1/configmaps")[0])
            with Watch(server, "configmaps") as watch:
                self.assertEqual(["synced"], [e["type"] for e in watch.until_synced()])
                self.assertEqual(0, watch.leave())

    def test_the_history_is_written_and_can_be_asked_for(self):
        path = os.path.join(tempfile.mkdtemp(), "history")
        with Server("--history", path) as server:
            server.create("a")
            status, text = server.request("GET", "/relist/v1/history")
            self.assertEqual(200, status)
            self.assertIn('"commit"', text)
            server.stop()
        lines = [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]
        self.assertIn("commit", [line["what"] for line in lines])


class ObjectsTest(unittest.TestCase):
    def test_a_list_as_kubectl_prints_it_is_served_and_watched(self):
        as_json = json.dumps({"kind": "List", "apiVersion": "v1", "items": [
            {"kind": "Secret", "apiVersion": "v1", "metadata": {"name": "s", "namespace": "default"}}]})
        with Server("--objects", temporary_file(LIST_YAML, ".yaml"), "--objects", temporary_file(as_json, ".json")) as server:
            body = server.request("GET", "/api/v1/configmaps")[1]
            first = body["items"][0]["metadata"]
            self.assertEqual(("first", {"app": "web"}, "11111111-2222-3333-4444-555555555555", "2025-11-03T10:00:00Z"),
                             (first["name"], first["labels"], first["uid"], first["creationTimestamp"]))
            self.assertNotEqual("4711", first["resourceVersion"])
            self.assertEqual(200, server.request("GET", "/api/v1/namespaces/elsewhere")[0])
            self.assertEqual(1, len(server.request("GET", "/api/v1/secrets")[1]["items"]))
            with Watch(server, "configmaps", "-A") as watch:
                events = watch.until_synced()
                self.assertEqual(["first", "second"], [e["name"] for e in events[:-1]])
                self.assertEqual(first["uid"], events[0]["uid"])
                watch.write("dump\n")
                store = json.loads(watch.line_that('"store"'))
                self.assertEqual(["first", "second"], [i["name"] for i in store["items"]])
                self.assertEqual(0, watch.leave())

    def test_an_unknown_kind_or_a_broken_item_is_an_error_with_its_index(self):
        broken = LIST_YAML.replace("kind: ConfigMap\n  metadata:\n    creationTimestamp: \"2025-11-03T10:00:01Z\"",
                                   "kind: Widget\n  metadata:\n    creationTimestamp: \"2025-11-03T10:00:01Z\"")
        for text, word in ((broken, "Widget"), (LIST_YAML.replace("    name: second\n", ""), "name")):
            status, out, err = harness.run([RELIST, "serve", "--objects", temporary_file(text, ".yaml")])
            self.assertEqual((1, ""), (status, out))
            self.assertIn("items[1]", err)
            self.assertIn(word, err)
            self.assertEqual(1, err.count("\n"), err)

    def test_fields_that_the_server_does_not_know_are_dropped_and_told(self):
        objects = [{"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": f"c{n}", "colour\n": 1}, "wheels": 4}
                   for n in range(12)]
        path = temporary_file(json.dumps({"kind": "List", "apiVersion": "v1", "items": objects}), ".json")
        many = {"kind": "Secret", "apiVersion": "v1", "metadata": {"name": "s"}, **{f"x{n:02}": 1 for n in range(30)}}
        with Server("--objects", path, "--objects", temporary_file(json.dumps(many), ".json")) as server:
            self.assertEqual({"name", "namespace", "uid", "resourceVersion", "creationTimestamp"},
                             set(server.request("GET", "/api/v1/configmaps")[1]["items"][0]["metadata"]))
            self.assertEqual(0, server.stop())
            told = server.stderr().splitlines()
            self.assertEqual([f'relist: {path}: field "metadata.colour\\n" of 12 configmaps is not known to this server: dropped',
                              f'relist: {path}: field "wheels" of 12 configmaps is not known to this server: dropped'], told[:2])
            self.assertIn('field "x19" of 1 secrets is not known', told[21])
            self.assertIn("and 10 more fields", told[22])
            self.assertEqual(23, len(told))


class WatchTest(unittest.TestCase):
    def test_every_change_is_a_line_and_the_end_of_input_is_the_end(self):
        with Server() as server, Watch(server, "cm") as watch:
            watch.until_synced()
            made = server.create("a")
            added = watch.event()
            self.assertEqual(("added", "default", "a", made["metadata"]["uid"]),
                             (added["type"], added["namespace"], added["name"], added["uid"]))
            server.request("PATCH", "/api/v1/namespaces/default/configmaps/a", {"data": {"x": "y"}},
                           {"Content-Type": "application/merge-patch+json"})
            modified = watch.event()
            self.assertEqual("modified", modified["type"])
            self.assertEqual(made["metadata"]["resourceVersion"], modified["old"]["resourceVersion"])
            server.request("DELETE", "/api/v1/namespaces/default/configmaps/a")
            deleted = watch.event()
            self.assertEqual(("deleted", None), (deleted["type"], deleted.get("tombstone")))
            self.assertEqual(0, watch.leave())

    def test_signals_end_it_with_0(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with Server() as server, Watch(server, "cm") as watch:
                watch.until_synced()
                watch.signal(number)
                self.assertEqual(0, watch.wait())

    def test_a_namespace_and_a_selector_narrow_it(self):
        with Server("--objects", temporary_file(LIST_YAML, ".yaml")) as server:
            for words, names in ((["cm"], ["first"]), (["cm", "-A"], ["first", "second"]), (["cm", "elsewhere"], ["second"]),
                                 (["cm", "-A", "-l", "app=web"], ["first"]), (["cm", "-A", "-l", "app!=web"], ["second"])):
                with Watch(server, *words) as watch:
                    self.assertEqual(names, [e["name"] for e in watch.until_synced()[:-1]], words)

    def test_it_recovers_when_the_server_is_killed_and_another_takes_its_place(self):
        with Server() as server:
            server.create("a")
            watch = Watch(server, "cm")
            self.addCleanup(watch.end)
            self.assertEqual(["added", "synced"], [e["type"] for e in watch.until_synced()])
            server.stop(signal.SIGKILL)
            with Server("--port", str(server.port)) as again:
                again.create("b")
                seen = {}
                while set(seen) != {"a", "b"}:
                    event = watch.event()
                    if event["type"] in ("added", "deleted"):
                        seen[event["name"]] = event
                self.assertEqual(("deleted", True), (seen["a"]["type"], seen["a"].get("tombstone")))
                self.assertEqual("added", seen["b"]["type"])

    def test_another_life_of_the_server_is_never_taken_for_the_one_before(self):
        with Server() as server:
            watch = Watch(server, "cm")
            self.addCleanup(watch.end)
            watch.until_synced()
            for name in "abc":
                server.create(name)
                watch.event()
            server.stop(signal.SIGKILL)
            # As many revisions as before, and more, before the watch is back.
            with Server("--port", str(server.port), "--objects", temporary_file(LIST_YAML, ".yaml")) as again:
                for name in "cdef":
                    again.create(name)
                store = None
                while store != ["c", "d", "e", "f", "first"]:
                    watch.event()
                    watch.write("dump\n")
                    store = sorted(i["name"] for i in json.loads(watch.line_that('"store"'))["items"])


def kubeconfig_for(url):
    return temporary_file(json.dumps({
        "current-context": "c", "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
        "clusters": [{"name": "c", "cluster": {"server": url}}], "users": [{"name": "u", "user": {}}]}), ".yaml")


class ServedScenarioTest(unittest.TestCase):
    def test_times_count_from_the_first_list_or_watch(self):
        script = temporary_file("name: x\nrate: 1\nsteps: [{at: 1s, do: write, object: default/late}]\n", ".yaml")
        with Server("--scenario", script) as server:
            time.sleep(1.5)
            with Watch(server, "cm") as watch:
                self.assertEqual(["synced"], [e["type"] for e in watch.until_synced()])
                self.assertEqual("late", watch.event()["name"])
                self.assertEqual(0, watch.leave())
            self.assertEqual(0, server.stop())

    def test_versions_and_requests_are_those_of_a_run_for_who_lists(self):
        script = temporary_file("name: x\nobjects: [{object: default/a}]\nfaults: [{fault: close, on: watch, version: \"6\", nth: 1}]\n", ".yaml")
        with Server("--scenario", script) as server:
            with Watch(server, "cm", "--plain-list") as watch:
                self.assertEqual(["6"], [e["resourceVersion"] for e in watch.until_synced() if e["type"] == "added"])
                server.create("b")
                watch.line_that('"b"')
                self.assertEqual(0, watch.leave())
            self.assertEqual(0, server.stop(), server.stderr())

    def test_what_never_happened_or_failed_is_told_at_the_end_with_1(self):
        script = temporary_file("name: x\nfaults:\n- {fault: cut, on: watch, nth: 7}\n", ".yaml")
        with Server("--scenario", script) as server:
            with Watch(server, "cm") as watch:
                watch.until_synced()
                self.assertEqual(0, watch.leave())
            self.assertEqual(1, server.stop())
            self.assertEqual(f"relist: {script}:3:3: this fault (cut) never struck: there was no watch (there was 1 streaming-list, which "
                             "\"on: watch\" does not mean), and it waits for the 7th\n", server.stderr())
        script = temporary_file("name: x\nsteps: [{at: 0s, do: write, object: default/a, data: {\"a b\": x}}]\n", ".yaml")
        with Server("--scenario", script) as server:
            with Watch(server, "cm") as watch:
                watch.until_synced()
                time.sleep(0.3)
                self.assertEqual(0, watch.leave())
            self.assertEqual(1, server.stop())
            self.assertIn(":2:9: this step (write) failed: ", server.stderr())

    def test_a_client_of_the_script_is_whoever_has_its_name_as_user_agent(self):
        script = temporary_file("name: x\nclients: [{name: web}]\nfaults:\n- {fault: status, on: list, client: web, code: 500}\n", ".yaml")
        with Server("--scenario", script) as server:
            for agent, status in (("Web", 200), ("web/1.0", 200), (None, 200), ("web", 500), ("web", 200)):
                headers = {"User-Agent": agent} if agent else {}
                self.assertEqual(status, server.request("GET", "/api/v1/configmaps", headers=headers)[0], agent)
            self.assertEqual(0, server.stop())
        with Server("--scenario", script) as server:
            self.assertEqual(200, server.request("GET", "/api/v1/configmaps")[0])
            self.assertEqual(1, server.stop())
            self.assertIn('there was no list by a client whose User-Agent is "web"', server.stderr())

    def test_expectations_are_said_to_be_not_judged_here(self):
        for expect in ("{client: {store: []}}", "{verdicts: [C8]}"):
            script = temporary_file(f"name: x\nexpect: {expect}\n", ".yaml")
            with Server("--scenario", script) as server:
                self.assertEqual(0, server.stop())
                self.assertEqual(f"relist: {script}: `expect:` is judged by `relist run`, not by `relist serve`\n", server.stderr())

    def test_a_bookmark_that_reached_nobody_is_told_at_the_end_with_1(self):
        script = temporary_file("name: x\nsteps: [{when: {on: any}, do: bookmark}]\n", ".yaml")
        with Server("--scenario", script) as server:
            with Watch(server, "cm") as watch:
                watch.until_synced()
                self.assertEqual(0, watch.leave())
            self.assertEqual(1, server.stop())
            self.assertEqual(f"relist: {script}:2:9: this step (bookmark) reached nobody: no watch that asks for bookmarks was open\n",
                             server.stderr())

    def test_what_cannot_be_served_as_written_is_refused_at_the_start(self):
        for text, part in (("name: x\nobjects: [{object: default/a, data: {\"a b\": x}}]\n", ":2:11: this object could not be written: "),
                           ("{name: x, worlds: [sim], why_sim: it waits}\n", "for the simulation only: it waits")):
            status, out, err = harness.run([RELIST, "serve", "--scenario", temporary_file(text, ".yaml")])
            self.assertEqual((1, ""), (status, out))
            self.assertIn(part, err)


class WatchTroubleTest(unittest.TestCase):
    def test_a_server_that_is_away_is_one_line_and_once_more_after_it_was_there(self):
        with Server() as server:
            watch = Watch(server, "cm")
            self.addCleanup(watch.end)
            watch.until_synced()
            server.stop(signal.SIGKILL)
            error = watch.event()
            self.assertEqual(("error", False), (error["type"], error["terminal"]))
            self.assertIn("refused", error["message"])
            time.sleep(3)  # several attempts
            with Server("--port", str(server.port)) as again:
                again.create("b")
                self.assertEqual(["added"], [e["type"] for e in [watch.event()]])
                again.stop(signal.SIGKILL)
            self.assertIn("refused", watch.event()["message"])

    def test_a_server_that_is_too_busy_is_told_of_and_why_it_waits(self):
        with Server("--not-ready", "1h") as server, Watch(server, "cm") as watch:
            error = watch.event(5)
            self.assertEqual(("error", False), (error["type"], error["terminal"]))
            self.assertEqual("the server answers 429 (too many requests), trying again in 1s", error["message"])
            time.sleep(7)  # "no answer" would be a lie
            self.assertEqual(200, server.request("POST", "/relist/v1/restart")[0])
            self.assertEqual(["synced"], [e["type"] for e in watch.until_synced()])
            self.assertEqual(0, watch.leave())

    def test_it_does_not_go_round_without_a_pause(self):
        with Server() as server:
            expired = {"fault": "status", "on": "streaming-list", "nth": "every", "code": 410}
            self.assertEqual(200, server.request("POST", "/relist/v1/inject", {"faults": [expired]})[0])
            with Watch(server, "cm"):
                time.sleep(3)
                history = server.request("GET", "/relist/v1/history")[1]
            asked = [line for line in history.splitlines() if '"what":"request"' in line and "configmaps" in line]
            self.assertLess(1, len(asked))
            self.assertGreater(10, len(asked), "client-go would ask some thousand times")

    def test_nobody_there_from_the_start_is_a_line_at_once(self):
        with socket.create_server(("127.0.0.1", 0)) as closed:
            port = closed.getsockname()[1]
        with Process([RELIST, "watch", "cm", "--kubeconfig", kubeconfig_for(f"http://127.0.0.1:{port}")]) as watch:
            error = json.loads(watch.line())
            self.assertEqual(("error", False), (error["type"], error["terminal"]))
            watch.close_input()
            self.assertEqual(0, watch.wait())

    def test_a_server_that_says_nothing_is_told_of(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            url = f"http://127.0.0.1:{silent.getsockname()[1]}"
            with Process([RELIST, "watch", "cm", "--kubeconfig", kubeconfig_for(url)]) as watch:
                error = json.loads(watch.line(25))  # not only when the first attempt is given up
                self.assertEqual(("error", False), (error["type"], error["terminal"]))
                self.assertIn("no answer", error["message"])
                watch.close_input()
                self.assertEqual(0, watch.wait())

    def test_a_refusal_of_the_server_is_the_end(self):
        class Refuse(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = json.dumps({"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 400,
                                   "reason": "BadRequest", "message": "not like this"}).encode()
                self.send_response(400)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Refuse)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        with Process([RELIST, "watch", "cm", "--kubeconfig", kubeconfig_for(f"http://127.0.0.1:{server.server_port}")]) as watch:
            self.assertEqual(1, watch.wait())
            errors = [json.loads(line) for line in watch.rest() if line]
            self.assertEqual([True], [e["terminal"] for e in errors if e["terminal"]])
            self.assertEqual("relist: the server refuses this watch: not like this\n", watch.stderr())

    def test_a_400_in_the_middle_is_told_and_tried_again(self):
        script = temporary_file("name: x\nclients: [{name: c, resource: configmaps}]\nfaults:\n"
                                "- {fault: close, on: streaming-list, nth: 1, events: 1}\n"
                                "- {fault: status, code: 400, on: watch, nth: 1}\n", ".yaml")
        with Server("--scenario", script) as server, Watch(server, "cm") as watch:
            events = watch.until_synced()
            time.sleep(1.2)  # a watch that ends sooner, with nothing in it, is followed by a list
            server.create("closes-the-stream")
            while events[-1].get("name") != "closes-the-stream":
                events.append(watch.event())
            errors = [e for e in events if e["type"] == "error"]
            self.assertEqual([(False, "a scenario said so")], [(e["terminal"], e["message"]) for e in errors])
            self.assertEqual(0, watch.leave())

    def test_words_on_standard_input_that_it_does_not_know_are_answered_on_standard_error(self):
        with Server() as server, Watch(server, "cm") as watch:
            watch.until_synced()
            watch.write("dumb\n\ndump\ndump")
            watch.line_that('"store"')
            watch.close_input()
            watch.line_that('"store"')
            self.assertEqual(0, watch.wait())
            self.assertEqual("relist: `dumb` is no request: there is `dump`\n", watch.stderr())

    def test_kinds_and_singulars_name_a_resource_as_with_kubectl(self):
        with Server("--objects", temporary_file(LIST_YAML, ".yaml")) as server:
            for word in ("ConfigMap", "configmap", "CM", "configmaps.v1.", "ConfigMaps"):
                with Watch(server, word) as watch:
                    self.assertEqual("first", watch.until_synced()[0]["name"], word)
            for word in ("Deployment", "deployment.apps", "Deployments.v1.apps", "nodes", "Node"):
                with Watch(server, word) as watch:
                    self.assertEqual(["synced"], [e["type"] for e in watch.until_synced()], word)


class HungServerTest(unittest.TestCase):
    def test_it_leaves_at_once_from_a_handshake_that_hangs(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            port = silent.getsockname()[1]
            for scheme in ("https", "http"):
                path = kubeconfig_for(f"{scheme}://127.0.0.1:{port}")
                for leave in (lambda w: w.close_input(), lambda w: w.signal(signal.SIGTERM)):
                    with Process([RELIST, "watch", "cm", "--kubeconfig", path]) as watch:
                        connection, _ = silent.accept()
                        self.assertTrue(connection.recv(1))  # it has spoken, and waits
                        start = time.monotonic()
                        leave(watch)
                        self.assertEqual(0, watch.wait())
                        self.assertLess(time.monotonic() - start, 5)
                        connection.close()


if __name__ == "__main__":
    harness.main()
