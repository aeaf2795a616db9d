#include "count.h"

#include <ctype.h>

struct counts count(FILE *in)
{
	struct counts total = { 0, 0, 0 };
	int c, in_word = 0;

	while ((c = getc(in)) != EOF) {
		int blank = c == ' ' || c == '\n';

		total.bytes++;
		total.lines += c == '\n';
		total.words += !blank && !in_word;
		in_word = !blank;
	}
	return total;
}
