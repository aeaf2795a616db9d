#include "linux/run/observer.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "denial/listening.h"
#include "linux/trace/denial_channel.h"
#include "linux/trace/trace_read.h"

#ifndef STATX_ATTR_MOUNT_ROOT
#define STATX_ATTR_MOUNT_ROOT 0x2000 /* as in watch.c */
#endif

/* The call that was looked at last. This process looks at one at a time. */
static struct zs_refusal refusal;
static struct zs_trace_texts texts;
static struct zs_traced traced;

/* The errno of access(2), or 0. This process has the command's user and no rights over modes. */
static int refuses(const char *path, int mode)
{
	return access(path, mode) < 0 ? errno : 0;
}

static bool is_there(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

/* Is it protected, which is a mount of its own? */
static bool is_mount(const char *path)
{
	struct statx st = { 0 }; /* musl's replacement for statx(2) leaves fields unset */

	return statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, 0, &st) == 0 && st.stx_attributes & STATX_ATTR_MOUNT_ROOT;
}

static void folder_of(const char *path, char folder[PATH_MAX])
{
	char *slash;

	snprintf(folder, PATH_MAX, "%s", path);
	/* mkdir(2) takes a slash behind the name. */
	for (size_t len = strlen(folder); len > 1 && folder[len - 1] == '/'; len--)
		folder[len - 1] = '\0';
	slash = strrchr(folder, '/');
	if (slash)
		slash[slash == folder] = '\0';
}

static int refuses_entry(const char *path)
{
	char folder[PATH_MAX];

	folder_of(path, folder);
	return refuses(folder, W_OK | X_OK);
}

/* An entry that is removed or replaced. */
static int refuses_removal(const char *path)
{
	int error = refuses_entry(path);

	return !error && is_mount(path) ? EBUSY : error;
}

/* The mount of a path (man 2 statx); 0: it is not known. C libraries lack the field. */
static uint64_t mount_of(const char *path)
{
	enum { MNT_ID = 0x1000, WORDS = 32, MNT_ID_WORD = 18 };
	uint64_t st[WORDS] = { 0 };
	uint32_t mask = 0;

	if (syscall(SYS_statx, AT_FDCWD, path, 0, MNT_ID, st) < 0)
		return 0;
	memcpy(&mask, st, sizeof mask);
	return mask & MNT_ID ? st[MNT_ID_WORD] : 0;
}

/* Some file systems are mounted several times inside, and once outside. */
static int refuses_two(const char *from, const char *to)
{
	char from_folder[PATH_MAX], to_folder[PATH_MAX];

	folder_of(from, from_folder);
	folder_of(to, to_folder);
	return mount_of(from_folder) == mount_of(to_folder) ? 0 : EXDEV;
}

/* The first path of link(2). Negative: outside it is refused, too: folders have one name, and nobody but root links
 * another's file (man 5 proc_sys_fs, protected_hardlinks). */
static int refuses_link(const char *path)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return errno;
	return S_ISDIR(st.st_mode) || (st.st_uid != geteuid() && geteuid() != 0) ? -EPERM : 0;
}

static int refuses_content(const char *path, bool makes)
{
	struct stat st;
	int error = refuses(path, W_OK);

	if (error == ENOENT && makes)
		return refuses_entry(path);
	return error && stat(path, &st) == 0 && S_ISDIR(st.st_mode) ? 0 : error;
}

/* The mode, owner or times of a file. Outside, too, nobody but root changes those of another's. */
static int refuses_attributes(const char *path)
{
	struct statvfs mount;
	struct stat st;

	if (stat(path, &st) < 0)
		return errno;
	if (st.st_uid != geteuid() && geteuid() != 0)
		return 0;
	if (statvfs(path, &mount) == 0 && mount.f_flag & ST_RDONLY)
		return EROFS;
	return st.st_uid == geteuid() ? 0 : EPERM;
}

