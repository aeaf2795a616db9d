/* For a function that may end its process on a stack that is not its thread's (man 2 clone). Before a call that never
 * returns ASan looks at the thread's own, and complains of what it sees there. */
#ifndef ZS_SANDBOX_ANY_STACK_H
#define ZS_SANDBOX_ANY_STACK_H

#define ZS_ON_ANY_STACK __attribute__((no_sanitize("address")))

#endif
