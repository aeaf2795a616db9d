"""zs bash: both walls around one command."""

import json
import os
import re

from harness import Changed, connect, expect, listener, test


def bash(box, command, *arguments, options=(), **more):
    return box.run_zs("bash", *options, "-c", command, *arguments, **more)


@test(needs=["sandbox", "bash"])
def runs_what_is_allowed(box):
    bash(box, "echo a | tr a b").expect(stdout="b\n", stderr="")
    bash(box, "exit 7").expect(exit=7, stdout="", stderr="")
    bash(box, "for i in 1 2; do echo $i; done").expect(stdout="1\n2\n", stderr="")
    bash(box, 'echo "$0" "$#" "$@"', "zero", "a b", "--json", "-c").expect(stdout="zero 3 a b --json -c\n", stderr="")
    bash(box, "cat", stdin="in\xff").expect(stdout="in\xff", stderr="")
    bash(box, "mkdir d && touch d/f && ls d").expect(stdout="f\n", stderr="")
    bash(box, "[[ -n $BASH_VERSION ]] && echo bash").expect(stdout="bash\n", stderr="")


@test(needs=["bash"])
def blocks_and_says_why(box):
    box.folder("home/project/sub")
    for options, command, code in (
        ([], "cd sub && ls", "cd"),
        ([], "echo x > new", "redirect"),
        ([], "echo 'unfinished", "syntax_error"),
        (["--profile", "verify"], "rm -rf sub", "write"),
        (["-p", "verify"], "git commit -m x", "repo_state"),
        (["--profile=verify"], "echo x > new", "redirect"),
        (["--profile=relaxed"], "echo 'unfinished", "syntax_error"),
    ):
        harm = Changed(box, box.work)
        text = bash(box, command, options=options).expect(exit=2, stdout="").stderr
        expect(re.fullmatch(r"zs: blocked \(%s\): [^\n]+\n(zs: hint: [^\n]+\n)?" % code, text),
            "%s: %s" % (command, text))
        report = json.loads(bash(box, command, options=[*options, "--json"]).expect(exit=2, stdout="").stderr)
        expect((report["verdict"], report["code"]) == ("block", code) and report["reason"] in text,
            "%s: %s" % (command, report))
        expect(not harm(), "%s: it ran" % command)


@test(needs=["sandbox", "bash"])
def json_says_nothing_when_allowed(box):
    bash(box, "echo x", options=["--json"]).expect(stdout="x\n", stderr="")


@test(needs=["sandbox", "bash"])
def relaxed_lets_cd_and_redirections_pass(box):
    command = "mkdir d && cd d && echo x > f && cat f"
    bash(box, command, options=["--profile", "relaxed"]).expect(stdout="x\n", stderr="")


@test(needs=["sandbox", "bash"])
def text_that_starts_with_a_dash_is_no_option(box):
    """bash -c -x 'echo evil' would run the second word, which has not been vetted."""
    for text in ("-x", "+x", "--norc", "-", "-c"):
        result = bash(box, text, "echo evil")
        expect(result.exit != 0 and "evil\n" != result.stdout, result)


@test(needs=["sandbox", "bash"])
def reads_no_startup_file(box):
    box.file("home/.bashrc", "echo evil\n")
    box.file("home/.bash_profile", "echo evil\n")
    evil = box.file("home/project/evil", "echo evil\n")
    add_env = {"BASH_ENV": evil, "ENV": evil, "BASH_FUNC_echo%%": "() { printf evil; }", "SHELLOPTS": "xtrace"}
    control = box.run(["bash", "-c", "true"], add_env={"BASH_ENV": evil})
    control.expect(stdout="evil\n")
    bash(box, "echo good", add_env=add_env).expect(stdout="good\n", stderr="")
    # Started as sshd would: then Debian's bash reads ~/.bashrc.
    bash(box, "echo good", add_env={"SSH_CLIENT": "1 2 3", "SHLVL": "0"}).expect(stdout="good\n", stderr="")


@test(needs=["sandbox", "bash"])
def the_kernel_stops_what_the_reading_lets_through(box):
    victim = box.file("outside/file", "text\n")
    harm = Changed(box, victim)
    for attack in ("cp /etc/passwd %s", "rm -f %s", "sed -i s/t/T/ %s", "tee %s </dev/null"):
        command = attack % victim
        box.run(["bash", "-c", command]).expect(exit=0)
        expect(harm(), "control: %s did no harm" % command)
        harm.reset()
        done = bash(box, command)
        # A path without a grant does not exist inside, so rm -f succeeds.
        expect(not harm() and (done.exit != 0 or command.startswith("rm -f")), "not denied: %s" % command)
    box.run(["bash", "-c", "cat %s" % box.key]).expect(stdout="SECRET KEY\n")
    bash(box, "cat %s" % box.key).expect(exit=1, stdout="")
    with listener() as port:
        box.run(["sh", "-c", connect(port)]).expect(stdout="reached\n")
        connecting = "curl -sS http://127.0.0.1:%d/" % port
        expect("reached" not in bash(box, connect(port)).stdout and bash(box, connecting).exit != 0,
            "reached the listener")


@test(needs=["sandbox", "bash"])
def verify_keeps_the_workspace_as_it_is(box):
    """The kernel confines what no reader can know: a program of the workspace writes in an overlay."""
    source = box.file("home/project/source", "text\n")
    box.file("home/project/test.sh", "#!/bin/sh\necho x >$1 && echo changed\n", 0o755)
    harm = Changed(box, source)
    for target, path in (("./source", source), ("./new", box.work + "/new")):
        strict = bash(box, "./test.sh " + target)
        strict.expect(stdout="changed\n")
        os.remove(path)
        box.file(source, "text\n")
        verify = bash(box, "./test.sh %s && cat %s" % (target, target), options=["--profile", "verify"])
        verify.expect(stdout="changed\nx\n", stderr="")
        expect(not harm() and not os.path.exists(box.work + "/new"), verify)
    bash(box, "cat source | sort", options=["--profile", "verify"]).expect(stdout="text\n", stderr="")
    # Builds and tests need a place to write.
    scratch = "t=$(mktemp) && ./test.sh $t"
    box.run_zs("run", "--workspace", box.work, "--", "sh", "-c", scratch).expect(stdout="changed\n")
    bash(box, "./test.sh /tmp/zs-test-%d" % os.getpid(), options=["-p", "verify"]).expect(stdout="changed\n")
    expect(not os.path.exists("/tmp/zs-test-%d" % os.getpid()), "the private /tmp is the machine's")


@test(needs=["sandbox", "bash"])
def takes_the_options_of_run(box):
    path = box.file("outside/file", "text\n")
    expect(bash(box, "cat %s" % path).exit != 0, "control: it can be read without --ro")
    bash(box, "cat %s" % path, options=["--ro", box.outside]).expect(stdout="text\n")
    bash(box, "echo $A", options=["--setenv", "A=b"]).expect(stdout="b\n")


@test(needs=["sandbox", "bash"])
def a_blocked_text_is_blocked_before_anything_else(box):
    """Even if the policy cannot be enforced, the reason that the model can act on comes first."""
    bash(box, "cd /tmp", options=["--workspace", "/"]).expect(exit=2, stdout="", stderr=["zs: blocked (cd): "])
    bash(box, "true", options=["--workspace", "/"]).expect(exit=64, stdout="", stderr=["zs: workspace: /: "])
