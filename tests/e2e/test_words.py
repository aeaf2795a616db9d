"""Words: zs unquotes them as the real bash does.

bash runs each word in `printf '%s\\0' WORD` in an empty folder. The test compares the output with the argv that zs
reports. A word that zs calls dynamic (null) is not compared; a word that zs does not read is counted.
"""

import json
import random
import subprocess

from harness import expect, test

SEED = 20261121
GENERATED = 600
# Shares that may only fall: of words that zs blocks although bash reads them, and of argv with a null.
UNREAD_MAX = 0.06
DYNAMIC_MAX = 0.35

WORDS = r"""
a | ab-c_d.e/f | 'a b' | "a b" | a\ b | a'b'"c"d | '' | "" | ''a'' | a"" | 'a''b' | 'a"b' | "a'b" | "a\"b"
"a\\b" | "a\b" | "a\$b" | "a\`b" | "\a\!\n" | \a\b | \\ | \' | \" | \$x | \` | \* | \? | \[a\] | \{a,b\} | \~
\# | a#b | \; | \& | \| | \( | \< | "$" | $ | a$ | '$x' | "a$" | "$ a" | a$/ | "\\\\" | '\' | '\\' | "*" | '?'
"[a]" | '{a,b}' | "{a,b}" | "~" | '~' | $'a' | $'a b' | $'\a\b\e\E\f\n\r\t\v' | $'\\' | $'\'' | $'\"' | $'\?'
$'\x41' | $'\x4' | $'\x4g' | $'\x414' | $'\x' | $'\xg' | $'\101' | $'\1012' | $'\60' | $'\7' | $'\377' | $'\400'
$'\u41' | $'\u0041' | $'\u00411' | $'\U41' | $'\U00000041' | $'\u' | $'\uz' | $'\z' | $'\ca' | $'\c[' | $'a\'b'
$'a"b' | $'$x' | $'`a`' | $'' | $'a'$'b' | a$'b'c | "$'a'" | '$'\''a' | $'\x{41}' | $'\x7f' | $'\xc3\xa9'
$'\303\251' | é | 'é' | "日本語" | a\é | $'é' | é{a,b} | ~ | ~/a | a~ | a~b | ~root | a=~ | a=~/b | a:~ | a=b:~
\~/a | ~\/a | --x=~ | --x=~/a | {a,b} | x{a,b}y | {a,b}{c,d} | {a,{b,c}} | {{a,b},{c,d}} | {a,b,c}d{e,f} | {a}
{} | {a,} | {,a} | {,} | a{,} | a{,b} | {a,b | a,b} | {a,b}} | {{a,b} | {a\,b,c} | {a\,b} | {'a',b} | {'a,b',c}
{"a,b",c} | {a,'b c'} | {a,b\ c} | {"{a","b}"} | \{a,b} | {a,b\} | {a,\}b} | {a,b}{ | }{a,b} | {a,{b} | {a,b},c
{1..3} | {3..1} | {a..e} | {e..a} | {1..10..3} | {10..1..3} | {1..10..-3} | {a..k..2} | {01..3} | {1..03}
{001..3} | {-1..1} | {-01..1} | {1..-01} | {0..0} | {1..1} | {a..a} | {1..a} | {a..1} | {A..C} | {x..z}{1..2}
{1..} | {..1} | {1..2..} | {1...3} | {1..2..0} | {+1..3} | {1..2..a} | {a..c..1} | {1.5..2} | {1..3}{a,b}
{{1..3},x} | {a,b..c} | {1..3,a} | {0x1..0x3} | {1..'3'} | {'1'..3} | {1\..3} | {1..3..2..1} | {-3..-1}
{9..11} | {09..11} | {-5..5..5} | {aa..cc} | {a..C} | {Z..a} | {y..B..7} | {a}b,c} | x{a}b,c} | {1..2}{a}b,c}
{a}{1..2}b,c} | {a}{1,2}b,c} | {}a,b} | x{}a,b} | {a{b}c,d} | {{a}b,c} | {a}b{c,d} | {a},b} | {a,}'' | {,a}""
{,}{a,} | {'',a} | *.c | ? | [a] | [a | a] | [] | [!a] | a*b | a[b]c | a?b | [a-z] | "*"* | \** | [\]] | ['a']
!a | a! | a!b | 'a!b' | a^b | ^a | % | %1 | @ | a@b | + | +x | -x | -- | --x=y | a=b | a=b=c | a='b c' | a="b"
=a | 1a | 1 | 12 | a+=b | a[1]=b | a[1] | x:y | x,y | a.b | . | .. | /a//b | a-b | a\-b | :a | , | @a | ]a | ]]
a]] | if | then | fi | do | in | case | esac | 'if' | time | function | { | } | ! | !! | [[ | select
a"b"'c'$'d'\e | "a"b'c' | 'a'"'"'b' | "'"'"' | \'\" | "\"'\"" | '"'"'"'"' | a\"b\"c | a\\b | a\\\b | "a\\\"b"
'a\'b | "a\\"b | a'\'b | "\'" | a""b | ''"" | \a'' | ''\a | file\ with\ spaces.txt | "it's" | 'say "hi"' | a\|b
a\>b | a\&\&b | 's/a/b/g' | "s/a\/b/c/" | -e's/ / /' | --foo="a b" | -DX='"y"' | 'a;b' | a\;b | "a|b" | '(a)'
\(a\) | s3://a/b?c | 'http://x/?a=1&b=2' | a%20b | x@y.z | {a,b}@{1,2} | v{1,2}.{0..2} | {,.}a | a{,.bak}
src/{a,b}/{c,d}.h | {a,b}\ c | "{a,b}"{c,d} | {a,"b"{c,d}}
"""

