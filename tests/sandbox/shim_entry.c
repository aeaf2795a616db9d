/* This test program is its own shim, by way of the constructor object's source: check.c has the main. */
#include "constructor.c"
