"""Compares what zs says of whole commands with what they do. Each command of testdata/cases, of ordinary.txt and of
the demo's session runs in a dry run, in a workspace that has the files it names. Two things fail: a command that reads
only, as the table says, and that has changed a file; and a false alarm, a difference of an ordinary command, when there
are more than one in a hundred.

usage: truth.py --zs ZS [--only SET...] [--jobs N]"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import world  # noqa: E402

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WALL = 20  # seconds that a command may take
CASES = ("evade", "benign", "idioms", "nasty", "dialects")
FALSE_ALARMS_MAX = 0.01
ORDER = ["unknown", "runs", "within", "writes", "reads"]
# a word that looks like the name of a file of the workspace
NAMED = re.compile(r"(?<![\w./~$-])((?:[\w-]+/){0,4}[\w-]+\.([a-z]{1,6}))(?![\w/.(-])")


def cases(name):
    with open(os.path.join(REPOSITORY, "testdata/cases", name + ".jsonl"), encoding="utf-8") as file:
        return [json.loads(line)["cmd"] for line in file]


def ordinary():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "ordinary.txt"), encoding="utf-8") as file:
        return [line.rstrip("\n") for line in file if line.strip() and not line.startswith("#")]


def session():
    with open(os.path.join(REPOSITORY, "testdata/sessions/fix-c-project.jsonl"), encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [row["cmd"].replace("@PORT@", "9").replace("@PID@", "1") for row in rows if "cmd" in row]


def fill(place, texts):
    """Makes the files that the commands name, each with content that suits its kind."""
    for text in texts:
        for name, kind in NAMED.findall(text):
            path = os.path.join(place, name)
            try:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                if not os.path.lexists(path):
                    with open(path, "x", encoding="utf-8") as file:
                        file.write(world.FILES.get("a." + kind, "one\ntwo\n"))
            except OSError:  # a part of it is a file already
                pass


def commit(place):
    world.run(place, ["git add -A", "git commit -qm three"])


def predictions(zs, texts):
    """The least that zs knows of each command."""
    lines = "".join(json.dumps({"id": i, "cmd": text, "profile": "guard"}) + "\n" for i, text in enumerate(texts))
    out = subprocess.run([zs, "vet", "--batch", "--ir"], input=lines.encode(), capture_output=True, check=False).stdout
    found = []
    for line in out.decode("utf-8", "replace").split("\n"):
        if line:
            ir = json.loads(line)["ir"]
            known = [command["effects"]["prediction"] for command in ir["commands"]]
            if any(redirect["writes"] and redirect["command"] is None for redirect in ir["redirects"]):
                known.append("writes")  # of a compound command
            found.append(min(known, key=ORDER.index, default="unknown"))
    return found


def run(zs, place, text):
    """The changes of a command and the records of differences; None: it did not end."""
    environment = dict(os.environ, TERM="dumb", LC_ALL="C.UTF-8", GIT_PAGER="cat", PAGER="cat", GIT_EDITOR="true",
        EDITOR="true", GIT_AUTHOR_NAME="a", GIT_AUTHOR_EMAIL="a@example.com", GIT_COMMITTER_NAME="a",
        GIT_COMMITTER_EMAIL="a@example.com")
    command = [zs, "run", "--no-settings", "--verify", "--agree=report", "--diff", "--json", "--limit",
        "wall=%ds" % WALL, "--limit", "file-size=64M", "--env", "GIT_*", "--", "bash", "--norc", "-c", "--", text]
    try:
        done = subprocess.run(command, cwd=place, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, timeout=4 * WALL, check=False)
    except (subprocess.TimeoutExpired, ValueError):
        return None
    changes, records = [], []
    for line in done.stderr.decode("utf-8", "replace").split("\n"):
        if line.startswith('{"change":'):
            changes.append(json.loads(line))
        elif line.startswith('{"command":'):
            records.append(json.loads(line))
    return changes, records


def is_change(change):
    """git status notes the times of files in its index; that changes no content."""
    return not change["path"].endswith(".git/index")


class Set:
    """The outcome of a set of commands."""

    def __init__(self, name):
        self.name, self.known, self.differ, self.silent, self.unended = name, collections.Counter(), [], [], 0

    def take(self, text, prediction, outcome):
        self.known[prediction] += 1
        if outcome is None:
            self.unended += prediction != "unknown"
            return
        changes, records = outcome
        records = [record for record in records if record["class"] == "difference"]
        written = [change["path"] for change in changes if is_change(change)]
        if records:
            self.differ.append((text, records[0]))
        if prediction == "reads" and written and not outcome[1]:
            self.silent.append((text, written))

    def show(self):
        tried = sum(self.known.values()) - self.known["unknown"] - self.unended
        print("%-9s %4d commands, %4d compared: %s; %d not known, %d did not end; %d differ; %d silent writers" % (
            self.name, sum(self.known.values()), tried, ", ".join("%d %s" % (self.known[name], name)
                for name in reversed(ORDER[1:])), self.known["unknown"], self.unended, len(self.differ),
            len(self.silent)))
        for text, record in self.differ:
            print("  DIFFERS %s\n    %s: %s: %s %s" % (json.dumps(text), record["command"],
                record["predicted"]["prediction"], ", ".join(record["seen"]), " ".join(record["paths"][:6])))
        for text, written in self.silent:
            print("  SILENT %s\n    %s" % (json.dumps(text), " ".join(written[:6])))
        sys.stdout.flush()


def try_set(zs, name, texts, place, pool):
    texts = [text for text in dict.fromkeys(texts) if "\0" not in text]
    found = Set(name)
    known = predictions(zs, texts)
    outcomes = pool.map(lambda item: run(zs, place, item[0]) if item[1] != "unknown" else None, zip(texts, known))
    for text, prediction, outcome in zip(texts, known, outcomes):
        found.take(text, prediction, outcome)
    found.show()
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--zs", required=True)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    given = parser.parse_args()
    zs, begun = os.path.realpath(given.zs), time.monotonic()
    sets = {name: cases(name) for name in CASES}
    sets.update(ordinary=ordinary(), session=session())
    found = []
    with tempfile.TemporaryDirectory(dir="/var/tmp") as top, \
            concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for name, texts in sets.items():
            if given.only and name not in given.only:
                continue
            place = os.path.join(top, name)
            if name == "session":
                shutil.copytree(os.path.join(REPOSITORY, "testdata/sessions/fix-c-project"), place)
                world.run(place, ["git init -q .", "git add -A", "git commit -qm one",
                    "git commit -q --allow-empty -m two"])
            else:
                os.mkdir(place)
                world.make(place)
                if name in CASES:
                    fill(place, texts)
                    commit(place)
            found.append(try_set(zs, name, texts, place, pool))
    silent = sum(len(one.silent) for one in found)
    reads = sum(one.known["reads"] for one in found)
    wrong = sum(record["predicted"]["prediction"] == "reads" for one in found for _, record in one.differ)
    usual = [one for one in found if one.name in ("ordinary", "session")]
    alarms, count = sum(len(one.differ) for one in usual), sum(sum(one.known.values()) for one in usual)
    total = sum(sum(one.known.values()) for one in found)
    print("%d commands in %d s; %d that read only: %d silent writers, %d writers that --agree found; "
        "false alarms: %d of %d ordinary commands" % (total, time.monotonic() - begun, reads, silent, wrong, alarms,
        count))
    return 1 if silent or wrong or alarms > FALSE_ALARMS_MAX * max(count, 1) else 0


if __name__ == "__main__":
    sys.exit(main())
