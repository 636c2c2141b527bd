"""The files, pipes and signals of relist serve: what it writes takes nobody's place, and whoever does not read holds it up
in nothing."""

import fcntl
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

import harness
from harness import RELIST, Process, Server

LEAVE = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)
LIST = "kind: List\napiVersion: v1\nitems: []\n"


def fifo():
    path = os.path.join(tempfile.mkdtemp(), "pipe")
    os.mkfifo(path)
    return path


def small_pipe():
    """Its two ends; it holds a page."""
    reader, writer = os.pipe()
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    return reader, writer


def read_all(reader):
    with os.fdopen(reader, "rb") as file:
        return file.read().decode()


class FilesTest(unittest.TestCase):
    def test_no_output_takes_an_input_s_place(self):
        inputs = (("--objects", LIST), ("--scenario", "name: x\nclients: [{}]\n"))
        for output in ("--history", "--kubeconfig"):
            for option, text in inputs:
                path = pathlib.Path(harness.temporary_file(text, ".yaml"))
                link = str(path) + ".link"
                os.symlink(path, link)
                for same in (str(path), f"{path.parent}/./{path.name}", link):
                    status, out, err = harness.run([RELIST, "serve", output, same, option, path])
                    self.assertEqual((1, ""), (status, out), err)
                    self.assertEqual(f"relist: {output} {same}: this is the file of {option}, which it would empty: name another\n", err)
                    self.assertEqual(text, path.read_text())

    def test_history_and_kubeconfig_are_two_files(self):
        path = os.path.join(tempfile.mkdtemp(), "both")
        status, out, err = harness.run([RELIST, "serve", "--history", path, "--kubeconfig", path])
        self.assertEqual((1, "", f"relist: --kubeconfig {path}: this is the file of --history, too: name another\n"), (status, out, err))
        self.assertFalse(os.path.exists(path))

    def test_the_kubeconfig_that_nobody_named_takes_no_input_s_place_either(self):
        with Server() as server:  # for a port that is free
            port = server.port
        folder = tempfile.mkdtemp()
        path = pathlib.Path(folder, f"relist-{port}.yaml")
        path.write_text(LIST)
        history = harness.temporary_file("last night's\n", ".history")
        status, out, err = harness.run([RELIST, "serve", "--port", port, "--objects", path, "--history", history], env={"TMPDIR": folder})
        self.assertEqual((1, ""), (status, out), err)
        self.assertIn("this is the file of --objects", err)
        self.assertEqual(LIST, path.read_text())
        self.assertEqual("last night's\n", pathlib.Path(history).read_text())

    def test_devices_may_be_shared(self):
        with Server("--history", "/dev/null", "--kubeconfig", "/dev/null") as server:
            self.assertEqual(0, server.stop())


class SignalsTest(unittest.TestCase):
    def test_each_leave_signal_ends_it_with_0_and_takes_its_kubeconfig_along(self):
        for number in LEAVE:
            with Server() as server:
                self.assertEqual(0, server.stop(number), number)
                self.assertFalse(os.path.exists(server.kubeconfig))

    def test_pipes_that_nobody_reads_do_not_make_it_deaf_at_its_start(self):
        for option in ("--history", "--kubeconfig"):
            for number in (signal.SIGTERM, signal.SIGINT):
                folder = tempfile.mkdtemp()
                with Process([RELIST, "serve", option, fifo()], env={"TMPDIR": folder}) as server:
                    self.until_it_waits(server)
                    server.signal(number)
                    self.assertEqual(-number, server.wait(10), option)
                    self.assertEqual([], os.listdir(folder))

    def until_it_waits(self, server):
        """Until its first thread sleeps in an open, or, where the system does not tell, for a second."""
        end = time.monotonic() + harness.DEADLINE_S
        second = time.monotonic() + 1
        while time.monotonic() < end:
            try:
                with open(f"/proc/{server.process.pid}/wchan", encoding="ascii") as file:
                    where = file.read()
            except OSError:
                where = "0"
            if "wait_for_partner" in where or (where == "0" and time.monotonic() > second):
                return
            time.sleep(0.01)
        self.fail("it does not wait")

    def test_a_first_line_that_nobody_reads_does_not_make_it_deaf(self):
        reader, writer = small_pipe()
        os.set_blocking(writer, False)
        os.write(writer, b"x" * 4096)
        os.set_blocking(writer, True)
        folder = tempfile.mkdtemp()
        server = subprocess.Popen([RELIST, "serve"], stdout=writer, env={**os.environ, "TMPDIR": folder})
        self.addCleanup(server.kill)
        os.close(writer)
        end = time.monotonic() + harness.DEADLINE_S
        while not os.listdir(folder) and time.monotonic() < end:
            time.sleep(0.01)
        server.send_signal(signal.SIGTERM)
        self.assertEqual(0, server.wait(10))
        self.assertEqual([], os.listdir(folder))
        os.close(reader)

    def test_a_second_signal_ends_the_grace_and_nothing_else(self):
        history = os.path.join(tempfile.mkdtemp(), "history")
        with Server("--shutdown-grace", "60s", "--history", history) as server:
            connection = server.connect()
            connection.request("GET", "/api/v1/configmaps?watch=true")
            answer = connection.getresponse()
            server.request("POST", "/relist/v1/inject", {"faults": [{"fault": "cut", "on": "list"}]})
            server.signal(signal.SIGTERM)
            time.sleep(0.3)
            self.assertIsNone(server.process.poll())
            start = time.monotonic()
            server.signal(signal.SIGTERM)
            answer.read()  # IncompleteRead unless the last chunk came
            self.assertEqual(1, server.wait())
            self.assertLess(time.monotonic() - start, 10)
            self.assertIn("never struck", server.stderr())
            self.assertFalse(os.path.exists(server.kubeconfig))
        self.assertIn("last chunk", pathlib.Path(history).read_text())


