"""The pages of docs/ are true.

bash runs each block that is marked ```console as it is written. Lines that start with "$ " are commands; the other
lines are their output, standard error included. A line "…" stands for any lines, and "…" in a line for any text. FILES
has the files that a page's commands find in their workspace, which all blocks of the page share.
"""

import json
import os
import re
import sys

import harness
from harness import REPOSITORY, Failure, expect, test

sys.path.insert(0, os.path.join(REPOSITORY, "tests", "demo"))

sys.path.insert(0, os.path.join(REPOSITORY, "docs"))

import generate  # noqa: E402  (after the path it is found by)
import terminal  # noqa: E402

DOCS = os.path.join(REPOSITORY, "docs")
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CHANGE = {"notes.txt": "first\n", "make-change": "#!/bin/sh\necho changed >notes.txt\n"}
FILES = {"verify.md": CHANGE, "cli.md": CHANGE, "refused.md": {}, "recipes.md": {}, "../README.md": CHANGE}
PAGE_LINES_MAX = 300
README_LINES_MAX = 150


def read(name):
    return harness.read(os.path.join(DOCS, name))


def commands(text):
    """Yields the line of each command, with the output that the page shows."""
    found = []
    for line in "".join(BLOCK.findall(text)).splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def pattern(lines):
    parts = ["(.*\n)*" if line == "…" else ".*".join(map(re.escape, line.split("…"))) + "\n" for line in lines]
    return re.compile("".join(parts))


def run_page(box, name, least):
    for path, text in FILES[name].items():
        box.file("home/project/" + path, text, 0o755 if text.startswith("#!") else 0o644)
    found = commands(read(name))
    expect(len(found) >= least, "%s: only %d commands" % (name, len(found)))
    for command, lines in found:
        said = box.run(["bash", "-c", "exec 2>&1; " + command],
            add_env={"PATH": os.path.dirname(box.zs) + ":" + box.env["PATH"], "LC_ALL": "C"}).stdout
        expect(pattern(lines).fullmatch(said), "%s: $ %s\n%s" % (name, command, said))


@test(needs=["sandbox", "bash", "git"])
def each_page_does_what_it_shows(box):
    for name, least in (("verify.md", 8), ("../README.md", 6), ("cli.md", 6), ("refused.md", 5),
            ("recipes.md", 7)):
        fresh = harness.Box(box.user)
        run_page(fresh, name, least)
        fresh.close()


