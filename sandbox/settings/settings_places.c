#include "settings/settings_places.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/path.h"
#include "base/read_file.h"

int zs_settings_folder(const struct zs_settings_place *place, char *const envp[], char **ret_folder)
{
	const char *value = place->variable ? zs_env_value(envp, place->variable) : NULL;
	const char *home = zs_env_value(envp, "HOME");
	ZS_AUTO_FREE char *base = NULL;

	/* "All paths must be absolute. If an implementation encounters a relative path, it should ignore it." */
	if (value && value[0] == '/')
		base = strdup(value);
	else if (home && home[0] == '/')
		base = zs_path_join(home, place->fallback);
	else
		return -ENOENT;
	*ret_folder = base ? zs_path_join(base, "zs") : NULL;
	return *ret_folder ? 0 : -ENOMEM;
}

bool zs_settings_are_planted(const struct zs_settings_place *place, char *const envp[], const char *root)
{
	const char *value = place->variable ? zs_env_value(envp, place->variable) : NULL;
	const char *home = zs_env_value(envp, "HOME");
	ZS_AUTO_FREE char *usual = home && home[0] == '/' ? zs_path_join(home, place->fallback) : NULL;
	struct zs_identity there, own;

	if (!value || value[0] != '/' || !zs_way_touches(value, root))
		return false;
	there = zs_identity_of(value);
	own = zs_identity_of(usual ? usual : "");
	return there.presence != ZS_PRESENT || own.presence != ZS_PRESENT || there.device != own.device ||
	       there.inode != own.inode;
}

int zs_read_text(
	const char *step, const char *path, int fd, size_t max, struct zs_file_text *ret, struct zs_error *error)
{
	ZS_AUTO_FREE char *text = malloc(max + 1);
	size_t len = 0;
	int r;

	if (!text)
		return zs_error_errno(error, step, path, ENOMEM);
	r = zs_read_up_to(fd, max + 1, text, &len);
	if (r < 0)
		return zs_error_errno(error, step, path, -r);
	if (len > max)
		return zs_error_say(error, step, path, E2BIG, "more than %zu bytes", max);
	*ret = (struct zs_file_text){ ZS_STEAL(text), len };
	return 0;
}

/* O_NONBLOCK: a pipe must not make this wait for a writer; it is refused later. */
enum { OPEN_FLAGS = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY };

static int check_regular(const char *step, const char *path, int fd, struct stat *ret_st, struct zs_error *error)
{
	if (fstat(fd, ret_st) < 0)
		return zs_error_errno(error, step, path, errno);
	return S_ISREG(ret_st->st_mode) ? 0 : zs_error_say(error, step, path, EINVAL, "is not a regular file");
}

static int check_owner(
	const char *step, const char *path, const struct stat *st, enum zs_file_owner owner, struct zs_error *error)
{
	if (owner == ZS_FILE_ANY)
		return 0;
	if (st->st_uid != geteuid() && st->st_uid != 0)
		return zs_error_say(error, step, path, EPERM, "belongs to another user");
	if (owner == ZS_FILE_PRIVATE && st->st_mode & (S_IRWXG | S_IRWXO))
		return zs_error_say(error, step, path, EPERM, "is open to other users; it must have mode 0600");
	if (st->st_mode & S_IWOTH)
		return zs_error_say(error, step, path, EPERM, "can be written by everyone; chmod o-w it");
	return 0;
}

int zs_read_own_file(const char *step, const char *path, size_t max, enum zs_file_owner owner, struct zs_file_text *ret,
	struct zs_error *error)
{
	ZS_AUTO_FD int fd = open(path, OPEN_FLAGS | (owner == ZS_FILE_PRIVATE ? O_NOFOLLOW : 0));
	struct stat st;
	int r;

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return -ENOENT;
	if (fd < 0)
		return zs_error_errno(error, step, path, errno);
	r = check_regular(step, path, fd, &st, error);
	if (r == 0)
		r = check_owner(step, path, &st, owner, error);
	return r < 0 ? r : zs_read_text(step, path, fd, max, ret, error);
}

/* Another owner, or another who can write, could have put any file there. Group bits are also the mask of an ACL. */
static int check_root_alone(const char *path, const struct stat *st, struct zs_error *error)
{
	static const char step[] = "managed settings";
	int r = 0;

	if (st->st_uid != 0)
		r = zs_error_say(error, step, path, EPERM, "belongs to another user than root");
	else if (st->st_mode & (S_IWGRP | S_IWOTH))
		r = zs_error_say(error, step, path, EPERM, "can be written by others than root");
	return r < 0 ? zs_error_hint(error, r, "as root: chown root '%s' && chmod go-w '%s'", path, path) : 0;
}

