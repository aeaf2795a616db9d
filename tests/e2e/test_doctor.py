"""zs doctor: what it says about this machine is true."""

import json
import os
import pwd
import re

from harness import expect, golden, landlock_abi, read, remove_tree, satisfied, test
from no_namespaces import lacking, no_namespaces
from processes import injected
from settings_files import user_settings

FEATURES = ["proc", "close-range", "landlock", "landlock-scopes", "no-new-privs", "seccomp", "user-namespace",
    "ipc-namespace", "network-namespace", "loopback", "process-limit", "overlay", "run-memory", "run-cpu",
    "mount-namespace", "pid-namespace", "proc-mount", "socket-broker", "subordinate-ids"]


ENFORCED = ("\n\nThe default policy can be enforced on this machine, by private namespaces and a private root "
    "directory, with Landlock and seccomp on top.\n")
KEYS = ["version", "enforceable", "reason", "tier", "without", "features", "secrets"]


def absent(box):
    """The kernel exempts the machine's own root from RLIMIT_NPROC, but not from a cgroup's limit."""
    real = read("/proc/self/uid_map").split() == ["0", "0", "4294967295"]
    exempt = box.user.is_root and real and not satisfied("pids-controller", box.user)
    memory, cpu = (satisfied(need, box.user) and box.user.is_root for need in ("memory-controller", "cgroup2"))
    return ["process-limit"] * exempt + ["run-memory"] * (not memory) + ["run-cpu"] * (not cpu) + \
        ["subordinate-ids"] * (not has_ids(box))


def has_ids(box):
    """Root has ids of its own without a row. tests/e2e/test_users.py tries rows that say something else."""
    if box.user.is_root:
        return True
    rows = [line.split(":")[0] for name in ("uid", "gid") if os.path.exists("/etc/sub" + name)
        for line in read("/etc/sub" + name).splitlines()]
    uid = os.geteuid() if box.user.uid is None else box.user.uid
    return satisfied("newuidmap", box.user) and (rows.count(pwd.getpwuid(uid).pw_name) > 1 or rows.count(str(uid)) > 1)


@test(needs=["sandbox"])
def what_others_leave_in_tmp_changes_nothing(box):
    repository = "/tmp/zs-test-%d-%s" % (os.getpid(), box.user.is_root)
    before = set(os.listdir("/tmp"))
    os.makedirs(repository + "/.git")
    try:
        for name, text in (("HEAD", "ref: refs/heads/main\n"), ("config", "[core\n")):
            with open("%s/.git/%s" % (repository, name), "w") as file:
                file.write(text)
        done = box.run_zs("doctor").expect(exit=0)
        expect("can be enforced" in done.stdout, done)
    finally:
        remove_tree(repository)
    left = {name for name in os.listdir("/tmp") if name.startswith("zs-doctor-")} - before
    expect(not left, "left: %s" % left)


@test(needs=["sandbox"])
def all_is_well(box):
    text = box.run_zs("doctor").expect(exit=0, stderr="").stdout
    missing = absent(box)
    expect(re.findall(r"^present  (\S+)$", text, re.M) == [name for name in FEATURES if name not in missing], text)
    expect(re.findall(r"^missing  (\S+)$", text, re.M) == missing, text)
    expect(re.search(r"found:     ABI %d(;.*)?\n" % landlock_abi(), text) and text.endswith(ENFORCED), text)
    # The output is about the machine, not the folder in which it is called.
    box.run_zs("doctor", cwd="/").expect(exit=0, stdout=text)
    box.run_zs("doctor", cwd=box.home).expect(exit=0, stdout=text)
    box.run_zs("doctor", env={}).expect(exit=0, stdout=text)


@test(needs=["sandbox"])
def json_says_the_same(box):
    report = json.loads(box.run_zs("doctor", "--json").expect(exit=0, stderr="").stdout)
    expect(list(report) == KEYS and (report["enforceable"], report["tier"], report["without"]) == (True, "mounts", []),
        report)
    expect([feature["name"] for feature in report["features"]] == FEATURES, report)
    for feature in report["features"]:
        expect(list(feature) == ["name", "present", "needed_by", "detail", "fix"], feature)
        expect(feature["present"] is (feature["name"] not in absent(box)), feature)


@test(needs=["strace", "sandbox"], slow=True)
def missing_features_have_a_fix(box):
    for call, name in (
        ("landlock_create_ruleset:error=ENOSYS", "landlock"),
        ("landlock_create_ruleset:retval=2", "landlock-scopes"),
        ("close_range:error=ENOSYS", "close-range"),
        ("seccomp:error=ENOSYS", "seccomp"),
        ("unshare:error=EPERM", "user-namespace"),
        ("unshare:error=EPERM", "proc-mount"),
        ("pivot_root:error=EPERM", "mount-namespace"),
    ):
        box.run([*injected(call), box.zs, "doctor"]).expect(exit=125, stdout=["missing  %s\n" % name,
            "    because:   ", "    to fix:    ", "The default policy cannot be enforced on this machine:\nzs: "])


