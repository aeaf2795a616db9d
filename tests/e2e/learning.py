"""Shared by the tests of zs learn."""

import json
import os

from harness import expect, read
from settings_files import user_settings


def script(box, text):
    return box.file("home/project/build.sh", "set -e\n" + text)


def learn(box, text, *options, exit=0, **more):
    """Returns the entries, what was refused, the last line, and the result."""
    script(box, text)
    result = box.run_zs("learn", "--json", *options, "--", "sh", "build.sh", **more).expect(exit=exit)
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    expect(lines and lines[-1]["event"] == "end", result)
    entries = {(row["option"], row["value"]) for row in lines if row["event"] == "entry"}
    refused = {row["what"]: row["reason"] for row in lines if row["event"] == "refused"}
    return entries, refused, lines[-1], result


def settings_of(box):
    return json.loads(read(os.path.join(box.home, ".config/zs/settings.json")))["sandbox"]


def tree(path):
    """Each path below with its content, for a comparison."""
    found = {}
    for folder, names, files in os.walk(path):
        for name in names + files:
            whole = os.path.join(folder, name)
            found[whole] = os.readlink(whole) if os.path.islink(whole) else None if os.path.isdir(whole) else \
                open(whole, "rb").read()
    return found


def breaks_without_each(box, clean, **more):
    """The learned settings work from clean, and without any one of their entries they do not."""
    learned = settings_of(box)
    clean()
    box.run_zs("run", "sh", "build.sh", **more).expect(exit=0)
    count = 0
    for key, values in learned.items():
        for value in values if isinstance(values, list) else [None]:
            less = {k: v for k, v in learned.items() if k != key}
            if value is not None:
                less[key] = [other for other in values if other != value]
            user_settings(box, less)
            clean()
            result = box.run_zs("run", "sh", "build.sh", **more)
            expect(result.exit != 0, "it passes without", key, value, result)
            count += 1
    user_settings(box, learned)
    return count
