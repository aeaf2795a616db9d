/* Finds the registries that a file of configuration names. The formats share one form, which is all that is read here:
 * a line has a name, "=", ":" or a blank, and a value; a line that begins with a URL continues the value. */
#include "net/registry.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "net/host_name.h"

/* The port of each scheme by which tools fetch. */
static const struct {
	const char *name;
	uint16_t port;
} schemes[] = { { "https", 443 }, { "sparse+https", 443 }, { "http", 80 }, { "sparse+http", 80 }, { "ssh", 22 },
	{ "git+ssh", 22 }, { "git", 9418 } };

/* Makes the host of a URL, or of git's USER@HOST:PATH. False: it is neither, or of a scheme that names no host. */
static bool host_of(const char *text, size_t len, char host[ZS_HOST_TEXT_SIZE])
{
	const char *begin = text, *end = text + len, *at;
	struct zs_host parsed;
	uint16_t port = 0;

	for (size_t i = 0, n; i < ZS_COUNT(schemes); i++) {
		n = strlen(schemes[i].name);
		if (len > n + 3 && strncasecmp(text, schemes[i].name, n) == 0 && strncmp(text + n, "://", 3) == 0) {
			begin = text + n + 3;
			port = schemes[i].port;
		}
	}
	for (at = begin; at < end && !strchr(port ? "/?#" : ":", *at); at++)
		if (*at == '@')
			begin = at + 1;
	if (!port && (at == end || begin == text))
		return false;
	if (zs_host_parse(begin, (size_t)(at - begin), &parsed, NULL) < 0)
		return false;
	if (parsed.port == 0)
		parsed.port = port ? port : 22;
	zs_host_text(&parsed, host);
	return true;
}

/* The bytes between the entries of a value. */
static const char between[] = " \t\r,|;'\"[]{}";

/* Calls each() for the hosts of a value, which ends with its line. */
static int each_value(const char *value, size_t len, bool exact, zs_each_registry *each, void *arg)
{
	char host[ZS_HOST_TEXT_SIZE];
	int r = 0;

	for (size_t i = 0, word; i < len && r >= 0; i += word + (word == 0)) {
		for (word = 0; i + word < len && !strchr(between, value[i + word]); word++)
			;
		if (word && value[i] == '#')
			break;
		if (word)
			r = each(host_of(value + i, word, host) ? host : NULL, exact, arg);
	}
	return r;
}

static bool same_name(const char *name, const char *key, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (tolower((unsigned char)(name[i] == '_' ? '-' : name[i])) !=
			tolower((unsigned char)(key[i] == '_' ? '-' : key[i])))
			return false;
	return true;
}

/* Is the name the key, "--KEY", "extra-KEY", or "SCOPE:KEY"? *ret_exact: the first or the second. */
static bool is_key(const char *name, size_t len, const char *key, bool *ret_exact)
{
	size_t key_len = strlen(key), before;

	while (len && (*name == '-' || *name == '"'))
		name++, len--;
	while (len && strchr(":\"", name[len - 1]))
		len--;
	if (len < key_len || !same_name(name + len - key_len, key, key_len))
		return false;
	before = len - key_len;
	*ret_exact = before == 0;
	return before == 0 || strchr(":.", name[before - 1]) || (before == 6 && same_name(name, "extra-", 6));
}

/* Does a line's first word hold a URL? */
static bool is_url(const char *word, size_t len)
{
	const char *mark = strstr(word, "://");

	return mark && mark < word + len;
}

/* Calls each() for the part of each line that is a value of the key. */
static int each_line(
	const char *text, const char *key, int (*each)(const char *value, size_t len, bool exact, void *arg), void *arg)
{
	bool is = false, exact = false;
	int r = 0;

	for (const char *line = text, *next; *line && r >= 0; line = next) {
		size_t len = strcspn(line, "\n"), name;

		next = line + len + (line[len] == '\n');
		for (; len && isspace((unsigned char)*line); line++)
			len--;
		if (!len || strchr("#;", *line))
			continue;
		name = strcspn(line, "= \t\r\n");
		name = name > len ? len : name;
		if (is_url(line, name)) {
			name = 0;
		} else {
			is = is_key(line, name, key, &exact);
			name += strspn(line + name, "= \t");
		}
		if (is && name < len)
			r = each(line + name, len - name, exact, arg);
	}
	return r;
}

struct registries {
	zs_each_registry *each;
	void *arg;
};

static int take_registries(const char *value, size_t len, bool exact, void *arg)
{
	const struct registries *registries = arg;

	return each_value(value, len, exact, registries->each, registries->arg);
}

int zs_registries(const char *text, const char *key, zs_each_registry *each, void *arg)
{
	struct registries registries = { each, arg };

	return key ? each_line(text, key, take_registries, &registries)
		   : each_value(text, strlen(text), true, each, arg);
}

struct value {
	const char *text;
	size_t len;
};

static int take_value(const char *value, size_t len, bool exact, void *arg)
{
	struct value *found = arg;

	while (len && strchr(" \t\r'\"", value[len - 1]))
		len--;
	while (len && strchr("'\"", *value))
		value++, len--;
	if (exact && !found->len)
		*found = (struct value){ value, len };
	return 0;
}

size_t zs_config_value(const char *text, const char *key, const char **ret_value)
{
	struct value found = { 0 };

	each_line(text, key, take_value, &found);
	*ret_value = found.text;
	return found.len;
}

bool zs_registry_has_secret(const char *text)
{
	static const char *const words[] = { "_auth", "password", "passwd", "token", "secret" };

	for (const char *at = text; *at; at++)
		for (size_t i = 0; i < ZS_COUNT(words); i++)
			if (strncasecmp(at, words[i], strlen(words[i])) == 0)
				return true;
	for (const char *url = text; (url = strstr(url, "://")); url += 3)
		if (memchr(url + 3, '@', strcspn(url + 3, "/ \t\r\n\"'")))
			return true;
	return false;
}
