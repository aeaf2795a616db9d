/* Asks the kernel for a route: man 4 route, RTM_GET, over a socket that is opened before the proxy confines itself.
 * None of this has run on a Mac yet: if an answer is not understood, the address is refused. */
#include "enforce/proxy_routes.h"

#include <errno.h>
#include <fcntl.h>
#include <net/route.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	ANSWER_MAX = 2048,
	/* The socket also gets all changes of routes. */
	ANSWERS_MAX = 256,
	SEQUENCE = 0x7a73,
};

struct question {
	struct rt_msghdr head;
	struct sockaddr_storage to;
};

int zs_routes_open(void)
{
	int fd = socket(PF_ROUTE, SOCK_RAW, AF_UNSPEC);

	if (fd < 0)
		return -errno;
	if (fcntl(fd, F_SETFD, FD_CLOEXEC) < 0 || fcntl(fd, F_SETFL, O_NONBLOCK) < 0) {
		int cause = errno;

		close(fd);
		return -cause;
	}
	return fd;
}

/* Is the destination that of a default route, all zeros? Looks at the sockaddr after its length, family and port. */
static bool is_everything(const struct sockaddr *to, size_t room)
{
	static const char zeros[sizeof(struct sockaddr_storage)];

	if (room < sizeof *to || to->sa_len > room || to->sa_len > sizeof zeros || to->sa_len < 4)
		return false;
	return memcmp((const char *)to + 4, zeros, to->sa_len - 4u) == 0;
}

static enum zs_route proxy_routes_judge(const struct rt_msghdr *answer, size_t len)
{
	if (answer->rtm_errno == ENETUNREACH || answer->rtm_errno == EHOSTUNREACH || answer->rtm_errno == ESRCH)
		return ZS_ROUTE_AWAY; /* connect(2) will fail by itself */
	if (answer->rtm_errno != 0 || !(answer->rtm_flags & RTF_UP))
		return ZS_ROUTE_UNKNOWN;
	if (answer->rtm_flags & RTF_LOCAL)
		return ZS_ROUTE_OWN;
	if (answer->rtm_flags & (RTF_BROADCAST | RTF_MULTICAST))
		return ZS_ROUTE_LINK;
	if (answer->rtm_flags & RTF_GATEWAY)
		return ZS_ROUTE_AWAY;
	/* A tunnel's default route has no gateway. */
	if (!(answer->rtm_flags & RTF_HOST) && (answer->rtm_addrs & RTA_DST) &&
		is_everything((const struct sockaddr *)(answer + 1), len - sizeof *answer))
		return ZS_ROUTE_AWAY;
	return ZS_ROUTE_LINK;
}

enum zs_route zs_route_of(int routes, const struct zs_address *address)
{
	struct question question = { .head = { .rtm_version = RTM_VERSION,
					     .rtm_type = RTM_GET,
					     .rtm_addrs = RTA_DST,
					     .rtm_flags = RTF_UP,
					     .rtm_seq = SEQUENCE } };
	_Alignas(struct rt_msghdr) char bytes[ANSWER_MAX];
	const struct rt_msghdr *answer = (const struct rt_msghdr *)bytes;
	socklen_t size = zs_address_to_sockaddr(address, 0, &question.to);
	ssize_t len;

	question.to.ss_len = (uint8_t)size;
	question.head.rtm_msglen = (u_short)(sizeof question.head + size);
	for (int i = 0; i < ANSWERS_MAX && read(routes, bytes, sizeof bytes) > 0; i++) {
		/* A change of routes that nobody asked for. */
	}
	/* This fails where there is no route, and so does connect(2). */
	if (write(routes, &question, question.head.rtm_msglen) < 0)
		return errno == ESRCH || errno == ENETUNREACH ? ZS_ROUTE_AWAY : ZS_ROUTE_UNKNOWN;
	for (int i = 0; i < ANSWERS_MAX && (len = read(routes, bytes, sizeof bytes)) >= (ssize_t)sizeof *answer; i++)
		if (answer->rtm_type == RTM_GET && answer->rtm_seq == SEQUENCE && answer->rtm_pid == getpid())
			return proxy_routes_judge(answer, (size_t)len);
	return ZS_ROUTE_UNKNOWN;
}
