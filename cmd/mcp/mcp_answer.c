#include "mcp/mcp_answer.h"

/* The tool's description changes with the options of the server, hence never while it lives. */
enum { TTL_MS = 300000 };

static struct zs_json mcp_answer_begin(struct zs_mcp_out *out, const struct zs_mcp_id *id)
{
	struct zs_json json = { zs_mcp_out_begin(out), false };

	if (!json.out)
		return json;
	zs_json_open(&json, '{');
	zs_json_key(&json, "jsonrpc"), zs_json_text(&json, "2.0");
	zs_json_key(&json, "id"), zs_mcp_put_id(&json, id);
	return json;
}

void zs_mcp_put_server(struct zs_json *json)
{
	zs_json_open(json, '{');
	zs_json_key(json, "name"), zs_json_text(json, "zs");
	zs_json_key(json, "title"), zs_json_text(json, "zs: vetted and confined bash");
	zs_json_key(json, "version"), zs_json_text(json, ZS_VERSION);
	zs_json_close(json, '}');
}

struct zs_json zs_mcp_result_begin(struct zs_mcp_out *out, const struct zs_mcp_id *id, bool modern)
{
	struct zs_json json = mcp_answer_begin(out, id);

	if (!json.out)
		return json;
	zs_json_key(&json, "result"), zs_json_open(&json, '{');
	if (!modern)
		return json;
	zs_json_key(&json, "resultType"), zs_json_text(&json, "complete");
	zs_json_key(&json, "_meta"), zs_json_open(&json, '{');
	zs_json_key(&json, "io.modelcontextprotocol/serverInfo"), zs_mcp_put_server(&json);
	zs_json_close(&json, '}');
	return json;
}

void zs_mcp_result_end(struct zs_mcp_out *out, struct zs_json *json)
{
	zs_json_close(json, '}');
	zs_json_close(json, '}');
	zs_mcp_out_end(out);
}

void zs_mcp_put_caching(struct zs_json *json, bool modern)
{
	if (!modern)
		return;
	zs_json_key(json, "ttlMs"), zs_json_number(json, TTL_MS);
	zs_json_key(json, "cacheScope"), zs_json_text(json, "private");
}

static struct zs_json error_begin(
	struct zs_mcp_out *out, const struct zs_mcp_id *id, enum zs_mcp_code code, const char *message)
{
	struct zs_json json = mcp_answer_begin(out, id);
	char number[16];

	if (!json.out)
		return json;
	snprintf(number, sizeof number, "%d", code);
	zs_json_key(&json, "error"), zs_json_open(&json, '{');
	zs_json_key(&json, "code"), zs_json_raw(&json, number);
	zs_json_key(&json, "message"), zs_json_text(&json, message);
	return json;
}

void zs_mcp_error(struct zs_mcp_out *out, const struct zs_mcp_id *id, enum zs_mcp_code code, const char *message)
{
	struct zs_json json = error_begin(out, id, code, message);

	if (json.out)
		zs_mcp_result_end(out, &json);
}

void zs_mcp_put_versions(struct zs_json *json)
{
	zs_json_open(json, '[');
	zs_json_text(json, ZS_MCP_MODERN);
#define PUT(version) zs_json_text(json, version);
	ZS_MCP_LEGACY(PUT)
#undef PUT
	zs_json_close(json, ']');
}

void zs_mcp_unsupported(struct zs_mcp_out *out, const struct zs_mcp_id *id, const char *requested, size_t len)
{
	struct zs_json json = error_begin(out, id, ZS_MCP_UNSUPPORTED_VERSION, "Unsupported protocol version");

	if (!json.out)
		return;
	zs_json_key(&json, "data"), zs_json_open(&json, '{');
	zs_json_key(&json, "supported"), zs_mcp_put_versions(&json);
	zs_json_key(&json, "requested"), zs_json_bytes(&json, requested, len);
	zs_json_close(&json, '}');
	zs_mcp_result_end(out, &json);
}
