"""Rules of one's own (docs/rules.md): "commands" in the user's, the project's and the machine's settings, as zs vet,
zs bash, zs mcp and zs hook obey them; zs policy test; packs."""

import json
import os

from harness import expect, test
from hook_events import RECORDED, event_of, reason_in
from managed import run_managed
from mcp_client import Server
from settings_files import project_settings, trust, user_settings

PUSH = {"command": "git push", "flags": ["--force", "-f"], "why": "main is shared", "instead": "Open a pull request."}


def rules(packs=None, **commands):
    return json.dumps({"commands": commands, **({"packs": packs} if packs else {})}, indent=1)


def vet(box, text, profile="relaxed", **more):
    result = box.run_zs("vet", "--json", "-p", profile, "-c", text, **more)
    expect(result.exit in (0, 2), result)
    return json.loads(result.stdout)


def ask_hook(box, recorded, text):
    return box.run_zs("hook", recorded["agent"],
        stdin=event_of(box, recorded, text).encode("utf-8").decode("latin-1"))


def code_of(box, text, profile="relaxed", **more):
    return vet(box, text, profile, **more)["code"]


@test()
def a_rule_finds_its_command(box):
    user_settings(box, rules(deny=[PUSH]))
    for text in ("git push -f", "git push origin main --force", "git -C sub push -uf", "env A=1 git push -f",
            "timeout 9 git push --force", "echo x | xargs git push -f", "sh -c 'git push -f'",
            "bash -c \"sh -c 'git push -f'\"", "true && git push -f | cat", "f() { git push -f; }; f",
            "alias p='git push -f'; p", "x=-f; git push $x", "git push $x", "git push \"$(cat f)\"", "git $x",
            "g=git; $g push -f"):
        answer = vet(box, text)
        expect(answer["verdict"] == "block", text, answer)
        expect(answer["code"] in ("denied", "unsupported", "dynamic_command"), text, answer)
    answer = vet(box, "git push -f")
    expect(answer["reason"] == "git push: main is shared (the user's settings deny it)", answer)
    expect(answer["hint"] == "Open a pull request.", answer)
    for text in ("git push", "git push --force-with-lease", "git fetch -f", "echo git push -f", "grep 'git push -f' .",
            "git commit -m \"$(date)\""):
        expect(code_of(box, text) is None, text)


@test()
def every_way_to_vet_obeys(box):
    """The reason and what to do instead reach the model."""
    user_settings(box, rules(deny=[PUSH]))
    said = "blocked (denied): git push: main is shared (the user's settings deny it)"
    box.run_zs("vet", "-c", "git push -f").expect(exit=2, stdout=["block denied: git push: main is shared",
        "hint: Open a pull request."])
    box.run_zs("bash", "-c", "git push -f").expect(exit=2, stdout="", stderr=[said, "hint: Open a pull request."])
    lines = '{"id":1,"cmd":"git push -f"}\n{"id":2,"cmd":"git push"}\n'
    answers = [json.loads(line) for line in box.run_zs("vet", "--batch", stdin=lines).stdout.splitlines()]
    expect([answer["code"] for answer in answers] == ["denied", None], answers)
    for name, recorded in RECORDED.items():
        result = ask_hook(box, recorded, "git push -f")
        reason = reason_in(recorded["agent"], result) or ""
        expect(said in reason and "Open a pull request." in reason, name, result)
        passes = ask_hook(box, recorded, "git push")
        expect(reason_in(recorded["agent"], passes) is None, name, passes)


@test(needs=["sandbox"])
def the_mcp_server_obeys(box):
    user_settings(box, rules(deny=[PUSH], ask=[{"match": "git push *"}]))
    with Server(box) as server:
        for text, code, part in (("git push -f", "denied", "main is shared"),
                ("git push", "asked", "want a person to agree first")):
            answer = server.run(text)[1]
            expect(answer["verdict"] == "block" and answer["code"] == code and part in answer["reason"], answer)
        # the file is read anew for each call
        user_settings(box, rules())
        expect(server.run("echo git push")[1]["verdict"] == "allow")


ASK = {"match": "npm publish *", "why": "it is seen by all"}


