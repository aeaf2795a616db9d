"""zs learn on real builds: ./zigw build test-learn. It ends with a table. Each build keeps its packages and caches in
odd folders of the home, so nothing grants them; each works without a network, and also reads a key, which it can do
without. The learned settings build again from clean, and without any one entry they do not.

A tool that this machine lacks is looked for in the folder ZS_TEST_TOOLS; else its test is skipped, and says so.
"""

import atexit
import json
import os
import shutil
import sys
import tarfile
import zipfile

import harness
from harness import PATH, expect, test
from learning import breaks_without_each, learn, script, tree

ZIG = os.environ.get("ZS_TEST_ZIG") or next((os.path.join(folder, "ziglang", "zig") for folder in
    [os.path.join(os.path.expanduser("~/.cache/zs"), name) for name in (os.listdir(os.path.expanduser("~/.cache/zs"))
    if os.path.isdir(os.path.expanduser("~/.cache/zs")) else [])] if
    os.path.isfile(os.path.join(folder, "ziglang", "zig"))), None)
PLACES = ":".join([PATH, "/usr/local/go/bin", os.environ.get("ZS_TEST_TOOLS", "/nowhere")])


def has(name):
    harness.REQUIREMENTS[name + "-tool"] = lambda user: shutil.which(name, path=PLACES) is not None
    return name + "-tool"


def can_rust(user):
    return rust_bin() is not None and harness.can_run(rust_bin() + "/rustc", "--version")(user)


def rust_bin():
    root = os.path.expanduser("~/.rustup/toolchains")
    for name in sorted(os.listdir(root)) if os.path.isdir(root) else []:
        if os.access(os.path.join(root, name, "bin/cargo"), os.X_OK):
            return os.path.join(root, name, "bin")
    return None


harness.REQUIREMENTS["rust-toolchain"] = can_rust
harness.REQUIREMENTS["zig-tool"] = lambda user: ZIG is not None and harness.can_run(ZIG, "version")(user)


harness.TIMEOUT = 300  # seconds; zs learn runs a build some ten times

RESULTS = {}  # (build, user): a word


@atexit.register
def print_table():
    for name, _, needs, _, _ in harness.TESTS:
        for user in harness.users():
            missing = [need for need in needs if not harness.satisfied(need, user)]
            default = "skipped: needs " + ", ".join(missing) if missing else "not run"
            print("%-6s %-5s %s" % (name, user.name, RESULTS.get((name, user.name), default)))


def builds(box, text, caches, want=None):
    """Learns, and tries the settings. caches: folders of the home that are emptied for a clean build."""
    name = sys._getframe(1).f_code.co_name, box.user.name
    RESULTS[name] = "failed"
    entries, runs = try_build(box, text, caches, want)
    RESULTS[name] = "passed: %d runs, %s" % (runs, ", ".join(sorted("%s %s" % entry for entry in entries)).replace(
        box.home, "~"))


def try_build(box, text, caches, want):
    for name in caches:
        box.folder("home/" + name)

    def clean():
        for name in caches:
            folder = os.path.join(box.home, name)
            for path in (os.path.join(folder, inner) for inner in os.listdir(folder)):
                harness.remove_tree(path) if os.path.isdir(path) and not os.path.islink(path) else os.remove(path)
        for name in ("out", "node_modules", "target", "vendor"):
            path = os.path.join(box.work, name)
            harness.remove_tree(path) if os.path.isdir(path) else os.path.exists(path) and os.remove(path)

    text = "cat ~/.ssh/id_ed25519 2>/dev/null || :\nexport PATH=%s\n%s" % (PLACES, text)
    script(box, text)
    box.run(["sh", "build.sh"]).expect(exit=0)  # the control
    clean()
    before = tree(box.home)
    entries, refused, end, result = learn(box, text, "--yes")
    expect(end["passes"] and end["written"], result)
    expect(refused.get(box.key) == "keys" and not [value for _, value in entries if "/.ssh" in value], entries, refused)
    if want is not None:
        expect({(option, os.path.relpath(value, box.home)) for option, value in entries} == want, entries, result)
    # Only the settings, the journal, the caches of the preset and the build's own have changed. One of those that the
    # build can do without was granted for some runs.
    written = tuple(os.path.join(box.home, name) + "/" for name in caches)
    after = tree(box.home)
    changed = [path for path in before.keys() | after.keys() if before.get(path, 0) != after.get(path, 0) and
        not (path + "/").startswith(written + (box.home + "/.config", box.home + "/.local/state"))]
    preset = [os.path.join(box.home, name) for name in (".cargo", ".npm", ".m2", "go", ".cache", ".local")]
    expect(not [path for path in changed if not path.startswith(tuple(preset))], changed)
    expect(breaks_without_each(box, clean) == len(entries), "entries")
    return entries, end["runs"]


