"""The cost of private caches: an install from a warm cache, with shared and with private caches in turns.

The least processor time of many rounds counts, since other work on the machine disturbs that little. The first rounds
fill the caches over the network; what cannot be fetched is not measured."""

import os
import resource
import shutil
import subprocess

from confined import PATH, places

ROUNDS = 15
STARTS = 60
FOLDERS = ["/usr/local/go/bin", "/opt/rust/bin"]  # of programs that are often not in the system's PATH
TARGET = 5  # % of the processor time
PACKAGES = {"express": "4.21.2", "typescript": "5.7.3", "eslint": "9.17.0"}
GO = """package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"golang.org/x/text/language"
)

func main() { fmt.Println(language.English, (&cobra.Command{Use: "x"}).Name()) }
"""
RUST = '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\nregex = "1"\nserde_json = "1"\n'

# The job, its program and task, the script that fills the cache, and the install.
JOBS = [
    ("npm ci, from a warm cache", "npm", "npm", "npm install --silent --ignore-scripts " +
        " ".join("%s@%s" % package for package in PACKAGES.items()),
        "npm ci --silent --offline --ignore-scripts"),
    ("pip install, from a warm cache", "pip3", "pip", "python3 -m venv v && v/bin/pip -q install flask requests",
        "v/bin/pip -q install --force-reinstall flask requests"),
    ("go build, from warm caches", "go", "go", "go mod init x 2>&1 && go mod tidy 2>&1 && go build",
        "rm x && GOPROXY=off go build"),
    ("go mod vendor, from a warm cache", "go", "go", "test -d vendor || go mod vendor", "rm -r vendor && "
        "GOPROXY=off go mod vendor"),
    ("cargo fetch + vendor, from a warm cache", "cargo", "cargo", "mkdir -p r/src && touch r/src/lib.rs && "
        "printf %s '" + RUST + "' >r/Cargo.toml && cd r && cargo -q vendor >vendored",
        "cd r && rm -r vendor && cargo -q vendor --offline >vendored"),
]


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(zs, place, caches, script, *options):
    own = place.options()
    own["env"]["PATH"] += "".join(":" + folder for folder in FOLDERS)
    return subprocess.run([*place.prefix(), zs, "run", "--caches", caches, *options, "--", "sh", "-c", script],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **own)


def least(zs, place, rounds, script, *options):
    """The least processor time with shared and with private caches, in seconds."""
    times = {"shared": [], "private": []}
    for turn in range(rounds):
        for caches in sorted(times, reverse=turn % 2):
            before = processor_seconds()
            done = run(zs, place, caches, script, *options)
            times[caches].append(processor_seconds() - before)
            if done.returncode != 0:
                return done.stdout.decode(errors="replace").strip().splitlines()[-1:] or ["it failed"]
    return min(times["shared"]), min(times["private"])


def measure(zs, place, name, rounds, script, *options, target=TARGET):
    got = least(zs, place, rounds, script, *options)
    if not isinstance(got, tuple):
        print("%-42s NOT MEASURED: %s" % (name, got[0][:80]))
        return
    shared, private = got
    more = (private / shared - 1) * 100
    print("%-42s shared %7.1f ms, private %7.1f ms: %+5.1f %%%s" % (name, shared * 1e3, private * 1e3, more,
        "" if target is None else ", target <= %d %%: %s" % (target, "yes" if more <= target else "NO")),
        flush=True)


def main(zs, spawn):
    for place in places(spawn):
        try:
            binary = shutil.copy(zs, os.path.join(place.root, "zs"))
            print("\nprivate caches, as %s: processor time, the least of %d rounds in turns" % (place.user, ROUNDS))
            with open(os.path.join(place.work, "main.go"), "w") as f:
                f.write(GO)
            for name, program, task, fill, script in JOBS:
                if not shutil.which(program, path=":".join([PATH, *FOLDERS])):
                    print("%-42s NOT MEASURED: there is no %s" % (name, program))
                    continue
                done = run(binary, place, "shared", fill, "--for", task)
                if done.returncode != 0:
                    print("%-42s NOT MEASURED: %s" % (name, done.stdout.decode(errors="replace")[-200:].strip()))
                    continue
                run(binary, place, "private", script, "--for", task)  # fills the layer
                measure(binary, place, name, ROUNDS, script, "--for", task)
            measure(binary, place, "true, with the caches of this home", STARTS, "true", target=None)
        finally:
            place.close()
