"""Protected names that do not exist yet, when the processes that watch them are killed: a process that is left looks
for them, or else the next start in the workspace."""

import contextlib
import fcntl
import glob
import json
import os
import shutil
import signal
import stat
import subprocess
import time

from harness import HERE, TIMEOUT, Failure, expect, read, test
from mcp_client import Server
from processes import alive, children, descendants, stop_and_kill, wait_until

PLANTS = (".git/config", ".mcp.json", ".claude/settings.json")
PLANT = "mkdir -p .git .claude; for f in %s; do echo evil >$f; done" % " ".join(PLANTS)
DEAD = "appeared in a run whose processes were all killed, and zs has renamed it; before you use it, look at "
LIVE = "appeared while a command ran, and zs has renamed it; before you use it, look at "
MAGIC = "zs-journal 1"
BYTES_MAX = 512 * 1024


def folder_of(box):
    return box.home + "/.local/state/zs/journal"


def journals(box, folder=None):
    return sorted(glob.glob((folder or folder_of(box)) + "/*"))


def words(path):
    return read(path).split("\0")


def is_ours(box, pid):
    """Is it a process of zs itself?"""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        with open("/proc/%d/cmdline" % pid, "rb") as file:
            return file.read().split(b"\0")[0] in (box.zs.encode(), b"zs-sandbox-shim", b"zs-sandbox-session-parent")
    return False


class Run:
    """A command that waits for its cue, and then plants files. The processes that watch it are stopped meanwhile."""

    def __init__(self, box, script=PLANT, env=None):
        self.begin(box, script)
        self.process = box.start([box.zs, "run", "--", "sh", "-c", self.script], env=env or box.env, text=True)
        self.await_up()

    def begin(self, box, script=PLANT):
        self.box = box
        # The cue is a file, since the command of a tool server has no standard input.
        self.cue, self.up, self.planted = (box.work + "/" + name for name in ("cue", "up", "planted"))
        for name in (self.cue, self.up, self.planted):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(name)
        self.script = "touch up; until [ -e cue ]; do sleep 0.05; done; %s; touch planted; sleep 1000" % script

    def await_up(self):
        wait_until(lambda: os.path.exists(self.up) or self.process.poll() is not None, "it does not start")
        if self.process.poll() is not None:
            raise Failure("control: it does not run: %s" % (self.process.communicate(),))
        self.all = descendants(self.process.pid)
        self.ours = [pid for pid in self.all if is_ours(self.box, pid)]
        expect(self.ours and len(self.ours) != len(self.all), "which are ours? %r of %r" % (self.ours, self.all))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for pid in [self.process.pid, *self.ours]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ValueError):
            self.process.communicate()

    def plant(self):
        for pid in self.ours:
            os.kill(pid, signal.SIGSTOP)
        self.box.file("home/project/cue")
        wait_until(lambda: os.path.exists(self.planted), "control: nothing was planted")

    def kill_all(self):
        stop_and_kill(self.process.pid, *self.ours)
        self.process.communicate()
        wait_until(lambda: not any(alive(pid) for pid in self.all), "a process of the run is left")


def left_behind(box):
    """Plants files by a run of which every process is then killed."""
    with Run(box) as run:
        run.plant()
        run.kill_all()


def planted(box):
    return [name for name in PLANTS if os.path.lexists(os.path.join(box.work, name))]


def set_aside(box):
    return sorted(name.rsplit(".", 1)[0] for name in os.listdir(box.work) if ".set-aside-" in name)


def check_found(box, text, made=DEAD):
    expect(not journals(box), "%r\n%s" % (journals(box), text))
    check_said(box, text, made)


