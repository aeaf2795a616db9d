"""The workspace in a repository, and the folder in which a command starts."""

import os

from harness import expect, test


def repository(box, folder="project"):
    """A repository with a commit; returns its subfolder, which is the workspace."""
    top = os.path.join(box.home, folder)
    box.folder("home/%s/sub" % folder)
    box.file("home/%s/README" % folder, "top\n")
    box.file("home/%s/sub/file" % folder, "one\n")
    for argv in (["init", "-q"], ["config", "user.email", "a@example"], ["config", "user.name", "a"], ["add", "-A"],
            ["commit", "-qm", "first"]):
        box.run(["git", *argv], cwd=top).expect(exit=0)
    return top + "/sub"


@test(needs=["sandbox", "git"])
def the_repository_around_the_workspace_is_read(box):
    sub = repository(box)
    script = "git status --short && git log --format=%s && cat ../README"
    box.run_zs("run", "--", "sh", "-c", script, cwd=sub).expect(exit=0, stdout="first\ntop\n")
    box.run_zs("bash", "--profile", "verify", "-c", "git log --format=%s", cwd=sub).expect(exit=0, stdout="first\n")


@test(needs=["sandbox", "git"])
def the_repository_around_the_workspace_is_not_written(box):
    sub = repository(box)
    for attack in ("echo x >>../README", "echo x >../new", "rm ../README", "echo x >../.git/hooks/pre-commit",
            "git config x.y z", "git commit -q --allow-empty -m second"):
        expect(box.run_zs("run", "--", "sh", "-c", attack, cwd=sub).exit != 0, attack)
        expect(box.run(["git", "status", "--short"], cwd=sub).stdout == "", attack)
    for control in ("echo x >>../README", "git commit -q --allow-empty -m second"):
        box.run(["sh", "-c", control], cwd=sub).expect(exit=0)


@test(needs=["sandbox", "git"])
def git_allow_commits_in_the_repository_around_the_workspace(box):
    sub = repository(box)
    script = "echo two >file && git commit -qam second && git log -1 --format=%s"
    box.run_zs("run", "--git", "allow", "--", "sh", "-c", script, cwd=sub).expect(exit=0, stdout="second\n")
    for attack in ("echo x >../.git/hooks/pre-commit", "git config x.y z", "echo x >../README"):
        result = box.run_zs("run", "--git", "allow", "--", "sh", "-c", attack, cwd=sub)
        expect(result.exit != 0, attack)
    expect(not os.path.exists(sub + "/../.git/hooks/pre-commit"), "a hook was written")


@test(needs=["sandbox", "git"])
def a_repository_that_holds_keys_is_not_read(box):
    """The home folder as a repository, and a repository of configuration with credentials in it. The control: without
    them the same file is read."""
    box.folder("home/.config/gh")
    for folder, hidden in ((".", True), (".config", True), ("other", False)):
        top = os.path.normpath(os.path.join(box.home, folder))
        sub = repository(box, folder)
        result = box.run_zs("run", "--", "cat", "../README", cwd=sub)
        expect((result.stdout == "") == hidden, "%s: %r" % (folder, result.stdout))
        box.run(["rm", "-rf", top + "/.git"]).expect(exit=0)


@test(needs=["sandbox", "git", "root"])
def root_reads_no_repository_that_another_user_put_around_its_folder(box):
    """The control: root's own repository is read."""
    sub = repository(box)
    for owner, shown in ((0, "top\n"), (65534, "")):
        os.chown(sub + "/../.git", owner, owner)
        result = box.run_zs("run", "--", "sh", "-c", "cat ../README; true", cwd=sub)
        expect(result.stdout == shown, "%d: %s" % (owner, result))


@test(needs=["sandbox"])
def a_command_starts_where_chdir_says(box):
    box.folder("home/project/a/b")
    for options, place in ((["--chdir", "a"], "a"), (["--workspace", box.work + "/a", "--chdir", "b"], "a/b"),
            (["--workspace", box.work, "--chdir", box.work + "/a"], "a"), (["--workspace", "a"], ".")):
        for dry in ([], ["--diff"]):
            box.run_zs("run", *options, *dry, "--", "pwd").expect(
                exit=0, stdout=os.path.normpath(os.path.join(box.work, place)) + "\n")
    box.run_zs("run", "--chdir", "none", "--", "pwd").expect(exit=125, stderr=["--chdir: none"])
    box.file("outside/file")
    box.run_zs("run", "--chdir", box.outside, "--", "ls").expect(exit=0, stdout="")
    box.run_zs("run", "--chdir", "a", "--ro", "a/b", "--", "pwd").expect(exit=0)
