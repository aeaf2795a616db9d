/* The monotonic clock (CLOCK_MONOTONIC of man 2 clock_gettime), for deadlines. */
#ifndef ZS_SANDBOX_CLOCK_H
#define ZS_SANDBOX_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Milliseconds since some moment before this process began. Takes no lock, and does not call malloc(). */
static inline int64_t zs_now_ms(void)
{
	struct timespec now = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

#endif
