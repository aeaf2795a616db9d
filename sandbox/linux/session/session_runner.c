/* The runner of a session. Each of its threads takes a request, starts the run's supervisor and sleeps until that has
 * ended. There is always one more thread than there are runs; it waits for the next request. The first thread only
 * watches for the end of the session, and starts threads. */
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
#include "linux/base/fd_message.h"
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
	int descriptors[ZS_SESSION_DESCRIPTORS];
	char *long_body;       /* the body of a request that was too long to be inline; or NULL */
	bool entered;          /* the thread has a Landlock domain of its own */
	atomic_int supervisor; /* a pidfd, or -1 */
	struct {
		struct zs_session_head head;
		char body[ZS_SESSION_INLINE_BYTES];
	} message;
	_Alignas(16) char stack[ZS_SESSION_STACK_BYTES]; /* the supervisor's */
};

struct runner {
	struct zs_session_run first; /* the values that all runs begin with */
	const struct zs_own_tmp *own_tmp;
	struct zs_session_observer observer;
	int requests, init;
	int proxy; /* the proxy ends when it is closed; -1: the policy names no hosts */
	int session_parent;
	atomic_int idle, count;
	_Atomic(struct worker *) items[THREADS_MAX];
	/* A pair of sockets. A thread that wants another thread to be started asks the first thread, since it would
	 * start one in its own Landlock domain. One thread asks at a time. */
	int asking, asked;
	int result;
	struct zs_error error; /* of the result */
};

/* A request */

static void drop_request(struct worker *worker)
{
	for (size_t i = 0; i < ZS_SESSION_DESCRIPTORS; i++) {
		if (worker->descriptors[i] >= 0)
			close(worker->descriptors[i]);
		worker->descriptors[i] = -1;
	}
}

/* -EPIPE: the host has closed its end. */
static int receive(struct worker *worker, size_t *ret_bytes, struct zs_error *error)
{
	const struct zs_session_head *head = &worker->message.head;
	size_t count = ZS_COUNT(worker->descriptors);
	int flags;
	ssize_t len = zs_fds_receive(
		worker->all->requests, &worker->message, sizeof worker->message, worker->descriptors, &count, &flags);

	if (len <= 0)
		return -EPIPE;
	if (flags & MSG_CTRUNC)
		return zs_error_say(error, "session", "request", EMFILE, "the runner cannot open its descriptors");
	if ((size_t)len < sizeof *head || count != zs_session_descriptors(head))
		return zs_error_errno(error, "session", "request", EBADMSG);
	*ret_bytes = (size_t)len - sizeof *head;
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

/* The words point into the request's bytes, which live until drop_words(). */
static int read_words(struct worker *worker, size_t bytes)
{
	const struct zs_session_head *head = &worker->message.head;
	const char *body = worker->message.body;
	int r;

	if (head->bytes > ZS_SESSION_BYTES_MAX)
		return -E2BIG;
	if (!zs_session_is_inline(head)) {
		body = worker->long_body = malloc(head->bytes);
		if (!body)
			return -ENOMEM;
		r = read_body(
			worker->descriptors[ZS_SESSION_STDIO + (head->denials != 0)], worker->long_body, head->bytes);
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
	/* The last run's supervisor was not killed while it wrote to `seen`. */
	bool ended = atomic_load(&run->ended);

	run->policy = first->policy;
	run->become = first->become;
	run->scope = first->scope;
	run->alone = first->alone;
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
	run->denials = worker->message.head.denials ? worker->descriptors[ZS_SESSION_STDIO] : -1;
	run->observer = &worker->all->observer;
	run->reached = 0;
	run->failed = false;
	atomic_store(&run->answers, false);
	atomic_store(&run->newborn, 0);
	atomic_store(&run->started, false);
	atomic_store(&run->ended, false);
	atomic_store(&run->begun, false);
}

/* Until the supervisor has ended, it uses this thread's errno: so these calls do not set it. Every signal is blocked.
 */
static void await_end(int supervisor)
{
	struct pollfd event = { supervisor, POLLIN, 0 };

	while (syscall(SYS_ppoll, &event, 1, NULL, NULL, 0) < 0) {
	}
}

/* A supervisor that somebody has stopped (SIGSTOP) cannot end its run, so this thread does it when the wall limit is
 * over: by the run's own clock, or before that has begun, by one that counts from the start. This thread's signals
 * reach that supervisor and its run alone. */
static void await_run(const struct zs_session_run *run, int supervisor)
{
	struct pollfd event = { supervisor, POLLIN, 0 };
	int64_t start = zs_run_backstop(run->policy);
	int left;

	do
		left = zs_ms_until(atomic_load(&run->begun) ? run->backstop : start);
	while (left != 0 && poll(&event, 1, left) <= 0);
	if (left == 0)
		kill(-1, SIGKILL);
	await_end(supervisor);
}

/* The supervisor is a child of the host, which waits for it as for any child. The supervisor answers the request. */
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

/* The process that was to become the command may still run in this memory, on the stack that the next supervisor gets.
 * The init, its parent now, kills it. This waits for its end. If it has ended and been reaped, its pid may belong to
 * another process, and this waits for that one without need. */
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

/* The supervisor has been killed. Only the processes that it has left are in this thread's domain, so kill(-1) ends
 * them, and no fork outruns it (end_rest() of session_run.c). In the mount tier the init reaps them. */
static void end_orphans(const struct worker *worker)
{
	const char request = ZS_SESSION_END_ORPHANS;
	pid_t newborn = atomic_load(&worker->run.newborn);

	kill(-1, SIGKILL);
	if (worker->all->first.policy->tier == ZS_TIER_MOUNTS)
		send(worker->all->init, &request, 1, MSG_NOSIGNAL); /* fails only when the session ends */
	if (newborn > 0)
		await_newborn(newborn);
}

/* Threads */

/* Refuses the run when the proxy has ended by itself. */
static int check_proxy(const struct runner *all, struct zs_error *error)
{
	struct pollfd event = { all->proxy, POLLIN, 0 };

	if (all->proxy < 0 || poll(&event, 1, 0) == 0)
		return 0;
	zs_error_say(error, "session", "proxy", ENETDOWN, "has ended; no host is reached any more");
	return zs_error_hint(error, -ENETDOWN, "open another session");
}

/* Has a thread started when no thread is left that waits for the next request. Only the thread that was the last to
 * wait asks for one, so one thread asks at a time. */
static int keep_one_waiting(struct runner *all, struct zs_error *error)
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
		/* The answer may still come, and the next thread that asks would take it for its own. */
		zs_session_give_up(all->requests);
		return zs_error_errno(error, "session", "thread", errno);
	}
	*error = all->error;
	return all->result;
}

