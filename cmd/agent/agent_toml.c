/* Our hook as a [[hooks]] table at the end of a TOML file, whose statements are told apart and not understood
 * (https://toml.io/en/v1.0.0). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/agent_form.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/memory_stream.h"

static const char step[] = "install";
static const char header[] = "[[hooks]]";
static const char by_hand[] = "mend the file by hand; nothing was changed";

struct statement {
	size_t begin, end; /* from its first byte to the one after its newline */
};

/* The end of a string that begins at `at`; 0: it has none. */
static size_t agent_toml_skip_string(const struct zs_agent_text *text, size_t at)
{
	char quote = text->text[at];
	bool whole = text->len - at >= 3 && text->text[at + 1] == quote && text->text[at + 2] == quote;

	for (at += whole ? 3 : 1; at < text->len; at++) {
		if (text->text[at] == '\\' && quote == '"')
			at++;
		else if (text->text[at] == '\n' && !whole)
			return 0;
		else if (text->text[at] == quote && !whole)
			return at + 1;
		else if (text->len - at >= 3 && text->text[at] == quote && text->text[at + 1] == quote &&
			 text->text[at + 2] == quote) {
			/* Up to two more belong to the string. */
			for (at += 3; at < text->len && text->text[at] == quote; at++)
				;
			return at;
		}
	}
	return 0;
}

static size_t skip_to_newline(const struct zs_agent_text *text, size_t at)
{
	while (at < text->len && text->text[at] != '\n')
		at++;
	return at;
}

static size_t agent_toml_skip_blanks(const struct zs_agent_text *text, size_t at)
{
	while (at < text->len && text->text[at] && strchr(" \t\r\n", text->text[at]))
		at++;
	return at;
}

/* The next statement; false: there is none, or *ret_problem says why and *at where. */
static bool next_statement(
	const struct zs_agent_text *text, size_t *at, struct statement *ret, const char **ret_problem)
{
	size_t depth = 0, here = agent_toml_skip_blanks(text, *at), begin;

	while (here < text->len && text->text[here] == '#')
		here = agent_toml_skip_blanks(text, skip_to_newline(text, here));
	begin = here;
	while (here < text->len && (text->text[here] != '\n' || depth > 0)) {
		char c = text->text[here];
		size_t end = here + 1;

		if (c == '"' || c == '\'')
			end = agent_toml_skip_string(text, here);
		else if (c == '#')
			end = skip_to_newline(text, here);
		if (!end || ((c == ']' || c == '}') && depth == 0)) {
			*at = here;
			*ret_problem = end ? "a bracket that nothing opens" : "a string without an end";
			return false;
		}
		depth += c == '[' || c == '{';
		depth -= c == ']' || c == '}';
		here = end;
	}
	if (depth > 0) {
		*at = begin;
		*ret_problem = "a bracket that nothing closes";
		return false;
	}
	*ret = (struct statement){ begin, here < text->len ? here + 1 : here };
	*at = ret->end;
	return ret->end > begin;
}

/* Does the statement begin with that word, after which comes none of its letters? */
static bool agent_toml_starts_with(
	const struct zs_agent_text *text, const struct statement *statement, const char *word)
{
	size_t len = strlen(word), all = statement->end - statement->begin;

	return all >= len && memcmp(text->text + statement->begin, word, len) == 0 &&
	       (all == len || strchr(" \t=.\r\n#", text->text[statement->begin + len]));
}

/* The string that is the value of `key = "…"`, of which we read the escapes that we write. */
static bool agent_toml_read_value(
	const struct zs_agent_text *text, const struct statement *statement, const char *key, char *value, size_t size)
{
	size_t at = statement->begin + strlen(key), len = 0;
	char quote;

	if (!agent_toml_starts_with(text, statement, key))
		return false;
	at = agent_toml_skip_blanks(text, at);
	if (at >= statement->end || text->text[at] != '=')
		return false;
	at = agent_toml_skip_blanks(text, at + 1);
	if (at >= statement->end || (text->text[at] != '"' && text->text[at] != '\''))
		return false;
	quote = text->text[at++];
	for (; at < statement->end && text->text[at] != quote && len + 1 < size; at++) {
		if (quote == '"' && text->text[at] == '\\' && at + 1 < statement->end)
			at++;
		value[len++] = text->text[at];
	}
	value[len] = '\0';
	return at < statement->end && text->text[at] == quote;
}

/* Our table */

enum { VALUE_BYTES = 2 * PATH_MAX + 1024 };

struct table {
	struct statement all; /* from its header to the end of its last statement */
	bool hooks, event;
	char matcher[64], command[VALUE_BYTES];
};

static bool agent_toml_is_ours(
	const struct zs_agent_text *text, const struct table *table, struct zs_hook_call *ret_command)
{
	return table->hooks && zs_hook_call_read(table->command, strlen(table->command), text->agent, ret_command);
}

static void read_statement(const struct zs_agent_text *text, const struct statement *statement, struct table *table)
{
	char event[32];

	table->all.end = statement->end;
	if (agent_toml_read_value(text, statement, "event", event, sizeof event))
		table->event = strcmp(event, "PreToolUse") == 0;
	agent_toml_read_value(text, statement, "matcher", table->matcher, sizeof table->matcher);
	agent_toml_read_value(text, statement, "command", table->command, sizeof table->command);
}

