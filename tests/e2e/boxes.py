"""The commands of zs box, for tests."""

import contextlib
import json

from harness import expect
from processes import descendants, processes

IDLE = "setsid sleep %s >/dev/null 2>&1 & "
FIELDS = {"status": None, "signal": None, "timed_out": False, "failure": None, "message": None, "image": None,
    "stdout": "", "stdout_truncated": False, "stderr": "", "stderr_truncated": False, "denials": [],
    "denials_others": 0, "denials_blind": False, "ended": "exit", "limits": [],
    "enforced": {"tier": "mounts", "each_process": []}}


def create(box, *options, **more):
    return box.run_zs("box", "create", *options, **more).expect(exit=0, stderr="").stdout.rstrip("\n")


def inside(box, name, script, *options, **more):
    return box.run_zs("box", "exec", name, *options, "--", "sh", "-c", script, **more)


def as_json(box, name, script, *options, exit=0, **more):
    done = inside(box, name, script, "--json", *options, **more).expect(exit=exit, stderr="")
    line = json.loads(done.stdout)
    expect(set(line) == {*FIELDS, "policy"}, line)
    return line


def boxes(box):
    done = box.run_zs("box", "list", "--json").expect(exit=0, stderr="")
    return [json.loads(line) for line in done.stdout.splitlines()]


@contextlib.contextmanager
def own_place(box):
    """The boxes' folder lies in a runtime folder of the test's own. Closes all boxes."""
    runtime = box.folder("runtime", 0o700)
    box.env["XDG_RUNTIME_DIR"] = runtime
    try:
        yield runtime
    finally:
        for each in boxes(box):
            box.run_zs("box", "close", each["id"])


def daemon_of(name):
    """The processes of zs that hold the only box of a test's scratch folder: the daemon and the supervisor."""
    found = [pid for pid, words in processes() if words[1:3] == ["box", "create"] and name in words]
    daemon, = [pid for pid in found if set(descendants(pid)) >= set(found) - {pid}]
    return daemon, [pid for pid in found if pid != daemon]
