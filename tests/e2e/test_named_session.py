"""zs run --session: what a command leaves behind lives on in the session, and ends with it."""

import contextlib
import glob
import json
import os
import pty
import select
import signal
import socket
import stat
import struct
import subprocess
import time

from harness import TIMEOUT, Failure, expect, expect_fields, read, test
from no_namespaces import no_namespaces, without
from own_sessions import end, own_sessions, sessions
from processes import asleep, new_mark, state, wait_asleep, wait_until

SERVE = "python3 -m http.server --bind 127.0.0.1 %d >/tmp/log 2>&1 & "
FETCH = ("python3 -c \"import urllib.request as u; "
    "print(u.build_opener(u.ProxyHandler({})).open('http://127.0.0.1:%d/', timeout=9).status)\"")
UP = "i=0; while ! %s >/tmp/up 2>&1; do sleep 0.05; i=$((i+1)); test $i -lt 100 || exit 9; done"
# Until the watch has seen it.
MADE = "mkdir .git; i=0; while test -e .git; do sleep 0.05; i=$((i+1)); test $i -lt 600 || exit 9; done; "
ABSENT = "zs: session: %s: there is no such session in this workspace"
# named_message.h
PROTOCOL, HELLO, SHOW, ANSWER = 7, "III65s3x", 2, "IiqiiiIIII4096s4x"


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def in_session(box, script, *options, name="dev", **more):
    return box.run_zs("run", "--session", name, *options, "--", "sh", "-c", script, **more)


def sockets(box):
    return glob.glob(os.path.join(box.env["XDG_RUNTIME_DIR"], "zs", "named-*"))


@test(needs=["sandbox"])
def a_server_answers_the_next_command(box):
    port = free_port()
    with own_sessions(box):
        # Control: without a session it is gone.
        box.run_zs("run", "--", "sh", "-c", SERVE % port + UP % (FETCH % port)).expect(exit=0)
        box.run_zs("run", "--", "sh", "-c", FETCH % port).expect(exit=1)
        in_session(box, SERVE % port + UP % (FETCH % port)).expect(exit=0, stdout="", stderr="")
        in_session(box, FETCH % port).expect(exit=0, stdout="200\n")
        in_session(box, "grep -c GET /tmp/log").expect(exit=0)
        # Outside, and in other runs, the network is another one.
        box.run_zs("run", "--", "sh", "-c", FETCH % port).expect(exit=1)
        expect(box.run(["sh", "-c", FETCH % port]).exit == 1, "the session's network is its own")
        shown = sessions(box)
        expect(len(shown) == 1, shown)
        expect_fields(shown[0], {"name": "dev", "workspace": box.work, "processes": 1})
        end(box).expect(exit=0, stdout="", stderr="")
        expect(not sessions(box) and not sockets(box), "the session is left")
        in_session(box, FETCH % port).expect(exit=1)


@test(needs=["sandbox"])
def all_processes_end_with_it(box):
    with own_sessions(box):
        mark = new_mark()
        script = "setsid sleep %s >/dev/null 2>&1 & trap '' TERM HUP; sleep %s & true"
        in_session(box, script % (mark, mark)).expect(exit=0)
        wait_asleep(mark, 2)
        end(box).expect(exit=0)
        expect(not asleep(mark), "a process is left")
        end(box).expect(exit=1, stderr=[ABSENT % "dev"])


@test(needs=["sandbox"])
def the_command_is_as_in_a_run(box):
    with own_sessions(box):
        in_session(box, "exit 7").expect(exit=7, stdout="", stderr="")
        in_session(box, "kill -9 $$").expect(exit=137)
        in_session(box, "echo out; echo err >&2").expect(exit=0, stdout="out\n", stderr="err\n")
        done = in_session(box, "cat", stdin="in\n" * 50000).expect(exit=0)
        expect(done.stdout == "in\n" * 50000, "the input", len(done.stdout))
        big = "x" * 100000
        done = box.run_zs("run", "--session", "dev", "--", "printf", "%s", big).expect(exit=0)
        expect(done.stdout == big, "a long word")
        box.run_zs("run", "--session", "dev", "--", "no-such-program").expect(
            exit=127, stderr="zs: exec: no-such-program: no such file or directory\n")
        sub = box.folder("home/project/sub")
        in_session(box, "pwd", "--workspace", box.work, "--chdir", "sub").expect(exit=0, stdout=sub + "\n")
        # Each command has its caller's variables, as far as they pass.
        for value in ("1", "2"):
            done = in_session(box, "echo $LANG$SECRET", add_env={"LANG": value, "SECRET": "x"})
            done.expect(exit=0, stdout=value + "\n")
        # The same /tmp, and the same protections.
        in_session(box, "echo kept >/tmp/kept").expect(exit=0)
        in_session(box, "cat /tmp/kept").expect(exit=0, stdout="kept\n")
        in_session(box, "cat %s/.ssh/id_ed25519" % box.home).expect(exit=1, stdout="")
        in_session(box, "echo x >%s/x" % box.outside).expect(exit=2)


