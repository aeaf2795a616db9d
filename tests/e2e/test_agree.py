"""--agree: a dry run's changes against what the rows say of the command. A program that does what its row does not say
is found, and its changes are not applied."""

import json
import os
import shlex
import subprocess
import sys

from harness import REPOSITORY, expect, read, test
from hook_events import RECORDED, event_of, strict_object
from mcp_client import Server

TRIES = int(os.environ.get("ZS_AGREE_TRIES", "5"))
GIT = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com"]


def fill(box):
    box.clear()
    box.file("home/project/a.txt", "b\na\n")
    box.file("home/project/d/x.c", "int x;\n")
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
        box.run([*GIT, *words]).expect(exit=0)


def records(result):
    return [json.loads(line) for line in result.stderr.splitlines() if line.startswith('{"command":')]


# Programs that do what their row says, or less.
AGREE = ["ls -l", "cat a.txt", "cat < a.txt | sort", "git status --short", "git log --oneline", "git diff", "true",
    "cd d && ls",
    "for i in 1 2; do echo $i; done", "find . -name '*.c'", "grep -rn x .", "echo x > new", "{ echo x; } > new",
    "touch d/new",
    "mkdir -p p/q", "cp a.txt new", "cp a.txt d", "mv a.txt d/", "rm -r d", "sed -i s/a/b/ a.txt",
    "sed -i.bak s/a/b/ a.txt",
    "gzip a.txt", "chmod +x a.txt", "ln -s a.txt link && rm link", "sort -o a.txt a.txt", "tar cf a.tar d",
    "cat a.txt | tee new",
    "cd d && touch new", "x=new; echo y > $x", "sh -c 'echo a > made'",
    "printf '#!/bin/sh\necho b > made\n' > s && sh s",
    "t=$(mktemp -p .) && rm $t", "git add -A", "git tag v1", "git branch topic", "git checkout -q -b topic",
    "echo x >> a.txt; git add . && git -c user.name=a -c user.email=a@example.com commit -qm y && git reset -q HEAD~1",
    "echo x >> a.txt; git reset -q --hard", "env -C d touch new", "frobnicate"]


@test(needs=["sandbox", "bash", "git"])
def what_rows_say_agrees(box):
    fill(box)
    for text in AGREE:
        result = box.run_zs("bash", "-p", "relaxed", "--agree=report", "--json", "--verify", "-c", text)
        expect(not records(result), text, result)
        expect("agree" not in result.stderr, text, result)


@test(needs=["sandbox", "bash", "git"])
def what_agrees_is_applied(box):
    fill(box)
    box.run_zs("bash", "-p", "relaxed", "--agree=refuse", "--apply", "-c", "sort -o a.txt a.txt; exit 3").expect(exit=3)
    expect(read(box.work + "/a.txt") == "a\nb\n", read(box.work + "/a.txt"))


def plant(box, name, code="echo evil > d/x.c"):
    """A program of that name, which does this and then its work."""
    place = box.file("home/bin/" + name, "#!/bin/sh\n%s\nexec /usr/bin/%s \"$@\"\n" % (code, name), 0o755)
    return ["--exec", place, "--env", "PATH"], {"PATH": os.path.dirname(place) + ":" + box.env["PATH"]}


def planted(box):
    """Ways to make a command that only reads write: options, environment, text."""
    options, environment = plant(box, "ls")
    yield options, environment, "ls -l"
    plant(box, "cat")
    box.run(["git", "config", "diff.c.textconv", box.root + "/home/bin/cat"]).expect(exit=0)
    box.file("home/project/.gitattributes", "*.txt diff=c\n")
    box.file("home/project/a.txt", "changed\n")
    yield ["--exec", box.root + "/home/bin/cat"], {}, "git diff"


@test(needs=["sandbox", "bash", "git"])
def a_reader_that_writes_is_refused(box):
    fill(box)
    for options, environment, text in planted(box):
        command = ["run", *options, "--", "bash", "--norc", "-c", "--", text]
        box.run_zs(*command[:1], "--verify", *command[1:], add_env=environment).expect(exit=0)
        for _ in range(TRIES):
            result = box.run_zs(*command[:1], "--apply", "--agree=refuse", *command[1:], add_env=environment)
            expect(result.exit == 2, text, options, result)
            expect("d/x.c" in result.stderr and text in result.stderr and "nothing has been applied" in result.stderr,
                result)
            expect(read(box.work + "/d/x.c") == "int x;\n", text)
        result = box.run_zs(*command[:1], "--apply", "--agree=report", *command[1:], add_env=environment)
        expect(result.exit == 0 and "d/x.c" in result.stderr, result)
        expect(read(box.work + "/d/x.c") == "evil\n", "control: %s" % text)
        box.file("home/project/d/x.c", "int x;\n")


