#include "state.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/keyctl.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

extern char **environ;

static const char *const namespaces[] = { "cgroup", "ipc", "mnt", "net", "pid", "user", "uts" };

enum { NAMESPACES = sizeof namespaces / sizeof *namespaces };

static unsigned long long namespace_number(const char *name)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof path, "/proc/self/ns/%s", name);
	return stat(path, &st) < 0 ? 0 : (unsigned long long)st.st_ino;
}

static long session_keyring(void)
{
	return syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0);
}

void state_host(char *text, size_t size)
{
	int len = snprintf(text, size, STATE_HOST_ENV "=%d %ld", getpid(), session_keyring());

	for (size_t i = 0; i < NAMESPACES; i++)
		len += snprintf(text + len, size - (size_t)len, " %llu", namespace_number(namespaces[i]));
}

/* Returns 0 or the errno. */
static int outcome(int result)
{
	return result < 0 ? errno : 0;
}

static void print_host(FILE *out, const char *host)
{
	char *at;
	long pid = strtol(host, &at, 10), keyring = strtol(at, &at, 10);

	fprintf(out, "kill %d\n", outcome(kill((pid_t)pid, 0)));
	fprintf(out, "session keyring %s\n", session_keyring() == keyring ? "host" : "own");
	for (size_t i = 0; i < NAMESPACES; i++) {
		unsigned long long theirs = strtoull(at, &at, 10), ours = namespace_number(namespaces[i]);

		fprintf(out, "%s %s\n", namespaces[i], ours == 0 ? "unknown" : ours == theirs ? "host" : "own");
	}
}

static void print_privileges(FILE *out)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct sets[2] = { 0 };
	uint64_t bounding = 0, ambient = 0;

	syscall(SYS_capget, &header, sets);
	for (unsigned long i = 0; i < 64; i++) {
		bounding |= (uint64_t)(prctl(PR_CAPBSET_READ, i, 0, 0, 0) == 1) << i;
		ambient |= (uint64_t)(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, i, 0, 0) == 1) << i;
	}
	fprintf(out, "no_new_privs %d\nseccomp %d\nsecurebits %x\n", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0),
		prctl(PR_GET_SECCOMP, 0, 0, 0, 0), prctl(PR_GET_SECUREBITS, 0, 0, 0, 0));
	for (int i = 0; i < 2; i++)
		fprintf(out, "capabilities %x %x %x\n", sets[i].effective, sets[i].permitted, sets[i].inheritable);
	fprintf(out, "bounding %llx ambient %llx\n", (unsigned long long)bounding, (unsigned long long)ambient);
	fprintf(out, "uid %d %d gid %d %d groups %d\n", getuid(), geteuid(), getgid(), getegid(), getgroups(0, NULL));
}

static void print_inherited(FILE *out, int own)
{
	struct rlimit limit;
	sigset_t blocked;

	for (int fd = 0; fd < 64; fd++)
		if (fd != own && fcntl(fd, F_GETFD) >= 0)
			fprintf(out, "descriptor %d\n", fd);
	for (char **entry = environ; *entry; entry++) {
		const char *fresh = strstr(*entry, "/zs-"); /* TMPDIR in the Landlock tier, which has a random name */

		fprintf(out, "variable %.*s\n", (int)(fresh ? (size_t)(fresh - *entry) + 4 : strlen(*entry)), *entry);
	}
	sigprocmask(SIG_SETMASK, NULL, &blocked);
	for (int i = 1; i <= 64; i++) {
		struct sigaction action;

		if (sigismember(&blocked, i) == 1)
			fprintf(out, "blocked %d\n", i);
		if (sigaction(i, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
			fprintf(out, "ignored %d\n", i);
	}
	for (int i = 0; i < 16; i++)
		if (syscall(SYS_prlimit64, 0, i, NULL, &limit) == 0) /* the type of i differs between C libraries */
			fprintf(out, "limit %d %llu\n", i, (unsigned long long)limit.rlim_cur);
	fprintf(out, "dumpable %d\n", prctl(PR_GET_DUMPABLE, 0, 0, 0, 0));
}

static void print_reach(FILE *out, const char *secret)
{
	struct sockaddr_in discard = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(9)
	};
	struct ifreq lo = { .ifr_name = "lo" };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	fprintf(out, "loopback %d", outcome(connect(fd, (struct sockaddr *)&discard, sizeof discard)));
	fprintf(out, " %d\n", ioctl(fd, SIOCGIFFLAGS, &lo) < 0 ? -errno : lo.ifr_flags & IFF_UP);
	close(fd);
	fd = open(secret, O_RDONLY | O_CLOEXEC);
	fprintf(out, "secret %d\n", outcome(fd));
	fprintf(out, "chmod %d\n", outcome(chmod(secret, 0644)));
	/* This comes last, since it changes the process. */
	fprintf(out, "nested user namespace %d", outcome(unshare(CLONE_NEWUSER | CLONE_NEWNS)));
	fprintf(out, " mount %d\n", outcome(mount("none", "/", "tmpfs", 0, NULL)));
}

/* Runs after the shim's constructor, and before check.c's main. */
__attribute__((constructor(102))) static void write_state(void)
{
	const char *path = getenv(STATE_ENV), *host = getenv(STATE_HOST_ENV), *secret = getenv(STATE_SECRET_ENV);
	FILE *out;

	if (!path)
		return;
	out = fopen(path, "we");
	if (!out)
		_exit(97);
	print_inherited(out, fileno(out));
	print_privileges(out);
	print_host(out, host ? host : "");
	print_reach(out, secret ? secret : "");
	_exit(fclose(out) == 0 ? 0 : 97);
}