def check_said(box, text, made):
    """Expects one line for each name that says what was found and where it is now. The file there must be the planted
    one."""
    expect(not planted(box) and set_aside(box) == [".claude", ".git", ".mcp.json"],
        "%r %r\n%s" % (planted(box), set_aside(box), text))
    for name, inside in ((".git", "/config"), (".mcp.json", ""), (".claude", "/settings.json")):
        start = "zs: protect: %s/%s: %s" % (box.work, name, made)
        lines = [line for line in text.splitlines() if line.startswith(start)]
        expect(len(lines) == 1, "%d lines of %s: %s" % (len(lines), name, text))
        place = lines[0][len(start):].split("; --rw ")[0]
        expect(read(place + inside) == "evil\n", "not what was planted: " + lines[0])


@test(needs=["sandbox"])
def what_is_planted_when_all_are_killed_is_found_by_the_next_start(box):
    left_behind(box)
    expect(planted(box) == list(PLANTS) and len(journals(box)) == 1, "control: %r %r" % (planted(box), journals(box)))
    # Control: without the journal, or in another workspace, no start knows the names.
    file, = journals(box)
    os.rename(file, box.root + "/kept")
    box.run_zs("run", "--", "true").expect(stderr="")
    os.rename(box.root + "/kept", file)
    box.run_zs("run", "--", "true", cwd=box.folder("other")).expect(stderr="")
    expect(planted(box) == list(PLANTS) and journals(box) == [file],
        "control: it was found without a journal, or elsewhere")
    result = box.run_zs("run", "--", "echo", "ran").expect(stdout="ran\n")
    check_found(box, result.stderr)
    expect(result.stderr.count("\n") == 3, result.stderr)
    # The message comes only once.
    box.run_zs("run", "--", "true").expect(stderr="")


@test(needs=["sandbox"])
def every_way_to_start_looks(box):
    left_behind(box)
    check_found(box, box.run_zs("bash", "-p", "relaxed", "-c", "true").expect().stderr)
    box.clear()
    call = json.dumps({"tool_name": "Bash", "tool_input": {"command": "true"}, "hook_event_name": "PreToolUse",
        "session_id": "s", "cwd": box.work})
    left_behind(box)
    answer = json.loads(box.run_zs("hook", "claude", "--confine", stdin=call).expect().stdout)
    command = answer["hookSpecificOutput"]["updatedInput"]["command"]
    path = os.path.dirname(box.zs) + ":" + box.env["PATH"]
    check_found(box, box.run(["sh", "-c", command], add_env={"PATH": path}).expect().stderr)


class Call(Run):
    """A Run whose process is the tool server."""

    def __init__(self, box):
        self.begin(box)
        # With denials a write waits for the init, and so for processes that are stopped.
        self.server = Server(box, "-p", "relaxed", "--no-denials-to-model")
        self.server.call(self.script)
        self.process = self.server.process
        self.await_up()


@test(needs=["sandbox", "bash"])
def a_tool_server_looks_and_is_looked_after(box):
    with Call(box) as run:
        run.plant()
        run.kill_all()
    expect(planted(box) == list(PLANTS) and len(journals(box)) == 1, "control: %r %r" % (planted(box), journals(box)))
    with Server(box, "-p", "relaxed") as server:
        answer = server.answer(server.call("touch ran"))
        said = server.end()[1]
    expect(not planted(box) and set_aside(box) == [".claude", ".git", ".mcp.json"] and not journals(box),
        "%r %r" % (planted(box), journals(box)))
    expect(".mcp.json: appeared in a run whose processes were all killed" in json.dumps(answer) + said,
        "nothing is said: %s" % answer)


