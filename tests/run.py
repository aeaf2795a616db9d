#!/usr/bin/env python3
"""Runs every test: the unit test programs, then zs against the real kernel (tests/e2e/test_*.py).

    tests/run.py [--zs=PATH] [--zig=PATH] [--prefix=FOLDER] [--unit=PROGRAM]... [--all] [--only=PATTERN]...

Without --zs only the unit tests run, as the user who calls it.

--all also runs slow tests: exhaustive injection, hundreds of processes beside 200 busy ones, clients of 1.5 GB. Without
it those tests are left out, and their number is printed.

--prefix is the folder with the installed zs, headers and archives, and --zig compiles programs against them.

Each program prints its failures, "SKIP name: needs THING" for what this machine cannot run, and at the end
"N passed, N failed, N skipped". Run by root, the unit tests run twice: as root and as an ordinary user. With
ZS_TEST_ROOT_UNITS set to done most run as the user alone: .ci/run has run them as root, under ASan.

Two programs a processor run at a time, since most of them wait most of the time; beside others only one a processor is
a program of unit tests, which computes more. Each of these is spread over several processes. Those that took longest
the last time (.zig-cache/test-seconds-*.json) start first.
The last line is the sum. With CI set to true a skip fails if this machine has the thing that the test says it needs, or
if the test does not say what it needs. So no test is skipped unnoticed.
"""

import argparse
import collections
import contextlib
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "e2e"))
sys.dont_write_bytecode = True

import harness  # noqa: E402  (after the path it is found by)

SUMMARY = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$")
LEFT_OUT = re.compile(r"^left out: (.*)$")
SKIP = re.compile(r"^SKIP ([^:]+): (.*)$")
NEEDS = re.compile(r"^needs ([\w, +-]+)")
LATE_LINES = 20
TIMEOUT = 1800
# Runs last and alone: it keeps all processors busy, and measures how soon a run ends then.
ALONE = ("test_lifetime.py",)
# Variables that build.zig sets for programs that tests use (tests/sandbox/test_inject.c, tests/e2e/test_clients.py).
PROGRAMS = ("ZS_TEST_ZS", "ZS_TEST_COUNTED_ZS", "ZS_TEST_BLIND", "ZS_TEST_PLAIN_PROXY")
PROCESSORS = os.cpu_count() or 1
SHARD = 50  # unit tests for one process
INJECTED = "injected faults"
CACHE = os.path.join(harness.REPOSITORY, ".zig-cache")

Job = collections.namedtuple("Job", "label argv user options busy")


class Totals:
    def __init__(self, patterns):
        self.patterns = patterns
        self.passed = self.failed = self.skipped = 0
        self.left_out = set()
        self.seconds = {}
        self.lock = threading.Lock()
        self.running = set()


def could_run(reason, user):
    """The reason why this skip is a failure on this machine; None if it is not."""
    needs = NEEDS.match(reason)
    if not needs:
        return "its reason does not start with 'needs THING'"
    names = [name.strip() for name in needs.group(1).split(",")]
    unknown = [name for name in names if name not in harness.REQUIREMENTS]
    if unknown:
        return "nobody can check a need for %s: known are %s" % (unknown[0], ", ".join(sorted(harness.REQUIREMENTS)))
    if all(harness.satisfied(name, user) for name in names):
        return "this machine has what it needs"
    return None


def closing_line(lines):
    """The index and the match of the line of counts; None: there is none. A process that a test has left behind may
    have said something after it."""
    for index in range(len(lines) - 1, max(-1, len(lines) - 1 - LATE_LINES), -1):
        if summary := SUMMARY.match(lines[index]):
            return index, summary
    return None


def judge(totals, label, lines, code, user, cost):
    """Prints a test program's output, and adds its counts. Its own line of counts is not printed, only the final
    sum."""
    closing = closing_line(lines)
    summary = closing and closing[1]
    if closing:
        lines.append(lines.pop(closing[0]))
    left_out = {match.group(1) for match in map(LEFT_OUT.match, lines) if match}
    totals.left_out |= left_out
    lines = [line for line in lines if not LEFT_OUT.match(line)]
    for line in lines[:-1] if summary else lines:
        print(line)
    print("== %s: %s (%s)" % (label,
        summary.group() if summary else "FAIL: died with status %d and no summary" % code, cost))
    if not summary:
        totals.failed += 1
        return
    passed, failed, skipped = (int(count or 0) for count in summary.groups())
    # A program in which no test matches --only, or in which all are left out, exits with a failure that does not count.
    if code != 0 and failed == 0 and not ((totals.patterns or left_out) and passed + skipped == 0):
        print("FAIL %s: exits with %d, though no test failed" % (label, code))
        failed += 1
    if os.environ.get("CI") == "true":
        for name, reason in (match.groups() for match in map(SKIP.match, lines) if match):
            named = [u for u in harness.users() if name.endswith("[%s]" % u.name)]
            objection = could_run(reason, named[0] if named else user)
            if objection:
                print("FAIL %s: skipped in CI, but %s" % (name, objection))
                failed, skipped = failed + 1, max(0, skipped - 1)
    totals.passed += passed
    totals.failed += failed
    totals.skipped += skipped
    sys.stdout.flush()


def run(totals, job):
    began = time.monotonic()
    # A session of its own, so processes that the tests leave behind end with them.
    process = subprocess.Popen(job.argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        start_new_session=True, **job.options)
    totals.running.add(process)
    late = threading.Timer(TIMEOUT, end_session, [process])
    late.start()
    with process.stdout:
        output = process.stdout.read().decode("utf-8", "replace")
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    late.cancel()
    totals.running.discard(process)
    if time.monotonic() - began >= TIMEOUT:
        output += "\ntimed out"
    with totals.lock:
        totals.seconds[job.label] = time.monotonic() - began
        judge(totals, job.label, output.splitlines(), process.returncode, job.user,
            "%.0f s, %.0f of a processor" % (totals.seconds[job.label], usage.ru_utime + usage.ru_stime))


