/* A new, empty session keyring instead of the caller's, whose keys (Kerberos tickets, disk keys, what `keyctl add` put
 * there) are read by whoever possesses it, and exec keeps it: man 7 session-keyring. The user keyring (@u) of the new
 * user namespace is another one, so neither a search of @u nor request_key(2) finds the old one's keys.
 *
 * One way remains: a keyring that grants its rights to the uid, as the old @u does, can still be linked to, and its
 * keys then read, by a process that knows its number, which /proc/keys shows. The seccomp stage forbids that, with all
 * of keyctl(2). */
#include "linux/base/stage.h"

#include <errno.h>
#include <linux/keyctl.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

/* A kernel without keyrings has none to leave, and a seccomp filter (a container runtime's) that forbids all of
 * keyctl(2) binds the command as well. One that forbids the joining alone leaves it the caller's keys. */
static bool is_absent_altogether(int cause)
{
	if (cause != ENOSYS && cause != EPERM)
		return false;
	return syscall(SYS_keyctl, KEYCTL_READ, KEY_SPEC_SESSION_KEYRING, NULL, 0) < 0 && errno == cause;
}

/* An ordinary user has 200 keys at a time (man 7 keyrings, maxkeys), and those of runs that have ended are given back
 * by a worker of the kernel, which many short runs outpace. */
static int keyring_join(void)
{
	enum { TRIES = 50, PAUSE_MS = 20 };
	int cause = 0;

	for (int i = 0; i < TRIES && (i == 0 || cause == EDQUOT); i++) {
		if (i > 0)
			nanosleep(&(struct timespec){ .tv_nsec = PAUSE_MS * 1000000 }, NULL);
		if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL) >= 0)
			return 0;
		cause = errno;
	}
	return cause;
}

int zs_stage_keyring(struct zs_run *run, struct zs_error *error)
{
	int cause = keyring_join();

	(void)run;
	if (cause == 0 || is_absent_altogether(cause))
		return 0;
	return zs_error_errno(error, "", "keyctl", cause);
}
