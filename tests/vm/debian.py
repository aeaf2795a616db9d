"""Kernels and a root file system of Debian's, for QEMU. All is fetched through the mirror that this machine's apt uses,
by a private apt with more suites, and kept in ZS_VM (default: ~/.cache/zs/vm)."""

import glob
import gzip
import hashlib
import lzma
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
CACHE = os.environ.get("ZS_VM") or os.path.join(
    os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "zs", "vm")
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
TOOLS = {"mmdebstrap": "mmdebstrap", "modprobe": "kmod", "cpio": "cpio", "mke2fs": "e2fsprogs", "zstd": "zstd"}
# QEMU by Debian's name of the processor: its program, and the package of it.
QEMUS = {"amd64": ("qemu-system-x86_64", "qemu-system-x86"), "arm64": ("qemu-system-aarch64", "qemu-system-arm")}
SUITE = "trixie"
# The guest's root has these beside Debian's smallest.
PACKAGES = ("systemd systemd-sysv dbus-user-session libpam-systemd python3 iproute2 procps apparmor kmod git curl gcc "
    "libc6-dev make strace uidmap libcap2-bin attr busybox btrfs-progs xfsprogs bindfs podman crun runsc "
    "e2fsprogs").split()
# Where no maintainer script of the guest's can run here, and in a small root, the root is these packages unpacked,
# without systemd.
UNPACKED = ("bash dash coreutils grep sed mount util-linux procps iproute2 git python3-minimal libpython3-stdlib "
    "hostname tar kmod base-files base-passwd login passwd findutils mawk").split()
MODULES = ("virtio_pci", "virtio_blk", "virtio_console", "ext4", "overlay")
IMAGE_MIB = 1500


class Missing(Exception):
    """A suite or package that cannot be had: the cell is skipped, and this names it."""


def say(text):
    print("vm: " + text, file=sys.stderr, flush=True)


def run(*argv, **options):
    done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        raise Missing("%s: %s" % (" ".join(argv[:3]), done.stdout.strip()[-300:]))
    return done.stdout


def lacks(tool):
    return not shutil.which(tool, path=os.environ["PATH"] + ":/usr/sbin:/sbin")


def missing_tools():
    """The packages of the tools that this machine lacks."""
    return [package for tool, package in TOOLS.items() if lacks(tool)]


class Apt:
    """An apt of our own for one kind of processor. The machine's configuration of mirrors, proxies and keys counts here
    too; the machine's lists and packages do not change."""

    def __init__(self, processor, folder=None):
        self.processor = processor
        self.root = folder or os.path.join(CACHE, "apt-" + processor)
        self.suites = set()
        for folder in ("lists/partial", "cache/archives/partial", "etc/sources.list.d", "etc/preferences.d", "state"):
            os.makedirs(os.path.join(self.root, folder), exist_ok=True)
        open(os.path.join(self.root, "status"), "a").close()
        with open(os.path.join(self.root, "apt.conf"), "w") as file:
            file.write("""Dir::Etc "%(root)s/etc";
Dir::Etc::sourcelist "%(root)s/etc/sources.list";
Dir::Etc::sourceparts "%(root)s/etc/sources.list.d";
Dir::Etc::parts "/etc/apt/apt.conf.d";
Dir::State "%(root)s/state";
Dir::State::lists "%(root)s/lists";
Dir::State::status "%(root)s/status";
Dir::Cache "%(root)s/cache";
APT::Architecture "%(processor)s";
APT::Architectures { "%(processor)s"; };
APT::Sandbox::User "root";
Acquire::Languages "none";
Acquire::Check-Valid-Until "false";
""" % {"root": self.root, "processor": processor})
        self.env = dict(os.environ, APT_CONFIG=os.path.join(self.root, "apt.conf"))
        self.main, self.security = self.mirrors()

    def mirrors(self):
        targets = run("apt-get", "indextargets", "--format", "$(REPO_URI) $(CODENAME)")
        found = {}
        for line in targets.splitlines():
            uri, _, name = line.partition(" ")
            found.setdefault("security" if name.endswith("-security") else "" if "-" in name else name, uri)
        if "" not in found:
            raise Missing("this machine's apt names no mirror of Debian")
        return found[""], found.get("security")

    def use(self, suite):
        """Reads the list of a suite's packages."""
        mirror = self.security if suite.endswith("-security") else self.main
        if not mirror:
            raise Missing("%s: this machine's apt names no mirror of security updates" % suite)
        if suite in self.suites:
            return
        path = os.path.join(self.root, "etc", "sources.list.d", suite + ".list")
        with open(path, "w") as file:
            file.write("deb [signed-by=%s] %s %s main\n" % (KEYRING, mirror, suite))
        try:
            run("apt-get", "-qq", "update", env=self.env)
        except Missing:
            os.remove(path)
            raise
        self.suites.add(suite)

    def newest(self, suite, pattern):
        """The newest package of the suite whose name matches as a whole. A name may hold a version."""
        self.use(suite)
        names = [name for name in run("apt-cache", "pkgnames", env=self.env).split() if re.fullmatch(pattern, name)]
        names = [name for name in names if suite in run("apt-cache", "madison", name, env=self.env)]
        if not names:
            raise Missing("%s has no package %s" % (suite, pattern))
        return max(names, key=lambda name: [int(part) for part in re.findall(r"\d+", name)])

    def download(self, package, folder):
        """Unpacks the package into the folder, if there is one of this name."""
        if subprocess.run(["apt-cache", "show", package], env=self.env, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL).returncode:
            return
        archives = os.path.join(self.root, "cache", "archives")
        run("apt-get", "-qq", "download", package, env=self.env, cwd=archives)
        for deb in glob.glob(os.path.join(archives, package + "_*.deb")):
            run("dpkg-deb", "-x", deb, folder)
            os.remove(deb)


