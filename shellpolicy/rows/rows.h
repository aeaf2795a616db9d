/* The table of commands: a row says what one command does. The engine (options.c, classify.c) knows no command by name.
 *
 * A row's `options` is a list of words: the flags that matter, each with the meaning of its value or its presence.
 *
 *	-o=w --output=w      takes a value (attached or the next word) of role w
 *	-i?i --in-place?i    takes a value only when attached; its presence has effect i
 *	--dump?W             takes a value only when attached, of role W (R, W or O); bare, it means nothing
 *	-v!h --version!h     takes no value; its presence has effect h
 *	-o^d                 takes the next word, of role d, wherever it stands in a bundle: bash -oe pipefail
 *	-0#                  takes attached digits, and other flags may follow (perl -0pi)
 *	-q                   takes no value, means nothing (needed in rows that are ZS_ROW_STRICT)
 *
 * A flag that is not listed takes no value and means nothing. In a ZS_ROW_STRICT row it blocks, since the place of
 * the operands depends on it. Long flags may be abbreviated, as getopt_long(3) allows.
 *
 * A row's `operands` gives the operands their roles, in order. Each letter stands for an operand, and one letter may
 * have a star. "r*w" is cp's: all operands but the last are read, and the last is written.
 *
 * The name of a subcommand may end in "-*" (describe-* of aws ec2), or be "*" for subcommands that no other row names.
 * Then the family of the words after it has a star too: "aws *".
 */
#ifndef ZS_ROWS_H
#define ZS_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The role of a word for its command: enumerator, letter in rows, name, meaning. */
#define ZS_ROLES(X)                                                                                                    \
	X(DATA, 'd', "data", "nothing")                                                                                \
	X(READ, 'r', "read", "a file that is read")                                                                    \
	X(WRITE, 'w', "write", "a file that is overwritten")                                                           \
	X(CREATE, 'n', "create", "a file or folder that is made")                                                      \
	X(APPEND, 'a', "append", "a file that is appended to")                                                         \
	X(DELETE, 'x', "delete", "a file that is deleted")                                                             \
	X(MOVE, 'm', "move", "a file that is moved away")                                                              \
	X(METADATA, 'M', "metadata", "a file whose mode, owner, times or attributes change")                           \
	X(BESIDE, 'B', "beside",                                                                                       \
		"a file that a file beside it replaces, with a name made of its own: gzip x makes x.gz")               \
	X(LINK, 'l', "link", "a link that is made")                                                                    \
	X(TARGET, 'T', "target", "a folder that gets the operands: the last operand is a source too")                  \
	X(SCRIPT, 'f', "script", "a file that is run: standard input makes the interpreter opaque")                    \
	X(CODE, 'k', "code", "code in the language of the row; as an operand, only when no flag gave code")            \
	X(SHELL, 'c', "shell", "bash code; as the value of a flag it gets further words, not known here (rg --pre)")   \
	X(ALONE, 'y', "alone", "bash code that runs as it stands (script -c)")                                         \
	X(SHELL_REST, 'S', "shell-rest", "this and all further operands, joined by blanks, are bash code")             \
	X(ASSIGN, 'e', "assign", "NAME=VALUE of the environment; as an operand, only while it has that form")          \
	X(COMMAND, 'X', "command", "this and all further words are a command")                                         \
	X(VARIABLE, 'v', "variable", "the name of a variable of the shell that gets a value")                          \
	X(CHDIR, 'C', "chdir", "a folder that becomes the working directory")                                          \
	X(CONFIG, 'g', "config", "a git configuration setting, key=value")                                             \
	X(OUTPUT, 'W', "output", "a file that is written in place of the command's default output")                    \
	X(PRELOAD, 'u', "preload", "a file that is run before the script, or before the code on standard input")       \
	X(MODULE, 'p', "module", "a library that is loaded; more than its name is code (perl -M)")                     \
	X(PATTERN, 'P', "pattern", "a perl regular expression: (?{...}) in it is code")                                \
	X(SSH_OPTION, 'o', "ssh-option", "Key=value of ssh_config(5): some keys run commands")                         \
	X(SETTING, 'O', "setting", "KEY=VALUE, KEY:VALUE,...: some keys name a file that is written")                  \
	X(PARAMETER, 's', "parameter", "KEY=VALUE changes the system, KEY asks it: sysctl")                            \
	X(DEVICE, 'D', "device", "a value that changes the system: date -s TIME")                                      \
	X(LOADS, 'L', "loads", "a file or folder whose code the program loads as its own")                             \
	X(REPLACE, 'R', "replace", "a string that is replaced in the words of the inner command (xargs -I)")

