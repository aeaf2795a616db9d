/* The parts that the files of the strict reader share. It is a stack machine: no input makes it recurse. A frame is a
 * construct that is open; each step looks at the top frame and the next bytes, and opens or closes one. */
#ifndef ZS_READER_H
#define ZS_READER_H

#include "read/brace.h"
#include "read/strict_reader.h"

enum frame_kind {
	FRAME_LIST,         /* commands up to what closes them */
	FRAME_COMMAND,      /* a simple command */
	FRAME_REDIRECT,     /* waits for its target */
	FRAME_WORD,         /* quotes, expansions and bytes up to a metacharacter */
	FRAME_SUBSTITUTION, /* $(…) <(…) >(…) around its list */
	FRAME_BRACED,       /* ${…} */
	FRAME_ARITHMETIC,   /* $((…)) $[…] ((…)) for ((…)) and subscripts */
	FRAME_ARRAY,        /* x=(…) */
	FRAME_BODY,         /* a here-document's body */
	FRAME_GROUP,        /* { …; } and ( … ) */
	FRAME_IF,
	FRAME_WHILE,
	FRAME_FOR,
	FRAME_CASE,
	FRAME_FUNCTION, /* its head; the body is a compound on top of it */
	FRAME_TEST,     /* [[ … ]] */
};

/* The tokens that may close a list. */
enum closer {
	CLOSE_END = 1 << 0,   /* of the text */
	CLOSE_PAREN = 1 << 1, /* ) */
	CLOSE_BRACE = 1 << 2, /* } */
	CLOSE_THEN = 1 << 3,
	CLOSE_DO = 1 << 4,
	CLOSE_DONE = 1 << 5,
	CLOSE_FI = 1 << 6,   /* fi */
	CLOSE_ELSE = 1 << 7, /* elif else */
	CLOSE_CASE = 1 << 8, /* esac ;; ;& ;;& */
	CLOSE_EMPTY = 1 << 9 /* none of these: the list may be empty */
};

/* Where a word stands, as far as its reading goes. */
enum word_place {
	PLACE_ARGUMENT,
	PLACE_COMMAND,    /* an assignment or the name of a command may stand here */
	PLACE_DECLARED,   /* an argument of declare, export, …: x=(…) is an array */
	PLACE_TARGET,     /* of a redirection */
	PLACE_HERESTRING, /* one word: no braces, no globs */
	PLACE_SUBJECT,    /* of case: the same */
	PLACE_ITEM,       /* of for … in */
	PLACE_PATTERN,    /* of case */
	PLACE_OPERAND,    /* within [[ ]] */
	PLACE_GLOB,       /* behind == and != there: @(a|b) */
	PLACE_REGEX,      /* behind =~ there: (a|b) */
	PLACE_ELEMENT,    /* of an array */
};

struct frame {
	uint8_t kind;    /* enum frame_kind */
	uint8_t state;   /* of its own kind */
	uint8_t nesting; /* enum zs_nesting of the commands in it */
	uint8_t place;   /* FRAME_WORD: enum word_place */
	uint16_t depth;
	uint16_t closers; /* FRAME_LIST: enum closer */
	uint32_t start;
	uint32_t mark;         /* its mark + 1, or 0 */
	uint32_t parens;       /* FRAME_WORD: open ones of a pattern; FRAME_ARITHMETIC: open ones or brackets */
	uint32_t saved;        /* FRAME_SUBSTITUTION: pending here-documents outside; FRAME_BODY: the text's length;
				* FRAME_LIST: the first command of a && b | c;
				* FRAME_ARITHMETIC, FRAME_WORD: where zs_matched_end() has it end, or 0 */
	int32_t command;       /* FRAME_COMMAND, FRAME_REDIRECT: index in raw.commands; FRAME_LIST: the simple command
				* that ended last in it, or -1 */
	char close;            /* FRAME_ARITHMETIC, _GROUP: what closes it; FRAME_WORD: ] when a subscript began it */
	bool in_quotes;        /* FRAME_WORD, _BRACED, _ARITHMETIC: within double quotes */
	bool any;              /* FRAME_LIST: a command; FRAME_COMMAND and compounds: a redirection; _SUBSTITUTION: a
				* here-document's body was in it; others, as named */
	bool keyword;          /* FRAME_LIST: a compound command has ended: a reserved word may follow */
	bool piped;            /* FRAME_LIST: behind | time is a program */
	int32_t producer;      /* FRAME_LIST: the simple command in front of |, or -1 */
	bool coproc;           /* FRAME_LIST, _COMMAND: behind coproc */
	bool from_pipe;        /* its commands read a pipe, not what the shell reads */
	bool timed;            /* FRAME_LIST, _COMMAND: behind time or coproc */
	bool quoted;           /* FRAME_WORD: some of it */
	bool array;            /* FRAME_WORD: its value is one; FRAME_COMMAND: its arguments may be */
	bool body;             /* within a here-document's body, outside of substitutions */
	uint32_t name_len;     /* FRAME_WORD: of NAME in NAME=, when it is an assignment */
	uint32_t value;        /* FRAME_WORD: units in front of the value; FRAME_FOR: its loop + 1 */
	int32_t descriptor;    /* FRAME_REDIRECT */
	bool follows;          /* FRAME_LIST: behind && || or | */
	bool loose;            /* what is in it may not run, or runs in a shell of its own */
	const char *function;  /* in whose body it is; NULL: none */
	const char *op;        /* FRAME_REDIRECT */
	struct zs_units units; /* FRAME_WORD */
};

