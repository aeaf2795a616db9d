"""Attacks with the programs that an agent has at hand. Each succeeds without zs and fails in it."""

import contextlib
import os
import signal
import socket
import subprocess
import threading
import time

from harness import SLOWNESS, TIMEOUT, Changed, Failure, expect, read, test
from no_namespaces import no_namespaces, without
from processes import Terminal, injected


class Wiped:
    """Harm: is a file outside of the workspace gone?"""

    def __init__(self, box):
        self.box = box
        self.paths = [box.home + "/letters/one", box.outside + "/deep/two", box.key]
        self.reset()

    def reset(self):
        for path in self.paths:
            if not os.path.exists(path):
                self.box.run(["mkdir", "-p", os.path.dirname(path)]).expect()
                self.box.file(path, "text\n")

    def __call__(self):
        return not all(os.path.exists(path) for path in self.paths)


@test(needs=["sandbox"])
def wiping_home(box):
    box.denied("rm -rf ~/letters ~/.ssh && rm -r %s/deep" % box.outside, harm=Wiped(box))


@test(needs=["sandbox"])
def wiping_the_machine(box):
    """A guard: if zs confines nothing, the attack must do nothing. So it first looks for a file that must not be
    visible."""
    harm = Wiped(box)
    box.file("home/project/mine")
    # rm / itself would give up at a /proc entry of a process that has ended.
    script = "! test -e %s/deep && ! test -e /proc/1/root/etc && rm -rf /* 2>/dev/null; echo done"
    result = box.run_zs("run", "--", "sh", "-c", script % box.outside)
    expect(not harm() and os.path.exists("/usr/bin/env"), "something has gone: %s" % result)
    # The control: the same command has removed the files that it may remove.
    expect(result.stdout == "done\n" and not os.listdir(box.work), "it removed nothing: %s" % result)


@test(needs=["sandbox"])
def devices(box):
    box.granted("ls /dev | tr '\\n' ' '",
        stdout="fd full null ptmx pts random shm stderr stdin stdout tty urandom zero ")
    for script, out in (("echo x >/dev/null", ""), ("head -c 2 /dev/zero | od -An -tx1", " 00 00\n"),
            ("head -c 2 /dev/urandom | wc -c", "2\n"), ("echo x >/dev/full || echo full", "full\n"),
            ("(echo x >/dev/stdout) | cat", "x\n"), ("test -c /dev/ptmx && echo yes", "yes\n")):
        box.granted("{ %s; } 2>/dev/null" % script, stdout=out)
    for script in ("rm /dev/null", "echo x >/dev/new", "mkdir /dev/new", "mv /dev/null /dev/zero"):
        result = box.run_zs("run", "--", "sh", "-c", "echo started; " + script)
        expect(result.exit != 0 and result.stdout == "started\n", "not denied: %s" % result)


@test(needs=["sandbox", "root", "machine-root"])
def kernel_settings(box):
    """Settings of the machine that root may change, such as core_pattern's program. The attack opens them without
    writing, since the control would change them."""
    lax = ["run", *without(box)]
    for path in ("/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/sys/kernel/rcu_expedited"):
        box.denied(": >>" + path)
        box.denied(": >>" + path, zs=lax, preexec_fn=no_namespaces)
        for grant in ("/", "/" + path.split("/")[1], path.rsplit("/", 1)[0], path):
            box.denied(": >>" + path, zs=["run", "--rw", grant])
            box.run_zs(*lax, "--rw", grant, "--", "sh", "-c", ": >>" + path, preexec_fn=no_namespaces).expect(exit=125,
                stdout="", stderr=["zs: landlock: %s: gives write access to /" % grant, "; grant less\n"])
    # A proc file system in the root folder of another system, which root keeps in the workspace.
    rootfs = box.folder("home/project/rootfs")
    script = "mount -t proc none %s && exec \"$@\"" % rootfs
    attack = "echo started; : >>%s/sys/kernel/core_pattern && echo opened" % rootfs
    outside = ["unshare", "-m", "sh", "-c", script, "sh"]
    box.run([*outside, "sh", "-c", attack]).expect(stdout="started\nopened\n")
    box.run([*outside, box.zs, "run", "--", "sh", "-c", attack]).expect(exit=2, stdout="started\n")


