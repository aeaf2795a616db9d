"""OpenAI Agents SDK: the commands of its local shell tool run in a box of zs.

    pip install openai-agents bindings/python
    openai_agents.py gpt-5.1 /path/to/workspace 'make the tests pass'
"""

import asyncio
import sys

from agents import Agent, AgentHooks, Runner, ShellCallOutcome, ShellCommandOutput, ShellResult, ShellTool
from zs_sandbox import Box, Policy, ZsError

SECONDS = 120


class ZsShell(AgentHooks):
    """The executor of a ShellTool. The SDK shows an executor's exception to the model and goes on. So this object is
    the agent's hooks as well, which raise the exception again and end the run."""

    def __init__(self, box):
        self.box, self.error = box, None

    async def __call__(self, request):
        action = request.data.action
        seconds = max(1, action.timeout_ms // 1000) if action.timeout_ms else SECONDS
        try:
            return ShellResult([await asyncio.to_thread(self.run, text, seconds) for text in action.commands])
        except ZsError as error:
            self.error = error
            raise

    def run(self, text, seconds):
        done = self.box.exec(["bash", "-c", "--", text], timeout=seconds)
        outcome = ShellCallOutcome("timeout" if done.timed_out else "exit", done.status)
        return ShellCommandOutput(done.stdout, done.stderr, outcome, text)

    async def on_tool_end(self, *_):
        if self.error:
            raise self.error


def run(model, workspace, task):
    """Returns the agent's last words. model: its name, or one of the SDK's models."""
    with Box(Policy(workspace, caches="private", settings=False, limits={"wall": "1h"})) as box:
        shell = ZsShell(box)
        agent = Agent("coder", instructions="You work in %s, by the shell." % workspace, model=model,
            tools=[ShellTool(shell)], hooks=shell)
        return Runner.run_sync(agent, task).final_output


def main():
    if len(sys.argv) != 4:
        sys.exit("usage: openai_agents.py MODEL WORKSPACE TASK")
    try:
        print(run(*sys.argv[1:]))
    except ZsError as error:
        print(error, file=sys.stderr)
        return 125
    return 0


if __name__ == "__main__":
    sys.exit(main())
