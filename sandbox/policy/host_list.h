/* Does a policy's list of hosts allow one? Pure.
 *
 * An entry is a name, "*." and a name, or an IP address, each with or without a port:
 *
 *	example.org          that name, at any port
 *	example.org:443      at this port only
 *	*.example.org        every name below example.org, not itself
 *	192.0.2.7 [2001:db8::1]:80
 *
 * An entry without a port allows every port. An address is allowed only when it stands in the list itself; "*" never
 * means one. */
#ifndef ZS_SANDBOX_NET_HOST_LIST_H
#define ZS_SANDBOX_NET_HOST_LIST_H

#include "net/host_name.h"
#include "policy/policy.h"

struct zs_host_entry {
	bool below; /* "*." stood before the name */
	struct zs_host host;
};

enum { ZS_HOST_ENTRY_SIZE = ZS_HOST_TEXT_SIZE + 2 };

/* As zs_host_parse(). A v6 address without a port may come without brackets. */
int zs_host_entry_parse(const char *text, struct zs_host_entry *ret_entry, const char **ret_problem);

/* The canonical text, which is how a policy holds its hosts. */
void zs_host_entry_text(const struct zs_host_entry *entry, char text[ZS_HOST_ENTRY_SIZE]);

bool zs_host_entry_allows(const struct zs_host_entry *entry, const struct zs_host *host);

/* Does an entry allow every host that another entry allows? */
bool zs_host_entry_covers(const struct zs_host_entry *entry, const struct zs_host_entry *wanted);

/* Each takes the hosts of a policy; an entry that cannot be read, which no policy has, allows nothing. */

/* May host.name be connected to at host.port? An unknown port, 0, only where any is. */
bool zs_hosts_allow(const struct zs_strings *hosts, const struct zs_host *host);

/* Is there any port at which it may? That is what a resolver asks. */
bool zs_hosts_know(const struct zs_strings *hosts, const struct zs_host *host);

/* May this address be connected to, when the name that it was resolved from is allowed? If it is public, or if it
 * stands in the list itself. */
bool zs_hosts_allow_address(const struct zs_strings *hosts, const struct zs_address *address, uint16_t port);

#endif
