/* One file can have many spellings. APFS and HFS+ fold the case of letters and normalize accents, so ".GIT" names .git,
 * and "hooKs" with U+212A for its K names hooks. Until such a file is made, Seatbelt sees the name as the caller writes
 * it. (An existing file has the one spelling with which it was made.) HFS+ also ignores invisible characters.
 *
 * So the expression allows any non-ASCII characters between the characters of a name. A non-ASCII character of the name
 * matches any non-ASCII characters, with a letter before each. This matches too much, but never too little:
 * "conf\u00e9ig" cannot be made where "config" is protected, nor a second name that consists of Greek letters beside
 * such a name. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "seatbelt/rules.h"
#include "base/text.h"

#define LIGATURE "\xef\xac"
#define LONG_S "\xc5\xbf"
#define ANY_UNSEEN "[^ -~]*"
#define ANY_NAME "[^/]*"
#define ACCENTED "([a-zA-Z]?[^ -~])+"
#define FOLDED "([a-zA-Z;`]|[^ -~])+"
/* The characters from U+F900 and from U+2F800 on, which stand for other ideographs. */
#define IDEOGRAPHS "|\xef[^ -~][^ -~]|\xf0\xaf[^ -~][^ -~])"

/* The sequences to which a non-ASCII character folds (CaseFolding.txt, C and F; UnicodeData.txt for the two signs). The
 * longest come first, since they overlap. Three f or s in a row can fold in too many ways. */
static const struct {
	const char *text, *regex;
} folds[] = {
	{ "fff", ANY_NAME },
	{ "sss", ANY_NAME },
	{ "ffi", "([fF][fF][iI]|[fF]" LIGATURE "\x81|" LIGATURE "\x80[iI]|" LIGATURE "\x83)" },
	{ "ffl", "([fF][fF][lL]|[fF]" LIGATURE "\x82|" LIGATURE "\x80[lL]|" LIGATURE "\x84)" },
	{ "sst", "(([sS]|" LONG_S ")([sS]|" LONG_S ")[tT]|(\xc3\x9f|\xe1\xba\x9e)[tT]|([sS]|" LONG_S ")" LIGATURE
		 "\x85|([sS]|" LONG_S ")" LIGATURE "\x86)" },
	{ "ff", "([fF][fF]|" LIGATURE "\x80)" },
	{ "fi", "([fF][iI]|" LIGATURE "\x81)" },
	{ "fl", "([fF][lL]|" LIGATURE "\x82)" },
	{ "ss", "(([sS]|" LONG_S ")([sS]|" LONG_S ")|\xc3\x9f|\xe1\xba\x9e)" },
	{ "st", "(([sS]|" LONG_S ")[tT]|" LIGATURE "\x85|" LIGATURE "\x86)" },
	{ "s", "([sS]|" LONG_S ")" },
	{ "k", "([kK]|\xe2\x84\xaa)" },
	{ ";", "(;|\xcd\xbe)" },
	{ "`", "(`|\xe1\xbf\xaf)" },
};

/* The characters of these ranges that fold to ASCII only: sharp s, long s, the Kelvin sign, ligatures, and the two
 * signs. */
static const struct {
	uint32_t first, last;
} folded[] = {
	{ 0xdf, 0xdf },
	{ 0x17f, 0x17f },
	{ 0x37e, 0x37e },
	{ 0x1e9e, 0x1e9e },
	{ 0x1fef, 0x1fef },
	{ 0x212a, 0x212a },
	{ 0xfb00, 0xfb06 },
};

struct text {
	char *start;
	size_t len;
};

