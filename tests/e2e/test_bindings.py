"""Hosts in other languages (bindings/, examples/): each vets a command line of bash, and runs it confined.

All hosts are called as HOST WORKSPACE COMMAND-LINE, so one test covers them. A row says what a language needs, and how
its example becomes a program. The user who runs the tests builds each program once, and every user runs it.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile

from boxes import boxes, own_place
from harness import REPOSITORY, Box, Failure, connect, expect, listener, read, test
from no_namespaces import install, program
from processes import wait_until

PREFIX = os.environ.get("ZS_TEST_PREFIX", "")
BUILD_SECONDS = 600
LANDLOCK = (444, 445, 446)


def build(argv, cwd, **variables):
    """Runs the tool offline. It keeps all its files in `cwd`, which the tests remove, except for GOCACHE."""
    env = dict(os.environ, PKG_CONFIG_PATH=os.path.join(PREFIX, "lib/pkgconfig"), **variables)
    done = subprocess.run(argv, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, timeout=BUILD_SECONDS)
    if done.returncode != 0:
        raise Failure("%s\n%s" % (" ".join(argv), done.stdout.decode("utf-8", "replace")))
    return done.stdout.decode()


def copy_sources(folder):
    """A copy of bindings/ and examples/ side by side, for tools that write beside their sources."""
    for name in ("bindings", "examples"):
        shutil.copytree(os.path.join(REPOSITORY, name), os.path.join(folder, name))


def compile_with(compiler, standard, source):
    def make(folder):
        flags = build(["pkg-config", "--cflags", "--libs", "zs-host"], folder).split()
        program = os.path.join(folder, os.path.basename(source) + ".out")
        build([compiler, standard, "-pedantic-errors", "-Wall", "-Wextra", "-Werror",
            os.path.join(REPOSITORY, source), *flags, "-o", program], folder)
        return [program]

    return make


make_c_box = compile_with("gcc", "-std=c11", "examples/c/box.c")
make_cpp_tests = compile_with("g++", "-std=c++11", "bindings/cpp/zs_test.cpp")


def go(folder, place, *words):
    if not os.path.exists(os.path.join(folder, "bindings")):
        copy_sources(folder)
    program = os.path.join(folder, words[-1])
    build([shutil.which("go") or "/usr/local/go/bin/go", *words[:-1], "-o", program, "."], os.path.join(folder, place),
        GOCACHE=os.environ.get("GOCACHE", os.path.join(folder, "cache")), GOPATH=os.path.join(folder, "path"),
        GOFLAGS="-mod=mod", GOPROXY="off", GOTOOLCHAIN="local", GOENV="off", CGO_ENABLED="1")
    return [program]


def make_go(folder):
    return go(folder, "examples/go", "build", "host")


def make_go_tests(folder):
    return go(folder, "bindings/go", "test", "-c", "zs.test")


def cargo(folder, place, *words):
    """The programs that were built."""
    if not os.path.exists(os.path.join(folder, "bindings")):
        copy_sources(folder)
    # rustup's cargo finds its compilers in RUSTUP_HOME or HOME; CARGO_HOME is where packages would be kept.
    output = build(["cargo", *words, "--offline", "--message-format=json"], os.path.join(folder, place),
        CARGO_TARGET_DIR=os.path.join(folder, "target"), CARGO_HOME=os.path.join(folder, "cargo"))
    made = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return [one["executable"] for one in made if one.get("executable")]


def make_rust(folder):
    return cargo(folder, "examples/rust", "build")


def make_rust_tests(folder):
    return cargo(folder, "bindings/rust", "test", "--no-run", "--test=confine")


def make_python(folder):
    copy_sources(folder)
    return ["env", "ZS_PROGRAM=" + Box.zs, "PYTHONPATH=" + os.path.join(folder, "bindings/python"), "python3", "-B",
        os.path.join(folder, "examples/python/host.py")]


def make_node(folder):
    copy_sources(folder)
    # As npm install does for a folder.
    modules = os.path.join(folder, "examples/node/node_modules")
    os.mkdir(modules)
    os.symlink("../../../bindings/node", os.path.join(modules, "zs-sandbox"))
    return ["env", "ZS_PROGRAM=" + Box.zs, "node", os.path.join(folder, "examples/node/host.js")]


# Language, its needs besides a sandbox, and the function that returns the argv of its host.
HOSTS = [
    ("c", ["installed", "gcc", "pkg-config"], compile_with("gcc", "-std=c11", "examples/c/host.c")),
    ("cpp", ["installed", "g++", "pkg-config"], compile_with("g++", "-std=c++11", "examples/cpp/host.cpp")),
    ("go", ["installed", "gcc", "pkg-config", "go"], make_go),
    ("rust", ["installed", "gcc", "pkg-config", "rust"], make_rust),
    ("python", [], make_python),
    ("node", ["node"], make_node),
]
folders = {}
built = {}


def program_of(language, make):
    if language not in folders:
        folders[language] = tempfile.mkdtemp(prefix=language + "-", dir=Box.scratch)
        os.chmod(folders[language], 0o755)
    if make not in built:
        built[make] = make(folders[language])
    return built[make]


def runs(box, host):
    box.file("home/project/file", "ok\n")
    done = box.run([*host, box.work, "cat file && touch made && exit 7"]).expect(exit=7, stdout="ok\n", stderr="")
    expect(os.path.exists(os.path.join(box.work, "made")), "it did not write the workspace: %s" % done)
    box.run([*host, box.work, "kill -KILL $$"]).expect(exit=128 + 9)


def reads_no_key(box, host):
    box.run(["cat", box.key]).expect(exit=0, stdout="SECRET KEY\n")
    box.run([*host, box.work, "echo started; cat " + box.key]).expect(exit=1, stdout="started\n")


def reaches_no_listener(box, host):
    with listener() as port:
        # A script file, since zs would block the redirection that connects.
        box.file("home/project/connect", "#!/bin/sh\necho started\n%s\n" % connect(port), 0o755)
        box.run(["./connect"]).expect(exit=0, stdout="started\nreached\n")
        done = box.run([*host, box.work, "./connect"]).expect(stdout="started\n", exit=1)
        expect("refused" in done.stderr, "its own loopback would refuse: %s" % done)


def blocks_cd(box, host):
    box.folder("home/project/src")
    line = "cd src && touch entered"
    box.run(["bash", "-c", line]).expect(exit=0)
    os.remove(os.path.join(box.work, "src/entered"))
    want = ["blocked (cd): ", "changes the working directory"]
    box.run([*host, box.work, line]).expect(exit=2, stdout="", stderr=want)
    expect(not os.path.exists(os.path.join(box.work, "src/entered")), "it said that it was blocked, and ran")


def leaves_nothing_of_its_runtime(box, host):
    """A runtime that starts before the shim would pass on its ignored signals, as Rust and Python do with SIGPIPE."""
    box.run([*host, box.work, "yes | head -n 1; echo ${PIPESTATUS[0]}"]).expect(exit=0, stdout="y\n141\n")
    box.run([*host, box.work, "env"], add_env={"LD_PRELOAD": "/x.so", "API_TOKEN": "x"}).expect(exit=0, stderr=None)
    environment = box.run([*host, box.work, "env"], add_env={"API_TOKEN": "x"}).expect(exit=0).stdout
    expect("API_TOKEN" not in environment and "ZS_SANDBOX_POLICY" not in environment and "HOME=" in environment,
        "the command's environment: %s" % environment)


def cannot_enforce(box, host):
    """The home folder is no workspace: nothing runs."""
    box.run([*host, box.home, "echo started"]).expect(exit=125, stdout="", stderr=["zs: "])


for language, needs, make in HOSTS:
    for check in (runs, reads_no_key, reaches_no_listener, blocks_cd, leaves_nothing_of_its_runtime, cannot_enforce):

        def tried(box, language=language, make=make, check=check):
            check(box, program_of(language, make))

        tried.__name__ = "%s_host_%s" % (language, check.__name__)
        test(needs=["sandbox", "bash", *needs])(tried)


# Each binding has its own tests for the parts that an example does not use.


@test(needs=["sandbox", "installed", "g++", "pkg-config"])
def cpp_header(box):
    box.run(program_of("cpp", make_cpp_tests)).expect(exit=0, stdout="0 failures\n")


@test(needs=["sandbox", "installed", "gcc", "pkg-config", "go"], slow=True)
def go_package(box):
    box.run(program_of("go", make_go_tests)).expect(exit=0, stdout="PASS\n")


@test(needs=["sandbox", "installed", "gcc", "pkg-config", "rust"])
def rust_crate(box):
    passed = re.compile(r"test result: ok\. 6 passed; 0 failed")
    box.run(program_of("rust", make_rust_tests)).expect(exit=0, stdout=passed)


NODE_DENIALS = """
import {{ readdirSync, readlinkSync }} from "node:fs";
import {{ Sandbox }} from "{folder}/bindings/node/index.js";
const sandbox = new Sandbox({{ workspace: "{work}", read: ["{outside}"], env: ["X"] }}, {{ zs: "{zs}" }});
const show = (rows) => rows.map(({{ kind, path, errno, cause, option, value }}) =>
	[kind, path, errno, cause, option, value].join(" ")).join();
