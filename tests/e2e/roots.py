"""Root directories for tests of --root: a small one, of the machine's own programs, for which no network is needed."""

import hashlib
import os
import re
import shutil
import subprocess

PROGRAMS = ("sh", "cat", "chmod", "chown", "cp", "dd", "df", "head", "id", "ln", "ls", "mkdir", "mknod", "mount", "mv",
    "perl", "readlink", "rm", "rmdir", "sleep", "stat", "touch", "unshare", "chroot", "wc")


def libraries(program):
    listed = subprocess.run(["ldd", program], check=True, stdout=subprocess.PIPE, text=True).stdout
    return re.findall(r"(/\S+) \(", listed)


def copy(path, root):
    """Copies a file, as it is behind all links, to the same path in the root directory."""
    to = root + path
    os.makedirs(os.path.dirname(to), exist_ok=True)
    if not os.path.exists(to):
        shutil.copy(path, to)


def small_root(box, name="root", owner=None):
    """Makes one in the box's scratch folder, and returns its path. owner: a uid; else the box's user owns it."""
    root = os.path.join(box.root, name)
    for program in PROGRAMS:
        path = shutil.which(program)
        real = os.path.realpath(path)
        copy(real, root)
        for library in libraries(real):
            copy(library, root)
        link = root + "/bin/" + program
        os.makedirs(os.path.dirname(link), exist_ok=True)
        if not os.path.lexists(link):
            os.symlink(os.path.relpath(root + real, root + "/bin"), link)
    os.makedirs(root + "/etc")
    for path, text in (("/etc/marker", "of the root\n"), ("/etc/passwd", "root:x:0:0:root:/:/bin/sh\n")):
        with open(root + path, "w") as file:
            file.write(text)
    give(root, box.user.uid if owner is None else owner)
    return root


def state(root):
    """Everything about each file of a root directory but the times of access."""
    found = {}
    for folder, names, files in os.walk(root):
        for path in (folder, *(os.path.join(folder, name) for name in names + files)):
            st = os.lstat(path)
            found[path] = (st.st_ino, st.st_mode, st.st_uid, st.st_gid, st.st_size, st.st_mtime_ns, st.st_ctime_ns)
    return found


# --------------------------------------------------------------------------------------------- a Debian root

# Left out of a Debian root: nothing runs it.
UNUSED = ("/usr/share/doc/", "/usr/share/man/", "/usr/share/locale/", "/usr/share/info/", "/usr/share/i18n/")
MERGED = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")


def ask_dpkg(*fields):
    form = "\t".join("${%s}" % field for field in fields) + "\n"
    listed = subprocess.run(["dpkg-query", "-W", "-f", form], check=True, stdout=subprocess.PIPE, text=True).stdout
    return [line.split("\t") for line in listed.splitlines()]


def needed_packages(wanted):
    """The installed packages without which these do not work: the essential ones, and all on which they depend."""
    packages, provided, essential = {}, {}, []
    for name, status, is_essential, provides, before, depends in ask_dpkg(
            "Package", "db:Status-Abbrev", "Essential", "Provides", "Pre-Depends", "Depends"):
        if not status.startswith("ii"):
            continue
        packages[name] = ", ".join(filter(None, (before, depends)))
        essential += [name] * (is_essential == "yes")
        for each in filter(None, provides.split(",")):
            provided.setdefault(each.split()[0], name)
    found, left = set(), [*essential, *wanted]
    while left:
        name = left.pop()
        name = name if name in packages else provided.get(name)
        if not name or name in found:
            continue
        found.add(name)
        for choices in filter(None, packages[name].split(",")):
            names = [choice.split()[0].split(":")[0] for choice in choices.split("|")]
            left += [each for each in names if each in packages or each in provided][:1]
    return sorted(found)


def put(root, path, text):
    os.makedirs(os.path.dirname(root + path), exist_ok=True)
    with open(root + path, "w") as file:
        file.write(text)


def copy_package(root, name):
    info = "/var/lib/dpkg/info/"
    for each in os.listdir(info):
        if each.rsplit(".", 1)[0].split(":")[0] == name:
            copy(info + each, root)
    listed = subprocess.run(["dpkg-query", "-L", name], check=True, stdout=subprocess.PIPE, text=True).stdout
    for path in listed.splitlines():
        if not path.startswith("/") or path.startswith(UNUSED) or not os.path.lexists(path):
            continue
        if os.path.islink(path):
            os.makedirs(os.path.dirname(root + path), exist_ok=True)
            if not os.path.lexists(root + path):
                os.symlink(os.readlink(path), root + path)
        elif os.path.isdir(path):
            os.makedirs(root + path, exist_ok=True)
        elif os.access(path, os.R_OK) and not os.path.lexists(root + path):
            os.makedirs(os.path.dirname(root + path), exist_ok=True)
            shutil.copy(path, root + path)


