/* The changes that a run in an overlay would have made, for people, programs and git. */
#ifndef ZS_CMD_CHANGES_H
#define ZS_CMD_CHANGES_H

#include <stdio.h>

#include "zs_overlay.h"

/* A larger file is shown as git shows a binary one. */
enum { ZS_PATCH_BYTES_MAX = 4 << 20 };

/* The limit for all files together. More is an error. */
enum { ZS_PATCH_MIB_MAX = 256 };

/* Prints one change on each line. A change that is held back, by these options, has the reason. */
void zs_changes_table(
	FILE *out, const struct zs_change *changes, size_t count, const struct zs_overlay_options *options);
/* The same, with a JSON object on each line. */
void zs_changes_json(
	FILE *out, const struct zs_change *changes, size_t count, const struct zs_overlay_options *options);

/* Prints a patch as git diff does: files and symbolic links, executable or not, and nothing in a .git. The content is
 * not escaped, so it is not for a terminal. */
int zs_changes_patch(FILE *out, struct zs_overlay *overlay, struct zs_error *error);

#endif
