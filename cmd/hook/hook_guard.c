#include "hook/hook_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/exit.h"
#include "base/read_file.h"
#include "hook/hook_shape.h"

#define NOT_DECIDED "zs: not allowed, because zs made no decision: "

#define TOO_LONG "it took too long; try again"

/* The header of an answer. The magic number is repeated after the answer, so a cut answer is recognised. */
struct frame {
	uint32_t magic, allow, exit, output_len, error_len;
};
enum { FRAME_MAGIC = 0x7a73686b, STACK_BYTES = 64 * 1024 };

/* The guard's state. It is static, so that no allocation can fail when a denial is needed. */
static struct {
	const struct zs_hook_words *words;
	volatile sig_atomic_t phase;
	int exit;    /* when phase is ANSWERED */
	pid_t child; /* 0: not yet */
} guard;
enum { WAITING, ANSWERING, ANSWERED };

static union {
	struct frame frame;
	char bytes[sizeof(struct frame) + ZS_HOOK_ANSWER_MAX + sizeof(uint32_t) + 1];
} received;

static bool hook_guard_write_all(int fd, const char *text, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, text, len);

		if (n < 0 && errno == EAGAIN)
			poll(&(struct pollfd){ .fd = fd, .events = POLLOUT }, 1, -1);
		else if (n < 0 && errno != EINTR)
			return false;
		text += n > 0 ? n : 0;
		len -= n > 0 ? (size_t)n : 0;
	}
	return true;
}

/* Signal handlers call these functions too, up to watch_signals() (man 7 signal-safety). */
static _Noreturn void deny_on_stderr(const char *reason)
{
	static const char head[] = NOT_DECIDED;

	hook_guard_write_all(STDERR_FILENO, head, sizeof head - 1);
	hook_guard_write_all(STDERR_FILENO, reason, strlen(reason));
	hook_guard_write_all(STDERR_FILENO, "\n", 1);
	_exit(ZS_EXIT_BLOCKED);
}

/* From here on only the time limit and faults may interrupt. Any other signal could cut the answer, or combine it with
 * another exit code. */
static void begin_answer(void)
{
	static const int now[] = { SIGALRM, SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGTRAP, SIGSYS };
	sigset_t later;

	sigfillset(&later);
	for (size_t i = 0; i < ZS_COUNT(now); i++)
		sigdelset(&later, now[i]);
	sigprocmask(SIG_SETMASK, &later, NULL);
	guard.phase = ANSWERING;
}

static _Noreturn void end_answer(int exit)
{
	guard.exit = exit;
	guard.phase = ANSWERED;
	_exit(exit);
}

/* reason: a text of zs, without characters that JSON would escape. */
static _Noreturn void hook_guard_deny(const char *reason)
{
	const struct zs_hook_words *words = guard.words;
	char text[1024], *at = text;

	if (guard.child > 0)
		kill(guard.child, SIGKILL);
	if (!words->deny || guard.phase != WAITING)
		deny_on_stderr(reason);
	begin_answer();
	for (const char *part = words->deny; *part; part++)
		if (*part == '$')
			at = stpcpy(stpcpy(stpcpy(at, "\"" NOT_DECIDED), reason), "\"");
		else
			*at++ = *part;
	if (!hook_guard_write_all(STDOUT_FILENO, text, (size_t)(at - text)))
		deny_on_stderr("its denial could not be written");
	end_answer(words->deny_exit);
}

static void on_signal(int signal)
{
	if (guard.phase == ANSWERED)
		_exit(guard.exit);
	hook_guard_deny(signal == SIGALRM ? TOO_LONG : "it was ended by a signal");
}

/* Handles signals, including those of this process's own faults. The handler has its own stack, in case the stack has
 * overflowed. */
static void watch_signals(void)
{
	static const int signals[] = { SIGALRM, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGABRT, SIGILL,
		SIGFPE, SIGTRAP, SIGSYS, SIGXCPU, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF };
	static char stack[STACK_BYTES];
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };

	sigaltstack(&(stack_t){ .ss_sp = stack, .ss_size = sizeof stack }, NULL);
	sigfillset(&action.sa_mask);
	for (size_t i = 0; i < ZS_COUNT(signals); i++)
		sigaction(signals[i], &action, NULL);
	action.sa_handler = SIG_IGN; /* write(2) reports the error instead */
	sigaction(SIGPIPE, &action, NULL);
	sigaction(SIGXFSZ, &action, NULL);
	action.sa_handler = SIG_DFL; /* if it were ignored, wait(2) would give no status */
	sigaction(SIGCHLD, &action, NULL);
	sigemptyset(&action.sa_mask);
	sigprocmask(SIG_SETMASK, &action.sa_mask, NULL);
	alarm(ZS_HOOK_SECONDS);
}

