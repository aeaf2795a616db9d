"""zs hook: each agent gets its answer in its own format. Whatever goes wrong, the agent gets a denial."""

import contextlib
import json
import os
import re
import resource
import signal

from allocations import counted_zs, each_allocation_fails
from harness import TIMEOUT, Failure, Result, expect, test
from hook_events import RECORDED, event_of, fill, input_of, reason_in, strict_object
from processes import children

# On a busy machine the three seconds may not be enough: then the hook says so, and the test asks again.
TOO_LONG = "it took too long; try again"
REFUSED = "zs: not allowed"
WRAPPED = "'%s' 'run' '--denials-to-model' '--secrets=hide' '--workspace=%s' '--' 'bash' '--norc' '-c' '--' "


def quote(text):
    return "'" + re.sub(r"['\\]", r"'\\\g<0>'", text) + "'"


def hook(box, agent, event, *options, **more):
    """event: text, or bytes."""
    event = (event if isinstance(event, bytes) else event.encode("utf-8")).decode("latin-1")
    for _ in range(5):
        result = box.run_zs("hook", agent, *options, stdin=event, **more)
        if TOO_LONG not in result.stdout + result.stderr:
            break
    return result


def denied(agent, result, part=""):
    reason = reason_in(agent, result)
    expect(reason and part in reason, "%s does not hear a no with %r: %s" % (agent, part, result))
    return reason


def allowed(recorded, result):
    result.expect(exit=0, stdout=recorded["allow"], stderr="")


# ------------------------------------------------------------------------------------------------------ answers


@test()
def each_agent_is_answered_in_its_own_words(box):
    for name, recorded in RECORDED.items():
        agent = recorded["agent"]
        allowed(recorded, hook(box, agent, event_of(box, recorded, "ls -l | head -3")))
        allowed(recorded, hook(box, agent, event_of(box, recorded, "echo '\"x\" é\n' \\\\"), "--profile", "verify"))
        for options, command, code in (
            ([], "cd / && ls", "cd"),
            ([], "echo é > '/a \"b\"'", "redirect"),
            ([], "rm -rf ~", "destroys"),
            (["--profile", "strict"], "cd src", "cd"),
            ([], "ls\ncd ..", "cd"),
            (["--profile", "verify"], "rm -rf build", "write"),
            (["--profile=relaxed"], "echo 'unfinished", "syntax_error"),
        ):
            result = hook(box, agent, event_of(box, recorded, command), *options)
            reason = denied(agent, result, "zs: blocked (%s): " % code)
            vetted = box.run_zs("vet", "--json", *(options or ["-p", "guard"]), "-c",
                command.encode("utf-8").decode("latin-1"), cwd=box.work)
            said = json.loads(vetted.stdout.encode("latin-1").decode("utf-8"))
            for part in (said["reason"], said["hint"]):
                expect(part in reason or part in reason.encode("latin-1").decode("utf-8"),
                    "%s is not told %r: %s" % (name, part, result))
            if recorded["deny"]:
                told = json.dumps(reason, ensure_ascii=False)
                result.expect(exit=recorded["deny_exit"], stdout=recorded["deny"].replace("$REASON", told), stderr="")
            else:
                result.expect(exit=2, stdout="")
        allowed(recorded, hook(box, agent, event_of(box, recorded, "cd / && echo x > y"), "--profile=relaxed"))


@test()
def confine_rewrites_or_says_that_it_cannot(box):
    for name, recorded in RECORDED.items():
        agent = recorded["agent"]
        command = "echo 'it''s' \"$HOME\" \\\n -e"
        result = hook(box, agent, event_of(box, recorded, command), "--confine")
        denied(agent, hook(box, agent, event_of(box, recorded, "cd /"), "--confine"), "blocked (cd)")
        if not recorded["confined"]:
            denied(agent, result, "does not let a hook change a command")
            continue
        wrapped = WRAPPED % (box.zs, box.work) + quote(command)
        given = json.dumps(input_of(recorded, fill(recorded["event"], WORK=box.work)), ensure_ascii=False)
        given = given.replace('"$COMMAND"', json.dumps(wrapped)).encode("utf-8").decode("latin-1")
        result.expect(exit=0, stdout=recorded["confined"].replace("$INPUT", given), stderr="")
        again = hook(box, agent, event_of(box, recorded, wrapped), "--confine")
        allowed(recorded, again)


