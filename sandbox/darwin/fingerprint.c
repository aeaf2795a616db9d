#include "darwin/fingerprint.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "darwin/process_table.h"
#include "seatbelt/profile.h"
#include "darwin/seatbelt_calls.h"

static const char step[] = "fingerprint";

int zs_fingerprint_name(const char *folder, struct zs_fingerprint *ret_fingerprint)
{
	if (strlen(folder) >= sizeof ret_fingerprint->folder)
		return -ENAMETOOLONG;
	snprintf(ret_fingerprint->folder, sizeof ret_fingerprint->folder, "%s", folder);
	snprintf(ret_fingerprint->allowed, sizeof ret_fingerprint->allowed, "%s/allowed", folder);
	snprintf(ret_fingerprint->denied, sizeof ret_fingerprint->denied, "%s/denied", folder);
	return 0;
}

/* 1: the file did not exist, and was made. */
static int put_file(int folder, const char *name)
{
	int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	struct stat st;

	if (fd >= 0) {
		close(fd);
		return 1;
	}
	if (errno != EEXIST)
		return -errno;
	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	return S_ISREG(st.st_mode) ? 0 : -EPERM;
}

/* 1: a file was missing, and was made. */
static int put_files(const struct zs_fingerprint *fingerprint)
{
	int made = mkdir(fingerprint->folder, 0700) == 0, r;
	struct stat st;

	if (!made && errno != EEXIST)
		return -errno;

	ZS_AUTO_FD int folder = open(fingerprint->folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (folder < 0 || fstat(folder, &st) < 0)
		return -errno;
	if (st.st_uid != geteuid())
		return -EPERM;
	r = put_file(folder, "allowed");
	if (r < 0)
		return r;
	made |= r;
	r = put_file(folder, "denied");
	return r < 0 ? r : made | r;
}

/* Finds the user's own folder for caches, to which no other user has access: /private/var/folders/…/C. */
static int find_parent(char real[PATH_MAX])
{
	char name[PATH_MAX];
	size_t len;

	errno = 0;
	len = confstr(_CS_DARWIN_USER_CACHE_DIR, name, sizeof name);
	if (len == 0)
		return errno ? -errno : -ENOENT;
	if (len > sizeof name)
		return -ENAMETOOLONG;
	return realpath(name, real) ? 0 : -errno;
}

int zs_fingerprint_make(struct zs_fingerprint *ret_fingerprint, struct zs_error *error)
{
	char parent[PATH_MAX], folder[PATH_MAX];
	unsigned char number[16];
	int r = find_parent(parent), len;

	if (r < 0)
		return zs_error_errno(error, step, "the user's folder for caches", -r);
	arc4random_buf(number, sizeof number);
	len = snprintf(folder, sizeof folder, "%s/zs-", parent);
	for (size_t i = 0; i < sizeof number && len > 0 && (size_t)len < sizeof folder; i++)
		len += snprintf(folder + len, sizeof folder - (size_t)len, "%02x", number[i]);
	r = zs_fingerprint_name(folder, ret_fingerprint);
	if (r == 0)
		r = put_files(ret_fingerprint);
	if (r == 1)
		r = zs_fingerprint_check(ret_fingerprint);
	return r < 0 ? zs_error_errno(error, step, folder, -r) : 0;
}

/* 0: the process may read the file; 1: it may not. */
static int fingerprint_ask(pid_t pid, const char *path)
{
	int r;

	errno = 0;
	r = sandbox_check(
		pid, ZS_SEATBELT_FINGERPRINT_OPERATION, ZS_SANDBOX_FILTER_PATH | SANDBOX_CHECK_NO_REPORT, path);
	if (r == 0 || r == 1)
		return r;
	return errno ? -errno : -EIO;
}

int zs_fingerprint_check(const struct zs_fingerprint *fingerprint)
{
	int r = put_files(fingerprint), denied;

	if (r < 0)
		return r;
	denied = fingerprint_ask(getpid(), fingerprint->denied);
	if (denied == 0)
		denied = fingerprint_ask(getpid(), fingerprint->allowed);
	if (denied != 0)
		return denied < 0 ? denied : -EPERM;
	return r ? -EAGAIN : 0;
}

int zs_fingerprint_probe(const struct zs_fingerprint *fingerprint, pid_t pid)
{
	int denied = fingerprint_ask(pid, fingerprint->denied), allowed;

	if (denied <= 0)
		return denied;
	allowed = fingerprint_ask(pid, fingerprint->allowed);
	return allowed < 0 ? allowed : !allowed;
}

static int fingerprint_check(void *context)
{
	return zs_fingerprint_check(context);
}

static int probe(void *context, pid_t pid)
{
	return zs_fingerprint_probe(context, pid);
}

int zs_fingerprint_end(const struct zs_fingerprint *fingerprint, struct zs_scan_report *ret_report)
{
	const struct zs_process_table table = {
		.context = (void *)fingerprint,
		.check = fingerprint_check,
		.list = zs_processes_list,
		.look = zs_processes_look,
		.probe = probe,
		.kill = zs_processes_kill,
		.wait = zs_processes_wait,
	};

	return zs_scan_end(&table, getpid(), geteuid(), ret_report);
}

void zs_fingerprint_complain(const struct zs_scan_report *report, int result)
{
	if (result == 0)
		return;
	dprintf(STDERR_FILENO, "zs: cleanup: ");
	if (report->pid)
		dprintf(STDERR_FILENO, "process %d: ", (int)report->pid);
	dprintf(STDERR_FILENO, "%s; processes of the command may be left\n", strerror(-result));
}

void zs_fingerprint_remove(const struct zs_fingerprint *fingerprint)
{
	unlink(fingerprint->allowed);
	unlink(fingerprint->denied);
	rmdir(fingerprint->folder);
}
