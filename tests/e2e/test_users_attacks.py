"""The attacks of test_attacks.py by root in a Debian root with other users: --root DIR --users. That root has
capabilities."""

from root_attacks import of_root, register
from subordinate import UsersBox

register(of_root(UsersBox, "--users", own=True), "subordinate-ids")