class Kernel:
    """release: as uname -r says it. folder: vmlinuz, initramfs.gz."""

    def __init__(self, apt, suite, pattern):
        image = apt.newest(suite, r"linux-image-" + pattern)
        self.release = image[len("linux-image-"):]
        self.folder = os.path.join(CACHE, "kernels", self.release)
        if not os.path.exists(os.path.join(self.folder, "done")):
            say("fetches " + image)
            shutil.rmtree(self.folder, ignore_errors=True)
            os.makedirs(self.folder)
            self.unpack(apt)
            open(os.path.join(self.folder, "done"), "w").close()
        make_initramfs(self, apt)

    def unpack(self, apt):
        # From 6.19 on the package is split.
        for kind in ("image", "base", "binary", "modules"):
            apt.download("linux-%s-%s" % (kind, self.release), self.folder)
        images = glob.glob(self.folder + "/boot/vmlinuz*") + glob.glob(self.folder + "/**/vmlinuz", recursive=True)
        if not images:
            raise Missing("%s: the package has no vmlinuz" % self.release)
        os.rename(images[0], self.folder + "/vmlinuz")
        shutil.rmtree(self.folder + "/boot", ignore_errors=True)
        if not os.path.isdir(self.folder + "/lib/modules"):
            os.makedirs(self.folder + "/lib", exist_ok=True)
            os.rename(self.folder + "/usr/lib/modules", self.folder + "/lib/modules")
        run("/usr/sbin/depmod", "-b", self.folder, self.release)

    def modules(self, names):
        """The files of these modules and of those that they need, in the order in which they are loaded."""
        paths = []
        for name in names:
            lines = run("/usr/sbin/modprobe", "-d", self.folder, "-S", self.release, "--show-depends", name)
            paths += [line.split()[1] for line in lines.splitlines() if line.startswith("insmod ")]
        return list(dict.fromkeys(paths))


def unpacked(path):
    if path.endswith(".xz"):
        return lzma.open(path).read()
    if path.endswith(".zst"):
        return subprocess.run(["zstd", "-qdc", path], stdout=subprocess.PIPE, check=True).stdout
    with open(path, "rb") as file:
        return file.read()


def busybox(apt):
    """Debian's static busybox, unpacked into the cache: where it is installed it would replace the machine's own."""
    folder = os.path.join(CACHE, "busybox-" + apt.processor)
    if not os.path.exists(folder + "/bin/busybox"):
        apt.use(SUITE)
        apt.download("busybox-static", folder)
        if os.path.exists(folder + "/usr/bin/busybox"):
            os.symlink("usr/bin", folder + "/bin")
    return folder + "/bin/busybox"


