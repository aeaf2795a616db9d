"""--users: a root directory with several users, by subordinate ids. They are real to each other, and its root reaches
no more of the machine than every command."""

import json
import os
import shutil
import stat

from boxes import create, daemon_of, inside, own_place
from disk_layers import ON_DISK, age, folders
from harness import NOBODY, REPOSITORY, expect, read, test
from processes import alive, new_mark, stop_and_kill, wait_until
from root_attacks import shared_root
from roots import packages
from subordinate import FIRST, UsersBox

NEEDS = ["sandbox", "debian", "subordinate-ids"]
OPTIONS = ("--users", "--setenv", "HOME=/root", "--setenv", "PATH=/usr/sbin:/usr/bin:/sbin:/bin")
USERS = "useradd -m -s /bin/sh ada && useradd -m -s /bin/sh bob && groupadd team && usermod -aG team ada"


def root_of(box):
    return shared_root(box.user.uid)


def make(box, *options, users=True):
    name = create(box, "--root", root_of(box), *OPTIONS, *options)
    if users:
        inside(box, name, USERS).expect(exit=0)
    return name


def run(box, script, *options, **more):
    return box.run_zs("run", "--root", root_of(box), *OPTIONS, *options, "--", "sh", "-c", script, **more)


@test(needs=NEEDS)
def users_are_real(box):
    box = UsersBox(box)
    with own_place(box):
        name = make(box)
        inside(box, name, "echo root >/root/own && chmod 600 /root/own && echo bob >/home/bob/own && "
            "chown bob:bob /home/bob/own && chmod 600 /home/bob/own").expect(exit=0)
        who = 'id -un; id -Gn; echo "$HOME"; echo mine >~/own && stat -c "%U %G" ~/own'
        inside(box, name, who, "--user", "ada").expect(exit=0, stdout="ada\nada team\n/home/ada\nada ada\n", stderr="")
        for denied in ("cat /root/own", "echo more >>/root/own", "cat /home/bob/own", "rm -f /home/bob/own",
                "chown bob ~/own", "chmod 777 /home/bob", "echo x >>/etc/passwd", "kill 1", "kill 2"):
            done = inside(box, name, denied, "--user", "ada")
            expect(done.exit != 0 and done.stderr, denied, done)
        inside(box, name, "cat /root/own /home/*/own; chown bob /home/ada/own && stat -c %U /home/ada/own").expect(
            exit=0, stdout="root\nmine\nbob\nbob\n", stderr="")
        done = inside(box, name, "grep -E '^Cap(Prm|Eff|Inh|Amb)|NoNewPrivs' /proc/self/status", "--user", "ada")
        expect(all(line.split()[1].strip("0") in ("", "1") for line in done.stdout.splitlines()), done)
        expect(done.stdout.count("\n") == 5 and "NoNewPrivs:\t1" in done.stdout, done)
        # A user that becomes another is not allowed, whatever program tries.
        inside(box, name, "setpriv --reuid 0 id || setpriv --regid 0 id || su bob -c id", "--user", "ada").expect(
            exit=1, stdout="")
        # And root may.
        inside(box, name, "setpriv --reuid ada --regid ada --init-groups id -un").expect(exit=0, stdout="ada\n")


