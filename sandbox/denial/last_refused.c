/* The last run of each workspace to which something was refused, for zs why:
 *
 *	$XDG_STATE_HOME/zs/refused/HASH OF THE WORKSPACE'S PATH
 *
 * The folder is the user's alone, and no run can write it, as with the other state of zs. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "approval/session_place.h"
#include "base/cleanup.h"
#include "base/read_file.h"
#include "base/sha256.h"
#include "zs_denials.h"

#define FOLDER "refused"

/* Opens the folder, and finds the workspace's name in it. */
static int open_folder(
	const struct zs_policy *policy, char *const envp[], bool make, char ret_name[ZS_SHA256_HEX + 1], int *ret_fd)
{
	ZS_AUTO_FREE char *real = policy->workspace ? realpath(policy->workspace, NULL) : NULL;

	if (!real)
		return policy->workspace ? -errno : -ENOENT;
	zs_sha256(real, strlen(real), ret_name);
	return zs_state_folder_open(policy, envp, FOLDER, make, ret_fd);
}

int zs_denials_remember(const struct zs_policy *policy, char *const envp[], const char *words, size_t size)
{
	char name[ZS_SHA256_HEX + 1], part[ZS_SHA256_HEX + 32];
	ZS_AUTO_FD int folder = -1;
	ZS_AUTO_FD int fd = -1;
	int r = size > ZS_DENIALS_RUN_MAX ? -E2BIG : open_folder(policy, envp, true, name, &folder);

	if (r < 0)
		return r;
	/* Whole or not at all, also when two runs end at a time. */
	snprintf(part, sizeof part, "%s.%ld", name, (long)getpid());
	fd = openat(folder, part, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	r = zs_write_all(fd, words, size);
	if (r == 0 && renameat(folder, part, folder, name) < 0)
		r = -errno;
	if (r < 0)
		unlinkat(folder, part, 0);
	return r;
}

int zs_denials_recall(const struct zs_policy *policy, char *const envp[], char **ret_words, size_t *ret_size)
{
	char name[ZS_SHA256_HEX + 1];
	ZS_AUTO_FREE char *words = NULL;
	ZS_AUTO_FD int folder = -1;
	ZS_AUTO_FD int fd = -1;
	struct stat st;
	ssize_t len;
	int r = open_folder(policy, envp, false, name, &folder);

	if (r < 0)
		return r;
	fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_uid != geteuid() || st.st_mode & 077 || st.st_size <= 0 ||
		st.st_size > ZS_DENIALS_RUN_MAX)
		return -EPERM;
	words = malloc((size_t)st.st_size);
	len = words ? pread(fd, words, (size_t)st.st_size, 0) : -1;
	if (len != st.st_size || words[len - 1] != '\0')
		return words ? -EIO : -ENOMEM;
	*ret_size = (size_t)len;
	*ret_words = ZS_STEAL(words);
	return 0;
}
