/* The seccomp filter, first as a program that an interpreter here runs for both architectures, then as a filter that
 * stops a command. */
#include <asm/unistd.h>
#include <linux/audit.h>
#include <linux/btrfs.h>
#include <linux/capability.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/fscrypt.h>
#include <linux/fsverity.h>
#include <linux/msdos_fs.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include "attacks.h"
#include "harness.h"
#include "linux/locks/seccomp_filter.h"
#include "seccomp_attacks.h"

/* Compares the table with the headers of the build, which may lack the newest calls. */
#ifndef __NR_open_tree_attr
#define __NR_open_tree_attr 467
#endif
#ifndef __NR_file_setattr
#define __NR_file_setattr 469
#endif
#ifndef __NR_iopl
#define __NR_iopl -1
#define __NR_ioperm -1
#endif
#ifndef __NR_mknod
#define __NR_mknod -1
#define __NR_chown -1
#define __NR_lchown -1
#endif

#if defined(__x86_64__)
#define OWN_ARCH ZS_SECCOMP_X86_64
#else
#define OWN_ARCH ZS_SECCOMP_AARCH64
#endif

TEST(seccomp_numbers_are_the_kernels)
{
#define NUMBER_ROW(name, x86_64, aarch64, rule) __NR_##name,
	static const int want[] = { ZS_SECCOMP_CALLS(NUMBER_ROW) };

	for (size_t i = 0; i < ZS_SECCOMP_CALL_COUNT; i++) {
		const struct zs_seccomp_call *call = &zs_seccomp_calls[i];

		CHECK(call->numbers[OWN_ARCH] == want[i], "%s is %d", call->name, want[i]);
		for (size_t j = 0; j < i; j++)
			for (size_t arch = 0; arch < ZS_SECCOMP_ARCH_COUNT; arch++)
				CHECK(call->numbers[arch] < 0 ||
						call->numbers[arch] != zs_seccomp_calls[j].numbers[arch],
					"%s and %s", call->name, zs_seccomp_calls[j].name);
	}
}

/* Interprets the instructions with which the kernel can judge a call by its number alone (kernel/seccomp.c,
 * seccomp_is_const_allow()). Other instructions, and loads of arguments, set *ret_constant to false. */
static uint32_t interpret(const struct sock_filter *code, size_t count, const struct seccomp_data *data, int *ret_steps,
	bool *ret_constant)
{
	uint32_t a = 0;

	*ret_steps = 0;
	*ret_constant = true;
	for (size_t at = 0; at < count; at++) {
		const struct sock_filter *i = &code[at];

		++*ret_steps;
		switch (i->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			memcpy(&a, (const char *)data + i->k, sizeof a);
			if (i->k >= offsetof(struct seccomp_data, instruction_pointer))
				*ret_constant = false;
			break;
		case BPF_ALU | BPF_AND | BPF_K:
			a &= i->k;
			break;
		case BPF_JMP | BPF_JA:
			at += i->k;
			break;
		case BPF_JMP | BPF_JEQ | BPF_K:
			at += a == i->k ? i->jt : i->jf;
			break;
		case BPF_JMP | BPF_JGE | BPF_K:
			at += a >= i->k ? i->jt : i->jf;
			break;
		case BPF_RET | BPF_K:
			return i->k;
		default:
			CHECK(false, "%zu: what is %#x?", at, i->code);
			return 0;
		}
	}
	CHECK(false, "it runs over its end");
	return 0;
}

/* The options of the mount tier, when sockets are waived and by default; options between; those of the Landlock tier
 * without a network. */
static const struct zs_seccomp_options open_options = {
	.inet = true, .unix_sockets = true, .own_pids = true, .own_ipc = true, .own_processes = true, .scoped = true
};
static const struct zs_seccomp_options broker_options = {
	.inet = true, .own_pids = true, .own_ipc = true, .own_processes = true, .scoped = true, .broker = true
};
static const struct zs_seccomp_options stage_options = { .inet = true, .unix_sockets = true, .scoped = true };
static const struct zs_seccomp_options closed_options = { 0 };

static const uint32_t audit_archs[] = { AUDIT_ARCH_X86_64, AUDIT_ARCH_AARCH64 };

/* With denials the init answers with the errno of the plain filter. So it must be told of each call that this refuses,
 * and of no call that the command makes and this lets pass, but for those that are observed. Without the init the
 * kernel refuses the same calls. */
