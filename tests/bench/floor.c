/* The time that the kernel alone takes for the promises of the default policy: its calls, one behind the other, for
 * places that are known beforehand. Nothing is read, decided, checked, watched, limited or reported, so that no program
 * that keeps these promises in this way is quicker.
 *
 *	bench-floor mounts ARGV...     namespaces, mounts, Landlock, seccomp: as 'zs run' of an ordinary user
 *	bench-floor landlock ARGV...   without namespaces
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <linux/mount.h>
#include <linux/seccomp.h>
#include <linux/securebits.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "linux/base/mount_calls.h"
#include "linux/locks/seccomp_filter.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { STACK_BYTES = 16 * 1024 };

/* The rights to write, as Landlock's ABI 5 knows them, without truncation, which the mounts decide. */
#define WRITE                                                                                                          \
	(LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |              \
		LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |             \
		LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_REFER)
#define READ (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_EXECUTE)

/* The places that the default policy shows, each folder behind the one that holds it. */
static const char *const folders[] = { "/dev", "/sys", "/sys/devices", "/sys/devices/system", "/sys/fs", "/sys/kernel",
	"/sys/kernel/mm", "/var" };
static const char *const trees[] = { "/usr", "/etc", "/opt", "/sys/devices/system/cpu", "/sys/devices/system/node",
	"/sys/kernel/mm/transparent_hugepage", "/sys/fs/cgroup" };
static const char *const devices[] = { "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom",
	"/dev/tty" };
static const char *const written[] = { "/dev/null", "/dev/zero", "/dev/full", "/dev/tty" };
static const char *const private[] = { "/tmp", "/var/tmp", "/dev/shm" };
static const char *const links[] = { "/bin", "/sbin", "/lib", "/lib64" };

static char workspace[PATH_MAX];

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "bench-floor: %s: %s\n", what, strerror(errno));
	_exit(125);
}

static int need(long r, const char *what)
{
	if (r < 0) {
		if (r < -1)
			errno = (int)-r;
		die(what);
	}
	return (int)r;
}

static void write_text(const char *path, const char *text)
{
	int fd = need(open(path, O_WRONLY | O_CLOEXEC), path);

	need(write(fd, text, strlen(text)), path);
	close(fd);
}

static void enter_namespaces(void)
{
	char map[64];
	uid_t uid = geteuid();
	gid_t gid = getegid();

	need(unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC), "unshare");
	write_text("/proc/self/setgroups", "deny");
	snprintf(map, sizeof map, "%u %u 1\n", uid, uid);
	write_text("/proc/self/uid_map", map);
	snprintf(map, sizeof map, "%u %u 1\n", gid, gid);
	write_text("/proc/self/gid_map", map);
}

static void make_network(void)
{
	struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int fd;

	need(unshare(CLONE_NEWNET), "network");
	fd = need(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), "socket");
	need(ioctl(fd, SIOCSIFFLAGS, &request), "lo");
	close(fd);
}

static bool is_there(const char *path, struct stat *ret_st)
{
	return lstat(path, ret_st) == 0;
}

static void attach(int mount, int root, const char *path)
{
	need(zs_mount_attach(mount, root, path + 1), path);
	close(mount);
}

static void show(int root, const char *path, uint64_t attributes)
{
	struct stat st;

	if (!is_there(path, &st))
		return;
	if (S_ISDIR(st.st_mode))
		need(mkdirat(root, path + 1, 0555), path);
	else
		need(mknodat(root, path + 1, S_IFREG | 0600, 0), path);
	attach(need(zs_mount_clone(AT_FDCWD, path, attributes), path), root, path);
}

static void make_parents(int root, const char *path)
{
	char parent[PATH_MAX];

	for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(parent, sizeof parent, "%.*s", (int)(slash - path), path);
		if (mkdirat(root, parent + 1, 0555) < 0 && errno != EEXIST)
			die(parent);
	}
}

static void make_terminals(int root)
{
	static const struct zs_mount_option options[] = { { "ptmxmode", "0666" }, { "mode", "0620" }, { NULL, NULL } };
	int pts = need(zs_mount_new("devpts", options, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC), "devpts"), ptmx;

	need(mkdirat(root, "dev/pts", 0555), "pts");
	need(zs_mount_attach(pts, root, "dev/pts"), "pts");
	ptmx = need(zs_mount_clone(pts, "ptmx", MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC), "ptmx");
	need(mknodat(root, "dev/ptmx", S_IFREG | 0600, 0), "ptmx");
	attach(ptmx, root, "/dev/ptmx");
	close(pts);
}