@test()
def what_is_not_the_command_stays_as_it_was(box):
    given = ('{ "b" :1e+3,"c":"\\u00e9\\/",\n "command" :\t"ls" , "d":[{"}":"]"} , "\\\\"],"command2":"ls","e":{}, '
        '"f":-0.0 , "g":12345678901234567890 }')
    event = '{"hook_event_name":"PreToolUse","cwd":"%s","tool_name":"Bash","tool_input": %s ,"z":"}"}' % (
        box.work, given)
    wrapped = json.dumps(WRAPPED % (box.zs, box.work) + "'ls'")
    want = RECORDED["claude"]["confined"].replace("$INPUT", given.replace('"ls"', wrapped, 1))
    hook(box, "claude", event, "--confine").expect(exit=0, stdout=want, stderr="")
    options = ["--net", "full", "--ro=" + box.outside, "--rw", "-odd 'name'", "--git=allow", "--diff"]
    said = strict_object(hook(box, "claude", event, "--confine", *options, "-p", "verify").expect(stderr="").stdout)
    want = ("'%s' 'run' '--denials-to-model' '--ro=%s' '--rw=-odd '\\''name'\\''' '--git=allow' '--net=full' '--diff' "
        "'--verify' '--secrets=hide' '--workspace=%s' '--' 'bash' '--norc' '-c' '--' 'ls'" % (
            box.zs, box.outside, box.work))
    expect(said["hookSpecificOutput"]["updatedInput"]["command"] == want, "%s, not %s" % (said, want))


@test()
def an_answer_is_one_line_to_every_reader(box):
    """Node's readline ends a line at U+2028 as well; Python's splitlines() also at U+0085."""
    for name, recorded in RECORDED.items():
        for command in ("echo x >'\u2028a\u2029b\x85'", "echo '\u2028a\u2029b\x85'"):
            result = hook(box, recorded["agent"], event_of(box, recorded, command), "--confine")
            said = result.stdout.encode("latin-1").decode("utf-8")
            expect(not said or len(said.splitlines()) == 1, "%s: %r" % (name, said))
    said = strict_object(hook(box, "claude", event_of(box, RECORDED["claude"], command), "--confine").stdout)
    expect(said["hookSpecificOutput"]["updatedInput"]["command"].endswith(" " + quote(command)),
        "it is another command: %r" % said)


@test(needs=["sandbox", "bash"])
def a_confined_command_is_the_same_command_inside(box):
    """The shell reads the rewritten text as it would have read the original."""
    box.folder("home/project/sub")
    for command in ("echo a", "echo 'a' \"b\" $((1 + 1))", "printf '%s\\n' \"it's\" '\\' \"\\\\\" '$HOME' `echo x`",
            "cat <<'E'\n'quoted' \\ $x\nE", "-x; echo y", "# only\necho z", "echo é ☃", "exit 7", "echo 'a\n\nb'",
            "printf 'a\\tb' | od -c", "echo $0 $#", "ls -d sub"):
        event = event_of(box, RECORDED["claude"], command)
        said = hook(box, "claude", event, "--confine").stdout.encode("latin-1").decode("utf-8")
        new = strict_object(said)["hookSpecificOutput"]["updatedInput"]["command"]
        outside = box.run(["bash", "-c", "--", command.encode("utf-8").decode("latin-1")])
        inside = box.run(["bash", "-c", "--", new.encode("utf-8").decode("latin-1")])
        expect((inside.exit, inside.stdout) == (outside.exit, outside.stdout), "%s is not %s" % (inside, outside))
    recorded = RECORDED["claude"]
    said = strict_object(hook(box, "claude", event_of(box, recorded, "cat %s" % box.key), "--confine").stdout)
    new = said["hookSpecificOutput"]["updatedInput"]["command"]
    box.run(["bash", "-c", "cat %s" % box.key]).expect(stdout="SECRET KEY\n")
    expect(not box.run(["bash", "-c", new]).expect(exit=1).stdout, "the key was read")
    # Called from below the workspace, the command may still write the whole workspace.
    box.run(["bash", "-c", new.replace("cat ", "touch ../made ")], cwd=box.work + "/sub")
    expect(os.path.exists(box.work + "/made"), "the workspace cannot be written from below it")


