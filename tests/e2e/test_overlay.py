"""Trial runs: the command writes the workspace in a layer, and the real one is as it was, or as the command saw it."""

import contextlib
import hashlib
import json
import os
import pty
import re
import select
import signal
import stat
import subprocess
import time

from harness import Failure, Result, main, test
from test_mounts import ATTACKS, GIT, Kept, make, repository, wait_until


def state(root, times=True):
    """Every name below a folder, with type, mode, owner, content and (times) when it was changed."""
    found = {}
    for folder, folders, names in os.walk(root):
        for name in folders + names:
            path = os.path.join(folder, name)
            st = os.lstat(path)
            content = None
            if stat.S_ISLNK(st.st_mode):
                content = os.readlink(path)
            elif stat.S_ISREG(st.st_mode):
                with open(path, "rb") as file:
                    content = hashlib.sha256(file.read()).hexdigest()
            known = (st.st_mode, content)
            if times:
                known += (st.st_uid, st.st_gid, st.st_ino, st.st_nlink, st.st_mtime_ns, st.st_ctime_ns)
            found[os.path.relpath(path, root)] = known
    return found


class Same:
    """A workspace that is to stay byte for byte and inode for inode as it is."""

    def __init__(self, box):
        self.box, self.before = box, state(box.work)

    def check(self, what=""):
        after = state(self.box.work)
        if after != self.before:
            changed = {name for name in set(after) | set(self.before) if after.get(name) != self.before.get(name)}
            raise Failure("%s: the workspace has changed: %s" % (what, sorted(changed)))


def fill(box):
    """A workspace with one of everything."""
    for name, text in (("file", "text\n"), ("long", "".join("%d\n" % i for i in range(100))), ("same", "same\n"),
            ("gone", "gone\n"), ("moved", "moved\n"), ("folder/a", "a\n"), ("folder/deep/b", "b\n"),
            ("empty/.keep", ""), ("becomes/c", "c\n"), ("turns", "turns\n")):
        make(box, "home/project/" + name, text)
    box.file("home/project/run.sh", "#!/bin/sh\necho ran\n", 0o755)
    box.file("home/project/mode", "mode\n")
    os.symlink("file", box.work + "/link")
    box.own(box.work + "/link")
    os.link(box.work + "/file", box.work + "/hard")
    return Same(box)


# Changes one of everything.
CHANGES = """
echo more >>file; sed -i s/50/fifty/ long; cat same >same2; cat same2 >same; rm same2 gone; mv moved elsewhere
mv folder renamed; rm -r becomes; echo f >becomes; rm turns; mkdir turns; echo t >turns/t; ln -sfn long link
chmod 755 mode; mkdir -p new/er; echo n >new/er/n; ln -s /nowhere broken; printf 'a b' >'new/a b'; touch same run.sh
"""

LISTED = [
    ("type", "becomes"), ("deleted", "becomes/c"), ("created", "broken"), ("created", "elsewhere"), ("changed", "file"),
    ("deleted", "folder"), ("deleted", "folder/a"), ("deleted", "folder/deep"), ("deleted", "folder/deep/b"),
    ("deleted", "gone"), ("link", "link"), ("changed", "long"), ("mode", "mode"), ("deleted", "moved"),
    ("created", "new"), ("created", "new/a b"), ("created", "new/er"), ("created", "new/er/n"), ("created", "renamed"),
    ("created", "renamed/a"), ("created", "renamed/deep"), ("created", "renamed/deep/b"), ("type", "turns"),
    ("created", "turns/t"),
]


def listed(text):
    return [(change["change"], change["path"]) for change in map(json.loads, text.splitlines())]


# ------------------------------------------------------------------------------------------- nothing real changes


@test(needs=["sandbox"])
def writes_are_seen_inside_and_not_outside(box):
    before = fill(box)
    script = CHANGES + "cat file becomes turns/t renamed/deep/b elsewhere; test -x mode && readlink link && ls"
    want = "text\nmore\nf\nt\nb\nmoved\nlong\n" + "".join(name + "\n" for name in sorted(
        ["becomes", "broken", "elsewhere", "empty", "file", "hard", "link", "long", "mode", "new", "renamed", "run.sh",
            "same", "turns"]))
    for options in (["--verify"], ["--diff"], ["--patch"]):
        box.run_zs("run", *options, "--", "sh", "-ec", script).expect(stdout=want)
        before.check(options)
    box.run_zs("run", "--verify", "--", "sh", "-ec", script).expect(stderr="")
    # Without the layer they are real.
    box.run_zs("run", "--", "sh", "-ec", script).expect(stdout=want)
    if state(box.work) == before.before:
        raise Failure("control: nothing changed")


