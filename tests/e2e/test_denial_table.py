"""Every kind of access that zs refuses, with its errno, cause and option, by zs run --denials: calls and sockets that
seccomp refuses, and limits; test_denials.py has the rest. In the Landlock tier zs why sees the same. docs/refused.md
lists the accesses that neither sees."""

import json
import os
import re
import signal
import socket

from denial_cases import EXECS, READS, WRITES, collector_of, places, python, refused, run
from harness import REPOSITORY, expect, read, test
from no_namespaces import no_namespaces, without

ENOENT, EPERM, EACCES, ENOSYS, EOPNOTSUPP = 2, 1, 13, 38, 95
SECCOMP = "refused by seccomp"
ERRNOS = {"EPERM": EPERM, "ENOSYS": ENOSYS, "EOPNOTSUPP": EOPNOTSUPP}
# Calls for which an ordinary user has no right outside either: sandbox/denial/judge.c.
ROOTS = set("""mount umount2 pivot_root chroot open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr
    open_tree_attr init_module finit_module delete_module kexec_load kexec_file_load reboot swapon swapoff acct quotactl
    quotactl_fd syslog settimeofday clock_settime clock_adjtime adjtimex sethostname setdomainname iopl ioperm vhangup
    lookup_dcookie nfsservctl fanotify_init open_by_handle_at bpf""".split())


def refused_calls():
    """The rows of the seccomp filter's table whose arguments do not count: name, number here, errno."""
    column = {"x86_64": 1, "aarch64": 2}[os.uname().machine]
    text = read(os.path.join(REPOSITORY, "sandbox/linux/locks/seccomp_calls.h"))
    rows = [(row[0], int(row[column]), row[3]) for row in re.findall(r"X\((\w+), (-?\d+), (-?\d+), (\w+)\)", text)]
    return [(name, number, ERRNOS[rule]) for name, number, rule in rows if rule in ERRNOS and number >= 0]


CALLS = ("import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"
    "print([libc.syscall(number, 0, 0, 0, 0, 0, 0) and ctypes.get_errno() for number in %r])\nraise SystemExit(1)")


def looked_at(calls):
    return python(CALLS % [number for _, number, _ in calls])


@test(needs=["sandbox"])
def each_call_that_seccomp_refuses(box):
    """EPERM, ENOSYS and EOPNOTSUPP, as without --denials"""
    calls = refused_calls()
    expect(len(calls) >= 50, calls)
    plain = box.run_zs("run", "--", "sh", "-c", looked_at(calls)).expect(exit=1)
    errors = json.loads(plain.stdout)
    # A call that this kernel does not have answers ENOSYS to no filter.
    expect(errors == [error for _, _, error in calls], list(zip(calls, errors)))
    rows, end, result = run(box, looked_at(calls))
    expect(json.loads(result.stdout) == errors, result)
    want = {(name, error) for name, _, error in calls if box.user.is_root or name not in ROOTS}
    have = {(row["named"], row["errno"]) for row in rows}
    expect(have == want, have ^ want, rows)
    for row in rows:
        expect((row["kind"], row["cause"], row["option"], row["times"]) == ("system call", SECCOMP, None, 1), row)
        # Programs have another way than these.
        expect(not row["decisive"] or row["errno"] == EPERM, row)
    expect(sum(row["decisive"] for row in rows) == 3 and not end["blind"], rows)


# Python, with `c` the C library.
BY_ARGUMENT = [
    ("unshare", EPERM, "c.unshare(0x10000000)"),
    ("clone", EPERM, "c.syscall({'x86_64': 56, 'aarch64': 220}[os.uname().machine], 0x10000000 | 17, 0, 0, 0, 0)"),
    ("personality", EPERM, "c.personality(0x400000)"),
    ("ioctl", EPERM, "c.ioctl(0, 0x5412, b'x')"),
    ("fcntl", EPERM, "c.fcntl(os.open('file', os.O_RDONLY), 1024, 0)"),
    ("prlimit64", EPERM, "c.prlimit(1, 7, bytes(16), None)"),
    ("setpriority", EPERM, "c.setpriority(1, 0, 19)"),
    ("sched_setaffinity", EPERM, "c.sched_setaffinity(1, 8, b'\\1' + bytes(7))"),
    ("renameat2", EPERM,
        "c.syscall({'x86_64': 316, 'aarch64': 276}[os.uname().machine], -100, b'file', -100, b'x', 4)"),
]
SOCKETS = [ # call, family, type, protocol, errno, option
    ("socket", 38, 5, 0, 97, None), # AF_ALG
    ("socket", 40, 1, 0, 97, None), # AF_VSOCK
    ("socket", 31, 3, 0, 97, None), # AF_BLUETOOTH
    ("socket", 16, 3, 9, 93, None), # NETLINK_AUDIT
    ("socket", 16, 3, 15, 93, None), # NETLINK_KOBJECT_UEVENT
    ("socket", 1, 2, 0, EACCES, ("--without", "sockets")),
    ("socketpair", 1, 2, 0, EACCES, ("--without", "sockets")),
]
SOCKETS_OF_ROOT = [("socket", 17, 3, 0, 97, None), ("socket", 2, 3, 1, EPERM, None)] # AF_PACKET, SOCK_RAW


