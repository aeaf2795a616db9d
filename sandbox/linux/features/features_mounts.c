/* Whether a root directory of one's own can be made, and a /proc: the calls of the mounts stage, for real. */
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <sched.h>
#include <sys/stat.h>
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
	/* Behind a return, musl's clone has one exit(2) and then hlt: as pid 1, and traced, it would meet that for
	 * ever. It does not end by _exit(3) either, which ASan wants on a stack that it knows. */
	for (;;)
		syscall(SYS_exit, 0);
}

/* The memory is shared, and waits; see run_child() of features.c. */
static int run_in(int namespaces, struct attempt *attempt)
{
	_Alignas(16) char stack[16 * 1024];
	pid_t pid = clone(run_attempt, stack + sizeof stack, namespaces | CLONE_VM | CLONE_VFORK, attempt);

	if (pid < 0)
		return -errno;
	while (waitpid(pid, NULL, (int)__WCLONE) < 0)
		if (errno != EINTR)
			return -errno;
	return 0;
}

/* As zs_root_begin(), without what it allocates: a file system, attached; a part of it, bound; and that as "/". */
static int make_root(struct zs_root_tree *tree)
{
	static const char folder[] = "folder";
	int r;

	tree->scratch = zs_mount_new("tmpfs", NULL, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
	if (tree->scratch < 0)
		return tree->scratch;
	r = zs_mount_attach(tree->scratch, AT_FDCWD, "/");
	if (r < 0)
		return r;
	if (mkdirat(tree->scratch, folder, 0700) < 0)
		return -errno;
	tree->root = zs_mount_clone(tree->scratch, folder, MOUNT_ATTR_RDONLY);
	if (tree->root < 0)
		return tree->root;
	r = zs_mount_attach(tree->root, AT_FDCWD, "/");
	return r < 0 ? r : zs_root_enter(tree);
}

static int enter_root(void)
{
	struct zs_root_tree tree = ZS_ROOT_TREE_NONE;
	int r = make_root(&tree);

	zs_root_end(&tree);
	return r;
}

static int mount_proc(void)
{
	ZS_AUTO_FD int mount = zs_mount_new("proc", NULL, MOUNT_ATTR_RDONLY);

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
	/* To mount anything takes a mount namespace of the same user. */
	int r = run_in(CLONE_NEWPID | CLONE_NEWNS, &attempt);

	if (r == 0)
		*ret_proc = attempt.result;
	return r;
}
