/* The cost of starting a command, in one way or another: each way is a row, and the rows take turns.
 *
 *	bench-spawn rounds N ROW...        for each row: p50 ns, p99 ns, KB at the peak
 *	bench-spawn loops SECONDS ROW...   for each row: runs/s with one loop and with two
 *	bench-spawn worker ARGV...         a line in: runs ARGV once; a line out: how many ns it took, and of processors
 *	bench-spawn filter                 prints the default seccomp filter, as bwrap's --seccomp reads it
 *
 * A row is the words of a command up to a word ";". "@handle" first: by zs_spawn() and one sandbox for all its runs;
 * "@session": by zs_session_spawn() and one session for all the runs of a loop; "@lax", before one of these: by a
 * policy that gives up all that can be. "@box=ID": by zs_box_exec() in that box. "@asked": by another process, which
 * waits to be asked for it and does nothing else; no session can be quicker. "@3=FILE" first: FILE is open as
 * descriptor 3. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "linux/locks/seccomp_filter.h"
#include "zs_box.h"
#include "zs_shim.h"

extern char **environ;

enum { ROWS_MAX = 32 };

struct row {
	char **argv;
	const char *file;          /* to be descriptor 3 */
	struct zs_sandbox *handle; /* NULL: posix_spawn */
	bool in_session;
	struct zs_session *session; /* NULL until this process needs it */
	const char *box;            /* its ID */
	bool asked;
	int starter; /* the socket of who is asked; -1 until this process needs it */
};

struct rows {
	struct row items[ROWS_MAX];
	size_t count;
};

static _Noreturn void die(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vfprintf(stderr, format, list);
	va_end(list);
	fputc('\n', stderr);
	exit(1);
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static struct zs_sandbox *make_handle(bool lax)
{
	struct zs_policy *policy;
	struct zs_sandbox *sandbox;
	struct zs_error error;
	char cwd[PATH_MAX], line[1536];

	if (!getcwd(cwd, sizeof cwd))
		die("getcwd: %s", strerror(errno));
	if (zs_policy_default(cwd, environ, &policy, &error) == 0) {
		for (enum zs_promise promise = 0; lax && promise < ZS_PROMISE_COUNT; promise++)
			zs_policy_give_up(policy, promise, NULL);
		if (zs_sandbox_new(policy, &sandbox, &error) == 0) {
			zs_policy_free(policy);
			return sandbox;
		}
	}
	zs_error_format(&error, line, sizeof line);
	die("%s", line);
}

static void read_rows(char **words, struct rows *rows)
{
	while (*words) {
		struct row *row = &rows->items[rows->count++];

		if (rows->count > ROWS_MAX)
			die("more than %d rows", ROWS_MAX);
		for (bool lax = false; **words == '@'; words++) {
			row->in_session = strcmp(*words, "@session") == 0;
			if (row->in_session || strcmp(*words, "@handle") == 0)
				row->handle = make_handle(lax);
			else if (strncmp(*words, "@box=", 5) == 0)
				row->box = *words + 5;
			else if (strcmp(*words, "@asked") == 0)
				row->asked = true;
			else if (strcmp(*words, "@lax") == 0)
				lax = true;
			else if (strncmp(*words, "@3=", 3) == 0)
				row->file = *words + 3;
			else
				die("%s: no such kind of row", *words);
		}
		row->argv = words;
		while (*words && strcmp(*words, ";") != 0)
			words++;
		if (*words)
			*words++ = NULL;
		if (!row->argv[0])
			die("a row has no command");
	}
}

static pid_t start(const struct row *row);

static int wait_for(pid_t pid, struct rusage *ret_usage)
{
	int status;

	while (wait4(pid, &status, 0, ret_usage) < 0)
		if (errno != EINTR)
			die("wait4: %s", strerror(errno));
	return status;
}

/* A byte in: runs it; its status out. It ends with its caller. */
static int make_starter(const struct row *row)
{
	const struct row own = { .argv = row->argv, .starter = -1 };
	int sockets[2];
	pid_t pid;
	char byte;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) < 0 || (pid = fork()) < 0)
		die("starter: %s", strerror(errno));
	if (pid > 0) {
		close(sockets[1]);
		return sockets[0];
	}
	close(sockets[0]);
	while (read(sockets[1], &byte, 1) == 1) {
		struct rusage usage;
		int status = wait_for(start(&own), &usage);

		if (write(sockets[1], &status, sizeof status) != (ssize_t)sizeof status)
			break;
	}
	_exit(0);
}

