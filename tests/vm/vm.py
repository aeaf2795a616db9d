#!/usr/bin/env python3
"""Runs zs on Debian's kernels in QEMU: ./zigw build vm [-- NAME...]. The cells are in cells.py.

    tests/vm/vm.py --amd64=PATH... [--arm64=PATH...] [--attacks] [--units] [--small] [--list] [--verbose] [--jobs=N]
        [NAME...]

Without KVM a cell takes 10 to 60 seconds, and some minutes where it runs the project's own tests. The first time also
fetches kernels and makes a root file system, which takes root. The last line is the sum; a cell whose kernel or tools
cannot be had is skipped, and the line says why.
results.json keeps the last result of each cell; docs/kernels.md is made from it. --attacks runs guest/attacks in each
cell in which zs runs, --units a share of the unit tests; a later run without them keeps these results, which have their
own dates. --small, for CI: zs is the only program, the root has few packages, and no result is kept."""

import argparse
import concurrent.futures
import datetime
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

import debian  # noqa: E402
from cells import CELLS, HOLDS, KERNELS  # noqa: E402

CELL_SECONDS, ATTACKS_SECONDS = 1500, 1500
CONSOLE_LINES = 20
RESULTS = os.path.join(HERE, "results.json")


def promises(*names):
    """How many checks these scripts of guest/ make."""
    return sum(len(re.findall(r"^check ", open(os.path.join(HERE, "guest", name)).read(), re.M)) for name in names)


def with_tests(cell, scripts):
    """The cell, with these scripts of guest/ if zs runs in it for both users, and what they try works without zs."""
    if (cell.root, cell.user) != (HOLDS, HOLDS):
        return cell
    more = [name for name in scripts if name in cell.controls and name not in tests_of(cell)]
    return cell._replace(extra=(*cell.extra, *("root:" + name for name in more)))


def tests_of(cell):
    """The scripts among its extra ones that run the project's own tests and print sums."""
    return [name for name in {*extra_of(cell, "root"), *extra_of(cell, "user")} if name in SUMS]


def tested(script, text):
    """Returns the result of such a script, and the faults."""
    with open(os.path.join(HERE, "guest", script)) as file:
        parts = re.findall(SUMS[script], file.read(), re.M)
    sums = dict(re.findall(r"^%s (\S+): (.*)$" % script, text, re.M))
    counts = [re.fullmatch(r"(\d+) passed, 0 failed, (\d+) skipped", sums.get(name, "")) for name in parts]
    faults = ["%s: %s" % (name, sums.get(name, "not tried")) for name, count in zip(parts, counts) if not count]
    if faults:
        return "failed", faults + re.findall(r"^FAIL .*", text, re.M)
    passed, skipped = (sum(int(count[number]) for count in counts) for number in (1, 2))
    return "holds %d" % passed + (", skips %d" % skipped if skipped else ""), []


def extra_of(cell, user):
    return [name.split(":")[-1] for name in cell.extra if name.split(":")[0] in (user, name)]


# QEMU's machine and the kernel's console by Debian's name of the processor.
MACHINES = {"amd64": (["-cpu", "max"], "ttyS0"), "arm64": (["-M", "virt", "-cpu", "cortex-a72"], "ttyAMA0")}


class Machine:
    """All cells of one processor share it. Each thing is made once, by the first cell that needs it."""

    def __init__(self, processor, programs, small):
        """programs: zs, the unit tests, and two programs that these start."""
        self.processor, self.programs, self.lock, self.kernels = processor, programs, threading.Lock(), {}
        self.small, self.apt, self.image = small, None, None

    def kernel(self, cell):
        name = cell.kernel
        if len(self.programs) != (1 if self.small else len(PROGRAMS)):
            raise debian.Missing("no programs for %s are given" % self.processor)
        if self.small and (cell.extra or cell.setting):
            raise debian.Missing("it needs more than the small root has")
        if debian.lacks(debian.QEMUS[self.processor][0]):
            raise debian.Missing("apt-get install " + debian.QEMUS[self.processor][1])
        with self.lock:
            self.apt = self.apt or debian.Apt(self.processor)
            self.image = self.image or debian.root_image(self.apt, self.small)
            if name not in self.kernels:
                try:
                    self.kernels[name] = debian.Kernel(self.apt, KERNELS[name].suite, KERNELS[name].pattern)
                except debian.Missing as missing:
                    self.kernels[name] = missing
        if isinstance(self.kernels[name], debian.Missing):
            raise self.kernels[name]
        return self.kernels[name]


# The programs of a job, as the guest has them.
PROGRAMS = ("zs", "test-sandbox", "blind", "plain-proxy")
# These scripts of guest/ run the project's own tests.
TESTED = {"attacks", "btrfs", "cgroups"}
# These do so in each cell where they are asked for, and print a sum for each part. How the script names its parts.
SUMS = {"attacks": r"^attack (\S+)", "units": r"^echo \"units (\S+):"}
# So many cells share the unit tests. A cell that names them itself has all.
SHARES = 4