# Each would change $box/home/project/file, or what is beside it, if the way were open.
WAYS_OUT = ["echo x >>file", "echo x >>hard", "echo x >>link", "echo x >>../project/file", "echo x >>$PWD/file",
    "echo x >>/proc/self/cwd/file", "echo x >>/..$PWD/file",
    "echo x >>/proc/self/root$PWD/file", "rm -rf ./* ./.[!.]*", "chmod 600 file",
    "touch -d 2001-01-01 file", "exec 3<>file && echo x >&3", "exec 3<file && echo x >>/proc/self/fd/3",
    "ln file new && echo x >>new", "mv file new", "truncate -s 0 file", "find . -delete", "mkdir new", "chmod 700 .",
    "umask 0; cp /bin/true new; chmod 4755 new", "mkfifo new"]


@test(needs=["sandbox"])
def no_way_through_to_the_workspace(box):
    for attack in WAYS_OUT:
        before = fill(box)
        box.run_zs("run", "--verify", "--", "sh", "-c", attack)
        before.check(attack)
        # It is an attack: without the layer it is felt.
        box.run_zs("run", "--", "sh", "-c", attack)
        if state(box.work) == before.before and "chmod 700 ." not in attack:
            raise Failure("control: %s changes nothing" % attack)
        box.run(["sh", "-c", "chmod 755 .; rm -rf ./* ./.[!.]*"]).expect()


@test(needs=["sandbox"])
def the_layer_cannot_be_taken_off(box):
    before = fill(box)
    for attack in ("umount .", "umount -l $PWD", "mount --bind / /tmp", "unshare -Urm umount -l $PWD",
            "unshare -Urm sh -c 'umount -l .; echo x >>$PWD/file'", "mount -o remount,ro $PWD"):
        result = box.run_zs("run", "--verify", "--", "sh", "-c", attack)
        if result.exit == 0:
            raise Failure(str(result))
        before.check(attack)


@test(needs=["sandbox", "git"])
def git_works_inside(box):
    repository(box, box.work)
    before = Same(box)
    git = " ".join(GIT)
    script = ("echo b >>a && %(git)s commit -qam two && echo c >c && %(git)s add c && %(git)s commit -qm three && "
        "%(git)s checkout -qb side HEAD~1 && %(git)s merge -q -m merged master && %(git)s gc -q && "
        "%(git)s stash list && %(git)s log --oneline | wc -l && %(git)s status --short" % {"git": git})
    box.run(["git", "branch", "-M", "master"]).expect()
    before = Same(box)
    box.run_zs("run", "--verify", "--", "sh", "-ec", script).expect(stdout="3\n", stderr="")
    before.check("git")


@test(needs=["sandbox"])
def what_builds_do_works_inside(box):
    fill(box)
    # cargo and git rename folders, ccache and npm make links, tests make sockets' and fifos' names
    script = r"""
import errno, os, subprocess, sys
os.mkdir("target"); os.mkdir("target/a"); os.rename("target/a", "target/b"); os.rename("target/b", "b")
open("b/x", "w").write("x"); os.link("b/x", "target/y"); os.rename("b/x", "target/z")
assert os.stat("target/y").st_nlink == 2
os.rename("file", "target/file"); os.symlink("target", "t"); os.mkfifo("fifo")
open("run.sh", "a").write("echo more\n")
assert subprocess.run(["./run.sh"], stdout=subprocess.PIPE).stdout == b"ran\nmore\n"
try:
    os.rename("folder", "folder2")
    sys.exit("a folder of the workspace was renamed")
except OSError as error:
    assert error.errno == errno.EXDEV
subprocess.check_call(["mv", "folder", "folder2"])
fd = os.open("lock", os.O_CREAT | os.O_RDWR)
import fcntl, mmap
fcntl.flock(fd, fcntl.LOCK_EX)
os.write(fd, b"0" * 8192)
memory = mmap.mmap(fd, 8192)
memory[0:3] = b"abc"
memory.flush()
assert open("lock").read(3) == "abc"
print("fine")
"""
    box.run_zs("run", "--verify", "--", "python3", "-c", script).expect(stdout="fine\n", stderr="")


