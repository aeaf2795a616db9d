/* One arena per vetting: everything that a report points to, and all that tree-sitter allocates, lies in it.
 * Running out (of the budget or of memory) does not return: it jumps to the vetting's start, which answers
 * `limit`. So no caller tests a pointer, and none can forget to. */
#ifndef ZS_ARENA_H
#define ZS_ARENA_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

struct zs_arena_block;

struct zs_arena {
	struct zs_arena_block *blocks; /* newest first */
	size_t held;                   /* bytes of the blocks */
	size_t limit;                  /* of them */
	size_t work;                   /* bytes that tree-sitter asked for, those that it got again included */
	size_t steps;                  /* zs_arena_spend() */
	jmp_buf *exhausted;            /* set by zs_vet() */
};

void zs_arena_init(struct zs_arena *arena, size_t limit);
/* Forgets every allocation; keeps one block for the next vetting. */
void zs_arena_reset(struct zs_arena *arena);
void zs_arena_free(struct zs_arena *arena);

/* Ends the vetting as if memory had run out. */
_Noreturn void zs_arena_give_up(struct zs_arena *arena);

/* Counts work that may be more than linear in the text, in bytes that are looked at; gives up at ZS_MAX_STEPS. So a
 * slow text has the same answer on every machine. */
void zs_arena_spend(struct zs_arena *arena, size_t steps);

/* Zeroed, aligned for any object. Never NULL. */
void *zs_arena_alloc(struct zs_arena *arena, size_t size);
/* The same with bytes of any value. */
void *zs_arena_take(struct zs_arena *arena, size_t size);
/* A NUL-terminated copy. */
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
