"""All processes that a run has started are dead when the run ends, whatever they do to the machine."""

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import time

from harness import TIMEOUT, Failure, expect, test
from library_hosts import host_of
from mcp_client import Server
from no_namespaces import no_namespaces, without
from processes import alive, children, wait_until

BOUND = 0.5  # seconds from the cause of the end to the end of all processes
HOGS = 200
LATEST = 5  # seconds, for every try: no machine is this slow, but a run that does not end lasts until its hogs give up
TRIES = 3  # tries, since the machine may do other things too; each late one is printed
VERBOSE = bool(os.environ.get("ZS_TEST_VERBOSE"))

# Starves both processors, and with "aim" pid 1 before, as far as it is let. Its children ignore what can be ignored.
STARVE = """
import ctypes, os, resource, signal, sys, time
print("start %f" % time.monotonic(), flush=True)
libc = ctypes.CDLL(None)
zero = ctypes.c_int(0)
def aim():
    libc.sched_setscheduler(1, 5, ctypes.byref(zero))
    libc.setpriority(0, 1, 19)
    libc.setpriority(2, os.getuid(), 19)
    for act in (lambda: os.sched_setaffinity(1, {min(os.sched_getaffinity(0))}),
            lambda: resource.prlimit(1, resource.RLIMIT_CPU, (1, 1))):
        try:
            act()
        except OSError:
            pass
if "aim" in sys.argv:
    aim()
for number in (1, 2, 3, 13, 15, 18, 20, 21, 22):
    signal.signal(number, signal.SIG_IGN)
wait, go = os.pipe()
end = time.monotonic() + 15 # should nobody end them
for i in range(int(sys.argv[1])):
    if os.fork() == 0:
        os.close(go)
        if i % 2:
            os.setsid()
        os.read(wait, 1)
        while time.monotonic() < end:
            for j in range(100000):
                pass
        os._exit(0)
open(".mcp.json", "w").close()
print("ready", flush=True)
os.close(go)
while time.monotonic() < end:
    pass
"""


def starving(more, confined=True):
    """Without a pid namespace pid 1 is the machine's init, and root may change all of its processes. If the defence
    fails or is missing, the test must not harm them."""
    aims = confined and more.get("preexec_fn") is not no_namespaces
    return ["python3", "-c", STARVE, str(HOGS), *(["aim"] if aims else [])]


def measure_first():
    """As root the measuring process gets a processor at once. The processes that it starts do not inherit this."""
    with contextlib.suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(1))


measure_first()


class Run:
    """A run that starves the machine, and the processes of zs that the test names."""

    def __init__(self, box, argv, ours, more, **files):
        self.began = time.monotonic()
        self.process = box.start(argv, **{"stdin": None, **files, **more})
        self.ours = ours
        self.out = self.process.stdout

    def __enter__(self):
        if not self.out.readline().startswith(b"start ") or self.out.readline() != b"ready\n":
            self.process.kill()  # a session host ends only with its stdin, and keeps stderr open
            raise Failure("control: it does not starve: %r" % self.process.stderr.read())
        self.pids = self.ours(self.process.pid)
        self.ends = {os.pidfd_open(pid): name for name, pid in self.pids.items()}
        return self

    def __exit__(self, *_):
        for fd in self.ends:
            os.close(fd)
        self.process.kill()
        self.process.__exit__(*_)

    def seconds(self, began):
        """The seconds until the last process with the standard output has ended, and until each process of zs has."""
        out, late = self.out.fileno(), {}
        waiting = {out, *self.ends}
        poll = select.poll()
        for fd in waiting:
            poll.register(fd, select.POLLIN)
        while out in waiting:
            for fd, _ in poll.poll(TIMEOUT * 1000) or [(None, None)]:
                expect(fd is not None, "it goes on")
                if fd == out and os.read(out, 65536):
                    continue
                poll.unregister(fd)
                waiting.remove(fd)
                late[self.ends.get(fd, "all")] = round(time.monotonic() - began, 3)
        return late


