"""A program of a reader's name in PATH, an alias, a function, a program in git's configuration: each makes a command
that only reads write outside of zs, and with --agree=refuse nothing is applied, 100 of 100 times."""

import os
import stat

from harness import expect, test

EACH = 25  # of each kind, as an ordinary user
EACH_AS_ROOT = 5  # in the same run
GIT = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com"]
# Ways to change a file that nobody speaks of.
WRITES = ["echo evil > d/x.c", "echo evil >> d/x.c", "/bin/rm -f d/x.c", "echo evil > new", "/bin/mkdir made",
    "/bin/chmod 777 d/x.c", "/bin/ln -s x.c d/link", "/bin/mv d/x.c d/y.c", "/bin/cp a.txt d/x.c",
    "echo evil > .hidden", ": > a.txt"]
READERS = ["ls -l", "cat a.txt", "head -n 1 a.txt", "tail -n 1 a.txt", "wc -l a.txt", "sort a.txt", "uniq a.txt",
    "cut -c1 a.txt", "stat a.txt", "du -a d", "nl a.txt", "od -c a.txt", "md5sum a.txt", "sha256sum a.txt",
    "cksum a.txt",
    "basename d/x.c", "dirname d/x.c", "readlink -f a.txt", "realpath a.txt", "paste a.txt a.txt", "fold a.txt",
    "expand a.txt", "tac a.txt", "comm a.txt a.txt", "find . -name x.c", "grep b a.txt", "cmp a.txt a.txt",
    "sed -n 1p a.txt"]
# Keys of git's configuration, and the commands that run their programs.
PROGRAMS = [("diff.c.textconv", "%s; cat", ["git diff", "git diff HEAD", "git log -p", "git show", "git blame a.txt",
    "git diff -- a.txt", "git log -p -1", "git show HEAD", "git annotate a.txt", "git grep --textconv a"]),
    ("diff.c.command", "%s; true", ["git diff", "git diff HEAD", "git log -p --ext-diff", "git show --ext-diff",
        "git diff -- a.txt"]),
    ("diff.external", "%s; true", ["git diff", "git diff HEAD", "git show --ext-diff", "git diff -- a.txt"]),
    ("filter.c.clean", "%s; cat", ["git diff", "git status", "git status --short", "git diff HEAD", "git diff --stat",
        "git diff --name-only"])]


def fill(box):
    box.clear()
    box.file("home/project/a.txt", "a\n")
    box.file("home/project/d/x.c", "int x;\n")
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
        box.run([*GIT, *words]).expect(exit=0)
    box.file("home/project/.gitattributes", "*.txt diff=c filter=c\n")
    box.file("home/project/a.txt", "b\n")


def tries(box):
    return EACH_AS_ROOT if box.user.is_root else EACH


def state(box):
    """All files of the workspace but the repository's."""
    found = {}
    for folder, folders, names in os.walk(box.work):
        folders[:] = [name for name in folders if name != ".git"]
        for path in [os.path.join(folder, name) for name in folders + names]:
            mode = os.lstat(path).st_mode
            content = os.readlink(path) if stat.S_ISLNK(mode) else None
            if stat.S_ISREG(mode):
                with open(path, "rb") as file:
                    content = file.read()
            found[os.path.relpath(path, box.work)] = mode, content
    return found


def attack(box, before, text, options, environment, caught):
    """The command writes without zs, and with it nothing is applied."""
    words = ["bash", "--norc", "-c", "--", text]
    result = box.run_zs("run", "--apply", "--agree=refuse", *options, "--", *words, add_env=environment)
    expect(state(box) == before, "applied", text, environment, result)
    if caught:
        expect(result.exit == 2 and "zs: agree: %s: its row says" % text in result.stderr and
            "nothing has been applied" in result.stderr, text, result)
    else:
        expect(result.exit == 0 and "agree" not in result.stderr, text, result)
    done = box.run(words, add_env=environment)
    expect(state(box) != before, "control: %s writes nothing without zs" % text, environment, done)
    return 1


def mend(box, before):
    for name in sorted(set(state(box)) - set(before), reverse=True):
        path = os.path.join(box.work, name)
        (os.rmdir if os.path.isdir(path) and not os.path.islink(path) else os.unlink)(path)
    for name, (mode, content) in before.items():
        if stat.S_ISREG(mode):
            box.file("home/project/" + name, content.decode(), stat.S_IMODE(mode))
    expect(state(box) == before, "mended")


@test(needs=["sandbox", "bash", "git"])
def a_program_in_the_path(box):
    fill(box)
    before, caught = state(box), 0
    for i in range(tries(box)):
        name = READERS[i].split()[0]
        place = box.file("home/bin%d/%s" % (i, name), "#!/bin/sh\n%s\nexec /usr/bin/%s \"$@\"\n" % (
            WRITES[i % len(WRITES)], name), 0o755)
        environment = {"PATH": os.path.dirname(place) + ":" + box.env["PATH"]}
        caught += attack(box, before, READERS[i], ["--exec", place, "--env", "PATH"], environment, True)
        mend(box, before)
    expect(caught == tries(box), caught)


@test(needs=["sandbox", "bash", "git"])
def a_program_of_git(box):
    fill(box)
    before, caught = state(box), 0
    rows = [(key, code, text) for key, code, texts in PROGRAMS for text in texts]
    expect(len(rows) == EACH, len(rows))
    rows = rows[::EACH // tries(box)]
    for i, (key, code, text) in enumerate(rows):
        write = WRITES[i % (len(WRITES) - 1)]  # the last empties the file that the filter gets
        box.run(["git", "config", key, code % write]).expect(exit=0)
        caught += attack(box, before, text, [], {}, True)
        mend(box, before)
        box.run(["git", "config", "--unset", key]).expect(exit=0)
    expect(caught == tries(box), caught)


def of_the_environment(box, make):
    """zs passes no variable that gives bash aliases or functions."""
    fill(box)
    before, stopped = state(box), 0
    for i in range(tries(box)):
        name = READERS[i].split()[0]
        start = box.file("home/start%d" % i, make(name, WRITES[i % len(WRITES)]) + "\n")
        stopped += attack(box, before, READERS[i], ["--ro", start], {"BASH_ENV": start, "ENV": start}, False)
        mend(box, before)
        box.run_zs("run", "--apply", "--agree=refuse", "--env", "BASH_ENV", "--", "true",
            add_env={"BASH_ENV": start}).expect(exit=64)
    expect(stopped == tries(box), stopped)


@test(needs=["sandbox", "bash", "git"])
def a_function_of_bash_env(box):
    of_the_environment(box, lambda name, code: "%s() { %s; }" % (name, code))


@test(needs=["sandbox", "bash", "git"])
def an_alias_of_bash_env(box):
    of_the_environment(box, lambda name, code: "shopt -s expand_aliases; alias %s='%s; /usr/bin/%s'" % (name, code,
        name))
