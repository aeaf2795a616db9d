/* The attempts of a hostile command. This test program is the command: with ATTACK in its environment it performs that
 * attack instead of its tests. It exits with 0 if the attack worked, else with the errno that stopped it. */
#ifndef ZS_TESTS_SANDBOX_ATTACKS_H
#define ZS_TESTS_SANDBOX_ATTACKS_H

#include <stddef.h>

#define ATTACK_ENV "ATTACK"
#define ATTACK_ARG1_ENV "ATTACK_ARG1"
#define ATTACK_ARG2_ENV "ATTACK_ARG2"

#endif