def of_run(pid):
    """The processes of zs run. Without namespaces the watchdog and the killer take the places of watch and init. The
    collector of denials is a child without children."""
    watch = next(child for child in children(pid) if children(child))
    return {"supervisor": pid, "watch": watch, "init": children(watch)[0]}


def of_session(pid):
    session_parent, runner, supervisor = children(pid)
    init = children(session_parent)[0]
    return {"host": pid, "session_parent": session_parent, "runner": runner, "supervisor": supervisor, "init": init}


def of_tracker(pid):
    return {"host": pid}


def run(box, options, more):
    return Run(box, [box.zs, "run", *options, "--", *starving(more)], of_run, more)


def host(kind, ours):
    """The host has no terminal. With one, a session's commands share the processors with the runner:
    a_command_is_alone_without_a_terminal of test_aimed_calls.py."""
    def start(box, options, more):
        argv = host_of(box, kind, options, more, starving(more, kind != "tracker"))
        return Run(box, argv, ours, {"start_new_session": True, **more}, stdin=subprocess.PIPE)
    return start


session, tracker = host("session", of_session), host("tracker", of_tracker)


class Call(Run):
    """The processes of a tool server. The command's output comes by a named pipe, of which the server has no end."""

    def __init__(self, box, options, more, timeout=60):
        pipe = os.path.join(box.work, "out")
        if not os.path.exists(pipe):
            os.mkfifo(pipe)
            box.own(pipe)
            box.file("home/project/starve.py", STARVE)
        self.server = Server(box, "-p", "relaxed", *options, **more)
        self.process, self.ours = self.server.process, of_call
        self.began = time.monotonic()
        self.call = self.server.call("python3 starve.py %d aim > out" % HOGS, timeout=timeout)
        self.out = open(pipe, "rb")

    def __exit__(self, *_):
        super().__exit__(*_)
        self.out.close()


def of_call(pid):
    return {"server": pid, **of_run(children(pid)[0])}


def call_times_out(_, box, options, more):
    with Call(box, options, more, timeout=3) as one:
        late = one.seconds(one.began + 3)
        expect(one.server.answer(one.call)["result"]["structuredContent"]["timed_out"],
            "control: the time has not ended it")
        return late


def end_server(how):
    def attempt(_, box, options, more):
        with Call(box, options, more) as one:
            began = time.monotonic()
            how(one.process)
            return one.seconds(began)
    return attempt


def kill(name):
    def attempt(start, box, options, more):
        with start(box, options, more) as one:
            began = time.monotonic()
            os.kill(one.pids[name], signal.SIGKILL)
            if name == "host": # the host is no process of zs, and may die late itself
                one.process.wait(TIMEOUT)
                began = time.monotonic()
            return one.seconds(began)
    return attempt


def wall(start, box, options, more):
    with start(box, [*options, "--limit", "wall=3s"], more) as one:
        late = one.seconds(one.began + 3)
        expect(start is not run or b"wall limit" in one.process.stderr.read(), "control: the limit has not ended it")
        return late


def expect_bound(box, what, attempt, start=run, options=(), looks=True, **more):
    """looks: the process that looks for protected names has not been killed."""
    tries = []
    while not tries or tries[-1]["all"] > BOUND and len(tries) < TRIES:
        tries.append(attempt(start, box, options, more))
        if tries[-1]["all"] > BOUND:
            print("%s [%s]: late: %s" % (what, box.user.name, tries[-1]), flush=True)
        if tries[-1]["all"] > LATEST:
            break
    expect(tries[-1]["all"] <= BOUND, "%s: dead after so many seconds: %s" % (what, tries))
    if VERBOSE:
        print(what, tries, flush=True)
    # The last look comes after the end.
    wait_until(lambda: not looks or not os.path.exists(os.path.join(box.work, ".mcp.json")),
        "%s: a protected name is there" % what)


