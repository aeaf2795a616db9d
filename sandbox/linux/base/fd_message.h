/* Messages with descriptors between processes of zs, over Unix sockets (man 7 unix, SCM_RIGHTS). */
#ifndef ZS_SANDBOX_LINUX_FD_MESSAGE_H
#define ZS_SANDBOX_LINUX_FD_MESSAGE_H

#include <stddef.h>
#include <sys/types.h>

enum { ZS_FDS_MAX = 253 }; /* SCM_MAX_FD of the kernel */

/* Sends a message with `count` descriptors; count may be 0. Returns 0 or a negative errno. */
int zs_fds_send(int socket, const void *message, size_t size, const int *fds, size_t count);

/* Receives a message. *count: the room in fds, then the number of descriptors that came, which are close-on-exec. The
 * kernel closes those for which there is no room. *ret_flags: MSG_TRUNC, MSG_CTRUNC. Returns the message's length; 0 at
 * the end of the connection; or a negative errno. */
ssize_t zs_fds_receive(int socket, void *message, size_t size, int *fds, size_t *count, int *ret_flags);

/* Sends a result, which is 0 or a negative errno, and a descriptor unless fd is -1. 0, or a negative errno when it
 * could not be sent. */
int zs_result_send(int socket, int result, int fd);

/* Returns the result that was sent, a negative errno of the receiving, or -ESRCH when the other process has ended.
 * *ret_fd: the descriptor, or -1. */
int zs_result_receive(int socket, int *ret_fd);

#endif
