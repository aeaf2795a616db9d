/* Looks at calls before the command makes them, for the caller's list of denials. The kernel tells of them by the
 * filter zs_seccomp_observer(). The init, which no command reaches, asks the kernel whether the run's mounts and modes
 * refuse the call, which is made whatever it finds. Refusals go to the collector, outside, which knows whether the call
 * would succeed there. A call that the other filter refuses comes here, too, and the broker refuses it. */
#ifndef ZS_SANDBOX_LINUX_OBSERVER_H
#define ZS_SANDBOX_LINUX_OBSERVER_H

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/types.h>

struct seccomp_notif;

struct zs_observer {
	int proc;       /* the run's */
	int channel;    /* of denial_channel.h; -1: nobody collects */
	unsigned lost;  /* refusals that the channel had no room for */
	unsigned known; /* those of them that the collector knows of */
	bool late;      /* the last one was one of these */
	bool hurried;   /* never waits for the collector: other runs would wait, too */
	bool execs;     /* an exec was refused, so one that is not may end a search */
};

/* The tree of a process that is told of: 0: it has outlived what started it; ZS_BRANCH_UNKNOWN: it has ended, or too
 * many processes lie between. Named sessions give the records to their commands by it. */
enum { ZS_BRANCH_UNKNOWN = -1 };

/* Looks at one call. True: zs_observer_tell() should send it, once the call has been answered. */
bool zs_observer_look(struct zs_observer *observer, const struct seccomp_notif *request);
void zs_observer_tell(struct zs_observer *observer);

/* Looks at a call that seccomp refuses with this errno. True: as above. */
bool zs_observer_refused(struct zs_observer *observer, const struct seccomp_notif *request, int error);

/* A connection of the broker's has failed. thread: the caller. socket: the broker's copy, or a negative number. */
void zs_observer_connected(
	struct zs_observer *observer, pid_t thread, int socket, const void *address, socklen_t size, int error);

#endif
