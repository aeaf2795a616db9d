"""One table decides which files git, shells and agents obey. Mounts, watch and --apply use the same paths."""

import os
import re

from harness import REPOSITORY, expect, read, test
from planting import no_such_name, remove
from settings_files import HOOK_FILES

NOT_APPLIED = "zs: apply: %s: not applied: "


def rows():
    """The table of sandbox/git/obeyed.h: the path of each row, and where it counts."""
    text = read(os.path.join(REPOSITORY, "sandbox/git/obeyed.h"))
    return re.findall(r'X\(\w+, "([^"]+)", (START|PROJECT|HOME),', text)


def plant(path):
    return "mkdir -p $(dirname %s); echo x >%s" % (path, path)


def not_applied(box, path, attack, prepare=None, zs=(), why=None):
    """Expects that the attack changes the path without zs, and not with `run --apply`. prepare: a script that makes the
    workspace."""
    whole = os.path.join(box.work, path)

    def state():
        if os.path.isdir(whole):
            return oct(os.stat(whole).st_mode)
        if not os.path.lexists(whole):
            return None
        return read(whole)

    def fresh():
        box.clear()
        if prepare:
            box.run(["bash", "-ec", prepare]).expect()
        return state()

    before = fresh()
    box.run(["bash", "-c", attack]).expect()
    expect(state() != before, "control: %s is not changed" % path)
    expect(fresh() == before, "%s is not as it was" % path)
    result = box.run_zs("run", "--apply", *zs, "--", "bash", "-c", attack + "; echo x >other").expect(exit=125)
    expect(state() == before and os.path.exists(box.work + "/other"), "%s: %s" % (path, result))
    result.expect_text("stderr", result.stderr, [why or NOT_APPLIED % path])


@test(needs=["sandbox", "bash"], slow=True)
def every_place_of_install_is_obeyed(box):
    """No run changes the places where zs installs hooks: it cannot change a hook, make one, or apply one."""
    for agent, (_, path) in HOOK_FILES.items():
        if path is None:
            continue
        row = ".github/hooks" if agent == "copilot" else path.split("/")[0]
        no_such_name(box, row, plant(path))
        remove(box, os.path.join(box.work, row.split("/")[0]))
        not_applied(box, path, plant(path))
        box.run_zs("install", agent, "--project", "--yes").expect(exit=0)
        for attack in ("echo x >>" + path, "rm " + path, "echo x >x; mv x " + path, "mv %s y" % os.path.dirname(path)):
            result = box.run_zs("run", "--", "sh", "-c", attack)
            expect(result.exit != 0 and os.path.getsize(os.path.join(box.work, path)), "%s: %s" % (attack, result))
        not_applied(box, path, "echo x >>" + path, plant(path))
        remove(box, os.path.join(box.work, row.split("/")[0]))


@test(needs=["sandbox", "bash"], slow=True)
def each_row_is_protected_and_held_back(box):
    for path, where in rows():
        if where == "HOME":
            continue
        # As a file and as a folder: agents accept some of these paths as either.
        no_such_name(box, path, plant(path))
        remove(box, os.path.join(box.work, path.split("/")[0]))
        not_applied(box, path + "/x", plant(path + "/x"), why="zs: apply: %s" % path)
        not_applied(box, path, "echo y >>" + path, plant(path))
        if where == "PROJECT":
            not_applied(box, "any/depth/" + path, plant("any/depth/" + path))
    # Agents may write the files that they edit as work, and files with similar names.
    work = "AGENTS.md CLAUDE.md .github/workflows/a.yml .vscode/launch.json .claudex opencode.json5 sub/.bashrc"
    for zs in (["run"], ["run", "--apply"]):
        box.granted("; ".join(plant(path) for path in work.split()), zs=zs)
        for path in work.split():
            expect(os.path.exists(os.path.join(box.work, path)), "%s: %s is not there" % (zs, path))
            remove(box, os.path.join(box.work, path.split("/")[0]))


@test(needs=["sandbox", "bash"])
def a_link_on_the_way_stays(box):
    """In a row of two names, the first name must not become a link to a folder in which the second can be written."""
    link = "mkdir x; echo x >x/tasks.json; ln -s x .vscode"
    not_applied(box, ".vscode/tasks.json", link, why=NOT_APPLIED % ".vscode")
    prepare = "mkdir x; echo a >x/tasks.json; ln -s x .vscode"
    for attack in ("echo b >x/tasks.json", "echo b >.vscode/tasks.json", "rm x/tasks.json; echo b >x/tasks.json",
            "rm .vscode; mkdir .vscode; echo b >.vscode/tasks.json"):
        unchanged(box, ".vscode/tasks.json", attack, prepare)


