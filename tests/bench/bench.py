"""Ratios against named baselines, each measured in one interleaved run: tests/bench/bench.py ZS VET PARSE.

Never part of CI: a timed test on a shared machine fails for no reason."""

import glob
import json
import os
import statistics
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ROUNDS = 5
STARTS = 200


def commands():
    """The corpus in shared/ when it is there, else the cases of testdata/."""
    shared = glob.glob(os.path.join(ROOT, "../shared/corpus/*.jsonl"))
    for name in sorted(shared or glob.glob(os.path.join(ROOT, "testdata/cases/*.jsonl"))):
        with open(name, encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)["cmd"]


def row(what, baseline, value, base, unit):
    print("%-34s %10.1f %s   %-28s %10.1f %s   ratio %.2f" % (what, value, unit, baseline, base, unit, value / base))


def in_process(vet, parse):
    text = b"".join(command.encode() + b"\0" for command in commands() if "\0" not in command)
    vetted, parsed = [], []
    for _ in range(ROUNDS):
        vetted.append(float(subprocess.run([vet], input=text, stdout=subprocess.PIPE, check=True).stdout))
        parsed.append(float(subprocess.run([parse], input=text, stdout=subprocess.PIPE, check=True).stdout))
    row("zs_vet(), verify, a command", "bare tree-sitter parse", statistics.median(vetted), statistics.median(parsed),
        "ns")


def started(argv):
    begin = time.perf_counter()
    subprocess.run(argv, stdout=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - begin) * 1e6


def processes(zs):
    bare = ["/bin/true"]
    rows = {
        "zs vet -c 'git status'": [zs, "vet", "-c", "git status"],
        "zs run -- /bin/true": [zs, "run", "--", "/bin/true"],
        "zs run --net full -- /bin/true": [zs, "run", "--net", "full", "--", "/bin/true"],
        "zs bash -c true": [zs, "bash", "-c", "true"],
    }
    times = {name: [] for name in rows}
    base = []
    for _ in range(STARTS):
        base.append(started(bare))
        for name, argv in rows.items():
            times[name].append(started(argv))
    for name in rows:
        row(name, "/bin/true", statistics.median(times[name]), statistics.median(base), "us")


def main():
    zs, vet, parse = (os.path.abspath(path) for path in sys.argv[1:4])
    in_process(vet, parse)
    processes(zs)


if __name__ == "__main__":
    main()
