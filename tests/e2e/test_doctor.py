"""zs doctor: what it says of this machine is so."""

import json
import re

from harness import Failure, landlock_abi, main, satisfied, test

FEATURES = ["proc", "close-range", "landlock", "landlock-scopes", "no-new-privs", "seccomp", "user-namespace",
    "ipc-namespace", "network-namespace", "loopback", "process-limit", "overlay", "run-memory", "run-cpu",
    "mount-namespace", "pid-namespace", "proc-mount"]


def absent(box):
    """The kernel exempts the machine's own root from RLIMIT_NPROC, but not from a cgroup's limit."""
    with open("/proc/self/uid_map") as file:
        real = file.read().split() == ["0", "0", "4294967295"]
    exempt = box.user.is_root and real and not satisfied("pids-controller", box.user)
    memory, cpu = (satisfied(need, box.user) and box.user.is_root for need in ("memory-controller", "cgroup2"))
    return ["process-limit"] * exempt + ["run-memory"] * (not memory) + ["run-cpu"] * (not cpu)


@test(needs=["sandbox"])
def all_is_well(box):
    text = box.run_zs("doctor").expect(exit=0, stderr="").stdout
    missing = absent(box)
    if re.findall(r"^present  (\S+)$", text, re.M) != [name for name in FEATURES if name not in missing]:
        raise Failure(text)
    if re.findall(r"^missing  (\S+)$", text, re.M) != missing:
        raise Failure(text)
    if "found:     ABI %d\n" % landlock_abi() not in text or not text.endswith("can be enforced on this machine.\n"):
        raise Failure(text)
    # It speaks of the machine, not of the folder it is called in.
    box.run_zs("doctor", cwd="/").expect(exit=0, stdout=text)
    box.run_zs("doctor", cwd=box.home).expect(exit=0, stdout=text)
    box.run_zs("doctor", env={}).expect(exit=0, stdout=text)


@test(needs=["sandbox"])
def json_says_the_same(box):
    report = json.loads(box.run_zs("doctor", "--json").expect(exit=0, stderr="").stdout)
    if list(report) != ["version", "enforceable", "reason", "features"] or report["enforceable"] is not True:
        raise Failure(report)
    if [feature["name"] for feature in report["features"]] != FEATURES:
        raise Failure(report)
    for feature in report["features"]:
        if list(feature) != ["name", "present", "needed_by", "detail", "fix"]:
            raise Failure(feature)
        if feature["present"] is not (feature["name"] not in absent(box)):
            raise Failure(feature)


@test(needs=["strace", "sandbox"])
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
        result = box.run(["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + call.split(":")[0], "-e",
            "inject=" + call, box.zs, "doctor"])
        result.expect(exit=125, stdout=["missing  %s\n" % name, "    because:   ", "    to fix:    ",
            "The default policy cannot be enforced on this machine:\nzs: "])


if __name__ == "__main__":
    main()
