"""Layering: which room may include which, and which files call each other in a circle.

A module is shellpolicy/, sandbox/, shim/ or cmd/; a room is a folder of a module. A file includes headers of its own
room and of the rooms before it in ROOMS, by the room's path below its module: "policy/policy.h". All rooms of the
modules that may use a module can include its public headers (zs_*.h at its top). A file calls only functions of those
rooms. The exception is a seam: a function that a lower room declares and each system defines.
"""

import glob
import os
import re
import subprocess

import harness
from harness import REPOSITORY, expect, test

# From the ground up: a room includes only rooms before it.
ROOMS = {
    "shellpolicy": "base rows rows/index read grammar code judge rules .",
    "sandbox": "base net git policy settings approval enforce proxy denial proxy/linux proxy/plain none seatbelt "
               "darwin linux/base linux/limits linux/overlay linux/files linux/locks linux/features linux/trace "
               "linux/watch linux/network linux/run linux/session linux .",
    "shim": ". none darwin linux/store linux",
    "cmd": "base vet run learn agent admin mcp hook .",
}
# Rooms of other modules that a module may include besides public headers; "*": all of them.
SEES = {
    "shellpolicy": {},
    "sandbox": {},
    "shim": {"sandbox": "*"},
    "cmd": {"shellpolicy": "", "sandbox": "base git settings", "shim": "."},
}
FILES_MAX = 30
# Files whose functions call each other in a circle, since the text that they read is recursive. No fourth circle is
# allowed.
CIRCLES = {
    "A command holds words, a word holds commands.":
        "commands compounds expansions heredoc strict_reader words",
    "A command runs commands, and a variable's value is one.":
        "assembled classify environment grammar_build grammar_git judge names settings shells unknown",
    "A variable's value holds expansions.":
        "expand expand_maker parameter substitution variables",
}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
FUNCTION = re.compile(r"^(?!static\b|extern\b|typedef\b)\w[\w\s*]*?\b(zs_\w+)\s*\((?=[^;]*?\)\s*\{)", re.MULTILINE)
TABLE = re.compile(r"^(?!extern\b)\w[\w \*]*\b(zs_\w+)(?:\[[^\]]*\])* =", re.MULTILINE)


def sources():
    listed = subprocess.run(["git", "ls-files", *ROOMS], cwd=REPOSITORY, check=True, stdout=subprocess.PIPE, text=True)
    return [name for name in listed.stdout.split() if name.endswith((".c", ".h"))]


def read(name):
    return harness.read(os.path.join(REPOSITORY, name))


def room_of(name):
    module, rest = name.split("/", 1)
    return module, os.path.dirname(rest) or "."


def is_public(name):
    return room_of(name)[1] == "." and os.path.basename(name).startswith("zs_") and name.endswith(".h")


def may_include(name, header):
    (module, room), (its_module, its_room) = room_of(name), room_of(header)
    if module == its_module:
        order = ROOMS[module].split()
        return is_public(header) or order.index(its_room) <= order.index(room)
    sees = SEES[module].get(its_module)
    return sees is not None and (is_public(header) or sees == "*" or its_room in sees.split())


@test(once=True)
def no_room_includes_what_stands_above_it(box):
    names = sources()
    headers = {name for name in names if name.endswith(".h")}
    wrong = []
    for name in names:
        for path in INCLUDE.findall(read(name)):
            there = [module + "/" + path for module in ROOMS if module + "/" + path in headers]
            if not there and path == "scanner.c":  # the grammar's own
                continue
            if len(there) != 1:
                wrong.append('%s: "%s" is no header by its room' % (name, path))
            elif not may_include(name, there[0]):
                wrong.append("%s: includes %s, which stands above it" % (name, there[0]))
    expect(not wrong, "\n".join(wrong))


@test(once=True)
def rooms_are_small_and_names_are_one(box):
    rooms, headers, wrong = {}, {}, []
    for name in sources():
        module, room = room_of(name)
        if room not in ROOMS[module].split():
            wrong.append("%s: its room is not in the list" % name)
        rooms[module, room] = rooms.get((module, room), 0) + 1
        if name.endswith(".h"):
            headers.setdefault(os.path.basename(name), []).append(name)
    wrong += ["%s/%s: %d files" % (*room, count) for room, count in rooms.items() if count > FILES_MAX]
    wrong += ["one name: " + " ".join(names) for names in headers.values() if len(names) > 1]
    expect(not wrong, "\n".join(wrong))


