#include "proxy/proxy_child.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

void zs_proxy_wait(pid_t proxy)
{
	enum { TRIES = 500, PAUSE_MS = 10 };

	for (int i = 0; i < TRIES; i++) {
		/* Most times it is done at once. */
		struct timespec pause = { .tv_nsec = i < PAUSE_MS ? 100 * 1000 : PAUSE_MS * 1000 * 1000 };

		if (waitpid(proxy, NULL, WNOHANG) != 0)
			return;
		nanosleep(&pause, NULL);
	}
	/* A session's session parent may not: the proxy is not in its Landlock domain. */
	if (kill(proxy, SIGKILL) == 0)
		waitpid(proxy, NULL, 0);
}