@test(needs=["sandbox"])
def a_grant_inside_keeps_its_meaning(box):
    """--rw there is a wish that was spelled out; to read adds nothing to what the layer lets it do."""
    fill(box)
    box.folder("home/project/out")
    result = box.run_zs("run", "--diff", "--rw", "out", "--ro", "folder", "--", "sh", "-ec",
        "echo x >out/real; echo x >folder/a; echo x >file; cat out/real folder/a file")
    result.expect(stdout="x\nx\nx\n", stderr=re.compile(r"\Achanged .* file\nchanged .* folder/a\n\Z"))
    with open(box.work + "/out/real") as file:
        if file.read() != "x\n" or os.path.getsize(box.work + "/file") == 2:
            raise Failure("the wrong one is real")
    for grant in (box.work, box.home, "/"):
        box.run_zs("run", "--verify", "--rw", grant, "--", "true").expect(exit=125, stderr=[
            "zs: workspace: %s: is an overlay, but the grant of write access" % box.work])
    # What holds the workspace may be read, and shows the layer.
    box.run_zs("run", "--verify", "--ro", box.home, "--", "sh", "-ec", "echo y >file; cat %s/file" % box.work).expect(
        stdout="y\n")


@test(needs=["sandbox"])
def protected_inside(box):
    for target in ("kept/deep/file", "kept/deep"):
        harm = Kept(box)
        options = ["--apply", "--protect", box.work + "/" + target]
        for attack in ATTACKS:
            box.denied(attack, harm=harm, zs=["run", *options])
            harm.reset()
        before = Same(box)
        write = "for d in . kept kept/deep; do echo x >$d/beside; done 2>/dev/null; "
        box.granted(write + "cat kept/deep/file; ls kept/beside", zs=["run", "--verify", *options[1:]],
            stdout="text\nkept/beside\n")
        before.check("beside what is protected")
    # And unprotected it is not.
    box.granted("rm -r kept", zs=["run", "--apply"])
    if os.path.exists(box.work + "/kept"):
        raise Failure("control: it is still there")


@test(needs=["sandbox"])
def hidden_inside(box):
    make(box, "home/project/kept/deep/file", "text\n")
    for path in ("kept/deep/file", "kept/deep", "kept"):
        zs = ["run", "--apply", "--hide", box.work + "/" + path]
        box.denied("cat kept/deep/file", zs=zs)
        box.denied("mv kept moved && cat moved/deep/file; r=$?; mv moved kept; exit $r", zs=zs)
        box.granted("cat kept/deep/file", zs=["run", "--verify"], stdout="text\n")
        before = Same(box)
        box.granted("for d in . kept kept/deep; do echo x >$d/beside; done 2>/dev/null; cat beside",
            zs=["run", "--verify", *zs[2:]], stdout="x\n")
        before.check("beside what is hidden")
    with open(box.work + "/kept/deep/file") as file:
        if file.read() != "text\n":
            raise Failure("what was hidden has changed")


@test(needs=["sandbox"])
def a_workspace_in_tmp(box):
    path = "/tmp/zs-test-%d-%s" % (os.getpid(), box.user.is_root)
    os.mkdir(path)
    try:
        box.own(path)
        script = "echo x >new; echo y >/tmp/beside; cat new; ls /tmp"
        box.run_zs("run", "--diff", "--", "sh", "-ec", script, cwd=path).expect(
            stdout="x\nbeside\n%s\n" % os.path.basename(path), stderr=re.compile(r"\Acreated +file +0644 +new\n\Z"))
        if os.listdir(path) or os.path.exists("/tmp/beside"):
            raise Failure("it is real")
    finally:
        os.rmdir(path)


@test(needs=["sandbox"], once=True)
def filling_the_layer_ends(box):
    """At the layer's size, 2 GiB, and not of the machine's memory; the rest still works."""
    before = fill(box)
    script = "head -c 2200000000 /dev/zero >full; rm full; echo x >after; cat after"
    box.run_zs("run", "--verify", "--", "sh", "-c", script).expect(stdout="x\n", stderr=["No space left on device"])
    before.check()


@test(needs=["sandbox"])
def two_runs_at_a_time(box):
    before = fill(box)
    script = "echo %s >file; echo go; read x; cat file"
    runs = [subprocess.Popen([box.zs, "run", "--diff", "--", "sh", "-c", script % name], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=box.work, env=box.env, **box.user.spawn_options())
        for name in ("one", "two")]
    for run in runs:
        if run.stdout.readline() != b"go\n":
            raise Failure(run.communicate())
    for run, name in zip(runs, (b"one\n", b"two\n")):
        out, err = run.communicate(b"\n", timeout=60)
        if out != name or not re.match(rb"\Achanged +file +0644 +file\n\Z", err) or run.returncode != 0:
            raise Failure((out, err, run.returncode))
    before.check()


