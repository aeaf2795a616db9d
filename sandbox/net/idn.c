/* Lexbor has the tables of UTS #46, NFC and punycode; what is checked on top is here. Only its functions that take code
 * points are called: those of UTF-8 would bring every other encoding with them. */
#include "net/idn_lexbor.h"
#include "net/idn.h"

#include <errno.h>
#include <lexbor/punycode/punycode.h>
#include <lexbor/unicode/unicode.h>
#include <stdlib.h>
#include <string.h>

#include "net/bidi.h"
#include "base/text.h"

enum { prefix_len = sizeof ZS_IDN_PREFIX - 1 };

/* ASCII on its way out of lexbor. */
struct ascii {
	char text[ZS_HOST_NAME_MAX + 1];
	size_t len;
};

/* A label, and what is learnt of its Unicode form. */
struct label {
	const char *text;
	size_t len;
	int direction; /* 1: from right to left; -EILSEQ: in part */
};

static lxb_status_t take_ascii(const lxb_char_t *data, size_t len, void *context)
{
	struct ascii *ascii = context;

	if (len > ZS_HOST_NAME_MAX)
		return LXB_STATUS_ERROR_UNEXPECTED_DATA;
	memcpy(ascii->text, data, len);
	ascii->text[len] = '\0';
	ascii->len = len;
	return LXB_STATUS_OK;
}

static int cause(lxb_status_t status)
{
	return status == LXB_STATUS_OK ? 0 : status == LXB_STATUS_ERROR_MEMORY_ALLOCATION ? -ENOMEM : -EINVAL;
}

/* The joiners: whether one may stand where it does, RFC 5892 says by tables that lexbor does not have. Nobody sees
 * them. */
static bool is_joiner(lxb_codepoint_t point)
{
	return point == 0x200c || point == 0x200d;
}

static int to_ascii(const lxb_codepoint_t *points, size_t count, struct ascii *ret_ascii)
{
	lxb_unicode_idna_t idna;
	int r;

	/* lexbor leaves them be (VALID_NV8 too); disallowed characters it refuses. */
	for (size_t i = 0; i < count; i++)
		if (is_joiner(points[i]))
			return -EINVAL;
	r = cause(lxb_unicode_idna_init(&idna));
	if (r == 0)
		r = cause(lxb_unicode_idna_to_ascii_cp(
			&idna, points, count, take_ascii, ret_ascii, LXB_UNICODE_IDNA_FLAG_UNDEF));
	lxb_unicode_idna_destroy(&idna, false);
	return r;
}

/* The Unicode form of a label, on its way out of punycode: is the label what it is written as? */
static lxb_status_t check_way_back(const lxb_codepoint_t *points, size_t count, void *context)
{
	struct label *label = context;
	struct ascii again = { .len = 0 };
	int r = to_ascii(points, count, &again);

	if (r == -ENOMEM)
		return LXB_STATUS_ERROR_MEMORY_ALLOCATION;
	if (zs_bidi_is_right_to_left(points, count))
		label->direction = zs_bidi_allows(points, count) ? 1 : -EILSEQ;
	return r == 0 && again.len == label->len && memcmp(again.text, label->text, label->len) == 0
		       ? LXB_STATUS_OK
		       : LXB_STATUS_ERROR_UNEXPECTED_DATA;
}

int zs_idn_check_label(const char *text, size_t len)
{
	lxb_codepoint_t points[ZS_HOST_LABEL_MAX];
	struct label label = { .text = text, .len = len };
	int r;

	if (len > ZS_HOST_LABEL_MAX || len < prefix_len || memcmp(text, ZS_IDN_PREFIX, prefix_len) != 0)
		return -EINVAL;
	for (size_t i = prefix_len; i < len; i++)
		points[i - prefix_len] = (unsigned char)text[i];
	r = cause(lxb_punycode_decode_cp(points, len - prefix_len, check_way_back, &label));
	return r < 0 ? r : label.direction;
}

int zs_idn_to_ascii(const char *name, size_t len, char ret_ascii[ZS_HOST_NAME_MAX + 1])
{
	lxb_codepoint_t points[ZS_HOST_INPUT_MAX];
	struct ascii ascii = { .len = 0 };
	size_t count = 0;
	int r;

	if (len > ZS_HOST_INPUT_MAX)
		return -EINVAL;
	while (len > 0) {
		size_t used = zs_utf8_decode(name, len, &points[count]);

		if (used == 0)
			return -EINVAL;
		name += used;
		len -= used;
		count++;
	}
	r = to_ascii(points, count, &ascii);
	if (r == 0)
		memcpy(ret_ascii, ascii.text, ascii.len + 1);
	return r;
}
