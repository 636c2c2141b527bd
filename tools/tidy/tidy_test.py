#!/usr/bin/env python3
"""The tree keeps its rules, and each rule finds what it is there to find."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cpp_text  # noqa: E402
import rules  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXT = (".h", ".cc", ".md", ".py", ".cmake", ".yaml", ".txt", "")


def tracked(git="git"):
    """What git tracks, or would: build folders and ignored files are nobody's business."""
    try:
        listed = subprocess.run([git, "-c", "safe.directory=*", "ls-files", "-coz", "--exclude-standard"],
                                cwd=ROOT, capture_output=True)
        if listed.returncode == 0:
            return [name for name in listed.stdout.decode().split("\0") if name]
    except FileNotFoundError:
        pass  # a machine without git
    names = []
    for folder, inside, files in os.walk(ROOT):  # an unpacked archive
        inside[:] = [name for name in inside if not re.match(r"build($|-)|\.git$|__pycache__$", name)]
        names += [os.path.relpath(os.path.join(folder, name), ROOT) for name in files
                  if name != ".git" and not name.endswith(".pyc")]
    return names


def tree():
    files = {}
    for name in tracked():
        path = ROOT / name
        if path.is_file():
            text = path.read_bytes().decode("utf-8", "replace") if path.suffix in TEXT else ""
            files[name] = text
    return files


class TreeTest(unittest.TestCase):
    def test_the_tree_keeps_the_rules(self):
        problems = rules.check(tree())
        if problems:
            self.fail(f"{len(problems)} problems\n" + "\n".join(problems))


    def test_the_tree_is_the_same_without_git(self):
        self.assertEqual(sorted(tracked()), sorted(tracked(git="no-such-git")))