# Words that cannot stand in such lines.
MORE_WORDS = ["\"a\nb\"", "'a\nb'", "a\\\nb", "\"a\\\nb\"", "'a\\\nb'", "a\\\n'b'", "\\\na", "a\\\n\\\nb",
        "$'a\\\nb'", "$'a\nb'", "{a\\\n,b}",
    "{a,\\\nb}", "\"{a\\\n,b}\"", "a\\\n{b,c}", "\"\\\n\"", '""' * 2, "a" + "''" * 2 + "b", "'a'\\\n\"b\"",
        "$\\\n'a'", "\\a\\\nb", "{1.\\\n.3}",
    "-\\\n-x", "a\\\n "] + """
{{a},},} | {{a},b},c} | {..{a,b}} | x{}{..{,}}} | x{{a,b}..a}{a,b} | {x..{1..2}{}},} | {1..2\\,} | {{{a},},}
""".strip().split(" | ")

PIECES = {
    "plain": ["a", "bc", "-x", "--", "=", ":", ".", "/", "1", "12", "@", "%", "+", ",", "_", "#", "!", "^", "]"],
    "single": ["''", "'a'", "'a b'", "'\"'", "'$x'", "'\\'", "'*'", "'{a,b}'", "'a\nb'", "'`a`'", "'#'"],
    "double": ['""', '"a"', '"a b"', "\"'\"", '"\\""', '"\\\\"', '"\\$x"', '"\\`a"', '"\\a"', '"*"', '"{a,b}"',
        '"a\nb"', '"\\\n"', '"$"'],
    "ansi": ["$''", "$'a'", "$'\\n'", "$'\\t\\e'", "$'\\''", "$'\\\"'", "$'\\\\'", "$'\\x41'", "$'\\x4'", "$'\\101'",
        "$'\\7'", "$'\\u41'",
        "$'\\U00000042'", "$'\\z'", "$'\\?'", "$'\\a\\b\\f\\v\\r'", "$'$x'", "$'\\xc3\\xa9'", "$'\\x412'", "$'\\0601'"],
    "escaped": ["\\a", "\\ ", "\\\\", "\\'", '\\"', "\\$", "\\`", "\\*", "\\?", "\\[", "\\{", "\\}", "\\,", "\\~",
        "\\#", "\\;", "\\&", "\\|", "\\(",
        "\\)", "\\<", "\\>", "\\\n", "\\!", "\\\t"],
    "brace": ["{a,b}", "{a,b", "a,b}", "{1..3}", "{3..1}", "{a..c}", "{01..3}", "{1..9..4}", "{,a}", "{a,}", "{}",
        "{a}", "{a,{b,c}}", "{{1..2},x}",
        "{'a',b}", "{a\\,b,c}", "{\"a b\",c}", "{", "}", "{$'a',b}", "{1..2..0}", "{-1..1}", "{a..1}"],
    "glob": ["*", "?", "[a]", "[", "[!a]", "*.c"],
    "tilde": ["~", "~/a", "=~", ":~"],
    "utf8": ["é", "日", "'é'", "\\é", "ß{a,b}"],
}
# A backslash before a newline is rare, and a glob makes a word dynamic, so both come less often.
WEIGHTS = {"plain": 8, "single": 5, "double": 5, "ansi": 5, "escaped": 5, "brace": 6, "glob": 1, "tilde": 1, "utf8": 2}


