#!/usr/bin/env python3
"""Writes the pages that are made from zs's own tables.  docs/generate.py ZS [FOLDER]

docs/commands.md is the table of commands; it is large, and not kept in git. docs/settings.md and
docs/settings.schema.json are the table of settings. docs/policy.md is made from the lists in sandbox/zs_sandbox.h,
docs/kernels.md from the cells of tests/vm and their last results. tests/e2e/test_policy.py and test_docs.py fail when a
page in git is out of date; test_rows.py makes all of them in a folder of its own.
`./zigw build docs` runs this program.
"""

import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
VM = os.path.join(os.path.dirname(HERE), "tests", "vm")

HEAD = """# The table of commands

This page lists each command that zs knows. `./zigw build docs` makes it from the table that `zs vet` judges by; edit
`shellpolicy/rows/rows_*.c` instead. `zs vet --rows NAME` prints the rows of one command, `--json` for programs.

A row gives some commands the flags that matter, and says what each operand is. A flag that is not listed takes no value
and means nothing; where the row says `strict` it blocks. `-o=` takes a value, `-i[=]` a value only when it is attached,
`-0#` digits. A star marks an operand that may be repeated. zs ignores an operand with the role `data`. A command
without a row is noted as `unknown_command`, and passes unless the caller says otherwise.
"""

ATTACHED = {None: "", "value": "=", "attached": "[=]", "digits": "#"}


def ask(zs, *arguments):
    """The JSON lines that zs prints."""
    done = subprocess.run([zs, "vet", *arguments, "--json"], check=True, stdout=subprocess.PIPE)
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


def cell(text):
    return text.replace("|", "\\|").replace("<", "&lt;")


def code(words):
    return " ".join("`%s`" % cell(word) for word in words)


def commands(row):
    """`git stash` is one word; of many commands each is named before the subcommands they share."""
    if len(row["of"]) == 1:
        return code("%s %s" % (row["of"][0], name) for name in row["names"])
    return "%s: %s" % (code(row["of"]), code(row["names"])) if row["of"] else code(row["names"])


def flags(row):
    """Flags of one meaning together, in the order of the first of each; roles and effects may have the same name."""
    meanings = {}
    for flag in row["flags"]:
        key = (flag["takes"] == "value", flag["meaning"] or "nothing")
        meanings.setdefault(key, []).append(flag["flag"] + ATTACHED[flag["takes"]])
    return "<br>".join("%s: %s" % (meaning, code(shown)) for (_, meaning), shown in meanings.items())


def operands(row):
    return " ".join(operand["role"] + ("\\*" if operand["repeats"] else "") for operand in row["operands"])


def more(row):
    parts = [", ".join(row["traits"])] if row["traits"] else []
    parts += ["grammar: " + row["grammar"]] if row["grammar"] else []
    parts += ["language: " + row["language"]] if row["language"] else []
    parts += [cell(row["hint"])] if row["hint"] else []
    return "<br>".join(parts)


def table(titles, rows):
    lines = ["| %s |" % " | ".join(titles), "|%s" % ("---|" * len(titles))]
    return "\n".join(lines + [("| %s |" % " | ".join(row)).replace("  ", " ") for row in rows]) + "\n"


def terms(zs):
    kinds = {}
    for term in ask(zs, "--terms"):
        kinds.setdefault(term["kind"], []).append(("`%s`" % term["name"], cell(term["meaning"])))
    return ["## %ss\n\n%s" % (kind.capitalize(), table([kind, "meaning"], rows)) for kind, rows in kinds.items()]


def rows(zs):
    tables = {}
    for row in ask(zs, "--rows"):
        tables.setdefault(row["table"], []).append((commands(row), flags(row), operands(row), more(row)))
    titles = ["commands", "flags", "operands", "more"]
    return ["## Commands: %s\n\n%s" % (name, table(titles, found)) for name, found in tables.items()]


def text(zs):
    return "\n".join([HEAD] + terms(zs) + rows(zs))


SETTINGS_HEAD = open(os.path.join(HERE, "settings.head.md"), encoding="utf-8").read()


def schema(zs):
    return subprocess.run([zs, "policy", "schema"], check=True, stdout=subprocess.PIPE).stdout.decode()


def value(key):
    """The values that a key may have, for people."""
    if "enum" in key:
        return ", ".join('`"%s"`' % name for name in key["enum"] if name)
    name = key["type"][0]
    return {"boolean": "`true`, `false`", "array": "list", "integer": "number above 0"}[name]


def keys(properties, prefix):
    for name, key in properties.items():
        if "x-project" in key:
            yield "`%s%s`" % (prefix, name), value(key), cell(key["description"]), cell(key["x-project"])
        elif "properties" in key:
            yield from keys(key["properties"], prefix + name + ".")


