#!/usr/bin/env python3
"""Replays an agent's recorded session through both walls.

    tests/demo/demo.py ZS ZIG [--without PROGRAM...]

A scratch folder gets a small C project with a bug, its git repository, a home folder with keys, and a listener on
loopback. Every command of testdata/sessions/fix-c-project.jsonl goes through `zs bash`: first in the strict profile,
as the agent that mends the bug; then in verify, as the agent that checks the result. Each row says what it expects,
so this is a test as well: the exit status is 0 only when all of it holds.

ZIG compiles the project where no C compiler is installed. Commands whose programs are missing are shown as such.
--without treats programs as missing.

A row of the session is {"cmd", "needs", "proves", "strict", "verify"}; each profile expects {"block": CODE} or
{"exit": STATUS or "fail", "denied": WHAT, "proof": PATTERN of the output}. {"edit": FILE, "old", "new"} is what the
agent's editing tool did. @PORT@ and @PID@ stand for the listener and for a process outside.
"""

import argparse
import contextlib
import hashlib
import json
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
SESSION = os.path.join(os.path.dirname(os.path.dirname(HERE)), "testdata", "sessions", "fix-c-project.jsonl")
SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# The default policy lets everyone read these: a key in them would be no secret.
READABLE = ("/usr/", "/opt/", "/nix/", "/snap/", "/gnu/", "/home/linuxbrew/")
KEY = "b3BlbnNzaC1rZXktdjEAAAAA-the-demos-secret-key"
TOKEN = "token-only-for-the-agent"
TIMEOUT = 60
CANNOT_RUN = (125, 126, 127)
PROFILES = ("strict", "verify")


# ------------------------------------------------------------------------------------------------- the scratch


class Listener:
    """Something on the machine's loopback that nothing inside may reach."""

    def __init__(self):
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        self.connections = 0
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        with contextlib.suppress(OSError):
            while True:
                self.answer(self.server.accept()[0])

    def count(self):
        """The connections so far: all that were made are served before the one that is made here."""
        with socket.create_connection(("127.0.0.1", self.port)) as last:
            last.shutdown(socket.SHUT_WR)
            while last.recv(65536):
                pass
        self.connections -= 1
        return self.connections

    def answer(self, client):
        self.connections += 1
        with client, contextlib.suppress(OSError):
            client.settimeout(0.2)
            with contextlib.suppress(socket.timeout):
                client.recv(65536)
            client.sendall(b"HTTP/1.0 200 OK\r\n\r\necho installed\n")


