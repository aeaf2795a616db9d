/* Lists the system calls that the filter looks at, with the rule for each. Every other call passes. Pure. */
#ifndef ZS_SANDBOX_LINUX_SECCOMP_CALLS_H
#define ZS_SANDBOX_LINUX_SECCOMP_CALLS_H

#include <stddef.h>

enum zs_seccomp_arch { ZS_SECCOMP_X86_64, ZS_SECCOMP_AARCH64, ZS_SECCOMP_ARCH_COUNT };

enum zs_seccomp_rule {
	/* These do not look at arguments. */
	ZS_SECCOMP_EPERM,
	ZS_SECCOMP_ENOSYS,     /* programs fall back to another call on ENOSYS */
	ZS_SECCOMP_FALLBACK,   /* the same, of a call that C libraries make all the time: no denial */
	ZS_SECCOMP_EOPNOTSUPP, /* programs fall back on EOPNOTSUPP, which the call's man page names */
	ZS_SECCOMP_TRACE,      /* reaches into other processes: passes if own_pids */
	ZS_SECCOMP_OWNER,      /* changes owners or users: seems to succeed if root_user without users, else passes */
	ZS_SECCOMP_IPC,        /* objects without a path, shared by uid: passes if own_ipc, else ENOSYS */
	/* These look at arguments: seccomp_filter.c. */
	ZS_SECCOMP_CLONE,
	ZS_SECCOMP_UNSHARE,
	ZS_SECCOMP_MKNOD,
	ZS_SECCOMP_MKNODAT,
	ZS_SECCOMP_RENAME,
	ZS_SECCOMP_PERSONALITY,
	ZS_SECCOMP_PRLIMIT,
	ZS_SECCOMP_SETRLIMIT,
	ZS_SECCOMP_KILL,
	ZS_SECCOMP_TARGET, /* the first argument is a pid */
	ZS_SECCOMP_PRIORITY,
	ZS_SECCOMP_IOPRIO,
	ZS_SECCOMP_IOCTL,
	ZS_SECCOMP_FCNTL,
	ZS_SECCOMP_SOCKET,
	ZS_SECCOMP_SOCKETPAIR,
	ZS_SECCOMP_BROKER, /* the kernel asks the broker (linux/run/broker.c), if the options say so */
	ZS_SECCOMP_RULE_COUNT,
};

/* name, number on x86_64 and on aarch64 (-1: the call does not exist there), rule. The numbers are written here because
 * the headers of a build may be older than the kernel that runs it. */
