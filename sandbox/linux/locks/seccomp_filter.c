/* Builds the filter: it checks the architecture, finds the call's number by binary search, and looks at the arguments
 * of a few calls.
 *
 * The kernel does not run the filter for a call that always passes: when the filter is installed it notes such calls in
 * a bitmap (Linux 5.11, seccomp_is_const_allow()). That works while the path to their "allow" loads only the
 * architecture and the number. */
#include "linux/locks/seccomp_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "linux/locks/seccomp_observed.h"
#include "linux/locks/seccomp_ioctls.h"

#define CALL_ROW(name, x86_64, aarch64, rule) { #name, { x86_64, aarch64 }, ZS_SECCOMP_##rule },
const struct zs_seccomp_call zs_seccomp_calls[ZS_SECCOMP_CALL_COUNT] = { ZS_SECCOMP_CALLS(CALL_ROW) };

#define FITS(call, x86_64, aarch64, rule) _Static_assert(sizeof #call <= sizeof zs_seccomp_calls[0].name, #call);
ZS_SECCOMP_CALLS(FITS)

/* An assembler. BPF jumps only forward, so the program is built from its end, where each jump's target exists already.
 * A label is the number of instructions from it to the end. */
struct program {
	struct sock_filter *code;
	size_t size, used; /* of code, in instructions */
	bool full;         /* an instruction did not fit */
};

enum { JUMP_MAX = 255 }; /* jt and jf are bytes */

static size_t emit(struct program *program, unsigned code, uint32_t k, size_t yes, size_t no)
{
	if (program->used == program->size) {
		program->full = true;
		return program->used;
	}
	program->code[program->size - ++program->used] =
		(struct sock_filter){ (uint16_t)code, (uint8_t)yes, (uint8_t)no, k };
	return program->used;
}

static size_t jump(struct program *program, size_t to)
{
	return emit(program, BPF_JMP | BPF_JA, (uint32_t)(program->used - to), 0, 0);
}

/* Returns a label for `to` that a conditional jump can reach, even after one more instruction. */
static size_t near(struct program *program, size_t to)
{
	return program->used - to < JUMP_MAX ? to : jump(program, to);
}

/* Compares the accumulator with k. operation: BPF_JEQ or BPF_JGE. */
static size_t branch(struct program *program, unsigned operation, uint32_t k, size_t yes, size_t no)
{
	yes = near(program, yes);
	no = near(program, no);
	return emit(program, BPF_JMP | operation | BPF_K, k, program->used - yes, program->used - no);
}

/* Makes sure that the next instruction that is emitted runs into `next`. */
static size_t before(struct program *program, size_t next)
{
	return next == program->used ? next : jump(program, next);
}

