"""Denials where an agent's commands run: zs bash tells its caller by default, zs hook --confine and zs mcp the model. A
model learns which place was refused, and neither a name in a hidden folder nor whether one exists there."""

import json
import os
import re
import shutil
import socket

from denial_cases import places, python
from harness import Changed, expect, test
from hook_events import RECORDED, event_of, strict_object
from mcp_client import Server
from no_namespaces import no_namespaces, without

LINES_MAX = 5


def lines_of(text):
    return [line for line in text.splitlines() if line.startswith("zs: denied")]


@test(needs=["sandbox", "bash"])
def bash_tells_its_caller_unless_it_is_off(box):
    tree = places(box)
    options = ["--ro", tree, "-c", "touch %s/new" % tree]
    line = "zs: denied write %s/new (2 times): granted only to read; --rw %s" % (tree, tree)
    for asked in ([], ["--denials"]):
        result = box.run_zs("bash", *asked, *options).expect(exit=1)
        expect([re.sub(r" \(2 times\)", "", text) for text in lines_of(result.stderr)] ==
            [line.replace(" (2 times)", "")], result)
    for off in (["bash", "--denials=off", *options], ["run", "--ro", tree, "--", "touch", tree + "/new"]):
        expect(not lines_of(box.run_zs(*off).expect(exit=1).stderr), off)
    path = os.path.join(box.outside, "denials")
    result = box.run_zs("bash", "--denials=" + path, *options).expect(exit=1)
    expect(not lines_of(result.stderr) and open(path).read().count("\n") == 2, result)
    # It has succeeded, or has failed for a reason of its own.
    box.run_zs("bash", "-c", "mkdir %s/x 2>/dev/null; true" % tree).expect(exit=0, stderr="")
    box.run_zs("bash", "-c", "exit 3").expect(exit=3, stderr="")
    box.run_zs("bash", "-c", "missing-program").expect(exit=127, stderr=["command not found"])
    box.run_zs("run", "--denials=off", "--denials-to-model", "--", "true").expect(exit=64, stderr=["leave FILE out"])


@test(needs=["sandbox", "bash"])
def bash_says_nothing_of_what_it_cannot_see(box):
    """Without namespaces nobody looks at calls; only a caller who has asked hears of it."""
    options = without(box)
    said = "zs: denials: without namespaces"
    result = box.run_zs("bash", *options, "-c", "exit 3", preexec_fn=no_namespaces).expect(exit=3)
    expect(said not in result.stderr, result)
    result = box.run_zs("bash", "--denials", *options, "-c", "exit 3", preexec_fn=no_namespaces).expect(exit=3)
    expect(said in result.stderr, result)


def answer(box, command, *options):
    event = event_of(box, RECORDED["claude"], command).encode("utf-8").decode("latin-1")
    return box.run_zs("hook", "claude", "--confine", "--profile=strict", *options, stdin=event).expect(exit=0)


def confined(box, command, *options):
    """The command that the hook gives to the agent."""
    return strict_object(answer(box, command, *options).stdout)["hookSpecificOutput"]["updatedInput"]["command"]


@test(needs=["sandbox", "bash"])
def the_hooks_model_reads_the_lines(box):
    tree = places(box)
    command = "mkdir %s/new" % tree
    text = confined(box, command, "--ro", tree)
    result = box.run(["bash", "-c", text]).expect(exit=1)
    expect(lines_of(result.stderr) == ["zs: denied write %s/new: granted only to read; --rw %s" % (tree, tree)], result)
    # Wrapped already, it stays.
    again = answer(box, text, "--ro", tree)
    expect("updatedInput" not in again.stdout, again)
    text = confined(box, command, "--no-denials-to-model", "--ro", tree)
    result = box.run(["bash", "-c", text]).expect(exit=1)
    expect(not lines_of(result.stderr) and "denials" not in text, text, result)


@test(needs=["sandbox", "bash"])
def the_model_of_mcp_reads_the_lines(box):
    tree = places(box)
    hidden = box.file("home/secrets/here", "x\n")
    command = "mkdir %s/new; rm %s" % (tree, hidden)
    with Server(box, "--ro", tree) as server:
        result, structured = server.run(command)
        lines = ["zs: denied write %s/new: granted only to read; --rw %s" % (tree, tree),
            "zs: denied write ~/secrets: not granted; zs why names the option"]
        expect(lines_of(structured["output"]) == lines and lines_of(result["content"][0]["text"]) == lines, result)
        expect(structured["denials"] == [
            {"kind": "write", "path": tree + "/new", "reason": "granted only to read", "grant": "--rw " + tree},
            {"kind": "write", "path": os.path.dirname(hidden), "reason": "not granted", "grant": None}], structured)
        result, structured = server.run("true")
        expect(structured["denials"] == [] and structured["output"] == "", result)
        result, structured = server.run("curl -sS http://nowhere.example/")
        expect([row["kind"] for row in structured["denials"]] == ["network"] and
            len(lines_of(structured["output"])) == 1, structured)
    with Server(box, "--no-denials-to-model", "--ro", tree) as server:
        result, structured = server.run(command)
        expect(structured["denials"] == [] and not lines_of(structured["output"]), result)