@test(needs=["sandbox"])
def workspace_by_a_link(box):
    os.symlink(box.work, box.root + "/link")
    zs = ["run", "--workspace", box.root + "/link"]
    box.granted("echo x >new; cat new %s/new %s/link/new" % (box.work, box.root), zs=zs, stdout="x\nx\nx\n")
    box.denied("echo x >%s/new" % box.outside, zs=zs, harm=Changed(box, box.outside))


def answer(server, seen):
    while True:
        try:
            connection, _ = server.accept()
        except OSError:
            return
        with connection:
            connection.recv(4096)
            seen.append(1)
            connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n")


def taken(server, seen):
    """The number of connections since the last call. The server takes one after the other, and this one last."""
    with socket.create_connection(server.getsockname(), TIMEOUT) as client:
        client.sendall(b"x")
        client.recv(1)
    count = len(seen) - 1
    del seen[:]
    return count


@test(needs=["sandbox", "curl", "git", "bash", "perl"])
def fetching(box):
    """The attack comes from the machine's loopback, and from its address on a network, if it has one."""
    seen = []
    lines = ["curl -sS -m 5 http://%s:%d/", "git ls-remote http://%s:%d/x.git", "exec 3<>/dev/tcp/%s/%d && echo >&3",
        "perl -MIO::Socket -e 'print {IO::Socket::INET->new(\"%s:%d\") or die} \"\\n\"'"]
    with socket.create_server(("0.0.0.0", 0)) as server:
        threading.Thread(target=answer, args=(server, seen), daemon=True).start()
        for address in {"127.0.0.1", "127.1.2.3", own_address()}:
            for line in lines:
                command = ["bash", "-c", line % (address, server.getsockname()[1])]
                box.run(command)
                expect(taken(server, seen), "control: %r reaches nothing without zs too" % command)
                result = box.run_zs("run", "--", *command)
                expect(not taken(server, seen) and result.exit != 0, "reached: %s" % result)
        server.shutdown(socket.SHUT_RDWR)


def own_address():
    """The address of the interface that the default route takes; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return probe.getsockname()[0]


# man 2 listen: a socket that is not bound gets a port.
LISTEN = ("perl -MSocket -e '$| = 1; socket(S, AF_INET, SOCK_STREAM, 0); listen(S, 1) or die;"
    " print +(sockaddr_in(getsockname(S)))[0], \"\\n\"; alarm 20; accept(C, S)'")


@test(needs=["sandbox", "perl"])
def listening_without_a_name(box):
    for argv, reachable in ((["sh", "-c", LISTEN], True), ([box.zs, "run", "--", "sh", "-c", LISTEN], False)):
        with box.start(argv, stderr=None) as process:
            port = int(process.stdout.readline())
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                reached = True
            except ConnectionRefusedError:
                reached = False
            process.kill()
        expect(reached == reachable, "%r: %s" % (argv, reached))


@test(needs=["sandbox", "userns"])
def nested_namespaces_undo_nothing(box):
    """A user namespace gives every capability within it; mounts that zs made read-only stay read-only."""
    kept = box.file("home/project/kept", "text\n")
    for undo in ("mount -o remount,rw,bind kept", "umount kept", "umount -l kept", "mount --bind new kept",
            "mount -t tmpfs none .", "mount -t overlay none . -o lowerdir=.,upperdir=/tmp,workdir=/tmp"):
        script = "echo new >new; unshare -Urm sh -c '%s 2>/dev/null; echo x >kept'" % undo
        control = Changed(box, kept)
        box.run(["sh", "-c", "unshare -Urm sh -c 'echo x >kept'"]).expect()
        expect(control(), "control: it cannot be written without zs too")
        control.reset()
        box.run_zs("run", "--protect", kept, "--", "sh", "-c", script)
        expect(not control(), "written after: %s" % undo)


@test(needs=["sandbox", "perl", "socket-broker"])
def sockets_of_its_own(box):
    """A command may make a socket at a granted path. A granted path that exists must be a socket."""
    script = "perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0) or die; bind(S, sockaddr_un($ARGV[0])) or die' "
    for zs in (["run", "--net", "full"], ["run", "--ro", box.outside]):
        box.denied(script + ("one" if "full" in zs else box.outside + "/one"), zs=zs)
    box.granted(script + "two", zs=["run", "--socket", box.work + "/two"], stdout="")
    for path in (box.outside, box.file("outside/file")):
        box.run_zs("run", "--socket", path, "--", "true").expect(exit=125,
            stderr=["zs: mounts: %s: it is not a socket" % path])


# The acts of a process on its own process group, which may be its caller's too.
GROUP = """
import ctypes, os, platform, signal, sys
if sys.argv[1] == "nice":
    os.setpriority(os.PRIO_PGRP, 0, 19)
