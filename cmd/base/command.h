/* A subcommand of zs, and its options as tables: the parser and --help both go by the rows. main.c has
 * the table of all subcommands.
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
	ZS_OPTION_FLAG, /* field: bool */
	ZS_OPTION_TEXT, /* field: const char *, NULL when not given; twice is an error */
	ZS_OPTION_LIST, /* field: struct zs_option_list, in the order given */
};

struct zs_option_list {
	const char **items; /* up to a NULL; NULL when the option was not given */
	size_t count;
};

struct zs_option {
	enum zs_option_kind kind;
	char letter;                /* 0: has no short form */
	const char *name;           /* without its "--" */
	const char *value;          /* what the help calls the value; with choices: NULL */
	size_t field;               /* offset of the field, from the group's base */
	const char *text;           /* for --help; may have several lines */
	const char *const *choices; /* the only values there are, up to a NULL; NULL: any */
};

/* Rows of a table of options. field: an offset. */
#define ZS_FLAG(letter, name, field, text) { ZS_OPTION_FLAG, letter, name, NULL, field, text, NULL }
#define ZS_TEXT(letter, name, value, field, text) { ZS_OPTION_TEXT, letter, name, value, field, text, NULL }
#define ZS_LIST(letter, name, value, field, text) { ZS_OPTION_LIST, letter, name, value, field, text, NULL }
#define ZS_CHOICE(letter, name, choices, field, text) { ZS_OPTION_TEXT, letter, name, NULL, field, text, choices }
#define ZS_CHOICES(letter, name, choices, field, text) { ZS_OPTION_LIST, letter, name, NULL, field, text, choices }

struct zs_option_group {
	const char *title;
	const struct zs_option *options; /* up to a zeroed one */
	size_t base;                     /* offset of the group's fields in the subcommand's */
};

/* The groups of a subcommand whose options are one. */
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
	const char *usage;                    /* what follows "zs NAME "; a line each */
	const struct zs_option_group *groups; /* up to a zeroed one */
	const char *words;                    /* "a|b": what the first operand may be; NULL: anything */
	bool operands_end_options;            /* the first operand and all after it belong to a command to run */
	const char *notes;                    /* closes the help; NULL: nothing to add */
	size_t fields_size;                   /* of what the options are read into */
	/* Returns an exit code; when it is not 0, stderr was told why. */
	int (*main)(const void *fields, const struct zs_operands *operands);
	/* NULL, or what comes before the options are read. */
	void (*guard)(int argc, char **argv);
};

/* Reads argv[1…] into *fields, which starts out zeroed. False: leave with *ret_exit; --help was printed, or
 * on stderr what is wrong. Strings stay argv's. Pass fields to zs_options_free() either way. */
bool zs_options_parse(const struct zs_subcommand *command, int argc, char **argv, void *fields,
	struct zs_operands *ret_operands, int *ret_exit);

/* Frees the lists. */
void zs_options_free(const struct zs_subcommand *command, void *fields);

/* Gives the options that were used, for another command line; value: NULL for a flag. fields: at the group's base.
 * False as soon as `each` says so. */
typedef bool zs_options_each(const char *name, const char *value, void *arg);
bool zs_options_given(const struct zs_option *options, const void *fields, zs_options_each *each, void *arg);

/* Gives each name of lists of names with commas between them. False as soon as `each` says so. */
typedef bool zs_options_name(const char *name, size_t len, void *arg);
bool zs_options_names(const struct zs_option_list *lists, zs_options_name *each, void *arg);

void zs_options_help(const struct zs_subcommand *command, FILE *out);

/* --profile, as several subcommands have it. */
#define ZS_PROFILE_HELP "what to block (default: strict)"
extern const char *const zs_profile_choices[];

/* name: one of the choices, or NULL for the default. */
enum zs_profile zs_profile_choice(const char *name);

/* The blocks of each profile, a line each. */
#define ZS_PROFILE_NOTES "Profiles:" ZS_PROFILES(ZS_PROFILE_NOTE)
#define ZS_PROFILE_NOTE(id, name, text) "\n  " name ": " text

/* All subcommands, as 'zs --help' lists them. */
#define ZS_SUBCOMMANDS(X)                                                                                              \
	X(bash) X(vet) X(run) X(hook) X(mcp) X(approvals) X(doctor) X(trust) X(policy) X(install) X(uninstall) X(shim)
#define ZS_DECLARE_SUBCOMMAND(name) extern const struct zs_subcommand zs_##name##_subcommand;
ZS_SUBCOMMANDS(ZS_DECLARE_SUBCOMMAND)

#endif