def debian_root(box, wanted=("apt", "adduser", "passwd", "mawk")):
    """A Debian of the machine's own packages, without a network: their files, and their part of dpkg's records. The
    box's user owns it, as after an unpacking by that user."""
    root = os.path.join(box.root, "debian")
    os.makedirs(root + "/usr")
    for name in MERGED:
        if os.path.islink("/" + name):
            os.symlink("usr/" + name, root + "/" + name)
            os.makedirs(root + "/usr/" + name, exist_ok=True)
    packages = needed_packages(wanted)
    copy("/var/lib/dpkg/info/format", root)
    for name in packages:
        copy_package(root, name)
    records = subprocess.run(["dpkg-query", "-s", *packages], check=True, stdout=subprocess.PIPE, text=True).stdout
    put(root, "/var/lib/dpkg/status", records.rstrip("\n") + "\n\n")
    for name in ("diversions", "statoverride", "available"):
        put(root, "/var/lib/dpkg/" + name, "")
    for folder in ("triggers", "updates", "alternatives"):
        os.makedirs(root + "/var/lib/dpkg/" + folder, exist_ok=True)
    put(root, "/etc/shells", "/bin/sh\n")
    for name in ("passwd", "group"):
        shutil.copy("/usr/share/base-passwd/%s.master" % name, root + "/etc/" + name)
    with open(root + "/etc/passwd") as file:
        put(root, "/etc/shadow", "".join(line.split(":")[0] + ":*:19000:0:99999:7:::\n" for line in file))
    os.chmod(root + "/etc/shadow", 0o640)
    # As pam-auth-update makes them, without a password.
    for kind in ("account", "auth", "password", "session"):
        put(root, "/etc/pam.d/common-" + kind, kind + " required pam_permit.so\n")
    put(root, "/etc/debian_version", read_version())
    if not os.path.lexists(root + "/usr/bin/awk"):
        os.symlink("mawk", root + "/usr/bin/awk")
    for folder in ("etc/apt/apt.conf.d", "etc/apt/preferences.d", "etc/apt/trusted.gpg.d", "etc/apt/sources.list.d",
            "var/lib/apt/lists/partial", "var/cache/apt/archives/partial", "var/log/apt", "root", "home", "run", "tmp"):
        os.makedirs(os.path.join(root, folder), exist_ok=True)
    give(root, box.user.uid)
    return root


def read_version():
    with open("/etc/debian_version") as file:
        return file.read()


def give(root, owner):
    for folder, names, files in os.walk(root):
        for each in (folder, *(os.path.join(folder, one) for one in names + files)):
            if owner is not None:
                mode = os.lstat(each).st_mode
                os.chown(each, owner, owner, follow_symlinks=False)
                # chown(2) clears the setuid bit.
                if not os.path.islink(each):
                    os.chmod(each, mode & 0o7777)


def make_package(folder, name, files=(), scripts=(), fields=""):
    """Builds a .deb in the folder. files: paths and texts. scripts: such as postinst. Returns its path."""
    tree = os.path.join(folder, name + ".tree")
    put(tree, "/DEBIAN/control", "Package: %s\nVersion: 1.0\nArchitecture: all\nMaintainer: zs <zs@localhost>\n"
        "%sDescription: a package of a test\n" % (name, fields))
    for path, text in files:
        put(tree, path, text)
    for script, text in scripts:
        put(tree, "/DEBIAN/" + script, "#!/bin/sh\nset -e\n" + text)
        os.chmod(tree + "/DEBIAN/" + script, 0o755)
    path = os.path.join(folder, name + ".deb")
    subprocess.run(["dpkg-deb", "--root-owner-group", "-b", tree, path], check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(tree)
    return path


def make_repository(folder, packages):
    """Writes the index by which apt finds the packages of a folder."""
    index = []
    for path in packages:
        control = subprocess.run(["dpkg-deb", "-f", path], check=True, stdout=subprocess.PIPE, text=True).stdout
        with open(path, "rb") as file:
            data = file.read()
        index.append("%sFilename: ./%s\nSize: %d\nSHA256: %s\n" % (
            control, os.path.basename(path), len(data), hashlib.sha256(data).hexdigest()))
    put(folder, "/Packages", "\n".join(index))


def packages(box):
    """A repository in the workspace: a package with a user, files of that user's and a setuid program, and another on
    which it depends."""
    folder = box.folder("home/project/repository")
    library = make_package(folder, "zs-library", files=[("/usr/share/zs-library/text", "of the library\n")])
    program = make_package(folder, "zs-program", fields="Depends: zs-library, adduser\n",
        files=[("/usr/bin/zs-program", "#!/bin/sh\ncat /usr/share/zs-library/text\n"), ("/etc/zs-program.conf", "\n")],
        scripts=[("postinst", "adduser --system --group --home /var/lib/zs-program zsuser\n"
            "mkdir -p /var/lib/zs-program/deep\nchown -R zsuser:zsuser /var/lib/zs-program\n"
            "chmod 4755 /usr/bin/zs-program\n[ -e /dev/zs-program ] || mknod /run/zs-program c 1 3\n")])
    make_repository(folder, [library, program])
    return "echo 'deb [trusted=yes] file:%s ./' >/etc/apt/sources.list && apt-get -q update && " % folder
