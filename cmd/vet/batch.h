/* zs vet --batch: a JSON object a line in, one a line out, in the same order. */
#ifndef ZS_CMD_BATCH_H
#define ZS_CMD_BATCH_H

#include <stdbool.h>

#include "zs_shellpolicy.h"

/* A longer line is answered with a refusal, and skipped up to its newline. */
#define ZS_BATCH_LINE_MAX (1024 * 1024)

/* Answers every line of fd on stdout, which is flushed whenever no complete line is left to answer, so that the
 * two ends of a pipe can talk. options: for lines that say nothing else. Returns an exit code. */
int zs_batch(struct zs_vetter *vetter, int fd, const struct zs_vet_options *options, bool with_ir);

#endif
