#include "arena.h"

#include <stdarg.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE (256 * 1024)

struct zs_arena_block {
	struct zs_arena_block *next;
	size_t used, size;
	alignas(max_align_t) unsigned char bytes[];
};

void zs_arena_init(struct zs_arena *arena, size_t limit)
{
	*arena = (struct zs_arena){ .limit = limit };
}

static void free_blocks(struct zs_arena_block *block)
{
	while (block) {
		struct zs_arena_block *next = block->next;

		free(block);
		block = next;
	}
}

void zs_arena_reset(struct zs_arena *arena)
{
	struct zs_arena_block *keep = arena->blocks;

	arena->used = 0;
	arena->work = 0;
	if (!keep)
		return;
	free_blocks(keep->next);
	keep->next = NULL;
	keep->used = 0;
	if (keep->size > BLOCK_SIZE) {
		free(keep);
		arena->blocks = NULL;
	}
}

void zs_arena_free(struct zs_arena *arena)
{
	free_blocks(arena->blocks);
	arena->blocks = NULL;
}

_Noreturn void zs_arena_give_up(struct zs_arena *arena)
{
	longjmp(*arena->exhausted, 1);
}

static struct zs_arena_block *add_block(struct zs_arena *arena, size_t need)
{
	size_t size = need > BLOCK_SIZE ? need : BLOCK_SIZE;
	struct zs_arena_block *block = malloc(sizeof *block + size);

	if (!block)
		zs_arena_give_up(arena);
	block->next = arena->blocks;
	block->used = 0;
	block->size = size;
	arena->blocks = block;
	return block;
}

void *zs_arena_alloc(struct zs_arena *arena, size_t size)
{
	const size_t mask = alignof(max_align_t) - 1;
	struct zs_arena_block *block = arena->blocks;
	void *memory;

	if (size > arena->limit)
		zs_arena_give_up(arena);
	size = (size + mask) & ~mask;
	arena->used += size;
	if (arena->used > arena->limit)
		zs_arena_give_up(arena);
	if (!block || block->size - block->used < size)
		block = add_block(arena, size);
	memory = block->bytes + block->used;
	block->used += size;
	return memset(memory, 0, size);
}

char *zs_arena_string(struct zs_arena *arena, const char *text, size_t len)
{
	char *copy = zs_arena_alloc(arena, len + 1);

	if (len)
		memcpy(copy, text, len);
	return copy;
}

char *zs_arena_format(struct zs_arena *arena, const char *format, ...)
{
	va_list args, again;
	char *text;
	int len;

	va_start(args, format);
	va_copy(again, args);
	len = vsnprintf(NULL, 0, format, args);
	va_end(args);
	text = zs_arena_alloc(arena, (size_t)(len < 0 ? 0 : len) + 1);
	if (len > 0)
		vsnprintf(text, (size_t)len + 1, format, again);
	va_end(again);
	return text;
}

void *zs_arena_grow(struct zs_arena *arena, void *items, uint32_t count, uint32_t *capacity, size_t item_size)
{
	uint32_t larger = *capacity ? *capacity * 2 : 8;
	void *copy = zs_arena_alloc(arena, larger * item_size);

	if (count)
		memcpy(copy, items, count * item_size);
	*capacity = larger;
	return copy;
}
