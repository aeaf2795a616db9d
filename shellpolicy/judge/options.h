/* The words of a command, sorted by its row: each gets its role. */
#ifndef ZS_OPTIONS_H
#define ZS_OPTIONS_H

#include "rows/rows.h"
#include "read/word.h"

/* A word in a role, or the part of a word after "--x=" or "-x". */
struct zs_use {
	enum zs_role role;
	const char *flag; /* the flag whose value it is; NULL for an operand */
	uint32_t at;      /* index of the word */
	struct zs_raw_word word;
};

struct zs_args {
	ZS_LIST(struct zs_use) uses;
	uint64_t effects;  /* the effects of all flags, for zs_has_effect() */
	uint32_t operands; /* number of operands before `rest` */
	uint32_t rest;     /* index of the first word of an inner command or of shell code; 0 if there is none */
	struct zs_raw_word
		head; /* the inner command's name if a flag has it attached (-mvenv); else its `raw` is NULL */
	enum zs_role rest_role;   /* ZS_ROLE_COMMAND or ZS_ROLE_SHELL_REST */
	const char *unknown_flag; /* the first flag that a ZS_ROW_STRICT row does not list; NULL if there is none */
	bool dynamic_flag;        /* a flag is known only at run time: -$x */
	bool has_code;            /* a flag gave code or a script */
};

/* Sorts the words. `operands`: the letters of the row, or "X" if a subcommand follows. */
void zs_args_read(struct zs_arena *arena, const struct zs_row *row, const char *operands,
	const struct zs_word_list *words, struct zs_args *ret_args);

/* The next use after `use` whose flag is in the list; with `flags` NULL, the next operand. `use` NULL: the first one.
 * Returns NULL at the end. */
const struct zs_use *zs_next_use(const struct zs_args *args, const struct zs_use *use, const char *flags);

static inline uint64_t zs_effect_bit(enum zs_flag_effect effect)
{
	return (uint64_t)1 << ((unsigned)effect - 'A');
}

static inline bool zs_has_effect(const struct zs_args *args, enum zs_flag_effect effect)
{
	return (args->effects & zs_effect_bit(effect)) != 0;
}

/* The offset of "=" in NAME=VALUE or NAME+=VALUE; 0 if the text has another form. */
size_t zs_assignment_split(const char *text);

/* An option of a row. */
struct zs_option_spec {
	const char *name;
	size_t len;
	char arity; /* '=' value, '^' value in the next word, '?' attached value, '#' attached digits, '!' effect only,
		       0 nothing */
	char meaning; /* enum zs_role or enum zs_flag_effect */
};

/* Reads the next option. False at the end. */
bool zs_next_option(const char **options, struct zs_option_spec *ret_spec);
/* Is any word after the command's name in the list? */
bool zs_has_listed_word(const struct zs_word_list *words, const char *list);
/* Does the row list this flag? */
bool zs_lists_flag(const struct zs_row *row, const char *flag, size_t len);

#endif
