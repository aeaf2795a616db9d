"""Vets the shell commands of AI agents, and confines those that run: zs for Python.

    from zs_sandbox import Policy, Sandbox, vet

    sandbox = Sandbox(Policy("/home/ada/tally", hosts=["example.org"]))
    sandbox.run(["make", "test"], check=True)
    sandbox.run("make test 2>&1 | tail", vet="strict", capture_output=True)
    vet("cd src && make").reason

It starts the program `zs`: the given one, else that of ZS_PROGRAM, else the one that the same wheel brought, else that
in PATH. It must lie where no confined command can write. Every error is an exception, and then nothing has run.
"""

from __future__ import annotations

import csv
import dataclasses
import errno
import glob
import itertools
import json
import os
import selectors
import shutil
import subprocess
import tempfile
import threading
import time
import warnings
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

__all__ = ["Blocked", "Box", "BoxLost", "BoxResult", "Decision", "Denial", "Policy", "Sandbox", "Vetter", "ZsError",
    "vet"]

CANNOT_ENFORCE = 125
"""A confined command's status when it did not run: the policy could not be enforced any more."""

UNPROTECTED = 122
"""A confined command's status when it was ended, since a program outside replaced a protected file."""

PROTOCOL = 1
ANSWER_MAX = 16 * 1024 * 1024
SECONDS_TO_CHECK = 60.0

Word = Union[str, bytes, "os.PathLike[Any]"]
Environment = Mapping[Any, Any]


class ZsError(Exception):
    """zs is missing, has another version, refuses the policy, or does not answer. Nothing has run."""


class Blocked(ZsError):
    """A text was vetted and is not to run; `decision` says why."""

    def __init__(self, decision: Decision):
        super().__init__("blocked (%s): %s" % (decision.code, decision.reason))
        self.decision = decision


@dataclasses.dataclass(frozen=True)
class Decision:
    """The first wall's answer to a text. It is true if the text may run."""

    allowed: bool
    code: Optional[str]
    reason: str
    hint: str
    risks: Tuple[str, ...]
    span: Optional[Tuple[int, int]]
    """The place, in bytes of the text's UTF-8."""

    def __bool__(self) -> bool:
        return self.allowed


@dataclasses.dataclass(frozen=True)
class Denial:
    """One access that zs refused; docs/refused.md tells which it sees."""

    kind: str
    """Such as "write", "exec", "connect", "system call"."""
    named: str
    path: str
    """As it resolves outside."""
    process: str
    pid: int
    errno: int
    cause: str
    exists: bool
    """Outside."""
    times: int
    decisive: bool
    """Among the last ones of a run that failed."""
    option: Optional[str]
    """The smallest option of `zs run` that grants it, with its value; None: nothing does."""
    value: Optional[str]
    risk: Optional[str]


@dataclasses.dataclass(frozen=True)
class Policy:
    """The files, hosts and variables that a command may reach. The fields are the options of `zs run`. They add to
    the default policy and the settings of user and workspace; `json` replaces both."""

    workspace: Optional[Word] = None
    """The folder that commands may write; None: this directory. Not with json, which names it."""
    json: Any = None
    """A whole policy, as `zs run --print-policy` prints one."""
    root: Optional[Word] = None
    """A folder that commands see as "/", under a layer of their own."""
    root_user: bool = False
    """They are root in there."""
    users: bool = False
    """The same, with other users beside root, whom Box.exec() takes. It needs subordinate ids."""
    git_base: Optional[str] = None
    """A commit: they see the workspace's repository as one that ends there."""
    read: Sequence[Word] = ()
    write: Sequence[Word] = ()
    exec: Sequence[Word] = ()
    protect: Sequence[Word] = ()
    hide: Sequence[Word] = ()
    sockets: Sequence[Word] = ()
    hosts: Sequence[str] = ()
    env: Sequence[str] = ()
    """Names that pass; NAME* for a prefix."""
    setenv: Mapping[str, str] = dataclasses.field(default_factory=dict)
    limits: Mapping[str, Union[str, int]] = dataclasses.field(default_factory=dict)
    """Such as {"wall": "30s", "memory": "512M"}."""
    without: Sequence[str] = ()
    network: Optional[str] = None
    git: Optional[str] = None
    tmp: Optional[str] = None
    caches: Optional[str] = None
    verify: bool = False
    """Changes to the workspace are thrown away."""
    settings: bool = True

    def options(self) -> List[str]:
        """Returns the options of `zs run`."""
        options = ["--policy=-"] if self.json is not None else []
        for name, value in (("workspace", self.workspace), ("root", self.root),
                ("git-base", self.git_base), ("net", self.network), ("git", self.git), ("tmp", self.tmp),
                ("caches", self.caches)):
            if value is not None:
                options.append("--%s=%s" % (name, os.fsdecode(value)))
        for name, values in (("ro", self.read), ("rw", self.write), ("exec", self.exec), ("protect", self.protect),
                ("hide", self.hide), ("socket", self.sockets), ("host", self.hosts), ("env", self.env),
                ("without", self.without)):
            if isinstance(values, (str, bytes)):
                raise TypeError("Policy: --%s takes a list, not one string" % name)
            options += ["--%s=%s" % (name, os.fsdecode(value)) for value in values]
        for name, pairs in (("setenv", self.setenv), ("limit", self.limits)):
            options += ["--%s=%s=%s" % (name, key, value) for key, value in pairs.items()]
        options += ["--root-user"] * self.root_user + ["--users"] * self.users
        return options + ["--verify"] * self.verify + ["--no-settings"] * (not self.settings)


