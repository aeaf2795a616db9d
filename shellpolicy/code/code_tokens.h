/* The tokens of a program: one tokenizer for every language whose text has strings, names, numbers, signs and brackets.
 *
 * It is no parser. It refuses a token that the language's own lexer could not read without the parser: is this `/` a
 * division? A string with code in it becomes TEMPLATE FIELD … FIELD_END TEMPLATE_END, so its code is read like any
 * other.
 */
#ifndef ZS_CODE_TOKENS_H
#define ZS_CODE_TOKENS_H

#include "code/filter.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A byte is an int from 0 to 255, or END after the last byte. No set contains END or NUL. A set or list may be NULL,
 * which means empty. */
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

/* Is the text one of the words of a list? Blanks separate the words. */
bool zs_code_listed(const char *text, size_t len, const char *list);
/* Does writing to this name create or change no file? /dev/fd/N in general is not such a name: mawk and sed open
 * /dev/fd/0 anew, which truncates the file that stdin was redirected from. */
bool zs_filter_is_harmless_file(const char *name, size_t len);

enum {
	CODE_TOKENS = 2048, /* tokens of one program; a longer one is refused. 16 bytes each, on the stack */
	CODE_DEPTH = 63,    /* open brackets */
	CODE_BINDINGS = 96  /* names that one program binds */
};

enum code_kind {
	CODE_END, /* stands before the first token and after the last */
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

/* Does the language expect an operator or an operand after the last token? */
enum code_expect { EXPECT_DOUBTFUL, EXPECT_OPERATOR, EXPECT_OPERAND };

struct code_token {
	uint32_t start, len;
	uint16_t mate;   /* for a token that opens: the token that closes it, and the reverse */
	uint8_t kind;    /* enum code_kind */
	uint8_t mark;    /* for the language's own use */
	uint8_t expect;  /* enum code_expect, as it was before this token */
	bool spaced : 1; /* there is white space before it */
	bool known : 1;  /* for a name: it was checked together with an earlier token */
};

struct code_text;

/* The tokens from `first` to `last`. `open` is the token of the bracket around them, or 0. */
struct code_place {
	size_t first, last, open;
};

/* Blanks separate the words of a list. A list or function may be NULL. */
struct code_language {
	/* Its tokens */
	const char *signs;      /* separated by blanks, longer ones first */
	const char *first;      /* bytes that may begin a name, besides letters and _ */
	const char *last;       /* bytes that may end a name: ruby's ? and ! */
	const char *number_end; /* letters that may end a number: python's j, JavaScript's n */
	const char *quotes;     /* quotes of strings without code in them */
	const char *templates;  /* quotes of strings with code in them */
	const char *field;      /* opens code in a string: "{", "${", "#{" */
	const char *refused;    /* texts that are refused wherever they stand: \r may end a line */
	const char *acts;       /* a program without any of these texts does nothing, however it is read */
	bool hash_comments;     /* # … */
	bool slash_comments;    /* // … and slash-star */
	bool newlines;          /* a newline ends a statement; within brackets too if `in_brackets` */
	bool in_brackets;
	bool bare_point; /* a point may end a number: 5. */
	bool continued;  /* a backslash at the end of a line continues it */
	bool python;     /* string prefixes, triple quotes, fields with formats */
	bool raw_quotes; /* a newline may stand in a string */
	/* The words that decide whether a `/` is a division */
	const char *wants; /* keywords before an operand, which may be a regular expression; NULL: the language has no
			      regular expressions */
	const char *doubtful; /* after these it is not known whether `/` is a division */
	const char *heads;    /* keywords: after the brackets that follow them it is not known either */
	enum code_expect (*expect)(const struct code_text *code); /* used instead of the three lists */
	/* Reads a token at code->pos that only this language has. *ret_read stays false if there is none. */
	bool (*read_own)(struct code_text *code, bool *ret_read);
	/* Its names */
	const char *keywords;
	const char *operands; /* keywords that may end an operand */
	const char *globals;  /* the language's names, with their uses */
	const char *denied;   /* its other names: the program may not bind them */
	const char *members;  /* ZS_CODE_ENTRY(path of a module, list of its names) */
	bool global_members;  /* modules are globals: no import is needed */
	const char *about;    /* attributes that only tell about a module, whichever it is */
	const char *points;   /* signs between a value and its member: . ?. */
	const char *assigns;  /* signs that assign to the operand before them */
	const char *looked;   /* operators that only look at the operand after them */
	const char *looks;    /* operators that only look at the operand before them */
	/* Binds the names that the construct at this token introduces. NULL: no construct does. */
	bool (*bind)(struct code_text *code, size_t token);
	/* Checks the token of `place`. *ret_last is `place.last`, or a later token: then the names up to it are checked
	 * too. False: the token is not known, or the tokens that zs_code_unknown() was given. */
	bool (*check)(struct code_text *code, struct code_place place, size_t *ret_last);
	/* The rest is for zs_code_check_name(). leads_away: does this member lead from any value to everything else?
	 * path: the path of the module that a binding stands for. reads: do the arguments of a USE_OPENS only read?
	 * check_rest: is this use of a path without a row harmless? */
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

/* A name that the program binds, to a value or to a module. The module's path is the text from token `value` up to the
 * mate of that token; `value` is 0 for a value. `member` is the token of a name in that module, or 0. A name may have
 * several bindings. */
struct code_binding {
	uint16_t name, value, member;
};

struct code_text {
	const char *text;
	size_t len, pos;
	const struct code_language *language;
	enum code_expect expect; /* after the last token */
	uint8_t mark;            /* mark of the next token */
	struct code_scope scopes[CODE_DEPTH];
	size_t depth;
	uint16_t count; /* number of tokens, including the END before the first */
	uint16_t bound;
	size_t first, last; /* the tokens that decided; `found` is their effect */
	struct zs_filter found;
	struct code_binding bindings[CODE_BINDINGS];
	struct code_token tokens[CODE_TOKENS + 4];
};

/* Reads a program into tokens. False: text near code->pos is not known. */
bool zs_code_read(struct code_text *code, const char *text, size_t len);
/* For read_own: adds the token from `start` to code->pos. */
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

/* The first place from `pos` on whose byte is not in the set. */
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

/* Does the token open a bracket, a string with code, or that code? Its mate closes it. */
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

/* The token's first byte. */
static inline int code_sigil(const struct code_text *code, size_t token)
{
	return code_at(code, code->tokens[token].start);
}

/* Is the token this name or sign, or one of this list? False for any string token. */
bool zs_code_is(const struct code_text *code, size_t token, const char *text);
bool zs_code_in(const struct code_text *code, size_t token, const char *list);
bool zs_code_is_keyword(const struct code_text *code, size_t token);
/* May this token end an operand? */
bool zs_code_ends_operand(const struct code_text *code, size_t token);
/* The first token in [from, to) that is in the list and in no bracket that opens there; `to` if there is none. */
size_t zs_code_find(const struct code_text *code, size_t from, size_t to, const char *list);
/* The text of a string token without its quotes; NULL if it has escapes or a prefix, or is no string. */
const char *zs_code_literal(const struct code_text *code, size_t token, size_t *ret_len);

#endif
