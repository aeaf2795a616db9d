"""A protected or hidden place that a program outside replaces while a command runs: the kernel takes the mount away.
These runs are too young for a log, or the log could not vouch for the new file; test_user_changes.py has the others."""

import contextlib
import ctypes
import os
import re
import subprocess
import time

from harness import TIMEOUT, Failure, expect, read, test

AT_FDCWD, RENAME_EXCHANGE = -100, 2


def exchange(one, other):
    if ctypes.CDLL(None, use_errno=True).renameat2(AT_FDCWD, one.encode(), AT_FDCWD, other.encode(),
        RENAME_EXCHANGE) < 0:
        raise Failure("renameat2: %s" % os.strerror(ctypes.get_errno()))


class Run:
    """A command that prints "up", waits while the test acts outside, and then runs `inside`."""

    def __init__(self, box, zs, inside, cwd=None):
        script = "echo up; read x; %s" % inside
        self.process = subprocess.Popen([box.zs, *zs, "--", "bash", "-c", script], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=cwd or box.work, env=box.env,
            **box.user.spawn_options())
        if self.process.stdout.readline() != "up\n":
            self.process.kill()
            raise Failure("zs did not start it: %s" % self.process.stderr.read())

    def ends(self, seconds=TIMEOUT / 2):
        try:
            self.process.wait(seconds)
            return True
        except subprocess.TimeoutExpired:
            return False

    def finish(self):
        """Lets the command go on, if it still runs. Returns exit code and output."""
        try:
            out, err = self.process.communicate("\n", timeout=TIMEOUT)
        finally:
            self.process.kill()
        return self.process.returncode, out, err


def is_ended(box, inside, outside, path, step="protect", zs=("run",)):
    run = Run(box, zs, inside + " && echo harmed")
    outside()
    ended = run.ends()
    exit, out, err = run.finish()
    expect(out == "" and ended, "%s: %s: it went on: exit %d, %r, %r" % (path, inside, exit, out, err))
    expect(exit == 122 and re.fullmatch(r"zs: %s: %s: a program outside has .*\n" % (step, re.escape(path)), err),
        "%s: exit %d, %r" % (path, exit, err))


def replaced(box, path, text="new\n"):
    """Saves a file as git and many editors do: renames another file over it."""
    def act():
        new = os.path.join(box.outside, "new")
        with open(new, "w") as file:
            file.write(text)
        box.own(new)
        os.rename(new, path)

    return act


def moved_away(box, path):
    """Saves a file as other editors do: renames the old file to the backup, and makes a new one."""
    def act():
        os.rename(path, path + "~")
        if not os.path.isdir(path + "~"):
            box.file(path, "new\n")
        else:
            os.mkdir(path)
            box.own(path)

    return act


def repository(box, folder):
    box.run(["git", "init", "-q", folder]).expect()


@test(needs=["sandbox", "bash"])
def a_protected_file(box):
    path = box.work + "/.bashrc"
    for outside in (replaced(box, path), moved_away(box, path), lambda: os.unlink(path),
        lambda: exchange(path, box.file("home/project/other"))):
        box.file("home/project/.bashrc", "mine\n")
        is_ended(box, "echo evil >>.bashrc", outside, path)
    box.file("home/project/.bashrc", "mine\n")
    box.denied("echo evil >>.bashrc")


@test(needs=["sandbox", "bash"])
def a_hidden_file(box):
    path = box.work + "/.env"
    zs = ("run", "--hide", path)
    for outside in (replaced(box, path, "secret\n"), moved_away(box, path), lambda: exchange(path, other)):
        box.file("home/project/.env", "secret\n")
        other = box.file("home/project/other", "secret\n")
        is_ended(box, "cat .env", outside, path, "hide", zs)
    # The same in a read-only tree, and for the folders on the way to the file.
    path = box.file("home/conf/a/b/token", "secret\n")
    zs = ("run", "--ro", box.home + "/conf", "--hide", path)

    def another_folder():
        os.rename(box.home + "/conf/a", box.home + "/conf/x")
        box.file("home/conf/a/b/token", "secret\n")

    is_ended(box, "cat %s | grep ." % path, replaced(box, path), path, "hide", zs)
    is_ended(box, "cat %s | grep ." % path, another_folder, box.home + "/conf/a", zs=zs)


@test(needs=["sandbox", "bash", "git"])
def git_configuration_and_folders(box):
    repository(box, box.work)
    config, hooks = box.work + "/.git/config", box.work + "/.git/hooks"
    allow = ("run", "--git", "allow")
    git_config = lambda: box.run(["git", "-c", "safe.directory=*", "config", "x.y", "z"]).expect()
    is_ended(box, "echo x >>.git/config", git_config, config, zs=allow)
    is_ended(box, "echo x >.git/hooks/pre-commit", moved_away(box, hooks), hooks, zs=allow)
    # If all of .git is protected, changes from outside within it do not end the run.
    run = Run(box, ("run",), "! echo x >>.git/config && echo fine")
    git_config()
    expect(not run.ends(0.3) and run.finish()[:2] == (0, "fine\n"), "it was ended, or could write")
    is_ended(box, "echo x >.git/config", moved_away(box, box.work + "/.git"), box.work + "/.git")


