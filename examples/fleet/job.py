#!/usr/bin/env python3
"""Runs one task behind both walls, and prints a line of JSON about it (docs/fleet.md).

    job.py TASKS INDEX [OPTIONS OF zs bash...]

TASKS has a task per line: {"id": "t1", "command": "make test", "workspace": "/srv/t1"}; INDEX counts from 0. The line
goes to standard output, the command's own output to standard error. Exit status: 0 if the line describes a run or a
block; 125 when the policy could not be enforced, and nothing ran; 65 for a task that cannot be read.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time

CANNOT_ENFORCE, BAD_INPUT = 125, 65
LIMIT = re.compile(r"^zs: (\w[\w -]*) limit \S+ reached$", re.MULTILINE)


def read_task(path, index):
    with open(path, encoding="utf-8") as file:
        task = json.loads(file.read().splitlines()[int(index)])
    return {name: task[name] for name in ("id", "command", "workspace")}


def denials(path):
    with open(path, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    return [{name: line.get(name) for name in ("host", "port", "reason")} for line in lines if not line["allowed"]]


def run(zs, task, options, scratch):
    decisions = os.path.join(scratch, "decisions")
    began = time.monotonic()
    with open(os.path.join(scratch, "stderr"), "w+b") as errors:
        # An empty list of hosts reaches nothing, and has a proxy that reports each attempt.
        argv = [zs, "bash", "--net", "hosts", "--report", decisions, *options, "-c", task["command"]]
        done = subprocess.run(argv, cwd=task["workspace"], stdin=subprocess.DEVNULL, stdout=sys.stderr, stderr=errors)
        errors.seek(0)
        said = errors.read().decode("utf-8", "replace")
    sys.stderr.write(said)
    return {"exit": done.returncode, "seconds": round(time.monotonic() - began, 3), "limits": LIMIT.findall(said),
        "denials": denials(decisions) if os.path.exists(decisions) else []}


def judge(zs, task, options):
    """Asks for the verdict, which runs nothing; then runs the command, which zs vets again."""
    line = {"id": task["id"]}
    vetted = subprocess.run([zs, "vet", "--json", "-c", task["command"]], stdout=subprocess.PIPE)
    report = json.loads(vetted.stdout)
    line.update({name: report[name] for name in ("verdict", "code", "reason")})
    if report["verdict"] == "allow":
        with tempfile.TemporaryDirectory() as scratch:
            line.update(run(zs, task, options, scratch))
    return line


def main(path, index, *options):
    zs = os.environ.get("ZS", "zs")
    try:
        task = read_task(path, index)
    except (OSError, ValueError, LookupError, TypeError) as error:
        print("job: %s: task %s: %s" % (path, index, error), file=sys.stderr)
        return BAD_INPUT
    try:
        line = judge(zs, task, options)
    except (OSError, ValueError, LookupError, TypeError) as error:
        line = {"id": task["id"], "verdict": None, "reason": str(error), "exit": CANNOT_ENFORCE}
    line["enforced"] = line.get("exit") != CANNOT_ENFORCE
    print(json.dumps(line), flush=True)
    return 0 if line["enforced"] else CANNOT_ENFORCE


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: job.py TASKS INDEX [OPTIONS OF zs bash...]")
    sys.exit(main(*sys.argv[1:]))
