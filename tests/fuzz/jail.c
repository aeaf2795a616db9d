#include "jail.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY 65534
#define FILES_MAX 64
#define START_MS 10000
#define MARKERS "0123456789"

/* A file that is put into the jail. It is read outside, since the user nobody may not be allowed to read it. */
struct file {
	char path[256]; /* inside */
	void *bytes;
	size_t len;
};

struct jail {
	int socket;
	pid_t watchdog; /* holds process 1 of the jail */
	unsigned wall_ms;
	struct file files[FILES_MAX];
	size_t file_count;
};

static char *problem;
static size_t problem_size;

static int fail(const char *step, const char *object)
{
	snprintf(problem, problem_size, "%s: %s: %s", step, object, strerror(errno));
	return -1;
}

static int read_file(struct jail *jail, const char *from, const char *to)
{
	struct file *file = &jail->files[jail->file_count];
	FILE *in = fopen(from, "rb");
	struct stat stat;

	errno = in ? E2BIG : errno;
	if (!in || jail->file_count == FILES_MAX || fstat(fileno(in), &stat) || strlen(to) >= sizeof file->path ||
		!(file->bytes = malloc((size_t)stat.st_size + 1))) {
		if (in)
			fclose(in);
		return fail("read", from);
	}
	file->len = fread(file->bytes, 1, (size_t)stat.st_size, in);
	strcpy(file->path, to);
	jail->file_count++;
	fclose(in);
	return 0;
}

/* The libraries that ldd(1) lists: "name => /path (address)" or "/path (address)". */
static int read_libraries(struct jail *jail, const char *program)
{
	char command[512], line[1024];
	FILE *list;
	int failed = 0;

	snprintf(command, sizeof command, "ldd '%s' 2>/dev/null", program);
	list = popen(command, "r");
	if (!list)
		return fail("ldd", program);
	while (!failed && fgets(line, sizeof line, list)) {
		char *path = strchr(line, '/'), *end = path ? strstr(path, " (") : NULL;
		bool known = false;

		if (!end || strstr(line, " not found")) /* a version, which the folder's library has */
			continue;
		*end = 0;
		for (size_t i = 0; i < jail->file_count; i++)
			known |= !strcmp(jail->files[i].path, path);
		if (!known)
			failed = read_file(jail, path, path);
	}
	pclose(list);
	return failed;
}

/* Another bash, and the libraries that lie beside it. Their place inside is Debian's. */
static int read_folder(struct jail *jail, const char *folder)
{
	static const char *const files[][2] = { { "bash", ZS_JAIL_BASH },
		{ "ld-linux-x86-64.so.2", "/lib64/ld-linux-x86-64.so.2" },
		{ "libc.so.6", "/lib/x86_64-linux-gnu/libc.so.6" },
		{ "libtinfo.so.6", "/lib/x86_64-linux-gnu/libtinfo.so.6" } };
	char path[PATH_MAX];
	int failed = 0;

	for (size_t i = 0; i < sizeof files / sizeof *files && !failed; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, files[i][0]);
		if (i == 0 || !access(path, R_OK))
			failed = read_file(jail, path, files[i][1]);
	}
	snprintf(path, sizeof path, "%s/bash", folder);
	return failed ? failed : read_libraries(jail, path);
}

static int read_files(struct jail *jail, const struct jail_options *options)
{
	if (options->bash) {
		if (read_folder(jail, options->bash))
			return -1;
	} else if (read_file(jail, ZS_JAIL_BASH, ZS_JAIL_BASH) || read_libraries(jail, ZS_JAIL_BASH)) {
		return -1;
	}
	if (read_file(jail, options->server, ZS_JAIL_SERVER) || read_libraries(jail, options->server) ||
		read_file(jail, options->marker, ZS_JAIL_MARKER))
		return -1;
	return 0;
}

static int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? -1 : write(fd, text, strlen(text));

	if (fd >= 0)
		close(fd);
	return len == (ssize_t)strlen(text) ? 0 : -1;
}

/* Maps the ids of the new user namespace of process `pid`. */
static int map_ids(pid_t pid)
{
	static const char *const kinds[] = { "uid_map", "gid_map" };
	const unsigned ids[] = { geteuid(), getegid() };
	char path[64], map[128];

	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, kinds[i]);
		snprintf(map, sizeof map, "0 0 1\n%d %d 1\n", NOBODY, NOBODY);
		if (!ids[0] && !write_text(path, map))
			continue;
		/* without root's privileges one may only map oneself, and setgroups(2) must be denied first */
		snprintf(path, sizeof path, "/proc/%d/setgroups", (int)pid);
		if (write_text(path, "deny") && errno != ENOENT)
			return fail("map", path);
		snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, kinds[i]);
		snprintf(map, sizeof map, "%d %u 1\n", NOBODY, ids[i]);
		if (write_text(path, map))
			return fail("map", path);
	}
	return 0;
}

