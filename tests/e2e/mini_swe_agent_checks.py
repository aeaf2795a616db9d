"""Checks of zs in mini-swe-agent, for tests/e2e/test_mini_swe_agent.py, in a Python that has both.

    mini_swe_agent_checks.py interface          what its tests ask of an environment, beside its local one
    mini_swe_agent_checks.py fix REPOSITORY     its agent, with its deterministic model, which mends a bug
    mini_swe_agent_checks.py many COUNT         so many runs of its agent
    mini_swe_agent_checks.py walls FILE ROOT    the box: what is out of reach, and how it ends

The last line on standard output is the answer, in JSON. mini-swe-agent logs above it.
"""

import json
import os
import sys

from minisweagent.agents.default import DefaultAgent
from minisweagent.environments import get_environment
from minisweagent.exceptions import Submitted
from minisweagent.models.test_models import DeterministicModel, make_output
from zs_sandbox import Box
from zs_sandbox.mini_swe_agent import COMMAND_MAX

ZS = "zs_sandbox.mini_swe_agent.ZsEnvironment"
OUTPUT_MAX = 10 * 1024 * 1024  # of zs box exec
SUBMIT = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
# The models' mistakes and successes. The last element is the time that the command has, in seconds.
COMMANDS = {
    "echo": ("echo 'hello world'", None), "both outputs": ("echo out; echo err >&2; echo again", None),
    "status": ("exit 42", None), "no such command": ("nonexistent_command_12345 2>/dev/null", None),
    "variables": ("echo $TEST_VAR $OTHER", None), "nothing": ("", None),
    "quotes": ("echo \"it's\" '$HOME' | tr a-z A-Z", None), "lines": ("cat <<'X'\na\nb\nX\n", None),
    "not UTF-8": ("printf 'a\\377b\\n'", None), "input": ("cat", None), "folder": ("cd / && pwd", None),
    "timeout": ("echo before; sleep 600", 1), "NUL": ("echo a\0b", None), "surrogate": ("echo \ud800", None),
    "longest": (":" + " " * (COMMAND_MAX - 1), None), "too long": (":" + " " * COMMAND_MAX, None),
    "submitted": (SUBMIT + "; echo patch; echo more", None), "not submitted": (SUBMIT + "; exit 1", None),
    "submitted late": ("echo first; " + SUBMIT, None), "submitted below blank lines": ("echo; " + SUBMIT, None),
}


def answer(environment, command, timeout):
    try:
        output = environment.execute({"command": command}, timeout=timeout)
    except Submitted as error:
        return {"submitted": error.messages}
    # The local environment's shell is another one, whose name stands in its words about a failure.
    return json.loads(json.dumps(output).replace("'/bin/sh'", "'bash'"))


def interface():
    given = {"env": {"TEST_VAR": "test value", "OTHER": "x"}, "timeout": 60}
    local = get_environment({"environment_class": "local", **given})
    zs = get_environment({"environment_class": ZS, **given})
    differ = {name: (repr(one)[:300], repr(other)[:300]) for name, (command, timeout) in COMMANDS.items()
        for one, other in [(answer(local, command, timeout), answer(zs, command, timeout))] if one != other}
    os.environ.update(FORWARDED="passed", HELD_BACK="held", BOTH="forwarded")
    other = get_environment({"environment_class": ZS, "cwd": "/usr", "env": {"BOTH": "given"},
        "forward_env": ["FORWARDED", "BOTH", "NOT_THERE"]})
    forwarded = other.execute({"command": "echo $FORWARDED$HELD_BACK [$NOT_THERE] $BOTH; pwd"})["output"]
    cwd = other.execute({"command": "pwd"}, cwd="/etc")["output"]
    option = zs.execute({"command": "-x 2>/dev/null"})["returncode"]
    large = zs.execute({"command": "%s; head -c %d /dev/zero | tr '\\0' a" % (SUBMIT, OUTPUT_MAX)})
    variables = zs.get_template_vars(extra="given")
    described = json.loads(json.dumps(zs.serialize()))["info"]["config"]
    kept = zs.directory.name
    for environment in (zs, other):
        environment.cleanup()
        environment.cleanup()
    return {"checks": len(COMMANDS), "differ": differ, "forwarded": forwarded, "cwd": cwd, "option": option,
        "kept": os.path.exists(kept),
        "large": [large["returncode"], large["extra"]["exception_type"]],
        "variables": [variables["extra"], variables["timeout"], variables["system"]],
        "described": [described["environment_type"], described["environment"]["env"]]}


def agent(environment, commands):
    outputs = [make_output("next", [{"command": command}], cost=0) for command in commands]
    return DefaultAgent(DeterministicModel(outputs=outputs, cost_per_call=0), environment,
        system_template="You work on {{system}}.", instance_template="{{task}}")


def fix(repository):
    """The model reads the secret as well, which is no part of the task."""
    environment = get_environment({"environment_class": ZS, "workspace": repository})
    run = agent(environment, ["python3 -B check.py", "sed -i 's/a - b/a + b/' sums.py", "python3 -B check.py",
        "cat %s" % os.environ["SECRET_FILE"], SUBMIT + " && git diff"])
    result = run.run("mend add()")
    environment.cleanup()
    seen = [message["extra"] for message in run.messages if message["role"] == "user" and "extra" in message]
    return {"exit": result["exit_status"], "patch": result["submission"],
        "statuses": [extra["returncode"] for extra in seen], "secret": "key" in json.dumps(run.messages)}


def many(count):
    """Each agent gets an environment of its own, as a batch does it."""
    submitted, errors = 0, set()
    for _ in range(int(count)):
        try:
            environment = get_environment({"environment_class": ZS})
            submitted += agent(environment, [SUBMIT]).run("nothing")["exit_status"] == "Submitted"
        except Exception as error:
            errors.add("%s: %s" % (type(error).__name__, error))
    return {"submitted": submitted, "errors": sorted(errors)}


def error_of(call):
    try:
        return "none: %r" % (call(),)
    except Exception as error:
        return "%s: %s" % (type(error).__name__, error)


def walls(file, empty):
    environment = get_environment({"environment_class": ZS, "limits": {"wall": "10m"}})
    wrote = environment.execute({"command": "echo x >%s" % file})["returncode"]
    lives = environment.execute({"command": "echo y >/tmp/kept"}), environment.execute({"command": "cat /tmp/kept"})
    errors = {"no folder": error_of(lambda: environment.execute({"command": "true"}, cwd="/no/such")),
        "no field": error_of(lambda: get_environment({"environment_class": ZS, "image": "debian"})),
        "no limit": error_of(lambda: get_environment({"environment_class": ZS, "limits": {"wal": "1s"}}))}
    bare = get_environment({"environment_class": ZS, "root": empty})
    errors["no shell"] = error_of(lambda: bare.execute({"command": "true"}))
    bare.cleanup()
    # Somebody else ends the box: the model must not see a status, and the run ends with the error.
    run = agent(environment, ["true", SUBMIT])
    Box.close(environment.box)
    errors["ended"] = error_of(lambda: run.run("nothing"))
    last = run.messages[-1]
    environment.cleanup()
    errors["closed"] = error_of(lambda: environment.execute({"command": "true"}))
    return {"wrote": wrote, "kept": lives[1]["output"], "errors": errors, "last": [last["role"],
        last["extra"]["exit_status"], last["extra"]["submission"]], "seen": len(run.messages)}


print(json.dumps({"interface": interface, "fix": fix, "many": many, "walls": walls}[sys.argv[1]](*sys.argv[2:])))
