#include "net/bidi.h"

#include "base/cleanup.h"

/* The classes of Unicode (UAX #9) that RFC 5893 tells apart and that a label of a name may have beside ASCII: of the
 * scripts in which names are registered, Hebrew to Arabic Extended-A, as Unicode 14 has them. What is not listed (later
 * letters, and the further scripts that are written from right to left) is refused. */
enum class {
	OTHER,    /* it is not in such a label */
	LETTER,   /* R, AL */
	MARK,     /* NSM */
	EUROPEAN, /* EN */
	ARABIC,   /* AN */
	HYPHEN,   /* ES */
};

static const struct {
	uint16_t first, last;
	enum class class;
} classes[] = { { 0x591, 0x5bd, MARK }, { 0x5bf, 0x5bf, MARK }, { 0x5c1, 0x5c2, MARK }, { 0x5c4, 0x5c5, MARK },
	{ 0x5c7, 0x5c7, MARK }, { 0x5d0, 0x5ea, LETTER }, { 0x5ef, 0x5f2, LETTER }, { 0x610, 0x61a, MARK },
	{ 0x620, 0x64a, LETTER }, { 0x64b, 0x65f, MARK }, { 0x660, 0x669, ARABIC }, { 0x66e, 0x66f, LETTER },
	{ 0x670, 0x670, MARK }, { 0x671, 0x674, LETTER }, { 0x679, 0x6d3, LETTER }, { 0x6d5, 0x6d5, LETTER },
	{ 0x6d6, 0x6dc, MARK }, { 0x6df, 0x6e4, MARK }, { 0x6e5, 0x6e6, LETTER }, { 0x6e7, 0x6e8, MARK },
	{ 0x6ea, 0x6ed, MARK }, { 0x6ee, 0x6ef, LETTER }, { 0x6f0, 0x6f9, EUROPEAN }, { 0x6fa, 0x6fc, LETTER },
	{ 0x6ff, 0x6ff, LETTER }, { 0x710, 0x710, LETTER }, { 0x711, 0x711, MARK }, { 0x712, 0x72f, LETTER },
	{ 0x730, 0x74a, MARK }, { 0x74d, 0x7a5, LETTER }, { 0x7a6, 0x7b0, MARK }, { 0x7b1, 0x7b1, LETTER },
	{ 0x7c0, 0x7ea, LETTER }, { 0x7eb, 0x7f3, MARK }, { 0x7f4, 0x7f5, LETTER }, { 0x7fa, 0x7fa, LETTER },
	{ 0x7fd, 0x7fd, MARK }, { 0x800, 0x815, LETTER }, { 0x816, 0x819, MARK }, { 0x81a, 0x81a, LETTER },
	{ 0x81b, 0x823, MARK }, { 0x824, 0x824, LETTER }, { 0x825, 0x827, MARK }, { 0x828, 0x828, LETTER },
	{ 0x829, 0x82d, MARK }, { 0x840, 0x858, LETTER }, { 0x859, 0x85b, MARK }, { 0x860, 0x86a, LETTER },
	{ 0x870, 0x887, LETTER }, { 0x889, 0x88e, LETTER }, { 0x898, 0x89f, MARK }, { 0x8a0, 0x8c9, LETTER },
	{ 0x8ca, 0x8e1, MARK }, { 0x8e3, 0x8ff, MARK } };

/* Where everything is written from right to left, also what is not assigned yet (DerivedBidiClass.txt). */
static bool is_right_to_left(uint32_t point)
{
	static const struct {
		uint32_t first, last;
	} blocks[] = { { 0x590, 0x8ff }, { 0xfb1d, 0xfdff }, { 0xfe70, 0xfeff }, { 0x10800, 0x10fff },
		{ 0x1e800, 0x1efff } };

	for (size_t i = 0; i < ZS_COUNT(blocks); i++)
		if (point >= blocks[i].first && point <= blocks[i].last)
			return true;
	return false;
}

static enum class class_of(uint32_t point)
{
	if (point == '-')
		return HYPHEN;
	if (point >= '0' && point <= '9')
		return EUROPEAN;
	for (size_t i = 0; i < ZS_COUNT(classes); i++)
		if (point >= classes[i].first && point <= classes[i].last)
			return classes[i].class;
	return OTHER;
}

bool zs_bidi_is_right_to_left(const uint32_t *points, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (is_right_to_left(points[i]))
			return true;
	return false;
}

bool zs_bidi_allows(const uint32_t *points, size_t count)
{
	enum class last = OTHER;
	unsigned seen = 0;

	for (size_t i = 0; i < count; i++) {
		enum class class = class_of(points[i]);

		seen |= 1u << class;
		/* Marks belong to what they stand behind. */
		if (class != MARK)
			last = class;
	}
	return count > 0 && class_of(points[0]) == LETTER && last != HYPHEN && !(seen & 1u << OTHER) &&
	       !(seen & 1u << EUROPEAN && seen & 1u << ARABIC);
}