def _packed_zs() -> Optional[str]:
    """Returns the path of the zs that the same wheel brought. pip writes into RECORD where it has put that program."""
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for record in glob.glob(os.path.join(glob.escape(folder), "zs_sandbox-*.dist-info", "RECORD")):
        with open(record, encoding="utf-8", newline="") as lines:
            for name, *_ in csv.reader(lines):
                path = os.path.normpath(os.path.join(folder, name))
                if os.path.basename(name) == "zs" and os.access(path, os.X_OK):
                    return path
    return None


def find_zs(zs: Optional[Word] = None) -> str:
    """Returns the absolute path of zs."""
    wanted = os.fsdecode(zs if zs is not None else os.environ.get("ZS_PROGRAM") or _packed_zs() or "zs")
    # An entry that is not absolute leads to the working directory, where a command may have put a zs. So does "".
    folders = [folder for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(folder)]
    found = shutil.which(wanted, path=os.pathsep.join(folders)) if folders or os.path.dirname(wanted) else None
    if not found:
        raise ZsError("%s: no such program; install zs, or name it by ZS_PROGRAM" % wanted)
    return os.path.abspath(found)


# Variables that zs must not get: loaders obey the first two before zs begins; zs refuses a second policy.
_NOT_FOR_ZS = ("LD_", "DYLD_", "ZS_SANDBOX_")


