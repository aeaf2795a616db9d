#!/usr/bin/env python3
"""Packs zs: for each processor a .deb, a tarball and a Python wheel, one npm package, and SHA256SUMS of all.

    package.py VERSION SHARE FOLDER PLATFORM=ZS...

SHARE is the folder of man pages, completions and licences that is installed below PREFIX/share; PLATFORM is
x86_64 or aarch64 for Linux, and x86_64-macos-13-0 for macOS from 13.0 on, which gets no .deb and no tarball. The same
files always make the same bytes: every time in them is SOURCE_DATE_EPOCH, or else that of git's last commit; owner,
order and modes are fixed. FOLDER holds nothing else afterwards. dpkg is not needed.
"""

import gzip
import hashlib
import io
import lzma
import os
import shutil
import subprocess
import sys
import tarfile
import time

import languages

DEBIAN = {"x86_64": "amd64", "aarch64": "arm64"}
MAINTAINER = "The zs authors <zs@localhost.invalid>"
DESCRIPTION = """two walls around the shell commands of AI agents
 zs reads the bash text that an agent wants to run and decides whether it runs
 at all; then the kernel confines the process that does run, by namespaces,
 Landlock and seccomp. A text that cannot be read, and a policy that cannot be
 enforced, are refused with a reason that says what to do instead."""
# lintian complains of a static binary: zs must be one, to be its own launcher wherever it is mounted.
OVERRIDES = "zs: statically-linked-binary\n"
ZSH = ("share/zsh/site-functions/", "share/zsh/vendor-completions/")  # the usual folder, and Debian's


def epoch():
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if not given:
        done = subprocess.run(["git", "log", "-1", "--format=%ct"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        given = done.stdout.decode().strip()
    if not given.isdigit():
        sys.exit("package: SOURCE_DATE_EPOCH: is no number, and git knows no commit; set it to seconds since 1970")
    return int(given)


def read_tree(folder):
    files = {}
    for at, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(at, name)
            with open(path, "rb") as f:
                files["share/" + os.path.relpath(path, folder)] = f.read()
    return files


def tar(files, when, top):
    """files: contents by path. Files in bin/ are executable. Every folder comes before its content."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:

        def add(name, kind, mode, data=b""):
            info = tarfile.TarInfo(name)
            info.type, info.mode, info.size, info.mtime = kind, mode, len(data), when
            info.uname = info.gname = "root"
            archive.addfile(info, io.BytesIO(data))

        seen = set()
        for path in sorted(files):
            parts = (top + path).split("/")
            for i in range(1, len(parts)):
                folder = "/".join(parts[:i])
                if folder not in seen:
                    seen.add(folder)
                    add(folder, tarfile.DIRTYPE, 0o755)
            add(top + path, tarfile.REGTYPE, 0o755 if "/bin/" in "/" + path else 0o644, files[path])
    return out.getvalue()


def xz(data):
    return lzma.compress(data, preset=6)


def gz(data):
    return gzip.compress(data, 9, mtime=0)


def ar(members, when):
    out = b"!<arch>\n"
    for name, data in members:
        out += b"%-16s%-12d%-6d%-6d%-8s%-10d`\n" % (name.encode(), when, 0, 0, b"100644", len(data))
        out += data + b"\n" * (len(data) % 2)
    return out


def debian_files(zs, share, version, when):
    files = {"usr/bin/zs": zs, "usr/share/lintian/overrides/zs": OVERRIDES.encode()}
    for path, data in share.items():
        if path.startswith("share/man/"):
            path, data = path + ".gz", gz(data)
        files["usr/" + path.replace(*ZSH)] = data
    date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(when))
    changes = "zs (%s) unstable; urgency=medium\n\n  * Release %s.\n\n" % (version, version)
    changes += " -- %s  %s\n" % (MAINTAINER, date)
    files["usr/share/doc/zs/changelog.gz"] = gz(changes.encode())
    return files


def installed_kib(files):
    """The installed size as dpkg-gencontrol(1) counts it: whole KiB for each file, and one for each folder."""
    folders = {"/".join(path.split("/")[:i]) for path in files for i in range(path.count("/") + 1)}
    return sum((len(data) + 1023) // 1024 for data in files.values()) + len(folders)


def deb(zs, share, version, architecture, when):
    files = debian_files(zs, share, version, when)
    control = "\n".join(["Package: zs", "Version: " + version, "Architecture: " + architecture,
        "Maintainer: " + MAINTAINER, "Installed-Size: %d" % installed_kib(files), "Section: utils",
        "Priority: optional", "Description: " + DESCRIPTION]) + "\n"
    sums = "".join("%s  %s\n" % (hashlib.md5(files[path]).hexdigest(), path) for path in sorted(files))
    return ar([
        ("debian-binary", b"2.0\n"),
        ("control.tar.xz", xz(tar({"control": control.encode(), "md5sums": sums.encode()}, when, "./"))),
        ("data.tar.xz", xz(tar(files, when, "./"))),
    ], when)


def main(version, share_folder, folder, *programs):
    when, share = epoch(), read_tree(share_folder)
    licence, by_platform = share["share/doc/zs/copyright"], {}
    made = {"zs-%s.spdx.json" % version: share["share/doc/zs/zs.spdx.json"]}
    for program in programs:
        architecture, path = program.split("=", 1)
        with open(path, "rb") as f:
            zs = by_platform[architecture] = f.read()
        name, data = languages.wheel(architecture, zs, licence, version, when)
        made[name] = data
        if architecture not in DEBIAN:
            continue
        made["zs_%s_%s.deb" % (version, DEBIAN[architecture])] = deb(zs, share, version, DEBIAN[architecture], when)
        top = "zs-%s-%s-linux" % (version, architecture)
        made[top + ".tar.xz"] = xz(tar({"bin/zs": zs, **share}, when, top + "/"))
    files = languages.npm_files(by_platform, licence, version)
    made["zs-sandbox-%s.tgz" % version] = gz(tar(files, when, "package/"))
    sums = "".join("%s  %s\n" % (hashlib.sha256(made[name]).hexdigest(), name) for name in sorted(made))
    made["SHA256SUMS"] = sums.encode()
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name, data in made.items():
        with open(os.path.join(folder, name), "wb") as f:
            f.write(data)
    print(sums, end="")


if __name__ == "__main__":
    main(*sys.argv[1:])
