/* Runs texts with the real bash in a jail where they can do no harm. The jail has its own user, mount, pid,
 * network, IPC and UTS namespaces, and limits on time, memory, files and processes. Its root is in memory and holds
 * only bash, its libraries, the marker program and /dev/null.
 *
 *	struct jail *jail = NULL;
 *	if (zs_jail_start(&options, &jail, error, sizeof error) == 0 && zs_jail_run(jail, "pwn", 3, &result) == 0 &&
 *		result.log_len)
 *		puts("it ran");
 *	zs_jail_stop(jail);
 */
#ifndef ZS_FUZZ_JAIL_H
#define ZS_FUZZ_JAIL_H

#include <stdbool.h>
#include <stddef.h>

/* Paths in the jail. */
#define ZS_JAIL_LOG_FOLDER "/.log"
#define ZS_JAIL_LOG ZS_JAIL_LOG_FOLDER "/ran"
#define ZS_JAIL_SCRATCH "/w"
#define ZS_JAIL_INPUT "/.input" /* standard input: lines that run a marker */
#define ZS_JAIL_BASH "/bin/bash"
#define ZS_JAIL_MARKER "/bin/pwn" /* and /bin/pwn0 … pwn9, which are links to it */
#define ZS_JAIL_SERVER "/.server.so"
#define ZS_JAIL_SOCKET 9 /* the server's end */

#define ZS_JAIL_TEXT_MAX 8191
#define ZS_JAIL_RECORD_MAX 2048
#define ZS_JAIL_LOG_MAX (32 * 1024)

/* Environment of the server; it removes both before bash sees them. */
#define ZS_JAIL_STAGE "ZS_JAIL_STAGE" /* the number of a stage */
#define ZS_JAIL_WALL "ZS_JAIL_WALL"   /* milliseconds */

enum jail_stage {
	ZS_JAIL_LATE,  /* each text runs in a fork of a bash that is ready */
	ZS_JAIL_EARLY, /* … that has not come to its main(): slower, but a fresh bash in every way */
	ZS_JAIL_PARSE, /* bash's parser reads the text, and nothing runs */
};

struct jail_options {
	const char *server; /* path of the preloaded library */
	const char *marker; /* path of the marker program */
	unsigned wall_ms;   /* a text that runs longer is killed */
	const char *bash;   /* NULL: the machine's; else a folder with a bash of Debian's and its libraries */
	enum jail_stage stage;
};

/* The server's answer; the log follows. */
struct jail_answer {
	bool timed_out, exited;
	int status;     /* as of waitpid(2) */
	char wrote[64]; /* a file that the text made in the working directory; "" if there is none */
};

struct jail_result {
	struct jail_answer answer;
	char log[ZS_JAIL_LOG_MAX]; /* records of record.h; in the stage "parse": the words of each simple command */
	size_t log_len;
};

struct jail;

/* Returns 0, or -1 with the problem in `error`. */
int zs_jail_start(const struct jail_options *options, struct jail **ret_jail, char *error, size_t error_size);
/* Returns 0, or -1: the jail broke down, so start another one. */
int zs_jail_run(struct jail *jail, const char *text, size_t len, struct jail_result *ret_result);
void zs_jail_stop(struct jail *jail);
/* Runs texts whose result is known. Returns 0, or -1 with the first text that had another result. */
int zs_jail_check(struct jail *jail, char *error, size_t error_size);
/* The same for the stage "parse". */
int zs_jail_check_parser(struct jail *jail, char *error, size_t error_size);

#endif
