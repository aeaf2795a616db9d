"""zs mcp: raw transcripts of both eras of the protocol, and attacks by a client, a model or a command."""

import contextlib
import json
import os
import random
import re
import signal
import subprocess

from harness import TIMEOUT, Changed, Failure, connect, expect, expect_fields, golden, listener, test
from mcp_client import META, MODERN, PREFIX, Server
from no_namespaces import no_namespaces, without
from processes import asleep, new_mark, wait_until


def text_of(result):
    return result["content"][0]["text"]


def stubborn(mark):
    """A command that ignores SIGTERM, with a process that has left the command's session and process group."""
    return "trap '' TERM HUP INT; setsid setsid sleep %s & sleep %s; sleep %s" % (mark, mark, mark)


# -------------------------------------------------------------------------------------------------- transcripts

MODERN_META = json.dumps(META)
TRANSCRIPTS = {
    "legacy": (
        '{"jsonrpc":"2.0","id":0,"method":"tools/list"}',
        '{"jsonrpc":"2.0","id":"early","method":"ping"}',
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},'
        '"clientInfo":{"name":"c","version":"0"}}}',
        '{"jsonrpc":"2.0","method":"notifications/initialized"}',
        '{"jsonrpc":"2.0","id":"i2","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}',
        '{"jsonrpc":"2.0","id":"i3","method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{}}}',
        '{"jsonrpc":"2.0","id":"i4","method":"initialize","params":{"capabilities":{}}}',
        '{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}',
        '{"jsonrpc":"2.0","id":"\\u00e9\\u0000\\n\\"","method":"ping","params":{}}',
        '{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}',
        '{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"2"}}',
        '{"jsonrpc":"2.0","id":4,"method":"resources/list"}',
        '{"jsonrpc":"2.0","id":5,"method":"server/discover"}',
        '{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"bash","arguments":{"command":"cd /"}}}',
        '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"sh","arguments":{"command":"ls"}}}',
        '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}',
        '{"jsonrpc":"2.0","method":"notifications/nonsense","params":{}}',
        '{"jsonrpc":"2.0","id":8,"result":{}}',
    ),
    "modern": (
        '{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":%s}}' % MODERN_META,
        '{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":%s}}' % MODERN_META,
        '{"jsonrpc":"2.0","id":3,"method":"server/discover","params":{"_meta":{"%sprotocolVersion":"2099-01-01"}}}'
        % PREFIX,
        '{"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"_meta":{"%sprotocolVersion":"2025-06-18"}}}' % PREFIX,
        '{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"_meta":{"%sprotocolVersion":"%s"}}}'
        % (PREFIX, MODERN),
        '{"jsonrpc":"2.0","id":6,"method":"ping","params":{"_meta":%s}}' % MODERN_META,
        '{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"_meta":%s}}' % MODERN_META,
        '{"jsonrpc":"2.0","id":8,"method":"server/discover"}',
        '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"bash","arguments":{"command":"eval $X"},'
        '"_meta":%s}}' % MODERN_META,
        '{"jsonrpc":"2.0","id":10,"method":"subscriptions/listen","params":{"_meta":%s}}' % MODERN_META,
    ),
}


@test(once=True)
def transcripts_are_golden(box):
    """A line from a client, and the answer to it: nothing, or one line."""
    for name, lines in TRANSCRIPTS.items():
        text = ""
        with Server(box, open=False) as server:
            for number, line in enumerate(lines):
                server.write(line.encode() + b"\n")
                server.write(b'{"jsonrpc":"2.0","id":"mark %d","method":"ping"}\n' % number)
                text += "> %s\n" % line
                while True:
                    answer = server.read()
                    if answer["id"] == "mark %d" % number:
                        break
                    text += "< %s\n" % json.dumps(answer, ensure_ascii=False)
            expect(server.end() == (0, ""), "it did not end well")
        golden("mcp-%s.txt" % name, re.sub(r'"version": "\d+\.\d+\.\d+"', '"version": "V"', text))