# --------------------------------------------------------------------------------------------------- diff and patch


@test(needs=["sandbox"])
def diff_is_complete(box):
    before = fill(box)
    result = box.run_zs("run", "--diff", "--json", "--", "sh", "-ec", CHANGES).expect(stdout="")
    if listed(result.stderr) != LISTED:
        raise Failure("%s\n%s" % (listed(result.stderr), LISTED))
    table = box.run_zs("run", "--diff", "--", "sh", "-ec", CHANGES).expect(stdout="").stderr
    if [(line.split()[0], re.sub(".*  ", "", line)) for line in table.splitlines()] != LISTED:
        raise Failure(table)
    for row in ("mode     file      0644 > 0755  mode", "type     directory > file 0755 > 0644  becomes",
            "link     symlink                link"):
        if row + "\n" not in table:
            raise Failure("%r is missing:\n%s" % (row, table))
    before.check()


@test(needs=["sandbox"])
def nothing_changed_is_nothing_listed(box):
    fill(box)
    for script, exit in (("true", 0), ("touch file run.sh folder", 0), ("cat file >f && cat f >file && rm f", 0),
            ("chmod 600 file; chmod 644 file", 0), ("mv file f; mv f file", 0), ("echo x >new; rm new", 0),
            ("mkdir new; rmdir new", 0), ("ls -laR >/dev/null", 0), ("exit 3", 3)):
        for option in ("--diff", "--patch"):
            box.run_zs("run", option, "--", "sh", "-c", script).expect(exit=exit, stdout="", stderr="")


@test(needs=["sandbox", "git"])
def the_patch_gives_the_same_tree(box):
    fill(box)
    repository(box, box.work)
    copy = box.home + "/copy"
    box.run(["cp", "-a", box.work, copy]).expect()
    script = CHANGES + "echo x >>.git/config; %s add -A; %s commit -qm two" % (" ".join(GIT), " ".join(GIT))
    box.run_zs("run", "--patch", "--report", "../patch", "--", "sh", "-ec", script).expect(stdout="", stderr="")
    box.run(["git", "apply", "../patch"], cwd=copy).expect(stderr="")
    box.run_zs("run", "--apply", "--", "sh", "-ec", CHANGES).expect(stderr="")

    def of_git(root):
        found = {name: (known[0] & 0o170100, known[1]) for name, known in state(root, times=False).items()}
        return {name: known for name, known in found.items()
            if not name.startswith(".git") and not stat.S_ISDIR(known[0])}
    if of_git(copy) != of_git(box.work):
        raise Failure("%s\n%s" % (of_git(copy), of_git(box.work)))


@test(needs=["sandbox"])
def a_patch_has_an_end(box):
    """Sparse files, text as far as git looks for a NUL: each costs the layer two pages and the patch 4 MiB."""
    before = fill(box)
    script = ("import os\nfor i in range(%d):\n    with open('s%%03d' %% i, 'w') as file:\n"
        "        file.write('x\\n' * 4000), file.truncate(4 << 20)")
    patch = ["run", "--patch", "--report", box.outside + "/patch", "--apply", "--", "python3", "-c"]
    box.run_zs(*patch, script % 70).expect(exit=125, stdout="",
        stderr="zs: patch: s064: more than 256 MiB would be printed\n")
    before.check()
    if os.path.getsize(box.outside + "/patch") > 300 << 20:
        raise Failure("it is larger than it should be")
    box.run_zs(*patch[:-4], "--", "python3", "-c", script % 10).expect(stderr="")


@test(needs=["sandbox"])
def the_report_is_a_file_or_standard_error(box):
    before = fill(box)
    script = "echo x >file; echo out; echo err >&2"
    box.run_zs("run", "--diff", "--report", box.outside + "/r", "--", "sh", "-c", script).expect(
        stdout="out\n", stderr="err\n")
    with open(box.outside + "/r") as file:
        if not re.match(r"\Achanged +file +0644 +file\n\Z", file.read()):
            raise Failure("the report")
    # One that cannot be written is no success, and nothing is applied.
    for option in ("--diff", "--patch"):
        full = ["run", option, "--apply", "--report", "/dev/full", "--", "sh", "-c"]
        line = "zs: output: /dev/full: no space left on device\n"
        box.run_zs(*full, "echo x >file").expect(exit=125, stdout="", stderr=line)
        box.run_zs(*full, "echo x >file; exit 4").expect(exit=4, stdout="", stderr=line)
    box.run_zs("run", "--diff", "--report", box.home + "/no/where", "--", "echo", "ran").expect(exit=125, stdout="",
        stderr="zs: report: %s/no/where: no such file or directory\n" % box.home)
    before.check()


