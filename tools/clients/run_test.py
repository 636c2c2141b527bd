#!/usr/bin/env python3
"""relist run and relist replay: what they print, what they write, and their exit statuses."""

import json
import os
import pathlib
import re
import signal
import tempfile
import time
import unittest
import xml.etree.ElementTree

import harness
from harness import RELIST, ROOT, Process, temporary_file

CASES = ROOT / "scenarios/cases"
GOOD = CASES / "error_410_in_stream.yaml"

WRONG_EXPECTATION = """\
name: expects what does not happen
objects:
- {object: default/a}
clients:
- {name: client}
expect:
  client: {callbacks: [added default/a 1 initial]}
"""

# Nothing in it depends on how busy the machine is.
OVER_HTTP = """\
name: a stream is reset
calm: 5s
rate: 20
objects:
- {object: default/a}
faults:
- {fault: reset, on: streaming-list, events: 1}
"""

# A client without a deadline hangs on a watch that says nothing any more: a liveness property is broken.
HANGS = """\
name: the watch says <script>nothing</script> any more
about: "& nobody hears of it"
clients: [{streaming_list: false, namespace: default, watch_deadline: false}]
objects: [{object: default/a, data: {n: "0"}}]
steps: [{at: 5s, do: write, object: default/a, data: {n: "1"}}]
faults: [{on: watch, events: 0, fault: stall}]
"""

NEVER_STRUCK = """\
name: a fault that never strikes
faults:
- {fault: stall, on: watch, nth: 90}
"""


def relist(*words, status=0):
    code, out, err = harness.run([RELIST, *words])
    assert code == status, (words, code, out, err)
    return out + err


