/* Starts a wrapped command. posix_spawn(3) is vfork-like everywhere: clone(CLONE_VM | CLONE_VFORK) in musl and glibc, a
 * system call of its own on macOS. */
#include "zs_shim.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>

#include "error.h"

static const char step[] = "spawn";

/* posix_spawn's functions return a positive errno, and do nothing after `r` is set. */
static int add_stdio(posix_spawn_file_actions_t *actions, const int *stdio)
{
	int r = 0;

	/* Targets may be sources too ({ 1, 0, 2 }), so every source is first moved out of the targets' way. */
	for (int i = 0; r == 0 && i < 3; i++)
		r = posix_spawn_file_actions_adddup2(actions, stdio[i], 1000 + i);
	for (int i = 0; r == 0 && i < 3; i++)
		r = posix_spawn_file_actions_adddup2(actions, 1000 + i, i);
	for (int i = 0; r == 0 && i < 3; i++)
		r = posix_spawn_file_actions_addclose(actions, 1000 + i);
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

static int spawn(const struct zs_wrapped *wrapped, const struct zs_spawn_options *options, pid_t *ret_pid)
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
	if (r == 0 && options->stdio)
		r = add_stdio(&actions, options->stdio);
	if (r == 0 && options->cwd)
		r = posix_spawn_file_actions_addchdir_np(&actions, options->cwd);
	if (r == 0)
		r = posix_spawn(ret_pid, wrapped->path, &actions, &attributes, wrapped->argv, wrapped->envp);
	posix_spawnattr_destroy(&attributes);
free_actions:
	posix_spawn_file_actions_destroy(&actions);
	return r;
}

int zs_spawn(const struct zs_sandbox *sandbox, char *const argv[], char *const envp[],
	const struct zs_spawn_options *options, pid_t *ret_pid, struct zs_error *error)
{
	static const struct zs_spawn_options plain = { 0 };
	struct zs_wrapped wrapped;
	int r = zs_wrap(sandbox, argv, envp, &wrapped, error);

	if (r < 0)
		return r;
	if (!options)
		options = &plain;
	if (options->executable)
		wrapped.path = options->executable;
	r = spawn(&wrapped, options, ret_pid);
	if (r != 0)
		zs_error_errno(error, step, options->cwd ? options->cwd : wrapped.path, r);
	zs_wrapped_free(&wrapped);
	return -r;
}
