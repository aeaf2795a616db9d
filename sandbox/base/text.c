/* Decides which text may be shown as it is, and finds the name that a misspelled word was meant for. Pure. */
#include "base/text.h"

#include <string.h>

/* Returns the length of a sequence by its first byte; 0: no sequence starts with it (RFC 3629, section 3). */
static size_t sequence_length(unsigned char lead)
{
	if (lead < 0x80)
		return 1;
	if (lead < 0xc0)
		return 0;
	if (lead < 0xe0)
		return 2;
	if (lead < 0xf0)
		return 3;
	return lead < 0xf8 ? 4 : 0;
}

size_t zs_utf8_decode(const char *text, size_t len, uint32_t *ret_point)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char lead = (unsigned char)*text;
	size_t need = sequence_length(lead);
	uint32_t point = lead;

	if (need == 0 || need > len)
		return 0;
	if (need > 1)
		point &= 0x7fu >> need;
	for (size_t i = 1; i < need; i++) {
		unsigned char byte = (unsigned char)text[i];

		if ((byte & 0xc0) != 0x80)
			return 0;
		point = point << 6 | (byte & 0x3f);
	}
	if (point < least[need] || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff))
		return 0;
	*ret_point = point;
	return need;
}

/* https://trojansource.codes; Unicode's Default_Ignorable_Code_Point (DerivedCoreProperties.txt); and blanks that look
 * like the usual one. */
bool zs_is_unseen(uint32_t point)
{
	static const uint32_t unseen[][2] = { { 0x00, 0x1f }, { 0x7f, 0xa0 }, { 0xad, 0xad }, { 0x34f, 0x34f },
		{ 0x61c, 0x61c }, { 0x115f, 0x1160 }, { 0x1680, 0x1680 }, { 0x17b4, 0x17b5 }, { 0x180b, 0x180f },
		{ 0x2000, 0x200f }, { 0x2028, 0x202f }, { 0x205f, 0x206f }, { 0x2800, 0x2800 }, { 0x3000, 0x3000 },
		{ 0x3164, 0x3164 }, { 0xfe00, 0xfe0f }, { 0xfeff, 0xfeff }, { 0xffa0, 0xffa0 }, { 0xfff0, 0xfffb },
		{ 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff } };

	for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++)
		if (point >= unseen[i][0] && point <= unseen[i][1])
			return true;
	return false;
}

/* Counts the edits that turn one word into the other: insert, delete, replace. Long words count as far from all
 * others. */
static size_t distance(const char *from, const char *to)
{
	enum { LONGEST = 31 };
	size_t row[LONGEST + 1], rows = strlen(from), columns = strlen(to);

	if (rows > LONGEST || columns > LONGEST)
		return LONGEST;
	for (size_t j = 0; j <= columns; j++)
		row[j] = j;
	for (size_t i = 1; i <= rows; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= columns; j++) {
			size_t best = diagonal + (from[i - 1] != to[j - 1]);

			diagonal = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[columns];
}

const char *zs_nearest(const char *word, const char *const *names, size_t count)
{
	const char *nearest = NULL;
	size_t least = strlen(word) / 3 + 2; /* at most 2 edits in a word of four letters, 4 in one of nine */

	for (size_t i = 0; i < count; i++) {
		size_t edits = distance(word, names[i]);

		if (edits < least && edits < strlen(names[i])) {
			least = edits;
			nearest = names[i];
		}
	}
	return nearest;
}
