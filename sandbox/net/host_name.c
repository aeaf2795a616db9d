#include "net/host_name.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int host_name_refuse(const char **ret_problem, const char *problem)
{
	if (ret_problem)
		*ret_problem = problem;
	return -EINVAL;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Letters are lower case here. Names of services and of storage contain underscores. */
static bool is_label_byte(char c)
{
	return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-' || c == '_';
}

static int check_label(const char *label, size_t len, const char **ret_problem)
{
	if (len == 0)
		return host_name_refuse(ret_problem, "has an empty label");
	if (len > ZS_HOST_LABEL_MAX)
		return host_name_refuse(ret_problem, "has a label of more than 63 bytes");
	for (size_t i = 0; i < len; i++)
		if (!is_label_byte(label[i]))
			return host_name_refuse(ret_problem, "has a character that no host name has");
	if (label[0] == '-' || label[len - 1] == '-')
		return host_name_refuse(ret_problem, "has a label that starts or ends with '-'");
	return 0;
}

/* "0x7f" and "127" are numbers: some programs take a name that ends in a number for an address (WHATWG URL, "ends in a
 * number"). */
static bool host_name_is_number(const char *label, size_t len)
{
	bool hexadecimal = len >= 2 && label[0] == '0' && label[1] == 'x';

	return strspn(label + 2 * hexadecimal, hexadecimal ? "0123456789abcdef" : "0123456789") >=
	       len - 2 * hexadecimal;
}

static int host_name_check_name(const char *name, const char **ret_problem)
{
	for (;;) {
		size_t len = strcspn(name, ".");
		int r = check_label(name, len, ret_problem);

		if (r < 0)
			return r;
		if (name[len] == '\0')
			return host_name_is_number(name, len)
				       ? host_name_refuse(ret_problem,
						 "ends in a number and is no address; write one as 192.0.2.1")
				       : 0;
		name += len + 1;
	}
}

/* Makes the text lower case. Does not check which ASCII characters it has. */
static int to_lower_case(const char *text, size_t len, char name[ZS_HOST_NAME_MAX + 1], const char **ret_problem)
{
	/* A NUL in the middle would end the name for every later reader. */
	if (memchr(text, '\0', len))
		return host_name_refuse(ret_problem, "has a NUL in it");
	for (size_t i = 0; i < len; i++)
		if (text[i] & 0x80)
			return host_name_refuse(
				ret_problem, "has a character that is not ASCII; write the name's xn-- form");
	if (len > ZS_HOST_NAME_MAX)
		return host_name_refuse(ret_problem, "is longer than 253 bytes");
	for (size_t i = 0; i < len; i++)
		name[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] + ('a' - 'A') : text[i]);
	name[len] = '\0';
	return 0;
}

int zs_host_parse_only_name(const char *text, size_t len, struct zs_host *ret_host, const char **ret_problem)
{
	struct zs_host host = { .port = 0 };
	int r;

	if (len == 0)
		return host_name_refuse(ret_problem, "the name is empty");
	if (len > 1 && text[len - 1] == '.')
		len--;
	r = to_lower_case(text, len, host.name, ret_problem);
	if (r == 0)
		r = host_name_check_name(host.name, ret_problem);
	if (r == 0)
		*ret_host = host;
	return r;
}

struct zs_host zs_host_of_address(const struct zs_address *address, uint16_t port)
{
	struct zs_host host = { .address = *address, .port = port };

	zs_address_text(address, host.name);
	return host;
}

int zs_host_parse_name(const char *text, size_t len, struct zs_host *ret_host, const char **ret_problem)
{
	struct zs_address address;

	if (zs_address_parse(text, len, &address) < 0)
		return zs_host_parse_only_name(text, len, ret_host, ret_problem);
	*ret_host = zs_host_of_address(&address, 0);
	return 0;
}

static int parse_port(const char *text, size_t len, uint16_t *ret_port, const char **ret_problem)
{
	unsigned port = 0;

	for (size_t i = 0; i < len; i++) {
		if (!is_digit(text[i]) || len > 5)
			return host_name_refuse(ret_problem, "has a port that is not a number from 1 to 65535");
		port = port * 10 + (unsigned)(text[i] - '0');
	}
	if (port == 0 || port > UINT16_MAX || text[0] == '0')
		return host_name_refuse(ret_problem, "has a port that is not a number from 1 to 65535");
	*ret_port = (uint16_t)port;
	return 0;
}

/* Reads "[…]". *ret_rest is the text after it. */
static int parse_bracketed(
	const char *text, size_t len, struct zs_host *ret_host, const char **ret_rest, const char **ret_problem)
{
	const char *end = memchr(text, ']', len);
	struct zs_address address;

	if (!end || !memchr(text, ':', (size_t)(end - text)) ||
		zs_address_parse(text + 1, (size_t)(end - text - 1), &address) < 0)
		return host_name_refuse(ret_problem, "has no IPv6 address in its brackets");
	*ret_host = zs_host_of_address(&address, 0);
	*ret_rest = end + 1;
	return 0;
}

int zs_host_parse(const char *text, size_t len, struct zs_host *ret_host, const char **ret_problem)
{
	const char *rest, *end = text + len;
	struct zs_host host;
	int r;

	if (len > 0 && *text == '[') {
		r = parse_bracketed(text, len, &host, &rest, ret_problem);
	} else {
		rest = len > 0 ? memchr(text, ':', len) : NULL;
		if (!rest)
			rest = end;
		if (rest < end && memchr(rest + 1, ':', (size_t)(end - rest - 1)))
			return host_name_refuse(
				ret_problem, "has more than one ':'; an IPv6 address stands in brackets");
		r = zs_host_parse_name(text, (size_t)(rest - text), &host, ret_problem);
	}
	if (r < 0)
		return r;
	if (rest < end) {
		if (*rest != ':')
			return host_name_refuse(ret_problem, "goes on behind its brackets");
		r = parse_port(rest + 1, (size_t)(end - rest - 1), &host.port, ret_problem);
	}
	if (r == 0)
		*ret_host = host;
	return r;
}

bool zs_host_same_name(const struct zs_host *a, const struct zs_host *b)
{
	return zs_address_equal(&a->address, &b->address) && strcmp(a->name, b->name) == 0;
}

void zs_host_text(const struct zs_host *host, char text[ZS_HOST_TEXT_SIZE])
{
	bool brackets = host->address.family == AF_INET6;
	int len = snprintf(text, ZS_HOST_TEXT_SIZE, "%s%s%s", brackets ? "[" : "", host->name, brackets ? "]" : "");

	if (host->port)
		snprintf(text + len, ZS_HOST_TEXT_SIZE - (size_t)len, ":%u", host->port);
}