const command = ["sh", ["-c", "echo $X; ls /proc/self/fd | tail -n 1; mkdir {outside}/new; exit 3"]];
const env = {{ ...process.env, X: "x", ZS_SANDBOX_RW: "{outside}", ZS_SANDBOX_DENIALS: "2" }};
const denials = [];
const exit = (started) => new Promise((settle) => started.once("exit", (status) => settle([status, show(denials)])));
for (const stdio of ["pipe", ["ignore", "pipe"], ["ignore", "pipe", "ignore", "ignore", "ignore"]]) {{
	const done = sandbox.spawnSync(...command, {{ denials, env, stdio, encoding: "utf8" }});
	console.log(done.status, done.stdout.split("\\n").join(), show(denials.splice(0)));
}}
console.log(sandbox.spawnSync("true", {{ denials }}).status, denials.length);
console.log(...await exit(sandbox.spawn(...command, {{ denials, env, stdio: "ignore" }})));
denials.length = 0;
console.log(...await exit(await sandbox.bash("mkdir {outside}/new", {{ denials, stdio: "ignore" }})));
console.log(sandbox.spawn("true", {{ cwd: "/missing", denials }}).once("error", () => {{}}).pid);
for (const wrong of [() => sandbox.execFile("true", [], {{ denials }}), () => sandbox.spawn("true", {{ denials: 1 }})])
	try {{ wrong(); }} catch (error) {{ console.log(error.name, error.message); }}
