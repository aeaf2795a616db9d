/* Whatever goes wrong, the command does not run: zs exits with 125 and one line that says what failed. */
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/keyctl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "attacks.h"
#include "harness.h"

static void build(struct zs_policy *policy, const void *arg)
{
	zs_policy_set_workspace(policy, scratch_path(arg, "ws"), ZS_WORKSPACE_WRITE, NULL);
	grant_prog(policy, arg);
	zs_policy_add_env(policy, ATTACK_ENV "*", NULL);
}

static bool is_one_line(const char *text)
{
	const char *newline = strchr(text, '\n');

	return strncmp(text, "zs: ", 4) == 0 && newline && newline[1] == '\0';
}

/* A system call that fails, if its first argument is the one given. */
struct fault {
	const char *stage; /* the stage that the error must name */
	long call;
	int errno_value;
	long arg0; /* -1: any */
};

static const struct fault *fault;

/* Makes the fault happen in every process that this process starts from now on. */
static void inject(const void *arg)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)fault->call, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)fault->arg0, 0, fault->arg0 < 0 ? 0 : 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)fault->errno_value),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof filter / sizeof filter[0], filter };

	(void)arg;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		_exit(HARNESS_FAILED);
}

/* If a journal cannot be kept, zs says so and goes on. Then the next stage that meets the fault refuses the run. */
static const char *behind_journal(const char *text)
{
	static const char journal[] = "zs: journal: ";
	const char *end = strchr(text, '\n');

	return end && strncmp(text, journal, strlen(journal)) == 0 ? end + 1 : text;
}

TEST(each_stage_that_fails_stops_the_command)
{
	/* The descriptor of the identity maps: the first free number after the journal's. */
	enum { MAPS = 5 };
	static const struct fault faults[] = {
		{ "descriptors", SYS_close_range, ENOSYS, -1 },
		{ "namespaces", SYS_unshare, EPERM, -1 },
		{ "namespaces", SYS_unshare, ENOSPC, -1 },
		{ "namespaces", SYS_write, EPERM, MAPS },
		{ "network", SYS_unshare, ENOSPC, CLONE_NEWNET },
		{ "gate", SYS_setns, EPERM, -1 },
		{ "loopback", SYS_socket, EAFNOSUPPORT, -1 },
		{ "loopback", SYS_ioctl, EPERM, -1 },
		{ "keyring", SYS_keyctl, EPERM, KEYCTL_JOIN_SESSION_KEYRING },
		{ "keyring", SYS_keyctl, EDQUOT, -1 },
		{ "capabilities", SYS_prctl, EPERM, PR_SET_SECUREBITS },
		{ "capabilities", SYS_prctl, EINVAL, PR_CAP_AMBIENT },
		{ "capabilities", SYS_prctl, EPERM, PR_CAPBSET_DROP },
		{ "capabilities", SYS_prctl, EINVAL, PR_CAPBSET_DROP },
		{ "supervisor", SYS_capset, EPERM, -1 },
		{ "no_new_privs", SYS_prctl, EINVAL, PR_SET_NO_NEW_PRIVS },
		{ "landlock", SYS_landlock_create_ruleset, ENOSYS, -1 },
		{ "landlock", SYS_landlock_create_ruleset, EOPNOTSUPP, -1 },
		{ "supervisor", SYS_pidfd_open, ENOSYS, -1 },
		{ "supervisor", SYS_signalfd4, EMFILE, -1 },
		{ "mounts", SYS_fsopen, ENODEV, -1 },
		{ "mounts", SYS_fsconfig, EPERM, -1 },
		{ "mounts", SYS_fsmount, EPERM, -1 },
		{ "mounts", SYS_open_tree, EPERM, -1 },
		{ "mounts", SYS_move_mount, EINVAL, -1 },
		{ "mounts", SYS_mount_setattr, EINVAL, -1 },
		{ "mounts", SYS_pivot_root, EINVAL, -1 },
		{ "mounts", SYS_chroot, EPERM, -1 },
		{ "mounts", SYS_umount2, EBUSY, -1 },
		{ "mounts", SYS_openat2, ENOSYS, -1 },
		{ "mounts", SYS_openat2, EPERM, -1 },
		{ "watch", SYS_statx, EPERM, -1 },
		{ "init", SYS_unshare, ENOSPC, CLONE_NEWPID },
		{ "init", SYS_socketpair, EMFILE, -1 },
		{ "command", SYS_prctl, EINVAL, PR_SET_DUMPABLE },
		{ "landlock", SYS_landlock_add_rule, EINVAL, -1 },
		{ "landlock", SYS_landlock_restrict_self, EPERM, -1 },
		{ "core dumps", SYS_prlimit64, EPERM, -1 },
		{ "seccomp", SYS_seccomp, EINVAL, SECCOMP_SET_MODE_FILTER },
		{ "seccomp", SYS_seccomp, ENOSYS, -1 },
	};
	struct result result;

	AS_EACH_USER (scratch) {
		const char *ran = scratch_path(&scratch, "ws/ran");
		const struct attack attack = { &scratch, "write", ran, "" };

		for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
			const char *text;
			char start[64];

			if (UNDER_ASAN &&
				strcmp(faults[i].stage, "core dumps") == 0) /* ASan asks for limits, and gives up */
				continue;
			fault = &faults[i];
			snprintf(start, sizeof start, "zs: %s: ", fault->stage);
			attack_confined_after(scratch.owner, &attack, build, &scratch, inject, &result);
			CHECK(result.status == ZS_EXIT_CANNOT_ENFORCE, "%s, call %ld: %d %s", fault->stage, fault->call,
				result.status, result.err);
			text = behind_journal(result.err);
			CHECK(strncmp(text, start, strlen(start)) == 0 && is_one_line(text), "%s: %s", fault->stage,
				result.err);
			CHECK(!file_exists(ran), "%s: it has run", fault->stage);
			unlink(ran);
		}
		/* Without a fault the command runs. */
		attack_confined(scratch.owner, &attack, build, &scratch, &result);
		CHECK(result.status == 0 && file_exists(ran), "%d %s", result.status, result.err);
	}
}

