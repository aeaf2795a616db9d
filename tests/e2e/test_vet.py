"""zs vet: its text, its JSON and its batch protocol."""

import json
import re
import subprocess
import unicodedata

from batch_lines import BAD_LINES, LINE_MAX, read_line
from harness import expect, golden, test
from processes import Terminal

INPUT_MAX = 64 * 1024  # ZS_MAX_INPUT

# One text of each kind, for the goldens: the output is part of the interface.
TEXTS = [
    ("strict", "ls -la | head -n 3"),
    ("strict", "cd src && make"),
    ("strict", "make\n  cd src\nmake test"),
    ("strict", "echo x > notes.txt"),
    ("strict", "echo x >/dev/null 2>&1"),
    ("strict", "curl -s https://example.org/install.sh | sh"),
    ("strict", 'eval "$CMD"'),
    ("strict", "echo 'unfinished"),
    ("strict", "if true; then"),
    ("strict", "bash -c 'cd /tmp && ls'"),
    ("relaxed", "cd src && make > log"),
    ("verify", "go test ./..."),
    ("verify", "grep -rn 'rm -rf' ."),
    ("verify", "rm -rf build"),
    ("verify", "sudo -u root rm x"),
    ("verify", "git -C . push origin main"),
    ("verify", "sed -i s/a/b/ f"),
    ("verify", "$CMD x"),
    ("verify", "python3 -c 'import os; os.remove(1)'"),
]


def batch(box, lines, *options, **more):
    """Answers, parsed; and the result."""
    text = "".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines)
    result = box.run_zs("vet", "--batch", *options, stdin=text, **more)
    expect(not result.stdout or result.stdout.endswith("\n"), "the last line has no end: %s" % result)
    answers = result.stdout.split("\n")[:-1]
    return [json.loads(answer.encode("latin-1").decode("utf-8")) for answer in answers], result


@test(once=True)
def text_is_golden(box):
    shown = []
    for profile, text in TEXTS:
        result = box.run_zs("vet", "-p", profile, "-c", text)
        result.expect(exit=0 if result.stdout == "allow\n" else 2, stderr="")
        shown.append("$ zs vet -p %s -c %s\n%s" % (profile, json.dumps(text), result.stdout))
    golden("vet.txt", "\n".join(shown))


@test(once=True)
def batch_is_golden(box):
    lines = [{"id": i, "cmd": text, "profile": profile} for i, (profile, text) in enumerate(TEXTS)]
    golden("batch.jsonl", batch(box, lines)[1].expect(exit=0, stderr="").stdout)


@test(once=True)
def json_and_batch_say_the_same(box):
    lines = [{"id": i, "cmd": text, "profile": profile} for i, (profile, text) in enumerate(TEXTS)]
    for option in ([], ["--ir"]):
        answers, _ = batch(box, lines, *option)
        for (profile, text), answer in zip(TEXTS, answers):
            result = box.run_zs("vet", "--json", *option, "-p", profile, "-c", text)
            report = json.loads(result.stdout.encode("latin-1"))
            expect(dict(report, id=answer["id"]) == answer and result.stdout.count("\n") == 1,
                "%s: %s differs from %s" % (text, report, answer))
            result.expect(exit={"allow": 0, "block": 2}[report["verdict"]], stderr="")
            keys = ["verdict", "code", "reason", "hint", "risks", "span"] + ["ir"] * len(option)
            expect(list(report) == keys, "keys: %s" % list(report))
            allowed = report["verdict"] == "allow"
            expect(allowed == (report["code"] is None) and allowed == (report["reason"] == ""),
                "%s: %s" % (text, report))
            expect(allowed == (report["span"] is None) and (allowed or report["code"] in report["risks"]),
                "%s: %s" % (text, report))


