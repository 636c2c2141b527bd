#!/usr/bin/env python3
"""The museum: each case names its report, is good, and is seen to fail as museum.yaml says; each report is a case or left out.

Mutants are built and run by .ci/nightly (property_tests/mutants/museum.py); here their patches must apply.
"""

import re
import subprocess
import sys
import unittest

import harness
from harness import RELIST, ROOT

MUSEUM = ROOT / "scenarios/cases/museum"
MUTANTS = ROOT / "property_tests/mutants"
sys.path.insert(0, str(MUTANTS))
import museum  # noqa: E402  it starts Debian's Python where this one lacks packages

CASES = sorted(MUSEUM.glob("*.yaml"))
LEAST_CASES = 85
REPORTS = 113  # public ones that were read


def reports_of(path):
    line = re.search(r"^report: (.*)$", path.read_text(), re.MULTILINE)
    return re.findall(r"https://[^\s,\]]+", line.group(1)) if line else []


def left_out():
    """The reports that README.md says are no cases, each with its reason."""
    text = (ROOT / "scenarios/README.md").read_text().split("### Reports that are no cases", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"^\| (https://\S+) \| (\S.*) \|$", text, re.MULTILINE)


class MuseumTest(unittest.TestCase):
    def test_each_report_is_a_case_or_left_out_with_a_reason(self):
        cases = {url for path in CASES for url in reports_of(path)}
        out = dict(left_out())
        self.assertEqual(set(), cases & set(out))
        self.assertEqual(REPORTS, len(cases) + len(out))
        self.assertGreaterEqual(len(cases), LEAST_CASES)
        for path in CASES:
            self.assertNotEqual([], reports_of(path), path.name)
        self.assertIn(f"has {len(cases)} public bug reports", (ROOT / "scenarios/README.md").read_text())
        self.assertIn(f"{len(CASES)} of them are a\n[museum]", (ROOT / "README.md").read_text())

    def test_every_case_is_good_in_the_simulation_and_the_same_twice(self):
        code, out, err = harness.run([RELIST, "run", *CASES])
        self.assertEqual(0, code, out + err)
        self.assertIn(f"{len(CASES)} of {len(CASES)} scenarios good\n", out)

    def test_each_is_seen_to_fail_somehow(self):
        how = museum.table()
        self.assertEqual({path.stem for path in CASES}, set(how))
        for case, entry in how.items():
            self.assertEqual(1, len(entry), case)
            self.assertIn(next(iter(entry)), ("mutant", "option"), case)
        patches = {path.stem for path in MUTANTS.glob("*.patch")}
        self.assertEqual(patches, {entry["mutant"] for entry in how.values() if "mutant" in entry})

    def test_each_mutant_applies(self):
        for patch in sorted(MUTANTS.glob("*.patch")):
            with self.subTest(patch.name):
                self.assertTrue(patch.read_text().startswith("# What it does: "))
                done = subprocess.run(["patch", "-p1", "--dry-run", "-f", "-d", str(ROOT), "-i", str(patch)],
                                      capture_output=True, text=True)
                self.assertEqual(0, done.returncode, done.stdout + done.stderr)
                self.assertNotIn("fuzz", done.stdout)

    def test_options_bring_their_cases_to_fail(self):
        options = {case: entry["option"] for case, entry in museum.table().items() if "option" in entry}
        self.assertGreater(len(options), 3)
        self.assertEqual([], museum.try_options(RELIST, options))


if __name__ == "__main__":
    harness.main()
