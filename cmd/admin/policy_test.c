/* zs policy test: do the rules about commands what their examples say? */
#include "admin/policy_test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/exit.h"
#include "base/input.h"
#include "base/message.h"
#include "base/own_rules.h"
#include "base/vet_place.h"

enum { EXAMPLE_FILE_MAX = 1024 * 1024 };

struct test {
	struct zs_vetter *vetter;
	struct zs_vet_options options; /* without rules */
	const struct zs_command_rule *rules;
	struct zs_own_rule *own; /* the same, as the library takes them */
	bool *reached;
	size_t count, examples, differences;
};

#define LIST_NAME(id, name) name,
static const char *const lists[] = { ZS_COMMAND_LISTS(LIST_NAME) };

#define SOURCE_NAME(id, name) name,
static const char *const sources[] = { ZS_SOURCES(SOURCE_NAME) };

/* "deny 'git push' (user:4)" */
static void put_rule(const struct zs_command_rule *rule)
{
	const char *words = rule->match ? rule->match : rule->command;

	printf("%s ", lists[rule->list]);
	zs_put_quoted(stdout, words, strlen(words));
	printf(" (%s:%u)", rule->pack ? rule->file : sources[rule->source], rule->line);
}

static void put_example(const char *text)
{
	fputs(": ", stdout);
	zs_put_text(stdout, text, strlen(text));
	putchar('\n');
}

/* Begins the line of an example. */
static void begin(struct test *test, bool holds)
{
	test->examples++;
	test->differences += !holds;
	fputs(holds ? "ok    " : "FAIL  ", stdout);
}

/* Vets the example by `count` rules. NULL: it cannot be read. */
static const struct zs_report *vet_by(
	struct test *test, const char *text, const struct zs_own_rule *rules, size_t count)
{
	struct zs_vet_options options = test->options;

	options.rules = rules;
	options.rule_count = (uint32_t)count;
	return zs_vet(test->vetter, text, strlen(text), &options);
}

/* Why the example cannot be judged: a rule about it would never count. NULL: it can. */
static const char *unreadable(const struct zs_report *report)
{
	return report->code == ZS_RISK_NONE || report->code == ZS_RISK_DENIED || report->code == ZS_RISK_ASKED
		       ? NULL
		       : report->reason;
}

/* The rule that counts for the text as a whole: of a command that is denied, or else asked for, or else allowed. */
static const struct zs_own_rule *first_of(const struct zs_report *report)
{
	const struct zs_own_rule *found = NULL;

	for (uint32_t i = 0; report->rulings && i < report->ir.command_count; i++)
		if (report->rulings[i] && (!found || report->rulings[i]->ruling < found->ruling))
			found = report->rulings[i];
	return found;
}

static bool counts_for(const struct zs_report *report, const struct zs_own_rule *rule)
{
	for (uint32_t i = 0; report->rulings && i < report->ir.command_count; i++)
		if (report->rulings[i] == rule)
			return true;
	return false;
}

static void mark_reached(struct test *test, const struct zs_report *report)
{
	for (uint32_t i = 0; report->rulings && i < report->ir.command_count; i++)
		if (report->rulings[i])
			test->reached[report->rulings[i] - test->own] = true;
}

/* The rule must count for the example, among the rules of its own file, which stand at [from, to). */
static void test_hit(struct test *test, size_t i, size_t from, size_t to, const char *text)
{
	const struct zs_report *report = vet_by(test, text, test->own + from, to - from);
	const char *why = unreadable(report);
	const struct zs_own_rule *other = first_of(report);
	bool holds = !why && counts_for(report, &test->own[i]);

	mark_reached(test, report);
	begin(test, holds);
	put_rule(&test->rules[i]);
	if (holds)
		printf(" %s", test->own[i].ruling == ZS_RULING_ALLOW ? "passes" : "blocks");
	else if (why)
		printf(" cannot be tried, since the text is blocked (%s)", zs_risk_name(report->code));
	else if (!other)
		printf(" does not match");
	else {
		printf(" does not count, since another rule does, ");
		put_rule(&test->rules[other - test->own]);
	}
	put_example(text);
}

/* The rule must not match the example, whatever other rules do. */
static void test_miss(struct test *test, size_t i, const char *text)
{
	const struct zs_report *report = vet_by(test, text, &test->own[i], 1);
	const char *why = unreadable(report);
	bool holds = !why && !counts_for(report, &test->own[i]);

	begin(test, holds);
	put_rule(&test->rules[i]);
	if (why)
		printf(" cannot be tried, since the text is blocked (%s)", zs_risk_name(report->code));
	else if (holds)
		printf(" leaves alone");
	else
		printf(" matches");
	put_example(text);
}

static void test_rule(struct test *test, size_t i, size_t from, size_t to)
{
	const struct zs_command_rule *rule = &test->rules[i];
	bool allows = rule->list == ZS_COMMANDS_ALLOW;
	char *const *hits = allows ? rule->passes : rule->blocks, *const *misses = allows ? rule->blocks : rule->passes;

	for (size_t j = 0; rule->counts && hits && hits[j]; j++)
		test_hit(test, i, from, to, hits[j]);
	for (size_t j = 0; rule->counts && misses && misses[j]; j++)
		test_miss(test, i, misses[j]);
}

