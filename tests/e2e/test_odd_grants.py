"""Policies that are legal and odd: protect and hide at places that no grant covers, grants that add nothing, and trees
around private folders."""

import os

from harness import expect, read, test
from processes import Terminal


@test(needs=["sandbox"])
def what_takes_away_grants_nothing(box):
    for target in (box.key, os.path.dirname(box.key), box.home):
        for option in ("--protect", "--hide"):
            box.denied("cat " + box.key, zs=["run", option, target])


@test(needs=["sandbox"])
def private_folders_can_be_hidden(box):
    for path in ("/tmp", "/var", "/dev"):
        box.run_zs("run", "--hide", path, "--", "sh", "-c", "echo x >%s/x || echo none" % path).expect(stdout="none\n")
    box.run_zs("run", "--hide", "/var", "--", "sh", "-c", "echo x >/tmp/x && cat /tmp/x").expect(stdout="x\n")


@test(needs=["sandbox"])
def devices_where_everything_is_granted(box):
    """A grant of everything keeps the devices that every policy grants, and adds no others."""
    works = "echo x >/dev/null && head -c1 /dev/zero | wc -c && head -c1 /dev/urandom | wc -c"
    for options in (["--ro", "/"], ["--rw", "/"], ["--rw", "/", "--ro", box.home], ["--rw", "/dev"]):
        box.run_zs("run", *options, "--", "sh", "-c", works).expect(stdout="1\n1\n", stderr="")
    for options in (["--ro", "/"], ["--rw", "/"]):
        box.run_zs("run", *options, "--", "sh", "-c", "for device in $(find /dev -type b -o -name kmsg); do "
            "head -c1 $device; done 2>/dev/null").expect(stdout="", exit=1)


@test(needs=["sandbox"])
def everything_cannot_be_taken_away(box):
    for access in ("protect", "hide"):
        result = box.run_zs("run", "--" + access, "/", "--", "cat", box.key)
        result.expect(exit=64, stdout="",
            stderr="zs: policy: /: everything cannot have the access '%s'; name what is to\n" % access)


class Kept:
    """Harm: is there another file in the place of ws/a/deep/file?"""

    def __init__(self, box):
        self.box = box
        self.reset()

    def reset(self):
        self.box.run(["sh", "-c", "rm -rf ws w2 && mkdir -p ws/a/deep && echo text >ws/a/deep/file"]).expect()

    def __call__(self):
        return read(self.box.work + "/ws/a/deep/file") != "text\n"


# Each replaces a folder above the file.
REPLACEMENTS = [
    "cd ws && mv a b && mkdir -p a/deep && echo x >a/deep/file",
    "cd ws/a && mv deep b && mkdir deep && echo x >deep/file",
    "mv ws w2 && mkdir -p ws/a/deep && echo x >ws/a/deep/file",
]


@test(needs=["sandbox"], slow=True)
def grants_that_add_nothing_free_no_folder(box):
    harm = Kept(box)
    file = box.work + "/ws/a/deep/file"
    for options in (["--ro", "ws/a"], ["--rw", "ws/a"], ["--exec", "/bin/sh", "--ro", "ws/a/deep"],
            ["--workspace", "ws", "--rw", "."], ["--tmp", "shared", "--rw", box.home]):
        for access in ("--protect", "--hide"):
            box.denied(*REPLACEMENTS, harm=harm, zs=["run", *options, access, file])


@test(needs=["sandbox"])
def what_the_user_has_shut_stays_protected(box):
    """One run closes the folder, and the next could open it, since the user owns it. zs cannot look into a closed
    folder."""
    secret = box.file("home/project/secret", "text\n")
    box.granted("mkdir shut && mv secret shut/ && chmod 000 shut")
    script = "chmod 700 shut; cat shut/secret; echo x >shut/secret"
    for access in ("protect", "hide"):
        result = box.run_zs("run", "--" + access, "shut/secret", "--", "sh", "-c", script)
        expect(read(box.work + "/shut/secret") == "text\n" and (access != "hide" or "text" not in result.stdout),
            "%s: it is open: %s" % (secret, result))
        if not box.user.is_root:
            result.expect(exit=125, stdout="", stderr=["policy: %s/shut/secret: permission denied" % box.work])
        box.run(["chmod", "000", "shut"]).expect()
    if os.geteuid() != 0:
        return
    # If another user has closed it, the command cannot open it either.
    os.chown(box.work + "/shut", 12345, 12345)
    box.run_zs("run", "--hide", "shut/secret", "--", "sh", "-c", "echo started; " + script).expect(exit=2,
        stdout="started\n")


