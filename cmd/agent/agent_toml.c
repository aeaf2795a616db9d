/* Our hook as a [[hooks]] table at the end of a TOML file. The file is split into statements, which are not
 * interpreted. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/agent_form.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/memory_stream.h"
#include "base/toml_text.h"

static const char step[] = "install";
static const char header[] = "[[hooks]]";
static const char by_hand[] = "mend the file by hand; nothing was changed";

static const char blanks[] = ZS_TOML_BLANKS;

/* Does the statement begin with that whole word? */
static bool agent_toml_starts_with(const struct zs_toml_statement *statement, const char *word)
{
	size_t len = strlen(word);

	return strncmp(statement->begin, word, len) == 0 && strchr(" \t=.\r\n#", statement->begin[len]);
}

/* Reads the string of `key = "…"`, with those escapes that zs itself writes. */
static bool agent_toml_read_value(const struct zs_toml_statement *statement, const char *key, char *value, size_t size)
{
	const char *at = statement->begin + strlen(key);
	size_t len = 0;
	char quote;

	if (!agent_toml_starts_with(statement, key))
		return false;
	at += strspn(at, blanks);
	if (*at != '=')
		return false;
	at += 1 + strspn(at + 1, blanks);
	quote = *at;
	if (quote != '"' && quote != '\'')
		return false;
	for (at++; at < statement->end && *at != quote && len + 1 < size; at++) {
		at += quote == '"' && *at == '\\' && at[1];
		value[len++] = *at;
	}
	value[len] = '\0';
	return at < statement->end && *at == quote;
}

/* Our table */

enum { VALUE_BYTES = 2 * PATH_MAX + 1024 };

struct table {
	struct zs_toml_statement all; /* from its header to the end of its last statement */
	bool hooks, event;
	char matcher[64], command[VALUE_BYTES];
	struct zs_hook_call call;
};

static void read_statement(const struct zs_toml_statement *statement, struct table *table)
{
	char event[32];

	table->all.end = statement->end;
	if (agent_toml_read_value(statement, "event", event, sizeof event))
		table->event = strcmp(event, "PreToolUse") == 0;
	agent_toml_read_value(statement, "matcher", table->matcher, sizeof table->matcher);
	agent_toml_read_value(statement, "command", table->command, sizeof table->command);
}

/* Finds the first of our tables, and counts them. */
static int find_table(
	const struct zs_agent_text *text, struct table *ret_table, size_t *ret_count, struct zs_error *error)
{
	ZS_AUTO_FREE struct table *table = calloc(1, sizeof *table);
	const char *at = text->text + (strncmp(text->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0), *problem = NULL;
	struct zs_toml_statement statement;
	bool top = true;

	*ret_count = 0;
	if (!table)
		return zs_error_errno(error, step, text->path, ENOMEM);
	if (strlen(text->text) != text->len)
		return zs_agent_text_fail(text, strlen(text->text), "a NUL", by_hand, error);
	for (;;) {
		bool more = zs_toml_next_statement(&at, &statement, &problem);
		bool is_header = more && *statement.begin == '[';

		if ((!more || is_header) && table->hooks &&
			zs_hook_call_read(table->command, strlen(table->command), text->agent, &table->call) &&
			(*ret_count)++ == 0)
			*ret_table = *table;
		if (problem)
			return zs_agent_text_fail(text, (size_t)(at - text->text), problem, by_hand, error);
		if (!more)
			return 0;
		if ((is_header || top) && agent_toml_starts_with(&statement, is_header ? "[hooks]" : "hooks"))
			return zs_agent_text_fail(text, (size_t)(statement.begin - text->text),
				"\"hooks\" is not an array of tables", by_hand, error);
		top = top && !is_header;
		if (is_header)
			*table =
				(struct table){ .all = statement, .hooks = agent_toml_starts_with(&statement, header) };
		else
			read_statement(&statement, table);
	}
}

/* Writing */

static const char *newline_of(const struct zs_agent_text *text)
{
	const char *newline = text->text ? strchr(text->text, '\n') : NULL;

	return newline && newline > text->text && newline[-1] == '\r' ? "\r\n" : "\n";
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

/* Replaces a part of the old text by `before` and our table; by nothing if command is NULL. */
static int agent_toml_replace(const struct zs_agent_text *old, struct zs_toml_statement part, const char *before,
	const struct zs_hook_call *command, struct zs_agent_change *ret_new, struct zs_error *error)
{
	ZS_AUTO_FREE char *line = command ? zs_hook_call_text(command, ZS_HOOK_GUARDED) : NULL;
	char *text = NULL;
	size_t len;
	FILE *out = command && !line ? NULL : zs_memory_stream(&text, &len);

	if (out && old->text)
		fwrite(old->text, 1, (size_t)(part.begin - old->text), out);
	if (out && line) {
		fputs(before, out);
		put_table(out, newline_of(old), line, old->agent->shell);
	}
	if (out && old->text)
		fputs(part.end, out);
	if (!zs_memory_close(out, &text))
		return zs_error_errno(error, step, old->path, ENOMEM);
	*ret_new = (struct zs_agent_change){ text, len };
	return 0;
}

static int agent_toml_put(const struct zs_agent_text *old, const struct zs_hook_call *command,
	struct zs_agent_change *ret_new, struct zs_error *error)
{
	const char *end = old->text ? old->text + old->len : NULL;
	struct table table;
	size_t count = 0;
	int r = old->text ? find_table(old, &table, &count, error) : 0;

	if (r < 0)
		return r;
	if (count > 0)
		return agent_toml_replace(old, table.all, "", command, ret_new, error);
	return agent_toml_replace(
		old, (struct zs_toml_statement){ end, end }, old->text ? newline_of(old) : "", command, ret_new, error);
}

/* Removes the newline before our table as well, which zs wrote unless it made the file. */
static int agent_toml_take_out(const struct zs_agent_text *old, struct zs_agent_change *ret_new, struct zs_error *error)
{
	struct zs_toml_statement part;
	struct table table;
	size_t count;
	int r = find_table(old, &table, &count, error);

	*ret_new = (struct zs_agent_change){ NULL, 0 };
	part = table.all;
	if (r < 0 || (part.begin == old->text && !*part.end))
		return r;
	if (part.begin > old->text && part.begin[-1] == '\n')
		part.begin -= part.begin > old->text + 1 && part.begin[-2] == '\r' ? 2 : 1;
	return agent_toml_replace(old, part, "", NULL, ret_new, error);
}

static int agent_toml_look(const struct zs_agent_text *text, struct zs_agent_hook *ret_hook, struct zs_error *error)
{
	struct zs_agent_change same = { NULL, 0 };
	struct table table;
	size_t count;
	int r = find_table(text, &table, &count, error);

	*ret_hook = (struct zs_agent_hook){ .found = r == 0 && count > 0, .alone = count == 1 };
	if (!ret_hook->found)
		return r;
	ret_hook->covers = !table.matcher[0] || strcmp(table.matcher, text->agent->shell) == 0;
	ret_hook->enabled = table.event;
	ret_hook->command = table.call;
	r = agent_toml_replace(text, table.all, "", &table.call, &same, error);
	ret_hook->intact = r == 0 && strcmp(same.text, text->text) == 0;
	free(same.text);
	return r;
}

const struct zs_agent_form zs_agent_form_toml = { agent_toml_look, agent_toml_put, agent_toml_take_out };
