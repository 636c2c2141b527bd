"""The rules of the tree. Each takes {path: text} and yields "path:line: what is wrong"."""

import posixpath
import re

import cpp_text

CPP = (".h", ".cc")

# --- which way the arrows point -------------------------------------------------------------------------------------

# The fake's folders, each with those that it stands on.
FAKEAPI = {
    "encoding": [],
    "api": ["encoding"],
    "objects": ["encoding", "api"],
    "store": ["encoding", "api", "objects"],
    "answer": ["encoding", "api", "objects", "store"],
    "read": ["encoding", "api", "objects", "store", "answer"],
    "write": ["encoding", "api", "objects", "store", "answer"],
    "controllers": ["encoding", "api", "objects", "store", "answer", "write"],
    "http": ["encoding", "api"],
}
# What scenarios are made of, likewise.
SCENARIOS = {
    "scenarios/checkers": [],
    "scenarios/script": ["scenarios/checkers"],
    "scenarios/histories": ["scenarios/checkers"],
    "scenarios/play": ["scenarios/script"],
    "scenarios/lives": ["scenarios/checkers", "scenarios/play"],
    "scenarios/report": ["scenarios", "scenarios/checkers", "scenarios/script", "scenarios/histories"],
    "scenarios": ["scenarios/checkers", "scenarios/script", "scenarios/histories", "scenarios/play"],
}
FAKE = ["fakeapi"] + [f"fakeapi/{folder}" for folder in FAKEAPI]
BOTH = ["core/wire", "core/runtime", *FAKE, "fakeapi/front", "reflector"]

# A file belongs to the first part whose pattern matches; it may include headers of its own part and of those named.
PARTS = [
    ("core/runtime", r"core/(runtime|net)/", ["core/wire"]),
    ("core/wire", r"core/", []),
    ("fakeapi/front", r"fakeapi/front/", ["core/wire", "core/runtime", *FAKE]),
    *[(f"fakeapi/{folder}", rf"fakeapi/{folder}/", ["core/wire"] + [f"fakeapi/{other}" for other in below])
      for folder, below in FAKEAPI.items()],
    ("fakeapi", r"fakeapi/", ["core/wire", *FAKE]),
    ("reflector", r"reflector/", ["core/wire", "core/runtime"]),
    *[(part, f"{part}/", [*BOTH, *below]) for part, below in SCENARIOS.items()],
    ("property_tests", r"property_tests/", [*BOTH, *SCENARIOS]),
    ("tools", r"tools/", [*BOTH, *SCENARIOS]),
]


def part_of(path):
    for name, pattern, may in PARTS:
        if re.match(pattern, path):
            return name, may
    return None, []


def arrows(files):
    for path, text in cpp_files(files):
        part, may = part_of(path)
        for all_parts in (FAKE, SCENARIOS):
            if part in all_parts and re.search(r"_test(_support)?\.(cc|h)$", path):
                may = [*may, *all_parts]  # tests may lean on each other's worlds
        for line, target in quoted_includes(text):
            other, _ = part_of(target)
            if other is None or target not in files:
                yield f'{path}:{line}: "{target}" is not a header of this tree (includes are relative to its root)'
            elif other != part and other not in may:
                yield f"{path}:{line}: {part} must not include {target} ({other})"


def quoted_includes(text):
    return [(cpp_text.line_of(text, m.start()), m.group(1)) for m in re.finditer(r'^#include "([^"]+)"', text, re.M)]


# --- headers and names that only some files may use -----------------------------------------------------------------

THREADED = r"core/runtime/(socket_|loop|source|task)|core/wire/object|core/net/resolver|fakeapi/front/|" \
           r"fakeapi/(control|encoding/deep_stack)|reflector/(log|stores/|informers/|queues/real_fifo|rest/kubeconfig)|" \
           r"reflector/work_queues/(work_queue\.h|parallelize)|scenarios/play/(http_world|cast)|tools/(command|benchmarks)/|.*_test\.cc$|.*deep_stack"

