"""The attacks of test_attacks.py once more, in a Debian root: the tests of test_root_attacks.py and
test_users_attacks.py."""

import functools
import os

import harness
from harness import NOBODY, Box, User, expect
from roots import debian_root

FIRST = len(harness.TESTS)
import test_attacks  # noqa: E402  registers its tests, which are taken from the list here

ATTACKS = harness.TESTS[FIRST:]
del harness.TESTS[FIRST:]
# It asks for the Landlock tier, which has no other root.
LEFT_OUT = {"kernel_settings"}
PACKAGES = ("apt", "adduser", "passwd", "mawk", "git", "perl", "python3", "procps", "util-linux", "iproute2",
    "netcat-openbsd", "curl")


@functools.lru_cache(None)
def shared_root(owner=NOBODY if os.geteuid() == 0 else None):
    """One for all tests of a file. It goes with the scratch folder. owner: a uid, or None for the user of the tests."""
    return debian_root(Box(User("owner", owner)), PACKAGES)


def of_root(kind, *options, own=False):
    """A kind of box whose zs run has these options, in the root. own: the root is the box's user's."""
    class RootBox(kind):
        def __init__(self, box):
            self.__dict__ = box.__dict__

        def run_zs(self, *args, **more):
            if args[0] == "run":
                root = shared_root(self.user.uid) if own else shared_root()
                args = ("run", "--root", root, *options, *args[1:])
            return super().run_zs(*args, **more)

    return RootBox


def register(kind, *needs):
    """Makes a test of each attack, with such a box."""
    def with_box(attack):
        @functools.wraps(attack)
        def run(box):
            attack(kind(box))

        return run

    expect(len(ATTACKS) > 10 and LEFT_OUT <= {name for name, *_ in ATTACKS}, "the attacks are there", test_attacks)
    for name, attack, its_needs, once, slow in ATTACKS:
        if name not in LEFT_OUT:
            harness.test(needs=[*its_needs, "debian", *needs], once=once, slow=slow)(with_box(attack))
