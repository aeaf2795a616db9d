"""The user who runs zs, and the place: root in another user's folder, sudo, containers, users without a home or a
name."""

import os
import re
import subprocess

from harness import expect, test
from processes import injected

OWNER, GROUP = 12345, 23456


def owners(folder):
    found = set()
    for parent, folders, files in os.walk(folder):
        for name in [".", *folders, *files]:
            st = os.lstat(os.path.join(parent, name))
            found.add((st.st_uid, st.st_gid))
    return found


@test(needs=["sandbox", "root", "machine-root", "git"])
def root_in_a_workspace_of_another_user(box):
    """The command works there as if root owned the workspace. The owner gets the files that it makes."""
    box.file("home/project/file", "text\n")
    box.folder("home/project/folder")
    git = "git -c user.name=n -c user.email=e@x"
    box.run(["sh", "-c", "git init -q && git add . && %s commit -qm one" % git]).expect()
    box.run(["chown", "-R", "%d:%d" % (OWNER, GROUP), box.work]).expect()
    box.run(["chmod", "-R", "go-rwx", box.work]).expect()
    box.granted("id -u; echo x >>file; cat file; echo y >new; mkdir -p a/b; ln new a/b/hard; ln -s new link; mv a c;"
        " chmod 700 c; touch -d @1 new; mkfifo fifo; rm -r folder", stdout="0\ntext\nx\n")
    box.granted("git status --short >/dev/null && git log --oneline >/dev/null")
    box.granted("git add file && %s commit -qm two" % git, zs=["run", "--git", "allow"])
    expect(owners(box.work) == {(OWNER, GROUP)}, "files of %s" % owners(box.work))
    # The workspace is protected and watched as always.
    box.denied("echo x >.git/hooks/pre-commit")
    os.makedirs(box.work + "/kept/in")
    os.chown(box.work + "/kept", OWNER, GROUP)
    os.chown(box.work + "/kept/in", OWNER, GROUP)
    box.denied("echo x >kept/in/file", zs=["run", "--protect", box.work + "/kept/in"])
    box.granted("echo x >kept/in/new", zs=["run", "--rw", box.work + "/kept/in"])
    box.run_zs("run", "--", "sh", "-c", "echo x >.bashrc; sleep 0.2; cat .bashrc").expect(exit=1,
        stderr=["zs has renamed it", "No such file"])


@test(needs=["sandbox", "root", "machine-root"])
def root_is_the_owner_only_there(box):
    """The command cannot read the owner's files elsewhere, and no files of other users in the workspace."""
    for name in ("home/project/theirs", "outside/same", "home/project/roots"):
        box.file(name, "text\n", 0o600)
    os.chown(box.work, OWNER, GROUP)
    os.chown(box.work + "/theirs", OWNER + 1, GROUP)
    os.chown(box.outside + "/same", OWNER, GROUP)
    box.denied("cat theirs")
    box.denied("cat %s/same" % box.outside, zs=["run", "--rw", box.outside])
    box.denied("cat roots")
    # The command can make no file with another user's privileges.
    box.granted("cp /bin/true t && chmod 6755 t; test ! -u t || ./t")
    box.run_zs("run", "--", "chown", "%d" % (OWNER + 1), ".").expect(exit=1)


@test(needs=["sandbox", "root", "machine-root"])
def below_sudo(box):
    """The variables of sudo name the user who called it; HOME may be that of either user."""
    home = box.folder("home/asker")
    work = box.folder("home/asker/project")
    for path in (home, work):
        os.chown(path, OWNER, GROUP)
    sudo = {"SUDO_UID": str(OWNER), "SUDO_GID": str(GROUP), "SUDO_USER": "asker", "SUDO_COMMAND": "zs", "USER": "root",
        "LOGNAME": "root"}
    for value in (home, "/root"):
        result = box.run_zs("run", "--", "sh", "-c", "id -u; echo x >made; env | grep SUDO; cat %s" % box.key, cwd=work,
            add_env={**sudo, "HOME": value})
        result.expect(exit=1, stdout="0\n")
        os.remove(work + "/made")


@test(needs=["sandbox"])
def a_home_that_does_not_exist(box):
    box.granted("echo x >file && cat file", add_env={"HOME": box.root + "/nobody-home"}, stdout="x\n")
    env = {name: value for name, value in box.env.items() if name != "HOME"}
    box.granted("echo ok", env=env, stdout="ok\n")
    box.granted("echo ok", add_env={"HOME": ""}, stdout="ok\n")


