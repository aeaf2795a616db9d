/* The mark by which the processes of one session are known: their sandbox lets them read one of two neighbouring files
 * and not the other. All that a process starts inherits its sandbox, and cannot leave it. One path would not be enough:
 * an application's own sandbox may deny both. */
#ifndef ZS_SANDBOX_DARWIN_FINGERPRINT_H
#define ZS_SANDBOX_DARWIN_FINGERPRINT_H

#include <limits.h>
#include <sys/types.h>

#include "enforce/process_scan.h"
#include "zs_sandbox.h"

struct zs_fingerprint {
	char folder[PATH_MAX - 16]; /* a real path, which only this user can write */
	char allowed[PATH_MAX], denied[PATH_MAX];
};

/* Makes a new fingerprint: a folder with a random name and the two files, at a place where no preset lets commands
 * write. */
int zs_fingerprint_make(struct zs_fingerprint *ret_fingerprint, struct zs_error *error);

/* Uses the fingerprint in this folder. */
int zs_fingerprint_name(const char *folder, struct zs_fingerprint *ret_fingerprint);

/* Can the files be used for questions? If a file is missing, sandbox_check() says of every process that it may not read
 * it. So this puts missing files back, and returns -EAGAIN: answers since the last check do not count. It also checks
 * that this process, which has no such sandbox, may read both. */
int zs_fingerprint_check(const struct zs_fingerprint *fingerprint);

/* 1: the process has the fingerprint; 0: it has not. */
int zs_fingerprint_probe(const struct zs_fingerprint *fingerprint, pid_t pid);

/* Ends every process that has the fingerprint, as zs_scan_end() does. */
int zs_fingerprint_end(const struct zs_fingerprint *fingerprint, struct zs_scan_report *ret_report);

/* Reports on stderr the result of zs_fingerprint_end(). */
void zs_fingerprint_complain(const struct zs_scan_report *report, int result);

void zs_fingerprint_remove(const struct zs_fingerprint *fingerprint);

#endif
