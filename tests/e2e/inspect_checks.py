"""Checks of zs in Inspect, for tests/e2e/test_inspect.py, in a Python that has inspect_ai and zs_sandbox.

    inspect_checks.py self CONFIG [CHECK...]    Inspect's own checks of a sandbox; CONFIG is a ZsConfig as JSON
    inspect_checks.py eval COUNT         an eval of so many samples, with the mock model
    inspect_checks.py approve FILE       the mock model's commands, behind the approvers of this file
    inspect_checks.py compose FILE...    a sample with each compose.yaml

Each prints a line of JSON, and nothing else on standard output.
"""

import json
import os
import sys

import anyio
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, get_model, modelapi
from inspect_ai.model._providers.mockllm import MockLLM
from inspect_ai.scorer import Score, accuracy, scorer
from inspect_ai.solver import generate, solver, use_tools
from inspect_ai.tool import bash
from inspect_ai.util import sandbox
from inspect_ai.util._sandbox import self_check
from inspect_ai.util._sandbox.registry import registry_find_sandboxenv
from zs_sandbox.inspect_provider import ZsConfig

MODEL = "offline/model"


@modelapi(name="offline")
class Offline(MockLLM):
    """Inspect's mock model. It would fetch a table from the network to count tokens."""

    async def count_text_tokens(self, text):
        return len(text)


def run(task, **options):
    """The log lies in this folder: Inspect reads it again when its samples are wanted."""
    options.setdefault("model", MODEL)
    (log,) = eval(task, display="none", log_dir="logs", log_level="error", fail_on_error=False, **options)
    return log


def self_checks(config, *names):
    failed = {}

    async def all_of():
        provider = registry_find_sandboxenv("zs")
        boxes = await provider.sample_init("t", ZsConfig(**json.loads(config)), {})
        for name in names or self_check.__all__:
            try:
                await getattr(self_check, name)(boxes["default"])
            except BaseException as error:
                failed[name] = "%s: %s" % (type(error).__name__, str(error)[:200])
        await provider.sample_cleanup("t", None, boxes, False)

    anyio.run(all_of)
    return {"checks": len(names or self_check.__all__), "failed": failed}


@solver
def work():
    async def solve(state, generate):
        await sandbox().write_file("numbers", "3\n1\n2\n")
        done = await sandbox().exec(["sh", "-c", "sort numbers >sorted; cat $0", os.environ.get("SECRET_FILE", "/x")])
        state.metadata["stdout"] = done.stdout
        return state

    return solve


@scorer(metrics=[accuracy()])
def sorted_file():
    async def score(state, target):
        text = await sandbox().read_file("sorted")
        return Score(value=1 if text == target.text and not state.metadata["stdout"] else 0)

    return score


def evaluation(count):
    log = run(Task(dataset=[Sample(input="sort", target="1\n2\n3\n") for _ in range(int(count))], solver=work(),
        scorer=sorted_file(), sandbox="zs"))
    samples = log.samples or []
    return {"samples": len(samples), "scored": sum(bool(sample.scores) for sample in samples),
        "right": sum(bool(sample.scores) and sample.scores["sorted_file"].value == 1 for sample in samples),
        "errors": sorted({sample.error.message for sample in samples if sample.error})}


def approvals(file):
    texts = ["cat /etc/hostname >/dev/null; echo passed", "rm -rf ~"]
    outputs = [ModelOutput.for_tool_call(MODEL, "bash", {"command": text}) for text in texts]
    log = run(Task(dataset=[Sample(input="go")], solver=[use_tools(bash()), generate()], sandbox="zs"),
        model=get_model(MODEL, custom_outputs=[*outputs, ModelOutput.from_content(MODEL, "done")]),
        approval=file)
    (sample,) = log.samples
    return {"answers": [message.error.message if message.error else message.text for message in sample.messages
        if message.role == "tool"], "error": sample.error and sample.error.message}


def compose(*files):
    return [compose_one(file) for file in files]


def compose_one(file):
    @solver
    def look():
        async def solve(state, generate):
            done = await sandbox().exec(["sh", "-c", "echo $GREETING"])
            state.metadata["stdout"] = done.stdout
            return state

        return solve

    log = run(Task(dataset=[Sample(input="go")], solver=look(), sandbox=("zs", file)))
    (sample,) = log.samples or [None]
    return {"stdout": sample and sample.metadata.get("stdout"), "status": log.status,
        "error": log.error.message if log.error else sample and sample.error and sample.error.message}


print(json.dumps({"self": self_checks, "eval": evaluation, "approve": approvals, "compose": compose}[sys.argv[1]](
    *sys.argv[2:])))