static size_t load(struct program *program, size_t offset, size_t next)
{
	before(program, next);
	return emit(program, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

/* Loads an argument's lower 32 bits. The kernel ignores the upper half of every argument that is compared here, except
 * of pointers (if_null()). */
static size_t load_argument(struct program *program, size_t index, size_t next)
{
	return load(program, offsetof(struct seccomp_data, args) + index * sizeof(uint64_t), next);
}

static size_t load_upper_half(struct program *program, size_t index, size_t next)
{
	return load(program, offsetof(struct seccomp_data, args) + index * sizeof(uint64_t) + sizeof(uint32_t), next);
}

static size_t mask(struct program *program, uint32_t bits, size_t next)
{
	before(program, next);
	return emit(program, BPF_ALU | BPF_AND | BPF_K, bits, 0, 0);
}

/* A binary search. The numbers are cut into ranges; a range begins at `first` and ends before the next one. */
struct range {
	uint32_t first;
	size_t target;
};

#define COUNT_OBSERVED(name, x86_64, aarch64, argument, rule) +1
enum { OBSERVED_COUNT = 0 ZS_SECCOMP_OBSERVED(COUNT_OBSERVED) };
enum { RANGES_MAX = 2 * (ZS_SECCOMP_CALL_COUNT + OBSERVED_COUNT) + 3 };

struct ranges {
	struct range items[RANGES_MAX];
	size_t count;
};

/* Begins a range at `first`. Called in rising order. */
static void cut(struct ranges *ranges, uint32_t first, size_t target)
{
	if (ranges->count && ranges->items[ranges->count - 1].first == first)
		ranges->count--;
	if (!ranges->count || ranges->items[ranges->count - 1].target != target)
		ranges->items[ranges->count++] = (struct range){ first, target };
}

static void cut_one(struct ranges *ranges, uint32_t number, size_t target, size_t other)
{
	cut(ranges, number, target);
	if (number < UINT32_MAX)
		cut(ranges, number + 1, other);
}

static size_t search(struct program *program, const struct range *ranges, size_t count)
{
	size_t low, high, half = count / 2;

	if (count == 1)
		return ranges[0].target;
	high = search(program, ranges + half, count - half);
	low = search(program, ranges, half);
	return branch(program, BPF_JGE, ranges[half].first, high, low);
}

/* Finds the lowest number not below `from`. */
static const struct range *next_number(const struct range *numbers, size_t count, uint64_t from)
{
	const struct range *next = NULL;

	for (size_t i = 0; i < count; i++)
		if (numbers[i].first >= from && (!next || numbers[i].first < next->first))
			next = &numbers[i];
	return next;
}

/* Branches to the target of the accumulator's number, or to `other`. */
static size_t choose(struct program *program, const struct range *numbers, size_t count, size_t other)
{
	struct ranges ranges = { .count = 0 };
	const struct range *number;

	cut(&ranges, 0, other);
	for (uint64_t from = 0; (number = next_number(numbers, count, from)); from = (uint64_t)number->first + 1)
		cut_one(&ranges, number->first, number->target, other);
	return search(program, ranges.items, ranges.count);
}

/* Labels of the program's returns, named by the errno or action. */
struct answers {
	size_t allow, pretend, ask, kill, eperm, enosys, eopnotsupp, eacces, eafnosupport, eprotonosupport;
	size_t silent; /* ENOSYS, of which nobody is told */
};

static size_t answer(struct program *program, uint32_t action)
{
	return emit(program, BPF_RET | BPF_K, action, 0, 0);
}

static size_t seccomp_filter_refuse(
	struct program *program, const struct zs_seccomp_options *options, int cause, size_t ask)
{
	return options->told ? ask : answer(program, SECCOMP_RET_ERRNO | (uint32_t)cause);
}

static void make_answers(struct program *program, const struct zs_seccomp_options *options, struct answers *ret_answers)
{
	ret_answers->kill = answer(program, SECCOMP_RET_KILL_PROCESS);
	ret_answers->ask =
		options->broker || options->told ? answer(program, SECCOMP_RET_USER_NOTIF) : ret_answers->kill;
	ret_answers->eprotonosupport = seccomp_filter_refuse(program, options, EPROTONOSUPPORT, ret_answers->ask);
	ret_answers->eafnosupport = seccomp_filter_refuse(program, options, EAFNOSUPPORT, ret_answers->ask);
	ret_answers->eacces = seccomp_filter_refuse(program, options, EACCES, ret_answers->ask);
	ret_answers->eopnotsupp = seccomp_filter_refuse(program, options, EOPNOTSUPP, ret_answers->ask);
	ret_answers->enosys = seccomp_filter_refuse(program, options, ENOSYS, ret_answers->ask);
	ret_answers->silent =
		options->told ? answer(program, SECCOMP_RET_ERRNO | (uint32_t)ENOSYS) : ret_answers->enosys;
	ret_answers->eperm = seccomp_filter_refuse(program, options, EPERM, ret_answers->ask);
	ret_answers->pretend = answer(program, SECCOMP_RET_ERRNO); /* errno 0: the call seems to succeed */
	ret_answers->allow = answer(program, SECCOMP_RET_ALLOW);
}

/* The rules */

/* man 7 namespaces. CLONE_NEWTIME is for unshare(2) alone: in clone(2)'s flags that bit belongs to the signal number.
 */
static const uint32_t new_namespaces =
	CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
static const uint32_t new_time = 0x80;

static size_t rule_namespaces(struct program *program, const struct answers *to, uint32_t flags)
{
	size_t test = branch(program, BPF_JEQ, 0, to->allow, to->eperm);

	return load_argument(program, 0, mask(program, flags, test));
}

static size_t rule_mknod(
	struct program *program, const struct answers *to, const struct zs_seccomp_options *options, size_t mode)
{
	size_t device = options->root_user ? to->pretend : to->eperm;
	const struct range devices[] = { { S_IFCHR, device }, { S_IFBLK, device } };
	size_t test = choose(program, devices, ZS_COUNT(devices), to->allow);

	return load_argument(program, mode, mask(program, S_IFMT, test));
}

/* Allows the personalities that gdb and setarch(8) need, and the query (UINT32_MAX). READ_IMPLIES_EXEC and
 * MMAP_PAGE_ZERO, which help exploits, are refused. */
static size_t rule_personality(struct program *program, const struct answers *to)
{
	const struct range harmless[] = {
		{ PER_LINUX, to->allow },
		{ PER_LINUX32, to->allow },
		{ ADDR_NO_RANDOMIZE, to->allow },
		{ UINT32_MAX, to->allow },
	};

	return load_argument(program, 0, choose(program, harmless, ZS_COUNT(harmless), to->eperm));
}

/* RLIMIT_CORE stays as zs_stage_core_dumps() has set it. Programs that want no dumps set it to 0 and may exit on
 * failure, so the call seems to succeed. */
static size_t rule_setrlimit(struct program *program, const struct answers *to)
{
	return load_argument(program, 0, branch(program, BPF_JEQ, RLIMIT_CORE, to->pretend, to->allow));
}

/* Branches on a 64-bit pointer argument: `yes` if it is NULL. */
static size_t if_null(struct program *program, size_t index, size_t yes, size_t no)
{
	size_t upper = load_upper_half(program, index, branch(program, BPF_JEQ, 0, yes, no));

	return load_argument(program, index, branch(program, BPF_JEQ, 0, upper, no));
}

/* Judges the pid argument of a call that changes a process; 0 is the caller. In the run's own pid namespace every pid
 * but 1, our init, is the run's. Elsewhere a pid may be any process's, so only 0 passes. */
static size_t rule_target(struct program *program, const struct answers *to, const struct zs_seccomp_options *options,
	size_t index, size_t yes)
{
	size_t test = options->own_processes ? branch(program, BPF_JEQ, 1, to->eperm, yes)
					     : branch(program, BPF_JEQ, 0, yes, to->eperm);

	return load_argument(program, index, test);
}

/* Setting RLIMIT_CPU of another process of the same uid kills it. Landlock's scope of signals does not prevent that. */
static size_t rule_prlimit(struct program *program, const struct answers *to, const struct zs_seccomp_options *options)
{
	enum { PID, RESOURCE, NEW_LIMIT };
	size_t core = load_argument(program, RESOURCE, branch(program, BPF_JEQ, RLIMIT_CORE, to->pretend, to->allow));
	size_t set = rule_target(program, to, options, PID, core);

	return if_null(program, NEW_LIMIT, to->allow, set);
}

/* Judges setpriority(2) and ioprio_set(2), whose first argument says what the second names: a process, a process group
 * (process + 1) or a user (process + 2). The process group in which zs was started has members outside of the run.
 * Group 0 means that group itself, so a pid namespace does not hide it (kernel/signal.c, kernel/sys.c, block/ioprio.c).
 * A user means all of its processes, ours among them. */
static size_t rule_priority(
	struct program *program, const struct answers *to, const struct zs_seccomp_options *options, uint32_t process)
{
	size_t group = options->own_processes
			       ? load_argument(program, 1, branch(program, BPF_JEQ, 0, to->eperm, to->allow))
			       : to->eperm;
	const struct range who[] = {
		{ process, rule_target(program, to, options, 1, to->allow) },
		{ process + 1, group },
		{ process + 2, to->eperm },
	};

	return load_argument(program, 0, choose(program, who, ZS_COUNT(who), to->allow));
}

/* RENAME_WHITEOUT makes a character device without the right to make devices (man 2 renameat2). */
static size_t rule_rename(struct program *program, const struct answers *to)
{
	enum { FLAGS = 4, WHITEOUT = 1 << 2 };

	return load_argument(
		program, FLAGS, mask(program, WHITEOUT, branch(program, BPF_JEQ, 0, to->allow, to->eperm)));
}

/* Signals to process group 0, which has members outside of the run, are refused unless Landlock scopes signals. */
static size_t rule_kill(struct program *program, const struct answers *to, const struct zs_seccomp_options *options)
{
	if (options->scoped)
		return to->allow;
	return load_argument(program, 0, branch(program, BPF_JEQ, 0, to->eperm, to->allow));
}

/* Looks for the request among single requests first, then for its type. */
static size_t rule_ioctl(struct program *program, const struct answers *to)
{
	enum { REQUEST = 1, TYPE_BITS = 0xff00 };
#define TYPE_ROW(type, whose) { (uint32_t)(type) << 8, to->eperm },
#define NEEDED_ROW(name, request) { request, to->allow },
#define REFUSED_ROW(name, request) { request, to->eperm },
	const struct range types[] = { ZS_SECCOMP_IOCTL_TYPES(TYPE_ROW) };
	const struct range requests[] = { ZS_SECCOMP_IOCTLS_NEEDED(NEEDED_ROW) ZS_SECCOMP_IOCTLS_REFUSED(REFUSED_ROW) };
	size_t test = mask(program, TYPE_BITS, choose(program, types, ZS_COUNT(types), to->allow));

	return load_argument(program, REQUEST, choose(program, requests, ZS_COUNT(requests), test));
}

/* A lease makes every process that opens the file wait, 45 seconds by default (man 2 F_GETLEASE). Taking one needs only
 * a readable file that the caller owns: as root, everything in /etc. A delegation (Linux 6.19) is a lease of a file or
 * directory. */
static size_t rule_fcntl(struct program *program, const struct answers *to)
{
	const struct range commands[] = {
		{ 1024, to->eperm }, /* F_SETLEASE */
		{ 1040, to->eperm }, /* F_SETDELEG */
	};

	return load_argument(program, 1, choose(program, commands, ZS_COUNT(commands), to->allow));
}

/* The socket's type, in the lower bits; above are SOCK_NONBLOCK and SOCK_CLOEXEC. */
static const uint32_t type_bits = 0xf;

/* Refuses SOCK_RAW, and SOCK_PACKET, which makes AF_INET mean AF_PACKET. */
static size_t rule_inet(struct program *program, const struct answers *to)
{
	const struct range types[] = {
		{ SOCK_STREAM, to->allow },
		{ SOCK_DGRAM, to->allow },
		{ SOCK_SEQPACKET, to->allow },
	};
	size_t test = choose(program, types, ZS_COUNT(types), to->eperm);

	return load_argument(program, 1, mask(program, type_bits, test));
}

/* A datagram socket can send to any address without connect(2), and SOCK_RAW means SOCK_DGRAM here. */
static size_t rule_connected(struct program *program, const struct answers *to)
{
	const struct range types[] = { { SOCK_STREAM, to->allow }, { SOCK_SEQPACKET, to->allow } };

	return load_argument(program, 1, mask(program, type_bits, choose(program, types, ZS_COUNT(types), to->eacces)));
}

static size_t rule_socket(struct program *program, const struct answers *to, const struct zs_seccomp_options *options)
{
	size_t brokered = options->broker ? rule_connected(program, to) : to->eacces;
	size_t route = load_argument(program, 2, branch(program, BPF_JEQ, 0, to->allow, to->eprotonosupport));
	size_t inet = options->inet ? rule_inet(program, to) : to->eacces;
	const struct range families[] = {
		{ AF_UNIX, options->unix_sockets ? to->allow : brokered },
		{ AF_INET, inet },
		{ AF_INET6, inet },
		/* NETLINK_ROUTE (0) reads the network's state. Other protocols configure, log and watch the machine. */
		{ AF_NETLINK, options->inet ? route : to->eacces },
	};

	return load_argument(program, 0, choose(program, families, ZS_COUNT(families), to->eafnosupport));
}

/* Stream and seqpacket pairs stay connected to each other for good. */
static size_t rule_socketpair(
	struct program *program, const struct answers *to, const struct zs_seccomp_options *options)
{
	size_t local = options->unix_sockets ? to->allow : rule_connected(program, to);

	return load_argument(program, 0, branch(program, BPF_JEQ, AF_UNIX, local, to->eafnosupport));
}

static void make_rules(struct program *program, const struct answers *to, const struct zs_seccomp_options *options,
	size_t ret_rules[ZS_SECCOMP_RULE_COUNT])
{
	ret_rules[ZS_SECCOMP_EPERM] = to->eperm;
	ret_rules[ZS_SECCOMP_ENOSYS] = to->enosys;
	ret_rules[ZS_SECCOMP_FALLBACK] = to->silent;
	ret_rules[ZS_SECCOMP_EOPNOTSUPP] = to->eopnotsupp;
	ret_rules[ZS_SECCOMP_TRACE] = options->own_pids ? to->allow : to->eperm;
	ret_rules[ZS_SECCOMP_OWNER] = options->root_user && !options->users ? to->pretend : to->allow;
	ret_rules[ZS_SECCOMP_IPC] = options->own_ipc ? to->allow : to->enosys;
	ret_rules[ZS_SECCOMP_CLONE] = rule_namespaces(program, to, new_namespaces);
	ret_rules[ZS_SECCOMP_UNSHARE] = rule_namespaces(program, to, new_namespaces | new_time);
	ret_rules[ZS_SECCOMP_MKNOD] = rule_mknod(program, to, options, 1);
	ret_rules[ZS_SECCOMP_MKNODAT] = rule_mknod(program, to, options, 2);
	ret_rules[ZS_SECCOMP_RENAME] = rule_rename(program, to);
	ret_rules[ZS_SECCOMP_PERSONALITY] = rule_personality(program, to);
	ret_rules[ZS_SECCOMP_PRLIMIT] = rule_prlimit(program, to, options);
	ret_rules[ZS_SECCOMP_SETRLIMIT] = rule_setrlimit(program, to);
	ret_rules[ZS_SECCOMP_KILL] = rule_kill(program, to, options);
	ret_rules[ZS_SECCOMP_TARGET] = rule_target(program, to, options, 0, to->allow);
	ret_rules[ZS_SECCOMP_PRIORITY] = rule_priority(program, to, options, PRIO_PROCESS);
	ret_rules[ZS_SECCOMP_IOPRIO] = rule_priority(program, to, options, 1); /* IOPRIO_WHO_PROCESS */
	ret_rules[ZS_SECCOMP_IOCTL] = rule_ioctl(program, to);
	ret_rules[ZS_SECCOMP_FCNTL] = rule_fcntl(program, to);
	ret_rules[ZS_SECCOMP_SOCKET] = rule_socket(program, to, options);
	ret_rules[ZS_SECCOMP_SOCKETPAIR] = rule_socketpair(program, to, options);
	ret_rules[ZS_SECCOMP_BROKER] = options->broker && !options->told ? to->ask : to->allow;
}

/* Finds the lowest call number of the table above `above`; INT32_MAX: there is none. */
static int next_call(enum zs_seccomp_arch arch, int above, enum zs_seccomp_rule *ret_rule)
{
	int next = INT32_MAX;

	for (size_t i = 0; i < ZS_SECCOMP_CALL_COUNT; i++) {
		int number = zs_seccomp_calls[i].numbers[arch];

		if (number <= above || number >= next)
			continue;
		next = number;
		*ret_rule = zs_seccomp_calls[i].rule;
	}
	return next;
}

static size_t search_calls(struct program *program, enum zs_seccomp_arch arch, const struct answers *to,
	const size_t rules[ZS_SECCOMP_RULE_COUNT])
{
	struct ranges ranges = { .count = 0 };
	enum zs_seccomp_rule rule = ZS_SECCOMP_EPERM;

	cut(&ranges, 0, to->allow);
	for (int call = -1; (call = next_call(arch, call, &rule)) != INT32_MAX;)
		cut_one(&ranges, (uint32_t)call, rules[rule], to->allow);
	/* x32 calls have this bit set, and their numbers mean other calls. -1 is no call: a tracer writes it to skip
	 * one. */
	if (arch == ZS_SECCOMP_X86_64) {
		cut(&ranges, 0x40000000, to->kill);
		cut(&ranges, UINT32_MAX, to->allow);
	}
	return search(program, ranges.items, ranges.count);
}

static const uint32_t audit_archs[ZS_SECCOMP_ARCH_COUNT] = { AUDIT_ARCH_X86_64, AUDIT_ARCH_AARCH64 };

/* Moves the program to the start of code. */
static int finish(const struct program *program)
{
	if (program->full)
		return -E2BIG;
	memmove(program->code, program->code + program->size - program->used, program->used * sizeof *program->code);
	return (int)program->used;
}

int zs_seccomp_filter(
	enum zs_seccomp_arch arch, const struct zs_seccomp_options *options, struct sock_filter *code, size_t size)
{
	struct program program = { .code = code, .size = size };
	size_t rules[ZS_SECCOMP_RULE_COUNT];
	struct answers to;
	size_t native;

	make_answers(&program, options, &to);
	make_rules(&program, &to, options, rules);
	native = load(&program, offsetof(struct seccomp_data, nr), search_calls(&program, arch, &to, rules));
	native = branch(&program, BPF_JEQ, audit_archs[arch], native, to.kill);
	load(&program, offsetof(struct seccomp_data, arch), native);
	return finish(&program);
}

/* The observer's filter */

enum observed_rule { ALWAYS, FLAGS, POINTER };

static const struct observed {
	int numbers[ZS_SECCOMP_ARCH_COUNT];
	int argument;
	enum observed_rule rule;
} observed[] = {
#define OBSERVED_ROW(name, x86_64, aarch64, argument, rule) { { x86_64, aarch64 }, argument, rule },
	ZS_SECCOMP_OBSERVED(OBSERVED_ROW)
};

static size_t observe(struct program *program, const struct observed *call, size_t allow, size_t ask)
{
	const uint32_t writes = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;

	if (call->rule == FLAGS)
		return load_argument(program, (size_t)call->argument,
			mask(program, writes, branch(program, BPF_JEQ, 0, allow, ask)));
	return call->rule == POINTER ? if_null(program, (size_t)call->argument, allow, ask) : ask;
}

int zs_seccomp_observer(
	enum zs_seccomp_arch arch, const struct zs_seccomp_options *refusing, struct sock_filter *code, size_t size)
{
	struct program program = { .code = code, .size = size };
	struct zs_seccomp_options options = *refusing;
	struct range numbers[ZS_COUNT(observed) + ZS_SECCOMP_CALL_COUNT];
	size_t rules[ZS_SECCOMP_RULE_COUNT], count = 0, native;
	struct answers to;

	options.told = true;
	make_answers(&program, &options, &to);
	make_rules(&program, &to, &options, rules);
	rules[ZS_SECCOMP_BROKER] = options.broker || options.connections ? to.ask : to.allow;
	/* The first of two rows with one number counts: an observed call is asked about whatever its arguments are. */
	for (size_t i = 0; i < ZS_COUNT(observed); i++)
		if (observed[i].numbers[arch] >= 0)
			numbers[count++] = (struct range){ (uint32_t)observed[i].numbers[arch],
				observe(&program, &observed[i], to.allow, to.ask) };
	for (size_t i = 0; i < ZS_SECCOMP_CALL_COUNT; i++)
		if (zs_seccomp_calls[i].numbers[arch] >= 0)
			numbers[count++] = (struct range){ (uint32_t)zs_seccomp_calls[i].numbers[arch],
				rules[zs_seccomp_calls[i].rule] };
	native = load(&program, offsetof(struct seccomp_data, nr), choose(&program, numbers, count, to.allow));
	/* The other filter kills a process that makes calls of another architecture. */
	native = branch(&program, BPF_JEQ, audit_archs[arch], native, to.allow);
	load(&program, offsetof(struct seccomp_data, arch), native);
	return finish(&program);
}

/* Fails closed, by the sharpest action: a program of this file jumps forward and ends in a BPF_RET. */
uint32_t zs_seccomp_judge(const struct sock_filter *code, size_t count, const struct seccomp_data *data)
{
	uint32_t a = 0;

	for (size_t at = 0; at < count; at++) {
		const struct sock_filter *i = &code[at];

		if (i->code == (BPF_RET | BPF_K))
			return i->k;
		if (i->code == (BPF_LD | BPF_W | BPF_ABS) && i->k <= sizeof *data - sizeof a)
			memcpy(&a, (const char *)data + i->k, sizeof a);
		else if (i->code == (BPF_ALU | BPF_AND | BPF_K))
			a &= i->k;
		else if (i->code == (BPF_JMP | BPF_JA))
			at += i->k;
		else if (i->code == (BPF_JMP | BPF_JEQ | BPF_K))
			at += a == i->k ? i->jt : i->jf;
		else if (i->code == (BPF_JMP | BPF_JGE | BPF_K))
			at += a >= i->k ? i->jt : i->jf;
		else
			break;
	}
	return SECCOMP_RET_KILL_PROCESS;
}
