#include "attacks.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/keyctl.h>
#include <linux/securebits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "outward_attacks.h"
#include "reach_attacks.h"
#include "seccomp_attacks.h"
#include "session_attacks.h"
#include "zs_shim.h"

extern char **environ;

static int worked(bool success)
{
	return success ? 0 : errno;
}

/* The attacks that are one call. Each row has an expression that is true when the attack has worked; else errno says
 * why not. a and b are the arguments. */
/* clang-format off */
#define ATTACKS_OF_ONE_CALL(X) \
	X(list, opendir(a) != NULL) \
	X(truncate, truncate(a, 0) == 0) \
	X(unlink, unlink(a) == 0) \
	X(rmdir, rmdir(a) == 0) \
	X(mkdir, mkdir(a, 0755) == 0) \
	X(mkfifo, mkfifo(a, 0644) == 0) \
	X(symlink, symlink("x", a) == 0) \
	X(rename, rename(a, b) == 0) \
	X(exchange, syscall(SYS_renameat2, AT_FDCWD, a, AT_FDCWD, b, 2u) == 0) /* RENAME_EXCHANGE */ \
	X(link, link(a, b) == 0) \
	X(enter, chdir(a) == 0) \
	/* A file's attributes other than its content, which Landlock does not check. */ \
	X(chmod, chmod(a, 0600) == 0) \
	X(chown, chown(a, geteuid(), getegid()) == 0) /* to the present owner, which needs the same right */ \
	X(set_times, utimensat(AT_FDCWD, a, (struct timespec[]){ { 1, 0 }, { 1, 0 } }, 0) == 0) \
	X(set_attribute, setxattr(a, "user.zs-test", "x", 1, 0) == 0) \
	X(status, lstat(a, &(struct stat){ 0 }) == 0) \
	X(follow, readlink(a, (char[256]){ 0 }, 256) > 0) \
	X(watch, inotify_add_watch(inotify_init1(IN_CLOEXEC), a, IN_ALL_EVENTS) >= 0) \
	X(descriptor, fcntl(atoi(a), F_GETFD) >= 0) /* is the descriptor open here? */ \
	X(map, mmap(NULL, (size_t)atol(a), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) \
	/* System V shared memory and message queues: the kernel checks only the uid. */ \
	X(shared_memory, (intptr_t)shmat(atoi(a), NULL, 0) != -1) \
	X(message_queue, msgctl(atoi(a), IPC_STAT, &(struct msqid_ds){ 0 }) == 0) \
	X(posix_queue, syscall(SYS_mq_open, a + 1, O_RDONLY, 0, NULL) >= 0) \
	X(key_by_number, syscall(SYS_keyctl, KEYCTL_READ, atol(a), (char[64]){ 0 }, 64) > 0) \
	/* A ring can make sockets (IORING_OP_SOCKET) that no filter of socket(2) sees. */ \
	X(ring_socket, syscall(SYS_io_uring_setup, 1, (char[128]){ 0 }) >= 0) \
	X(kill, kill(atoi(a), SIGKILL) == 0) \
	X(kill_group, kill(-atoi(a), SIGKILL) == 0) \
	/* Signals all processes that it may, except itself and pid 1. Signal 0 harms none, and says whether there was
	 * one. */ \
	X(kill_all, kill(-1, 0) == 0) \
	X(thread_kill, syscall(SYS_tgkill, atoi(a), atoi(a), SIGKILL) == 0) \
	X(priority, setpriority(PRIO_PROCESS, (id_t)atoi(a), 19) == 0) \
	/* An RLIMIT_CPU of 0 would end the process; this limit keeps it alive for the next row. */ \
	X(limit_other, syscall(SYS_prlimit64, atoi(a), RLIMIT_NOFILE, &(struct rlimit){ 0, 0 }, NULL) == 0)
/* clang-format on */

#define ATTACK_OF_ONE_CALL(name, success)                                                                              \
	static int attack_##name(const char *a, const char *b)                                                         \
	{                                                                                                              \
		(void)a;                                                                                               \
		(void)b;                                                                                               \
		return worked(success);                                                                                \
	}
ATTACKS_OF_ONE_CALL(ATTACK_OF_ONE_CALL)

static int attack_ok(const char *a, const char *b)
{
	(void)a;
	(void)b;
	return 0;
}

/* Leaves a trace which shows that the command has run. */
static int attack_write(const char *path, const char *b)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	(void)b;
	return worked(fd >= 0 && write(fd, "new", 3) == 3);
}

static int attack_append(const char *path, const char *b)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);

	(void)b;
	return worked(fd >= 0 && write(fd, "new", 3) == 3);
}

static int attack_read(const char *path, const char *b)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char c;

	(void)b;
	return worked(fd >= 0 && read(fd, &c, 1) == 1);
}

/* Becomes another program, which performs the attack that always works. */
static int attack_exec(const char *path, const char *b)
{
	char *argv[] = { (char *)path, NULL }, *envp[] = { (char *)ATTACK_ENV "=ok", NULL };

	(void)b;
	execve(path, argv, envp);
	return errno;
}

