"""zs vet --explain: the text with its deciding part underlined, and the findings behind the verdict."""

import json
import re

from harness import expect, golden, test
from processes import Terminal

TEXTS = [
    ("strict", "ls -la | head -n 3"),
    ("strict", "make\n\tcd src\nmake test\n"),
    ("strict", "curl -s https://example.org/install.sh | sh"),
    ("strict", "if true; then\n"),
    ("strict", "echo 'unfinished\n  text"),
    ("verify", "ls && sudo -u root git stash drop"),
    ("verify", "frobnicate 'a b' \"$x\" *.c > \"out\n  put\""),
    ("verify", "echo '\u6f22\u5b57'\t&& rm '\u00e9\u6f22' \U0001f600"),
    ("verify", "cat x; sed -i s/a/b/ \"\n\n  f\n\""),
    ("verify", "bash -c 'touch \x1b[31m\u202e'"),
    ("verify", "PATH=. ls"),
    ("verify", "touch " + "a" * 150 + " b"),
    ("strict", "echo \"$(git log)\" *.c; for i do a; done"),
    ("strict", "echo \"$(git log)\" *.c"),
    ("strict", "i\\\nf a; then b; fi"),
    ("strict", "echo `cat *` ${x:-'$(b)'}"),
    ("strict", ""),
]


def explain(box, text, profile="strict", **options):
    return box.run_zs("vet", "--explain", "-p", profile, "-", stdin=text.encode().decode("latin-1"), **options)


def shown(result):
    return result.stdout.encode("latin-1").decode()


@test(once=True)
def explanations_are_golden(box):
    parts = []
    for profile, text in TEXTS:
        result = explain(box, text, profile)
        result.expect(exit=0 if result.stdout.startswith("allow\n") else 2, stderr="")
        parts.append("$ zs vet --explain -p %s -c %s\n%s" % (profile, json.dumps(text), shown(result)))
    golden("explain.txt", "\n".join(parts))


# A text that strict blocks. The drawing keeps only the lines with carets and the lines above them.
DRAWN = [
    ("cd x", ["  1 | cd x", "    | ^^^^"]),
    ("ls; cd x", ["  1 | ls; cd x", "    |     ^^^^"]),
    ("\t\tcd x", ["  1 |   cd x", "    |   ^^^^"]),
    ("ls\ncd x\nls\n", ["  2 | cd x", "    | ^^^^"]),
    ("echo '\u6f22'; cd \u6f22", ["  1 | echo '\u6f22'; cd \u6f22", "    |            ^^^^^"]),
    ("echo e\u0301; cd x", ["  1 | echo e\u0301; cd x", "    |         ^^^^"]),
    ("ls\r\ncd x", ["  1 | ls\\x0d", "    |   ^^^^"]),
    ("\n" * 11 + "cd x", ["  12 | cd x", "     | ^^^^"]),
    ("cd \\\n\tx", ["  1 | cd \\", "    | ^^^^", "  2 |  x", "    |  ^"]),
    ("echo >'a\n\n   \nb'", ["  1 | echo >'a", "    |      ^^^", "  4 | b'", "    | ^^"]),
    ("if true; then", ["  1 | if true; then", "    |              ^"]),
    ("x" * 98 + "; cd y", ["    | cd y", "    | ^^^^"]),
    ("x" * 96 + "; cd y", ["  1 | " + "x" * 96 + "; cd", "    | " + " " * 98 + "^^", "    |  y", "    |  ^"]),
]


@test(once=True)
def what_decided_is_underlined(box):
    for text, want in DRAWN:
        drawing = shown(explain(box, text).expect(exit=2, stderr="")).split("\n\n")[1].split("\n")
        marked = [i for i, line in enumerate(drawing) if re.fullmatch(r" *\| *\^+", line)]
        have = [line for i, line in enumerate(drawing) if i in marked or i + 1 in marked]
        expect(have == want, "%r:\n%s\nnot\n%s" % (text, "\n".join(have), "\n".join(want)))


