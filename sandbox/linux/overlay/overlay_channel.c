/* The channel between the run's supervisor, which knows when the run is over, and the receiver, which reads the changes
 * and may apply them to the real workspace. The supervisor sends the layers' descriptors at the start, so that a run
 * without a receiver does not begin. Only the supervisor says that the run has ended. */
#include "linux/overlay/overlay_channel.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "linux/base/fd_message.h"
#include "linux/overlay/overlay_files.h"

static const char step[] = "overlay";

enum { VERSION = 4 }; /* of the messages: zs_spawn_options.executable may be another build of zs */

/* The messages, with the fields that each uses. */
enum word {
	WORD_OFFER,    /* from the run, with two descriptors: since, workspace */
	WORD_CANCELED, /* from the run: it has not begun */
	WORD_ENDED,    /* from the run: status, cut */
	WORD_STOP,     /* from the run, after WORD_ENDED: its process was told to end */
	WORD_RELEASED, /* to the run: well, status, pid */
};

struct message {
	uint32_t version, word;
	int64_t since_sec, since_nsec; /* when the run began, of the real-time clock */
	int32_t status; /* as waitpid(2) has it; of WORD_RELEASED: 0, or the exit status that replaces the command's */
	int32_t well;   /* the receiver has not failed */
	int32_t pid;    /* of the receiver */
	int32_t cut;    /* a signal or a limit has ended the run */
	/* The workspace's path. The descriptor's mount goes with the run, and its own path with it. */
	char workspace[PATH_MAX];
};

enum { FDS = 2 };

/* fds: FDS descriptors to send along, or NULL. */
static int send_message(int channel, struct message message, const int *fds)
{
	message.version = VERSION;
	return zs_fds_send(channel, &message, sizeof message, fds, fds ? FDS : 0);
}

/* ret_fds is written when the message is an offer. -EPIPE: the other end is closed. -EPROTO: the message is malformed
 * or of another version. */
static int receive_message(int channel, struct message *ret_message, int ret_fds[FDS])
{
	int fds[FDS], flags;
	struct message message;
	size_t count = FDS, wanted;
	ssize_t len = zs_fds_receive(channel, &message, sizeof message, fds, &count, &flags);

	if (len <= 0)
		return len < 0 ? (int)len : -EPIPE;
	wanted = len == sizeof message && message.word == WORD_OFFER ? FDS : 0;
	if (len != sizeof message || message.version != VERSION || count != wanted || flags & MSG_CTRUNC ||
		!memchr(message.workspace, '\0', sizeof message.workspace)) {
		for (size_t i = 0; i < count; i++)
			close(fds[i]);
		return -EPROTO;
	}
	memcpy(ret_fds, fds, count * sizeof *fds);
	*ret_message = message;
	return 0;
}

/* The run's side */

int zs_channel_check(int channel)
{
	int type;
	socklen_t size = sizeof type;

	if (getsockopt(channel, SOL_SOCKET, SO_TYPE, &type, &size) < 0)
		return -errno;
	return type == SOCK_SEQPACKET ? 0 : -EPROTOTYPE;
}

int zs_channel_offer(int channel, int lower, int upper, const char *workspace)
{
	struct message message = { .word = WORD_OFFER };
	struct timespec since;

	if (strlen(workspace) >= sizeof message.workspace)
		return -ENAMETOOLONG;
	strcpy(message.workspace, workspace); // NOLINT: its length is known
	zs_overlay_begin(&since);
	message.since_sec = since.tv_sec;
	message.since_nsec = since.tv_nsec;
	return send_message(channel, message, (const int[FDS]){ lower, upper });
}

void zs_channel_cancel(int channel)
{
	send_message(channel, (struct message){ .word = WORD_CANCELED }, NULL);
}

/* Reads all pending signals: does one ask to stop? A signal of the terminal (man 2 signalfd, SI_KERNEL) that came
 * before the run's end was meant for the command, which got it, too. */
static bool is_told_to_stop(int signals, bool ended)
{
	struct signalfd_siginfo signal;
	bool stop = false;

	while (read(signals, &signal, sizeof signal) == (ssize_t)sizeof signal) {
		bool ends = signal.ssi_signo == SIGINT || signal.ssi_signo == SIGTERM || signal.ssi_signo == SIGHUP ||
			    signal.ssi_signo == SIGQUIT;

		stop = stop || (ends && (ended || signal.ssi_code != SI_KERNEL));
	}
	return stop;
}

