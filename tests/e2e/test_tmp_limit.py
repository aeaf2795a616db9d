"""The limit tmp: the size of the private /tmp and of a dry run's layer, in memory or on disk."""

import json
import os
import re
import signal
import stat

from disk_layers import ON_DISK, age, folders
from harness import NOBODY, expect, remove_tree, test
from no_namespaces import lacking, no_namespaces
from processes import new_mark, wait_until

FULL = "zs: %s is full: its limit is %s; --limit tmp=SIZE\n"


def none_is_left(box, before):
    """Runs of other test files have theirs meanwhile, and remove them."""
    wait_until(lambda: folders(box) <= before, lambda: "the folder is left: %s" % (folders(box) - before))


def user_settings(box, text):
    box.file("home/.config/zs/settings.json", text)


@test(needs=["sandbox"])
def a_full_tmp_is_named(box):
    fill = "head -c 20M /dev/zero >%s/x"
    for folder in ("/tmp", "/var/tmp", "/dev/shm"):
        done = box.run_zs("run", "--limit", "tmp=8M", "--", "sh", "-c", fill % folder).expect(exit=1)
        expect(done.stderr.endswith(FULL % ("/tmp", "8M")), done)
    # The number of files is a limit, too; a program may ignore the error, or be killed by SIGBUS.
    box.run_zs("run", "--limit", "tmp=8M", "--", "sh", "-c", fill % "/tmp" + "; kill -BUS $$").expect(
        exit=128 + signal.SIGBUS, stderr=[FULL % ("/tmp", "8M")])
    # Controls: a limit that is not reached, a full one that nobody minds, and a failure beside a /tmp that has room.
    box.run_zs("run", "--limit", "tmp=32M", "--", "sh", "-c", fill % "/tmp").expect(exit=0, stderr="")
    box.run_zs("run", "--limit", "tmp=8M", "--", "sh", "-c", fill % "/tmp" + " 2>&-; true").expect(exit=0, stderr="")
    box.run_zs("run", "--limit", "tmp=8M", "--", "sh", "-c", "head -c 7M /dev/zero >/tmp/x; exit 3").expect(
        exit=3, stderr="")


@test(needs=["sandbox"])
def a_full_layer_of_a_dry_run_is_named(box):
    fill = "head -c 20M /dev/zero >x"
    done = box.run_zs("run", "--verify", "--limit", "tmp=8M", "--", "sh", "-c", fill).expect(exit=1)
    expect(done.stderr.endswith(FULL % ("the dry run's layer", "8M")), done)
    box.run_zs("run", "--verify", "--limit", "tmp=32M", "--", "sh", "-c", fill).expect(exit=0, stderr="")


@test(needs=["sandbox"])
def the_default_is_two_gib(box):
    show = "stat -f -c '%b %S' /tmp ."
    expect(blocks(box, "--verify", show=show) == [2 << 30, 2 << 30], "default")
    expect(blocks(box, "--verify", "--limit", "tmp=2G", show=show) == [2 << 30, 2 << 30], "2G")
    expect(blocks(box, "--verify", "--limit", "tmp=64M", show=show) == [64 << 20, 64 << 20], "64M")


def blocks(box, *options, show="stat -f -c '%b %S' /tmp"):
    done = box.run_zs("run", *options, "--", "sh", "-c", show).expect(exit=0)
    return [int(line.split()[0]) * int(line.split()[1]) for line in done.stdout.splitlines()]


@test(needs=["sandbox"])
def settings_and_json_set_it(box):
    limits = '{"sandbox": {"limits": {"tmp_bytes": %d}}}'
    user_settings(box, limits % (16 << 20))
    expect(blocks(box) == [16 << 20], "the user's settings")
    expect(blocks(box, "--limit", "tmp=32M") == [32 << 20], "the option wins")
    policy = json.loads(box.run_zs("run", "--print-policy", "--", "true").expect(exit=0).stdout)
    expect(policy["limits"]["tmp_bytes"] == 16 << 20, policy)
    user_settings(box, "{}")
    # A project's file only lowers it, and what is set nowhere is 2 GiB.
    box.file("home/project/.zs/settings.json", limits % (3 << 30))
    expect(blocks(box) == [2 << 30], "a project cannot raise it")
    box.file("home/project/.zs/settings.json", limits % (8 << 20))
    expect(blocks(box) == [8 << 20], "a project can lower it")
    user_settings(box, limits % (3 << 30))
    expect(blocks(box) == [8 << 20], "the lower one counts")


