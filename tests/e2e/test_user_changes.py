"""The user's own work beside a run: it replaces, removes and makes protected files. That must not end the run. The
command tries to write the files all the time."""

import contextlib
import glob
import itertools
import os
import re
import time

from harness import TIMEOUT, Failure, expect, read, test
from planting import GIT, repository
from processes import descendants, wait_until

LOST = 122
LOG_SECONDS = 1  # the watch has begun its log by then: LOG_AFTER_MS
ROUNDS = 3
SHORT_ROUNDS = 20


def has_log(pid):
    """Is a process of the run reading events? None: the user who runs the tests may not see it."""
    seen = False
    for each in descendants(pid):
        with contextlib.suppress(OSError):
            for fd in os.listdir("/proc/%d/fd" % each):
                seen = True
                with contextlib.suppress(FileNotFoundError):
                    if os.readlink("/proc/%d/fd/%s" % (each, fd)) == "anon_inode:inotify":
                        return True
    return False if seen and os.geteuid() == 0 else None


class Run:
    """A command that does `inside` again and again until the test ends it. Then it exits with 7."""

    def __init__(self, box, zs, inside, log=True):
        """log: waits until the watch keeps one, which it does when there is a protected file."""
        script = "echo up; while ! read -t 0.0; do %s; done 2>/dev/null; exit 7" % inside
        self.errors = os.path.join(box.outside, "errors")
        with open(self.errors, "w") as errors:
            self.process = box.start([*zs, "bash", "-c", script], text=True, stderr=errors)
        if self.process.stdout.readline() != "up\n":
            self.process.kill()
            raise Failure("zs did not start it: %s" % read(self.errors))
        if not zs:
            time.sleep(0.1)
        elif log and has_log(self.process.pid) is None:
            time.sleep(LOG_SECONDS)
        elif log:
            wait_until(lambda: has_log(self.process.pid) or self.process.poll() is not None, "the watch has no log")

    def await_lines(self, count=1):
        """Until zs has said so much, or has ended the run."""
        wait_until(lambda: read(self.errors).count("\n") >= count or self.process.poll() is not None,
            lambda: "zs says nothing: %r" % read(self.errors))

    def finish(self):
        try:
            self.process.communicate("\n", timeout=TIMEOUT)
        finally:
            self.process.kill()
        return self.process.returncode, read(self.errors)


def make(box, path, text):
    box.run(["sh", "-c", 'printf %s "$2" >"$1"', "sh", path, text]).expect()


def confined(box, *options):
    return [box.zs, "run", *options, "--"]


def rename(box, path, text):
    """Saves a file as many editors do: writes a new one beside it, and renames that."""
    box.run(["python3", "-c", "import os, sys, time\nwith open(sys.argv[1] + '.new', 'w') as file: "
        "file.write(sys.argv[2])\ntime.sleep(0.02)\nos.rename(sys.argv[1] + '.new', sys.argv[1])", path, text]).expect()


def git_config(box, value):
    box.run([*GIT, "config", "x.y", value]).expect()


def again(path):
    return ("zs: protect: %s: a program outside has replaced it; it is protected again; "
        "zs saw no other change of it\n" % path)


def stays(box, path, outside, zs=("--git", "allow")):
    """Without an attack the run goes on, and the new file is protected."""
    run = Run(box, confined(box, *zs), "sleep 0.01")
    outside()
    run.await_lines()
    exit, err = run.finish()
    expect(exit == 7 and err == again(path), "exit %d, %r" % (exit, err))
    run = Run(box, confined(box, *zs), "sleep 0.01; test -e now && echo evil >>%s" % path)
    outside()
    new = read(path)
    run.await_lines()
    box.file("home/project/now")
    time.sleep(0.2)
    exit, err = run.finish()
    os.unlink(box.work + "/now")
    expect(exit == 7 and read(path) == new and err == again(path), "exit %d, %r, %r" % (exit, read(path), err))


def here(path):
    """Its text; none while an attack moves it."""
    with contextlib.suppress(FileNotFoundError):
        return read(path)
    return ""


