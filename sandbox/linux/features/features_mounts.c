/* Tries to make a new root directory and a proc mount, with the system calls of the mounts stage. */
#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "linux/features/features.h"
#include "linux/base/mount_calls.h"
#include "linux/files/root_tree.h"

struct attempt {
	int (*run)(void);
	int result;
};

static int run_attempt(void *arg)
{
	struct attempt *attempt = arg;

	attempt->result = attempt->run();
	/* If this returned, musl's clone() would call exit(2) once and then hlt, at which a traced pid 1 would hang
	 * for ever. _exit(3) cannot be used either, since ASan wants it on a stack that it knows. */
	for (;;)
		syscall(SYS_exit, 0);
}

/* Runs the attempt in a child that shares our memory, for which we wait, as run_child() of features.c does. */
static int run_in(int namespaces, struct attempt *attempt)
{
	_Alignas(16) char stack[32 * 1024];
	pid_t pid = clone(run_attempt, stack + sizeof stack, namespaces | CLONE_VM | CLONE_VFORK, attempt);

	if (pid < 0)
		return -errno;
	while (waitpid(pid, NULL, (int)__WCLONE) < 0)
		if (errno != EINTR)
			return -errno;
	return 0;
}

static int enter_root(void)
{
	struct zs_root_tree tree;
	int r = zs_root_begin(&tree, ZS_POLICY_TMP_BYTES, false, ZS_ACCESS_READ, -1);

	if (r == 0)
		r = zs_root_enter(&tree);
	zs_root_end(&tree);
	return r;
}

static int mount_proc(void)
{
	ZS_AUTO_FD int mount = zs_proc_new();

	return mount < 0 ? mount : 0;
}

int zs_try_mounts(void)
{
	struct attempt attempt = { enter_root, -ECHILD };
	int r = run_in(CLONE_NEWNS, &attempt);

	return r < 0 ? r : attempt.result;
}

int zs_try_pids(int *ret_proc)
{
	struct attempt attempt = { mount_proc, -ECHILD };
	/* Mounting needs a mount namespace that belongs to the same user namespace. */
	int r = run_in(CLONE_NEWPID | CLONE_NEWNS, &attempt);

	if (r == 0)
		*ret_proc = attempt.result;
	return r;
}
