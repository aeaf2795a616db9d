/* The runner of a session, and its threads: each takes a request, starts the run's supervisor, and sleeps until that
 * has ended. One more than there are runs waits for the next request. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "linux/base/landlock_rights.h"
#include "base/scheduling.h"
#include "linux/session/session.h"
#include "linux/base/run_state.h"
#include "linux/watch/watched_name.h"
#include "linux/locks/locks.h"
#include "linux/watch/watch.h"
#include "linux/files/own_tmp.h"

enum { THREADS_MAX = ZS_SESSION_RUNS_MAX + 1, THREAD_STACK_BYTES = 256 * 1024 };

struct worker {
	struct runner *all;
	struct zs_session_run run;
	struct zs_session_head head;
	int descriptors[ZS_SESSION_DESCRIPTORS];
	char *long_body;       /* one that was not inline */
	bool entered;          /* a Landlock domain of this thread's own */
	atomic_int supervisor; /* a pidfd, or -1 */
	char body[ZS_SESSION_INLINE_BYTES];
	_Alignas(16) char stack[ZS_SESSION_STACK_BYTES]; /* the supervisor's */
};

struct runner {
	struct zs_session_run first; /* what all runs begin with */
	const struct zs_own_tmp *own_tmp;
	int requests, init;
	int proxy; /* its end is the proxy's; -1: the policy names no hosts */
	int session_parent;
	atomic_int idle, count;
	_Atomic(struct worker *) items[THREADS_MAX];
	/* A thread that wants another one asks the first for it, who is in none of their domains. One does at a time.
	 */
	int asking, asked; /* a pair of sockets */
	int result;
	struct zs_error error; /* of the result */
};

/* A request */

/* Puts the descriptors that came with a message where they belong. Returns how many. */
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

static void drop_request(struct worker *worker)
{
	for (size_t i = 0; i < ZS_SESSION_DESCRIPTORS; i++) {
		if (worker->descriptors[i] >= 0)
			close(worker->descriptors[i]);
		worker->descriptors[i] = -1;
	}
}

/* -EPIPE at the end of the host's side. */
static int receive(struct worker *worker, size_t *ret_bytes, struct zs_error *error)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof worker->descriptors)];
	struct iovec parts[] = { { &worker->head, sizeof worker->head }, { worker->body, sizeof worker->body } };
	struct msghdr message = { .msg_iov = parts,
		.msg_iovlen = ZS_COUNT(parts),
		.msg_control = control,
		.msg_controllen = sizeof control };
	ssize_t len;
	int count;

	do
		len = recvmsg(worker->all->requests, &message, MSG_CMSG_CLOEXEC);
	while (len < 0 && errno == EINTR);
	if (len <= 0)
		return -EPIPE;
	count = take_descriptors(&message, worker->descriptors);
	if (message.msg_flags & MSG_CTRUNC)
		return zs_error_say(error, "session", "request", EMFILE, "the runner cannot open its descriptors");
	if ((size_t)len < sizeof worker->head ||
		count != (zs_session_is_inline(&worker->head) ? ZS_SESSION_STDIO : ZS_SESSION_DESCRIPTORS))
		return zs_error_errno(error, "session", "request", EBADMSG);
	*ret_bytes = (size_t)len - sizeof worker->head;
	return 0;
}

