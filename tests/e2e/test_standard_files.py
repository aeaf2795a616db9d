"""The caller's files as standard descriptors: the command reads and writes them, but cannot change their mode, owner,
times and attributes."""

import fcntl
import os
import stat
import subprocess
import sys
import time

from harness import HERE, Failure, expect, read, test
from no_namespaces import no_namespaces, without
from processes import Terminal

# Attempts on descriptor 0: by its number, by a copy, by a descriptor that was sent, and by its name in /proc.
CHANGE = r"""
import array, os, socket, sys
how, change = sys.argv[1:]
fd = 0
if how == "copy":
    fd = os.dup(0)
elif how == "sent":
    a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    socket.send_fds(a, [b"x"], [0])
    fd = socket.recv_fds(b, 1, 1)[1][0]
elif how == "name":
    fd = "/proc/self/fd/0"
elif how == "again":
    fd = os.open("/proc/self/fd/0", os.O_RDONLY)
elif how == "child":
    if pid := os.fork():
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
try:
    if change == "mode":
        os.chmod(fd, 0o640)
    elif change == "owner":
        os.chown(fd, 1, 1)
    elif change == "times":
        os.utime(fd, (1, 1))
    else:
        os.setxattr(fd, "user.x", b"x")
except OSError as error:
    sys.exit(os.strerror(error.errno))
"""
WAYS = ("number", "copy", "sent", "name", "again", "child")
PUT_BACK = "zs: standard %s: the command has changed its mode or owner; zs has restored it\n"


