"""Where the private layers of caches lie."""

import hashlib
import os

BUSY = "zs: caches: another run of this workspace has its layers; what this one writes there is thrown away\n"


def layers_of(box):
    return box.home + "/.local/state/zs/caches"


def digest(path):
    return hashlib.sha256(path.encode()).hexdigest()


def layer_of(box, workspace, cache=".npm"):
    """The folder of a workspace's layer, by the paths' texts."""
    return "/".join((layers_of(box), digest(os.path.realpath(workspace)),
        digest(os.path.realpath(os.path.join(box.home, cache)))))
