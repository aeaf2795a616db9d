"""zs for Inspect (inspect_ai): the sandbox `zs`, in which each sample has a box of its own, and the approver `zs`.

Inspect finds both by the entry point of this package: `Task(…, sandbox="zs")` or `inspect eval … --sandbox zs`. A
ZsConfig, or the `x-zs` part of a compose.yaml, says what a sample may reach beyond the default policy.

It fails closed. Where zs cannot enforce the policy, or a box has ended, no command has a result: the sample ends with
an error, and no score is made of it. It needs Linux.
"""

from __future__ import annotations

import contextlib
import errno
import os
import pwd
import subprocess
import tempfile
from typing import Any, Literal, Union, overload

import anyio
from inspect_ai.approval import Approval, Approver, approver
from inspect_ai.model import ChatMessage
from inspect_ai.tool import ToolCall, ToolCallView
from inspect_ai.util import (ComposeConfig, ExecResult, OutputLimitExceededError, SandboxEnvironment,
    SandboxEnvironmentConfigType, SandboxEnvironmentLimits, SandboxUnavailableError, SandboxUserUnsupportedError,
    is_compose_yaml, parse_compose_yaml, sandbox, sandboxenv)
from inspect_ai.util import subprocess as start
from pydantic import BaseModel, ConfigDict, Field

from . import Box, BoxLost, Policy, Vetter, ZsError

CANNOT_EXECUTE = 126  # a box's status for a program that may not be executed

# Parts of a compose service that a box does not need: it lives on without a command of its own, and has no terminal.
IGNORED = ("command", "entrypoint", "init", "stdin_open", "tty", "x_default", "stop_grace_period", "restart")


class ZsConfig(BaseModel):
    """The grants of a sample's box, in the words of zs_sandbox.Policy."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    root: Union[str, None] = None
    root_user: bool = False
    users: bool = False
    """Whether the root has other users, too, as `user` of exec() names them. It needs subordinate ids."""
    user: Union[str, int, None] = None
    """With users: who runs and copies what the sample says nothing else of; None is root."""
    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    exec: tuple[str, ...] = ()
    sockets: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    env: tuple[str, ...] = ()
    setenv: dict[str, str] = Field(default_factory=dict)
    limits: dict[str, Union[str, int]] = Field(default_factory=dict)
    network: Union[Literal["none", "hosts", "full"], None] = None
    settings: bool = False
    """Whether the user's own settings of zs count. They make a result hard to repeat."""

    def policy(self, workspace: str) -> Policy:
        # A sample must not change what the next one finds in the caches of the user.
        return Policy(workspace, caches="private", **self.model_dump(exclude={"user"}))


def config_of(config: SandboxEnvironmentConfigType | None) -> ZsConfig:
    """A compose.yaml that asks for what zs does not do is an error, and no weaker box."""
    if config is None or isinstance(config, ZsConfig):
        return config or ZsConfig()
    if isinstance(config, str) and is_compose_yaml(config):
        config = parse_compose_yaml(config, multiple_services=False)
    if not isinstance(config, ComposeConfig):
        raise ValueError("zs: %r: is no configuration; give a ZsConfig or a compose.yaml" % (config,))
    if len(config.services) != 1:
        raise ValueError("zs: compose: has %d services, and a box is one" % len(config.services))
    (name, service), = config.services.items()
    given = {key: value for key, value in service.model_dump().items() if value is not None and key not in IGNORED}
    fields = dict(given.pop("x-zs", {}))
    limits, variables = dict(fields.pop("limits", {})), dict(fields.pop("setenv", {}))
    if given.get("network_mode") == "none":
        fields.setdefault("network", given.pop("network_mode"))
    if "mem_limit" in given:
        limits["memory"] = given.pop("mem_limit").upper().rstrip("B")
    if "pids_limit" in given:
        limits["processes"] = given.pop("pids_limit")
    environment = given.pop("environment", {})
    if isinstance(environment, list):
        environment = dict(line.partition("=")[::2] for line in environment)
    variables.update({key: value or "" for key, value in environment.items()})
    for field in given:
        raise ValueError("zs: compose: %s: %s: zs does not do this; leave it out, or say it in x-zs (root: a root "
            "directory in place of an image)" % (name, field))
    return ZsConfig(limits=limits, setenv=variables, **fields)