@test(needs=["sandbox", "bash", "git"])
def functions_and_aliases_of_the_environment_do_not_pass(box):
    fill(box)
    for number, code in enumerate(("ls() { echo evil > d/x.c; }",
        "shopt -s expand_aliases; alias ls='echo evil > d/x.c; /bin/ls'")):
        start = box.file("home/start%d" % number, code + "\n")
        environment = {"BASH_ENV": start, "ENV": start, "BASH_FUNC_ls%%": "() { echo evil > d/x.c; }"}
        command = ["bash", "--norc", "-c", "--", "ls -l"]
        box.run(command, add_env=environment).expect(exit=0)
        expect(read(box.work + "/d/x.c") == "evil\n", "control")
        box.file("home/project/d/x.c", "int x;\n")
        for _ in range(TRIES):
            box.run_zs("run", "--ro", start, "--apply", "--agree=refuse", "--", *command,
                add_env=environment).expect(exit=0)
        expect(read(box.work + "/d/x.c") == "int x;\n", code)


@test(needs=["sandbox", "bash"])
def a_record_names_command_prediction_and_paths(box):
    box.clear()
    options, environment = plant(box, "cat", "echo x > new; mkdir made; echo y > made/z")
    result = box.run_zs("bash", "--agree=report", "--json", "--verify", *options, "-c",
        "echo a; cat /dev/null", add_env=environment).expect(exit=0)
    (record,) = records(result)
    expect(record["command"] == "cat /dev/null" and record["certain"] and record["class"] == "difference", record)
    expect(record["predicted"] == {"prediction": "reads", "places": [], "caches": False}, record)
    expect((record["seen"], record["paths"]) == (["created"], ["made", "made/z", "new"]), record)
    # With two programs nobody knows which one wrote.
    both = records(box.run_zs("bash", "--agree=report", "--json", "--verify", *options, "-c", "ls; cat /dev/null",
        add_env=environment))
    expect([(one["command"], one["certain"]) for one in both] == [("ls", False), ("cat /dev/null", False)], both)


@test(needs=["sandbox", "bash", "git"])
def git_add_writes_only_the_repository(box):
    for code, path in (("echo evil > d/x.c", "d/x.c"), ("echo evil > new", "new"),
        ("mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit", ".git/hooks/pre-commit")):
        fill(box)
        box.run(["git", "config", "filter.c.clean", code + "; cat"]).expect(exit=0)
        box.file("home/project/.gitattributes", "*.txt filter=c\n")
        box.file("home/project/a.txt", "changed\n")
        result = box.run_zs("run", "--agree=refuse", "--apply", "--", "git", "add", "a.txt")
        expect(result.exit == 2 and path in result.stderr and "git add" in result.stderr, code, result)
        before = box.run(["git", "diff", "--cached", "--name-only"]).stdout
        expect("a.txt" not in before, "applied", before)
        box.run(["git", "add", "a.txt"]).expect(exit=0)
        expect(read(os.path.join(box.work, path)) == "evil\n", "control", code)


@test(needs=["sandbox", "bash"])
def a_writer_may_write_only_what_it_says(box):
    for text, code, paths in (("cp a b", "echo x > c", ["c"]), ("rm a", "echo x > a2", ["a2"]), ("chmod +x a",
        "echo x > a", ["a"]),
            ("touch b", "/usr/bin/rm d/x", ["d/x"]), ("gzip a", "echo x > b", ["b"])):
        box.clear()
        box.file("home/project/a", "a\n")
        box.file("home/project/d/x", "x\n")
        options, environment = plant(box, text.split()[0], code)
        result = box.run_zs("bash", "-p", "relaxed", "--agree=report", "--json", "--verify", *options, "-c", text,
            add_env=environment)
        expect([record["paths"] for record in records(result)] == [paths], text, result)


@test(needs=["sandbox", "bash", "git"])
def code_of_the_workspace_may_write_what_nobody_obeys(box):
    fill(box)
    box.file("home/project/s", "echo out > out; echo y > d/x.c\n")
    box.file("home/project/bad", "echo out > out; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit\n")
    box.run_zs("bash", "--agree=refuse", "--verify", "-c", "sh s").expect(exit=0, stderr="")
    result = box.run_zs("bash", "--agree=refuse", "--verify", "-c", "sh bad")
    expect(result.exit == 2 and ".git/hooks/pre-commit" in result.stderr and "out" not in result.stderr.split("but")[1],
        result)


@test(needs=["sandbox", "bash", "git"])
def caches_in_build_folders_are_a_class_of_their_own(box):
    fill(box)
    options, environment = plant(box, "cmp", "true")
    box.file("home/bin/codespell", "#!/bin/sh\nmkdir .cache; echo x > .cache/x\n", 0o755)
    options = ["--exec", box.root + "/home/bin/codespell", "--env", "PATH"]
    command = ["bash", "--agree=refuse", "--json", "--verify", *options, "-c"]
    result = box.run_zs(*command, "codespell a.txt", add_env=environment).expect(exit=0)
    expect([record["class"] for record in records(result)] == ["build"], result)
    # coreutils keep no cache
    options, environment = plant(box, "ls", "mkdir .cache; echo x > .cache/x")
    expect(box.run_zs("bash", "--agree=refuse", "--verify", *options, "-c", "ls", add_env=environment).exit == 2, "ls")


