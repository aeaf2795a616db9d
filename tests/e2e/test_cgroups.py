"""Limits of a whole run, by cgroups where they are available. No cgroup is left behind."""

import contextlib
import fcntl
import glob
import json
import os
import re
import signal
import subprocess

from harness import Failure, cgroup_with, expect, read, test
from processes import wait_until
from no_namespaces import no_namespaces, without

LIMITS = ("--limit=memory=256M", "--limit=processes=100", "--limit=cpu=60s")

# Ten processes, each below the limit.
MANY = """
import os, sys, time
size = int(sys.argv[1]) << 20
def use():
    data = bytearray(size)
    data[::4096] = bytes(len(data[::4096]))
    time.sleep(3) # all of them have theirs by then
    os._exit(0)
children = []
for _ in range(10):
    child = os.fork()
    if child == 0:
        use()
    children.append(child)
print(sum(os.waitpid(child, 0)[1] == 0 for child in children))
"""

BOMB = """
import os, sys, time
count = 1
for _ in range(int(sys.argv[1])):
    try:
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
        count += 1
    except BlockingIOError:
        pass
print(count, flush=True)
os.kill(0, 9) if len(sys.argv) > 2 else None
"""


def bombed(left, reached=False):
    """Standard error of a run of BOMB that leaves so many processes behind."""
    more = "zs: processes limit 20 reached\n" if reached else ""
    return re.compile(r"\Azs: ended with the run: python3 \(pid \d+\) and %d more;[^\n]*\n%s\Z" % (left - 1, more))


# Together the processes use that many seconds; each is far below the limit of a process.
RELAY = """
import os, sys, time
while sum(os.times()[2:4]) < float(sys.argv[1]):
    if os.fork() == 0:
        while time.process_time() < 0.2:
            pass
        os._exit(0)
    os.wait()
print('done')
"""

# clone3(2) into the given cgroup: the kernel does not check whether the mount is writable.
CLONE3 = """
import ctypes, os, struct, sys
fd = os.open(sys.argv[1], os.O_PATH)
args = struct.pack('11Q', 0x200000000, 0, 0, 0, 17, 0, 0, 0, 0, 0, fd)
libc = ctypes.CDLL(None, use_errno=True)
pid = libc.syscall(435, args, len(args))
if pid == 0:
    os._exit(0)
if pid < 0:
    sys.exit(ctypes.get_errno())
os.waitpid(pid, 0)
"""


def mounts():
    """(mount point, version, options) of each cgroup file system."""
    with open("/proc/self/mountinfo") as file:
        for line in file:
            left, right = line.rstrip("\n").split(" - ")
            kind, _, options = right.split(" ", 2)
            if kind in ("cgroup", "cgroup2"):
                yield left.split(" ")[4], kind, options.split(",")


def folder_of(name):
    """The cgroup that these tests run in, of version 2 (name None) or of a controller of version 1."""
    with open("/proc/self/cgroup") as file:
        for line in file:
            _, controllers, path = line.rstrip("\n").split(":", 2)
            if (controllers == "") if name is None else (name in controllers.split(",")):
                for point, kind, options in mounts():
                    if (kind == "cgroup2") if name is None else (name in options):
                        return os.path.join(point, path.lstrip("/")).rstrip("/")
    return None


