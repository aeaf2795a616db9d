"""A person at a terminal: the terminal's size and name, and a login shell."""

import fcntl
import os
import pty
import pwd
import struct
import termios

from harness import expect, test
from processes import Terminal

SHELL = ["bash", "--norc", "--noediting", "-i"]


def start(box, *options):
    terminal = Terminal(box, [box.zs, "run", "--env", "PS1", *options])
    terminal.type("", r"(ready> |[$#] )$")
    return terminal


def resize(terminal, rows, columns):
    fcntl.ioctl(terminal.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


# The arguments of zs, and the start of its denial: plain and in red.
SAYS_NO = [
    (["vett"], "zs: vett: no such command", "\x1b[1;31mzs:\x1b[0m vett: no such command"),
    (["vet", "/no/such"], "zs: vet: /no/such: no such", "\x1b[1;31mzs:\x1b[0m vet: /no/such: no such"),
    (["bash", "-c", "cd /"], "zs: blocked (cd): ", "\x1b[1;31mzs:\x1b[0m blocked (cd): "),
    (["vet", "-c", "cd /"], "block cd: ", "\x1b[1;31mblock\x1b[0m cd: "),
]


@test()
def colours(box):
    """Colours appear only on a terminal that shows them, unless the user has turned them off."""
    for arguments, plain, red in SAYS_NO:
        for env, want in (({"TERM": "xterm"}, red), ({"TERM": "xterm", "NO_COLOR": ""}, red),
            ({"TERM": "xterm", "NO_COLOR": "1"}, plain), ({"TERM": "dumb"}, plain), ({}, plain)):
            terminal = Terminal(box, [box.zs, *arguments], env)
            terminal.end()
            expect(terminal.shown.startswith(want) and (want != plain or "\x1b" not in terminal.shown),
                "%s with %s: %r" % (arguments, env, terminal.shown))
        done = box.run_zs(*arguments, add_env={"TERM": "xterm"})
        expect((done.stdout + done.stderr).startswith(plain) and "\x1b" not in done.stdout + done.stderr,
            "not on a terminal: %s" % done)


@test(needs=["sandbox", "bash"])
def window_size(box):
    terminal = start(box, "--", *SHELL)
    resize(terminal, 33, 77)
    terminal.type("stty size\n", r"\n33 77\r")
    # The program in the foreground gets the signal, and so does the shell.
    terminal.type("trap 'echo is $(stty size)' WINCH\n", "ready> $")
    terminal.type("""sh -c 'trap "echo in""ner" WINCH; echo u""p; read x; read x'\n""", r"\bup\r")
    resize(terminal, 44, 88)
    terminal.type("", "inner")
    terminal.type("\n\n", "ready> $")
    resize(terminal, 55, 99)
    terminal.type("\n", "is 55 99")
    terminal.type("exit\n", "exit")
    terminal.end()


@test(needs=["sandbox", "bash", "perl"])
def the_terminal_has_a_name(box):
    """Only the caller's terminal is visible."""
    fds = pty.openpty()
    if box.user.uid is not None:
        os.chown(os.ttyname(fds[1]), box.user.uid, -1)
    terminal = start(box, "--", *SHELL)
    terminal.type("tty\n", r"\b/?dev/console\r")
    terminal.type("echo sh''own >/dev/console\n", r"\bshown\r")
    terminal.type("test -t 9 9<>/dev/console && echo a t''ty\n", "a tty")
    terminal.type("ls /dev/pts; test -e %s || echo n''one\n" % os.ttyname(fds[1]), r"\bptmx\r\nnone\r")
    terminal.type("chmod 777 /dev/console || echo ke''pt\n", "kept")
    type_into = "open(F, q(+<), q(/dev/console)) or die; $c = q(x); ioctl(F, %d, $c) or print qq(no: $!\\n)"
    terminal.type("perl -e '%s'\n" % type_into % termios.TIOCSTI, r"\bno: Operation not permitted")
    terminal.type("exit\n", "exit")
    terminal.end()
    for fd in fds:
        os.close(fd)
    # There is no such name without a terminal, or without a grant of terminals.
    box.run_zs("run", "--", "sh", "-c", "test -e /dev/console || tty").expect(exit=1, stdout="not a tty\n")
    policy = box.file("policy.json", '{"version": 1, "workspace": {"root": "%s", "access": "write"}, "paths": ['
        '{"path": "/usr", "access": "exec"}, {"path": "/bin", "access": "exec"}, {"path": "/lib", "access": "exec"},'
        '{"path": "/lib64", "access": "exec"}]}' % box.work)
    script = "test ! -e /dev/console && echo n''one"
    terminal = Terminal(box, [box.zs, "run", "--policy", policy, "--", "sh", "-c", script])
    terminal.type("", "none")
    terminal.end()


@test(needs=["sandbox", "bash"])
def login(box):
    box.file("home/.profile", "echo profile of $0\n")
    try:
        shell = pwd.getpwuid(os.geteuid() if box.user.uid is None else box.user.uid).pw_shell
    except KeyError:
        shell = ""
    if not os.access(shell, os.X_OK) or os.path.basename(shell) in ("nologin", "false"):
        shell = "/bin/bash"
    box.run_zs("run", "--login", stdin="echo $0\nexit 3\n").expect(exit=3,
        stdout="profile of -%s\n-%s\n" % (shell, shell))
    terminal = start(box, "--login")
    terminal.type("echo $((6*7))\n", r"\n42\r")
    terminal.type("exit 4\n", "logout")
    code = terminal.end()
    expect(code == 4, "exit %d" % code)
    box.run_zs("run", "--login", "--", "true").expect(exit=64, stderr=["does not go with a command"])
    # Each shell finds the terminal by its name.
    for other in ("/bin/bash", "/bin/dash", "/bin/ksh", "/bin/mksh"):
        if os.access(other, os.X_OK):
            box.run_zs("run", "--", "-" + other, stdin="echo on\n").expect(stdout="profile of -%s\non\n" % other)
