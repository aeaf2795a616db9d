/* A library that is preloaded into process 1 of the jail, which is a bash. It turns this bash into a server that runs
 * one text after the other, each in a fork.
 *
 * Process 1 is started as `bash --norc --noprofile -c PLACEHOLDER`. Each child is a bash whose -c argument is the text.
 * A fork after bash's initialisation takes a third of the time that a start of bash takes. bash has no interface for
 * that, so the library forks in a function of libc: sysconf(_SC_CHILD_MAX), of bash's job control, is the last call
 * before bash reads the argument. In such a child $$ is 1, and nothing else is known to differ. There the marker is no
 * program: the function that bash calls to execute one stands for it, which saves half of the time of a run. A child of
 * the early stage, before main(), does not differ at all, and there the marker is a program. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "jail.h"
#include "record.h"
#include "server.h"

static char *placeholder;
static enum jail_stage stage;
static bool served, in_child;
static long wall_ms;

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000L + now.tv_nsec / 1000000L;
}

/* Empties a folder; the name of one thing in it goes to `name`. */
static void empty(int at, const char *path, char *name, size_t name_size)
{
	int fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		if (name_size) {
			strncpy(name, entry->d_name, name_size - 1);
			name[name_size - 1] = 0;
		}
		if (entry->d_type == DT_DIR) {
			fchmodat(fd, entry->d_name, 0700, 0);
			empty(fd, entry->d_name, NULL, 0);
		}
		unlinkat(fd, entry->d_name, entry->d_type == DT_DIR ? AT_REMOVEDIR : 0);
	}
	if (dir)
		closedir(dir);
}

static void limit(int resource, rlim_t value)
{
	setrlimit((__rlimit_resource_t)resource, &(struct rlimit){ value, value });
}

static void become_child(const char *text, size_t len, const sigset_t *mask)
{
	int input = open(ZS_JAIL_INPUT, O_RDONLY);

	setsid();
	limit(RLIMIT_CPU, 1);
	dup2(input, 0);
	close(input);
	close(ZS_JAIL_SOCKET);
	memcpy(placeholder, text, len);
	placeholder[len] = 0;
	sigprocmask(SIG_SETMASK, mask, NULL);
}

/* Waits until the child and all processes that it left behind have ended, or the time is over. */
static void wait_for(pid_t child, const sigset_t *child_signal, struct jail_answer *answer)
{
	long end = now_ms() + wall_ms;

	for (;;) {
		int status;
		pid_t pid = waitpid(-1, &status, WNOHANG);
		long left;

		if (pid == child) {
			answer->exited = true;
			answer->status = status;
		}
		if (pid > 0)
			continue;
		if (pid < 0)
			return;
		left = end - now_ms();
		if (left <= 0)
			break;
		sigtimedwait(child_signal, NULL, &(struct timespec){ left / 1000, left % 1000 * 1000000L });
	}
	answer->timed_out = true;
	kill(-1, SIGKILL); /* kills all but this process, which is process 1 */
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
}

static void reply(const struct jail_answer *answer)
{
	static char message[sizeof *answer + ZS_JAIL_LOG_MAX];
	int log = open(ZS_JAIL_LOG, O_RDONLY);
	ssize_t len = log < 0 ? 0 : read(log, message + sizeof *answer, ZS_JAIL_LOG_MAX);

	if (log >= 0) {
		close(log);
		unlink(ZS_JAIL_LOG);
	}
	memcpy(message, answer, sizeof *answer);
	if (send(ZS_JAIL_SOCKET, message, sizeof *answer + (size_t)(len > 0 ? len : 0), 0) < 0)
		_exit(0);
}

/* Returns in each child; process 1 stays. */
static void serve(void)
{
	static char text[ZS_JAIL_TEXT_MAX + 1];
	sigset_t mask, child_signal;

	sigemptyset(&child_signal);
	sigaddset(&child_signal, SIGCHLD); /* a blocked signal is kept even without a handler */
	sigprocmask(SIG_BLOCK, &child_signal, &mask);
	if (send(ZS_JAIL_SOCKET, "", 1, 0) != 1) /* ready */
		_exit(1);
	if (stage == ZS_JAIL_PARSE)
		zs_serve_parser();
	for (;;) {
		struct jail_answer answer = { .wrote = "" };
		ssize_t len = recv(ZS_JAIL_SOCKET, text, ZS_JAIL_TEXT_MAX, 0);
		pid_t child;

		if (len <= 0)
			_exit(0);
		child = fork();
		if (!child) {
			become_child(text, (size_t)len, &mask);
			return;
		}
		if (child > 0)
			wait_for(child, &child_signal, &answer);
		empty(AT_FDCWD, ZS_JAIL_SCRATCH, answer.wrote, sizeof answer.wrote);
		reply(&answer);
	}
}

__attribute__((constructor)) static void start(int argc, char **argv)
{
	const char *number = getenv(ZS_JAIL_STAGE), *wall = getenv(ZS_JAIL_WALL);

	if (getpid() != 1 || argc < 1 || !number || !wall)
		return;
	placeholder = argv[argc - 1];
	wall_ms = strtol(wall, NULL, 10);
	stage = (enum jail_stage)strtol(number, NULL, 10);
	unsetenv(ZS_JAIL_STAGE);
	unsetenv(ZS_JAIL_WALL);
	unsetenv("LD_PRELOAD");
	served = stage == ZS_JAIL_EARLY;
	if (served)
		serve();
}

__attribute__((visibility("default"))) long sysconf(int name);

long sysconf(int name)
{
	static long (*real)(int name);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "sysconf");
	if (name == _SC_CHILD_MAX && placeholder && !served) {
		served = true;
		serve();
		in_child = true;
	}
	return real ? real(name) : -1;
}

__attribute__((visibility("default"))) int execve(const char *path, char *const *argv, char *const *envp);

int execve(const char *path, char *const *argv, char *const *envp)
{
	if (in_child && !strncmp(path, ZS_JAIL_MARKER, strlen(ZS_JAIL_MARKER)) && !access(path, X_OK))
		_exit(zs_record(path, argv) ? 1 : 0);
	return (int)syscall(SYS_execve, path, argv, envp);
}
