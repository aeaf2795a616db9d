"""The base of every end-to-end test of zs.

A test is a function that takes a Box: a HOME of its own with secrets in it, a workspace, a folder outside of it, and a
user. If root runs the tests, each runs twice: as root and as an ordinary user. tests/run.py runs all files; this one
runs a single file:

    @test(needs=["bash"])
    def reads_no_key(box):
        box.denied(f"cat {box.home}/.ssh/id_ed25519")

    python3 tests/e2e/harness.py tests/e2e/test_run.py --zs=zig-out/bin/zs [NAME...]

A denial counts only with its control: the same attack without zs must succeed.
"""

import argparse
import atexit
import contextlib
import ctypes
import difflib
import errno
import functools
import getpass
import importlib
import importlib.util
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
GOLDEN = os.path.join(HERE, "golden")
REPOSITORY = os.path.dirname(os.path.dirname(HERE))
NOBODY = 65534
TIMEOUT = 60
# By what factor a machine is slower than those that the tests' times are for: an emulated one sets it (tests/vm).
SLOWNESS = int(os.environ.get("ZS_TEST_SLOWNESS", "1"))
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# Folders that the default policy grants to everyone: nothing in them is outside.
GRANTED = ("/tmp", "/var/tmp", "/dev/shm")


class Failure(Exception):
    pass


def expect(holds, *why):
    """Fails the test with the reason, unless the condition holds."""
    if not holds:
        raise Failure(": ".join(map(str, why)))


def expect_fields(have, want):
    """Expects that have has all fields of want."""
    for key, value in want.items():
        expect(have.get(key, "missing") == value, "%s is %r, not %r" % (key, have.get(key, "missing"), value), have)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


# ---------------------------------------------------------------------------------------------- who and where


class User:
    """The user to run as. uid is None for the user who runs the tests."""

    def __init__(self, name, uid=None):
        self.name = name
        self.uid = uid
        self.is_root = uid is None and os.geteuid() == 0

    def spawn_options(self):
        return {} if self.uid is None else {"user": self.uid, "group": self.uid, "extra_groups": []}


@functools.cache
def users():
    if os.geteuid() == 0:
        return [User("root"), User("user", NOBODY)]
    return [User("user")]


def scratch_root():
    """Makes a folder that every user can reach, and that no grant of the default policy covers."""
    if os.environ.get("ZS_TEST_SCRATCH"):
        parents = [os.environ["ZS_TEST_SCRATCH"]]
    elif os.geteuid() == 0:
        parents = ["/srv", "/var/lib", "/"]
    else:
        parents = [os.path.join(REPOSITORY, ".zig-cache"), os.path.expanduser("~/.cache"), "/srv", "/opt"]
    for parent in parents:
        real = os.path.realpath(parent)
        if any(real == granted or real.startswith(granted + "/") for granted in GRANTED):
            continue
        if os.path.isdir(real) and os.access(real, os.W_OK):
            root = tempfile.mkdtemp(prefix="zs-test-", dir=real)
            os.chmod(root, 0o755)
            # No traceback may follow the line of counts, which tests/run.py looks for at the end.
            atexit.register(remove_while_written, root, print)
            return root
    sys.exit("harness: no folder outside of %s can be written; tried %s" % (", ".join(GRANTED), ", ".join(parents)))


def remove_tree(path):
    """Removes a tree whatever modes its folders have. It follows no link."""
    os.chmod(path, 0o700)
    for folder, names, _ in os.walk(path):
        for name in (os.path.join(folder, name) for name in names):
            if not os.path.islink(name):
                os.chmod(name, 0o700)
    shutil.rmtree(path)


def remove_while_written(path, tell):
    """A run whose zs was killed dies a moment later, and may write until then. tell: called with the last error."""
    deadline = time.monotonic() + TIMEOUT
    while True:
        try:
            return remove_tree(path)
        except OSError as error:
            if time.monotonic() >= deadline or error.errno not in (errno.ENOENT, errno.ENOTEMPTY, errno.EACCES):
                return tell(error)
        time.sleep(0.1)


