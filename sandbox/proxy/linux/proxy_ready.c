#include "proxy/proxy_system.h"

#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>

#include "proxy/proxy_state.h"

_Static_assert(POLLIN == EPOLLIN && POLLOUT == EPOLLOUT && POLLERR == EPOLLERR && POLLHUP == EPOLLHUP,
	"man 2 epoll_ctl: they are the same");

int zs_ready_open(struct zs_proxy *proxy)
{
	proxy->queue = epoll_create1(EPOLL_CLOEXEC);
	return proxy->queue < 0 ? -errno : 0;
}

int zs_ready_change(struct zs_proxy *proxy, struct zs_watched *watched, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.ptr = watched };
	int operation = watched->events ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;

	if (!events)
		operation = EPOLL_CTL_DEL;
	return epoll_ctl(proxy->queue, operation, watched->fd, &event) < 0 ? -errno : 0;
}

int zs_ready_wait(struct zs_proxy *proxy, struct zs_ready ret_ready[ZS_READY_AT_ONCE], int timeout_ms)
{
	struct epoll_event events[ZS_READY_AT_ONCE];
	int count = epoll_wait(proxy->queue, events, ZS_READY_AT_ONCE, timeout_ms);

	if (count < 0)
		return -errno;
	for (int i = 0; i < count; i++)
		ret_ready[i] = (struct zs_ready){ events[i].data.ptr, events[i].events };
	return count;
}
