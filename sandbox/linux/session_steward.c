/* The steward of a session: starts a run for each request of its host, as the host's own child, and sees to it that the
 * session ends with the host. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cleanup.h"
#include "door.h"
#include "error.h"
#include "landlock_abi.h"
#include "landlock_rights.h"
#include "session.h"
#include "stage.h"

/* What the steward waits for: a pidfd of each run's supervisor comes behind these. */
enum { REQUESTS, HOST, INIT, DOOR, FIXED };

struct steward {
	struct pollfd events[FIXED + ZS_SESSION_RUNS_MAX];
	int places;         /* of which there have been so many runs; poll(2) takes no more than RLIMIT_NOFILE */
	atomic_bool *ended; /* by run */
	pid_t door;         /* of a policy that names hosts; 0: there is none */
	struct zs_session_run next;
	char body[ZS_SESSION_INLINE_BYTES];
};

/* Setting up */

static int watch_host(struct steward *steward, struct zs_error *error)
{
	pid_t host = getppid();
	int fd;

	/* clone(2) would tell us a pid that is not the one the host knows. */
	if (host == 0)
		return zs_error_say(error, "session", "host", EOPNOTSUPP, "its children are in another pid namespace");
	fd = (int)syscall(SYS_pidfd_open, host, 0);
	if (fd < 0)
		return zs_error_errno(error, "session", "host", errno);
	steward->events[HOST] = (struct pollfd){ fd, POLLIN, 0 };
	return 0;
}

static int make_scope(struct steward *steward, struct zs_error *error)
{
	int abi = zs_landlock_abi(), scope;

	if (abi < ZS_LANDLOCK_ABI_SCOPES) {
		zs_error_say(error, "session", "landlock", EOPNOTSUPP, "this kernel has ABI %d, and %d is the least",
			abi, ZS_LANDLOCK_ABI_SCOPES);
		return zs_error_hint(error, -EOPNOTSUPP, "use zs_spawn() here");
	}
	scope = zs_landlock_signal_ruleset();
	if (scope < 0)
		return zs_error_errno(error, "session", "landlock", -scope);
	steward->next.scope = scope;
	return 0;
}

static int share_endings(struct steward *steward, struct zs_error *error)
{
	size_t size = ZS_SESSION_RUNS_MAX * sizeof *steward->ended;
	void *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (shared == MAP_FAILED)
		return zs_error_errno(error, "session", "mmap", errno);
	steward->ended = shared;
	return 0;
}

static int set_up(struct steward *steward, struct zs_error *error)
{
	int r;

	/* Our memory, and by fork a supervisor's, holds what other runs were given. */
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
		return zs_error_errno(error, "session", "dumpable", errno);
	r = watch_host(steward, error);
	if (r == 0)
		r = make_scope(steward, error);
	if (r == 0)
		r = share_endings(steward, error);
	return r;
}

/* Running */

