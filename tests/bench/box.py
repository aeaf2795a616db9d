"""The cost of a box: from create to close, beside bwrap, crun and runc on the same root directory; of a command in a
live one; and of many alive at once.

A process (the reaper) adopts what detaches itself, reaps it at once, as a container's monitor does, and adds its
processor time. The other one measures. Both have a mount namespace of their own, for the overlays."""

import ctypes
import json
import mmap
import os
import resource
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import time
import types

from confined import BARE, SESSION, places, say

from processes import descendants
from roots import copy, small_root

ROUNDS, ENOUGH = 100, 15  # of each way: at most so many, and after SECONDS no more than so few
SECONDS = 8
LOOP_SECONDS = 1  # of each way, for each number of loops
EXEC_ROUNDS, EXEC_SECONDS = 100, 1
MEMORY_BOXES, ALIVE = 200, 500
WAIT = 60  # seconds until what is to end soon counts as an error
KERNEL = ("Slab:", "KernelStack:", "PageTables:", "Percpu:", "Shmem:")

LIBC = ctypes.CDLL(None, use_errno=True)
CLONE_NEWNS, MS_REC, MS_PRIVATE, MNT_DETACH, PR_SET_CHILD_SUBREAPER = 0x20000, 0x4000, 0x40000, 2, 36

BOX = "zs box create, exec, close"
RUN = "zs run --root"
CRUN = "crun run -d, exec, delete"
BWRAP = "bwrap"


class Failed(Exception):
    """A program did not do what it was asked for; the text says why."""


def call(function, *args):
    if getattr(LIBC, function)(*args) < 0:
        number = ctypes.get_errno()
        raise OSError(number, "%s: %s" % (function, os.strerror(number)))


def mount(source, target, kind, data):
    call("mount", source.encode(), target.encode(), kind.encode(), 0, data.encode())


def percentile(times, part):
    return sorted(times)[int(len(times) * part)]


# ------------------------------------------------------------------------------------------- starting programs


class Stage:
    """The place, the root directory, and the way in which all programs are started."""

    def __init__(self, place, zs, reaper, orphans):
        self.place, self.zs, self.reaper, self.orphans = place, zs, reaper, orphans
        self.errors = os.path.join(place.root, "errors")
        runtime = os.path.join(place.root, "runtime")
        if not os.path.isdir(runtime):
            os.mkdir(runtime, 0o700)
            if place.uid is not None:
                os.chown(runtime, place.uid, place.uid)
        self.env = {**place.options()["env"], "XDG_RUNTIME_DIR": runtime}
        self.root = os.path.join(place.root, "root")

    def run(self, *words, output=False, files=(), prefix=()):
        """Waits for its end, and returns its first line if asked for it. It is the quickest start that Python has."""
        actions = [(os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, self.errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666), *files]
        if output:
            ours, theirs = os.pipe()
            actions.append((os.POSIX_SPAWN_DUP2, theirs, 1))
        words = [*prefix, *words]
        pid = os.posix_spawn(shutil.which(words[0]), words, self.env, file_actions=actions)
        line = ""
        if output:
            os.close(theirs)
            with open(ours) as file:
                line = file.readline().rstrip("\n")
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        if status != 0:
            with open(self.errors) as file:
                text = " / ".join(file.read().split("\n")[:2])
            raise Failed("%s %s: ended with %d: %s" % (os.path.basename(words[0]), words[1], status, text))
        return line

    def settle(self):
        """Waits until nothing that this process started is left."""
        path, own = "/proc/%d/task/%d/children" % (self.reaper, self.reaper), str(os.getpid())
        end = time.monotonic() + WAIT
        while True:
            with open(path) as file:
                if file.read().split() == [own]:
                    return
            if time.monotonic() > end:
                raise Failed("processes are left: %s" % descendants(self.reaper))
            time.sleep(0.0005)

    def processor(self):
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime + struct.unpack_from("d", self.orphans)[0]