int zs_read_managed_file(
	const char *folder, const char *path, size_t max, struct zs_file_text *ret, struct zs_error *error)
{
	static const char step[] = "managed settings";
	ZS_AUTO_FD int above = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	ZS_AUTO_FD int fd = -1;
	struct stat st;
	int r;

	if (above < 0)
		return errno == ENOENT ? -ENOENT : zs_error_errno(error, step, folder, errno);
	if (fstat(above, &st) < 0)
		return zs_error_errno(error, step, folder, errno);
	r = check_root_alone(folder, &st, error);
	if (r < 0)
		return r;
	fd = openat(above, "settings.json", OPEN_FLAGS | O_NOFOLLOW);
	if (fd < 0 && errno == ENOENT)
		return -ENOENT;
	if (fd < 0)
		return zs_error_hint(error, zs_error_errno(error, step, path, errno),
			"it must be a regular file of root's that everybody can read");
	r = check_regular(step, path, fd, &st, error);
	if (r == 0)
		r = check_root_alone(path, &st, error);
	return r < 0 ? r : zs_read_text(step, path, fd, max, ret, error);
}

/* Opens a name in a folder, but not a link. -ENOENT: it does not exist. */
static int open_here(int folder, const char *name, int flags, const char *path, struct zs_error *error)
{
	int fd = openat(folder, name, OPEN_FLAGS | O_NOFOLLOW | flags), cause = errno;
	struct stat st;

	if (fd >= 0)
		return fd;
	if (cause == ENOENT)
		return -ENOENT;
	/* For a link, open(2) with O_NOFOLLOW fails with ELOOP, and with O_DIRECTORY with ENOTDIR (man 2 open). */
	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode))
		return zs_error_say(error, "settings", path, ELOOP,
			"is a symbolic link; a project's settings must be regular files");
	return cause == ENOTDIR ? -ENOENT : zs_error_errno(error, "settings", path, cause);
}

int zs_read_project_file(const char *root, size_t max, struct zs_file_text *ret, struct zs_error *error)
{
	ZS_AUTO_FREE char *folder_path = zs_path_join(root, ".zs");
	ZS_AUTO_FREE char *path = zs_path_join(root, ".zs/settings.json");
	ZS_AUTO_FD int workspace = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ZS_AUTO_FD int folder = -1;
	ZS_AUTO_FD int fd = -1;
	struct stat st;
	int r;

	if (!folder_path || !path)
		return zs_error_errno(error, "settings", root, ENOMEM);
	if (workspace < 0)
		return errno == ENOENT || errno == ENOTDIR ? -ENOENT : zs_error_errno(error, "settings", root, errno);
	folder = open_here(workspace, ".zs", O_DIRECTORY, folder_path, error);
	if (folder < 0)
		return folder;
	fd = open_here(folder, "settings.json", 0, path, error);
	if (fd < 0)
		return fd;
	r = check_regular("settings", path, fd, &st, error);
	return r < 0 ? r : zs_read_text("settings", path, fd, max, ret, error);
}

int zs_make_private_folders(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0700) < 0 && errno != EEXIST)
			return -errno;
		*slash = '/';
	}
	return mkdir(path, 0700) < 0 && errno != EEXIST ? -errno : 0;
}

/* flock(2) takes no time limit, and every process that can open a folder for reading can hold its lock. */
int zs_lock_open_folder(const char *step, const char *folder, int fd, struct zs_error *error)
{
	enum { PAUSE_MS = 10 };
	const struct timespec pause = { .tv_nsec = PAUSE_MS * 1000000 };

	for (int waited = 0; flock(fd, LOCK_EX | LOCK_NB) < 0; waited += PAUSE_MS) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return zs_error_errno(error, step, folder, errno);
		if (waited >= ZS_LOCK_WAIT_MS) {
			zs_error_say(error, step, folder, EWOULDBLOCK,
				"has been locked by another process for %d seconds", ZS_LOCK_WAIT_MS / 1000);
			return zs_error_hint(error, -EWOULDBLOCK,
				"'fuser' names the process that has it open; end that process, and try again");
		}
		nanosleep(&pause, NULL);
	}
	return 0;
}

int zs_lock_folder(const char *step, const char *folder, int *ret_fd, struct zs_error *error)
{
	ZS_AUTO_FREE char *copy = strdup(folder);
	ZS_AUTO_FD int fd = -1;
	int r = copy ? zs_make_private_folders(copy) : -ENOMEM;

	if (r < 0)
		return zs_error_errno(error, step, copy ? copy : folder, -r);
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return zs_error_errno(error, step, folder, errno);
	r = zs_lock_open_folder(step, folder, fd, error);
	if (r < 0)
		return r;
	*ret_fd = fd;
	fd = -1;
	return 0;
}

int zs_replace_file(const char *step, int folder, const char *name, mode_t mode, const char *text, size_t len,
	struct zs_error *error)
{
	char fresh[NAME_MAX + 1];
	ZS_AUTO_FD int fd = -1;
	int r;

	snprintf(fresh, sizeof fresh, ".%.200s.%ld", name, (long)getpid());
	unlinkat(folder, fresh, 0); /* left by a process that has died, since the folder is locked */
	fd = openat(folder, fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	if (fd < 0)
		return zs_error_errno(error, step, fresh, errno);
	r = fchmod(fd, mode) < 0 ? -errno : zs_write_all(fd, text, len);
	if (r == 0 && fsync(fd) < 0)
		r = -errno;
	if (r == 0 && renameat(folder, fresh, folder, name) < 0)
		r = -errno;
	if (r < 0) {
		unlinkat(folder, fresh, 0);
		return zs_error_errno(error, step, name, -r);
	}
	fsync(folder);
	return 0;
}