@test(needs=NEEDS)
def a_user_is_a_name_or_a_number_of_the_box(box):
    box = UsersBox(box)
    with own_place(box):
        name = make(box)
        uid, gid = (inside(box, name, "id -u ada; getent group team | cut -d: -f3").stdout.split())
        for user, want in (("ada", "ada ada team"), (uid, "ada ada team"), ("ada:team", "ada team"),
                ("%s:%s" % (uid, gid), "ada team"), ("root", "root root"), ("0", "root root"),
                ("nobody", "nobody nogroup"), ("root:team", "root team")):
            done = inside(box, name, "echo $(id -un) $(id -Gn)", "--user", user)
            expect(done.exit == 0 and done.stdout == want + "\n", user, done)
        # A number needs no row; its group is no other's.
        inside(box, name, 'id -u; id -G; echo "$HOME"', "--user", "4242").expect(exit=0, stdout="4242\n4242\n/\n")
        for user, word in (("eve", "/etc/passwd"), ("ada:eve", "/etc/group"), ("", "/etc/passwd"),
                (":team", "/etc/passwd"),
                ("70000", "subordinate"), ("4294967295", "/etc/passwd"), ("-1", "/etc/passwd"), ("ada:", "/etc/group"),
                ("0x0", "/etc/passwd")):
            done = inside(box, name, "echo ran", "--user=" + user).expect(exit=125, stdout="", stderr=[word])
            expect("nothing ran" in done.stderr, user, done)
        done = inside(box, name, "echo $HOME", "--user", "ada", "-e", "HOME=/x").expect(exit=0, stdout="/x\n")
        # The process's own descriptors can be opened by their names.
        inside(box, name, "cat /dev/stdin >/dev/stdout; echo e >/dev/stderr", "--user", "ada", stdin="text\n").expect(
            exit=0, stdout="text\n", stderr="e\n")
        inside(box, name, "pwd", "--user", "ada", "--cwd", "/home/ada").expect(exit=0, stdout="/home/ada\n")
        inside(box, name, "echo ran", "--user", "ada", "--cwd", "/root").expect(exit=0, stdout="ran\n")
        inside(box, name, "chmod 700 /root").expect(exit=0)
        inside(box, name, "echo ran", "--user", "ada", "--cwd", "/root").expect(exit=125, stdout="", stderr=["/root"])
        line = json.loads(inside(box, name, "cat /etc/shadow; exit 3", "--user", "ada", "--json").expect(exit=3).stdout)
        expect(line["status"] == 3 and "Permission denied" in line["stderr"] and line["denials"] == [], line)
        inside(box, name, "sleep 60", "--user", "ada", "--timeout", "1s").expect(exit=124)
        inside(box, name, "ps -u ada -o pid=").expect(exit=1, stdout="")


@test(needs=NEEDS)
def files_are_copied_as_a_user(box):
    """The user's rights count, and a link that the user has planted leads no further than these."""
    box = UsersBox(box)
    with own_place(box):
        name = make(box)
        file = box.file("home/file", "text\n")
        inside(box, name, "umask 077; echo root >/root/own && ln -s /root/own /home/ada/link").expect(exit=0)
        box.run_zs("box", "put", "--user", "ada", name, file, "/home/ada/a/b").expect(exit=0, stderr="")
        inside(box, name, "stat -c '%U %a' /home/ada/a /home/ada/a/b").expect(exit=0, stdout="ada 755\nada 644\n")
        box.run_zs("box", "put", "--user", "ada", name, "-", "/home/ada/p", stdin="piped\n").expect(exit=0, stderr="")
        box.run_zs("box", "get", "--user", "ada", name, "/home/ada/p", "-").expect(exit=0, stdout="piped\n")
        for path in ("/home/ada/link", "/root/own", "/home/bob/own"):
            box.run_zs("box", "put", "--user", "ada", name, file, path).expect(exit=1, stderr=["denied"])
            box.run_zs("box", "get", "--user", "ada", name, path, "-").expect(exit=1, stdout="")
        inside(box, name, "cat /root/own").expect(exit=0, stdout="root\n")
        for words in (("put", name, file, "/tmp/x"), ("get", name, "/etc/hostname", "-")):
            done = box.run_zs("box", words[0], "--user", "eve", *words[1:])
            expect(done.exit == 125 and done.stdout == "" and "/etc/passwd has no such user" in done.stderr, done)
        inside(box, name, "ls /tmp/x").expect(exit=2)
        # The control: root.
        box.run_zs("box", "get", name, "/home/ada/link", "-").expect(exit=0, stdout="root\n")


@test(needs=NEEDS)
def hostile_lists_of_users(box):
    """Root of the box writes what it likes there. It can already be every user of the box; it stops no one's zs."""
    box = UsersBox(box)
    with own_place(box):
        name = make(box)
        for broken in ("rm /etc/passwd; mkfifo /etc/passwd", "rm /etc/passwd; mkdir /etc/passwd",
                "rmdir /etc/passwd; dd if=/dev/zero of=/etc/passwd bs=1M count=0 seek=100 status=none",
                "head -c 3000000 /dev/urandom >/etc/passwd", "printf 'ada' >/etc/passwd",
                "printf 'ada:x:99999999999999999999:0::/:\\n:::::\\n::\\nada:x:-1:0\\n' >/etc/passwd",
                "rm /etc/passwd; ln -s /dev/zero /etc/passwd", "rm /etc/passwd; ln -s /proc/kmsg /etc/passwd"):
            inside(box, name, broken).expect(exit=0)
            inside(box, name, "echo ran", "--user", "ada").expect(exit=125, stdout="", stderr=["nothing ran"])
        inside(box, name, "rm /etc/passwd; echo 'ada:x:7:8:%s:no/folder:' >/etc/passwd; "
            "for i in $(seq 65); do echo g$i:x:$((i + 100)):ada; done >/etc/group" % ("x" * 100000)).expect(exit=0)
        inside(box, name, "id", "--user", "ada").expect(exit=125, stdout="", stderr=["64 groups"])
        inside(box, name, "rm /etc/group").expect(exit=0)
        inside(box, name, 'id -u; id -G; echo "$HOME"', "--user", "ada").expect(exit=0, stdout="7\n8\n/\n")


