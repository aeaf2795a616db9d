"""Tries the table of commands on the programs of this machine: for each row, words that its program takes, in a dry
run. A change that the row does not say is a failure, shown by the smallest command that makes it.

usage: run.py --zs ZS [--sample] [--per-program N] [--only NAME...] [--report FILE]"""

import argparse
import collections
import concurrent.futures
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import world  # noqa: E402

WALL = 3  # seconds that a program may take
OPTIONS_MAX = 40  # options of one program that are tried
# Programs that need a terminal, a service or devices, or that say nothing about files.
LEFT_OUT = set("""
    vi vim view ex rvim rview rview vimdiff vimtutor vim.basic editor select-editor sensible-editor vipw vigr less
    more zless zmore bzless bzmore xzless xzmore lzless lzmore top watch tmux screen su sudo login sg newgrp passwd
    chsh chfn script shutdown reboot halt poweroff init telinit runlevel sleep yes w kill killall killall5 pkill
    skill snice service docker ssh scp sftp slogin journalctl mesg wall write fish zsh tclsh wish ipython ipython3
    jshell rtcwake cscope cscope-indexer perf systemd-inhibit systemd-run nc telnet ftp mail fuser zs
""".split())
SKIPPED_TRAITS = {"device", "privilege", "guard", "subcommands"}


