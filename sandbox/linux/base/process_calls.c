#include "linux/base/process_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"

static int close_range_of(unsigned first, unsigned last)
{
	return first <= last && syscall(SYS_close_range, first, last, 0u) < 0 ? -errno : 0;
}

static int close_all_but(int one, int other)
{
	const int kept[] = { one < other ? one : other, one < other ? other : one };
	unsigned from = STDERR_FILENO + 1;

	for (size_t i = 0; i < ZS_COUNT(kept); i++) {
		int r;

		if (kept[i] < (int)from)
			continue;
		r = close_range_of(from, (unsigned)kept[i] - 1);
		if (r < 0)
			return r;
		from = (unsigned)kept[i] + 1;
	}
	return close_range_of(from, UINT_MAX);
}

/* One more is opened, and must be gone: a filter may only say that close_range(2) succeeds. */
int zs_close_others(int one, int other)
{
	int strict = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	int r = strict < 0 ? -errno : close_all_but(one, other);

	if (r < 0 || fcntl(strict, F_GETFD) < 0)
		return r;
	close(strict);
	return -EPERM;
}
