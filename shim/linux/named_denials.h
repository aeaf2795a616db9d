/* Gives what the run of a named session or a box refuses to the command whose it is. The daemon has the channel of the
 * run, and hands each record on to the collector beside the client whose command it is. The collectors judge; nothing
 * here depends on what a record says. */
#ifndef ZS_SHIM_NAMED_DENIALS_H
#define ZS_SHIM_NAMED_DENIALS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "zs_sandbox.h"

/* One command. */
struct zs_named_told {
	int channel;     /* to its collector; -1: nobody collects */
	pid_t server;    /* the process that serves it, inside, above all that the command starts; 0: not known yet */
	unsigned others; /* records that the collector did not get… */
	unsigned known;  /* … and those of them that it knows of */
	bool marked;     /* nothing more comes: see zs_named_mark() */
	bool ended;      /* the command has… */
	bool over;       /* … and all that came before is handed on */
	int status;
	int64_t deadline; /* by which the collector gets the end */
};

struct zs_named_denials {
	int channel; /* of the run; -1: it has ended */
	bool blind;  /* the run looks at no calls */
	enum zs_tier tier;
	uint32_t held;       /* the limits that a cgroup holds: bits 1 << ZS_LIMIT_… */
	uint32_t met;        /* … and those that the run has met */
	unsigned lost;       /* records that the run could not send */
	char turned;         /* the proxy's last word: ZS_PROXY_PAUSE, ZS_PROXY_RESUME */
	char line[PATH_MAX]; /* of the proxy's report: what has come of it */
	size_t len;
};

/* Takes what the run has refused. told: one for each command that runs. */
void zs_named_denials_take(struct zs_named_denials *denials, struct zs_named_told *const *told, size_t count);

/* The same for bytes of the proxy's report. The proxy does not know processes, so a host goes to a command that runs
 * alone; when several run, it is only counted. */
void zs_named_denials_report(struct zs_named_denials *denials, const char *bytes, size_t len,
	struct zs_named_told *const *told, size_t count);

/* The command has ended. */
void zs_named_told_end(struct zs_named_told *told, int status);

/* Tells the collector of the end, when it may. Returns the milliseconds after which it wants to be called again; -1: it
 * need not. */
int zs_named_told_finish(struct zs_named_told *told, const struct zs_named_denials *denials);

/* The run has ended: the last call, which waits a moment. */
void zs_named_told_leave(struct zs_named_told *told, int status);

/* Called inside, by the process that serves a command, when that has ended: makes a call that is refused. The init
 * tells of calls in their order, so the daemon has all records of the command when it gets this one. */
void zs_named_mark(void);

#endif
