#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cleanup.h"
#include "error.h"
#include "mount_calls.h"
#include "path.h"
#include "stage.h"

#ifndef STATX_ATTR_MOUNT_ROOT
#define STATX_ATTR_MOUNT_ROOT 0x2000 /* Linux 5.8; musl has no name for it */
#endif

static const char step[] = "protect";

/* A command that goes on making such names wants one of them to be seen in the moment before it is moved: then it is
 * ended. */
enum { MOVED_MAX = 8 };

struct zs_watched_name {
	char *path;
	int folder;       /* the nearest one above it that is there */
	const char *name; /* in that: with slashes, where folders in between are missing */
	int nearer;       /* the folder in between that there is by now, or -1 */
	char *target;     /* of what shall stay a symbolic link; NULL: of what shall not be there */
};

/* What a link says; NULL with errno. */
static char *read_target(int folder, const char *name)
{
	char target[PATH_MAX];
	ssize_t len = readlinkat(folder, name, target, sizeof target - 1);

	if (len < 0)
		return NULL;
	target[len] = '\0';
	return strdup(target);
}

static int add(struct zs_watch *watch, const char *path, bool link)
{
	struct zs_watched_name *names = realloc(watch->names, (watch->count + 1) * sizeof *names);
	struct zs_watched_name *name;

	if (!names)
		return -ENOMEM;
	watch->names = names;
	name = &names[watch->count];
	*name = (struct zs_watched_name){ .path = strdup(path), .folder = -1, .nearer = -1 };
	if (link)
		name->target = read_target(AT_FDCWD, path);
	if (!name->path || (link && !name->target)) {
		int r = name->path ? -errno : -ENOMEM;

		free(name->path);
		return r;
	}
	watch->count++;
	return 0;
}

/* Can the command write around it? */
static bool is_writable(const struct zs_policy *policy, const char *path)
{
	enum zs_access access = ZS_ACCESS_READ;
	size_t nearest = 0;

	if (policy->workspace && zs_path_lies_in(path, policy->workspace)) {
		access = zs_policy_workspace_grant(policy);
		nearest = strlen(policy->workspace);
	}
	for (size_t i = 0; i < policy->grant_count; i++) {
		const struct zs_grant *grant = &policy->grants[i];
		size_t len = strlen(grant->path);

		if (len < nearest || !zs_path_lies_in(path, grant->path) || strcmp(path, grant->path) == 0)
			continue;
		access = len > nearest || grant->access < access ? grant->access : access;
		nearest = len;
	}
	return access == ZS_ACCESS_WRITE;
}

/* What is protected by a mount is one. */
static int list_name(struct zs_watch *watch, const char *path)
{
	struct statx st;

	if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_TYPE, &st) < 0)
		return errno == ENOENT || errno == ENOTDIR ? add(watch, path, false) : errno == EACCES ? 0 : -errno;
	if (st.stx_attributes & STATX_ATTR_MOUNT_ROOT)
		return 0;
	return S_ISLNK(st.stx_mode) ? add(watch, path, true) : -EEXIST;
}

static int fail(struct zs_error *error, const char *path, int cause)
{
	if (cause == EEXIST)
		return zs_error_say(error, "", path, EEXIST, "has appeared since what is protected was mounted");
	return zs_error_errno(error, "", path, cause);
}

static int list(struct zs_watch *watch, const struct zs_policy *policy, struct zs_error *error)
{
	for (size_t i = 0; i < policy->grant_count; i++) {
		const struct zs_grant *grant = &policy->grants[i];
		int r = 0;

		if (grant->access == ZS_ACCESS_PROTECT && is_writable(policy, grant->path))
			r = list_name(watch, grant->path);
		if (r < 0)
			return fail(error, grant->path, -r);
	}
	return 0;
}

static int notify(int folder)
{
	return fcntl(folder, F_NOTIFY, DN_CREATE | DN_RENAME | DN_DELETE | DN_MULTISHOT) < 0 ? -errno : 0;
}

/* One descriptor a folder. */
static int find_open(const struct zs_watch *watch, const struct zs_watched_name *until, const char *path, size_t len)
{
	for (const struct zs_watched_name *other = watch->names; other < until; other++)
		if ((size_t)(other->name - other->path) == len + 1 && memcmp(other->path, path, len) == 0)
			return other->folder;
	return -1;
}

static int open_folder(struct zs_watch *watch, struct zs_watched_name *name)
{
	char path[PATH_MAX];
	size_t len = strlen(name->path);

	memcpy(path, name->path, len + 1);
	for (;;) {
		char *slash = strrchr(path, '/');
		int r;

		*slash = '\0';
		name->name = name->path + (slash - path) + 1;
		name->folder = find_open(watch, name, path, (size_t)(slash - path));
		if (name->folder >= 0)
			return 0;
		name->folder = zs_open_folder(slash == path ? "/" : path);
		r = name->folder < 0 ? name->folder : notify(name->folder);
		if ((r != -ENOENT && r != -ENOTDIR) || slash == path)
			return r;
	}
}

