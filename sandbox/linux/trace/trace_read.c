#include "linux/trace/trace_read.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "linux/locks/seccomp_calls.h"
#include "linux/trace/trace_calls.h"

#define ROW(name, shape, attempt, folder, path, extra)                                                                 \
	{ #name, SYS_##name, ZS_TRACE_##shape, ZS_ATTEMPT_##attempt, folder, path, extra },
#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

static const struct zs_trace_call rows[] = {
#ifdef SYS_open
	ZS_TRACE_OLD_CALLS(ROW)
#endif
		ZS_TRACE_CALLS(ROW)
};

/* A row of the seccomp filter's table, for which only refusals count. */
static bool find_filtered(uint64_t number, struct zs_trace_call *ret_row)
{
#ifdef __x86_64__
	enum { HERE = ZS_SECCOMP_X86_64 };
#else
	enum { HERE = ZS_SECCOMP_AARCH64 };
#endif
	for (size_t i = 0; i < ZS_COUNT(zs_seccomp_calls); i++)
		if (zs_seccomp_calls[i].numbers[HERE] == (int)number) {
			*ret_row = (struct zs_trace_call){ .shape = ZS_TRACE_PLAIN, .attempt = ZS_ATTEMPT_CALL };
			memcpy(ret_row->name, zs_seccomp_calls[i].name, sizeof ret_row->name);
			return true;
		}
	return false;
}

static bool find_row(uint64_t number, struct zs_trace_call *ret_row)
{
	for (size_t i = 0; i < ZS_COUNT(rows); i++)
		if ((uint64_t)rows[i].number == number) {
			*ret_row = rows[i];
			return true;
		}
	return find_filtered(number, ret_row);
}

static size_t read_memory(pid_t pid, uint64_t address, void *to, size_t size)
{
	struct iovec local = { to, size }, remote = { (void *)(uintptr_t)address, size }; // NOLINT
	ssize_t len = process_vm_readv(pid, &local, 1, &remote, 1, 0);

	return len < 0 ? 0 : (size_t)len;
}

/* Reads page by page: the page after the text's last one may not exist. */
static bool read_text(pid_t pid, uint64_t address, char text[PATH_MAX])
{
	enum { PAGE = 4096 };
	size_t len = 0;

	while (len < PATH_MAX) {
		size_t page = PAGE - (address + len) % PAGE, room = PATH_MAX - len;
		size_t got = read_memory(pid, address + len, text + len, room < page ? room : page);

		if (got == 0)
			break;
		if (memchr(text + len, '\0', got))
			return true;
		len += got;
	}
	*text = '\0';
	return false;
}

void zs_trace_program(pid_t pid, uint64_t address, char program[NAME_MAX + 1])
{
	char path[PATH_MAX];
	const char *name;

	read_text(pid, address, path);
	name = strrchr(path, '/');
	snprintf(program, NAME_MAX + 1, "%s", name ? name + 1 : path);
}

static bool read_link(const struct zs_traced *traced, const char *name, char path[PATH_MAX])
{
	char link[64];
	ssize_t len;

	snprintf(link, sizeof link, "%ld/%s", (long)traced->pid, name);
	len = readlinkat(traced->proc, link, path, PATH_MAX - 1);
	path[len < 0 ? 0 : len] = '\0';
	return len > 0 && *path == '/';
}

bool zs_trace_folder(const struct zs_traced *traced, char path[PATH_MAX])
{
	return read_link(traced, "cwd", path);
}

static bool read_descriptor(const struct zs_traced *traced, int fd, char path[PATH_MAX])
{
	char name[32];

	snprintf(name, sizeof name, "fd/%d", fd);
	return read_link(traced, name, path);
}

/* Makes the path of a folder's descriptor and a name. An empty name means the descriptor itself (AT_EMPTY_PATH). */
static bool find_path(const struct zs_traced *traced, int folder, const char *named, char path[PATH_MAX])
{
	bool found = true;
	size_t len;

	*path = '\0';
	if (*named != '/')
		found = folder == AT_FDCWD ? zs_trace_folder(traced, path) : read_descriptor(traced, folder, path);
	len = strlen(path);
	if (!found || len + strlen(named) + 2 > PATH_MAX)
		return false;
	snprintf(path + len, PATH_MAX - len, "%s%s", *named && *named != '/' && strcmp(path, "/") != 0 ? "/" : "",
		named);
	return true;
}

long zs_trace_status(int proc, pid_t pid, const char *name, bool last)
{
	char path[32], text[4096], *at, *end;
	ssize_t len;

	snprintf(path, sizeof path, "%ld/status", (long)pid);

	ZS_AUTO_FD int fd = openat(proc, path, O_RDONLY | O_CLOEXEC);

	len = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
	text[len < 0 ? 0 : len] = '\0';
	at = strstr(text, name);
	if (!at)
		return -1;
	at += strlen(name);
	end = at + strcspn(at, "\n");
	*end = '\0';
	if (last && strrchr(at, '\t'))
		at = strrchr(at, '\t');
	return strtol(at, NULL, 10);
}

void zs_trace_name(const struct zs_traced *traced, char name[16])
{
	char path[32];
	ssize_t len;

	snprintf(path, sizeof path, "%ld/comm", (long)traced->pid);

	ZS_AUTO_FD int fd = openat(traced->proc, path, O_RDONLY | O_CLOEXEC);

	len = fd < 0 ? -1 : read(fd, name, 15);
	name[len < 0 ? 0 : len] = '\0';
	name[strcspn(name, "\n")] = '\0';
}

static bool take_path(const struct zs_traced *traced, const struct zs_trace_call *row, const uint64_t *arguments,
	struct zs_trace_texts *texts)
{
	int folder = row->folder < 0 ? AT_FDCWD : (int)arguments[row->folder];

	if (row->shape == ZS_TRACE_FILE)
		return read_descriptor(traced, (int)arguments[row->path], texts->path);
	if (arguments[row->path] && !read_text(traced->pid, arguments[row->path], texts->named))
		return false;
	return find_path(traced, folder, texts->named, texts->path);
}

static void take_other(const struct zs_traced *traced, const struct zs_trace_call *row, const uint64_t *arguments,
	struct zs_trace_texts *texts)
{
	char named[PATH_MAX];
	int folder = row->folder < 0 ? AT_FDCWD : (int)arguments[row->extra - 1];

	if (read_text(traced->pid, arguments[row->extra], named))
		find_path(traced, folder, named, texts->other);
}

static enum zs_attempt open_attempt(
	const struct zs_traced *traced, const struct zs_trace_call *row, const uint64_t *arguments)
{
	uint64_t flags = arguments[row->extra];

	if (row->shape == ZS_TRACE_HOW && read_memory(traced->pid, arguments[row->extra], &flags, sizeof flags) == 0)
		flags = 0;
	if (row->shape == ZS_TRACE_OPEN)
		flags = (uint32_t)flags;
	if (flags & O_PATH)
		return ZS_ATTEMPT_LOOK;
	if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL))
		return ZS_ATTEMPT_MAKE;
	if (flags & O_CREAT)
		return ZS_ATTEMPT_WRITE;
	return (flags & O_ACCMODE) != O_RDONLY || flags & O_TRUNC ? ZS_ATTEMPT_CHANGE : ZS_ATTEMPT_READ;
}

