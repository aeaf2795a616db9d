"""Without namespaces: the messages of zs, the commands that run after the promises are waived, and the end of all
processes.

The attacks on what Landlock and seccomp hold are in tests/sandbox/test_landlock_tier.c."""

import contextlib
import os
import signal
import socket
import subprocess
import time

from harness import TIMEOUT, Changed, Failure, expect, read, test
from no_namespaces import lacking, no_namespaces, without
from processes import Terminal, alive, asleep, children, new_mark, processes, stop_and_kill, wait_until

DOCKER = {"preexec_fn": no_namespaces}


def lax(box):
    return ["run", *without(box)]


@test(needs=["sandbox"])
def every_field_at_fault_is_named(box):
    """The option in the message, which waives these promises, works."""
    names = lacking(box)
    line = "zs: sandbox: %s: needs user-namespace: unshare: Operation not permitted; run without: --without %s; or: "
    refused = box.run_zs("run", "--", "sh", "-c", "echo ran >ran", **DOCKER)
    refused.expect(exit=125, stdout="", stderr=[line % (", ".join(names), ",".join(names)), "in Docker: "])
    expect(refused.stderr.count("\n") == 1 and not os.path.exists(box.work + "/ran"), refused)
    option = refused.stderr.split("--without ")[1].split(";")[0]
    box.granted("echo ran >ran && cat ran", zs=["run", "--without", option], stdout="ran\n", **DOCKER)
    for i in range(len(names)):
        fewer = names[:i] + names[i + 1 :]
        refused = box.run_zs("run", "--without", ",".join(fewer), "--", "true", **DOCKER)
        refused.expect(exit=125, stdout="", stderr=["zs: sandbox: %s: needs " % names[i]])


@test(needs=["sandbox"])
def giving_up_what_can_be_had_changes_nothing(box):
    box.file("home/project/.bashrc", "text\n")
    box.denied("echo x >>.bashrc", "chmod 644 %s" % box.key, zs=lax(box))
    box.granted("echo $TMPDIR; ls -d /proc/[0-9]* | wc -l | grep -q '^[0-9]$'", zs=lax(box), stdout="/tmp\n")


@test(needs=["sandbox"])
def the_walls_that_are_left(box):
    zs = lax(box)
    box.denied("cat %s" % box.key, "ls %s" % box.home, "ls /tmp", zs=zs, **DOCKER)
    box.denied("echo x >%s/new" % box.outside, harm=Changed(box, box.outside), zs=zs, **DOCKER)
    box.granted("echo x >new && mkdir a && mv new a/ && ln a/new b && rm -r a b && git --version >/dev/null || true",
        zs=zs, stdout="", **DOCKER)
    box.granted("sh -c 'exit 0' | cat; cat /etc/passwd >/dev/null; echo done >/dev/null", zs=zs, **DOCKER)
    # A waived promise is gone, as zs has said.
    box.granted("stat %s >/dev/null && chmod 600 %s" % (box.key, box.key), zs=zs, **DOCKER)
    box.run_zs(*zs, "--", "sh", "-c", "exit 7", **DOCKER).expect(exit=7)
    box.run_zs(*zs, "--", "sh", "-c", "kill -TERM $$", **DOCKER).expect(exit=143)
    box.run_zs(*zs, "--", "no-such-command", **DOCKER).expect(exit=127)


# Root's capabilities, /proc and /sys as in Docker; zs is the container's first process.
CONTAINER = r"""
mount -t proc proc /proc && mount --bind /proc/sys /proc/sys && mount -o remount,bind,ro /proc/sys || exit 99
for place in $(awk '$2 ~ "^/sys(/|$)" { print $2 }' /proc/mounts | sort -r); do
    mount -o remount,bind,ro $place || exit 99
done
few=-all,+chown,+dac_override,+fsetid,+fowner,+mknod,+net_raw,+setgid,+setuid,+setfcap,+setpcap,+net_bind_service
few=$few,+sys_chroot,+kill,+audit_write
exec setpriv --bounding-set=$few --inh-caps=$few -- "$@"
"""


def in_docker(box):
    """The words that start a program in Docker's profile, and in such a container if this user can make one."""
    profile = ["python3", os.path.join(os.path.dirname(os.path.abspath(__file__)), "no_namespaces.py")]
    if not box.user.is_root:
        return profile
    return ["unshare", "-mpfiun", "--propagation", "private", "sh", "-c", CONTAINER, "sh", *profile]


