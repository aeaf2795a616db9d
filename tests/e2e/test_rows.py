"""zs vet --rows and --terms: the table of commands, and the docs that are made from it."""

import json
import os
import re
import subprocess
import sys

from harness import REPOSITORY, Failure, expect, golden, read, test

sys.path.insert(0, os.path.join(REPOSITORY, "docs"))

import generate  # noqa: E402  (after the path it is found by)

NAMES = ["sort", "git stash", "xargs", "python3.11", "find", "xxd", "vim", "xmlstarlet", "[", "npm run"]


@test(once=True)
def docs_are_made_of_the_rows(box):
    """docs/commands.md is not kept in git. The page that docs/generate.py makes has each row, flag and term."""
    folder = box.folder("made")
    made = subprocess.run([sys.executable, "-B", generate.__file__, box.zs, folder], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True)
    expect(not made.returncode and not made.stdout and sorted(os.listdir(folder)) == sorted(generate.MADE),
        "%s: %s" % (os.listdir(folder), made))
    page = read(os.path.join(folder, "commands.md"))
    lines = set(page.splitlines())
    of_commands = {}
    for line in lines:
        of_commands.setdefault(line.split(" | ")[0], []).append(line)
    for row in generate.ask(box.zs, "--rows"):
        shown = of_commands.get("| " + generate.commands(row), [])
        words = [generate.cell(flag["flag"]) for flag in row["flags"]] + row["traits"]
        expect(any(all(word in line for word in words) for line in shown), "no line has %s: %s" % (row, shown))
    for term in generate.ask(box.zs, "--terms"):
        expect("| `%s` | %s |" % (term["name"], generate.cell(term["meaning"])) in lines, "no line has %s" % term)
    expect(page.count("\n## Commands: ") >= 5 and len(lines) >= 1500, "only %d lines" % len(lines))


@test(once=True)
def rows_are_golden(box):
    shown = []
    for name in NAMES:
        result = box.run_zs("vet", "--rows", name).expect(exit=0, stderr="")
        shown.append("$ zs vet --rows %s\n%s" % (json.dumps(name), result.stdout))
    golden("rows.txt", "\n".join(shown))
    golden("rows.jsonl", box.run_zs("vet", "--rows", "--json", *NAMES).expect(exit=0, stderr="").stdout)
    golden("terms.txt", box.run_zs("vet", "--terms").expect(exit=0, stderr="").stdout)


def rows(box, *names):
    """The lines for people and for programs: one for each row, in the same order."""
    lines = box.run_zs("vet", "--rows", *names).expect(exit=0, stderr="").stdout.splitlines()
    objects = [json.loads(line) for line in
        box.run_zs("vet", "--rows", "--json", *names).expect(exit=0, stderr="").stdout.splitlines()]
    expect(len(lines) == len(objects) and lines, "%d lines, %d objects" % (len(lines), len(objects)))
    return list(zip(lines, objects))


@test(once=True)
def lines_and_json_say_the_same(box):
    for line, row in rows(box):
        names = "|".join(row["names"])
        expect(line.split("  ")[0] == ("%s: %s" % ("|".join(row["of"]), names) if row["of"] else names),
            "%s: %s" % (line, row))
        for flag in row["flags"]:
            expect(" " + flag["flag"] in line and (not flag["meaning"] or
                re.search(re.escape(flag["flag"]) + "[=?!^]" + flag["meaning"], line)), "%s: %s" % (line, flag))
        for part in [operand["role"] for operand in row["operands"]] + row["traits"]:
            expect(" " + part in line, "%s: %s" % (line, part))