/* The shim, called by hand with an environment that the caller made up. */

struct by_hand {
	char *const *argv;
	char *const *envp;
};

static int start_by_hand(void *arg)
{
	const struct by_hand *run = arg;

	execve("/proc/self/exe", run->argv, run->envp);
	return HARNESS_FAILED;
}

static void run_by_hand(char *const argv[], char *const envp[], struct result *result)
{
	struct by_hand run = { argv, envp };

	run_child(geteuid(), start_by_hand, &run, result);
}

TEST(shim_by_hand)
{
	static char large[ZS_POLICY_BYTES_MAX + 64];
	static const char good[] = ZS_SHIM_POLICY "={\"version\":1}";
	const struct {
		const char *name, *first, *second, *want;
	} rows[] = {
		{ "missing", "X=1", NULL, "is missing" },
		{ "empty", ZS_SHIM_POLICY "=", NULL, "is empty" },
		{ "truncated", ZS_SHIM_POLICY "={\"version\":1", NULL, "policy: line 1" },
		{ "no JSON", ZS_SHIM_POLICY "=yes", NULL, "policy: line 1" },
		{ "other version", ZS_SHIM_POLICY "={\"version\":2}", NULL, "is not 1" },
		{ "unknown key", ZS_SHIM_POLICY "={\"version\":1,\"allow\":true}", NULL, "unknown key" },
		{ "duplicate key", ZS_SHIM_POLICY "={\"version\":1,\"version\":1}", NULL, "duplicate key" },
		{ "home", ZS_SHIM_POLICY "={\"version\":1,\"paths\":[{\"path\":\"~\",\"access\":\"read\"}]}", "HOME=/",
			"needs HOME" },
		{ "twice", good, good, "is there twice" },
		{ "too large", large, NULL, "more than" },
		{ "overlay",
			ZS_SHIM_POLICY "={\"version\":1,\"workspace\":{\"root\":\"/proc\",\"access\":\"overlay\"}}",
			NULL, "zs: overlay: /proc: cannot be under an overlay" },
		{ "overlay of nothing", good, ZS_SHIM_OVERLAY "=999", "overlay's channel: bad file descriptor" },
		{ "overlay by a standard descriptor", good, ZS_SHIM_OVERLAY "=2", "is no descriptor's number" },
		{ "overlay by a name", good, ZS_SHIM_OVERLAY "=3x", "is no descriptor's number" },
		{ "overlay by no number", good, ZS_SHIM_OVERLAY "= 3", "is no descriptor's number" },
		{ "overlay by a large number", good, ZS_SHIM_OVERLAY "=4294967299", "is no descriptor's number" },
		{ "report of nothing", good, ZS_SHIM_REPORT "=999", "the report: bad file descriptor" },
		{ "report by a standard descriptor", good, ZS_SHIM_REPORT "=2", "is no descriptor's number" },
		{ "hosts without namespaces",
			ZS_SHIM_POLICY "={\"version\":1,\"tier\":\"landlock\",\"network\":{\"hosts\":[]}}", NULL,
			"zs: policy: network: hosts, " },
		{ "no such tier", ZS_SHIM_POLICY "={\"version\":1,\"tier\":\"none\"}", NULL,
			"is none of \"mounts\", \"landlock\" and \"seatbelt\"" },
		{ "another system's tier", ZS_SHIM_POLICY "={\"version\":1,\"tier\":\"seatbelt\"}", NULL,
			"zs: policy: tier: 'seatbelt' is another system's" },
		{ "landlock tier", ZS_SHIM_POLICY "={\"version\":1,\"tier\":\"landlock\"}", NULL,
			"zs: policy: private-tmp, loopback, metadata, processes" },
		{ "landlock tier, waived by half",
			ZS_SHIM_POLICY
			"={\"version\":1,\"tier\":\"landlock\",\"without\":[\"private-tmp\",\"loopback\","
			"\"processes\",\"privileges\"]}",
			NULL, "zs: policy: metadata: not kept by Landlock alone" },
		{ "no workspace",
			ZS_SHIM_POLICY "={\"version\":1,\"workspace\":{\"root\":\"/no/where\",\"access\":\"read\"}}",
			NULL, "/no/where" },
	};
	struct result result;

	memset(large, ' ', sizeof large - 1);
	memcpy(large, good, sizeof good - 1);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char *argv[] = { (char *)ZS_SHIM_ARGV0, (char *)"/bin/echo", (char *)"ran", NULL };
		char *envp[] = { (char *)rows[i].first, (char *)rows[i].second, NULL };

		run_by_hand(argv, envp, &result);
		CHECK(result.status == ZS_EXIT_CANNOT_ENFORCE && is_one_line(result.err) &&
				strstr(result.err, rows[i].want),
			"%s: %d %s", rows[i].name, result.status, result.err);
		CHECK(!*result.out, "%s: it has run: %s", rows[i].name, result.out);
	}
	run_by_hand((char *[]){ (char *)ZS_SHIM_ARGV0, NULL }, (char *[]){ (char *)good, NULL }, &result);
	CHECK(result.status == ZS_EXIT_CANNOT_ENFORCE && strstr(result.err, "no command"), "%d %s", result.status,
		result.err);
	run_by_hand((char *[]){ (char *)ZS_SHIM_ARGV0, (char *)"/bin/true", NULL }, (char *[]){ (char *)good, NULL },
		&result);
	CHECK(result.status == ZS_EXIT_NOT_FOUND, "an empty policy grants nothing: %d %s", result.status, result.err);
}

