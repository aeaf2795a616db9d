/* Named sessions: named_session.h. */
#include "named_session.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/path.h"
#include "base/read_file.h"
#include "linux/named_command.h"
#include "linux/named_place.h"
#include "linux/named_start.h"
#include "policy/environment.h"
#include "settings/settings_places.h"
#include "zs_shim.h"

extern char **environ;

static const char step[] = "session";
static const char prefix[] = "named-";

int zs_named_check(const char *name, struct zs_error *error)
{
	size_t len = strlen(name);
	bool good = len > 0 && len <= ZS_NAMED_NAME_MAX && isalnum((unsigned char)*name);

	for (size_t i = 0; good && i < len; i++)
		good = isalnum((unsigned char)name[i]) || strchr("-_.", name[i]);
	return good ? 0
		    : zs_error_say(error, step, name, EINVAL,
			      "is no name of 1 to %d letters, digits, '-', '_' and '.' that begins with a letter or "
			      "digit",
			      ZS_NAMED_NAME_MAX);
}

/* Sessions of one name in different workspaces are different ones. */
static int find_file(const char *workspace, const char *name, char file[ZS_NAMED_FILE], struct zs_error *error)
{
	struct stat st;

	if (stat(workspace ? workspace : "/", &st) < 0)
		return zs_error_errno(error, step, workspace, errno);
	snprintf(file, ZS_NAMED_FILE, "%s%llx-%llx-%s", prefix, (unsigned long long)st.st_dev,
		(unsigned long long)st.st_ino, name);
	return 0;
}

