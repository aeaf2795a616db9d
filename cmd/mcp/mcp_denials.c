#include "mcp/mcp_denials.h"

#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

static const char *mcp_denials_text_of(yyjson_val *line, const char *key)
{
	const char *text = yyjson_get_str(yyjson_obj_get(line, key));

	return text ? text : "";
}

static bool mcp_denials_is_known(
	const struct zs_mcp_denials *denials, const char *host, uint32_t port, const char *reason)
{
	for (size_t i = 0; i < denials->count; i++) {
		const struct zs_mcp_denial *item = &denials->items[i];

		if (item->port == port && strcmp(item->host, host) == 0 && strcmp(item->reason, reason) == 0)
			return true;
	}
	return false;
}

/* A program tries again and again. */
void zs_mcp_denials_add(struct zs_mcp_denials *denials, const char *text, size_t len)
{
	yyjson_doc *doc = yyjson_read(text, len, 0);
	yyjson_val *line = yyjson_doc_get_root(doc);
	const char *host = mcp_denials_text_of(line, "host"), *reason = mcp_denials_text_of(line, "reason");
	uint32_t port = (uint32_t)yyjson_get_uint(yyjson_obj_get(line, "port"));

	if (yyjson_is_false(yyjson_obj_get(line, "allowed")) && denials->count < ZS_MCP_DENIALS_MAX &&
		!mcp_denials_is_known(denials, host, port, reason)) {
		struct zs_mcp_denial item = { strdup(host), strdup(reason), port };

		if (item.host && item.reason) {
			denials->items[denials->count++] = item;
		} else {
			free(item.host);
			free(item.reason);
		}
	}
	yyjson_doc_free(doc);
}

void zs_mcp_denials_free(struct zs_mcp_denials *denials)
{
	for (size_t i = 0; i < denials->count; i++) {
		free(denials->items[i].host);
		free(denials->items[i].reason);
	}
	denials->count = 0;
}

void zs_mcp_denials_json(struct zs_json *json, const struct zs_mcp_denials *denials)
{
	zs_json_open(json, '[');
	for (size_t i = 0; denials && i < denials->count; i++) {
		const struct zs_mcp_denial *item = &denials->items[i];

		zs_json_open(json, '{');
		zs_json_key(json, "kind"), zs_json_text(json, "network");
		zs_json_key(json, "host"), zs_json_text(json, item->host);
		zs_json_key(json, "port"), zs_json_number(json, item->port);
		zs_json_key(json, "reason"), zs_json_text(json, item->reason);
		zs_json_close(json, '}');
	}
	zs_json_close(json, ']');
}
