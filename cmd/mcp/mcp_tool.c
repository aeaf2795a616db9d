#include "mcp/mcp_tool.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/json.h"
#include "base/memory_stream.h"

const char zs_mcp_instructions[] =
	"Use the tool " ZS_MCP_TOOL
	" for every shell command: each one is read first, and refused with a reason when it is "
	"not allowed; what runs is confined.";

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"command\":{\"type\":\"string\",\"description\":\"The bash text to run\"},"
	"\"timeout\":{\"type\":\"number\",\"exclusiveMinimum\":0,\"description\":\"Seconds it may take\"},"
	"\"description\":{\"type\":\"string\",\"description\":\"The purpose, in a few words\"}},"
	"\"required\":[\"command\"],\"additionalProperties\":false}";

static const char output_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"verdict\":{\"type\":\"string\",\"enum\":[\"allow\",\"block\"]},"
	"\"code\":{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]},"
	"\"reason\":{\"type\":\"string\"},"
	"\"hint\":{\"type\":\"string\"},"
	"\"output\":{\"type\":\"string\"},"
	"\"exit\":{\"anyOf\":[{\"type\":\"integer\"},{\"type\":\"null\"}]},"
	"\"signal\":{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]},"
	"\"timed_out\":{\"type\":\"boolean\"},"
	"\"denials\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{"
	"\"kind\":{\"type\":\"string\"},\"host\":{\"type\":\"string\"},\"port\":{\"type\":\"integer\"},"
	"\"reason\":{\"type\":\"string\"}},\"required\":[\"kind\",\"host\",\"port\",\"reason\"]}},"
	"\"truncated\":{\"type\":\"boolean\"},"
	"\"duration_ms\":{\"type\":\"integer\"}},"
	"\"required\":[\"verdict\",\"code\",\"reason\",\"hint\",\"output\",\"exit\",\"signal\",\"timed_out\","
	"\"denials\","
	"\"truncated\",\"duration_ms\"],\"additionalProperties\":false}";

/* A run that changes nothing cannot be told from one that does before it has run. */
static const char annotations[] = "{\"title\":\"bash, vetted and confined\",\"readOnlyHint\":false,"
				  "\"destructiveHint\":true,\"idempotentHint\":false,\"openWorldHint\":true}";

/* Claude Code shows its model a server's tools once it has searched for them, unless they ask for more: 2.1.330
 * describes this in its schema of a server's configuration. One tool is no burden, and its own shell needs no search
 * either. */
static const char meta[] = "{\"anthropic/alwaysLoad\":true}";

static const char *const profile_texts[ZS_PROFILE_COUNT] = {
	[ZS_PROFILE_STRICT] =
		"Do not change the directory (use ./dir/program, or an option such as git -C dir), and do not "
		"redirect output to files: create and edit files with your editing tool. ",
	[ZS_PROFILE_RELAXED] = "",
	[ZS_PROFILE_VERIFY] =
		"This is a check: read, build and test, and change no file or repository; what is written in the "
		"workspace is thrown away. Do not change the directory, and do not redirect output to files. ",
};

static const char *const network_texts[ZS_NETWORK_COUNT] = {
	[ZS_NETWORK_NONE] = "There is no network. ",
	[ZS_NETWORK_HOSTS] = "Only hosts that the user has named are reached. ",
	[ZS_NETWORK_FULL] = "",
};

static void put_description(struct zs_json *json, const struct zs_mcp_tool *tool)
{
	char text[1536];
	uint32_t timeout = tool->wall < ZS_MCP_TIMEOUT_DEFAULT ? tool->wall : ZS_MCP_TIMEOUT_DEFAULT;

	snprintf(text, sizeof text,
		"Runs a bash command in the workspace, confined by zs: it can write the workspace, /tmp and toolchain "
		"caches, and run the system's programs; other files are not there. %s%sEach call starts in the "
		"workspace, in a fresh shell with a fresh /tmp and an empty standard input; of a call nothing is left "
		"but files, and what it has put into the background ends with it. A command that is refused has not "
		"run: the answer says why, and what to do instead. It may take %u seconds, or as many as timeout says, "
		"up "
		"to %u. The middle of long output (more than %zu bytes) is left out.",
		profile_texts[tool->profile], network_texts[tool->network], timeout, tool->wall, tool->output_max);
	zs_json_text(json, text);
}

void zs_mcp_put_tools(struct zs_json *json, const struct zs_mcp_tool *tool)
{
	zs_json_open(json, '[');
	zs_json_open(json, '{');
	zs_json_key(json, "name"), zs_json_text(json, ZS_MCP_TOOL);
	zs_json_key(json, "title"), zs_json_text(json, "bash, vetted and confined");
	zs_json_key(json, "description"), put_description(json, tool);
	zs_json_key(json, "inputSchema"), zs_json_raw(json, input_schema);
	zs_json_key(json, "outputSchema"), zs_json_raw(json, output_schema);
	zs_json_key(json, "annotations"), zs_json_raw(json, annotations);
	zs_json_key(json, "_meta"), zs_json_raw(json, meta);
	zs_json_close(json, '}');
	zs_json_close(json, ']');
}

