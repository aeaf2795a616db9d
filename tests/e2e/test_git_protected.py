"""A command of git that would change a protected name in a run that may write the repository: it is done whole, or it
fails, the name is on stderr, and all is as before. A script with such a command never ends with 0 while file, index and
HEAD say different things."""

import os
import shutil

from harness import HERE, TIMEOUT, expect, read, test
from planting import GIT

NAME = ".mcp.json"
GIT_TEXT = " ".join(GIT).replace("*", "'*'")
ALLOW = ("run", "--git", "allow")
SCRIPT = ("sh", "-c")  # whose text is more than one command: zs looks at its effect

# The change of the branch f to the protected name, which the branch main has unless f adds it.
KINDS = {
    "added": "echo v2 >.mcp.json",
    "changed": "echo v2 >.mcp.json",
    "deleted": "git rm -q .mcp.json",
    "renamed": "git mv .mcp.json plain.json",
}
OTHER_COMMIT = "echo x >c; git add c; git commit -qm c"

# The command, and a script that prepares it outside of zs. Each moves the work tree from main to f or back.
COMMANDS = [
    ("git checkout -q f", ""),
    ("git switch -q f", ""),
    ("git checkout -q -b g f", ""),
    ("git merge -q f", ""),
    ("git merge -q --no-edit f", OTHER_COMMIT),
    ("git rebase -q f", OTHER_COMMIT),
    ("git cherry-pick f", OTHER_COMMIT),
    ("git revert --no-edit HEAD", "git switch -q f"),
    ("git reset -q --hard f", ""),
    ("git stash -q", "git read-tree -u --reset f"),
    ("git stash pop -q --index", "git read-tree -u --reset f; git stash -q"),
    ("git pull -q --ff-only . f", ""),
    ("git pull -q --rebase . f", OTHER_COMMIT),
    ("git apply .git/patch", "git diff main f >.git/patch"),
    ("git apply --index .git/patch", "git diff main f >.git/patch"),
    ("git am -q .git/mail", "git format-patch -q -1 --stdout f >.git/mail"),
    ("git read-tree -u -m HEAD f", ""),
    ("git checkout -q f -- .", ""),
    ("git restore --source f --staged --worktree .", ""),
    ("git worktree add -q tree f", ""),
]
# These change nothing at the protected name outside of zs either.
WHOLE = [("git worktree add -q tree f", kind) for kind in KINDS] + [
    ("git checkout -q f -- .", "deleted"), ("git checkout -q f -- .", "renamed")]


def shell(box, script, cwd=None):
    return box.run(["sh", "-ec", 'git() { command %s "$@"; }\n%s' % (GIT_TEXT, script)], cwd=cwd)


def make(box, kind, folder=None):
    """Makes a repository with the branches main and f, on main."""
    begin = "git init -q -b main .; git config user.name n; git config user.email e@x; echo one >a; echo one >b"
    base = "" if kind == "added" else "echo v1 >.mcp.json"
    shell(box, "%s\n%s\ngit add -A; git commit -qm main\ngit switch -q -c f\n%s\necho two >a; git add -A\n"
        "git commit -qm f; git switch -q main" % (begin, base, KINDS[kind]), cwd=folder).expect()


def state(box, folder=None):
    """The words of git and of the folder: branch, tree of HEAD, stashes, index, status, files."""
    folder = folder or box.work
    said = shell(box, "git symbolic-ref -q HEAD || true; git rev-parse HEAD^{tree}; git stash list | wc -l\n"
        "git ls-files -s; git status --porcelain", cwd=folder).stdout
    files = {name: read(folder + "/" + name) for name in os.listdir(folder)
        if os.path.isfile(folder + "/" + name) and name != ".git"}
    return said, files


def look(box):
    path = os.path.join(box.work, NAME)
    return read(path) if os.path.exists(path) else None