class Scratch:
    """The machine that the agent sees."""

    def __init__(self, root, zs, zig, project, without):
        self.root, self.zs, self.zig, self.without = root, zs, zig, without
        self.home = self.folder("home")
        self.work = os.path.join(self.home, "project")
        self.tmp = self.folder("tmp")
        self.state = self.folder("state")
        self.bin = self.folder("bin")
        self.build = self.folder("build")
        self.path = self.bin + ":" + SYSTEM_PATH
        if not shutil.which("bash", path=self.path):
            self.path += ":" + os.environ.get("PATH", "")
        self.env = {"PATH": self.path, "HOME": self.home, "TMPDIR": self.tmp, "XDG_STATE_HOME": self.state,
            "LC_ALL": "C", "USER": "agent", "GIT_TERMINAL_PROMPT": "0", "AGENT_API_TOKEN": TOKEN}
        self.grants = []
        self.write("home/.ssh/id_ed25519", KEY + "\n", 0o600)
        self.write("home/.aws/credentials", "aws_secret_access_key = %s\n" % KEY, 0o600)
        self.write("home/.profile", "# nothing\n")
        self.write("home/.gitconfig", "[user]\n\tname = An Agent\n\temail = agent@localhost\n[init]\n"
            "\tdefaultBranch = main\n")
        shutil.copytree(project, self.work)

    def folder(self, name):
        path = os.path.join(self.root, name)
        os.makedirs(path)
        return path

    def write(self, name, text, mode=0o644):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as f:
            f.write(text)
        os.chmod(path, mode)

    def has(self, program):
        if program in self.without:
            return False
        if shutil.which(program, path=self.path):
            return True
        # git's helpers stand in a folder of their own.
        return program.startswith("git-") and self.has("git") and \
            os.access(os.path.join(self.plainly("git", "--exec-path").stdout.strip(), program), os.X_OK)

    def plainly(self, *argv, **env):
        """Outside of the sandbox: the demo's own preparations and controls."""
        return subprocess.run(argv, cwd=self.work, env=dict(self.env, **env), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace", timeout=TIMEOUT)

    def provide_compiler(self):
        """The machine's cc, or Zig's in its place. Returns what it is."""
        if self.has("cc"):
            return "cc"
        zig = os.path.realpath(self.zig)
        cache = self.folder("zig-cache")
        self.write("bin/cc", '#!/bin/sh\nexport ZIG_GLOBAL_CACHE_DIR="%s" ZIG_LOCAL_CACHE_DIR="%s"\n'
            'exec "%s" cc -fno-sanitize=undefined "$@"\n' % (cache, cache, zig), 0o755)
        self.grants += ["--exec", zig, "--ro", os.path.dirname(zig), "--rw", cache]
        return "zig cc"

    def make_repository(self, edits, port):
        """Two commits: in the first the edited lines are right, in the second they are as they are now."""
        if not self.has("git"):
            return
        as_is = {name: read(os.path.join(self.work, name)) for name, _, _ in edits}
        for name, old, new in edits:
            self.write("home/project/" + name, as_is[name].replace(old, new))
        self.plainly("git", "init", "-q")
        self.plainly("git", "remote", "add", "origin", "http://127.0.0.1:%d/tally.git" % port)
        self.commit("Count lines, words and bytes", "2024-01-08T10:00:00Z")
        for name, text in as_is.items():
            self.write("home/project/" + name, text)
        self.commit("count: compare with the characters themselves", "2024-01-09T10:00:00Z")

    def commit(self, message, date):
        self.plainly("git", "add", "-A")
        done = self.plainly("git", "commit", "-q", "-m", message, GIT_AUTHOR_DATE=date, GIT_COMMITTER_DATE=date)
        if done.returncode != 0:
            sys.exit("demo: git commit: %s" % done.stdout)


def read(path):
    with open(path) as f:
        return f.read()


def fingerprint(root, leave_out=None):
    """The state of a tree: every name, type, mode, owner, time of change and byte; and how many files it has."""
    digest, files = hashlib.sha256(), 0
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if os.path.join(folder, name) != leave_out)
        for name in sorted(folders + names):
            path = os.path.join(folder, name)
            status = os.lstat(path)
            content = b""
            if stat.S_ISLNK(status.st_mode):
                content = os.fsencode(os.readlink(path))
            elif stat.S_ISREG(status.st_mode):
                files += 1
                with open(path, "rb") as f:
                    content = f.read()
            # A folder that a child is left out of changes when that child does.
            times = status.st_mtime_ns if not leave_out else 0
            digest.update(repr((path, status.st_mode, status.st_uid, status.st_gid, times, content)).encode())
    return digest.hexdigest(), files


def holds(root, needle):
    """The files below root that hold these bytes."""
    found = []
    for folder, _, names in os.walk(root):
        for path in (os.path.join(folder, name) for name in names):
            if os.path.isfile(path) and not os.path.islink(path):
                with open(path, "rb") as f:
                    if needle in f.read():
                        found.append(path)
    return found


# ---------------------------------------------------------------------------------------------------- the table


class Table:
    WIDTHS = (43, 24, 4, 23)
    COLOURS = {"allow": "32", "block": "31", "denied": "33", "wrong": "1;31", "ok": "32", "dim": "2", "bold": "1"}

    def __init__(self):
        self.colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def paint(self, kind, text):
        return "\033[%sm%s\033[0m" % (self.COLOURS[kind], text) if self.colour and kind and text else text

    def row(self, cells, kinds=(None, None, None, None)):
        line = ""
        for cell, width, kind in zip(cells, self.WIDTHS, kinds):
            cell = cell if len(cell) <= width else cell[:width - 2] + ".."
            line += self.paint(kind, cell) + " " * (width - len(cell) + 2)
        print(line.rstrip() if not self.colour else line)
        sys.stdout.flush()

    def heading(self, text):
        print()
        print(self.paint("bold", text))
        self.row(("command", "verdict", "exit", "denied inside"), ("dim",) * 4)

    def wrong(self, text):
        for line in text.rstrip().splitlines():
            print("  " + self.paint("wrong", line))


# ---------------------------------------------------------------------------------------------------- the replay


