#include "corpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct corpus corpus_read(void)
{
	struct corpus corpus = { 0 };
	size_t capacity = 1 << 16, got;

	corpus.text = malloc(capacity);
	while (corpus.text && (got = fread(corpus.text + corpus.len, 1, capacity - corpus.len, stdin)) > 0) {
		corpus.len += got;
		if (corpus.len == capacity)
			corpus.text = realloc(corpus.text, capacity *= 2);
	}
	for (size_t i = 0; i < corpus.len; i++)
		corpus.count += corpus.text[i] == '\0';
	if (!corpus.count) {
		fprintf(stderr, "bench: no commands on standard input\n");
		exit(1);
	}
	return corpus;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

double corpus_time(const struct corpus *corpus, int rounds, void (*each)(void *context, const char *text, size_t len),
	void *context)
{
	double best = 0;

	for (int i = 0; i < rounds; i++) {
		double start = now(), took;

		for (const char *text = corpus->text; text < corpus->text + corpus->len;) {
			size_t len = strlen(text);

			each(context, text, len);
			text += len + 1;
		}
		took = (now() - start) / (double)corpus->count;
		if (i == 0 || took < best)
			best = took;
	}
	return best;
}