static void check_told(
	enum zs_seccomp_arch arch, struct zs_seccomp_options options, const struct seccomp_data *data, uint32_t plain)
{
	enum { CLONE3 = 435 };
	struct sock_filter code[ZS_SECCOMP_FILTER_MAX];
	int count = zs_seccomp_observer(arch, &options, code, ZS_SECCOMP_FILTER_MAX), steps;
	bool refused = (plain & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_ERRNO && plain & SECCOMP_RET_DATA, constant;
	uint32_t action;

	CHECK(count > 0, "%d", count);
	action = interpret(code, (size_t)count, data, &steps, &constant);
	if (refused)
		CHECK(action == (data->nr == CLONE3 ? plain : SECCOMP_RET_USER_NOTIF), "%d: %#x", data->nr, action);
	else if (plain == SECCOMP_RET_USER_NOTIF)
		CHECK(action == plain, "%d: %#x", data->nr, action);
	options.told = true;
	count = zs_seccomp_filter(arch, &options, code, ZS_SECCOMP_FILTER_MAX);
	CHECK(count > 0, "%d", count);
	action = interpret(code, (size_t)count, data, &steps, &constant);
	if (refused)
		CHECK(action == (data->nr == CLONE3 ? plain : SECCOMP_RET_USER_NOTIF), "%d: %#x", data->nr, action);
	else if (plain == SECCOMP_RET_USER_NOTIF)
		CHECK(action == SECCOMP_RET_ALLOW, "%d is asked twice", data->nr);
	else
		CHECK(action == plain, "%d: %#x", data->nr, action);
}

/* 0: allowed; an errno; or -1: killed. */
/* The call is not made, but seems to succeed; the broker makes it. */
enum { PRETENDED = -2, ASKED = -3 };

static int verdict(enum zs_seccomp_arch arch, const struct zs_seccomp_options *options, const struct seccomp_data *data,
	int *ret_steps, bool *ret_constant)
{
	struct sock_filter code[ZS_SECCOMP_FILTER_MAX];
	int count = zs_seccomp_filter(arch, options, code, ZS_SECCOMP_FILTER_MAX);
	uint32_t action;

	CHECK(count > 0, "%d", count);
	action = interpret(code, (size_t)count, data, ret_steps, ret_constant);
	CHECK(zs_seccomp_judge(code, (size_t)count, data) == action, "%d", data->nr);
	check_told(arch, *options, data, action);
	if (action == SECCOMP_RET_ALLOW)
		return 0;
	if (action == SECCOMP_RET_KILL_PROCESS)
		return -1;
	if (action == SECCOMP_RET_USER_NOTIF)
		return ASKED;
	CHECK((action & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_ERRNO, "%#x", action);
	if (action == SECCOMP_RET_ERRNO)
		return PRETENDED;
	return (int)(action & SECCOMP_RET_DATA);
}

static const struct zs_seccomp_call *find_call(enum zs_seccomp_arch arch, int number)
{
	for (size_t i = 0; i < ZS_SECCOMP_CALL_COUNT; i++)
		if (zs_seccomp_calls[i].numbers[arch] == number)
			return &zs_seccomp_calls[i];
	return NULL;
}

TEST(seccomp_other_calls_pass_by_number_alone)
{
	enum { MOST_STEPS = 12 };

	for (enum zs_seccomp_arch arch = 0; arch < ZS_SECCOMP_ARCH_COUNT; arch++) {
		for (int number = -1; number < 4096; number++) {
			struct seccomp_data data = { .nr = number, .arch = audit_archs[arch] };
			const struct zs_seccomp_call *call = number < 0 ? NULL : find_call(arch, number);
			bool constant;
			int steps, got = verdict(arch, &stage_options, &data, &steps, &constant);

			if (!call || call->rule == ZS_SECCOMP_BROKER)
				CHECK(got == 0 && constant && steps <= MOST_STEPS, "%d: %d in %d", number, got, steps);
			else if (call->rule == ZS_SECCOMP_ENOSYS || call->rule == ZS_SECCOMP_FALLBACK)
				CHECK(got == ENOSYS, "%s: %d", call->name, got);
			else if (call->rule == ZS_SECCOMP_EPERM)
				CHECK(got == EPERM, "%s: %d", call->name, got);
		}
	}
}

/* A command that is root in another root directory changes no owner and no user, and is told that it did. It makes no
 * device. Where that root has several users, the kernel decides about owners and users. */
TEST(seccomp_pretends_for_the_root_user)
{
	static const struct {
		const char *call;
		uint64_t args[4];
		int root, other;
	} rows[] = {
		{ "chown", { 4096, 5, 5 }, PRETENDED, 0 },
		{ "fchown", { 3, 5, 5 }, PRETENDED, 0 },
		{ "lchown", { 4096, 5, 5 }, PRETENDED, 0 },
		{ "fchownat", { 3, 4096, 5, 5 }, PRETENDED, 0 },
		{ "setuid", { 5 }, PRETENDED, 0 },
		{ "setgid", { 5 }, PRETENDED, 0 },
		{ "setreuid", { 5, 5 }, PRETENDED, 0 },
		{ "setregid", { 5, 5 }, PRETENDED, 0 },
		{ "setgroups", { 1, 4096 }, PRETENDED, 0 },
		{ "setresuid", { 5, 5, 5 }, PRETENDED, 0 },
		{ "setresgid", { 5, 5, 5 }, PRETENDED, 0 },
		{ "mknod", { 4096, S_IFCHR | 0600, 259 }, PRETENDED, EPERM },
		{ "mknod", { 4096, S_IFIFO | 0600 }, 0, 0 },
		{ "mknodat", { 3, 4096, S_IFBLK | 0600, 259 }, PRETENDED, EPERM },
		{ "mknodat", { 3, 4096, S_IFREG | 0600 }, 0, 0 },
		{ "mount", { 4096 }, EPERM, EPERM },
		{ "chroot", { 4096 }, EPERM, EPERM },
		{ "setns", { 3 }, EPERM, EPERM },
	};
	struct zs_seccomp_options root_options = open_options, users_options;

	root_options.root_user = true;
	users_options = root_options;
	users_options.users = true;
	for (enum zs_seccomp_arch arch = 0; arch < ZS_SECCOMP_ARCH_COUNT; arch++)
		for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
			struct seccomp_data data = { .arch = audit_archs[arch], .nr = -1 };
			bool constant;
			int steps, got;

			for (size_t c = 0; c < ZS_SECCOMP_CALL_COUNT; c++)
				if (strcmp(zs_seccomp_calls[c].name, rows[i].call) == 0)
					data.nr = zs_seccomp_calls[c].numbers[arch];
			if (data.nr < 0)
				continue;
			memcpy(data.args, rows[i].args, sizeof rows[i].args);
			got = verdict(arch, &root_options, &data, &steps, &constant);
			CHECK(got == rows[i].root, "%s, row %zu: %d", rows[i].call, i, got);
			got = verdict(arch, &open_options, &data, &steps, &constant);
			CHECK(got == rows[i].other, "%s, row %zu, no root: %d", rows[i].call, i, got);
			got = verdict(arch, &users_options, &data, &steps, &constant);
			CHECK(got == (strncmp(rows[i].call, "mknod", 5) == 0 ? rows[i].root : rows[i].other),
				"%s, row %zu, users: %d", rows[i].call, i, got);
		}
}

/* With a broker the command makes no socket that reaches another without connect(2). */
TEST(seccomp_asks_the_broker)
{
	static const struct {
		const char *call;
		uint64_t args[3];
		int broker, open, closed;
	} rows[] = {
		{ "connect", { 3, 4096, 110 }, ASKED, 0, 0 },
		{ "listen", { 3, 8 }, ASKED, 0, 0 },
		{ "socket", { AF_UNIX, SOCK_STREAM }, 0, 0, EACCES },
		{ "socket", { AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK }, 0, 0, EACCES },
		{ "socket", { AF_UNIX, SOCK_DGRAM }, EACCES, 0, EACCES },
		{ "socket", { AF_UNIX, SOCK_RAW | SOCK_CLOEXEC }, EACCES, 0, EACCES },
		{ "socketpair", { AF_UNIX, SOCK_STREAM }, 0, 0, 0 },
		{ "socketpair", { AF_UNIX, SOCK_DGRAM }, EACCES, 0, EACCES },
		{ "io_uring_setup", { 8 }, ENOSYS, ENOSYS, ENOSYS },
		{ "io_uring_enter", { 3 }, ENOSYS, ENOSYS, ENOSYS },
		{ "pidfd_getfd", { 3 }, EPERM, EPERM, EPERM },
		{ "chroot", { 4096 }, EPERM, EPERM, EPERM },
	};
	static const struct zs_seccomp_options *const options[] = { &broker_options, &open_options, &closed_options };

	for (enum zs_seccomp_arch arch = 0; arch < ZS_SECCOMP_ARCH_COUNT; arch++)
		for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
			for (size_t o = 0; o < sizeof options / sizeof *options; o++) {
				const int want[] = { rows[i].broker, rows[i].open, rows[i].closed };
				struct seccomp_data data = { .arch = audit_archs[arch] };
				bool constant;
				int steps, got;

				for (size_t c = 0; c < ZS_SECCOMP_CALL_COUNT; c++)
					if (strcmp(zs_seccomp_calls[c].name, rows[i].call) == 0)
						data.nr = zs_seccomp_calls[c].numbers[arch];
				memcpy(data.args, rows[i].args, sizeof rows[i].args);
				got = verdict(arch, options[o], &data, &steps, &constant);
				CHECK(got == want[o], "%s, row %zu, options %zu: %d", rows[i].call, i, o, got);
			}
}

/* The observer's filter asks for calls that write, execute or signal, too. */
TEST(seccomp_observer_asks_for_writes)
{
	static const uint64_t high = UINT64_C(1) << 32;
	static const struct {
		int number; /* on x86_64 */
		uint64_t args[3];
		bool asked;
	} rows[] = {
		{ 257, { 0, 4096, O_RDONLY | O_CLOEXEC | O_DIRECTORY }, false },
		{ 257, { 0, 4096, O_WRONLY }, true },
		{ 257, { 0, 4096, O_RDWR | O_CLOEXEC }, true },
		{ 257, { 0, 4096, O_RDONLY | O_CREAT }, true },
		{ 257, { 0, 4096, O_RDONLY | O_TRUNC }, true },
		{ 257, { 0, 4096, high }, false },
		{ 2, { 4096, O_RDONLY, O_CREAT }, false },
		{ 2, { 4096, O_WRONLY }, true },
		{ 280, { 3, 0, 0 }, false },
		{ 280, { 3, high, 0 }, true },
		{ 280, { 3, 4096, 0 }, true },
		{ 59, { 4096 }, true },
		{ 83, { 4096 }, true },
		{ 62, { 17, 9 }, true },
		{ 0, { 3 }, false },
		{ 1, { 3 }, false },
		{ 262, { 0, 4096 }, false },
		{ 234, { 1, 1, 1 }, false },
	};
	for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
		bool broker = i % 2, constant;
		struct seccomp_data data = { .arch = AUDIT_ARCH_X86_64, .nr = rows[i / 2].number };
		struct sock_filter code[ZS_SECCOMP_FILTER_MAX];
		int steps, count = zs_seccomp_observer(ZS_SECCOMP_X86_64, broker ? &broker_options : &open_options,
				   code, ZS_SECCOMP_FILTER_MAX);
		uint32_t action;

		CHECK(count > 0, "%d", count);
		memcpy(data.args, rows[i / 2].args, sizeof rows[i / 2].args);
		action = interpret(code, (size_t)count, &data, &steps, &constant);
		CHECK(action == (rows[i / 2].asked ? SECCOMP_RET_USER_NOTIF : SECCOMP_RET_ALLOW), "row %zu: %#x", i / 2,
			action);
		data.nr = 42; /* connect */
		action = interpret(code, (size_t)count, &data, &steps, &constant);
		CHECK(action == (broker ? SECCOMP_RET_USER_NOTIF : SECCOMP_RET_ALLOW), "connect: %#x", action);
	}
}

