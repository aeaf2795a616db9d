"""The cost of --agree: processor time of a dry run with it, over one without, in turns."""

import os
import shutil
import statistics

from confined import lay_out, places, say
from denials import cost

ROUNDS = 31
TARGET = 1.05

JOBS = [
    ("true", "true"),
    ("ls -l and cat", "ls -l; cat unit.c"),
    ("cc -c of 400 functions", "cc -c -o unit.o unit.c"),
    ("git status, 20,000 files", "cd tree && git status"),
    ("2,000 files made", "mkdir m && cd m && i=0; while [ $i -lt 2000 ]; do : >$i; i=$((i+1)); done"),
]


def measure(zs, place):
    lay_out(place)
    print("\n%s: processor time of a dry run with --agree / without, median of %d" % (place.user, ROUNDS))
    for name, text in JOBS:
        ways = [[zs, "run", "--verify", *options, "--", "bash", "--norc", "-c", "--", text] for options in
            ([], ["--agree=report"])]
        for way in ways:
            cost(place, way)
        ratios = []
        for turn in range(ROUNDS):
            times = [0, 0]
            for i in (0, 1) if turn % 2 else (1, 0):
                times[i] = cost(place, ways[i])
            ratios.append(times[1] / times[0])
        say(name, TARGET, statistics.median(ratios))


def main(zs, spawn):
    for place in places(spawn):
        try:
            measure(shutil.copy(zs, os.path.join(place.root, "zs")), place)
        finally:
            place.close()
