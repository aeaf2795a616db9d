/* The attempts of a command on other processes of its uid. None harms its target, so one process can be the target of
 * all. */
#ifndef ZS_TESTS_SANDBOX_OUTWARD_ATTACKS_H
#define ZS_TESTS_SANDBOX_OUTWARD_ATTACKS_H

/* Performs the attack of this name on a process, given by its pid or as "parent". Returns 0 if it worked, else the
 * errno. */
int attack_outward(const char *name, const char *target);

#endif