# A line, the id of its answer, and the error. The server goes on after each.
BAD_LINES = [
    (b"{", None, -32700),
    (b"nonsense", None, -32700),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping"', None, -32700),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping"}}', None, -32700),
    (b'{"jsonrpc":"2.0","id":1,"method":"\xff"}', None, -32700),
    (b'{"jsonrpc":"2.0","id":1,"method":"\x00"}', None, -32700),
    (b"\x00", None, -32700),
    (b"[" * 65 + b"]" * 65, None, -32700),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":' + b"[" * 63 + b"]" * 63 + b"}}", None, -32700),
    (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', None, -32600),
    (b"[]", None, -32600),
    (b"1", None, -32600),
    (b'"ping"', None, -32600),
    (b"null", None, -32600),
    (b"{}", None, -32600),
    (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', 1, -32600),
    (b'{"id":1,"method":"ping"}', 1, -32600),
    (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', None, -32600),
    (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', None, -32600),
    (b'{"jsonrpc":"2.0","id":1e3,"method":"ping"}', None, -32600),
    (b'{"jsonrpc":"2.0","id":[1],"method":"ping"}', None, -32600),
    (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', None, -32600),
    (b'{"jsonrpc":"2.0","id":"' + b"x" * 257 + b'","method":"ping"}', None, -32600),
    (b'{"jsonrpc":"2.0","id":1}', 1, -32600),
    (b'{"jsonrpc":"2.0","id":1,"method":1}', 1, -32600),
    (b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', None, -32600),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping","method":"ping"}', None, -32600),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', 1, -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}', 1, -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":1}}', 1, -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{},"_meta":{}}}', 1, -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":[]}}}', 1, -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":1.5}}}', 1, -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"nonsense"}', 1, -32601),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping\\u0000"}', 1, -32601),
    (b'{"jsonrpc":"2.0","id":1,"method":"notifications/cancelled"}', 1, -32601),
    (b'{"jsonrpc":"2.0","id":1,"method":"tools/call"}', 1, -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{"command":"ls"}}}', 1, -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bash\\u0000"}}', 1, -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bash","arguments":"ls"}}', 1, -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bash","arguments":{},"arguments":{}}}', 1,
        -32602),
]
# These get no answer.
IGNORED_LINES = [b"", b" \t\r", b'{"jsonrpc":"2.0","method":"nonsense"}',
    b'{"jsonrpc":"2.0","method":"notifications/cancelled"}',
    b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}}',
    b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}',
    b'{"jsonrpc":"2.0","method":"tools/call","params":{"name":"bash","arguments":{"command":"touch ran"}}}',
    b'{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"x"}}']


@test(once=True)
def bad_lines_are_answered_and_the_server_lives(box):
    with Server(box) as server:
        for line, id, code in BAD_LINES:
            server.write(line + b"\n")
            answer = server.read()
            expect(answer["id"] == id and answer["error"]["code"] == code and answer["error"]["message"],
                "%r: %s" % (line, answer))
        for line in IGNORED_LINES:
            server.write(line + b"\n")
            count = len(server.messages)
            server.alive()
            expect(len(server.messages) == count + 1, "%r: %s" % (line, server.messages[count:]))
        expect(not os.path.exists(box.work + "/ran"), "a notification ran a command")


@test(once=True)
def a_message_may_have_a_mebibyte(box):
    with Server(box) as server:
        head, end = b'{"jsonrpc":"2.0","id":5,"method":"ping","params":{"x":"', b'"}}'
        fits = head + b"x" * (1024 * 1024 - len(head) - len(end)) + end
        server.write(fits + b"\n")
        expect_fields(server.read(), {"id": 5, "result": {}})
        for line in (head + b"x" + fits[len(head):], b"[" * 3000000, b"x" * 5000000):
            server.write(line + b"\n")
            answer = server.read()
            expect(answer["id"] is None and "1048576 bytes" in answer["error"]["message"],
                "%d bytes: %s" % (len(line), answer))
            server.alive()


