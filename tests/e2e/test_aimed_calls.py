"""No system call of a command reaches a process of zs, or another run's."""

import fcntl
import json
import os
import subprocess
import termios
import time

from harness import expect, test
from library_hosts import host_of
from processes import wait_until

# Makes each call on the process argv[1] and on a child of its own, and prints the results.
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


@test(needs=["sandbox"])
def a_command_is_alone_without_a_terminal(box):
    """A shell that controls jobs sends signals to the host's process group, so beside a terminal the command is in
    it."""
    controller, terminal = os.openpty()
    def with_terminal():
        os.setsid()
        fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    script = "import os, sys; print(os.getsid(0) == os.getpid(), os.getpgrp() == os.getpid())"
    command = ["python3", "-c", script]
    for how, want in ((os.setsid, "True True"), (with_terminal, "False False")):
        for argv in ([box.zs, "run", "--", *command], host_of(box, "session", (), {}, command)):
            with box.start(argv, stderr=None, preexec_fn=how) as process:
                got = process.stdout.read().decode().strip()
                process.stdin.close()
            expect(got == want, "%s, %s: %s" % (how.__name__, argv[1], got))
    os.close(controller)
    os.close(terminal)


@test(needs=["sandbox"])
def no_call_is_aimed_at_the_init(box):
    """The control is the command's own child, on which each call is allowed."""
    answers = json.loads(box.run_zs("run", "--", "python3", "-c", AIM, "1").expect().stdout)
    for whom, want in (("target", "EPERM"), ("own child", "done"), ("self", "done")):
        for call, answer in answers[whom].items():
            expect(answer == want, "%s at %s: %s, not %s" % (call, whom, answer, want))
    expect(answers["user"] == ["EPERM"] * 2, answers)


def aim_in_session(box, target):
    """target 0 stands for the parent, which is the run's supervisor."""
    script = AIM.replace("int(sys.argv[1])", "int(sys.argv[1]) or os.getppid()")
    argv = host_of(box, "session", (), {}, ["python3", "-c", script, str(target)])
    with box.start(argv, stderr=None) as process:
        answers = process.stdout.read()
        process.stdin.close()
    return json.loads(answers)


@test(needs=["sandbox"])
def no_call_in_a_session_is_aimed_at_others(box):
    """No call reaches init, runner or supervisor. Calls on the command's own children are refused too, since their
    numbers lie beside those."""
    for target in (1, 2, 0):
        answers = aim_in_session(box, target)
        for whom, want in (("target", "EPERM"), ("own child", "EPERM"), ("self", "done")):
            for call, answer in answers[whom].items():
                expect(answer == want, "%s at %s, %s: %s, not %s" % (call, whom, target, answer, want))
        expect(answers["user"] == ["EPERM"] * 2, answers)


# Makes names in the workspace, which whoever watches it is told of, and sends all the signals that it can; then sets a
# limit of processor time that is past: on pid argv[1], or for 1 on all that the command can name; and plants.
LIMIT = """
import os, resource, signal, sys, time
target = int(sys.argv[1])
pids = {target}
if target == 1:
    pids |= {int(pid) for pid in os.listdir("/proc") if pid.isdigit()} - {os.getpid()}
end = time.monotonic() + 2
while time.monotonic() < end:
    for i in range(50):
        open(".flood%d" % i, "w").close()
        os.unlink(".flood%d" % i)
        for pid in pids:
            try:
                os.kill(pid, signal.SIGIO)
            except OSError:
                pass
set = 0
for pid in pids:
    try:
        resource.prlimit(pid, resource.RLIMIT_CPU, (1, 1))
        set += 1
    except OSError:
        pass
for i in range(6):
    open(".mcp.json", "w").close()
    time.sleep(0.0003)
time.sleep(1)
print(set)
"""
BUSY = "import signal, time\nsignal.signal(signal.SIGIO, signal.SIG_IGN)\nprint(flush=True)\nwhile True: pass"


@test(needs=["sandbox"], slow=True)
def no_limit_of_processor_time_ends_ours(box):
    with subprocess.Popen(["python3", "-c", BUSY], stdout=subprocess.PIPE, **box.user.spawn_options()) as victim:
        try:
            victim.stdout.readline()
            time.sleep(2)
            box.run(["python3", "-c", LIMIT, str(victim.pid)]).expect(stdout="1\n")
            wait_until(lambda: victim.poll() is not None, "control: the limit kills nobody")
        finally:
            victim.kill()
    os.unlink(os.path.join(box.work, ".mcp.json"))
    for _ in range(3):
        result = box.run_zs("run", "--", "python3", "-c", LIMIT, "1").expect(stdout="0\n")
        expect(not os.path.exists(os.path.join(box.work, ".mcp.json")) and "zs has renamed it" in result.stderr,
            "nobody has looked: %s" % result)


@test(needs=["sandbox"])
def programs_that_schedule_their_own_go_on(box):
    for script in ("sleep 9 & taskset -p 1 $! && renice -n 19 -p $! && chrt -b -p 0 $! && ionice -c 3 -p $! && "
            "prlimit --pid $! --nofile=64:64 && kill $!",
            "nice -n 5 true && ionice -c 3 true && chrt -b 0 true && taskset 1 true"):
        box.granted(script)
