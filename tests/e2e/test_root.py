"""--root DIR: the command sees DIR as "/", changes nothing in it, and sees of the machine what is granted."""

import json
import os
import shutil
import socket
import subprocess
import threading

from boxes import as_json, boxes, create, daemon_of, inside, own_place
from harness import TIMEOUT, Changed, expect, expect_fields, read, test
from managed import run_managed
from no_namespaces import lacking, no_namespaces, without
from processes import descendants, wait_until
from roots import small_root, state

NEEDS = ["sandbox", "perl"]
# Names of the machine that the small root lacks.
MACHINES = ("/usr/share", "/etc/hosts", "/etc/shadow", "/usr/bin/env", "/var/lib", "/opt", "/home", "/root")


def run(box, root, script, *options, **more):
    return box.run_zs("run", "--root", root, *options, "--", "/bin/sh", "-c", script, **more)


@test(needs=NEEDS)
def commands_see_the_root(box):
    root = small_root(box)
    before = state(root)
    with own_place(box):
        name = create(box, "--root", root)
        inside(box, name, "cat /etc/marker; pwd; echo made >made").expect(
            exit=0, stdout="of the root\n%s\n" % box.work, stderr="")
        expect(read(box.work + "/made") == "made\n", "the workspace is the machine's")
        there = [path for path in MACHINES if os.path.exists(path)]
        expect(len(there) > 4, "control: the machine has them", there)
        for path in (*there, box.key, box.home + "/.ssh", box.outside):
            inside(box, name, "ls -d %s" % path).expect(exit=2, stdout="")
        # The next command sees what one has changed, another box does not.
        changes = "echo mine >/etc/marker && rm -r /usr/bin/df /bin/df && mkdir /srv2 && chmod 700 /etc"
        inside(box, name, changes).expect(exit=0, stderr="")
        inside(box, name, "cat /etc/marker; ls -d /srv2; ls /bin/df").expect(exit=2, stdout="mine\n/srv2\n")
        other = create(box, "--root", root)
        inside(box, other, "cat /etc/marker; ls -d /bin/df; ls -d /srv2").expect(
            exit=2, stdout="of the root\n/bin/df\n")
        # /tmp, /dev and /proc are as without a root.
        inside(box, name, "echo x >/tmp/x; echo y >/dev/shm/y; ls /dev | wc -l; ls -d /proc/1; ls /tmp/x").expect(
            exit=0, stdout="13\n/proc/1\n/tmp/x\n", stderr="")
        expect(not os.path.exists("/tmp/x"), "/tmp is private")
        for each in (name, other):
            box.run_zs("box", "close", each).expect(exit=0, stdout="", stderr="")
    expect(state(root) == before, "the folder has changed")
    run(box, root, "cat /etc/marker").expect(exit=0, stdout="of the root\n", stderr="")


@test(needs=NEEDS)
def put_and_get_use_the_root(box):
    root = small_root(box)
    with own_place(box):
        name = create(box, "--root", root)
        box.run_zs("box", "put", name, "-", "/etc/deep/new", stdin="text").expect(exit=0, stderr="")
        box.run_zs("box", "get", name, "/etc/deep/new", "-").expect(exit=0, stdout="text")
        box.run_zs("box", "get", name, "/etc/marker", "-").expect(exit=0, stdout="of the root\n")
        box.run_zs("box", "get", name, "/etc/hosts", "-").expect(exit=1, stdout="")
        expect(not os.path.exists(root + "/etc/deep"), "the folder has changed")


@test(needs=NEEDS)
def another_users_folder(box):
    # The mount points are made although the caller may write none of the folder.
    root = small_root(box, owner=1 if os.geteuid() == 0 else None)
    before = state(root)
    for options in ((), ("--root-user",)):
        done = run(box, root, "cat /etc/marker; echo made >made && cat made; echo x >/tmp/x && cat /tmp/x; "
            "rm -f /usr/bin/wc; ls /usr/bin/wc", *options).expect(stderr=["Permission denied"])
        expect(done.stdout == "of the root\nmade\nx\n/usr/bin/wc\n", done)
    expect(state(root) == before, "the folder has changed")


