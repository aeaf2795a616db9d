/* Memory of which one allocation can be made to fail, and of which it is known whether any is left. The code that is
 * compiled with this header in front and FAILING_MEMORY (build.zig) allocates here. */
#ifndef ZS_TESTS_SANDBOX_FAILING_MEMORY_H
#define ZS_TESTS_SANDBOX_FAILING_MEMORY_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* From now on; fail_at: the allocation that fails, from 1; 0: none. */
void failing_memory_begin(size_t fail_at);
/* True: one has failed. *ret_left: blocks that were allocated since then and have not been freed. */
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
