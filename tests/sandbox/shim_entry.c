/* This test program is its own shim, since it includes the source of the constructor object. check.c has the main. */
#include "constructor.c"