@test(needs=["sandbox"])
def in_dockers_own_profile(box):
    start = in_docker(box)
    box.run([*start, "sh", "-c", "unshare -n true; echo $?"]).expect(stdout="1\n")
    box.run([*start, box.zs, "run", "--", "true"]).expect(exit=125, stdout="",
        stderr=["zs: sandbox: protect, ", "needs user-namespace", "--without protect,"])
    zs = [*start, box.zs, *lax(box), "--"]
    box.run([*zs, "sh", "-c", "echo x >new && cat new && test -d $TMPDIR && exit 7"]).expect(exit=7, stdout="x\n")
    box.run([*zs, "sh", "-c", "(setsid sleep 60 >/dev/null 2>&1 &) ; kill -TERM $$"]).expect(exit=143)
    for attack in ("cat %s" % box.key, "ls /tmp", "echo x >%s/new" % box.outside):
        box.run([*start, "sh", "-c", attack]).expect()
        expect(box.run([*zs, "sh", "-c", attack]).exit != 0, "not denied: %s" % attack)
    doctor = box.run([*start, box.zs, "doctor"]).expect(exit=125, stdout=["missing  user-namespace", "in Docker: ",
        "The policy without these protections can be enforced, by Landlock and seccomp alone:"])
    ipc = doctor.stdout.split("ipc-namespace")[1].split("network-namespace")[0]
    expect("in Docker: " in ipc, "what fixes it is not a newer kernel: %s" % ipc)


def folder_of(box, name="TMPDIR"):
    return box.run_zs(*lax(box), "--", "sh", "-c", "echo $%s" % name, **DOCKER).expect().stdout.strip()


@test(needs=["sandbox"])
def tmp_is_a_folder_of_the_runs_own(box):
    script = ("cd $TMPDIR && stat -c %a . && test $TMPDIR = $TMP && test $TMPDIR = $TEMP && ls -A && mktemp >/dev/null"
        " && mkdir -p a/b/c && echo x >a/b/c/d && chmod 0 a/b && chmod 0 a && chmod 0 . && echo $TMPDIR")
    lines = box.granted(script, zs=lax(box), **DOCKER).stdout.split("\n")
    expect(lines[0] == "700" and lines[1].startswith("/tmp/zs-") and not os.path.lexists(lines[1]), lines)
    # A tree deeper than the limits of descriptors and of a path's bytes.
    deep = ("cd $TMPDIR && python3 -c \"import os; [(os.mkdir('d'), os.chdir('d')) for i in range(3000)]\" &&"
        " echo $TMPDIR")
    path = box.granted(deep, zs=lax(box), **DOCKER).stdout.strip()
    expect(not os.path.lexists(path), "%s is left" % path)
    mine = box.folder("mine", 0o700)
    box.env["TMPDIR"] = mine
    expect(folder_of(box).startswith(mine + "/zs-") and not os.listdir(mine),
        "TMPDIR is not obeyed: %s" % folder_of(box))
    box.env["TMPDIR"] = box.root + "/none"
    box.run_zs(*lax(box), "--", "true", **DOCKER).expect(exit=125, stdout="", stderr=["zs: tmp: ", "set TMPDIR"])
    # In a folder of which others may replace our folder.
    os.chmod(mine, 0o777)
    box.env["TMPDIR"] = mine
    box.run_zs(*lax(box), "--", "true", **DOCKER).expect(exit=125, stdout="", stderr=["zs: tmp: "])


@contextlib.contextmanager
def started(box, script="", options=(), prefix=()):
    """Yields a run, and the mark of the processes that have left it. The command has started these, and waits for its
    input."""
    mark = new_mark()
    start = "setsid sleep %s >/dev/null 2>&1 & (setsid sh -c '(sleep %s &)' &); %s echo up; read x; exit 5" % (
        mark, mark, script)
    process = box.start([*prefix, box.zs, *lax(box), *options, "--", "sh", "-c", start], stderr=subprocess.DEVNULL,
        **DOCKER)
    expect(process.stdout.readline() == b"up\n", "it did not start")
    wait_until(lambda: len(asleep(mark)) == 2, "the daemons did not start")
    try:
        yield process, mark
    finally:
        stop_and_kill(*asleep(mark))
        process.communicate()


def expect_end(process, mark, status):
    expect(not asleep(mark) and process.returncode == status,
        "exit %s, left: %s" % (process.returncode, asleep(mark)))


