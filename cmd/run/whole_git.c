/* git goes on when it cannot write a protected file, and would leave index and files apart. So such a command is a dry
 * run, which is applied if nothing is held back. */
#include "run/whole_git.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

enum { WORDS_MAX = 32 }; /* a longer text is a script */

static const char *const commands[] = { "checkout", "switch", "merge", "rebase", "reset", "stash", "pull", "restore",
	"cherry-pick", "revert", "am", "apply", "read-tree", "clean" };

static bool is_program(const char *word, const char *name)
{
	const char *slash = strrchr(word, '/');

	return strcmp(slash ? slash + 1 : word, name) == 0;
}

/* Splits a text that bash would only split at blanks. False: it is more than that. */
static bool split(char *text, char *words[WORDS_MAX + 1])
{
	size_t count = 0;

	if (strpbrk(text, ";&|<>()$`\n\r\t\"'\\*?[]{}#!"))
		return false;
	for (char *word = strtok_r(text, " ", &text); word; word = strtok_r(NULL, " ", &text)) {
		if (count == WORDS_MAX || *word == '~')
			return false;
		words[count++] = word;
	}
	words[count] = NULL;
	return count > 0;
}

static bool is_whole(char *const words[])
{
	size_t at = 1;

	if (!is_program(words[0], "git"))
		return false;
	while (words[at] && strcmp(words[at], "-c") == 0 && words[at + 1])
		at += 2;
	for (size_t i = 0; words[at] && i < ZS_COUNT(commands); i++)
		if (strcmp(words[at], commands[i]) == 0)
			return true;
	return false;
}

bool zs_is_whole_git(char *const argv[])
{
	ZS_AUTO_FREE char *text = NULL;
	char *words[WORDS_MAX + 1];
	size_t at = 1;

	if (!argv[0])
		return false;
	if (is_whole(argv))
		return true;
	if (!is_program(argv[0], "bash") && !is_program(argv[0], "sh"))
		return false;
	while (argv[at] &&
		(strcmp(argv[at], "--norc") == 0 || strcmp(argv[at], "-c") == 0 || strcmp(argv[at], "--") == 0))
		at++;
	if (!argv[at] || argv[at + 1])
		return false;
	text = strdup(argv[at]);
	return text && split(text, words) && is_whole(words);
}