@test(once=True)
def sources_of_the_text(box):
    path = box.file("home/project/script.sh", "ls -la\n")
    evil = box.file("home/project/-evil", "cd /tmp\n")
    for arguments, stdin, exit in (
        (["-c", "ls"], "cd /", 0),
        (["-"], "ls", 0),
        (["-"], "cd /tmp", 2),
        (["-"], "", 0),
        ([path], "cd /tmp", 0),
        (["script.sh"], "", 0),
        (["./-evil"], "", 2),
        (["--", "-evil"], "", 2),
        ([evil], "", 2),
        (["script.sh", "--profile", "verify"], "", 0),
        (["-c", ""], "", 0),
        (["--unknown", "allow", "-c", "no-such-program"], "", 0),
        (["--unknown", "block", "-c", "no-such-program"], "", 2),
    ):
        result = box.run_zs("vet", *arguments, stdin=stdin)
        result.expect(exit=exit, stdout=re.compile("^allow\n$" if exit == 0 else "^block "), stderr="")


@test()
def unreadable_file(box):
    if not box.user.is_root:
        path = box.file("home/project/secret", "ls\n", 0)
        box.run_zs("vet", path).expect(exit=65, stdout="", stderr="zs: vet: %s: permission denied\n" % path)


@test(once=True)
def bytes_that_are_no_text(box):
    for text in ("ls \0", "\0", "echo \xff\xfe", "ls\0; cd /tmp", "\xff" * 100, "echo '\x80\n\xc0\xaf'"):
        result = box.run_zs("vet", "-", "--ir", stdin=text)
        expect(result.exit in (0, 2) and not result.stderr and result.stdout.count("\n") == 1, result)
        json.loads(result.stdout.encode("latin-1").decode("utf-8"))
        result = box.run_zs("vet", "-", stdin=text)
        expect(not re.search(r"[^\x20-\x7e\n]", result.stdout) and result.exit in (0, 2), "unclean: %s" % result)
    box.run_zs("vet", "-", stdin="ls\0; cd /tmp").expect(exit=2)


@test(once=True)
def limits(box):
    box.run_zs("vet", "-", stdin="#" + "x" * (INPUT_MAX - 1)).expect(exit=0)
    box.run_zs("vet", "-", stdin="#" + "x" * INPUT_MAX).expect(exit=2, stdout=re.compile("^block limit: "))
    box.run_zs("vet", "/dev/zero").expect(exit=2, stdout=re.compile("^block limit: "))


def columns(text):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


@test(once=True)
def the_place_is_underlined(box):
    for text, before, rest in (
        ("cd src && make", "", "cd src && make"),
        ("ls; cd x", "ls; ", "cd x"),
        ("ls\n\tcd x\nls", " ", "cd x"),
        ("echo '\u00e9\u20ac'; cd x", "echo '\u00e9\u20ac'; ", "cd x"),
        ("echo '\x1b[31m'; cd x", "echo '", "\\x1b[31m'; cd x"),
        ("echo '\u202e'; cd x", "echo '\\u202e'; ", "cd x"),
        ("echo \u6f22\u5b57 \U0001f600 \uff21; cd x", "echo \u6f22\u5b57 \U0001f600 \uff21; ", "cd x"),
        ("echo e\u0301; cd x", "echo e\u0301; ", "cd x"),
        ("ls " + "a" * 300 + "; cd x", "..." + "a" * 38 + "; ", "cd x"),
        ("cd x; ls " + "a" * 300, "", "cd x; ls " + "a" * 91 + "..."),
        ("cd x; ls " + "\u00e9" * 100, "", "cd x; ls " + "\u00e9" * 45 + "..."),
    ):
        result = box.run_zs("vet", "-", stdin=text.encode().decode("latin-1")).expect(exit=2)
        place = "\n  %s%s\n  %s^" % (before, rest, " " * columns(before))
        expect(place in result.stdout.encode("latin-1").decode(), "%r is not in %s" % (place, result))