/* Connects to the session; starts it if there is none. The lock keeps two clients from starting two. */
static int find_session(struct zs_named_daemon *daemon, int *ret_connection, struct zs_error *error)
{
	ZS_AUTO_FD int lock = openat(daemon->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int r = lock < 0 ? zs_error_errno(error, step, "", errno) : zs_lock_open_folder(step, "", lock, error);

	if (r < 0)
		return r;
	r = zs_named_connect(daemon->folder, daemon->file);
	if (r == -ECONNREFUSED || r == -ENOENT) {
		daemon->owner = zs_named_owner();
		r = zs_named_start(daemon, error);
		if (r < 0)
			return r;
		r = zs_named_connect(daemon->folder, daemon->file);
	}
	if (r < 0)
		return zs_error_errno(error, step, daemon->file, -r);
	*ret_connection = r;
	return 0;
}

static int judge(const struct zs_named_result *result, const char *name, int *ret_status, struct zs_error *error)
{
	const struct zs_named_answer *answer = &result->answer;

	switch ((enum zs_named_kind)answer->kind) {
	case ZS_NAMED_EXITED:
		*ret_status = answer->status;
		return 0;
	case ZS_NAMED_OTHER:
		if (answer->status == EAGAIN)
			return zs_error_say(
				error, step, name, EAGAIN, "runs %d commands already", ZS_NAMED_CLIENTS_MAX);
		zs_error_say(error, step, name, EEXIST, "was started with another policy or other options");
		return zs_error_hint(error, -EEXIST, "give the same ones, or end it: zs end %s", name);
	case ZS_NAMED_LOST:
		/* A session that could not start gives no log. */
		if (result->log.file < 0 && zs_write_all(STDERR_FILENO, answer->text, strlen(answer->text)) < 0)
			return zs_error_errno(error, step, name, EIO);
		*ret_status = answer->status;
		if (answer->status != ZS_EXIT_CANNOT_ENFORCE)
			zs_notice("zs: session %s has ended, and the command with it", name);
		return 0;
	case ZS_NAMED_TAKEN:
	case ZS_NAMED_SHOWN:
	case ZS_NAMED_ENDED:
	case ZS_NAMED_CUT_OFF:
	case ZS_NAMED_RESUMED:
	case ZS_NAMED_DENIED:
		break;
	}
	return zs_error_errno(error, step, name, EBADMSG);
}

static int run_in(int connection, const char *key, const char *name, const struct zs_session_command *command,
	int denials, int *ret_status, struct zs_error *error)
{
	const struct zs_named_order order = { .request = ZS_NAMED_RUN,
		.key = key,
		.command = *command,
		.files = { STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO },
		.denials = denials,
		.signals = true };
	struct zs_named_result result;
	int r = zs_named_command(connection, &order, &result);

	if (r == -EPIPE)
		return zs_error_say(error, step, name, EPIPE, "has ended; start it again");
	if (r < 0)
		return zs_error_errno(error, step, name, -r);
	zs_named_print(connection, &result.log);
	return judge(&result, name, ret_status, error);
}

static int make_key(struct zs_named_daemon *daemon, struct zs_error *error)
{
	ZS_AUTO_FREE char *text = NULL;
	ZS_AUTO_FREE char *whole = NULL;
	size_t len;
	int r = zs_policy_to_json(daemon->policy, false, &text, &len, error);

	if (r < 0)
		return r;
	whole = malloc(len + 32);
	if (!whole)
		return zs_error_errno(error, step, "", ENOMEM);
	memcpy(whole, text, len);
	len += (size_t)snprintf(whole + len, 32, "\n%" PRIu64, daemon->idle_seconds);
	zs_sha256(whole, len, daemon->key);
	return 0;
}

int zs_named_check_file(const struct zs_policy *policy, const char *file, struct zs_error *error)
{
	ZS_AUTO_FREE char *here = realpath(".", NULL);
	ZS_AUTO_FREE char *path = here && *file != '/' ? zs_path_join(here, file) : strdup(file);
	int r = path ? zs_policy_check_way(policy, step, path, error) : zs_error_errno(error, step, file, ENOMEM);

	if (r == 0 && zs_policy_can_write(policy, path)) {
		zs_error_say(error, step, file, EPERM, "the session's commands can write there");
		r = zs_error_hint(error, -EPERM, "name a file elsewhere");
	}
	return r;
}

/* *denials becomes 0 when the command has it. */
static int run(struct zs_policy *policy, const char *name, uint64_t idle_seconds, char *const argv[], int *denials,
	int *ret_status, struct zs_error *error)
{
	char file[ZS_NAMED_FILE], cwd[PATH_MAX];
	ZS_AUTO_FD int folder = -1;
	ZS_AUTO_FD int connection = -1;
	struct zs_named_daemon daemon = { .envp = environ, .file = file, .idle_seconds = idle_seconds, .owner = -1 };
	struct zs_policy *resolved;
	char **env;
	int r = zs_named_check(name, error);

	if (r < 0)
		return r;
	if (policy->workspace && policy->workspace_access == ZS_WORKSPACE_OVERLAY)
		return zs_error_say(error, step, name, EINVAL, "a session cannot be a dry run");
	if (!getcwd(cwd, sizeof cwd))
		return zs_error_errno(error, step, "working directory", errno);
	/* The resolved policy is a copy, and has the variables of the proxy. */
	r = zs_policy_resolve(policy, &resolved, error);
	if (r < 0)
		return r;
	r = zs_env_filter(resolved, environ, &env);
	if (r < 0)
		return zs_error_errno(error, step, "", -r);
	daemon.policy = policy;
	r = make_key(&daemon, error);
	if (r == 0)
		r = find_file(policy->workspace, name, file, error);
	if (r == 0)
		r = zs_named_folder(policy->workspace, true, &folder, error);
	daemon.folder = folder;
	if (r == 0)
		r = find_session(&daemon, &connection, error);
	if (r == 0) {
		int channel = *denials;

		*denials = 0;
		r = run_in(connection, daemon.key, name, &(struct zs_session_command){ cwd, argv, env }, channel,
			ret_status, error);
	}
	free(env);
	zs_policy_free(resolved);
	return r;
}

int zs_named_run(struct zs_policy *policy, const char *name, uint64_t idle_seconds, char *const argv[], int denials,
	int *ret_status, struct zs_error *error)
{
	int r = run(policy, name, idle_seconds, argv, &denials, ret_status, error);

	zs_named_no_command(denials);
	return r;
}

/* Other requests */

int zs_named_end(const char *workspace, const char *name, struct zs_error *error)
{
	char file[ZS_NAMED_FILE];
	ZS_AUTO_FD int folder = -1;
	ZS_AUTO_FD int connection = -1;
	struct zs_named_answer answer;
	int r = zs_named_check(name, error);

	if (r == 0)
		r = find_file(workspace, name, file, error);
	if (r == 0)
		r = zs_named_folder(NULL, false, &folder, error);
	if (r == 0)
		r = connection = zs_named_connect(folder, file);
	if (r == -ECONNREFUSED || r == -ENOENT)
		return zs_error_hint(error,
			zs_error_say(error, step, name, ENOENT, "there is no such session in this workspace"),
			"'zs end --list' shows all");
	if (r >= 0)
		r = zs_named_ask(connection, ZS_NAMED_END, &answer);
	return r < 0 ? zs_error_errno(error, step, name, -r) : 0;
}

/* named-DEVICE-INODE-NAME */
int zs_named_each(void (*each)(const struct zs_named_shown *shown, void *arg), void *arg, struct zs_error *error)
{
	return zs_named_list(prefix, 3, each, arg, error);
}
