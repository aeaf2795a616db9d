/* No boxes on this system. */
#include "box.h"

#include <errno.h>
#include <unistd.h>

#include "base/error.h"

static int refuse(const char *id, struct zs_error *error)
{
	return zs_error_say(error, "box", id, EOPNOTSUPP, "boxes are not available on this system");
}

int zs_box_create(struct zs_policy *policy, pid_t owner, char ret_id[ZS_BOX_ID_SIZE], struct zs_error *error)
{
	(void)policy;
	(void)owner;
	(void)ret_id;
	return refuse(NULL, error);
}

int zs_box_exec(
	const char *id, const struct zs_box_command *command, struct zs_box_result *ret_result, struct zs_error *error)
{
	(void)command;
	(void)ret_result;
	return refuse(id, error);
}

int zs_box_policy(const char *id, struct zs_policy **ret_policy, struct zs_error *error)
{
	(void)ret_policy;
	return refuse(id, error);
}

int zs_box_put(const char *id, int from, const char *path, mode_t mode, int *ret_status, struct zs_error *error)
{
	close(from);
	(void)path;
	(void)mode;
	(void)ret_status;
	return refuse(id, error);
}

int zs_box_get(const char *id, const char *path, uint64_t most, int to, int *ret_status, struct zs_error *error)
{
	(void)path;
	(void)most;
	(void)to;
	(void)ret_status;
	return refuse(id, error);
}

int zs_box_cut(const char *id, struct zs_error *error)
{
	return refuse(id, error);
}

int zs_box_close(const char *id, struct zs_error *error)
{
	return refuse(id, error);
}

int zs_box_each(void (*each)(const struct zs_named_shown *shown, void *arg), void *arg, struct zs_error *error)
{
	(void)each;
	(void)arg;
	(void)error;
	return 0;
}
