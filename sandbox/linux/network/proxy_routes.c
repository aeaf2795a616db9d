/* Asks the kernel for the route to an address (man 7 rtnetlink, RTM_GETROUTE), which applies its rules and tables. The
 * answer is ready as soon as the question has been sent. */
#include "enforce/proxy_routes.h"

#include <errno.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

/* The largest answer in bytes. A link with many attributes takes a few KiB. */
enum { ANSWER_MAX = 32 * 1024 };

struct answer {
	_Alignas(struct nlmsghdr) char bytes[ANSWER_MAX];
	size_t len;
};

struct route_question {
	struct nlmsghdr head;
	struct rtmsg route;
	struct rtattr attribute;
	uint8_t address[16];
};

struct link_question {
	struct nlmsghdr head;
	struct ifinfomsg link;
};

int zs_routes_open(void)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);

	return fd < 0 ? -errno : fd;
}

/* Receives one message of this type. Other processes may send to the socket, too, so only the kernel's counts. */
static int proxy_routes_ask(int routes, const struct nlmsghdr *question, uint16_t type, struct answer *ret_answer)
{
	struct sockaddr_nl from = { 0 };
	socklen_t size = sizeof from;
	const struct nlmsghdr *head = (const struct nlmsghdr *)ret_answer->bytes;
	ssize_t len;

	if (send(routes, question, question->nlmsg_len, MSG_NOSIGNAL) != (ssize_t)question->nlmsg_len)
		return -EIO;
	len = recvfrom(routes, ret_answer->bytes, sizeof ret_answer->bytes, MSG_TRUNC, (struct sockaddr *)&from, &size);
	if (len < 0)
		return -errno;
	if (from.nl_pid != 0 || len > (ssize_t)sizeof ret_answer->bytes || (size_t)len < sizeof *head ||
		head->nlmsg_len < sizeof *head || head->nlmsg_len > (size_t)len)
		return -EBADMSG;
	ret_answer->len = head->nlmsg_len;
	if (head->nlmsg_type == NLMSG_ERROR && ret_answer->len >= NLMSG_LENGTH(sizeof(struct nlmsgerr)))
		return ((const struct nlmsgerr *)NLMSG_DATA(head))->error < 0
			       ? ((const struct nlmsgerr *)NLMSG_DATA(head))->error
			       : -EBADMSG;
	return head->nlmsg_type == type ? 0 : -EBADMSG;
}

/* Is the link a tunnel? A tunnel has no neighbours, so its addresses are as far away as those behind a gateway. */
static bool is_tunnel(int routes, int link)
{
	const struct link_question question = {
		.head = { .nlmsg_len = sizeof question, .nlmsg_type = RTM_GETLINK, .nlmsg_flags = NLM_F_REQUEST },
		.link = { .ifi_family = AF_UNSPEC, .ifi_index = link },
	};
	struct answer answer;
	const struct ifinfomsg *found = NLMSG_DATA((const struct nlmsghdr *)answer.bytes);

	return link > 0 && proxy_routes_ask(routes, &question.head, RTM_NEWLINK, &answer) == 0 &&
	       answer.len >= NLMSG_LENGTH(sizeof *found) && found->ifi_index == link &&
	       (found->ifi_flags & IFF_POINTOPOINT) && !(found->ifi_flags & (IFF_LOOPBACK | IFF_BROADCAST));
}

/* One of a route's next hops. */
struct hop {
	bool gateway; /* the hop is a gateway */
	int link;     /* index of the network interface; 0: none */
};

static struct hop read_hop(const struct rtattr *attribute, size_t len, int link)
{
	struct hop hop = { .link = link };

	for (; RTA_OK(attribute, len); attribute = RTA_NEXT(attribute, len)) {
		if (attribute->rta_type == RTA_GATEWAY || attribute->rta_type == RTA_VIA)
			hop.gateway = true;
		if (attribute->rta_type == RTA_OIF && RTA_PAYLOAD(attribute) >= sizeof hop.link)
			memcpy(&hop.link, RTA_DATA(attribute), sizeof hop.link);
	}
	return hop;
}

