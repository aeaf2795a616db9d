"""The cells: a kernel, a setting of the machine, and what has to hold there. Data only.

A kernel is a suite of Debian's and a pattern of the package's name behind "linux-image-"; the newest that matches is
taken, since old versions vanish. The guest checks its Landlock ABI.

HOLDS: zs runs with all promises, and each is tried. REFUSES: zs run ends with 125 before it runs anything, and the
message has the cell's word. One expectation for both users, or one each.

setting: bash that root runs before, and whose output is a fault; guest/job has functions for it. append: more of the
kernel's command line. modules: modules of the kernel that the setting needs. extra: scripts of guest/ with more checks,
for both users or for one ("root:limits"). lacks: promises that zs must refuse to run with, with 125, while it keeps all
others. controls: the project's own tests (ATTACKS, UNITS: guest/attacks, guest/units) whose controls, acts without zs,
work there. cure: afterwards the guest follows the advice of zs doctor, and then zs has to run. abi: what the command
finds, where it is not the kernel's."""

import collections

Kernel = collections.namedtuple("Kernel", "suite pattern abi processor", defaults=("amd64",))
Cell = collections.namedtuple("Cell", "name kernel setting root user word append modules extra lacks controls cure abi")

HOLDS, REFUSES = "holds", "refuses"
ATTACKS, UNITS = "attacks", "units"

KERNELS = {
    "5.10": Kernel("bullseye-security", r"5\.10\.0-\d+-cloud-amd64", -1),
    "6.1": Kernel("bookworm-security", r"6\.1\.0-\d+-cloud-amd64", 2),
    "6.12": Kernel("trixie", r"6\.12\.\d+\+deb13-cloud-amd64", 6),
    "6.12 arm64": Kernel("trixie", r"6\.12\.\d+\+deb13-cloud-arm64", 6, "arm64"),
    "6.16": Kernel("trixie-backports", r"6\.16\.\d+\+deb13-cloud-amd64", 7),
    "7.2": Kernel("trixie-backports", r"7\.2\.\d+\+deb13-cloud-amd64", 10),
    "newest": Kernel("trixie-backports", r"\d+\.\d+\.\d+\+deb13-cloud-amd64", None),
}


def cell(name, kernel, root, user=None, setting="", word="", append="", modules=(), extra=(), lacks=(),
        controls=(ATTACKS, UNITS), cure=False, abi=None):
    abi = KERNELS[kernel].abi if abi is None else abi
    return Cell(name, kernel, setting, root, user or root, word, append, modules, extra, lacks, controls, cure, abi)


SYSTEMD = """
loginctl enable-linger u
for try in {1..100}; do [ -S /run/user/1000/systemd/private ] && break; sleep 0.2; done
"""

# Commands are started in this profile. It allows all but the rules that a cell leaves out.
JAIL = """
cat >/tmp/jail <<'P'
abi <abi/4.0>,
profile jail flags=(attach_disconnected, mediate_deleted) {
  /** rwlkm,
  /** pix,
  network, remount, umount, pivot_root, signal, ptrace, unix, mqueue, io_uring, change_profile,
  %s
}
P
apparmor_parser --replace --skip-cache /tmp/jail || echo "BAD the profile is not loaded"
WRAP="aa-exec -p jail --"
"""
NO_USERNS, NO_CAPABILITY, NO_MOUNT = "capability, mount,", "userns, mount,", "capability, userns, deny mount,"
OUR_PROFILE = """
zs doctor --apparmor >/tmp/zs.profile
apparmor_parser --replace --skip-cache /tmp/zs.profile || echo "BAD our profile is not loaded"
"""

# Commands are started in a container of podman's; its root is the guest's.
CONTAINER = """
mkdir -p /srv/tree && mount --bind / /srv/tree || echo "BAD no tree"
cat >/usr/local/bin/in-container <<'S'
#!/bin/bash
export XDG_RUNTIME_DIR=/tmp/runtime-$USER
mkdir -p $XDG_RUNTIME_DIR
exec podman --cgroup-manager=cgroupfs run --quiet --rm --network=none --cgroups=disabled %s --workdir="$PWD" \\
	--env=HOME --env=USER --env=PATH --env=LANG --rootfs /srv/tree "$@"
S
chmod 755 /usr/local/bin/in-container
WRAP=in-container
"""