def is_found(box, path, outside, attack, zs=("--git", "allow")):
    """The attack harms without zs. With zs the file stays as the user has made it, or the run ends with 122."""
    run = Run(box, [], attack)

    def harms():
        outside()
        time.sleep(0.1)
        return "evil" in here(path)

    wait_until(harms, lambda: "control: the attack does no harm: %r" % here(path))
    run.finish()
    for _ in range(ROUNDS):
        outside()
        run = Run(box, confined(box, *zs), attack)
        outside()
        time.sleep(0.1)
        exit, err = run.finish()
        if exit == LOST:
            expect("the run is ended" in err and path in err, err)
        else:
            expect(exit == 7 and os.path.exists(path) and "evil" not in read(path), "exit %d, %r" % (exit, err))


@test(needs=["sandbox", "bash", "git"])
def git_config_changes_the_configuration(box):
    repository(box, box.work)
    path, values = box.work + "/.git/config", iter(range(1000))
    stays(box, path, lambda: git_config(box, str(next(values))))
    is_found(box, path, lambda: rename(box, path, "[core]\n\tbare = false\n"), "echo '#evil' >>.git/config")


@test(needs=["sandbox", "bash"])
def an_editor_saves_by_renaming(box):
    path, numbers = box.file("home/project/.mcp.json", "{}\n"), iter(range(1000))
    outside = lambda: rename(box, path, "{%d}\n" % next(numbers))
    stays(box, path, outside, zs=())
    is_found(box, path, outside, "echo evil >>.mcp.json", zs=())


def branches(box):
    """A repository with two branches that differ in a protected file."""
    repository(box, box.work)
    for number, name in enumerate(("one", "two")):
        box.run([*GIT, "checkout", "-qb", name]).expect()
        box.file("home/project/.mcp.json", "{%d}\n" % number)
        box.run([*GIT, "add", "."]).expect()
        box.run([*GIT, "commit", "-qm", name]).expect()
    names = itertools.cycle(("one", "two"))
    return box.work + "/.mcp.json", lambda: box.run([*GIT, "checkout", "-qf", next(names)])


@test(needs=["sandbox", "bash", "git"])
def git_changes_the_branch(box):
    path, outside = branches(box)
    stays(box, path, outside, zs=())
    box.run([*GIT, "update-index", "--index-version", "4"]).expect()
    stays(box, path, outside, zs=())
    for attack in ("test -e .mcp.json && echo evil >>.mcp.json", "echo evil >>.mcp.json",
        "echo evil >x; mv x .mcp.json"):
        is_found(box, path, outside, attack, zs=())


@test(needs=["sandbox", "bash"])
def what_the_command_does_to_the_new_file_is_found(box):
    """Each attack waits until the mount is gone; then it has less than a millisecond."""
    path, numbers = box.file("home/project/.mcp.json", "{}\n"), iter(range(1000))
    outside = lambda: rename(box, path, "{%d}\n" % next(numbers))
    for attack in (
        "test -e .mcp.json.new && echo evil >>.mcp.json.new",
        "ln -f .mcp.json other && echo evil >>other",
        "mv .mcp.json other && echo evil >>other && mv other .mcp.json",
        "rm -f .mcp.json && echo evil >.mcp.json",
    ):
        is_found(box, path, outside, attack, zs=())


@test(needs=["sandbox", "bash", "git"])
def removed_and_made_anew(box):
    """From the removal on the name is a protected name that does not exist. Nobody can tell who makes it, so what
    appears is moved aside, and nothing is lost."""
    path = box.file("home/project/.mcp.json", "{}\n")
    for attack in ("sleep 0.01", "echo evil >>.mcp.json"):
        box.file("home/project/.mcp.json", "{}\n")
        run = Run(box, confined(box), attack)
        os.unlink(path)
        run.await_lines()
        make(box, path, "mine\n")
        if attack == "sleep 0.01":
            run.await_lines(2)
        time.sleep(0.2)
        exit, err = run.finish()
        kept = [read(name) for name in glob.glob(path + ".set-aside-*")]
        if attack == "sleep 0.01":
            expect(exit == 7 and "a program outside has removed it" in err and kept == ["mine\n"], "%d, %r, %r" %
                (exit, err, kept))
        else:
            expect(exit == LOST or "again and again" in err or not os.path.exists(path), "exit %d, %r" % (exit, err))


