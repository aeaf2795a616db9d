/* DNS messages (RFC 1035) of both kinds: the questions that a command asks our resolver, with our answers; and the
 * questions that we ask a real one, with its answers. One question a message, class IN. Pure.
 *
 * Over TCP a message has two bytes of length before it, which is the caller's business. */
#ifndef ZS_SANDBOX_NET_DNS_MESSAGE_H
#define ZS_SANDBOX_NET_DNS_MESSAGE_H

#include "net/host_name.h"

enum {
	ZS_DNS_UDP_MAX = 512,       /* RFC 1035, 4.2.1; ours say no more of themselves */
	ZS_DNS_MESSAGE_MAX = 65535, /* over TCP */
	ZS_DNS_NAME_MAX = 255,      /* on the wire, with its root label */
	ZS_DNS_HEADER_SIZE = 12,
	ZS_DNS_QUERY_MAX = ZS_DNS_HEADER_SIZE + ZS_DNS_NAME_MAX + 4,
	ZS_DNS_ADDRESSES_MAX = 16, /* of one answer; the rest is not looked at */
	ZS_DNS_RECORDS_MAX = 128,  /* of one answer: more is none */
	ZS_DNS_ALIASES_MAX = 8,    /* CNAME after CNAME */
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

/* A command's question. */
struct zs_dns_query {
	uint16_t id;
	bool recursion;                        /* was it asked for? */
	uint16_t type;                         /* any */
	char name[ZS_HOST_NAME_MAX + 1];       /* as it was asked: for zs_host_parse_only_name() */
	size_t question_len;                   /* 0: none that could be read */
	uint8_t question[ZS_DNS_NAME_MAX + 4]; /* goes back as it came, in its case */
};

/* 0; -EBADMSG: not a query, to be dropped without an answer; or -EINVAL: to be answered by zs_dns_answer() with
 * *ret_code. Those are: another opcode, not just one question, a question that is no name, or that is compressed,
 * another class than IN, a name with a byte that no zs_host has (it is still shown in ret_query->name, as "?"). */
int zs_dns_read_query(const uint8_t *bytes, size_t len, struct zs_dns_query *ret_query, enum zs_dns_code *ret_code);

/* Writes the answer, and returns its length, which is never above size; ZS_DNS_QUERY_MAX is the least size. It holds
 * the addresses that fit the question's type; none: "there is no such record", with ZS_DNS_OK. Addresses beyond size
 * are left out, and the answer says that it is truncated. */
size_t zs_dns_answer(const struct zs_dns_query *query, enum zs_dns_code code, const struct zs_address *addresses,
	size_t count, uint32_t ttl, uint8_t *bytes, size_t size);

/* Asks for the records of a canonical name: returns the length, 0 when it is no name. type: ZS_DNS_A or ZS_DNS_AAAA.
 * The id should be random, and the port that it is sent from as well. */
size_t zs_dns_ask(uint16_t id, const char *name, uint16_t type, uint8_t bytes[ZS_DNS_QUERY_MAX]);

enum zs_dns_outcome {
	ZS_DNS_NOT_OURS,  /* another id, question or kind of message: go on waiting */
	ZS_DNS_BROKEN,    /* ours, and malformed */
	ZS_DNS_TRUNCATED, /* ask by TCP */
	ZS_DNS_FAILED,    /* the server says so: ask another */
	ZS_DNS_NO_NAME,
	ZS_DNS_NO_ADDRESS, /* the name has none of this type */
	ZS_DNS_ADDRESSES,
};

/* Reads the answer to zs_dns_ask(id, name, type, …). Takes only addresses of the name that was asked for, or of a name
 * that is its alias. Addresses are not judged here: see zs_hosts_allow_address(). */
enum zs_dns_outcome zs_dns_read_answer(const uint8_t *bytes, size_t len, uint16_t id, const char *name, uint16_t type,
	struct zs_address ret_addresses[ZS_DNS_ADDRESSES_MAX], size_t *ret_count);

#endif