/* A default route leads away even without a gateway, as on some providers' machines. A network that the kernel added
 * for one of the machine's addresses is on the link, also for a tunnel, where it is the other end. */
static enum zs_route judge_hop(int routes, const struct rtmsg *route, struct hop hop)
{
	if (hop.gateway)
		return ZS_ROUTE_AWAY;
	if (hop.link <= 0)
		return ZS_ROUTE_UNKNOWN;
	if (route->rtm_dst_len == 0 || (route->rtm_protocol != RTPROT_KERNEL && is_tunnel(routes, hop.link)))
		return ZS_ROUTE_AWAY;
	return ZS_ROUTE_LINK;
}

/* Judges several next hops: the nearest counts. */
static enum zs_route judge_hops(int routes, const struct rtmsg *route, const struct rtattr *list)
{
	const struct rtnexthop *next = RTA_DATA(list);
	size_t len = RTA_PAYLOAD(list);
	enum zs_route nearest = ZS_ROUTE_UNKNOWN;

	while (len >= sizeof *next && next->rtnh_len >= sizeof *next && next->rtnh_len <= len) {
		struct hop hop = read_hop(RTNH_DATA(next), next->rtnh_len - sizeof *next, next->rtnh_ifindex);
		enum zs_route found = judge_hop(routes, route, hop);

		if (found != ZS_ROUTE_AWAY)
			return found;
		nearest = found;
		if (RTNH_ALIGN(next->rtnh_len) >= len)
			break;
		len -= RTNH_ALIGN(next->rtnh_len);
		next = RTNH_NEXT(next);
	}
	return nearest;
}

static enum zs_route proxy_routes_judge(int routes, const struct answer *answer)
{
	const struct rtmsg *route = NLMSG_DATA((const struct nlmsghdr *)answer->bytes);
	const struct rtattr *first = RTM_RTA(route);
	size_t len;

	if (answer->len < NLMSG_LENGTH(sizeof *route))
		return ZS_ROUTE_UNKNOWN;
	len = answer->len - NLMSG_LENGTH(sizeof *route);
	if (route->rtm_type == RTN_LOCAL)
		return ZS_ROUTE_OWN;
	if (route->rtm_type == RTN_BROADCAST || route->rtm_type == RTN_ANYCAST || route->rtm_type == RTN_MULTICAST)
		return ZS_ROUTE_LINK;
	if (route->rtm_type != RTN_UNICAST)
		return ZS_ROUTE_UNKNOWN;
	for (const struct rtattr *attribute = first; RTA_OK(attribute, len); attribute = RTA_NEXT(attribute, len))
		if (attribute->rta_type == RTA_MULTIPATH)
			return judge_hops(routes, route, attribute);
	len = answer->len - NLMSG_LENGTH(sizeof *route);
	return judge_hop(routes, route, read_hop(first, len, 0));
}

enum zs_route zs_route_of(int routes, const struct zs_address *address)
{
	size_t len = address->family == AF_INET ? 4 : 16;
	struct route_question question = {
		.head = { .nlmsg_type = RTM_GETROUTE, .nlmsg_flags = NLM_F_REQUEST },
		.route = { .rtm_family = (unsigned char)address->family,
			.rtm_dst_len = (unsigned char)(8 * len),
			.rtm_flags = RTM_F_FIB_MATCH }, /* the route as it is in the table: Linux 4.13 */
		.attribute = { .rta_len = (unsigned short)RTA_LENGTH(len), .rta_type = RTA_DST },
	};
	struct answer answer;
	int r;

	memcpy(question.address, address->bytes, len);
	question.head.nlmsg_len = (uint32_t)(offsetof(struct route_question, address) + len);
	r = proxy_routes_ask(routes, &question.head, RTM_NEWROUTE, &answer);
	/* There is no route: connect(2) will fail by itself. */
	if (r == -ENETUNREACH || r == -EHOSTUNREACH)
		return ZS_ROUTE_AWAY;
	return r < 0 ? ZS_ROUTE_UNKNOWN : proxy_routes_judge(routes, &answer);
}