/* A program that zs_seccomp_judge() does not understand refuses. */
TEST(seccomp_judge_fails_closed)
{
	const struct seccomp_data data = { .arch = AUDIT_ARCH_X86_64 };
	const struct sock_filter jump = BPF_JUMP(BPF_JMP | BPF_JA, 7, 0, 0), store = BPF_STMT(BPF_ST, 0),
				 far = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, sizeof data - 3);

	CHECK(zs_seccomp_judge(&jump, 1, &data) == SECCOMP_RET_KILL_PROCESS, "a jump behind the end");
	CHECK(zs_seccomp_judge(&store, 1, &data) == SECCOMP_RET_KILL_PROCESS, "another instruction");
	CHECK(zs_seccomp_judge(&far, 1, &data) == SECCOMP_RET_KILL_PROCESS, "a load behind the end");
	CHECK(zs_seccomp_judge(&far, 0, &data) == SECCOMP_RET_KILL_PROCESS, "no program");
}

TEST(seccomp_kills_another_architecture)
{
	static const struct {
		enum zs_seccomp_arch arch;
		uint32_t audit_arch;
		int number, want;
	} rows[] = {
		{ ZS_SECCOMP_X86_64, AUDIT_ARCH_I386, 39, -1 },
		{ ZS_SECCOMP_X86_64, AUDIT_ARCH_AARCH64, 39, -1 },
		{ ZS_SECCOMP_X86_64, AUDIT_ARCH_X86_64, 0x40000000 + 39, -1 },
		{ ZS_SECCOMP_X86_64, AUDIT_ARCH_X86_64, -2, -1 },
		{ ZS_SECCOMP_X86_64, AUDIT_ARCH_X86_64, -1, 0 },
		{ ZS_SECCOMP_AARCH64, AUDIT_ARCH_ARM, 39, -1 },
		{ ZS_SECCOMP_AARCH64, AUDIT_ARCH_X86_64, 39, -1 },
		{ ZS_SECCOMP_AARCH64, AUDIT_ARCH_AARCH64, -1, 0 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct seccomp_data data = { .nr = rows[i].number, .arch = rows[i].audit_arch };
		bool constant;
		int steps, got = verdict(rows[i].arch, &open_options, &data, &steps, &constant);

		CHECK(got == rows[i].want, "row %zu: %d", i, got);
	}
}

/* The kernel's headers list the requests; those of this build may lack the newest. */
TEST(seccomp_refuses_each_request_of_file_systems)
{
#define REQUEST(name, verdict)                                                                                         \
	{                                                                                                              \
		#name, name, verdict                                                                                   \
	}
	static const struct {
		const char *name;
		unsigned long request;
		int want;
	} rows[] = {
		REQUEST(BTRFS_IOC_SNAP_CREATE, EPERM),
		REQUEST(BTRFS_IOC_SNAP_CREATE_V2, EPERM),
		REQUEST(BTRFS_IOC_SUBVOL_CREATE, EPERM),
		REQUEST(BTRFS_IOC_SUBVOL_CREATE_V2, EPERM),
		REQUEST(BTRFS_IOC_SUBVOL_SETFLAGS, EPERM),
		REQUEST(BTRFS_IOC_SNAP_DESTROY, EPERM),
		REQUEST(BTRFS_IOC_SNAP_DESTROY_V2, EPERM),
		REQUEST(BTRFS_IOC_INO_LOOKUP, EPERM),
		REQUEST(BTRFS_IOC_INO_LOOKUP_USER, EPERM),
		REQUEST(BTRFS_IOC_TREE_SEARCH_V2, EPERM),
		REQUEST(BTRFS_IOC_SEND, EPERM),
		REQUEST(BTRFS_IOC_CLONE, 0),
		REQUEST(BTRFS_IOC_CLONE_RANGE, 0),
		REQUEST(FICLONE, 0),
		REQUEST(FICLONERANGE, 0),
		REQUEST(FIDEDUPERANGE, 0),
		REQUEST(FIFREEZE, EPERM),
		REQUEST(FITHAW, EPERM),
		REQUEST(FITRIM, EPERM),
		REQUEST(FS_IOC_GETFLAGS, 0),
		REQUEST(FS_IOC_SETFLAGS, EPERM),
		REQUEST(FS_IOC_GETVERSION, 0),
		REQUEST(FS_IOC_SETVERSION, EPERM),
		REQUEST(FS_IOC_FIEMAP, 0),
		REQUEST(FS_IOC_FSGETXATTR, 0),
		REQUEST(FS_IOC_FSSETXATTR, EPERM),
		REQUEST(FS_IOC_SETFSLABEL, EPERM),
		REQUEST(FS_IOC_ENABLE_VERITY, EPERM),
		REQUEST(FS_IOC_MEASURE_VERITY, 0),
		REQUEST(FS_IOC_ADD_ENCRYPTION_KEY, EPERM),
		REQUEST(FS_IOC_REMOVE_ENCRYPTION_KEY, EPERM),
		REQUEST(FS_IOC_SET_ENCRYPTION_POLICY, EPERM),
		REQUEST(FAT_IOCTL_SET_ATTRIBUTES, EPERM),
		REQUEST(FAT_IOCTL_GET_ATTRIBUTES, 0),
		REQUEST(FIGETBSZ, 0),
	};

	for (enum zs_seccomp_arch arch = 0; arch < ZS_SECCOMP_ARCH_COUNT; arch++) {
		for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
			struct seccomp_data data = { .arch = audit_archs[arch], .args = { 0, rows[i].request } };
			bool constant;
			int steps, got;

			for (size_t c = 0; c < ZS_SECCOMP_CALL_COUNT; c++)
				if (zs_seccomp_calls[c].rule == ZS_SECCOMP_IOCTL)
					data.nr = zs_seccomp_calls[c].numbers[arch];
			got = verdict(arch, &open_options, &data, &steps, &constant);
			CHECK(got == rows[i].want, "%s: %d", rows[i].name, got);
		}
	}
}

