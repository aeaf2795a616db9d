/* Runs mutants with the real bash in a jail, and looks for what `zs vet` did not show. See README.md. */
#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <yyjson.h>

#include "jail.h"
#include "mutator.h"
#include "oracle.h"
#include "zs_shellpolicy.h"

#define JOBS_MAX 64
#define FINDINGS_MAX 1000 /* of a job: then it stops */
/* One of so many texts that seem to hide nothing runs too: for what it writes, and the arguments. */
#define SAMPLE 2
/* One of so many findings that are probably known is looked at. */
#define LIKELY 16

enum { EXIT_FOUND = 1, EXIT_USAGE = 64, EXIT_NO_JAIL = 77 };

/* What is counted, over all jobs. */
#define COUNTERS(X)                                                                                                    \
	X(mutants)                                                                                                     \
	X(allowed)                                                                                                     \
	X(hiding) /* allowed, with a marker that is not shown */                                                       \
	X(executions)                                                                                                  \
	X(ran) /* the marker did */                                                                                    \
	X(timeouts)                                                                                                    \
	X(minimising)                                                                                                  \
	X(alike)    /* found, and probably known */                                                                   \
	X(vanished) /* found, and not found again by a fresh bash */                                                   \
	X(findings)                                                                                                    \
	X(bash_accepts)                                                                                                \
	X(bash_rejects)                                                                                                \
	X(both_accept)                                                                                                 \
	X(both_reject)                                                                                                 \
	X(false_syntax_error)                                                                                          \
	X(false_unsupported)                                                                                           \
	X(false_limit)

struct shared {
#define X(name) atomic_ulong name;
	COUNTERS(X)
#undef X
	atomic_flag output;
};

struct job {
	const char *server, *marker;
	unsigned long count, seconds, seed, jobs, wall;
	enum zs_profile profile;
	bool syntax, minimise, early, print, raw, jail_is_optional;
	struct shared *shared;
	struct mutator *mutator;
	struct zs_vetter *vetter;
	struct jail *jail, *fresh; /* forks bash, forks in front of its main() */
	struct jail_result result;
	struct seed known[FINDINGS_MAX + 1]; /* minimised findings */
	size_t known_count;
};

static void emit(struct shared *shared, yyjson_mut_doc *doc)
{
	size_t len = 0;
	char *line = yyjson_mut_write(doc, YYJSON_WRITE_ALLOW_INVALID_UNICODE, &len);

	while (atomic_flag_test_and_set(&shared->output))
		sched_yield();
	if (line && fwrite(line, 1, len, stdout) == len)
		putchar('\n');
	fflush(stdout);
	atomic_flag_clear(&shared->output);
	free(line);
	yyjson_mut_doc_free(doc);
}

static struct jail *open_jail(const struct job *job, bool early)
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
		exit(EXIT_NO_JAIL);
	}
	fprintf(stderr, "fuzz: THE JAIL CANNOT BE MADE HERE, nothing was run: %s\n", error);
	if (job->jail_is_optional)
		fprintf(stderr, "fuzz: going on without it, as told\n");
	exit(job->jail_is_optional ? 0 : EXIT_NO_JAIL);
}

static void execute(struct job *job, struct jail **jail, const char *text, size_t len)
{
	for (int tries = 0; zs_jail_run(*jail, text, len, &job->result); tries++) {
		zs_jail_stop(*jail);
		*jail = open_jail(job, *jail == job->fresh);
		if (tries == 3) {
			fprintf(stderr, "fuzz: the jail breaks down at: %.*s\n", (int)len, text);
			exit(EXIT_NO_JAIL);
		}
	}
}

static const struct zs_report *vet(const struct job *job, const char *text, size_t len)
{
	return zs_vet(job->vetter, text, len, &(struct zs_vet_options){ .profile = job->profile });
}

/* Vets, runs when allowed, and compares. */
static enum oracle_kind try(struct job *job, const char *text, size_t len, char *what, size_t size)
{
	const struct zs_report *report = vet(job, text, len);

