#include "harness.h"
#include "zs_denials.h"

#include <ftw.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "attacks.h"

const char *scratch_path(const struct scratch *scratch, const char *name)
{
	static char buffers[8][512];
	static unsigned next;
	char *buffer = buffers[next++ % 8];

	snprintf(buffer, sizeof buffers[0], "%s/%s", scratch->root, name);
	return buffer;
}

bool file_exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

bool file_holds(const char *path, const char *text)
{
	char have[256] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? -1 : read(fd, have, sizeof have - 1);

	if (fd >= 0)
		close(fd);
	return len >= 0 && strcmp(have, text) == 0;
}

void write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text)) {
		perror(path);
		exit(HARNESS_FAILED);
	}
	close(fd);
}

void make_folder(const char *path)
{
	if (mkdir(path, 0755) < 0 && errno != EEXIST) {
		perror(path);
		exit(HARNESS_FAILED);
	}
}

static void copy_self(const char *to)
{
	int in = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
	static char buffer[1 << 16];
	ssize_t len;

	while ((len = read(in, buffer, sizeof buffer)) > 0)
		if (write(out, buffer, (size_t)len) != len)
			break;
	if (in < 0 || out < 0 || len != 0) {
		perror(to);
		exit(HARNESS_FAILED);
	}
	close(in);
	close(out);
}

static int set_owner(const char *path, uid_t owner)
{
	return lchown(path, owner, owner);
}

void scratch_make(struct scratch *scratch, uid_t owner)
{
	static const char *const folders[] = { "ws", "ro", "bin", "out" };

	snprintf(scratch->root, sizeof scratch->root, "/tmp/zs-test-XXXXXX");
	if (!mkdtemp(scratch->root) || chmod(scratch->root, 0755) < 0) {
		perror(scratch->root);
		exit(HARNESS_FAILED);
	}
	scratch->owner = owner;
	snprintf(scratch->prog, sizeof scratch->prog, "%s/bin/prog", scratch->root);
	for (size_t i = 0; i < 4; i++) {
		char name[32];

		make_folder(scratch_path(scratch, folders[i]));
		snprintf(name, sizeof name, "%s/sub", folders[i]);
		make_folder(scratch_path(scratch, name));
		set_owner(scratch_path(scratch, name), owner);
		snprintf(name, sizeof name, "%s/file", folders[i]);
		write_text(scratch_path(scratch, name), "old");
		set_owner(scratch_path(scratch, name), owner);
		set_owner(scratch_path(scratch, folders[i]), owner);
	}
	copy_self(scratch->prog);
	set_owner(scratch->prog, owner);
	for (size_t i = 0; i < 4; i++) {
		char name[32];

		snprintf(name, sizeof name, "%s/prog", folders[i]);
		if (link(scratch->prog, scratch_path(scratch, name)) < 0 && errno != EEXIST)
			perror(name);
	}
	if (symlink("../out/file", scratch_path(scratch, "ws/link")) < 0)
		perror("ws/link");
	set_owner(scratch->root, owner);
}

void scratch_copy_prog(const struct scratch *scratch, const char *name)
{
	copy_self(scratch_path(scratch, name));
	set_owner(scratch_path(scratch, name), scratch->owner);
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	remove(path);
	return 0;
}

