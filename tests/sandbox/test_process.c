/* The state of a confined command: its privileges, descriptors, environment and network, and which processes it can
 * reach. */
#include <limits.h>
#include <linux/keyctl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "attacks.h"
#include "harness.h"

TEST(privileges)
{
	static const struct {
		const char *attack;
		bool as_root_only; /* an ordinary user has none of it, even unconfined */
		int confined;
	} rows[] = {
		{ "capabilities", true, EPERM },
		{ "bounding_set", false, EPERM },
		{ "securebits", false, EPERM },
		{ "new_privs", false, EPERM },
		{ "user_namespace_mount", false, EPERM },
	};

	AS_EACH_USER (scratch) {
		for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
			struct result result;

			if (!rows[i].as_root_only || scratch.owner == 0)
				CHECK(run_attack(scratch.owner, &scratch, ATTACK_FREE, rows[i].attack, "", "",
					      &result) == 0,
					"%s fails even free: %d", rows[i].attack, result.status);
			for (int network = 0; network < ZS_NETWORK_COUNT; network++) {
				if (network == ZS_NETWORK_HOSTS && harness_has_session())
					continue; /* a run without a proxy */
				run_attack(scratch.owner, &scratch, network, rows[i].attack, "", "", &result);
				CHECK(result.status == rows[i].confined, "%s: %d %s", rows[i].attack, result.status,
					result.err);
			}
		}
	}
}

TEST(setuid_program_gains_nothing)
{
	struct scratch scratch;
	struct result result;

	if (geteuid() != 0) {
		check_skip("needs root: only root can make a program that is setuid root");
		return;
	}
	scratch_make(&scratch, 0);
	chmod(scratch.prog, 04755);
	CHECK(run_attack(NOBODY, &scratch, ATTACK_FREE, "setuid", scratch.prog, "", &result) == 0,
		"no root even free (nosuid?): %d", result.status);
	CHECK(run_attack(NOBODY, &scratch, ZS_NETWORK_NONE, "setuid", scratch.prog, "", &result) == EPERM, "%d %s",
		result.status, result.err);
	scratch_remove(&scratch);
}

/* Objects that one process leaves for others of its uid: IPC objects and keys. The body makes them as that uid, since
 * the kernel checks the uid; "%d" in an argument is the object's id. */

struct object {
	const char *attack, *a, *b;
	long (*make)(void);
	const struct scratch *scratch;
	int network;
};

static long make_shared_memory(void)
{
	return shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
}

static long make_message_queue(void)
{
	return msgget(IPC_PRIVATE, IPC_CREAT | 0600);
}

static long make_posix_queue(void)
{
	return syscall(SYS_mq_open, "zs-test", O_CREAT | O_RDWR, 0600, NULL);
}

static long make_session_key(void)
{
	syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL);
	return syscall(SYS_add_key, "user", "zs-test", "secret", 6, KEY_SPEC_SESSION_KEYRING);
}

static long make_user_key(void)
{
	long key = syscall(SYS_add_key, "user", "zs-test", "secret", 6, KEY_SPEC_USER_KEYRING);

	/* Links it into the session's keyring as well, as pam_keyinit(8) does at a login. */
	syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL);
	syscall(SYS_keyctl, KEYCTL_LINK, KEY_SPEC_USER_KEYRING, KEY_SPEC_SESSION_KEYRING);
	return key;
}

static int attack_object(void *arg)
{
	const struct object *object = arg;
	struct result result;
	char a[64];
	long number = object->make();

	if (number < 0) {
		perror(object->attack);
		return HARNESS_FAILED;
	}
	snprintf(a, sizeof a, object->a, number);
	run_attack(geteuid(), object->scratch, object->network, object->attack, a, object->b, &result);
	printf("%s%s", result.out, result.err);
	shmctl((int)number, IPC_RMID, NULL);
	msgctl((int)number, IPC_RMID, NULL);
	syscall(SYS_mq_unlink, "zs-test");
	syscall(SYS_keyctl, KEYCTL_INVALIDATE, number);
	return result.status;
}

