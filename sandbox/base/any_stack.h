/* For a function that may end its process while it runs on another stack than its thread's (man 2 clone). Before a call
 * that never returns, ASan checks the thread's own stack, and would report what it sees there. */
#ifndef ZS_SANDBOX_ANY_STACK_H
#define ZS_SANDBOX_ANY_STACK_H

#define ZS_ON_ANY_STACK __attribute__((no_sanitize("address")))

#endif
