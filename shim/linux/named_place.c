#include "linux/named_place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "approval/session_place.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/folder_reader.h"
#include "base/path.h"
#include "base/read_file.h"
#include "linux/base/fd_message.h"
#include "linux/base/process_calls.h"
#include "named_session.h"
#include "settings/settings_places.h"

extern char **environ;

static const char step[] = "session";

int zs_named_folder(const char *workspace, bool make, int *ret_folder, struct zs_error *error)
{
	char *folders[ZS_SESSION_FOLDERS], *folder;
	int r = zs_session_folders(environ, folders);

	if (r < 0)
		return zs_error_errno(error, step, NULL, -r);
	folder = folders[0] ? folders[0] : folders[1];
	/* A command of an earlier run could have made what lies there. */
	if (workspace && zs_way_touches(folder, workspace))
		r = zs_error_hint(error, zs_error_say(error, step, folder, EPERM, "lies in the workspace"),
			"set TMPDIR or XDG_RUNTIME_DIR to a folder outside");
	else
		r = zs_session_folder_open(folder, make, ret_folder, error);
	for (size_t i = 0; i < ZS_SESSION_FOLDERS; i++)
		free(folders[i]);
	return r;
}

/* The path goes by the descriptor: the folder that was checked, and short enough for a socket's address. */
static void find_address(int folder, const char *file, struct sockaddr_un *address)
{
	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	snprintf(address->sun_path, sizeof address->sun_path, "/proc/self/fd/%d/%.*s", folder, ZS_NAMED_FILE - 1, file);
}

int zs_named_connect(int folder, const char *file)
{
	ZS_AUTO_FD int connection = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	struct sockaddr_un address;
	struct ucred peer;
	socklen_t size = sizeof peer;

	find_address(folder, file, &address);
	if (connection < 0 || connect(connection, (struct sockaddr *)&address, sizeof address) < 0 ||
		getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0)
		return -errno;
	return zs_named_trusts(&peer) ? ZS_STEAL_FD(connection) : -EPERM;
}

/* A daemon that closes its end before it has read all leaves ECONNRESET, which comes before its answer and once. */
bool zs_named_take(int connection, struct zs_named_answer *ret_answer, struct zs_named_log *log)
{
	int file = -1, flags;
	size_t count;
	ssize_t len;
	struct stat st;

	do {
		count = 1;
		len = zs_fds_receive(connection, ret_answer, sizeof *ret_answer, &file, &count, &flags);
	} while (len == -EINTR || len == -ECONNRESET);
	if (log && count == 1 && len > 0 && fstat(file, &st) == 0)
		*log = (struct zs_named_log){ file, st.st_size };
	ret_answer->text[sizeof ret_answer->text - 1] = '\0';
	return len == (ssize_t)sizeof *ret_answer;
}

void zs_named_print(int connection, struct zs_named_log *log)
{
	int64_t seen;
	char bytes[4096];
	ssize_t len;

	while (log->file >= 0 && (len = pread(log->file, bytes, sizeof bytes, log->seen)) > 0 &&
		zs_write_all(STDERR_FILENO, bytes, (size_t)len) == 0)
		log->seen += len;
	seen = log->seen;
	send(connection, &seen, sizeof seen, MSG_NOSIGNAL | MSG_DONTWAIT);
}

int zs_named_ask(int connection, enum zs_named_request request, struct zs_named_answer *ret_answer)
{
	const struct zs_named_hello hello = { .protocol = ZS_NAMED_PROTOCOL, .request = request };

	/* A daemon that failed has answered and closed its end already, so a failure to send does not count. */
	send(connection, &hello, sizeof hello, MSG_NOSIGNAL);
	return zs_named_take(connection, ret_answer, NULL) ? 0 : -EPIPE;
}

