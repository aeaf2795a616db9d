"""The cost of zs run --denials: processor time of a run with it, over one without, in turns. The time of every process
counts: the command's, the init's, which looks at calls, and the collector's."""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tarfile

from confined import lay_out, places, say

ROUNDS = 21
PACKAGES, PACKAGE_FILES = 150, 20

JOBS = [
    ("cc -O1 of 400 functions", "cc -O1 -c -o unit.o unit.c", "cc", 1.05),
    ("git status, 20,000 files, ten times", "cd tree && for i in 1 2 3 4 5 6 7 8 9 10; do git status; done", "git",
        1.05),
    ("git grep, 20,000 files", "cd tree && git grep -c 'file 7 in 3'", "git", 1.05),
    ("npm install, warm cache", "rm -rf npm/node_modules && cd npm && npm install --offline --no-audit --no-fund",
        "npm", 1.05),
    # No target: nothing but refusable calls, whose price this shows.
    ("2,000 files made and removed", "mkdir m && cd m && i=0; while [ $i -lt 2000 ]; do : >$i; i=$((i+1)); done; "
        "cd .. && rm -r m", "sh", None),
    ("300 programs started", "i=0; while [ $i -lt 300 ]; do /bin/true; i=$((i+1)); done", "sh", None),
]


def lay_out_npm(place):
    """Packages as files, so that no registry is needed. The first install fills the cache."""
    folder = os.path.join(place.work, "npm")
    os.mkdir(folder)
    dependencies = {}
    for number in range(PACKAGES):
        name = "part-%d" % number
        source = os.path.join(folder, "package")
        os.mkdir(source)
        for file in range(PACKAGE_FILES):
            with open(os.path.join(source, "f%d.js" % file), "w") as f:
                f.write("module.exports = %d;\n" % file * 50)
        with open(os.path.join(source, "package.json"), "w") as f:
            json.dump({"name": name, "version": "1.0.0"}, f)
        with tarfile.open(os.path.join(folder, name + ".tgz"), "w:gz") as archive:
            archive.add(source, "package")
        shutil.rmtree(source)
        dependencies[name] = "file:%s.tgz" % name
    with open(os.path.join(folder, "package.json"), "w") as f:
        json.dump({"name": "all", "version": "1.0.0", "dependencies": dependencies}, f)
    if place.uid is not None:
        subprocess.run(["chown", "-R", "%d:%d" % (place.uid, place.uid), folder], check=True)


def cost(place, argv):
    """Seconds of the processors."""
    process = subprocess.Popen([*place.prefix(), *argv], stdout=subprocess.DEVNULL, **place.options())
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status != 0:
        sys.exit("bench: %s has failed" % argv)
    return usage.ru_utime + usage.ru_stime


def measure(zs, place):
    lay_out(place)
    if shutil.which("npm"):
        lay_out_npm(place)
    print("\n%s: processor time with --denials / without, median of %d" % (place.user, ROUNDS))
    for name, script, program, target in JOBS:
        if not shutil.which(program):
            print("%-46s NOT MEASURED: there is no %s" % (name, program))
            continue
        ways = [[zs, "run", *options, "--", "/bin/sh", "-c", script] for options in ([], ["--denials"])]
        for way in ways:
            cost(place, way)
        ratios = []
        for turn in range(ROUNDS):
            times = [0, 0]
            for i in (0, 1) if turn % 2 else (1, 0):
                times[i] = cost(place, ways[i])
            ratios.append(times[1] / times[0])
        ratio = statistics.median(ratios)
        if target:
            say(name, target, ratio)
        else:
            print("%-46s no target, reached %.2f" % (name, ratio))


def main(zs, spawn):
    for place in places(spawn):
        try:
            measure(shutil.copy(zs, os.path.join(place.root, "zs")), place)
        finally:
            place.close()