def fish_words(text):
    """Reads words of single quotes and escaped bytes as fish does: in quotes a backslash escapes only a quote and a
    backslash."""
    words, word, quoted, at = [], None, False, 0
    while at < len(text):
        char, pair = text[at], text[at:at + 2]
        at += 1
        if char == "'":
            quoted, word = not quoted, word or ""
        elif char == "\\" and (not quoted or pair in ("\\\\", "\\'")):
            word, at = (word or "") + pair[1:], at + 1
        elif quoted or char not in " \n;#":
            word = (word or "") + char
        elif char == " ":
            words, word = words + [word], None
        else:
            raise Failure("to fish there is more than one command in %r" % text)
    return words + [word]


@test()
def a_confined_command_is_one_word_to_fish_as_well(box):
    """Some agents start the user's shell. The control: a word that other shells take as one is several words to
    fish."""
    for command in ("echo \\'; touch /tmp/made; echo \\'", "printf '\\\\'", "echo \\\\\\'#\\'", "grep 'a\\.b' x\nls"):
        said = strict_object(hook(box, "opencode", event_of(box, RECORDED["opencode"], command), "--confine").stdout)
        words = fish_words(said["args"]["command"])
        expect(words[-2:] == ["--", command] and words[0] == box.zs, "%r is %r" % (command, words))
    usual = "'" + "echo \\'; touch /tmp/made; echo \\'".replace("'", "'\\''") + "'"
    try:
        fish_words(usual)
    except Failure:
        return
    raise Failure("the control is one word")


@test()
def what_a_model_wraps_itself_does_not_pass_as_wrapped(box):
    recorded = RECORDED["claude"]
    ours = WRAPPED % (box.zs, box.work)
    evil = quote("cat /etc/shadow")
    for command in (
        ours.replace("'run'", "'run' '--net=full'") + evil,
        "'%s' 'run' '--denials-to-model' '--secrets=hide' '--workspace=/' '--' 'bash' '--norc' '-c' '--' " % box.zs
        + evil,
        "zs run --net full -- bash -c " + evil,
        ours.replace(box.zs, "/tmp/zs") + evil,
        ours + evil + " x",
        ours + evil + "; ls",
        ours + '"$(ls)"',
        ours + "'ls'\"x\"",
        ours + "'ls\\'",
        ours,
    ):
        said = hook(box, "claude", event_of(box, recorded, command), "--confine").stdout
        inner = strict_object(said)["hookSpecificOutput"]
        expect(inner["permissionDecision"] != "allow" or inner["updatedInput"]["command"] == ours + quote(command),
            "%s passes as %s" % (command, said))
    denied("claude", hook(box, "claude", event_of(box, recorded, ours + quote("cd /")), "--confine"), "blocked (cd)")


# ---------------------------------------------------------------------------------------- shapes of a command


