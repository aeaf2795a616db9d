/* The words of a verdict: which command, which operand, and what to do instead. They steer a model, so they say what
 * works and not only what does not. */
#include "decide.h"

#include <string.h>

static const char *const hints[ZS_RISK_COUNT] = {
	[ZS_RISK_VERSION] = "Rebuild the program against this version of zs.",
	[ZS_RISK_SYNTAX_ERROR] = "Correct the syntax and try again; `bash -n` shows where bash stops reading.",
	[ZS_RISK_UNSUPPORTED] = "Write it plainly: one simple command, or a script file that you run by its path.",
	[ZS_RISK_LIMIT] = "Split it into several smaller commands.",
	[ZS_RISK_OPAQUE_INTERPRETER] = "Put the code into a file with your editing tool and run that file by its path.",
	[ZS_RISK_EVAL] = "Write the command itself; do not build it from text.",
	[ZS_RISK_GUARD] = "Leave zs as it is, and ask the person who runs you.",
	[ZS_RISK_DENIED] = "Find another way, or ask the person who runs you.",
	[ZS_RISK_ASKED] = "Say what you would run and why, and let the person who runs you do it.",
	[ZS_RISK_DESTROYS] = "Stay in the workspace or in /tmp; ask the person who runs you for changes elsewhere.",
	[ZS_RISK_LOSES_WORK] = "Commit or stash first, or ask the person who runs you.",
	[ZS_RISK_REMOTE_CHANGE] = "Say what you would run and why, and let the person who runs you do it.",
	[ZS_RISK_SENDS_OUT] = "Show the person who runs you what would be sent, and let them send it.",
	[ZS_RISK_PERSISTS] = "Run it now, within the session, or ask the person who runs you.",
	[ZS_RISK_CD] =
		"Stay in the working directory: use ./dir/program, or the tool's own option (git -C dir, make -C dir).",
	[ZS_RISK_REDIRECT] =
		"Create and edit files with your editing tool; to look at output, pipe it (| head, | tail).",
	[ZS_RISK_DYNAMIC_COMMAND] =
		"Write out the program's name, or first set the variable to plain text: x='make -j4'; $x test.",
	[ZS_RISK_DYNAMIC_ARGUMENT] = "Write out the options, the subcommand and the script.",
	[ZS_RISK_INLINE_CODE] = "Run a script that is in the repository, or a tool such as jq, instead of inline code.",
	[ZS_RISK_WRITE] = "This is a read-only check: report the change that is needed to the parent agent.",
	[ZS_RISK_REPO_STATE] =
		"This is a read-only check: leave the repository as it is and report to the parent agent.",
	[ZS_RISK_METADATA] = "This is a read-only check: report the mode or owner that is needed to the parent agent.",
	[ZS_RISK_DEVICE] = "Leave devices and mounts alone; report what is needed to the parent agent.",
	[ZS_RISK_ENVIRONMENT] = "Run the command without this assignment.",
	[ZS_RISK_PRIVILEGE] = "Run it without another user's rights, or ask the person who runs you to run it.",
	[ZS_RISK_UNKNOWN_COMMAND] = "Use a command that zs knows, or ask the person who runs you to allow this one.",
};

const char *zs_explain_hint(enum zs_risk code, const struct zs_finding *finding)
{
	if (finding && finding->hint)
		return finding->hint;
	return code < ZS_RISK_COUNT && hints[code] ? hints[code] : "";
}

/* The name of the finding's command; NULL if it has none. */
static const char *command_name(const struct zs_ir *ir, const struct zs_finding *finding)
{
	const struct zs_command *command;

	if (!finding || finding->command < 0 || (uint32_t)finding->command >= ir->command_count)
		return NULL;
	command = &ir->commands[finding->command];
	return command->key && *command->key ? command->key : NULL;
}

/* Shortens an object to what is enough to recognise it. */
static const char *shorten(struct zs_arena *arena, const char *object)
{
	const size_t most = 80;

	if (strlen(object) <= most)
		return object;
	return zs_arena_format(arena, "%.*s...", (int)most, object);
}

const char *zs_explain_reason(
	struct zs_arena *arena, const struct zs_ir *ir, enum zs_risk code, const struct zs_finding *finding)
{
	const char *name = command_name(ir, finding);
	const char *object = finding && finding->object ? shorten(arena, finding->object) : NULL;
	const char *meaning = zs_risk_text(code);
	const char *detail = finding ? finding->detail : NULL;

	if (code == ZS_RISK_VERSION)
		return zs_arena_format(
			arena, "the IR has version %u, this engine reads version %u", ir->version, ZS_IR_VERSION);
	if (code == ZS_RISK_SYNTAX_ERROR && ir->error_count && !*ir->errors[0].found)
		return zs_arena_format(arena, "syntax error at line %u, column %u: the text ends too early",
			ir->errors[0].line, ir->errors[0].column);
	if (code == ZS_RISK_SYNTAX_ERROR && ir->error_count)
		return zs_arena_format(arena, "syntax error at line %u, column %u, near '%s'", ir->errors[0].line,
			ir->errors[0].column, ir->errors[0].found);
	if (code == ZS_RISK_REDIRECT && detail && detail[0] != '>' && detail[0] != '&' && detail[0] != '<')
		return object ? zs_arena_format(arena, "redirects output to the file '%s', %s", object, detail)
			      : zs_arena_format(arena, "redirects output to a file: %s", detail);
	if (code == ZS_RISK_REDIRECT && object)
		return zs_arena_format(arena, "redirects output to the file '%s'", object);
	if (code == ZS_RISK_UNSUPPORTED && object)
		return zs_arena_format(arena, "%s: '%s'", detail ? detail : meaning, object);
	if (code == ZS_RISK_LIMIT)
		return zs_arena_format(arena, "%s: %s", meaning, object ? object : "text");
	if (object && name && strcmp(object, name) != 0)
		return zs_arena_format(arena, "%s: '%s': %s", name, object, detail ? detail : meaning);
	if (!name)
		name = object ? object : "command";
	return zs_arena_format(arena, "%s: %s", name, detail ? detail : meaning);
}
