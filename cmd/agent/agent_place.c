#include "agent/agent_place.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/path.h"
#include "base/read_file.h"
#include "settings/settings_places.h"

static const char step[] = "install";

/* Finding the place */

static int agent_place_join(char into[PATH_MAX], const char *base, const char *name, struct zs_error *error)
{
	int len = snprintf(
		into, PATH_MAX, "%s%s%s", strcmp(base, "/") == 0 ? "" : base, name ? "/" : "", name ? name : "");

	return len < PATH_MAX ? 0 : zs_error_errno(error, step, base, ENAMETOOLONG);
}

/* Sets the place's folder below base, whose links get resolved. folder: NULL: the base itself. */
static int place_below(const char *base, const char *folder, struct zs_agent_place *place, struct zs_error *error)
{
	if (!realpath(base, place->base))
		return zs_error_errno(error, step, base, errno);
	return agent_place_join(place->folder, place->base, folder, error);
}

const char *zs_agent_base(enum zs_config_scope scope, char *const envp[], struct zs_error *error)
{
	const char *home = zs_env_value(envp, "HOME");

	if (scope == ZS_SCOPE_PROJECT)
		return ".";
	if (home && home[0] == '/')
		return home;
	zs_error_say(error, step, "HOME", ENOENT, "is not set, or not absolute");
	zs_error_hint(error, -ENOENT, "set it to your home folder");
	return NULL;
}

static int find_user_place(
	const struct zs_agent_config *config, char *const envp[], struct zs_agent_place *place, struct zs_error *error)
{
	const char *value = config->variable ? zs_env_value(envp, config->variable) : NULL, *home;

	if (value && value[0] == '/')
		return place_below(value, config->variable_folder, place, error);
	home = zs_agent_base(ZS_SCOPE_USER, envp, error);
	return home ? place_below(home, zs_obeyed_rows[config->places[ZS_SCOPE_USER]].path, place, error) : -ENOENT;
}

int zs_agent_place_at(const char *base, const char *file, struct zs_agent_place *ret_place, struct zs_error *error)
{
	char folder[PATH_MAX];
	const char *slash = strrchr(file, '/');
	int r;

	snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - file) : 0, file);
	r = place_below(base, slash ? folder : NULL, ret_place, error);
	return r < 0 ? r : agent_place_join(ret_place->path, ret_place->base, file, error);
}

int zs_agent_place(const struct zs_agent *agent, enum zs_config_scope scope, char *const envp[],
	struct zs_agent_place *ret_place, struct zs_error *error)
{
	const struct zs_agent_config *config = &zs_agent_configs[agent->number];
	int r;

	if (!config->files[scope])
		return zs_error_say(
			error, step, agent->id, ENOENT, "%s has no hooks of a %s", agent->title, zs_scope_names[scope]);
	r = scope == ZS_SCOPE_USER ? find_user_place(config, envp, ret_place, error)
				   : place_below(".", zs_obeyed_rows[config->places[scope]].path, ret_place, error);
	return r < 0 ? r : agent_place_join(ret_place->path, ret_place->folder, config->files[scope], error);
}

static int check_owner(const struct stat *st, const char *path, struct zs_error *error)
{
	return st->st_uid == geteuid() ? 0
				       : zs_error_say(error, step, path, EPERM, "belongs to uid %u, and this is uid %u",
						 (unsigned)st->st_uid, (unsigned)geteuid());
}

int zs_agent_place_check(const struct zs_agent_place *place, struct zs_error *error)
{
	struct stat st;

	if (stat(place->base, &st) < 0)
		return zs_error_errno(error, step, place->base, errno);
	if (check_owner(&st, place->base, error) == 0)
		return 0;
	return zs_error_hint(
		error, -EPERM, "run it as that user (sudo -u '#%u' zs …), or with your own HOME", (unsigned)st.st_uid);
}

/* Reading */

