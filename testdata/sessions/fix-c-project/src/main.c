#include "count.h"

int main(void)
{
	struct counts total = count(stdin);

	printf("%ld %ld %ld\n", total.lines, total.words, total.bytes);
	return 0;
}
