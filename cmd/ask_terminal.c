#include "ask_terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "message.h"

enum {
	LINE_MAX_BYTES = 64,   /* of an answer */
	TRIES = 3,             /* for a word that is an answer */
	COMMAND_COLUMNS = 400, /* what is shown of a word of the command */
	COMMAND_WORDS = 12,
};

struct terminal {
	int fd;
	FILE *out;
	struct termios before;
	struct sigaction interrupt, in, out_of;
	uint64_t seconds;
};

static volatile sig_atomic_t interrupted;

static void note_interrupt(int number)
{
	(void)number;
	interrupted = 1;
}

/* Text from elsewhere, between quotes that it cannot close. */
static void put_quoted(FILE *out, const char *text, size_t len)
{
	fputc('"', out);
	while (len > 0) {
		size_t plain = 0;

		while (plain < len && text[plain] != '"' && text[plain] != '\\')
			plain++;
		zs_put_text(out, text, plain);
		text += plain;
		len -= plain;
		if (len > 0) {
			fprintf(out, "\\%c", *text++);
			len--;
		}
	}
	fputc('"', out);
}

static void put_whole(FILE *out, const char *text)
{
	put_quoted(out, text, strlen(text));
}

static void put_command(FILE *out, const struct zs_request *request)
{
	fputs("\nzs: a command wants more than it is granted:\n ", out);
	for (size_t i = 0; request->argv && request->argv[i]; i++) {
		size_t len = strlen(request->argv[i]), fits = zs_fit_text(request->argv[i], len, COMMAND_COLUMNS);

		if (i == COMMAND_WORDS) {
			fputs(" …", out);
			break;
		}
		fputc(' ', out);
		put_quoted(out, request->argv[i], fits);
		if (fits < len)
			fputs("…", out);
	}
	if (request->folder) {
		fputs("\n  in ", out);
		put_whole(out, request->folder);
	}
	fputc('\n', out);
}

static void put_need(FILE *out, const struct zs_need *need)
{
	fprintf(out, "\n%s", zs_need_text(need->kind));
	if (need->granted) {
		fputs(":\n  asked for  ", out);
		put_whole(out, need->wanted);
		fputs(need->missing ? "\n             is not there; to make it, the nearest folder:\n  this is    "
				    : "\n  this is    ",
			out);
		put_whole(out, need->granted);
		if (need->kind == ZS_NEED_WRITE)
			fputs(need->folder ? ", and all below it" : ", this one file", out);
	}
	if (need->broad)
		fprintf(out, "\n  this is BROAD: %s", need->broad);
	fputc('\n', out);
}

/* In front of what denies: how to say yes beforehand. */
static void tell(const struct zs_terminal_asking *asking, const struct zs_need *need, const char *why)
{
	const char *option = zs_need_option(need->kind), *setting = zs_need_setting(need->kind);
	const char *value = need->granted ? need->granted : "";
	char by_option[ZS_POLICY_PATH_BYTES_MAX + 32] = "";

	if (option)
		snprintf(by_option, sizeof by_option, "%s%s%s, or ", option, *value ? " " : "", value);
	zs_complain("ask: %s%s%s: denied: %s; to grant it: %s\"%s\" of \"sandbox\" in %s", zs_need_name(need->kind),
		*value ? ": " : "", value, why, by_option, setting, asking->settings);
}

