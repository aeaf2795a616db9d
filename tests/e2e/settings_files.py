"""Settings files in a box."""

import json
import os

# The files of each agent's hook: the user's and the project's.
HOOK_FILES = {
    "claude": (".claude/settings.json", ".claude/settings.json"),
    "codex": (".codex/hooks.json", ".codex/hooks.json"),
    "gemini": (".gemini/settings.json", ".gemini/settings.json"),
    "qwen": (".qwen/settings.json", ".qwen/settings.json"),
    "copilot": (".copilot/hooks/zs.json", ".github/hooks/zs.json"),
    "opencode": (".config/opencode/plugin/zs.js", ".opencode/plugin/zs.js"),
    "cline": (".cline/hooks/PreToolUse", ".clinerules/hooks/PreToolUse"),
    "cursor": (".cursor/hooks.json", ".cursor/hooks.json"),
    "windsurf": (".codeium/windsurf/hooks.json", ".windsurf/hooks.json"),
    "antigravity": (".gemini/config/hooks.json", ".agents/hooks.json"),
    "kimi": (".kimi-code/config.toml", None),
    "grok": (".grok/hooks/zs.json", ".grok/hooks/zs.json"),
    "kiro": (".kiro/hooks/zs.json", ".kiro/hooks/zs.json"),
}


def text_of(settings):
    return settings if isinstance(settings, str) else json.dumps({"sandbox": settings}, indent=1)


def user_settings(box, settings, mode=0o644):
    return box.file(os.path.join(box.home, ".config/zs/settings.json"), text_of(settings), mode)


def project_settings(box, settings, workspace=None):
    return box.file(os.path.join(workspace or box.work, ".zs/settings.json"), text_of(settings))


def entries(box, *options, **more):
    """The origins that zs policy show prints: {(field, value): "user:3"}"""
    shown = json.loads(box.run_zs("policy", "show", "--json", *options, **more).expect(exit=0).stdout)
    return {(entry["field"], entry["value"]): entry["source"] + (":%d" % entry["line"] if entry["line"] else "")
        for entry in shown["entries"]}


def trust(box, folder=None, **options):
    """Trusts the file as a person does who reads the hash and says yes."""
    shown = box.run_zs("trust", folder or box.work, **options).expect(exit=1).stdout
    digest = shown.split("SHA-256 ")[1].strip()
    return box.run_zs("trust", "--hash", digest, folder or box.work, **options).expect(exit=0, stderr="")