@test(needs=NEEDS)
def grants_are_the_machines(box):
    root = small_root(box)
    granted = box.folder("granted")
    box.file("granted/text", "granted\n")
    box.file("outside/file", "one file\n")
    before = state(root)
    run(box, root, "cat %s/text; cat %s/file; ls %s; echo x 2>&- >%s/y" % (granted, box.outside, box.outside, granted),
        "--ro", granted, "--ro", box.outside + "/file").expect(exit=2, stdout="granted\none file\nfile\n")
    run(box, root, "echo x >%s/y" % granted, "--rw", granted).expect(exit=0, stderr="")
    expect(read(granted + "/y") == "x\n", "a write grant is the machine's")
    # A folder of the machine covers the root's.
    run(box, root, "ls /etc/marker", "--ro", "/etc").expect(exit=2, stdout="")
    # A list that stands in for the machine's own programs does not.
    box.file("home/.config/zs/settings.json", json.dumps({"sandbox": {"system_paths": {"read_only": ["/etc"]}}}))
    run(box, root, "cat /etc/marker").expect(exit=0, stdout="of the root\n")
    expect(state(root) == before, "the folder has changed")


@test(needs=NEEDS)
def the_policy_names_it(box):
    root = small_root(box)
    done = box.run_zs("run", "--root", root, "--print-policy").expect(exit=0, stderr="")
    policy = json.loads(done.stdout)
    expect(policy["root"] == {"path": root, "root_user": False}, policy["root"])
    paths = [entry["path"] for entry in policy["paths"] if entry.get("access") in ("read", "exec", "write")]
    expect(paths and all(path.startswith(("/dev", "/proc", "/sys")) for path in paths), paths)
    # The printed policy is the same policy.
    file = box.file("policy.json", done.stdout)
    box.run_zs("run", "--policy", file, "--", "/bin/sh", "-c", "cat /etc/marker; ls /usr/share").expect(
        exit=2, stdout="of the root\n")
    box.run_zs("policy", "show", "--root", root, "--root-user").expect(exit=0, stdout=["root.root_user", root])
    shown = json.loads(box.run_zs("policy", "show", "--json", "--root", root).expect(exit=0).stdout)
    entry, = [each for each in shown["entries"] if each["field"] == "root"]
    expect_fields(entry, {"value": root, "source": "option", "missing": False})
    for text, message in (('"x"', "root"), ('{}', "path"), ('{"path": "x"}', "absolute"),
            ('{"path": "/x", "root_user": 1}', "root_user"), ('{"path": "/x", "more": 1}', "more")):
        file = box.file("wrong.json", '{"version": 1, "root": %s}' % text)
        box.run_zs("run", "--policy", file, "--", "true").expect(exit=65, stdout="", stderr=[message])


@test(needs=NEEDS)
def a_folder_that_is_no_root_directory(box):
    root = small_root(box)
    hidden = box.folder("hidden/root")
    in_work = box.folder("home/project/root")
    link = os.path.join(box.work, "link")
    os.symlink(root, link)
    box.file("outside/file")
    for wrong, message, options in (
            ("/", "is the root directory of this machine", ()),
            ("/proc/self/root", "", ()),
            (in_work, "meets the writable workspace " + box.work, ()),
            (box.work, "meets the writable workspace", ()),
            (box.root, "holds the home directory", ()),
            (box.home, "holds the home directory", ()),
            (link, "through a link that a confined command may have made", ()),
            (box.outside + "/file", "not a directory", ()),
            (box.outside + "/none", "no such file or directory", ()),
            (hidden, "meets the hidden path " + hidden, ("--hide", hidden)),
            (hidden, "meets the hidden path " + box.root + "/hidden", ("--hide", box.root + "/hidden")),
            (box.root + "/hidden", "meets the hidden path " + hidden, ("--hide", hidden)),
            (root, "meets a folder that the command can write: " + root + "/etc", ("--rw", root + "/etc")),
            (root, "does not go with a grant of /", ("--ro", "/"))):
        done = box.run_zs("run", "--root", wrong, *options, "--", "/bin/sh", "-c", "echo ran")
        expect(done.exit == 125 and done.stdout == "" and message in done.stderr and
            done.stderr.startswith("zs: "), wrong, options, done)
        done = box.run_zs("box", "create", "--root", wrong, *options)
        expect(done.exit == 125 and done.stdout == "" and message in done.stderr, wrong, done)
    # A dry run leaves its workspace alone, so that a folder in it does not change.
    shutil.copytree(root, in_work, symlinks=True, dirs_exist_ok=True)
    run(box, in_work, "cat /etc/marker", "--verify").expect(exit=0, stdout="of the root\n")
    box.run_zs("run", "--root-user", "--", "true").expect(exit=64, stderr=["goes with --root"])
    box.run_zs("run", "--root", root, "--denials", "--", "true").expect(
        exit=64, stderr=["does not go with another root directory"])
    for command in ("why", "learn"):
        box.run_zs(command, "--root", root, "--", "true").expect(exit=64, stderr=["--root"])