/* A copy of a descriptor, or -1. */
static int take_copy(const struct zs_traced *traced, int fd)
{
	long process = syscall(SYS_pidfd_open, traced->group, 0);
	long copy = process < 0 ? -1 : syscall(SYS_pidfd_getfd, process, fd, 0);

	if (process >= 0)
		close((int)process);
	return (int)copy;
}

/* Has a connection that does not block been refused already? On the loopback it has, if it is going to be. */
static bool is_refused(int socket)
{
	struct pollfd event = { socket, 0, 0 };

	return poll(&event, 1, 0) == 1 && event.revents & POLLERR;
}

static bool take_address(const struct zs_traced *traced, const struct zs_trace_call *row, const uint64_t *arguments,
	struct zs_refusal *refusal, struct zs_trace_texts *texts)
{
	size_t size = (size_t)arguments[row->extra];
	int type = 0;
	socklen_t len = sizeof type;

	if (!arguments[row->path] || size < sizeof(sa_family_t) || size > sizeof texts->address)
		return false;
	memset(texts->address, 0, sizeof texts->address);
	if (read_memory(traced->pid, arguments[row->path], texts->address, size) != size)
		return false;
	refusal->address = (const struct sockaddr *)(const void *)texts->address;
	refusal->address_size = (socklen_t)size;
	zs_trace_folder(traced, texts->path);

	ZS_AUTO_FD int copy = take_copy(traced, (int)arguments[row->folder]);

	refusal->datagram = getsockopt(copy, SOL_SOCKET, SO_TYPE, &type, &len) == 0 && type == SOCK_DGRAM;
	if (refusal->error != EINPROGRESS)
		return true;
	refusal->error = ECONNREFUSED;
	return is_refused(copy);
}