def on_a_terminal(box, argv, press=None):
    """zs run with a terminal, on which a key is pressed once the command has said go."""
    pid, terminal = pty.fork()
    if pid == 0:
        options = box.user.spawn_options()
        if options:
            os.setgroups([])
            os.setgid(options["group"])
            os.setuid(options["user"])
        os.chdir(box.work)
        os.execve(box.zs, [box.zs, "run", *argv], box.env)
    shown = b""
    with contextlib.suppress(OSError): # its end is an error of the terminal's
        while select.select([terminal], [], [], 60)[0]:
            part = os.read(terminal, 4096)
            if not part:
                break
            shown += part
            if press and b"go" in shown:
                os.write(terminal, press)
                press = None
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), shown


@test(needs=["sandbox"])
def names_and_content_do_not_reach_a_terminal(box):
    fill(box)
    script = r"""printf 'evil\033[2J' >"$(printf 'n\033[31m\nm\302\205')" """
    text = box.run_zs("run", "--diff", "--", "sh", "-c", script).expect().stderr
    if text != "created  file      0644         n\\x1b[31m\\nm\\u0085\n":
        raise Failure(repr(text))
    text = box.run_zs("run", "--diff", "--json", "--", "sh", "-c", script).expect().stderr.encode("latin-1")
    if json.loads(text)["path"] != "n\x1b[31m\nm\x85" or b"\x1b" in text or text.count(b"\n") != 1:
        raise Failure(text)
    _, shown = on_a_terminal(box, ["--patch", "--", "sh", "-c", script])
    if b"\x1b" in shown or b"+evil\\x1b[2J" not in shown:
        raise Failure(shown)


@test(needs=["sandbox"], once=True)
def usage(box):
    for argv, text in (
        (["--patch", "--json"],
            "zs: --patch: does not go with --json; a patch is text, and --diff is listed as JSON\n"),
        (["--report", "x"], "zs: --report: there is nothing to write; add --diff or --patch\n"),
        (["--diff", "--report", ""], "zs: --report: the path is empty; name a file\n"),
        (["--verify", "--policy", "x"], 'zs: --verify: does not go with --policy; the file says "access": "overlay"\n'),
    ):
        box.run_zs("run", *argv, "--", "true").expect(exit=64, stdout="", stderr=text)


# ------------------------------------------------------------------------------------------------------------- apply


@test(needs=["sandbox"])
def apply_makes_it_what_the_command_saw(box):
    fill(box)
    look = "find . -type f -exec sha256sum {} + | sort; find . -printf '%p %y %m %l\\n' | sort"
    inside = box.run_zs("run", "--apply", "--", "sh", "-ec", CHANGES + look).expect(stderr="")
    outside = box.run(["sh", "-c", look]).expect()
    if inside.stdout != outside.stdout:
        raise Failure("%s\n%s" % (inside.stdout, outside.stdout))
    owners = {os.lstat(os.path.join(box.work, name)).st_uid for name in os.listdir(box.work)}
    if owners != {0 if box.user.is_root else box.user.uid or os.getuid()}:
        raise Failure("files of %s" % owners)


@test(needs=["sandbox"])
def exit_statuses(box):
    fill(box)
    for script, status in (("true", 0), ("exit 3", 3), ("exit 125", 125)):
        for options in (["--verify"], ["--diff"], ["--apply"]):
            box.run_zs("run", *options, "--", "sh", "-c", script).expect(exit=status, stdout="", stderr="")
    box.run_zs("run", "--apply", "--", "no-such-command").expect(exit=127)
    box.run_zs("run", "--apply", "--", "./file").expect(exit=126)
    # It is applied whatever the command says, unless a signal or a limit has ended it.
    box.run_zs("run", "--apply", "--", "sh", "-c", "echo x >file; exit 3").expect(exit=3, stderr="")
    before = Same(box)
    box.run_zs("run", "--apply", "--", "sh", "-c", "echo y >file; kill -TERM $$").expect(exit=143,
        stderr="zs: apply: a signal has ended the run\n")
    box.run_zs("run", "--apply", "--limit", "wall=1s", "--", "sh", "-c", "echo y >file; sleep 60").expect(exit=137,
        stderr=["zs: wall limit ", "zs: apply: a signal has ended the run\n"])
    before.check()
    with open(box.work + "/file") as file:
        if file.read() != "x\n":
            raise Failure("it was not applied")


