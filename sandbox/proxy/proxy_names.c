#include "proxy/proxy_names.h"

#include <stdlib.h>
#include <string.h>

/* Behind the network's own address and lo's. */
enum { FIRST = 2 };

uint32_t zs_proxy_address_at(size_t number)
{
	return ZS_PROXY_POOL + FIRST + (uint32_t)number;
}

uint32_t zs_proxy_address_of(struct zs_proxy_names *names, const char *name)
{
	size_t i = 0;

	while (i < names->count && strcmp(names->names[i], name) != 0)
		i++;
	if (i == ZS_PROXY_NAMES_MAX)
		return 0;
	if (i == names->count) {
		names->names[i] = strdup(name);
		if (!names->names[i])
			return 0;
		names->count++;
	}
	return zs_proxy_address_at(i);
}

const char *zs_proxy_name_of(const struct zs_proxy_names *names, uint32_t address)
{
	uint32_t i = address - ZS_PROXY_POOL - FIRST;

	return i < names->count ? names->names[i] : NULL;
}
