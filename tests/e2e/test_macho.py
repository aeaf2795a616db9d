"""Tests the check of programs for macOS (tests/macho.py) with small Mach-O files that are made here. In each, one
property that the check requires is wrong. './zigw build cross' checks the programs themselves."""

import os
import struct
import sys

from harness import REPOSITORY, Failure, expect, test

sys.path.insert(0, os.path.join(REPOSITORY, "tests"))

import macho  # noqa: E402  (after the path it is found by)

ARM, INTEL = 0x0100000C, 0x01000007


def text_command(command, text, fixed=b""):
    body = struct.pack("<I", 12 + len(fixed)) + fixed + text.encode() + b"\0"
    body += b"\0" * (-len(body) % 8)
    return struct.pack("<2I", command, 8 + len(body)) + body


def dylib(name, command=0xC):
    return text_command(command, name, struct.pack("<3I", 2, 0, 0))


def build(minos=(13, 0), platform=1):
    return struct.pack("<6I", macho.LC_BUILD_VERSION, 24, platform, minos[0] << 16 | minos[1] << 8, 0, 0)


def program(cpu=ARM, kind=2, flags=macho.MH_PIE, loads=None, versions=None, dyld=macho.DYLD, entry=True, signed=True,
        imports=("_sandbox_init_with_parameters", "_sandbox_check", "_write"), weak=(), more=b""):
    commands = [dylib(macho.LIBRARY)] if loads is None else loads
    commands = list(commands) + ([build()] if versions is None else versions) + [text_command(0xE, dyld)]
    if entry:
        commands.append(struct.pack("<2I2Q", macho.LC_MAIN, 24, 0, 0))
    if signed:
        commands.append(struct.pack("<4I", macho.LC_CODE_SIGNATURE, 16, 0, 0))
    if more:
        commands.append(more)
    strings = b"\0"
    symbols = b""
    # Symbols that the program itself defines, and lines of its debug information, are no imports.
    for name, kind_of, description in [("_own", 0x0F, 0), ("_stab", 0x64, 0)] + [
            (name, 0x01, 0x40 if name in weak else 0) for name in imports]:
        symbols += struct.pack("<IBBHQ", len(strings), kind_of, 0, description, 0)
        strings += name.encode() + b"\0"
    count, size = len(commands) + 1, sum(map(len, commands)) + 24
    at = 32 + size
    commands.append(struct.pack("<6I", macho.LC_SYMTAB, 24, at, len(symbols) // 16, at + len(symbols), len(strings)))
    return struct.pack("<8I", macho.MH_MAGIC_64, cpu, 0, kind, count, size, flags, 0) + b"".join(commands) + \
        symbols + strings


def problems(data, allowed=("_sandbox_init_with_parameters", "_sandbox_check", "_write")):
    return list(macho.judge(macho.Program(data), set(allowed)))


RIGHT = [
    program(),
    program(cpu=INTEL, signed=False),
]

# Each fault, and its message.
WRONG = [
    (program(kind=6), "is no program"),
    (program(entry=False), "is no program"),
    (program(flags=0), "position independent"),
    (program(versions=[]), "does not say that it is for macOS"),
    (program(versions=[build(platform=2)]), "does not say that it is for macOS"),
    (program(versions=[build((14, 0))]), "is for macOS 14.0, not 13.0"),
    (program(versions=[build((13, 3))]), "is for macOS 13.3, not 13.0"),
    (program(dyld="/tmp/dyld"), "is loaded by /tmp/dyld"),
    (program(loads=[]), "loads no library"),
    (program(loads=[dylib(macho.LIBRARY), dylib("@rpath/libx.dylib")]), "loads @rpath/libx.dylib"),
    (program(loads=[dylib(macho.LIBRARY), dylib("/usr/lib/libsandbox.1.dylib")]), "loads /usr/lib/libsandbox.1.dylib"),
    (program(loads=[dylib(macho.LIBRARY, 0x80000018)]), "(command 0x80000018)"),
    (program(loads=[dylib(macho.LIBRARY), dylib("/x", 0x80000018)]), "loads /x"),
    (program(loads=[dylib(macho.LIBRARY), dylib("/x", 0x8000001F)]), "loads /x"),
    (program(loads=[dylib(macho.LIBRARY), dylib("/x", 0x20)]), "loads /x"),
    (program(loads=[dylib(macho.LIBRARY), dylib("/x", 0x80000023)]), "loads /x"),
    (program(more=text_command(macho.LC_RPATH, "/tmp")), "has load command 0x8000001c"),
    (program(more=text_command(macho.LC_DYLD_ENVIRONMENT, "DYLD_X=1")), "has load command 0x27"),
    (program(signed=False), "is not signed"),
    (program(imports=["_sandbox_init_with_parameters", "_sandbox_check", "_new"]), "imports _new, which is not"),
    (program(weak=["_write"]), "imports _write weakly"),
    (program(imports=["_sandbox_init_with_parameters", "_write"]), "does not import _sandbox_check"),
    (program(imports=["_sandbox_check", "_write"]), "does not import _sandbox_init_with_parameters"),
]


@test(once=True)
def mac_programs_are_judged(box):
    for data in RIGHT:
        expect(not problems(data), "a sound program: %s" % problems(data))
    for data, want in WRONG:
        said = problems(data)
        expect(len(said) == 1 and want in said[0], "%s: said of it was %s" % (want, said))


@test(once=True)
def mac_programs_that_are_none(box):
    """A file that is cut anywhere, or has a length that leads out of it, is refused."""
    whole = program()
    for size in range(len(whole)):
        try:
            expect(problems(whole[:size]), "cut to %d of %d bytes it is sound" % (size, len(whole)))
        except macho.Malformed:
            pass
    for data in (b"", b"\x7fELF" + b"\0" * 60, whole[:32] + struct.pack("<2I", 0xC, 4) + whole[40:],
            whole[:32] + struct.pack("<2I", 0xC, 1 << 30) + whole[40:]):
        try:
            macho.Program(data)
        except macho.Malformed:
            continue
        raise Failure("%r… was read" % data[:40])


def run(box, names, *programs):
    listed = box.file("imports-%s.txt" % len(os.listdir(box.root)), "".join(name + "\n" for name in names))
    paths = []
    for i, data in enumerate(programs):
        paths.append(os.path.join(box.root, "program%d" % i))
        with open(paths[-1], "wb") as f:
            f.write(data)
    return box.run([sys.executable, "-B", os.path.join(REPOSITORY, "tests", "macho.py"), listed, *paths])


@test(once=True)
def mac_imports_are_all_listed_and_used(box):
    names = ["_sandbox_check", "_sandbox_init_with_parameters", "_write"]
    run(box, names, *RIGHT).expect(exit=0)
    run(box, names[:2], *RIGHT).expect(exit=1, stdout=["imports _write, which is not in the list"])
    run(box, ["# names", *names[:2], "_unused", names[2]], *RIGHT).expect(
        exit=1, stdout=["_unused is imported by no program"])
    run(box, list(reversed(names)), *RIGHT).expect(exit=1, stdout=["is not sorted"])
    run(box, names, b"no program").expect(exit=1, stdout=["FAIL "])


@test(once=True)
def mac_suite_checks_itself(box):
    """tests/macos/run cannot run here, except for its help."""
    suite = os.path.join(REPOSITORY, "tests", "macos", "run")
    box.run([sys.executable, "-B", suite, "--self-check"]).expect(exit=0, stdout=["rows, sound"])
    box.run([sys.executable, "-B", suite, "--list"]).expect(exit=0, stdout=["every_escape_is_found"])
    if sys.platform != "darwin":
        box.run([sys.executable, "-B", suite]).expect(exit=2, stdout=["only --list and --self-check"])