@test(needs=["sandbox"])
def what_others_obey_is_held_back(box):
    fill(box)
    box.run(["git", "init", "-q", "."]) if os.path.exists("/usr/bin/git") else box.folder("home/project/.git")
    script = ("mkdir -p .git/hooks; echo x >.git/hooks/evil; echo x >.mcp.json; mkdir .claude; echo x >.claude/s;"
        "echo x >new")
    result = box.run_zs("run", "--apply", "--", "sh", "-ec", script).expect(stderr=[
        "zs: apply: .git/hooks/evil: not applied: git would run it, or take orders from it\n",
        "zs: apply: .mcp.json: not applied: a shell or an agent would take orders from it\n"])
    if os.path.exists(box.work + "/.mcp.json") or os.path.exists(box.work + "/.claude") or \
            os.path.exists(box.work + "/.git/hooks/evil") or not os.path.exists(box.work + "/new"):
        raise Failure(str(result))


def during(box, options, script, meanwhile):
    """Runs zs; `meanwhile` is called once the command says so, and it ends after that."""
    process = subprocess.Popen([box.zs, "run", *options, "--", "sh", "-c", script + "; echo go; read x"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=box.work, env=box.env,
        **box.user.spawn_options())
    if process.stdout.readline() != b"go\n":
        raise Failure(process.communicate())
    meanwhile(process)
    out, err = process.communicate(b"\n", timeout=60)
    return Result(process.args, process.returncode, out.decode(), err.decode())


@test(needs=["sandbox"])
def what_somebody_else_changes_is_kept(box):
    """Then nothing of the run is applied."""
    rows = (
        ("echo cmd >file", "echo user >>file", "file: has changed during the run"),
        ("rm file", "echo user >>file", "file: has changed during the run"),
        ("rm file", "chmod 600 file", "file: has changed during the run"),
        ("echo cmd >new", "echo user >new", "new: has changed during the run"),
        ("echo cmd >>folder/a", "rm folder/a", "folder: files have come or gone there during the run"),
        ("sed -i s/a/b/ folder/a", "rm folder/a", "folder: files have come or gone there during the run"),
        ("rm -r folder", "echo user >folder/deep/user", "folder"),
        ("echo cmd >folder/deep/b", "mv folder away; ln -s away folder", "folder"),
        ("echo cmd >file", "rm file; mkdir file", "file: "),
        # Put back as it was, with its times: the ctime tells.
        ("echo cmd >file", "cp -p file save; echo user >file; cp -p save file; rm save", "file: has changed"),
    )
    for script, user, why in rows:
        fill(box)
        script = "mkdir empty/also; " + script

        left = []

        def meanwhile(_, user=user, left=left):
            box.run(["sh", "-ec", user]).expect()
            left.append(state(box.work))
        result = during(box, ["--apply"], script, meanwhile)
        result.expect(exit=125, stderr=["zs: apply: ", why])
        if state(box.work) != left[0] or result.stderr.count("\n") != 1:
            raise Failure("%s / %s: %s" % (script, user, result))
        box.run(["sh", "-c", "rm -rf ./* ./.[!.]*"]).expect()
    # A change elsewhere is no reason.
    fill(box)
    during(box, ["--apply"], "echo cmd >file", lambda _: box.run(["sh", "-c", "echo user >>long"]).expect()).expect(
        stderr="")
    with open(box.work + "/file") as file, open(box.work + "/long") as other:
        if file.read() != "cmd\n" or not other.read().endswith("user\n"):
            raise Failure("not both")


# --------------------------------------------------------------------------------------------- what can go wrong


def processes_of(box):
    """Pids whose working directory or command line has to do with this box."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            with open("/proc/%s/cmdline" % pid, "rb") as file:
                if box.zs.encode() in file.read() or os.readlink("/proc/%s/cwd" % pid).startswith(box.root):
                    found.append(int(pid))
    return found


def children(pid):
    with open("/proc/%d/task/%d/children" % (pid, pid)) as file:
        return [int(child) for child in file.read().split()]


def helper_of(pid):
    """The process that waits for the layer: the child of zs that is not in another pid namespace."""
    own = os.readlink("/proc/%d/ns/pid" % pid)
    return [child for child in children(pid) if os.readlink("/proc/%d/ns/pid" % child) == own][0]


@test(needs=["sandbox"])
def killed(box):
    before = fill(box)
    # All of what zs is: the supervisor alone, and everything at a time.
    for victims in (lambda pid: [pid], lambda pid: [helper_of(pid), pid], lambda pid: [pid, helper_of(pid)]):
        result = during(box, ["--apply", "--diff"], "echo x >file",
            lambda process: [os.kill(pid, signal.SIGKILL) for pid in victims(process.pid)])
        if result.exit != -signal.SIGKILL or result.stderr not in (
                "", "zs: overlay: the run was cut off; what it has changed is gone\n"):
            raise Failure(str(result))
        if len(victims.__code__.co_names) == 0 and not result.stderr:
            raise Failure("nothing was said")
        wait_until(lambda: not processes_of(box), "something is left")
        before.check()
    # Who was to apply it.
    result = during(box, ["--apply"], "echo x >file",
        lambda process: os.kill(helper_of(process.pid), signal.SIGKILL))
    result.expect(exit=125, stderr="zs: overlay: whoever was to receive the changes has gone; they are gone as well\n")
    wait_until(lambda: not processes_of(box), "something is left")
    before.check()


@test(needs=["sandbox"])
def nothing_is_left(box):
    fill(box)
    mounts = open("/proc/self/mountinfo").read()
    for options in (["--verify"], ["--diff"], ["--apply"], ["--apply", "--diff", "--report", "/dev/full"]):
        box.run_zs("run", *options, "--", "sh", "-c", "echo x >new; setsid sleep 100 >/dev/null 2>&1 &")
        if processes_of(box):
            raise Failure("%s: a process is left: %s" % (options, processes_of(box)))
    if open("/proc/self/mountinfo").read() != mounts:
        raise Failure("a mount is left")


@test(needs=["sandbox"])
def the_channel_is_the_supervisors_alone(box):
    """Who has it could say that the run is over, and go on."""
    fill(box)

    def sockets(pid):
        return [fd for fd in os.listdir("/proc/%d/fd" % pid) if int(fd) > 2 and
            os.readlink("/proc/%d/fd/%s" % (pid, fd)).startswith("socket:")]

    def meanwhile(process):
        helper = helper_of(process.pid)
        init, = [child for child in children(process.pid) if child != helper]
        commands = children(init)
        if os.geteuid() != 0:
            return
        if len(sockets(process.pid)) != 1 or len(sockets(helper)) != 1 or not commands:
            raise Failure("control: the supervisor has none")
        for pid in [init, *commands]:
            if [fd for fd in os.listdir("/proc/%d/fd" % pid) if int(fd) > 2]:
                raise Failure("%s has %s" % (pid, os.listdir("/proc/%d/fd" % pid)))
        # The helper holds nothing of the caller's, whose reader would wait for it.
        if len(os.listdir("/proc/%d/fd" % helper)) != 3 + 2 + 2: # channel and report, the two folders
            raise Failure("the helper has %s" % os.listdir("/proc/%d/fd" % helper))
    script = "ls /proc/self/fd >&2; env | grep -c ZS_SANDBOX >&2"
    during(box, ["--apply"], script, meanwhile).expect(stderr="0\n1\n2\n3\n0\n")


@test(needs=["sandbox"])
def a_channel_that_is_none_is_refused(box):
    policy = json.dumps({"version": 1, "workspace": {"root": box.work, "access": "overlay"}})
    script = 'exec -a zs-sandbox-shim "$0" /bin/echo ran 7<%s' % box.key
    env = {"ZS_SANDBOX_POLICY": policy, "ZS_SANDBOX_LAYER": "7", "PATH": "/usr/bin:/bin"}
    box.run(["bash", "-c", script, box.zs], env=env).expect(exit=125, stdout="",
        stderr=re.compile(r"\Azs: descriptors: the layer's channel: .*socket\n\Z"))


@test(needs=["sandbox"])
def a_terminals_interrupt_is_the_commands(box):
    """^C ends the command, not what reports on it; and half of the work is not applied."""
    before = fill(box)
    argv = ["--apply", "--diff", "--", "sh", "-c", "echo x >file; echo go; sleep 60"]
    status, shown = on_a_terminal(box, argv, b"\x03")
    if status != 130 or b"changed  file" not in shown or b"zs: apply: a signal has ended the run" not in shown:
        raise Failure((status, shown))
    before.check()


@test(needs=["sandbox"])
def where_no_overlay_can_stand(box):
    why = "is no lower layer of an overlay: something is mounted in it, or its file system cannot be"
    run = ["run", "--workspace", "/proc"]
    box.run_zs(*run, "--verify", "--", "echo", "ran", cwd="/").expect(exit=125, stdout="",
        stderr=["zs: overlay: /proc: " + why, "--without overlay"])
    # Given up, it is read-only, and a private folder is there for what a build writes.
    script = "touch /proc/new 2>/dev/null && exit 1; echo x >$TMPDIR/y && cat $TMPDIR/y"
    given_up = [*run, "--verify", "--without", "overlay", "--"]
    box.run_zs(*given_up, "sh", "-c", script, cwd="/").expect(stdout="x\n")
    # But whoever asks for the changes has not given them up.
    for option in ("--diff", "--apply"):
        asked = [*run, option, "--without", "overlay", "--", "echo", "ran"]
        box.run_zs(*asked, cwd="/").expect(exit=125, stdout="", stderr=[why])
    # Where it can be had it is had.
    fill(box)
    given_up = ["run", "--verify", "--without", "overlay", "--"]
    box.run_zs(*given_up, "sh", "-ec", "echo x >file; cat file").expect(stdout="x\n")


@test(needs=["sandbox", "userns"])
def a_mount_in_the_workspace_is_a_refusal(box):
    """What it covers would be seen, and what it shows would not."""
    before = fill(box)
    script = 'mount -t tmpfs none folder && echo x >folder/x && "$0" run --verify -- ls folder'
    box.run(["unshare", "-Urm", "sh", "-c", script, box.zs]).expect(exit=125, stdout="", stderr=["zs: overlay: "])
    before.check()


@test(needs=["sandbox"])
def by_a_policy_file(box):
    fill(box)
    paths = [{"path": path, "access": "exec"} for path in ("/usr", "/bin", "/lib", "/lib64", "/etc/alternatives")
        if os.path.exists(path)]
    for access, exit in (("overlay", 0), ("write", 125)):
        policy = box.file("policy", json.dumps({"version": 1, "workspace": {"root": box.work, "access": access},
            "paths": paths, "env": {"pass": ["PATH"]}}))
        want = r"changed .* file" if exit == 0 else r"zs: overlay: \S+: is no overlay, and the caller waits for one;.*"
        box.run_zs("run", "--policy", policy, "--diff", "--", "sh", "-c", "echo x >file").expect(exit=exit, stdout="",
            stderr=re.compile(r"\A%s\n\Z" % want))
        os.remove(policy)


@test(needs=["sandbox", "bash"])
def bash_has_it_too(box):
    fill(box)
    box.run_zs("bash", "--diff", "--json", "-c", "tee -a file < same").expect(stdout="same\n",
        stderr=re.compile(r'\A\{"change":"changed","path":"file",.*\}\n\Z'))
    box.run_zs("bash", "--apply", "-c", "cp same file && cat file").expect(stdout="same\n", stderr="")
    with open(box.work + "/file") as file:
        if file.read() != "same\n":
            raise Failure("it was not applied")


@test(needs=["sandbox", "root"])
def a_workspace_of_another_user(box):
    """Root works in it as if it were its own, and what is applied is the owner's."""
    fill(box)
    box.run(["chown", "-R", "12345:23456", box.work]).expect()
    before = Same(box)
    box.run_zs("run", "--diff", "--json", "--", "sh", "-ec", "cat file; " + CHANGES).expect(stdout="text\n",
        stderr=["becomes"])
    before.check()
    # Nobody else's: there root is as weak as any user.
    os.chown(box.work + "/same", 54321, 54321)
    box.run_zs("run", "--verify", "--", "sh", "-c", "cat same && echo x >>same").expect(exit=2, stdout="same\n")
    os.chown(box.work + "/same", 12345, 23456)
    box.run_zs("run", "--apply", "--", "sh", "-ec", CHANGES + "mkfifo fifo").expect(stderr="")
    owners = {(known[2], known[3]) for known in state(box.work).values()}
    if owners != {(12345, 23456)}:
        raise Failure("it belongs to %s" % owners)


if __name__ == "__main__":
    main()
