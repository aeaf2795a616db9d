"""A command must not change the programs that git's configuration names, so that the user's next git runs no program of
the command.

Each row has a workspace, and the file that a command changes in it. The control: without zs the user's real git then
runs the command's program.
"""

import os

from harness import expect, test

COMMIT = "git commit -q --allow-empty -m x"
HOOK = ".githooks/pre-commit"
LISTED = "mkdir -p .githooks; printf '#!/bin/sh\\n' >.githooks/pre-commit; chmod +x .githooks/pre-commit; "


def config(text):
    """Appends to the repository's configuration."""
    return "printf '%s' >>.git/config; " % text.replace("\\", "\\\\").replace("%", "%%").replace("\n", "\\n").replace(
        "\t", "\\t").replace("\r", "\\r").replace("\ufeff", "\\357\\273\\277").replace("'", "'\\''")


def hooks_path(value, section="[core]\n\thooksPath = "):
    return LISTED + config(section + value + "\n")


# Spellings of core.hooksPath, relative to the place of the configuration. WS stands for the workspace.
HOOKS_PATHS = {
    "relative": hooks_path(".githooks"),
    "absolute": hooks_path("WS/.githooks"),
    "two slashes": hooks_path("//WS/.githooks"),
    "tilde": hooks_path("~/work/.githooks"),
    "tilde and user": hooks_path("~daemon/../..WS/.githooks"),
    "prefix": hooks_path("%(prefix)/../../../..WS/.githooks"),
    "same line": hooks_path(".githooks", "[core]hooksPath="),
    "case": hooks_path(".githooks", "[CORE]\n\tHOOKSPATH = "),
    "quotes": hooks_path('".git"hooks'),
    "continuation": hooks_path(".git\\\nhooks"),
    "comment": hooks_path(".githooks # y", "[core] ; x\n\thooksPath = "),
    "CRLF": hooks_path(".githooks\r", "[core]\r\n\thooksPath = "),
    "dots": "mkdir x; " + hooks_path("./x/../.githooks/."),
    "the last one": hooks_path("other\n\thooksPath = .githooks"),
    "byte order mark": LISTED + "printf '\\357\\273\\277[core]\\n\\thooksPath = .githooks\\n' >.git/config; ",
    "worktree": LISTED + "git config extensions.worktreeConfig true; git config --worktree core.hooksPath .githooks; ",
    "include": LISTED + "git config include.path ../x.conf; printf '[core]\\nhooksPath = .githooks\\n' >x.conf; ",
    "include of an include": LISTED + "git config include.path ../x; printf '[include]\\npath = y\\n' >x; " +
        "printf '[core]\\nhooksPath = .githooks\\n' >y; ",
    "condition": LISTED + "git config includeIf.gitdir:**.path ../x; printf '[core]\\nhooksPath = .githooks\\n' >x; ",
    "the user's": LISTED + "printf '[core]\\nhooksPath = .githooks\\n' >>~/.gitconfig; ",
    "the user's other file": LISTED + "mkdir -p ~/.config/git; " +
        "printf '[core]\\nhooksPath = .githooks\\n' >~/.config/git/config; ",
}

