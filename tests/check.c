#include "check.h"

#include <stdarg.h>
#include <time.h>

enum { SLOW_SECONDS = 5 };

static struct check_test *first, **last = &first;
static const char *current;
static unsigned passed, failed, skipped;
static char context[64];
static bool current_failed, current_skipped;

void check_register(struct check_test *test)
{
	*last = test;
	last = &test->next;
}

void check_report(bool ok, const char *file, int line, const char *expr, const char *format, ...)
{
	va_list args;

	if (ok)
		return;
	current_failed = true;
	printf("%s:%d: %s: %s: ", file, line, current, expr);
	if (*context)
		printf("%s: ", context);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

void check_context(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(context, sizeof context, format, args);
	va_end(args);
}

void check_skip(const char *format, ...)
{
	va_list args;

	current_skipped = true;
	printf("SKIP %s: ", current);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

/* Does the name contain this, or one of these, as in "landlock|policy"? */
static bool contains(const char *name, const char *pattern)
{
	for (;; pattern++) {
		size_t len = strcspn(pattern, "|");

		if (memmem(name, strlen(name), pattern, len))
			return true;
		pattern += len;
		if (!*pattern)
			return false;
	}
}

/* A slow test runs when it is asked for by name, and where nobody is in a hurry. */
static bool is_left_out(const struct check_test *test, int argc)
{
	if (!test->slow || argc > 1 || !getenv("ZS_TEST_QUICK"))
		return false;
	printf("left out: %s\n", test->name);
	return true;
}

/* With arguments: only the tests whose name contains one of them, or is one of them behind its "=". */
static bool wanted(const char *name, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (argv[i][0] == '=' ? strcmp(name, argv[i] + 1) == 0 : contains(name, argv[i]))
			return true;
	return argc < 2;
}

static time_t seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* --list first: names the tests that would run. tests/run.py spreads them over several processes. */
int main(int argc, char **argv)
{
	bool listed = argc > 1 && strcmp(argv[1], "--list") == 0;

	argc -= listed;
	argv += listed;
	for (struct check_test *test = first; test; test = test->next) {
		time_t began = seconds_now();

		if (!wanted(test->name, argc, argv) || is_left_out(test, argc))
			continue;
		if (listed) {
			puts(test->name);
			continue;
		}
		current = test->name;
		*context = '\0';
		current_failed = current_skipped = false;
		test->run();
		if (current_failed)
			failed++;
		else if (current_skipped)
			skipped++;
		else
			passed++;
		if (seconds_now() - began > SLOW_SECONDS)
			printf("slow: %s: %d s\n", current, (int)(seconds_now() - began));
		fflush(stdout);
	}
	if (listed)
		return 0;
	printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
	return failed || passed + skipped == 0;
}