# (what, pattern, the files that may, why the others may not)
RESTRICTED = [
    ("<random>", r"#include <random>", r"$^", "its distributions differ between libraries; draw from core/choices.h"),
    ("threads and locks", r"#include <(thread|mutex|condition_variable|future|shared_mutex|atomic)>", THREADED,
     "the simulation is one thread"),
    ("json.hpp in a header", r"#include <nlohmann/json\.hpp>", r".*\.cc$", "headers take json_fwd.hpp: it compiles slowly"),
    ("CLI11", r"#include <CLI/", r"tools/command/command_(line\.cc|parsers\.(h|cc))$",
     "it compiles slowly; two files"),
    ("RapidCheck", r"#include <rapidcheck", r"property_tests/", "nothing else links it"),
    ("a wall or steady clock", r"\b(steady_clock|system_clock|high_resolution_clock|clock_gettime|gettimeofday)\b|"
     r"\bstd::time\(|(?<![\w.:>])time\((nullptr|NULL|0)\)",
     r"core/runtime/socket_|fakeapi/front/|tools/benchmarks/|tools/command/", "time is an argument, or Loop::Now()"),
    ("chance", r"\b(rand|srand|drand48|random)\s*\(|\brandom_device\b", r"$^", "draw from core/choices.h"),
    ("sleeping", r"\b(sleep_for|sleep_until|usleep|nanosleep)\b", r"$^", "wait for the event instead"),
]


def restricted(files):
    for path, text in cpp_files(files):
        code = cpp_text.code_only(text)
        for what, pattern, allowed, why in RESTRICTED:
            if re.match(allowed, path):
                continue
            # An include's <name> survives blanking; a quoted one is checked by arrows().
            for match in re.finditer(pattern, code):
                line = cpp_text.line_of(code, match.start())
                if not allowed_here(text, line):
                    yield f"{path}:{line}: {what}: {why}"


# `tidy: <reason>` in a comment of the same line, or of the line above, is an exception with its reason.
def allowed_here(text, line):
    lines = text.split("\n")
    return any(re.search(r"//.*\btidy: \S", lines[i - 1]) for i in (line, line - 1) if 0 < i <= len(lines))


def unordered(files):
    """Iterating over an unordered container makes two runs differ; looking things up in one does not."""
    declared = re.compile(r"\bunordered_(?:multi)?(?:map|set)<[^;(){}]*>\s*[&*]?\s*(\w+)\s*[;{=,)]")
    codes = {path: cpp_text.code_only(text) for path, text in cpp_files(files)}
    for path, code in codes.items():
        if not path.startswith(("core/", "fakeapi/", "reflector/", "scenarios/")):
            continue
        names = set(declared.findall(code)) | set(declared.findall(codes.get(path[:-3] + ".h", "")))
        for name in sorted(names):
            loops = rf"\bfor\s*\([^;()]*:\s*[\w.>\[\]-]*\b{name}\s*\)|\b{name}\s*(\.|->)\s*c?begin\b"
            for match in re.finditer(loops, code):
                line = cpp_text.line_of(code, match.start())
                if not allowed_here(files[path], line):
                    yield f"{path}:{line}: iterates over {name}, an unordered container: two runs would differ"


def awaited_lambdas(files):
    for path, text in cpp_files(files):
        for line, statement in cpp_text.awaiting_statements(cpp_text.code_only(text)):
            if re.search(r"\[[^\[\]]*\]\s*(\([^()]*\)\s*)?(mutable\s*)?(noexcept\s*)?(->\s*[\w:<>*& ]+)?\s*\{", statement):
                yield f"{path}:{line}: a lambda in one statement with co_await: name it first (g++ 12 frees it early)"


# --- sizes ----------------------------------------------------------------------------------------------------------

FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 70
COLUMNS_MAX = 100


def sizes(files):
    for path, text in cpp_files(files):
        lines = text.count("\n")
        if lines > FILE_LINES_MAX:
            yield f"{path}:1: {lines} lines, at most {FILE_LINES_MAX}: split it by responsibility"
        for first, last, name in cpp_text.functions(cpp_text.code_only(text)):
            if last - first + 1 > FUNCTION_LINES_MAX:
                yield f"{path}:{first}: {name} has {last - first + 1} lines, at most {FUNCTION_LINES_MAX}"
        raw = cpp_text.raw_string_lines(text)
        for number, line in enumerate(text.split("\n"), 1):
            if len(line) > COLUMNS_MAX and number not in raw:
                yield f"{path}:{number}: {len(line)} columns, at most {COLUMNS_MAX}"


# --- names that meet in one translation unit -------------------------------------------------------------------------


def batched_names(files):
    """Sanitizer builds put several files of a target into one translation unit, where two nameless namespaces are one."""
    known = {}
    for path, text in sorted(cpp_files(files)):
        if not path.endswith(".cc") or path.endswith("_fuzz.cc"):
            continue
        target = (part_of(path)[0].split("/")[0], path.endswith("_test.cc"), path.startswith("fakeapi/front/"))
        for line, name, shape in cpp_text.private_names(cpp_text.code_only(text)):
            for other, its in known.setdefault((target, name), []):
                if not other.startswith(path + ":") and meets(shape, its):
                    yield f"{path}:{line}: {name} is a private name of {other}, too; sanitizer builds batch the two"
                    break
            known[(target, name)].append((f"{path}:{line}", shape))