class UnreadTest(unittest.TestCase):
    def start(self, *options, **streams):
        env = {**os.environ, "TMPDIR": tempfile.mkdtemp()}
        process = subprocess.Popen([RELIST, "serve", *options], stdout=subprocess.PIPE, text=True, env=env, **streams)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        port = int(process.stdout.readline().split(",")[0].rsplit(":", 1)[1])
        return process, port

    def ask(self, port, times, path):
        """All on one connection: each is answered."""
        connection = harness.http.client.HTTPConnection("127.0.0.1", port, timeout=harness.DEADLINE_S)
        for _ in range(times):
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            self.assertEqual(200, answer.status)
        connection.close()

    def test_a_log_that_nobody_reads_holds_up_nobody_and_tells_what_it_dropped(self):
        reader, writer = small_pipe()
        server, port = self.start("--log", "requests", stderr=writer)
        os.close(writer)
        self.ask(port, 400, "/version?" + "x" * 8000)  # 3 MB of log
        with os.fdopen(reader, "rb", buffering=0) as pipe:
            text = b""
            while b"are missing here" not in text:
                more = pipe.read(65536)
                self.assertTrue(more)
                text += more
            self.ask(port, 1, "/healthz")
            server.send_signal(signal.SIGTERM)
            self.assertEqual(0, server.wait(harness.DEADLINE_S))
            text += pipe.readall()
        lines = text.decode().splitlines()
        at = [n for n, line in enumerate(lines) if "are missing here" in line]
        self.assertEqual(1, len(at))
        dropped = int(lines[at[0]].removeprefix("relist: ").split()[0])
        self.assertEqual(f"relist: {dropped} lines of the log are missing here: nobody read them in time", lines[at[0]])
        self.assertEqual(401, len(lines) - 1 + dropped)
        self.assertIn("/healthz", lines[-1])

    def test_a_log_that_nobody_reads_to_the_end_does_not_keep_it(self):
        reader, writer = small_pipe()
        server, port = self.start("--log", "requests", stderr=writer)
        self.ask(port, 30, "/version?" + "x" * 8000)
        server.send_signal(signal.SIGTERM)
        self.assertEqual(0, server.wait(15))
        os.close(reader)
        os.close(writer)

    def test_a_history_whose_reader_stalls_holds_up_nobody_and_loses_nothing(self):
        path = fifo()
        reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        os.set_blocking(reader, True)
        with Server("--history", path) as server:
            for round_ in range(3):
                for number in range(40):
                    server.create(f"c{number}", {"k": "x" * 10000})
                self.assertEqual(200, server.request("POST", "/relist/v1/reset")[0], round_)
            server.signal(signal.SIGTERM)
            lines = [json.loads(line) for line in read_all(reader).splitlines()]
            self.assertEqual(0, server.wait())
            made = [line["key"] for line in lines if line["what"] == "commit" and line["type"] == "ADDED" and "/c" in line["key"]]
            self.assertEqual([f"default/c{n}" for n in range(40)] * 3, made)

    def test_a_history_that_nobody_reads_to_the_end_does_not_keep_it_and_is_told(self):
        for numbers in ((signal.SIGTERM,), (signal.SIGINT, signal.SIGTERM)):
            path = fifo()
            reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
            with Server("--history", path) as server:
                for number in range(20):
                    server.create(f"c{number}", {"k": "x" * 10000})
                for number in numbers:
                    server.signal(number)
                    time.sleep(0.1)
                self.assertEqual(1, server.wait(20))
                self.assertRegex(server.stderr(), rf"^relist: {path}: nobody read it: its last \d+ lines \(\d+ bytes\) are not written\n$")
            os.close(reader)

    def watches(self, server):
        caches = server.request("GET", "/relist/v1/state")[1]["replicas"][0]["caches"]
        return sum(cache["watches"] for cache in caches if cache["resource"] == "configmaps")

    def test_a_watch_that_nobody_reads_hears_signals_and_tells_what_is_lost(self):
        with Server() as server:
            for number in range(300):
                server.create(f"c{number}")
            for number in (signal.SIGTERM, signal.SIGQUIT):
                reader, writer = small_pipe()
                stdin, keep = os.pipe()
                watch = subprocess.Popen([RELIST, "watch", "cm"], stdin=stdin, stdout=writer, stderr=subprocess.PIPE, text=True,
                                         env={**os.environ, **server.env})
                self.addCleanup(watch.stderr.close)
                self.addCleanup(watch.wait)
                self.addCleanup(watch.kill)
                os.close(writer)
                end = time.monotonic() + harness.DEADLINE_S
                while self.watches(server) == 0 and time.monotonic() < end:
                    time.sleep(0.05)
                time.sleep(0.5)
                watch.send_signal(number)
                self.assertEqual(1, watch.wait(20))
                self.assertRegex(watch.stderr.read(), r"^relist: standard output: nobody read it: its last \d+ lines are lost\n$")
                for file in (reader, stdin, keep):
                    os.close(file)

    def test_a_history_that_cannot_be_written_is_told_at_once_and_the_server_goes_on(self):
        with Server("--history", "/dev/full") as server:
            end = time.monotonic() + harness.DEADLINE_S
            while not server.stderr() and time.monotonic() < end:
                time.sleep(0.05)
            told = "relist: cannot write /dev/full: No space left on device; the server goes on without this file\n"
            self.assertEqual(told, server.stderr())
            server.create("a")
            self.assertIn('"commit"', server.request("GET", "/relist/v1/history")[1])
            self.assertEqual(1, server.stop())
            self.assertEqual(told, server.stderr())


if __name__ == "__main__":
    harness.main()