@sandboxenv(name="zs")
class ZsSandboxEnvironment(SandboxEnvironment):
    """One box, with a workspace of its own that is removed with it."""

    def __init__(self, config: ZsConfig):
        super().__init__()
        self.config = config
        self.directory = tempfile.TemporaryDirectory(prefix="zs-inspect-", ignore_cleanup_errors=True)
        self.workspace = self.directory.name
        self.user = config.user if config.users else None
        if config.users:
            # The box's other users may enter the workspace, and the machine's may not enter the folder around it.
            self.workspace += "/workspace"
            os.mkdir(self.workspace)
            os.chmod(self.workspace, 0o755)
        try:
            self.box = Box(config.policy(self.workspace))
            if self.user is not None and (done := self.box.exec(["chown", str(self.user), self.workspace])).status:
                raise ZsError("zs: the workspace cannot be %s's: %s" % (self.user, done.stderr.strip()))
        except BaseException:
            self.directory.cleanup()
            raise

    def close(self) -> None:
        try:
            if self.config.users:
                # Only root of the box can delete what its other users have left.
                with contextlib.suppress(ZsError):
                    self.box.exec(["chown", "-R", "0:0", self.workspace])
            self.box.close()
        finally:
            self.directory.cleanup()

    @classmethod
    async def sample_init(cls, task_name: str, config: SandboxEnvironmentConfigType | None,
            metadata: dict[str, str]) -> dict[str, SandboxEnvironment]:
        return {"default": await anyio.to_thread.run_sync(cls, config_of(config))}

    @classmethod
    async def sample_cleanup(cls, task_name: str, config: SandboxEnvironmentConfigType | None,
            environments: dict[str, SandboxEnvironment], interrupted: bool) -> None:
        with anyio.CancelScope(shield=True):
            for environment in environments.values():
                await anyio.to_thread.run_sync(environment.as_type(cls).close)

    @classmethod
    def config_files(cls) -> list[str]:
        return ["compose.yaml", "compose.yml"]

    @classmethod
    def config_deserialize(cls, config: dict[str, Any]) -> BaseModel:
        return ZsConfig(**config)

    def default_polling_interval(self) -> float:
        return 0.2

    def _check_user(self, user: str | None) -> None:
        if self.config.users:
            return
        own = {"root", "0"} if self.config.root_user else {str(os.geteuid())}
        if not self.config.root_user:
            with contextlib.suppress(KeyError):
                own.add(pwd.getpwuid(os.geteuid()).pw_name)
        if user is not None and user not in own:
            raise SandboxUserUnsupportedError("zs: a box has one user, which is not %r" % user)

    async def exec(self, cmd: list[str], input: str | bytes | None = None, cwd: str | None = None,
            env: dict[str, str] | None = None, user: str | None = None, timeout: int | None = None,
            timeout_retry: bool = True, concurrency: bool = True) -> ExecResult[str]:
        self._check_user(user)
        user = user if user is not None else self.user
        limit = SandboxEnvironmentLimits.MAX_EXEC_OUTPUT_SIZE
        words = self.box.exec_words(cmd, cwd, env, timeout, limit, user if self.config.users else None)
        # Without input the command must not read the eval's own.
        done = await start([self.box.zs, "box", *map(os.fsdecode, words)], text=False, input=input or b"",
            concurrency=concurrency)
        try:
            result = Box.exec_result(subprocess.CompletedProcess(words, done.returncode, done.stdout, done.stderr))
        except BoxLost:
            raise
        except ZsError as error:
            if user is not None and "has no such " in str(error):
                raise SandboxUserUnsupportedError(str(error)) from error
            raise SandboxUnavailableError(str(error)) from error
        if result.timed_out:
            raise TimeoutError("zs: %s: has not ended within %s s" % (cmd[0], timeout))
        if result.stdout_truncated or result.stderr_truncated:
            raise OutputLimitExceededError(SandboxEnvironmentLimits.MAX_EXEC_OUTPUT_SIZE_STR,
                result.stdout if result.stdout_truncated else result.stderr)
        if result.status == CANNOT_EXECUTE and result.stderr.startswith("zs: exec: "):
            raise PermissionError(result.stderr.strip())
        return ExecResult(result.status == 0, result.status, result.stdout, result.stderr)

    async def write_file(self, file: str, contents: str | bytes) -> None:
        data = contents.encode() if isinstance(contents, str) else contents
        await anyio.to_thread.run_sync(lambda: self.box.put(file, data, user=self.user))

    @overload
    async def read_file(self, file: str, text: Literal[True] = True) -> str: ...

    @overload
    async def read_file(self, file: str, text: Literal[False]) -> bytes: ...

    async def read_file(self, file: str, text: bool = True) -> Union[str, bytes]:
        limit = SandboxEnvironmentLimits.MAX_READ_FILE_SIZE
        try:
            data = await anyio.to_thread.run_sync(lambda: self.box.get(file, max_output=limit, user=self.user))
        except OSError as error:
            if error.errno != errno.EFBIG:
                raise
            raise OutputLimitExceededError(SandboxEnvironmentLimits.MAX_READ_FILE_SIZE_STR, None) from error
        return data.decode() if text else data


def _workspace() -> str | None:
    """The folder of the sample's box, which the profile guard compares paths with; None: it has none."""
    with contextlib.suppress(ProcessLookupError, TypeError):
        return sandbox().as_type(ZsSandboxEnvironment).workspace
    return None


@approver(name="zs")
def zs_approver(profile: str = "strict", tools: tuple[str, ...] = ("bash",)) -> Approver:
    """Approves what `zs vet` lets pass, and rejects the rest. Calls of other tools go to the next approver."""
    vetter = Vetter()

    async def approve(message: str, call: ToolCall, view: ToolCallView, history: list[ChatMessage]) -> Approval:
        texts = [text for text in call.arguments.values() if isinstance(text, str)]
        if call.function not in tools:
            return Approval(decision="escalate", explanation="zs vets the commands of %s" % ", ".join(tools))
        # Only the tool knows which of several texts it runs.
        for text in texts:
            decision = await anyio.to_thread.run_sync(vetter.vet, text, profile, _workspace())
            if not decision:
                said = ": ".join(part for part in ("zs", decision.reason, decision.hint) if part)
                return Approval(decision="reject", explanation=said)
        return Approval(decision="approve" if texts else "reject", explanation="zs vet: %s" % profile)

    return approve
