/* Reads the command lines that git's configuration names, as far as they run files. Pure. */
#ifndef ZS_SANDBOX_GIT_COMMAND_H
#define ZS_SANDBOX_GIT_COMMAND_H

#include <stdbool.h>

/* A word that may name a file. Its text is valid during the call. */
struct zs_git_word {
	const char *text; /* without quotes; the x of "--option=x" and "NAME=x" */
	bool first;       /* it is the name of a program */
	bool git;         /* it is an argument of git, most of which are revisions */
	bool tail;        /* it follows an expansion: "/x" of "$HOME/x" or "$(git rev-parse --show-toplevel)/x" */
	bool start;       /* it is the folder to which cd goes: relative words after it start there, too */
};

/* A negative result ends the reading, and is returned. */
typedef int zs_git_word_each(const struct zs_git_word *word, void *arg);

/* Reads a line roughly as a shell would: it finds too many words rather than too few. git: the line is what follows
 * "git", as an alias without "!". -ENOMEM. */
int zs_git_words(const char *line, bool git, zs_git_word_each *each, void *arg);

#endif
