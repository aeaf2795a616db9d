/* Joins a new, empty session keyring. An exec keeps the caller's keyring, and every process that possesses it can read
 * its keys: Kerberos tickets, disk keys, keys added by `keyctl add` (man 7 session-keyring). The new user namespace has
 * its own user keyring (@u), so neither a search of @u nor request_key(2) finds the keys of the old one.
 *
 * One way remains: a keyring that grants rights to the uid, as the old @u does, can be linked by a process that knows
 * its serial number, which /proc/keys shows, and its keys can be read then. The seccomp stage closes that way by
 * refusing all of keyctl(2). */
#include "linux/base/stage.h"

#include <errno.h>
#include <linux/keyctl.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

/* Is keyctl(2) out of reach altogether? A kernel without keyrings holds no keys, and a container runtime's seccomp
 * filter that refuses all of keyctl(2) binds the command, too. A filter that refuses only the join would leave the
 * command the caller's keys. */
static bool is_absent_altogether(int cause)
{
	if (cause != ENOSYS && cause != EPERM)
		return false;
	return syscall(SYS_keyctl, KEYCTL_READ, KEY_SPEC_SESSION_KEYRING, NULL, 0) < 0 && errno == cause;
}

/* Returns 0 or a positive errno. An ordinary user may have 200 keys at a time (man 7 keyrings, maxkeys). A kernel
 * worker frees the keys of ended runs, and many short runs outpace it: then tries again for a second. */
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