/* -ENOENT: there is no file. O_NONBLOCK: opening a pipe must not wait; a pipe is refused afterwards. */
static int agent_place_read_at(int folder, const char *name, struct zs_agent_file *file, struct zs_error *error)
{
	ZS_AUTO_FD int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
	ZS_AUTO_FREE char *text = NULL;
	size_t len = 0;
	int r;

	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR ? -ENOENT : zs_error_errno(error, step, file->real, errno);
	if (fstat(fd, &file->st) < 0)
		return zs_error_errno(error, step, file->real, errno);
	r = S_ISREG(file->st.st_mode) ? check_owner(&file->st, file->real, error)
				      : zs_error_say(error, step, file->real, EINVAL, "is not a regular file");
	text = r == 0 ? malloc(ZS_CONFIG_FILE_BYTES_MAX + 2) : NULL;
	if (r < 0 || !text)
		return r < 0 ? r : zs_error_errno(error, step, file->real, ENOMEM);
	r = zs_read_up_to(fd, ZS_CONFIG_FILE_BYTES_MAX + 1, text, &len);
	if (r < 0)
		return zs_error_errno(error, step, file->real, -r);
	if (len > ZS_CONFIG_FILE_BYTES_MAX)
		return zs_error_say(error, step, file->real, E2BIG, "has more than %d bytes", ZS_CONFIG_FILE_BYTES_MAX);
	text[len] = '\0';
	file->text = ZS_STEAL(text);
	file->len = len;
	return 0;
}

int zs_agent_file_read(const struct zs_agent_place *place, enum zs_config_scope scope, struct zs_agent_file *ret_file,
	struct zs_error *error)
{
	struct zs_agent_file file = { .place = place };
	ZS_AUTO_FREE char *real = NULL;
	int r = zs_path_would_be(place->path, &real);

	if (r == -ELOOP)
		return zs_error_say(error, step, place->path, ELOOP, "a symbolic link in this path is broken");
	if (r < 0)
		return zs_error_errno(error, step, place->path, -r);
	if (strlen(real) >= sizeof file.real)
		return zs_error_errno(error, step, place->path, ENAMETOOLONG);
	strcpy(file.real, real);
	if (scope == ZS_SCOPE_PROJECT && !zs_path_lies_in(file.real, place->base))
		return zs_error_say(
			error, step, place->path, EPERM, "a symbolic link in this path leads out of the project");
	r = agent_place_read_at(AT_FDCWD, file.real, &file, error);
	if (r < 0 && r != -ENOENT)
		return r;
	*ret_file = file;
	return 0;
}

/* Replacing */

/* The open folder that holds the file. made: how many bytes of the path come before the first folder that was created;
 * 0: none was. */
struct parent {
	char path[PATH_MAX];
	const char *name; /* the file's name in the folder */
	int fd;
	size_t made;
};

/* Refuses another user's folder, to which a link may lead: its owner could replace our file. */
static int agent_place_check_parent(const struct parent *parent, struct zs_error *error)
{
	struct stat st;

	return fstat(parent->fd, &st) < 0 ? zs_error_errno(error, step, parent->path, errno)
					  : check_owner(&st, parent->path, error);
}

