/* Finds which features this machine has: tries both in a child that confines itself with nothing but a fingerprint, and
 * waits to be found by it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "enforce/backend.h"
#include "base/error.h"
#include "darwin/mac_stage.h"

#define NAME_FEATURE(id, name, needed_by) [ZS_FEATURE_##id] = { name, needed_by, false, 0, "", "" },
static const struct zs_feature unknown[ZS_FEATURE_COUNT] = { ZS_FEATURES(NAME_FEATURE) };

static const char fix_sandbox[] = "run it outside of any sandbox: not from an application that has one itself";

static void deny(struct zs_feature *feature, const struct zs_error *error)
{
	char line[sizeof feature->detail];

	zs_error_format(error, line, sizeof line);
	feature->cause = error->cause ? error->cause : EIO;
	snprintf(feature->detail, sizeof feature->detail, "%s", line);
	snprintf(feature->fix, sizeof feature->fix, "%s", fix_sandbox);
}

/* In the child: writes an error, or nothing before the end of file. */
static _Noreturn void features_confine(const struct zs_seatbelt_profile *profile, int report, int wait)
{
	struct zs_error error = { 0 };
	char byte;

	zs_seatbelt_apply(profile, &error);
	error.step = NULL;
	if (write(report, &error, sizeof error) < 0 || read(wait, &byte, 1) < 0)
		_exit(1);
	_exit(0);
}

static void features_judge(
	const struct zs_fingerprint *fingerprint, pid_t child, int report, struct zs_feature *features)
{
	struct zs_feature *seatbelt = &features[ZS_FEATURE_SEATBELT], *found = &features[ZS_FEATURE_FINGERPRINT];
	struct zs_error error;
	int r;

	if (read(report, &error, sizeof error) != (ssize_t)sizeof error)
		zs_error_say(&error, "seatbelt", "", ECHILD, "the process that was to be confined has ended");
	error.step = "seatbelt";
	seatbelt->present = error.cause == 0;
	if (!seatbelt->present) {
		deny(seatbelt, &error);
		zs_error_say(&error, "fingerprint", "", EOPNOTSUPP, "there is no sandbox to look for it in");
		deny(found, &error);
		return;
	}
	r = zs_fingerprint_probe(fingerprint, child);
	if (r == 1)
		r = zs_fingerprint_check(fingerprint);
	else if (r == 0)
		r = -ENOENT;
	found->present = r == 0;
	if (r < 0) {
		zs_error_errno(&error, "fingerprint", "sandbox_check", -r);
		deny(found, &error);
	}
}

static int try(struct zs_feature *features, const struct zs_fingerprint *fingerprint, struct zs_error *error)
{
	const struct zs_seatbelt_request request = { .fingerprint_allowed = fingerprint->allowed,
		.fingerprint_denied = fingerprint->denied };
	struct zs_seatbelt_profile profile;
	int report[2], wait[2], r = zs_seatbelt_profile_new(&request, &profile, error);
	pid_t child;

	if (r < 0)
		return r;
	if (pipe(report) < 0 || pipe(wait) < 0)
		return zs_error_errno(error, "probe", "pipe", errno);
	child = fork();
	if (child == 0) {
		close(wait[1]);
		features_confine(&profile, report[1], wait[0]);
	}
	close(report[1]);
	close(wait[0]);
	if (child > 0) {
		features_judge(fingerprint, child, report[0], features);
		close(wait[1]);
		waitpid(child, NULL, 0);
	} else
		r = zs_error_errno(error, "probe", "fork", errno);
	close(report[0]);
	zs_seatbelt_profile_free(&profile);
	return r;
}

void zs_features_probe(struct zs_feature ret_features[ZS_FEATURE_COUNT])
{
	struct zs_fingerprint fingerprint = { .folder = "" };
	struct zs_error error;
	int r;

	memcpy(ret_features, unknown, sizeof unknown);
	r = zs_fingerprint_make(&fingerprint, &error);
	if (r == 0)
		r = try(ret_features, &fingerprint, &error);
	for (size_t i = 0; r < 0 && i < ZS_FEATURE_COUNT; i++)
		deny(&ret_features[i], &error);
	if (fingerprint.folder[0])
		zs_fingerprint_remove(&fingerprint);
}
