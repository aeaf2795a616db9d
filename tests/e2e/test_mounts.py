"""The walls of the mount and pid namespaces: protect, hide, private folders, sockets, processes, and the end of a
run."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import threading
import time

from harness import Changed, expect, landlock_abi, test
from planting import ATTACKS, GIT, Kept, repository
from processes import Terminal, asleep, injected, new_mark, state, wait_asleep, wait_until


@test(needs=["sandbox"])
def protected(box):
    for target, more in (("kept/deep/file", []), ("kept/deep", ["echo x >kept/deep/new", "mkdir kept/deep/new"])):
        harm = Kept(box)
        box.denied(*ATTACKS, *more, harm=harm, zs=["run", "--protect", box.work + "/" + target])
    box.granted("cat kept/deep/file; echo x >kept/deep/beside", zs=["run", "--protect", harm.path], stdout="text\n")
    # Other folders than those above the protected path may be renamed.
    box.granted("mkdir a && mv a b && rmdir b", zs=["run", "--protect", harm.path])


class Planted:
    """Harm: do git's hooks or its configuration differ from those that git made?"""

    def __init__(self, box):
        self.box = box
        self.reset()

    def reset(self):
        self.box.run(["rm", "-rf", *(self.box.work + "/" + name for name in (".git", "away", "hard"))]).expect()
        repository(self.box, self.box.work)
        self.before = self.look()

    def look(self):
        found = [os.path.isdir(self.box.work + "/.git/objects")]
        for folder, _, files in sorted(os.walk(self.box.work + "/.git/hooks")):
            found += [folder, sorted(files)]
        with contextlib.suppress(OSError):
            with open(self.box.work + "/.git/config") as file:
                found += [file.read(), os.fstat(file.fileno()).st_mode]
        return found

    def __call__(self):
        return self.look() != self.before


# The user's next git in the repository would run these.
PLANTS = ["echo x >.git/hooks/pre-commit", "git config core.fsmonitor ./evil", "echo x >>.git/config",
    "mv .git away && mkdir .git", "rm -rf .git/hooks && mkdir .git/hooks", "mv .git/hooks .git/h && mkdir .git/hooks",
    "ln .git/config hard && echo x >>hard", "chmod +x .git/config"]


@test(needs=["sandbox", "git"])
def git_is_protected(box):
    harm = Planted(box)
    for options in ([], ["--git", "allow"]):
        box.denied(*PLANTS, harm=harm, zs=["run", *options])
    for read in ("status --short", "log --oneline", "diff", "blame a", "show"):
        box.run_zs("run", "--", *GIT, *read.split()).expect(exit=0, stderr="")
    commit = "echo b >>a && %s commit -qam two" % " ".join(GIT)
    box.denied(commit)
    box.granted(commit, zs=["run", "--git", "allow"])


@test(needs=["sandbox", "git"])
def git_of_a_linked_worktree_is_protected(box):
    main_folder = box.folder("home/main")
    repository(box, main_folder)
    tree = box.home + "/tree"
    box.run(["git", "worktree", "add", "-q", tree], cwd=main_folder).expect()
    commit = "echo b >>a && %s commit -qam two" % " ".join(GIT)
    hook = "echo x >%s/.git/hooks/pre-commit" % main_folder
    options = ["run", "--workspace", tree]
    box.granted("git status --short", zs=options, cwd=tree)
    box.denied(hook, zs=options, cwd=tree)
    box.denied("echo gitdir: /tmp >.git", harm=Changed(box, tree + "/.git"), zs=options, cwd=tree)
    box.run(["rm", "-f", main_folder + "/.git/hooks/pre-commit"]).expect()
    box.granted(commit, zs=[*options, "--git", "allow"], cwd=tree)
    box.denied(hook, zs=[*options, "--git", "allow"], cwd=tree)


@test(needs=["sandbox"])
def what_others_run_is_protected(box):
    for name in (".bashrc", ".mcp.json", ".gitmodules"):
        box.file("home/project/" + name, "text\n")
    box.folder("home/project/.claude")
    box.denied("echo x >>.bashrc", "echo x >>.mcp.json", "echo x >>.gitmodules", "echo x >.claude/settings.json")


