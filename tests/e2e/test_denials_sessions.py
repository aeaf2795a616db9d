"""Refused accesses of commands in a named session or a box: each client gets the records of its own command, whatever
the other commands do, and a command can neither hide, forge nor flood one."""

import json
import os
import re
import signal
import time

from boxes import as_json, create, daemon_of, inside, own_place
from denial_cases import collected, places, python, run
from harness import REPOSITORY, TIMEOUT, expect, test
from no_namespaces import no_namespaces, without
from own_sessions import end, own_sessions
from processes import children, wait_until

# A process that outlives the shell that has started it, and its parents.
APART = "(setsid sh -c %r &) ; "
UNTIL = "while ! test -e %s; do sleep 0.01; done; "


def rows_of(rows):
    return [(row["kind"], row["path"], row["errno"], row["option"], row["value"]) for row in rows]


def refused_in(box, script, *options):
    rows, last, result = run(box, script, "--session", "s", *options)
    return rows_of(rows), last, result


@test(needs=["sandbox"])
def a_command_of_a_session_is_as_one_without(box):
    tree = places(box)
    made = ("write", tree + "/made", 30, "--rw", tree)
    with own_sessions(box):
        for script, want in (
                ("mkdir %s/made" % tree, [made]), ("mkdir %s/made; true" % tree, [made]), ("true", []),
                ("echo >%s/file" % tree, [("write", tree + "/file", 30, "--rw", tree + "/file")]),
                ("%s/program" % tree, [("exec", tree + "/program", 13, "--exec", tree + "/program")]),
                ("rm %s/x/y; exit 1" % tree, []), # which fails outside, too
                ("unshare -U true", [("system call", "unshare", 1, None, None)])):
            for _ in range(2):
                rows, last, _ = refused_in(box, script, "--ro", tree)
                expect(rows == want and not last["others"] and not last["blind"], script, rows, last)
        options = ["run", "--session", "s", "--ro", tree]
        box.run_zs(*options, "--denials", "--", "mkdir", tree + "/made").expect(exit=1,
            stderr=re.compile("\nzs: denied write %s/made: granted only to read; --rw %s\n$" % (tree, tree)))
        box.run_zs(*options, "--denials", "--", "sh", "-c", "mkdir %s/made 2>&-; true" % tree).expect(exit=0, stderr="")
        box.run_zs(*options, "--", "sh", "-c", "mkdir %s/made 2>&-; exit 2" % tree).expect(exit=2, stderr="")
        # A model does not learn whether the name exists.
        box.run_zs("run", "--session", "s", "--ro", tree, "--denials-to-model", "--", "sh", "-c",
            "exec 2>&-; echo >%s/x" % box.outside).expect(exit=2, stderr=re.compile(
            "^zs: denied write %s: not granted; zs why names the option\n$" % box.outside))
        # The option makes it work, in a session that has it.
        end(box, "s").expect(exit=0)
        refused_in(box, "mkdir %s/made" % tree, "--rw", tree)[2].expect(exit=0)
        # A session that is not reached, or is another one: the list is empty, and nothing ran.
        path = os.path.join(box.outside, "denials")
        box.run_zs("run", "--session", "s", "--denials=" + path, "--", "touch", "ran").expect(exit=64)
        rows, last = collected(path)
        expect(not rows and last["status"] == 125 and not os.path.exists(box.work + "/ran"), rows, last)


@test(needs=["sandbox"])
def the_last_record_is_never_late(box):
    """A command's last call is refused, and the command ends at once."""
    tree = places(box)
    with own_place(box):
        name = create(box, "--ro", tree)
        for i in range(60):
            line = json.loads(box.run_zs("box", "exec", name, "--json", "--", "mkdir", "%s/%d" % (tree, i)).stdout)
            expect(rows_of(line["denials"]) == [("write", "%s/%d" % (tree, i), 30, "--rw", tree)], line)


