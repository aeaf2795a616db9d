"""Public grants: in a tree that root owns, root's run can read only files that everybody can read."""

import json
import os
import shutil
import stat
import subprocess

from harness import TIMEOUT, expect, satisfied, test

SYSTEM = [path for path in ("/usr", "/bin", "/lib", "/lib64") if os.path.exists(path)]


def lay_out(box):
    tree = box.folder("tree")
    box.file("tree/open", "open\n", 0o644)
    box.file("tree/shut", "shut\n", 0o600)
    box.file("tree/of-a-group", "shut\n", 0o640)
    box.folder("tree/closed", 0o700)
    box.file("tree/closed/open", "shut\n", 0o644)
    box.folder("tree/deep")
    box.file("tree/deep/open", "open\n", 0o644)
    box.file("tree/deep/shut", "shut\n", 0o600)
    return tree


def policy(box, tree, public):
    paths = [{"path": path, "access": "exec"} for path in SYSTEM] + [{"path": "/dev/null", "access": "write"}]
    paths.append(dict({"path": tree, "access": "read"}, **({"public": True} if public else {})))
    return box.file("policy.json", json.dumps({"version": 1, "workspace": {"root": box.work, "access": "write"},
        "paths": paths, "env": {"pass": ["PATH"]}}))


READ = """
cd %s
for name in shut of-a-group closed/open deep/shut; do cat $name 2>/dev/null; done
cat open deep/open && ! echo x 2>/dev/null >open
"""


@test(needs=["sandbox"])
def what_is_shut_is_not_read(box):
    tree = lay_out(box)
    # Root of a user namespace is not the machine's root, so zs lists the files there.
    ways = [[]] + ([["unshare", "-Ur"]] if satisfied("userns", box.user) else [])
    for way in ways:
        control = box.run([*way, box.zs, "run", "--policy", policy(box, tree, False), "--", "sh", "-c", READ % tree])
        control.expect(exit=0, stdout="shut\n" * 4 + "open\n" * 2, stderr="")
        run = box.run([*way, box.zs, "run", "--policy", policy(box, tree, True), "--", "sh", "-c", READ % tree])
        run.expect(exit=0, stdout="open\n" * 2, stderr="")


@test(needs=["sandbox"])
def what_is_shut_and_comes_later_is_not_read(box):
    """passwd(1) replaces /etc/shadow by a new file."""
    tree = lay_out(box)
    script = "echo ready; read line; cat %s/late %s/shut %s/open" % (tree, tree, tree)
    for public, want in ((False, "late\nshut again\nopen\n"), (True, "open\n")):
        argv = [box.zs, "run", "--policy", policy(box, tree, public), "--", "sh", "-c", script]
        with box.start(argv, stderr=subprocess.DEVNULL, text=True) as run:
            expect(run.stdout.readline() == "ready\n", "it has not started")
            box.file("tree/late", "late\n", 0o600)
            os.rename(box.file("tree/new", "shut again\n", 0o600), os.path.join(tree, "shut"))
            out, _ = run.communicate("go\n", timeout=TIMEOUT)
        expect(out == want, "public %s: %r" % (public, out))


@test(needs=["sandbox"])
def a_wish_for_all_of_it_counts(box):
    """A file in the tree is granted by name, or the tree itself is granted again without "public"."""
    tree = lay_out(box)
    shut = os.path.join(tree, "shut")
    for more in ([{"path": shut, "access": "read"}], [{"path": tree, "access": "read"}]):
        for turn in (1, -1):
            paths = [{"path": tree, "access": "read", "public": True}, *more][::turn]
            paths += [{"path": path, "access": "exec"} for path in SYSTEM]
            file = box.file("policy.json", json.dumps({"version": 1, "paths": paths,
                "workspace": {"root": box.work, "access": "write"}, "env": {"pass": ["PATH"]}}))
            box.run([box.zs, "run", "--policy", file, "--", "cat", shut]).expect(exit=0, stdout="shut\n", stderr="")


@test(needs=["sandbox"])
def the_default_reads_of_etc_what_everybody_does(box):
    script = "cat /etc/passwd >/dev/null && ! cat /etc/shadow 2>/dev/null"
    box.granted(script, stdout="")


# One more than zs has ID-mapped mounts for (ZS_PUBLIC_MAX): the files of the last tree are listed.
MANY = 17


@test(needs=["sandbox"])
def no_tree_of_many_is_read_as_a_whole(box):
    paths = [{"path": path, "access": "exec"} for path in SYSTEM] + [{"path": "/dev/null", "access": "write"}]
    for i in range(MANY):
        for name, mode in (("open", 0o644), ("shut", 0o600)):
            box.file("trees/%d/%s" % (i, name), name + "\n", mode)
        paths.append({"path": box.root + "/trees/%d" % i, "access": "read", "public": True})
    file = box.file("policy.json", json.dumps({"version": 1, "workspace": {"root": box.work, "access": "write"},
        "paths": paths, "env": {"pass": ["PATH"]}}))
    script = "cat %s/trees/*/open && ! cat %s/trees/*/shut 2>/dev/null" % (box.root, box.root)
    box.granted(script, zs=("run", "--policy", file), stdout="open\n" * MANY)


# Each prints something on a machine that has the program and its records.
RECORDS = {"dpkg -l": "/var/lib/dpkg/status", "dpkg -S /bin/sh /usr/bin/sh": "/var/lib/dpkg/status",
    "dpkg -L dpkg": "/var/lib/dpkg/status", "apt-cache policy dpkg": "/var/lib/dpkg/status",
    "apt list --installed": "/var/lib/dpkg/status", "update-alternatives --get-selections": "/var/lib/dpkg/status",
    "rpm -qa": "/var/lib/rpm", "apk info": "/lib/apk/db", "pacman -Q": "/var/lib/pacman",
    "fc-list": "/var/cache/fontconfig", "/sbin/ldconfig -p": "/etc/ld.so.cache", "locale -a": "/usr/lib/locale",
    "cat /etc/ssl/certs/ca-certificates.crt": "/etc/ssl/certs/ca-certificates.crt"}


@test(needs=["sandbox"])
def the_machines_records_are_read_as_outside(box):
    script = "{ %s; } 2>/dev/null | sort; true"
    tried = [text for text, path in RECORDS.items() if os.path.exists(path) and shutil.which(text.split()[0])]
    expect(tried, "this machine has none of the records")
    for text in tried:
        outside = box.run(["sh", "-c", script % text]).expect().stdout
        expect(outside, "control: nothing is printed outside", text)
        inside = box.granted(script % text).stdout
        expect(inside == outside, text, "%d bytes inside, %d outside" % (len(inside), len(outside)))


@test(needs=["root"])
def no_record_is_read_that_only_root_may_read(box):
    shut = [path for path in ("/var/lib/dpkg/lock", "/var/lib/apt/lists/lock", "/var/cache/apt/archives/lock") if
        os.path.exists(path) and not os.stat(path).st_mode & stat.S_IROTH]
    expect(shut, "this machine has no such record")
    for path in shut:
        box.denied("cat " + path)


@test(needs=["linux"], once=True)
def public_goes_with_reading_alone(box):
    for access in ("write", "hide", "protect"):
        file = box.file("policy.json", json.dumps({"version": 1, "paths": [
            {"path": "/usr", "access": access, "public": True}]}))
        box.run([box.zs, "run", "--policy", file, "--", "true"]).expect(exit=65, stdout="",
            stderr=["paths[0]: is public; only access read and exec can be public"])