class Sandbox:
    """A policy that this machine can enforce, for any number of commands and threads.

    The files and variables at the time of the call decide what may be reached.
    """

    def __init__(self, policy: Optional[Policy] = None, *, zs: Optional[Word] = None):
        policy = policy if policy is not None else Policy()
        self.zs = find_zs(zs)
        given = policy.json if isinstance(policy.json, str) else json.dumps(policy.json)
        argv = [self.zs, "run", *policy.options(), "--print-sandbox"]
        try:
            done = subprocess.run(argv, input=given.encode() if policy.json is not None else b"",
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS_TO_CHECK)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ZsError("zs: %s" % error) from error
        said = done.stderr.decode("utf-8", "replace").strip()
        if done.returncode != 0:
            raise ZsError(said or "zs: ended with %d" % done.returncode)
        if said:
            warnings.warn(said, stacklevel=2)
        self._argv, self._env, self.workspace = _read_sandbox(done.stdout)
        self._vetter = Vetter(zs=self.zs)

    def wrap(self, argv: Sequence[Word], env: Optional[Environment] = None) -> Tuple[List[Word], Dict[Any, Any]]:
        """Takes the argument list and environment of a command, and returns those that start it confined, for any
        call that takes both as a whole. env: None is this process's own."""
        if isinstance(argv, (str, bytes)) or not argv:
            raise TypeError("wrap: a command is a list of words; for a shell's text write ['bash', '-c', text]")
        kept = {name: value for name, value in (os.environ if env is None else env).items()
            if not os.fsdecode(name).startswith(_NOT_FOR_ZS)}
        return [self.zs, *self._argv, *argv], {**kept, **self._env}

    def run(self, args: Union[str, Sequence[Word]], *, vet: Optional[str] = None,
            denials: Optional[List[Denial]] = None, **options: Any) -> subprocess.CompletedProcess[Any]:
        """subprocess.run(), confined. args: words, or a text for bash. vet: the profile to vet the text by first.
        denials: a list that gets what zs refused. It tells what exists outside, so it is not for the command."""
        argv, options = self._prepare("run", args, vet, options)
        if denials is None:
            done = subprocess.run(argv, **options)
        else:
            done = self._run_collected(argv, denials, options)
        done.args = args
        return done

    def _run_collected(self, argv: List[Word], denials: List[Denial],
            options: Dict[str, Any]) -> subprocess.CompletedProcess[Any]:
        with tempfile.TemporaryFile() as records:
            argv.insert(2, "--denials=fd:%d" % records.fileno())
            done = subprocess.run(argv, **{**options, "pass_fds": (records.fileno(),)})
            records.seek(0)
            denials += _read_denials(records.read())
        return done

    def Popen(self, args: Union[str, Sequence[Word]], *, vet: Optional[str] = None,
            **options: Any) -> subprocess.Popen[Any]:
        """The same for subprocess.Popen(). Killing the process ends every process that the command has started."""
        argv, options = self._prepare("Popen", args, vet, options)
        return subprocess.Popen(argv, **options)

    def _prepare(self, name: str, args: Union[str, Sequence[Word]], profile: Optional[str],
            options: Dict[str, Any]) -> Tuple[List[Word], Dict[str, Any]]:
        if options.pop("shell", False):
            raise TypeError("%s: shell: there is none outside; give the text alone, for bash inside" % name)
        for option in ("executable", "pass_fds"):
            if options.get(option):
                raise TypeError("%s: %s: cannot be had confined" % (name, option))
        if isinstance(args, str):
            if profile is not None:
                decision = self._vetter.vet(args, profile, options.get("cwd") or self.workspace)
                if not decision:
                    raise Blocked(decision)
            args = ["bash", "--norc", "-c", "--", args]
        elif profile is not None:
            raise TypeError("%s: vet: is for a text; a list of words is no bash" % name)
        argv, env = self.wrap(args, options.get("env"))
        cwd = options.get("cwd")
        return argv, {**options, "env": env, "cwd": self.workspace if cwd is None else cwd}


def _read_denials(printed: bytes) -> List[Denial]:
    """Without a last line zs was killed, and the list lacks records."""
    lines = [json.loads(line) for line in printed.splitlines(keepends=True) if line.endswith(b"\n")]
    if not lines or lines[-1]["event"] != "end":
        warnings.warn("zs: the list of denials has no end", stacklevel=4)
    names = [field.name for field in dataclasses.fields(Denial)]
    return [Denial(**{name: line[name] for name in names}) for line in lines
        if line["event"] == "denied"]


def _read_sandbox(printed: bytes) -> Tuple[List[str], Dict[str, str], Optional[str]]:
    try:
        answer = json.loads(printed)
        argv, env = answer["argv"], answer["env"]
        workspace = json.loads(env["ZS_SANDBOX_POLICY"]).get("workspace", {}).get("root")
        fits = (answer["protocol"] == PROTOCOL and argv == ["shim", "--"]
            and (workspace is None or isinstance(workspace, str))
            and all(isinstance(value, str) for value in env.values()))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ZsError("zs: its answer cannot be understood; is it another version?") from error
    if not fits:
        raise ZsError("zs: speaks another protocol than %d; install the zs that goes with this package" % PROTOCOL)
    return argv, env, workspace


class BoxLost(ZsError):
    """The box has ended before the command did, or somebody inside has killed the process of zs that served it. The
    command has run, and has no status."""

    ended: str = "killed"
    """Why: "closed", "owner" (its owner has ended), "limit", or "killed" (a process of zs)."""
    limits: Tuple[str, ...] = ()
    """The limits that it has met."""


@dataclasses.dataclass(frozen=True)
class BoxResult:
    """How a command of a box has ended."""

    status: Optional[int]
    """None: it was timed out."""
    signal: Optional[int]
    timed_out: bool
    stdout: str
    stderr: str
    stdout_truncated: bool
    stderr_truncated: bool
    policy: Optional[str] = None
    """The SHA-256 of the box's policy as JSON; None: it is not known."""
    image: Optional[str] = None
    """The digest of the box's image."""
    denials: Optional[Tuple[Denial, ...]] = None
    """Its refused accesses; None: they are not known. They tell what exists outside."""
    denials_others: int = 0
    """So many more."""
    denials_blind: bool = True
    """Only hosts and limits were looked at."""
    ended: str = "exit"
    """How: "exit", "signal" or "timeout"."""
    limits: Tuple[str, ...] = ()
    """Limits that it may have met: "tmp", where it has failed while /tmp or the layer of the root was full."""
    enforced: Optional[Any] = None
    """The tier, and in each_process the limits that bound each process, not the box."""


