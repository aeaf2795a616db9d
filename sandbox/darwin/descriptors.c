/* Leaves the command only descriptors 0, 1 and 2. Seatbelt checks each open and connect for the process that does it,
 * so an inherited directory or socket should be no way out. Nobody has tested that on a Mac, so a directory is refused
 * (docs/macos.md). */
#include "darwin/mac_stage.h"

#include <errno.h>
#include <fcntl.h>
#include <libproc.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "darwin/process_table.h"

/* Opens /dev/null for each closed standard descriptor; else the next open would take its number. Reads from it end, and
 * writes vanish. */
static int descriptors_fill_standard(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
			continue;
		/* open(2) returns the lowest free number, which is fd. */
		if (open("/dev/null", O_RDWR) < 0)
			return -errno;
	}
	return 0;
}

static int check_standard(struct zs_error *error)
{
	static const char *const names[] = { "standard input", "standard output", "standard error" };

	for (int fd = 0; fd <= 2; fd++) {
		struct stat st;

		if (fstat(fd, &st) < 0)
			return zs_error_errno(error, "", names[fd], errno);
		if (!S_ISDIR(st.st_mode))
			continue;
		zs_error_say(error, "", names[fd], EISDIR,
			"is a directory, through which the command could reach other files");
		return zs_error_hint(error, -EISDIR, "redirect it to a file or to /dev/null");
	}
	return 0;
}

/* macOS has no close_range(2). This list comes from the kernel (xnu, bsd/kern/proc_info.c, proc_pidfdlist()). So it
 * includes descriptors that were opened before RLIMIT_NOFILE was lowered, and no number is tried in vain. */
static int fill_descriptors(void *buffer, int bytes)
{
	return proc_pidinfo(getpid(), PROC_PIDLISTFDS, 0, buffer, bytes);
}

static bool is_kept(int fd, const int *kept, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (fd == kept[i])
			return true;
	return fd <= STDERR_FILENO;
}

int zs_close_others(const int *kept, size_t kept_count)
{
	ZS_AUTO_FREE struct proc_fdinfo *all = NULL;
	size_t count;
	int r = zs_kernel_list(fill_descriptors, sizeof *all, (void **)&all, &count);

	for (size_t i = 0; r == 0 && i < count; i++) {
		int fd = all[i].proc_fd;

		if (!is_kept(fd, kept, kept_count) && close(fd) < 0 && errno == EBADF)
			r = -EBADF; /* the list is wrong */
	}
	return r;
}

int zs_stage_descriptors(struct zs_run *run, struct zs_error *error)
{
	int r = descriptors_fill_standard();

	/* Only a proxy writes to the report. */
	if (run->policy->network != ZS_NETWORK_HOSTS)
		run->report = -1;
	if (r < 0)
		return zs_error_errno(error, "", "/dev/null", -r);
	r = zs_close_others(&run->report, 1);
	return r < 0 ? zs_error_errno(error, "", "PROC_PIDLISTFDS", -r) : check_standard(error);
}
