"""Packs zs with its bindings: a wheel for each platform, and one npm package for all of them."""

import json
import os
import sys
import time

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BINDINGS = os.path.join(REPOSITORY, "bindings")
# The names that pip and Node give to a processor on Linux and on macOS.
WHEEL_LINUX = "manylinux_2_17_{0}.manylinux2014_{0}.musllinux_1_1_{0}"  # a static program needs no libc
WHEEL_MACOS = {"x86_64": "x86_64", "aarch64": "arm64"}
NODE = {"x86_64": "x64", "aarch64": "arm64"}

# npm links PREFIX/bin/zs to this script. readlink has no -f on older versions of macOS.
LAUNCHER = """#!/bin/sh
# Starts the zs of this machine's kind.
self=$0
while [ -h "$self" ]; do
	to=$(readlink "$self") || exit 125
	case $to in
	/*) self=$to ;;
	*) self=${self%/*}/$to ;;
	esac
done
case $(uname -s) in
Linux) system=linux ;;
Darwin) system=darwin ;;
*) system=none ;;
esac
case $(uname -m) in
x86_64) processor=x64 ;;
aarch64 | arm64) processor=arm64 ;;
*) processor=none ;;
esac
zs=${self%/*}/$system-$processor/zs
[ -x "$zs" ] || {
	echo "zs: this package has no zs for $(uname -s) $(uname -m); build it from its source" >&2
	exit 125
}
exec "$zs" "$@"
"""


def read(*names):
    with open(os.path.join(BINDINGS, *names), "rb") as f:
        return f.read()


def split(platform):
    """"aarch64-macos-13-0" to its processor, and the words after it."""
    processor, *rest = platform.split("-")
    return processor, rest


def wheel(platform, zs, licence, version, when):
    sys.path.insert(0, os.path.join(BINDINGS, "python"))
    import wheel_backend

    processor, macos = split(platform)
    tag = "macosx_%s_%s_%s" % (*macos[1:], WHEEL_MACOS[processor]) if macos else WHEEL_LINUX.format(processor)
    return wheel_backend.make(version, "py3-none-" + tag, {"zs": zs}, {"copyright": licence}, time.gmtime(when)[:6])


def npm_files(programs, licence, version):
    """programs: contents by platform."""
    package = json.loads(read("node", "package.json"))
    files = {name: read("node", name) for name in package["files"]}
    package.update(version=version, os=["linux", "darwin"], cpu=sorted(set(NODE.values())), bin={"zs": "bin/zs"})
    package["files"] += ["bin", "copyright"]
    files["package.json"] = (json.dumps(package, indent=2) + "\n").encode()
    files["copyright"] = licence
    files["bin/zs"] = LAUNCHER.encode()
    for platform, zs in programs.items():
        processor, macos = split(platform)
        files["bin/%s-%s/zs" % ("darwin" if macos else "linux", NODE[processor])] = zs
    return files
