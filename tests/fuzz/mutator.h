/* Makes inputs: commands of JSON-lines files, or made from a grammar of bash, and then mutated. The same seed and files
 * give the same inputs.
 *
 *	struct mutator *mutator = zs_mutator_new(1);
 *	zs_mutator_load(mutator, (char *[]){ "testdata/cases/nasty.jsonl", NULL });
 *	char input[ZS_INPUT_MAX];
 *	size_t len = zs_mutator_next(mutator, input);
 */
#ifndef ZS_FUZZ_MUTATOR_H
#define ZS_FUZZ_MUTATOR_H

#include <stddef.h>
#include <stdint.h>

#define ZS_INPUT_MAX 4096

struct seed {
	char *bytes;
	size_t len;
};

/* Bytes that are known. */
#define ROW(text) { (char *)text, sizeof(text) - 1 }

struct mutator {
	uint64_t state;
	struct seed *seeds;
	size_t count, capacity;
};

struct mutator *zs_mutator_new(uint64_t seed);
/* Starts the sequence over. */
void zs_mutator_seed(struct mutator *mutator, uint64_t seed);
void zs_mutator_free(struct mutator *mutator);
/* Adds the "cmd" of each line of these files, of which the last is NULL. -1: one cannot be read, which it says. */
int zs_mutator_load(struct mutator *mutator, char *const *paths);
/* Copies the bytes; what is longer than an input is left out. */
void zs_mutator_add(struct mutator *mutator, const char *bytes, size_t len);

uint32_t zs_random(struct mutator *mutator, uint32_t below);
/* An input into `input`, which has ZS_INPUT_MAX bytes; its length, which may be 0. */
size_t zs_mutator_next(struct mutator *mutator, char *input);
/* A few changes. */
size_t zs_mutate(struct mutator *mutator, char *input, size_t len);
/* One change, by these pieces, of bytes that have no grammar. */
size_t zs_change(struct mutator *mutator, const struct seed *pieces, size_t piece_count, char *input, size_t len);
/* Inserts bytes, unless there is no room for them. */
size_t zs_insert(char *input, size_t len, size_t at, const char *bytes, size_t count);
/* A text of the grammar. */
size_t zs_generate(struct mutator *mutator, char *input);
/* A piece of it, for putting into others. */
size_t zs_generate_piece(struct mutator *mutator, char *input, size_t size);

/* For the differential run: makes the marker stand in it, when it does not, and gives each `pwn` its own name,
 * pwn0 … pwn9, so that one that is shown does not stand in for one that is hidden. */
size_t zs_mark(struct mutator *mutator, char *input, size_t len);

#endif
