/* The host's side of a session: starts the session parent, and sends requests for runs. */
#include "zs_shim.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "policy/environment.h"
#include "base/error.h"
#include "base/path.h"
#include "base/read_file.h"
#include "enforce/session_request.h"
#include "linux/base/fd_message.h"
#include "wrapped.h"

static const char step[] = "session";

enum { JOURNAL_VARIABLES = 3 };

struct zs_session {
	struct zs_policy *policy; /* chooses the environment */
	pthread_mutex_t lock;     /* held from a request to its answer */
	pid_t host, session_parent, runner;
	bool denials; /* runs may have them */
	int socket;   /* to the session parent, then the runner */
};

static void await_process(pid_t process)
{
	/* ECHILD: a host that waits for any child may have reaped this one. */
	while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {
	}
}

/* Closes the socket, and waits for the processes at its other end. */
static void end_session(const struct zs_session *session)
{
	close(session->socket);
	/* A forked child of the host has a copy of the socket, but does not own the session. */
	if (session->host != getpid())
		return;
	await_process(session->session_parent);
	if (session->runner > 0 && session->runner != session->session_parent)
		await_process(session->runner);
}

/* Chooses the session parent's variables, which say where the journal lies. */
static void choose_variables(const struct zs_session_options *session, char *tmpdir, char **ret_envp)
{
	static const char *const names[JOURNAL_VARIABLES] = { "HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR" };
	size_t count = 0;

	for (size_t i = 0; session->envp && i < JOURNAL_VARIABLES; i++) {
		const char *value = zs_env_value(session->envp, names[i]);

		if (value)
			ret_envp[count++] = (char *)(uintptr_t)(value - strlen(names[i]) - 1);
	}
	if (session->tmpdir)
		ret_envp[count++] = tmpdir;
	ret_envp[count] = NULL;
}

/* The descriptor for the session's messages: standard error, unless it is a folder or a socket, which the session
 * parent would refuse as a way out of the sandbox. */
static int complaints(int null)
{
	struct stat st;

	return fstat(STDERR_FILENO, &st) < 0 || S_ISDIR(st.st_mode) || S_ISSOCK(st.st_mode) ? null : STDERR_FILENO;
}

/* socket: the session parent's end. */
static int start_session_parent(const struct zs_sandbox *sandbox, const struct zs_session_options *session, int socket,
	pid_t *ret_session_parent, struct zs_error *error)
{
	ZS_AUTO_FD int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	/* The session parent reports its failures over the socket, which is its standard input. */
	const int stdio[] = { socket, complaints(null), null };
	const struct zs_spawn_options options = {
		.executable = session->executable, .stdio = stdio, .report = session->report
	};
	char *words[] = { (char *)(uintptr_t)step, session->denials ? (char[]){ ZS_SHIM_SESSION_DENIALS } : NULL,
		NULL };
	char variable[PATH_MAX] = "TMPDIR=", *envp[JOURNAL_VARIABLES + 2];
	struct zs_wrapped wrapped;
	int r;

	if (null < 0)
		return zs_error_errno(error, step, "/dev/null", errno);
	if (session->tmpdir && strlen(session->tmpdir) >= sizeof variable - strlen(variable))
		return zs_error_errno(error, step, "tmpdir", ENAMETOOLONG);
	strcat(variable, session->tmpdir ? session->tmpdir : "");
	choose_variables(session, variable, envp);
	r = zs_wrap_with(sandbox, words, envp, &options, &wrapped, error);
	if (r < 0)
		return r;
	wrapped.argv[0] = (char *)ZS_SHIM_SESSION_PARENT;
	return zs_spawn_wrapped(&wrapped, &options, ret_session_parent, error);
}

static int await_ready(int socket, pid_t *ret_runner, struct zs_error *error)
{
	int r = zs_session_await(socket, ret_runner, error);

	if (r == -EPIPE)
		return zs_error_hint(error, r, "does this program call zs_exec_shim() first?");
	if (r < 0 || r == ZS_SESSION_PROTOCOL)
		return r;
	return zs_error_say(error, step, "executable", EPROTO, "is of another version of zs");
}

/* The host starts the session parent; the runner says that the session is ready. */
static int connect_session_parent(const struct zs_sandbox *sandbox, const struct zs_session_options *options,
	struct zs_session *session, struct zs_error *error)
{
	const int yes = 1;
	int sockets[2], r;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) < 0)
		return zs_error_errno(error, step, "socketpair", errno);
	session->socket = sockets[0];
	r = setsockopt(sockets[0], SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes) < 0
		    ? zs_error_errno(error, step, "passcred", errno)
		    : start_session_parent(sandbox, options, sockets[1], &session->session_parent, error);
	close(sockets[1]);
	if (r < 0) {
		close(sockets[0]);
		return r;
	}
	r = await_ready(sockets[0], &session->runner, error);
	if (r >= 0)
		return 0;
	kill(session->session_parent, SIGKILL);
	end_session(session);
	return r;
}

int zs_session_open(const struct zs_sandbox *sandbox, const struct zs_session_options *options,
	struct zs_session **ret_session, struct zs_error *error)
{
	static const struct zs_session_options plain = { 0 };
	struct zs_session *session = calloc(1, sizeof *session);
	const char *json = zs_sandbox_json(sandbox);
	int r;

	if (!session)
		return zs_error_errno(error, step, "", ENOMEM);
	session->host = getpid();
	session->denials = options && options->denials;
	r = zs_policy_from_json(json, strlen(json), NULL, &session->policy, error);
	if (r == 0)
		r = zs_session_check(session->policy, error);
	if (r == 0)
		r = connect_session_parent(sandbox, options ? options : &plain, session, error);
	if (r < 0) {
		zs_policy_free(session->policy);
		free(session);
		return r;
	}
	pthread_mutex_init(&session->lock, NULL);
	*ret_session = session;
	return 0;
}

