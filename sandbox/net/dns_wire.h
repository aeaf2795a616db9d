/* The pieces of which a DNS message is made (RFC 1035, 4.1). */
#ifndef ZS_SANDBOX_NET_DNS_WIRE_H
#define ZS_SANDBOX_NET_DNS_WIRE_H

#include "net/dns_message.h"

enum { ZS_DNS_CLASS_IN = 1 };

/* Bits of the flags. */
enum {
	ZS_DNS_RESPONSE = 0x8000,
	ZS_DNS_OPCODE_MASK = 0x7800,
	ZS_DNS_TRUNCATION = 0x0200,
	ZS_DNS_RECURSION_DESIRED = 0x0100,
	ZS_DNS_RECURSION_AVAILABLE = 0x0080,
	ZS_DNS_CODE_MASK = 0x000f,
};

struct zs_dns_header {
	uint16_t id, flags, questions, answers, authorities, additional;
};

uint16_t zs_dns_get16(const uint8_t *bytes);
void zs_dns_put16(uint8_t *bytes, uint16_t value);

/* -EINVAL when there is not so much. */
int zs_dns_read_header(const uint8_t *bytes, size_t len, struct zs_dns_header *ret_header);
void zs_dns_write_header(const struct zs_dns_header *header, uint8_t bytes[ZS_DNS_HEADER_SIZE]);

/* Reads the name at *at, in its labels, lower case, with the root's at the end, and moves *at behind it. A pointer
 * leads backwards only, so that there is no loop; without `pointers` it is an error, as everything else that is no name
 * is. */
int zs_dns_read_name(const uint8_t *bytes, size_t len, size_t *at, bool pointers, uint8_t ret_wire[ZS_DNS_NAME_MAX]);

/* Writes a canonical name; returns the length, 0 when it is none. */
size_t zs_dns_write_name(const char *name, uint8_t wire[ZS_DNS_NAME_MAX]);

/* Both as zs_dns_read_name() makes them. */
bool zs_dns_same_name(const uint8_t *a, const uint8_t *b);

#endif
