/* Classification: the rows turn raw commands into commands, writes, payloads and findings. */
#ifndef ZS_CLASSIFY_H
#define ZS_CLASSIFY_H

#include "read/build.h"
#include "read/raw.h"
#include "judge/options.h"
#include "rows/rows.h"
#include "read/variables.h"

/* A command while it is classified. The inner command of a wrapper takes its place in turn. */
struct zs_classify {
	struct zs_build *build;
	const struct zs_raw *raw; /* the text that holds the command */
	const struct zs_pending_text *text;
	struct zs_where where; /* the place of the outermost command */
	struct zs_raw_command *command;
	const struct zs_row *row; /* NULL: no row describes the command */
	const char *family;       /* the command whose subcommands are looked up next: "git", "git stash" */
	bool again;               /* the subcommand has subcommands of its own */
	struct zs_args args;
	int32_t index;                               /* index in build->commands */
	uint32_t shells;                             /* number of shells around the text */
	bool done;                                   /* a grammar has judged the whole command */
	bool beside;                                 /* it also makes files beside those that it writes */
	struct zs_raw_command *inner;                /* the command that a wrapper runs; NULL if there is none */
	ZS_LIST(struct zs_raw_command *) more_inner; /* further ones, for find -exec … -exec … */
};

void zs_classify_text(struct zs_build *build, const struct zs_raw *raw, const struct zs_pending_text *text);

/* Classifies a command and the commands that it wraps. The command stands in the text, or an expansion made it. */
void zs_classify_command(struct zs_build *build, const struct zs_pending_text *text, struct zs_where where,
	struct zs_raw_command *command);

/* Parts of grammars (grammar_*.c, listed in rows.h). */

/* Adds a finding about a word of the command; its hint is the row's. */
struct zs_finding *zs_blame(
	struct zs_classify *classify, enum zs_risk code, const struct zs_raw_word *word, const char *detail);
/* Adds a write of the file that `word` names. Writing to /dev/null, "-" and the like is none. */
void zs_write(struct zs_classify *classify, const struct zs_raw_word *word, enum zs_effect effect);
/* Notes that the command runs code of the workspace that the text does not show: a script, a build file, a plug-in. */
void zs_runs_code(struct zs_classify *classify);
/* Reads a word as bash code later. If the word is dynamic, this is an eval that cannot be inspected. */
void zs_nested_shell(struct zs_classify *classify, const struct zs_raw_word *code);
/* The same if the word is the whole code: then the texts that it may expand to are read too. */
void zs_whole_shell(struct zs_classify *classify, const struct zs_raw_word *code);
/* The same for code to which a tool adds words of its own, as git diff does to GIT_EXTERNAL_DIFF. */
void zs_called_shell(struct zs_classify *classify, const struct zs_raw_word *code);
/* Makes a command of words [from, to). NULL if there are none. */
struct zs_raw_command *zs_inner_command(struct zs_classify *classify, uint32_t from, uint32_t to);
/* Adds two operands that are not known: a command such as uniq may read one and write a second. */
void zs_add_operands(struct zs_classify *classify, struct zs_raw_command *inner);
/* Makes each word dynamic that holds the placeholder, which xargs -I or find replaces by text. False: no word holds it.
 */
bool zs_replace_words(struct zs_raw_command *inner, const char *placeholder, const char *why);
/* The word as messages show it: its text, or as it was written. */
const char *zs_word_shown(struct zs_arena *arena, const struct zs_raw_word *word);
/* A word that is known only at run time, such as the operand that xargs appends or the file that find puts for {}. */
struct zs_raw_word zs_unknown_word(struct zs_span span, const char *why);

/* environment.c: judges NAME=VALUE, given to a command or to the shell, and notes the setting. */
void zs_check_assignment(struct zs_classify *classify, const char *name, const struct zs_raw_word *value);
/* The same without noting the setting. */
void zs_check_value(struct zs_classify *classify, const char *name, const struct zs_raw_word *value);

/* grammar_git.c: judges KEY=VALUE of git's configuration. */
void zs_check_git_config(struct zs_classify *classify, const struct zs_raw_word *setting);

/* settings.c: judges KEY=VALUE,… given to a tool's flag. A key, or the flag, may name a file that is written. */
void zs_check_setting(struct zs_classify *classify, const char *flag, const struct zs_raw_word *setting);
/* Adds the write of the file that `len` bytes of a word from `from` on name; stdout and stderr are none. */
void zs_write_part(struct zs_classify *classify, const struct zs_raw_word *word, const char *from, size_t len);

/* grammar_build.c: judges a word that names a task or script. Some tasks change files. */
void zs_check_task(struct zs_classify *classify, const struct zs_raw_word *word);

/* grammar_build.c: does the value hold shell or make syntax, which make would run? */
bool zs_is_make_code(const char *value);

#endif
