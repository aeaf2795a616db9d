/* All that the texts of a vetting say of variables and parameters: who sets them, and to what. All that is said counts
 * everywhere, since a loop, a function or a trap may run a line before one that stands in front of it. Order matters
 * for one question only: may the variable be unset? */
#ifndef ZS_VARIABLES_H
#define ZS_VARIABLES_H

#include "read/raw.h"

struct zs_scope;

/* Where a word stands. */
struct zs_where {
	const struct zs_scope *scope; /* its text; NULL: there is none around it */
	const char *function;         /* in whose body; NULL: none */
	uint32_t at;                  /* order: of command N of the text it is 2 N + 1 */
};

/* A text that is read, as far as parameters go. */
struct zs_scope {
	const struct zs_raw *raw;           /* NULL: it was not read */
	struct zs_where outer;              /* where the text stands */
	bool shell;                         /* it is for a shell of its own; else for eval, trap or backquotes */
	const struct zs_raw_command *given; /* bash -c TEXT NAME WORD…; NULL: no words */
	uint32_t from;                      /* index of NAME; UINT32_MAX: not known */
};

enum zs_setting_kind {
	ZS_SET_VALUE,
	ZS_SET_APPENDED,
	ZS_SET_ARRAY,      /* x=(…) x+=(…) */
	ZS_SET_WORDS,      /* for NAME in …: each of them */
	ZS_SET_PARAMETERS, /* set -- … */
	ZS_SET_FILLED,     /* by read, which splits it */
	ZS_SET_UNKNOWN,
	ZS_SET_SOURCED, /* by a file that the shell reads: unknown, where no text sets it later */
	ZS_SET_UNSET,
};

struct zs_setting {
	const char *name; /* "*": any variable; "@": the parameters */
	enum zs_setting_kind kind;
	bool loose;            /* it may not happen */
	uint32_t since, until; /* where it has happened in any case: in the body of its loop */
	struct zs_raw_word value;
	const struct zs_word_list *words; /* of WORDS and PARAMETERS; NULL: the parameters are the words */
	uint32_t from;                    /* the first of them */
	struct zs_where where;
};

/* A command that may call a function. */
struct zs_call {
	const struct zs_raw_command *command;
	struct zs_where where;
};

/* A command whose words are known only from what the texts say of variables. */
struct zs_name_use {
	const struct zs_raw_command *command;
	struct zs_where where;
	const struct zs_pending_text *text; /* that it stands in */
	uint32_t word;                      /* index of the one that is to be expanded */
	uint32_t steps;                     /* how many uses led here */
	int32_t index;                      /* in build->commands; -1: nothing is blamed */
	bool blamed;
	uint32_t said;                /* how much the texts had said when it was last expanded */
	ZS_LIST(const char *) judged; /* what it may expand to */
};

/* Code for an interpreter that is known only from what the texts say of variables. */
struct zs_code_use {
	struct zs_raw_word code;
	struct zs_where where;
	int32_t index;
	const char *fed; /* the language that reads all of it from its input; NULL: it stands behind a flag */
	bool script;     /* it is a script's path, which may turn out to be a flag */
};

/* Code for a shell, of which the same holds. */
struct zs_shell_use {
	struct zs_raw_word code;          /* where `words` are NULL */
	const struct zs_word_list *words; /* eval WORD…: joined by blanks */
	uint32_t from;                    /* the first of them */
	bool fed;                         /* it is read from the input */
	struct zs_where where;
	struct zs_pending_text text; /* what it becomes: all but the bytes */
	int32_t index;
	bool blamed;
	uint32_t said;
	ZS_LIST(const char *) judged;
};

struct zs_names {
	ZS_LIST(struct zs_setting) settings;
	ZS_LIST(struct zs_call) calls;
	ZS_LIST(struct zs_name_use) uses;
	ZS_LIST(struct zs_code_use) codes;
	ZS_LIST(struct zs_shell_use) shells;
	ZS_LIST(const struct zs_scope *) scopes;
	uint64_t work;  /* against ZS_NAMES_WORK */
	uint32_t steps; /* of the use that is judged */
};

/* A scope for a text that stands within another one and shares its parameters. */
struct zs_scope *zs_scope_within(struct zs_arena *arena, struct zs_where where);

/* The variable NAME is set. */
void zs_variable_set(struct zs_build *build, const struct zs_setting *setting);

/* Does any text define a function of that name? */
bool zs_defines(const struct zs_build *build, const char *name);

#endif
