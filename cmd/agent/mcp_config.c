#include "agent/mcp_config.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/memory_stream.h"

/* docs/mcp.md says which rows were run with the real clients. */
const struct zs_server_row zs_server_rows[] = {
	{ ZS_AGENT_CLAUDE, { ".claude.json", ".mcp.json" }, ".claude.json", "mcpServers", .projects = true },
	{ ZS_AGENT_CODEX, { ".codex/config.toml", ".codex/config.toml" }, "config.toml", "mcp_servers", .toml = true },
	{ ZS_AGENT_GEMINI, { ".gemini/settings.json", ".gemini/settings.json" }, NULL, "mcpServers", .comments = true },
	{ ZS_AGENT_QWEN, { ".qwen/settings.json", ".qwen/settings.json" }, NULL, "mcpServers", .comments = true },
};
const size_t zs_server_row_count = ZS_COUNT(zs_server_rows);

const struct zs_server_row *zs_server_row_of(const struct zs_agent *agent)
{
	for (size_t i = 0; i < zs_server_row_count; i++)
		if (zs_server_rows[i].agent == agent->number)
			return &zs_server_rows[i];
	return NULL;
}

/* For the readers */

static const char by_hand[] = "nothing was changed; write zs run before the commands by hand";

struct zs_server *zs_server_add_server(
	struct zs_server_list *list, const struct zs_agent_text *text, struct zs_json_span name, struct zs_error *error)
{
	struct zs_server *server = &list->servers[list->count];

	if (list->count == ZS_SERVERS_MAX) {
		zs_agent_text_fail(text, name.begin, "there are too many servers", by_hand, error);
		return NULL;
	}
	*server = (struct zs_server){ .name = name };
	list->count++;
	return server;
}

int zs_server_add_word(
	struct zs_server *server, const struct zs_agent_text *text, struct zs_json_span word, struct zs_error *error)
{
	if (server->word_count == ZS_SERVER_WORDS_MAX)
		return zs_agent_text_fail(text, word.begin, "there are too many arguments", by_hand, error);
	server->words[server->word_count++] = word;
	return 0;
}

int zs_server_add_variable(
	struct zs_server *server, const struct zs_agent_text *text, struct zs_json_span name, struct zs_error *error)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
	size_t len = strspn(text->text + name.begin, letters);

	if (len == 0 || len != name.end - name.begin)
		return zs_agent_text_fail(text, name.begin, "is not the name of a variable", by_hand, error);
	if (server->variable_count == ZS_SERVER_VARIABLES_MAX)
		return zs_agent_text_fail(text, name.begin, "there are too many variables", by_hand, error);
	server->variables[server->variable_count++] = name;
	return 0;
}

/* Looking */

bool zs_server_is(const struct zs_agent_text *text, struct zs_json_span span, const char *word)
{
	return span.end - span.begin == strlen(word) && memcmp(text->text + span.begin, word, strlen(word)) == 0;
}

/* Reads a string with those escapes that zs itself writes. False: it has others, or is too long. */
static bool read_word(const struct zs_agent_text *text, struct zs_json_span span, char *word, size_t size)
{
	const char *at = text->text + span.begin + 1, *end = text->text + span.end - 1;
	bool escapes = text->text[span.begin] == '"';
	size_t len = 0;

	for (; at < end; at++) {
		if (escapes && *at == '\\' && at[1] != '"' && at[1] != '\\' && at[1] != '/')
			return false;
		at += escapes && *at == '\\';
		if (len + 1 >= size)
			return false;
		word[len++] = *at;
	}
	word[len] = '\0';
	return true;
}

static bool ends_with_name(const struct zs_agent_text *text, struct zs_json_span span, const char *name)
{
	char word[PATH_MAX];
	const char *slash;

	if (!read_word(text, span, word, sizeof word))
		return false;
	slash = strrchr(word, '/');
	return strcmp(slash ? slash + 1 : word, name) == 0;
}