@test(needs=["sandbox"], slow=True)
def the_wall_limit_holds_beside_hogs(box):
    expect_bound(box, "wall limit", wall)


@test(needs=["sandbox"])
def the_end_of_the_supervisor_is_the_end_of_all(box):
    expect_bound(box, "supervisor", kill("supervisor"))


@test(needs=["sandbox"])
def the_end_of_the_watch_is_the_end_of_all(box):
    expect_bound(box, "watch", kill("watch"), looks=False)


@test(needs=["sandbox"])
def the_end_of_the_init_is_the_end_of_all(box):
    expect_bound(box, "init", kill("init"))


@test(needs=["sandbox"], slow=True)
def without_namespaces_too(box):
    """The watchdog takes the place of the watch, and the killer, its first child, that of the init."""
    more = {"preexec_fn": no_namespaces, "looks": False, "options": without(box)} # 'protect' is waived
    expect_bound(box, "wall limit", wall, **more)
    expect_bound(box, "supervisor", kill("supervisor"), **more)
    expect_bound(box, "watchdog", kill("watch"), **more)
    expect_bound(box, "killer", kill("init"), **more)


@test(needs=["sandbox"], slow=True)
def a_session_ends_as_soon(box):
    expect_bound(box, "wall limit", wall, session)
    for name in ("supervisor", "runner", "session_parent", "init", "host"):
        expect_bound(box, name, kill(name), session)


@test(needs=["sandbox"], slow=True)
def a_session_without_namespaces_too(box):
    """The guard takes the place of the init."""
    more = {"preexec_fn": no_namespaces, "looks": False, "options": without(box)}
    expect_bound(box, "wall limit", wall, session, **more)
    for name in ("supervisor", "runner", "session_parent", "init", "host"):
        expect_bound(box, name, kill(name), session, **more)


@test(needs=["sandbox", "bash"], slow=True)
def a_call_of_the_tool_server_ends_as_soon(box):
    expect_bound(box, "timeout", call_times_out)
    expect_bound(box, "SIGTERM", end_server(lambda server: server.terminate()))
    expect_bound(box, "SIGKILL", end_server(lambda server: server.kill()))
    expect_bound(box, "end of input", end_server(lambda server: server.stdin.close()))


@test(needs=["root", "cgroup2"], slow=True)
def the_end_of_a_trackers_host_is_the_end_of_all(box):
    """The tracker has a cgroup. Without one it ends a command's processes generation by generation:
    docs/security.md."""
    expect_bound(box, "host", kill("host"), tracker, looks=False)


IDLE = ["sh", "-c", "echo start now; echo ready; exec sleep 20"]


def end_behind_the_supervisor(one, seconds):
    """Stops the supervisor. Returns how long the command outlives its wall limit."""
    command = children(one.pids["watch" if "watch" in one.pids else "supervisor"])[-1]
    os.kill(one.pids["supervisor"], signal.SIGSTOP)
    wait_until(lambda: not alive(command), "it goes on")
    return time.monotonic() - one.began - seconds


def await_dead(pids):
    """Waits for all of them: the last one removes the run's folder in TMPDIR, and then the test removes the box."""
    wait_until(lambda: not any(map(alive, pids)), "one of ours goes on")


@test(needs=["sandbox"])
def a_stopped_supervisor_delays_no_wall_limit(box):
    """A process outside stops it: no command can. The watch, the watchdog and the runner hold the limit, too."""
    for more, options in (({}, []), ({"preexec_fn": no_namespaces}, without(box))):
        options = [*options, "--limit", "wall=2s"]
        for name, argv, ours, files in (("run", [box.zs, "run", *options, "--", *IDLE], of_run, {}),
                ("session", host_of(box, "session", options, more, IDLE), of_session, {"stdin": subprocess.PIPE})):
            with Run(box, argv, ours, more, **files) as one:
                late = end_behind_the_supervisor(one, 2)
            await_dead(one.pids.values())
            expect(0 <= late < BOUND, "%s %s: dead after %.3f s" % (name, more, late))