static void make_mounts(void)
{
	static const struct zs_mount_option options[] = { { "size", "2147483648" }, { "nr_inodes", "1048576" },
		{ "mode", "0755" }, { NULL, NULL } };
	int scratch = need(zs_mount_new("tmpfs", options, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV), "tmpfs"), root;
	char target[PATH_MAX];

	need(mkdirat(scratch, "root", 0755), "root");
	need(zs_mount_attach(scratch, AT_FDCWD, "/"), "/");
	root = need(zs_mount_clone(scratch, "root", MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV), "root");
	need(zs_mount_attach(root, AT_FDCWD, "/"), "/");
	for (size_t i = 0; i < COUNT(links); i++) {
		ssize_t len = readlink(links[i], target, sizeof target - 1);

		if (len < 0)
			continue;
		target[len] = '\0';
		need(symlinkat(target, root, links[i] + 1), links[i]);
	}
	for (size_t i = 0; i < COUNT(folders); i++)
		need(mkdirat(root, folders[i] + 1, 0555), folders[i]);
	for (size_t i = 0; i < COUNT(private); i++) {
		const char *name = strrchr(private[i], '/') + 1;
		char own[16];

		snprintf(own, sizeof own, "%zu", i);
		need(mkdirat(scratch, own, 01777), name);
		need(mkdirat(root, private[i] + 1, 0555), private[i]);
		attach(need(zs_mount_clone(scratch, own, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV), name), root,
			private[i]);
	}
	for (size_t i = 0; i < COUNT(devices); i++)
		show(root, devices[i], MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID);
	make_terminals(root);
	for (size_t i = 0; i < COUNT(trees); i++)
		show(root, trees[i], MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
	need(mkdirat(root, "proc", 0555), "proc");
	attach(need(zs_mount_new(
			    "proc", NULL, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC),
		       "proc"),
		root, "/proc");
	make_parents(root, workspace);
	show(root, workspace, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
	need(zs_mount_restrict(root, MOUNT_ATTR_RDONLY), "/");
	if (fchdir(scratch) < 0 || syscall(SYS_pivot_root, ".", ".") < 0 || fchdir(root) < 0 || chroot(".") < 0 ||
		umount2(".", MNT_DETACH) < 0 || chdir(workspace) < 0)
		die("pivot_root");
	close(scratch);
	close(root);
}

static void drop_capabilities(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { 0 };

	need(prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |
					      SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED |
					      SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED),
		"securebits");
	for (unsigned long capability = 0; prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0; capability++) {
	}
	need(syscall(SYS_capset, &header, none), "capset");
}

static void add_rules(int ruleset, const char *const *paths, size_t count, uint64_t access)
{
	for (size_t i = 0; i < count; i++) {
		struct landlock_path_beneath_attr rule = { .allowed_access = access };
		struct stat st;

		rule.parent_fd = open(paths[i], O_PATH | O_CLOEXEC | O_NOFOLLOW);
		if (rule.parent_fd < 0)
			continue;
		if (fstat(rule.parent_fd, &st) == 0 && !S_ISDIR(st.st_mode))
			rule.allowed_access &= LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE;
		need(syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0), paths[i]);
		close(rule.parent_fd);
	}
}

static void restrict_files(bool mounts)
{
	const struct landlock_ruleset_attr handled = { .handled_access_fs = WRITE | (mounts ? 0 : READ) };
	const char *const work[] = { workspace };
	uint64_t all = handled.handled_access_fs;
	int ruleset = need(syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0), "landlock");

	add_rules(ruleset, work, COUNT(work), all);
	add_rules(ruleset, written, COUNT(written), all);
	if (mounts)
		add_rules(ruleset, private, COUNT(private), all);
	else
		add_rules(ruleset, trees, COUNT(trees), READ);
	need(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs");
	need(syscall(SYS_landlock_restrict_self, ruleset, 0), "landlock");
	close(ruleset);
}

static void restrict_calls(bool mounts)
{
	const struct zs_seccomp_options options = {
		.inet = mounts, .unix_sockets = true, .own_pids = mounts, .own_processes = true
	};
	struct sock_filter code[ZS_SECCOMP_FILTER_MAX];
	struct sock_fprog program = { .filter = code };
#ifdef __aarch64__
	int count = zs_seccomp_filter(ZS_SECCOMP_AARCH64, &options, code, ZS_SECCOMP_FILTER_MAX);
#else
	int count = zs_seccomp_filter(ZS_SECCOMP_X86_64, &options, code, ZS_SECCOMP_FILTER_MAX);
#endif

	program.len = (unsigned short)need(count, "filter");
	need(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program), "seccomp");
}

static int become(void *arg)
{
	char **argv = arg;

	execv(argv[0], argv);
	die(argv[0]);
}

static int wait_for(pid_t pid)
{
	int status;

	need(waitpid(pid, &status, 0), "waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int run_command(char **argv)
{
	_Alignas(16) static char stack[STACK_BYTES];

	return wait_for(need(clone(become, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, argv), "clone"));
}

static int run_with_mounts(char **argv)
{
	int supervisor, gate[2];
	pid_t init;
	char byte;

	enter_namespaces();
	supervisor = need(syscall(SYS_pidfd_open, getpid(), 0), "pidfd_open");
	need(pipe2(gate, O_CLOEXEC), "pipe");
	init = need(fork(), "fork");
	if (init > 0) {
		make_network();
		need(write(gate[1], "", 1), "gate");
		return wait_for(init);
	}
	make_mounts();
	need(read(gate[0], &byte, 1), "gate");
	need(setns(supervisor, CLONE_NEWNET), "setns");
	drop_capabilities();
	restrict_files(true);
	restrict_calls(true);
	_exit(run_command(argv));
}

static int run_without(char **argv)
{
	restrict_files(false);
	restrict_calls(false);
	return run_command(argv);
}

int main(int argc, char **argv)
{
	bool mounts = argc > 2 && strcmp(argv[1], "mounts") == 0;

	if (argc < 3 || (!mounts && strcmp(argv[1], "landlock") != 0)) {
		fprintf(stderr, "usage: bench-floor mounts|landlock ARGV...\n");
		return 125;
	}
	if (!getcwd(workspace, sizeof workspace))
		die("getcwd");
	return mounts ? run_with_mounts(argv + 2) : run_without(argv + 2);
}