@test(needs=NEEDS)
def a_project_cannot_name_one(box):
    root = small_root(box)
    file = box.file("home/project/.zs/settings.json", json.dumps({"sandbox": {"root": root}}))
    done = box.run_zs("run", "--", "cat", "/etc/marker")
    expect(done.exit != 0 and "of the root" not in done.stdout, file, done)


@test(needs=[*NEEDS, "own-etc"])
def the_machines_settings_count(box):
    root = small_root(box)
    command = ("run", "--root", root, "--", "/bin/sh", "-c", "cat /etc/marker")
    run_managed(box, {"hide": ["/srv/none"]}, *command).expect(exit=0, stdout="of the root\n")
    run_managed(box, {"hide": [root + "/etc"]}, *command).expect(exit=125, stdout="", stderr=["meets the hidden path"])
    # A machine that names all programs names no other root.
    run_managed(box, {"system_paths": {"executable": ["/usr"]}}, *command).expect(
        exit=125, stdout="", stderr=["cannot be the root directory"])
    run_managed(box, {"system_paths": {"executable": ["/usr", root]}}, *command).expect(
        exit=0, stdout="of the root\n")


@test(needs=NEEDS)
def it_is_refused_without_namespaces(box):
    root = small_root(box)
    for options in ((), without(box)):
        done = run(box, root, "echo ran", *options, preexec_fn=no_namespaces)
        expect(done.exit == 125 and done.stdout == "" and "root" in done.stderr, done)
        expect("leave out root" in done.stderr, done)
        done = box.run_zs("box", "create", "--root", root, *options, preexec_fn=no_namespaces)
        expect(done.exit == 125 and done.stdout == "", done)
    expect("protect" in lacking(box), "control: without a root such a machine runs it")
    box.run_zs("run", *without(box), "--", "true", preexec_fn=no_namespaces).expect(exit=0)


@test(needs=NEEDS)
def its_layer_has_a_size(box):
    root = small_root(box)
    before = state(root)
    fill = "dd if=/dev/zero of=/etc/big bs=1M count=%d 2>/tmp/log; stat -c %%s /etc/big; cat /tmp/log >&2; exit 9"
    done = run(box, root, fill % 16, "--limit", "tmp=8M").expect(exit=9, stderr=["No space left on device"])
    expect(0 < int(done.stdout) <= 8 << 20, done)
    expect("its limit is 8M" in done.stderr, done)
    run(box, root, fill % 4, "--limit", "tmp=8M").expect(exit=9, stdout="%d\n" % (4 << 20))
    # Without an option it is ZS_POLICY_TMP_BYTES.
    run(box, root, "set -- $(stat -f -c '%b %S' /); echo $(($1 * $2))").expect(exit=0, stdout="%d\n" % (2 << 30))
    expect(state(root) == before, "the folder has changed")


@test(needs=NEEDS)
def a_large_layer_lies_on_disk(box):
    root = small_root(box)
    before = state(root), set(os.listdir("/var/tmp"))
    with own_place(box):
        name = create(box, "--root", root, "--limit", "tmp=3G")
        expect(set(os.listdir("/var/tmp")) != before[1], "control: it lies in /var/tmp")
        inside(box, name, "echo x >/etc/marker; echo y >/tmp/y; cat /etc/marker /tmp/y").expect(
            exit=0, stdout="x\ny\n", stderr="")
        box.run_zs("box", "close", name).expect(exit=0)
    expect((state(root), set(os.listdir("/var/tmp"))) == before, "something is left")


