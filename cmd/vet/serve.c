#include "vet/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "vet/batch.h"
#include "base/exit.h"
#include "base/message.h"
#include "vet/serve_socket.h"

enum { MAPPED = sizeof(struct zs_batch) + ZS_BATCH_LINE_MAX + 1 };

struct client {
	pid_t pid; /* 0: nobody */
	int in, out;
	struct zs_batch *at; /* shared with its process */
};

struct server {
	const struct zs_vet_options *options;
	bool with_ir;
	int listener;  /* -1: none */
	bool is_short; /* of descriptors, until a client ends */
	int exit_code;
	struct client clients[ZS_SERVE_CLIENTS_MAX];
};

static const char busy[] =
	"{\"id\":null,\"verdict\":\"block\",\"code\":\"busy\",\"reason\":\"the server has no room for "
	"another client\",\"hint\":\"end one, or use a server of your own: zs vet "
	"--serve\",\"risks\":[],\"span\":null}\n";

/* Set by a handler, which can be deniedthing else. */
static volatile sig_atomic_t asked_to_end;

static void on_end(int signal)
{
	(void)signal;
	asked_to_end = 1;
}

static void on_child(int signal)
{
	(void)signal; /* only interrupts pselect(2) */
}

static const int handled[] = { SIGTERM, SIGINT, SIGHUP, SIGCHLD };

enum { HANDLED = sizeof handled / sizeof *handled };

