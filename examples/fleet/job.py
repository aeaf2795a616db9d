#!/usr/bin/env python3
"""Runs one task in a box of its own, and prints a line of JSON about it (docs/fleet.md).

    job.py TASKS INDEX [OPTIONS OF zs box create...]

TASKS has a task per line: {"id": "t1", "command": "make test", "workspace": "/srv/t1", "timeout": 600}, in seconds;
INDEX counts from 0. The line goes to standard output, the command's own output to standard error. Exit status: 0 if the
line describes a run or a block; 125 when nothing ran, 122 when the box was lost: both are no result; 65 for a task that
cannot be read.
"""

import json
import os
import subprocess
import sys
import time

BAD_INPUT, STATUS_OF = 65, {None: 0, "lost": 122, "not-run": 125}


def read_task(path, index):
    with open(path, encoding="utf-8") as file:
        task = json.loads(file.read().splitlines()[int(index)])
    return {name: task[name] for name in ("id", "command", "workspace", "timeout")}


def failed(failure, message):
    return {"status": None, "failure": failure, "message": message}


def zs_box(zs, *words):
    return subprocess.run([zs, "box", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def run(zs, task, options):
    began = time.monotonic()
    # An empty list of hosts reaches nothing, and has a proxy that reports each attempt.
    made = zs_box(zs, "create", "--owner=%d" % os.getpid(), "--workspace=" + task["workspace"], "--net=hosts", *options)
    if made.returncode != 0:
        return failed("not-run", made.stderr.decode("utf-8", "replace").strip())
    name = made.stdout.decode().strip()
    done = zs_box(zs, "exec", name, "--json", "--timeout=%s" % task["timeout"], "--", "bash", "--norc", "-c", "--",
        task["command"])
    zs_box(zs, "close", name)
    try:
        line = json.loads(done.stdout)
    except ValueError:
        line = dict(failed("lost", done.stderr.decode("utf-8", "replace").strip()), stdout="", stderr="")
    sys.stderr.write(line.pop("stdout") + line.pop("stderr"))
    return dict(line, seconds=round(time.monotonic() - began, 3))


def judge(zs, task, options):
    """Asks for the verdict, which runs nothing; then runs the command."""
    vetted = subprocess.run([zs, "vet", "--json", "-c", task["command"]], stdout=subprocess.PIPE)
    report = json.loads(vetted.stdout)
    line = {name: report[name] for name in ("verdict", "code", "reason")}
    return dict(line, **run(zs, task, options) if report["verdict"] == "allow" else failed(None, None))


def main(path, index, *options):
    try:
        task = read_task(path, index)
    except (OSError, ValueError, LookupError, TypeError) as error:
        print("job: %s: task %s: %s" % (path, index, error), file=sys.stderr)
        return BAD_INPUT
    try:
        line = judge(os.environ.get("ZS", "zs"), task, options)
    except (OSError, ValueError, LookupError, TypeError) as error:
        line = dict(failed("not-run", str(error)), verdict=None)
    print(json.dumps({"id": task["id"], **line}), flush=True)
    return STATUS_OF[line["failure"]]


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: job.py TASKS INDEX [OPTIONS OF zs box create...]")
    sys.exit(main(*sys.argv[1:]))
