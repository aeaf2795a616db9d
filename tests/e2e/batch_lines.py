"""Lines for zs vet --batch."""

import os
import select
import time

LINE_MAX = 1024 * 1024  # BATCH_LINE_MAX of cmd/vet/vet.c

# line, the answer's id, what its reason says
BAD_LINES = [
    ("\n", None, "is not JSON: "),
    ("ls\n", None, "is not JSON: "),
    ('{"id":1,"cmd":"ls"\n', None, "is not JSON: "),
    ('{"id":1,"cmd":"ls"} {}\n', None, "is not JSON: "),
    ('{"id":1,"cmd":"\xff"}\n', None, "is not JSON: "),
    ('{"id":1,"cmd":"\\ud800"}\n', None, "is not JSON: "),
    ("[]\n", None, "is not an object"),
    ("1\n", None, "is not an object"),
    ('{"cmd":"ls"}\n', None, "'id' is missing"),
    ('{"id":7,"cmd":"ls","cwd":"x"}\n', 7, "'cwd' is not an absolute path"),
    ('{"id":7,"cmd":"ls","cwd":1}\n', 7, "'cwd' is not an absolute path"),
    ('{"id":null,"cmd":"ls"}\n', None, "'id' is neither a string nor a number"),
    ('{"id":[1],"cmd":"ls"}\n', None, "'id' is neither a string nor a number"),
    ('{"id":true,"cmd":"ls"}\n', None, "'id' is neither a string nor a number"),
    ('{"id":7}\n', 7, "'cmd' is missing"),
    ('{"id":7,"cmd":null}\n', 7, "'cmd' is not a string"),
    ('{"id":7,"cmd":["ls"]}\n', 7, "'cmd' is not a string"),
    ('{"id":7,"cmd":"ls","cmd":"rm"}\n', 7, "'cmd' is there twice"),
    ('{"id":7,"id":8,"cmd":"ls"}\n', 7, "'id' is there twice"),
    ('{"id":7,"cmd":"ls","profile":"lax"}\n', 7, "'profile' is not one of strict relaxed verify"),
    ('{"id":7,"cmd":"ls","profile":null}\n', 7, "'profile' is not one of strict relaxed verify"),
    ('{"id":7,"cmd":"ls","profile":"strict\\u0000"}\n', 7, "'profile' is not one of strict relaxed verify"),
    ('{"id":7,"cmd":"%s"}\n' % ("x" * LINE_MAX), None, "is longer than %d bytes" % LINE_MAX),
    ("x" * (3 * LINE_MAX) + "\n", None, "is longer than %d bytes" % LINE_MAX),
]


def read_line(stream, seconds=10):
    """A line that comes while the other end waits, or None."""
    line = b""
    end = time.monotonic() + seconds
    while not line.endswith(b"\n"):
        if not select.select([stream], [], [], max(0, end - time.monotonic()))[0]:
            return None
        byte = os.read(stream.fileno(), 1)
        if not byte:
            return None
        line += byte
    return line
