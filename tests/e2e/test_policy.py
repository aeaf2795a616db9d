"""zs policy: show, check, diff and schema."""

import difflib
import json
import os
import re
import sys

from harness import REPOSITORY, Failure, expect, read, test
from settings_files import entries, project_settings, trust, user_settings

sys.path.insert(0, os.path.join(REPOSITORY, "docs"))

import generate  # noqa: E402  (after the path it is found by)


# ------------------------------------------------------------------------------------------------------- show


@test(needs=["sandbox"])
def every_entry_has_its_source(box):
    user_settings(box, {"hide": ["~/.bashrc"], "limits": {"open_files": 100, "processes": 50}, "network_hosts":
        ["a.example"]})
    project_settings(box, {"protect": ["kept"], "limits": {"open_files": 50}, "network_hosts": ["b.example"],
        "write_paths": [box.outside]})
    shown = entries(box, "--ro", "/srv", "--env", "X", "--setenv", "Y=1", "--limit", "cpu=9", "--tmp", "shared",
        add_env={"ZS_SANDBOX_RO": "/opt/x"})
    for entry, source in {("hide", box.home + "/.bashrc"): "user:4", ("protect", box.work + "/kept"): "project:4",
            ("limits.open_files", "50"): "project:7", ("limits.processes", "50"): "user:8", ("host", "a.example"):
            "user:11", ("network", "hosts"): "user:11", ("read", "/srv"): "option", ("env", "X"): "option",
            ("setenv", "Y=1"): "option", ("limits.cpu_seconds", "9"): "option", ("tmp", "shared"): "option",
            ("git", "protect"): "preset", ("env", "HOME"): "preset", ("exec", "/usr"): "preset",
            ("workspace.write", box.work): "preset", ("read", "/opt/x"): "environment"}.items():
        expect(shown.get(entry) == source, "%s: %s, not %s" % (entry, shown.get(entry), source))
    expect(("host", "b.example") not in shown and ("write", box.outside) not in shown, shown)
    report = json.loads(box.run_zs("policy", "show", "--json").expect().stdout)
    expect([(item["key"], item["value"], item["line"]) for item in report["untrusted"]] == [ ("sandbox.network_hosts",
        "b.example", 10), ("sandbox.write_paths", box.outside, 13)], report["untrusted"])
    trust(box)
    shown = entries(box)
    expect(shown.get(("host", "b.example")) == "project:10" and shown.get(("write", box.outside)) == "project:13",
        shown)
    expect(not json.loads(box.run_zs("policy", "show", "--json").expect().stdout)["untrusted"], "untrusted")


@test(needs=["sandbox"])
def it_is_what_run_uses(box):
    user_settings(box, {"additional_read_only_paths": [box.outside]})
    project_settings(box, {"hide": ["x"]})
    for options in ([], ["--no-settings"], ["--rw", box.outside], ["--no-default", "read"],
            ["--caches", "private"]):
        printed = json.loads(box.run_zs("run", *options, "--print-policy").expect().stdout)
        paths = {("public." * path.get("public", False) + path["access"], path["path"]) for path in printed["paths"]}
        shown = {entry for entry in entries(box, *options) if entry[0].split(".")[-1] in
            ("hide", "protect", "read", "exec", "layer", "write") and not entry[0].startswith("workspace")}
        if paths != shown:
            raise Failure(paths ^ shown)


@test()
def text_for_people(box):
    path = user_settings(box, {"hide": ["~/.bashrc"], "apply_to": "tool", "allow_unsandboxed": True})
    box.file("home/.bashrc")
    project = project_settings(box, {"additional_env_vars": ["NEW"], "apply_to": "terminal",
        "allow_unsandboxed": False})
    text = box.run_zs("policy", "show").expect(stderr="").stdout
    for line in (r"^hide +%s/.bashrc +user:4$" % box.home, r"^network +none +preset$",
            r"^workspace\.write +%s +preset$" % box.work,
            r"^hosts confine: both; unconfined without a question: no$", r"^user: %s *$" % path,
            r"^project: %s *$" % project, r"^Left out, since the project's file is not trusted",
            r"^sandbox.additional_env_vars +NEW +project:4$"):
        expect(re.search(line, text, re.M), "no %r in %s" % (line, text))
    os.remove(project)
    text = box.run_zs("policy", "show").expect(stderr="").stdout
    expect("hosts confine: tool; unconfined without a question: yes\n" in text and "trusted" not in text, text)
    for settings, confined in (({}, "both"), ({"enabled": False}, "neither"), ({"apply_to": "terminal"}, "terminal"),
            ({"enabled": True, "apply_to": "neither"}, "neither")):
        user_settings(box, settings)
        expect("hosts confine: %s;" % confined in box.run_zs("policy", "show").expect().stdout, settings)
    printed = box.run_zs("policy", "show", "--hide", "/srv", "--print-policy").expect(stderr="").stdout
    box.run_zs("run", "--hide", "/srv", "--print-policy").expect(stdout=printed, stderr="")
    user_settings(box, {"enabled": False})
    project_settings(box, {"enabled": True})
    expect("hosts confine: both;" in box.run_zs("policy", "show").expect().stdout, "a project may ask for it")