# name: (how the workspace is made, the file that the command writes, the user's git command)
PROGRAMS = {
    "an included file": ("git config include.path ../x.conf; echo >x.conf; ", "x.conf", "git status"),
    "a file that an included one includes": (
        "git config include.path ../x; printf '[include]\\npath = x.conf\\n' >x; echo >x.conf; ", "x.conf",
        "git status"),
    "one that the user's includes": (
        "printf '[include]\\npath = WS/x.conf\\n' >>~/.gitconfig; echo >x.conf; ", "x.conf", "git status"),
    "the user's, a link to here": ("mv ~/.gitconfig x.conf; ln -s WS/x.conf ~/.gitconfig; ", "x.conf", "git status"),
    "hook that is a link": ("mkdir s; echo >s/h; ln -s ../../s/h .git/hooks/pre-commit; ", "s/h", COMMIT),
    "hooks that are a link": (LISTED + "rm -r .git/hooks; ln -s ../.githooks .git/hooks; ", HOOK, COMMIT),
    "hooks at the top": ("git config core.hooksPath WS; ", "pre-commit", COMMIT),
    "Husky": ("mkdir -p .husky/_; git config core.hooksPath .husky/_; echo >.husky/pre-commit; "
        "printf '#!/bin/sh\\nexec .husky/pre-commit' >.husky/_/pre-commit; chmod +x .husky/_/pre-commit; ",
        ".husky/pre-commit", COMMIT),
    "core.fsmonitor": ("git config core.fsmonitor ./f.sh; ", "f.sh", "git status"),
    "absolute": ("echo >f.sh; git config core.fsmonitor WS/f.sh; ", "f.sh", "git status"),
    "core.editor": ("git config core.editor 'sh e.sh'; echo >e.sh; ", "e.sh", "git commit --allow-empty"),
    "sequence.editor": ("git config sequence.editor tools/e.sh; ", "tools/e.sh", "git rebase -i HEAD"),
    "core.sshCommand": ("git config core.sshCommand ./s; ", "s", "git ls-remote ssh://x.invalid/x"),
    "diff.external": ("git config diff.external ./d; echo b >a; ", "d", "git diff"),
    "diff.x.command": ("git config diff.x.command ./d; echo 'a diff=x' >.gitattributes; echo b >a; ", "d", "git diff"),
    "diff.x.textconv": ("git config diff.x.textconv ./d; echo 'a diff=x' >.gitattributes; echo b >a; ", "d",
        "git diff"),
    "filter.x.clean": ("git config filter.x.clean './d %f'; echo 'a filter=x' >.gitattributes; echo b >a; ", "d",
        "git add a"),
    "credential.helper": ("git config credential.helper '!f() { ./c; }; f'; ", "c",
        "echo url=https://x.invalid | GIT_TERMINAL_PROMPT=0 git credential fill"),
    "gpg.program": ("git config gpg.program ./g; git config user.signingKey x; ", "g", COMMIT + " -S"),
    "alias": ("git config alias.x '!./x.sh'; ", "x.sh", "git x"),
    "alias, behind cd": ("mkdir d; git config alias.x '!cd d && ./x.sh'; ", "d/x.sh", "git x"),
    "alias, in the top folder": ("git config alias.x '!\"$(git rev-parse --show-toplevel)\"/x.sh'; ", "x.sh", "git x"),
    "alias of the user's": ("git config --global alias.x '!sh -c \"./x.sh\"'; ", "x.sh", "git x"),
    "difftool.x.cmd": ("git config difftool.x.cmd './d \"$LOCAL\"'; echo b >a; ", "d", "git difftool -y -t x"),
    "trailer.x.cmd": ("git config trailer.x.cmd ./t; git config trailer.x.ifexists add; ", "t",
        "git interpret-trailers --trailer x=y </dev/null"),
    "tar.x.command": ("git config tar.x.command ./t; ", "t", "git archive --format=x HEAD"),
    "remote.x.uploadpack": ("git config remote.x.url WS; git config remote.x.uploadpack ./u; ", "u", "git ls-remote x"),
    "a transport": ("git config protocol.ext.allow always; git config remote.x.url 'ext::sh ./u'; ", "u",
        "git ls-remote x"),
    "init.templateDir": ("mkdir -p t/hooks; git config --global init.templateDir WS/t; ", "t/hooks/pre-commit",
        "git init -q ../new && cd ../new && " + COMMIT),
}


