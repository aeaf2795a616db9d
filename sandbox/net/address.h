/* Network addresses as values: reading, writing, and of which kind one is. Pure. */
#ifndef ZS_SANDBOX_NET_ADDRESS_H
#define ZS_SANDBOX_NET_ADDRESS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/* Only PUBLIC is connected to without being listed itself. The first is what a zeroed struct is. */
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

/* family is AF_INET, AF_INET6, or AF_UNSPEC, which is none. A v4 address that is mapped into v6 (::ffff:0:0/96) is
 * always held as the v4 one, so that equal addresses are equal bytes. */
struct zs_address {
	sa_family_t family;
	uint8_t bytes[16]; /* in network order; 4 of them, and then zeros, for AF_INET */
};

/* One of 4 or 16 bytes. */
struct zs_address zs_address_from_bytes(const uint8_t *bytes, size_t len);

/* Reads "192.0.2.1", four decimal numbers without leading zeros, or an IPv6 address without brackets and without a
 * zone. -EINVAL for all else: the other spellings of IPv4 (0x7f.1, 017700000001, 127.1, 2130706433) are read in
 * different ways by different programs. */
int zs_address_parse(const char *text, size_t len, struct zs_address *ret_address);

/* The canonical text; "" of none. */
void zs_address_text(const struct zs_address *address, char text[ZS_ADDRESS_TEXT_SIZE]);

bool zs_address_equal(const struct zs_address *a, const struct zs_address *b);

/* The length to give to connect(2); 0 of no address. */
socklen_t zs_address_to_sockaddr(const struct zs_address *address, uint16_t port, struct sockaddr_storage *ret_to);

/* By IANA's registries of special-purpose addresses. An address that embeds a v4 one (NAT64, 6to4, Teredo) is of that
 * one's kind; an address that no registry assigns to the public is RESERVED. */
enum zs_address_kind zs_address_kind(const struct zs_address *address);

/* The v4 addresses that a v6 one embeds, and leads to: how many. */
enum { ZS_ADDRESS_EMBEDDED_MAX = 2 };
size_t zs_address_embedded(const struct zs_address *address, struct zs_address ret_embedded[ZS_ADDRESS_EMBEDDED_MAX]);

#endif
