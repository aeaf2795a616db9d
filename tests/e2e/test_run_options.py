"""zs run: each option does what it says, and no more. A right that an option grants is denied without it."""

import json
import os
import re

from harness import Changed, connect, expect, listener, test


@test(needs=["sandbox"])
def ro(box):
    path = box.file("outside/file", "text\n")
    box.denied("cat %s" % path)
    for ro in (["--ro", box.outside], ["--ro=" + path], ["--ro", os.path.relpath(path, box.work)]):
        box.granted("cat %s" % path, zs=["run", *ro], stdout="text\n")
        box.denied("echo x >%s" % path, zs=["run", *ro], harm=Changed(box, path))
    tool = box.file("outside/tool", "#!/bin/sh\necho ran\n", 0o755)
    box.denied(tool, zs=["run", "--ro", box.outside])


@test(needs=["sandbox"])
def rw(box):
    box.granted("echo x >%s/new && mv %s/new ./ && mv new %s/" % ((box.outside,) * 3), zs=["run", "--rw", box.outside])
    box.granted("echo x >%s/relative" % box.outside, zs=["run", "--rw", "../../outside"])
    # The file is granted, but not its folder.
    victim = box.file("outside/file", "text\n")
    box.granted("echo x >%s" % victim, zs=["run", "--rw", victim])
    box.denied("echo x >%s/other" % box.outside, zs=["run", "--rw", victim], harm=Changed(box, box.outside + "/other"))


@test(needs=["sandbox"])
def a_missing_path_is_skipped_and_not_widened(box):
    missing = box.outside + "/no/such"
    box.granted("true", zs=["run", "--ro", missing, "--rw", missing])
    box.denied("echo x >%s/new" % box.outside, zs=["run", "--rw", missing], harm=Changed(box, box.outside))


@test(needs=["sandbox"])
def an_option_that_matches_nothing_says_so(box):
    typo = box.outside + "/typo"
    for option, value, why in (("--ro", typo, "no such file or folder; nothing is granted"),
            ("--rw", "typo", "no such file or folder; nothing is granted"),
            ("--rw", "~/typo", "no such file or folder; nothing is granted"),
            ("--rw", box.key + "/x", "no such file or folder; nothing is granted"),
            ("--hide", typo, "no such file or folder; nothing is hidden"),
            ("--protect", "typo", "no such file or folder; only the name is protected"),
            ("--env", "TYPO", "no such variable is set; nothing passes"),
            ("--env", "TYPO_*", "no such variable is set; nothing passes")):
        box.run_zs("run", option, value, "--", "true").expect(exit=0, stdout="",
            stderr="zs: %s: %s: %s\n" % (option, value, why))
    # The line tells the truth of a protected name.
    control = box.run_zs("run", "--", "sh", "-c", "echo x >typo").expect(exit=0)
    expect(os.path.exists(box.work + "/typo"), "control: the command cannot make it", control)
    box.clear()
    box.run_zs("run", "--protect", "typo", "--", "sh", "-c", "echo x >typo")
    expect(not os.path.exists(box.work + "/typo"), "the name is not protected")
    box.clear()
    # A command can make a protected name that the caller names.
    box.run_zs("run", "--rw", ".mcp.json", "--", "sh", "-c", "echo x >.mcp.json").expect(exit=0, stderr="")
    expect(os.path.exists(box.work + "/.mcp.json"), "it is not made")
    box.clear()
    # Options that match, and the preset's own paths, say nothing.
    box.file("home/project/is")
    for options in (["--ro", box.outside], ["--rw", "is"], ["--ro", "~/project"], ["--hide", "is"], ["--protect", "is"],
            ["--env", "HOME"], ["--env", "HO*"], ["--env", "EMPTY"], []):
        box.run_zs("run", *options, "--", "true", add_env={"EMPTY": ""}).expect(exit=0, stdout="", stderr="")
    box.run_zs("run", "--rw", typo, "--print-policy").expect(exit=0, stderr="")


