/* A fuzz target, and how inputs for it are made. mutate.c and guided.c drive any of them. */
#ifndef ZS_FUZZ_TARGET_H
#define ZS_FUZZ_TARGET_H

#include <stdbool.h>

#include "mutator.h"

/* libFuzzer's interface. 0, or -1: the target did not understand the input. It aborts when it finds a fault. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A target whose inputs are not texts of bash has samples, which it understands, and pieces to put into them. The first
 * byte of an input says which reader gets the rest. */
struct target {
	const struct seed *samples, *pieces;
	size_t sample_count, piece_count;
};

/* The program's target has it. */
extern const struct target zs_target;

/* Adds the samples to the seeds. Returns -1, and prints the sample, if the target does not understand one: it would
 * find nothing in its mutants. */
int zs_target_begin(struct mutator *mutator);
/* Changes an input. Returns its new length. */
size_t zs_target_change(struct mutator *mutator, char *input, size_t len);
/* Puts a new input into `input`, which has ZS_INPUT_MAX bytes. Returns its length. */
size_t zs_target_next(struct mutator *mutator, char *input);
/* A copy in memory of exactly this size, for ASan. free() it. */
void *zs_target_copy(const void *bytes, size_t len);
/* Aborts, and shows the input, unless `good`. */
void zs_target_check(bool good, const char *what);

/* The input of the call of LLVMFuzzerTestOneInput(), which sets it, for zs_target_check(). */
extern struct zs_target_input {
	const uint8_t *bytes;
	size_t len;
} zs_target_input;

#endif