/* For the process that decides: restores the default actions. It sets a time limit of its own, in case the guard is
 * killed. */
static void unwatch_signals(void)
{
	struct sigaction action = { .sa_handler = SIG_DFL };

	for (int signal = 1; signal < NSIG; signal++)
		sigaction(signal, &action, NULL);
	alarm(ZS_HOOK_SECONDS);
}

/* Fills closed standard descriptors, so that no pipe of zs gets their numbers. Reading or writing the new descriptors
 * fails, as it would with closed ones. */
static void fill_descriptors(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			hook_guard_deny("standard input, output or error is closed");
}

static bool hook_guard_is_whole(size_t len)
{
	const struct frame *frame = &received.frame;
	uint32_t end;

	if (len < sizeof *frame + sizeof end || frame->magic != FRAME_MAGIC || frame->output_len > ZS_HOOK_ANSWER_MAX ||
		frame->error_len > ZS_HOOK_ANSWER_MAX ||
		len != sizeof *frame + frame->output_len + frame->error_len + sizeof end)
		return false;
	memcpy(&end, received.bytes + len - sizeof end, sizeof end);
	if (end != FRAME_MAGIC)
		return false;
	/* Every agent takes silence for permission, so a denial must hold a text. */
	if (frame->allow == 0)
		return frame->output_len > 0 || (frame->exit == ZS_EXIT_BLOCKED && frame->error_len > 0);
	return frame->allow == 1 && frame->exit == 0;
}

static _Noreturn void hook_guard_answer(void)
{
	const struct frame *frame = &received.frame;
	const char *output = received.bytes + sizeof *frame, *error = output + frame->output_len;

	begin_answer();
	if (!hook_guard_write_all(STDOUT_FILENO, output, frame->output_len))
		deny_on_stderr("its answer could not be written");
	if (!hook_guard_write_all(STDERR_FILENO, error, frame->error_len) && frame->allow)
		deny_on_stderr("its answer could not be written");
	end_answer((int)frame->exit);
}

static _Noreturn void wait_for_answer(int fd)
{
	size_t len = 0;
	int status, r = zs_read_up_to(fd, sizeof received.bytes, received.bytes, &len);

	while (waitpid(guard.child, &status, 0) < 0)
		if (errno != EINTR)
			hook_guard_deny("its process is gone");
	guard.child = 0;
	if (WIFSIGNALED(status))
		hook_guard_deny(WTERMSIG(status) == SIGALRM ? TOO_LONG : "it crashed");
	if (WEXITSTATUS(status) == ZS_EXIT_USAGE)
		hook_guard_deny("the hook calls zs with wrong options; see zs hook --help");
	if (r < 0 || WEXITSTATUS(status) != ZS_EXIT_OK || !hook_guard_is_whole(len))
		hook_guard_deny("it failed");
	hook_guard_answer();
}

/* Finds the agent before the options are parsed, since even a wrong option must be refused in the agent's format. */
static const struct zs_hook_words *find_words(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const struct zs_agent *agent = zs_agent_find(argv[i]);

		if (agent)
			return zs_hook_default_words(agent);
	}
	return &zs_hook_plain_words;
}

void zs_hook_guard(int argc, char **argv)
{
	sigset_t all, none;
	int ends[2];

	if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
		return;
	guard.words = find_words(argc, argv);
	watch_signals();
	fill_descriptors();
	if (pipe(ends) < 0)
		hook_guard_deny("it cannot make a pipe");
	/* A signal to both processes must not be answered twice. */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &none);
	guard.child = fork();
	if (guard.child < 0)
		hook_guard_deny("it cannot start a process");
	if (guard.child > 0) {
		sigprocmask(SIG_SETMASK, &none, NULL);
		close(ends[1]);
		wait_for_answer(ends[0]);
	}
	unwatch_signals();
	sigprocmask(SIG_SETMASK, &none, NULL);
	close(ends[0]);
	if (dup2(ends[1], STDOUT_FILENO) < 0)
		_exit(ZS_EXIT_CANNOT_ENFORCE);
	close(ends[1]);
}

bool zs_hook_deliver(const struct zs_hook_answer *to_send)
{
	const struct frame frame = { FRAME_MAGIC, to_send->allow, (uint32_t)to_send->exit,
		(uint32_t)to_send->output_len, (uint32_t)to_send->error_len };

	if (to_send->output_len + to_send->error_len > ZS_HOOK_ANSWER_MAX)
		return false;
	return hook_guard_write_all(STDOUT_FILENO, (const char *)&frame, sizeof frame) &&
	       hook_guard_write_all(STDOUT_FILENO, to_send->output, to_send->output_len) &&
	       hook_guard_write_all(STDOUT_FILENO, to_send->error, to_send->error_len) &&
	       hook_guard_write_all(STDOUT_FILENO, (const char *)&frame.magic, sizeof frame.magic);
}
