/* The explanations of a refused namespace. */
#include <sched.h>
#include <stdint.h>
#include <sys/mount.h>
#include <sys/prctl.h>

#include "base/cleanup.h"
#include "harness.h"
#include "linux/features/features.h"
#include "linux/base/namespace_calls.h"

/* Makes this process read another AppArmor label, by covering its own file. */
static int explain_under(void *arg)
{
	const char *label = arg, *object;
	struct zs_feature feature = { .name = "user-namespace" };
	char covered[64];

	snprintf(covered, sizeof covered, "/proc/%d/attr/current", (int)getpid());
	/* A process that has changed its uid does not own its /proc/self: man 5 proc, "dumpable". */
	if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) < 0 ||
		zs_namespaces_enter(CLONE_NEWUSER | CLONE_NEWNS, geteuid(), getegid(), &object) < 0 ||
		mount(label, covered, NULL, MS_BIND, NULL) < 0)
		return HARNESS_FAILED;
	zs_namespace_explain(&feature, EACCES);
	printf("%s; %s", feature.detail, feature.fix);
	fflush(stdout);
	return 0;
}

static void write_label(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");

	CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0, "%s: %s", path, strerror(errno));
}

TEST(apparmors_refusal_is_named)
{
	static const struct {
		const char *label, *detail;
	} rows[] = {
		{ "some-profile (enforce)\n", "AppArmor's profile 'some-profile' may forbid it" },
		{ "/usr/bin/a b//child (enforce)\n", "AppArmor's profile '/usr/bin/a b//child' may forbid it" },
		{ "some-profile (complain)\n", NULL },
		{ "unconfined\n", NULL },
		{ " (enforce)\n", NULL },
		{ "system_u:system_r:init_t:s0", NULL }, /* SELinux's */
		{ "", NULL },
	};

	for (size_t i = 0; i < ZS_COUNT(rows); i++)
		AS_EACH_USER (scratch) {
			struct result result;
			const char *label = scratch_path(&scratch, "label");

			write_label(label, rows[i].label);
			run_child(scratch.owner, explain_under, (void *)(uintptr_t)label, &result);
			CHECK(result.status == 0 &&
					(rows[i].detail ? strstr(result.out, rows[i].detail) &&
								  strstr(result.out, "'zs doctor --apparmor'")
							: strcmp(result.out, "; ") == 0),
				"%s: %d %s %s", rows[i].label, result.status, result.out, result.err);
		}
}
