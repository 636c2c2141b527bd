#!/usr/bin/env python3
"""reflector/PARITY.md against the sources: what it promises is there, and its tests fail without it.

    tools/parity/parity.py --check             no row is missing, no named test either; in seconds
    tools/parity/parity.py --run build/parity  turns off one switch after another and sees the row's tests fail
    tools/parity/parity.py --run build/parity --only RFL-11,WCH-05b

A row is `| RFL-11 | behaviour | yes: where | tests |`; tests are full gtest names in backticks. A switch is
Behaves("RFL-11") in reflector/ (reflector/parity_switch.h), with a letter where a row has several; --run wants a build
with -DRELIST_PARITY_SWITCHES=ON. Exit status: 0 good, 1 a promise is broken.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
from collections import namedtuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = "reflector/PARITY.md"
IDS = "tools/parity/ids.txt"
SECONDS_EACH = 20

ID = re.compile(r"[A-Z][A-Z0-9]{2}-\d+")
Row = namedtuple("Row", "id line ours tests")


# --- what is written ------------------------------------------------------------------------------------------------


def wanted_ids(text):
    """{"RFL": 17} of "RFL 17" lines."""
    lines = [line.split("#")[0].split() for line in text.split("\n")]
    return {family: int(count) for family, count in (line for line in lines if line)}


def normal(name):
    """RFL-01 and RFL-1 are one."""
    family, number = name.split("-")
    return f"{family}-{int(number)}"


def rows_of(table):
    """The rows that begin with something like an id; what is wrong with the others is for check_rows."""
    for number, line in enumerate(table.split("\n"), 1):
        if not line.startswith("| "):
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if cells and ID.match(cells[0]):
            yield Row(cells[0], number, cells[2] if len(cells) > 2 else "", cells[3] if len(cells) > 3 else "")


def tests_named(cell):
    return re.findall(r"`([A-Z]\w*(?:/\d+)?\.[A-Z]\w*)`", cell)


def source_name(test):
    """Suite.Test of Suite/0.Test, which is a typed test's."""
    return re.sub(r"/\d+\.", ".", test)


def tests_in(text):
    """Suite.Test of each TEST, TEST_F, and RapidCheck's likes, in one file."""
    return {f"{m.group(1)}.{m.group(2)}"
            for m in re.finditer(r"^\s*(?:TEST|TEST_F|TEST_P|TYPED_TEST|RC_GTEST_PROP)\(\s*(\w+)\s*,\s*(\w+)", text, re.M)}


def switches_in(text):
    return set(re.findall(r'\bBehaves\("([^"]*)"\)', text))


def row_id(switch):
    return re.sub(r"[a-z]$", "", switch)


# --- --check --------------------------------------------------------------------------------------------------------


def check(files):
    """Takes {path: text} and yields "path:line: what is wrong"."""
    rows = list(rows_of(files[TABLE]))
    yield from check_ids(rows, wanted_ids(files[IDS]))
    known = set().union(*(tests_in(text) for path, text in files.items() if path.endswith("_test.cc")))
    for row in rows:
        yield from check_row(row)
    yield from check_names(files[TABLE], known)
    have = {normal(row.id) for row in rows if ID.fullmatch(row.id)}
    for path, text in sorted(files.items()):
        if path.startswith("reflector/") and path.endswith((".h", ".cc")) and "parity_switch" not in path:
            for switch in sorted(switches_in(text)):
                if not ID.fullmatch(row_id(switch)) or normal(row_id(switch)) not in have:
                    yield f'{path}:1: Behaves("{switch}") has no row in {TABLE}'


def check_ids(rows, wanted):
    seen = {}
    for row in rows:
        if not ID.fullmatch(row.id):
            yield f"{TABLE}:{row.line}: {row.id}: one id a row, so that each can be found"
            continue
        name = normal(row.id)
        if name in seen:
            yield f"{TABLE}:{row.line}: {row.id} has a row in line {seen[name]} already"
        seen.setdefault(name, row.line)
    for family, count in wanted.items():
        missing = [f"{family}-{n}" for n in range(1, count + 1) if f"{family}-{n}" not in seen]
        if missing:
            yield f"{TABLE}:1: no row for {', '.join(missing)}"


