"""Attacks that leave something in a workspace for programs outside."""

import glob
import os

from harness import expect


def remove(box, path):
    box.run(["sh", "-c", 'chmod -R u+rwx "$1" 2>/dev/null; rm -rf "$1" "$1".set-aside-*', "sh", path]).expect()


def no_such_name(box, name, attack, zs=("run",), exit=None, aside=True, cwd=None, **options):
    """The attack makes the name without zs; with it, nothing has that name afterwards, and zs says so."""
    folder = cwd or box.work
    path = os.path.join(folder, name)
    control = box.run(["bash", "-c", attack], cwd=folder, **options)
    expect(os.path.lexists(path), "control: %s was not made: %s" % (name, control))
    remove(box, path)
    result = box.run_zs(*zs, "--", "bash", "-c", attack, cwd=folder, **options)
    expect(not os.path.lexists(path), "%s is there: %s" % (name, result))
    expect(exit is None or result.exit == exit, "exit %d, not %s: %s" % (result.exit, exit, result))
    if aside:
        result.expect_text("stderr", result.stderr, ["zs: protect: %s: was made while a command ran" % path])
        expect(glob.glob(glob.escape(path) + ".set-aside-*"), "it was not set aside: %s" % result)
    remove(box, path)
    return result