/* The first of our tables, and how many there are. */
static int find_table(const struct zs_agent_text *text, struct table *ret_table, struct zs_hook_call *ret_command,
	size_t *ret_count, struct zs_error *error)
{
	ZS_AUTO_FREE struct table *table = calloc(1, sizeof *table);
	struct statement statement;
	const char *problem = NULL;
	size_t at = text->len >= 3 && memcmp(text->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	bool top = true;

	*ret_count = 0;
	if (!table)
		return zs_error_errno(error, step, text->path, ENOMEM);
	for (;;) {
		bool more = next_statement(text, &at, &statement, &problem);
		bool is_header = more && text->text[statement.begin] == '[';

		if ((!more || is_header) && agent_toml_is_ours(text, table, ret_command) && (*ret_count)++ == 0)
			*ret_table = *table;
		if (problem)
			return zs_agent_text_fail(text, at, problem, by_hand, error);
		if (!more)
			return 0;
		if ((is_header || top) && agent_toml_starts_with(text, &statement, is_header ? "[hooks]" : "hooks"))
			return zs_agent_text_fail(
				text, statement.begin, "\"hooks\" is not an array of tables", by_hand, error);
		top = top && !is_header;
		if (is_header)
			*table = (struct table){ .all = statement,
				.hooks = agent_toml_starts_with(text, &statement, header) };
		else
			read_statement(text, &statement, table);
	}
}

/* Writing */

static bool has_crlf(const struct zs_agent_text *text)
{
	const char *newline = text->text ? memchr(text->text, '\n', text->len) : NULL;

	return newline && newline > text->text && newline[-1] == '\r';
}

static void put_table(FILE *out, const char *newline, const char *line, const char *shell)
{
	fprintf(out, "%s%s", header, newline);
	fprintf(out, "event = \"PreToolUse\"%s", newline);
	fprintf(out, "matcher = \"%s\"%s", shell, newline);
	fputs("command = \"", out);
	for (; *line; line++)
		fprintf(out, *line == '"' || *line == '\\' ? "\\%c" : "%c", *line);
	fprintf(out, "\"%stimeout = 60%s", newline, newline);
}

/* old with a part of it replaced: by `before` and our table; line NULL: by nothing. */
static int agent_toml_replace(const struct zs_agent_text *old, struct statement part, const char *before,
	const struct zs_hook_call *command, struct zs_agent_change *ret_new, struct zs_error *error)
{
	ZS_AUTO_FREE char *line = command ? zs_hook_call_text(command, ZS_HOOK_GUARDED) : NULL;
	const char *newline = has_crlf(old) ? "\r\n" : "\n";
	char *text = NULL;
	size_t len;
	FILE *out = command && !line ? NULL : zs_memory_stream(&text, &len);

	if (!out)
		return zs_error_errno(error, step, old->path, ENOMEM);
	if (part.begin > 0)
		fwrite(old->text, 1, part.begin, out);
	fputs(before, out);
	if (line)
		put_table(out, newline, line, old->agent->shell);
	if (old->len > part.end)
		fwrite(old->text + part.end, 1, old->len - part.end, out);
	if (!zs_memory_close(out, &text))
		return zs_error_errno(error, step, old->path, ENOMEM);
	*ret_new = (struct zs_agent_change){ text, len };
	return 0;
}

/* The newline before our table is ours too: there is none in a file that was made for it. */
static struct statement with_newline(const struct zs_agent_text *text, struct statement part)
{
	if (part.begin > 0 && text->text[part.begin - 1] == '\n')
		part.begin -= part.begin > 1 && text->text[part.begin - 2] == '\r' ? 2 : 1;
	return part;
}

static int agent_toml_put(const struct zs_agent_text *old, const struct zs_hook_call *command,
	struct zs_agent_change *ret_new, struct zs_error *error)
{
	const char *newline = has_crlf(old) ? "\r\n" : "\n";
	struct table table;
	struct zs_hook_call found;
	size_t count = 0;
	int r = old->text ? find_table(old, &table, &found, &count, error) : 0;

	if (r < 0)
		return r;
	if (count > 0)
		return agent_toml_replace(old, table.all, "", command, ret_new, error);
	return agent_toml_replace(
		old, (struct statement){ old->len, old->len }, old->text ? newline : "", command, ret_new, error);
}

static int agent_toml_take_out(const struct zs_agent_text *old, struct zs_agent_change *ret_new, struct zs_error *error)
{
	struct table table;
	struct zs_hook_call found;
	size_t count;
	int r = find_table(old, &table, &found, &count, error);

	*ret_new = (struct zs_agent_change){ NULL, 0 };
	if (r < 0 || (table.all.begin == 0 && table.all.end == old->len))
		return r;
	return agent_toml_replace(old, with_newline(old, table.all), "", NULL, ret_new, error);
}

static int agent_toml_look(const struct zs_agent_text *text, struct zs_agent_hook *ret_hook, struct zs_error *error)
{
	struct zs_agent_change same = { NULL, 0 };
	struct zs_hook_call command;
	struct table table;
	size_t count;
	int r = find_table(text, &table, &command, &count, error);

	*ret_hook = (struct zs_agent_hook){ .found = r == 0 && count > 0, .alone = count == 1 };
	if (!ret_hook->found)
		return r;
	ret_hook->covers = !table.matcher[0] || strcmp(table.matcher, text->agent->shell) == 0;
	ret_hook->enabled = table.event;
	ret_hook->command = command;
	r = agent_toml_replace(text, table.all, "", &command, &same, error);
	ret_hook->intact = r == 0 && same.len == text->len && memcmp(same.text, text->text, text->len) == 0;
	free(same.text);
	return r;
}

const struct zs_agent_form zs_agent_form_toml = { agent_toml_look, agent_toml_put, agent_toml_take_out };