@test(needs=NEEDS)
def nothing_is_left_of_a_killed_box(box):
    root = small_root(box)
    before = state(root)
    for which in ("daemon", "supervisor"):
        with own_place(box):
            name = create(box, "--root", root)
            inside(box, name, "echo x >/etc/marker; sleep 1000 >/dev/null 2>&1 & :").expect(exit=0)
            daemon, (supervisor, *_) = daemon_of(root)
            all_of_it = [daemon, *descendants(daemon)]
            os.kill(daemon if which == "daemon" else supervisor, 9)
            wait_until(lambda: not any(os.path.exists("/proc/%d" % pid) for pid in all_of_it), "all have ended")
            expect(not boxes(box), "no box is left")
    expect(state(root) == before, "the folder has changed")
    with open("/proc/mounts") as mounts:
        expect(box.root not in mounts.read(), "a mount is left")


# ------------------------------------------------------------------------------------------------------ attacks


def attack(box, root, script, control=None, options=(), harm=None):
    """The script succeeds on the machine, and fails inside, as the caller's own user and as root. control: another
    script for the machine."""
    done = box.run(["sh", "-c", control or script])
    expect(done.exit == 0 and (harm is None or harm()), "control: the attack fails without zs", done)
    if harm:
        harm.reset()
    for more in ((), ("--root-user",)):
        done = run(box, root, "echo started; " + script, *options, *more)
        expect(done.stdout.startswith("started\n"), "it did not start", done)
        expect(done.exit != 0 and (harm is None or not harm()), "not denied", more, done)


@test(needs=NEEDS)
def links_in_the_folder_stay_in_it(box):
    root = small_root(box)
    secret = box.file("outside/secret", "SECRET\n")
    for number, target in enumerate((secret, box.outside, "../" * 30 + secret[1:], "/proc/self/root" + secret,
            "/proc/1/root" + secret)):
        os.symlink(target, "%s/etc/link%d" % (root, number))
    for script in ("cat /etc/link0", "cat /etc/link1/secret", "cat /etc/link2", "cat /etc/link3", "cat /etc/link4",
            "cat /etc/link1/../outside/secret", "cat /../../../..%s" % secret):
        attack(box, root, script, control="cat " + secret)


@test(needs=NEEDS)
def no_mount_point_is_made_through_a_link(box):
    """A folder of the root on the way to a mount point is a link to the machine's."""
    for number, name in enumerate(("tmp", "var", "dev", "proc", box.work.split("/")[1], "etc", "sys")):
        root = small_root(box, "root%d" % number)
        target = box.folder("outside/%d" % number)
        if name == "etc":
            shutil.rmtree(root + "/etc")
        os.symlink(target, root + "/" + name)
        harm = Changed(box, target)
        done = run(box, root, "echo ran; echo x >/tmp/x; echo y >y; echo z >/etc/z; ls -A %s" % target)
        expect(not harm(), "something was made outside", name, done)
        expect(done.exit == 125 and done.stdout == "" and "symbolic link" in done.stderr, name, done)


@test(needs=["perl", "sandbox", "root"])
def devices_and_setuid_programs_in_the_folder(box):
    root = small_root(box)
    os.mknod(root + "/etc/zero", 0o20666, os.makedev(1, 5))
    os.mknod(root + "/etc/memory", 0o20666, os.makedev(1, 1))
    os.chmod(root + "/etc/zero", 0o666)
    attack(box, root, "head -c 1 /etc/zero", control="head -c 1 %s/etc/zero" % root)
    run(box, root, "head -c 1 /etc/zero").expect(exit=1, stderr=["Permission denied"])
    # Another user runs a program of root's.
    shutil.copy("/usr/bin/id", root + "/etc/id")
    os.chmod(root + "/etc/id", 0o4755)
    os.chmod(box.work, 0o777)
    user = {"user": 65534, "group": 65534, "extra_groups": [], "stdout": subprocess.PIPE, "env": box.env,
        "cwd": box.work, "timeout": TIMEOUT}
    outside = subprocess.run([root + "/etc/id"], **user)
    expect(b"euid=0" in outside.stdout, "control: it changes the user", outside)
    for options, uid in (((), b"uid=65534 "), (("--root-user",), b"uid=0(root) ")):
        done = subprocess.run([box.zs, "run", "--root", root, *options, "--", "/etc/id"], **user)
        expect(done.returncode == 0 and done.stdout.startswith(uid) and b"euid" not in done.stdout, done)
    # It is root in name alone.
    done = subprocess.run([box.zs, "run", "--root", root, "--root-user", "--", "/bin/sh", "-c",
        "/etc/id; chmod 600 /etc/marker; rm /etc/marker; echo x >/etc/new; cat /proc/self/uid_map"], **user)
    expect(b"         0      65534          1" in done.stdout, done)
    expect(os.stat(root + "/etc/marker").st_mode & 0o777 == 0o644, "it has changed the folder")


