/* Reads what a stopped process asked the kernel for. */
#ifndef ZS_SANDBOX_LINUX_TRACE_READ_H
#define ZS_SANDBOX_LINUX_TRACE_READ_H

#include <limits.h>
#include <stdint.h>

#include "denial/attempt.h"

struct zs_traced {
	int proc;     /* the root directory of a proc that shows it */
	pid_t pid;    /* of the thread, in that proc */
	pid_t group;  /* of its process, in that proc */
	pid_t inside; /* of its process, inside */
};

struct zs_trace_texts {
	char named[PATH_MAX], path[PATH_MAX], other[PATH_MAX], address[128];
};

/* Fills in *ret_refusal for a call that has returned `result`, a negative errno, or 0 and more for success. False: the
 * call is of no interest. The refusal's texts are static or in *texts. */
bool zs_trace_read(const struct zs_traced *traced, uint64_t number, const uint64_t arguments[6], int64_t result,
	struct zs_refusal *ret_refusal, struct zs_trace_texts *texts);

/* The same for a call that is about to be made: nothing is known of its result, and ret_refusal->error is 0. */
bool zs_trace_ask(const struct zs_traced *traced, uint64_t number, const uint64_t arguments[6],
	struct zs_refusal *ret_refusal, struct zs_trace_texts *texts);

/* The same for a call that seccomp refuses with this errno: its name, and the arguments of socket(2). */
bool zs_trace_refused(const struct zs_traced *traced, uint64_t number, const uint64_t arguments[6], int error,
	struct zs_refusal *ret_refusal, struct zs_trace_texts *texts);

/* Reads its working directory, and the name that it has set itself. */
bool zs_trace_folder(const struct zs_traced *traced, char path[PATH_MAX]);
void zs_trace_name(const struct zs_traced *traced, char name[16]);

/* Reads the last name of the path at an address. */
void zs_trace_program(pid_t pid, uint64_t address, char program[NAME_MAX + 1]);

/* The number after a name in PID/status of a proc, or -1. last: the last one of the line. */
long zs_trace_status(int proc, pid_t pid, const char *name, bool last);

#endif
