"""Fuzzes in turns until it is interrupted, or for --seconds: every fuzzer goes on from its corpus in the cache
(ZS_FUZZ, by default ~/.cache/zs/fuzz), and the sums of all runs are in ledger.json there. Status 1: there is a finding.

    forever.py FOLDER [--jobs N] [--seconds N] [--turn N] [--only NAME] --cases FILE...

FOLDER has the programs of `./zigw build fuzz-install`."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CACHE = os.environ.get("ZS_FUZZ") or os.path.join(
    os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "zs", "fuzz")
# bash by the suite of Debian's that has it; the machine's own needs none.
SUITES = {"5.1": "bullseye", "5.3": "sid"}
# They go with a bash for which the machine's libc is too old.
LIBRARIES = ("ld-linux-x86-64.so.2", "libc.so.6", "libtinfo.so.6")
NO_JAIL = 77  # the status of a fuzzer that cannot run here
GUIDED = ("vet", "net", "documents", "overlay")


def say(text):
    print("fuzz-forever: " + text, flush=True)


def fetch(version):
    """A folder with Debian's bash of this version and its libraries, in the cache. None: it cannot be had."""
    folder = os.path.join(CACHE, "bash-" + version)
    if os.path.exists(os.path.join(folder, "bash")):
        return folder
    sys.path.insert(0, os.path.join(HERE, "..", "vm"))
    import debian
    unpacked = folder + ".unpacked"
    shutil.rmtree(unpacked, ignore_errors=True)
    try:
        # Each suite has an apt of its own, which takes nothing from the others.
        apt = debian.Apt("amd64", os.path.join(CACHE, "apt-" + version))
        apt.use(SUITES[version])
        for package in ("bash", "libc6", "libtinfo6"):
            apt.download(package, unpacked)
        files = {name: os.path.join(where, name) for where, _, names in os.walk(unpacked) for name in names
            if name == "bash" and where.endswith("bin") or name in LIBRARIES}
        older = subprocess.run(["ldd", files["bash"]], capture_output=True, text=True)
    except (debian.Missing, OSError, KeyError) as error:
        say("NO BASH %s, its turns are left out: %s" % (version, error))
        return None
    os.makedirs(folder, exist_ok=True)
    for name in LIBRARIES if "not found" in older.stdout + older.stderr else ():
        shutil.copy(files[name], folder)
    shutil.copy(files["bash"], folder)
    shutil.rmtree(unpacked)
    return folder


class Ledger:
    """The sums of all runs, by fuzzer."""

    def __init__(self):
        self.path = os.path.join(CACHE, "ledger.json")
        self.sums = {}
        if os.path.exists(self.path):
            with open(self.path) as file:
                self.sums = json.load(file)

    def add(self, name, executions, findings, edges=None):
        row = self.sums.setdefault(name, {"executions": 0, "findings": 0})
        row["executions"] += executions
        row["findings"] += findings
        if edges:
            row["edges"] = max(edges, row.get("edges", 0))
        with open(self.path + ".new", "w") as file:
            json.dump(self.sums, file, indent=1, sort_keys=True)
        os.replace(self.path + ".new", self.path)


def turns(arguments):
    """The fuzzers: a name, and the words that start one for so many seconds with a seed."""
    def differential(*options):
        return lambda seconds, seed: [os.path.join(arguments.folder, "fuzz-differential"),
            "--server=" + os.path.join(arguments.folder, "libfuzz-server.so"),
            "--marker=" + os.path.join(arguments.folder, "fuzz-marker"), "--jobs=%d" % arguments.jobs,
            "--seconds=%d" % seconds, "--seed=%d" % seed, *options, *arguments.cases]

    def guided(name):
        corpus = os.path.join(CACHE, "corpus", name)
        os.makedirs(corpus, exist_ok=True)
        cases = arguments.cases if name == "vet" else []
        return lambda seconds, seed: [os.path.join(arguments.folder, "fuzz-guided-" + name), "--corpus=" + corpus,
            str(seconds), str(seed), *cases]

    yield "parse", differential("--parse")
    for version in SUITES:
        bash = fetch(version)
        if bash:
            yield "parse-" + version, differential("--parse", "--bash=" + bash, "--other")
            yield "run-" + version, differential("--bash=" + bash)
    yield "run", differential()
    for name in GUIDED:
        yield "guided-" + name, guided(name)


def number(pattern, text):
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def take_turn(name, argv, ledger):
    """Returns the number of findings."""
    done = subprocess.run(argv, stdout=subprocess.PIPE, text=True, errors="replace")
    executions = number(r"executions (\d+)", done.stdout) or number(r"(\d+) inputs in", done.stdout)
    findings = number(r"findings (\d+)", done.stdout) or number(r"(\d+) failed", done.stdout)
    edges = number(r"(\d+) of \d+ edges", done.stdout)
    if done.returncode == NO_JAIL:
        say("%s DID NOT RUN: the jail cannot be made, or does not pass its own check" % name)
        return 0
    if findings or done.returncode not in (0, 1):
        path = os.path.join(CACHE, "finding-%s-%d" % (name, time.time()))
        with open(path, "w") as file:
            file.write(done.stdout)
        say("FINDING: %s ended with %d, see %s" % (name, done.returncode, path))
        findings = findings or 1
    ledger.add(name, executions, findings, edges)
    say("%s: %d executions, %d findings; of all runs %s" % (name, executions, findings, json.dumps(ledger.sums[name])))
    return findings


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=0, help="0: until it is interrupted")
    parser.add_argument("--turn", type=int, default=300, help="seconds of one turn")
    parser.add_argument("--only", default="", help="the beginning of names")
    parser.add_argument("--cases", nargs="+", required=True)
    arguments = parser.parse_args()
    os.makedirs(CACHE, exist_ok=True)
    ledger, end, found = Ledger(), time.time() + arguments.seconds, 0
    fuzzers = [turn for turn in turns(arguments) if turn[0].startswith(arguments.only)]
    if not fuzzers:
        sys.exit("forever.py: no fuzzer begins with " + arguments.only)
    try:
        for name, start in endless(fuzzers):
            left = end - time.time() if arguments.seconds else arguments.turn
            if left < 1:
                break
            # A new seed each time: no two turns have the same inputs.
            found += take_turn(name, start(int(min(left, arguments.turn)), time.time_ns() // 1000), ledger)
    except KeyboardInterrupt:
        pass
    for name, row in sorted(ledger.sums.items()):
        say("%s: %s" % (name, json.dumps(row)))
    print("%d passed, %d failed" % (not found, bool(found)))
    sys.exit(1 if found else 0)


def endless(items):
    while True:
        yield from items


if __name__ == "__main__":
    main()
