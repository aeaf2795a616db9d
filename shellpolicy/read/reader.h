/* The parts that the files of the strict reader share. The reader is a stack machine, so no input makes it recurse. A
 * frame is an open construct; each step looks at the top frame and at the next bytes, and opens or closes a frame. */
#ifndef ZS_READER_H
#define ZS_READER_H

#include "read/strict_reader.h"

enum frame_kind {
	FRAME_LIST,         /* commands up to a token that closes the list */
	FRAME_COMMAND,      /* a simple command */
	FRAME_REDIRECT,     /* a redirection operator, waiting for its target */
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
	FRAME_FUNCTION, /* the head of a function; its body is a compound command on top of this frame */
	FRAME_TEST,     /* [[ … ]] */
};

/* The tokens that may close a list. */
enum closer {
	CLOSE_END = 1 << 0,   /* the end of the text */
	CLOSE_PAREN = 1 << 1, /* ) */
	CLOSE_BRACE = 1 << 2, /* } */
	CLOSE_THEN = 1 << 3,
	CLOSE_DO = 1 << 4,
	CLOSE_DONE = 1 << 5,
	CLOSE_FI = 1 << 6,   /* fi */
	CLOSE_ELSE = 1 << 7, /* elif else */
	CLOSE_CASE = 1 << 8, /* esac ;; ;& ;;& */
	CLOSE_EMPTY = 1 << 9 /* the list may be empty */
};

/* The place of a word, as far as it changes how the word is read. */
enum word_place {
	PLACE_ARGUMENT,
	PLACE_COMMAND,    /* an assignment or the name of a command may stand here */
	PLACE_DECLARED,   /* an argument of declare, export, …: x=(…) is an array */
	PLACE_TARGET,     /* the target of a redirection */
	PLACE_HERESTRING, /* the word of <<<: no brace expansion, no globs */
	PLACE_SUBJECT,    /* the word of case: no brace expansion, no globs */
	PLACE_ITEM,       /* an item of for … in */
	/* words in these places get no mark */
	PLACE_PATTERN, /* a pattern of case */
	PLACE_OPERAND, /* an operand in [[ ]] */
	PLACE_GLOB,    /* the operand after == or != in [[ ]]: @(a|b) is a pattern */
	PLACE_REGEX,   /* the operand after =~ in [[ ]]: (a|b) is a part of it */
	PLACE_ELEMENT, /* an element of an array */
};

struct frame {
	uint8_t kind;    /* enum frame_kind */
	uint8_t state;   /* a state that the frame's kind defines */
	uint8_t nesting; /* enum zs_nesting of the frame's commands */
	uint8_t place;   /* FRAME_WORD: enum word_place */
	uint16_t depth;
	uint16_t closers; /* FRAME_LIST: enum closer */
	uint32_t start;
	uint32_t mark;   /* index of the frame's mark + 1; 0: none */
	uint32_t parens; /* FRAME_WORD: open parentheses of a pattern; FRAME_ARITHMETIC: open parentheses or brackets */
	uint32_t semicolons; /* FRAME_FOR: in its ((…)), outside of quotes and substitutions */
	uint32_t saved; /* FRAME_SUBSTITUTION: here-documents outside that wait for their bodies; FRAME_BODY: the text's
			   length; FRAME_LIST: index of the first command of a && b | c; FRAME_ARITHMETIC, FRAME_WORD:
			   the end that zs_matched_end() found, or 0 */
	int32_t command;      /* FRAME_COMMAND, FRAME_REDIRECT: index in raw.commands; FRAME_LIST: index of the simple
				 command that ended last in the list, or -1 */
	uint16_t descriptors; /* FRAME_COMMAND and compounds: bits of the descriptors that are redirected or piped */
	char close; /* FRAME_ARITHMETIC, FRAME_GROUP: the byte that closes it; FRAME_WORD: ']' if a subscript began the
		       word */
	bool in_quotes;     /* FRAME_WORD, _BRACED, _ARITHMETIC: within double quotes */
	bool any;           /* FRAME_LIST: the list has a command; FRAME_COMMAND and compounds: there is a redirection;
			       FRAME_SUBSTITUTION: a here-document's body stood in it; FRAME_FOR: it is for, not select;
			       FRAME_BRACED: ${!…} */
	bool keyword;       /* FRAME_LIST: a compound command has ended, so a reserved word may follow */
	bool piped;         /* FRAME_LIST: a pipe precedes, so time is no reserved word */
	int32_t producer;   /* FRAME_LIST: index of the simple command before the pipe, or -1 */
	bool coproc;        /* FRAME_LIST, FRAME_COMMAND: coproc precedes */
	bool from_pipe;     /* the commands in it read a pipe, not the shell's own input */
	bool timed;         /* FRAME_LIST, FRAME_COMMAND: time or coproc precedes */
	bool quoted;        /* FRAME_WORD: a part of the word is quoted */
	bool array;         /* FRAME_WORD: the value is an array; FRAME_COMMAND: its arguments may be arrays */
	bool body;          /* the frame stands in a here-document's body, outside of substitutions */
	uint32_t name_len;  /* FRAME_WORD: length of NAME if the word is an assignment */
	uint32_t value;     /* FRAME_WORD: number of units before the value; FRAME_FOR: index of its loop + 1;
			       FRAME_BRACED: where its parameter or its word begins; FRAME_SUBSTITUTION: the end that
			       zs_matched_end() found, or 0 */
	int32_t descriptor; /* FRAME_REDIRECT */
	bool follows;       /* FRAME_LIST: the next command stands after && || or | */
	bool loose;         /* the frame's commands may be skipped, or they run in a subshell */
	const char *function;  /* the function in whose body the frame stands; NULL if there is none */
	const char *op;        /* FRAME_REDIRECT */
	struct zs_units units; /* FRAME_WORD */
};