@test(needs=["sandbox"])
def calls_that_seccomp_refuses_by_an_argument(box):
    box.file("home/project/file", "x\n")
    head = "import ctypes, os\nc = ctypes.CDLL(None, use_errno=True)\nassert %s >= 0"
    for name, error, text in BY_ARGUMENT:
        refused(box, python(head % text), "system call", SECCOMP, None, path=name, errno=error)
    # The same calls with other arguments.
    rows, _, result = run(box, python("import ctypes, os\nc = ctypes.CDLL(None)\nc.unshare(0x600)\n"
        "c.setpriority(0, 0, 5)\nc.fcntl(0, 1)\nc.ioctl(0, 0x541b, bytes(8))\nos.sched_yield()\nexit(1)"))
    expect(result.exit == 1 and not rows, rows, result)


@test(needs=["sandbox"])
def sockets_that_seccomp_refuses(box):
    """EAFNOSUPPORT, EPROTONOSUPPORT, EACCES and EPERM"""
    for call, family, kind, protocol, error, option in SOCKETS + SOCKETS_OF_ROOT * box.user.is_root:
        text = "import socket; socket.%s(%d, %d, %d)" % (call, family, kind, protocol)
        refused(box, python(text), "socket", SECCOMP, *(option or (None, None)), errno=error,
            path="%s(%d, %d, %d)" % (call, family, kind, protocol))
    # No kernel has this family.
    rows, _, result = run(box, python("import socket; socket.socket(99, 1, 0)"))
    expect(result.exit == 1 and not rows, rows, result)


@test(needs=["sandbox"])
def limits(box):
    limit = "a limit of the run"
    refused(box, "head -c 100000 /dev/zero >big; exit $?", "limit", limit, "--limit", "file-size=128K",
        options=["--limit", "file-size=64K"])
    refused(box, "head -c 3000000 /dev/zero >/tmp/big", "limit", limit, "--limit", "tmp=4M",
        options=["--limit", "tmp=2M"])
    rows, _, result = run(box, "sleep 1000", "--limit", "wall=1s")
    expect(result.exit == 137 and [(row["kind"], row["named"], row["option"], row["value"], row["decisive"])
        for row in rows] == [("limit", "wall", "--limit", "wall=2s", True)], rows, result)
    result = box.run_zs("run", "--denials", "--limit", "wall=1s", "--", "sleep", "1000")
    expect(result.stderr.endswith("zs: denied limit wall: a limit of the run; --limit wall=2s\n"), result)
    # A limit that is not met is none.
    rows, _, result = run(box, "exit 3", "--limit", "wall=1h", "--limit", "file-size=1M")
    expect(result.exit == 3 and not rows, rows, result)


@test(needs=["sandbox"])
def limits_of_a_cgroup(box):
    """Memory and processes: only a cgroup counts what the kernel has refused."""
    fill = python("import time; x = bytearray(200 << 20); x[::4096] = b'x' * len(x[::4096])")
    for script, name, value, double in ((fill, "memory", "64M", "memory=128M"), ("for i in 1 2 3 4 5 6 7 8 9; do "
            "sleep 0.2 & done; wait; exit 1", "processes", "4", "processes=8")):
        rows, _, result = run(box, script, "--limit", "%s=%s" % (name, value))
        expect(result.exit != 0, "it does not fail:", result)
        if "zs: %s limit %s reached" % (name, value) in result.stderr:
            expect([(row["kind"], row["value"]) for row in rows if row["decisive"]] == [("limit", double)], rows)
        else:
            print("  no cgroup bounds %s here" % name)
            expect(not rows, rows)


@test(needs=["sandbox"])
def a_call_with_another_way_fails_no_run(box):
    """Such as io_uring, which programs try first: people get no line."""
    number = dict((name, number) for name, number, _ in refused_calls())["io_uring_setup"]
    text = python("import ctypes; ctypes.CDLL(None).syscall(%d, 8, 0); exit(3)" % number)
    box.run_zs("run", "--denials", "--", "sh", "-c", text).expect(exit=3, stderr="")
    rows, _, _ = run(box, text)
    expect([(row["named"], row["decisive"]) for row in rows] == [("io_uring_setup", False)], rows)


# ------------------------------------------------------------------------------------------------------ attacks


@test(needs=["sandbox"])
def without_a_collector_the_calls_stay_refused(box):
    """By the init, which has nobody to tell."""
    calls = refused_calls()
    script = "echo begun; read x; " + looked_at(calls)
    process = box.start([box.zs, "run", "--denials", "--", "sh", "-c", script])
    expect(process.stdout.readline() == b"begun\n", "it did not begin")
    beside = collector_of(process.pid)
    expect(len(beside) == 1, "processes beside the run:", beside)
    os.kill(beside[0], signal.SIGKILL)
    out, _ = process.communicate(b"\n")
    expect(process.returncode == 1 and json.loads(out) == [error for _, _, error in calls], process.returncode, out)


