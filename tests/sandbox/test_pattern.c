/* The paths that a pattern of protect and hide matches, and similar paths that it does not. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/pattern.h"
#include "check.h"
#include "policy/policy.h"

TEST(pattern_matches)
{
	static const struct {
		const char *pattern, *path;
		bool matches;
	} rows[] = {
		{ "*.pem", "a.pem", true },
		{ "*.pem", "x/y/a.pem", true },
		{ "*.pem", "x/y/A.PEM", true },
		{ "*.pem", ".pem", true },
		{ "*.pem", "a.pem.txt", false },
		{ "*.pem", "a.pem/b", false },
		{ "*.pem", "a.pe", false },
		{ "id_*", "id_rsa", true },
		{ "id_*", "x/id_", true },
		{ "id_*", "xid_rsa", false },
		{ "*", "x/y", true },
		{ "*a*b*", "x/1a2b3", true },
		{ "*a*b*", "x/1b2a3", false },
		{ "*aab", "aaab", true },
		{ ".env*", ".env", true },
		{ ".env*", "a/.env.local", true },
		{ ".env*", "a.env", false },
		{ "/*.pem", "a.pem", true },
		{ "/*.pem", "x/a.pem", false },
		{ "x/*.pem", "x/a.pem", true },
		{ "x/*.pem", "x/y/a.pem", false },
		{ "x/*.pem", "y/x/a.pem", false },
		{ "x/*", "x", false },
		{ "**/.env*", ".env", true },
		{ "**/.env*", "a/b/.env.x", true },
		{ "**/.env*", "a/b/x.env", false },
		{ "a/**/b*", "a/b", true },
		{ "a/**/b*", "a/x/y/bc", true },
		{ "a/**/b*", "x/a/b", false },
		{ "a/**", "a", true },
		{ "a/**", "a/b/c", true },
		{ "a/**", "b/a", false },
		{ "**", "a/b", true },
		{ "**/**/a*", "x/a", true },
		{ "**/a/**/b*/c", "x/a/y/z/b1/c", true },
		{ "**/a/**/b*/c", "x/a/y/z/b1/d", false },
		{ "**/a/b*", "a/a/b", true },
		{ "a**b", "axb", true },
		{ "a**b", "a/b", false },
		{ "*\n*", "x/a\nb", true },
		{ "[a]*", "[a]x", true },
		{ "[a]*", "ax", false },
		{ "a?*", "a?b", true },
		{ "a?*", "axb", false },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		CHECK(zs_pattern_matches(rows[i].pattern, rows[i].path) == rows[i].matches, "%s and %s",
			rows[i].pattern, rows[i].path);
}

/* A pattern comes from a project's file, and a path from its repository. */
TEST(pattern_takes_no_exponential_time)
{
	char pattern[4096] = "", path[4096] = "";

	for (int i = 0; i < 500; i++) {
		strcat(pattern, "**/*a/");
		strcat(path, "aaa/");
	}
	strcat(pattern, "b*");
	strcat(path, "a");
	CHECK(!zs_pattern_matches(pattern, path), "%s", pattern);
	memset(pattern, 0, sizeof pattern);
	memset(path, 'a', 4000);
	path[4000] = '\0';
	for (int i = 0; i < 1000; i++)
		strcat(pattern, "*a");
	strcat(pattern, "b");
	CHECK(!zs_pattern_matches(pattern, path), "%s", pattern);
}

TEST(pattern_is_checked)
{
	static const struct {
		const char *pattern, *kept, *problem;
	} rows[] = {
		{ "*.pem", "*.pem", NULL },
		{ "./*.pem", "*.pem", NULL },
		{ "a//*.pem", "a/*.pem", NULL },
		{ "/w/a/*.pem", "/w/a/*.pem", NULL },
		{ "~/*.pem", "/home/me/*.pem", NULL },
		{ "../*.pem", NULL, ".." },
		{ "a/../*.pem", NULL, ".." },
		{ "\xff*", NULL, "UTF-8" },
	};
	struct zs_policy *policy;
	struct zs_error error;

	char home[] = "HOME=/home/me", *envp[] = { home, NULL };

	CHECK(zs_policy_new(envp, &policy) == 0, "policy");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int r = zs_policy_add_pattern(policy, rows[i].pattern, ZS_ACCESS_HIDE, &error);

		CHECK((r == 0) == !rows[i].problem, "%s: %s", rows[i].pattern, r ? error.what : "added");
		if (r < 0)
			CHECK(strstr(error.what, rows[i].problem) != NULL, "%s: %s", rows[i].pattern, error.what);
		else
			CHECK(strcmp(policy->patterns[policy->pattern_count - 1].text, rows[i].kept) == 0, "%s",
				policy->patterns[policy->pattern_count - 1].text);
	}
	CHECK(zs_policy_add_pattern(policy, "*", ZS_ACCESS_READ, &error) == -EINVAL, "a grant by pattern");
	while (policy->pattern_count < ZS_POLICY_PATTERNS_MAX) {
		char text[32];

		snprintf(text, sizeof text, "*.%zu", policy->pattern_count);
		CHECK(zs_policy_add_pattern(policy, text, ZS_ACCESS_HIDE, &error) == 0, "%s", text);
	}
	CHECK(zs_policy_add_pattern(policy, "x*", ZS_ACCESS_HIDE, &error) == -E2BIG, "one too many");
	zs_policy_free(policy);
}