@test(needs=NEEDS)
def packages_work_in_a_box_with_users(box):
    box = UsersBox(box)
    source = packages(box)
    with own_place(box):
        name = make(box, users=False)
        inside(box, name, source + "apt-get -qy install zs-program && zs-program").expect(exit=0)
        inside(box, name, "dpkg-query -W -f '${Status}\\n' zs-program; stat -c '%U' /var/lib/zs-program/deep; "
            "stat -c '%a %U' /usr/bin/zs-program; ls /run/zs-program").expect(
                exit=2, stdout="install ok installed\nzsuser\n4755 root\n")
        inside(box, name, "id -un; touch /var/lib/zs-program/deep/x; ! touch /etc/x", "--user", "zsuser").expect(
            exit=0, stdout="zsuser\n")


PYTHON = """
import json, sys
from zs_sandbox import Box, Policy, ZsError
with Box(Policy(root=sys.argv[1], users=True, settings=False, setenv={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"})) as box:
    box.exec(["useradd", "-m", "ada"])
    box.put("/home/ada/x", b"text", user="ada")
    said = box.exec(["stat", "-c", "%U", "/home/ada/x"], user="ada").stdout
    said += box.get("/home/ada/x", user="ada").decode()
    try:
        box.exec(["true"], user="eve")
    except ZsError as error:
        said += " eve: " + str(error)
print(json.dumps([said, box.id]))
"""
NODE = """
import { Box, ZsError } from "%s";
const setenv = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };
const box = await Box.create({ root: process.argv[2], users: true, settings: false, setenv });
await box.exec(["useradd", "-m", "ada"]);
await box.put("/home/ada/x", "text", { user: "ada" });
let said = (await box.exec(["stat", "-c", "%%U", "/home/ada/x"], { user: "ada" })).stdout;
said += await box.get("/home/ada/x", { user: "ada" });
await box.exec(["true"], { user: "eve" }).catch((error) => { said += " eve: " + error.message; });
await box.close();
console.log(JSON.stringify([said, box.id]));
"""


def expect_users(box, argv, **environment):
    done = box.run([*argv, root_of(box)], add_env={"ZS_PROGRAM": box.zs, **environment}).expect(exit=0, stderr="")
    said, name = json.loads(done.stdout)
    expect(said.startswith("ada\ntext eve: ") and name in said and "no such user" in said, said)


@test(needs=[*NEEDS, "system-pip"])
def the_python_binding_knows_users(box):
    box = UsersBox(box)
    shutil.copytree(os.path.join(REPOSITORY, "bindings/python/zs_sandbox"), box.root + "/python/zs_sandbox")
    expect_users(box, ["/usr/bin/python3", "-Bc", PYTHON], PYTHONPATH=box.root + "/python")


@test(needs=[*NEEDS, "node"])
def the_node_binding_knows_users(box):
    box = UsersBox(box)
    shutil.copytree(os.path.join(REPOSITORY, "bindings/node"), box.root + "/node")
    expect_users(box, ["node", box.file("host.mjs", NODE % (box.root + "/node/index.js"))])


# ----------------------------------------------------------------------------------------- without subordinate ids