#define HIGH (UINT64_C(0xdeadbeef) << 32)

TEST(seccomp_verdicts_by_argument)
{
	static const struct {
		const char *call;
		uint64_t args[5];
		int open, stage, closed;
	} rows[] = {
		{ "clone", { SIGCHLD }, 0, 0, 0 },
		{ "clone", { 0x3d0f00 }, 0, 0, 0 }, /* a thread's */
		{ "clone", { 0x10000000 | SIGCHLD }, EPERM, EPERM, EPERM },
		{ "clone", { 0x40000000 }, EPERM, EPERM, EPERM },
		{ "clone", { HIGH | 0x00020000 }, EPERM, EPERM, EPERM },
		{ "unshare", { 0x600 }, 0, 0, 0 }, /* CLONE_FS, CLONE_FILES */
		{ "unshare", { 0x80 }, EPERM, EPERM, EPERM },
		{ "unshare", { 0x10000000 }, EPERM, EPERM, EPERM },
		{ "unshare", { 0x02000600 }, EPERM, EPERM, EPERM },
		{ "ptrace", { 0 }, 0, EPERM, EPERM },
		{ "process_vm_readv", { 1 }, 0, EPERM, EPERM },
		{ "kcmp", { 1 }, 0, EPERM, EPERM },
		{ "pidfd_getfd", { 1 }, EPERM, EPERM, EPERM },
		{ "prlimit64", { 0, 7, 4096 }, 0, 0, 0 },
		{ "prlimit64", { 100, 7, 0, 4096 }, 0, 0, 0 },
		{ "prlimit64", { 100, 7, 4096 }, 0, EPERM, EPERM },
		{ "prlimit64", { 100, 7, HIGH }, 0, EPERM, EPERM },
		{ "prlimit64", { 1, 0, 4096 }, EPERM, EPERM, EPERM },
		{ "prlimit64", { HIGH | 1, 0, HIGH }, EPERM, EPERM, EPERM },
		{ "prlimit64", { 1, 4, 4096 }, EPERM, EPERM, EPERM },
		{ "prlimit64", { 1, 0, 0, 4096 }, 0, 0, 0 },
		{ "prlimit64", { HIGH, 7, 4096 }, 0, 0, 0 },
		{ "prlimit64", { 0, 4, 0 }, 0, 0, 0 },
		{ "prlimit64", { 0, 4, 4096 }, PRETENDED, PRETENDED, PRETENDED },
		{ "prlimit64", { 0, HIGH | 4, HIGH }, PRETENDED, PRETENDED, PRETENDED },
		{ "prlimit64", { 100, 4, 4096 }, PRETENDED, EPERM, EPERM },
		{ "setrlimit", { 4, 4096 }, PRETENDED, PRETENDED, PRETENDED },
		{ "setrlimit", { HIGH | 4, 4096 }, PRETENDED, PRETENDED, PRETENDED },
		{ "setrlimit", { 7, 4096 }, 0, 0, 0 },
		{ "kill", { 0, 9 }, 0, 0, EPERM },
		{ "kill", { HIGH, 9 }, 0, 0, EPERM },
		{ "kill", { 100, 9 }, 0, 0, 0 },
		{ "kill", { 0xffffffff, 9 }, 0, 0, 0 },
		{ "setpriority", { 1, 0, 19 }, EPERM, EPERM, EPERM },
		{ "setpriority", { HIGH | 1, HIGH, 19 }, EPERM, EPERM, EPERM },
		{ "setpriority", { 1, 100, 19 }, 0, EPERM, EPERM },
		{ "setpriority", { 0, 0, 19 }, 0, 0, 0 },
		{ "setpriority", { HIGH, HIGH, 19 }, 0, 0, 0 },
		{ "setpriority", { 0, 1, 19 }, EPERM, EPERM, EPERM },
		{ "setpriority", { HIGH, HIGH | 1, 19 }, EPERM, EPERM, EPERM },
		{ "setpriority", { 0, 100, 19 }, 0, EPERM, EPERM },
		{ "setpriority", { 2, 0, 19 }, EPERM, EPERM, EPERM },
		{ "setpriority", { HIGH | 2, 1000, 19 }, EPERM, EPERM, EPERM },
		{ "setpriority", { 3, 0, 19 }, 0, 0, 0 }, /* the kernel's EINVAL */
		{ "ioprio_set", { 2, 0, 0 }, EPERM, EPERM, EPERM },
		{ "ioprio_set", { 2, 100, 0 }, 0, EPERM, EPERM },
		{ "ioprio_set", { 1, 0, 0 }, 0, 0, 0 },
		{ "ioprio_set", { HIGH | 1, HIGH | 1, 0 }, EPERM, EPERM, EPERM },
		{ "ioprio_set", { 1, 100, 0 }, 0, EPERM, EPERM },
		{ "ioprio_set", { 3, 0, 0 }, EPERM, EPERM, EPERM },
		{ "ioprio_set", { 0, 1, 0 }, 0, 0, 0 }, /* the kernel's EINVAL */
		{ "sched_setparam", { 0 }, 0, 0, 0 },
		{ "sched_setparam", { 1 }, EPERM, EPERM, EPERM },
		{ "sched_setscheduler", { HIGH | 1, 5 }, EPERM, EPERM, EPERM },
		{ "sched_setscheduler", { HIGH, 5 }, 0, 0, 0 },
		{ "sched_setscheduler", { 100, 5 }, 0, EPERM, EPERM },
		{ "sched_setaffinity", { 0, 8, 4096 }, 0, 0, 0 },
		{ "sched_setaffinity", { 1, 8, 4096 }, EPERM, EPERM, EPERM },
		{ "sched_setaffinity", { 100, 8, 4096 }, 0, EPERM, EPERM },
		{ "sched_setattr", { 0, 4096 }, 0, 0, 0 },
		{ "sched_setattr", { 1, 4096 }, EPERM, EPERM, EPERM },
		{ "sched_setattr", { 0xffffffff, 4096 }, 0, EPERM, EPERM },
		{ "migrate_pages", { 1 }, EPERM, EPERM, EPERM },
		{ "move_pages", { 1 }, EPERM, EPERM, EPERM },
		{ "process_mrelease", { 3 }, EPERM, EPERM, EPERM },
		{ "fcntl", { 3, F_SETLEASE, F_WRLCK }, EPERM, EPERM, EPERM },
		{ "fcntl", { 3, HIGH | F_SETLEASE, F_RDLCK }, EPERM, EPERM, EPERM },
		{ "fcntl", { 3, 1040 /* F_SETDELEG */ }, EPERM, EPERM, EPERM },
		{ "fcntl", { 3, F_GETLEASE }, 0, 0, 0 },
		{ "fcntl", { 3, F_SETLK, 0 }, 0, 0, 0 },
		{ "mknodat", { 0, 0, 0010644 }, 0, 0, 0 },
		{ "mknodat", { 0, 0, 0100644 }, 0, 0, 0 },
		{ "mknodat", { 0, 0, 0140644 }, 0, 0, 0 },
		{ "mknodat", { 0, 0, 0644 }, 0, 0, 0 },
		{ "mknodat", { 0, 0, 0020644 }, EPERM, EPERM, EPERM },
		{ "mknodat", { 0, 0, HIGH | 0x10000 | 0060644 }, EPERM, EPERM, EPERM },
		{ "mknod", { 0, 0010644 }, 0, 0, 0 },
		{ "mknod", { 0, 0020644 }, EPERM, EPERM, EPERM },
		{ "mknod", { 0, 0060644 }, EPERM, EPERM, EPERM },
		{ "personality", { 0 }, 0, 0, 0 },
		{ "personality", { 8 }, 0, 0, 0 },
		{ "personality", { 0x40000 }, 0, 0, 0 },
		{ "personality", { 0xffffffff }, 0, 0, 0 },
		{ "personality", { HIGH | 0xffffffff }, 0, 0, 0 },
		{ "personality", { 0x400000 }, EPERM, EPERM, EPERM },
		{ "personality", { 0xfffffffe }, EPERM, EPERM, EPERM },
		{ "personality", { 0x40001 }, EPERM, EPERM, EPERM },
		{ "ioctl", { 0, 0x5401 }, 0, 0, 0 },
		{ "ioctl", { 0, 0x5413 }, 0, 0, 0 },
		{ "ioctl", { 0, 0x5411 }, 0, 0, 0 },
		{ "ioctl", { 0, 0x5412 }, EPERM, EPERM, EPERM },
		{ "ioctl", { 0, HIGH | 0x5412 }, EPERM, EPERM, EPERM },
		{ "ioctl", { 0, 0x541c }, EPERM, EPERM, EPERM },
		{ "ioctl", { 0, HIGH | 0x541c }, EPERM, EPERM, EPERM },
		{ "ioctl", { 0, 0x541d }, EPERM, EPERM, EPERM },
		{ "ioctl", { 0, 0x541e }, 0, 0, 0 },
		{ "ioctl", { 0, 0x5423 }, EPERM, EPERM, EPERM },
		{ "ioctl", { 0, 0x540c }, EPERM, EPERM, EPERM },
		{ "ioctl", { 0, HIGH | 0x540c }, EPERM, EPERM, EPERM },
		{ "ioctl", { 0, 0x540d /* TIOCNXCL */ }, 0, 0, 0 },
		{ "ioctl", { 0, 0x5424 }, 0, 0, 0 },
		{ "ioctl", { 0, 0x4b47 }, EPERM, EPERM, EPERM },
		{ "ioctl", { 0, 0x4b48 }, 0, 0, 0 },
		{ "ioctl", { 0, 0x4b49 }, EPERM, EPERM, EPERM },
		{ "ioctl", { 0, 0x40049409 /* FICLONE */ }, 0, 0, 0 },
		{ "ioctl", { 0, HIGH | 0x40049409 }, 0, 0, 0 },
		{ "ioctl", { 0, 0x4004940a }, EPERM, EPERM, EPERM },
		{ "ioctl", { 0, HIGH | 0x50009401 /* BTRFS_IOC_SNAP_CREATE */ }, EPERM, EPERM, EPERM },
		{ "ioctl", { 0, 0x9400 }, EPERM, EPERM, EPERM },
		{ "ioctl", { 0, 0xffff94ff }, EPERM, EPERM, EPERM },
		{ "ioctl", { 0, 0x40009501 }, 0, 0, 0 },
		{ "ioctl", { 0, 0x400093ff }, 0, 0, 0 },
		{ "ioctl", { 0, 0x80086601 /* FS_IOC_GETFLAGS */ }, 0, 0, 0 },
		{ "ioctl", { 0, 0x40086602 /* FS_IOC_SETFLAGS */ }, EPERM, EPERM, EPERM },
		{ "ioctl", { 0, 0x40046602 /* FS_IOC32_SETFLAGS */ }, EPERM, EPERM, EPERM },
		{ "ioctl", { 0, 0x801c581f /* FS_IOC_FSGETXATTR */ }, 0, 0, 0 },
		{ "ioctl", { 0, 0x401c5820 /* FS_IOC_FSSETXATTR */ }, EPERM, EPERM, EPERM },
		{ "ioctl", { 0, 0x40047211 /* FAT_IOCTL_SET_ATTRIBUTES */ }, EPERM, EPERM, EPERM },
		{ "ioctl", { 0, 0x80047210 /* FAT_IOCTL_GET_ATTRIBUTES */ }, 0, 0, 0 },
		{ "ioctl", { 0, 0x541b /* FIONREAD */ }, 0, 0, 0 },
		{ "ioctl", { 0, 0x80087601 /* FS_IOC_GETVERSION */ }, 0, 0, 0 },
		{ "ioctl", { 0, 0x40087602 /* FS_IOC_SETVERSION */ }, EPERM, EPERM, EPERM },
		{ "renameat2", { 0, 0, 0, 0 }, 0, 0, 0 },
		{ "renameat2", { 0, 0, 0, 0, 1 /* RENAME_NOREPLACE */ }, 0, 0, 0 },
		{ "renameat2", { 0, 0, 0, 0, 2 /* RENAME_EXCHANGE */ }, 0, 0, 0 },
		{ "renameat2", { 0, 0, 0, 0, 4 /* RENAME_WHITEOUT */ }, EPERM, EPERM, EPERM },
		{ "renameat2", { 0, 0, 0, 0, HIGH | 5 }, EPERM, EPERM, EPERM },
		{ "socket", { 1, 1 }, 0, 0, EACCES },
		{ "socket", { HIGH | 1, HIGH | 0x80802 }, 0, 0, EACCES },
		{ "socket", { 2, 1 }, 0, 0, EACCES },
		{ "socket", { 2, 0x80801, 262 }, 0, 0, EACCES },
		{ "socket", { 10, 2, 58 }, 0, 0, EACCES },
		{ "socket", { 2, 5, 132 }, 0, 0, EACCES },
		{ "socket", { 2, 3, 1 }, EPERM, EPERM, EACCES },
		{ "socket", { 10, 0x80003, 58 }, EPERM, EPERM, EACCES },
		{ "socket", { 2, 10 }, EPERM, EPERM, EACCES },
		{ "socket", { HIGH | 2, HIGH | 3 }, EPERM, EPERM, EACCES },
		{ "socket", { 16, 3, 0 }, 0, 0, EACCES },
		{ "socket", { 16, 3, HIGH }, 0, 0, EACCES },
		{ "socket", { 16, 3, 15 }, EPROTONOSUPPORT, EPROTONOSUPPORT, EACCES },
		{ "shmget", { 0 }, 0, ENOSYS, ENOSYS },
		{ "msgctl", { 1 }, 0, ENOSYS, ENOSYS },
		{ "semtimedop", { 1 }, 0, ENOSYS, ENOSYS },
		{ "mq_open", { 1 }, 0, ENOSYS, ENOSYS },
		{ "socket", { 0, 1 }, EAFNOSUPPORT, EAFNOSUPPORT, EAFNOSUPPORT },
		{ "socket", { 17, 3 }, EAFNOSUPPORT, EAFNOSUPPORT, EAFNOSUPPORT },
		{ "socket", { 38, 5 }, EAFNOSUPPORT, EAFNOSUPPORT, EAFNOSUPPORT },
		{ "socket", { 40, 1 }, EAFNOSUPPORT, EAFNOSUPPORT, EAFNOSUPPORT },
		{ "socketpair", { 1, 1 }, 0, 0, 0 },
		{ "socketpair", { 1, 0x80005 }, 0, 0, 0 },
		{ "socketpair", { 1, 2 }, 0, 0, EACCES },
		{ "socketpair", { 1, 3 }, 0, 0, EACCES },
		{ "socketpair", { 30, 5 }, EAFNOSUPPORT, EAFNOSUPPORT, EAFNOSUPPORT },
		{ "name_to_handle_at", { 0 }, EOPNOTSUPP, EOPNOTSUPP, EOPNOTSUPP },
	};

	for (enum zs_seccomp_arch arch = 0; arch < ZS_SECCOMP_ARCH_COUNT; arch++) {
		for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
			struct seccomp_data data = { .nr = -2, .arch = audit_archs[arch] };
			bool constant;
			int steps, open, stage, closed;

			for (size_t c = 0; c < ZS_SECCOMP_CALL_COUNT; c++)
				if (strcmp(zs_seccomp_calls[c].name, rows[i].call) == 0)
					data.nr = zs_seccomp_calls[c].numbers[arch];
			CHECK(data.nr != -2, "no call is named %s", rows[i].call);
			if (data.nr < 0)
				continue;
			memcpy(data.args, rows[i].args, sizeof rows[i].args);
			open = verdict(arch, &open_options, &data, &steps, &constant);
			stage = verdict(arch, &stage_options, &data, &steps, &constant);
			closed = verdict(arch, &closed_options, &data, &steps, &constant);
			CHECK(open == rows[i].open && stage == rows[i].stage && closed == rows[i].closed,
				"%s, row %zu: %d %d %d", rows[i].call, i, open, stage, closed);
		}
	}
}