@test()
def several_commands_and_commands_that_are_words(box):
    cline = RECORDED["cline"]

    def commands(*items):
        return event_of(box, cline, "", lambda event, given: given.update(commands=list(items)))

    allowed(cline, hook(box, "cline", commands("ls", "pwd", "echo x")))
    denied("cline", hook(box, "cline", commands("ls", "cd /")), "(cd), command 2 of 2: ")
    denied("cline", hook(box, "cline", commands("cd /", "ls")), "(cd), command 1 of 2: ")
    denied("cline", hook(box, "cline", commands(*["ls"] * 65)), "more than 64 commands")
    allowed(cline, hook(box, "cline", commands(*["ls"] * 64)))
    said = strict_object(hook(box, "cline", commands("ls", WRAPPED % (box.zs, box.work) + "'pwd'", "id"),
        "--confine").stdout)
    want = [WRAPPED % (box.zs, box.work) + quote(command) for command in ("ls", "pwd", "id")]
    expect(said == {"cancel": False, "overrideInput": {"commands": want}}, "%s, not %s" % (said, want))
    for bad in ([1], [None], ["ls", {"command": "ls"}], [], ["ls", "a\0b"]):
        denied("cline", hook(box, "cline", commands(*bad)), REFUSED)
    for name in ("claude", "codex", "copilot-string"):
        recorded = RECORDED[name]
        agent = recorded["agent"]

        def words(*items, options=()):
            event = event_of(box, recorded, "", lambda event, given: given.update(command=list(items)))
            return hook(box, agent, event, *options)

        allowed(recorded, words("bash", "-lc", "ls | head"))
        allowed(recorded, words("grep", "cd /; rm", "it's"))
        denied(agent, words("bash", "-lc", "cd /; ls"), "blocked (cd)")
        denied(agent, words("sh", "-c", "echo 'x"), "blocked (syntax_error)")
        denied(agent, words("rm", "-rf", "x", options=["-p", "verify"]), "blocked (write)")
        for bad in ([], ["ls", 1], ["a\0b"], [["ls"]]):
            denied(agent, words(*bad), REFUSED)
        said = words("bash", "-lc", "ls 'a'", options=["--confine"]).expect(exit=0).stdout
        new = [box.zs, "run", "--denials-to-model", "--secrets=hide", "--workspace=" + box.work, "--", "bash", "-lc",
            "ls 'a'"]
        expect(json.dumps(new, separators=(",", ":"))[:-1].rsplit(",", 3)[0] in said and "ls 'a'" in said,
            "%s, not %s" % (said, new))


@test()
def tools_that_are_no_shell(box):
    copilot = RECORDED["copilot"]

    def call(tool, given, *options):
        event = {"cwd": box.work, "toolName": tool, "toolArgs": given}
        return hook(box, "copilot", json.dumps(event), *options)

    for tool, given in (("view", {"path": "/etc/passwd"}), ("create", {"path": "x", "file_text": "cd /"}),
            ("report_intent", None), ("read_bash", {"sessionId": "1"}), ("apply_patch", "*** Begin Patch"),
            ("str_replace_editor", {"command": "view", "path": "cd /"})):
        allowed(copilot, call(tool, given))
        allowed(copilot, call(tool, given, "--confine"))
    for tool, given in (
            ("bash", {}), ("bash", {"cmd": None}), ("bash", {"script": "ls"}), ("write_bash", {"input": "ls"}),
            ("Bash", {"Command": "ls"}), ("powershell", {"x": 1}), ("run_in_terminal", {"input": "ls"}),
            ("bash", None), ("bash", []), ("bash", "ls"), ("bash", 1), ("bash", {"command": "ls", "cmd": "rm x"}),
            ("", {"command": "ls"}), (None, {"command": "ls"}), ("ba\0sh", {"command": "ls"})):
        denied("copilot", call(tool, given), REFUSED)
    # zs does not know this tool, so its field `command` is read as a command.
    allowed(copilot, call("frobnicate", {"command": "ls"}))
    denied("copilot", call("frobnicate", {"command": "cd /"}), "blocked (cd)")
    denied("copilot", call("frobnicate", {"command": 1}), REFUSED)


@test()
def what_would_run_it_and_what_is_set_for_it_is_no_way_around(box):
    for name in ("codex", "opencode", "antigravity"):
        recorded = RECORDED[name]

        def call(**more):
            return hook(box, recorded["agent"], event_of(box, recorded, "ls", lambda event, given: given.update(more)))

        for more in (
                {"shell": "bash"}, {"shell": "/bin/zsh"}, {"shell": True}, {"shell": None}, {"env": {}}, {"env": None}):
            allowed(recorded, call(**more))
        for more in (
                {"shell": "./bash"}, {"shell": "python3"}, {"interpreter": "/tmp/sh"}, {"shell": ["sh"]}, {"shell": 1},
                {"env": {"LD_PRELOAD": "x"}}, {"environment": ["A=b"]}, {"env": "A=b"}, {"env": [{}]}):
            denied(recorded["agent"], call(**more), REFUSED)