@test(needs=NEEDS)
def without_subordinate_ids_nothing_runs(box):
    box = UsersBox(box)
    if box.user.is_root:
        # Root has ids of its own without a row, and obeys a row.
        for rows, first in (("", 0x70000000), ("root:300000:65536\n", 300000), ("0:400000:1000\n", 400000)):
            run(box, "cat /proc/self/uid_map | tr -s ' '", subuids=rows).expect(
                exit=0, stdout=" 0 0 1\n 1 %d %d\n" % (first, 1000 if first == 400000 else 65535))
        rows = "root:%s\n"
    else:
        maps = "cat /proc/self/uid_map /proc/self/gid_map | tr -s ' '"
        run(box, maps, subuids="eve:1:2\n65534:300000:1000\n").expect(exit=0,
             stdout=" 0 %d 1\n 1 300000 1000\n 0 %d 1\n 1 %d 65535\n" % (NOBODY, NOBODY, FIRST))
        for which in ("subuids", "subgids"):
            for text in ("", "eve:300000:65536\n", "nobodyelse:300000:65536\n", "#nobody:300000:65536\n"):
                run(box, "echo ran", **{which: text}).expect(exit=125, stdout="",
                    stderr=["/etc/" + which[:-1], "nobody", "usermod --add-" + which, "--root-user"])
        rows = "nobody:%s\n"
    for part in ("300000:0", "300000", "300000:", ":65536", "x:65536", "-1:65536", "300000:65536:1", "4294967295:1",
            "0:65536", "1000:1", "65535:65536", "99999999999:1", "300000:-1"):
        done = run(box, "echo ran", subuids=rows % part)
        expect(done.exit == 125 and done.stdout == "" and "/etc/subuid" in done.stderr, part, done)
    with own_place(box):
        done = box.run_zs("box", "create", "--root", root_of(box), *OPTIONS, subuids=rows % "0:65536")
        expect(done.exit == 125 and done.stdout == "" and "/etc/subuid" in done.stderr, done)


@test(needs=NEEDS)
def the_programs_that_map_ids_are_not_trusted(box):
    """newuidmap that is missing, fails, says that it has done its work, or maps too little."""
    box = UsersBox(box)
    if box.user.is_root:
        return
    script = "printf '#!/bin/sh\\n%s\\n' >\"$1.fake\"; chmod %s \"$1.fake\"; mount --bind \"$1.fake\" /usr/bin/%s"
    for program in ("newuidmap", "newgidmap"):
        for text, mode, words in (("exit 0", "644", ["is not installed", "uidmap"]),
                ("echo this fails >&2; exit 1", "755", ["this fails"]), ("exit 0", "755", []),
                ("kill -9 \\$\\$", "755", []),
                ("yes | head -c 100000 >&2; exit 1", "755", [": y"]), ("exec /no/program", "755", ["/no/program"])):
            # $1 and the rest have been shifted only afterwards.
            change = script % (text, mode, program)
            run(box, "echo ran", change=change).expect(exit=125, stdout="", stderr=[program[3:6], *words])
    # The control: the same way of putting a program there.
    run(box, "echo ran", change='cp -p /usr/bin/newuidmap "$1.real"; mount --bind "$1.real" /usr/bin/newuidmap').expect(
        exit=0, stdout="ran\n")
    # One that lives where nothing may gain rights.
    run(box, "echo ran", change="mount --bind /usr /usr; mount -o remount,bind,nosuid /usr").expect(
        exit=125, stdout="", stderr=["newuidmap"])
    # PATH names none.
    box.file("home/bin/newuidmap", "#!/bin/sh\ntouch %s/home/project/ran\n" % box.root, 0o755)
    run(box, "echo ran", add_env={"PATH": box.home + "/bin:" + box.env["PATH"]}).expect(exit=0, stdout="ran\n")
    expect(not os.path.exists(box.work + "/ran"), "PATH was asked")


@test(needs=NEEDS)
def the_next_run_removes_the_files_of_users(box):
    """A killed box leaves them on disk. Its user cannot even list a folder of another one's."""
    box = UsersBox(box)
    with own_place(box):
        mark = new_mark()
        name = make(box, "--limit", ON_DISK, "--setenv", "MARK=" + mark)
        kept = box.file("home/kept", "kept\n")
        plant = "umask 077; mkdir -p /usr/own/deep && echo x >/usr/own/deep/x && ln -s %s %s /usr/own/deep && " \
            "rm /usr/bin/env && mkdir -m 0 /usr/own/shut && chown -hR bob /usr/own && touch /tmp/%s"
        inside(box, name, plant % (kept, box.home, mark)).expect(exit=0, stderr="")
        made, = (folder for folder in folders(box) if os.path.exists(folder + "/tmp/" + mark))
        daemon, others = daemon_of("MARK=" + mark)
        stop_and_kill(daemon, *others)
        wait_until(lambda: not any(map(alive, (daemon, *others))), "the box lives")
        age(made)

        def is_removed():
            run(box, "true", "--limit", ON_DISK).expect(exit=0, stderr="")
            return not os.path.exists(made)

        wait_until(is_removed, lambda: os.listdir(made))
        expect(read(kept) == "kept\n", "a link was followed")


