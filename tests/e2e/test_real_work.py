"""Everyday work on a new home: each row is done without zs, by default, and with the one option that the docs name.

A row whose control fails is left out, since this machine lacks its tool. ZS_REAL_WORK=FILE writes the table to FILE;
docs/real-work.md keeps it.
"""

import os
import shutil
import time

from harness import expect, test

WHOLE_TABLE = "ZS_REAL_WORK" in os.environ
SECONDS_TO_SAY_NO = 2 if WHOLE_TABLE else 20  # the table is measured on a machine that has nothing else to do

# The files that a row needs in the workspace.
GIT = ("git init -q . && git config user.email a@example && git config user.name a && printf 'a\\n' >f && mkdir "
    "sub && "
    "printf 'b\\n' >sub/g && git add -A && git commit -qm first && printf 'a2\\n' >f")
REMOTE = GIT + (" && git init -q --bare ../remote.git && git remote add origin ../remote.git && "
    "git push -q origin HEAD")
PYTHON = ("mkdir -p app tests && printf 'def add(a, b):\\n    return a + b\\n' >app/calc.py && touch "
    "app/__init__.py tests/__init__.py && "
    "printf 'import unittest\\nfrom app.calc import add\\nclass T(unittest.TestCase):\\n    def test(self):\\n"
    "        self.assertEqual(add(1, 2), 3)\\n' >tests/test_calc.py")
NODE = ("printf '{\"name\":\"x\",\"version\":\"1.0.0\",\"scripts\":{\"build\":\"echo built >out\",\"test\":\"node "
    "t.js\"}}' "
    ">package.json && printf 'require(\"assert\").equal(1, 1)\\n' >t.js && mkdir dep && "
    "printf '{\"name\":\"dep\",\"version\":\"1.0.0\"}' >dep/package.json")
C = ("printf '#include <stdio.h>\\nint main(void) { puts(\"hi\"); }\\n' >m.c && "
    "printf 'm: m.c\\n\\tcc -o m m.c\\n' >Makefile")
GO = ("printf 'module x\\ngo 1.20\\n' >go.mod && printf 'package main\\nfunc main() { println(1) }\\n' >m.go && "
    "printf 'package main\\nimport \"testing\"\\nfunc TestX(t *testing.T) {}\\n' >m_test.go")
RUST = ("mkdir -p src && printf '[package]\\nname = \"x\"\\nversion = \"0.1.0\"\\nedition = \"2021\"\\n' "
    ">Cargo.toml && "
    "printf 'fn main() { println!(\"hi\") }\\n#[test]\\nfn t() {}\\n' >src/main.rs")
JAVA = "printf 'class M { public static void main(String[] a) { System.out.println(1); } }\\n' >M.java"
SERVE = ("P=$((20000 + $$ % 10000)); /usr/bin/python3 -m http.server --bind 127.0.0.1 $P >/dev/null 2>&1 & "
    "trap \"kill $!\" EXIT; ")
GET = "for i in $(seq 150); do curl -sf http://127.0.0.1:$P/ >/dev/null && exit 0; sleep 0.2; done; exit 1"

