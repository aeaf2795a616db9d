/* Does the jail record all that it must, and confine the text? A broken jail would find nothing, and pass. */
#include "jail.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum end { SUCCEEDS, FAILS, TIMES_OUT };

static const struct row {
	const char *text;
	enum end end;
	const char *log; /* the marker's record; NULL: it does not run */
	bool wrote;
} rows[] = {
	{ "pwn1 a 'b c'", SUCCEEDS, "/bin/pwn1\0/w\0a\0b c\0", false },
	{ "exec -a x /bin/pwn", SUCCEEDS, "/bin/pwn\0/w\0", false },
	{ "cd /; pwn2", SUCCEEDS, "/bin/pwn2\0/\0", false },
	{ "read x; $x", SUCCEEDS, "/bin/pwn9\0/w\0", false }, /* standard input */
	{ "pwn3 &", SUCCEEDS, "/bin/pwn3\0/w\0", false }, { "echo pwn", SUCCEEDS, NULL, false },
	{ "pwn10", FAILS, NULL, false }, { "echo x > f", SUCCEEDS, NULL, true },
	{ "[ ! -e f ]", SUCCEEDS, NULL, false }, /* the run before has left nothing */
	{ "echo x > /bin/f", FAILS, NULL, false }, { "echo x > /f", FAILS, NULL, false },
	{ "[ -e /etc/passwd ]", FAILS, NULL, false }, { "[ -e /bin/sh ]", FAILS, NULL, false },
	{ "exec 3<>/dev/tcp/127.0.0.1/22", FAILS, NULL, false },
	{ "[ $UID$EUID = 6553465534 ]", SUCCEEDS, NULL, false },
	{ "[ -e /proc/1 -a ! -e /proc/self ]", FAILS, NULL, false },
	{ "echo 1 >&9", FAILS, NULL, false },   /* the server's socket */
	{ "kill -9 1", SUCCEEDS, NULL, false }, /* the server, which outlives this */
	{ "while :; do :; done", TIMES_OUT, NULL, false }, { "f() { f | f & f; }; f", TIMES_OUT, NULL, false },
	{ "pwn4", SUCCEEDS, "/bin/pwn4\0/w\0", false }, /* the server works as before */
};

/* Is the log one record with the words of `expected`? Each word ends in NUL; an empty word ends the list. */
static bool is_logged(const struct jail_result *result, const char *expected)
{
	uint32_t len;
	size_t at = sizeof len;

	if (!expected)
		return !result->log_len;
	if (result->log_len < sizeof len)
		return false;
	memcpy(&len, result->log, sizeof len);
	if (len + sizeof len != result->log_len)
		return false;
	for (; *expected; expected += strlen(expected) + 1) {
		if (at >= result->log_len || strcmp(expected, result->log + at))
			return false;
		at += strlen(result->log + at) + 1;
	}
	return at == result->log_len;
}

int zs_jail_check(struct jail *jail, char *error, size_t error_size)
{
	static struct jail_result result;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct row *row = &rows[i];
		const struct jail_answer *answer = &result.answer;
		enum end end;

		if (zs_jail_run(jail, row->text, strlen(row->text), &result)) {
			snprintf(error, error_size, "breaks down at: %s", row->text);
			return -1;
		}
		end = answer->timed_out ? TIMES_OUT : answer->exited && !answer->status ? SUCCEEDS : FAILS;
		if (end != row->end || !is_logged(&result, row->log) || (*answer->wrote != 0) != row->wrote) {
			snprintf(error, error_size, "%s: status %d%s, %zu bytes of log, wrote '%s'", row->text,
				answer->status, answer->timed_out ? ", timed out" : "", result.log_len, answer->wrote);
			return -1;
		}
	}
	return 0;
}

int zs_jail_check_parser(struct jail *jail, char *error, size_t error_size)
{
	static const struct row parsed[] = { { "pwn1 a >f $b", SUCCEEDS, "pwn1\0a\0$b\0", false },
		{ "f() { pwn2 'a'; }", SUCCEEDS, "pwn2\0'a'\0", false }, { "pwn3; if", FAILS, "pwn3\0", false },
		{ "exit 1", SUCCEEDS, "exit\0001\0", false }, { "# pwn", SUCCEEDS, NULL, false } };
	static struct jail_result result;

	for (size_t i = 0; i < sizeof parsed / sizeof *parsed; i++) {
		const struct row *row = &parsed[i];

		if (zs_jail_run(jail, row->text, strlen(row->text), &result) || !result.answer.exited ||
			!result.answer.status != (row->end == SUCCEEDS) || !is_logged(&result, row->log)) {
			snprintf(error, error_size, "bash's parser: %s: status %d, %zu bytes", row->text,
				result.answer.status, result.log_len);
			return -1;
		}
	}
	return 0;
}