class World:
    """The workspace of a box, which is made anew for each attack, and a mark that the command's program leaves."""

    def __init__(self, box):
        self.box = box
        self.home = os.path.dirname(box.work)
        self.mark = os.path.join(box.outside, "mark")
        self.env = {"HOME": os.path.join(box.outside, "home"), "GIT_CONFIG_NOSYSTEM": "1"}
        self.template = os.path.join(box.outside, "template")
        self.shell("mkdir %s; cd %s; git init -q .; echo a >a; git add a; %s" % (self.template, self.template, COMMIT),
            fresh=False).expect()

    def shell(self, script, fresh=True, zs=None, workspace=None):
        script = script.replace("WS", self.box.work)
        start = 'mkdir -p "$HOME"; printf "[user]\\nname = n\\nemail = e@x\\n" >~/.gitconfig; '
        if fresh:
            self.box.run(["bash", "-c", 'chmod -R u+rwx . "$HOME" 2>/dev/null; shopt -s dotglob; rm -rf -- ./* "$HOME" '
                "../new %s; mkdir -p %s" % (self.mark, self.env["HOME"])], add_env=self.env).expect()
            self.box.run(["sh", "-c", start + "cp -a %s/. .; ln -sfn %s ~/work" % (self.template, self.box.work)],
                add_env=self.env).expect()
        elif not zs and not os.path.exists(self.env["HOME"]):
            script = start + script
        argv = ["bash", "-c", script]
        if zs:
            return self.box.run_zs(*zs, "--", *argv, add_env=self.env, cwd=workspace)
        return self.box.run(argv, add_env=self.env, cwd=workspace)

    def runs(self, make, path, call, zs, workspace=None):
        """Does the user's git run the program that the command has left at path? Also returns the command's result."""
        self.shell(make).expect()
        # A .conf file gets configuration, any other file a program.
        attack = "mkdir -p $(dirname {0}); printf '{1}' >{0}; chmod +x {0}".format(path,
            "[core]\\nfsmonitor = \"touch %s\"\\n" % self.mark if path.endswith(".conf") else
            "#!/bin/sh\\ntouch %s\\n" % self.mark)
        result = self.shell(attack, fresh=False, zs=zs, workspace=workspace)
        self.shell(call, fresh=False)
        return os.path.exists(self.mark), result

    def is_held(self, name, make, path, call, modes, workspace=None):
        """path: relative to the repository's top, which is the workspace unless `workspace` is given."""
        ran, result = self.runs(make, path, call, None, workspace)
        expect(ran, "control: %s: git does not run it: %s" % (name, result))
        for zs in modes:
            ran, result = self.runs(make, path, call, zs, workspace)
            # A file with a name that was missing is not refused: the watch moves it aside.
            expect(not ran and (result.exit != 0 or "zs has renamed it" in result.stderr),
                "%s: %s: git has run the command's program: %s" % (name, zs, result))


MODES = (["run"], ["run", "--git", "allow"])


@test(needs=["sandbox", "bash", "git"])
def a_hooks_folder_is_protected_however_it_is_spelled(box):
    world = World(box)
    for name, make in HOOKS_PATHS.items():
        world.is_held(name, make, HOOK, COMMIT, MODES if name == "relative" else MODES[:1])


@test(needs=["sandbox", "bash", "git"], slow=True)
def programs_of_gits_configuration_are_protected(box):
    world = World(box)
    for name, (make, path, call) in PROGRAMS.items():
        world.is_held(name, make, path, call, MODES if "hook" in name else MODES[1:])


