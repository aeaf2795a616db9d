/* shellpolicy on an allocator that counts and can fail, and with limits that can be lowered.
 *
 * Two files of shellpolicy allocate, and one of them sets most of the limits. Both are compiled here once more. The
 * linker prefers these copies to the library's, since this file comes first: its name sorts before all files that call
 * them. Otherwise the linker would say "duplicate symbol". */
#include "allocation.h"

#include "zs_shellpolicy.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const struct limits real_limits = {
	.nodes = ZS_MAX_NODES, .steps = ZS_MAX_PARSE_STEPS, .reads = ZS_MAX_PARSE_READS, .memory = ZS_MAX_MEMORY
};
struct limits limits = {
	.nodes = ZS_MAX_NODES, .steps = ZS_MAX_PARSE_STEPS, .reads = ZS_MAX_PARSE_READS, .memory = ZS_MAX_MEMORY
};
struct heap heap;

struct chunk {
	size_t size;
	max_align_t bytes[];
};

static void *counted_malloc(size_t size)
{
	struct chunk *chunk;

	if (++heap.calls == heap.fail_at)
		return NULL;
	chunk = malloc(sizeof *chunk + size);
	if (!chunk)
		abort();
	memset(chunk->bytes, 0xa5, size); /* no memory may be taken for zeroed */
	chunk->size = size;
	heap.now += size;
	heap.peak = heap.now > heap.peak ? heap.now : heap.peak;
	return chunk->bytes;
}

static void *counted_calloc(size_t count, size_t size)
{
	void *memory = counted_malloc(count * size);

	return memory ? memset(memory, 0, count * size) : NULL;
}

static void counted_free(void *memory)
{
	struct chunk *chunk;

	if (!memory)
		return;
	chunk = (struct chunk *)(void *)((char *)memory - offsetof(struct chunk, bytes));
	heap.now -= chunk->size;
	free(chunk);
}

#undef ZS_MAX_NODES
#undef ZS_MAX_PARSE_STEPS
#undef ZS_MAX_PARSE_READS
#undef ZS_MAX_MEMORY
#define ZS_MAX_NODES limits.nodes
#define ZS_MAX_PARSE_STEPS limits.steps
#define ZS_MAX_PARSE_READS limits.reads
#define ZS_MAX_MEMORY limits.memory
#define malloc counted_malloc
#define calloc counted_calloc
#define free counted_free
#include "../../shellpolicy/base/arena.c"
#include "../../shellpolicy/vet.c"
#undef malloc
#undef calloc
#undef free

size_t parse_work(const struct zs_vetter *vetter)
{
	return vetter->arena.work;
}

size_t steps(const struct zs_vetter *vetter)
{
	return vetter->arena.steps;
}
