#!/usr/bin/env python3
"""relist shrink: what fails comes out small and fails likewise; what does not fail is told so."""

import pathlib
import tempfile
import unittest

import harness
from harness import RELIST, ROOT, temporary_file

# An expectation that is wrong, and much that has nothing to do with it.
WRONG = """\
name: a write is expected to be lost
clients:
- {name: one, streaming_list: false, namespace: default}
- {name: two, resource: pods}
objects:
- {object: default/a}
- {object: default/b}
steps:
- {at: 5s, do: write, object: default/a, data: {colour: green}}
- {at: 15s, do: write, object: default/c}
- {at: 45s, do: evict}
faults:
- {on: watch, client: one, nth: 1, events: 1, fault: close}
expect:
  one: {store: [default/a, default/b]}
"""


def shrink(*words):
    return harness.run([RELIST, "shrink", *map(str, words)])


class ShrinkTest(unittest.TestCase):
    def setUp(self):
        self.file = temporary_file(WRONG, ".yaml")

    def test_it_is_small_and_fails_likewise(self):
        code, out, err = shrink(self.file)
        self.assertEqual(0, code, err)
        self.assertRegex(err, r"^relist: one's store: expected nothing more, seen default/c still, with \d+ of \d+ keys and "
                              r"values, after \d+ runs: nothing more can go\n$")
        self.assertLess(len(out), 250, out)
        for gone in ("{name: two", "evict", "colour", "faults", "default/b"):
            self.assertNotIn(gone, out)
        code, report, _ = harness.run([RELIST, "run", temporary_file(out, ".yaml")])
        self.assertEqual(2, code)
        self.assertIn("seen     default/c", report)

    def test_it_is_the_same_every_time_and_may_go_into_a_file(self):
        out = pathlib.Path(tempfile.mkdtemp(prefix="relist-shrink-")) / "small.yaml"
        code, said, err = shrink(self.file, "--out", out)
        self.assertEqual((0, ""), (code, said), err)
        self.assertEqual(shrink(self.file)[1], out.read_text())

    def test_few_runs_are_told(self):
        code, out, err = shrink(self.file, "--runs", 3)
        self.assertEqual(0, code)
        self.assertIn("after 3 runs: more may go, with more --runs", err)
        self.assertIn("two", out)

    def test_what_does_not_fail_is_told(self):
        for file, told in ((ROOT / "scenarios/cases/clean_close.yaml", "clean_close.yaml: this scenario is good"),
                           (temporary_file("name: n\nstepz: []\n", ".yaml"), ":2:1: unknown key \"stepz\"")):
            code, out, err = shrink(file)
            self.assertEqual((1, ""), (code, out))
            self.assertIn(told, err)

    def test_what_only_never_happened_is_told_with_its_own_lines_and_writes_nothing(self):
        file = temporary_file("name: n\n# why\nfaults: [{on: list, nth: 7, fault: cut}]\n", ".yaml")
        out = pathlib.Path(tempfile.mkdtemp(prefix="relist-shrink-")) / "small.yaml"
        code, said, err = shrink(file, "--out", out)
        self.assertEqual((1, ""), (code, said))
        lines = err.splitlines()
        self.assertEqual(f"{file}: could not be run as written, and breaks nothing: nothing to shrink", lines[0])
        self.assertIn(f"{file}:3:10: this fault (cut) never struck", lines[1])
        self.assertEqual(3, len(lines), err)
        self.assertEqual([], list(out.parent.iterdir()))
        out.write_text("mine\n")
        self.assertEqual(1, shrink(file, "--out", out)[0])
        self.assertEqual("mine\n", out.read_text())

    def test_what_breaks_something_and_never_happened_in_part_is_small(self):
        file = temporary_file(WRONG.replace("faults:", "faults:\n- {on: list, nth: 7, fault: cut}"), ".yaml")
        code, out, err = shrink(file)
        self.assertEqual(0, code, err)
        self.assertEqual(shrink(self.file)[1], out)

    def test_a_file_that_cannot_be_written_is_told_first(self):
        code, out, err = shrink(self.file, "--out", "/nowhere/small.yaml")
        self.assertEqual((1, ""), (code, out))
        self.assertEqual(1, err.count("\n"), err)
        self.assertIn("/nowhere/small.yaml", err)
        self.assertEqual(1, shrink()[0])
        self.assertEqual(1, shrink("/nowhere.yaml")[0])


if __name__ == "__main__":
    harness.main()