void scratch_remove(const struct scratch *scratch)
{
	nftw(scratch->root, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

struct scratch scratch_own(void)
{
	struct scratch scratch;

	scratch_make(&scratch, geteuid());
	return scratch;
}

void scratch_end(struct scratch *scratch)
{
	scratch_remove(scratch);
}

void policy_end(struct zs_policy **policy)
{
	zs_policy_free(*policy);
}

struct zs_policy *policy_own(void)
{
	struct zs_policy *policy = NULL;

	CHECK(zs_policy_new(NULL, &policy) == 0, "no policy");
	return policy;
}

bool scratch_next(struct scratch *scratch)
{
	uid_t users[2];
	size_t count = test_users(users), next = 0;

	if (*scratch->root) {
		scratch_remove(scratch);
		while (users[next++] != scratch->owner) {
		}
	}
	check_context("%s", "");
	if (next == count)
		return false;
	scratch_make(scratch, users[next]);
	check_context("uid %u", users[next]);
	return true;
}

/* The users are the same whether the tests run as root, as in CI, or as an ordinary user. */
size_t test_users(uid_t ret_users[2])
{
	ret_users[0] = geteuid();
	ret_users[1] = NOBODY;
	return geteuid() == 0 ? 2 : 1;
}

static void become(uid_t uid)
{
	if (uid == geteuid())
		return;
	if (setgroups(0, NULL) < 0 || setresgid(uid, uid, uid) < 0 || setresuid(uid, uid, uid) < 0) {
		perror("setresuid");
		_exit(HARNESS_FAILED);
	}
	/* As a program that this user has started: until then /proc shows it as root's (man 5 proc, "dumpable"). */
	prctl(PR_SET_DUMPABLE, 1);
}

static void collect(int fd, char *text, size_t size)
{
	ssize_t len = pread(fd, text, size - 1, 0);

	text[len < 0 ? 0 : len] = '\0';
	close(fd);
}

void run_child(uid_t uid, int (*body)(void *arg), void *arg, struct result *result)
{
	int out = memfd_create("out", MFD_CLOEXEC), err = memfd_create("err", MFD_CLOEXEC);
	pid_t pid;
	int status;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		dup2(out, 1);
		dup2(err, 2);
		become(uid);
		status = body(arg);
		fflush(stdout);
		_exit(status);
	}
	*result = (struct result){ .status = -1, .pid = pid };
	if (pid > 0 && waitpid(pid, &status, 0) == pid)
		result->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	collect(out, result->out, sizeof result->out);
	collect(err, result->err, sizeof result->err);
}

bool harness_has_session(void)
{
	return getenv(HARNESS_SESSION_ENV) != NULL || harness_has_denials();
}

bool harness_has_denials(void)
{
	return getenv(HARNESS_DENIALS_ENV) != NULL;
}

int harness_channel(void)
{
	int ends[2];

	if (!harness_has_denials() || zs_denials_channel(ends) < 0)
		return 0;
	close(ends[0]);
	return ends[1];
}

int harness_spawn(const struct zs_sandbox *sandbox, char *const argv[], char *const envp[],
	const struct zs_spawn_options *options, pid_t *ret_pid, struct zs_error *error)
{
	const struct zs_session_options with = { .denials = harness_has_denials() };
	struct zs_spawn_options told = options ? *options : (struct zs_spawn_options){ 0 };
	struct zs_session *session;
	int r;

	if (!harness_has_session())
		return zs_spawn(sandbox, argv, envp, options, ret_pid, error);
	/* The session ends with this process. */
	r = zs_session_open(sandbox, &with, &session, error);
	if (r < 0)
		return r;
	told.denials = harness_channel();
	r = zs_session_spawn(session, argv, envp, &told, ret_pid, error);
	if (told.denials)
		close(told.denials);
	return r;
}

void harness_be_in_docker(const void *arg)
{
	const unsigned namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |
				    CLONE_NEWPID | CLONE_NEWNET;
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_unshare, 6, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_setns, 5, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mount, 4, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 4, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, namespaces, 0, 2),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof filter / sizeof filter[0], filter };

	(void)arg;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		_exit(HARNESS_FAILED);
}

bool harness_has_no_namespaces(void)
{
	return getenv(HARNESS_NO_NAMESPACES_ENV) != NULL;
}

struct confined {
	build_policy *build;
	const void *arg;
	char *const *argv;
	char *const *envp;
	void (*before)(const void *arg), (*after)(const void *arg);
	pid_t *pid; /* shared with the test */
};

static int harness_failed(const struct zs_error *error)
{
	char line[1024];

	zs_error_format(error, line, sizeof line);
	fprintf(stderr, "harness: %s\n", line);
	return HARNESS_FAILED;
}