@test(needs=["sandbox"])
def exec_(box):
    tool = box.file("outside/tool", "#!/bin/sh\necho ran\n", 0o755)
    other = box.file("outside/other", "#!/bin/sh\necho ran\n", 0o755)
    box.denied(tool)
    box.granted(tool, zs=["run", "--exec", tool], stdout="ran\n")
    box.granted(tool, zs=["run", "--exec", "../../outside/tool"], stdout="ran\n")
    box.denied(other, zs=["run", "--exec", tool])
    box.denied("echo x >%s" % tool, zs=["run", "--exec", tool], harm=Changed(box, tool))


@test(needs=["sandbox", "bash"])
def net(box):
    with listener() as port:
        box.denied(connect(port), zs=["run", "--net", "none"])
        box.granted(connect(port), zs=["run", "--net", "full"], stdout="reached\n")
        box.granted(connect(port), zs=["run", "--net=full"], stdout="reached\n")
    # Only the network is wider.
    box.denied("cat %s" % box.key, zs=["run", "--net", "full"])


@test(needs=["sandbox"])
def env(box):
    show = ["sh", "-c", "echo ${MINE-unset} ${MY_1-unset} ${MY_2-unset}"]
    add = {"MINE": "a", "MY_1": "b", "MY_2": "c"}
    for options, stdout in (
        ([], "unset unset unset\n"),
        (["--env", "MINE"], "a unset unset\n"),
        (["--env=MY_*"], "unset b c\n"),
        (["--env", "MINE", "--env", "MY_2"], "a unset c\n"),
    ):
        box.run_zs("run", *options, "--", *show, add_env=add).expect(stdout=stdout, stderr="")


@test(needs=["sandbox"])
def setenv(box):
    show = ["sh", "-c", 'echo "${A-unset} ${B-unset} $HOME"']
    for options, stdout in (
        (["--setenv", "A=1"], "1 unset %s\n" % box.home),
        (["--setenv", "A=1", "--setenv=B=x=y z"], "1 x=y z %s\n" % box.home),
        (["--setenv", "A=1", "--setenv", "A=2"], "2 unset %s\n" % box.home),
        (["--setenv", "A="], " unset %s\n" % box.home),
        (["--setenv", "HOME=/tmp"], "unset unset /tmp\n"),
    ):
        box.run_zs("run", *options, "--", *show).expect(stdout=stdout, stderr="")


@test(needs=["sandbox"])
def loader_variables_are_refused(box):
    for name in ("LD_PRELOAD", "LD_LIBRARY_PATH", "BASH_ENV", "NODE_OPTIONS", "PYTHONPATH"):
        for option in (["--env", name], ["--setenv", name + "=x"]):
            box.run_zs("run", *option, "true").expect(
                exit=64, stdout="", stderr=re.compile(r"^zs: policy: %s.*never passes.*env NAME=value" % name))


@test(needs=["sandbox"])
def workspace(box):
    box.granted("echo x >%s/new" % box.outside, zs=["run", "--workspace", box.outside])
    box.granted("echo x >%s/new2" % box.outside, zs=["run", "--workspace", "../../outside"])
    new = box.work + "/new"
    box.denied("echo x >%s" % new, zs=["run", "--workspace", box.outside], harm=Changed(box, new))


@test(needs=["linux"])
def refused_workspaces(box):
    for path, message in (
        ("/", "zs: workspace: /: "),
        (box.home, "zs: workspace: %s: " % box.home),
        (box.root, "zs: workspace: %s: " % box.root),
    ):
        box.run_zs("run", "--workspace", path, "true").expect(exit=64, stdout="", stderr=[message, "choose a project"])
    box.run_zs("run", "true", cwd=box.home).expect(exit=64, stdout="", stderr=["zs: workspace: "])