@test()
def a_key_that_an_agent_may_take_for_another_is_no_way_around(box):
    """Go accepts a key in any case, and takes the last of two keys that it considers equal. protobuf's JSON also
    accepts camelCase."""
    for name in ("claude", "antigravity", "copilot-string", "cline-editor"):
        recorded = RECORDED[name]

        def call(more, *options):
            event = event_of(box, recorded, "ls", lambda event, given: given.update(more))
            return hook(box, recorded["agent"], event, *options)

        for key in ("Command", "COMMAND", "commandline", "command-line", "commandLine", "Cmd", "Commands", "_cmd",
                "commandſ", "\u212a", "__proto__"):
            if key not in input_of(recorded, recorded["event"]):
                denied(recorded["agent"], call({key: "rm -rf /"}), REFUSED)
                denied(recorded["agent"], call({key: "rm -rf /"}, "--confine"))
        for key in ("CWD", "workDir", "WorkDir", "workingDirectory", "dirPath", "dir", "working_dir"):
            denied(recorded["agent"], call({key: box.outside}), "blocked (cd)")
            allowed(recorded, call({key: box.work}))
        for more in ({"Shell": "./bash"}, {"shellPath": "/tmp/sh"}, {"Env": {"A": "b"}}, {"envVars": {"A": "b"}}):
            denied(recorded["agent"], call(more), REFUSED)
        allowed(recorded, call({"Description": "x", "Shell": "bash", "Env": {}}))


# ---------------------------------------------------------------------------------------------- where it runs


@test()
def a_folder_by_a_tilde_is_none_of_the_workspace(box):
    """An agent that expands ~ runs the command at home, whatever folder of that name the model has made."""
    box.folder("home/project/~")
    box.folder("home/project/~root")
    for name, key in (("gemini", "dir_path"), ("opencode", "workdir")):
        for folder in ("~", "~/", "~root"):
            event = event_of(box, RECORDED[name], "ls", lambda event, given: given.update({key: folder}))
            denied(name, hook(box, name, event), "in full, without ~")
            denied(name, hook(box, name, event, "--confine"), "in full, without ~")
        allowed(RECORDED[name], hook(box, name,
            event_of(box, RECORDED[name], "ls", lambda event, given: given.update({key: "./~"}))))


@test()
def a_folder_outside_of_the_workspace_is_a_cd(box):
    box.folder("home/project/sub")
    box.own(os.symlink(box.outside, box.work + "/link") or box.work + "/link")
    box.own(os.symlink("sub", box.work + "/inner") or box.work + "/inner")
    for name, key in (("gemini", "dir_path"), ("qwen", "directory"), ("opencode", "workdir"), ("kimi", "cwd"),
            ("antigravity", "Cwd"), ("codex", "workdir"), ("copilot-string", "workdir"), ("cline-editor", "cwd")):
        recorded = RECORDED[name]
        agent = recorded["agent"]

        def at(folder, *options):
            event = event_of(box, recorded, "ls", lambda event, given: given.update({key: folder}))
            return hook(box, agent, event, *options)

        for folder in ("sub", "./sub/..", "", box.work, box.work + "/sub", "inner", "sub/../inner", None):
            allowed(recorded, at(folder))
        for folder in ("..", "sub/../..", box.outside, "/", "link", box.work + "/link", "link/.."):
            denied(agent, at(folder), "blocked (cd): runs in ")
        for folder in ("nowhere", "~", "\0", "sub\0", 1, [None], {}, "x" * 5000):
            denied(agent, at(folder))
        allowed(recorded, at("..", "--profile=relaxed"))
        denied(agent, at("..", "--profile=relaxed", "--confine"), "blocked (cd)" if recorded["confined"] else "")