enum zs_role {
#define X(id, letter, name, text) ZS_ROLE_##id = letter,
	ZS_ROLES(X)
#undef X
};

/* The effect of a flag's presence: enumerator, letter in rows, name, meaning. */
#define ZS_FLAG_EFFECTS(X)                                                                                             \
	X(INFO, 'h', "info", "the command only prints: help, version, a dry run; no other word counts")                \
	X(IN_PLACE, 'i', "in-place", "operands that are read are written")                                             \
	X(DELETES, 'x', "deletes", "operands that are read are deleted")                                               \
	X(WRITES, 'w', "writes", "writes files that no word names")                                                    \
	X(REPO, 'p', "repo", "changes the repository")                                                                 \
	X(DEVICE, 'd', "device", "changes the system")                                                                 \
	X(STDIN, 's', "stdin", "reads code from standard input")                                                       \
	X(CODE_OPERAND, 'c', "code-operand", "the first operand is code (bash -c)")                                    \
	X(CODE_DONE, 'k', "code-done", "no script operand follows (python -m)")                                        \
	X(READ_ONLY, 'r', "read-only", "undoes the row's own `writes`, `repo` or `device` (git tag -l)")               \
	X(SHELL, 'l', "shell", "an interactive shell is started when no command is given (sudo -s)")                   \
	X(VERSION, 'v', "version", "the command prints its version, and then goes on (ruby -v)")                       \
	X(EATS, 'e', "eats", "reads or skips a part of its standard input (sudo -S, python -x)")                       \
	X(GUARD, 'g', "guard", "changes what zs lets commands do, whatever the other words are")                       \
	X(WORK_TREE, 't', "work-tree", "undoes the row's `dot-git`: git reset --hard")                                 \
	X(NONE, 'N', "none", "nothing; the flag is listed for its value")

enum zs_flag_effect {
#define X(id, letter, name, text) ZS_FLAG_##id = letter,
	ZS_FLAG_EFFECTS(X)
#undef X
};

/* The traits of a command: enumerator, bit, name, meaning. */
#define ZS_ROW_TRAITS(X)                                                                                               \
	X(STRICT, 0, "strict", "a flag that is not listed blocks")                                                     \
	X(NO_PERMUTE, 1, "no-permute", "flags end at the first operand")                                               \
	X(LONG_DASH, 2, "long-dash", "flags are words after one dash (go, openssl), and not bundles of letters")       \
	X(SUBCOMMANDS, 3, "subcommands", "the first operand picks the row `NAME SUB`")                                 \
	X(STDIN_CODE, 4, "stdin-code", "runs its standard input when no operand and no flag gives code")               \
	X(WRITES, 5, "writes", "always changes files")                                                                 \
	X(REPO, 6, "repo", "always changes repository state")                                                          \
	X(CD, 7, "cd", "changes the working directory")                                                                \
	X(NETWORK, 8, "network", "talks to another host")                                                              \
	X(PRIVILEGE, 9, "privilege", "asks for another user's rights")                                                 \
	X(DEVICE, 10, "device", "changes devices, mounts or the kernel's state")                                       \
	X(ENVIRONMENT, 11, "environment", "changes what later commands run")                                           \
	X(APPENDS, 12, "appends", "the inner command gets operands that are not known (xargs)")                        \
	X(POSIX, 13, "posix", "its shell code is for sh, which may be dash")                                           \
	X(LISTS, 14, "lists", "only lists when it has no operands (git branch, git tag)")                              \
	X(ALIASES, 15, "aliases", "a subcommand without a row may be the user's alias")                                \
	X(OWN, 16, "own", "the inner command may be a program of the workspace: python -m app, uv run app")            \
	X(GLUED, 17, "glued", "with `long-dash`: values may be attached (gcc -ofile)")                                 \
	X(RUNS, 18, "runs", "a subcommand without a row is a program that it runs (yarn eslint)")                      \
	X(TOOLCHAIN, 19, "toolchain", "a +NAME in front of the subcommand picks a toolchain (cargo +nightly fmt)")     \
	X(ABBREVIATED, 20, "abbreviated", "with `long-dash`: flags may be abbreviated (gdb)")                          \
	X(FAMILY, 21, "family", "with `subcommands`: the rows of the first name are those of all its names")           \
	X(DASHES, 22, "dashes", "drops the first -- among the inner words (npm exec TOOL -- -w)")                      \
	X(OPEN, 23, "open", "words that announce a write count, as for commands without a row")                        \
	X(WHOLE_INPUT, 24, "whole-input", "reads all of its code before any of it runs")                               \
	X(PASSES_INPUT, 25, "passes-input", "the inner command gets its standard input")                               \
	X(NO_INPUT, 26, "no-input", "reads no standard input, or only when no operand names a file")                   \
	X(OTHER_SHELL, 28, "other-shell",                                                                              \
		"its code is for zsh or ksh: only what both bash and that shell read alike passes")                    \
	X(BUILDS, 29, "builds", "runs code of the workspace: build files, tests, plug-ins")                            \
	X(GUARD, 27, "guard", "changes zs itself, or what it lets commands do: blocked in every profile")              \
	X(DOT_GIT, 30, "dot-git", "with `repo`: it changes the repository itself, and no file of the work tree")

