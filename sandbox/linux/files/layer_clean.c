#include "linux/files/layer_clean.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/folder_reader.h"
#include "base/read_file.h"
#include "base/sha256.h"
#include "linux/files/own_tmp.h"

#define ENDING ".workspace"
enum { MARK_SIZE = ZS_SHA256_HEX + sizeof ENDING };

void zs_layers_note(int all, const char *name, const char *workspace)
{
	size_t len = strlen(workspace);
	ZS_AUTO_FD int fd = -1;
	char mark[MARK_SIZE];

	snprintf(mark, sizeof mark, "%s" ENDING, name);
	fd = openat(all, mark, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	/* Without its path the layer stays. */
	if (fd >= 0 && write(fd, workspace, len) != (ssize_t)len)
		unlinkat(all, mark, 0);
}

static bool is_mark(const char *name)
{
	return strlen(name) == ZS_SHA256_HEX + sizeof ENDING - 1 && strcmp(name + ZS_SHA256_HEX, ENDING) == 0;
}

/* Is the workspace of a mark gone? */
static bool is_gone(int all, const char *mark)
{
	ZS_AUTO_FD int fd = openat(all, mark, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char path[PATH_MAX], hash[ZS_SHA256_HEX + 1];
	struct stat st;
	size_t len;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
		zs_read_up_to(fd, sizeof path - 1, path, &len) < 0)
		return false;
	path[len] = '\0';
	zs_sha256(path, len, hash);
	return path[0] == '/' && strncmp(hash, mark, ZS_SHA256_HEX) == 0 && lstat(path, &st) < 0 &&
	       (errno == ENOENT || errno == ENOTDIR);
}

/* True: the layers and the mark are removed. */
static bool remove_layers(int all, const char *mark)
{
	struct zs_own_tmp layers = { .folder = -1 };
	char name[ZS_SHA256_HEX + 1];
	ZS_AUTO_FD int fd = -1;
	struct stat st;

	snprintf(name, sizeof name, "%.*s", ZS_SHA256_HEX, mark);
	fd = openat(all, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && errno != ENOENT)
		return false;
	/* A run that has made the workspace anew meanwhile holds the lock, or finds the folder removed when it does. */
	if (fd >= 0 && (fstat(fd, &st) < 0 || st.st_uid != geteuid() || flock(fd, LOCK_EX | LOCK_NB) < 0 ||
			       !is_gone(all, mark)))
		return false;
	layers.folder = fd;
	return zs_own_tmp_empty(&layers) == 0 && (fd < 0 || unlinkat(all, name, AT_REMOVEDIR) == 0) &&
	       unlinkat(all, mark, 0) == 0;
}

struct cleaning {
	size_t marks, skip, looked, removed;
};

static int count_mark(int all, const char *name, unsigned char type, void *arg)
{
	struct cleaning *cleaning = arg;

	(void)all, (void)type;
	cleaning->marks += is_mark(name);
	return 0;
}

static int look_at(int all, const char *name, unsigned char type, void *arg)
{
	struct cleaning *cleaning = arg;

	(void)type;
	if (!is_mark(name))
		return 0;
	if (cleaning->skip) {
		cleaning->skip--;
		return 0;
	}
	cleaning->removed += is_gone(all, name) && remove_layers(all, name);
	return ++cleaning->looked == ZS_LAYERS_LOOKED_MAX || cleaning->removed == ZS_LAYERS_REMOVED_MAX;
}

void zs_layers_clean(int all)
{
	struct cleaning cleaning = { 0 };
	size_t number;

	if (zs_folder_list(all, count_mark, &cleaning) < 0 || getrandom(&number, sizeof number, 0) != sizeof number)
		return;
	if (cleaning.marks > ZS_LAYERS_LOOKED_MAX)
		cleaning.skip = number % (cleaning.marks - ZS_LAYERS_LOOKED_MAX + 1);
	zs_folder_list(all, look_at, &cleaning);
}
