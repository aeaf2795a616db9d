"""Named sessions of a test's own."""

import contextlib
import json


def end(box, name="dev", **more):
    return box.run_zs("end", name, **more)


def sessions(box):
    done = box.run_zs("end", "--list", "--json").expect(exit=0, stderr="")
    return [json.loads(line) for line in done.stdout.splitlines()]


@contextlib.contextmanager
def own_sessions(box):
    """The sessions' folder lies in a runtime folder of the box's own. Ends all sessions."""
    runtime = box.folder("runtime", 0o700)
    box.env["XDG_RUNTIME_DIR"] = runtime
    try:
        yield runtime
    finally:
        for each in sessions(box):
            end(box, each["name"], cwd=each["workspace"])
