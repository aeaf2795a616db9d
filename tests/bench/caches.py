"""The cost of private caches: an install from a warm cache with shared caches, with the layers that its task gives, and
with a layer for each cache of the home, in turns. The table of caches (policy/preset_tables.c) follows it: a task's
cache has a layer where that costs an install less than 5 %, and npm's at 10 % (docs/cost.md).

The least processor time of many rounds counts, since other work on the machine disturbs that little. The first rounds
fill the caches over the network; what cannot be fetched is not measured. The names of jobs select some:
tests/bench/bench.py ZS SPAWN caches npm cargo."""

import os
import resource
import shutil
import subprocess

from confined import PATH, places
from test_real_work import link_rust

ROUNDS = int(os.environ.get("ZS_BENCH_ROUNDS", "15"))
STARTS = 60
FOLDERS = ["/usr/local/go/bin", "/opt/rust/bin"]  # of programs that are often not in the system's PATH
PACKAGES = {"express": "4.21.2", "typescript": "5.7.3", "eslint": "9.17.0"}
GO = """package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"golang.org/x/text/language"
)

func main() { fmt.Println(language.English, (&cobra.Command{Use: "x"}).Name()) }
"""
RUST = '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\nitoa = "1"\nserde_json = "1"\n'

RUST_MAIN = 'fn main() { println!("{}", itoa::Buffer::new().format(1).to_owned() + &serde_json::json!(1).to_string()) }'
POM = ("<project><modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>x</artifactId><version>1</version>"
    "<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version>"
    "</dependency><dependency><groupId>com.google.guava</groupId><artifactId>guava</artifactId><version>33.3.1-jre"
    "</version></dependency></dependencies></project>")
# Java takes the home from the system's list of users, not from HOME.
MVN = 'mvn -q -B "-Duser.home=$HOME" '
ADDED = " ".join("%s@%s" % package for package in PACKAGES.items())