TEST(seccomp_filter_needs_room)
{
	struct sock_filter code[ZS_SECCOMP_FILTER_MAX];
	int count = zs_seccomp_filter(OWN_ARCH, &closed_options, code, ZS_SECCOMP_FILTER_MAX);

	for (int size = 0; size < count; size++)
		CHECK(zs_seccomp_filter(OWN_ARCH, &closed_options, code, (size_t)size) == -E2BIG, "%d", size);
	CHECK(zs_seccomp_filter(OWN_ARCH, &closed_options, code, (size_t)count) == count, "%d", count);
}

/* The program as text, against testdata/seccomp/. ZS_UPDATE_GOLDEN=1, in the clone's folder, writes it instead. */

static const char *error_name(uint32_t cause)
{
	switch (cause) {
	case EPERM:
		return "EPERM";
	case ENOSYS:
		return "ENOSYS";
	case EACCES:
		return "EACCES";
	case EOPNOTSUPP:
		return "EOPNOTSUPP";
	case EAFNOSUPPORT:
		return "EAFNOSUPPORT";
	case EPROTONOSUPPORT:
		return "EPROTONOSUPPORT";
	default:
		return "?";
	}
}

static int disassemble(char *text, size_t size, const struct sock_filter *code, size_t count)
{
	int len = 0;

	for (size_t at = 0; at < count; at++) {
		const struct sock_filter *i = &code[at];
		size_t next = at + 1;
		char *line = text + len;
		size_t room = size - (size_t)len;

		switch (i->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			if (i->k == offsetof(struct seccomp_data, nr))
				len += snprintf(line, room, "%3zu  load number\n", at);
			else if (i->k == offsetof(struct seccomp_data, arch))
				len += snprintf(line, room, "%3zu  load architecture\n", at);
			else
				len += snprintf(line, room, "%3zu  load argument %zu%s\n", at,
					(i->k - offsetof(struct seccomp_data, args)) / 8,
					i->k % 8 ? ", upper half" : "");
			break;
		case BPF_ALU | BPF_AND | BPF_K:
			len += snprintf(line, room, "%3zu  and %#x\n", at, i->k);
			break;
		case BPF_JMP | BPF_JA:
			len += snprintf(line, room, "%3zu  go to %zu\n", at, next + i->k);
			break;
		case BPF_JMP | BPF_JEQ | BPF_K:
		case BPF_JMP | BPF_JGE | BPF_K:
			len += snprintf(line, room,
				i->k > 0xffff ? "%3zu  %s %#x then %zu else %zu\n" : "%3zu  %s %u then %zu else %zu\n",
				at, BPF_OP(i->code) == BPF_JEQ ? "=" : ">=", i->k, next + i->jt, next + i->jf);
			break;
		default:
			if (i->k == SECCOMP_RET_ALLOW)
				len += snprintf(line, room, "%3zu  allow\n", at);
			else if (i->k == SECCOMP_RET_KILL_PROCESS)
				len += snprintf(line, room, "%3zu  kill\n", at);
			else if (i->k == SECCOMP_RET_USER_NOTIF)
				len += snprintf(line, room, "%3zu  ask the broker\n", at);
			else
				len += snprintf(
					line, room, "%3zu  refuse: %s\n", at, error_name(i->k & SECCOMP_RET_DATA));
			break;
		}
	}
	return len;
}

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc23-extensions" /* #embed */
static const char golden_x86_64[] = {
#embed "../../testdata/seccomp/x86_64.txt" suffix(, )
	0
};
static const char golden_aarch64[] = {
#embed "../../testdata/seccomp/aarch64.txt" suffix(, )
	0
};
static const char golden_closed_x86_64[] = {
#embed "../../testdata/seccomp/x86_64-landlock.txt" suffix(, )
	0
};
static const char golden_closed_aarch64[] = {
#embed "../../testdata/seccomp/aarch64-landlock.txt" suffix(, )
	0
};
#pragma clang diagnostic pop