@test(needs=["sandbox"])
def hidden(box):
    box.file("home/project/kept/deep/file", "text\n")
    for path in ("kept/deep/file", "kept/deep", "kept"):
        zs = ["run", "--hide", box.work + "/" + path]
        box.denied("cat kept/deep/file", "grep -r . kept/deep/file",
            "mv kept moved && cat moved/deep/file; r=$?; mv moved kept; exit $r", zs=zs)
    zs = ["run", "--hide", box.work + "/kept/deep"]
    box.denied("ls kept/deep", "echo x >kept/deep/new && rm kept/deep/new", zs=zs)


@test(needs=["sandbox"])
def what_appears_while_a_command_runs(box):
    """A new file in a hidden folder is hidden. A missing path to hide is skipped until the next run, as in every
    grant."""
    box.file("home/project/kept/file", "text\n")
    zs = ["run", "--hide", "kept", "--hide", "later", "--hide", "no/where"]
    script = "ls -A; echo up; read x; cat kept/new later; exit 0"
    with box.start([box.zs, *zs, "--", "sh", "-c", script]) as process:
        shown = process.stdout.readline() + process.stdout.readline()
        box.file("home/project/kept/new", "new\n")
        box.file("home/project/later", "later\n")
        out, err = process.communicate(b"\n", timeout=60)
        expect(shown == b"kept\nup\n" and out == b"later\n" and b"cat: kept/new: " in err, (shown, out, err))
    expect(sorted(os.listdir(box.work)) == ["kept", "later"], "it was left behind: %s" % os.listdir(box.work))
    box.denied("cat later", zs=zs)


@test(needs=["sandbox"])
def what_is_granted_in_what_is_hidden(box):
    """The granted path is visible, and nothing beside it."""
    for name in ("kept/deep/file", "kept/deep/shown/file", "kept/deep/shown/no", "kept/other"):
        box.file("home/project/" + name, "text\n")
    hide = ["run", "--hide", box.work + "/kept"]
    shown = [*hide, "--ro", box.work + "/kept/deep/shown"]
    box.granted("cat kept/deep/shown/file", zs=shown, stdout="text\n")
    box.granted("ls -A kept kept/deep", zs=shown, stdout="kept:\ndeep\n\nkept/deep:\nshown\n")
    for attack in ("cat kept/other", "cat kept/deep/file", "echo x >kept/new", "echo x >kept/deep/new",
        "echo x >kept/deep/shown/file",
        "mv kept moved && cat moved/other"):
        box.denied(attack + "; r=$?; mv moved kept; rm -f kept/new kept/deep/new; exit $r", zs=shown)
        box.run(["sh", "-c", "echo text >kept/deep/shown/file"]).expect()
    box.granted("echo x >kept/deep/shown/file", zs=[*hide, "--rw", box.work + "/kept/deep/shown"])
    box.granted("cat kept/deep/file", zs=[*hide, "--ro", box.work + "/kept/deep/file"], stdout="text\n")
    inner = [*shown, "--hide", box.work + "/kept/deep/shown/no"]
    box.granted("cat kept/deep/shown/file", zs=inner)
    box.denied("cat kept/deep/shown/no", zs=inner)
    # A wider grant covers the whole home folder.
    wide = [*shown, "--rw", box.home]
    box.granted("cat kept/deep/shown/file", zs=wide)
    box.denied("cat kept/other", zs=wide)
    kept = ["run", "--protect", box.work + "/kept", "--rw", box.work + "/kept/deep", "--rw", box.home]
    box.granted("echo x >kept/deep/new", zs=kept)
    box.denied("echo x >kept/new", zs=kept)


@test(needs=["sandbox"])
def private_folders(box):
    """Private folders are empty at the start and gone at the end, and are not those of the machine."""
    name = "zs-test-%d-%s" % (os.getpid(), box.user.is_root)
    for folder in ("/tmp", "/var/tmp", "/dev/shm"):
        path = "%s/%s" % (folder, name)
        box.granted("echo x >%s && cat %s" % (path, path), stdout="x\n")
        expect(not os.path.exists(path), "%s is the machine's" % folder)
        box.granted("ls -A %s" % folder, stdout="")
        with open(path, "w") as file:
            file.write("text\n")
        try:
            os.chmod(path, 0o644)
            box.denied("cat %s" % path)
            box.run_zs("run", "--tmp", "shared", "--", "cat", path).expect(stdout="text\n")
        finally:
            os.remove(path)
    box.granted("mktemp -p $TMPDIR >/dev/null && echo $TMPDIR $TMP $TEMP", stdout="/tmp /tmp /tmp\n")


