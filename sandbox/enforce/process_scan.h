/* Ends every process that carries a mark, on systems where the kernel keeps no list of them: looks at all processes
 * again and again, until a round finds none with the mark. Pure over a table of processes, so it is tested on every
 * system. macOS has the real table (darwin/process_table.c), where the mark is the fingerprint in a process's
 * sandbox. */
#ifndef ZS_SANDBOX_PROCESS_SCAN_H
#define ZS_SANDBOX_PROCESS_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct zs_process {
	uid_t real, effective;
	uint64_t start; /* together with the pid it identifies a process until the machine stops */
	bool dead;      /* a zombie: it starts no more processes, and cannot be killed again */
};

/* All functions return 0 or a negative errno, unless their comment says otherwise. */
struct zs_process_table {
	void *context;
	/* Can the answers of probe() be trusted? -EAGAIN: not the answers since the last call of check(). */
	int (*check)(void *context);
	/* All pids at one moment; free() *ret_pids. */
	int (*list)(void *context, pid_t **ret_pids, size_t *ret_count);
	int (*look)(void *context, pid_t pid, struct zs_process *ret_process); /* -ESRCH: the process has gone */
	int (*probe)(void *context, pid_t pid);                                /* 1: it has the mark; 0: it has not */
	int (*kill)(void *context, pid_t pid);
	void (*wait)(void *context); /* waits a moment, in which killed processes may die */
};

enum {
	ZS_SCAN_ROUNDS_MAX = 2000, /* looks at all processes */
	ZS_SCAN_DOUBTS_MAX = 50,   /* rounds in a row that could not judge a process, and killed none */
};

struct zs_scan_report {
	size_t killed;
	unsigned rounds;
	pid_t pid; /* the process that could not be judged or killed in the end; 0: none */
};

/* Ends every process with the mark that belongs to this user; to any user, if this one is root. `self` is spared. The
 * report, which may be NULL, is always written.
 *
 * 0: a round has found no such process. Any other result is an error, and some may be alive: -ETIMEDOUT after
 * ZS_SCAN_ROUNDS_MAX rounds (a storm of forks outruns this, or a process cannot die), or the reason why a process could
 * not be judged or killed. */
int zs_scan_end(const struct zs_process_table *table, pid_t self, uid_t user, struct zs_scan_report *ret_report);

#endif
