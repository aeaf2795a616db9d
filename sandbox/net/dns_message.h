/* DNS messages (RFC 1035) of both kinds: the questions that a command asks our resolver, with our answers; and the
 * questions that we ask a real one, with its answers. One question a message, class IN. Pure.
 *
 * Over TCP a message has two bytes of length before it, which the caller handles. */
#ifndef ZS_SANDBOX_NET_DNS_MESSAGE_H
#define ZS_SANDBOX_NET_DNS_MESSAGE_H

#include "net/host_name.h"

enum {
	ZS_DNS_UDP_MAX = 512,       /* RFC 1035, 4.2.1; our messages do not offer more */
	ZS_DNS_MESSAGE_MAX = 65535, /* over TCP */
	ZS_DNS_NAME_MAX = 255,      /* on the wire, with its root label */
	ZS_DNS_HEADER_SIZE = 12,
	ZS_DNS_QUERY_MAX = ZS_DNS_HEADER_SIZE + ZS_DNS_NAME_MAX + 4,
	ZS_DNS_ADDRESSES_MAX = 16, /* of one answer; further addresses are ignored */
	ZS_DNS_RECORDS_MAX = 128,  /* in one answer; one with more is malformed */
	ZS_DNS_ALIASES_MAX = 8,    /* aliases in a row (CNAME) */
};

enum { ZS_DNS_A = 1, ZS_DNS_CNAME = 5, ZS_DNS_AAAA = 28 };

/* RFC 1035, 4.1.1. */
enum zs_dns_code {
	ZS_DNS_OK,
	ZS_DNS_FORMAT_ERROR,
	ZS_DNS_SERVER_FAILURE,
	ZS_DNS_NO_SUCH_NAME,
	ZS_DNS_NOT_IMPLEMENTED,
	ZS_DNS_REFUSED,
};

/* A question of the command. */
struct zs_dns_query {
	uint16_t id;
	bool recursion;                        /* recursion was asked for */
	uint16_t type;                         /* any type */
	char name[ZS_HOST_NAME_MAX + 1];       /* as it was asked, for zs_host_parse_only_name() */
	size_t question_len;                   /* 0: no question could be read */
	uint8_t question[ZS_DNS_NAME_MAX + 4]; /* sent back as it came, in its own case */
};

/* 0; -EBADMSG: this is no query, and is dropped without an answer; or -EINVAL: zs_dns_answer() must answer with
 * *ret_code. The reasons for -EINVAL are: another opcode, not exactly one question, a question that is no name or is
 * compressed, another class than IN, a name with a byte that no zs_host has (ret_query->name shows it as "?"). */
int zs_dns_read_query(const uint8_t *bytes, size_t len, struct zs_dns_query *ret_query, enum zs_dns_code *ret_code);

/* Writes the answer and returns its length. size must be at least ZS_DNS_QUERY_MAX. The answer holds the addresses that
 * fit the question's type. With none and ZS_DNS_OK it says that there is no such record. Addresses for which there is
 * no room are left out, and the answer says that it is truncated. */
size_t zs_dns_answer(const struct zs_dns_query *query, enum zs_dns_code code, const struct zs_address *addresses,
	size_t count, uint32_t ttl, uint8_t *bytes, size_t size);

/* Writes a question for the records of a canonical name. Returns its length; 0: the name is invalid. type: ZS_DNS_A or
 * ZS_DNS_AAAA. The id and the port from which it is sent should be random. */
size_t zs_dns_ask(uint16_t id, const char *name, uint16_t type, uint8_t bytes[ZS_DNS_QUERY_MAX]);

enum zs_dns_outcome {
	ZS_DNS_NOT_OURS,  /* another id, question or kind of message: wait on */
	ZS_DNS_BROKEN,    /* our answer, but malformed */
	ZS_DNS_TRUNCATED, /* ask again by TCP */
	ZS_DNS_FAILED,    /* the server says that it failed: ask another */
	ZS_DNS_NO_NAME,
	ZS_DNS_NO_ADDRESS, /* the name has no address of this type */
	ZS_DNS_ADDRESSES,
};

/* Reads the answer to zs_dns_ask(id, name, type, …). Takes only addresses of the name that was asked for, or of a name
 * that is its alias. It does not judge addresses: see zs_hosts_allow_address(). */
enum zs_dns_outcome zs_dns_read_answer(const uint8_t *bytes, size_t len, uint16_t id, const char *name, uint16_t type,
	struct zs_address ret_addresses[ZS_DNS_ADDRESSES_MAX], size_t *ret_count);

#endif
