"""Dry runs: the command writes into an overlay of the workspace. Afterwards the real workspace is unchanged, or as the
command saw it."""

import contextlib
import hashlib
import json
import os
import re
import signal
import stat
import subprocess
import threading
import time

from harness import Failure, Result, expect, read, test
from planting import ATTACKS, GIT, Kept, repository
from processes import Terminal, children, processes, wait_until


def state(root, times=True):
    """Every name below a folder, with type, mode, owner, content and, if `times`, its time of change."""
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
    """A workspace that must not change in any byte or inode."""

    def __init__(self, box):
        self.box, self.before = box, state(box.work)

    def check(self, what=""):
        after = state(self.box.work)
        if after != self.before:
            changed = {name for name in set(after) | set(self.before) if after.get(name) != self.before.get(name)}
            raise Failure("%s: the workspace has changed: %s" % (what, sorted(changed)))


def fill(box):
    """Makes a workspace with exactly one file of each kind."""
    box.clear()
    for name, text in (("file", "text\n"), ("long", "".join("%d\n" % i for i in range(100))), ("same", "same\n"),
            ("gone", "gone\n"), ("moved", "moved\n"), ("folder/a", "a\n"), ("folder/deep/b", "b\n"),
            ("empty/.keep", ""), ("becomes/c", "c\n"), ("turns", "turns\n")):
        box.file("home/project/" + name, text)
    box.file("home/project/run.sh", "#!/bin/sh\necho ran\n", 0o755)
    box.file("home/project/mode", "mode\n")
    os.symlink("file", box.work + "/link")
    box.own(box.work + "/link")
    os.link(box.work + "/file", box.work + "/hard")
    return Same(box)


# Changes each kind of file.
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
    for option, stderr in (("--verify", ""), ("--diff", None), ("--patch", None)):
        box.run_zs("run", option, "--", "sh", "-ec", script).expect(stdout=want, stderr=stderr)
        before.check(option)
    # The control: without the overlay the changes are real.
    box.run_zs("run", "--", "sh", "-ec", script).expect(stdout=want)
    expect(state(box.work) != before.before, "control: nothing changed")


# Each would change $box/home/project/file or a file beside it, if it could.
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
        # The control: without the overlay the attack has an effect.
        box.run_zs("run", "--", "sh", "-c", attack)
        expect(state(box.work) != before.before or "chmod 700 ." in attack, "control: %s changes nothing" % attack)
        os.chmod(box.work, 0o755)


@test(needs=["sandbox"])
def the_overlay_cannot_be_taken_off(box):
    before = fill(box)
    for attack in ("umount .", "umount -l $PWD", "mount --bind / /tmp", "unshare -Urm umount -l $PWD",
            "unshare -Urm sh -c 'umount -l .; echo x >>$PWD/file'", "mount -o remount,ro $PWD"):
        result = box.run_zs("run", "--verify", "--", "sh", "-c", attack)
        expect(result.exit != 0, result)
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
    # cargo and git rename folders, ccache and npm make links, tests make sockets and fifos
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
    """--rw inside the workspace is an explicit wish. A grant to read adds nothing, since the overlay allows more."""
    fill(box)
    box.folder("home/project/out")
    result = box.run_zs("run", "--diff", "--rw", "out", "--ro", "folder", "--", "sh", "-ec",
        "echo x >out/real; echo x >folder/a; echo x >file; cat out/real folder/a file")
    result.expect(stdout="x\nx\nx\n", stderr=re.compile(r"\Achanged .* file\nchanged .* folder/a\n\Z"))
    expect(read(box.work + "/out/real") == "x\n" and os.path.getsize(box.work + "/file") != 2, "the wrong one is real")
    for grant in (box.work, box.home, "/"):
        box.run_zs("run", "--verify", "--rw", grant, "--", "true").expect(exit=125, stderr=[
            "zs: workspace: %s: is an overlay, but the grant of write access" % box.work])
    # A folder around the workspace may be granted to read, and then shows the overlay.
    box.run_zs("run", "--verify", "--ro", box.home, "--", "sh", "-ec", "echo y >file; cat %s/file" % box.work).expect(
        stdout="y\n")


@test(needs=["sandbox"])
def protected_inside(box):
    for target in ("kept/deep/file", "kept/deep"):
        harm = Kept(box)
        options = ["--apply", "--protect", box.work + "/" + target]
        box.denied(*ATTACKS, harm=harm, zs=["run", *options])
        before = Same(box)
        write = "for d in . kept kept/deep; do echo x >$d/beside; done 2>/dev/null; "
        box.granted(write + "cat kept/deep/file; ls kept/beside", zs=["run", "--verify", *options[1:]],
            stdout="text\nkept/beside\n")
        before.check("beside what is protected")
    # The control: without protection the folder can be removed.
    box.granted("rm -r kept", zs=["run", "--apply"])
    expect(not os.path.exists(box.work + "/kept"), "control: it is still there")


@test(needs=["sandbox"])
def hidden_inside(box):
    box.file("home/project/kept/deep/file", "text\n")
    for path in ("kept/deep/file", "kept/deep", "kept"):
        zs = ["run", "--apply", "--hide", box.work + "/" + path]
        box.denied("cat kept/deep/file", "mv kept moved && cat moved/deep/file; r=$?; mv moved kept; exit $r", zs=zs)
        box.granted("cat kept/deep/file", zs=["run", "--verify"], stdout="text\n")
        before = Same(box)
        box.granted("for d in . kept kept/deep; do echo x >$d/beside; done 2>/dev/null; cat beside",
            zs=["run", "--verify", *zs[2:]], stdout="x\n")
        before.check("beside what is hidden")
    expect(read(box.work + "/kept/deep/file") == "text\n", "what was hidden has changed")


