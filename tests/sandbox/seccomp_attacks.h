/* System calls that the filter refuses, with arguments that harm nothing where they get through. */
#ifndef ZS_TESTS_SANDBOX_SECCOMP_ATTACKS_H
#define ZS_TESTS_SANDBOX_SECCOMP_ATTACKS_H

#include <stddef.h>

/* Which errno the kernel gives where no filter does depends on how it was built. */
enum { ATTACK_ANSWERED_OTHERWISE = -1 };

struct seccomp_attack {
	const char *name;
	int confined; /* how it ends: 0, an errno, or 128 and a signal */
	int free;     /* the same for root without a filter; or ATTACK_ANSWERED_OTHERWISE, than by the filter */
	long call;
	long args[6];
	int (*run)(void); /* instead of the call */
};

extern const struct seccomp_attack seccomp_attacks[];
extern const size_t seccomp_attack_count;

/* Performs the attack of this name; 0 when it worked, or the errno. */
int attack_call(const char *name, const char *b);

#endif