/* A script's interpreter must be granted, too. */
static int refuses_exec(const char *path)
{
	int error = refuses(path, X_OK);
	ZS_AUTO_FD int fd = error ? -1 : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char line[256];
	ssize_t len = fd < 0 ? -1 : read(fd, line, sizeof line - 1);
	char *start = line + 2;

	if (len < 2 || line[0] != '#' || line[1] != '!')
		return error;
	line[len] = '\0';
	start += strspn(start, " \t");
	start[strcspn(start, " \t\n")] = '\0';
	return refuses(start, X_OK);
}

/* No process of the run has had a pid above the last one (man 5 proc_loadavg). */
static int refuses_signal(const struct zs_observer *observer)
{
	ZS_AUTO_FD int fd = openat(observer->proc, "loadavg", O_RDONLY | O_CLOEXEC);
	char text[128];
	ssize_t len = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
	const char *last;

	text[len < 0 ? 0 : len] = '\0';
	last = strrchr(text, ' ');
	refusal.foreign = last && refusal.number > strtol(last, NULL, 10);
	return refusal.foreign ? ESRCH : 0;
}

/* The run's own network has the loopback alone. */
static bool is_own_address(const struct zs_address *address)
{
	enum zs_address_kind kind = zs_address_kind(address);

	return kind == ZS_ADDRESS_LOOPBACK || kind == ZS_ADDRESS_UNSPECIFIED;
}

static int refuses_bind(void)
{
	struct zs_address address;
	uint16_t port;
	bool inet = zs_address_from_sockaddr(refusal.address, refusal.address_size, &address, &port);

	return !inet || is_own_address(&address) ? 0 : EADDRNOTAVAIL;
}

/* A connection that no broker makes. */
static int refuses_connection(const struct zs_observer *observer)
{
	struct zs_address address;
	uint16_t port;

	if (!zs_address_from_sockaddr(refusal.address, refusal.address_size, &address, &port))
		return 0;
	if (!is_own_address(&address))
		return ENETUNREACH;
	address = zs_address_reached(&address);
	return refusal.datagram || zs_listens_inet(observer->proc, &address, port) ? 0 : ECONNREFUSED;
}

static bool is_of_content(const char *call)
{
	return strncmp(call, "open", 4) == 0 || strcmp(call, "truncate") == 0;
}

/* The errno with which the kernel refuses the call; 0: it does not, as far as this process can ask. */
static int predict(const struct zs_observer *observer)
{
	const char *made = *texts.other ? texts.other : texts.path;
	int error;

	switch (refusal.attempt) {
	case ZS_ATTEMPT_WRITE:
		return refuses_content(texts.path, true);
	case ZS_ATTEMPT_CHANGE:
		return is_of_content(refusal.call) ? refuses_content(texts.path, false)
						   : refuses_attributes(texts.path);
	case ZS_ATTEMPT_MAKE:
		if (*texts.other && (error = refuses_link(texts.path)))
			return error > 0 ? error : 0;
		error = refuses_entry(made);
		/* The kernel looks for the name first: EEXIST. */
		if (error && is_there(made))
			return 0;
		return error || !*texts.other ? error : refuses_two(texts.path, texts.other);
	case ZS_ATTEMPT_REMOVE:
		error = refuses_removal(texts.path);
		if (!error && *texts.other)
			error = refuses_removal(texts.other);
		return error || !*texts.other ? error : refuses_two(texts.path, texts.other);
	case ZS_ATTEMPT_EXEC:
		return refuses_exec(texts.path);
	case ZS_ATTEMPT_SIGNAL:
		return refuses_signal(observer);
	case ZS_ATTEMPT_CONNECT:
		return strcmp(refusal.call, "bind") == 0 ? refuses_bind() : refuses_connection(observer);
	case ZS_ATTEMPT_LOOK:
	case ZS_ATTEMPT_READ:
	case ZS_ATTEMPT_SOCKET:
	case ZS_ATTEMPT_FORK:
	case ZS_ATTEMPT_CALL:
	case ZS_ATTEMPT_LIMIT:
		break;
	}
	return 0;
}

/* Finds the child of the run's first process above this one. The kernel keeps a parent for each process, which the
 * process itself cannot choose; the parent of the first one is outside, so it has no pid here. */
