/* The generator of profiles without memory: each of its allocations fails once. Then there must be no profile, an error
 * that says so, and no memory left. */
#include "check.h"
#include "failing_memory.h"
#include "seatbelt/profile.h"
#include "seatbelt_world.h"

static int make_command(const struct world *world, struct zs_seatbelt_profile *ret_profile, struct zs_error *error)
{
	return zs_seatbelt_profile_new(&world->request, ret_profile, error);
}

static int make_proxy(const struct world *world, struct zs_seatbelt_profile *ret_profile, struct zs_error *error)
{
	(void)world;
	return zs_seatbelt_proxy_profile_new(4128, ret_profile, error);
}

/* Returns the number of allocations. */
static size_t fail_each(const struct world *world, const char *name,
	int (*make)(const struct world *world, struct zs_seatbelt_profile *ret_profile, struct zs_error *error))
{
	for (size_t fail_at = 1;; fail_at++) {
		struct zs_seatbelt_profile profile = { 0 };
		struct zs_error error = { 0 };
		size_t left;
		bool failed;
		int r;

		failing_memory_begin(fail_at);
		r = make(world, &profile, &error);
		if (r == 0)
			zs_seatbelt_profile_free(&profile);
		failed = failing_memory_end(&left);
		CHECK(left == 0, "%s: allocation %zu: %zu blocks are left", name, fail_at, left);
		CHECK(r == (failed ? -ENOMEM : 0), "%s: allocation %zu: %d", name, fail_at, r);
		CHECK(!failed || error.cause == ENOMEM, "%s: allocation %zu: error %d %s", name, fail_at, error.cause,
			error.what);
		if (!failed)
			return fail_at - 1;
	}
}

TEST(seatbelt_each_allocation_fails_once)
{
	struct world world;
	size_t count;

	world_begin(&world);
	world_grant_all(&world);
	CHECK(zs_policy_add_socket(world.policy, "/var/run/docker.sock", NULL) == 0, "a socket");
	count = fail_each(&world, "a command's", make_command);
	CHECK(count > 100, "only %zu allocations: are they ours?", count);
	world.request.policy = NULL;
	count = fail_each(&world, "a tracker's", make_command);
	CHECK(count > 5, "only %zu allocations", count);
	count = fail_each(&world, "the proxy's", make_proxy);
	CHECK(count > 1, "only %zu allocations", count);
	world_end(&world);
}
