"""Recorded events of agents, and the part of an answer that an agent reads.

testdata/hooks/NAME.json holds an agent's event and the answer that it must get. $COMMAND, $WORK, $REASON and $INPUT
stand for the parts that change.
"""

import copy
import glob
import json
import os

from harness import REPOSITORY

RECORDED = {os.path.basename(path)[: -len(".json")]: json.load(open(path, encoding="utf-8"))
    for path in sorted(glob.glob(os.path.join(REPOSITORY, "testdata/hooks/*.json")))}


def fill(value, **names):
    """A copy with $NAME replaced in every string."""
    if isinstance(value, dict):
        return {key: fill(inner, **names) for key, inner in value.items()}
    if isinstance(value, list):
        return [fill(inner, **names) for inner in value]
    if isinstance(value, str):
        for name, text in names.items():
            value = value.replace("$" + name, text)
    return value


def input_of(recorded, event):
    for key in recorded["input"]:
        event = event[key]
    return event


def event_of(box, recorded, command, change=None):
    event = fill(copy.deepcopy(recorded["event"]), COMMAND=command, WORK=box.work)
    if change:
        change(event, input_of(recorded, event))
    if recorded.get("string"):
        key = recorded["input"][-1]
        event[key] = json.dumps(event[key])
    return json.dumps(event, ensure_ascii=False)


def strict_object(text):
    def pairs(items):
        if len(dict(items)) != len(items):
            raise ValueError("a key twice")
        return dict(items)

    return json.loads(text, object_pairs_hook=pairs)


CLAUDE_KEYS = {"hookEventName", "permissionDecision", "permissionDecisionReason"}


def reason_in(agent, result):
    """The reason that this agent reads; None if it would run the command."""
    if agent != "cline" and result.exit == 2 and result.stderr.strip() and not result.stdout:
        return result.stderr
    if agent in ("windsurf", "kiro") or (result.exit != 0 and agent != "opencode"):
        return None
    try:
        said = strict_object(result.stdout)
    except ValueError:
        return None
    if agent == "opencode":
        return said["verdict"] == "deny" and result.exit == 2 and said["reason"] or None
    inner = said.get("hookSpecificOutput", {})
    if agent in ("claude", "codex", "qwen", "kimi", "copilot") and set(said) == {"hookSpecificOutput"}:
        if set(inner) == CLAUDE_KEYS and inner["hookEventName"] == "PreToolUse":
            return inner["permissionDecision"] == "deny" and inner["permissionDecisionReason"] or None
    elif agent == "copilot" and set(said) == {"permissionDecision", "permissionDecisionReason"}:
        return said["permissionDecision"] == "deny" and said["permissionDecisionReason"] or None
    elif agent in ("gemini", "antigravity", "grok", "qwen") and set(said) == {"decision", "reason"}:
        return said["decision"] == "deny" and said["reason"] or None
    elif agent == "cline" and set(said) == {"cancel", "errorMessage"}:
        return said["cancel"] is True and said["errorMessage"] or None
    elif agent == "cursor" and set(said) == {"permission", "user_message", "agent_message"}:
        return said["permission"] == "deny" and said["agent_message"] or None
    return None