@test(needs=["sandbox", "root"])
def a_user_without_an_entry(box):
    """As in many containers, uid and gid have no names."""
    os.chown(box.work, 76543, 76543)
    done = subprocess.run([box.zs, "run", "--", "sh", "-c", "id -u; id -g; echo x >file"], cwd=box.work, env=box.env,
        user=76543, group=76543, extra_groups=[], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    expect((done.returncode, done.stdout, done.stderr) == (0, b"76543\n76543\n", b""), "%s" % done)
    # The group of the file may differ from the user's.
    expect(owners(box.work) == {(76543, 76543)}, "files of %s" % owners(box.work))


@test(needs=["sandbox"])
def a_working_directory_that_is_gone(box):
    folder = box.folder("home/gone")
    control = 'rmdir "$PWD"; "$0" run %s -- true'
    result = box.run(["sh", "-c", control % "", box.zs], cwd=folder)
    expect(result.exit in (64, 125) and result.stderr.count("\n") == 1 and result.stderr.startswith("zs: "),
        "%s" % result)
    box.folder("home/gone")
    result = box.run(["sh", "-c", control % ("--workspace " + box.work), box.zs], cwd=folder)
    expect(result.exit == 125 and result.stderr.count("\n") == 1 and result.stderr.startswith("zs: "), "%s" % result)


# A container: pid 1 of a pid namespace, no user but root, and a read-only root file system. Most containers, such as
# Docker's, cover parts of /proc, so a user namespace in them cannot have a /proc of its own.
CONTAINER = """
mount --make-rprivate / && mount -t proc proc /proc && mount -t tmpfs tmpfs %s && mount -o remount,bind,ro / &&
if [ "$1" = covered ]; then mount --bind /proc/sys /proc/sys && mount -o remount,bind,ro /proc/sys; fi &&
mkdir %s/project %s/tmp && cd %s/project && shift && "$@"
"""


def in_container(box, kind, *args):
    return box.run(["unshare", "--user", "--map-root-user", "--mount", "--pid", "--fork", "sh", "-c",
        CONTAINER % ((box.outside,) * 4), "sh", kind, box.zs, *args], add_env={"TMPDIR": box.outside + "/tmp"})


@test(needs=["sandbox", "userns"])
def in_a_container(box):
    script = "id -u; echo x >file; cat file; ls -A /tmp; cat %s" % box.key
    in_container(box, "open", "run", "--", "sh", "-c", script).expect(exit=1, stdout="0\nx\n",
        stderr=re.compile("id_ed25519: No such file"))


@test(needs=["sandbox", "userns"])
def in_a_container_that_covers_proc(box):
    line = re.compile("^zs: sandbox: protect, .*: needs proc-mount: .*; run without: --without protect,.*in Docker: ")
    in_container(box, "covered", "run", "--", "sh", "-c", "echo ran").expect(exit=125, stdout="", stderr=line)
    doctor = in_container(box, "covered", "doctor").expect(exit=125, stdout=["missing  proc-mount"])
    waived = re.search("zs run --without (\\S+)", doctor.stdout).group(1)
    in_container(box, "covered", "run", "--without", waived, "--", "sh", "-c", "echo x >file && cat file").expect(
        stdout="x\n")
    in_container(box, "covered", "run", "--without", waived, "--", "cat", box.key).expect(exit=1, stdout="")


@test(needs=["sandbox", "strace"])
def where_the_root_directory_cannot_be_changed(box):
    """Docker's profile allows mounts in a container with CAP_SYS_ADMIN, but refuses pivot_root(2) all the same."""
    line = re.compile("^zs: sandbox: protect, .*: needs mount-namespace: .*; run without: --without protect,")
    for grant in ([], ["--ro", "/"]):
        box.run([*injected("pivot_root:error=EPERM"), box.zs, "run", *grant, "--", "echo", "ran"]).expect(exit=125,
            stdout="", stderr=line)


@test(needs=["sandbox", "userns"])
def as_pid_1(box):
    """The first process of a container has no parent with which to die, and inherits orphans."""
    inside = "setsid sleep 60 & until grep -qx sleep /proc/$!/comm; do :; done; echo x >file; exit 3"
    script = "mount -t proc proc /proc && exec \"$0\" run -- sh -c '%s'" % inside
    result = box.run(["unshare", "--user", "--map-root-user", "--mount", "--pid", "--fork", "sh", "-c", script, box.zs])
    result.expect(exit=3, stderr=re.compile(r"\Azs: ended with the run: sleep \(pid \d+\);[^\n]*\n\Z"))