@test(needs=["sandbox"])
def a_workspace_in_tmp(box):
    path = "/tmp/zs-test-%d-%s" % (os.getpid(), box.user.is_root)
    os.mkdir(path)
    try:
        box.own(path)
        script = "echo x >new; echo y >/tmp/beside; cat new; ls /tmp"
        box.run_zs("run", "--diff", "--", "sh", "-ec", script, cwd=path).expect(
            stdout="x\nbeside\n%s\n" % os.path.basename(path), stderr=re.compile(r"\Acreated +file +0644 +new\n\Z"))
        expect(not os.listdir(path) and not os.path.exists("/tmp/beside"), "it is real")
    finally:
        os.rmdir(path)


@test(needs=["sandbox"], once=True)
def filling_the_overlay_ends(box):
    """The overlay is full at its own size, 2 GiB, not at the size of the machine's memory. The rest still works."""
    before = fill(box)
    script = "head -c 2200000000 /dev/zero >full; rm full; echo x >after; cat after"
    box.run_zs("run", "--verify", "--", "sh", "-c", script).expect(stdout="x\n", stderr=["No space left on device"])
    before.check()


@test(needs=["sandbox"])
def two_runs_at_a_time(box):
    before = fill(box)
    script = "echo %s >file; echo go; read x; cat file"
    runs = [box.start([box.zs, "run", "--diff", "--", "sh", "-c", script % name])
        for name in ("one", "two")]
    for run in runs:
        if run.stdout.readline() != b"go\n":
            raise Failure(run.communicate())
    for run, name in zip(runs, (b"one\n", b"two\n")):
        out, err = run.communicate(b"\n", timeout=60)
        expect(out == name and re.match(rb"\Achanged +file +0644 +file\n\Z", err) and run.returncode == 0,
            (out, err, run.returncode))
    before.check()


# --------------------------------------------------------------------------------------------------- diff and patch


@test(needs=["sandbox"])
def diff_is_complete(box):
    before = fill(box)
    result = box.run_zs("run", "--diff", "--json", "--", "sh", "-ec", CHANGES).expect(stdout="")
    expect(listed(result.stderr) == LISTED, "%s\n%s" % (listed(result.stderr), LISTED))
    table = box.run_zs("run", "--diff", "--", "sh", "-ec", CHANGES).expect(stdout="").stderr
    expect([(line.split()[0], re.sub(".*  ", "", line)) for line in table.splitlines()] == LISTED, table)
    for row in ("mode     file      0644 > 0755  mode", "type     directory > file 0755 > 0644  becomes",
            "link     symlink                link"):
        expect(row + "\n" in table, "%r is missing:\n%s" % (row, table))
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
    expect(of_git(copy) == of_git(box.work), "%s\n%s" % (of_git(copy), of_git(box.work)))


@test(needs=["sandbox"])
def a_patch_has_an_end(box):
    """Sparse files whose first bytes, in which git looks for a NUL, are text. Each costs two pages in the overlay and 4
    MiB in the patch."""
    before = fill(box)
    script = ("import os\nfor i in range(%d):\n    with open('s%%03d' %% i, 'w') as file:\n"
        "        file.write('x\\n' * 4000), file.truncate(4 << 20)")
    patch = ["run", "--patch", "--report", box.outside + "/patch", "--apply", "--", "python3", "-c"]
    box.run_zs(*patch, script % 70).expect(exit=125, stdout="",
        stderr="zs: patch: s064: more than 256 MiB would be printed\n")
    before.check()
    expect(os.path.getsize(box.outside + "/patch") <= 300 << 20, "it is larger than it should be")
    box.run_zs(*patch[:-4], "--", "python3", "-c", script % 10).expect(stderr="")


@test(needs=["sandbox"], slow=True)
def a_list_has_an_end(box):
    """Names cost little in the overlay, but a list holds their whole length: a million long paths are gigabytes."""
    before = fill(box)
    # Some 3,950 bytes each: 32 MiB are 8,500.
    script = ("import os\nfor i in range(15):\n    os.mkdir(250 * 'd'), os.chdir(250 * 'd')\n"
        "for i in range(%d):\n    os.mkdir('%%0185d' %% i)")
    for options in (["--diff"], ["--apply"]):
        box.run_zs("run", *options, "--", "python3", "-c", script % 9000).expect(exit=125, stdout="", stderr=re.compile(
            r"\Azs: overlay: d+/.*: the paths of the changed files have more than 32 MiB\n\Z"))
        before.check()
    box.run_zs("run", "--diff", "--report", box.outside + "/report", "--", "python3", "-c", script % 8000).expect()


@test(needs=["sandbox"])
def the_report_is_a_file_or_standard_error(box):
    before = fill(box)
    script = "echo x >file; echo out; echo err >&2"
    box.run_zs("run", "--diff", "--report", box.outside + "/r", "--", "sh", "-c", script).expect(
        stdout="out\n", stderr="err\n")
    expect(re.match(r"\Achanged +file +0644 +file\n\Z", read(box.outside + "/r")), "the report")
    # If the patch cannot be written, the run fails, and nothing is applied.
    for option in ("--diff", "--patch"):
        full = ["run", option, "--apply", "--report", "/dev/full", "--", "sh", "-c"]
        line = "zs: output: /dev/full: no space left on device\n"
        box.run_zs(*full, "echo x >file").expect(exit=125, stdout="", stderr=line)
        box.run_zs(*full, "echo x >file; exit 4").expect(exit=4, stdout="", stderr=line)
    box.run_zs("run", "--diff", "--report", box.home + "/no/where", "--", "echo", "ran").expect(exit=125, stdout="",
        stderr="zs: report: %s/no/where: no such file or directory\n" % box.home)
    before.check()