TEST(late_shim_is_refused)
{
	char *envp[] = { (char *)ATTACK_ENV "=late_shim", (char *)ATTACK_ARG1_ENV "=/bin/true",
		(char *)ZS_SHIM_POLICY "={\"version\":1,\"network\":\"full\"}", NULL };
	struct result result;

	run_by_hand((char *[]){ (char *)"host", NULL }, envp, &result);
	CHECK(result.status == ZS_EXIT_CANNOT_ENFORCE && is_one_line(result.err) &&
			strstr(result.err, "zs: threads: 2 threads are running"),
		"%d %s", result.status, result.err);
}

/* A host starts zs without descriptors 0 to 2. Later opens must not take their numbers, and the command must have
 * them. */
TEST(closed_standard_descriptors)
{
	OWN_SCRATCH(scratch);
	struct zs_policy *policy;
	struct zs_sandbox *sandbox;
	struct zs_error error;
	struct result result;
	char variable[8192], command[256], number[32];
	char *argv[] = { (char *)"/bin/bash", (char *)"-c", command, NULL };
	char *envp[] = { variable, (char *)ATTACK_ENV "=descriptor", number, NULL };

	zs_policy_new(NULL, &policy);
	build(policy, &scratch);
	check_ok(zs_sandbox_new(policy, &sandbox, &error), &error, "sandbox");
	snprintf(variable, sizeof variable, ZS_SHIM_POLICY "=%s", zs_sandbox_json(sandbox));
	zs_sandbox_free(sandbox);
	zs_policy_free(policy);
	for (int fd = 0; fd < 3; fd++) {
		snprintf(number, sizeof number, ATTACK_ARG1_ENV "=%d", fd);
		snprintf(command, sizeof command, "exec -a " ZS_SHIM_ARGV0 " %s %s %d>&-", scratch.prog, scratch.prog,
			fd);
		run_free(geteuid(), argv, envp, &result);
		CHECK(result.status == 0, "%d: %d %s", fd, result.status, result.err);
	}
}

