#include "parse_arena.h"

#include "arena.h"
#include "zs_shellpolicy.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Freed memory is kept by size class (powers of two) for the next allocation of that class: tree-sitter frees
 * and allocates millions of small nodes on its worst inputs. */
#define CLASSES 32

union header {
	struct {
		union header *next_free;
		uint32_t class;
	} h;
	max_align_t align;
};

struct freed {
	union header *first[CLASSES];
};

static _Thread_local struct zs_arena *current;
static _Thread_local struct freed freed;

void zs_parse_arena_use(struct zs_arena *arena)
{
	current = arena;
	memset(&freed, 0, sizeof freed);
}

static uint32_t class_of(size_t size)
{
	uint32_t class = 5; /* 32 bytes */

	while (((size_t)1 << class) < size && class < CLASSES - 1)
		class++;
	return class;
}

void *zs_parse_malloc(size_t size)
{
	uint32_t class = class_of(size);
	union header *header = freed.first[class];

	if (!current)
		abort(); /* a bug of ours: tree-sitter was called outside a vetting */
	/* Recovery from an error copies lists of nodes over and over, into memory that it has just freed. */
	current->work += size;
	if (current->work > ZS_MAX_PARSE_COPIED)
		zs_arena_give_up(current);
	if (header) {
		freed.first[class] = header->h.next_free;
		return header + 1;
	}
	header = zs_arena_alloc(current, sizeof *header + ((size_t)1 << class));
	header->h.class = class;
	return header + 1;
}

void *zs_parse_calloc(size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		return zs_parse_malloc(SIZE_MAX); /* jumps out */
	return memset(zs_parse_malloc(count * size), 0, count * size);
}

void *zs_parse_realloc(void *memory, size_t size)
{
	union header *header = memory;
	void *larger;
	size_t old;

	if (!memory)
		return zs_parse_malloc(size);
	header--;
	old = (size_t)1 << header->h.class;
	if (size <= old)
		return memory;
	larger = zs_parse_malloc(size);
	memcpy(larger, memory, old);
	zs_parse_free(memory);
	return larger;
}

void zs_parse_free(void *memory)
{
	union header *header = memory;

	if (!memory)
		return;
	header--;
	header->h.next_free = freed.first[header->h.class];
	freed.first[header->h.class] = header;
}
