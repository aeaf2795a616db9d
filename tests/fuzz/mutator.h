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

/* A seed of constant bytes. */
#define ROW(text) { (char *)text, sizeof(text) - 1 }

struct mutator {
	uint64_t state;
	struct seed *seeds;
	size_t count, capacity;
};

struct mutator *zs_mutator_new(uint64_t seed);
/* Starts a new sequence. */
void zs_mutator_seed(struct mutator *mutator, uint64_t seed);
void zs_mutator_free(struct mutator *mutator);
/* Adds the "cmd" of each line of these files; NULL ends the list. Returns -1 and prints a message if a file cannot be
 * read. */
int zs_mutator_load(struct mutator *mutator, char *const *paths);
/* Copies the bytes. A seed that is longer than an input may be is left out. */
void zs_mutator_add(struct mutator *mutator, const char *bytes, size_t len);

uint32_t zs_random(struct mutator *mutator, uint32_t below);
/* Puts the next input into `input`, which has ZS_INPUT_MAX bytes. Returns its length, which may be 0. */
size_t zs_mutator_next(struct mutator *mutator, char *input);
/* Makes a few changes. Returns the new length. */
size_t zs_mutate(struct mutator *mutator, char *input, size_t len);
/* Makes one change, with these pieces, to bytes without a grammar. */
size_t zs_change(struct mutator *mutator, const struct seed *pieces, size_t piece_count, char *input, size_t len);
/* Inserts bytes, unless there is no room for them. */
size_t zs_insert(char *input, size_t len, size_t at, const char *bytes, size_t count);
/* Makes a text of the grammar. */
size_t zs_generate(struct mutator *mutator, char *input);
/* Makes a piece of such a text, for use in others. */
size_t zs_generate_piece(struct mutator *mutator, char *input, size_t size);

/* For the differential run: puts the marker into a text without one, and gives each `pwn` its own name, pwn0 … pwn9. So
 * a marker that the report shows cannot hide another. */
size_t zs_mark(struct mutator *mutator, char *input, size_t len);

#endif
