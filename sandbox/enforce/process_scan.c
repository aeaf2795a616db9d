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
	struct identities others; /* so far in this round: what is none of the session's */
	struct identities known;  /* these of the round before, sorted */
	struct identities killed; /* so far in this round: what has been killed, in any, and is not dead yet */
	struct identities doomed; /* these of the round before, sorted */
	struct zs_scan_report report;
	/* This round's processes */
	bool clean;    /* what was listed is none of the session's, and was known before the list was made */
	bool pending;  /* something is about to die, or could not be judged */
	bool progress; /* something was killed */
	int doubt;     /* a negative errno: why a process could not be judged or killed */
};

/* By either: a program that is setuid runs as another, and stays ours to kill (man 2 kill). */
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

/* The list may be old already: who was in it may have left a child that is not, and be dead by now, or its pid may be
 * somebody else's. So the innocent and the dead count only if they were that before the list was made. */
static void spare(struct scan *scan, pid_t pid, const struct zs_process *process)
{
	const struct identity identity = { pid, process->start };
	int r = process_scan_add(&scan->others, &identity);

	if (r < 0)
		doubt(scan, pid, r);
	if (!process_scan_holds(&scan->known, &identity))
		scan->clean = false;
}

/* It was killed, and is waited for: a process that is about to end may have lost its mark already. */
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

/* Right before the kill it is made sure that the pid is still whose it was: a pid that has been freed is given to
 * others. The facts about a pid that has changed hands count for neither. */
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

/* A list of this round becomes that of the round before. */
static void turn(struct identities *list, struct identities *before)
{
	struct identities empty = *before;

	*before = *list;
	if (before->count)
		qsort(before->items, before->count, sizeof *before->items, process_scan_compare);
	empty.count = 0;
	*list = empty;
}

/* The youngest first, since they are the likeliest to be gone in a moment: pids are given in order. */
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
		/* A storm is not given a moment. */
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