@test(needs=["sandbox"])
def a_workspace_that_is_no_folder(box):
    box.run_zs("run", "--workspace", box.outside + "/no", "true").expect(
        exit=125, stdout="", stderr="zs: workspace: %s/no: no such file or directory\n" % box.outside)
    box.run_zs("run", "--workspace", box.key, "true").expect(
        exit=125, stdout="", stderr=["zs: workspace: ", "directory"])


@test(needs=["sandbox"])
def environment_variables_widen(box):
    path = box.file("outside/file", "text\n")
    box.run_zs("run", "cat", path, add_env={"ZS_SANDBOX_RO": "/nowhere:" + box.outside}).expect(stdout="text\n")
    write = ["sh", "-c", "echo x >%s/new" % box.outside]
    denied = box.run_zs("run", *write, add_env={"ZS_SANDBOX_RO": box.outside})
    expect(denied.exit != 0, denied)
    box.run_zs("run", *write, add_env={"ZS_SANDBOX_RW": box.outside}).expect()


def small_policy(box, **more):
    system = [p for p in ("/usr", "/bin", "/lib", "/lib64", "/etc/alternatives") if os.path.exists(p)]
    return dict({"version": 1, "paths": [{"path": path, "access": "exec"} for path in system],
        "env": {"pass": ["PATH"]}}, **more)


@test(needs=["sandbox"])
def policy(box):
    text = json.dumps(small_policy(box, workspace={"root": box.outside, "access": "write"}))
    path = box.file("policy.json", text)
    box.granted("echo x >%s/new; echo ${HOME-unset}" % box.outside, zs=["run", "--policy", path], stdout="unset\n")
    # Then the working directory is not the workspace.
    box.file("home/project/there", "text")
    box.denied("cat there", zs=["run", "--policy", path])
    box.denied("echo x >/var/zs-test-$$ || echo x >there", zs=["run", "--policy", path])
    # The other options add to it.
    box.granted("ls .", zs=["run", "--policy", path, "--ro", "."])
    box.run_zs("run", "--policy", "-", "--", "sh", "-c", "echo ${HOME-unset}", stdin=text).expect(stdout="unset\n")


# policy text, what the message says
BAD_POLICIES = [
    ("", ["zs: policy: "]),
    ("{", ["zs: policy: line 1: "]),
    ("[]", ["zs: policy: "]),
    ("{}", ["version"]),
    ('{"version":2}', ["version"]),
    ('{"version":1,\n"paths":[],\n"colour":"red"}', ["line 3: ", "colour"]),
    ('{"version":1,"paths":[{"path":"usr","access":"exec"}]}', ["usr"]),
    ('{"version":1,"paths":[{"path":"/usr/../etc","access":"exec"}]}', ["/usr/../etc"]),
    ('{"version":1,"paths":[{"path":"/usr","access":"run"}]}', ["line 1: paths[0].access: "]),
    ('{"version":1,"paths":[{"path":"/usr"}]}', ["access"]),
    ('{"version":1,"version":1}', ["version"]),
    ('{"version":1,"network":"maybe"}', ["network"]),
    ('{"version":1,"network":1}', ["network"]),
    ('{"version":1,"env":{"pass":["LD_PRELOAD"]}}', ["LD_PRELOAD"]),
    ('{"version":1,"paths":[{"path":"/u\\u0000sr","access":"exec"}]}', ["paths"]),
    ('{"version":1} trailing', ["zs: policy: line 1: "]),
    ('{"version":1,"paths":[{"path":"/\xff","access":"exec"}]}', ["zs: policy: line 1: "]),
    ('{"version":1,"env":{"set":{"A":"%s"}}}' % ("x" * 200000), ["zs: policy: "]),
]


@test(once=True)
def bad_policies(box):
    for text, stderr in BAD_POLICIES:
        result = box.run_zs("run", "--policy", "-", "--", "echo", "ran", stdin=text)
        result.expect(exit=65, stdout="", stderr=stderr)
        expect(result.stderr.count("\n") == 1, "more than one line: %s" % result)