@test(needs=["sandbox"], slow=True)
def filling_tmp_ends(box):
    """/tmp is full at the size of its file system, 2 GiB, not at the size of the machine's memory."""
    box.run_zs("run", "--", "sh", "-c", "head -c 2200000000 /dev/zero >/tmp/full").expect(exit=1,
        stderr=["No space left on device"])


CONNECT = ("perl -MSocket -e 'my $s; socket($s, AF_UNIX, SOCK_STREAM, 0) and connect($s, sockaddr_un($ARGV[0]))"
    " or exit 1; print scalar readline($s)' %s")


def serve(server):
    while True:
        try:
            connection, _ = server.accept()
        except OSError:
            return
        connection.sendall(b"reached\n")
        connection.close()


@contextlib.contextmanager
def listening(*paths):
    with contextlib.ExitStack() as stack:
        for path in paths:
            server = stack.enter_context(socket.socket(socket.AF_UNIX))
            server.bind(path)
            os.chmod(path, 0o777)
            server.listen(8)
            stack.callback(server.shutdown, socket.SHUT_RDWR)
            threading.Thread(target=serve, args=(server,), daemon=True).start()
        yield


@test(needs=["sandbox", "perl"])
def sockets(box):
    """A command reaches a socket such as a docker daemon's by its name only if it is granted."""
    path = box.outside + "/daemon.sock"
    with listening(path):
        box.denied(CONNECT % path)
        box.granted(CONNECT % path, zs=["run", "--socket", path], stdout="reached\n")


UNTOLD = ("zs: %s: sockets: Landlock ABI %d cannot tell one unix socket from another in a granted tree; run without: "
    "--without sockets (every unix socket in a granted tree can be reached then); or: use Linux 7.1 (Landlock ABI 9)\n")


@test(needs=["sandbox", "perl"])
def one_granted_socket_is_not_every_socket(box):
    """Two more sockets lie in the workspace and in a readable tree. With the machine's network there is no broker, and
    before ABI 9 the kernel cannot tell sockets apart."""
    granted, others = box.outside + "/granted.sock", (box.work + "/other.sock", box.outside + "/other.sock")
    told, ways = landlock_abi() >= 9, ["run", "--ro", box.outside, "--socket", granted, "--net", "full"]
    with listening(granted, *others):
        for path in others:
            box.denied(CONNECT % path, zs=["run", "--ro", box.outside])
        box.granted(CONNECT % granted, zs=ways[:-2], stdout="reached\n")
        for path in others:
            box.denied(CONNECT % path, zs=ways[:-2])
        if told:
            box.granted(CONNECT % granted, zs=ways, stdout="reached\n")
        else:
            box.run_zs(*ways, "--", "touch", "ran").expect(exit=125, stdout="", stderr=UNTOLD % (
                "sandbox", landlock_abi()))
            expect(not os.path.exists(box.work + "/ran"), "it ran")
        # With the waiver, as docs/security.md says.
        box.granted(CONNECT % granted, zs=[*ways, "--without", "sockets"], stdout="reached\n")
        for path in others:
            result = box.run_zs(*ways, "--without", "sockets", "--", "sh", "-c", CONNECT % path)
            result.expect(exit=1 if told else 0, stdout="" if told else "reached\n")


def played(box, abi):
    """The words that run zs on a kernel that reports this Landlock ABI but makes no ruleset. zs takes a refused signal
    as the sign that the ruleset is in effect."""
    return [*injected("landlock_create_ruleset:retval=%d" % abi, "kill:error=EPERM:when=1",
        "landlock_add_rule,landlock_restrict_self:retval=0"), box.zs]


# An ABI that is newer than zs knows, which zs uses as the newest that it knows. The simulated ruleset has this number
# too, and zs closes it. So the number must not be that of a descriptor of zs.
NEWER = 5009


@test(needs=["sandbox", "strace"], slow=True)
def no_way_grants_a_socket_that_cannot_be_told_apart(box):
    """With the machine's network."""
    path, full = box.outside + "/socket", ["--net", "full", "--socket", box.outside + "/socket"]
    policy = json.loads(box.run_zs("run", "--print-policy", *full).expect().stdout)
    box.file("given.json", json.dumps(policy))
    box.file("waived.json", json.dumps(dict(policy, without=["sockets"])))
    ways = [["run", *full, "--", "true"],
        ["run", "--verify", "--diff", *full, "--", "true"],
        ["run", "--without", "metadata", *full, "--", "true"],
        ["run", "--limit", "files=99", "--limit", "wall=9s", *full, "--", "true"],
        ["run", "--policy", box.root + "/given.json", "--", "true"],
        ["run", *full, "--print-sandbox"],
        ["bash", *full, "-c", "true"],
        ["bash", "--verify", *full, "-c", "true"]]
    with listening(path):
        for way in ways:
            box.run([*played(box, 8), *way]).expect(exit=125, stdout="", stderr=UNTOLD % ("sandbox", 8))
            box.run([*played(box, NEWER), *way]).expect(exit=0)
            box.run_zs(way[0], "--without", "sockets", *way[1:]).expect(exit=0)
        box.run_zs("run", "--policy", box.root + "/waived.json", "--", "true").expect(exit=0)


