"""Ratios against named baselines, each measured in one interleaved run:
tests/bench/bench.py ZS VET PARSE SHARE [SPAWN RELAY FLOOR [WHAT...]]; WHAT: text, starts, hooks,
confined, proxy; all when not given.

Never part of CI: a timed test on a shared machine fails for no reason."""

import glob
import json
import os
import statistics
import subprocess
import sys
import time

import confined
import proxy

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ROUNDS = 5
STARTS = 200
HOOKS = 500
MAX_INPUT = 64 * 1024


def commands():
    """The corpus in shared/ when it is there, else the cases of testdata/."""
    shared = glob.glob(os.path.join(ROOT, "../shared/corpus/*.jsonl"))
    for name in sorted(shared or glob.glob(os.path.join(ROOT, "testdata/cases/*.jsonl"))):
        with open(name, encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)["cmd"]


def row(what, baseline, value, base, unit):
    print("%-34s %10.1f %s   %-28s %10.1f %s   ratio %.2f" % (what, value, unit, baseline, base, unit, value / base))


# The inputs of 64 KiB that took longest of 800 that were tried (name, prefix, part that repeats).
WORST = [
    ("variables that are commands", "a=x;", "$a;"),
    ("concatenations", "", "*\"a\"$b"),
    ("expansions", "* ", "${a[@]}"),
    ("brackets", "echo ", "["),
    ("patterns", "echo ", "!(a|b) "),
    ("braces", "echo {1..60}" + "{" * 250, "a"),
    ("backquotes", "x=`a ", "`<a "),
    ("lists", "", "*;"),
    ("words", "* ", "a "),
    ("here-documents", "", "cat <<A\n$x\nA\n"),
    ("declarations", "", "let a=1;"),
    ("substitutions", "", "$(a)"),
]


def measured(argv, text):
    return subprocess.run(argv, input=text, stdout=subprocess.PIPE, check=True).stdout.decode().split()


def in_process(vet, parse, share):
    text = b"".join(command.encode() + b"\0" for command in commands() if "\0" not in command)
    vetted, parsed = [], []
    for _ in range(ROUNDS):
        vetted.append(float(measured([vet], text)[0]))
        parsed.append(float(measured([parse], text)[0]))
    row("zs_vet(), verify, a command", "bare tree-sitter parse", statistics.median(vetted), statistics.median(parsed),
        "ns")
    print("%-34s %s %% plain, %s %% agreed, %s %% carried, %s %% refused" % (
        "of the commands", *measured([share], text)))
    print("%-34s %10s KB after 10,000 vettings, %s KB after 1,000,000" % (
        "one vetter", *measured([vet, "memory"], text)))


def worst(vet):
    text = b""
    for _, prefix, part in WORST:
        text += (prefix + part * ((MAX_INPUT - len(prefix)) // len(part))).encode() + b"\0"
    words = measured([vet, "worst"], text)
    for i, (name, _, _) in enumerate(WORST):
        print("%-34s %10s ms   %6s KB  %s" % ("64 KiB of " + name, *words[i * 3:i * 3 + 3]))


def started(argv, text=None):
    begin = time.perf_counter()
    subprocess.run(argv, input=text, stdout=subprocess.DEVNULL, check=True)
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


def hooks(zs):
    """An agent waits for this before each command; the target is 20 ms."""
    event = json.dumps({"hook_event_name": "PreToolUse", "cwd": os.getcwd(), "tool_name": "Bash",
        "tool_input": {"command": "git status && cargo test 2>&1 | tail -20"}}).encode()
    ways = {"/bin/true": ["/bin/true"], "zs hook claude": [zs, "hook", "claude"],
        "zs hook claude --confine": [zs, "hook", "claude", "--confine"]}
    times = {name: [] for name in ways}
    for _ in range(HOOKS):
        for name, argv in ways.items():
            times[name].append(started(argv, event))
    p = {name: statistics.quantiles(taken, n=100) for name, taken in times.items()}
    for name in ways:
        row(name + ", p50", "/bin/true", p[name][49], p["/bin/true"][49], "us")
        row(name + ", p99", "/bin/true", p[name][98], p["/bin/true"][98], "us")


def main():
    zs, vet, parse, share, *more = sys.argv[1:]
    zs, vet, parse, share = (os.path.abspath(path) for path in (zs, vet, parse, share))
    what = more[3:] or ["text", "starts", "hooks", "confined", "proxy"]
    if "text" in what:
        in_process(vet, parse, share)
        worst(vet)
    if "starts" in what:
        processes(zs)
    if "hooks" in what:
        hooks(zs)
    if "confined" in what and more:
        confined.main(zs, os.path.abspath(more[0]), os.path.abspath(more[2]))
    if "proxy" in what and more:
        proxy.main(zs, os.path.abspath(more[1]), row)


if __name__ == "__main__":
    main()