@test()
def a_missing_path_is_not_shown_as_granted(box):
    box.folder("home/.cargo/registry")
    typo, kept = box.outside + "/typo", box.work + "/kept"
    options = ["--rw", typo, "--ro", typo, "--hide", typo, "--protect", kept, "--rw", box.outside]
    text = box.run_zs("policy", "show", *options).expect(stderr="").stdout
    lines = [line.split() for line in text.splitlines()]
    for line in ([kind, typo, "option,", "missing"] for kind in ("read", "write", "hide")):
        expect(line in lines, line, text)
    for line in (["protect", kept, "option"], ["write", box.outside, "option"],
            ["write", box.home + "/.cargo/registry", "preset"]):
        expect(line in lines, line, text)
    expect("/.npm" not in text and "/.cargo/git" not in text, text)
    shown = json.loads(box.run_zs("policy", "show", "--json", *options).expect().stdout)["entries"]
    missing = {(entry["field"], entry["value"]): entry["missing"] for entry in shown}
    for entry, want in {("write", typo): True, ("write", box.home + "/.npm"): True, ("protect", kept): False,
            ("write", box.outside): False, ("network", "none"): False}.items():
        expect(missing.get(entry) == want, entry, missing.get(entry))


# ------------------------------------------------------------------------------------------------------ check


@test()
def check_tells_every_error(box):
    good = user_settings(box, {"hide": ["~/x"]})
    project = project_settings(box, {"hide": ["x"]})
    policy = box.file("p.json", '{"version": 1, "paths": []}')
    box.run_zs("policy", "check", good, project, policy).expect(exit=0, stderr="", stdout=
        "%s: settings, valid\n%s: a project's settings, valid\n%s: a policy, valid\n" % (good, project, policy))
    box.run_zs("policy", "check", ".zs/settings.json").expect(exit=0)
    box.run_zs("policy", "check", "settings.json", cwd=box.work + "/.zs").expect(exit=0,
        stdout=re.compile("a project's"))
    bad = box.file("bad.json", '{"sandbox": {"hid": [],\n"hide": ["x", 1, "/y"],\n"enabled": 2}}')
    broken = box.file("broken.json", '{"version": 1,\n"paths": [{"path": "x", "access": "reed"}, {"access": "read"}],\n'
        '"netwrk": "none"}')
    result = box.run_zs("policy", "check", bad, good, "/no/such", broken).expect(exit=65,
        stdout="%s: settings, valid\n" % good)
    lines = result.stderr.splitlines()
    for part, line in zip(('%s: line 1: sandbox.hid: unknown key; did you mean "hide"?' % bad,
            "%s: line 2: sandbox.hide[0]: is relative" % bad, "%s: line 2: sandbox.hide[1]: is not a string" % bad,
            "%s: line 3: sandbox.enabled: is neither true nor false" % bad, "/no/such: no such file",
            "%s: line 2: paths[0].access: is not an access; these are hide, protect, read, exec, layer, write" %
                broken,
            "%s: line 2: paths[1]: must have one of \"path\"" % broken,
            '%s: line 3: netwrk: unknown key; did you mean "network"?' % broken), lines):
        expect(part in line, "%r is not %r" % (line, part))
    expect(len(lines) == 8, lines)
    # The place of a file decides whether the same text is right or wrong.
    project_settings(box, {"enabled": False, "hide": ["~/x"]})
    result = box.run_zs("policy", "check", project).expect(exit=65)
    expect(len(result.stderr.splitlines()) == 2, result)
    box.run_zs("policy", "check", "-", stdin='{"sandbox": {}}').expect(exit=0, stdout="-: settings, valid\n")


# ------------------------------------------------------------------------------------------------------- diff


