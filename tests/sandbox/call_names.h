/* System calls by name, and which argument of each is a path. */
#ifndef ZS_TESTS_SANDBOX_CALL_NAMES_H
#define ZS_TESTS_SANDBOX_CALL_NAMES_H

#include <sys/syscall.h>

/* clang-format off */
static const struct call_row {
	long number;
	const char *name;
	int path; /* -1: none */
} call_rows[] = {
#define ROW(name, path) { SYS_##name, #name, path }
#ifdef SYS_open /* those that aarch64 never had */
	ROW(access, 0), ROW(arch_prctl, -1), ROW(chmod, 0), ROW(dup2, -1), ROW(epoll_create, -1), ROW(epoll_wait, -1),
	ROW(fork, -1), ROW(getdents, -1), ROW(lstat, 0), ROW(mkdir, 0), ROW(open, 0), ROW(pipe, -1), ROW(poll, -1),
	ROW(readlink, 0), ROW(rmdir, 0), ROW(select, -1), ROW(signalfd, -1), ROW(stat, 0), ROW(unlink, 0),
	ROW(vfork, -1),
#endif
	ROW(brk, -1), ROW(capget, -1), ROW(capset, -1), ROW(chdir, 0), ROW(chroot, 0), ROW(clock_gettime, -1),
	ROW(clone, -1), ROW(clone3, -1), ROW(close, -1), ROW(close_range, -1), ROW(dup, -1), ROW(dup3, -1),
	ROW(epoll_create1, -1), ROW(epoll_ctl, -1), ROW(epoll_pwait, -1), ROW(eventfd2, -1), ROW(execve, 0),
	ROW(execveat, 1), ROW(exit, -1), ROW(exit_group, -1), ROW(faccessat, 1), ROW(faccessat2, 1), ROW(fchdir, -1),
	ROW(fchmod, -1), ROW(fchmodat, 1), ROW(fcntl, -1), ROW(flock, -1), ROW(fsconfig, -1), ROW(fsmount, -1),
	ROW(fsopen, -1),
	ROW(fstat, -1), ROW(fstatfs, -1), ROW(ftruncate, -1), ROW(futex, -1), ROW(getcwd, -1), ROW(getdents64, -1),
	ROW(getegid, -1), ROW(geteuid, -1), ROW(getgid, -1), ROW(getpid, -1), ROW(getppid, -1), ROW(getrandom, -1),
	ROW(gettid, -1), ROW(getuid, -1), ROW(ioctl, -1), ROW(keyctl, -1), ROW(kill, -1),
	ROW(landlock_add_rule, -1), ROW(landlock_create_ruleset, -1), ROW(landlock_restrict_self, -1), ROW(lseek, -1),
	ROW(madvise, -1), ROW(membarrier, -1), ROW(memfd_create, -1), ROW(mkdirat, 1), ROW(mknodat, 1), ROW(mmap, -1),
	ROW(mount, 1), ROW(mount_setattr, 1), ROW(move_mount, -1), ROW(mprotect, -1), ROW(mremap, -1),
	ROW(munmap, -1), ROW(nanosleep, -1), ROW(newfstatat, 1), ROW(open_tree, 1), ROW(openat, 1), ROW(openat2, 1),
	ROW(pidfd_open, -1), ROW(pidfd_send_signal, -1), ROW(pipe2, -1), ROW(pivot_root, 0), ROW(ppoll, -1),
	ROW(prctl, -1), ROW(pread64, -1), ROW(prlimit64, -1), ROW(read, -1), ROW(readlinkat, 1), ROW(readv, -1),
	ROW(recvfrom, -1), ROW(recvmsg, -1),
	ROW(rseq, -1), ROW(rt_sigaction, -1), ROW(rt_sigprocmask, -1), ROW(rt_sigreturn, -1),
	ROW(rt_sigtimedwait, -1), ROW(sched_getaffinity, -1), ROW(seccomp, -1),
	ROW(sendmsg, -1), ROW(sendto, -1), ROW(set_robust_list, -1),
	ROW(set_tid_address, -1), ROW(setgroups, -1), ROW(sethostname, -1), ROW(setns, -1), ROW(setpgid, -1),
	ROW(setpriority, -1), ROW(setresgid, -1), ROW(setresuid, -1), ROW(setsid, -1), ROW(sigaltstack, -1),
	ROW(signalfd4, -1), ROW(socket, -1), ROW(socketpair, -1), ROW(statfs, 0), ROW(statx, 1), ROW(symlinkat, 2),
	ROW(tgkill, -1), ROW(timerfd_create, -1), ROW(timerfd_settime, -1), ROW(tkill, -1), ROW(umask, -1),
	ROW(umount2, 0), ROW(uname, -1), ROW(unlinkat, 1), ROW(unshare, -1), ROW(wait4, -1), ROW(waitid, -1),
	ROW(write, -1), ROW(writev, -1),
#undef ROW
};
/* clang-format on */

#endif
