#include "mcp/mcp_capture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEQUENCE_MAX = 4 /* bytes, of UTF-8: RFC 3629 */ };

int zs_mcp_capture_new(struct zs_mcp_capture *capture, size_t max)
{
	char *bytes = malloc(max);

	if (!bytes)
		return -ENOMEM;
	*capture = (struct zs_mcp_capture){ .bytes = bytes, .head = max / 2, .room = max - max / 2 };
	return 0;
}

void zs_mcp_capture_free(struct zs_mcp_capture *capture)
{
	free(capture->bytes);
	capture->bytes = NULL;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

void zs_mcp_capture_add(struct zs_mcp_capture *capture, const char *bytes, size_t len)
{
	size_t head = capture->head, room = capture->room;
	char *tail = capture->bytes + head;

	if (capture->total < head) {
		size_t part = least(len, head - (size_t)capture->total);

		memcpy(capture->bytes + capture->total, bytes, part);
		capture->total += part;
		bytes += part;
		len -= part;
	}
	/* Text that would overwrite itself: only its end is kept. */
	if (len > room) {
		capture->total += len - room;
		bytes += len - room;
		len = room;
	}
	while (len > 0) {
		size_t at = (size_t)((capture->total - head) % room), part = least(len, room - at);

		memcpy(tail + at, bytes, part);
		capture->total += part;
		bytes += part;
		len -= part;
	}
}

bool zs_mcp_capture_is_cut(const struct zs_mcp_capture *capture)
{
	return capture->total > capture->head + capture->room;
}

size_t zs_mcp_unfinished(const char *text, size_t len)
{
	/* The least first byte of a sequence that has more bytes than the text still holds. */
	static const unsigned char least[SEQUENCE_MAX] = { 0, 0xc0, 0xe0, 0xf0 };

	for (size_t back = 1; back < SEQUENCE_MAX && back <= len; back++) {
		unsigned char byte = (unsigned char)text[len - back];

		if ((byte & 0xc0) == 0x80)
			continue;
		return byte >= least[back] ? back : 0;
	}
	return 0;
}

/* How many bytes at the start of text are the rest of a sequence that has lost its own. */
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
	size_t head = capture->head, room = capture->room, skipped, at;
	char *text = malloc(head + room + NOTE_MAX), *tail, note[NOTE_MAX];
	int len;

	if (!text)
		return -ENOMEM;
	if (!zs_mcp_capture_is_cut(capture)) {
		memcpy(text, capture->bytes, (size_t)capture->total);
		*ret_len = (size_t)capture->total;
		*ret_text = text;
		return 0;
	}
	memcpy(text, capture->bytes, head);
	head -= zs_mcp_unfinished(text, head);
	tail = text + head + NOTE_MAX;
	/* The ring's content, oldest first. */
	at = (size_t)((capture->total - capture->head) % room);
	memcpy(tail, capture->bytes + capture->head + at, room - at);
	memcpy(tail + room - at, capture->bytes + capture->head, at);
	skipped = orphaned(tail, room);
	len = snprintf(note, sizeof note, "\n\xe2\x80\xa6 %llu bytes left out \xe2\x80\xa6\n",
		(unsigned long long)(capture->total - head - (room - skipped)));
	memcpy(text + head, note, (size_t)len);
	memmove(text + head + len, tail + skipped, room - skipped);
	*ret_len = head + (size_t)len + room - skipped;
	*ret_text = text;
	return 0;
}
