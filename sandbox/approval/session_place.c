#include "approval/session_place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/path.h"

static const char step[] = "session";
static const char prefix[] = "session-", suffix[] = ".json";

/* The letters that a host may use in a name: without ".", which the ID of a terminal session contains. */
static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

/* 1: yes; 0: no, for example under sudo, where the folder is another user's; a negative errno: that is not known. */
static int is_own_folder(const char *path)
{
	struct stat st;

	if (!path || path[0] != '/')
		return 0;
	if (stat(path, &st) < 0)
		return errno == ENOENT || errno == ENOTDIR || errno == EACCES ? 0 : -errno;
	return S_ISDIR(st.st_mode) && st.st_uid == geteuid();
}

int zs_session_folders(char *const envp[], char *ret_folders[ZS_SESSION_FOLDERS])
{
	const char *runtime = zs_env_value(envp, "XDG_RUNTIME_DIR"), *tmp = zs_env_value(envp, "TMPDIR");
	int own = is_own_folder(runtime);
	char name[32];

	if (own < 0)
		return own;
	snprintf(name, sizeof name, "zs-%ld", (long)geteuid());
	ret_folders[0] = own ? zs_path_join(runtime, "zs") : NULL;
	ret_folders[1] = zs_path_join(tmp && tmp[0] == '/' ? tmp : "/tmp", name);
	if (ret_folders[1] && (ret_folders[0] || !own))
		return 0;
	free(ret_folders[0]);
	free(ret_folders[1]);
	return -ENOMEM;
}

/* Makes the file's name from the name that a host has given, or from the leader of the terminal session; "" if there is
 * none. */
static int find_file(char *const envp[], char file[NAME_MAX + 1], struct zs_error *error)
{
	const char *name = zs_env_value(envp, "ZS_SESSION");
	uint64_t start;
	pid_t leader;

	file[0] = '\0';
	if (name && *name) {
		size_t len = strlen(name);

		if (strspn(name, letters) != len || len > ZS_SESSION_NAME_MAX)
			return zs_error_say(error, step, name, EINVAL,
				"ZS_SESSION is not a name of 1 to %d letters, digits, '_' and '-'",
				ZS_SESSION_NAME_MAX);
		snprintf(file, NAME_MAX + 1, "%s%s%s", prefix, name, suffix);
	} else if (zs_session_leader(&leader, &start) == 0) {
		snprintf(file, NAME_MAX + 1, "%s%ld.%" PRIu64 "%s", prefix, (long)leader, start, suffix);
	}
	return 0;
}

int zs_session_place(
	char *const envp[], const char *workspace, struct zs_session_place *ret_place, struct zs_error *error)
{
	struct zs_session_place place = { NULL, "", "" };
	char *folders[ZS_SESSION_FOLDERS];
	int r = find_file(envp, place.file, error);

	if (r < 0)
		return r;
	r = zs_boot_id(place.boot, sizeof place.boot);
	if (r == 0)
		r = zs_session_folders(envp, folders);
	if (r < 0)
		return zs_error_errno(error, step, NULL, -r);
	place.folder = folders[0] ? folders[0] : folders[1];
	if (folders[0])
		free(folders[1]);
	if (workspace && zs_way_touches(place.folder, workspace))
		place.file[0] = '\0';
	*ret_place = place;
	return 0;
}

int zs_session_refuse(const char *path, const char *what, struct zs_error *error)
{
	zs_error_say(error, step, path, EPERM, "%s", what);
	return zs_error_hint(error, -EPERM, "its approvals cannot be trusted; remove it");
}

int zs_session_check_owner(const char *path, const struct stat *st, struct zs_error *error)
{
	if (st->st_uid != geteuid())
		return zs_session_refuse(path, "belongs to another user", error);
	return st->st_mode & (S_IRWXG | S_IRWXO) ? zs_session_refuse(path, "is open to other users", error) : 0;
}

int zs_session_folder_open(const char *folder, bool make, int *ret_fd, struct zs_error *error)
{
	ZS_AUTO_FD int fd = -1;
	bool made = make && mkdir(folder, 0700) == 0;
	struct stat st;
	int r;

	if (make && !made && errno != EEXIST)
		return zs_error_errno(error, step, folder, errno);
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return -ENOENT;
	if (fd < 0 && (errno == ENOTDIR || errno == ELOOP))
		return zs_session_refuse(folder, "is not a folder, but a link or a file", error);
	if (fd < 0 || fstat(fd, &st) < 0)
		return zs_error_errno(error, step, folder, errno);
	r = zs_session_check_owner(folder, &st, error);
	/* The caller's umask may have removed rights. */
	if (r == 0 && made && fchmod(fd, 0700) < 0)
		r = zs_error_errno(error, step, folder, errno);
	if (r < 0)
		return r;
	*ret_fd = fd;
	fd = -1;
	return 0;
}

/* Is it the file of a terminal session whose leader has ended? Another process may have the leader's pid by now. */
static bool is_stale(const char *name)
{
	uint64_t start, now;
	long leader;
	char *end;
	int r;

	if (strncmp(name, prefix, strlen(prefix)) != 0)
		return false;
	name += strlen(prefix);
	leader = strtol(name, &end, 10);
	if (end == name || *end != '.' || leader <= 0)
		return false;
	name = end + 1;
	start = strtoull(name, &end, 10);
	if (end == name || strcmp(end, suffix) != 0)
		return false;
	r = zs_process_start((pid_t)leader, &now);
	return r == -ESRCH || (r == 0 && now != start);
}

void zs_session_folder_clean(int folder)
{
	int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *entries = copy < 0 ? NULL : fdopendir(copy);
	struct dirent *entry;

	if (!entries && copy >= 0)
		close(copy);
	while (entries && (entry = readdir(entries)))
		if (is_stale(entry->d_name))
			unlinkat(folder, entry->d_name, 0);
	if (entries)
		closedir(entries);
}