static int attack_connect(const char *address, const char *port)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port)) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	inet_pton(AF_INET, address, &to.sin_addr);
	return worked(fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof to) == 0);
}

/* Talks to itself over TCP: this is no attack, but test suites do it. */
static int attack_own_loopback(const char *a, const char *b)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof at;
	int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)a;
	(void)b;
	return worked(bind(server, (struct sockaddr *)&at, sizeof at) == 0 && listen(server, 1) == 0 &&
		      getsockname(server, (struct sockaddr *)&at, &size) == 0 &&
		      connect(client, (struct sockaddr *)&at, size) == 0);
}

static int attack_abstract(const char *name, const char *b)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	size_t len = strlen(name);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)b;
	memcpy(to.sun_path + 1, name, len);
	return worked(fd >= 0 && connect(fd, (struct sockaddr *)&to,
					 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + len)) == 0);
}

static int attack_environ_of(const char *pid, const char *b)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%s/environ", pid);
	return attack_read(path, b);
}

static int attack_getenv(const char *name, const char *b)
{
	(void)b;
	return getenv(name) ? 0 : ENOENT;
}

static int attack_print_env(const char *name, const char *b)
{
	(void)name;
	(void)b;
	for (char **entry = environ; *entry; entry++)
		puts(*entry);
	fflush(stdout);
	return 0;
}

/* Does any capability set still hold a capability, or can one be filled again? */
static int attack_capabilities(const char *a, const char *b)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct sets[2];

	(void)a;
	(void)b;
	syscall(SYS_capget, &header, sets);
	for (int i = 0; i < 2; i++)
		if (sets[i].effective | sets[i].permitted | sets[i].inheritable)
			return 0;
	for (unsigned long i = 0; i < 64; i++)
		if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, i, 0, 0) == 1)
			return 0;
	return EPERM;
}

static int attack_bounding_set(const char *a, const char *b)
{
	(void)a;
	(void)b;
	for (unsigned long i = 0; i < 64; i++)
		if (prctl(PR_CAPBSET_READ, i, 0, 0, 0) == 1)
			return 0;
	return EPERM;
}

static int attack_securebits(const char *a, const char *b)
{
	static const int locks = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP_LOCKED |
				 SECBIT_KEEP_CAPS_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED;

	(void)a;
	(void)b;
	return (prctl(PR_GET_SECUREBITS, 0, 0, 0, 0) & locks) == locks ? EPERM : 0;
}

static int attack_new_privs(const char *a, const char *b)
{
	(void)a;
	(void)b;
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? EPERM : 0;
}

/* Becomes a setuid program, and checks whether it is root. */
static int attack_setuid(const char *path, const char *b)
{
	char *argv[] = { (char *)path, NULL }, *envp[] = { (char *)ATTACK_ENV "=is_root", NULL };

	(void)b;
	execve(path, argv, envp);
	return errno;
}

static int attack_is_root(const char *a, const char *b)
{
	(void)a;
	(void)b;
	return geteuid() == 0 ? 0 : EPERM;
}

/* A nested user namespace gives capabilities: do they allow a mount, or reach the machine's network? */
static int attack_user_namespace_mount(const char *a, const char *b)
{
	(void)a;
	(void)b;
	/* CLONE_NEWUSER | CLONE_NEWNS, then a tmpfs */
	if (syscall(SYS_unshare, 0x10000000 | 0x00020000) < 0)
		return errno;
	return worked(syscall(SYS_mount, "none", "/", "tmpfs", 0ul, NULL) == 0);
}

/* Reads the key of this name that a keyring holds: -3 is the session's, -4 the user's. */
static int attack_key(const char *keyring, const char *name)
{
	char text[64];
	long key = syscall(SYS_keyctl, KEYCTL_SEARCH, atol(keyring), "user", name, 0);

	return worked(key >= 0 && syscall(SYS_keyctl, KEYCTL_READ, key, text, sizeof text) > 0);
}

static int attack_request_key(const char *name, const char *b)
{
	char text[64];
	long key = syscall(SYS_request_key, "user", name, NULL, 0);

	(void)b;
	return worked(key >= 0 && syscall(SYS_keyctl, KEYCTL_READ, key, text, sizeof text) > 0);
}

static int attack_pid(const char *a, const char *b)
{
	(void)a;
	(void)b;
	printf("%d\n", getpid());
	fflush(stdout);
	return 0;
}

static void *sleep_on(void *arg)
{
	(void)arg;
	pause();
	return NULL;
}

/* A mistake and not an attack: the host has already started a thread when it enters the shim. */
static int attack_late_shim(const char *path, const char *b)
{
	char *argv[] = { (char *)ZS_SHIM_ARGV0, (char *)path, NULL };
	pthread_t thread;

	(void)b;
	pthread_create(&thread, NULL, sleep_on, NULL);
	setenv(ATTACK_ENV, "write", 1);
	zs_exec_shim(2, argv);
	return 0;
}

