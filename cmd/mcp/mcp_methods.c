/* The actions for each message. */
#include "mcp/mcp_server.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"

/* A request, and what its params say of the protocol. */
struct request {
	const struct zs_mcp_message *message;
	const struct zs_mcp_id *id;
	bool modern;
	struct zs_mcp_id token;
};

static void refuse_params(struct zs_mcp_server *server, const struct request *request, const char *what)
{
	zs_mcp_error(&server->out, request->id, ZS_MCP_INVALID_PARAMS, what);
}

static struct zs_mcp_run *find_run(struct zs_mcp_server *server, const struct zs_mcp_id *id)
{
	for (size_t i = 0; i < ZS_MCP_RUNS_MAX; i++)
		if (server->runs[i].pid && zs_mcp_same_id(&server->runs[i].id, id))
			return &server->runs[i];
	return NULL;
}

static void put_capabilities(struct zs_json *json)
{
	zs_json_key(json, "capabilities"), zs_json_raw(json, "{\"tools\":{}}");
}

/* The version that the client wants, when it is one of those; else the newest, which it may take or leave. */
static const char *negotiate(yyjson_val *wanted)
{
	static const char *const versions[] = {
#define ITEM(version) version,
		ZS_MCP_LEGACY(ITEM)
#undef ITEM
	};

	for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
		if (yyjson_equals_str(wanted, versions[i]))
			return versions[i];
	return versions[0];
}

static void initialize(struct zs_mcp_server *server, const struct request *request)
{
	yyjson_val *wanted = yyjson_obj_get(request->message->params, "protocolVersion");
	struct zs_json json;

	if (!yyjson_is_str(wanted)) {
		refuse_params(server, request, "params.protocolVersion is not a string");
		return;
	}
	server->initialized = true;
	json = zs_mcp_result_begin(&server->out, request->id, false);
	if (!json.out)
		return;
	zs_json_key(&json, "protocolVersion"), zs_json_text(&json, negotiate(wanted));
	put_capabilities(&json);
	zs_json_key(&json, "serverInfo"), zs_mcp_put_server(&json);
	zs_json_key(&json, "instructions"), zs_json_text(&json, zs_mcp_instructions);
	zs_mcp_result_end(&server->out, &json);
}

static void discover(struct zs_mcp_server *server, const struct request *request)
{
	struct zs_json json = zs_mcp_result_begin(&server->out, request->id, true);

	if (!json.out)
		return;
	zs_json_key(&json, "supportedVersions"), zs_mcp_put_versions(&json);
	put_capabilities(&json);
	zs_json_key(&json, "instructions"), zs_json_text(&json, zs_mcp_instructions);
	zs_mcp_put_caching(&json, true);
	zs_mcp_result_end(&server->out, &json);
}

static void ping(struct zs_mcp_server *server, const struct request *request)
{
	struct zs_json json = zs_mcp_result_begin(&server->out, request->id, false);

	if (json.out)
		zs_mcp_result_end(&server->out, &json);
}

static void list_tools(struct zs_mcp_server *server, const struct request *request)
{
	struct zs_json json;

	if (yyjson_obj_get(request->message->params, "cursor")) {
		refuse_params(server, request, "params.cursor is of no page: there is only one");
		return;
	}
	json = zs_mcp_result_begin(&server->out, request->id, request->modern);
	if (!json.out)
		return;
	zs_json_key(&json, "tools"), zs_mcp_put_tools(&json, &server->tool);
	zs_mcp_put_caching(&json, request->modern);
	zs_mcp_result_end(&server->out, &json);
}

static struct zs_mcp_run *free_slot(struct zs_mcp_server *server)
{
	for (size_t i = 0; i < ZS_MCP_RUNS_MAX; i++)
		if (!server->runs[i].pid)
			return &server->runs[i];
	return NULL;
}

static void refuse_call(struct zs_mcp_server *server, const struct request *request, const char *code,
	const char *reason, const char *hint)
{
	zs_mcp_tell_refusal(&server->out, request->id, request->modern, code, reason, hint);
}