struct heredoc {
	const char *delimiter;
	uint32_t len;
	bool quoted, tabs;
	int32_t command; /* that it feeds: index in raw.commands, or -1 */
	uint32_t number; /* from 1 */
};

struct body {
	uint32_t start, end;
	uint8_t nesting;
	uint16_t depth;
	const char *function;
};

struct strict_reader {
	struct zs_build *build;
	struct zs_place place;
	const struct zs_pending_text *pending;
	struct zs_reading *reading;
	struct zs_raw *raw;
	const char *text;
	uint32_t len, at;
	ZS_LIST(struct frame) frames;
	uint32_t level;                   /* of nesting */
	ZS_LIST(struct heredoc) heredocs; /* whose bodies begin behind the next newline */
	uint32_t heredoc_number;          /* of the newest */
	ZS_LIST(struct body) bodies;      /* unquoted: they are read when the commands are */
	bool reads, reads_known;          /* the text holds read or mapfile: a body may become a value */
	bool in_bodies;                   /* which the parser does not get to see: they make no marks */
	bool failed;
};

static inline char peek(const struct strict_reader *r, uint32_t ahead)
{
	return r->at + ahead < r->len ? r->text[r->at + ahead] : '\0';
}

static inline bool at_end(const struct strict_reader *r)
{
	return r->at >= r->len;
}

static inline bool at_continuation(const struct strict_reader *r, uint32_t ahead)
{
	return peek(r, ahead) == '\\' && peek(r, ahead + 1) == '\n';
}

static inline struct frame *top(struct strict_reader *r)
{
	return &r->frames.items[r->frames.count - 1];
}

/* The byte that bash sees next: it takes continued lines out before it looks for operators and names. */
static inline char peek_behind(const struct strict_reader *r, uint32_t ahead)
{
	while (at_continuation(r, ahead))
		ahead += 2;
	return peek(r, ahead);
}

/* < and > that start a process substitution, not a redirection. */
static inline bool at_process_substitution(const struct strict_reader *r)
{
	return (peek(r, 0) == '<' || peek(r, 0) == '>') && peek(r, 1) == '(';
}

/* strict_reader.c */

/* Refuses a construct that is not modelled: the reading ends with a finding. The two offsets may come in any order. */
void zs_refuse(struct strict_reader *r, enum zs_refusal what, uint32_t one, uint32_t other);
/* Refuses text that bash does not accept, at the next byte. */
void zs_reject(struct strict_reader *r);
/* Opens a frame; what it inherits comes from the frame below. The pointer lives until the next one is opened. */
struct frame *zs_open(struct strict_reader *r, enum frame_kind kind);
void zs_close(struct strict_reader *r);
/* Opens a level of nesting besides. */
bool zs_deeper(struct strict_reader *r);
struct frame *zs_open_list(struct strict_reader *r, unsigned closers);
void zs_mask(struct strict_reader *r, uint32_t start, uint32_t end, char with);
/* Returns 1 + its index, or 0 for none; it is filled by zs_end_mark(). */
uint32_t zs_start_mark(struct strict_reader *r, enum zs_mark_kind kind, uint32_t start);
void zs_end_mark(struct strict_reader *r, uint32_t mark, uint32_t end);
struct zs_span zs_span_of(const struct strict_reader *r, uint32_t start, uint32_t end);
void zs_note_at(struct strict_reader *r, enum zs_risk risk, const char *object, uint32_t start, uint32_t end);
/* Bytes [start, end) are a name whose value is read as code: arithmetic evaluates it, ${!x} expands it. */
void zs_note_evaluated(struct strict_reader *r, uint32_t start, uint32_t end);
/* Bytes [start, end) may become a value. */
void zs_note_data(struct strict_reader *r, uint32_t start, uint32_t end);
/* The same where substitutions are made: what they make is not known, what is escaped is text. */
void zs_note_escaped_data(struct strict_reader *r, uint32_t start, uint32_t end);
/* Blanks, continued lines and a comment. */
void zs_skip_blanks(struct strict_reader *r);
/* The same and newlines. */
void zs_skip_newlines(struct strict_reader *r);
/* A newline that is a token: bodies of here-documents begin behind it. */
void zs_take_newline(struct strict_reader *r);
/* The innermost substitution that is open, or NULL. */
struct frame *zs_substitution(struct strict_reader *r);

