/* Every limit can be reached, and then blocks. Memory that runs out blocks, at any allocation. The use of memory does
 * not grow. */
#include "allocation.h"
#include "read/word.h"
#include "vetting.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define OVERHEAD (64 * 1024) /* bytes of the arena's block headers and of the vetter */

/* ------------------------------------------------------------------------------------------------------- texts */

/* `prefix`, `part` as often as fits into `size` bytes, `suffix`. Freed by the next call. */
static const char *repeat(const char *prefix, const char *part, size_t times, const char *suffix)
{
	static char *text;
	char *at;

	free(text);
	text = at = malloc(strlen(prefix) + times * strlen(part) + strlen(suffix) + 1);
	at = stpcpy(at, prefix);
	for (size_t i = 0; i < times; i++)
		at = stpcpy(at, part);
	strcpy(at, suffix);
	return text;
}

/* The same with a closing part: ((( ))). */
static const char *nest(const char *open, const char *middle, const char *close, size_t times)
{
	static char *text;
	char *at;

	free(text);
	text = at = malloc(times * (strlen(open) + strlen(close)) + strlen(middle) + 1);
	for (size_t i = 0; i < times; i++)
		at = stpcpy(at, open);
	at = stpcpy(at, middle);
	for (size_t i = 0; i < times; i++)
		at = stpcpy(at, close);
	return text;
}

static const struct zs_report *relaxed(struct zs_vetter *vetter, const char *text)
{
	return zs_vet(vetter, text, strlen(text), &(struct zs_vet_options){ .profile = ZS_PROFILE_RELAXED });
}

static struct zs_vetter *shared(void)
{
	static struct zs_vetter *vetter;

	if (!vetter)
		vetter = zs_vetter_new();
	return vetter;
}

/* Checks that the report blocks with `limit`, for the expected reason. */
static void check_limit(const char *what, const struct zs_report *report, const char *reason)
{
	CHECK(report->verdict == ZS_BLOCK && report->code == ZS_RISK_LIMIT, "%s: %s", what, zs_risk_name(report->code));
	CHECK(strstr(report->reason, reason), "%s: %s", what, report->reason);
	CHECK(*report->hint && (report->risks & (1u << ZS_RISK_LIMIT)), "%s: hint '%s', risks %x", what, report->hint,
		report->risks);
	CHECK(report->ir.version == ZS_IR_VERSION, "%s: the IR has version %u", what, report->ir.version);
}

static void check_allowed(const char *what, const struct zs_report *report)
{
	CHECK(report->verdict == ZS_ALLOW, "%s: %s", what, report->reason);
}

/* ------------------------------------------------------------------------------------------------- every limit */

TEST(limits_input)
{
	check_allowed("64 KiB", relaxed(shared(), repeat("ls #", "a", ZS_MAX_INPUT - 4, "")));
	check_limit("64 KiB and a byte", relaxed(shared(), repeat("ls #", "a", ZS_MAX_INPUT - 3, "")), "input bytes");
	check_limit("1 MiB", relaxed(shared(), repeat("ls #", "a", 1 << 20, "")), "input bytes");
}

TEST(limits_huge_lengths)
{
	/* no byte of the text is read, since no text has this size */
	check_limit("SIZE_MAX", zs_vet(shared(), "ls", SIZE_MAX, &(struct zs_vet_options){ 0 }), "input bytes");
	check_limit("4 GiB and 2", zs_vet(shared(), "ls", ((size_t)1 << 32) + 2, &(struct zs_vet_options){ 0 }),
		"input bytes");
}

TEST(limits_nodes)
{
	limits.nodes = 5;
	check_allowed("5 nodes", relaxed(shared(), "ls *"));
	check_limit("more than 5 nodes", relaxed(shared(), "ls * *"), "syntax nodes");
	check_allowed("plain text is not parsed", relaxed(shared(), "ls -l -a"));
	/* Nested texts share the budget. */
	limits.nodes = 5;
	check_allowed("two texts", relaxed(shared(), "eval 'ls *'"));
	check_limit("three texts", relaxed(shared(), "eval 'ls *'; eval 'ls *'"), "syntax nodes");
	limits = real_limits;
	check_allowed("many nodes", relaxed(shared(), repeat("", "w *;", 8000, "")));
	check_limit("too many nodes", relaxed(shared(), repeat("", "*;", ZS_MAX_INPUT / 2, "")), "");
}