	if (!len || report->verdict != ZS_ALLOW)
		return ZS_ORACLE_AGREES;
	if (!job->fresh)
		job->fresh = open_jail(job, true);
	atomic_fetch_add(&job->shared->minimising, 1);
	execute(job, &job->fresh, text, len);
	return zs_oracle_judge(report, &job->result, what, size);
}

/* What is to be made shorter, as long as it stays a finding of its kind. */
struct shrink {
	struct job *job;
	enum oracle_kind kind;
	char text[ZS_INPUT_MAX], shorter[ZS_INPUT_MAX];
	size_t len;
};

/* Without two pieces; the second stands behind the first. */
static bool leave_out(struct shrink *shrink, size_t at, size_t count, size_t other, size_t other_count)
{
	char what[1024], *to = shrink->shorter;
	size_t len = shrink->len - count - other_count;

	memcpy(to, shrink->text, at);
	memcpy(to + at, shrink->text + at + count, other - at - count);
	memcpy(to + other - count, shrink->text + other + other_count, shrink->len - other - other_count);
	if (try(shrink->job, to, len, what, sizeof what) != shrink->kind)
		return false;
	memcpy(shrink->text, to, len);
	shrink->len = len;
	return true;
}

static bool leave_out_pieces(struct shrink *shrink)
{
	bool any = false;

	for (size_t piece = shrink->len / 2 + 1; piece; piece = piece / 2)
		for (size_t at = 0; at + piece <= shrink->len;) {
			if (leave_out(shrink, at, piece, at + piece, 0))
				any = true;
			else
				at += piece > 3 ? piece / 2 : 1;
		}
	return any;
}

/* What opens, and what closes it: neither can go alone. */
static bool leave_out_pairs(struct shrink *shrink)
{
	bool any = false;

	for (size_t at = 0; at < shrink->len; at++)
		for (size_t end = at + 1; strchr("({['\"`", shrink->text[at]) && end < shrink->len; end++)
			if (strchr(")}]'\"`", shrink->text[end]) && leave_out(shrink, at, 1, end, 1))
				any = true;
	return any;
}

