/* All that the proxy watches is asked about each time: it has some hundreds of descriptors at most. */
#include "proxy/proxy_system.h"

#include <errno.h>
#include <poll.h>

#include "proxy/proxy_state.h"

enum { MOST = 1 + ZS_PROXY_LISTENERS_MAX + 2 * ZS_PROXY_CONNECTIONS_MAX };

struct list {
	struct pollfd events[MOST];
	struct zs_watched *watched[MOST];
	nfds_t count;
};

static void proxy_ready_add(struct list *list, struct zs_watched *watched)
{
	if (watched->fd < 0 || !watched->events)
		return;
	list->events[list->count] = (struct pollfd){ .fd = watched->fd, .events = (short)watched->events };
	list->watched[list->count++] = watched;
}

static void add_all(struct list *list, struct zs_proxy *proxy)
{
	proxy_ready_add(list, &proxy->run);
	for (size_t i = 0; i < proxy->listener_count; i++)
		proxy_ready_add(list, &proxy->listeners[i].watched);
	for (size_t i = 0; i < proxy->count; i++) {
		proxy_ready_add(list, &proxy->connections[i]->client);
		proxy_ready_add(list, &proxy->connections[i]->server);
	}
}

int zs_ready_open(struct zs_proxy *proxy)
{
	(void)proxy;
	return 0;
}

int zs_ready_change(struct zs_proxy *proxy, struct zs_watched *watched, uint32_t events)
{
	(void)proxy;
	(void)watched;
	(void)events;
	return 0;
}

int zs_ready_wait(struct zs_proxy *proxy, struct zs_ready ret_ready[ZS_READY_AT_ONCE], int timeout_ms)
{
	struct list list = { .count = 0 };
	int taken = 0;

	add_all(&list, proxy);
	if (poll(list.events, list.count, timeout_ms) < 0)
		return -errno;
	/* The run's end comes first, and of more than there is room for the rest is still ready next time. */
	for (nfds_t i = 0; i < list.count && taken < ZS_READY_AT_ONCE; i++)
		if (list.events[i].revents)
			ret_ready[taken++] =
				(struct zs_ready){ list.watched[i], (uint32_t)(unsigned short)list.events[i].revents };
	return taken;
}