# Name, preparation, command, option that the docs name. None: it works by default. A text: it works with this option.
# A tuple: it does not work, and zs or the tool says this within two seconds.
ROWS = [
    ("git status", GIT, "git status --short", None),
    ("git log and blame", GIT, "git log --stat && git blame f", None),
    ("git diff", GIT, "git diff --stat && git diff HEAD", None),
    ("git status in a subfolder", GIT, "cd sub && git status --short", None),
    ("git add and commit", GIT, "git add -A && git commit -qm second", "--git allow"),
    ("git branch and switch", GIT, "git branch b && git switch -q b", "--git allow"),
    ("git stash and pop", GIT, "git stash -q && git stash pop -q", "--git allow"),
    ("git tag", GIT, "git tag v1", "--git allow"),
    ("git worktree", GIT, "git worktree add -q wt && git worktree list", "--git allow"),
    ("git rebase", GIT, "git commit -qam second && git rebase -q HEAD~1", "--git allow"),
    ("git merge", GIT, "git commit -qam second && git branch b HEAD~1 && git switch -q b && git merge -q -",
        "--git allow"),
    ("git fetch from a local repository", REMOTE, "git fetch -q origin", "--git allow --ro ../remote.git"),
    ("git push to a local repository", REMOTE, "git commit -qam second && git push -q origin HEAD",
        "--git allow --rw ../remote.git"),
    ("git clone into the workspace", REMOTE, "git clone -q ../remote.git copy", "--ro ../remote.git --rw copy"),
    ("git init", "true", "git init -q .", "--rw .git"),
    ("git archive", GIT, "git archive -o a.tar HEAD && tar tf a.tar", None),
    ("git bisect", GIT, "git commit -qam second && git bisect start HEAD HEAD~1", "--git allow"),
    ("python script", PYTHON, "/usr/bin/python3 -c 'from app.calc import add; print(add(1, 2))'", None),
    ("python unittest", PYTHON, "/usr/bin/python3 -m unittest discover -s tests -t .", None),
    ("python venv", PYTHON, "/usr/bin/python3 -m venv --without-pip v && v/bin/python -c 'print(1)'", None),
    ("python multiprocessing", "true", "/usr/bin/python3 -c 'import multiprocessing as m; "
        "print(m.Pool(2).map(abs, [1]))'",
        None),
    ("python multiprocessing manager", "true",
        "/usr/bin/python3 -c 'import multiprocessing as m; d = m.Manager().dict(); d[1] = 2; print(d)'",
        None),
    ("python forkserver", "printf 'import multiprocessing as m\\nif __name__ == \"__main__\":\\n"
        "    m.set_start_method(\"forkserver\"); p = m.Process(target=print, args=(1,)); p.start(); p.join()\\n"
        "    raise SystemExit(p.exitcode)\\n' >p.py", "/usr/bin/python3 p.py", None),
    ("python sqlite", "true", "/usr/bin/python3 -c 'import sqlite3; sqlite3.connect(\"d\").execute(\"create table "
        "t(a)\")'",
        None),
    ("python tempfile", "true", "/usr/bin/python3 -c 'import tempfile; "
        "tempfile.NamedTemporaryFile().write(b\"x\")'", None),
    ("python server and curl", "true", SERVE + GET, None),
    ("node script", NODE, "node t.js", None),
    ("node test runner", NODE, "node --test t.js", None),
    ("npm run build", NODE, "npm run -s build && cat out", None),
    ("npm test", NODE, "npm test", None),
    ("npm init", "true", "npm init -y", None),
    ("npm install of a folder", NODE, "npm install --no-audit ./dep && ls node_modules/dep", None),
    ("npm pack", NODE, "npm pack --silent", None),
    ("node child with a channel", "printf 'const c = require(\"child_process\"); if (process.send) "
        "process.send(1); else "
        "c.fork(__filename).on(\"message\", process.exit.bind(0, 0))\\n' >c.js", "node c.js", None),
    ("node server on a socket", "true", "node -e 'const n = require(\"net\"); const s = n.createServer(c => "
        "c.end()).listen("
        "\"./s\", () => "
        "n.connect(s.address()).on(\"close\", () => "
        "process.exit(0)))'", None),
    ("node cluster on a socket", "printf 'const c = require(\"cluster\"), n = require(\"net\"), s = \"./s\"; "
        "if (c.isPrimary) { c.fork(); c.on(\"listening\", () => n.connect(s).on(\"data\", () => process.exit(0))); } "
        "else n.createServer(s => s.end(\"x\")).listen(s)\\n' >c.js", "node c.js", None),
    ("ssh-agent and ssh-add", "ssh-keygen -q -t ed25519 -N '' -f k", "ssh-agent -a ./a sh -c 'ssh-add -q k && "
        "ssh-add -l'", None),
    ("a private D-Bus", "true", "dbus-run-session -- dbus-send --session --dest=org.freedesktop.DBus --print-reply / "
        "org.freedesktop.DBus.ListNames", None),
    ("chromium headless", "true", "chromium --headless --no-sandbox --user-data-dir=$PWD/c --dump-dom about:blank",
        None),
    ("make and cc", C, "make && ./m", None),
    ("cmake", C + " && printf 'cmake_minimum_required(VERSION 3.10)\\nproject(m C)\\nadd_executable(m m.c)\\n' "
        ">CMakeLists.txt", "cmake -B b >/dev/null && cmake --build b", None),
    ("gdb", C + " && cc -g -o m m.c", "gdb -batch -ex 'break main' -ex run -ex bt ./m", None),
    ("strace", C + " && cc -o m m.c", "strace -f -o log ./m && test -s log", None),
    ("valgrind", C + " && cc -o m m.c", "valgrind -q ./m", None),
    ("go list and gofmt", GO, "go list ./... && gofmt -l .", None),
    ("go mod init", "true", "go mod init example.test/x", None),
    ("cargo build", RUST, "cargo build -q --offline", None),
    ("cargo test", RUST, "cargo test -q --offline", None),
    ("cargo init", "true", "cargo init -q --vcs none .", None),
    ("javac and java", JAVA, "javac M.java && java M", None),
    ("tar and gzip", C, "tar czf a.tgz m.c && tar tzf a.tgz && gzip -k m.c", None),
    ("zip and unzip", C, "zip -q a.zip m.c && unzip -l a.zip", None),
    ("find, xargs and grep", GIT, "find . -name '*.c' -o -name f | xargs grep -l a", None),
    ("sed in place and patch", GIT, "sed -i s/a/b/ f && git diff >p && patch -R -p1 <p", None),
    ("jq", "printf '{\"a\":1}' >j", "jq .a j", None),
    ("openssl and ssh-keygen", "true", "openssl rand -hex 4 && ssh-keygen -q -t ed25519 -N '' -f k", None),
    ("gpg", "true", "mkdir -m 700 g && gpg --homedir g --batch --passphrase '' --quick-gen-key a@example "
        "ed25519", None),
    ("vim", GIT, "vim -es -c '%s/a/b/' -c wq f", None),
    ("tmux", "true", "tmux -S ./s new-session -d 'sleep 5' && tmux -S ./s ls && tmux -S ./s kill-server",
        None),
    ("sqlite3", "true", "sqlite3 d 'create table t(a); select count(*) from t'", None),
    ("postgres", "true", "initdb -D d -U a >/dev/null && pg_ctl -D d -o '-k /tmp -p 5999' -l log -w start && "
        "psql -h /tmp -p 5999 -U a -c 'select 1' postgres; s=$?; pg_ctl -D d -m immediate stop; exit $s",
        None),
    ("dpkg", "true", "test $(dpkg -l | wc -l) -gt 20", None),
    ("ps, df and free", "true", "ps aux && df . && free", None),
    ("locale and time zone", "true", "locale -a && date", None),
    ("dry run of a script", "printf 'echo x >made\\n' >s.sh", "sh s.sh && cat made", "--diff"),
    ("a background job", "true", "sleep 0.1 & wait && echo done", None),
]


