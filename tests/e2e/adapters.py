"""The projects of tests/adapters and tests/harbor, which .ci/run fetches into a folder that ZS_TEST_SERVERS names, and
checks that run in their Python: where every user may read them."""

import os
import shutil

from harness import HERE, Box

PYTHON = "/usr/bin/python3"  # the one that the projects were fetched for
# Parts of a Python that no project needs.
UNUSED = ("test", "site-packages", "config-*", "idlelib", "include", "share", "*.a")


def link(source, target):
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def projects(name="adapters"):
    folder = os.path.join(Box.scratch, name)
    if not os.path.isdir(folder):
        source = os.path.realpath(os.path.join(os.environ["ZS_TEST_SERVERS"], name))
        shutil.copytree(source, folder, symlinks=True, copy_function=link)
        os.chmod(folder, 0o755)
    return folder


def newer_python():
    """The Python that tests/harbor was fetched for, and the folder of its shared library. One of the system stays where
    it is, another may lie in a home folder."""
    python = os.path.realpath(os.path.join(os.environ["ZS_TEST_SERVERS"], "harbor/python"))
    prefix = os.path.dirname(os.path.dirname(python))
    if prefix == "/usr":
        return python, "/usr/lib"
    folder = os.path.join(Box.scratch, "python")
    if not os.path.isdir(folder):
        shutil.copytree(prefix, folder, symlinks=True, copy_function=link, ignore=shutil.ignore_patterns(*UNUSED))
        os.chmod(folder, 0o755)
    return os.path.join(folder, os.path.relpath(python, prefix)), os.path.join(folder, "lib")


def checks(name):
    path = os.path.join(Box.scratch, name)
    if not os.path.exists(path):
        shutil.copy(os.path.join(HERE, name), path)
        os.chmod(path, 0o644)
    return path
