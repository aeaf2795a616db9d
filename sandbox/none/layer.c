/* No overlays on this system. */
#include <errno.h>

#include "base/error.h"
#include "zs_layer.h"

void zs_layer_begin(struct timespec *ret_since)
{
	*ret_since = (struct timespec){ 0 };
}

static int refuse(struct zs_error *error)
{
	return zs_error_say(error, "overlay", "", EOPNOTSUPP, "not available on this system");
}

int zs_layer_channel(int ret_ends[2])
{
	(void)ret_ends;
	return -EOPNOTSUPP;
}

int zs_layer_receive(int end, struct zs_layer **ret_layer, int *ret_status, struct zs_error *error)
{
	(void)end;
	(void)ret_layer;
	(void)ret_status;
	return refuse(error);
}

bool zs_layer_stopped(struct zs_layer *layer)
{
	(void)layer;
	return true;
}

int zs_layer_release(int end, bool well)
{
	(void)end;
	(void)well;
	return -EOPNOTSUPP;
}

int zs_layer_open(int lower, int upper, struct zs_layer **ret_layer, struct zs_error *error)
{
	(void)lower;
	(void)upper;
	(void)ret_layer;
	return refuse(error);
}

void zs_layer_free(struct zs_layer *layer)
{
	(void)layer;
}

void zs_layer_limit(struct zs_layer *layer, size_t entries)
{
	(void)layer;
	(void)entries;
}

int zs_layer_protect(struct zs_layer *layer, const struct zs_policy *policy, struct zs_error *error)
{
	(void)layer;
	(void)policy;
	return refuse(error);
}

int zs_layer_changes(
	struct zs_layer *layer, const struct zs_change **ret_changes, size_t *ret_count, struct zs_error *error)
{
	(void)layer;
	(void)ret_changes;
	(void)ret_count;
	return refuse(error);
}

int zs_layer_content(struct zs_layer *layer, const struct zs_change *change, enum zs_side side, size_t max,
	char **ret_bytes, size_t *ret_len, struct zs_error *error)
{
	(void)layer;
	(void)change;
	(void)side;
	(void)max;
	(void)ret_bytes;
	(void)ret_len;
	return refuse(error);
}

int zs_layer_apply(struct zs_layer *layer, const struct zs_layer_options *options, struct zs_error *error)
{
	(void)layer;
	(void)options;
	return refuse(error);
}