/* The refusals of zs_sandbox_new(), naming field and feature. */

/* members: the members of the policy's JSON, after the version. */
static int make_sandbox(const char *members, struct zs_sandbox **ret_sandbox, char *line, size_t size)
{
	struct zs_policy *policy = NULL;
	struct zs_error error = { 0 };
	char json[256];
	int len = snprintf(json, sizeof json, "{\"version\":1%s}", members);
	int r = zs_policy_from_json(json, (size_t)len, NULL, &policy, &error);

	check_ok(r, &error, members);
	if (r == 0)
		r = zs_sandbox_new(policy, ret_sandbox, &error);
	zs_error_format(&error, line, size);
	zs_policy_free(policy);
	return r;
}

static int new_sandbox_undumpable(void *arg)
{
	struct zs_sandbox *sandbox;
	char line[1024];

	(void)arg;
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	if (make_sandbox("", &sandbox, line, sizeof line) < 0) {
		puts(line);
		return 1;
	}
	return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0 ? 0 : 2;
}

/* This also holds for a host that has changed its uid: it does not own its /proc/self, and that must not change. */
TEST(sandbox_in_a_host_that_cannot_be_dumped)
{
	struct result result;

	AS_EACH_USER (scratch) {
		run_child(scratch.owner, new_sandbox_undumpable, NULL, &result);
		CHECK(result.status == 0, "%d %s", result.status, result.out);
	}
}