BAD_ARGUMENTS = ["{}", '{"command":1}', '{"command":["ls"]}', '{"command":null}', '{"command":"touch ran\\u0000"}',
    '{"command":"touch ran","command":"touch ran"}', '{"command":"touch ran","timeout":"5"}',
    '{"command":"touch ran","timeout":0}', '{"command":"touch ran","timeout":-1}',
    '{"command":"touch ran","timeout":null}',
    '{"command":"touch ran","timeout":1e999}', '{"command":"touch ran","timeout":true}',
    '{"command":"touch ran","cwd":"/"}', '{"command":"touch ran","description":5}',
    '{"Command":"touch ran"}', '{"command\\u0000":"touch ran"}']


@test(once=True)
def bad_arguments_are_told_to_the_model(box):
    with Server(box) as server:
        for arguments in BAD_ARGUMENTS:
            server.write(b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bash","arguments":%s}}\n'
                % arguments.encode())
            result = server.read()["result"]
            expect_fields(result, {"isError": True})
            expect_fields(result["structuredContent"], {"verdict": "block", "code": "bad_input", "exit": None})
            expect("argument" in text_of(result), "%s: %s" % (arguments, result))
        server.alive()
    expect(not os.path.exists(box.work + "/ran"), "it ran")


# -------------------------------------------------------------------------------------------------------- calls


@test(needs=["sandbox", "bash"])
def calls_come_back(box):
    cases = (
        ("echo a; echo b >&2", False, {"output": "a\nb\n", "exit": 0, "signal": None}, "a\nb\n"),
        ("true", False, {"output": "", "exit": 0}, "(no output)"),
        ("printf x; exit 3", True, {"output": "x", "exit": 3, "signal": None}, "x\n[exit 3]"),
        ("kill -SEGV $$", True, {"exit": 139, "signal": "SIGSEGV"}, "[exit 139: SIGSEGV]"),
        ("no-such-program-at-all", True, {"exit": 127}, None),
        ("cat; echo end", False, {"output": "end\n"}, "end\n"),
        ("test -t 0 || test -t 1 || test -t 2 || echo none", False, {"output": "none\n"}, None),
        ("printf '\\xff\\xc3\\xa9\\x00\\x1b[1m'", False, {"output": "\ufffd\u00e9\0\x1b[1m"}, None),
        ("printf '\\xc2\\x85\\xe2\\x80\\xa8[]\\xe2\\x80\\xa9\\x0b\\x1e'", False, {"output": "\x85\u2028[]\u2029\v\x1e"},
            None),
        ("-c 'touch x'", True, {"exit": 127}, None),
    )
    for modern in (False, True):
        with Server(box, modern=modern) as server:
            for command, is_error, fields, text in cases:
                result, structured = server.run(command)
                expect_fields(structured, {"verdict": "allow", "code": None, "timed_out": False, "truncated": False,
                    "denials": [], **fields})
                expect_fields(result, {"isError": is_error})
                expect((text is None or text_of(result) == text) and ("resultType" in result) == modern,
                    "%s: %s" % (command, result))
            expect(server.end() == (0, ""), "it did not end well")


@test(needs=["bash"])
def what_is_blocked_does_not_run(box):
    box.folder("home/project/sub")
    for options, command, code in (
        ([], "cd sub && ls", "cd"),
        ([], "touch new; pushd sub", "cd"),
        ([], "echo x > new", "redirect"),
        ([], "echo 'unfinished", "syntax_error"),
        ([], "x" * 70000, "limit"),
        (["--profile", "verify"], "touch new", "write"),
        (["-p", "verify"], "git commit -m x", "repo_state"),
        (["--profile", "relaxed"], "touch new; eval \"$X\"", "eval"),
    ):
        harm = Changed(box, box.work)
        with Server(box, *options) as server:
            result, structured = server.run(command)
        expect_fields(result, {"isError": True})
        expect_fields(structured, {"verdict": "block", "code": code, "output": "", "exit": None, "timed_out": False})
        for part in (structured["reason"], structured["hint"]):
            expect(part in text_of(result) and structured["reason"], "%s: %s" % (command, result))
        expect(not harm(), "%s: it ran" % command)