def check_row(row):
    where = f"{TABLE}:{row.line}: {row.id}"
    said = re.match(r"(yes|no)\b(.*)", row.ours)
    if "not yet" in (row.ours + row.tests).lower():
        yield f"{where}: not yet is no answer"
    elif not said:
        yield f'{where}: says neither "yes" nor "no": {row.ours[:40]}'
    elif said.group(1) == "no" and len(said.group(2).strip(" :,;-")) < 10:
        yield f"{where}: no, and why not?"
    if said and said.group(1) == "yes" and not tests_named(row.tests):
        yield f"{where}: yes, and no test says so"


def check_names(table, known):
    """Wherever they stand, also in tables without ids."""
    for number, line in enumerate(table.split("\n"), 1):
        for name in tests_named(line):
            if source_name(name) not in known:
                yield f"{TABLE}:{number}: there is no test {name}"


def tree():
    """The texts that count: the two lists, and the sources."""
    files = {name: (ROOT / name).read_text() for name in (TABLE, IDS)}
    for folder in ("core", "reflector", "scenarios", "property_tests", "tools"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".h", ".cc") and path.is_file():
                files[str(path.relative_to(ROOT))] = path.read_text(errors="replace")
    return files


# --- --run ----------------------------------------------------------------------------------------------------------


def plan(files):
    """(switch, the tests of its row) of each switch, in order. Only tests of reflector/, which one binary has."""
    local = set().union(*(tests_in(text) for path, text in files.items()
                          if path.startswith("reflector/") and path.endswith("_test.cc")))
    tests = {normal(row.id): [name for name in tests_named(row.tests) if source_name(name) in local]
             for row in rows_of(files[TABLE]) if ID.fullmatch(row.id)}
    switches = set().union(*(switches_in(text) for path, text in files.items()
                             if path.startswith("reflector/") and "parity_switch" not in path))
    return [(switch, tests.get(normal(row_id(switch)), [])) for switch in sorted(switches)
            if ID.fullmatch(row_id(switch))]


def outcome(binary, tests, off, seconds=None):
    """How the tests did with one behaviour off: "passed", "failed", "timed out", or "crashed"."""
    try:
        done = subprocess.run([str(binary), "--gtest_brief=1", "--gtest_filter=" + ":".join(tests)], cwd=ROOT,
                              env={**os.environ, "RELIST_PARITY_OFF": off}, timeout=seconds or SECONDS_EACH,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    except subprocess.TimeoutExpired:
        return "timed out"
    if done.returncode < 0:
        return "crashed"
    return "failed" if done.returncode else "passed"


def verdict(switch, tests, how):
    """(whether it is good, the line to print)."""
    if not tests:
        return False, f"BAD  {switch}: its row names no test of reflector/"
    good = how in ("failed", "timed out")
    what = {"passed": "its tests pass without it", "crashed": "its tests crash without it"}.get(how, how)
    return good, f"{'good' if good else 'BAD '} {switch}: {what} ({', '.join(tests[:2])}{', ...' if tests[2:] else ''})"


def run(build, only):
    binary = pathlib.Path(build).resolve() / "reflector" / "reflector_test"
    if not binary.is_file():
        print(f"{binary} is not there: build reflector_test with -DRELIST_PARITY_SWITCHES=ON", file=sys.stderr)
        return 1
    steps = [(switch, tests) for switch, tests in plan(tree()) if not only or switch in only]
    everything = sorted({name for _, tests in steps for name in tests})
    if not everything or outcome(binary, everything, "", 30 * SECONDS_EACH) != "passed":
        print("the tests fail, or take too long, with nothing turned off")
        return 1
    bad = hung = 0
    for switch, tests in steps:
        how = outcome(binary, tests, switch) if tests else ""
        good, line = verdict(switch, tests, how)
        bad += not good
        hung += how == "timed out"
        print(line, flush=True)
    print(f"parity: {len(steps)} behaviours turned off, {bad} not noticed, {hung} by a time-out")
    return 1 if bad else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--check", action="store_true")
    what.add_argument("--run", metavar="BUILD_DIR")
    parser.add_argument("--only", default="", help="switches, with commas between them")
    arguments = parser.parse_args()
    if arguments.run:
        return run(arguments.run, set(filter(None, arguments.only.split(","))))
    problems = list(check(tree()))
    print("\n".join(problems + [f"parity: {len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