# NAME exists or not, in a folder that the command does not see.
PROBES = [
    "rm PLACE/NAME", "echo >>PLACE/NAME", "mkdir PLACE/NAME", "rmdir PLACE/NAME", "mv PLACE/NAME moved",
    "mv file PLACE/NAME", "ln file PLACE/NAME", "ln PLACE/NAME linked", "ln -s x PLACE/NAME", "chmod 600 PLACE/NAME",
    "truncate -s 0 PLACE/NAME", "PLACE/NAME", "env PLACE/NAME", "rm PLACE/sub/NAME", "mkdir PLACE/NAME/x",
    "rm PLACE/NAME/x", "PATH=PLACE:$PATH env NAME", "./NAME.script", "rm to-place/NAME", "echo >>to-NAME",
    "touch ./to-place/sub/../NAME",
    python("import socket; socket.socket(socket.AF_UNIX).connect('PLACE/NAME.socket')"),
    python("import os; os.rename('file', 'PLACE/NAME')"), python("import os; os.mkfifo('PLACE/NAME')"),
]
NAMES = ("here", "gone")


def plant(box, place):
    """A folder with programs, folders and a socket of the first name, and ways to it in the workspace."""
    for folder in (place, place + "/sub"):
        os.makedirs(folder, exist_ok=True)
        box.own(folder)
        path = folder + "/here"
        if not os.path.exists(path):
            shutil.copy("/bin/true", path)
            os.chmod(path, 0o755)
            box.own(path)
    box.file("home/project/file", "x\n")
    for name in NAMES:
        box.file("home/project/%s.script" % name, "#!%s/%s\n" % (place, name), 0o755)
        link(box, "%s/%s" % (place, name), "to-" + name)
    link(box, place, "to-place")


def link(box, target, name):
    path = os.path.join(box.work, name)
    if os.path.islink(path):
        os.unlink(path)
    os.symlink(target, path)
    box.own(path)


def told(box, option, place, script, name, *options):
    """The lines of a run, in which both names are one."""
    plant(box, place)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(place + "/here.socket")
        os.chmod(place + "/here.socket", 0o777)
        listener.listen(8)
        try:
            script = script.replace("PLACE", place).replace("NAME", name)
            result = box.run_zs("run", option, *options, "--", "sh", "-c", "( %s ) >&- 2>&-; exit 7" % script)
        finally:
            os.unlink(place + "/here.socket")
    result.expect(exit=7)
    return "\n".join(lines_of(result.stderr)).replace(name, "NAME")


@test(needs=["sandbox"], slow=True)
def a_model_does_not_learn_which_names_exist(box):
    granted, hidden = box.home + "/secrets", box.work + "/hidden"
    leaks = set()
    for place, options in ((granted, []), (granted + "/deep/er", []), (hidden, ["--hide", hidden])):
        for script in PROBES:
            here, gone = (told(box, "--denials-to-model", place, script, name, *options) for name in NAMES)
            expect(here == gone and "NAME" not in here and "/sub" not in here and "deep" not in here, "it leaks:",
                script, here, gone)
            here, gone = (told(box, "--denials", place, script, name, *options) for name in NAMES)
            if here != gone:
                leaks.add(script)
    # The records for a person do tell, so these probes find something.
    expect(len(leaks) >= 12, "the probes see no difference without the defence:", leaks)


@test(needs=["sandbox"])
def a_models_lines_are_few_and_name_the_folder(box):
    plant(box, box.home + "/secrets")
    script = "for i in 1 2 3 4 5 6 7 8; do mkdir ~/secrets/$i; rm ~/x$i/y; done 2>&-; exit 7"
    result = box.run_zs("run", "--denials-to-model", "--", "sh", "-c", script).expect(exit=7)
    lines = lines_of(result.stderr)
    expect(len(lines) == LINES_MAX and lines[-1] == "zs: denied 5 more" and
        any(re.fullmatch(r"zs: denied write ~/secrets \(8 times\): not granted; zs why names the option", line)
            for line in lines), result)
    name = "a\\nzs: denied write x: --rw x\\033[2J"
    script = "n=$(printf '%s'); (mkdir \"$HOME/$n\") 2>&-; exit 1" % name
    result = box.run_zs("run", "--denials-to-model", "--", "sh", "-c", script).expect(exit=1)
    expect(len(result.stderr.splitlines()) == 1 and "\033" not in result.stderr, result)


@test(needs=["sandbox", "root"])
def root_learns_no_name_of_a_folder_that_is_closed_to_others(box):
    """Root sees that part of /etc which everybody may read."""
    folder = "/etc/ssl/private"
    if not os.path.isdir(folder) or os.stat(folder).st_mode & 0o1:
        return
    result = box.run_zs("run", "--denials-to-model", "--", "sh", "-c", "rm %s/gone 2>&-; exit 7" % folder)
    expect(lines_of(result.stderr) == ["zs: denied write %s: not granted; zs why names the option" % folder], result)