class Null:
    """A /dev/null of the test's own in a mount namespace, since a control may harm it."""

    def __init__(self, box):
        self.path = os.path.join(box.root, "null")
        os.mknod(self.path, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        os.chmod(self.path, 0o666)
        os.utime(self.path, (5, 5))
        self.before = self.look()

    def look(self):
        st = os.stat(self.path)
        return oct(st.st_mode), st.st_uid, st.st_gid

    def run(self, box, argv, redirect="</dev/null", **options):
        """Runs a script in a shell whose standard input is this /dev/null."""
        script = "mount --bind %s /dev/null && exec \"$@\" %s" % (self.path, redirect)
        return subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", *argv], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, cwd=box.work, env=box.env, **options)


def name_of(master):
    return "/dev/pts/%d" % int.from_bytes(fcntl.ioctl(master, 0x80045430, b"1234"), sys.byteorder)  # TIOCGPTN


def change(how, what):
    return ["/usr/bin/python3", "-c", CHANGE, how, what]


@test(needs=["sandbox", "root", "machine-root"])
def null_is_the_machines(box):
    null, run = Null(box), [box.zs, "run", "--no-settings"]
    for what in ("mode", "owner", "times"):
        for how in WAYS:
            done = null.run(box, [*run, "--", *change(how, what)])
            if "Read-only file system" not in done.stderr or null.look() != null.before or done.returncode != 1:
                raise Failure("%s by %s: %s %s" % (what, how, done, null.look()))
    for redirect in ("<&-", ">/dev/null 2>&1 </dev/null"):
        null.run(box, [*run, "--", *change("number", "mode")], redirect)
        expect(null.look() == null.before, "%s: %s" % (redirect, null.look()))
    # With a policy that grants no /dev the descriptor has no name.
    granted = ", ".join('{"path": "%s", "access": "exec"}' % path for path in ("/usr", "/lib", "/lib64"))
    bare = box.file("bare.json", '{"version": 1, "paths": [%s]}' % granted)
    done = null.run(box, [box.zs, "run", "--policy", bare, "--", *change("number", "mode")])
    expect("Read-only file system" in done.stderr and null.look() == null.before, "without /dev: %s" % done)
    # The device works as before: reads return nothing, and writes are discarded.
    done = null.run(box, [*run, "--", "sh", "-c", "cat; echo x >&0 && readlink /proc/self/fd/0"], "<>/dev/null")
    expect((done.returncode, done.stdout) == (0, "/dev/null\n"), done)
    # Without namespaces zs restores it.
    alone = [sys.executable, "-B", os.path.join(HERE, "no_namespaces.py")]
    done = null.run(box, [*alone, *run, *without(box), "--", *change("number", "mode")])
    expect(null.look() == null.before and done.stderr == PUT_BACK % "input",
        "without namespaces: %s %s" % (done, null.look()))
    # The control.
    done = null.run(box, change("number", "mode"))
    expect(done.returncode == 0 and null.look() != null.before, "control: %s" % done)


@test(needs=["sandbox"])
def the_callers_terminal_is_his(box):
    """The mode of a terminal decides who else may write to it or read its input."""
    modes = {}
    for name, argv in (("free", []), ("zs", [box.zs, "run", "--no-settings", "--"])):
        terminal = Terminal(box, [*(argv or ["/usr/bin/env"]), "/usr/bin/python3", "-c",
            CHANGE + "\nprint('changed')\n", "number", "mode"])
        terminal.type("", "changed|Read-only")
        modes[name] = stat.S_IMODE(os.stat(name_of(terminal.fd)).st_mode), terminal.shown
        terminal.end()
    expect(modes["free"][0] == 0o640 and modes["zs"][0] != 0o640 and "Read-only" in modes["zs"][1], modes)
    # The descriptor is still a terminal, and has a name.
    terminal = Terminal(box, [box.zs, "run", "--no-settings", "--", "sh", "-c",
        "tty; readlink /proc/self/fd/0; stty size >/dev/null && test -t 0 && echo yes"])
    terminal.end()
    expect(terminal.shown == "/dev/console\r\n/dev/console\r\nyes\r\n", terminal.shown)


@test(needs=["sandbox"])
def a_callers_file_is_read_and_not_changed(box):
    path = box.file("outside/list", "one\ntwo\n", 0o600)

    def look():
        st = os.stat(path)
        return oct(st.st_mode), st.st_uid, st.st_gid, st.st_mtime, os.listxattr(path)

    def fresh():
        os.chmod(path, 0o600)
        os.utime(path, (5, 5))
        return look()

    direct = ["sh", "-c", "exec \"$@\" <%s" % path, "sh"]
    for what in ("mode", "times", "attribute"):
        before = fresh()
        box.run([*direct, *change("number", what)]).expect()
        expect(look() != before, "control: %s: %s" % (what, before))
    os.removexattr(path, "user.x")
    for what in ("mode", "owner", "times", "attribute"):
        for how in WAYS:
            before = fresh()
            done = box.run([*direct, box.zs, "run", "--no-settings", "--", *change(how, what)])
            expect(look() == before and done.exit == 1 and "Read-only file system" in done.stderr,
                "%s by %s: %s, %s" % (what, how, look(), done))
    # Opened again, the file is as little writable as before.
    direct[2] = "exec \"$@\" <>%s" % path
    done = box.run([*direct, box.zs, "run", "--no-settings", "--", "sh", "-c", "cat; echo x >>/dev/stdin; echo x >&0"])
    expect((done.exit, done.stdout, read(path)) != (0, "one\ntwo\n", "one\ntwo\n"), "for both: %s" % done)
    # The caller does not read again the part that the command has read, and the file can be sought in.
    script = "{ read line; %s run --no-settings -- sh -c 'read line; echo $line'; cat; } <%s"
    box.run(["sh", "-c", script % (box.zs, path)]).expect(stdout="two\n", stderr="")
    script = "%s run --no-settings -- sh -c 'head -n 1; cat; stat -Lc %%s /dev/stdin' <%s"
    box.run(["sh", "-c", script % (box.zs, path)]).expect(stdout="one\ntwo\n8\n", stderr="")


# Attempts on descriptor 1.
REWRITE = r"""
import os, sys
before = os.lseek(1, 0, os.SEEK_END) if sys.argv[1] == "write" else 0
if sys.argv[1] == "cut":
    os.ftruncate(1, 0)
elif sys.argv[1] == "write":
    os.pwrite(1, b"XXXX", 0)
elif sys.argv[1] == "read":
    sys.stderr.write(os.pread(1, 4, 0).decode())
elif sys.argv[1] == "mode":
    os.fchmod(1, 0o666)
elif sys.argv[1] == "times":
    os.utime(1, (1, 1))
elif sys.argv[1] == "name":
    os.chmod("/proc/self/fd/1", 0o666)
else:
    os.setxattr(1, "user.x", b"x")
"""


@test(needs=["sandbox"])
def a_callers_file_is_written_and_not_changed(box):
    """The earlier lines of the file belong to the caller, too."""
    path = os.path.join(box.outside, "log")
    tail = "exec \"$@\" %s" % path.join(("1<>", ""))

    def attack(how, zs):
        box.file("outside/log", "one\ntwo\n", 0o600)
        for name in os.listxattr(path):
            os.removexattr(path, name)
        os.chmod(path, 0o600)
        done = box.run(["sh", "-c", tail, "sh", *zs, "/usr/bin/python3", "-c", REWRITE, how])
        st = os.stat(path)
        return (read(path), oct(st.st_mode), st.st_mtime == 1, os.listxattr(path), "one" in done.stderr), done

    kept = ("one\ntwo\n", "0o100600", False, [], False)
    for how in ("cut", "write", "read", "mode", "times", "name", "attribute"):
        free, done = attack(how, [])
        expect(free != kept, "control: %s: %s" % (how, done))
        held, done = attack(how, [box.zs, "run", "--no-settings", "--"])
        expect(held == kept, "%s: %s, %s" % (how, held, done))


@test(needs=["sandbox"])
def all_that_is_written_arrives_in_order(box):
    path = os.path.join(box.outside, "log")
    zs = box.zs + " run --no-settings "
    mode = lambda: stat.S_IMODE(os.stat(path).st_mode)  # noqa: E731
    for redirect in (">%s", ">%s 2>&1", ">>%s 2>>%s"):
        redirect = redirect.replace("%s", path)
        box.file("outside/log", "", 0o600)
        script = "{ echo 1; %s-- sh -c 'echo 2; echo 3 >&2; echo 4 >/dev/stdout'; echo 5; } %s" % (zs, redirect)
        box.run(["sh", "-c", script]).expect()
        expect(read(path) == ("1\n2\n3\n4\n5\n" if "2>" in redirect else "1\n2\n4\n5\n") and mode() == 0o600,
            "%s: %s" % (redirect, read(path)))
    # The output is more than a pipe holds, and ends with the command.
    box.run(["sh", "-c", "%s-- seq 300000 >%s; seq 300000 | cmp - %s" % (zs, path, path)]).expect(stdout="")
    box.run(["sh", "-c", "%s-- sh -c 'seq 1000; kill -9 $$' >%s; wc -l <%s" % (zs, path, path)]).expect(stdout="1000\n")
    # If the command may write the file by its name, it gets the file itself.
    box.run(["sh", "-c", "%s-- sh -c 'test -f /dev/stdout && chmod 640 out' >out; stat -c %%a out" % zs]).expect(
        stdout="640\n")
    # A limit ends the command as if the command had reached it itself.
    done = box.run(["sh", "-c", "%s--limit file-size=10K -- yes >%s" % (zs, path)])
    expect((done.exit, done.stderr, os.path.getsize(path)) == (153, "zs: file-size limit 10K reached\n", 10240), done)


# Reads its own output from the pipe before the supervisor does.
STEAL = r"""
import os, time
fd = os.open("/proc/self/fd/1", os.O_RDONLY)
os.write(1, b"x")
os.read(fd, 1)
time.sleep(60)
"""


@test(needs=["sandbox", "strace"])
def a_command_that_reads_its_own_output_holds_nobody_up(box):
    """strace slows down the supervisor, and follows no other process."""
    slow = "exec strace -D -o /dev/null -e trace=read -e inject=read:delay_enter=100000 "
    script = slow + "%s run --no-settings -- /usr/bin/python3 -c '%s' >%s/log"
    run = subprocess.Popen(["sh", "-c", script % (box.zs, STEAL, box.outside)], cwd=box.work, env=box.env,
        **box.user.spawn_options())
    time.sleep(1.5)
    run.terminate()
    try:
        run.wait(20)
    except subprocess.TimeoutExpired:
        run.kill()
        run.wait()
        raise Failure("the supervisor waits") from None


@test(needs=["sandbox", "root"])
def a_write_that_fails_is_said(box):
    """The command may have ended by then. The pipe holds the whole output, so its one write cannot cause SIGPIPE."""
    script = "mount -t tmpfs -o size=16k none /mnt; "
    script += "exec %s run --no-settings -- dd if=/dev/zero bs=32k count=1 status=none >/mnt/f"
    script %= box.zs
    done = subprocess.run(["unshare", "-m", "sh", "-c", script], stderr=subprocess.PIPE, text=True, cwd=box.work,
        env=box.env, check=False)
    expect((done.returncode, done.stderr) == (125, "zs: standard output: No space left on device\n"), done)


@test(needs=["sandbox"])
def the_mode_of_a_callers_file_is_put_back(box):
    """Without namespaces, and for a file without a name, which cannot be opened again."""
    path = box.file("outside/list", "one\ntwo\n", 0o600)
    mode = lambda fd: stat.S_IMODE(os.stat(fd).st_mode)  # noqa: E731
    direct = ["sh", "-c", "exec \"$@\" <%s" % path, "sh"]
    box.run([*direct, *change("number", "mode")]).expect()
    expect(mode(path) == 0o640, "control: %o" % mode(path))
    for how in ("number", "copy", "name"):
        os.chmod(path, 0o600)
        done = box.run([*direct, box.zs, "run", "--no-settings", *without(box), "--", *change(how, "mode")],
            preexec_fn=no_namespaces)
        expect(mode(path) == 0o600 and done.stderr == PUT_BACK % "input", "%s: %o, %s" % (how, mode(path), done))
    script = "{ echo 1; %s run --no-settings %s -- sh -c 'echo 2; chmod 777 /proc/self/fd/1'; echo 3; } >%s"
    box.run(["sh", "-c", script % (box.zs, " ".join(without(box)), path)], preexec_fn=no_namespaces).expect(
        stderr=PUT_BACK % "output")
    expect(mode(path) == 0o600 and read(path) == "1\n2\n3\n", "of standard output: %o" % mode(path))
    script = "exec 3<%s; rm %s; \"$@\" <&3; stat -Lc %%a /proc/self/fd/3" % (path, path)
    box.run(["sh", "-c", script, "sh", box.zs, "run", "--no-settings", "--", *change("number", "mode")]).expect(
        stdout="600\n", stderr=PUT_BACK % "input")
