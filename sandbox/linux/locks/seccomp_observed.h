/* Lists the system calls of which a run with denials tells the init before they are made (linux/run/observer.c): those
 * that write, execute, signal or name a socket by a path. Pure. */
#ifndef ZS_SANDBOX_LINUX_SECCOMP_OBSERVED_H
#define ZS_SANDBOX_LINUX_SECCOMP_OBSERVED_H

/* name, number on x86_64 and on aarch64 (-1: the call does not exist there), the argument that decides (-1: none does),
 * what it decides by: FLAGS that write, or a POINTER that is not NULL. */
#define ZS_SECCOMP_OBSERVED(X)                                                                                         \
	X(open, 2, -1, 1, FLAGS)                                                                                       \
	X(openat, 257, 56, 2, FLAGS)                                                                                   \
	X(openat2, 437, 437, -1, ALWAYS)                                                                               \
	X(creat, 85, -1, -1, ALWAYS)                                                                                   \
	X(mkdir, 83, -1, -1, ALWAYS)                                                                                   \
	X(mkdirat, 258, 34, -1, ALWAYS)                                                                                \
	X(rmdir, 84, -1, -1, ALWAYS)                                                                                   \
	X(unlink, 87, -1, -1, ALWAYS)                                                                                  \
	X(unlinkat, 263, 35, -1, ALWAYS)                                                                               \
	X(rename, 82, -1, -1, ALWAYS)                                                                                  \
	X(renameat, 264, 38, -1, ALWAYS)                                                                               \
	X(renameat2, 316, 276, -1, ALWAYS)                                                                             \
	X(link, 86, -1, -1, ALWAYS)                                                                                    \
	X(linkat, 265, 37, -1, ALWAYS)                                                                                 \
	X(symlink, 88, -1, -1, ALWAYS)                                                                                 \
	X(symlinkat, 266, 36, -1, ALWAYS)                                                                              \
	X(mknod, 133, -1, -1, ALWAYS)                                                                                  \
	X(mknodat, 259, 33, -1, ALWAYS)                                                                                \
	X(chmod, 90, -1, -1, ALWAYS)                                                                                   \
	X(fchmodat, 268, 53, -1, ALWAYS)                                                                               \
	X(fchmodat2, 452, 452, -1, ALWAYS)                                                                             \
	X(chown, 92, -1, -1, ALWAYS)                                                                                   \
	X(lchown, 94, -1, -1, ALWAYS)                                                                                  \
	X(fchownat, 260, 54, -1, ALWAYS)                                                                               \
	X(truncate, 76, 45, -1, ALWAYS)                                                                                \
	X(utime, 132, -1, -1, ALWAYS)                                                                                  \
	X(utimes, 235, -1, -1, ALWAYS)                                                                                 \
	/* Without a path they mean a descriptor, as futimens(3) does. */                                              \
	X(futimesat, 261, -1, 1, POINTER)                                                                              \
	X(utimensat, 280, 88, 1, POINTER)                                                                              \
	X(execve, 59, 221, -1, ALWAYS)                                                                                 \
	X(execveat, 322, 281, -1, ALWAYS)                                                                              \
	X(kill, 62, 129, -1, ALWAYS)                                                                                   \
	X(bind, 49, 200, -1, ALWAYS)

#endif