/* A line of an example file: "deny git push -f", "ask …", "allow …", or "pass …": no rule matches. */
static bool test_line(struct test *test, const char *file, unsigned number, const char *line)
{
	size_t len = strcspn(line, " \t");
	const char *text = line + len + strspn(line + len, " \t"), *found = "pass";
	const struct zs_own_rule *rule;
	const struct zs_report *report;
	bool holds;
	size_t i = 0;

	while (i < ZS_COMMAND_LIST_COUNT && !(strlen(lists[i]) == len && strncmp(line, lists[i], len) == 0))
		i++;
	if ((i == ZS_COMMAND_LIST_COUNT && !(len == 4 && strncmp(line, "pass", 4) == 0)) || !*text)
		return zs_fail(false,
			"policy: %s: line %u: begins with none of deny, ask, allow and pass; write one, "
			"and the command behind it",
			file, number);
	report = vet_by(test, text, test->own, test->count);
	mark_reached(test, report);
	rule = first_of(report);
	if (rule)
		found = lists[test->rules[rule - test->own].list];
	holds = !unreadable(report) && strlen(found) == len && strncmp(found, line, len) == 0;
	begin(test, holds);
	printf("%.*s", (int)len, line);
	if (unreadable(report))
		printf(" cannot be tried, since the text is blocked (%s)", zs_risk_name(report->code));
	else if (!holds) {
		printf(" is not so, but %s", found);
		if (rule) {
			fputs(", by ", stdout);
			put_rule(&test->rules[rule - test->own]);
		}
	}
	put_example(text);
	return true;
}

static int test_file(struct test *test, const char *file)
{
	ZS_AUTO_FREE char *text = NULL;
	unsigned number = 0;
	size_t len;
	int r = zs_read_input(file, EXAMPLE_FILE_MAX, &text, &len);

	if (r < 0)
		return zs_fail_errno(ZS_EXIT_BAD_INPUT, "policy", file, r);
	if (strlen(text) != len)
		return zs_fail(ZS_EXIT_BAD_INPUT, "policy: %s: holds a NUL; write one example a line", file);
	for (char *line = text, *next; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		number++;
		if (*line && *line != '#' && !test_line(test, file, number, line))
			return ZS_EXIT_BAD_INPUT;
	}
	return ZS_EXIT_OK;
}

static void test_reached(struct test *test)
{
	for (size_t i = 0; i < test->count; i++) {
		if (test->reached[i])
			continue;
		if (!test->rules[i].counts) {
			fputs("-     ", stdout);
			put_rule(&test->rules[i]);
			puts(": left out, since only the user's own file can allow");
			continue;
		}
		test->differences++;
		fputs("FAIL  ", stdout);
		put_rule(&test->rules[i]);
		printf(": no example reaches it; write one in \"%s\"\n",
			test->rules[i].list == ZS_COMMANDS_ALLOW ? "passes" : "blocks");
	}
}

static int test_all(struct test *test, char *const files[])
{
	int r = ZS_EXIT_OK;

	for (size_t from = 0, to; from < test->count; from = to) {
		for (to = from; to < test->count && test->rules[to].file == test->rules[from].file;)
			to++;
		for (size_t i = from; i < to; i++)
			test_rule(test, i, from, to);
	}
	for (; r == ZS_EXIT_OK && *files; files++)
		r = test_file(test, *files);
	if (r != ZS_EXIT_OK)
		return r;
	test_reached(test);
	printf("%zu %s, %zu %s: %zu %s\n", test->count, test->count == 1 ? "rule" : "rules", test->examples,
		test->examples == 1 ? "example" : "examples", test->differences,
		test->differences == 1 ? "difference" : "differences");
	return test->differences ? ZS_EXIT_NO : ZS_EXIT_OK;
}

int zs_policy_test(char *const files[])
{
	struct test test = { .vetter = zs_vetter_new(), .options.profile = ZS_PROFILE_RELAXED };
	struct zs_own_rules rules;
	struct zs_error error;
	int r;

	zs_vet_place(NULL, &test.options);
	r = zs_own_rules_load(test.options.workspace, false, &rules, &test.options, &error);
	if (r == 0)
		r = zs_settings_commands(rules.settings, &test.rules, &test.count, &error);
	if (r < 0) {
		r = zs_fail_error(ZS_EXIT_BAD_INPUT, &error);
	} else {
		test.own = calloc(test.count + 1, sizeof *test.own);
		test.reached = calloc(test.count + 1, sizeof *test.reached);
		for (size_t i = 0; test.own && i < test.count; i++)
			if (test.rules[i].counts) /* else an empty rule, which matches nothing */
				test.own[i] = zs_own_rule_of(&test.rules[i]);
		r = test.own && test.reached && test.vetter
			    ? test_all(&test, files)
			    : zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "policy", "", ENOMEM);
	}
	free(test.own);
	free(test.reached);
	zs_vetter_free(test.vetter);
	zs_own_rules_free(&rules);
	return r;
}