@test(needs=["sandbox", "bash"])
def nothing_is_kept_between_calls(box):
    with Server(box) as server:
        server.run("export X=1; touch /tmp/x kept; shopt -s extglob; sleep 3000 & umask 0")
        result, _ = server.run("echo ${X:-unset}; ls -A /tmp; ls; jobs; umask; pgrep sleep; pwd")
        expect(text_of(result) == "unset\nkept\n0022\n%s\n" % box.work, result)


STATE = ("env | grep -v '^_=' | sort; pwd; id; ulimit -a; umask; ls -a / /dev; test \"$(ls /tmp)\" "
    "&& echo /tmp has files; grep -E '^(Cap|NoNew|Secc)' "
    "/proc/self/status; cut -d' ' -f4- /proc/self/mountinfo | sed 's/master:[0-9]* //; s/[0-9]*:[0-9]* //' | sort; "
    "readlink /proc/self/fd/* | sed 's/[0-9][0-9]*/N/'; ls -l /proc/self/fd | wc -l; cat /proc/net/dev | cut -d: -f1; "
    "trap; set -o; ps -o args | wc -l")


@test(needs=["sandbox", "bash"])
def what_it_reaches_is_what_zs_bash_reaches(box):
    """The same environment as the shell sees it, except for the standard input and the missing terminal."""
    for options in ([], ["--profile", "verify"], ["--net", "full", "--tmp", "shared", "--ro", box.outside,
            "--setenv", "A=b", "--limit", "files=99"]):
        with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as cat:
            done = subprocess.run([box.zs, "bash", *options, "-c", STATE], stdin=subprocess.DEVNULL, stdout=cat.stdin,
                stderr=subprocess.STDOUT, env=box.env, cwd=box.work, timeout=TIMEOUT, **box.user.spawn_options())
            want = cat.communicate()[0].decode()
        with Server(box, *options) as server:
            _, structured = server.run(STATE)
        # An overlay's options name descriptors, and the server's run has one more, for the network's decisions.
        have, want = (re.sub("/fd/[0-9]+", "/fd/N", text) for text in (structured["output"], want))
        expect(have == want and structured["exit"] == done.returncode and "NoNewPrivs:\t1" in want,
            "%s:\n%s\nis not\n%s" % (options, have, want))


@test(needs=["sandbox", "bash"])
def it_is_confined(box):
    with listener() as port, Server(box, "--profile", "relaxed") as server:
        for attack in ("cat %s" % box.key, "touch %s/new" % box.outside, connect(port)):
            expect(box.run(["bash", "-c", attack]).exit == 0, "control: %s fails without zs too" % attack)
            if os.path.exists(box.outside + "/new"):
                os.remove(box.outside + "/new")
            result, structured = server.run("echo started; " + attack)
            expect(structured["exit"] != 0 and structured["output"].startswith("started\n"),
                "%s: %s" % (attack, result))
    expect(not os.path.exists(box.outside + "/new"), "it wrote outside")


@test(needs=["sandbox", "bash", "curl"])
def network_denials_are_structured(box):
    with Server(box, "--host", "good.test.example") as server:
        result, structured = server.run("for i in 1 2; do curl -sS http://evil.test.example/; done; echo end")
        expect_fields(result, {"isError": False})
        expect(structured["denials"] == [{"kind": "network", "host": "evil.test.example", "port": 80,
            "reason": "is not listed"}], result)
        # The answer reports each of them separately, up to a limit.
        names = " ".join("http://h%d.test/" % i for i in range(40))
        _, structured = server.run("for u in %s; do curl -sS $u; done" % names)
        expect([denial["host"] for denial in structured["denials"]] == ["h%d.test" % i for i in range(32)],
            structured["denials"])


