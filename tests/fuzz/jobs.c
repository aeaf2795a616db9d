/* One mutant, or one seed, in each of the three modes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "differential.h"

/* One of so many texts that seem to hide nothing runs too: for what it writes, and the arguments. */
#define SAMPLE 2
/* One of so many findings that are probably known is looked at. */
#define LIKELY 16

struct jail *zs_open_jail(const struct job *job, bool early)
{
	struct jail_options options = { .server = job->server,
		.marker = job->marker,
		.wall_ms = (unsigned)job->wall,
		.early = early,
		.syntax_only = job->syntax };
	char error[512] = "";
	struct jail *jail = NULL;

	if (zs_jail_start(&options, &jail, error, sizeof error) == 0) {
		if (job->syntax || !zs_jail_check(jail, error, sizeof error))
			return jail;
		fprintf(stderr, "fuzz: the jail does not do what it should: %s\n", error);
		exit(ZS_EXIT_NO_JAIL);
	}
	fprintf(stderr, "fuzz: THE JAIL CANNOT BE MADE HERE, nothing was run: %s\n", error);
	if (job->jail_is_optional)
		fprintf(stderr, "fuzz: going on without it, as told\n");
	exit(job->jail_is_optional ? 0 : ZS_EXIT_NO_JAIL);
}

void zs_execute(struct job *job, struct jail **jail, const char *text, size_t len)
{
	for (int tries = 0; zs_jail_run(*jail, text, len, &job->result); tries++) {
		zs_jail_stop(*jail);
		*jail = zs_open_jail(job, *jail == job->fresh);
		if (tries == 3) {
			fprintf(stderr, "fuzz: the jail breaks down at: %.*s\n", (int)len, text);
			exit(ZS_EXIT_NO_JAIL);
		}
	}
}

const struct zs_report *zs_vet_as(const struct job *job, const char *text, size_t len)
{
	memcpy(job->shared->vetted[job->number].text, text, len);
	job->shared->vetted[job->number].len = len;
	return zs_vet(job->vetter, text, len, &(struct zs_vet_options){ .profile = job->profile });
}

enum oracle_kind zs_try(struct job *job, const char *text, size_t len, char *ret_what, size_t what_size)
{
	const struct zs_report *report = zs_vet_as(job, text, len);

	if (!len || report->verdict != ZS_ALLOW)
		return ZS_ORACLE_AGREES;
	ZS_COUNT(job, minimising);
	zs_execute(job, &job->fresh, text, len);
	return zs_oracle_judge(report, &job->result, ret_what, what_size);
}

static void report_finding(struct job *job, const char *text, size_t len, enum oracle_kind kind, const char *what)
{
	char minimal[ZS_INPUT_MAX], fresh[1024];
	size_t minimal_len = len;

	memcpy(minimal, text, len);
	/* Not always: it may be another one after all. */
	if (!job->raw && !job->minimise && zs_is_like_known(job, text, len) && zs_random(job->mutator, LIKELY)) {
		ZS_COUNT(job, alike);
		return;
	}
	if (!job->raw) {
		enum oracle_kind again = zs_try(job, text, len, fresh, sizeof fresh);

		if (again == ZS_ORACLE_AGREES) {
			ZS_COUNT(job, vanished);
			return;
		}
		kind = again;
		what = fresh;
		minimal_len = zs_shrink(job, minimal, len, kind);
		zs_try(job, minimal, minimal_len, fresh, sizeof fresh);
		if (zs_is_known(job, minimal, minimal_len))
			return;
	}
	ZS_COUNT(job, findings);
	zs_emit_finding(job, minimal, minimal_len, text, len, kind, what);
}

static bool has_nul(const char *text, size_t len)
{
	return memchr(text, 0, len);
}

void zs_differ_once(struct job *job)
{
	char text[ZS_INPUT_MAX], what[1024];
	size_t len = zs_mutator_next(job->mutator, text);
	const struct zs_report *report;
	enum oracle_kind kind;
	bool hiding, sampled;

	len = zs_mark(job->mutator, text, len);
	sampled = !zs_random(job->mutator, SAMPLE);
	if (!len || has_nul(text, len))
		return;
	ZS_COUNT(job, mutants);
	report = zs_vet_as(job, text, len);
	if (report->verdict != ZS_ALLOW)
		return;
	ZS_COUNT(job, allowed);
	if (zs_oracle_is_open(report))
		return;
	hiding = zs_oracle_is_worthwhile(report, text, len);
	if (!hiding && !sampled)
		return;
	if (hiding)
		ZS_COUNT(job, hiding);
	ZS_COUNT(job, executions);
	zs_execute(job, &job->jail, text, len);
	if (job->result.answer.timed_out)
		ZS_COUNT(job, timeouts);
	if (job->result.log_len)
		ZS_COUNT(job, ran);
	kind = zs_oracle_judge(report, &job->result, what, sizeof what);
	if (kind != ZS_ORACLE_AGREES)
		report_finding(job, text, len, kind, what);
}

static bool is_unread(const struct zs_report *report)
{
	return report->verdict != ZS_ALLOW &&
	       (report->code == ZS_RISK_SYNTAX_ERROR || report->code == ZS_RISK_UNSUPPORTED ||
		       report->code == ZS_RISK_LIMIT);
}

/* Does zs read what bash does? */
static void compare_syntax(struct job *job, const char *text, size_t len, bool mutated)
{
	const struct zs_report *report;

	if (!len || has_nul(text, len))
		return;
	zs_execute(job, &job->jail, text, len);
	ZS_COUNT(job, executions);
	if (job->result.answer.timed_out)
		return;
	report = zs_vet_as(job, text, len);
	if (!job->result.answer.exited || job->result.answer.status) {
		ZS_COUNT(job, bash_rejects);
		if (is_unread(report))
			ZS_COUNT(job, both_reject);
		return;
	}
	ZS_COUNT(job, bash_accepts);
	if (!is_unread(report)) {
		ZS_COUNT(job, both_accept);
		return;
	}
	if (report->code == ZS_RISK_SYNTAX_ERROR)
		ZS_COUNT(job, false_syntax_error);
	else if (report->code == ZS_RISK_UNSUPPORTED)
		ZS_COUNT(job, false_unsupported);
	else
		ZS_COUNT(job, false_limit);
	if (job->print)
		zs_emit_false_block(job, text, len, report, mutated);
}

/* Every seed once, and behind them seeds that were changed a little. */
void zs_syntax_once(struct job *job, unsigned long turn)
{
	char text[ZS_INPUT_MAX];
	struct mutator *mutator = job->mutator;
	const struct seed *seed;

	if (turn < mutator->count) {
		seed = &mutator->seeds[turn];
		compare_syntax(job, seed->bytes, seed->len, false);
		return;
	}
	if (zs_random(mutator, 2)) {
		compare_syntax(job, text, zs_generate(mutator, text), true);
		return;
	}
	seed = &mutator->seeds[zs_random(mutator, (uint32_t)mutator->count)];
	memcpy(text, seed->bytes, seed->len);
	compare_syntax(job, text, zs_mutate(mutator, text, seed->len), true);
}

/* The seeds are findings: each made as short as it gets. */
void zs_minimise_once(struct job *job, unsigned long turn)
{
	const struct seed *seed = &job->mutator->seeds[turn];
	char what[1024];
	enum oracle_kind kind = zs_try(job, seed->bytes, seed->len, what, sizeof what);

	ZS_COUNT(job, mutants);
	if (kind == ZS_ORACLE_AGREES)
		ZS_COUNT(job, vanished);
	else
		report_finding(job, seed->bytes, seed->len, kind, what);
}
