#include "linux/files/own_tmp.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/folder_reader.h"
#include "base/path.h"
#include "linux/base/stage.h"

static const char *const names[] = { "TMPDIR", "TMP", "TEMP" };

static int set_variables(struct zs_own_tmp *tmp, const char *parent)
{
	for (size_t i = 0; i < ZS_COUNT(names); i++) {
		size_t size = strlen(names[i]) + strlen(parent) + strlen(tmp->name) + 3;

		tmp->variables[i] = malloc(size);
		if (!tmp->variables[i])
			return -ENOMEM;
		snprintf(tmp->variables[i], size, "%s=%s/%s", names[i], parent, tmp->name);
	}
	return 0;
}

/* Refuses a parent that others may write without the sticky bit: they could rename our folder and put another in its
 * place. */
static int check_parent(int parent)
{
	struct stat st;

	if (fstat(parent, &st) < 0)
		return -errno;
	return (st.st_mode & (S_IWGRP | S_IWOTH)) && !(st.st_mode & S_ISVTX) ? -EPERM : 0;
}

/* Opens the folder that was just made. */
static int own_tmp_open_folder(struct zs_own_tmp *tmp)
{
	struct stat st;

	tmp->folder = openat(tmp->parent, tmp->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (tmp->folder < 0 || fstat(tmp->folder, &st) < 0)
		return -errno;
	if (st.st_uid != geteuid())
		return -EPERM;
	/* The umask may have removed bits of the mode. */
	return (st.st_mode & 0777) != 0700 && fchmod(tmp->folder, 0700) < 0 ? -errno : 0;
}

int zs_own_tmp_make(struct zs_own_tmp *tmp, const char *parent, const char *prefix)
{
	uint64_t number;
	int r;

	if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
		return -errno;
	snprintf(tmp->name, sizeof tmp->name, "%s%016" PRIx64, prefix, number);
	tmp->parent = open(parent, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (tmp->parent < 0)
		return -errno;
	r = check_parent(tmp->parent);
	if (r < 0)
		return r;
	if (mkdirat(tmp->parent, tmp->name, 0700) < 0)
		return -errno;
	tmp->made = true;
	return own_tmp_open_folder(tmp);
}

/* Makes the folder in the caller's TMPDIR, else in /tmp: inside another sandbox /tmp may be out of reach. */
int zs_stage_own_tmp(struct zs_run *run, struct zs_error *error)
{
	const char *parent = zs_env_value(run->envp, "TMPDIR");
	int r;

	if (run->policy->tmp != ZS_TMP_PRIVATE)
		return 0;
	if (!parent || parent[0] != '/')
		parent = "/tmp";
	r = zs_own_tmp_make(run->own_tmp, parent, ZS_OWN_TMP);
	if (r == 0)
		r = set_variables(run->own_tmp, parent);
	if (r == 0)
		return 0;
	zs_error_errno(error, "", parent, -r);
	return zs_error_hint(error, r, "set TMPDIR to a folder in which this user can make one");
}

void zs_own_tmp_name(const struct zs_own_tmp *tmp, char **env)
{
	for (; tmp->variables[0] && *env; env++) {
		size_t len = strcspn(*env, "=");

		if (strcmp(*env + len, "=/tmp") != 0)
			continue;
		for (size_t i = 0; i < ZS_COUNT(names); i++)
			if (strlen(names[i]) == len && memcmp(*env, names[i], len) == 0)
				*env = tmp->variables[i];
	}
}

/* Removes a tree without descending into it: a command may have nested folders deeper than there are descriptors. Each
 * folder's content is moved up to the top folder, until only empty folders are left. */
struct remover {
	int top;         /* a descriptor of the top folder */
	uint64_t number; /* for the next new name in it */
	bool found;      /* the last pass has found an entry */
};

/* Removes a file or an empty directory. -ENOTEMPTY: it is a directory with content, which can be entered and moved
 * now. */
static int remove_entry(int folder, const char *name)
{
	if (unlinkat(folder, name, 0) == 0)
		return 0;
	if (errno != EISDIR)
		return -errno;
	if (unlinkat(folder, name, AT_REMOVEDIR) == 0)
		return 0;
	if (errno != ENOTEMPTY)
		return -errno;
	return fchmodat(folder, name, 0700, 0) < 0 ? -errno : -ENOTEMPTY;
}

static int lift(int folder, const char *name, unsigned char type, void *arg)
{
	struct remover *remover = arg;
	int r = remove_entry(folder, name);
	char to[32];

	(void)type;
	if (r != -ENOTEMPTY)
		return r;
	for (;;) {
		snprintf(to, sizeof to, "%016" PRIx64, remover->number++);
		if (renameat(folder, name, remover->top, to) == 0)
			return 0;
		/* The name is taken: tries the next one. (rename(2) replaces an empty directory.) */
		if (errno != ENOTEMPTY && errno != ENOTDIR)
			return -errno;
	}
}

static int take_apart(int top, const char *name, unsigned char type, void *arg)
{
	struct remover *remover = arg;
	int r = remove_entry(top, name);

	(void)type;
	remover->found = true;
	if (r != -ENOTEMPTY)
		return r;

	ZS_AUTO_FD int fd = openat(top, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	r = fd < 0 ? -errno : zs_folder_each(fd, lift, remover, NULL);
	if (r < 0)
		return r;
	return unlinkat(top, name, AT_REMOVEDIR) < 0 ? -errno : 0;
}

/* Gives the owner back the rights that the command may have removed from the folder. */
static int open_up(int folder)
{
	struct stat st;

	if (fstat(folder, &st) < 0)
		return -errno;
	return (st.st_mode & 0777) != 0700 && fchmod(folder, 0700) < 0 ? -errno : 0;
}

int zs_own_tmp_empty(const struct zs_own_tmp *tmp)
{
	struct remover remover = { .top = tmp->folder };
	int r;

	if (tmp->folder < 0)
		return 0;
	r = open_up(tmp->folder);
	while (r == 0) {
		remover.found = false;
		r = zs_folder_list(tmp->folder, take_apart, &remover);
		if (!remover.found)
			break;
	}
	return r;
}

int zs_own_tmp_remove(const struct zs_own_tmp *tmp)
{
	int r;

	/* The folder is nearly always empty: the watchdog has emptied it, or the command left nothing. */
	if (!tmp->made || unlinkat(tmp->parent, tmp->name, AT_REMOVEDIR) == 0)
		return 0;
	r = zs_own_tmp_empty(tmp);
	if (unlinkat(tmp->parent, tmp->name, AT_REMOVEDIR) < 0 && r == 0)
		r = -errno;
	return r;
}