def make_initramfs(kernel, apt):
    """busybox, the modules in their order, and the guest's scripts. guest/initramfs is the first process."""
    path = os.path.join(kernel.folder, "initramfs.gz")
    scripts = [os.path.join(HERE, "guest", name) for name in ("initramfs", "init", "job")]
    if os.path.exists(path) and os.path.getmtime(path) > max(map(os.path.getmtime, scripts)):
        return
    root = os.path.join(kernel.folder, "initramfs")
    shutil.rmtree(root, ignore_errors=True)
    os.makedirs(root + "/bin")
    os.makedirs(root + "/modules")
    shutil.copy(busybox(apt), root + "/bin/busybox")
    os.makedirs(root + "/vm")
    for script, name in zip(scripts, ("init", "vm/init", "vm/job")):
        shutil.copy(script, os.path.join(root, name))
        os.chmod(os.path.join(root, name), 0o755)
    for number, module in enumerate(kernel.modules(MODULES)):
        name = os.path.basename(module).split(".ko")[0]
        with open("%s/modules/%03d-%s.ko" % (root, number, name), "wb") as file:
            file.write(unpacked(module))
    archive = subprocess.run("find . | cpio -o -H newc --quiet", shell=True, cwd=root, stdout=subprocess.PIPE,
        check=True)
    with gzip.open(path + ".part", "wb", compresslevel=1) as file:
        file.write(archive.stdout)
    os.rename(path + ".part", path)
    shutil.rmtree(root)


def root_image(apt, small=False, suite=SUITE):
    """An ext4 image of the suite with the user u (1000). Takes root, and about a minute."""
    native = not small and apt.processor == run("dpkg", "--print-architecture").strip()
    packages = ",".join(PACKAGES if native else UNPACKED)
    version = hashlib.sha256(packages.encode()).hexdigest()[:8]
    kind = os.path.join(CACHE, "%s-%s-%s-" % (suite, apt.processor, "whole" if native else "small"))
    image = kind + version + ".ext4"
    if os.path.exists(image):
        return image
    if os.geteuid() != 0:
        raise Missing("only root can make the image %s" % image)
    say("makes %s, which takes a minute" % image)
    root = image[:-len(".ext4")]
    shutil.rmtree(root, ignore_errors=True)
    run("mmdebstrap", "--variant=" + ("minbase" if native else "extract"), "--mode=root",
        "--architectures=" + apt.processor, "--aptopt=Acquire::Check-Valid-Until \"false\"",
        "--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr",
        "--include=" + packages, suite, root, apt.main, env=dict(os.environ, SOURCE_DATE_EPOCH="1700000000"))
    if native:
        run("chroot", root, "sh", "-c", "useradd -m -u 1000 -s /bin/bash u && passwd -d root")
        add_units(root)
    else:
        add_user(root)
    open(root + "/etc/fstab", "w").close()
    for folder in ("var/cache/apt", "var/lib/apt/lists", "usr/share/doc", "usr/share/locale"):
        shutil.rmtree(os.path.join(root, folder), ignore_errors=True)
    with open(image + ".part", "wb") as file:
        file.truncate(IMAGE_MIB << 20)
    run("/usr/sbin/mke2fs", "-q", "-t", "ext4", "-O", "^has_journal,^metadata_csum", "-E", "lazy_itable_init=1", "-d",
        root, image + ".part")
    for old in glob.glob(kind + "*.ext4"):
        os.remove(old)
    os.rename(image + ".part", image)
    shutil.rmtree(root)
    return image


def add_units(root):
    """The job becomes a unit; units that would keep the machine busy are switched off."""
    units = root + "/etc/systemd/system/"
    shutil.copy(os.path.join(HERE, "guest", "job.service"), units)
    os.makedirs(units + "multi-user.target.wants", exist_ok=True)
    os.symlink("../job.service", units + "multi-user.target.wants/job.service")
    for unit in ("systemd-timesyncd.service apt-daily.timer apt-daily-upgrade.timer e2scrub_all.timer fstrim.timer "
            "getty@tty1.service serial-getty@ttyS0.service dpkg-db-backup.timer").split():
        if not os.path.lexists(units + unit):
            os.symlink("/dev/null", units + unit)


def add_user(root):
    """Makes the files that the maintainer scripts would have made."""
    for folder in ("home/u", "root", "proc", "sys", "dev", "run", "tmp", "srv"):
        os.makedirs(os.path.join(root, folder), exist_ok=True)
    os.chown(root + "/home/u", 1000, 1000)
    for name, source, line in (("passwd", "passwd.master", "u:x:1000:1000::/home/u:/bin/bash\n"),
            ("group", "group.master", "u:x:1000:\n")):
        shutil.copy(os.path.join(root, "usr/share/base-passwd", source), os.path.join(root, "etc", name))
        with open(os.path.join(root, "etc", name), "a") as file:
            file.write(line)
    for link, program in (("sh", "dash"), ("awk", "mawk")):
        if not os.path.lexists(root + "/usr/bin/" + link):
            os.symlink(program, root + "/usr/bin/" + link)
