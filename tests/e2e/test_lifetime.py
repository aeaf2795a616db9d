"""Everything that a run has started is dead when the run ends, whatever it does to the machine; and none of its system
calls is aimed at a process of ours."""

import json
import os
import signal
import subprocess
import time

from harness import Failure, main, test
from no_namespaces import no_namespaces
from processes import alive, wait_until

BOUND = 0.5  # seconds, from the cause of the end to the end of all
HOGS = 200
TRIES = 3  # other tests may run beside: the best one counts

# Each call at the process argv[1], and at one of its own; prints what each says of the two.
AIM = """
import ctypes, errno, json, os, platform, resource, sys, time
target, libc = int(sys.argv[1]), ctypes.CDLL(None, use_errno=True)
X86 = platform.machine() == "x86_64"
HIGH = 0xdeadbeef << 32
number = ctypes.c_int(0)
zero = ctypes.addressof(number)
mask = (ctypes.c_ubyte * 128)(*[255] * 128)
# size, policy SCHED_BATCH, flags, nice
attr = (ctypes.c_int32 * 14)(56, 3, 0, 0, os.getpriority(os.PRIO_PROCESS, 0))
# Much, so that it ends nothing where it can be set.
limit = (ctypes.c_uint64 * 2)(*resource.getrlimit(resource.RLIMIT_CPU))

def call(numbers, *arguments):
    result = libc.syscall(ctypes.c_long(numbers[0 if X86 else 1]), *map(ctypes.c_ulong, arguments))
    return errno.errorcode[ctypes.get_errno()] if result < 0 else "done"

def aim(pid):
    return {
        "sched_setscheduler": call((144, 119), pid, 3, zero),
        "sched_setscheduler, high bits": call((144, 119), HIGH | pid, 3, zero),
        "sched_setparam": call((142, 118), pid, zero),
        "sched_setattr": call((314, 274), pid, ctypes.addressof(attr), 0),
        "sched_setaffinity": call((203, 122), pid, 128, ctypes.addressof(mask)),
        "setpriority": call((141, 140), 0, pid, 19),
        "ioprio_set": call((251, 30), 1, pid, 3 << 13),
        "prlimit": call((302, 261), pid, 0, ctypes.addressof(limit), 0),
    }

child = os.fork()
if child == 0:
    time.sleep(20)
    os._exit(0)
print(json.dumps({
    "target": aim(target),
    "own child": aim(child),
    "self": aim(0),
    "user": [call((141, 140), 2, 0, 1), call((251, 30), 3, os.getuid(), 3 << 13)],
}))
os.kill(child, 9)
"""

