#!/usr/bin/env python3
"""The comparison itself, without a real server: one relist beside another is the same, and a planted difference is found."""

import http.client
import http.server
import re
import sys
import threading
import unittest

import real_server

sys.path.insert(0, str(real_server.HERE.parent / "clients"))
import answers  # noqa: E402
import harness  # noqa: E402
import sequences  # noqa: E402
import wire  # noqa: E402

COMPARE = real_server.HERE / "compare"


def world(*versions, base=1):
    made = answers.World()
    made.base = base
    for version in versions:
        made.add_event(version)
    return made


class AnswersTest(unittest.TestCase):
    def same(self, one, other):
        self.assertEqual([], answers.differences(one, other))

    def differ(self, one, other, *parts):
        lines = answers.differences(one, other)
        self.assertEqual(len(parts), len(lines), lines)
        for part, line in zip(parts, lines):
            self.assertIn(part, line)

    def test_versions_are_the_events_they_stand_for(self):
        one, other = world(10, 20, 30), world(7, 8, 9)
        config_map = lambda version: {"kind": "ConfigMap", "metadata": {"name": "a", "resourceVersion": version, "uid": version}}
        self.same(one.alike(config_map("20")), other.alike(config_map("8")))
        self.differ(one.alike(config_map("20")), other.alike(config_map("9")), '"w1", relist "w2"')
        self.differ(one.alike(config_map("20")), other.alike(config_map("6")), '"w1", relist "unknown before w0"')

    def test_a_collection_is_after_an_event(self):
        one, other = world(10, 20, 30), world(7, 8, 9)
        listed = lambda version: {"kind": "ConfigMapList", "metadata": {"resourceVersion": version}, "items": []}
        self.same(one.alike(listed("29")), other.alike(listed("8")))
        self.differ(one.alike(listed("30")), other.alike(listed("8")), '"after w2", relist "after w1"')

    def test_tokens_are_compared_by_what_they_say(self):
        one, other = world(10, 20), world(7, 8)
        listed = lambda version, start: {"kind": "ConfigMapList", "items": [], "metadata": {
            "continue": sequences.token(rv=version, start=start)}}
        self.same(one.alike(listed(15, "/a\0")), other.alike(listed(7, "a\0")))
        self.differ(one.alike(listed(20, "a\0")), other.alike(listed(7, "b\0")), "rv", "start")

    def test_versions_in_a_message_have_names(self):
        one, other = world(1010, 1020, base=1000), world(2007, 2008, base=2000)
        self.assertEqual(f"{1020 + answers.FAR}", one.fill("{future}"))
        self.assertEqual(f"{2008 + answers.FAR}", other.fill("{future}"))
        text = "Too large resource version: {}, current: {}, 7 s"
        said = [one.in_text(text.format(one.future, 1025)), other.in_text(text.format(other.future, 2008))]
        self.assertEqual(["Too large resource version: future, current: after w1, 7 s"] * 2, said)

    def test_a_missing_and_an_added_field_and_an_order_differ(self):
        self.differ({"a": 1}, {"b": 1}, "a: real 1, relist has none", "b: real has none, relist 1")
        self.differ({"x": {"a": 1, "b": 2}}, {"x": {"b": 2, "a": 1}}, "another order")
        self.differ({"x": [1]}, {"x": [1, 2]}, "x: real [1], relist [1, 2]")

    def test_yaml_is_compared_without_what_differs_and_unfolded(self):
        text = """kind: ConfigMapList
columnDefinitions:
- description: 'A: text

    of two'
  name: Name
items:
- metadata:
    managedFields:
    - x: y
    name: a
    resourceVersion: "{0}"
    uid: {0}
message: 'said: so
  value: "Foo" long'
metadata:
  resourceVersion: "{1}"
"""
        want = ["kind: ConfigMapList", "columnDefinitions:", "- ...:", "  name: Name", "items:", "- metadata:", "    name: a",
                "    resourceVersion: w1", "    uid: ...", "message: 'said: so value: \"Foo\" long'", "metadata:",
                "  resourceVersion: after w1"]
        self.assertEqual(want, world(10, 20).yaml(text.format(20, 25)))
        self.assertEqual(want, world(7, 8).yaml(text.format(8, 8)))

    def test_requests_have_each_servers_values(self):
        one = world(10, 20)
        one.tokens[3] = "abc"
        step = sequences.Step("read", "GET", "/x", [("resourceVersion", "{rv:1:-1}"), ("continue", "{token:3}"), ("q", "a=b c"),
                                                    ("raw", "%FF")])
        self.assertEqual("/x?resourceVersion=19&continue=abc&q=a%3Db%20c&raw=%FF", step.target(one.fill))

    def test_gzip_members_are_read_one_after_another(self):
        import gzip
        self.assertEqual(b"ab", wire.unzipped(gzip.compress(b"a") + gzip.compress(b"b")))
        self.assertRaises(ValueError, wire.unzipped, gzip.compress(b"a")[:-9])

    def test_one_seed_is_one_sequence(self):
        def drawn(seed):
            sequence = sequences.Sequence(seed, 1, 40)
            sequence.events = 5
            return [str(step).replace(sequence.name, "") for step in sequence.steps()]
        self.assertEqual(drawn(1), drawn(1))
        self.assertNotEqual(drawn(1), drawn(2))