/* Of the folders on the way to the name those that have been made since. */
static void look_nearer(struct zs_watched_name *name)
{
	char path[PATH_MAX];
	char *slash;

	if (name->nearer >= 0)
		close(name->nearer);
	name->nearer = -1;
	snprintf(path, sizeof path, "%s", name->name);
	while (name->nearer < 0 && (slash = strrchr(path, '/'))) {
		*slash = '\0';
		name->nearer = openat(name->folder, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
	}
	if (name->nearer >= 0)
		notify(name->nearer);
}

/* false also when it cannot be told */
static bool is_as_it_was(struct zs_watched_name *name)
{
	ZS_AUTO_FREE char *target = NULL;
	struct stat st;

	if (strchr(name->name, '/'))
		look_nearer(name);
	if (!name->target)
		return fstatat(name->folder, name->name, &st, AT_SYMLINK_NOFOLLOW) < 0 &&
		       (errno == ENOENT || errno == ENOTDIR);
	target = read_target(name->folder, name->name);
	return target && strcmp(target, name->target) == 0;
}

int zs_watch_begin(struct zs_watch *watch, struct zs_error *error)
{
	for (size_t i = 0; i < watch->count; i++) {
		struct zs_watched_name *name = &watch->names[i];
		int r = open_folder(watch, name);

		if (r == -EINVAL) {
			zs_error_say(error, "", name->path, EOPNOTSUPP,
				"is not there yet, and this kernel does not tell of new names");
			return zs_error_hint(error, -EOPNOTSUPP, "sysctl -w fs.dir-notify-enable=1");
		}
		if (r == 0 && !is_as_it_was(name))
			r = -EEXIST;
		if (r < 0)
			return fail(error, name->path, -r);
	}
	return 0;
}

/* Of a session each run looks for itself. */
int zs_stage_watch(struct zs_run *run, struct zs_error *error)
{
	int r = list(&run->watch, run->policy, error);

	return r < 0 || run->shared ? r : zs_watch_begin(&run->watch, error);
}

static void say(const struct zs_watched_name *name, int cause, const char *what, const char *hint)
{
	struct pollfd err = { STDERR_FILENO, POLLOUT, 0 };
	struct zs_error error;
	char line[1536];
	size_t len;

	zs_error_say(&error, step, name->path, cause, "%s", what);
	zs_error_hint(&error, 0, "%s", hint);
	len = zs_error_format(&error, line, sizeof line - 1);
	if (len > sizeof line - 2)
		len = sizeof line - 2;
	line[len++] = '\n';
	/* A command that fills the pipe must not keep us from looking. */
	if (poll(&err, 1, 0) > 0 && write(STDERR_FILENO, line, len) < 0) {
		/* There is nobody to tell; what was moved is there to be seen. */
	}
}

/* To a name that cannot be taken beforehand. */
static int move(const struct zs_watched_name *name, const char *from)
{
	char to[PATH_MAX], hint[256];
	uint64_t number;

	if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
		return -EIO;
	snprintf(to, sizeof to, "%s.set-aside-%016llx", from, (unsigned long long)number);
	if (renameat(name->folder, from, name->folder, to) < 0)
		return -errno;
	snprintf(hint, sizeof hint, "before you use it, look at %.200s", to);
	say(name, EPERM, "was made while a command ran, and has been moved aside", hint);
	return 0;
}

static int put_back(struct zs_watched_name *name)
{
	int r = move(name, name->name);

	if (r == -ENOENT && name->target)
		r = 0;
	/* What a folder in between leads to may be out of reach: then that is moved. */
	if (r < 0 && strchr(name->name, '/')) {
		ZS_AUTO_FREE char *first = strndup(name->name, strcspn(name->name, "/"));

		r = first ? move(name, first) : -ENOMEM;
	}
	if (r == 0 && name->target && symlinkat(name->target, name->folder, name->name) < 0)
		r = -errno;
	return r;
}

/* 1: it was not as it was. The command may have taken the right to look away from its own folder, to give it back when
 * nobody looks. */
static int look_at(struct zs_watched_name *name)
{
	struct stat st;
	bool closed = fstat(name->folder, &st) == 0 && (st.st_mode & S_IRWXU) != S_IRWXU &&
		      fchmod(name->folder, (st.st_mode & 07777) | S_IRWXU) == 0;
	bool changed = !is_as_it_was(name);
	int r = changed ? put_back(name) : 0;

	if (closed && fchmod(name->folder, st.st_mode & 07777) < 0) {
		/* Then it stays open to its owner. */
	}
	return r < 0 ? r : changed;
}

bool zs_watch_look(struct zs_watch *watch)
{
	for (size_t i = 0; i < watch->count; i++) {
		int r = look_at(&watch->names[i]);

		if (r > 0 && ++watch->moved == MOVED_MAX) {
			say(&watch->names[i], EPERM, "and its like are made again and again; the run is ended", "");
			return false;
		}
		if (r < 0)
			return false;
	}
	return true;
}

bool zs_watch_end(struct zs_watch *watch)
{
	bool clean = true;

	for (size_t i = 0; i < watch->count; i++) {
		int r = look_at(&watch->names[i]);

		if (r < 0) {
			say(&watch->names[i], -r, "was made while a command ran, and cannot be moved aside",
				"remove it");
			clean = false;
		}
	}
	return clean;
}
