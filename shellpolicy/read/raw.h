/* The commands that a text would run, word by word, before anything is known about them: the strict reader makes it,
 * the classification reads it. */
#ifndef ZS_RAW_H
#define ZS_RAW_H

#include "read/build.h"
#include "read/word.h"

struct zs_raw_assignment {
	const char *name;
	struct zs_raw_word value; /* dynamic "array" for x=(…) */
	char op;                  /* what stands behind the name: = + [ */
	struct zs_span span;
};

/* Where the standard input of a command comes from, as far as the text says. */
enum zs_feed_kind {
	ZS_FEED_INHERITED, /* no pipe and no redirection of its own */
	ZS_FEED_ELSEWHERE, /* a file, or a pipe: not what the shell reads itself */
	ZS_FEED_UNKNOWN,   /* a descriptor */
	ZS_FEED_TEXT,      /* a here-document or here-string */
	ZS_FEED_PIPE,      /* the output of the simple command `producer` */
};

struct zs_feed {
	enum zs_feed_kind kind;
	uint32_t heredoc;        /* ZS_FEED_TEXT: the number of the here-document; 0: a here-string */
	uint32_t producer;       /* ZS_FEED_PIPE: index in the text's commands */
	struct zs_raw_word text; /* ZS_FEED_TEXT: the bytes; text NULL when they are known only at run time */
};

struct zs_raw_command {
	struct zs_word_list words;
	ZS_LIST(struct zs_raw_assignment) assignments; /* that stand before the name */
	struct zs_span span;
	enum zs_nesting nesting;
	uint32_t depth;
	bool fed;        /* its input is a pipe, a here-document or a redirection of its own */
	bool redirected; /* it has a redirection other than one that feeds it text */
	struct zs_feed feed;
	bool own;             /* it may be a program of the workspace: python -m app, uv run app */
	bool loose;           /* it may not run when its text or function does, or it runs in a subshell */
	const char *function; /* in whose body it stands; NULL: none */
	const struct zs_raw_word *herestring; /* NULL: none */
};

/* for NAME in … and select */
struct zs_raw_loop {
	const char *name, *function;
	struct zs_word_list items;
	uint32_t at;        /* index of the first command behind its head */
	uint32_t body, end; /* indexes of the first command in its body, and of the first one behind it */
	bool loose, selects;
	bool parameters; /* it has no list: the parameters are its items */
};

/* ${NAME:=WORD} */
struct zs_raw_default {
	const char *name; /* "!" for ${!x:=…} */
	const char *function;
	struct zs_raw_word value;
	uint32_t at; /* index of its command, or of the next one */
	bool loose;
};

struct zs_raw {
	ZS_LIST(struct zs_raw_command) commands;
	ZS_LIST(const char *) functions; /* names that the text defines */
	ZS_LIST(struct zs_raw_default) defaults;
	ZS_LIST(struct zs_raw_loop) loops;
	ZS_LIST(const char *) evaluated;  /* names that arithmetic, [[ -v, subscripts and ${!x} read as code */
	ZS_LIST(struct zs_raw_word) data; /* words of for and select, of ${x:=…}, of [[ ]], here-strings, bodies */
};

/* /dev/null and its like: writing there changes nothing. */
bool zs_is_harmless_target(const char *path);
/* N of /dev/fd/N, or -1. */
int zs_descriptor_target(const char *path);

#endif
