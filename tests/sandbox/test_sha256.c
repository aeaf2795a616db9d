/* SHA-256 compared with the examples of FIPS 180-4 (csrc.nist.gov, "SHA256.pdf" and CAVP's SHA256ShortMsg), and with
 * every position in a block at which a text can end. */
#include "check.h"
#include "base/sha256.h"

static const struct {
	const char *text;
	const char *hex;
} known[] = {
	{ "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
	{ "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
	{ "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		"248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
	{ "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopq"
	  "rstu",
		"cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1" },
};

TEST(sha256_known)
{
	char hex[ZS_SHA256_HEX + 1];

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		zs_sha256(known[i].text, strlen(known[i].text), hex);
		CHECK(strcmp(hex, known[i].hex) == 0, "%s: %s", known[i].text, hex);
	}
}

TEST(sha256_million)
{
	enum { COUNT = 1000000 };
	char hex[ZS_SHA256_HEX + 1];
	char *text = malloc(COUNT);

	memset(text, 'a', COUNT);
	zs_sha256(text, COUNT, hex);
	CHECK(strcmp(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0") == 0, "%s", hex);
	free(text);
}

/* The hash of the hashes of "", "a", "aa", … up to 130 letters, as python3's hashlib computes it. */
TEST(sha256_every_length)
{
	char text[130], all[131 * ZS_SHA256_HEX + 1], hex[ZS_SHA256_HEX + 1];

	memset(text, 'a', sizeof text);
	for (size_t len = 0; len <= sizeof text; len++)
		zs_sha256(text, len, all + len * ZS_SHA256_HEX);
	zs_sha256(all, 131 * ZS_SHA256_HEX, hex);
	CHECK(strcmp(hex, "5eee4c50e1b5ec4f1a47f34c25ca988850b49da7904f5ab1b3abc5cc0ae66ef9") == 0, "%s", hex);
}
