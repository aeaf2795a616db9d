/* Takes privileges away: no_new_privs, then every capability and every way to regain one, which are the bounding set,
 * the ambient set and the securebits. This matters for root, too: an exec as uid 0 would fill the sets again, and with
 * CAP_SYS_ADMIN a nested user namespace undoes read-only mounts. */
#include "linux/base/stage.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "linux/base/users.h"
#include "linux/locks/locks.h"

/* Root of a root directory with several users (zs_policy_set_users()) keeps zs_users_capabilities through an exec, and
 * loses them with setuid(2), unless it asks to keep them until the next exec (PR_SET_KEEPCAPS), as setpriv(1) does. No
 * set holds CAP_SETPCAP, so the other flags are as if locked. */
static const unsigned long users_securebits = SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED;

/* With these, uid 0 has no special rights, setuid(2) changes no capability set, ambient capabilities cannot be raised,
 * and all of that is locked (man 7 capabilities, "The securebits flags"). */
static const unsigned long securebits = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |
					SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED |
					SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED;

/* The kernel may know more capabilities than our headers, at most 64. EINVAL marks the first that does not exist. Each
 * drop is read back, since a seccomp filter of the caller may fake its success. */
static int drop_bounding_set(uint32_t kept)
{
	enum { CAPABILITIES_MAX = 64 };

	for (unsigned long capability = 0; capability < CAPABILITIES_MAX; capability++) {
		if (capability < 32 && kept >> capability & 1)
			continue;
		/* The first capabilities always exist, so EINVAL for them means that prctl(2) is faked. */
		if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0)
			return errno == EINVAL && capability > CAP_SETPCAP ? 0 : -errno;
		if (prctl(PR_CAPBSET_READ, capability, 0, 0, 0) != 0)
			return -EPERM;
	}
	return -EPERM;
}

static int set_securebits(unsigned long bits)
{
	if (prctl(PR_SET_SECUREBITS, bits, 0, 0, 0) < 0)
		return -errno;
	return prctl(PR_GET_SECUREBITS, 0, 0, 0, 0) == (int)bits ? 0 : -EPERM;
}

static int get_capabilities(struct __user_cap_data_struct ret_sets[_LINUX_CAPABILITY_U32S_3])
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };

	return syscall(SYS_capget, &header, ret_sets) < 0 ? -errno : 0;
}

static int check_kept(uint32_t bits)
{
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = { { ~0u, ~0u, ~0u }, { ~0u, ~0u, ~0u } };
	int r = get_capabilities(sets);

	for (size_t i = 0; r == 0 && i < _LINUX_CAPABILITY_U32S_3; i++) {
		if (sets[i].effective != bits || sets[i].permitted != bits || sets[i].inheritable)
			r = -EPERM;
		bits = 0;
	}
	return r;
}

int zs_capabilities_keep(uint32_t bits)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	const struct __user_cap_data_struct kept[_LINUX_CAPABILITY_U32S_3] = { { bits, bits, 0 } };

	return syscall(SYS_capset, &header, kept) < 0 ? -errno : 0;
}

/* Does this process have CAP_SETPCAP? An ordinary user outside of a user namespace of its own has no capabilities, and
 * no_new_privs keeps an exec from granting any. The bounding set and the securebits have no effect then, and changing
 * them is not permitted. */
static int has_setpcap(bool *ret_has)
{
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = { 0 };
	int r = get_capabilities(sets);

	if (r < 0)
		return r;
	*ret_has = sets[CAP_TO_INDEX(CAP_SETPCAP)].effective & CAP_TO_MASK(CAP_SETPCAP);
	return 0;
}

/* kept: bits 1 << CAP_…; 0 also takes root's special rights away. */
static int capabilities_end(bool sure, uint32_t kept, const char **ret_object)
{
	bool has = true;
	int r = sure ? 0 : has_setpcap(&has);

	*ret_object = "capget";
	if (r < 0)
		return r;
	/* capset(2) comes last, since securebits and the bounding set need CAP_SETPCAP. */
	*ret_object = "securebits";
	r = has ? set_securebits(kept ? users_securebits : securebits) : 0;
	if (r < 0)
		return r;
	*ret_object = "ambient set";
	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0)
		return -errno;
	*ret_object = "bounding set";
	r = has ? drop_bounding_set(kept) : 0;
	if (r < 0)
		return r;
	*ret_object = "capset";
	r = zs_capabilities_keep(kept);
	return r < 0 ? r : check_kept(kept);
}

int zs_capabilities_end(bool sure, const char **ret_object)
{
	return capabilities_end(sure, 0, ret_object);
}

int zs_stage_capabilities(struct zs_run *run, struct zs_error *error)
{
	bool sure = run->policy->tier != ZS_TIER_LANDLOCK;
	const char *object = "setgroups";
	int r = run->policy->users ? zs_users_drop_groups() : 0;

	if (r == 0)
		r = capabilities_end(sure, sure && run->policy->users ? zs_users_capabilities : 0, &object);

	return r < 0 ? zs_error_errno(error, "", object, -r) : 0;
}

/* Sets no_new_privs: no exec grants more rights than its caller has, so set-user-ID, set-group-ID and file capabilities
 * have no effect (man 2 PR_SET_NO_NEW_PRIVS). */
int zs_no_new_privs_set(void)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -errno;
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? 0 : -EPERM;
}

int zs_stage_no_new_privs(struct zs_run *run, struct zs_error *error)
{
	int r = zs_no_new_privs_set();

	(void)run;
	return r < 0 ? zs_error_errno(error, "", "prctl", -r) : 0;
}
