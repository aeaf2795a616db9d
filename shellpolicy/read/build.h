/* The IR while it is made: one per vetting, filled by every stage, in the vetting's arena. */
#ifndef ZS_BUILD_H
#define ZS_BUILD_H

#include "base/arena.h"
#include "read/parse.h"
#include "read/refusal.h"
#include "zs_shellpolicy.h"

struct zs_row_index;
struct zs_names;
struct zs_scope;

/* Code may be put together from strings: y='a['; y+='$(x)]'; ((y)) runs x. The strings that texts put together so, all
 * nested ones together; assembled.c judges them at the end. */
struct zs_assembly {
	bool evaluates; /* values are read as arithmetic or names: (( )), let, [[ -eq, a[…], ${!x}, declare -n */
	bool reads;     /* read, mapfile: what stands in here-documents and is printed becomes values */
	bool arrays;    /* declare -a: a string that is assigned may be read as (…) */
	bool declares;  /* declare x=$y: such a string */
	bool expands_aliases;
	bool aliases;
	struct zs_span alias_span;
	bool data; /* a value is what a program prints, or what read reads */
	struct zs_span data_span;
	bool dollar;              /* a value ends in a dollar sign */
	bool opening;             /* a value begins with a parenthesis or brace */
	bool later_text;          /* lines behind the first, or nested texts */
	const char *later_option; /* an option that changes how those are read; NULL: none */
	struct zs_span option_span;
	const char *code;    /* a value that holds the start of a substitution; NULL: none */
	struct zs_span span; /* of the first of these */
	const char *printed; /* the same of a word that is printed, or given to a function */
	struct zs_span printed_span;
};

/* echo, printf or cat, whose output is code to a command: no text may define a function of that name. */
struct zs_printer {
	const char *name;
	int32_t command; /* that reads the output */
	struct zs_span span;
};

struct zs_build {
	struct zs_arena *arena;
	const struct zs_row_index *rows;
	ZS_LIST(struct zs_command) commands;
	ZS_LIST(struct zs_operator) operators;
	ZS_LIST(struct zs_redirect) redirects;
	ZS_LIST(struct zs_write) writes;
	ZS_LIST(struct zs_payload) payloads;
	ZS_LIST(struct zs_finding) findings;
	ZS_LIST(struct zs_parse_error) errors;
	ZS_LIST(struct zs_text) texts;
	ZS_LIST(struct zs_printer) printers;
	ZS_LIST(const char *) functions; /* that the texts define */
	/* Code nested in words is read after the text it stands in. */
	ZS_LIST(struct zs_pending_text) pending;
	struct zs_budget budget;
	struct zs_names *names; /* variables.h */
	struct zs_assembly assembly;
	bool make_code; /* a variable that is exported holds what make would run */
	bool guessing;  /* judging words that an unknown command may run (unknown.h) */
};

/* Where findings about a text go: nested text reports the span of the word that holds it. */
struct zs_place {
	bool nested;
	uint32_t base;       /* of its first byte, when it is not nested */
	struct zs_span span; /* of the holding word, when it is */
};

/* Does the shell read its text from the standard input that its commands have too? */
enum zs_shell_input {
	ZS_INPUT_APART,
	ZS_INPUT_LINE,  /* all of it is read when the first command starts */
	ZS_INPUT_LINES, /* a command may take lines that the shell has not read */
};

/* Bytes that will be read as bash of their own. */
struct zs_pending_text {
	const char *text;
	uint32_t len;
	struct zs_place place;
	enum zs_nesting nesting;
	uint32_t shells; /* how many shells deep */
	bool posix;      /* for sh, which may be dash */
	bool other;      /* for zsh or ksh */
	enum zs_shell_input input;
	bool fed;               /* it is the input itself, not a text that shares it */
	uint32_t depth;         /* of nesting, for its commands */
	const char *wrapper;    /* an unknown command, which may run it (unknown.h); else NULL */
	struct zs_scope *scope; /* variables.h; never NULL */
};

static inline struct zs_span zs_place_span(const struct zs_place *place, uint32_t start, uint32_t end)
{
	return place->nested ? place->span : (struct zs_span){ place->base + start, place->base + end };
}

static inline void zs_find(struct zs_build *build, enum zs_risk code, int32_t command, const char *object,
	const char *detail, struct zs_span span)
{
	ZS_PUSH(build->arena, &build->findings,
		(struct zs_finding){
			.code = code, .command = command, .object = object, .detail = detail, .span = span });
}

#define ZS_REFUSED_SHOWN 60 /* bytes of a refused text in messages */

/* A text that is not read, for what stands in its bytes [start, end). */
static inline void zs_find_refusal(struct zs_build *build, enum zs_refusal what, const struct zs_pending_text *pending,
	uint32_t start, uint32_t end)
{
	uint32_t shown = end - start > ZS_REFUSED_SHOWN ? ZS_REFUSED_SHOWN : end - start;

	ZS_PUSH(build->arena, &build->findings,
		(struct zs_finding){
			.code = ZS_RISK_UNSUPPORTED,
			.command = -1,
			.object = zs_arena_string(build->arena, pending->text + start, shown),
			.detail = zs_refusal_what(what),
			.hint = zs_refusal_hint(what),
			.span = zs_place_span(&pending->place, start, end),
		});
}

/* A finding that never blocks. */
static inline void zs_note(
	struct zs_build *build, enum zs_risk code, int32_t command, const char *object, struct zs_span span)
{
	ZS_PUSH(build->arena, &build->findings,
		(struct zs_finding){
			.code = code, .informational = true, .command = command, .object = object, .span = span });
}

#endif
