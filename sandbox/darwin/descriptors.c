/* Leaves the command descriptors 0, 1 and 2 and no other. Seatbelt is asked whenever something is opened or connected,
 * for the process that does it, so that a directory or socket among these should be no way out; as long as nobody has
 * tried that on a Mac, a directory is refused (docs/macos.md). */
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

/* A standard descriptor that is closed would be taken by the next open. /dev/null instead: reads end, writes vanish. */
static int descriptors_fill_standard(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
			continue;
		/* The lowest free number, hence fd itself. */
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

/* There is no close_range(2) here; this list is the kernel's own (xnu, bsd/kern/proc_info.c, proc_pidfdlist()), so that
 * none is missed which was opened before RLIMIT_NOFILE was lowered, and none of a large limit's numbers is tried in
 * vain. */
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

	/* Only a proxy writes there. */
	if (run->policy->network != ZS_NETWORK_HOSTS)
		run->report = -1;
	if (r < 0)
		return zs_error_errno(error, "", "/dev/null", -r);
	r = zs_close_others(&run->report, 1);
	return r < 0 ? zs_error_errno(error, "", "PROC_PIDLISTFDS", -r) : check_standard(error);
}
