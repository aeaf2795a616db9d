/* The host's side of a tracker, the same on every system. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "tracker_shim.h"

static const char step[] = "tracker";

enum zs_tracker_kind zs_tracker_kind(const struct zs_tracker *tracker)
{
	return tracker->kind;
}

int zs_tracker_cgroup(const struct zs_tracker *tracker)
{
	return tracker->cgroup;
}

int zs_tracker_new(const struct zs_tracker_options *options, struct zs_tracker **ret_tracker, struct zs_error *error)
{
	struct zs_tracker *tracker = calloc(1, sizeof *tracker);
	int r;

	if (!tracker)
		return zs_error_errno(error, step, "", ENOMEM);
	tracker->owner = getpid();
	tracker->socket = tracker->cgroup = -1;
	r = zs_tracker_begin(tracker, options ? options->executable : NULL, error);
	if (r < 0)
		zs_tracker_free(tracker);
	else
		*ret_tracker = tracker;
	return r;
}

int zs_tracker_kill(struct zs_tracker *tracker, struct zs_error *error)
{
	char object[ZS_TRACKER_OBJECT] = "kill";
	int r = tracker->ended ? 0 : zs_tracker_end(tracker, object);

	tracker->ended = r == 0;
	return r < 0 ? zs_error_errno(error, step, object, -r) : 0;
}

/* If processes could not be ended, the watchdog tries once more when the socket is closed. */
void zs_tracker_free(struct zs_tracker *tracker)
{
	if (!tracker)
		return;
	if (tracker->owner == getpid() && zs_tracker_kill(tracker, NULL) == 0)
		zs_tracker_dismiss(tracker);
	if (tracker->socket >= 0)
		close(tracker->socket);
	if (tracker->cgroup >= 0)
		close(tracker->cgroup);
	free(tracker);
}
