/* Reaches each limit with a command that tries to pass it. */
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include "attacks.h"
#include "harness.h"
#include "policy/policy.h"

struct limited {
	const struct scratch *scratch;
	enum zs_limit limit;
	uint64_t value; /* 0: none */
};

static void build(struct zs_policy *policy, const void *arg)
{
	const struct limited *limited = arg;

	grant_prog(policy, limited->scratch);
	zs_policy_add_path(policy, scratch_path(limited->scratch, "ws"), ZS_ACCESS_WRITE, NULL);
	zs_policy_add_env(policy, ATTACK_ENV "*", NULL);
	if (limited->value)
		zs_policy_set_limit(policy, limited->limit, limited->value, NULL);
}

static int attempt(uid_t uid, const struct limited *limited, void (*after)(const void *arg), const char *name,
	const char *a, const char *b, struct result *result)
{
	const struct attack attack = { limited->scratch, name, a, b };

	return attack_confined_after(uid, &attack, build, limited, after, result);
}

enum { MIB = 1 << 20 };

/* Cgroups are for root here; other users have none. */
static bool run_has(uid_t uid, enum zs_feature_id id)
{
	struct zs_feature features[ZS_FEATURE_COUNT];

	zs_features_probe(features);
	return uid == 0 && features[id].present;
}

TEST(limits_hold)
{
	static const struct {
		const char *attack, *a, *b;
		enum zs_limit limit;
		uint64_t value;
		int status;
	} rows[] = {
		/* The kernel counts the limit's seconds by its ticks, which on a busy machine are far fewer than
		 * getrusage(2) reports. */
		{ "burn", "20", "", ZS_LIMIT_CPU, 1, 128 + SIGXCPU },
		{ "burn", "20", "ignore", ZS_LIMIT_CPU, 1, 128 + SIGKILL },
		{ "map", "268435456", "", ZS_LIMIT_MEMORY, 128 * MIB, ENOMEM },
		{ "duplicate", "100", "", ZS_LIMIT_FILES, 64, EMFILE },
		{ "fill", NULL, "", ZS_LIMIT_FILE_SIZE, MIB / 2, 128 + SIGXFSZ },
		{ "fill", NULL, "ignore", ZS_LIMIT_FILE_SIZE, MIB / 2, EFBIG },
		{ "raise_limit", "", "", ZS_LIMIT_FILES, 64, EPERM },
	};

	AS_EACH_USER (scratch) {
		for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
			struct limited limited = { &scratch, rows[i].limit, 0 };
			const char *a = rows[i].a ? rows[i].a : scratch_path(&scratch, "ws/filled");
			struct result result;

			/* A cgroup's limit does not count address space: tests/e2e/test_cgroups.py. */
			if (rows[i].limit == ZS_LIMIT_MEMORY &&
				(UNDER_ASAN || run_has(scratch.owner, ZS_FEATURE_RUN_MEMORY)))
				continue;
			if (strcmp(rows[i].attack, "raise_limit") != 0 && rows[i].limit != ZS_LIMIT_CPU)
				CHECK(attempt(scratch.owner, &limited, NULL, rows[i].attack, a, rows[i].b, &result) ==
						0,
					"%s fails without a limit: %d %s", rows[i].attack, result.status, result.err);
			limited.value = rows[i].value;
			attempt(scratch.owner, &limited, NULL, rows[i].attack, a, rows[i].b, &result);
			CHECK(result.status == rows[i].status, "%s %s: %d %s", rows[i].attack, rows[i].b, result.status,
				result.err);
		}
	}
}

/* Is the user exempt from the limit? The machine's own root is: its user namespace maps every uid to itself. */
static bool is_exempt(uid_t uid)
{
	return uid == 0 && file_holds("/proc/self/uid_map", "         0          0 4294967295\n") &&
	       !run_has(uid, ZS_FEATURE_PROCESS_LIMIT);
}

