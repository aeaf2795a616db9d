"""The cost of confinement: the start of a command in each way, and the time that it then takes from the command itself.

Each way of starting takes turns with the others, as root and as an ordinary user. A worker outside and one inside
measure a command that has started; they take turns too, so that no start is in it."""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.append(os.path.join(ROOT, "tests/e2e"))

from no_namespaces import no_namespaces

ROUNDS = 300
SECONDS = 2.5  # for each number of loops
TURNS = 30
FILES = 20000
NOBODY = 65534
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
BARE = "bare posix_spawn"
SESSION = "zs_session_spawn"
ASKED = "another process is asked"
SCALING = 1.9  # of a session: runs/s of two loops over those of one


class Place:
    """A home folder and a workspace of this user's, where the preset grants nothing by itself."""

    def __init__(self, user, uid, spawn):
        self.user, self.uid = user, uid
        # Not in /tmp, which is private inside: bwrap's --tmpfs would cover it.
        parent = "/var/lib" if os.geteuid() == 0 else os.path.expanduser("~")
        self.root = tempfile.mkdtemp(prefix="zs-bench-", dir=parent)
        os.chmod(self.root, 0o755)
        self.work = os.path.join(self.root, "home/work")
        os.makedirs(self.work)
        self.spawn = shutil.copy(spawn, self.work)
        if uid is not None:
            for folder, _, names in os.walk(self.root):
                for path in [folder] + [os.path.join(folder, name) for name in names]:
                    os.chown(path, uid, uid)

    def prefix(self):
        ids = ["--reuid", str(self.uid), "--regid", str(self.uid), "--clear-groups"]
        return [] if self.uid is None else ["setpriv", *ids, "--"]

    def options(self):
        env = {"PATH": PATH, "HOME": os.path.dirname(self.work), "LANG": "C.UTF-8"}
        return {"cwd": self.work, "env": env}

    def output(self, *argv, **more):
        done = subprocess.run([*self.prefix(), *argv], stdout=subprocess.PIPE, check=True, **self.options(), **more)
        return done.stdout

    def close(self):
        shutil.rmtree(self.root)


def places(spawn):
    if os.geteuid() == 0:
        return [Place("user", NOBODY, spawn), Place("root", None, spawn)]
    return [Place("user", None, spawn)]


# ------------------------------------------------------------------------------------------------ starting


def bwrap(place, seccomp):
    """The preset's protections, as far as bubblewrap has them: nothing of it is left out to make it slower or faster.
    It has neither Landlock nor an own session keyring; its /dev is a fixed set of nodes."""
    words = [shutil.which("bwrap"), "--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net",
        "--die-with-parent", "--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc"]
    for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
        if os.path.islink("/" + name):
            words += ["--symlink", os.readlink("/" + name), "/" + name]
        elif os.path.isdir("/" + name):
            words += ["--ro-bind", "/" + name, "/" + name]
    for name in ("/opt", "/sys/devices/system/cpu", "/sys/devices/system/node",
        "/sys/kernel/mm/transparent_hugepage", "/sys/fs/cgroup"):
        words += ["--ro-bind-try", name, name]
    words += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/var/tmp", "--tmpfs", "/dev/shm",
        "--bind", place.work, place.work, "--chdir", place.work, "--cap-drop", "ALL", "--clearenv"]
    for name in ("PATH", "HOME", "LANG"):
        words += ["--setenv", name, place.options()["env"][name]]
    return ["@3=" + seccomp, *words, "--seccomp", "3", "--", "/bin/true"]


