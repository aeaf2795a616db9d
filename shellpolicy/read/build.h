/* The IR while it is made: one per vetting, in its arena. Every stage adds to it. */
#ifndef ZS_BUILD_H
#define ZS_BUILD_H

#include "base/arena.h"
#include "read/refusal.h"
#include "read/word.h"
#include "zs_shellpolicy.h"

#define ZS_BIT(shell) (1u << ZS_SHELL_##shell) /* in a set of shells */

struct zs_names;
struct zs_place_use;
struct zs_scope;

/* Strings that may become code together: y='a['; y+='$(x)]'; ((y)) runs x. All texts of a vetting share one assembly;
 * assembled.c judges it at the end. */
struct zs_assembly {
	bool evaluates; /* bash evaluates values as arithmetic or names: (( )), let, [[ -eq, a[…], ${!x}, declare -n */
	bool reads;     /* read or mapfile runs: here-documents and printed text become values */
	bool arrays;    /* declare -a runs: a string that is assigned may be read as (…) */
	bool declares;  /* declare x=$y assigns such a string */
	bool expands_aliases;
	bool aliases;
	uint32_t alias_texts; /* pending texts that are values of aliases */
	struct zs_span alias_span;
	bool data; /* a value is the output of a program, or read's input */
	struct zs_span data_span;
	bool dollar;              /* a value ends in $ */
	bool opening;             /* a value begins with ( or { */
	bool later_text;          /* there are lines after the first, or nested texts */
	const char *later_option; /* an option that changes how later text is read; NULL if none is set */
	struct zs_span option_span;
	const char *code;    /* a value with the start of a substitution; NULL if there is none */
	struct zs_span span; /* of `code`, or of the first value with `dollar` or `opening` */
	const char *printed; /* the same as `code`, for words that are printed or given to a function */
	struct zs_span printed_span;
};

/* A run of echo, printf or cat whose output another command runs as code. No text may define a function of that name.
 */
struct zs_printer {
	const char *name;
	int32_t command; /* index of the command that reads the output */
	struct zs_span span;
};

/* The remaining part of the limits; all texts of a vetting share it. */
struct zs_budget {
	uint32_t nodes, steps, reads;
};

struct zs_build {
	struct zs_arena *arena;
	ZS_LIST(struct zs_command) commands;
	ZS_LIST(struct zs_operator) operators;
	ZS_LIST(struct zs_redirect) redirects;
	ZS_LIST(struct zs_raw_word) redirect_words; /* their targets */
	ZS_LIST(struct zs_write) writes;
	ZS_LIST(struct zs_payload) payloads;
	ZS_LIST(struct zs_finding) findings;
	ZS_LIST(struct zs_parse_error) errors;
	ZS_LIST(struct zs_text) texts;
	ZS_LIST(struct zs_printer) printers;
	/* texts to read: code in words is read after the text that holds it */
	ZS_LIST(struct zs_pending_text) pending;
	ZS_LIST(struct zs_place_use) place_uses; /* dynamic words whose values are wanted; for guard alone */
	struct zs_budget budget;
	struct zs_names *names; /* variables.h */
	bool wants_places;
	struct zs_assembly assembly;
	bool make_code;        /* an exported variable holds code that make would run */
	enum zs_shell unsplit; /* a shell of a text that keeps whole the values that bash splits; ZS_SHELL_BASH: none */
	bool guessing;         /* the words of an unknown command are being judged as a command (unknown.h) */
};

/* The place of a text, for findings. A finding in a nested text gets the span of the word that holds the text. */
struct zs_place {
	bool nested;
	uint32_t base;       /* not nested: offset of the text's first byte */
	struct zs_span span; /* nested: span of the word */
};

/* Does the shell read its text from the standard input that its commands share? */
enum zs_shell_input {
	ZS_INPUT_APART,
	ZS_INPUT_LINE,  /* yes, and it has read all of it when the first command starts */
	ZS_INPUT_LINES, /* yes, and a command may take lines that the shell has not read yet */
};

/* A text that is to be read as bash. */
struct zs_pending_text {
	const char *text;
	uint32_t len;
	struct zs_place place;
	enum zs_nesting nesting;
	uint32_t shells; /* number of shells around it */
	enum zs_shell shell;
	enum zs_shell_input input;
	bool fed;               /* the text is the shell's input itself */
	uint32_t depth;         /* nesting depth of its commands */
	const char *wrapper;    /* the unknown command that may run the text (unknown.h); NULL if there is none */
	struct zs_scope *scope; /* variables.h; never NULL */
};

static inline struct zs_span zs_place_span(const struct zs_place *place, uint32_t start, uint32_t end)
{
	return place->nested ? place->span : (struct zs_span){ place->base + start, place->base + end };
}

/* Adds a finding. The pointer is valid until the next one is added. */
static inline struct zs_finding *zs_find(struct zs_build *build, enum zs_risk code, int32_t command, const char *object,
	const char *detail, struct zs_span span)
{
	ZS_PUSH(build->arena, &build->findings,
		(struct zs_finding){
			.code = code, .command = command, .object = object, .detail = detail, .span = span });
	return &build->findings.items[build->findings.count - 1];
}

/* Finds what the text's shell reads otherwise than bash (dialect.c). */
void zs_find_otherwise(
	struct zs_build *build, enum zs_shell shell, int32_t command, const char *what, struct zs_span span);

#define ZS_REFUSED_SHOWN 60 /* bytes of a refused text that messages show */

/* Adds the finding that bytes [start, end) of a text are refused. */
static inline void zs_find_refusal(struct zs_build *build, enum zs_refusal what, const struct zs_pending_text *pending,
	uint32_t start, uint32_t end)
{
	uint32_t shown = end - start > ZS_REFUSED_SHOWN ? ZS_REFUSED_SHOWN : end - start;

	zs_find(build, ZS_RISK_UNSUPPORTED, -1, zs_arena_string(build->arena, pending->text + start, shown),
		zs_refusal_texts[what].what, zs_place_span(&pending->place, start, end))
		->hint = zs_refusal_texts[what].hint;
}

/* Adds a finding that never blocks. */
static inline void zs_note(
	struct zs_build *build, enum zs_risk code, int32_t command, const char *object, struct zs_span span)
{
	zs_find(build, code, command, object, NULL, span)->informational = true;
}

#endif