@test(needs=NEEDS)
def sockets_in_the_folder(box):
    root = small_root(box)
    path = root + "/etc/socket"
    script = "perl -e 'socket(S, 1, 1, 0) or exit 3; connect(S, pack(\"Sa*x\", 1, shift)) or exit 4; print <S>' "
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        os.chmod(path, 0o777)
        server.listen()

        def serve():
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                connection.sendall(b"hello\n")
                connection.close()

        threading.Thread(target=serve, daemon=True).start()
        expect("hello" in box.run(["sh", "-c", script + path]).stdout, "control")
        for options in ((), ("--root-user",)):
            done = run(box, root, script + "/etc/socket", *options)
            expect(done.exit == 4 and "hello" not in done.stdout, options, done)
        server.shutdown(socket.SHUT_RDWR)


@test(needs=NEEDS)
def a_folder_that_changes_while_a_box_lives(box):
    root = small_root(box)
    secret = box.file("outside/secret", "SECRET\n")
    with own_place(box):
        name = create(box, "--root", root)
        inside(box, name, "cat /etc/marker; ls /etc").expect(exit=0)
        os.symlink(box.outside, root + "/etc/out")
        os.symlink("/proc/1/root", root + "/out")
        os.rename(root + "/etc", root + "/etc2")
        os.symlink(box.outside, root + "/etc")
        for script in ("cat /etc/secret", "cat /etc/out/secret", "cat /etc2/out/secret", "cat /out%s" % secret,
                "cat %s" % secret):
            done = inside(box, name, script)
            expect(done.exit not in (0, 122, 125) and "SECRET" not in done.stdout, script, done)
        inside(box, name, "echo goes on").expect(exit=0, stdout="goes on\n")
        shutil.rmtree(root)
        expect(as_json(box, name, "exit 3", exit=inside(box, name, "exit 3").exit)["failure"] is None, "it lives")
        box.run_zs("box", "close", name).expect(exit=0)
        expect(not boxes(box), "it has ended")


ESCAPES = {
    # perl's syscall() takes numbers and text. mount(2), pivot_root(2), chroot(2), umount2(2) on x86_64 and aarch64.
    "mount": ((165, 40), '"none", "/tmp", "tmpfs", 0, 0'),
    "umount": ((166, 39), '"/tmp", 2'),
    "chroot": ((161, 51), '"/tmp"'),
    "open_tree": ((428, 428), '-100, "/tmp", 1'),
    "fsopen": ((430, 430), '"tmpfs", 0'),
    "unshare": ((272, 97), "0x10000000"),
}


@test(needs=[*NEEDS, "userns"])
def calls_that_lead_out(box):
    root = small_root(box)
    machine = 1 if os.uname().machine == "aarch64" else 0
    for name, (numbers, words) in ESCAPES.items():
        script = "perl -e '@a = (%s); exit(syscall(%d, @a) < 0)'" % (words, numbers[machine])
        attack(box, root, script, control="unshare -Urm --propagation private sh -c '%s; %s'" % (
            "mount -t tmpfs none /tmp", script.replace("'", "'\\''")))
    attack(box, root, "unshare -Ur true")
    # The namespaces and the root of another process.
    enter = "perl -e 'open(N, shift) && exit(syscall(%d, fileno(N), 0) < 0); exit 1' /proc/%%s/ns/mnt" % (
        (308, 268)[machine])
    attack(box, root, enter % 1, control="unshare -Urm sh -c '" + (enter % "self").replace("'", "'\\''") + "'")
    for pid in ("1", "2", "self"):
        attack(box, root, "cat /proc/%s/root%s" % (pid, box.key), control="cat /proc/self/root" + box.key)
        attack(box, root, "cat /proc/%s/cwd/../../.ssh/id_ed25519" % pid,
            control="cat /proc/self/cwd/../.ssh/id_ed25519")
    # Descriptors of zs, of the folder and its layers.
    done = run(box, root, "ls -l /proc/self/fd /proc/1/fd", "--root-user")
    expect(box.root not in done.stdout, "a descriptor leads outside", done)


