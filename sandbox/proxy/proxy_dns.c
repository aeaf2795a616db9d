/* The resolver of a run with a proxy. It asks no server: a name that the policy allows gets an address of the pool,
 * whether or not the name exists. So no question of the command leaves the machine before the command connects. */
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "proxy/proxy_connection.h"
#include "policy/host_list.h"

enum { TTL_SECONDS = 60, AT_ONCE = 64 };

/* Returns NULL, or the reason why not. */
static const char *proxy_dns_judge(struct zs_proxy *proxy, const char *name, struct zs_address *ret_address)
{
	struct zs_host host;
	uint32_t address;

	if (zs_host_parse_only_name(name, strlen(name), &host, NULL) < 0)
		return "is no host's name";
	if (!zs_hosts_know(&proxy->policy->hosts, &host))
		return ZS_PROXY_NOT_LISTED;
	address = zs_proxy_address_of(&proxy->names, host.name);
	if (!address)
		return "too many names";
	address = htonl(address);
	*ret_address = zs_address_from_bytes((const uint8_t *)&address, sizeof address);
	return NULL;
}

size_t zs_proxy_answer_name(struct zs_proxy *proxy, const uint8_t *question, size_t len, uint8_t answer[ZS_DNS_UDP_MAX])
{
	struct zs_dns_query query;
	struct zs_address address;
	enum zs_dns_code code;
	const char *reason;
	int r = zs_dns_read_query(question, len, &query, &code);

	if (r == -EBADMSG)
		return 0;
	if (r < 0)
		return zs_dns_answer(&query, code, NULL, 0, 0, answer, ZS_DNS_UDP_MAX);
	reason = proxy_dns_judge(proxy, query.name, &address);
	/* Programs ask for each name twice (A and AAAA), and one line is enough. */
	if (reason || query.type != ZS_DNS_AAAA)
		zs_proxy_tell(proxy, &(struct zs_proxy_line){ .event = "resolve",
					     .via = "dns",
					     .host = query.name,
					     .allowed = !reason,
					     .reason = reason,
					     .ms = -1 });
	if (reason)
		return zs_dns_answer(&query, ZS_DNS_NO_SUCH_NAME, NULL, 0, 0, answer, ZS_DNS_UDP_MAX);
	return zs_dns_answer(&query, ZS_DNS_OK, &address, 1, TTL_SECONDS, answer, ZS_DNS_UDP_MAX);
}

void zs_proxy_answer_names(struct zs_proxy *proxy, struct zs_watched *listener, uint32_t events)
{
	uint8_t question[ZS_DNS_UDP_MAX], answer[ZS_DNS_UDP_MAX];

	(void)events;
	for (int i = 0; i < AT_ONCE; i++) {
		struct sockaddr_storage from;
		socklen_t size = sizeof from;
		ssize_t len = recvfrom(
			listener->fd, question, sizeof question, MSG_DONTWAIT, (struct sockaddr *)&from, &size);
		size_t answer_len;

		if (len < 0)
			return;
		answer_len = zs_proxy_answer_name(proxy, question, (size_t)len, answer);
		/* If the client does not get the answer, it asks again. */
		if (answer_len > 0 &&
			sendto(listener->fd, answer, answer_len, MSG_DONTWAIT, (struct sockaddr *)&from, size) < 0)
			continue;
	}
}
