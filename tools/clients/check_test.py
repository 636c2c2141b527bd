#!/usr/bin/env python3
"""relist check: real runs are good by it, what is spoilt in their logs is named, and other files are refused in one line."""

import json
import os
import pathlib
import re
import tempfile
import unittest
import xml.etree.ElementTree

import harness
from harness import RELIST, ROOT, Process, Server, Watch, foreign, temporary_file

HERE = pathlib.Path(__file__).resolve().parent
CASES = ROOT / "scenarios/cases"

CUT = """\
name: streams are cut, once in the middle of an event, and once one expires
faults:
- {fault: cut, on: streaming-list, nth: 1, events: 3, bytes: 40}
- {fault: reset, on: watch, nth: 1, events: 1}
steps:
- {when: {on: watch, nth: 2}, do: evict}
"""

CUT_LISTS = """\
name: the same for who lists
faults:
- {fault: cut, on: watch, nth: 1, events: 2, bytes: 40}
- {fault: reset, on: watch, nth: 2, events: 1}
"""


def check(*words, status=0):
    code, out, err = harness.run([RELIST, "check", *words])
    assert status is None or code == status, (words, code, out, err)
    return out + err


def change(server, seen):
    """Writes of each kind, each seen before the next is made."""
    for number in range(3):
        server.create(f"c{number}", {"n": str(number)})
        seen(f"c{number}")
    for number in range(3):
        server.request("PATCH", "/api/v1/namespaces/default/configmaps/c1", {"data": {"n": f"p{number}"}},
                       {"Content-Type": "application/merge-patch+json"})
        seen("c1")
    server.request("DELETE", "/api/v1/namespaces/default/configmaps/c0")
    seen("c0")
    server.create("c0", {"n": "again"})
    seen("c0")
    server.create("last")
    seen("last")


class Recording:
    """A server's history and a client's log, as files."""

    def __init__(self, test, client_of, scenario=None):
        folder = tempfile.mkdtemp(prefix="relist-check-")
        self.history, self.log = os.path.join(folder, "history"), os.path.join(folder, "log")
        options = ("--scenario", temporary_file(scenario, ".yaml")) if scenario else ()
        with Server("--history", self.history, *options) as server:
            server.create("before")
            with client_of(server) as client:
                client.line_that('"synced"')
                change(server, lambda name: client.line_that(lambda line: f'"{name}"' in line))
                self.finish(client)
                test.assertEqual(0, client.wait())
                self.lines = client.seen
            test.assertEqual(0, server.stop())
        pathlib.Path(self.log).write_text("\n".join(self.lines) + "\n")

    def finish(self, client):
        client.close_input()
        client.rest()

    def spoilt(self, change_of):
        """The log's path after `change_of(lines)`, lines as values."""
        lines = [json.loads(line) for line in self.lines]
        change_of(lines)
        return temporary_file("".join(json.dumps(line) + "\n" for line in lines), ".log")


class WatchRecording(Recording):
    def finish(self, client):
        client.write("dump\n")
        client.line_that('"store"')
        super().finish(client)


def places(lines, word, name=None):
    return [i for i, line in enumerate(lines) if line["type"] == word and name in (None, line.get("name"))]


class CheckTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.run_ = WatchRecording(cls("test_a_real_run_is_good"), lambda server: Watch(server, "configmaps"))
        cls.broken = WatchRecording(cls("test_a_real_run_is_good"), lambda server: Watch(server, "configmaps"), CUT)

    def judged(self, log, status=0, history=None):
        return check("--server", history or self.run_.history, "--client", log, status=status)

    def test_a_real_run_is_good(self):
        self.assertTrue(self.judged(self.run_.log).splitlines()[-1].endswith("of 1 client: good"))

    def test_a_run_under_faults_is_good(self):
        out = self.judged(self.broken.log, history=self.broken.history)
        self.assertTrue(out.splitlines()[-1].endswith(": good"), out)
        self.assertIn('"what":"fault"', pathlib.Path(self.broken.history).read_text())

    def test_what_was_not_judged_is_told(self):
        out = self.judged(self.run_.log)
        self.assertIn("not judged: C13, C14: they compare two runs (--same-as)\n", out)
        self.assertIn("not judged: C20: no log has a `waited`\n", out)
        self.assertNotIn("C1 of stores", out)

    def test_a_callback_that_lacks_is_found_by_two_properties(self):
        for run in (self.run_, self.broken):
            out = self.judged(run.spoilt(lambda lines: lines.pop(places(lines, "modified", "c1")[1])), 2, run.history)
            # Which of them depends on whether another key's event came before its next one.
            self.assertRegex(out, r"(?m)^(C2: at each event a handler has been shown what was there then, but at \d+ "
                                  r"|C6: an update's old object is the last one shown, but )")
            self.assertTrue(out.splitlines()[-1].endswith("SAFETY BROKEN"), out)
        self.assertRegex(self.judged(self.run_.spoilt(lambda lines: lines.pop(places(lines, "modified", "c1")[1])), 2),
                         r"(?m)^C7: between two lists every event is told, .* never told of MODIFIED default/c1 at \d+$")

    def test_a_deletion_that_lacks_is_named(self):
        out = self.judged(self.run_.spoilt(lambda lines: lines.pop(places(lines, "deleted")[0])), 2)
        self.assertRegex(out, r"(?m)^C6: a key is added, .* told \"added\" of default/c0, which was there$")

    def test_another_body_is_named(self):
        def change_hash(lines):
            lines[places(lines, "modified")[0]]["sha256"] = "f" * 64

        self.assertRegex(self.judged(self.run_.spoilt(change_hash), 2), r"(?m)^C2: .* with another body$")

    def test_two_callbacks_in_the_wrong_order_are_named(self):
        def swap(lines):
            first, second = places(lines, "modified", "c1")[:2]
            lines[first], lines[second] = lines[second], lines[first]

        out = self.judged(self.run_.spoilt(swap), 2)
        self.assertRegex(out, r"(?m)^C3: the versions of a key never go back, ")
        self.assertRegex(out, r"(?m)^C7: between two lists events are told in their order, ")

    def test_a_version_that_never_was_is_named(self):
        def forge(lines):
            lines[places(lines, "added", "last")[0]]["resourceVersion"] = "99999999"

        self.assertRegex(self.judged(self.run_.spoilt(forge), 2), r"(?m)^C2: .* which never was$")

    def test_synced_too_early_is_named(self):
        def hurry(lines):
            lines.insert(0, lines.pop(places(lines, "synced")[0]))

        self.assertRegex(self.judged(self.run_.spoilt(hurry), 2), r"(?m)^C11: .* before it was shown default/before$")

    def test_a_store_that_holds_what_never_was_is_named(self):
        def forge(lines):
            lines[places(lines, "store")[0]]["items"][0]["resourceVersion"] = "1"

        self.assertRegex(self.judged(self.run_.spoilt(forge), 2), r"(?m)^C1: .* which never was$")

    def test_a_callback_after_the_end_is_named(self):
        def go_on(lines):
            lines.insert(places(lines, "added", "last")[0], {"type": "stopped", "left": 0})

        self.assertRegex(self.judged(self.run_.spoilt(go_on), 2), r'(?m)^C19: .* was told "added" of default/last$')

    def test_a_log_alone_is_judged_as_far_as_it_goes(self):
        out = check("--client", self.run_.log)
        self.assertIn("there is no server's history", out)

        def swap(lines):
            first, second = places(lines, "modified", "c1")[:2]
            lines[first], lines[second] = lines[second], lines[first]

        self.assertRegex(check("--client", self.run_.spoilt(swap), status=2), r"(?m)^C3: ")

    def test_a_history_alone_is_the_servers(self):
        self.assertIn("not judged: C1-C20: there is no client's log\n", check("--server", self.run_.history))

    def test_two_runs_of_a_script_tell_the_same(self):
        self.assertNotIn("C13, C14", check("--client", self.run_.log, "--same-as", self.run_.log))
        shorter = self.run_.spoilt(lambda lines: lines.pop(places(lines, "added", "last")[0]))
        out = check("--client", shorter, "--same-as", self.run_.log, status=2)
        self.assertRegex(out, r"(?m)^C13: .* was told of nothing more, and not of added default/last at \d+$")

    def test_of_two_runs_of_which_one_was_cut_it_is_another_property(self):
        shorter = self.broken.spoilt(lambda lines: lines.pop(places(lines, "added", "last")[0]))
        out = check("--server", self.broken.history, "--client", shorter, "--same-as", self.broken.log, status=2)
        self.assertRegex(out, r"(?m)^C14: ")

    def test_who_never_syncs_is_not_unsafe_but_not_live(self):
        def keep_quiet(lines):
            lines[:] = [line for line in lines if line["type"] != "synced"]
            lines[0]["t"], lines[-1]["t"] = 0, 60000

        out = self.judged(self.run_.spoilt(keep_quiet), 3)
        self.assertRegex(out, r"(?m)^C11: ")
        self.assertTrue(out.splitlines()[-1].endswith(": LIVENESS BROKEN"), out)

    def test_the_history_over_http_is_the_same(self):
        with Server() as server:
            with Watch(server, "configmaps") as client:
                client.until_synced()
                server.create("a")
                client.line_that('"a"')
                history = temporary_file(server.request("GET", "/relist/v1/history")[1], ".history")
                log = temporary_file("\n".join(client.seen) + "\n", ".log")
        self.assertTrue(check("--server", history, "--client", log).endswith(": good\n"))

    def test_golden_traces_are_histories(self):
        traces = sorted(CASES.glob("*.trace"))
        self.assertGreater(len(traces), 10)
        for trace in traces:
            if "legal: false" in trace.with_suffix(".yaml").read_text():
                continue  # what no right server does is told, as the case expects
            with self.subTest(trace=trace.name):
                self.assertTrue(check("--server", trace).endswith(": good\n"))

    def test_a_word_that_nobody_knows_is_told(self):
        out = self.judged(self.run_.spoilt(lambda lines: lines.append({"type": "wombat"})))
        self.assertRegex(out, r"(?m)^not judged: \S+: 1 line of type `wombat`, a word that the client protocol \(README.md\) does not have$")

    def test_what_breaks_again_and_again_is_told_three_times(self):
        def forge(lines):
            for place in places(lines, "modified") + places(lines, "added"):
                lines[place]["sha256"] = "f" * 64

        out = self.judged(self.run_.spoilt(forge), 2)
        self.assertEqual(3, len(re.findall(r"(?m)^C2: ", out)), out)
        self.assertRegex(out, r"(?m)^and \d+ more of C2$")

    def test_a_store_behind_a_fault_is_judged_when_the_user_says_so(self):
        def forget(lines):
            store = lines[places(lines, "store")[0]]
            store["items"] = [item for item in store["items"] if item["name"] != "before"]

        log = self.broken.spoilt(forget)
        self.assertRegex(self.judged(log, history=self.broken.history),
                         r"(?m)^not judged: C1 of .*'s store: the last one was printed \S+ s after the last fault")
        out = check("--server", self.broken.history, "--client", log, "--recovery", "0s", status=None)
        self.assertNotIn("'s store: the last", out)

    def test_reports_tell_what_the_screen_tells(self):
        folder = pathlib.Path(tempfile.mkdtemp())
        page, data, junit = folder / "r.html", folder / "r.json", folder / "r.xml"
        log = self.run_.spoilt(lambda lines: lines.pop(places(lines, "deleted")[0]))
        out = check("--server", self.run_.history, "--client", log, "--report", page, "--report", data, "--report", junit, status=2)
        (told,) = json.loads(data.read_text())
        self.assertEqual((out, "safety broken", 2), (told["report"], told["verdict"], told["exitStatus"]))
        self.assertEqual(f"relist check --server {self.run_.history} --client {log}", told["again"])
        case = xml.etree.ElementTree.parse(junit).getroot().find("testcase")
        self.assertEqual((out, "recorded"), (case.find("failure").text, case.get("classname")))
        for part in ('<span class="prop">C6</span>', "Not judged: C13, C14", ">Handlers</th>", " lit"):
            self.assertIn(part, page.read_text())
        check("--server", self.run_.history, "--client", self.run_.log, "--report", page)
        self.assertIn("Every property that could be judged held.", page.read_text())

    def test_a_report_takes_the_place_of_nothing_that_is_read(self):
        for log in (self.run_.log, f"x={self.run_.log}"):
            told = check("--client", log, "--report", self.run_.log + ".html", "--report", self.run_.log, status=1)
            self.assertIn("no report can be written as", told)
        history = temporary_file(pathlib.Path(self.run_.history).read_text(), ".json")
        self.assertIn("this is a file that is to be read", check("--server", history, "--report", history, status=1))
        log = temporary_file(pathlib.Path(self.run_.log).read_text(), ".json")
        self.assertIn("this is a file that is to be read", check("--client", f"x={log}", "--report", log, status=1))

    def test_a_python_client_is_good_too(self):
        python = foreign(self, "python")
        run = Recording(self, lambda server: Process([python, HERE / "python_client.py", "configmaps", "default"], env=server.env),
                        CUT_LISTS)
        out = check("--server", run.history, "--client", run.log)
        self.assertTrue(out.endswith(": good\n"), out)
        self.assertIn("C2 of bodies: no log has a `sha256`", out)
        out = check("--server", run.history, "--client", run.spoilt(lambda lines: lines.pop(places(lines, "modified")[0])), status=2)
        self.assertRegex(out, r"(?m)^C[27]: ")