/* They come only while pselect() waits. What the caller ignores is ignored. */
static void handle_signals(void)
{
	struct sigaction action, before;
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < HANDLED; i++)
		sigaddset(&set, handled[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (size_t i = 0; i < HANDLED; i++) {
		action = (struct sigaction){ .sa_handler = handled[i] == SIGCHLD ? on_child : on_end };
		if (sigaction(handled[i], NULL, &before) == 0 &&
			(before.sa_handler != SIG_IGN || handled[i] == SIGCHLD))
			sigaction(handled[i], &action, NULL);
	}
	signal(SIGPIPE, SIG_IGN);
}

static void forget_signals(void)
{
	sigset_t none;

	for (size_t i = 0; i < HANDLED; i++)
		signal(handled[i], SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void close_client(struct client *client)
{
	if (client->in != STDIN_FILENO)
		close(client->in);
	munmap(client->at, MAPPED);
	*client = (struct client){ 0 };
}

/* A client must not be kept from its end by the process of another one. */
static void close_others(struct server *server, const struct client *own)
{
	if (server->listener >= 0)
		close(server->listener);
	for (size_t i = 0; i < ZS_SERVE_CLIENTS_MAX; i++)
		if (server->clients[i].at && &server->clients[i] != own)
			close_client(&server->clients[i]);
}

/* A server that is killed is gone: nobody goes on under its name. Elsewhere that lasts until the client ends. */
static void die_with(pid_t server)
{
#ifdef __linux__
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0 || getppid() != server)
		_exit(ZS_EXIT_CANNOT_ENFORCE);
#else
	(void)server;
#endif
}

static _Noreturn void be_worker(struct server *server, const struct client *client, pid_t parent)
{
	struct zs_vetter *vetter;
	int r;

	forget_signals();
	die_with(parent);
	close_others(server, client);
	if (dup2(client->in, STDIN_FILENO) < 0 || dup2(client->out, STDOUT_FILENO) < 0)
		_exit(ZS_EXIT_CANNOT_ENFORCE);
	if (client->in > STDERR_FILENO)
		close(client->in);
	vetter = zs_vetter_new(); /* NULL blocks everything */
	r = zs_batch_go_on(vetter, client->at, server->options, server->with_ir);
	zs_vetter_free(vetter);
	if (r == ZS_EXIT_NO_OUTPUT && server->listener < 0) /* a client of a socket just leaves */
		zs_complain_errno("output", "standard output", errno);
	_exit(r == ZS_EXIT_BAD_INPUT ? ZS_EXIT_OK : r); /* a bad line was answered */
}

static bool start(struct server *server, struct client *client)
{
	pid_t parent = getpid();

	client->pid = fork();
	if (client->pid == 0)
		be_worker(server, client, parent);
	return client->pid > 0;
}

static bool add_client(struct server *server, struct client *client, int in, int out)
{
	struct zs_batch *at = mmap(NULL, MAPPED, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		return false;
	*at = (struct zs_batch){
		.lines = { .fd = STDIN_FILENO, .buffer = (char *)(at + 1), .size = ZS_BATCH_LINE_MAX + 1 },
		.flush_each = true,
	};
	*client = (struct client){ .in = in, .out = out, .at = at };
	if (start(server, client))
		return true;
	munmap(at, MAPPED);
	*client = (struct client){ 0 };
	return false;
}

static struct client *find(struct server *server, pid_t pid)
{
	for (size_t i = 0; i < ZS_SERVE_CLIENTS_MAX; i++)
		if (server->clients[i].pid == pid)
			return &server->clients[i];
	return NULL;
}

/* Whoever died of a text has another one go on behind it. Where it is not known what was read and written, the client
 * is deniedthing more. */
static void reap(struct server *server)
{
	pid_t pid;
	int status;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		struct client *client = find(server, pid);

		if (!client)
			continue;
		if (client->at->stage == ZS_BATCH_VETTING && start(server, client))
			continue;
		if (!WIFEXITED(status) && WTERMSIG(status) != SIGPIPE)
			zs_complain(
				"vet: a client's process ended by signal %d; the client is closed", WTERMSIG(status));
		server->exit_code = WIFEXITED(status)             ? WEXITSTATUS(status)
				    : WTERMSIG(status) == SIGPIPE ? ZS_EXIT_NO_OUTPUT
								  : ZS_EXIT_CANNOT_ENFORCE;
		close_client(client);
		server->is_short = false;
	}
}

static void tell_busy(int fd)
{
	if (write(fd, busy, sizeof busy - 1) < 0) {
		/* It sees the end. */
	}
	close(fd);
}

static void accept_one(struct server *server)
{
	struct client *room = find(server, 0);
	int fd = accept(server->listener, NULL, NULL);

	if (fd < 0) {
		/* Else pselect() would say at once that there is somebody to accept. */
		server->is_short = errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS;
		return;
	}
	if (!zs_serve_socket_is_own(fd))
		close(fd);
	else if (fcntl(fd, F_SETFL, 0) < 0 || !room || !add_client(server, room, fd, fd))
		tell_busy(fd);
}

static bool has_clients(const struct server *server)
{
	for (size_t i = 0; i < ZS_SERVE_CLIENTS_MAX; i++)
		if (server->clients[i].pid)
			return true;
	return false;
}

static void serve(struct server *server)
{
	sigset_t none;
	fd_set set;

	sigemptyset(&none);
	while (!asked_to_end && (server->listener >= 0 || has_clients(server))) {
		bool listens = server->listener >= 0 && !server->is_short;

		FD_ZERO(&set);
		if (listens)
			FD_SET(server->listener, &set);
		if (pselect(listens ? server->listener + 1 : 0, &set, NULL, NULL, NULL, &none) > 0)
			accept_one(server);
		reap(server);
	}
}

static void end_clients(struct server *server)
{
	for (size_t i = 0; i < ZS_SERVE_CLIENTS_MAX; i++)
		if (server->clients[i].pid) {
			kill(server->clients[i].pid, SIGTERM);
			waitpid(server->clients[i].pid, NULL, 0);
			close_client(&server->clients[i]);
		}
}

static int serve_standard(struct server *server)
{
	if (!add_client(server, &server->clients[0], STDIN_FILENO, STDOUT_FILENO)) {
		zs_complain_errno("vet", "--serve", errno);
		return ZS_EXIT_CANNOT_ENFORCE;
	}
	serve(server);
	end_clients(server);
	return server->exit_code;
}

static int serve_socket(struct server *server, const char *path)
{
	struct zs_serve_socket made;
	int r = zs_serve_socket_open(path, &made);

	if (r != ZS_EXIT_OK)
		return r;
	if (made.fd < FD_SETSIZE) {
		server->listener = made.fd;
		serve(server);
		end_clients(server);
	} else {
		zs_complain_errno("vet", "--serve", EMFILE);
		r = ZS_EXIT_CANNOT_ENFORCE;
	}
	zs_serve_socket_close(&made);
	return r;
}

int zs_serve(const char *socket, const struct zs_vet_options *options, bool with_ir)
{
	struct server server = { .options = options, .with_ir = with_ir, .listener = -1 };

	handle_signals();
	return socket ? serve_socket(&server, socket) : serve_standard(&server);
}
