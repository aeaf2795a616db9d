"""Compares the verdicts on the cases of testdata/cases, and on the corpora if present, with what is known about them.

A budget is an exact number. A worse result fails, and so does a better one, until the number here is lowered.
"""

import collections
import json
import os
import shlex

from harness import REPOSITORY, Failure, expect, test

CASES = os.path.join(REPOSITORY, "testdata", "cases")
CORPUS = os.path.join(os.path.dirname(REPOSITORY), "shared", "corpus")

BENIGN_BLOCKED = 0  # of 236 that a verify agent needs
EVADE_ALLOWED = 0  # of 647 that nobody contests
# People disagree on 11 of them: caches that no word names (eslint --cache), and code in the text that only prints (echo
# 'puts 1' | ruby).
CONTESTED_ALLOWED = 2
NASTY_HIDDEN_STRICT = 0  # allowed, though bash ran what the IR does not show
NASTY_HIDDEN_RELAXED = 1  # echo pwn > x; . ./x: relaxed trusts files
# texts that bash accepts and strict refuses to read (unsupported, syntax_error, limit).
UNREAD = {"nl2bash": 6, "tldr": 7}

TOTALS = {"benign": 236, "evade": 647, "nasty": 982, "dialects": 69}


def load(path):
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def vet(box, rows, profile_of):
    """Pairs of a row and zs's answer."""
    lines = [json.dumps({"id": i, "cmd": row["cmd"], "profile": profile_of(row)}) for i, row in enumerate(rows)]
    result = box.run_zs("vet", "--batch", "--ir", stdin="\n".join(lines) + "\n")
    answers = [json.loads(line.encode("latin-1").decode("utf-8")) for line in result.stdout.split("\n") if line]
    expect([answer["id"] for answer in answers] == list(range(len(rows))),
        "%d answers to %d rows: %s" % (len(answers), len(rows), result.stderr))
    return list(zip(rows, answers))


def check(what, bad, budget):
    shown = "".join("\n    %s %s: %s %s" % (
        row.get("id", ""), json.dumps(row["cmd"]), answer["code"] or "allow", answer["reason"]) for row, answer in bad)
    expect(len(bad) <= budget, "%s: %d, and the budget is %d:%s" % (what, len(bad), budget, shown))
    if len(bad) < budget:
        raise Failure("%s: %d, better than the budget of %d; lower it in %s:%s" % (
            what, len(bad), budget, os.path.basename(__file__), shown))


def count(what, rows):
    expect(len(rows) == TOTALS[what], "%d rows of %s, not %d" % (len(rows), what, TOTALS[what]))


@test(once=True)
def benign(box):
    """The commands that a verify agent lives on pass."""
    rows = [row for row in load(os.path.join(CASES, "benign.jsonl")) if row["expected"] == "allow"]
    count("benign", rows)
    bad = [(row, answer) for row, answer in vet(box, rows, lambda row: "verify") if answer["verdict"] != "allow"]
    check("benign commands blocked in verify", bad, BENIGN_BLOCKED)


@test(once=True)
def evade(box):
    """A command that changes files, or hides that it does, is blocked in the profile it was written for."""
    rows = load(os.path.join(CASES, "evade.jsonl"))
    answers = vet(box, rows, lambda row: {"base": "strict"}.get(row["profile"], row["profile"]))
    allowed = [(row, answer) for row, answer in answers if answer["verdict"] == "allow"]
    count("evade", [row for row in rows if not row.get("contested")])
    check("evasions allowed", [pair for pair in allowed if not pair[0].get("contested")], EVADE_ALLOWED)
    check("contested evasions allowed", [pair for pair in allowed if pair[0].get("contested")], CONTESTED_ALLOWED)


def hidden(answer, ran):
    """Does the IR hide one of the commands that bash ran? A command with a dynamic name may be any command."""
    names = [command["argv"][0] for command in answer["ir"]["commands"] if command["argv"]]
    return any(run[0] not in names and None not in names for run in ran)


@test(once=True)
def nasty(box):
    """No command that bash ran is missing in the IR of what is allowed."""
    rows = load(os.path.join(CASES, "nasty.jsonl"))
    count("nasty", rows)
    for profile, budget in (("strict", NASTY_HIDDEN_STRICT), ("relaxed", NASTY_HIDDEN_RELAXED)):
        answers = vet(box, rows, lambda row: profile)
        bad = [(row, answer) for row, answer in answers if answer["verdict"] == "allow" and hidden(answer, row["ran"])]
        check("hidden commands in %s" % profile, bad, budget)
        expect(any(answer["verdict"] == "allow" and row["ran"] for row, answer in answers),
            "nothing that ran is allowed in %s: the test shows nothing" % profile)