@test(needs=["sandbox"])
def a_box_tells_as_json(box):
    tree = places(box)
    with own_place(box):
        name = create(box, "--ro", tree)
        line = as_json(box, name, "mkdir %s/made 2>&-; exit 3" % tree, exit=3)
        expect(rows_of(line["denials"]) == [("write", tree + "/made", 30, "--rw", tree)] and
            line["denials"][0]["decisive"], line)
        expect(as_json(box, name, "true")["denials"] == [], "nothing was refused")
        line = as_json(box, name, "true", "--cwd", "/no/such", exit=125)
        line = json.loads(inside(box, "0" * 16, "true", "--json").expect(exit=125).stdout)
        expect(line["denials"] is None, "there is no such box", line)
        script = ("import os, sys; sys.path.insert(0, %r)\nfrom zs_sandbox import *\n"
            "with Box(Policy(%r, read=[%r]), zs=%r) as box: print([(row.path, row.value) for row in "
            "box.exec(['mkdir', %r]).denials])" % (os.path.join(REPOSITORY, "bindings/python"), box.work, tree, box.zs,
            tree + "/made"))
        box.run(["python3", "-B", "-c", script]).expect(exit=0, stdout="%r\n" % [(tree + "/made", tree)])


@test(needs=["sandbox"])
def hosts_go_to_a_command_that_runs_alone(box):
    ask = "python3 -c 'import socket; socket.getaddrinfo(\"%s.example\", 80)' 2>&-; "
    with own_place(box):
        for options in ((), ("--host", "example.org")):
            name = create(box, *options)
            for i in range(3):
                line = as_json(box, name, ask % i + "true")
                asked = {(row["kind"], row["value"]) for row in line["denials"]}
                expect(asked == {("resolve", "%d.example" % i)}, line)
            # With two at once it is not known whose they are.
            other = box.start([box.zs, "box", "exec", name, "--json", "--", "sh", "-c", "echo begun >two; " +
                UNTIL % "end"])
            wait_until(lambda: os.path.exists(box.work + "/two"), "it begins")
            line = as_json(box, name, ask % "a" + "touch end")
            second = json.loads(other.communicate(timeout=TIMEOUT)[0])
            for each in (line, second):
                expect(each["denials"] == [] and each["denials_others"] > 0, line, second)
            os.remove(box.work + "/two")
            os.remove(box.work + "/end")


@test(needs=["sandbox"])
def two_at_once_have_their_own(box):
    """Also of what a command starts aside, while the command runs; but not of what it leaves behind."""
    tree = places(box)
    refuse = "mkdir %s/%%s 2>&-; " % tree
    with own_place(box):
        name = create(box, "--ro", tree)
        first = box.start([box.zs, "box", "exec", name, "--json", "--", "sh", "-c", refuse % "first" + "touch one; " +
            UNTIL % "two" + APART % (refuse % "aside" + "touch aside; ") + UNTIL % "aside" +
            APART % (UNTIL % "over" + refuse % "left" + "touch done") + refuse % "last" + "exit 1"])
        wait_until(lambda: os.path.exists(box.work + "/one"), "the first has begun")
        line = as_json(box, name, refuse % "second" + "touch two; " + UNTIL % "aside")
        out = json.loads(first.communicate(timeout=TIMEOUT)[0])
        expect([row["path"] for row in line["denials"]] == [tree + "/second"], line)
        expect([row["path"] for row in out["denials"]] == [tree + "/" + each for each in ("first", "aside", "last")],
            out)
        line = as_json(box, name, "touch over; " + UNTIL % "done")
        expect(line["denials"] == [] and line["denials_others"] == 0, line)


@test(needs=["sandbox"])
def a_limit_that_ends_the_session_is_told(box):
    path = os.path.join(box.outside, "denials")
    with own_sessions(box):
        box.run_zs("run", "--session", "s", "--limit", "wall=3s", "--denials=" + path, "--", "sleep", "100").expect(
            exit=137)
        rows, last = collected(path)
        expect([(row["kind"], row["option"]) for row in rows] == [("limit", "--limit")] and last["status"] == 137,
            rows, last)


