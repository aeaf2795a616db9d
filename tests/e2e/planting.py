"""Attacks that leave files in a workspace for programs outside."""

import glob
import os

from harness import expect

GIT = ["git", "-c", "user.name=n", "-c", "user.email=e@x", "-c", "safe.directory=*", "-c", "protocol.file.allow=always"]


def repository(box, folder):
    """Makes a repository with one commit, of a file a."""
    box.run(["git", "init", "-q", folder]).expect()
    box.run(["sh", "-c", "echo a >a"], cwd=folder).expect()
    box.run([*GIT, "add", "a"], cwd=folder).expect()
    box.run([*GIT, "commit", "-qm", "one"], cwd=folder).expect()


# Each harms $box/home/project/kept/deep/file if nothing stops it.
ATTACKS = [
    "echo x >kept/deep/file",
    "echo x >>kept/deep/file",
    "rm -f kept/deep/file",
    "mv kept/deep/file away",
    "echo x >new && mv new kept/deep/file",
    "ln -f kept/deep/file hard && echo x >hard",
    "chmod 600 kept/deep/file",
    "touch -d 2001-01-01 kept/deep/file",
    "exec 3<kept/deep/file && echo x >/proc/self/fd/3",
    "mv kept/deep kept/moved && mkdir kept/deep && echo x >kept/deep/file",
    "mv kept moved && mkdir -p kept/deep && echo x >kept/deep/file",
    "rm -rf kept",
    "ln -sfn /dev/null kept/deep/file",
]


class Kept:
    """Harm: has a file below kept/ changed in content, mode or time?"""

    def __init__(self, box):
        self.box = box
        self.path = box.file("home/project/kept/deep/file", "text\n")
        self.before = self.look()

    def look(self):
        found = []
        for folder, folders, files in sorted(os.walk(self.box.work + "/kept")):
            for name in sorted(folders + files):
                st = os.lstat(os.path.join(folder, name))
                found.append((folder, name, st.st_mode, st.st_ino if name in files else 0, st.st_size,
                    st.st_mtime_ns if name in files else 0))
        return found

    def __call__(self):
        return self.look() != self.before

    def reset(self):
        for name in ("kept", "moved", "hard", "away", "new"):
            self.box.run(["rm", "-rf", self.box.work + "/" + name]).expect()
        self.__init__(self.box)



def remove(box, path):
    """In a folder to which the command may have given any mode."""
    box.run(["sh", "-c", 'chmod u+rwx "${1%/*}"; chmod -R u+rwx "$1" 2>/dev/null; rm -rf "$1" "$1".set-aside-*', "sh",
        path]).expect()


def no_such_name(box, name, attack, zs=("run",), exit=None, aside=True, cwd=None, **options):
    """Expects that the attack makes the name without zs. With zs no file has that name afterwards, and zs says so."""
    folder = cwd or box.work
    path = os.path.join(folder, name)
    control = box.run(["bash", "-c", attack], cwd=folder, **options)
    expect(os.path.lexists(path), "control: %s was not made: %s" % (name, control))
    remove(box, path)
    result = box.run_zs(*zs, "--", "bash", "-c", attack, cwd=folder, **options)
    expect(not os.path.lexists(path), "%s is there: %s" % (name, result))
    expect(exit is None or result.exit == exit, "exit %d, not %s: %s" % (result.exit, exit, result))
    if aside:
        result.expect_text("stderr", result.stderr, ["zs: protect: %s: appeared while a command ran" % path])
        blank = "zs: protect: %s: it held no work, and zs has removed it" % path in result.stderr
        expect(bool(glob.glob(glob.escape(path) + ".set-aside-*")) != blank, "it was not set aside: %s" % result)
    remove(box, path)
    return result
