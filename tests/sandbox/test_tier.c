/* The promises that the tiers without namespaces cannot keep, and how a policy is refused: the error names all promises
 * that must be waived. This tests the part of Seatbelt's tier that needs no kernel of macOS. */
#include "harness.h"
#include "policy/preset.h"
#include "policy/tier.h"

#define BIT(promise) (1u << ZS_PROMISE_##promise)

static struct zs_policy *make_policy(const char *json)
{
	struct zs_policy *policy = NULL;
	struct zs_error error = { 0 };
	char line[1024];

	if (zs_policy_from_json(json, strlen(json), NULL, &policy, &error) < 0) {
		zs_error_format(&error, line, sizeof line);
		CHECK(false, "%s: %s", json, line);
	}
	return policy;
}

/* "": it is not refused. */
static const struct {
	const char *json; /* after the version */
	const char *names, *leave_out;
} rows[] = {
	/* Seatbelt cannot keep these for any policy. */
	{ "", "loopback, private-tmp, processes", "" },
	{ ",\"without\":[\"loopback\",\"private-tmp\",\"processes\"]", "", "" },
	{ ",\"without\":[\"loopback\",\"processes\"]", "private-tmp", "" },
	{ ",\"without\":[\"loopback\",\"private-tmp\"]", "processes", "" },
	{ ",\"without\":[\"private-tmp\",\"processes\"]", "loopback", "" },
	{ ",\"tmp\":\"shared\",\"network\":\"full\",\"without\":[\"processes\"]", "", "" },
	/* Promises that it can keep. */
	{ ",\"tmp\":\"shared\",\"network\":\"full\",\"without\":[\"processes\"],\"unix_sockets\":[\"/s\"],"
	  "\"paths\":[{\"path\":\"/a\",\"access\":\"hide\"},{\"path\":\"/b\",\"access\":\"protect\"}]",
		"", "" },
	{ ",\"tmp\":\"shared\",\"network\":\"full\",\"without\":[\"processes\"],"
	  "\"workspace\":{\"root\":\"/w\",\"access\":\"write\"}",
		"", "" },
	{ ",\"tmp\":\"shared\",\"network\":\"full\",\"without\":[\"processes\"],"
	  "\"limits\":{\"wall_seconds\":1,\"open_files\":9,\"file_bytes\":9}",
		"", "" },
	{ ",\"tmp\":\"shared\",\"network\":\"full\",\"without\":[\"processes\"],"
	  "\"workspace\":{\"root\":\"/w\",\"access\":\"overlay\"}",
		"overlay", "" },
	{ ",\"tmp\":\"shared\",\"network\":\"full\",\"without\":[\"processes\",\"overlay\"],"
	  "\"workspace\":{\"root\":\"/w\",\"access\":\"overlay\"}",
		"", "" },
	{ ",\"tmp\":\"shared\",\"network\":{\"hosts\":[\"a.example\"]},\"without\":[\"processes\",\"loopback\"]", "",
		"" },
	{ ",\"tmp\":\"shared\",\"network\":{\"hosts\":[\"a.example\"]},\"without\":[\"processes\"]", "loopback", "" },
	/* Promises that nobody can waive. */
	{ ",\"tmp\":\"shared\",\"network\":\"full\",\"without\":[\"processes\"],\"limits\":{\"cpu_seconds\":1}",
		"limits: cpu_seconds", "leave out limits: cpu_seconds, and " },
	{ ",\"tmp\":\"shared\",\"network\":\"full\",\"without\":[\"processes\"],\"limits\":{\"memory_bytes\":1}",
		"limits: memory_bytes", "leave out limits: memory_bytes, and " },
	{ ",\"tmp\":\"shared\",\"network\":\"full\",\"without\":[\"processes\"],\"limits\":{\"processes\":1}",
		"limits: processes", "leave out limits: processes, and " },
	{ ",\"tmp\":\"shared\",\"network\":\"full\",\"limits\":{\"processes\":1,\"memory_bytes\":1}",
		"limits: memory_bytes, limits: processes, processes",
		"leave out limits: memory_bytes, limits: processes, and " },
};

/* Does it name all of them, in any order, and no others? */
static bool names_all(const char *object, const char *names)
{
	size_t len = 0;
	char name[64];

	for (const char *at = names; *at; at += strspn(at, ", ")) {
		size_t size = strcspn(at, ",");

		snprintf(name, sizeof name, "%.*s", (int)size, at);
		if (!strstr(object, name))
			return false;
		len += size + 2;
		at += size;
	}
	return strlen(object) + 2 == len;
}

TEST(tier_seatbelt_refuses_by_name)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct zs_error error = { 0 };
		AUTO_POLICY *policy = NULL;
		char json[512];
		int r;

		snprintf(json, sizeof json, "{\"version\":1%s}", rows[i].json);
		policy = make_policy(json);
		if (!policy)
			continue;
		r = zs_tier_check(&zs_seatbelt_means, policy, false, "why", "", &error);
		CHECK((r == 0) == !*rows[i].names, "%s: %d, %s", json, r, error.object);
		if (r < 0) {
			CHECK(r == -EOPNOTSUPP && names_all(error.object, rows[i].names), "%s: '%s', not '%s'", json,
				error.object, rows[i].names);
			CHECK(strncmp(error.hint, rows[i].leave_out, strlen(rows[i].leave_out)) == 0, "%s: %s", json,
				error.hint);
		}
	}
}

