"""--git-base COMMIT: the command's repository ends at the commit. SECRET is in each thing that came later."""

import json
import os
import shutil

from boxes import create, inside, own_place
from harness import expect, read, test

NEEDS = ["sandbox", "git"]

# Looks for SECRET in each file that can be read, also in what is compressed, and in each object that git can find.
SEARCH = """
import os, subprocess, sys, zlib
found = set()
for top in sys.argv[1:]:
    for where, folders, files in os.walk(top):
        for name in files:
            path = os.path.join(where, name)
            try:
                data = open(path, "rb").read()
            except OSError:
                continue
            for start in range(0, len(data) if "objects" in path else 0):
                if data[start] == 0x78:
                    try:
                        data += zlib.decompressobj().decompress(data[start:], 1 << 16)
                    except zlib.error:
                        pass
                if start > 1 << 16:
                    break
            if b"SECRET" in data or "SECRET" in name:
                found.add(os.path.relpath(path, top))
objects = subprocess.run(["git", "cat-file", "--batch-all-objects", "--batch"], capture_output=True)
if b"SECRET" in objects.stdout:
    found.add("an object")
if objects.returncode:
    found.add("git failed: %s" % objects.stderr)
for words in (["log", "--all", "--format=%B"], ["for-each-ref"], ["stash", "list"], ["reflog", "--all"], ["ls-files"],
        ["config", "--list", "--local"]):
    if b"SECRET" in subprocess.run(["git", *words], capture_output=True).stdout:
        found.add("git " + words[0])
print(sorted(found))
"""


def git(box, *words, at=None, **more):
    result = box.run(["env", "GIT_CONFIG_NOSYSTEM=1", "git", *words], cwd=at or box.work, **more)
    return result.expect().stdout.strip()


def commit(box, name, text, at=None):
    with open(os.path.join(at or box.work, name), "w") as file:
        file.write(text)
    git(box, "add", name, at=at)
    git(box, "commit", "-qm", text, at=at)
    return git(box, "rev-parse", "HEAD", at=at)


def history(box, *init):
    """A repository with a base, and SECRET in all that a repository can hold after it. Returns the base."""
    git(box, "init", "-q", "-b", "trunk", *init)
    git(box, "config", "user.name", "ada")
    git(box, "config", "user.email", "ada@x")
    git(box, "config", "remote.origin.url", "https://SECRET@example.org/x")
    commit(box, "f", "one\n")
    base = commit(box, "f", "two\n")
    commit(box, "SECRETg", "SECRET packed")
    git(box, "tag", "-a", "-m", "SECRET", "SECRET")
    git(box, "notes", "add", "-m", "SECRET", base)
    git(box, "branch", "SECRET-branch")
    git(box, "replace", base, "HEAD")
    git(box, "repack", "-q", "-a", "-d", "--write-bitmap-index")
    git(box, "multi-pack-index", "write")
    git(box, "commit-graph", "write", "--reachable")
    git(box, "pack-refs", "--all")
    commit(box, "SECRETh", "SECRET loose")
    with open(box.work + "/f", "w") as file:
        file.write("SECRET stash\n")
    git(box, "stash", "push", "-q", "-m", "SECRET")
    git(box, "hash-object", "-w", "--stdin", input="SECRET dangling\n")
    git(box, "worktree", "add", "-q", box.folder("outside") + "/SECRET-worktree", "-b", "SECRET-other")
    for name in ("SECRETg", "SECRETh"):
        os.remove(os.path.join(box.work, name))
    return base


def search(box, *options, status=0):
    path = box.file("outside/search.py", SEARCH)
    result = box.run_zs("run", *options, "--ro", path, "--", "python3", path, box.work)
    result.expect(exit=status)
    return result.stdout.strip()


@test(needs=NEEDS)
def nothing_that_came_later_can_be_read(box):
    for format in ("sha1", "sha256"):
        base = history(box, "--object-format=" + format)
        seen = search(box)
        for each in ("an object", "git log", "git for-each-ref", "git stash", "git reflog", "git ls-files",
                "git config"):
            expect(each in seen, "control:", each, seen)
        for options in ((), ("--verify",), ("--ro", os.path.dirname(box.work))):
            found = search(box, *options, "--git-base", base)
            expect(found == "[]", options, found)
        # The short name, and another way to say it, are the same repository in the store.
        expect(search(box, "--git-base", "trunk~2") == "[]", "by a name")
        expect(len(os.listdir(box.home + "/.local/state/zs/bases")) == 1, "it is made once")
        for folder in (box.work + "/.git", box.home + "/.local", box.outside):
            shutil.rmtree(folder)