@test(needs=["sandbox", "strace"])
def a_shim_refuses_such_a_socket_itself(box):
    """A host may have made its policy without the library."""
    path = box.outside + "/socket"
    with listening(path):
        printed = box.run_zs("run", "--socket", path, "--net", "full", "--without", "sockets",
            "--print-sandbox").expect().stdout
        ((name, text),) = json.loads(printed)["env"].items()
        for without, zs, status in ((["sockets"], [box.zs], 0), ([], played(box, NEWER), 0), ([], played(box, 8), 125)):
            policy = json.dumps(dict(json.loads(text), without=without))
            box.run([*zs, "shim", "--", "true"], env={**box.env, name: policy}).expect(
                exit=status, stderr=UNTOLD % ("policy", 8) if status else "")


@test(needs=["sandbox"])
def other_processes_are_not_there(box):
    with box.start(["sleep", "60"]) as victim:
        try:
            for zs in (["run"], ["run", "--ro", "/"]):
                box.denied("test -e /proc/%d" % victim.pid, zs=zs)
                box.granted("ls -d /proc/[0-9]* | wc -l | grep -q '^[0-9]$' && test -e /proc/self && "
                    "ls /usr >/dev/null", zs=zs, stdout="")
            box.run_zs("run", "--", "sh", "-c", "kill -KILL %d" % victim.pid).expect(exit=1)
            expect(victim.poll() is None, "it was killed")
        finally:
            victim.kill()


@test(needs=["sandbox"])
def the_init_shows_nothing_of_the_host(box):
    """Pid 1 was started with the whole environment; the command gets part of it."""
    for name in ("environ", "mem", "fd/0", "root/etc", "cwd/."):
        box.run_zs("run", "--", "sh", "-c", "cat /proc/1/%s" % name).expect(exit=1, stdout="",
            stderr=["Permission denied"])


@test(needs=["sandbox"])
def a_directory_is_no_standard_descriptor(box):
    for number in (0, 1, 2):
        script = "cat /proc/self/fd/%d/.ssh/id_ed25519" % number
        control = "exec 9<%s; cat /proc/self/fd/9/.ssh/id_ed25519" % box.home
        box.run(["bash", "-c", control]).expect(stdout="SECRET KEY\n")
        line = '"$0" run -- sh -c "$1" %d<%s' % (number, box.home)
        result = box.run(["sh", "-c", line, box.zs, script])
        expect(result.exit == 125 and "SECRET" not in result.stdout, "descriptor %d: %s" % (number, result))


def start_daemon(box, *prefix):
    """A run whose command starts a process that leaves it by setsid and a fork. The command then waits for its
    input."""
    mark = new_mark()
    script = "setsid sleep %s >/dev/null 2>&1 </dev/null & setsid sleep %s & echo up; read x" % (mark, mark)
    process = box.start([*prefix, box.zs, "run", "--", "sh", "-c", script], stderr=subprocess.DEVNULL)
    expect(process.stdout.readline() == b"up\n", "it did not start")
    wait_until(lambda: len(asleep(mark)) == 2, "the daemons did not start")
    return process, mark


@test(needs=["sandbox"])
def daemons_end_with_the_run(box):
    process, mark = start_daemon(box)
    process.communicate(b"\n")
    expect(not asleep(mark), "left: %s" % asleep(mark))


@test(needs=["sandbox"])
def nothing_is_left_of_a_supervisor_that_is_killed(box):
    """The same if the parent of the run dies."""
    for number, prefix in ((signal.SIGTERM, []), (signal.SIGINT, []), (signal.SIGHUP, []), (signal.SIGKILL, []),
            (signal.SIGKILL, ["sh", "-c", '"$@"; true', "sh"])):
        process, mark = start_daemon(box, *prefix)
        process.send_signal(number)
        process.wait()
        wait_until(lambda: not asleep(mark), "%s %s: left: %s" % (prefix, number, asleep(mark)))
        process.communicate()


