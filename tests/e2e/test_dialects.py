"""Texts for other shells, vetted for the shell and run in it.

A line of testdata/dialects/SHELL.tsv is a verdict (pass, block, or a construct's name that the reason shows) and a text
as JSON. The programs that a text calls are stubs, which note their words. Where the shell is installed the tests run
each text in bash and in that shell: of a text that passes, the shell runs nothing that bash does not run, and nothing
that zs has not read.
"""

import collections
import concurrent.futures
import json
import os
import shutil
import subprocess
import tempfile

from harness import REPOSITORY, TIMEOUT, Failure, expect, test
from hook_events import RECORDED, event_of, reason_in

TEXTS = os.path.join(REPOSITORY, "testdata", "dialects")
SHELLS = {
    "bash": ["bash", "--norc", "-c"],
    "bash-3.2": [os.environ.get("ZS_TEST_BASH_3_2", "bash-3.2"), "--norc", "-c"],
    "dash": ["dash", "-c"],
    "ash": ["busybox", "sh", "-c"],
    "zsh": ["zsh", "-f", "-c"],
    "fish": ["fish", "--no-config", "-c"],
}
LEAST = 150  # texts of each shell
PROGRAMS = "run pwn cat cp find git grep ls make more mv npm rm sed sort tee touch xargs".split()
# One write, so that the stubs of a pipeline do not mix.
STUB = """#!/bin/sh
words=${0##*/}
IFS='\037'
[ $# = 0 ] || words="$words\037$*"
printf '%s\\036' "$words" >>"$NOTES"
case "${0##*/}" in cat | tee) exec /bin/cat ;; esac
"""


def texts(shell):
    with open(os.path.join(TEXTS, shell + ".tsv"), encoding="utf-8") as f:
        rows = [line.rstrip("\n").split("\t") for line in f]
    expect(all(len(row) == 2 for row in rows), "%s.tsv: a line is no pair" % shell)
    return [(verdict, json.loads(text)) for verdict, text in rows]


def vet(box, shell, rows):
    lines = "".join(json.dumps({"id": i, "cmd": text, "profile": "relaxed", "shell": shell}) + "\n"
        for i, (_, text) in enumerate(rows))
    result = box.run_zs("vet", "--batch", "--ir", stdin=lines)
    answers = [json.loads(line.encode("latin-1").decode("utf-8")) for line in result.stdout.split("\n") if line]
    expect(len(answers) == len(rows), "%d answers to %d texts: %s" % (len(answers), len(rows), result.stderr))
    return answers


