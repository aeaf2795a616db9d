/* The reader of agents' events: no event that it misreads, and no mutant of one, gets a command past the vetting. */
#include <yyjson.h>

#include "check.h"
#include "base/cleanup.h"
#include "hook/hook_confine.h"
#include "hook/hook_event.h"
#include "base/shell_quote.h"
#include "zs_shellpolicy.h"

#define EVIL "cd /x"

enum { MUTANTS = 20000, EVENT_BYTES = 512 };

static const struct row {
	const char *agent, *event;
	const char *tool, *command; /* where a client of it looks */
} rows[] = {
	{ "claude",
		"{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"" EVIL "\"}}",
		"/tool_name", "/tool_input/command" },
	{ "gemini",
		"{\"hook_event_name\":\"BeforeTool\",\"tool_name\":\"run_shell_command\",\"tool_input\":{\"command\":"
		"\"" EVIL "\",\"dir_path\":\"\"}}",
		"/tool_name", "/tool_input/command" },
	{ "copilot", "{\"toolName\":\"bash\",\"toolArgs\":{\"command\":\"" EVIL "\"},\"cwd\":\"/\"}", "/toolName",
		"/toolArgs/command" },
	{ "cline", "{\"tool_call\":{\"name\":\"run_commands\",\"input\":{\"commands\":[\"" EVIL "\"]}}}",
		"/tool_call/name", "/tool_call/input/commands/0" },
	{ "cursor", "{\"hook_event_name\":\"beforeShellExecution\",\"command\":\"" EVIL "\",\"cwd\":\"\"}", NULL,
		"/command" },
	{ "windsurf", "{\"agent_action_name\":\"pre_run_command\",\"tool_info\":{\"command_line\":\"" EVIL "\"}}", NULL,
		"/tool_info/command_line" },
};

