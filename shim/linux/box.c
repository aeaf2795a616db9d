/* The client of a box: zs_box.h. */
#include "zs_box.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "linux/base/process_calls.h"
#include "linux/named_command.h"
#include "linux/named_place.h"
#include "linux/named_start.h"
#include "named_session.h"
#include "settings/settings_places.h"
#include "zs_shim.h"

extern char **environ;

static const char step[] = "box";
static const char prefix[] = "box-";

/* Writes the socket's name. An ID holds nothing but hexadecimal digits, so it names no other file. */
static int find_file(const char *id, char file[ZS_NAMED_FILE], struct zs_error *error)
{
	size_t len = strlen(id);

	for (size_t i = 0; i < len && len == ZS_BOX_ID_SIZE - 1; i++)
		if (!isxdigit((unsigned char)id[i]) || isupper((unsigned char)id[i]))
			len = 0;
	if (len != ZS_BOX_ID_SIZE - 1)
		return zs_error_hint(
			error, zs_error_say(error, step, id, EINVAL, "is no ID of a box"), "'zs box list' shows all");
	snprintf(file, ZS_NAMED_FILE, "%s%s", prefix, id);
	return 0;
}

static int open_box(const char *id, int *ret_connection, struct zs_error *error)
{
	char file[ZS_NAMED_FILE];
	ZS_AUTO_FD int folder = -1;
	int r = find_file(id, file, error);

	if (r < 0)
		return r;
	r = zs_named_folder(NULL, false, &folder, error);
	if (r == 0)
		r = zs_named_connect(folder, file);
	if (r == -ENOENT || r == -ECONNREFUSED)
		return zs_error_hint(error, zs_error_say(error, step, id, ENOENT, "there is no such box; it has ended"),
			"'zs box list' shows all");
	if (r < 0)
		return zs_error_errno(error, step, id, -r);
	*ret_connection = r;
	return 0;
}

/* Making one */

/* Writes random hexadecimal digits and a NUL. */
static int make_digits(char *digits, size_t size, struct zs_error *error)
{
	unsigned char bytes[(ZS_BOX_TOKEN_SIZE - 1) / 2];
	size_t count = (size - 1) / 2;

	if (getrandom(bytes, count, 0) != (ssize_t)count)
		return zs_error_errno(error, step, "getrandom", errno);
	for (size_t i = 0; i < count; i++)
		snprintf(digits + 2 * i, 3, "%02x", bytes[i]);
	return 0;
}

/* Waits until the box is ready. One that could not be made says why. */
static int await_ready(const struct zs_named_daemon *daemon, const char *id, struct zs_error *error)
{
	ZS_AUTO_FD int connection = zs_named_connect(daemon->folder, daemon->file);
	struct zs_named_answer answer;

	if (connection < 0)
		return zs_error_errno(error, step, id, -connection);
	if (zs_named_ask(connection, ZS_NAMED_SHOW, &answer) < 0)
		return zs_error_errno(error, step, id, EPIPE);
	if (answer.kind == ZS_NAMED_SHOWN)
		return 0;
	zs_error_say(error, step, NULL, ECANCELED, "could not be made; the lines above say why");
	/* The lines of the run itself. */
	return write(STDERR_FILENO, answer.text, strlen(answer.text)) < 0 ? -EIO : -ECANCELED;
}

int zs_box_make(struct zs_policy *policy, pid_t owner, char ret_id[ZS_BOX_ID_SIZE], char ret_token[ZS_BOX_TOKEN_SIZE],
	struct zs_error *error)
{
	char file[ZS_NAMED_FILE];
	ZS_AUTO_FD int folder = -1;
	ZS_AUTO_FD int lock = -1;
	struct zs_named_daemon daemon = { .policy = policy, .envp = environ, .file = file };
	int r = make_digits(ret_id, ZS_BOX_ID_SIZE, error);

