#include "linux/named_command.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/read_file.h"
#include "linux/base/fd_message.h"
#include "linux/limits/run_limits.h"
#include "linux/trace/denial_channel.h"
#include "zs_shim.h"

enum {
	RELAYS = ZS_SESSION_STDIO,
	ANSWER_MS = 2000, /* the longest wait for the end of a command that was killed */
};

struct relay {
	int from, to; /* from -1: it has ended */
	struct zs_box_capture *capture;
};

static int keep(struct zs_box_capture *capture, const char *bytes, size_t len)
{
	size_t part = len < capture->max - capture->len ? len : capture->max - capture->len;
	char *more = part ? realloc(capture->bytes, capture->len + part) : capture->bytes;

	if (part && !more)
		return -ENOMEM;
	if (part)
		memcpy(more + capture->len, bytes, part);
	capture->bytes = more;
	capture->len += part;
	capture->cut = capture->cut || part < len;
	return 0;
}

/* Copies once what is there. False: the reader of the output has gone. */
static bool copy(struct relay *relay)
{
	char bytes[64 * 1024];
	ssize_t len = read(relay->from, bytes, sizeof bytes);
	int r;

	if (len < 0 && (errno == EINTR || errno == EAGAIN))
		return true;
	if (len > 0) {
		r = relay->capture ? keep(relay->capture, bytes, (size_t)len)
				   : zs_write_all(relay->to, bytes, (size_t)len);
		if (r == 0)
			return true;
	}
	close(relay->from);
	relay->from = -1;
	return len <= 0;
}

static bool is_pipe(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode);
}

/* Are output and error the same file? Then one pipe keeps the order of what is written. */
static bool is_one_output(const int files[ZS_SESSION_STDIO])
{
	struct stat out, complaints;

	return fstat(files[ZS_NAMED_OUTPUT], &out) == 0 && fstat(files[ZS_NAMED_COMPLAINTS], &complaints) == 0 &&
	       out.st_dev == complaints.st_dev && out.st_ino == complaints.st_ino;
}

/* Makes the command's descriptors. A caller's pipe is its standard input itself, unless it would become another user's;
 * everything else is copied. A caller without a standard input gives an empty one. */
