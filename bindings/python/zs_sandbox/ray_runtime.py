"""zs for Ray: ZsRuntime, a ray.experimental.sandbox.SandboxRuntime whose sandboxes are boxes.

    runtime = ZsRuntime(hosts=["pypi.org"])
    sandbox = runtime.create("/")               # "/": this machine's own root; else a root directory, or an OCI layout
    runtime.exec(sandbox, "make test", timeout=60).exit_code
    runtime.delete(sandbox)

Ray's runtime makes its own backend, gVisor, and so do Ray's actor Sandbox and its service. So a task or an actor of
yours makes this runtime, where it would make a SandboxRuntime. Ray calls the interface alpha; this follows 2.60.

It fails closed. Where zs cannot enforce the policy, or a box has ended, exec() raises a ZsError: no command has a
result that it did not give itself. A box ends with the worker that made it. It needs Linux.
"""

from __future__ import annotations

import dataclasses
import math
import tempfile
import time
from typing import Any, Dict, List, Optional, Tuple, Union

from ray.experimental.sandbox import (BaseSandboxBackend, ExecResult, SandboxCreationError, SandboxError,
    SandboxExecError, SandboxNotFoundError, SandboxRuntime, SandboxStatus, SandboxTimeoutError)
from ray.experimental.sandbox.config import SandboxConfig, parse_memory_bytes

from . import Box, Policy

HOST = "/"
NO_PROGRAM = 127

# The others ask for what a box does not do: with any value but their default, no box is made. rootless and
# timeout_seconds are about gVisor's start; the runtime itself keeps ttl_seconds.
TAKEN = {"image", "memory", "env", "workdir", "shell", "readonly", "rootless", "timeout_seconds", "ttl_seconds"}


def _check(config: SandboxConfig) -> None:
    for field in dataclasses.fields(config):
        if field.name not in TAKEN and getattr(config, field.name) not in (field.default, None):
            raise SandboxCreationError("zs: %s: zs does not do this; leave it out, or name it in ZsRuntime() in the "
                "words of zs_sandbox.Policy" % field.name)
    if config.readonly != (config.image == HOST):
        raise SandboxCreationError("zs: readonly: this machine's root can only be read, and another root can always be "
            "written, in a layer of the box's own")
    if config.workdir and config.image == HOST:
        raise SandboxCreationError("zs: workdir: commands start in the box's workspace, the one folder that they can "
            "write")


class ZsBackend(BaseSandboxBackend):
    """Boxes, each with a workspace of its own that is removed with it."""

    def __init__(self, grants: Dict[str, Any]):
        super().__init__(self)  # it is its own manager of images: zs fetches none
        # A task must not change what the next one finds in the user's caches; its settings make it hard to repeat.
        self._grants = {"caches": "private", "settings": False, **grants}
        self._policy(None).options()
        self._boxes: Dict[str, Tuple[Box, tempfile.TemporaryDirectory[str], SandboxConfig]] = {}

    def _policy(self, workspace: Optional[str], root: Optional[str] = None, **fields: Any) -> Policy:
        return Policy(workspace, json=None, root=root, **{**self._grants, **fields})

    def pull_image(self, image: str, timeout_seconds: float = 0, instance_id: Optional[str] = None) -> str:
        if not image.startswith("/"):
            raise SandboxCreationError("zs: image: %s: zs fetches no image; name the folder of a root directory or of "
                "an OCI layout, or / for this machine's own root" % image)
        return image

    def create_sandbox(self, config: SandboxConfig) -> str:
        _check(config)
        variables, limits = {**self._grants.get("setenv", {}), **config.env}, dict(self._grants.get("limits", {}))
        if parse_memory_bytes(config.memory):
            limits["memory"] = parse_memory_bytes(config.memory)
        root = None if config.image == HOST else config.image
        directory = tempfile.TemporaryDirectory(prefix="zs-ray-", ignore_cleanup_errors=True)
        try:
            box = Box(self._policy(directory.name, root, setenv=variables, limits=limits))
        except BaseException:
            directory.cleanup()
            raise
        self._boxes[box.id] = box, directory, config
        return box.id

    def _box(self, sandbox_id: str) -> Tuple[Box, SandboxConfig]:
        if sandbox_id not in self._boxes:
            raise SandboxNotFoundError("zs: %s: no such box, or it was deleted" % sandbox_id)
        return self._boxes[sandbox_id][0], self._boxes[sandbox_id][2]

    def delete_sandbox(self, sandbox_id: str) -> None:
        box, directory, _ = self._boxes.pop(sandbox_id, (None, None, None))
        if box and directory:
            try:
                box.close()
            finally:
                directory.cleanup()

    def exec_command(self, sandbox_id: str, command: Union[str, List[str]], timeout: Optional[float] = None,
            cwd: Optional[str] = None, env: Optional[Dict[str, str]] = None, shell: Optional[str] = None,
            user: Optional[str] = None) -> ExecResult:
        """timeout: counts in whole seconds. A ZsError means that there is no result."""
        box, config = self._box(sandbox_id)
        if user is not None:
            raise SandboxExecError("zs: user: a box has one user, and no other")
        words = [shell or config.shell, "-c", "--", command] if isinstance(command, str) else command
        seconds = None if timeout is None else max(1, math.ceil(timeout))
        began = time.monotonic()
        done = box.exec(words, cwd=cwd or config.workdir, env=env, timeout=seconds)
        if done.timed_out:
            raise SandboxTimeoutError("zs: the command has not ended within %s s" % seconds)
        # A sandbox without a shell would score 0 in each task.
        if isinstance(command, str) and done.status == NO_PROGRAM and done.stderr.startswith("zs: exec: "):
            raise SandboxExecError(done.stderr.strip())
        if done.stdout_truncated or done.stderr_truncated:
            raise SandboxExecError("zs: the output is too large, and its end is lost")
        assert done.status is not None
        return ExecResult(done.status, done.stdout, done.stderr, time.monotonic() - began)

    def write_file(self, sandbox_id: str, path: str, content: Union[str, bytes], append: bool = False) -> None:
        if append:
            raise SandboxError("zs: append: zs writes whole files")
        try:
            self._box(sandbox_id)[0].put(path, content.encode() if isinstance(content, str) else content)
        except OSError as error:
            raise SandboxError("zs: %s" % error) from error

    def read_file(self, sandbox_id: str, path: str) -> bytes:
        try:
            return self._box(sandbox_id)[0].get(path)
        except OSError as error:
            raise SandboxError("zs: %s" % error) from error

    def get_status(self, sandbox_id: str) -> SandboxStatus:
        box = self._boxes[sandbox_id][0] if sandbox_id in self._boxes else None
        stands = box is not None and box._call(["policy", box.id], b"").returncode == 0
        return SandboxStatus.RUNNING if stands else SandboxStatus.TERMINATED


class ZsRuntime(SandboxRuntime):
    """grants: fields of zs_sandbox.Policy that each box has, such as hosts and limits."""

    def __init__(self, **grants: Any):
        super().__init__()
        self._backend = self._image_manager = ZsBackend(grants)
