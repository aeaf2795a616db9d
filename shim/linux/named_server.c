/* The server of a named session or a box, inside: the command of its run. It cannot be traced, so no command reads from
 * its socket. A command can kill it; then the session ends. */
#include "named_session.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/path.h"
#include "enforce/session_request.h"
#include "linux/base/fd_message.h"
#include "linux/base/process_calls.h"
#include "linux/box_files.h"
#include "linux/box_user.h"
#include "linux/named_denials.h"
#include "linux/named_message.h"
#include "zs_shim.h"

extern char **environ;

static const char home[] = "HOME=";

struct order {
	enum zs_named_request request;
	struct zs_session_command command;
	const char *user;              /* NULL: the box's own */
	bool names_home;               /* the command brings a HOME */
	int fds[ZS_NAMED_DESCRIPTORS]; /* the standard descriptors, the body */
};

static char *read_body(int fd, size_t bytes)
{
	char *body = bytes <= ZS_SESSION_BYTES_MAX ? malloc(bytes + 1) : NULL;
	size_t done = 0;

	while (body && done < bytes) {
		ssize_t got = pread(fd, body + done, bytes - done, (off_t)done);

		if (got <= 0 && !(got < 0 && errno == EINTR)) {
			free(body);
			return NULL;
		}
		done += got > 0 ? (size_t)got : 0;
	}
	return body;
}

/* In the Landlock tier this process's variables name the run's own folder in place of /tmp. */
static void name_tmp(char **envp)
{
	static const char *const names[] = { "TMPDIR", "TMP", "TEMP" };

	for (; *envp; envp++)
		for (size_t i = 0; i < ZS_COUNT(names); i++) {
			size_t len = strlen(names[i]);

			if (strncmp(*envp, names[i], len) != 0 || strcmp(*envp + len, "=/tmp") != 0)
				continue;
			for (char **own = environ; *own; own++)
				if (strncmp(*own, names[i], len) == 0 && (*own)[len] == '=')
					*envp = *own;
		}
}

/* Puts the command's variables before ours; the first of a name counts for getenv(3), so ours of that name are left
 * out. */
static bool add_own(struct zs_session_command *command)
{
	size_t count = 0, own = 0, given;
	char **all;

	while (command->envp[count])
		count++;
	while (environ[own])
		own++;
	given = count;
	all = calloc(count + own + 1, sizeof *all);
	if (!all)
		return false;
	memcpy(all, command->envp, count * sizeof *all);
	for (char **entry = environ; *entry; entry++) {
		size_t len = strcspn(*entry, "=") + 1, i = 0;

		while (i < given && strncmp(all[i], *entry, len) != 0)
			i++;
		if (i == given)
			all[count++] = *entry;
	}
	command->envp = all;
	return true;
}

static bool take_order(int client, struct order *order)
{
	struct zs_session_head head;
	size_t count = ZS_COUNT(order->fds);
	int flags;
	char *body;

	if (zs_fds_receive(client, &head, sizeof head, order->fds, &count, &flags) != (ssize_t)sizeof head ||
		count != ZS_COUNT(order->fds))
		return false;
	body = read_body(order->fds[ZS_SESSION_STDIO], head.bytes);
	if (!body || zs_session_unpack(&head, body, head.bytes, &order->command) < 0)
		return false;
	if (order->request == ZS_NAMED_RUN) {
		name_tmp(order->command.envp);
		return true;
	}
	if (order->request == ZS_NAMED_PUT || order->request == ZS_NAMED_GET) {
		char *const *words = order->command.argv;

		order->user = words[1] ? words[2] : NULL;
	}
	if (order->request == ZS_NAMED_EXEC_AS) {
		order->user = *order->command.argv++;
		for (char **entry = order->command.envp; *entry; entry++)
			order->names_home = order->names_home || strncmp(*entry, home, strlen(home)) == 0;
		if (!*order->command.argv)
			return false;
	}
	return *order->command.cwd++ == '/' && add_own(&order->command);
}

/* Becomes the user whom the order names, and puts its home before the other variables. */
static int become_user(const struct order *order, char ***envp, struct zs_error *error)
{
	static char variable[sizeof home + PATH_MAX];
	size_t count = 0;
	char **all;
	bool copies = zs_named_copies(order->request);
	int r;

	strcpy(variable, home); // NOLINT: it has room
	r = zs_box_become_user(order->user, !copies, variable + strlen(home), error);
	if (r < 0 || copies || order->names_home)
		return r;
	while ((*envp)[count])
		count++;
	all = calloc(count + 2, sizeof *all);
	if (!all)
		return zs_error_errno(error, "box", "", ENOMEM);
	all[0] = variable;
	for (size_t i = 0, at = 1; i < count; i++)
		if (strncmp((*envp)[i], home, strlen(home)) != 0)
			all[at++] = (*envp)[i];
	*envp = all;
	return 0;
}

