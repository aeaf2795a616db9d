/* tree-sitter's allocator, bound at compile time (ts_malloc and its kin are macros in its alloc.h): everything
 * it allocates comes from the arena of the vetting that runs on this thread. tree-sitter does not look at what
 * its allocator returns, so a bounded allocator that gives up must not return: the arena jumps out, and what
 * tree-sitter held lies in the arena and goes with it. */
#ifndef ZS_PARSE_ARENA_H
#define ZS_PARSE_ARENA_H

#include <stddef.h>

struct zs_arena;

/* Serves this thread's tree-sitter calls from `arena` until the next call; NULL: no tree-sitter call may come. */
void zs_parse_arena_use(struct zs_arena *arena);

void *zs_parse_malloc(size_t size);
void *zs_parse_calloc(size_t count, size_t size);
void *zs_parse_realloc(void *memory, size_t size);
void zs_parse_free(void *memory);

#endif