static void mcp_methods_start(
	struct zs_mcp_server *server, const struct request *request, const struct zs_mcp_arguments *arguments)
{
	struct zs_mcp_run *run = free_slot(server);
	int r;

	if (!run) {
		char reason[96];

		snprintf(reason, sizeof reason, "%d commands are running already", ZS_MCP_RUNS_MAX);
		refuse_call(server, request, "busy", reason, "Wait for one of them to end, then call again.");
		return;
	}
	run->modern = request->modern;
	run->limit = arguments->limit;
	r = zs_mcp_copy_id(request->id, &run->id);
	if (r == 0)
		r = zs_mcp_copy_id(&request->token, &run->token);
	/* The text ends with a NUL, as every string of a document. */
	if (r == 0)
		r = zs_mcp_run_start(&server->runner, run, arguments->command);
	if (r < 0) {
		zs_mcp_run_free(run);
		refuse_call(server, request, "cannot_start", strerror(-r), "");
	}
}

static void call_bash(struct zs_mcp_server *server, const struct request *request, yyjson_val *object)
{
	const struct zs_vet_options options = { .profile = server->runner.profile };
	struct zs_mcp_arguments arguments;
	const struct zs_report *report;
	const char *reason;

	if (!zs_mcp_read_arguments(&server->tool, object, &arguments, &reason)) {
		refuse_call(server, request, "bad_input", reason, "Call it with {\"command\": \"ls\"}.");
		return;
	}
	report = zs_vet(server->vetter, arguments.command, arguments.len, &options);
	if (report->verdict == ZS_ALLOW)
		mcp_methods_start(server, request, &arguments);
	else
		refuse_call(server, request, zs_risk_name(report->code), report->reason, report->hint);
}

static void call_tool(struct zs_mcp_server *server, const struct request *request)
{
	yyjson_val *name = NULL, *arguments = NULL;
	const struct zs_member members[] = { { "name", &name }, { "arguments", &arguments } };

	if (zs_members_take(request->message->params, members, sizeof members / sizeof *members))
		refuse_params(server, request, "params has a member twice");
	else if (!yyjson_is_str(name))
		refuse_params(server, request, "params.name is not a string");
	else if (!yyjson_equals_str(name, ZS_MCP_TOOL))
		refuse_params(server, request, "Unknown tool: there is only " ZS_MCP_TOOL);
	else if (arguments && !yyjson_is_obj(arguments))
		refuse_params(server, request, "params.arguments is not an object");
	else
		call_bash(server, request, arguments);
}

/* eras: in which it exists */
enum { LEGACY = 1, MODERN = 2 };

static const struct method {
	const char *name;
	void (*answer)(struct zs_mcp_server *server, const struct request *request);
	unsigned eras;
	bool first; /* needs no initialize before it */
} methods[] = {
	{ "initialize", initialize, LEGACY, true },
	{ "ping", ping, LEGACY, true },
	{ "server/discover", discover, MODERN, true },
	{ "tools/list", list_tools, LEGACY | MODERN, false },
	{ "tools/call", call_tool, LEGACY | MODERN, false },
};

static const struct method *find_method(yyjson_val *name)
{
	for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
		if (yyjson_equals_str(name, methods[i].name))
			return &methods[i];
	return NULL;
}

