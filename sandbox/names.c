/* The words for the policy's enums, made from the lists in zs_sandbox.h. */
#include "zs_sandbox.h"
#include "cleanup.h"

#include <errno.h>
#include <string.h>

#define NAME_ACCESS(id, name, text) [ZS_ACCESS_##id] = name,
#define NAME_NETWORK(id, name, text) [ZS_NETWORK_##id] = name,
#define NAME_WORKSPACE(id, name, text) [ZS_WORKSPACE_##id] = name,

static const char *const access_names[] = { ZS_ACCESSES(NAME_ACCESS) };
static const char *const network_names[] = { ZS_NETWORKS(NAME_NETWORK) };
static const char *const workspace_names[] = { ZS_WORKSPACES(NAME_WORKSPACE) };

static const char *name_of(const char *const *names, size_t count, unsigned value)
{
	return value < count ? names[value] : NULL;
}

static int value_of(const char *const *names, unsigned count, const char *name, unsigned *ret_value)
{
	for (unsigned i = 0; i < count; i++) {
		if (strcmp(names[i], name) == 0) {
			*ret_value = i;
			return 0;
		}
	}
	return -EINVAL;
}

const char *zs_access_name(enum zs_access access)
{
	return name_of(access_names, ZS_COUNT(access_names), (unsigned)access);
}

const char *zs_network_name(enum zs_network network)
{
	return name_of(network_names, ZS_COUNT(network_names), (unsigned)network);
}

const char *zs_workspace_name(enum zs_workspace access)
{
	return name_of(workspace_names, ZS_COUNT(workspace_names), (unsigned)access);
}

int zs_access_from_name(const char *name, enum zs_access *ret_access)
{
	unsigned value;
	int r = value_of(access_names, ZS_ACCESS_COUNT, name, &value);

	if (r == 0)
		*ret_access = (enum zs_access)value;
	return r;
}

int zs_network_from_name(const char *name, enum zs_network *ret_network)
{
	unsigned value;
	int r = value_of(network_names, ZS_NETWORK_COUNT, name, &value);

	if (r == 0)
		*ret_network = (enum zs_network)value;
	return r;
}

int zs_workspace_from_name(const char *name, enum zs_workspace *ret_access)
{
	unsigned value;
	int r = value_of(workspace_names, ZS_WORKSPACE_COUNT, name, &value);

	if (r == 0)
		*ret_access = (enum zs_workspace)value;
	return r;
}
