/* The mark by which the processes of one session are known, wherever they have gone: of two files that stand side by
 * side, their sandbox lets them read one and not the other. A sandbox is inherited by all that a process starts and
 * cannot be left. One path alone would not do: an application's own sandbox reads neither. */
#ifndef ZS_SANDBOX_DARWIN_FINGERPRINT_H
#define ZS_SANDBOX_DARWIN_FINGERPRINT_H

#include <limits.h>
#include <sys/types.h>

#include "enforce/process_scan.h"
#include "zs_sandbox.h"

struct zs_fingerprint {
	char folder[PATH_MAX - 16]; /* real; of this user alone */
	char allowed[PATH_MAX], denied[PATH_MAX];
};

/* A new one: its folder has a random name and the two files, and is not where a preset lets commands write. */
int zs_fingerprint_make(struct zs_fingerprint *ret_fingerprint, struct zs_error *error);

/* The one that is in this folder. */
int zs_fingerprint_name(const char *folder, struct zs_fingerprint *ret_fingerprint);

/* Can the files be asked about? For one that is missing, sandbox_check() says of every process that it may not. So
 * they are put back: -EAGAIN, what was asked meanwhile was not answered. And this process, which has no such sandbox,
 * must be let read both. */
int zs_fingerprint_check(const struct zs_fingerprint *fingerprint);

/* 1: the process has it; 0: it has not. */
int zs_fingerprint_probe(const struct zs_fingerprint *fingerprint, pid_t pid);

/* Ends every process that has it, as zs_scan_end(). */
int zs_fingerprint_end(const struct zs_fingerprint *fingerprint, struct zs_scan_report *ret_report);

/* Says on stderr what zs_fingerprint_end() returned. */
void zs_fingerprint_complain(const struct zs_scan_report *report, int result);

void zs_fingerprint_remove(const struct zs_fingerprint *fingerprint);

#endif