TEST(limits_depth)
{
	check_allowed("20 subshells", relaxed(shared(), nest("( ", "ls", " )", 20)));
	check_limit("100 subshells", relaxed(shared(), nest("( ", "ls", " )", 100)), "nesting depth");
	check_limit("100 substitutions", relaxed(shared(), nest("echo $(", "ls", ")", 100)), "nesting depth");
	check_limit("100 braces", relaxed(shared(), nest("{ ", "ls", "; }", 100)), "nesting depth");
	check_limit("100 ifs", relaxed(shared(), nest("if a; then ", "ls", "; fi", 100)), "nesting depth");
	check_limit("100 parentheses", relaxed(shared(), repeat("echo $((", nest("(", "1", ")", 110), 1, "))")),
		"nesting depth");
}

TEST(limits_nested_shells)
{
	check_allowed("as many evals as are read", relaxed(shared(), repeat("", "eval ", ZS_MAX_NESTED_SHELLS, "ls")));
	check_limit(
		"one more", relaxed(shared(), repeat("", "eval ", ZS_MAX_NESTED_SHELLS + 1, "ls")), "nested shells");
	check_limit("many more", relaxed(shared(), repeat("", "eval ", 200, "ls")), "nested shells");
}

TEST(limits_wrappers)
{
	check_allowed("15 wrappers", relaxed(shared(), repeat("", "env ", 15, "ls")));
	check_limit("16 wrappers", relaxed(shared(), repeat("", "env ", 16, "ls")), "wrappers");
}

TEST(limits_words)
{
	check_allowed("20000 words", relaxed(shared(), "echo {1..20000}"));
	check_limit("20001 words", relaxed(shared(), "echo {1..20001}"), "words");
	check_limit("a billion words", relaxed(shared(), "echo {1..999999999}"), "words");
	check_limit("2^15 words", relaxed(shared(), repeat("echo ", "{a,b}", 15, "")), "words");
	check_limit("2^60 words", relaxed(shared(), repeat("echo ", "{a,b}", 60, "")), "");
	check_limit("nested sequences", relaxed(shared(), "echo {1..1000}{1..1000}"), "words");
	check_limit("in the name", relaxed(shared(), "{1..20001}"), "words");
	check_limit("in a list", relaxed(shared(), "for i in {1..20001}; do ls; done"), "words");
	check_allowed("quoted", relaxed(shared(), "echo '{1..20001}'"));
	check_allowed("in an assignment", relaxed(shared(), "x={1..20001}"));
}

TEST(limits_braces)
{
	check_allowed("256 braces", relaxed(shared(), repeat("echo ", "{", ZS_MAX_BRACES, "")));
	check_limit("257 braces", relaxed(shared(), repeat("echo ", "{", ZS_MAX_BRACES + 1, "")), "braces");
}

TEST(limits_delimiter)
{
	char text[512], delimiter[128];

	for (size_t len = 100; len <= 101; len++) {
		memset(delimiter, 'E', len);
		delimiter[len] = '\0';
		snprintf(text, sizeof text, "cat <<%s\nx\n%s\n", delimiter, delimiter);
		CHECK((relaxed(shared(), text)->verdict == ZS_ALLOW) == (len == 100), "a delimiter of %zu bytes", len);
	}
}

TEST(limits_parse_steps)
{
	limits.steps = 0;
	check_allowed("less than one report", relaxed(shared(), "ls *"));
	check_limit("no report", relaxed(shared(), repeat("", "ls *; ", 200, "")), "");
	limits = real_limits;
	check_allowed("200 commands", relaxed(shared(), repeat("", "ls *; ", 200, "")));
}

TEST(limits_parse_reads)
{
	limits.reads = 0;
	check_limit("no read", relaxed(shared(), "ls *"), "time or memory");
	limits.reads = 4;
	check_limit("4 reads", relaxed(shared(), repeat("", "ls *\n", 1000, "")), "time or memory");
	limits = real_limits;
	check_allowed("1000 commands", relaxed(shared(), repeat("", "ls *\n", 1000, "")));
}

