#!/usr/bin/env python3
"""The museum's cases, each seen to fail: with a wrong client or server, made by a patch or an option, it must not be good.

    property_tests/mutants/museum.py                   all mutants, then all options; exit status 0 where each case fails
    property_tests/mutants/museum.py NAME...           these mutants alone
    property_tests/mutants/museum.py --options RELIST  the options alone, with this command, in seconds

museum.yaml says what brings which case to fail. A mutant is a patch beside it: the tree is copied to build/mutants, patched, built, and
runs the cases of that patch; then the patch is taken back. The command without any of them must find each of its cases good.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

try:
    import yaml
except ImportError:  # Debian's own Python has the packages that tools/setup brought
    if sys.executable == "/usr/bin/python3":
        raise
    os.execv("/usr/bin/python3", ["/usr/bin/python3", "-B", *sys.argv])

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
MUSEUM = ROOT / "scenarios/cases/museum"
WORK = ROOT / "build/mutants"
PATIENCE_S = 300
BROKEN = (2, 3)  # a safety property or an expectation, a liveness property


def table():
    """{case: {"mutant": name} | {"option": {...}}}."""
    return yaml.safe_load((HERE / "museum.yaml").read_text())


def run(relist, case, *words):
    """The exit status of a case in the simulation, and what was told."""
    try:
        done = subprocess.run([relist, "run", MUSEUM / f"{case}.yaml", *words], capture_output=True, text=True, timeout=PATIENCE_S)
    except subprocess.TimeoutExpired:
        return None, f"it was not over after {PATIENCE_S} s"
    return done.returncode, done.stdout + done.stderr


class Copy:
    """The tree, somewhere else, with at most one patch."""

    def __init__(self):
        self.source, self.build = WORK / "source", WORK / "build"

    def prepare(self):
        WORK.mkdir(parents=True, exist_ok=True)
        files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
        keep = set()
        for name in files.decode().split("\0"):
            origin, copy = ROOT / name, self.source / name
            if not name or not origin.is_file():
                continue
            keep.add(copy)
            if copy.is_file() and copy.read_bytes() == origin.read_bytes():
                continue
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(origin, copy)
            shutil.copymode(origin, copy)
        for copy in self.source.rglob("*"):
            if copy.is_file() and copy not in keep:
                copy.unlink()
        launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        self.call(["cmake", "-G", "Ninja", "-S", self.source, "-B", self.build, "-DCMAKE_BUILD_TYPE=None",
                   "-DCMAKE_CXX_FLAGS=-O0 -g0 -D_GLIBCXX_ASSERTIONS", "-DRELIST_DEVELOPER_MODE=ON", *launcher])

    def call(self, words):
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{' '.join(map(str, words))}:\n{done.stdout}{done.stderr}")

    def relist(self):
        self.call(["cmake", "--build", self.build, "--target", "relist"])
        return self.build / "tools/relist"

    def patch(self, name, *reverse):
        self.call(["patch", "-p1", "-s", "-f", "-d", self.source, *reverse, "-i", HERE / f"{name}.patch"])


def try_options(relist, cases):
    failures = []
    for case, option in sorted(cases.items()):
        words = [word for key, value in option.items() for word in ("--client-option", f"{key}: {json.dumps(value)}")]
        good, bad = run(relist, case), run(relist, case, *words)
        report(case, " ".join(words), good, bad, failures)
    return failures


def report(case, how, good, bad, failures):
    (status, told), (bad_status, said) = good, bad
    if status == 0 and bad_status in BROKEN:
        print(f"seen to fail: {case}, with {how}", flush=True)
        return
    failures.append(case)
    why = f"exit status {bad_status}, where 2 or 3 is due\n{said}" if status == 0 else f"not good without it\n{told}"
    print(f"FAILED: {case}, with {how}: {why}", flush=True)


def try_mutants(cases, names):
    failures = []
    copy = Copy()
    copy.prepare()
    of = {}
    for case, mutant in cases.items():
        of.setdefault(mutant, []).append(case)
    unknown = [name for name in names if name not in of]
    if unknown:
        raise RuntimeError(f"museum.yaml has no mutant {', '.join(unknown)}")
    relist = copy.relist()
    goods = {case: run(relist, case) for case in cases}
    for mutant in sorted(names or of):
        copy.patch(mutant)
        try:
            relist = copy.relist()
            for case in sorted(of[mutant]):
                report(case, mutant, goods[case], run(relist, case), failures)
        except RuntimeError as error:
            failures.append(mutant)
            print(f"FAILED: {mutant} does not build\n{str(error)[-4000:]}", flush=True)
        finally:
            copy.patch(mutant, "-R")
    return failures


def main(words):
    how = table()
    options = {case: entry["option"] for case, entry in how.items() if "option" in entry}
    mutants = {case: entry["mutant"] for case, entry in how.items() if "mutant" in entry}
    if words[:1] == ["--options"]:
        failures = try_options(words[1], options)
        tried = len(options)
    else:
        failures = try_mutants(mutants, words)
        tried = sum(1 for case in mutants if not words or mutants[case] in words)
        if not words:
            failures += try_options(Copy().relist(), options)  # the last patch is out, and not built yet
            tried += len(options)
    print(f"{tried - len(failures)} of {tried} cases were seen to fail")
    return 1 if failures or tried == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