@test(needs=["sandbox"])
def another_policy_is_refused(box):
    with own_sessions(box):
        in_session(box, "true").expect(exit=0)
        for options in (("--ro", box.outside), ("--limit", "files=100"), ("--idle", "9m"), ("--net", "full")):
            done = in_session(box, "echo ran", *options).expect(exit=64, stdout="")
            done.expect_text("stderr", done.stderr, ["was started with another policy or other options", "zs end dev"])
        in_session(box, "git init -q . 2>/dev/null; mkdir -p a/b; echo x >a/b/c").expect(exit=0)
        in_session(box, "cat a/b/c").expect(exit=0, stdout="x\n")
        # The name belongs to the workspace.
        other = box.folder("home/other")
        in_session(box, "pwd", cwd=other).expect(exit=0, stdout=other + "\n")
        expect(len(sessions(box)) == 2, sessions(box))
        end(box, cwd=other).expect(exit=0)
        in_session(box, "pwd").expect(exit=0, stdout=box.work + "\n")
        end(box, "dev").expect(exit=0)


@test(needs=["sandbox"])
def wrong_words_are_refused(box):
    with own_sessions(box):
        for name in ("", ".", "../x", "a/b", "a b", "-x", "a" * 33, "a\nb", "é"):
            in_session(box, "true", name=name).expect(exit=64, stdout="")
        in_session(box, "true", name="a" * 32).expect(exit=0)
        end(box, "a" * 32).expect(exit=0)
        for options in (("--verify",), ("--diff",), ("--apply",), ("--ask",)):
            in_session(box, "true", *options).expect(exit=64, stdout="", stderr=["--session: goes with none of"])
        box.run_zs("run", "--idle", "1s", "--", "true").expect(exit=64)
        in_session(box, "true", "--idle", "soon").expect(exit=64)
        box.run_zs("end").expect(exit=64)
        box.run_zs("end", "--list", "dev").expect(exit=64)
        expect(not sessions(box), sessions(box))


@test(needs=["sandbox"])
def a_session_that_cannot_be_enforced_runs_nothing(box):
    with own_sessions(box):
        done = in_session(box, "echo ran", "--limit", "tmp=1000000G").expect(exit=125, stdout="")
        expect("zs: disk: /var/tmp" in done.stderr, done)
        expect(not sessions(box) and not sockets(box), "the session is left")


@test(needs=["sandbox"])
def it_ends_with_the_agent(box):
    with own_sessions(box):
        mark = new_mark()
        # python3 is the agent; it starts a shell for this one command, as agents do.
        agent = ("import subprocess, sys; "
            "subprocess.run(['setsid', 'sh', '-c', '\"$0\" \"$@\"; true', *sys.argv[1:]]); "
            "print('ready', flush=True); sys.stdin.read()")
        process = box.start(["python3", "-c", agent, box.zs, "run", "--session", "dev", "--", "sh", "-c",
            "sleep %s >/dev/null 2>&1 & true" % mark])
        expect(process.stdout.readline() == b"ready\n", "the agent")
        wait_asleep(mark)
        time.sleep(0.3)
        expect(len(asleep(mark)) == 1 and len(sessions(box)) == 1, "it ended with the shell")
        process.kill()
        process.communicate()
        wait_until(lambda: not asleep(mark) and not sockets(box), "it has ended")


@test(needs=["sandbox"])
def it_ends_when_nobody_uses_it(box):
    with own_sessions(box):
        mark = new_mark()
        # A command that runs is use: it finds its process alive when the time is over.
        script = "sleep %s >/dev/null 2>&1 & sleep 1.5; kill -0 $! && echo lives"
        in_session(box, script % mark, "--idle", "1s").expect(exit=0, stdout="lives\n")
        wait_until(lambda: not asleep(mark) and not sockets(box), "it has ended")


def supervisor_of(box):
    ask = knock(sockets(box)[0], "struct.unpack(%r, s.recv(9999))[3]" % ANSWER)
    return int(box.run(["python3", "-c", ask]).expect(exit=0).stdout)


