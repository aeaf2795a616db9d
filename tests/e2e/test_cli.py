"""The command line: help, versions, mistakes, and the messages about them."""

import json
import re
import socket
import subprocess

from harness import expect, golden, test

COMMANDS = [
    "bash", "vet", "run", "mcp", "hook", "doctor", "trust", "policy", "approvals", "install", "uninstall", "shim"]

# arguments, exit code, all of stderr
USAGE_ERRORS = [
    (["vett"], 64, "zs: vett: no such command; did you mean 'zs vet'?\n"),
    (["frobnicate"], 64, "zs: frobnicate: no such command; see 'zs --help'\n"),
    (["help", "rum"], 64, "zs: rum: no such command; did you mean 'zs run'?\n"),
    (["\x1b[31m"], 64, "zs: \\x1b[31m: no such command; see 'zs --help'\n"),
    (["vet"], 64, "zs: vet: nothing to vet; write one of -c CMD, FILE, - or --batch\n"),
    (["vet", "-c", "ls", "x"], 64,
        "zs: vet: more than one text to vet; write one of -c CMD, FILE, - or --batch\n"),
    (["vet", "--batch", "-"], 64,
        "zs: vet: more than one text to vet; write one of -c CMD, FILE, - or --batch\n"),
    (["vet", "--batch", "--explain"], 64, "zs: vet: --explain: is for people; programs read --ir\n"),
    (["vet", "--profle=verify"], 64, "zs: vet: --profle: no such option; did you mean --profile?\n"),
    (["vet", "--quux"], 64, "zs: vet: --quux: no such option; see 'zs vet --help'\n"),
    (["vet", "-x"], 64, "zs: vet: -x: no such option; see 'zs vet --help'\n"),
    (["vet", "-jx"], 64, "zs: vet: -x: no such option; see 'zs vet --help'\n"),
    (["vet", "--json=1"], 64, "zs: vet: --json: takes no value; write --json alone\n"),
    (["vet", "-c"], 64, "zs: vet: -c: its value is missing; write -c CMD\n"),
    (["vet", "--profile"], 64,
        "zs: vet: --profile: its value is missing; write --profile strict|relaxed|verify|guard\n"),
    (["vet", "-p", "lax", "-c", "ls"], 64,
        "zs: vet: -p: 'lax' is not a possible value; choose one of strict, relaxed, verify, guard\n"),
    (["vet", "-c", "ls", "--command=ls"], 64, "zs: vet: --command: given twice; give it once\n"),
    (["vet", "--prof", "strict", "-c", "ls"], 64, "zs: vet: --prof: no such option; see 'zs vet --help'\n"),
    (["vet", "/no/such"], 65, "zs: vet: /no/such: no such file or directory\n"),
    (["vet", "/"], 65, "zs: vet: /: is a directory\n"),
    (["run"], 64, "zs: run: no command; write it after the options: zs run [OPTIONS] -- CMD\n"),
    (["run", "--"], 64, "zs: run: no command; write it after the options: zs run [OPTIONS] -- CMD\n"),
    (["run", "--net", "all", "ls"], 64,
        "zs: run: --net: 'all' is not a possible value; choose one of none, hosts, full\n"),
    (["run", "--workspace", "", "ls"], 64, "zs: --workspace: the path is empty; name one\n"),
    (["run", "--ro", "", "ls"], 64, "zs: --ro: the path is empty; name one\n"),
    (["run", "--rw=", "ls"], 64, "zs: --rw: the path is empty; name one\n"),
    (["run", "--exec=", "ls"], 64, "zs: --exec: the path is empty; name one\n"),
    (["run", "--policy", "/no/such", "ls"], 65, "zs: policy: /no/such: no such file or directory\n"),
    (["run", "--policy=x", "--workspace=y", "ls"], 64,
        "zs: --workspace: does not go with --policy; the file names the workspace\n"),
    (["bash"], 64, "zs: bash: no command; write it as -c CMD\n"),
    (["bash", "ls"], 64, "zs: bash: no command; write it as -c CMD\n"),
    (["mcp", "me"], 64, "zs: mcp: me: takes no operand; see 'zs mcp --help'\n"),
    (["mcp", "--wall", "0"], 64, "zs: mcp: --wall: '0' is not a time; write a number and s, m or h\n"),
    (["mcp", "--max-output", "255"], 64,
        "zs: mcp: --max-output: '255' is not from 256 to 1048576 bytes; write a number, with K or M\n"),
    (["mcp", "--max-output", "2M"], 64,
        "zs: mcp: --max-output: '2M' is not from 256 to 1048576 bytes; write a number, with K or M\n"),
    (["mcp", "--ro", ""], 64, "zs: --ro: the path is empty; name one\n"),
    (["approvals", "x"], 64, "zs: approvals: write zs approvals list, or zs approvals revoke KIND [VALUE]\n"),
    (["doctor", "me"], 64, "zs: doctor: me: takes no operand; see 'zs doctor --help'\n"),
]