	if (r == 0 && ret_token) {
		r = make_digits(ret_token, ZS_BOX_TOKEN_SIZE, error);
		memcpy(daemon.token, ret_token, sizeof daemon.token);
	}
	if (r == 0)
		r = find_file(ret_id, file, error);
	if (r == 0)
		r = zs_named_folder(policy->workspace, true, &folder, error);
	if (r < 0)
		return r;
	daemon.owner = owner ? zs_pidfd_open(owner) : zs_named_owner();
	if (owner && daemon.owner < 0)
		return zs_error_errno(error, step, "--owner", -daemon.owner);
	daemon.folder = folder;
	lock = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	r = lock < 0 ? zs_error_errno(error, step, "", errno) : zs_lock_open_folder(step, "", lock, error);
	if (r == 0)
		r = zs_named_start(&daemon, error);
	if (lock >= 0)
		close(lock);
	lock = -1;
	return r < 0 ? r : await_ready(&daemon, ret_id, error);
}

/* Commands */

/* Says how the command has ended, from the last answer. */
static int judge(
	const char *id, const struct zs_named_result *result, struct zs_box_result *ret_result, struct zs_error *error)
{
	const struct zs_named_answer *answer = &result->answer;

	*ret_result = (struct zs_box_result){ .end = ZS_BOX_LOST,
		.status = answer->status,
		.signal = answer->signal,
		.cause = answer->cause,
		.limits = answer->kind == ZS_NAMED_LOST ? answer->limits : answer->limits & result->limits,
		.each_process = result->each_process,
		.tier = result->tier };
	memcpy(ret_result->image, result->image, sizeof ret_result->image);
	if (answer->kind == ZS_NAMED_OTHER)
		return zs_error_say(error, step, id, EAGAIN, "runs %d commands already", ZS_NAMED_CLIENTS_MAX);
	if (answer->kind == ZS_NAMED_LOST && result->log.file < 0)
		return zs_error_say(error, step, id, EPIPE, "has ended");
	if (answer->kind == ZS_NAMED_LOST) {
		zs_error_say(error, step, id, EPIPE, "has ended, and the command with it");
		return 0;
	}
	if (answer->kind != ZS_NAMED_EXITED)
		return zs_error_errno(error, step, id, EBADMSG);
	if (!answer->executed && answer->status == ZS_EXIT_CANNOT_ENFORCE)
		return zs_error_say(error, step, id, EPERM, "the command could not be started; nothing ran");
	ret_result->end = result->timed_out ? ZS_BOX_TIMED_OUT : ZS_BOX_ENDED;
	return 0;
}

static int ask_for(
	const char *id, const struct zs_named_order *order, struct zs_box_result *ret_result, struct zs_error *error)
{
	ZS_AUTO_FD int connection = -1;
	ZS_AUTO_FD int log = -1;
	struct zs_named_result result;
	int r = open_box(id, &connection, error);

	if (r < 0) {
		zs_named_no_command(order->denials);
		return r;
	}
	r = zs_named_command(connection, order, &result);
	zs_named_print(connection, &result.log);
	log = result.log.file;
	if (r == 0)
		return judge(id, &result, ret_result, error);
	if (r != -EPIPE || result.log.file < 0)
		return r == -EPIPE ? zs_error_say(error, step, id, EPIPE, "has ended")
				   : zs_error_errno(error, step, id, -r);
	*ret_result =
		(struct zs_box_result){ .end = ZS_BOX_LOST, .each_process = result.each_process, .tier = result.tier };
	memcpy(ret_result->image, result.image, sizeof ret_result->image);
	zs_error_say(error, step, id, EPIPE, "%s",
		result.timed_out
			? "the command's time is over, and it cannot be ended: somebody inside has stopped "
			  "its server; close the box"
			: "the command's server has ended without an answer; somebody inside may have killed it");
	return 0;
}

/* A number that is closed must not become that of a descriptor which is opened for the command. */
static int open_or_none(int fd)
{
	return fcntl(fd, F_GETFD) < 0 ? -1 : fd;
}