def add_text(tar, name, text):
    info = tarfile.TarInfo(name)
    data = text.encode()
    info.size, info.mode = len(data), 0o644
    tar.addfile(info, io.BytesIO(data))


def write_job(path, programs, cell, kernel):
    with tarfile.open(path, "w") as tar:
        for name, program in zip(PROGRAMS, programs):
            tar.add(program, name)
        tar.add(os.path.join(HERE, "guest", "brief"), "command")
        scripts = {"smoke", *extra_of(cell, "root"), *extra_of(cell, "user")}
        for name in scripts:
            tar.add(os.path.join(HERE, "guest", name), name)
        if scripts & TESTED:
            tar.add(os.path.join(os.path.dirname(HERE), "e2e"), "tests/e2e")
        for number, module in enumerate(kernel.modules(cell.modules)):
            info = tarfile.TarInfo("modules/%03d.ko" % number)
            data = debian.unpacked(module)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
        number = [known.name for known in CELLS].index(cell.name)
        add_text(tar, "share", "0 1\n" if "units" in tests_of(CELLS[number]) else "%d %d\n" % (number % SHARES, SHARES))
        add_text(tar, "setting", cell.setting + "\n")
        add_text(tar, "users", "root user\n")
        add_text(tar, "extra-root", " ".join(extra_of(cell, "root")) + "\n")
        add_text(tar, "extra-u", " ".join(extra_of(cell, "user")) + "\n")
        if cell.cure:
            add_text(tar, "cure", "")


def boot(machine, kernel, cell, folder):
    """Returns what the guest has written, as a whole and by user, and how an unfinished one ended."""
    job, out, console = (os.path.join(folder, name) for name in ("job.tar", "out", "console"))
    write_job(job, machine.programs, cell, kernel)
    kind, terminal = MACHINES[machine.processor]
    argv = [debian.QEMUS[machine.processor][0], *kind, "-accel", "tcg", "-smp", "1", "-m", "1500", "-nodefaults",
        "-no-user-config", "-display", "none", "-no-reboot", "-nic", "none",
        "-kernel", kernel.folder + "/vmlinuz", "-initrd", kernel.folder + "/initramfs.gz",
        "-append", "console=%s quiet panic=-1 mitigations=off random.trust_cpu=on %s" % (terminal, cell.append),
        "-drive", "file=%s,format=raw,if=virtio,snapshot=on" % machine.image,
        "-drive", "file=%s,format=raw,if=virtio,readonly=on" % job,
        "-serial", "file:" + console, "-chardev", "file,id=out,path=" + out, "-device", "virtio-serial-pci",
        "-device", "virtconsole,chardev=out",
        "-object", "rng-random,id=random,filename=/dev/urandom", "-device", "virtio-rng-pci,rng=random"]
    try:
        subprocess.run(argv, stdin=subprocess.DEVNULL,
            timeout=CELL_SECONDS + ATTACKS_SECONDS * ("attacks" in tests_of(cell)))
    except subprocess.TimeoutExpired:
        pass
    texts = [open(path, errors="replace").read() if os.path.exists(path) else "" for path in (out, console)]
    users = dict(re.findall(r"^=== (root|user) begins\n(.*?)^=== \1 exit", texts[0], re.M | re.S))
    ended = re.search(r"^=== end", texts[0], re.M)
    return texts[0], users, "" if ended else "\n".join((texts[0] + texts[1]).splitlines()[-CONSOLE_LINES:])


def judge(cell, user, text, expected):
    """Returns the Landlock ABI, how many promises were kept, and the faults that a user's output shows."""
    abi = re.search(r"^landlock (-?\d+)$", text, re.M)
    ran = re.search(r"^run (\d+) (.*)$", text, re.M)
    if not abi or not ran:
        return None, 0, ["no result: " + text[-300:]]
    faults, kept = [], 0
    if cell.abi is not None and int(abi[1]) != cell.abi:
        faults.append("the kernel's Landlock ABI is %s, not %d" % (abi[1], cell.abi))
    if expected == HOLDS:
        broken = re.findall(r"^BAD (\S+): (.*)$", text, re.M)
        refused = [name for name, why in broken if name in cell.lacks and why.startswith("status 125 ")]
        faults += ["%s: %s" % (name, why) for name, why in broken if name not in refused]
        faults += ["%s: is kept; the cell says that it cannot be" % name for name in cell.lacks if name not in refused]
        kept, all_of = len(re.findall(r"^ok ", text, re.M)), promises("smoke", *extra_of(cell, user))
        if ran[1] != "0" or kept + len(broken) != all_of:
            faults.append("run %s; %d of %d promises were tried: %s" % (ran[1], kept + len(broken), all_of, ran[2]))
    elif ran[1] != "125" or cell.word.lower() not in ran[2].lower():
        faults.append("status %s for 125, or no word of %s: %s" % (ran[1], cell.word, ran[2]))
    return int(abi[1]), kept, faults