@test()
def diff_of_what_is_gained_and_lost(box):
    box.run_zs("policy", "diff", "preset", "preset").expect(exit=0, stdout="", stderr="")
    box.run_zs("policy", "diff", "preset", ".").expect(exit=0, stdout="")
    verify = box.run_zs("policy", "diff", "preset", "verify").expect(exit=1, stderr="").stdout
    expect("- workspace.write %s\n" % box.work in verify and "+ workspace.overlay %s\n" % box.work in verify, verify)
    path = user_settings(box, {"hide": ["~/x"], "allow_network": True})
    wanted = "+ hide %s/x\n+ network full\n- network none\n" % box.home
    box.run_zs("policy", "diff", "preset", ".").expect(exit=1, stdout=wanted)
    box.run_zs("policy", "diff", "preset", path).expect(exit=1, stdout=wanted)
    box.run_zs("policy", "diff", ".", path).expect(exit=0, stdout="")
    lines = box.run_zs("policy", "diff", "--json", path, "preset").expect(exit=1).stdout.splitlines()
    expect([json.loads(line) for line in lines] == [{"change": "lost", "field": "hide", "value": box.home + "/x"},
        {"change": "lost", "field": "network", "value": "full"}, {"change": "gained", "field": "network",
        "value": "none"}], lines)
    policy = box.file("p.json", box.run_zs("run", "--print-policy").expect().stdout)
    box.run_zs("policy", "diff", policy, ".").expect(exit=0, stdout="")
    box.run_zs("policy", "diff", policy, "/no/such").expect(exit=65)
    box.run_zs("policy", "diff", box.file("bad.json", "{"), ".").expect(exit=65)
    project_settings(box, {"hide": ["y"], "write_paths": [box.outside]})
    box.run_zs("policy", "diff", path, ".").expect(exit=1, stdout="+ hide %s/y\n" % box.work)


# Names, each with its form at the terminal.
NAMES = {"a  user:3": '"a  user:3"', "a\nhide x": '"a\\nhide x"', "a\\nhide": '"a\\\\nhide"', 'a"b': '"a\\"b"',
    "a\033[2Kb": '"a\\x1b[2Kb"', "a\rb": '"a\\x0db"', "a\tb": '"a\\tb"', "a\u202eb": '"a\\u202eb"',
    "a\u00a0b": '"a\\u00a0b"', "a\u2028b": '"a\\u2028b"', "a\u0085b": '"a\\u0085b"', "\u00e4-\u65e5": "\u00e4-\u65e5"}


@test()
def a_path_can_pass_for_nothing_else(box):
    """It makes no line or column of its own in the output of show, check and diff. JSON has the path as it is."""
    def seen(result):
        return result.stdout.encode("latin-1").decode()

    for name, shown in NAMES.items():
        folder = os.path.join(box.home, name)
        # The quotes are around the whole path.
        shown = '"%s/%s' % (box.home, shown[1:]) if shown[0] == '"' else folder
        path = user_settings(box, {"hide": [folder]})
        with_quotes = "hide" + " " * 20 + shown
        lines = seen(box.run_zs("policy", "show").expect(stderr="")).split("\n")
        expect([line for line in lines if line.startswith(with_quotes + "  ") and line.endswith("  user:4, missing")],
            "%r: %s" % (shown, lines))
        text = seen(box.run_zs("policy", "diff", "preset", path).expect(exit=1, stderr=""))
        expect(text == "+ hide %s\n" % shown, text)
        line = json.loads(seen(box.run_zs("policy", "diff", "--json", "preset", path).expect(exit=1)))
        report = json.loads(seen(box.run_zs("policy", "show", "--json").expect()))
        expect(line["value"] == folder and folder in [entry["value"] for entry in report["entries"]],
            "%s, %s" % (line, report))
        os.mkdir(folder)
        box.own(folder)
        file = box.file(folder + "/f.json", '{"sandbox": {}}')
        end = '/f.json"' if shown[0] == '"' else "/f.json"
        text = seen(box.run_zs("policy", "check", file).expect(exit=0, stderr=""))
        expect(text == "%s: settings, valid\n" % (shown.rstrip('"') + end), text)
        box.file(file, '{"sandbox": {"hid": 1}}')
        result = box.run_zs("policy", "check", file).expect(exit=65, stdout="")
        told = result.stderr.encode("latin-1").decode()
        expect(told.count("\n") == 1 and told[:-1].isprintable(), result)


# ----------------------------------------------------------------------------------------------------- schema


@test(once=True)
def docs_are_up_to_date(box):
    for name in ("policy.md", "settings.md", "settings.schema.json"):
        want = generate.MADE[name](box.zs)
        path = os.path.join(generate.HERE, name)
        if os.environ.get("ZS_UPDATE_GOLDEN"):
            with open(path, "w", encoding="utf-8") as file:
                file.write(want)
        have = read(path)
        if have != want:
            diff = difflib.unified_diff(have.splitlines(), want.splitlines(), name, "zs", lineterm="", n=0)
            raise Failure("'./zigw build docs' accepts the difference:\n%s" % "\n".join(diff))


TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "null": type(None)}


def fits(value, schema, root):
    """The part of JSON Schema that our schema uses; an unknown keyword is an error."""
    unknown = set(schema) - {"$schema", "$defs", "$ref", "title", "description", "x-project", "type", "enum", "items",
        "properties", "additionalProperties", "minimum", "pattern", "oneOf", "required", "maxItems", "maxLength"}
    expect(not unknown, unknown)
    if "$ref" in schema:
        return fits(value, root["$defs"][schema["$ref"].split("/")[-1]], root)
    if "enum" in schema and value not in schema["enum"]:
        return False
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(type(value) is TYPES[name] for name in types):
        return False
    if "oneOf" in schema and sum(all(name in value for name in one["required"]) for one in schema["oneOf"]) != 1:
        return False
    most = schema.get("maxItems" if isinstance(value, list) else "maxLength")
    if isinstance(value, (list, str)) and most is not None and len(value) > most:
        return False
    if isinstance(value, dict):
        known = schema.get("properties", {})
        return all(key in known and fits(inner, known[key], root) for key, inner in value.items())
    if isinstance(value, list):
        return all(fits(item, schema["items"], root) for item in value)
    if isinstance(value, str) and "pattern" in schema:
        return re.search(schema["pattern"], value) is not None
    return not (isinstance(value, int) and value < schema.get("minimum", value))


VALUES = [None, True, False, 0, 1, -1, 1.5, "", "x", "both", "tool", "bath", [], {}, [1], [None], ["/x"], ["~"],
    ["~/x"],
    ["~bob"], ["!x"], ["$X"], ["a*"], ["NAME"], ["NAME*"], ["*.example.org"], ["a.example.org"], ["a b"], ["/a b"],
    ["1x"], ["A=1"], ["npm"], ["@npm"], ["auto"], ["/x", "/y"], ["/x", 3], [[]], {"x": 1}, [{}],
    [{"match": "x"}], [{"match": "x", "command": "x"}], [{"command": "x", "flags": ["-f"], "operand": "a"}],
    [{"match": "x" * 257}], ["cloud"]]


@test(once=True, slow=True)
def the_schema_says_what_the_reader_takes(box):
    schema = json.loads(box.run_zs("policy", "schema").expect(stderr="").stdout)
    keys = []

    def collect(properties, prefix):
        for name, inner in properties.items():
            if "x-project" in inner:
                keys.append(prefix + [name])
            elif "properties" in inner:
                collect(inner["properties"], prefix + [name])

    collect(schema["properties"], [])
    expect(len(keys) == 33, keys)
    for key in keys:
        for value in VALUES:
            for system in (None, "linux", "macos"):
                document = value
                for name in reversed(key[:1] + ([system] if system else []) + key[1:]):
                    document = {name: document}
                path = box.file("home/project/.zs-settings", json.dumps(document))
                taken = box.run_zs("policy", "check", path).exit == 0
                # A relative path is allowed in a project's file, so the schema accepts it.
                relative = isinstance(value, list) and any(isinstance(item, str) and not item.startswith(
                    ("/", "~", "!", "$")) for item in value)
                if relative and not taken and "paths" in "".join(key) + "_paths" * (key[-1] in ("protect", "hide")):
                    continue
                if taken is not fits(document, schema, schema):
                    raise Failure("%s: reader %s, schema %s" % (json.dumps(document), taken, not taken))
    for text, good in (('{"$schema": "x"}', True), ('{"sandbox": null}', True), ('{"x": 1}', False), ("[]", False)):
        expect(fits(json.loads(text), schema, schema) is good, text)


@test(once=True)
def usage(box):
    for arguments, message in (([], "no action; choose one of show, check, diff, test, schema"),
            (["shw"], "shw: no such action; did you mean 'zs policy show'?"),
            (["frobnicate"], "frobnicate: no such action; choose one of show, check, diff, test, schema"),
            (["show", "x"], "show: wrong operands or options; write zs policy show [OPTIONS]"),
            (["check"], "check: wrong operands or options; write zs policy check FILE..."),
            (["check", "x", "--ro", "/"], "check: wrong operands or options; write zs policy check FILE..."),
            (["check", "x", "--json"], "check: wrong operands or options; write zs policy check FILE..."),
            (["diff", "a"], "diff: wrong operands or options; write zs policy diff A B"),
            (["diff", "a", "b", "c"], "diff: wrong operands or options; write zs policy diff A B"),
            (["schema", "--no-settings"], "schema: wrong operands or options; write zs policy schema")):
        box.run_zs("policy", *arguments).expect(exit=64, stdout="", stderr="zs: policy: %s\n" % message)
