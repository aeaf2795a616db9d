#include "proxy/proxy_denials.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "policy/preset.h"

/* A name that the policy cannot hold has no line. */
static bool read_row(const struct zs_proxy_line *line, struct zs_proxy_denial *ret_row)
{
	struct zs_host host, grant;

	if (line->allowed || !line->host || zs_host_parse_name(line->host, strlen(line->host), &host, NULL) < 0)
		return false;
	grant = host;
	if (line->address && *line->address)
		zs_host_parse_name(line->address, strlen(line->address), &grant, NULL);
	host.port = (uint16_t)line->port;
	grant.port = grant.address.family == AF_UNSPEC ? 0 : host.port;
	*ret_row = (struct zs_proxy_denial){ .times = 1, .resolve = line->port == 0 };
	zs_host_text(&host, ret_row->host);
	if (line->reason && strcmp(line->reason, ZS_PROXY_NOT_LISTED) != 0)
		snprintf(ret_row->reason, sizeof ret_row->reason, "%s", line->reason);
	/* No option lets a listed host be asked for another one, or resumes the network. */
	if (!*ret_row->reason ||
		(grant.address.family != AF_UNSPEC && !line->sni && strcmp(ret_row->reason, ZS_PROXY_PAUSED) != 0))
		zs_host_text(&grant, ret_row->grant);
	return true;
}

void zs_proxy_denials_add(struct zs_proxy_denials *denials, const struct zs_proxy_line *line)
{
	struct zs_proxy_denial row;

	if (!read_row(line, &row))
		return;
	for (size_t i = 0; i < denials->count; i++)
		if (strcmp(denials->rows[i].host, row.host) == 0) {
			denials->rows[i].times++;
			return;
		}
	if (denials->count < ZS_PROXY_DENIALS_MAX)
		denials->rows[denials->count++] = row;
	else
		denials->others++;
}

static bool is_text(const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (!text[i])
			return true;
		if (text[i] < ' ' || text[i] > '~')
			return false;
	}
	return false;
}

bool zs_proxy_denial_is_text(const struct zs_proxy_denial *row)
{
	return is_text(row->host, sizeof row->host) && is_text(row->grant, sizeof row->grant) &&
	       is_text(row->reason, sizeof row->reason);
}

static void print_row(const struct zs_proxy_denial *row)
{
	const char *task;

	if (!zs_proxy_denial_is_text(row))
		return;
	task = zs_task_of_host(row->grant);
	zs_notice("zs: denied: %s %s (%u time%s)%s%s%s%s%s%s", row->resolve ? "resolve" : "connect", row->host,
		row->times, row->times == 1 ? "" : "s", *row->reason ? ": " : "", row->reason,
		*row->grant ? ": --host " : "", row->grant, task ? ", or --for " : "", task ? task : "");
}

void zs_proxy_denials_print(const struct zs_proxy_denials *denials)
{
	for (size_t i = 0; i < denials->count && i < ZS_PROXY_DENIALS_MAX; i++)
		print_row(&denials->rows[i]);
	if (denials->others)
		zs_notice("zs: denied: other hosts (%u times)", denials->others);
}
