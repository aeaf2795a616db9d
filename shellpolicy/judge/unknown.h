/* Commands and subcommands that no row describes. */
#ifndef ZS_UNKNOWN_H
#define ZS_UNKNOWN_H

#include "judge/classify.h"

/* Adds findings about flags that announce a write, as --fix does, and that the row does not list: rows fail closed. A
 * command that takes code or a command is left out, since some of its words are not its own. */
void zs_judge_unlisted(struct zs_classify *classify);
/* Adds findings about words that announce a write. words[0] is the command's name, or with `sub` the subcommand's name.
 */
void zs_judge_announced(struct zs_classify *classify, bool sub);

/* Is it a row of a developer's tool, which may keep a cache? */
bool zs_is_tool(const struct zs_row *row);

/* May the program belong to the workspace? `path` is the name as it is written. A name that PATH finds does not belong
 * to it, and neither does a file of an installed package: node_modules/.bin/x, .venv/bin/x, vendor/bin/x, /usr/bin/x.
 */
bool zs_is_workspace_program(const char *path);

/* The package of a file below node_modules: "prettier" for node_modules/prettier/bin/prettier.cjs. NULL for other
 * files, and for those in node_modules/.bin. */
const char *zs_package_of(struct zs_arena *arena, const char *path);

/* A guess: an unknown command may be a wrapper and run the words after it, so these words are judged as a command. Only
 * the guess's findings about writes are kept. */
struct zs_guess {
	uint32_t commands, operators, redirects, writes, payloads, findings, errors, texts, pending;
	struct zs_assembly assembly;
	const char *wrapper; /* the name of the unknown command */
	bool outer;          /* the guess stands in another guess */
};

void zs_guess_begin(struct zs_build *build, const char *wrapper, struct zs_guess *ret_guess);
void zs_guess_end(struct zs_build *build, const struct zs_guess *guess);

#define ZS_MAX_GUESSES 16 /* words of one unknown command that are judged as commands */

/* The index of the next word after `at` that may be a command's name, because it has a row; 0 if there is none. */
uint32_t zs_next_guess(const struct zs_classify *classify, uint32_t at);
/* Reads words that may be code for a shell, as guesses. */
void zs_guess_texts(struct zs_classify *classify, const char *wrapper);

#endif
