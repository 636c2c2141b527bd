#!/usr/bin/env python3
"""relist run --schema and --list-actions: the schema takes every case of ours and refuses what relist refuses."""

import json
import os
import sys
import unittest

try:
    import jsonschema
    import yaml
except ImportError:  # this Python has no Debian packages; Debian's own has those that tools/setup brought
    if sys.executable == "/usr/bin/python3":
        raise
    os.execv("/usr/bin/python3", ["/usr/bin/python3", "-B", *sys.argv])

import harness
from harness import RELIST, ROOT, temporary_file

CASES = sorted((ROOT / "scenarios/cases").rglob("*.yaml"))


class Yaml12(yaml.SafeLoader):
    """`on` is a word, as in YAML 1.2, which editors read, and relist."""


Yaml12.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool" or first in "tTfF"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()}


def run(*words):
    return harness.run([RELIST, "run", *words])


def language(word):
    code, out, err = run(word)
    assert (code, err) == (0, ""), (code, err)
    return out


class LanguageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.schema = json.loads(language("--schema"))
        jsonschema.Draft7Validator.check_schema(cls.schema)
        cls.validator = jsonschema.Draft7Validator(cls.schema)

    def flaws(self, text):
        return [error.message for error in self.validator.iter_errors(yaml.load(text, Yaml12))]

    def test_every_case_is_in_the_schema(self):
        cases = [path for path in CASES if path.parent.name != "objects"]
        self.assertGreater(len(cases), 40)
        for path in cases:
            with self.subTest(path.name):
                self.assertEqual([], self.flaws(path.read_text()))

    def test_what_relist_refuses_the_schema_refuses(self):
        for text in ("about: no name", "name: n\nstepz: []", "name: n\nsteps: [{at: 1s, do: evikt}]",
                     "name: n\nsteps: [{at: soon, do: evict}]", "name: n\nsteps: [{at: 1s, do: evict, by: 5s}]",
                     "name: n\nfaults: [{on: list, fault: cut, nth: few}]",
                     "name: n\nfaults: [{on: lists, fault: cut}]", "name: n\nserver: {replicas: 11}",
                     "name: n\nfaults: [{on: list, fault: cut, chance: 1.5}]", "name: n\nlegal: 1",
                     "name: n\nexpect: {client: {stor: []}}", "name: n\nobjects: [{labels: {a: b}}]",
                     "name: n\nsteps: [{when: {seen: default/a, page: 1}, do: evict}]"):
            with self.subTest(text):
                self.assertNotEqual([], self.flaws(text))
                self.assertEqual(1, run(temporary_file(text, ".yaml"))[0])

    def test_the_list_has_every_word_with_its_keys(self):
        out = language("--list-actions")
        for line in ("step: evict (the watch windows start empty: older watches expire)", "  by ", "fault: cut (",
                     "server\n", "expect: client (what a client must be seen to do)"):
            self.assertIn(line, out)
        readme = (ROOT / "scenarios/README.md").read_text()
        for line in out.splitlines():
            word = line.split(" ")[1] if line.startswith(("step: ", "fault: ")) else None
            if word:
                self.assertTrue(f"do: {word}" in readme or f"`{word}`" in readme, f"README.md lacks {word}")

    def test_one_thing_at_a_time(self):
        for words, told in ((["--schema", "--list-actions"], "one at a time"), (["--schema", str(CASES[0])], "leave the files out"),
                            ([], "give a scenario")):
            code, out, err = run(*words)
            self.assertEqual((1, "", 1), (code, out, err.count("\n")))
            self.assertIn(told, err)


if __name__ == "__main__":
    harness.main()