def parent_of(pid):
    return int(read("/proc/%d/stat" % pid).rsplit(")", 1)[1].split()[1])


def stopped_in_time(box, idle):
    """A session that nobody uses, and its daemon, which is stopped before the time is over."""
    for _ in range(20):
        in_session(box, "echo kept >/tmp/kept", *idle).expect(exit=0)
        with contextlib.suppress(Failure, OSError, IndexError):
            daemon = parent_of(supervisor_of(box))
            os.kill(daemon, signal.SIGSTOP)
            wait_until(lambda: state(daemon) in "TZ", "it goes on")
            if state(daemon) == "T" and sockets(box):
                return daemon
    raise Failure("the session always ends too soon")


@test(needs=["sandbox"])
def who_comes_when_the_time_is_over_is_served(box):
    """The daemon learns of both at once."""
    idle = ("--idle", "3s")
    with own_sessions(box):
        daemon = stopped_in_time(box, idle)
        path, = sockets(box)
        run = box.start([box.zs, "run", "--session", "dev", *idle, "--", "cat", "/tmp/kept"])
        try:
            # The socket that listens, and the end of the connection that waits there.
            wait_until(lambda: read("/proc/net/unix").count(os.path.basename(path)) == 2, "nobody has come")
            time.sleep(3.1)
        finally:
            os.kill(daemon, signal.SIGCONT)
        out, err = run.communicate(timeout=TIMEOUT)
        expect((out, err, run.returncode) == (b"kept\n", b"", 0), out, err, run.returncode)


@test(needs=["sandbox"])
def a_limit_ends_it_and_says_so(box):
    with own_sessions(box):
        done = in_session(box, "sleep 100", "--limit", "wall=4s").expect(exit=137)
        expect("zs: wall limit 4s reached\n" in done.stderr, done)
        expect("zs: session dev has ended, and the command with it\n" in done.stderr, done)
        expect(not sessions(box), sessions(box))


@test(needs=["sandbox"])
def signals_reach_the_command(box):
    with own_sessions(box):
        script = "trap 'echo got; exit 5' %s; echo ready; while :; do sleep 0.05; done"
        for number, name in ((signal.SIGINT, "INT"), (signal.SIGTERM, "TERM"), (signal.SIGUSR1, "USR1")):
            run = box.start([box.zs, "run", "--session", "dev", "--", "bash", "-c", script % name])
            expect(run.stdout.readline() == b"ready\n", "ready")
            run.send_signal(number)
            out, err = run.communicate(timeout=TIMEOUT)
            expect((out, run.returncode) == (b"got\n", 5), name, out, err, run.returncode)
        # A client that is killed takes its command along, and nothing else.
        kept, lost = new_mark(), new_mark()
        in_session(box, "sleep %s >/dev/null 2>&1 & true" % kept).expect(exit=0)
        wait_asleep(kept)
        run = box.start([box.zs, "run", "--session", "dev", "--", "sh", "-c", "sleep %s; true" % lost])
        wait_until(lambda: asleep(lost), "it runs")
        run.kill()
        run.communicate()
        wait_until(lambda: not asleep(lost), "it has ended")
        expect(len(asleep(kept)) == 1, "the other goes on")


@test(needs=["sandbox"])
def a_reader_that_goes_ends_the_command(box):
    with own_sessions(box):
        box.run(["sh", "-c", '"$0" run --session dev -- yes | head -1', box.zs]).expect(exit=0, stdout="y\n")
        wait_until(lambda: sessions(box)[0]["processes"] == 0, "yes has ended")


@test(needs=["sandbox"])
def what_is_left_behind_can_go_on_writing(box):
    with own_sessions(box):
        # More than a pipe holds, to the client's own output, after the client has gone.
        script = "(sleep 0.3; head -c 1000000 /dev/zero && echo done >kept) & echo started"
        in_session(box, script).expect(exit=0, stdout="started\n")
        wait_until(lambda: os.path.exists(box.work + "/kept"), "it goes on")
        # The client does not wait for what never ends.
        in_session(box, "yes & sleep 0.1").expect(exit=0)


@test(needs=["sandbox"])
def the_command_has_no_terminal_to_keep(box):
    with own_sessions(box):
        in_session(box, "true").expect(exit=0)
        leader, follower = pty.openpty()
        box.own(os.ttyname(follower))
        run = box.start([box.zs, "run", "--session", "dev", "--", "sh", "-c",
            "ls -l /proc/self/fd | grep -c /dev/pts; "
            "test -t 0 || test -t 1 || test -t 2 || echo none; read x; echo $x"],
            stdin=follower, stdout=follower, stderr=follower)
        os.close(follower)
        os.write(leader, b"typed\n")
        text = b""
        while select.select([leader], [], [], TIMEOUT)[0]:
            with contextlib.suppress(OSError):
                part = os.read(leader, 4096)
                text += part
                if part:
                    continue
            break
        expect(run.wait(TIMEOUT) == 0 and text.replace(b"\r", b"").endswith(b"0\nnone\ntyped\n"), text)
        os.close(leader)


