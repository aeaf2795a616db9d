/* The commands that a benchmark runs over: one text, NUL between them. */
#ifndef ZS_TESTS_BENCH_CORPUS_H
#define ZS_TESTS_BENCH_CORPUS_H

#include <stddef.h>

struct corpus {
	char *text;
	size_t len, count;
};

/* Reads standard input to its end; exits when it is empty. */
struct corpus corpus_read(void);
/* Calls `each` for every command, `rounds` times; returns nanoseconds a command, of the fastest round. */
double corpus_time(const struct corpus *corpus, int rounds, void (*each)(void *context, const char *text, size_t len),
	void *context);

#endif