/* Confines this thread's signals to the processes that it starts. */
static int enter_domain(struct worker *worker, struct zs_error *error)
{
	const struct runner *all = worker->all;
	int r = worker->entered ? 0 : zs_landlock_restrict(all->first.scope);

	if (r < 0)
		return zs_error_errno(error, "session", "restrict_self", -r);
	/* kill(-1) depends on the domain, so in the Landlock tier this checks that it holds. In the mount tier the pid
	 * namespace confines it to the session's processes in any case. */
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
		r = keep_one_waiting(all, &error);
		if (r == 0)
			r = enter_domain(worker, &error);
		if (r == 0)
			r = session_runner_start(worker, &error);
		if (r == 0 && atomic_load(&worker->run.started) && !atomic_load(&worker->run.ended))
			end_orphans(worker);
		/* The host waits for an answer. */
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

/* Called by the first thread. A thread that another one starts would be in that one's Landlock domain. */
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
		zs_error_say(error, "session", "landlock", EOPNOTSUPP,
			"this kernel has ABI %d, and a session needs %d or newer", abi, ZS_LANDLOCK_ABI_SCOPES);
		return zs_error_hint(error, -EOPNOTSUPP, "use zs_spawn() here");
	}
	scope = zs_landlock_signal_ruleset();
	return scope < 0 ? zs_error_errno(error, "session", "landlock", -scope) : scope;
}

/* Ends the session: takes no more requests, kills the supervisors and waits for them. A run that starts meanwhile is
 * ended by the init. */
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

/* Starts a thread for one that asks. False: the answer could not be sent, and that thread would wait for ever. */
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
	/* Without requested events, poll(2) reports POLLHUP: the host has closed its end or shut it down. */
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

/* Asks for notices of the watched folders, but has no notice delivered. While one process watches a folder, the kernel
 * keeps its mark of it; making and dropping that mark anew (fsnotify_put_mark() in fs/notify/mark.c) would cost each
 * run a tenth of the command's own time. */
static int keep_notes(const struct zs_watch *watch, struct zs_error *error)
{
	struct zs_watch copy = { .names = calloc(watch->count + 1, sizeof *watch->names), .count = watch->count };
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

static int make_programs(const struct zs_run *run, struct zs_session_observer *ret_observer, struct zs_error *error)
{
	int refusing, observing;

	*ret_observer = (struct zs_session_observer){ .socket = run->observer };
	if (run->observer < 0)
		return 0;
	refusing = zs_seccomp_refusing(run, ret_observer->refusing.code);
	observing = zs_seccomp_observing(run, ret_observer->observing.code);
	if (refusing < 0 || observing < 0)
		return zs_error_errno(error, "session", "denials", -(refusing < 0 ? refusing : observing));
	ret_observer->refusing.count = (size_t)refusing;
	ret_observer->observing.count = (size_t)observing;
	return 0;
}

int zs_session_runner(
	const struct zs_run *run, int requests, int host, int session_parent, zs_become *become, struct zs_error *error)
{
	struct runner all = {
		.first = { .policy = run->policy, .become = become, .watch = *run->watch, .alone = run->alone },
		.own_tmp = run->own_tmp,
		/* Above the numbers of a run's standard descriptors. */
		.requests = fcntl(requests, F_DUPFD_CLOEXEC, ZS_SESSION_STDIO),
		.init = run->init,
		.proxy = run->proxy.pid > 0 ? run->proxy.socket : -1,
		.session_parent = session_parent,
	};
	int r = all.requests < 0 ? zs_error_errno(error, "session", "dup", errno) : 0;

	if (r >= 0)
		r = all.first.scope = zs_session_make_scope(error);
	if (r >= 0)
		r = make_programs(run, &all.observer, error);
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