static size_t minimise(struct job *job, char *text, size_t len, enum oracle_kind kind)
{
	static struct shrink shrink;

	shrink.job = job;
	shrink.kind = kind;
	shrink.len = len;
	memcpy(shrink.text, text, len);
	while (leave_out_pieces(&shrink) || leave_out_pairs(&shrink))
		;
	memcpy(text, shrink.text, shrink.len);
	return shrink.len;
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

/* Without the markers' digits, which say nothing. */
static size_t undigited(char *to, const char *text, size_t len)
{
	size_t count = 0;

	for (size_t i = 0; i < len; i++)
		if (i < 3 || memcmp(text + i - 3, "pwn", 3) || text[i] < '0' || text[i] > '9')
			to[count++] = text[i];
	return count;
}

/* A finding is made shorter only by leaving things out: where all of a known one stands in this one, in order, they are
 * probably the same. */
static bool is_like_known(const struct job *job, const char *text, size_t len)
{
	for (size_t i = 0; i < job->known_count; i++) {
		const struct seed *known = &job->known[i];
		size_t at = 0;

		for (size_t j = 0; j < len && at < known->len; j++)
			at += known->bytes[at] == text[j];
		if (at == known->len)
			return true;
	}
	return false;
}

static bool is_known(struct job *job, const char *text, size_t len)
{
	char plain[ZS_INPUT_MAX];
	struct seed *known = &job->known[job->known_count];

	len = undigited(plain, text, len);
	for (size_t i = 0; i < job->known_count; i++)
		if (job->known[i].len == len && !memcmp(job->known[i].bytes, plain, len))
			return true;
	known->bytes = malloc(len + 1);
	if (!known->bytes || job->known_count == FINDINGS_MAX)
		return false;
	memcpy(known->bytes, plain, len);
	known->len = len;
	job->known_count++;
	return false;
}

static void report_finding(struct job *job, const char *text, size_t len, enum oracle_kind kind, const char *what)
{
	char minimal[ZS_INPUT_MAX], fresh[1024];
	size_t minimal_len = len;
	yyjson_mut_doc *doc;
	yyjson_mut_val *root, *commands;
	const struct zs_report *report;

	memcpy(minimal, text, len);
	/* Not always: it may be another one after all. */
	if (!job->raw && !job->minimise && is_like_known(job, text, len) && zs_random(job->mutator, LIKELY)) {
		atomic_fetch_add(&job->shared->alike, 1);
		return;
	}
	if (!job->raw) {
		enum oracle_kind again = try(job, text, len, fresh, sizeof fresh);

		if (again == ZS_ORACLE_AGREES) {
			atomic_fetch_add(&job->shared->vanished, 1);
			return;
		}
		kind = again;
		what = fresh;
		minimal_len = minimise(job, minimal, len, kind);
		try(job, minimal, minimal_len, fresh, sizeof fresh);
		if (is_known(job, minimal, minimal_len))
			return;
	}
	atomic_fetch_add(&job->shared->findings, 1);
	doc = yyjson_mut_doc_new(NULL);
	root = yyjson_mut_obj(doc);
	commands = yyjson_mut_arr(doc);
	report = vet(job, minimal, minimal_len);
	yyjson_mut_doc_set_root(doc, root);
	for (uint32_t i = 0; i < report->ir.command_count; i++)
		yyjson_mut_arr_append(commands, words_of(doc, &report->ir.commands[i]));
	yyjson_mut_obj_add_str(doc, root, "kind", zs_oracle_name(kind));
	yyjson_mut_obj_add_strn(doc, root, "cmd", minimal, minimal_len);
	yyjson_mut_obj_add_str(doc, root, "what", what);
	yyjson_mut_obj_add_val(doc, root, "shown", commands);
	yyjson_mut_obj_add_strn(doc, root, "from", text, len);
	emit(job->shared, doc);
}

static bool has_nul(const char *text, size_t len)
{
	return memchr(text, 0, len);
}

static void differ_once(struct job *job)
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
	atomic_fetch_add(&job->shared->mutants, 1);
	report = vet(job, text, len);
	if (report->verdict != ZS_ALLOW)
		return;
	atomic_fetch_add(&job->shared->allowed, 1);
	if (zs_oracle_is_open(report))
		return;
	hiding = zs_oracle_is_worthwhile(report, text, len);
	if (!hiding && !sampled)
		return;
	if (hiding)
		atomic_fetch_add(&job->shared->hiding, 1);
	atomic_fetch_add(&job->shared->executions, 1);
	execute(job, &job->jail, text, len);
	if (job->result.answer.timed_out)
		atomic_fetch_add(&job->shared->timeouts, 1);
	if (job->result.log_len)
		atomic_fetch_add(&job->shared->ran, 1);
	kind = zs_oracle_judge(report, &job->result, what, sizeof what);
	if (kind != ZS_ORACLE_AGREES)
		report_finding(job, text, len, kind, what);
}

/* Does zs read what bash does? */
static void compare_syntax(struct job *job, const char *text, size_t len, bool mutated)
{
	struct shared *shared = job->shared;
	const struct zs_report *report;
	bool accepted, read;

	if (!len || has_nul(text, len))
		return;
	execute(job, &job->jail, text, len);
	atomic_fetch_add(&shared->executions, 1);
	if (job->result.answer.timed_out)
		return;
	accepted = job->result.answer.exited && !job->result.answer.status;
	report = vet(job, text, len);
	read = report->verdict == ZS_ALLOW || (report->code != ZS_RISK_SYNTAX_ERROR &&
		report->code != ZS_RISK_UNSUPPORTED && report->code != ZS_RISK_LIMIT);
	atomic_fetch_add(accepted ? &shared->bash_accepts : &shared->bash_rejects, 1);
	if (accepted == read) {
		atomic_fetch_add(read ? &shared->both_accept : &shared->both_reject, 1);
		return;
	}
	if (!accepted)
		return;
	atomic_fetch_add(report->code == ZS_RISK_SYNTAX_ERROR ? &shared->false_syntax_error
			: report->code == ZS_RISK_UNSUPPORTED ? &shared->false_unsupported
							      : &shared->false_limit, 1);
	if (job->print) {
		yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
		yyjson_mut_val *root = yyjson_mut_obj(doc);

		yyjson_mut_doc_set_root(doc, root);
		yyjson_mut_obj_add_str(doc, root, "code", zs_risk_name(report->code));
		yyjson_mut_obj_add_bool(doc, root, "mutated", mutated);
		yyjson_mut_obj_add_strn(doc, root, "cmd", text, len);
		yyjson_mut_obj_add_str(doc, root, "reason", report->reason);
		emit(shared, doc);
	}
}

