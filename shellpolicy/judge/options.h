/* An argument vector, sorted by a row: which word is what to the command. */
#ifndef ZS_OPTIONS_H
#define ZS_OPTIONS_H

#include "rows/rows.h"
#include "read/word.h"

/* One word, or the part of it behind "--x=" or "-x", in a role. */
struct zs_use {
	enum zs_role role;
	const char *flag; /* that gave the role; NULL for an operand */
	uint32_t at;      /* index of the word */
	struct zs_raw_word word;
};

struct zs_args {
	ZS_LIST(struct zs_use) uses;
	uint64_t effects;        /* of flags: zs_has_effect() */
	uint32_t operands;       /* how many, words behind `rest` not counted */
	uint32_t rest;           /* index of the first word of an inner command or of shell code; 0: none */
	struct zs_raw_word head; /* the inner command's name where it was attached to a flag (-mvenv); raw NULL: none */
	enum zs_role rest_role;  /* ZS_ROLE_COMMAND or ZS_ROLE_SHELL_REST */
	const char *unknown_flag; /* the first that a ZS_ROW_STRICT row does not list; NULL */
	bool dynamic_flag;        /* a flag is known only at run time: -$x */
	bool has_code;            /* a flag gave code or a script */
};

/* `operands`: the row's own, or "X" where a subcommand stands. */
void zs_args_read(struct zs_arena *arena, const struct zs_row *row, const char *operands,
	const struct zs_word_list *words, struct zs_args *ret_args);

static inline uint64_t zs_effect_bit(enum zs_flag_effect effect)
{
	return (uint64_t)1 << ((unsigned)effect - 'A');
}

static inline bool zs_has_effect(const struct zs_args *args, enum zs_flag_effect effect)
{
	return (args->effects & zs_effect_bit(effect)) != 0;
}

/* Is this NAME=VALUE or NAME+=VALUE? Returns the offset of the "=", or 0. */
size_t zs_assignment_split(const char *text);

/* One entry of a row's options; false at the end. */
struct zs_option_spec {
	const char *name;
	size_t len;
	char arity; /* '=' value, '^' value in the next word, '?' attached value, '#' attached digits, '!' effect only,
		       0 nothing */
	char meaning; /* enum zs_role or enum zs_flag_effect */
};

bool zs_next_option(const char **options, struct zs_option_spec *ret_spec);

#endif