@test(needs=["sandbox", "git"], slow=True)
def it_is_whole_or_it_fails(box):
    for kind in KINDS:
        box.clear()
        made = box.folder("home/made-" + kind)
        make(box, kind, folder=made)
        for command, prepare in COMMANDS:
            what = "%s of a %s name" % (command, kind)
            states = []
            for zs in (False, True):
                shell(box, "rm -rf * .[a-z]*; cp -a %s/. .; git status -s\n%s" % (made, prepare)).expect()
                before = state(box)
                result = box.run_zs(*ALLOW, "--", *command.split()) if zs else box.run(command.split())
                states.append(state(box))
                if not zs:
                    expect(result.exit == 0, "control: %s: %s" % (what, result))
            whole = states[0] == states[1]
            expect(NAME in result.stderr or (command, kind) in WHOLE, "%s does not name the file: %s" % (what, result))
            if result.exit == 0:
                expect(whole, "%s ended with 0 and is not whole: %s" % (what, states))
                expect((command, kind) in WHOLE, "%s was done" % what)
            else:
                expect((command, kind) not in WHOLE, "%s failed: %s" % (what, result))
                expect(states[1] == before, "%s is neither whole nor as before: %s %s" % (what, before, states[1]))


@test(needs=["sandbox", "git"])
def whatever_allows_git_makes_it_whole(box):
    make(box, "changed")
    before = state(box)
    for options in (("--for", "git"), ()):
        if not options:
            box.file("home/.config/zs/settings.json", '{"sandbox": {"allow_git_access": true}}')
        result = box.run_zs("run", *options, "--", *GIT, "checkout", "-q", "f").expect(exit=125)
        expect("so nothing has been applied" in result.stderr and state(box) == before, result)
    # So does a shell that runs nothing else, as an agent's hook starts it; a longer text is a script.
    for zs in (("run", "--", "sh", "-c"), ("run", "--", "bash", "--norc", "-c", "--"), ("bash", "-c")):
        result = box.run_zs(*zs, "git reset --hard  f~0").expect(exit=125)
        expect("so nothing has been applied" in result.stderr and state(box) == before, result)
    for text in ("git checkout -q f; true", "git checkout -q $x f", "git checkout -q f #", "command git checkout -q f"):
        result = box.run_zs("run", "--", "sh", "-c", text).expect(exit=125)
        expect("outside of zs 'git -C " in result.stderr, result)
        shell(box, "git checkout -qf main").expect()
    # A change that is not protected is applied.
    shell(box, "git switch -q -c g; echo g >b; git commit -qam g; git switch -q main").expect()
    box.run_zs("run", "--", "git", "switch", "-q", "g").expect(stderr="")
    expect(read(box.work + "/b") == "g\n", "it is not applied")


@test(needs=["sandbox", "git"])
def a_checkout_names_the_file_and_the_cure(box):
    """The cure that the line names finishes the work of git."""
    for kind, cure in (("changed", "git -C %s restore -- .mcp.json"), ("added", "git -C %s restore -- .mcp.json"),
        ("deleted", "rm %s/.mcp.json")):
        box.clear()
        make(box, kind)
        box.run(["git", "checkout", "-q", "f"]).expect()
        whole = state(box)
        box.run(["git", "checkout", "-q", "main"]).expect()
        before = look(box)
        result = box.run_zs(*ALLOW, "--", *SCRIPT, "git checkout f; true")
        cure = cure % box.work
        result.expect(exit=125, stderr=["zs: git: %s/.mcp.json: git has " % box.work, "outside of zs '%s' " % cure])
        expect(look(box) == before, "the file has changed: %s" % result)
        box.run(["sh", "-c", cure + "; rm -f .mcp.json.set-aside-*"]).expect()
        expect(state(box) == whole, "the cure leaves %s, not %s" % (state(box), whole))


@test(needs=["sandbox", "git"])
def a_command_of_its_own_may_hide_git(box):
    """Only the effect counts: git in a script, an index that another program writes, the status of another command."""
    for script in ("git checkout -q f; true",
        "git update-index --cacheinfo 100644,$(git rev-parse f:.mcp.json),.mcp.json",
        "GIT_INDEX_FILE=.git/new git read-tree f; mv .git/new .git/index", "git rm -q --cached .mcp.json; git status"):
        box.clear()
        make(box, "changed")
        result = box.run_zs(*ALLOW, "--", "sh", "-c", script + "; git status")
        result.expect(exit=125, stderr=["zs: git: %s/.mcp.json: git has " % box.work])
    # A status of the command's own stays.
    box.clear()
    make(box, "changed")
    box.run_zs(*ALLOW, "--", "sh", "-c", "git checkout -q f; exit 7").expect(exit=7, stderr=["zs: git: "])