class Place:
    """A folder with stubs and files, for one run at a time."""

    def __init__(self):
        self.top = tempfile.mkdtemp(prefix="zs-dialect-")
        self.bin = os.path.join(self.top, "bin")
        os.mkdir(self.bin)
        for name in PROGRAMS:
            path = os.path.join(self.bin, name)
            with open(path, "w") as f:
                f.write(STUB)
            os.chmod(path, 0o755)

    def run(self, shell, text):
        """Returns the commands that ran, each a list of words, and the files that are there afterwards."""
        work, notes = os.path.join(self.top, "work"), os.path.join(self.top, "notes")
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(os.path.join(work, "sub", "deep"))
        for name in ("a.txt", "b.txt", "sub/c.txt", "sub/deep/d.txt"):
            with open(os.path.join(work, name), "w") as f:
                f.write("run from file\n")
        open(notes, "w").close()
        environment = {"PATH": self.bin, "HOME": self.top, "NOTES": notes, "LC_ALL": "C.UTF-8", "TERM": "dumb"}
        argv = SHELLS[shell]
        try:
            subprocess.run([shutil.which(argv[0])] + argv[1:] + [text], cwd=work, env=environment,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            raise Failure("%s does not end: %r" % (shell, text))
        with open(notes, encoding="utf-8", errors="replace") as f:
            ran = [record.split("\037") for record in f.read().split("\036") if record]
        files = {os.path.relpath(os.path.join(folder, name), work)
            for folder, _, names in os.walk(work) for name in names}
        return ran, files


def matches(argv, words):
    """Can the command of the IR, in which None stands for any words, have these words?"""
    if not argv:
        return not words
    if argv[0] is None:
        return any(matches(argv[1:], words[taken:]) for taken in range(len(words) + 1))
    return bool(words) and argv[0] == words[0] and matches(argv[1:], words[1:])


def hidden(answer, ran):
    return [words for words in ran
        if not any(matches(command["argv"], words) for command in answer["ir"]["commands"])]


def more(ran, files, than_ran, than_files):
    """Returns the commands and the files that bash did not run or make."""
    rest = collections.Counter(map(tuple, ran)) - collections.Counter(map(tuple, than_ran))
    return sorted(rest) + sorted(files - than_files)


def compare(shell, rows):
    """Runs the texts that pass in bash and in the shell."""
    place = Place()
    try:
        return [(text, answer, place.run("bash", text), place.run(shell, text)) for text, answer in rows]
    finally:
        shutil.rmtree(place.top)


def check_runs(box, shell):
    rows = texts(shell)
    passed = [(text, answer) for (_, text), answer in zip(rows, vet(box, shell, rows))
        if answer["verdict"] == "allow"]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        parts = list(pool.map(lambda part: compare(shell, part), (passed[::2], passed[1::2])))
    bad = []
    for text, answer, in_bash, in_shell in parts[0] + parts[1]:
        unread = hidden(answer, in_shell[0])
        extra = more(*in_shell, *in_bash)
        if unread or extra:
            bad.append("\n    %r: not read: %s; beyond bash: %s" % (text, unread, extra))
    expect(not bad, "%s runs of texts that pass what bash does not:%s" % (shell, "".join(bad)))
    expect(sum(bool(in_shell[0]) for part in parts for _, _, _, in_shell in part) > len(passed) / 2,
        "%s runs nothing" % shell)


def check_verdicts(box, shell):
    rows = texts(shell)
    expect(len(rows) >= LEAST, "%d texts for %s" % (len(rows), shell))
    bad = []
    for (verdict, text), answer in zip(rows, vet(box, shell, rows)):
        have = "pass" if answer["verdict"] == "allow" else answer["code"]
        if have == "unsupported":
            have = "block"
        named = verdict in ("pass", "block") or verdict in answer["reason"]
        if have != ("pass" if verdict == "pass" else "block") or not named:
            bad.append("\n    %r is %s, not %s: %s" % (text, have, verdict, answer["reason"]))
    expect(not bad, "verdicts for %s:%s" % (shell, "".join(bad)))


@test(once=True)
def verdicts(box):
    """Each text gets its verdict, and the reason names the construct."""
    for shell in SHELLS:
        if shell != "bash":
            check_verdicts(box, shell)


@test(once=True)
def what_one_shell_reads_otherwise_is_blocked_for_an_unknown_one(box):
    for shell in SHELLS:
        if shell == "bash":
            continue
        rows = [row for row in texts(shell) if row[0] != "pass"]
        bad = [row[1] for row, answer in zip(rows, vet(box, "any", rows)) if answer["verdict"] == "allow"]
        expect(not bad, "passes for any shell, but not for %s: %s" % (shell, bad))


@test(once=True, needs=["bash", "zsh"])
def zsh(box):
    check_runs(box, "zsh")


@test(once=True, needs=["bash", "fish"])
def fish(box):
    check_runs(box, "fish")


@test(once=True, needs=["bash", "dash"])
def dash(box):
    check_runs(box, "dash")


@test(once=True, needs=["bash", "busybox"])
def ash(box):
    check_runs(box, "ash")


@test(once=True, needs=["bash", "bash32"])
def bash_3_2(box):
    check_runs(box, "bash-3.2")


def denied(box, agent, event, shell, *options):
    """The reason of a denial, or None."""
    return reason_in(agent, box.run_zs("hook", agent, "--profile", "relaxed", *options, stdin=event,
        add_env={"SHELL": shell} if shell is not None else {}))


@test()
def a_hook_vets_for_the_shell_that_runs_the_command(box):
    """The event's shell counts, then --shell, then $SHELL; the sandbox runs bash."""
    recorded = next(recorded for recorded in RECORDED.values() if recorded["agent"] == "claude")

    def event(text, **keys):
        whole = json.loads(event_of(box, recorded, text))
        whole["tool_input"].update(keys)
        return json.dumps(whole)

    for shell, reads in (("/usr/bin/zsh", "zsh"), ("/bin/dash", None), ("/bin/bash", None), (None, None), ("", None),
            ("zsh", "zsh"), ("/opt/nu", "a shell other than bash"), ("/bin/zsh/", "a shell other than bash")):
        reason = denied(box, "claude", event("=run a"), shell)
        expect(bool(reason) == bool(reads) and (not reads or "%s " % reads in reason), "SHELL=%s: %s" % (shell, reason))
    expect(not denied(box, "claude", event("=run a"), "zsh", "--shell", "bash"), "--shell is not heard")
    expect("zsh" in denied(box, "claude", event("=run a"), "bash", "--shell", "zsh"), "--shell is not heard")
    expect("zsh" in denied(box, "claude", event("=run a", shell="/bin/zsh"), "bash", "--shell", "bash"),
        "the event's shell is not heard")
    expect(not denied(box, "claude", event("=run a", shell="/bin/bash"), "zsh"), "the event's shell is not heard")
    expect("=NAME" in denied(box, "claude", event("=run a"), "zsh"), "the construct is not named")
    answer = box.run_zs("hook", "claude", "--confine", stdin=event("x=(run a); $x"), add_env={"SHELL": "zsh"})
    expect("'bash' '--norc'" in answer.stdout, "what bash will run is vetted for another shell: %s" % answer)
    box.run_zs("hook", "claude", "--shell", "tcsh", stdin=event("ls")).expect(stdout=["wrong options"],
        stderr=["'tcsh'", "bash-3.2"])


@test(once=True)
def a_shell_has_a_name_that_zs_knows(box):
    box.run_zs("vet", "--shell", "tcsh", "-c", "ls").expect(exit=64, stderr=["--shell", "tcsh", "bash-3.2"])
    answer = box.run_zs("vet", "--batch", stdin='{"id":1,"cmd":"ls","shell":"tcsh"}\n')
    answer.expect(exit=65, stdout=["'shell' is not one of bash bash-3.2 sh dash ash zsh ksh fish any"])