# --------------------------------------------------------------------------------------- what a test may need


def landlock_abi():
    if sys.platform != "linux":
        return 0
    return ctypes.CDLL(None, use_errno=True).syscall(444, None, 0, 1)


def has_program(name, *folders):
    return lambda user: shutil.which(name, path=":".join([PATH, *folders])) is not None


def can_run(*argv):
    def check(user):
        try:
            done = subprocess.run(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/", timeout=TIMEOUT,
                env={"PATH": PATH}, **user.spawn_options())
        except OSError:
            return False
        return done.returncode == 0

    return check


def tool(*argv):
    """A compiler, which always runs as the user who runs the tests, with that user's settings."""
    return functools.lru_cache(None)(lambda: shutil.which(argv[0]) is not None and subprocess.run(argv,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL).returncode == 0)


def enforceable(user):
    """Asks the kernel and not zs: else a zs that refuses everything would skip every test."""
    return landlock_abi() >= 6 and (user.is_root or can_run("unshare", "-Urn", "true")(user))


def cgroups():
    """(type, mount point, mounted part, controllers) of each file system of cgroups that can be written."""
    with open("/proc/self/mountinfo") as file:
        for line in file:
            left, right = (part.split(" ") for part in line.rstrip("\n").split(" - "))
            if right[0] in ("cgroup", "cgroup2") and "ro" not in left[5].split(","):
                yield right[0], left[4], left[3], right[2].split(",")


def cgroup_with(*controllers):
    """For version 2: a folder in which the user who runs the tests can make a cgroup with these controllers. The user's
    own cgroup, or its parent."""
    with open("/proc/self/cgroup") as file:
        own = [line[3:].rstrip("\n") for line in file if line.startswith("0::")]
    for kind, point, root, _ in cgroups():
        if kind != "cgroup2" or root != "/" or not own:
            continue
        for path in (own[0], os.path.dirname(own[0])):
            folder = os.path.join(point, path.lstrip("/")).rstrip("/")
            with contextlib.suppress(OSError), open(folder + "/cgroup.subtree_control") as file:
                if os.access(folder, os.W_OK) and set(controllers) <= set(file.read().split()):
                    return folder
    return None


def cgroup(version, *controllers):
    """Can root make a cgroup with these controllers? version: 0 for either."""
    def check(user):
        if sys.platform != "linux" or os.geteuid() != 0:
            return False
        if not controllers:
            return any(kind == "cgroup2" for kind, _, _, _ in cgroups())
        if version != 1 and cgroup_with(*controllers):
            return True
        return version == 0 and user.is_root and all(any(kind == "cgroup" and name in names
            for kind, _, _, names in cgroups()) for name in controllers)

    return check


def has_capabilities(*numbers):
    held = int(re.search(r"^CapEff:\s*(\S+)$", read("/proc/self/status"), re.M)[1], 16)
    return all(held >> number & 1 for number in numbers)


YAMA_SCOPE = "/proc/sys/kernel/yama/ptrace_scope"