class Overlay:
    """A writable layer over the root directory, in memory, as zs makes one. Whoever calls crun, runc and an old bwrap
    has to make it; here by four calls of the kernel, not by mount(8)."""

    def __init__(self, stage, name):
        self.lower, self.top = stage.root, os.path.join(stage.place.root, name)
        os.mkdir(self.top)
        self.merged = self.top + "/merged"

    def make(self):
        mount("tmpfs", self.top, "tmpfs", "mode=755")
        for name in ("upper", "work", "merged"):
            os.mkdir(self.top + "/" + name)
        mount("overlay", self.merged, "overlay", "lowerdir=%s,upperdir=%s/upper,workdir=%s/work" % (
            self.lower, self.top, self.top))

    def end(self):
        for path in (self.merged, self.top):
            if os.path.ismount(path):
                call("umount2", path.encode(), MNT_DETACH)


# ------------------------------------------------------------------------------------------------------- ways


class Box:
    def __init__(self, stage):
        self.stage, self.id = stage, None

    def create(self, *options, prefix=()):
        stage = self.stage
        self.id = stage.run(stage.zs, "box", "create", "--root", stage.root, "--workspace", stage.place.work, *options,
            output=True, prefix=prefix)

    def exec(self, prefix=()):
        self.stage.run(self.stage.zs, "box", "exec", self.id, "--", "/bin/true", prefix=prefix)

    def once(self):
        self.create()
        self.exec()
        self.end()

    def end(self, prefix=()):
        if self.id:
            name, self.id = self.id, None
            self.stage.run(self.stage.zs, "box", "close", name, prefix=prefix)


class Run:
    def __init__(self, stage):
        self.stage = stage

    def once(self):
        self.stage.run(self.stage.zs, "run", "--root", self.stage.root, "--", "/bin/true")

    def end(self):
        pass


class Bwrap:
    """The protections of a box, as far as bubblewrap has them."""

    def __init__(self, stage):
        self.stage = stage
        place, env = stage.place, stage.place.options()["env"]
        self.filter = os.path.join(place.root, "filter")
        self.overlay = None
        root = ["--bind", stage.root, "/"]
        if own_overlay():
            root = ["--overlay-src", stage.root, "--tmp-overlay", "/"]
        elif os.geteuid() == 0:
            self.overlay = Overlay(stage, "bwrap.%d" % os.getpid())
            root = ["--bind", self.overlay.merged, "/"]
        self.words = [shutil.which("bwrap"), "--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net",
            "--die-with-parent", *root, "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/dev/shm",
            "--bind", place.work, place.work, "--chdir", place.work, "--cap-drop", "ALL", "--clearenv"]
        for name in ("PATH", "HOME", "LANG"):
            self.words += ["--setenv", name, env[name]]
        self.words += ["--seccomp", "3", "--", "/bin/true"]

    def once(self):
        if self.overlay:
            self.overlay.make()
        self.stage.run(*self.words, files=[(os.POSIX_SPAWN_OPEN, 3, self.filter, os.O_RDONLY, 0)])
        self.end()

    def end(self):
        if self.overlay:
            self.overlay.end()


