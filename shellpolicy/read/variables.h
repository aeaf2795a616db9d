/* Settings: all that the texts of a vetting say about variables and parameters, that is, where they are set and to
 * which values. A setting counts everywhere, since a loop, a function or a trap may run a line before one that stands
 * before it. Order matters for one question only: may the variable be unset? */
#ifndef ZS_VARIABLES_H
#define ZS_VARIABLES_H

#include "read/raw.h"

struct zs_scope;

/* The place of a word. */
struct zs_where {
	const struct zs_scope *scope; /* the scope of its text; NULL if there is none */
	const char *function;         /* the function in whose body the word stands; NULL if there is none */
	uint32_t at;                  /* the order in the text: 2 N + 1 for words of its command N */
};

/* A text with its positional parameters. */
struct zs_scope {
	const struct zs_raw *raw; /* NULL: the text was not read */
	struct zs_where outer;    /* where the text stands */
	bool shell; /* a shell of its own reads the text; else it is eval's, a trap's or in backquotes, and shares the
		       parameters */
	const struct zs_raw_command *given; /* the command bash -c TEXT NAME WORD…; NULL if no words are given */
	uint32_t from;                      /* index of NAME; UINT32_MAX if it is not known */
};

enum zs_setting_kind {
	ZS_SET_VALUE,
	ZS_SET_APPENDED,
	ZS_SET_ARRAY,      /* x=(…) x+=(…) */
	ZS_SET_WORDS,      /* for NAME in …: the variable becomes each of the words */
	ZS_SET_PARAMETERS, /* set -- … */
	ZS_SET_FILLED,     /* read's input, which IFS splits */
	ZS_SET_UNKNOWN,
	ZS_SET_SOURCED, /* a sourced file may set it: unknown, unless a text sets it later */
	ZS_SET_UNSET,
};

struct zs_setting {
	const char *name; /* "*" for any variable, "@" for the parameters */
	enum zs_setting_kind kind;
	bool loose;            /* the setting may not happen */
	uint32_t since, until; /* between these places, the body of its loop, the setting has certainly happened */
	struct zs_raw_word value;
	const struct zs_word_list
		*words; /* of ZS_SET_WORDS and ZS_SET_PARAMETERS; NULL: the parameters are the words */
	uint32_t from;  /* index of the first of them */
	struct zs_where where;
};

/* A command that may call a function. */
struct zs_call {
	const struct zs_raw_command *command;
	struct zs_where where;
};

struct zs_strings {
	const char **items;
	uint32_t count, capacity;
};

/* A command with a word that only the values of variables determine. */
struct zs_name_use {
	const struct zs_raw_command *command;
	struct zs_where where;
	const struct zs_pending_text *text; /* the text that holds the command */
	uint32_t word;                      /* index of the word */
	uint32_t steps;                     /* number of expansions that led to this command */
	int32_t index;                      /* index in build->commands; -1: nothing is blamed */
	bool blamed;
	uint32_t said;            /* the number of settings, calls and scopes at the time of the last expansion */
	struct zs_strings judged; /* expansions that have been judged */
};

enum zs_code_kind {
	ZS_CODE_PROGRAM, /* no statement of it may be unknown */
	ZS_CODE_FILTER,  /* a part of it may be unknown, as in sed "${n}p", but not all of it */
	ZS_CODE_INPUT,   /* the interpreter's whole input */
	ZS_CODE_SCRIPT,  /* a script's path, which may turn out to be a flag */
};

/* Code for an interpreter that only the values of variables determine. */
struct zs_code_use {
	struct zs_raw_word code;
	struct zs_where where;
	int32_t index;
	enum zs_code_kind kind;
	const char *language;
};

/* Code for a shell that only the values of variables determine. */
struct zs_shell_use {
	struct zs_raw_word code;          /* used if `words` is NULL */
	const struct zs_word_list *words; /* eval WORD…: the words, joined by blanks */
	uint32_t from;                    /* index of the first word */
	bool fed;                         /* the shell reads the code from its input */
	struct zs_where where;
	struct zs_pending_text text; /* the text that the code becomes, without its bytes */
	int32_t index;
	bool blamed;
	uint32_t said;
	struct zs_strings judged;
};

struct zs_names {
	ZS_LIST(struct zs_setting) settings;
	ZS_LIST(struct zs_call) calls;
	ZS_LIST(struct zs_name_use) uses;
	ZS_LIST(struct zs_name_use) options; /* commands with words that may become options; `word` is the first */
	ZS_LIST(struct zs_code_use) codes;
	ZS_LIST(struct zs_shell_use) shells;
	ZS_LIST(const struct zs_scope *) scopes;
	uint64_t work;        /* counts up to ZS_NAMES_WORK */
	uint64_t option_work; /* the same, for the options */
	bool places;          /* words are expanded to places: folders that are known by name have bytes of their own */
	uint32_t steps;       /* `steps` of the use that is being judged */
	bool spelled;         /* the command that is being judged has all its known options written out */
};

/* Makes a scope for a text that stands in another one and shares its parameters. */
struct zs_scope *zs_scope_within(struct zs_arena *arena, struct zs_where where);

/* Does the text, or any text of the vetting, define a function of this name? */
bool zs_raw_defines(const struct zs_raw *raw, const char *name);
bool zs_defines(const struct zs_build *build, const char *name);

#endif