@test(needs=["sandbox"])
def without_namespaces_it_says_that_it_cannot(box):
    tree = places(box)
    options = without(box)
    with own_place(box):
        name = create(box, *options, preexec_fn=no_namespaces)
        began = time.monotonic()
        line = as_json(box, name, "mkdir %s/x 2>&-" % tree, exit=1, preexec_fn=no_namespaces)
        expect(line["denials"] == [] and line["denials_blind"] and time.monotonic() - began < 2, line)


# ------------------------------------------------------------------------------------------------------ attacks


@test(needs=["sandbox"])
def the_commands_cannot_write_the_file(box):
    with own_sessions(box):
        os.mkdir(box.outside + "/real")
        box.own(box.outside + "/real")
        os.symlink(box.outside + "/real", box.work + "/link")
        for path in ("denials", box.work + "/denials", "link/denials"):
            box.run_zs("run", "--session", "s", "--denials=" + path, "--", "touch", "ran").expect(exit=64, stdout="")
            expect(not os.path.exists(path) and not os.path.exists(box.work + "/ran"), path)
        expect(os.listdir(box.work) == ["link"] and not os.listdir(box.outside + "/real"), os.listdir(box.work))


@test(needs=["sandbox"], slow=True)
def a_flood_is_of_one_command_alone(box):
    """The other one gets all of its records, and no more, while the first is refused without end."""
    tree = places(box)
    flood = python("import os\nfor i in range(20000):\n    try: os.mkdir('%s/x%%d' %% i)\n    except OSError: pass\n"
        "    if i == 2000: open('begun', 'w')\n    if i == 19000: open('ending', 'w')" % tree)
    with own_place(box):
        name = create(box, "--ro", tree)
        process = box.start([box.zs, "box", "exec", name, "--json", "--", "sh", "-c", flood])
        wait_until(lambda: os.path.exists(box.work + "/begun"), "it floods")
        for i in range(20):
            line = as_json(box, name, "mkdir %s/own%d 2>&-; mkdir %s/second 2>&-; test -e ending" % (tree, i, tree),
                exit=1)
            expect([row["path"] for row in line["denials"]] == ["%s/own%d" % (tree, i), tree + "/second"] and
                line["denials_others"] == 0, i, line)
        out = json.loads(process.communicate(timeout=TIMEOUT)[0])
        count = sum(row["times"] for row in out["denials"])
        expect(count + out["denials_others"] == 20000 and len(out["denials"]) <= 512 and count > 100, count,
            out["denials_others"])


@test(needs=["sandbox"])
def a_command_cannot_hide_its_refusals(box):
    """The call by which the server marks an end, a process far below, and one that has left its group."""
    tree = places(box)
    refuse = "mkdir %s/made 2>&-; " % tree
    keyctl = "import ctypes, os\nfor i in range(9): ctypes.CDLL(None).syscall(%d, -1, 0, 0, 0, 0)\n" % (
        {"x86_64": 250, "aarch64": 219}[os.uname().machine])
    below = "import os\nfor i in range(%d):\n    if os.fork(): os.wait(); os._exit(0)\ntry: os.mkdir('%s/made')\n" \
        "except OSError: pass"
    with own_place(box):
        name = create(box, "--ro", tree)
        line = as_json(box, name, python(keyctl) + "; " + refuse + "true")
        expect([row["kind"] for row in line["denials"]] == ["system call", "write"], line)
        line = as_json(box, name, "setsid sh -c '%s'; true" % refuse)
        expect([row["path"] for row in line["denials"]] == [tree + "/made"], line)
        line = as_json(box, name, python(below % (100, tree)))
        expect([row["path"] for row in line["denials"]] == [tree + "/made"], line)
        # Too far below it is not looked for, but counted.
        line = as_json(box, name, python(below % (140, tree)))
        expect(line["denials"] == [] and line["denials_others"] == 1, line)