def kill_watchdog(process, both):
    """Kills the watchdog, the supervisor's last child. both: kills its killer too, before either can act."""
    watchdog = children(process.pid)[-1]
    stop_and_kill(watchdog, *children(watchdog)[:both])


@test(needs=["sandbox"])
def all_ends_with_the_command(box):
    with started(box) as (process, mark):
        process.communicate(b"\n")
        expect_end(process, mark, 5)


@test(needs=["sandbox"])
def all_ends_with_the_supervisor(box):
    """If no process is left to remove it, an empty folder of the run stays."""
    box.env["TMPDIR"] = box.folder("tmp", 0o700)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL):
        with started(box, "echo x >$TMPDIR/file;") as (process, mark):
            process.send_signal(number)
            process.wait()
            wait_until(lambda: not asleep(mark), "%s: something is left" % number)
        folders = os.listdir(box.env["TMPDIR"])
        wait_until(lambda: not any(os.listdir(box.env["TMPDIR"] + "/" + name) for name in folders),
            "%s: files are left" % number)
        expect(len(folders) == (number == signal.SIGKILL), "%s: %s is left" % (number, folders))


@test(needs=["sandbox"])
def all_ends_when_the_watchdog_is_killed(box):
    """A process outside kills the watchdog: no command can. The killer ends the processes that are left; without a
    killer the supervisor does."""
    for both in (False, True):
        with started(box) as (process, mark):
            kill_watchdog(process, both)
            process.wait(TIMEOUT)
            expect_end(process, mark, 137)


@test(needs=["sandbox"])
def what_the_caller_has_started_goes_on(box):
    """A shell that becomes zs by exec leaves its children to zs, such as > >(tee log)."""
    script = "sleep 66 >/dev/null 2>&1 & echo $! >stranger; sleep 0.1 & exec %s %s -- sleep 0.5"
    box.run(["sh", "-c", script % (box.zs, " ".join(lax(box)))], **DOCKER).expect()
    pid = int(read(box.work + "/stranger"))
    expect(alive(pid), "it was ended")
    os.kill(pid, signal.SIGKILL)


@test(needs=["sandbox"])
def the_watchdog_is_killed_beside_strangers(box):
    """The killer is killed too. Then the supervisor must tell the processes of strangers from those of the run."""
    script = "sleep 66 >/dev/null 2>&1 & echo $! >stranger; exec \"$@\""
    with started(box, prefix=["sh", "-c", script, "sh"]) as (process, mark):
        stranger = int(read(box.work + "/stranger"))
        try:
            kill_watchdog(process, True)
            process.wait(TIMEOUT)
            expect_end(process, mark, 137)
            expect(alive(stranger), "a stranger was ended")
        finally:
            os.kill(stranger, signal.SIGKILL)


@test(needs=["sandbox"], slow=True)
def all_ends_at_the_wall_limit(box):
    with started(box, options=["--limit", "wall=2s"]) as (process, mark):
        process.wait(TIMEOUT)
        expect_end(process, mark, 137)


STORM = """
    import os, sys, time
    # Each process starts another and ends at once; some leave for sessions of their own.
    for _ in range(4):
        if os.fork() == 0:
            end = time.monotonic() + 200
            while time.monotonic() < end:
                if os.fork() != 0:
                    os._exit(0)
                os.setsid()
            os._exit(0)
    sys.stdin.readline()
"""


@test(needs=["sandbox"])
def a_storm_of_forks_ends(box):
    """The processes end before a scan can find them, but one kill(-1) reaches them all."""
    script = box.file("home/project/storm-%d.py" % os.getpid(), "\n".join(line[4:] for line in STORM.split("\n")))
    storm = lambda: [pid for pid, words in processes() if words == ["python3", script]]  # noqa: E731
    process = box.start([box.zs, *lax(box), "--", "python3", script], **DOCKER)
    try:
        wait_until(storm, "there is no storm")
        time.sleep(1)
        process.communicate(b"\n", timeout=TIMEOUT)
        expect(not storm(), "it goes on")
    finally:
        while pids := storm():
            stop_and_kill(*pids)
        process.wait()


@test(needs=["sandbox"])
def nothing_outside_ends(box):
    """zs calls kill(-1) within the run's own Landlock domain."""
    with box.start(["sleep", "65"]) as victim:
        try:
            script = "kill -KILL %d; kill -KILL -1; exit 3" % victim.pid
            box.run_zs(*lax(box), "--", "sh", "-c", script, **DOCKER).expect(exit=3)
            expect(alive(victim.pid), "it was killed")
        finally:
            victim.kill()