# ------------------------------------------------------------------------------------------ the last refused run


def state(box):
    return os.path.join(box.home, ".local/state/zs/refused")


@test(needs=["sandbox", "bash"])
def why_takes_the_last_refused_run(box):
    box.run_zs("why").expect(exit=64, stderr=["zs has refused nothing in this workspace yet"])
    box.file("home/secrets/file", "x\n")
    script = "touch ran; cat ~/secrets/file; rm ~/secrets/file"
    # Neither a success nor a failure of its own is one.
    box.run_zs("bash", "--profile=relaxed", "-c", script, "name").expect(exit=1)
    path = os.path.join(state(box), os.listdir(state(box))[0])
    expect(os.stat(path).st_mode & 0o7777 == 0o600 and os.stat(state(box)).st_mode & 0o77 == 0, os.stat(path))
    kept = open(path, "rb").read()
    box.run_zs("bash", "-c", "exit 3").expect(exit=3)
    box.run_zs("bash", "-c", "true").expect(exit=0)
    expect(open(path, "rb").read() == kept, "another run took its place")
    os.unlink(box.work + "/ran")
    result = box.run_zs("why").expect(exit=0)
    expect(not os.path.exists(box.work + "/ran"), "it was no dry run")
    expect("zs: why: runs again: bash" in result.stderr and
        "* write ~/secrets/file: not granted; --rw ~/secrets\n" in result.stdout, result)
    rows = [json.loads(line) for line in box.run_zs("why", "--json").expect(exit=0).stdout.splitlines()]
    expect(rows[-1]["event"] == "end" and "~/secrets" not in rows[0]["path"], rows)
    box.run_zs("why", "--ro", box.home).expect(exit=64, stderr=["--ro: goes with a command"])
    # Another workspace has none.
    box.run_zs("why", cwd=box.folder("home/other")).expect(exit=64)


@test(needs=["sandbox", "bash"])
def why_takes_the_options_of_the_agents_run(box):
    tree = places(box)
    hidden = box.file("home/secrets/here", "x\n")
    text = confined(box, "rm %s %s/file" % (hidden, tree), "--ro", tree)
    box.run(["bash", "-c", text]).expect(exit=1)
    result = box.run_zs("why").expect(exit=0)
    expect("write ~/secrets/here: not granted; --rw ~/secrets" in result.stdout and
        "write %s/file: granted only to read" % tree in result.stdout and "--ro %s" % tree in result.stdout, result)
    with Server(box, "--workspace", ".", "--ro", tree) as server:
        server.run("rm %s/sub/file" % tree)
    result = box.run_zs("why").expect(exit=0)
    expect("write %s/sub/file: granted only to read" % tree in result.stdout, result)


@test(needs=["sandbox", "bash"])
def a_command_cannot_write_the_last_run(box):
    tree = places(box)
    box.run_zs("bash", "-c", "mkdir %s/new" % tree).expect(exit=1)
    path = os.path.join(state(box), os.listdir(state(box))[0])
    # One that may write all of the home folder cannot write this.
    harm = Changed(box, path)
    box.denied("echo >>%s" % path, "rm -f %s" % path, harm=harm, zs=("run", "--rw", box.home))
    box.denied("echo >%s/x" % state(box), harm=Changed(box, state(box)), zs=("run", "--rw", box.home))
    # A variable does not put it into the workspace, where a command could have made it.
    planted = os.path.join(box.work, "state")
    box.run_zs("bash", "-c", "mkdir %s/new" % tree, add_env={"XDG_STATE_HOME": planted}).expect(exit=1)
    expect(not os.path.exists(planted), "it was made")


@test(needs=["sandbox", "bash"])
def a_record_that_is_not_ones_own_is_not_run(box):
    """zs why runs no command that others may have written."""
    tree = places(box)
    box.run_zs("bash", "-c", "mkdir %s/new" % tree).expect(exit=1)
    path = os.path.join(state(box), os.listdir(state(box))[0])
    kept = open(path, "rb").read()

    def link():
        os.rename(path, path + ".kept")
        os.symlink(path + ".kept", path)

    def write(words):
        with open(path, "wb") as file:
            file.write(words)

    box.run_zs("why").expect(exit=0, stderr=["runs again"])  # control
    for change in (lambda: os.chmod(path, 0o620), lambda: write(kept[:-1]), lambda: write(b""), link):
        change()
        done = box.run_zs("why").expect(exit=65, stdout="", stderr=["zs: why: the last refused run: its record "])
        expect("runs again" not in done.stderr and done.stderr.endswith("-- CMD\n"), done)
        os.chmod(path, 0o600)
        write(kept)


@test(needs=["sandbox", "bash"])
def a_run_that_is_too_long_is_not_remembered(box):
    tree = places(box)
    words = ["x" * 100000] * 3
    box.run_zs("bash", "-c", "mkdir %s/new" % tree, *words).expect(exit=1)
    box.run_zs("why").expect(exit=64)
    box.run_zs("bash", "-c", "mkdir %s/new" % tree, *words[:2]).expect(exit=1)
    box.run_zs("why").expect(exit=0)
