/* Memory whose allocations can be made to fail, one at a time, and that counts the blocks in use. Code that is compiled
 * with this header in front and with FAILING_MEMORY (build.zig) allocates here. */
#ifndef ZS_TESTS_SANDBOX_FAILING_MEMORY_H
#define ZS_TESTS_SANDBOX_FAILING_MEMORY_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Starts counting. fail_at: the number of the allocation that fails, from 1; 0: none. */
void failing_memory_begin(size_t fail_at);
/* True: an allocation has failed. *ret_left: the blocks that were allocated since the start and have not been freed. */
bool failing_memory_end(size_t *ret_left);

void *failing_malloc(size_t size);
void *failing_calloc(size_t count, size_t size);
void *failing_realloc(void *old, size_t size);
char *failing_strdup(const char *text);
void failing_free(void *memory);

#ifdef FAILING_MEMORY
#define malloc failing_malloc
#define calloc failing_calloc
#define realloc failing_realloc
#define strdup failing_strdup
#define free failing_free
#endif

#endif
