#!/usr/bin/env python3
"""Runs every test: the unit test programs, then zs against the real kernel (tests/e2e/test_*.py).

    tests/run.py --zs=PATH [--zig=PATH] [--prefix=FOLDER] [--unit=PROGRAM]... [--all] [--only=PATTERN]...

--all also runs what takes long: exhaustive injection, hundreds of processes beside 200 busy ones, clients of 1.5 GB.
Without it those tests are left out, and counted aloud.

--prefix is where zs, its headers and archives are installed, and --zig compiles programs against them.

Each program prints its failures, "SKIP name: needs THING" for what this machine cannot run, and at the end
"N passed, N failed, N skipped". Run by root, the unit tests run twice: as root and as an ordinary user.
Two programs run at a time where there are two processors: most of them wait most of the time. The unit tests do not
run beside each other, since their fault injection keeps a processor busy.
The last line is the sum. With CI set to true a skip fails when this machine has what it says it needs, or when
it does not say what that is: nothing is skipped unnoticed.
"""

import argparse
import collections
import glob
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
TIMEOUT = 1800
# Last, with nothing beside it: it keeps all processors busy, and measures how soon a run ends then.
ALONE = ("test_lifetime.py",)
# Set by build.zig: what tests run from outside (tests/sandbox/test_inject.c, tests/e2e/test_clients.py).
PROGRAMS = ("ZS_TEST_ZS", "ZS_TEST_COUNTED_ZS", "ZS_TEST_BLIND", "ZS_TEST_PLAIN_PROXY")


class Totals:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0
        self.left_out = set()
        self.lock = threading.Lock()
        self.running = set()


def could_run(reason, user):
    """Why a skip is no excuse on this machine; None when it is one."""
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


def judge(totals, label, lines, code, user, patterns, seconds):
    """Shows what a test program printed, and counts it. Only the sum of all has a line of its own."""
    summary = SUMMARY.match(lines[-1]) if lines else None
    left_out = {match.group(1) for match in map(LEFT_OUT.match, lines) if match}
    totals.left_out |= left_out
    lines = [line for line in lines if not LEFT_OUT.match(line)]
    for line in lines[:-1] if summary else lines:
        print(line)
    print("== %s: %s (%.0f s)" % (label,
        summary.group() if summary else "FAIL: died with status %d and no summary" % code, seconds))
    if not summary:
        totals.failed += 1
        return
    passed, failed, skipped = (int(count or 0) for count in summary.groups())
    # A program in which no test matches --only, or of which all are left out, fails by itself; that is none of ours.
    if code != 0 and failed == 0 and not ((patterns or left_out) and passed + skipped == 0):
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


def run(totals, label, argv, user, patterns, options):
    began = time.monotonic()
    # A session of its own: what the tests leave behind is ended with them.
    process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        start_new_session=True, **options)
    totals.running.add(process)
    try:
        output = process.communicate(timeout=TIMEOUT)[0].decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        end_session(process)
        output = process.communicate()[0].decode("utf-8", "replace") + "\ntimed out"
    totals.running.discard(process)
    with totals.lock:
        judge(totals, label, output.splitlines(), process.returncode, user, patterns, time.monotonic() - began)


def end_session(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def run_all(totals, units, others):
    """Each a list of what to give run()."""
    left = collections.deque(others)

    def work(first):
        try:
            for job in first:
                run(totals, *job)
            while left:
                run(totals, *left.popleft())
        except IndexError:
            pass  # the other one has taken the last
        except Exception:
            traceback.print_exc()
            totals.failed += 1

    workers = [threading.Thread(target=work, args=(first,), daemon=True)
        for first in (units, [])[:2 if (os.cpu_count() or 1) > 1 else 1]]
    try:
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    finally:
        for process in list(totals.running):
            end_session(process)


def unit_jobs(units, patterns):
    scratch = harness.scratch_root()

    # A copy: the ordinary user may not be allowed into the folder it was built in.
    def copy(path):
        program = shutil.copy(path, os.path.join(scratch, os.path.basename(path)))
        os.chmod(program, 0o755)
        return program

    os.environ.update({name: copy(os.environ[name]) for name in PROGRAMS if os.environ.get(name)})
    for unit in units:
        program = copy(unit)
        for user in harness.users():
            home = tempfile.mkdtemp(dir=scratch)
            if user.uid is not None:
                os.chown(home, user.uid, user.uid)
            yield ("%s [%s]" % (os.path.basename(unit), user.name), [program, *patterns], user, patterns,
                dict(user.spawn_options(), env=dict(os.environ, HOME=home, TMPDIR=home)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--zs", required=True)
    parser.add_argument("--zig")
    parser.add_argument("--prefix")
    parser.add_argument("--unit", action="append", default=[])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", action="append", default=[])
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))

    os.environ.update({"ZS_TEST_ZIG": arguments.zig or "", "ZS_TEST_PREFIX": arguments.prefix or ""})
    if not arguments.all:
        os.environ["ZS_TEST_QUICK"] = "1"
    totals = Totals()
    jobs = [(os.path.basename(path), [sys.executable, "-B", harness.__file__, path, "--zs=" + arguments.zs, *arguments.only],
        harness.users()[0], arguments.only, {}) for path in sorted(glob.glob(os.path.join(HERE, "e2e", "test_*.py")))]
    run_all(totals, list(unit_jobs(arguments.unit, arguments.only)), [job for job in jobs if job[0] not in ALONE])
    run_all(totals, [job for job in jobs if job[0] in ALONE], [])

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
