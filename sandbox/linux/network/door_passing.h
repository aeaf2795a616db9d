/* What a run says to its door, over a socket of AF_UNIX that keeps messages apart: it passes its listeners. The door
 * answers (door_answer.h). */
#ifndef ZS_SANDBOX_LINUX_DOOR_PASSING_H
#define ZS_SANDBOX_LINUX_DOOR_PASSING_H

#include "linux/network/door.h"
#include "proxy/door_answer.h"

int zs_door_pass(int socket, const int *listeners, int count);

/* -EBADMSG unless exactly `count` descriptors come, in one message; then none is left open. */
int zs_door_receive(int socket, int ret_listeners[ZS_DOOR_LISTENERS], int count);

#endif
