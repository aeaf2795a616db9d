/* Raw commands to commands, writes, payloads and findings, by the rows. */
#ifndef ZS_CLASSIFY_H
#define ZS_CLASSIFY_H

#include "read/build.h"
#include "read/raw.h"
#include "judge/options.h"
#include "rows/rows.h"
#include "read/variables.h"

/* A command while it is classified; a wrapper's inner command takes its place in turn. */
struct zs_classify {
	struct zs_build *build;
	const struct zs_raw *raw; /* the text it stands in */
	const struct zs_pending_text *text;
	struct zs_where where; /* of the command that it began with */
	struct zs_raw_command *command;
	const struct zs_row *row; /* NULL: unknown */
	const char *family;       /* the command whose subcommands are looked up: "git", "git stash" */
	bool again;               /* the subcommand has subcommands */
	struct zs_args args;
	int32_t index;                               /* in build->commands */
	bool posix;                                  /* the text is for sh */
	bool other;                                  /* the text is for zsh or ksh */
	enum zs_shell_input input;                   /* of the text */
	uint32_t shells;                             /* how many shells deep the text is */
	bool done;                                   /* a grammar has said all there is to say */
	struct zs_raw_command *inner;                /* what the wrapper runs; NULL: nothing */
	ZS_LIST(struct zs_raw_command *) more_inner; /* find -exec … -exec … */
};

void zs_classify_text(struct zs_build *build, const struct zs_raw *raw, const struct zs_pending_text *text);

/* A command of a text, or one that its names have become, and all that it wraps. */
void zs_classify_command(struct zs_build *build, const struct zs_pending_text *text, struct zs_where where,
	struct zs_raw_command *command);

/* Parts of grammars (grammar_*.c, listed in rows.h). */

/* A finding about a word of the command. */
void zs_blame(struct zs_classify *classify, enum zs_risk code, const struct zs_raw_word *word, const char *detail);
/* A write of the file that `word` names; harmless ones (/dev/null, "-") are not writes. */
void zs_write(struct zs_classify *classify, const struct zs_raw_word *word, enum zs_effect effect);
/* Bash code in a word: read later, or an eval that cannot be inspected. */
void zs_nested_shell(struct zs_classify *classify, const struct zs_raw_word *code);
/* The same where the word is the whole text, so that what it expands to is read too. */
void zs_whole_shell(struct zs_classify *classify, const struct zs_raw_word *code);
/* The same of a command to which a tool adds words of its own, as git diff does to GIT_EXTERNAL_DIFF. */
void zs_called_shell(struct zs_classify *classify, const struct zs_raw_word *code);
/* The same of a text that the shell reads from its standard input. */
void zs_fed_shell(struct zs_classify *classify, const struct zs_raw_word *code);
/* Words [from, to) joined by blanks as bash code. */
void zs_nested_words(struct zs_classify *classify, uint32_t from, uint32_t to);
/* The command that words [from, to) are; NULL when there are none. */
struct zs_raw_command *zs_inner_command(struct zs_classify *classify, uint32_t from, uint32_t to);
/* How a word is shown in messages: its text, or as it was written. */
const char *zs_word_shown(struct zs_arena *arena, const struct zs_raw_word *word);
/* A word that is known only at run time: the operand that xargs appends, what find puts for {}. */
struct zs_raw_word zs_unknown_word(struct zs_span span, const char *why);

/* environment.c: NAME=VALUE given to a command, or to the shell. `index` is a command's, or -1. */
void zs_check_assignment(struct zs_classify *classify, const char *name, const struct zs_raw_word *value);
/* The same where a value is known in another way, or only checked. */
void zs_check_value(struct zs_classify *classify, const char *name, const struct zs_raw_word *value);

/* git.c: KEY=VALUE of git's configuration. */
void zs_check_git_config(struct zs_classify *classify, const struct zs_raw_word *setting);

/* settings.c: KEY=VALUE,… of a tool, given to a flag; a key, or the flag, may name a file that is written. */
void zs_check_setting(struct zs_classify *classify, const char *flag, const struct zs_raw_word *setting);

/* grammar_build.c: a word that is the name of a task or script: some change files. */
void zs_check_task(struct zs_classify *classify, const struct zs_raw_word *word);

/* grammar_build.c: does the value of a variable hold shell or make syntax, which make would run? */
bool zs_is_make_code(const char *value);

#endif
