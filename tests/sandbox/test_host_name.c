/* Names of hosts as clients and policies write them, with malice. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "net/host_name.h"

/* In a block of its very size, for ASan: the text need not end in NUL. */
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
		/* NFC, NFD, upper case, fullwidth with an ideographic full stop: one name */
		{ "b\u00fccher.example", "xn--bcher-kva.example" },
		{ "bu\u0308cher.example", "xn--bcher-kva.example" },
		{ "B\u00dcCHER.example", "xn--bcher-kva.example" },
		{ "\uff42\u00fc\uff43\uff48\uff45\uff52\u3002example", "xn--bcher-kva.example" },
		{ "xn--bcher-kva.example", "xn--bcher-kva.example" },
		{ "XN--BCHER-KVA.example", "xn--bcher-kva.example" },
		{ "\uff45\uff56\uff49\uff4c.example", "evil.example" },
		{ "b\u00fc\u00adcher.example", "xn--bcher-kva.example" }, /* a soft hyphen */
		{ "stra\u00dfe.example", "xn--strae-oqa.example" },       /* not strasse */
		{ "\u0440aypal.example", "xn--aypal-uye.example" },       /* a Cyrillic look-alike is another name */
		{ "\u4f8b\u3048.\u30c6\u30b9\u30c8", "xn--r8jz45g.xn--zckzah" },
		{ "b\u00fccher.example:443", "xn--bcher-kva.example:443" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *problem = "";
		struct zs_host host;
		char text[ZS_HOST_TEXT_SIZE] = "";
		int r = parse(rows[i].text, strlen(rows[i].text), &host, &problem);

		if (r == 0)
			zs_host_text(&host, text);
		CHECK(r == 0 && strcmp(text, rows[i].canonical) == 0, "%s: %s %s", rows[i].text, text, problem);
		/* What is canonical stays as it is. */
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
		ROW("\uff11\uff12\uff17.0.0.1", "ends in a number"),
		ROW("127\u30020\u30020\u30021", "ends in a number"),
		ROW("xn--ascii-", "starts or ends with '-'"),
		ROW("xn--a-0", "an xn-- label"),
		ROW("xn--", "starts or ends with '-'"),
		ROW("xn--a", "an xn-- label"),
		ROW("xn--\u00fc", "internationalised"),
		ROW("xn--99999999", "an xn-- label"),
		ROW("xn--bcher-kva9", "an xn-- label"),
		ROW("xn--bucher-xyd", "an xn-- label"),     /* in NFD */
		ROW("xn--bcher-2pa", "an xn-- label"),      /* in upper case */
		ROW("xn--cher-zra77610b", "an xn-- label"), /* partly fullwidth */
		ROW("xn--ab-m1t", "an xn-- label"),         /* with a joiner */
		ROW("xn--xn---3ra", "an xn-- label"),       /* "xn--\u00fc" */
		ROW("xn--tda605n", "an xn-- label"),        /* with "a/c" as one character */
		ROW("xn--.b-wka", "a label that starts or ends"),
		ROW("xn--/b-wka", "a character"),
		ROW("xn--strae-oqa.xn--a", "an xn-- label"),
		ROW("\u2100.example", "a character"), /* a/c */
		ROW("allowed\uff20evil", "a character"),
		ROW("evil\uff0fallowed", "a character"),
		ROW("a\u2024b\u00fc", "internationalised"),
		ROW("a\u200db", "internationalised"),
		ROW("a\u200cb", "internationalised"),
		ROW("a\u202eb", "internationalised"),
		ROW("\ufffd", "internationalised"),
		ROW("\xff", "internationalised"),
		ROW("\xc0\xae", "internationalised"),
		ROW("a\xc3", "internationalised"),
		ROW("\xed\xa0\x80", "internationalised"),
		ROW("\u00ad", "empty label"),
		ROW("a.\u00ad.b", "empty label"),
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

/* RFC 5893 and the joiners of RFC 5892: by the name as people write it, and by its ASCII form. */
TEST(host_names_from_right_to_left)
{
	static const char mixed[] = "RFC 5893";
	static const struct {
		const char *text, *ascii;
		const char *problem; /* NULL: none */
	} rows[] = {
		{ "\u05d0\u05d1\u05d2.example", "xn--4dbcd.example", NULL },
		{ "www.\u05e7\u05d5\u05dd", "www.xn--9dbq2a", NULL },
		{ "\u0645\u062b\u0627\u0644.\u0625\u062e\u062a\u0628\u0627\u0631", "xn--mgbh0fb.xn--kgbechtv", NULL },
		{ "\u05d0-1.a1.example", "xn---1-uld.a1.example", NULL },
		{ "\u05d0\u05d11.example", "xn--1-zhcd.example", NULL },
		{ "\u0627\u0661.example", "xn--mgb0j.example", NULL }, /* an Arabic digit */
		{ "\u05d0\u05b0.example", "xn--7cb7d.example", NULL }, /* a mark */
		{ "\u067e\u06f1.example", "xn--3ib4u.example", NULL }, /* a European digit, which is Persian */
		{ "\u05d0\u07ca.example", "xn--4db62h.example", NULL },
		/* Within a label */
		{ "a\u05d0.example", "xn--a-0hc.example", mixed },
		{ "\u05d0a.example", "xn--a-zhc.example", mixed },
		{ "\u05d0a\u05d1.example", "xn--a-zhce.example", mixed },
		{ "\u05d0\u03b1.example", "xn--mxa99h.example", mixed },
		{ "1\u05d0.example", "xn--1-0hc.example", mixed },
		{ "\u0661\u0627.example", "xn--mgb9i.example", mixed },
		{ "\u06f1\u0627.example", "xn--mgb71b.example", mixed },
		{ "\u0660.example", "xn--8hb.example", mixed },
		{ "\u05b0\u05d0.example", "xn--7cb8d.example", mixed },
		{ "\u0627\u06611.example", "xn--1-ymc8o.example", mixed },
		{ "\u06271\u0661.example", "xn--1-ymc9o.example", mixed },
		{ "\u0627\u0661\u06f1.example", "xn--mgb0j6q.example", mixed },
		{ "\u05d0-\u05b0.example", "xn----6fc8g.example", mixed },
		{ "\u05be.example", "xn--mdb.example", mixed },
		/* Between labels */
		{ "1a.\u05d0.example", "1a.xn--4db.example", mixed },
		{ "\u05d0.1a.example", "xn--4db.1a.example", mixed },
		{ "a.1.\u05d0", "a.1.xn--4db", mixed },
		{ "_a.\u05d0", "_a.xn--4db", mixed },
		{ "a_.\u05d0", "a_.xn--4db", mixed },
		/* More than is asked for: nothing tells here that these go from left to right, or which of the further
		 * scripts goes where. */
		{ "b\u00fccher.\u05d0", "xn--bcher-kva.xn--4db", mixed },
		{ "\u05d0.b\u00fccher", "xn--4db.xn--bcher-kva", mixed },
		{ "\u05d0\u0301.example", "xn--lsa15l.example", mixed },
		{ "\u05d0\u05f3.example", "xn--4db4e.example", mixed },
		{ "\U0001e922.example", "xn--9d6h.example", mixed },
		/* The joiners, also where a script needs them */
		{ "\u0646\u0627\u0645\u0647\u200c\u0627\u06cc.example", "xn--mgba3gch31f060k.example", "name" },
		{ "\u0915\u094d\u200d\u0937.example", "xn--11b2ezcw70k.example", "name" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *const forms[] = { rows[i].text, rows[i].ascii };

		for (size_t form = 0; form < 2; form++) {
			struct zs_host host = { .port = 0 };
			const char *problem = "";
			int r = parse(forms[form], strlen(forms[form]), &host, &problem);

			CHECK(r == (rows[i].problem ? -EINVAL : 0), "%s: %d %s", forms[form], r, problem);
			CHECK(r < 0 || strcmp(host.name, rows[i].ascii) == 0, "%s: %s", forms[form], host.name);
			CHECK(r == 0 || strstr(problem, rows[i].problem), "%s: %s", forms[form], problem);
		}
	}
}

/* Labels of `label` bytes, together `total` long. */
static size_t fill(char *text, size_t label, size_t total)
{
	for (size_t i = 0; i < total; i++)
		text[i] = i % (label + 1) == label ? '.' : 'a';
	return total;
}

TEST(host_name_limits)
{
	char text[4 * ZS_HOST_INPUT_MAX];
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
	/* The ASCII form counts: 60 letters become longer ones. */
	memset(text, 0, sizeof text);
	for (int i = 0; i < 60; i++)
		strcat(text, "\u00fc");
	CHECK(parse(text, strlen(text), &host, &problem) == 0 || strstr(problem, "63") || strstr(problem, "inter"),
		"ü");
	memset(text, 0, sizeof text);
	for (int i = 0; i < 63; i++)
		strcat(text, i % 2 ? "\u00fc" : "\u4f8b");
	CHECK(parse(text, strlen(text), &host, &problem) == -EINVAL && strstr(problem, "63"), "mixed: %s", problem);
	for (size_t len = ZS_HOST_INPUT_MAX - 4; len < ZS_HOST_INPUT_MAX + 4; len++) {
		fill(text, 20, len);
		memcpy(text, "\u00fc", 2);
		CHECK(parse(text, len, &host, NULL) == -EINVAL, "%zu bytes", len);
	}
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
