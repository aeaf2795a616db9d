"""Files that a command may not leave in a workspace for programs outside, also under names that do not exist yet."""

import errno
import glob
import os
import re
import signal
import subprocess

from harness import Changed, expect, read, test
from planting import GIT, no_such_name, remove, repository
from processes import wait_until

# Each makes a .git of some kind in a folder without one.
MAKES_GIT = [
    "mkdir .git; echo x >.git/config",
    "mkdir x; echo x >x/config; mv x .git",
    "mkdir -p a/b; mv a/b .git; rmdir a",
    "echo gitdir: /tmp >.git",
    "ln -s /usr .git",
    "ln -s nowhere .git",
    "echo x >x; ln x .git; rm x",
    "mkfifo .git",
    "(sleep 0.1; mkdir .git) & wait",
    "mkdir .git; chmod 555 .; sleep 0.2; chmod 755 .",
    "chmod 311 .; mkdir .git; chmod 0 .; sleep 0.2; chmod 755 $PWD",
    "perl -e 'mkdir \".git\"; chmod 0, \".\"; sleep 1; chmod 0755, $ENV{PWD}'",
    "for i in 1 2 3 4 5 6 7 8 9; do kill -IO 1 2>/dev/null; done; mkdir .git",
    "cd /; mkdir $OLDPWD/.git",
    "mkdir away; cd away; mkdir ../.git; cd ..; rmdir away",
]


@test(needs=["sandbox", "bash", "perl"], slow=True)
def a_missing_git_cannot_be_made(box):
    for attack in MAKES_GIT:
        no_such_name(box, ".git", attack)
    os.chmod(box.work, 0o755)


@test(needs=["sandbox", "bash", "git"])
def git_init_makes_no_repository(box):
    no_such_name(box, ".git", "git init; true")
    # A repository that was prepared under another name cannot become one either. With a grant git init works.
    no_such_name(box, ".git", "git init -q x; mv x/.git .git; rm -r x")
    box.granted("git init -q", zs=["run", "--rw", box.work + "/.git"])


@test(needs=["sandbox", "bash", "git"])
def the_workspace_becomes_no_repository_itself(box):
    """Git obeys a folder with a HEAD, objects, refs and a config like a .git, but looks for a .git first."""
    plant = "mkdir objects refs; echo '[core]' >config; echo ref: refs/heads/x >HEAD"
    no_such_name(box, "HEAD", plant)
    box.clear()
    no_such_name(box, "HEAD", "git init -q --bare x; mv x/* .")
    box.clear()
    # In a bare repository that is there, the obeyed files are protected, and a push works.
    box.run(["git", "init", "-q", "--bare", "."]).expect()
    for attack, path in (("echo x >>config", "config"), ("echo x >hooks/update", "hooks")):
        box.denied(attack, harm=Changed(box, os.path.join(box.work, path)))
    no_such_name(box, "commondir", "echo /tmp >commondir")
    box.granted("echo x | git hash-object -w --stdin >refs/heads/x")
    # Beside a .git these files mean nothing to git.
    box.clear()
    box.run(["git", "init", "-q", "."]).expect()
    box.granted(plant)


@test(needs=["sandbox", "bash"])
def it_is_gone_while_the_command_goes_on(box):
    gone = "mkdir x; echo evil >x/config; mv x .git; i=0; " \
        "while test -e .git && test $i -lt 600; do sleep 0.05; i=$((i+1)); done; ! test -e .git"
    no_such_name(box, ".git", gone, exit=0)
    # This holds even if the supervisor is stopped, as by ^Z.
    with box.start([box.zs, "run", "--", "sh", "-c", "echo up; read x; mkdir .git; echo made; read x"],
            stderr=subprocess.DEVNULL) as process:
        process.stdout.readline()
        process.send_signal(signal.SIGSTOP)
        process.stdin.write(b"\n")
        process.stdin.flush()
        process.stdout.readline()
        wait_until(lambda: not os.path.exists(box.work + "/.git"), "it is there")
        process.send_signal(signal.SIGCONT)
        process.stdin.close()


