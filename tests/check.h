/* A test is a function that registers itself; CHECK counts and goes on, so that one run shows every failure.
 *
 *	TEST(unquote_single) { CHECK(strcmp(f("'a'"), "a") == 0, "got %s", f("'a'")); }
 */
#ifndef ZS_TESTS_CHECK_H
#define ZS_TESTS_CHECK_H

/* The headers that nearly every test needs. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct check_test {
	const char *name;
	void (*run)(void);
	bool slow;
	struct check_test *next;
};

void check_register(struct check_test *test);
void check_report(bool ok, const char *file, int line, const char *expr, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* The place or user that the checks that follow are about, which is said when one fails; "": none. */
void check_context(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The machine cannot run this test: says why, loudly; .ci/run fails on skips that its machine could have run. */
void check_skip(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Its reservations are address space, its allocator ends the process where malloc would return NULL, its runtime makes
 * system calls of its own, and the program that it is in is dynamic. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UNDER_ASAN true
#endif
#endif
#ifndef UNDER_ASAN
#define UNDER_ASAN false
#endif

/* Takes seconds or minutes: left out, and named, when ZS_TEST_QUICK is set and the test is not asked for by name. */
#define SLOW_TEST(id) REGISTER_TEST(id, true)
#define TEST(id) REGISTER_TEST(id, false)

#define REGISTER_TEST(id, is_slow)                                                                                     \
	static void test_##id(void);                                                                                   \
	__attribute__((constructor)) static void register_##id(void)                                                   \
	{                                                                                                              \
		static struct check_test test = { #id, test_##id, is_slow, 0 };                                        \
		check_register(&test);                                                                                 \
	}                                                                                                              \
	static void test_##id(void)

#define CHECK(expr, ...) check_report((expr), __FILE__, __LINE__, #expr, __VA_ARGS__)

#endif
