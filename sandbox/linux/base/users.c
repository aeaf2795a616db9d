#include "linux/base/users.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <pwd.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/read_file.h"
#include "linux/base/process_calls.h"

#define CAPABILITY(name) (UINT32_C(1) << (name))

const uint32_t zs_users_capabilities = CAPABILITY(CAP_CHOWN) | CAPABILITY(CAP_DAC_OVERRIDE) | CAPABILITY(CAP_FOWNER) |
				       CAPABILITY(CAP_FSETID) | CAPABILITY(CAP_KILL) | CAPABILITY(CAP_SETGID) |
				       CAPABILITY(CAP_SETUID);

/* Finding the ids */

enum {
	/* Lower ids are those of the machine's own users: commands must not act as these, whatever a row says. */
	LOWEST = 65536,
	/* systemd's table of ids (docs/UIDS-GIDS.md in its sources) has no use for 1879048192 to 2147352575. */
	ROOTS_OWN = 0x70000000,
};

enum kind { UIDS, GIDS, KINDS };

static const struct {
	const char *file, *map, *program, *option;
} kinds[KINDS] = {
	[UIDS] = { "/etc/subuid", "uid_map", "newuidmap", "--add-subuids" },
	[GIDS] = { "/etc/subgid", "gid_map", "newgidmap", "--add-subgids" },
};

static int refuse(enum kind kind, const char *user, const char *why, struct zs_error *error)
{
	zs_error_say(error, "", kinds[kind].file, EPERM, "%s", why);
	return zs_error_hint(error, -EPERM,
		"as root: usermod %s 100000-165535 %s, or another range of which no id is somebody else's; or use "
		"--root-user, with one user",
		kinds[kind].option, user);
}

/* Reads a decimal number up to the character `end`. */
static bool take_number(const char **text, char end, uint32_t *ret_number)
{
	char *after;
	unsigned long long number;

	errno = 0;
	number = strtoull(*text, &after, 10);
	if (**text < '0' || **text > '9' || errno || number > UINT32_MAX ||
		(*after != end && !(end == '\n' && !*after)))
		return false;
	*text = after + (*after != '\0');
	*ret_number = (uint32_t)number;
	return true;
}

/* Is the line's first part this name? Then *line is behind it. */
static bool take_name(const char **line, const char *name)
{
	size_t len = strlen(name);

	if (len == 0 || strncmp(*line, name, len) != 0 || (*line)[len] != ':')
		return false;
	*line += len + 1;
	return true;
}

static const char *next_line(const char *line)
{
	line = strchr(line, '\n');
	return line ? line + 1 : "";
}

/* man 5 subuid: "name:first:count", where the name may be a number. */
static int find_range(
	enum kind kind, const char *name, const char *number, struct zs_id_range *ret_range, struct zs_error *error)
{
	const char *user = *name ? name : number;
	ZS_AUTO_FREE char *text = NULL;
	int r = zs_read_file(kinds[kind].file, &text);
	struct zs_id_range range;

	if (r < 0 && r != -ENOENT)
		return zs_error_errno(error, "", kinds[kind].file, -r);
	for (const char *line = text ? text : ""; *line; line = next_line(line)) {
		const char *rest = line;

		if (!take_name(&rest, name) && !take_name(&rest, number))
			continue;
		if (!take_number(&rest, ':', &range.first) || !take_number(&rest, '\n', &range.count) ||
			range.count == 0 || range.count > UINT32_MAX - range.first)
			return refuse(kind, user, "the row of this user is no range of ids", error);
		if (range.first < LOWEST)
			return refuse(
				kind, user, "this user's ids begin below 65536, where those of others are", error);
		range.count = range.count > ZS_USERS_MAX ? ZS_USERS_MAX : range.count;
		*ret_range = range;
		return 0;
	}
	if (geteuid() != 0)
		return refuse(kind, user, "has no subordinate ids of this user, which --users takes", error);
	*ret_range = (struct zs_id_range){ ROOTS_OWN, ZS_USERS_MAX };
	return 0;
}