@test(needs=["sandbox"])
def two_that_start_it_at_once_share_it(box):
    with own_sessions(box):
        runs = [box.start([box.zs, "run", "--session", "dev", "--", "sh", "-c", "echo x >>/tmp/all; sleep 0.2"])
            for _ in range(6)]
        for run in runs:
            run.communicate(timeout=TIMEOUT)
            expect(run.returncode == 0, run.returncode)
        in_session(box, "wc -l </tmp/all").expect(exit=0, stdout="6\n")
        expect(len(sessions(box)) == 1, sessions(box))


@test(needs=["sandbox"])
def a_session_runs_so_many_commands_at_a_time(box):
    most = 32  # ZS_NAMED_CLIENTS_MAX
    with own_sessions(box):
        runs = [box.start([box.zs, "run", "--session", "dev", "--", "sh", "-c", "echo; cat"]) for _ in range(most)]
        for run in runs:
            run.stdout.readline()
        in_session(box, "true").expect(exit=125, stderr=["runs 32 commands already"])
        for run in runs:
            run.communicate(b"", timeout=TIMEOUT)
        wait_until(lambda: in_session(box, "true").exit == 0, "there is room again")


@test(needs=["sandbox"])
def a_lost_protection_ends_it_and_is_told(box):
    hidden, other = box.folder("home/project/hidden"), box.folder("home/project/other")
    with own_sessions(box):
        # The command that meets a repair of the watch tells of it, or on a busy machine the next one.
        told = in_session(box, MADE + "sleep 0.3", "--hide", hidden).expect(exit=0).stderr
        deadline = time.monotonic() + TIMEOUT
        while not told and time.monotonic() < deadline:
            told = in_session(box, "sleep 0.3", "--hide", hidden).expect(exit=0).stderr
        expect("zs: protect: %s/.git: appeared while a command ran" % box.work in told, told)
        in_session(box, "true", "--hide", hidden).expect(exit=0, stderr="")
        run = box.start([box.zs, "run", "--session", "dev", "--hide", hidden, "--", "sh", "-c", "echo up; sleep 20"])
        expect(run.stdout.readline() == b"up\n", "it runs")
        os.rename(other, hidden)
        out, err = run.communicate(timeout=TIMEOUT)
        expect(run.returncode == 122, err, run.returncode)
        expect(b"a program outside has" in err and b"session dev has ended" in err, err)
        expect(not sessions(box), sessions(box))


# ------------------------------------------------------------------------------------------------------- attacks


def knock(path, answer="len(s.recv(9999))"):
    """The text of a program that asks the daemon at path for its workspace, and prints the answer's length."""
    return ("import socket, struct; s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET); s.connect(%r); "
        "s.send(struct.pack(%r, %d, %d, 0, b'')); print(%s)" % (path, HELLO, PROTOCOL, SHOW, answer))


@test(needs=["sandbox"])
def no_run_reaches_the_daemon(box):
    with own_sessions(box) as runtime:
        in_session(box, "true").expect(exit=0)
        path, = sockets(box)
        expect(stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700, "the folder")
        expect(stat.S_IMODE(os.stat(path).st_mode) == 0o600, "the socket")
        attack = ["python3", "-c", knock(path)]
        # Control: an unconfined process of the user gets an answer.
        box.run(attack).expect(exit=0, stdout="%d\n" % struct.calcsize(ANSWER))
        for options in ((), ("--ro", runtime), ("--rw", runtime)):
            done = box.run_zs("run", *options, "--", *attack)
            expect(done.exit == 1 and done.stdout == "", options, done)
            done = in_session(box, "true")
        # A run that is granted the very socket is known to be confined.
        for options, more in ((("--without", "sockets"), {}),
                (without(box, "sockets"), {"preexec_fn": no_namespaces})):
            done = box.run_zs("run", "--socket", path, *options, "--", *attack, **more)
            expect(done.exit in (0, 1) and done.stdout in ("", "0\n"), options, done)
        expect(len(sessions(box)) == 1, "the session goes on")


