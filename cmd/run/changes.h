/* The changes that a run in an overlay would have made, for people, programs and git. */
#ifndef ZS_CMD_CHANGES_H
#define ZS_CMD_CHANGES_H

#include <stdio.h>

#include "zs_overlay.h"

/* A file above it is shown as git shows a binary one. */
enum { ZS_PATCH_BYTES_MAX = 4 << 20 };

/* The limit for all files together; more is an error. */
enum { ZS_PATCH_MIB_MAX = 256 };

/* One change a line; what options do not apply says why. */
void zs_changes_table(
	FILE *out, const struct zs_change *changes, size_t count, const struct zs_overlay_options *options);
/* The same, each line a JSON object. */
void zs_changes_json(
	FILE *out, const struct zs_change *changes, size_t count, const struct zs_overlay_options *options);

/* As git diff prints it: files and symbolic links, executable or not, and nothing of a .git. The content comes as it
 * is: it is not for a terminal. */
int zs_changes_patch(FILE *out, struct zs_overlay *overlay, struct zs_error *error);

#endif