@test(needs=["linux"], once=True)
def colour_on_a_terminal(box):
    def shown(arguments, **add_env):
        terminal = Terminal(box, [box.zs, "vet", *arguments], env=add_env)
        terminal.end()
        return terminal.shown.replace("\r", "")

    assert shown(["-c", "ls"], TERM="xterm") == "\x1b[1;32mallow\x1b[0m\n"
    assert shown(["-c", "cd x"], TERM="xterm").startswith("\x1b[1;31mblock\x1b[0m cd: ")
    for add_env in ({"TERM": "dumb"}, {}, {"TERM": "xterm", "NO_COLOR": "1"}):
        assert shown(["-c", "ls"], **add_env) == "allow\n", add_env
    assert shown(["-c", "ls", "--json"], TERM="xterm").startswith("{")


# --------------------------------------------------------------------------------------------------------- batch


@test(once=True)
def ids_come_back_as_they_were(box):
    ids = ["1", "-0.0", "1.50e3", "123456789012345678901234567890", '""', '"a\\u0000\\n\\"\\\\"', '"\u20ac"', "1E400"]
    lines = ['{"id":%s,"cmd":"ls"}\n' % i for i in ids]
    result = box.run_zs("vet", "--batch", stdin="".join(lines).encode().decode("latin-1")).expect(exit=0, stderr="")
    for id, answer in zip(ids, result.stdout.encode("latin-1").decode().split("\n")):
        expect(answer.startswith('{"id":%s,"verdict":"allow",' % id), "%s: %s" % (id, answer))


@test(once=True)
def bad_lines_are_answered_and_passed_over(box):
    good = '{"id":"good","cmd":"ls"}\n'
    answers, result = batch(box, [part for line, _, _ in BAD_LINES for part in (good, line)] + [good])
    result.expect(exit=65, stderr="")
    expect(len(answers) == 2 * len(BAD_LINES) + 1, "%d answers" % len(answers))
    for i, (line, id, reason) in enumerate(BAD_LINES):
        before, answer = answers[2 * i : 2 * i + 2]
        assert before["verdict"] == "allow" and before["id"] == "good", before
        want = {"id": id, "verdict": "block", "code": "bad_input", "risks": [], "span": None}
        expect({key: answer[key] for key in want} == want and list(answer) == list(before),
            "%.80r: %s" % (line, answer))
        expect(answer["reason"].startswith("line %d: %s" % (2 * i + 2, reason)) and answer["hint"],
            "%.80r: %s" % (line, answer))
    assert answers[-1]["verdict"] == "allow"


@test(once=True)
def each_line_can_name_its_folder(box):
    """The profile guard compares with it. The process may run anywhere, as those of the bindings do in "/"."""
    texts = ("rm -rf build", "rm -rf ~", "rm -rf %s/build" % box.work, "rm -rf /etc")
    for options, cwd, verdicts in (([], box.work, "allow block allow block"), ([], "/", "block block block block"),
            ([], "/missing", "allow block block block"), (["--workspace", box.work], box.work + "/..",
            "block block allow block")):
        lines = [{"id": i, "cmd": text, "profile": "guard", "cwd": cwd} for i, text in enumerate(texts)]
        answers, _ = batch(box, lines, *options, cwd="/")
        expect([answer["verdict"] for answer in answers] == verdicts.split(), options, cwd, answers)


@test(once=True)
def batch_edges(box):
    assert batch(box, [])[1].expect(exit=0, stdout="", stderr="")
    # No newline at the end; CR LF; other keys; the longest line there may be.
    answers, result = batch(box, ['{"id":1,"cmd":"cd x"}'])
    assert answers[0]["code"] == "cd", answers
    result.expect(exit=0)
    assert batch(box, ['{"id":1,"cmd":"ls","class":[{}],"profile":"verify"}\r\n'])[0][0]["verdict"] == "allow"
    head, tail = '{"id":1,"cmd":"ls","pad":"', '"}'
    longest = head + "x" * (LINE_MAX - len(head) - len(tail)) + tail
    answers, result = batch(box, [longest + "\n", longest, "\n", longest])
    assert [answer["verdict"] for answer in answers] == ["allow"] * 3, answers
    result.expect(exit=0)
    answers, result = batch(box, [longest + " \n", {"id": 2, "cmd": "ls"}])
    assert [answer["id"] for answer in answers] == [None, 2], answers
    result.expect(exit=65)
    # A long text is valid JSON, and then exceeds the limit of a text.
    answers, _ = batch(box, [{"id": 1, "cmd": "x" * (INPUT_MAX + 1)}])
    assert answers[0]["code"] == "limit", answers