OTHER_SYSTEMS = ("/darwin/", "/none/", "/proxy/plain/", "/rows/index/")


def calls():
    """For each file, the files of its module whose functions or tables it names, with the names. Linux is the only
    system that counts; a name that another system defines as well is a seam."""
    texts = {name: COMMENT.sub(" ", read(name)) for name in sources() if name.endswith(".c")}
    home, seams = {}, set()
    for name, text in texts.items():
        symbols = {(name.split("/")[0], symbol) for symbol in FUNCTION.findall(text) + TABLE.findall(text)}
        if any(part in name for part in OTHER_SYSTEMS):
            seams |= symbols
        else:
            home.update({symbol: home.get(symbol, name) for symbol in symbols})
    graph = {}
    for name, text in texts.items():
        if any(part in name for part in OTHER_SYSTEMS):
            continue
        graph[name] = {}
        for symbol in set(re.findall(r"\bzs_\w+", text)):
            there = home.get((name.split("/")[0], symbol), name)
            if there != name:
                graph[name].setdefault(there, set()).add(symbol)
    return graph, {symbol for _, symbol in seams}


@test(once=True)
def no_room_calls_what_stands_above_it(box):
    graph, seams = calls()
    expect(sum(map(len, graph.values())) >= 800, "calls were not found")
    wrong = ["%s: calls %s of %s, which stands above it" % (name, " ".join(sorted(symbols - seams)), there)
        for name, others in graph.items() for there, symbols in others.items()
        if symbols - seams and not may_include(name, there)]
    expect(not wrong, "\n".join(sorted(wrong)))


def circles(graph):
    """The sets of files that reach each other (Tarjan's algorithm)."""
    order, low, stack, found = {}, {}, [], []

    def visit(name):
        order[name] = low[name] = len(order)
        stack.append(name)
        for other in graph[name]:
            if other not in order:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], order[other])
        if low[name] == order[name]:
            circle = set()
            while name not in circle:
                circle.add(stack.pop())
            if len(circle) > 1:
                found.append(circle)

    for name in graph:
        if name not in order:
            visit(name)
    return found


@test(once=True)
def calls_come_back_only_where_it_is_said(box):
    graph, _ = calls()
    found = {" ".join(sorted(os.path.basename(name)[:-2] for name in circle)) for circle in circles(graph)}
    said = set(CIRCLES.values())
    expect(len(said) <= 3, "more than three circles")
    expect(found == said, "new: %s; gone: %s" % (sorted(found - said), sorted(said - found)))


STEP = re.compile(r"`((?:shellpolicy|sandbox|shim|cmd|tests)/[\w/.*-]+\.\w+)`(?: `(\w+)\(\)`)?")
# A table of rows that the page names: a macro, or a constant of ours.
NAMED = re.compile(r"`([\w/]+\.[ch])` `([A-Z]\w+|zs_\w+)`(?!\()")


@test(once=True)
def each_place_of_the_architecture_page_exists(box):
    text = read("docs/architecture.md")
    places = STEP.findall(text)
    expect(len(places) >= 50 and len(text.splitlines()) <= 150,
        "%d places, %d lines" % (len(places), len(text.splitlines())))
    for name, function in places:
        expect(glob.glob(os.path.join(REPOSITORY, name)), "%s: there is no such file" % name)
        expect(not function or re.search(r"^\w[\w\s*]*?\b%s\(" % function, read(name), re.MULTILINE),
            "%s: has no %s()" % (name, function))
    for name, table in NAMED.findall(text):
        expect(re.search(r"\b%s\b" % table, read(name)), "%s: has no %s" % (name, table))
    for module, rooms in ROOMS.items():
        for room in rooms.split():
            expect(room == "." or "`%s`" % room.split("/")[-1] in text, "%s/%s: is not named" % (module, room))
