/* Cleanup by attribute: what a variable owns is released when it leaves its scope, on every path. Arrays that grow. */
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

/* The array with room for one more behind its first `count`, which are all there is in it: it doubles. NULL when out of
 * memory; then the old one is still there. */
static inline void *zs_with_room(void *items, size_t count, size_t size)
{
	return count & (count - 1) ? items : realloc(items, (count ? 2 * count : 1) * size);
}

/* Hands a pointer on, so that its ZS_AUTO_… owner lets go of it. */
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
