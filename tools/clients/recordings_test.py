#!/usr/bin/env python3
"""The recorded answers of a real apiserver, sent to relist serve over HTTP: every step must be answered the same."""

import concurrent.futures
import re
import sys
import unittest

import harness
from harness import ROOT, Server

RECORDINGS = ROOT / "fakeapi/testdata/real"
# The chapters that are answered the same step by step; README.md says what of the others is not there yet.
CHAPTERS = ["list", "pages", "watch", "watchlist", "expired", "crud", "kinds", "validation"]


def replay(chapter, *options):
    """A chapter against a server of its own: None, or what differs."""
    with Server("--controllers", "none", *options) as server:
        token = ["--token", server.token] if server.token else []
        status, out, err = harness.run(
            [sys.executable, ROOT / "tools/clients/replay.py", f"{server.scheme}://{server.host}:{server.port}", *token,
             RECORDINGS / f"{chapter}.json"], deadline_s=300)
        good = status == 0 and re.search(r"(?m)^[1-9]\d* passed, 0 failed$", out)
        return None if good else f"{chapter}: {out}{err}"


class RecordingsTest(unittest.TestCase):
    def test_every_step_is_answered_as_the_real_server_did(self):
        # Most of the time passes in waits of the recordings: side by side.
        with concurrent.futures.ThreadPoolExecutor(len(CHAPTERS)) as pool:
            problems = [problem for problem in pool.map(lambda c: replay(c, "--token", "secret"), CHAPTERS) if problem]
        self.assertEqual([], problems, "\n".join(problems))


if __name__ == "__main__":
    harness.main()
