"""network: none. Clients fail at once, and zs says which hosts they asked for."""

from harness import expect, test

# Each retries by default for longer than this. A package manager needs some seconds for itself on a busy machine.
SECONDS = 8
TIMED_OUT = 124  # man 1 timeout


def ends_at_once(box, script, variable):
    """Expects that the client fails before the time is over. The control: it does not with its own number of tries."""
    script = "timeout %d %s" % (SECONDS, script)
    control = box.run_zs("run", "--setenv", variable + "=9", "--", "sh", "-c", script)
    expect(control.exit == TIMED_OUT, "control: it does not try again: %s" % control)
    run = box.run_zs("run", "--", "sh", "-c", script)
    expect(run.exit not in (0, TIMED_OUT), run)


@test(needs=["sandbox", "npm"])
def npm_fails_at_once(box):
    box.file("home/project/package.json", '{"dependencies": {"left-pad": "1.3.0"}}')
    ends_at_once(box, "npm install", "npm_config_fetch_retries")


@test(needs=["sandbox", "pip"])
def pip_fails_at_once(box):
    ends_at_once(box, "python3 -m pip download --no-cache-dir left", "PIP_RETRIES")