static void tell_all(struct zs_terminal_asking *asking, const struct zs_question *question,
	const enum zs_answer *answers, const char *why)
{
	for (size_t i = 0; i < question->count; i++)
		if (answers[i] == ZS_ANSWER_DENY)
			tell(asking, &question->needs[i], why);
	asking->denied = true;
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* One line; false: none comes. What is too long for an answer is read to its end, and is none. */
static bool read_line(const struct terminal *terminal, char line[LINE_MAX_BYTES])
{
	int64_t end = now_ms() + (int64_t)terminal->seconds * 1000;
	size_t len = 0;

	for (;;) {
		struct pollfd poll_fd = { .fd = terminal->fd, .events = POLLIN };
		int64_t left = end - now_ms();
		char byte;
		ssize_t n;

		if (interrupted || left <= 0)
			return false;
		if (poll(&poll_fd, 1, left > 1000 ? 1000 : (int)left) <= 0)
			continue;
		n = read(terminal->fd, &byte, 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		if (byte == '\n')
			break;
		if (len < LINE_MAX_BYTES)
			line[len++] = byte;
	}
	line[len < LINE_MAX_BYTES ? len : 0] = '\0';
	return true;
}

/* The first letter, or the word. */
static bool parse_answer(const char *line, bool session, enum zs_answer *ret_answer)
{
	for (enum zs_answer answer = ZS_ANSWER_DENY; answer < ZS_ANSWER_COUNT; answer++) {
		const char *name = zs_answer_name(answer);
		const char letter[] = { name[0], '\0' };

		if ((strcasecmp(line, letter) != 0 && strcasecmp(line, name) != 0) ||
			(answer == ZS_ANSWER_SESSION && !session))
			continue;
		*ret_answer = answer;
		return true;
	}
	*ret_answer = ZS_ANSWER_DENY;
	return *line == '\0';
}

static enum zs_answer ask_one(const struct terminal *terminal, const struct zs_need *need, bool session)
{
	enum zs_answer answer = ZS_ANSWER_DENY;
	char line[LINE_MAX_BYTES];

	put_need(terminal->out, need);
	for (int i = 0; i < TRIES; i++) {
		/* What was typed before the question was shown is no answer to it. */
		tcflush(terminal->fd, TCIFLUSH);
		fprintf(terminal->out, "[d]eny, [o]nce, %s[a]lways? ", session ? "for this [s]ession, " : "");
		fflush(terminal->out);
		if (!read_line(terminal, line)) {
			fputs("\n", terminal->out);
			return ZS_ANSWER_DENY;
		}
		if (parse_answer(line, session, &answer))
			return answer;
	}
	return ZS_ANSWER_DENY;
}

/* An earlier command may have left colours that hide text, or line editing off. */
static bool prepare(struct terminal *terminal)
{
	const struct sigaction ignore = { .sa_handler = SIG_IGN }, note = { .sa_handler = note_interrupt };
	const char *term = getenv("TERM");
	struct termios plain;

	if (tcgetattr(terminal->fd, &terminal->before) < 0)
		return false;
	/* In the background a read fails then, instead of stopping us. */
	sigaction(SIGTTIN, &ignore, &terminal->in);
	sigaction(SIGTTOU, &ignore, &terminal->out_of);
	interrupted = 0;
	sigaction(SIGINT, &note, &terminal->interrupt);
	plain = terminal->before;
	plain.c_lflag |= ICANON | ECHO | ISIG;
	plain.c_iflag |= ICRNL;
	plain.c_oflag |= OPOST | ONLCR;
	tcsetattr(terminal->fd, TCSAFLUSH, &plain);
	/* A soft reset, DECSTR of the VT220: colours, character sets, margins. */
	if (term && strcmp(term, "dumb") != 0)
		fputs("\033[!p\033[0m", terminal->out);
	return true;
}

static void restore(const struct terminal *terminal)
{
	tcsetattr(terminal->fd, TCSAFLUSH, &terminal->before);
	sigaction(SIGINT, &terminal->interrupt, NULL);
	sigaction(SIGTTIN, &terminal->in, NULL);
	sigaction(SIGTTOU, &terminal->out_of, NULL);
}

/* NULL: it can be asked at. */
static const char *open_terminal(struct terminal *terminal)
{
	terminal->fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (terminal->fd < 0)
		return "there is no terminal to ask at";
	terminal->out = tcgetpgrp(terminal->fd) == getpgrp() ? fdopen(dup(terminal->fd), "w") : NULL;
	if (terminal->out && prepare(terminal))
		return NULL;
	if (terminal->out)
		fclose(terminal->out);
	close(terminal->fd);
	return "zs runs in the background of its terminal";
}

int zs_ask_terminal(const struct zs_question *question, enum zs_answer *answers, void *data, struct zs_error *error)
{
	struct zs_terminal_asking *asking = data;
	struct terminal terminal = { .seconds = asking->seconds };
	const char *why = open_terminal(&terminal);
	bool denied = false;

	(void)error;
	if (why) {
		tell_all(asking, question, answers, why);
		return 0;
	}
	put_command(terminal.out, question->request);
	for (size_t i = 0; i < question->count && !denied; i++) {
		answers[i] = ask_one(&terminal, &question->needs[i], question->session);
		denied = answers[i] == ZS_ANSWER_DENY;
	}
	restore(&terminal);
	fclose(terminal.out);
	close(terminal.fd);
	if (denied)
		tell_all(asking, question, answers, "not approved");
	return 0;
}
