/* zs doctor --require: the features that a machine must have before work is given to it. */
#ifndef ZS_CMD_REQUIRE_H
#define ZS_CMD_REQUIRE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/command.h"
#include "zs_sandbox.h"

enum { ZS_REQUIRED_MAX = 32 };

struct zs_required {
	struct zs_feature items[ZS_REQUIRED_MAX];
	size_t count;
};

/* Reads lists with commas of names: those of features, and "mount-tier". False: stderr was told what is wrong. */
bool zs_require(const struct zs_option_list *lists, const struct zs_feature features[ZS_FEATURE_COUNT],
	struct zs_required *ret_required);

/* "mount-tier", if it is required; else NULL. The caller says whether it is there. */
struct zs_feature *zs_required_tier(struct zs_required *required);

/* Are all of them there? Else stderr is told which are not. */
bool zs_require_met(const struct zs_required *required);

#endif