@test(needs=NEEDS)
def only_the_option_makes_users(box):
    """The control: with --root-user the same calls are pretended, and exec knows one user."""
    box = UsersBox(box)
    with own_place(box):
        name = create(box, "--root", root_of(box), "--root-user", *OPTIONS[1:])
        inside(box, name, USERS + "; chown ada /tmp; stat -c %U /tmp; grep CapEff /proc/self/status").expect(
            exit=0, stdout="root\nCapEff:\t0000000000000000\n")
        inside(box, name, "id -un", "--user", "ada").expect(exit=125, stdout="", stderr=["--users"])
        inside(box, name, "id -un", "--user", "root").expect(exit=0, stdout="root\n")
    box.run_zs("run", "--users", "--", "true").expect(exit=64, stderr=["--users", "--root"])
    policy = json.loads(run(box, "true", "--print-policy").expect(exit=0).stdout)
    expect(policy["root"] == {"path": root_of(box), "root_user": True, "users": True}, policy["root"])
    file = box.file("home/policy.json", json.dumps(dict(policy, root={"path": root_of(box), "users": True})))
    box.run_zs("run", "--policy", file, "--", "/usr/bin/stat", "-c", "%u", "/etc").expect(exit=0, stdout="0\n")
    box.run_zs("run", "--policy", file, "--", "/bin/chown", "7", "/tmp").expect(exit=0, stderr="")
    box.run_zs("policy", "show", "--root", root_of(box), "--users").expect(exit=0, stdout=["root.users"])


# ------------------------------------------------------------------------------------------ what root does not reach


@test(needs=NEEDS)
def files_of_others_stay_theirs(box):
    """A granted folder holds files of a user of the machine who is none of the box."""
    box = UsersBox(box)
    if os.geteuid() != 0:
        return
    folder = box.folder("granted")
    file = box.file("granted/other", "SECRET\n", 0o600)
    mixed = box.file("granted/mixed", "SECRET\n", 0o040)
    os.chown(file, 12345, 12345)
    # The group alone is not mapped: no capability counts there.
    os.chown(mixed, 12345, 0 if box.user.is_root else NOBODY)
    for access in ("--ro", "--rw"):
        for attack in ("cat %s", "echo x >>%s", "chmod 666 %s", "chown 0 %s", "chown 5 %s", "truncate -s 0 %s",
                "touch -d 2001-01-01 %s", "setpriv --reuid 12345 --clear-groups cat %s"):
            done = run(box, attack % file, access, folder)
            expect(done.exit != 0 and "SECRET" not in done.stdout, attack, done)
    st = os.stat(file)
    expect((st.st_uid, st.st_mode & 0o7777, st.st_size) == (12345, 0o600, 7) and read(file) == "SECRET\n", st)
    done = run(box, "chmod 777 %s; chown 5 %s" % (mixed, mixed), "--rw", folder)
    expect(done.exit != 0 and os.stat(mixed).st_uid == 12345 and os.stat(mixed).st_mode & 0o777 == 0o040, done)
    # The control: a file of the caller's own can be given away, to an id of the box.
    own = box.file("granted/own", "text\n", 0o600)
    run(box, "chown 5:6 %s && stat -c %%u:%%g %s" % (own, own), "--rw", folder).expect(exit=0, stdout="5:6\n")
    expect(os.stat(own).st_uid == box.outside_id(5) and os.stat(own).st_gid == box.outside_id(6), os.stat(own))


@test(needs=NEEDS)
def protected_and_hidden_files_stay_so(box):
    """Root could pass the modes of these places."""
    box = UsersBox(box)
    secret = box.file("home/project/secrets/key", "SECRET\n", 0o600)
    box.file("home/project/lock", "locked\n")
    box.run(["git", "init", "-q", box.work]).expect()
    hook = box.work + "/.git/hooks/pre-commit"
    options = ("--hide", box.work + "/secrets", "--protect", box.work + "/lock")
    for attack in ("cat secrets/key", "echo x >lock", "chown 5 lock", "chmod 777 lock", "mv lock other", "rm -f lock",
            "echo x >.git/hooks/pre-commit", "chown 5 .git", "chmod 777 .git/config", "mv .git other",
            "setpriv --reuid 5 --clear-groups cat secrets/key", "umount secrets", "mount -o remount,rw lock"):
        done = run(box, attack, *options)
        expect(done.exit != 0 and "SECRET" not in done.stdout, attack, done)
    run(box, "ls -A secrets; touch secrets/new; ls -A secrets", *options).expect(stdout="", exit=0)
    expect(read(secret) == "SECRET\n" and read(box.work + "/lock") == "locked\n" and not os.path.exists(hook), "harm")
    run(box, "cat secrets/key", "--secrets", "show").expect(exit=0, stdout="SECRET\n")


