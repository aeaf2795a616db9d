/* The shim: a process that becomes a confined command. It never returns to the program that it is built into. */
#include "wrapped.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "enforce/backend.h"
#include "base/error.h"
#include "exec_command.h"
#include "named_session.h"
#include "policy/policy.h"
#include "self.h"
#include "enforce/session_request.h"
#include "tracker_shim.h"

extern char **environ;

static _Noreturn void stop(const struct zs_error *error, int status)
{
	zs_error_write_last(STDERR_FILENO, error);
	_exit(status);
}

static _Noreturn void exec_shim_refuse(const char *object, int cause, const char *what)
{
	struct zs_error error;

	zs_error_say(&error, "shim", object, cause, "%s", what);
	stop(&error, ZS_EXIT_CANNOT_ENFORCE);
}

/* Returns a variable's value, or NULL. A variable that occurs twice is an error: somebody may have added one. */
static const char *find_variable(const char *name)
{
	const char *found = NULL;
	size_t len = strlen(name);

	for (char **entry = environ; entry && *entry; entry++) {
		if (strncmp(*entry, name, len) != 0 || (*entry)[len] != '=')
			continue;
		if (found)
			exec_shim_refuse(name, EEXIST, "is there twice");
		found = *entry + len + 1;
	}
	return found;
}

static const char *find_policy(void)
{
	const char *found = find_variable(ZS_SHIM_POLICY);

	if (!found)
		exec_shim_refuse(
			ZS_SHIM_POLICY, ENOENT, "is missing; this name is for zs_wrap() and zs_spawn() to use");
	return found;
}

/* Returns the descriptor that the variable names; -1: none. */
static int find_descriptor(const char *name)
{
	const char *text = find_variable(name);
	long number;
	char *end;

	if (!text)
		return -1;
	errno = 0;
	number = strtol(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || number <= STDERR_FILENO || number > INT_MAX)
		exec_shim_refuse(name, EINVAL, "is no descriptor's number");
	return (int)number;
}

/* The shim enforces a resolved policy, in which patterns have become files. */
static int read_resolved(const char *json, struct zs_policy **ret_policy, struct zs_error *error)
{
	/* No envp is needed: "~" has been expanded before. */
	int r = zs_policy_from_json(json, strlen(json), NULL, ret_policy, error);

	if (r < 0 || !(*ret_policy)->pattern_count)
		return r;
	zs_policy_free(*ret_policy);
	return zs_error_say(error, "shim", "paths", EINVAL, "hold a pattern; zs_sandbox_new() makes it files");
}

static _Noreturn void be_shim(char **argv)
{
	const char *json = find_policy();
	const struct zs_run_descriptors own = { find_descriptor(ZS_SHIM_OVERLAY), find_descriptor(ZS_SHIM_REPORT),
		find_descriptor(ZS_SHIM_DENIALS) };
	struct zs_policy *policy;
	struct zs_error error;

	if (!argv[0])
		exec_shim_refuse("", EINVAL, "no command");
	if (read_resolved(json, &policy, &error) < 0)
		stop(&error, ZS_EXIT_CANNOT_ENFORCE);
	zs_exec_confined(policy, argv, environ, &own);
}

/* Becomes a session parent. It reports errors to its host over the socket. */
static _Noreturn void be_session_parent(char **words)
{
	const char *json = find_policy();
	struct zs_policy *policy;
	struct zs_error error;
	int r = read_resolved(json, &policy, &error);

	if (r == 0)
		r = zs_backend_session(policy, environ, STDIN_FILENO, find_descriptor(ZS_SHIM_REPORT),
			words[0] && words[1] && strcmp(words[1], ZS_SHIM_SESSION_DENIALS) == 0, zs_exec_become, &error);
	zs_session_answer(STDIN_FILENO, r, &error);
	_exit(ZS_EXIT_CANNOT_ENFORCE);
}

/* Becomes a tracked command. argv: the path, or "", and then the command's words. */
static _Noreturn void be_tracked(char **argv)
{
	struct zs_error error;
	int status;

	if (!argv[0] || !argv[1])
		exec_shim_refuse("", EINVAL, "no command");
	if (zs_tracker_join(environ, &error) < 0)
		stop(&error, ZS_EXIT_CANNOT_ENFORCE);
	if (*argv[0])
		execve(argv[0], argv + 1, environ);
	if (*argv[0])
		status = zs_exec_judge(argv[0], errno, &error);
	else
		status = zs_exec_become(argv + 1, environ, &error);
	stop(&error, status);
}

void zs_exec_shim(int argc, char **argv)
{
	zs_shim_enter();
	if (argc > 0 && strcmp(argv[0], ZS_TRACKER_WATCHDOG) == 0)
		zs_tracker_keep();
	if (argc > 0 && strcmp(argv[0], ZS_TRACKER_COMMAND) == 0)
		be_tracked(argv + 1);
	if (argc > 0 && strcmp(argv[0], ZS_SHIM_ARGV0) == 0)
		be_shim(argv + 1);
	if (argc > 0 && strcmp(argv[0], ZS_SHIM_SESSION_PARENT) == 0)
		be_session_parent(argv + 1);
	if (argc > 0 && strcmp(argv[0], ZS_SHIM_BOX) == 0)
		zs_box_be_maker(find_policy(), argv + 1);
	if (argc == 2 && argv[0][0] == '-' && strcmp(argv[1], ZS_NAMED_SERVER) == 0)
		zs_named_serve(zs_exec_become);
}
