"""examples/agents: agents of three SDKs, whose commands or Python run in a box, with mock models.

The SDKs come from PyPI as test_inspect.py says.
"""

import json
import os
import re
import shutil

import adapters
from harness import REPOSITORY, Box, expect, read, test
from no_namespaces import install, program

NEEDS = ["sandbox", "mcp-servers", "system-pip"]
LANDLOCK = (444, 445, 446)
RUNS = 20
KEY = "KEY OF THE USER\n"
REFUSED = re.compile("No such file or directory|Permission denied|Read-only file system|Directory nonexistent")


def copied(name):
    target = os.path.join(Box.scratch, "agent-examples", os.path.basename(name))
    if not os.path.isdir(target):
        shutil.copytree(os.path.join(REPOSITORY, name), target)
    return target


def checks(box, name, *words, **options):
    site = [os.path.dirname(copied("bindings/python/zs_sandbox")), copied("examples/agents"), adapters.projects()]
    environment = {"PYTHONPATH": ":".join(site), "ZS_PROGRAM": box.zs, "PYTHONDONTWRITEBYTECODE": "1",
        "OPENAI_AGENTS_DISABLE_TRACING": "1", "HF_HUB_OFFLINE": "1"}
    result = box.run([adapters.PYTHON, adapters.checks("agent_examples_checks.py"), name, *words], add_env=environment,
        **options)
    expect(result.exit == 0 and result.stdout, result)
    return json.loads(result.stdout.splitlines()[-1])


def held(box, name, *seen):
    """A run with a result, those whose box ends, and those that have no box since Landlock is refused."""
    secret = box.file("outside/key", KEY)
    for command in ("cat '%s'", "echo x >>'%s'"):
        control = box.run(["bash", "-c", command % secret])
        expect(control.exit == 0, control)
    box.file("outside/key", KEY)
    done = checks(box, name, "walls", box.work, secret)
    expect(done["result"] == "all is done" and read(os.path.join(box.work, "made")) == "made\n", done)
    text, = done["seen"]
    for part in (box.work + "\\n", "kept\\n", *seen):
        expect(part in text.replace("\\\\", "\\"), "the model has not seen %r" % part, text)
    expect(len(REFUSED.findall(text)) >= 2 and KEY.strip() not in text, text)
    expect(read(secret) == KEY and os.listdir(box.outside) == ["key"], os.listdir(box.outside))
    for broken in done["broken"].values():
        expect(broken["result"].startswith(("ZsError: ", "BoxLost: ")), broken)
    # After the error the model gets no request.
    expect([broken["requests"] for broken in done["broken"].values()] == [1, 2, 1][:len(done["broken"])], done)
    done = checks(box, name, "many", box.work, str(RUNS), preexec_fn=lambda: install(program(LANDLOCK)))
    expect(done["done"] == 0 and len(done["others"]) == 1 and done["others"][0].startswith("ZsError: "), done)
    expect(done["exit"] == 125, done)


@test(needs=NEEDS)
def openai_agents(box):
    held(box, "openai_agents", "'stdout': 'before\\n'", "{'type': 'timeout'}")


@test(needs=NEEDS)
def langchain_deepagents(box):
    held(box, "langchain_deepagents", "has not ended within 1 s", "exit code 124",
        "1 @@\\nby the tool", "file_not_found")
    expect(read(os.path.join(box.work, "written")) == "by the tool\n")


@test(needs=NEEDS)
def smolagents(box):
    held(box, "smolagents_executor", "code snippet:\\n42", "file inside", "SystemExit: 3",
        "TimeoutError: the code has not ended in time")