@test(needs=["sandbox"], once=True)
def each_recipe_has_options_that_zs_takes(box):
    """Their commands need registries, agents or browsers; zs prints the policies."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", read("recipes.md"), re.MULTILINE | re.DOTALL)
    found = re.findall(r"^zs run (.*) -- ", "\n".join(blocks), re.MULTILINE)
    expect(len(found) >= 12, found)
    for options in found:
        box.run(["bash", "-c", "%s run --print-policy %s" % (box.zs, options)]).expect(exit=0,
            stdout=re.compile("version"))


@test(needs=["sandbox", "bash"])
def the_recorded_terminal_is_what_zs_prints(box):
    for name, text in terminal.FILES.items():
        os.makedirs(os.path.join(box.root, os.path.dirname(name)), exist_ok=True)
        box.file(name, text, terminal.mode(text))
    env = {"PATH": os.path.dirname(box.zs) + ":" + box.env["PATH"], "LC_ALL": "C"}
    lines = terminal.record(lambda command: box.run(["bash", "-c", "exec 2>&1; " + command], add_env=env).stdout,
        box.home)
    if read("terminal.svg") != terminal.draw(lines):
        shown = "\n".join(text for _, text in lines)
        raise Failure("'tests/demo/terminal.py ZS' draws what zs prints now:\n%s" % shown)


def known_tests():
    tests = ""
    for name in os.listdir(os.path.join(REPOSITORY, "tests", "e2e")):
        if name.startswith("test_"):
            tests += harness.read(os.path.join(REPOSITORY, "tests", "e2e", name))
    return set(re.findall(r"^@test\(.*\)\ndef (\w+)\(", tests, re.MULTILINE))


@test(once=True)
def each_protection_has_its_test(box):
    known = known_tests()
    for page, least in (("security.md", 30), ("../README.md", 8)):
        rows = re.findall(r"^\| .* \| ((?:`\w+` ?)+) \|(?: .* \|)?$", read(page), re.MULTILINE)
        named = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
        expect(len(rows) >= least // 2 and len(named) >= least,
            "%s: only %d protections with %d tests" % (page, len(rows), len(named)))
        missing = sorted(set(named) - known)
        expect(not missing, "%s names tests that are none: %s" % (page, ", ".join(missing)))


@test(once=True)
def stages_are_in_their_order(box):
    stages = list(dict.fromkeys(re.findall(r'^\t\{ "([a-z_ ]+)", zs_stage_', read("../sandbox/linux/stages.c"), re.M)))
    shown = read("security.md").split("anything has run:")[1].split("\n\n")[1]
    expect(len(stages) >= 20 and re.findall(r"`([a-z_ ]+)`", shown) == stages,
        "docs/security.md shows %s; stages.c has %s" % (shown, stages))


@test(once=True)
def each_type_of_ioctl_is_on_its_page(box):
    types = re.findall(r"^\tX\((0x[0-9a-f]{2}), ", read("../sandbox/linux/locks/seccomp_ioctls.h"), re.M)
    missing = [number for number in types if number not in read("security.md")]
    expect(len(types) >= 6 and not missing, "of %s docs/security.md lacks %s" % (types, missing))


@test(needs=["sandbox"], once=True)
def each_key_of_a_policy_is_on_its_page(box):
    """An empty policy prints the values that the page gives for absent keys."""
    page = read("policy.md")
    keys = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", page.split("\n## ")[0], re.MULTILINE)
    shown = {name for row in keys for name in re.findall(r"`(\w+)`", row)}
    made = json.loads(box.run_zs("run", "--print-policy", "--limit", "wall=1s").expect().stdout)
    empty = box.file("empty.json", '{"version": 1}')
    bare = json.loads(box.run_zs("run", "--policy", empty, "--print-policy").expect().stdout)
    expect(set(made) | set(bare) <= shown and len(shown) >= 12,
        "%s are not on the page: %s" % (sorted((set(made) | set(bare)) - shown), shown))
    expect((bare["git"], bare["tmp"], bare["network"], bare["paths"]) == ("protect", "private", "none", []), bare)
    for name in made["limits"]:
        expect("| `%s` |" % name in page, name)
    for name in shown - {"version"}:
        box.run_zs("policy", "check", box.file(name + ".json", '{"version": 1, "%s": false}' % name)).expect(exit=65,
            stderr=re.compile(name + "(?!.*unknown)"))


# The ways in which a source names the step or the subject with which a line of zs begins.
BEGINNINGS = (r'(?:step|stage)\[\] = "([^"]+)"', r'^\t\{ "([a-z_ ]+)", zs_stage_', r'\.step = "([^"]+)"',
    r'zs_error_(?:say|errno)\(\s*[^,()]+(?:\([^()]*\))?[^,()]*,\s*"([^"]+)"', r'zs_complain_errno\(\s*"([^"]+)"',
    r'zs_(?:complain|notice)\(\s*"(?:zs: )?(?!zs:)([a-z][a-z ]*): ',
    r'zs_fail(?:_errno)?\(\s*[^,]+,\s*"([a-z][a-z ]*)(?:: |")')


@test(once=True)
def each_message_is_on_its_page(box):
    """Those of the systems that no test runs on are left out."""
    named = set()
    for module in ("cmd", "sandbox", "shim"):
        for folder, _, names in os.walk(os.path.join(REPOSITORY, module)):
            if re.search("/(darwin|seatbelt|none)$", folder):
                continue
            text = "\n".join(harness.read(os.path.join(folder, name)) for name in names if name.endswith(".c"))
            named.update(name for pattern in BEGINNINGS for name in re.findall(pattern, text, re.M))
    missing = sorted(name for name in named if "`zs: %s" % name not in read("refused.md"))
    expect(len(named) >= 45 and not missing, "%d messages; docs/refused.md lacks %s" % (len(named), missing))


@test(once=True)
def the_page_of_kernels_has_the_last_results(box):
    want = generate.kernels(box.zs)
    if os.environ.get("ZS_UPDATE_GOLDEN"):
        with open(os.path.join(DOCS, "kernels.md"), "w", encoding="utf-8") as file:
            file.write(want)
    expect(read("kernels.md") == want, "'./zigw build docs' makes docs/kernels.md from tests/vm/results.json")
    tried = re.findall(r"^\| .* \| \d+\.\d+\.\S+ \| (?:none|\d+) \| (.*) \| (.*) \| \d{4}-\d\d-\d\d \| .*\|$",
        want, re.M)
    outcomes = {re.sub(r" .*", "", outcome.strip()) for row in tried for outcome in row}
    expect(len(tried) >= 15 and outcomes == {"holds", "refuses"}, "%d cells with %s" % (len(tried), outcomes))


def pages():
    return ["../README.md", "../CONTRIBUTING.md", "../SECURITY.md"] + \
        sorted(name for name in os.listdir(DOCS) if name.endswith(".md") and name != "commands.md")


# Pages beside the code that they describe.
NEAR = ["../bindings/%s/README.md" % name for name in ("cpp", "go", "node", "python", "rust")] + [
    "../testdata/cases/README.md", "../tests/fuzz/README.md"]


def anchors(text):
    """The anchors that a code host gives to the headings of a page."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@test(once=True)
def links_of_the_pages_lead_somewhere(box):
    found = 0
    for name in pages() + NEAR:
        folder = os.path.dirname(os.path.join(DOCS, name))
        for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", read(name)):
            path = os.path.join(folder, target) if target else os.path.join(DOCS, name)
            expect(os.path.exists(path) and not target.endswith("commands.md"),
                "docs/%s: %s is not there" % (name, target))
            found += bool(anchor)
            if anchor and anchor not in anchors(read(path)):
                raise Failure("docs/%s: %s has no heading #%s" % (name, target or name, anchor))
    expect(found >= 15, "only %d links with an anchor" % found)


@test(once=True)
def pages_are_short_and_say_what_they_are_for(box):
    for name in pages() + NEAR:
        text = read(name)
        most = README_LINES_MAX if name == "../README.md" else PAGE_LINES_MAX
        expect(not text.count("\n") > most, "docs/%s: more than %d lines" % (name, most))
        expect(name == "../README.md" or re.match(r"# .+\n\nThis page ", text),
            "docs/%s does not begin with 'This page …'" % name)
