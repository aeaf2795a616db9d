/* Cleanup by attribute: what a variable owns is released when the variable leaves its scope, on every path. Also arrays
 * that grow. */
#ifndef ZS_SANDBOX_CLEANUP_H
#define ZS_SANDBOX_CLEANUP_H

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static inline void zs_cleanup_free(void *pointer)
{
	free(*(void **)pointer);
}

static inline void zs_cleanup_fd(int *fd)
{
	int saved = errno;

	if (*fd >= 0)
		close(*fd);
	errno = saved;
}

#define ZS_AUTO_FREE __attribute__((cleanup(zs_cleanup_free)))
#define ZS_AUTO_FD __attribute__((cleanup(zs_cleanup_fd)))

#define ZS_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Returns the array with room for one more item. `count` is the number of its items; the array doubles when that is a
 * power of two. NULL: out of memory, and the old array is still valid. */
static inline void *zs_with_room(void *items, size_t count, size_t size)
{
	return count & (count - 1) ? items : realloc(items, (count ? 2 * count : 1) * size);
}

/* Hands a pointer on, so that its ZS_AUTO_… owner does not release it. */
#define ZS_STEAL(pointer)                                                                                              \
	({                                                                                                             \
		__typeof__(pointer) stolen_ = (pointer);                                                               \
		(pointer) = NULL;                                                                                      \
		stolen_;                                                                                               \
	})

/* The same for a descriptor: ret = ZS_STEAL_FD(fd). */
#define ZS_STEAL_FD(fd)                                                                                                \
	({                                                                                                             \
		int stolen_ = (fd);                                                                                    \
		(fd) = -1;                                                                                             \
		stolen_;                                                                                               \
	})

#endif
