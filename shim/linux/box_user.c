/* The process runs inside, behind the walls of the box's commands, which may have written the files that it reads: each
 * is read once, up to a limit, and no more is believed than that a name stands for an id of this box. */
#include "linux/box_user.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/read_file.h"

static const char step[] = "box", passwd[] = "/etc/passwd", group[] = "/etc/group";

enum {
	BYTES_MAX = 4 << 20, /* of each file */
	GROUPS_MAX = 64,     /* of a user, as in linux/run/broker.c */
	COLUMNS = 7,         /* of /etc/passwd (man 5 passwd) */
};

/* The columns of both files. */
enum { NAME, ID = 2, GID = 3, MEMBERS = 3, HOME = 5 };

struct user {
	const char *name; /* NULL: it has no row */
	uint32_t uid, gid;
	uint32_t groups[GROUPS_MAX];
	size_t group_count;
};

static int read_file(const char *path, char **ret_text, struct zs_error *error)
{
	/* O_NONBLOCK: a fifo keeps nobody waiting. */
	ZS_AUTO_FD int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	ZS_AUTO_FREE char *text = NULL;
	struct stat st;
	size_t len = 0;
	int r = fd < 0 || fstat(fd, &st) < 0 ? -errno : 0;

	/* Without the file there are numbers alone. */
	if (r == -ENOENT)
		return (*ret_text = strdup("")) ? 0 : zs_error_errno(error, step, path, ENOMEM);
	if (r == 0 && (!S_ISREG(st.st_mode) || st.st_size > BYTES_MAX))
		r = S_ISREG(st.st_mode) ? -EFBIG : -EINVAL;
	text = r == 0 ? malloc(BYTES_MAX + 1) : NULL;
	if (r == 0)
		r = text ? zs_read_up_to(fd, BYTES_MAX, text, &len) : -ENOMEM;
	if (r < 0)
		return zs_error_errno(error, step, path, -r);
	text[len] = '\0';
	*ret_text = ZS_STEAL(text);
	return 0;
}

/* A decimal number, and nothing more. The highest one means "no change" to the kernel. */
static bool read_id(const char *text, uint32_t *ret_id)
{
	char *end;
	unsigned long long number;

	errno = 0;
	number = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || number >= UINT32_MAX)
		return false;
	*ret_id = (uint32_t)number;
	return true;
}

/* Cuts the next line into columns. Returns their count; 0: there is no line left. */
static size_t next_row(char **text, char *columns[COLUMNS])
{
	char *line = *text;
	size_t count = 0, len = strcspn(line, "\n");

	if (!*line)
		return 0;
	*text = line + len + (line[len] == '\n');
	line[len] = '\0';
	for (char *next = line; next && count < COLUMNS; count++) {
		columns[count] = next;
		next = strchr(next, ':');
		if (next)
			*next++ = '\0';
	}
	return count;
}

static void take_user(char *const columns[COLUMNS], size_t count, struct user *user, char home[PATH_MAX])
{
	if (!read_id(columns[ID], &user->uid) || !read_id(columns[GID], &user->gid))
		return;
	user->name = columns[NAME];
	if (count > HOME && columns[HOME][0] == '/')
		snprintf(home, PATH_MAX, "%s", columns[HOME]);
}

/* A name counts before a number. The name points into text. */
static bool find_user(char *text, const char *wanted, struct user *user, char home[PATH_MAX])
{
	struct user by_number = { 0 };
	char its_home[PATH_MAX] = "/";
	uint32_t number = 0, id;
	bool is_number = read_id(wanted, &number);
	char *columns[COLUMNS];
	size_t count;

	while (!user->name && (count = next_row(&text, columns)) > 0)
		if (count > GID && strcmp(columns[NAME], wanted) == 0)
			take_user(columns, count, user, home);
		else if (count > GID && is_number && !by_number.name && read_id(columns[ID], &id) && id == number)
			take_user(columns, count, &by_number, its_home);
	if (!user->name && is_number) {
		*user = by_number.name ? by_number : (struct user){ .uid = number, .gid = number };
		memcpy(home, its_home, PATH_MAX);
	}
	return *wanted && (user->name || is_number);
}

static bool find_group(char *text, const char *wanted, uint32_t *ret_gid)
{
	char *columns[COLUMNS];
	size_t count;

	while ((count = next_row(&text, columns)) > 0)
		if (count > ID && strcmp(columns[NAME], wanted) == 0 && read_id(columns[ID], ret_gid))
			return true;
	return read_id(wanted, ret_gid);
}

