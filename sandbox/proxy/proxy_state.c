#include "proxy/proxy_state.h"

#include <stdlib.h>
#include <unistd.h>

#include "proxy/proxy_system.h"

void zs_proxy_watch(struct zs_proxy *proxy, struct zs_watched *watched, uint32_t events)
{
	if (events == watched->events)
		return;
	/* A connection whose socket cannot be watched would never go on. */
	if (zs_ready_change(proxy, watched, events) < 0 && events)
		_exit(EXIT_FAILURE);
	watched->events = events;
}

void zs_proxy_tell(struct zs_proxy *proxy, const struct zs_proxy_line *line)
{
	if (proxy->denials)
		zs_proxy_denials_add(proxy->denials, line);
	if (!zs_proxy_report(&proxy->report, proxy->run.fd, line))
		_exit(EXIT_FAILURE);
}

void zs_proxy_forget(struct zs_proxy *proxy, struct zs_watched *watched)
{
	if (watched->fd < 0)
		return;
	zs_proxy_watch(proxy, watched, 0);
	close(watched->fd);
	watched->fd = -1;
}
