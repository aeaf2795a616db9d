"""Finds sentences whose first word keeps the reader waiting for the subject; WORDS lists these words.

Comments, docstrings, pages, and strings that a person reads are looked at. A question may begin with any word.
tests/fmt_check.py calls find(); tests/e2e/test_sentences.py tests it.
"""

import re

WORDS = r"(?:Of|Who|Whose|Nor|What)\b"
QUICK = re.compile(WORDS)
# A sentence begins at the start of a text, after the end of another sentence, after an empty line, in a list and in a
# table's cell.
BEGIN = re.compile(r"(?:\A|[.?!:;][\"'`)\]*]*\s+|\n[ \t]*\n|\n[ \t]*(?:[-*+>]|\d+\.|\#+)[ \t]|\|)"
    r"[\s\"'`(\[*#>|-]*(" + WORDS + ")")
END = re.compile(r"[.?!](?=[\"'`)\]*]*(?:\s|\Z))|(?= \|)|\n[ \t]*\n|\Z")
C_TOKEN = re.compile(r"/\*.*?\*/|(?:^[ \t]*//[^\n]*\n)+|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'",
    re.DOTALL | re.MULTILINE)
HASH_TOKEN = re.compile(r'"""(?:\\.|[^\\])*?"""|' r"'''(?:\\.|[^\\])*?'''|" r'"(?:\\.|[^"\\\n])*"|'
    r"'(?:\\.|[^'\\\n])*'|(?:^[ \t]*#[^\n]*\n)+|#[^\n]*", re.MULTILINE)
FENCE = re.compile(r"^[ \t]*```.*?^[ \t]*```[ \t]*$|^    [^\n]*$", re.DOTALL | re.MULTILINE)
MARGIN = re.compile(r"\A/\*+|\*/\Z|^[ \t]*(?:\*|//[/!]?|#!?)(?=[ \t]|$)|//+", re.MULTILINE)
C_NAMES = (".c", ".h", ".zig", ".go", ".rs", ".js", ".mjs", ".ts", ".cpp", ".hpp", ".cc", ".zon")
# Folders whose strings people read. Strings of tests are mostly data.
SPOKEN = ("cmd/", "docs/", "sandbox/", "shellpolicy/", "shim/")


def blank(match):
    """Replaces text by blanks of the same length, so that lines can be counted."""
    return re.sub(r"[^\n]", " ", match.group())


def tokens(token, name, text):
    """Yields comments, and strings in those folders, each with its place."""
    for match in token.finditer(text):
        found = match.group()
        if not QUICK.search(found):
            continue
        if found.startswith('"""'):
            before = text[text.rfind("\n", 0, match.start()) + 1:match.start()]
            if not before.strip() or name.startswith(SPOKEN):
                yield match.start(), found.replace('"""', "   ")
        elif found.startswith(('"', "'")):
            if name.startswith(SPOKEN):
                yield match.start(), " " + found[1:-1].replace("\\n", "\n\n")
        else:
            yield match.start(), MARGIN.sub(blank, found)


def parts(name, text):
    if name.endswith(".md"):
        return [(0, FENCE.sub(blank, text))]
    if name.endswith(C_NAMES):
        return tokens(C_TOKEN, name, text)
    return tokens(HASH_TOKEN, name, text)


def find(name, text):
    """Yields the line number and the text of each refused sentence."""
    if not QUICK.search(text):
        return []
    found = []
    for place, part in parts(name, text):
        for match in BEGIN.finditer(part):
            begin = match.start(1)
            end = END.search(part, begin)
            if end.group() != "?":
                line = text.count("\n", 0, place + begin) + 1
                found.append((line, " ".join(part[begin:end.end()].split())))
    return found