class Outcome:
    """The outcome of one command."""

    def __init__(self, done):
        self.exit, self.output, self.code, self.reason = done.returncode, done.stdout + done.stderr, None, None
        if done.returncode == 2 and not done.stdout:
            with contextlib.suppress(ValueError, TypeError, KeyError):
                report = json.loads(done.stderr)
                if report["verdict"] == "block":
                    self.code, self.reason = report["code"], report["reason"]

    def objection(self, expected):
        """The difference from the expected outcome; None when there is none."""
        if "block" in expected:
            return None if self.code == expected["block"] else "expected: block " + expected["block"]
        if self.code:
            return "expected: allow"
        if expected["exit"] == "fail":
            if self.exit == 0 or self.exit in CANNOT_RUN:
                return "expected: the command runs and fails"
        elif self.exit != expected["exit"]:
            return "expected: exit %d" % expected["exit"]
        if "proof" in expected and not re.search(expected["proof"], self.output):
            return "expected in the output: " + expected["proof"]
        return None


class Replay:
    def __init__(self, scratch, rows, table, listener, victim):
        self.scratch, self.rows, self.table, self.listener, self.victim = scratch, rows, table, listener, victim
        self.matched = self.mismatched = self.missing = 0
        self.proved = {profile: set() for profile in PROFILES}
        self.denials = {}  # what was denied, by the command's text
        self.leaks = []

    def text(self, row):
        return row["cmd"].replace("@PORT@", str(self.listener.port)).replace("@PID@", str(self.victim.pid))

    def run(self, profile, row):
        options = ["--json", "--profile", profile, *self.scratch.grants]
        if profile == "strict":
            options += ["--git", "allow"]
        if profile == "verify":
            options += ["--rw", self.scratch.build, "--setenv", "BUILD_DIR=" + self.scratch.build]
        done = subprocess.run([self.scratch.zs, "bash", *options, "-c", self.text(row)], cwd=self.scratch.work,
            env=self.scratch.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            encoding="utf-8", errors="replace", timeout=TIMEOUT)
        return Outcome(done)

    def profile(self, profile):
        for row in self.rows:
            if "edit" in row:
                self.edit(profile, row)
                continue
            missing = [name for name in row.get("needs", ()) if not self.scratch.has(name)]
            if missing and "block" not in row[profile]:
                self.missing += 1
                self.table.row((shown(row["cmd"]), "not installed: " + missing[0], "-", ""), ("dim",) * 4)
                continue
            self.one(profile, row)

    def edit(self, profile, row):
        """The acts of the agent's editing tool, which is no shell command and needs no wall of ours."""
        if profile == "verify":
            return
        path = os.path.join(self.scratch.work, row["edit"])
        text = read(path)
        if row["old"] not in text:
            sys.exit("demo: %s has no %r" % (row["edit"], row["old"]))
        self.scratch.write(path, text.replace(row["old"], row["new"]))
        self.table.row(("(the agent's editor changes %s)" % row["edit"], "", "", ""), ("dim",) * 4)

    def one(self, profile, row):
        outcome, expected = self.run(profile, row), row[profile]
        objection = outcome.objection(expected)
        denied = expected.get("denied", "") if not objection else ""
        verdict = "block " + outcome.code if outcome.code else "allow"
        self.table.row((shown(row["cmd"]), verdict, str(outcome.exit), denied),
            (None, verdict.split()[0], None, "denied"))
        if objection:
            self.mismatched += 1
            self.table.wrong("^ %s\n%s" % (objection, outcome.reason or outcome.output))
        else:
            self.matched += 1
            self.proved[profile].add(row.get("proves"))
        if denied:
            self.denials[self.text(row)] = denied
        self.leaks += [shown(row["cmd"]) for secret in (KEY, TOKEN) if secret in outcome.output]

    def controls(self):
        """Everything that was denied, without zs: what does not work there either proves nothing.
        Returns those."""
        useless = []
        for text, denied in self.denials.items():
            before = self.listener.count()
            done = self.scratch.plainly("bash", "--norc", "-c", text, BUILD_DIR=self.scratch.build)
            worked = self.listener.count() > before if denied.startswith("connect") else done.returncode == 0
            if not worked:
                useless.append("%s (%s)" % (shown(text), done.stdout.strip()[:200]))
        return useless


def shown(text):
    text = re.sub("@(PORT|PID)@", r"\1", text.rstrip("\n"))
    return text.replace("\n", "\\n").replace("\t", "\\t")


# ----------------------------------------------------------------------------------------------------- the proof


class Checks:
    def __init__(self, table):
        self.table, self.failed = table, 0

    def check(self, holds_true, text, problem=""):
        self.failed += not holds_true
        print("%s  %s" % (self.table.paint("ok", "yes") if holds_true else self.table.paint("wrong", "NO "), text))
        if not holds_true and problem:
            self.table.wrong(problem)