@test(once=True)
def words_are_terms(box):
    terms = [json.loads(line) for line in box.run_zs("vet", "--terms", "--json").expect(exit=0).stdout.splitlines()]
    named = {kind: {term["name"] for term in terms if term["kind"] == kind} for kind in
        ("role", "effect", "trait", "grammar")}
    for _, row in rows(box):
        used = {"trait": set(row["traits"]), "grammar": {row["grammar"]} - {None},
            "role": {operand["role"] for operand in row["operands"]},
            "effect": {f["meaning"] for f in row["flags"] if f["takes"] in (None, "attached")} - {None, "replace"}}
        # an attached value may have a role of its own: --coverage?w
        used["effect"] -= {f["meaning"] for f in row["flags"] if f["takes"] == "attached"} & named["role"]
        used["role"] |= {f["meaning"] for f in row["flags"] if f["takes"] == "value"}
        for kind, words in used.items():
            if not words <= named[kind]:
                raise Failure("%s: %s %s" % (row["names"], kind, words - named[kind]))


@test(once=True)
def a_name_picks_its_rows_and_those_below(box):
    for name, first, others in (
        ("git", "git  ", ["git: stash  ", "git stash: list|show  ", "git: diff|log|show  "]),
        ("git stash", "git: stash  ", ["git stash: list|show  "]),
        ("git log", "git: diff|log|show  ", []),
        ("pip3.11", "pip|pip3|pipx  ", ["pip|pip3: download"]),
    ):
        lines = [line for line, _ in rows(box, name)]
        expect(lines[0].startswith(first), "%s: %s" % (name, lines[0]))
        for other in others:
            expect(any(line.startswith(other) for line in lines), "%s: no %r in %s" % (name, other, lines))
        expect(others or len(lines) == 1, "%s: %s" % (name, lines))
    for line, row in rows(box, "npm"):
        expect("npm" in row["names"] or any(of.split(" ")[0] == "npm" for of in row["of"]), "npm: %s" % line)


@test(once=True)
def zs_knows_itself(box):
    """The rows of zs have each subcommand of zs, and each of its options."""
    manual = json.loads(box.run_zs("help", "--json").expect(exit=0).stdout)
    own = {row["names"][0]: row for _, row in rows(box, "zs") if row["of"] == ["zs"] and row["names"] != ["*"]}
    subcommands = {command["name"] for command in manual["commands"]} | {"help"}
    expect(set(own) - {"*"} == subcommands, "rows of %s, subcommands %s" % (sorted(own), sorted(subcommands)))
    seen = 0
    for command in manual["commands"]:
        flags = {flag["flag"]: flag["takes"] for flag in own[command["name"]]["flags"]}
        for option in [option for group in command["groups"] for option in group["options"]]:
            for name in ["--" + option["name"]] + (["-" + option["letter"]] if option["letter"] else []):
                seen += 1
                if name not in flags or (flags[name] == "value") != option["takes_value"]:
                    raise Failure("zs %s %s: %s" % (command["name"], name, flags.get(name, "is in no row")))
        if command["runs_command"] and "strict" not in own[command["name"]]["traits"]:
            raise Failure("zs %s runs a command, and takes flags that its row does not list" % command["name"])
    expect(seen >= 100, "only %d options" % seen)


@test(once=True)
def names_without_a_row(box):
    for name in ("frobnicate", "git frobnicate", "", "sort x", "git "):
        box.run_zs("vet", "--rows", name).expect(exit=1, stdout="", stderr="zs: vet: no row describes '%s'\n" % name)
    box.run_zs("vet", "--rows", "x1", "sort", "x2").expect(exit=1, stdout=re.compile(r"\Asort\|gsort  .*\n\Z"),
        stderr="zs: vet: no row describes 'x1'\nzs: vet: no row describes 'x2'\n")


@test(once=True)
def they_stand_alone(box):
    for arguments in (["--rows", "-c", "ls"], ["--rows", "--batch"], ["--rows", "--terms"], ["--terms", "sort"],
            ["--rows", "--ir"], ["--rows", "-p", "verify"], ["--terms", "--unknown", "block"]):
        box.run_zs("vet", *arguments).expect(exit=64, stdout="",
            stderr=re.compile(r"^zs: vet: --(rows|terms): it stands alone; write zs vet --(rows|terms) "))