def meets(shape, other):
    """Functions may overload each other, aliases may say the same again."""
    if shape is None or other is None or shape.startswith("= ") != other.startswith("= "):
        return True
    return (shape == other) != shape.startswith("= ")


# --- tests beside what they test ------------------------------------------------------------------------------------

# Tests of more than one file, and why they have no namesake.
TESTS_OF_MANY = {
    "core/runtime/socket_tls_test.cc": "SocketPort and TlsEngine together, against a real TLS server",
    "fakeapi/real_recordings_test.cc": "the whole ApiServer against what a real one answered",
    "reflector/golden_sequences_test.cc": "the whole client against what client-go was seen to say",
}


def tests_beside(files):
    """x_test.cc is beside x.cc or x.h; x_part_test.cc, a part of x's tests, is fine, too."""
    for path in files:
        match = re.fullmatch(r"(.*/)(\w+)_test\.cc", path)
        if not match or path.startswith("property_tests/") or path in TESTS_OF_MANY:
            continue
        words = match.group(2).split("_")
        stems = [match.group(1) + "_".join(words[:n]) for n in range(1, len(words) + 1)]
        if not any(stem + ending in files for stem in stems for ending in CPP):
            yield f"{path}:1: tests no file beside it ({match.group(2)}.cc or .h)"
    for path in TESTS_OF_MANY:
        if path not in files:
            yield f"tools/tidy/rules.py:1: TESTS_OF_MANY names {path}, which is not there"


# --- documents and words --------------------------------------------------------------------------------------------


def documents(files):
    for path, text in files.items():
        if not path.endswith(".md"):
            continue
        prose = re.sub(r"^```.*?^```", lambda m: re.sub(r"[^\n]", " ", m.group(0)), text, flags=re.M | re.S)
        titles = re.findall(r"^# .+", prose, re.M)
        if len(titles) != 1 or not text.startswith("# "):
            yield f"{path}:1: one '# Title', in the first line; found {len(titles)}"
        for match in re.finditer(r"\[[^\]]*\]\(([^)\s]+)\)", prose):
            line = cpp_text.line_of(prose, match.start())
            yield from dead_link(files, path, line, match.group(1))


def dead_link(files, path, line, target):
    if re.match(r"[a-z]+:", target):
        return
    name, _, anchor = target.partition("#")
    where = posixpath.normpath(posixpath.join(posixpath.dirname(path), name)) if name else path
    if where != path and where not in files and not any(f.startswith(where + "/") for f in files):
        yield f"{path}:{line}: a dead link: {target}"
    elif anchor and where in files and anchor not in anchors(files[where]):
        yield f"{path}:{line}: no such heading: {target}"


def anchors(text):
    headings = re.findall(r"^#+ (.+)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


_WORD = re.compile(r"(?<![\w/])(?<!watch )(?<!tls )(?<!handshake )(ses" r"sion)s?\b", re.I)
_PATH = re.compile(r"(?<![\w.])/(work|root|home)/\w|\.\./shar" r"ed\b")
_UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XXX:|for n" r"ow\b|placehol" r"der implementation)")
# The word is at home where a file speaks of open watches or of TLS.
_AT_HOME = re.compile(r"WatchSession|watch_session|SSL_|TlsEngine|[Ww]atch session|TLS session|TlsServerEngine")


def words(files):
    for path, text in files.items():
        if path.startswith("tools/tidy/"):
            continue
        prose = enumerate(text.split("\n"), 1)
        if path.endswith(CPP):
            prose = cpp_text.comments(text)
        at_home = bool(_AT_HOME.search(text))
        for line, words_there in prose:
            if not at_home and _WORD.search(words_there):
                yield f"{path}:{line}: the word is good for watches and TLS only: {words_there.strip()[:60]}"
            if _PATH.search(words_there):
                yield f"{path}:{line}: a path of somebody's machine: {words_there.strip()[:60]}"
            if _UNFINISHED.search(words_there):
                yield f"{path}:{line}: unfinished: {words_there.strip()[:60]}"


# --- all of them ----------------------------------------------------------------------------------------------------


def cpp_files(files):
    return [(path, text) for path, text in files.items() if path.endswith(CPP)]


ALL = [arrows, restricted, unordered, awaited_lambdas, sizes, batched_names, tests_beside, documents, words]


def check(files):
    return [problem for rule in ALL for problem in rule(files)]
