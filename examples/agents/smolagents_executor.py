"""smolagents: the Python that a CodeAgent writes runs in a box of zs.

    pip install smolagents bindings/python
    smolagents_executor.py Qwen/Qwen3-Next-80B-A3B-Thinking /path/to/workspace 'make the tests pass'
"""

import json
import sys

from smolagents import AgentError, AgentLogger, CodeAgent, InferenceClientModel, LogLevel
from smolagents.local_python_executor import CodeOutput
from smolagents.remote_executors import RemotePythonExecutor
from zs_sandbox import Box, BoxLost, Policy, ZsError

SECONDS = 120
GRACE = 10  # for code that the alarm cannot interrupt

# One Python of the box keeps the variables between the steps. It takes a step's code from a socket.
SERVER = r"""
import ast, json, os, signal, socket, sys, traceback

class FinalAnswer(BaseException):
    pass

def final_answer(answer):
    raise FinalAnswer(json.dumps(answer, default=repr))

def late(*_):
    raise TimeoutError("the code has not ended in time")

def step(code):
    answer = {"error": None, "final": None, "value": None}
    sys.displayhook = lambda value: answer.update(value=None if value is None else repr(value))
    signal.alarm(SECONDS)
    try:
        exec(compile(ast.Interactive(ast.parse(code).body), "<step>", "single"), names)
    except FinalAnswer as error:
        answer["final"] = error.args[0]
    except BaseException:
        answer["error"] = traceback.format_exc(limit=-3)
    signal.alarm(0)
    sys.stdout.flush()
    output.seek(0)
    answer["logs"] = output.read().decode(errors="replace")
    output.seek(0)
    output.truncate()
    return json.dumps(answer).encode()

server = socket.socket(socket.AF_UNIX)
server.bind("/tmp/zs-python")
server.listen()
if os.fork():
    os._exit(0)
output = open("/tmp/zs-python.output", "w+b")
os.dup2(output.fileno(), 1)
os.dup2(output.fileno(), 2)
names = {"__name__": "__main__", "final_answer": final_answer}
signal.signal(signal.SIGALRM, late)
while True:
    with server.accept()[0] as client, client.makefile("rb") as code:
        client.sendall(step(code.read().decode()))
"""

CLIENT = r"""
import socket, sys
with socket.socket(socket.AF_UNIX) as server:
    server.connect("/tmp/zs-python")
    server.sendall(sys.stdin.buffer.read())
    server.shutdown(socket.SHUT_WR)
    with server.makefile("rb") as stream:
        answer = stream.read()
    sys.stdout.buffer.write(answer)
    sys.exit(0 if answer else "no answer")
"""


class ZsExecutor(RemotePythonExecutor):
    """Its base class sends the tools, as their source, and the variables. An agent shows an executor's exception to
    the model and goes on. So check() is one of the agent's step_callbacks, which raises it again and ends the run."""

    def __init__(self, box, logger):
        super().__init__([], logger)
        self.box, self.error = box, None
        self.python(SERVER.replace("SECONDS", str(SECONDS)))

    def python(self, program, data=b""):
        done = self.box.exec(["python3", "-c", program], input=data, timeout=SECONDS + GRACE)
        if done.status != 0:
            raise BoxLost("zs: the Python of the box has ended or hangs: %s" % done.stderr.strip())
        return done.stdout

    def run_code_raise_errors(self, code):
        try:
            answer = json.loads(self.python(CLIENT, code.encode()))
        except ZsError as error:
            self.error = error
            raise
        if answer["error"]:
            raise AgentError(answer["logs"] + answer["error"], self.logger)
        if answer["final"]:
            return CodeOutput(json.loads(answer["final"]), answer["logs"], True)
        return CodeOutput(answer["value"], answer["logs"], False)

    def send_tools(self, tools):
        # The server has a final_answer. That of the base class needs numpy and Pillow in the box.
        super().send_tools({name: tool for name, tool in tools.items() if name != "final_answer"})

    def install_packages(self, additional_imports):
        return additional_imports  # the packages are those of the box

    def check(self, _):
        if self.error:
            raise self.error


def run(model, workspace, task, tools=()):
    """Returns the agent's answer. model: one of smolagents' models."""
    with Box(Policy(workspace, caches="private", settings=False, limits={"wall": "1h"})) as box:
        logger = AgentLogger(LogLevel.ERROR)
        executor = ZsExecutor(box, logger)
        agent = CodeAgent(list(tools), model, executor=executor, step_callbacks=[executor.check], logger=logger,
            additional_authorized_imports=["*"], instructions="You work in %s." % workspace)
        return agent.run(task)


def main():
    if len(sys.argv) != 4:
        sys.exit("usage: smolagents_executor.py MODEL WORKSPACE TASK")
    model, workspace, task = sys.argv[1:]
    try:
        print(run(InferenceClientModel(model), workspace, task))
    except ZsError as error:
        print(error, file=sys.stderr)
        return 125
    return 0


if __name__ == "__main__":
    sys.exit(main())
