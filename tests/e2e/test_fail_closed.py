"""If a wall cannot be enforced, the command does not run: exit 125, one line with the reason, and no trace of the
command."""

import json
import os
import re

from harness import PATH, Environment, expect, read, test
from no_namespaces import no_namespaces
from processes import injected

MARKER = "zs-sandbox-shim"
VARIABLE = "ZS_SANDBOX_POLICY"


def trace(box):
    """A file that the command makes, and shell text that makes it."""
    path = box.work + "/ran"
    return path, "echo ran >%s" % path


def must_not_have_run(result, path, stderr=None):
    result.expect(exit=125, stdout="", stderr=stderr)
    expect(not os.path.exists(path), "it ran: %s" % result)
    expect(re.fullmatch(r"zs: [^\n]+\n", result.stderr), "stderr is not one line of zs: %s" % result)


def shim(box, variables, argv=None):
    """Starts zs by its marker, as a caller without zs_wrap() would."""
    path, script = trace(box)
    env = Environment([("PATH", PATH), *variables])
    return path, box.run([MARKER, *(["sh", "-c", script] if argv is None else argv)], executable=box.zs, env=env)


def policy(box, **more):
    """The policy as zs_wrap() would pass it: every path is its real path."""
    system = {os.path.realpath(p) for p in ("/usr", "/bin", "/lib", "/lib64") if os.path.exists(p)}
    return json.dumps(dict({
        "version": 1,
        "workspace": {"root": box.work, "access": "write"},
        "paths": [{"path": path, "access": "exec"} for path in sorted(system)],
        "network": "none",
        "env": {"pass": ["PATH"], "set": {}},
    }, **more))


@test(needs=["sandbox"])
def the_marker_with_one_good_policy_runs(box):
    """The control of all tests that follow."""
    path, result = shim(box, [(VARIABLE, policy(box))])
    result.expect(exit=0, stdout="", stderr="")
    expect(os.path.exists(path), "it did not run: %s" % result)


@test(needs=["linux"])
def policy_variable_missing_or_twice(box):
    good = policy(box)
    wide = policy(box, network="full")
    for variables, stderr in (
        ([], ["zs: shim: ZS_SANDBOX_POLICY: is missing"]),
        ([(VARIABLE + "2", good)], ["is missing"]),
        ([(VARIABLE, good), (VARIABLE, good)], ["zs: shim: ZS_SANDBOX_POLICY: is there twice"]),
        ([(VARIABLE, good), ("A", "b"), (VARIABLE, wide)], ["is there twice"]),
        ([(VARIABLE, wide), (VARIABLE, "")], ["is there twice"]),
    ):
        path, result = shim(box, variables)
        must_not_have_run(result, path, stderr)


