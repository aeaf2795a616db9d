#!/usr/bin/env python3
"""Writes completions for bash, zsh and fish from what `zs help --json` prints.

    completions.py MANUAL FOLDER

FOLDER/bash-completion/completions/zs, FOLDER/zsh/site-functions/_zs and FOLDER/fish/vendor_completions.d/zs.fish.
"""

import json
import os
import sys

# The words by which the help names a value that is a path.
FOLDERS = ("DIR",)
FILES = ("FILE", "PATH", "PROGRAM")

HELP = {"letter": "h", "name": "help", "takes_value": False, "repeats": False, "value": None, "choices": [],
    "text": "print this help"}


def options_of(command):
    return [HELP] + [option for group in command["groups"] for option in group["options"]]


def spellings(option):
    return ["--" + option["name"]] + (["-" + option["letter"]] if option["letter"] else [])


def kind_of(value):
    """The kind of a value: files, folders, or nothing that can be guessed."""
    return "folders" if value in FOLDERS else "files" if value in FILES else "none"


def quote(text):
    """Escapes a text for single quotes of a shell."""
    return "'%s'" % text.replace("'", "'\\''")


def first_line(text):
    return text.split("\n")[0]


BASH = """# bash completion of zs. Made by cmd/package/completions.py.

_zs_words() {
	local IFS=$' \\t\\n'
	COMPREPLY=($(compgen -W "$1" -- "$2"))
}

_zs_paths() {
	local IFS=$'\\n'
	compopt -o filenames 2>/dev/null
	COMPREPLY=($(compgen "$1" -- "$2"))
}

# The value of option $2 of command $1, of which $3 is there already. Fails when that option takes none.
_zs_value() {
	case "$1 $2" in
%(values)s
	*) return 1 ;;
	esac
}

_zs() {
	local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]-} i
	local options= words= runs=
	COMPREPLY=()
	if [ "$COMP_CWORD" = 1 ]; then
		_zs_words "%(commands)s --help --version" "$word"
		return 0
	fi
	case $command in
%(cases)s
	*) return 0 ;;
	esac
	# --option=value is three words where COMP_WORDBREAKS has the sign.
	if [ "$word" = = ]; then
		_zs_value "$command" "$previous" "" && return 0
	elif [ "$previous" = = ]; then
		_zs_value "$command" "${COMP_WORDS[COMP_CWORD - 2]}" "$word" && return 0
	fi
	# The context is a value, a word, or a command to run with words of its own.
	for ((i = 2; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		--) words= options= runs=${runs:+now} && i=$((i + 1)) && break ;;
		=) i=$((i + 1)) ;;
		-*)
			_zs_value "$command" "${COMP_WORDS[i]}" "" && [ "${COMP_WORDS[i + 1]}" != = ] && i=$((i + 1))
			COMPREPLY=()
			;;
		*)
			words=
			[ -z "$runs" ] || { runs=now options= && break; }
			;;
		esac
	done
	if [ "$i" -gt "$COMP_CWORD" ]; then
		_zs_value "$command" "$previous" "$word"
	elif [ "$runs" = now ]; then
		if [ "$i" != "$COMP_CWORD" ]; then
			_zs_paths -f "$word"
		else
			_zs_paths -c "$word"
		fi
	elif [[ $word == -* ]]; then
		_zs_words "$options" "$word"
	elif [ -n "$words" ]; then
		_zs_words "$words" "$word"
	elif [ -n "$runs" ]; then
		_zs_paths -c "$word"
	else
		_zs_paths -f "$word"
	fi
	return 0
}

complete -F _zs zs
"""


def bash(manual):
    values, cases = [], []
    for command in manual["commands"]:
        for option in options_of(command):
            if not option["takes_value"]:
                continue
            does = {"none": ":", "files": '_zs_paths -f "$3"', "folders": '_zs_paths -d "$3"'}[kind_of(option["value"])]
            if option["choices"]:
                does = '_zs_words "%s" "$3"' % " ".join(option["choices"])
            names = "|".join('"%s %s"' % (command["name"], name) for name in spellings(option))
            values.append("\t%s) %s ;;" % (names, does))
        names = " ".join(name for option in options_of(command) for name in spellings(option))
        cases.append("\t%s)\n\t\toptions=%s\n\t\twords=%s runs=%s\n\t\t;;" % (command["name"], quote(names),
            quote(" ".join(command["words"])), "yes" if command["runs_command"] else ""))
    names = " ".join(command["name"] for command in manual["commands"])
    cases.append("\thelp) words=%s ;;" % quote(names))
    return BASH % {"values": "\n".join(values), "cases": "\n".join(cases), "commands": names + " help"}