class Oci:
    """crun or runc, with a bundle whose config.json is that of their own `spec`; it has no seccomp filter. One at a
    time lives in each process that measures."""

    def __init__(self, stage, program, live):
        self.stage, self.program, self.live = stage, shutil.which(program), live
        name = "%s-%s-%d" % (program, "live" if live else "run", os.getpid())
        self.id, self.alive = name, False
        self.overlay = Overlay(stage, name)
        self.state = os.path.join(stage.place.root, "state-" + program)
        self.bundle = os.path.join(stage.place.root, name + ".bundle")
        os.mkdir(self.bundle)
        subprocess.run([self.program, "spec"], cwd=self.bundle, check=True)
        path = os.path.join(self.bundle, "config.json")
        with open(path) as file:
            config = json.load(file)
        config["process"].update(terminal=False, args=["/bin/sleep", "1000000"] if live else ["/bin/true"])
        config["root"] = {"path": self.overlay.merged, "readonly": False}
        config["mounts"].append({"destination": stage.place.work, "type": "none", "source": stage.place.work,
            "options": ["bind", "rw"]})
        with open(path, "w") as file:
            json.dump(config, file)

    def run(self, *words):
        self.stage.run(self.program, "--root", self.state, *words)

    def once(self):
        self.overlay.make()
        self.alive = True
        if self.live:
            self.run("run", "--detach", "--bundle", self.bundle, self.id)
            self.run("exec", self.id, "/bin/true")
        else:
            self.run("run", "--bundle", self.bundle, self.id)
            self.alive = False
        self.end()

    def end(self):
        if self.alive:
            self.alive = False
            self.run("delete", "--force", self.id)
        self.overlay.end()


class Podman:
    """podman makes its overlay itself, on the disk. Its limits would need CAP_SYS_RESOURCE, and crun refuses a machine
    that has both versions of cgroups."""

    def __init__(self, stage):
        self.stage, self.id, self.alive = stage, "live-%d" % os.getpid(), False
        folder = os.path.join(stage.place.root, "podman")
        self.words = ["podman", "--runtime=runc", "--root", folder + "/root", "--runroot", folder + "/run",
            "--cgroup-manager=cgroupfs", "--events-backend=none"]

    def run(self, *words):
        self.stage.run(*self.words, *words)

    def once(self):
        self.alive = True
        self.run("run", "--quiet", "--detach", "--name", self.id, "--network=none", "--ulimit=nofile=1024:1024",
            "--ulimit=nproc=10000:10000", "--volume", self.stage.place.work + ":" + self.stage.place.work, "--rootfs",
            self.stage.root + ":O", "/bin/sleep", "1000000")
        self.run("exec", self.id, "/bin/true")
        self.end()

    def end(self):
        if self.alive:
            self.alive = False
            self.run("rm", "--force", "--time", "0", self.id)


def own_overlay():
    return "--tmp-overlay" in subprocess.run(["bwrap", "--help"], stdout=subprocess.PIPE, text=True).stdout


def try_once(name, make):
    """The way, or None when it does not run here; then its error is printed."""
    way = None
    try:
        way = make()
        way.once()
        way.stage.settle()
        return way
    except (Failed, OSError, subprocess.CalledProcessError) as error:
        print("%-46s NOT MEASURED: %s" % (name, error))
        if way:
            end(way)
        return None


def end(way):
    try:
        way.end()
    except (Failed, OSError) as error:
        print("bench: %s" % error, file=sys.stderr)


def ways(stage):
    """Those that run here, by name."""
    made = {BOX: lambda: Box(stage), RUN: lambda: Run(stage)}
    if shutil.which("bwrap"):
        made[BWRAP + bwrap_kind()] = lambda: Bwrap(stage)
    if os.geteuid() == 0:
        for program in filter(shutil.which, ("crun", "runc")):
            made[program + " run -d, exec, delete"] = lambda program=program: Oci(stage, program, True)
            made[program + " run"] = lambda program=program: Oci(stage, program, False)
        if shutil.which("podman") and shutil.which("runc"):
            made["podman run -d, exec, rm"] = lambda: Podman(stage)
    for program in ("bwrap", "crun", "runc", "podman"):
        if not shutil.which(program):
            print("%-46s NOT MEASURED: it is not installed (apt-get install)" % program)
    found = {name: try_once(name, make) for name, make in made.items()}
    return made, {name: way for name, way in found.items() if way}


def bwrap_kind():
    if own_overlay():
        return " --tmp-overlay"
    return " on an overlay" if os.geteuid() == 0 else ", which has no overlay"