/* Waits for the receiver's answer. */
static int await_answer(int channel, int signals, bool stop)
{
	struct pollfd events[] = { { channel, POLLIN, 0 }, { signals, POLLIN, 0 } };

	for (;;) {
		stop = stop || (events[1].revents && is_told_to_stop(signals, true));
		if (stop && events[1].fd >= 0) {
			int r = send_message(channel, (struct message){ .word = WORD_STOP }, NULL);

			if (r < 0)
				return r;
			events[1].fd = -1; /* once is enough */
		}
		if (poll(events, 2, -1) >= 0 && events[0].revents)
			return 0;
	}
}

int zs_channel_end(int channel, int status, bool cut, int signals)
{
	bool stop = is_told_to_stop(signals, false);
	struct message answer;
	int fds[FDS], r;

	r = send_message(channel, (struct message){ .word = WORD_ENDED, .status = status, .cut = cut }, NULL);
	if (r == 0)
		r = await_answer(channel, signals, stop);
	if (r == 0)
		r = receive_message(channel, &answer, fds);
	if (r == 0 && answer.word != WORD_RELEASED)
		r = -EPROTO;
	if (r < 0)
		return r;
	/* The receiver may be a child of ours (zs run forks it): reaps it, since nobody else will. */
	waitpid(answer.pid, NULL, 0);
	return answer.status > 0 ? answer.status : answer.well ? 0 : -ECANCELED;
}

/* The receiver's side */

/* Moves a descriptor above the standard ones. If the caller has closed those, the socket could have got such a number,
 * and standard descriptors become the command's. */
static int lift(int *fd)
{
	int low = *fd;

	if (low > STDERR_FILENO)
		return 0;
	*fd = fcntl(low, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	close(low);
	return *fd < 0 ? -errno : 0;
}

int zs_overlay_channel(int ret_ends[2])
{
	int ends[2], r;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return -errno;
	r = lift(&ends[0]);
	if (r == 0)
		r = lift(&ends[1]);
	for (size_t i = 0; i < 2; i++)
		if (r == 0)
			ret_ends[i] = ends[i];
		else if (ends[i] >= 0)
			close(ends[i]);
	return r;
}

static int await_end(int end, struct message *ret_message, struct zs_error *error)
{
	int fds[FDS], r = receive_message(end, ret_message, fds);

	if (r == 0 && ret_message->word == WORD_CANCELED)
		return zs_error_say(error, step, "", ECANCELED, "the command has not run");
	if (r == -EPIPE)
		return zs_error_say(error, step, "", EPIPE, "the run was cut off; its changes are lost");
	if (r == 0 && ret_message->word != WORD_ENDED)
		r = -EPROTO;
	return r < 0 ? zs_error_errno(error, step, "the run's channel", -r) : 0;
}

static int receive(int end, int fds[FDS], struct message *ret_offer, struct message *ret_end, struct zs_error *error)
{
	int r = receive_message(end, ret_offer, fds);

	if (r == -EPIPE || (r == 0 && ret_offer->word == WORD_CANCELED))
		return zs_error_say(error, step, "", ECANCELED, "the command has not run");
	if (r == 0 && ret_offer->word != WORD_OFFER)
		r = -EPROTO;
	return r < 0 ? zs_error_errno(error, step, "the run's channel", -r) : await_end(end, ret_end, error);
}

int zs_overlay_receive(int end, struct zs_overlay **ret_overlay, int *ret_status, struct zs_error *error)
{
	struct message offer, ended;
	int fds[FDS] = { -1, -1 };
	int r = receive(end, fds, &offer, &ended, error);

	if (r == 0)
		r = zs_overlay_open(fds[0], fds[1], ret_overlay, error);
	for (size_t i = 0; i < FDS; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	if (r < 0)
		return r;
	(*ret_overlay)->since = (struct timespec){ .tv_sec = offer.since_sec, .tv_nsec = (long)offer.since_nsec };
	(*ret_overlay)->channel = end;
	strcpy((*ret_overlay)->workspace, offer.workspace); // NOLINT: both have PATH_MAX bytes
	(*ret_overlay)->cut = ended.cut;
	*ret_status = ended.status;
	return 0;
}

int zs_overlay_release(int end, bool well)
{
	return send_message(end, (struct message){ .word = WORD_RELEASED, .well = well, .pid = getpid() }, NULL);
}

int zs_overlay_release_as(int end, int status)
{
	return send_message(end, (struct message){ .word = WORD_RELEASED, .status = status, .pid = getpid() }, NULL);
}