def ways(zs, place):
    """Name, words, target: at most so many times the p50 of that other row.

    zs run does not reach 0.4. FLOOR does not either: a program that knew all places beforehand and only made the
    kernel's calls for the same protections (git show 11d6202:tests/bench/floor.c). In us, by tracepoints, the p50 of
    200 runs with a real-time priority on an idle machine:

      zs run  FLOOR
         130    130  clone and exec by whoever starts it
         660     20  relocations; preset, settings, grants and git: 250 calls, what of 60 grants is there, over which
                     links, and who could have planted those. Nothing is kept from run to run, where it could be stale
         165    165  user, mount, pid, IPC: with the maps, three files
         105     80  fork of pid 1, its start on the other core
         930    670  25 mounts
           0      0  network 530, lo 85: meanwhile, by the supervisor; one after the other it took 500 more
         145    155  pivot_root, umount2 of the old root: a grace period of RCU
         150     10  watch, keyring: 20 names that must not appear, looked at before they are watched (and after that
                     too, as it was then: 35)
         250    230  capabilities 55 (41 calls, one by one from the bounding set), Landlock 60, seccomp 100: the
                     kernel's compiler
         215    205  clone as vfork, on whichever core is free; exec
         600    540  the command
         220    210  its end, pid 1's, and its pid namespace's
         350    280  end of the supervisor: its memory; 25 mounts and three file systems, and a grace period. The kernel
                     does that before it tells the parent: whoever waits for the run may unmount next what was mounted
                     in it, so nobody is told earlier; and a process that did it later would be a stranger's child

    A session on one core shows what its runs take of a processor: 1.2 of bare, of which the run's own process, which
    the caller can wait for, is half, a fork and an end. On two cores it also waits, as bare does not, for the other
    core to wake: the caller for the runner, that one for the run's own process, and the caller for that one's end. In a
    virtual machine each takes 50 us, so 1.35 to 1.45; ASKED, which waits twice and does nothing, is at 1.1. To make
    that process beforehand was tried: it took 20 us of 300 away, and two loops came to 1.7 of one, which has both cores
    by then."""
    rows = [
        (BARE, ["/bin/true"], None),
        ("zs run", [zs, "run", "--", "/bin/true"], (0.4, "bwrap")),
        ("zs run --net full", [zs, "run", "--net", "full", "--", "/bin/true"], None),
        ("zs_spawn, one handle", ["@handle", "/bin/true"], None),
        (SESSION, ["@session", "/bin/true"], (1.3, BARE)),
        (ASKED, ["@asked", "/bin/true"], None),
    ]
    if shutil.which("bwrap"):
        seccomp = os.path.join(place.root, "filter")
        with open(seccomp, "wb") as f:
            f.write(place.output(place.spawn, "filter"))
        rows.append(("bwrap", bwrap(place, seccomp), None))
    return rows


def ways_without_namespaces(zs, place):
    """The Landlock tier, which is the one where they cannot be had.

    With a session 1.5 is reached: 1.20 as an ordinary user and 1.28 as root, pinned to one core of a machine with other
    work. Without one it is not, nor by FLOOR, which was at 1.7 with Landlock, seccomp and one process that waits: no
    policy, watchdog, limits or folder for TMPDIR. Why is known: in µs of processor time as an ordinary user, by builds
    that leave out a stage, where bare takes 700 and zs_spawn 2200 to 2400. The exec of the shim takes 210; to read the
    policy, choose the environment and close descriptors 400; the supervisor 250 and the watchdog 250, each a fork, its
    copied pages and its end; Landlock, with the folder for TMPDIR, 350 to 450 (of that mkdir(2) on ext4 100, 15 rules
    80, the domain of signals 20); seccomp 70 to 100; the keyring 60. So a shim that did nothing but become the command
    would be at 1.3, one that also read its policy at 1.9. zs run has 500 more: the preset and its places on this
    machine 350, what decides the tier 70, the larger program 50. As root there are 160 rules for /etc, 4 µs each, and
    for zs run 1,000 calls to find them.

    A trial: a watchdog that starts the command as by vfork(2) saves 100 of the 2000, which is what its fork copies.
    But then a ^Z that stops what is to be the command before its exec holds up the watchdog too, and with it a limit of
    the wall clock."""
    promises = "protect,private-tmp,loopback,metadata,processes,privileges"
    return [
        (BARE, ["/bin/true"], None),
        ("zs run, Landlock tier", [zs, "run", "--without", promises, "--", "/bin/true"], (1.5, BARE)),
        ("zs_spawn, Landlock tier", ["@lax", "@handle", "/bin/true"], (1.5, BARE)),
        (SESSION, ["@lax", "@session", "/bin/true"], (1.3, BARE)),
        (ASKED, ["@asked", "/bin/true"], None),
    ]


def starts(place, what, rows, **options):
    words = [word for _, row, _ in rows for word in [*row, ";"]]
    rounds = place.output(place.spawn, "rounds", str(ROUNDS), *words, **options).decode().splitlines()
    loops = place.output(place.spawn, "loops", str(SECONDS), *words, **options).decode().splitlines()
    scaling = {}
    p50 = {name: int(line.split()[0]) for (name, _, _), line in zip(rows, rounds)}
    print("\n%-30s %8s %8s %8s %6s %8s %8s %8s" % (
        "/bin/true as " + what, "p50 us", "p99 us", "x bare", "KB", "1 loop/s", "2 loops", "scaling"))
    for (name, _, _), times, rates in zip(rows, rounds, loops):
        median, slow, peak = (int(word) for word in times.split())
        one, two = (float(word) for word in rates.split())
        scaling[name] = two / one
        print("%-30s %8.0f %8.0f %8.2f %6d %8.0f %8.0f %8.2f" % (
            name, median / 1e3, slow / 1e3, median / p50[BARE], peak, one, two, two / one))
    for name, _, target in rows:
        if not target:
            continue
        most, base = target
        if base in p50:
            say(name + " / " + base, most, p50[name] / p50[base])
            if name == SESSION:
                print("%-46s the least that is possible: %.2f" % (ASKED + " / " + base, p50[ASKED] / p50[base]))
        else:
            print("%-46s NOT MEASURED: %s is not installed" % (name + " / " + base, base))
    on_one_core(place, rows, **options)
    if SESSION in scaling:
        said = SESSION + ", two loops / one (bare %.2f)" % scaling[BARE]
        reached = "yes" if scaling[SESSION] >= SCALING else "NO"
        print("%-46s target >= %.2f, reached %.2f: %s" % (said, SCALING, scaling[SESSION], reached))