/* "_meta" of the params: the version, and what else the version wants to be there. False: it has been answered. */
static bool read_meta(struct zs_mcp_server *server, struct request *request, bool *ret_has_version)
{
	yyjson_val *meta = NULL, *version = NULL, *capabilities = NULL, *token = NULL;
	const struct zs_member members[] = {
		{ "io.modelcontextprotocol/protocolVersion", &version },
		{ "io.modelcontextprotocol/clientCapabilities", &capabilities },
		{ "progressToken", &token },
	};

	if (zs_members_take(request->message->params, &(struct zs_member){ "_meta", &meta }, 1))
		refuse_params(server, request, "params has _meta twice");
	else if (meta && !yyjson_is_obj(meta))
		refuse_params(server, request, "params._meta is not an object");
	else if (zs_members_take(meta, members, sizeof members / sizeof *members))
		refuse_params(server, request, "params._meta has a member twice");
	else if (version && !yyjson_is_str(version))
		refuse_params(server, request, "the protocol version in params._meta is not a string");
	else if (token && !zs_mcp_read_id(token, &request->token))
		refuse_params(
			server, request, "params._meta.progressToken is neither a string nor an integer, or too long");
	else if (version && !yyjson_equals_str(version, ZS_MCP_MODERN) &&
		 !yyjson_equals_str(version, negotiate(version)))
		zs_mcp_unsupported(&server->out, request->id, yyjson_get_str(version), yyjson_get_len(version));
	else if (yyjson_equals_str(version, ZS_MCP_MODERN) && !yyjson_is_obj(capabilities))
		refuse_params(
			server, request, "params._meta lacks io.modelcontextprotocol/clientCapabilities, an object");
	else
		goto read;
	return false;
read:
	request->modern = yyjson_equals_str(version, ZS_MCP_MODERN);
	*ret_has_version = version != NULL;
	return true;
}

static void mcp_methods_answer(struct zs_mcp_server *server, const struct zs_mcp_message *message)
{
	const struct method *method = find_method(message->method);
	struct request request = { .message = message, .id = &message->id };
	bool has_version = false;

	if (find_run(server, request.id)) {
		zs_mcp_error(&server->out, request.id, ZS_MCP_INVALID_REQUEST,
			"'id' is that of a request that is still being worked on");
		return;
	}
	if (!read_meta(server, &request, &has_version))
		return;
	if (!method || (has_version && !(method->eras & (request.modern ? MODERN : LEGACY))))
		zs_mcp_error(&server->out, request.id, ZS_MCP_NO_METHOD, "Method not found");
	else if (!has_version && method->eras == MODERN)
		refuse_params(server, &request, "params._meta lacks io.modelcontextprotocol/protocolVersion");
	else if (!has_version && !method->first && !server->initialized)
		refuse_params(server, &request,
			"there was no initialize, and params._meta lacks io.modelcontextprotocol/protocolVersion");
	else
		method->answer(server, &request);
}

/* A call that has ended already, or that nobody has asked for, gets no answer (the protocol wants it so). */
static void take_notification(struct zs_mcp_server *server, const struct zs_mcp_message *message)
{
	yyjson_val *value = yyjson_obj_get(message->params, "requestId");
	struct zs_mcp_run *run;
	struct zs_mcp_id id;

	if (!yyjson_equals_str(message->method, "notifications/cancelled") || !zs_mcp_read_id(value, &id))
		return;
	run = find_run(server, &id);
	if (!run)
		return;
	run->silent = true;
	zs_mcp_run_end(run, zs_now_ms());
}

void zs_mcp_take(struct zs_mcp_server *server, char *line, size_t len)
{
	struct zs_mcp_message message;

	zs_mcp_read(line, len, &message);
	switch (message.kind) {
	case ZS_MCP_IGNORED:
		break;
	case ZS_MCP_BAD: {
		char text[200];

		snprintf(text, sizeof text, "The message %s", message.what);
		zs_mcp_error(&server->out, &message.id, message.code, text);
		break;
	}
	case ZS_MCP_REQUEST:
		mcp_methods_answer(server, &message);
		break;
	case ZS_MCP_NOTIFICATION:
		take_notification(server, &message);
		break;
	}
	yyjson_doc_free(message.doc);
}

void zs_mcp_take_too_long(struct zs_mcp_server *server)
{
	static const struct zs_mcp_id none;
	char text[96];

	snprintf(text, sizeof text, "The message has more than %d bytes", ZS_MCP_LINE_MAX);
	zs_mcp_error(&server->out, &none, ZS_MCP_INVALID_REQUEST, text);
}