@test(needs=["sandbox", "userns"])
def the_cure_for_limits_is_of_this_system(box):
    """Without a running systemd the advice does not mention it."""
    for makes, booted in (("mkdir -p /run/systemd/system", True), ("true", False)):
        said = box.run(["unshare", "-Urm", "sh", "-c", "mount -t tmpfs none /run && %s && exec \"$0\" doctor" % makes,
            box.zs])
        cures = re.findall(r"^missing  run-\w+\n(?: .*\n)*?    to fix:    (.*)", said.stdout, re.M)
        expect((cures or box.user.is_root) and not any(("systemd-run" in cure) is not booted for cure in cures), said)
        # Both users are root in that namespace, and can write the file.
        expect(not any(("cgroup.subtree_control" in cure) is booted for cure in cures), said)


@test(needs=["sandbox"])
def without_namespaces(box):
    """The promises that are left, those that are missing, and the option that waives them."""
    lacks = lacking(box)
    result = box.run_zs("doctor", preexec_fn=no_namespaces).expect(exit=125, stderr="")
    last = result.stdout.split("without these protections can be enforced, by Landlock and seccomp alone:\n")[1]
    expect([line.split()[0] for line in last.split("\n\n")[0].split("\n")] == lacks, last)
    option = "    zs run --without %s -- CMD\n" % ",".join(lacks)
    expect(last.endswith(option), last)
    report = json.loads(box.run_zs("doctor", "--json", preexec_fn=no_namespaces).expect(exit=125, stderr="").stdout)
    expect((report["enforceable"], report["tier"], report["without"]) == (False, "landlock", lacks), report)
    box.run([*injected("seccomp:error=ENOSYS"), box.zs, "doctor", "--json"]).expect(exit=125,
        stdout=['"tier":null,"without":[]'])


@test(needs=["sandbox"], slow=True)
def what_is_required(box):
    """For a script that decides whether this machine gets work."""
    names = ["mount-tier", "overlay", "seccomp"]
    said = box.run_zs("doctor", "--require", "mount-tier,overlay", "--require", "seccomp").expect(exit=0, stderr="")
    expect(re.findall(r"^(\w+)  (\S+)$", said.stdout, re.M) == [("present", name) for name in names], said)
    report = json.loads(box.run_zs("doctor", "--json", "--require", "mount-tier").expect(exit=0, stderr="").stdout)
    expect(list(report) == KEYS + ["required"] and [(r["name"],
        r["present"]) for r in report["required"]] == [ ("mount-tier", True)], report)
    # A feature that is present does not hide a missing one, in any order.
    for names, missing in (("mount-tier", ["mount-tier"]), ("seccomp,mount-tier", ["mount-tier"]),
            ("pid-namespace,landlock", ["pid-namespace"]), ("overlay,mount-tier", ["overlay", "mount-tier"])):
        said = box.run_zs("doctor", "--require", names, preexec_fn=no_namespaces).expect(exit=125,
            stderr="".join("zs: doctor: %s: is required, and this machine lacks it\n" % name for name in missing))
        expect(re.findall(r"^missing  (\S+)$", said.stdout, re.M) == missing and "    because:   " in said.stdout, said)
        report = json.loads(box.run_zs("doctor", "--json", "--require", names, preexec_fn=no_namespaces)
            .expect(exit=125).stdout)
        expect([item["name"] for item in report["required"] if not item["present"]] == missing, report)
    # All parts of a tier are present, and still the tier does not start.
    box.run_zs("doctor", "--require", "mount-tier", env={"PATH": box.work}).expect(exit=125,
        stdout=["missing  mount-tier", "because:   'true' did not run under the default policy: exit code 127"])
    # The default policy cannot be enforced there; this part of it can.
    box.run_zs("doctor", "--require", "seccomp,landlock", preexec_fn=no_namespaces).expect(exit=0, stderr="")


@test(once=True, needs=["linux"])
def what_cannot_be_required(box):
    for names in ("", ",", "mount-tier,", ",mount-tier", "mount", "mount-tier2", "MOUNT-TIER", "mount-tier, overlay"):
        box.run_zs("doctor", "--require", names).expect(exit=64, stdout="",
            stderr=["is neither mount-tier nor a feature that 'zs doctor' prints"])
    box.run_zs("doctor", "--require", ",".join(["proc"] * 32)).expect(exit=0, stderr="")
    box.run_zs("doctor", "--require", ",".join(["proc"] * 33)).expect(exit=64, stderr=["more than 32 names"])


@test(needs=["linux"])
def apparmor_profile(box):
    """The profile names this program's path, in which no character is a pattern."""
    profile = box.run_zs("doctor", "--apparmor").expect(stderr="").stdout
    golden("apparmor.txt", profile.replace(box.zs, "/usr/bin/zs"))
    for name, want in (("a b", "a b"), ('q"u', r'q\"u'), ("[x]*{y,z}?", r"\[x\]\*\{y\,z\}\?"), ("b\\s", r"b\\s")):
        odd = box.folder(name) + "/zs"
        box.run(["cp", box.zs, odd]).expect()
        box.run([odd, "doctor", "--apparmor"]).expect(stdout=['profile zs "%s/%s/zs" flags' % (box.root, want)])
    odd = box.folder("new\nline") + "/zs"
    box.run(["cp", box.zs, odd]).expect()
    box.run([odd, "doctor", "--apparmor"]).expect(exit=125, stdout="", stderr=["cannot contain this path"])


