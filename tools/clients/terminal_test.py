#!/usr/bin/env python3
"""relist run --timeline and relist replay on a terminal: in colour, unless somebody does not want it."""

import os
import pty
import re
import subprocess
import unittest

import harness
from harness import RELIST, ROOT, temporary_file

GOOD = ROOT / "scenarios/cases/error_410_in_stream.yaml"
TAPE = "relist tape 1\nschedule -\nlatency -\nfaults -\nworkload -\n"
PLAIN_TERMINAL = {"TERM": "xterm"}
RED, GREEN, BOLD = "\033[31m", "\033[32m", "\033[1m"


def environment(variables):
    inherited = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
    return {**inherited, **variables}


def on_a_terminal(*words, variables=None):
    """What the command writes to a terminal that it has as its standard output."""
    reader, writer = pty.openpty()
    with subprocess.Popen([RELIST, *map(str, words)], stdin=subprocess.DEVNULL, stdout=writer, stderr=subprocess.PIPE,
                          env=environment(PLAIN_TERMINAL if variables is None else variables)) as process:
        os.close(writer)
        parts = []
        try:
            while part := os.read(reader, 65536):
                parts.append(part)
        except OSError:
            pass  # how a terminal says that nobody writes to it any more
        os.close(reader)
        errors = process.stderr.read().decode()
        assert process.wait(harness.DEADLINE_S) == 0, errors
    return b"".join(parts).decode().replace("\r\n", "\n")


def into_a_pipe(*words, variables=None):
    code, out, err = harness.run(["env", "-i", *[f"{name}={value}" for name, value in
                                                 environment(variables or PLAIN_TERMINAL).items()], RELIST, *words])
    assert code == 0, err
    return out


def without_colours(text):
    return re.sub("\033\\[[0-9;]*m", "", text)


class TerminalTest(unittest.TestCase):
    def test_a_timeline_on_a_terminal_is_in_colour_and_says_the_same(self):
        for words in (("run", "--timeline", GOOD), ("replay", GOOD), ("replay", temporary_file(TAPE, ".tape"))):
            shown = on_a_terminal(*words)
            for colour in (GREEN, BOLD):
                self.assertIn(colour, shown, words)
            self.assertEqual(into_a_pipe(*words), without_colours(shown))
        self.assertRegex(on_a_terminal("replay", GOOD), re.escape(RED) + "! #2 ")

    def test_what_goes_elsewhere_is_plain(self):
        for words in (("run", "--timeline", GOOD), ("replay", GOOD)):
            self.assertNotIn("\033", into_a_pipe(*words))

    def test_a_terminal_whose_user_or_kind_wants_none_gets_none(self):
        for variables in ({"TERM": "xterm", "NO_COLOR": "1"}, {"TERM": "dumb"}, {}):
            self.assertNotIn("\033", on_a_terminal("replay", GOOD, variables=variables), variables)
        self.assertIn(GREEN, on_a_terminal("replay", GOOD, variables={"TERM": "xterm", "NO_COLOR": ""}))

    def test_who_asks_for_it_gets_it_and_who_refuses_it_does_not(self):
        no_color = {"TERM": "dumb", "NO_COLOR": "1"}
        for words in (("run", "--timeline", GOOD), ("replay", GOOD)):
            self.assertIn(GREEN, into_a_pipe(*words, "--color", "always", variables=no_color))
            self.assertNotIn("\033", on_a_terminal(*words, "--color", "never"))
            self.assertEqual(on_a_terminal(*words), on_a_terminal(*words, "--color", "auto"))


if __name__ == "__main__":
    harness.main()