class RunTest(unittest.TestCase):
    def test_every_shipped_scenario_is_good_in_the_simulation(self):
        cases = sorted(CASES.glob("*.yaml"))
        self.assertGreaterEqual(len(cases), 12)
        *lines, total = relist("run", *cases).splitlines()
        self.assertEqual(f"{len(cases)} of {len(cases)} scenarios good", total)
        # Before the line of one whose server is wrong stand the verdicts that it expects.
        self.assertEqual(len(cases), len([line for line in lines if line.endswith("[sim]: good")]), lines)

    def test_a_seed_is_any_number_of_64_bits(self):
        most = str(2**64 - 1)
        relist("run", "--seed", most, GOOD)
        self.assertNotEqual(relist("replay", "--seed", most, GOOD), relist("replay", "--seed", str(2**63 - 1), GOOD))
        wrong = temporary_file(WRONG_EXPECTATION, ".yaml")
        self.assertIn(f"relist replay {wrong} --world sim --seed {most}", relist("run", "--seed", most, wrong, status=2))
        for words in (("run", GOOD), ("replay", GOOD)):
            told = relist(*words, "--seed", str(2**64), status=1)
            self.assertEqual(f"relist: --seed: `{2**64}` is no whole number from 0 to {most}\n", told)
        self.assertEqual(1, relist("watch", "cm", "--seed", most, status=1).count("\n"))
        relist("run", temporary_file(f"name: x\nseed: {most}\n", ".yaml"))
        told = relist("run", temporary_file(f"name: x\nseed: {2**64}\n", ".yaml"), status=1)
        self.assertIn(f'"seed" is at most {most}', told)

    def test_a_time_may_have_a_fraction_and_0_needs_no_unit(self):
        path = temporary_file("name: x\nsteps:\n- {at: 1.5s, do: evict}\n- {at: 0, do: evict}\n", ".yaml")
        evictions = [line.split()[0] for line in relist("run", "--timeline", path).splitlines() if "evict" in line]
        self.assertEqual(["0.000", "1.500"], evictions)

    def test_a_file_that_is_no_scenario_is_an_error_of_the_report(self):
        folder, bad = tempfile.mkdtemp(), temporary_file("name: [", ".yaml")
        path = os.path.join(folder, "r.xml")
        relist("run", bad, GOOD, "--report", path, status=1)
        suite = xml.etree.ElementTree.parse(path).getroot()
        self.assertEqual(("2", "0", "1"), (suite.get("tests"), suite.get("failures"), suite.get("errors")))
        self.assertIn(f"{bad}:1:7: ", suite.find(".//error").text)

    def test_a_world_in_which_nothing_ran_is_1(self):
        for worlds, other in (("[sim], why_sim: because", "http"), ("[http]", "sim")):
            path = temporary_file("{name: x, worlds: %s}\n" % worlds, ".yaml")
            self.assertIn("nothing was run", relist("run", "--world", other, path, status=1))
        self.assertTrue(relist("run", GOOD, path).endswith("1 of 2 scenarios good, 1 not in this world\n"))

    def test_a_device_that_never_ends_is_not_read_for_ever(self):
        self.assertIn("more than 256 MiB", relist("run", "/dev/zero", status=1))

    def test_reports_are_written(self):
        folder = tempfile.mkdtemp()
        names = [os.path.join(folder, name) for name in ("r.json", "r.xml")]
        relist("run", GOOD, "--report", names[0], "--report", names[1])
        with open(names[0], encoding="utf-8") as file:
            verdict = json.load(file)[0]
        self.assertEqual(("good", 0, "sim"), (verdict["verdict"], verdict["exitStatus"], verdict["world"]))
        suite = xml.etree.ElementTree.parse(names[1]).getroot()
        self.assertEqual(("1", "0", "0"), (suite.get("tests"), suite.get("failures"), suite.get("errors")))

    def page_of(self, *words, status=0):
        path = os.path.join(tempfile.mkdtemp(), "r.html")
        relist("run", *words, "--report", path, status=status)
        return pathlib.Path(path).read_text(encoding="utf-8")

    def test_a_page_tells_a_broken_property_with_its_lines_and_how_to_see_it_again(self):
        path = temporary_file(HANGS, ".yaml")
        page = self.page_of(path, status=3)
        self.assertIn("<h1>Relist: 0 of 1 scenario good</h1>", page)
        self.assertIn('<span class="badge bad">liveness broken</span>', page)
        self.assertIn('<span class="prop">C1</span> after the calm', page)
        self.assertIn(f"<code>relist replay {path} --world sim</code>", page)
        for line in (1, 2):
            self.assertEqual(1, page.count(f'href="#s1t1f1l{line}"'))
            self.assertEqual(1, page.count(f'id="s1t1f1l{line}"'))
        self.assertNotIn("<script", page)
        self.assertIn("the watch says &lt;script&gt;nothing&lt;/script&gt; any more", page)
        self.assertIn("<p>&amp; nobody hears of it</p>", page)

    def test_a_page_has_every_scenario_and_what_could_not_be_read(self):
        wrong, bad = temporary_file(WRONG_EXPECTATION, ".yaml"), temporary_file("name: [", ".yaml")
        elsewhere = temporary_file("{name: elsewhere, worlds: [http]}\n", ".yaml")
        page = self.page_of(GOOD, wrong, bad, elsewhere, status=2)
        self.assertIn("<h1>Relist: 1 of 4 scenarios good, 1 not run</h1>", page)
        verdicts = re.findall(r'<span class="badge \w+">([\w ]+)</span>', page)
        self.assertEqual(["good", "safety broken", "not run as written", "skipped"] * 2, verdicts)
        self.assertIn('<span class="prop">Not as expected</span>', page)
        self.assertIn(f"{bad}:1:7: ", page)
        self.assertIn("its worlds are others", page)

    def test_the_same_run_gives_the_same_page(self):
        cases = sorted(CASES.glob("*.yaml"))
        page = self.page_of(*cases)
        self.assertEqual(page, self.page_of(*cases))
        self.assertNotEqual(page, self.page_of(*cases, "--seed", "99"))
        self.assertNotIn("<script", page)

    def test_a_page_of_a_run_over_http(self):
        page = self.page_of("--world", "http", temporary_file(OVER_HTTP, ".yaml"))
        self.assertIn("in the world http", page)
        self.assertIn("<b>fault</b> #1 the connection is reset (RST)", page)

    def test_a_report_before_the_scenarios_eats_none_of_them_and_a_bad_one_opens_nothing(self):
        folder = tempfile.mkdtemp()
        good, bad = os.path.join(folder, "r.json"), os.path.join(folder, "r.pdf")
        second = CASES / "clean_close.yaml"
        relist("run", "--report", good, GOOD, second)
        with open(good, encoding="utf-8") as file:
            self.assertEqual([str(GOOD), str(second)], [verdict["file"] for verdict in json.load(file)])
        before = pathlib.Path(good).read_bytes()
        self.assertIn("r.pdf", relist("run", "--report", good, "--report", bad, GOOD, status=1))
        self.assertEqual(before, pathlib.Path(good).read_bytes())
        self.assertEqual(["r.json"], os.listdir(folder))

    def test_the_same_seed_gives_the_same_history_and_another_gives_another(self):
        def history_hash(*options):
            path = os.path.join(tempfile.mkdtemp(), "r.json")
            relist("run", GOOD, "--report", path, *options)
            with open(path, encoding="utf-8") as file:
                return json.load(file)[0]["historyHash"]

        self.assertEqual(history_hash(), history_hash())
        self.assertNotEqual(history_hash(), history_hash("--seed", "12345"))

    def test_the_same_file_runs_over_http(self):
        path = temporary_file(OVER_HTTP, ".yaml")
        for world in ("sim", "http"):
            out = relist("run", "--world", world, "--timeline", path)
            self.assertIn(f"[{world}]: good", out)
            self.assertIn("RST", out)

    def test_a_broken_expectation_is_2_and_says_how_to_see_it_again(self):
        path = temporary_file(WRONG_EXPECTATION, ".yaml")
        out = relist("run", path, status=2)
        self.assertIn(":7:24: client's callbacks", out)
        self.assertIn(f"relist replay {path}", out)

    def test_a_fault_that_never_strikes_is_1_with_its_line(self):
        self.assertIn("line 3", relist("run", temporary_file(NEVER_STRUCK, ".yaml"), status=1).replace(":3:", " line 3 "))

    def test_a_step_that_never_comes_to_its_time_is_1(self):
        text = "name: x\nsteps:\n- {when: {on: any, nth: 1, after: 20h}, do: evict}\n"
        self.assertIn(":3:3: this step (evict) never happened", relist("run", temporary_file(text, ".yaml"), status=1))

    def test_a_second_document_is_refused(self):
        out = relist("run", temporary_file("name: x\n---\nname: y\n", ".yaml"), status=1)
        self.assertIn(":2:1: a second document", out)

    def test_the_worst_of_several_counts_and_the_others_are_run(self):
        bad, worse = temporary_file("name: [", ".yaml"), temporary_file(WRONG_EXPECTATION, ".yaml")
        out = relist("run", bad, worse, GOOD, status=2)
        self.assertIn("[sim]: good", out)
        self.assertIn("\n1 of 3 scenarios good\n", out)