TEST(sandbox_refuses_what_it_cannot_enforce)
{
#define WORKSPACE(root, access) ",\"workspace\":{\"root\":\"" root "\",\"access\":\"" access "\"}"
#define WRITE(path) ",\"paths\":[{\"path\":\"" path "\",\"access\":\"write\"}]"
	static const struct {
		const char *members, *want;
	} rows[] = {
		{ WORKSPACE("/no/where", "write"), "zs: workspace: /no/where: no such file" },
		{ WORKSPACE("/etc/passwd", "write"), "zs: workspace: /etc/passwd: not a directory" },
		{ WORKSPACE("/usr/bin", "read") WRITE("/usr"),
			"zs: workspace: /usr/bin: is read-only, but the grant of write access to /usr covers it" },
		{ WORKSPACE("/usr", "read") WRITE("/usr"),
			"is read-only, but the grant of write access to /usr covers it" },
		{ WORKSPACE("/usr/bin", "overlay") WRITE("/usr"),
			"is an overlay, but the grant of write access to /usr covers it" },
		{ WORKSPACE("/usr/bin", "read") WRITE("/proc/self/root/usr"),
			"is read-only, but the grant of write access to" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct zs_sandbox *sandbox = NULL;
		char line[1024];

		CHECK(make_sandbox(rows[i].members, &sandbox, line, sizeof line) < 0 && strcasestr(line, rows[i].want),
			"%s", line);
		zs_sandbox_free(sandbox);
	}
}

TEST(sandbox_refuses_sockets_that_it_cannot_tell_apart)
{
	static const char socket[] = ",\"unix_sockets\":[\"/no/where\"]";
	int abi = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, 1 /* LANDLOCK_CREATE_RULESET_VERSION */);
	struct zs_sandbox *sandbox = NULL;
	char line[1024], waived[128];
	int r = make_sandbox(socket, &sandbox, line, sizeof line);

	CHECK(abi >= 9 ? r == 0 : r == -EOPNOTSUPP && strstr(line, "zs: sandbox: sockets: Landlock ABI "), "%d %s", r,
		line);
	zs_sandbox_free(sandbox);
	snprintf(waived, sizeof waived, "%s,\"without\":[\"sockets\"]", socket);
	r = make_sandbox(waived, &sandbox, line, sizeof line);
	CHECK(r == 0, "waived: %s", line);
	if (r == 0) {
		CHECK(zs_sandbox_tier(sandbox) == ZS_TIER_MOUNTS, "%s", zs_tier_name(zs_sandbox_tier(sandbox)));
		CHECK(zs_sandbox_keeps(sandbox, ZS_PROMISE_SOCKETS) == (abi >= 9), "ABI %d", abi);
		zs_sandbox_free(sandbox);
	}
}

/* A machine without a feature, simulated by a system call that fails. */

static int new_sandbox_with_fault(void *arg)
{
	struct zs_sandbox *sandbox;
	char line[1024];

	(void)arg;
	inject(NULL);
	if (make_sandbox("", &sandbox, line, sizeof line) == 0)
		return 0;
	puts(line);
	return 1;
}

TEST(sandbox_names_the_missing_feature)
{
	static const struct {
		struct fault fault;
		const char *want;
	} rows[] = {
		{ { "", SYS_close_range, ENOSYS, -1 }, "descriptors: needs close-range: " },
		{ { "", SYS_landlock_create_ruleset, ENOSYS, -1 }, "CONFIG_SECURITY_LANDLOCK" },
		{ { "", SYS_landlock_create_ruleset, EOPNOTSUPP, -1 },
			"switched off when this kernel was booted; add landlock" },
		{ { "", SYS_seccomp, EOPNOTSUPP, SECCOMP_GET_ACTION_AVAIL }, "system calls: needs seccomp: " },
		{ { "", SYS_seccomp, EPERM, SECCOMP_SET_MODE_FILTER }, "CONFIG_SECCOMP_FILTER" },
		{ { "", SYS_unshare, EPERM, -1 }, "loopback, metadata, processes" },
		{ { "", SYS_unshare, EPERM, -1 }, ": needs user-namespace: " },
		{ { "", SYS_unshare, EPERM, 0x40000000 }, ": needs network-namespace: " },
		{ { "", SYS_unshare, EAGAIN, -1 }, "zs: sandbox: needs user-namespace: " },
		{ { "", SYS_ioctl, EPERM, -1 }, ": needs loopback: " },
		{ { "", SYS_pivot_root, EPERM, -1 }, ": needs mount-namespace: " },
		{ { "", SYS_fsmount, EPERM, -1 }, ": needs mount-namespace: " },
		{ { "", SYS_clone, EPERM, CLONE_NEWPID | CLONE_NEWNS | CLONE_VM | CLONE_VFORK },
			": needs pid-namespace: " },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		fault = &rows[i].fault;
		AS_EACH_USER (scratch) {
			struct result result;

			run_child(scratch.owner, new_sandbox_with_fault, NULL, &result);
			CHECK(result.status == 1 && strstr(result.out, rows[i].want), "%s: %d %s", rows[i].want,
				result.status, result.out);
		}
	}
}
