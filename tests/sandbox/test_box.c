/* Boxes of a host: zs_box.h. The command zs box has its tests in tests/e2e/test_box.py. */
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "harness.h"
#include "zs_box.h"
#include "zs_denials.h"

extern char **environ;

int example_main(int argc, char **argv);
#define main example_main
#include "../../examples/c/box.c"
#undef main

enum { KEPT = 64 * 1024 };

/* A command that a test has run. */
struct ended {
	int r;
	struct zs_box_result result;
	struct zs_error error;
	char out[KEPT + 1], err[KEPT + 1];
};

static char *line_of(const struct zs_error *error)
{
	static char line[1024];

	zs_error_format(error, line, sizeof line);
	return line;
}

static void take(struct zs_box_capture *capture, char text[KEPT + 1])
{
	memcpy(text, capture->bytes ? capture->bytes : "", capture->len);
	text[capture->len] = '\0';
	free(capture->bytes);
}

/* Runs a text in the box's shell, with the other fields of more. */
static struct ended *sh(const char *id, const char *text, struct zs_box_command more)
{
	static _Thread_local struct ended ended;
	char *words[] = { (char *)"sh", (char *)"-c", (char *)(uintptr_t)text, NULL };
	struct zs_box_capture captures[ZS_BOX_OUTPUTS] = { { .max = KEPT }, { .max = KEPT } };

	memset(&ended, 0, sizeof ended);
	more.argv = words;
	more.captures = captures;
	ended.r = zs_box_exec(id, &more, &ended.result, &ended.error);
	take(&captures[0], ended.out);
	take(&captures[1], ended.err);
	return &ended;
}

#define PLAIN ((struct zs_box_command){ 0 })

#define EXPECT_ENDED(call, code, text)                                                                                 \
	do {                                                                                                           \
		const struct ended *done = (call);                                                                     \
                                                                                                                       \
		EXPECT(done->r == 0 && done->result.end == ZS_BOX_ENDED && done->result.status == (code) &&            \
				strcmp(done->out, text) == 0,                                                          \
			"%d %d %d, '%s' '%s'", done->r, done->result.end, done->result.status, done->out, done->err);  \
	} while (0)

/* The policy and place of a test, in a process of its own. */
static struct zs_policy *begin(const struct scratch *scratch)
{
	struct zs_policy *policy = NULL;
	struct zs_error error;

	setenv("HOME", scratch->root, 1);
	setenv("XDG_RUNTIME_DIR", scratch_path(scratch, "runtime"), 1);
	if (mkdir(scratch_path(scratch, "runtime"), 0700) < 0 || chdir(scratch_path(scratch, "ws")) < 0 ||
		zs_policy_default(scratch_path(scratch, "ws"), environ, &policy, &error) < 0)
		_exit(HARNESS_FAILED);
	return policy;
}

static void as_each_user(int (*body)(void *arg))
{
	AS_EACH_USER (scratch) {
		struct result result;

		run_child(scratch.owner, body, &scratch, &result);
		CHECK(result.status == 0, "%d %s%s", result.status, result.out, result.err);
	}
}