static int make_file(const char *path, const void *bytes, size_t len, mode_t mode)
{
	char folder[256];
	int fd;
	ssize_t written;

	for (const char *slash = path; (slash = strchr(slash + 1, '/'));) {
		snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
		if (mkdir(folder, 0755) && errno != EEXIST)
			return fail("mkdir", folder);
	}
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	written = fd < 0 ? -1 : write(fd, bytes, len);
	if (fd >= 0)
		close(fd);
	return written == (ssize_t)len ? 0 : fail("write", path);
}

/* Makes the files of the root in the working directory, which becomes the root. */
static int make_root(const struct jail *jail)
{
	static const char lines[] = "pwn9\npwn9\npwn9\n";
	char path[300];

	for (size_t i = 0; i < jail->file_count; i++) {
		snprintf(path, sizeof path, ".%s", jail->files[i].path);
		if (make_file(path, jail->files[i].bytes, jail->files[i].len, 0755))
			return -1;
	}
	for (const char *digit = MARKERS; *digit; digit++) {
		snprintf(path, sizeof path, ".%s%c", ZS_JAIL_MARKER, *digit);
		if (link("." ZS_JAIL_MARKER, path))
			return fail("link", path);
	}
	if (make_file("." ZS_JAIL_INPUT, lines, sizeof lines - 1, 0644) || make_file("./dev/null", "", 0, 0666))
		return -1;
	if (mount("/dev/null", "dev/null", NULL, MS_BIND, NULL))
		return fail("mount", "/dev/null");
	if (mkdir("." ZS_JAIL_SCRATCH, 0755) || mkdir("." ZS_JAIL_LOG_FOLDER, 0755) || mkdir("proc", 0755))
		return fail("mkdir", ZS_JAIL_SCRATCH);
	if (mount("tmpfs", "." ZS_JAIL_SCRATCH, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,nr_inodes=256,mode=0777") ||
		mount("tmpfs", "." ZS_JAIL_LOG_FOLDER, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,nr_inodes=8,mode=0777"))
		return fail("mount", "tmpfs");
	/* bash opens the ends of <(…) below /dev/fd; in a container that forbids a proc mount these opens fail */
	if (!mount("proc", "proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) &&
		symlink("/proc/self/fd", "dev/fd"))
		return fail("symlink", "/dev/fd");
	return 0;
}

static int enter_root(const struct jail *jail)
{
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return fail("mount", "/ as private");
	if (mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "size=64m,mode=0755") || chdir("/tmp"))
		return fail("mount", "a tmpfs on /tmp");
	if (make_root(jail))
		return -1;
	/* mounts the new root over itself, then unmounts the old one: pivot_root(2), "pivot_root(".", ".")" */
	if (syscall(SYS_pivot_root, ".", ".") || umount2(".", MNT_DETACH))
		return fail("pivot_root", "/tmp");
	if (mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL))
		return fail("remount", "/ read-only");
	return chdir(ZS_JAIL_SCRATCH) ? fail("chdir", ZS_JAIL_SCRATCH) : 0;
}

static int drop(void)
{
	static const struct {
		int resource;
		rlim_t value;
	} limits[] = { { RLIMIT_FSIZE, 1 << 20 }, { RLIMIT_AS, 512 << 20 }, { RLIMIT_NPROC, 64 },
		{ RLIMIT_NOFILE, 256 }, { RLIMIT_CORE, 0 } };
	int null = open("/dev/null", O_RDWR);

	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
		if (setrlimit(limits[i].resource, &(struct rlimit){ limits[i].value, limits[i].value }))
			return fail("setrlimit", "a limit");
	if (setresgid(NOBODY, NOBODY, NOBODY) || setresuid(NOBODY, NOBODY, NOBODY))
		return fail("setresuid", "nobody");
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0))
		return fail("prctl", "no new privileges");
	if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0)
		return fail("open", "/dev/null");
	return 0;
}