@test(once=True)
def print_policy(box):
    printed = box.run_zs("run", "--print-policy", "--ro", "/opt/x", "--rw=/opt/y", "--net=full", "--env=MINE",
        "--setenv=A=1").expect(stderr="").stdout
    policy = json.loads(printed)
    for value, want in (
        (policy["version"], 1),
        (policy["workspace"], {"root": box.work, "access": "write"}),
        (policy["network"], "full"),
        (policy["env"]["set"], {"A": "1"}),
        ({"path": "/opt/x", "access": "read"} in policy["paths"], True),
        ({"path": "/opt/y", "access": "write"} in policy["paths"], True),
        ("MINE" in policy["env"]["pass"], True),
    ):
        expect(value == want, "%r is not %r in %s" % (value, want, printed))
    # The printed text can be given back, and is canonical.
    box.run_zs("run", "--policy", "-", "--print-policy", stdin=printed).expect(stdout=printed, stderr="")
    # Nothing runs.
    box.run_zs("run", "--print-policy", "touch", box.work + "/ran").expect()
    expect(not os.path.exists(box.work + "/ran"), "--print-policy ran the command")


@test(once=True)
def print_policy_has_every_field(box):
    printed = box.run_zs("run", "--print-policy", "--tmp", "shared", "--git=allow", "--socket", "/run/x", "--socket=y",
        "--protect", "/opt/p", "--hide", "h", "--without", "metadata,hide", "--without=loopback", "--limit=wall=2m",
        "--limit", "cpu=10", "--limit=memory=512M", "--limit=processes=100", "--limit=files=256",
        "--limit=file-size=1G").expect(stderr="").stdout
    policy = json.loads(printed)
    for value, want in (
        (policy["tmp"], "shared"),
        (policy["git"], "allow"),
        (policy["unix_sockets"], ["/run/x", box.work + "/y"]),
        (policy["without"], ["hide", "loopback", "metadata"]),
        (policy["limits"], {"wall_seconds": 120, "cpu_seconds": 10, "memory_bytes": 512 << 20, "processes": 100,
            "open_files": 256, "file_bytes": 1 << 30}),
        ({"path": "/opt/p", "access": "protect"} in policy["paths"], True),
        ({"path": box.work + "/h", "access": "hide"} in policy["paths"], True),
    ):
        expect(value == want, "%r is not %r in %s" % (value, want, printed))
    box.run_zs("run", "--policy", "-", "--print-policy", stdin=printed).expect(stdout=printed, stderr="")


# option, what the message says
BAD_VALUES = [
    ("--limit=wal=1s", "zs: --limit: wal: no such limit; did you mean wall?\n"),
    ("--limit=zzzzzzzz=1", "zs: --limit: zzzzzzzz: no such limit; choose one of wall, cpu, memory, processes, files, "
        "file-size, tmp\n"),
    ("--limit=wall", "zs: --limit: wall: is not wall=VALUE; write a number and s, m or h\n"),
    ("--limit=wall=", "zs: --limit: wall=: is not wall=VALUE; write a number and s, m or h\n"),
    ("--limit=wall=3M", "zs: --limit: wall=3M: is not wall=VALUE; write a number and s, m or h\n"),
    ("--limit=wall=-3", "zs: --limit: wall=-3: is not wall=VALUE; write a number and s, m or h\n"),
    ("--limit=memory=1.5G", "zs: --limit: memory=1.5G: is not memory=VALUE; write a number and K, M or G\n"),
    ("--limit=memory=1GB", "zs: --limit: memory=1GB: is not memory=VALUE; write a number and K, M or G\n"),
    ("--limit=memory=99999999999999999999", ["is not memory=VALUE"]),
    ("--limit=memory=99999999999999G", ["is not memory=VALUE"]),
    ("--limit=processes=1K", "zs: --limit: processes=1K: is not processes=VALUE; write a number\n"),
    ("--limit=cpu=0", "zs: policy: cpu_seconds: is 0; leave it out where there is no limit\n"),
    ("--limit=cpu=999999999h", "zs: policy: cpu_seconds: is more than 1000000000\n"),
    ("--without=protec", "zs: --without: protec: no such promise; did you mean protect?\n"),
    ("--without=", "zs: --without: a name is empty; write names, with commas between\n"),
    ("--without=hide,,protect", "zs: --without: a name is empty; write names, with commas between\n"),
    ("--without=zzzzzzzzzz", "zs: --without: zzzzzzzzzz: no such promise; choose from protect, hide, private-tmp, "
        "loopback, sockets, metadata, processes, privileges, overlay\n"),
    ("--tmp=mine", "zs: run: --tmp: 'mine' is not a possible value; choose one of private, shared\n"),
    ("--git=no", "zs: run: --git: 'no' is not a possible value; choose one of protect, allow\n"),
    ("--socket=", "zs: --socket: the path is empty; name one\n"),
    ("--hide=", "zs: --hide: the path is empty; name one\n"),
    ("--protect=/a/../b", ["/a/../b", "'..'"]),
]


