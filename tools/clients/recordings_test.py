#!/usr/bin/env python3
"""The recorded answers of a real apiserver, sent to relist serve over HTTP: every step must be answered the same."""

import sys
import unittest

import harness
from harness import ROOT, Server

RECORDINGS = ROOT / "fakeapi/testdata/real"
CHAPTERS = ["list", "pages", "watch", "watchlist", "expired"]


class RecordingsTest(unittest.TestCase):
    def replay(self, *options):
        with Server("--controllers", "none", *options) as server:
            token = ["--token", options[1]] if options else []
            status, out, err = harness.run(
                [sys.executable, ROOT / "tools/clients/replay.py", f"{server.scheme}://{server.host}:{server.port}", *token,
                 *[RECORDINGS / f"{chapter}.json" for chapter in CHAPTERS]], deadline_s=300)
            self.assertEqual(0, status, out + err)
            self.assertRegex(out, r"\n[1-9]\d* passed, 0 failed\n$")

    def test_every_step_is_answered_as_the_real_server_did_over_tls_with_a_token(self):
        self.replay("--token", "secret")


if __name__ == "__main__":
    harness.main()