def is_in_use(path):
    """A supervisor holds a lock on its own cgroup."""
    try:
        folder = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return True
    try:
        fcntl.flock(folder, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return False
    except BlockingIOError:
        return True
    finally:
        os.close(folder)


def left():
    """Cgroups of zs that no run uses any more."""
    found = [path for name in (None, "memory", "pids", "cpuacct") if folder_of(name)
        for path in glob.glob(folder_of(name) + "/**/zs-*", recursive=True)]
    # With version 2 they may lie beside the cgroup of these tests.
    found += glob.glob(os.path.dirname(folder_of(None) or "/none/none") + "/zs-*")
    return [path for path in found if os.path.exists(path + "/cgroup.procs") and not is_in_use(path)]


def own(text):
    """The folders of a run that has printed its /proc/self/cgroup."""
    found = []
    for line in text.splitlines():
        _, controllers, path = line.split(":", 2)
        if "/zs-" in path:
            parent = folder_of(controllers.split(",")[0] if controllers else None)
            beside = os.path.join(os.path.dirname(parent), os.path.basename(path))
            found.append(beside if os.path.exists(beside) else os.path.join(parent, os.path.basename(path)))
    return found


def nothing_is_left():
    wait_until(lambda: not left(), lambda: "left: %s" % left())


@contextlib.contextmanager
def delegated(box, leaf=False, controllers=()):
    """A cgroup of version 2 that belongs to the box's user, as systemd delegates one. Yields the words that start a
    program in it. leaf: the process is in a child cgroup that does not belong to the user. controllers: those that it
    has and passes down."""
    folder = os.path.join(cgroup_with(*controllers), "test-%d" % os.getpid())
    inside = folder + "/leaf" if leaf else folder
    os.makedirs(inside)
    try:
        with open(folder + "/cgroup.subtree_control", "w") as file:
            file.write(" ".join("+" + name for name in controllers))
        if box.user.uid is not None:
            for name in ("", "cgroup.procs", "cgroup.threads", "cgroup.subtree_control"):
                os.chown(os.path.join(folder, name), box.user.uid, box.user.uid)
        with open(inside + "/cgroup.procs", "w") as procs:
            yield folder, lambda: procs.write("0") and procs.flush()
    finally:
        for path in (inside, folder):
            if os.path.isdir(path):
                wait_until(lambda: not os.listdir(path) or is_removed(path), lambda: "%s is in use" % path)


def is_removed(path):
    with contextlib.suppress(OSError):
        os.rmdir(path)
        return True
    return False


@test(needs=["root", "sandbox", "pids-controller"])
def processes_are_limited_for_root_too(box):
    run = ("run", "--limit", "processes=20", "--", "python3", "-c", BOMB)
    box.run(["python3", "-c", BOMB, "40", "end"], start_new_session=True).expect(exit=-9, stdout="41\n")
    box.run_zs(*run, "40").expect(stdout="20\n", stderr=bombed(19, True))
    # A limit that is not reached is not mentioned.
    box.run_zs(*run, "3").expect(stdout="4\n", stderr=bombed(3))
    nothing_is_left()


@test(needs=["root", "sandbox", "memory-controller"])
def memory_of_the_run_as_a_whole(box):
    box.run_zs("run", "--", "python3", "-c", MANY, "60").expect(stdout="10\n", stderr="")
    for limits in (["memory=256M"], ["memory=256M", "cpu=60s", "processes=50"]):
        result = box.run_zs("run", *("--limit=" + limit for limit in limits), "--", "python3", "-c", MANY, "60")
        result.expect(result.exit, stderr="zs: memory limit 256M reached\n")
        expect(result.exit != 0 or 1 <= int(result.stdout) <= 4, "%s processes of 60 MB in 256 MB" % result.stdout)
    # Address space is not memory: a runtime reserves more than it uses.
    box.run_zs("run", "--limit=memory=256M", "--", "python3", "-c",
        "import mmap; mmap.mmap(-1, 1 << 32); print('reserved')").expect(stdout="reserved\n", stderr="")
    # So little memory that the command cannot start.
    box.run_zs("run", "--limit=memory=64K", "--", "echo", "started").expect(exit=137, stdout="",
        stderr="zs: memory limit 64K reached\n")
    nothing_is_left()


@test(needs=["root", "sandbox", "memory-controller"])
def files_in_tmp_are_memory_of_the_run(box):
    fill = "head -c 100M /dev/zero >/tmp/file && echo filled"
    box.run_zs("run", "--", "sh", "-c", fill).expect(stdout="filled\n")
    # The kernel chooses which process it kills: the shell, or head.
    result = box.run_zs("run", "--limit=memory=64M", "--", "sh", "-c", fill)
    result.expect(exit=137, stdout="", stderr=re.compile("^zs: memory limit 64M reached$", re.M))


def relay(box, start, limited):
    run = ["run"] + (["--limit=cpu=1s"] if limited else []) + ["--", "python3", "-c", RELAY, "4"]
    result = box.run_zs(*run, preexec_fn=start)
    if limited:
        result.expect(exit=137, stdout="", stderr="zs: cpu limit 1s reached\n")
    else:
        result.expect(stdout="done\n", stderr="")


@test(needs=["sandbox", "cgroup2"], slow=True)
def processor_time_is_not_evaded_by_forking(box):
    with contextlib.nullcontext((None, None)) if box.user.is_root else delegated(box) as (_, start):
        relay(box, start, False)
        relay(box, start, True)
    nothing_is_left()


@test(needs=["sandbox"])
def processor_time_of_one_process(box):
    burn = "import signal, sys\nsignal.signal(signal.SIGXCPU, getattr(signal, sys.argv[1]))\nwhile True: pass"
    run = ("run", "--limit=cpu=1s", "--", "python3", "-c", burn)
    box.run_zs(*run, "SIG_DFL").expect(exit=128 + signal.SIGXCPU, stderr="zs: cpu limit 1s reached\n")
    box.run_zs(*run, "SIG_IGN").expect(exit=137, stderr="zs: cpu limit 1s reached\n")


@test(needs=["sandbox"])
def limits_are_told_in_the_unit_they_are_given_in(box):
    write = "head -c 20000 /dev/zero >file"
    for value, shown in (("4K", "4K"), ("4096", "4K"), ("5000", "5000")):
        box.run_zs("run", "--limit=file-size=" + value, "--", "sh", "-c", "exec " + write).expect(
            exit=128 + signal.SIGXFSZ, stderr="zs: file-size limit %s reached\n" % shown)
    box.run_zs("run", "--limit=wall=1s", "--", "sleep", "60").expect(exit=137, stderr="zs: wall limit 1s reached\n")


@test(needs=["sandbox", "cgroup2"])
def delegated_cgroups(box):
    """A user to whom a cgroup belongs has limits of the run as a whole."""
    show = ["run", "--limit=cpu=60s", "--", "sh", "-c", "grep ^0:: /proc/self/cgroup"]
    for leaf in (False, True):
        with delegated(box, leaf) as (folder, start):
            shown = box.run_zs(*show, preexec_fn=start).expect(stderr="").stdout
            # Root may write in the leaf, which is taken first.
            below = folder + "/leaf" if leaf and box.user.is_root else folder
            name = below[len([point for point, kind, _ in mounts() if kind == "cgroup2"][0]):]
            expect(re.fullmatch(re.escape("0::" + name) + "/zs-[0-9a-f]{16}\n", shown),
                "%r is not below %r" % (shown, name))
            expect(not [entry.name for entry in os.scandir(below) if entry.is_dir() and entry.name != "leaf"],
                os.listdir(below))
            # Without such a limit there is no cgroup.
            own = box.run_zs(*show[:1], *show[2:], preexec_fn=start).expect(stderr="").stdout
            expect("zs-" not in own, own)
            report = json.loads(box.run_zs("doctor", "--json", preexec_fn=start).stdout)
            found = [feature for feature in report["features"] if feature["name"] == "run-cpu"]
            expect(found[0]["detail"] == "cpu.stat (cgroup 2)" and found[0]["present"], found)


@test(needs=["sandbox", "cgroup2-controllers"])
def limits_held_by_version_2(box):
    """As below a user's systemd: the process is in a leaf, and the controllers are available beside it."""
    def limited(limit, *argv):
        return box.run_zs("run", "--limit", limit, "--", "python3", "-c", *argv, preexec_fn=start)

    with delegated(box, leaf=True, controllers=("memory", "pids")) as (folder, start):
        report = json.loads(box.run_zs("doctor", "--json", preexec_fn=start).stdout)
        found = {feature["name"]: feature["detail"] for feature in report["features"] if feature["present"]}
        expect((found.get("run-memory"), found.get("process-limit"), found.get("run-cpu")) == ("memory.max (cgroup 2)",
            "pids.max (cgroup 2)", "cpu.stat (cgroup 2)"), found)
        limited("processes=20", BOMB, "40").expect(stdout="20\n", stderr=bombed(19, True))
        limited("processes=20", BOMB, "3").expect(stdout="4\n", stderr=bombed(3))
        # The whole run ends, and not only its largest process.
        limited("memory=256M", MANY, "60").expect(exit=137, stdout="", stderr="zs: memory limit 256M reached\n")
        limited("memory=256M", MANY, "6").expect(stdout="10\n", stderr="")
        relay(box, start, True)
        # A limit of a parent cgroup is not a limit of the run.
        with open(folder + "/memory.max", "w") as file:
            file.write("128M")
        result = limited("memory=1G", MANY, "60")
        expect(result.exit != 0 and "limit" not in result.stderr, result)
        expect([entry.name for entry in os.scandir(folder) if entry.is_dir()] == ["leaf"], os.listdir(folder))
    nothing_is_left()


@test(needs=["sandbox"])
def without_cgroups_each_process_is_limited(box):
    """No writable cgroup is available: this is usual for users, and for root where no cgroup is mounted."""
    hide = ["unshare", "-m", "sh", "-c", "umount -a -t cgroup,cgroup2 && exec \"$@\"", "sh"] if box.user.is_root else []
    show = "ulimit -v; ulimit -t; grep -c zs- /proc/self/cgroup"
    box.run([*hide, box.zs, "run", *(limit for limit in LIMITS if "processes" not in limit), "--", "sh", "-c",
        show]).expect(exit=1, stdout="%d\n60\n0\n" % (256 << 10), stderr="")
    result = box.run([*hide, box.zs, "run", "--limit=processes=20", "--", "python3", "-c", BOMB, "40"])
    exempt = box.user.is_root and read("/proc/self/uid_map").split() == ["0", "0", "4294967295"]
    if exempt:
        result.expect(exit=125, stdout="", stderr=re.compile("^zs: sandbox: limits: processes: needs process-limit: "))
    else:
        result.expect(stdout="20\n", stderr=bombed(19))


@test(needs=["root", "sandbox", "cgroup2", "bash"])
def supervisor_killed(box):
    """The cgroups that a killed run leaves are empty, and the next run removes them. Those in use stay."""
    script = "while read -r line; do echo \"$line\"; done </proc/self/cgroup; echo end; sleep 66"
    argv = [box.zs, "run", *LIMITS, "--", "bash", "-c", script]
    runs = [subprocess.Popen(argv, stdout=subprocess.PIPE, cwd=box.work, env=box.env, text=True) for _ in range(2)]
    try:
        killed, other = (own("".join(iter(run.stdout.readline, "end\n"))) for run in runs)
        expect(killed and len(other) == len(killed) and not set(killed) & set(other), "%s %s" % (killed, other))
        runs[0].kill()
        runs[0].wait()
        # The kernel ends the init, and with it the rest.
        wait_until(lambda: not any(map(processes, killed)), lambda: str(killed))
        box.run_zs("run", *LIMITS, "--", "true").expect(stderr="")
        if any(map(os.path.exists, killed)) or not all(map(processes, other)):
            raise Failure("left: %s" % [path for path in killed + other if os.path.exists(path)])
        runs[1].terminate()
        expect(runs[1].wait() == 143 and not any(map(os.path.exists, other)), runs[1].returncode)
    finally:
        for run in runs:
            run.kill()
            run.stdout.close()


def processes(path):
    try:
        return read(path + "/cgroup.procs").split()
    except OSError:
        return []


@test(needs=["root", "sandbox"])
def many_at_a_time(box):
    """Each run removes the cgroups of killed runs, and none of a live run."""
    argv = [box.zs, "run", *LIMITS, "--", "sh", "-c", "sleep 4; exit 7"]
    runs = []
    for index in range(40):
        runs.append(subprocess.Popen(argv, stderr=subprocess.PIPE, cwd=box.work, env=box.env))
        if index % 4 == 2:
            runs[index - 2].kill()
    for index, run in enumerate(runs):
        error = run.communicate()[1]
        # A run that is killed early leaves an init that prints so.
        killed = index % 4 == 0
        expect(run.returncode == (-9 if killed else 7) and (not error or killed),
            "%d: %d %r" % (index, run.returncode, error))
    box.run_zs("run", *LIMITS, "--", "true").expect(stderr="")
    nothing_is_left()


@test(needs=["root", "sandbox", "cgroup2"])
def collecting_spares_what_is_about_to_be_used(box):
    """A new cgroup is empty until its first process is in it, while other runs end and remove empty ones."""
    loop = "for i in $(seq 12); do %s run %s -- true || exit; done" % (box.zs, " ".join(LIMITS))
    loops = [subprocess.Popen(["sh", "-c", loop], stderr=subprocess.PIPE, cwd=box.work, env=box.env) for _ in range(8)]
    for process in loops:
        error = process.communicate()[1]
        expect(process.returncode == 0 and not error, "%d %r" % (process.returncode, error))
    nothing_is_left()


@test(needs=["root", "sandbox", "cgroup2"])
def nobody_leaves_a_cgroup(box):
    """The cgroups that a grant shows cannot be written, and clone3(2), which does not ask that, is refused."""
    top = [point for point, kind, _ in mounts() if kind == "cgroup2"][0]
    for attack in ("echo 0 >%s/cgroup.procs" % top, "mkdir %s/made && rmdir %s/made" % (top, top)):
        for grant in (["--rw", "/"], ["--ro", "/"], ["--rw", "/sys"], ["--rw", top], ["--rw", os.path.dirname(top)]):
            box.denied(attack, zs=("run", *grant, "--limit=cpu=60s"))
    # Without a limit the run has no cgroup of its own, but cgroup.kill could end other processes.
    box.denied("echo 0 >%s/cgroup.procs" % top, zs=("run", "--rw", "/"))
    box.run(["python3", "-c", CLONE3, top]).expect(stderr="")
    box.run_zs("run", "--ro", "/", "--", "python3", "-c", CLONE3, top).expect(exit=38)
    # A hierarchy of version 1 may hold the limit of processes.
    pids = folder_of("pids") or top
    box.denied("echo 0 >%s/cgroup.procs" % pids, zs=("run", "--rw", "/", "--limit=processes=50"))


@test(needs=["root", "sandbox", "cgroup2"])
def where_no_mount_guards_cgroups_they_are_not_granted(box):
    """In the Landlock tier, which cannot except a part of a granted tree. Without a limit the danger is cgroup.kill."""
    options = ["run", *without(box)]
    leave = "for f in $(awk '/ - cgroup2? /{print $5}' /proc/self/mountinfo); do echo 0 >$f/cgroup.procs; done"
    top = [point for point, kind, _ in mounts() if kind == "cgroup2"][0]
    box.run(["sh", "-c", ": >>%s/cgroup.procs" % top]).expect()
    for limits in (["--limit", "cpu=60s"], []):
        for grant in (top, "/sys/fs/cgroup", "/sys", "/"):
            box.run_zs(*options, *limits, "--rw", grant, "--", "sh", "-c", "echo started; " + leave,
                preexec_fn=no_namespaces).expect(exit=125, stdout="", stderr=re.compile(
                    "(?m)^zs: landlock: %s: gives write access to /[a-z0-9/]+, which controls more than this run; "
                    % grant))
        box.run_zs(*options, *limits, "--rw", box.outside, "--", "sh", "-c", "echo started; " + leave,
            preexec_fn=no_namespaces).expect(exit=2, stdout="started\n", stderr=["Permission denied"])