# Commands are started in gVisor, on the guest's root.
GVISOR = """
cat >/usr/local/bin/in-gvisor <<'S'
#!/bin/bash
[ "$USER" = root ] || rootless=--rootless
exec runsc $rootless --ignore-cgroups --network=none --platform=ptrace do "$@"
S
chmod 755 /usr/local/bin/in-gvisor
WRAP=in-gvisor
"""

CELLS = [
    cell("no Landlock", "5.10", REFUSES, word="Landlock"),
    cell("an old Landlock", "6.1", REFUSES, word="Landlock"),
    cell("the oldest that works", "6.12", HOLDS),
    cell("aarch64", "6.12 arm64", HOLDS),
    cell("the unit tests", "6.12", HOLDS, extra=("root:units",)),
    cell("the unit tests, by a user", "6.12", HOLDS, extra=("user:units",)),
    cell("the unit tests, on aarch64", "6.12 arm64", HOLDS, extra=("root:units",)),
    cell("the unit tests, on the newest", "newest", HOLDS, extra=("root:units",)),
    cell("each call that seccomp refuses", "6.12", HOLDS, extra=("root:calls",)),
    cell("each call that seccomp refuses, on aarch64", "6.12 arm64", HOLDS, extra=("root:calls",)),
    cell("a sample of injection", "6.12", HOLDS, extra=("root:inject",)),
    cell("Landlock alone, on the newest", "newest", HOLDS, extra=("tier",)),
    cell("6.16", "6.16", HOLDS),
    cell("7.2", "7.2", HOLDS),
    cell("the newest", "newest", HOLDS),
    cell("Landlock is switched off", "6.12", REFUSES, word="Landlock", append="lsm=lockdown,yama,apparmor",
        abi=-1),
    cell("no security module but Landlock", "6.12", HOLDS, append="lsm=landlock"),
    cell("no user namespaces", "6.12", REFUSES, setting="sysctl -q user.max_user_namespaces=0",
        word="/proc/sys/user/max_user_namespaces = 0", cure=True),
    cell("user namespaces for root alone", "6.12", HOLDS, REFUSES,
        setting="sysctl -q kernel.unprivileged_userns_clone=0", word="unprivileged_userns_clone", cure=True),
    cell("no mount namespaces", "6.12", REFUSES, setting="sysctl -q user.max_mnt_namespaces=0",
        word="max_mnt_namespaces", cure=True),
    cell("no network namespaces", "6.12", REFUSES, setting="sysctl -q user.max_net_namespaces=0",
        word="max_net_namespaces", cure=True),
    cell("no pid namespaces", "6.12", REFUSES, setting="sysctl -q user.max_pid_namespaces=0",
        word="max_pid_namespaces", cure=True),
    cell("no ipc namespaces", "6.12", REFUSES, setting="sysctl -q user.max_ipc_namespaces=0",
        word="max_ipc_namespaces", cure=True),
    cell("AppArmor denies user namespaces", "6.12", REFUSES, setting=JAIL % NO_USERNS, word="AppArmor"),
    # The tests make user namespaces too, and start zs by another path than the profile's.
    cell("AppArmor denies user namespaces; our profile is loaded", "6.12", HOLDS,
        setting=JAIL % NO_USERNS + OUR_PROFILE, controls=()),
    cell("AppArmor denies capabilities", "6.12", REFUSES, setting=JAIL % NO_CAPABILITY, word="AppArmor"),
    cell("AppArmor denies mounts", "6.12", REFUSES, setting=JAIL % NO_MOUNT, word="AppArmor"),
    cell("AppArmor denies mounts, and files without a path", "6.12", REFUSES, word="AppArmor",
        setting=(JAIL % NO_MOUNT).replace("attach_disconnected, ", "")),
    cell("a container of podman's", "6.12", REFUSES, setting=CONTAINER % "", word="security-opt"),
    # Its root lacks capabilities that some unit tests take for granted; yama 2 and 3 forbid the controls of ptrace(2).
    cell("a container with seccomp, AppArmor and /proc as zs says", "6.12", HOLDS, setting=CONTAINER %
        "--security-opt=seccomp=unconfined --security-opt=apparmor=unconfined --security-opt=unmask=ALL",
        controls=(ATTACKS,)),
    cell("gVisor", "6.12", REFUSES, setting=GVISOR, word="close-range", abi=-1),
    cell("yama 0", "6.12", HOLDS, setting="sysctl -q kernel.yama.ptrace_scope=0"),
    cell("yama 1", "6.12", HOLDS, setting="sysctl -q kernel.yama.ptrace_scope=1"),
    cell("yama 2", "6.12", HOLDS, setting="sysctl -q kernel.yama.ptrace_scope=2", controls=(ATTACKS,)),
    cell("yama 3", "6.12", HOLDS, setting="sysctl -q kernel.yama.ptrace_scope=3", extra=("yama",),
        controls=(ATTACKS,)),
    cell("hidepid=2", "6.12", HOLDS, setting="mount -o remount,hidepid=2 /proc"),
    cell("lockdown", "6.12", HOLDS, append="lockdown=confidentiality",
        setting="grep -qF '[confidentiality]' /sys/kernel/security/lockdown || echo no lockdown"),
    cell("no cgroups", "6.12", HOLDS, append="vm.nocgroup"),
    cell("cgroup 2 with controllers", "6.12", HOLDS, extra=("root:limits",),
        setting="echo '+memory +pids' >/sys/fs/cgroup/cgroup.subtree_control"),
    cell("the tests of limits, by cgroup 2", "6.12", HOLDS, extra=("root:cgroups",),
        # A test reserves more than the guest has.
        setting="echo '+memory +pids' >/sys/fs/cgroup/cgroup.subtree_control; sysctl -q vm.overcommit_memory=1"),
    cell("programs of 32 bits", "6.12", HOLDS, extra=("bits32",)),
    # The unit tests start programs in /tmp.
    cell("/tmp without exec", "6.12", HOLDS,
        setting="mount -o remount,nosuid,noexec,nodev /tmp; mount -o remount,nosuid,nodev,noexec /dev/shm",
        controls=(ATTACKS,)),
    cell("no /dev/shm", "6.12", HOLDS, setting="umount /dev/shm; rmdir /dev/shm"),
    cell("no IPv6", "6.12", HOLDS, append="ipv6.disable=1",
        setting="[ ! -e /proc/net/if_inet6 ] || echo there is IPv6"),
    # Some unit tests are of overlays.
    cell("no overlayfs", "6.12", HOLDS, append="vm.nooverlay", lacks=("overlay", "apply"), controls=(ATTACKS,)),
    cell("the root is the initramfs", "6.12", REFUSES, append="vm.initramfs", word="initramfs"),
    cell("a read-only root", "6.12", HOLDS, setting="""
for home in /root /home/u; do
	cp -a $home /tmp/kept; mount -t tmpfs none $home; cp -a /tmp/kept/. $home/; rm -rf /tmp/kept
	chown --reference=$home/project $home
done
mount -o remount,ro /"""),
    cell("btrfs as workspace", "6.12", HOLDS, setting="workspace btrfs", modules=("loop", "btrfs")),
    cell("attacks by features of btrfs", "6.12", HOLDS, modules=("loop", "btrfs"), extra=("root:btrfs",)),
    cell("XFS as workspace", "6.12", HOLDS, setting="workspace xfs", modules=("loop", "xfs")),
    cell("tmpfs as workspace", "6.12", HOLDS, setting="workspace tmpfs"),
    # Neither has whiteouts and id-mapped mounts. In bindfs a hard link to a socket leads nowhere.
    cell("overlayfs as workspace", "6.12", HOLDS, setting="workspace overlay", controls=()),
    cell("FUSE as workspace", "6.12", HOLDS, setting="workspace fuse", modules=("fuse",), controls=()),
    cell("systemd", "6.12", HOLDS, append="vm.systemd", setting=SYSTEMD, extra=("limits",)),
    cell("systemd delegates nothing", "6.12", HOLDS, append="vm.systemd", setting=SYSTEMD + "DELEGATE=no"),
    cell("a scope of systemd", "6.12", HOLDS, append="vm.systemd", setting=SYSTEMD + "SCOPE=yes",
        extra=("user:limits",)),
]