static pid_t find_branch(pid_t pid)
{
	enum { INIT = 1, DEPTH_MAX = 128 };
	pid_t below = 0;

	for (int depth = 0; depth < DEPTH_MAX; depth++) {
		long parent = zs_trace_status(traced.proc, pid, "\nPPid:", false);

		if (parent < 0)
			return ZS_BRANCH_UNKNOWN;
		if (parent == 0)
			return below;
		if (parent == INIT)
			return 0;
		below = pid;
		pid = (pid_t)parent;
	}
	return ZS_BRANCH_UNKNOWN;
}

/* Learns the process of the thread. */
static void identify(void)
{
	long group = zs_trace_status(traced.proc, traced.pid, "\nTgid:", false);

	if (group > 0)
		traced.group = traced.inside = refusal.group = refusal.pid = (pid_t)group;
	refusal.branch = find_branch(traced.group);
	zs_trace_name(&traced, refusal.process);
}

/* Makes the arguments plain. */
static void take(const struct zs_observer *observer, const struct seccomp_notif *request, uint64_t ret_arguments[6])
{
	memcpy(ret_arguments, request->data.args, sizeof request->data.args);
	traced = (struct zs_traced){ observer->proc, (pid_t)request->pid, (pid_t)request->pid, (pid_t)request->pid };
}

bool zs_observer_refused(struct zs_observer *observer, const struct seccomp_notif *request, int error)
{
	uint64_t arguments[6];

	if (observer->channel < 0)
		return false;
	take(observer, request, arguments);
	if (!zs_trace_refused(&traced, (uint64_t)request->data.nr, arguments, error, &refusal, &texts))
		return false;
	identify();
	return true;
}

bool zs_observer_look(struct zs_observer *observer, const struct seccomp_notif *request)
{
	uint64_t arguments[6];

	if (observer->channel < 0)
		return false;
	take(observer, request, arguments);
	if (!zs_trace_ask(&traced, (uint64_t)request->data.nr, arguments, &refusal, &texts))
		return false;
	refusal.error = predict(observer);
	if (refusal.attempt == ZS_ATTEMPT_EXEC && refusal.error)
		observer->execs = true;
	else if (!refusal.error && !(refusal.attempt == ZS_ATTEMPT_EXEC && observer->execs))
		return false;
	identify();
	return true;
}

void zs_observer_tell(struct zs_observer *observer)
{
	int r = zs_denial_send_attempt(
		observer->channel, &refusal, observer->lost, observer->late || observer->hurried);

	observer->late = r == -EAGAIN;
	if (r == 0)
		observer->known = observer->lost;
	if (observer->late) {
		observer->lost++;
	} else if (r < 0) {
		close(observer->channel);
		observer->channel = -1;
	}
}

/* A connection that does not block may have been refused already. On the loopback it has, if it is going to be. */
static bool is_refused(int socket)
{
	struct pollfd event = { socket, 0, 0 };

	return poll(&event, 1, 0) == 1 && event.revents & POLLERR;
}

void zs_observer_connected(
	struct zs_observer *observer, pid_t thread, int socket, const void *address, socklen_t size, int error)
{
	int type = 0;
	socklen_t len = sizeof type;

	if (size > sizeof texts.address || (error == EINPROGRESS && !is_refused(socket)))
		return;
	memset(texts.address, 0, sizeof texts.address);
	memcpy(texts.address, address, size);
	texts.named[0] = texts.path[0] = texts.other[0] = '\0';
	refusal = (struct zs_refusal){
		.attempt = ZS_ATTEMPT_CONNECT,
		.error = error == EINPROGRESS ? ECONNREFUSED : error,
		.call = "connect",
		.named = texts.named,
		.path = texts.path,
		.other = texts.other,
		.address = (const struct sockaddr *)(const void *)texts.address,
		.address_size = size,
		.datagram = getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &len) == 0 && type == SOCK_DGRAM,
	};
	traced = (struct zs_traced){ observer->proc, thread, thread, thread };
	zs_trace_folder(&traced, texts.path);
	identify();
	zs_observer_tell(observer);
}
