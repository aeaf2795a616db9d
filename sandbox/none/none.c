/* No enforcement on this system, so every policy is refused: running unconfined is never the fallback. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "approval/session_place.h"
#include "base/error.h"
#include "enforce/backend.h"
#include "policy/approved_place.h"
#include "policy/preset.h"

/* The stubs do not use their parameters. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

static const char why[] = "not available on this system";

#define NAME_FEATURE(id, name, needed_by)                                                                              \
	[ZS_FEATURE_##id] = { name, needed_by, false, EOPNOTSUPP, "not available on this system", "use Linux" },
static const struct zs_feature absent[ZS_FEATURE_COUNT] = { ZS_FEATURES(NAME_FEATURE) };

void zs_features_probe(struct zs_feature ret_features[ZS_FEATURE_COUNT])
{
	memcpy(ret_features, absent, sizeof absent);
}

static int none_refuse(struct zs_error *error)
{
	return zs_error_hint(error, zs_error_say(error, "sandbox", "", EOPNOTSUPP, "%s", why), "use Linux");
}

int zs_backend_check(
	const struct zs_policy *policy, enum zs_tier *ret_tier, uint32_t *ret_lacks, struct zs_error *error)
{
	return none_refuse(error);
}

int zs_backend_list_public(struct zs_policy *resolved, struct zs_error *error)
{
	return 0;
}

int zs_backend_confine(struct zs_policy *policy, char *const argv[], char *const envp[],
	const struct zs_run_descriptors *own, zs_become *become, struct zs_error *error)
{
	return none_refuse(error);
}

int zs_backend_session(struct zs_policy *policy, char *const envp[], int requests, int report, bool denials,
	zs_become *become, struct zs_error *error)
{
	(void)denials;
	return none_refuse(error);
}

static const struct zs_preset_home none[] = { { "", "", "", ZS_ACCESS_HIDE, "" } };

const struct zs_preset_tree *const zs_preset_trees = zs_preset_trees_linux;
const struct zs_preset_home *const zs_preset_homes_here = none;
const uint32_t zs_preset_without = 0;

int zs_approved_place_open(const char *real)
{
	int fd = open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int zs_approved_place_read(int fd, struct zs_approved_place *ret_place)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	*ret_place = (struct zs_approved_place){
		.known = true, .device = (uint64_t)st.st_dev, .inode = (uint64_t)st.st_ino
	};
	return 0;
}

int zs_process_start(pid_t pid, uint64_t *ret_start)
{
	return -ENOTSUP;
}

int zs_session_leader(pid_t *ret_leader, uint64_t *ret_start)
{
	return -ENOTSUP;
}

/* A session with a name of the host's ends when the host says so. */
int zs_boot_id(char *id, size_t size)
{
	snprintf(id, size, "unknown");
	return 0;
}
