/* One arena per vetting. Everything that a report points to lies in it, and all that tree-sitter allocates. If the
 * budget or the memory runs out, an allocation does not return: it jumps to the start of the vetting, which answers
 * `limit`. So callers need not test a pointer. */
#ifndef ZS_ARENA_H
#define ZS_ARENA_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

struct zs_arena_block;

struct zs_arena {
	struct zs_arena_block *blocks; /* newest first */
	size_t held;                   /* bytes of all blocks */
	size_t limit;                  /* the most that `held` may become */
	size_t work;                   /* bytes that tree-sitter has asked for, reused memory included */
	size_t steps;                  /* counted by zs_arena_spend() */
	jmp_buf *exhausted;            /* set by zs_vet() */
};

void zs_arena_init(struct zs_arena *arena, size_t limit);
/* Forgets every allocation. One block is kept for the next vetting. */
void zs_arena_reset(struct zs_arena *arena);
void zs_arena_free(struct zs_arena *arena);

/* Ends the vetting as if memory had run out. */
_Noreturn void zs_arena_give_up(struct zs_arena *arena);

/* Counts the bytes that code looks at, where the work may be more than linear in the text. Gives up at ZS_MAX_STEPS, so
 * a slow text has the same answer on every machine. */
void zs_arena_spend(struct zs_arena *arena, size_t steps);

/* Zeroed, and aligned for any object. Never NULL. */
void *zs_arena_alloc(struct zs_arena *arena, size_t size);
/* Memory that is not zeroed. */
void *zs_arena_take(struct zs_arena *arena, size_t size);
/* Copies the text and adds a NUL. */
char *zs_arena_string(struct zs_arena *arena, const char *text, size_t len);
char *zs_arena_format(struct zs_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A growable array: ZS_PUSH(arena, &list, item), where list is { T *items; uint32_t count, capacity; }. */
void *zs_arena_grow(struct zs_arena *arena, void *items, uint32_t count, uint32_t *capacity, size_t item_size);

#define ZS_LIST(type)                                                                                                  \
	struct {                                                                                                       \
		type *items;                                                                                           \
		uint32_t count, capacity;                                                                              \
	}

#define ZS_PUSH(arena, list, ...)                                                                                      \
	((list)->count == (list)->capacity ? (void)((list)->items = zs_arena_grow((arena), (list)->items,              \
							    (list)->count, &(list)->capacity, sizeof *(list)->items))  \
					   : (void)0,                                                                  \
		(list)->items[(list)->count++] = (__VA_ARGS__))

#endif