@test(needs=["sandbox", "bash"], slow=True)
def a_command_that_tries_again_and_again_is_ended(box):
    result = no_such_name(box, ".git", "for i in $(seq 200); do mkdir -p .git; sleep 0.01; done", exit=137)
    result.expect_text("stderr", result.stderr, ["protected names appear again and again: the run is ended"])
    # The command cannot make zs wait for a reader either.
    with box.start([box.zs, "run", "--", "bash", "-c", "yes >&2 & sleep 0.5; mkdir .git; sleep 0.5; mkdir .git; "
            "echo made; sleep 60"]) as process:
        try:
            process.stdout.readline()
            wait_until(lambda: not os.path.exists(box.work + "/.git"), "it is there")
        finally:
            process.kill()


@test(needs=["sandbox", "bash"])
def what_other_programs_run_cannot_be_made(box):
    for name in (".mcp.json", ".bashrc", ".gitmodules", ".claude", ".zshrc", ".profile"):
        for options in ([], ["--git", "allow"]):
            no_such_name(box, name, "echo x >%s" % name, zs=["run", *options])
    no_such_name(box, ".claude", "mkdir .claude && echo x >.claude/settings.json; true")
    # Similar names can be made.
    box.granted("mkdir .github .gitx git; echo x >.mcp.json.md; rm -r .github .gitx git .mcp.json.md")
    expect(not glob.glob(box.work + "/.*set-aside*"), "something was set aside")


@test(needs=["sandbox", "bash"])
def nothing_is_left_where_nothing_was_made(box):
    """zs makes no placeholder for a missing name, during the run, after it, or after a run that is killed."""
    before = os.listdir(box.work)
    box.granted("ls -A", stdout="")
    with box.start([box.zs, "run", "--", "sh", "-c", "echo up; sleep 60"], stderr=None) as process:
        process.stdout.readline()
        expect(os.listdir(box.work) == before, "during the run: %s" % os.listdir(box.work))
        process.kill()
    expect(os.listdir(box.work) == before, "after it: %s" % os.listdir(box.work))


@test(needs=["sandbox", "bash"])
def spelled_names_that_are_missing(box):
    for name in ("kept", "deep/er/kept"):
        zs = ["run", "--protect", box.work + "/" + name]
        no_such_name(box, name, "mkdir -p deep/er; echo x >%s; test -d deep/er" % name, zs=zs)
        remove(box, box.work + "/deep")
        # The command makes the folder around the name, removes it, and makes it again.
        no_such_name(box, name, "mkdir -p deep/er; rm -r deep; mkdir -p deep/er; echo x >%s; sleep 0.1" % name, zs=zs)
        remove(box, box.work + "/deep")
        box.granted("mkdir -p deep/er && echo x >deep/er/other", zs=zs)
        remove(box, box.work + "/deep")
    box.granted("mkdir -p deep; ln -s / deep/er", zs=["run", "--protect", box.work + "/deep/er/etc"])
    remove(box, box.work + "/deep")


@test(needs=["sandbox", "bash"])
def links_stay_what_they_are(box):
    box.file("home/project/real.json", "text\n")
    link = box.work + "/.mcp.json"

    def check(attack, harmed):
        os.symlink("real.json", link)
        box.own(link)
        box.run(["bash", "-c", attack]).expect()
        expect(harmed(), "control: no harm by %s" % attack)
        box.run(["rm", "-rf", link]).expect()
        os.symlink("real.json", link)
        box.own(link)
        box.file("home/project/real.json", "text\n")
        result = box.run_zs("run", "--", "bash", "-c", attack)
        expect(os.readlink(link) == "real.json" and not harmed(), "harmed by %s: %s" % (attack, result))
        for left in glob.glob(link + "*"):
            box.run(["rm", "-rf", left]).expect()

    def is_replaced():
        return not os.path.islink(link) or os.readlink(link) != "real.json"

    def is_rewritten():
        return read(box.work + "/real.json") != "text\n"

    for attack in ("rm .mcp.json; echo x >.mcp.json", "rm .mcp.json", "ln -sf other .mcp.json",
        "echo x >y; mv y .mcp.json", "mv .mcp.json other; rm other"):
        check(attack, is_replaced)
    check("echo x >.mcp.json; true", is_rewritten)
    check("echo x >real.json; true", is_rewritten)


