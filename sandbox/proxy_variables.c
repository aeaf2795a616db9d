#include "proxy_variables.h"

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

bool zs_is_proxy_variable(const char *name, size_t len)
{
	static const char ending[] = "_proxy";
	size_t size = sizeof ending - 1;

	return len >= size && strncasecmp(name + len - size, ending, size) == 0;
}