@test(needs=["sandbox", "bash", "curl"])
def denials_without_a_network_are_structured(box):
    with Server(box) as server:
        _, structured = server.run("curl -sS https://evil.test.example/")
        expect(structured["denials"] == [{"kind": "network", "host": "evil.test.example", "port": 0,
            "reason": "is not listed"}], structured)
        expect("zs: denied resolve evil.test.example (" in structured["output"], structured)


@test(needs=["sandbox", "bash"])
def each_call_starts_in_the_workspace(box):
    other = box.folder("home/other")
    for workspace in (other, "../other", "~/other"):
        with Server(box, "--workspace", workspace) as server:
            _, structured = server.run("pwd; touch new; ls; touch %s/new" % box.work)
            expect(structured["output"].startswith("%s\nnew\ntouch: " % other) and structured["exit"] == 1,
                "%s: %s" % (workspace, structured))
    expect(not os.path.exists(box.work + "/new"), "it wrote in another workspace")


# ------------------------------------------------------------------------------------------ time, size, numbers


@test(needs=["sandbox", "bash"], slow=True)
def the_time_of_a_call_is_limited(box):
    mark = new_mark()
    with Server(box, "--wall", "1s") as server:
        for command, options in (("sleep 3600", {}), ("sleep 3600", {"timeout": 3600}),
                (stubborn(mark), {"timeout": 0.5})):
            result, structured = server.run(command, **options)
            expect_fields(result, {"isError": True})
            expect_fields(structured, {"timed_out": True, "verdict": "allow"})
            expect("timed out" in text_of(result), result)
            wait_until(lambda: not asleep(mark), "it lives on")


@test(needs=["sandbox", "bash"])
def a_command_may_clean_up_at_sigterm(box):
    ready, cleaned = box.work + "/ready", box.work + "/cleaned"
    with Server(box, "--profile", "relaxed") as server:
        server.call("trap ': >cleaned; exit' TERM; : >ready; sleep 3600 & wait", id="long")
        wait_until(lambda: os.path.exists(ready), "not started")
        server.cancel("long")
        wait_until(lambda: os.path.exists(cleaned), "it was killed at once")


@test(needs=["sandbox", "bash"])
def of_long_output_start_and_end_come_back(box):
    whole = "".join("%d\n" % i for i in range(1, 200001))
    for size, kept in (("256", 256), ("1K", 1024), ("1M", 1024 * 1024)):
        with Server(box, "--max-output", size) as server:
            result, structured = server.run("seq 200000")
            expect_fields(structured, {"truncated": True, "exit": 0})
            head, number, tail = re.fullmatch("(.*)\n\u2026 ([0-9]+) bytes left out \u2026\n(.*)", structured["output"],
                re.DOTALL).groups()
            if not (whole.startswith(head) and whole.endswith(tail) and len(head) + len(tail) == kept and
                    int(number) + kept == len(whole)):
                raise Failure("%s: %s" % (size, structured["output"][:500]))
            # A line that just fits stays whole; a line with one byte more does not.
            _, structured = server.run("head -c %d /dev/zero | tr '\\0' x" % kept)
            expect_fields(structured, {"truncated": False, "output": "x" * kept})
            _, structured = server.run("head -c %d /dev/zero | tr '\\0' x" % (kept + 1))
            expect_fields(structured, {"truncated": True})
    with Server(box, "--max-output", "256") as server:
        for first in ("", "x", "xx", "xxx"):
            faces = "for i in {1..400}; do printf '\\xf0\\x9f\\x98\\x80'; done"
            _, structured = server.run("printf '%s'; %s" % (first, faces))
            expect(structured["truncated"] and "\ufffd" not in structured["output"],
                "cut in a character: %s" % structured)