class OfSeveralClientsTest(unittest.TestCase):
    def test_each_log_is_somebodys(self):
        folder = tempfile.mkdtemp()
        history, log = os.path.join(folder, "history"), os.path.join(folder, "log")
        with Server("--history", history) as server:
            with Watch(server, "configmaps") as client:
                client.until_synced()
                server.exchange("GET", "/api/v1/configmaps", headers={"User-Agent": "curl/8"})
                client.leave()
                pathlib.Path(log).write_text("\n".join(client.seen) + "\n")
            server.stop()
        told = check("--server", history, "--client", log, status=1)
        self.assertEqual(1, told.count("\n"), told)
        self.assertRegex(told, r"several clients listed or watched, .*`curl/8`.*: say which of them it is, NAME=LOG$")
        agents = {json.loads(line).get("agent") for line in pathlib.Path(history).read_text().splitlines()} - {None, "curl/8"}
        (ours,) = agents
        check("--server", history, "--client", f"{ours}={log}")
        self.assertIn("no list or watch came from the User-Agent `mine`", check("--server", history, "--client", f"mine={log}", status=1))


class OtherFilesTest(unittest.TestCase):
    """Exit status 1, and one line with the file and the line in it."""

    HEAD = '{"t":"0.000","actor":"server","what":"history","version":"1","rate":"1"}\n'

    def refused(self, *words):
        code, out, err = harness.run([RELIST, "check", *words])
        self.assertEqual((1, "", 1), (code, out, err.count("\n")), err)
        return err

    def test_a_history_that_was_cut_off_or_is_newer_or_is_none(self):
        for text, why in ((self.HEAD + '{"t":"0.1","act', "{}:2: the history ends within this line: it was cut off"),
                          (self.HEAD.replace('"1","rate"', '"2","rate"'), "{}:1: a history of version 2; this relist reads version 1"),
                          ("name: a scenario\n", "{}:1: not a JSON object"),
                          ("", "{}:1: the file is empty"),
                          ('{"type":"synced"}\n', "{}:1: this is a line of a client's log, not of a history")):
            path = temporary_file(text, ".history")
            self.assertIn(why.format(path), self.refused("--server", path))

    def test_a_log_that_was_cut_off_or_is_none(self):
        good = '{"type":"synced"}\n'
        for text, why in ((good + '{"type":"add', "{}:2: the log ends within this line: it was cut off"),
                          (good + "Traceback (most recent call last):\n", "{}:2: not a JSON object"),
                          ("", "{}:1: the file is empty: the client printed nothing"),
                          (self.HEAD, "{}:1: this is a line of a history, not of a client's log")):
            path = temporary_file(text, ".log")
            self.assertIn(why.format(path), self.refused("--client", path))
        self.assertIn("/no/such/log", self.refused("--client", "/no/such/log"))


if __name__ == "__main__":
    harness.main()