class Session(Run):
    """A Run whose process is a host of the library. The messages of the session are on the host's standard error."""

    PARTS = ("session_parent", "runner", "supervisor", "init")

    def __init__(self, box, script=PLANT):
        self.begin(box, script)
        policy = box.run_zs("run", "--print-policy", "--", "true").expect(stderr="").stdout
        library = shutil.copy(box.library, os.path.join(box.root, "libzs_sandbox.so"))
        self.process = box.start(["python3", "-c", read(os.path.join(HERE, "library_host.py")), "session", library,
            box.zs, policy, "sh", "-c", self.script], text=True)
        self.await_up()
        session_parent, runner, supervisor = children(self.process.pid)
        init = children(session_parent)[0]
        self.parts = dict(zip(self.PARTS, (session_parent, runner, supervisor, init)))

    def plant(self, *stopped):
        """Stops the supervisor, which watches, and the named processes, and lets the command plant."""
        for part in ("supervisor", *stopped):
            os.kill(self.parts[part], signal.SIGSTOP)
        self.box.file("home/project/cue")
        wait_until(lambda: os.path.exists(self.planted), "control: nothing was planted")
        expect(planted(self.box) == list(PLANTS), "control: %r" % planted(self.box))

    def end(self):
        """Ends the host. Returns the messages."""
        self.process.stdin.close()
        self.process.wait(TIMEOUT)
        wait_until(lambda: not any(alive(pid) for pid in self.all), "a process of the session is left")
        return self.process.stderr.read()


@test(needs=["sandbox"], slow=True)
def a_session_looks_when_one_of_its_processes_is_killed(box):
    """The init looks if a supervisor, the runner or the session parent was killed; the session parent looks if the init
    was."""
    for part in Session.PARTS:
        with Session(box) as session:
            session.plant()
            stop_and_kill(session.parts[part])
            wait_until(lambda: not planted(box), "%s: nobody looks" % part)
            check_said(box, session.end(), LIVE)
        expect(part != "supervisor" or not journals(box), "%s" % journals(box))
        # The session parent may leave the journal; the next start removes it silently.
        box.run_zs("run", "--", "true").expect(stderr="")
        expect(not journals(box), "%s: %s" % (part, journals(box)))
        box.clear()


@test(needs=["sandbox"])
def a_session_looks_when_its_host_is_killed(box):
    with Session(box) as session:
        session.plant()
        stop_and_kill(session.process.pid)
        wait_until(lambda: not planted(box), "nobody looks")
        wait_until(lambda: not any(alive(pid) for pid in session.all), "a process of the session is left")
        check_said(box, session.process.communicate()[1], LIVE)
    box.run_zs("run", "--", "true").expect(stderr="")


@test(needs=["sandbox"], slow=True)
def what_a_killed_session_leaves_is_found_by_the_next_start(box):
    for start in ("run", "session"):
        with Session(box) as session:
            session.plant("session_parent", "runner", "init")
            stop_and_kill(*session.parts.values())
            session.end()
        expect(planted(box) == list(PLANTS) and len(journals(box)) == 1,
            "control: %r %r" % (planted(box), journals(box)))
        if start == "run":
            check_said(box, box.run_zs("run", "--", "true").expect().stderr, DEAD)
        else:
            with Session(box, "true") as session:
                check_said(box, session.end(), DEAD)
        expect(not journals(box), "%s: %s" % (start, journals(box)))
        box.clear()


@test(needs=["sandbox"])
def a_session_that_ends_by_itself_leaves_no_journal(box):
    with Session(box) as session:
        expect(len(journals(box)) == 1, "control: %s" % journals(box))
        said = session.end()
    expect(not said and not journals(box), "%r %r" % (said, journals(box)))


@test(needs=["sandbox"])
def the_supervisor_looks_when_the_watch_is_killed(box):
    with Run(box) as run:
        run.plant()
        stop_and_kill(*run.ours)
        err = run.process.communicate(timeout=TIMEOUT)[1]
        expect(run.process.returncode == 128 + signal.SIGKILL, "exit %d" % run.process.returncode)
    check_found(box, err, LIVE)
    # The supervisor looks even if there is no place for a journal.
    box.clear()
    env = {"PATH": box.env["PATH"], "TMPDIR": "/proc/1"}
    with Run(box, env=env) as run:
        run.plant()
        stop_and_kill(*run.ours)
        check_found(box, run.process.communicate(timeout=TIMEOUT)[1], LIVE)


