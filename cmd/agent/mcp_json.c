/* Reads MCP servers from JSON: {"mcpServers": {"NAME": {"command": "…", "args": […], "env": {…}}}}. */
#include <errno.h>
#include <string.h>
#include <yyjson.h>

#include "agent/mcp_config.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/json_edit.h"

static const char by_hand[] = "zs does not know this form; nothing was changed";

struct reader {
	const struct zs_server_row *row;
	const struct zs_agent_text *text;
	struct zs_json_source source;
	struct zs_server_list *list;
	struct zs_error *error;
};

static int fail_at(const struct reader *reader, size_t at, const char *what)
{
	return zs_agent_text_fail(reader->text, at, what, by_hand, reader->error);
}

/* Finds the member of that name. *ret_item is zeroed where there is none. type: the value's first byte; 0: any. */
static int find_member(
	const struct reader *reader, size_t open, const char *name, char type, struct zs_json_item *ret_item)
{
	size_t count;

	*ret_item = (struct zs_json_item){ { 0, 0 }, { 0, 0 } };
	count = zs_json_find(&reader->source, open, name, ret_item);
	if (count == 0)
		*ret_item = (struct zs_json_item){ { 0, 0 }, { 0, 0 } };
	if (count > 1)
		return fail_at(reader, ret_item->name.begin, "this name is there twice");
	if (count == 1 && type && reader->text->text[ret_item->value.begin] != type)
		return fail_at(reader, ret_item->value.begin, "the value has another type");
	return 0;
}

static int read_items(const struct reader *reader, struct zs_server *server, size_t open, bool words)
{
	struct zs_json_item item;
	size_t at = 0;
	int r = 0;

	while (r == 0 && zs_json_next(&reader->source, open, &at, &item)) {
		struct zs_json_span name = { item.name.begin + 1, item.name.end - 1 };

		if (words && reader->text->text[item.value.begin] != '"')
			return fail_at(reader, item.value.begin, "an argument is not a string");
		r = words ? zs_server_add_word(server, reader->text, item.value, reader->error)
			  : zs_server_add_variable(server, reader->text, name, reader->error);
	}
	return r;
}

static int read_server(const struct reader *reader, const struct zs_json_item *member)
{
	static const char *const urls[] = { "url", "httpUrl", "serverUrl" };
	const struct zs_json_span name = { member->name.begin + 1, member->name.end - 1 };
	size_t open = member->value.begin;
	struct zs_server *server;
	struct zs_json_item item;
	int r = 0;

	if (reader->text->text[open] != '{')
		return fail_at(reader, open, "the server is not an object");
	server = zs_server_add_server(reader->list, reader->text, name, reader->error);
	if (!server)
		return -EINVAL;
	for (size_t i = 0; r == 0 && i < ZS_COUNT(urls); i++) {
		r = find_member(reader, open, urls[i], 0, &item);
		server->url = server->url || item.value.end;
	}
	r = r < 0 ? r : find_member(reader, open, "command", server->url ? 0 : '"', &item);
	if (r < 0 || server->url)
		return r;
	server->command = item.value;
	if (!item.value.end)
		return fail_at(reader, open, "the server has neither a command nor a URL");
	r = find_member(reader, open, "args", '[', &item);
	if (r == 0 && item.value.end) {
		server->args_name = item.name.begin;
		server->args = item.value;
		r = read_items(reader, server, item.value.begin, true);
	}
	r = r < 0 ? r : find_member(reader, open, "env", '{', &item);
	return r == 0 && item.value.end ? read_items(reader, server, item.value.begin, false) : r;
}

/* Reads the servers of one table, the member of that object. */
static int read_table(const struct reader *reader, size_t open)
{
	struct zs_json_item table, member;
	size_t at = 0;
	int r = find_member(reader, open, reader->row->key, '{', &table);

	while (r == 0 && table.value.end && zs_json_next(&reader->source, table.value.begin, &at, &member))
		r = read_server(reader, &member);
	return r;
}

int zs_server_read_json(const struct zs_server_row *row, const struct zs_agent_text *text, struct zs_server_list *list,
	struct zs_error *error)
{
	const struct reader reader = { row, text, { text->text, text->len }, list, error };
	struct zs_json_item projects = { { 0, 0 }, { 0, 0 } }, project;
	yyjson_doc *doc = NULL;
	const char *problem;
	size_t at, open;
	int r = zs_json_read(&reader.source, row->comments, &doc, &at, &problem);

	if (r < 0)
		return r == -ENOMEM ? zs_error_errno(error, "install", text->path, ENOMEM)
				    : fail_at(&reader, at, problem);
	yyjson_doc_free(doc);
	open = zs_json_root(&reader.source).begin;
	if (text->text[open] != '{')
		return fail_at(&reader, open, "is not an object");
	r = read_table(&reader, open);
	if (r == 0 && row->projects)
		r = find_member(&reader, open, "projects", '{', &projects);
	at = 0;
	while (r == 0 && projects.value.end && zs_json_next(&reader.source, projects.value.begin, &at, &project))
		if (text->text[project.value.begin] == '{')
			r = read_table(&reader, project.value.begin);
	return r;
}
