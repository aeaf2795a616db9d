/* The watchdog of a tracker owns the cgroup, lets commands join, and ends all of them when the host asks for it or has
 * ended. It is not the host's child, and has a session of its own, so that no signal meant for the host ends it. */
#include "tracker_shim.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "linux/base/process_calls.h"
#include "linux/limits/cgroup.h"
#include "base/scheduling.h"

enum {
	HOST,         /* the host's socket */
	HOST_PROCESS, /* the host's pidfd, since a forked child of the host may keep the socket open */
	LISTENER,     /* for commands that want to join */
	FIRST,        /* the first of the commands' connections */
	EVENTS_MAX = 4096,
	END_MS = 10000, /* the time that a subreaper has to end its processes */
};

struct watchdog {
	struct zs_cgroup cgroup;
	char token[ZS_TRACKER_TOKEN + 1];
	struct pollfd events[EVENTS_MAX];
	bool joined[EVENTS_MAX]; /* this connection is a subreaper's */
	size_t count;            /* of events */
};

static enum zs_tracker_kind kind_of(const struct watchdog *watchdog)
{
	return watchdog->cgroup.fd >= 0 ? ZS_TRACKER_CGROUP : ZS_TRACKER_SUBREAPER;
}

static void raise_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* Opens the host's pidfd. SO_PEERCRED of a socketpair(2) is the process that made it. */
static int open_host(int socket)
{
	struct ucred host;
	socklen_t size = sizeof host;

	return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &host, &size) < 0 ? -errno : zs_pidfd_open(host.pid);
}

/* Listens on a free abstract name, which the kernel chooses (man 7 unix, "Autobind feature"). */
static int listen_somewhere(char name[ZS_TRACKER_NAME])
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	socklen_t size = sizeof address;
	ZS_AUTO_FD int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	size_t len;

	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address.sun_family) < 0 ||
		listen(fd, SOMAXCONN) < 0 || getsockname(fd, (struct sockaddr *)&address, &size) < 0)
		return -errno;
	len = size - offsetof(struct sockaddr_un, sun_path) - 1;
	if (len == 0 || len >= ZS_TRACKER_NAME)
		return -EPROTO;
	memcpy(name, address.sun_path + 1, len);
	name[len] = '\0';
	return ZS_STEAL_FD(fd);
}

static int make_token(char token[ZS_TRACKER_TOKEN + 1])
{
	unsigned char bytes[ZS_TRACKER_TOKEN / 2];

	if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
		return -EIO;
	for (size_t i = 0; i < sizeof bytes; i++)
		snprintf(token + 2 * i, 3, "%02x", bytes[i]);
	return 0;
}

/* Makes the cgroup. Without one (-ENOENT) the tracker uses subreapers, and this is no failure. */
static int make_cgroup(struct watchdog *watchdog, const char **ret_object)
{
	struct zs_cgroup_choice choice;
	struct zs_cgroup_self self;
	int r = zs_cgroup_self_read(&self, ret_object);

	if (r < 0)
		return r;
	*ret_object = "cgroup";
	r = zs_cgroup_choose(&self, ZS_HIERARCHY_V2, 0, &choice);
	zs_cgroup_self_free(&self);
	if (r < 0)
		return r == -ENOENT ? 0 : r;
	r = zs_cgroup_make(choice.parent, &watchdog->cgroup);
	if (r < 0)
		close(choice.parent);
	return r == -ENOENT ? 0 : r;
}

static int tracker_watchdog_set_up(struct watchdog *watchdog, struct zs_tracker_hello *hello, const char **ret_object)
{
	int process, listener, r;

	*ret_object = "the host's process";
	process = open_host(STDIN_FILENO);
	if (process < 0)
		return process;
	*ret_object = "socket";
	listener = listen_somewhere(hello->name);
	if (listener < 0)
		return listener;
	*ret_object = "getrandom";
	r = make_token(watchdog->token);
	if (r == 0)
		r = make_cgroup(watchdog, ret_object);
	memcpy(hello->token, watchdog->token, sizeof hello->token);
	watchdog->events[HOST] = (struct pollfd){ STDIN_FILENO, POLLIN, 0 };
	watchdog->events[HOST_PROCESS] = (struct pollfd){ process, POLLIN, 0 };
	watchdog->events[LISTENER] = (struct pollfd){ listener, POLLIN, 0 };
	watchdog->count = FIRST;
	return r;
}

static void drop(struct watchdog *watchdog, size_t index)
{
	close(watchdog->events[index].fd);
	watchdog->events[index] = watchdog->events[--watchdog->count];
	watchdog->joined[index] = watchdog->joined[watchdog->count];
}

static void accept_one(struct watchdog *watchdog)
{
	int fd = accept4(watchdog->events[LISTENER].fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd >= 0 && watchdog->count < EVENTS_MAX) {
		watchdog->joined[watchdog->count] = false;
		watchdog->events[watchdog->count++] = (struct pollfd){ fd, POLLIN, 0 };
	} else if (fd >= 0)
		close(fd);
	else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM)
		poll(NULL, 0, 10); /* the connection stays in the backlog */
}

