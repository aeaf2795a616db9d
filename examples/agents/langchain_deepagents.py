"""LangChain: the shell and the file tools of a deep agent run in a box of zs.

    pip install deepagents bindings/python       # and the package of the model, such as langchain-openai
    langchain_deepagents.py openai:gpt-5.1 /path/to/workspace 'make the tests pass'
"""

import errno
import sys

from deepagents import create_deep_agent
from deepagents.backends import CompositeBackend
from deepagents.backends.protocol import ExecuteResponse, FileDownloadResponse, FileUploadResponse
from deepagents.backends.sandbox import BaseSandbox
from langchain.agents.middleware import AgentMiddleware
from zs_sandbox import Box, Policy, ZsError

SECONDS = 120
TIMED_OUT = 124
ERRORS = {errno.ENOENT: "file_not_found", errno.EISDIR: "is_directory", errno.EACCES: "permission_denied",
    errno.EPERM: "permission_denied", errno.EROFS: "permission_denied"}


class ZsBackend(BaseSandbox):
    """A box as a sandbox of deepagents, which makes its file tools of execute() and upload_files()."""

    def __init__(self, box):
        self.box, self.error = box, None

    @property
    def id(self):
        return self.box.id

    def execute(self, command, *, timeout=None):
        seconds = SECONDS if timeout is None else timeout or None
        # The model reads both outputs as one, in their order.
        done = self.call(self.box.exec, ["bash", "-c", 'exec bash -c -- "$0" 2>&1', command], timeout=seconds)
        said = "\nzs: has not ended within %s s" % seconds if done.timed_out else ""
        return ExecuteResponse(done.stdout + done.stderr + said, TIMED_OUT if done.timed_out else done.status,
            done.stdout_truncated)

    def upload_files(self, files):
        return [FileUploadResponse(path, self.copied(self.box.put, path, data)[1]) for path, data in files]

    def download_files(self, paths):
        return [FileDownloadResponse(path, *self.copied(self.box.get, path)) for path in paths]

    def copied(self, copy, *words):
        try:
            return self.call(copy, *words), None
        except OSError as error:
            return None, ERRORS.get(error.errno, str(error))

    def call(self, function, *words, **options):
        try:
            return function(*words, **options)
        except ZsError as error:
            self.error = error
            raise


class NoBoxNoResult(AgentMiddleware):
    """Ends the run with the error of its box. Some of the tools would show it to the model and go on."""

    def __init__(self, backend):
        self.backend = backend

    def before_model(self, state, runtime):
        if self.backend.error:
            raise self.backend.error


def run(model, workspace, task):
    """Returns the agent's last words. model: its name, or one of LangChain's chat models."""
    with Box(Policy(workspace, caches="private", settings=False, limits={"wall": "1h"})) as box:
        backend = ZsBackend(box)
        agent = create_deep_agent(model, system_prompt="You work in %s." % workspace,
            backend=CompositeBackend(backend, {}, artifacts_root="/tmp"), middleware=[NoBoxNoResult(backend)])
        return agent.invoke({"messages": [("user", task)]})["messages"][-1].content


def main():
    if len(sys.argv) != 4:
        sys.exit("usage: langchain_deepagents.py MODEL WORKSPACE TASK")
    try:
        print(run(*sys.argv[1:]))
    except ZsError as error:
        print(error, file=sys.stderr)
        return 125
    return 0


if __name__ == "__main__":
    sys.exit(main())