void zs_session_close(struct zs_session *session)
{
	if (!session)
		return;
	end_session(session);
	pthread_mutex_destroy(&session->lock);
	zs_policy_free(session->policy);
	free(session);
}

/* Writes a request's body to a memfd. Returns its descriptor. */
static int make_file(const char *body, size_t bytes)
{
	ZS_AUTO_FD int fd = memfd_create("zs-session", MFD_CLOEXEC);
	int r = fd < 0 ? -errno : zs_write_all(fd, body, bytes);

	return r < 0 ? r : ZS_STEAL_FD(fd);
}

static int ask(struct zs_session *session, const struct zs_session_request *request, const int *descriptors,
	pid_t *ret_pid, struct zs_error *error)
{
	bool is_inline = zs_session_is_inline(&request->head);
	size_t bytes = sizeof request->head + (is_inline ? request->head.bytes : 0);
	pid_t sender = 0;
	int r;

	pthread_mutex_lock(&session->lock);
	r = zs_fds_send(session->socket, request, bytes, descriptors, zs_session_descriptors(&request->head));
	if (r == -ECONNRESET) /* the session has ended without reading an earlier request */
		r = -EPIPE;
	r = r < 0 ? zs_error_errno(error, step, r == -EPIPE ? "" : "request", -r)
		  : zs_session_await(session->socket, &sender, error);
	pthread_mutex_unlock(&session->lock);
	if (r == -EPIPE)
		return zs_error_say(error, step, "", EPIPE, "it has ended; open another");
	if (r >= 0 && sender <= 0)
		return zs_error_say(error, step, "", EPROTO, "the kernel does not say which process has answered");
	if (r >= 0)
		*ret_pid = sender;
	return r;
}

/* Makes the working directory's path absolute: a relative path is relative to the host's own. */
static int find_cwd(const char *path, char **ret_path, struct zs_error *error)
{
	char host[PATH_MAX];

	if (path && path[0] == '/')
		*ret_path = strdup(path);
	else if (!getcwd(host, sizeof host))
		return zs_error_errno(error, step, "working directory", errno);
	else
		*ret_path = path ? zs_path_join(host, path) : strdup(host);
	return *ret_path ? 0 : zs_error_errno(error, step, "", ENOMEM);
}

/* Chooses the run's standard descriptors. *null: /dev/null for those that the host has closed; -1 until it is opened.
 */
static int find_stdio(const int *stdio, int *null, int *ret_descriptors, struct zs_error *error)
{
	for (int i = 0; i < ZS_SESSION_STDIO; i++) {
		ret_descriptors[i] = stdio ? stdio[i] : i;
		if (stdio || fcntl(i, F_GETFD) >= 0 || errno != EBADF)
			continue;
		if (*null < 0)
			*null = open("/dev/null", O_RDWR | O_CLOEXEC);
		if (*null < 0)
			return zs_error_errno(error, step, "/dev/null", errno);
		ret_descriptors[i] = *null;
	}
	return 0;
}

static int spawn(struct zs_session *session, const struct zs_session_command *command,
	const struct zs_spawn_options *options, pid_t *ret_pid, struct zs_error *error)
{
	ZS_AUTO_FD int null = -1, file = -1;
	ZS_AUTO_FREE struct zs_session_request *request = NULL;
	int descriptors[ZS_SESSION_DESCRIPTORS];
	int r = find_stdio(options->stdio, &null, descriptors, error);

	if (r < 0)
		return r;
	r = zs_session_pack(command, &request);
	if (r == 0 && options->denials) {
		request->head.denials = true;
		descriptors[ZS_SESSION_STDIO] = options->denials;
	}
	if (r == 0 && !zs_session_is_inline(&request->head)) {
		r = file = make_file(request->body, request->head.bytes);
		descriptors[zs_session_descriptors(&request->head) - 1] = file;
	}
	if (r < 0)
		return zs_error_errno(error, step, "request", -r);
	return ask(session, request, descriptors, ret_pid, error);
}

int zs_session_spawn(struct zs_session *session, char *const argv[], char *const envp[],
	const struct zs_spawn_options *options, pid_t *ret_pid, struct zs_error *error)
{
	static const struct zs_spawn_options plain = { 0 };
	char *const none[] = { NULL };
	ZS_AUTO_FREE char *cwd = NULL;
	char **env;
	int r;

	if (!options)
		options = &plain;
	if (!argv[0])
		return zs_error_say(error, step, "", EINVAL, "no command");
	if (options->executable)
		return zs_error_say(error, step, "executable", EINVAL, "is an option of zs_session_open()");
	if (options->overlay)
		return zs_error_say(error, step, "overlay", EINVAL, "a run of a session cannot have an overlay");
	if (options->report)
		return zs_error_say(error, step, "report", EINVAL, "is an option of zs_session_open()");
	if (options->denials && !session->denials)
		return zs_error_say(error, step, "denials", EINVAL, "is an option of zs_session_open() as well");
	if (session->host != getpid())
		return zs_error_say(error, step, "", EINVAL, "it belongs to the process that opened it");
	r = find_cwd(options->cwd, &cwd, error);
	if (r < 0)
		return r;
	r = zs_env_filter(session->policy, envp ? envp : none, &env);
	if (r < 0)
		return zs_error_errno(error, step, "", -r);
	r = spawn(session, &(struct zs_session_command){ cwd, argv, env }, options, ret_pid, error);
	free(env);
	return r;
}