TEST(seccomp_program_is_golden)
{
	static const struct {
		const char *file, *want;
		enum zs_seccomp_arch arch;
		const struct zs_seccomp_options *options;
	} goldens[] = {
		{ "testdata/seccomp/x86_64.txt", golden_x86_64, ZS_SECCOMP_X86_64, &broker_options },
		{ "testdata/seccomp/aarch64.txt", golden_aarch64, ZS_SECCOMP_AARCH64, &broker_options },
		{ "testdata/seccomp/x86_64-landlock.txt", golden_closed_x86_64, ZS_SECCOMP_X86_64, &closed_options },
		{ "testdata/seccomp/aarch64-landlock.txt", golden_closed_aarch64, ZS_SECCOMP_AARCH64, &closed_options },
	};

	for (size_t i = 0; i < sizeof goldens / sizeof *goldens; i++) {
		struct sock_filter code[ZS_SECCOMP_FILTER_MAX];
		static char text[64 * ZS_SECCOMP_FILTER_MAX];
		int count = zs_seccomp_filter(goldens[i].arch, goldens[i].options, code, ZS_SECCOMP_FILTER_MAX);

		disassemble(text, sizeof text, code, count < 0 ? 0 : (size_t)count);
		if (getenv("ZS_UPDATE_GOLDEN"))
			write_text(goldens[i].file, text);
		else
			CHECK(strcmp(text, goldens[i].want) == 0, "%s: ZS_UPDATE_GOLDEN=1 accepts:\n%s",
				goldens[i].file, text);
	}
}