class Box:
    """A place that lives on between commands: /tmp, processes and network stay until it is closed, or until this
    process ends. Every failure of zs is an exception, and so never a command's status. Any thread may use it.

    snapshot: a name that save() got; the box begins with what it has kept, and has its root directory.
    token: cut() takes the policy's hosts until give_back(), not for good; this object keeps the token."""

    def __init__(self, policy: Optional[Policy] = None, *, zs: Optional[Word] = None, snapshot: Optional[str] = None,
            token: bool = False):
        policy = policy if policy is not None else Policy()
        self.zs = find_zs(zs)
        given = b"" if policy.json is None else (
            policy.json if isinstance(policy.json, str) else json.dumps(policy.json)).encode()
        begin = ["--token"] * token + ([] if snapshot is None else ["--from=" + snapshot])
        done = self._call(["create", "--owner=%d" % os.getpid(), *begin, *policy.options()], given)
        if done.returncode != 0:
            raise _box_error(done)
        self.id, *tokens = done.stdout.decode().split()
        self._token = tokens[0] if token else None

    def exec(self, argv: Sequence[Word], *, cwd: Optional[Word] = None, env: Optional[Mapping[str, str]] = None,
            timeout: Optional[int] = None, input: bytes = b"", max_output: Optional[int] = None,
            user: Union[str, int, None] = None) -> BoxResult:
        """Runs a command. cwd: None is the workspace. env: variables besides the box's. timeout: whole seconds.
        max_output: bytes of each output that are kept, 10 MiB by default. user: "user" or "user:group", names or
        numbers of the box, whose policy has `users`."""
        return self.exec_result(self._call(self.exec_words(argv, cwd, env, timeout, max_output, user), input))

    def exec_words(self, argv: Sequence[Word], cwd: Optional[Word] = None, env: Optional[Mapping[str, str]] = None,
            timeout: Optional[int] = None, max_output: Optional[int] = None,
            user: Union[str, int, None] = None) -> List[Word]:
        """The words behind `zs box`, for a caller that starts programs itself; exec_result() reads what came of it."""
        if isinstance(argv, (str, bytes)) or not argv:
            raise TypeError("exec: a command is a list of words; for a shell's text write ['bash', '-c', text]")
        options = ["--json"] + ["--variable=%s=%s" % pair for pair in (env or {}).items()]
        for name, value in (("cwd", cwd), ("timeout", timeout), ("max-output", max_output), ("user", user)):
            if value is not None:
                options.append("--%s=%s" % (name, os.fsdecode(value) if name == "cwd" else value))
        return ["exec", self.id, *options, "--", *argv]

    @staticmethod
    def exec_result(done: subprocess.CompletedProcess[bytes]) -> BoxResult:
        """See exec()."""
        try:
            line = json.loads(done.stdout)
            failure, message = line.pop("failure"), line.pop("message")
            if line["denials"] is not None:
                line["denials"] = tuple(Denial(**denial) for denial in line["denials"])
            line["limits"] = tuple(line["limits"])
            result = BoxResult(**line)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise _box_error(done) from error
        if failure is not None or (result.status is None) != result.timed_out:
            # Why the command could not be started stands where its own errors would.
            said = result.stderr.strip() if failure == "not-run" else ""
            error = (BoxLost if failure == "lost" else ZsError)("%s: %s" % (message, said) if said else message)
            if isinstance(error, BoxLost):
                error.ended, error.limits = result.ended, result.limits
            raise error
        return result

    def put(self, path: Word, data: bytes, mode: int = 0o644, *, user: Union[str, int, None] = None) -> None:
        """Writes a file, and makes the folders above it. OSError: the box's files do not allow it. user: as for
        exec()."""
        options = ["--mode=%o" % mode] + ([] if user is None else ["--user=%s" % user])
        self._copy(["put", *options, self.id, "-", path], data)

    def get(self, path: Word, *, max_output: Optional[int] = None, user: Union[str, int, None] = None) -> bytes:
        """Reads a file. OSError: there is none, it cannot be read, or has more than max_output bytes (1 GiB). user: as
        for exec()."""
        options = [] if max_output is None else ["--max-output=%d" % max_output]
        options += [] if user is None else ["--user=%s" % user]
        return self._copy(["get", *options, self.id, path, "-"], b"")

    def save(self, name: str) -> None:
        """Keeps the box's /tmp and, if it has one, its root directory as a snapshot of this name."""
        self._checked(["save", self.id, name])

    def policy(self) -> Any:
        """The box's policy, which Policy's json takes."""
        return json.loads(self._checked(["policy", self.id]).stdout)

    def cut(self) -> None:
        """Ends all connections that leave the box, for good; if it has a token, until give_back()."""
        self._checked(["policy", self.id, "--net=none"])

    def give_back(self) -> None:
        """Gives the box the hosts back that cut() has taken."""
        done = self._call(["policy", self.id, "--net=hosts"], (self._token or "").encode() + b"\n")
        if done.returncode != 0:
            raise _box_error(done)

    def close(self) -> None:
        """Ends the box with all its processes. It may have ended already."""
        self._checked(["close", self.id], (0, 1))

    @staticmethod
    def list(zs: Optional[Word] = None) -> List[Dict[str, Any]]:
        """The boxes of this user, each with its id, workspace, seconds and processes (-1: /proc hides them)."""
        done = _call_box(find_zs(zs), ["list", "--json"])
        if done.returncode != 0:
            raise _box_error(done)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def __enter__(self) -> Box:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _call(self, words: Sequence[Word], data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return _call_box(self.zs, words, data)

    def _checked(self, words: Sequence[Word], good: Sequence[int] = (0,)) -> subprocess.CompletedProcess[bytes]:
        done = self._call(words)
        if done.returncode not in good:
            raise _box_error(done)
        return done

    def _copy(self, words: Sequence[Word], data: bytes) -> bytes:
        done = self._call(words, data)
        if done.returncode == 1:
            raise _file_error(done.stderr.decode("utf-8", "replace").strip())
        if done.returncode != 0:
            raise _box_error(done)
        return done.stdout


def _call_box(zs: str, words: Sequence[Word], data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run([zs, "box", *words], input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as error:
        raise ZsError("zs: %s" % error) from error


def _box_error(done: subprocess.CompletedProcess[bytes]) -> ZsError:
    return ZsError(done.stderr.decode("utf-8", "replace").strip() or "zs box: ended with %d" % done.returncode)


_FILE_ERRORS = {
    "no such file or directory": errno.ENOENT, "not a directory": errno.ENOTDIR, "is a directory": errno.EISDIR,
    "permission denied": errno.EACCES, "operation not permitted": errno.EPERM, "read-only file system": errno.EROFS,
    "no space left on device": errno.ENOSPC, "file exists": errno.EEXIST,
}


def _file_error(text: str) -> OSError:
    """With the errno that the text names, so that it is a FileNotFoundError, and so on."""
    text = text.rsplit("zs: ", 1)[-1]
    name, _, cause = text.rpartition(": ")
    number = errno.EFBIG if cause.startswith("is larger than ") else _FILE_ERRORS.get(cause)
    return OSError(number, cause, name.split(": ", 1)[-1]) if number else OSError(text)


class _Ended(Exception):
    pass


class Vetter:
    """Vets texts in one process of `zs vet --batch`, which is started when it is needed, and again when it has died.
    Any thread may use it."""

    def __init__(self, *, zs: Optional[Word] = None, timeout: float = 10.0):
        self.zs = find_zs(zs)
        self.timeout = timeout
        self._ids = itertools.count(1)
        self._lock = threading.Lock()
        self._process: Optional[subprocess.Popen[bytes]] = None
        self._owner = 0

    def vet(self, text: str, profile: str = "strict", cwd: Optional[Word] = None) -> Decision:
        """A text that cannot be decided gives a decision that is false, or raises a ZsError, and no other exception.
        cwd: where it would run, which is also its workspace; None: this directory. The profile guard asks."""
        if not isinstance(text, str):
            raise TypeError("vet: a text is a str")
        with self._lock:
            number = next(self._ids)
            place = os.path.abspath(os.fsdecode(os.getcwd() if cwd is None else cwd))
            line = json.dumps({"id": number, "cmd": text, "profile": profile, "cwd": place}).encode() + b"\n"
            try:
                try:
                    answer = self._exchange(line)
                except _Ended:
                    self._stop()
                    answer = self._exchange(line)
                return _read_answer(answer, number)
            except _Ended as error:
                self._stop()
                raise ZsError("zs vet --batch: ended without an answer; is it another version?") from error
            except BaseException:
                self._stop()  # its later output must not be taken for the next answer
                raise

    def close(self) -> None:
        with self._lock:
            self._stop()

    def __enter__(self) -> Vetter:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        self._stop()

    def _start(self) -> subprocess.Popen[bytes]:
        # A forked process shares the pipes with its parent, so it makes new ones.
        if self._process and self._owner != os.getpid():
            self._close_pipes(self._process)
            self._process.returncode = 0  # the server is not a child of this process
            self._process = None
        if not self._process:
            try:
                self._process = subprocess.Popen([self.zs, "vet", "--batch"], stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0, cwd="/")
            except OSError as error:
                raise ZsError("zs: %s" % error) from error
            self._owner = os.getpid()
            for stream in (self._process.stdin, self._process.stdout):
                os.set_blocking(stream.fileno(), False)  # type: ignore[union-attr]
        return self._process

    def _exchange(self, line: bytes) -> bytes:
        """Writes one line, and reads one."""
        process = self._start()
        assert process.stdin and process.stdout
        answer, end = b"", time.monotonic() + self.timeout
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            selector.register(process.stdin, selectors.EVENT_WRITE)
            while not answer.endswith(b"\n"):
                ready = selector.select(end - time.monotonic()) if time.monotonic() < end else []
                if not ready:
                    raise ZsError("zs vet --batch: no answer within %g seconds" % self.timeout)
                try:
                    for key, _ in ready:
                        if key.fileobj is process.stdin:
                            line = line[os.write(key.fd, line):]
                        else:
                            answer += self._read(key.fd)
                except (BrokenPipeError, ConnectionResetError) as error:
                    raise _Ended from error
                if not line and process.stdin in selector.get_map():
                    selector.unregister(process.stdin)
                if len(answer) > ANSWER_MAX:
                    raise ZsError("zs vet --batch: an answer of more than %d bytes" % ANSWER_MAX)
        if line:
            _read_answer(answer, 0)  # zs answered before it had the whole line: raises its error
        return answer

    @staticmethod
    def _read(fd: int) -> bytes:
        data = os.read(fd, 65536)
        if not data:
            raise _Ended
        return data

    @staticmethod
    def _close_pipes(process: subprocess.Popen[bytes]) -> None:
        for stream in (process.stdin, process.stdout):
            if stream:
                stream.close()

    def _stop(self) -> None:
        process, self._process = getattr(self, "_process", None), None
        if process:
            self._close_pipes(process)
            if self._owner == os.getpid():
                process.kill()
                process.wait()


def _read_answer(line: bytes, number: int) -> Decision:
    try:
        answer = json.loads(line)
        verdict, code, span = answer["verdict"], answer["code"], answer["span"]
        reason, hint, risks = answer["reason"], answer["hint"], answer["risks"]
        span = None if span is None else (int(span["start"]), int(span["end"]))
        fits = (type(answer["id"]) is int and answer["id"] == number and isinstance(reason, str)
            and isinstance(hint, str) and all(isinstance(risk, str) for risk in risks)
            and ((verdict == "allow" and code is None) or (verdict in ("block", "ask") and isinstance(code, str))))
    except (ValueError, KeyError, TypeError) as error:
        raise ZsError("zs vet --batch: its answer cannot be understood; is it another version?") from error
    if code == "bad_input":
        raise ZsError("zs vet --batch: %s" % reason)
    if not fits:
        raise ZsError("zs vet --batch: an answer to something else; is it another version?")
    return Decision(verdict == "allow", code, reason, hint, tuple(risks), span)


_lock = threading.Lock()
_vetter: Optional[Vetter] = None


def vet(text: str, profile: str = "strict", cwd: Optional[Word] = None) -> Decision:
    """May this text run? One process answers all callers. cwd: as for Vetter.vet()."""
    global _vetter
    with _lock:
        if _vetter is None:
            _vetter = Vetter()
    return _vetter.vet(text, profile, cwd)
