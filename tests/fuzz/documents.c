/* JSON that comes from an agent or from a file of the user's or of a project's, for its readers: nothing may crash, and
 * what is refused has a reason. A policy is the same when it is written and read again. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "hook/hook_event.h"
#include "mcp/mcp_message.h"
#include "settings/settings.h"
#include "target.h"
#include "zs_sandbox.h"

static char home[] = "HOME=/home/ada", *const environment[] = { home, NULL };

/* The part of the event's text that a command's value has is a string or an array. */
static void check_command(const struct zs_hook_event *event, const struct zs_event_command *command)
{
	size_t len = strlen(event->input_text);

	zs_target_check(command->start < command->end && command->end <= len, "a command outside of the event");
	zs_target_check(event->input_text[command->start] == (command->words ? '[' : '"') &&
				event->input_text[command->end - 1] == (command->words ? ']' : '"'),
		"a command that is no value");
}

static bool read_event(const char *text, size_t len)
{
	bool any = false;

	for (size_t i = 0; i < ZS_AGENT_COUNT; i++) {
		struct zs_hook_event event;
		bool ok = zs_hook_read_event(&zs_agents[i], text, len, &event);

		zs_target_check(ok || *event.why, "refused, without saying why");
		zs_target_check(event.command_count <= ZS_HOOK_COMMANDS_MAX &&
					event.root_count <= ZS_HOOK_FOLDERS_MAX &&
					event.folder_count <= ZS_HOOK_FOLDERS_MAX,
			"too many");
		zs_target_check(!ok || event.runs || !event.command_count, "a command of a tool that runs none");
		for (size_t j = 0; ok && j < event.command_count; j++)
			check_command(&event, &event.commands[j]);
		any |= ok && event.command_count;
		zs_hook_event_free(&event);
	}
	return any;
}

static bool read_settings(const char *workspace, const char *text, size_t len)
{
	struct zs_error error = { 0 };
	struct zs_settings_reading reading = {
		.file = "settings.json", .workspace = workspace, .envp = environment, .error = &error
	};
	struct zs_settings_file file = { 0 };
	int r = zs_settings_parse(&reading, text, len, &file);

	zs_target_check(r <= 0 && (r == 0 || error.cause), "refused, without saying why");
	zs_settings_file_free(&file);
	return r == 0;
}

static char *written(struct zs_policy *policy)
{
	struct zs_error error = { 0 };
	char *text = NULL;
	size_t len;

	zs_target_check(!policy || zs_policy_to_json(policy, false, &text, &len, &error) == 0, "a policy that is none");
	zs_policy_free(policy);
	return text;
}

static bool read_policy(const char *text, size_t len)
{
	struct zs_error error = { 0 };
	struct zs_policy *policy = NULL;
	char *first, *second;
	int r = zs_policy_from_json(text, len, environment, &policy, &error);

	zs_target_check(r <= 0 && (r < 0) == !policy && (r == 0 || error.cause), "refused, without saying why");
	if (r < 0)
		return false;
	first = written(policy);
	policy = NULL;
	zs_target_check(zs_policy_from_json(first, strlen(first), environment, &policy, &error) == 0,
		"a policy that cannot be read again");
	second = written(policy);
	zs_target_check(strcmp(first, second) == 0, "a policy that changes");
	free(first);
	free(second);
	return true;
}

static bool read_message(char *line, size_t len)
{
	struct zs_mcp_message message;
	bool good;

	zs_mcp_read(line, len, &message);
	good = message.kind == ZS_MCP_REQUEST || message.kind == ZS_MCP_NOTIFICATION;
	zs_target_check(message.kind != ZS_MCP_BAD || *message.what, "refused, without saying why");
	zs_target_check(!good || yyjson_is_str(message.method), "a message without a method");
	zs_target_check(message.kind != ZS_MCP_REQUEST || message.id, "a request that cannot be answered");
	zs_mcp_message_free(&message);
	return good;
}