struct heredoc {
	const char *delimiter;
	uint32_t len;
	bool quoted, tabs;
	int32_t command; /* index in raw.commands of the command that reads it, or -1 */
	uint32_t number; /* counts from 1 */
	uint32_t end;    /* of the delimiter */
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
	uint16_t closed;                  /* `descriptors` of the command that ended last */
	uint32_t level;                   /* depth of nesting */
	ZS_LIST(struct heredoc) heredocs; /* here-documents whose bodies begin after the next newline */
	uint32_t heredoc_number;          /* number of the newest here-document */
	ZS_LIST(struct body) bodies;      /* unquoted bodies, which are read after the commands */
	bool reads, reads_known;          /* the text holds read or mapfile, so a body may become a value */
	uint32_t behind_coproc;           /* the newest one; 0: there is none */
	bool in_bodies;                   /* bodies are being read; the parser gets no bodies, so they make no marks */
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

/* The next byte as bash sees it. bash removes continued lines before it looks for operators and names. */
static inline char peek_behind(const struct strict_reader *r, uint32_t ahead)
{
	while (at_continuation(r, ahead))
		ahead += 2;
	return peek(r, ahead);
}

/* Does a process substitution, <( or >(, stand here? It is no redirection. */
static inline bool at_process_substitution(const struct strict_reader *r)
{
	return (peek(r, 0) == '<' || peek(r, 0) == '>') && peek(r, 1) == '(';
}

/* Does a word start here? */
static inline bool at_word_start(const struct strict_reader *r)
{
	return !at_end(r) && (!zs_is_metacharacter(peek(r, 0)) || at_process_substitution(r));
}

/* strict_reader.c */

/* Refuses a construct that is not modelled: reading ends, with a finding. The two offsets may come in any order. */
void zs_refuse(struct strict_reader *r, enum zs_refusal what, uint32_t one, uint32_t other);
/* Rejects the text at the next byte: bash does not accept it. */
void zs_reject(struct strict_reader *r);
/* Opens a frame on top; it inherits from the frame below. The pointer is valid until the next frame is opened. */
struct frame *zs_open(struct strict_reader *r, enum frame_kind kind);
void zs_close(struct strict_reader *r);
/* Adds a level of nesting. False: there are too many. */
bool zs_deeper(struct strict_reader *r);
struct frame *zs_open_list(struct strict_reader *r, unsigned closers);
void zs_mask(struct strict_reader *r, uint32_t start, uint32_t end, char with);
/* Begins a mark; zs_end_mark() sets its end. Returns the mark's index + 1, or 0 for none. */
uint32_t zs_start_mark(struct strict_reader *r, enum zs_mark_kind kind, uint32_t start);
void zs_end_mark(struct strict_reader *r, uint32_t mark, uint32_t end);
struct zs_span zs_span_of(const struct strict_reader *r, uint32_t start, uint32_t end);
void zs_note_at(struct strict_reader *r, enum zs_risk risk, const char *object, uint32_t start, uint32_t end);
/* Notes that bytes [start, end) may become a value. */
void zs_note_data(struct strict_reader *r, uint32_t start, uint32_t end);
/* The same for text that bash expands, if it holds an escaped $ or backquote, which becomes plain text. */
void zs_note_escaped_data(struct strict_reader *r, uint32_t start, uint32_t end);
/* Skips blanks, continued lines and a comment. */
void zs_skip_blanks(struct strict_reader *r);
/* Skips blanks, continued lines, comments and newlines. */
void zs_skip_newlines(struct strict_reader *r);
/* Takes a newline that is a token. Bodies of here-documents begin after it. */
void zs_take_newline(struct strict_reader *r);
/* The innermost open substitution, or NULL. */
struct frame *zs_substitution(struct strict_reader *r);

/* commands.c */

void zs_step_list(struct strict_reader *r);
void zs_step_command(struct strict_reader *r);
/* Notes that a command has ended in the list on top. */
void zs_command_done(struct strict_reader *r, bool keyword_may_follow);
/* Takes the operator of a redirection and opens its frame. False: no redirection stands here. */
bool zs_take_redirect(struct strict_reader *r);

/* compounds.c */

/* A reserved word (man bash, RESERVED WORDS). */
struct reserved {
	const char *text;
	uint16_t closes; /* enum closer: the lists that it ends */
	uint16_t first;  /* enum closer: the tokens that close the list after it */
	uint8_t opens;   /* enum frame_kind of the compound command that it begins; 0: none */
};

/* The reserved word at the next byte, where bash would recognise one; *ret_end is its end. NULL if there is none. */
const struct reserved *zs_reserved_word(const struct strict_reader *r, uint32_t *ret_end);
/* Is this unquoted word spelled like a reserved word, in a place where bash does not recognise it? */
bool zs_is_reserved_text(const struct zs_raw_word *word);
/* Does a compound command other than a function start here? */
bool zs_at_compound(const struct strict_reader *r);
/* Opens the compound command that starts with `word`. False: none does. */
bool zs_open_compound(struct strict_reader *r, const struct reserved *word, uint32_t end);
/* Opens the function NAME (), whose body is next. */
void zs_open_function(struct strict_reader *r, const char *name);
/* Opens the construct of a parenthesis at the start of a command: a subshell, or ((. */
void zs_open_parenthesis(struct strict_reader *r);
void zs_step_compound(struct strict_reader *r);

/* words.c */

void zs_open_word(struct strict_reader *r, enum word_place place);
void zs_step_word(struct strict_reader *r);
void zs_step_array(struct strict_reader *r);
/* Hands a complete word to the frame that asked for it, which is on top. */
void zs_take_word(struct strict_reader *r, const struct frame *word, struct zs_word_list *list, uint32_t end);

/* expansions.c */

/* The constructs that a $ starts. */
enum dollar {
	DOLLAR_PLAIN,  /* none: the $ was taken for a plain byte */
	DOLLAR_TAKEN,  /* a variable, which was read whole */
	DOLLAR_OPENED, /* an expansion, whose frame is open */
};

/* Takes a $ that starts no quoted string. *ret_why is the reason why the word is dynamic. */
enum dollar zs_take_dollar(struct strict_reader *r, enum zs_dynamic *ret_why);
/* The place of backquotes: it decides what a backslash in them means. */
enum backquotes {
	BACKQUOTES_PLAIN,
	BACKQUOTES_QUOTED,
	BACKQUOTES_NESTED /* backquotes in an expansion, a body or arithmetic */
};

/* Takes backquotes. Their content becomes a text of its own. */
void zs_take_backquotes(struct strict_reader *r, enum backquotes where);
/* Opens the process substitution at <( or >(. */
void zs_open_process_substitution(struct strict_reader *r);
void zs_step_braced(struct strict_reader *r);
void zs_step_substitution(struct strict_reader *r);
void zs_open_arithmetic(struct strict_reader *r, uint32_t skip, char close, uint32_t parens);
void zs_step_arithmetic(struct strict_reader *r);
/* The end of parentheses as bash's plain search finds it: that search knows quotes and nothing else. `start` is after
 * the opening parenthesis, *ret_end after the closing one. Returns the reason to refuse, or ZS_REFUSE_NOTHING. */
enum zs_refusal zs_matched_end(const struct strict_reader *r, uint32_t start, uint32_t *ret_end);

/* dialect.c */

#define DASH_LIKE (ZS_BIT(SH) | ZS_BIT(DASH) | ZS_BIT(KSH))
#define POSIX_LIKE (DASH_LIKE | ZS_BIT(ASH))

/* The constructs that some shell reads otherwise than bash, so that something else may run. enumerator, the construct
 * as messages show it, the shells. tests/e2e/test_dialects.py compares the rows with the shells. */
#define CONSTRUCTS(X)                                                                                                  \
	/* commands */                                                                                                 \
	X(SUBSHELL, "( )", ZS_BIT(FISH))                                                                               \
	X(COMPOUND, "a compound command", ZS_BIT(FISH))                                                                \
	X(ARITHMETIC_COMMAND, "((", POSIX_LIKE | ZS_BIT(FISH))                                                         \
	X(TEST_COMMAND, "[[", POSIX_LIKE | ZS_BIT(FISH))                                                               \
	X(FUNCTION, "function", POSIX_LIKE | ZS_BIT(FISH))                                                             \
	X(SELECT, "select", POSIX_LIKE | ZS_BIT(FISH))                                                                 \
	X(COPROC, "coproc", POSIX_LIKE | ZS_BIT(ZSH) | ZS_BIT(BASH32) | ZS_BIT(FISH))                                  \
	X(TIME, "time", POSIX_LIKE)                                                                                    \
	X(FALL_THROUGH, ";&", POSIX_LIKE | ZS_BIT(BASH32) | ZS_BIT(FISH))                                              \
	X(PIPE_BOTH, "|&", POSIX_LIKE | ZS_BIT(BASH32) | ZS_BIT(FISH))                                                 \
	X(DISOWN, "&!", ZS_BIT(ZSH))                                                                                   \
	X(WIDE_COMMAND, "a command that begins beyond ASCII", ZS_BIT(FISH))                                            \
	X(GLUED_AMPERSAND, "a&b", ZS_BIT(FISH))                                                                        \
	X(LONE_BRACE, "a brace as a word", ZS_BIT(ZSH))                                                                \
	/* assignments */                                                                                              \
	X(ARRAY, "an array", POSIX_LIKE | ZS_BIT(ZSH) | ZS_BIT(FISH))                                                  \
	X(APPEND, "+=", POSIX_LIKE | ZS_BIT(FISH))                                                                     \
	X(LONE_ASSIGNMENT, "an assignment without a command", ZS_BIT(FISH))                                            \
	X(POSITIONAL, "1=", ZS_BIT(ZSH) | ZS_BIT(FISH))                                                                \
	/* redirections */                                                                                             \
	X(REDIRECT_BOTH, "&>", POSIX_LIKE)                                                                             \
	X(APPEND_BOTH, "&>>", POSIX_LIKE | ZS_BIT(BASH32))                                                             \
	X(DIGIT_BOTH, "0&>", POSIX_LIKE | ZS_BIT(ZSH) | ZS_BIT(FISH))                                                  \
	X(HERE_STRING, "<<<", POSIX_LIKE | ZS_BIT(FISH))                                                               \
	X(HERE_DOCUMENT, "<<", ZS_BIT(FISH))                                                                           \
	X(NAMED_DESCRIPTOR, "{NAME}>", POSIX_LIKE | ZS_BIT(BASH32) | ZS_BIT(FISH))                                     \
	X(WIDE_DESCRIPTOR, "10>", DASH_LIKE | ZS_BIT(ZSH))                                                             \
	X(MULTIOS, "two redirections of one descriptor", ZS_BIT(ZSH))                                                  \
	X(LONE_REDIRECTION, "a redirection without a command", ZS_BIT(ZSH))                                            \
	X(FORCED_TARGET, ">!", ZS_BIT(ZSH))                                                                            \
	X(PIPED_TARGET, ">|", ZS_BIT(FISH))                                                                            \
	X(NEW_TARGET, ">?", ZS_BIT(FISH))                                                                              \
	X(PATTERN_TARGET, "a redirection to a pattern", POSIX_LIKE | ZS_BIT(ZSH) | ZS_BIT(FISH))                       \
	X(NUMBER_PATTERN, "<1-9>", ZS_BIT(ZSH))                                                                        \
	X(PROCESS, "<(", POSIX_LIKE | ZS_BIT(FISH))                                                                    \
	/* words */                                                                                                    \
	X(BRACES, "{a,b}", POSIX_LIKE)                                                                                 \
	X(EMPTY_BRACES, "{a,}", ZS_BIT(ZSH) | ZS_BIT(FISH))                                                            \
	X(DYNAMIC_BRACES, "{$x,a}", ZS_BIT(FISH))                                                                      \
	X(OPEN_BRACE, "a brace without its partner", ZS_BIT(FISH))                                                     \
	X(SEQUENCE, "{1..9}", ZS_BIT(FISH))                                                                            \
	X(STEPS, "{01..9..2}", ZS_BIT(BASH32))                                                                         \
	X(ODD_SEQUENCE, "{1..9..2} or {1..$x}", ZS_BIT(ZSH))                                                           \
	X(PATTERN, "*( )", POSIX_LIKE | ZS_BIT(ZSH) | ZS_BIT(FISH))                                                    \
	X(RECURSIVE, "**", ZS_BIT(ZSH) | ZS_BIT(FISH))                                                                 \
	X(BRACKETS, "[a]", ZS_BIT(FISH))                                                                               \
	X(CARET, "[^a]", DASH_LIKE)                                                                                    \
	X(EQUALS, "=NAME", ZS_BIT(ZSH))                                                                                \
	X(NAMED_FOLDER, "~NAME", ZS_BIT(ZSH))                                                                          \
	X(SIGNED_TILDE, "~+", POSIX_LIKE | ZS_BIT(FISH))                                                               \
	X(TILDE_ARGUMENT, "NAME=~", POSIX_LIKE | ZS_BIT(ZSH) | ZS_BIT(FISH))                                           \
	X(SELF, "%self", ZS_BIT(FISH))                                                                                 \
	/* quotes */                                                                                                   \
	X(ANSI_C, "$'", POSIX_LIKE | ZS_BIT(FISH))                                                                     \
	X(ANSI_C_ESCAPE, "a backslash in $' '", ZS_BIT(ZSH))                                                           \
	X(UNICODE, "$'\\u", ZS_BIT(BASH32))                                                                            \
	X(WIDE_NAME, "a variable whose name is not ASCII", ZS_BIT(ZSH) | ZS_BIT(FISH))                                 \
	X(LOCALE, "$\"", POSIX_LIKE | ZS_BIT(ZSH) | ZS_BIT(FISH))                                                      \
	X(ESCAPE, "\\n", ZS_BIT(FISH))                                                                                 \
	X(QUOTED_BACKSLASH, "a backslash in quotes", ZS_BIT(FISH))                                                     \
	X(LONE_BACKSLASH, "a backslash at the end", ZS_BIT(BASH32) | ZS_BIT(ZSH) | ZS_BIT(FISH))                       \
	X(BACKQUOTES, "`", ZS_BIT(FISH))                                                                               \
	/* expansions */                                                                                               \
	X(OLD_ARITHMETIC, "$[", POSIX_LIKE | ZS_BIT(FISH))                                                             \
	X(ARITHMETIC, "$((", ZS_BIT(FISH))                                                                             \
	X(BRACED, "${", ZS_BIT(FISH))                                                                                  \
	X(SPECIAL, "a special parameter", ZS_BIT(FISH))                                                                \
	X(SUBSCRIPT, "$x[", ZS_BIT(ZSH) | ZS_BIT(FISH))                                                                \
	X(MODIFIER, "$x:h", ZS_BIT(ZSH))                                                                               \
	X(LENGTH, "$#x", ZS_BIT(ZSH))                                                                                  \
	X(FLAG, "$~x", ZS_BIT(ZSH))                                                                                    \
	X(TWO_DIGITS, "$10", ZS_BIT(ZSH))                                                                              \
	X(CASE_CHANGE, "${x^} or ${x@Q}", ZS_BIT(BASH32))                                                              \
	X(OPEN_PARENTHESIS, "$( ) with a single parenthesis", ZS_BIT(SH) | ZS_BIT(BASH32))

enum construct {
#define X(id, text, shells) CONSTRUCT_##id,
	CONSTRUCTS(X)
#undef X
};

/* Does the text's shell read the construct otherwise than bash? */
bool zs_reads_otherwise(const struct zs_pending_text *pending, enum construct construct);
/* Refuses the construct at the next byte if the text's shell reads it otherwise. */
void zs_only_in_bash(struct strict_reader *r, enum construct construct);
/* The same for the reserved word at the next byte, unless it does no harm. */
void zs_check_reserved(struct strict_reader *r, const char *word, uint32_t end);
/* The same for a word, for the $ at the next byte before the variable of `len` bytes or before none, and for a
 * redirection operator behind `digits` bytes of its descriptor. */
void zs_check_word(struct strict_reader *r, const struct frame *word, uint32_t end);
void zs_check_dollar(struct strict_reader *r, uint32_t len);
void zs_check_redirect(struct strict_reader *r, const char *op, uint32_t digits);

/* heredoc.c */

/* Takes the delimiter after << or <<-. */
bool zs_take_delimiter(struct strict_reader *r, bool tabs, struct zs_raw_word *ret_word);
/* Finds the bodies of all waiting here-documents. The next byte is the first after the newline. */
void zs_take_bodies(struct strict_reader *r);
void zs_open_body(struct strict_reader *r, const struct body *body);
void zs_step_body(struct strict_reader *r);

#endif