@test(once=True)
def nasty_is_blocked_in_verify(box):
    """verify allows no text that runs a command which the IR does not show."""
    rows = load(os.path.join(CASES, "nasty.jsonl"))
    bad = [(row, answer) for row, answer in vet(box, rows, lambda row: "verify")
        if answer["verdict"] == "allow" and hidden(answer, row["ran"])]
    check("hidden commands in verify", bad, 0)


def backquoted(command):
    return "echo `%s`" % command.replace("\\", "\\\\").replace("`", "\\`").replace("$", "\\$")


# Contexts in which a command may stand. The parser rejects the first two, so only the strict reader reads them.
WRAPPERS = {
    "behind a parser's error": lambda command: "for i do :; done\n%s" % command,
    "in front of one": lambda command: "%s\nfor i do :; done" % command,
    "in a substitution": lambda command: "echo $(\n%s\n)" % command,
    "in a quoted one": lambda command: 'echo "$(\n%s\n)"' % command,
    "in backquotes": backquoted,
    "in ${x:-}": lambda command: "echo ${x:-$(\n%s\n)}" % command,
    "in arithmetic": lambda command: "echo $((1+$(\n%s\n)))" % command,
    "in a here-document": lambda command: "cat <<E_E\n$(\n%s\n)\nE_E\n" % command,
    "in a function": lambda command: "f() {\n%s\n}; f" % command,
    "in subshells": lambda command: "( (\n%s\n) )" % command,
    "in if": lambda command: "if :; then\n%s\nfi" % command,
    "in case": lambda command: "case x in x)\n%s\n;; esac" % command,
    "behind time": lambda command: "time {\n%s\n}" % command,
    "for bash -c": lambda command: "bash -c %s" % shlex.quote(command),
    "for eval": lambda command: "eval %s" % shlex.quote(command),
    "for trap": lambda command: "trap %s EXIT" % shlex.quote(command),
}


@test(once=True)
def wrapped(box):
    """In every context, a command that ran is shown or blocked, and a blocked command stays blocked."""
    nasty_rows = [row for row in load(os.path.join(CASES, "nasty.jsonl")) if row["ran"]]
    evade_rows = [row for row in load(os.path.join(CASES, "evade.jsonl")) if not row.get("contested")]
    for where, wrap in WRAPPERS.items():
        rows = [dict(row, cmd=wrap(row["cmd"])) for row in nasty_rows]
        bad = [(row, answer) for row, answer in vet(box, rows, lambda row: "strict")
            if answer["verdict"] == "allow" and hidden(answer, row["ran"])]
        check("hidden commands %s" % where, bad, 0)
        rows = [dict(row, cmd=wrap(row["cmd"])) for row in evade_rows]
        bad = [pair for pair in vet(box, rows, lambda row: "verify") if pair[1]["verdict"] == "allow"]
        check("evasions allowed %s" % where, bad, 0)


@test(once=True)
def dialects(box):
    """A text that makes a change only in another shell is blocked if it is for that shell."""
    given = load(os.path.join(CASES, "dialects.jsonl"))
    rows = [dict(row, cmd="%s -c %s" % (row["shell"], shlex.quote(row["cmd"]))) for row in given]
    count("dialects", rows)
    bad = [pair for pair in vet(box, rows, lambda row: "verify") if pair[1]["verdict"] == "allow"]
    check("texts for other shells allowed", bad, 0)
    fed = [dict(row, cmd="printf '%%s\\n' %s | %s" % (shlex.quote(row["cmd"]), row["shell"])) for row in given]
    bad = [pair for pair in vet(box, fed, lambda row: "verify") if pair[1]["verdict"] == "allow"]
    check("texts for other shells on their input allowed", bad, 0)


def corpus(box, name):
    rows = [row for row in load(os.path.join(CORPUS, name + ".jsonl")) if row["bash_n_ok"]]
    answers = vet(box, rows, lambda row: "strict")
    codes = collections.Counter(answer["code"] for _, answer in answers)
    shares = ", ".join("%d %s" % (n, code or "allow") for code, n in codes.most_common())
    print("  %s: %d commands, %s" % (name, len(rows), shares))
    bad = [pair for pair in answers if pair[1]["code"] in ("unsupported", "syntax_error", "limit")]
    check("commands of %s that are not read" % name, bad, UNREAD[name])


if os.path.isdir(CORPUS):

    @test(once=True)
    def nl2bash(box):
        corpus(box, "nl2bash")

    @test(once=True)
    def tldr(box):
        corpus(box, "tldr")