@test(needs=["sandbox", "bash", "git"])
def other_repositories_in_the_workspace(box):
    for name in ("one", "vendor/two", "a/b/three"):
        repository(box, box.work + "/" + name)
        hook = "echo x >%s/.git/hooks/pre-commit" % name
        # The last attack replaces the folder around the repository.
        top = name.split("/")[0]
        box.denied(hook, "echo x >>%s/.git/config" % name, "rm -rf %s/.git/hooks && mkdir %s/.git/hooks" % (name, name),
            "mv %s away && mkdir -p %s; r=$?; mv %s x; mv away %s; exit $r" % (top, name, top, top))
        box.granted("git -C %s -c safe.directory='*' log --oneline >/dev/null && echo b >%s/b" % (name, name))
        commit = "%s -C %s commit --allow-empty -qm two" % (" ".join(GIT).replace("*", "'*'"), name)
        box.denied(commit)
        box.granted(commit, zs=["run", "--git", "allow"])
        box.denied(hook, zs=["run", "--git", "allow"])


@test(needs=["sandbox", "git"])
def a_folder_that_holds_a_repository_is_a_mount(box):
    """The folder cannot be moved, and files are copied into it and out of it, as between file systems."""
    repository(box, box.work + "/vendor/lib")
    box.file("home/project/file", "text\n")
    rename = "import os, sys\ntry: os.rename(*sys.argv[1:])\nexcept OSError as error: print(error.errno)"
    for names, cause in (("vendor other", errno.EBUSY), ("vendor/lib vendor/other", errno.EBUSY),
        ("vendor/lib other", errno.EXDEV), ("file vendor/lib/b", errno.EXDEV), ("vendor/lib/a a", errno.EXDEV),
        ("vendor/lib/a vendor/lib/c", 0)):
        box.run_zs("run", "--", "python3", "-c", rename, *names.split()).expect(
            stdout="%d\n" % cause if cause else "")
    box.granted("mv file vendor/lib/b && mv vendor/lib/c . && cat vendor/lib/b", stdout="text\n")
    box.denied("mv vendor/lib vendor/moved; r=$?; mv vendor/moved vendor/lib; exit $r")


def submodule(box):
    """A repository in the workspace with a submodule in sub."""
    library = box.folder("home/library")
    repository(box, library)
    repository(box, box.work)
    box.run([*GIT, "submodule", "--quiet", "add", library, "sub"]).expect()
    box.run([*GIT, "commit", "-qm", "sub"]).expect()


@test(needs=["sandbox", "bash", "git"])
def a_submodule(box):
    submodule(box)
    for options in ([], ["--git", "allow"]):
        zs = ["run", *options]
        for attack in ("echo gitdir: /tmp >sub/.git", "rm sub/.git && mkdir sub/.git",
            "mv sub/.git x; r=$?; mv x sub/.git; exit $r",
            "echo x >>.git/modules/sub/config", "echo x >.git/modules/sub/hooks/pre-commit"):
            box.run(["cp", "-a", "sub/.git", box.outside + "/file"]).expect()
            box.denied(attack, zs=zs)
            box.run(["sh", "-c", "rm -rf sub/.git && cp -a %s/file sub/.git" % box.outside]).expect()
            box.run(["git", "-C", "sub", "config", "--file", box.work + "/.git/modules/sub/config", "--list"])
            box.run(["sed", "-i", "/^x$/d", ".git/modules/sub/config"]).expect()
    box.run([*GIT, "submodule", "--quiet", "deinit", "sub"]).expect()
    # The next git status outside would enter this folder.
    no_such_name(box, "sub/.git", "mkdir sub/.git; echo x >sub/.git/config")
    remove(box, box.work + "/sub")
    no_such_name(box, "sub/.git", "mkdir -p sub/.git; echo x >sub/.git/config")