def rows_of(zs):
    out = subprocess.run([zs, "vet", "--rows", "--json"], capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def programs(rows):
    """(words, row) for each row whose program is on this machine, and the names that are not."""
    found, missing = [], []
    for row in rows:
        for of in row["of"] or [""]:
            for name in row["names"]:
                words = of.split() + [name]
                if "*" in words or "*" in name or words[0] in LEFT_OUT or words[0].startswith("systemd-"):
                    continue
                if not shutil.which(words[0]):
                    missing.append(" ".join(words))
                elif not SKIPPED_TRAITS & set(row["traits"]) and row["table"] != "builtins":
                    found.append((words, row))
    return found, missing


class Runs:
    def __init__(self, zs, place):
        self.zs, self.place = zs, place
        self.environment = dict(os.environ, TERM="dumb", LC_ALL="C.UTF-8", GIT_PAGER="cat", PAGER="cat",
            GIT_EDITOR="true", EDITOR="true", COLUMNS="80")

    def run(self, words, agree=True):
        """The records of differences, or with agree False what the program prints."""
        command = [self.zs, "run", "--no-settings", "--verify", "--limit", "wall=%ds" % WALL, "--limit",
            "file-size=64M"]
        if agree:
            command += ["--agree=report", "--json"]
        with open(os.path.join(self.place, "a.txt"), "rb") as stdin:
            try:
                done = subprocess.run(command + ["--"] + words, cwd=self.place, env=self.environment, stdin=stdin,
                    stdout=subprocess.DEVNULL if agree else subprocess.PIPE, stderr=subprocess.PIPE, timeout=4 * WALL,
                    check=False)
            except subprocess.TimeoutExpired:
                return [] if agree else ""
        text = done.stderr.decode("utf-8", "replace")
        if agree and done.returncode > 128:  # a limit ended it in the middle of its work
            return []
        if not agree:
            return done.stdout.decode("utf-8", "replace") + text
        records = []
        for line in text.splitlines():
            if line.startswith('{"command":'):
                record = json.loads(line)
                if record["class"] == "difference":
                    records.append(record)
        return records


def suited(words):
    name = words[0]
    for pattern, files in world.SUITED:
        if len(words) == 1 and re.fullmatch(pattern, name):
            return files
    return ["a.txt"]


def value_for(role, chance):
    if role in ("write", "output", "create", "append", "setting"):
        return "o1"
    if role in ("read", "script", "preload"):
        return chance.choice(["a.txt", "list"])
    if role in ("chdir", "target"):
        return "d"
    return chance.choice(["1", "2", "a", "a.txt"])


HELPED = re.compile(r"(?<![\w-])(--?[A-Za-z][\w-]*)(\[?[= ]?[<\[]?[A-Z][A-Za-z_-]*[>\]]?)?")


def options_of(words, row, runs, chance):
    """Options as lists of words: those of the row, and those that its help names."""
    options = []
    for flag in row["flags"]:
        name = flag["flag"]
        if flag["takes"] == "value":
            value = value_for(flag["meaning"], chance)
            options.append([name + "=" + value] if name.startswith("--") else [name, value])
        else:
            options.append([name])
    text = runs.run(words + (["-h"] if words[0] == "git" else ["--help"]), agree=False)[:60000]
    for name, value in HELPED.findall(text):
        if value.strip():
            options.append(["%s=%s" % (name, chance.choice(["1", "o1"]))] if name.startswith("--") else [name, "1"])
        else:
            options.append([name])
    unique = [list(item) for item in dict.fromkeys(tuple(option) for option in options)]
    chance.shuffle(unique)
    return unique[:OPTIONS_MAX]


def invocations(words, row, runs, count, chance):
    """Up to `count` commands of a program."""
    files = suited(words)
    operands = [files, [], ["a.txt"], files + ["new"], ["d"], ["a.txt", "b.txt"], ["new"], ["link"]]
    options = options_of(words, row, runs, chance)
    made = [words + some for some in operands]
    made += [words + option + files for option in options]
    made += [words + option + chance.choice(operands) for option in options]
    for _ in range(count):
        if len(options) > 1:
            pair = chance.sample(options, 2)
            made.append(words + pair[0] + pair[1] + chance.choice(operands))
    unique = list(dict.fromkeys(tuple(item) for item in made))
    head = unique[:len(operands)]
    rest = unique[len(operands):]
    return [list(item) for item in (head + rest)[:count]]


def predictions(zs, commands):
    """The least that zs knows of each command."""
    order = ["unknown", "runs", "within", "writes", "reads"]
    lines = "".join(json.dumps({"id": i, "cmd": shlex.join(words)}) + "\n" for i, words in enumerate(commands))
    out = subprocess.run([zs, "vet", "--batch", "--ir"], input=lines, capture_output=True, text=True,
        check=False).stdout
    return [min((command["effects"]["prediction"] for command in json.loads(line)["ir"]["commands"]), key=order.index,
        default="unknown") for line in out.splitlines()]


def smaller(runs, words):
    """Leaves words out as long as the difference stays."""
    i = len(words) - 1
    while i > 0:
        shorter = words[:i] + words[i + 1:]
        if runs.run(shorter):
            words = shorter
        i -= 1
    return words


def attempt(runs, words):
    """Runs a command. Returns the smallest command that still differs; None: it agrees."""
    if not runs.run(words):
        return None
    words = smaller(runs, words)
    for record in runs.run(words)[:1]:
        print("FAIL %s: %s, but %s: %s" % (shlex.join(words), record["predicted"]["prediction"],
            ", ".join(record["seen"]), " ".join(record["paths"][:6])), flush=True)
    return shlex.join(words)


def try_program(runs, words, row, count):
    """Tries the commands of one program: how many had which prediction, and those that differ."""
    commands = invocations(words, row, runs, count, random.Random(" ".join(words)))
    known = predictions(runs.zs, commands)
    failed = {attempt(runs, command) for command, prediction in zip(commands, known) if prediction != "unknown"}
    return collections.Counter(known), failed - {None}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--zs", required=True)
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("--per-program", type=int, default=10)
    parser.add_argument("--subcommands", type=int, default=30, help="how many of one program are tried")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--report")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    given = parser.parse_args()
    begun, counted, failed, names = time.monotonic(), collections.Counter(), set(), set()
    found, missing = programs(rows_of(given.zs))
    if given.sample:
        given.only = given.only or "cat sort uniq sed gzip tee cp ls head cut tr diff strip wc tar touch".split()
    subcommands = collections.Counter()
    chosen = []
    # programs without subcommands first; within these in an order that mixes quick and slow ones
    for words, row in sorted(found, key=lambda item: (len(item[0]) > 1, random.Random(" ".join(item[0])).random())):
        subcommands[words[0]] += 1
        if subcommands[words[0]] <= given.subcommands and (not given.only or words[0] in given.only):
            chosen.append((words, row))
    with tempfile.TemporaryDirectory(dir="/var/tmp") as place:
        world.make(place)
        runs = Runs(os.path.realpath(given.zs), place)
        with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
            outcomes = pool.map(lambda item: try_program(runs, *item, given.per_program), chosen)
            for (words, _), (known, differ) in zip(chosen, outcomes):
                counted += known
                failed |= differ
                if sum(known.values()) > known["unknown"]:
                    names.add(words[0])
                if sum(counted.values()) // 500 > (sum(counted.values()) - sum(known.values())) // 500:
                    print("%d tried, %d programs, %d s" % (sum(counted.values()), len(names), time.monotonic() - begun),
                        flush=True)
    tried = sum(counted.values()) - counted["unknown"]
    print("%d invocations of %d programs in %d s: %s; %d not known and not run; %d differ" % (tried, len(names),
        time.monotonic() - begun, ", ".join("%d %s" % (count, name) for name, count in sorted(counted.items())
        if name != "unknown"), counted["unknown"], len(failed)))
    print("%d names of rows never met their program" % len(missing))
    if given.report:
        with open(given.report, "w", encoding="utf-8") as file:
            file.write("tried:\n%s\n\nnever met their program:\n%s\n" % ("\n".join(sorted(names)),
                "\n".join(sorted(missing))))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