@test()
def a_question_is_asked_where_the_agent_can(box):
    user_settings(box, rules(ask=[ASK], allow=[{"match": "npm publish *"}]))
    answer = vet(box, "npm publish", "guard")
    expect(answer["verdict"] == "ask" and answer["code"] == "asked", answer)
    box.run_zs("vet", "-c", "npm publish").expect(exit=2, stdout=["ask asked: npm publish: it is seen by all"])
    box.run_zs("bash", "-c", "npm publish").expect(exit=2, stderr=["blocked (asked): npm publish"])
    why = "npm publish: it is seen by all (the user's settings want a person to agree first)"
    for name, recorded in RECORDED.items():
        result = ask_hook(box, recorded, "npm publish")
        if recorded["agent"] == "claude":
            said = json.loads(result.stdout)["hookSpecificOutput"]
            expect(result.exit == 0 and said == {"hookEventName": "PreToolUse", "permissionDecision": "ask",
                "permissionDecisionReason": "zs: " + why}, name, result)
        else:
            reason = reason_in(recorded["agent"], result) or ""
            expect("blocked (asked): " + why in reason and "cannot ask" in reason, name, result)


@test()
def a_confined_question_shows_the_confined_command(box):
    user_settings(box, rules(ask=[{"match": "make *"}], deny=[PUSH]))
    event = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "cwd": box.work,
        "tool_input": {"command": "make all", "timeout": 5}}
    result = box.run_zs("hook", "claude", "--confine", stdin=json.dumps(event))
    said = json.loads(result.stdout)["hookSpecificOutput"]
    expect(said["permissionDecision"] == "ask" and said["updatedInput"]["timeout"] == 5, result)
    expect(" 'run' " in said["updatedInput"]["command"] and "make all" in said["updatedInput"]["command"], result)
    event["tool_input"] = said["updatedInput"]
    again = json.loads(box.run_zs("hook", "claude", "--confine", stdin=json.dumps(event)).stdout)
    expect(again["hookSpecificOutput"]["permissionDecision"] == "ask", again)
    expect("updatedInput" not in again["hookSpecificOutput"], again)
    # a denial among several commands is stronger than a question
    event["tool_input"] = {"command": "make; git push -f"}
    denied = json.loads(box.run_zs("hook", "claude", "--confine", stdin=json.dumps(event)).stdout)
    expect(denied["hookSpecificOutput"]["permissionDecision"] == "deny", denied)


@test()
def allow_lifts_one_command(box):
    user_settings(box, rules(allow=[{"match": "terraform apply *"}, {"command": "rm", "operand": "~/cache/*"}]))
    for text, code in (("terraform apply -auto-approve", None), ("timeout 9 terraform apply", None),
            ("terraform apply; terraform destroy", "remote_change"), ("terraform apply && sudo ls", "privilege"),
            ("sudo terraform apply", "privilege"), ("rm -rf ~/cache/x", None), ("rm -rf ~/cache/../x", "destroys"),
            ("rm -rf ~/cache/x ~/y", "destroys"), ("rm -rf ~/cache/$x", "destroys"),
            ("terraform apply > ~/x", "redirect"), ("terraform apply 'x", "syntax_error")):
        expect(code_of(box, text, "guard") == code, text, vet(box, text, "guard"))
    user_settings(box, rules(allow=[{"match": "terraform apply *"}], deny=[{"command": "terraform"}]))
    expect(code_of(box, "terraform apply", "guard") == "denied")


@test()
def a_project_only_narrows(box):
    project_settings(box, rules(deny=[{"match": "make deploy *", "why": "CI does it"}], ask=[{"match": "npm *"}],
        allow=[{"match": "git push *"}, {"match": "make deploy *"}]))
    answer = vet(box, "make deploy now")
    expect(answer["reason"] == "make deploy: CI does it (the project's settings deny it)" or
        answer["reason"].endswith("CI does it (the project's settings deny it)"), answer)
    expect(code_of(box, "npm test") == "asked")
    for trusted in (False, True):
        expect(code_of(box, "git push -f", "guard") == "loses_work", "trusted: %s" % trusted)
        shown = box.run_zs("policy", "show").expect(exit=0).stdout
        expect("left out: only the user's own file can allow" in shown, shown)
        if not trusted:  # trust is for grants; it gives no rule
            project_settings(box, json.dumps({**json.loads(rules(deny=[{"match": "make deploy *"}],
                allow=[{"match": "git push *"}])), "sandbox": {"network_hosts": ["example.org"]}}))
            trust(box)
    # the user's own allow does not lift the project's deny
    user_settings(box, rules(allow=[{"match": "make deploy *"}]))
    expect(code_of(box, "make deploy now") == "denied")
    # other places are not concerned
    expect(code_of(box, "make deploy now", cwd=box.folder("other")) is None)
    expect(code_of(box, "make deploy now", cwd="/") is None)