TEST(limits_memory)
{
	struct zs_vetter *vetter;

	limits.memory = 300 * 1024;
	vetter = zs_vetter_new();
	check_allowed("a little", relaxed(vetter, "ls"));
	check_limit("too much", relaxed(vetter, repeat("", "ls -l; ", 2000, "")), "time or memory");
	check_allowed("a little again", relaxed(vetter, "ls"));
	zs_vetter_free(vetter);
	limits = real_limits;
}

/* Many commands with many words from braces reach the limit of memory and no other. */
TEST(limits_real_memory)
{
	size_t before = heap.peak = heap.now; /* includes the memory of other vetters */

	check_limit("a million words", relaxed(shared(), repeat("", "a {1..20000};", 50, "")), "time or memory");
	CHECK(heap.peak - before < real_limits.memory + OVERHEAD, "%zu bytes", heap.peak - before);
}

/* Every word that braces made is searched for braces again, and brackets for their closing bracket. */
TEST(limits_steps)
{
	char text[ZS_MAX_INPUT];

	snprintf(text, sizeof text, "%s", repeat("echo {1..60}", "{", 250, ""));
	check_limit("250 open braces in 60 words", relaxed(shared(), repeat(text, "a", 64000, "")), "time or memory");
	check_limit("and a list", relaxed(shared(), repeat(text, ",", 64000, "")), "time or memory");
	CHECK(steps(shared()) < 2 * (size_t)ZS_MAX_STEPS, "%zu steps", steps(shared()));
	check_limit("many such words", relaxed(shared(), repeat("echo ", "{1..9}{{{{{{{{{{{{{{{{{{{{{{{{{{", 2000, "")),
		"");
	check_allowed("50 open braces in 60 words", relaxed(shared(), repeat("echo {1..60}", "{", 50, "")));
	relaxed(shared(), repeat("echo ", "[", 65000, ""));
	CHECK(steps(shared()) < ZS_MAX_INPUT, "brackets take %zu steps", steps(shared()));
}

/* Texts with which the parser alone needed 50 s and 2.8 GB, 4 s, and 1.4 s, or overflowed the stack. Here each ends
 * within the counters of work and memory, which bound its time. */