/* Every seed once, and behind them seeds that were changed a little. */
static void syntax_once(struct job *job, unsigned long turn)
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
static void minimise_once(struct job *job, unsigned long turn)
{
	const struct seed *seed = &job->mutator->seeds[turn];
	char what[1024];
	enum oracle_kind kind = try(job, seed->bytes, seed->len, what, sizeof what);

	atomic_fetch_add(&job->shared->mutants, 1);
	if (kind == ZS_ORACLE_AGREES)
		atomic_fetch_add(&job->shared->vanished, 1);
	else
		report_finding(job, seed->bytes, seed->len, kind, what);
}

static void print_counters(const struct job *job, FILE *out, time_t seconds)
{
	struct shared *shared = job->shared;
	unsigned long executions = atomic_load(&shared->executions);

	fprintf(out, "fuzz:");
#define X(name)                                                                                                        \
	if (atomic_load(&shared->name))                                                                                \
		fprintf(out, " %s %lu,", #name, atomic_load(&shared->name));
	COUNTERS(X)
#undef X
	fprintf(out, " %ld s, %lu executions/s, seed %lu, %lu jobs\n", (long)seconds,
		executions / (unsigned long)(seconds ? seconds : 1), job->seed, job->jobs);
}

/* A job and its jail take turns: on one processor they need not wake another. */
static void pin(unsigned long number)
{
	cpu_set_t all, one;

	if (sched_getaffinity(0, sizeof all, &all) || !CPU_COUNT(&all))
		return;
	number %= (unsigned long)CPU_COUNT(&all);
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &all) || number--)
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		sched_setaffinity(0, sizeof one, &one);
		return;
	}
}

static void work(struct job *job, unsigned long number)
{
	time_t start = time(NULL), told = start;
	atomic_ulong *done = &job->shared->executions;

	pin(job->seed + number);
	job->vetter = zs_vetter_new();
	if (!job->vetter)
		exit(EXIT_NO_JAIL);
	if (!job->minimise)
		job->jail = open_jail(job, job->early);
	for (unsigned long turn = number; job->known_count < FINDINGS_MAX; turn += job->jobs) {
		time_t now = time(NULL);

		if ((job->minimise && turn >= job->mutator->count) || (job->count && atomic_load(done) >= job->count) ||
			(job->seconds && (unsigned long)(now - start) >= job->seconds))
			break;
		if (number == 0 && now - told >= 60) {
			told = now;
			print_counters(job, stderr, now - start);
		}
		if (job->minimise)
			minimise_once(job, turn);
		else if (job->syntax)
			syntax_once(job, turn);
		else
			differ_once(job);
	}
	zs_jail_stop(job->jail);
	zs_jail_stop(job->fresh);
	zs_vetter_free(job->vetter);
}

static int usage(void)
{
	fprintf(stderr,
		"usage: differential --server=PATH --marker=PATH [OPTION...] FILE...\n"
		"FILE has JSON lines with a \"cmd\". Status: 0 nothing found, 1 found, 77 no jail.\n"
		"  --count=N --seconds=N  stop after so many executions, or so long\n"
		"  --seed=N --jobs=N      same seed and files, one job: same texts\n"
		"  --profile=NAME         strict\n"
		"  --wall=MS              a text that runs longer is killed (100)\n"
		"  --early                fork bash in front of its main(): slower, no difference to a fresh one\n"
		"  --raw                  findings as they are, neither confirmed nor minimised\n"
		"  --minimise             FILE has findings: make them shorter\n"
		"  --syntax               compare `bash -n` with what zs can read; --print tells each false block\n"
		"  --jail=optional        status 0 where the kernel permits no namespaces\n");
	return EXIT_USAGE;
}