static int confined_body(void *arg)
{
	const struct confined *run = arg;
	struct zs_policy *policy;
	struct zs_sandbox *sandbox;
	struct zs_error error = { 0 };
	int status;

	if (run->before)
		run->before(run->arg);
	if (zs_policy_new(run->envp, &policy) < 0)
		return HARNESS_FAILED;
	run->build(policy, run->arg);
	if (zs_sandbox_new(policy, &sandbox, &error) < 0)
		return harness_failed(&error);
	zs_policy_free(policy);
	if (run->after)
		run->after(run->arg);
	if (harness_spawn(sandbox, run->argv, run->envp, NULL, run->pid, &error) < 0)
		return harness_failed(&error);
	zs_sandbox_free(sandbox);
	if (waitpid(*run->pid, &status, 0) < 0)
		return HARNESS_FAILED;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void run_body(uid_t uid, struct confined *run, struct result *result)
{
	run->pid = mmap(NULL, sizeof *run->pid, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	run_child(uid, confined_body, run, result);
	result->pid = *run->pid;
	munmap(run->pid, sizeof *run->pid);
}

void run_confined_after(uid_t uid, build_policy *build, const void *arg, char *const argv[], char *const envp[],
	void (*after)(const void *arg), struct result *result)
{
	struct confined run = { .build = build, .arg = arg, .argv = argv, .envp = envp, .after = after };

	run_body(uid, &run, result);
}

void run_confined_on(uid_t uid, build_policy *build, const void *arg, char *const argv[], char *const envp[],
	void (*before)(const void *arg), struct result *result)
{
	struct confined run = { .build = build, .arg = arg, .argv = argv, .envp = envp, .before = before };

	run_body(uid, &run, result);
}

void run_confined(
	uid_t uid, build_policy *build, const void *arg, char *const argv[], char *const envp[], struct result *result)
{
	run_confined_after(uid, build, arg, argv, envp, NULL, result);
}

struct unconfined {
	char *const *argv;
	char *const *envp;
};

static int free_body(void *arg)
{
	const struct unconfined *run = arg;

	execve(run->argv[0], run->argv, run->envp);
	perror(run->argv[0]);
	return HARNESS_FAILED;
}

void run_free(uid_t uid, char *const argv[], char *const envp[], struct result *result)
{
	struct unconfined run = { argv, envp };

	run_child(uid, free_body, &run, result);
}

void grant_prog(struct zs_policy *policy, const struct scratch *scratch)
{
	struct zs_error error;

	if (zs_policy_add_exec(policy, scratch->prog, &error) < 0)
		_exit(harness_failed(&error));
}

void check_ok(int r, const struct zs_error *error, const char *what)
{
	char line[1024] = "";

	if (r < 0)
		zs_error_format(error, line, sizeof line);
	CHECK(r == 0, "%s: %s", what, line);
}

void attack_prepare(const struct attack *attack, struct attack_run *ret_run)
{
	*ret_run = (struct attack_run){ .argv = { (char *)attack->scratch->prog } };
	snprintf(ret_run->texts[0], sizeof ret_run->texts[0], ATTACK_ENV "=%s", attack->name);
	snprintf(ret_run->texts[1], sizeof ret_run->texts[1], ATTACK_ARG1_ENV "=%s", attack->a);
	snprintf(ret_run->texts[2], sizeof ret_run->texts[2], ATTACK_ARG2_ENV "=%s", attack->b);
	for (size_t i = 0; i < 3; i++)
		ret_run->envp[i] = ret_run->texts[i];
}

int attack_free(uid_t uid, const struct attack *attack, struct result *result)
{
	struct attack_run run;

	attack_prepare(attack, &run);
	run_free(uid, run.argv, run.envp, result);
	return result->status;
}

int attack_confined(uid_t uid, const struct attack *attack, build_policy *build, const void *arg, struct result *result)
{
	return attack_confined_after(uid, attack, build, arg, NULL, result);
}

int attack_confined_after(uid_t uid, const struct attack *attack, build_policy *build, const void *arg,
	void (*after)(const void *arg), struct result *result)
{
	struct attack_run run;

	attack_prepare(attack, &run);
	run_confined_after(uid, build, arg, run.argv, run.envp, after, result);
	return result->status;
}

int attack_confined_on(uid_t uid, const struct attack *attack, build_policy *build, const void *arg,
	void (*before)(const void *arg), struct result *result)
{
	struct attack_run run;

	attack_prepare(attack, &run);
	run_confined_on(uid, build, arg, run.argv, run.envp, before, result);
	return result->status;
}

struct attack_options {
	const struct scratch *scratch;
	enum zs_network network;
};

static void build_attack(struct zs_policy *policy, const void *arg)
{
	const struct attack_options *options = arg;

	grant_prog(policy, options->scratch);
	zs_policy_add_path(policy, "/proc", ZS_ACCESS_READ, NULL);
	zs_policy_set_network(policy, options->network, NULL);
	/* This grant lets the command make Unix sockets, so that the tests see what these reach. */
	zs_policy_add_socket(policy, "/tmp/zs-test-own", NULL);
	zs_policy_give_up(policy, ZS_PROMISE_SOCKETS, NULL);
	zs_policy_add_env(policy, ATTACK_ENV "*", NULL);
}

int run_attack(uid_t uid, const struct scratch *scratch, int network, const char *name, const char *a, const char *b,
	struct result *result)
{
	const struct attack attack = { scratch, name, a, b };
	struct attack_options options = { scratch, (enum zs_network)network };

	if (network == ATTACK_FREE)
		return attack_free(uid, &attack, result);
	return attack_confined(uid, &attack, build_attack, &options, result);
}

int harness_listen(int type, const void *address, socklen_t size)
{
	int family = ((const struct sockaddr *)address)->sa_family;
	int fd = socket(family, type | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, address, size) < 0 || (type == SOCK_STREAM && listen(fd, 64) < 0)) {
		perror("server");
		exit(HARNESS_FAILED);
	}
	return fd;
}

int harness_listen_at(int type, const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd;

	snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
	fd = harness_listen(type, &address, sizeof address);
	chmod(path, 0777);
	return fd;
}

/* Waits for a program that sleeps: execve(2) closes descriptors before it moves the stack to its place. */
static void await_sleep(pid_t pid)
{
	char path[64], state = 'R';

	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	while (state == 'R' || state == 'D') {
		FILE *file = fopen(path, "re");

		if (!file || fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
			state = 'X';
		if (file)
			fclose(file);
		usleep(1000);
	}
}

pid_t harness_start_victim(uid_t uid)
{
	int executed[2]; /* ends when the program is executed */
	pid_t pid = pipe2(executed, O_CLOEXEC) == 0 ? fork() : -1;
	char none;

	if (pid == 0) {
		setpgid(0, 0);
		/* executes a program, so that /proc shows the process as its own user's: man 5 proc, "dumpable" */
		if (uid != geteuid() && (setresgid(uid, uid, uid) < 0 || setresuid(uid, uid, uid) < 0))
			_exit(1);
		execl("/bin/sleep", "sleep", "1000", (char *)NULL);
		_exit(1);
	}
	close(executed[1]);
	while (read(executed[0], &none, 1) < 0 && errno == EINTR) {
	}
	close(executed[0]);
	await_sleep(pid);
	return pid;
}