@test(needs=["sandbox", "git"])
def work_that_changes_no_protected_name_succeeds(box):
    make(box, "changed")
    shell(box, "git switch -q -c g; echo g >b; git commit -qam g; git switch -q main").expect()
    for script in ("git status", "git switch -q g", "git switch -q main", "git merge -q g", "git reset -q --hard HEAD^",
        "echo y >b; git stash -q; git stash pop -q", "git commit -qam y", "git rm -q --cached a; git add a",
        "touch a b; git status", "rm .git/index; git reset -q", "git symbolic-ref HEAD refs/heads/new; git add -A",
        "git update-index --index-version 4", "echo z >b; git commit -qam z", "git switch -q main"):
        box.granted(script, zs=ALLOW)
    # The user has changed or removed the file, and git follows.
    box.file("home/project/.mcp.json", "mine\n")
    for script in ("echo 3 >b; git add b", "git diff --stat", "git add .mcp.json", "git commit -qm mine"):
        box.granted(script, zs=ALLOW)
    box.run(["rm", ".mcp.json"]).expect()
    box.granted("git add -A; git commit -qm gone", zs=ALLOW)
    # A file that the caller has asked to write is not protected.
    shell(box, "git switch -qf f").expect()
    box.granted("git switch -q --detach main~2", zs=(*ALLOW, "--rw", box.work + "/.mcp.json"))
    expect(look(box) == "v1\n", "it is not written")


@test(needs=["sandbox", "git"])
def what_was_missing_is_not_restored(box):
    """git restores a tracked file that the user has removed. Its name is protected, so the run fails."""
    for command in ("git restore .", "git checkout -q .", "git reset -q --hard"):
        box.clear()
        make(box, "changed")
        box.run(["git", "status"]).expect()
        box.run(["rm", ".mcp.json"]).expect()
        result = box.run_zs(*ALLOW, "--", *SCRIPT, command + "; true")
        result.expect(exit=125, stderr=["zs: git: %s/.mcp.json: git has made it, but the name is protected" % box.work])
        box.run(command.split()).expect()
        expect(look(box) == "v1\n", "control: %s" % command)


@test(needs=["sandbox", "git"])
def a_clean_removes_no_protected_name(box):
    make(box, "added")
    for zs in (True, False):
        box.file("home/project/.mcp.json", "mine\n")
        result = box.run_zs(*ALLOW, "--", "git", "clean", "-fdx") if zs else box.run(["git", "clean", "-fdx"])
        expect((result.exit == 0) != zs and (look(box) == "mine\n") == zs, "zs %s: %s" % (zs, result))
    expect(NAME in result.stdout, "control: %s" % result)


@test(needs=["sandbox", "git"])
def other_repositories_of_the_workspace(box):
    """A submodule, a repository below the workspace, and a linked worktree as the workspace."""
    for kind in KINDS:
        box.clear()
        library = box.folder("home/library-" + kind)
        make(box, kind, folder=library)
        shell(box, "git init -q .; git submodule --quiet add -b main %s sub; git commit -qm sub\n"
            'git update-index --cacheinfo "160000,$(git -C %s rev-parse f),sub"\n'
            "git clone -q -b main %s nested; git -C nested fetch -q origin f:f" % (library, library, library)).expect()
        # git would write the submodule's configuration first.
        before = state(box, box.work + "/sub")
        result = box.run_zs(*ALLOW, "--", *GIT, "submodule", "update")
        expect(result.exit == 128 and "modules/sub/config" in result.stderr, result)
        expect(state(box, box.work + "/sub") == before, "the submodule has changed: %s" % result)
        for sub in ("sub", "nested"):
            before = state(box, box.work + "/" + sub)[1]
            result = box.run_zs(*ALLOW, "--", *GIT, "-C", sub, "checkout", "-q", "f" if sub == "nested" else "origin/f")
            result.expect(exit=125, stderr=["zs: git: %s/%s/.mcp.json: git has " % (box.work, sub)])
            now = state(box, box.work + "/" + sub)[1]
            expect(now.get(NAME) == before.get(NAME), "%s: %s" % (result, now))
        tree = box.home + "/tree-" + kind
        box.run(["git", "worktree", "add", "-q", tree, "main"], cwd=library).exit == 0 or box.run(
            ["git", "worktree", "add", "-q", "-f", tree, "main"], cwd=library).expect()
        result = box.run_zs(*ALLOW, "--", *GIT, "checkout", "-q", "f", cwd=tree)
        result.expect(exit=125, stderr=["zs: git: %s/.mcp.json: git has " % tree])