TEST(ipc_and_keys_of_others)
{
	static const struct object rows[] = {
		{ "shared_memory", "%ld", "", make_shared_memory, NULL, 0 },
		{ "message_queue", "%ld", "", make_message_queue, NULL, 0 },
		{ "posix_queue", "/zs-test", "", make_posix_queue, NULL, 0 },
		{ "key", "-3", "zs-test", make_session_key, NULL, 0 },
		{ "key_by_number", "%ld", "", make_session_key, NULL, 0 },
		{ "request_key", "zs-test", "", make_session_key, NULL, 0 },
		{ "key", "-4", "zs-test", make_user_key, NULL, 0 },
		{ "key", "-5", "zs-test", make_user_key, NULL, 0 },
		{ "key_by_number", "%ld", "", make_user_key, NULL, 0 },
		{ "request_key", "zs-test", "", make_user_key, NULL, 0 },
	};
	static const int networks[] = { ZS_NETWORK_NONE, ZS_NETWORK_FULL };
	struct result result;

	AS_EACH_USER (scratch) {
		for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
			struct object object = rows[i];

			object.scratch = &scratch;
			object.network = ATTACK_FREE;
			run_child(scratch.owner, attack_object, &object, &result);
			CHECK(result.status == 0 || strcmp(object.a, "-5") == 0, "%s %s, free: %d %s", object.attack,
				object.a, result.status, result.err);
			for (size_t n = 0; n < 2; n++) {
				object.network = networks[n];
				run_child(scratch.owner, attack_object, &object, &result);
				CHECK(result.status > 0 && (result.status < 98 || result.status == ENOKEY),
					"%s %s of %zu: %d %s %s", object.attack, object.a, i, result.status, result.out,
					result.err);
			}
		}
	}
}

TEST(descriptors)
{
	static const int numbers[] = { 3, 10, 63, 200, 1023 };
	OWN_SCRATCH(scratch);
	struct result result;
	char text[16];

	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
		int saved = fcntl(numbers[i], F_DUPFD_CLOEXEC, 1024);
		int fd = open("/", O_RDONLY | O_DIRECTORY); /* without close-on-exec, as a careless host does */

		dup2(fd, numbers[i]);
		snprintf(text, sizeof text, "%d", numbers[i]);
		CHECK(run_attack(geteuid(), &scratch, ATTACK_FREE, "descriptor", text, "", &result) == 0,
			"%s: not even free: %d", text, result.status);
		CHECK(run_attack(geteuid(), &scratch, ZS_NETWORK_NONE, "descriptor", text, "", &result) == EBADF,
			"%s: %d %s", text, result.status, result.err);
		close(numbers[i]);
		if (saved >= 0) {
			dup2(saved, numbers[i]);
			close(saved);
		}
		if (fd != numbers[i])
			close(fd);
	}
	for (int fd = 0; fd < 3; fd++) {
		snprintf(text, sizeof text, "%d", fd);
		CHECK(run_attack(geteuid(), &scratch, ZS_NETWORK_NONE, "descriptor", text, "", &result) == 0, "%s: %d",
			text, result.status);
	}
}

static void build_env(struct zs_policy *policy, const void *arg)
{
	grant_prog(policy, arg);
	zs_policy_add_env(policy, ATTACK_ENV, NULL);
	zs_policy_add_env(policy, "KEEP_*", NULL);
	zs_policy_add_env(policy, "LD*", NULL);
	zs_policy_set_env(policy, "SET=here", NULL);
}

TEST(environment_arrives)
{
	char *envp[] = { (char *)ATTACK_ENV "=print_env", (char *)"KEEP_A=1", (char *)"AWS_SECRET_ACCESS_KEY=x",
		(char *)"LD_PRELOAD=/none", (char *)"SET=old", (char *)ZS_SHIM_POLICY "={}", (char *)"HOME=/x", NULL };
	OWN_SCRATCH(scratch);
	struct result result;

	run_confined(geteuid(), build_env, &scratch, (char *[]){ scratch.prog, NULL }, envp, &result);
	CHECK(result.status == 0, "%d %s", result.status, result.err);
	CHECK(strcmp(result.out,
		      "SET=here\nTMPDIR=/tmp\nTMP=/tmp\nTEMP=/tmp\nZS_SANDBOX=1\nZS_SANDBOX_NETWORK=none\n"
		      "npm_config_fetch_retries=0\nPIP_RETRIES=0\nCARGO_NET_RETRY=0\nUV_HTTP_RETRIES=0\n" ATTACK_ENV
		      "=print_env\nKEEP_A=1\n") == 0,
		"%s", result.out);
}

/* Pid 1 is zs's init. If the command were pid 1, it would ignore the signals that end other processes. */
TEST(command_is_the_second_process_of_its_namespace)
{
	OWN_SCRATCH(scratch);
	struct result result;

	run_attack(geteuid(), &scratch, ZS_NETWORK_NONE, "pid", "", "", &result);
	CHECK(result.pid > 0 && atoi(result.out) == 2, "%s, not 2", result.out);
}

