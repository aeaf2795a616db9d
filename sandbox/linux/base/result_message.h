/* A message between two processes of zs over a unix socket: a result, and perhaps a descriptor. */
#ifndef ZS_SANDBOX_LINUX_RESULT_MESSAGE_H
#define ZS_SANDBOX_LINUX_RESULT_MESSAGE_H

/* Sends a result, which is 0 or a negative errno, and a descriptor unless fd is -1. 0, or a negative errno when it
 * could not be sent. */
int zs_result_send(int socket, int result, int fd);

/* Returns the result that was sent, a negative errno of the receiving, or -ESRCH when the other process has ended.
 * *ret_fd: the descriptor, or -1. */
int zs_result_receive(int socket, int *ret_fd);

#endif