def refuse_to_start(zs, path):
    """The demo shows two walls: it does not run where one of them cannot stand."""
    if not shutil.which("bash", path=path):
        sys.exit("demo: bash is not installed, and zs bash runs bash; install it (Debian: apt-get install bash)")
    doctor = subprocess.run([zs, "doctor"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, encoding="utf-8",
        errors="replace")
    if doctor.returncode != 0:
        print(doctor.stdout, end="")
        sys.exit("demo: this machine cannot enforce the default policy, so zs runs nothing here")


def versions(scratch, compiler):
    system = os.uname()
    who = "root" if os.geteuid() == 0 else "an ordinary user"
    return "%s %s, as %s, C compiler: %s" % (system.sysname, system.release.split("-")[0], who, compiler)


def replay(scratch, head, rows, table):
    listener = Listener()
    victim = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], cwd="/")
    try:
        compiler = scratch.provide_compiler()
        edits = [(row["edit"], row["old"], row["new"]) for row in rows if "edit" in row]
        scratch.make_repository(edits, listener.port)
        print("%s: %d commands, %s" % (head["title"], len(rows) - len(edits), versions(scratch, compiler)))
        return prove(Replay(scratch, rows, table, listener, victim), Checks(table))
    finally:
        victim.kill()
        victim.wait()


def prove(run, checks):
    scratch, table = run.scratch, run.table
    # The first run makes the missing caches of installed tools.
    scratch.plainly(scratch.zs, "run", "--", "true")
    home_before = fingerprint(scratch.home, leave_out=scratch.work)
    table.heading("zs bash --profile strict --git allow: the agent that mends the bug; it may write in the project "
        "and commit")
    run.profile("strict")
    work_before = fingerprint(scratch.work)
    table.heading("zs bash --profile verify: the agent that checks; what it writes in the project is "
        "gone with the command, builds go to $BUILD_DIR")
    run.profile("verify")
    work_after = fingerprint(scratch.work)
    home_after = fingerprint(scratch.home, leave_out=scratch.work)
    reached, alive = run.listener.count(), run.victim.poll() is None
    stolen = run.leaks + holds(scratch.work, KEY.encode()) + holds(scratch.build, KEY.encode())
    useless = run.controls()

    print()
    total = run.matched + run.mismatched
    missing = "; %d not installed" % run.missing if run.missing else ""
    checks.check(run.mismatched == 0, "every verdict, exit status and denial is as the session says: %d of %d%s" %
        (run.matched, total, missing))
    checks.check(not stolen, "the ssh key and the token were not read", "\n".join(stolen))
    checks.check(reached == 0, "the listener was not reached: %d connections from inside" % reached)
    checks.check(alive, "the process outside was not ended")
    checks.check(home_before == home_after, "the home folder outside of the project is as it was")
    checks.check(work_before == work_after, "verify left the workspace as it was: %d files, sha256 %s" %
        (work_before[1], work_before[0][:16]))
    for profile in PROFILES:
        checks.check({"build", "tests"} <= run.proved[profile],
            "the project's build and tests passed inside, in %s" % profile)
    kinds = {denied.split()[0] for denied in run.denials.values()}
    checks.check(not useless and {"read", "write", "connect", "signal"} <= kinds,
        "control: without zs all %d denied commands succeed; the listener saw %d connections" %
        (len(run.denials), run.listener.count() - reached), "\n".join(useless))
    return checks.failed == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("zs")
    parser.add_argument("zig", help="for a machine without a C compiler")
    parser.add_argument("--without", nargs="+", default=[], help="treat programs as not installed", metavar="PROGRAM")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.stdout.reconfigure(errors="replace")
    zs = os.path.abspath(arguments.zs)
    refuse_to_start(zs, SYSTEM_PATH + ":" + os.environ.get("PATH", ""))
    with open(SESSION) as f:
        head, *rows = map(json.loads, f)
    parent = os.path.realpath(tempfile.gettempdir()) + "/"
    root = os.path.realpath(tempfile.mkdtemp(prefix="zs-demo-", dir="/tmp" if parent.startswith(READABLE) else parent))
    try:
        zig = shutil.which(arguments.zig) or arguments.zig
        project = os.path.join(os.path.dirname(SESSION), head["project"])
        good = replay(Scratch(root, zs, zig, project, arguments.without), head, rows, Table())
    finally:
        shutil.rmtree(root, ignore_errors=True)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
