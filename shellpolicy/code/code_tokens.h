/* The tokens of a program in python, JavaScript, ruby or PHP, for the readers that decide whether all of them are
 * known.
 *
 * It is no parser: what the language's own lexer would need its parser for (is this `/` a division?) is refused. A
 * string with code in it becomes TEMPLATE FIELD … FIELD_END TEMPLATE_END, so that its code is read as any other.
 */
#ifndef ZS_CODE_TOKENS_H
#define ZS_CODE_TOKENS_H

#include "code/filter.h"
#include "code/filter_text.h"

#include <stdint.h>

enum {
	CODE_TOKENS = 2048, /* of one program; more is not read. 16 bytes each, on the stack */
	CODE_DEPTH = 64,    /* open brackets */
	CODE_BINDINGS = 96  /* names of its own */
};

enum code_kind {
	CODE_END, /* before the first token, and behind the last */
	CODE_NAME,
	CODE_NUMBER,
	CODE_STRING, /* with its quotes; no code in it */
	CODE_REGEX,
	CODE_SIGN,
	CODE_OPEN, /* ( [ { */
	CODE_CLOSE,
	CODE_TEMPLATE, /* begins a string with code in it */
	CODE_TEMPLATE_END,
	CODE_FIELD, /* begins the code in it */
	CODE_FIELD_END,
	CODE_NEWLINE, /* only where a newline ends a statement */
};

struct code_token {
	uint32_t start, len;
	uint16_t mate; /* of what opens: the token that closes it, and back */
	uint8_t kind;  /* enum code_kind */
	uint8_t mark;  /* the reader's own */
	bool first;    /* on its line */
	bool spaced;   /* there is white space before it */
	bool known;    /* of a name: what it is has been looked at with another token */
};

/* The place between two tokens, in the bracket that `open` opens, or 0. */
struct code_place {
	size_t first, last, open;
	bool module; /* it may be one */
};

/* Whether an operator or an operand is expected behind the last token. */
enum code_expect { EXPECT_DOUBTFUL, EXPECT_OPERATOR, EXPECT_OPERAND };

struct code_text;

struct code_syntax {
	const char *signs;     /* separated by blanks, longer ones first */
	const char *first;     /* begin a name, besides letters and _ */
	const char *last;      /* end a name: ruby's ? and ! */
	const char *quotes;    /* of strings without code in them */
	const char *templates; /* of strings with code in them */
	const char *field;     /* opens code in a string: "{", "${", "#{" */
	const char *refused;   /* a text that is refused wherever it stands, separated by blanks */
	bool hash_comments;    /* # … */
	bool slash_comments;   /* // … and slash-star */
	bool newlines;         /* end a statement, outside of brackets too when `in_brackets` */
	bool in_brackets;
	bool python;     /* string prefixes, triple quotes, fields with formats, continued lines */
	bool raw_quotes; /* a newline may stand in a string */
	/* NULL: no regular expressions. */
	enum code_expect (*expect)(const struct code_text *code);
};

struct code_scope {
	enum { SCOPE_BRACKET, SCOPE_TEMPLATE, SCOPE_FIELD, SCOPE_FORMAT } kind;
	uint16_t token;
	char quote;
	bool triple, raw;
};

/* The meanings that a name of the program may have; one name may have several. `kind` is the reader's own, and so are
 * the tokens `value` and `member`, or 0. */
struct code_binding {
	uint16_t name, value, member;
	uint8_t kind;
};

struct code_text {
	const char *text;
	size_t len, pos;
	const struct code_syntax *syntax;
	struct code_scope scopes[CODE_DEPTH];
	size_t depth;
	uint16_t count; /* of tokens, the END in front counted */
	uint16_t bound;
	size_t first, last; /* the tokens that are not known */
	struct code_binding bindings[CODE_BINDINGS];
	struct code_token tokens[CODE_TOKENS + 4];
};

/* Binds the names of a program, as far as it has any (NULL: nothing does). */
typedef bool code_bind(struct code_text *code);
/* Looks at one token, which `place` is. *ret_last is `place.last`, or a later token: names up to it are known then. */
typedef bool code_check(struct code_text *code, struct code_place place, size_t *ret_last);

/* Reads a program, binds its names, and checks its tokens: PLAIN, or what is not known. */
struct zs_filter zs_code_judge(
	const char *text, size_t len, const struct code_syntax *syntax, code_bind *bind, code_check *check);

/* Is the token this name or sign? */
bool zs_code_is(const struct code_text *code, size_t token, const char *text);
bool zs_code_in(const struct code_text *code, size_t token, const char *list);
/* The first token from `from` to `to` that is in the list, outside of brackets that open there; `to` when none is. */
size_t zs_code_find(const struct code_text *code, size_t from, size_t to, const char *list);
bool zs_code_same(const struct code_text *code, size_t a, size_t b);
/* Notes which tokens are not known. Returns false. */
bool zs_code_unknown(struct code_text *code, size_t first, size_t last);
/* False when the program has more names than fit. The same name and kind is noted once, but for values of its own. */
bool zs_code_bind(struct code_text *code, struct code_binding binding);
bool zs_code_is_bound(const struct code_text *code, size_t token);
/* Lets `check` look at each thing that a name may stand for. *ret_last is the earliest of theirs: what only one of its
 * meanings accounts for must pass in the others. False when one is not known. */
bool zs_code_check_bindings(struct code_text *code, struct code_place place,
	bool (*check)(
		struct code_text *code, const struct code_binding *binding, struct code_place place, size_t *ret_last),
	size_t *ret_last);

static inline enum code_kind code_kind(const struct code_text *code, size_t token)
{
	return (enum code_kind)code->tokens[token].kind;
}

/* Is the token a literal, or the end of one? */
static inline bool code_is_literal(const struct code_text *code, size_t token)
{
	enum code_kind kind = code_kind(code, token);

	return kind == CODE_NUMBER || kind == CODE_STRING || kind == CODE_REGEX || kind == CODE_TEMPLATE_END;
}

static inline struct code_token *code_token(struct code_text *code, size_t token)
{
	return &code->tokens[token];
}

static inline const char *code_name(const struct code_text *code, size_t token, size_t *ret_len)
{
	*ret_len = code->tokens[token].len;
	return code->text + code->tokens[token].start;
}

/* The text of a string token without its quotes; NULL when it has escapes, a prefix, or is no string. */
const char *zs_code_literal(const struct code_text *code, size_t token, size_t *ret_len);

#endif