/* Finds "--" among the words. False: the server is not wrapped. */
static bool find_end(const struct zs_agent_text *text, const struct zs_server *server, size_t *ret_end)
{
	char word[PATH_MAX];

	if (!server->command.end || text->text[server->command.begin + 1] != '/' || !zs_server_is_zs(text, server) ||
		server->word_count < 3 || !read_word(text, server->words[0], word, sizeof word) ||
		strcmp(word, "run") != 0)
		return false;
	for (size_t i = 1; i + 1 < server->word_count; i++) {
		if (!read_word(text, server->words[i], word, sizeof word) || strncmp(word, "--", 2) != 0)
			return false;
		*ret_end = i;
		if (!word[2])
			return true;
	}
	return false;
}

bool zs_server_is_zs(const struct zs_agent_text *text, const struct zs_server *server)
{
	return server->command.end && ends_with_name(text, server->command, "zs");
}

bool zs_server_is_wrapped(const struct zs_agent_text *text, const struct zs_server *server)
{
	size_t end;

	return find_end(text, server, &end);
}

bool zs_server_starts(const struct zs_agent_text *text, const struct zs_server *server, const char *name)
{
	size_t end;

	return ends_with_name(text, find_end(text, server, &end) ? server->words[end + 1] : server->command, name);
}

bool zs_server_has_option(const struct zs_agent_text *text, const struct zs_server *server, const char *begin)
{
	char word[PATH_MAX];
	size_t end;

	if (!find_end(text, server, &end))
		return false;
	for (size_t i = 1; i < end; i++)
		if (read_word(text, server->words[i], word, sizeof word) && strncmp(word, begin, strlen(begin)) == 0)
			return true;
	return false;
}

/* Changing */

struct writer {
	const struct zs_agent_text *text;
	FILE *out;
	char *buffer;
	size_t len, at; /* the old text has been copied up to `at` */
};

/* Copies the old text up to a place. */
static void copy_to(struct writer *writer, size_t end)
{
	fwrite(writer->text->text + writer->at, 1, end - writer->at, writer->out);
	writer->at = end;
}

static void put_span(const struct writer *writer, struct zs_json_span span)
{
	fwrite(writer->text->text + span.begin, 1, span.end - span.begin, writer->out);
}

static void put_word(const struct writer *writer, const char *word)
{
	fputc('"', writer->out);
	for (; *word; word++)
		fprintf(writer->out, *word == '"' || *word == '\\' ? "\\%c" : "%c", *word);
	fputc('"', writer->out);
}

static int start(struct writer *writer, const struct zs_agent_text *text)
{
	*writer = (struct writer){ .text = text };
	writer->out = zs_memory_stream(&writer->buffer, &writer->len);
	return writer->out ? 0 : -ENOMEM;
}

static int finish(struct writer *writer, struct zs_agent_change *ret_new)
{
	copy_to(writer, writer->text->len);
	if (!zs_memory_close(writer->out, &writer->buffer))
		return -ENOMEM;
	*ret_new = (struct zs_agent_change){ writer->buffer, writer->len };
	return 0;
}

/* Finds the newline and the blanks before a place, if nothing else is before it on its line; else one blank, or a
 * newline if `line` wants one. */
static void put_gap(const struct writer *writer, size_t at, bool line)
{
	const char *text = writer->text->text;
	size_t begin = at;

	while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t'))
		begin--;
	if (begin > 0 && text[begin - 1] == '\n') {
		begin -= begin > 1 && text[begin - 2] == '\r' ? 2 : 1;
		put_span(writer, (struct zs_json_span){ begin, at });
	} else {
		fputc(line ? '\n' : ' ', writer->out);
	}
}

