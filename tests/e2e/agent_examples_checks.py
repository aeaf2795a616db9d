"""Checks of examples/agents, for tests/e2e/test_agent_examples.py, in a Python that has zs_sandbox and the SDKs.

    agent_examples_checks.py EXAMPLE walls WORKSPACE SECRET    an agent that works, and reaches for what is outside
    agent_examples_checks.py EXAMPLE many WORKSPACE COUNT      so many runs, and one of its program if none has a result

The models are mocks: each of their answers is the next action of a list. The last line on standard output is the
answer, in JSON.
"""

import importlib
import json
import os
import sys

DONE = "all is done"


class Script:
    """The actions of a mock model, and the requests that it got. A function is called, and returns the action."""

    def __init__(self, actions):
        self.actions, self.requests = list(actions), []

    def next(self, request):
        self.requests.append(str(request))
        action = self.actions.pop(0)
        return action() if callable(action) else action


def openai_agents(script):
    from agents.testing import ModelStep, ScriptedModel, assistant_message
    from openai.types.responses import ResponseFunctionShellToolCall

    def answer(call):
        action = script.next(call.input)
        if action == DONE:
            return [assistant_message(DONE)]
        number = str(len(script.requests))
        return [ResponseFunctionShellToolCall.model_validate({"type": "shell_call", "id": number, "call_id": number,
            "status": "completed", "action": {"commands": [action["command"]], "timeout_ms": action.get("ms")}})]

    return ScriptedModel([ModelStep.respond(answer)] * len(script.actions))


def langchain_deepagents(script):
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage

    class Model(GenericFakeChatModel):
        """The fake model knows no tools."""

        def bind_tools(self, *_, **__):
            return self

        def _generate(self, messages, *words, **options):
            action = script.next(messages)
            call = {"name": "execute", "args": action, "id": str(len(script.requests))} if action != DONE else None
            if call and "tool" in action:
                call.update(name=action["tool"], args=action["args"])
            self.messages = iter([AIMessage(action if action == DONE else "next", tool_calls=[call] if call else [])])
            return super()._generate(messages, *words, **options)

    return Model(messages=iter([]))


def smolagents_executor(script):
    from smolagents import ChatMessage, Model

    class Scripted(Model):
        def generate(self, messages, **_):
            action = script.next([message.content for message in messages[1:]])
            code = "final_answer(%r)" % DONE if action == DONE else action
            return ChatMessage("assistant", "next <code>\n%s\n</code>" % code)

    return Scripted()


def shell(text, **more):
    return {"command": text, **more}


def tool(name, **args):
    return {"tool": name, "args": args}


def python(text):
    return "import subprocess\nprint(subprocess.run(%r, shell=True, capture_output=True, text=True))" % text


EXAMPLES = {"openai_agents": (openai_agents, shell), "langchain_deepagents": (langchain_deepagents, shell),
    "smolagents_executor": (smolagents_executor, python)}


class Run:
    """One run of an example, with what its model saw, and what came of it."""

    def __init__(self, name, workspace, actions, **options):
        self.example, self.boxes = importlib.import_module(name), []
        self.script = Script(action if not callable(action) else lambda action=action: action(self.boxes[0])
            for action in actions)
        self.example.Box = self.recorded
        if name == "smolagents_executor":
            self.example.SECONDS = 4  # for code that does not end
        try:
            self.result = self.example.run(EXAMPLES[name][0](self.script), workspace, "the task", **options)
        except Exception as error:
            self.result = "%s: %s" % (type(error).__name__, error)

    def recorded(self, *words):
        from zs_sandbox import Box
        self.boxes.append(Box(*words))
        return self.boxes[-1]

    def answers(self):
        return {"result": self.result, "seen": self.script.requests[-1:], "requests": len(self.script.requests)}


def closed(action):
    def close(box):
        box.close()
        return action
    return close


def actions_of(name, workspace, secret):
    command = EXAMPLES[name][1]
    yield command("pwd && echo made >made && cat made && touch /tmp/kept")
    yield command("cat '%s'" % secret)
    yield command("echo x >>'%s'" % secret)
    yield command("test -e /tmp/kept && echo kept")
    if name == "openai_agents":
        yield command("echo before; sleep 600", ms=2000)
    if name == "langchain_deepagents":
        yield command("echo before; sleep 600", timeout=1)
        yield tool("write_file", file_path=workspace + "/written", content="by the tool\n")
        yield tool("read_file", file_path=workspace + "/written")
        yield tool("read_file", file_path=secret)
        yield tool("write_file", file_path=secret + ".new", content="x")
    if name == "smolagents_executor":
        yield "value = 6\ndef twice(number):\n    return 2 * number"
        yield "twice(value) + 30"
        yield "open(%r).read()" % secret
        yield "print(backwards('elif'))"
        yield "import time\ntime.sleep(600)"
        yield "raise SystemExit(3)"
    yield DONE


def tool_of_smolagents():
    from smolagents import Tool

    class Backwards(Tool):
        name = "backwards"
        description = "Turns a text around, and tells where it runs"
        inputs = {"text": {"type": "string", "description": "the text"}}
        output_type = "string"

        def forward(self, text: str) -> str:
            import os
            return "%s %s" % (text[::-1], "inside" if os.path.exists("/tmp/zs-python") else "outside")

    return Backwards()


def walls(name, workspace, secret):
    options = {"tools": [tool_of_smolagents()]} if name == "smolagents_executor" else {}
    done = Run(name, workspace, actions_of(name, workspace, secret), **options).answers()
    command = EXAMPLES[name][1]("echo y")
    # Somebody ends the box before the first command, and between two.
    broken = {"before": [closed(command), DONE], "between": [command, closed(command), DONE]}
    if name == "langchain_deepagents":
        broken["glob"] = [closed(tool("glob", pattern="*", path=workspace)), DONE]
    if name == "smolagents_executor":
        broken["interpreter"] = ["import os\nos._exit(0)", DONE]
    done["broken"] = {key: Run(name, workspace, actions).answers() for key, actions in broken.items()}
    return done


def many(name, workspace, count):
    """Each run has a box of its own."""
    results = [Run(name, workspace, [EXAMPLES[name][1]("echo y"), DONE]).result for _ in range(int(count))]
    answer = {"done": results.count(DONE), "others": sorted(set(results) - {DONE})}
    if not answer["done"]:
        sys.argv = [name, "model", workspace, "the task"]
        answer["exit"] = importlib.import_module(name).main()
    return answer


name, what, *words = sys.argv[1:]
os.chdir("/")
print(json.dumps({"walls": walls, "many": many}[what](name, *words)))