def link_rust(home):
    """Gives the home rustup's programs and default toolchain, by hard links to those of the caller's home."""
    from_home = os.path.expanduser("~")
    for name in (".cargo/bin", ".rustup/toolchains", ".rustup/update-hashes"):
        for folder, folders, files in os.walk(os.path.join(from_home, name)):
            folders[:] = [each for each in folders if each != "share" and not each.startswith("nightly")]
            to = os.path.join(home, os.path.relpath(folder, from_home))
            os.makedirs(to, exist_ok=True)
            for file in files:
                os.link(os.path.join(folder, file), os.path.join(to, file), follow_symlinks=False)
    settings = os.path.join(from_home, ".rustup/settings.toml")
    if os.path.exists(settings):
        os.makedirs(home + "/.rustup", exist_ok=True)
        shutil.copy(settings, home + "/.rustup/settings.toml")
    for folder, _, _ in os.walk(home):
        shutil.chown(folder, *(os.stat(home).st_uid, os.stat(home).st_gid))


class Work:
    """One row, done in folders of its own."""

    def __init__(self, box, row, number, variables=()):
        self.box = box
        self.name, self.prepare, self.command, self.option = row[:4]
        self.root = os.path.join(box.root, "row%d" % number)
        self.env = {"HOME": self.root + "/home", "PATH": os.environ["PATH"], "LANG": "C.UTF-8",
            "USER": box.user.name, "SHELL": "/bin/sh"}
        self.env.update({name: os.environ[name] for name in variables if name in os.environ})

    def do(self, prefix, command=None):
        """Prepares a new home and workspace, and does the work there. Returns the result and its seconds."""
        shutil.rmtree(self.root, ignore_errors=True)
        home = self.box.folder(self.env["HOME"])
        if self.name.startswith("cargo"):
            link_rust(home)
            self.env["PATH"] = home + "/.cargo/bin:" + os.environ["PATH"]
        return self.again(prefix, command)

    def again(self, prefix, command=None):
        """Prepares a new workspace in the home that there is."""
        box, work = self.box, self.env["HOME"] + "/project"
        shutil.rmtree(work, ignore_errors=True)
        box.folder(work)
        box.run(["sh", "-ec", self.prepare], env=self.env, cwd=work).expect(exit=0)
        begun = time.monotonic()
        result = box.run([*prefix, "sh", "-c", command or self.command], env=self.env, cwd=work)
        return result, time.monotonic() - begun

    def zs(self, *options):
        return [self.box.zs, "run", *options, "--"]