@test(needs=["sandbox"])
def signals_are_passed_on(box):
    script = "trap 'echo caught; exit 3' TERM; echo up; while :; do sleep 0.1; done"
    with box.start([box.zs, "run", "--", "sh", "-c", script], stderr=None) as process:
        process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        expect(process.stdout.read() == b"caught\n" and process.wait() == 3, "exit %s" % process.returncode)


def await_stopped(mark):
    """Only then does going on say something."""
    wait_until(lambda: all(state(pid) == "T" for pid in asleep(mark)), "it does not stop")


def await_continued(mark):
    """Before bash lets a job go on it gives it the terminal."""
    wait_until(lambda: all(state(pid) != "T" for pid in asleep(mark)), "it does not go on")


@test(needs=["sandbox", "bash"])
def job_control_inside(box):
    terminal = Terminal(box, [box.zs, "run", "--env", "PS1", "--", "bash", "--norc", "--noediting", "-i"])
    terminal.type("", "ready> ")
    mark = new_mark()
    terminal.type("sleep %s\n" % mark, "sleep " + mark)
    wait_asleep(mark)
    terminal.type("\x1a", "Stopped")
    await_stopped(mark)
    terminal.type("jobs\n", r"\[1\]\+ +Stopped +sleep " + mark)
    terminal.type("fg\n", "sleep " + mark)
    await_continued(mark)
    terminal.type("\x03", "ready> ")
    terminal.type("echo $((6*7))\n", "42")
    terminal.type("exit 7\n", "exit")
    expect(terminal.end() == 7, "another exit code")


@test(needs=["sandbox", "bash"])
def job_control_outside(box):
    """The shell that started zs can stop, continue and end it like any program."""
    terminal = Terminal(box, ["/bin/bash", "--norc", "--noediting", "-i"])
    terminal.type("", "ready> ")
    mark = new_mark()
    terminal.type(box.zs + " run -- sh -c 'echo u''p; sleep %s'\n" % mark, r"\bup\r")
    wait_asleep(mark)
    terminal.type("\x1a", "Stopped")
    await_stopped(mark)
    terminal.type("fg\n", "sleep " + mark)
    await_continued(mark)
    terminal.type("\x03", "ready> ")
    terminal.type("echo rc=$?\n", "rc=130")
    terminal.type("exit\n", "exit")
    terminal.end()


@test(needs=["sandbox"])
def wall_limit(box):
    start = time.monotonic()
    box.run_zs("run", "--limit", "wall=1s", "--", "sh", "-c", "setsid sleep 63; sleep 63").expect(exit=137, stdout="",
        stderr="zs: wall limit 1s reached\n")
    expect(time.monotonic() - start <= 50, "it took %d s" % (time.monotonic() - start))
    box.run_zs("run", "--limit", "wall=60s", "--", "sh", "-c", "exit 4").expect(exit=4, stderr="")


@test(needs=["sandbox"])
def names_by_which_places_are_known(box):
    """A link on the way to a grant exists inside as well, and leads to the same place."""
    real = os.path.dirname(box.file("outside/real/file", "text\n"))
    os.symlink(real, box.outside + "/one")
    os.symlink("one", box.outside + "/two")
    box.granted("cat %s/two/file" % box.outside, zs=["run", "--ro", box.outside + "/two"], stdout="text\n")
    box.granted("readlink %s/two" % box.outside, zs=["run", "--ro", box.outside + "/two"], stdout="one\n")


@test(needs=["sandbox"])
def working_directory_outside_of_every_grant(box):
    """The folder exists by its name, and is empty."""
    box.file("outside/here/file", "text\n")
    box.granted("pwd; ls -A", zs=["run", "--workspace", box.work], cwd=box.outside + "/here",
        stdout=box.outside + "/here\n")


@test(needs=["sandbox"])
def any_umask(box):
    """The command may use the folder; the folders on the way to the workspace are as always."""
    above = os.path.dirname(box.root)
    for mask in ("0022", "0177", "0277", "0777"):
        for options in ([], ["--verify"], ["--tmp", "shared"]):
            script = 'umask %s; exec "$0" run "$@" -- sh -c "umask; stat -c %%a %s"' % (mask, above)
            box.run(["sh", "-c", script, box.zs, *options]).expect(stdout=mask + "\n555\n", stderr="")