def try_cell(machines, cell):
    """Returns the result for results.json, the faults, the seconds, and all that the guest has written."""
    machine = machines[KERNELS[cell.kernel].processor]
    kernel = machine.kernel(cell)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="zs-vm-") as folder:
        text, users, unfinished = boot(machine, kernel, cell, folder)
    faults = ["no end: " + unfinished] if unfinished else []
    # A setting that is made says nothing, but for the workspace's type.
    before = re.sub(r"^(=== kernel|workspace) .*\n", "", text.split("=== root begins")[0], flags=re.M)
    faults += ["[setting] " + line for line in before.splitlines()]
    result = {"date": datetime.date.today().isoformat(), "kernel": kernel.release}
    for user, expected in (("root", cell.root), ("user", cell.user)):
        abi, kept, found = judge(cell, user, users.get(user, ""), expected)
        cured = re.search(r"^=== %s cured (.*)$" % user, text, re.M)
        if cell.cure and (not cured or not cured[1].endswith("cured 0 ")):
            found.append("the cure of zs doctor does not help: " + (cured[1] if cured else "not tried"))
        faults += ["[%s] %s" % (user, fault) for fault in found]
        result["landlock"] = abi
        result[user] = "failed" if found else "%s %d" % (expected, kept) if expected == HOLDS else expected
    for script in tests_of(cell):
        verdict, found = tested(script, text)
        faults += ["[%s] %s" % (script, fault) for fault in found]
        result[script] = "%s (%s)" % (verdict, result["date"])
    if faults:
        result["failed"] = True
    return result, faults, time.monotonic() - began, text


def keep(results):
    """Puts them among the last results, in the order of the cells; those of cells that are gone go too."""
    known = json.load(open(RESULTS)) if os.path.exists(RESULTS) else {}
    for name, result in results.items():
        known[name] = {**{key: value for key, value in known.get(name, {}).items() if key in SUMS}, **result}
    with open(RESULTS, "w") as file:
        json.dump({cell.name: known[cell.name] for cell in CELLS if cell.name in known}, file, indent="\t")
        file.write("\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for processor in MACHINES:
        parser.add_argument("--" + processor, action="append", default=[], help="a program: " + ", ".join(PROGRAMS))
    for script in SUMS:
        parser.add_argument("--" + script, action="store_true", help="run guest/%s in each cell too" % script)
    parser.add_argument("--small", action="store_true", help="no tests of the project's; keep no results")
    parser.add_argument("--list", action="store_true", help="print the cells' names")
    parser.add_argument("--missing", action="store_true", help="print the packages of tools that this machine lacks")
    parser.add_argument("--verbose", action="store_true", help="print all that the guest writes")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("names", nargs="*", help="only cells whose name contains one of these; =NAME: this cell alone")
    arguments = parser.parse_args()
    cells = [cell for cell in CELLS if not arguments.names or any(
        name in cell.name or name in (cell.kernel, "=" + cell.name) for name in arguments.names)]
    cells = [with_tests(cell, [script for script in SUMS if getattr(arguments, script)]) for cell in cells]
    if arguments.list:
        print("\n".join("%s (%s)" % (cell.name, cell.kernel) for cell in cells))
        return
    missing = debian.missing_tools()
    if arguments.missing:
        tool, package = debian.QEMUS["amd64"]
        print(" ".join(missing + [package] * debian.lacks(tool)))
        return
    if missing:
        sys.exit("vm: missing: apt-get install %s" % " ".join(missing))
    passed = failed = skipped = 0
    machines = {name: Machine(name, [os.path.realpath(path) for path in getattr(arguments, name)], arguments.small)
        for name in MACHINES}
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        running = {pool.submit(try_cell, machines, cell): cell for cell in cells}
        for done in concurrent.futures.as_completed(running):
            cell = running[done]
            try:
                result, faults, seconds, text = done.result()
            except debian.Missing as reason:
                print("SKIP %s: %s" % (cell.name, reason), flush=True)
                skipped += 1
                continue
            if not arguments.small:
                keep({cell.name: result})
            verdict = "FAIL" if faults else "ok  "
            print("%s %s: %s, %.0f s" % (verdict, cell.name, result["kernel"], seconds), flush=True)
            if arguments.verbose:
                print(text)
            for fault in faults:
                print("    " + fault)
            passed, failed = passed + (not faults), failed + bool(faults)
    print("%d passed, %d failed, %d skipped" % (passed, failed, skipped))
    sys.exit(1 if failed or passed + skipped == 0 else 0)


if __name__ == "__main__":
    main()
