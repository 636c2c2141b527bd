"""C++ source as text whose comments and literals are blanked, so that a rule sees code only, at the same places."""

import re

_TOKEN = re.compile(
    r'//[^\n]*'
    r'|/\*.*?\*/'
    r'|R"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)"'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'",
    re.S)


def _blank(text):
    return re.sub(r"[^\n]", " ", text)


def code_only(text):
    """Comments and the insides of literals become spaces; lengths and line ends stay."""
    def replace(match):
        token = match.group(0)
        if token.startswith("/"):
            return _blank(token)
        return '"' + _blank(token[1:-1]) + '"'
    return _TOKEN.sub(replace, text)


def comments(text):
    """(line number, text) of every line of every comment."""
    found = []
    for match in _TOKEN.finditer(text):
        if match.group(0).startswith("/"):
            line = text.count("\n", 0, match.start()) + 1
            found += [(line + i, part) for i, part in enumerate(match.group(0).split("\n"))]
    return found


def raw_string_lines(text):
    """Numbers of the lines that a raw string literal touches."""
    lines = set()
    for match in _TOKEN.finditer(text):
        if match.group(0).startswith("R"):
            first = text.count("\n", 0, match.start()) + 1
            lines.update(range(first, first + match.group(0).count("\n") + 1))
    return lines


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def functions(code):
    """(first line, last line, name) of every function body in blanked code; a lambda belongs to its function."""
    found, stack, last = [], [], 0
    for match in re.finditer(r"[{};]", code):
        position, char = match.start(), match.group(0)
        if char == "{":
            head = code[last:position]
            container = re.search(r"\b(namespace|class|struct|enum|union|extern)\b[^()=]*$", head)
            inside = any(kind == "function" for kind, _, _ in stack)
            name = re.search(r"([~\w:]+)\s*\([^{}]*$", head, re.S)
            if inside or container or not name:
                stack.append(("block", position, ""))
            else:
                stack.append(("function", last + len(head) - len(head.lstrip()), name.group(1)))
        elif char == "}" and stack:
            kind, start, name = stack.pop()
            if kind == "function":
                found.append((line_of(code, start), line_of(code, position), name))
        last = position + 1
    return found


_ENTITY = re.compile(
    r"^(?:template <[^\n]*>\n)?(?:"
    r"(?:class|struct|union|enum(?: class)?) (?P<type>\w+)[^;\n]*[{:]"
    r"|using (?P<alias>\w+) = (?P<aliased>[^;]*);"
    r"|(?:static |inline )?constexpr [^=(){}\n]*?(?P<constant>\w+)(?:\[\w*\])?(?: =|\{)"
    r"|(?!return|using|template|struct|class|enum)[\w:][\w:<>,&* ]*?[ &*](?P<function>\w+)\((?P<parameters>[^;{]*)\)[^;{()]*\{)",
    re.M)


def private_names(code):
    """(line, name, shape) of what blanked, formatted code has at the top of its nameless namespaces. The shape is the
    parameters of a function, "= ..." of an alias, None of all else."""
    found = []
    for opening in re.finditer(r"^namespace \{$", code, re.M):
        end = _end_of_block(code, opening.end())
        for match in _ENTITY.finditer(code, opening.end(), end):
            name = match["type"] or match["alias"] or match["constant"] or match["function"]
            shape = match["parameters"] if match["function"] else f"= {match['aliased']}" if match["alias"] else None
            found.append((line_of(code, match.start()), name, shape and re.sub(r"\s+", " ", shape)))
    return found


def _end_of_block(code, position):
    """Where the block that is open at `position` ends."""
    depth = 1
    for match in re.compile(r"[{}]").finditer(code, position):
        depth += 1 if match.group(0) == "{" else -1
        if depth == 0:
            return match.start()
    return len(code)


def awaiting_statements(code):
    """(line, text) of every statement that holds a co_await."""
    found = []
    for match in re.finditer(r"\bco_await\b", code):
        found.append((line_of(code, match.start()),
                      code[_statement_start(code, match.start()):_statement_end(code, match.end())]))
    return found


def _statement_end(code, position):
    depth = 0
    while position < len(code):
        char = code[position]
        if char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif char == "{":
            if depth < 0:  # the block of an if, for or while whose condition awaits
                return position
            depth += 1
        elif char == "}":
            depth -= 1
        elif char == ";" and depth <= 0:
            return position
        position += 1
    return position


def _statement_start(code, position):
    depth = 0
    position -= 1
    while position >= 0:
        char = code[position]
        if char == "}":
            if depth == 0 and re.match(r"\s*[\w*(~&]", code[position + 1:]) and \
               not re.match(r"\s*\(", code[position + 1:]):
                return position + 1  # the end of a block: what follows is a new statement
            depth += 1
        elif char == "{":
            if depth == 0:
                return position + 1
            depth -= 1
        elif char == ";" and depth == 0:
            return position + 1
        position -= 1
    return 0
