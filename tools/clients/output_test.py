#!/usr/bin/env python3
"""Standard output that is closed, full, or read by nobody: exit status 1, and one line that says so."""

import http.client
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

import harness
from harness import RELIST, ROOT, Server

GOOD = ROOT / "scenarios/cases/clean_close.yaml"
TAPE = "relist tape 1\nschedule -\nlatency -\nfaults -\nworkload -\n"


def unread_pipe():
    reader, writer = os.pipe()
    os.close(reader)
    return os.fdopen(writer, "wb")


def ways_to_lose():
    """What standard output may be, with the shell's words for it and what the system says of it."""
    yield open("/dev/full", "wb"), "", "No space left on device"
    yield unread_pipe(), "", "Broken pipe"
    yield None, ">&-", "Bad file descriptor"


class LostOutput(unittest.TestCase):
    def lost(self, *words, env=None, stdin=subprocess.DEVNULL):
        for stdout, redirection, reason in ways_to_lose():
            command = ["sh", "-c", f'exec "$@" {redirection}', "sh", RELIST, *words]
            done = subprocess.run([str(c) for c in command], stdin=stdin, stdout=stdout or subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True, timeout=harness.DEADLINE_S, check=False,
                                  env={**os.environ, **(env or {})})
            if stdout:
                stdout.close()
            self.assertEqual((1, f"relist: cannot write standard output: {reason}\n"), (done.returncode, done.stderr), words)

    def test_of_help_and_version(self):
        self.lost("--version")
        self.lost("run", "--help")

    def test_of_a_run_and_a_replay(self):
        self.lost("run", GOOD)
        self.lost("run", "--timeline", GOOD)
        self.lost("replay", GOOD)
        self.lost("replay", harness.temporary_file(TAPE, ".tape"))

    def test_of_a_run_that_nobody_reads_on_writes_no_report(self):
        report = os.path.join(tempfile.mkdtemp(), "r.json")
        self.lost("run", "--report", report, GOOD)
        self.assertFalse(os.path.exists(report))

    def test_of_serve_and_its_kubeconfig_is_not_left(self):
        folder = tempfile.mkdtemp()
        self.lost("serve", env={"TMPDIR": folder})
        self.assertEqual([], os.listdir(folder))

    def test_of_watch(self):
        reader, writer = os.pipe()  # an input that does not end
        with Server() as server:
            self.lost("watch", "cm", env=server.env, stdin=reader)
        os.close(reader)
        os.close(writer)


class LimitedFiles(unittest.TestCase):
    def test_a_report_that_is_larger_than_a_file_may_be(self):
        report = os.path.join(tempfile.mkdtemp(), "r.xml")
        code, _, err = harness.run(["sh", "-c", 'ulimit -f 0; exec "$@"', "sh", RELIST, "run", "--report", report, GOOD])
        self.assertEqual((1, f"relist: cannot write {report}: File too large\n"), (code, err))
        self.assertFalse(os.path.exists(report))


class LostErrors(unittest.TestCase):
    def test_standard_error_that_is_closed_changes_no_exit_status(self):
        for redirection in ("2>&-", "2>/dev/full"):
            for words in (["run", "/no/such/file"], ["frobnicate"], ["serve", "--port", "70000"]):
                code, out, _ = harness.run(["sh", "-c", f'exec "$@" {redirection}', "sh", RELIST, *words])
                self.assertEqual((1, ""), (code, out))


class StaysUp(unittest.TestCase):
    def test_serve_whose_first_line_was_all_that_anybody_read(self):
        server = subprocess.Popen([RELIST, "serve"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                  env={**os.environ, "TMPDIR": tempfile.mkdtemp()})
        self.addCleanup(server.stderr.close)
        self.addCleanup(server.kill)
        port = int(server.stdout.readline().split(",")[0].rsplit(":", 1)[1])
        server.stdout.close()
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=harness.DEADLINE_S)
        connection.request("GET", "/version")
        self.assertEqual(200, connection.getresponse().status)
        connection.close()
        server.send_signal(signal.SIGTERM)
        self.assertEqual((0, ""), (server.wait(timeout=harness.DEADLINE_S), server.stderr.read()))


class LostHistory(unittest.TestCase):
    def test_a_server_that_cannot_start_empties_no_history(self):
        path = harness.temporary_file("last night's\n", ".history")
        with Server() as server:
            code, _, err = harness.run([RELIST, "serve", "--port", server.port, "--history", path])
        self.assertEqual(1, code, err)
        self.assertEqual("last night's\n", pathlib.Path(path).read_text())


if __name__ == "__main__":
    harness.main()
