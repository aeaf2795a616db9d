#include "secrets.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "cleanup.h"
#include "environment.h"

struct piece {
	const char *text;
	size_t len;
};

static bool is_name_byte(char c)
{
	return c == '_' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static bool is_same(struct piece piece, const char *word)
{
	return piece.len == strlen(word) && strncasecmp(piece.text, word, piece.len) == 0;
}

static bool starts_with(struct piece piece, const char *start)
{
	return piece.len >= strlen(start) && strncmp(piece.text, start, strlen(start)) == 0;
}

/* GITHUB_TOKEN, password, SECRET_KEY_BASE; not KEYTIMEOUT, nor AWS_ACCESS_KEY_ID, which is no secret. */
static bool names_a_secret(struct piece name)
{
	static const char *const parts[] = { "TOKEN", "SECRET", "PASSWORD", "APIKEY" };

	for (size_t at = 0; at < name.len;) {
		struct piece part = { name.text + at, 0 };

		while (at + part.len < name.len && part.text[part.len] != '_')
			part.len++;
		for (size_t i = 0; i < ZS_COUNT(parts); i++)
			if (is_same(part, parts[i]))
				return true;
		at += part.len + 1;
	}
	return zs_env_is_secret(name.text, name.len);
}

static bool has_byte(struct piece piece, const char *bytes)
{
	for (size_t i = 0; i < piece.len; i++)
		if (strchr(bytes, piece.text[i]) && piece.text[i])
			return true;
	return false;
}

/* A path and a URL say where something is; a short word or number says how to do something. */
static bool is_trivial(struct piece value, bool single)
{
	static const char *const words[] = { "disabled", "enabled", "required", "optional", "changeme", "xxxxxxxx",
		"your-token", "your_token", "placeholder" };
	enum { LEAST = 6 };

	if (value.len < LEAST || (!single && has_byte(value, "$`")))
		return true;
	if (starts_with(value, "/") || starts_with(value, "~") || starts_with(value, "./"))
		return true;
	if ((starts_with(value, "https://") || starts_with(value, "http://")) && !has_byte(value, "@"))
		return true;
	for (size_t i = 0; i < ZS_COUNT(words); i++)
		if (is_same(value, words[i]))
			return true;
	return false;
}

/* A word as the shell would read it, as far as quotes go: up to a blank, or in quotes up to their end. */
static struct piece value_at(const char *text, const char *end, bool *ret_single)
{
	char quote = text < end && (*text == '"' || *text == '\'') ? *text : '\0';
	struct piece value = { text + (quote != '\0'), 0 };

	*ret_single = quote == '\'';
	while (value.text + value.len < end) {
		char c = value.text[value.len];

		if (quote ? c == quote : strchr(" \t;&|)#'\"", c) && c)
			break;
		value.len++;
	}
	return value;
}

/* NAME=value, at the start of a word; and setenv NAME value, of csh and fish's set -x NAME value. */
static void look_at_word(
	struct piece name, const char *end, bool command, unsigned line, zs_each_assignment *each, void *arg)
{
	const char *after = name.text + name.len;
	struct piece value;
	bool single;

	if (after == end || (*after != '=' && !(command && (*after == ' ' || *after == '\t'))))
		return;
	value = value_at(after + 1, end, &single);
	if (!is_trivial(value, single) && names_a_secret(name))
		each(line, name.text, name.len, arg);
}

/* A comment is read as well as the rest: what was commented out is still there to be read. */
static void look_at_line(const char *text, const char *end, unsigned line, zs_each_assignment *each, void *arg)
{
	bool command = false;

	for (const char *at = text; at < end;) {
		struct piece word = { at, 0 };
		bool first = at == text || (strchr(" \t;&|(#\"'", at[-1]) && at[-1]);

		while (at + word.len < end && is_name_byte(at[word.len]))
			word.len++;
		if (word.len == 0) {
			at++;
			continue;
		}
		if (first && !(word.text[0] >= '0' && word.text[0] <= '9'))
			look_at_word(word, end, command, line, each, arg);
		command = is_same(word, "setenv") || is_same(word, "set") ||
			  (command && word.len == 1 && at > text && at[-1] == '-');
		at += word.len;
	}
}

void zs_find_secrets(const char *text, size_t len, zs_each_assignment *each, void *arg)
{
	const char *end = text + len;
	unsigned line = 1;

	for (const char *at = text; at < end; line++) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *stop = newline ? newline : end;

		look_at_line(at, stop, line, each, arg);
		at = stop + 1;
	}
}
