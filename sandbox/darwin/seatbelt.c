/* Makes the profile and applies it. */
#include <errno.h>
#include <pwd.h>
#include <unistd.h>

#include "policy/approved_place.h"
#include "base/error.h"
#include "darwin/seatbelt_calls.h"
#include "darwin/mac_stage.h"

/* If another file has taken the path of an approved place, the run ends. A rule can name a file only by its path. */
static int check_approved(const struct zs_policy *policy, struct zs_error *error)
{
	for (size_t i = 0; i < policy->grant_count; i++) {
		const struct zs_grant *grant = &policy->grants[i];
		int fd, r;

		if (!grant->approved.known)
			continue;
		fd = zs_approved_place_open(grant->path);
		r = fd < 0 ? fd : zs_approved_place_check(fd, &grant->approved);
		if (fd >= 0)
			close(fd);
		if (r == -ESTALE)
			return zs_error_say(error, "", grant->path, ESTALE, "%s", ZS_APPROVED_PLACE_REPLACED);
		if (r < 0)
			return zs_error_errno(error, "", grant->path, -r);
	}
	return 0;
}

int zs_stage_profile(struct zs_run *run, struct zs_error *error)
{
	char user_tmp[PATH_MAX];
	size_t len = confstr(_CS_DARWIN_USER_TEMP_DIR, user_tmp, sizeof user_tmp);
	const struct passwd *account = getpwuid(geteuid());
	const struct zs_seatbelt_request request = {
		.policy = run->policy,
		.proxy_port = run->proxy.port,
		.fingerprint_allowed = run->fingerprint.allowed,
		.fingerprint_denied = run->fingerprint.denied,
		/* A resolved policy does not have the home. */
		.home = account && account->pw_dir && account->pw_dir[0] == '/' ? account->pw_dir : NULL,
		.user_tmp = len > 0 && len <= sizeof user_tmp ? user_tmp : NULL,
	};
	int r = check_approved(run->policy, error);

	return r < 0 ? r : zs_seatbelt_profile_new(&request, &run->profile, error);
}

int zs_seatbelt_apply(const struct zs_seatbelt_profile *profile, struct zs_error *error)
{
	char *why = NULL;
	int r;

	errno = 0;
	r = sandbox_init_with_parameters(profile->text, 0, profile->parameters, &why);
	if (r == 0)
		return 0;
	/* For a process that is already in a sandbox the message is "Operation not permitted". */
	r = zs_error_say(error, "", "", errno ? errno : EPERM, "%s", why ? why : "no reason was given");
	if (why)
		sandbox_free_error(why);
	return zs_error_hint(error, r, "a program that is in a sandbox itself cannot make another");
}

int zs_stage_seatbelt(struct zs_run *run, struct zs_error *error)
{
	return zs_seatbelt_apply(&run->profile, error);
}
