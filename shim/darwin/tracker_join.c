/* Joins a tracker: a process that is about to become a command takes the tracker's fingerprint. */
#include "tracker_shim.h"

#include <errno.h>
#include <stddef.h>

#include "darwin/mac_stage.h"
#include "base/error.h"
#include "darwin/tracker_place.h"

int zs_tracker_join(char **envp, struct zs_error *error)
{
	struct zs_fingerprint fingerprint;
	const struct zs_seatbelt_request request = { .fingerprint_allowed = fingerprint.allowed,
		.fingerprint_denied = fingerprint.denied };
	struct zs_seatbelt_profile profile;
	const char *folder = NULL;
	int r = zs_tracker_take_value(envp, &folder, error);

	if (r < 0)
		return r;
	r = zs_fingerprint_name(folder, &fingerprint);
	if (r < 0)
		return zs_error_errno(error, "tracker", ZS_TRACKER_VARIABLE, -r);
	r = zs_seatbelt_profile_new(&request, &profile, error);
	if (r < 0)
		return r;
	r = zs_seatbelt_apply(&profile, error);
	zs_seatbelt_profile_free(&profile);
	if (r < 0) {
		if (error)
			error->step = "tracker";
		return r;
	}
	r = zs_tracker_place_look(&fingerprint);
	if (r == -ENOENT)
		return zs_error_say(error, "tracker", "", -r, "it has ended");
	return r < 0 ? zs_error_errno(error, "tracker", "join", -r) : 0;
}
