/* Reads MCP servers from TOML: tables [mcp_servers.NAME] with command, args, env and env_vars. */
#include <errno.h>
#include <string.h>

#include "agent/mcp_config.h"
#include "base/toml_text.h"

static const char by_hand[] = "zs does not know this form; nothing was changed";

enum { PARTS_MAX = 3 };

struct reader {
	const struct zs_server_row *row;
	const struct zs_agent_text *text;
	struct zs_server_list *list;
	struct zs_error *error;
	struct zs_server *server; /* the table that is being read; NULL: another table */
	bool env;                 /* it is the server's own table "env" */
};

static int fail_at(const struct reader *reader, const char *at, const char *what)
{
	return zs_agent_text_fail(reader->text, (size_t)(at - reader->text->text), what, by_hand, reader->error);
}

static struct zs_json_span span_of(const struct reader *reader, const char *begin, const char *end)
{
	return (struct zs_json_span){ (size_t)(begin - reader->text->text), (size_t)(end - reader->text->text) };
}

static bool part_is(struct zs_toml_statement part, const char *word)
{
	return (size_t)(part.end - part.begin) == strlen(word) && memcmp(part.begin, word, strlen(word)) == 0;
}

/* Reads a dotted key. Returns the place after it; NULL: it cannot be read. Further parts are skipped, and counted. */
static const char *read_key(const char *at, struct zs_toml_statement parts[PARTS_MAX], size_t *ret_count)
{
	struct zs_toml_statement part;

	for (*ret_count = 0; (at = zs_toml_key(at, &part)) != NULL; at++) {
		if (*ret_count < PARTS_MAX)
			parts[*ret_count] = part;
		++*ret_count;
		if (*at != '.')
			return at;
	}
	return NULL;
}

/* Reads an array of strings. */
static int read_array(const struct reader *reader, const char *at, bool words, const char **ret_end)
{
	const char *end;
	int r = 0;

	if (*at != '[')
		return fail_at(reader, at, "is not an array");
	for (at = zs_toml_skip(at + 1); r == 0 && *at != ']'; at = zs_toml_skip(end)) {
		end = *at == '"' || *at == '\'' ? zs_toml_skip_string(at) : NULL;
		if (!end)
			return fail_at(reader, at, "is not a string");
		r = words ? zs_server_add_word(reader->server, reader->text, span_of(reader, at, end), reader->error)
			  : zs_server_add_variable(
				    reader->server, reader->text, span_of(reader, at + 1, end - 1), reader->error);
		end = zs_toml_skip(end);
		if (*end == ',')
			end++;
		else if (*end != ']')
			return fail_at(reader, end, "is not an array of strings");
	}
	*ret_end = at + 1;
	return r;
}

/* Reads the names of an inline table. */
static int read_inline(const struct reader *reader, const char *at)
{
	struct zs_toml_statement name;
	const char *end;
	int r = 0;

	if (*at != '{')
		return fail_at(reader, at, "is not a table");
	for (at = zs_toml_skip(at + 1); r == 0 && *at != '}'; at = zs_toml_skip(end)) {
		end = zs_toml_key(at, &name);
		if (!end || *end != '=')
			return fail_at(reader, at, "is not the name of a variable");
		r = zs_server_add_variable(
			reader->server, reader->text, span_of(reader, name.begin, name.end), reader->error);
		end += 1 + strspn(end + 1, " \t");
		end = *end == '"' || *end == '\'' ? zs_toml_skip_string(end) : NULL;
		if (!end)
			return fail_at(reader, at, "is not a string");
		end = zs_toml_skip(end);
		if (*end == ',')
			end++;
		else if (*end != '}')
			return fail_at(reader, end, "is not a table of strings");
	}
	return r;
}

static int read_value(const struct reader *reader, struct zs_toml_statement key, const char *name, const char *at)
{
	struct zs_server *server = reader->server;
	const char *end = at;
	int r = 0;

	if (part_is(key, "url")) {
		server->url = true;
	} else if (part_is(key, "command")) {
		end = *at == '"' || *at == '\'' ? zs_toml_skip_string(at) : NULL;
		if (!end || server->command.end)
			return fail_at(reader, at, end ? "\"command\" is there twice" : "is not a string");
		server->command = span_of(reader, at, end);
	} else if (part_is(key, "args")) {
		if (server->args.end)
			return fail_at(reader, at, "\"args\" is there twice");
		r = read_array(reader, at, true, &end);
		server->args_name = span_of(reader, name, name).begin;
		server->args = span_of(reader, at, end);
	} else if (part_is(key, "env")) {
		r = read_inline(reader, at);
	} else if (part_is(key, "env_vars")) {
		r = read_array(reader, at, false, &end);
	}
	return r;
}

