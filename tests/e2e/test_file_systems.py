"""Features of file systems that could show or change paths that the policy withholds: snapshots, clones, flags,
whiteouts."""

import contextlib
import os
import subprocess

from harness import PATH, expect, test

IMAGE_SIZE = 300 << 20


def as_root(argv):
    """The PATH of whoever runs the tests may lack /usr/sbin."""
    subprocess.run(argv, check=True, stdout=subprocess.DEVNULL, env={"PATH": PATH})


@contextlib.contextmanager
def btrfs(box):
    """Yields a subvolume of the box's user, in a file system whose users may delete subvolumes."""
    image, point = os.path.join(box.root, "image"), box.folder("point")
    with open(image, "wb") as file:
        file.truncate(IMAGE_SIZE)
    for argv in (["mkfs.btrfs", "-q", "-f", image], ["mount", "-o", "loop,user_subvol_rm_allowed", image, point]):
        as_root(argv)
    try:
        as_root(["btrfs", "subvolume", "create", point + "/own"])
        yield box.own(point + "/own")
    finally:
        as_root(["umount", "--lazy", point])


SECRET = "TOPSECRET\n"


def withhold(box, folder):
    """A hidden file, a hidden folder and a protected file."""
    os.mkdir(box.own(folder) + "/hidden")
    for name in ("secret", "hidden/secret", "kept"):
        with open(os.path.join(folder, name), "w") as file:
            file.write(SECRET)
    for name in ("hidden", "secret", "hidden/secret", "kept"):
        box.own(os.path.join(folder, name))


WITHHELD = ["--hide", "secret", "--hide", "hidden", "--protect", "kept"]


@test(needs=["sandbox", "btrfs"])
def a_snapshot_shows_nothing_hidden(box):
    """The workspace is the subvolume."""
    with btrfs(box) as work:
        withhold(box, work)
        script = "btrfs subvolume snapshot . %s >/dev/null && cat %s/secret %s/hidden/secret && echo EVIL >%s/kept"
        control = box.run(["sh", "-c", script.replace("%s", "free")], cwd=work).expect(stdout=SECRET * 2)
        confined = box.run_zs("run", "--no-settings", *WITHHELD, "--", "sh", "-c", script.replace("%s", "snap"),
            cwd=work)
        expect(confined.exit != 0 and "TOPSECRET" not in confined.stdout and not os.path.exists(work + "/snap"),
            "not denied: %s, %s" % (confined, control))
        expect("Operation not permitted" in confined.stderr, "not by the filter: %s" % confined)
        # The path itself is hidden in any case, and calls that make no snapshot work.
        box.run_zs("run", "--no-settings", *WITHHELD, "--", "cat", "secret", cwd=work).expect(exit=1, stdout="")
        box.run_zs("run", "--no-settings", "--", "sh", "-c", "echo text >a && cp --reflink=always a b && cat b",
            cwd=work).expect(stdout="text\n")


@test(needs=["sandbox", "btrfs"])
def a_snapshot_of_what_is_granted_to_read_shows_nothing_hidden(box):
    """The home folder is the subvolume, and the workspace lies in it."""
    with btrfs(box) as home:
        withhold(box, home)
        os.mkdir(home + "/project")
        work = box.own(home + "/project")
        hidden = ["--ro", home, "--hide", home + "/secret", "--hide", home + "/hidden"]
        script = "btrfs subvolume snapshot %s %%s >/dev/null && cat %%s/secret" % home
        box.run(["sh", "-c", script.replace("%s", "free")], cwd=work).expect(stdout=SECRET)
        confined = box.run_zs("run", "--no-settings", *hidden, "--", "sh", "-c", script.replace("%s", "snap"),
            cwd=work)
        expect(confined.exit != 0 and "TOPSECRET" not in confined.stdout and os.listdir(work) == ["free"],
            "not denied: %s" % confined)


@test(needs=["sandbox", "btrfs"])
def a_subvolume_is_not_made_read_only_nor_deleted(box):
    with btrfs(box) as work:
        for number, script in enumerate(("btrfs subvolume create new%s", "btrfs property set . ro true%s",
                "btrfs subvolume delete old%s", "btrfs filesystem label . x%s", "chattr +d file%s")):
            for name in ("old", "oldfree"):
                if not os.path.exists(os.path.join(work, name)):
                    box.run(["btrfs", "subvolume", "create", name], cwd=work).expect()
            box.run(["sh", "-c", "touch file filefree"], cwd=work).expect()
            confined = box.run_zs("run", "--no-settings", "--", "sh", "-c", script.replace("%s", ""), cwd=work)
            expect(confined.exit != 0, "row %d is not denied: %s" % (number, confined))
            # Only root may change a label. The workspace must not stay read-only for the next row.
            free = "" if "ro true" in script else "free" if "." not in script else None
            if free is not None:
                box.run(["sh", "-c", script.replace("%s", free)], cwd=work).expect()
            if "ro true" in script:
                box.run(["btrfs", "property", "set", ".", "ro", "false"], cwd=work).expect()


@test(needs=["sandbox", "btrfs"])
def a_clone_needs_what_a_copy_needs(box):
    """A descriptor that only names a file is no source for a clone, and neither is another user's file."""
    with btrfs(box) as work:
        withhold(box, work)
        with open(work + "/others", "w") as file:
            file.write(SECRET)
        os.chmod(work + "/others", 0o000)
        os.chown(work + "/others", 12345, 12345)
        script = ("import fcntl, os, sys\\n"
            "out = os.open('out', os.O_CREAT | os.O_RDWR)\\n"
            "fcntl.ioctl(out, 0x40049409, os.open(sys.argv[1], os.O_%s))\\n"
            "print(os.read(out, 99).decode(), end='')\\n").replace("\\n", "\n")
        clone = lambda how, path: ["/usr/bin/python3", "-c", script % how, path]  # noqa: E731
        box.run_zs("run", "--no-settings", "--", *clone("RDONLY", "kept"), cwd=work).expect(stdout=SECRET)
        for how, path in (("PATH", "kept"), ("PATH", "others"), ("RDONLY", "others"), ("PATH", "secret")):
            confined = box.run_zs("run", "--no-settings", *WITHHELD, "--", *clone(how, path), cwd=work)
            expect(confined.exit != 0 and "TOPSECRET" not in confined.stdout, "O_%s of %s: %s" % (how, path, confined))


WHITEOUT = """
import ctypes, os, stat, sys
os.close(os.open('from', os.O_CREAT | os.O_WRONLY))
libc = ctypes.CDLL(None, use_errno=True)
if libc.renameat2(-100, b'from', -100, b'to', int(sys.argv[1])) < 0:
    sys.exit(os.strerror(ctypes.get_errno()))
print(stat.filemode(os.lstat('from' if os.path.lexists('from') else 'to').st_mode)[0])
"""


@test(needs=["sandbox", "overlayfs"])
def no_whiteout_is_made(box):
    """A whiteout is a character device, which an overlay takes for "deleted"."""
    run = ["/usr/bin/python3", "-c", WHITEOUT]
    box.run([*run, "4"]).expect(stdout="c\n")
    box.run(["rm", "from", "to"]).expect()
    for options in ([], ["--verify"]):
        box.run_zs("run", "--no-settings", *options, "--", *run, "4").expect(exit=1,
            stderr=["Operation not permitted\n"])
        box.run_zs("run", "--no-settings", *options, "--", *run, "1").expect(stdout="-\n")
        box.run(["rm", "-f", "from", "to"]).expect()