def zsh_text(text):
    """Escapes a text for a specification of _arguments."""
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")


def zsh_options(command):
    for option in options_of(command):
        names = spellings(option)
        message = "[%s]" % zsh_text(first_line(option["text"]))
        value = ""
        if option["takes_value"]:
            does = {"none": "", "files": "_files", "folders": "_files -/"}[kind_of(option["value"])]
            does = "(%s)" % " ".join(option["choices"]) if option["choices"] else does
            value = ":%s:%s" % (zsh_text(option["value"] or option["name"]), does)
        for name in names:
            equals = "=" if value and name.startswith("--") else ""
            others = "*" if option["repeats"] else "(%s)" % " ".join(names)
            yield quote(others + name + equals + message + value)


def zsh(manual):
    commands = [(command["name"], command["description"]) for command in manual["commands"]]
    commands.append(("help", "Explain a command"))
    lines = ["#compdef zs", "# zsh completion of zs. Made by cmd/package/completions.py.", "", "_zs() {",
        "\tlocal -a subcommands=("]
    lines += ["\t\t" + quote("%s:%s" % (name, text.replace(":", "\\:"))) for name, text in commands]
    lines += ["\t)", "\tif ((CURRENT == 2)); then", "\t\t_describe -t commands command subcommands", "\t\treturn",
        "\tfi", "\tlocal command=${words[2]}", "\tshift words", "\t((CURRENT--))", "\tcase $command in"]
    for command in manual["commands"]:
        specs = list(zsh_options(command))
        if command["runs_command"]:
            specs += [quote("(-)1:command: _command_names -e"), quote("*::arguments: _normal")]
        elif command["words"]:
            specs += [quote("1:word:(%s)" % " ".join(command["words"])), quote("*:file:_files")]
        else:
            specs += [quote("*:file:_files")]
        lines += ["\t%s)" % command["name"], "\t\t_arguments -s -S : \\"]
        lines += ["\t\t\t%s%s" % (spec, " \\" if i + 1 < len(specs) else "") for i, spec in enumerate(specs)]
        lines.append("\t\t;;")
    lines += ["\thelp) _describe -t commands command subcommands ;;", "\tesac", "}", "", '_zs "$@"']
    return "\n".join(lines) + "\n"


FISH = """# fish completion of zs. Made by cmd/package/completions.py.

function __zs_is
    set -l words (commandline -opc)
    test (count $words) -gt 1; and test $words[2] = $argv[1]
end

# Completes the words behind --, as a command line of its own; without one, the name of a command.
function __zs_command
    set -l words (commandline -opc)
    set -l at (contains -i -- -- $words)
    and set -e words[1..$at]
    or set words
    set -l line (string join ' ' -- (string escape -- $words) (commandline -ct))
    complete -C "$line"
end

complete -c zs -f"""


def fish(manual):
    lines = [FISH]
    for name, text in [(c["name"], c["description"]) for c in manual["commands"]] + [("help", "Explain a command")]:
        lines.append("complete -c zs -n 'test (count (commandline -opc)) = 1' -a %s -d %s" % (name, quote(text)))
    for command in manual["commands"]:
        here = "complete -c zs -n '__zs_is %s'" % command["name"]
        for option in options_of(command):
            letter = " -s " + option["letter"] if option["letter"] else ""
            value = ""
            if option["takes_value"]:
                value = {"none": " -x", "files": " -r -F", "folders": " -x -a '(__fish_complete_directories)'"}[
                    kind_of(option["value"])]
                value = " -x -a %s" % quote(" ".join(option["choices"])) if option["choices"] else value
            lines.append("%s%s -l %s%s -d %s" % (here, letter, option["name"], value,
                quote(first_line(option["text"]).replace("\\", "\\\\"))))
        if command["runs_command"]:
            lines.append("%s -a '(__zs_command)'" % here)
        else:
            if command["words"]:
                lines.append("%s; and test (count (commandline -opc)) = 2' -a %s" % (here[:-1],
                    quote(" ".join(command["words"]))))
                here = "%s; and test (count (commandline -opc)) -gt 2'" % here[:-1]
            lines.append("%s -F" % here)
    return "\n".join(lines) + "\n"


SHELLS = {"bash-completion/completions/zs": bash, "zsh/site-functions/_zs": zsh,
    "fish/vendor_completions.d/zs.fish": fish}


def main(manual, folder):
    with open(manual, encoding="utf-8") as f:
        manual = json.load(f)
    for name, make in SHELLS.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(make(manual))


if __name__ == "__main__":
    main(*sys.argv[1:])
