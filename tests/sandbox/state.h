/* Writes the state and the powers of a process as text. Two runs under the same policy must have the same text. */
#ifndef ZS_TESTS_SANDBOX_STATE_H
#define ZS_TESTS_SANDBOX_STATE_H

#include <stddef.h>

/* With STATE in its environment this test program writes its state to the file of that name, and exits with 0.
 * STATE_HOST has the value of state_host(), by which the program knows the host's state. STATE_SECRET names a file that
 * it tries to read. */
#define STATE_ENV "INJECT_STATE"
#define STATE_HOST_ENV "INJECT_STATE_HOST"
#define STATE_SECRET_ENV "INJECT_STATE_SECRET"

void state_host(char *text, size_t size);

#endif