@test(needs=NEEDS)
def a_name_that_another_user_makes_is_moved_aside(box):
    """The watch passes the modes of the box's other users."""
    box = UsersBox(box)
    os.chmod(box.work, 0o777)
    box.own(box.work)
    done = run(box, "mkdir sub && chown 5 . && chmod 700 . && setpriv --reuid 5 --clear-groups sh -c "
        "'mkdir -m 000 .git && touch .mcp.json plain && echo made; sleep .3; ls -A'; chown 0 .; chmod 755 .")
    expect(done.stdout.startswith("made\n") and "plain" in done.stdout, "control", done)
    left = [name for name in os.listdir(box.work) if name in (".git", ".mcp.json")]
    expect(not left and "sub" in os.listdir(box.work), left, os.listdir(box.work))
    run(box, "rm -rf ./* ./.[!.]*").expect(exit=0)


@test(needs=NEEDS)
def root_gets_no_other_capability(box):
    box = UsersBox(box)
    run(box, "grep -E '^Cap' /proc/self/status; grep NoNewPrivs /proc/self/status").expect(exit=0, stdout="".join(
        "Cap%s:\t%016x\n" % (name, bits) for name, bits in
        (("Inh", 0), ("Prm", 0xfb), ("Eff", 0xfb), ("Bnd", 0xfb), ("Amb", 0))) + "NoNewPrivs:\t1\n")
    for name in ("dac_read_search", "setpcap", "sys_admin", "mknod", "net_admin", "sys_ptrace", "setfcap"):
        run(box, "setpriv --inh-caps +%s true" % name).expect(exit=127, stderr=["not permitted"])
    for attack in ("mount -t tmpfs tmpfs /mnt", "unshare -U true", "unshare -m true", "chroot / true",
            "nsenter -t 1 -m true", "hostname x", "date -s 2001-01-01", "dmesg", "swapoff -a",
            "echo 1 >/proc/sys/kernel/core_pattern",
            "echo x >/proc/sys/vm/drop_caches", "echo b >/proc/sysrq-trigger", "cat /proc/kcore", "cat /proc/1/environ",
            "ls /proc/1/root/", "cat /proc/1/maps", "readlink /proc/1/fd/0", "echo -500 >/proc/self/oom_score_adj",
            "nice -n -5 true",
            "ip link add d type dummy", "setpriv --reuid 70000 true", "echo '0 0 1' >/proc/self/uid_map",
            "echo deny >/proc/self/setgroups", "ip addr add 10.9.9.9/8 dev lo", "renice -n -1 1",
            "prlimit --pid 1 --nofile=1"):
        done = run(box, attack)
        harmless = attack.startswith("nice") and "cannot set niceness" in done.stderr
        expect(harmless or done.exit != 0, attack, done)


@test(needs=NEEDS)
def devices_and_setuid_programs_do_nothing(box):
    box = UsersBox(box)
    run(box, "mknod /tmp/null c 1 3; ls /tmp/null; mknod null c 1 3; ls null; mknod disk b 8 0; ls disk").expect(
        exit=2, stdout="")
    expect(os.listdir(box.work) == [], os.listdir(box.work))
    # setuid root, in the root and in the workspace, gives another user nothing.
    with own_place(box):
        name = make(box)
        os.chmod(box.work, 0o755)
        inside(box, name, "cp /usr/bin/id /usr/bin/setuid && chmod 6755 /usr/bin/setuid && "
            "cp -p /usr/bin/setuid setuid && cp -p setuid /tmp/setuid && stat -c %a setuid").expect(exit=0,
            stdout="6755\n")
        inside(box, name, "for i in /usr/bin/setuid ./setuid /tmp/setuid; do $i -u; done", "--user", "4242").expect(
            exit=0, stdout="4242\n4242\n4242\n")


@test(needs=NEEDS)
def other_users_do_not_reach_zs(box):
    """They reach none of root's processes either. Root can end its box, as without users."""
    box = UsersBox(box)
    with own_place(box):
        name = make(box)
        inside(box, name, "setsid sleep 600 >/dev/null 2>&1 & sleep .1; echo $!").expect(exit=0)
        for attack in ("kill -9 $(pidof sleep)", "kill -9 -1; kill -9 2", "cat /proc/$(pidof sleep)/environ",
                "cat /proc/$(pidof sleep)/mem", "ls /proc/$(pidof sleep)/fd/", "cat /proc/2/environ", "ls /proc/2/fd/",
                "kill -STOP 2", "prlimit --pid $(pidof sleep) --nofile=1", "renice -n 5 $(pidof sleep)"):
            done = inside(box, name, attack, "--user", "ada")
            expect(done.exit != 0, attack, done)
        inside(box, name, "kill -0 $(pidof sleep)").expect(exit=0)
        expect(not inside(box, name, "kill -9 $(pidof sleep)").exit, "control: root may")
        # The server passes signals and ends on to other users' commands.
        busy = "trap '' TERM; sleep 60 & wait; sleep 60"
        inside(box, name, busy, "--user", "ada", "--timeout", "1s").expect(exit=124)
        inside(box, name, "pgrep -u ada sleep").expect(exit=1, stdout="")
        box.run_zs("box", "close", name).expect(exit=0)


