"""docs/seatbelt.md speaks of every rule in the profiles of testdata/seatbelt."""

import glob
import os
import re

from harness import REPOSITORY, Failure, main, test

# The text between the parentheses of a rule.
RULE = re.compile(r"^\((allow|deny) (.*?)(?=^\(|^; P0|\Z)", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"^[a-z*-]+$")
SERVICE = re.compile(r'(?:global|local)-name "([^"]+)"')


def rules(path):
    with open(path, encoding="utf-8") as f:
        return [match.group(2) for match in RULE.finditer(f.read())]


def operations(rule):
    return [word for word in rule.split("(")[0].rstrip(")\n ").split() if NAME.match(word)]


@test(once=True)
def every_rule_has_its_line(box):
    with open(os.path.join(REPOSITORY, "docs", "seatbelt.md"), encoding="utf-8") as f:
        docs = f.read()
    paths = sorted(glob.glob(os.path.join(REPOSITORY, "testdata", "seatbelt", "*.sb")))
    found = {name for path in paths for rule in rules(path) for name in operations(rule)}
    if len(paths) < 6 or len(found) < 30:
        raise Failure("only %d operations in %d profiles" % (len(found), len(paths)))
    missing = sorted(name for name in found if name not in docs)
    if missing:
        raise Failure("docs/seatbelt.md has no word of %s" % ", ".join(missing))
    # And every service that a profile lets a command ask, by the last part of its name or the one before it.
    services = {name for path in paths for rule in rules(path) for name in SERVICE.findall(rule)}
    for name in sorted(services):
        if not any(part in docs for part in name.split(".")[2:] if part not in ("system", "bsd", "daemon", "agent")):
            raise Failure("docs/seatbelt.md has no word of the service %s" % name)


if __name__ == "__main__":
    main()