TEST(limits_worst_cases)
{
	static const struct {
		const char *what, *prefix, *part, *suffix;
		size_t times;
	} rows[] = {
		{ "backquotes", "x=`a ", "`<a ", "", 2500 },
		{ "backquotes, 64 KB", "x=`a ", "`<a ", "", 16000 },
		{ "a here-document of variables", "cat <<EOF\n", "$x", "\nEOF\n", 32000 },
		{ "here-documents on a line", "cat ", "<<EOF ", "\n", 10900 },
		{ "open substitutions", "", "$(", "", 32000 },
		{ "open quotes in substitutions", "", "\"$(", "", 4200 },
		{ "open parentheses", "", "(", "", 13000 },
		{ "open braces", "", "{ ", "", 6400 },
		{ "open expansions", "echo ", "${x:-", "", 2600 },
		{ "open arithmetic", "echo ", "$((", "", 4200 },
		{ "open backquotes", "", "`", "", 13000 },
		{ "open brace expansions", "echo ", "{a,", "", 4200 },
		{ "braces", "echo ", "{a,b", "", 3200 },
		{ "closing braces", "echo ", "}", "", 13000 },
		{ "one word", "", "a", "", 13000 },
		{ "one string", "'", "a", "'", 13000 },
		{ "quotes", "", "''", "", 6400 },
		{ "strings", "echo ", "\"a\"", "", 4200 },
		{ "backslashes", "", "\\", "", 13000 },
		{ "continuations", "a ", "\\\n", "", 6400 },
		{ "brackets", "", "[ ", "", 6400 },
		{ "double brackets", "", "[[ ", "", 4200 },
		{ "redirections", "a ", ">b ", "", 4200 },
		{ "pipes", "a", "|a", "", 6400 },
		{ "conjunctions", "a", "&&a", "", 4200 },
		{ "newlines", "", "\n", "", 13000 },
		{ "comments", "", "#\n", "", 6400 },
		{ "cases", "", "case a in a) ", "", 1000 },
		{ "ifs", "", "if ", "", 4200 },
		{ "functions", "", "f()", "", 4200 },
		{ "assignments", "", "a=", "", 6400 },
		{ "assignments in a row", "", "a=b ", "", 3200 },
		{ "variables", "echo ", "$a", "", 6400 },
		{ "nested evals", "", "eval ", "a", 2600 },
		{ "evals in a row", "", "eval a;", "", 1800 },
		{ "shells in a row", "", "sh -c 'sh -c a';", "", 800 },
		{ "wrappers", "", "env ", "a", 3200 },
		{ "finds", "find ", "-exec a ; ", "", 1200 },
		{ "words", "a ", "b ", "", 6400 },
		{ "flags", "git ", "-c a=b ", "push", 1800 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *text = repeat(rows[i].prefix, rows[i].part, rows[i].times, rows[i].suffix);
		const struct zs_report *report;
		size_t before;

		CHECK(strlen(text) <= ZS_MAX_INPUT, "%s: %zu bytes", rows[i].what, strlen(text));
		before = heap.peak = heap.now;
		heap.calls = 0;
		report = relaxed(shared(), text);
		CHECK(report->verdict == ZS_ALLOW || report->code == ZS_RISK_LIMIT ||
				report->code == ZS_RISK_SYNTAX_ERROR || report->code == ZS_RISK_UNSUPPORTED ||
				report->code == ZS_RISK_EVAL,
			"%s: %s", rows[i].what, zs_risk_name(report->code));
		CHECK(heap.peak - before < real_limits.memory + OVERHEAD, "%s: %zu bytes", rows[i].what,
			heap.peak - before);
		CHECK(parse_work(shared()) < 2 * (size_t)ZS_MAX_PARSE_COPIED, "%s: tree-sitter asked for %zu bytes",
			rows[i].what, parse_work(shared()));
	}
}

/* The worst texts must not be read to their end. */
TEST(limits_worst_cases_block)
{
	static const struct {
		const char *prefix, *part, *suffix;
		size_t times;
	} rows[] = {
		{ "x=`a ", "`<a ", "", 2500 },
		{ "", "$(", "", 32000 },
		{ "", "(", "", 65000 },
		{ "", "env ", "a", 16000 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct zs_report *report =
			relaxed(shared(), repeat(rows[i].prefix, rows[i].part, rows[i].times, rows[i].suffix));

		CHECK(report->code == ZS_RISK_LIMIT || report->code == ZS_RISK_SYNTAX_ERROR ||
				report->code == ZS_RISK_UNSUPPORTED,
			"%s…: %s", rows[i].part, zs_risk_name(report->code));
	}
}

/* ------------------------------------------------------------------------------------------------------ memory */

TEST(limits_no_vetter)
{
	struct zs_vetter *vetter;
	struct zs_ir ir = { .version = ZS_IR_VERSION };

	heap.calls = 0;
	heap.fail_at = 1;
	vetter = zs_vetter_new();
	heap.fail_at = 0;
	CHECK(!vetter, "no memory, no vetter");
	for (int profile = 0; profile < ZS_PROFILE_COUNT; profile++) {
		struct zs_vet_options options = { .profile = (enum zs_profile)profile };

		check_limit("vet", zs_vet(NULL, "ls", 2, &options), "time or memory");
		check_limit("decide", zs_decide(NULL, &ir, &options), "time or memory");
	}
	zs_vetter_free(NULL);
}

/* Each allocation of a vetting fails once. Each time the command is blocked, and the vetter works afterwards. */
TEST(limits_failing_allocations)
{
	static const struct {
		const char *prefix, *part, *suffix;
		size_t times;
	} rows[] = {
		{ "ls", "", "", 0 },
		{ "", "ls -l a b; ", "", 100 },
		{ "", "(ls $a | b > c); ", "", 50 },
		{ "echo ", "{a,b}", "", 10 },
		{ "", "bash -c 'sh -c ls'; ", "", 20 },
		{ "cat <<X\n", "$x ", "\nX\n", 500 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *text = repeat(rows[i].prefix, rows[i].part, rows[i].times, rows[i].suffix);
		size_t before, failed = 0;
		bool allowed;

		check_allowed(rows[i].part, relaxed(shared(), text));
		before = heap.now;
		do {
			struct zs_vetter *vetter;
			const struct zs_report *report;

			heap.calls = 0;
			heap.fail_at = 0;
			vetter = zs_vetter_new();
			heap.calls = 0;
			heap.fail_at = failed + 1;
			report = relaxed(vetter, text);
			allowed = report->verdict == ZS_ALLOW;
			CHECK(allowed ? heap.calls < heap.fail_at : report->code == ZS_RISK_LIMIT,
				"%s…: allocation %zu failed: %s", rows[i].part, heap.fail_at,
				zs_risk_name(report->code));
			if (!allowed) {
				failed++;
				check_limit(rows[i].part, report, "time or memory");
			}
			heap.fail_at = 0;
			check_allowed("afterwards", relaxed(vetter, "ls"));
			zs_vetter_free(vetter);
		} while (!allowed && failed < 200);
		CHECK(allowed && failed > 0, "%s…: %zu allocations failed", rows[i].part, failed);
		CHECK(heap.now == before, "%s…: %zu bytes are lost", rows[i].part, heap.now - before);
	}
}

/* The same by the arena's own limit, with budgets of every size. */
TEST(limits_shrinking_memory)
{
	const char *text =
		"bash -c 'ls $a {b,c} | sudo env X=1 cat <<< \"$(d)\" > f; git -c a.b=c log --x=y 2>&1'; x=(1 2) y";
	size_t allowed = 0;

	for (size_t budget = 0; budget < 400000; budget += 1000) {
		struct zs_vetter *vetter;
		const struct zs_report *report;

		limits.memory = budget;
		vetter = zs_vetter_new();
		report = relaxed(vetter, text);
		allowed += report->code != ZS_RISK_LIMIT;
		CHECK(report->code == ZS_RISK_LIMIT || !allowed || report->code != ZS_RISK_NONE ||
				report->verdict == ZS_ALLOW,
			"%zu bytes: %s", budget, zs_risk_name(report->code));
		CHECK(report->verdict == ZS_BLOCK || report->ir.command_count > 5, "%zu bytes: %u commands", budget,
			report->ir.command_count);
		zs_vetter_free(vetter);
	}
	limits = real_limits;
	CHECK(allowed > 0 && allowed < 400, "%zu budgets were enough", allowed);
}

TEST(limits_reuse_does_not_grow)
{
	static const char *const texts[] = { "ls -l", "rm $x > f && bash -c 'a b'", "echo '", "[ a | b ]",
		"echo {1..9}", "echo {1..99999}", "cat <<X\n$x\nX", "eval eval eval eval eval eval eval eval eval ls",
		"" };
	struct zs_vetter *vetter = zs_vetter_new();
	size_t settled = 0, highest = 0;

	for (unsigned i = 0; i < 10000; i++) {
		relaxed(vetter, texts[i % (sizeof texts / sizeof *texts)]);
		if (i < 100)
			settled = heap.now > settled ? heap.now : settled;
		else
			highest = heap.now > highest ? heap.now : highest;
	}
	CHECK(highest <= settled, "%zu bytes grew to %zu", settled, highest);
	zs_vetter_free(vetter);
}

/* The next vetting gives back the memory that a large text took. */
TEST(limits_reuse_shrinks)
{
	struct zs_vetter *vetter = zs_vetter_new();
	size_t before;

	relaxed(vetter, "ls");
	before = heap.now;
	relaxed(vetter, repeat("", "ls -l a b; ", 5000, ""));
	CHECK(heap.now > before, "%zu bytes were enough for a large text", heap.now);
	relaxed(vetter, "ls");
	CHECK(heap.now <= before, "%zu bytes, then %zu", before, heap.now);
	zs_vetter_free(vetter);
}