def judge(work):
    """The cells of the row: how it ends by default, and with its option."""
    control, _ = work.do([])
    if control.exit != 0:
        return "–", "–"
    plain, seconds = work.do(work.zs())
    if work.option is None:
        expect(plain.exit == 0, "%s by default: %s" % (work.name, plain))
        return "works", ""
    if isinstance(work.option, tuple):
        expect(plain.exit != 0 and seconds < SECONDS_TO_SAY_NO, "%s took %.1f s: %s" % (work.name, seconds, plain))
        expect(work.option[0] in plain.stderr, "%s does not say %r: %s" % (work.name, work.option[0], plain))
        return "says no", ""
    with_option, _ = work.do(work.zs(*work.option.split()))
    expect(with_option.exit == 0, "%s with %s: %s" % (work.name, work.option, with_option))
    return "works" if plain.exit == 0 else "no", "`%s`" % work.option


def check(box, rows):
    table, wrong = [], []
    for number, row in rows:
        try:
            table.append((row[0], *judge(Work(box, row, number))))
        except Exception as problem:
            wrong.append(str(problem))
    if os.environ.get("ZS_REAL_WORK"):
        with open(os.environ["ZS_REAL_WORK"], "a") as f:
            for name, plain, option in table:
                f.write("| %s | %s | %s | %s |\n" % (name, box.user.name, plain, option))
    left_out = [name for name, plain, _ in table if plain == "–"]
    if left_out:
        print("  left out, since they fail without zs too: %s" % ", ".join(left_out))
    expect(not wrong, "%d rows:\n%s" % (len(wrong), "\n".join(wrong)))


# Rows that take long, or that need a tool which few machines have.
SLOW = ("cmake", "go ", "cargo ", "java", "npm ", "postgres", "valgrind", "gdb", "strace", "make", "tmux", "gpg",
        "openssl",
    "node", "python venv", "vim", "zip")


def rows(slow, half):
    chosen = [(number, row) for number, row in enumerate(ROWS) if row[0].startswith(SLOW) == slow]
    return chosen if WHOLE_TABLE else chosen[half::2]


@test(needs=["sandbox", "git"])
def git_and_python_on_a_new_home(box):
    check(box, rows(False, 0))


@test(needs=["sandbox", "git"])
def more_of_git_and_python_on_a_new_home(box):
    if not WHOLE_TABLE:
        check(box, rows(False, 1))


@test(needs=["sandbox", "git"], slow=True)
def compilers_and_servers_on_a_new_home(box):
    """Root does one half, and an ordinary user the other: postgres does not start as root."""
    check(box, rows(True, 0 if box.user.is_root else 1))
