"""Two servers' answers to one request, made alike where they may differ: resourceVersions by the events they stand for.

Both servers see the same writes in the same order, so the sequence's n-th event is the same on both, whatever number
each gave it: `w3`. A collection's version says which event it follows: `after w3`. uids, times and managedFields are left out.
"""

import base64
import bisect
import json
import re

AGE = re.compile(r"^\d+(\.\d+)?(s|m|h|d)([\d.]+[smhd])*$")
AGE_LINE = re.compile(r"- \d+(\.\d+)?(s|m|h|d)([\d.]+[smhd])*$")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
DROPPED = "uid|creationTimestamp|deletionTimestamp|resourceVersion|continue"
FAR = 10 ** 6  # a version that no sequence reaches


class World:
    """What one server calls the things that both have."""

    def __init__(self):
        self.versions = []  # of the sequence's events, rising
        self.number = {}
        self.tokens = {}    # step -> its continue token
        self.base = 0       # a version from before the first event
        self.future = None

    def add_event(self, version):
        self.number[version] = len(self.versions)
        self.versions.append(version)

    def fill(self, text):
        def value(match):
            words = match.group(1).split(":")
            if words[0] == "rv":
                return str(self.versions[int(words[1])] + int(words[2] if len(words) > 2 else 0))
            if words[0] == "token":
                return self.tokens.get(int(words[1]), "none")
            if self.future is None:
                self.future = self.versions[-1] + FAR
            return str(self.future)
        return re.sub(r"\{((?:rv|token|future)[^}]*)\}", value, text)

    def exact(self, version):
        """The name of an object's version."""
        text = str(version)
        if not text.isdigit():
            return text
        number = self.number.get(int(text))
        return f"w{number}" if number is not None else f"unknown {self.after(text)}"

    def after(self, version):
        """The name of a collection's version."""
        text = str(version)
        if not text.isdigit():
            return text
        count = bisect.bisect_right(self.versions, int(text))
        if count == len(self.versions) and self.future is not None and int(text) >= self.future:
            return "future"
        return f"after w{count - 1}" if count else "before w0"

    def in_text(self, text):
        """A message: numbers that are versions have names."""
        def name(match):
            value = int(match.group(0))
            if self.future is not None and value == self.future:
                return "future"
            if value in self.number:
                return f"w{self.number[value]}" if "current" not in text[:match.start()] else self.after(value)
            return self.after(value) if value >= self.base and len(match.group(0)) < 19 else match.group(0)
        # '12345' is an example in the text about labels, 406 a status.
        text = re.sub(r"(?<!')\b\d+\b(?!: Not)", name, text) if self.base else text
        for token in set(self.tokens.values()):
            text = text.replace(token, "token")
        return TIME.sub("time", text)

    def token(self, text):
        try:
            value = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        except ValueError:
            return {"not a token": text}
        if isinstance(value.get("rv"), int) and value["rv"] > 0:
            value["rv"] = self.after(value["rv"])
        # etcd's path has no slash there, the cache's has one; both are taken (SRV-10).
        value["start"] = str(value.get("start", "")).lstrip("/")
        return value

    def alike(self, value, is_list=False):
        """A body, an event's object, or a part of one."""
        if isinstance(value, list):
            return [self.alike(item) for item in value]
        if not isinstance(value, dict):
            return AGE.sub("age", value) if isinstance(value, str) else value
        kind = value.get("kind", "")
        is_list = kind.endswith("List") or kind == "Table" or "items" in value
        out = {}
        for key, item in value.items():
            if key == "metadata" and isinstance(item, dict):
                out[key] = self.metadata(item, is_list, kind)
            elif key == "message" and isinstance(item, str):
                out[key] = self.in_text(item)
            elif key == "uid" and isinstance(item, str):
                out[key] = "uid"
            elif key == "columnDefinitions" and isinstance(item, list):  # what a column means, everybody says in own words
                out[key] = [{**column, "description": bool(column.get("description"))} for column in item]
            else:
                out[key] = self.alike(item)
        return out

    def metadata(self, metadata, is_list, kind):
        out = {}
        ends = isinstance(metadata.get("annotations"), dict) and "k8s.io/initial-events-end" in metadata["annotations"]
        for key, item in metadata.items():
            if key == "managedFields":
                continue
            if key == "resourceVersion":
                out[key] = self.after(item) if is_list or ends else self.exact(item)
            elif key == "continue":
                out[key] = self.token(item) if item else item
            elif key in ("uid", "creationTimestamp", "deletionTimestamp"):
                out[key] = key if item else item
            else:
                out[key] = self.alike(item)
        return out

    def yaml(self, text):
        """YAML as text, line by line: what is left out is a line or a block of its own. Folded lines are one line."""
        lines = []
        is_list = re.search(r"^kind: (.*List|Table)$", text, re.M) is not None
        for line in unfolded(without_blocks(text.rstrip("\n").split("\n"))):
            match = re.match(rf"( *(?:- )?)({DROPPED}):(.*)", line)
            if match and match.group(2) == "resourceVersion":
                name = self.after if is_list and match.group(1) == "  " else self.exact
                line = f"{match.group(1)}resourceVersion: " + name(match.group(3).strip(' "'))
            elif match and match.group(2) == "continue":
                line = f"{match.group(1)}continue: {self.token(match.group(3).strip())}"
            elif match:
                line = f"{match.group(1)}{match.group(2)}: ..."
            lines.append(self.in_text(line) if line.startswith("message:") else AGE_LINE.sub("- age", line))
        return lines


