#include "session_attacks.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "policy/environment.h"
#include "zs_shim.h"

extern char **environ;

/* Performs the attack `name` on the parent process. */
int attack_on_parent(const char *name, const char *b)
{
	char pid[16];

	snprintf(pid, sizeof pid, "%d", getppid());
	return attack_by_name(name, pid, b);
}

static void say_pid(void)
{
	printf("%d\n", getpid());
	fflush(stdout);
}

/* Prints its pid, and stays until it reads something or its input ends; then exits with `status`. */
int attack_stay(const char *status, const char *b)
{
	char c;

	(void)b;
	say_pid();
	while (read(0, &c, 1) < 0 && errno == EINTR) {
	}
	return atoi(status);
}

static void ignore_signals(void)
{
	for (int i = 1; i < 32; i++)
		signal(i, SIG_IGN);
	prctl(PR_SET_PDEATHSIG, 0);
}

static void part(const char *kind)
{
	if (strcmp(kind, "stay") == 0)
		pause();
}

/* Leaves a daemon behind, which holds standard output and ignores all signals that it can. With kind "stay" the command
 * itself stays, too. */
int attack_daemon(const char *kind, const char *b)
{
	int pipes[2];
	char c;

	(void)b;
	if (pipe(pipes) < 0)
		return errno;
	if (fork() == 0) {
		setsid();
		if (fork() == 0) {
			setsid();
			ignore_signals();
			close(pipes[0]);
			if (write(pipes[1], "x", 1) != 1)
				_exit(1);
			for (;;)
				pause();
		}
		_exit(0);
	}
	if (read(pipes[0], &c, 1) != 1)
		return EIO;
	say_pid();
	part(kind);
	return 0;
}

/* Starts two hundred daemons; each but the first is a child of another. */
int attack_crowd(const char *kind, const char *b)
{
	int pipes[2];
	char c;

	(void)b;
	if (pipe(pipes) < 0)
		return errno;
	for (int i = 0; i < 10; i++)
		if (fork() == 0) {
			setsid();
			ignore_signals();
			for (int depth = 1; depth < 20 && fork() == 0; depth++)
				setsid();
			if (write(pipes[1], "x", 1) != 1)
				_exit(1);
			for (;;)
				pause();
		}
	for (int i = 0; i < 200; i++)
		if (read(pipes[0], &c, 1) != 1)
			return EIO;
	say_pid();
	part(kind);
	return 0;
}

/* These processes end by themselves, some time after a test would have noticed them. */
static time_t now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return at.tv_sec;
}

enum { STORM_SECONDS = 6, STORM_PROCESSES = 150 };

/* Three processes that keep changing: each forks the next, and ends. */
int attack_chain(const char *kind, const char *b)
{
	time_t end = now() + STORM_SECONDS;

	(void)b;
	for (int i = 0; i < 3; i++) {
		if (fork() != 0)
			continue;
		ignore_signals();
		while (now() < end) {
			if (fork() > 0)
				_exit(0);
			setsid();
		}
		_exit(0);
	}
	usleep(50 * 1000);
	say_pid();
	part(kind);
	return 0;
}

/* Keeps as many processes as it may have at once, each of which is replaced after a moment. */
int attack_storm(const char *kind, const char *b)
{
	atomic_int *count = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	time_t end = now() + STORM_SECONDS;

	(void)b;
	if (fork() == 0) {
		ignore_signals();
		*count = 1;
		while (now() < end) {
			if (*count >= STORM_PROCESSES) {
				--*count;
				_exit(0);
			}
			if (fork() == 0) {
				++*count;
				setsid();
			}
		}
		_exit(0);
	}
	while (*count < STORM_PROCESSES / 2 && now() < end)
		usleep(1000);
	say_pid();
	part(kind);
	return 0;
}

/* Tries to kill all processes that it can see, in every way. 0: it has tried. */
int attack_kill_everyone(const char *a, const char *b)
{
	(void)a;
	(void)b;
	kill(-1, SIGKILL);
	for (pid_t pid = 1; pid < 400; pid++) {
		if (pid == getpid())
			continue;
		kill(pid, SIGKILL);
		if (pid != getpgrp()) /* in a container the number may be low, and be the attacker's own group */
			kill(-pid, SIGKILL);
	}
	return 0;
}