@test(once=True)
def usage_errors(box):
    for arguments, exit, stderr in USAGE_ERRORS:
        box.run_zs(*arguments).expect(exit=exit, stdout="", stderr=stderr)


WRITTEN_TO_STDERR = [
    ["vett"],
    ["run", "--policy", "/no/such", "ls"],
    ["run", "--policy", "/no/such/" + "long/" * 700, "ls"],
    ["run", "--", "/no/such"],
    ["run", "--diff", "--", "touch", "one", "two", "three"],
    ["vet", "--profle=verify"],
    ["bash", "-c", "cd /tmp; echo harm > file"],
]


@test()
def lines_on_stderr_are_written_whole(box):
    """Each line is one write, so the lines of several commands that share stderr do not mix."""
    for arguments in WRITTEN_TO_STDERR:
        packets, stderr = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with packets:
            with stderr:
                subprocess.run([box.zs, *arguments], stderr=stderr, stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL, env=box.env, cwd=box.work, **box.user.spawn_options())
            written = list(iter(lambda: packets.recv(1 << 16), b""))
        parts = [part for part in written if not part.endswith(b"\n")]
        expect(written and not parts,
            "%s: %d of %d writes are parts of a line: %s" % (arguments, len(parts), len(written), parts[:3]))


@test(once=True)
def help_is_golden(box):
    for command in COMMANDS:
        text = box.run_zs(command, "--help").expect(stderr="").stdout
        golden("help-%s.txt" % command, text)
        box.run_zs(command, "-h").expect(stdout=text)
        box.run_zs("help", command).expect(stdout=text)
    text = box.run_zs("--help").expect(stderr="").stdout
    golden("help.txt", text)
    box.run_zs("help").expect(stdout=text)
    box.run_zs("-h").expect(stdout=text)
    box.run_zs().expect(exit=64, stdout="", stderr=text)


@test(once=True)
def help_fits_a_terminal(box):
    for arguments in [["--help"]] + [[command, "--help"] for command in COMMANDS]:
        for line in box.run_zs(*arguments).stdout.splitlines():
            expect(len(line) <= 80, "%s: more than 80 columns: %s" % (arguments, line))


@test(once=True)
def version(box):
    box.run_zs("--version").expect(stdout=re.compile(r"^zs \d+\.\d+\.\d+\n$"))


@test(once=True)
def ways_to_write_an_option(box):
    for arguments in (
        ["-c", "ls", "--json"],
        ["-cls", "-j"],
        ["-jc", "ls"],
        ["-jcls"],
        ["--command", "ls", "-j"],
        ["--command=ls", "--json"],
    ):
        result = box.run_zs("vet", *arguments).expect(exit=0, stderr="")
        expect(json.loads(result.stdout)["verdict"] == "allow", result)


@test(once=True)
def options_stop_at_the_command(box):
    text = box.run_zs("run", "--help").stdout
    # --help after the command is the command's
    result = box.run_zs("run", "--print-policy", "ls", "--help").expect(exit=0)
    expect(result.stdout != text, "took the command's --help for its own")
    box.run_zs("run", "--print-policy", "--", "--help").expect(exit=0)


@test(needs=["linux"], once=True)
def full_disk(box):
    for arguments in (["vet", "-c", "ls"], ["--help"], ["run", "--print-policy"]):
        done = box.run(["sh", "-c", '"$@" >/dev/full', "sh", box.zs, *arguments])
        done.expect(exit=74, stderr="zs: output: standard output: no space left on device\n")
