/* A page that a test shares with zs-counted: zs with an allocator that counts, and can fail once. */
#ifndef ZS_TESTS_ALLOCATIONS_H
#define ZS_TESTS_ALLOCATIONS_H

/* Names the file that the page is. */
#define ALLOCATIONS_ENV "INJECT_ALLOCATIONS"

enum { ALLOCATIONS_ZS, ALLOCATIONS_SHIM, ALLOCATIONS_PROGRAMS };

struct allocations {
	unsigned program, fail_at; /* the call to fail, from 1; 0: none */
	unsigned calls[ALLOCATIONS_PROGRAMS];
};

#endif