/* Writes our words, and the old command as the last. at: the place of the first. */
static void put_words(
	const struct writer *writer, const struct zs_server *server, const char *const options[], size_t at)
{
	put_word(writer, "run");
	for (size_t i = 0; options[i]; i++) {
		fputc(',', writer->out);
		put_gap(writer, at, false);
		put_word(writer, options[i]);
	}
	fputc(',', writer->out);
	put_gap(writer, at, false);
	put_word(writer, "--");
	fputc(',', writer->out);
	put_gap(writer, at, false);
	put_span(writer, server->command);
}

static void put_array(struct writer *writer, const struct zs_server_row *row, const struct zs_server *server,
	const char *const options[])
{
	size_t first = server->word_count ? server->words[0].begin : server->args.begin + 1;

	if (server->args.end) {
		copy_to(writer, first);
		put_words(writer, server, options, first);
		if (server->word_count) {
			fputc(',', writer->out);
			put_gap(writer, first, false);
		}
		return;
	}
	/* The blank after the bracket says that zs has made the array. */
	first = server->command.begin;
	while (first > 0 && writer->text->text[first - 1] != '\n' && writer->text->text[first - 1] != '{' &&
		writer->text->text[first - 1] != ',')
		first--;
	first += strspn(writer->text->text + first, " \t");
	if (!row->toml)
		fputc(',', writer->out);
	put_gap(writer, first, row->toml);
	fputs(row->toml ? "args = [ " : "\"args\": [ ", writer->out);
	put_words(writer, server, options, server->command.begin);
	fputs(" ]", writer->out);
}

int zs_server_wrap(const struct zs_server_row *row, const struct zs_agent_text *text, const struct zs_server *server,
	const char *zs, const char *const options[], struct zs_agent_change *ret_new)
{
	bool args_first = server->args.end && server->args.begin < server->command.begin;
	struct writer writer;
	int r = start(&writer, text);

	if (r < 0)
		return r;
	if (args_first)
		put_array(&writer, row, server, options);
	copy_to(&writer, server->command.begin);
	put_word(&writer, zs);
	writer.at = server->command.end;
	if (!args_first)
		put_array(&writer, row, server, options);
	return finish(&writer, ret_new);
}

/* Finds the part to remove: the words up to the old command, or the whole member that zs has made. */
static struct zs_json_span find_ours(
	const struct zs_server_row *row, const struct zs_agent_text *text, const struct zs_server *server, size_t end)
{
	const char *between = text->text + server->command.end;
	struct zs_json_span ours = { server->words[0].begin, server->words[end + 1].end };

	if (end + 2 < server->word_count)
		ours.end = server->words[end + 2].begin;
	else if (ours.begin > server->args.begin + 1 && server->args_name > server->command.end &&
		 between + strspn(between, row->toml ? " \t\r\n" : " \t\r\n,") == text->text + server->args_name)
		ours = (struct zs_json_span){ server->command.end, server->args.end };
	return ours;
}

int zs_server_unwrap(const struct zs_server_row *row, const struct zs_agent_text *text, const struct zs_server *server,
	struct zs_agent_change *ret_new)
{
	struct zs_json_span ours;
	struct writer writer;
	size_t end = 0;
	int r = start(&writer, text);

	if (r < 0)
		return r;
	find_end(text, server, &end);
	ours = find_ours(row, text, server, end);
	if (ours.begin < server->command.begin) {
		copy_to(&writer, ours.begin);
		writer.at = ours.end;
	}
	copy_to(&writer, server->command.begin);
	put_span(&writer, server->words[end + 1]);
	writer.at = server->command.end;
	if (ours.begin >= server->command.end) {
		copy_to(&writer, ours.begin);
		writer.at = ours.end;
	}
	return finish(&writer, ret_new);
}

int zs_server_move(const struct zs_agent_text *text, const struct zs_server *server, const char *zs,
	struct zs_agent_change *ret_new)
{
	struct writer writer;
	int r = start(&writer, text);

	if (r < 0)
		return r;
	copy_to(&writer, server->command.begin);
	put_word(&writer, zs);
	writer.at = server->command.end;
	return finish(&writer, ret_new);
}