/* commands.c */

void zs_step_list(struct strict_reader *r);
void zs_step_command(struct strict_reader *r);
/* A command has ended in the list on top. */
void zs_command_done(struct strict_reader *r, bool keyword_may_follow);
/* At a redirection: reads its operator and opens its frame. False when there is none. */
bool zs_take_redirect(struct strict_reader *r);

/* compounds.c */

/* The reserved word at the next byte, as bash would recognise it there: NULL when it is none; *ret_end is behind
 * it. */
const char *zs_reserved_word(const struct strict_reader *r, uint32_t *ret_end);
/* An unquoted word of that text, where bash does not recognise it; time is a program too. */
bool zs_is_reserved_text(const struct zs_raw_word *word);
/* At the start of a compound command other than a function. */
bool zs_at_compound(const struct strict_reader *r);
/* Takes the reserved word `word`, which must be next. */
bool zs_expect(struct strict_reader *r, const char *word);
/* Opens the compound command that `word` starts; false when it starts none. */
bool zs_open_compound(struct strict_reader *r, const char *word, uint32_t end);
/* At a parenthesis where a command starts. */
void zs_open_parenthesis(struct strict_reader *r);
void zs_step_compound(struct strict_reader *r);

/* words.c */

void zs_open_word(struct strict_reader *r, enum word_place place);
void zs_step_word(struct strict_reader *r);
void zs_step_array(struct strict_reader *r);
/* A word is complete: what the frame that asked for it makes of it. */
void zs_take_word(struct strict_reader *r, const struct frame *word, struct zs_word_list *list, uint32_t end);

/* expansions.c */

/* The constructs that a $ starts. */
enum dollar {
	DOLLAR_PLAIN,  /* nothing: it was taken as a byte */
	DOLLAR_TAKEN,  /* a variable */
	DOLLAR_OPENED, /* a frame is open */
};

/* At a $ that starts no quoted string. *ret_why is why the word is dynamic. */
enum dollar zs_take_dollar(struct strict_reader *r, enum zs_dynamic *ret_why);
/* The meaning of a backslash in backquotes depends on where they stand. */
enum backquotes { BACKQUOTES_PLAIN, BACKQUOTES_QUOTED, BACKQUOTES_NESTED /* in an expansion, a body, arithmetic */ };

/* At a backquote: what it holds is a text of its own. */
void zs_take_backquotes(struct strict_reader *r, enum backquotes where);
/* At <( or >(. */
void zs_open_process_substitution(struct strict_reader *r);
void zs_step_braced(struct strict_reader *r);
void zs_step_substitution(struct strict_reader *r);
void zs_open_arithmetic(struct strict_reader *r, uint32_t skip, char close, uint32_t parens);
void zs_step_arithmetic(struct strict_reader *r);
/* Behind an opening parenthesis: what bash's plain search for the closing one finds, which knows quotes and nothing
 * else. *ret_end is behind it. Returns the reason to refuse, or nothing. */
enum zs_refusal zs_matched_end(const struct strict_reader *r, uint32_t start, uint32_t *ret_end);

/* heredoc.c */

/* Behind << or <<-: its delimiter. */
bool zs_take_delimiter(struct strict_reader *r, bool tabs, struct zs_raw_word *ret_word);
/* At the first byte behind the newline: finds the bodies of all that wait. */
void zs_take_bodies(struct strict_reader *r);
void zs_open_body(struct strict_reader *r, const struct body *body);
void zs_step_body(struct strict_reader *r);

#endif
