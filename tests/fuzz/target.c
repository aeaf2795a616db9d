#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct zs_target_input zs_target_input;

void *zs_target_copy(const void *bytes, size_t len)
{
	void *copy = malloc(len ? len : 1);

	if (!copy)
		abort();
	memcpy(copy, bytes, len);
	return copy;
}

void zs_target_check(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "fuzz: %s\ninput (%zu bytes):\n", what, zs_target_input.len);
	fwrite(zs_target_input.bytes, 1, zs_target_input.len, stderr);
	fputc('\n', stderr);
	for (size_t i = 0; i < zs_target_input.len; i++) /* for printf(1) */
		fprintf(stderr, "\\x%02x", zs_target_input.bytes[i]);
	fputc('\n', stderr);
	abort();
}

int zs_target_begin(struct mutator *mutator)
{
	for (size_t i = 0; i < zs_target.sample_count; i++) {
		const struct seed *sample = &zs_target.samples[i];

		if (LLVMFuzzerTestOneInput((const uint8_t *)sample->bytes, sample->len)) {
			fprintf(stderr, "fuzz: sample %zu is not understood: %.*s\n", i, (int)sample->len,
				sample->bytes);
			return -1;
		}
		zs_mutator_add(mutator, sample->bytes, sample->len);
	}
	return 0;
}

size_t zs_target_change(struct mutator *mutator, char *input, size_t len)
{
	char rest[ZS_INPUT_MAX]; /* behind the first byte */

	if (!zs_target.piece_count)
		return zs_mutate(mutator, input, len);
	if (!len)
		return 0;
	len--;
	memcpy(rest, input + 1, len);
	for (uint32_t changes = 1 + zs_random(mutator, 4); changes > 0; changes--)
		len = zs_change(mutator, zs_target.pieces, zs_target.piece_count, rest, len);
	len = len < ZS_INPUT_MAX ? len : ZS_INPUT_MAX - 1;
	memcpy(input + 1, rest, len);
	return 1 + len;
}

size_t zs_target_next(struct mutator *mutator, char *input)
{
	const struct seed *seed;

	if (!zs_target.piece_count)
		return zs_mutator_next(mutator, input);
	seed = &mutator->seeds[zs_random(mutator, (uint32_t)mutator->count)];
	memcpy(input, seed->bytes, seed->len);
	return zs_target_change(mutator, input, seed->len);
}
