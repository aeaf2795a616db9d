/* Addresses: which texts are addresses, and which addresses are allowed without being listed. */
#include <arpa/inet.h>

#include "net/address.h"
#include "check.h"

static struct zs_address parsed(const char *text)
{
	struct zs_address address = { .family = AF_UNSPEC };

	CHECK(zs_address_parse(text, strlen(text), &address) == 0, "%s", text);
	return address;
}

TEST(address_texts)
{
	static const struct {
		const char *text, *canonical;
	} rows[] = {
		{ "192.0.2.1", "192.0.2.1" },
		{ "0.0.0.0", "0.0.0.0" },
		{ "255.255.255.255", "255.255.255.255" },
		{ "::", "::" },
		{ "2001:DB8:0::1", "2001:db8::1" },
		{ "::ffff:127.0.0.1", "127.0.0.1" },
		{ "::ffff:7f00:1", "127.0.0.1" },
		{ "0:0:0:0:0:FFFF:127.0.0.1", "127.0.0.1" },
		{ "64:ff9b::127.0.0.1", "64:ff9b::7f00:1" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct zs_address address = parsed(rows[i].text);
		char text[ZS_ADDRESS_TEXT_SIZE];

		zs_address_text(&address, text);
		CHECK(strcmp(text, rows[i].canonical) == 0, "%s: %s", rows[i].text, text);
	}
}

TEST(address_spellings_that_are_none)
{
	static const char *const rows[] = { "", ".", "127", "127.1", "127.0.1", "2130706433", "0x7f.0.0.1",
		"0x7f000001", "0177.0.0.1", "127.0.0.01", "00.0.0.0", "127.0.0.1.", ".127.0.0.1", "127..0.1",
		"127.0.0.256", "127.0.0.1000", "127.0.0.99999999999", "1.2.3.4.5", " 127.0.0.1", "127.0.0.1 ",
		"127.0.0.+1", "127.0.0.-1", "127.0.0.1%1", "[::1]", "::1]", "fe80::1%lo", "1:2:3:4:5:6:7",
		"1:2:3:4:5:6:7:8:9", "::1::", ":", ":::", "12345::", "::g", "::ffff:127.1", "::ffff:127.0.0.256",
		"0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000" };
	struct zs_address address;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		CHECK(zs_address_parse(rows[i], strlen(rows[i]), &address) == -EINVAL, "%s", rows[i]);
	CHECK(zs_address_parse("127.0.0.1\0x", 11, &address) == -EINVAL, "a NUL behind");
	CHECK(zs_address_parse("::1\0x", 5, &address) == -EINVAL, "a NUL behind");
	CHECK(zs_address_parse("127.0.0.1", 8, &address) == -EINVAL, "only its length counts");
}

TEST(address_kinds)
{
	static const struct {
		const char *text;
		enum zs_address_kind kind;
	} rows[] = {
		{ "0.0.0.0", ZS_ADDRESS_UNSPECIFIED },
		{ "0.1.2.3", ZS_ADDRESS_UNSPECIFIED },
		{ "1.1.1.1", ZS_ADDRESS_PUBLIC },
		{ "9.255.255.255", ZS_ADDRESS_PUBLIC },
		{ "10.0.0.0", ZS_ADDRESS_PRIVATE },
		{ "10.255.255.255", ZS_ADDRESS_PRIVATE },
		{ "11.0.0.0", ZS_ADDRESS_PUBLIC },
		{ "100.63.255.255", ZS_ADDRESS_PUBLIC },
		{ "100.64.0.0", ZS_ADDRESS_PRIVATE },
		{ "100.100.100.200", ZS_ADDRESS_PRIVATE },
		{ "100.127.255.255", ZS_ADDRESS_PRIVATE },
		{ "100.128.0.0", ZS_ADDRESS_PUBLIC },
		{ "127.0.0.1", ZS_ADDRESS_LOOPBACK },
		{ "127.255.255.254", ZS_ADDRESS_LOOPBACK },
		{ "128.0.0.1", ZS_ADDRESS_PUBLIC },
		{ "168.63.129.16", ZS_ADDRESS_LINK_LOCAL },
		{ "168.63.129.17", ZS_ADDRESS_PUBLIC },
		{ "169.254.169.254", ZS_ADDRESS_LINK_LOCAL },
		{ "172.15.255.255", ZS_ADDRESS_PUBLIC },
		{ "172.16.0.1", ZS_ADDRESS_PRIVATE },
		{ "172.31.255.255", ZS_ADDRESS_PRIVATE },
		{ "172.32.0.0", ZS_ADDRESS_PUBLIC },
		{ "192.0.0.192", ZS_ADDRESS_RESERVED },
		{ "192.0.1.1", ZS_ADDRESS_PUBLIC },
		{ "192.0.2.1", ZS_ADDRESS_PUBLIC },
		{ "192.88.99.1", ZS_ADDRESS_RESERVED },
		{ "192.168.0.1", ZS_ADDRESS_PRIVATE },
		{ "198.17.255.255", ZS_ADDRESS_PUBLIC },
		{ "198.18.0.1", ZS_ADDRESS_BENCHMARK },
		{ "198.19.255.255", ZS_ADDRESS_BENCHMARK },
		{ "198.20.0.0", ZS_ADDRESS_PUBLIC },
		{ "198.51.100.1", ZS_ADDRESS_PUBLIC },
		{ "203.0.113.1", ZS_ADDRESS_PUBLIC },
		{ "223.255.255.255", ZS_ADDRESS_PUBLIC },
		{ "224.0.0.1", ZS_ADDRESS_MULTICAST },
		{ "239.255.255.255", ZS_ADDRESS_MULTICAST },
		{ "240.0.0.1", ZS_ADDRESS_RESERVED },
		{ "255.255.255.255", ZS_ADDRESS_RESERVED },
		{ "::", ZS_ADDRESS_UNSPECIFIED },
		{ "::1", ZS_ADDRESS_LOOPBACK },
		{ "::2", ZS_ADDRESS_RESERVED },
		{ "::127.0.0.1", ZS_ADDRESS_RESERVED }, /* compatible, RFC 4291: deprecated */
		{ "::ffff:127.0.0.1", ZS_ADDRESS_LOOPBACK },
		{ "::ffff:10.0.0.1", ZS_ADDRESS_PRIVATE },
		{ "::ffff:1.1.1.1", ZS_ADDRESS_PUBLIC },
		{ "::ffff:0:1.1.1.1", ZS_ADDRESS_RESERVED }, /* SIIT */
		{ "64:ff9b::127.0.0.1", ZS_ADDRESS_LOOPBACK },
		{ "64:ff9b::169.254.169.254", ZS_ADDRESS_LINK_LOCAL },
		{ "64:ff9b::1.1.1.1", ZS_ADDRESS_PUBLIC },
		{ "64:ff9b:1::1.1.1.1", ZS_ADDRESS_PRIVATE },
		{ "100::1", ZS_ADDRESS_RESERVED },
		{ "2001::1", ZS_ADDRESS_UNSPECIFIED },               /* Teredo, server 0.0.0.0 */
		{ "2001:0:101:101::f5ff:fffe", ZS_ADDRESS_PRIVATE }, /* its client 10.0.0.1 */
		{ "2001:0:101:101::fefe:fefe", ZS_ADDRESS_PUBLIC },  /* both 1.1.1.1 */
		{ "2001:0:7f00:1::fefe:fefe", ZS_ADDRESS_LOOPBACK }, /* its server is 127.0.0.1 */
		{ "2001:2::1", ZS_ADDRESS_BENCHMARK },
		{ "2001:20::1", ZS_ADDRESS_RESERVED },
		{ "2001:1ff::1", ZS_ADDRESS_RESERVED },
		{ "2001:200::1", ZS_ADDRESS_PUBLIC },
		{ "2001:db8::1", ZS_ADDRESS_PUBLIC },
		{ "2001:4860:4860::8888", ZS_ADDRESS_PUBLIC },
		{ "2002:7f00:1::", ZS_ADDRESS_LOOPBACK },
		{ "2002:a00:1::", ZS_ADDRESS_PRIVATE },
		{ "2002:101:101::", ZS_ADDRESS_PUBLIC },
		{ "2606:4700::1111", ZS_ADDRESS_PUBLIC },
		{ "3fff::1", ZS_ADDRESS_PUBLIC },
		{ "3fff:1000::1", ZS_ADDRESS_PUBLIC },
		{ "4000::1", ZS_ADDRESS_RESERVED },
		{ "5f00::1", ZS_ADDRESS_RESERVED },
		{ "fc00::1", ZS_ADDRESS_PRIVATE },
		{ "fdff::1", ZS_ADDRESS_PRIVATE },
		{ "fd00:ec2::254", ZS_ADDRESS_PRIVATE }, /* metadata of AWS */
		{ "fe80::1", ZS_ADDRESS_LINK_LOCAL },
		{ "febf::1", ZS_ADDRESS_LINK_LOCAL },
		{ "fec0::1", ZS_ADDRESS_PRIVATE },
		{ "ff02::1", ZS_ADDRESS_MULTICAST },
	};
	struct zs_address none = { .family = AF_UNSPEC };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct zs_address address = parsed(rows[i].text);
		enum zs_address_kind kind = zs_address_kind(&address);

		CHECK(kind == rows[i].kind, "%s is %d", rows[i].text, kind);
	}
	CHECK(zs_address_kind(&none) != ZS_ADDRESS_PUBLIC, "none");
}

