/* Ending every process that carries a mark, where the kernel keeps no list of them: all processes are looked at, again
 * and again, until a look finds none. Pure over a table of processes, so that it is tested on every system; macOS has
 * the table that is real (darwin/process_table.c), where the mark is the fingerprint in a process's sandbox. */
#ifndef ZS_SANDBOX_PROCESS_SCAN_H
#define ZS_SANDBOX_PROCESS_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct zs_process {
	uid_t real, effective;
	uint64_t start; /* with the pid it says which process that is, until the machine stops */
	bool dead;      /* a zombie: it starts nothing any more, and cannot be killed again */
};

/* All return 0, unless something else is said, or a negative errno. */
struct zs_process_table {
	void *context;
	/* Can probe() be believed? -EAGAIN: not what it said since the last call of this. */
	int (*check)(void *context);
	/* Every pid, all of one moment; free() it. */
	int (*list)(void *context, pid_t **ret_pids, size_t *ret_count);
	int (*look)(void *context, pid_t pid, struct zs_process *ret_process); /* -ESRCH: it has gone */
	int (*probe)(void *context, pid_t pid);                                /* 1: it has the mark; 0: it has not */
	int (*kill)(void *context, pid_t pid);
	void (*wait)(void *context); /* a moment, in which the killed may die */
};

enum {
	ZS_SCAN_ROUNDS_MAX = 2000, /* looks at all processes */
	ZS_SCAN_DOUBTS_MAX = 50,   /* of these in a row that only fail to learn something, and end nothing */
};

struct zs_scan_report {
	size_t killed;
	unsigned rounds;
	pid_t pid; /* which could not be judged or killed in the end; 0: none is to blame */
};

/* Ends what has the mark and belongs to this user, or to anybody when that is root. `self` is spared. The report, which
 * may be NULL, is written in any case.
 *
 * 0: a look at all processes has found none. Any other result is an error, and some may be alive: -ETIMEDOUT after
 * ZS_SCAN_ROUNDS_MAX looks (a storm of forks that outruns this, or one that cannot die), or the reason why a process
 * could not be judged or killed. */
int zs_scan_end(const struct zs_process_table *table, pid_t self, uid_t user, struct zs_scan_report *ret_report);

#endif