@test(needs=["sandbox", "bash"])
def to_refuse_takes_a_dry_run(box):
    for options in ([], ["--session", "x"]):
        box.run_zs("run", "--agree=refuse", *options, "--", "true").expect(exit=64)
    box.run_zs("run", "--agree=report", "--session", "x", "--", "true").expect(exit=64)
    box.run_zs("run", "--agree=maybe", "--verify", "--", "true").expect(exit=64)


@test(needs=["sandbox", "bash", "git"])
def without_a_dry_run_refused_writes_are_compared(box):
    """A refused write is against what the row says, whether or not the command then succeeds."""
    fill(box)
    outside = box.file("home/outside", "kept\n")
    tries = "(echo evil > %s) 2>/dev/null" % outside
    for text in ("ls -l", "ls -l; exit 3"):
        options, environment = plant(box, "ls", tries)
        result = box.run_zs("bash", "--agree=report", "--json", *options, "-c", text, add_env=environment)
        expect(result.exit == (3 if "exit" in text else 0), text, result)
        (record,) = records(result)
        expect((record["command"], record["class"], record["seen"], record["paths"]) == ("ls -l", "difference",
            ["tried to write"], [outside]), record)
        expect(read(outside) == "kept\n", "written")
    line = box.run_zs("bash", "--agree=report", *options, "-c", "ls -l", add_env=environment).stderr
    said = "zs: agree: ls -l: its row says that it changes no file, but tried to write " + outside
    expect(line.strip() == said, line)


@test(needs=["sandbox", "bash"])
def writes_beyond_the_records_are_told(box):
    """512 refused paths have a record. A flood of expected ones must not hide that others were not compared."""
    box.clear()
    outside = box.folder("outside")
    text = "touch %s/{1..600}; ls" % outside
    options, environment = plant(box, "ls", "(echo evil > %s/hidden) 2>/dev/null" % outside)
    result = box.run_zs("bash", "-p", "relaxed", "--agree=report", "--ro", outside, *options, "-c", text,
        add_env=environment)
    expect("zs: agree: 89 more refused calls are not compared" in result.stderr, result.stderr[-2000:])


@test(needs=["sandbox", "bash", "git"])
def without_a_dry_run_what_rows_say_agrees(box):
    """Writes of which the rows speak, code of the workspace, and git's refresh of its index."""
    fill(box)
    outside = box.file("home/outside", "kept\n")
    box.file("home/project/s", "echo x > %s; echo x > a.txt\n" % outside)
    box.file("home/project/bad", "echo evil > .git/hooks/x\n")
    for text in ("cp a.txt %s" % outside, "echo x > %s" % outside, "touch %s" % outside, "rm %s" % outside, "sh s",
        "touch a.txt; git status --short", "cat a.txt", "frobnicate", "cat %s" % outside):
        result = box.run_zs("bash", "-p", "relaxed", "--agree=report", "--json", "-c", text)
        expect(not records(result) and "agree" not in result.stderr, text, result)
    result = box.run_zs("bash", "--agree=report", "--json", "-c", "sh bad")
    expect([record["paths"] for record in records(result)] == [[box.work + "/.git/hooks/x"]], result)


@test(needs=["sandbox", "bash"])
def the_server_compares_too(box):
    box.clear()
    box.file("home/project/a", "a\n")
    options, environment = plant(box, "ls", "echo evil > a")
    box.env.update(environment)
    for profile, written in (("relaxed", "x\n"), ("verify", None)):
        with Server(box, "-p", profile, "--agree=refuse", *options) as server:
            said = server.run("ls")[1]
            expect(said["exit"] == 2 and "changed a" in said["output"] and "refused" in said["output"], said)
            expect(read(box.work + "/a") == "a\n", profile)
            if written:
                said = server.run("echo x > b; cat a")[1]
                expect(said["exit"] == 0 and said["output"] == "a\n" and read(box.work + "/b") == written, said)


@test(needs=["sandbox", "bash"])
def the_hook_passes_it_on(box):
    box.clear()
    box.file("home/project/a", "a\n")
    options, environment = plant(box, "ls", "echo evil > a")
    event = event_of(box, RECORDED["claude"], "ls -l")
    answer = box.run_zs("hook", "claude", "--confine", "--agree=refuse", "--apply", *options,
        stdin=event.encode("utf-8").decode("latin-1"),
        add_env=environment).expect(exit=0)
    expect("updatedInput" in answer.stdout, answer)
    command = strict_object(answer.stdout)["hookSpecificOutput"]["updatedInput"]["command"]
    result = box.run(shlex.split(command), add_env=environment)
    expect(result.exit == 2 and "ls -l" in result.stderr and read(box.work + "/a") == "a\n", result)


@test(needs=["sandbox", "bash", "git"], once=True)
def a_sample_of_the_table_agrees(box):
    done = subprocess.run([sys.executable, "-B", os.path.join(REPOSITORY, "tests/rows/run.py"), "--zs", box.zs,
        "--sample",
        "--per-program", "8"], capture_output=True, text=True, check=False)
    expect(done.returncode == 0 and " 0 differ" in done.stdout, done.stdout + done.stderr)
