/* Mutates bytes that come from a network: drives net_target.c.
 *
 *	net COUNT SEED
 *
 * Same count and seed: same inputs. The first byte of an input says which reader gets it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mutator.h"
#include "net_target.h"

#define ROW(text) { (char *)text, sizeof(text) - 1 }
#define X_ORG "\1x\3org\0\0\1\0\1"

static const struct seed seeds[] = {
	ROW("nExample.ORG.:443"),
	ROW("nxn--bcher-kva.example:65535"),
	ROW("nXN--bcher-kva.xn--r8jz45g.xn--zckzah"),
	ROW("n[2001:db8::1]:80"),
	ROW("n192.0.2.1"),
	ROW("n[::ffff:127.0.0.1]:1"),
	ROW("hGET http://x.org/a?b HTTP/1.1\r\nHost: x.org\r\nAccept: *\r\n\r\n"),
	ROW("hCONNECT x.org:443 HTTP/1.1\r\nHost: x.org:443\r\nProxy-Connection: keep-alive\r\n\r\n\x16\x03\x01"),
	ROW("hPOST http://x.org:8080/ HTTP/1.1\r\nHost: x.org:8080\r\nContent-Length: 3\r\n\r\nabcGET"),
	ROW("hPOST http://[::1]/ HTTP/1.1\r\nHost: [::1]\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nT: "
	    "1\r\n\r\nX"),
	ROW("hGET http://x.org/ HTTP/1.0\r\nConnection: close, X-Own\r\nX-Own: 1\r\nUpgrade: h2c\r\n\r\n"),
	ROW("HGET /a HTTP/1.1\r\nHost: x.org\r\nCookie: a\r\n\r\n"),
	ROW("s\5\1\0\3\5x.org\1\273"),
	ROW("s\5\1\0\1\177\0\0\1\0\120"),
	ROW("s\5\1\0\4 \1\r\270\0\0\0\0\0\0\0\0\0\0\0\1\0\120"),
	ROW("s\5\2\0\2"),
	ROW("t\x16\x03\x01\0\x43\1\0\0\x3f\3\3ABCDEFGHIJKLMNOPQRSTUVWXYZ012345\0\0\2\x13\1\1\0\0\x14"
	    "\0\0\0\x0a\0\x08\0\0\5x.org\xfe\x0d\0\2\0\0"),
	ROW("t\x16\x03\x01\0\x04\1\0\0\x3f\x16\3\1\0\x3f\3\3ABCDEFGHIJKLMNOPQRSTUVWXYZ012345\0\0\2\x13\1\1\0\0\x14"
	    "\0\0\0\x0a\0\x08\0\0\5x.org\xfe\x0d\0\2\0\0"),
	ROW("d\x12\x34\1\0\0\1\0\0\0\0\0\0" X_ORG),
	ROW("a\x12\x34\x81\x80\0\1\0\1\0\0\0\0" X_ORG "\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4\1\1\1\1"),
	ROW("a\x12\x34\x81\x80\0\1\0\2\0\0\0\0" X_ORG "\xc0\x0c\0\5\0\1\0\0\0\x3c\0\4\1y\xc0\x0e"
	    "\xc0\x23\0\1\0\1\0\0\0\x3c\0\4\1\1\1\1"),
};

static const struct seed tokens[] = { ROW("\0"), ROW("\r\n"), ROW("\n"), ROW("\r"), ROW("."), ROW(".."), ROW(":"),
	ROW("@"), ROW("%00"), ROW("["), ROW("]"), ROW("::"), ROW("*."), ROW("/"), ROW("#"), ROW("?"), ROW("\\"),
	ROW(" "), ROW("\t"), ROW("xn--"), ROW("0x"), ROW("127.0.0.1"), ROW("-"), ROW("_"), ROW("\u00fc"),
	ROW("u\u0308"), ROW("\u3002"), ROW("\uff11"), ROW("\u200d"), ROW("\u00df"), ROW("\xff"), ROW("\xc0\x0c"),
	ROW("\xc0\x00"), ROW("Host: evil\r\n"), ROW("Host: x.org\r\n"), ROW("Content-Length: 1\r\n"),
	ROW("Transfer-Encoding: chunked\r\n"), ROW("Connection: "), ROW(", "), ROW("Upgrade: h2c\r\n"),
	ROW(" HTTP/1.1\r\n"), ROW("http://"), ROW("https://"), ROW("CONNECT "), ROW("GET "), ROW("\r\n\r\n"),
	ROW("\x16\x03\x01\0\1"), ROW("\0\0\0\0"), ROW("\xff\xff"), ROW("\5\1\0\3"), ROW("\0\1\0\1"), ROW("\3"),
	ROW("\x3f"), ROW("65536"), ROW(":80") };

static size_t insert(char *input, size_t len, size_t at, const char *bytes, size_t count)
{
	if (len + count > ZS_INPUT_MAX)
		return len;
	memmove(input + at + count, input + at, len - at);
	memcpy(input + at, bytes, count);
	return len + count;
}

/* One change. Lengths that a message states are changed as other bytes are: there are few. */
static size_t change(struct mutator *random, char *input, size_t len)
{
	size_t at = len ? zs_random(random, (uint32_t)len) : 0, count;
	const struct seed *token = &tokens[zs_random(random, sizeof tokens / sizeof *tokens)];
	char piece[64];

	switch (len ? zs_random(random, 7) : 0) {
	case 0:
	case 1:
		return insert(input, len, at, token->bytes, token->len);
	case 2:
		input[at] = (char)zs_random(random, 256);
		return len;
	case 3:
		input[at] = (char)(input[at] + (zs_random(random, 2) ? 1 : -1));
		return len;
	case 4: /* leaves out */
		count = 1 + zs_random(random, (uint32_t)(len - at));
		memmove(input + at, input + at + count, len - at - count);
		return len - count;
	case 5: /* repeats */
		count = 1 + zs_random(random, (uint32_t)(len - at));
		count = count < sizeof piece ? count : sizeof piece;
		memcpy(piece, input + at, count);
		return insert(input, len, at, piece, count);
	default:
		input[at] ^= 0x20;
		return len;
	}
}

int main(int argc, char **argv)
{
	unsigned long count = argc > 2 ? strtoul(argv[1], NULL, 10) : 0;
	struct mutator *random = zs_mutator_new(argc > 2 ? strtoull(argv[2], NULL, 10) : 0);
	static char input[ZS_INPUT_MAX];

	if (!random || !count) {
		fprintf(stderr, "usage: net COUNT SEED\n");
		return 64;
	}
	for (unsigned long i = 0; i < count; i++) {
		const struct seed *seed = &seeds[i % (sizeof seeds / sizeof *seeds)];
		size_t len = seed->len;

		memcpy(input, seed->bytes, len);
		/* The first round as they are: who does not understand these finds nothing in others. */
		if (i < sizeof seeds / sizeof *seeds) {
			if (zs_net_target((const uint8_t *)input, len))
				continue;
			fprintf(stderr, "fuzz: sample %lu is not understood\n", i);
			return 1;
		}
		for (uint32_t changes = 1 + zs_random(random, 4); changes > 0; changes--)
			len = 1 + change(random, input + 1, len - 1);
		zs_net_target((const uint8_t *)input, len);
	}
	printf("fuzz: %lu inputs from the network\n1 passed, 0 failed\n", count);
	zs_mutator_free(random);
	return 0;
}