#define ZS_SECCOMP_CALLS(X)                                                                                            \
	/* io_uring runs operations for which a filter sees no call. */                                                \
	X(io_uring_setup, 425, 425, ENOSYS)                                                                            \
	X(io_uring_enter, 426, 426, ENOSYS)                                                                            \
	X(io_uring_register, 427, 427, ENOSYS)                                                                         \
	/* Its flags are in memory, where a filter cannot look. C libraries fall back to clone(2). */                  \
	X(clone3, 435, 435, FALLBACK)                                                                                  \
	X(clone, 56, 220, CLONE)                                                                                       \
	X(unshare, 272, 97, UNSHARE)                                                                                   \
	X(setns, 308, 268, EPERM)                                                                                      \
	/* Calls that reach other processes of the same uid. */                                                        \
	X(ptrace, 101, 117, TRACE)                                                                                     \
	X(process_vm_readv, 310, 270, TRACE)                                                                           \
	X(process_vm_writev, 311, 271, TRACE)                                                                          \
	X(kcmp, 312, 272, TRACE)                                                                                       \
	X(process_madvise, 440, 440, EPERM)                                                                            \
	X(pidfd_getfd, 438, 438, EPERM)                                                                                \
	X(process_mrelease, 448, 448, EPERM)                                                                           \
	X(sched_setparam, 142, 118, TARGET)                                                                            \
	X(sched_setscheduler, 144, 119, TARGET)                                                                        \
	X(sched_setaffinity, 203, 122, TARGET)                                                                         \
	X(sched_setattr, 314, 274, TARGET)                                                                             \
	X(migrate_pages, 256, 238, TARGET)                                                                             \
	X(move_pages, 279, 239, TARGET)                                                                                \
	X(setrlimit, 160, 164, SETRLIMIT)                                                                              \
	X(prlimit64, 302, 261, PRLIMIT)                                                                                \
	/* Group 0 may span pid namespaces: the command was started in its caller's process group. */                  \
	X(kill, 62, 129, KILL)                                                                                         \
	X(setpriority, 141, 140, PRIORITY)                                                                             \
	X(ioprio_set, 251, 30, IOPRIO)                                                                                 \
	/* Refused with ENOSYS, as by a kernel that was built without them. */                                         \
	X(shmget, 29, 194, IPC)                                                                                        \
	X(shmat, 30, 196, IPC)                                                                                         \
	X(shmctl, 31, 195, IPC)                                                                                        \
	X(semget, 64, 190, IPC)                                                                                        \
	X(semop, 65, 193, IPC)                                                                                         \
	X(semctl, 66, 191, IPC)                                                                                        \
	X(semtimedop, 220, 192, IPC)                                                                                   \
	X(msgget, 68, 186, IPC)                                                                                        \
	X(msgsnd, 69, 189, IPC)                                                                                        \
	X(msgrcv, 70, 188, IPC)                                                                                        \
	X(msgctl, 71, 187, IPC)                                                                                        \
	X(mq_open, 240, 180, IPC)                                                                                      \
	X(mq_unlink, 241, 181, IPC)                                                                                    \
	X(add_key, 248, 217, EPERM)                                                                                    \
	X(request_key, 249, 218, EPERM)                                                                                \
	X(keyctl, 250, 219, EPERM)                                                                                     \
	/* Large parts of the kernel that few programs need. */                                                        \
	X(bpf, 321, 280, EPERM)                                                                                        \
	X(perf_event_open, 298, 241, EPERM)                                                                            \
	X(userfaultfd, 323, 282, EPERM)                                                                                \
	X(fanotify_init, 300, 262, EPERM)                                                                              \
	X(lookup_dcookie, 212, 18, EPERM)                                                                              \
	X(nfsservctl, 180, 42, EPERM)                                                                                  \
	/* Mounts, and ways to reach a file without its path. */                                                       \
	X(mount, 165, 40, EPERM)                                                                                       \
	X(umount2, 166, 39, EPERM)                                                                                     \
	X(pivot_root, 155, 41, EPERM)                                                                                  \
	X(chroot, 161, 51, EPERM)                                                                                      \
	X(open_tree, 428, 428, EPERM)                                                                                  \
	X(move_mount, 429, 429, EPERM)                                                                                 \
	X(fsopen, 430, 430, EPERM)                                                                                     \
	X(fsconfig, 431, 431, EPERM)                                                                                   \
	X(fsmount, 432, 432, EPERM)                                                                                    \
	X(fspick, 433, 433, EPERM)                                                                                     \
	X(mount_setattr, 442, 442, EPERM)                                                                              \
	X(open_tree_attr, 467, 467, EPERM)                                                                             \
	X(name_to_handle_at, 303, 264, EOPNOTSUPP)                                                                     \
	X(open_by_handle_at, 304, 265, EPERM)                                                                          \
	X(mknod, 133, -1, MKNOD)                                                                                       \
	X(mknodat, 259, 33, MKNODAT)                                                                                   \
	X(renameat2, 316, 276, RENAME)                                                                                 \
	/* Does by path what FS_IOC_FSSETXATTR (seccomp_ioctls.h) does by descriptor. */                               \
	X(file_setattr, 469, 469, EPERM)                                                                               \
	/* A package manager's root makes these, and the kernel knows no other user in there. */                       \
	X(chown, 92, -1, OWNER)                                                                                        \
	X(fchown, 93, 55, OWNER)                                                                                       \
	X(lchown, 94, -1, OWNER)                                                                                       \
	X(fchownat, 260, 54, OWNER)                                                                                    \
	X(setuid, 105, 146, OWNER)                                                                                     \
	X(setgid, 106, 144, OWNER)                                                                                     \
	X(setreuid, 113, 145, OWNER)                                                                                   \
	X(setregid, 114, 143, OWNER)                                                                                   \
	X(setgroups, 116, 159, OWNER)                                                                                  \
	X(setresuid, 117, 147, OWNER)                                                                                  \
	X(setresgid, 119, 149, OWNER)                                                                                  \
	/* Calls that control the machine. */                                                                          \
	X(init_module, 175, 105, EPERM)                                                                                \
	X(finit_module, 313, 273, EPERM)                                                                               \
	X(delete_module, 176, 106, EPERM)                                                                              \
	X(kexec_load, 246, 104, EPERM)                                                                                 \
	X(kexec_file_load, 320, 294, EPERM)                                                                            \
	X(reboot, 169, 142, EPERM)                                                                                     \
	X(swapon, 167, 224, EPERM)                                                                                     \
	X(swapoff, 168, 225, EPERM)                                                                                    \
	X(acct, 163, 89, EPERM)                                                                                        \
	X(quotactl, 179, 60, EPERM)                                                                                    \
	X(quotactl_fd, 443, 443, EPERM)                                                                                \
	X(syslog, 103, 116, EPERM)                                                                                     \
	X(settimeofday, 164, 170, EPERM)                                                                               \
	X(clock_settime, 227, 112, EPERM)                                                                              \
	X(clock_adjtime, 305, 266, EPERM)                                                                              \
	X(adjtimex, 159, 171, EPERM)                                                                                   \
	X(sethostname, 170, 161, EPERM)                                                                                \
	X(setdomainname, 171, 162, EPERM)                                                                              \
	X(iopl, 172, -1, EPERM)                                                                                        \
	X(ioperm, 173, -1, EPERM)                                                                                      \
	X(vhangup, 153, 58, EPERM)                                                                                     \
	X(personality, 135, 92, PERSONALITY)                                                                           \
	X(fcntl, 72, 25, FCNTL)                                                                                        \
	X(ioctl, 16, 29, IOCTL)                                                                                        \
	X(socket, 41, 198, SOCKET)                                                                                     \
	X(socketpair, 53, 199, SOCKETPAIR)                                                                             \
	X(connect, 42, 203, BROKER)                                                                                    \
	X(listen, 50, 201, BROKER)

struct zs_seccomp_call {
	char name[20];
	int numbers[ZS_SECCOMP_ARCH_COUNT];
	enum zs_seccomp_rule rule;
};

#define ZS_COUNT_CALL(name, x86_64, aarch64, rule) +1
enum { ZS_SECCOMP_CALL_COUNT = 0 ZS_SECCOMP_CALLS(ZS_COUNT_CALL) };

extern const struct zs_seccomp_call zs_seccomp_calls[ZS_SECCOMP_CALL_COUNT];

#endif
