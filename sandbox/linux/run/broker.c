#include "linux/run/broker.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <linux/un.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "linux/base/process_calls.h"
#include "linux/locks/seccomp_filter.h"
#include "linux/run/observer.h"

enum {
	KNOWN_MAX = 512,     /* named sockets of the run that listen, and granted ones; listen(2) fails with ENOBUFS */
	WAITING_MAX = 128,   /* connections that wait for a full server; connect(2) fails with EAGAIN */
	TRY_US = 100,        /* the time that one attempt may block: a server of the run may be full or stopped */
	RETRY_MS = 5,        /* the time between attempts */
	ADDRESS_MAX = 128,   /* sizeof(struct sockaddr_storage), the kernel's limit */
	OWN_THREAD = O_EXCL, /* PIDFD_THREAD of Linux 6.9, which older headers lack */
	GROUPS_MAX = 64,     /* groups of a user of the run; connect(2) fails with EPERM */
};

/* The descriptor keeps the inode's number from being used again. */
struct known {
	int place;
	dev_t device;
	ino_t inode;
};

/* The user for whom the broker connects. */
struct caller {
	bool other; /* not root, who is this process's own user */
	uid_t uid;
	gid_t gid;
	gid_t groups[GROUPS_MAX];
	size_t group_count;
};

struct connection {
	uint64_t id;
	struct caller caller;
	int socket, target; /* target: the place of a Unix socket's name, or -1 */
	char address[ADDRESS_MAX];
	socklen_t size;
	int64_t until; /* SO_SNDTIMEO of the socket */
	pid_t thread;
};

struct zs_broker {
	int listener, proc;
	struct known known[KNOWN_MAX];
	size_t known_count;
	struct connection waiting[WAITING_MAX];
	size_t waiting_count;
	int64_t retry; /* the time of the next attempts */
	bool connects; /* it makes the connections; else it only looks at them */
	bool users;    /* the run has several */
	struct zs_observer observer;
	const struct sock_filter *refusing; /* of the filter that refuses; count 0: the kernel itself does */
	size_t refusing_count;
};

/* The C libraries' ioctl() differ in the type of the request. */
static long notification(const struct zs_broker *broker, unsigned long request, void *arg)
{
	return syscall(SYS_ioctl, broker->listener, request, arg);
}

static void broker_answer(const struct zs_broker *broker, uint64_t id, int error, unsigned flags)
{
	struct seccomp_notif_resp response = { .id = id, .error = error, .flags = flags };

	notification(broker, SECCOMP_IOCTL_NOTIF_SEND, &response); /* fails when the caller is dead */
}