static int open_descriptors(void)
{
	int count = 0;

	for (int fd = 0; fd < 1024; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

static int commands(const struct scratch *scratch, const char *id)
{
	char *const envp[] = { (char *)"NEW=x", NULL };
	struct ended *ended;

	EXPECT_ENDED(sh(id, "echo kept >/tmp/kept; echo err >&2; exit 7", PLAIN), 7, "");
	ended = sh(id, "cat /tmp/kept; pwd; echo $NEW", (struct zs_box_command){ .envp = envp, .cwd = "sub" });
	EXPECT(strstr(ended->out, "/ws/sub\nx\n") && strncmp(ended->out, "kept\n", 5) == 0, "%s\n", ended->out);
	EXPECT(access("/tmp/kept", F_OK) < 0 && errno == ENOENT, "/tmp is the machine's");
	ended = sh(id, "kill -9 $$", PLAIN);
	EXPECT_ENDED(ended, 137, "");
	EXPECT(ended->result.signal == 9, "%d", ended->result.signal);
	ended = sh(id, "echo begun; sleep 9", (struct zs_box_command){ .milliseconds = 500 });
	EXPECT(ended->r == 0 && ended->result.end == ZS_BOX_TIMED_OUT && strcmp(ended->out, "begun\n") == 0, "%d %s",
		ended->r, ended->out);
	ended = sh(id, "kill -9 $PPID; sleep 9", PLAIN);
	EXPECT(ended->r == 0 && ended->result.end == ZS_BOX_LOST && *ended->error.what, "%d %d", ended->r,
		ended->result.end);
	ended = sh(id, "echo ran", (struct zs_box_command){ .cwd = "/no/such" });
	EXPECT(ended->r < 0 && !*ended->out, "%d %s", ended->r, ended->out);
	EXPECT_ENDED(sh(id, "no-such-command", PLAIN), 127, "");
	EXPECT(zs_box_exec(id, &(struct zs_box_command){ .argv = (char *[]){ NULL } }, &ended->result, NULL) == -EINVAL,
		"no command");
	/* The walls. */
	EXPECT_ENDED(sh(id, "cat ../out/file 2>/dev/null || echo no", PLAIN), 0, "no\n");
	EXPECT(file_exists(scratch_path(scratch, "out/file")), "control");
	return 0;
}

static int copies(const struct scratch *scratch, const char *id)
{
	char text[32] = "";
	int ends[2], status = 9, file = open(scratch_path(scratch, "out/file"), O_RDONLY | O_CLOEXEC);
	struct zs_error error;

	EXPECT(file >= 0 && pipe2(ends, O_CLOEXEC) == 0, "preparing");
	EXPECT(zs_box_put(id, file, "/tmp/a/b", 0700, &status, &error) == 0 && status == 0, "%d %s", status,
		line_of(&error));
	EXPECT(fcntl(file, F_GETFD) >= 0, "the descriptor is the caller's");
	EXPECT_ENDED(sh(id, "stat -c %a /tmp/a/b; printf text >/tmp/a/b", PLAIN), 0, "700\n");
	EXPECT(zs_box_get(id, "/tmp/a/b", 4, ends[1], &status, &error) == 0 && status == 0, "%s", line_of(&error));
	EXPECT(read(ends[0], text, sizeof text) == 4 && strcmp(text, "text") == 0, "'%s'", text);
	EXPECT(zs_box_get(id, "/tmp/a/b", 3, ends[1], &status, &error) == 0 && status == 1 && error.cause == EFBIG,
		"%d %s", status, line_of(&error));
	EXPECT(zs_box_get(id, "/tmp/none", 3, ends[1], &status, &error) == 0 && status == 1 && error.cause == ENOENT,
		"%d %s", status, line_of(&error));
	EXPECT(strcmp(line_of(&error), "zs: get: /tmp/none: no such file or directory") == 0, "%s", line_of(&error));
	EXPECT(zs_box_put(id, file, "/usr/none", 0644, &status, &error) == 0 && status == 1 && error.cause > 0, "%s",
		line_of(&error));
	close(file);
	close(ends[0]);
	close(ends[1]);
	return 0;
}

/* A host's signals and descriptors are its own. */
static int leaves_the_host(const struct scratch *scratch, const char *id)
{
	sigset_t before, after;
	struct sigaction action;
	int large = open(scratch_path(scratch, "out/large"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	const int stdio[] = { large, STDOUT_FILENO, STDERR_FILENO };

	EXPECT(large >= 0 && ftruncate(large, 8 * 1024 * 1024) == 0, "preparing");
	sigprocmask(SIG_BLOCK, NULL, &before);
	/* The command ends while its input is written. */
	EXPECT_ENDED(sh(id, "exec <&-; sleep 0.2; exit 3", (struct zs_box_command){ .stdio = stdio }), 3, "");
	lseek(large, 0, SEEK_SET);
	EXPECT_ENDED(sh(id, "wc -c", (struct zs_box_command){ .stdio = stdio }), 0, "8388608\n");
	EXPECT(fcntl(large, F_GETFD) >= 0, "the descriptor is the caller's");
	close(large);
	sigprocmask(SIG_BLOCK, NULL, &after);
	EXPECT(sigismember(&after, SIGTERM) == 0 && sigismember(&after, SIGPIPE) == sigismember(&before, SIGPIPE) &&
			sigaction(SIGPIPE, NULL, &action) == 0 && action.sa_handler == SIG_DFL,
		"its signals");
	return 0;
}

static void *run_some(void *id)
{
	char text[32], want[16];

	for (int i = 0; i < 5; i++) {
		struct ended *ended;

		snprintf(text, sizeof text, "echo %d; exit %d", i, i);
		snprintf(want, sizeof want, "%d\n", i);
		ended = sh(id, text, PLAIN);
		if (ended->r < 0 || ended->result.status != i || strcmp(ended->out, want) != 0)
			return (void *)"failed";
	}
	return NULL;
}

static int of_several_threads(char *id)
{
	pthread_t threads[4];
	void *failed;

	for (int i = 0; i < 4; i++)
		EXPECT(pthread_create(&threads[i], NULL, run_some, id) == 0, "thread");
	for (int i = 0; i < 4; i++)
		EXPECT(pthread_join(threads[i], &failed) == 0 && !failed, "thread %d", i);
	return 0;
}

struct collected {
	struct zs_policy *policy;
	int channel, r, status;
	bool blind, found;
};

static void *collect(void *arg)
{
	struct collected *all = arg;
	struct zs_denials *denials = NULL;

	all->r = zs_denials_collect(all->policy, all->channel, &denials, &all->status, &all->blind, NULL);
	close(all->channel);
	for (size_t i = 0; denials && i < zs_denials_count(denials); i++)
		all->found = all->found || strstr(zs_denials_get(denials, i)->named, "/out/refused");
	zs_denials_free(denials);
	return NULL;
}

static int tells_what_is_refused(const struct scratch *scratch, const char *id)
{
	char text[128];
	struct collected all = { .status = -1 };
	pthread_t thread;
	int channel[2];

	snprintf(text, sizeof text, "mkdir %s 2>/dev/null || exit 4", scratch_path(scratch, "out/refused"));
	EXPECT(zs_box_policy(id, &all.policy, NULL) == 0 && zs_denials_channel(channel) == 0, "preparing");
	all.channel = channel[0];
	EXPECT(pthread_create(&thread, NULL, collect, &all) == 0, "thread");
	EXPECT_ENDED(sh(id, text, (struct zs_box_command){ .denials = channel[1] }), 4, "");
	EXPECT(pthread_join(thread, NULL) == 0 && all.r == 0 && all.status == 4, "%d %d", all.r, all.status);
	EXPECT(all.found || all.blind, "its refused call");
	zs_policy_free(all.policy);
	return 0;
}

struct list {
	int count;
	char id[ZS_BOX_ID_SIZE];
	int processes;
};

static void note(const struct zs_box_shown *shown, void *arg)
{
	struct list *list = arg;

	list->count++;
	list->processes = shown->processes;
	snprintf(list->id, sizeof list->id, "%s", shown->id);
}

static int shown(const char *id)
{
	struct list list = { 0 };
	struct zs_policy *policy;
	char *json;
	size_t len;

	EXPECT_ENDED(sh(id, "setsid sleep 99 >/dev/null 2>&1 & sleep 0.1", PLAIN), 0, "");
	EXPECT(zs_box_each(note, &list, NULL) == 0 && list.count == 1 && strcmp(list.id, id) == 0, "%d %s", list.count,
		list.id);
	/* An ordinary user's proc may hide the processes of zs, and then that of pid 1. */
	EXPECT(list.processes == (access("/proc/1", F_OK) == 0 ? 1 : -1), "%d processes", list.processes);
	EXPECT(zs_box_policy(id, &policy, NULL) == 0 && zs_policy_to_json(policy, false, &json, &len, NULL) == 0,
		"policy");
	EXPECT(strstr(json, "/ws\""), "%s", json);
	free(json);
	zs_policy_free(policy);
	return 0;
}

/* None of the descriptors that the library opens becomes the command's input. */
static int without_an_input(const char *id)
{
	int kept = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 100);
	struct ended *ended;

	EXPECT(kept >= 0 && close(STDIN_FILENO) == 0, "preparing");
	ended = sh(id, "cat; echo end", (struct zs_box_command){ .milliseconds = 5000 });
	EXPECT(dup2(kept, STDIN_FILENO) == STDIN_FILENO && close(kept) == 0, "preparing");
	EXPECT_ENDED(ended, 0, "end\n");
	return 0;
}

static int use(void *arg)
{
	const struct scratch *scratch = arg;
	AUTO_POLICY *policy = begin(scratch);
	const struct zs_box_options options = { .executable = scratch->prog };
	char id[ZS_BOX_ID_SIZE];
	struct zs_error error;
	int before = open_descriptors();

	EXPECT(zs_box_create(policy, &options, id, &error) == 0, "%s", line_of(&error));
	EXPECT(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "there is a child");
	if (shown(id) || commands(scratch, id) || copies(scratch, id) || leaves_the_host(scratch, id) ||
		of_several_threads(id) || tells_what_is_refused(scratch, id) || without_an_input(id))
		return 1;
	EXPECT(zs_box_cut(id, &error) == 0, "%s", line_of(&error));
	EXPECT_ENDED(sh(id, "echo lives", PLAIN), 0, "lives\n");
	EXPECT(zs_box_close(id, &error) == 0, "%s", line_of(&error));
	EXPECT(zs_box_close(id, &error) == -ENOENT && zs_box_cut(id, NULL) == -ENOENT, "%s", line_of(&error));
	EXPECT(sh(id, "true", PLAIN)->r == -ENOENT && zs_box_close("x", NULL) == -EINVAL, "no box");
	EXPECT(open_descriptors() == before, "%d descriptors, not %d", open_descriptors(), before);
	return 0;
}

TEST(box_of_a_host)
{
	as_each_user(use);
}

/* This program is the host and, by its constructor, the maker and the server, which a user may not be able to execute
 * where it lies. */
static int own_program(void *arg)
{
	AUTO_POLICY *policy = begin(arg);
	char id[ZS_BOX_ID_SIZE];
	struct zs_error error;

	EXPECT(zs_box_create(policy, NULL, id, &error) == 0, "%s", line_of(&error));
	EXPECT_ENDED(sh(id, "echo ran", PLAIN), 0, "ran\n");
	EXPECT(zs_box_close(id, &error) == 0, "%s", line_of(&error));
	return 0;
}

TEST(box_whose_server_is_the_host)
{
	OWN_SCRATCH(scratch);
	struct result result;

	run_child(geteuid(), own_program, &scratch, &result);
	CHECK(result.status == 0, "%d %s", result.status, result.err);
}

static int ends(void *arg)
{
	const struct scratch *scratch = arg;
	AUTO_POLICY *policy = begin(scratch);
	int ids[2], status;
	char id[ZS_BOX_ID_SIZE];
	pid_t owner;

	EXPECT(pipe2(ids, O_CLOEXEC) == 0, "preparing");
	owner = fork();
	if (owner == 0)
		_exit(zs_box_create(policy, &(struct zs_box_options){ .executable = scratch->prog }, id, NULL) < 0 ||
			sh(id, "exit 0", PLAIN)->r < 0 || write(ids[1], id, sizeof id) != sizeof id);
	EXPECT(waitpid(owner, &status, 0) == owner && status == 0 && read(ids[0], id, sizeof id) == sizeof id, "%x",
		status);
	for (int i = 0; i < 200 && zs_box_policy(id, &policy, NULL) == 0; i++)
		usleep(20 * 1000);
	EXPECT(zs_box_close(id, NULL) == -ENOENT, "it lives on");
	return 0;
}

TEST(box_ends_with_its_host)
{
	as_each_user(ends);
}

static int refused(void *arg)
{
	static const struct {
		const char *executable;
		int result;
	} rows[] = { { "/no/such/program", -ENOENT }, { "/bin/true", -EPROTO } };
	const struct scratch *scratch = arg;
	AUTO_POLICY *policy = begin(scratch);
	struct list list = { 0 };
	char id[ZS_BOX_ID_SIZE] = "as it was";
	struct zs_error error;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int r = zs_box_create(policy, &(struct zs_box_options){ .executable = rows[i].executable }, id, &error);

		EXPECT(r == rows[i].result, "%d %s", r, line_of(&error));
	}
	EXPECT(zs_box_create(policy, &(struct zs_box_options){ scratch->prog, "/no/such", 0 }, id, NULL) == -ENOENT,
		"a folder that is missing");
	EXPECT(zs_box_create(policy, &(struct zs_box_options){ scratch->prog, NULL, 4194304 }, id, &error) == -ESRCH &&
			strstr(line_of(&error), "zs: box: --owner: "),
		"%s", line_of(&error));
	/* Without namespaces the default policy cannot be enforced. */
	harness_be_in_docker(NULL);
	EXPECT(zs_box_create(policy, &(struct zs_box_options){ scratch->prog, NULL, 0 }, id, &error) == -ECANCELED,
		"%s", line_of(&error));
	EXPECT(strcmp(id, "as it was") == 0 && zs_box_each(note, &list, NULL) == 0 && list.count == 0, "%s %d", id,
		list.count);
	return 0;
}

TEST(box_that_cannot_be_made)
{
	as_each_user(refused);
}

static int example_in(void *arg)
{
	const struct scratch *scratch = arg;
	char *argv[] = { (char *)"box", (char *)(uintptr_t)scratch_path(scratch, "ws"), NULL };

	zs_policy_free(begin(scratch));
	return example_main(2, argv);
}

TEST(example_box)
{
	OWN_SCRATCH(scratch);
	struct result result;

	run_child(geteuid(), example_in, &scratch, &result);
	CHECK(result.status == 0 && strncmp(result.out, "echo kept >/tmp/kept: 0\n", 24) == 0 &&
			strstr(result.out, "cat /tmp/kept; exit 3: 3\nkept\n"),
		"%d %s%s", result.status, result.out, result.err);
}