@test(needs=["sandbox"])
def a_large_one_lies_on_disk(box):
    before = folders(box)
    done = box.run_zs("run", "--limit", ON_DISK, "--", "sh", "-c",
        "stat -f -c %T /tmp /var/tmp /dev/shm; head -c 8M /dev/zero >/tmp/x; mkdir -m 0 /tmp/shut; ln -s / /tmp/link; "
        "echo x >/var/tmp/y; ls -A /tmp; grep -E ' /(var/)?tmp ' /proc/self/mountinfo").expect(exit=0, stderr="")
    lines = done.stdout.splitlines()
    expect(lines[0] == lines[1] != "tmpfs" and lines[2] == "tmpfs", done)
    expect(lines[3:6] == ["link", "shut", "x"], "the folder is new", done)
    # As of the tmpfs: no setuid program and no device node counts.
    expect(all("nosuid,nodev" in line for line in lines[6:]) and len(lines) == 8, done)
    none_is_left(box, before)
    box.run_zs("run", "--limit", "tmp=2G", "--", "sh", "-c", "stat -f -c %T /tmp").expect(exit=0, stdout="tmpfs\n")


@test(needs=["sandbox"])
def a_workspace_in_tmp_keeps_nothing_there(box):
    before = folders(box)
    for where in ("/tmp", "/var/tmp"):
        path = "%s/zs-test-%d-%s" % (where, os.getpid(), box.user.is_root)
        os.mkdir(path)
        try:
            box.own(path)
            box.run_zs("run", "--limit", ON_DISK, "--", "sh", "-c", "echo x >file; echo y >/tmp/y", cwd=path).expect(
                exit=0, stderr="")
            expect(os.listdir(path) == ["file"], "the workspace keeps its file")
        finally:
            remove_tree(path)
    none_is_left(box, before)


@test(needs=["sandbox"])
def a_dry_run_on_disk_applies_and_ends(box):
    before = folders(box)
    box.file("home/project/old", "old\n")
    script = "rm old; mkdir -p d/e; echo new >d/e/f; head -c 4M /dev/zero >big; mkdir -m 0 shut"
    box.run_zs("run", "--verify", "--limit", ON_DISK, "--", "sh", "-c", script).expect(exit=0, stderr="")
    expect(os.listdir(box.work) == ["old"], "a dry run changes nothing")
    box.run_zs("run", "--apply", "--limit", ON_DISK, "--", "sh", "-c", script).expect(exit=0)
    expect(sorted(os.listdir(box.work)) == ["big", "d", "shut"], os.listdir(box.work))
    none_is_left(box, before)


@test(needs=["sandbox", "root"])
def a_dry_run_of_another_users_workspace_on_disk(box):
    before = folders(box)
    os.chown(box.work, NOBODY, NOBODY)
    box.run_zs("run", "--apply", "--limit", ON_DISK, "--", "sh", "-c", "mkdir d; echo x >d/f").expect(exit=0)
    expect(os.stat(os.path.join(box.work, "d/f")).st_uid == NOBODY, "the owner")
    none_is_left(box, before)


def start_on_disk(box, script, *options):
    """Starts a run; returns it and its folder."""
    mark = new_mark()
    run = box.start([box.zs, "run", "--limit", ON_DISK, *options, "--", "sh", "-c",
        "%s; : >/tmp/%s; echo ready; cat" % (script, mark)])
    expect(run.stdout.readline() == b"ready\n", "the run did not start")
    folder, = [path for path in folders(box) if os.path.exists("%s/tmp/%s" % (path, mark))]
    return run, folder