static bool is_alive(const struct zs_broker *broker, uint64_t id)
{
	return notification(broker, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

/* The sockets that are known */

/* The place of the known socket with this inode, or -1. */
static int find_known(const struct zs_broker *broker, const struct stat *st)
{
	for (size_t i = 0; i < broker->known_count; i++)
		if (broker->known[i].device == st->st_dev && broker->known[i].inode == st->st_ino)
			return broker->known[i].place;
	return -1;
}

/* Forgets the sockets whose names are gone: no path leads to these. */
static void forget_removed(struct zs_broker *broker)
{
	size_t kept = 0;
	struct stat st;

	for (size_t i = 0; i < broker->known_count; i++)
		if (fstat(broker->known[i].place, &st) == 0 && st.st_nlink > 0)
			broker->known[kept++] = broker->known[i];
		else
			close(broker->known[i].place);
	broker->known_count = kept;
}

/* Takes place. */
static int note(struct zs_broker *broker, int place)
{
	ZS_AUTO_FD int taken = place;
	struct stat st;

	if (fstat(place, &st) < 0)
		return -errno;
	if (!S_ISSOCK(st.st_mode) || find_known(broker, &st) >= 0)
		return 0;
	if (broker->known_count == KNOWN_MAX)
		forget_removed(broker);
	if (broker->known_count == KNOWN_MAX)
		return -ENOBUFS;
	broker->known[broker->known_count++] = (struct known){ ZS_STEAL_FD(taken), st.st_dev, st.st_ino };
	return 0;
}

/* The caller and its socket */

/* Reads the start of /proc/PID/status (man 5 proc_pid_status). */
static int read_status(const struct zs_broker *broker, pid_t thread, char *text, size_t size)
{
	char path[32];
	ssize_t len;

	snprintf(path, sizeof path, "%ld/status", (long)thread);

	ZS_AUTO_FD int status = openat(broker->proc, path, O_RDONLY | O_CLOEXEC);

	len = status < 0 ? -1 : read(status, text, size - 1);
	if (len < 0)
		return -errno;
	text[len] = '\0';
	return 0;
}

/* Before Linux 6.9 there are only pidfds of whole processes, whose threads nearly always share their descriptors. */
static int open_caller(const struct zs_broker *broker, pid_t thread)
{
	char text[1024], *group;
	int r;
	long fd = syscall(SYS_pidfd_open, thread, OWN_THREAD);

	if (fd >= 0 || errno != EINVAL)
		return fd < 0 ? -errno : (int)fd;
	r = read_status(broker, thread, text, sizeof text);
	if (r < 0)
		return r;
	group = strstr(text, "\nTgid:");
	return group ? zs_pidfd_open((pid_t)strtol(group + strlen("\nTgid:"), NULL, 10)) : -ESRCH;
}

/* The caller's user. A run with several needs this: the rights to a path and to a socket are the caller's, and a server
 * asks the kernel who has connected (man 7 unix, SO_PEERCRED). */

/* The numbers in a line of /proc/PID/status. Returns their count, or more than max if there are more. */
static size_t read_numbers(const char *text, const char *name, unsigned long *numbers, size_t max)
{
	const char *at = strstr(text, name);
	size_t count = 0;

	for (at = at ? at + strlen(name) : ""; *at && *at != '\n'; count++) {
		char *end;
		unsigned long number = strtoul(at, &end, 10);

		if (end == at)
			break;
		if (count < max)
			numbers[count] = number;
		at = end + strspn(end, "\t ");
	}
	return count;
}

static int find_caller(const struct zs_broker *broker, pid_t thread, struct caller *ret_caller)
{
	enum { REAL, EFFECTIVE, SAVED, FILES, KINDS };
	unsigned long uids[KINDS], gids[KINDS], groups[GROUPS_MAX];
	char text[4096];
	size_t count;
	int r;

	*ret_caller = (struct caller){ 0 };
	if (!broker->users)
		return 0;
	r = read_status(broker, thread, text, sizeof text);
	if (r < 0)
		return r;
	count = read_numbers(text, "\nGroups:\t", groups, GROUPS_MAX);
	if (read_numbers(text, "\nUid:\t", uids, KINDS) != KINDS ||
		read_numbers(text, "\nGid:\t", gids, KINDS) != KINDS || count > GROUPS_MAX)
		return -EPERM;
	ret_caller->other = uids[EFFECTIVE] != 0 || gids[EFFECTIVE] != 0;
	ret_caller->uid = (uid_t)uids[EFFECTIVE];
	ret_caller->gid = (gid_t)gids[EFFECTIVE];
	ret_caller->group_count = count;
	for (size_t i = 0; i < count; i++)
		ret_caller->groups[i] = (gid_t)groups[i];
	return 0;
}

/* By system calls, of this thread: the C libraries' functions signal all threads. Root stays the real user, so the
 * caller cannot signal this process. */
static int take_user(uid_t uid, gid_t gid, const gid_t *groups, size_t count)
{
	if (syscall(SYS_setgroups, count, groups) < 0 || syscall(SYS_setresgid, -1, gid, -1) < 0 ||
		syscall(SYS_setresuid, -1, uid, -1) < 0)
		return -errno;
	return 0;
}

/* With the user's rights, and without a capability: man 7 capabilities, "Effect of user ID changes". */
static int become_caller(const struct caller *caller)
{
	return caller->other ? take_user(caller->uid, caller->gid, caller->groups, caller->group_count) : 0;
}

/* Gets root's ids, and with them the capabilities, back. A change of the user makes a process traceable where the
 * machine's fs.suid_dumpable says so. */
static void be_root_again(const struct caller *caller)
{
	if (!caller->other)
		return;
	if (syscall(SYS_setresuid, -1, 0, -1) < 0 || take_user(0, 0, NULL, 0) < 0 ||
		prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
		_exit(1);
}

static int option(int socket, int name)
{
	int value = 0;
	socklen_t size = sizeof value;

	return getsockopt(socket, SOL_SOCKET, name, &value, &size) < 0 ? -errno : value;
}

/* A duplicate of the caller's socket, or a negative errno. A socket that was made in another network may have been
 * inherited or received; this process is in no Landlock domain, so it would connect it to more than the caller can. */
static int take_socket(const struct zs_broker *broker, pid_t thread, int number)
{
	ZS_AUTO_FD int caller = open_caller(broker, thread);
	ZS_AUTO_FD int fd = caller < 0 ? caller : (int)syscall(SYS_pidfd_getfd, caller, number, 0);
	ZS_AUTO_FD int network = -1;
	struct stat st;

	if (caller < 0)
		return caller;
	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISSOCK(st.st_mode))
		return -ENOTSOCK;
	network = ioctl(fd, SIOCGSKNS);
	return network < 0 ? -errno : ZS_STEAL_FD(fd);
}

/* listen(2) */

static void serve_listen(struct zs_broker *broker, const struct seccomp_notif *request)
{
	ZS_AUTO_FD int socket = take_socket(broker, (pid_t)request->pid, (int)request->data.args[0]);
	int place = socket >= 0 && option(socket, SO_DOMAIN) == AF_UNIX ? ioctl(socket, SIOCUNIXFILE) : -1;
	int r = place < 0 ? 0 : note(broker, place);

	/* If the caller changes its descriptor now, it listens at a socket that nobody can connect to. */
	broker_answer(broker, request->id, r, r < 0 ? 0 : SECCOMP_USER_NOTIF_FLAG_CONTINUE);
}

/* connect(2) */

static const struct itimerval often = { { 0, TRY_US }, { 0, TRY_US } }, never;

static void take_alarm(int signal)
{
	(void)signal; /* connect(2) returns with EINTR */
}

/* Connects, for TRY_US at most. -EINTR: the socket would block. Whether it does is not asked first, since the caller
 * can change that at any time. */
static int connect_shortly(int socket, const void *address, socklen_t size)
{
	sigset_t alarm;
	int r;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	if (setitimer(ITIMER_REAL, &often, NULL) < 0 || sigprocmask(SIG_UNBLOCK, &alarm, NULL) < 0)
		return -EPERM;
	r = connect(socket, address, size) < 0 ? -errno : 0;
	sigprocmask(SIG_BLOCK, &alarm, NULL);
	setitimer(ITIMER_REAL, &never, NULL);
	return r;
}

/* Names a place for connect(2). The path begins in this process's working directory, its proc. */
static socklen_t name_place(int place, struct sockaddr_un *ret_address)
{
	ret_address->sun_family = AF_UNIX;
	return (socklen_t)offsetof(struct sockaddr_un, sun_path) + 1 +
	       (socklen_t)snprintf(ret_address->sun_path, sizeof ret_address->sun_path, "self/fd/%d", place);
}

static int attempt(const struct connection *connection)
{
	struct sockaddr_un named;
	int r = become_caller(&connection->caller);

	if (r == 0 && connection->target < 0)
		r = connect_shortly(connection->socket, connection->address, connection->size);
	else if (r == 0)
		r = connect_shortly(connection->socket, &named, name_place(connection->target, &named));
	be_root_again(&connection->caller);
	return r;
}

/* Refuses a socket that is not known. If no process listens there, the name is a left-over, which programs remove when
 * they see ECONNREFUSED. A datagram socket shows it, since the kernel connects no sockets of two types. */
static int refuse_unknown(int target)
{
	ZS_AUTO_FD int probe = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct sockaddr_un named;
	socklen_t size = name_place(target, &named);

	return probe >= 0 && connect(probe, (const struct sockaddr *)&named, size) < 0 && errno == ECONNREFUSED
		       ? -ECONNREFUSED
		       : -EACCES;
}

/* Opens the place that a path names for the caller, whose root directory is ours: chroot(2) is refused. */
static int find_place(const struct zs_broker *broker, const struct caller *caller, pid_t thread, const char *path)
{
	const struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_MAGICLINKS };
	char name[32];
	long fd;

	snprintf(name, sizeof name, "%ld/cwd", (long)thread);

	ZS_AUTO_FD int folder = *path == '/' ? -1 : openat(broker->proc, name, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (*path != '/' && folder < 0)
		return -errno;
	fd = become_caller(caller);
	if (fd == 0) {
		fd = syscall(SYS_openat2, folder, path, &how, sizeof how);
		fd = fd < 0 ? -errno : fd;
	}
	be_root_again(caller);
	return (int)fd;
}

/* Finds the known socket that the address names. *ret_target: the place that was noted, and not the one that the path
 * leads to now, since some file systems show one number for several inodes; or -1 for an abstract address, which is one
 * in the run's own network. */
static int find_target(
	const struct zs_broker *broker, pid_t thread, const struct connection *connection, int *ret_target)
{
	const struct sockaddr_un *address = (const void *)connection->address;
	const size_t start = offsetof(struct sockaddr_un, sun_path);
	char path[sizeof address->sun_path + 1] = "";
	struct stat st;
	int known;

	*ret_target = -1;
	if (connection->size <= start || connection->size > sizeof *address || address->sun_family != AF_UNIX)
		return -EINVAL;
	if (address->sun_path[0] == '\0')
		return 0;
	memcpy(path, address->sun_path, connection->size - start);

	ZS_AUTO_FD int place = find_place(broker, &connection->caller, thread, path);

	if (place < 0)
		return place;
	if (fstat(place, &st) < 0)
		return -errno;
	if (!S_ISSOCK(st.st_mode))
		return -ECONNREFUSED;
	known = find_known(broker, &st);
	if (known < 0)
		return refuse_unknown(place);
	*ret_target = fcntl(known, F_DUPFD_CLOEXEC, 0);
	return *ret_target < 0 ? -errno : 0;
}

static int read_address(const struct seccomp_notif *request, struct connection *connection)
{
	const int size = (int)request->data.args[2];
	const struct iovec local = { connection->address, (size_t)size };
	const struct iovec remote = { (void *)(uintptr_t)request->data.args[1], (size_t)size }; // NOLINT

	if (size < 0 || size > ADDRESS_MAX)
		return -EINVAL;
	connection->size = (socklen_t)size;
	return size > 0 && process_vm_readv((pid_t)request->pid, &local, 1, &remote, 1, 0) != size ? -EFAULT : 0;
}

static int prepare(const struct zs_broker *broker, const struct seccomp_notif *request, struct connection *connection)
{
	struct timeval limit = { 0 };
	socklen_t size = sizeof limit;
	int domain, r = connection->socket = take_socket(broker, (pid_t)request->pid, (int)request->data.args[0]);

	if (r >= 0)
		r = read_address(request, connection);
	if (r < 0)
		return r;
	domain = option(connection->socket, SO_DOMAIN);
	/* The kernel asks for a capability, which this process has, before it connects some others (netlink(7)). */
	if (domain != AF_UNIX && domain != AF_INET && domain != AF_INET6)
		return -EPERM;
	r = domain == AF_UNIX ? find_caller(broker, (pid_t)request->pid, &connection->caller) : 0;
	if (r == 0 && domain == AF_UNIX)
		r = find_target(broker, (pid_t)request->pid, connection, &connection->target);
	if (r < 0)
		return r;
	getsockopt(connection->socket, SOL_SOCKET, SO_SNDTIMEO, &limit, &size);
	connection->until = limit.tv_sec || limit.tv_usec
				    ? zs_now_ms() + (int64_t)limit.tv_sec * 1000 + limit.tv_usec / 1000
				    : INT64_MAX;
	return 0;
}

static void tell(struct zs_broker *broker, const struct connection *connection, int r)
{
	if (broker->observer.channel >= 0 && r < 0)
		zs_observer_connected(&broker->observer, connection->thread, connection->socket, connection->address,
			connection->size, -r);
}

/* True: it is over. While the caller is alive, its pid is no other process's, so all of the connection is the caller's.
 */
static bool try_connection(struct zs_broker *broker, struct connection *connection)
{
	int r = is_alive(broker, connection->id) ? attempt(connection) : -ESRCH;

	if (r == -EINTR && zs_now_ms() >= connection->until)
		r = option(connection->socket, SO_DOMAIN) == AF_UNIX ? -EAGAIN : -EINPROGRESS;
	if (r == -EINTR)
		return false;
	tell(broker, connection, r);
	broker_answer(broker, connection->id, r, 0);
	return true;
}

static void connection_end(struct connection *connection)
{
	if (connection->socket >= 0)
		close(connection->socket);
	if (connection->target >= 0)
		close(connection->target);
}

static void serve_connect(struct zs_broker *broker, const struct seccomp_notif *request)
{
	struct connection connection = { .id = request->id, .socket = -1, .target = -1, .thread = (pid_t)request->pid };
	int r = prepare(broker, request, &connection);

	if (r == 0 && !try_connection(broker, &connection)) {
		if (broker->waiting_count < WAITING_MAX) {
			if (broker->waiting_count == 0)
				broker->retry = zs_now_ms() + RETRY_MS;
			broker->waiting[broker->waiting_count++] = connection;
			return;
		}
		r = -EAGAIN;
	}
	if (r < 0)
		tell(broker, &connection, r);
	if (r < 0)
		broker_answer(broker, request->id, r, 0);
	connection_end(&connection);
}

static void retry(struct zs_broker *broker)
{
	size_t kept = 0;

	for (size_t i = 0; i < broker->waiting_count; i++)
		if (try_connection(broker, &broker->waiting[i]))
			connection_end(&broker->waiting[i]);
		else
			broker->waiting[kept++] = broker->waiting[i];
	broker->waiting_count = kept;
	broker->retry = zs_now_ms() + RETRY_MS;
}

/* Calls of the observer's filter */

/* The call is made in any case, and the kernel refuses what it refuses. The caller could change its memory after the
 * look (man 2 seccomp_unotify), so no decision may ever depend on it. */
static void serve_observed(struct zs_broker *broker, const struct seccomp_notif *request)
{
	bool tells = zs_observer_look(&broker->observer, request);

	broker_answer(broker, request->id, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE);
	if (tells)
		zs_observer_tell(&broker->observer);
}

/* The errno with which the filter refuses the call, by its number and arguments, which the caller cannot change any
 * more; 0: the call passes. */
static int find_refusal(const struct zs_broker *broker, const struct seccomp_notif *request)
{
	uint32_t action = broker->refusing_count
				  ? zs_seccomp_judge(broker->refusing, broker->refusing_count, &request->data)
				  : SECCOMP_RET_ALLOW;

	if (action == SECCOMP_RET_ALLOW || action == SECCOMP_RET_USER_NOTIF)
		return 0;
	action = (action & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_ERRNO ? action & SECCOMP_RET_DATA : 0;
	return action ? (int)action : EPERM;
}

static void serve_refused(struct zs_broker *broker, const struct seccomp_notif *request, int error)
{
	bool tells = zs_observer_refused(&broker->observer, request, error);

	broker_answer(broker, request->id, -error, 0);
	if (tells)
		zs_observer_tell(&broker->observer);
}

/* A granted socket that does not exist now is one that the run may bind itself. */
static int note_granted(struct zs_broker *broker, const struct zs_policy *policy)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < policy->sockets.count; i++) {
		int place = open(policy->sockets.items[i], O_PATH | O_CLOEXEC);

		r = place < 0 ? 0 : note(broker, place);
	}
	return r;
}

/* Makes the run's root directory ours: it is mounted on top of the one that the init began in (zs_root_enter()). */
static int share_root(void)
{
	ZS_AUTO_FD int root = open("/..", O_PATH | O_DIRECTORY | O_CLOEXEC);

	return root < 0 || fchdir(root) < 0 || chroot(".") < 0 ? -errno : 0;
}

int zs_broker_begin(const struct zs_run *run, int listener, int proc, const struct sock_filter *refusing, size_t count,
	struct zs_broker **ret_broker)
{
	const struct sigaction interrupts = { .sa_handler = take_alarm };
	struct zs_broker *broker = calloc(1, sizeof *broker);
	int r = broker ? share_root() : -ENOMEM;

	if (r == 0 && (fchdir(proc) < 0 || sigaction(SIGALRM, &interrupts, NULL) < 0))
		r = -errno;
	if (r < 0) {
		free(broker);
		return r;
	}
	broker->listener = listener;
	broker->proc = proc;
	broker->refusing = refusing;
	broker->refusing_count = count;
	broker->connects = !run->shared;
	broker->users = run->policy->users;
	broker->observer = (struct zs_observer){ .proc = proc, .channel = run->denials, .hurried = run->shared };
	/* From Linux 6.6 on: the caller and this process take turns on one processor, which is faster. */
	notification(broker, SECCOMP_IOCTL_NOTIF_SET_FLAGS, (void *)SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP);
	r = run->shared ? 0 : note_granted(broker, run->policy);
	*ret_broker = broker;
	return r;
}

bool zs_broker_is_over(const struct zs_broker *broker)
{
	return broker->listener < 0;
}

unsigned zs_broker_end(struct zs_broker *broker)
{
	unsigned untold = broker->observer.lost - broker->observer.known;

	for (size_t i = 0; i < broker->known_count; i++)
		close(broker->known[i].place);
	if (broker->observer.channel >= 0)
		close(broker->observer.channel);
	free(broker);
	return untold;
}

int zs_broker_events(const struct zs_broker *broker, struct pollfd *ret_event)
{
	int64_t left = broker && broker->waiting_count ? broker->retry - zs_now_ms() : -1;

	*ret_event = (struct pollfd){ broker ? broker->listener : -1, POLLIN, 0 };
	if (!broker || !broker->waiting_count)
		return -1;
	return left < 0 ? 0 : (int)left;
}

void zs_broker_serve(struct zs_broker *broker, const struct pollfd *event)
{
	struct seccomp_notif request = { 0 };

	if (event->revents & POLLIN && notification(broker, SECCOMP_IOCTL_NOTIF_RECV, &request) == 0) {
		int error = find_refusal(broker, &request);

		if (error)
			serve_refused(broker, &request, error);
		else if (broker->connects && request.data.nr == SYS_listen)
			serve_listen(broker, &request);
		else if (broker->connects && request.data.nr == SYS_connect)
			serve_connect(broker, &request);
		else
			serve_observed(broker, &request);
	} else if (event->revents & POLLHUP && broker->listener >= 0) {
		/* No process has the filter any more. The listener would wake this one again and again. */
		close(broker->listener);
		broker->listener = -1;
		broker->waiting_count = 0;
	}
	if (broker->waiting_count && zs_now_ms() >= broker->retry)
		retry(broker);
}