elif sys.argv[1] == "ionice": # ioprio_set(IOPRIO_WHO_PGRP, 0, IOPRIO_CLASS_IDLE)
    number = {"x86_64": 251, "aarch64": 30}[platform.machine()]
    sys.exit(ctypes.CDLL(None).syscall(number, 2, 0, 3 << 13) != 0)
else:
    os.kill(0, signal.SIGUSR1)
"""


class Companion:
    """A process in the group in which zs is started, as with hosts that make no group for each command. Its niceness is
    below the maximum, so the attack has an effect whatever the niceness of the harness."""

    def __init__(self, box):
        self.process = subprocess.Popen(["sleep", "60"], preexec_fn=lambda: os.setpgid(0, 0),
            **box.user.spawn_options())
        if os.getpriority(os.PRIO_PROCESS, self.process.pid) == 19:
            os.setpriority(os.PRIO_PROCESS, self.process.pid, 18)

    def join(self):
        os.setpgid(0, self.process.pid)

    def state(self):
        pid = self.process.pid
        if self.process.poll() is not None:
            return "dead"
        ionice = subprocess.run(["ionice", "-p", str(pid)], stdout=subprocess.PIPE, check=True).stdout
        return os.getpriority(os.PRIO_PROCESS, pid), ionice

    def end(self):
        self.process.kill()
        self.process.wait()


def is_reached(box, argv, attack):
    companion = Companion(box)
    try:
        before = companion.state()
        result = box.run([*argv, "python3", "-c", GROUP, attack], preexec_fn=companion.join)
        expect("ModuleNotFound" not in result.stderr, result)
        # The signal takes a moment to end the process.
        deadline = time.monotonic() + (1 if argv else TIMEOUT)
        while companion.state() == before and time.monotonic() < deadline:
            time.sleep(0.02)
        return companion.state() != before
    finally:
        companion.end()


@test(needs=["sandbox"])
def the_process_group_is_out_of_reach(box):
    """A pid namespace hides numbers, but 0 is no process number: it means the whole group, whoever is in it."""
    for attack in ("nice", "ionice", "kill"):
        expect(is_reached(box, [], attack), "control: %s reaches nobody" % attack)
        expect(not is_reached(box, [box.zs, "run", "--"], attack), "reached: %s" % attack)


# Takes a lease on a file that it can read, and holds it until its input ends.
LEASE = """
import fcntl, signal, sys
signal.signal(signal.SIGIO, signal.SIG_IGN)
file = open(sys.argv[1])
fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
print("taken", flush=True)
sys.stdin.read()
"""


def makes_others_wait(box, argv, path):
    with box.start([*argv, "python3", "-c", LEASE, path]) as holder:
        try:
            started = holder.stdout.readline() == b"taken\n"
            expect(started or b"Operation not permitted" in holder.stderr.read(), "the attack did not run")
            with contextlib.suppress(BlockingIOError):
                os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
                return False
            return True
        finally:
            holder.stdin.close()


@test(needs=["sandbox"])
def nobody_outside_waits_for_a_lease(box):
    """The kernel makes a process that opens a leased file wait for up to 45 seconds, each time."""
    path = box.file("outside/read", "text\n")
    expect(makes_others_wait(box, [], path), "control: nobody waits")
    for option in ("--ro", "--rw"):
        expect(not makes_others_wait(box, [box.zs, "run", option, path, "--"], path), "%s: they wait" % option)


@test(needs=["sandbox", "strace"])
def signals_stay_inside_where_landlock_has_no_scopes(box):
    """Before ABI 6 (Linux 6.12). Each process that asks for the ABI does so before it makes a ruleset."""
    old = [*injected("landlock_create_ruleset:retval=4:when=1"), box.zs, "run", "--"]
    expect(not is_reached(box, old, "kill"), "reached")
    # The attack has run, and the command can still signal its own groups.
    script = "echo started; kill -0 0 2>/dev/null && exit 1; set -m; sleep 60 & kill -TERM -$!; wait $!; echo $?"
    box.run([*old, "bash", "-c", script]).expect(stdout="started\n143\n")


@test(needs=["sandbox", "strace"])
def the_right_of_sockets_is_used_where_the_kernel_has_it(box):
    """From ABI 9 on (Linux 7.1). strace simulates this ABI, so the test shows what zs asks of the kernel, not what such
    a kernel does."""
    path = box.outside + "/socket"
    log = box.file("strace.log")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        os.chmod(path, 0o777)
        # An ABI that is newer than zs knows counts as the newest that it knows. The simulated ruleset has a number that
        # is no descriptor of zs, and a refused signal shows zs that the ruleset is in effect. For ABI 8 this kernel
        # makes the ruleset.
        played = ["-e", "inject=landlock_add_rule,landlock_restrict_self:retval=0", "-e",
            "inject=kill:error=EPERM:when=1"]
        for abi, when, also, handled in ((5009, "", played, "0x1bff2"), (8, ":when=1", [], "0xbff2")):
            box.run(["strace", "-D", "-f", "-qq", "-X", "raw", "-o", log, "-e",
                "trace=landlock_create_ruleset,landlock_add_rule,landlock_restrict_self,kill", "-e",
                "inject=landlock_create_ruleset:retval=%d%s" % (abi, when), *also,
                box.zs, "run", "--socket", path, *(["--without=sockets"] if abi < 9 else []), "--", "true"]).expect()
            calls = read(log)
            expect("handled_access_fs=%s," % handled in calls and calls.count("allowed_access=0x10000,") == (abi > 9),
                "ABI %d: %s" % (abi, calls))


# A daemon that runs on, and a group that the terminal stops, since another group is in the foreground.
STOP = """
import os, signal, termios, time
if os.fork() == 0:
    os.setsid()
    for _ in range(300):
        os.utime("beat"), time.sleep(0.1)
    os._exit(0)
