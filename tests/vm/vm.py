#!/usr/bin/env python3
"""Runs zs on Debian's kernels in QEMU: ./zigw build vm [-- NAME...]. The cells are in cells.py.

    tests/vm/vm.py --zs=PATH [--list] [--jobs=N] [NAME...]

Without KVM a cell takes 15 to 60 seconds. The first time also fetches kernels and makes a root file system, which takes
root. The last line is the sum; a cell whose kernel or tools cannot be had is skipped, and the line says why."""

import argparse
import concurrent.futures
import io
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

CELL_SECONDS = 300
CONSOLE_LINES = 20
SMOKE = len(re.findall(r"^check ", open(os.path.join(HERE, "guest", "smoke")).read(), re.M))


class Machine:
    """All cells share it. Each thing is made once, by the first cell that needs it."""

    def __init__(self, zs):
        self.zs, self.lock, self.kernels, self.apt, self.image = zs, threading.Lock(), {}, None, None

    def kernel(self, name):
        with self.lock:
            self.apt = self.apt or debian.Apt()
            self.image = self.image or debian.root_image(self.apt)
            if name not in self.kernels:
                try:
                    self.kernels[name] = debian.Kernel(self.apt, KERNELS[name].suite, KERNELS[name].pattern)
                except debian.Missing as missing:
                    self.kernels[name] = missing
        if isinstance(self.kernels[name], debian.Missing):
            raise self.kernels[name]
        return self.kernels[name]


def add_text(tar, name, text):
    info = tarfile.TarInfo(name)
    data = text.encode()
    info.size, info.mode = len(data), 0o644
    tar.addfile(info, io.BytesIO(data))


def write_job(path, zs, cell):
    with tarfile.open(path, "w") as tar:
        tar.add(zs, "zs")
        tar.add(os.path.join(HERE, "guest", "smoke"), "smoke")
        tar.add(os.path.join(HERE, "guest", "brief"), "command")
        add_text(tar, "setting", cell.setting + "\n")
        add_text(tar, "users", "root user\n")


def boot(machine, kernel, cell, folder):
    """Returns what the guest has written, by user, and the console's last lines."""
    job, out, console = (os.path.join(folder, name) for name in ("job.tar", "out", "console"))
    write_job(job, machine.zs, cell)
    argv = ["qemu-system-x86_64", "-accel", "tcg", "-cpu", "max", "-smp", "1", "-m", "1500", "-nodefaults",
        "-no-user-config", "-display", "none", "-no-reboot", "-nic", "none",
        "-kernel", kernel.folder + "/vmlinuz", "-initrd", kernel.folder + "/initramfs.gz",
        "-append", "console=ttyS0 quiet panic=-1 mitigations=off random.trust_cpu=on " + cell.append,
        "-drive", "file=%s,format=raw,if=virtio,snapshot=on" % machine.image,
        "-drive", "file=%s,format=raw,if=virtio,readonly=on" % job,
        "-serial", "file:" + console, "-serial", "file:" + out,
        "-object", "rng-random,id=random,filename=/dev/urandom", "-device", "virtio-rng-pci,rng=random"]
    try:
        subprocess.run(argv, stdin=subprocess.DEVNULL, timeout=CELL_SECONDS)
    except subprocess.TimeoutExpired:
        pass
    texts = [open(path, errors="replace").read() if os.path.exists(path) else "" for path in (out, console)]
    users = dict(re.findall(r"^=== (root|user) begins\n(.*?)^=== \1 exit", texts[0], re.M | re.S))
    ended = re.search(r"^=== end", texts[0], re.M)
    return users, "" if ended else "\n".join((texts[0] + texts[1]).splitlines()[-CONSOLE_LINES:])


def judge(cell, user, text, expected):
    """The faults that a user's output shows."""
    abi = re.search(r"^landlock (-?\d+)$", text, re.M)
    ran = re.search(r"^run (\d+) (.*)$", text, re.M)
    wanted = KERNELS[cell.kernel].abi
    if not abi or not ran:
        return ["no result: " + text[-300:]]
    faults = []
    if wanted is not None and not cell.append.startswith("lsm=") and int(abi[1]) != wanted:
        faults.append("the kernel's Landlock ABI is %s, not %d" % (abi[1], wanted))
    if expected == HOLDS:
        faults += re.findall(r"^BAD .*$", text, re.M)
        kept = len(re.findall(r"^ok ", text, re.M))
        if ran[1] != "0" or kept + len(faults) != SMOKE:
            faults.append("run %s; %d of %d promises were tried: %s" % (ran[1], kept, SMOKE, ran[2]))
    elif ran[1] != "125" or cell.word.lower() not in ran[2].lower():
        faults.append("status %s for 125, or no word of %s: %s" % (ran[1], cell.word, ran[2]))
    return faults


def try_cell(machine, cell):
    began = time.monotonic()
    kernel = machine.kernel(cell.kernel)
    with tempfile.TemporaryDirectory(prefix="zs-vm-") as folder:
        users, unfinished = boot(machine, kernel, cell, folder)
    faults = ["no end: " + unfinished] if unfinished else []
    for user, expected in (("root", cell.root), ("user", cell.user)):
        faults += ["[%s] %s" % (user, fault) for fault in judge(cell, user, users.get(user, ""), expected)]
    return kernel.release, faults, time.monotonic() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--zs", required=True)
    parser.add_argument("--list", action="store_true", help="print the cells' names")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("names", nargs="*", help="only cells whose name or kernel contains one of these")
    arguments = parser.parse_args()
    cells = [cell for cell in CELLS if not arguments.names or any(
        name in cell.name or name == cell.kernel for name in arguments.names)]
    if arguments.list:
        print("\n".join("%s (%s)" % (cell.name, cell.kernel) for cell in cells))
        return
    missing = debian.missing_tools()
    if missing:
        sys.exit("vm: missing: apt-get install %s" % " ".join(missing))
    passed = failed = skipped = 0
    machine = Machine(os.path.realpath(arguments.zs))
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        running = {pool.submit(try_cell, machine, cell): cell for cell in cells}
        for done in concurrent.futures.as_completed(running):
            cell = running[done]
            try:
                release, faults, seconds = done.result()
            except debian.Missing as reason:
                print("SKIP %s: %s" % (cell.name, reason), flush=True)
                skipped += 1
                continue
            print("%s %s: %s, %.0f s" % ("FAIL" if faults else "ok  ", cell.name, release, seconds), flush=True)
            for fault in faults:
                print("    " + fault)
            passed, failed = passed + (not faults), failed + bool(faults)
    print("%d passed, %d failed, %d skipped" % (passed, failed, skipped))
    sys.exit(1 if failed or passed + skipped == 0 else 0)


if __name__ == "__main__":
    main()