@test(needs=["sandbox", "bash", "git"])
def what_git_obeys_stays_where_commits_are_allowed(box):
    repository(box, box.work)
    zs = ["run", "--git", "allow"]
    remove(box, box.work + "/.git/hooks")
    remove(box, box.work + "/.git/info")
    for name in ("hooks", "commondir", "config.worktree", "info/attributes"):
        no_such_name(box, ".git/" + name, "mkdir -p .git/info; echo x >.git/" + name, zs=zs)
    tree = box.home + "/tree"
    box.run([*GIT, "worktree", "add", "-q", tree]).expect()
    for name in ("commondir", "gitdir"):
        file = ".git/worktrees/tree/" + name
        box.run(["cp", file, box.outside + "/" + name]).expect()
        box.denied("echo /tmp >" + file, zs=zs)
        box.run(["cp", box.outside + "/" + name, file]).expect()


@test(needs=["sandbox", "bash", "git"])
def hooks_and_configuration_elsewhere(box):
    repository(box, box.work)
    box.folder("home/project/.husky")
    box.file("home/project/shared.conf", "[core]\n")
    box.run(["git", "config", "core.hooksPath", ".husky"]).expect()
    box.run(["git", "config", "include.path", "../shared.conf"]).expect()
    for options in ([], ["--git", "allow"]):
        box.denied("echo x >.husky/pre-commit", "echo x >>shared.conf", zs=["run", *options])
    remove(box, box.work + "/.husky")
    no_such_name(box, ".husky", "mkdir .husky; echo x >.husky/pre-commit")


@test(needs=["sandbox", "bash", "git"])
def what_is_asked_for_by_name(box):
    repository(box, box.work)
    change = "git config x.y z && git config --unset x.y"
    hook = "echo x >.git/hooks/pre-commit && rm .git/hooks/pre-commit"
    config, hooks, whole = (box.work + "/.git" + name for name in ("/config", "/hooks", ""))
    box.denied(change, zs=["run", "--git", "allow"])
    box.denied(hook, zs=["run", "--git", "allow", "--rw", config])
    box.denied(hook, zs=["run", "--rw", box.work])
    box.granted("echo >>.git/config", zs=["run", "--git", "allow", "--rw", config])
    box.granted(hook, zs=["run", "--git", "allow", "--rw", hooks])
    box.granted(hook, zs=["run", "--rw", hooks])
    box.denied("echo x >.git/x && rm .git/x", zs=["run", "--rw", hooks])
    box.granted(hook + " && " + change, zs=["run", "--rw", whole])
    # Another writable tree is protected like the workspace.
    other = box.folder("home/other")
    repository(box, other)
    box.denied("echo x >%s/.git/hooks/pre-commit" % other, zs=["run", "--rw", other])
    box.granted("echo x >%s/b" % other, zs=["run", "--rw", other])


READS = ["status", "status --short --ignored", "log --oneline --stat", "diff", "diff HEAD", "blame a", "show",
    "grep -n a", "ls-files -s", "branch -a", "rev-parse HEAD", "describe --always", "stash list", "reflog", "fsck",
    "cat-file -p HEAD", "rev-list --count HEAD", "config --list", "worktree list", "submodule status", "remote -v"]


def git_reads(box, folder):
    """All commands work, print the same as outside and no warning, and write nothing."""
    for read in READS:
        # If a file has only a new time, git refreshes its index where it can.
        os.utime(folder + "/a", (1000000000, 1000000000 + len(read)))
        inside = box.run_zs("run", "--", *GIT, *read.split(), cwd=folder)
        inside.expect(exit=0, stderr="" if read != "fsck" else None)
        box.run([*GIT, *read.split()], cwd=folder).expect(exit=0, stdout=inside.stdout)