def on_one_core(place, rows, preexec_fn=None):
    """Without what it takes to wake another core, which a session does more often than bare."""

    def prepare():
        os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
        if preexec_fn:
            preexec_fn()

    rows = [(name, row) for name, row, _ in rows if name in (BARE, SESSION, ASKED)]
    words = [word for _, row in rows for word in [*row, ";"]]
    rounds = place.output(place.spawn, "rounds", str(ROUNDS), *words, preexec_fn=prepare).decode().splitlines()
    p50 = {name: int(line.split()[0]) for (name, _), line in zip(rows, rounds)}
    say(SESSION + " / " + BARE + ", one core", 1.3, p50[SESSION] / p50[BARE])
    print("%-46s the least that is possible: %.2f" % (ASKED + " / " + BARE, p50[ASKED] / p50[BARE]))


def say(what, most, value, form="%.2f", end="\n"):
    print("%-46s target %s, reached %s: %s" % (
        what, "<= " + form % most, form % value, "yes" if value <= most else "NO"), end=end)


# ---------------------------------------------------------------------------------------------- steady state


def lay_out(place):
    """A repository of 20,000 files, and a C file that takes a moment."""
    for folder in range(200):
        path = os.path.join(place.work, "tree", "d%02d" % (folder // 10), "e%d" % (folder % 10))
        os.makedirs(path)
        for i in range(FILES // 200):
            with open(os.path.join(path, "f%d.txt" % i), "w") as f:
                f.write("".join("line %d of file %d in %d\n" % (line, i, folder) for line in range(20)))
    with open(os.path.join(place.work, "unit.c"), "w") as f:
        f.write("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n")
        for i in range(400):
            f.write("int f%d(int a, int b) { int s = %d; for (int i = 0; i < a; i++) s += i * b ^ s >> 3;"
                    " return s ? printf(\"%%d\", s) : abs(b); }\n" % (i, i))
    git = ["git", "-C", os.path.join(place.work, "tree"), "-c", "user.name=b", "-c", "user.email=b@b"]
    if place.uid is not None:
        subprocess.run(["chown", "-R", "%d:%d" % (place.uid, place.uid), place.work], check=True)
    place.output(*git, "init", "-q")
    place.output(*git, "add", ".")
    place.output(*git, "commit", "-q", "-m", "all")
    place.output(*git, "status")


JOBS = [
    ("git status + grep, 20,000 files", "cd tree && git status >/dev/null && git grep -c 'file 7 in 3' >/dev/null",
        "git", 3),
    ("cc -O1 of 400 functions", "cc -O1 -c -o unit.o unit.c", "cc", 1),
    ("find + cat, 20,000 files", "find tree -name '*.txt' -print0 | xargs -0 cat >/dev/null", "find", None),
]


def steady(zs, place):
    lay_out(place)
    print("\n%-34s as %s, inside / outside (after the start)" % ("steady state", place.user))
    for name, script, program, target in JOBS:
        if not shutil.which(program):
            print("%-46s NOT MEASURED: there is no %s" % (name, program))
            continue
        worker = [place.spawn, "worker", "/bin/sh", "-c", script]
        workers = [subprocess.Popen([*place.prefix(), *argv], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            **place.options()) for argv in (worker, [zs, "run", "--", *worker])]
        times = ([], [])
        for turn in range(TURNS + 2):
            for i in (0, 1) if turn % 2 else (1, 0):
                workers[i].stdin.write(b"\n")
                workers[i].stdin.flush()
                times[i].append([int(word) for word in workers[i].stdout.readline().split()])
        for process in workers:
            process.stdin.close()
            if process.wait() != 0:
                sys.exit("bench: a worker has failed")
        # The first two fill the caches. Beside the time that passed the processors', which others disturb less.
        more, of_processors = (
            (statistics.median(inside[k] / outside[k] for outside, inside in list(zip(*times))[2:]) - 1) * 100
            for k in (0, 1)
        )
        if target is None:
            print("%-46s no target, reached %+.1f %%" % (name, more), end="")
        else:
            say(name, target, more, "%+.1f %%", end="")
        print(" (processor time %+.1f %%)" % of_processors)


def main(zs, spawn):
    if not shutil.which("bwrap"):
        print("\n** bwrap is not installed: there is nothing to compare with (apt-get install bubblewrap) **")
    for place in places(spawn):
        try:
            binary = shutil.copy(zs, os.path.join(place.root, "zs"))
            starts(place, place.user, ways(binary, place))
            starts(place, place.user + ", no namespaces", ways_without_namespaces(binary, place),
                preexec_fn=no_namespaces)
            steady(binary, place)
        finally:
            place.close()
