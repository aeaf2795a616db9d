#include "enforce/process_scan.h"

#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"

struct identity {
	pid_t pid;
	uint64_t start;
};

struct identities {
	struct identity *items;
	size_t count;
};

struct scan {
	const struct zs_process_table *table;
	pid_t self;
	uid_t user;
	struct identities others; /* seen in this round: processes that do not belong to the session */
	struct identities known;  /* the same of the round before, sorted */
	struct identities killed; /* seen in this round: processes killed in any round that have not died yet */
	struct identities doomed; /* the same of the round before, sorted */
	struct zs_scan_report report;
	/* This round's processes */
	bool clean;    /* no listed process belongs to the session, and each was known before the list was made */
	bool pending;  /* a process is about to die, or could not be judged */
	bool progress; /* a process was killed */
	int doubt;     /* a negative errno: the reason why a process could not be judged or killed */
};

/* Either uid counts: a setuid program runs as another user, but we may still kill it (man 2 kill). */
static bool concerns(const struct scan *scan, const struct zs_process *process)
{
	return scan->user == 0 || process->real == scan->user || process->effective == scan->user;
}

static int process_scan_compare(const void *a, const void *b)
{
	const struct identity *one = a, *other = b;

	if (one->pid != other->pid)
		return one->pid < other->pid ? -1 : 1;
	if (one->start != other->start)
		return one->start < other->start ? -1 : 1;
	return 0;
}

static bool process_scan_holds(const struct identities *list, const struct identity *identity)
{
	return list->count && bsearch(identity, list->items, list->count, sizeof *identity, process_scan_compare);
}

static int process_scan_add(struct identities *list, const struct identity *identity)
{
	struct identity *more = zs_with_room(list->items, list->count, sizeof *more);

	if (!more)
		return -ENOMEM;
	list->items = more;
	list->items[list->count++] = *identity;
	return 0;
}

static void doubt(struct scan *scan, pid_t pid, int cause)
{
	scan->clean = false;
	scan->pending = true;
	if (cause == -ESRCH)
		return; /* it has gone */
	scan->doubt = cause;
	scan->report.pid = pid;
}

/* The list may be out of date: a listed process may have left a child that is not listed, and have died since, or its
 * pid may belong to another process. So processes that are not the session's, or dead, count only if they were so
 * before the list was made. */
static void spare(struct scan *scan, pid_t pid, const struct zs_process *process)
{
	const struct identity identity = { pid, process->start };
	int r = process_scan_add(&scan->others, &identity);

	if (r < 0)
		doubt(scan, pid, r);
	if (!process_scan_holds(&scan->known, &identity))
		scan->clean = false;
}

/* The process was killed, and has not died yet. Its mark may be gone already. */
static bool is_doomed(struct scan *scan, pid_t pid, const struct zs_process *process)
{
	const struct identity identity = { pid, process->start };
	int r;

	if (!process_scan_holds(&scan->doomed, &identity))
		return false;
	r = process_scan_add(&scan->killed, &identity);
	doubt(scan, pid, r < 0 ? r : -ESRCH);
	return true;
}

static int end_one(struct scan *scan, pid_t pid, const struct zs_process *process)
{
	const struct identity identity = { pid, process->start };
	int r = scan->table->kill(scan->table->context, pid);

	if (r < 0)
		return r;
	scan->progress = true;
	scan->clean = false;
	scan->report.killed++;
	return process_scan_add(&scan->killed, &identity);
}

/* Checks right before the kill that the pid still belongs to the same process, since freed pids are used again. Facts
 * about a pid that has changed hands count for neither process. */
static void process_scan_judge(struct scan *scan, pid_t pid)
{
	const struct zs_process_table *table = scan->table;
	struct zs_process before, now;
	int r = table->look(table->context, pid, &before), marked;

	if (r < 0) {
		doubt(scan, pid, r);
		return;
	}
	if (!concerns(scan, &before))
		return;
	if (before.dead) {
		spare(scan, pid, &before);
		return;
	}
	if (is_doomed(scan, pid, &before))
		return;
	marked = table->probe(table->context, pid);
	r = table->look(table->context, pid, &now);
	if (r == 0 && (now.start != before.start || now.dead))
		r = -ESRCH;
	if (r == 0 && marked < 0)
		r = marked;
	if (r == 0 && marked == 0) {
		spare(scan, pid, &now);
		return;
	}
	if (r == 0)
		r = end_one(scan, pid, &now);
	if (r < 0)
		doubt(scan, pid, r);
}

/* Makes this round's list that of the round before. */
static void turn(struct identities *list, struct identities *before)
{
	struct identities empty = *before;

	*before = *list;
	if (before->count)
		qsort(before->items, before->count, sizeof *before->items, process_scan_compare);
	empty.count = 0;
	*list = empty;
}

/* Looks at the youngest first, since they are likely to be gone soon: pids are given in rising order. */
static int look_at_all(struct scan *scan)
{
	const struct zs_process_table *table = scan->table;
	ZS_AUTO_FREE pid_t *pids = NULL;
	size_t count = 0;
	int r = table->check(table->context);

	if (r < 0 && r != -EAGAIN)
		return r;
	r = table->list(table->context, &pids, &count);
	if (r < 0)
		return r;
	turn(&scan->others, &scan->known);
	turn(&scan->killed, &scan->doomed);
	scan->clean = true;
	scan->pending = scan->progress = false;
	scan->doubt = 0;
	scan->report.pid = 0;
	scan->report.rounds++;
	while (count-- > 0)
		if (pids[count] > 1 && pids[count] != scan->self)
			process_scan_judge(scan, pids[count]);
	r = table->check(table->context);
	if (r != -EAGAIN)
		return r;
	scan->clean = false;
	scan->others.count = 0;
	return 0;
}

static int process_scan_end(struct scan *scan)
{
	unsigned doubts = 0;

	while (scan->report.rounds < ZS_SCAN_ROUNDS_MAX) {
		int r = look_at_all(scan);

		if (r < 0 || scan->clean)
			return r;
		doubts = scan->doubt && !scan->progress ? doubts + 1 : 0;
		if (doubts == ZS_SCAN_DOUBTS_MAX)
			return scan->doubt;
		/* While processes are still being killed, this does not wait: a storm of forks gets no pause. */
		if (scan->pending && !scan->progress)
			scan->table->wait(scan->table->context);
	}
	return scan->doubt ? scan->doubt : -ETIMEDOUT;
}

int zs_scan_end(const struct zs_process_table *table, pid_t self, uid_t user, struct zs_scan_report *ret_report)
{
	struct scan scan = { .table = table, .self = self, .user = user };
	int r = process_scan_end(&scan);

	free(scan.others.items);
	free(scan.known.items);
	free(scan.killed.items);
	free(scan.doomed.items);
	if (ret_report)
		*ret_report = scan.report;
	return r;
}