@test(needs=["sandbox"])
def a_run_that_never_begins_has_a_wall_limit(box):
    """Stops the supervisor of a session's run as soon as it exists. If it was quicker, the run has begun, and the test
    passes."""
    for more, options in (({}, []), ({"preexec_fn": no_namespaces}, without(box))):
        argv = host_of(box, "session", [*options, "--limit", "wall=2s"], more, IDLE)
        with subprocess.Popen(argv, cwd=box.work, env=box.env, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, **box.user.spawn_options(), **more) as host:
            try:
                end = time.monotonic() + TIMEOUT
                while len(pids := children(host.pid)) < 3 and time.monotonic() < end:
                    time.sleep(0.0002)
                os.kill(pids[2], signal.SIGSTOP)
                began = time.monotonic()
                pids += children(pids[0])
                wait_until(lambda: not alive(pids[2]), "%s: it goes on" % more)
                late = time.monotonic() - began - 2
            finally:
                host.kill()
        await_dead(pids)
        expect(late <= BOUND, "%s: dead after %.3f s" % (more, late))


SLICE = 100000  # SLICE_NS of scheduling.c


class Scheduling(ctypes.Structure):
    """man 2 sched_setattr"""

    _fields_ = [("size", ctypes.c_uint32), ("policy", ctypes.c_uint32), ("flags", ctypes.c_uint64),
        ("nice", ctypes.c_int32), ("priority", ctypes.c_uint32), ("runtime", ctypes.c_uint64),
        ("deadline", ctypes.c_uint64), ("period", ctypes.c_uint64)]


def slice_of(pid):
    """The slice in ns; 0 before Linux 6.12, which has no setting for it."""
    own = Scheduling()
    number = ctypes.c_long(315 if os.uname().machine == "x86_64" else 275)
    ctypes.CDLL(None).syscall(number, ctypes.c_long(pid), ctypes.byref(own), ctypes.c_ulong(ctypes.sizeof(own)), 0)
    return own.runtime


@test(needs=["sandbox"])
def each_of_ours_has_short_slices(box):
    """With longer slices a process of zs would sometimes be late beside hogs. The command has slices as usual."""
    for more, options in (({}, []), ({"preexec_fn": no_namespaces}, without(box))):
        for argv, ours, files in (([box.zs, "run", *options, "--", *IDLE], of_run, {}),
                (host_of(box, "session", options, more, IDLE), of_session, {"stdin": subprocess.PIPE})):
            with Run(box, argv, ours, more, **files) as one:
                one.pids.pop("host", None)
                others = slice_of(children(one.pids["watch" if "watch" in one.pids else "supervisor"])[-1])
                wait_until(lambda: not others or all(slice_of(pid) == SLICE for pid in one.pids.values()),
                    lambda: "%s: %s" % (more, {name: slice_of(pid) for name, pid in one.pids.items()}))
                expect(others != SLICE, "%s: the command has it, too" % more)
            await_dead(one.pids.values())


@test(needs=["sandbox"])
def a_full_pipe_delays_no_end(box):
    """The supervisor reports that a limit has been reached, but its reader does not read."""
    script = "import os, sys, time\nos.set_blocking(2, False)\ntry:\n    while True: os.write(2, b'x' * 65536)\n" \
        "except BlockingIOError: os.set_blocking(2, True)\nprint('ready', flush=True)\ntime.sleep(1000)"
    argv = [box.zs, "run", "--limit", "wall=2s", "--", "python3", "-c", script]
    with box.start(argv) as process:
        expect(process.stdout.readline() == b"ready\n", "control: it does not run")
        watch = of_run(process.pid)["watch"]
        wait_until(lambda: not alive(watch), "it goes on")
        process.stderr.read()