/* Runs the attacks with the real filter. */

static void build(struct zs_policy *policy, const void *arg)
{
	grant_prog(policy, arg);
	zs_policy_add_path(policy, "/dev", ZS_ACCESS_WRITE, NULL);
	zs_policy_add_env(policy, ATTACK_ENV "*", NULL);
}

static int attempt(uid_t uid, const struct scratch *scratch, bool confined, const char *name, struct result *result)
{
	const struct attack attack = { scratch, "call", name, "" };

	if (confined)
		return attack_confined(uid, &attack, build, scratch, result);
	return attack_free(uid, &attack, result);
}

/* Root of a container may not be able to run the control. */
static bool is_full_root(void)
{
	return geteuid() == 0 && prctl(PR_CAPBSET_READ, CAP_SYS_ADMIN, 0, 0, 0) == 1 &&
	       prctl(PR_CAPBSET_READ, CAP_SYS_BOOT, 0, 0, 0) == 1 && prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == 0;
}

SLOW_TEST(seccomp_stops_each_call)
{
	struct scratch own;

	scratch_make(&own, geteuid());
	for (size_t i = 0; i < seccomp_attack_count; i++) {
		const struct seccomp_attack *row = &seccomp_attacks[i];
		/* In a session (test_session.c) other runs have processes, too. */
		bool others = harness_has_session() && strcmp(row->name, "limit_another") == 0;
		int confined = others ? EPERM : row->confined;
		struct result result;

		AS_EACH_USER (scratch)
			CHECK(attempt(scratch.owner, &scratch, true, row->name, &result) == confined,
				"%s: %d, not %d: %s", row->name, result.status, confined, result.err);
		/* The control: without the filter the answer is another one. */
		if (!is_full_root())
			continue;
		attempt(0, &own, false, row->name, &result);
		/* Not every kernel has these sockets. */
		if (strcmp(row->name, "vsock") == 0 && result.status == EAFNOSUPPORT)
			continue;
		if (row->free == ATTACK_ANSWERED_OTHERWISE)
			CHECK(result.status != row->confined && result.status < 97, "free: %s: %d", row->name,
				result.status);
		else
			CHECK(result.status == row->free, "free: %s: %d", row->name, result.status);
	}
	scratch_remove(&own);
}