@test(needs=["sandbox", "bash", "git"])
def git_removes_the_file(box):
    """A branch without the file: the run goes on, and no command may make it."""
    path, outside = branches(box)
    box.run([*GIT, "checkout", "-qb", "none"]).expect()
    box.run([*GIT, "rm", "-q", ".mcp.json"]).expect()
    box.run([*GIT, "commit", "-qm", "none"]).expect()
    outside()
    run = Run(box, confined(box), "sleep 0.01; test -e now && ! test -e done && echo evil >.mcp.json && echo >done")
    box.run([*GIT, "checkout", "-q", "none"]).expect()
    run.await_lines()
    box.file("home/project/now")
    run.await_lines(2)
    exit, err = run.finish()
    expect(exit == 7 and not os.path.exists(path) and os.path.exists(box.work + "/done"), "exit %d, %r" % (exit, err))
    expect(re.search("has removed it; .*\n.*appeared while a command ran", err), err)


@test(needs=["sandbox", "bash"])
def a_missing_name_that_the_user_makes(box):
    path = box.work + "/.mcp.json"
    run = Run(box, confined(box), "sleep 0.01; test -e .mcp.json && echo evil >>.mcp.json", log=False)
    make(box, path, "mine\n")
    run.await_lines()
    exit, err = run.finish()
    kept = glob.glob(path + ".set-aside-*")
    # Before zs moves it, the command may have written to it; the message says so.
    expect(exit == 7 and not os.path.exists(path) and len(kept) == 1 and read(kept[0]).startswith("mine\n"), exit, err,
        kept)


@test(needs=["sandbox", "bash"])
def what_the_command_has_kept_is_of_no_use(box):
    """A handle of the new file, from the moment without protection, or a change of it later: the run ends."""
    path, numbers = box.file("home/project/.mcp.json", "{}\n"), iter(range(1000))
    run = Run(box, confined(box), "sleep 0.01")
    rename(box, path, "{1}\n")
    run.await_lines()
    with open(path, "a") as file: # as the command could by such a handle
        file.write("evil\n")
    exit, err = run.finish()
    expect(exit == LOST and again(path) in err and "the run is ended" in err, "exit %d, %r" % (exit, err))


@test(needs=["sandbox", "bash", "git"])
def git_is_believed_only_where_no_command_writes_its_index(box):
    """With --git allow a command could write the index. If the watch sees the name missing, it moves the new file
    aside."""
    path, outside = branches(box)
    run = Run(box, confined(box, "--git", "allow"), "sleep 0.01")
    outside()
    exit, err = run.finish()
    expect("protected again" not in err and path in err, err)
    expect(exit == LOST or (exit == 7 and glob.glob(path + ".set-aside-*")), "exit %d, %r" % (exit, err))


@test(needs=["sandbox", "bash"])
def a_gap_in_the_log_ends_the_run(box):
    """More events than the kernel keeps for one reader. No new name wakes the watch meanwhile."""
    box.folder("home/project/below")
    path = box.file("home/project/.mcp.json", "{}\n")
    for name in ("a", "b"):
        box.file("home/project/" + name)
    with open("/proc/sys/fs/inotify/max_queued_events") as file:
        most = int(file.read())
    run = Run(box, confined(box), "if test -e go && ! test -e below/done; then "
        "python3 -c 'import os\nfor _ in range(%d): os.utime(\"a\"); os.utime(\"b\")'; echo >below/done; fi" % most)
    make(box, box.work + "/go", "")
    wait_until(lambda: os.path.exists(box.work + "/below/done"), "the command makes no events")
    os.rename(box.file("outside/new", "{1}\n"), path)
    exit, err = run.finish()
    expect(exit == LOST and "the run is ended" in err, "exit %d, %r" % (exit, err))


@test(needs=["sandbox", "bash"])
def a_short_run_keeps_no_log(box):
    """Then a replaced file ends the run."""
    path = box.file("home/project/.mcp.json", "{}\n")
    for _ in range(SHORT_ROUNDS): # on a busy machine the run may be long by then
        new = box.file("home/project/new", "mine\n")
        run = Run(box, confined(box), "sleep 0.01", log=False)
        os.rename(new, path)
        exit, err = run.finish()
        if exit == LOST:
            break
    expect(exit == LOST and "the run is ended" in err, "exit %d, %r" % (exit, err))