# Starves pid 1, as far as it is let, and then both processors. Its children ignore what can be ignored.
STARVE = """
import ctypes, os, resource, signal, sys, time
print("start %f" % time.monotonic(), flush=True)
libc = ctypes.CDLL(None)
zero = ctypes.c_int(0)
libc.sched_setscheduler(1, 5, ctypes.byref(zero))
libc.setpriority(0, 1, 19)
libc.setpriority(2, os.getuid(), 19)
for act in (lambda: os.sched_setaffinity(1, {min(os.sched_getaffinity(0))}),
        lambda: resource.prlimit(1, resource.RLIMIT_CPU, (1, 1))):
    try:
        act()
    except OSError:
        pass
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


def children(pid):
    with open("/proc/%d/task/%d/children" % (pid, pid)) as file:
        return [int(child) for child in file.read().split()]


def start(box, script, *arguments, options=(), **more):
    return subprocess.Popen([box.zs, "run", *options, "--", "python3", "-c", script, *arguments], cwd=box.work,
        env=box.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **box.user.spawn_options(), **more)


def run_dies(process, cause):
    """The seconds until the last one has gone that has the standard output."""
    began = cause()
    process.stdout.read()
    return time.monotonic() - began


def read_start(process):
    began = float(process.stdout.readline().split()[1])
    if process.stdout.readline() != b"ready\n":
        raise Failure("control: it does not starve")
    return began


def kill_one(choose):
    def attempt(box, options, more):
        with start(box, STARVE, str(HOGS), options=options, **more) as process:
            read_start(process)
            pid = choose(process.pid)

            def cause():
                began = time.monotonic()
                os.kill(pid, signal.SIGKILL)
                return began
            return run_dies(process, cause)
    return attempt


def wall(box, options, more):
    with start(box, STARVE, str(HOGS), options=[*options, "--limit", "wall=3s"], **more) as process:
        began = read_start(process)
        seconds = run_dies(process, lambda: began) - 3
        if b"wall limit" not in process.stderr.read():
            raise Failure("control: the limit has not ended it")
        return seconds


def expect_bound(box, name, attempt, options=(), looks=True, **more):
    """looks: whoever looks after protected names has not been killed."""
    tries = []
    while not tries or min(tries) > BOUND and len(tries) < TRIES:
        tries.append(attempt(box, options, more))
    if min(tries) > BOUND:
        raise Failure("%s: all of it is dead after %s s" % (name, tries))
    if looks and os.path.exists(os.path.join(box.work, ".mcp.json")):
        raise Failure("%s: a protected name is there" % name)


def watch_of(pid):
    return children(pid)[0]


def init_of(pid):
    return children(watch_of(pid))[0]


@test(needs=["sandbox"])
def the_wall_limit_holds_beside_hogs(box):
    expect_bound(box, "wall limit", wall)


@test(needs=["sandbox"])
def the_end_of_the_supervisor_is_the_end_of_all(box):
    expect_bound(box, "supervisor", kill_one(lambda pid: pid))


@test(needs=["sandbox"])
def the_end_of_the_watch_is_the_end_of_all(box):
    expect_bound(box, "watch", kill_one(watch_of), looks=False)


@test(needs=["sandbox"])
def the_end_of_the_init_is_the_end_of_all(box):
    expect_bound(box, "init", kill_one(init_of))


def without(box):
    refused = box.run_zs("run", "--", "true", preexec_fn=no_namespaces).stderr
    return ["--without", refused.split("--without ")[1].split(";")[0]]


@test(needs=["sandbox"])
def without_namespaces_too(box):
    """In place of the watch there are the keeper, and a deputy that is the keeper's first child."""
    more = {"preexec_fn": no_namespaces, "looks": False} # 'protect' is given up
    options = without(box)
    expect_bound(box, "wall limit", wall, options, **more)
    expect_bound(box, "supervisor", kill_one(lambda pid: pid), options, **more)
    expect_bound(box, "keeper", kill_one(watch_of), options, **more)
    expect_bound(box, "deputy", kill_one(init_of), options, **more)


@test(needs=["sandbox"])
def no_call_is_aimed_at_the_init(box):
    """The control is the command's own child, at which each call is let."""
    answers = json.loads(box.run_zs("run", "--", "python3", "-c", AIM, "1").expect().stdout)
    for whom, want in (("target", "EPERM"), ("own child", "done"), ("self", "done")):
        for call, answer in answers[whom].items():
            if answer != want:
                raise Failure("%s at %s: %s, not %s" % (call, whom, answer, want))
    if answers["user"] != ["EPERM"] * 2:
        raise Failure(str(answers))


@test(needs=["sandbox"])
def programs_that_schedule_their_own_go_on(box):
    for script in ("sleep 9 & taskset -p 1 $! && renice -n 19 -p $! && chrt -b -p 0 $! && ionice -c 3 -p $! && "
            "prlimit --pid $! --nofile=64:64 && kill $!",
            "nice -n 5 true && ionice -c 3 true && chrt -b 0 true && taskset 1 true"):
        box.granted(script)


@test(needs=["sandbox"])
def a_full_pipe_delays_no_end(box):
    """The supervisor says that a limit has been reached; nobody reads it."""
    script = "import os, sys, time\nos.set_blocking(2, False)\ntry:\n    while True: os.write(2, b'x' * 65536)\n" \
        "except BlockingIOError: os.set_blocking(2, True)\nprint('ready', flush=True)\ntime.sleep(20)"
    with start(box, script, options=["--limit", "wall=2s"]) as process:
        if process.stdout.readline() != b"ready\n":
            raise Failure("control: it does not run")
        watch = watch_of(process.pid)
        wait_until(lambda: not alive(watch), "it goes on")
        process.stderr.read()


if __name__ == "__main__":
    main()
