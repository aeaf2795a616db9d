#ifndef COUNT_H
#define COUNT_H

#include <stdio.h>

struct counts {
	long lines, words, bytes;
};

struct counts count(FILE *in);

#endif
