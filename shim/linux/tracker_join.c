/* Joins a tracker: a process that is about to become a command asks the watchdog to track it. */
#include "tracker_shim.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"

/* Connects to an abstract socket. Returns a descriptor or a negative errno. */
static int connect_to(const char *name, size_t len)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + len);
	ZS_AUTO_FD int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	memcpy(address.sun_path + 1, name, len);
	return fd < 0 || connect(fd, (struct sockaddr *)&address, size) < 0 ? -errno : ZS_STEAL_FD(fd);
}

static int tracker_join_ask(int connection, const char *token, struct zs_tracker_answer *ret_answer)
{
	int r = zs_tracker_send(connection, token, ZS_TRACKER_TOKEN, -1);

	if (r == 0)
		r = zs_tracker_receive(connection, ret_answer, sizeof *ret_answer, NULL);
	return r < 0 ? r : ret_answer->result;
}

int zs_tracker_join(char **envp, struct zs_error *error)
{
	struct zs_tracker_answer answer;
	const char *value = NULL;
	size_t len;
	int r = zs_tracker_take_value(envp, &value, error);

	if (r < 0)
		return r;
	len = strcspn(value, " ");
	if (len == 0 || len >= ZS_TRACKER_NAME || strlen(value + len) != 1 + ZS_TRACKER_TOKEN)
		return zs_error_say(error, "tracker", ZS_TRACKER_VARIABLE, EINVAL, "is not the value of a tracker");

	ZS_AUTO_FD int connection = connect_to(value, len);

	r = connection < 0 ? connection : tracker_join_ask(connection, value + len + 1, &answer);
	if (r == -ECONNREFUSED || r == -EPIPE)
		return zs_error_say(error, "tracker", "", -r, "it has ended");
	if (r < 0)
		return zs_error_errno(error, "tracker", "join", -r);
	return answer.kind == ZS_TRACKER_CGROUP ? 0 : zs_tracker_reap(&connection, error);
}
