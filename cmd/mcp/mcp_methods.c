/* Handles each method of the protocol. */
#include "mcp/mcp_server.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/own_rules.h"
#include "base/vet_place.h"

static void refuse_params(struct zs_mcp_server *server, struct zs_mcp_message *message, const char *what)
{
	zs_mcp_error(&server->out, message->id, ZS_MCP_INVALID_PARAMS, what);
}

static struct zs_mcp_run *find_run(struct zs_mcp_server *server, const char *id)
{
	for (size_t i = 0; i < ZS_MCP_RUNS_MAX; i++)
		if (server->runs[i].pid && strcmp(server->runs[i].id, id) == 0)
			return &server->runs[i];
	return NULL;
}

/* Returns the version that the client wants if zs has it; else the newest, which the client may refuse. */
static const char *negotiate(yyjson_val *wanted)
{
	static const char *const versions[] = {
#define ITEM(version) version,
		ZS_MCP_LEGACY(ITEM)
#undef ITEM
	};

	for (size_t i = 0; i < ZS_COUNT(versions); i++)
		if (yyjson_equals_str(wanted, versions[i]))
			return versions[i];
	return versions[0];
}

static void initialize(struct zs_mcp_server *server, struct zs_mcp_message *message)
{
	yyjson_val *wanted = yyjson_obj_get(message->params, "protocolVersion");
	struct zs_json json;

	if (!yyjson_is_str(wanted)) {
		refuse_params(server, message, "params.protocolVersion is not a string");
		return;
	}
	server->initialized = true;
	json = zs_mcp_result_begin(&server->out, message->id, false);
	zs_json_print(&json,
		"'protocolVersion':%s,'capabilities':{'tools':{}},'serverInfo':" ZS_MCP_SERVER ",'instructions':%s",
		negotiate(wanted), zs_mcp_instructions);
	zs_mcp_result_end(&server->out, &json);
}

static void discover(struct zs_mcp_server *server, struct zs_mcp_message *message)
{
	struct zs_json json = zs_mcp_result_begin(&server->out, message->id, true);

	zs_json_print(&json,
		"'supportedVersions':" ZS_MCP_VERSIONS ",'capabilities':{'tools':{}},'instructions':%s," ZS_MCP_CACHING,
		zs_mcp_instructions);
	zs_mcp_result_end(&server->out, &json);
}

static void ping(struct zs_mcp_server *server, struct zs_mcp_message *message)
{
	struct zs_json json = zs_mcp_result_begin(&server->out, message->id, false);

	zs_mcp_result_end(&server->out, &json);
}

static void list_tools(struct zs_mcp_server *server, struct zs_mcp_message *message)
{
	struct zs_json json;

	if (yyjson_obj_get(message->params, "cursor")) {
		refuse_params(server, message, "params.cursor names no page: there is only one");
		return;
	}
	json = zs_mcp_result_begin(&server->out, message->id, message->modern);
	zs_mcp_put_tools(&json, &server->tool);
	if (message->modern)
		zs_json_print(&json, ZS_MCP_CACHING);
	zs_mcp_result_end(&server->out, &json);
}

static struct zs_mcp_run *free_slot(struct zs_mcp_server *server)
{
	for (size_t i = 0; i < ZS_MCP_RUNS_MAX; i++)
		if (!server->runs[i].pid)
			return &server->runs[i];
	return NULL;
}

static void refuse_call(struct zs_mcp_server *server, struct zs_mcp_message *message, const char *code,
	const char *reason, const char *hint)
{
	zs_mcp_tell_refusal(&server->out, message->id, message->modern, code, reason, hint);
}

static void mcp_methods_start(
	struct zs_mcp_server *server, struct zs_mcp_message *message, const struct zs_mcp_arguments *arguments)
{
	struct zs_mcp_run *run = free_slot(server);
	int r;

	if (!run) {
		char reason[96];

		snprintf(reason, sizeof reason, "%d commands are running already", ZS_MCP_RUNS_MAX);
		refuse_call(server, message, "busy", reason, "Wait for one of them to end, then call again.");
		return;
	}
	run->limit = arguments->limit;
	/* The text ends with a NUL, as every string of a document does. */
	r = zs_mcp_run_start(&server->tool, run, arguments->command);
	if (r < 0) {
		zs_mcp_run_free(run);
		refuse_call(server, message, "cannot_start", strerror(-r), "");
		return;
	}
	run->modern = message->modern;
	run->id = ZS_STEAL(message->id);
	run->token = ZS_STEAL(message->token);
}

static void call_bash(struct zs_mcp_server *server, struct zs_mcp_message *message, yyjson_val *object)
{
	struct zs_vet_options options = { .profile = server->tool.profile };
	struct zs_mcp_arguments arguments;
	const struct zs_report *report;
	struct zs_own_rules rules;
	struct zs_error error;
	const char *reason;
	char line[1024];

	if (!zs_mcp_read_arguments(&server->tool, object, &arguments, &reason)) {
		refuse_call(server, message, "bad_input", reason, "Call it with {\"command\": \"ls\"}.");
		return;
	}
	zs_vet_place(server->tool.confine->workspace, &options);
	if (zs_own_rules_load(options.workspace, server->tool.confine->no_settings, &rules, &options, &error) < 0) {
		zs_own_rules_free(&rules);
		zs_error_format(&error, line, sizeof line);
		refuse_call(server, message, "cannot_start", line, "");
		return;
	}
	report = zs_vet(server->vetter, arguments.command, arguments.len, &options);
	if (report->verdict == ZS_ALLOW)
		mcp_methods_start(server, message, &arguments);
	else
		refuse_call(server, message, zs_risk_name(report->code), report->reason, report->hint);
	zs_own_rules_free(&rules);
}

