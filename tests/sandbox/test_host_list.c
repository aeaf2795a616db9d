/* The names that a list of allowed hosts allows, and similar names that it does not. */
#include "check.h"
#include "policy/host_list.h"

TEST(host_list_allows)
{
	static const struct {
		const char *entry, *host;
		bool allowed;
	} rows[] = {
		{ "x.org", "x.org", true },
		{ "x.org", "X.ORG.:443", true },
		{ "x.org", "y.x.org", false },
		{ "x.org", "evilx.org", false },
		{ "x.org", "x.org.evil", false },
		{ "x.org", "org", false },
		{ "x.org:443", "x.org:443", true },
		{ "x.org:443", "x.org:80", false },
		{ "x.org:443", "x.org", false },
		{ "*.x.org", "y.x.org", true },
		{ "*.x.org", "z.y.x.org:1", true },
		{ "*.x.org", "x.org", false },
		{ "*.x.org", "evilx.org", false },
		{ "*.x.org", "x.org.evil.com", false },
		{ "*.x.org", "y.x.org.evil.com", false },
		{ "*.x.org:443", "y.x.org:443", true },
		{ "*.x.org:443", "y.x.org:80", false },
		{ "*.X.Org", "Y.x.oRG", true },
		{ "*.xn--bcher-kva.example", "a.XN--bcher-kva.example", true },
		{ "bucher.example", "xn--bcher-kva.example", false },
		{ "127.0.0.1", "127.0.0.1:80", true },
		{ "127.0.0.1", "[::ffff:127.0.0.1]:80", true },
		{ "127.0.0.1:81", "127.0.0.1:80", false },
		{ "127.0.0.1", "127.0.0.2", false },
		{ "::1", "[0::1]:80", true },
		{ "[::1]:80", "[::1]:80", true },
		{ "[::1]:80", "[::1]:81", false },
		{ "[::ffff:10.0.0.1]", "10.0.0.1", true },
		{ "*.org", "127.0.0.1", false },
		{ "*.com", "x.com", true },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *problem = "";
		struct zs_host_entry entry;
		struct zs_host host;
		char text[ZS_HOST_ENTRY_SIZE], *items[] = { text };
		struct zs_strings hosts = { .items = items, .count = 1 };

		CHECK(zs_host_entry_parse(rows[i].entry, &entry, &problem) == 0, "%s: %s", rows[i].entry, problem);
		CHECK(zs_host_parse(rows[i].host, strlen(rows[i].host), &host, &problem) == 0, "%s", rows[i].host);
		zs_host_entry_text(&entry, text);
		CHECK(zs_host_entry_allows(&entry, &host) == rows[i].allowed, "%s: %s", rows[i].entry, rows[i].host);
		CHECK(zs_hosts_allow(&hosts, &host) == rows[i].allowed, "%s (%s): %s", rows[i].entry, text,
			rows[i].host);
		CHECK(zs_hosts_know(&hosts, &host) || !rows[i].allowed, "%s: %s", rows[i].entry, rows[i].host);
		hosts.count = 0;
		CHECK(!zs_hosts_allow(&hosts, &host) && !zs_hosts_know(&hosts, &host), "an empty list");
	}
}

/* No entry has this form, and no name does: the last label is a number. */
TEST(host_list_never_means_an_address_by_its_end)
{
	struct zs_host_entry entry = { .below = true, .host.name = "0.0.1" };
	struct zs_host host;

	zs_host_parse("127.0.0.1", 9, &host, NULL);
	CHECK(!zs_host_entry_allows(&entry, &host), "*.0.0.1");
}

TEST(host_list_entries_refused)
{
	static const char *const rows[] = { "", "*", "*.", "*.*", "**.x", "*x", "a*.b", "a.*", "a.*.b", "*.127.0.0.1",
		"*.1", "*.[::1]", "*.::1", ".x", "x.*:80", "http://x", "x/", "x/y", "user@x", "x:0", "x:port", "x:*",
		"10.0.0.0/8", "x y", "x,y", "x..y", "-x", "[::1]/128", "0x7f.1", "*.b\u00fccher.example" };
	struct zs_host_entry entry;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *problem = "";

		CHECK(zs_host_entry_parse(rows[i], &entry, &problem) == -EINVAL && *problem, "%s", rows[i]);
	}
}

TEST(host_list_knows_ports)
{
	const char *const items[] = { "x.org:443", "*.y.org", "10.0.0.1:22" };
	struct zs_strings hosts = { .items = (char **)items, .count = 3 };
	struct zs_host host;

	zs_host_parse("x.org", 5, &host, NULL);
	CHECK(!zs_hosts_allow(&hosts, &host) && zs_hosts_know(&hosts, &host), "any port");
}

/* An allowed name must not lead to an address that no name may lead to. */
TEST(host_list_addresses)
{
	static const struct {
		const char *address;
		uint16_t port;
		bool allowed;
	} rows[] = {
		{ "1.1.1.1", 443, true },
		{ "2606:4700::1111", 443, true },
		{ "127.0.0.1", 443, false },
		{ "::1", 443, false },
		{ "::ffff:127.0.0.1", 443, false },
		{ "169.254.169.254", 80, false },
		{ "192.168.1.1", 80, false },
		{ "0.0.0.0", 80, false },
		{ "64:ff9b::10.0.0.2", 80, false },
		{ "198.18.0.1", 80, false },
		{ "10.0.0.1", 80, true },
		{ "10.0.0.2", 443, true },
		{ "10.0.0.2", 80, false },
		{ "::ffff:10.0.0.1", 80, true },
	};
	const char *const items[] = { "*.x.org", "10.0.0.1", "10.0.0.2:443" };
	struct zs_strings hosts = { .items = (char **)items, .count = 3 };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct zs_address address;

		CHECK(zs_address_parse(rows[i].address, strlen(rows[i].address), &address) == 0, "%s", rows[i].address);
		CHECK(zs_hosts_allow_address(&hosts, &address, rows[i].port) == rows[i].allowed, "%s:%u",
			rows[i].address, rows[i].port);
	}
}
