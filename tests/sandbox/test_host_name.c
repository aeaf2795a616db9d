/* Names of hosts as clients and policies write them, and malicious ones. */
#include "check.h"
#include "net/host_name.h"

/* Reads from a block of exactly that size, for ASan: the text need not end in NUL. */
static int parse(const char *text, size_t len, struct zs_host *ret_host, const char **ret_problem)
{
	char *copy = malloc(len ? len : 1);
	int r;

	memcpy(copy, text, len);
	r = zs_host_parse(copy, len, ret_host, ret_problem);
	free(copy);
	return r;
}

TEST(host_names_canonical)
{
	static const struct {
		const char *text, *canonical;
	} rows[] = {
		{ "example.org", "example.org" },
		{ "EXAMPLE.Org", "example.org" },
		{ "example.org.", "example.org" },
		{ "example.org.:443", "example.org:443" },
		{ "example.org:443", "example.org:443" },
		{ "example.org:1", "example.org:1" },
		{ "example.org:65535", "example.org:65535" },
		{ "localhost", "localhost" },
		{ "localhost.", "localhost" },
		{ "a", "a" },
		{ "_dmarc.example.org", "_dmarc.example.org" },
		{ "r3---sn-x.example.org", "r3---sn-x.example.org" },
		{ "1.example.org", "1.example.org" },
		{ "3com.com", "3com.com" },
		{ "127.0.0.1", "127.0.0.1" },
		{ "127.0.0.1:80", "127.0.0.1:80" },
		{ "[::1]", "[::1]" },
		{ "[::1]:80", "[::1]:80" },
		{ "[0:0::0001]:80", "[::1]:80" },
		{ "[::ffff:127.0.0.1]", "127.0.0.1" },
		{ "[::FFFF:7f00:1]:80", "127.0.0.1:80" },
		/* An internationalised name stays as it is written, without decoding. */
		{ "xn--bcher-kva.example", "xn--bcher-kva.example" },
		{ "XN--BCHER-KVA.example", "xn--bcher-kva.example" },
		{ "xn--a", "xn--a" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *problem = "";
		struct zs_host host;
		char text[ZS_HOST_TEXT_SIZE] = "";
		int r = parse(rows[i].text, strlen(rows[i].text), &host, &problem);

		if (r == 0)
			zs_host_text(&host, text);
		CHECK(r == 0 && strcmp(text, rows[i].canonical) == 0, "%s: %s %s", rows[i].text, text, problem);
		/* A canonical name stays as it is. */
		r = parse(text, strlen(text), &host, &problem);
		if (r == 0)
			zs_host_text(&host, text);
		CHECK(r == 0 && strcmp(text, rows[i].canonical) == 0, "%s again: %s", rows[i].text, text);
	}
}

#define ROW(text, problem) { text, sizeof(text) - 1, problem }

TEST(host_names_refused)
{
	static const struct {
		const char *text;
		size_t len;
		const char *problem;
	} rows[] = {
		ROW("", "is empty"),
		ROW(":80", "is empty"),
		ROW(".", "empty label"),
		ROW("..", "empty label"),
		ROW("x..", "empty label"),
		ROW(".x", "empty label"),
		ROW("a..b", "empty label"),
		ROW("a b", "a character"),
		ROW(" a", "a character"),
		ROW("a\t", "a character"),
		ROW("a\r\nHost: evil", "a character"),
		ROW("a\n", "a character"),
		ROW("allowed\0.evil", "a NUL"),
		ROW("evil\0", "a NUL"),
		ROW("\0", "a NUL"),
		ROW("allowed%00.evil", "a character"),
		ROW("allowed%2eevil", "a character"),
		ROW("allowed@evil", "a character"),
		ROW("allowed:80@evil", "a port"),
		ROW("allowed:pw@evil:80", "more than one ':'"),
		ROW("evil/allowed", "a character"),
		ROW("evil\\allowed", "a character"),
		ROW("evil#allowed", "a character"),
		ROW("evil?allowed", "a character"),
		ROW("*.x", "a character"),
		ROW("*", "a character"),
		ROW("a,b", "a character"),
		ROW("a;b", "a character"),
		ROW("a\x7f", "a character"),
		ROW("-a", "starts or ends with '-'"),
		ROW("a-.x", "starts or ends with '-'"),
		ROW("x:", "a port"),
		ROW("x:0", "a port"),
		ROW("x:00", "a port"),
		ROW("x:080", "a port"),
		ROW("x:65536", "a port"),
		ROW("x:4294967376", "a port"), /* 80, and 2 to the power of 32 */
		ROW("x:99999999999999999999", "a port"),
		ROW("x:+80", "a port"),
		ROW("x:-1", "a port"),
		ROW("x:8 0", "a port"),
		ROW("x:80 ", "a port"),
		ROW("x:http", "a port"),
		ROW("x:80:80", "more than one ':'"),
		ROW("::1", "more than one ':'"),
		ROW("::1:80", "more than one ':'"),
		ROW("[::1", "no IPv6 address"),
		ROW("[", "no IPv6 address"),
		ROW("[]", "no IPv6 address"),
		ROW("[x]", "no IPv6 address"),
		ROW("[127.0.0.1]", "no IPv6 address"),
		ROW("[fe80::1%eth0]", "no IPv6 address"),
		ROW("[::1\0]", "no IPv6 address"),
		ROW("[v1.x]", "no IPv6 address"),
		ROW("[::1]x", "behind its brackets"),
		ROW("[::1]]", "behind its brackets"),
		ROW("[::1]:", "a port"),
		ROW("[::1]:0", "a port"),
		ROW("0x7f.1", "ends in a number"),
		ROW("0x7f.0x1", "ends in a number"),
		ROW("0x", "ends in a number"),
		ROW("2130706433", "ends in a number"),
		ROW("127.1", "ends in a number"),
		ROW("127.0.0.1.", "ends in a number"),
		ROW("0177.0.0.1", "ends in a number"),
		ROW("127.0.0.0x1", "ends in a number"),
		ROW("1.2.3.4.5", "ends in a number"),
		ROW("256.1.1.1", "ends in a number"),
		ROW("x.1", "ends in a number"),
		ROW("xn--ascii-", "starts or ends with '-'"),
		ROW("xn--", "starts or ends with '-'"),
		ROW("xn--/b-wka", "a character"),
		ROW("b\u00fccher.example", "write the name's xn-- form"),
		ROW("xn--\u00fc", "not ASCII"),
		ROW("\uff45\uff56\uff49\uff4c.example", "not ASCII"), /* fullwidth "evil" */
		ROW("\u0440aypal.example", "not ASCII"),              /* a Cyrillic look-alike */
		ROW("\uff11\uff12\uff17.0.0.1", "not ASCII"),
		ROW("127\u30020\u30020\u30021", "not ASCII"),
		ROW("\u2100.example", "not ASCII"), /* a/c */
		ROW("allowed\uff20evil", "not ASCII"),
		ROW("a\u200db", "not ASCII"),
		ROW("a\u202eb", "not ASCII"),
		ROW("\xff", "not ASCII"),
		ROW("\xc0\xae", "not ASCII"),
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *problem = "";
		struct zs_host host = { .port = 7 };
		int r = parse(rows[i].text, rows[i].len, &host, &problem);

		CHECK(r == -EINVAL && strstr(problem, rows[i].problem), "%s (%zu): %d %s: %s", rows[i].text, i, r,
			host.name, problem);
		CHECK(r == 0 || host.port == 7, "%s: written to", rows[i].text);
		CHECK(parse(rows[i].text, rows[i].len, &host, NULL) == r, "%s", rows[i].text);
	}
}

/* Writes labels of `label` bytes, `total` bytes together. */
static size_t fill(char *text, size_t label, size_t total)
{
	for (size_t i = 0; i < total; i++)
		text[i] = i % (label + 1) == label ? '.' : 'a';
	return total;
}

TEST(host_name_limits)
{
	char text[4 * ZS_HOST_NAME_MAX];
	struct zs_host host;
	const char *problem;

	CHECK(parse(text, fill(text, 63, 63), &host, NULL) == 0, "a label of 63");
	CHECK(parse(text, fill(text, 64, 64), &host, &problem) == -EINVAL && strstr(problem, "63"), "a label of 64");
	CHECK(parse(text, fill(text, 61, 253), &host, NULL) == 0, "a name of 253");
	fill(text, 61, 253);
	text[253] = '.';
	CHECK(parse(text, 254, &host, NULL) == 0, "and its dot");
	CHECK(parse(text, fill(text, 61, 254), &host, &problem) == -EINVAL && strstr(problem, "253"), "a name of 254");
	CHECK(parse(text, fill(text, 61, sizeof text), &host, NULL) == -EINVAL, "much more");
}

TEST(host_only_names)
{
	static const char *const rows[] = { "127.0.0.1", "::1", "[::1]", "x:80" };
	struct zs_host host;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		CHECK(zs_host_parse_only_name(rows[i], strlen(rows[i]), &host, NULL) == -EINVAL, "%s", rows[i]);
	CHECK(zs_host_parse_only_name("X.", 2, &host, NULL) == 0 && strcmp(host.name, "x") == 0, "%s", host.name);
	CHECK(zs_host_parse_name("::1", 3, &host, NULL) == 0 && host.address.family == AF_INET6, "%s", host.name);
	CHECK(zs_host_parse_name("x:80", 4, &host, NULL) == -EINVAL, "a port");
}