static bool take_arguments(const struct zs_traced *traced, const struct zs_trace_call *row, const uint64_t *arguments,
	struct zs_refusal *refusal, struct zs_trace_texts *texts)
{
	switch (row->shape) {
	case ZS_TRACE_OPEN:
	case ZS_TRACE_HOW:
		refusal->attempt = open_attempt(traced, row, arguments);
		return take_path(traced, row, arguments, texts);
	case ZS_TRACE_ACCESS:
		if (arguments[row->extra] & W_OK)
			refusal->attempt = ZS_ATTEMPT_CHANGE;
		else if (arguments[row->extra] & X_OK && refusal->error == EACCES)
			refusal->attempt = ZS_ATTEMPT_EXEC;
		return take_path(traced, row, arguments, texts);
	case ZS_TRACE_TWO:
		take_other(traced, row, arguments, texts);
		return take_path(traced, row, arguments, texts);
	case ZS_TRACE_PATH:
	case ZS_TRACE_FILE:
		return take_path(traced, row, arguments, texts);
	case ZS_TRACE_SOCKET_ADDRESS:
		return take_address(traced, row, arguments, refusal, texts);
	case ZS_TRACE_PID:
		refusal->number = (pid_t)arguments[strcmp(row->name, "tgkill") == 0];
		return refusal->number > 0;
	case ZS_TRACE_KIND:
		refusal->family = (int)arguments[0];
		refusal->type = (int)arguments[1];
		refusal->protocol = (int)arguments[2];
		return true;
	case ZS_TRACE_PLAIN:
		return true;
	}
	return false;
}

/* Attempts whose success counts, too. */
static bool is_of_path(const struct zs_trace_call *row)
{
	return row->attempt <= ZS_ATTEMPT_REMOVE;
}

/* The errors of a refusal by mounts, Landlock, seccomp, namespaces and limits. */
static bool is_ours(int error)
{
	static const int errors[] = { ENOENT, EACCES, EPERM, EROFS, EXDEV, ENOSYS, EOPNOTSUPP, ENETUNREACH, ENETDOWN,
		EHOSTUNREACH, ECONNREFUSED, EINPROGRESS, EADDRNOTAVAIL, EAFNOSUPPORT, EPROTONOSUPPORT, ESRCH, EAGAIN,
		EMFILE, EFBIG, ENOSPC, ENOMEM };

	for (size_t i = 0; i < ZS_COUNT(errors); i++)
		if (errors[i] == error)
			return true;
	return false;
}

/* The name of *row stays until the next call. */
static bool take_call(const struct zs_traced *traced, const struct zs_trace_call *row, const uint64_t arguments[6],
	int error, struct zs_refusal *ret_refusal, struct zs_trace_texts *texts)
{
	texts->named[0] = texts->path[0] = texts->other[0] = '\0';
	*ret_refusal = (struct zs_refusal){
		.attempt = row->attempt,
		.error = error,
		.call = row->name,
		.named = texts->named,
		.path = texts->path,
		.other = texts->other,
		.pid = traced->inside,
		.group = traced->group,
	};
	return take_arguments(traced, row, arguments, ret_refusal, texts);
}

bool zs_trace_ask(const struct zs_traced *traced, uint64_t number, const uint64_t arguments[6],
	struct zs_refusal *ret_refusal, struct zs_trace_texts *texts)
{
	static struct zs_trace_call row;

	return find_row(number, &row) && take_call(traced, &row, arguments, 0, ret_refusal, texts);
}

bool zs_trace_refused(const struct zs_traced *traced, uint64_t number, const uint64_t arguments[6], int error,
	struct zs_refusal *ret_refusal, struct zs_trace_texts *texts)
{
	static struct zs_trace_call row;

	if (!find_row(number, &row))
		return false;
	if (row.shape != ZS_TRACE_KIND) {
		row.shape = ZS_TRACE_PLAIN;
		row.attempt = ZS_ATTEMPT_CALL;
	}
	return take_call(traced, &row, arguments, error, ret_refusal, texts);
}

bool zs_trace_read(const struct zs_traced *traced, uint64_t number, const uint64_t arguments[6], int64_t result,
	struct zs_refusal *ret_refusal, struct zs_trace_texts *texts)
{
	static struct zs_trace_call row;
	int error = result < 0 ? (int)-result : 0;

	if (!find_row(number, &row) || (error ? !is_ours(error) : !is_of_path(&row)))
		return false;
	/* A write fails for a limit; the other reasons are the pipe's or socket's own. */
	if (row.shape == ZS_TRACE_FILE && strstr(row.name, "write") && error != EFBIG && error != ENOSPC)
		return false;
	if (!take_call(traced, &row, arguments, error, ret_refusal, texts))
		return false;
	if (error)
		zs_trace_name(traced, ret_refusal->process);
	return true;
}