/* Uses this many seconds of processor time. */
static int attack_burn(const char *seconds, const char *signals)
{
	struct rusage usage;

	if (*signals)
		signal(SIGXCPU, SIG_IGN);
	do
		getrusage(RUSAGE_SELF, &usage);
	while (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec < atol(seconds));
	return 0;
}

static int attack_duplicate(const char *count, const char *b)
{
	(void)b;
	for (int i = 0; i < atoi(count); i++)
		if (dup(0) < 0)
			return errno;
	return 0;
}

/* Writes a file of one MiB. */
static int attack_fill(const char *path, const char *signals)
{
	static const char block[4096];
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (*signals)
		signal(SIGXFSZ, SIG_IGN);
	for (int i = 0; fd >= 0 && i < 256; i++)
		if (write(fd, block, sizeof block) != (ssize_t)sizeof block)
			return errno;
	return worked(fd >= 0);
}

static int attack_limit(const char *resource, const char *b)
{
	struct rlimit limit;

	(void)b;
	if (syscall(SYS_prlimit64, 0, atoi(resource), NULL, &limit) < 0)
		return errno;
	printf("%llu %llu\n", (unsigned long long)limit.rlim_cur, (unsigned long long)limit.rlim_max);
	fflush(stdout);
	return 0;
}

static int attack_unset_core(const char *a, const char *b)
{
	struct rlimit none = { 0, 0 };

	(void)a;
	if (setrlimit(RLIMIT_CORE, &none) < 0 || syscall(SYS_setrlimit, RLIMIT_CORE, &none) < 0)
		return errno;
	return attack_limit("4", b);
}

/* Also tries it in a user namespace, where every capability is available. */
static int attack_raise_limit(const char *a, const char *b)
{
	struct rlimit limit;

	(void)a;
	(void)b;
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_max++;
	if (setrlimit(RLIMIT_NOFILE, &limit) == 0)
		return 0;
	unshare(CLONE_NEWUSER);
	return worked(setrlimit(RLIMIT_NOFILE, &limit) == 0);
}

/* Every process starts others until no more can be started. `most` ends a test that fails. */
static int attack_fork_bomb(const char *most, const char *nested)
{
	struct {
		atomic_int count, cause;
	} *bomb = mmap(NULL, sizeof *bomb, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t first = getpid();
	int before;

	if (*nested && unshare(CLONE_NEWUSER) < 0)
		return errno;
	setpgid(0, 0);
	bomb->count = 1;
	while (bomb->count < atoi(most) && !bomb->cause) {
		pid_t pid = fork();

		if (pid < 0)
			bomb->cause = errno;
		else if (pid == 0)
			bomb->count++;
	}
	while (getpid() != first)
		pause();
	do {
		before = bomb->count;
		usleep(100 * 1000);
	} while (bomb->count != before);
	signal(SIGTERM, SIG_IGN);
	kill(0, SIGTERM);
	printf("%d\n", bomb->count);
	fflush(stdout);
	return bomb->count < atoi(most) ? bomb->cause : 0;
}

/* clang-format off */
#define ROW(name) { #name, attack_##name }
#define ROW_AND_COMMA(name) ROW(name),
#define ROW_OF_CALL(name, success) ROW(name),

static const struct {
	const char *name;
	int (*run)(const char *a, const char *b);
} attacks[] = {
	ATTACKS_OF_ONE_CALL(ROW_OF_CALL)
	ROW(ok), ROW(write), ROW(append), ROW(read), ROW(exec), ROW(connect), ROW(own_loopback), ROW(abstract),
	ROW(environ_of), ROW(getenv), ROW(print_env), ROW(capabilities), ROW(bounding_set), ROW(securebits),
	ROW(new_privs), ROW(setuid), ROW(is_root), ROW(user_namespace_mount), ROW(pid), ROW(late_shim), ROW(key),
	ROW(request_key), ROW(burn), ROW(duplicate), ROW(fill), ROW(limit), ROW(raise_limit), ROW(fork_bomb), ROW(call),
	ROW(unset_core), ROW(outward),
	REACH_ATTACKS(ROW_AND_COMMA)
	SESSION_ATTACKS(ROW_AND_COMMA)
};
/* clang-format on */

int attack_by_name(const char *name, const char *a, const char *b)
{
	for (size_t i = 0; i < sizeof attacks / sizeof attacks[0]; i++)
		if (strcmp(attacks[i].name, name) == 0)
			return attacks[i].run(a, b);
	fprintf(stderr, "no attack is called %s\n", name);
	return 98;
}

/* Runs after the shim's constructor, and before check.c's main. */
__attribute__((constructor(102))) static void perform_attack(void)
{
	const char *name = getenv(ATTACK_ENV), *a = getenv(ATTACK_ARG1_ENV), *b = getenv(ATTACK_ARG2_ENV);

	if (name)
		_exit(attack_by_name(name, a ? a : "", b ? b : ""));
}