GIT_REPOSITORY = "git init -q; git -c user.name=n -c user.email=e@x commit -qm one --allow-empty"


@test(needs=["sandbox", "bash", "git"])
def what_git_obeys_is_held_back(box):
    for path, attack in ((".git/info/attributes", "mkdir -p .git/info; echo '* filter=x' >.git/info/attributes"),
            (".git", "chmod 777 .git"), (".git/hooks", "chmod 777 .git/hooks"),
            (".git/worktrees/x/gitdir", "mkdir -p .git/worktrees/x; echo /x >.git/worktrees/x/gitdir"),
            (".git/config", "echo '#' >>.git/config"), (".git/modules/x/config", plant(".git/modules/x/config"))):
        for zs in ((), ("--git", "allow")):
            not_applied(box, path, attack, GIT_REPOSITORY, zs)


# Files that a plain run protects because they exist, and that --apply once let through: the path, the attack, how the
# workspace is made.
LED_TO = [
    ("cl/settings.json", "echo x >>cl/settings.json", "mkdir cl; echo a >cl/settings.json; ln -s cl .claude"),
    ("hk/pre-commit", "echo x >>hk/pre-commit", "mkdir hk; echo a >hk/pre-commit; rm -r .git/hooks; "
        "ln -s ../hk .git/hooks"),
    (".githooks/pre-commit", "echo x >>.githooks/pre-commit", "git config core.hooksPath .githooks; mkdir .githooks; "
        "echo a >.githooks/pre-commit"),
    (".githooks/pre-commit", plant(".githooks/pre-commit"), "git config core.hooksPath .githooks"),
    # A link takes the place of a missing folder.
    ("a/b/pre-commit", "mkdir -p x/b; echo x >x/b/pre-commit; ln -s x a", "git config core.hooksPath a/b"),
    ("inc.conf", "echo x >>inc.conf", "git config include.path ../inc.conf; echo >inc.conf"),
    ("fsm.sh", "echo x >>fsm.sh", "git config core.fsmonitor $PWD/fsm.sh; echo a >fsm.sh"),
    ("realgit/config", "echo '#' >>realgit/config", "git init -q --separate-git-dir=$PWD/realgit $PWD/sub"),
    ("sub/.git/config", "echo '#' >>sub/.git/config", "git init -q sub"),
    ("sub/hk/pre-push", "echo x >>sub/hk/pre-push", "git init -q sub; git -C sub config core.hooksPath hk; "
        "mkdir sub/hk; echo a >sub/hk/pre-push"),
    ("sub/.claude/settings.json", "echo x >>sub/.claude/settings.json", "git init -q sub; mkdir sub/.claude; "
        "echo a >sub/.claude/settings.json"),
]


def unchanged(box, path, attack, prepare):
    """Expects that the attack changes or makes the file without zs, and does neither in a plain run."""
    whole = os.path.join(box.work, path)

    def run(*argv):
        box.clear()
        box.run(["bash", "-ec", prepare]).expect()
        before = os.path.exists(whole) and read(whole)
        result = box.run([*argv, "bash", "-c", attack])
        return before != (os.path.exists(whole) and read(whole)), result

    changed, result = run()
    expect(changed, "control: %s: %s" % (attack, result))
    changed, result = run(box.zs, "run", "--")
    expect(not changed, "%s: %s" % (attack, result))


@test(needs=["sandbox", "bash", "git"], slow=True)
def an_applied_run_changes_no_more_than_a_plain_one(box):
    for path, attack, prepare in LED_TO:
        prepare = GIT_REPOSITORY + "; " + prepare
        unchanged(box, path, attack, prepare)
        not_applied(box, path, attack, prepare, why="not applied: ")
    # No run may commit unless the policy allows it; one line says so.
    commit = "git -c user.name=n -c user.email=e@x commit -qm two --allow-empty"
    box.clear()
    box.run(["bash", "-c", GIT_REPOSITORY]).expect()
    box.run_zs("run", "--apply", "--", "bash", "-c", commit).expect(exit=125,
        stderr="zs: apply: .git: not applied: a run that writes at once could not change it either\n")
    box.run(["git", "rev-list", "--count", "HEAD"]).expect(stdout="1\n")
    box.run_zs("run", "--apply", "--git", "allow", "--", "bash", "-c", commit).expect(exit=0, stderr="")
    box.run(["git", "rev-list", "--count", "HEAD"]).expect(stdout="2\n")


