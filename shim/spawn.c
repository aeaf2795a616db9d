/* Starts a wrapped command. posix_spawn(3) is vfork-like everywhere: clone(CLONE_VM | CLONE_VFORK) in musl and glibc, a
 * system call of its own on macOS. */
#include "wrapped.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

static const char step[] = "spawn";

/* Copies of the descriptors that become 0, 1 and 2, with numbers above these: a number may be both source and target,
 * as in { 1, 0, 2 }. They are made here and not in the child, since here the kernel chooses free numbers. They are
 * close-on-exec, so that another thread's exec does not inherit them. */
struct copies {
	int fds[3];
};

static void close_copies(struct copies *copies)
{
	for (int i = 0; i < 3; i++)
		if (copies->fds[i] >= 0)
			close(copies->fds[i]);
}

static int copy_stdio(const int *stdio, struct copies *ret_copies, struct zs_error *error)
{
	static const char *const names[] = { "stdio[0]", "stdio[1]", "stdio[2]" };
	struct copies copies = { { -1, -1, -1 } };

	for (int i = 0; stdio && i < 3; i++) {
		copies.fds[i] = fcntl(stdio[i], F_DUPFD_CLOEXEC, 3);
		if (copies.fds[i] < 0) {
			int cause = errno;

			close_copies(&copies);
			return zs_error_errno(error, step, names[i], cause);
		}
	}
	*ret_copies = copies;
	return 0;
}

/* The functions of posix_spawn(3) return a positive errno. Once `r` is set, no further one is called. */
static int add_stdio(posix_spawn_file_actions_t *actions, const struct copies *copies)
{
	int r = 0;

	for (int i = 0; r == 0 && i < 3; i++)
		if (copies->fds[i] >= 0)
			r = posix_spawn_file_actions_adddup2(actions, copies->fds[i], i);
	return r;
}

static int add_attributes(posix_spawnattr_t *attributes)
{
	sigset_t none, all;
	int r;

	sigemptyset(&none);
	sigfillset(&all);
	r = posix_spawnattr_setsigmask(attributes, &none);
	if (r == 0)
		r = posix_spawnattr_setsigdefault(attributes, &all);
	if (r == 0)
		r = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	return r;
}

static int spawn(const struct zs_wrapped *wrapped, const struct zs_spawn_options *options, const struct copies *copies,
	pid_t *ret_pid)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int r = posix_spawn_file_actions_init(&actions);

	if (r != 0)
		return r;
	r = posix_spawnattr_init(&attributes);
	if (r != 0)
		goto free_actions;
	r = add_attributes(&attributes);
	if (r == 0)
		r = add_stdio(&actions, copies);
	/* Duplicating a descriptor onto itself clears its close-on-exec flag (POSIX.1-2024). */
	if (r == 0 && options->overlay)
		r = posix_spawn_file_actions_adddup2(&actions, options->overlay, options->overlay);
	if (r == 0 && options->report)
		r = posix_spawn_file_actions_adddup2(&actions, options->report, options->report);
	if (r == 0 && options->denials)
		r = posix_spawn_file_actions_adddup2(&actions, options->denials, options->denials);
	if (r == 0 && options->cwd)
		r = posix_spawn_file_actions_addchdir_np(&actions, options->cwd);
	if (r == 0)
		r = posix_spawn(ret_pid, wrapped->path, &actions, &attributes, wrapped->argv, wrapped->envp);
	posix_spawnattr_destroy(&attributes);
free_actions:
	posix_spawn_file_actions_destroy(&actions);
	return r;
}

/* Guesses which object is at fault: posix_spawn(3) does not say which of its steps failed. */
static const char *culprit(const struct zs_wrapped *wrapped, const struct zs_spawn_options *options, int cause)
{
	struct stat st;

	if (!options->cwd)
		return wrapped->path;
	if (stat(options->cwd, &st) < 0)
		return errno == cause ? options->cwd : wrapped->path;
	if (!S_ISDIR(st.st_mode))
		return cause == ENOTDIR ? options->cwd : wrapped->path;
	return cause == EACCES && access(options->cwd, X_OK) < 0 ? options->cwd : wrapped->path;
}

int zs_spawn_wrapped(
	struct zs_wrapped *wrapped, const struct zs_spawn_options *options, pid_t *ret_pid, struct zs_error *error)
{
	static const struct zs_spawn_options plain = { 0 };
	struct copies copies;
	int r;

	if (!options)
		options = &plain;
	if (options->executable)
		wrapped->path = options->executable;
	r = copy_stdio(options->stdio, &copies, error);
	if (r == 0) {
		r = -spawn(wrapped, options, &copies, ret_pid);
		close_copies(&copies);
		if (r < 0)
			zs_error_errno(error, step, culprit(wrapped, options, -r), -r);
	}
	zs_wrapped_free(wrapped);
	return r;
}

int zs_spawn(const struct zs_sandbox *sandbox, char *const argv[], char *const envp[],
	const struct zs_spawn_options *options, pid_t *ret_pid, struct zs_error *error)
{
	struct zs_wrapped wrapped;
	int r = zs_wrap_with(sandbox, argv, envp, options, &wrapped, error);

	return r < 0 ? r : zs_spawn_wrapped(&wrapped, options, ret_pid, error);
}