# The calls that would open namespaces, from four threads and a signal handler at once.
STORM = """import ctypes, os, signal, threading
c = ctypes.CDLL(None, use_errno=True)
signal.signal(signal.SIGALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
bad = []
def attack():
    for _ in range(500):
        if c.unshare(0x10000000) == 0: bad.append(1)
        elif ctypes.get_errno() != 1: bad.append(ctypes.get_errno())
threads = [threading.Thread(target=attack) for _ in range(4)]
[thread.start() for thread in threads]; [thread.join() for thread in threads]
print(sorted(set(bad)), flush=True)
os._exit(1)"""


@test(needs=["sandbox"])
def a_storm_of_refused_calls(box):
    rows, end, result = run(box, python(STORM))
    # A signal may interrupt a call before the init has seen it.
    expect(result.stdout in ("[]\n", "[4]\n"), result)
    expect([row["named"] for row in rows] == ["unshare"] and 100 < rows[0]["times"] + end["others"] <= 2000, rows, end)


# ------------------------------------------------------------------------------------------------ the Landlock tier


def why(box, script, *options):
    result = box.run_zs("why", "--json", *without(box, "overlay"), *options, "--", "sh", "-c", script,
        preexec_fn=no_namespaces).expect(exit=0)
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    return lines[:-1], lines[-1]["status"], result


@test(needs=["sandbox"], slow=True)
def sixty_in_the_landlock_tier(box):
    """By zs why: --denials is blind there, and says so."""
    rows = [(script, "read", "--ro", None, path) for script, path in READS]
    rows += [(script, "write", "--rw", value, path) for script, path, value in WRITES]
    rows += [(script, "exec", "--exec", path, path) for script, path in EXECS]
    count = 0
    for script, kind, option, value, path in rows:
        tree = places(box)
        script, value, path = (text and text % {"t": tree} for text in (script, value, path))
        # sed reads the file before it writes.
        options = ["--ro", tree] if kind == "write" else []
        found, status, result = why(box, script, *options)
        # No dry run can be had here, and zs why writes nothing else.
        if script.startswith(("cp %s/file copy" % tree, "tar")):
            continue
        # Landlock leaves stat(2) and its like alone, so these succeed.
        if status == 0:
            expect(kind == "read" or script.startswith(("chmod", PYTHON_UTIME)), script, result)
            continue
        words = []
        for row in found:
            if row["decisive"] and row["option"]:
                words += [row["option"], row["value"]]
        same = [row for row in found if row["kind"] == kind and path in (None, row["path"], row["named"])]
        expect(same and same[-1]["option"] == option and value in (None, same[-1]["value"]), script, found, result)
        places(box)
        box.run_zs("run", *without(box), *options, *words, "--", "sh", "-c", script,
            preexec_fn=no_namespaces).expect(exit=0)
        count += 1
    calls = refused_calls()
    found, status, result = why(box, looked_at(calls))
    named = {row["named"] for row in found if row["kind"] == "system call"}
    want = {name for name, _, _ in calls if box.user.is_root or name not in ROOTS}
    expect(status != 0 and named == want, named ^ want)
    # The tracer sees how a call has ended, and not who has refused it: it takes this one for the files'.
    texts = [(name, text) for name, _, text in BY_ARGUMENT if name != "renameat2"]
    found, status, result = why(box, python("import ctypes, os\nc = ctypes.CDLL(None)\n%s\nexit(1)" %
        "\n".join(text.replace("'file'", "'/etc/hostname'") for _, text in texts)))
    by_argument = {row["named"] for row in found if row["kind"] == "system call"}
    expect({name for name, _ in texts} - by_argument <= {"fcntl"}, by_argument, result)
    made = "".join("try: socket.%s(%d, %d, %d)\nexcept OSError: pass\n" % row[:4] for row in SOCKETS)
    found, status, result = why(box, python("import socket\n%sexit(1)" % made))
    sockets = {row["named"] for row in found if row["kind"] == "socket" and row["cause"] == SECCOMP}
    expect(sockets == {"%s(%d, %d, %d)" % row[:4] for row in SOCKETS}, sockets, result)
    with socket.create_server(("127.0.0.1", 0)) as server:
        connect = python("import socket; socket.create_connection(('127.0.0.1', %d))" % server.getsockname()[1])
        found, status, result = why(box, connect)
        expect(status != 0 and [row for row in found if row["kind"] in ("connect", "socket")], found, result)
    total = count + len(named) + len(by_argument) + len(sockets)
    expect(total >= 60, total)


PYTHON_UTIME = python("import os; os.utime")[:-1]
