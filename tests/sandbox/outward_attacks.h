/* The attempts of a command on other processes of its uid; none of it harms them, so that one can be the target of all.
 */
#ifndef ZS_TESTS_SANDBOX_OUTWARD_ATTACKS_H
#define ZS_TESTS_SANDBOX_OUTWARD_ATTACKS_H

/* Performs the attack of this name on a process, by its number or "parent"; 0 when it worked, or the errno. */
int attack_outward(const char *name, const char *target);

#endif
