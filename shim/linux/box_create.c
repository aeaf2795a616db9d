/* A host's box: a process of one thread makes it, since the host may have many. */
#include "zs_box.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/variable_names.h"
#include "linux/named_message.h"
#include "named_session.h"
#include "self.h"
#include "wrapped.h"

extern char **environ;

static const char step[] = "box";

/* The maker's answer. The error's step is in its object. */
struct made {
	uint32_t protocol;
	int32_t result;
	char id[ZS_BOX_ID_SIZE];
	struct zs_error error;
};

_Noreturn void zs_box_be_maker(const char *json, char *const words[])
{
	struct made made = { .protocol = ZS_NAMED_PROTOCOL };
	pid_t owner = words[0] ? (pid_t)strtol(words[0], NULL, 10) : 0;
	struct zs_policy *policy;

	made.result = zs_policy_from_json(json, strlen(json), NULL, &policy, &made.error);
	if (made.result == 0)
		made.result = zs_box_make(policy, owner, made.id, NULL, &made.error);
	if (made.result < 0 && strcmp(made.error.step, step) != 0) {
		char object[sizeof made.error.object];

		snprintf(object, sizeof object, "%s%s%.400s", made.error.step, *made.error.object ? ": " : "",
			made.error.object);
		memcpy(made.error.object, object, sizeof object);
	}
	_exit(send(STDIN_FILENO, &made, sizeof made, MSG_NOSIGNAL) == (ssize_t)sizeof made ? EXIT_SUCCESS
											   : EXIT_FAILURE);
}

/* They would reach the maker's loader. */
static bool is_dropped(const char *entry)
{
	return zs_env_is_loader(entry, strcspn(entry, "="));
}

static int start_maker(
	const char *json, const struct zs_box_options *options, int socket, pid_t *ret_pid, struct zs_error *error)
{
	char owner[16], *words[] = { owner, NULL };
	const int complaints = fcntl(STDERR_FILENO, F_GETFD) < 0 ? socket : STDERR_FILENO;
	const int stdio[] = { socket, complaints, complaints };
	const struct zs_spawn_options spawned = {
		.executable = options->executable, .cwd = options->cwd, .stdio = stdio
	};
	const struct zs_wrap_parts parts = { .marker = ZS_SHIM_BOX,
		.argv = words,
		.envp = environ,
		.is_dropped = is_dropped,
		.executable = options->executable,
		.own = { { ZS_SHIM_POLICY, json } } };
	struct zs_wrapped wrapped;
	int r;

	snprintf(owner, sizeof owner, "%ld", (long)(options->owner ? options->owner : getpid()));
	r = zs_wrap_parts(&parts, &wrapped, error);
	return r < 0 ? r : zs_spawn_wrapped(&wrapped, &spawned, ret_pid, error);
}

static int take_answer(int socket, char ret_id[ZS_BOX_ID_SIZE], struct zs_error *error)
{
	struct made made;
	ssize_t len;

	do
		len = recv(socket, &made, sizeof made, 0);
	while (len < 0 && errno == EINTR);
	if (len != (ssize_t)sizeof made || made.protocol != ZS_NAMED_PROTOCOL)
		return zs_error_hint(error,
			zs_error_say(error, step, "", EPROTO, "the process that makes it gives no answer"),
			"does the program call zs_exec_shim() first, and has it the same version of zs?");
	made.error.step = step;
	if (made.result < 0 && error)
		*error = made.error;
	if (made.result == 0)
		memcpy(ret_id, made.id, ZS_BOX_ID_SIZE);
	return made.result;
}

int zs_box_create(const struct zs_policy *policy, const struct zs_box_options *options, char ret_id[ZS_BOX_ID_SIZE],
	struct zs_error *error)
{
	static const struct zs_box_options plain = { 0 };
	ZS_AUTO_FREE char *json = NULL;
	int ends[2], r;
	size_t len;
	pid_t pid;

	options = options ? options : &plain;
	if (!options->executable && !zs_shim_is_entered())
		return zs_error_hint(error,
			zs_error_say(error, step, "", EPERM, "this program has not called zs_exec_shim()"),
			"call it first in main, or name another program as executable");
	r = zs_policy_to_json(policy, false, &json, &len, error);
	if (r < 0)
		return r;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return zs_error_errno(error, step, "socketpair", errno);
	r = start_maker(json, options, ends[1], &pid, error);
	close(ends[1]);
	if (r == 0) {
		r = take_answer(ends[0], ret_id, error);
		/* ECHILD: a host that waits for any child may have reaped it. */
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
		}
	}
	close(ends[0]);
	return r;
}
