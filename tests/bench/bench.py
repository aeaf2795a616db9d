"""Ratios against named baselines, each measured in one interleaved run:
tests/bench/bench.py ZS SPAWN RELAY FLOOR [WHAT...]; WHAT: confined, proxy; both when not given.

Never part of CI: a timed test on a shared machine fails for no reason."""

import os
import sys

import confined
import proxy


def main():
    zs, spawn, relay, floor = (os.path.abspath(path) for path in sys.argv[1:5])
    what = sys.argv[5:] or ["confined", "proxy"]
    if "confined" in what:
        confined.main(zs, spawn, floor)
    if "proxy" in what:
        proxy.main(zs, relay)


if __name__ == "__main__":
    main()