REQUIREMENTS = {
    # A unit test says so only where it is built with ASan.
    "a build without ASan": lambda user: False,
    "bash": has_program("bash"),
    # The path of a bash 3.2, which no Debian has.
    "bash32": lambda user: os.access(os.environ.get("ZS_TEST_BASH_3_2", ""), os.X_OK),
    "busybox": has_program("busybox"),
    # Only root can mount one.
    "btrfs": lambda user: os.geteuid() == 0 and has_program("mkfs.btrfs")(user) and has_program("btrfs")(user),
    "crun": has_program("crun"),
    "curl": has_program("curl"),
    "dash": has_program("dash"),
    "dpkg": has_program("dpkg"),
    # A Debian, of whose packages tests/e2e/roots.py makes a root directory.
    "debian": lambda user: os.path.exists("/usr/share/base-passwd/passwd.master") and all(
        has_program(name)(user) for name in ("dpkg", "dpkg-deb", "apt-get", "adduser", "mawk")),
    "dig": has_program("dig"),
    # Only root can start it. Debian: docker.io.
    "docker": lambda user: os.geteuid() == 0 and all(
        has_program(name)(user) for name in ("dockerd", "containerd", "runc", "docker")),
    "docker-client": has_program("docker"),
    "git": has_program("git"),
    "fish": has_program("fish"),
    "g++": lambda user, check=tool("g++", "--version"): check(),
    "gcc": lambda user, check=tool("gcc", "--version"): check(),
    "go": has_program("go", "/usr/local/go/bin"),
    # Where that folder exists, the socket of an agent with a home of its own has a name that zs does not know.
    "gpg": lambda user: all(has_program(name)(user) for name in ("gpg", "gpgconf", "gpg-agent")) and
        not os.path.exists("/run/user/%d" % (os.geteuid() if user.uid is None else user.uid)),
    "psql": has_program("psql"),
    "gzip": has_program("gzip"),
    "zstd": has_program("zstd"),
    "groff": can_run("groff", "-v"),
    "iproute": has_program("ip"),
    "openssl": has_program("openssl"),
    "mvn": has_program("mvn"),
    "node": has_program("node"),
    "newuidmap": has_program("newuidmap"),
    "npm": has_program("npm"),
    "perl": has_program("perl"),
    "pkg-config": lambda user, check=tool("pkg-config", "--version"): check(),
    "rust": lambda user, check=tool("cargo", "--version"): check(),
    "slurm": lambda user: all(has_program(name)(user) for name in ("slurmctld", "slurmd", "munged", "sbatch")),
    "ssh": has_program("ssh"),
    # Only root can run it, since it becomes the user that logs in.
    "sshd": lambda user: os.geteuid() == 0 and os.access("/usr/sbin/sshd", os.X_OK),
    "system-pip": can_run("/usr/bin/python3", "-m", "pip", "--version"),
    "wget": has_program("wget"),
    "zsh": has_program("zsh"),
    "pip": can_run("python3", "-m", "pip", "--version"),
    "strace": can_run("strace", "-o", "/dev/null", "true"),
    # Only root can give a run an /etc of its own; tests/e2e/managed.py does.
    "own-etc": lambda user: os.geteuid() == 0 and can_run("unshare", "-m", "true")(User("root")) and
        has_program("setpriv")(user),
    # Root gives each program an /etc/subuid of its own; tests/e2e/subordinate.py does. Anybody else needs a row there.
    "subordinate-ids": lambda user: os.path.exists("/etc/subuid") and os.path.exists("/etc/subgid") and
        has_program("newuidmap")(user) and (can_run("unshare", "-m", "true")(User("root"))
            if os.geteuid() == 0 else getpass.getuser() + ":" in read("/etc/subuid")),
    "userns": can_run("unshare", "-Ur", "true"),
    "root": lambda user: user.is_root,
    # A container's root has fewer capabilities.
    "machine-root": lambda user: user.is_root and has_capabilities(21, 27),  # CAP_SYS_ADMIN, CAP_MKNOD
    "sandbox": enforceable,
    "overlayfs": can_run("unshare", "-Urm", "sh", "-c", "mount -t tmpfs none /mnt && mkdir /mnt/a /mnt/b /mnt/c && "
        "mount -t overlay none /mnt/a -o lowerdir=/mnt/a,upperdir=/mnt/b,workdir=/mnt/c"),
    # Without it zs takes AF_UNIX away; guest/yama of tests/vm tries that.
    "socket-broker": lambda user: not os.path.exists(YAMA_SCOPE) or int(read(YAMA_SCOPE)) < 3,
    "cgroup2": cgroup(2),
    "memory-controller": lambda user: user.is_root and cgroup(0, "memory")(user),
    "pids-controller": lambda user: user.is_root and cgroup(0, "pids")(user),
    "cgroup2-controllers": cgroup(2, "memory", "pids"),
    "apparmor-parser": has_program("apparmor_parser"),
    # ./zigw build test always sets these; a test file that is run by hand has none of them. .ci/run installs the
    # agents, and fails if it cannot; tests/e2e/agents.py says how to install them by hand.
    "agents": lambda user: bool(os.environ.get("ZS_TEST_AGENTS")),
    # tests/e2e/test_mcp_servers.py says how to install them by hand; .ci/run does it.
    "mcp-servers": lambda user: bool(os.environ.get("ZS_TEST_SERVERS")),
    # The projects of tests/harbor, and their Python, 3.12 or newer, which not every machine has.
    "harbor": lambda user: os.path.exists(os.path.join(os.environ.get("ZS_TEST_SERVERS", "/"), "harbor/python")),
    # tests/fleet.py fetches it.
    "ray": lambda user: os.path.isdir(os.path.join(os.environ.get("ZS_TEST_SERVERS", "/nonexistent"), "adapters/ray")),
    "counted-zs": lambda user: bool(os.environ.get("ZS_TEST_COUNTED_ZS")),
    "blind-client": lambda user: bool(os.environ.get("ZS_TEST_BLIND")),
    "plain-proxy": lambda user: bool(os.environ.get("ZS_TEST_PLAIN_PROXY")),
    "installed": lambda user: bool(os.environ.get("ZS_TEST_ZIG") and os.environ.get("ZS_TEST_PREFIX")),
    "yaml": lambda user: importlib.util.find_spec("yaml") is not None,
    "linux": lambda user: sys.platform == "linux",
}


