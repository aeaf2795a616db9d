#include "base/profile_choice.h"

#include <stddef.h>

#define CHOICE(id, name, text) name,
const char *const zs_profile_choices[] = { ZS_PROFILES(CHOICE) NULL };
#undef CHOICE

enum zs_profile zs_profile_choice(const char *name)
{
	enum zs_profile profile = ZS_PROFILE_STRICT;

	if (name)
		zs_profile_parse(name, &profile);
	return profile;
}