static bool parse(struct job *job, int argc, char **argv)
{
	enum { SERVER, MARKER, COUNT, SECONDS, SEED, JOBS, PROFILE, WALL, EARLY, RAW, MINIMISE, SYNTAX, PRINT, JAIL };
	static const struct option options[] = { { "server", 1, NULL, SERVER }, { "marker", 1, NULL, MARKER },
		{ "count", 1, NULL, COUNT }, { "seconds", 1, NULL, SECONDS }, { "seed", 1, NULL, SEED },
		{ "jobs", 1, NULL, JOBS }, { "profile", 1, NULL, PROFILE }, { "wall", 1, NULL, WALL },
		{ "early", 0, NULL, EARLY }, { "raw", 0, NULL, RAW }, { "minimise", 0, NULL, MINIMISE },
		{ "syntax", 0, NULL, SYNTAX }, { "print", 0, NULL, PRINT }, { "jail", 1, NULL, JAIL }, { 0 } };
	unsigned long *const numbers[] = { [COUNT] = &job->count, [SECONDS] = &job->seconds, [SEED] = &job->seed,
		[JOBS] = &job->jobs, [WALL] = &job->wall };
	bool *const flags[] = { [EARLY] = &job->early, [RAW] = &job->raw, [MINIMISE] = &job->minimise,
		[SYNTAX] = &job->syntax, [PRINT] = &job->print };

	for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
		char *end = NULL;

		if (option == SERVER) {
			job->server = optarg;
		} else if (option == MARKER) {
			job->marker = optarg;
		} else if (option == PROFILE) {
			if (!zs_profile_parse(optarg, &job->profile))
				return false;
		} else if (option == JAIL) {
			job->jail_is_optional = !strcmp(optarg, "optional");
		} else if (option >= COUNT && option <= WALL) {
			*numbers[option] = strtoul(optarg, &end, 10);
			if (*end)
				return false;
		} else if (option >= EARLY && option <= PRINT) {
			*flags[option] = true;
		} else {
			return false;
		}
	}
	for (int i = optind; i < argc; i++)
		if (zs_mutator_load(job->mutator, argv[i])) {
			perror(argv[i]);
			return false;
		}
	return job->server && job->marker && job->jobs && job->jobs <= JOBS_MAX && job->wall &&
		(job->mutator->count || !(job->minimise || job->syntax));
}

int main(int argc, char **argv)
{
	static struct job job = { .seed = 1, .jobs = 1, .wall = 100, .profile = ZS_PROFILE_STRICT };
	time_t start = time(NULL);
	pid_t workers[JOBS_MAX];
	int status, worst = 0;

	job.mutator = zs_mutator_new(0);
	job.shared = mmap(NULL, sizeof *job.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!job.mutator || job.shared == MAP_FAILED || !parse(&job, argc, argv))
		return usage();
	for (unsigned long i = 0; i < job.jobs; i++) {
		workers[i] = fork();
		if (!workers[i]) {
			zs_mutator_seed(job.mutator, job.seed + i * 1000003);
			work(&job, i);
			exit(0);
		}
	}
	for (unsigned long i = 0; i < job.jobs; i++) {
		if (waitpid(workers[i], &status, 0) < 0 || !WIFEXITED(status))
			fprintf(stderr, "fuzz: a job ended by signal %d\n", WTERMSIG(status));
		else
			status = WEXITSTATUS(status);
		worst = status > worst ? status : worst;
	}
	print_counters(&job, stdout, time(NULL) - start);
	if (!worst && atomic_load(&job.shared->findings))
		worst = EXIT_FOUND;
	printf("%d passed, %d failed\n", !worst, !!worst);
	return worst;
}
