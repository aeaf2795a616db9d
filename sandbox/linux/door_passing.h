/* What a run and its door say to each other, over a socket of AF_UNIX that keeps messages apart: the run passes its
 * listeners, and the door answers whether it is ready. */
#ifndef ZS_SANDBOX_LINUX_DOOR_PASSING_H
#define ZS_SANDBOX_LINUX_DOOR_PASSING_H

#include "door.h"

int zs_door_pass(int socket, const int *listeners, int count);

/* -EBADMSG unless exactly `count` descriptors come, in one message; then none is left open. */
int zs_door_receive(int socket, int ret_listeners[ZS_DOOR_LISTENERS], int count);

/* cause: 0, or a positive errno; object: what failed, a few words. */
int zs_door_answer(int socket, int cause, const char *object);

/* Waits for that answer. */
int zs_door_await(int socket, struct zs_error *error);

#endif