@test(needs=["sandbox"])
def what_is_left_when_the_supervisor_is_killed_is_found_by_the_watch(box):
    with Run(box) as run:
        run.plant()
        stop_and_kill(run.process.pid)
        run.process.wait(TIMEOUT) # else the watch may look because a name was made
        for pid in run.ours:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
        wait_until(lambda: not any(alive(pid) for pid in run.all), "a process of the run is left")
        expect(not planted(box) and set_aside(box) == [".claude", ".git", ".mcp.json"],
            "%r %r" % (planted(box), set_aside(box)))
    box.run_zs("run", "--", "true").expect(stderr="")
    expect(not journals(box), journals(box))


@test(needs=["sandbox"])
def a_journal_is_there_while_a_run_is(box):
    with Run(box) as run:
        file, = journals(box)
        expect(os.path.basename(file).startswith("run-"), "it is not complete: " + file)
        st, above = os.lstat(file), os.lstat(os.path.dirname(file))
        expect(stat.S_ISREG(st.st_mode) and stat.S_IMODE(st.st_mode) == 0o600 and stat.S_IMODE(above.st_mode) == 0o700,
            "%o %o" % (st.st_mode, above.st_mode))
        # Other runs in the workspace leave this journal alone, and have their own.
        box.run_zs("run", "--", "true").expect(stderr="")
        expect(journals(box) == [file], "%r, not %r" % (journals(box), [file]))
        others = [box.start([box.zs, "run", "--", "sleep", "0.3"]) for _ in range(8)]
        said = [other.communicate()[1] for other in others]
        expect(not any(said) and not any(other.returncode for other in others) and journals(box) == [file],
            "%r %r" % (said, journals(box)))
        run.process.send_signal(signal.SIGTERM)
        run.process.communicate()
    expect(not journals(box), journals(box))
    # The journal is gone however the run ends.
    for script, status in (("true", 0), ("exit 3", 3), ("kill -9 $$", 137)):
        box.run_zs("run", "--", "sh", "-c", script).expect(exit=status)
    box.run_zs("run", "--", "no-such-command").expect(exit=127)
    box.run_zs("run", "--limit", "wall=1s", "--", "sleep", "60").expect(exit=137)
    expect(not journals(box), journals(box))


@test(needs=["sandbox"])
def what_a_killed_start_has_left_is_swept(box):
    """Any later start removes such a file, which belongs to no run. A young or locked file is left alone."""
    box.run_zs("run", "--", "true").expect()
    paths = {kind: write_journal(box, "new-run-1-2-%s" % kind, "") for kind in ("old", "young", "locked")}
    for kind in ("old", "locked"):
        os.utime(paths[kind], (time.time() - 120,) * 2)
    with open(paths["locked"]) as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        box.run_zs("run", "--", "true").expect(stderr="")
    expect(journals(box) == sorted([paths["young"], paths["locked"]]), journals(box))


@test(needs=["sandbox"])
def a_command_cannot_write_the_journal(box):
    folder = folder_of(box)
    box.run_zs("run", "--", "true").expect()
    for options in (["--rw", box.home], ["--rw", box.home + "/.local"], ["--workspace", box.home],
            ["--rw", folder]):
        for attack in ("echo x >%s/x", "f=$(ls %s/*) && rm -f $f", "mv %s %s-away"):
            result = box.run_zs("run", *options, "--", "sh", "-c", attack.replace("%s", folder))
            granted = options[1] == folder
            expect(os.path.exists(folder + "/x") == (granted and attack.startswith("echo")),
                "%r: %s" % (options, result))
            expect(not os.path.exists(folder + "-away"), "%r: %s" % (options, result))
            expect("journal: " not in result.stderr, "%r: %s" % (options, result))
        with contextlib.suppress(FileNotFoundError):
            os.unlink(folder + "/x")
    # If the policy grants the journal's folder itself, the journal lies elsewhere.
    box.run_zs("run", "--rw", folder, "--", "ls", folder).expect(stdout="")