console.log(readdirSync("/proc/self/fd").filter((fd) => {{
	try {{ return readlinkSync("/proc/self/fd/" + fd).includes("records"); }} catch {{ return false; }}
}}).length);
"""


@test(needs=["sandbox", "bash", "node"])
def node_lists_what_was_refused(box):
    """In each form of stdio; the command has no descriptor of it, and none is left open."""
    program_of("node", make_node)
    path = box.file("home/denials.mjs", NODE_DENIALS.format(folder=folders["node"], work=box.work, outside=box.outside,
        zs=box.zs))
    row = "write %s/new 30 granted only to read --rw %s" % (box.outside, box.outside)
    box.run(["node", path]).expect(exit=0, stderr="", stdout="\n".join(["3 x,3, " + row] * 3 + ["0 0", "3 " + row,
        "1 " + row, "undefined", "TypeError execFile: denials: goes with spawn(), spawnSync() and bash()",
        "TypeError spawn: denials is a list, which gets the records", "0", ""]))


@test(needs=["sandbox", "installed", "gcc", "pkg-config"])
def c_has_boxes(box):
    """The box's processes are the example itself; tests/sandbox/test_box.c has the parts that it does not use."""
    host = program_of("c", make_c_box)
    with own_place(box):
        done = box.run([*host, box.work]).expect(exit=0, stderr="")
        expect(done.stdout == "echo kept >/tmp/kept: 0\n%scat /tmp/kept; exit 3: 3\nkept\n" % read("/etc/passwd"), done)
        expect(not boxes(box), "its box is left")
        done = box.run([*host, box.work], preexec_fn=lambda: install(program(LANDLOCK)))
        done.expect(exit=125, stdout="", stderr=["zs: box: could not be made"])


