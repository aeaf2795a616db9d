"""--root-user: package managers work in a Debian root, and root in there is as weak outside as every command."""

import os

from boxes import create, inside, own_place
from harness import Changed, expect, read, test
from roots import debian_root, packages, small_root, state

NEEDS = ["sandbox", "debian"]
HOME = ("--setenv", "HOME=/root", "--setenv", "PATH=/usr/sbin:/usr/bin:/sbin:/bin")


@test(needs=NEEDS)
def packages_are_installed(box):
    root = debian_root(box)
    source = packages(box)
    before = state(root)
    with own_place(box):
        name = create(box, "--root", root, "--root-user", *HOME)
        done = inside(box, name, source + "apt-get -qy install zs-program && zs-program").expect(exit=0)
        expect(done.stdout.endswith("of the library\n"), done)
        inside(box, name, "dpkg-query -W -f '${Status} ${Version}\\n' zs-program zs-library; id -u zsuser; "
            "stat -c '%a %U' /usr/bin/zs-program; ls /run/zs-program").expect(
            exit=2, stdout="install ok installed 1.0\ninstall ok installed 1.0\n100\n4755 root\n")
        inside(box, name, "apt-get -qy remove --purge zs-program && ! zs-program").expect(exit=0)
        # Another box of the same root has none of it.
        other = create(box, "--root", root, "--root-user", *HOME)
        inside(box, other, "! dpkg-query -W zs-library && ! id zsuser").expect(exit=0)
        for each in (name, other):
            box.run_zs("box", "close", each).expect(exit=0, stderr="")
    expect(state(root) == before, "the folder has changed")


@test(needs=NEEDS)
def a_package_is_installed_from_its_file(box):
    root = debian_root(box)
    packages(box)
    box.run_zs("run", "--root", root, "--root-user", *HOME, "--", "sh", "-c",
        "dpkg -i repository/zs-library.deb && cat /usr/share/zs-library/text && dpkg -r zs-library").expect(
        exit=0, stdout=["of the library\n"])


@test(needs=NEEDS)
def users_are_made(box):
    root = debian_root(box)
    with own_place(box):
        name = create(box, "--root", root, "--root-user", *HOME)
        inside(box, name, "adduser --system --group zssystem && useradd -m -s /bin/sh zsuser && groupadd zsgroup && "
            "usermod -aG zsgroup zsuser").expect(exit=0)
        inside(box, name, "id -un zssystem; id -Gn zsuser; ls -d /home/zsuser; "
            "touch /home/zsuser/file && chown zsuser:zsuser /home/zsuser/file && stat -c %U /home/zsuser/file").expect(
            exit=0, stdout="zssystem\nzsuser zsgroup\n/home/zsuser\nroot\n", stderr="")
        for user, exit in (("root", 0), ("0", 0), ("1000", 125), ("daemon", 125)):
            inside(box, name, "id -u", "--user", user).expect(exit=exit, stdout="0\n" if exit == 0 else "")
        inside(box, name, "userdel zsuser && ! id zsuser && ! getent group zsuser").expect(exit=0)


@test(needs=NEEDS)
def only_the_option_makes_root(box):
    """The control: without --root-user nothing is pretended."""
    if box.user.is_root:
        return
    root = debian_root(box)
    packages(box)
    uid = box.user.uid if box.user.uid is not None else os.geteuid()
    script = "id -u; dpkg -i repository/zs-library.deb >&2"
    box.run_zs("run", "--root", root, *HOME, "--", "sh", "-c", script).expect(
        exit=2, stdout="%d\n" % uid, stderr=["superuser"])
    box.run_zs("run", "--root", root, "--root-user", *HOME, "--", "sh", "-c", script).expect(exit=0, stdout="0\n")


@test(needs=["sandbox", "perl"])
def pretended_calls_change_nothing(box):
    root = small_root(box)
    machine = 1 if os.uname().machine == "aarch64" else 0
    file = box.file("home/project/file", "text\n")
    owner = os.stat(file).st_uid, os.stat(file).st_gid
    calls = {"setuid": (105, 146), "setgid": (106, 144), "setreuid": (113, 145), "setregid": (114, 143),
        "setresuid": (117, 147), "setresgid": (119, 149)}
    for name, numbers in calls.items():
        script = "perl -e 'exit(syscall(%d, 5, 5, 5) < 0); ' && id -u" % numbers[machine]
        box.run_zs("run", "--root", root, "--root-user", "--", "sh", "-c", script).expect(exit=0, stdout="0\n")
        done = box.run_zs("run", "--root", root, "--", "sh", "-c", script)
        expect(done.exit == 1 and done.stdout == "", "control", name, done)
    script = "chown 5:6 file && chown -h 5:6 file && ls -n file"
    done = box.run_zs("run", "--root", root, "--root-user", "--", "sh", "-c", script).expect(exit=0, stderr="")
    expect(" 0 0 " in done.stdout, done)
    expect((os.stat(file).st_uid, os.stat(file).st_gid) == owner, "the owner outside")
    done = box.run_zs("run", "--root", root, "--", "sh", "-c", script)
    expect(done.exit == 1, "control", done)


@test(needs=NEEDS)
def files_that_root_writes_in_the_workspace_are_the_callers(box):
    root = debian_root(box)
    uid = os.geteuid() if box.user.uid is None else box.user.uid
    harm = Changed(box, box.key)
    done = box.run_zs("run", "--root", root, "--root-user", *HOME, "--", "sh", "-c",
        "cp /bin/sh made; chmod 4777 made; chown daemon made; cat %s" % box.key)
    expect(done.exit == 1 and not harm() and "SECRET" not in done.stdout, done)
    expect(os.stat(box.work + "/made").st_uid == uid, "it is the caller's")
    expect(read(box.key) == "SECRET KEY\n", "control")