/* Above the limit, the limit: models think of milliseconds. */
static bool read_timeout(const struct zs_mcp_tool *tool, yyjson_val *value, int64_t *ret_limit)
{
	uint32_t seconds = tool->wall < ZS_MCP_TIMEOUT_DEFAULT ? tool->wall : ZS_MCP_TIMEOUT_DEFAULT;
	yyjson_val number;
	double wanted;

	*ret_limit = (int64_t)seconds * 1000;
	if (!value)
		return true;
	if (!yyjson_is_raw(value) || !yyjson_read_number(yyjson_get_raw(value), &number, 0, NULL, NULL))
		return false;
	wanted = yyjson_get_num(&number);
	if (!(wanted > 0))
		return false;
	*ret_limit = wanted < tool->wall ? (int64_t)(wanted * 1000 + 0.5) : (int64_t)tool->wall * 1000;
	return true;
}

bool zs_mcp_read_arguments(const struct zs_mcp_tool *tool, yyjson_val *object, struct zs_mcp_arguments *ret_arguments,
	const char **ret_reason)
{
	yyjson_val *command = NULL, *timeout = NULL, *description = NULL;
	const struct zs_member members[] = {
		{ "command", &command },
		{ "timeout", &timeout },
		{ "description", &description },
	};
	const size_t count = sizeof members / sizeof *members;
	const char *twice = zs_members_take(object, members, count);

	if (twice)
		*ret_reason = "an argument is there twice";
	else if (zs_members_stranger(object, members, count))
		*ret_reason = "an argument is none of command, timeout and description";
	else if (!yyjson_is_str(command))
		*ret_reason = command ? "the argument command is not a string" : "the argument command is missing";
	else if (strlen(yyjson_get_str(command)) != yyjson_get_len(command))
		*ret_reason = "the argument command holds a NUL";
	else if (description && !yyjson_is_str(description))
		*ret_reason = "the argument description is not a string";
	else if (!read_timeout(tool, timeout, &ret_arguments->limit))
		*ret_reason = "the argument timeout is not a number of seconds above 0";
	else
		goto taken;
	return false;
taken:
	ret_arguments->command = yyjson_get_str(command);
	ret_arguments->len = yyjson_get_len(command);
	return true;
}