@test(needs=NEEDS)
def every_process_of_other_users_ends(box):
    """By the watch: it kills the processes of all users."""
    box = UsersBox(box)
    done = run(box, "setpriv --reuid 5 --clear-groups sh -c 'sleep 647 & wait' & sleep .3; exit 3")
    expect(done.exit == 3, done)
    stays = "setpriv --reuid 5 --clear-groups sh -c 'trap \"\" TERM INT; sleep 648; sleep 648'"
    done = run(box, stays, "--limit", "wall=1s")
    expect(done.exit == 137 and not sleeping("647") and not sleeping("648"), done)


def sleeping(seconds):
    found = []
    for each in os.listdir("/proc"):
        if each.isdigit():
            try:
                with open("/proc/%s/cmdline" % each, "rb") as file:
                    if file.read() == b"sleep\0%s\0" % seconds.encode() and alive(int(each)):
                        found.append(each)
            except OSError:
                pass
    return found


@test(needs=NEEDS)
def a_limit_of_processes_holds_for_all_users_together(box):
    """Each user would have a count of its own (RLIMIT_NPROC), so only a cgroup can hold it."""
    box = UsersBox(box)
    fork = "for i in $(seq 30); do sleep 5 & done 2>/dev/null; echo $(pgrep -c sleep)"
    each = "for u in 0 5 6; do setpriv --reuid $u --clear-groups sh -c '%s' 2>/dev/null; done; pgrep -c sleep"
    done = run(box, each % fork, "--limit", "processes=20", "--limit", "wall=20s")
    if done.exit == 125:
        expect(done.stdout == "" and "each of the users" in done.stderr and "cgroup" in done.stderr, done)
    else:
        expect(int(done.stdout.split()[-1]) <= 20, done)
    run(box, "echo ran", "--limit", "memory=512M", "--limit", "cpu=10s").expect(exit=0, stdout="ran\n")


@test(needs=NEEDS + ["perl"])
def sockets_know_the_user(box):
    """A server of the box sees who has connected, and its socket's mode counts."""
    box = UsersBox(box)
    server = ("use IO::Socket::UNIX; umask %s; my $s = IO::Socket::UNIX->new(Local => q(%s), Listen => 9); "
        "while (my $c = $s->accept) { my ($pid, $u, $g) = unpack q(iII), getsockopt($c, 1, 17); "
        "print $c qq($u $g\\n); close $c }")
    start = "setsid perl -e '%s' >/tmp/log$$ 2>&1 & sleep .3"
    client = "perl -e 'use IO::Socket::UNIX; my $c = IO::Socket::UNIX->new(Peer => q(%s)) or die $!; print <$c>'"
    with own_place(box):
        name = make(box)
        for path, mask in (("/tmp/open", "0"), ("/tmp/closed", "077")):
            inside(box, name, start % (server % (mask, path))).expect(exit=0)
        inside(box, name, "mkdir -m 700 /home/ada/s").expect(exit=0)
        inside(box, name, "chown ada /home/ada/s").expect(exit=0)
        inside(box, name, start % (server % ("0", "/home/ada/s/own")), "--user", "ada").expect(exit=0)
        uid = inside(box, name, "id -u ada").stdout.strip()
        inside(box, name, client % "/tmp/open").expect(exit=0, stdout="0 0\n")
        inside(box, name, client % "/tmp/closed").expect(exit=0, stdout="0 0\n")
        inside(box, name, client % "/tmp/open", "--user", "ada").expect(exit=0, stdout="%s %s\n" % (uid, uid))
        inside(box, name, client % "/tmp/closed", "--user", "ada").expect(exit=13, stdout="", stderr=["denied"])
        inside(box, name, client % "/home/ada/s/own", "--user", "ada").expect(exit=0, stdout="%s %s\n" % (uid, uid))
        inside(box, name, client % "/home/ada/s/own", "--user", "bob").expect(exit=13, stdout="")
        inside(box, name, client % "/home/ada/s/own").expect(exit=0, stdout="0 0\n")
        # With a collector the same process looks and connects.
        line = json.loads(inside(box, name, client % "/tmp/open", "--user", "ada", "--json").expect(exit=0).stdout)
        expect(line["stdout"] == "%s %s\n" % (uid, uid), line)
        inside(box, name, "cd ~/s && " + client % "own", "--user", "ada").expect(exit=0, stdout="%s %s\n" % (uid, uid))