/* Before the clock runs. */
static void prepare(struct row *row)
{
	struct zs_error error;

	row->session = NULL; /* a parent's is not ours */
	if (row->in_session && zs_session_open(row->handle, NULL, &row->session, &error) < 0)
		die("zs_session_open: %s: %s", error.object, strerror(error.cause));
	row->starter = row->asked ? make_starter(row) : -1;
}

static int ask(const struct row *row)
{
	int status;

	if (write(row->starter, "", 1) != 1 || read(row->starter, &status, sizeof status) != (ssize_t)sizeof status)
		die("the starter has gone");
	return status;
}

static int exec_in_box(const struct row *row)
{
	char *none[] = { NULL };
	const struct zs_box_command command = { .argv = row->argv, .envp = none, .cwd = "" };
	struct zs_box_result result;
	struct zs_error error;

	if (zs_box_exec(row->box, &command, &result, &error) < 0 || result.end != ZS_BOX_ENDED)
		die("zs_box_exec: %s: %s", error.step, strerror(error.cause));
	return result.status;
}

static pid_t start(const struct row *row)
{
	posix_spawn_file_actions_t actions;
	struct zs_error error;
	pid_t pid;
	int r;

	if (row->session) {
		if (zs_session_spawn(row->session, row->argv, environ, NULL, &pid, &error) < 0)
			die("zs_session_spawn: %s: %s", error.object, strerror(error.cause));
		return pid;
	}
	if (row->handle) {
		if (zs_spawn(row->handle, row->argv, environ, NULL, &pid, &error) < 0)
			die("zs_spawn: %s: %s", error.step, strerror(error.cause));
		return pid;
	}
	r = posix_spawn_file_actions_init(&actions);
	if (r == 0 && row->file)
		r = posix_spawn_file_actions_addopen(&actions, 3, row->file, O_RDONLY, 0);
	if (r == 0)
		r = posix_spawn(&pid, row->argv[0], &actions, NULL, row->argv, environ);
	if (r != 0)
		die("%s: %s", row->argv[0], strerror(r));
	posix_spawn_file_actions_destroy(&actions);
	return pid;
}

/* Runs it once. A run that failed has cost something else. ret_usage: of all its processes, but not of those of
 * another one that is asked, or of a box; may be NULL. */
static int64_t run_row(const struct row *row, struct rusage *ret_usage)
{
	int64_t begin = now_ns(), took;
	int status;

	if (row->box)
		status = exec_in_box(row);
	else
		status = row->asked ? ask(row) : wait_for(start(row), ret_usage);
	took = now_ns() - begin;
	if (status != 0)
		die("%s: status %#x", row->argv[0], (unsigned)status);
	return took;
}

static int compare_ns(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

static void run_rounds(struct rows *rows, size_t rounds)
{
	int64_t *times = calloc(rows->count * rounds, sizeof *times);
	long peaks[ROWS_MAX] = { 0 };

	if (!times || rounds == 0)
		die("no memory, or no rounds");
	for (size_t i = 0; i < rows->count; i++) {
		prepare(&rows->items[i]);
		run_row(&rows->items[i], NULL); /* into the caches */
	}
	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < rows->count; i++) {
			/* Not each time behind the same one: what a run leaves the kernel to do is paid by the next. */
			struct rusage usage = { 0 };
			size_t row = (i * (round % 2 ? rows->count - 1 : 1) + round) % rows->count;

			times[row * rounds + round] = run_row(&rows->items[row], &usage);
			if (usage.ru_maxrss > peaks[row])
				peaks[row] = usage.ru_maxrss;
		}
	for (size_t i = 0; i < rows->count; i++) {
		int64_t *own = times + i * rounds;

		qsort(own, rounds, sizeof *own, compare_ns);
		printf("%lld %lld %ld\n", (long long)own[rounds / 2], (long long)own[rounds * 99 / 100], peaks[i]);
	}
	free(times);
}

