/* A snapshot is a folder of a store, $XDG_STATE_HOME/zs/snapshots: tmp.tar, which only a box unpacks, and root,
 * unpacked by a confined process, as an image's layer is. */
#include "snapshot.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "image.h"
#include "linux/store/confined.h"
#include "linux/store/store.h"
#include "named_session.h"
#include "policy/policy.h"

static const char step[] = "snapshot";
static const char archive[] = "tmp.tar";

static int open_store(struct zs_store *store, const char *name, const struct zs_policy *policy, char *const envp[],
	struct zs_error *error)
{
	size_t len = strlen(name);
	bool good = len <= ZS_SNAPSHOT_NAME_MAX && isalnum((unsigned char)*name);

	for (size_t i = 0; i < len; i++)
		good = good && (isalnum((unsigned char)name[i]) || strchr("-_.", name[i]));
	/* A store's own names begin so. */
	if (!good || strncmp(name, "new-", 4) == 0)
		return zs_error_say(error, step, name, EINVAL,
			"is no name of at most %d letters, digits, '-', '_' and '.', of which the first is a letter or "
			"a "
			"digit, and not 'new-'",
			ZS_SNAPSHOT_NAME_MAX);
	return zs_store_open(store, "snapshots", policy, envp, error);
}

static int missing(const struct zs_store *store, const char *name, struct zs_error *error)
{
	zs_error_say(error, step, name, ENOENT, "there is no such snapshot");
	return zs_error_hint(error, -ENOENT, "those that there are lie in %s", store->path);
}

static int say_taken(const struct zs_store *store, const char *name, struct zs_error *error)
{
	zs_error_say(error, step, name, EEXIST, "is the name of another snapshot");
	return zs_error_hint(error, -EEXIST, "remove the folder %s/%s", store->path, name);
}

/* The box's files do not allow it: that is a failure here. */
static int whole(int r, int status, const struct zs_error *error)
{
	return r < 0 ? r : status != 0 ? -error->cause : 0;
}

static int save_tmp(const struct zs_store *store, const char *id, struct zs_error *error)
{
	ZS_AUTO_FD int file =
		openat(store->tmp.folder, archive, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	int status = 0;

	if (file < 0)
		return zs_error_errno(error, step, store->path, errno);
	return whole(zs_box_pack(id, "/tmp", file, &status, error), status, error);
}

static int start_unpacker(const char *root, int from, pid_t *ret_pid, struct zs_error *error)
{
	const struct zs_confined confined = { .step = step, .writes = root };
	char program[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", program, sizeof program - 1);
	char *words[] = { program, (char[]){ ZS_UNPACK }, (char *)(uintptr_t)root, (char[]){ "all" }, NULL };

	if (len < 0)
		return zs_error_errno(error, step, "/proc/self/exe", errno);
	program[len] = '\0';
	return zs_confined_start(words, &confined, from, STDERR_FILENO, ret_pid, error);
}

static int save_root(const struct zs_store *store, const char *id, struct zs_error *error)
{
	char root[PATH_MAX];
	int ends[2], status = 0, r, unpacked;
	pid_t unpacker = -1;

	if (snprintf(root, sizeof root, "%s/%s/root", store->path, store->tmp.name) >= (int)sizeof root)
		return zs_error_errno(error, step, store->path, ENAMETOOLONG);
	if (mkdir(root, 0755) < 0 || pipe2(ends, O_CLOEXEC) < 0)
		return zs_error_errno(error, step, root, errno);
	r = start_unpacker(root, ends[0], &unpacker, error);
	close(ends[0]);
	if (r == 0)
		r = whole(zs_box_pack(id, "/", ends[1], &status, error), status, error);
	close(ends[1]);
	if (r < 0 && unpacker <= 0)
		return r;
	unpacked = zs_confined_wait(unpacker);
	if (r == 0 && unpacked < 0)
		r = zs_error_say(error, step, id, -unpacked, "its root could not be copied; the line above says why");
	return r;
}

int zs_snapshot_save(const char *id, const char *name, char *const envp[], struct zs_error *error)
{
	struct zs_store store = ZS_STORE_NONE(step);
	struct zs_policy *policy;
	int r = zs_box_policy(id, &policy, error);

	if (r < 0)
		return r;
	if (policy->tmp != ZS_TMP_PRIVATE || policy->tier != ZS_TIER_MOUNTS)
		r = zs_error_say(error, step, id, EOPNOTSUPP, "has no /tmp of its own");
	if (r == 0)
		r = open_store(&store, name, policy, envp, error);
	if (r == 0 && zs_store_has(&store, name))
		r = say_taken(&store, name, error);
	if (r == 0)
		r = zs_store_begin(&store, error);
	/* A command can stop the process that packs. */
	if (r == 0)
		zs_store_unlock(&store);
	if (r == 0)
		r = save_tmp(&store, id, error);
	if (r == 0 && policy->root)
		r = save_root(&store, id, error);
	if (r == 0)
		r = zs_store_keep(&store, name, error);
	if (r == -ENOTEMPTY)
		r = say_taken(&store, name, error);
	if (r == 0 && policy->users)
		zs_notice("zs: snapshot %s: owners are not kept: all files are root's in a box that begins with it",
			name);
	zs_store_close(&store);
	zs_policy_free(policy);
	return r;
}

int zs_snapshot_root(const char *name, char *const envp[], char **ret_path, struct zs_error *error)
{
	static const struct zs_policy nowhere; /* zs_snapshot_restore() looks at the box's workspace */
	struct zs_store store = ZS_STORE_NONE(step);
	char root[PATH_MAX + ZS_SNAPSHOT_NAME_MAX + 8];
	struct stat st;
	int r = open_store(&store, name, &nowhere, envp, error);

	*ret_path = NULL;
	snprintf(root, sizeof root, "%s/%s/root", store.path, name);
	if (r == 0 && !zs_store_has(&store, name))
		r = missing(&store, name, error);
	if (r == 0 && lstat(root, &st) == 0) {
		*ret_path = strdup(root);
		r = *ret_path ? 0 : zs_error_errno(error, step, NULL, ENOMEM);
	}
	zs_store_close(&store);
	return r;
}

int zs_snapshot_restore(const char *id, const char *name, char *const envp[], struct zs_error *error)
{
	struct zs_store store = ZS_STORE_NONE(step);
	char path[ZS_SNAPSHOT_NAME_MAX + sizeof archive + 1];
	ZS_AUTO_FD int file = -1;
	struct zs_policy *policy;
	struct stat st;
	int status = 0, r = zs_box_policy(id, &policy, error);

	if (r < 0)
		return r;
	r = open_store(&store, name, policy, envp, error);
	zs_policy_free(policy);
	snprintf(path, sizeof path, "%s/%s", name, archive);
	if (r == 0) {
		/* O_NONBLOCK: a fifo in its place does not keep us. */
		file = openat(store.folder, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
		if (file < 0 || fstat(file, &st) < 0 || !S_ISREG(st.st_mode))
			r = missing(&store, name, error);
	}
	/* Others may use the store meanwhile. */
	zs_store_close(&store);
	return r < 0 ? r : whole(zs_box_unpack(id, file, "/tmp", &status, error), status, error);
}
