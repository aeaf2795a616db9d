"""The attacks of test_attacks.py by root in a Debian root: --root DIR --root-user."""

from harness import Box
from root_attacks import of_root, register

register(of_root(Box, "--root-user"))
