#!/usr/bin/env python3
"""Writes the man pages of zs from what zs itself says.

    manual.py MANUAL SCHEMA HEADER FOLDER

MANUAL is what `zs help --json` prints and SCHEMA what `zs policy schema` does; HEADER is shim/zs_shim.h.
FOLDER/man1/zs.1, zs-run.1 and so on for each subcommand, man5/zs-policy.5 and man3/zs_exec_shim.3 are written.
Only one place describes an option, a key or a function: the table, or the header.
"""

import json
import os
import re
import sys
import textwrap

# Each key of a policy's JSON, and its text. tests/e2e/test_package.py compares the keys with sandbox/policy_json*.c.
POLICY = [
    ("version", "1. It must be there."),
    ("workspace", "An object: root, the folder the command works in; access, one of write, read and overlay (writes "
        "go to an overlay over it)."),
    ("root", "An object: a path, the folder that the command sees as \"/\" (a layer of the run's own lies over it); "
        "root_user, true to be root in there; users, true for the same with other users beside root; and "
        "image, the digest of the image that was unpacked there."),
    ("git_base", "A folder that git has made: the command sees it as the workspace's .git, under a layer of the run's "
        "own, and nothing of the real one."),
    ("paths", "A list of objects: path, which is absolute; access, one of exec (read and run), read, write, "
        "layer (writes go to a layer of the workspace's own), protect (read-only inside of what may be written) and "
        "hide; public, true for what grants no more than everybody may read; approved, four numbers that zs "
        "writes to know a place again. A path that does not exist grants nothing."),
    ("path_lists", "An object of lists: exec, read and write replace what the default policy takes from the machine; "
        "more_exec, more_read and more_write add to it."),
    ("links", "An object: symbolic links that are in the command's root directory, and what they say."),
    ("network", "none, full, or an object with hosts, a list of names; *.name is every name below it."),
    ("env", "An object: pass, a list of names, of which the last letter may be a star; set, an object of values. "
        "Variables by which a loader or a shell runs code never pass unasked."),
    ("caches", "private (written for this workspace alone), auto (the same where it can be had), tasks or shared."),
    ("tmp", "private (fresh, and gone afterwards) or shared."),
    ("git", "protect (.git, its hooks and configuration cannot be written) or allow."),
    ("unix_sockets", "A list of the sockets that may be connected to, besides the command's own. With network full, "
        "before Linux 7.1, without must name sockets."),
    ("limits", "An object of numbers above 0: wall_seconds, cpu_seconds, memory_bytes, processes, open_files, "
        "file_bytes."),
    ("without", "A list of what the command may run without where this machine cannot keep it; see zs run --without."),
    ("tier", "Which of the kernel's means must be used; see zs doctor."),
]

FILES = [
    ("~/.config/zs/settings.json", "Your own settings; $XDG_CONFIG_HOME counts. See zs-policy(5)."),
    (".zs/settings.json", "A project's, in the workspace. It narrows at once, and widens what zs trust has trusted."),
]
ENVIRONMENT = [
    ("NO_COLOR", "When it is set and not empty, nothing is coloured. Colours are for terminals alone."),
    ("TERM", "On a terminal of the kind dumb, or of no kind, nothing is coloured."),
]