static int read_member(const struct reader *reader, const struct zs_toml_statement *statement)
{
	struct zs_toml_statement parts[PARTS_MAX];
	size_t count;
	const char *at = read_key(statement->begin, parts, &count);

	if (!at || *at != '=')
		return fail_at(reader, statement->begin, "this key cannot be read");
	at += 1 + strspn(at + 1, " \t");
	if (reader->env || (count == 2 && part_is(parts[0], "env"))) {
		struct zs_toml_statement name = parts[reader->env ? 0 : 1];

		return zs_server_add_variable(
			reader->server, reader->text, span_of(reader, name.begin, name.end), reader->error);
	}
	return count == 1 ? read_value(reader, parts[0], statement->begin, at) : 0;
}

static struct zs_server *find_server(const struct reader *reader, struct zs_toml_statement name)
{
	for (size_t i = 0; i < reader->list->count; i++) {
		struct zs_json_span have = reader->list->servers[i].name;
		size_t len = have.end - have.begin;

		if (len == (size_t)(name.end - name.begin) &&
			memcmp(reader->text->text + have.begin, name.begin, len) == 0)
			return &reader->list->servers[i];
	}
	return NULL;
}

/* Begins a table. */
static int read_header(struct reader *reader, const struct zs_toml_statement *statement)
{
	struct zs_toml_statement parts[PARTS_MAX];
	bool array = statement->begin[1] == '[';
	const char *at = statement->begin + 1 + array;
	size_t count;

	reader->server = NULL;
	reader->env = false;
	at = read_key(at, parts, &count);
	if (!at)
		return fail_at(reader, statement->begin, "the name of this table cannot be read");
	if (!part_is(parts[0], reader->row->key))
		return 0;
	if (array)
		return fail_at(reader, statement->begin, "is an array of tables");
	if (count == 1)
		return 0;
	reader->server = find_server(reader, parts[1]);
	if (count == 2 && reader->server && (reader->server->command.end || reader->server->url))
		return fail_at(reader, statement->begin, "this table is there twice");
	if (!reader->server)
		reader->server = zs_server_add_server(
			reader->list, reader->text, span_of(reader, parts[1].begin, parts[1].end), reader->error);
	if (!reader->server)
		return -EINVAL;
	reader->env = count == 3 && part_is(parts[2], "env");
	if (count > 2 && !reader->env)
		reader->server = NULL; /* of further tables none says how the server is started */
	return 0;
}

int zs_server_read_toml(const struct zs_server_row *row, const struct zs_agent_text *text, struct zs_server_list *list,
	struct zs_error *error)
{
	struct reader reader = { .row = row, .text = text, .list = list, .error = error };
	const char *at = text->text + (strncmp(text->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0), *problem = NULL;
	struct zs_toml_statement statement, parts[PARTS_MAX];
	bool top = true, servers = false;
	size_t count;
	int r = 0;

	if (strlen(text->text) != text->len)
		return fail_at(&reader, text->text + strlen(text->text), "a NUL");
	while (r == 0 && zs_toml_next_statement(&at, &statement, &problem)) {
		bool header = *statement.begin == '[';

		if (header) {
			r = read_header(&reader, &statement);
			read_key(statement.begin + 1, parts, &count);
			servers = count == 1 && part_is(parts[0], row->key);
			top = false;
		} else if (reader.server) {
			r = read_member(&reader, &statement);
		} else if (servers ||
			   (top && read_key(statement.begin, parts, &count) && part_is(parts[0], row->key))) {
			r = fail_at(&reader, statement.begin, "the servers are not tables of their own");
		}
	}
	if (problem)
		return fail_at(&reader, at, problem);
	for (size_t i = 0; r == 0 && i < list->count; i++)
		if (!list->servers[i].command.end && !list->servers[i].url)
			r = fail_at(&reader, text->text + list->servers[i].name.begin,
				"the server has neither a command nor a URL");
	return r;
}
