/* The broker lets a run in the mount tier connect to the Unix sockets that it has bound itself and to those that its
 * policy grants, and to no others. It is a part of the init (init.c).
 *
 * A seccomp filter cannot see which socket and which path a connect(2) means. So the kernel asks the broker about each
 * connect(2) and listen(2) (man 2 seccomp_unotify). The broker takes the caller's socket by pidfd_getfd(2), and
 * connects it itself by a copy of the address. Meanwhile the caller may change its memory, its descriptors and the
 * path, and gains nothing. It could also change a socket of another family into one of AF_UNIX, so the broker connects
 * those too.
 *
 * A socket is known by its inode. The kernel makes an inode in bind(2), and binds no other socket to it. The broker
 * notes the run's own when they begin to listen. Then the kernel opens a socket's inode (SIOCUNIXFILE), if the socket's
 * network belongs to the run's user namespace. The broker connects to the inode that it has noted. */
#ifndef ZS_SANDBOX_LINUX_BROKER_H
#define ZS_SANDBOX_LINUX_BROKER_H

#include <linux/filter.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

#include "linux/base/run_state.h"

struct zs_broker;

/* Begins to answer. Takes the listener of the seccomp filter, and the run's proc, which becomes this process's working
 * directory: 0, or a negative errno, and then it has taken nothing. *ret_broker lives as long as the process, or until
 * zs_broker_end().
 *
 * If the run has a channel for denials, the calls of the observer's filter come to the same listener (observer.h).
 * refusing: then the program of count instructions that says which calls are refused; it outlives *ret_broker. */
int zs_broker_begin(const struct zs_run *run, int listener, int proc, const struct sock_filter *refusing, size_t count,
	struct zs_broker **ret_broker);

/* For the next poll(2). broker may be NULL. Returns its timeout. */
int zs_broker_events(const struct zs_broker *broker, struct pollfd *ret_event);

/* Answers one request, and those that wait if it is time. No connection keeps it longer than some tens of
 * milliseconds. */
void zs_broker_serve(struct zs_broker *broker, const struct pollfd *event);

/* Has every process ended that has the filter? */
bool zs_broker_is_over(const struct zs_broker *broker);

/* Frees a broker that is over, and closes the run's channel. Returns the number of refusals that were lost at last. */
unsigned zs_broker_end(struct zs_broker *broker);

#endif