class RulesTest(unittest.TestCase):
    def finds(self, rule, files, *parts):
        problems = list(rule(files))
        self.assertEqual(1, len(problems), problems)
        for part in parts:
            self.assertIn(part, problems[0])

    def passes(self, rule, files):
        self.assertEqual([], list(rule(files)))

    def test_a_backward_arrow_is_found(self):
        files = {"fakeapi/a.h": "", "core/b.h": "", "core/runtime/loop.h": "", "fakeapi/front/http_server.h": "",
                 "fakeapi/store/s.h": "", "fakeapi/read/r.h": ""}
        for source, target in [("core/x.cc", "fakeapi/a.h"), ("reflector/x.cc", "fakeapi/a.h"),
                               ("fakeapi/x.cc", "core/runtime/loop.h"), ("fakeapi/x.cc", "fakeapi/front/http_server.h"),
                               ("fakeapi/store/x.cc", "fakeapi/read/r.h"), ("fakeapi/store/x.cc", "fakeapi/a.h")]:
            self.finds(rules.arrows, {**files, source: f'#include "{target}"\n'}, source, target)
        self.passes(rules.arrows, {**files, "fakeapi/front/pump.cc": '#include "core/runtime/loop.h"\n'})
        self.passes(rules.arrows, {**files, "fakeapi/read/x.cc": '#include "fakeapi/store/s.h"\n'})
        self.passes(rules.arrows, {**files, "fakeapi/store/x_test.cc": '#include "fakeapi/read/r.h"\n'})
        self.passes(rules.arrows, {**files, "tools/x.cc": '#include "fakeapi/front/http_server.h"\n#include "core/b.h"\n'})

    def test_private_names_that_meet_in_a_batch_are_found(self):
        def private(text):
            return "namespace relist {\nnamespace {\n\n" + text + "\n\n}  // namespace\n}  // namespace relist\n"

        function = "int Size(int a,\n         int b) {\n  return a + b;\n}"
        for one, other in [("constexpr int kMax = 1;", "constexpr std::string_view kMax = \"x\";"),
                           ("struct Part {\n  int size = 0;\n};", "class Part {};"), (function, function),
                           (function, "enum class Size {\n  kSmall\n};"), ("using A = int;", "using A = long;")]:
            self.finds(rules.batched_names, {"scenarios/a.cc": private(one), "scenarios/b.cc": private(other)},
                       "scenarios/b.cc:4", "scenarios/a.cc:4")
            self.passes(rules.batched_names, {"scenarios/a.cc": private(one), "scenarios/b_test.cc": private(other)})
            self.passes(rules.batched_names, {"scenarios/a.cc": private(one), "core/b.cc": private(other)})
        overload = "int Size(long a) {\n  return a;\n}"
        for one, other in [(function, overload), ("using A = int;", "using A = int;"),
                           ("void F() {\n  struct In {};\n}", "void G() {\n  struct In {};\n}")]:
            self.passes(rules.batched_names, {"scenarios/a.cc": private(one), "scenarios/b.cc": private(other)})

    def test_an_include_that_is_not_relative_to_the_root_is_found(self):
        self.finds(rules.arrows, {"core/a.h": "", "core/a.cc": '#include "a.h"\n'}, "core/a.cc:1")

    def test_forbidden_headers_and_names_are_found(self):
        for path, text in [
                ("core/a.cc", "#include <random>\n"),
                ("fakeapi/store/store.cc", "#include <mutex>\n"),
                ("core/a.h", "#include <nlohmann/json.hpp>\n"),
                ("scenarios/a.cc", "#include <rapidcheck.h>\n"),
                ("tools/command/watch.cc", "#include <CLI/CLI.hpp>\n"),
                ("reflector/backoff.cc", "auto t = std::chrono::steady_clock::now();\n"),
                ("core/a.cc", "long t = time(nullptr);\n"),
                ("reflector/a_test.cc", "std::this_thread::sleep_for(x);\n")]:
            self.finds(rules.restricted, {path: text}, path + ":1")

    def test_comments_and_literals_are_not_code(self):
        self.passes(rules.restricted, {"core/a.cc": '// steady_clock\nchar* s = "system_clock";\n'
                                                    'auto r = R"(clock_gettime)";\nint n = 1\'000; char c = \'"\';\n'})

    def test_an_exception_with_a_reason_passes_and_one_without_does_not(self):
        self.passes(rules.restricted, {"core/a.cc": "// tidy: a reason\n#include <mutex>\n"})
        self.finds(rules.restricted, {"core/a.cc": "// tidy:\n#include <mutex>\n"})

    def test_iteration_over_an_unordered_container_is_found(self):
        declaration = "std::unordered_map<int, std::vector<int>> m_;\n"
        for use in ("for (const auto& [k, v] : m_) f(k);\n", "for (auto& x : a.m_) f(x);\n", "auto i = m_.begin();\n"):
            self.finds(rules.unordered, {"fakeapi/a.cc": declaration + use}, "fakeapi/a.cc:2", "m_")
            self.finds(rules.unordered, {"fakeapi/a.h": declaration, "fakeapi/a.cc": use}, "fakeapi/a.cc:1")
        self.passes(rules.unordered, {"fakeapi/a.cc": declaration + "if (m_.count(1)) f(m_.at(1), m_.end());\n"})
        self.passes(rules.unordered, {"tools/a.cc": declaration + "for (auto& x : m_) f(x);\n"})

    def test_a_lambda_in_an_awaiting_statement_is_found(self):
        for statement in ["co_await Run([&] { return x; });", "int y = co_await Run(loop, [this](int a) -> int { return a; });",
                          "auto z = Make([x] { f(x); }, co_await g);"]:
            self.finds(rules.awaited_lambdas, {"core/a.cc": "Task<int> F() {\n  " + statement + "\n}\n"}, "core/a.cc:2")

    def test_a_lambda_in_another_statement_passes(self):
        self.passes(rules.awaited_lambdas, {"core/a.cc": """
Task<int> F() {
  auto f = [&] { return x; };
  co_await f;
  if (co_await g == 0) {
    Call([&] { return 1; });
  }
  for (int i : v) { Call([&] { return 1; }); }
  co_await h[1];
}
"""})

    def test_long_files_functions_and_lines_are_found(self):
        self.finds(rules.sizes, {"core/a.cc": "\n" * 401}, "401 lines")
        self.finds(rules.sizes, {"core/a.cc": "namespace x {\nint F(int a) {\n" + "  a++;\n" * 70 + "}\n}\n"}, "F has 72")
        self.finds(rules.sizes, {"core/a.cc": "int " + "a" * 100 + ";\n"}, "105 columns")
        self.passes(rules.sizes, {"core/a.cc": "class A {\n" + "  int a;\n" * 100 + "};\nint F() {\n" + "  a++;\n" * 60 + "}\n"})

    def test_functions_are_seen_with_their_names(self):
        code = "namespace n {\nclass A : public B {\n  int F() const { return 1; }\n};\nA::A(int x)\n    : x_(x) {\n  g([] { h(); });\n}\n}\n"
        self.assertEqual([(3, 3, "F"), (5, 8, "A::A")], cpp_text.functions(code))

    def test_a_test_without_a_namesake_is_found(self):
        self.finds(lambda f: [p for p in rules.tests_beside(f) if p.startswith("core")], {"core/a_test.cc": ""}, "core/a_test.cc")
        self.passes(lambda f: [p for p in rules.tests_beside(f) if p.startswith("core")], {"core/a_test.cc": "", "core/a.h": ""})

    def test_documents_with_dead_links_or_two_titles_are_found(self):
        self.finds(rules.documents, {"a.md": "# A\n\n# B\n"}, "found 2")
        self.finds(rules.documents, {"a.md": "# A\n[x](b.md)\n"}, "a.md:2", "dead link")
        self.finds(rules.documents, {"a.md": "# A\n[x](#nowhere)\n"}, "no such heading")
        self.passes(rules.documents, {"d/a.md": "# A\n[x](../b.md#some-place) [y](../e) [z](https://x.y)\n```\n# not a title\n```\n",
                                      "b.md": "# B\n## Some place\n", "e/f.cc": ""})

    def test_words_that_say_nothing_to_a_reader_are_found(self):
        word = "ses" + "sion"
        self.finds(rules.words, {"a.md": f"written in this {word}\n"}, "a.md:1")
        self.finds(rules.words, {"a.cc": f"// an earlier {word} did it\nint {word};\n"}, "a.cc:1")
        self.finds(rules.words, {"a.py": "x = '" + "/wo" + "rk/main'\n"}, "a.py:1")
        self.finds(rules.words, {"a.cc": "// TO" + "DO: later\n"}, "unfinished")
        self.passes(rules.words, {"a.md": f"A watch {word} ends; TLS {word}s, too.\n"})
        self.passes(rules.words, {"a.cc": f"// The {word} is asked.\nWatchSession* s;\n"})


if __name__ == "__main__":
    unittest.main()