@test(needs=["sandbox", "git"])
def a_conflict_in_a_protected_name(box):
    make(box, "deleted")
    shell(box, "echo v3 >.mcp.json; git commit -qam v3").expect()
    for end, code in (("; exit 1", 1), ("; true", 125)):
        result = box.run_zs(*ALLOW, "--", "sh", "-c", "git merge -q f" + end)
        result.expect(exit=code, stderr=["zs: git: %s/.mcp.json: git has a conflict in it" % box.work])
        box.run(["git", "merge", "--abort"]).expect()


@test(needs=["sandbox", "git"])
def an_index_that_zs_cannot_compare(box):
    make(box, "changed")
    box.run(["git", "update-index", "--split-index"]).expect()
    result = box.run_zs(*ALLOW, "--", "sh", "-c", "echo 3 >b; git add b")
    result.expect(exit=125, stderr=["zs cannot compare it with the protected files", "--no-split-index"])
    box.run(["git", "update-index", "--no-split-index"]).expect()
    box.granted("echo 4 >b; git add b", zs=ALLOW)
    for write in ("echo x >x; mv x .git/index", "rm .git/index; mkfifo .git/index",
        "rm .git/index; ln -s /etc/passwd .git/index"):
        box.run_zs(*ALLOW, "--", "sh", "-c", write).expect(exit=125, stderr=["zs cannot compare"])
        box.run(["sh", "-c", "rm -f .git/index; git reset -q"]).expect()
    # With objects named by SHA-256, and with a folder of the index left out.
    box.clear()
    shell(box, "git init -q --object-format=sha256 .; git config user.name n; git config user.email e@x\n"
        "mkdir d .claude; echo v1 >.mcp.json; echo 1 >d/a; echo 1 >.claude/a\n"
        "git add -A; git commit -qm 1; git branch main2; echo v2 >.mcp.json; echo 2 >d/a; git commit -qam 2").expect()
    box.granted("echo 3 >d/a; git commit -qam 3", zs=(*ALLOW,))
    result = box.run_zs(*ALLOW, "--", *SCRIPT, "git checkout -q main2; true")
    result.expect(exit=125, stderr=["/.mcp.json: git has taken"])
    shell(box, "git restore .; git sparse-checkout set --cone --sparse-index d").expect()
    expect(not os.path.exists(box.work + "/.claude"), "control: the folder is not left out")
    box.granted("git ls-files --sparse; echo 4 >d/a; git commit -qam 4; git update-index --refresh", zs=(*ALLOW,))


@test(needs=["sandbox", "git"])
def many_names(box):
    make(box, "changed")
    names = [".claude/%02d" % i for i in range(12)]
    shell(box, "git switch -q f; mkdir .claude; for i in %s; do echo 2 >$i; done; git add -A; git commit -qm many\n"
        "for i in %s; do echo 3 >$i; done; git commit -qam more" % (" ".join(names), " ".join(names))).expect()
    for version in ("2", "4"):
        box.run(["git", "update-index", "--index-version", version]).expect()
        result = box.run_zs(*ALLOW, "--", *SCRIPT, "git checkout -q HEAD^; true")
        result.expect(exit=125, stderr=["/.claude/07: git has taken", ".git/index: 4 more protected files"])
        expect(result.stderr.count("zs: git: ") == 9, result)
        box.run(["git", "checkout", "-qf", "f"]).expect()


