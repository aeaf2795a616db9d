#!/usr/bin/env python3
"""Are the sources formatted?  tests/fmt_check.py ZIG

zig fmt for Zig, clang-format with .clang-format for C, and for all text no trailing blanks, no line of more than
120 columns (a tab goes to the next multiple of 8), and a newline at the end. No sentence begins with Of, Who, Whose,
Nor or What, unless it asks (sentences.py). Changes nothing.
"""

import os
import shutil
import subprocess
import sys

import sentences

COLUMNS = 120
TAB = 8
ZIG_FILES = ["build.zig", "build.zig.zon"]
# The layout differs between versions, so CI and people use one version.
CLANG_FORMAT = "clang-format==20.1.8"
# Data and recorded output are not checked.
UNCHECKED = ("testdata/", "tests/e2e/golden/")
# Prose, which an editor wraps.
LONG_LINES = (".md", ".schema.json", ".svg")


def files():
    """Tracked files, and new ones that git does not ignore."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], check=True,
        stdout=subprocess.PIPE).stdout.decode()
    return sorted(name for name in set(listed.split("\0")) if os.path.isfile(name) and not name.startswith(UNCHECKED))


def check_text(name):
    with open(name, "rb") as f:
        data = f.read()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return ["%s: is not UTF-8: %s" % (name, error)]
    problems = []
    for number, line in enumerate(text.split("\n"), 1):
        if line != line.rstrip():
            problems.append("%s:%d: trailing blanks" % (name, number))
        if len(line.expandtabs(TAB)) > COLUMNS and not name.endswith(LONG_LINES):
            problems.append("%s:%d: more than %d columns" % (name, number, COLUMNS))
    if text and (not text.endswith("\n") or text.endswith("\n\n")):
        problems.append("%s: must end in one newline" % name)
    return problems + ["%s:%d: begin with the subject: %s" % (name, line, sentence)
        for line, sentence in sentences.find(name, text)]


def find_clang_format():
    """The program from PATH, or from the folder of this Python, where pip installs it."""
    return shutil.which("clang-format") or shutil.which("clang-format", path=os.path.dirname(sys.executable))


def check_clang_format(names):
    tool = find_clang_format()
    if not tool:
        return ["clang-format: not found; install it: python3 -m pip install %s" % CLANG_FORMAT]
    have = subprocess.run([tool, "--version"], stdout=subprocess.PIPE, text=True).stdout.strip()
    wanted = CLANG_FORMAT.split("==")[1]
    if "version %s." % wanted.split(".")[0] not in have:
        return ["%s: is '%s'; layouts differ between versions: python3 -m pip install %s" % (tool, have, CLANG_FORMAT)]
    done = subprocess.run([tool, "--dry-run", "-Werror", "--style=file", *names], stderr=subprocess.PIPE, text=True)
    return [] if done.returncode == 0 else [done.stderr.rstrip(), "clang-format: mend with: %s -i FILE" % tool]


def check_zig_format(zig):
    done = subprocess.run([zig, "fmt", "--check", *ZIG_FILES], stdout=subprocess.PIPE, text=True)
    return ["%s: not formatted; mend with: zig fmt FILE" % name for name in done.stdout.split()]


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: tests/fmt_check.py ZIG")
    os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    names = files()
    problems = check_zig_format(sys.argv[1])
    problems += check_clang_format([name for name in names if name.endswith((".c", ".h"))])
    for name in names:
        problems += check_text(name)
    for problem in problems:
        print(problem)
    if problems:
        sys.exit(1)
    print("%d files are formatted" % len(names))


if __name__ == "__main__":
    main()
