/* The list of refused accesses. The same access is one record. A process that finds elsewhere what it has searched for
 * takes its earlier records of that name back. A folder of that name is no such find: what is searched for may not lie
 * in it. */
#include "zs_denials.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/path.h"
#include "denial/attempt.h"

struct record {
	struct zs_denial denial;
	char *named, *real, *value;
	pid_t group;   /* of the last process that met it */
	unsigned call; /* the number of that call, among all that were reported */
};

/* A search along a list of folders takes no more calls than this from a failure to what it finds. A file of the same
 * name that is read later is another file. */
enum { SEARCH_CALLS = 64 };

struct zs_denials {
	struct zs_policy *resolved;
	bool model; /* a model reads it */
	struct record *records[ZS_DENIALS_MAX];
	size_t count, others;
	unsigned order, calls;
	/* The scratch space of one call. */
	struct zs_denial_words words;
};

int zs_denials_new(const struct zs_policy *policy, struct zs_denials **ret_denials, struct zs_error *error)
{
	struct zs_denials *denials = calloc(1, sizeof *denials);
	int r = denials ? zs_policy_resolve(policy, &denials->resolved, error)
			: zs_error_errno(error, "denials", "", ENOMEM);

	/* Another run writes the workspace itself, and cannot write what is protected. */
	if (r == 0 && policy->workspace_access == ZS_WORKSPACE_OVERLAY) {
		denials->resolved->workspace_access = ZS_WORKSPACE_WRITE;
		r = zs_git_protect(policy, denials->resolved, error);
	}
	if (r < 0) {
		zs_denials_free(denials);
		return r;
	}
	/* For the risk of a path: a resolved policy needs no homes. */
	if (policy->home && !denials->resolved->home)
		denials->resolved->home = strdup(policy->home);
	if (policy->account_home && !denials->resolved->account_home)
		denials->resolved->account_home = strdup(policy->account_home);
	*ret_denials = denials;
	return 0;
}

void zs_denials_set_model(struct zs_denials *denials)
{
	denials->model = true;
}

static void record_free(struct record *record)
{
	free(record->named);
	free(record->real);
	free(record->value);
	free(record);
}

void zs_denials_free(struct zs_denials *denials)
{
	if (!denials)
		return;
	for (size_t i = 0; i < denials->count; i++)
		record_free(denials->records[i]);
	zs_policy_free(denials->resolved);
	free(denials);
}

static struct record *find(struct zs_denials *denials, const struct zs_denial *denial)
{
	for (size_t i = 0; i < denials->count; i++) {
		const struct zs_denial *row = &denials->records[i]->denial;

		if (row->kind == denial->kind && strcmp(row->real, denial->real) == 0 &&
			(!denials->model || strcmp(row->named, denial->named) == 0))
			return denials->records[i];
	}
	return NULL;
}

static bool judge(struct zs_denials *denials, const struct zs_refusal *refusal, struct zs_denial *ret_denial)
{
	return (denials->model ? zs_refusal_judge_for_model : zs_refusal_judge)(
		denials->resolved, refusal, ret_denial, &denials->words);
}

/* Makes room for one more. The oldest record goes, first of those that nothing has failed from: a command must not hide
 * its last refusals behind many others. */
static void make_room(struct zs_denials *denials)
{
	size_t oldest = 0;

	if (denials->count < ZS_DENIALS_MAX)
		return;
	for (size_t i = 1; i < denials->count; i++) {
		const struct zs_denial *row = &denials->records[i]->denial, *least = &denials->records[oldest]->denial;

		if (row->decisive != least->decisive ? least->decisive : row->order < least->order)
			oldest = i;
	}
	record_free(denials->records[oldest]);
	denials->records[oldest] = denials->records[--denials->count];
	denials->others++;
}

static void add(struct zs_denials *denials, const struct zs_denial *denial, pid_t group)
{
	struct record *record = find(denials, denial);

	denials->order++;
	if (record) {
		record->denial.times++;
		record->denial.order = denials->order;
		record->denial.pid = denial->pid;
		memcpy(record->denial.process, denial->process, sizeof denial->process);
		record->group = group;
		record->call = denials->calls;
		return;
	}
	make_room(denials);
	record = calloc(1, sizeof *record);
	if (!record) {
		denials->others++;
		return;
	}
	record->denial = *denial;
	record->group = group;
	record->call = denials->calls;
	record->denial.order = denials->order;
	record->denial.named = record->named = strdup(denial->named);
	record->denial.real = record->real = strdup(denial->real);
	record->value = strdup(denial->value ? denial->value : "");
	record->denial.value = denial->value ? record->value : NULL;
	if (!record->named || !record->real || !record->value) {
		record_free(record);
		denials->others++;
		return;
	}
	denials->records[denials->count++] = record;
}

void zs_denials_note(struct zs_denials *denials, const struct zs_refusal *refusal)
{
	struct zs_denial denial;

	denials->calls++;
	if (!judge(denials, refusal, &denial))
		return;
	if (denial.kind == ZS_DENIAL_READ || denial.kind == ZS_DENIAL_WRITE || denial.kind == ZS_DENIAL_CONNECT)
		denial.risk = zs_denial_risk(denials->resolved, denial.real);
	denial.decisive = refusal->error == 0;
	add(denials, &denial, refusal->group);
}

void zs_denials_add_limit(struct zs_denials *denials, enum zs_limit limit)
{
	const struct zs_refusal refusal = {
		.attempt = ZS_ATTEMPT_LIMIT, .number = (pid_t)limit, .call = "", .named = "", .path = "", .other = ""
	};

	zs_denials_note(denials, &refusal);
}