@test(needs=["sandbox"])
def no_link_of_the_commands_is_followed(box):
    """The process that looks is not confined."""
    victim = box.folder("outside/victim")
    box.file("outside/victim/config", "mine\n")
    box.file("outside/victim/hooks/x", "mine\n")
    for script in ("ln -s %s .git" % victim, "mkdir .git; ln -s %s/config .git/config" % victim,
            "ln -s %s .github" % victim, "mkdir .git; chmod 0 .git; ln -s / .claude"):
        mode = stat.S_IMODE(os.lstat("/").st_mode)
        with Run(box, script=script) as run:
            run.plant()
            run.kill_all()
        result = box.run_zs("run", "--", "true").expect()
        expect(sorted(os.listdir(victim)) == ["config", "hooks"] and os.listdir(victim + "/hooks") == ["x"] and
            set_aside(box) and not any(os.path.lexists(box.work + "/" + name) for name in (".git", ".claude",
            ".github")), "%s: %s %s %s" % (script, os.listdir(victim), os.listdir(box.work), result))
        expect(stat.S_IMODE(os.lstat("/").st_mode) == mode, "the mode of / has changed")
        box.clear()


@test(needs=["sandbox"])
def a_link_that_was_there_is_put_back(box):
    box.run(["ln", "-s", "AGENTS.md", ".mcp.json"]).expect()
    with Run(box, script="rm .mcp.json; echo evil >.mcp.json") as run:
        run.plant()
        run.kill_all()
    box.run_zs("run", "--", "true").expect(stderr=["zs: protect: %s/.mcp.json: %s" % (box.work, DEAD)])
    expect(os.readlink(box.work + "/.mcp.json") == "AGENTS.md" and set_aside(box) == [".mcp.json"],
        os.listdir(box.work))


@test(needs=["sandbox"])
def what_cannot_be_moved_is_said_until_it_is_gone(box):
    with Run(box, script=PLANT + "; touch planted; chmod 500 .") as run:
        run.plant()
        wait_until(lambda: stat.S_IMODE(os.lstat(box.work).st_mode) == 0o500, "control: it is open")
        run.kill_all()
    for _ in range(2):
        # Root may rename files in any folder.
        if box.user.uid is None and os.geteuid() == 0:
            continue
        result = box.run_zs("run", "--", "echo", "ran")
        result.expect(stdout="ran\n", stderr=["%s/.mcp.json: appeared in a run whose processes were all killed, and "
            "zs cannot rename it; remove it" % box.work])
    os.chmod(box.work, 0o755)
    check_found(box, box.run_zs("run", "--", "true").expect().stderr)


@test(needs=["sandbox"])
def another_workspace_at_the_same_path_is_let_be(box):
    """As after the next start of a container: no command has made the files there."""
    with Run(box) as run:
        run.kill_all()
    box.run(["sh", "-c", "mv project old && mkdir project"], cwd=box.home).expect()
    box.run(["sh", "-c", PLANT]).expect()
    box.run_zs("run", "--", "true").expect(stderr="")
    expect(planted(box) == list(PLANTS) and not set_aside(box), "%r was moved" % (set_aside(box),))


def write_journal(box, name, text):
    path = folder_of(box) + "/" + name
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())
    return box.own(path)


def one(box):
    """The words and the name of the journal of a dead run that has planted files."""
    left_behind(box)
    file, = journals(box)
    text = words(file)
    os.unlink(file)
    return text, os.path.basename(file)


@test(needs=["sandbox"])
def what_was_made_after_the_machine_started_anew_is_let_be(box):
    text, name = one(box)
    write_journal(box, name, "\0".join([MAGIC, "another start", *text[2:]]))
    born = box.run(["stat", "-c", "%W", box.work + "/.mcp.json"]).expect().stdout.strip()
    result = box.run_zs("run", "--", "true").expect()
    # This file was made after the start of this machine. On a file system without times of birth it is moved.
    expect(not journals(box) and (born in ("0", "-") or not result.stderr and planted(box) == list(PLANTS)),
        "%s %r %s" % (born, planted(box), result))


