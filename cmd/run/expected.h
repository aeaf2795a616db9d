/* Compares what the rows say of a command with what a run has seen: the changes of a dry run, or refused writes. */
#ifndef ZS_CMD_EXPECTED_H
#define ZS_CMD_EXPECTED_H

#include <stdbool.h>
#include <stdio.h>

#include "zs_denials.h"
#include "zs_overlay.h"

/* The effects on files that the rows of a command's programs say. */
struct zs_expected;

/* Reads the command: the text of ZS_BASH_WORDS, or the words of a program. workspace: NULL is this folder. folder:
 * where the command starts; NULL is the workspace. zs_expected_free() it. -ENOMEM, or the errno of a folder that is not
 * there. */
int zs_expect(char *const argv[], const char *workspace, const char *folder, struct zs_expected **ret_expected);
void zs_expected_free(struct zs_expected *expected);

/* Prints a record for each command that may have made changes of which its row does not speak; json: an object on a
 * line. Changes in build folders by tools that keep caches are a class of their own: only JSON records them, and they
 * do not count. Returns the number of changes that differ. */
size_t zs_expected_compare(const struct zs_expected *expected, struct zs_overlay *overlay,
	const struct zs_change *changes, size_t count, FILE *out, bool json);

/* The same with the writes that a run was refused, for one that is no dry run. */
size_t zs_expected_refused(const struct zs_expected *expected, const struct zs_denials *denials, FILE *out, bool json);

#endif