static void build_exit(struct zs_policy *policy, const void *arg)
{
	zs_policy_add_path(policy, "/usr", ZS_ACCESS_EXEC, NULL);
	zs_policy_add_path(policy, "/bin", ZS_ACCESS_EXEC, NULL);
	zs_policy_add_path(policy, "/lib", ZS_ACCESS_EXEC, NULL);
	zs_policy_add_path(policy, "/lib64", ZS_ACCESS_EXEC, NULL);
	zs_policy_add_path(policy, scratch_path(arg, "ws"), ZS_ACCESS_WRITE, NULL);
	zs_policy_add_path(policy, scratch_path(arg, "ro"), ZS_ACCESS_READ, NULL);
	zs_policy_add_env(policy, "PATH", NULL);
}

/* Writes a program for another machine, with a command in its bytes that sh would run. */
static void write_binary(const char *path)
{
	static const char bytes[] = "\x7f"
				    "BIN\0\0\nexit 3\n";
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);

	CHECK(write(fd, bytes, sizeof bytes - 1) == sizeof bytes - 1, "write");
	close(fd);
}

TEST(exit_codes)
{
	char cwd[PATH_MAX];
	OWN_SCRATCH(scratch);
	char path[256], script[256], plain[256], denied[256], folder[256], missing[256], bad[256], binary[256],
		long_name[400];
	const struct {
		const char *argv[4];
		int status;
		const char *err;
	} rows[] = {
		{ { "true" }, 0, "" },
		{ { "sh", "-c", "exit 7" }, 7, "" },
		{ { "sh", "-c", "exit 125" }, 125, "" },
		{ { "sh", "-c", "kill -TERM $$" }, 128 + SIGTERM, "" },
		{ { "no-such-command" }, 127, "zs: exec: no-such-command: " },
		{ { "" }, 127, "zs: exec: " },
		{ { missing }, 127, "zs: exec: " },
		{ { plain }, 126, "zs: exec: " },
		{ { denied }, 126, "grant it with access 'exec'" },
		{ { folder }, 126, "zs: exec: " },
		{ { bad }, 127, "zs: exec: " },
		{ { script }, 3, "" },
		{ { "in-path" }, 3, "" },
		{ { "-dash" }, 3, "" }, /* in PATH's ".", and no option of sh's */
		{ { long_name }, 127, "zs: exec: " },
		{ { binary }, 126, "zs: exec: " },
	};

	snprintf(path, sizeof path, "PATH=-d:%s:/usr/bin:/bin", scratch_path(&scratch, "ws"));
	snprintf(binary, sizeof binary, "%s", scratch_path(&scratch, "ws/binary"));
	memset(long_name, 'x', sizeof long_name - 1);
	long_name[sizeof long_name - 1] = '\0';
	make_folder(scratch_path(&scratch, "ws/-d"));
	write_text(scratch_path(&scratch, "ws/-d/-dash"), "exit 3\n");
	chmod(scratch_path(&scratch, "ws/-d/-dash"), 0755);
	write_binary(binary);
	snprintf(script, sizeof script, "%s", scratch_path(&scratch, "ws/script"));
	snprintf(plain, sizeof plain, "%s", scratch_path(&scratch, "ws/file"));
	snprintf(denied, sizeof denied, "%s", scratch_path(&scratch, "ro/prog"));
	snprintf(folder, sizeof folder, "%s", scratch_path(&scratch, "ws/sub"));
	snprintf(missing, sizeof missing, "%s", scratch_path(&scratch, "ws/none"));
	snprintf(bad, sizeof bad, "%s", scratch_path(&scratch, "ws/bad"));
	write_text(script, "exit 3\n"); /* no "#!": POSIX has sh run it */
	chmod(script, 0755);
	write_text(scratch_path(&scratch, "ws/in-path"), "#!/bin/sh\nexit 3\n");
	chmod(scratch_path(&scratch, "ws/in-path"), 0755);
	write_text(bad, "#!/no/such/interpreter\n");
	chmod(bad, 0755);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char *envp[] = { path, NULL };
		struct result result;

		CHECK(getcwd(cwd, sizeof cwd) && chdir(scratch_path(&scratch, "ws")) == 0, "chdir");
		run_confined(geteuid(), build_exit, &scratch, (char *const *)(const void *)rows[i].argv, envp, &result);
		CHECK(chdir(cwd) == 0, "back");
		CHECK(result.status == rows[i].status, "%s: %d, not %d: %s", rows[i].argv[0], result.status,
			rows[i].status, result.err);
		CHECK(*rows[i].err ? strstr(result.err, rows[i].err) != NULL : !*result.err, "%s: %s", rows[i].argv[0],
			result.err);
	}
}

