"""Accesses that zs refuses, for the tests of zs why and of zs run --denials."""

import json
import os
import shlex
import shutil
import subprocess

from harness import expect

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


# In a tree that is not granted.
READS = [
    ("cat %(t)s/file", "%(t)s/file"),
    ("cat <%(t)s/file", "%(t)s/file"),
    ("cat ../../tree/file", "%(t)s/file"),
    ("cat link", "%(t)s/file"),
    ("cat %(t)s/link", "%(t)s/file"),
    ("ls %(t)s/sub", "%(t)s/sub"),
    ("cd %(t)s/sub", "%(t)s/sub"),
    ("stat %(t)s/file", "%(t)s/file"),
    ("test -e %(t)s/file", "%(t)s/file"),
    ("test -r %(t)s/file", "%(t)s/file"),
    ("readlink %(t)s/link", "%(t)s/file"),
    ("cp %(t)s/file copy", "%(t)s/file"),
    ("grep text %(t)s/file", "%(t)s/file"),
    ("wc -l %(t)s/sub/file", "%(t)s/sub/file"),
    ("find %(t)s/sub -name file", "%(t)s/sub"),
    ("tar cf a.tar %(t)s/file", "%(t)s/file"),
    ("make -f %(t)s/makefile", "%(t)s/makefile"),
    (". %(t)s/script", "%(t)s/script"),
    ("stat -f %(t)s/file", "%(t)s/file"),
    ("diff %(t)s/file link", "%(t)s/file"),
    (python("import os; os.open('%(t)s/file', os.O_PATH)"), "%(t)s/file"),
    (python("import sys; sys.path.insert(0, '%(t)s'); open('%(t)s/module.py')"), "%(t)s/module.py"),
    (python("import os; os.scandir('%(t)s/empty')"), "%(t)s/empty"),
]

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


def collected(path):
    with open(path) as file:
        lines = [json.loads(line) for line in file]
    expect(lines and lines[-1]["event"] == "end", "no end:", lines)
    return lines[:-1], lines[-1]


def run(box, script, *options, **more):
    """The records, the last line and the result of zs run --denials."""
    path = os.path.join(box.outside, "denials")
    if os.path.exists(path):
        os.unlink(path)
    result = box.run_zs("run", "--denials=" + path, *options, "--", "sh", "-c", script, **more)
    rows, end = collected(path)
    expect(end["status"] == result.exit, "another status:", end, result)
    expect("zs: denied" not in result.stderr, "lines beside the JSON:", result)
    return rows, end, result


def refused(box, script, kind, cause, option, value=None, path=None, options=(), errno=None, clean=places):
    """The script fails, the record says why, and it succeeds by the record's option."""
    tree = clean(box)
    script, path, value = (text and text % {"t": tree} for text in (script, path, value))
    options = [word % {"t": tree} for word in options]
    rows, _, result = run(box, script, *options)
    expect(result.exit != 0, "it does not fail:", script, result)
    same = [row for row in rows if row["kind"] == kind and path in (None, row["path"], row["named"])]
    expect(same, "no record of", kind, path, "for", script, rows, result)
    row = same[-1]
    expect(row["decisive"] and row["cause"] in cause.split("|") and row["option"] == option and
        (value is None or row["value"] == value) and (errno is None or row["errno"] == errno), script, row)
    if option:
        clean(box)
        options = [] if option == "--limit" else options # one value a limit
        _, _, result = run(box, script, *options, option, row["value"])
        expect(result.exit == 0, "the option is not enough:", row, result)


def collector_of(zs):
    """The supervisor's child that waits beside the run: the one outside of the run's mounts."""
    children = subprocess.run(["pgrep", "-P", str(zs)], stdout=subprocess.PIPE, text=True).stdout.split()
    return [int(pid) for pid in children if os.readlink("/proc/%s/ns/mnt" % pid) == os.readlink("/proc/self/ns/mnt")]
