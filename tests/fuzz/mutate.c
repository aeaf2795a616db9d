/* Drives a fuzz target without libFuzzer, which Zig does not ship: mutates the commands of JSON-lines files.
 *
 *	mutate COUNT SEED FILE...
 *
 * Same count, seed and files: same inputs. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yyjson.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SEEDS_MAX 8192
#define INPUT_MAX 4096

struct text {
	char *bytes;
	size_t len;
};

static struct text seeds[SEEDS_MAX];
static size_t seed_count;
static uint64_t state;

/* xorshift64*. */
static uint32_t next_random(uint32_t below)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (uint32_t)((state * UINT64_C(2685821657736338717)) >> 32) % below;
}

static void load(const char *path)
{
	char *line = NULL;
	size_t capacity = 0;
	ssize_t len;
	FILE *file = fopen(path, "r");

	if (!file) {
		perror(path);
		exit(1);
	}
	while ((len = getline(&line, &capacity, file)) > 0 && seed_count < SEEDS_MAX) {
		yyjson_doc *doc = yyjson_read(line, (size_t)len, 0);
		yyjson_val *command = yyjson_obj_get(yyjson_doc_get_root(doc), "cmd");

		if (yyjson_is_str(command) && yyjson_get_len(command) < INPUT_MAX) {
			seeds[seed_count].len = yyjson_get_len(command);
			seeds[seed_count++].bytes = strdup(yyjson_get_str(command));
		}
		yyjson_doc_free(doc);
	}
	free(line);
	fclose(file);
}

/* What bash's grammar is made of. */
static const char *const tokens[] = { "$(", "`", "\"", "'", "$'", "${x:-", "}", ")", "((", "))", "[[ ", " ]]",
	"<<EOF\n", "\nEOF\n", "<<<", "<(", ">(", "|", "||", "&&", ";", "\n", "\\\n", "\\", "#", " # ", "{ ", " }",
	"case x in ", " esac", "if ", " then ", " fi", "do ", " done", "for i in ", "eval ", "bash -c '", "$x", "$",
	"!", "~", "*", "{a,b}", "=", "a[", "]", ">", ">&", "2>", "<&-", "&", "\t", "\r", "\x01", "\xc3\xa9", "\xff",
	"rm x", "cd ", "pwn" };

static size_t insert(char *buffer, size_t len, size_t at, const char *bytes, size_t count)
{
	if (len + count > INPUT_MAX)
		return len;
	memmove(buffer + at + count, buffer + at, len - at);
	memcpy(buffer + at, bytes, count);
	return len + count;
}

static size_t mutate_once(char *buffer, size_t len)
{
	size_t at = next_random((uint32_t)len + 1), count;
	const struct text *other = &seeds[next_random((uint32_t)seed_count)];

	switch (next_random(6)) {
	case 0: /* a token */
	case 1: {
		const char *token = tokens[next_random(sizeof tokens / sizeof *tokens)];

		return insert(buffer, len, at, token, strlen(token));
	}
	case 2: /* remove some */
		count = next_random(8) + 1;
		if (at + count > len)
			return len;
		memmove(buffer + at, buffer + at + count, len - at - count);
		return len - count;
	case 3: /* change a byte */
		if (at < len)
			buffer[at] = (char)next_random(256);
		return len;
	case 4: /* a piece of another seed */
		count = next_random((uint32_t)other->len + 1);
		return insert(buffer, len, at, other->bytes + other->len - count, count);
	default: /* say some of it again */
		count = next_random(16);
		if (at + count > len)
			return len;
		{
			char copy[16];

			memcpy(copy, buffer + at, count);
			return insert(buffer, len, at, copy, count);
		}
	}
}

int main(int argc, char **argv)
{
	unsigned long count = argc > 3 ? strtoul(argv[1], NULL, 10) : 0;
	static char buffer[INPUT_MAX];

	state = argc > 3 ? strtoull(argv[2], NULL, 10) * 2 + 1 : 1;
	for (int i = 3; i < argc; i++)
		load(argv[i]);
	if (!seed_count || !count) {
		fprintf(stderr, "usage: mutate COUNT SEED FILE...\n");
		return 64;
	}
	for (unsigned long i = 0; i < count; i++) {
		const struct text *seed = &seeds[next_random((uint32_t)seed_count)];
		size_t len = seed->len;

		memcpy(buffer, seed->bytes, len);
		for (uint32_t steps = next_random(5); steps; steps--)
			len = mutate_once(buffer, len);
		LLVMFuzzerTestOneInput((const uint8_t *)buffer, len);
	}
	printf("fuzz: %lu inputs from %zu seeds\n1 passed, 0 failed\n", count, seed_count);
	return 0;
}
