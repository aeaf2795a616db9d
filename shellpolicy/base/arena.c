#include "base/arena.h"

#include "zs_shellpolicy.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE (256 * 1024)
#define LARGE_ITEM 32              /* most lists of words, commands, … stay short */
#define OWN_BLOCK (BLOCK_SIZE / 4) /* a larger allocation that does not fit gets a block of its own */

struct zs_arena_block {
	struct zs_arena_block *next;
	size_t used, size;
	alignas(max_align_t) unsigned char bytes[];
};

static size_t aligned(size_t size)
{
	const size_t mask = alignof(max_align_t) - 1;

	return (size + mask) & ~mask;
}

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

	arena->work = 0;
	arena->steps = 0;
	if (!keep)
		return;
	free_blocks(keep->next);
	keep->next = NULL;
	keep->used = 0;
	arena->held = keep->size;
	if (keep->size != BLOCK_SIZE) {
		free(keep);
		arena->blocks = NULL;
		arena->held = 0;
	}
}

void zs_arena_free(struct zs_arena *arena)
{
	free_blocks(arena->blocks);
	arena->blocks = NULL;
	arena->held = 0;
}

_Noreturn void zs_arena_give_up(struct zs_arena *arena)
{
	longjmp(*arena->exhausted, 1);
}

void zs_arena_spend(struct zs_arena *arena, size_t steps)
{
	arena->steps += steps;
	if (arena->steps > ZS_MAX_STEPS)
		zs_arena_give_up(arena);
}

/* Small allocations come from the newest block, which is the first. A block for one large allocation is put second. */
static void add_block(struct zs_arena *arena, size_t need)
{
	size_t left = arena->limit - arena->held, size = left < BLOCK_SIZE ? left : BLOCK_SIZE;
	struct zs_arena_block **place = &arena->blocks, *block;

	if (need > OWN_BLOCK) {
		size = need;
		place = &arena->blocks->next;
	}
	block = need <= left ? malloc(sizeof *block + size) : NULL;
	if (!block)
		zs_arena_give_up(arena);
	arena->held += size;
	*block = (struct zs_arena_block){ .next = *place, .size = size };
	*place = block;
}

static bool fits(const struct zs_arena_block *block, size_t size)
{
	return block->size - block->used >= size;
}

void *zs_arena_take(struct zs_arena *arena, size_t size)
{
	struct zs_arena_block *block;
	void *memory;

	if (size > arena->limit)
		zs_arena_give_up(arena);
	size = aligned(size);
	if (!arena->blocks) /* so a new vetter has the same budget as one that has kept a block: see zs_arena_reset() */
		add_block(arena, 0);
	block = arena->blocks;
	if (!fits(block, size)) {
		add_block(arena, size);
		block = size > OWN_BLOCK ? arena->blocks->next : arena->blocks;
	}
	memory = block->bytes + block->used;
	block->used += size;
	return memory;
}

void *zs_arena_alloc(struct zs_arena *arena, size_t size)
{
	return memset(zs_arena_take(arena, size), 0, size);
}

char *zs_arena_string(struct zs_arena *arena, const char *text, size_t len)
{
	char *copy = zs_arena_take(arena, len + 1);

	if (len)
		memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

/* The text is written in place if it fits there. */
char *zs_arena_format(struct zs_arena *arena, const char *format, ...)
{
	struct zs_arena_block *block = arena->blocks;
	char *here = block ? (char *)block->bytes + block->used : NULL, *text;
	va_list args, again;
	int len;

	va_start(args, format);
	va_copy(again, args);
	len = vsnprintf(here, block ? block->size - block->used : 0, format, args);
	va_end(args);
	text = zs_arena_take(arena, (size_t)(len < 0 ? 0 : len) + 1);
	if (len < 0)
		*text = '\0';
	else if (text != here)
		vsnprintf(text, (size_t)len + 1, format, again);
	va_end(again);
	return text;
}

/* Grows the newest allocation in place. False: it is not the newest, or there is no room. */
static bool extend(struct zs_arena *arena, unsigned char *items, size_t old, size_t larger)
{
	struct zs_arena_block *block = arena->blocks;

	if (!old || items + old != block->bytes + block->used || !fits(block, larger - old))
		return false;
	memset(items + old, 0, larger - old);
	block->used += larger - old;
	return true;
}

void *zs_arena_grow(struct zs_arena *arena, void *items, uint32_t count, uint32_t *capacity, size_t item_size)
{
	uint32_t first = item_size > LARGE_ITEM ? 2 : 8, larger = *capacity ? *capacity * 2 : first;
	void *copy = items;

	if (!extend(arena, items, aligned(*capacity * item_size), aligned(larger * item_size))) {
		copy = zs_arena_alloc(arena, larger * item_size);
		if (count)
			memcpy(copy, items, count * item_size);
	}
	*capacity = larger;
	return copy;
}