@test(needs=NEEDS)
def the_repository_works_and_is_gone(box):
    base = history(box)
    head = read(box.work + "/.git/HEAD")
    before = sorted(os.listdir(box.work + "/.git"))
    script = """set -e
git log --format=%s
git symbolic-ref HEAD
git status --short
echo three >f
git commit -qam three
git diff --stat HEAD~1 | tail -n 1
git stash list
git checkout -q -b other
git log --format=%an%s -1
"""
    box.run_zs("run", "--git-base", base, "--", "sh", "-c", script).expect(
        stdout="two\none\nrefs/heads/trunk\n 1 file changed, 1 insertion(+), 1 deletion(-)\nadathree\n")
    expect(read(box.work + "/f") == "three\n", "files of the workspace are real")
    expect(sorted(os.listdir(box.work + "/.git")) == before and read(box.work + "/.git/HEAD") == head, "git's are not")
    box.run_zs("run", "--git-base", base, "--", "git", "log", "--format=%s", "-1").expect(stdout="two\n")


@test(needs=NEEDS)
def a_box_keeps_its_commits(box):
    base = history(box)
    with own_place(box):
        name = create(box, "--git-base", base)
        inside(box, name, "git commit -q --allow-empty -m new").expect(exit=0)
        inside(box, name, "git log --format=%s -1").expect(exit=0, stdout="new\n")
        path = box.file("home/project/search.py", SEARCH)
        inside(box, name, "python3 %s %s" % (path, box.work)).expect(exit=0, stdout="['search.py']\n")


@test(needs=NEEDS + ["root"])
def another_name_of_the_workspace_shows_nothing(box):
    """A bind mount."""
    base, alias = history(box), box.folder("outside/alias")
    script = 'mount --bind "$1" "$2" && shift 2 && exec "$@"'
    for path in (alias, alias + "/.git"):
        result = box.run(["unshare", "-m", "sh", "-c", script, "sh", box.work, alias, box.zs, "run", "--ro", path,
            "--git-base", base, "--", "echo", "ran"])
        result.expect(exit=125, stdout="", stderr=["cannot be granted"])


@test(needs=NEEDS)
def what_is_not_complete_is_refused(box):
    base = history(box)

    def refused(word, *options, exit=125, commit=base):
        made = box.outside + "/made"
        box.run_zs("run", *options, "--rw", box.outside, "--git-base", commit, "--", "touch", made).expect(
            exit=exit, stderr=[word])
        expect(not os.path.exists(made), word, "it has run")

    refused("is no commit", exit=64, commit="no-such-name")
    refused("is no commit", exit=64, commit="trunk:f")
    refused("is no commit", exit=64, commit="--all")
    refused("cannot be granted", "--ro", box.work + "/.git/objects")
    worktree = box.outside + "/SECRET-worktree"
    refused("leads to a repository elsewhere", "--workspace", worktree)
    os.makedirs(box.work + "/sub")
    refused("name the top of a repository", "--workspace", box.work + "/sub")
    for file, text in (("shallow", base), ("info/grafts", base), ("objects/info/alternates", box.outside)):
        path = os.path.join(box.work, ".git", file)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as out:
            out.write(text + "\n")
        refused("git_base: %s/.git: " % os.path.realpath(box.work))
        os.remove(path)
    # Where there are no mounts, nothing can cover the real one.
    limit = "echo 0 >/proc/sys/user/max_user_namespaces || exit 99; exec \"$@\""
    without = "protect,hide,private-tmp,loopback,sockets,metadata,processes,privileges,overlay"
    result = box.run(["unshare", "-Ur", "sh", "-c", limit, "sh", box.zs, "run", "--without", without, "--git-base",
        base, "--", "true"])
    expect(result.exit == 125, result)


@test(needs=NEEDS)
def no_command_can_change_what_others_will_see(box):
    base = history(box)
    search(box, "--git-base", base)
    store = box.home + "/.local/state/zs/bases"
    [name] = os.listdir(store)
    for path in (store, box.home + "/.local/state", box.home):
        box.run_zs("run", "--rw", path, "--git-base", base, "--", "sh", "-c",
            "echo x >%s/%s/git/config; rm -rf %s/%s" % (store, name, store, name))
        expect("x" not in read("%s/%s/git/config" % (store, name)).split(), path)
    policy = json.loads(box.run_zs("run", "--print-policy", "--git-base", base).expect().stdout)
    expect(policy["git_base"] == "%s/%s/git" % (store, name), policy.get("git_base"))
