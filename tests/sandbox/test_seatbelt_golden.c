/* Compares whole profiles with testdata/seatbelt/. ZS_UPDATE_GOLDEN=1, in the clone's folder, writes them instead;
 * remove .zig-cache then, since the build does not notice that an embedded file has changed. test_seatbelt_proxy.c has
 * the proxy's profile. */
#include "harness.h"
#include "seatbelt_world.h"

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc23-extensions" /* #embed */
static const char nothing[] = {
#embed "../../testdata/seatbelt/nothing.sb" suffix(, )
	0
};
static const char each_access[] = {
#embed "../../testdata/seatbelt/each-access.sb" suffix(, )
	0
};
static const char preset[] = {
#embed "../../testdata/seatbelt/preset.sb" suffix(, )
	0
};
static const char localhost[] = {
#embed "../../testdata/seatbelt/localhost.sb" suffix(, )
	0
};
static const char hosts[] = {
#embed "../../testdata/seatbelt/hosts.sb" suffix(, )
	0
};
static const char full[] = {
#embed "../../testdata/seatbelt/full.sb" suffix(, )
	0
};
#pragma clang diagnostic pop

static void grant_none(struct world *world)
{
	(void)world;
}

static void allow_localhost(struct world *world)
{
	world->request.localhost = true;
}

static void allow_hosts(struct world *world)
{
	zs_policy_set_network(world->policy, ZS_NETWORK_HOSTS, NULL);
	world->request.proxy_port = 4128;
}

static void allow_all(struct world *world)
{
	zs_policy_set_network(world->policy, ZS_NETWORK_FULL, NULL);
}

/* Returns the profile, with its parameters as comments. free() it. */
static char *describe(const struct zs_seatbelt_profile *profile)
{
	size_t size = strlen(profile->text) + 1, len;
	char *text;

	for (size_t i = 0; i < 2 * profile->parameter_count; i++)
		size += strlen(profile->parameters[i]) + 8;
	text = malloc(size);
	len = (size_t)snprintf(text, size, "%s", profile->text);
	for (size_t i = 0; i < profile->parameter_count; i++)
		len += (size_t)snprintf(text + len, size - len, "; %s %s\n", profile->parameters[2 * i],
			profile->parameters[2 * i + 1]);
	return text;
}

TEST(seatbelt_profiles_are_golden)
{
	static const struct {
		const char *file, *want;
		void (*grant)(struct world *world);
	} goldens[] = {
		{ "testdata/seatbelt/nothing.sb", nothing, grant_none },
		{ "testdata/seatbelt/each-access.sb", each_access, world_grant_all },
		{ "testdata/seatbelt/preset.sb", preset, world_grant_preset },
		{ "testdata/seatbelt/localhost.sb", localhost, allow_localhost },
		{ "testdata/seatbelt/hosts.sb", hosts, allow_hosts },
		{ "testdata/seatbelt/full.sb", full, allow_all },
	};

	for (size_t i = 0; i < sizeof goldens / sizeof *goldens; i++) {
		struct world world;
		char *text;

		world_begin(&world);
		goldens[i].grant(&world);
		if (world_make(&world)) {
			text = describe(&world.profile);
			if (getenv("ZS_UPDATE_GOLDEN"))
				write_text(goldens[i].file, text);
			else
				CHECK(strcmp(text, goldens[i].want) == 0, "%s: ZS_UPDATE_GOLDEN=1 accepts:\n%s",
					goldens[i].file, text);
			free(text);
		}
		world_end(&world);
	}
}
