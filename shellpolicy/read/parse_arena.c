#include "read/parse_arena.h"

#include "base/arena.h"
#include "zs_shellpolicy.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Freed memory is kept by size class, for the next allocation of that class: on its worst inputs tree-sitter frees and
 * allocates millions of small nodes. Most have 80 to 120 bytes, so the small classes lie close together. */
#define GRAIN 16
#define SMALL 16 /* classes that are multiples of GRAIN; each class after them is twice as large as the one before */
#define CLASSES (SMALL + 32)

struct header {
	alignas(max_align_t) struct header *next_free;
	uint32_t class;
};

struct freed {
	struct header *first[CLASSES];
};

static _Thread_local struct zs_arena *current;
static _Thread_local struct freed freed;

void zs_parse_arena_use(struct zs_arena *arena)
{
	current = arena;
	memset(&freed, 0, sizeof freed);
}

static size_t size_of(uint32_t class)
{
	return class <= SMALL ? class * GRAIN : (size_t)SMALL * GRAIN << (class - SMALL);
}

static uint32_t class_of(size_t size)
{
	uint32_t class = SMALL;

	if (size <= SMALL * GRAIN)
		return (uint32_t)((size + GRAIN - 1) / GRAIN);
	while (size_of(class) < size && class < CLASSES - 1)
		class++;
	return class;
}

void *zs_parse_malloc(size_t size)
{
	uint32_t class = class_of(size);
	struct header *header = freed.first[class];

	if (!current)
		abort(); /* a bug in zs: tree-sitter was called outside of a vetting */
	/* recovery from an error copies lists of nodes over and over, into memory that was just freed */
	current->work += size;
	if (current->work > ZS_MAX_PARSE_COPIED)
		zs_arena_give_up(current);
	if (header) {
		freed.first[class] = header->next_free;
		return header + 1;
	}
	header = zs_arena_take(current, sizeof *header + size_of(class));
	header->class = class;
	return header + 1;
}

void *zs_parse_calloc(size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		return zs_parse_malloc(SIZE_MAX); /* this does not return */
	return memset(zs_parse_malloc(count * size), 0, count * size);
}

void *zs_parse_realloc(void *memory, size_t size)
{
	struct header *header = memory;
	void *larger;
	size_t old;

	if (!memory)
		return zs_parse_malloc(size);
	header--;
	old = size_of(header->class);
	if (size <= old)
		return memory;
	larger = zs_parse_malloc(size);
	memcpy(larger, memory, old);
	zs_parse_free(memory);
	return larger;
}

void zs_parse_free(void *memory)
{
	struct header *header = memory;

	if (!memory)
		return;
	header--;
	header->next_free = freed.first[header->class];
	freed.first[header->class] = header;
}
