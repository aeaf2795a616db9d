"""Subordinate ids for the user of a test. Each program gets an /etc/subuid and /etc/subgid of its own: the machine's
are never written."""

import os

from harness import Box

FIRST, COUNT = 200000, 65536
FILES = ("/etc/subuid", "/etc/subgid")

# $1, $2: the files; $3: shell text that changes more; then the user's id, and the command.
SCRIPT = """
set -e
mount --bind "$1" /etc/subuid
mount --bind "$2" /etc/subgid
eval "$3"
user=$4
shift 4
[ "$user" = 0 ] || set -- setpriv --reuid "$user" --regid "$user" --clear-groups -- "$@"
exec "$@"
"""


class UsersBox(Box):
    """change: shell text that root runs before, in that mount namespace. subuids, subgids: the files' texts."""

    def __init__(self, box):
        self.__dict__ = box.__dict__

    def rows(self):
        return "nobody:%d:%d\n" % (FIRST, COUNT) if self.user.uid is not None else ""

    def run(self, argv, *, subuids=None, subgids=None, change="", **options):
        if os.geteuid() != 0:
            return super().run(argv, **options)
        texts = [self.rows() if text is None else text for text in (subuids, subgids)]
        files = [self.file("etc/%s-%x" % (name, hash(text) & 0xffffffff), text)
            for name, text in zip(("subuid", "subgid"), texts)]
        kind = type(self.user)
        user, self.user = self.user, kind("root")
        try:
            return super().run(["unshare", "-m", "--propagation", "private", "sh", "-c", SCRIPT, "sh", *files, change,
                str(user.uid or 0), *argv], **options)
        finally:
            self.user = user

    def outside_id(self, inside):
        """The id on this machine of a user or a group of the root."""
        if inside == 0:
            return os.geteuid() if self.user.uid is None else self.user.uid
        return (0x70000000 if self.user.is_root else FIRST) + inside - 1
