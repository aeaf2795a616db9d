/* What commands do, as data: one row a command. The engine (options.c, classify.c) knows no command by name.
 *
 * A row's `options` is a list of words: the flags that matter, each with what its value or its presence means.
 *
 *	-o=w --output=w      takes a value (attached or the next word) of role w
 *	-i?i --in-place?i    takes a value only when attached; its presence has effect i
 *	-v!h --version!h     takes no value; its presence has effect h
 *	-0#                  takes attached digits, and other flags may follow (perl -0pi)
 *	-q                   takes no value, means nothing (needed in rows that are ZS_ROW_STRICT)
 *
 * Flags that are not listed take no value and mean nothing; in a ZS_ROW_STRICT row they block, since the place of
 * the operands depends on them. Long flags may be abbreviated, as getopt_long(3) allows.
 *
 * A row's `operands` gives the operands their roles in order: a letter an operand, one of them with a star:
 * "r*w" is cp's: all but the last are read, the last is written.
 *
 * The name of a subcommand may end in "-*" (describe-* of aws ec2) or be "*", for those that no other row names;
 * the family of what stands behind it has a star too: "aws *".
 */
#ifndef ZS_ROWS_H
#define ZS_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a word is to the command that gets it. */
enum zs_role {
	ZS_ROLE_DATA = 'd',   /* nothing */
	ZS_ROLE_READ = 'r',   /* a file that is read */
	ZS_ROLE_WRITE = 'w',  /* a file that is overwritten */
	ZS_ROLE_CREATE = 'n', /* a file or folder that is made */
	ZS_ROLE_APPEND = 'a',
	ZS_ROLE_DELETE = 'x',
	ZS_ROLE_MOVE = 'm',
	ZS_ROLE_METADATA = 'M',
	ZS_ROLE_LINK = 'l',
	ZS_ROLE_TARGET = 'T',     /* a folder that gets the operands: the last operand is a source too */
	ZS_ROLE_SCRIPT = 'f',     /* a file that is run: standard input makes the interpreter opaque */
	ZS_ROLE_CODE = 'k',       /* code in the language of the row; as an operand, only when no flag gave code */
	ZS_ROLE_SHELL = 'c',      /* bash code */
	ZS_ROLE_SHELL_REST = 'S', /* this and all further operands, joined by blanks, are bash code */
	ZS_ROLE_ASSIGN = 'e',     /* NAME=VALUE of the environment; as an operand, only while it has that form */
	ZS_ROLE_COMMAND = 'X',    /* this and all further words are a command */
	ZS_ROLE_VARIABLE = 'v',   /* the name of a variable of the shell that gets a value */
	ZS_ROLE_CHDIR = 'C',      /* a folder that is changed to */
	ZS_ROLE_CONFIG = 'g',     /* a git configuration setting, key=value */
	ZS_ROLE_OUTPUT = 'W',     /* a file that is written instead of the one the row's ZS_ROW_WRITES is about */
	ZS_ROLE_MODULE = 'p',     /* a library that is loaded; more than its name is code (perl -M) */
	ZS_ROLE_PATTERN = 'P',    /* a perl regular expression: (?{…}) in it is code */
	ZS_ROLE_SSH_OPTION = 'o', /* Key=value of ssh_config(5): some keys run commands */
	ZS_ROLE_PARAMETER = 's',  /* KEY=VALUE changes the system, KEY asks it: sysctl */
	ZS_ROLE_DEVICE = 'D',     /* what it is set to changes the system: date -s TIME */
	ZS_ROLE_LOADS = 'L',      /* a file or folder whose code the program loads as its own */
	ZS_ROLE_REPLACE = 'R',    /* the string that the inner command's words have replaced (xargs -I) */
};

/* What the presence of a flag does. */
enum zs_flag_effect {
	ZS_FLAG_INFO = 'h',         /* the command only tells: help, version, a dry run. Nothing else counts. */
	ZS_FLAG_IN_PLACE = 'i',     /* operands that are read are written */
	ZS_FLAG_DELETES = 'x',      /* operands that are read are deleted */
	ZS_FLAG_WRITES = 'w',       /* writes files that no word names */
	ZS_FLAG_REPO = 'p',         /* changes the repository */
	ZS_FLAG_DEVICE = 'd',       /* changes the system */
	ZS_FLAG_STDIN = 's',        /* reads code from standard input */
	ZS_FLAG_CODE_OPERAND = 'c', /* the first operand is code (bash -c) */
	ZS_FLAG_CODE_DONE = 'k',    /* no script operand follows (python -m) */
	ZS_FLAG_READ_ONLY = 'r',    /* undoes the row's own ZS_ROW_WRITES, _REPO or _DEVICE (git tag -l) */
	ZS_FLAG_SHELL = 'l',        /* an interactive shell is started when no command is given (sudo -s) */
	ZS_FLAG_VERSION = 'v',      /* it tells its version, and then does what else it is told (ruby -v) */
	ZS_FLAG_NONE = 'N',         /* nothing; the flag is listed for its value */
};

