#include "proxy/proxy_lookup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "net/dns_message.h"
#include "proxy/proxy_system.h"

/* LENGTH: the bytes of a message's length over TCP. STREAM_MAX: two of the longest answers that are of use. */
enum { DNS_PORT = 53, LENGTH = 2, STREAM_MAX = 2 * (LENGTH + 16 * 1024) };

static void proxy_lookup_add(struct zs_lookup *lookup, const struct zs_address *address)
{
	for (size_t i = 0; i < lookup->count; i++)
		if (zs_address_equal(&lookup->addresses[i], address))
			return;
	if (lookup->count < ZS_LOOKUP_ADDRESSES)
		lookup->addresses[lookup->count++] = *address;
}

static void close_socket(struct zs_lookup *lookup)
{
	if (lookup->fd >= 0)
		close(lookup->fd);
	lookup->fd = -1;
	free(lookup->stream);
	lookup->stream = NULL;
}

static const uint16_t types[] = { ZS_DNS_A, ZS_DNS_AAAA };

/* Returns the question's length; 0: it cannot be asked. */
static size_t make_query(struct zs_lookup *lookup, int which, uint8_t query[ZS_DNS_QUERY_MAX])
{
	if (getentropy(&lookup->ids[which], sizeof lookup->ids[which]) < 0)
		return 0;
	return zs_dns_ask(lookup->ids[which], lookup->name, types[which], query);
}

static bool proxy_lookup_ask(struct zs_lookup *lookup, int which)
{
	uint8_t query[ZS_DNS_QUERY_MAX];
	size_t len = make_query(lookup, which, query);

	return len > 0 && zs_proxy_send(lookup->fd, query, len) == (ssize_t)len;
}

/* Sends both questions, each after its length. */
static bool ask_stream(struct zs_lookup *lookup)
{
	uint8_t queries[2 * (LENGTH + ZS_DNS_QUERY_MAX)];
	size_t at = 0;

	for (int i = 0; i < 2; i++) {
		size_t len = make_query(lookup, i, queries + at + LENGTH);

		if (len == 0)
			return false;
		queries[at] = (uint8_t)(len >> 8);
		queries[at + 1] = (uint8_t)len;
		at += LENGTH + len;
	}
	return zs_proxy_send(lookup->fd, queries, at) == (ssize_t)at;
}

/* Makes a new socket for each try: the kernel chooses a random port for it, and a connected socket takes answers of
 * that server only. 0: the socket is ready, or, for TCP, connecting. */
static int open_socket(struct zs_lookup *lookup, const struct zs_address *server, int type, int64_t now)
{
	struct sockaddr_storage to;
	socklen_t size = zs_address_to_sockaddr(server, DNS_PORT, &to);

	close_socket(lookup);
	lookup->fd = zs_proxy_socket(server->family, type);
	if (lookup->fd < 0)
		return lookup->fd;
	lookup->answered[0] = lookup->answered[1] = lookup->truncated = lookup->asked = false;
	lookup->deadline = now + ZS_LOOKUP_TRY_MS;
	return connect(lookup->fd, (struct sockaddr *)&to, size) < 0 && errno != EINPROGRESS ? -errno : 0;
}

static int try_next(struct zs_lookup *lookup, const struct zs_resolvers *resolvers, int64_t now)
{
	while (lookup->tries < (int)resolvers->count * ZS_LOOKUP_ROUNDS) {
		lookup->server = (size_t)lookup->tries++ % resolvers->count;
		if (open_socket(lookup, &resolvers->servers[lookup->server], SOCK_DGRAM, now) == 0 &&
			proxy_lookup_ask(lookup, 0) && proxy_lookup_ask(lookup, 1)) {
			lookup->asked = true;
			return 0;
		}
	}
	return lookup->count > 0 ? 1 : -EAGAIN;
}

/* Asks the same server once more for an answer that did not fit a datagram (RFC 7766, section 5). */
static int try_stream(struct zs_lookup *lookup, const struct zs_resolvers *resolvers, int64_t now)
{
	if (open_socket(lookup, &resolvers->servers[lookup->server], SOCK_STREAM, now) == 0)
		lookup->stream = malloc(STREAM_MAX);
	lookup->stream_len = 0;
	return lookup->stream ? 0 : try_next(lookup, resolvers, now);
}

