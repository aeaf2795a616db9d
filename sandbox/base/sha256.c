#include "base/sha256.h"

#include <stdint.h>
#include <string.h>

enum { BLOCK = 64, ROUNDS = 64, WORDS = 8 };

/* FIPS 180-4, 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[ROUNDS] = { 0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
	0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7,
	0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
	0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c,
	0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2 };

static uint32_t rotate(uint32_t word, unsigned bits)
{
	return word >> bits | word << (32 - bits);
}

static uint32_t word_at(const unsigned char *bytes)
{
	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* 6.2.2 */
static void add_block(uint32_t state[WORDS], const unsigned char *block)
{
	uint32_t schedule[ROUNDS], now[WORDS];

	for (size_t i = 0; i < 16; i++)
		schedule[i] = word_at(block + 4 * i);
	for (size_t i = 16; i < ROUNDS; i++) {
		uint32_t two = schedule[i - 2], fifteen = schedule[i - 15];

		schedule[i] = schedule[i - 16] + schedule[i - 7] +
			      (rotate(fifteen, 7) ^ rotate(fifteen, 18) ^ fifteen >> 3) +
			      (rotate(two, 17) ^ rotate(two, 19) ^ two >> 10);
	}
	memcpy(now, state, sizeof now);
	for (size_t i = 0; i < ROUNDS; i++) {
		uint32_t a = now[0], e = now[4];
		uint32_t first = now[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
				 ((e & now[5]) ^ (~e & now[6])) + constants[i] + schedule[i];
		uint32_t second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
				  ((a & now[1]) ^ (a & now[2]) ^ (now[1] & now[2]));

		memmove(now + 1, now, (WORDS - 1) * sizeof *now);
		now[4] += first;
		now[0] = first + second;
	}
	for (size_t i = 0; i < WORDS; i++)
		state[i] += now[i];
}

/* 5.1.1: adds the remaining bytes, a 1 bit, zeros, and the length in bits. */
static void add_end(uint32_t state[WORDS], const unsigned char *rest, size_t rest_len, uint64_t len)
{
	unsigned char end[2 * BLOCK] = { 0 };
	size_t size = rest_len < BLOCK - 8 ? BLOCK : 2 * BLOCK;

	if (rest_len)
		memcpy(end, rest, rest_len);
	end[rest_len] = 0x80;
	for (size_t i = 0; i < 8; i++)
		end[size - 1 - i] = (unsigned char)(len * 8 >> 8 * i);
	for (size_t at = 0; at < size; at += BLOCK)
		add_block(state, end + at);
}

void zs_sha256(const void *data, size_t len, char ret_hex[ZS_SHA256_HEX + 1])
{
	static const char digits[] = "0123456789abcdef";
	uint32_t state[WORDS] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
		0x5be0cd19 };
	const unsigned char *bytes = data;
	size_t whole = len - len % BLOCK;

	for (size_t at = 0; at < whole; at += BLOCK)
		add_block(state, bytes + at);
	add_end(state, whole < len ? bytes + whole : NULL, len - whole, len);
	for (size_t i = 0; i < ZS_SHA256_HEX; i++)
		ret_hex[i] = digits[state[i / 8] >> (28 - 4 * (i % 8)) & 15];
	ret_hex[ZS_SHA256_HEX] = '\0';
}
