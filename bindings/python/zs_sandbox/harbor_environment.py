"""zs for Harbor: an environment in which each trial has a box of its own, and each separate verifier another one.

Harbor finds it by its import path, `zs_sandbox.harbor_environment:ZsEnvironment`. It needs Python 3.12, as Harbor does.

It fails closed. Where zs cannot enforce the policy, or a box has ended, exec() raises. Harbor goes on after many
errors, to a verifier with a box of its own. So a trial whose box has failed gets no other one, and has no reward. It
needs Linux.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import shlex
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.environments.capabilities import EnvironmentCapabilities, EnvironmentResourceCapabilities
from harbor.environments.definition import COMPOSE_FILE_NAME, DOCKERFILE_NAME
from harbor.environments.options import EnvironmentOptions
from harbor.environments.tar_transfer import extract_dir_from_bytes, pack_dir_to_bytes, tar_pack_succeeded
from harbor.models.task.config import NetworkMode, NetworkPolicy
from harbor.models.trial.config import ResourceMode
from pydantic import ConfigDict, Field

from . import Box, BoxResult, Policy, ZsError

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
ROOT = (None, "root", 0, "0")
TRANSFER_SECONDS = 600
"""The time that a folder has on its way into a box or out of it; the box's own tar packs it."""
CURE = ("zs builds no image: build it elsewhere, unpack it or save it as an OCI image layout, name the image by "
    "docker_image in task.toml, and name its folder in the environment's kwargs, as images: {IMAGE: FOLDER} or as root")

_failed: dict[Any, ZsError] = {}
"""The failure of each trial that has one."""


class ZsOptions(EnvironmentOptions):
    """The environment's kwargs: the roots, and grants of the boxes in the words of zs_sandbox.Policy. An unknown one is
    an error, and no weaker box."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    images: dict[str, str] = Field(default_factory=dict)
    """The root directory or OCI image layout of each docker_image."""
    root: str | None = None
    """The one for every other docker_image."""
    public: Literal["none", "full"] | None = None
    """The network of a task whose network_mode is "public"; None: it is refused."""
    workdir: str = "/"
    """Where commands of a task run that names no workdir. zs does not know the image's."""
    users: bool = False
    """Whether a root has other users beside root. It needs subordinate ids."""
    read: list[str] = Field(default_factory=list)
    write: list[str] = Field(default_factory=list)
    exec: list[str] = Field(default_factory=list)
    sockets: list[str] = Field(default_factory=list)
    env: list[str] = Field(default_factory=list)
    setenv: dict[str, str] = Field(default_factory=dict)
    limits: dict[str, str | int] = Field(default_factory=dict)