static void spelling_put(struct text *text, const char *more, size_t len)
{
	memcpy(text->start + text->len, more, len + 1);
	text->len += len;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static char spelling_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static void put_quoted(struct text *text, char c)
{
	const char quoted[] = { '\\', c, '\0' };
	bool special = strchr(".[]{}()*+?^$|\\", c) != NULL;

	spelling_put(text, quoted + !special, 1u + special);
}

static bool begins(const char *text, const char *with)
{
	for (; *with; text++, with++)
		if (spelling_lower(*text) != *with)
			return false;
	return true;
}

static bool is_ascii(char c)
{
	return (unsigned char)c < 0x80;
}

/* All paths are valid UTF-8 here: place.c checks that. */
static uint32_t character(const char *at, size_t *ret_len)
{
	uint32_t point = 0;

	*ret_len = zs_utf8_decode(at, strlen(at), &point);
	return point;
}

static bool is_ideograph(uint32_t point)
{
	return (point >= 0x3400 && point <= 0x4dbf) || (point >= 0x4e00 && point <= 0x9fff) ||
	       (point >= 0x20000 && point <= 0x2f7ff);
}

static bool is_folded(uint32_t point)
{
	for (size_t i = 0; i < ZS_COUNT(folded); i++)
		if (point >= folded[i].first && point <= folded[i].last)
			return true;
	return false;
}

/* Returns the length of the beginning that has accents, or may have: also a letter with accents after it. */
static size_t accented(const char *at, bool *ret_folded)
{
	size_t len = 0, width, next;

	*ret_folded = false;
	for (uint32_t point; at[len] && (point = character(at + len, &width)) != '/'; len += width) {
		if (point >= 0x80 && is_ideograph(point))
			break;
		*ret_folded |= is_folded(point);
		if (point < 0x80 && (is_ascii(at[len + 1]) || is_ideograph(character(at + len + 1, &next))))
			break;
	}
	return len;
}

static size_t put_ideograph(struct text *text, const char *at)
{
	size_t len;

	if (!is_ideograph(character(at, &len)))
		return 0;
	spelling_put(text, "(", 1);
	memcpy(text->start + text->len, at, len);
	text->len += len;
	spelling_put(text, IDEOGRAPHS, sizeof IDEOGRAPHS - 1);
	return len;
}

/* Returns the length of the text that was written. */
static size_t put_character(struct text *text, const char *at)
{
	bool is_fold;
	size_t len = accented(at, &is_fold);

	if (len) {
		spelling_put(text, is_fold ? FOLDED : ACCENTED, is_fold ? sizeof FOLDED - 1 : sizeof ACCENTED - 1);
		return len;
	}
	len = put_ideograph(text, at);
	if (len)
		return len;
	for (size_t i = 0; i < ZS_COUNT(folds); i++) {
		if (!begins(at, folds[i].text))
			continue;
		spelling_put(text, folds[i].regex, strlen(folds[i].regex));
		len = strlen(folds[i].text);
		return strcmp(folds[i].regex, ANY_NAME) == 0 ? len + strspn(at + len, "fFsSiIlLtT") : len;
	}
	if (is_letter(*at)) {
		const char either[] = { '[', spelling_lower(*at), (char)(spelling_lower(*at) - 'a' + 'A'), ']', '\0' };

		spelling_put(text, either, 4);
	} else {
		put_quoted(text, *at);
	}
	return 1;
}

char *zs_seatbelt_regex(const char *base, const char *rest, bool with_content)
{
	enum { EACH_MAX = 96 }; /* one of folds[], and what may follow it */
	const char *end = with_content ? "(/|$)" : "$";
	struct text text = { malloc((strlen(base) + strlen(rest)) * EACH_MAX + 16), 0 };

	if (!text.start)
		return NULL;
	spelling_put(&text, "^", 1);
	if (strcmp(base, "/") == 0)
		base = "";
	for (; *base; base++)
		put_quoted(&text, *base);
	if (*rest != '/')
		spelling_put(&text, "/", 1);
	while (*rest) {
		rest += put_character(&text, rest);
		spelling_put(&text, ANY_UNSEEN, sizeof ANY_UNSEEN - 1);
	}
	spelling_put(&text, end, strlen(end));
	return text.start;
}