def without_blocks(lines):
    """Without managedFields, and what columns are described with, however many lines that takes."""
    kept, inside = [], None
    for line in lines:
        indent = len(line) - len(line.lstrip(" "))
        if inside is not None and (not line.strip() or indent > inside or
                                   indent == inside and is_list and line.lstrip().startswith("- ")):
            continue
        match = re.match(r"( *(?:- )?)(managedFields|description):", line)
        inside = len(match.group(1)) if match else None
        if match is None:
            kept.append(line)
            continue
        is_list = match.group(2) == "managedFields"
        if match.group(1).endswith("- "):
            kept.append(match.group(1) + "...:")
    return kept


def unfolded(lines):
    """Long text goes on in the next line: in quotes until they close, else while no key begins there."""
    whole = []
    for line in lines:
        is_open = whole and any(re.search(rf"(: |- ){quote}", whole[-1]) and whole[-1].count(quote) % 2 for quote in "'\"")
        if whole and (is_open or not re.match(r" *(- )*(-|[^\s'\"][^\s]*:( |$)|['\"].*['\"]:|- |$)", line) and line.startswith("  ")
                      and not line.lstrip().startswith("- ")):
            whole[-1] += " " + line.strip()
        else:
            whole.append(line)
    return whole


def layout(text):
    """What parsing loses."""
    return [word for word, holds in (("indented", text.startswith("{\n")), ("newline at the end", text.endswith("\n"))) if holds]


def alike(world, answer):
    """An answer to a read or write as something to compare."""
    said = {"status": answer.status, "headers": dict(answer.headers), "ended": answer.ended, "layout": layout(answer.text)}
    warning = said["headers"].get("warning")
    if warning:
        said["headers"]["warning"] = world.in_text(warning)
    if answer.body is not None:
        said["body"] = world.alike(answer.body)
    elif "yaml" in answer.headers.get("content-type", ""):
        said["body"] = world.yaml(answer.text)
    else:
        said["body"] = world.in_text(answer.text)
    return said


def version_of(event):
    """The resourceVersion in an event of a watch, plain, Table or PartialObjectMetadata."""
    thing = event.get("object", {})
    if thing.get("kind") == "Table":
        metadata = [row["object"].get("metadata", {}) for row in thing.get("rows") or [] if row.get("object")]
        return int((metadata[0] if metadata else thing.get("metadata", {})).get("resourceVersion") or 0)
    return int(thing.get("metadata", {}).get("resourceVersion") or 0)


def is_plain_bookmark(event):
    return event.get("type") == "BOOKMARK" and "k8s.io/initial-events-end" not in json.dumps(event)


def alike_watch(world, watch, lines, ended, may_bookmark):
    """(something to compare, problems of this one alone)"""
    said = {"status": watch.status, "headers": dict(watch.headers), "ended": ended}
    problems, events, newest = [], [], 0
    if watch.status != 200 or watch.headers.get("transfer-encoding") != "chunked":
        text = "\n".join(lines)
        try:
            said["body"] = world.alike(json.loads(text))
        except ValueError:
            said["body"] = world.yaml(text)
        return said, problems
    for line in lines:
        if not line.strip():
            continue
        try:
            event = json.loads(line)
        except ValueError:
            problems.append(f"a line is not JSON: {line[:200]}")
            continue
        version = version_of(event)
        if event["type"] == "BOOKMARK":
            if not may_bookmark:
                problems.append(f"a bookmark that nobody asked for: {line[:200]}")
            if version < newest:
                problems.append(f"a bookmark of {world.after(version)}, below an event of {world.after(newest)}")
            if is_plain_bookmark(event):
                continue
        newest = max(newest, version)
        events.append({"type": event["type"], "object": world.alike(event["object"])})
    said["events"] = events
    return said, problems


def differences(want, got, where=""):
    """Lines that say where two of these differ; `want` is the real server's."""
    if isinstance(want, dict) and isinstance(got, dict):
        lines = []
        for key in [*want, *(key for key in got if key not in want)]:
            here = f"{where}.{key}" if where else str(key)
            if key not in got:
                lines.append(f"{here}: real {short(want[key])}, relist has none")
            elif key not in want:
                lines.append(f"{here}: real has none, relist {short(got[key])}")
            else:
                lines += differences(want[key], got[key], here)
        if not lines and list(want) != list(got) and where not in ("headers", ""):
            lines.append(f"{where}: keys in another order: real {list(want)}, relist {list(got)}")
        return lines
    if isinstance(want, list) and isinstance(got, list) and len(want) == len(got):
        return [line for i, (one, other) in enumerate(zip(want, got)) for line in differences(one, other, f"{where}[{i}]")]
    return [] if want == got else [f"{where}: real {short(want)}, relist {short(got)}"]


def short(value):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 600 else text[:600] + "..."