/* Moves the command into the cgroup. The watchdog does this because the host may have given the command a uid that may
 * not write the cgroup. The command waits for the answer, so its pid cannot have been reused. */
static int move_into_cgroup(const struct watchdog *watchdog, int connection)
{
	struct ucred peer;
	socklen_t size = sizeof peer;
	char number[16];

	if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0)
		return -errno;
	if (peer.pid <= 0) /* the command is in a pid namespace that is not below ours */
		return -ESRCH;
	snprintf(number, sizeof number, "%d", peer.pid);
	return zs_cgroup_write(&watchdog->cgroup, "cgroup.procs", number);
}

/* Lets a command join. A subreaper's connection stays open while the command, or a process that it has started, lives.
 */
static void let_join(struct watchdog *watchdog, size_t index)
{
	struct zs_tracker_answer answer = { -EACCES, kind_of(watchdog) };
	int connection = watchdog->events[index].fd;
	char token[ZS_TRACKER_TOKEN];

	if (zs_tracker_receive(connection, token, sizeof token, NULL) < 0 ||
		memcmp(token, watchdog->token, sizeof token) != 0) {
		drop(watchdog, index);
		return;
	}
	answer.result = answer.kind == ZS_TRACKER_CGROUP ? move_into_cgroup(watchdog, connection) : 0;
	if (zs_tracker_send(connection, &answer, sizeof answer, -1) < 0 || answer.kind == ZS_TRACKER_CGROUP)
		drop(watchdog, index);
	else
		watchdog->joined[index] = true;
}

/* Shuts down each subreaper's connection, at which it kills its children and closes its end. One that cannot end them
 * sends an answer first. */
static int end_subreapers(struct watchdog *watchdog)
{
	int64_t deadline = zs_now_ms() + END_MS + 1000, left;
	int result = 0;

	for (size_t i = watchdog->count; i-- > FIRST;)
		if (watchdog->joined[i])
			shutdown(watchdog->events[i].fd, SHUT_WR);
		else
			drop(watchdog, i);
	while (watchdog->count > FIRST && (left = deadline - zs_now_ms()) > 0) {
		if (poll(watchdog->events + FIRST, watchdog->count - FIRST, (int)left) < 0)
			continue;
		for (size_t i = watchdog->count; i-- > FIRST;) {
			struct zs_tracker_answer answer;

			if (!watchdog->events[i].revents)
				continue;
			if (zs_tracker_receive(watchdog->events[i].fd, &answer, sizeof answer, NULL) == 0)
				result = answer.result;
			else
				drop(watchdog, i);
		}
	}
	return watchdog->count > FIRST ? -ETIMEDOUT : result;
}

static _Noreturn void tracker_watchdog_end(struct watchdog *watchdog)
{
	struct zs_tracker_answer answer = { 0, kind_of(watchdog) };
	char request;

	/* Reads the host's request: closing a socket with unread data would reset the connection, and lose the answer.
	 */
	if (recv(STDIN_FILENO, &request, sizeof request, MSG_DONTWAIT) < 0) {
		/* The host has gone. */
	}
	/* No command can join from here on. */
	close(watchdog->events[LISTENER].fd);
	if (answer.kind == ZS_TRACKER_CGROUP)
		answer.result = zs_cgroup_remove(&watchdog->cgroup);
	else
		answer.result = end_subreapers(watchdog);
	zs_tracker_send(STDIN_FILENO, &answer, sizeof answer, -1);
	_exit(0);
}

static _Noreturn void tracker_watchdog_keep(struct watchdog *watchdog)
{
	zs_use_short_slices();
	for (;;) {
		if (poll(watchdog->events, watchdog->count, -1) < 0)
			continue;
		/* Any message from the host, or its end, ends the tracker. */
		if (watchdog->events[HOST].revents || watchdog->events[HOST_PROCESS].revents)
			tracker_watchdog_end(watchdog);
		for (size_t i = watchdog->count; i-- > FIRST;)
			if (watchdog->events[i].revents)
				let_join(watchdog, i);
		if (watchdog->events[LISTENER].revents)
			accept_one(watchdog);
	}
}

_Noreturn void zs_tracker_keep(void)
{
	struct zs_tracker_hello hello = { .result = 0 };
	struct watchdog *watchdog = calloc(1, sizeof *watchdog);
	const char *object = "";
	int r = watchdog ? zs_tracker_detach() : -ENOMEM;

	if (r == 0)
		r = zs_close_range_but(NULL, 0);
	raise_descriptors();
	if (r == 0) {
		watchdog->cgroup = ZS_CGROUP_NONE;
		r = tracker_watchdog_set_up(watchdog, &hello, &object);
	}
	hello.result = r;
	snprintf(hello.object, sizeof hello.object, "%s", object);
	if (zs_tracker_send(STDIN_FILENO, &hello, sizeof hello, r == 0 ? watchdog->cgroup.fd : -1) < 0 || r < 0) {
		if (watchdog)
			zs_cgroup_remove(&watchdog->cgroup);
		_exit(ZS_EXIT_CANNOT_ENFORCE);
	}
	tracker_watchdog_keep(watchdog);
}
