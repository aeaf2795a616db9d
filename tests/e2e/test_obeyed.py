"""What git, shells and agents obey is decided by one rule: mounts, watch and --apply know the same paths."""

import os
import re

from harness import REPOSITORY, Failure, main, test
from planting import no_such_name, remove
from settings_files import HOOK_FILES

NOT_APPLIED = "zs: apply: %s: not applied: "


def rows():
    """The table of sandbox/obeyed.h: of each row its path and where it counts."""
    with open(os.path.join(REPOSITORY, "sandbox/obeyed.h"), encoding="utf-8") as file:
        return re.findall(r'X\(\w+, "([^"]+)", (START|PROJECT|HOME),', file.read())


def plant(path):
    return "mkdir -p $(dirname %s); echo x >%s" % (path, path)


def not_applied(box, path, attack, prepare=None, zs=(), why=None):
    """The attack changes the path without zs, and with `run --apply` it does not. prepare(): makes the workspace."""
    whole = os.path.join(box.work, path)

    def state():
        if os.path.isdir(whole):
            return oct(os.stat(whole).st_mode)
        if not os.path.lexists(whole):
            return None
        with open(whole) as file:
            return file.read()

    def fresh():
        box.run(["bash", "-c", "shopt -s dotglob; chmod -R u+rwx .; rm -rf -- ./*"]).expect()
        if prepare:
            box.run(["bash", "-ec", prepare]).expect()
        return state()

    before = fresh()
    box.run(["bash", "-c", attack]).expect()
    if state() == before:
        raise Failure("control: %s is not changed" % path)
    if fresh() != before:
        raise Failure("%s is not as it was" % path)
    result = box.run_zs("run", "--apply", *zs, "--", "bash", "-c", attack + "; echo x >other").expect()
    if state() != before or not os.path.exists(box.work + "/other"):
        raise Failure("%s: %s" % (path, result))
    result.expect_text("stderr", result.stderr, [why or NOT_APPLIED % path])


@test(needs=["sandbox", "bash"])
def every_place_of_install_is_obeyed(box):
    """Where zs installs a hook no run changes it, puts it there, or brings it by --apply."""
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
            if result.exit == 0 or not os.path.getsize(os.path.join(box.work, path)):
                raise Failure("%s: %s" % (attack, result))
        not_applied(box, path, "echo x >>" + path, plant(path))
        remove(box, os.path.join(box.work, row.split("/")[0]))


@test(needs=["sandbox", "bash"])
def each_row_is_protected_and_held_back(box):
    for path, where in rows():
        if where == "HOME":
            continue
        # As a file, and as a folder: agents take some of them as either.
        no_such_name(box, path, plant(path))
        remove(box, os.path.join(box.work, path.split("/")[0]))
        not_applied(box, path + "/x", plant(path + "/x"), why="zs: apply: %s" % path)
        not_applied(box, path, "echo y >>" + path, plant(path))
        if where == "PROJECT":
            not_applied(box, "any/depth/" + path, plant("any/depth/" + path))
    # What agents edit as work, and what only looks alike, is theirs to write.
    work = "AGENTS.md CLAUDE.md .github/workflows/a.yml .vscode/launch.json .claudex opencode.json5 sub/.bashrc"
    for zs in (["run"], ["run", "--apply"]):
        box.granted("; ".join(plant(path) for path in work.split()), zs=zs)
        for path in work.split():
            if not os.path.exists(os.path.join(box.work, path)):
                raise Failure("%s: %s is not there" % (zs, path))
            remove(box, os.path.join(box.work, path.split("/")[0]))


@test(needs=["sandbox", "bash"])
def a_link_on_the_way_stays(box):
    """A row of two names: the first one is not to become a link to where the second one can be written."""
    not_applied(box, ".vscode/tasks.json", "mkdir x; echo x >x/tasks.json; ln -s x .vscode", why=NOT_APPLIED % ".vscode")
    prepare = "mkdir x; echo a >x/tasks.json; ln -s x .vscode"
    for attack in ("echo b >x/tasks.json", "echo b >.vscode/tasks.json", "rm x/tasks.json; echo b >x/tasks.json",
            "rm .vscode; mkdir .vscode; echo b >.vscode/tasks.json"):
        box.run(["bash", "-c", "shopt -s dotglob; rm -rf -- ./*; " + prepare]).expect()
        box.run(["bash", "-ec", attack]).expect()
        with open(box.work + "/.vscode/tasks.json") as file:
            if file.read() != "b\n":
                raise Failure("control: %s" % attack)
        box.run(["bash", "-c", "shopt -s dotglob; rm -rf -- ./*; " + prepare]).expect()
        result = box.run_zs("run", "--", "bash", "-c", attack)
        with open(box.work + "/.vscode/tasks.json") as file:
            if file.read() != "a\n":
                raise Failure("%s: %s" % (attack, result))


GIT_REPOSITORY = "git init -q; git -c user.name=n -c user.email=e@x commit -qm one --allow-empty"


@test(needs=["sandbox", "bash", "git"])
def what_git_obeys_is_held_back(box):
    for path, attack in ((".git/info/attributes", "mkdir -p .git/info; echo '* filter=x' >.git/info/attributes"),
            (".git", "chmod 777 .git"), (".git/hooks", "chmod 777 .git/hooks"),
            (".git/worktrees/x/gitdir", "mkdir -p .git/worktrees/x; echo /x >.git/worktrees/x/gitdir"),
            (".git/config", "echo '#' >>.git/config"), (".git/modules/x/config", plant(".git/modules/x/config"))):
        for zs in ((), ("--git", "allow")):
            not_applied(box, path, attack, GIT_REPOSITORY, zs)


if __name__ == "__main__":
    main()
