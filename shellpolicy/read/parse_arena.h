/* tree-sitter's allocator, bound at compile time (ts_malloc and its kin are macros in its alloc.h). Everything that
 * tree-sitter allocates comes from the arena of the vetting on this thread. tree-sitter does not check for NULL, so an
 * allocator that has reached its limit must not return: it jumps to the start of the vetting. The memory that
 * tree-sitter held lies in the arena and goes with it. */
#ifndef ZS_PARSE_ARENA_H
#define ZS_PARSE_ARENA_H

#include <stddef.h>

struct zs_arena;

/* Makes `arena` serve this thread's tree-sitter calls until the next call. With NULL no tree-sitter call may come. */
void zs_parse_arena_use(struct zs_arena *arena);

void *zs_parse_malloc(size_t size);
void *zs_parse_calloc(size_t count, size_t size);
void *zs_parse_realloc(void *memory, size_t size);
void zs_parse_free(void *memory);

#endif