@test(needs=["sandbox"])
def standard_descriptors_may_be_closed(box):
    fill(box)
    for closed in ("<&-", "<&- >&-"):
        for report in ("", "--report %s/r" % box.outside):
            script = '"$0" run --diff %s -- sh -c "echo x >file; exit 3" %s' % (report, closed)
            box.run(["sh", "-c", script, box.zs]).expect(exit=3,
                stderr="" if report else re.compile(r"\Achanged +file +0644 +file\n\Z"))
            if report:
                expect("file" in read(box.outside + "/r"), "the report")


@test(needs=["sandbox"])
def names_and_content_do_not_reach_a_terminal(box):
    fill(box)
    script = r"""printf 'evil\033[2J' >"$(printf 'n\033[31m\nm\302\205')" """
    text = box.run_zs("run", "--diff", "--", "sh", "-c", script).expect().stderr
    expect(text == "created  file      0644         n\\x1b[31m\\nm\\u0085\n", repr(text))
    text = box.run_zs("run", "--diff", "--json", "--", "sh", "-c", script).expect().stderr.encode("latin-1")
    expect(json.loads(text)["path"] == "n\x1b[31m\nm\x85" and b"\x1b" not in text and text.count(b"\n") == 1, text)
    terminal = Terminal(box, [box.zs, "run", "--patch", "--", "sh", "-c", script])
    terminal.end()
    expect("\x1b" not in terminal.shown and "+evil\\x1b[2J" in terminal.shown, repr(terminal.shown))