# name: (the user's environment, how the workspace is made, the file that the command writes, the user's git command)
VARIABLES = {
    "GIT_EXTERNAL_DIFF": ({"GIT_EXTERNAL_DIFF": "./d"}, "echo >d; echo b >a; ", "d", "git diff"),
    "GIT_EDITOR": ({"GIT_EDITOR": "sh tools/e"}, "mkdir tools; echo >tools/e; ", "tools/e", "git commit --allow-empty"),
    "EDITOR": ({"EDITOR": "WS/e"}, "echo >e; ", "e", "git commit --allow-empty"),
    "VISUAL": ({"VISUAL": "WS/e", "TERM": "xterm"}, "echo >e; ", "e", "git commit --allow-empty"),
    "GIT_PAGER": ({"GIT_PAGER": "./p"}, "echo >p; ", "p", "git grep -O a"),
    "PAGER": ({"PAGER": "WS/p"}, "echo >p; ", "p", "git grep -O a"),
    "GIT_SEQUENCE_EDITOR": ({"GIT_SEQUENCE_EDITOR": "./e"}, "echo >e; ", "e", "git rebase -i --root"),
    "GIT_SSH": ({"GIT_SSH": "./s"}, "echo >s; ", "s", "git ls-remote ssh://x.invalid/x"),
    "GIT_SSH_COMMAND": ({"GIT_SSH_COMMAND": "sh ./s"}, "echo >s; ", "s", "git ls-remote ssh://x.invalid/x"),
    "GIT_PROXY_COMMAND": ({"GIT_PROXY_COMMAND": "./p"}, "echo >p; ", "p", "git ls-remote git://x.invalid/x"),
    "GIT_ASKPASS": ({"GIT_ASKPASS": "./p"}, "echo >p; ", "p", "echo url=https://x.invalid | git credential fill"),
    "SSH_ASKPASS": ({"SSH_ASKPASS": "./p"}, "echo >p; ", "p", "echo url=https://x.invalid | git credential fill"),
    "GIT_TEMPLATE_DIR": ({"GIT_TEMPLATE_DIR": "WS/t"}, "mkdir -p t/hooks; ", "t/hooks/pre-commit",
        "git init -q ../new && cd ../new && " + COMMIT),
    "GIT_EXEC_PATH": ({"GIT_EXEC_PATH": "WS/x"}, "mkdir x; ", "x/git-remote-x", "git ls-remote x::y"),
    "GIT_CONFIG_COUNT": ({"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "Core.fsMonitor", "GIT_CONFIG_VALUE_0": "./f"},
        "echo >f; ", "f", "git status"),
    "GIT_CONFIG_PARAMETERS": ({"GIT_CONFIG_PARAMETERS": "'core.fsmonitor'='./f'"}, "echo >f; ", "f", "git status"),
    "GIT_CONFIG_PARAMETERS of before": ({"GIT_CONFIG_PARAMETERS": "'a.b=c' 'core.fsmonitor=./f'"}, "echo >f; ", "f",
        "git status"),
    "an include": ({"GIT_CONFIG_PARAMETERS": "'include.path'='WS/x.conf'"}, "echo >x.conf; ", "x.conf", "git status"),
}


@test(needs=["sandbox", "bash", "git"])
def programs_of_the_users_environment_are_protected(box):
    world = World(box)
    own = world.env
    for name, (variables, make, path, call) in VARIABLES.items():
        world.env = {**own, **{key: value.replace("WS", box.work) for key, value in variables.items()}}
        # Git must make the workspace without these variables.
        make = "unset %s; %s" % (" ".join(variables), make)
        world.is_held(name, make, path, call, (["run"],))


@test(needs=["sandbox", "bash", "git"])
def programs_are_protected_where_no_repository_is(box):
    """Git runs these programs in any folder, to clone or to ask another machine."""
    world = World(box)
    own = world.env
    for variables, setting in (({"GIT_SSH": "./s"}, "true"), ({"GIT_SSH": "WS/s"}, "true"),
            ({}, "git config --global core.sshCommand WS/s")):
        world.env = {**own, **{key: value.replace("WS", box.work) for key, value in variables.items()}}
        world.is_held(str((variables, setting)), "rm -rf .git; echo >s; %s; " % setting, "s",
            "git ls-remote ssh://x.invalid/x", (["run"],))


@test(needs=["sandbox", "bash", "git"])
def programs_of_variables_that_git_may_learn_are_protected(box):
    """Today's git does not read all of these variables. Their names are like those of variables that it does read."""
    write = "echo x >p"
    box.run(["git", "init", "-q", "."]).expect()
    for ending in ("COMMAND", "EDITOR", "PAGER", "ASKPASS", "PROGRAM", "BROWSER", "HELPER", "HOOK"):
        box.file("home/project/p")
        for name, exit in (("FROB_" + ending, 0), ("GIT_FROB_" + ending, 1)):
            box.run_zs("run", "--", "bash", "-c", write, add_env={name: "./p"}).expect(exit=exit)


@test(needs=["sandbox", "bash", "git"])
def other_files_stay_the_commands(box):
    """A path that git's configuration only mentions is not protected: folders, revisions, names of programs."""
    world = World(box)
    world.shell("git config alias.l 'log origin/main -- a'; git config alias.p '!git push origin main'; "
        "git config core.editor vim; git config alias.c '!cd src && make'; mkdir src; echo >main; git config "
        "remote.origin.url https://x.invalid/src/x; git config core.attributesFile attributes; ").expect()
    world.shell("echo b >main; echo b >src/x; echo b >vim; echo b >a; echo b >attributes; mkdir origin; "
        "echo >origin/main", fresh=False, zs=["run"]).expect(exit=0)
    # A grant of exactly the protected path lifts its protection.
    world.shell(hooks_path(".githooks")).expect()
    world.shell("echo b >.githooks/x", fresh=False, zs=["run", "--rw", box.work + "/.githooks"]).expect(exit=0)


@test(needs=["sandbox", "bash", "git"])
def a_configuration_that_git_cannot_read_ends_the_run(box):
    world = World(box)
    for make, path, line, says in (
            ("echo '[core' >>.git/config", box.work + "/.git/config", None, "git cannot read this line"),
            ("printf '[a]\\nb = \"c\\n' >.git/config", box.work + "/.git/config", 2, "git cannot read this line"),
            ("printf '[include]\\npath = x\\n' >.git/config; echo '<<<<<<<' >.git/x", box.work + "/.git/x", 1,
                "git cannot read this line"),
            ("printf 'a\\n[b' >~/.gitconfig", world.env["HOME"] + "/.gitconfig", 3, "git cannot read this line"),
            ("printf '[core]\\nhooksPath = ~nobody-there/x\\n' >.git/config", box.work + "/.git/config", 2,
                "names the home folder of a user who does not exist")):
        world.shell(make).expect()
        result = world.shell("true", fresh=False, zs=["run"]).expect(exit=125)
        at = "line %d: " % line if line else "line "
        result.expect_text("stderr", result.stderr, ["zs: git: %s: %s" % (path, at), says,
            "mend the line, or remove the file"])
        # The real git refuses the configuration, too.
        expect(world.shell("git config core.hooksPath; git rev-parse --git-path hooks", fresh=False).exit != 0,
            "control: git takes it: %s" % make)
    world.shell("for i in 0 1 2 3 4 5 6 7 8 9 10 11; do git config -f .git/$i include.path $((i + 1)); done; "
        "git config include.path 0").expect()
    result = world.shell("true", fresh=False, zs=["run"]).expect(exit=125)
    result.expect_text("stderr", result.stderr, ["include each other more than 10 deep"])
    expect(world.shell("git status", fresh=False).exit != 0, "control: git takes it")


@test(needs=["sandbox", "bash", "git"])
def limits_of_the_reader_refuse(box):
    """BASES_MAX of git_obeyed.c, DEPTH_MAX of git_command.c."""
    world = World(box)
    trees = "for i in {1..%d}; do mkdir w$i; git config --add core.worktree $PWD/w$i; done"
    world.shell(trees % 14).expect()
    world.shell("true", fresh=False, zs=["run"]).expect()
    world.shell(trees % 15).expect()
    result = world.shell("true", fresh=False, zs=["run"]).expect(exit=125)
    result.expect_text("stderr", result.stderr, ["names more than 14 work trees"])
    world.shell("git config alias.x '!$(a $(b $(c $(d $(./e)))))'").expect()
    result = world.shell("true", fresh=False, zs=["run"]).expect(exit=125)
    result.expect_text("stderr", result.stderr, ["other commands too deep"])


@test(needs=["sandbox", "bash", "git"])
def worktrees_and_bare_repositories_obey_it_too(box):
    world = World(box)
    linked = "git worktree add -q wt 2>/dev/null; mkdir wt/.githooks; git config core.hooksPath .githooks; "
    world.is_held("linked", linked, "wt/.githooks/pre-commit", "cd wt; " + COMMIT, MODES)
    own = "git worktree add -q wt 2>/dev/null; git config extensions.worktreeConfig true; mkdir wt/h; " \
        "git -C wt config --worktree core.hooksPath h; "
    world.is_held("its own", own, "wt/h/pre-commit", "cd wt; " + COMMIT, MODES)
    bare = "shopt -s dotglob; rm -r *; git init -q --bare .; git config core.hooksPath h; mkdir h; "
    world.is_held("bare", bare, "h/reference-transaction",
        "git commit-tree -m x $(git hash-object -wt tree /dev/null) | xargs git update-ref refs/heads/x", MODES)


@test(needs=["sandbox", "bash", "git"])
def a_repository_around_the_workspace_is_obeyed_too(box):
    world = World(box)
    for name, make, path in (("hooks", "git config core.hooksPath sub/h; ", "h/pre-commit"),
            ("a link", "ln -s ../../sub/h .git/hooks/pre-commit; ", "h")):
        world.is_held(name, "mkdir sub; " + make, path, COMMIT, MODES, box.work + "/sub")
