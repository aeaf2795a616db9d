#include "linux/files/other_git.h"

#include <unistd.h>

#include "base/cleanup.h"
#include "linux/files/overlay_mount.h"

int zs_git_base_mount(const struct zs_policy *policy)
{
	struct zs_layers layers = ZS_LAYERS_NONE;
	uint64_t limit = zs_policy_tmp_bytes(policy);
	ZS_AUTO_FD int scratch = -1;
	int r = layers.lower = zs_layers_lower(policy->git_base);

	if (r >= 0)
		r = scratch = zs_layers_scratch(limit < ZS_POLICY_TMP_BYTES ? limit : ZS_POLICY_TMP_BYTES);
	if (r >= 0)
		r = zs_layers_make(scratch, &layers);
	if (r == 0)
		r = zs_layers_mount(&layers);
	zs_layers_close(&layers);
	return r;
}