@test(needs=["sandbox"])
def a_text_that_is_no_journal_does_no_harm(box):
    """zs prints one clear line, and the run goes on."""
    text, name = one(box)
    tree = text[text.index("tree"):text.index("tree") + 3]
    head = [MAGIC, text[1], "1", "1"]
    damaged = ["", "x", "x" * 200, MAGIC, ["zs-journal 2", *text[1:]], [*head, ""],
        [*head, "absent", ".git", "end", ""],
        [*head, *tree, "absent", "../x", "end", ""], [*head, *tree, "absent", "/etc", "end", ""],
        [*head, *tree, "absent", "", "end", ""], [*head, *tree, "absent", "a/./b", "end", ""],
        [*head, *tree, "absent", ".git", ""], [*head, *tree, "absent", ".git", "end"],
        [*head, *tree, "link", ".git", "end", ""], [*head, *tree, "absent", ".git", "end", "end", ""],
        [*head, *tree, "absent", "x" * 256, "end", ""], [*head, *tree, "other", ".git", "end", ""],
        [*head, "tree", "relative", "1", "end", ""], [MAGIC, text[1], "-1", "1", *tree, "end", ""],
        [MAGIC, text[1], "99999999999", "1", *tree, "end", ""], [MAGIC, text[1], "1", "9" * 30, *tree, "end", ""],
        b"\xff\0" * 9]
    for content in damaged:
        path = write_journal(box, name, "\0".join(content) if isinstance(content, list) else content)
        result = box.run_zs("run", "--", "echo", "ran").expect(stdout="ran\n",
            stderr=["zs: journal: %s: is not a journal of this version of zs; look for a new .git, " % name])
        expect(result.stderr.count("\n") == 1 and journals(box) == [path] and planted(box) == list(PLANTS),
            "%r: %s" % (content, result))
    # More than any run writes, links, and other things.
    os.truncate(path, BYTES_MAX + 1)
    box.run_zs("run", "--", "true").expect(stderr=["is not a journal"])
    os.unlink(path)
    os.symlink(box.key, path)
    box.run_zs("run", "--", "true").expect(stderr="")
    os.unlink(path)
    os.mkfifo(path)
    box.own(path)
    box.run_zs("run", "--", "true").expect(stderr=["is not a journal"])
    os.unlink(path)
    # As many bytes as a journal may have.
    filler = "\0".join(["absent", "x" * 200]) + "\0"
    start, end = "\0".join([*head, *tree]) + "\0", "absent\0.mcp.json\0end\0"
    room = BYTES_MAX - len(start) - len(end)
    count = room // len(filler) - 1
    rest = "\0".join(["absent", "/".join(["y" * 160, "z" * (room - count * len(filler) - 169)])]) + "\0"
    write_journal(box, name, start + filler * count + rest + end)
    expect(os.path.getsize(folder_of(box) + "/" + name) == BYTES_MAX,
        "control: %d bytes" % os.path.getsize(folder_of(box) + "/" + name))
    box.run_zs("run", "--", "true").expect(stderr=["/.mcp.json: " + DEAD])


@test(needs=["sandbox"])
def a_name_is_printed_without_its_controls(box):
    text, name = one(box)
    tree = text[text.index("tree"):text.index("tree") + 3]
    box.file("home/project/a\n\x1b[31mb")
    write_journal(box, name, "\0".join([*text[:4], *tree, "absent", "a\n\x1b[31mb", "end", ""]))
    result = box.run_zs("run", "--", "true").expect(stderr=["/a\\x0a\\x1b[31mb: appeared in"])
    expect(result.stderr.count("\n") == 1 and "\x1b" not in result.stderr, repr(result.stderr))


