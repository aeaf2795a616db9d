#include "mcp/mcp_capture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEQUENCE_MAX = 4 /* bytes of a UTF-8 sequence: RFC 3629 */ };

int zs_mcp_capture_new(struct zs_mcp_capture *capture, size_t head, size_t room)
{
	*capture = (struct zs_mcp_capture){ .bytes = malloc(head + 2 * room), .head = head, .room = room };
	return capture->bytes ? 0 : -ENOMEM;
}

void zs_mcp_capture_free(struct zs_mcp_capture *capture)
{
	free(capture->bytes);
	capture->bytes = NULL;
}

void zs_mcp_capture_add(struct zs_mcp_capture *capture, const char *bytes, size_t len)
{
	const size_t size = capture->head + 2 * capture->room;

	capture->total += len;
	while (len > 0) {
		size_t part = len < size - capture->used ? len : size - capture->used;

		memcpy(capture->bytes + capture->used, bytes, part);
		capture->used += part;
		bytes += part;
		len -= part;
		if (capture->used == size) {
			capture->used -= capture->room;
			memcpy(capture->bytes + capture->head, capture->bytes + capture->used, capture->room);
		}
	}
}

bool zs_mcp_capture_is_cut(const struct zs_mcp_capture *capture)
{
	return capture->total > capture->head + capture->room;
}

/* Returns the length of an incomplete UTF-8 sequence at the end of text. */
static size_t unfinished(const char *text, size_t len)
{
	/* The least first byte of a sequence that is longer than the index. */
	static const unsigned char least[SEQUENCE_MAX] = { 0, 0xc0, 0xe0, 0xf0 };

	for (size_t back = 1; back < SEQUENCE_MAX && back <= len; back++) {
		unsigned char byte = (unsigned char)text[len - back];

		if ((byte & 0xc0) == 0x80)
			continue;
		return byte >= least[back] ? back : 0;
	}
	return 0;
}

/* Returns how many bytes at the start of text continue a sequence whose start is lost. */
static size_t orphaned(const char *text, size_t len)
{
	size_t count = 0;

	while (count < len && count < SEQUENCE_MAX - 1 && ((unsigned char)text[count] & 0xc0) == 0x80)
		count++;
	return count;
}

int zs_mcp_capture_text(const struct zs_mcp_capture *capture, char **ret_text, size_t *ret_len)
{
	enum { NOTE_MAX = 96 };
	size_t head = capture->head, room = capture->room, skipped;
	const char *tail = capture->bytes + capture->used - room;
	char *text = malloc(head + room + NOTE_MAX);
	int len;

	if (!text)
		return -ENOMEM;
	*ret_text = text;
	if (!zs_mcp_capture_is_cut(capture)) {
		*ret_len = (size_t)capture->total;
		memcpy(text, capture->bytes, *ret_len);
		return 0;
	}
	head -= unfinished(capture->bytes, head);
	skipped = orphaned(tail, room);
	memcpy(text, capture->bytes, head);
	len = snprintf(text + head, NOTE_MAX, "\n\xe2\x80\xa6 %llu bytes left out \xe2\x80\xa6\n",
		(unsigned long long)(capture->total - head - (room - skipped)));
	memcpy(text + head + len, tail + skipped, room - skipped);
	*ret_len = head + (size_t)len + room - skipped;
	return 0;
}

int zs_mcp_capture_take(struct zs_mcp_capture *capture, char **ret_text, size_t *ret_len)
{
	size_t kept = capture->used < capture->room ? capture->used : capture->room, rest;
	const char *end = capture->bytes + capture->used - kept;
	char *text = malloc(capture->room);

	if (!text)
		return -ENOMEM;
	rest = unfinished(end, kept);
	rest = rest < kept ? rest : 0;
	*ret_len = kept - rest;
	*ret_text = memcpy(text, end, *ret_len);
	memmove(capture->bytes, end + *ret_len, rest);
	capture->used = rest;
	return 0;
}
