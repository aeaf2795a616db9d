"""The caller's files as standard descriptors: they are read and written, and their mode, owner and times are not the
command's."""

import fcntl
import os
import stat
import subprocess
import sys

import no_namespaces
from harness import Failure, main, test
from processes import Terminal

# Attempts of a command on descriptor 0, by number, by a copy, by one that was sent to it, and by name in /proc.
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
PUT_BACK = "zs: standard %s: the command has changed its mode or owner; it is put back\n"
LANDLOCK = ["--without", "protect,private-tmp,loopback,metadata,processes,privileges"]


class Null:
    """A /dev/null of the test's own in place of the machine's, which a control may harm: in a mount namespace."""

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
        """By a shell, whose standard input is that one."""
        script = "mount --bind %s /dev/null && exec \"$@\" %s" % (self.path, redirect)
        return subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", *argv], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, cwd=box.work, env=box.env, **options)


def name_of(master):
    return "/dev/pts/%d" % int.from_bytes(fcntl.ioctl(master, 0x80045430, b"1234"), sys.byteorder)  # TIOCGPTN


def change(how, what):
    return ["/usr/bin/python3", "-c", CHANGE, how, what]


@test(needs=["sandbox", "root"])
def null_is_the_machines(box):
    null, run = Null(box), [box.zs, "run", "--no-settings"]
    for what in ("mode", "owner", "times"):
        for how in WAYS:
            done = null.run(box, [*run, "--", *change(how, what)])
            if "Read-only file system" not in done.stderr or null.look() != null.before or done.returncode != 1:
                raise Failure("%s by %s: %s %s" % (what, how, done, null.look()))
    for redirect in ("<&-", ">/dev/null 2>&1 </dev/null"):
        null.run(box, [*run, "--", *change("number", "mode")], redirect)
        if null.look() != null.before:
            raise Failure("%s: %s" % (redirect, null.look()))
    # A policy that grants no /dev, in which the descriptor has no name.
    granted = ", ".join('{"path": "%s", "access": "exec"}' % path for path in ("/usr", "/lib", "/lib64"))
    bare = box.file("bare.json", '{"version": 1, "paths": [%s]}' % granted)
    done = null.run(box, [box.zs, "run", "--policy", bare, "--", *change("number", "mode")])
    if "Read-only file system" not in done.stderr or null.look() != null.before:
        raise Failure("without /dev: %s" % done)
    # It is what it was: nothing to read, and whatever is written is gone.
    done = null.run(box, [*run, "--", "sh", "-c", "cat; echo x >&0 && readlink /proc/self/fd/0"], "<>/dev/null")
    if (done.returncode, done.stdout) != (0, "/dev/null\n"):
        raise Failure(done)
    # Without namespaces it is put back.
    alone = [sys.executable, "-B", no_namespaces.__file__]
    done = null.run(box, [*alone, *run, *LANDLOCK, "--", *change("number", "mode")])
    if null.look() != null.before or done.stderr != PUT_BACK % "input":
        raise Failure("without namespaces: %s %s" % (done, null.look()))
    # The control.
    done = null.run(box, change("number", "mode"))
    if done.returncode != 0 or null.look() == null.before:
        raise Failure("control: %s" % done)


@test(needs=["sandbox"])
def the_callers_terminal_is_his(box):
    """Its mode says who else may write to it, or read what is typed."""
    modes = {}
    for name, argv in (("free", []), ("zs", [box.zs, "run", "--no-settings", "--"])):
        terminal = Terminal(box, [*(argv or ["/usr/bin/env"]), "/usr/bin/python3", "-c",
            CHANGE + "\nprint('changed')\n", "number", "mode"])
        terminal.type("", "changed|Read-only")
        modes[name] = stat.S_IMODE(os.stat(name_of(terminal.fd)).st_mode), terminal.shown
        terminal.end()
    if modes["free"][0] != 0o640 or modes["zs"][0] == 0o640 or "Read-only" not in modes["zs"][1]:
        raise Failure(modes)
    # It is a terminal all the same, and has a name.
    terminal = Terminal(box, [box.zs, "run", "--no-settings", "--", "sh", "-c",
        "tty; readlink /proc/self/fd/0; stty size >/dev/null && test -t 0 && echo yes"])
    terminal.end()
    if terminal.shown != "/dev/console\r\n/dev/console\r\nyes\r\n":
        raise Failure(terminal.shown)


@test(needs=["sandbox"])
def the_mode_of_a_callers_file_is_put_back(box):
    """It shares its position with the caller, so it is the same file inside; what is changed is changed back."""
    path = box.file("outside/list", "one\ntwo\n", 0o600)
    mode = lambda: stat.S_IMODE(os.stat(path).st_mode)  # noqa: E731
    direct = ["sh", "-c", "exec \"$@\" <%s" % path, "sh"]
    box.run([*direct, *change("number", "mode")]).expect()
    if mode() != 0o640:
        raise Failure("control: %o" % mode())
    for options, enter in (([], None), (LANDLOCK, no_namespaces.no_namespaces)):
        for how in ("number", "copy", "name"):
            os.chmod(path, 0o600)
            done = box.run([*direct, box.zs, "run", "--no-settings", *options, "--", *change(how, "mode")],
                preexec_fn=enter)
            if mode() != 0o600 or done.stderr != PUT_BACK % "input":
                raise Failure("%s %s: %o, %s" % (options, how, mode(), done))
    # The caller does not read again the part that the command has read, and its own text comes behind.
    script = "{ read line; %s run --no-settings -- sh -c 'read line; echo $line'; cat; } <%s"
    box.run(["sh", "-c", script % (box.zs, path)]).expect(stdout="two\n", stderr="")
    script = "{ echo 1; %s run --no-settings -- sh -c 'echo 2; chmod 777 /proc/self/fd/1'; echo 3; } >%s; cat %s"
    box.run(["sh", "-c", script % (box.zs, path, path)]).expect(stdout="1\n2\n3\n", stderr=PUT_BACK % "output")
    if mode() != 0o600:
        raise Failure("of standard output: %o" % mode())


if __name__ == "__main__":
    main()