@test(needs=["own-etc"])
def this_machines_rules_stay(box):
    forced = rules(deny=[{"match": "git push *", "why": "by review only"}])
    user_settings(box, rules(allow=[{"match": "git push *"}]))
    for args in (("vet", "-c"), ("bash", "-c"), ("bash", "--no-settings", "-c")):
        result = run_managed(box, forced, *args, "git push")
        expect(result.exit == 2 and "by review only (this machine's settings deny it)" in result.stdout + result.stderr,
            result)
    shown = json.loads(run_managed(box, forced, "policy", "show", "--json").expect(exit=0).stdout)
    expect([(rule["list"], rule["source"]) for rule in shown["commands"]] == [("deny", "managed"), ("allow", "user")],
        shown["commands"])
    run_managed(box, rules(allow=[{"match": "x"}]), "vet", "-c", "ls").expect(exit=65,
        stderr=["commands.allow: this machine's settings only narrow; leave it out"])


@test()
def bad_rules_stop_every_vetting(box):
    """Fail closed: no command passes while a rule cannot be read."""
    path = user_settings(box, '{"commands":\n {"deny": [{"mach": "git push *"}]}}')
    said = "%s: line 2: commands.deny[0].mach: unknown key; did you mean \"match\"?" % path
    box.run_zs("vet", "-c", "ls").expect(exit=65, stdout="", stderr=[said])
    box.run_zs("bash", "-c", "ls").expect(exit=65, stdout="", stderr=[said])
    box.run_zs("policy", "check", path).expect(exit=65, stderr=[said])
    for name, recorded in RECORDED.items():
        reason = reason_in(recorded["agent"], ask_hook(box, recorded, "ls")) or ""
        expect("line 2: commands.deny[0].mach: unknown key" in reason, name, reason)


@test()
def rules_are_shown(box):
    user_settings(box, rules(deny=[PUSH], ask=[ASK]))
    shown = box.run_zs("policy", "show").expect(exit=0).stdout
    for part in ("Rules about commands:", "git push --force -f", "npm publish *", "user:5", "user:16"):
        expect(part in shown, part, shown)
    first = json.loads(box.run_zs("policy", "show", "--json").stdout)["commands"][0]
    expect(first["list"] == "deny" and first["command"] == "git push" and first["why"] == "main is shared", first)


# ------------------------------------------------------------------------------------------------- zs policy test


@test()
def rules_are_tried_on_their_examples(box):
    user_settings(box, rules(
        deny=[{**PUSH, "blocks": ["git push -f", "sh -c 'git push --force'"], "passes": ["git fetch -f"]}],
        ask=[{"match": "make deploy *", "blocks": ["make deploy x"], "passes": ["make"]}],
        allow=[{"match": "npm publish *", "passes": ["npm publish"], "blocks": ["npm test"]}]))
    result = box.run_zs("policy", "test").expect(exit=0, stderr="")
    expect(result.stdout == """\
ok    deny "git push" (user:5) blocks: git push -f
ok    deny "git push" (user:5) blocks: sh -c 'git push --force'
ok    deny "git push" (user:5) leaves alone: git fetch -f
ok    ask "make deploy *" (user:23) blocks: make deploy x
ok    ask "make deploy *" (user:23) leaves alone: make
ok    allow "npm publish *" (user:34) passes: npm publish
ok    allow "npm publish *" (user:34) leaves alone: npm test
3 rules, 7 examples: 0 differences
""", result.stdout)


