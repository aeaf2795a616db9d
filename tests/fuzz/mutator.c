#include "mutator.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yyjson.h>

void zs_mutator_seed(struct mutator *mutator, uint64_t seed)
{
	/* splitmix64: neighbouring seeds give unlike states, none of them 0. */
	seed += UINT64_C(0x9e3779b97f4a7c15);
	seed = (seed ^ seed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	seed = (seed ^ seed >> 27) * UINT64_C(0x94d049bb133111eb);
	mutator->state = (seed ^ seed >> 31) | 1;
}

struct mutator *zs_mutator_new(uint64_t seed)
{
	struct mutator *mutator = calloc(1, sizeof *mutator);

	if (mutator)
		zs_mutator_seed(mutator, seed);
	return mutator;
}

void zs_mutator_free(struct mutator *mutator)
{
	if (!mutator)
		return;
	for (size_t i = 0; i < mutator->count; i++)
		free(mutator->seeds[i].bytes);
	free(mutator->seeds);
	free(mutator);
}

void zs_mutator_add(struct mutator *mutator, const char *bytes, size_t len)
{
	struct seed *seed;

	if (len >= ZS_INPUT_MAX)
		return;
	if (mutator->count == mutator->capacity) {
		size_t capacity = mutator->capacity ? mutator->capacity * 2 : 1024;
		struct seed *seeds = realloc(mutator->seeds, capacity * sizeof *seeds);

		if (!seeds)
			return;
		mutator->seeds = seeds;
		mutator->capacity = capacity;
	}
	seed = &mutator->seeds[mutator->count];
	seed->bytes = malloc(len + 1);
	if (!seed->bytes)
		return;
	memcpy(seed->bytes, bytes, len);
	seed->len = len;
	mutator->count++;
}

static int load(struct mutator *mutator, const char *path)
{
	char *line = NULL;
	size_t capacity = 0;
	ssize_t len;
	FILE *file = fopen(path, "r");

	if (!file)
		return -1;
	while ((len = getline(&line, &capacity, file)) > 0) {
		yyjson_doc *doc = yyjson_read(line, (size_t)len, YYJSON_READ_ALLOW_INVALID_UNICODE);
		yyjson_val *command = yyjson_obj_get(yyjson_doc_get_root(doc), "cmd");

		if (yyjson_is_str(command))
			zs_mutator_add(mutator, yyjson_get_str(command), yyjson_get_len(command));
		yyjson_doc_free(doc);
	}
	free(line);
	fclose(file);
	return 0;
}

int zs_mutator_load(struct mutator *mutator, char *const *paths)
{
	for (; *paths; paths++)
		if (load(mutator, *paths) < 0) {
			perror(*paths);
			return -1;
		}
	return 0;
}

/* xorshift64*. */
uint32_t zs_random(struct mutator *mutator, uint32_t below)
{
	uint64_t *state = &mutator->state;

	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (uint32_t)((*state * UINT64_C(2685821657736338717)) >> 32) % below;
}

/* The parts of bash's grammar. */
static const char *const tokens[] = { "$(", "`", "\"", "'", "$'", "$\"", "${x:-", "}", ")", "((", "))", "[[ ", " ]]",
	"<<EOF\n", "\nEOF\n", "<<-E\n", "\nE\n", "<<'E'\n", "EOF", "<<<", "<(", ">(", "|", "||", "&&", "|&", ";", ";;",
	";&", ";;&", "&", "\n", "\\\n", "\\", "\\'", "\\\"", "#", " # ", "{ ", " }", "{", "case x in ", " esac", "x) ",
	"if ", " then ", " fi", "do ", " done", "for i in ", "for ((", "select ", "while ", "until ", " in ", "eval ",
	"bash -c '", "$x", "\"$x\"", "'x'", "$", "$((", "$[", "${#x}", "${x[", "${!x", "${x/", "${x@Q}", "!", "! ", "~",
	"*", "?(", "@(", "+(", "!(", "{a,b}", "{fd}>", "=", "x=", "x+=", "x=(", "x[", "a[", "]", ">", ">>", ">&", ">|",
	"&>", "<>", "<", "2>", "0<", "<&-", "2>&1", ">f", "\t", " ", "  ", "\r", "\x01", "\xc3\xa9", "\xff", "=~ ",
	"== ", "-", "--", "time ", "time -p ", "coproc ", "coproc x ", "function f ", "f() ", "declare ", "export ",
	"local ", "unset ", "readonly ", "let ", "[ ", "test ", "echo ", "printf %s ", "cat ", "true;", "trap ",
	"exec ", "command ", "builtin ", "alias ", "shopt -s extglob\n", "set -- ", "read ", "rm x", "cd ", "pwn",
	"pwn", "$(pwn)", "`pwn`", "; pwn", "\npwn\n" };

size_t zs_insert(char *input, size_t len, size_t at, const char *bytes, size_t count)
{
	if (len + count > ZS_INPUT_MAX)
		return len;
	memmove(input + at + count, input + at, len - at);
	memcpy(input + at, bytes, count);
	return len + count;
}

static size_t insert_text(char *input, size_t len, size_t at, const char *text)
{
	return zs_insert(input, len, at, text, strlen(text));
}

static size_t cut(char *input, size_t len, size_t at, size_t count)
{
	if (count > len - at)
		count = len - at;
	memmove(input + at, input + at + count, len - at - count);
	return len - count;
}

/* Lengths in a message are changed like any other bytes, since there are few. */
size_t zs_change(struct mutator *mutator, const struct seed *pieces, size_t piece_count, char *input, size_t len)
{
	const struct seed *token = &pieces[zs_random(mutator, (uint32_t)piece_count)];
	size_t at = len ? zs_random(mutator, (uint32_t)len) : 0, count;
	char piece[64];

	switch (len ? zs_random(mutator, 7) : 0) {
	case 0:
	case 1:
		return zs_insert(input, len, at, token->bytes, token->len);
	case 2:
		input[at] = (char)zs_random(mutator, 256);
		return len;
	case 3:
		input[at] = (char)(input[at] + (zs_random(mutator, 2) ? 1 : -1));
		return len;
	case 4: /* leaves out */
		return cut(input, len, at, 1 + zs_random(mutator, (uint32_t)(len - at)));
	case 5: /* repeats */
		count = 1 + zs_random(mutator, (uint32_t)(len - at));
		count = count < sizeof piece ? count : sizeof piece;
		memcpy(piece, input + at, count);
		return zs_insert(input, len, at, piece, count);
	default:
		input[at] ^= 0x20;
		return len;
	}
}

/* Text that can stand around a piece of text. */
static const char *const around[][2] = { { "$(", ")" }, { "`", "`" }, { "\"", "\"" }, { "'", "'" }, { "$'", "'" },
	{ "${x:-", "}" }, { "\"${x:-", "}\"" }, { "$((", "))" }, { "((", "))" }, { "[[ ", " ]]" }, { "{ ", "; }" },
	{ "( ", " )" }, { "<(", ")" }, { "x=(", ")" }, { "x[", "]=1" }, { "{", ",b}" }, { "cat <<EOF\n", "\nEOF\n" },
	{ "eval '", "'" }, { "bash -c \"", "\"" }, { "case x in x) ", " ;; esac" }, { "if ", "; then pwn; fi" },
	{ "f() { ", "; }; f" }, { "# ", "\n" }, { "@(", ")" }, { "$(pwn ", ")" }, { "time ", "" }, { "\\\n", "\\\n" } };

static size_t surround(struct mutator *mutator, char *input, size_t len)
{
	const char *const *pair = around[zs_random(mutator, sizeof around / sizeof *around)];
	size_t start = zs_random(mutator, (uint32_t)len + 1);
	size_t end = start + zs_random(mutator, (uint32_t)(len - start) + 1);

	if (len + strlen(pair[0]) + strlen(pair[1]) > ZS_INPUT_MAX)
		return len;
	len = insert_text(input, len, end, pair[1]);
	return insert_text(input, len, start, pair[0]);
}

static size_t mutate_once(struct mutator *mutator, char *input, size_t len)
{
	static const char bytes[] = "'\"`$(){}[]<>|&;\\\n \t#!~*?=+-/@%^:,.x1";
	size_t at = zs_random(mutator, (uint32_t)len + 1), count, from;
	const struct seed *other;
	char piece[512];

	switch (zs_random(mutator, 12)) {
	case 0:
	case 1:
	case 2:
		return insert_text(input, len, at, tokens[zs_random(mutator, sizeof tokens / sizeof *tokens)]);
	case 3:
		return cut(input, len, at, zs_random(mutator, 8) + 1);
	case 4: /* a byte of the syntax */
		if (at < len)
			input[at] = bytes[zs_random(mutator, sizeof bytes - 1)];
		return len;
	case 5: /* any byte */
		if (at < len && !zs_random(mutator, 4))
			input[at] = (char)zs_random(mutator, 256);
		return len;
	case 6: /* a piece of another seed */
		if (!mutator->count)
			return len;
		other = &mutator->seeds[zs_random(mutator, (uint32_t)mutator->count)];
		from = zs_random(mutator, (uint32_t)other->len + 1);
		count = zs_random(mutator, (uint32_t)(other->len - from) + 1);
		return zs_insert(input, len, at, other->bytes + from, count);
	case 7: /* a part of it again */
		count = zs_random(mutator, 24);
		if (count > len - at)
			return len;
		memcpy(piece, input + at, count);
		return zs_insert(input, len, zs_random(mutator, (uint32_t)len + 1), piece, count);
	case 8:
		return surround(mutator, input, len);
	case 9: /* the end is missing */
		return zs_random(mutator, 4) ? len : at;
	default:
		count = zs_generate_piece(mutator, piece, sizeof piece);
		return zs_insert(input, len, at, piece, count);
	}
}

size_t zs_mutate(struct mutator *mutator, char *input, size_t len)
{
	for (uint32_t steps = zs_random(mutator, 4) + 1; steps; steps--)
		len = mutate_once(mutator, input, len);
	return len;
}

size_t zs_mutator_next(struct mutator *mutator, char *input)
{
	const struct seed *seed;
	size_t len;

	if (!mutator->count || zs_random(mutator, 5) < 2) {
		len = zs_generate(mutator, input);
		return zs_random(mutator, 2) ? len : zs_mutate(mutator, input, len);
	}
	seed = &mutator->seeds[zs_random(mutator, (uint32_t)mutator->count)];
	memcpy(input, seed->bytes, seed->len);
	return zs_random(mutator, 8) ? zs_mutate(mutator, input, seed->len) : seed->len;
}

static size_t find(const char *input, size_t len, size_t from, const char *text)
{
	size_t count = strlen(text);

	for (; from + count <= len; from++)
		if (!memcmp(input + from, text, count))
			return from;
	return len;
}

/* Puts a piece in place of a word, or around one. */
static size_t splice(struct mutator *mutator, char *input, size_t len)
{
	static const char blanks[] = " \t\n;|&()";
	size_t start = zs_random(mutator, (uint32_t)len + 1), end;

	while (start && !memchr(blanks, input[start - 1], sizeof blanks))
		start--;
	for (end = start; end < len && !memchr(blanks, input[end], sizeof blanks);)
		end++;
	if (zs_random(mutator, 2)) {
		len = cut(input, len, start, end - start);
		return insert_text(input, len, start, zs_random(mutator, 3) ? "pwn" : "$(pwn)");
	}
	if (len + sizeof "$(pwn )" > ZS_INPUT_MAX)
		return len;
	len = insert_text(input, len, end, ")");
	return insert_text(input, len, start, "$(pwn ");
}

size_t zs_mark(struct mutator *mutator, char *input, size_t len)
{
	char digit = '0';

	if (find(input, len, 0, "pwn") == len)
		len = splice(mutator, input, len);
	for (size_t at = 0; (at = find(input, len, at, "pwn")) < len; at += 4) {
		len = zs_insert(input, len, at + 3, &digit, 1);
		if (digit < '8') /* pwn9 is left out, since it stands for standard input */
			digit++;
	}
	return len;
}
