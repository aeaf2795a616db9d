/* How the commands of standard input were decided, in per cent: read as plain text, agreed upon by both readers,
 * carried by the strict reader alone, refused. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/build.h"
#include "corpus.h"
#include "read/parse.h"
#include "read/strict_reader.h"
#include "zs_shellpolicy.h"

enum { PLAIN, AGREED, CARRIED, REFUSED, OUTCOMES };

struct counts {
	struct zs_arena arena;
	struct zs_grammar grammar;
	size_t outcomes[OUTCOMES];
};

static int outcome(struct counts *counts, const char *text, size_t len)
{
	struct zs_build build = {
		.arena = &counts->arena,
		.budget = { ZS_MAX_NODES, ZS_MAX_PARSE_STEPS, ZS_MAX_PARSE_READS },
	};
	struct zs_pending_text pending = { .text = text, .len = (uint32_t)len };
	struct zs_reading reading;
	uint32_t at = 0;

	if (zs_refused_bytes(text, (uint32_t)len, &at) || !zs_strict_read(&build, &pending, &reading))
		return REFUSED;
	if (reading.plain)
		return PLAIN;
	if (!zs_agree(&build, &counts->grammar, &pending, &reading))
		return REFUSED;
	return reading.agreement == ZS_CARRIED ? CARRIED : AGREED;
}

static void count(void *context, const char *text, size_t len)
{
	struct counts *counts = context;
	jmp_buf exhausted;

	zs_arena_reset(&counts->arena);
	counts->arena.exhausted = &exhausted;
	if (setjmp(exhausted) == 0)
		counts->outcomes[outcome(counts, text, len)]++;
	else
		counts->outcomes[REFUSED]++;
}

int main(void)
{
	struct corpus corpus = corpus_read();
	struct counts *counts = calloc(1, sizeof *counts);

	if (!counts)
		return 1;
	zs_arena_init(&counts->arena, ZS_MAX_MEMORY);
	zs_grammar_init(&counts->grammar);
	corpus_time(&corpus, 1, count, counts);
	for (int i = 0; i < OUTCOMES; i++)
		printf("%.1f\n", 100.0 * (double)counts->outcomes[i] / (double)corpus.count);
	return 0;
}
