"""A program that cannot do its work inside zs fails with a line that says so. A command knows that it is confined."""

import os
import re
import shutil

from harness import expect, test

LINES = {
    "sudo": "no process gains privileges; run it outside of zs",
    "apt-get": "the system's packages stay as they are; install outside of zs, or into the workspace",
    "bwrap": "no process makes namespaces or mounts; it is confined already: run it without this program",
    "mount": "no process makes namespaces or mounts; mount it outside of zs, and grant the folder",
    "docker": "a container's files and network would be outside of zs; run it outside of zs",
    "chromium": "its own sandbox makes namespaces, and its profile lies in the home folder; it is confined already: "
        "run it with --no-sandbox --user-data-dir=/tmp/chromium",
    "systemctl": "the machine's services are out of reach; run it outside of zs",
}


def line(program, text):
    return "zs: inside zs: %s: %s\n" % (program, text)


@test(needs=["sandbox"])
def a_program_that_cannot_work_is_explained(box):
    for program, text in LINES.items():
        box.file("home/project/" + program, "#!/bin/sh\nexit ${1:-3}\n", 0o755)
        path = "./" + program
        for argv in (["run", "--", path], ["run", "--", "sh", "-c", "true && %s" % path],
                ["run", "--verify", "--", "sh", "-c", "(%s 3)\n" % path], ["bash", "-c", path]):
            box.run_zs(*argv).expect(exit=3, stderr=line(path, text))
        # It says nothing if the command succeeds, is interrupted, or only has the name among its words.
        box.run_zs("run", "--", path, "0").expect(stderr="")
        box.run_zs("run", "--", path, "130").expect(exit=130, stderr="")
        box.run_zs("run", "--", "sh", "-c", "false '' %s" % program).expect(exit=1, stderr="")
        box.run_zs("run", "--", "sh", "-c", "echo x >no%s; ! cat no%s" % (program, program)).expect(exit=1, stderr="")
    # A real one.
    box.run_zs("run", "--", "unshare", "--user", "true").expect(exit=1, stderr=re.compile(
        r"\Aunshare: .*\nzs: inside zs: unshare: no process makes namespaces or mounts; .*\n\Z"))


@test(needs=["sandbox"])
def a_zs_in_another_names_the_reason(box):
    shutil.copy(box.zs, box.work + "/zs")
    result = box.run_zs("run", "--", "./zs", "run", "--", "true").expect(exit=125)
    expect("a command that zs confines makes none, and this one is (ZS_SANDBOX=1)" in result.stderr, result)
    expect("or: run the command without a zs of its own\n" in result.stderr and "unprivileged" not in result.stderr,
        result)
    box.run_zs("run", "--", "sh", "-c", "./zs run true || exit 1").expect(exit=1,
        stderr=re.compile(r".*\nzs: inside zs: ./zs: no zs runs a command inside another; .*\n\Z", re.S))
    # A zs that runs no command works.
    box.run_zs("run", "--", "./zs", "vet", "-c", "ls").expect()


@test(needs=["sandbox"])
def a_program_that_is_not_granted_is_named(box):
    path = shutil.copy("/bin/true", box.folder("outside") + "/tool")
    result = box.run_zs("run", "--", path)
    expect(result.exit in (126, 127), result)
    result.expect_text("stderr", result.stderr, [
        "\nzs: inside zs: %s: the policy grants no program there; if it exists, --exec %s\n" % (path, path)])
    box.run_zs("run", "--exec", path, "--", path).expect(stderr="")
    for name in ("/usr/bin/none", "none", "../none"):
        result = box.run_zs("run", "--", name).expect(exit=127)
        expect("inside" not in result.stderr, result)


@test(needs=["sandbox"])
def a_command_knows_that_it_is_confined(box):
    script = 'echo "$ZS_SANDBOX $ZS_SANDBOX_NETWORK"'
    box.run(["sh", "-c", script]).expect(stdout=" \n")
    for network in ("none", "hosts", "full"):
        options = ["--host", "example.org"] if network == "hosts" else ["--net", network]
        box.run_zs("run", *options, "--", "sh", "-c", script).expect(stdout="1 %s\n" % network)
    box.run_zs("run", "--setenv", "ZS_SANDBOX=mine", "--", "sh", "-c", script).expect(stdout="mine none\n")