static int read_body(int fd, char *body, size_t bytes)
{
	for (size_t done = 0; done < bytes;) {
		ssize_t got = pread(fd, body + done, bytes - done, (off_t)done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? -errno : -EBADMSG;
		done += (size_t)got;
	}
	return 0;
}

/* The bytes that the words point at live until drop_words(). */
static int read_words(struct worker *worker, size_t bytes)
{
	const struct zs_session_head *head = &worker->head;
	const char *body = worker->body;
	int r;

	if (head->bytes > ZS_SESSION_BYTES_MAX)
		return -E2BIG;
	if (!zs_session_is_inline(head)) {
		body = worker->long_body = malloc(head->bytes);
		if (!body)
			return -ENOMEM;
		r = read_body(worker->descriptors[ZS_SESSION_STDIO], worker->long_body, head->bytes);
		if (r < 0)
			return r;
		bytes = head->bytes;
	}
	r = zs_session_unpack(head, body, bytes, &worker->run.words);
	if (r == 0)
		zs_own_tmp_name(worker->all->own_tmp, worker->run.words.envp);
	return r;
}

static void drop_words(struct worker *worker)
{
	free((void *)(uintptr_t)worker->run.words.argv);
	free(worker->long_body);
	worker->run.words = (struct zs_session_command){ 0 };
	worker->long_body = NULL;
}

/* A run */

static void prepare(struct worker *worker)
{
	const struct zs_session_run *first = &worker->all->first;
	struct zs_session_run *run = &worker->run;
	struct zs_watched_name *names = run->watch.names;
	bool ended = atomic_load(&run->ended); /* not killed while it wrote there */

	run->policy = first->policy;
	run->calls = first->calls;
	run->scope = first->scope;
	run->requests = worker->all->requests;
	run->watch = first->watch;
	run->watch.names = names;
	for (size_t i = 0; i < first->watch.count; i++) {
		const struct zs_watched_folder seen = names[i].seen;

		names[i] = first->watch.names[i];
		if (ended)
			names[i].seen = seen;
	}
	memcpy(run->descriptors, worker->descriptors, sizeof run->descriptors);
	run->complaints = run->descriptors[STDERR_FILENO];
	run->failed = false;
	atomic_store(&run->answers, false);
	atomic_store(&run->newborn, 0);
	atomic_store(&run->started, false);
	atomic_store(&run->ended, false);
	atomic_store(&run->begun, false);
}

/* From here on the supervisor has errno, until it has ended: no call of ours may fail. Every signal is blocked. */
static void await_end(int supervisor)
{
	struct pollfd event = { supervisor, POLLIN, 0 };

	while (syscall(SYS_ppoll, &event, 1, NULL, NULL, 0) < 0) {
	}
}

/* Whoever has stopped the supervisor has not stopped the wall clock: not that of the command, nor, before it has begun,
 * that of its start. Our signals reach supervisor and run alone. */
static void await_run(const struct zs_session_run *run, int supervisor)
{
	struct pollfd event = { supervisor, POLLIN, 0 };
	struct zs_run_backstop start;
	int left;

	zs_run_backstop_begin(&start, run->policy);
	do
		left = zs_run_backstop_timeout(atomic_load(&run->begun) ? &run->backstop : &start);
	while (left != 0 && poll(&event, 1, left) <= 0);
	if (left == 0)
		kill(-1, SIGKILL);
	await_end(supervisor);
}

/* Its parent is our host, who waits for it as for any child of its own. It answers the request. */
static int session_runner_start(struct worker *worker, struct zs_error *error)
{
	int supervisor;

	prepare(worker);
	if (clone(zs_session_supervise, worker->stack + sizeof worker->stack,
		    CLONE_VM | CLONE_PARENT | CLONE_PIDFD | SIGCHLD, &worker->run, &supervisor) < 0)
		return zs_error_errno(error, "session", "clone", errno);
	atomic_store(&worker->supervisor, supervisor);
	drop_request(worker);
	await_run(&worker->run, supervisor);
	atomic_store(&worker->supervisor, -1);
	close(supervisor);
	return 0;
}

/* The process that was to become the command may still be in our memory, on the stack of the next supervisor. Its
 * parent is the init, which ends it. If that has been done its pid may be another's by now: then this waits for no
 * reason. */
static void await_newborn(pid_t newborn)
{
	int fd;

	while ((fd = (int)syscall(SYS_pidfd_open, newborn, 0)) < 0 && errno != ESRCH)
		poll(NULL, 0, 1);
	if (fd < 0)
		return;
	await_end(fd);
	close(fd);
}

/* The supervisor has been killed. The processes that it has left behind are in this thread's domain, and nobody else
 * is; no fork outruns the kill (end_rest() of session_run.c). In the mount tier the dead are the init's to reap. */
static void end_orphans(const struct worker *worker)
{
	const char request = ZS_SESSION_END_ORPHANS;
	pid_t newborn = atomic_load(&worker->run.newborn);

	kill(-1, SIGKILL);
	if (worker->all->first.policy->tier == ZS_TIER_MOUNTS)
		send(worker->all->init, &request, 1, MSG_NOSIGNAL); /* without an init the session ends */
	if (newborn > 0)
		await_newborn(newborn);
}

/* Threads */

/* The proxy may have ended by itself. */
static int check_proxy(const struct runner *all, struct zs_error *error)
{
	struct pollfd event = { all->proxy, POLLIN, 0 };

	if (all->proxy < 0 || poll(&event, 1, 0) == 0)
		return 0;
	zs_error_say(error, "session", "proxy", ENETDOWN, "has ended; no host is reached any more");
	return zs_error_hint(error, -ENETDOWN, "open another session");
}

/* Somebody must be left to answer the next request. There is one at a time: no other thread asks this now. */
static int see_to_next(struct runner *all, struct zs_error *error)
{
	ssize_t len;
	char byte = 0;

	if (atomic_fetch_sub(&all->idle, 1) > 1)
		return 0;
	if (send(all->asking, &byte, 1, 0) < 0)
		return zs_error_errno(error, "session", "thread", errno);
	while ((len = recv(all->asking, &byte, 1, 0)) < 0 && errno == EINTR) {
	}
	if (len < 0) {
		/* The next would take this answer for its own. */
		zs_session_give_up(all->requests);
		return zs_error_errno(error, "session", "thread", errno);
	}
	*error = all->error;
	return all->result;
}

/* From here on this thread's signals reach what it starts, and nobody else. */
static int enter_domain(struct worker *worker, struct zs_error *error)
{
	const struct runner *all = worker->all;
	int r = worker->entered ? 0 : zs_landlock_restrict(all->first.scope);

	if (r < 0)
		return zs_error_errno(error, "session", "restrict_self", -r);
	/* kill(-1) depends on it, so that it is not enough to have asked for it. None of the mount tier's namespaces is
	 * this thread's alone, and nobody is in reach but other runs. */
	if (!worker->entered && all->first.policy->tier == ZS_TIER_LANDLOCK &&
		(syscall(SYS_pidfd_send_signal, all->session_parent, 0, NULL, 0) == 0 || errno != EPERM))
		return zs_error_say(error, "session", "", ENOTSUP, "Landlock lets signals pass to the session parent");
	worker->entered = true;
	return 0;
}

static void session_runner_serve(struct worker *worker)
{
	struct runner *all = worker->all;
	struct zs_error error;
	size_t bytes;
	int r = receive(worker, &bytes, &error);

	if (r == -EPIPE) {
		zs_session_give_up(all->requests);
		for (;;)
			pause();
	}
	if (r == 0) {
		r = read_words(worker, bytes);
		if (r < 0)
			zs_error_errno(&error, "session", "request", -r);
	}
	if (r == 0)
		r = check_proxy(all, &error);
	if (r == 0) {
		r = see_to_next(all, &error);
		if (r == 0)
			r = enter_domain(worker, &error);
		if (r == 0)
			r = session_runner_start(worker, &error);
		if (r == 0 && atomic_load(&worker->run.started) && !atomic_load(&worker->run.ended))
			end_orphans(worker);
		/* Else the host would wait for ever. */
		if (r == 0 && !atomic_load(&worker->run.answers))
			r = zs_error_say(&error, "session", "supervisor", ESRCH, "was killed before the run began");
		atomic_fetch_add(&all->idle, 1);
	}
	drop_words(worker);
	drop_request(worker);
	if (r < 0 && zs_session_answer(all->requests, r, &error) < 0)
		zs_session_give_up(all->requests);
}

static void *work(void *worker)
{
	zs_use_short_slices();
	for (;;)
		session_runner_serve(worker);
	return NULL;
}

static int start_thread(struct worker *worker)
{
	pthread_attr_t attributes;
	pthread_t thread;
	int r = pthread_attr_init(&attributes);

	if (r != 0)
		return -r;
	r = pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	if (r == 0)
		r = pthread_attr_setstacksize(&attributes, THREAD_STACK_BYTES);
	if (r == 0)
		r = pthread_create(&thread, &attributes, work, worker);
	pthread_attr_destroy(&attributes);
	return -r;
}

/* By the first thread: what another one starts is in that one's domain. */
static int add_worker(struct runner *all)
{
	int place = atomic_load(&all->count), r;
	struct zs_error *error = &all->error;
	struct worker *worker;

	if (place == THREADS_MAX)
		return zs_error_say(error, "session", "", EAGAIN, "%d runs are going on", ZS_SESSION_RUNS_MAX);
	worker = calloc(1, sizeof *worker);
	if (!worker)
		return zs_error_errno(error, "session", "", ENOMEM);
	worker->all = all;
	worker->supervisor = -1;
	for (size_t i = 0; i < ZS_SESSION_DESCRIPTORS; i++)
		worker->descriptors[i] = -1;
	worker->run.watch.names = calloc(all->first.watch.count + 1, sizeof *worker->run.watch.names);
	all->items[place] = worker;
	atomic_store(&all->count, place + 1);
	atomic_fetch_add(&all->idle, 1);
	r = worker->run.watch.names ? start_thread(worker) : -ENOMEM;
	if (r < 0) {
		atomic_fetch_sub(&all->idle, 1);
		atomic_store(&all->count, place);
		free(worker->run.watch.names);
		free(worker);
		return zs_error_errno(error, "session", "thread", -r);
	}
	return 0;
}

int zs_session_make_scope(struct zs_error *error)
{
	int abi = zs_landlock_abi(), scope;

	if (abi < ZS_LANDLOCK_ABI_SCOPES) {
		zs_error_say(error, "session", "landlock", EOPNOTSUPP, "this kernel has ABI %d, and %d is the least",
			abi, ZS_LANDLOCK_ABI_SCOPES);
		return zs_error_hint(error, -EOPNOTSUPP, "use zs_spawn() here");
	}
	scope = zs_landlock_signal_ruleset();
	return scope < 0 ? zs_error_errno(error, "session", "landlock", -scope) : scope;
}

/* No request is taken any more. None can be on its way when the host has closed its end; in any other case the init
 * ends what comes late. */
static _Noreturn void end_runs(struct runner *all)
{
	int count = atomic_load(&all->count);

	zs_session_give_up(all->requests);
	for (int i = 0; i < count; i++) {
		int supervisor = atomic_load(&all->items[i]->supervisor);

		if (supervisor >= 0)
			syscall(SYS_pidfd_send_signal, supervisor, SIGKILL, NULL, 0);
	}
	for (int i = 0; i < count; i++) {
		int supervisor = atomic_load(&all->items[i]->supervisor);

		if (supervisor >= 0)
			await_end(supervisor);
	}
	_exit(0);
}

/* Else who has asked would wait for ever. */
static bool answer_thread(struct runner *all)
{
	char byte;

	if (recv(all->asked, &byte, 1, 0) < 0)
		return errno == EINTR;
	all->result = add_worker(all);
	return send(all->asked, &byte, 1, 0) == 1;
}

static _Noreturn void session_runner_watch(struct runner *all, int host)
{
	enum { REQUESTS, HOST, SESSION_PARENT, ASKED, EVENTS };
	/* Without an event asked for, poll(2) tells of POLLHUP: the host's end has been closed, or shut down. */
	struct pollfd events[] = {
		[REQUESTS] = { all->requests, 0, 0 },
		[HOST] = { host, POLLIN, 0 },
		[SESSION_PARENT] = { all->session_parent, POLLIN, 0 },
		[ASKED] = { all->asked, POLLIN, 0 },
	};
	int r;

	zs_use_short_slices();
	for (;;) {
		r = poll(events, EVENTS, -1);
		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0 || events[REQUESTS].revents || events[HOST].revents || events[SESSION_PARENT].revents)
			end_runs(all);
		if (!answer_thread(all))
			end_runs(all);
	}
}