@test()
def the_workspace_is_not_what_the_call_says(box):
    sub = box.folder("home/project/sub")
    claude = RECORDED["claude"]

    def at(cwd, *options, **env):
        event = event_of(box, claude, "ls", lambda event, given: event.update(cwd=cwd))
        return hook(box, "claude", event, *options, add_env=env)

    allowed(claude, at(sub, CLAUDE_PROJECT_DIR=box.work))
    denied("claude", at(box.outside, CLAUDE_PROJECT_DIR=box.work), "outside of the workspace '%s'" % box.work)
    denied("claude", at(box.home, "--workspace", box.work), "outside of the workspace")
    denied("claude", at("sub"), "not an absolute path")
    denied("claude", at(box.root + "/none", CLAUDE_PROJECT_DIR=box.work), "cannot look at the command's folder")
    allowed(claude, at(box.root + "/none"))
    denied("claude", at(box.root + "/none", "--confine"), "the workspace is not known: the directory")
    allowed(claude, at(""))
    said = at(sub, "--confine", CLAUDE_PROJECT_DIR=box.work).stdout
    expect("'--workspace=%s'" % box.work in said, said)
    # Codex's cwd is the folder that the model gave to its call; the session tells the workspace.
    codex = RECORDED["codex"]
    session = box.file("home/session.jsonl",
        json.dumps({"type": "session_meta", "payload": {"id": "x", "cwd": box.work}}) + "\n{}\n")
    broken = box.file("home/broken.jsonl", "{}\n")

    def of_codex(cwd, transcript, *options):
        event = event_of(box, codex, "ls", lambda event, given: event.update(cwd=cwd, transcript_path=transcript))
        return hook(box, "codex", event, *options)

    allowed(codex, of_codex(sub, session))
    denied("codex", of_codex(box.outside, session), "outside of the workspace '%s'" % box.work)
    denied("codex", of_codex(box.outside, session, "--confine"), "outside of the workspace")
    expect("'--workspace=%s'" % box.work in of_codex(sub, session, "--confine").stdout,
        "the call's directory became the workspace")
    denied("codex", of_codex(sub, broken, "--confine"), "the workspace is not known")
    denied("codex", of_codex(sub, box.home, "--confine"), "the workspace is not known")
    expect("'--workspace=%s'" % box.work in of_codex(sub, broken, "--confine", "--workspace", box.work).stdout,
        "--workspace is not heard")


# ------------------------------------------------------------------------------------------ what can go wrong


