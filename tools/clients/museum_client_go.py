#!/usr/bin/env python3
"""What client-go's own informer makes of museum cases in which ours has a better option: it fails as ours does without it.

Takes twelve minutes, for a dead watch has to be waited for in real time; all cases run at once. Needs Go. Run by .ci/nightly.
"""

import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import harness
from harness import RELIST, ROOT, Process, Server

HERE = pathlib.Path(__file__).resolve().parent
MUSEUM = ROOT / "scenarios/cases/museum"
# Longer than the longest timeoutSeconds that client-go draws, and what ours waits beyond it.
LONGEST_WATCH_S = 600 + 45


def is_list(target):
    return "watch=" not in target


def lists_again(targets):
    """A list where another watch is due."""
    return [is_list(target) for target in targets[:3]] == [True, False, True]


def never_lists(targets):
    """Nothing but the streaming list that never comes to its end."""
    return len(targets) > 0 and all("sendInitialEvents=true" in target for target in targets)


def goes_round(targets):
    """Lists at one version, and watches from it, again and again."""
    versions = [target.split("resourceVersion=")[1].split("&")[0] for target in targets if "resourceVersion=" in target]
    return len(targets) >= 6 and len(set(versions[-4:])) == 1


def hangs(targets):
    """No request behind the watch that went silent."""
    return 1 <= len(targets) <= 2


# Of each case: how client-go is started, for how long, and how it fails.
SILENT = {
    "balancer_holds_a_dead_watch_open": ["--list", "services", "default"],
    "frozen_server_is_never_left": ["--list", "--agent", "nodes", "nodes"],
    "long_watch_goes_silent": ["--list", "deployments.v1.apps"],
    "middlebox_forgets_an_idle_watch": ["--list", "configmaps"],
    "plain_watch_falls_silent": ["--agent", "default-timeout", "configmaps", "default"],
    "read_stays_pending_for_ever": ["--list", "secrets", "default"],
    "timeout_is_left_to_the_server": ["--list", "pods", "default"],
    "upgrade_leaves_a_watch_half_open": ["--list", "nodes"],
    "watch_has_lost_its_deadline": ["--list", "--agent", "head-only", "services", "default"],
}
CASES = {
    "undecodable_line_costs_a_relist": (["--list", "configmaps", "default"], 12, lists_again),
    "fake_server_sends_no_end": (["pods", "default"], 60, never_lists),
    "end_bookmark_is_bare": (["configmaps", "default"], 60, never_lists),
    "exact_relist_returns_to_expired_version": (["--list", "--limit", "500", "pods", "default"], 60, goes_round),
    **{case: (words, LONGEST_WATCH_S, hangs) for case, words in SILENT.items()},
}


def requests_of(history):
    lines = [json.loads(line) for line in pathlib.Path(history).read_text().splitlines()]
    return [line["target"] for line in lines if line["what"] == "request" and "?" in line["target"]]


def try_case(client, case, words, seconds, fails):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="relist-client-go-"))
    server = Server("--scenario", MUSEUM / f"{case}.yaml", "--rate", "1", "--history", folder / "history")
    with server, Process([client, *words], env=server.env) as informer:
        time.sleep(seconds)
        informer.close_input()
        informer.wait()
        server.stop()
    targets = requests_of(folder / "history")
    return fails(targets), targets


class MuseumClientGo(unittest.TestCase):
    def test_client_go_fails_as_our_default_does(self):
        client = pathlib.Path(tempfile.mkdtemp(prefix="relist-client-go-")) / "client_go"
        subprocess.run(["go", "build", "-o", client, "."], cwd=HERE / "client_go", check=True)
        with concurrent.futures.ThreadPoolExecutor(len(CASES)) as pool:
            running = {case: pool.submit(try_case, client, case, *how) for case, how in CASES.items()}
            for case, future in running.items():
                with self.subTest(case):
                    failed, targets = future.result()
                    print(f"{case}: client-go {'fails, too' if failed else 'does not fail'}", flush=True)
                    self.assertTrue(failed, targets)


if __name__ == "__main__":
    harness.main()