int zs_users_find(struct zs_users *ret_users, struct zs_error *error)
{
	const struct passwd *entry;
	struct zs_users users;
	char number[16];
	int r;

	errno = 0;
	entry = getpwuid(geteuid());
	if (!entry && errno && errno != ENOENT)
		return zs_error_errno(error, "", "/etc/passwd", errno);
	snprintf(number, sizeof number, "%u", (unsigned)geteuid());
	r = find_range(UIDS, entry ? entry->pw_name : "", number, &users.uids, error);
	if (r == 0)
		r = find_range(GIDS, entry ? entry->pw_name : "", number, &users.gids, error);
	if (r == 0)
		*ret_users = users;
	return r;
}

/* Not by PATH, which is the caller's. */
static int find_program(enum kind kind, char path[64], struct zs_error *error)
{
	static const char *const folders[] = { "/usr/bin", "/bin", "/usr/local/bin" };

	for (size_t i = 0; i < ZS_COUNT(folders); i++) {
		snprintf(path, 64, "%s/%s", folders[i], kinds[kind].program);
		if (access(path, X_OK) == 0)
			return 0;
	}
	zs_error_say(error, "", kinds[kind].program, ENOENT, "is not installed; --users takes it");
	return zs_error_hint(error, -ENOENT, "install the package uidmap (Debian, Ubuntu) or shadow-utils");
}

int zs_users_check(struct zs_error *error)
{
	struct zs_users users;
	char path[64];
	int r = zs_users_find(&users, error);

	for (enum kind kind = UIDS; r == 0 && geteuid() != 0 && kind < KINDS; kind++)
		r = find_program(kind, path, error);
	return r;
}

/* Writing the maps */

/* A child that writes a map. It stays in the caller's user namespace, and waits until the new one is made. */
struct writer {
	enum kind kind;
	uint32_t own; /* the id that is 0 inside */
	struct zs_id_range range;
	char program[64]; /* "": the child writes the map itself */
	pid_t pid;
	int said; /* a memory file with what it says on standard error */
};

static int write_map(const struct writer *writer, pid_t target)
{
	char path[64], text[96];
	ZS_AUTO_FD int fd = -1;
	int len = snprintf(text, sizeof text, "0 %" PRIu32 " 1\n1 %" PRIu32 " %" PRIu32 "\n", writer->own,
		writer->range.first, writer->range.count);

	snprintf(path, sizeof path, "/proc/%d/%s", (int)target, kinds[writer->kind].map);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	return fd < 0 || write(fd, text, (size_t)len) != len ? -errno : 0;
}

static _Noreturn void be_writer(const struct writer *writer, pid_t target, int gate)
{
	char pid[16], own[16], first[16], count[16], byte;
	char *words[] = { (char *)(uintptr_t)writer->program, pid, (char *)"0", own, (char *)"1", (char *)"1", first,
		count, NULL };
	char *const environment[] = { (char *)"LC_ALL=C", NULL };

	/* The end of the pipe: there is no new namespace. */
	if (read(gate, &byte, 1) != 1)
		_exit(EXIT_FAILURE);
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (dup2(writer->said, fd) < 0)
			_exit(EXIT_FAILURE);
	if (!*writer->program) {
		int r = write_map(writer, target);

		if (r < 0)
			dprintf(STDERR_FILENO, "%s", strerror(-r));
		_exit(r < 0 ? EXIT_FAILURE : EXIT_SUCCESS);
	}
	snprintf(pid, sizeof pid, "%d", (int)target);
	snprintf(own, sizeof own, "%" PRIu32, writer->own);
	snprintf(first, sizeof first, "%" PRIu32, writer->range.first);
	snprintf(count, sizeof count, "%" PRIu32, writer->range.count);
	execve(writer->program, words, environment);
	dprintf(STDERR_FILENO, "%s", strerror(errno));
	_exit(EXIT_FAILURE);
}

/* Waits for the end of a writer. */
static int writer_end(struct writer *writer, struct zs_error *error)
{
	char said[160];
	int status;
	ssize_t len;

	while (waitpid(writer->pid, &status, 0) < 0)
		if (errno != EINTR)
			return zs_error_errno(error, "", kinds[writer->kind].program, errno);
	if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS)
		return 0;
	len = pread(writer->said, said, sizeof said - 1, 0);
	said[len < 0 ? 0 : len] = '\0';
	said[strcspn(said, "\n")] = '\0';
	zs_error_say(error, "", *writer->program ? writer->program : kinds[writer->kind].map, EPERM,
		"the users' ids cannot be mapped: %s", *said ? said : "it says nothing");
	return zs_error_hint(error, -EPERM, "see 'zs doctor'; or use --root-user, with one user");
}

