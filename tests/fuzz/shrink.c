/* Makes findings as short as possible, and drops those that are known. */
#include <stdlib.h>
#include <string.h>

#include "differential.h"

/* The text to be made shorter, as long as it stays a finding of its kind. */
struct shrink {
	struct job *job;
	enum oracle_kind kind;
	char text[ZS_INPUT_MAX], shorter[ZS_INPUT_MAX];
	size_t len;
};

/* Leaves out two pieces, of which `other` is the later one. False: the rest is no finding of this kind. */
static bool leave_out(struct shrink *shrink, size_t at, size_t count, size_t other, size_t other_count)
{
	char what[1024], *to = shrink->shorter;
	size_t len = shrink->len - count - other_count;

	memcpy(to, shrink->text, at);
	memcpy(to + at, shrink->text + at + count, other - at - count);
	memcpy(to + other - count, shrink->text + other + other_count, shrink->len - other - other_count);
	if (zs_try(shrink->job, to, len, what, sizeof what) != shrink->kind)
		return false;
	memcpy(shrink->text, to, len);
	shrink->len = len;
	return true;
}

static bool leave_out_pieces(struct shrink *shrink)
{
	bool any = false;

	for (size_t piece = shrink->len / 2 + 1; piece; piece = piece / 2)
		for (size_t at = 0; at + piece <= shrink->len;) {
			if (leave_out(shrink, at, piece, at + piece, 0))
				any = true;
			else
				at += piece > 3 ? piece / 2 : 1;
		}
	return any;
}

/* Leaves out pairs of brackets or quotes: neither part can go alone. */
static bool leave_out_pairs(struct shrink *shrink)
{
	bool any = false;

	for (size_t at = 0; at < shrink->len; at++)
		for (size_t end = at + 1; strchr("({['\"`", shrink->text[at]) && end < shrink->len; end++)
			if (strchr(")}]'\"`", shrink->text[end]) && leave_out(shrink, at, 1, end, 1))
				any = true;
	return any;
}

size_t zs_shrink(struct job *job, char *text, size_t len, enum oracle_kind kind)
{
	static struct shrink shrink;

	shrink.job = job;
	shrink.kind = kind;
	shrink.len = len;
	memcpy(shrink.text, text, len);
	while (leave_out_pieces(&shrink) || leave_out_pairs(&shrink))
		;
	memcpy(text, shrink.text, shrink.len);
	return shrink.len;
}

/* Copies the text without the markers' digits, which are arbitrary. */
static size_t undigited(char *to, const char *text, size_t len)
{
	size_t count = 0;

	for (size_t i = 0; i < len; i++)
		if (i < 3 || memcmp(text + i - 3, "pwn", 3) || text[i] < '0' || text[i] > '9')
			to[count++] = text[i];
	return count;
}

/* Shortening only leaves bytes out. So if this finding contains all bytes of a known one, in order, it is probably the
 * same. */
bool zs_is_like_known(const struct job *job, const char *text, size_t len)
{
	for (size_t i = 0; i < job->known_count; i++) {
		const struct seed *known = &job->known[i];
		size_t at = 0;

		for (size_t j = 0; j < len && at < known->len; j++)
			at += known->bytes[at] == text[j];
		if (at == known->len)
			return true;
	}
	return false;
}

bool zs_is_known(struct job *job, const char *text, size_t len)
{
	char plain[ZS_INPUT_MAX];
	struct seed *known = &job->known[job->known_count];

	len = undigited(plain, text, len);
	for (size_t i = 0; i < job->known_count; i++)
		if (job->known[i].len == len && !memcmp(job->known[i].bytes, plain, len))
			return true;
	known->bytes = malloc(len + 1);
	if (!known->bytes || job->known_count == ZS_FINDINGS_MAX)
		return false;
	memcpy(known->bytes, plain, len);
	known->len = len;
	job->known_count++;
	return false;
}
