"""The cost of --agree: processor time of a dry run with it, over the same without it, in turns. The time of every
process counts. A run with --verify alone looks at no change; with --agree it has to."""

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


WAYS = [["--diff"], ["--diff", "--agree=report"], [], ["--agree=report"]]


def measure(zs, place):
    lay_out(place)
    print("\n%s: processor time of a dry run with --agree, median of %d" % (place.user, ROUNDS))
    for name, text in JOBS:
        ways = [["sh", "-c", "exec \"$@\" 2>/dev/null", "sh", zs, "run", "--verify", *options, "--", "bash", "--norc",
            "-c", "--", text] for options in WAYS]
        turns = []
        for turn in range(-1, ROUNDS):  # the first one warms the caches
            times = [0] * len(ways)
            for i in range(len(ways)):
                times[(turn + i) % len(ways)] = cost(place, ways[(turn + i) % len(ways)])
            turns.append(times)
        diff, with_diff, nothing, with_nothing = zip(*turns[1:])
        say(name + ", --diff", TARGET, statistics.median(map(operator.truediv, with_diff, diff)))
        print("%-46s no target, reached %.2f" % (name + ", --verify alone",
            statistics.median(map(operator.truediv, with_nothing, nothing))))


def main(zs, spawn):
    for place in places(spawn):
        try:
            measure(shutil.copy(zs, os.path.join(place.root, "zs")), place)
        finally:
            place.close()