def satisfied(need, user):
    return REQUIREMENTS[need](user)


# ----------------------------------------------------------------------------------------------------- results


class Result:
    def __init__(self, argv, exit, stdout, stderr):
        self.argv = argv
        self.exit = exit
        self.stdout = stdout
        self.stderr = stderr

    def __str__(self):
        return "%r\n    exit   %d\n    stdout %r\n    stderr %r" % (self.argv, self.exit, self.stdout, self.stderr)

    def expect(self, exit=0, stdout=None, stderr=None):
        """None accepts anything, a string exactly itself, a compiled pattern any text in which it is found, a list any
        text that holds all its items."""
        if self.exit != exit:
            raise Failure("exit %d, not %d: %s" % (self.exit, exit, self))
        self.expect_text("stdout", self.stdout, stdout)
        self.expect_text("stderr", self.stderr, stderr)
        return self

    def expect_text(self, name, have, want):
        if isinstance(want, str) and have != want:
            raise Failure("%s is not %r: %s" % (name, want, self))
        if isinstance(want, re.Pattern) and not want.search(have):
            raise Failure("%s has no match of %r: %s" % (name, want.pattern, self))
        if isinstance(want, list):
            for part in want:
                if part not in have:
                    raise Failure("%s lacks %r: %s" % (name, part, self))


class Environment(dict):
    """An environment that may have a name twice, as execve(2) allows and dict does not."""

    def __init__(self, pairs):
        super().__init__(pairs)
        self.pairs = list(pairs)

    def items(self):
        return self.pairs

    def copy(self):
        return self


# --------------------------------------------------------------------------------------------------------- box


