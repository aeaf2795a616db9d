/* The messages between a tracker's host, its watchdog and its commands. */
#ifndef ZS_SHIM_TRACKER_SHIM_H
#define ZS_SHIM_TRACKER_SHIM_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "zs_tracker.h"

/* argv[0] of a tracker's watchdog, and of a process that becomes a tracked command. The latter has the path next (""
 * for a lookup), and then the command's words. */
#define ZS_TRACKER_WATCHDOG "zs-tracker-watchdog"
#define ZS_TRACKER_COMMAND "zs-tracker-command"

/* On Linux "NAME TOKEN": the watchdog's abstract socket, and the secret that it asks for, since any process of the
 * machine can connect. On macOS the folder of the fingerprint. */
#define ZS_TRACKER_VARIABLE "ZS_TRACKER"

enum { ZS_TRACKER_TOKEN = 32, ZS_TRACKER_NAME = 16, ZS_TRACKER_OBJECT = 32 };

/* The watchdog's first message to the host; with the cgroup's descriptor, if there is one. */
struct zs_tracker_hello {
	int32_t result;                   /* a negative errno: no tracker */
	char name[ZS_TRACKER_NAME];       /* of the abstract socket, without its leading NUL */
	char token[ZS_TRACKER_TOKEN + 1]; /* hexadecimal */
	char object[64];                  /* what failed */
};

/* The answer to a command that wants to join, and to the host that ends the tracker. */
struct zs_tracker_answer {
	int32_t result;
	uint32_t kind;
};

struct zs_tracker {
	pid_t owner; /* the host; a forked child's copy must not end the tracker */
	int socket;  /* to the watchdog; -1: none */
	int cgroup;  /* Linux: a descriptor of the cgroup's folder; -1: there is none */
	enum zs_tracker_kind kind;
	bool ended;           /* all tracked processes have ended, or none has been let in */
	char value[PATH_MAX]; /* of ZS_TRACKER_VARIABLE, for commands of this tracker */
};

/* The system's part of zs_tracker_new(): starts the watchdog, and fills in the socket, the cgroup, the kind and the
 * value. */
int zs_tracker_begin(struct zs_tracker *tracker, const char *executable, struct zs_error *error);

/* The system's part of zs_tracker_kill(). *ret_object: what failed. */
int zs_tracker_end(struct zs_tracker *tracker, char ret_object[ZS_TRACKER_OBJECT]);

/* Lets the watchdog go, when all tracked processes have ended. */
void zs_tracker_dismiss(struct zs_tracker *tracker);

/* Takes the variable out of envp, and returns its value; there must be exactly one. */
int zs_tracker_take_value(char **envp, const char **ret_value, struct zs_error *error);

/* The first sends a message, with a descriptor unless fd is -1. The second receives a message of exactly this size. */
int zs_tracker_send(int socket, const void *message, size_t size, int fd);
int zs_tracker_receive(int socket, void *message, size_t size, int *ret_fd);

/* Starts a process that forks the watchdog and ends at once. socket: the watchdog's end, which becomes its standard
 * input. */
int zs_tracker_start_watchdog(int socket, char *const envp[], const char *executable, struct zs_error *error);

/* The watchdog: its standard input is the host's socket. */
_Noreturn void zs_tracker_keep(void);

/* The watchdog's first step: it leaves the host's process group, terminal, signals, working directory, and standard
 * output and error. 0 or a negative errno. */
int zs_tracker_detach(void);

/* Linux: tracks a command by a subreaper, where no cgroup is available. Forks the subreaper and below it the process
 * that becomes the command; returns only in the latter. Takes *connection: the watchdog shuts it down to end all that
 * the command has started. */
int zs_tracker_reap(int *connection, struct zs_error *error);

/* Joins the tracker that envp names, and takes its variable out of it. Returns in the process that is to become the
 * command. */
int zs_tracker_join(char **envp, struct zs_error *error);

#endif
