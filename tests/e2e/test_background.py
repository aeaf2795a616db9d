"""Processes that a command leaves behind end with the run, and a line names them."""

import json
import re

from harness import expect, read, test
from mcp_client import Server
from no_namespaces import no_namespaces, without

LINE = r"^zs: ended with the run: %s \(pid \d+\)%s"
# prctl(PR_SET_NAME): the process chooses what zs prints.
NAMED = ("import ctypes, os, sys, time; ctypes.CDLL(None).prctl(15, sys.argv[1].encode(), 0, 0, 0); "
    "os.close(1); os.close(2); open('named', 'w').close(); time.sleep(1000)")
# Until the last process in the background executes sleep it has the shell's name.
RUNS = "until read -r name </proc/$!/comm && [ \"$name\" = sleep ]; do :; done; "
TRIES = 10
LOOKS = 20


def lines(result):
    return [line for line in result.stderr.splitlines() if line.startswith("zs: ended")]


@test(needs=["sandbox", "bash"])
def what_is_left_is_named(box):
    done = box.run_zs("bash", "-c", "sleep 1000 & " + RUNS + "echo done").expect(exit=0, stdout="done\n")
    expect(re.search(LINE % ("sleep", "(;|$)"), done.stderr), done)
    script = "sleep 1000 & pid=$!; " + RUNS + "sleep 1001 & setsid sleep 1002 & echo $pid; exit 3"
    done = box.run_zs("bash", "-c", script).expect(exit=3)
    expect(re.search(LINE % ("sleep", " and 2 more"), done.stderr), done)
    expect("(pid %s)" % done.stdout.strip() in done.stderr, "the pid is the one that the command knows", done)
    expect(len(lines(done)) == 1, done)
    # A dry run has its processes ended before its changes are read.
    script = "sleep 1000 & " + RUNS + "echo x >new"
    done = box.run_zs("run", "--verify", "--diff", "--", "bash", "-c", script).expect(exit=0)
    expect(len(lines(done)) == 1 and "new" in done.stderr, done)


@test(needs=["sandbox", "bash"])
def what_ends_by_itself_is_not(box):
    for script in ("true", "sleep 0.01 & wait", "sleep 0.01 &", "(true &)", "kill -9 $$ & sleep 1",
            "echo x | tee >(sleep 0.03; cat >kept) >/dev/null", "sleep 1000 & kill $!; wait $!; true",
            "sleep 1000 & kill -9 $!; sleep 0.01; true"):
        ends_by_itself(box, ("run", "--", "bash", "-c", script))
    # A process substitution had its moment to end.
    expect(open(box.work + "/kept").read() == "x\n", "kept")


def ends_by_itself(box, argv, **more):
    """The moment that zs waits may be too short beside other work, but not every time. Without it no try succeeds."""
    for _ in range(TRIES):
        done = box.run_zs(*argv, **more)
        expect(done.exit in (0, 137), done)
        if not lines(done):
            return
    expect(False, "%d tries" % TRIES, done)


@test(needs=["sandbox", "bash"])
def a_run_that_is_cut_is_not_delayed(box):
    done = box.run_zs("run", "--limit", "wall=1s", "--", "bash", "-c", "sleep 1000 & sleep 1001").expect(exit=137)
    expect(not lines(done), done)


@test(needs=["sandbox", "bash", "strace"])
def nothing_left_costs_no_time(box):
    """The grace is a row of LOOKS polls, each of LOOK_MS (background.c). A run with nothing left makes none of them."""
    def waits(script):
        log = box.work + "/calls"
        traced = ["strace", "-f", "-qq", "-e", "trace=poll,ppoll", "-o", log]
        box.run([*traced, box.zs, "bash", "-c", script]).expect(exit=0)
        # Where another process has a call meanwhile, strace writes the start of this one: "1, 5 <unfinished ...>".
        return len(re.findall(r"poll\(.*, 1, (?:5[) ]|\{tv_sec=0, tv_nsec=5000000\})", read(log)))

    expect(waits("true") == 0, "it waits for nothing")
    seen = waits("sleep 1000 &")
    expect(seen == LOOKS, "control: the grace is not seen: %d" % seen)


@test(needs=["sandbox"])
def a_name_stays_in_its_line(box):
    for name, shown in (("a\nzs: forged", r"a\?zs: forged"), ("\x1b[31m) R 1 (", r"\?\[31m\) R 1 \("),
            ("evil) Z 1 1 1", r"evil\) Z 1 1 1")):
        script = 'python3 -c "$1" "$2" & until [ -e named ]; do sleep 0.02; done; rm named'
        done = box.run_zs("run", "--", "sh", "-c", script, "sh", NAMED, name)
        expect(re.search(LINE % (shown, "(;|$)"), done.stderr), done)
        expect(len(done.stderr.splitlines()) == 1, done)


@test(needs=["sandbox"])
def a_run_without_proc_says_nothing(box):
    policy = json.loads(box.run_zs("run", "--print-policy", "--", "true").expect(exit=0).stdout)
    policy["paths"] = [grant for grant in policy["paths"] if grant["path"] != "/proc"]
    file = box.file("policy.json", json.dumps(policy))
    done = box.run_zs("run", "--policy", file, "--", "sh", "-c", "test ! -e /proc/1; echo $?; sleep 1000 & true")
    done.expect(exit=0, stdout="0\n", stderr="")


@test(needs=["sandbox"])
def without_namespaces_too(box):
    done = box.run_zs("run", *without(box), "--", "sh", "-c", "sleep 1000 & " + RUNS + "sleep 1001 & true",
        preexec_fn=no_namespaces).expect(exit=0)
    expect(re.search(LINE % ("sleep", " and 1 more"), done.stderr), done)
    ends_by_itself(box, ("run", *without(box), "--", "sh", "-c", "sleep 0.02 & true"), preexec_fn=no_namespaces)


@test(needs=["sandbox", "bash"])
def the_tool_server_hands_it_to_the_model(box):
    with Server(box) as server:
        result = server.run("sleep 1000 & " + RUNS + "echo done")[0]
        text = result["content"][0]["text"]
        expect("done" in text and re.search("(?m)" + LINE % ("sleep", "(;|$)"), text), result)
        result = server.run("sleep 0.01 & wait; echo done")[0]
        expect("zs: ended" not in result["content"][0]["text"], result)