@test(needs=["sandbox"])
def a_link_that_can_be_replaced_names_nothing_protected(box):
    box.file("home/project/real/file", "text\n")
    box.run(["ln", "-s", "real", "link"]).expect()
    attack = "rm link && mkdir link && echo x >link/file"
    result = box.run_zs("run", "--protect", "link/file", "--", "sh", "-c", attack)
    expect(os.path.islink(box.work + "/link"), "replaced: %s" % result)
    result.expect(exit=125, stdout="", stderr=["link/file: leads to %s/real/file through a link" % box.work])
    # The content is hidden, whatever the link becomes. A link that no command can replace counts as a name.
    box.denied("cat link/file || cat real/file", zs=["run", "--hide", "link/file"])
    box.run(["ln", "-s", box.work, box.outside + "/link"]).expect()
    box.denied("echo x >real/file", zs=["run", "--protect", box.outside + "/link/real/file"])


@test(needs=["sandbox"])
def trees_around_private_folders(box):
    """A grant of /var or /dev does not include the machine's /var/tmp and /dev/shm, or other terminals."""
    name = "zs-test-%d-%s" % (os.getpid(), box.user.is_root)
    for options in (["--ro", "/var", "--ro", "/dev"], ["--rw", "/var", "--rw", "/dev"], ["--ro", "/", "--rw", "/dev"]):
        zs = ["run", *options]
        for folder in ("/tmp", "/var/tmp", "/dev/shm"):
            path = "%s/%s" % (folder, name)
            box.granted("echo x >%s && cat %s" % (path, path), zs=zs, stdout="x\n")
            with open(path, "x") as file:
                file.write("text\n")
            try:
                os.chmod(path, 0o644)
                box.denied("cat %s" % path, zs=zs)
            finally:
                os.remove(path)
        terminal = Terminal(box, ["/bin/sh"])
        try:
            box.granted("ls /dev/pts && echo >/dev/null", zs=zs, stdout="ptmx\n")
        finally:
            terminal.type("exit\r", "exit")
            terminal.end()


@test(needs=["sandbox", "root"])
def root_changes_no_device(box):
    """The whole machine uses /dev/null, and root owns it, so root needs no capability for chmod."""
    for name in ("null", "zero", "full", "random", "urandom", "tty"):
        # The attack sets the mode that the device has: another mode would affect the whole machine.
        box.denied("chmod $(stat -c %%a /dev/%s) /dev/%s" % (name, name),
            "touch -c -d @$(stat -c %%Y /dev/%s) /dev/%s" % (name, name))
    box.granted("echo x >/dev/null && head -c 1 /dev/zero | wc -c", stdout="1\n")


@test(needs=["sandbox"])
def the_terminal_stays_everybodys(box):
    """TIOCEXCL: until its last close the terminal cannot be opened again, not even by /dev/tty, except by root."""
    script = "%spython3 -c 'import fcntl; fcntl.ioctl(0, 0x540c)'; echo $?; : </dev/tty && echo opens\r"
    for confined in (False, True):
        terminal = Terminal(box, ["/bin/sh"])
        try:
            taken = not confined and not box.user.is_root
            terminal.type(script % (box.zs + " run -- " if confined else ""),
                r"[ \n]1\r\nopens" if confined else r"[ \n]0\r\n.*([Bb]usy|opens)")
            expect(not taken or "\nopens" not in terminal.shown, "control: it opens: %r" % terminal.shown)
        finally:
            terminal.type("exit\r", "exit")
            terminal.end()