TEST(address_sockaddr)
{
	struct zs_address none = { .family = AF_UNSPEC }, mapped = parsed("::ffff:1.2.3.4"), v6 = parsed("2001:db8::1");
	struct sockaddr_storage storage;
	const struct sockaddr_in *to = (const struct sockaddr_in *)&storage;
	const struct sockaddr_in6 *to6 = (const struct sockaddr_in6 *)&storage;

	CHECK(zs_address_to_sockaddr(&none, 1, &storage) == 0, "none");
	CHECK(zs_address_to_sockaddr(&mapped, 443, &storage) == sizeof *to && to->sin_family == AF_INET &&
			to->sin_port == htons(443) && to->sin_addr.s_addr == htonl(0x01020304),
		"mapped");
	CHECK(zs_address_to_sockaddr(&v6, 443, &storage) == sizeof *to6 && to6->sin6_family == AF_INET6 &&
			to6->sin6_port == htons(443) && memcmp(&to6->sin6_addr, v6.bytes, sizeof v6.bytes) == 0,
		"v6");
}

TEST(address_from_sockaddr)
{
	static const char *const texts[][2] = { { "1.2.3.4", "1.2.3.4" }, { "2001:db8::1", "2001:db8::1" },
		{ "0.0.0.0", "127.0.0.1" }, { "::", "::1" }, { "127.0.0.2", "127.0.0.2" } };
	struct sockaddr_storage storage = { 0 };
	struct zs_address read;
	uint16_t port = 0;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct zs_address address = parsed(texts[i][0]), reached = zs_address_reached(&address);
		struct zs_address wanted = parsed(texts[i][1]);
		socklen_t size = zs_address_to_sockaddr(&address, 443, &storage);

		CHECK(zs_address_from_sockaddr((const struct sockaddr *)&storage, size, &read, &port) && port == 443 &&
				zs_address_equal(&read, &address),
			"%s", texts[i][0]);
		CHECK(!zs_address_from_sockaddr((const struct sockaddr *)&storage, size - 1, &read, &port),
			"too short");
		CHECK(zs_address_equal(&reached, &wanted), "%s leads elsewhere", texts[i][0]);
	}
	storage.ss_family = AF_UNIX;
	CHECK(!zs_address_from_sockaddr((const struct sockaddr *)&storage, sizeof storage, &read, &port),
		"another one");
}
