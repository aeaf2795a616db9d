/* A message of one process of ours to another: a result, and perhaps a descriptor. */
#ifndef ZS_SANDBOX_LINUX_RESULT_MESSAGE_H
#define ZS_SANDBOX_LINUX_RESULT_MESSAGE_H

/* result: 0 or a negative errno; fd: -1: none goes along. 0, or a negative errno of the sending. */
int zs_result_send(int socket, int result, int fd);

/* The result; -ESRCH: the other process has ended. *ret_fd: -1 when no descriptor came along. */
int zs_result_receive(int socket, int *ret_fd);

#endif
