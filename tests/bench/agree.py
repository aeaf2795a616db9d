"""The cost of --agree: processor time of a dry run with it, over one that prints its changes (--diff) and over one that
looks at none, in turns. The time of every process counts."""

import operator
import os
import shutil
import statistics

from confined import lay_out, places, say
from denials import cost

ROUNDS = 21
TARGET = 1.05

JOBS = [
    ("true", "true"),
    ("ls -l and cat", "ls -l; cat unit.c"),
    ("cc -c of 400 functions", "cc -c -o unit.o unit.c"),
    ("git status, 20,000 files", "cd tree && git status"),
    ("2,000 files made", "mkdir m && cd m && i=0; while [ $i -lt 2000 ]; do : >$i; i=$((i+1)); done"),
]


WAYS = [["--agree=report"], ["--diff"], []]


def measure(zs, place):
    lay_out(place)
    print("\n%s: processor time of a dry run with --agree, median of %d" % (place.user, ROUNDS))
    for name, text in JOBS:
        ways = [[zs, "run", "--verify", *options, "--", "bash", "--norc", "-c", "--", text] for options in WAYS]
        turns = []
        for turn in range(-1, ROUNDS):  # the first one warms the caches
            times = [0] * len(ways)
            for i in range(len(ways)):
                times[(turn + i) % len(ways)] = cost(place, ways[(turn + i) % len(ways)])
            turns.append(times)
        agree, diff, nothing = zip(*turns[1:])
        say(name + " / --diff", TARGET, statistics.median(map(operator.truediv, agree, diff)))
        print("%-46s no target, reached %.2f" % (name + " / nothing", statistics.median(map(operator.truediv, agree,
            nothing))))


def main(zs, spawn):
    for place in places(spawn):
        try:
            measure(shutil.copy(zs, os.path.join(place.root, "zs")), place)
        finally:
            place.close()
