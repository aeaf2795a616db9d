"""Tests tests/sentences.py, by which fmt-check refuses a sentence that keeps the reader waiting for its subject."""

import os
import sys

from harness import REPOSITORY, expect, test

sys.path.insert(0, os.path.join(REPOSITORY, "tests"))

import sentences  # noqa: E402  (after the path it is found by)

REFUSED = (
    ("x.c", "/* What is granted is there. */"), ("x.c", "/* Sorted. Of two rows the first counts. */"),
    ("x.c", "/* A file.\n *\n * Who opens it: root. */"), ("x.h", "// Nor is it freed.\n"),
    ("x.c", "int a; /* Whose it is. */"), ("x.c", "/* One (a link). What it leads to. */"),
    ("x.c", "/* Two things:\n * - What goes. */"), ("cmd/x.c", '\tsay("What is denied stays denied");'),
    ("cmd/x.c", '\tsay("A line.\\nOf two lines the last.");'), ("x.zig", "/// What is built.\nconst a = 1;\n"),
    ("x.py", "# What it prints.\n"), ("x.py", 'def f():\n    """Of a list its end."""\n'),
    ("docs/x.py", "    help = 'Who reads it'\n"), ("x.sh", "true # What it does\n"),
    ("x.md", "# What it is\n"), ("x.md", "| a | What b is |\n"), ("x.md", "- **Who reads.** All.\n"),
    ("x.md", "A line.\nWhat follows is two.\n"), ("x.md", "1. Nor this.\n"), ("x.md", "Text: \"What now\".\n"),
)
PASSED = (
    ("x.c", "/* The file that is granted is there. */"), ("x.c", "/* What is it? */"), ("x.c", "/* Office hours. */"),
    ("x.c", "/* It says what is there, of whom, and who. */"), ("x.c", 'static const char *s = "What a word";'),
    ("x.c", "int What = 1;"), ("x.py", 'TEXT = """What is data stays."""\n'), ("x.py", "a = 'Of data'\n"),
    ("x.md", "```\nWhat a program prints.\n```\n"), ("x.md", "A line of\nWhat-ifs.\n"),
    ("x.md", "Who reads it? All.\n"),
    ("x.sh", "say 'Of it'\n"), ("x.rs", "#[What]\n"), ("x.c", "/* Names: Whatever is there, Offset, Norm. */"),
)


@test(once=True)
def a_sentence_begins_with_its_subject(box):
    for name, text in REFUSED:
        expect(len(sentences.find(name, text)) == 1, "passed: %s: %r: %s" % (name, text, sentences.find(name, text)))
    for name, text in PASSED:
        expect(not sentences.find(name, text), "refused: %s: %r: %s" % (name, text, sentences.find(name, text)))


@test(once=True)
def a_sentence_is_shown_with_its_line(box):
    found = sentences.find("x.c", "int a;\n/* One.\n * What two\n * lines say. Three. */\n")
    expect(found == [(3, "What two lines say.")], found)