/* The words behind the user. free() the result. */
static char **put_user(const struct zs_box_command *command)
{
	size_t count = 0;
	char **words;

	while (command->argv[count])
		count++;
	words = calloc(count + 2, sizeof *words);
	if (words) {
		words[0] = (char *)(uintptr_t)command->user;
		memcpy(words + 1, command->argv, count * sizeof *words);
	}
	return words;
}

int zs_box_exec(
	const char *id, const struct zs_box_command *command, struct zs_box_result *ret_result, struct zs_error *error)
{
	static char *const none[] = { NULL };
	static const int own[] = { STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO };
	const int *stdio = command->stdio ? command->stdio : own;
	char *const *envp = command->envp ? command->envp : none;
	ZS_AUTO_FREE char **words = command->user ? put_user(command) : NULL;
	char cwd[PATH_MAX];
	const struct zs_named_order order = { .request = command->user ? ZS_NAMED_EXEC_AS : ZS_NAMED_EXEC,
		.key = "",
		.command = { cwd, words ? words : command->argv, (char **)(uintptr_t)envp },
		.files = { open_or_none(stdio[0]), open_or_none(stdio[1]), open_or_none(stdio[2]) },
		.captures = command->captures,
		.milliseconds = command->milliseconds,
		.denials = command->denials,
		.signals = command->signals };

	if (!command->argv[0]) {
		zs_named_no_command(order.denials);
		return zs_error_say(error, step, id, EINVAL, "no command");
	}
	if (command->user && !words) {
		zs_named_no_command(order.denials);
		return zs_error_errno(error, step, id, ENOMEM);
	}
	if (snprintf(cwd, sizeof cwd, "/%s", command->cwd ? command->cwd : "") >= (int)sizeof cwd) {
		zs_named_no_command(order.denials);
		return zs_error_errno(error, step, command->cwd, ENAMETOOLONG);
	}
	return ask_for(id, &order, ret_result, error);
}

int zs_box_policy(const char *id, struct zs_policy **ret_policy, struct zs_error *error)
{
	const struct zs_named_hello hello = {
		.protocol = ZS_NAMED_PROTOCOL, .request = ZS_NAMED_SHOW, .denials = true
	};
	ZS_AUTO_FD int connection = -1;
	ZS_AUTO_FREE char *json = NULL;
	struct zs_named_log policy = { -1, 0 };
	struct zs_named_answer answer;
	int r = open_box(id, &connection, error);

	if (r < 0)
		return r;
	if (send(connection, &hello, sizeof hello, MSG_NOSIGNAL) < 0 || !zs_named_take(connection, &answer, &policy) ||
		policy.file < 0)
		return zs_error_say(error, step, id, EPIPE, "has ended");
	json = malloc((size_t)policy.seen + 1);
	r = json && pread(policy.file, json, (size_t)policy.seen, 0) == policy.seen
		    ? zs_policy_from_json(json, (size_t)policy.seen, NULL, ret_policy, error)
		    : zs_error_errno(error, step, id, ENOMEM);
	close(policy.file);
	return r;
}

/* Says why the box's files do not allow it: the process that copies has written the errno, and a blank and the file if
 * it copies a folder. most: see zs_box_get(). */
static int say_refused(const struct zs_named_order *order, const char *most, struct zs_error *error)
{
	static const char *const verbs[] = {
		[ZS_NAMED_PUT] = "put", [ZS_NAMED_GET] = "get", [ZS_NAMED_PACK] = "save", [ZS_NAMED_UNPACK] = "restore"
	};
	const char *verb = verbs[order->request], *path = order->command.argv[0], *blank;
	char text[PATH_MAX + 16] = "";
	int cause;

	if (pread(order->files[ZS_NAMED_COMPLAINTS], text, sizeof text - 1, 0) < 0 || sscanf(text, "%d", &cause) != 1)
		cause = EIO;
	blank = strchr(text, ' ');
	if (blank)
		return zs_error_errno(error, verb, blank + 1, cause);
	if (cause == EINVAL)
		return zs_error_say(error, verb, path, cause, "is no regular file");
	if (cause == EFBIG && most)
		return zs_error_say(error, verb, path, cause, "is larger than %s bytes", most);
	return zs_error_errno(error, verb, path, cause);
}

