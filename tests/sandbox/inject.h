/* A tracer that lets chosen system calls of a program fail, in it and in every process that it starts, until the
 * command that it was told to run has begun. */
#ifndef ZS_TESTS_SANDBOX_INJECT_H
#define ZS_TESTS_SANDBOX_INJECT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A call's place, which is the same in each run: process and ordinal. The order over all processes need not be. */
struct call {
	unsigned process;    /* in order of creation; 0 is the one that was started */
	unsigned ordinal;    /* in its process, from 0 */
	unsigned occurrence; /* of this system call in its process, from 1 */
	unsigned image;      /* 1: zs itself, that makes the policy; 2: the shim; or processes that these start */
	long number;
	uint64_t arguments[6];
	bool startup;   /* the C library's, before any constructor */
	bool command;   /* the exec that becomes the command */
	char path[128]; /* that the call is about, if it names one */
};

/* Is asked at the entry of each call; true: the kernel does not run it, and the process receives *ret_result. */
typedef bool call_filter(const struct call *call, long *ret_result, void *arg);

struct injection {
	char *const *argv; /* argv[0] is executed */
	char *const *envp;
	const char *cwd;
	uid_t uid;
	const char *command; /* the path whose exec ends the set-up */
	call_filter *filter;
	void *arg;
	bool late; /* a call that the kernel does not run fails when everybody else is at rest, and not at once */
};

struct outcome {
	int status;     /* exit code, or 128 and the signal */
	bool ran;       /* the command has begun */
	bool timed_out; /* after INJECT_SECONDS something was still running */
	unsigned processes;
	char err[2048];
};

enum { INJECT_SECONDS = 5 };

/* -errno when this process may not trace. */
int inject_run(const struct injection *injection, struct outcome *ret_outcome);

/* "openat", or its number; a static buffer. */
const char *call_name(long number);

#endif