/* Runs/s of one loop. */
static double run_loop(struct row *row, int64_t ns)
{
	int64_t begin, now;
	size_t count = 0;

	prepare(row);
	begin = now_ns();
	do {
		run_row(row, NULL);
		count++;
		now = now_ns();
	} while (now - begin < ns);
	return (double)count * 1e9 / (double)(now - begin);
}

/* Runs as many loops together, each in a process of its own, for a while. */
static double measure_loops(struct row *row, unsigned loops, int64_t ns)
{
	double *rates = mmap(NULL, loops * sizeof *rates, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	double total = 0;

	if (rates == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	for (unsigned i = 0; i < loops; i++) {
		pid_t pid = fork();

		if (pid < 0)
			die("fork: %s", strerror(errno));
		if (pid > 0)
			continue;
		rates[i] = run_loop(row, ns);
		_exit(0);
	}
	for (unsigned i = 0; i < loops; i++) {
		int status;

		if (wait(&status) < 0 || status != 0)
			die("a loop has failed");
	}
	for (unsigned i = 0; i < loops; i++)
		total += rates[i];
	munmap(rates, loops * sizeof *rates);
	return total;
}

static int compare_rates(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static void run_loops(struct rows *rows, double seconds)
{
	enum { TURNS = 5 };
	static double rates[ROWS_MAX][2][TURNS];
	int64_t ns = (int64_t)(seconds * 1e9) / TURNS;

	for (size_t turn = 0; turn < TURNS; turn++)
		for (size_t i = 0; i < rows->count; i++)
			for (unsigned loops = 1; loops <= 2; loops++)
				rates[i][loops - 1][turn] = measure_loops(&rows->items[i], loops, ns);
	for (size_t i = 0; i < rows->count; i++) {
		for (unsigned loops = 0; loops < 2; loops++)
			qsort(rates[i][loops], TURNS, sizeof rates[i][loops][0], compare_rates);
		printf("%.0f %.0f\n", rates[i][0][TURNS / 2], rates[i][1][TURNS / 2]);
	}
}

static int64_t ns_of(struct timeval time)
{
	return (int64_t)time.tv_sec * 1000000000 + time.tv_usec * 1000;
}

static void work(char **argv)
{
	const struct row row = { .argv = argv };
	char line[16];

	while (fgets(line, sizeof line, stdin)) {
		struct rusage usage;
		int64_t took = run_row(&row, &usage);

		printf("%lld %lld\n", (long long)took, (long long)(ns_of(usage.ru_utime) + ns_of(usage.ru_stime)));
		fflush(stdout);
	}
}

static void print_filter(void)
{
	const struct zs_seccomp_options options = {
		.inet = true, .unix_sockets = true, .own_pids = true, .own_processes = true
	};
	struct sock_filter code[ZS_SECCOMP_FILTER_MAX];
#ifdef __aarch64__
	int count = zs_seccomp_filter(ZS_SECCOMP_AARCH64, &options, code, ZS_SECCOMP_FILTER_MAX);
#else
	int count = zs_seccomp_filter(ZS_SECCOMP_X86_64, &options, code, ZS_SECCOMP_FILTER_MAX);
#endif

	if (count < 0)
		die("filter: %s", strerror(-count));
	fwrite(code, sizeof *code, (size_t)count, stdout);
}

int main(int argc, char **argv)
{
	static struct rows rows;

	zs_exec_shim(argc, argv);
	if (argc == 2 && strcmp(argv[1], "filter") == 0) {
		print_filter();
	} else if (argc > 2 && strcmp(argv[1], "worker") == 0) {
		work(argv + 2);
	} else if (argc > 3 && strcmp(argv[1], "rounds") == 0) {
		read_rows(argv + 3, &rows);
		run_rounds(&rows, strtoul(argv[2], NULL, 10));
	} else if (argc > 3 && strcmp(argv[1], "loops") == 0) {
		read_rows(argv + 3, &rows);
		run_loops(&rows, strtod(argv[2], NULL));
	} else {
		die("usage: see spawn.c");
	}
	return 0;
}
