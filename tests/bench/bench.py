"""Ratios against named baselines, each measured in one interleaved run:
tests/bench/bench.py ZS SPAWN [WHAT...]; WHAT: confined, denials, agree, proxy, caches, box; all when not given.

Never part of CI: a timed test on a shared machine fails for no reason."""

import os
import sys

import agree
import box
import caches
import confined
import denials
import proxy


def main():
    zs, spawn = (os.path.abspath(path) for path in sys.argv[1:3])
    what = sys.argv[3:] or ["confined", "denials", "agree", "proxy", "caches", "box"]
    if "confined" in what:
        confined.main(zs, spawn)
    if "denials" in what:
        denials.main(zs, spawn)
    if "agree" in what:
        agree.main(zs, spawn)
    if "proxy" in what:
        proxy.main(zs)
    if "caches" in what:
        caches.main(zs, spawn, [name for name in caches.JOBS if name in what])
    if "box" in what:
        box.main(zs, spawn)


if __name__ == "__main__":
    main()
