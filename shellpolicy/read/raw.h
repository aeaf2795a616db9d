/* Raw commands: the commands that a text would run, as words, before anything is known about them. The strict reader
 * makes them, and classify.c reads them. */
#ifndef ZS_RAW_H
#define ZS_RAW_H

#include "read/build.h"
#include "read/word.h"

struct zs_raw_assignment {
	const char *name;
	struct zs_raw_word value; /* for x=(…): dynamic, with the reason "array" */
	char op;                  /* the first byte after the name: = + or [ */
	struct zs_span span;
};

/* The source of a command's standard input, as far as the text says. */
enum zs_feed_kind {
	ZS_FEED_INHERITED, /* the shell's own input: the command has no pipe and no redirection of it */
	ZS_FEED_ELSEWHERE, /* a file, or a pipe whose writer is no simple command; it is not the input that the shell
			      reads */
	ZS_FEED_UNKNOWN,   /* a descriptor, or a device that stands for one */
	ZS_FEED_TEXT,      /* a here-document or here-string */
	ZS_FEED_PIPE,      /* a pipe from the simple command `producer` */
};

struct zs_feed {
	enum zs_feed_kind kind;
	uint32_t heredoc;        /* ZS_FEED_TEXT: the here-document's number; 0 for a here-string */
	uint32_t producer;       /* ZS_FEED_PIPE: index in the text's commands */
	struct zs_raw_word text; /* ZS_FEED_TEXT: the bytes; its text is NULL if they are known only at run time */
};

struct zs_raw_command {
	struct zs_word_list words;
	ZS_LIST(struct zs_raw_assignment) assignments; /* assignments before the command's name */
	struct zs_span span;
	enum zs_nesting nesting;
	uint32_t depth;
	bool fed;        /* the input is a pipe, a here-document or another redirection */
	bool redirected; /* the command has a redirection other than a here-document or here-string on standard input */
	struct zs_feed feed;
	bool own;   /* the command may be a program of the workspace, as app is in python -m app and uv run app */
	bool loose; /* the command may be skipped although its text or function runs, or it runs in a subshell */
	const char *function; /* the function in whose body the command stands; NULL if there is none */
	int32_t index;        /* index in the IR's commands, once it is classified */
};

/* The head of `for NAME in …` or of `select`. */
struct zs_raw_loop {
	const char *name, *function;
	struct zs_word_list items;
	uint32_t at;        /* index of the first command after the head */
	uint32_t body, end; /* indexes of the first command of the body and of the first one after the loop */
	bool loose, selects;
	bool parameters; /* the loop has no list, so its items are the positional parameters */
};

/* ${NAME:=WORD}, which assigns. */
struct zs_raw_default {
	const char *name; /* "!" for ${!x:=…}, where x holds the name */
	const char *function;
	struct zs_raw_word value;
	uint32_t at; /* index of the command that holds it; if none does, of the next command */
	bool loose;
};

struct zs_raw {
	ZS_LIST(struct zs_raw_command) commands;
	ZS_LIST(const char *) functions; /* names of the functions that the text defines */
	ZS_LIST(struct zs_raw_default) defaults;
	ZS_LIST(struct zs_raw_loop) loops;
	ZS_LIST(struct zs_raw_word)
	data; /* words of for and select, ${x:=…}, [[ ]], here-strings and bodies */
};

/* Does writing to this path change nothing? /dev/null and its like. */
bool zs_is_harmless_target(const char *path);
/* The N of /dev/fd/N, or -1. */
int zs_descriptor_target(const char *path);

#endif
