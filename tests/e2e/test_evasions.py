"""The profiles strict and relaxed: generated evasions that a real bash runs, and idioms that must pass."""

import collections
import json
import os
import random

from evasions import TEMPLATES, Stand, generate
from harness import REPOSITORY, Failure, expect, test

IDIOMS = os.path.join(REPOSITORY, "testdata", "cases", "idioms.jsonl")
SEED = 17
COUNT = 300
SHARE = 0.9  # share of the texts that must act, or the test shows nothing


def vet(box, commands, profile, *options):
    lines = [json.dumps({"id": i, "cmd": command, "profile": profile}) for i, command in enumerate(commands)]
    result = box.run_zs("vet", "--batch", *options, stdin="\n".join(lines) + "\n")
    answers = [json.loads(line.encode("latin-1").decode("utf-8")) for line in result.stdout.split("\n") if line]
    expect([answer["id"] for answer in answers] == list(range(len(commands))),
        "%d answers to %d commands: %s" % (len(answers), len(commands), result.stderr))
    return answers


def show(pairs):
    return "".join("\n    %s: %s" % (json.dumps(command), answer["reason"] or "allow") for command, answer in pairs)


@test(needs=["bash"], once=True)
def evasions(box):
    """A text that a real bash turns into a change of directory, a redirection or an unnamed program is blocked."""
    stand = Stand(box)
    rows = generate(os.path.join(REPOSITORY, TEMPLATES), SEED, COUNT)
    for row in rows:
        row["truth"] = stand.run(row["cmd"])
    acting = [row for row in rows if row["truth"]]
    kinds = collections.Counter(row["kind"] for row in acting)
    print("  %d of %d texts act: %s" % (len(acting), len(rows), dict(kinds)))
    expect(len(acting) >= SHARE * len(rows), "only %d of %d texts do anything" % (len(acting), len(rows)))
    for profile, harms in (("strict", {"moved", "hidden", "wrote"}), ("relaxed", {"hidden"})):
        commands = [row["cmd"] for row in acting if harms & set(row["truth"])]
        missed = [pair for pair in zip(commands, vet(box, commands, profile)) if pair[1]["verdict"] == "allow"]
        if missed:
            raise Failure("%d of %d pass %s:%s" % (len(missed), len(commands), profile, show(missed)))


@test(once=True)
def idioms(box):
    """The texts that agents and CI scripts write pass."""
    with open(IDIOMS, encoding="utf-8") as f:
        commands = [json.loads(line)["cmd"] for line in f]
    for profile in ("strict", "relaxed"):
        stopped = [pair for pair in zip(commands, vet(box, commands, profile)) if pair[1]["verdict"] != "allow"]
        if stopped:
            raise Failure("%d of %d are stopped in %s:%s" % (len(stopped), len(commands), profile, show(stopped)))


OPERATORS = ["^^", ",,", "^", ",", "@U", "@L", "@u", "#{p}", "##{p}", "%{p}", "%%{p}", "/{p}/{r}", "//{p}/{r}",
    "/#{p}/{r}", "/%{p}/{r}", "//{p}", "/{p}", ":{n}", ":{n}:{n}", ": -{n}", ": -{n}:{n}", ":-{p}",
    "-{p}", ":+{p}", "+{p}"]
READERS = ["read -r x y", "read x", "read -r x", "IFS=, read -r x y", "IFS=, read x y z", "IFS= read -r x",
    "read -ra x", "mapfile -t x", "readarray -t x"]
VALUES = "aAbB.-_/1x"
USES = ['"p$x"', '"p$y"', "p$x", '"p${x[@]}"', '"p${x[0]}"', '"p${x[1]}"']


def expansion(chance):
    """An assignment and the expansion of its variable, whose words bash prints."""
    value = "".join(chance.choice(VALUES) for _ in range(chance.randint(1, 8)))
    pattern = "".join(chance.choice(VALUES + "*?") for _ in range(chance.randint(1, 3)))
    text = "".join(chance.choice(VALUES) for _ in range(chance.randint(0, 2)))
    operator = chance.choice(OPERATORS).format(p=pattern, r=text, n=chance.randint(0, 9))
    quotes = chance.choice(['"', ""])
    return "v=%s" % value, "%s${v%s}%s" % (quotes, operator, quotes)


def fill(chance):
    """A builtin that fills variables, and the words to which they expand."""
    words = [chance.choice(["a", "bc", "d", "x,y", ",", "a,", ""]) for _ in range(chance.randint(1, 4))]
    line = chance.choice([" ", ",", "  ", "\n"]).join(words)
    given = " <<'E'\n%s\nE\n" % line if chance.random() < 0.5 else " <<< '%s'; " % line
    if chance.random() < 0.3:
        form = chance.choice(["%s", "%s-%s", "a%sb", "%s\\n", "%%%s"])
        return "printf -v x '%s' %s; " % (form, " ".join("'%s'" % word for word in words)), '"p$x"'
    return chance.choice(READERS) + given, chance.choice(USES)


@test(needs=["bash"], once=True)
def values_are_those_of_bash(box):
    """If the vetter knows the words of an expansion, the words of bash are among them. It knows most of them."""
    chance = random.Random(SEED)
    pairs = [expansion(chance) for _ in range(1500)] + [fill(chance) for _ in range(1000)]
    known = 0
    script = "".join("(%s\nprintf '%%s\\1' %s; printf '\\3')\nprintf '\\2'\n" % pair for pair in pairs)
    result = box.run(["bash", box.file("script", script)], env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"})
    runs = result.stdout.split("\2")[:-1]
    expect(len(runs) == len(pairs), "%d of %d expansions: %s" % (len(runs), len(pairs), result.stderr))
    answers = vet(box, ["%s\n%s end" % pair for pair in pairs], "strict", "--ir")
    for pair, run, answer in zip(pairs, runs, answers):
        words = run.split("\1")[:-1]
        shown = [command["argv"] for command in answer["ir"]["commands"]]
        unknown = {"dynamic_command", "dynamic_argument"} & set(answer["risks"])
        if unknown or "\3" not in run:  # or bash refuses the text
            continue
        known += 1
        # Without a word printf prints one empty word.
        expect(words + ["end"] in shown or (words == [""] and ["end"] in shown),
            "bash makes %r of %s; %s, the vetter %r" % (words, *pair, shown))
    print("  %d of %d are known" % (known, len(pairs)))
    expect(known >= 0.6 * len(pairs), "only %d of %d are known" % (known, len(pairs)))
