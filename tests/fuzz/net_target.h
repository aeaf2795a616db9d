/* The parts of sandbox/net that are fuzzed. */
#ifndef ZS_FUZZ_NET_TARGET_H
#define ZS_FUZZ_NET_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first byte says who reads the rest: 'n'ames, 'h'ttp to a proxy or 'H' to a server, 's'ocks, 't'ls, a 'd'ns query
 * or an 'a'nswer to x.org. Ends the process when something does not hold. Was the input understood? */
bool zs_net_target(const uint8_t *data, size_t size);

#endif
