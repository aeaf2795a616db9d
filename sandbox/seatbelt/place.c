#include "seatbelt/place.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/path.h"

static const char private[] = "/private";

const char *const zs_seatbelt_links[] = { "/etc", "/tmp", "/var", NULL };

const char zs_seatbelt_data_volume[] = "/System/Volumes/Data";

static bool is_linked(const char *path)
{
	for (const char *const *link = zs_seatbelt_links; *link; link++)
		if (zs_path_lies_in(path, *link))
			return true;
	return false;
}

int zs_seatbelt_place(const char *field, const char *path, char **ret_place, struct zs_error *error)
{
	ZS_AUTO_FREE char *normal = NULL;
	const char *problem;
	int r = zs_path_normalize(path, NULL, &normal, &problem);

	if (r < 0)
		return zs_error_say(error, field, path, -r, "%s", problem);
	if (zs_path_lies_in(normal, zs_seatbelt_data_volume)) {
		zs_error_say(error, field, path, EINVAL, "is another name of a place that has one on the root volume");
		return zs_error_hint(error, -EINVAL, "leave out %s", zs_seatbelt_data_volume);
	}
	*ret_place = is_linked(normal) ? zs_path_join(private, normal + 1) : ZS_STEAL(normal);
	return *ret_place ? 0 : zs_error_errno(error, field, NULL, ENOMEM);
}

int zs_seatbelt_through_link(const char *place, char **ret_path)
{
	size_t len = sizeof private - 1;
	char *path = NULL;

	if (zs_path_lies_in(place, private) && is_linked(place + len)) {
		path = strdup(place + len);
		if (!path)
			return -ENOMEM;
	}
	*ret_path = path;
	return 0;
}
