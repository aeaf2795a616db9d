/* The system calls whose failure the tracer looks at, and where their arguments are. Pure. */
#ifndef ZS_SANDBOX_LINUX_TRACE_CALLS_H
#define ZS_SANDBOX_LINUX_TRACE_CALLS_H

#include <sys/syscall.h>

#include "denial/attempt.h"

enum zs_trace_shape {
	ZS_TRACE_PATH,   /* a path */
	ZS_TRACE_OPEN,   /* extra: the flags of open(2) */
	ZS_TRACE_HOW,    /* extra: a struct open_how */
	ZS_TRACE_ACCESS, /* extra: the mode of access(2) */
	ZS_TRACE_TWO,    /* extra: the second path; its folder is the argument before, if the call has folders */
	ZS_TRACE_FILE,   /* path: a descriptor */
	ZS_TRACE_SOCKET_ADDRESS, /* path: the address; extra: its size; dir: the socket */
	ZS_TRACE_PID,            /* path: the pid */
	ZS_TRACE_KIND,           /* the arguments of socket(2) */
	ZS_TRACE_PLAIN,          /* no argument counts */
};

/* call, shape, attempt, and the numbers of the arguments: folder (-1: none), path, extra. The first rows exist on old
 * architectures alone. */
#define ZS_TRACE_OLD_CALLS(X)                                                                                          \
	X(open, OPEN, READ, -1, 0, 1)                                                                                  \
	X(creat, PATH, WRITE, -1, 0, 0)                                                                                \
	X(stat, PATH, LOOK, -1, 0, 0)                                                                                  \
	X(lstat, PATH, LOOK, -1, 0, 0)                                                                                 \
	X(access, ACCESS, LOOK, -1, 0, 1)                                                                              \
	X(readlink, PATH, LOOK, -1, 0, 0)                                                                              \
	X(mkdir, PATH, MAKE, -1, 0, 0)                                                                                 \
	X(rmdir, PATH, REMOVE, -1, 0, 0)                                                                               \
	X(unlink, PATH, REMOVE, -1, 0, 0)                                                                              \
	X(mknod, PATH, MAKE, -1, 0, 0)                                                                                 \
	X(symlink, PATH, MAKE, -1, 1, 0)                                                                               \
	X(rename, TWO, REMOVE, -1, 0, 1)                                                                               \
	X(link, TWO, MAKE, -1, 0, 1)                                                                                   \
	X(chmod, PATH, CHANGE, -1, 0, 0)                                                                               \
	X(chown, PATH, CHANGE, -1, 0, 0)                                                                               \
	X(lchown, PATH, CHANGE, -1, 0, 0)                                                                              \
	X(utime, PATH, CHANGE, -1, 0, 0)                                                                               \
	X(utimes, PATH, CHANGE, -1, 0, 0)                                                                              \
	X(futimesat, PATH, CHANGE, 0, 1, 0)                                                                            \
	X(fork, PLAIN, FORK, -1, 0, 0)                                                                                 \
	X(vfork, PLAIN, FORK, -1, 0, 0)

#define ZS_TRACE_CALLS(X)                                                                                              \
	X(openat, OPEN, READ, 0, 1, 2)                                                                                 \
	X(openat2, HOW, READ, 0, 1, 2)                                                                                 \
	X(newfstatat, PATH, LOOK, 0, 1, 0)                                                                             \
	X(statx, PATH, LOOK, 0, 1, 0)                                                                                  \
	X(faccessat, ACCESS, LOOK, 0, 1, 2)                                                                            \
	X(faccessat2, ACCESS, LOOK, 0, 1, 2)                                                                           \
	X(readlinkat, PATH, LOOK, 0, 1, 0)                                                                             \
	X(statfs, PATH, LOOK, -1, 0, 0)                                                                                \
	X(getxattr, PATH, LOOK, -1, 0, 0)                                                                              \
	X(chdir, PATH, READ, -1, 0, 0)                                                                                 \
	X(inotify_add_watch, PATH, READ, -1, 1, 0)                                                                     \
	X(execve, PATH, EXEC, -1, 0, 0)                                                                                \
	X(execveat, PATH, EXEC, 0, 1, 0)                                                                               \
	X(mkdirat, PATH, MAKE, 0, 1, 0)                                                                                \
	X(unlinkat, PATH, REMOVE, 0, 1, 0)                                                                             \
	X(mknodat, PATH, MAKE, 0, 1, 0)                                                                                \
	X(symlinkat, PATH, MAKE, 1, 2, 0)                                                                              \
	X(renameat, TWO, REMOVE, 0, 1, 3)                                                                              \
	X(renameat2, TWO, REMOVE, 0, 1, 3)                                                                             \
	X(linkat, TWO, MAKE, 0, 1, 3)                                                                                  \
	X(truncate, PATH, CHANGE, -1, 0, 0)                                                                            \
	X(fchmod, FILE, CHANGE, -1, 0, 0)                                                                              \
	X(fchmodat, PATH, CHANGE, 0, 1, 0)                                                                             \
	X(fchmodat2, PATH, CHANGE, 0, 1, 0)                                                                            \
	X(fchown, FILE, CHANGE, -1, 0, 0)                                                                              \
	X(fchownat, PATH, CHANGE, 0, 1, 0)                                                                             \
	X(utimensat, PATH, CHANGE, 0, 1, 0)                                                                            \
	X(setxattr, PATH, CHANGE, -1, 0, 0)                                                                            \
	X(lsetxattr, PATH, CHANGE, -1, 0, 0)                                                                           \
	X(fsetxattr, FILE, CHANGE, -1, 0, 0)                                                                           \
	X(removexattr, PATH, CHANGE, -1, 0, 0)                                                                         \
	X(write, FILE, CHANGE, -1, 0, 0)                                                                               \
	X(pwrite64, FILE, CHANGE, -1, 0, 0)                                                                            \
	X(writev, FILE, CHANGE, -1, 0, 0)                                                                              \
	X(ftruncate, FILE, CHANGE, -1, 0, 0)                                                                           \
	X(fallocate, FILE, CHANGE, -1, 0, 0)                                                                           \
	X(connect, SOCKET_ADDRESS, CONNECT, 0, 1, 2)                                                                   \
	X(bind, SOCKET_ADDRESS, CONNECT, 0, 1, 2)                                                                      \
	X(sendto, SOCKET_ADDRESS, CONNECT, 0, 4, 5)                                                                    \
	X(kill, PID, SIGNAL, -1, 0, 0)                                                                                 \
	X(tkill, PID, SIGNAL, -1, 0, 0)                                                                                \
	X(tgkill, PID, SIGNAL, -1, 0, 0)                                                                               \
	X(pidfd_open, PID, SIGNAL, -1, 0, 0)                                                                           \
	X(socket, KIND, SOCKET, -1, 0, 0)                                                                              \
	X(socketpair, KIND, SOCKET, -1, 0, 0)                                                                          \
	X(clone, PLAIN, FORK, -1, 0, 0)                                                                                \
	X(mmap, PLAIN, CALL, -1, 0, 0)                                                                                 \
	X(mremap, PLAIN, CALL, -1, 0, 0)                                                                               \
	X(brk, PLAIN, CALL, -1, 0, 0)                                                                                  \
	X(dup, PLAIN, CALL, -1, 0, 0)                                                                                  \
	X(pipe2, PLAIN, CALL, -1, 0, 0)

struct zs_trace_call {
	char name[20];
	long number;
	enum zs_trace_shape shape;
	enum zs_attempt attempt;
	int folder, path, extra;
};

#endif
