/* Gives up every capability and every way to one: bounding set, ambient set, securebits. For root too: an exec as
 * uid 0 would fill the sets again, and with CAP_SYS_ADMIN a nested user namespace undoes read-only mounts. */
#include "linux/base/stage.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "linux/locks/locks.h"

/* Uid 0 is nobody special, setuid changes no capability set, ambient ones cannot be raised, and all of that is locked:
 * man 7 capabilities, "The securebits flags". */
static const unsigned long securebits = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |
					SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED |
					SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED;

/* The kernel may know more capabilities than our headers: EINVAL is its answer to the first that does not exist. Its
 * sets have 64 bits. A filter of the caller's may say that one is dropped, so each is looked at. */
static int drop_bounding_set(void)
{
	enum { CAPABILITIES_MAX = 64 };

	for (unsigned long capability = 0; capability < CAPABILITIES_MAX; capability++) {
		/* The first is always there, so EINVAL then means that prctl(2) is not what it seems. */
		if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0)
			return errno == EINVAL && capability > CAP_CHOWN ? 0 : -errno;
		if (prctl(PR_CAPBSET_READ, capability, 0, 0, 0) != 0)
			return -EPERM;
	}
	return -EPERM;
}

static int set_securebits(void)
{
	if (prctl(PR_SET_SECUREBITS, securebits, 0, 0, 0) < 0)
		return -errno;
	return prctl(PR_GET_SECUREBITS, 0, 0, 0, 0) == (int)securebits ? 0 : -EPERM;
}

static int get_capabilities(struct __user_cap_data_struct ret_sets[_LINUX_CAPABILITY_U32S_3])
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };

	return syscall(SYS_capget, &header, ret_sets) < 0 ? -errno : 0;
}

static int check_none(void)
{
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = { { ~0u, ~0u, ~0u }, { ~0u, ~0u, ~0u } };
	int r = get_capabilities(sets);

	for (size_t i = 0; r == 0 && i < _LINUX_CAPABILITY_U32S_3; i++)
		if (sets[i].effective | sets[i].permitted | sets[i].inheritable)
			r = -EPERM;
	return r;
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
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = { 0 };
	int r = get_capabilities(sets);

	if (r < 0)
		return r;
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
	r = has ? set_securebits() : 0;
	if (r < 0)
		return r;
	*ret_object = "ambient set";
	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0)
		return -errno;
	*ret_object = "bounding set";
	r = has ? drop_bounding_set() : 0;
	if (r < 0)
		return r;
	*ret_object = "capset";
	r = zs_capabilities_keep(0);
	return r < 0 ? r : check_none();
}

int zs_stage_capabilities(struct zs_run *run, struct zs_error *error)
{
	const char *object;
	int r = zs_capabilities_end(run->policy->tier != ZS_TIER_LANDLOCK, &object);

	return r < 0 ? zs_error_errno(error, "", object, -r) : 0;
}