/* A seccomp filter around zs, or another program, may only pretend that the map is written. */
static int check_map(const struct writer *writer, struct zs_error *error)
{
	char path[32];
	ZS_AUTO_FREE char *text = NULL;
	unsigned rows[2][3], more;
	int r;

	snprintf(path, sizeof path, "/proc/self/%s", kinds[writer->kind].map);
	r = zs_read_file(path, &text);
	if (r < 0)
		return zs_error_errno(error, "", path, -r);
	if (sscanf(text, "%u %u %u %u %u %u %u", &rows[0][0], &rows[0][1], &rows[0][2], &rows[1][0], &rows[1][1],
		    &rows[1][2], &more) == 6 &&
		rows[0][0] == 0 && rows[0][1] == writer->own && rows[0][2] == 1 && rows[1][0] == 1 &&
		rows[1][1] == writer->range.first && rows[1][2] == writer->range.count)
		return 0;
	return zs_error_say(error, "", path, EPERM, "the users' ids were not mapped as asked");
}

static int check_groups(struct zs_error *error)
{
	static const char path[] = "/proc/self/setgroups";
	ZS_AUTO_FREE char *text = NULL;
	int r = zs_read_file(path, &text);

	if (r < 0)
		return zs_error_errno(error, "", path, -r);
	return strcmp(text, "allow\n") == 0
		       ? 0
		       : zs_error_say(error, "", path, EPERM, "the users' groups cannot be set: setgroups is denied");
}

static int start_writer(struct writer *writer, const int gate[2], struct zs_error *error)
{
	pid_t target = getpid();

	if (geteuid() != 0 && find_program(writer->kind, writer->program, error) < 0)
		return -ENOENT;
	writer->said = memfd_create("zs-users", MFD_CLOEXEC);
	if (writer->said < 0)
		return zs_error_errno(error, "", "memfd_create", errno);
	writer->pid = zs_fork(0, NULL);
	if (writer->pid < 0)
		return zs_error_errno(error, "", "fork", -writer->pid);
	if (writer->pid == 0) {
		close(gate[1]);
		be_writer(writer, target, gate[0]);
	}
	return 0;
}

static int enter(int flags, struct writer writers[KINDS], const char **ret_object, struct zs_error *error)
{
	int gate[2], r = 0;

	if (pipe2(gate, O_CLOEXEC) < 0)
		return zs_error_errno(error, "", "pipe", errno);
	for (enum kind kind = UIDS; r == 0 && kind < KINDS; kind++)
		r = start_writer(&writers[kind], gate, error);
	if (r == 0 && unshare(flags) < 0) {
		r = -errno;
		*ret_object = "unshare";
	}
	if (r == 0 && write(gate[1], "go", KINDS) != KINDS)
		r = zs_error_errno(error, "", "pipe", errno);
	close(gate[0]);
	close(gate[1]);
	for (enum kind kind = UIDS; kind < KINDS; kind++) {
		struct writer *writer = &writers[kind];
		int done = writer->pid > 0 ? writer_end(writer, r < 0 ? NULL : error) : 0;

		r = r < 0 ? r : done;
		if (writer->said >= 0)
			close(writer->said);
	}
	return r;
}

int zs_users_enter(int flags, const char **ret_object, struct zs_error *error)
{
	struct writer writers[KINDS] = { { .kind = UIDS, .own = geteuid(), .said = -1 },
		{ .kind = GIDS, .own = getegid(), .said = -1 } };
	struct zs_users users;
	int r = zs_users_find(&users, error);

	*ret_object = "";
	if (r < 0)
		return r;
	writers[UIDS].range = users.uids;
	writers[GIDS].range = users.gids;
	r = enter(flags, writers, ret_object, error);
	for (enum kind kind = UIDS; r == 0 && kind < KINDS; kind++)
		r = check_map(&writers[kind], error);
	return r < 0 ? r : check_groups(error);
}

int zs_users_drop_groups(void)
{
	if (syscall(SYS_setgroups, 0, NULL) < 0)
		return -errno;
	return getgroups(0, NULL) == 0 ? 0 : -EPERM;
}
