/* malloc(3) and its family, linked into zs instead of musl's: what musl itself allocates (strdup, fopen) comes here
 * too. Nothing is ever freed: a program that runs once has room enough. */
#include "allocations.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HEAP_BYTES = 256 * 1024 * 1024, ALIGNMENT = 16 };

static struct allocations none, *shared;
static char *heap;
static size_t used;
/* A descriptor of the shared file, of a number that nothing else will have; the shim closes it before it allocates. */
static int canary = -1;

enum { CANARY = 500 };

static unsigned program(void)
{
	return canary >= 0 && fcntl(canary, F_GETFD) < 0 ? ALLOCATIONS_SHIM : ALLOCATIONS_ZS;
}

static void map_shared(void)
{
	const char *path = getenv(ALLOCATIONS_ENV);
	int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;

	shared = &none;
	if (fd < 0)
		return;
	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	canary = fcntl(fd, F_DUPFD_CLOEXEC, CANARY);
	close(fd);
	if (shared == MAP_FAILED || canary < 0)
		abort();
}

static void begin(void)
{
	heap = mmap(NULL, HEAP_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (heap == MAP_FAILED)
		abort();
	map_shared();
}

/* In front of each block stands its size. */
static void *take(size_t size, size_t alignment)
{
	unsigned now;
	size_t at;

	if (!heap)
		begin();
	now = program();
	if (++shared->calls[now] == shared->fail_at && shared->program == now) {
		errno = ENOMEM;
		return NULL;
	}
	at = (used + sizeof size + alignment - 1) / alignment * alignment;
	if (size > HEAP_BYTES || at + size > HEAP_BYTES) {
		errno = ENOMEM;
		return NULL;
	}
	used = at + size;
	memcpy(heap + at - sizeof size, &size, sizeof size);
	return heap + at;
}

void *malloc(size_t size)
{
	void *memory = take(size, ALIGNMENT);

	/* As dirty as memory can be. */
	return memory ? memset(memory, 0xa5, size) : NULL;
}

void *calloc(size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		return NULL;
	return take(count * size, ALIGNMENT); /* never used before, hence zeroes */
}

void *realloc(void *old, size_t size)
{
	void *memory = malloc(size);
	size_t old_size;

	if (!old || !memory)
		return memory;
	memcpy(&old_size, (char *)old - sizeof old_size, sizeof old_size);
	return memcpy(memory, old, old_size < size ? old_size : size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return take(size, alignment > ALIGNMENT ? alignment : ALIGNMENT);
}

int posix_memalign(void **ret_memory, size_t alignment, size_t size)
{
	void *memory = aligned_alloc(alignment, size);

	if (!memory)
		return ENOMEM;
	*ret_memory = memory;
	return 0;
}

void free(void *memory)
{
	(void)memory;
}