bool zs_named_runs(pid_t pid, const char *const names[], size_t count)
{
	char path[32], name[32] = "";
	ZS_AUTO_FD int fd = -1;

	snprintf(path, sizeof path, "/proc/%ld/comm", (long)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, name, sizeof name - 1) <= 0)
		return false;
	name[strcspn(name, "\n")] = '\0';
	for (size_t i = 0; i < count; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

int zs_named_listen(int folder, const char *file)
{
	ZS_AUTO_FD int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	struct sockaddr_un address;
	mode_t mask = umask(0177);
	int r;

	find_address(folder, file, &address);
	unlinkat(folder, file, 0);
	r = listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) < 0 ||
			    listen(listener, ZS_NAMED_CLIENTS_MAX) < 0
		    ? -errno
		    : 0;
	umask(mask);
	return r < 0 ? r : ZS_STEAL_FD(listener);
}

struct count {
	pid_t supervisor;
	int processes;
};

/* Where proc hides the supervisor or one of its children (hidepid), what is below it cannot be found. */
static bool is_hidden(pid_t supervisor)
{
	ZS_AUTO_FREE char *children = NULL;
	char path[64], *end;
	uint64_t parent;

	snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)supervisor, (int)supervisor);
	if (zs_read_file(path, &children) < 0)
		return true;
	for (char *at = children;; at = end) {
		long pid = strtol(at, &end, 10);

		if (end == at)
			return false;
		if (zs_proc_stat((pid_t)pid, ZS_PROC_PARENT, &parent) < 0)
			return true;
	}
}

/* Counts the descendants of the supervisor, without the processes of zs. */
static int count_process(pid_t pid, void *arg)
{
	enum { DEPTH_MAX = 128 };
	static const char *const own[] = { "zs" };
	struct count *count = arg;
	uint64_t parent = (uint64_t)pid;

	for (int depth = 0; depth < DEPTH_MAX && parent > 1; depth++) {
		if (zs_proc_stat((pid_t)parent, ZS_PROC_PARENT, &parent) < 0)
			return 0;
		if ((pid_t)parent != count->supervisor)
			continue;
		count->processes += !zs_named_runs(pid, own, ZS_COUNT(own));
		return 0;
	}
	return 0;
}

struct list {
	const char *prefix;
	int dashes;
	void (*each)(const struct zs_named_shown *shown, void *arg);
	void *arg;
};

/* Removes the socket of a daemon that was killed. Under the lock, under which daemons begin to listen. */
static void remove_dead(int folder, const char *file)
{
	ZS_AUTO_FD int lock = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ZS_AUTO_FD int connection = -1;

	if (lock < 0 || flock(lock, LOCK_EX) < 0)
		return;
	connection = zs_named_connect(folder, file);
	if (connection == -ECONNREFUSED)
		unlinkat(folder, file, 0);
}

static int show_one(int folder, const char *file, unsigned char type, void *arg)
{
	const struct list *list = arg;
	ZS_AUTO_FD int connection = -1;
	ZS_AUTO_FD int proc = -1;
	struct zs_named_answer answer;
	struct count count = { 0 };
	const char *name = file;

	(void)type;
	if (strncmp(file, list->prefix, strlen(list->prefix)) != 0)
		return 0;
	for (int i = 0; name && i < list->dashes; i++) {
		name = strchr(name, '-');
		name = name ? name + 1 : NULL;
	}
	connection = zs_named_connect(folder, file);
	if (connection == -ECONNREFUSED)
		remove_dead(folder, file);
	if (!name || connection < 0 || zs_named_ask(connection, ZS_NAMED_SHOW, &answer) < 0)
		return 0;
	count.supervisor = answer.supervisor;
	proc = zs_folder_open("/proc");
	if (proc < 0 || is_hidden(count.supervisor))
		count.processes = -1;
	else
		zs_proc_each(proc, count_process, &count);
	list->each(&(struct zs_named_shown){ name, answer.text, answer.seconds, count.processes }, list->arg);
	return 0;
}

int zs_named_list(const char *prefix, int dashes, void (*each)(const struct zs_named_shown *shown, void *arg),
	void *arg, struct zs_error *error)
{
	ZS_AUTO_FD int folder = -1;
	int r = zs_named_folder(NULL, false, &folder, error);

	if (r == -ENOENT)
		return 0;
	if (r == 0)
		r = zs_folder_list(folder, show_one, &(struct list){ prefix, dashes, each, arg });
	return r < 0 ? zs_error_errno(error, step, "", -r) : 0;
}
