"""Programs that use the library of zs."""

import os
import shutil

from harness import HERE, read


def library(box):
    return shutil.copy(box.library, os.path.join(box.root, "libzs_sandbox.so"))


def host_of(box, kind, options, more, command):
    policy = box.run_zs("run", "--print-policy", *options, "--", "true", **more).expect().stdout
    return ["python3", "-c", read(os.path.join(HERE, "library_host.py")), kind, library(box), box.zs, policy, *command]
