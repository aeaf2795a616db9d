"""Ratios against named baselines, each measured in one interleaved run:
tests/bench/bench.py ZS SPAWN [WHAT...]; WHAT: confined, proxy; both when not given.

Never part of CI: a timed test on a shared machine fails for no reason."""

import os
import sys

import confined
import proxy


def main():
    zs, spawn = (os.path.abspath(path) for path in sys.argv[1:3])
    what = sys.argv[3:] or ["confined", "proxy"]
    if "confined" in what:
        confined.main(zs, spawn)
    if "proxy" in what:
        proxy.main(zs)


if __name__ == "__main__":
    main()