/* One of the generators of xorshift: the same mutants every time. */
static unsigned next(unsigned *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static size_t mutate(unsigned *state, char text[EVENT_BYTES], size_t len)
{
	static const char *const parts[] = { "\"", "\\", "{", "}", "[", "]", ",", ":", "\\u0000", "\xff", "//", "/**/",
		"null", "\"command\":\"ls\",", "\"tool_input\":{},", "\"tool_name\":\"x\",", " ", "\n", "\xef\xbb\xbf",
		"'" };
	size_t at = next(state) % (len + 1), end = at + next(state) % 4;
	const char *part = parts[next(state) % ZS_COUNT(parts)];

	end = end < len ? end : len;
	switch (next(state) % 4) {
	case 0: /* a part in place of some bytes */
		memmove(text + at + strlen(part), text + end, len - end);
		memcpy(text + at, part, strlen(part));
		return len - (end - at) + strlen(part);
	case 1: /* some bytes less */
		memmove(text + at, text + end, len - end);
		return len - (end - at);
	case 2: /* another byte */
		if (at < len)
			text[at] = (char)next(state);
		return len;
	default: /* a part of it again */
		end = at + next(state) % 40 < len ? at + next(state) % 40 : len;
		end = end < at ? at : end;
		if (len + (end - at) > EVENT_BYTES - 64)
			return len;
		memmove(text + end, text + at, len - at);
		return len + (end - at);
	}
}

static bool is_allowed(const struct zs_agent *agent, const char *text, size_t len)
{
	static struct zs_vetter *vetter;
	struct zs_hook_event event;
	bool ok = zs_hook_read_event(agent, text, len, &event);

	if (!vetter)
		vetter = zs_vetter_new();
	for (size_t i = 0; ok && i < event.command_count; i++)
		ok = zs_vet(vetter, event.commands[i].text, strlen(event.commands[i].text),
			     &(struct zs_vet_options){ 0 })
			     ->verdict == ZS_ALLOW;
	zs_hook_event_free(&event);
	return ok;
}

/* As JavaScript and Python take a key that is there twice; yyjson takes the first. */
static yyjson_val *get_last(yyjson_val *value, const char *path)
{
	while (value && *path) {
		size_t len = strcspn(++path, "/");
		yyjson_val *found = yyjson_is_arr(value) ? yyjson_arr_get_first(value) : NULL, *key;
		yyjson_obj_iter iterator = yyjson_obj_iter_with(value);

		while ((key = yyjson_obj_iter_next(&iterator)) != NULL)
			if (yyjson_equals_strn(key, path, len))
				found = yyjson_obj_iter_get_val(key);
		value = found;
		path += len;
	}
	return value;
}

/* Would a client that takes more for JSON than we do still run the command? */
static bool would_run(const struct row *row, char *text, size_t len)
{
	const yyjson_read_flag lax = YYJSON_READ_ALLOW_COMMENTS | YYJSON_READ_ALLOW_TRAILING_COMMAS |
				     YYJSON_READ_ALLOW_INF_AND_NAN | YYJSON_READ_ALLOW_INVALID_UNICODE |
				     YYJSON_READ_STOP_WHEN_DONE;
	yyjson_doc *document = yyjson_read_opts(text, len, lax, NULL, NULL);
	yyjson_val *root = yyjson_doc_get_root(document);
	const struct zs_agent *agent = zs_agent_find(row->agent);
	bool first = yyjson_equals_str(yyjson_doc_ptr_get(document, row->command), EVIL) &&
		     (!row->tool || yyjson_equals_str(yyjson_doc_ptr_get(document, row->tool), agent->shell));
	bool last = yyjson_equals_str(get_last(root, row->command), EVIL) &&
		    (!row->tool || yyjson_equals_str(get_last(root, row->tool), agent->shell));

	yyjson_doc_free(document);
	return first || last;
}

TEST(hook_event_no_mutant_of_a_denied_event_is_allowed_with_its_command)
{
	unsigned state = 20261122, still = 0, allowed = 0;

	for (size_t i = 0; i < ZS_COUNT(rows); i++) {
		const struct zs_agent *agent = zs_agent_find(rows[i].agent);

		CHECK(!is_allowed(agent, rows[i].event, strlen(rows[i].event)), "%s: allowed as it is", rows[i].agent);
		for (unsigned j = 0; j < MUTANTS; j++) {
			char text[EVENT_BYTES];
			size_t len = strlen(rows[i].event);
			bool yes, runs;

			memcpy(text, rows[i].event, len);
			for (unsigned times = 1 + next(&state) % 3; times > 0; times--)
				len = mutate(&state, text, len);
			yes = is_allowed(agent, text, len);
			runs = would_run(&rows[i], text, len);
			CHECK(!yes || !runs, "%s: %.*s", rows[i].agent, (int)len, text);
			allowed += yes;
			still += runs;
		}
	}
	/* Both sides are tried. */
	CHECK(still > 1000 && allowed > 100, "%u mutants would run it, %u are allowed", still, allowed);
}

TEST(hook_event_finds_where_a_command_stands)
{
	static const char *const events[] = {
		"{\"tool\":\"bash\",\"args\":{\"command\":\"ls\"}}",
		" {\n\"tool\" : \"bash\" , \"args\":\t{ \"a\\\"\":[{}] ,\"command\" : \"ls\" ,\"b\":1}\n} ",
		"{\"args\":{\"command\":\"ls\",\"c\":\"}\\\\\"},\"tool\":\"b\\u0061sh\"}",
		"{\"\\u0061rgs\":{\"comm\\u0061nd\":\"\\u006cs\"},\"tool\":\"bash\"}",
		"{\"tool\":\"bash\",\"args\":\"{\\\"command\\\":\\\"ls\\\"}\"}",
	};

	for (size_t i = 0; i < ZS_COUNT(events); i++) {
		struct zs_hook_event event;
		bool ok = zs_hook_read_event(zs_agent_find("opencode"), events[i], strlen(events[i]), &event);

		CHECK(ok && event.runs && event.command_count == 1, "%s: %s", events[i], event.why);
		if (ok && event.command_count == 1) {
			const struct zs_event_command *command = &event.commands[0];
			const char *value = event.input_text + command->start;

			CHECK(strcmp(command->text, "ls") == 0, "%s: %s", events[i], command->text);
			CHECK(*value == '"' && event.input_text[command->end - 1] == '"' &&
					command->end - command->start <= 9,
				"%s: %.*s", events[i], (int)(command->end - command->start), value);
			CHECK(event.input_text[event.input_start] == '{' &&
					event.input_text[event.input_end - 1] == '}',
				"%s", events[i]);
		}
		zs_hook_event_free(&event);
	}
}

TEST(shell_quote_and_back)
{
	static const char *const texts[] = { "", "a", "'", "''", "'a'", "a'b'c", "\\'", "\\", "a\\\\'b\\", "\n",
		"$(x) `y` \"z\" !", "-n", "é" };

	for (size_t i = 0; i < ZS_COUNT(texts); i++) {
		char word[ZS_SHELL_QUOTED_BYTES(32)], text[sizeof word];
		char *end = zs_shell_quote(texts[i], word);

		CHECK(*end == '\0' && strlen(word) < ZS_SHELL_QUOTED_BYTES(strlen(texts[i])), "%s: %s", texts[i], word);
		CHECK(zs_shell_unquote(word, text) && strcmp(text, texts[i]) == 0, "%s: %s", word, text);
	}
	for (const char *const *word = (const char *const[]){ "a", "'a", "a'", "'a' ", "'a'b", "'a''b'", "'a'\"b\"",
		     "'a'\\'", "", "'", "'\\''", " 'a'", "'a\\b'", "'a\\'", NULL };
		*word; word++) {
		char text[32];

		CHECK(!zs_shell_unquote(*word, text), "%s is taken for one word: %s", *word, text);
	}
}

static bool has_one_dollar(const char *text)
{
	const char *dollar = strchr(text, '$');

	return dollar && !strchr(dollar + 1, '$');
}

/* That each agent has a shape is tested with its other rows. */
TEST(hook_tables)
{
	for (size_t i = 0; i < zs_hook_shape_count; i++) {
		const struct zs_hook_shape *shape = &zs_hook_shapes[i];
		const struct zs_agent *agent = &zs_agents[shape->agent];
		const struct zs_hook_words *words = shape->words;

		CHECK(!agent->shell || zs_hook_tool_named(agent, agent->shell) == ZS_HOOK_TOOL_SHELL, "%s", agent->id);
		CHECK(words->allow && (!words->deny || strchr(words->deny, '$')) &&
				(!words->rewrite || has_one_dollar(words->rewrite)),
			"%s", agent->id);
		CHECK(words->deny || words->deny_exit != 0, "%s: a denial of which nothing is said", agent->id);
		CHECK((shape->tool == NULL) == (agent->shell == NULL), "%s: which tool is it?", agent->id);
	}
}
