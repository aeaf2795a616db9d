"""docs/seatbelt.md explains every rule in the profiles of testdata/seatbelt."""

import glob
import os
import re

from harness import REPOSITORY, expect, read, test

# The text between the parentheses of a rule.
RULE = re.compile(r"^\((allow|deny) (.*?)(?=^\(|^; P0|\Z)", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"^[a-z*-]+$")
SERVICE = re.compile(r'(?:global|local)-name "([^"]+)"')


def rules(path):
    return [match.group(2) for match in RULE.finditer(read(path))]


def operations(rule):
    return [word for word in rule.split("(")[0].rstrip(")\n ").split() if NAME.match(word)]


@test(once=True)
def every_rule_has_its_line(box):
    docs = read(os.path.join(REPOSITORY, "docs", "seatbelt.md"))
    paths = sorted(glob.glob(os.path.join(REPOSITORY, "testdata", "seatbelt", "*.sb")))
    found = {name for path in paths for rule in rules(path) for name in operations(rule)}
    expect(len(paths) >= 6 and len(found) >= 30, "only %d operations in %d profiles" % (len(found), len(paths)))
    missing = sorted(name for name in found if name not in docs)
    expect(not missing, "docs/seatbelt.md has no word of %s" % ", ".join(missing))
    # The page also names every service that a profile allows, by the last part of its name or the part before it.
    services = {name for path in paths for rule in rules(path) for name in SERVICE.findall(rule)}
    for name in sorted(services):
        expect(any(part in docs for part in name.split(".")[2:] if part not in ("system", "bsd", "daemon", "agent")),
            "docs/seatbelt.md has no word of the service %s" % name)
