#!/usr/bin/env python3
"""The table of parity keeps its promises, and each rule finds what it is there to find."""

import os
import pathlib
import stat
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import parity  # noqa: E402

TEST = 'TEST(Reflector, Lists) {}\nTEST_F(Fifo,\n       Queues) {}\nTYPED_TEST(Track, Counts) {}\n'
ROW = "| RFL-01 | a list | yes: Reflector::List | `Reflector.Lists` |\n"


class TreeTest(unittest.TestCase):
    def test_the_table_keeps_its_promises(self):
        problems = list(parity.check(parity.tree()))
        if problems:
            self.fail(f"{len(problems)} problems\n" + "\n".join(problems))

    def test_there_is_something_to_turn_off(self):
        self.assertGreater(len(parity.plan(parity.tree())), 50)


class CheckTest(unittest.TestCase):
    def problems(self, table, ids="RFL 1\n", code=""):
        return list(parity.check({parity.TABLE: table, parity.IDS: ids, "reflector/a_test.cc": TEST,
                                  "reflector/a.cc": code}))

    def finds(self, part, *arguments, **named):
        problems = self.problems(*arguments, **named)
        self.assertEqual(1, len(problems), problems)
        self.assertIn(part, problems[0])

    def test_a_row_with_its_test_passes(self):
        self.assertEqual([], self.problems(ROW, code='if (Behaves("RFL-01") && Behaves("RFL-01b")) F();\n'))
        self.assertEqual([], self.problems("| RFL-1 | a | no: an accident of the log | - |\n"))
        self.assertEqual([], self.problems(ROW + "| other | x | y | z |\n|---|---|\n"))

    def test_a_missing_id_is_found(self):
        self.finds("no row for RFL-2, RFL-3", ROW, ids="# words\nRFL 3  # of them\n")

    def test_ranges_and_second_rows_are_found(self):
        self.finds("RFL-02, RFL-03: one id a row", ROW + "| RFL-02, RFL-03 | a | yes: b | `Fifo.Queues` |\n")
        self.finds("has a row in line 1 already", ROW + ROW)

    def test_rows_that_promise_nothing_are_found(self):
        self.finds("not yet is no answer", "| RFL-01 | a | not yet | - |\n")
        self.finds('neither "yes" nor "no"', "| RFL-01 | a | perhaps | - |\n")
        self.finds("why not?", "| RFL-01 | a | no | - |\n")
        self.finds("no test says so", "| RFL-01 | a | yes: F | reflector_test |\n")

    def test_a_test_that_is_not_there_is_found(self):
        self.finds("there is no test Reflector.Watches", ROW.replace("Lists`", "Watches`"))
        self.finds("there is no test Reflector.Watches", ROW + "| what | `Reflector.Watches` of no row |\n")
        self.assertEqual([], self.problems(ROW.replace("Reflector.Lists", "Fifo.Queues")))

    def test_a_typed_test_is_named_with_its_number(self):
        self.assertEqual([], self.problems(ROW.replace("Reflector.Lists", "Track/1.Counts")))
        self.assertEqual(["Track/1.Counts"], parity.tests_named("`Track/1.Counts` and Track/2"))
        self.finds("there is no test Track/1.Weighs", ROW + "| what | `Track/1.Weighs` |\n")

    def test_a_switch_without_a_row_is_found(self):
        self.finds('reflector/a.cc:1: Behaves("WCH-02b") has no row', ROW, code='Behaves("WCH-02b")')
        self.finds('Behaves("what")', ROW, code='Behaves("what")')


class RunTest(unittest.TestCase):
    def test_each_switch_has_its_rows_tests(self):
        files = {parity.TABLE: ROW + "| EVT-02 | b | yes: G | `Fifo.Queues` `Elsewhere.Is` |\n",
                 "reflector/a_test.cc": TEST, "core/b_test.cc": "TEST(Elsewhere, Is) {}\n",
                 "reflector/a.cc": 'Behaves("RFL-01b"); Behaves("EVT-02"); Behaves("EVT-02")',
                 "reflector/parity_switch.h": '// Behaves("ID")'}
        self.assertEqual([("EVT-02", ["Fifo.Queues"]), ("RFL-01b", ["Reflector.Lists"])], parity.plan(files))

    def test_only_a_test_that_fails_or_hangs_is_good(self):
        for how, good in [("failed", True), ("timed out", True), ("passed", False), ("crashed", False)]:
            self.assertEqual(good, parity.verdict("RFL-01", ["A.B"], how)[0], how)
        self.assertEqual((False, "BAD  RFL-01: its row names no test of reflector/"), parity.verdict("RFL-01", [], ""))

    def test_a_binary_is_run_with_its_switch_and_judged(self):
        with tempfile.TemporaryDirectory() as folder:
            binary = pathlib.Path(folder) / "reflector_test"
            binary.write_text("#!/bin/sh\n"
                              '[ "$2" = --gtest_filter=A.B:C.D ] || exit 0\n'
                              'case "$RELIST_PARITY_OFF" in\n'
                              "RFL-01) exit 1;; RFL-02) kill -SEGV $$;; RFL-03) exec sleep 60;; esac\n")
            binary.chmod(binary.stat().st_mode | stat.S_IXUSR)
            seconds, parity.SECONDS_EACH = parity.SECONDS_EACH, 1
            try:
                told = [parity.outcome(binary, ["A.B", "C.D"], off) for off in ("", "RFL-01", "RFL-02", "RFL-03")]
            finally:
                parity.SECONDS_EACH = seconds
        self.assertEqual(["passed", "failed", "crashed", "timed out"], told)


if __name__ == "__main__":
    unittest.main()