@test(needs=["sandbox"])
def a_killed_collector_changes_nothing(box):
    tree = places(box)
    with own_sessions(box):
        for number in (signal.SIGKILL, signal.SIGSTOP):
            process = box.start([box.zs, "run", "--session", "s", "--ro", tree, "--denials", "--", "sh", "-c",
                "echo begun; read x; for i in 1 2 3; do mkdir %s/$i; done; echo >made; exit 7" % tree])
            expect(process.stdout.readline() == b"begun\n", "it did not begin")
            # The daemon is the other child of the client that has started the session.
            collector, = [pid for pid in children(process.pid) if os.getsid(pid) != pid]
            os.kill(collector, number)
            began = time.monotonic()
            process.stdin.write(b"\n")
            process.stdin.close()
            # Another command is not kept waiting, and has its records.
            rows, _, _ = refused_in(box, "mkdir %s/other; exit 1" % tree, "--ro", tree)
            expect([row[1] for row in rows] == [tree + "/other"], rows)
            expect(time.monotonic() - began < TIMEOUT / 4, "it waited")
            expect(process.wait() == 7 and time.monotonic() - began < TIMEOUT / 2, process.returncode)
            if number == signal.SIGSTOP:
                os.kill(collector, signal.SIGKILL) # it holds standard error open
            process.stderr.read()
            expect(not os.path.exists(tree + "/1") and os.path.exists(box.work + "/made"), "the wall")
            os.remove(box.work + "/made")


@test(needs=["sandbox"])
def a_stopped_daemon_lets_nothing_pass(box):
    """Calls wait for it a moment, and are refused; that records are missing is told."""
    tree = places(box)
    with own_place(box):
        name = create(box, "--ro", tree)
        flood = python("import os\nfor i in range(3000):\n    try: os.mkdir('%s/%%d' %% i)\n"
            "    except OSError: pass\n" % tree)
        process = box.start([box.zs, "box", "exec", name, "--json", "--", "sh", "-c",
            "touch begun; %s" % UNTIL % "go" + flood + "; touch made"])
        wait_until(lambda: os.path.exists(box.work + "/begun"), "it begins")
        daemon, _ = daemon_of(tree)
        os.kill(daemon, signal.SIGSTOP)
        box.file("home/project/go", "")
        wait_until(lambda: os.path.exists(box.work + "/made"), "the command goes on")
        expect(not os.path.exists(tree + "/1"), "the wall")
        os.kill(daemon, signal.SIGCONT)
        line = json.loads(process.communicate(timeout=TIMEOUT)[0])
        count = sum(row["times"] for row in line["denials"])
        expect(line["status"] == 0 and 0 < count < 3000 and 0 < line["denials_others"] <= 3000 - count, count,
            line["denials_others"])


@test(needs=["sandbox"])
def a_command_that_kills_its_server_has_no_others_records(box):
    tree = places(box)
    with own_place(box):
        name = create(box, "--ro", tree)
        process = box.start([box.zs, "box", "exec", name, "--json", "--", "sh", "-c",
            "touch begun; %smkdir %s/first 2>&-; exit 1" % (UNTIL % "go", tree)])
        wait_until(lambda: os.path.exists(box.work + "/begun"), "it begins")
        began = time.monotonic()
        line = as_json(box, name, "mkdir %s/second 2>&-; kill -9 $PPID; sleep 0.1; mkdir %s/third" % (tree, tree),
            exit=122)
        expect(line["failure"] == "lost" and time.monotonic() - began < TIMEOUT / 4, line)
        box.file("home/project/go", "")
        first = json.loads(process.communicate(timeout=TIMEOUT)[0])
        expect([row["path"] for row in first["denials"]] == [tree + "/first"], first)


@test(needs=["sandbox"])
def the_command_cannot_reach_the_channel(box):
    with own_place(box):
        name = create(box)
        script = ("for p in 1 $PPID $(pgrep -f named-session-server) self; do for f in /proc/$p/fd/*; do readlink $f; "
            "done; done; env; true")
        done = inside(box, name, script, "--json").expect(exit=0)
        expect("socket:" not in done.stdout and "DENIALS" not in done.stdout, done)