class Proxy(http.server.BaseHTTPRequestHandler):
    """Passes everything on, and counts one item too many."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length) if length else None
        connection = self.server.behind.connect()
        headers = {name: value for name, value in self.headers.items() if name not in ("Host", "Content-Length")}
        connection.request(self.command, self.path, body, headers)
        answer = connection.getresponse()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("content-length", "connection"):
                self.send_header(name, value)
        if answer.getheader("Transfer-Encoding") == "chunked":
            self.end_headers()
            try:
                while data := answer.read1(1 << 16):
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
                self.wfile.write(b"0\r\n\r\n")
            except (OSError, http.client.HTTPException):
                self.close_connection = True  # who watched has left, or the server has
        else:
            data = re.sub(rb'"remainingItemCount":(\d+)', lambda m: b'"remainingItemCount":%d' % (int(m[1]) + 1), answer.read())
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
        connection.close()

    do_POST = do_PUT = do_PATCH = do_DELETE = do_GET

    def log_message(self, *_):
        pass


class CompareTest(unittest.TestCase):
    def setUp(self):
        self.first = harness.Server("--token", "secret", "--controllers", "none")
        self.addCleanup(self.first.end)

    def compare(self, kubeconfig, *words):
        return harness.run([sys.executable, "-B", COMPARE, "--relist", harness.RELIST, "--real-kubeconfig", kubeconfig,
                            "--steps", "60", *words], deadline_s=120)

    def test_a_server_is_like_itself(self):
        status, out, err = self.compare(self.first.kubeconfig, "--chapters", "crud,expired", "--sequences", "6")
        self.assertEqual(0, status, out + err)
        self.assertIn("chapter crud: real 41 passed, 0 failed, relist 41 passed, 0 failed", out)
        self.assertIn("chapter expired: not sent", out)
        self.assertRegex(out, r"0 chapters and 0 sequences differ; 39\d random steps, seed 1")

    def test_a_planted_difference_is_found(self):
        proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
        proxy.behind = wire.Server("behind", f"https://127.0.0.1:{self.first.port}", "secret")
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        self.addCleanup(proxy.server_close)
        self.addCleanup(proxy.shutdown)
        kubeconfig = harness.temporary_file(f"server: http://127.0.0.1:{proxy.server_port}\ntoken: secret\n", ".yaml")
        status, out, err = self.compare(kubeconfig, "--chapters", "none", "--sequences", "6")
        self.assertEqual(2, status, out + err)
        self.assertRegex(out, r"body.metadata.remainingItemCount: real \d, relist \d")
        others = [line for line in out.split("\n") if ": real " in line and "remainingItemCount" not in line]
        self.assertEqual([], others)

    def test_wrong_words_are_refused(self):
        self.assertEqual(1, self.compare(self.first.kubeconfig, "--chapters", "nothing")[0])
        status, out, err = self.compare("/no/such/file")
        self.assertEqual(1, status, out + err)


if __name__ == "__main__":
    harness.main()
