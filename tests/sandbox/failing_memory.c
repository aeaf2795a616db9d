#include "failing_memory.h"

#include <errno.h>

static size_t count, failing, left;
static bool failed;

void failing_memory_begin(size_t fail_at)
{
	count = left = 0;
	failing = fail_at;
	failed = false;
}

bool failing_memory_end(size_t *ret_left)
{
	*ret_left = left;
	failing = 0;
	return failed;
}

static bool fails(void)
{
	if (++count != failing)
		return false;
	failed = true;
	errno = ENOMEM;
	return true;
}

static void *given(void *memory)
{
	left += memory != NULL;
	return memory;
}

void *failing_malloc(size_t size)
{
	return fails() ? NULL : given(malloc(size));
}

void *failing_calloc(size_t number, size_t size)
{
	return fails() ? NULL : given(calloc(number, size));
}

void *failing_realloc(void *old, size_t size)
{
	void *memory = fails() ? NULL : realloc(old, size);

	return old ? memory : given(memory);
}

char *failing_strdup(const char *text)
{
	return fails() ? NULL : given(strdup(text));
}

void failing_free(void *memory)
{
	left -= memory != NULL;
	free(memory);
}
