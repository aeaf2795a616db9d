/* The state and powers of a process, as text: two runs under the same policy must not differ in any line. */
#ifndef ZS_TESTS_SANDBOX_STATE_H
#define ZS_TESTS_SANDBOX_STATE_H

#include <stddef.h>

/* With STATE in its environment this test program writes its state to the file of that name and exits with 0. The
 * value of STATE_HOST, from state_host(), tells it what is the host's, and STATE_SECRET names a file to try to read. */
#define STATE_ENV "INJECT_STATE"
#define STATE_HOST_ENV "INJECT_STATE_HOST"
#define STATE_SECRET_ENV "INJECT_STATE_SECRET"

void state_host(char *text, size_t size);

#endif
