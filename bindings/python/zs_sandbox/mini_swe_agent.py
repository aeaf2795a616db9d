"""zs for mini-swe-agent: an environment in which each task has a box of its own.

mini-swe-agent finds it by its full name: `environment_class: zs_sandbox.mini_swe_agent.ZsEnvironment`.

It fails closed. Where zs cannot enforce the policy, or a box has ended, execute() raises and the run ends with an
error; the model sees no status. It needs Linux.
"""

from __future__ import annotations

import errno
import logging
import os
import platform
import subprocess
import tempfile
from typing import Any, Literal, Union

from minisweagent.exceptions import Submitted
from minisweagent.utils.serialize import recursive_merge
from pydantic import BaseModel, ConfigDict, Field

from . import Box, BoxResult, Policy, ZsError

COMMAND_MAX = 128 * 1024 - 1
"""Bytes that Linux takes in one argument."""

FINISHED = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"


class ZsEnvironmentConfig(BaseModel):
    """The fields of mini-swe-agent's environments, and the grants of the box in the words of zs_sandbox.Policy. A
    field that zs does not know, such as an image, is an error and no other box."""

    model_config = ConfigDict(extra="forbid")

    cwd: str = ""
    """Where commands run; "" is the workspace."""
    env: dict[str, str] = Field(default_factory=dict)
    """Variables of each command."""
    forward_env: list[str] = Field(default_factory=list)
    """Names of variables that pass from outside; NAME* for a prefix."""
    timeout: int = 30
    """Whole seconds."""
    workspace: str = ""
    """The folder that commands may write; "" is a new one, which is removed with the box."""
    root: Union[str, None] = None
    root_user: bool = False
    users: bool = False
    read: list[str] = Field(default_factory=list)
    write: list[str] = Field(default_factory=list)
    exec: list[str] = Field(default_factory=list)
    protect: list[str] = Field(default_factory=list)
    hide: list[str] = Field(default_factory=list)
    sockets: list[str] = Field(default_factory=list)
    hosts: list[str] = Field(default_factory=list)
    limits: dict[str, Union[str, int]] = Field(default_factory=dict)
    network: Union[Literal["none", "hosts", "full"], None] = None
    settings: bool = False
    """Whether the user's own settings of zs count. They make a result hard to repeat."""

    def policy(self, workspace: str) -> Policy:
        grants = self.model_dump(exclude={"cwd", "env", "forward_env", "timeout", "workspace"})
        # A task must not change what the next one finds in the caches of the user.
        return Policy(workspace, env=self.forward_env, caches="private", **grants)


class ZsEnvironment:
    """One box. See ZsEnvironmentConfig for the arguments."""

    def __init__(self, *, config_class: type = ZsEnvironmentConfig, logger: logging.Logger | None = None,
            **kwargs: Any):
        self.logger = logger or logging.getLogger("minisweagent.environment")
        self.box: Box | None = None
        self.directory: tempfile.TemporaryDirectory[str] | None = None
        self.config = config_class(**kwargs)
        if not self.config.workspace:
            self.directory = tempfile.TemporaryDirectory(prefix="zs-minisweagent-", ignore_cleanup_errors=True)
        try:
            self.box = Box(self.config.policy(self.directory.name if self.directory else self.config.workspace))
        except BaseException:
            self.cleanup()
            raise
        self.logger.info("Created box %s", self.box.id)

    def execute(self, action: dict[str, Any], cwd: str = "", *, timeout: int | None = None) -> dict[str, Any]:
        """Runs a command in the box. A ZsError means that there is no result."""
        command, seconds = action.get("command", ""), timeout or self.config.timeout
        try:
            _check(command)
        except (OSError, ValueError) as error:
            return _failed("", error)
        result = self._run(command, cwd or self.config.cwd or None, seconds)
        if result.timed_out:
            return _failed(result.stdout, subprocess.TimeoutExpired(command, seconds))
        if result.stdout_truncated:
            return _failed(result.stdout, OSError(errno.EFBIG, "the output is too large, and its end is lost"))
        output = {"output": result.stdout, "returncode": result.status, "exception_info": ""}
        self._check_finished(output)
        return output

    def _run(self, command: str, cwd: str | None, seconds: int) -> BoxResult:
        if self.box is None:
            raise ZsError("zs: the box has been closed")
        # The model reads both outputs as one, in their order.
        words = ["bash", "-c", 'exec "$@" 2>&1', "bash", "bash", "-c", "--", command]
        result = self.box.exec(words, cwd=cwd, env=self.config.env, timeout=seconds)
        # So here stand only the words of those who could not start the command, whose status is not the command's.
        if result.stderr:
            raise ZsError(result.stderr.strip())
        return result

    def _check_finished(self, output: dict[str, Any]) -> None:
        lines = output["output"].lstrip().splitlines(keepends=True)
        if lines and lines[0].strip() == FINISHED and output["returncode"] == 0:
            submission = "".join(lines[1:])
            raise Submitted({"role": "exit", "content": submission,
                "extra": {"exit_status": "Submitted", "submission": submission}})

    def get_template_vars(self, **kwargs: Any) -> dict[str, Any]:
        return recursive_merge(self.config.model_dump(), platform.uname()._asdict(), kwargs)

    def serialize(self) -> dict[str, Any]:
        kind = "%s.%s" % (type(self).__module__, type(self).__name__)
        return {"info": {"config": {"environment": self.config.model_dump(mode="json"), "environment_type": kind}}}

    def cleanup(self) -> None:
        """Ends the box with all its processes."""
        box, self.box = getattr(self, "box", None), None
        directory, self.directory = getattr(self, "directory", None), None
        try:
            if box:
                box.close()
        finally:
            if directory:
                directory.cleanup()

    def __del__(self) -> None:
        self.cleanup()


def _check(command: str) -> None:
    """Raises what starting the command would: the model's mistake, which it is to see, and no failure of zs."""
    words = os.fsencode(command)
    if b"\0" in words:
        raise ValueError("embedded null byte")
    if len(words) > COMMAND_MAX:
        raise OSError(errno.E2BIG, os.strerror(errno.E2BIG), "bash")


def _failed(output: str, error: Exception) -> dict[str, Any]:
    """The observation that mini-swe-agent's environments make of a command without a status."""
    return {"output": output, "returncode": -1,
        "exception_info": "An error occurred while executing the command: %s" % error,
        "extra": {"exception_type": type(error).__name__, "exception": str(error)}}