@test(needs=["sandbox", has("make"), has("cc")], slow=True)
def make(box):
    box.file("home/odd/rules/flags.mk", "CFLAGS = -O1\n")
    box.file("home/project/m.c", "int main(void) { return 0; }\n")
    box.file("home/project/Makefile", "include %s/odd/rules/flags.mk\nall: %s/odd/objects/m\n%s/odd/objects/m: m.c\n"
        "\tcc $(CFLAGS) -o $@ m.c\n" % (box.home, box.home, box.home))
    builds(box, "make -s", ["odd/objects"], {("--ro", "odd/rules"), ("--rw", "odd/objects")})


@test(needs=["sandbox", has("cmake"), has("make"), has("cc")], slow=True)
def cmake(box):
    box.file("home/odd/tools/toolchain.cmake", "set(CMAKE_C_COMPILER cc)\n")
    box.file("home/project/m.c", "int main(void) { return 0; }\n")
    box.file("home/project/CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.10)\nproject(m C)\nadd_executable(m m.c)\n")
    builds(box, "cmake -S . -B ~/odd/build -DCMAKE_TOOLCHAIN_FILE=$HOME/odd/tools/toolchain.cmake && "
        "cmake --build ~/odd/build", ["odd/build"], {("--ro", "odd/tools"), ("--rw", "odd/build")})


@test(needs=["sandbox", has("go")], slow=True)
def go(box):
    version = box.folder("home/odd/proxy/example.org/dep/@v")
    mod = "module example.org/dep\n\ngo 1.20\n"
    box.file(version + "/list", "v1.0.0\n")
    box.file(version + "/v1.0.0.info", '{"Version":"v1.0.0","Time":"2024-01-01T00:00:00Z"}')
    box.file(version + "/v1.0.0.mod", mod)
    with zipfile.ZipFile(version + "/v1.0.0.zip", "w") as archive:
        archive.writestr("example.org/dep@v1.0.0/go.mod", mod)
        archive.writestr("example.org/dep@v1.0.0/dep.go", "package dep\n\nfunc F() int { return 1 }\n")
    box.own(version + "/v1.0.0.zip")
    box.file("home/project/go.mod", "module x\n\ngo 1.20\n\nrequire example.org/dep v1.0.0\n")
    box.file("home/project/m.go", 'package main\n\nimport "example.org/dep"\n\nfunc main() { println(dep.F()) }\n')
    builds(box, "export GOPATH=$HOME/odd/go GOCACHE=$HOME/odd/objects GOPROXY=file://$HOME/odd/proxy GONOSUMDB='*' "
        "GONOSUMCHECK=1 GOFLAGS='-mod=mod -modcacherw' GOTOOLCHAIN=local CGO_ENABLED=0 GOTELEMETRY=off\n"
        "go build -o out .", ["odd/go", "odd/objects"])


@test(needs=["sandbox", "rust-toolchain"], slow=True)
def cargo(box):
    for name in ("project", "odd/dep"):
        box.folder("home/%s/src" % name)
    box.file("home/odd/dep/Cargo.toml", '[package]\nname = "dep"\nversion = "1.0.0"\nedition = "2021"\n')
    box.file("home/odd/dep/src/lib.rs", "pub fn f() -> i32 { 1 }\n")
    box.file("home/project/Cargo.toml", '[package]\nname = "x"\nversion = "1.0.0"\nedition = "2021"\n[dependencies]\n'
        'dep = { path = "%s/odd/dep" }\n' % box.home)
    box.file("home/project/src/main.rs", 'fn main() { println!("{}", dep::f()) }\n')
    builds(box, "export PATH=%s:$PATH CARGO_HOME=$HOME/odd/cargo CARGO_TARGET_DIR=$HOME/odd/objects\n"
        "cargo build --offline -q" % rust_bin(), ["odd/cargo", "odd/objects"])


def tarball(box, name):
    package = json.dumps({"name": "dep", "version": "1.0.0", "main": "m.js"})
    box.file("outside/package/package.json", package)
    box.file("outside/package/m.js", "module.exports = 1\n")
    box.folder(os.path.dirname("home/" + name))
    path = os.path.join(box.home, name)
    with tarfile.open(path, "w:gz") as archive:
        archive.add(box.outside + "/package", "package")
    box.file("home/project/package.json", json.dumps({"name": "x", "version": "1.0.0", "dependencies":
        {"dep": "file:" + path}}))
    return box.own(path)


@test(needs=["sandbox", has("npm")], slow=True)
def npm(box):
    tarball(box, "odd/packages/dep.tgz")
    builds(box, "npm install --offline --no-audit --no-fund --no-update-notifier --cache ~/odd/npm\n"
        "node -e 'require(\"dep\")'\ntest -e ~/odd/npm/_cacache\n", ["odd/npm"],
        {("--ro", "odd/packages"), ("--rw", "odd/npm")})


@test(needs=["sandbox", has("pnpm"), has("node")], slow=True)
def pnpm(box):
    tarball(box, "odd/packages/dep.tgz")
    builds(box, "export npm_config_cache_dir=$HOME/odd/cache npm_config_state_dir=$HOME/odd/cache\n"
        "pnpm install --offline --store-dir ~/odd/store --reporter=silent\nnode -e 'require(\"dep\")'\n",
        ["odd/store", "odd/cache"])


