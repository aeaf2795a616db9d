#include "linux/store/confined.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "zs_shim.h"

static _Noreturn void be(const struct zs_policy *policy, char *const argv[], int in, int out)
{
	char *const none[] = { NULL };
	struct zs_error error;

	if (dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0)
		_exit(ZS_EXIT_CANNOT_ENFORCE);
	signal(SIGPIPE, SIG_DFL);
	zs_exec(policy, argv, none, &error);
	zs_error_write_last(STDERR_FILENO, &error);
	_exit(ZS_EXIT_CANNOT_ENFORCE);
}

int zs_confined_start(
	char *const argv[], const struct zs_confined *confined, int in, int out, pid_t *ret_pid, struct zs_error *error)
{
	struct zs_policy *policy;
	int r = zs_policy_new(NULL, &policy);

	if (r < 0)
		return zs_error_errno(error, confined->step, NULL, -r);
	r = zs_policy_add_exec(policy, argv[0], error);
	if (r == 0)
		r = zs_policy_add_path(policy, "/dev/null", ZS_ACCESS_WRITE, error);
	if (r == 0)
		r = zs_policy_add_path(policy, "/dev/urandom", ZS_ACCESS_READ, error);
	if (r == 0 && confined->reads)
		r = zs_policy_add_path(policy, confined->reads, ZS_ACCESS_READ, error);
	if (r == 0 && confined->writes)
		r = zs_policy_add_path(policy, confined->writes, ZS_ACCESS_WRITE, error);
	if (r == 0) {
		*ret_pid = fork();
		if (*ret_pid == 0)
			be(policy, argv, in, out);
		r = *ret_pid < 0 ? zs_error_errno(error, confined->step, "fork", errno) : 0;
	}
	zs_policy_free(policy);
	return r;
}

int zs_confined_wait(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	if (!WIFEXITED(status))
		return -ECANCELED;
	if (WEXITSTATUS(status) == ZS_EXIT_CANNOT_ENFORCE)
		return -EOPNOTSUPP;
	return WEXITSTATUS(status) == 0 ? 0 : -ECANCELED;
}
