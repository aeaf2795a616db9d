#include "policy/proxy_variables.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define TEXT(number) TEXT_OF(number)
#define TEXT_OF(number) #number
#define PROXY(name) name "=http://127.0.0.1:" TEXT(ZS_PROXY_PORT)
#define EXCEPT(name) name "=localhost,127.0.0.1,::1"

/* ALL_PROXY is HTTP's too, whose CONNECT serves every protocol: SOCKS in it keeps Python's httpx from starting, unless
 * a package is there that it does not install by itself. */
const char *const zs_proxy_variables[] = { PROXY("HTTP_PROXY"), PROXY("http_proxy"), PROXY("HTTPS_PROXY"),
	PROXY("https_proxy"), PROXY("ALL_PROXY"), PROXY("all_proxy"), PROXY("npm_config_proxy"),
	PROXY("npm_config_https_proxy"), PROXY("CARGO_HTTP_PROXY"), PROXY("PIP_PROXY"), EXCEPT("NO_PROXY"),
	EXCEPT("no_proxy"), NULL };

/* A string of ours that names the port: its beginning, or 0. */
static size_t port_at(const char *entry)
{
	static const char port[] = ":" TEXT(ZS_PROXY_PORT);
	size_t len = strlen(entry), port_len = sizeof port - 1;

	for (const char *const *own = zs_proxy_variables; *own; own++)
		if (*own == entry && len > port_len && strcmp(entry + len - port_len, port) == 0)
			return len - port_len + 1;
	return 0;
}

int zs_proxy_variables_move(char **env, uint16_t port)
{
	enum { DIGITS = 6 };

	for (; *env; env++) {
		size_t at = port_at(*env);
		char *entry = at ? malloc(at + DIGITS) : NULL;

		if (!at)
			continue;
		if (!entry)
			return -ENOMEM;
		memcpy(entry, *env, at);
		snprintf(entry + at, DIGITS, "%u", port);
		*env = entry;
	}
	return 0;
}

bool zs_is_proxy_variable(const char *name, size_t len)
{
	static const char ending[] = "_proxy";
	size_t size = sizeof ending - 1;

	return len >= size && strncasecmp(name + len - size, ending, size) == 0;
}
