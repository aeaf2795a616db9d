/* Our hook as a file of its own: a script for Cline, a plugin for opencode. Its second line holds the call that made
 * it, so that zs can tell whether somebody has changed the rest. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "agent/agent_form.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/json.h"
#include "base/memory_stream.h"

static const char step[] = "install";

/* $ is the command; & is the command as elements of a JavaScript array. */
struct template {
	const char *text;
	const char *mark; /* the text before the command in the line that marks the file as ours */
	const char *chain;
};

/* Cline runs the command if its hook fails in any way, so the script answers a failure with a denial. */
static const struct template script = {
	"#!/bin/sh\n"
	"# zs hook: $\n"
	"# Written by zs install cline; zs uninstall cline takes it away. Cline runs the command when its hook fails.\n"
	"if answer=$($); then\n"
	"	[ -z \"$answer\" ] || printf '%s\\n' \"$answer\"\n"
	"else\n"
	"	echo '{\"cancel\":true,\"errorMessage\":\"zs: no, or no answer from zs; nothing ran\"}'\n"
	"fi\n",
	"\n# zs hook: ",
	"Cline runs only one hook: let yours call 'zs hook cline' with its own input, and print the answer of zs",
};

/* Bun has node:child_process too: a plugin that cannot be loaded guards nothing. opencode goes on with the object that
 * it has passed in, so the plugin changes that object. */
static const struct template plugin = {
	"// Written by zs install opencode; zs uninstall opencode takes it away.\n"
	"// zs hook: $\n"
	"import { spawnSync } from \"node:child_process\";\n"
	"\n"
	"const hook = [&];\n"
	"const limits = { timeout: 60000, killSignal: \"SIGKILL\", maxBuffer: 64 * 1024 * 1024, encoding: \"utf8\" };\n"
	"\n"
	"// Throws, which keeps the tool from running, unless zs says in so many words that it may.\n"
	"function ask(event) {\n"
	"  const done = spawnSync(hook[0], hook.slice(1), { ...limits, input: JSON.stringify(event) });\n"
	"  let answer;\n"
	"  try {\n"
	"    answer = JSON.parse(done.stdout);\n"
	"  } catch {\n"
	"    answer = {};\n"
	"  }\n"
	"  if (!done.error && done.status === 0 && answer?.verdict === \"allow\") return answer;\n"
	"  throw new Error(answer?.reason || `zs: no answer from ${hook[0]}; nothing ran`);\n"
	"}\n"
	"\n"
	"export const ZsHook = async ({ directory }) => ({\n"
	"  \"tool.execute.before\": async (input, output) => {\n"
	"    const { args } = ask({ tool: input.tool, args: output.args, cwd: directory });\n"
	"    if (!args) return;\n"
	"    for (const name of Object.keys(output.args)) delete output.args[name];\n"
	"    Object.assign(output.args, args);\n"
	"  },\n"
	"});\n",
	"\n// zs hook: ",
	"rename that plugin",
};

static void put_array(FILE *out, const struct zs_hook_call *command)
{
	struct zs_json json = { out, false };

	zs_json_text(&json, command->zs);
	fprintf(out, ", \"hook\", \"%s\"", command->agent->id);
	if (command->profile[0])
		fprintf(out, ", \"--profile\", \"%s\"", command->profile);
	if (command->confine)
		fputs(", \"--confine\"", out);
}

static const struct template *template_of(const struct zs_agent *agent)
{
	return zs_agent_configs[agent->number].form == ZS_CONFIG_SCRIPT ? &script : &plugin;
}

/* Is it a place for the command? A $ before '(' or a letter belongs to the shell or to JavaScript. */
static bool is_place(const char *at)
{
	return *at == '&' ? at[1] == ']' : *at == '$' && (at[1] == '\n' || at[1] == ')');
}

static char *agent_whole_print(const struct zs_hook_call *command, size_t *ret_len)
{
	ZS_AUTO_FREE char *line = zs_hook_call_text(command, ZS_HOOK_WORDS);
	char *text = NULL;
	FILE *out = line ? zs_memory_stream(&text, ret_len) : NULL;

	if (!out)
		return NULL;
	for (const char *at = template_of(command->agent)->text; *at; at++) {
		if (!is_place(at))
			fputc(*at, out);
		else if (*at == '$')
			fputs(line, out);
		else
			put_array(out, command);
	}
	return zs_memory_close(out, &text);
}

/* Finds the options that the text was made with, and whether it is unchanged. */
static int agent_whole_look(const struct zs_agent_text *text, struct zs_agent_hook *ret_hook, struct zs_error *error)
{
	const char *mark = template_of(text->agent)->mark, *newline = memchr(text->text, '\n', text->len), *begin, *end;
	size_t mark_len = strlen(mark), len;
	ZS_AUTO_FREE char *same = NULL;
	struct zs_hook_call command;

	*ret_hook = (struct zs_agent_hook){ .found = false };
	if (!newline || text->len - (size_t)(newline - text->text) < mark_len || memcmp(newline, mark, mark_len) != 0)
		return 0;
	begin = newline + mark_len;
	end = memchr(begin, '\n', text->len - (size_t)(begin - text->text));
	if (!end || !zs_hook_call_read(begin, (size_t)(end - begin), text->agent, &command))
		return 0;
	same = agent_whole_print(&command, &len);
	if (!same)
		return zs_error_errno(error, step, text->path, ENOMEM);
	ret_hook->found = ret_hook->alone = ret_hook->covers = ret_hook->enabled = true;
	ret_hook->intact = len == text->len && memcmp(same, text->text, len) == 0;
	ret_hook->command = command;
	return 0;
}

static int changed_since(const struct zs_agent_text *old, struct zs_error *error)
{
	zs_error_say(error, step, old->path, EEXIST, "zs wrote this file, and somebody has changed it since");
	return zs_error_hint(error, -EEXIST, "look at the file, and remove it by hand; nothing was changed");
}

/* Refuses to replace a file that is not ours, or that somebody has changed. */
static int agent_whole_put(const struct zs_agent_text *old, const struct zs_hook_call *command,
	struct zs_agent_change *ret_new, struct zs_error *error)
{
	struct zs_agent_hook hook = { .found = true, .intact = true };
	int r = old->text ? agent_whole_look(old, &hook, error) : 0;

	if (r < 0)
		return r;
	if (!hook.found) {
		zs_error_say(error, step, old->path, EEXIST, "exists already, and zs did not write it");
		return zs_error_hint(error, -EEXIST, "%s", template_of(old->agent)->chain);
	}
	if (!hook.intact)
		return changed_since(old, error);
	ret_new->text = agent_whole_print(command, &ret_new->len);
	return ret_new->text ? 0 : zs_error_errno(error, step, old->path, ENOMEM);
}

static int agent_whole_take_out(
	const struct zs_agent_text *old, struct zs_agent_change *ret_new, struct zs_error *error)
{
	struct zs_agent_hook hook;
	int r = agent_whole_look(old, &hook, error);

	*ret_new = (struct zs_agent_change){ NULL, 0 };
	return r < 0 || hook.intact ? r : changed_since(old, error);
}

const struct zs_agent_form zs_agent_form_whole = { agent_whole_look, agent_whole_put, agent_whole_take_out };
