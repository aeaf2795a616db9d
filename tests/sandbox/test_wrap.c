/* The command that zs_wrap() makes. */
#include "harness.h"

TEST(wrapped_command)
{
	char *argv[] = { (char *)"ls", (char *)"", (char *)"a b", NULL };
	char *envp[] = { (char *)"A=1", (char *)ZS_SHIM_POLICY "={}", (char *)ZS_SHIM_POLICY "X=2",
		(char *)ZS_SHIM_POLICY "=", (char *)"LD_PRELOAD=/x.so", (char *)"LD_AUDIT=/x.so",
		(char *)"GCONV_PATH=/x", (char *)"GLIBC_TUNABLES=x", (char *)"BASH_ENV=/x", (char *)"LDX=3", NULL };
	const struct zs_spawn_options helper = { .executable = "/usr/bin/zs" };
	struct zs_wrapped wrapped = { 0 };
	struct zs_sandbox *sandbox = NULL;
	struct zs_policy *policy;
	struct zs_error error = { 0 };
	char want[512];

	zs_policy_new(NULL, &policy);
	check_ok(zs_sandbox_new(policy, &sandbox, &error), &error, "sandbox");
	zs_policy_free(policy);
	check_ok(zs_wrap(sandbox, argv, envp, &wrapped, &error), &error, "wrap");
	CHECK(strcmp(wrapped.path, "/proc/self/exe") == 0, "%s", wrapped.path);
	CHECK(strcmp(wrapped.argv[0], ZS_SHIM_ARGV0) == 0, "%s", wrapped.argv[0]);
	for (size_t i = 0; i < 3; i++)
		CHECK(strcmp(wrapped.argv[i + 1], argv[i]) == 0 && wrapped.argv[i + 1] != argv[i], "%s",
			wrapped.argv[i + 1]);
	CHECK(!wrapped.argv[4], "ends");
	snprintf(want, sizeof want, ZS_SHIM_POLICY "=%s", zs_sandbox_json(sandbox));
	CHECK(strcmp(wrapped.envp[0], "A=1") == 0 && strcmp(wrapped.envp[1], "LDX=3") == 0, "the others stay");
	CHECK(strcmp(wrapped.envp[2], want) == 0 && !wrapped.envp[3], "ours is the only one: %s", wrapped.envp[2]);
	zs_wrapped_free(&wrapped);
	CHECK(!wrapped.argv, "freed");
	zs_wrapped_free(&wrapped);
	check_ok(zs_wrap(sandbox, argv, NULL, &wrapped, &error), &error, "no environment");
	CHECK(strcmp(wrapped.envp[0], want) == 0 && !wrapped.envp[1], "%s", wrapped.envp[0]);
	zs_wrapped_free(&wrapped);
	CHECK(zs_wrap(sandbox, (char *[]){ NULL }, envp, &wrapped, &error) == -EINVAL, "no command");
	check_ok(zs_wrap_with(sandbox, argv, NULL, &helper, &wrapped, &error), &error, "another program");
	CHECK(strcmp(wrapped.path, helper.executable) == 0 && wrapped.path != helper.executable, "%s", wrapped.path);
	zs_wrapped_free(&wrapped);
	zs_sandbox_free(sandbox);
}
