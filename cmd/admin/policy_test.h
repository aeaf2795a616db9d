#ifndef ZS_CMD_POLICY_TEST_H
#define ZS_CMD_POLICY_TEST_H

/* zs policy test: compares the rules of the settings with the examples beside them, and with those of the files, up to
 * a NULL. Returns an exit code. */
int zs_policy_test(char *const files[]);

#endif