/* Counts the descriptors above the standard ones. */
int attack_open_descriptors(const char *a, const char *b)
{
	int count = 0;

	(void)a;
	(void)b;
	for (int fd = 3; fd < 1024; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

/* Starts processes until the kernel refuses, says so, and keeps them until its input ends. */
int attack_fork_until(const char *most, const char *b)
{
	char c;

	(void)b;
	for (int i = 0; i < atoi(most); i++) {
		pid_t pid = fork();

		if (pid < 0)
			break;
		if (pid == 0) {
			for (;;)
				pause();
		}
	}
	say_pid();
	return read(0, &c, 1) < 0 ? errno : 0;
}

/* Asks the run's proxy for HOST:PORT. 0: *ret_fd is connected; EACCES: the proxy refuses; or another errno. */
static int ask_proxy(const char *host, int *ret_fd)
{
	static const char established[] = "HTTP/1.1 200 ", refused[] = "HTTP/1.1 403 ";
	const struct sockaddr_in to = {
		.sin_family = AF_INET, .sin_port = htons(ZS_PROXY_PORT), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)
	};
	char text[256], answer[sizeof established] = "";
	int len = snprintf(text, sizeof text, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", host, host);

	*ret_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (*ret_fd < 0 || connect(*ret_fd, (const struct sockaddr *)&to, sizeof to) < 0)
		return errno;
	if (send(*ret_fd, text, (size_t)len, MSG_NOSIGNAL) != len)
		return errno;
	if (recv(*ret_fd, answer, sizeof answer - 1, MSG_WAITALL) < 0)
		return errno;
	return strcmp(answer, established) == 0 ? 0 : strcmp(answer, refused) == 0 ? EACCES : EPROTO;
}

int attack_through_proxy(const char *host, const char *b)
{
	int fd;

	(void)b;
	return ask_proxy(host, &fd);
}

/* The same, and again after it has read something. 0: the first connection succeeded, and after that neither it nor a
 * new one works. */
int attack_through_proxy_again(const char *host, const char *b)
{
	int fd, r = ask_proxy(host, &fd);
	char c;

	(void)b;
	if (r != 0)
		return r;
	say_pid();
	while (read(STDIN_FILENO, &c, 1) < 0 && errno == EINTR) {
	}
	while (recv(fd, &c, 1, 0) > 0) {
	}
	/* A dying process closes its descriptors one by one, and a connection that a listener has taken by then is
	 * reset. */
	do
		r = ask_proxy(host, &fd);
	while (r == ECONNRESET || r == EPROTO);
	return r == ECONNREFUSED ? 0 : EISCONN;
}

static int say_error(const struct zs_error *error)
{
	char line[1024];

	zs_error_format(error, line, sizeof line);
	fprintf(stderr, "%s\n", line);
	return ZS_EXIT_CANNOT_ENFORCE;
}

/* A session's host that runs one command in it, and not an attack. */
int attack_host_session(const char *policy_file, const char *command)
{
	char text[1024] = "", *argv[] = { (char *)command, NULL };
	int fd = open(policy_file, O_RDONLY | O_CLOEXEC);
	struct zs_policy *policy;
	struct zs_sandbox *sandbox;
	struct zs_session *session;
	struct zs_error error = { 0 };
	siginfo_t ended;
	pid_t pid;

	if (fd < 0 || read(fd, text, sizeof text - 1) < 0) {
		fprintf(stderr, "zs: %s: %s\n", policy_file, strerror(errno));
		return ZS_EXIT_CANNOT_ENFORCE;
	}
	if (zs_policy_from_json(text, strlen(text), environ, &policy, &error) < 0 ||
		zs_sandbox_new(policy, &sandbox, &error) < 0 || zs_session_open(sandbox, NULL, &session, &error) < 0)
		return say_error(&error);
	if (zs_session_spawn(session, argv, environ, NULL, &pid, &error) < 0) {
		zs_session_close(session);
		return say_error(&error);
	}
	/* A tracer makes this call fail. */
	while (waitid(P_PID, (id_t)pid, &ended, WEXITED) < 0) {
	}
	zs_session_close(session);
	return ended.si_code == CLD_EXITED ? ended.si_status : 128 + ended.si_status;
}
