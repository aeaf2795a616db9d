/* Network addresses as values: reads and writes them, and finds their kind. Pure. */
#ifndef ZS_SANDBOX_NET_ADDRESS_H
#define ZS_SANDBOX_NET_ADDRESS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/* The proxy connects only to PUBLIC addresses, and to those that are listed themselves. A zeroed struct has the first
 * kind. */
#define ZS_ADDRESS_KINDS(X)                                                                                            \
	X(RESERVED, "reserved")                                                                                        \
	X(UNSPECIFIED, "unspecified")                                                                                  \
	X(LOOPBACK, "loopback")                                                                                        \
	X(LINK_LOCAL, "link-local")                                                                                    \
	X(PRIVATE, "private")                                                                                          \
	X(MULTICAST, "multicast")                                                                                      \
	X(BENCHMARK, "benchmark")                                                                                      \
	X(PUBLIC, "public")

#define ZS_ENUM_ADDRESS_KIND(id, name) ZS_ADDRESS_##id,
enum zs_address_kind { ZS_ADDRESS_KINDS(ZS_ENUM_ADDRESS_KIND) ZS_ADDRESS_KIND_COUNT };

enum { ZS_ADDRESS_TEXT_SIZE = INET6_ADDRSTRLEN };

/* family is AF_INET, AF_INET6, or AF_UNSPEC for no address. A v4 address that is mapped into v6 (::ffff:0:0/96) is
 * always held as v4, so that equal addresses are equal bytes. */
struct zs_address {
	sa_family_t family;
	uint8_t bytes[16]; /* in network order; for AF_INET 4 bytes, then zeros */
};

/* len: 4 or 16. */
struct zs_address zs_address_from_bytes(const uint8_t *bytes, size_t len);

/* Reads "192.0.2.1", four decimal numbers without leading zeros, or an IPv6 address without brackets and zone. -EINVAL:
 * any other text. Programs read the other spellings of IPv4 (0x7f.1, 017700000001, 127.1, 2130706433) in different
 * ways. */
int zs_address_parse(const char *text, size_t len, struct zs_address *ret_address);

/* Writes the canonical text; "" for no address. */
void zs_address_text(const struct zs_address *address, char text[ZS_ADDRESS_TEXT_SIZE]);

bool zs_address_equal(const struct zs_address *a, const struct zs_address *b);

/* Reads an address of AF_INET or AF_INET6, with its whole size. False: it is another one, or too short. */
bool zs_address_from_sockaddr(
	const struct sockaddr *from, socklen_t size, struct zs_address *ret_address, uint16_t *ret_port);

/* Finds where a connection to the address leads: to the loopback, if it stands for all addresses. */
struct zs_address zs_address_reached(const struct zs_address *address);

/* Returns the length for connect(2); 0 for no address. */
socklen_t zs_address_to_sockaddr(const struct zs_address *address, uint16_t port, struct sockaddr_storage *ret_to);

/* Finds the kind by IANA's registries of special-purpose addresses. An address that embeds a v4 address (NAT64, 6to4,
 * Teredo) has the kind of that. An address that no registry assigns to the public is RESERVED. */
enum zs_address_kind zs_address_kind(const struct zs_address *address);

/* Lists the v4 addresses that a v6 address embeds and leads to. Returns their number. */
enum { ZS_ADDRESS_EMBEDDED_MAX = 2 };
size_t zs_address_embedded(const struct zs_address *address, struct zs_address ret_embedded[ZS_ADDRESS_EMBEDDED_MAX]);

#endif