def broken_events(box, recorded):
    """Yields broken events. Each would be allowed if it were whole."""
    good = event_of(box, recorded, "ls")
    yield ""
    yield " \n"
    yield good[:-1]
    yield good[: len(good) // 2]
    yield good + "x"
    yield good + good
    yield "\ufeff" + good
    yield "[" + good + "]"
    yield good.replace('"', "'")
    yield good.encode("utf-8").replace(b"ls", b"l\xffs")
    yield good.replace("ls", "l\x01s")
    yield good.replace('"ls"', '"ls\\u0000x"') if not recorded.get("string") else "{}"
    yield good.replace('"ls"', '"ls\\ud800"') if not recorded.get("string") else "{}"
    yield good[:-1] + ", " + good[1:]
    yield good[:-1] + ', "a": {"b": 1, "c": 2, "\\u0062": 3}}'
    yield good[:-1] + ', "a": ' + "[" * 65 + "]" * 65 + "}"
    yield good[:-1] + ', "a": ' + "[" * 200000 + "]" * 200000 + "}"
    yield good[:-1] + ', "a": 1,}'
    yield good[:-1] + ', "a": NaN}'
    yield good[:-1] + "} // ls"
    yield "null"
    yield "{}"
    yield '{"tool_name":"Bash","script":"ls"}'
    yield json.dumps(fill(recorded["event"], COMMAND="ls", WORK=box.work)).replace('"ls"', "null")
    yield json.dumps(fill(recorded["event"], COMMAND="ls", WORK=box.work)).replace('"ls"', "true")


@test()
def a_broken_event_is_denied(box):
    for recorded in RECORDED.values():
        allowed(recorded, hook(box, recorded["agent"], event_of(box, recorded, "ls")))
        for i, event in enumerate(broken_events(box, recorded)):
            result = hook(box, recorded["agent"], event)
            expect(reason_in(recorded["agent"], result) and REFUSED in reason_in(recorded["agent"], result),
                "event %d, %.200r: %s" % (i, event, result))


@test()
def an_event_without_its_name_is_known_by_its_shape(box):
    for recorded in RECORDED.values():
        def nameless(event, given):
            for key in ("hook_event_name", "agent_action_name", "tool_name", "toolName", "tool"):
                event.pop(key, None)
            for inner in ("tool_call", "toolCall", "preToolUse"):
                event.get(inner, {}).pop("name", None), event.get(inner, {}).pop("toolName", None)
        def another(event, given):
            event.update(hook_event_name="PostToolUse", agent_action_name="post_run_command")
        allowed(recorded, hook(box, recorded["agent"], event_of(box, recorded, "ls", nameless)))
        denied(recorded["agent"], hook(box, recorded["agent"], event_of(box, recorded, "cd /", nameless)), "(cd)")
        if recorded["agent"] in ("claude", "codex", "gemini", "qwen", "cursor", "windsurf", "kimi"):
            result = hook(box, recorded["agent"], event_of(box, recorded, "ls", another))
            denied(recorded["agent"], result, "none of the formats")


@test(once=True)
def an_event_may_be_large_but_not_too_large(box):
    recorded = RECORDED["copilot"]
    size = 8 * 1024 * 1024

    def of(length, *options):
        event = json.dumps({"cwd": box.work, "toolName": "create", "toolArgs": {"path": "x", "text": ""}})
        return hook(box, "copilot", event.replace('""', '"%s"' % ("x" * (length - len(event)))), *options)

    allowed(recorded, of(size))
    denied("copilot", of(size + 1), "more than 8388608 bytes")
    # A rewritten text has a limit too, since the process that answers keeps it in a buffer.
    event = event_of(box, RECORDED["claude"], "ls", lambda event, given: given.update(description="x" * (3 << 20)))
    denied("claude", hook(box, "claude", event, "--confine"), REFUSED)
    denied("claude", hook(box, "claude", event_of(box, RECORDED["claude"], "ls " + "x" * 65536)), "blocked (limit)")


@test()
def wrong_usage_is_denied(box):
    for recorded in RECORDED.values():
        agent = recorded["agent"]
        event = event_of(box, recorded, "ls")
        for arguments in (["--bad"], ["--profile"], ["--profile=x"], ["x"], ["--net", "full"],
                ["--no-denials-to-model"], ["--help"], ["-h"],
                ["--confine", "--print-policy"], ["--confine", "--net", "all"], ["--confine=1"]):
            denied(agent, hook(box, agent, event, *arguments), REFUSED)
    for arguments in ([], ["clod"], ["--bad"], ["--profile", "strict"], [""], ["Claude"]):
        result = box.run_zs("hook", *arguments, stdin=event_of(box, RECORDED["claude"], "ls"))
        result.expect(exit=2, stdout="", stderr=["zs: hook: ", REFUSED])
    box.run_zs("hook", "claud").expect(exit=2, stderr=["no such agent; did you mean 'claude'?"])


def with_descriptors(box, agent, event, *options, **places):
    """stdin, stdout, stderr: a path to open, or None for closed."""
    numbers = {"stdin": 0, "stdout": 1, "stderr": 2}

    def change():
        for name, path in places.items():
            os.close(numbers[name])
            if path:
                os.open(path, os.O_RDONLY if name == "stdin" else os.O_WRONLY)

    return hook(box, agent, event, *options, preexec_fn=change)


@test()
def a_descriptor_that_does_not_work_is_a_denial(box):
    for name, recorded in RECORDED.items():
        agent = recorded["agent"]
        good, bad = event_of(box, recorded, "ls"), event_of(box, recorded, "cd /")
        denied(agent, with_descriptors(box, agent, good, stdin=None), REFUSED)
        denied(agent, with_descriptors(box, agent, good, stdin="/dev/null"), REFUSED)
        denied(agent, with_descriptors(box, agent, good, stdin="/"), REFUSED)
        denied(agent, with_descriptors(box, agent, bad, stderr="/dev/full"), "") if recorded["deny"] else None
        if agent == "cline":
            continue  # it reads only standard output
        for stdout in (None, "/dev/full"):
            denied(agent, with_descriptors(box, agent, bad, stdout=stdout))
            if recorded["confined"]:
                denied(agent, with_descriptors(box, agent, good, "--confine", stdout=stdout), REFUSED)
        # No descriptor can carry the denial, and still the exit code must not allow the command.
        expect(with_descriptors(box, agent, bad, stdout=None, stderr=None).exit == 2,
            "%s: a denial without any descriptor ends as a yes" % name)


@test()
def a_reader_that_is_gone_is_a_denial(box):
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as broken:
        process = box.start([box.zs, "hook", "claude"], stdout=broken)
        said = process.communicate(event_of(box, RECORDED["claude"], "cd /").encode(), TIMEOUT)[1]
    expect(process.returncode == 2 and b"could not be written" in said, "exit %d: %s" % (process.returncode, said))


@contextlib.contextmanager
def waiting(box, agent, *options):
    """Yields a hook that waits for its event, and the process inside of it that reads the event."""
    process = box.start([box.zs, "hook", agent, *options])
    try:
        inner = None
        while not inner and process.poll() is None:
            inner = children(process.pid)
        yield process, inner[0] if inner else None
    finally:
        process.kill()
        process.communicate()


def ended(process):
    """The output of a process whose standard input stays open."""
    process.wait(TIMEOUT)
    return Result(process.args, process.returncode, process.stdout.read().decode(), process.stderr.read().decode())


@test(needs=["linux"])
def its_own_death_is_a_denial(box):
    """Kills the process that decides by any signal, and its guard by each signal that the guard can handle."""
    for agent in ("claude", "codex", "cline", "copilot", "windsurf", "opencode"):
        for number in (signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT, signal.SIGTERM, signal.SIGBUS):
            with waiting(box, agent) as (process, inner):
                os.kill(inner, number)
                denied(agent, ended(process), REFUSED)
        for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1):
            with waiting(box, agent) as (process, inner):
                process.send_signal(number)
                denied(agent, ended(process), REFUSED)


