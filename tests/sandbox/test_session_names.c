/* Sessions: names that are protected, which nobody makes in a run nor replaces from outside. */
#include <sys/stat.h>

#include "harness.h"
#include "session_stand.h"

/* Names that are protected and not there: each run looks after them, and none begins when they are there by now. */
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

/* The same when the folder has long been as it is: then nobody looks at each name in it. */
SLOW_STAND_TEST(session_lets_no_protected_name_be_made_after_a_rest)
{
	enum { REST_MICROSECONDS = 3100 * 1000, RUNS = 3 }; /* as watch.c wants it, and a little */
	struct zs_error error = { 0 };
	struct run runs[RUNS];
	char path[256];

	stand->protect = "ws/.git";
	snprintf(path, sizeof path, "%s", scratch_path(stand->scratch, stand->protect));
	if (stand_open(stand))
		return 1;
	usleep(REST_MICROSECONDS);
	/* Side by side, so that each of the runner's threads has seen it. */
	for (int i = 0; i < RUNS; i++)
		EXPECT(stand_begin(stand, &runs[i], "stay", "7", &error) == 0 && stand_read_pid(&runs[i]) > 1, "%s",
			stand_text_of(&error));
	for (int i = 0; i < RUNS; i++) {
		close(runs[i].in);
		EXPECT(stand_status_of(runs[i].pid) == 7, "run %d", i);
		close(runs[i].out);
	}
	EXPECT(mkdir(path, 0755) == 0, "%s", path);
	for (int i = 0; i < RUNS + 1; i++)
		EXPECT(stand_run_one(stand, "ok", "") == ZS_EXIT_CANNOT_ENFORCE, "run %d in spite of it", i);
	EXPECT(rmdir(path) == 0 && stand_run_one(stand, "ok", "") == 0, "without it");
	EXPECT(stand_run_one(stand, "mkdir", path) == 0 && access(path, F_OK) < 0, "made by a command");
	zs_session_close(stand->session);
	return 0;
}

/* A protected file that a program outside replaces: its mount is gone for all runs of the session. */
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
	EXPECT(stand_status_of(first.pid) == ZS_EXIT_UNPROTECTED, "its status");
	EXPECT(stand_status_of(second.pid) == ZS_EXIT_UNPROTECTED, "the second's status");
	EXPECT(stand_run_one(stand, "ok", "") == ZS_EXIT_CANNOT_ENFORCE, "a run in spite of it");
	zs_session_close(stand->session);
	if (stand_open(stand))
		return 1;
	EXPECT(stand_run_one(stand, "write", path) == EROFS, "a new session does not protect it");
	zs_session_close(stand->session);
	return 0;
}