@test(needs=["sandbox", "perl"])
def terminals(box):
    """A command cannot type into its own terminal, which Landlock does not prevent, nor open another terminal."""
    typed = "perl -e 'ioctl(STDIN, 0x5412, my $x = \"x\") or exit 1'"
    for zs, end in ((["sh", "-c", typed], 0), ([box.zs, *lax(box), "--", "sh", "-c", typed], 1)):
        terminal = Terminal(box, ["/usr/bin/env", "python3", "-c", "import sys; sys.path.insert(0, %r); import os; "
            "from no_namespaces import no_namespaces; no_namespaces(); os.execvp(sys.argv[1], sys.argv[1:])"
            % os.path.dirname(os.path.abspath(__file__)), *zs])
        if terminal.end() != end:
            raise Failure("%s: not %d" % (zs[0], end))
    other, name = os.openpty()
    try:
        path = os.ttyname(name)
        if box.user.uid is not None:
            os.chown(path, box.user.uid, -1)
        box.denied("exec 3<>%s" % path, "ls /dev/pts", zs=lax(box), **DOCKER)
    finally:
        os.close(other)
        os.close(name)


REACH = {
    socket.AF_INET: "connect(STDIN, sockaddr_in(%d, inet_aton('127.0.0.1')))",
    socket.AF_UNIX: "connect(STDIN, sockaddr_un('%s'))",
}


@test(needs=["sandbox", "perl"])
def a_socket_as_standard_input_leads_nowhere(box):
    """In both tiers: an inherited socket belongs to the machine's network, whatever namespace uses it."""
    name = box.work + "/socket"
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as local:
        local.bind(name)
        os.chmod(name, 0o777)
        local.listen(8)
        for zs, more in ((["run"], None), (lax(box), no_namespaces)):
            for family, address in ((socket.AF_INET, tcp.getsockname()[1]), (socket.AF_UNIX, name)):
                script = "use Socket; %s or exit 1; print 'reached'" % (REACH[family] % address)

                def run(*argv, family=family, script=script, more=more):
                    with socket.socket(family) as inherited:
                        return box.run([*argv, "perl", "-e", script], stdin=None,
                            preexec_fn=lambda: (os.dup2(inherited.fileno(), 0), more and more()))

                run("env").expect(stdout="reached")
                refusal = "zs: descriptors: standard input: is a socket"
                run(box.zs, *zs, "--").expect(exit=125, stdout="", stderr=[refusal])
            # One end of a socket pair, as hosts in JavaScript make, cannot be connected elsewhere.
            ours, theirs = socket.socketpair()
            with ours, theirs:
                ours.sendall(b"text")
                ours.shutdown(socket.SHUT_WR)
                setup = lambda more=more, fd=theirs.fileno(): (os.dup2(fd, 0), more and more())  # noqa: E731
                box.run([box.zs, *zs, "--", "cat"], stdin=None, preexec_fn=setup).expect(stdout="text")


@test(needs=["sandbox"])
def inside_a_sandbox_of_our_own(box):
    """Inside zs no namespace is available either, in both tiers."""
    zs = box.work + "/zs"
    box.run(["cp", box.zs, zs]).expect()
    for outer, more in ((["run"], {}), (lax(box), DOCKER)):
        for wide in ([], ["--rw", box.outside]):
            box.run_zs(*outer, "--", zs, "run", *wide, "--", "touch", box.outside + "/new", **more).expect(exit=125,
                stdout="", stderr=["zs: sandbox: ", "needs user-namespace", "--without "])
            expect(not os.path.exists(box.outside + "/new"), "it ran")
        box.run_zs(*outer, "--", zs, *lax(box), "--", "echo", "inner", **more).expect(stdout="inner\n", stderr="")
        # A narrower policy inside holds as well.
        box.file("home/project/kept", "text\n")
        narrow = [zs, "run", "--workspace", box.work + "/sub", "--without", ",".join(lacking(box))]
        os.makedirs(box.work + "/sub", exist_ok=True)
        box.own(box.work + "/sub")
        box.run_zs(*outer, "--rw", box.work, "--", *narrow, "--", "cat", box.work + "/kept", **more).expect(exit=1,
            stderr=["Permission denied"])