# ------------------------------------------------------------------------------------------- create to close


def rounds(stage, found):
    times = {name: ([], []) for name in found}
    names, begin = list(found), time.monotonic()
    for turn in range(ROUNDS):
        if turn >= ENOUGH and time.monotonic() - begin > SECONDS:
            break
        # Not each time behind the same one: what a run leaves the kernel to do is paid by the next.
        for i in range(len(names)):
            name = names[(i * (-1 if turn % 2 else 1) + turn) % len(names)]
            cpu, start = stage.processor(), time.perf_counter()
            found[name].once()
            wall = time.perf_counter() - start
            stage.settle()
            times[name][0].append(wall * 1e3)
            times[name][1].append((stage.processor() - cpu) * 1e3)
    return times


def loop(make, ready, go):
    """One process that does it again and again. Prints how often a second."""
    way = make()
    os.write(ready, b".")
    os.read(go, 1)
    count, begin = 0, time.monotonic()
    while time.monotonic() - begin < LOOP_SECONDS:
        way.once()
        count += 1
    return count / (time.monotonic() - begin)


def rate(make, loops):
    """Boxes a second of so many loops together."""
    ready, go, results = os.pipe(), os.pipe(), os.pipe()
    pids = []
    for _ in range(loops):
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                os.write(results[1], struct.pack("d", loop(make, ready[1], go[0])))
                status = 0
            finally:
                os._exit(status)
        pids.append(pid)
    for _ in pids:
        os.read(ready[0], 1)
    os.write(go[1], b"." * loops)
    ended = [os.waitpid(pid, 0)[1] for pid in pids]
    total = sum(struct.unpack("d", os.read(results[0], 8))[0] for status in ended if status == 0)
    for each in (*ready, *go, *results):
        os.close(each)
    return total if not any(ended) else None


def life(stage):
    """Measures it as this process's user."""
    print("\n%s, from create to close, with one /bin/true (in turns)" % stage.place.user)
    made, found = ways(stage)
    try:
        times = rounds(stage, found)
    finally:
        for way in found.values():
            end(way)
    print("\n%-30s %8s %8s %8s %8s %6s %8s %8s" % (
        "ms", "wall p50", "p99", "cpu p50", "p99", "rounds", "1 loop/s", "2 loops"))
    for name, (wall, cpu) in times.items():
        rates = [rate(made[name], loops) for loops in (1, 2)]
        stage.settle()
        print("%-30s %8.1f %8.1f %8.1f %8.1f %6d %s" % (name, statistics.median(wall), percentile(wall, 0.99),
            statistics.median(cpu), percentile(cpu, 0.99), len(wall),
            " ".join("%8s" % ("FAILED" if each is None else "%.1f" % each) for each in rates)))
    for other, most in ((CRUN, 0.25), ("crun run", None), (BWRAP + bwrap_kind(), 1)):
        if other not in times or BOX not in times:
            print("%-46s NOT MEASURED" % (BOX + " / " + other))
            continue
        for what, each in (("", 0), (", processor", 1)):
            ratio = statistics.median(times[BOX][each]) / statistics.median(times[other][each])
            name = "box / " + other + what
            if most is None:
                print("%-46s no target, reached %.2f" % (name, ratio))
            else:
                say(name, most, ratio)


# -------------------------------------------------------------------------------------- a command in a live box


