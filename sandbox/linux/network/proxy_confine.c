#include "linux/network/proxy.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "linux/base/landlock_rights.h"
#include "linux/base/process_calls.h"
#include "linux/locks/locks.h"

#if defined(__x86_64__)
#define OWN_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCH AUDIT_ARCH_AARCH64
#endif

static int fill_standard(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	int r = null < 0 ? -errno : 0;

	for (int fd = 0; r == 0 && fd <= STDERR_FILENO; fd++)
		if (dup2(null, fd) < 0)
			r = -errno;
	if (null >= 0)
		close(null);
	return r;
}

int zs_proxy_close_others(int socket, int report)
{
	int r = zs_close_others((const int[]){ socket, report }, 2);

	return r < 0 ? r : fill_standard();
}

/* Denies all access to files with Landlock: every right is handled and none is granted. Outgoing connections stay
 * possible; the proxy itself judges them by the policy. */
static int restrict_files(void)
{
	int abi = zs_landlock_abi();
	const struct landlock_ruleset_attr attr = {
		.handled_access_fs = abi < 0 ? 0 : zs_landlock_handled_fs(abi, ZS_TIER_LANDLOCK),
		.handled_access_net = abi < 0 ? 0 : zs_landlock_handled_net(abi) & LANDLOCK_ACCESS_NET_BIND_TCP,
		.scoped = abi < 0 ? 0 : zs_landlock_scoped(abi),
	};
	ZS_AUTO_FD int ruleset = abi < 0 ? abi : (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof attr, 0);
	ZS_AUTO_FD int folder = -1;
	int r;

	if (abi < 0)
		return abi;
	r = ruleset < 0 ? -errno : zs_landlock_restrict(ruleset);
	if (r < 0)
		return r;
	/* A seccomp filter of the caller may have faked the success. */
	folder = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return folder >= 0 || errno != EACCES ? -EPERM : 0;
}

/* The calls that the proxy's loop makes, itself or through the C library. All others are refused. */
static const uint32_t calls[] = {
#ifdef SYS_epoll_wait
	SYS_epoll_wait, SYS_poll,
#endif
	SYS_epoll_pwait, SYS_epoll_create1, SYS_epoll_ctl, SYS_ppoll, SYS_read, SYS_write, SYS_readv, SYS_writev,
	SYS_recvfrom, SYS_sendto, SYS_recvmsg, SYS_sendmsg, SYS_splice, SYS_pipe2, SYS_accept4,
	SYS_accept /* for proxy/plain */, SYS_connect, SYS_shutdown, SYS_getsockname, SYS_getpeername, SYS_getsockopt,
	SYS_setsockopt, SYS_close, SYS_fcntl, SYS_clock_gettime, SYS_getrandom, SYS_brk, SYS_munmap, SYS_mremap,
	SYS_madvise, SYS_futex, SYS_restart_syscall, SYS_sigaltstack /* ASan asks before an exit */, SYS_exit,
	SYS_exit_group
};

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define IF(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no)
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

enum { SOCK_TYPE_BITS = 0xf, FILTER_MAX = 128 };

/* The next calls are judged by their arguments: TCP and UDP sockets may be made, and memory may be mapped that is not
 * executable. */
/* clang-format off */
static const struct sock_filter by_argument[] = {
	IF(SYS_socket, 0, 8), /* family, then type */
	LOAD(args[0]),
	IF(AF_INET, 1, 0),
	IF(AF_INET6, 0, 4),
	LOAD(args[1]),
	BPF_STMT(BPF_ALU | BPF_AND | BPF_K, SOCK_TYPE_BITS),
	IF(SOCK_STREAM, 2, 0),
	IF(SOCK_DGRAM, 1, 0),
	REFUSE,
	ALLOW, /* only TCP and UDP sockets get here */
};

static const struct sock_filter by_memory[] = {
	IF(SYS_mmap, 1, 0),
	IF(SYS_mprotect, 0, 3),
	LOAD(args[2]),
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0),
	ALLOW,
	REFUSE,
};
/* clang-format on */

static int restrict_calls(void)
{
	struct sock_filter code[FILTER_MAX];
	size_t count = 0;

	code[count++] = (struct sock_filter)LOAD(arch);
	code[count++] = (struct sock_filter)IF(OWN_ARCH, 1, 0);
	code[count++] = (struct sock_filter)REFUSE;
	code[count++] = (struct sock_filter)LOAD(nr);
	for (size_t i = 0; i < ZS_COUNT(calls); i++) {
		code[count++] = (struct sock_filter)IF(calls[i], 0, 1);
		code[count++] = (struct sock_filter)ALLOW;
	}
	code[count++] = (struct sock_filter)IF(SYS_socket, 0, (uint8_t)(ZS_COUNT(by_argument) - 1));
	for (size_t i = 1; i < ZS_COUNT(by_argument); i++)
		code[count++] = by_argument[i];
	for (size_t i = 0; i < ZS_COUNT(by_memory); i++)
		code[count++] = by_memory[i];
	return zs_seccomp_install(code, count);
}

/* Forbids children and core dumps. */
static int set_limits(void)
{
	const struct rlimit none = { 0, 0 };

	if (setrlimit(RLIMIT_NPROC, &none) < 0 || setrlimit(RLIMIT_CORE, &none) < 0)
		return -errno;
	return 0;
}

static int end_dumps(void)
{
	return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0 ? -errno : 0;
}

static int drop_capabilities(void)
{
	const char *object;

	return zs_capabilities_end(false, &object);
}

int zs_proxy_confine(const char **ret_object)
{
	static const struct {
		const char *name;
		int (*apply)(void);
	} steps[] = {
		{ "proxy: dumpable", end_dumps },
		{ "proxy: limits", set_limits },
		{ "proxy: capabilities", drop_capabilities },
		{ "proxy: no_new_privs", zs_no_new_privs_set },
		{ "proxy: landlock", restrict_files },
		{ "proxy: seccomp", restrict_calls },
	};
	int r = 0;

	for (size_t i = 0; r == 0 && i < ZS_COUNT(steps); i++) {
		*ret_object = steps[i].name;
		r = steps[i].apply();
	}
	return r;
}