@test(needs=["linux"], slow=True)
def a_hang_is_a_denial(box):
    """zs limits the time of the process that sends the event, and of the process that decides."""
    with contextlib.ExitStack() as stack:
        hooks = [(agent, *stack.enter_context(waiting(box, agent))) for agent in ("claude", "cline", "copilot", "kiro")]
        stopped, inner = stack.enter_context(waiting(box, "gemini"))
        os.kill(inner, signal.SIGSTOP)
        for agent, process, _ in hooks:
            denied(agent, ended(process), REFUSED)
        denied("gemini", ended(stopped), REFUSED)


@test()
def what_its_caller_ignores_or_limits_is_no_way_around(box):
    event = event_of(box, RECORDED["cline"], "cd /")

    def ignore():
        for number in (signal.SIGCHLD, signal.SIGPIPE, signal.SIGALRM, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))

    denied("cline", hook(box, "cline", event, preexec_fn=ignore), "blocked (cd)")
    allowed(RECORDED["cline"], hook(box, "cline", event_of(box, RECORDED["cline"], "ls"), preexec_fn=ignore))
    for limit, value in ((resource.RLIMIT_NOFILE, 3), (resource.RLIMIT_NOFILE, 0), (resource.RLIMIT_AS, 1 << 20),
            (resource.RLIMIT_DATA, 4096), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_STACK, 65536),
            (resource.RLIMIT_NPROC, 0)):
        for agent, options in (("cline", []), ("codex", ["--confine"])):
            result = box.run_zs("hook", agent, *options, stdin=event_of(box, RECORDED[agent], "cd /"),
                preexec_fn=lambda: resource.setrlimit(limit, (value, value)))
            # With too little memory to start, the kernel ends zs, which can print nothing.
            if result.exit >= 0:
                denied(agent, result)
            elif limit not in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
                raise Failure(str(result))
    # If no process can be made, none decides. The kernel does not count root's processes (man 2 getrlimit).
    result = hook(box, "cline", event_of(box, RECORDED["cline"], "ls"),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NPROC, (0, 0)))
    if box.user.uid is None and os.geteuid() == 0:
        allowed(RECORDED["cline"], result)
    else:
        denied("cline", result, "it cannot start a process")


@test(needs=["counted-zs"])
def no_memory_is_a_denial(box):
    """Each allocation fails in turn. The agent gets the whole answer or a denial, and nothing else."""
    counted = counted_zs(box)
    for agent, options, command in (("claude", [], "cd /"), ("codex", ["--confine"], "ls"), ("cline", [], "cd /")):
        event = event_of(box, RECORDED[agent], command)

        def run(environment):
            result = box.run([counted, "hook", agent, *options], stdin=event, add_env=environment)
            return None if TOO_LONG in result.stdout + result.stderr else result

        results = each_allocation_fails(box, run)
        whole = next(results).stdout
        for result in results:
            if not (result.exit == 0 and result.stdout == whole):
                denied(agent, result)