@test(needs=["sandbox", "bash"])
def several_calls_at_a_time(box):
    """One call too many is refused. Meanwhile the rest of the protocol works."""
    wait = "until [ -e go%d ]; do sleep 0.02; done; echo %d"
    with Server(box) as server:
        for i in range(8):
            server.call(wait % (i, i), id="run %d" % i)
        result, structured = server.run("touch ran")
        expect_fields(structured, {"verdict": "block", "code": "busy"})
        expect_fields(result, {"isError": True})
        server.alive()
        server.write(b'{"jsonrpc":"2.0","id":"run 3","method":"ping"}\n')
        expect_fields(server.read(), {"id": "run 3", "error": {"code": -32600,
            "message": "'id' is used by a request that has no answer yet"}})
        for i in reversed(range(8)):
            server.messages.clear()
            box.file("home/project/go%d" % i)
            expect_fields(server.answer("run %d" % i)["result"]["structuredContent"], {"output": "%d\n" % i})
        expect_fields(server.run("echo again")[1], {"output": "again\n"})
    expect(not os.path.exists(box.work + "/ran"), "it ran")


@test(needs=["sandbox", "bash"])
def output_is_streamed_as_progress(box):
    for token in ("t\u00e9", 7):
        with Server(box) as server:
            id = server.call("printf 'one\\xc3'; until [ -e go1 ]; do sleep 0.02; done; printf '\\xa9two'; "
                "until [ -e go2 ]; do sleep 0.02; done; head -c 10000 /dev/zero | tr '\\0' x; "
                "until [ -e go3 ]; do sleep 0.02; done", meta={"progressToken": token})

            def told(text):
                message = server.until(lambda message: text in message.get("params", {}).get("message", ""))
                expect_fields(message, {"method": "notifications/progress"})
                return message["params"]

            expect_fields(told("one"), {"progressToken": token, "message": "one", "total": 120000})
            box.file("home/project/go1")
            told("two")
            box.file("home/project/go2")
            if told("x")["message"].strip("x") != "":
                raise Failure("not the last that was printed: %s" % server.messages)
            box.file("home/project/go3")
            if not server.answer(id)["result"]["structuredContent"]["output"].startswith("one\u00e9twox"):
                raise Failure(str(server.messages[-1]))
            told = [message["params"]["progress"] for message in server.messages if "method" in message]
            expect(told == sorted(set(told)) and not any(b - a < 250 for a, b in zip(told, told[1:])),
                "progress: %s" % told)
            expect(not any(len(message.get("params", {}).get("message", "")) > 4096 for message in server.messages),
                "a message of progress is too long")
        for i in (1, 2, 3):
            os.remove(box.work + "/go%d" % i)


@test(needs=["sandbox", "bash"], once=True, slow=True)
def a_silent_run_shows_that_it_goes_on(box):
    with Server(box) as server:
        id = server.call("until [ -e go ]; do sleep 0.02; done", meta={"progressToken": "t"})
        first, second = server.read(), server.read()
        expect("message" not in first["params"] and not first["params"]["progress"] >= second["params"]["progress"],
            "%s %s" % (first, second))
        box.file("home/project/go")
        expect_fields(server.answer(id)["result"], {"isError": False})


# ------------------------------------------------------------------------------------------------------ the end


@test(needs=["sandbox", "bash"])
def cancelling_ends_all_that_was_started(box):
    for id in ("a", 5):
        mark = new_mark()
        with Server(box) as server:
            server.call(stubborn(mark), id=id, meta={"progressToken": "p"})
            wait_until(lambda: len(asleep(mark)) == 2, lambda: "not started: %s" % asleep(mark))
            server.cancel("5" if id == 5 else 5)
            server.cancel("nobody's")
            server.alive()
            expect(len(asleep(mark)) == 2, "another one was cancelled")
            server.cancel(id)
            server.cancel(id)
            wait_until(lambda: not asleep(mark), lambda: "they live on: %s" % asleep(mark))
            # The slot is free again, and the call gets no further message.
            server.messages.clear()
            server.run("sleep 0.3", id="next", meta={"progressToken": "q"})
            expect(not any(message.get("id") == id or message.get("params",
                {}).get("progressToken") == "p" for message in server.messages),
                "it was heard of: %s" % server.messages)


