"""What docs/ says is so.

A block that is marked ```console is run, as written, by bash: lines that start with "$ " are commands, the others what
they print, standard error included; a line "…" stands for any lines, and "…" in a line for any text. What a page's
commands find in their workspace is in FILES. All blocks of a page share it.
"""

import json
import os
import re

from harness import REPOSITORY, Failure, main, test

DOCS = os.path.join(REPOSITORY, "docs")
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILES = {"verify.md": {"notes.txt": "first\n", "make-change": "#!/bin/sh\necho changed >notes.txt\n"}}


def read(name):
    with open(os.path.join(DOCS, name), encoding="utf-8") as file:
        return file.read()


def commands(text):
    """Of each its line, and what is said that it prints."""
    found = []
    for line in "".join(BLOCK.findall(text)).splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def pattern(lines):
    parts = ["(.*\n)*" if line == "…" else ".*".join(map(re.escape, line.split("…"))) + "\n" for line in lines]
    return re.compile("".join(parts))


def run_page(box, name, least):
    for path, text in FILES[name].items():
        box.file("home/project/" + path, text, 0o755 if text.startswith("#!") else 0o644)
    found = commands(read(name))
    if len(found) < least:
        raise Failure("%s: only %d commands" % (name, len(found)))
    for command, lines in found:
        said = box.run(["bash", "-c", "exec 2>&1; " + command],
            add_env={"PATH": os.path.dirname(box.zs) + ":" + box.env["PATH"]}).stdout
        if not pattern(lines).fullmatch(said):
            raise Failure("%s: $ %s\n%s" % (name, command, said))


@test(needs=["sandbox", "bash", "git"])
def verify_does_what_its_page_shows(box):
    run_page(box, "verify.md", 8)


@test(once=True)
def each_protection_has_its_test(box):
    tests = ""
    for name in os.listdir(os.path.join(REPOSITORY, "tests", "e2e")):
        if name.startswith("test_"):
            with open(os.path.join(REPOSITORY, "tests", "e2e", name), encoding="utf-8") as file:
                tests += file.read()
    known = set(re.findall(r"^@test\(.*\)\ndef (\w+)\(", tests, re.MULTILINE))
    rows = re.findall(r"^\| .* \| .* \| ((?:`\w+` ?)+) \|$", read("security.md"), re.MULTILINE)
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    if len(rows) < 15 or len(named) < 30:
        raise Failure("only %d protections with %d tests" % (len(rows), len(named)))
    missing = sorted(set(named) - known)
    if missing:
        raise Failure("docs/security.md names tests that are none: %s" % ", ".join(missing))


@test(once=True)
def stages_are_in_their_order(box):
    with open(os.path.join(REPOSITORY, "sandbox", "linux", "stages.c"), encoding="utf-8") as file:
        stages = list(dict.fromkeys(re.findall(r'^\t\{ "([a-z_ ]+)", zs_stage_', file.read(), re.MULTILINE)))
    shown = read("security.md").split("anything has run:")[1].split("\n\n")[1]
    if len(stages) < 20 or re.findall(r"`([a-z_ ]+)`", shown) != stages:
        raise Failure("docs/security.md shows %s; stages.c has %s" % (shown, stages))


@test(once=True)
def each_type_of_ioctl_is_on_its_page(box):
    with open(os.path.join(REPOSITORY, "sandbox", "linux", "locks", "seccomp_ioctls.h"), encoding="utf-8") as file:
        types = re.findall(r"^\tX\((0x[0-9a-f]{2}), ", file.read(), re.MULTILINE)
    missing = [number for number in types if number not in read("security.md")]
    if len(types) < 6 or missing:
        raise Failure("of %s docs/security.md lacks %s" % (types, missing))


@test(needs=["sandbox"], once=True)
def each_key_of_a_policy_is_on_its_page(box):
    """With an empty one, what the page says of what is absent."""
    page = read("policy.md")
    keys = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", page.split("\n## ")[0], re.MULTILINE)
    shown = {name for row in keys for name in re.findall(r"`(\w+)`", row)}
    made = json.loads(box.run_zs("run", "--print-policy", "--limit", "wall=1s").expect().stdout)
    empty = box.file("empty.json", '{"version": 1}')
    bare = json.loads(box.run_zs("run", "--policy", empty, "--print-policy").expect().stdout)
    if not set(made) | set(bare) <= shown or len(shown) < 12:
        raise Failure("%s are not on the page: %s" % (sorted((set(made) | set(bare)) - shown), shown))
    if (bare["git"], bare["tmp"], bare["network"], bare["paths"]) != ("protect", "private", "none", []):
        raise Failure(bare)
    for name in made["limits"]:
        if "| `%s` |" % name not in page:
            raise Failure(name)
    for name in shown - {"version"}:
        box.run_zs("policy", "check", box.file(name + ".json", '{"version": 1, "%s": false}' % name)).expect(exit=65,
            stderr=re.compile(name + "(?!.*unknown)"))


@test(once=True)
def links_of_the_pages_lead_somewhere(box):
    for name in sorted(os.listdir(DOCS)):
        for target in re.findall(r"\]\(([^)#:]+)\)", read(name)) if name.endswith(".md") else ():
            if not os.path.exists(os.path.join(DOCS, target)):
                raise Failure("docs/%s: %s is not there" % (name, target))


if __name__ == "__main__":
    main()
