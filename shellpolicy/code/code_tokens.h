/* The tokens of a program: one tokenizer for every language whose text has strings, names, numbers, signs and brackets.
 *
 * It is no parser: what the language's own lexer would need its parser for (is this `/` a division?) is refused. A
 * string with code in it becomes TEMPLATE FIELD … FIELD_END TEMPLATE_END, so that its code is read as any other.
 */
#ifndef ZS_CODE_TOKENS_H
#define ZS_CODE_TOKENS_H

#include "code/filter.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A byte is an int from 0 to 255, or END after the last. Neither END nor NUL is one of any set. A set or list may be
 * NULL: nothing is in it. */
enum { END = -1 };

static inline bool is_one_of(int c, const char *set)
{
	return c > 0 && set && strchr(set, c);
}

static inline bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static inline bool is_letter(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool is_word(int c)
{
	return is_letter(c) || is_digit(c);
}

/* Is the text one of the words of a list that blanks separate? */
bool zs_code_listed(const char *text, size_t len, const char *list);
/* A file that filters write to without making one. Not /dev/fd/N in general: mawk and sed open /dev/fd/0 anew, which
 * truncates the file that stdin was redirected from. */
bool zs_filter_is_harmless_file(const char *name, size_t len);

enum {
	CODE_TOKENS = 2048, /* of one program; more is not read. 16 bytes each, on the stack */
	CODE_DEPTH = 63,    /* open brackets */
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

/* Whether an operator or an operand is expected behind the last token. */
enum code_expect { EXPECT_DOUBTFUL, EXPECT_OPERATOR, EXPECT_OPERAND };

struct code_token {
	uint32_t start, len;
	uint16_t mate;   /* of what opens: the token that closes it, and back */
	uint8_t kind;    /* enum code_kind */
	uint8_t mark;    /* the reader's own */
	uint8_t expect;  /* enum code_expect, of what stood in front of it */
	bool spaced : 1; /* there is white space before it */
	bool known : 1;  /* of a name: what it is has been looked at with another token */
};

struct code_text;

/* The place between two tokens, in the bracket that `open` opens, or 0. */
struct code_place {
	size_t first, last, open;
};

/* A list separates its words by blanks; it may be NULL, and so may a function. */
struct code_language {
	/* Its tokens */
	const char *signs;      /* separated by blanks, longer ones first */
	const char *first;      /* begin a name, besides letters and _ */
	const char *last;       /* end a name: ruby's ? and ! */
	const char *number_end; /* ends a number: python's j, JavaScript's n */
	const char *quotes;     /* of strings without code in them */
	const char *templates;  /* of strings with code in them */
	const char *field;      /* opens code in a string: "{", "${", "#{" */
	const char *refused;    /* texts that are refused wherever they stand: \r may end a line */
	const char *acts;       /* a program in which none of these stands does nothing, however it is read */
	bool hash_comments;     /* # … */
	bool slash_comments;    /* // … and slash-star */
	bool newlines;          /* end a statement, outside of brackets too when `in_brackets` */
	bool in_brackets;
	bool bare_point; /* ends a number: 5. */
	bool continued;  /* a backslash at its end goes on with the line */
	bool python;     /* string prefixes, triple quotes, fields with formats */
	bool raw_quotes; /* a newline may stand in a string */
	/* Is a `/` a division? */
	const char *wants;    /* keywords that an operand follows, and so a regular expression; NULL: there are none */
	const char *doubtful; /* behind these it is not known */
	const char *heads;    /* keywords: behind the brackets that follow it is not known */
	enum code_expect (*expect)(const struct code_text *code); /* in place of the three */
	/* Reads a token at code->pos that only this language has. *ret_read stays false when there is none. */
	bool (*read_own)(struct code_text *code, bool *ret_read);
	/* Its names */
	const char *keywords;
	const char *operands; /* those that end one */
	const char *globals;  /* names of the language, with their uses */
	const char *denied;   /* its other names: the program may not give them to anything */
	const char *members;  /* ZS_CODE_ENTRY(path of a module, list of its names) */
	bool global_members;  /* modules are globals: no import is needed */
	const char *about;    /* names that tell about any module */
	const char *points;   /* lead from a value to what belongs to it */
	const char *assigns;  /* give a value to what stands in front of them */
	const char *looked;   /* only look at what stands behind them */
	const char *looks;    /* only look at what stands in front of them */
	/* Binds the names that the construct at this token gives (NULL: nothing does). */
	bool (*bind)(struct code_text *code, size_t token);
	/* Looks at one token, which `place` is. *ret_last is `place.last`, or a later token: names up to it are known
	 * then. When it returns false, the token is not known, or what zs_code_unknown() was told. */
	bool (*check)(struct code_text *code, struct code_place place, size_t *ret_last);
	/* The rest is for zs_code_check_name(). A name that leads from any value to everything else; the path of the
	 * module that a binding gives; are the arguments of a USE_OPENS those of reading; is this a harmless use of
	 * what no row has? */
	bool (*leads_away)(const char *name, size_t len);
	void (*path)(struct code_text *code, size_t value, char *ret_path);
	bool (*reads)(struct code_text *code, size_t open);
	bool (*check_rest)(struct code_text *code, const char *path, struct code_place place);
};

struct code_scope {
	enum { SCOPE_BRACKET, SCOPE_TEMPLATE, SCOPE_FIELD } kind;
	uint16_t token;
	char quote;
	bool triple;
};

/* A name of the program: a value, or the module whose path is the text from token `value` up to the mate of that token.
 * `member` is the token of a name that belongs to that module, or 0. One name may have several meanings. */
struct code_binding {
	uint16_t name, value, member;
};

struct code_text {
	const char *text;
	size_t len, pos;
	const struct code_language *language;
	enum code_expect expect; /* behind the last token */
	uint8_t mark;            /* of the next token */
	struct code_scope scopes[CODE_DEPTH];
	size_t depth;
	uint16_t count; /* of tokens, the END in front counted */
	uint16_t bound;
	size_t first, last; /* the tokens that decided, and what they do */
	struct zs_filter found;
	struct code_binding bindings[CODE_BINDINGS];
	struct code_token tokens[CODE_TOKENS + 4];
};

/* Reads a program into tokens. When it returns false, code->pos is near what it does not know. */
bool zs_code_read(struct code_text *code, const char *text, size_t len);
/* For read_own: the token that ends at code->pos. */
bool zs_code_push(struct code_text *code, enum code_kind kind, size_t start);
bool zs_code_open(struct code_text *code, struct code_scope scope, enum code_kind kind, size_t start);

static inline int code_at(const struct code_text *code, size_t pos)
{
	return pos < code->len ? (unsigned char)code->text[pos] : END;
}

static inline int code_peek(const struct code_text *code)
{
	return code_at(code, code->pos);
}

static inline bool code_starts(const struct code_text *code, size_t pos, const char *text)
{
	size_t len = strlen(text);

	return pos <= code->len && code->len - pos >= len && memcmp(code->text + pos, text, len) == 0;
}

/* Behind the bytes of the set that stand at `pos`. */
static inline size_t code_skip(const struct code_text *code, size_t pos, const char *set)
{
	while (is_one_of(code_at(code, pos), set))
		pos++;
	return pos;
}

static inline enum code_kind code_kind(const struct code_text *code, size_t token)
{
	return (enum code_kind)code->tokens[token].kind;
}

/* Does it open a bracket, a string or the code in one? Its mate closes it. */
static inline bool code_opens(const struct code_text *code, size_t token)
{
	enum code_kind kind = code_kind(code, token);

	return kind == CODE_OPEN || kind == CODE_TEMPLATE || kind == CODE_FIELD;
}

static inline bool code_closes(const struct code_text *code, size_t token)
{
	enum code_kind kind = code_kind(code, token);

	return kind == CODE_CLOSE || kind == CODE_TEMPLATE_END || kind == CODE_FIELD_END;
}

/* Is the token a literal, or the end of one? */
static inline bool code_is_literal(const struct code_text *code, size_t token)
{
	enum code_kind kind = code_kind(code, token);

	return kind == CODE_NUMBER || kind == CODE_STRING || kind == CODE_REGEX || kind == CODE_TEMPLATE_END;
}

static inline size_t code_mate(const struct code_text *code, size_t token)
{
	return code->tokens[token].mate;
}

static inline const char *code_name(const struct code_text *code, size_t token, size_t *ret_len)
{
	*ret_len = code->tokens[token].len;
	return code->text + code->tokens[token].start;
}

/* Its first byte. */
static inline int code_sigil(const struct code_text *code, size_t token)
{
	return code_at(code, code->tokens[token].start);
}

/* Is the token this name or sign, or one of this list? A string never is. */
bool zs_code_is(const struct code_text *code, size_t token, const char *text);
bool zs_code_in(const struct code_text *code, size_t token, const char *list);
bool zs_code_is_keyword(const struct code_text *code, size_t token);
/* Can this token be the last of an operand? */
bool zs_code_ends_operand(const struct code_text *code, size_t token);
/* The first token from `from` to `to` that is in the list, outside of brackets that open there; `to` when none is. */
size_t zs_code_find(const struct code_text *code, size_t from, size_t to, const char *list);
/* The text of a string token without its quotes; NULL when it has escapes, a prefix, or is no string. */
const char *zs_code_literal(const struct code_text *code, size_t token, size_t *ret_len);

#endif