@test(needs=["sandbox", "bash"])
def its_end_is_the_end_of_every_run(box):
    def close(server):
        return server.end()[0] == 0

    def kill(number):
        def end(server):
            os.kill(server.process.pid, number)
            return server.process.wait(TIMEOUT) == -number

        return end

    def hang_up(server):
        server.process.stdout.close()
        return server.process.wait(TIMEOUT) == 74

    for end in (close, kill(signal.SIGKILL), kill(signal.SIGTERM), kill(signal.SIGINT), hang_up):
        marks = [new_mark(), new_mark()]
        with Server(box) as server:
            for mark in marks:
                server.call(stubborn(mark))
            wait_until(lambda: len(asleep(marks[0])) == len(asleep(marks[1])) == 2, "not started")
            expect(end(server), "it ended by %s" % server.process.returncode)
            wait_until(lambda: not asleep(marks[0]) and not asleep(marks[1]), "they live on")


@test(needs=["sandbox", "bash"], slow=True)
def a_client_that_does_not_read_stops_nothing(box):
    mark = new_mark()
    with Server(box) as server:
        server.call("yes | head -c 3000000; " + stubborn(mark), id="long", meta={"progressToken": 1})
        listing = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode() + b"\n"
        # More than a pipe holds.
        server.write(listing * 200)
        wait_until(lambda: len(asleep(mark)) == 2, "not started")
        server.cancel("long")
        wait_until(lambda: not asleep(mark), "it lives on")
        # The limit on output that is left unread.
        server.call(stubborn(mark), id="again")
        wait_until(lambda: len(asleep(mark)) == 2, "not started")
        with contextlib.suppress(BrokenPipeError):
            for _ in range(400):
                server.write(listing * 100)
        expect(server.process.wait(TIMEOUT) == 74 and b"has not read 64 MiB of answers" in server.process.stderr.read(),
            "exit %s" % server.process.returncode)
        wait_until(lambda: not asleep(mark), "it lives on")


@test(needs=["sandbox", "bash"])
def what_was_answered_before_the_end_is_told(box):
    lines = "\n".join(TRANSCRIPTS["legacy"]) + '\n{"jsonrpc":"2.0","id":"last","method":"ping"}'
    done = box.run_zs("mcp", stdin=lines).expect(exit=0, stderr="")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    expect(answers[-1]["id"] == "last" and len(answers) == 15, answers)


@test(needs=["linux"], once=True)
def standard_descriptors_that_are_closed_or_full(box):
    script = '"$0" mcp %s'
    line = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
    box.run(["sh", "-c", script % "<&-", box.zs]).expect(exit=0, stdout="", stderr="")
    box.run(["sh", "-c", script % ">&-", box.zs], stdin=line).expect(exit=74,
        stderr="zs: mcp: standard output: bad file descriptor\n")
    box.run(["sh", "-c", script % ">/dev/full", box.zs], stdin=line).expect(exit=74,
        stderr="zs: mcp: standard output: no space left on device\n")
    box.run(["sh", "-c", script % "2>&-", box.zs], stdin=line).expect(exit=0,
        stdout='{"jsonrpc":"2.0","id":1,"result":{}}\n')
    box.run(["sh", "-c", script % "</", box.zs]).expect(exit=0, stderr="zs: mcp: standard input: is a directory\n")


# -------------------------------------------------------------------------------------------------- fail closed


