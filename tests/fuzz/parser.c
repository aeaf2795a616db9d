/* The stage "parse" of the server: bash reads texts and runs nothing. The commands that its parser makes are the
 * answer.
 *
 * bash's parser calls clean_simple_command() with each simple command when it is whole, also with one inside of `$(…)`,
 * `<(…)` and `${…}` (since 5.2). bash exports that function, for loadable builtins, but calls it directly. So this
 * writes a jump to parsed() over its first bytes, and puts them back for each call. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jail.h"
#include "server.h"

#define TEXTS_MAX 20000 /* of one process, since the parser leaks */
enum { DONE = 77, CLOSED = 78 };

/* The leading members of bash's own (command.h, 5.0 to 5.3). */
struct word {
	char *text;
};

struct words {
	struct words *next;
	struct word *word;
};

struct simple {
	int flags, line;
	struct words *words;
};

struct command {
	int type, flags, line;
	void *redirects;
	struct simple *simple; /* of a command of the type "simple" */
};

enum { SIMPLE = 4 };
enum { NO_HISTORY = 0x04, NOT_INTERACTIVE = 0x01 }; /* SEVAL_NOHIST, SEVAL_NONINT */

static struct {
	struct jail_answer answer;
	char log[ZS_JAIL_LOG_MAX];
} reply;
static size_t log_len;

static struct command *(*clean)(struct command *command);
static uint8_t original[12], jump[sizeof original] = { 0x48, 0xb8, [10] = 0xff, 0xe0 }; /* movabs $…,%rax; jmp *%rax */

/* Adds a record: its length, and the words. One that does not fit is left out. */
static void note(const struct words *words)
{
	size_t at = log_len + sizeof(uint32_t);
	uint32_t len;

	for (; words; words = words->next) {
		size_t size = strlen(words->word->text) + 1;

		if (at + size > sizeof reply.log)
			return;
		memcpy(reply.log + at, words->word->text, size);
		at += size;
	}
	len = (uint32_t)(at - log_len - sizeof len);
	if (!len)
		return;
	memcpy(reply.log + log_len, &len, sizeof len);
	log_len = at;
}

static struct command *parsed(struct command *command)
{
	void *code = *(void **)&clean;

	memcpy(code, original, sizeof original);
	command = clean(command);
	memcpy(code, jump, sizeof jump);
	if (command->type == SIMPLE)
		note(command->simple->words);
	return command;
}

static bool divert(void)
{
	struct command *(*to)(struct command *) = parsed;
	long page = sysconf(_SC_PAGESIZE);
	uintptr_t start;

	*(void **)&clean = dlsym(RTLD_DEFAULT, "clean_simple_command");
	if (!clean)
		return false;
	start = (uintptr_t)clean & ~(uintptr_t)(page - 1);
	if (mprotect((void *)start, 2 * (size_t)page, PROT_READ | PROT_WRITE | PROT_EXEC))
		return false;
	memcpy(original, *(void **)&clean, sizeof original);
	memcpy(jump + 2, &to, sizeof to);
	memcpy(*(void **)&clean, jump, sizeof jump);
	return true;
}

static _Noreturn void work(void)
{
	static char text[ZS_JAIL_TEXT_MAX + 1];
	int (*parse)(char *text, const char *from, int flags);
	int *only_parse = dlsym(RTLD_DEFAULT, "read_but_dont_execute");

	*(void **)&parse = dlsym(RTLD_DEFAULT, "parse_and_execute");
	if (!parse || !only_parse || !divert())
		_exit(CLOSED);
	for (int i = 0; i < TEXTS_MAX; i++) {
		ssize_t len = recv(ZS_JAIL_SOCKET, text, ZS_JAIL_TEXT_MAX, 0);

		if (len <= 0)
			_exit(CLOSED);
		text[len] = 0;
		log_len = 0;
		*only_parse = 1;
		reply.answer = (struct jail_answer){ .exited = true };
		reply.answer.status = parse(strdup(text), "fuzz", NO_HISTORY | NOT_INTERACTIVE);
		if (send(ZS_JAIL_SOCKET, &reply, sizeof reply.answer + log_len, 0) < 0)
			_exit(CLOSED);
		if (reply.answer.status) /* a syntax error leaves states behind that change how the next text is read */
			break;
	}
	_exit(DONE);
}

void zs_serve_parser(void)
{
	for (;;) {
		int status = 0;
		pid_t child = fork();

		if (!child)
			work();
		if (child < 0 || waitpid(child, &status, 0) < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == CLOSED))
			_exit(0);
		reply.answer = (struct jail_answer){ .status = status }; /* bash ended in the middle of a text */
		if (!(WIFEXITED(status) && WEXITSTATUS(status) == DONE) &&
			send(ZS_JAIL_SOCKET, &reply.answer, sizeof reply.answer, 0) < 0)
			_exit(0);
	}
}