if os.fork() == 0:
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    os.setpgid(0, 0), os.tcsetpgrp(0, os.getpgrp()), time.sleep(30)
time.sleep(0.5)
termios.tcsetattr(0, termios.TCSANOW, termios.tcgetattr(0))
time.sleep(30)
"""


@test(needs=["sandbox"], slow=True)
def the_wall_limit_holds_for_what_is_stopped(box):
    """A command can make the terminal stop zs, as ^Z does, and can leave the group that is stopped."""
    beat = box.file("home/project/beat")
    script = box.file("home/project/stop.py", STOP)
    # bash gives the terminal to the job, and prints that the job has stopped.
    wall = 3 * SLOWNESS
    job = "set -m; %s run --limit wall=%ds -- python3 %s; echo now $?; sleep %d; echo later" % (box.zs, wall, script,
        wall + 2)
    terminal = Terminal(box, ["/bin/bash", "-c", job])
    terminal.end()
    shown = terminal.shown
    expect("now %d\r\n" % (128 + signal.SIGSTOP) in shown, "control: it was not stopped: %r" % shown)
    if "zs: wall limit %ds reached" % wall not in shown.split("later")[0] or time.time() - os.stat(beat).st_mtime < 1:
        raise Failure("it goes on: %r, %s" % (shown, time.time() - os.stat(beat).st_mtime))