@test(once=True)
def bad_values(box):
    for option, stderr in BAD_VALUES:
        box.run_zs("run", option, "true").expect(exit=64, stdout="", stderr=stderr)
    box.run_zs("run", "--limit=cpu=1", "--limit=cpu=2", "true").expect(
        exit=64, stdout="", stderr="zs: --limit: cpu: given twice; give it once\n")


@test(needs=["sandbox"])
def limit(box):
    box.run_zs("run", "--limit=files=16", "--", "sh", "-c", "ulimit -n; ulimit -c").expect(stdout="16\n0\n")
    box.run_zs("run", "--limit=file-size=4K", "--", "sh", "-c", "head -c 5000 /dev/zero >big; wc -c <big").expect(
        stdout="4096\n")
    if not box.user.is_root:
        box.run_zs("run", "--limit=processes=7", "--", "sh", "-c", "ulimit -u 2>/dev/null || ulimit -p").expect(
            stdout="10\n") # supervisor, watch and init are zs's own


@test(once=True)
def print_policy_of_the_profiles(box):
    for profile, access in (("strict", "write"), ("relaxed", "write"), ("verify", "overlay")):
        printed = box.run_zs("bash", "--print-policy", "--profile", profile).expect(stderr="").stdout
        expect(json.loads(printed)["workspace"] == {"root": box.work, "access": access}, "%s: %s" % (profile, printed))


@test(needs=["sandbox"])
def no_defaults(box):
    """The default paths are gone, but only those of the named kind."""
    box.run_zs("run", "--no-default", "exec", "--", "/bin/sh", "-c", "true").expect(exit=127)
    box.run_zs("run", "--no-default", "exec", "--exec", "/bin/sh", "--", "/bin/sh", "-c", "echo $((6*7)); /bin/ls"
        ).expect(exit=127, stdout="42\n")
    box.granted("! test -e /etc/passwd && ls /usr >/dev/null", zs=["run", "--no-default", "read"])
    box.granted("! test -e /dev/null && test -e /etc/passwd", zs=["run", "--no-default", "write"])
    box.granted("test -e /dev/null && test -e /etc/passwd")
    policy = box.file("policy.json", '{"version": 1, "workspace": {"root": "%s", "access": "write"},'
        ' "path_lists": {"read": [], "more_read": ["~/.ssh"]}}' % box.work)
    box.run_zs("run", "--policy", policy, "--", "/bin/sh", "-c", "cat %s /etc/passwd; echo x >/dev/null" % box.key
        ).expect(stdout="SECRET KEY\n", stderr=["/etc/passwd: No such file"])
    box.run_zs("run", "--policy", policy, "--no-default", "read", "--", "true").expect(exit=64, stdout="",
        stderr=["--no-default: does not go with --policy"])