static bool is_member(char *members, const char *name)
{
	char *rest, *member = strtok_r(members, ",", &rest);

	while (member && strcmp(member, name) != 0)
		member = strtok_r(NULL, ",", &rest);
	return member;
}

/* False: there are too many. */
static bool find_groups(char *text, struct user *user)
{
	char *columns[COLUMNS];
	size_t count;
	uint32_t gid;

	while (user->name && (count = next_row(&text, columns)) > 0) {
		if (count <= MEMBERS || !read_id(columns[ID], &gid) || gid == user->gid ||
			!is_member(columns[MEMBERS], user->name))
			continue;
		if (user->group_count == GROUPS_MAX)
			return false;
		user->groups[user->group_count++] = gid;
	}
	return true;
}

/* `name` is cut at its colon. */
static int find(char *name, struct user *user, char home[PATH_MAX], char **ret_users, struct zs_error *error)
{
	ZS_AUTO_FREE char *groups = NULL;
	char *its_group = strchr(name, ':');
	int r = read_file(passwd, ret_users, error);

	if (r == 0)
		r = read_file(group, &groups, error);
	if (r < 0)
		return r;
	if (its_group)
		*its_group++ = '\0';
	if (!find_user(*ret_users, name, user, home))
		return zs_error_say(error, step, name, ENOENT, "the box's /etc/passwd has no such user");
	if (its_group && !find_group(groups, its_group, &user->gid))
		return zs_error_say(error, step, its_group, ENOENT, "the box's /etc/group has no such group");
	if (!its_group && !find_groups(groups, user))
		return zs_error_say(error, step, name, E2BIG, "the user has more than %d groups", GROUPS_MAX);
	return 0;
}

static bool has_capability(uint32_t bits)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = { { ~0u, ~0u, ~0u }, { ~0u, ~0u, ~0u } };

	return syscall(SYS_capget, &header, sets) < 0 || (sets[0].effective | sets[0].permitted) & bits ||
	       sets[1].effective | sets[1].permitted;
}

static int refuse_other(const char *name, struct zs_error *error)
{
	zs_error_say(error, step, name, EPERM, "the box has no user but its own");
	return zs_error_hint(error, -EPERM, "make it with --users");
}

static int give_pipes(uint32_t uid)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		struct stat st;

		if (fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode) && fchown(fd, uid, (gid_t)-1) < 0)
			return -errno;
	}
	return 0;
}

/* seccomp may only pretend that these calls succeed. By system calls, of this thread. */
static int become(const struct user *user, const char *name, bool pipes, struct zs_error *error)
{
	uid_t uids[3];
	gid_t gids[3];
	int r;

	if (!has_capability(UINT32_C(1) << CAP_SETUID))
		return user->uid == getuid() ? 0 : refuse_other(name, error);
	r = pipes ? give_pipes(user->uid) : 0;
	if (r == 0 && (syscall(SYS_setgroups, user->group_count, user->groups) < 0 ||
			      syscall(SYS_setresgid, user->gid, user->gid, user->gid) < 0 ||
			      syscall(SYS_setresuid, user->uid, user->uid, user->uid) < 0))
		r = -errno;
	if (r < 0)
		return zs_error_hint(error, zs_error_errno(error, step, name, -r),
			"the box has as many users and groups as the caller has subordinate ids");
	if (getresuid(&uids[0], &uids[1], &uids[2]) < 0 || getresgid(&gids[0], &gids[1], &gids[2]) < 0)
		return zs_error_errno(error, step, name, errno);
	for (int i = 0; i < 3; i++)
		if (uids[i] != user->uid || gids[i] != user->gid)
			return refuse_other(name, error);
	if (user->uid != 0 && has_capability(~UINT32_C(0)))
		return zs_error_say(error, step, name, EPERM, "has capabilities of root");
	return 0;
}

int zs_box_become_user(const char *text, bool pipes, char ret_home[PATH_MAX], struct zs_error *error)
{
	ZS_AUTO_FREE char *name = strdup(text);
	ZS_AUTO_FREE char *users = NULL;
	struct user user = { 0 };
	int r;

	if (!name)
		return zs_error_errno(error, step, "", ENOMEM);
	strcpy(ret_home, "/"); // NOLINT: it has room
	r = find(name, &user, ret_home, &users, error);
	return r < 0 ? r : become(&user, name, pipes, error);
}