int zs_lookup_begin(struct zs_lookup *lookup, const struct zs_resolvers *resolvers, const char *name, int64_t now)
{
	*lookup = (struct zs_lookup){ .name = name, .fd = -1 };
	lookup->count = zs_resolvers_find(resolvers, name, lookup->addresses, ZS_LOOKUP_ADDRESSES);
	return lookup->count > 0 ? 1 : try_next(lookup, resolvers, now);
}

/* Ignores a message that does not answer one of our questions. */
static void take_answer(struct zs_lookup *lookup, const uint8_t *message, size_t len, int64_t now)
{
	struct zs_address found[ZS_DNS_ADDRESSES_MAX];
	size_t count = 0;

	for (size_t i = 0; i < ZS_COUNT(types); i++) {
		enum zs_dns_outcome outcome =
			zs_dns_read_answer(message, len, lookup->ids[i], lookup->name, types[i], found, &count);

		if (lookup->answered[i] || outcome == ZS_DNS_NOT_OURS)
			continue;
		for (size_t j = 0; outcome == ZS_DNS_ADDRESSES && j < count; j++)
			proxy_lookup_add(lookup, &found[j]);
		/* The next server may have an answer. */
		if (outcome == ZS_DNS_BROKEN || outcome == ZS_DNS_FAILED)
			lookup->deadline = now;
		else if (outcome == ZS_DNS_TRUNCATED)
			lookup->truncated = true;
		else
			lookup->answered[i] = true;
		if (lookup->count > 0 && now + ZS_LOOKUP_OTHER_MS < lookup->deadline)
			lookup->deadline = now + ZS_LOOKUP_OTHER_MS;
	}
}

/* Returns 0, or the reason why there is nothing more to read now. */
static int hear_datagram(struct zs_lookup *lookup, int64_t now)
{
	uint8_t message[ZS_DNS_UDP_MAX];
	ssize_t len = recv(lookup->fd, message, sizeof message, 0);

	if (len < 0)
		return -errno;
	take_answer(lookup, message, (size_t)len, now);
	return 0;
}

static int hear_stream(struct zs_lookup *lookup, int64_t now)
{
	ssize_t got = recv(lookup->fd, lookup->stream + lookup->stream_len, STREAM_MAX - lookup->stream_len, 0);
	size_t at = 0;

	if (got <= 0)
		return got < 0 ? -errno : -EPIPE;
	lookup->stream_len += (size_t)got;
	while (lookup->stream_len - at >= LENGTH) {
		size_t len = (size_t)lookup->stream[at] << 8 | lookup->stream[at + 1];

		if (lookup->stream_len - at < LENGTH + len)
			break;
		take_answer(lookup, lookup->stream + at + LENGTH, len, now);
		at += LENGTH + len;
	}
	lookup->stream_len -= at;
	memmove(lookup->stream, lookup->stream + at, lookup->stream_len);
	return 0;
}

int zs_lookup_continue(struct zs_lookup *lookup, const struct zs_resolvers *resolvers, int64_t now)
{
	int r = 0;

	if (!lookup->asked && now < lookup->deadline) {
		lookup->asked = ask_stream(lookup);
		return lookup->asked ? 0 : try_next(lookup, resolvers, now);
	}
	while (r == 0)
		r = (lookup->stream ? hear_stream : hear_datagram)(lookup, now);
	if (lookup->answered[0] && lookup->answered[1])
		return lookup->count > 0 ? 1 : -ENOENT;
	if (lookup->truncated && !lookup->stream)
		return try_stream(lookup, resolvers, now);
	/* ECONNREFUSED: no server listens there. */
	if (r != -EAGAIN && r != -EINTR)
		return lookup->count > 0 ? 1 : try_next(lookup, resolvers, now);
	if (now < lookup->deadline)
		return 0;
	return lookup->count > 0 ? 1 : try_next(lookup, resolvers, now);
}

bool zs_lookup_waits_to_ask(const struct zs_lookup *lookup)
{
	return !lookup->asked;
}

void zs_lookup_end(struct zs_lookup *lookup)
{
	close_socket(lookup);
}