def end(run):
    run.communicate(b"")


@test(needs=["sandbox"])
def no_other_run_reaches_it(box):
    run, folder = start_on_disk(box, "echo secret >/tmp/secret")
    secret = folder + "/tmp/secret"
    try:
        expect(stat.S_IMODE(os.lstat(folder).st_mode) == 0o700, "the mode")
        read = "cat %s" % secret
        box.run(["sh", "-c", read]).expect(exit=0, stdout="secret\n")
        for options in ((), ("--rw", "/var"), ("--ro", "/"), ("--limit", ON_DISK)):
            box.run_zs("run", *options, "--", "sh", "-c", read + "; echo x >" + secret).expect(
                exit=2, stdout="")
        if box.user.is_root:
            box.run(["sh", "-c", read], user=NOBODY).expect(exit=1, stdout="")
    finally:
        end(run)
    expect(not os.path.exists(folder), "the folder is left")


@test(needs=["sandbox"])
def the_next_run_removes_what_a_killed_one_has_left(box):
    run, folder = start_on_disk(box, "ln -s %s /tmp/link; mkdir -p /tmp/a/b; echo x >/tmp/a/b/c" % box.outside,
        "--verify")
    kept = box.file("outside/kept", "kept\n")
    other, living = start_on_disk(box, "echo x >/tmp/x")
    try:
        age(living)
        run.kill()
        run.communicate()
        expect(os.path.isdir(folder), "a killed run cannot remove it")
        box.run_zs("run", "--limit", ON_DISK, "--", "true").expect(exit=0)
        expect(os.path.isdir(folder), "a young folder stays")
        age(folder)

        def is_removed():
            box.run_zs("run", "--limit", ON_DISK, "--", "true").expect(exit=0)
            return not os.path.exists(folder)

        wait_until(is_removed, "the folder is left")
        expect(os.path.exists(kept), "a link was followed")
        expect(os.path.exists(living + "/tmp/x"), "a living run's folder is locked")
    finally:
        end(other)


@test(needs=["sandbox"])
def the_sweep_follows_no_link_and_takes_no_other_name(box):
    kept = box.file("outside/kept", "kept\n")
    link, theirs, near = ("/var/tmp/zs-disk-" + os.urandom(8).hex() for _ in range(3))
    near += "x"
    made = []
    try:
        os.symlink(box.outside, link)
        made.append(link)
        for path in (near, theirs):
            os.mkdir(path, 0o700)
            made.append(path)
        box.own(near)
        # Another user's folder, which this one cannot even open; for root one that it could.
        os.chown(theirs, *((NOBODY, NOBODY) if box.user.is_root else (-1, -1)))
        for path in made:
            os.utime(path, (0, 0), follow_symlinks=False)
        age(box.outside)
        box.run_zs("run", "--limit", ON_DISK, "--", "true").expect(exit=0, stderr="")
        expect(os.path.exists(kept) and os.path.islink(link), "the link")
        expect(os.path.isdir(near), "another name")
        expect(box.user.uid is None and not box.user.is_root or os.path.isdir(theirs), "another user's folder")
    finally:
        for path in made:
            if os.path.islink(path):
                os.remove(path)
            elif os.path.isdir(path):
                remove_tree(path)


@test(needs=["sandbox"])
def a_size_that_the_disk_lacks_is_refused(box):
    before = folders(box)
    done = box.run_zs("run", "--limit", "tmp=1000000G", "--", "true").expect(exit=125, stdout="")
    expect(re.search(r"^zs: disk: /var/tmp: has \d+[MG] free, and the limit tmp asks for 1000000G", done.stderr), done)
    none_is_left(box, before)


@test(needs=["sandbox"])
def the_landlock_tier_has_no_such_limit(box):
    box.run_zs("run", "--without", ",".join(lacking(box)), "--limit", "tmp=8M", "--", "true",
        preexec_fn=no_namespaces).expect(exit=125, stdout="", stderr=["tmp_bytes"])