@test(needs=["apparmor-parser"])
def apparmors_parser_takes_the_profile(box):
    """A parser before version 4.0 does not know the profile's ABI and its userns rule, so only the rest is parsed.
    Machines with such a parser restrict no namespaces."""
    def parse(profile):
        return box.run(["apparmor_parser", "--skip-kernel-load", "--skip-cache", box.file("profile", profile)])

    for name in ("zs", "a b", 'q"u', "[x]*{y,z}?", "b\\s", "h#h", "@{HOME}", "$v", "x'y", "a^b", "\u00fc"):
        odd = box.folder("odd/" + name) + "/zs"
        box.run(["cp", box.zs, odd]).expect()
        profile = box.run([odd, "doctor", "--apparmor"]).expect().stdout.encode("latin-1").decode()
        said = parse(profile)
        if said.exit != 0 and "Could not open 'abi/4.0'" in said.stderr:
            profile = profile.replace("abi <abi/4.0>,\n", "").replace("  userns,\n", "")
            said = parse(profile)
        said.expect(exit=0)
        expect(parse(profile.replace('/zs" flags', "/zs flags")).exit != 0 and parse(profile[:-2]).exit != 0,
            "control: it takes everything")


@test(needs=["userns", "sandbox"])
def apparmor_is_explained(box):
    """As on Ubuntu: Ubuntu's setting takes the place of the kernel's, and no user namespace can be made."""
    setting = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns"
    script = ("mount -t tmpfs none /proc/sys/kernel && echo 1 >%s && echo 0 >/proc/sys/user/max_user_namespaces &&"
        ' exec "$0" doctor') % setting
    result = box.run(["unshare", "-Urm", "sh", "-c", script, box.zs])
    result.expect(exit=125, stdout=["because:   forbidden by %s = 1" % setting,
        "to fix:    load the profile that 'zs doctor --apparmor' prints, or sysctl -w ", '\nprofile zs "%s"' % box.zs,
        "  userns,\n", "zs run --without protect,"])


@test(needs=["sandbox"])
def secrets_in_start_files(box):
    """Names file, line and variable, but never the value."""
    box.file("home/.bashrc", "PS1='$ '\nexport PATH=$PATH:~/bin\n# export OLD_TOKEN=abcdefgh1\nexport A=1 GITHUB_TOKEN="
        "\"ghp_VALUEVALUE\"\nexport API_KEY=$(pass show x) OTHER_KEY=$HOME/key KEYTIMEOUT=100000\n")
    box.file("home/.zshenv", "aws_secret_access_key='wJalr$VALUE'\n")
    box.file("home/.netrc", "password=VALUEVALUE\nTOKEN=VALUEVALUE\n")
    box.file("home/.zlogin", "TOKEN=VALUEVALUE\n")
    found = [(box.home + "/.bashrc", 3, "OLD_TOKEN"), (box.home + "/.bashrc", 4, "GITHUB_TOKEN"),
        (box.home + "/.zshenv", 1, "aws_secret_access_key")]

    def check(found):
        text = box.run_zs("doctor").expect(exit=0, stderr="").stdout
        expect(re.findall(r"^warning  (\S+):(\d+): (\S+)$", text, re.M) == [(f, str(n), name) for f, n, name in found],
            text)
        expect(("to fix:    move the values into another file" in text) is bool(found), text)
        line = box.run_zs("doctor", "--json").expect(exit=0, stderr="").stdout
        expect([(item["file"], item["line"], item["name"]) for item in json.loads(line)["secrets"]] == found, line)
        expect("VALUE" not in text and "VALUE" not in line and "abcdefgh1" not in text, "a value is shown")

    check(found)
    # A file that a command may not read is not reported.
    user_settings(box, {"hide": ["~/.zshenv"]})
    box.denied("cat ~/.zshenv")
    check(found[:2])
    user_settings(box, {"additional_read_only_paths": ["~/.zlogin"]})
    box.granted("cat ~/.zlogin")
    check(found + [(box.home + "/.zlogin", 1, "TOKEN")])
    user_settings(box, {})
    # Odd files: zs waits for none of them, and follows links.
    os.remove(box.home + "/.bashrc")
    os.mkfifo(box.home + "/.bashrc")
    check(found[2:])
    os.remove(box.home + "/.bashrc")
    os.symlink(".zshenv", box.home + "/.bashrc")
    check([(box.home + "/.bashrc", 1, "aws_secret_access_key")] + found[2:])
    user_settings(box, "{")
    result = box.run_zs("doctor")
    expect("settings.json: line 1: " in result.stderr and "warning" not in result.stdout, result)