void zs_denials_miss(struct zs_denials *denials, unsigned count)
{
	denials->others += count;
}

void zs_denials_add_program(struct zs_denials *denials, const char *path)
{
	const struct zs_refusal refusal = {
		.attempt = ZS_ATTEMPT_EXEC, .error = EACCES, .call = "execve", .named = path, .path = path, .other = ""
	};
	struct zs_denial denial;

	if (!judge(denials, &refusal, &denial))
		return;
	denial.decisive = true;
	add(denials, &denial, 0);
}

void zs_denials_add_host(struct zs_denials *denials, const char *host, bool resolve, const char *grant, unsigned times)
{
	const struct zs_denial denial = { .kind = resolve ? ZS_DENIAL_RESOLVE : ZS_DENIAL_CONNECT,
		.cause = ZS_DENIED_NO_HOST,
		.named = host,
		.real = host,
		.exists = true,
		.option = grant ? "--host" : NULL,
		.value = grant,
		.times = times,
		.decisive = true };

	add(denials, &denial, 0);
}

static const char *last_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

void zs_denials_found(struct zs_denials *denials, pid_t group, enum zs_denial_kind kind, const char *path)
{
	const char *name = last_name(path);
	size_t kept = 0;

	denials->calls++;
	for (size_t i = 0; i < denials->count; i++) {
		struct record *record = denials->records[i];
		bool taken = record->group == group && denials->calls - record->call <= SEARCH_CALLS &&
			     (record->denial.kind == kind ||
				     (kind == ZS_DENIAL_EXEC && record->denial.kind == ZS_DENIAL_READ)) &&
			     strcmp(last_name(record->denial.named), name) == 0 && !is_folder(path);

		/* The program that has begun fails from none of its predecessor's. */
		if (record->group == group && kind == ZS_DENIAL_EXEC)
			record->group = 0;
		if (taken)
			record_free(record);
		else
			denials->records[kept++] = record;
	}
	denials->count = kept;
}

/* The last refusals of a process that failed, or of a run: this many. */
enum { LAST = 3 };

/* A shell has looked for a program by stat(2). */
static void make_exec(struct record *record)
{
	struct zs_denial *denial = &record->denial;
	struct stat st;

	if (denial->kind == ZS_DENIAL_READ && denial->option && stat(denial->real, &st) == 0 && S_ISREG(st.st_mode) &&
		access(denial->real, X_OK) == 0) {
		denial->kind = ZS_DENIAL_EXEC;
		denial->option = "--exec";
	}
}

void zs_denials_ended(struct zs_denials *denials, pid_t group, int status)
{
	enum { NOT_FOUND = 127 }; /* of a shell */
	struct record *last[LAST] = { NULL };

	if (status == 0)
		return;
	for (size_t i = 0; i < denials->count; i++) {
		struct record *record = denials->records[i];

		if (record->group != group)
			continue;
		for (size_t k = 0; k < LAST && record; k++)
			if (!last[k] || record->denial.order > last[k]->denial.order) {
				struct record *next = last[k];

				last[k] = record;
				record = next;
			}
	}
	for (size_t k = 0; k < LAST && last[k]; k++) {
		last[k]->denial.decisive = true;
		if (status == NOT_FOUND)
			make_exec(last[k]);
	}
}

bool zs_denial_is_spare(const struct zs_denial *denial)
{
	return denial->kind == ZS_DENIAL_CALL && (denial->error == ENOSYS || denial->error == EOPNOTSUPP);
}

static int by_order(const void *a, const void *b)
{
	const struct record *left = *(struct record *const *)a, *right = *(struct record *const *)b;

	return left->denial.order < right->denial.order ? -1 : left->denial.order > right->denial.order;
}

void zs_denials_sort(struct zs_denials *denials)
{
	if (denials->count)
		qsort(denials->records, denials->count, sizeof *denials->records, by_order);
}

/* Joins the records of one place, which then has no other name: a model reads no name from a hidden folder. They are
 * in their order, and the last one stays. */
static void fold(struct zs_denials *denials)
{
	size_t kept = 0;

	for (size_t i = 0; i < denials->count; i++) {
		struct record *record = denials->records[i], *later = NULL;

		for (size_t k = i + 1; k < denials->count && !later; k++)
			if (denials->records[k]->denial.kind == record->denial.kind &&
				strcmp(denials->records[k]->real, record->real) == 0)
				later = denials->records[k];
		if (later) {
			later->denial.times += record->denial.times;
			record_free(record);
			continue;
		}
		record->denial.named = record->real;
		denials->records[kept++] = record;
	}
	denials->count = kept;
}

void zs_denials_finish(struct zs_denials *denials, int status)
{
	zs_denials_sort(denials);
	if (denials->model)
		fold(denials);
	for (size_t i = denials->count, last = LAST; status != 0 && i > 0 && last > 0; i--)
		if (!zs_denial_is_spare(&denials->records[i - 1]->denial)) {
			denials->records[i - 1]->denial.decisive = true;
			last--;
		}
}

size_t zs_denials_count(const struct zs_denials *denials)
{
	return denials->count;
}

const struct zs_denial *zs_denials_get(const struct zs_denials *denials, size_t index)
{
	return &denials->records[index]->denial;
}

const struct zs_policy *zs_denials_policy(const struct zs_denials *denials)
{
	return denials->resolved;
}

size_t zs_denials_others(const struct zs_denials *denials)
{
	return denials->others;
}
