/* Sessions: protected names, which no run may make and no program outside may replace. */
#include <sys/stat.h>

#include "harness.h"
#include "session_stand.h"

/* Protected names that do not exist: each run watches them, and no run begins once one exists. */
STAND_TEST(session_lets_no_protected_name_be_made)
{
	char path[256];

	stand->protect = "ws/.git";
	snprintf(path, sizeof path, "%s", scratch_path(stand->scratch, stand->protect));
	if (stand_open(stand))
		return 1;
	for (int i = 0; i < 3; i++) {
		EXPECT(stand_run_one(stand, "mkdir", path) == 0, "mkdir");
		EXPECT(access(path, F_OK) < 0, "it is there");
	}
	EXPECT(mkdir(path, 0755) == 0, "%s", path);
	EXPECT(stand_run_one(stand, "ok", "") == ZS_EXIT_CANNOT_ENFORCE, "a run in spite of it");
	EXPECT(rmdir(path) == 0 && stand_run_one(stand, "ok", "") == 0, "without it");
	zs_session_close(stand->session);
	return 0;
}

/* A program outside replaces a protected file, so its mount is gone for all runs of the session. */
STAND_TEST(session_ends_runs_when_what_is_protected_is_replaced)
{
	char path[256], other[256];
	struct run first, second;

	stand->protect = "ws/kept";
	snprintf(path, sizeof path, "%s", scratch_path(stand->scratch, stand->protect));
	snprintf(other, sizeof other, "%s", scratch_path(stand->scratch, "ws/other"));
	write_text(path, "kept");
	write_text(other, "other");
	if (stand_open(stand))
		return 1;
	EXPECT(stand_run_one(stand, "write", path) == EROFS, "it can be written");
	EXPECT(stand_begins(stand, &first, "stay", "7"), "it does not begin");
	EXPECT(stand_begins(stand, &second, "daemon", "stay"), "it does not begin");
	EXPECT(rename(other, path) == 0, "%s", path);
	EXPECT(stand_is_silent(&first, 5000) && stand_is_silent(&second, 5000), "they go on");
	EXPECT(stand_status_of(first.pid) == ZS_EXIT_CANNOT_ENFORCE, "its status");
	EXPECT(stand_status_of(second.pid) == ZS_EXIT_CANNOT_ENFORCE, "the second's status");
	EXPECT(stand_run_one(stand, "ok", "") == ZS_EXIT_CANNOT_ENFORCE, "a run in spite of it");
	zs_session_close(stand->session);
	if (stand_open(stand))
		return 1;
	EXPECT(stand_run_one(stand, "write", path) == EROFS, "a new session does not protect it");
	zs_session_close(stand->session);
	return 0;
}
