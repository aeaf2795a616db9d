/* Finds secrets in start files, which a command can read as its shell does. First the reader of one text, which is
 * pure, then the files of a home folder. */
#include "settings/secrets.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/path.h"
#include "base/variable_names.h"
#include "settings/settings_places.h"
#include "settings/settings_value.h"

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

/* Yes: GITHUB_TOKEN, password, SECRET_KEY_BASE. No: KEYTIMEOUT, and AWS_ACCESS_KEY_ID, which is no secret. */
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

/* Paths, URLs, short words and numbers are not secrets. */
enum { LEAST_BYTES = 6 };

static bool is_trivial(struct piece value, bool single)
{
	static const char *const words[] = { "disabled", "enabled", "required", "optional", "changeme", "xxxxxxxx",
		"your-token", "your_token", "placeholder" };

	if (value.len < LEAST_BYTES || (!single && has_byte(value, "$`")))
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

/* Takes a word as the shell would read it by its quotes: up to a blank, or up to the closing quote. */
static struct piece value_at(const char *text, const char *end, bool *ret_single)
{
	char quote = text < end && (*text == '"' || *text == '\'') ? *text : '\0';
	struct piece value = { text + (quote != '\0'), 0 };

	*ret_single = quote == '\'';
	while (value.text + value.len < end) {
		char c = value.text[value.len];

		if (quote ? c == quote : strchr(" \t\n;&|)#'\"", c) && c)
			break;
		value.len += c == '\\' && quote != '\'' && value.text + value.len + 1 < end ? 2 : 1;
	}
	return value;
}

/* Skips all text that may be part of a secret, whatever a shell would read: up to a blank outside of quotes, on a later
 * line if necessary. quote: the quote in which the text starts, or NUL. */
static const char *skip_value(const char *text, const char *end, char quote)
{
	bool escapes = quote == '"';

	for (; text < end; text++) {
		char c = *text;

		if (c == '\\' && (!quote || escapes) && text + 1 < end)
			text++;
		else if (quote && c == quote)
			quote = '\0';
		else if (!quote && (c == ' ' || c == '\t' || c == '\n'))
			break;
		else if (!quote && (c == '"' || c == '\''))
			escapes = c == '"' || text[-1] == '$', quote = c; /* $'…' also has escapes */
	}
	return text;
}

struct reader {
	const char *start, *end;
	unsigned line;
	zs_each_assignment *each;
	void *arg;
};

/* Looks at NAME=value at the start of a word, and at setenv NAME value of csh and set -x NAME value of fish. Returns
 * where to go on: names in the value of a secret are part of the value. */
static const char *look_at_word(const struct reader *reader, struct piece name, bool command)
{
	const char *after = name.text + name.len, *end = reader->end;
	char before = name.text > reader->start ? name.text[-1] : '\0';
	char quote = before == '"' || before == '\'' ? before : '\0';
	struct piece value;
	bool single, quoted, trivial;

	if (after == end || (*after != '=' && !(command && (*after == ' ' || *after == '\t'))) || !names_a_secret(name))
		return after;
	if (*after++ != '=')
		while (after < end && (*after == ' ' || *after == '\t'))
			after++;
	value = value_at(after, end, &single);
	quoted = value.text > after;
	trivial = is_trivial(value, single);
	if (!trivial)
		reader->each(reader->line, name.text, name.len, reader->arg);
	return !trivial || quoted || (value.len && value.len < LEAST_BYTES) ? skip_value(after, end, quote) : after;
}

/* Comments are read as well: a command can read a secret that was commented out. */
void zs_find_secrets(const char *text, size_t len, zs_each_assignment *each, void *arg)
{
	struct reader reader = { text, text + len, 1, each, arg };
	bool command = false;

	for (const char *at = text, *next; at < reader.end; at = next) {
		struct piece word = { at, 0 };
		bool first = at == text || (strchr(" \t\n;&|(#\"'", at[-1]) && at[-1]);

		while (at + word.len < reader.end && is_name_byte(at[word.len]))
			word.len++;
		next = at + (word.len ? word.len : 1);
		if (first && word.len && !(word.text[0] >= '0' && word.text[0] <= '9'))
			next = look_at_word(&reader, word, command);
		if (word.len)
			command = is_same(word, "setenv") || is_same(word, "set") ||
				  (command && word.len == 1 && at > text && at[-1] == '-');
		for (; at < next; at++)
			if (*at == '\n') {
				reader.line++;
				command = false;
			}
	}
}

/* In HOME. The preset grants most of them. A file that is not granted, or that settings hide, is not read. */
static const char *const start_files[] = { ".profile", ".bashrc", ".bash_profile", ".bash_login", ".bash_logout",
	".bash_aliases", ".zshenv", ".zprofile", ".zshrc", ".zlogin", ".config/fish/config.fish" };

struct search {
	const char *file;
	zs_each_secret *each;
	void *arg;
};

static void tell(unsigned line, const char *name, size_t len, void *arg)
{
	const struct search *search = arg;
	char text[128];

	snprintf(text, sizeof text, "%.*s", (int)(len < sizeof text ? len : sizeof text - 1), name);
	search->each(search->file, line, text, search->arg);
}

/* A file that its owner cannot read is not readable for a command either. */
static void look_into(const char *path, zs_each_secret *each, void *arg)
{
	struct search search = { path, each, arg };
	struct zs_file_text text;

	if (zs_read_own_file("settings", path, ZS_START_FILE_BYTES_MAX, ZS_FILE_ANY, &text, NULL) < 0)
		return;
	zs_find_secrets(text.text, text.len, tell, &search);
	free(text.text);
}

/* Makes the policy that decides which files a command may read in any workspace. */
static int user_policy(char *const envp[], struct zs_policy **ret_resolved, struct zs_error *error)
{
	struct zs_settings *settings;
	struct zs_policy *policy = NULL;
	int r = zs_settings_load_user("/tmp", envp, &settings, error);

	if (r == 0) {
		r = zs_settings_user_policy(settings, &policy, error);
		zs_settings_free(settings);
	}
	if (r == 0)
		r = zs_policy_resolve(policy, ret_resolved, error);
	zs_policy_free(policy);
	return r;
}

int zs_settings_secrets(char *const envp[], zs_each_secret *each, void *arg, struct zs_error *error)
{
	const char *home = zs_env_value(envp, "HOME");
	struct zs_policy *resolved = NULL;
	int r;

	if (!home || home[0] != '/')
		return 0;
	r = user_policy(envp, &resolved, error);
	for (size_t i = 0; r == 0 && i < ZS_COUNT(start_files); i++) {
		ZS_AUTO_FREE char *path = zs_path_join(home, start_files[i]);

		if (!path)
			r = zs_error_errno(error, "settings", NULL, ENOMEM);
		else if (zs_policy_covers(resolved, path, ZS_ACCESS_READ))
			look_into(path, each, arg);
	}
	zs_policy_free(resolved);
	return r;
}