static bool is_read(char *text, size_t len, char reader)
{
	switch (reader) {
	case 'e':
		return read_event(text, len);
	case 's':
		return read_settings(NULL, text, len);
	case 'S':
		return read_settings("/srv/tally", text, len);
	case 'p':
		return read_policy(text, len);
	case 'm':
		return read_message(text, len);
	default:
		return false;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text;
	bool read;

	zs_target_input = (struct zs_target_input){ data, size };
	if (!size)
		return -1;
	text = zs_target_copy(data + 1, size - 1);
	read = is_read(text, size - 1, (char)*data);
	free(text);
	return read ? 0 : -1;
}

static const struct seed samples[] = {
	ROW("e{\"session_id\":\"5b\",\"cwd\":\"/srv/tally\",\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\","
	    "\"tool_input\":{\"command\":\"make test\",\"description\":\"d\"}}"),
	ROW("e{\"toolCall\":{\"name\":\"run_command\",\"args\":{\"CommandLine\":\"ls\",\"Cwd\":\"/srv/tally\"}},"
	    "\"workspacePaths\":[\"/srv/tally\"]}"),
	ROW("e{\"hook_event_name\":\"BeforeTool\",\"cwd\":\"/srv\",\"tool_name\":\"run_shell_command\",\"tool_input\":"
	    "{\"command\":\"a\\u0020\\\"b\\\"\",\"directory\":\"sub\"}}"),
	ROW("s{\"sandbox\":{\"additional_read_only_paths\":[\"~/notes\"],\"write_paths\":[\"/srv/cache\"],\"limits\":"
	    "{\"wall_seconds\":600},\"linux\":{\"network_hosts\":[\"example.org\"]}}}"),
	ROW("S{\"sandbox\":{\"hide\":[\"secret\",\"@secrets\"],\"protect\":[\"Makefile\"]}}"),
	ROW("p{\"version\":1,\"workspace\":{\"root\":\"/srv/tally\",\"access\":\"write\"},\"paths\":[{\"path\":\"/"
	    "usr\",\"access\":\"exec\"}],"
	    "\"network\":{\"hosts\":[\"example.org:443\"]},\"limits\":{\"wall_seconds\":60}}"),
	ROW("p{\"version\":1,\"env\":{\"pass\":[\"HOME\",\"LC_*\"],\"set\":{\"CI\":\"1\"}},\"without\":[\"metadata\"]"
	    "}"),
	ROW("m{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"bash\",\"arguments\":"
	    "{\"command\":\"ls\"}}}"),
	ROW("m{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}"),
};

static const struct seed pieces[] = { ROW("\""), ROW("{"), ROW("}"), ROW("["), ROW("]"), ROW(":"), ROW(","), ROW("\\"),
	ROW("\\u0000"), ROW("\\ud800"), ROW("null"), ROW("true"), ROW("1e999"), ROW("-1"), ROW("18446744073709551616"),
	ROW("\"\":\"\","), ROW("\"command\":\"ls\","), ROW("\"command\":[\"a\",\"b\"],"), ROW("\"cwd\":\"..\","),
	ROW("\"tool_name\":\"Bash\","), ROW("\"tool_input\":{},"), ROW("\"tool_args\":\"{}\","),
	ROW("\"shell\":\"zsh\","), ROW("\"script\":\"ls\","), ROW("\"commands\":[\"ls\"],"), ROW("\"version\":1,"),
	ROW("\"sandbox\":{},"), ROW("\"write_paths\":[\"/\"],"), ROW("\"paths\":[],"), ROW("\"path\":\"~\","),
	ROW("\"access\":\"write\","), ROW("\"network_hosts\":[\"*.a.org:1\"],"), ROW("\"network\":\"full\","),
	ROW("\"root\":{\"path\":\"/srv/root\"},"), ROW("\"limits\":{\"memory_bytes\":1},"),
	ROW("\"hide\":[\"*.pem\"],"), ROW("\"commands\":[{\"deny\":\"rm\"}],"), ROW("\"id\":\"x\","),
	ROW("\"method\":\"ping\","), ROW("../"), ROW("/"), ROW("~/"), ROW("*"), ROW("//"), ROW("\0"), ROW("\xff"),
	ROW("\u00e9"), ROW("\n"), ROW("/* c */"), ROW("[[[[[[[["), ROW("]]]]]]]]") };

const struct target zs_target = { samples, pieces, sizeof samples / sizeof *samples, sizeof pieces / sizeof *pieces };