class SignalTest(unittest.TestCase):
    """A signal ends a run at once, as it ends any program."""

    def ended_by(self, number, *words):
        path = temporary_file(OVER_HTTP.replace("calm: 5s", "calm: 3600s"), ".yaml")
        with Process([RELIST, *words, "--world", "http", path]) as process:
            end = time.monotonic() + harness.DEADLINE_S
            while "\nThreads:\t1\n" in pathlib.Path(f"/proc/{process.process.pid}/status").read_text():
                self.assertLess(time.monotonic(), end)
                time.sleep(0.01)
            process.signal(number)
            self.assertEqual(-number, process.wait())

    def test_a_signal_ends_a_run_and_the_last_report_is_still_there(self):
        report = temporary_file("<last/>", ".xml")
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            self.ended_by(number, "run", "--report", report)
            self.assertEqual("<last/>", pathlib.Path(report).read_text())

    def test_a_signal_ends_a_replay(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            self.ended_by(number, "replay")


class ReplayTest(unittest.TestCase):
    def test_a_scenario_is_shown_with_its_history(self):
        out = relist("replay", GOOD)
        self.assertRegex(out, r"(?m)^ +\d+\.\d{3}  client +> WATCH configmaps")
        self.assertIn("[sim]: good", out)

    def test_a_tape_is_a_life_and_a_broken_one_tells_its_line(self):
        quiet = "relist tape 1\nschedule -\nlatency -\nfaults -\nworkload -\n"
        self.assertIn("every property held", relist("replay", temporary_file(quiet, ".tape")))
        broken = temporary_file("relist tape 1\nschedule zz\n", ".tape")
        self.assertIn(f"{broken}:2: ", relist("replay", broken, status=1))

    def test_a_tape_that_was_cut_short_is_not_a_good_one(self):
        for text in ("relist tape 1\n", "relist tape 1\nschedule -\nlatency -\n"):
            code, out, err = harness.run([RELIST, "replay", temporary_file(text, ".tape")])
            self.assertEqual((1, "", 1), (code, out, err.count("\n")), err)
            self.assertRegex(err, r"\.tape:\d: the tape ends here, and its stream \"\w+\" is missing")


class OtherFilesTest(unittest.TestCase):
    def refused(self, part, *words):
        code, out, err = harness.run([RELIST, *words])
        self.assertEqual((1, "", 1), (code, out, err.count("\n")), err)
        self.assertIn(part, err)

    def test_a_history_is_called_one(self):
        trace = CASES / "clean_close.trace"
        for words in (["replay", trace], ["run", trace], ["serve", "--scenario", trace]):
            self.refused(f"{trace}: this is a history", *words)

    def test_a_tape_is_called_one_where_it_cannot_be_run(self):
        tape = temporary_file("relist tape 1\nschedule -\nlatency -\nfaults -\nworkload -\n", ".tape")
        self.refused("this is a tape", "run", tape)
        self.refused("this is a tape", "serve", "--scenario", tape)
        self.refused("--seed", "replay", tape, "--seed", "7")
        self.refused("--world", "replay", tape, "--world", "http")


if __name__ == "__main__":
    harness.main()
