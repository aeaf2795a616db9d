#include "linux/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/folder_reader.h"
#include "base/path.h"
#include "base/sha256.h"
#include "policy/policy.h"
#include "settings/settings_places.h"

/* How the name of a folder begins that is not complete yet. */
static const char unfinished[] = "new-";

static int remove_unfinished(int folder, const char *name, unsigned char type, void *arg)
{
	struct zs_own_tmp left = { .made = true, .parent = folder, .folder = -1 };
	ZS_AUTO_FD int fd = -1;

	(void)type;
	(void)arg;
	if (strncmp(name, unfinished, strlen(unfinished)) != 0 || strlen(name) >= sizeof left.name)
		return 0;
	fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	/* A living process fills it. */
	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0)
		return 0;
	left.folder = fd;
	snprintf(left.name, sizeof left.name, "%s", name);
	return fd < 0 ? 0 : zs_own_tmp_remove(&left);
}

static int find(struct zs_store *store, const char *name, const struct zs_policy *policy, char *const envp[],
	struct zs_error *error)
{
	ZS_AUTO_FREE char *state = NULL;
	int r = zs_settings_folder(&zs_settings_places.state, envp, &state);

	if (r == -ENOENT)
		return zs_error_say(
			error, store->step, "HOME", ENOENT, "is not set, so there is no folder for %s", name);
	if (r < 0)
		return zs_error_errno(error, store->step, "", -r);
	if (snprintf(store->path, sizeof store->path, "%s/%s", state, name) >= PATH_MAX - ZS_SHA256_HEX - 16)
		return zs_error_errno(error, store->step, state, ENAMETOOLONG);
	if (policy->workspace && zs_settings_are_planted(&zs_settings_places.state, envp, policy->workspace))
		return zs_error_say(
			error, store->step, store->path, EPERM, "lies in the workspace; unset XDG_STATE_HOME");
	r = zs_make_private_folders(store->path);
	return r < 0 ? zs_error_errno(error, store->step, store->path, -r) : 0;
}

int zs_store_open(struct zs_store *store, const char *name, const struct zs_policy *policy, char *const envp[],
	struct zs_error *error)
{
	struct stat st;
	int r = find(store, name, policy, envp, error);

	if (r < 0)
		return r;
	store->folder = open(store->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (store->folder < 0 || fstat(store->folder, &st) < 0)
		return zs_error_errno(error, store->step, store->path, errno);
	if (st.st_uid != geteuid() || st.st_mode & (S_IRWXG | S_IRWXO))
		return zs_error_say(error, store->step, store->path, EPERM, "is not yours alone");
	while (flock(store->folder, LOCK_EX) < 0)
		if (errno != EINTR)
			return zs_error_errno(error, store->step, store->path, errno);
	zs_folder_list(store->folder, remove_unfinished, NULL);
	return 0;
}

bool zs_store_has(const struct zs_store *store, const char *name)
{
	struct stat st;

	return fstatat(store->folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

int zs_store_begin(struct zs_store *store, struct zs_error *error)
{
	int r = zs_own_tmp_make(&store->tmp, store->path, unfinished);

	if (r == 0 && flock(store->tmp.folder, LOCK_EX | LOCK_NB) < 0)
		r = -errno;
	return r < 0 ? zs_error_errno(error, store->step, store->path, -r) : 0;
}

void zs_store_unlock(struct zs_store *store)
{
	flock(store->folder, LOCK_UN);
}

int zs_store_keep(struct zs_store *store, const char *name, struct zs_error *error)
{
	if (renameat(store->folder, store->tmp.name, store->folder, name) < 0)
		return zs_error_errno(error, store->step, store->path, errno);
	store->tmp.made = false;
	return 0;
}

void zs_store_close(struct zs_store *store)
{
	const int fds[] = { store->folder, store->tmp.folder, store->tmp.parent };

	zs_own_tmp_remove(&store->tmp);
	for (size_t i = 0; i < ZS_COUNT(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
}