def settings(zs):
    rows = list(keys(json.loads(schema(zs))["properties"], ""))
    return SETTINGS_HEAD + "\n" + table(["key", "value", "meaning", "in a project's file"], rows)


POLICY_HEAD = open(os.path.join(HERE, "policy.head.md"), encoding="utf-8").read()
# A list of the header, its title, and what its rows are.
POLICY_LISTS = (("ZS_WORKSPACES", "`workspace.access`"), ("ZS_ACCESSES", "`paths[].access`"),
    ("ZS_NETWORKS", "`network`"), ("ZS_TMPS", "`tmp`"), ("ZS_CACHESES", "`caches`"), ("ZS_GITS", "`git`"),
    ("ZS_LIMITS", "`limits`"),
    ("ZS_PROMISES", "`without`: what may be waived"), ("ZS_TIERS", "`tier`: how it is enforced"))


OBEYED = """## Files that others obey

No run changes these files, and `--apply` holds them back, unless `--rw` names the path itself. Each of them can start
commands, or decides what an agent may do without asking. A folder stands for everything in it. Git's own files are in
[sandbox.md](sandbox.md#protected-parts-of-git).

| where | protected |
|---|---|
| START | at the workspace's top |
| PROJECT | there, at the top of each repository in the workspace, and for `--apply` in any folder |
| HOME | in the home folder, as far as it is granted; START and PROJECT rows count there too |

The table leaves out `AGENTS.md`, `CLAUDE.md` and their like, since agents edit them as work; programs that ask before
they obey a changed file (direnv, mise); and files that run as a part of the project (`Makefile`, `package.json`,
`.pre-commit-config.yaml`).

"""


def obeyed():
    with open(os.path.join(os.path.dirname(HERE), "sandbox", "git", "obeyed.h"), encoding="utf-8") as file:
        found = macro(file.read(), "ZS_OBEYED")
    return OBEYED + table(["path", "where", "obeyed by", "it can hold"],
        [("`%s`" % string(row[1]), row[2], cell(string(row[3])), cell(string(row[4]))) for row in found])


def macro(header, name):
    """The rows of an X-macro, as lists of its arguments, strings put together as C does."""
    body = re.search(r"^#define %s\(X\)((?:.*\\\n)*.*)$" % name, header, re.MULTILINE).group(1).replace("\\\n", " ")
    rows = re.findall(r'X\(((?:[^()"]|"[^"]*")*)\)', body)
    return [[word.strip() for word in re.findall(r'(?:"[^"]*"|[^,"])+', row)] for row in rows]


def string(words):
    return "".join(re.findall(r'"([^"]*)"', words))


def policy_row(name, row):
    if name == "ZS_LIMITS":
        return "`%s`" % row[1], "number above 0: %s; `--limit %s`" % (cell(string(row[4])), string(row[2]))
    return "`%s`" % string(row[1]), cell(string(row[2]))


def policy(zs):
    with open(os.path.join(os.path.dirname(HERE), "sandbox", "zs_sandbox.h"), encoding="utf-8") as file:
        header = file.read()
    return "\n".join([POLICY_HEAD] + ["## %s\n\n%s" % (title, table(["value", "meaning"],
        [policy_row(name, row) for row in macro(header, name)])) for name, title in POLICY_LISTS] + [obeyed()])


def kernels(_):
    """From the cells of tests/vm and their last results. A cell that has none yet says so."""
    sys.path.insert(0, VM)
    from cells import CELLS
    with open(os.path.join(VM, "results.json"), encoding="utf-8") as file:
        results = json.load(file)
    rows = []
    for one in CELLS:
        found = results.get(one.name)
        if not found:
            rows.append((one.name, "not tried", *[""] * 6))
            continue
        less = ", refuses " + code(one.lacks) if one.lacks else ""
        rows.append((one.name + "\\*" * one.cure, found["kernel"],
            "none" if found["landlock"] == -1 else str(found["landlock"]),
            *(found[user] + (less if found[user].startswith("holds") else "") for user in ("root", "user")),
            found["date"], found.get("attacks", ""), found.get("units", "")))
    with open(os.path.join(HERE, "kernels.head.md"), encoding="utf-8") as file:
        return file.read() + "\n" + table(
            ["cell", "kernel", "Landlock ABI", "root", "user", "date", "attacks", "unit tests"], rows)


MADE = {"commands.md": text, "kernels.md": kernels, "policy.md": policy, "settings.md": settings,
    "settings.schema.json": schema}

if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: docs/generate.py ZS [FOLDER]")
    for name, make in MADE.items():
        made = make(sys.argv[1])
        with open(os.path.join(sys.argv[2] if len(sys.argv) == 3 else HERE, name), "w", encoding="utf-8") as f:
            f.write(made)
