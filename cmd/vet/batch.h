/* zs vet --batch: a JSON object a line in, one a line out, in the same order. */
#ifndef ZS_CMD_BATCH_H
#define ZS_CMD_BATCH_H

#include <stdatomic.h>

#include "base/lines.h"
#include "zs_shellpolicy.h"

/* A longer line is answered with a refusal, and skipped up to its newline. */
#define ZS_BATCH_LINE_MAX (1024 * 1024)

enum zs_batch_stage {
	ZS_BATCH_READING,
	ZS_BATCH_VETTING,
	ZS_BATCH_ANSWERING,
};

/* How far a batch is. In memory that processes share, another can go on where one has died while it was vetting; in
 * another stage nobody knows what was read or written. */
struct zs_batch {
	struct zs_lines lines;
	unsigned long line; /* how many were taken */
	bool any_bad;
	bool flush_each; /* before the next line is vetted */
	_Atomic enum zs_batch_stage stage;
	char *text; /* the line that is being vetted; in the buffer of lines */
	size_t len;
};

/* Answers every line of fd on stdout, which is flushed whenever no complete line is left to answer, so that the
 * two ends of a pipe can talk. options: for lines that say nothing else. Returns an exit code. */
int zs_batch(struct zs_vetter *vetter, int fd, const struct zs_vet_options *options, bool with_ir);

/* The same from where it is; a line that was being vetted is answered with a refusal first. */
int zs_batch_go_on(struct zs_vetter *vetter, struct zs_batch *at, const struct zs_vet_options *options, bool with_ir);

#endif