@test(needs=["sandbox", "overlayfs", "bash", "git"])
def a_bare_repository_is_not_completed_in_steps(box):
    first = "mkdir -p b/hooks; echo x >b/config; echo x >b/hooks/pre-push"
    not_applied(box, "b/HEAD", "mkdir -p b/objects b/refs; echo ref: refs/heads/x >b/HEAD", first)


@test(needs=["sandbox", "bash", "git"])
def repositories_in_the_workspace_are_found(box):
    """The search works at any depth, beside thousands of folders that an earlier command has made, and without a
    .git."""
    repository = "git init -q a/b/c/d/app; mkdir a/b/c/d/app/.claude; echo a >a/b/c/d/app/.claude/settings.json; "
    for prepare, path in (("", ".git/config"), ("", ".git/hooks/pre-commit"), ("", ".claude/settings.json"),
            ("mkdir a{1..3000}", ".git/config")):
        path = "a/b/c/d/app/" + path
        unchanged(box, path, "echo x >>" + path, repository + prepare)
    for path in ("srv.git/config", "srv.git/hooks/post-receive", "x/y/z/w.git/config"):
        unchanged(box, path, "echo x >>" + path, "git init -q --bare srv.git; git init -q --bare x/y/z/w.git")
    box.clear()
    box.run(["git", "init", "-q", "a/sub"]).expect()
    for path, attack in ((".mcp.json", "echo x >a/sub/.mcp.json"), (".claude", plant("a/sub/.claude/settings.json")),
            (".github/hooks", plant("a/sub/.github/hooks/x.json"))):
        no_such_name(box, "a/sub/" + path, attack)
    remove(box, box.work + "/a/sub/.github")


@test(needs=["sandbox", "bash", "git"])
def a_new_repository_is_protected_from_the_next_run_on(box):
    box.granted("git init -q sub && echo '#' >>sub/.git/config")
    box.denied("echo '#' >>sub/.git/config")
    # --apply holds back the whole repository, since it has files that git would obey.
    result = box.run_zs("run", "--apply", "--", "git", "init", "-q", "other").expect(exit=125)
    result.expect_text("stderr", result.stderr, [NOT_APPLIED % "other/.git"])
    expect(os.path.isdir(box.work + "/other") and not os.path.exists(box.work + "/other/.git"), result)


def missed(box, path, why, cwd=None, options=(), more=""):
    result = box.run_zs("run", *options, "--", "true", cwd=cwd).expect(exit=0)
    want = "zs: git: %s: %s; a repository in it is not protected; name it \\(--protect DIR/.git\\), or run in a " \
        "smaller workspace\n%s" % (path, why, more)
    expect(re.fullmatch(want, result.stderr), "%r is not %r" % (result.stderr, want))


@test(needs=["sandbox", "bash", "git"], once=True, slow=True)
def the_search_says_where_it_ends(box):
    """ZS_GIT_FOLDERS_MAX, ZS_GIT_PACKAGES_MAX and ZS_GIT_FOUND_MAX of git_nested.h."""
    box.run(["bash", "-c", "mkdir -p x/{1..130}/{1..127}; git init -q near; git init -q x/1/1/far"]).expect()
    box.run_zs("run", "--", "bash", "-c", "echo '#' >>near/.git/config").expect(exit=1)
    missed(box, re.escape(box.work) + "/x/[0-9/]+[a-z/]*", "was not searched, after 16384 other folders")
    # The nearest repositories are found all the same, and a named one is protected.
    named = ["--protect", box.work + "/x/1/1/far/.git"]
    box.denied("echo '#' >>near/.git/config")
    box.run_zs("run", *named, "--", "bash", "-c", "echo '#' >>x/1/1/far/.git/config").expect(exit=1)
    # The search takes folders of package managers last, and they have a limit of their own.
    packages = box.folder("home/packages")
    box.run(["bash", "-c", "mkdir -p node_modules/x/{1..63}/{1..63} node_modules/a/node_modules/b; git init -q z/near; "
        "git init -q node_modules/a/node_modules/b"], cwd=packages).expect()
    box.run_zs("run", "--", "true", cwd=packages).expect(exit=0, stderr="")
    box.denied("echo '#' >>node_modules/a/node_modules/b/.git/config", cwd=packages)
    box.run(["bash", "-c", "mkdir -p node_modules/{1..70}"], cwd=packages).expect()
    missed(box, re.escape(packages) + "/node_modules/[0-9/x]+", "was not searched, after 4096 other folders",
        cwd=packages)
    box.denied("echo '#' >>z/near/.git/config", cwd=packages)
    many = box.folder("home/many")
    box.run(["bash", "-c", "mkdir -p {1..140}/.git"], cwd=many).expect()
    missed(box, re.escape(many) + "/[0-9]+", "was found after 128 other repositories", cwd=many)
    # If commits are allowed, each repository has more grants. Long names take more room in the policy.
    wide = box.folder("home/wide")
    box.run(["bash", "-c", "mkdir -p %s{1..140}/.git" % ("n" * 200)], cwd=wide).expect()
    missed(box, re.escape(wide) + "/n+[0-9]+", "was found after [0-9]{2} other repositories", wide, ["--git", "allow"],
        "zs: journal: there is no room for every protected name; .*\n")
    count = "n=0; for i in *; do (echo x >$i/.git/config) 2>/dev/null || n=$((n+1)); done; echo $n"
    box.granted(count, cwd=many, stdout="128\n")