static int make_pipes(const struct zs_named_order *order, struct relay relays[RELAYS], int commands[ZS_SESSION_STDIO])
{
	for (int i = 0; i < RELAYS; i++) {
		bool input = i == ZS_NAMED_INPUT;
		int ends[2], file = order->files[i];

		if (input && is_pipe(file) && order->request != ZS_NAMED_EXEC_AS) {
			commands[i] = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		} else if (i == ZS_NAMED_COMPLAINTS && !order->captures && is_one_output(order->files)) {
			commands[i] = fcntl(commands[ZS_NAMED_OUTPUT], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		} else {
			if (pipe2(ends, O_CLOEXEC) < 0)
				return -errno;
			commands[i] = ends[!input];
			relays[i].from = input ? fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : ends[0];
			relays[i].to = input ? ends[1] : file;
			if (!input && order->captures)
				relays[i].capture = &order->captures[i - ZS_NAMED_OUTPUT];
		}
		if (commands[i] < 0)
			return -errno;
	}
	return 0;
}

static int send_order(int connection, const struct zs_named_order *order, const struct relay relays[RELAYS],
	const int commands[ZS_SESSION_STDIO])
{
	struct zs_named_hello hello = { .protocol = ZS_NAMED_PROTOCOL, .request = order->request };
	ZS_AUTO_FREE struct zs_session_request *request = NULL;
	ZS_AUTO_FD int body = memfd_create("zs-session", MFD_CLOEXEC);
	int fds[ZS_NAMED_DESCRIPTORS], outputs[ZS_NAMED_OUTPUTS + 1], r;
	size_t count = 0;

	hello.denials = order->denials > 0;
	strncpy(hello.key, order->key, sizeof hello.key - 1);
	for (int i = ZS_NAMED_OUTPUT; i < RELAYS; i++)
		if (relays[i].from >= 0)
			outputs[count++] = relays[i].from;
	if (order->denials > 0)
		outputs[count++] = order->denials;
	r = body < 0 ? -errno : zs_session_pack(&order->command, &request);
	if (r == 0)
		r = zs_write_all(body, request->body, request->head.bytes);
	memcpy(fds, commands, sizeof(int) * ZS_SESSION_STDIO);
	fds[ZS_SESSION_STDIO] = body;
	if (r == 0)
		r = zs_fds_send(connection, &hello, sizeof hello, outputs, count);
	return r < 0 ? r : zs_fds_send(connection, &request->head, sizeof request->head, fds, ZS_NAMED_DESCRIPTORS);
}

static void send_signal(int connection, int32_t number)
{
	send(connection, &number, sizeof number, MSG_NOSIGNAL);
}

/* Copies what can be copied. */
static void relay_all(int connection, struct relay relays[RELAYS], const struct pollfd events[RELAYS])
{
	struct relay *input = &relays[ZS_NAMED_INPUT];

	/* Without a session a command whose reader has gone would get this signal from the kernel. */
	for (int i = 0; i < RELAYS; i++)
		if (events[i].revents && !copy(&relays[i]) && i != ZS_NAMED_INPUT)
			send_signal(connection, SIGPIPE);
	if (input->from < 0 && input->to >= 0) {
		close(input->to);
		input->to = -1;
	}
}

/* Waits for the end of the command. -EPIPE: the connection has ended without an answer. */
static int await(
	int connection, int signals, int64_t milliseconds, struct relay relays[RELAYS], struct zs_named_result *result)
{
	enum { CONNECTION = RELAYS, SIGNALS, EVENTS };
	int64_t deadline = milliseconds ? zs_now_ms() + milliseconds : INT64_MAX;
	struct signalfd_siginfo info;

	for (;;) {
		struct pollfd events[EVENTS];

		for (int i = 0; i < RELAYS; i++)
			events[i] = (struct pollfd){ relays[i].from, POLLIN, 0 };
		events[CONNECTION] = (struct pollfd){ connection, POLLIN, 0 };
		events[SIGNALS] = (struct pollfd){ signals, POLLIN, 0 };
		if (poll(events, EVENTS, zs_ms_until(deadline)) < 0)
			continue;
		relay_all(connection, relays, events);
		if (events[SIGNALS].revents && read(signals, &info, sizeof info) == (ssize_t)sizeof info)
			send_signal(connection, (int32_t)info.ssi_signo);
		if (events[CONNECTION].revents) {
			if (!zs_named_take(connection, &result->answer, &result->log))
				return -EPIPE;
			if (result->answer.kind != ZS_NAMED_TAKEN)
				return 0;
			result->log.seen = result->answer.seconds;
			snprintf(result->image, sizeof result->image, "%.95s", result->answer.text);
			result->limits = result->answer.limits;
			result->each_process = result->answer.each_process;
			result->tier = result->answer.tier;
		}
		if (zs_now_ms() < deadline)
			continue;
		if (result->timed_out)
			return -EPIPE;
		result->timed_out = true;
		send_signal(connection, SIGKILL);
		deadline = zs_now_ms() + ANSWER_MS;
	}
}

/* The command has ended, so the pipes hold its output. One read takes a whole pipe; a second would wait for processes
 * that go on writing. */
static void copy_rest(struct relay relays[RELAYS])
{
	for (int i = ZS_NAMED_OUTPUT; i < RELAYS; i++) {
		struct pollfd event = { relays[i].from, POLLIN, 0 };

		if (relays[i].from >= 0 && poll(&event, 1, 0) > 0 && event.revents & POLLIN)
			copy(&relays[i]);
	}
}

/* The signals of this thread while a command runs. A host's own are not touched, but for SIGPIPE of our pipes. */
struct signals {
	sigset_t before;
	bool pass, pending; /* a SIGPIPE was pending before */
	int fd;             /* of those that go to the command; -1: none */
};

static int take_signals(bool pass, struct signals *signals)
{
	static const int passed[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2 };
	sigset_t blocked, set, pending;
	int r;

	sigemptyset(&set);
	for (size_t i = 0; pass && i < ZS_COUNT(passed); i++)
		sigaddset(&set, passed[i]);
	blocked = set;
	sigaddset(&blocked, SIGPIPE);
	*signals = (struct signals){ .pass = pass, .fd = -1 };
	signals->pending = sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1;
	r = pthread_sigmask(SIG_BLOCK, &blocked, &signals->before);
	if (r != 0 || !pass)
		return -r;
	signals->fd = signalfd(-1, &set, SFD_CLOEXEC);
	return signals->fd < 0 ? -errno : 0;
}

static void give_signals_back(const struct signals *signals)
{
	const struct timespec now = { 0 };
	sigset_t pipes;

	if (signals->fd >= 0)
		close(signals->fd);
	if (signals->pass)
		return;
	sigemptyset(&pipes);
	sigaddset(&pipes, SIGPIPE);
	if (!signals->pending)
		sigtimedwait(&pipes, NULL, &now);
	pthread_sigmask(SIG_SETMASK, &signals->before, NULL);
}

void zs_named_no_command(int denials)
{
	if (denials > 0)
		zs_denial_send_end(denials, ZS_EXIT_CANNOT_ENFORCE, 0);
}

/* The daemon ends the records of a command that it has started, and answers before it has done so. */
static void end_denials(const struct zs_named_order *order, const struct zs_named_result *result, int r)
{
	bool told = r == 0 && (result->answer.kind == ZS_NAMED_EXITED ||
				      (result->answer.kind == ZS_NAMED_LOST && result->log.file >= 0));

	if (order->denials > 0 && told)
		zs_denial_await(order->denials);
	else
		zs_named_no_command(order->denials);
}

static void close_all(struct relay relays[RELAYS], int commands[ZS_SESSION_STDIO])
{
	for (int i = 0; i < RELAYS; i++) {
		if (commands[i] >= 0)
			close(commands[i]);
		if (relays[i].from >= 0)
			close(relays[i].from);
		if (i == ZS_NAMED_INPUT && relays[i].to >= 0)
			close(relays[i].to);
		commands[i] = -1;
	}
}

static int run_command(int connection, const struct zs_named_order *order, struct zs_named_result *ret_result)
{
	struct relay relays[RELAYS] = { { -1, -1, NULL }, { -1, -1, NULL }, { -1, -1, NULL } };
	int commands[ZS_SESSION_STDIO] = { -1, -1, -1 };
	struct signals signals;
	int r = take_signals(order->signals, &signals);

	*ret_result = (struct zs_named_result){ .log = { -1, 0 } };
	if (r < 0)
		return r;
	r = make_pipes(order, relays, commands);
	if (r == 0)
		r = send_order(connection, order, relays, commands);
	for (int i = 0; r == 0 && i < ZS_SESSION_STDIO; i++) {
		close(commands[i]);
		commands[i] = -1;
	}
	/* A daemon that refuses has closed its end, but its answer is there. */
	if (r == 0 || r == -EPIPE || r == -ECONNRESET) {
		r = await(connection, signals.fd, order->milliseconds, relays, ret_result);
		copy_rest(relays);
	}
	close_all(relays, commands);
	give_signals_back(&signals);
	return r;
}

int zs_named_command(int connection, const struct zs_named_order *order, struct zs_named_result *ret_result)
{
	int r = run_command(connection, order, ret_result);

	end_denials(order, ret_result, r);
	return r;
}
