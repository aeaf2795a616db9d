/* Vets one mutant, runs it if that can tell something, and compares. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "differential.h"

/* One of this many texts that seem to hide nothing runs too, to check its writes and arguments. */
#define SAMPLE 2
/* One of this many findings that are probably known is looked at. */
#define LIKELY 16

struct jail *zs_open_jail(const struct job *job, enum jail_stage stage)
{
	struct jail_options options = { .server = job->server,
		.marker = job->marker,
		.bash = job->bash,
		.wall_ms = (unsigned)job->wall,
		.stage = stage };
	char error[512] = "";
	struct jail *jail = NULL;

	if (zs_jail_start(&options, &jail, error, sizeof error) == 0) {
		if (!(stage == ZS_JAIL_PARSE ? zs_jail_check_parser : zs_jail_check)(jail, error, sizeof error))
			return jail;
		fprintf(stderr, "fuzz: the jail does not do what it should: %s\n", error);
		exit(ZS_EXIT_NO_JAIL);
	}
	fprintf(stderr, "fuzz: THE JAIL CANNOT BE MADE HERE, nothing was run: %s\n", error);
	if (job->jail_is_optional)
		fprintf(stderr, "fuzz: going on without it, as told\n");
	exit(job->jail_is_optional ? 0 : ZS_EXIT_NO_JAIL);
}

static void execute(struct job *job, struct jail **jail, const char *text, size_t len)
{
	for (int tries = 0; zs_jail_run(*jail, text, len, &job->result); tries++) {
		zs_jail_stop(*jail);
		*jail = zs_open_jail(job, job->parse            ? ZS_JAIL_PARSE
					  : *jail == job->fresh ? ZS_JAIL_EARLY
								: ZS_JAIL_LATE);
		if (tries == 3) {
			fprintf(stderr, "fuzz: the jail breaks down at: %.*s\n", (int)len, text);
			exit(ZS_EXIT_NO_JAIL);
		}
	}
}

static const struct zs_report *vet_as(const struct job *job, const char *text, size_t len)
{
	memcpy(job->shared->vetted[job->number].text, text, len);
	job->shared->vetted[job->number].len = len;
	return zs_vet(job->vetter, text, len, &(struct zs_vet_options){ .profile = job->profile });
}

static enum oracle_kind judge(const struct job *job, const struct zs_report *report, const char *text, size_t len,
	char *what, size_t what_size)
{
	if (job->parse)
		return zs_oracle_judge_parsed(report, text, len, &job->result, job->other, what, what_size);
	return zs_oracle_judge(report, &job->result, what, what_size);
}

enum oracle_kind zs_try(struct job *job, const char *text, size_t len, char *ret_what, size_t what_size)
{
	const struct zs_report *report = vet_as(job, text, len);

	if (!len || report->verdict != ZS_ALLOW)
		return ZS_ORACLE_AGREES;
	ZS_COUNT(job, minimising);
	execute(job, job->parse ? &job->jail : &job->fresh, text, len);
	return judge(job, report, text, len, ret_what, what_size);
}

static yyjson_mut_val *words_of(yyjson_mut_doc *doc, const struct zs_command *command)
{
	yyjson_mut_val *words = yyjson_mut_arr(doc);

	for (uint32_t i = 0; i < command->argc; i++) {
		if (command->argv[i].text)
			yyjson_mut_arr_add_strcpy(doc, words, command->argv[i].text);
		else
			yyjson_mut_arr_add_null(doc, words);
	}
	return words;
}

/* One line of JSON. */
static void emit_finding(struct job *job, const char *text, size_t len, const char *from, size_t from_len,
	enum oracle_kind kind, const char *what)
{
	struct shared *shared = job->shared;
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *root = yyjson_mut_obj(doc), *commands = yyjson_mut_arr(doc);
	const struct zs_report *report = vet_as(job, text, len);
	char *line;

	yyjson_mut_doc_set_root(doc, root);
	for (uint32_t i = 0; i < report->ir.command_count; i++)
		yyjson_mut_arr_append(commands, words_of(doc, &report->ir.commands[i]));
	yyjson_mut_obj_add_str(doc, root, "kind", zs_oracle_name(kind));
	yyjson_mut_obj_add_strn(doc, root, "cmd", text, len);
	yyjson_mut_obj_add_str(doc, root, "what", what);
	yyjson_mut_obj_add_val(doc, root, "shown", commands);
	yyjson_mut_obj_add_strn(doc, root, "from", from, from_len);
	line = yyjson_mut_write(doc, YYJSON_WRITE_ALLOW_INVALID_UNICODE, NULL);
	while (atomic_flag_test_and_set(&shared->output))
		sched_yield();
	if (line)
		puts(line);
	fflush(stdout);
	atomic_flag_clear(&shared->output);
	free(line);
	yyjson_mut_doc_free(doc);
}

static void report_finding(struct job *job, const char *text, size_t len)
{
	char minimal[ZS_INPUT_MAX], what[1024];
	size_t minimal_len;
	enum oracle_kind kind;

	memcpy(minimal, text, len);
	/* a few of these are looked at all the same, since one may be new */
	if (zs_is_like_known(job, text, len) && zs_random(job->mutator, LIKELY)) {
		ZS_COUNT(job, alike);
		return;
	}
	kind = zs_try(job, text, len, what, sizeof what);
	if (kind == ZS_ORACLE_AGREES) {
		ZS_COUNT(job, vanished);
		return;
	}
	minimal_len = zs_shrink(job, minimal, len, kind);
	zs_try(job, minimal, minimal_len, what, sizeof what);
	if (zs_is_known(job, minimal, minimal_len))
		return;
	ZS_COUNT(job, findings);
	emit_finding(job, minimal, minimal_len, text, len, kind, what);
}

void zs_differ_once(struct job *job)
{
	char text[ZS_INPUT_MAX], what[1024];
	size_t len = zs_mutator_next(job->mutator, text);
	const struct zs_report *report;
	bool hiding, sampled;

	len = zs_mark(job->mutator, text, len);
	sampled = !zs_random(job->mutator, SAMPLE);
	if (!len || memchr(text, 0, len))
		return;
	ZS_COUNT(job, mutants);
	report = vet_as(job, text, len);
	if (report->verdict != ZS_ALLOW)
		return;
	ZS_COUNT(job, allowed);
	if (zs_oracle_is_open(report))
		return;
	hiding = !job->parse && zs_oracle_is_worthwhile(report, text, len);
	if (!job->parse && !hiding && !sampled)
		return;
	if (hiding)
		ZS_COUNT(job, hiding);
	ZS_COUNT(job, executions);
	execute(job, &job->jail, text, len);
	if (job->result.answer.timed_out)
		ZS_COUNT(job, timeouts);
	if (job->result.log_len)
		ZS_COUNT(job, ran);
	if (judge(job, report, text, len, what, sizeof what) != ZS_ORACLE_AGREES)
		report_finding(job, text, len);
}