/* Process 1. It becomes bash, with the socket as its only descriptor besides standard streams. */
static _Noreturn void become_server(const struct jail *jail, const struct jail_options *options, int socket)
{
	static char placeholder[ZS_JAIL_TEXT_MAX + 1];
	char wall[64], stage[64];
	const char *argv[] = { "bash", "--norc", "--noprofile", "-c", placeholder, NULL };
	const char *envp[] = { "PATH=/bin", "HOME=" ZS_JAIL_SCRATCH, stage, wall, "LD_PRELOAD=" ZS_JAIL_SERVER, NULL };

	snprintf(wall, sizeof wall, ZS_JAIL_WALL "=%u", options->wall_ms);
	snprintf(stage, sizeof stage, ZS_JAIL_STAGE "=%d", (int)options->stage);
	memset(placeholder, ' ', sizeof placeholder - 1);
	if (!enter_root(jail) && !drop()) {
		/* dup() comes first, since dup2() onto the same number would keep close-on-exec */
		if (dup2(dup(socket), ZS_JAIL_SOCKET) < 0 || syscall(SYS_close_range, 3U, ZS_JAIL_SOCKET - 1U, 0U) ||
			syscall(SYS_close_range, ZS_JAIL_SOCKET + 1U, ~0U, 0U))
			fail("close_range", "descriptors");
		execve(ZS_JAIL_BASH, (char *const *)argv, (char *const *)envp);
		socket = ZS_JAIL_SOCKET;
		fail("execve", ZS_JAIL_BASH);
	}
	send(socket, problem, strlen(problem), 0);
	_exit(1);
}

/* Waits for its ids, starts process 1, and ends when process 1 ends. */
static _Noreturn void keep(const struct jail *jail, const struct jail_options *options, int socket)
{
	int status;
	char byte;
	pid_t child;

	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS)) {
		fail("unshare", "user, mount, pid, network, IPC and UTS namespaces");
		send(socket, problem, strlen(problem), 0);
		_exit(1);
	}
	if (send(socket, "", 1, 0) != 1 || recv(socket, &byte, 1, 0) != 1)
		_exit(1);
	child = fork();
	if (!child)
		become_server(jail, options, socket);
	close(socket);
	waitpid(child, &status, 0);
	_exit(0);
}

/* The other end sends a zero byte when it is ready, or else the problem. */
static int await(const struct jail *jail)
{
	char message[512];
	ssize_t len;

	if (poll(&(struct pollfd){ .fd = jail->socket, .events = POLLIN }, 1, START_MS) != 1) {
		snprintf(problem, problem_size, "no answer from the jail");
		return -1;
	}
	len = recv(jail->socket, message, sizeof message - 1, 0);
	if (len == 1 && !*message)
		return 0;
	message[len > 0 ? len : 0] = 0;
	snprintf(problem, problem_size, "%s",
		len > 0 ? message : "bash ended before it read its text; does it call sysconf(_SC_CHILD_MAX)?");
	return -1;
}

int zs_jail_start(const struct jail_options *options, struct jail **ret_jail, char *error, size_t error_size)
{
	struct jail *jail = calloc(1, sizeof *jail);
	int pair[2] = { -1, -1 };

	problem = error;
	problem_size = error_size;
	if (!jail)
		return fail("calloc", "jail");
	jail->socket = -1;
	jail->wall_ms = options->wall_ms;
	if (read_files(jail, options))
		goto failed;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) {
		fail("socketpair", "the jail's");
		goto failed;
	}
	jail->socket = pair[0];
	jail->watchdog = fork();
	if (!jail->watchdog) {
		close(pair[0]);
		keep(jail, options, pair[1]);
	}
	close(pair[1]);
	if (await(jail) || map_ids(jail->watchdog))
		goto failed;
	if (send(jail->socket, "", 1, MSG_NOSIGNAL) != 1 || await(jail))
		goto failed;
	*ret_jail = jail;
	return 0;
failed:
	zs_jail_stop(jail);
	return -1;
}

int zs_jail_run(struct jail *jail, const char *text, size_t len, struct jail_result *ret_result)
{
	static char message[sizeof(struct jail_answer) + ZS_JAIL_LOG_MAX];
	ssize_t got;

	/* an empty message would end the server */
	if (!len || len > ZS_JAIL_TEXT_MAX || send(jail->socket, text, len, MSG_NOSIGNAL) != (ssize_t)len)
		return -1;
	if (poll(&(struct pollfd){ .fd = jail->socket, .events = POLLIN }, 1, START_MS) != 1)
		return -1;
	got = recv(jail->socket, message, sizeof message, 0);
	if (got < (ssize_t)sizeof ret_result->answer)
		return -1;
	memcpy(&ret_result->answer, message, sizeof ret_result->answer);
	ret_result->log_len = (size_t)got - sizeof ret_result->answer;
	memcpy(ret_result->log, message + sizeof ret_result->answer, ret_result->log_len);
	return 0;
}

void zs_jail_stop(struct jail *jail)
{
	if (!jail)
		return;
	if (jail->socket >= 0)
		close(jail->socket);
	if (jail->watchdog > 0) {
		kill(jail->watchdog, SIGKILL); /* and process 1 with it */
		waitpid(jail->watchdog, NULL, 0);
	}
	for (size_t i = 0; i < jail->file_count; i++)
		free(jail->files[i].bytes);
	free(jail);
}