class Box:
    zs = None  # the binary, in a place where every user can run it
    library = None  # the library built with it, for the user who runs the tests
    scratch = None

    def __init__(self, user):
        self.user = user
        self.root = tempfile.mkdtemp(prefix="box-", dir=self.scratch)
        self.home = self.folder("home")
        self.work = self.folder("home/project")
        self.outside = self.folder("outside")
        self.folder("home/.ssh", 0o700)
        self.key = self.file("home/.ssh/id_ed25519", "SECRET KEY\n", 0o600)
        self.env = {"PATH": PATH, "HOME": self.home, "LANG": "C.UTF-8"}
        os.chmod(self.root, 0o755)

    def own(self, path):
        if self.user.uid is not None:
            os.chown(path, self.user.uid, self.user.uid, follow_symlinks=False)
        return path

    def folder(self, name, mode=0o755):
        """Makes the folder and its missing parents. The box's user owns them."""
        path = os.path.join(self.root, name)
        if not os.path.isdir(path):
            self.folder(os.path.dirname(path), mode)
            os.mkdir(path)
            os.chmod(path, mode)
            self.own(path)
        return path

    def file(self, name, text="", mode=0o644):
        path = os.path.join(self.root, name)
        self.folder(os.path.dirname(path))
        with open(path, "w") as f:
            f.write(text)
        os.chmod(path, mode)
        return self.own(path)

    def run(self, argv, stdin="", env=None, add_env=None, cwd=None, **options):
        """Runs argv as this box's user. Text in and out is latin-1, so each byte stays as it is."""
        env = dict(self.env) if env is None else env
        env.update(add_env or {})
        if stdin is not None:
            options["input"] = stdin.encode("latin-1")
        done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, cwd=cwd or self.work,
            timeout=TIMEOUT, **self.user.spawn_options(), **options)
        return Result(argv, done.returncode, done.stdout.decode("latin-1"), done.stderr.decode("latin-1"))

    def start(self, argv, **options):
        """Starts argv as this box's user, in its workspace; its standard streams are pipes unless options say more."""
        return subprocess.Popen(argv, **{"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
            "cwd": self.work, "env": self.env, **self.user.spawn_options(), **options})

    def run_zs(self, *args, **options):
        return self.run([self.zs, *args], **options)

    def denied(self, *attacks, harm=None, zs=("run",), **options):
        """Expects that each of these shell texts succeeds without zs and fails in it.

        A text fails if its exit status is not 0. harm, if given, says whether damage was done: after the run without zs
        it must be true, and after the run in zs false. An echo before the attack shows that zs did start it.
        """
        for attack in attacks:
            confined = self.denied_once("echo started; " + attack, harm, zs, options)
            if harm and len(attacks) > 1:
                harm.reset()
        return confined

    def denied_once(self, script, harm, zs, options):
        control = self.run(["sh", "-c", script], **options)
        if control.exit != 0 or (harm and not harm()):
            raise Failure("control: the attack fails without zs too: %s" % control)
        if harm:
            harm.reset()
        confined = self.run_zs(*zs, "--", "sh", "-c", script, **options)
        if not confined.stdout.startswith("started\n"):
            raise Failure("zs did not run the attack: %s" % confined)
        if confined.exit == 0 or (harm and harm()):
            raise Failure("not denied: %s" % confined)
        return confined

    def granted(self, script, zs=("run",), stdout=None, **options):
        """Expects that the shell text runs inside and succeeds."""
        return self.run_zs(*zs, "--", "sh", "-c", script, **options).expect(exit=0, stdout=stdout)

    def clear(self):
        """Empties the workspace."""
        for path in (os.path.join(self.work, name) for name in os.listdir(self.work)):
            (remove_tree if os.path.isdir(path) and not os.path.islink(path) else os.remove)(path)

    def close(self):
        def fail(error):
            raise error

        remove_while_written(self.root, fail)


class Changed:
    """Harm: has the path changed since this object was made?"""

    def __init__(self, box, path):
        self.box, self.path = box, path
        self.before = self.state()

    def state(self):
        try:
            if os.path.isdir(self.path) and not os.path.islink(self.path):
                return sorted(os.listdir(self.path))
            with open(self.path) as f:
                return f.read()
        except OSError as error:
            return error.errno

    def __call__(self):
        return self.state() != self.before

    def reset(self):
        if isinstance(self.before, list):
            for name in set(os.listdir(self.path)) - set(self.before):
                path = os.path.join(self.path, name)
                (remove_tree if os.path.isdir(path) and not os.path.islink(path) else os.remove)(path)
        elif isinstance(self.before, str):
            with contextlib.suppress(OSError):
                os.remove(self.path)
            self.box.file(self.path, self.before)
        elif os.path.lexists(self.path):
            os.remove(self.path)


# ----------------------------------------------------------------------------------------------------- network