def handwritten():
    return [word for line in WORDS.strip().split("\n") for word in line.split(" | ")] + MORE_WORDS


def generated():
    chance = random.Random(SEED)
    kinds = [kind for kind, weight in WEIGHTS.items() for _ in range(weight)]
    for _ in range(GENERATED // 4): # braces in braces: what is no sequence, what closes where
        yield "x" + "".join(chance.choice(["{", "{", "}", "}", ",", ",", "a", "..", "{a,b}", "{1..2}"])
            for _ in range(chance.randint(3, 9)))
    for _ in range(GENERATED):
        yield "".join(chance.choice(PIECES[chance.choice(kinds)]) for _ in range(chance.randint(1, 5)))


def ask_zs(box, commands):
    lines = [json.dumps({"id": i, "cmd": command, "profile": "strict"}) for i, command in enumerate(commands)]
    result = box.run_zs("vet", "--batch", "--ir", stdin="\n".join(lines) + "\n")
    answers = [json.loads(line.encode("latin-1").decode("utf-8")) for line in result.stdout.split("\n") if line]
    expect(len(answers) == len(commands),
        "%d answers to %d commands: %s" % (len(answers), len(commands), result.stderr))
    return answers


def ask_bash(box, commands):
    """For each command the arguments that printf got; None if bash does not read the command."""
    empty = box.folder("empty")
    said = []
    for command in commands:
        done = subprocess.run(["bash", "--norc", "--noprofile", "-c", command], stdin=subprocess.DEVNULL, cwd=empty,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=box.env, **box.user.spawn_options())
        said.append(done.stdout.split(b"\0")[:-1] if done.returncode == 0 and not done.stderr else None)
    return said


def compare(box, words):
    """Returns the differences as text, and the numbers of unread, dynamic and compared words."""
    commands = [r"printf '%s\0' " + word for word in words]
    differences, unread, dynamic, compared = [], [], 0, 0
    for word, zs, bash in zip(words, ask_zs(box, commands), ask_bash(box, commands)):
        if bash is None:
            continue
        if zs["verdict"] != "allow":
            unread.append((word, zs["reason"]))
            continue
        if len(zs["ir"]["commands"]) != 1:
            differences.append("%r: zs sees %d commands" % (word, len(zs["ir"]["commands"])))
            continue
        have = zs["ir"]["commands"][0]["argv"][2:]
        # Without a word printf prints one empty argument.
        want = [argument.decode("utf-8", "replace") for argument in bash]
        if None in have:
            dynamic += 1
            continue
        compared += 1
        if (have or [""]) != want:
            differences.append("%r: zs %r, bash %r" % (word, have, want))
    return differences, unread, dynamic, compared


def check(box, words):
    differences, unread, dynamic, compared = compare(box, words)
    total = len(unread) + dynamic + compared
    print("  %d words: %d compared, %d dynamic, %d unread (%.1f %%)" % (
        total, compared, dynamic, len(unread), 100.0 * len(unread) / total))
    expect(not differences, "%d words differ:\n    %s" % (len(differences), "\n    ".join(differences)))
    expect(len(unread) <= UNREAD_MAX * total,
        "%d of %d words are not read:\n    %s" % (len(unread), total, "\n    ".join("%r: %s" % row for row in unread)))
    expect(dynamic <= DYNAMIC_MAX * total, "%d of %d words are dynamic" % (dynamic, total))
    expect(compared >= 100, "only %d words were compared" % compared)


@test(needs=["bash"], once=True)
def handwritten_words(box):
    check(box, handwritten())


@test(needs=["bash"], once=True)
def generated_words(box):
    check(box, list(generated()))


@test(needs=["bash"], once=True)
def words_in_the_name(box):
    """The name of a command is a word like any other. The name that bash cannot find must be the name in zs's
    report."""
    words = ["'no'such", "no\"such\"", "\\nosuch", "$'no\\x73uch'", "no''such", "./a/no'su'ch", "no{such,}",
        "n\\o\\s\\u\\ch"]
    for word, zs in zip(words, ask_zs(box, words)):
        done = subprocess.run(["bash", "--norc", "-c", word], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd="/",
            env=box.env, **box.user.spawn_options())
        name = zs["ir"]["commands"][0]["argv"][0]
        expect(done.returncode == 127 and (": %s: " % name) in done.stderr.decode(),
            "%r: zs %r, bash %r" % (word, name, done.stderr))