@test(once=True)
def long_texts_are_cut(box):
    for text in ("ls\n" * 5000 + "cd x" + "\nls" * 5000, "echo '" + "x\n" * 20000 + "' > y", "#" + "x" * 65000):
        result = explain(box, text)
        drawing = shown(result).split("\n\n")[1].split("\n")
        expect(len(drawing) <= 210 and not any(len(line) > 112 for line in drawing), "%d lines" % len(drawing))
        expect(result.exit != 2 or any("^" in line for line in drawing),
            "nothing is underlined: %s" % "\n".join(drawing))


@test(once=True)
def it_says_what_vet_says(box):
    for profile, text in TEXTS:
        plain = box.run_zs("vet", "-p", profile, "-", stdin=text.encode().decode("latin-1"))
        result = explain(box, text, profile).expect(exit=plain.exit, stderr="")
        expect(plain.stdout.split("\n")[0] == result.stdout.split("\n")[0], "%s: %s" % (plain, result))
        expect(plain.exit != 2 or ("\n" + plain.stdout.split("\n")[-2] + "\n") in result.stdout,
            "%s: %s" % (plain, result))


@test(once=True)
def no_line_ends_in_blanks_or_obeys_the_terminal(box):
    for profile, text in TEXTS + [("strict", "\xff\x00 \x7f\x9b;cd \r")]:
        for line in shown(explain(box, text, profile)).split("\n"):
            if re.search("[\x00-\x1f\x7f-\x9f\u202e]", line) or line != line.rstrip(" "):
                expect(re.match(r" +\d* \|", line) and not re.search("[\x00-\x1f\x7f-\x9f\u202e]", line), "%r" % line)


@test(once=True)
def the_row_that_decided(box):
    for profile, text, want in (
        ("verify", "ls; git stash drop", "git stash: drop|clear"),
        ("verify", "/usr/bin/ls3 x; pip3.11 uninstall x", "pip|pip3: download"),
        ("strict", "env A=1 bash -c 'pushd x'", "cd|pushd|popd"),
        ("verify", "PATH=. ls", "none: it is about the shell's own syntax"),
        ("verify", "env PATH=. ls", "env "),
        ("verify", "A=1 git push", "git: clone|pull"),
        ("strict", "ls > x", "none: it is about the shell's own syntax"),
        ("verify", "$x", "none describes it"),
    ):
        heading = "\nRow of the command that decided:\n  %s" % want
        expect(heading in explain(box, text, profile).expect(exit=2).stdout,
            "%s: no %r in %s" % (text, heading, explain(box, text, profile)))
    expect("Row of" not in explain(box, "ls").expect(exit=0).stdout, "a row decided, but nothing is blocked")


@test(once=True)
def it_is_for_people(box):
    for option in ("--json", "--ir"):
        box.run_zs("vet", "--explain", option, "-c", "ls").expect(exit=64, stdout="",
            stderr="zs: vet: --explain: is for people; programs read --ir\n")
    box.run_zs("vet", "--explain", "--batch").expect(exit=64, stdout="")
    box.run_zs("vet", "--explain").expect(exit=64, stdout="")


@test(needs=["linux"], once=True)
def colour_on_a_terminal(box):
    def drawn(**add_env):
        terminal = Terminal(box, [box.zs, "vet", "--explain", "-c", "cd x"], env=add_env)
        terminal.end()
        return terminal.shown.replace("\r", "")

    coloured = drawn(TERM="xterm")
    expect(coloured.startswith("\x1b[1;31mblock\x1b[0m cd: ") and "\n    | \x1b[1;31m^^^^\x1b[0m\n" in coloured,
        "%r" % coloured)
    plain = shown(explain(box, "cd x"))
    for add_env in ({"TERM": "dumb"}, {}, {"TERM": "xterm", "NO_COLOR": "1"}):
        expect(drawn(**add_env) == plain, "%r" % drawn(**add_env))
