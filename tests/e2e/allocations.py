"""A zs whose allocations fail one at a time: ZS_TEST_COUNTED_ZS, which counts them in a page that it shares with the
test."""

import mmap
import os
import struct

from harness import expect

PAGE = struct.Struct("IIII")
FEWEST = 5


def counted_zs(box):
    program = os.path.join(box.root, "zs-counted")
    with open(os.environ["ZS_TEST_COUNTED_ZS"], "rb") as source, open(program, "wb") as target:
        target.write(source.read())
    os.chmod(program, 0o755)
    return program


def each_allocation_fails(box, run):
    """Yields the results of run(environment): first without a failure, then with each allocation failing. After a
    result None the same allocation is tried again."""
    path = box.file("allocations", "\0" * mmap.PAGESIZE)
    os.chmod(path, 0o666)
    fail_at = calls = 0
    while fail_at <= calls:
        with open(path, "r+b") as file:
            file.write(PAGE.pack(0, fail_at, 0, 0))
        result = run({"INJECT_ALLOCATIONS": path})
        if result is None:
            continue
        if fail_at == 0:
            with open(path, "rb") as file:
                calls = PAGE.unpack(file.read(PAGE.size))[2]
            expect(calls >= FEWEST, "allocations are not counted: %d" % calls)
        yield result
        fail_at += 1