NODE_BOXES = """
import {{ equal, deepEqual, ok, rejects }} from "node:assert/strict";
import {{ Box, BoxLost }} from "{folder}/bindings/node/index.js";
const workspace = "{work}";
const made = await Box.create({{ workspace, setenv: {{ A: "b" }}, env: ["X"] }});
const bytes = Buffer.from([255, 0, 10, 65]);
await made.put("/tmp/x/y", bytes, {{ mode: 0o700 }});
deepEqual(await made.get("/tmp/x/y"), bytes);
equal((await made.exec(["stat", "-c", "%a", "/tmp/x/y"])).stdout, "700\\n");
await rejects(made.get("/tmp/none"), {{ name: "Error", code: "ENOENT", path: "/tmp/none" }});
await rejects(made.get("/tmp/x/y", {{ maxOutput: 3 }}), {{ code: "EFBIG" }});
await rejects(made.put("/usr/none", ""), ({{ name, code }}) => name === "Error" && ["EROFS", "EACCES"].includes(code));
const script = "pwd; echo $A$C; cat >&2; mkdir {outside}/new; exit 125";
let result = await made.exec(["sh", "-c", script], {{ env: {{ C: "d" }}, input: "in\\n", cwd: "/tmp" }});
deepEqual([result.status, result.signal, result.timedOut, result.stdout], [125, null, false, "/tmp\\nbd\\n"]);
ok(result.stderr.startsWith("in\\n") && result.policy.length === 64 && result.image === null);
deepEqual([result.denials[0].path, result.denials[0].option], ["{outside}/new", "--rw"]);
result = await made.exec(["sleep", "9"], {{ timeout: 900 }});
deepEqual([result.timedOut, result.status], [true, null]);
equal((await made.exec(["sh", "-c", "kill -9 $$"])).signal, 9);
ok((await made.exec(["sh", "-c", "echo 12345"], {{ maxOutput: 3 }})).stdoutTruncated);
await rejects(made.exec(["sh", "-c", "kill -9 $PPID; sleep 9"]), BoxLost);
await rejects(made.exec(["true"], {{ cwd: "/no/such" }}), {{ name: "ZsError" }});
for (const wrong of ["true", [], [1]])
	await rejects(made.exec(wrong), TypeError);
await rejects(made.exec(["true"], {{ timeout: "1s" }}), TypeError);
equal((await made.policy()).workspace.root, workspace);
deepEqual((await Box.list()).map(({{ id }}) => id), [made.id]);
await made.cut();
equal((await new Box(made.id).exec(["true"])).status, 0);
await made.close();
await made.close();
for (const call of [() => made.exec(["true"]), () => made.get("/tmp/x/y"), () => made.policy(), () => made.cut()])
	await rejects(call, {{ name: "ZsError" }});
await rejects(Box.create({{ workspace, verify: true }}), {{ name: "ZsError" }});
await rejects(Box.create({{ workspace, miswritten: 1 }}), TypeError);
const left = await Box.create({{ json: await (await Box.create({{ workspace }})).policy() }});
console.log((await left.exec(["true"])).status);
process.kill(process.pid, "SIGKILL");
"""


@test(needs=["sandbox", "node"])
def node_has_boxes(box):
    program_of("node", make_node)
    path = box.file("home/boxes.mjs", NODE_BOXES.format(folder=folders["node"], work=box.work, outside=box.outside))
    with own_place(box):
        done = box.run(["node", path], add_env={"ZS_PROGRAM": box.zs})
        expect((done.exit, done.stdout, done.stderr) == (-9, "0\n", ""), done)
        wait_until(lambda: not boxes(box), "its boxes have ended with the program")


NODE_REFUSED = """
import {{ Box }} from "{folder}/bindings/node/index.js";
const tried = () => Box.create({{ workspace: "{work}" }}).then((box) => box.exec(["true"]));
console.log(...await Promise.all(Array.from({{ length: 8 }}, () => tried().catch(({{ name }}) => name))));
"""


@test(needs=["sandbox", "node"])
def a_box_of_node_that_is_not_enforced_runs_nothing(box):
    program_of("node", make_node)
    path = box.file("home/boxes.mjs", NODE_REFUSED.format(folder=folders["node"], work=box.work))
    with own_place(box):
        done = box.run(["node", path], add_env={"ZS_PROGRAM": box.zs}, preexec_fn=lambda: install(program(LANDLOCK)))
        done.expect(exit=0, stdout=" ".join(["ZsError"] * 8) + "\n")
