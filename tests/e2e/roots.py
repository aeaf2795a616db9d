"""Root directories for tests of --root: a small one, of the machine's own programs, for which no network is needed."""

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
    owner = box.user.uid if owner is None else owner
    if owner is not None:
        for folder, names, files in os.walk(root):
            for each in (folder, *(os.path.join(folder, one) for one in names + files)):
                os.chown(each, owner, owner, follow_symlinks=False)
    return root


def state(root):
    """Everything about each file of a root directory but the times of access."""
    found = {}
    for folder, names, files in os.walk(root):
        for path in (folder, *(os.path.join(folder, name) for name in names + files)):
            st = os.lstat(path)
            found[path] = (st.st_ino, st.st_mode, st.st_uid, st.st_gid, st.st_size, st.st_mtime_ns, st.st_ctime_ns)
    return found
