/* The profile of Seatbelt that a policy makes. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "profile.h"

TEST(seatbelt_fingerprint_only)
{
	const struct zs_seatbelt_request request = { .fingerprint_allowed = "/tmp/id/a",
		.fingerprint_denied = "/tmp/id/d" };
	struct zs_seatbelt_profile profile = { 0 };
	struct zs_error error = { 0 };
	int r = zs_seatbelt_profile_new(&request, &profile, &error);

	CHECK(r == 0, "%d %s", r, error.what);
	CHECK(r == 0 && strcmp(profile.text,
				"(version 1)\n"
				"(allow default)\n"
				"(allow file-read-data (literal (param \"P0\")) (literal (param \"P1\")))\n"
				"(deny file-read-data (literal (param \"P2\")) (literal (param \"P3\")))\n") == 0,
		"%s", profile.text);
	CHECK(r == 0 && profile.parameter_count == 4 && strcmp(profile.parameters[1], "/private/tmp/id/a") == 0 &&
			strcmp(profile.parameters[3], "/tmp/id/a") == 0 && !profile.parameters[8],
		"%zu parameters", profile.parameter_count);
	zs_seatbelt_profile_free(&profile);
}