struct start {
	const struct order *order;
	int refused; /* a pipe that ends without a byte when the command is executed */
	zs_become *become;
};

static int be_command(void *arg)
{
	const struct start *start = arg;
	const struct order *order = start->order;
	const int refused = start->refused;
	const struct zs_session_command *command = &order->command;
	char **envp = command->envp;
	struct zs_error error;
	int status = ZS_EXIT_CANNOT_ENFORCE, r = 0;
	sigset_t none;

	setpgid(0, 0);
	sigemptyset(&none);
	for (int i = 0; i < ZS_SESSION_STDIO; i++)
		if (dup2(order->fds[i], i) < 0)
			_exit(status);
	signal(SIGPIPE, SIG_DFL);
	if (zs_close_others(&refused, 1) < 0 || sigprocmask(SIG_SETMASK, &none, NULL) < 0)
		r = zs_error_errno(&error, "session", "", errno);
	if (r == 0 && order->user)
		r = become_user(order, &envp, &error);
	if (r == 0 && *command->cwd && chdir(command->cwd) < 0)
		r = zs_error_hint(&error, zs_error_errno(&error, "session", command->cwd, errno),
			"the working directory must be granted");
	if (r == 0 && zs_named_copies(order->request))
		_exit(zs_box_file(order->request, command->argv));
	if (r == 0)
		status = start->become(command->argv, envp, &error);
	zs_error_write_last(STDERR_FILENO, &error);
	if (write(refused, "", 1) != 1)
		status = ZS_EXIT_CANNOT_ENFORCE;
	_exit(status);
}

/* A command works as with vfork(2): the kernel copies no memory that the exec would throw away. A process that copies
 * files goes on in this program, and one that changes its user may not make this memory readable for that user. */
static pid_t start_command(struct start *start)
{
	enum { STACK_BYTES = 64 * 1024 };
	_Alignas(16) char stack[STACK_BYTES];
	pid_t pid;

	if (!zs_named_copies(start->order->request) && !start->order->user)
		return clone(be_command, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, start);
	pid = zs_fork(0, NULL);
	if (pid == 0)
		be_command(start);
	return pid;
}

/* Sends the command the signals of its client. The client's end is the end of the command's process group. */
static void pass_signal(int client, pid_t command, bool *gone)
{
	int32_t number;
	ssize_t len = recv(client, &number, sizeof number, 0);

	if (len != (ssize_t)sizeof number || number <= 0) {
		*gone = true;
		number = SIGKILL;
	}
	kill(-command, number);
}

static void tell(int done, int32_t number)
{
	if (write(done, &number, sizeof number) != (ssize_t)sizeof number)
		_exit(EXIT_FAILURE);
}

/* Reaps what has ended. True: the command is among it. This process is the parent of what the command's processes leave
 * behind, as long as the command runs. */
static bool reap(pid_t command, int *ret_status)
{
	pid_t ended;
	int status;

	while ((ended = waitpid(-1, &status, WNOHANG)) > 0)
		if (ended == command) {
			*ret_status = status;
			return true;
		}
	return false;
}

/* Is less than a part in 128 of it free? A program that has met the limit often removes its last file. */
static bool is_full(const char *path, long type)
{
	enum { PART = 128 };
	struct statfs st;

	return statfs(path, &st) == 0 && (long)st.f_type == type &&
	       (st.f_bfree <= st.f_blocks / PART || st.f_ffree == 0);
}

/* The process that serves a client. It is made before the client comes, which would have to wait for the fork. */
struct service {
	struct pollfd events[2]; /* the client, SIGCHLD */
	int refused[2];          /* see struct start */
	int done;                /* see ZS_NAMED_HANDED */
	char request;
};

/* All that the command starts is below this process, by which its records are found. */
static bool prepare(struct service *service)
{
	sigset_t child;

	setsid();
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	service->events[1] = (struct pollfd){ signalfd(-1, &child, SFD_CLOEXEC), POLLIN, 0 };
	return sigprocmask(SIG_BLOCK, &child, NULL) == 0 && service->events[1].fd >= 0 &&
	       pipe2(service->refused, O_CLOEXEC) == 0 && prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0;
}

