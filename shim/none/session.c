/* No sessions on this system. */
#include "zs_shim.h"

#include <errno.h>

#include "base/error.h"
#include "enforce/session_request.h"

static const char why[] = "not available on this system";

int zs_session_answer(int socket, int result, const struct zs_error *error)
{
	(void)socket;
	(void)result;
	(void)error;
	return -EOPNOTSUPP;
}

int zs_session_open(const struct zs_sandbox *sandbox, const struct zs_session_options *options,
	struct zs_session **ret_session, struct zs_error *error)
{
	(void)sandbox;
	(void)options;
	(void)ret_session;
	return zs_error_say(error, "session", "", EOPNOTSUPP, "%s", why);
}

int zs_session_spawn(struct zs_session *session, char *const argv[], char *const envp[],
	const struct zs_spawn_options *options, pid_t *ret_pid, struct zs_error *error)
{
	(void)session;
	(void)argv;
	(void)envp;
	(void)options;
	(void)ret_pid;
	return zs_error_say(error, "session", "", EOPNOTSUPP, "%s", why);
}

void zs_session_close(struct zs_session *session)
{
	(void)session;
}