@test(needs=["sandbox", "bash", "git"])
def a_folder_around_another_repository(box):
    box.folder("home/project/a/b")
    repository(box, box.work + "/a/b")

    def outside():
        os.rename(box.work + "/a", box.work + "/x")

    is_ended(box, "mkdir -p a/b/.git && echo x >a/b/.git/config", outside, box.work + "/a")


@test(needs=["sandbox", "bash"])
def nothing_of_the_run_is_left(box):
    """This includes a process that left the command long ago, and a command that ignores signals."""
    path = box.file("home/project/.bashrc", "mine\n")
    run = Run(box, ("run",), "trap '' TERM HUP; (setsid sh -c 'while :; do echo evil >>.bashrc; sleep 0.01; done' "
        ">/dev/null 2>&1 &); echo in background; sleep 60")
    run.process.stdin.write("\n")
    run.process.stdin.flush()
    expect(run.process.stdout.readline() == "in background\n", "it did not get there")
    replaced(box, path)()
    if not run.ends():
        raise Failure("it goes on: %r" % (run.finish(),))
    before = read(path)
    time.sleep(0.2)
    expect(read(path) == before, "something is still writing")
    run.finish()


@test(needs=["sandbox", "bash"])
def what_is_no_harm_ends_nothing(box):
    """A save in place and changes to other files end no run. Neither do the command's own refused attempts."""
    path = box.file("home/project/.bashrc", "mine\n")
    hidden = box.file("home/project/.env", "secret\n")

    def outside():
        for name in (path, hidden):
            with open(name, "a") as file:
                file.write("more\n")
            os.chmod(name, 0o600)
            os.utime(name)
        replaced(box, box.file("home/project/other"))()
        os.unlink(box.work + "/other")

    kept = box.file("home/project/a/b/kept")
    inside = ("chmod 0 a; mkdir x; rmdir x; chmod 0 a; "
        "for i in 1 2 3; do rm -f .bashrc; mv .bashrc x; echo >x; mv x .bashrc; ln -f x .env; rm x; done 2>/dev/null; "
        "chmod 0 .; mkdir ../x 2>/dev/null; sleep 0.1; chmod 755 $PWD; chmod 755 a; "
        "! echo >a/b/kept && ! echo x >>.bashrc && ! cat .env && echo fine")
    run = Run(box, ("run", "--hide", hidden, "--protect", kept), inside)
    outside()
    ended = run.ends(0.3)
    exit, out, err = run.finish()
    expect(not ended and exit == 0 and out == "fine\n", "ended %s, exit %d, %r, %r" % (ended, exit, out, err))


@test(needs=["sandbox", "bash"])
def what_is_gone_again_ends_nothing(box):
    """A protected name that is made outside and removed at once is moved aside, or not seen. If the run ends, zs says
    why."""
    path = box.work + "/.mcp.json"
    for _ in range(40):
        run = Run(box, ("run",), "true")
        until = time.monotonic() + 0.1
        while run.process.poll() is None and time.monotonic() < until:
            with open(path, "w"):
                pass
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)
        exit, _, err = run.finish()
        expect(exit == 0 or "again and again" in err, "exit %d, %r" % (exit, err))


@test(needs=["sandbox", "bash"])
def a_folder_that_cannot_be_listed(box):
    """zs would get no notice of changes in it."""
    folder = box.folder("home/project/shut")
    path = box.file("home/project/shut/key", "secret\n")
    if os.geteuid() == 0:
        os.chown(folder, 0, 0)
    os.chmod(folder, 0o311)
    zs = ("run", "--hide", path)
    if box.user.is_root or os.geteuid() != 0:
        is_ended(box, "cat shut/key", replaced(box, path), path, "hide", zs)
    else:
        box.run_zs(*zs, "--", "true").expect(exit=125, stderr=["%s: " % path, "hide or protect the folder itself"])
        box.run_zs("run", "--hide", folder, "--", "true").expect()


@test(needs=["sandbox"])
def more_folders_than_descriptors(box):
    for number in range(20):
        box.folder("home/project/%d/a/b/.git" % number)
    for limit, exit in ((48, 125), (256, 0)):
        result = box.run(["sh", "-c", 'ulimit -n %d; exec "$0" run -- true' % limit, box.zs])
        result.expect(exit=exit, stderr=re.compile("no file descriptors.*ulimit -n 1024" if exit else "^$", re.I))


@test(needs=["sandbox", "bash"])
def a_trial_run_does_not_see_it(box):
    """In a dry run protected and hidden paths are mounted on the overlay, which no program outside can reach."""
    path = box.file("home/project/.bashrc", "mine\n")
    hidden = box.file("home/project/.env", "secret\n")
    run = Run(box, ("run", "--verify", "--protect", path, "--hide", hidden),
        "! echo x >>.bashrc && ! cat .env && echo fine")
    replaced(box, path)()
    replaced(box, hidden)()
    ended = run.ends(0.3)
    exit, out, err = run.finish()
    expect(not ended and exit == 0 and out == "fine\n", "ended %s, exit %d, %r, %r" % (ended, exit, out, err))
