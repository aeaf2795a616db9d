#include "mcp/mcp_tool.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/memory_stream.h"

const char zs_mcp_instructions[] =
	"Use the tool " ZS_MCP_TOOL
	" for every shell command: each one is read first, and refused with a reason when it is "
	"not allowed; what runs is confined.";

#define INPUT_SCHEMA                                                                                                   \
	"{'type':'object','properties':{"                                                                              \
	"'command':{'type':'string','description':'The bash text to run'},"                                            \
	"'timeout':{'type':'number','exclusiveMinimum':0,'description':'Seconds it may take'},"                        \
	"'description':{'type':'string','description':'The purpose, in a few words'}},"                                \
	"'required':['command'],'additionalProperties':false}"

#define OUTPUT_SCHEMA                                                                                                  \
	"{'type':'object','properties':{"                                                                              \
	"'verdict':{'type':'string','enum':['allow','block']},"                                                        \
	"'code':{'anyOf':[{'type':'string'},{'type':'null'}]},'reason':{'type':'string'},'hint':{'type':'string'},"    \
	"'output':{'type':'string'},'exit':{'anyOf':[{'type':'integer'},{'type':'null'}]},"                            \
	"'signal':{'anyOf':[{'type':'string'},{'type':'null'}]},'timed_out':{'type':'boolean'},"                       \
	"'denials':{'type':'array','items':{'type':'object','properties':{"                                            \
	"'kind':{'type':'string'},'host':{'type':'string'},'port':{'type':'integer'},'path':{'type':'string'},"        \
	"'reason':{'type':'string'},'grant':{'anyOf':[{'type':'string'},{'type':'null'}]}},"                           \
	"'required':['kind','reason']}},"                                                                              \
	"'truncated':{'type':'boolean'},'duration_ms':{'type':'integer'}},"                                            \
	"'required':['verdict','code','reason','hint','output','exit','signal','timed_out','denials','truncated',"     \
	"'duration_ms'],'additionalProperties':false}"

/* The tool is not announced as read-only: whether a command changes anything is known only after it has run. */
#define ANNOTATIONS                                                                                                    \
	"{'title':'bash, vetted and confined','readOnlyHint':false,'destructiveHint':true,'idempotentHint':false,"     \
	"'openWorldHint':true}"

/* Claude Code hides a server's tools until the model has searched for them, unless they ask to be loaded always
 * (2.1.330, schema of a server's configuration). This single tool replaces its shell, which needs no search either. */
#define META "{'anthropic/alwaysLoad':true}"

static const char *const profile_texts[ZS_PROFILE_COUNT] = {
	[ZS_PROFILE_STRICT] =
		"Do not change the directory (use ./dir/program, or an option such as git -C dir), and do not "
		"redirect output to files: create and edit files with your editing tool. ",
	[ZS_PROFILE_RELAXED] = "",
	[ZS_PROFILE_GUARD] =
		"Change files of the workspace and of /tmp only; do not throw away uncommitted work, and do not "
		"deploy, publish or send files to other hosts. ",
	[ZS_PROFILE_VERIFY] =
		"This is a check: read, build and test, and change no file or repository; what is written in the "
		"workspace is thrown away. Do not change the directory, and do not redirect output to files. ",
};

static const char *const network_texts[ZS_NETWORK_COUNT] = {
	[ZS_NETWORK_NONE] = "There is no network. ",
	[ZS_NETWORK_HOSTS] = "Only hosts that the user has named are reached. ",
	[ZS_NETWORK_FULL] = "",
};

static uint32_t usual_seconds(const struct zs_mcp_tool *tool)
{
	return tool->wall < ZS_MCP_TIMEOUT_DEFAULT ? tool->wall : ZS_MCP_TIMEOUT_DEFAULT;
}

void zs_mcp_put_tools(struct zs_json *json, const struct zs_mcp_tool *tool)
{
	char text[1536];

	snprintf(text, sizeof text,
		"Runs a bash command in the workspace, confined by zs: it can write the workspace, /tmp and toolchain "
		"caches, and run the system's programs; other files are not there. %s%sEach call starts in the "
		"workspace, in a fresh shell with a fresh /tmp and an empty standard input; of a call nothing is left "
		"but files, and what it has put into the background ends with it. A command that is refused has not "
		"run: the answer says why, and what to do instead. It may take %u seconds, or as many as timeout says, "
		"up to %u. The middle of long output (more than %zu bytes) is left out.",
		profile_texts[tool->profile], network_texts[tool->network], usual_seconds(tool), tool->wall,
		tool->output_max);
	zs_json_print(json,
		"'tools':[{'name':'" ZS_MCP_TOOL "','title':'bash, vetted and confined','description':%s,"
		"'inputSchema':" INPUT_SCHEMA ",'outputSchema':" OUTPUT_SCHEMA ",'annotations':" ANNOTATIONS
		",'_meta':" META "}]",
		text);
}