/* The presets of macOS: they waive exactly the promises that Seatbelt lacks. */
TEST(tier_seatbelt_holds_the_default_policy)
{
	AUTO_POLICY *policy = NULL;
	struct zs_error error = { 0 };

	if (zs_policy_default("/", (char *[]){ NULL }, &policy, &error) == 0) {
		CHECK(false, "/ is no workspace");
		return;
	}
	CHECK(zs_policy_default("/srv", (char *[]){ NULL }, &policy, &error) == 0, "%s", error.what);
	if (!policy)
		return;
	/* On this system the preset waives nothing. */
	CHECK(policy->without == 0, "%x", policy->without);
	for (int root = 0; root < 2; root++) {
		policy->without = 0;
		CHECK(zs_tier_check(&zs_seatbelt_means, policy, root, "why", "", NULL) == -EOPNOTSUPP, "root %d", root);
		policy->without = ZS_PRESET_WITHOUT_MACOS;
		CHECK(zs_tier_check(&zs_seatbelt_means, policy, root, "why", "", &error) == 0, "root %d: %s", root,
			error.object);
		CHECK(!root || zs_tier_lacks(&zs_seatbelt_means, policy, root) == ZS_PRESET_WITHOUT_MACOS,
			"it gives up more than it has to");
	}
}

TEST(landlock_tells_sockets_apart_from_abi_9_on)
{
	struct zs_policy *policy = make_policy("{\"version\":1,\"unix_sockets\":[\"/s\"]}");
	const struct zs_tier_means older = zs_landlock_means(false), newer = zs_landlock_means(true);

	if (!policy)
		return;
	CHECK(zs_tier_lacks(&older, policy, false) & BIT(SOCKETS), "older");
	CHECK(!(zs_tier_lacks(&newer, policy, false) & BIT(SOCKETS)), "newer");
	zs_policy_free(policy);
}

TEST(mounts_lack_sockets_before_abi_9_and_nothing_else)
{
	static const struct {
		const char *json;
		uint32_t lacks;
	} policies[] = {
		{ "{\"version\":1}", 0 },
		{ "{\"version\":1,\"unix_sockets\":[\"/s\"]}", BIT(SOCKETS) },
		{ "{\"version\":1,\"unix_sockets\":[\"/s\"],\"without\":[\"sockets\"]}", BIT(SOCKETS) },
		{ "{\"version\":1,\"network\":{\"hosts\":[\"a.example\"]},\"limits\":{\"processes\":9},"
		  "\"paths\":[{\"path\":\"/a\",\"access\":\"hide\"},{\"path\":\"/b\",\"access\":\"protect\"}],"
		  "\"workspace\":{\"root\":\"/w\",\"access\":\"overlay\"}}",
			0 },
	};
	const struct zs_tier_means older = zs_mounts_means(false), newer = zs_mounts_means(true);

	for (size_t i = 0; i < sizeof policies / sizeof *policies; i++)
		for (int root = 0; root < 2; root++) {
			struct zs_policy *policy = make_policy(policies[i].json);

			if (!policy)
				return;
			CHECK(zs_tier_lacks(&older, policy, root) == policies[i].lacks, "older: %s", policies[i].json);
			CHECK(zs_tier_lacks(&newer, policy, root) == 0, "newer: %s", policies[i].json);
			zs_policy_free(policy);
		}
}

TEST(a_broker_needs_proc_and_a_network_of_the_runs_own)
{
	static const struct {
		const char *json;
		bool has;
	} policies[] = {
		{ "{\"version\":1,\"paths\":[{\"path\":\"/proc\",\"access\":\"read\"}]}", true },
		{ "{\"version\":1,\"paths\":[{\"path\":\"/\",\"access\":\"read\"}]}", true },
		{ "{\"version\":1,\"workspace\":{\"root\":\"/\",\"access\":\"read\"}}", true },
		{ "{\"version\":1,\"workspace\":{\"root\":\"/\",\"access\":\"read\"},"
		  "\"network\":{\"hosts\":[\"a.example\"]},\"unix_sockets\":[\"/s\"]}",
			true },
		{ "{\"version\":1}", false },
		{ "{\"version\":1,\"unix_sockets\":[\"/s\"]}", false },
		{ "{\"version\":1,\"workspace\":{\"root\":\"/\",\"access\":\"read\"},\"network\":\"full\"}", false },
		{ "{\"version\":1,\"workspace\":{\"root\":\"/\",\"access\":\"read\"},\"without\":[\"sockets\"]}",
			false },
	};

	for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
		struct zs_policy *policy = make_policy(policies[i].json);

		if (!policy)
			return;
		CHECK(zs_policy_has_broker(policy) == policies[i].has, "%s", policies[i].json);
		zs_policy_free(policy);
	}
}

TEST(tier_lacks_by_user)
{
	const struct zs_tier_means means = zs_landlock_means(false);
	struct zs_policy *policy = make_policy("{\"version\":1}");
	uint32_t lacks;

	if (!policy)
		return;
	lacks = zs_tier_lacks(&zs_seatbelt_means, policy, false);
	CHECK(lacks == (BIT(LOOPBACK) | BIT(PRIVATE_TMP) | BIT(PROCESSES)), "%x", lacks);
	lacks = zs_tier_lacks(&zs_seatbelt_means, policy, true);
	CHECK(lacks == (BIT(LOOPBACK) | BIT(PRIVATE_TMP) | BIT(PROCESSES) | BIT(PRIVILEGES)), "root: %x", lacks);
	/* Landlock's means do not change. */
	lacks = zs_tier_lacks(&means, policy, false);
	CHECK(lacks == (BIT(LOOPBACK) | BIT(PRIVATE_TMP) | BIT(PROCESSES) | BIT(METADATA)), "landlock: %x", lacks);
	zs_policy_free(policy);
}
