#include "base/person.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

static volatile sig_atomic_t interrupted;

static void note_interrupt(int number)
{
	(void)number;
	interrupted = 1;
}

static bool person_read_line(const struct zs_person *person, char line[ZS_ANSWER_BYTES])
{
	int64_t end = zs_now_ms() + (int64_t)person->seconds * 1000;
	size_t len = 0;

	for (;;) {
		struct pollfd poll_fd = { .fd = person->fd, .events = POLLIN };
		int64_t left = end - zs_now_ms();
		char byte;
		ssize_t n;

		if (interrupted || left <= 0)
			return false;
		if (poll(&poll_fd, 1, left > 1000 ? 1000 : (int)left) <= 0)
			continue;
		n = read(person->fd, &byte, 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		if (byte == '\n')
			break;
		if (len < ZS_ANSWER_BYTES)
			line[len++] = byte ? byte : '?'; /* a NUL must not end an answer that goes on */
	}
	line[len < ZS_ANSWER_BYTES ? len : 0] = '\0';
	return true;
}

/* Restores a readable terminal: an earlier command may have set colours that hide text, or switched line editing
 * off. */
static bool person_prepare(struct zs_person *person)
{
	const struct sigaction ignore = { .sa_handler = SIG_IGN }, note = { .sa_handler = note_interrupt };
	const char *term = getenv("TERM");
	struct termios plain;

	if (tcgetattr(person->fd, &person->before) < 0)
		return false;
	/* With SIGTTIN ignored, a read in the background fails instead of stopping this process. */
	sigaction(SIGTTIN, &ignore, &person->in);
	sigaction(SIGTTOU, &ignore, &person->out_of);
	interrupted = 0;
	sigaction(SIGINT, &note, &person->interrupt);
	plain = person->before;
	plain.c_lflag |= ICANON | ECHO | ISIG;
	plain.c_iflag |= ICRNL;
	plain.c_oflag |= OPOST | ONLCR;
	tcsetattr(person->fd, TCSAFLUSH, &plain);
	/* A soft reset, DECSTR of the VT220: colours, character sets, margins. */
	if (term && strcmp(term, "dumb") != 0)
		fputs("\033[!p\033[0m", person->out);
	return true;
}

void zs_person_leave(struct zs_person *person)
{
	tcsetattr(person->fd, TCSAFLUSH, &person->before);
	sigaction(SIGINT, &person->interrupt, NULL);
	sigaction(SIGTTIN, &person->in, NULL);
	sigaction(SIGTTOU, &person->out_of, NULL);
	fclose(person->out);
	close(person->fd);
}

const char *zs_person_meet(struct zs_person *person, uint64_t seconds)
{
	person->seconds = seconds;
	person->fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (person->fd < 0)
		return "there is no terminal to ask at";
	person->out = tcgetpgrp(person->fd) == getpgrp() ? fdopen(dup(person->fd), "w") : NULL;
	if (person->out && person_prepare(person))
		return NULL;
	if (person->out)
		fclose(person->out);
	close(person->fd);
	return "zs runs in the background of this terminal, so it cannot ask";
}

bool zs_person_ask(const struct zs_person *person, const char *question, char line[ZS_ANSWER_BYTES])
{
	/* Discards what was typed before the question was shown: it is no answer. */
	tcflush(person->fd, TCIFLUSH);
	fputs(question, person->out);
	fflush(person->out);
	if (person_read_line(person, line))
		return true;
	fputs("\n", person->out);
	return false;
}

bool zs_person_agrees(const struct zs_person *person, const char *question)
{
	char line[ZS_ANSWER_BYTES];

	return zs_person_ask(person, question, line) && (strcmp(line, "y") == 0 || strcmp(line, "yes") == 0);
}
