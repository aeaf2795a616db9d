#include "seccomp_attacks.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int answer(long result)
{
	return result < 0 ? errno : 0;
}

/* Types a character into a pty of its own. */
static int on_terminal(unsigned long request, unsigned long high)
{
	int master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC), zero = 0, terminal;
	static char argument[16] = "x";

	if (master < 0 || ioctl(master, TIOCSPTLCK, &zero) < 0)
		return 97;
	terminal = ioctl(master, TIOCGPTPEER, O_RDWR | O_CLOEXEC);
	setsid();
	if (terminal < 0 || ioctl(terminal, TIOCSCTTY, 0) < 0)
		return 97;
	memset(argument, 0, sizeof argument);
	return answer(syscall(SYS_ioctl, terminal, (high << 32) | request, argument));
}

static int trace_child(void)
{
	pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(answer(ptrace(PTRACE_TRACEME, 0, NULL, NULL)));
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

static int limit_another(void)
{
	static const struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };
	pid_t pid = fork();
	int cause, status;

	if (pid == 0) {
		pause();
		_exit(0);
	}
	cause = answer(syscall(SYS_prlimit64, pid, RLIMIT_CPU, &limit, NULL));
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return cause;
}

/* Runs in a child, since a clone with these flags would leave another one behind. */
static int clone_into(unsigned long flags)
{
	long pid = syscall(SYS_clone, flags | SIGCHLD, NULL, NULL, NULL, NULL);
	int status;

	if (pid == 0)
		_exit(0);
	if (pid > 0)
		waitpid((pid_t)pid, &status, 0);
	return answer(pid);
}

static int fork_vfork(void)
{
	pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(0);
	return waitpid(pid, &status, 0) == pid ? 0 : errno;
}

static int make_node(mode_t mode)
{
	char path[] = "/tmp/zs-node-XXXXXX";
	char node[64];
	int cause;

	/* A confined process cannot write /tmp, but the filter decides before the path is looked up. */
	if (!mkdtemp(path))
		snprintf(path, sizeof path, "/tmp");
	snprintf(node, sizeof node, "%s/node", path);
	cause = answer(mknodat(AT_FDCWD, node, mode | 0600, 0));
	unlink(node);
	if (strlen(path) > 4)
		rmdir(path);
	return cause;
}

