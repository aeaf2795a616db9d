#!/usr/bin/env python3
"""Hooks that read commands, on the sets of testdata/guard.  tests/bench/readers.py --zs PATH [--PEER PATH]...

Prints a table of docs/comparison.md: how many commands of each part a hook denies, and in brackets for how many it asks
the person instead. Each hook gets Claude Code's PreToolUse event on its standard input, and runs nothing. A hook whose
program is not given has no column. --part NAME, as often as wanted, takes those parts alone. --list prints what each
hook lets pass, and what it stops of the harmless ones.
"""

import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

SET = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "testdata", "guard")
NEWLINE = "\u2424"  # a newline in a line of the set


def argv_of(given):
    """Each hook's name, command line and environment."""
    dcg = given["dcg"]
    hooks = [("zs hook", [given["zs"], "hook", "claude"], {}),
        ("cc-safety-net", given["safety_net"] and [given["safety_net"], "hook", "--claude-code"], {}),
        ("dcg", dcg and [dcg], {}),
        ("dcg, all packs", dcg and [dcg], {"DCG_PACKS": packs_of(dcg) if dcg else ""}),
        ("Dippy", given["dippy"] and [sys.executable, given["dippy"]], {})]
    return [hook for hook in hooks if hook[1]]


def packs_of(dcg):
    """The names of all packs of destructive_command_guard, less those that only make it stricter or looser."""
    listed = subprocess.run([dcg, "packs"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return ",".join(re.findall(r"([a-z_]+\.[a-z0-9_]+) - ", listed.stdout.decode()))


def load(name):
    """(part of the set, command)."""
    part = ""
    with open(os.path.join(SET, name), encoding="utf-8") as file:
        for line in file:
            if line.startswith("#"):
                part = line[1:].strip()
            elif line.strip():
                yield part, line.rstrip("\n").replace(NEWLINE, "\n")


def decision(hook, text, work, home):
    """deny, ask or pass"""
    placed = re.sub("/srv(/tally)?", lambda found: work if found[1] else os.path.dirname(work), text)
    event = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": work, "tool_name": "Bash",
        "tool_input": {"command": placed.replace("/home/ada", home)}}
    done = subprocess.run(hook[1], input=json.dumps(event).encode(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        cwd=work, env={"PATH": os.environ["PATH"], "HOME": home, **hook[2]}, timeout=60)
    if done.returncode == 2:
        return "deny"
    if done.returncode or not done.stdout.strip():
        return "pass" if done.returncode == 0 else sys.exit("readers: %s exits with %d" % (hook[0], done.returncode))
    answer = json.loads(done.stdout).get("hookSpecificOutput", {}).get("permissionDecision", "pass")
    return answer if answer in ("deny", "ask") else "pass"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("zs", "safety-net", "dcg", "dippy"):
        parser.add_argument("--" + name, required=name == "zs")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--part", action="append")
    given = vars(parser.parse_args())
    hooks = argv_of(given)
    # Not below /tmp, where zs and others let more be written.
    above = os.environ.get("PEERS_DIR") or os.path.expanduser("~")
    with tempfile.TemporaryDirectory(prefix="readers-", dir=above) as root:
        home, work = os.path.join(root, "ada"), os.path.join(root, "srv", "tally")
        os.makedirs(home)
        subprocess.run(["git", "init", "-q", work], check=True)
        print("| part of the set | commands | %s |" % " | ".join(hook[0] for hook in hooks))
        print("|---|---|%s" % ("---|" * len(hooks)))
        for name, harmful in (("stopped.txt", True), ("passed.txt", False)):
            rows = [row for row in load(name) if not given["part"] or row[0] in given["part"]]
            with concurrent.futures.ThreadPoolExecutor(4) as pool:
                answers = [list(pool.map(lambda row, hook=hook: decision(hook, row[1], work, home), rows))
                    for hook in hooks]
            for part in dict.fromkeys(row[0] for row in rows):
                here = [i for i, row in enumerate(rows) if row[0] == part]
                cells = []
                for got in answers:
                    asks = sum(got[i] == "ask" for i in here)
                    cells.append("%d%s" % (sum(got[i] == "deny" for i in here), " (%d)" % asks if asks else ""))
                print("| %s%s | %d | %s |" % ("" if harmful else "harmless: ", part, len(here), " | ".join(cells)))
            for hook, got in zip(hooks, answers) if given["list"] else ():
                for row, answer in zip(rows, got):
                    if (answer == "deny") != harmful:
                        print("%s: %s %s" % (hook[0], answer, row[1].replace("\n", NEWLINE)), file=sys.stderr)


if __name__ == "__main__":
    main()