/* Opens the folder. It follows no link below the base: the path was resolved, so a link in it is new. */
static int open_parent(const struct zs_agent_file *file, bool make, struct parent *parent, struct zs_error *error)
{
	size_t base = strlen(file->place->base), done;
	char *slash;

	*parent = (struct parent){ .fd = -1 };
	strcpy(parent->path, file->real);
	slash = strrchr(parent->path, '/');
	*slash = '\0';
	parent->name = file->real + (slash - parent->path) + 1;
	done = zs_path_lies_in(parent->path, file->place->base) ? base : strlen(parent->path);
	if (done == 1)
		done = 0; /* the slash of "/" belongs to the next name */
	for (;;) {
		char next = parent->path[done];
		int fd;

		parent->path[done] = '\0';
		if (parent->fd < 0) {
			fd = open(done ? parent->path : "/", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		} else {
			const char *name = strrchr(parent->path, '/') + 1;

			if (make && mkdirat(parent->fd, name, 0777) == 0 && !parent->made)
				parent->made = done;
			fd = openat(parent->fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
			close(parent->fd);
		}
		parent->fd = fd;
		if (fd < 0)
			return zs_error_errno(error, step, parent->path, errno);
		parent->path[done] = next;
		if (!next)
			return agent_place_check_parent(parent, error);
		done += 1 + strcspn(parent->path + done + 1, "/");
	}
}

/* Removes empty folders from the end of the path, and stops at its first `keep` bytes. */
static void remove_empty(char *path, size_t keep)
{
	while (strlen(path) > keep && rmdir(path) == 0)
		*strrchr(path, '/') = '\0';
}

/* Does the file still hold the bytes that were read? */
static int check_unchanged(const struct zs_agent_file *file, const struct parent *parent, struct zs_error *error)
{
	struct zs_agent_file now = { .place = file->place };
	int r;
	bool same;

	strcpy(now.real, file->real);
	r = agent_place_read_at(parent->fd, parent->name, &now, error);
	if (r < 0 && r != -ENOENT)
		return r;
	same = !now.text == !file->text && (!now.text || (now.len == file->len && now.st.st_ino == file->st.st_ino &&
								 memcmp(now.text, file->text, now.len) == 0));
	free(now.text);
	if (same)
		return 0;
	zs_error_say(error, step, file->real, ESTALE, "another program has changed it meanwhile");
	return zs_error_hint(error, -ESTALE, "nothing was changed; run it again");
}

static int agent_place_fill(const struct zs_agent_file *file, int fd, mode_t mode, const char *text, size_t len)
{
	struct stat st;
	int r;

	if (file->text &&
		(fstat(fd, &st) < 0 || (st.st_gid != file->st.st_gid && fchown(fd, (uid_t)-1, file->st.st_gid) < 0) ||
			fchmod(fd, mode) < 0))
		return -errno;
	r = zs_write_all(fd, text, len);
	return r == 0 && fsync(fd) < 0 ? -errno : r;
}

static int agent_place_replace(const struct zs_agent_file *file, const struct parent *parent, mode_t mode,
	const char *text, size_t len, struct zs_error *error)
{
	char fresh[NAME_MAX + 1];
	int fd, r;

	snprintf(fresh, sizeof fresh, ".%.200s.zs.%ld", parent->name, (long)getpid());
	fd = openat(parent->fd, fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	if (fd < 0)
		return zs_error_errno(error, step, file->real, errno);
	r = agent_place_fill(file, fd, mode, text, len);
	if (close(fd) < 0 && r == 0)
		r = -errno;
	if (r < 0)
		zs_error_errno(error, step, file->real, -r);
	else
		r = check_unchanged(file, parent, error);
	if (r == 0 && renameat(parent->fd, fresh, parent->fd, parent->name) < 0)
		r = zs_error_errno(error, step, file->real, errno);
	if (r < 0)
		unlinkat(parent->fd, fresh, 0);
	return r;
}

static int take_away(const struct zs_agent_file *file, struct parent *parent, struct zs_error *error)
{
	int r = check_unchanged(file, parent, error);

	if (r < 0)
		return r;
	if (unlinkat(parent->fd, parent->name, 0) < 0)
		return zs_error_errno(error, step, file->real, errno);
	if (zs_path_lies_in(parent->path, file->place->base))
		remove_empty(parent->path, strlen(file->place->base));
	return 0;
}

static int agent_place_change(
	const struct zs_agent_file *file, mode_t mode, const char *text, size_t len, struct zs_error *error)
{
	struct parent parent;
	int r = open_parent(file, text, &parent, error);

	if (r == 0)
		r = zs_lock_open_folder(step, parent.path, parent.fd, error);
	if (r == 0 && text)
		r = agent_place_replace(file, &parent, file->text ? file->st.st_mode & 07777 : mode, text, len, error);
	else if (r == 0)
		r = take_away(file, &parent, error);
	if (r < 0 && parent.made) {
		char *slash = parent.path + parent.made;

		while (slash > parent.path && *--slash != '/')
			;
		remove_empty(parent.path, (size_t)(slash - parent.path));
	}
	if (parent.fd >= 0) {
		fsync(parent.fd);
		close(parent.fd);
	}
	return r;
}

int zs_agent_file_write(
	const struct zs_agent_file *file, mode_t mode, const char *text, size_t len, struct zs_error *error)
{
	sigset_t all, before;
	int r;

	/* rename(2) would replace a read-only file too. */
	if (file->text && !(file->st.st_mode & S_IWUSR)) {
		zs_error_say(error, step, file->real, EACCES, "is read-only");
		return zs_error_hint(error, -EACCES, "chmod u+w it first");
	}
	/* Blocks signals for these milliseconds, so that a ^C leaves no half of the work behind. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	r = agent_place_change(file, mode, text, len, error);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return r;
}
