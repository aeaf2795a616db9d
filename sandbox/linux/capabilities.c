/* Gives up every capability and every way to one: bounding set, ambient set, securebits. For root too: an exec as
 * uid 0 would fill the sets again, and with CAP_SYS_ADMIN a nested user namespace undoes read-only mounts. */
#include "stage.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "error.h"

/* Uid 0 is nobody special, setuid changes no capability set, ambient ones cannot be raised, and all of that is locked:
 * man 7 capabilities, "The securebits flags". */
static const unsigned long securebits = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |
					SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED |
					SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED;

/* The kernel may know more capabilities than our headers: EINVAL is its answer to the first that does not exist. */
static int drop_bounding_set(void)
{
	for (unsigned long capability = 0;; capability++) {
		if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0)
			continue;
		/* The first is always there, so EINVAL then means that prctl(2) is not what it seems. */
		return errno == EINVAL && capability > CAP_CHOWN ? 0 : -errno;
	}
}

int zs_capabilities_keep(uint32_t bits)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	const struct __user_cap_data_struct kept[_LINUX_CAPABILITY_U32S_3] = { { bits, bits, 0 } };

	return syscall(SYS_capset, &header, kept) < 0 ? -errno : 0;
}

/* Outside of an own user namespace an ordinary user has none, and with no_new_privs no exec will give him one: then
 * there is nothing to give up that the bounding set and the securebits are about, nor the right to. */
static int has_setpcap(bool *ret_has)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = { 0 };

	if (syscall(SYS_capget, &header, sets) < 0)
		return -errno;
	*ret_has = sets[CAP_TO_INDEX(CAP_SETPCAP)].effective & CAP_TO_MASK(CAP_SETPCAP);
	return 0;
}

int zs_capabilities_end(bool sure, const char **ret_object)
{
	bool has = true;
	int r = sure ? 0 : has_setpcap(&has);

	*ret_object = "capget";
	if (r < 0)
		return r;
	/* The first three need CAP_SETPCAP, which the last gives up. */
	*ret_object = "securebits";
	if (has && prctl(PR_SET_SECUREBITS, securebits, 0, 0, 0) < 0)
		return -errno;
	*ret_object = "ambient set";
	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0)
		return -errno;
	*ret_object = "bounding set";
	r = has ? drop_bounding_set() : 0;
	if (r < 0)
		return r;
	*ret_object = "capset";
	return zs_capabilities_keep(0);
}

int zs_stage_capabilities(struct zs_run *run, struct zs_error *error)
{
	const char *object;
	int r = zs_capabilities_end(run->policy->tier != ZS_TIER_LANDLOCK, &object);

	return r < 0 ? zs_error_errno(error, "", object, -r) : 0;
}
