"""zs in real Docker containers: the features that Docker's default profile leaves, and that the options which zs names
are those that are needed. The test starts a dockerd of its own, without a network, and with the one image that is made
here."""

import atexit
import contextlib
import functools
import io
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import tarfile
import tempfile
import time

from harness import NOBODY, PATH, TIMEOUT, Failure, expect, read, test
from processes import asleep, new_mark, processes, wait_until

IMAGE = "zs:test"
KEY = "/home/ada/.ssh/id_ed25519"
USERS = (0, NOBODY)


# ---------------------------------------------------------------------------------------------------- the daemon


def image():
    """A root directory without programs: /usr is the machine's. Everyone in the container may reach this file; a
    command in zs must not."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for mode, names in ((0o755, ("usr", "etc", "home", "home/ada", "home/ada/.ssh", "var", "work", "zs")),
                (0o1777, ("tmp", "var/tmp", "outside"))):
            for name in names:
                folder = tarfile.TarInfo(name)
                folder.type, folder.mode = tarfile.DIRTYPE, mode
                tar.addfile(folder)
        for name in ("bin", "lib", "lib64", "sbin"):
            if os.path.exists("/" + name):
                tar.add("/" + name, name) # a link, where /usr is merged
        for name in ("passwd", "group", "ld.so.cache", "alternatives"):
            if os.path.exists("/etc/" + name):
                tar.add("/etc/" + name, "etc/" + name)
        key = tarfile.TarInfo(KEY[1:])
        key.size, key.mode = 4, 0o644
        tar.addfile(key, io.BytesIO(b"KEY\n"))
    return out.getvalue()


def clean_up(daemon, call, root, cgroups):
    for container in subprocess.run([*call, "ps", "-aq"], stdout=subprocess.PIPE).stdout.decode().split():
        subprocess.run([*call, "rm", "-f", container], stdout=subprocess.DEVNULL)
    daemon.terminate()
    try:
        daemon.wait(20)
    except subprocess.TimeoutExpired:
        daemon.kill()
        daemon.wait()
    points = [line.split()[4] for line in read("/proc/self/mountinfo").splitlines()]
    for point in sorted((point for point in points if point.startswith(root + "/")), reverse=True):
        subprocess.run(["umount", point])
    shutil.rmtree(root, ignore_errors=True)
    for folder, _, _ in os.walk("/sys/fs/cgroup"):
        if os.path.basename(folder) == cgroups:
            with contextlib.suppress(OSError):
                os.rmdir(folder)


@functools.lru_cache(None)
def docker():
    """The client's command line. The daemon changes nothing of this machine's network."""
    root = tempfile.mkdtemp(prefix="zs-docker-")
    log, cgroups = root + "/log", "docker-of-tests-%d" % os.getpid() # not "zs-…", which zs collects
    call = ["docker", "--config", root + "/config", "-H", "unix://%s/socket" % root]
    with open(root + "/daemon.json", "w") as file, open(log, "wb") as out:
        file.write("{}")
        file.flush()
        daemon = subprocess.Popen(["dockerd", "--config-file=%s/daemon.json" % root, "--data-root=%s/data" % root,
            "--exec-root=%s/exec" % root, "--pidfile=%s/pid" % root, "--host=unix://%s/socket" % root, "--group=root",
            "--bridge=none", "--iptables=false", "--ip6tables=false", "--ip-forward=false", "--ip-masq=false",
            "--storage-driver=vfs", "--exec-opt=native.cgroupdriver=cgroupfs", "--cgroup-parent=/" + cgroups,
            "--containerd-namespace=" + cgroups, "--containerd-plugins-namespace=%s-plugins" % cgroups],
            stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True, env={"PATH": PATH})
    atexit.register(clean_up, daemon, call, root, cgroups)
    end = time.monotonic() + TIMEOUT
    while subprocess.run([*call, "version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
        if daemon.poll() is not None or time.monotonic() > end:
            raise Failure("dockerd is installed, and does not start here:\n%s" % read(log)[-500:])
        time.sleep(0.2)
    subprocess.run([*call, "import", "-", IMAGE], input=image(), stdout=subprocess.DEVNULL, check=True)
    return call


# ------------------------------------------------------------------------------------------------ the containers


class Docker:
    """Containers of one user, with a workspace of that user; one container for each set of options."""

    def __init__(self, box, uid, work=None):
        self.box, self.uid, self.containers = box, uid, {}
        self.work = work or box.folder("work-%d" % uid)
        if not work:
            os.chown(self.work, uid, uid)

    def start(self, *argv, options=()):
        return self.box.run([*docker(), "run", "--detach", "--network=none", "--user=%d:%d" % (self.uid, self.uid),
            "--env=HOME=/home/ada", "--env=PATH=/zs:%s" % PATH, "--volume=/usr:/usr:ro", "--volume=%s:/zs/zs:ro" %
            self.box.zs, "--volume=%s:/work" % self.work, "--workdir=/work", *options, IMAGE,
            *argv]).expect().stdout.strip()

    def run(self, *argv, options=(), stdin=""):
        options = tuple(options)
        if options not in self.containers:
            self.containers[options] = self.start("sleep", "1000", options=options)
        return self.box.run([*docker(), "exec", "-i", self.containers[options], *argv], stdin=stdin)

    def denied(self, attack, *zs, options=()):
        self.run("bash", "-c", attack, options=options).expect()
        said = self.run(*zs, "bash", "-c", "echo started; " + attack, options=options)
        expect(said.exit != 0 and said.stdout.startswith("started\n"), "not denied: %s" % said)

    def lacking(self):
        return ["protect", "private-tmp", "loopback", "metadata", "processes"] + ["privileges"] * (self.uid == 0)

    def without(self, *options):
        return ["zs", "run", "--without", ",".join(self.lacking()), *options, "--"]

    def has_run(self):
        return os.path.exists(self.work + "/ran")


REFUSED = r"^zs: sandbox: %s: needs (\S+): .*; run without: --without (\S+); or: .*in Docker: (--security-opt .*)\n$"


def refusal(docker, said, lacking=None):
    """A row for this tier: the missing feature, the option that waives the promises that need it, and Docker's options
    that provide it."""
    said.expect(exit=125, stdout="")
    line = re.search(REFUSED % ", ".join(lacking or docker.lacking()), said.stderr)
    expect(line and not docker.has_run(), "it ran, or does not say why not: %s" % said)
    return line.groups()


def options_of(docker):
    """The options of docker run, as zs names them: [["--security-opt", "seccomp=unconfined"], …]."""
    words = shlex.split(refusal(docker, docker.run("zs", "run", "--", "touch", "ran"))[2])
    return [words[i : i + 2] for i in range(0, len(words), 2)]


@test(needs=["docker", "sandbox", "bash"], once=True)
def the_default_profile_leaves_the_landlock_tier(box):
    for uid in USERS:
        docker = Docker(box, uid)
        docker.run("unshare", "-Ur", "true").expect(exit=1, stderr=["Operation not permitted"])
        feature, option, _ = refusal(docker, docker.run("zs", "run", "--", "touch", "ran"))
        expect(feature == "user-namespace" and option.split(",") == docker.lacking(), "%s: %s" % (feature, option))
        refusal(docker, docker.run("zs", "bash", "-c", "touch ran"))
        refusal(docker, docker.run("zs", "run", "--verify", "--", "touch", "ran"), docker.lacking()[1:] + ["overlay"])
        doctor = docker.run("zs", "doctor").expect(exit=125, stderr="", stdout=["missing  user-namespace\n"])
        expect(doctor.stdout.endswith("\n    zs run --without %s -- CMD\n" % option), doctor)
        docker.run("zs", "doctor", "--require", "mount-tier").expect(exit=125)
        zs = docker.without()
        docker.run(*zs, "sh", "-c", "id -u; echo x >new; cat new; test -d $TMPDIR && exit 7").expect(exit=7,
            stdout="%d\nx\n" % uid)
        for attack in ("cat " + KEY, "ls /home/ada", "echo x >/outside/x", "echo x >/tmp/x", "kill -0 1",
                "exec 3<>/dev/udp/127.0.0.1/9"):
            docker.denied(attack, *zs)
        docker.run("zs", "run", "--without", option + ",overlay", "--verify", "--", "touch", "ran").expect(exit=1)
        expect(not docker.has_run(), "a workspace that is waived as an overlay was written")


@test(needs=["docker", "sandbox", "bash"], once=True)
def the_options_that_are_named_give_the_mount_tier(box):
    for uid in USERS:
        docker = Docker(box, uid)
        pairs = options_of(docker)
        options = sum(pairs, [])
        docker.run("zs", "doctor", "--require", "mount-tier,overlay", options=options).expect(stderr="")
        docker.run("zs", "run", "--", "sh", "-c", "id -u; echo x >new; cat new; ls -A /tmp; exit 7",
            options=options).expect(exit=7, stdout="%d\nx\n" % uid)
        docker.run("zs", "run", "--diff", "--", "sh", "-c", "echo y >made", options=options).expect(
            stderr=re.compile("^created .* made$", re.M))
        expect(not os.path.exists(docker.work + "/made"), "a dry run has written")
        for attack in ("cat " + KEY, "ls /home/ada", "echo x >/outside/x", "grep sleep /proc/1/comm"):
            docker.denied(attack, "zs", "run", "--", options=options)
        # Each is needed, and what is missing without it is named. (apparmor= is, where the machine has AppArmor.)
        for pair in pairs:
            if not pair[1].startswith("apparmor"):
                fewer = sum((other for other in pairs if other != pair), [])
                docker.run("zs", "doctor", "--require", "mount-tier", options=fewer).expect(exit=125)
                for grant in ([], ["--ro", "/"]):
                    refusal(docker, docker.run("zs", "run", *grant, "--", "touch", "ran", options=fewer))
                docker.run(*docker.without(), "sh", "-c", "echo y >new; cat new", options=fewer).expect(stdout="y\n")
        # The container may mount, but not call pivot_root(2).
        admin = ["--cap-add=SYS_ADMIN", "--security-opt=systempaths=unconfined"]
        feature, _, _ = refusal(docker, docker.run("zs", "run", "--", "touch", "ran", options=admin))
        expect(feature == "mount-namespace", feature)


@test(needs=["docker", "sandbox", "bash"], once=True)
def limits_in_a_container(box):
    for uid in USERS:
        docker = Docker(box, uid)
        mark = new_mark()
        docker.run(*docker.without("--limit=wall=1s"), "sh", "-c", "setsid sleep %s & sleep %s" % (mark, mark)).expect(
            exit=137, stderr="zs: wall limit 1s reached\n")
        expect(not asleep(mark), "it goes on")
        docker.run(*docker.without("--limit=cpu=1s"), "sh", "-c", "while :; do :; done").expect(
            exit=128 + signal.SIGXCPU, stderr="zs: cpu limit 1s reached\n")
        docker.run(*docker.without("--limit=memory=64M"), "bash", "-c", "x=$(head -c 200M /dev/zero | tr '\\0' x)"
            ).expect(exit=2, stderr=["bash: xrealloc: cannot allocate"])
        docker.run(*docker.without("--limit=processes=9"), "touch", "ran").expect(exit=125, stdout="",
            stderr=re.compile("^zs: sandbox: limits: processes: needs .*; leave out limits: processes, and run "))
        expect(not docker.has_run(), "it ran")


@test(needs=["docker", "sandbox", "bash"], once=True)
def a_hook_in_a_container(box):
    for uid in USERS:
        docker = Docker(box, uid)
        event = json.dumps({"hook_event_name": "PreToolUse", "cwd": "/work", "tool_name": "Bash",
            "tool_input": {"command": "echo inside; cat " + KEY}})
        hook = ["zs", "hook", "claude", "--confine"]
        for more in ([], ["--without", ",".join(docker.lacking())]):
            answer = json.loads(docker.run(*hook, *more, stdin=event).expect(stderr="").stdout)["hookSpecificOutput"]
            said = docker.run("bash", "-c", answer["updatedInput"]["command"])
            if more:
                said.expect(exit=1, stdout="inside\n", stderr=["Permission denied"])
            else:
                refusal(docker, said)


# --------------------------------------------------------------------------------------------------- that it ends


def supervisor(mark):
    """The first process of zs in the container."""
    return min(pid for pid, argv in processes() if argv[:2] == ["zs", "run"] and any(mark in word for word in argv))


@test(needs=["docker", "sandbox", "bash"], once=True)
def all_of_it_ends(box):
    """The container's processes end with zs, however it ends: as the container's first process, and as the child of
    another."""
    for uid in USERS:
        user = Docker(box, uid)
        mount_tier = sum(options_of(user), [])
        for zs, options in ((user.without(), []), (["zs", "run", "--"], mount_tier)):
            mark = new_mark()
            script = "setsid sleep %s & (setsid sh -c '(sleep %s &)' &); sleep %s" % (mark, mark, mark)
            line = shlex.join([*zs, "sh", "-c", script])
            for first, end in ((line + "; sleep 1000", signal.SIGTERM), (line + "; sleep 1000", signal.SIGKILL),
                    ("exec " + line, "stop")):
                container = user.start("bash", "-c", first, options=options)
                wait_until(lambda: len(asleep(mark)) == 3, lambda: "it does not start: %s" %
                    box.run([*docker(), "logs", container]))
                if end == "stop":
                    box.run([*docker(), "stop", "--time=30", container]).expect()
                    state = box.run([*docker(), "inspect", "--format={{.State.ExitCode}}", container]).stdout
                    expect(state == "143\n", "not ended by SIGTERM: %s" % state)
                else:
                    os.kill(supervisor(mark), end)
                wait_until(lambda: not asleep(mark), lambda: "%s: %s are left" % (end, asleep(mark)))
                box.run([*docker(), "rm", "--force", container]).expect()


@test(needs=["docker", "sandbox", "bash"], once=True)
def root_of_a_container_in_a_workspace_of_another_user(box):
    """The container's root lacks the powers of the machine's root, and zs takes its other powers away. The owner of the
    workspace can write in it."""
    owner = Docker(box, NOBODY)
    root = Docker(box, 0, owner.work)
    options = sum(options_of(root), [])
    for zs, more in ((root.without(), []), (["zs", "run", "--"], options)):
        root.run("touch", "made", options=more).expect()
        os.remove(root.work + "/made")
        root.run(*zs, "touch", "made", options=more).expect(exit=1, stderr=["Permission denied"])
    os.chmod(root.work, 0o700)
    root.run("zs", "run", "--", "true", options=options).expect(exit=125, stdout="",
        stderr=["zs: mounts: /work: permission denied; it is another user's: run zs as that one; in Docker: --user "])
    for zs, more in ((owner.without(), []), (["zs", "run", "--"], options)):
        owner.run(*zs, "touch", "made", options=more).expect()
        os.remove(owner.work + "/made")
