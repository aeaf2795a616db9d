/* shellpolicy's limits as variables, and its heap: see allocation.c. */
#ifndef ZS_TESTS_ALLOCATION_H
#define ZS_TESTS_ALLOCATION_H

#include <stddef.h>
#include <stdint.h>

struct zs_vetter;

struct limits {
	uint32_t nodes, steps, reads;
	size_t memory; /* limit of vetters that are made from now on */
};

extern const struct limits real_limits;
extern struct limits limits;

struct heap {
	size_t calls, fail_at; /* fail_at: the call that fails, counted from 1; 0: none */
	size_t now, peak;      /* bytes */
};

extern struct heap heap;

/* Bytes that tree-sitter asked for in the newest vetting. */
size_t parse_work(const struct zs_vetter *vetter);
/* The amount that zs_arena_spend() has counted in it. */
size_t steps(const struct zs_vetter *vetter);

#endif
