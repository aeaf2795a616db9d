/* Closes all descriptors but 0, 1 and 2. An inherited directory, socket or pidfd would be a hole that neither Landlock
 * nor a namespace closes. The supervisor may keep the overlay's channel, and the proxy its report. */
#include "linux/base/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "linux/overlay/overlay_channel.h"
#include "linux/base/process_calls.h"
#include "linux/files/standard_files.h"

/* Opens /dev/null for each standard descriptor that is closed; else the next open(2) would get its number. */
static int fill_standard(void)
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

/* The channel was inherited, and no exec may pass it on. */
static int keep_channel(int channel, struct zs_error *error)
{
	int r = zs_channel_check(channel);

	if (r == 0 && fcntl(channel, F_SETFD, FD_CLOEXEC) < 0)
		r = -errno;
	return r < 0 ? zs_error_errno(error, "", "the overlay's channel", -r) : 0;
}

int zs_stage_descriptors(struct zs_run *run, struct zs_error *error)
{
	int r = fill_standard();

	if (r < 0)
		return zs_error_errno(error, "", "/dev/null", -r);
	r = zs_close_others(run->channel, run->report);
	if (r < 0)
		return zs_error_errno(error, "", "close_range", -r);
	if (run->channel >= 0)
		r = keep_channel(run->channel, error);
	if (r == 0 && run->report >= 0 && fcntl(run->report, F_SETFD, FD_CLOEXEC) < 0)
		r = zs_error_errno(error, "", "the report", errno);
	return r < 0 ? r : zs_standard_check(run->policy, error);
}