/* As long as somebody asks for the changes of a folder, the kernel keeps its note of who does. To make and to drop it
 * costs a run as much as a tenth of its command (fsnotify_put_mark() in fs/notify/mark.c). We ask, and are not told. */
static int keep_notes(const struct zs_watch *watch, struct zs_error *error)
{
	struct zs_watch copy = { calloc(watch->count + 1, sizeof *watch->names), watch->count, 0 };
	int r;

	if (!copy.names)
		return zs_error_errno(error, "session", "", ENOMEM);
	if (watch->count > 0)
		memcpy(copy.names, watch->names, watch->count * sizeof *copy.names);
	r = zs_watch_begin(&copy, error);
	for (size_t i = 0; r == 0 && i < copy.count; i++)
		if (copy.names[i].first == i && copy.names[i].folder >= 0 &&
			fcntl(copy.names[i].folder, F_SETOWN, 0) < 0)
			r = zs_error_errno(error, "session", copy.names[i].path, errno);
	return r;
}

static int make_threads(struct runner *all, struct zs_error *error)
{
	int pair[2], r;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return zs_error_errno(error, "session", "socketpair", errno);
	all->asking = pair[0];
	all->asked = pair[1];
	r = add_worker(all);
	*error = all->error;
	return r;
}

int zs_session_runner(const struct zs_run *run, int requests, int host, int session_parent,
	const struct zs_run_calls *calls, struct zs_error *error)
{
	struct runner all = {
		.first = { .policy = run->policy, .calls = calls, .watch = *run->watch },
		.own_tmp = run->own_tmp,
		/* Not where a run has its own standard input. */
		.requests = fcntl(requests, F_DUPFD_CLOEXEC, ZS_SESSION_STDIO),
		.init = run->init,
		.proxy = run->proxy.pid > 0 ? run->proxy.socket : -1,
		.session_parent = session_parent,
	};
	int r = all.requests < 0 ? zs_error_errno(error, "session", "dup", errno) : 0;

	if (r >= 0)
		r = all.first.scope = zs_session_make_scope(error);
	if (r >= 0)
		r = keep_notes(run->watch, error);
	if (r >= 0)
		r = make_threads(&all, error);
	if (r < 0)
		return r;
	if (zs_session_answer(all.requests, ZS_SESSION_PROTOCOL, NULL) < 0)
		end_runs(&all);
	session_runner_watch(&all, host);
}
