#include "policy/host_list.h"

#include <errno.h>
#include <string.h>

int zs_host_entry_parse(const char *text, struct zs_host_entry *ret_entry, const char **ret_problem)
{
	struct zs_host_entry entry = { .below = strncmp(text, "*.", 2) == 0 };
	struct zs_address address;
	size_t len;
	int r;

	if (entry.below)
		text += 2;
	len = strlen(text);
	if (!entry.below && zs_address_parse(text, len, &address) == 0) {
		ret_entry->below = false;
		ret_entry->host = zs_host_of_address(&address, 0);
		return 0;
	}
	r = zs_host_parse(text, len, &entry.host, ret_problem);
	if (r < 0)
		return r;
	if (entry.below && entry.host.address.family != AF_UNSPEC) {
		if (ret_problem)
			*ret_problem = "has '*.' before an address; list the address itself";
		return -EINVAL;
	}
	*ret_entry = entry;
	return 0;
}

void zs_host_entry_text(const struct zs_host_entry *entry, char text[ZS_HOST_ENTRY_SIZE])
{
	if (entry->below)
		memcpy(text, "*.", 2);
	zs_host_text(&entry->host, text + (entry->below ? 2 : 0));
}

bool zs_host_is_localhost(const struct zs_host_entry *entry)
{
	return !entry->below && entry->host.port != 0 && strcmp(entry->host.name, "localhost") == 0;
}

static bool is_localhost_address(const struct zs_address *address)
{
	static const struct zs_address v4 = { AF_INET, { 127, 0, 0, 1 } }, v6 = { AF_INET6, { [15] = 1 } };

	return zs_address_equal(address, &v4) || zs_address_equal(address, &v6);
}

static bool allows_name(const struct zs_host_entry *entry, const struct zs_host *host)
{
	size_t len = strlen(host->name), tail = strlen(entry->host.name);

	if (!entry->below)
		return zs_host_same_name(&entry->host, host) ||
		       (zs_host_is_localhost(entry) && is_localhost_address(&host->address));
	/* The tail must start at a label's boundary, with a label before it. "*" stands for no address. */
	return host->address.family == AF_UNSPEC && len > tail && host->name[len - tail - 1] == '.' &&
	       strcmp(host->name + len - tail, entry->host.name) == 0;
}

bool zs_host_entry_allows(const struct zs_host_entry *entry, const struct zs_host *host)
{
	return (entry->host.port == 0 || entry->host.port == host->port) && allows_name(entry, host);
}

bool zs_host_entry_covers(const struct zs_host_entry *entry, const struct zs_host_entry *wanted)
{
	if (!wanted->below)
		return zs_host_entry_allows(entry, &wanted->host);
	return entry->below && (entry->host.port == 0 || entry->host.port == wanted->host.port) &&
	       (strcmp(entry->host.name, wanted->host.name) == 0 || allows_name(entry, &wanted->host));
}

bool zs_hosts_allow(const struct zs_strings *hosts, const struct zs_host *host)
{
	struct zs_host_entry entry;

	for (size_t i = 0; i < hosts->count; i++)
		if (zs_host_entry_parse(hosts->items[i], &entry, NULL) == 0 && zs_host_entry_allows(&entry, host))
			return true;
	return false;
}

bool zs_hosts_know(const struct zs_strings *hosts, const struct zs_host *host)
{
	struct zs_host_entry entry;

	for (size_t i = 0; i < hosts->count; i++)
		if (zs_host_entry_parse(hosts->items[i], &entry, NULL) == 0 && allows_name(&entry, host))
			return true;
	return false;
}

bool zs_hosts_allow_address(const struct zs_strings *hosts, const struct zs_address *address, uint16_t port)
{
	struct zs_host host = zs_host_of_address(address, port);

	return zs_address_kind(address) == ZS_ADDRESS_PUBLIC || zs_hosts_allow(hosts, &host);
}
