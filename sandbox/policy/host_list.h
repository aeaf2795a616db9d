/* Decides whether a policy's list allows a host. Pure.
 *
 * An entry is a name, "*." and a name, or an IP address, each with or without a port:
 *
 *	example.org          that name, at any port
 *	example.org:443      at this port only
 *	*.example.org        every name below example.org, not itself
 *	192.0.2.7 [2001:db8::1]:80
 *
 * An entry without a port allows every port. An address is allowed only when the list itself contains it; "*" never
 * stands for an address. */
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

/* Each takes the hosts of a policy. An entry that cannot be read allows nothing; no policy has such an entry. */

/* May the command connect to host.name at host.port? If the port is unknown (0), only an entry for every port allows
 * that. */
bool zs_hosts_allow(const struct zs_strings *hosts, const struct zs_host *host);

/* Is there any port at which the command may connect to the host? A resolver asks this. */
bool zs_hosts_know(const struct zs_strings *hosts, const struct zs_host *host);

/* May the command connect to this address, if the name from which it was resolved is allowed? It may if the address is
 * public, or if the list itself contains it. */
bool zs_hosts_allow_address(const struct zs_strings *hosts, const struct zs_address *address, uint16_t port);

/* Is it localhost with a port? Such an entry stands for 127.0.0.1 and ::1 at this port, too. */
bool zs_host_is_localhost(const struct zs_host_entry *entry);

#endif