@test(needs=["sandbox", "bash"])
def where_it_cannot_be_confined_nothing_runs(box):
    with Server(box, preexec_fn=no_namespaces) as server:
        for _ in range(2):
            result, structured = server.run("echo ran; touch ran")
            expect_fields(result, {"isError": True})
            expect_fields(structured, {"exit": 125})
            expect("zs: sandbox: " in structured["output"] and "ran\n" not in structured["output"], result)
    expect(not os.path.exists(box.work + "/ran"), "it ran")
    # With waived promises the others hold, and the end of the call is the end of all its processes.
    mark = new_mark()
    with Server(box, *without(box), preexec_fn=no_namespaces) as server:
        expect_fields(server.run("cat %s || echo no" % box.key)[1], {"exit": 0})
        server.call(stubborn(mark), id="long")
        wait_until(lambda: len(asleep(mark)) == 2, "not started")
        server.cancel("long")
        wait_until(lambda: not asleep(mark), "it lives on")


@test(needs=["sandbox", "bash"])
def settings_that_cannot_be_read_let_nothing_run(box):
    """Calls are refused until the settings are corrected. The server goes on."""
    box.file("home/.config/zs/settings.json", "{")
    with Server(box) as server:
        result, structured = server.run("touch ran")
        expect_fields(structured, {"verdict": "block", "code": "cannot_start", "exit": None})
        expect("settings.json" in text_of(result) and not os.path.exists(box.work + "/ran"), result)
        box.file("home/.config/zs/settings.json", "{}")
        expect_fields(server.run("touch ran")[1], {"exit": 0})


@test(once=True)
def no_descriptors_left(box):
    def few():
        import resource

        resource.setrlimit(resource.RLIMIT_NOFILE, (5, 5))

    with Server(box, preexec_fn=few) as server:
        result, structured = server.run("touch ran")
        expect_fields(structured, {"verdict": "block", "code": "cannot_start"})
        server.alive()
    expect(not os.path.exists(box.work + "/ran"), "it ran")


def mutate(random, line, others):
    line = bytearray(line)
    for _ in range(random.randrange(1, 4)):
        at = random.randrange(len(line) + 1)
        kind = random.randrange(6)
        if kind == 0:
            del line[at : at + random.randrange(1, 9)]
        elif kind == 1:
            line[at:at] = random.choice([b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\\u0000", b"\xff", b"1e9",
                b"null", b"\0", b"-", b'"id":3,', b'"_meta":{},'])
        elif kind == 2 and at < len(line):
            line[at] ^= 1 << random.randrange(8)
        elif kind == 3:
            line[at:] = random.choice(others)[at:]
        elif kind == 4:
            line[at:at] = line[at : at + 20]
        elif kind == 5 and at < len(line):
            line[at] = random.randrange(256)
    return bytes(line).replace(b"\n", b" ")


@test(needs=["sandbox", "bash"], once=True)
def mutated_lines(box):
    """Each line gets at most one answer. The server goes on, and prints only messages of the protocol."""
    seed = int(os.environ.get("ZS_FUZZ_SEED", "1"))
    numbers = random.Random(seed)
    lines = [line.encode() for name in TRANSCRIPTS for line in TRANSCRIPTS[name]]
    lines += [line for line, _, _ in BAD_LINES]
    with Server(box) as server:
        for number in range(40):
            count = len(server.messages)
            batch = [mutate(numbers, numbers.choice(lines), lines) for _ in range(50)]
            server.write(b"\n".join(batch) + b"\n")
            mark = "mark %d" % number
            server.write(b'{"jsonrpc":"2.0","id":"%s","method":"ping"}\n' % mark.encode())
            server.answer(mark)
            for message in server.messages[count:]:
                expect(("result" in message) != ("error" in message) and "id" in message,
                    "seed %d: no answer: %s" % (seed, message))
            expect(len(server.messages) - count <= len(batch) + 1 + 8, "seed %d: more answers than lines" % seed)
        expect(server.end()[0] == 0, "seed %d: it ended by %s" % (seed, server.process.returncode))