def escape(text):
    """Escapes a text for roff: hyphens can be copied, and no line is a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    text = text.replace("^", "\\(ha").replace("~", "\\(ti").replace("…", "...")
    return re.sub(r"^\.", lambda dot: "\\&.", text, flags=re.M)


def bold(text):
    return "\\fB%s\\fR" % escape(text)


def prose(text):
    """Makes paragraphs; lines that start with blanks stay as they are."""
    out = []
    for part in re.split(r"\n\s*\n", text.strip("\n")):
        if re.match(r"[ \t]", part):
            out += [".PP", ".RS 4", ".nf", escape(textwrap.dedent(part.expandtabs(8))), ".fi", ".RE"]
        else:
            out += [".PP", escape("\n".join(line.strip() for line in part.split("\n")))]
    return "\n".join(out)


def section(title, body):
    return ".SH %s\n%s" % (title, body)


def tagged(rows):
    """rows: pairs of a bold term and its text."""
    return "\n".join(".TP\n%s\n%s" % (bold(tag), escape(" ".join(text.split()))) for tag, text in rows)


def page(name, number, version, description, sections):
    head = ".\\\" Made by cmd/package/manual.py.\n.TH %s %d \"\" \"zs %s\"" % (escape(name).upper(), number, version)
    name = section("NAME", "%s \\- %s" % (escape(name), escape(description)))
    text = "\n".join([head, name] + [section(title, body) for title, body in sections if body]) + "\n"
    return re.sub(r"(\.SH .*)\n\.PP\n", r"\1\n", text)


def value_of(option):
    return "|".join(option["choices"]) or option["value"] or ""


def option_text(option):
    names = (["-" + option["letter"]] if option["letter"] else []) + ["--" + option["name"]]
    tag = ", ".join(bold(name) for name in names)
    value = value_of(option)
    if value:
        tag += (" \\fI%s\\fR" if option["takes_value"] else "[=\\fI%s\\fR]") % escape(value)
    text = escape(" ".join(option["text"].split()))
    return ".TP\n%s\n%s" % (tag, text)


HELP = {"letter": "h", "name": "help", "takes_value": False, "value": None, "choices": [], "text": "print this help"}


def options_text(groups):
    out = []
    for i, group in enumerate(groups):
        if i or group["title"] != "Options":
            out.append(".SS %s" % escape(group["title"]))
        out += [option_text(option) for option in group["options"] + ([HELP] if i == 0 else [])]
    return "\n".join(out)


def synopsis(command):
    lines = []
    for line in command["usage"].split("\n"):
        lines.append("\\fBzs %s\\fR %s" % (escape(command["name"]), escape(line)))
    return "\n.br\n".join(line.rstrip() for line in lines)


def see_also(names):
    return ",\n".join(".BR %s (%d)" % (escape(name), number) for name, number in names).replace(",\n", " ,\n")


def exits(manual):
    return tagged([(str(row["code"]), row["text"]) for row in manual["exits"]])


def command_page(command, manual):
    name = "zs-" + command["name"]
    others = [other["name"] for other in manual["commands"] if other != command]
    also = [("zs", 1), ("zs-policy", 5)] + [("zs-" + other, 1) for other in others]
    return page(name, 1, manual["version"], command["description"][0].lower() + command["description"][1:], [
        ("SYNOPSIS", synopsis(command)),
        ("DESCRIPTION", prose(command["description"] + ".\n\n" + (command["notes"] or ""))),
        ("OPTIONS", options_text(command["groups"])),
        ("EXIT STATUS", exits(manual)),
        ("SEE ALSO", see_also(also)),
    ])


def main_page(manual):
    commands = [("zs " + command["name"], command["description"] + ".") for command in manual["commands"]]
    commands.append(("zs help", "Explain a command: zs help COMMAND; all of them, as JSON: zs help --json."))
    return page("zs", 1, manual["version"], "two walls around the shell commands of AI agents", [
        ("SYNOPSIS", "\\fBzs\\fR \\fICOMMAND\\fR [OPTIONS]\n.br\n\\fBzs\\fR \\-\\-help | \\-\\-version"),
        ("DESCRIPTION", prose("Vets the shell commands of AI agents, and confines those that run. The first wall reads "
            "the bash text and decides whether it runs at all; by the second one the kernel confines the process that "
            "does run. A text that cannot be read or decided is refused, and so is a policy that cannot be enforced, "
            "with a reason.")),
        ("COMMANDS", tagged(commands)),
        ("EXIT STATUS", "Any other is that of the command that ran.\n" + exits(manual)),
        ("ENVIRONMENT", tagged(ENVIRONMENT)),
        ("FILES", tagged(FILES)),
        ("SEE ALSO", see_also([("zs-" + command["name"], 1) for command in manual["commands"]] +
            [("zs-policy", 5), ("zs_exec_shim", 3)])),
    ])


def keys(properties, prefix):
    for name, key in properties.items():
        if "x-project" in key:
            yield prefix + name, "%s. In a project's file: %s." % (key["description"].rstrip("."), key["x-project"])
        elif "properties" in key:
            yield from keys(key["properties"], prefix + name + ".")


def policy_page(manual, schema):
    return page("zs-policy", 5, manual["version"], "policies and settings of zs", [
        ("DESCRIPTION", prose("A policy says what a command may reach; everything else is denied. It is a JSON object, "
            "which zs run --print-policy prints and zs run --policy reads. Settings are what a user, and a project, "
            "want always: they change the policy that zs makes.\n\nBoth are read strictly: an unknown key, a key given "
            "twice or a wrong type is an error that names the key and the line, and nothing runs. zs policy check "
            "tells every error of a file.")),
        ("POLICY", tagged(POLICY)),
        ("SETTINGS", tagged(keys(schema["properties"], ""))),
        ("FILES", tagged(FILES)),
        ("SEE ALSO", see_also([("zs", 1), ("zs-run", 1), ("zs-policy", 1), ("zs-trust", 1)])),
    ])


COMMENT = re.compile(r"/\*(.*?)\*/", re.S)
FUNCTION = re.compile(r"^(?:int|void) (\w+)\([^;{]*\);", re.M)


def comment_text(comment):
    """The comment's text without the stars. A line that a tab indents is code."""
    lines = [re.sub(r"^\s*\* ?", "", line) for line in comment.strip().split("\n")]
    return "\n".join(line if line.strip() else "" for line in lines)


