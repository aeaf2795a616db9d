"""Accesses that zs refuses, for the tests of zs why and of zs run --denials."""

import os
import shlex
import shutil

PYTHON = "/usr/bin/python3 -c "


def python(text):
    return PYTHON + shlex.quote(text)


def places(box):
    """Makes a tree outside that each case begins with."""
    tree = os.path.join(box.root, "tree")
    if os.path.isdir(tree):
        shutil.rmtree(tree)
    box.folder("tree")
    for name in ("sub", "empty", "more"):
        box.folder("tree/" + name)
    box.file("tree/file", "text\n")
    box.file("tree/sub/file", "text\n")
    box.file("tree/makefile", "all:\n\t@echo made\n")
    box.file("tree/module.py", "value = 1\n")
    box.file("tree/script", "#!/bin/sh\necho ran\n", 0o755)
    box.file("tree/interpreted", "#!%s/tree/interpreter\n" % box.root, 0o755)
    shutil.copy("/bin/echo", tree + "/program")
    shutil.copy("/bin/true", tree + "/interpreter")
    os.symlink("file", tree + "/link")
    os.chmod(tree + "/program", 0o755)
    for name in ("program", "interpreter", "link"):
        box.own(os.path.join(tree, name))
    link = os.path.join(box.work, "link")
    if not os.path.islink(link):
        os.symlink(tree + "/file", link)
        box.own(link)
    return tree


# In a tree that is not granted, and in one that is granted to read.
WRITES = [
    ("echo >%(t)s/new", "%(t)s/new", "%(t)s"),
    ("echo >>%(t)s/file", "%(t)s/file", "%(t)s/file"),
    ("touch %(t)s/new", "%(t)s/new", "%(t)s"),
    ("mkdir %(t)s/made", "%(t)s/made", "%(t)s"),
    ("rmdir %(t)s/empty", "%(t)s/empty", "%(t)s"),
    ("rm %(t)s/file", "%(t)s/file", "%(t)s"),
    ("mv %(t)s/file %(t)s/moved", None, "%(t)s"),
    ("ln -s file %(t)s/another", "%(t)s/another", "%(t)s"),
    ("ln %(t)s/file %(t)s/hard", None, "%(t)s"),
    ("mkfifo %(t)s/pipe", "%(t)s/pipe", "%(t)s"),
    ("chmod 600 %(t)s/file", "%(t)s/file", "%(t)s/file"),
    ("truncate -s 1 %(t)s/file", "%(t)s/file", "%(t)s/file"),
    ("cp /etc/hostname %(t)s/copied", "%(t)s/copied", "%(t)s"),
    ("sed -i s/t/x/ %(t)s/file", None, "%(t)s"),
    ("echo x | tee %(t)s/new", "%(t)s/new", "%(t)s"),
    ("dd if=/dev/zero of=%(t)s/new bs=1 count=1", "%(t)s/new", "%(t)s"),
    (python("open('%(t)s/file', 'r+')"), "%(t)s/file", "%(t)s/file"),
    (python("import os; os.utime('%(t)s/file')"), "%(t)s/file", "%(t)s/file"),
    (python("import os; os.mknod('%(t)s/node')"), "%(t)s/node", "%(t)s"),
]

EXECS = [
    ("%(t)s/script", "%(t)s/script"),
    ("%(t)s/program x", "%(t)s/program"),
    ("PATH=%(t)s program x", "%(t)s/program"),
    ("env %(t)s/program x", "%(t)s/program"),
]