@test(once=True)
def profiles_of_a_batch(box):
    lines = [{"id": 1, "cmd": "rm x"}, {"id": 2, "cmd": "rm x", "profile": "verify"}, {"id": 3, "cmd": "cd x"}]
    for options, want in (
        ([], ["allow", "block", "block"]),
        (["-p", "verify"], ["block", "block", "block"]),
        (["-p", "relaxed"], ["allow", "block", "allow"]),
    ):
        answers, _ = batch(box, lines, *options)
        assert [answer["verdict"] for answer in answers] == want, (options, answers)


@test(once=True)
def batch_answers_while_the_other_end_waits(box):
    with subprocess.Popen([box.zs, "vet", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=box.env,
        bufsize=0) as process:
        for text in (
            b'{"id":1,"cmd":"ls"}\n',
            b'{"id":2,"cmd":"ls"}\n{"id":3,',  # followed by the start of the next line
            b'"cmd":"ls"}\n',
            b"oops\n",
        ):
            process.stdin.write(text)
            answer = read_line(process.stdout)
            expect(answer, "no answer to %r" % text)
        process.stdin.close()
        expect(process.wait() == 65, "exit %d" % process.returncode)


@test(once=True)
def ir(box):
    text = "sudo -u root rm -rf \"$x\" 'a b' > out && git log -5 --format=%h"
    answers, result = batch(box, [{"id": 1, "cmd": text}], "--ir")
    result.expect(exit=0)
    ir = answers[0]["ir"]
    assert list(ir) == ["version", "platform", "commands", "operators", "redirects", "writes", "payloads", "findings",
        "errors"], ir
    assert (ir["version"], ir["platform"]) == (2, "bash"), ir
    keys = [command["key"] for command in ir["commands"]]
    assert sorted(keys) == ["git log", "rm", "sudo"], keys
    for command in ir["commands"]:
        assert list(command) == ["key", "span", "nesting", "depth", "argv", "dynamic", "flags", "row",
            "effects"], command
        assert len(command["dynamic"]) == command["argv"].count(None), command
    rm = ir["commands"][keys.index("rm")]
    assert rm["argv"] == ["rm", "-rf", None, "a b"] and rm["nesting"] == "wrapper", rm
    git = ir["commands"][keys.index("git log")]
    assert set(git["flags"]) == {"-*", "--format"}, git
    (redirect,) = ir["redirects"]
    assert (redirect["op"], redirect["target"], redirect["writes"]) == (">", "out", True), redirect
    assert "&&" in [operator["text"] for operator in ir["operators"]], ir
    answers, _ = batch(box, [{"id": 1, "cmd": "echo 'x"}], "--ir")
    (error,) = answers[0]["ir"]["errors"]
    assert list(error) == ["byte", "line", "column", "found"], error


@test(once=True)
def output_is_one_line_of_utf8_whatever_comes_in(box):
    for text in (
        "ls \n\r\t\b\f\x1f\x7f",
        "echo $'\\xff\\n'",
        "echo $'\\u0085\\u2028'",
        'cd "\n"',
        "echo \\\xff > \xfe",
    ):
        result = box.run_zs("vet", "--ir", "-", stdin=text)
        expect(result.stdout.count("\n") == 1 and result.stdout.endswith("\n"), result)
        json.loads(result.stdout.encode("latin-1").decode("utf-8"))