/* The process could not become the user who is to copy. It has said why. */
static int say_not_begun(const char *id, int complaints, int r, struct zs_error *error)
{
	char said[200];
	ssize_t len = pread(complaints, said, sizeof said - 1, 0);

	if (len <= 0)
		return r;
	said[len] = '\0';
	said[strcspn(said, "\n")] = '\0';
	return zs_error_say(error, step, id, -r, "nothing was copied: %s", said);
}

/* The process that copies the file ends with 0 or 1. Anything else is a failure of zs. */
static int copy_file(
	const char *id, struct zs_named_order *order, const char *most, int *ret_status, struct zs_error *error)
{
	ZS_AUTO_FD int complaints = memfd_create("zs-box", MFD_CLOEXEC);
	struct zs_box_result result;
	int r;

	if (complaints < 0)
		return zs_error_errno(error, step, "memfd_create", errno);
	order->key = "";
	order->command.cwd = "/";
	order->command.envp = (char *[]){ NULL };
	order->files[ZS_NAMED_COMPLAINTS] = complaints;
	r = ask_for(id, order, &result, error);
	if (r < 0)
		return say_not_begun(id, complaints, r, error);
	if (result.end == ZS_BOX_LOST)
		return -EPIPE;
	if (result.status > 1)
		return zs_error_say(error, step, id, ECANCELED, "the file was not copied as a whole");
	if (result.status == 1)
		say_refused(order, most, error);
	*ret_status = result.status;
	return 0;
}

static int put(const char *id, int from, const char *path, mode_t mode, const char *user, bool signals, int *ret_status,
	struct zs_error *error)
{
	char octal[8], *words[] = { (char *)(uintptr_t)path, octal, (char *)(uintptr_t)user, NULL };
	struct zs_named_order order = { .request = ZS_NAMED_PUT,
		.command = { .argv = words },
		.files = { from, STDERR_FILENO },
		.signals = signals };

	snprintf(octal, sizeof octal, "%o", (unsigned)mode & 07777);
	return copy_file(id, &order, NULL, ret_status, error);
}

static int get(const char *id, const char *path, uint64_t most, int to, const char *user, bool signals, int *ret_status,
	struct zs_error *error)
{
	char decimal[24], *words[] = { (char *)(uintptr_t)path, decimal, (char *)(uintptr_t)user, NULL };
	ZS_AUTO_FD int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct zs_named_order order = {
		.request = ZS_NAMED_GET, .command = { .argv = words }, .files = { nothing, to }, .signals = signals
	};

	if (nothing < 0)
		return zs_error_errno(error, step, "/dev/null", errno);
	snprintf(decimal, sizeof decimal, "%" PRIu64, most);
	return copy_file(id, &order, decimal, ret_status, error);
}

int zs_box_pack(const char *id, const char *folder, int to, int *ret_status, struct zs_error *error)
{
	char *words[] = { (char *)(uintptr_t)folder, NULL };
	ZS_AUTO_FD int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct zs_named_order order = {
		.request = ZS_NAMED_PACK, .command = { .argv = words }, .files = { nothing, to }, .signals = true
	};

	return nothing < 0 ? zs_error_errno(error, step, "/dev/null", errno)
			   : copy_file(id, &order, NULL, ret_status, error);
}

int zs_box_unpack(const char *id, int from, const char *folder, int *ret_status, struct zs_error *error)
{
	char *words[] = { (char *)(uintptr_t)folder, NULL };
	struct zs_named_order order = { .request = ZS_NAMED_UNPACK,
		.command = { .argv = words },
		.files = { from, STDERR_FILENO },
		.signals = true };

	return copy_file(id, &order, NULL, ret_status, error);
}

int zs_box_put(const char *id, int from, const char *path, mode_t mode, int *ret_status, struct zs_error *error)
{
	return put(id, from, path, mode, NULL, false, ret_status, error);
}

