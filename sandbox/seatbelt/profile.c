#include "seatbelt/profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "seatbelt/place.h"
#include "seatbelt/rules.h"

static const char step[] = "seatbelt";

/* Writes both forms: sandbox_check(3) may take a path as it is written. */
static void put_fingerprint_path(struct zs_seatbelt_writer *writer, const char *rule, const char *place)
{
	zs_seatbelt_put(writer, rule);
	zs_seatbelt_put_forms(writer, place);
	zs_seatbelt_put(writer, ")\n");
}

static int put_fingerprint(
	struct zs_seatbelt_writer *writer, const struct zs_seatbelt_request *request, struct zs_error *error)
{
	ZS_AUTO_FREE char *allowed = NULL, *denied = NULL;
	int r = zs_seatbelt_place("fingerprint", request->fingerprint_allowed, &allowed, error);

	if (r == 0)
		r = zs_seatbelt_place("fingerprint", request->fingerprint_denied, &denied, error);
	if (r < 0)
		return r;
	if (strcmp(allowed, denied) == 0)
		return zs_error_say(error, "fingerprint", allowed, EINVAL, "is both allowed and denied");
	put_fingerprint_path(writer, "(allow " ZS_SEATBELT_FINGERPRINT_OPERATION, allowed);
	put_fingerprint_path(writer, "(deny " ZS_SEATBELT_FINGERPRINT_OPERATION, denied);
	return 0;
}

static int profile_check(const struct zs_policy *policy, struct zs_error *error)
{
	if (!policy->workspace || policy->workspace_access != ZS_WORKSPACE_OVERLAY ||
		zs_policy_gives_up(policy, ZS_PROMISE_OVERLAY))
		return 0;
	zs_error_say(error, "workspace", policy->workspace, EOPNOTSUPP, "macOS has no overlays");
	return zs_error_hint(error, -EOPNOTSUPP, "waive 'overlay', and the workspace is read-only instead");
}

static int put_policy(
	struct zs_seatbelt_writer *writer, const struct zs_seatbelt_request *request, struct zs_error *error)
{
	ZS_AUTO_FREE char *home = NULL;
	struct zs_seatbelt_trees trees;
	int r = profile_check(request->policy, error);

	if (r == 0 && request->home)
		r = zs_seatbelt_place("home", request->home, &home, error);
	if (r == 0)
		r = zs_seatbelt_trees_new(request, &trees, error);
	if (r < 0)
		return r;
	zs_seatbelt_put_base(writer, home);
	zs_seatbelt_put_links(writer, request->policy);
	zs_seatbelt_put_trees(writer, &trees);
	zs_seatbelt_put_devices(writer);
	r = zs_seatbelt_put_network(writer, request, error);
	zs_seatbelt_put_fixed(writer, &trees);
	zs_seatbelt_trees_free(&trees);
	return r;
}

static int profile_fail(const struct zs_seatbelt_writer *writer, struct zs_error *error)
{
	if (writer->failure == -E2BIG)
		return zs_error_hint(error,
			zs_error_say(error, "paths", NULL, E2BIG, "are more than the %d that a profile can name",
				ZS_SEATBELT_PARAMETERS_MAX),
			"protect or hide folders instead of what lies in them");
	return zs_error_errno(error, step, NULL, -writer->failure);
}

int zs_seatbelt_profile_new(
	const struct zs_seatbelt_request *request, struct zs_seatbelt_profile *ret_profile, struct zs_error *error)
{
	struct zs_seatbelt_writer writer = { 0 };
	int r = 0;

	zs_seatbelt_begin(&writer);
	if (request->policy)
		r = put_policy(&writer, request, error);
	else
		zs_seatbelt_put(&writer, "(version 1)\n(allow default)\n");
	if (r == 0)
		r = put_fingerprint(&writer, request, error);
	if (r == 0 && writer.failure)
		r = profile_fail(&writer, error);
	if (r < 0) {
		zs_seatbelt_profile_free(&writer.profile);
		return r;
	}
	*ret_profile = writer.profile;
	return 0;
}

void zs_seatbelt_profile_free(struct zs_seatbelt_profile *profile)
{
	for (size_t i = 0; profile->parameters && i < 2 * profile->parameter_count; i++)
		free((void *)(uintptr_t)profile->parameters[i]);
	free(profile->parameters);
	free(profile->text);
	*profile = (struct zs_seatbelt_profile){ 0 };
}

/* The profile of the proxy itself, which reads bytes of hostile commands and servers: it opens no file, starts no
 * program and uses no service. It has read the files that it needs before. */
int zs_seatbelt_proxy_profile_new(uint16_t port, struct zs_seatbelt_profile *ret_profile, struct zs_error *error)
{
	struct zs_seatbelt_writer writer = { 0 };

	zs_seatbelt_begin(&writer);
	zs_seatbelt_put_denials(&writer);
	zs_seatbelt_print(&writer,
		"(allow network-inbound (local tcp \"localhost:%u\"))\n"
		"(allow network-outbound (remote tcp \"*:*\") (remote udp \"*:53\"))\n",
		port);
	if (writer.failure) {
		zs_seatbelt_profile_free(&writer.profile);
		return zs_error_errno(error, "seatbelt", NULL, -writer.failure);
	}
	*ret_profile = writer.profile;
	return 0;
}
