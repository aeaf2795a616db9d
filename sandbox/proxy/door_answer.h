/* What the door says to its run, over a socket of AF_UNIX: whether it is ready. */
#ifndef ZS_SANDBOX_DOOR_ANSWER_H
#define ZS_SANDBOX_DOOR_ANSWER_H

#include "zs_sandbox.h"

/* cause: 0, or a positive errno; object: what failed, a few words. */
int zs_door_answer(int socket, int cause, const char *object);

/* Waits for that answer. */
int zs_door_await(int socket, struct zs_error *error);

#endif
