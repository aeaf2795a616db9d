"""The cells: a kernel, a setting of the machine, and what has to hold there. Data only.

A kernel is a suite of Debian's and a pattern of the package's name behind "linux-image-"; the newest that matches is
taken, since old versions vanish. The guest checks its Landlock ABI.

HOLDS: zs runs with all promises, and each is tried. REFUSES: zs run ends with 125 before it runs anything, and the
message has the cell's word. One word for both users, or one each."""

import collections

Kernel = collections.namedtuple("Kernel", "suite pattern abi")
Cell = collections.namedtuple("Cell", "name kernel setting root user word append")

HOLDS, REFUSES = "holds", "refuses"

KERNELS = {
    "5.10": Kernel("bullseye-security", r"5\.10\.0-\d+-cloud-amd64", -1),
    "6.1": Kernel("bookworm-security", r"6\.1\.0-\d+-cloud-amd64", 2),
    "6.12": Kernel("trixie", r"6\.12\.\d+\+deb13-cloud-amd64", 6),
    "newest": Kernel("trixie-backports", r"\d+\.\d+\.\d+\+deb13-cloud-amd64", None),
}


def cell(name, kernel, root, user=None, setting="", word="", append=""):
    return Cell(name, kernel, setting, root, user or root, word, append)


CELLS = [
    cell("no Landlock", "5.10", REFUSES, word="Landlock"),
    cell("an old Landlock", "6.1", REFUSES, word="Landlock"),
    cell("the oldest that works", "6.12", HOLDS),
    cell("the newest", "newest", HOLDS),
    cell("Landlock is switched off", "6.12", REFUSES, word="Landlock", append="lsm=lockdown,yama,apparmor"),
    cell("no user namespaces", "6.12", REFUSES, setting="sysctl -q user.max_user_namespaces=0",
        word="/proc/sys/user/max_user_namespaces = 0"),
    cell("user namespaces for root alone", "6.12", HOLDS, REFUSES,
        setting="sysctl -q kernel.unprivileged_userns_clone=0", word="unprivileged_userns_clone"),
    cell("no mount namespaces", "6.12", REFUSES, setting="sysctl -q user.max_mnt_namespaces=0",
        word="max_mnt_namespaces"),
    cell("no network namespaces", "6.12", REFUSES, setting="sysctl -q user.max_net_namespaces=0",
        word="max_net_namespaces"),
    cell("no pid namespaces", "6.12", REFUSES, setting="sysctl -q user.max_pid_namespaces=0",
        word="max_pid_namespaces"),
    cell("yama 0", "6.12", HOLDS, setting="sysctl -q kernel.yama.ptrace_scope=0"),
    cell("yama 3", "6.12", HOLDS, setting="sysctl -q kernel.yama.ptrace_scope=3"),
    cell("hidepid=2", "6.12", HOLDS, setting="mount -o remount,hidepid=2 /proc"),
    cell("lockdown", "6.12", HOLDS, append="lockdown=confidentiality"),
    cell("no cgroups", "6.12", HOLDS, append="vm.nocgroup"),
    cell("cgroup 2 with controllers", "6.12", HOLDS,
        setting="echo '+memory +pids' >/sys/fs/cgroup/cgroup.subtree_control"),
    cell("/tmp without exec", "6.12", HOLDS,
        setting="mount -o remount,nosuid,noexec,nodev /tmp; mount -o remount,nosuid,nodev,noexec /dev/shm"),
    cell("no /dev/shm", "6.12", HOLDS, setting="umount /dev/shm; rmdir /dev/shm"),
    cell("no IPv6", "6.12", HOLDS, append="ipv6.disable=1"),
    cell("a read-only root", "6.12", HOLDS, setting="""
for home in /root /home/u; do
	cp -a $home /tmp/kept; mount -t tmpfs none $home; cp -a /tmp/kept/. $home/; rm -rf /tmp/kept
	chown --reference=$home/project $home
done
mount -o remount,ro /"""),
    cell("systemd", "6.12", HOLDS, append="vm.systemd", setting="""
loginctl enable-linger u
for try in {1..100}; do [ -S /run/user/1000/systemd/private ] && break; sleep 0.2; done"""),
]