static void call_tool(struct zs_mcp_server *server, struct zs_mcp_message *message)
{
	yyjson_val *name = NULL, *arguments = NULL;
	const struct zs_member members[] = { { "name", &name }, { "arguments", &arguments } };

	if (zs_members_take(message->params, members, ZS_COUNT(members)))
		refuse_params(server, message, "params has a member twice");
	else if (!yyjson_is_str(name))
		refuse_params(server, message, "params.name is not a string");
	else if (!yyjson_equals_str(name, ZS_MCP_TOOL))
		refuse_params(server, message, "Unknown tool: the only one is " ZS_MCP_TOOL);
	else if (arguments && !yyjson_is_obj(arguments))
		refuse_params(server, message, "params.arguments is not an object");
	else
		call_bash(server, message, arguments);
}

/* eras: those in which the method exists */
enum { LEGACY = 1, MODERN = 2 };

static const struct method {
	const char *name;
	void (*answer)(struct zs_mcp_server *server, struct zs_mcp_message *message);
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
	for (size_t i = 0; i < ZS_COUNT(methods); i++)
		if (yyjson_equals_str(name, methods[i].name))
			return &methods[i];
	return NULL;
}

/* Checks "_meta" of the params: the version, and the other members that it requires. False: the request has been
 * answered with an error. */
static bool read_meta(struct zs_mcp_server *server, struct zs_mcp_message *message, bool *ret_has_version)
{
	yyjson_val *meta = NULL, *version = NULL, *capabilities = NULL, *token = NULL;
	const struct zs_member members[] = {
		{ "io.modelcontextprotocol/protocolVersion", &version },
		{ "io.modelcontextprotocol/clientCapabilities", &capabilities },
		{ "progressToken", &token },
	};

	bool twice = zs_members_take(message->params, &(struct zs_member){ "_meta", &meta }, 1);
	bool member_twice = zs_members_take(meta, members, ZS_COUNT(members));

	message->modern = yyjson_equals_str(version, ZS_MCP_MODERN);
	*ret_has_version = version != NULL;
	if (twice)
		refuse_params(server, message, "params has _meta twice");
	else if (meta && !yyjson_is_obj(meta))
		refuse_params(server, message, "params._meta is not an object");
	else if (member_twice)
		refuse_params(server, message, "params._meta has a member twice");
	else if (version && !yyjson_is_str(version))
		refuse_params(server, message, "the protocol version in params._meta is not a string");
	else if (token && !(message->token = zs_mcp_read_id(token)))
		refuse_params(
			server, message, "params._meta.progressToken is neither a string nor an integer, or too long");
	else if (version && !message->modern && !yyjson_equals_str(version, negotiate(version)))
		zs_mcp_unsupported(&server->out, message->id, yyjson_get_str(version), yyjson_get_len(version));
	else if (message->modern && !yyjson_is_obj(capabilities))
		refuse_params(
			server, message, "params._meta lacks io.modelcontextprotocol/clientCapabilities, an object");
	else
		return true;
	return false;
}

static void mcp_methods_answer(struct zs_mcp_server *server, struct zs_mcp_message *message)
{
	const struct method *method = find_method(message->method);
	bool has_version = false;

	if (find_run(server, message->id)) {
		zs_mcp_error(&server->out, message->id, ZS_MCP_INVALID_REQUEST,
			"'id' is used by a request that has no answer yet");
		return;
	}
	if (!read_meta(server, message, &has_version))
		return;
	if (!method || (has_version && !(method->eras & (message->modern ? MODERN : LEGACY))))
		zs_mcp_error(&server->out, message->id, ZS_MCP_NO_METHOD, "Method not found");
	else if (!has_version && method->eras == MODERN)
		refuse_params(server, message, "params._meta lacks io.modelcontextprotocol/protocolVersion");
	else if (!has_version && !method->first && !server->initialized)
		refuse_params(server, message,
			"there was no initialize, and params._meta lacks io.modelcontextprotocol/protocolVersion");
	else
		method->answer(server, message);
}

/* Cancels a call. For a call that has ended or never existed, the protocol wants no answer. */
static void take_notification(struct zs_mcp_server *server, const struct zs_mcp_message *message)
{
	bool cancels = yyjson_equals_str(message->method, "notifications/cancelled");
	ZS_AUTO_FREE char *id = cancels ? zs_mcp_read_id(yyjson_obj_get(message->params, "requestId")) : NULL;
	struct zs_mcp_run *run = id ? find_run(server, id) : NULL;

	if (!run)
		return;
	run->silent = true;
	zs_mcp_run_end(run, zs_now_ms());
}

void zs_mcp_take(struct zs_mcp_server *server, char *line, size_t len)
{
	struct zs_mcp_message message;
	char text[200];

	zs_mcp_read(line, len, &message);
	switch (message.kind) {
	case ZS_MCP_IGNORED:
		break;
	case ZS_MCP_BAD:
		snprintf(text, sizeof text, "The message %s", message.what);
		zs_mcp_error(&server->out, message.id, message.code, text);
		break;
	case ZS_MCP_REQUEST:
		mcp_methods_answer(server, &message);
		break;
	case ZS_MCP_NOTIFICATION:
		take_notification(server, &message);
		break;
	}
	zs_mcp_message_free(&message);
}

void zs_mcp_take_too_long(struct zs_mcp_server *server)
{
	char text[96];

	snprintf(text, sizeof text, "The message has more than %d bytes", ZS_MCP_LINE_MAX);
	zs_mcp_error(&server->out, NULL, ZS_MCP_INVALID_REQUEST, text);
}