/* Uses a folder that can be written unconfined and confined; the filter decides before the path is looked up. */
static int make_whiteout(void)
{
	char folder[] = "/tmp/zs-whiteout-XXXXXX", from[64], to[64];
	int cause;

	if (!mkdtemp(folder))
		snprintf(folder, sizeof folder, "/tmp");
	snprintf(from, sizeof from, "%s/from", folder);
	snprintf(to, sizeof to, "%s/to", folder);
	close(open(from, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	cause = answer(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 1 << 2));
	unlink(from);
	unlink(to);
	rmdir(folder);
	return cause;
}

static int pair_of(int family, int type)
{
	int pair[2];

	return answer(socketpair(family, type, 0, pair));
}

/* clang-format off */
#define VARIANT(name, result) static int name(void) { return result; }
VARIANT(type_into_terminal, on_terminal(TIOCSTI, 0))
VARIANT(type_with_high_bits, on_terminal(TIOCSTI, 0x80000001))
VARIANT(paste, on_terminal(TIOCLINUX, 0))
VARIANT(paste_with_high_bits, on_terminal(TIOCLINUX, 1))
VARIANT(line_discipline, on_terminal(TIOCSETD, 0))
VARIANT(line_discipline_with_high_bits, on_terminal(TIOCSETD, 0xffffffff))
VARIANT(window_size, on_terminal(TIOCGWINSZ, 0))
VARIANT(clone_users, clone_into(CLONE_NEWUSER))
VARIANT(clone_network, clone_into(CLONE_NEWUSER | CLONE_NEWNET))
VARIANT(clone_plain, clone_into(0))
VARIANT(make_character_device, make_node(S_IFCHR))
VARIANT(make_block_device, make_node(S_IFBLK))
VARIANT(local_pair, pair_of(AF_UNIX, SOCK_STREAM))
VARIANT(local_datagram_pair, pair_of(AF_UNIX, SOCK_DGRAM))
VARIANT(tipc_pair, pair_of(30, SOCK_SEQPACKET))
/* clang-format on */

#ifdef __x86_64__
/* Calls getpid as a 32-bit program does. */
static int old_system_call(void)
{
	long result;

	__asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory", "r8", "r9", "r10", "r11");
	return result > 0 ? 0 : 1;
}
#endif

enum { KILLED = 128 + SIGSYS, OTHER = ATTACK_ANSWERED_OTHERWISE, BAD = 0x7fff };

#define REFUSED(name, free, ...) { #name, EPERM, free, SYS_##name, { __VA_ARGS__ }, NULL }
#define RUN(function, confined, free) { #function, confined, free, 0, { 0 }, function }
#define SOCKET(name, confined, free, ...) { name, confined, free, SYS_socket, { __VA_ARGS__ }, NULL }

static const char none[] = "/no/such/path";
#define NONE (long)(intptr_t)none

/* clang-format off */
const struct seccomp_attack seccomp_attacks[] = {
	{ "io_uring_setup", ENOSYS, OTHER, SYS_io_uring_setup, { 1, 0 }, NULL },
	{ "io_uring_enter", ENOSYS, OTHER, SYS_io_uring_enter, { -1 }, NULL },
	{ "io_uring_register", ENOSYS, OTHER, SYS_io_uring_register, { -1, 2 }, NULL },
	{ "clone3", ENOSYS, OTHER, SYS_clone3, { 0, 0 }, NULL },
	REFUSED(unshare, 0, CLONE_NEWUSER),
	{ "unshare_time", EPERM, 0, SYS_unshare, { 0x80 }, NULL },
	{ "unshare_files", 0, 0, SYS_unshare, { CLONE_FILES }, NULL },
	REFUSED(setns, OTHER, -1, 0),
	RUN(clone_users, EPERM, 0),
	RUN(clone_network, EPERM, 0),
	RUN(clone_plain, 0, 0),
	RUN(fork_vfork, 0, 0),
	/* The target is the command's own process. A pid namespace shows no others, so gdb and strace work. */
	RUN(trace_child, 0, 0),
	RUN(limit_another, 0, 0),
	REFUSED(process_madvise, OTHER, -1, 0, 0, 0, 0),
	REFUSED(pidfd_getfd, OTHER, -1, 0, 0),
	REFUSED(add_key, OTHER, 0),
	REFUSED(request_key, OTHER, 0),
	REFUSED(keyctl, 0, 0, -3, 1),
	REFUSED(bpf, OTHER, BAD, 0, 0),
	REFUSED(perf_event_open, OTHER, 0, 0, 0, -1, 0),
	REFUSED(userfaultfd, OTHER, BAD),
	REFUSED(fanotify_init, OTHER, -1, 0),
	REFUSED(mount, OTHER, 0, NONE, 0, 0x1000, 0),
	REFUSED(umount2, OTHER, NONE, 0),
	REFUSED(pivot_root, OTHER, NONE, NONE),
	REFUSED(chroot, OTHER, NONE),
	REFUSED(open_tree, OTHER, -100, NONE, 0),
	REFUSED(move_mount, OTHER, -100, NONE, -100, NONE, 0),
	REFUSED(fsopen, OTHER, 0, 0),
	REFUSED(fsconfig, OTHER, -1, 99, 0, 0, 0),
	REFUSED(fsmount, OTHER, -1, BAD, 0),
	REFUSED(fspick, OTHER, -1, 0, BAD),
	REFUSED(mount_setattr, OTHER, -1, 0, 0, 0, 0),
	{ "open_tree_attr", EPERM, OTHER, 467, { -1, 0, 0, 0, 0 }, NULL },
	{ "name_to_handle_at", EOPNOTSUPP, OTHER, SYS_name_to_handle_at, { -100, NONE, 0, 0, 0 }, NULL },
	REFUSED(open_by_handle_at, OTHER, -100, 0, 0),
	RUN(make_character_device, EPERM, 0),
	RUN(make_block_device, EPERM, 0),
	RUN(make_whiteout, EPERM, 0),
	{ "file_setattr", EPERM, OTHER, 469, { -1, 0, 0, 0, 0 }, NULL },
	/* BTRFS_IOC_SNAP_CREATE, BCH_IOCTL_SUBVOLUME_CREATE, FIFREEZE, FS_IOC_SETFLAGS of no file */
	{ "snapshot", EPERM, OTHER, SYS_ioctl, { -1, 0x50009401 }, NULL },
	{ "bcachefs", EPERM, OTHER, SYS_ioctl, { -1, 0x4020bc10 }, NULL },
	{ "freeze", EPERM, OTHER, SYS_ioctl, { -1, 0xc0045877 }, NULL },
	{ "flags", EPERM, OTHER, SYS_ioctl, { -1, 0x40086602 }, NULL },
	REFUSED(reboot, OTHER, 0, 0, 0, 0),
	REFUSED(swapon, OTHER, NONE, 0),
	REFUSED(swapoff, OTHER, NONE),
	REFUSED(acct, OTHER, NONE),
	REFUSED(quotactl, OTHER, BAD << 8, 0, 0, 0),
	{ "quotactl_fd", EPERM, OTHER, 443, { -1, 0, 0, 0 }, NULL },
	REFUSED(syslog, OTHER, 99, 0, 0),
	REFUSED(settimeofday, 0, 0, 0),
	REFUSED(clock_settime, OTHER, 99, 0),
	REFUSED(clock_adjtime, OTHER, 0, 0),
	REFUSED(adjtimex, OTHER, 0),
	REFUSED(sethostname, OTHER, 0, -1),
	REFUSED(setdomainname, OTHER, 0, -1),
	REFUSED(kexec_load, OTHER, 0, BAD, 0, 0),
	REFUSED(delete_module, OTHER, NONE, 04000),
	{ "personality", EPERM, 0, SYS_personality, { 0x400000 }, NULL },
	{ "personality_query", 0, 0, SYS_personality, { 0xffffffff }, NULL },
	{ "personality_gdb", 0, 0, SYS_personality, { 0x40000 }, NULL },
	RUN(type_into_terminal, EPERM, 0),
	RUN(type_with_high_bits, EPERM, 0),
	RUN(paste, EPERM, OTHER),
	RUN(paste_with_high_bits, EPERM, OTHER),
	RUN(line_discipline, EPERM, 0),
	RUN(line_discipline_with_high_bits, EPERM, 0),
	RUN(window_size, 0, 0),
	SOCKET("raw_ipv4", EPERM, 0, AF_INET, SOCK_RAW, 1),
	SOCKET("raw_ipv6", EPERM, 0, AF_INET6, SOCK_RAW, 58),
	SOCKET("packet_by_inet", EPERM, 0, AF_INET, SOCK_PACKET, 0),
	SOCKET("packet", EAFNOSUPPORT, 0, AF_PACKET, SOCK_RAW, 0),
	SOCKET("vsock", EAFNOSUPPORT, 0, AF_VSOCK, SOCK_STREAM, 0),
	SOCKET("netlink_uevent", EPROTONOSUPPORT, 0, AF_NETLINK, SOCK_DGRAM, 15),
	SOCKET("netlink_route", 0, 0, AF_NETLINK, SOCK_RAW, 0),
	SOCKET("tcp", 0, 0, AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 6),
	SOCKET("udp6", 0, 0, AF_INET6, SOCK_DGRAM, 0),
	SOCKET("local", EACCES, 0, AF_UNIX, SOCK_DGRAM, 0),
	RUN(local_pair, 0, 0),
	RUN(local_datagram_pair, EACCES, 0), /* each can send to any address */
	RUN(tipc_pair, EAFNOSUPPORT, EAFNOSUPPORT),
	{ "no_call", ENOSYS, ENOSYS, -1, { 0 }, NULL },
	{ "unknown_call", ENOSYS, ENOSYS, 4095, { 0 }, NULL },
#ifdef __x86_64__
	REFUSED(iopl, OTHER, 4),
	REFUSED(ioperm, OTHER, -1, 1, 1),
	{ "x32", KILLED, OTHER, 0x40000000 + 39, { 0 }, NULL },
	RUN(old_system_call, KILLED, 0),
#endif
};
/* clang-format on */

const size_t seccomp_attack_count = sizeof seccomp_attacks / sizeof seccomp_attacks[0];

int attack_call(const char *name, const char *b)
{
	(void)b;
	for (size_t i = 0; i < seccomp_attack_count; i++) {
		const struct seccomp_attack *row = &seccomp_attacks[i];
		const long *args = row->args;

		if (strcmp(row->name, name) != 0)
			continue;
		if (row->run)
			return row->run();
		return answer(syscall(row->call, args[0], args[1], args[2], args[3], args[4], args[5]));
	}
	fprintf(stderr, "no system call is named %s\n", name);
	return 98;
}
