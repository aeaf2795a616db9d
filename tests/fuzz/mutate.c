/* Drives a fuzz target without libFuzzer, which Zig does not ship.
 *
 *	mutate COUNT SEED [FILE...]
 *
 * Same count, seed and files: same inputs. */
#include <stdio.h>
#include <stdlib.h>

#include "target.h"

int main(int argc, char **argv)
{
	unsigned long count = argc > 2 ? strtoul(argv[1], NULL, 10) : 0;
	struct mutator *mutator = zs_mutator_new(argc > 2 ? strtoull(argv[2], NULL, 10) : 0);
	static char input[ZS_INPUT_MAX];

	if (!mutator || !count) {
		fprintf(stderr, "usage: mutate COUNT SEED [FILE...]\n");
		return 64;
	}
	if (zs_mutator_load(mutator, argv + 3) < 0 || zs_target_begin(mutator) < 0)
		return 65;
	for (unsigned long i = 0; i < count; i++)
		LLVMFuzzerTestOneInput((const uint8_t *)input, zs_target_next(mutator, input));
	printf("fuzz: %lu inputs from %zu seeds\n1 passed, 0 failed\n", count, mutator->count);
	zs_mutator_free(mutator);
	return 0;
}
