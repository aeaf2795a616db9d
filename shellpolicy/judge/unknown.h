/* Commands and subcommands that no row describes. */
#ifndef ZS_UNKNOWN_H
#define ZS_UNKNOWN_H

#include "judge/classify.h"

/* Blames the words of the command that announce a write. words[0] is the command's name, or with `sub` the
 * subcommand's. */
/* A flag that announces a write (--fix) and that the row does not list: rows fail closed. Rows of tools only; what gets
 * code or a command has words of others among its own. */
void zs_judge_unlisted(struct zs_classify *classify);
void zs_judge_announced(struct zs_classify *classify, bool sub);

/* May the program be the workspace's own? `path` is a name as it is written. A name that is looked up in PATH is not,
 * and a file of an installed package is not: node_modules/.bin/x, .venv/bin/x, vendor/bin/x, /usr/bin/x. */
bool zs_is_workspace_program(const char *path);

/* The package that a file below node_modules belongs to: "prettier" of node_modules/prettier/bin/prettier.cjs; NULL
 * for other files, and for those in node_modules/.bin. */
const char *zs_package_of(struct zs_arena *arena, const char *path);

/* An unknown command may run the words behind it, as wrappers do. To find out, those words are judged as a command:
 * a guess. Only findings about writes stay of a guess. */
struct zs_guess {
	uint32_t commands, operators, redirects, writes, payloads, findings, errors, texts, pending;
	struct zs_assembly assembly;
	const char *wrapper; /* the unknown command */
	bool outer;          /* within another guess */
};

void zs_guess_begin(struct zs_build *build, const char *wrapper, struct zs_guess *ret_guess);
void zs_guess_end(struct zs_build *build, const struct zs_guess *guess);

#define ZS_MAX_GUESSES 16 /* words of one unknown command that are looked at as commands */

/* The next word behind `at` that may be the name of a command: it has a row. 0: none. */
uint32_t zs_next_guess(const struct zs_classify *classify, uint32_t at);
/* Texts among the words that may be code for a shell: reads them as guesses. */
void zs_guess_texts(struct zs_classify *classify, const char *wrapper);

#endif