enum zs_row_traits {
#define X(id, bit, name, text) ZS_ROW_##id = 1 << bit,
	ZS_ROW_TRAITS(X)
#undef X
};

/* Grammars: a function zs_grammar_NAME in grammar_*.c reads the command's words. Few rows have one. Enumerator, name,
 * meaning. */
#define ZS_GRAMMARS(X)                                                                                                 \
	X(FIND, find, "expressions: tests, -delete, -exec and the files that -fprint writes")                          \
	X(DD, dd, "operands are key=value: of= is written")                                                            \
	X(TAR, tar, "a first word without a dash is flags; the mode says what the archive and the operands are")       \
	X(SQLITE, sqlite, "FILE SQL; without SQL it reads SQL from its input")                                         \
	X(ALIAS, alias, "NAME=VALUE: the value is code that later lines may run")                                      \
	X(COMPGEN, compgen, "-C COMMAND is run as COMMAND NAME WORD PREVIOUS")                                         \
	X(MAPFILE, mapfile, "-C CALLBACK is run as CALLBACK INDEX LINE")                                               \
	X(MAKE, make, "VAR=VALUE: a value that holds shell or make syntax is code")                                    \
	X(CHECK_FLAG, check_flag, "with --check, at any place, the command only looks")                                \
	X(TASKS, tasks, "every operand is a task, and may have a row of its own")                                      \
	X(VERB, verb, "the first operand may be a verb; flags stand anywhere")                                         \
	X(MODE, mode, "the value of a flag says whether files are written")                                            \
	X(SAME_TOOL, same_tool, "the rest is a command line of the same tool")                                         \
	X(JAVA, java, "settings of the virtual machine may name files that are written")                               \
	X(MSBUILD, msbuild, "/switch:VALUE; properties and loggers may name files that are written")                   \
	X(CMAKE, cmake, "-E TOOL: its own copies of cp, rm, touch, ...")                                               \
	X(SCRIPT_ARGS, script_args, "the words after -- go to the tool that the script names")                         \
	X(ENV, env, "-S STRING is split into words, the first of which may be options and assignments")                \
	X(SET, set, "options may change how bash reads later text; the operands are values")                           \
	X(SHOPT, shopt, "options may change how bash reads later text")                                                \
	X(FC, fc, "without -l it runs lines of the history")                                                           \
	X(HASH, hash, "-p FILE NAME: the file runs under that name")                                                   \
	X(EVALUATES, evaluates, "its operands are arithmetic, or names that may have subscripts")                      \
	X(READS, reads, "variables get values from its input")                                                         \
	X(PRINTS, prints, "what it prints may become a value")                                                         \
	X(TRAP, trap, "CODE SIGNAL...; trap - SIGNAL and trap SIGNAL set nothing")                                     \
	X(ASSIGNS, assigns, "operands that are NAME=VALUE assign")                                                     \
	X(GIT_CONFIG, git_config, "one operand or a reading flag reads; a name and a value set")                       \
	X(GIT_PROGRAM, git_program, "git-NAME of git's own folder is git NAME")                                        \
	X(CHMOD, chmod, "a mode may begin with a dash; --reference=FILE replaces the mode")                            \
	X(AWK, awk, "-i inplace: the files that are read are written")                                                 \
	X(AR, ar, "the first word is the operation, with modifiers")                                                   \
	X(DATE, date, "+FORMAT prints the time; another operand sets the clock")                                       \
	X(ANSIBLE, ansible, "-m MODULE -a ARGUMENTS: most modules change the hosts")                                   \
	X(LESS, less, "+COMMAND is run when it starts")                                                                \
	X(TMUX, tmux, "a ; begins another command of tmux; #(CODE) in a format is run")                                \
	X(CURL, curl, "-w may name a file that is written")                                                            \
	X(MLR, mlr, "verbs joined by then; tee, split and -I write")                                                   \
	X(TAGS, tags, "a flag with a value changes the files that are named (exiftool -TAG=VALUE)")                    \
	X(LOOKS, looks, "some of its forms only look (sox --i, zip -T)")                                               \
	X(SASS, sass, "IN:OUT, or --stdin OUT: it is written")                                                         \
	X(TIMEIT, timeit, "-s SETUP LINE...: lines of one program")                                                    \
	X(PARALLEL, parallel, "COMMAND ::: VALUE...: plain words are a command, the rest is not known")                \
	X(JSON, json, "after python -m: IN OUT")                                                                       \
	X(COMPILES, compiles, "a compiler: its language says which files it makes when no flag names one")             \
	X(GDB, gdb, "its commands may call shells and functions, and write")                                           \
	X(SHELL, shell, "options may change how its text is read; -n only checks it, unless +n follows")