# The job, its program, its task, the script that fills the cache, and the install. The scripts begin in a folder of the
# job's own. uv, pnpm and yarn come from a registry too.
JOBS = {
    "npm": ("npm ci", "npm", "npm", "npm install --silent --ignore-scripts " + ADDED,
        "npm ci --silent --offline --ignore-scripts"),
    "pnpm": ("pnpm install", "npm", "npm,pnpm", "npm install --silent --prefix t pnpm@9 && mkdir p && cd p && "
        "echo {} >package.json && ../t/node_modules/.bin/pnpm add --ignore-scripts express@4.21.2",
        "cd p && rm -r node_modules && ../t/node_modules/.bin/pnpm install --silent --offline --ignore-scripts"),
    "yarn": ("yarn install", "npm", "npm,yarn", "npm install --silent --prefix t yarn@1 && mkdir p && cd p && "
        "echo {} >package.json && ../t/node_modules/.bin/yarn add --ignore-scripts express@4.21.2",
        "cd p && rm -r node_modules && ../t/node_modules/.bin/yarn install --silent --offline --ignore-scripts"),
    "pip": ("pip install", "pip3", "pip", "python3 -m venv v && v/bin/pip -q install flask requests",
        "v/bin/pip -q install --force-reinstall flask requests"),
    "uv": ("uv pip install", "pip3", "pip,uv", "python3 -m venv v && v/bin/pip -q install uv && "
        "v/bin/uv -q venv u && v/bin/uv -q pip install --python u/bin/python flask requests django",
        "v/bin/uv -q pip install --offline --reinstall --python u/bin/python flask requests django"),
    "cargo": ("cargo build", "cargo", "cargo", "mkdir src && printf %s '" + RUST_MAIN + "' >src/main.rs && "
        "printf %s '" + RUST + "' >Cargo.toml && cargo -q build", "rm -r target && cargo -q build --offline"),
    "cargo-vendor": ("cargo vendor", "cargo", "cargo", "mkdir src && touch src/lib.rs && "
        "printf %s '" + RUST + "' >Cargo.toml && cargo -q vendor >vendored",
        "rm -r vendor && cargo -q vendor --offline >vendored"),
    "go": ("go build", "go", "go", "cp ../main.go . && go mod init x 2>&1 && go mod tidy 2>&1 && go build",
        "rm x && GOPROXY=off go build"),
    "go-vendor": ("go mod vendor", "go", "go", "cp ../main.go . && go mod init x 2>&1 && go mod tidy 2>&1 && "
        "go mod vendor", "rm -r vendor && GOPROXY=off go mod vendor"),
    "maven": ("mvn dependency:resolve", "mvn", "maven", "printf %s '" + POM + "' >pom.xml && " + MVN +
        "dependency:resolve", MVN + "-o dependency:resolve"),
}
AUTHORITIES = ("SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "PIP_CERT", "CARGO_HTTP_CAINFO")
KINDS = ("shared", "tasks", "private")


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(zs, place, caches, script, *options):
    own = place.options()
    own["env"].update({name: os.environ[name] for name in AUTHORITIES if name in os.environ})
    own["env"]["PATH"] = ":".join([os.path.dirname(place.work) + "/.cargo/bin", own["env"]["PATH"], *FOLDERS])
    return subprocess.run([*place.prefix(), zs, "run", "--caches", caches, *options, "--", "sh", "-c", script],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **own)


def least(zs, place, rounds, script, *options):
    """The least processor time with each kind of caches, in seconds; or the last line of one that failed."""
    times = {kind: [] for kind in KINDS}
    for turn in range(rounds):
        for at in range(len(KINDS)):
            kind = KINDS[(at + turn) % len(KINDS)]
            before = processor_seconds()
            done = run(zs, place, kind, script, *options)
            times[kind].append(processor_seconds() - before)
            if done.returncode != 0:
                return "".join(done.stdout.decode(errors="replace").strip().splitlines()[-1:]) or "it failed"
    return [min(times[kind]) for kind in KINDS]


def measure(zs, place, name, rounds, script, *options):
    got = least(zs, place, rounds, script, *options)
    if isinstance(got, str):
        print("%-24s NOT MEASURED: %s" % (name, got[:100]), flush=True)
        return
    shared, tasks, private = (seconds * 1e3 for seconds in got)
    print("%-24s shared %7.1f ms, tasks %7.1f ms %+5.1f %%, private %7.1f ms %+5.1f %%" % (name, shared, tasks,
        (tasks / shared - 1) * 100, private, (private / shared - 1) * 100), flush=True)


def do_job(zs, place, name, program, task, fill, script):
    """The folder is the job's own; the workspace, which has the layers, is that of all jobs."""
    folder = "%s/%s" % (place.work, name.replace(" ", "-"))
    if not shutil.which(program, path=":".join([os.path.dirname(place.work) + "/.cargo/bin", PATH, *FOLDERS])):
        print("%-24s NOT MEASURED: there is no %s" % (name, program))
        return
    done = run(zs, place, "shared", "mkdir %s && cd %s && %s" % (folder, folder, fill), "--for", task)
    if done.returncode != 0:
        print("%-24s NOT MEASURED: %s" % (name, done.stdout.decode(errors="replace")[-300:].strip()), flush=True)
        return
    for kind in KINDS:  # fills the layers
        run(zs, place, kind, "cd %s && %s" % (folder, script), "--for", task)
    measure(zs, place, name, ROUNDS, "cd %s && %s" % (folder, script), "--for", task)


def main(zs, spawn, names):
    for place in places(spawn):
        try:
            binary = shutil.copy(zs, os.path.join(place.root, "zs"))
            print("\nprivate caches, as %s: processor time, the least of %d rounds in turns; load %.0f" %
                (place.user, ROUNDS, os.getloadavg()[0]), flush=True)
            with open(os.path.join(place.work, "main.go"), "w") as f:
                f.write(GO)
            if os.path.isdir(os.path.expanduser("~/.rustup/toolchains")):
                link_rust(os.path.dirname(place.work))
            for key, job in JOBS.items():
                if not names or key in names:
                    do_job(binary, place, *job)
            measure(binary, place, "true, with no task", STARTS, "true")
        finally:
            place.close()