int zs_box_get(const char *id, const char *path, uint64_t most, int to, int *ret_status, struct zs_error *error)
{
	return get(id, path, most, to, NULL, false, ret_status, error);
}

int zs_box_put_alone(const char *id, int from, const char *path, mode_t mode, const char *user, int *ret_status,
	struct zs_error *error)
{
	return put(id, from, path, mode, user, true, ret_status, error);
}

int zs_box_get_alone(const char *id, const char *path, uint64_t most, int to, const char *user, int *ret_status,
	struct zs_error *error)
{
	return get(id, path, most, to, user, true, ret_status, error);
}

/* Other requests */

int zs_box_is_root(const char *id, bool *ret_root, bool *ret_users, struct zs_error *error)
{
	ZS_AUTO_FD int connection = -1;
	struct zs_named_answer answer;
	int r = open_box(id, &connection, error);

	if (r == 0 && (zs_named_ask(connection, ZS_NAMED_SHOW, &answer) < 0 || answer.kind != ZS_NAMED_SHOWN))
		r = zs_error_say(error, step, id, EPIPE, "has ended");
	if (r == 0) {
		*ret_root = answer.status > 0;
		*ret_users = answer.status > 1;
	}
	return r;
}

int zs_box_cut(const char *id, struct zs_error *error)
{
	ZS_AUTO_FD int connection = -1;
	struct zs_named_answer answer;
	int r = open_box(id, &connection, error);

	if (r == 0 && zs_named_ask(connection, ZS_NAMED_CUT, &answer) < 0)
		r = zs_error_say(error, step, id, EPIPE, "has ended");
	if (r < 0 || answer.kind == ZS_NAMED_CUT_OFF)
		return r;
	if (answer.kind == ZS_NAMED_LOST)
		return zs_error_say(error, step, id, EPIPE, "its connections could not be ended, so the box was");
	zs_error_say(error, step, id, EOPNOTSUPP, "it shares the machine's network, which cannot be taken away");
	return zs_error_hint(error, -EOPNOTSUPP, "make the box with --host, not with --net full");
}

int zs_box_resume(const char *id, const char *token, struct zs_error *error)
{
	struct zs_named_hello hello = { .protocol = ZS_NAMED_PROTOCOL, .request = ZS_NAMED_RESUME };
	ZS_AUTO_FD int connection = -1;
	struct zs_named_log none = { -1, 0 };
	struct zs_named_answer answer;
	int r = open_box(id, &connection, error);

	if (r < 0)
		return r;
	snprintf(hello.key, sizeof hello.key, "%s", token);
	if (send(connection, &hello, sizeof hello, MSG_NOSIGNAL) < 0 || !zs_named_take(connection, &answer, &none))
		return zs_error_say(error, step, id, EPIPE, "has ended");
	if (answer.kind == ZS_NAMED_RESUMED)
		return 0;
	if (answer.kind == ZS_NAMED_DENIED)
		return zs_error_say(error, step, id, EPERM, "has no such token");
	return zs_error_say(error, step, id, EPIPE, "its hosts could not be given back, so it was ended");
}

int zs_box_close(const char *id, struct zs_error *error)
{
	ZS_AUTO_FD int connection = -1;
	struct zs_named_answer answer;
	int r = open_box(id, &connection, error);

	if (r < 0)
		return r;
	r = zs_named_ask(connection, ZS_NAMED_END, &answer);
	return r < 0 ? zs_error_errno(error, step, id, -r) : 0;
}

struct each {
	void (*each)(const struct zs_box_shown *shown, void *arg);
	void *arg;
};

static void show(const struct zs_named_shown *shown, void *arg)
{
	const struct each *all = arg;

	all->each(&(struct zs_box_shown){ shown->name, shown->workspace, shown->seconds, shown->processes }, all->arg);
}

int zs_box_each(void (*each)(const struct zs_box_shown *shown, void *arg), void *arg, struct zs_error *error)
{
	return zs_named_list(prefix, 1, show, &(struct each){ each, arg }, error);
}