enum zs_row_traits {
	ZS_ROW_STRICT = 1 << 0,      /* a flag that is not listed blocks */
	ZS_ROW_NO_PERMUTE = 1 << 1,  /* flags end at the first operand */
	ZS_ROW_LONG_DASH = 1 << 2,   /* flags are words behind one dash (go, openssl): no bundles */
	ZS_ROW_SUBCOMMANDS = 1 << 3, /* the first operand picks the row "NAME SUB" */
	ZS_ROW_STDIN_CODE = 1 << 4,  /* runs its standard input when no operand and no flag gives code */
	ZS_ROW_WRITES = 1 << 5,      /* always changes files */
	ZS_ROW_REPO = 1 << 6,        /* always changes repository state */
	ZS_ROW_CD = 1 << 7,          /* changes the working directory */
	ZS_ROW_NETWORK = 1 << 8,
	ZS_ROW_PRIVILEGE = 1 << 9,
	ZS_ROW_DEVICE = 1 << 10,      /* changes devices, mounts or the kernel's state */
	ZS_ROW_ENVIRONMENT = 1 << 11, /* changes what later commands run */
	ZS_ROW_APPENDS = 1 << 12,     /* the inner command gets operands that are not known (xargs) */
	ZS_ROW_ASSIGNS = 1 << 13,     /* its operands assign variables (export, declare) */
	ZS_ROW_LISTS = 1 << 14,       /* only tells when it has no operands (git branch, git tag) */
	ZS_ROW_ALIASES = 1 << 15,     /* a subcommand without a row may be the user's alias */
	ZS_ROW_GLUED = 1 << 17,       /* with ZS_ROW_LONG_DASH: values may be attached (gcc -ofile) */
	ZS_ROW_RUNS = 1 << 18,        /* a subcommand without a row is a program that it runs (yarn eslint) */
	ZS_ROW_KEYWORD = 1 << 16,     /* bash's own word in front of a command: time, coproc */
	ZS_ROW_FAMILY = 1 << 21, /* with ZS_ROW_SUBCOMMANDS: the rows of the first name are those of all its names */
	ZS_ROW_ABBREVIATED = 1 << 20, /* with ZS_ROW_LONG_DASH: flags may be abbreviated (gdb) */
};

/* Grammars of their own; NULL for almost every row. */
struct zs_classify;
typedef void zs_grammar_fn(struct zs_classify *classify);

struct zs_row {
	const char *of;    /* for subcommands: the commands whose they are, "npm|pnpm"; NULL for commands */
	const char *names; /* base names, or subcommands: "rm|unlink" */
	const char *options;
	const char *operands;
	uint32_t traits;
	zs_grammar_fn *grammar; /* looks at the whole command, after its flags are sorted */
	const char *language;   /* of its code: "bash", "sed", "awk", "perl", "python", … */
	const char *hint;       /* what to do instead; NULL: the code's own hint */
};

/* zs_rows_NAME[] and zs_rows_NAME_count, in rows_NAME.c. No name stands in two rows (tests/shellpolicy/rows.c). */
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
	X(packages)

/* Rows by name. Made once per vetter; zeroed, it finds nothing. */
#define ZS_ROW_SLOTS 32768 /* a power of two, at least twice the names (tests/shellpolicy/rows.c) */

struct zs_row_slot {
	uint16_t row;      /* 1 + its place in all tables; 0: the slot is empty */
	uint16_t of, name; /* offsets into the row's of and names */
	uint8_t of_len, name_len;
};

struct zs_row_index {
	struct zs_row_slot slots[ZS_ROW_SLOTS];
	uint32_t count;
};

void zs_row_index_init(struct zs_row_index *index);
/* The row of a base name, or of a subcommand of `of`; NULL when there is none. python3.11 and gcc-12 find python
 * and gcc. */
const struct zs_row *zs_row_find(const struct zs_row_index *index, const char *of, const char *name);

/* In front of a table: ZS_TABLE(git) = { { "git", … }, … }; and behind it ZS_TABLE_COUNT(git); */
#define ZS_TABLE(id)                                                                                                   \
	extern const struct zs_row zs_rows_##id[];                                                                     \
	extern const size_t zs_rows_##id##_count;                                                                      \
	const struct zs_row zs_rows_##id[]
#define ZS_TABLE_COUNT(id) const size_t zs_rows_##id##_count = sizeof zs_rows_##id / sizeof *zs_rows_##id

#endif
