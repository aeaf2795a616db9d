/* The command lines that git's configuration names, as far as files are run by them. Pure. */
#ifndef ZS_SANDBOX_GIT_COMMAND_H
#define ZS_SANDBOX_GIT_COMMAND_H

#include <stdbool.h>

/* A word that may name a file. Its text ends with the call. */
struct zs_git_word {
	const char *text; /* without quotes; of "--option=x" and "NAME=x" the x */
	bool first;       /* it is the name of a program */
	bool git;         /* it is an argument of git's, and most of those are revisions */
	bool tail;        /* it stood behind an expansion: "/x" of "$HOME/x" or "$(git rev-parse --show-toplevel)/x" */
	bool start;       /* it is the folder that cd goes to: relative words behind it start there, too */
};

/* Negative: ends the reading with it. */
typedef int zs_git_word_each(const struct zs_git_word *word, void *arg);

/* Reads a line as a shell would, roughly: it finds too many words rather than too few. git: the line stands behind
 * "git", as an alias without "!" does. -ENOMEM. */
int zs_git_words(const char *line, bool git, zs_git_word_each *each, void *arg);

#endif
