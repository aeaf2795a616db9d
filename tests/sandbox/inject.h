/* A tracer that lets chosen system calls fail, in a program and in all processes that it starts, until the command that
 * the program runs has begun. */
#ifndef ZS_TESTS_SANDBOX_INJECT_H
#define ZS_TESTS_SANDBOX_INJECT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A call. Its process and ordinal are the same in each run; the order over all processes may differ. */
struct call {
	unsigned process;    /* numbered in order of creation; 0 is the process that was started */
	unsigned ordinal;    /* the call's number in its process, from 0 */
	unsigned occurrence; /* the number of this system call in its process, from 1 */
	unsigned image;      /* 1: zs itself, which makes the policy; 2: the shim; or processes that these start */
	long number;
	uint64_t arguments[6];
	bool startup;   /* made by the C library, before any constructor */
	bool command;   /* the exec that becomes the command */
	char path[128]; /* the path in the call's arguments, if there is one */
};

/* Called at the entry of each call. True: the kernel does not run the call, and the process receives *ret_result. */
typedef bool call_filter(const struct call *call, long *ret_result, void *arg);

struct injection {
	char *const *argv; /* argv[0] is executed */
	char *const *envp;
	const char *cwd;
	uid_t uid;
	const char *command; /* the path whose exec ends the set-up */
	call_filter *filter;
	void *arg;
	bool late; /* a call that is not run fails only when all other processes are at rest */
};

struct outcome {
	int status;     /* exit code, or 128 and the signal */
	bool ran;       /* the command has begun */
	bool timed_out; /* after INJECT_SECONDS a process was still running */
	unsigned processes;
	char err[2048];
};

enum { INJECT_SECONDS = 5 };

/* -errno: this process may not trace. */
int inject_run(const struct injection *injection, struct outcome *ret_outcome);

/* Returns "openat", or the call's number; a static buffer. */
const char *call_name(long number);

#endif
