"""Runs commands that are confined to allowed hosts, in the network of world.py."""

import atexit
import contextlib
import ctypes
import json
import os
import re
import subprocess
import sys
import tempfile

from harness import HERE, TIMEOUT, Box, Failure, Result, expect

GOOD = "good.test.example"
GOOD_ADDRESS = "93.184.215.10"
OTHER = "other.test.example"
EVIL = "evil.test.example"
EVIL_ADDRESS = "93.184.215.66"
PRIVATE_ADDRESS = "10.9.8.7"
NEEDS = ["sandbox", "curl", "iproute", "openssl"]


class World:
    """The network that all tests share. An ordinary user makes it in a user namespace, and is root in it."""

    made = None

    def __init__(self, *options):
        self.folder = tempfile.mkdtemp(prefix="world-", dir=Box.scratch)
        os.chmod(self.folder, 0o755)
        self.ca = os.path.join(self.folder, "ca.pem")
        self.www = os.path.join(self.folder, "www")
        unshare = ["unshare", "--net", "--mount"] + ([] if os.geteuid() == 0 else ["--user", "--map-root-user"])
        self.process = subprocess.Popen([*unshare, "--", sys.executable, os.path.join(HERE, "world.py"), self.folder,
            *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        expect(self.process.stdout.readline(), "the network of the tests could not be made")
        atexit.register(self.close)

    @classmethod
    def get(cls):
        cls.made = cls.made or cls()
        return cls.made

    def close(self):
        self.process.stdin.close()
        self.process.wait(TIMEOUT)

    def ask(self, request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def run(self, box, argv, stdin="", add_env=None, timeout=60):
        answer = self.ask({"run": {"argv": argv, "env": dict(box.env, **(add_env or {})), "cwd": box.work,
            "uid": box.user.uid, "stdin": stdin, "timeout": timeout}})
        return Result(argv, answer["exit"], answer["stdout"], answer["stderr"])

    def enter(self):
        """Moves this process, which has one thread, into the network; man 2 setns."""
        libc = ctypes.CDLL(None, use_errno=True)
        kinds = ["net", "mnt"] if os.geteuid() == 0 else ["user", "net", "mnt"]
        namespaces = [os.open("/proc/%d/ns/%s" % (self.process.pid, kind), os.O_RDONLY) for kind in kinds]
        for namespace in namespaces:
            if libc.setns(namespace, 0) < 0:
                raise OSError(ctypes.get_errno(), "setns")
            os.close(namespace)

    def seen(self):
        return self.ask({"seen": True})


class Run:
    """Runs one confined command in the network, and reads its report."""

    def __init__(self, box, hosts, script, ok=None, options=(), world=None, **more):
        self.world = world or World.get()
        self.world.seen()
        path = os.path.join(box.work, "report.jsonl")
        with contextlib.suppress(FileNotFoundError):
            os.remove(path)
        argv = [box.zs, "run", "--net", "hosts", "--report", path, "--ro", self.world.ca]
        for host in hosts:
            argv += ["--host", host]
        script = re.sub(r"\bCA\b", self.world.ca, script)
        self.result = self.world.run(box, [*argv, *options, "--", "sh", "-c", script], **more)
        self.seen = self.world.seen()
        self.report = []
        if os.path.exists(path):
            with open(path) as file:
                self.report = [json.loads(line) for line in file]
        expect(ok is None or (self.result.exit == 0) == ok,
            "%s\n    report %s\n    seen   %s" % (self.result, self.report, self.seen))

    def expect(self, **what):
        try:
            self.result.expect(**what)
        except Failure as failure:
            raise Failure("%s\n    report %s\n    seen   %s" % (failure, self.report, self.seen))
        return self

    def expect_line(self, **fields):
        for line in self.report:
            if all(line.get(name) == value for name, value in fields.items()):
                return line
        raise Failure("no line has %s: %s; %s" % (fields, self.report, self.result))

    def reached(self):
        return {entry[1] for entry in self.seen if entry[0] in ("web", "tls", "banner")}

    def asked_dns(self):
        return {entry[1] for entry in self.seen if entry[0] == "dns"}
