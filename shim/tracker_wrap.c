/* Rewrites and starts a tracked command, in the same way on every system. */
#include "tracker_shim.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "wrapped.h"

static const char variable[] = ZS_TRACKER_VARIABLE "=";

static bool is_ours(const char *entry)
{
	return strncmp(entry, variable, sizeof variable - 1) == 0;
}

int zs_tracker_wrap(const struct zs_tracker *tracker, const char *path, char *const argv[], char *const envp[],
	struct zs_wrapped *ret_wrapped, struct zs_error *error)
{
	const struct zs_wrap_parts parts = {
		.marker = ZS_TRACKER_COMMAND,
		.path = path ? path : "",
		.argv = argv,
		.envp = envp,
		.is_dropped = is_ours,
		.own = { { ZS_TRACKER_VARIABLE, tracker->value } },
	};

	return zs_wrap_parts(&parts, ret_wrapped, error);
}

int zs_tracker_spawn(const struct zs_tracker *tracker, const char *path, char *const argv[], char *const envp[],
	const struct zs_spawn_options *options, pid_t *ret_pid, struct zs_error *error)
{
	struct zs_wrapped wrapped;
	int r = zs_tracker_wrap(tracker, path, argv, envp, &wrapped, error);

	return r < 0 ? r : zs_spawn_wrapped(&wrapped, options, ret_pid, error);
}

int zs_tracker_take_value(char **envp, const char **ret_value, struct zs_error *error)
{
	const char *found = NULL;
	char **to = envp;

	for (char **entry = envp; entry && *entry; entry++) {
		if (!is_ours(*entry)) {
			*to++ = *entry;
			continue;
		}
		if (found)
			return zs_error_say(error, "tracker", ZS_TRACKER_VARIABLE, EEXIST, "is there twice");
		found = *entry + sizeof variable - 1;
	}
	if (!found)
		return zs_error_say(error, "tracker", ZS_TRACKER_VARIABLE, ENOENT,
			"is missing; this name is for zs_tracker_wrap() and zs_tracker_spawn() to use");
	*to = NULL;
	*ret_value = found;
	return 0;
}

#define NAME(id, name) [ZS_TRACKER_##id] = name,
static const char *const names[] = { ZS_TRACKER_KINDS(NAME) };

const char *zs_tracker_kind_name(enum zs_tracker_kind kind)
{
	return (unsigned)kind < ZS_TRACKER_KIND_COUNT ? names[kind] : NULL;
}