@test(needs=[*NEEDS, "root"])
def handles_and_devices_lead_nowhere(box):
    """As root of the machine, which can do both."""
    root = small_root(box)
    machine = 1 if os.uname().machine == "aarch64" else 0
    # name_to_handle_at(2) on a file of the root, then open_by_handle_at(2): another inode number would be another file.
    handle = ("perl -e '$h = pack(\"Ii\", 128, 0) . \"\\0\" x 128; $m = pack(\"I\", 0); "
        "syscall(%d, -100, shift, $h, $m, 0) and exit 1; open(F, \"<\", \"/etc\") or exit 2; "
        "exit(syscall(%d, fileno(F), $h, 0) < 0)' /etc/passwd" % ((303, 304), (264, 265))[machine])
    attack(box, root, handle)
    # The emulated call says that it has made the device; there is none.
    node = box.work + "/node"
    for path in ("/tmp/node", "/etc/node", node):
        done = run(box, root, "mknod %s c 1 5; echo $?; ls %s; head -c 1 %s" % (path, path, path), "--root-user")
        expect(done.exit != 0 and done.stdout == "0\n" and not os.path.lexists(node), path, done)
        done = run(box, root, "mknod %s c 1 5; echo $?; ls %s; head -c 1 %s" % (path, path, path))
        expect(done.exit != 0 and done.stdout == "1\n" and not os.path.lexists(node), path, done)
    expect(box.run(["mknod", node, "c", "1", "5"]).exit == 0, "control")


@test(needs=NEEDS)
def kernel_files_stay_read_only(box):
    root = small_root(box)
    for script in ("echo x >/proc/sys/kernel/core_pattern", "echo 1 >/proc/sysrq-trigger",
            "echo x >/proc/sys/kernel/hostname", "mkdir /sys/fs/cgroup/zs-test", "chmod 666 /dev/null",
            "echo 0 0 1 >/proc/self/uid_map", "echo x >/sys/kernel/mm/transparent_hugepage/enabled",
            "mkdir /dev/new", "rm /dev/null", "mv /dev /dev2", "mv /proc /proc2"):
        for options in ((), ("--root-user",)):
            done = run(box, root, "echo started; " + script, *options)
            expect(done.exit not in (0, 125) and done.stdout == "started\n", script, options, done)


@test(needs=[*NEEDS, "git"])
def the_workspace_is_as_well_protected(box):
    root = small_root(box)
    box.run(["git", "init", "-q"]).expect(exit=0)
    hook = box.work + "/.git/hooks/post-checkout"
    for script, harm in (("echo x >%s" % hook, hook), ("echo x >>.git/config", box.work + "/.git/config"),
            ("mv .git .git2; mkdir -p .git/hooks; echo x >.git/hooks/post-checkout", hook)):
        changed = Changed(box, harm)
        for options in ((), ("--root-user",)):
            done = run(box, root, script, *options)
            expect(not changed() and done.exit != 125, script, done)
        box.run(["sh", "-c", script]).expect(exit=0)
        expect(changed(), "control")
        shutil.rmtree(box.work + "/.git")
        shutil.rmtree(box.work + "/.git2", ignore_errors=True)
        box.run(["git", "init", "-q"]).expect(exit=0)
    # The folders above the workspace are of the layer, and can be moved. The watch follows the workspace.
    top = "/" + box.work.split("/")[1]
    for options in ((), ("--root-user",)):
        # A folder of the old name does not mislead it.
        done = run(box, root, "mv %s /moved && mkdir -p %s && echo x >/moved%s/.mcp.json" % (
            top, box.work, box.work[len(top):]), *options).expect(exit=0)
        expect(not os.path.exists(box.work + "/.mcp.json"), "a name that agents obey was made", done)
        # The control: the command could make the file, which was moved aside.
        expect(any(name.startswith(".mcp.json.set-aside") for name in os.listdir(box.work)), done)
        for name in os.listdir(box.work):
            if "set-aside" in name:
                os.remove(os.path.join(box.work, name))
    # A hidden file of the workspace, and one of a grant.
    box.file("home/project/.env", "SECRET\n")
    box.file("granted/deep/key", "SECRET\n")
    for options in (("--hide", box.work + "/.env", "--hide", box.root + "/granted/deep"),):
        done = run(box, root, "cat .env %s/granted/deep/key; mv %s/granted /g; cat /g/deep/key" % (box.root, box.root),
            "--ro", box.root + "/granted", "--root-user", *options)
        expect("SECRET" not in done.stdout and done.exit != 125, done)
