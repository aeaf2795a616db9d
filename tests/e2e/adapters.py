"""The projects of tests/adapters, which .ci/run fetches into a folder that ZS_TEST_SERVERS names, and checks that run
in their Python: where every user may read them."""

import os
import shutil

from harness import HERE, Box

PYTHON = "/usr/bin/python3"  # the one that the projects were fetched for


def link(source, target):
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def projects():
    folder = os.path.join(Box.scratch, "adapters")
    if not os.path.isdir(folder):
        source = os.path.realpath(os.path.join(os.environ["ZS_TEST_SERVERS"], "adapters"))
        shutil.copytree(source, folder, symlinks=True, copy_function=link)
        os.chmod(folder, 0o755)
    return folder


def checks(name):
    path = os.path.join(Box.scratch, name)
    if not os.path.exists(path):
        shutil.copy(os.path.join(HERE, name), path)
        os.chmod(path, 0o644)
    return path