@contextlib.contextmanager
def listener():
    """A server on the host's loopback; yields its port."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve():
            with contextlib.suppress(OSError):
                while True:
                    server.accept()[0].close()

        threading.Thread(target=serve, daemon=True).start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)


def connect(port):
    """Shell text that prints a line if it reaches that server."""
    return "bash -c 'exec 3<>/dev/tcp/127.0.0.1/%d' && echo reached" % port


# ------------------------------------------------------------------------------------------------------- tests

TESTS = []


def test(needs=(), once=False, slow=False):
    """once: the result does not depend on the user. slow: the test takes seconds or minutes. With ZS_TEST_QUICK set a
    slow test is left out and named, unless it is asked for by name."""
    assert not callable(needs), "write @test()"

    def register(function):
        TESTS.append((function.__name__, function, list(needs), once, slow))
        return function

    return register


def golden(name, have):
    """Expects have to equal the content of golden/NAME. ZS_UPDATE_GOLDEN=1 writes it instead: read the diff before you
    commit it."""
    path = os.path.join(GOLDEN, name)
    if os.environ.get("ZS_UPDATE_GOLDEN"):
        with open(path, "w") as f:
            f.write(have)
        return
    with open(path) as f:
        want = f.read()
    if have != want:
        diff = difflib.unified_diff(want.splitlines(), have.splitlines(), "golden/" + name, "zs", lineterm="")
        raise Failure("ZS_UPDATE_GOLDEN=1 accepts the difference:\n%s" % "\n".join(diff))


SLOW = 5  # seconds; a test that takes longer is named


def run_one(name, function, user):
    box = Box(user)
    began = time.monotonic()
    try:
        try:
            function(box)
        finally:
            box.close()
        return True
    except (Failure, subprocess.TimeoutExpired) as failure:
        print("FAIL %s [%s]: %s" % (name, user.name, failure))
    except Exception:
        print("FAIL %s [%s]: %s" % (name, user.name, traceback.format_exc()))
    finally:
        took = time.monotonic() - began
        if took > SLOW:
            print("slow: %s [%s]: %.0f s" % (name, user.name, took))
    return False


def main():
    parser = argparse.ArgumentParser(description="End-to-end tests of zs.")
    parser.add_argument("file", help="the tests")
    parser.add_argument("--zs", required=True, help="the binary to test")
    parser.add_argument("patterns", nargs="*", help="only tests whose name contains one of these; A|B is both")
    arguments = parser.parse_intermixed_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    Box.scratch = scratch_root()
    Box.zs = os.path.join(Box.scratch, "zs")
    built = os.path.dirname(os.path.dirname(os.path.realpath(arguments.zs)))
    Box.library = os.path.join(os.environ.get("ZS_TEST_PREFIX") or built, "lib/libzs_sandbox.so")
    shutil.copyfile(arguments.zs, Box.zs)
    os.chmod(Box.zs, 0o755)

    importlib.import_module(os.path.splitext(os.path.basename(arguments.file))[0])

    passed = failed = skipped = 0
    for name, function, needs, once, slow in TESTS:
        if arguments.patterns and not any(
                part in name for pattern in arguments.patterns for part in pattern.split("|")):
            continue
        if slow and not arguments.patterns and os.environ.get("ZS_TEST_QUICK"):
            print("left out: %s" % name)
            continue
        for user in users()[: 1 if once else None]:
            missing = [need for need in needs if not satisfied(need, user)]
            # A test only for root is no skip for another user.
            if "root" in missing and os.geteuid() == 0:
                continue
            if missing:
                print("SKIP %s [%s]: needs %s" % (name, user.name, ", ".join(missing)))
                skipped += 1
            elif run_one(name, function, user):
                passed += 1
            else:
                failed += 1
            sys.stdout.flush()
    print("%d passed, %d failed, %d skipped" % (passed, failed, skipped))
    sys.exit(1 if failed or passed + skipped == 0 else 0)


if __name__ == "__main__":
    import harness  # the copy of this module that the tests import

    harness.main()