# ------------------------------------------------------------------------------------------------ files that are left


@test(needs=NEEDS)
def files_in_the_workspace_have_the_users_ids(box):
    box = UsersBox(box)
    os.chmod(box.work, 0o777)
    run(box, "touch root; setpriv --reuid 5 --regid 6 --clear-groups touch five; mkdir -m 700 closed; touch closed/x; "
        "chown -R 5:6 closed").expect(exit=0)
    for name, uid, gid in (("root", 0, 0), ("five", 5, 6), ("closed", 5, 6)):
        st = os.stat(box.work + "/" + name)
        expect((st.st_uid, st.st_gid) == (box.outside_id(uid), box.outside_id(gid)), name, st)
    if not box.user.is_root:
        # As the docs say.
        expect(box.run(["rm", "-rf", "closed"]).exit == 1, "the caller cannot")
    run(box, "ls -A closed && rm -rf closed five").expect(exit=0, stdout="x\n")
    expect(os.listdir(box.work) == ["root"], os.listdir(box.work))


@test(needs=NEEDS)
def a_layer_on_disk_is_removed(box):
    """It holds folders of other users, which the caller cannot enter."""
    box = UsersBox(box)
    before = set(os.listdir("/var/tmp"))
    run(box, "mkdir -p /opt/a/b /tmp/a/b && touch /opt/a/b/c /tmp/a/b/c && chown -R 5:6 /opt/a /tmp/a && "
        "chmod -R 700 /opt/a && chmod 000 /opt/a/b /tmp/a", "--limit", "tmp=3G").expect(exit=0, stderr="")
    left = {name for name in set(os.listdir("/var/tmp")) - before
        if os.stat("/var/tmp/" + name).st_uid == box.outside_id(0)}
    expect(not left, left)


@test(needs=["root", *NEEDS])
def the_workspace_of_another_user(box):
    """For root the workspace's owner is root inside; other users are themselves."""
    box = UsersBox(box)
    os.chown(box.work, 12345, 12345)
    os.chmod(box.work, 0o777)
    run(box, "stat -c %u .; touch root; setpriv --reuid 5 --regid 6 --clear-groups touch five; stat -c %u five").expect(
        exit=0, stdout="0\n5\n")
    expect(os.stat(box.work + "/root").st_uid == 12345, os.stat(box.work + "/root"))
    expect(os.stat(box.work + "/five").st_uid == box.outside_id(5), os.stat(box.work + "/five"))


@test(needs=NEEDS)
def a_dry_run_shows_what_other_users_write(box):
    box = UsersBox(box)
    os.chmod(box.work, 0o777)
    box.file("home/project/kept", "old\n")
    done = run(box, "umask 077; echo new >kept; chmod 600 kept; mkdir closed; echo x >closed/x; chown -R 5 kept closed",
        "--verify", "--patch")
    if box.user.is_root:
        expect(done.exit == 0 and "+new" in done.stderr and "closed/x" in done.stderr, done)
    else:
        # The process that reads the layer is the caller's.
        expect(done.exit == 125 and "cannot be read" in done.stderr, done)
    st = os.stat(box.work + "/kept")
    expect(read(box.work + "/kept") == "old\n" and st.st_uid == box.outside_id(0), st)
    expect(stat.S_IMODE(st.st_mode) == 0o644, st)


@test(needs=NEEDS)
def a_snapshot_keeps_no_owners(box):
    """It says so."""
    box = UsersBox(box)
    with own_place(box):
        name = make(box)
        inside(box, name, "echo mine >~/own; chmod 600 ~/own", "--user", "ada").expect(exit=0)
        box.run_zs("box", "save", name, "with-users").expect(exit=0, stdout="", stderr=["owner"])
        other = create(box, "--from", "with-users", *OPTIONS)
        inside(box, other, "cat /home/ada/own; stat -c %U /home/ada/own; id -un ada").expect(
            exit=0, stdout="mine\nroot\nada\n")
