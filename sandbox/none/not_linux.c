/* The parts that all systems but Linux share: settings in the user's Library, folders read by the C library, no short
 * slices and no overlays. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/folder_reader.h"
#include "base/scheduling.h"
#include "settings/settings_places.h"
#include "zs_overlay.h"
#include "denial/attempt.h"

/* The stubs do not use their parameters. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

const struct zs_settings_places zs_settings_places = { ZS_PLATFORM_MACOS, { NULL, "Library/Application Support" },
	{ NULL, "Library/Application Support" }, "/Library/Application Support/zs" };

int zs_folder_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int zs_folder_each(int folder, zs_folder_name *each, void *arg, int *ret_cause)
{
	int copy = fcntl(folder, F_DUPFD_CLOEXEC, 0), r = 0;
	DIR *stream = copy < 0 ? NULL : fdopendir(copy);
	const struct dirent *entry;
	int cause = stream ? 0 : errno;

	if (!stream && copy >= 0)
		close(copy);
	while (stream && r == 0 && (errno = 0, entry = readdir(stream)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			r = each(folder, entry->d_name, entry->d_type, arg);
	if (stream) {
		cause = r == 0 ? errno : 0;
		closedir(stream);
	}
	if (!ret_cause)
		return cause ? -cause : r;
	*ret_cause = cause;
	return r;
}

/* All folders count as others. macOS has only devfs, which is small. */
int zs_has_kernel_files(int folder)
{
	return 0;
}

int zs_denials_channel(int ret_ends[2])
{
	return -ENOSYS;
}

int zs_denials_collect(const struct zs_policy *policy, int channel, struct zs_denials **ret_denials, int *ret_status,
	bool *ret_blind, struct zs_error *error)
{
	*ret_denials = NULL;
	return zs_error_errno(error, "denials", "", ENOSYS);
}

int zs_denials_collect_for_model(const struct zs_policy *policy, int channel, struct zs_denials **ret_denials,
	int *ret_status, bool *ret_blind, struct zs_error *error)
{
	return zs_denials_collect(policy, channel, ret_denials, ret_status, ret_blind, error);
}

int zs_denials_trace(struct zs_denials *denials, pid_t child, int go, int *ret_status, struct zs_error *error)
{
	close(go);
	return zs_error_say(error, "trace", "", ENOSYS, "this system has no way to follow a command; use Linux");
}

void zs_use_short_slices(void)
{
}

void zs_overlay_begin(struct timespec *ret_since)
{
	*ret_since = (struct timespec){ 0 };
}

static int overlay_refuse(struct zs_error *error)
{
	return zs_error_say(error, "overlay", "", EOPNOTSUPP, "not available on this system");
}

int zs_overlay_channel(int ret_ends[2])
{
	return -EOPNOTSUPP;
}

int zs_overlay_receive(int end, struct zs_overlay **ret_overlay, int *ret_status, struct zs_error *error)
{
	return overlay_refuse(error);
}

bool zs_overlay_stopped(struct zs_overlay *overlay)
{
	return true;
}

int zs_overlay_release(int end, bool well)
{
	return -EOPNOTSUPP;
}

int zs_overlay_release_as(int end, int status)
{
	return -EOPNOTSUPP;
}

int zs_overlay_open(int lower, int upper, struct zs_overlay **ret_overlay, struct zs_error *error)
{
	return overlay_refuse(error);
}

void zs_overlay_free(struct zs_overlay *overlay)
{
}

void zs_overlay_limit(struct zs_overlay *overlay, size_t entries)
{
}

int zs_overlay_protect(struct zs_overlay *overlay, const struct zs_policy *policy, struct zs_error *error)
{
	return overlay_refuse(error);
}

int zs_overlay_changes(
	struct zs_overlay *overlay, const struct zs_change **ret_changes, size_t *ret_count, struct zs_error *error)
{
	return overlay_refuse(error);
}

int zs_overlay_content(struct zs_overlay *overlay, const struct zs_change *change, enum zs_side side, size_t max,
	char **ret_bytes, size_t *ret_len, struct zs_error *error)
{
	return overlay_refuse(error);
}

int zs_overlay_apply(struct zs_overlay *overlay, const struct zs_overlay_options *options, struct zs_error *error)
{
	return overlay_refuse(error);
}
