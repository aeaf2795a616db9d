"""Starting processes, and waiting for them."""

import contextlib
import os
import pty
import random
import re
import select
import signal
import time

from harness import TIMEOUT, Failure, read


def state(pid):
    """One letter (man 5 proc_pid_stat), Z for one that has been reaped too."""
    try:
        return read("/proc/%d/stat" % pid).rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return "Z"


def alive(pid):
    return state(pid) != "Z"


def children(pid):
    """The words that started the process."""
    return [int(child) for task in os.listdir("/proc/%d/task" % pid)
        for child in read("/proc/%d/task/%s/children" % (pid, task)).split()]


def descendants(pid):
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return [found for child in children(pid) for found in (child, *descendants(child))]
    return []


def processes():
    """(pid, words) of all processes."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open("/proc/%s/cmdline" % pid, encoding="latin-1") as file:
            yield int(pid), file.read().split("\0")[:-1]


def new_mark():
    """A number of seconds for which no other process sleeps."""
    return "%d" % (10**9 + random.SystemRandom().randrange(10**9))


def asleep(mark):
    return [pid for pid, words in processes() if words == ["sleep", mark]]


def stop_and_kill(*pids):
    """Kills all of them at once, so none can act in between. A process may end with another."""
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)


def injected(*faults):
    """The words that run a program under strace, with these injections: "unshare:error=EPERM"."""
    calls = ",".join(fault.split(":")[0] for fault in faults)
    return ["strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + calls,
        *(word for fault in faults for word in ("-e", "inject=" + fault))]


def wait_until(condition, what):
    """what: the text of the failure, or a function that makes it."""
    deadline = time.monotonic() + TIMEOUT
    while not condition():
        if time.monotonic() >= deadline:
            raise Failure(what() if callable(what) else what)
        time.sleep(0.05)


def wait_asleep(mark, count=1):
    """A shell that has started a process does not wait until that one executes sleep."""
    wait_until(lambda: len(asleep(mark)) == count, lambda: "not started: %s" % asleep(mark))


def read_terminal(fd):
    """All output until the terminal's last process has ended: then Linux answers EIO. One read(2) may return a part."""
    shown = b""
    while select.select([fd], [], [], TIMEOUT)[0]:
        try:
            part = os.read(fd, 4096)
        except OSError:
            return shown.decode(errors="replace")
        shown += part
    raise Failure("the terminal is still in use: %r" % shown)


class Terminal:
    """A program with a terminal of its own, at which the test types."""

    def __init__(self, box, argv, env=None, enter=None):
        """enter: a function that it calls first, as the user who runs the tests."""
        if env is None:
            env = {"TERM": "dumb", "PS1": "ready> "}
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            # In the background of a script the two signals are ignored, and a command would inherit that.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            signal.signal(signal.SIGQUIT, signal.SIG_DFL)
            if enter:
                enter()
            if box.user.uid is not None:
                os.fchown(0, box.user.uid, -1)
                os.setgroups([])
                os.setgid(box.user.uid)
                os.setuid(box.user.uid)
            os.chdir(box.work)
            os.execve(argv[0], argv, {**box.env, **env})
        self.shown = ""

    def type(self, text, until):
        """Types the text, and waits until the output shows `until`."""
        self.shown = ""
        os.write(self.fd, text.encode())
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            if select.select([self.fd], [], [], 0.05)[0]:
                try:
                    self.shown += os.read(self.fd, 4096).decode(errors="replace")
                except OSError:
                    break
            if re.search(until, self.shown):
                return
        raise Failure("typed %r and waited for %r: %r" % (text, until, self.shown))

    def end(self):
        """Returns the exit status. Then `shown` holds the output since the last typed text."""
        self.shown += read_terminal(self.fd)
        os.close(self.fd)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