def code(text):
    return ".nf\n%s\n.fi" % escape(text.strip("\n").expandtabs(8))


def shim_page(manual, header):
    """The functions are the synopsis, and the header's comments before them the description."""
    first = COMMENT.search(header)
    title, _, about = comment_text(first.group(1)).partition("\n")
    functions, described, at = [], [], first.end()
    for found in FUNCTION.finditer(header):
        comment = [c for c in COMMENT.finditer(header, at, found.start()) if not header[c.end():found.start()].strip()]
        functions.append(found.group())
        if comment:
            described.append(".SS %s\n%s" % (found.group(1) + "()", prose(comment_text(comment[-1].group(1)))[4:]))
        at = found.end()
    codes = re.findall(r"(ZS_EXIT_\w+) = (\d+)", header)
    exits = {str(row["code"]): row["text"] for row in manual["exits"]}
    return page("zs_exec_shim", 3, manual["version"], title.split(": ", 1)[1].rstrip("."), [
        ("SYNOPSIS", ".nf\n#include <zs_shim.h>\n.PP\n%s\n.fi\n.PP\nCompile with the flags that\n"
            ".B pkg\\-config \\-\\-cflags \\-\\-libs zs\\-sandbox\nprints." % code("\n".join(functions))[4:-4]),
        ("DESCRIPTION", prose(about.replace("\n\t\n", "\n")) + "\n" + "\n".join(described)),
        ("EXIT STATUS", tagged(("%s (%s)" % (number, name), exits[number]) for name, number in codes)),
        ("SEE ALSO", see_also([("zs", 1), ("zs-policy", 5)])),
    ])


def pages(manual, schema, header):
    yield "man1/zs.1", main_page(manual)
    for command in manual["commands"]:
        yield "man1/zs-%s.1" % command["name"], command_page(command, manual)
    yield "man5/zs-policy.5", policy_page(manual, schema)
    yield "man3/zs_exec_shim.3", shim_page(manual, header)


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def main(manual, schema, header, folder):
    for name, text in pages(json.loads(read(manual)), json.loads(read(schema)), read(header)):
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