static int tell_init(const struct steward *steward, char request)
{
	return send(steward->events[INIT].fd, &request, 1, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

static void await(int fd)
{
	struct pollfd event = { fd, POLLIN, 0 };

	while (fd >= 0 && poll(&event, 1, -1) < 0 && errno == EINTR) {
	}
}

static void end_door(const struct steward *steward)
{
	struct zs_run run = { .door = { steward->door, steward->events[DOOR].fd } };

	if (run.door.socket >= 0)
		zs_door_end(&run);
}

/* By itself. What runs now is refused by the kernel, since nobody listens; and what would run later is, by us. */
static void lose_door(struct steward *steward)
{
	end_door(steward);
	steward->events[DOOR].fd = -1;
}

/* Supervisors first: what they leave is the init's then, and it can wait until nothing of it is left, which it says by
 * closing its socket. It may itself stay until the host has reaped the supervisors (zap_pid_ns_processes() in
 * kernel/pid_namespace.c), so nobody waits for it. */
static _Noreturn void end_session(struct steward *steward)
{
	for (int i = 0; i < steward->places; i++)
		if (steward->events[FIXED + i].fd >= 0)
			syscall(SYS_pidfd_send_signal, steward->events[FIXED + i].fd, SIGKILL, NULL, 0);
	for (int i = 0; i < steward->places; i++)
		await(steward->events[FIXED + i].fd);
	tell_init(steward, ZS_SESSION_END);
	await(steward->events[INIT].fd);
	end_door(steward);
	_exit(0);
}

/* -EAGAIN when there are too many. */
static int free_place(const struct steward *steward)
{
	for (int i = 0; i < ZS_SESSION_RUNS_MAX; i++)
		if (steward->events[FIXED + i].fd < 0)
			return i;
	return -EAGAIN;
}

/* Like fork(2), but its parent is ours, who waits for it as for any child of its own. Not by the library's clone(),
 * which wants another stack. The order of the first three arguments is that of x86_64 and aarch64. */
static pid_t fork_for_host(int *ret_pidfd)
{
	return (pid_t)syscall(SYS_clone, CLONE_PARENT | CLONE_PIDFD | SIGCHLD, NULL, ret_pidfd, NULL, NULL);
}

static int start_run(struct steward *steward, struct zs_error *error)
{
	int place = free_place(steward), pidfd;
	pid_t pid;

	if (place < 0)
		return zs_error_say(error, "session", "", EAGAIN, "%d runs are going on", ZS_SESSION_RUNS_MAX);
	if (steward->door && steward->events[DOOR].fd < 0) {
		zs_error_say(error, "session", "door", ENETDOWN, "has ended; no host is reached any more");
		return zs_error_hint(error, -ENETDOWN, "open another session");
	}
	steward->next.ended = &steward->ended[place];
	atomic_store(steward->next.ended, false);
	pid = fork_for_host(&pidfd);
	if (pid < 0)
		return zs_error_errno(error, "session", "clone", errno);
	if (pid == 0) {
		/* The door ends with the steward, not with the last of us. */
		if (steward->events[DOOR].fd >= 0)
			close(steward->events[DOOR].fd);
		zs_session_supervise(&steward->next);
	}
	steward->events[FIXED + place] = (struct pollfd){ pidfd, POLLIN, 0 };
	if (steward->places <= place)
		steward->places = place + 1;
	return pid;
}

/* Puts the descriptors that came with a message into the next run's. Returns how many. */
static int take_descriptors(struct msghdr *message, int *descriptors)
{
	const struct cmsghdr *part = CMSG_FIRSTHDR(message);
	size_t bytes;

	if (!part || part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
		return 0;
	bytes = part->cmsg_len - CMSG_LEN(0);
	memcpy(descriptors, CMSG_DATA(part), bytes);
	return (int)(bytes / sizeof *descriptors);
}

/* -EPIPE at the end of the host's side. */
static int receive(struct steward *steward, struct zs_error *error)
{
	struct zs_session_run *next = &steward->next;
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof next->descriptors)];
	struct iovec parts[] = { { &next->head, sizeof next->head }, { steward->body, sizeof steward->body } };
	struct msghdr message = { .msg_iov = parts,
		.msg_iovlen = ZS_COUNT(parts),
		.msg_control = control,
		.msg_controllen = sizeof control };
	ssize_t len;
	int count;

	for (size_t i = 0; i < ZS_COUNT(next->descriptors); i++)
		next->descriptors[i] = -1;
	do
		len = recvmsg(steward->events[REQUESTS].fd, &message, MSG_CMSG_CLOEXEC);
	while (len < 0 && errno == EINTR);
	if (len <= 0)
		return -EPIPE;
	count = take_descriptors(&message, next->descriptors);
	if (message.msg_flags & MSG_CTRUNC)
		return zs_error_say(error, "session", "request", EMFILE, "the steward cannot open its descriptors");
	if ((size_t)len < sizeof next->head ||
		count != (zs_session_is_inline(&next->head) ? ZS_SESSION_STDIO : ZS_SESSION_DESCRIPTORS))
		return zs_error_errno(error, "session", "request", EBADMSG);
	next->body_bytes = zs_session_is_inline(&next->head) ? (size_t)len - sizeof next->head : next->head.bytes;
	return 0;
}

static void serve(struct steward *steward)
{
	struct zs_error error;
	int r = receive(steward, &error);

	if (r == -EPIPE)
		end_session(steward);
	if (r == 0)
		r = start_run(steward, &error);
	for (size_t i = 0; i < ZS_COUNT(steward->next.descriptors); i++)
		if (steward->next.descriptors[i] >= 0)
			close(steward->next.descriptors[i]);
	if (zs_session_answer(steward->events[REQUESTS].fd, r, &error) < 0)
		end_session(steward);
}

/* A supervisor has ended. One that was killed has left the run's processes behind, with the init for a parent. */
static void forget_run(struct steward *steward, int place)
{
	struct pollfd *event = &steward->events[FIXED + place];

	close(event->fd);
	event->fd = -1;
	if (!atomic_load(&steward->ended[place]) && tell_init(steward, ZS_SESSION_END_ORPHANS) < 0)
		end_session(steward);
}

static void turn(struct steward *steward)
{
	if (poll(steward->events, (nfds_t)(FIXED + steward->places), -1) < 0) {
		if (errno != EINTR)
			end_session(steward);
		return;
	}
	if (steward->events[HOST].revents || steward->events[INIT].revents)
		end_session(steward);
	if (steward->events[DOOR].revents)
		lose_door(steward);
	for (int i = 0; i < steward->places; i++)
		if (steward->events[FIXED + i].fd >= 0 && steward->events[FIXED + i].revents)
			forget_run(steward, i);
	if (steward->events[REQUESTS].revents)
		serve(steward);
}

int zs_session_steward(const struct zs_run *run, int requests, const struct zs_run_calls *calls, struct zs_error *error)
{
	struct steward steward;
	int r;

	steward.next = (struct zs_session_run){
		.policy = run->policy, .calls = calls, .watch = run->watch, .body = steward.body
	};
	steward.places = 0;
	for (size_t i = 0; i < ZS_COUNT(steward.events); i++)
		steward.events[i] = (struct pollfd){ -1, POLLIN, 0 };
	steward.events[REQUESTS].fd = requests;
	steward.events[INIT].fd = run->init;
	steward.door = run->door.pid;
	if (run->door.pid > 0)
		steward.events[DOOR].fd = run->door.socket;
	r = set_up(&steward, error);
	if (r < 0)
		return r;
	if (zs_session_answer(requests, ZS_SESSION_PROTOCOL, NULL) < 0)
		end_session(&steward);
	for (;;)
		turn(&steward);
}
