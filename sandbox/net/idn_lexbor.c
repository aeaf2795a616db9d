/* What lexbor's files refer to elsewhere in lexbor. Its memory is ours; its UTF-8 is not called (idn.c gives it code
 * points), and says no. build.zig gives these names to lexbor, so that a host may link a lexbor of its own. */
#include "net/idn_lexbor.h"

#include <lexbor/encoding/encoding.h>
#include <stdlib.h>

void *lexbor_malloc(size_t size)
{
	return malloc(size);
}

void *lexbor_realloc(void *block, size_t size)
{
	return realloc(block, size);
}

void *lexbor_free(void *block)
{
	free(block);
	return NULL;
}

lxb_codepoint_t lxb_encoding_decode_valid_utf_8_single(const lxb_char_t **data, const lxb_char_t *end)
{
	*data = end;
	return LXB_ENCODING_DECODE_ERROR;
}

uint8_t lxb_encoding_decode_utf_8_length(lxb_char_t data)
{
	(void)data;
	return 0;
}

int8_t lxb_encoding_encode_utf_8_single(
	lxb_encoding_encode_t *context, lxb_char_t **data, const lxb_char_t *end, lxb_codepoint_t point)
{
	(void)context, (void)data, (void)end, (void)point;
	return LXB_ENCODING_ENCODE_ERROR;
}

int8_t lxb_encoding_encode_utf_8_length(lxb_codepoint_t point)
{
	(void)point;
	return 0;
}
