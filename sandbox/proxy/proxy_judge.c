/* Decides whether the command may reach a host, by its name and by each of its addresses. */
#include "enforce/proxy_routes.h"
#include "policy/host_list.h"
#include "proxy/proxy_connection.h"

const char *zs_proxy_refuses(const struct zs_proxy *proxy, const struct zs_host *host)
{
	if (proxy->paused)
		return ZS_PROXY_PAUSED;
	return zs_hosts_allow(&proxy->policy->hosts, host) ? NULL : ZS_PROXY_NOT_LISTED;
}

#define REASON(id, name) [ZS_ADDRESS_##id] = "its address is " name,
static const char *const reasons[ZS_ADDRESS_KIND_COUNT] = { ZS_ADDRESS_KINDS(REASON) };

/* Judges a public address and the address that it embeds: a gateway of NAT64 or 6to4 may be the machine itself. */
static const char *refuses_route(int routes, const struct zs_address *address)
{
	static const char *const causes[] = {
		[ZS_ROUTE_UNKNOWN] = "the route to its address is not known",
		[ZS_ROUTE_OWN] = "its address is this machine's own",
		[ZS_ROUTE_LINK] = "its address is in a network of this machine",
		[ZS_ROUTE_AWAY] = NULL,
	};
	struct zs_address embedded[ZS_ADDRESS_EMBEDDED_MAX];
	size_t count = zs_address_embedded(address, embedded);
	const char *cause = causes[zs_route_of(routes, address)];

	for (size_t i = 0; i < count && !cause; i++)
		cause = causes[zs_route_of(routes, &embedded[i])];
	return cause;
}

const char *zs_proxy_refuses_address(const struct zs_proxy *proxy, const struct zs_address *address, uint16_t port)
{
	const struct zs_host host = zs_host_of_address(address, port);

	if (!zs_hosts_allow_address(&proxy->policy->hosts, address, port))
		return reasons[zs_address_kind(address)];
	return zs_hosts_allow(&proxy->policy->hosts, &host) ? NULL : refuses_route(proxy->routes, address);
}