def commands(stage):
    """Measures it as this process's user."""
    box = Box(stage)
    box.create()
    try:
        rows = [(BARE, ["/bin/true"]), (SESSION, ["@session", "/bin/true"]),
            ("zs_box_exec", ["@box=" + box.id, "/bin/true"]),
            ("zs box exec", [stage.zs, "box", "exec", box.id, "--", "/bin/true"])]
        words = [word for _, row in rows for word in [*row, ";"]]

        def lines(*what):
            done = subprocess.run([stage.place.spawn, *what, *words], cwd=stage.place.work, env=stage.env, check=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
            return [[float(word) for word in line.split()] for line in done.stdout.splitlines()]

        times, rates = lines("rounds", str(EXEC_ROUNDS)), lines("loops", str(EXEC_SECONDS))
    finally:
        end(box)
    stage.settle()
    print("\n%-30s %8s %8s %8s %8s %8s" % (
        "/bin/true in a live box, us", "p50", "p99", "x bare", "1 loop/s", "2 loops"))
    for (name, _), (median, slow, _), (one, two) in zip(rows, times, rates):
        print("%-30s %8.0f %8.0f %8.2f %8.0f %8.0f" % (name, median / 1e3, slow / 1e3, median / times[0][0], one, two))
    for i, most in ((2, 1.3), (3, None)):
        ratio = times[i][0] / times[0][0]
        if most is None:
            print("%-46s no target, reached %.2f: a program more to start" % (rows[i][0] + " / " + BARE, ratio))
        else:
            say(rows[i][0] + " / " + BARE, most, ratio)


# ----------------------------------------------------------------------------------------------- many at once


def proportional(pids):
    """KiB of all of them: each page in parts, for those who share it."""
    total = 0
    for pid in pids:
        with open("/proc/%d/smaps_rollup" % pid) as file:
            total += sum(int(line.split()[1]) for line in file if line.startswith("Pss:"))
    return total


def of_kernel():
    with open("/proc/meminfo") as file:
        return sum(int(line.split()[1]) for line in file if line.startswith(KERNEL))


def on_disk(place):
    """KiB of all that a box of this place may have left on a disk."""
    total = 0
    kept = [place.root, *(os.path.join(each, name) for each in ("/tmp", "/var/tmp") for name in os.listdir(each)
        if name.startswith("zs"))]
    for top in kept:
        for folder, _, files in os.walk(top):
            for path in (folder, *(os.path.join(folder, name) for name in files)):
                try:
                    total += os.lstat(path).st_blocks
                except FileNotFoundError:
                    pass  # another program's
    return total / 2


def own_processes(stage):
    mine = {os.getpid(), *descendants(os.getpid())}
    return [pid for pid in descendants(stage.reaper) if pid not in mine]


def many(stage):
    """As the user who started the benchmark, who may read the memory of all; the boxes are the place's user's."""
    prefix = stage.place.prefix()
    owner = subprocess.Popen([*prefix, "sleep", "1000000"])
    made = []

    def add(count):
        for _ in range(count):
            box = Box(stage)
            box.create("--owner", str(owner.pid), prefix=prefix)
            made.append(box)
            box.exec(prefix=prefix)

    try:
        add(1)  # which makes the folders
        kernel, disk, begin = of_kernel(), on_disk(stage.place), time.monotonic()
        memory, processes = proportional(own_processes(stage)), len(own_processes(stage))
        print("\n%-46s %.0f KiB, %d processes" % ("one box of %s alone, PSS" % stage.place.user, memory, processes))
        add(MEMORY_BOXES - 1)
        pids = own_processes(stage)
        say("MiB a box (PSS, %d alive, %d processes)" % (len(made), len(pids)), 1.5,
            proportional(pids) / len(made) / 1024)
        others = len(made) - 1
        print("%-46s no target, reached %.2f (whole machine)" % (
            "MiB a box in the kernel", (of_kernel() - kernel) / others / 1024))
        print("%-46s no target, reached %.1f" % ("KiB a box on the disk", (on_disk(stage.place) - disk) / others))
        add(ALIVE - len(made))
        took = time.monotonic() - begin
        made[0].exec(prefix=prefix)
        made[-1].exec(prefix=prefix)
        alive = subprocess.run([*prefix, stage.zs, "box", "list", "--json"], env=stage.env, check=True,
            stdout=subprocess.PIPE, text=True).stdout.count("\n")
        print("%-46s target >= %d, reached %d: %s" % ("boxes alive", ALIVE, alive, "yes" if alive >= ALIVE else "NO"))
        print("%-46s no target, reached %.1f" % ("s for create and exec of these, one after another", took))
        begin = time.monotonic()
        owner.kill()
        owner.wait()
        stage.settle()
        say("s until all have ended with their owner", 1, time.monotonic() - begin)
    except (Failed, OSError) as error:
        print("%-46s NO: with %d boxes: %s" % ("many boxes", len(made), error))
    finally:
        owner.kill()
        owner.wait()
        stage.settle()


# ------------------------------------------------------------------------------------------------------ parts


def measure(work, place, zs, user):
    """Forks the reaper, and from it the process that works, as the place's user if so. Nothing is left of either."""
    sys.stdout.flush()
    reaper = os.fork()
    if reaper > 0:
        status = os.waitpid(reaper, 0)[1]
        if status != 0:
            sys.exit("bench: box: %s has failed" % work.__name__)
        return
    status = 1
    try:
        status = reap(work, place, zs, user)
    finally:
        os._exit(status)


def reap(work, place, zs, user):
    call("prctl", PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    if os.geteuid() == 0:
        call("unshare", CLONE_NEWNS)
        call("mount", None, b"/", None, MS_REC | MS_PRIVATE, None)
        # crun refuses a machine that has cgroups of both versions.
        if os.path.ismount("/sys/fs/cgroup/unified"):
            call("umount2", b"/sys/fs/cgroup/unified", MNT_DETACH)
    orphans = mmap.mmap(-1, 8)
    stage = Stage(place, zs, os.getpid(), orphans)
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            if user and place.uid is not None:
                os.setgroups([])
                os.setresgid(place.uid, place.uid, place.uid)
                os.setresuid(place.uid, place.uid, place.uid)
            os.chdir(place.work)
            work(stage)
            sys.stdout.flush()
            status = 0
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(status)
    result, total = None, 0.0
    while True:
        try:
            ended, status, usage = os.wait4(-1, 0)
        except ChildProcessError:
            return result
        if ended == pid:
            result = 1 if status else 0
            for left in descendants(os.getpid()):
                os.kill(left, signal.SIGKILL)
        else:
            total += usage.ru_utime + usage.ru_stime
            struct.pack_into("d", orphans, 0, total)


def make_root(place):
    """A small one, with the folders in which bwrap mounts."""
    root = small_root(types.SimpleNamespace(root=place.root, user=types.SimpleNamespace(uid=place.uid)))
    real = os.path.realpath("/bin/true")
    copy(real, root)
    if not os.path.lexists(root + "/bin/true"):
        os.symlink(os.path.relpath(root + real, root + "/bin"), root + "/bin/true")
    for name in ("proc", "dev", "sys", "tmp", place.work.lstrip("/")):
        os.makedirs(os.path.join(root, name), exist_ok=True)


def main(zs, spawn):
    print("\nboxes on %s, load %s" % (time.strftime("%Y-%m-%d"), " ".join("%.1f" % each for each in os.getloadavg())))
    for number, place in enumerate(places(spawn)):
        try:
            binary = shutil.copy(zs, os.path.join(place.root, "zs"))
            make_root(place)
            with open(os.path.join(place.root, "filter"), "wb") as file:
                file.write(place.output(place.spawn, "filter"))
            with open(os.path.join(place.root, "errors"), "w"):
                os.chmod(os.path.join(place.root, "errors"), 0o666)
            measure(life, place, binary, True)
            measure(commands, place, binary, True)
            if number > 0:
                continue  # a minute of a busy machine, for much the same numbers
            if os.geteuid() == 0:
                measure(many, place, binary, False)
            else:
                print("%-46s NOT MEASURED: only root may read the memory of zs" % "many boxes")
        finally:
            place.close()
    print("load at the end %s" % " ".join("%.1f" % each for each in os.getloadavg()))