/* A pair of datagram sockets that sends to a path: the filter refuses the pair if it refuses AF_UNIX. */

static int send_from_pair(void *arg)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	int pair[2];

	snprintf(to.sun_path, sizeof to.sun_path, "%s", (const char *)arg);
	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair) < 0)
		return errno;
	return sendto(pair[0], "x", 1, 0, (struct sockaddr *)&to, sizeof to) == 1 ? 0 : errno;
}

static int send_from_pair_filtered(void *arg)
{
	struct sock_filter code[ZS_SECCOMP_FILTER_MAX];
	int count = zs_seccomp_filter(OWN_ARCH, &closed_options, code, ZS_SECCOMP_FILTER_MAX);
	struct sock_fprog program = { (unsigned short)count, code };
	int pair[2];

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		return HARNESS_FAILED;
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0 || errno != EACCES ||
		socket(AF_INET, SOCK_STREAM, 0) >= 0 || errno != EACCES)
		return HARNESS_FAILED;
	return send_from_pair(arg);
}

TEST(seccomp_datagram_pair_reaches_nobody)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	OWN_SCRATCH(scratch);
	struct result result;
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	snprintf(at.sun_path, sizeof at.sun_path, "%s", scratch_path(&scratch, "ws/socket"));
	CHECK(bind(fd, (struct sockaddr *)&at, sizeof at) == 0, "bind: %s", strerror(errno));
	run_child(geteuid(), send_from_pair, at.sun_path, &result);
	CHECK(result.status == 0, "not even free: %d", result.status);
	run_child(geteuid(), send_from_pair_filtered, at.sun_path, &result);
	CHECK(result.status == EACCES, "%d", result.status);
	close(fd);
}
