/* Hosts as approvals have them: entries of a policy's list. Pure. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "approval.h"
#include "cleanup.h"
#include "error.h"
#include "host_list.h"

static const char step[] = "request";

int zs_approval_host(const char *text, char **ret_host, const char **ret_broad, struct zs_error *error)
{
	char canonical[ZS_HOST_ENTRY_SIZE];
	struct zs_host_entry entry;
	const char *problem;
	char *host;
	int r = zs_host_entry_parse(text, &entry, &problem);

	if (r < 0)
		return zs_error_say(error, step, text, -r, "%s", problem);
	zs_host_entry_text(&entry, canonical);
	host = strdup(canonical);
	if (!host)
		return zs_error_errno(error, step, NULL, ENOMEM);
	/* Anybody can have a name there. */
	*ret_broad = entry.below && !strchr(entry.host.name, '.') ? "every name of a top-level domain" : NULL;
	*ret_host = host;
	return 0;
}

static bool lies_below(const char *name, const char *top)
{
	size_t len = strlen(name), top_len = strlen(top);

	return len > top_len && name[len - top_len - 1] == '.' && strcmp(name + len - top_len, top) == 0;
}

bool zs_approval_host_covers(const char *entry_text, const char *wanted_text)
{
	struct zs_host_entry entry, wanted;

	if (zs_host_entry_parse(entry_text, &entry, NULL) < 0 || zs_host_entry_parse(wanted_text, &wanted, NULL) < 0)
		return false;
	if (!wanted.below)
		return zs_host_entry_allows(&entry, &wanted.host);
	return entry.below && (!entry.host.port || entry.host.port == wanted.host.port) &&
	       (zs_host_same_name(&entry.host, &wanted.host) || lies_below(wanted.host.name, entry.host.name));
}