enum zs_row_grammar {
	ZS_GRAMMAR_NONE,
#define X(id, name, text) ZS_GRAMMAR_##id,
	ZS_GRAMMARS(X)
#undef X
};

struct zs_classify;
#define X(id, name, text) void zs_grammar_##name(struct zs_classify *classify);
ZS_GRAMMARS(X)
#undef X

/* A row (struct zs_table_row) as index/make.c packs it. It holds offsets into zs_row_texts instead of pointers, which a
 * position-independent program would have to relocate at each start. The functions below read them. */
struct zs_row {
	uint32_t of, names, options, operands, language, hint; /* offsets; 0 stands for NULL */
	uint32_t traits;
	uint8_t grammar; /* enum zs_row_grammar */
	uint8_t table;   /* index in ZS_ROW_TABLES */
};

extern const struct zs_row zs_packed_rows[];
extern const size_t zs_packed_row_count;
extern const char zs_row_texts[];

static inline const char *zs_row_text(uint32_t place)
{
	return place ? &zs_row_texts[place] : NULL;
}

/* The commands that a subcommand belongs to, "npm|pnpm"; NULL for a command. */
static inline const char *zs_row_of(const struct zs_row *row)
{
	return zs_row_text(row->of);
}

/* Names of the command or subcommand: "rm|unlink". */
static inline const char *zs_row_names(const struct zs_row *row)
{
	return zs_row_text(row->names);
}

static inline const char *zs_row_options(const struct zs_row *row)
{
	return zs_row_text(row->options);
}

static inline const char *zs_row_operands(const struct zs_row *row)
{
	return zs_row_text(row->operands);
}

/* The language of the code that it takes: "bash", "sed", "awk", "perl", "python", … */
static inline const char *zs_row_language(const struct zs_row *row)
{
	return zs_row_text(row->language);
}

/* The advice to give; NULL: the usual hint of the code. */
static inline const char *zs_row_hint(const struct zs_row *row)
{
	return zs_row_text(row->hint);
}

/* Tables, each in rows_NAME.c. No name stands in two rows (tests/shellpolicy/rows.c). */
#define ZS_ROW_TABLES(X)                                                                                               \
	X(builtins)                                                                                                    \
	X(wrappers)                                                                                                    \
	X(files)                                                                                                       \
	X(text)                                                                                                        \
	X(system)                                                                                                      \
	X(operations)                                                                                                  \
	X(databases)                                                                                                   \
	X(network)                                                                                                     \
	X(git)                                                                                                         \
	X(interpreters)                                                                                                \
	X(builders)                                                                                                    \
	X(linters)                                                                                                     \
	X(go)                                                                                                          \
	X(rust)                                                                                                        \
	X(javascript)                                                                                                  \
	X(python)                                                                                                      \
	X(jvm)                                                                                                         \
	X(ruby)                                                                                                        \
	X(php)                                                                                                         \
	X(zs)                                                                                                          \
	X(dotnet)                                                                                                      \
	X(languages)                                                                                                   \
	X(tools)                                                                                                       \
	X(converters)

/* The row of a command, or of a subcommand of `of`; NULL if there is none. python3.11 and gcc-12 find python and gcc.
 */
const struct zs_row *zs_row_find(const char *of, const char *name);
/* Does the row's command take code in this language? */
bool zs_row_speaks(const struct zs_row *row, const char *language);
/* The row's spelling of a name by which it was found: `name` itself, or the row's first name (for python3.11). */
const char *zs_row_name(const struct zs_row *row, const char *name, size_t *ret_len);

#endif