@test(needs=["sandbox", "git"])
def a_run_of_a_session(box):
    for branch, told in (("f", True), ("main", False)):
        box.clear()
        make(box, "changed")
        policy = box.run_zs(*ALLOW, "--print-policy", "--", "true").expect().stdout
        library = shutil.copy(box.library, os.path.join(box.root, "libzs_sandbox.so"))
        host = ["python3", "-c", read(os.path.join(HERE, "library_host.py")), "session", library, box.zs, policy]
        with box.start([*host, "git", "checkout", "-q", branch], text=True) as host:
            host.stdout.read()
            said = host.communicate(timeout=TIMEOUT)[1]
        expect(("/.mcp.json: git has taken another version" in said) == told, "%s: %s" % (branch, said))


@test(needs=["sandbox", "git"])
def apply_changes_all_or_nothing(box):
    """If a dry run holds back a file that git has changed, neither HEAD nor the index moves."""
    for kind in KINDS:
        for command in ("git checkout -q f", "git merge -q f", "git reset -q --hard f", "git restore -s f -S -W ."):
            box.clear()
            make(box, kind)
            before = state(box)
            result = box.run_zs(*ALLOW, "--apply", "--", *command.split())
            result.expect(exit=125, stderr=["zs: apply: .mcp.json: git has changed its entry, too"])
            expect(state(box) == before, "%s: %s is not %s" % (result, state(box), before))
    # An index that zs cannot compare counts as changed.
    box.run(["git", "update-index", "--split-index"]).expect()
    before = state(box)
    result = box.run_zs(*ALLOW, "--apply", "--", "git", "checkout", "-q", "f")
    result.expect(exit=125, stderr=["zs: apply: .git/index: zs cannot compare it", "--no-split-index"])
    expect(state(box) == before, "%s: %s is not %s" % (result, state(box), before))
    box.run(["git", "update-index", "--no-split-index"]).expect()
    # A file that git does not follow does not stop a commit.
    script = "echo x >.bashrc; echo 5 >b; git commit -qm z b"
    box.run_zs(*ALLOW, "--apply", "--", "sh", "-c", script).expect(exit=125, stderr=["apply: .bashrc: not applied"])
    expect(read(box.work + "/b") == "5\n" and "z" in box.run(["git", "log", "--oneline"]).stdout, "not applied")


@test(needs=["sandbox", "git"])
def apply_adds_a_remote_and_an_upstream(box):
    """git writes its configuration by renaming, which a protected file refuses. A dry run compares the two texts."""
    bare = box.home + "/bare.git"
    box.run(["git", "init", "-q", "--bare", bare]).expect()
    make(box, "changed")
    apply = (*ALLOW, "--apply", "--rw", bare)
    box.run_zs(*ALLOW, "--", "git", "remote", "add", "o", bare).expect(exit=128)
    box.run_zs(*apply, "--", "git", "remote", "add", "o", bare).expect()
    box.run_zs(*apply, "--", *GIT, "push", "-q", "-u", "o", "main").expect()
    box.run_zs(*apply, "--", *GIT, "switch", "-q", "--track", "-c", "g", "o/main").expect()
    said = box.run(["git", "config", "--get-regexp", "remote|branch"]).stdout
    expect(said == "remote.o.url %s\nremote.o.fetch +refs/heads/*:refs/remotes/o/*\nbranch.main.remote o\n"
        "branch.main.merge refs/heads/main\nbranch.g.remote o\nbranch.g.merge refs/heads/main\n" % bare, said)
    before = read(box.work + "/.git/config")
    for command in ("git config core.hooksPath hooks", "git remote set-url o /x", "git remote remove o",
            "git config remote.p.uploadpack x", "git remote add p ext::x", "git config branch.main.remote p",
            "echo x >>.git/config", "chmod 777 .git/config", "ln -sf /etc/passwd .git/config", "rm .git/config",
            "cp .git/config x; rm .git/config; mkfifo .git/config"):
        result = box.run_zs(*apply, "--", "sh", "-c", command)
        result.expect(exit=125, stderr=["zs: apply: .git/config: not applied"])
        expect(read(box.work + "/.git/config") == before, "%s: %s" % (command, result))
    # A file that the caller protects by name stays.
    result = box.run_zs(*apply, "--protect", ".git/config", "--", "git", "config", "branch.new.remote", "o")
    expect(result.exit != 0 and read(box.work + "/.git/config") == before, result)