/* As shells count: 128 and the number. */
static const char *signal_name(int code)
{
	static const struct {
		int number;
		const char *name;
	} names[] = {
		{ SIGHUP, "SIGHUP" },
		{ SIGINT, "SIGINT" },
		{ SIGQUIT, "SIGQUIT" },
		{ SIGILL, "SIGILL" },
		{ SIGTRAP, "SIGTRAP" },
		{ SIGABRT, "SIGABRT" },
		{ SIGBUS, "SIGBUS" },
		{ SIGFPE, "SIGFPE" },
		{ SIGKILL, "SIGKILL" },
		{ SIGUSR1, "SIGUSR1" },
		{ SIGSEGV, "SIGSEGV" },
		{ SIGUSR2, "SIGUSR2" },
		{ SIGPIPE, "SIGPIPE" },
		{ SIGALRM, "SIGALRM" },
		{ SIGTERM, "SIGTERM" },
		{ SIGXCPU, "SIGXCPU" },
		{ SIGXFSZ, "SIGXFSZ" },
		{ SIGSYS, "SIGSYS" },
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (code == 128 + names[i].number)
			return names[i].name;
	return NULL;
}

/* The outcome of a call; zeroed: it was refused. */
struct outcome {
	const char *code, *reason, *hint;
	const char *output;
	size_t output_len;
	int exit; /* -1: none is known */
	bool ran, timed_out, truncated;
	const struct zs_mcp_denials *denials;
	int64_t duration;
};

static void put_structured(struct zs_json *json, const struct outcome *outcome)
{
	zs_json_open(json, '{');
	zs_json_key(json, "verdict"), zs_json_text(json, outcome->ran ? "allow" : "block");
	zs_json_key(json, "code"), zs_json_text(json, outcome->code);
	zs_json_key(json, "reason"), zs_json_text(json, outcome->reason);
	zs_json_key(json, "hint"), zs_json_text(json, outcome->hint);
	/* The same as in the content: there are clients that show their model this one alone. */
	zs_json_key(json, "output"), zs_json_bytes(json, outcome->output, outcome->output_len);
	zs_json_key(json, "exit");
	if (outcome->exit < 0)
		zs_json_raw(json, "null");
	else
		zs_json_number(json, outcome->exit);
	zs_json_key(json, "signal"), zs_json_text(json, outcome->ran ? signal_name(outcome->exit) : NULL);
	zs_json_key(json, "timed_out"), zs_json_bool(json, outcome->timed_out);
	zs_json_key(json, "denials"), zs_mcp_denials_json(json, outcome->denials);
	zs_json_key(json, "truncated"), zs_json_bool(json, outcome->truncated);
	zs_json_key(json, "duration_ms"), zs_json_number(json, outcome->duration);
	zs_json_close(json, '}');
}

/* text: the same for a model. A command that failed is an error of the tool, as in the shells that agents have built
 * in; its status is in the text. */
static void mcp_tool_tell(struct zs_mcp_out *out, const struct zs_mcp_id *id, bool modern,
	const struct outcome *outcome, const char *text, size_t len)
{
	struct zs_json json = zs_mcp_result_begin(out, id, modern);

	if (!json.out)
		return;
	zs_json_key(&json, "content"), zs_json_open(&json, '[');
	zs_json_open(&json, '{');
	zs_json_key(&json, "type"), zs_json_text(&json, "text");
	zs_json_key(&json, "text"), zs_json_bytes(&json, text, len);
	zs_json_close(&json, '}');
	zs_json_close(&json, ']');
	zs_json_key(&json, "structuredContent"), put_structured(&json, outcome);
	zs_json_key(&json, "isError"), zs_json_bool(&json, !outcome->ran || outcome->exit != 0 || outcome->timed_out);
	zs_mcp_result_end(out, &json);
}

void zs_mcp_tell_refusal(struct zs_mcp_out *out, const struct zs_mcp_id *id, bool modern, const char *code,
	const char *reason, const char *hint)
{
	const struct outcome outcome = { .code = code, .reason = reason, .hint = hint, .output = "", .exit = -1 };
	char text[4096];
	int len = snprintf(text, sizeof text, "The command was not run: blocked (%s): %s%s%s", code, reason,
		*hint ? "\nhint: " : "", hint);

	mcp_tool_tell(out, id, modern, &outcome, text, len < (int)sizeof text ? (size_t)len : sizeof text - 1);
}

/* After the output, on lines of its own. */
static void put_end(FILE *stream, const struct zs_mcp_run *run, const struct outcome *outcome)
{
	const char *name = signal_name(outcome->exit);
	bool begun = outcome->output_len > 0 && outcome->output[outcome->output_len - 1] != '\n';

	if (outcome->exit == 0 && !outcome->timed_out) {
		if (outcome->output_len == 0)
			fputs("(no output)", stream);
		return;
	}
	if (begun)
		fputc('\n', stream);
	if (outcome->timed_out)
		fprintf(stream, "[zs: timed out: ended after %g seconds, with all that it had started]",
			(double)run->limit / 1000);
	else if (outcome->exit < 0)
		fputs("[zs: how it ended is not known]", stream);
	else
		fprintf(stream, "[exit %d%s%s]", outcome->exit, name ? ": " : "", name ? name : "");
}

void zs_mcp_tell_end(struct zs_mcp_out *out, const struct zs_mcp_run *run, int status, int64_t now)
{
	struct outcome outcome = {
		.reason = "",
		.hint = "",
		.exit = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
		.ran = true,
		.timed_out = run->timed_out,
		.truncated = zs_mcp_capture_is_cut(&run->capture),
		.denials = &run->denials,
		.duration = now - run->started,
	};
	char *output = NULL, *text = NULL;
	size_t len = 0;
	FILE *stream;

	if (status == -1) /* nobody knows */
		outcome.exit = -1;
	if (zs_mcp_capture_text(&run->capture, &output, &outcome.output_len) < 0) {
		zs_mcp_error(
			out, &run->id, ZS_MCP_INTERNAL_ERROR, "no memory for the output of the command, which has run");
		return;
	}
	outcome.output = output;
	stream = zs_memory_stream(&text, &len);
	if (stream) {
		fwrite(output, 1, outcome.output_len, stream);
		put_end(stream, run, &outcome);
	}
	if (!zs_memory_close(stream, &text))
		len = outcome.output_len;
	mcp_tool_tell(out, &run->id, run->modern, &outcome, text ? text : output, len);
	free(text);
	free(output);
}

void zs_mcp_tell_progress(struct zs_mcp_out *out, struct zs_mcp_run *run, int64_t now)
{
	size_t part = zs_mcp_unfinished(run->fresh, run->fresh_len);
	/* One that is alone has waited already. */
	size_t rest = part < run->fresh_len ? part : 0, len = run->fresh_len - rest;
	struct zs_json json = { zs_mcp_out_begin(out), false };

	run->told = now;
	if (!json.out)
		return;
	zs_json_open(&json, '{');
	zs_json_key(&json, "jsonrpc"), zs_json_text(&json, "2.0");
	zs_json_key(&json, "method"), zs_json_text(&json, "notifications/progress");
	zs_json_key(&json, "params"), zs_json_open(&json, '{');
	zs_json_key(&json, "progressToken"), zs_mcp_put_id(&json, &run->token);
	/* Progress counts time, since nobody knows how much the command will print; and time grows. */
	zs_json_key(&json, "progress"), zs_json_number(&json, now - run->started);
	zs_json_key(&json, "total"), zs_json_number(&json, run->limit);
	if (len > 0)
		zs_json_key(&json, "message"), zs_json_bytes(&json, run->fresh, len);
	zs_json_close(&json, '}');
	zs_json_close(&json, '}');
	zs_mcp_out_end(out);
	memmove(run->fresh, run->fresh + len, rest);
	run->fresh_len = rest;
}
