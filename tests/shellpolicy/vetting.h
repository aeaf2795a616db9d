/* What the tests of shellpolicy share: one vetter, and answers in words. */
#ifndef ZS_TESTS_VETTING_H
#define ZS_TESTS_VETTING_H

#include "check.h"
#include "zs_shellpolicy.h"

#include <string.h>

static const char profile_letters[ZS_PROFILE_COUNT + 1] = "SRV";

/* The report lives until the next call. */
static inline const struct zs_report *vet(enum zs_profile profile, const char *text)
{
	static struct zs_vetter *vetter;
	struct zs_vet_options options = { .profile = profile };

	if (!vetter)
		vetter = zs_vetter_new();
	return zs_vet(vetter, text, strlen(text), &options);
}

static inline bool same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

#endif