@test(needs=["sandbox", "bash", "git"])
def a_folder_that_is_not_listed_is_named(box):
    """An earlier command may have removed the right to list the folder, to hide a repository in it."""
    if box.user.uid is None:
        return
    box.run(["bash", "-c", "git init -q x/sub; chmod 311 x"]).expect()
    missed(box, re.escape(box.work) + "/x", "cannot be listed")
    box.run(["chmod", "755", "x"]).expect()
    box.denied("echo '#' >>x/sub/.git/config")


@test(needs=["sandbox", "bash", "git", "root"])
def the_search_leaves_the_kernels_files_alone(box):
    """/proc and /sys have many folders, and not even root can list some of them."""
    box.run(["bash", "-c", "mkdir proc sys files; git init -q files/sub"]).expect()
    script = "mount -t proc none proc && mount --bind /sys sys && mount -t tmpfs none files && git init -q files/sub " \
        "&& exec \"$@\""
    outside = ["unshare", "-m", "bash", "-c", script, "bash", box.zs, "run", "--", "bash", "-c"]
    box.run([*outside, "true"], cwd=box.work).expect(stderr="")
    # Other mounts are searched.
    box.run([*outside, "echo '#' >>files/sub/.git/config"], cwd=box.work).expect(exit=1)
    box.run([*outside, "echo >>files/sub/file"], cwd=box.work).expect()


@test(needs=["sandbox", "bash"])
def a_folder_that_is_made_and_not_listed_is_moved_aside(box):
    """The watch gets no notice from such a folder, so it could not see new names in it."""
    if box.user.uid is None:
        return
    made = "mkdir -m %s .github; sleep 1; mkdir -p .github/hooks; i=0; " \
        "while test -e .github/hooks && test $i -lt 600; do sleep 0.05; i=$((i+1)); done; test ! -e .github/hooks"
    for mode in ("755", "311", "000"):
        result = box.run_zs("run", "--", "bash", "-c", made % mode).expect(exit=0)
        aside = [name for name in os.listdir(box.work) if name.startswith(".github.set-aside-")]
        expect("zs has renamed it" in result.stderr and (len(aside) == 1 or mode == "755"),
            "%s: %s %s" % (mode, aside, result))
        box.run(["bash", "-c", "chmod -R 755 .github*; rm -r .github*"]).expect()


@test(needs=["sandbox", "bash"])
def places_in_the_home_folder_are_protected_in_a_grant(box):
    """The places of zs install in the home folder are protected too, if a wider grant opens the folder around them."""
    paths = [path for path, _ in HOOK_FILES.values() if path.count("/") > 1]
    for path in paths:
        top = os.path.join(box.home, path.split("/")[0])
        whole = os.path.join(box.home, path)
        for verify in ([], ["--verify"]):
            remove(box, top)
            box.run(["mkdir", top]).expect()
            zs = ["run", *verify, "--rw", top]
            if ".config/" not in path and ".codeium/" not in path:
                # The user has granted the obeyed path itself.
                box.run_zs(*zs, "--", "bash", "-c",
                    "mkdir -p %s; echo x >%s" % (os.path.dirname(whole), whole)).expect()
                continue
            attack = "mkdir -p %s; echo x >%s" % (os.path.dirname(whole), whole)
            result = box.run_zs(*zs, "--", "bash", "-c", attack + "; echo x >%s/other" % top)
            expect(not os.path.exists(whole) and os.path.exists(top + "/other"), "%s: %s" % (path, result))
            remove(box, top)
            box.run(["bash", "-c", attack]).expect()
            box.denied("echo x >>" + whole, zs=zs)
