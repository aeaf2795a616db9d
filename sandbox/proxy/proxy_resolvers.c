/* Reads which servers the caller asks for addresses, and the caller's /etc/hosts. */
#include "proxy/proxy_resolvers.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/read_file.h"

/* Takes the next word of a line that ends at `end`. False: there is none, or a comment begins. */
static bool next_word(const char **at, const char *end, const char **ret_word, size_t *ret_len)
{
	while (*at < end && isspace((unsigned char)**at))
		++*at;
	if (*at == end || **at == '#')
		return false;
	*ret_word = *at;
	while (*at < end && !isspace((unsigned char)**at) && **at != '#')
		++*at;
	*ret_len = (size_t)(*at - *ret_word);
	return true;
}

static const char *line_end(const char *line)
{
	return line + strcspn(line, "\n");
}

/* man 5 resolv.conf. Names are complete here, so search lists are ignored. */
static void read_servers(struct zs_resolvers *resolvers, const char *text)
{
	static const char keyword[] = "nameserver";
	struct zs_address address;
	size_t len;

	for (const char *line = text; *line && resolvers->count < ZS_LOOKUP_SERVERS;
		line = line_end(line) + (*line_end(line) == '\n')) {
		const char *at = line, *end = line_end(line), *word;

		if (next_word(&at, end, &word, &len) && len == sizeof keyword - 1 && memcmp(word, keyword, len) == 0 &&
			next_word(&at, end, &word, &len) && zs_address_parse(word, len, &address) == 0)
			resolvers->servers[resolvers->count++] = address;
	}
}

static bool is_absent(int r)
{
	return r == -ENOENT || r == -ENOTDIR || r == -EACCES || r == -EFBIG;
}

int zs_resolvers_read(struct zs_resolvers *ret_resolvers)
{
	struct zs_resolvers resolvers = { .count = 0 };
	ZS_AUTO_FREE char *text = NULL;
	int r = zs_read_file("/etc/resolv.conf", &text);

	if (r == 0)
		read_servers(&resolvers, text);
	else if (!is_absent(r))
		return r;
	if (resolvers.count == 0)
		read_servers(&resolvers, "nameserver 127.0.0.1");
	r = zs_read_file("/etc/hosts", &resolvers.hosts);
	if (r < 0 && !is_absent(r))
		return r;
	*ret_resolvers = resolvers;
	return 0;
}

/* man 5 hosts. */
size_t zs_resolvers_find(
	const struct zs_resolvers *resolvers, const char *name, struct zs_address *ret_addresses, size_t most)
{
	size_t name_len = strlen(name), count = 0, len;
	struct zs_address address;

	for (const char *line = resolvers->hosts; line && *line; line = line_end(line) + (*line_end(line) == '\n')) {
		const char *at = line, *end = line_end(line), *word;

		if (!next_word(&at, end, &word, &len) || zs_address_parse(word, len, &address) < 0)
			continue;
		while (count < most && next_word(&at, end, &word, &len))
			if (len == name_len && strncasecmp(word, name, len) == 0)
				ret_addresses[count++] = address;
	}
	return count;
}
