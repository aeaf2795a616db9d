#!/usr/bin/env python3
"""Looks at programs for macOS without one: what they ask of dyld and of the system's libraries.

    tests/macho.py IMPORTS PROGRAM...

Each must be a 64-bit program for macOS 13 or later that is position independent, load nothing but libSystem, and import
from it no other symbols than those listed in IMPORTS, a file with one name in a line: whoever adds one to that looks up
that macOS 13 has it. A listed name that no program imports fails as well. tests/e2e/test_macho.py
shows that each of these can fail.

The format: mach-o/loader.h and nlist.h of the macOS SDK.
"""

import os
import struct
import sys

MH_MAGIC_64, MH_EXECUTE, MH_PIE = 0xFEEDFACF, 2, 0x200000
LC_REQ_DYLD = 0x80000000
LC_SYMTAB, LC_BUILD_VERSION, LC_MAIN, LC_CODE_SIGNATURE = 0x2, 0x32, 0x28 | LC_REQ_DYLD, 0x1D
LC_LOAD_DYLINKER, LC_RPATH, LC_DYLD_ENVIRONMENT = 0xE, 0x1C | LC_REQ_DYLD, 0x27
# Commands that load a library: plainly, weakly, reexported, lazily, upward.
LOADS = {0xC, 0x18 | LC_REQ_DYLD, 0x1F | LC_REQ_DYLD, 0x20, 0x23 | LC_REQ_DYLD}
PLATFORM_MACOS = 1
CPUS = {0x01000007: "x86_64", 0x0100000C: "arm64"}
N_STAB, N_TYPE, N_EXT, N_UNDF, N_WEAK_REF = 0xE0, 0x0E, 0x01, 0x0, 0x40
NLIST = struct.Struct("<IBBHQ")

LIBRARY = "/usr/lib/libSystem.B.dylib"
DYLD = "/usr/lib/dyld"
OLDEST = (13, 0)
# Without these calls no policy would be enforced.
NEEDED = {"_sandbox_init_with_parameters", "_sandbox_check"}


class Malformed(Exception):
    pass


class Program:
    def __init__(self, data):
        self.libraries, self.imports, self.weak = [], set(), set()
        self.minos = self.platform = self.dylinker = None
        self.entry = self.is_signed = False
        self.odd = []  # load commands that no program of zs should have
        try:
            self.read(data)
        except (struct.error, IndexError, ValueError) as error:
            raise Malformed(str(error))

    def read(self, data):
        magic, cpu, _, kind, count, size, flags, _ = struct.unpack_from("<8I", data)
        if magic != MH_MAGIC_64:
            raise Malformed("no 64-bit Mach-O of one architecture")
        self.cpu = CPUS.get(cpu, hex(cpu))
        self.is_program, self.is_pie = kind == MH_EXECUTE, bool(flags & MH_PIE)
        at, symbols = 32, None
        for _ in range(count):
            command, length = struct.unpack_from("<2I", data, at)
            if length < 8 or at + length > 32 + size:
                raise Malformed("load command at %d reaches beyond the others" % at)
            body = data[at:at + length]
            if command in LOADS:
                self.libraries.append((command, string(body, 8)))
            elif command == LC_LOAD_DYLINKER:
                self.dylinker = string(body, 8)
            elif command == LC_BUILD_VERSION:
                self.platform, minos = struct.unpack_from("<2I", body, 8)
                self.minos = (minos >> 16, minos >> 8 & 0xFF)
            elif command == LC_SYMTAB:
                symbols = struct.unpack_from("<4I", body, 8)
            elif command == LC_MAIN:
                self.entry = True
            elif command == LC_CODE_SIGNATURE:
                self.is_signed = True
            elif command in (LC_RPATH, LC_DYLD_ENVIRONMENT):
                self.odd.append("0x%x" % command)
            at += length
        if symbols is None:
            raise Malformed("no symbol table")
        offset, number, strings, strings_size = symbols
        names = data[strings:strings + strings_size]
        for i in range(number):
            index, kind, _, description, _ = NLIST.unpack_from(data, offset + i * NLIST.size)
            if kind & N_STAB or kind & N_TYPE != N_UNDF or not kind & N_EXT:
                continue
            name = names[index:names.index(b"\0", index)].decode()
            self.imports.add(name)
            if description & N_WEAK_REF:
                self.weak.add(name)


def string(body, at):
    offset = struct.unpack_from("<I", body, at)[0]
    return body[offset:].split(b"\0", 1)[0].decode()


def read_list(path):
    names = []
    for line in open(path):
        name = line.split("#", 1)[0].strip()
        if name:
            names.append(name)
    return names


def judge(program, allowed):
    """All faults of the program."""
    if not program.is_program or not program.entry:
        yield "is no program"
    if not program.is_pie:
        yield "is not position independent"
    if program.platform != PLATFORM_MACOS or program.minos is None:
        yield "does not say that it is for macOS"
    elif program.minos != OLDEST:
        yield "is for macOS %d.%d, not %d.%d" % (program.minos + OLDEST)
    if program.dylinker != DYLD:
        yield "is loaded by %s" % program.dylinker
    for command, name in program.libraries:
        if name != LIBRARY or command != 0xC:
            yield "loads %s (command 0x%x); nothing but %s is to be" % (name, command, LIBRARY)
    if not program.libraries:
        yield "loads no library"
    # The kernel of these machines starts only signed programs; the linker signs ad hoc.
    if program.cpu == "arm64" and not program.is_signed:
        yield "is not signed"
    for command in program.odd:
        yield "has load command %s, by which libraries are looked for elsewhere" % command
    for name in sorted(program.imports - allowed):
        yield "imports %s, which is not in the list: does macOS %d have it?" % (name, OLDEST[0])
    for name in sorted(program.weak):
        yield "imports %s weakly: it may be missing, and is called all the same" % name
    for name in sorted(NEEDED - program.imports):
        yield "does not import %s" % name


def main(list_path, paths):
    names = read_list(list_path)
    allowed, used, failed = set(names), set(), []
    if names != sorted(allowed):
        failed.append("%s: is not sorted, or has a name twice" % list_path)
    for path in paths:
        with open(path, "rb") as file:
            data = file.read()
        try:
            program = Program(data)
        except Malformed as error:
            failed.append("%s: %s" % (path, error))
            continue
        used |= program.imports
        problems = ["%s: %s" % (path, problem) for problem in judge(program, allowed)]
        failed += problems
        if not problems:
            print("%s: %s, macOS %d.%d, %d imports of libSystem" % ((os.path.relpath(path), program.cpu) +
                program.minos + (len(program.imports),)))
    failed += ["%s: %s is imported by no program: take it out" % (list_path, name) for name in sorted(allowed - used)]
    for line in failed:
        print("FAIL " + line)
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