@test(needs=["linux"])
def policy_variable_is_garbage(box):
    good = policy(box)
    for text in (
        "",
        " ",
        "x",
        "null",
        "1",
        "[]",
        "{}",
        good[:-1],
        good[: len(good) // 2],
        good + "x",
        good + good,
        good.replace('"version": 1', '"version": 2'),
        good.replace('"version": 1', '"version": "1"'),
        good.replace('"version": 1', '"version": 1, "version": 1'),
        good.replace('"network"', '"netwerk"'),
        good.replace('"none"', '"nil"'),
        good.replace('"write"', '"everything"'),
        good.replace('"/usr"', '"usr"'),
        good.replace('"/usr"', '"/usr/.."'),
        good.replace('"/usr"', '"~/usr"'),
        good.replace('"/usr"', '"/us\\u0000r"'),
        good.replace('"/usr"', '"/usr\udcff"'),  # a lone 0xff in the environment
        good.replace('["PATH"]', '["LD_PRELOAD"]'),
        policy(box, paths=[{"path": "/usr/%d" % i, "access": "exec"} for i in range(1100)]),
        policy(box, env={"pass": [], "set": {"A": "x" * 40000}}),
        "[" * 20000,
    ):
        path, result = shim(box, [(VARIABLE, text)])
        must_not_have_run(result, path, ["zs: "])


@test(needs=["linux"])
def marker_without_a_command(box):
    path, result = shim(box, [(VARIABLE, policy(box))], argv=[])
    must_not_have_run(result, path, ["zs: shim: ", "no command"])


@test(needs=["sandbox"])
def marker_with_options_of_zs(box):
    """The marker's words are a command, never options."""
    for argv, exit in ((["run", "true"], 127), (["--help"], 127), (["--", "true"], 127)):
        _, result = shim(box, [(VARIABLE, policy(box))], argv=argv)
        result.expect(exit=exit, stdout="", stderr=["zs: exec: " + argv[0]])


@test(needs=["sandbox"])
def policy_names_what_is_gone(box):
    """After zs_wrap() has resolved the policy, its workspace is removed, or is a link to another place."""
    moved = box.work + "-moved"
    for change in (lambda: os.rename(box.work, moved), lambda: os.symlink(moved, box.work)):
        change()
        env = Environment([("PATH", PATH), (VARIABLE, policy(box))])
        result = box.run([MARKER, "sh", "-c", "echo ran >%s/ran" % moved], executable=box.zs, env=env, cwd="/")
        must_not_have_run(result, moved + "/ran", [box.work])


@test(needs=["userns", "sandbox"])
def no_user_namespaces(box):
    path, script = trace(box)
    limit = "echo 0 >/proc/sys/user/max_user_namespaces || exit 99; exec \"$@\""
    nested = ["unshare", "-Ur", "sh", "-c", limit, "sh", box.zs]
    result = box.run([*nested, "run", "--", "sh", "-c", script])
    must_not_have_run(result, path, ["user"])
    box.run([*nested, "doctor"]).expect(exit=125, stdout=["missing  user-namespace", "to fix:", "cannot be enforced"])


# ---------------------------------------------------------------------------- system calls that fail, one by one


def strace(box, trace_and_inject, program, script):
    """Runs under strace, which writes the box's file `trace`. A program that PATH finds keeps its name as argv[0], so
    the marker is found by PATH."""
    options = ["-o", box.root + "/trace", *(word for option in trace_and_inject for word in ("-e", option))]
    box.file("trace")
    env = {"PATH": box.bin + ":" + PATH, VARIABLE: policy(box)}
    return box.run(["strace", "-f", "-qq", *options, *program, "sh", "-c", script], env=env)


def with_marker_in_path(box):
    box.bin = box.folder("bin")
    os.symlink(box.zs, box.bin + "/" + MARKER)


@test(needs=["strace", "sandbox"])
def old_or_no_landlock(box):
    """tests/sandbox/test_inject.c tests Landlock versions that are new enough: strace would answer each call with the
    same number."""
    with_marker_in_path(box)
    path, script = trace(box)
    for program in ([box.zs, "run", "--"], [MARKER]):
        for outcome in ("error=ENOSYS", "error=EOPNOTSUPP", "retval=1", "retval=2"):
            injected = ["trace=landlock_create_ruleset", "inject=landlock_create_ruleset:" + outcome]
            must_not_have_run(strace(box, injected, program, script), path, ["andlock"])
    for outcome in ("retval=3", "retval=5"):
        injected = ["trace=landlock_create_ruleset", "inject=landlock_create_ruleset:" + outcome]
        program = [box.zs, "run", "--net", "full", "--"]
        must_not_have_run(strace(box, injected, program, script), path, ["network: full: needs landlock-scopes"])


# Calls that a run needs. clone3(2) is not among them, since it is only the faster way into a cgroup.
NEEDED = ("fsopen", "fsconfig", "fsmount", "open_tree", "move_mount", "mount_setattr", "openat2", "close_range",
    "pidfd_open", "statx", "landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self", "seccomp")


@test(needs=["strace", "sandbox"])
def an_older_kernel(box):
    """A call that the kernel lacks fails each time. The message names the missing feature, and the kernel that has it
    or 'zs doctor'."""
    with_marker_in_path(box)
    box.folder("home/project/kept")
    path, script = trace(box)
    line = re.compile(r"\Azs: [a-z]+: .*not implemented; .*(use Linux 6\.2 or newer|see 'zs doctor')", re.I)
    zs = [box.zs, "run", "--protect", "kept", *(["--limit", "cpu=50s"] if box.user.is_root else []), "--"]
    for name in NEEDED:
        for program in (zs, [MARKER]) if name != "statx" else (zs,): # zs run calls statx on protected paths
            injected = ["trace=" + name, "inject=%s:error=ENOSYS" % name]
            must_not_have_run(strace(box, injected, program, script), path, line)
    injected = ["trace=clone3", "inject=clone3:error=ENOSYS"]
    strace(box, injected, zs, "echo x >kept/x || echo held").expect(stdout="held\n")


@test(needs=["strace", "sandbox"], slow=True)
def a_refusal_names_what_lacks(box):
    """strace simulates the answers of other kernels. The message names the missing feature, and the cure for this
    feature alone."""
    rows = (
        # Linux 5.10: mounts fail first, and Landlock is missing too.
        ("mount_setattr,landlock_create_ruleset:error=ENOSYS",
            ["paths: needs landlock", "use Linux 6.2 or newer with CONFIG_SECURITY_LANDLOCK=y"], ["--without"]),
        ("mount_setattr:error=ENOSYS", ["needs mount-namespace", "use Linux 6.2 or newer"], ["6.12"]),
        # An initramfs.
        ("pivot_root:error=EINVAL", ["needs mount-namespace", "initramfs", "switch_root"], ["user namespaces"]),
        ("landlock_create_ruleset:retval=2", ["ABI 3 is needed", "use Linux 6.2 or newer"], ["6.12"]),
        # The kernel parameter lsm= leaves Landlock out.
        ("landlock_create_ruleset:error=EOPNOTSUPP", ["switched off", "add landlock to the kernel parameter lsm="],
            ["use Linux"]),
    )
    for call, said, unsaid in rows:
        for program in (["run", "--", "true"], ["doctor"]):
            result = box.run([*injected(call), box.zs, *program]).expect(exit=125)
            text = result.stderr if program[0] == "run" else result.stdout.split("cannot be enforced")[1]
            expect(all(word in text for word in said) and
                not any(word in text.split("Without these")[0] for word in unsaid), "%s: %s" % (call, result))


@test(needs=["sandbox", "userns"])
def a_limit_of_namespaces_is_named(box):
    """In a user namespace whose limits allow no further namespaces."""
    for kind in ("net", "pid", "mnt", "ipc"):
        limit = "/proc/sys/user/max_%s_namespaces" % kind
        script = "echo 0 >%s && exec \"$0\" \"$@\"" % limit
        for program in (["run", "--", "true"], ["doctor"]):
            result = box.run(["unshare", "-Ur", "sh", "-c", script, box.zs, *program]).expect(exit=125)
            expect(limit in result.stdout + result.stderr and
                "sysctl -w user.max_%s_names" % kind in (result.stdout + result.stderr), result)


@test(needs=["strace", "sandbox"])
def sockets_are_kept_without_namespaces_by_a_newer_landlock(box):
    """From ABI 9 on, which strace simulates, the promise about sockets need not be waived."""
    path = box.file("outside/socket", "")
    for abi, kept in ((8, False), (9, True)):
        result = box.run([*injected("landlock_create_ruleset:retval=%d" % abi), box.zs, "run", "--socket", path, "--",
            "true"], preexec_fn=no_namespaces).expect(exit=125, stderr=["zs: sandbox: protect"])
        expect(("sockets" in result.stderr) is not kept, result)


# Calls that may fail without any effect on the walls: calls that start the C library, allocate memory (it has more than
# one way) and free it, and fcntl(2), which repeats the work of O_CLOEXEC and asks which of 0 to 2 are open. fork(3)
# makes rt_sigprocmask and gettid. geteuid and getpid cannot fail, and a process that is told that it is not root gets
# fewer rights. sched_getattr, sched_setattr and setsid only serve to get a processor sooner. The supervisor and the
# watch wait by the other calls, after all is set up.
HARMLESS = {"arch_prctl", "set_tid_address", "brk", "mmap", "munmap", "close", "fcntl", "rt_sigprocmask", "gettid",
    "geteuid", "getpid", "setsid", "poll", "wait4", "rt_sigtimedwait", "sched_getattr", "sched_setattr"}
# Every run makes at least these calls, or the test shows nothing.
ENFORCING = {"close_range", "unshare", "capset", "prctl", "landlock_create_ruleset", "landlock_add_rule",
    "landlock_restrict_self", "seccomp", "fsopen", "fsmount", "open_tree", "move_mount", "mount_setattr",
    "pivot_root", "chroot", "umount2", "pidfd_open", "signalfd4"}


@test(needs=["strace", "sandbox"], slow=True)
def each_call_of_the_shim_fails(box):
    """Each system call between the shim's start and the command's fails in turn, in a run of its own."""
    with_marker_in_path(box)
    path, script = trace(box)
    strace(box, ["trace=all"], [MARKER], script).expect(exit=0)
    os.remove(path)
    lines = re.findall(r"^(\d+) +(\w+)\((.*)", read(box.root + "/trace"), re.M)
    calls = [(pid, name) for pid, name, _ in lines]
    names = [name for _, name in calls]
    calls = calls[1 : names.index("execve", 1)]
    expect(ENFORCING <= set(names), "never called: %s" % (ENFORCING - set(names)))
    # strace counts calls for each process. Calls are left out that only remove journals of killed starts, that ask for
    # the terminal, beside which the command stays in the caller's session, or that look for the command in PATH (F_OK).
    turns = {(name, calls[: i + 1].count((pid, name))) for i, (pid, name) in enumerate(calls)
        if not any(words in lines[1 + i][2] for words in ('"new-run-', '"/dev/tty"', ', F_OK'))}
    for name, turn in sorted(turns):
        if name in HARMLESS:
            continue
        # EPERM would tell zs that Landlock is in effect, so kill(2) fails with another error.
        injected = "inject=%s:error=%s:when=%d" % (name, "ESRCH" if name == "kill" else "EPERM", turn)
        result = strace(box, ["trace=" + name, injected], [MARKER], script)
        # A run without a journal is confined all the same, and prints that the journal is missing.
        if result.exit == 0 and re.fullmatch(r"(zs: journal: [^\n]+\n)+", result.stderr):
            os.remove(path)
            continue
        # strace injects the fault into each process, so another stage may fail after the journal.
        result.stderr = re.sub(r"^(zs: journal: [^\n]+\n)+(?=zs: )", "", result.stderr)
        expect(not os.path.exists(path) and result.exit != 0, "it ran: %s: %s" % (injected, result))
        if result.exit > 0:
            must_not_have_run(result, path)


@test(needs=["sandbox", "root"])
def proc_that_is_not_mounted(box):
    path, script = trace(box)
    env = {"PATH": PATH, VARIABLE: policy(box)}
    for program in (box.zs + " run --", "exec -a %s %s" % (MARKER, box.zs)):
        line = "umount -l /proc && %s sh -c '%s'" % (program, script)
        result = box.run(["unshare", "-m", "bash", "-c", line], env=env)
        must_not_have_run(result, path)


@test(needs=["sandbox"])
def zs_that_was_deleted(box):
    """/proc/self/exe is this very program, even if its name is gone or is another file's."""
    zs = box.work + "/zs"
    box.run(["cp", box.zs, zs]).expect()
    with box.start([zs, "run", "sh", "-c", "read x; echo $x"], stderr=None) as process:
        os.remove(zs)
        expect(process.communicate(b"ran\n")[0] in (b"ran\n", b""), "ran something else")


@test(needs=["sandbox"])
def few_descriptors(box):
    """The command runs or is refused, but the error is never one of usage."""
    policy = box.file("home/policy.json", box.run_zs("run", "--print-policy").stdout)
    for options in ([], ["--policy", policy], ["--diff"]):
        for limit in range(3, 20):
            result = box.run(["sh", "-c", 'ulimit -n %d; exec "$0" run "$@" -- /bin/true' % limit, box.zs, *options])
            result.expect(exit=125 if result.stderr else 0, stdout="")