@test()
def a_difference_fails(box):
    for extra, said in (
        ({"blocks": ["git push"]}, 'FAIL  deny "git push" (user:5) does not match: git push\n'),
        ({"blocks": ["git push -f"], "passes": ["git push $x"]},
            'FAIL  deny "git push" (user:5) matches: git push $x\n'),
        ({"blocks": ["git push -f '"]}, "cannot be tried, since the text is blocked (syntax_error): git push -f '\n"),
        ({}, 'FAIL  deny "git push" (user:5): no example reaches it; write one in "blocks"\n'),
        ({"passes": ["ls"]}, "no example reaches it"),
    ):
        user_settings(box, rules(deny=[{**PUSH, **extra}]))
        result = box.run_zs("policy", "test").expect(exit=1)
        expect(said in result.stdout and "0 differences" not in result.stdout, extra, result)
    # an earlier rule counts in its place, so nothing reaches it
    user_settings(box, rules(deny=[{"command": "git", "blocks": ["git log"]}, {**PUSH, "blocks": ["git push -f"]}]))
    box.run_zs("policy", "test").expect(exit=1, stdout=[
        'does not count, since another rule does, deny "git" (user:5): git push -f',
        'deny "git push" (user:11): no example reaches it'])


@test()
def files_hold_examples(box):
    user_settings(box, rules(deny=[PUSH], ask=[{"match": "make *"}]))
    good = box.file("home/good.txt", "# ours\ndeny git push -f\n\nask\tmake x\npass ls\n")
    box.run_zs("policy", "test", good).expect(exit=0, stdout=["ok    deny: git push -f", "ok    ask: make x",
        "ok    pass: ls", "2 rules, 3 examples: 0 differences"])
    bad = box.file("home/bad.txt", "pass git push -f\ndeny make\nask make; git push -f\n")
    box.run_zs("policy", "test", bad).expect(exit=1, stdout=[
        'FAIL  pass is not so, but deny, by deny "git push" (user:5): git push -f',
        'FAIL  deny is not so, but ask, by ask "make *" (user:16): make',
        'FAIL  ask is not so, but deny, by deny "git push" (user:5): make; git push -f'])
    odd = box.file("home/odd.txt", "deny git push -f\nallows ls\n")
    box.run_zs("policy", "test", odd).expect(exit=65, stderr=["odd.txt: line 2: begins with none of deny, ask"])
    box.run_zs("policy", "test", box.home + "/none").expect(exit=65, stderr=["none"])


@test()
def a_projects_allow_is_not_tried(box):
    project_settings(box, rules(allow=[{"match": "npm publish *", "passes": ["npm publish"]}]))
    box.run_zs("policy", "test").expect(exit=0, stdout=["left out, since only the user's own file can allow",
        "1 rule, 0 examples: 0 differences"])


# ------------------------------------------------------------------------------------------------------- packs

PACKS = ("git-careful", "cloud", "database", "publish", "secrets")


@test()
def packs_do_what_their_examples_say(box):
    for pack in PACKS:
        user_settings(box, rules(packs=[pack]))
        result = box.run_zs("policy", "test").expect(exit=0, stderr="")
        count = int(result.stdout.split("\n")[-2].split(" rule")[0])
        expect(count >= 9 and result.stdout.count("ok ") >= 2 * count, pack, result)
    user_settings(box, rules(packs=list(PACKS)))
    box.run_zs("policy", "test").expect(exit=0)


@test()
def packs_count_in_each_file(box):
    for write in (user_settings, project_settings):
        write(box, rules(packs=["publish", "cloud"]))
        answer = vet(box, "npm publish")
        expect(answer["code"] == "asked" and "the rules of the pack publish want a person" in answer["reason"], answer)
        expect(code_of(box, "terraform destroy") == "denied")
        expect(code_of(box, "git stash drop") is None)
        shown = box.run_zs("policy", "show").stdout
        expect("publish: " in shown and "cloud: " in shown, shown)
        write(box, "{}")
    user_settings(box, rules(packs=["publish", "cloud"], allow=[{"match": "npm publish *"}, {"match": "terraform *"}]))
    expect(code_of(box, "npm publish", "guard") == "asked")  # allowed by the user; the pack still asks
    expect(code_of(box, "terraform destroy", "guard") == "denied")


@test()
def an_unknown_pack_is_an_error(box):
    path = user_settings(box, '{"packs": ["cluod"]}')
    box.run_zs("vet", "-c", "ls").expect(exit=65, stderr=[
        path + ": line 1: packs[0]: cluod: no such pack; choose from git-careful, cloud, database, publish, secrets"])