@test(needs=["sandbox"], once=True)
def usage(box):
    for argv, text in (
        (["--patch", "--json"],
            "zs: --patch: does not go with --json; a patch is text: use --diff --json\n"),
        (["--net", "full", "--report", "x"], "zs: --report: with --net full there is nothing to write; add --diff or "
            "--patch\n"),
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
    expect(inside.stdout == outside.stdout, "%s\n%s" % (inside.stdout, outside.stdout))
    owners = {os.lstat(os.path.join(box.work, name)).st_uid for name in os.listdir(box.work)}
    expect(owners == {0 if box.user.is_root else box.user.uid or os.getuid()}, "files of %s" % owners)


@test(needs=["sandbox"])
def a_link_takes_the_place_of_a_folder_that_was_shut(box):
    """Apply opens shut/in to empty it, and finds no folder there to shut again."""
    box.folder("home/project/shut")
    box.folder("home/project/shut/in")
    box.file("home/project/shut/in/x")
    os.chmod(box.work + "/shut/in", 0o555)
    box.run_zs("run", "--apply", "--", "sh", "-c", "chmod 755 shut/in; rm -r shut; ln -s shut/x shut").expect()
    expect(os.readlink(box.work + "/shut") == "shut/x", "no link")


@test(needs=["sandbox"])
def holes_stay_holes(box):
    """A sparse file costs the command nothing, but would fill the disk when applied."""
    script = "truncate -s 2G hole; printf end >>hole; truncate -s 300K zero; printf 'a\\0b' >text; truncate -s 1M text"
    box.run_zs("run", "--apply", "--", "sh", "-ec", script).expect(stderr="")
    sizes = [os.stat(box.work + "/" + name) for name in ("hole", "zero", "text")]
    with open(box.work + "/hole", "rb") as hole, open(box.work + "/text", "rb") as text:
        hole.seek(2 << 30)
        expect(hole.read() == b"end" and text.read() == b"a\0b" + bytes((1 << 20) - 3) and
            [st.st_size for st in sizes] == [(2 << 30) + 3, 300 << 10, 1 << 20], "not the same")
    if sum(st.st_blocks for st in sizes) * 512 > 1 << 20:
        raise Failure([st.st_blocks for st in sizes])


@test(needs=["sandbox"])
def the_workspace_itself_is_shut(box):
    fill(box)
    for mode in ("0", "300", "600"):
        script = "echo %s >file; chmod %s ." % (mode, mode)
        box.run_zs("run", "--diff", "--apply", "--", "sh", "-c", script).expect(
            stderr=re.compile(r"\Achanged +file +0644 +file\n\Z"))
        expect(read(box.work + "/file") == mode + "\n", "it was not applied")


@test(needs=["sandbox"])
def the_umask_is_the_commands(box):
    """An applied file has the mode that the command saw."""
    for mask in ("0077", "0177", "0777"):
        script = ('umask %s; exec "$0" run --apply -- sh -c "umask 022; mkdir -p n%s/m; echo x >n%s/m/f; rm -rf link; '
            'mkdir link"' % (mask, mask, mask))
        box.run(["ln", "-sfn", "nowhere", "link"]).expect()
        box.run(["sh", "-c", script, box.zs]).expect(stderr="")
        modes = [os.stat(box.work + "/" + name).st_mode & 0o777 for name in ("n" + mask, "n%s/m" % mask,
            "n%s/m/f" % mask, "link")]
        expect(modes == [0o755, 0o755, 0o644, 0o755], "%s: %r" % (mask, modes))
        os.rmdir(box.work + "/link")


@test(needs=["sandbox"])
def exit_statuses(box):
    fill(box)
    for script, status in (("true", 0), ("exit 3", 3), ("exit 125", 125)):
        for options in (["--verify"], ["--diff"], ["--apply"]):
            box.run_zs("run", *options, "--", "sh", "-c", script).expect(exit=status, stdout="", stderr="")
    box.run_zs("run", "--apply", "--", "no-such-command").expect(exit=127)
    box.run_zs("run", "--apply", "--", "./file").expect(exit=126)
    # The changes are applied whatever the command's status, unless a signal or a limit has ended it.
    box.run_zs("run", "--apply", "--", "sh", "-c", "echo x >file; exit 3").expect(exit=3, stderr="")
    before = Same(box)
    box.run_zs("run", "--apply", "--", "sh", "-c", "echo y >file; kill -TERM $$").expect(exit=143,
        stderr="zs: apply: a signal or a limit has ended the run\n")
    box.run_zs("run", "--apply", "--limit", "wall=1s", "--", "sh", "-c", "echo y >file; sleep 60").expect(exit=137,
        stderr=["zs: wall limit ", "zs: apply: a signal or a limit has ended the run\n"])
    before.check()
    expect(read(box.work + "/file") == "x\n", "it was not applied")


def pass_on(box, script, number):
    """Runs the script, and sends the signal to zs once the script is ready. Returns zs's exit code and its messages."""
    process = box.start([box.zs, "run", "--apply", "--", "sh", "-c", script], text=True)
    if process.stdout.readline() != "ready\n":
        raise Failure("control: it does not run: %s" % process.communicate()[1])
    process.send_signal(number)
    complaints = process.communicate()[1]
    return process.returncode, complaints


@test(needs=["sandbox"])
def a_status_above_128_is_no_signal(box):
    """A command may exit as if a signal had killed it. Only a real signal, or a limit, keeps its changes back."""
    for status in (128, 129, 137, 143, 192, 193, 255):
        box.run_zs("run", "--apply", "--", "sh", "-c", "echo %d >file; exit %d" % (status, status)).expect(exit=status,
            stderr="")
        expect(read(box.work + "/file") == "%d\n" % status, "%d: it was not applied" % status)
    before = Same(box)
    cut = "zs: apply: a signal or a limit has ended the run\n"
    for name, number in (("HUP", 1), ("INT", 2), ("KILL", 9), ("TERM", 15)):
        script = "echo x >file; kill -%s $$" % name
        box.run_zs("run", "--apply", "--", "sh", "-c", script).expect(exit=128 + number, stderr=cut)
    # A program that catches the signal and exits with the signal's status counts as ended by it.
    script = "trap 'exit %d' TERM; echo x >file; echo ready; while :; do sleep 0.05; done"
    got = pass_on(box, script % 143, signal.SIGTERM)
    expect(got == (143, cut), got)
    spin = "echo x >file; sh -c 'while :; do :; done'; exit $?"
    result = box.run_zs("run", "--apply", "--limit", "cpu=1s", "--", "sh", "-c", spin)
    result.expect(exit=152 if result.exit == 152 else 137, stderr=["zs: cpu limit ", cut])
    before.check()
    got = pass_on(box, script % 3, signal.SIGTERM)
    expect(got == (3, "") and read(box.work + "/file") == "x\n",
        "a signal that the command got over keeps its changes back: %r" % (got,))


@test(needs=["sandbox"])
def what_others_obey_is_held_back(box):
    fill(box)
    box.run(["git", "init", "-q", "."]) if os.path.exists("/usr/bin/git") else box.folder("home/project/.git")
    script = ("mkdir -p .git/hooks; echo x >.git/hooks/evil; echo x >.mcp.json; mkdir .claude; echo x >.claude/s;"
        "echo x >new")
    result = box.run_zs("run", "--apply", "--", "sh", "-ec", script).expect(exit=125, stderr=[
        "zs: apply: .git/hooks/evil: not applied: git would run it, or take orders from it\n",
        "zs: apply: .mcp.json: not applied: a shell, an editor or an agent would take orders from it\n"])
    expect(not os.path.exists(box.work + "/.mcp.json") and not os.path.exists(box.work + "/.claude") and
        not os.path.exists(box.work + "/.git/hooks/evil") and os.path.exists(box.work + "/new"), result)
    # The command's own status counts. A list names what is held back, and the status is the same.
    box.run_zs("run", "--apply", "--", "sh", "-c", "echo x >.mcp.json; exit 3").expect(exit=3)
    box.run_zs("run", "--apply", "--diff", "--", "sh", "-c", "echo x >.mcp.json").expect(exit=125,
        stderr=re.compile(r"^created.*\.mcp\.json"))
    box.run_zs("run", "--diff", "--", "sh", "-c", "echo x >.mcp.json").expect(exit=0)


@test(needs=["sandbox", "git"])
def a_new_repository_is_held_back_whole(box):
    for script, held, made in (("git init -q .", ".git", []), ("git init -q sub; echo x >sub/file", "sub/.git",
            ["sub", "sub/file"]), ("git init -q --bare b.git", "b.git", []), ("git init -q .; git -c user.name=a "
            "-c user.email=b commit -q --allow-empty -m x", ".git", []), ("mkdir -p d/e; git init -q --bare d/e/b",
            "d/e/b", ["d", "d/e"])):
        box.clear()
        box.run(["sh", "-ec", script]).expect()
        expect(os.path.exists(os.path.join(box.work, held, "HEAD")), "control: there is no repository", script)
        box.clear()
        result = box.run_zs("run", "--apply", "--", "sh", "-ec", script + "; echo x >new")
        result.expect(exit=125, stderr=re.compile(r"\Azs: apply: %s: not applied: [^\n]+\n\Z" % re.escape(held)))
        have = sorted(os.path.relpath(os.path.join(folder, name), box.work) for folder, folders, files in
            os.walk(box.work) for name in folders + files)
        expect(have == sorted(made + ["new"]), script, have)


# Each leaves a folder in which git obeys a file of the run. The last item of a row is the folder in which git is
# called.
CONFIG = "printf '[core]\\nrepositoryformatversion = 0\\nsshCommand = \"echo >>%s; false\"\\n' "
PLANTS = [
    ("mkdir -p sub/objects sub/refs; echo ref: refs/heads/x >sub/HEAD; CONFIG >sub/config", "sub"),
    ("cd folder; mkdir -p objects refs; echo ref: refs/heads/x >HEAD; CONFIG >config", "folder"),
    ("mkdir -p x/y; cd x/y; mkdir objects refs; echo 0123456789012345678901234567890123456789 >HEAD; CONFIG >config",
        "x/y"),
    ("mkdir sub; cd sub; ln -s . objects; cp /bin/true refs; ln -s refs/heads/x HEAD; CONFIG >config", "sub"),
    # commondir points to another folder, which alone is no repository.
    ("mkdir -p sub conf/objects conf/refs; echo ref: refs/heads/x >sub/HEAD; echo ../conf >sub/commondir; "
        "CONFIG >conf/config", "sub"),
    ("git init -q --bare sub; CONFIG >sub/config", "sub"),
    ("git init -q --bare other; CONFIG >other/config; mv other sub", "sub"),
    ("rm same; git init -q --bare same; CONFIG >same/config", "same"),
    ("rm -r folder; git init -q --bare folder; CONFIG >folder/config", "folder"),
    ("git init -q --bare folder/b; CONFIG >folder/b/config; ln -s folder/b sub", "sub"),
    # In several runs, each of which alone looks harmless.
    ("mkdir sub; CONFIG >sub/config", "mkdir sub/objects", "echo ref: refs/x >sub/HEAD", "mkdir sub/refs", "sub"),
    ("mkdir -p sub/objects sub/refs; echo ref: refs/heads/x >sub/HEAD", "CONFIG >sub/config", "sub"),
    ("mkdir -p sub/objects sub/refs; echo no >sub/HEAD; CONFIG >sub/config", "echo ref: refs/heads/x >sub/HEAD", "sub"),
    # A repository that was there before.
    ("CONFIG >theirs.git/config", "theirs.git"),
    ("rm -r theirs.git; git init -q --bare theirs.git; CONFIG >theirs.git/config", "theirs.git"),
    ("echo ../conf >theirs.git/commondir; mkdir -p conf/objects conf/refs; CONFIG >conf/config", "theirs.git"),
]


@test(needs=["sandbox", "git"])
def a_planted_repository_is_held_back(box):
    ran = box.outside + "/ran"
    for *scripts, sub in PLANTS:
        for zs in ([], ["run", "--apply"]):
            fill(box)
            box.run(["git", "init", "-q", "--bare", "theirs.git"]).expect()
            held = ""
            for script in scripts:
                argv = ["sh", "-ec", script.replace("CONFIG", CONFIG % ran)]
                # Where a run's repository is held back whole, the next one does not find its folder.
                result = box.run_zs(*zs, "--", *argv) if zs else box.run(argv).expect()
                expect(result.exit in (0, 2, 125), result)
                held += result.stderr
            if os.path.isdir(os.path.join(box.work, sub)):
                box.run(["git", "ls-remote", "ssh://nowhere/x"], cwd=os.path.join(box.work, sub))
            expect(os.path.exists(ran) != bool(zs) and bool(zs) == (": not applied: git would run it" in held),
                "%s [%s]: %s, %s" % (scripts, zs, os.path.exists(ran), held))
            if os.path.exists(ran):
                os.remove(ran)


@test(needs=["sandbox", "git"])
def a_repository_that_was_there_goes_on(box):
    """Data of git in the repository are applied, but not files that git would obey. A folder with only some of these
    names is no repository to git."""
    box.run(["git", "init", "-q", "--bare", "theirs.git"]).expect()
    repository(box, box.outside)
    script = "%s -C %s push -q %s/theirs.git HEAD:refs/heads/config" % (" ".join(GIT), box.outside, box.work)
    box.run_zs("run", "--apply", "--ro", box.outside, "--", "sh", "-ec", script).expect(stderr="")
    box.run(["git", "-C", "theirs.git", "rev-parse", "config"]).expect()
    box.run_zs("run", "--apply", "--", "sh", "-ec", "mkdir -p a/objects a/refs b/refs; touch a/config b/HEAD").expect(
        stderr="")
    # A plain run cannot remove the repository either, since its hooks are mounts.
    result = box.run_zs("run", "--apply", "--", "rm", "-r", "theirs.git").expect(exit=125)
    result.expect_text("stderr", result.stderr, ["zs: apply: theirs.git/hooks: not applied: "])
    box.run_zs("run", "--", "rm", "-r", "theirs.git/hooks").expect(exit=1)
    expect(sorted(os.listdir(box.work)) == ["a", "b", "theirs.git"] and len(os.listdir(box.work + "/a")) == 3,
        os.listdir(box.work))


def during(box, options, script, meanwhile):
    """Runs zs, and calls `meanwhile` after the script is done but before the command ends."""
    process = box.start([box.zs, "run", *options, "--", "sh", "-c", script + "; echo go; read x"])
    if process.stdout.readline() != b"go\n":
        raise Failure(process.communicate())
    meanwhile(process)
    out, err = process.communicate(b"\n", timeout=60)
    return Result(process.args, process.returncode, out.decode(), err.decode())


@test(needs=["sandbox"])
def what_somebody_else_changes_is_kept(box):
    """If someone else changes these files, nothing of the run is applied."""
    rows = (
        ("echo cmd >file", "echo user >>file", "file: has changed during the run"),
        ("rm file", "echo user >>file", "file: has changed during the run"),
        ("rm file", "chmod 600 file", "file: has changed during the run"),
        ("echo cmd >new", "echo user >new", "new: has changed during the run"),
        ("echo cmd >>folder/a", "rm folder/a", "folder: files in it have appeared or disappeared during the run"),
        ("sed -i s/a/b/ folder/a", "rm folder/a", "folder: files in it have appeared or disappeared during the run"),
        ("rm -r folder", "echo user >folder/deep/user", "folder"),
        ("echo cmd >folder/deep/b", "mv folder away; ln -s away folder", "folder"),
        ("echo cmd >file", "rm file; mkdir file", "file: "),
        # The file is restored with its times, but its ctime shows the change.
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
        expect(state(box.work) == left[0] and result.stderr.count("\n") == 1, "%s / %s: %s" % (script, user, result))
    # A change to another file does not matter.
    fill(box)
    during(box, ["--apply"], "echo cmd >file", lambda _: box.run(["sh", "-c", "echo user >>long"]).expect()).expect(
        stderr="")
    expect(read(box.work + "/file") == "cmd\n" and read(box.work + "/long").endswith("user\n"), "not both")


# --------------------------------------------------------------------------------------------- what can go wrong


def processes_of(box):
    """Pids of processes that run this box's zs, or whose working directory lies in this box."""
    found = []
    for pid, words in processes():
        with contextlib.suppress(OSError):
            if box.zs in words or os.readlink("/proc/%d/cwd" % pid).startswith(box.root):
                found.append(pid)
    return found


def helper_of(pid):
    """The process that receives the overlay: the child of zs in zs's own pid namespace."""
    own = os.readlink("/proc/%d/ns/pid" % pid)
    return [child for child in children(pid) if os.readlink("/proc/%d/ns/pid" % child) == own][0]


def slowed(pid, call):
    """Attaches strace, which delays a system call of the process: `mkdirat:delay_exit=1000000`."""
    tracer = subprocess.Popen(["strace", "-f", "-p", str(pid), "-e", "trace=" + call.split(":")[0], "-e",
        "inject=" + call], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if b"attached" not in tracer.stderr.readline():
        raise Failure(tracer.communicate())
    return tracer


@test(needs=["sandbox"])
def killed(box):
    before = fill(box)
    # The supervisor alone, and both processes in either order.
    for victims in (lambda pid: [pid], lambda pid: [helper_of(pid), pid], lambda pid: [pid, helper_of(pid)]):
        result = during(box, ["--apply", "--diff"], "echo x >file",
            lambda process: [os.kill(pid, signal.SIGKILL) for pid in victims(process.pid)])
        expect(result.exit == -signal.SIGKILL and result.stderr in ("",
            "zs: overlay: the run was cut off; its changes are lost\n"), result)
        expect(len(victims.__code__.co_names) != 0 or result.stderr, "nothing was said")
        wait_until(lambda: not processes_of(box), "something is left")
        before.check()
    # The process that should apply the changes.
    result = during(box, ["--apply"], "echo x >file",
        lambda process: os.kill(helper_of(process.pid), signal.SIGKILL))
    result.expect(exit=125,
        stderr="zs: overlay: the process that waits for the changes has ended, so the changes are lost\n")
    wait_until(lambda: not processes_of(box), "something is left")
    before.check()


def while_applying(box, script, call, ready, meanwhile):
    """Runs zs --apply while strace delays a system call of it. Calls `meanwhile` once `ready` returns true."""
    threads = []

    def act(process):
        wait_until(lambda: ready(box), "it is not so far")
        meanwhile(process)

    def start(process):
        box.tracer = slowed(helper_of(process.pid), call)
        threads.append(threading.Thread(target=act, args=(process,)))
        threads[0].start()
    result = during(box, ["--apply"], script, start)
    threads[0].join()
    box.tracer.communicate()
    return result


def temporaries(box):
    return [name for name in os.listdir(box.work) if name.startswith(".zs-")]


@test(needs=["sandbox", "strace"], slow=True)
def a_signal_before_anything_is_applied(box):
    """While all files have only temporary names, a signal means that nothing is applied, and no file is left."""
    script = "echo x >file; mkdir new; rm turns; mkdir turns; echo t >turns/t"
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        before = fill(box)
        result = while_applying(box, script, "syncfs:delay_enter=1500000", temporaries,
            lambda process, number=number: process.send_signal(number))
        result.expect(exit=125, stdout="", stderr="zs: apply: interrupted; nothing has been applied\n")
        before.check(number)
    # The same if the supervisor is killed, and the process that applies is left.
    before = fill(box)
    result = while_applying(box, script, "syncfs:delay_enter=1500000", temporaries, lambda process: process.kill())
    wait_until(lambda: not processes_of(box), "something is left")
    expect(result.exit == -signal.SIGKILL, result)
    before.check("killed")
    # A signal that the command has handled does not count.
    result = during(box, ["--apply"], "trap : INT; echo y >file; kill -INT $$", lambda process: None).expect(stderr="")
    expect(read(box.work + "/file") == "y\n", "it was not applied")


@test(needs=["sandbox", "strace"], slow=True)
def a_signal_while_it_is_applied(box):
    """Renames and removals are quick, so zs completes them, and says so."""
    for number in (signal.SIGINT, signal.SIGTERM):
        fill(box)
        result = while_applying(box, CHANGES + "chmod 750 empty", "renameat2:delay_exit=100000",
            lambda box: os.path.exists(box.work + "/elsewhere"),
            lambda process, number=number: process.send_signal(number))
        result.expect(stderr="zs: apply: the signal came too late: every change is applied\n")
        expect(not temporaries(box) and not os.path.exists(box.work + "/folder") and
            os.path.exists(box.work + "/turns/t"), sorted(os.listdir(box.work)))


@test(needs=["sandbox", "strace"])
def half_of_it_is_said(box):
    """Another process changes a file while changes are applied. Those that are applied stay, and zs names the
    others."""
    fill(box)
    result = while_applying(box, "for f in file long same; do echo x >$f; done; rm gone",
        "renameat2:delay_exit=1000000", lambda box: os.path.getsize(box.work + "/file") == 2,
        lambda process: box.run(["sh", "-c", "echo user >>same"]).expect())
    result.expect(exit=125, stderr="zs: apply: same: has changed during the run; run the command again\n"
        "zs: apply: gone: not applied\n"
        "zs: apply: same: not applied\n"
        "zs: apply: 2 changes are applied and 2 are not\n")
    expect(read(box.work + "/same") == "same\nuser\n" and not temporaries(box) and os.path.exists(box.work + "/gone"),
        os.listdir(box.work))


@test(needs=["sandbox", "strace"], slow=True)
def what_comes_in_the_last_moment_is_kept(box):
    """The change comes after zs has checked a file, and before zs replaces or removes it."""
    rows = (("echo cmd >file", "echo user >>file"), ("echo cmd >file", "echo user >x; mv x file"),
        ("rm file", "echo user >>file"), ("rm file; mkdir file; echo x >file/x", "echo user >x; mv x file"))
    for script, user in rows:
        fill(box)
        result = while_applying(box, script, "renameat,renameat2,unlinkat:delay_enter=4000000:when=1",
            lambda box: time.sleep(0.7) or os.path.exists(box.work + "/file"),
            lambda process, user=user: box.run(["sh", "-c", user]).expect())
        result.expect(exit=125, stderr=["zs: apply: file: has changed during the run"])
        expect(read(box.work + "/file").endswith("user\n") and not temporaries(box),
            "%s / %s: %s" % (script, user, result))


@test(needs=["sandbox", "strace"], slow=True)
def two_are_applied_one_after_the_other(box):
    """Else each would have half of the files."""
    fill(box)
    second = []
    first = while_applying(box, "for f in file long same; do echo a >$f; done", "renameat,renameat2:delay_exit=2500000",
        lambda box: os.path.getsize(box.work + "/file") == 2,
        lambda process: second.append(box.run_zs("run", "--apply", "--", "sh", "-c", "echo b >long; echo b >same")))
    first.expect(stderr="")
    second[0].expect(exit=125, stderr=["zs: apply: long: has changed during the run"])
    expect(len({read(box.work + "/" + name) for name in ("file", "long", "same")}) == 1, "half of each")


@test(needs=["sandbox"])
def nothing_is_left(box):
    fill(box)
    mounts = read("/proc/self/mountinfo")
    for options in (["--verify"], ["--diff"], ["--apply"], ["--apply", "--diff", "--report", "/dev/full"]):
        box.run_zs("run", *options, "--", "sh", "-c", "echo x >new; setsid sleep 100 >/dev/null 2>&1 &")
        expect(not processes_of(box), "%s: a process is left: %s" % (options, processes_of(box)))
    expect(read("/proc/self/mountinfo") == mounts, "a mount is left")


@test(needs=["sandbox"])
def the_channel_is_the_supervisors_alone(box):
    """A process with the channel could send that the run is over, and go on."""
    fill(box)

    def sockets(pid):
        return [fd for fd in os.listdir("/proc/%d/fd" % pid) if int(fd) > 2 and
            os.readlink("/proc/%d/fd/%s" % (pid, fd)).startswith("socket:")]

    def meanwhile(process):
        helper = helper_of(process.pid)
        watch, = [child for child in children(process.pid) if child != helper]
        init, *commands = children(watch)
        if os.geteuid() != 0:
            return
        channel = {os.readlink("/proc/%d/fd/%s" % (process.pid, fd)) for fd in sockets(process.pid)}
        # The other socket is the resolver's, which says that no name exists.
        expect(len(channel) == 2 and len(sockets(helper)) == 1 and commands, "control: the supervisor has none")
        # The sockets of watch and init connect the two with each other.
        for pid in [watch, init]:
            held = {os.readlink("/proc/%d/fd/%s" % (pid, fd)) for fd in sockets(pid)}
            expect(len(held) == 1 and not held & channel, "%s has %s" % (pid, held))
        for pid in commands:
            expect(not [fd for fd in os.listdir("/proc/%d/fd" % pid) if int(fd) > 2],
                "%s has %s" % (pid, os.listdir("/proc/%d/fd" % pid)))
        # The helper holds no descriptor of the caller, since a reader would wait for its end.
        if len(os.listdir("/proc/%d/fd" % helper)) != 3 + 2 + 2: # channel and report, the two folders
            raise Failure("the helper has %s" % os.listdir("/proc/%d/fd" % helper))
    script = "ls /proc/self/fd >&2; env | grep -c ZS_SANDBOX_POLICY >&2"
    during(box, ["--apply"], script, meanwhile).expect(stderr="0\n1\n2\n3\n0\n")


@test(needs=["sandbox"])
def a_channel_that_is_none_is_refused(box):
    policy = json.dumps({"version": 1, "workspace": {"root": box.work, "access": "overlay"}})
    script = 'exec -a zs-sandbox-shim "$0" /bin/echo ran 7<%s' % box.key
    env = {"ZS_SANDBOX_POLICY": policy, "ZS_SANDBOX_OVERLAY": "7", "PATH": "/usr/bin:/bin"}
    box.run(["bash", "-c", script, box.zs], env=env).expect(exit=125, stdout="",
        stderr=re.compile(r"\Azs: descriptors: the overlay's channel: .*socket\n\Z"))


@test(needs=["sandbox"])
def a_terminals_interrupt_is_the_commands(box):
    """^C ends the command, but not the process that reports on it. The unfinished work is not applied."""
    before = fill(box)
    # tail prints "go", since a ^C between dash's fork and its child's exec would reach neither of them.
    script = "echo x >file; echo go >/tmp/go; exec tail -f /tmp/go"
    terminal = Terminal(box, [box.zs, "run", "--apply", "--diff", "--", "sh", "-c", script])
    terminal.type("", "go\r")
    terminal.type("\x03", r"\^C")
    status = terminal.end()
    expect(status == 130 and "changed  file" in terminal.shown and "zs: apply: a signal" in terminal.shown,
        (status, terminal.shown))
    before.check()


@test(needs=["sandbox"])
def where_no_overlay_can_stand(box):
    why = "cannot be under an overlay: something is mounted in it, or its file system does not allow that"
    run = ["run", "--workspace", "/proc"]
    box.run_zs(*run, "--verify", "--", "echo", "ran", cwd="/").expect(exit=125, stdout="",
        stderr=["zs: overlay: /proc: " + why, "--without overlay"])
    # If the overlay is waived, the workspace is read-only, and a build can write in a private folder.
    script = "touch /proc/new 2>/dev/null && exit 1; echo x >$TMPDIR/y && cat $TMPDIR/y"
    waived = [*run, "--verify", "--without", "overlay", "--"]
    box.run_zs(*waived, "sh", "-c", script, cwd="/").expect(stdout="x\n")
    # But a run that asks for the changes needs the overlay.
    for option in ("--diff", "--apply"):
        asked = [*run, option, "--without", "overlay", "--", "echo", "ran"]
        box.run_zs(*asked, cwd="/").expect(exit=125, stdout="", stderr=[why])
    # If the overlay is possible, the waiver changes nothing.
    fill(box)
    waived = ["run", "--verify", "--without", "overlay", "--"]
    box.run_zs(*waived, "sh", "-ec", "echo x >file; cat file").expect(stdout="x\n")


@test(needs=["sandbox", "userns"])
def a_mount_in_the_workspace_is_a_refusal(box):
    """The overlay would show the files that the mount covers, and would not show those of the mount."""
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
        want = r"changed .* file" if exit == 0 else \
            r"zs: overlay: \S+: is not an overlay, and the caller waits for its changes;.*"
        box.run_zs("run", "--policy", policy, "--diff", "--", "sh", "-c", "echo x >file").expect(exit=exit, stdout="",
            stderr=re.compile(r"\A%s\n\Z" % want))
        os.remove(policy)


@test(needs=["sandbox", "bash"])
def bash_has_it_too(box):
    fill(box)
    box.run_zs("bash", "--diff", "--json", "-c", "tee -a file < same").expect(stdout="same\n",
        stderr=re.compile(r'\A\{"change":"changed","path":"file",.*\}\n\Z'))
    box.run_zs("bash", "--apply", "-c", "cp same file && cat file").expect(stdout="same\n", stderr="")
    expect(read(box.work + "/file") == "same\n", "it was not applied")


@test(needs=["sandbox", "root"])
def a_workspace_of_another_user(box):
    """Root works in the workspace as if it owned it. The owner of the workspace gets the applied files."""
    fill(box)
    box.run(["chown", "-R", "12345:23456", box.work]).expect()
    before = Same(box)
    box.run_zs("run", "--diff", "--json", "--", "sh", "-ec", "cat file; " + CHANGES).expect(stdout="text\n",
        stderr=["becomes"])
    before.check()
    # This does not hold for files of other users: there root has no more rights than any user.
    os.chown(box.work + "/same", 54321, 54321)
    box.run_zs("run", "--verify", "--", "sh", "-c", "cat same && echo x >>same").expect(exit=2, stdout="same\n")
    os.chown(box.work + "/same", 12345, 23456)
    box.run_zs("run", "--apply", "--", "sh", "-ec", CHANGES + "mkfifo fifo").expect(stderr="")
    owners = {(known[2], known[3]) for known in state(box.work).values()}
    expect(owners == {(12345, 23456)}, "it belongs to %s" % owners)


@test(needs=["sandbox", "root", "strace"])
def its_owner_cannot_turn_what_root_makes_into_what_root_has(box):
    """After zs makes a folder, and before it changes its owner, the folder is swapped for a folder of root's beside
    it."""
    fill(box)
    box.run(["chown", "-R", "12345:23456", box.work]).expect()
    os.mkdir(box.work + "/roots", 0o700)
    box.file("home/project/roots/kept", "")
    swap = ("import os\nprint('ready', flush=True)\nwhile not os.path.exists('new'):\n    pass\n"
        "os.rename('new', 'away')\nos.rename('roots', 'new')\nprint('swapped')")

    def meanwhile(process):
        tracer = slowed(helper_of(process.pid), "mkdirat:delay_exit=2000000")
        box.owner = subprocess.Popen(["python3", "-c", swap], cwd=box.work, stdout=subprocess.PIPE, user=12345,
            group=23456, extra_groups=[])
        expect(box.owner.stdout.readline() == b"ready\n", "control: nothing waits to swap")
        box.tracer = tracer
    result = during(box, ["--apply"], "mkdir -m 777 new; echo evil >new/x", meanwhile)
    expect(box.owner.communicate(timeout=60)[0] == b"swapped\n", "control: nothing was swapped")
    box.tracer.wait()
    st = os.stat(box.work + "/new")
    expect((st.st_uid, stat.S_IMODE(st.st_mode), os.listdir(box.work + "/new")) == (0, 0o700, ["kept"]),
        "root's folder is %s's, %o, and holds %s: %s" % (st.st_uid, st.st_mode, os.listdir(box.work + "/new"), result))
    result.expect(exit=125, stderr=["zs: apply: "])


LOCK_WAIT = 10  # ZS_OVERLAY_LOCK_WAIT_MS, in seconds


@test(needs=["sandbox"], once=True, slow=True)
def who_locks_the_workspace_stalls_no_apply(box):
    """A command of another run can hold the lock by which one apply waits for another."""
    argv = [box.zs, "run", "--", "python3", "-uc", "import fcntl, os\nfd = os.open('.', os.O_RDONLY)\n"
        "fcntl.flock(fd, fcntl.LOCK_EX)\nprint('held')\nos.read(0, 1)"]
    script = ["run", "--apply", "--", "sh", "-c", "echo new >out"]
    with box.start(argv, text=True, stderr=None) as holder:
        holder.stdout.readline()
        began = time.monotonic()
        box.run_zs(*script).expect(exit=125, stderr="zs: apply: another process has locked the workspace for %d "
            "seconds; nothing has been applied; 'fuser' names the process that has it open; end that process, and try "
            "again\n" % LOCK_WAIT)
        waited = time.monotonic() - began
        expect(waited >= LOCK_WAIT and not os.path.exists(box.work + "/out"),
            "waited %.1f s, %s" % (waited, os.listdir(box.work)))
        # Control: zs waits for a process that releases the lock in time.
        timer = threading.Timer(1, holder.stdin.close)
        timer.start()
        box.run_zs(*script).expect()
        timer.join()
    expect(read(box.work + "/out") == "new\n", "not applied")