@test(needs=["sandbox", "git"])
def git_reads_in_a_repository(box):
    """Also in a repository with a submodule, and in a linked worktree."""
    tree = box.home + "/tree"
    submodule(box)
    git_reads(box, box.work)
    box.granted("%s -C sub log --oneline && %s -C sub status" % (" ".join(GIT), " ".join(GIT)))
    box.run([*GIT, "worktree", "add", "-q", tree]).expect()
    git_reads(box, tree)
    box.clear()
    repository(box, box.work)
    git_reads(box, box.work)


@test(needs=["sandbox", "git"])
def a_submodule_is_the_workspace(box):
    """The repository of a submodule lies outside of it. It is granted if it names this folder as its worktree, and is
    protected as always."""
    submodule(box)
    sub = box.work + "/sub"
    git_reads(box, sub)
    commit = "echo b >>a; %s commit -qam two" % " ".join(GIT)
    config = box.work + "/.git/modules/sub/config"
    box.denied(commit, cwd=sub)
    box.granted(commit, zs=["run", "--git", "allow"], cwd=sub)
    box.denied("echo x >>%s" % config, harm=Changed(box, config), zs=["run", "--git", "allow"], cwd=sub)
    # The repository of another folder is not granted.
    fake = "mkdir ../fake && cp sub/.git ../fake/ && sed -i 's|\\.\\./|../project/|' ../fake/.git"
    box.run(["sh", "-c", fake]).expect()
    box.run(["git", "-C", box.home + "/fake", "rev-parse", "--git-dir"]).expect(stdout=re.compile("modules/sub"))
    box.run_zs("run", "--", "cat", config, cwd=box.home + "/fake").expect(exit=1)


@test(needs=["sandbox", "git"])
def git_writes_where_it_is_allowed(box):
    repository(box, box.work)
    git = " ".join(GIT)
    for write in ("commit --allow-empty -qm two", "tag v1", "switch -qc side", "stash", "switch -q -", "merge -q side",
        "gc -q", "notes add -m note", "worktree add -q ../../tmp-tree || true", "reset -q --hard"):
        box.granted("echo b >>a; %s %s" % (git, write), zs=["run", "--git", "allow"])
    box.run([*GIT, "fsck"]).expect()


@test(needs=["sandbox", "git"])
def a_repository_without_work_is_not_kept(box):
    """git init fails, and leaves nothing. Anything that the template does not have stays."""
    result = box.run_zs("run", "--", "git", "init", "-q", ".")
    result.expect_text("stderr", result.stderr, ["it held no work, and zs has removed it\n"])
    expect(os.listdir(box.work) == [], os.listdir(box.work))
    outside = box.file("outside/HEAD", "kept")
    for more in ("echo x >.git/x", "mkdir .git/refs/heads/x", "echo x >.git/refs/heads/main", "mkdir .git/objects/aa",
            "echo x >.git/hooks/pre-commit", "ln -s %s .git/info" % os.path.dirname(outside),
            "ln -s %s .git/HEAD" % outside, "head -c 600 /dev/zero >.git/config",
            "printf '[core]\\nhooksPath = x\\n' >.git/config", "printf '[core]\\nbare = true' >.git/config.worktree"):
        box.clear()
        begin = "mkdir .new .new/refs .new/refs/heads .new/objects .new/hooks; %s; mv .new .git; sleep 0.1" % (
            more.replace(".git/", ".new/"))
        result = box.run_zs("run", "--", "sh", "-ec", begin)
        kept = os.listdir(box.work)
        expect(len(kept) == 1 and kept[0].startswith(".git.set-aside-"), "%s: %s: %s" % (more, kept, result))
    expect(read(outside) == "kept", "a link was followed")