@test(needs=["sandbox"])
def a_client_speaks_with_no_confined_daemon(box):
    listen = ("import os, socket, sys; os.path.exists(%r) and os.remove(%r); "
        "s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET); s.bind(%r); s.listen(); print('up', flush=True); "
        "s.settimeout(30); c = s.accept()[0]; print(len(c.recv(9999)), flush=True)")
    with own_sessions(box) as runtime:
        in_session(box, "true").expect(exit=0)
        path, = sockets(box)
        end(box).expect(exit=0)
        # A run that is granted the folder, and may bind sockets, could do this. It has more filters, too.
        script = listen % (path, path, path)
        for confined in (False, True):
            run = box.start(["python3", "-c", script], **({"preexec_fn": no_namespaces} if confined else {}))
            expect(run.stdout.readline() == b"up\n", "it listens")
            client = box.start([box.zs, "run", "--session", "dev", "--", "true"])
            out, err = run.communicate(timeout=TIMEOUT)
            # Control: one that is not confined gets the client's message.
            expect((out in (b"", b"0\n")) == confined, confined, out, err)
            client.communicate(timeout=TIMEOUT)
            expect(client.returncode == 125, client.returncode)
            os.remove(path)


@test(needs=["sandbox"])
def a_planted_place_is_refused(box):
    attack = box.folder("outside/place", 0o700)
    with own_sessions(box) as runtime:
        os.symlink(attack, runtime + "/zs")
        in_session(box, "echo ran").expect(exit=125, stdout="", stderr=["is not a folder, but a link or a file"])
        os.remove(runtime + "/zs")
        os.mkdir(runtime + "/zs", 0o755)
        os.chmod(runtime + "/zs", 0o755)
        box.own(runtime + "/zs")
        in_session(box, "echo ran").expect(exit=125, stdout="", stderr=["is open to other users"])
        os.chmod(runtime + "/zs", 0o700)
        in_session(box, "echo ran").expect(exit=0, stdout="ran\n")
        expect(os.listdir(attack) == [], "the link was followed")
    # A command could have made what lies in the workspace.
    box.env["XDG_RUNTIME_DIR"] = box.work
    in_session(box, "echo ran").expect(exit=125, stdout="", stderr=["lies in the workspace"])
    del box.env["XDG_RUNTIME_DIR"]


@test(needs=["sandbox"])
def the_server_can_be_ended_but_not_read(box):
    with own_sessions(box):
        find = ("for p in /proc/[0-9]*; do "
            "grep -qzx -- --named-session-server $p/cmdline 2>/dev/null && echo ${p#/proc/}; done; true")
        server = in_session(box, find).expect(exit=0).stdout.split()[0]
        in_session(box, "readlink /proc/%s/fd/0" % server).expect(exit=1, stdout="")
        in_session(box, "cat /proc/%s/environ" % server).expect(exit=1, stdout="")
        # One that is stopped does not keep the session from ending.
        mark = new_mark()
        in_session(box, "sleep %s >/dev/null 2>&1 & kill -STOP %s" % (mark, server)).expect(exit=0)
        wait_asleep(mark)
        end(box).expect(exit=0)
        # The supervisor is killed then, and the kernel ends its run.
        wait_until(lambda: not asleep(mark), "a process is left")
        # One that is killed is the end of the session.
        done = in_session(box, "kill -9 $(%s | head -1); sleep 100" % find).expect(exit=137)
        expect("session dev has ended" in done.stderr, done)
        expect(not sessions(box), sessions(box))


@test(needs=["sandbox"])
def the_end_of_the_daemon_is_the_end_of_all(box):
    with own_sessions(box):
        mark = new_mark()
        in_session(box, "sleep %s >/dev/null 2>&1 & true" % mark).expect(exit=0)
        wait_asleep(mark)
        os.kill(parent_of(supervisor_of(box)), signal.SIGKILL)
        wait_until(lambda: not asleep(mark), "all have ended")
        # The socket that it has left is no hindrance.
        in_session(box, "echo again").expect(exit=0, stdout="again\n")


@test(needs=["sandbox"])
def without_namespaces_too(box):
    with own_sessions(box):
        mark = new_mark()
        options = without(box)
        more = {"preexec_fn": no_namespaces}
        script = "echo x >$TMPDIR/kept; sleep %s >/dev/null 2>&1 & true" % mark
        in_session(box, script, *options, **more).expect(exit=0)
        in_session(box, "cat $TMPDIR/kept", *options, **more).expect(exit=0, stdout="x\n")
        wait_asleep(mark)
        end(box, **more).expect(exit=0)
        expect(not asleep(mark), "it has ended")
