/* A subcommand of zs, with its options as a table, from which both the parser and --help work. main.c has the table of
 * all subcommands.
 *
 *	struct fields { bool json; const char *profile; } fields = { 0 };
 *	static const struct zs_option options[] = {
 *		ZS_FLAG('j', "json", offsetof(struct fields, json), "print JSON"),
 *		…
 *		{ 0 },
 *	};
 */
#ifndef ZS_CMD_COMMAND_H
#define ZS_CMD_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "zs_shellpolicy.h"

enum zs_option_kind {
	ZS_OPTION_END,
	ZS_OPTION_FLAG,  /* field: bool */
	ZS_OPTION_TEXT,  /* field: const char *, NULL when the option is not given; giving it twice is an error */
	ZS_OPTION_MAYBE, /* the same, and "" when it is given without a value, which can only follow a "=" */
	ZS_OPTION_LIST,  /* field: struct zs_option_list, in the order given */
};

struct zs_option_list {
	const char **items; /* up to a NULL; NULL when the option was not given */
	size_t count;
};

struct zs_option {
	enum zs_option_kind kind;
	char letter;                /* 0: the option has no short form */
	const char *name;           /* without its "--" */
	const char *value;          /* the help's name for the value; NULL if there are choices */
	size_t field;               /* offset of the field, from the group's base */
	const char *text;           /* for --help; may have several lines */
	const char *const *choices; /* the permitted values, up to a NULL; NULL: any value */
};

/* Rows of a table of options. field: an offset. */
#define ZS_FLAG(letter, name, field, text) { ZS_OPTION_FLAG, letter, name, NULL, field, text, NULL }
#define ZS_TEXT(letter, name, value, field, text) { ZS_OPTION_TEXT, letter, name, value, field, text, NULL }
#define ZS_LIST(letter, name, value, field, text) { ZS_OPTION_LIST, letter, name, value, field, text, NULL }
#define ZS_MAYBE(name, value, field, text) { ZS_OPTION_MAYBE, 0, name, value, field, text, NULL }
#define ZS_CHOICE(letter, name, choices, field, text) { ZS_OPTION_TEXT, letter, name, NULL, field, text, choices }
#define ZS_CHOICES(letter, name, choices, field, text) { ZS_OPTION_LIST, letter, name, NULL, field, text, choices }

struct zs_option_group {
	const char *title;
	const struct zs_option *options; /* up to a zeroed one */
	size_t base;                     /* offset of the group's fields in the subcommand's */
};

/* The groups of a subcommand that has one group of options. */
#define ZS_ONE_GROUP(options)                                                                                          \
	(const struct zs_option_group[])                                                                               \
	{                                                                                                              \
		{ "Options", options, 0 }, { 0 }                                                                       \
	}

struct zs_operands {
	char **items; /* ends with a NULL; in argv's storage */
	int count;
};

struct zs_subcommand {
	const char *name;
	const char *description;              /* one line */
	const char *usage;                    /* the text after "zs NAME ", one line for each form */
	const struct zs_option_group *groups; /* up to a zeroed one */
	const char *words;                    /* "a|b": the permitted first operands; NULL: any */
	bool operands_end_options;            /* the first operand and all after it belong to a command to run */
	int own_operands;                     /* with operands_end_options: this many operands come before it */
	const char *notes;                    /* the end of the help; NULL: none */
	size_t fields_size;                   /* the size of the struct that the options are read into */
	/* Returns an exit code. If it is not 0, a message is on stderr. */
	int (*main)(const void *fields, const struct zs_operands *operands);
	/* Called before the options are read; NULL: nothing to call. */
	void (*guard)(int argc, char **argv);
};

/* Reads argv[1…] into *fields, which the caller has zeroed. On false the program exits with *ret_exit: the help was
 * printed, or an error is on stderr. Strings point into argv. Call zs_options_free() in either case. */
bool zs_options_parse(const struct zs_subcommand *command, int argc, char **argv, void *fields,
	struct zs_operands *ret_operands, int *ret_exit);

/* Frees the lists. */
void zs_options_free(const struct zs_subcommand *command, void *fields);

/* Calls `each` for every option that was given, to build another command line; value: NULL for a flag. fields: at the
 * group's base. Returns false as soon as `each` does. */
typedef bool zs_options_each(const char *name, const char *value, void *arg);
bool zs_options_given(const struct zs_option *options, const void *fields, zs_options_each *each, void *arg);

/* Calls `each` for every name in lists of names that commas separate. Returns false as soon as `each` does. */
typedef bool zs_options_name(const char *name, size_t len, void *arg);
bool zs_options_names(const struct zs_option_list *lists, zs_options_name *each, void *arg);

void zs_options_help(const struct zs_subcommand *command, FILE *out);

/* The option --profile, which several subcommands share. */
#define ZS_PROFILE_HELP "what to block (default: strict)"
extern const char *const zs_profile_choices[];

/* The option --shell, which several subcommands share. */
#define ZS_SHELL_HELP "the shell that will run the text (default: bash)"
extern const char *const zs_shell_choices[];
/* name: one of the choices, or NULL for bash. */
enum zs_shell zs_shell_choice(const char *name);

/* name: one of the choices, or NULL for the default. */
enum zs_profile zs_profile_choice(const char *name);

/* One line for each profile: what it blocks. */
#define ZS_PROFILE_NOTES "Profiles:" ZS_PROFILES(ZS_PROFILE_NOTE)
#define ZS_PROFILE_NOTE(id, name, text) "\n  " name ": " text

/* All subcommands, as 'zs --help' lists them. */
#define ZS_SUBCOMMANDS(X)                                                                                              \
	X(bash)                                                                                                        \
	X(vet)                                                                                                         \
	X(run)                                                                                                         \
	X(box)                                                                                                         \
	X(why) X(learn) X(end) X(hook) X(mcp) X(approvals) X(doctor) X(trust) X(policy) X(install) X(uninstall) X(shim)
#define ZS_DECLARE_SUBCOMMAND(name) extern const struct zs_subcommand zs_##name##_subcommand;
ZS_SUBCOMMANDS(ZS_DECLARE_SUBCOMMAND)

#endif