/* Waits for the daemon to hand over a client. */
static bool await_client(int daemon, struct service *service)
{
	int fds[ZS_NAMED_HANDED], flags;
	size_t count = ZS_NAMED_HANDED;

	if (zs_fds_receive(daemon, &service->request, 1, fds, &count, &flags) <= 0 || count != ZS_NAMED_HANDED)
		return false;
	service->events[0] = (struct pollfd){ fds[0], POLLIN, 0 };
	service->done = fds[1];
	return true;
}

static _Noreturn void serve_client(const struct service *service, zs_become *become)
{
	const int client = service->events[0].fd, done = service->done;
	struct zs_named_answer answer = { .kind = ZS_NAMED_EXITED };
	struct order order = { .request = (enum zs_named_request)(service->request & ~ZS_NAMED_COLLECTED),
		.fds = { -1, -1, -1, -1 } };
	struct pollfd events[] = { service->events[0], service->events[1] };
	struct signalfd_siginfo info;
	bool gone = false;
	pid_t command;
	int status;
	char byte;

	if (!take_order(client, &order))
		_exit(EXIT_FAILURE);
	tell(done, getpid());
	command = start_command(&(struct start){ &order, service->refused[1], become });
	if (command < 0)
		_exit(EXIT_FAILURE);
	close(service->refused[1]);
	/* Both do this, so that neither has to wait for the other. */
	setpgid(command, command);
	/* The command alone has its descriptors: what reads or writes their other ends sees its end. */
	for (size_t i = 0; i < ZS_COUNT(order.fds); i++)
		close(order.fds[i]);
	while (!reap(command, &status)) {
		if (poll(events, ZS_COUNT(events), -1) < 0)
			continue;
		if (events[0].revents)
			pass_signal(client, command, &gone);
		if (gone)
			events[0].fd = -1;
		if (events[1].revents && read(events[1].fd, &info, sizeof info) < 0)
			continue;
	}
	answer.status = zs_exit_code(status);
	answer.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	answer.executed = read(service->refused[0], &byte, 1) == 0;
	if (answer.status != 0 && (is_full("/tmp", TMPFS_MAGIC) || is_full("/", OVERLAYFS_SUPER_MAGIC)))
		answer.limits = 1u << ZS_LIMIT_TMP;
	/* Nobody else needs the mark: what is known to be of another command is counted for none. */
	if (service->request & ZS_NAMED_COLLECTED)
		zs_named_mark();
	if (send(client, &answer, sizeof answer, MSG_NOSIGNAL) < 0)
		_exit(EXIT_FAILURE);
	tell(done, answer.status);
	_exit(EXIT_SUCCESS);
}

/* taken: gets a byte when this process has a client. */
static _Noreturn void be_service(int daemon, int taken, zs_become *become)
{
	struct service service;
	bool ready = prepare(&service);

	if (!await_client(daemon, &service) || write(taken, "", 1) != 1 || !ready)
		_exit(EXIT_FAILURE);
	close(taken);
	serve_client(&service, become);
}

/* Drops the next client, whose own side then says that its server has ended. */
static void drop_client(int daemon)
{
	struct service service;

	if (!await_client(daemon, &service))
		_exit(EXIT_SUCCESS);
	close(service.events[0].fd);
	close(service.done);
}

/* Makes a process for the next client, and waits until it has one, or has been killed. False: it cannot be made. */
static bool serve_next(int daemon, zs_become *become)
{
	struct pollfd events[] = { { daemon, 0, 0 }, { -1, POLLIN, 0 } };
	int taken[2];
	pid_t pid;

	if (pipe2(taken, O_CLOEXEC) < 0)
		return false;
	pid = zs_fork(0, NULL);
	if (pid == 0) {
		close(taken[0]);
		be_service(daemon, taken[1], become);
	}
	close(taken[1]);
	events[1].fd = taken[0];
	while (pid > 0 && poll(events, ZS_COUNT(events), -1) < 0) {
	}
	close(taken[0]);
	if (pid > 0 && events[0].revents)
		_exit(EXIT_SUCCESS);
	return pid > 0;
}

_Noreturn void zs_named_serve(zs_become *become)
{
	const int daemon = STDIN_FILENO;

	prctl(PR_SET_NAME, "zs", 0, 0, 0);
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0 || signal(SIGCHLD, SIG_IGN) == SIG_ERR ||
		signal(SIGPIPE, SIG_IGN) == SIG_ERR || send(daemon, "r", 1, MSG_NOSIGNAL) != 1)
		_exit(ZS_EXIT_CANNOT_ENFORCE);
	for (;;) {
		if (serve_next(daemon, become))
			continue;
		/* The box's commands may have met the limit of processes. They may have ended when the client comes. */
		zs_await_readable(daemon);
		if (!serve_next(daemon, become))
			drop_client(daemon);
	}
}