/* A timeout above the limit becomes the limit: models often give milliseconds. */
static bool read_timeout(const struct zs_mcp_tool *tool, yyjson_val *value, int64_t *ret_limit)
{
	yyjson_val number;
	double wanted;

	*ret_limit = (int64_t)usual_seconds(tool) * 1000;
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
	const char *twice = zs_members_take(object, members, ZS_COUNT(members));

	if (twice)
		*ret_reason = "an argument is there twice";
	else if (yyjson_obj_size(object) > (size_t)(!!command + !!timeout + !!description))
		*ret_reason = "an argument is not command, timeout or description";
	else if (!yyjson_is_str(command))
		*ret_reason = command ? "the argument command is not a string" : "the argument command is missing";
	else if (strlen(yyjson_get_str(command)) != yyjson_get_len(command))
		*ret_reason = "the argument command has a NUL byte in it";
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

/* Returns the name of the signal in a shell's exit code, 128 plus its number. */
static const char *signal_name(int code)
{
#define NAMED(name) [SIG##name] = "SIG" #name
	static const char *const names[] = { NAMED(HUP), NAMED(INT), NAMED(QUIT), NAMED(ILL), NAMED(TRAP), NAMED(ABRT),
		NAMED(BUS), NAMED(FPE), NAMED(KILL), NAMED(USR1), NAMED(SEGV), NAMED(USR2), NAMED(PIPE), NAMED(ALRM),
		NAMED(TERM), NAMED(XCPU), NAMED(XFSZ), NAMED(SYS) };
#undef NAMED

	return code > 128 && (size_t)code - 128 < ZS_COUNT(names) ? names[code - 128] : NULL;
}

/* The outcome of a call. A zeroed one stands for a refusal. */
struct outcome {
	const char *code, *reason, *hint;
	const char *output;
	size_t output_len;
	int exit; /* -1: unknown */
	bool timed_out, truncated;
	const struct zs_mcp_run *run; /* NULL: it was refused */
	int64_t duration;
};

/* text: the outcome for a model. A failed command is an error of the tool, as in agents' own shells, and the text holds
 * its status. Some clients show their model only the structured content. */
static void mcp_tool_tell(struct zs_mcp_out *out, const char *id, bool modern, const struct outcome *outcome,
	const char *text, size_t len)
{
	struct zs_json json = zs_mcp_result_begin(out, id, modern);
	bool ran = outcome->run;

	zs_json_print(&json,
		"'content':[{'type':'text','text':%.*s}],'structuredContent':{'verdict':%s,'code':%s,'reason':%s,"
		"'hint':%s,'output':%.*s,'exit':",
		(int)len, text, ran ? "allow" : "block", outcome->code, outcome->reason, outcome->hint,
		(int)outcome->output_len, outcome->output);
	if (outcome->exit < 0)
		zs_json_print(&json, "null");
	else
		zs_json_print(&json, "%d", outcome->exit);
	zs_json_print(&json, "'signal':%s,'timed_out':%i,'denials':[", ran ? signal_name(outcome->exit) : NULL,
		outcome->timed_out);
	for (size_t i = 0; ran && i < outcome->run->denial_count; i++)
		zs_json_raw(&json, outcome->run->denials[i]);
	zs_json_print(&json, "],'truncated':%i,'duration_ms':%lld},'isError':%i", outcome->truncated,
		(long long)outcome->duration, !ran || outcome->exit != 0 || outcome->timed_out);
	zs_mcp_result_end(out, &json);
}

void zs_mcp_tell_refusal(
	struct zs_mcp_out *out, const char *id, bool modern, const char *code, const char *reason, const char *hint)
{
	const struct outcome outcome = { .code = code, .reason = reason, .hint = hint, .output = "", .exit = -1 };
	char text[4096];
	int len = snprintf(text, sizeof text, "The command was not run: blocked (%s): %s%s%s", code, reason,
		*hint ? "\nhint: " : "", hint);

	mcp_tool_tell(out, id, modern, &outcome, text, len < (int)sizeof text ? (size_t)len : sizeof text - 1);
}

/* Writes how the run has ended, on lines of its own after the output. */
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
		fprintf(stream, "[zs: timed out: ended after %g seconds, with every process that it had started]",
			(double)run->limit / 1000);
	else if (outcome->exit < 0)
		fputs("[zs: the exit code is not known]", stream);
	else
		fprintf(stream, "[exit %d%s%s]", outcome->exit, name ? ": " : "", name ? name : "");
}

void zs_mcp_tell_end(struct zs_mcp_out *out, const struct zs_mcp_run *run, int status, int64_t now)
{
	struct outcome outcome = {
		.reason = "",
		.hint = "",
		.exit = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
		.timed_out = run->timed_out,
		.truncated = zs_mcp_capture_is_cut(&run->capture),
		.run = run,
		.duration = now - run->started,
	};
	char *output = NULL, *text = NULL;
	size_t len = 0;
	FILE *stream;

	if (status == -1) /* the status is unknown */
		outcome.exit = -1;
	if (zs_mcp_capture_text(&run->capture, &output, &outcome.output_len) < 0) {
		zs_mcp_error(out, run->id, ZS_MCP_INTERNAL_ERROR,
			"the command has run, but there was no memory for its output");
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
	mcp_tool_tell(out, run->id, run->modern, &outcome, text ? text : output, len);
	free(text);
	free(output);
}

void zs_mcp_tell_progress(struct zs_mcp_out *out, struct zs_mcp_run *run, int64_t now)
{
	ZS_AUTO_FREE char *text = NULL;
	size_t len = 0;
	struct zs_json json = zs_mcp_out_begin(out);

	run->told = now;
	zs_json_print(&json, "'method':'notifications/progress','params':{'progressToken':");
	zs_json_raw(&json, run->token);
	/* Progress counts time, which always grows. How much the command will print is unknown. */
	zs_json_print(&json, "'progress':%lld,'total':%lld", (long long)(now - run->started), (long long)run->limit);
	if (zs_mcp_capture_take(&run->fresh, &text, &len) == 0 && len > 0)
		zs_json_print(&json, "'message':%.*s", (int)len, text);
	zs_json_print(&json, "}");
	zs_mcp_out_end(out, &json);
}