static int spawn_with_options(void *arg)
{
	const struct scratch *scratch = arg;
	int pipes[2], status;
	struct zs_spawn_options options = { .cwd = scratch_path(scratch, "ws") };
	char *argv[] = { (char *)"sh", (char *)"-c", (char *)"pwd; echo error >&2; kill -USR1 $$; exit 1", NULL };
	char *envp[] = { (char *)"PATH=/usr/bin:/bin", NULL };
	struct zs_policy *policy;
	struct zs_sandbox *sandbox;
	struct zs_error error;
	sigset_t blocked;
	char got[256];
	ssize_t len;
	pid_t pid;

	if (pipe(pipes) < 0 || zs_policy_new(NULL, &policy) < 0)
		return HARNESS_FAILED;
	build_exit(policy, scratch);
	if (zs_sandbox_new(policy, &sandbox, &error) < 0)
		return HARNESS_FAILED;
	/* A host's own signal mask and dispositions must not become the command's. */
	sigfillset(&blocked);
	sigprocmask(SIG_SETMASK, &blocked, NULL);
	signal(SIGUSR1, SIG_IGN);
	/* exchanges stdin and stdout, and joins stderr with stdout */
	options.stdio = (const int[]){ pipes[0], pipes[1], pipes[1] };
	if (harness_spawn(sandbox, argv, envp, &options, &pid, &error) < 0)
		return HARNESS_FAILED;
	close(pipes[1]);
	len = 0;
	for (ssize_t n; (n = read(pipes[0], got + len, sizeof got - 1 - (size_t)len)) > 0;)
		len += n;
	got[len] = '\0';
	printf("%s", got);
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

TEST(spawn_options)
{
	OWN_SCRATCH(scratch);
	struct result result;
	char want[300];

	run_child(geteuid(), spawn_with_options, &scratch, &result);
	snprintf(want, sizeof want, "%s\nerror\n", scratch_path(&scratch, "ws"));
	CHECK(strcmp(result.out, want) == 0, "%s", result.out);
	CHECK(result.status == 128 + SIGUSR1, "%d", result.status);
}

/* With few descriptors, and the sources at the upper end of them: prints what the command wrote, then the objects of
 * the errors. */
static int spawn_with_few_descriptors(void *arg)
{
	const struct scratch *scratch = arg;
	struct rlimit few = { 64, 64 };
	int high[3], pipes[2], status;
	struct zs_spawn_options options = { .stdio = high };
	char *argv[] = { (char *)"/bin/sh", (char *)"-c", (char *)"cat; echo error >&2", NULL }, *envp[] = { NULL };
	struct zs_policy *policy;
	struct zs_sandbox *sandbox;
	struct zs_error error = { 0 };
	char got[64] = "";
	pid_t pid;

	if (pipe(pipes) < 0 || zs_policy_new(NULL, &policy) < 0)
		return HARNESS_FAILED;
	build_exit(policy, scratch);
	if (zs_sandbox_new(policy, &sandbox, &error) < 0 || setrlimit(RLIMIT_NOFILE, &few) < 0)
		return HARNESS_FAILED;
	high[0] = dup2(open("/dev/null", O_RDONLY), 61);
	high[1] = dup2(pipes[1], 62);
	high[2] = dup2(pipes[1], 63);
	if (zs_spawn(sandbox, argv, envp, &options, &pid, &error) < 0) {
		printf("%s: %s\n", error.object, strerror(error.cause));
		return 1;
	}
	waitpid(pid, &status, 0);
	if (read(pipes[0], got, sizeof got - 1) < 0 || fcntl(61, F_GETFD) < 0 || fcntl(3, F_GETFD) < 0)
		return 2;
	printf("%s", got);
	options.cwd = "/";
	high[1] = 40;
	printf("%d %s\n", zs_spawn(sandbox, argv, envp, &options, &pid, &error) == -EBADF, error.object);
	options = (struct zs_spawn_options){ .cwd = "/", .executable = "/no/such/helper" };
	printf("%d %s\n", zs_spawn(sandbox, argv, envp, &options, &pid, &error) == -ENOENT, error.object);
	options = (struct zs_spawn_options){ .cwd = "/no/such/folder" };
	printf("%d %s\n", zs_spawn(sandbox, argv, envp, &options, &pid, &error) == -ENOENT, error.object);
	return 0;
}

TEST(spawn_with_few_descriptors_and_its_errors)
{
	OWN_SCRATCH(scratch);
	struct result result;

	run_child(geteuid(), spawn_with_few_descriptors, &scratch, &result);
	CHECK(result.status == 0 &&
			strcmp(result.out, "error\n1 stdio[1]\n1 /no/such/helper\n1 /no/such/folder\n") == 0,
		"%d %s %s", result.status, result.out, result.err);
}
