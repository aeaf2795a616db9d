/* System calls that the filter refuses, with arguments that do no harm if the filter fails. */
#ifndef ZS_TESTS_SANDBOX_SECCOMP_ATTACKS_H
#define ZS_TESTS_SANDBOX_SECCOMP_ATTACKS_H

#include <stddef.h>

/* Without a filter, the errno depends on how the kernel was built. */
enum { ATTACK_ANSWERED_OTHERWISE = -1 };

struct seccomp_attack {
	const char *name;
	int confined; /* the result: 0, an errno, or 128 plus a signal */
	int free;     /* the same for root without a filter; ATTACK_ANSWERED_OTHERWISE: any result but the filter's */
	long call;
	long args[6];
	int (*run)(void); /* called instead of the system call */
};

extern const struct seccomp_attack seccomp_attacks[];
extern const size_t seccomp_attack_count;

/* Performs the attack of this name. Returns 0 if it worked, else the errno. */
int attack_call(const char *name, const char *b);

#endif