def wheel(box, name):
    path = os.path.join(box.folder("home/" + name), "dep-1.0-py3-none-any.whl")
    info = "dep-1.0.dist-info/"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("dep.py", "value = 1\n")
        archive.writestr(info + "METADATA", "Metadata-Version: 2.1\nName: dep\nVersion: 1.0\n")
        archive.writestr(info + "WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(info + "RECORD", "dep.py,,\n%sMETADATA,,\n%sWHEEL,,\n%sRECORD,,\n" % (info, info, info))
    return box.own(path)


@test(needs=["sandbox", "system-pip"], slow=True)
def pip(box):
    wheel(box, "odd/wheels")
    builds(box, "/usr/bin/python3 -m pip install -q --no-index --find-links ~/odd/wheels --target ~/odd/site dep\n"
        "PYTHONPATH=$HOME/odd/site /usr/bin/python3 -c 'import dep'\n", ["odd/site"],
        {("--ro", "odd/wheels"), ("--rw", "odd/site")})


@test(needs=["sandbox", has("uv")], slow=True)
def uv(box):
    wheel(box, "odd/wheels")
    builds(box, "uv pip install -q --offline --no-index --find-links ~/odd/wheels --cache-dir ~/odd/uv --target out "
        "--python /usr/bin/python3 dep\nPYTHONPATH=out /usr/bin/python3 -c 'import dep'\n", ["odd/uv"])


@test(needs=["sandbox", has("mvn")], slow=True)
def maven(box):
    pom = ("<project><modelVersion>4.0.0</modelVersion>%s<artifactId>%s</artifactId>%s<packaging>pom</packaging>"
        "</project>\n")
    own = "<groupId>example</groupId>", "<version>1</version>"
    box.file("home/odd/parent/pom.xml", pom % (own[0], "parent", own[1]))
    box.file("home/project/pom.xml", pom % ("<parent><groupId>example</groupId><artifactId>parent</artifactId>"
        "<version>1</version><relativePath>../odd/parent/pom.xml</relativePath></parent>", "x", ""))
    builds(box, "mvn -o -q -Dmaven.repo.local=$HOME/odd/repository validate\n"
        "mkdir -p ~/odd/repository/example && cp pom.xml ~/odd/repository/example/x.pom", ["odd/repository"],
        {("--ro", "odd/parent"), ("--rw", "odd/repository")})


@test(needs=["sandbox", "zig-tool"], slow=True)
def zig(box):
    box.file("home/odd/source/dep.zig", "pub fn f() u8 { return 0; }\n")
    box.file("home/project/m.zig", 'const dep = @import("dep");\npub fn main() u8 { return dep.f(); }\n')
    builds(box, "%s build-exe -femit-bin=out --cache-dir .cache --global-cache-dir ~/odd/zig --dep dep -Mroot=m.zig "
        "-Mdep=$HOME/odd/source/dep.zig" % ZIG, ["odd/zig"])


@test(needs=["sandbox", has("ruby"), has("gem")], slow=True)
def ruby(box):
    box.file("outside/gem/dep.gemspec", 'Gem::Specification.new do |s|\n  s.name = "dep"\n  s.version = "1.0"\n'
        '  s.summary = "x"\n  s.authors = ["x"]\n  s.files = ["lib/dep.rb"]\nend\n')
    box.file("outside/gem/lib/dep.rb", "VALUE = 1\n")
    box.folder("home/odd/gems")
    box.run(["gem", "build", "-o", box.home + "/odd/gems/dep-1.0.gem", "dep.gemspec"],
        cwd=box.outside + "/gem").expect(exit=0)
    builds(box, "export GEM_HOME=$HOME/odd/home GEM_PATH=$HOME/odd/home\n"
        "gem install -q --local --no-document ~/odd/gems/dep-1.0.gem\nruby -e 'require \"dep\"'\n", ["odd/home"],
        {("--ro", "odd/gems"), ("--rw", "odd/home")})


@test(needs=["sandbox", has("php"), has("composer")], slow=True)
def php(box):
    box.file("home/odd/dep/composer.json", json.dumps({"name": "x/dep", "version": "1.0.0", "autoload":
        {"files": ["dep.php"]}}))
    box.file("home/odd/dep/dep.php", "<?php\n")
    box.file("home/project/composer.json", json.dumps({"name": "x/x", "repositories": [{"packagist": False},
        {"type": "path", "url": box.home + "/odd/dep", "options": {"symlink": False}}],
        "require": {"x/dep": "1.0.0"}}))
    builds(box, "export COMPOSER_HOME=$HOME/odd/composer COMPOSER_CACHE_DIR=$HOME/odd/composer/cache "
        "COMPOSER_ALLOW_SUPERUSER=1\ncomposer install -q --no-interaction\nphp -r 'require \"vendor/autoload.php\";'\n"
        "echo >~/odd/composer/done\n", ["odd/composer"], {("--ro", "odd/dep"), ("--rw", "odd/composer")})