@test(needs=["sandbox"])
def a_run_that_is_still_ending_is_awaited(box):
    text, name = one(box)
    with subprocess.Popen(["sleep", "60"]) as rest:
        ticks = str(int(time.clock_gettime(time.CLOCK_BOOTTIME) * os.sysconf("SC_CLK_TCK")) + 1)
        path = write_journal(box, name, "\0".join([*text[:2], str(rest.pid), ticks, *text[4:]]))
        begin = time.monotonic()
        box.run_zs("run", "--", "echo", "ran").expect(stdout="ran\n", stderr=["zs: journal: %s: its run was killed, "
            "and some of its processes are left; the next run in this workspace checks the files that they "
            "leave\n" % name])
        took = time.monotonic() - begin
        expect(2 <= took < 30 and planted(box) == list(PLANTS) and journals(box) == [path],
            "%.1f s, %r, %r" % (took, planted(box), journals(box)))
        # A younger process that has the same number now does not belong to the run.
        write_journal(box, name, "\0".join([*text[:2], str(rest.pid), "1", *text[4:]]))
        check_found(box, box.run_zs("run", "--", "true").expect().stderr)
        rest.kill()


@test(needs=["sandbox", "git"])
def more_names_than_a_journal_holds_are_said(box):
    """Files that agents would obey in each repository, far down."""
    for i in range(20):
        path = os.path.join(box.work, *["x" * 240] * 4, str(i))
        box.run(["git", "init", "-q", path]).expect()
    result = box.run_zs("run", "--", "echo", "ran").expect(stdout="ran\n", stderr=[
        "zs: journal: there is no room for every protected name; if zs is killed during this run, no later run "])
    expect(result.stderr.count("\n") == 1 and not journals(box), "%s %r" % (result, journals(box)))


@test(needs=["sandbox"])
def where_the_journal_is(box):
    own = "/zs-%d" % (os.geteuid() if box.user.uid is None else box.user.uid)
    state, runtime, tmp = box.folder("state", 0o700), box.folder("run", 0o700), box.folder("tmp")
    forged = box.folder("forged", 0o777)
    box.folder("forged/zs/journal", 0o777)
    plain = {"PATH": box.env["PATH"]}
    for name in ("", "/zs", "/zs/journal"):
        box.folder("home/project/state" + name, 0o700)

    def place(env):
        with Run(box, env=env):
            files = [file for path in (folder_of(box), state + "/zs/journal", forged + "/zs/journal", runtime + "/zs",
                tmp + own, box.work + "/state/zs/journal") for file in glob.glob(path + "/run-*")]
        for file in files:
            os.unlink(file)
        return [os.path.dirname(file) for file in files]

    for env, wanted in (
            ({**box.env, "XDG_STATE_HOME": state}, state + "/zs/journal"),
            (box.env, folder_of(box)),
            # Commands of earlier runs could have written a journal in the workspace.
            ({**box.env, "XDG_STATE_HOME": box.work + "/state", "TMPDIR": tmp}, tmp + own),
            # Other users could have written one in a folder that they can write.
            ({**box.env, "XDG_STATE_HOME": forged, "TMPDIR": tmp}, tmp + own),
            # No HOME, as in many containers.
            ({**plain, "XDG_RUNTIME_DIR": runtime}, runtime + "/zs"),
            ({**plain, "TMPDIR": tmp}, tmp + own),
            # A folder that cannot be made.
            ({**box.env, "XDG_STATE_HOME": "/proc/1", "TMPDIR": tmp}, tmp + own)):
        expect(place(env) == [wanted], "%r: %r, not %s" % (env, place(env), wanted))
    box.run_zs("run", "--", "echo", "ran", env={**plain, "TMPDIR": "/proc/1"}).expect(stdout="ran\n",
        stderr=["zs: journal: ", "zs cannot check which files killed runs have left, or this one if it is killed; let "
            "XDG_STATE_HOME name a folder of yours"])


@test(needs=["sandbox"])
def an_overlay_needs_no_journal_of_its_names(box):
    """The names are gone with the overlay."""
    for options in ([], ["--verify"]):
        process = box.start([box.zs, "run", *options, "--", "sh", "-c", "echo up; sleep 60"], text=True, stderr=None)
        expect(process.stdout.readline() == "up\n", "it does not run")
        noted = [word for file in journals(box) for word in words(file)]
        process.terminate()
        process.communicate()
        if (".mcp.json" in noted) == bool(options):
            raise Failure("%s: %s" % (options or "control", noted))
