#include "proxy/proxy_ports.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "policy/host_list.h"
#include "policy/environment.h"

enum { PRIVILEGED = 1024 }; /* man 7 ip, ip_unprivileged_port_start */

/* The DNS port and the proxy's port have a listener at 127.0.0.1, which prevents one for all addresses. */
static bool is_for_all(uint16_t port)
{
	return port < PRIVILEGED && port != ZS_PROXY_DNS_PORT && port != ZS_PROXY_PORT;
}

/* Returns the name's number. */
static size_t add_name(struct zs_proxy_ports *ports, const char *name)
{
	size_t i = 0;

	while (i < ports->named && strcmp(ports->names[i], name) != 0)
		i++;
	if (i == ports->named)
		strcpy(ports->names[ports->named++], name);
	return i;
}

static void add_row(struct zs_proxy_ports *ports, uint32_t address, uint16_t port, bool v6)
{
	for (size_t i = 0; i < ports->count; i++)
		if (ports->rows[i].address == address && ports->rows[i].port == port && ports->rows[i].v6 == v6)
			return;
	ports->rows[ports->count].address = address;
	ports->rows[ports->count].v6 = v6;
	ports->rows[ports->count++].port = port;
}

/* Below PRIVILEGED are the ports of the proxy's own listeners. */
static void add_loopback(struct zs_proxy_ports *ports, const struct zs_host *host)
{
	const uint8_t *bytes = host->address.bytes;
	uint32_t address = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];

	if (host->port >= PRIVILEGED)
		add_row(ports, host->address.family == AF_INET ? address : INADDR_LOOPBACK, host->port, false);
}

void zs_proxy_ports_of(const struct zs_policy *policy, struct zs_proxy_ports *ret_ports)
{
	ret_ports->count = ret_ports->named = 0;
	for (size_t i = 0; i < policy->hosts.count && ret_ports->count < ZS_PROXY_PORTS_MAX; i++) {
		struct zs_host_entry entry;
		bool loopback;

		if (zs_host_entry_parse(policy->hosts.items[i], &entry, NULL) < 0)
			continue;
		loopback = zs_address_kind(&entry.host.address) == ZS_ADDRESS_LOOPBACK;
		if (entry.host.port != 0 && loopback && entry.host.address.family == AF_INET6) {
			add_row(ret_ports, 0, entry.host.port, true);
			continue;
		}
		if (entry.host.port == 0 || entry.host.port == ZS_PROXY_TLS_PORT ||
			entry.host.port == ZS_PROXY_PLAIN_PORT)
			continue;
		if (is_for_all(entry.host.port))
			add_row(ret_ports, INADDR_ANY, entry.host.port, false);
		else if (loopback || zs_host_is_localhost(&entry))
			add_loopback(ret_ports, &entry.host);
		else if (!entry.below && entry.host.address.family == AF_UNSPEC)
			add_row(ret_ports, zs_proxy_address_at(add_name(ret_ports, entry.host.name)), entry.host.port,
				false);
	}
}

/* The first two are the network's own address and lo's. */
enum { FIRST = 2 };

uint32_t zs_proxy_address_at(size_t number)
{
	return ZS_PROXY_POOL + FIRST + (uint32_t)number;
}

uint32_t zs_proxy_address_of(struct zs_proxy_names *names, const char *name)
{
	size_t i = 0;

	while (i < names->count && strcmp(names->names[i], name) != 0)
		i++;
	if (i == ZS_PROXY_NAMES_MAX)
		return 0;
	if (i == names->count) {
		names->names[i] = strdup(name);
		if (!names->names[i])
			return 0;
		names->count++;
	}
	return zs_proxy_address_at(i);
}

const char *zs_proxy_name_of(const struct zs_proxy_names *names, uint32_t address)
{
	uint32_t i = address - ZS_PROXY_POOL - FIRST;

	return i < names->count ? names->names[i] : NULL;
}