TEST(fork_bomb_is_contained)
{
	AS_EACH_USER (scratch) {
		struct limited limited = { &scratch, ZS_LIMIT_PROCESSES, 0 };
		struct result result;

		CHECK(attempt(scratch.owner, &limited, NULL, "fork_bomb", "60", "", &result) == 0, "free: %d %s",
			result.status, result.err);
		limited.value = 20;
		for (int nested = 0; nested < 2; nested++) {
			attempt(scratch.owner, &limited, NULL, "fork_bomb", "60", nested ? "nested" : "", &result);
			if (is_exempt(scratch.owner))
				CHECK(result.status == HARNESS_FAILED &&
						strstr(result.err, "limits: processes: needs process-limit: the kernel "
								   "exempts uid 0; run it as an ordinary user"),
					"%d %s", result.status, result.err);
			else if (nested)
				CHECK(result.status == EPERM, "no namespace of its own: %d %s", result.status,
					result.err);
			else
				CHECK(result.status == EAGAIN && strcmp(result.out, "20\n") == 0,
					"nested %d: %d, %s %s", nested, result.status, result.out, result.err);
		}
	}
}

static int be_exempt_shim(void *arg)
{
	char *argv[] = { (char *)ZS_SHIM_ARGV0, (char *)"/bin/echo", (char *)"ran", NULL };
	char *envp[] = { (char *)ZS_SHIM_POLICY "={\"version\":1,\"limits\":{\"processes\":9}}", NULL };

	(void)arg;
	/* Hides cgroups, so that none holds the limit. */
	if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
		mount("tmpfs", "/sys", "tmpfs", 0, NULL) < 0)
		return HARNESS_FAILED;
	execve("/proc/self/exe", argv, envp);
	return HARNESS_FAILED;
}

TEST(limit_of_processes_that_binds_nobody_is_refused_by_the_shim)
{
	struct result result;

	if (geteuid() != 0 || !file_holds("/proc/self/uid_map", "         0          0 4294967295\n")) {
		check_skip("needs root: only the machine's is exempt");
		return;
	}
	run_child(0, be_exempt_shim, NULL, &result);
	CHECK(result.status == ZS_EXIT_CANNOT_ENFORCE &&
			strcmp(result.err,
				"zs: limits: processes: the kernel exempts uid 0; run it as an ordinary user\n") == 0,
		"%d %s", result.status, result.err);
}

TEST(limits_bind_the_command_and_not_the_stages)
{
	static const enum zs_limit tight[] = { ZS_LIMIT_FILES, ZS_LIMIT_FILE_SIZE, ZS_LIMIT_CPU };

	/* The program's loader opens files, which a limit of no files forbids. */
	if (UNDER_ASAN)
		return;
	AS_EACH_USER (scratch) {
		struct result result;

		for (size_t i = 0; i < sizeof tight / sizeof tight[0]; i++) {
			struct limited limited = { &scratch, tight[i], tight[i] == ZS_LIMIT_FILES ? 3 : 1 };

			CHECK(attempt(scratch.owner, &limited, NULL, "ok", "", "", &result) == 0, "%s: %d %s",
				zs_limit_name(tight[i]), result.status, result.err);
		}
	}
}

static void lower_files(const void *arg)
{
	struct rlimit few = { 32, 48 };

	(void)arg;
	setrlimit(RLIMIT_NOFILE, &few);
}

static void allow_cores(const void *arg)
{
	struct rlimit any;

	(void)arg;
	getrlimit(RLIMIT_CORE, &any);
	any.rlim_cur = any.rlim_max;
	setrlimit(RLIMIT_CORE, &any);
}

TEST(limits_never_raise)
{
	OWN_SCRATCH(scratch);
	struct limited limited = { &scratch, ZS_LIMIT_FILES, 64 };
	struct result result;

	CHECK(attempt(geteuid(), &limited, lower_files, "limit", "7", "", &result) == 0 &&
			strcmp(result.out, "32 48\n") == 0,
		"files: %d %s %s", result.status, result.out, result.err);
	CHECK(attempt(geteuid(), &limited, NULL, "limit", "7", "", &result) == 0 && strcmp(result.out, "64 64\n") == 0,
		"files: %d %s %s", result.status, result.out, result.err);
	limited.value = 0;
	CHECK(attempt(geteuid(), &limited, allow_cores, "limit", "4", "", &result) == 0 &&
			strcmp(result.out, "1 1\n") == 0,
		"core: %d %s %s", result.status, result.out, result.err);
	/* The command cannot set it to 0, with which the program of core_pattern would start. */
	CHECK(attempt(geteuid(), &limited, allow_cores, "unset_core", "", "", &result) == 0 &&
			strcmp(result.out, "1 1\n") == 0,
		"core: %d %s %s", result.status, result.out, result.err);
}