def end_session(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Queue:
    """Runs jobs, at most so many busy ones at a time."""

    def __init__(self, jobs, busy):
        self.jobs, self.room, self.changed = jobs, busy, threading.Condition()

    def take(self):
        with self.changed:
            while self.jobs:
                for job in self.jobs:
                    if not job.busy or self.room > 0:
                        self.jobs.remove(job)
                        self.room -= job.busy
                        return job
                self.changed.wait()
        return None

    def done(self, job):
        with self.changed:
            self.room += job.busy
            self.changed.notify_all()


def run_all(totals, jobs, at_a_time, busy):
    queue = Queue(jobs, busy)

    def work():
        while job := queue.take():
            try:
                run(totals, job)
            except Exception:
                traceback.print_exc()
                totals.failed += 1
            finally:
                queue.done(job)

    workers = [threading.Thread(target=work, daemon=True) for _ in range(at_a_time)]
    try:
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    finally:
        for process in list(totals.running):
            end_session(process)


def longest_first(jobs, seconds):
    """The order of jobs, by their last duration. New jobs: the busy ones come first, then the files by size."""
    return sorted(jobs, key=lambda job: -seconds.get(job.label, TIMEOUT if job.busy else os.path.getsize(job.argv[3])
        / 1000))


def is_for(name, user):
    """Root's own run injects faults into runs of both users."""
    return user is harness.users()[0] or not name.startswith(("=inject_each", "=inject_success"))


def unit_jobs(totals, units, alone):
    scratch = harness.scratch_root()

    # A copy: the ordinary user may not be allowed into the folder it was built in.
    def copy(path):
        program = shutil.copy(path, os.path.join(scratch, os.path.basename(path)))
        os.chmod(program, 0o755)
        return program

    os.environ.update({name: copy(os.environ[name]) for name in PROGRAMS if os.environ.get(name)})
    for program in map(copy, units):
        listed = subprocess.run([program, "--list", *totals.patterns], stdout=subprocess.PIPE, check=True, text=True)
        lines = listed.stdout.splitlines()
        totals.left_out |= {match.group(1) for match in map(LEFT_OUT.match, lines) if match}
        names = ["=" + line for line in lines if not LEFT_OUT.match(line)]
        # An injected fault meets another call when a second test changes /tmp meanwhile: these tests run alone.
        injected = [name for name in names if name.startswith("=inject")]
        names = [name for name in names if name not in injected]
        shards = (len(names) + SHARD - 1) // SHARD
        parts = [("%d/%d" % (i + 1, shards), names[i::shards]) for i in range(shards)]
        parts += [(INJECTED, injected)] if injected else []
        done = not alone and len(harness.users()) > 1 and os.environ.get("ZS_TEST_ROOT_UNITS") == "done"
        for user in harness.users()[: 1 if alone else None]:
            for part, chosen in parts:
                chosen = [name for name in chosen if is_for(name, user)]
                if not chosen or (done and user is harness.users()[0] and part != INJECTED):
                    continue
                home = tempfile.mkdtemp(dir=scratch)
                if user.uid is not None:
                    os.chown(home, user.uid, user.uid)
                yield Job("%s %s [%s]" % (os.path.basename(program), part, user.name), [program, *chosen], user,
                    dict(user.spawn_options(), env=dict(os.environ, HOME=home, TMPDIR=home)), True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--zs")
    parser.add_argument("--zig")
    parser.add_argument("--prefix")
    parser.add_argument("--unit", action="append", default=[])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", action="append", default=[])
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))

    os.environ.update({"ZS_TEST_ZIG": arguments.zig or "", "ZS_TEST_PREFIX": arguments.prefix or ""})
    os.environ.setdefault("GOCACHE", os.path.join(CACHE, "go"))
    if arguments.zs and not arguments.all:
        os.environ["ZS_TEST_QUICK"] = "1"
    totals = Totals(arguments.only)
    files = [] if not arguments.zs else [
        Job(os.path.basename(path), [sys.executable, "-B", harness.__file__, path, "--zs=" + arguments.zs,
        *arguments.only], harness.users()[0], {}, False) for path in glob.glob(os.path.join(HERE, "e2e", "test_*.py"))]
    jobs = [*unit_jobs(totals, arguments.unit, not arguments.zs), *(job for job in files if job.label not in ALONE)]
    memory = os.path.join(CACHE, "test-seconds-%s.json" % (
        "all" if arguments.all else "quick" if arguments.zs else "units"))
    seconds = {}
    with contextlib.suppress(OSError, ValueError), open(memory) as file:
        seconds = json.load(file)
    alone = [job for job in jobs if INJECTED in job.label]
    run_all(totals, longest_first([job for job in jobs if job not in alone], seconds), 2 * PROCESSORS,
        PROCESSORS if files else 2 * PROCESSORS)
    run_all(totals, [*alone, *(job for job in files if job.label in ALONE)], 1, 1)
    if not arguments.only:
        with contextlib.suppress(OSError), open(memory, "w") as file:
            json.dump(totals.seconds, file, indent=1)

    if totals.left_out:
        print("== %d slow tests are left out; ./zigw build test-all runs them: %s" % (
            len(totals.left_out), " ".join(sorted(totals.left_out))))
    if totals.passed + totals.failed == 0:
        print("FAIL: no test ran")
        totals.failed = 1
    print("%d passed, %d failed, %d skipped" % (totals.passed, totals.failed, totals.skipped))
    sys.exit(1 if totals.failed else 0)


if __name__ == "__main__":
    main()