class ZsEnvironment(BaseEnvironment):
    """One box. See ZsOptions for the kwargs."""

    options_model = ZsOptions
    options: ZsOptions

    def __init__(self, *args: Any, **kwargs: Any):
        self._box: Box | None = None
        self._stopped = False
        self._made: asyncio.Task[Box] | None = None
        self._directory: tempfile.TemporaryDirectory[str] | None = None
        super().__init__(*args, **kwargs)
        self.workdir = self.task_env_config.workdir or self.options.workdir

    @staticmethod
    def type() -> str:
        return "zs"

    @property
    def capabilities(self) -> EnvironmentCapabilities:
        return EnvironmentCapabilities(disable_internet=True, network_allowlist=True, network_allowlist_hostnames=True,
            network_allowlist_wildcard_hostnames=True, network_allowlist_ipv4_addresses=True,
            network_allowlist_ipv6_addresses=True)

    @classmethod
    def resource_capabilities(cls) -> EnvironmentResourceCapabilities:
        return EnvironmentResourceCapabilities(memory_limit=True)

    def _validate_definition(self) -> None:
        if (self.environment_dir / COMPOSE_FILE_NAME).exists():
            raise ValueError("zs: %s: a box is one service" % (self.environment_dir / COMPOSE_FILE_NAME))
        if self._host_mounts:
            raise ValueError("zs: mounts: zs mounts nothing elsewhere; grant a folder, at its own path, by the kwargs "
                "read and write")
        self._root()

    def _root(self) -> str:
        image = self.task_env_config.docker_image
        if image is None:
            raise ValueError("zs: %s: the task has no docker_image; %s" % (self.environment_dir, CURE))
        root = self.options.images.get(image, self.options.root)
        if root is None:
            raise ValueError("zs: docker_image %r: no folder is known for it; %s" % (image, CURE))
        return root

    def validate_network_policy_support(self, network_policy: NetworkPolicy | None = None) -> None:
        super().validate_network_policy_support(network_policy)
        if (network_policy or self.network_policy).network_mode == NetworkMode.PUBLIC and self.options.public is None:
            raise ValueError("zs: the task's network_mode is 'public', and no box has the machine's network unasked: "
                "write network_mode = 'no-network' or 'allowlist' in task.toml, or decide by the environment's kwarg "
                "public: 'full' (the machine's network) or 'none'")

    def _policy(self, workspace: str) -> Policy:
        network = {NetworkMode.NO_NETWORK: "none", NetworkMode.ALLOWLIST: "hosts",
            NetworkMode.PUBLIC: self.options.public}[self.network_policy.network_mode]
        memory = self._resource_limit_value("memory", auto_mode=ResourceMode.LIMIT)
        sizes = {"memory": memory, "tmp": self._effective_storage_mb}
        limits: dict[str, str | int] = {name: "%dM" % size for name, size in sizes.items() if size}
        grants = self.options.model_dump(include={"read", "write", "exec", "sockets", "env"})
        # A trial must not change what the next one finds in the caches of the user.
        return Policy(workspace, root=self._root(), root_user=True, users=self.options.users, network=network,
            hosts=self.network_policy.allowed_hosts, setenv={"PATH": PATH, "HOME": "/root", **self.options.setenv},
            limits={**limits, **self.options.limits}, caches="private", settings=False, **grants)

    @contextlib.contextmanager
    def _trial(self) -> Iterator[None]:
        """A failure of zs is the trial's last word: its later boxes fail too. After stop() there is none."""
        trial = self.context_id or self
        if trial in _failed:
            raise ZsError("zs: this trial has failed before: %s" % _failed[trial]) from _failed[trial]
        try:
            yield
        except ZsError as error:
            if not self._stopped:
                _failed[trial] = error
            raise

    @property
    def box(self) -> Box:
        if self._box is None:
            raise ZsError("zs: the environment has no box")
        return self._box

    async def start(self, force_build: bool) -> None:
        with self._trial():
            if force_build and (self.environment_dir / DOCKERFILE_NAME).exists():
                raise ZsError("zs: force_build: %s" % CURE)
            self._directory = tempfile.TemporaryDirectory(prefix="zs-harbor-", ignore_cleanup_errors=True)
            self._made = asyncio.create_task(asyncio.to_thread(Box, self._policy(self._directory.name)))
            # When the start is cancelled, stop() still finds the box.
            self._box = await asyncio.shield(self._made)
        for made in (await self.exec("mkdir -p -- " + shlex.quote(self.workdir), cwd="/", user="root"),
                await self.ensure_dirs(self._mount_targets(writable_only=True))):
            if made and made.return_code != 0:
                raise RuntimeError("zs: the root has no place for the trial: %s" % made.stderr)
        await self._upload_environment_dir_after_start()

    async def stop(self, delete: bool) -> None:
        """Ends the box with all its processes; no box is kept."""
        self._stopped = True
        made, self._made, self._box = self._made, None, None
        directory, self._directory = self._directory, None
        try:
            if made:
                await asyncio.wait([made])
                if not made.exception():
                    await asyncio.to_thread(made.result().close)
        finally:
            if directory:
                await asyncio.to_thread(directory.cleanup)

    async def exec(self, command: str, cwd: str | None = None, env: dict[str, str] | None = None,
            timeout_sec: int | None = None, user: str | int | None = None) -> ExecResult:
        """Runs a command in the box. A ZsError means that there is no result."""
        with self._trial():
            other = self._resolve_user(user)
            if other in ROOT:
                other = None
            elif not self.options.users:
                raise ZsError("zs: a box has one user, root, and not %r; the kwarg users gives it others" % other)
            # A folder that is not there is the command's failure, as in a container, and none of zs.
            words = ["bash", "-c", 'cd -- "$0" && exec bash -c -- "$1"', cwd or self.workdir, command]
            result = await self._run(self.box.exec_words(words, env=self._merge_env(env), timeout=timeout_sec or None,
                user=other))
        if result.timed_out:
            raise RuntimeError("Command timed out after %s seconds" % timeout_sec)
        if result.stdout_truncated or result.stderr_truncated:
            self.logger.warning("zs: the output is too large, and its end is lost: %s", command)
        return ExecResult(stdout=result.stdout, stderr=result.stderr, return_code=result.status)

    async def _run(self, words: list[Any]) -> BoxResult:
        try:
            process = await asyncio.create_subprocess_exec(self.box.zs, "box", *words, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except OSError as error:
            if error.errno == errno.E2BIG:
                raise  # the agent's mistake
            raise ZsError("zs: %s" % error) from error
        try:
            stdout, stderr = await process.communicate()
        except asyncio.CancelledError:
            process.kill()  # zs then ends the command
            await process.wait()
            raise
        return Box.exec_result(subprocess.CompletedProcess(words, process.returncode, stdout, stderr))

    async def upload_file(self, source_path: Path | str, target_path: str) -> None:
        source = Path(source_path)
        with self._trial():
            await asyncio.to_thread(self.box.put, target_path, source.read_bytes(), source.stat().st_mode & 0o777)

    async def download_file(self, source_path: str, target_path: Path | str) -> None:
        with self._trial():
            data = await asyncio.to_thread(self.box.get, source_path)
        Path(target_path).parent.mkdir(parents=True, exist_ok=True)
        Path(target_path).write_bytes(data)

    async def upload_dir(self, source_dir: Path | str, target_dir: str) -> None:
        archive, target = _archive(), shlex.quote(target_dir)
        with self._trial():
            data = await asyncio.to_thread(pack_dir_to_bytes, source_dir, include_root=False)
            await asyncio.to_thread(self.box.put, archive, data.getvalue())
        unpack = "mkdir -p -- %s && tar -xf %s --no-same-owner -C %s" % (target, archive, target)
        result = await self._transfer("%s; status=$?; rm -f %s; exit $status" % (unpack, archive))
        if result.return_code != 0:
            raise RuntimeError("zs: upload to %s: %s" % (target_dir, result.stderr))

    async def download_dir(self, source_dir: str, target_dir: Path | str) -> None:
        archive = _archive()
        packed = await self._transfer("tar -cf %s -C %s ." % (archive, shlex.quote(source_dir)))
        try:
            if not tar_pack_succeeded(packed.return_code, stderr=packed.stderr, logger=self.logger):
                raise RuntimeError("zs: download of %s: %s" % (source_dir, packed.stderr))
            with self._trial():
                data = await asyncio.to_thread(self.box.get, archive)
        finally:
            await self._transfer("rm -f " + archive)
        await asyncio.to_thread(extract_dir_from_bytes, data, target_dir)

    async def _transfer(self, command: str) -> ExecResult:
        return await self.exec(command, cwd="/", timeout_sec=TRANSFER_SECONDS, user="root")


def _archive() -> str:
    return "/tmp/.zs-%s.tar" % uuid.uuid4().hex
