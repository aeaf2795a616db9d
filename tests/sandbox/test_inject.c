/* Each system call of the set-up fails once. Then either the command does not start and zs says why, or the call is one
 * of the few whose failure changes neither the command's state nor its powers.
 *
 * The program is zs itself (ZS_TEST_ZS), the command this test program, which writes down its state. With
 * ZS_INJECT=full each call fails with each errno, and a table shows the results; otherwise only a sample is tried.
 * ZS_INJECT_MODE=NAME: in this mode alone. */
#include "inject.h"

#include <dirent.h>
#include <linux/landlock.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#include "../allocations.h"
#include "attacks.h"
#include "cgroups_left.h"
#include "harness.h"
#include "linux/base/namespace_calls.h"
#include "linux/watch/journal.h"
#include "state.h"

#ifndef SYS_open /* aarch64 never had these */
#define SYS_open -1
#define SYS_poll -1
#define SYS_epoll_wait -1
#endif

enum { CALLS_MAX = 16384, STATE_BYTES = 8192, SAMPLE = 150 };

#define POLICY "{\"version\":1,\"workspace\":{\"root\":\"%s/ws\",\"access\":\"write\"},\"env\":{\"pass\":[\"INJECT*\"]}"
#define MOUNTED                                                                                                        \
	POLICY ",\"paths\":[{\"path\":\"%s/ws/file\",\"access\":\"protect\"},"                                         \
	       "{\"path\":\"%s/ws/sub/hidden\",\"access\":\"hide\"}]}"
#define OVERLAY                                                                                                        \
	"{\"version\":1,\"workspace\":{\"root\":\"%s/ws\",\"access\":\"overlay\"},"                                    \
	"\"paths\":[{\"path\":\"%s/ro\",\"access\":\"write\"}],\"env\":{\"pass\":[\"INJECT*\"]}}"
#define WITHOUT                                                                                                        \
	POLICY ",\"without\":[\"protect\",\"private-tmp\",\"loopback\",\"metadata\",\"processes\",\"privileges\"]}"
#define WITH_USERS POLICY ",\"root\":{\"path\":\"%s/root\",\"users\":true}}"
#define WITH_HOSTS POLICY ",\"network\":{\"hosts\":[\"example.org\",\"db.example.org:5432\"]}}"

/* The ways to run zs; all but the last are swept. */
static const struct mode {
	const char *name;
	const char *policy; /* JSON with up to three %s, each for the scratch folder; NULL: the default policy */
	const char *option; /* NULL: none */
	const char *mark;   /* a file that the command writes if it can */
	bool docker;        /* no namespace can be made */
	bool session;       /* run by this test program as a session's host, and not by zs */
	bool settings;      /* the policy comes from settings of a user and of a project, instead of options */
} modes[] = {
	{ "policy file", MOUNTED, NULL, "ws/ran", false, false, false },
	{ "overlay", OVERLAY, NULL, "ro/ran", false, false, false },
	{ "overlay with a receiver", OVERLAY, "--diff", "ro/ran", false, false, false },
	{ "default", NULL, NULL, "ws/ran", false, false, false },
	{ "limits",
		POLICY ",\"limits\":{\"wall_seconds\":60,\"cpu_seconds\":50,\"memory_bytes\":500000000,"
		       "\"processes\":50}}",
		NULL, "ws/ran", false, false, false },
	{ "landlock tier", WITHOUT, NULL, "ws/ran", true, false, false },
	{ "session", MOUNTED, NULL, "ws/ran", false, true, false },
	{ "hosts", WITH_HOSTS, NULL, "ws/ran", false, false, false },
	{ "session with hosts", WITH_HOSTS, NULL, "ws/ran", false, true, false },
	{ "session in the landlock tier", WITHOUT, NULL, "ws/ran", true, true, false },
	{ "settings", NULL, NULL, "ws/ran", false, false, true },
	/* Only root's maps are written by zs; a traced newuidmap gains no rights. tests/e2e/test_users.py has faults of
	 * that program. */
	{ "users", WITH_USERS, NULL, "ws/ran", false, false, false },
	{ "machine's network", POLICY ",\"network\":\"full\"}", NULL, "ws/ran", false, false, false },
};

enum {
	POLICY_FILE,
	LIMITS = 4,
	LANDLOCK_TIER,
	SESSION,
	HOSTS,
	SESSION_HOSTS,
	LANDLOCK_SESSION,
	SETTINGS,
	USERS,
	NETWORK,
	MODES = NETWORK
};

/* One place in which one user runs zs. */
struct stand {
	const struct scratch *scratch;
	char zs[96], command[96], mark[96], policy[96];
	char state[128], secret[128], host[512], config[96];
	char attack[64], attack_policy[128], attack_command[128]; /* for a session's host, which is an attack */
	char *argv[12], *envp[12];
	struct injection injection;
	/* The state of the present run. */
	bool docker;
	call_filter *filter;
	void *arg;
	struct cgroups_made cgroups;
};

static void copy_program(const char *from, const char *to)
{
	int in = open(from, O_RDONLY | O_CLOEXEC), out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
	static char buffer[1 << 16];
	ssize_t len;

	while ((len = read(in, buffer, sizeof buffer)) > 0)
		if (write(out, buffer, (size_t)len) != len)
			break;
	CHECK(in >= 0 && out >= 0 && len == 0, "%s: %s", from, strerror(errno));
	close(in);
	close(out);
	chmod(to, 0755);
}

/* The places that the settings grant, hide and protect are in the command's state. */
static void write_settings(struct stand *stand)
{
	static const char project[] = "{\"sandbox\":{\"protect\":[\"file\"],\"limits\":{\"open_files\":60},"
				      "\"write_paths\":[\"sub\"]}}";
	char user[256];

	snprintf(user, sizeof user,
		"{\"sandbox\":{\"additional_env_vars\":[\"INJECT*\"],\"hide\":[\"%s/ws/sub/hidden\"]}}",
		stand->scratch->root);
	make_folder(scratch_path(stand->scratch, "config"));
	make_folder(scratch_path(stand->scratch, "config/zs"));
	make_folder(scratch_path(stand->scratch, "ws/.zs"));
	write_text(scratch_path(stand->scratch, "config/zs/settings.json"), user);
	write_text(scratch_path(stand->scratch, "ws/.zs/settings.json"), project);
	snprintf(stand->config, sizeof stand->config, "XDG_CONFIG_HOME=%s/config", stand->scratch->root);
}

static void stand_make(struct stand *stand, const struct scratch *scratch, const char *zs, const struct mode *mode)
{
	char **argv = stand->argv;
	char json[512];

	*stand = (struct stand){ .scratch = scratch, .docker = mode->docker };
	write_text(scratch_path(stand->scratch, "ws/sub/hidden"), "secret");
	make_folder(scratch_path(stand->scratch, "root"));
	snprintf(stand->zs, sizeof stand->zs, "%s/zs", stand->scratch->root);
	snprintf(stand->command, sizeof stand->command, "%s/ws/prog", stand->scratch->root);
	snprintf(stand->mark, sizeof stand->mark, "%s/%s", stand->scratch->root, mode->mark);
	snprintf(stand->policy, sizeof stand->policy, "%s/policy.json", stand->scratch->root);
	snprintf(stand->state, sizeof stand->state, STATE_ENV "=%s", stand->mark);
	snprintf(stand->secret, sizeof stand->secret, STATE_SECRET_ENV "=%s/out/file", stand->scratch->root);
	state_host(stand->host, sizeof stand->host);
	copy_program(mode->session ? "/proc/self/exe" : zs, stand->zs);

	*argv++ = stand->zs;
	*argv++ = (char *)"run";
	snprintf(stand->attack, sizeof stand->attack, ATTACK_ENV "=host_session");
	snprintf(stand->attack_policy, sizeof stand->attack_policy, ATTACK_ARG1_ENV "=%s", stand->policy);
	snprintf(stand->attack_command, sizeof stand->attack_command, ATTACK_ARG2_ENV "=%s", stand->command);
	if (mode->policy) {
#pragma clang diagnostic ignored "-Wformat-nonliteral"
		snprintf(json, sizeof json, mode->policy, stand->scratch->root, stand->scratch->root,
			stand->scratch->root);
		write_text(stand->policy, json);
		*argv++ = (char *)"--policy";
		*argv++ = stand->policy;
		if (mode->option)
			*argv++ = (char *)mode->option;
	} else if (mode->settings) {
		write_settings(stand);
	} else {
		*argv++ = (char *)"--env";
		*argv++ = (char *)"INJECT*";
	}
	*argv++ = (char *)"--";
	*argv++ = stand->command;
	stand->envp[0] = stand->state;
	stand->envp[1] = stand->secret;
	stand->envp[2] = stand->host;
	stand->envp[3] = (char *)"PATH=/usr/bin:/bin";
	stand->envp[4] = (char *)"SECRET=out";
	stand->envp[5] = mode->session ? stand->attack : mode->settings ? stand->config : (char *)"A=1";
	stand->envp[6] = stand->attack_policy;
	stand->envp[7] = stand->attack_command;
	stand->injection = (struct injection){ .argv = stand->argv,
		.envp = stand->envp,
		.uid = scratch->owner,
		.cwd = strrchr(stand->mark, '/') ? scratch_path(stand->scratch, "ws") : "/",
		.command = stand->command };
}

/* Answers calls as the machine of the mode would, and injects the test's own fault. */
static bool meet_machine(const struct call *call, long *ret_result, void *arg)
{
	struct stand *stand = arg;

	cgroups_note(&stand->cgroups, call);
	if (stand->docker && call->number == SYS_unshare) {
		*ret_result = -EPERM;
		return true;
	}
	return stand->filter && stand->filter(call, ret_result, stand->arg);
}

/* A fault may kill all processes of a run. The next start in the workspace would read its journal, and so make calls
 * that no other run makes. */
static void forget_killed_runs(const struct stand *stand)
{
	char folder[32], run[ZS_FOLDER_ID_SIZE + 8], start[ZS_FOLDER_ID_SIZE + 16];
	char id[ZS_FOLDER_ID_SIZE];
	struct dirent *entry;
	DIR *names;

	CHECK(zs_folder_id(AT_FDCWD, scratch_path(stand->scratch, "ws"), id) == 0, "%s", strerror(errno));
	snprintf(run, sizeof run, "run-%.40s-", id);
	snprintf(start, sizeof start, "new-%s", run);
	/* For a user without a home, as a run of this user names it. */
	snprintf(folder, sizeof folder, "/tmp/zs-%u", stand->injection.uid);
	names = opendir(folder);
	while (names && (entry = readdir(names)))
		if (strncmp(entry->d_name, run, strlen(run)) == 0 || strncmp(entry->d_name, start, strlen(start)) == 0)
			unlinkat(dirfd(names), entry->d_name, 0);
	if (names)
		closedir(names);
}

static void stand_run(struct stand *stand, call_filter *filter, void *arg, struct outcome *outcome, char *state)
{
	int fd;
	ssize_t len;
	int r;

	unlink(stand->mark);
	forget_killed_runs(stand);
	stand->filter = filter;
	stand->arg = arg;
	stand->cgroups.count = 0;
	stand->injection.filter = meet_machine;
	stand->injection.arg = stand;
	r = inject_run(&stand->injection, outcome);
	CHECK(r == 0, "tracing: %s", strerror(-r));
	fd = open(stand->mark, O_RDONLY | O_CLOEXEC);
	len = fd < 0 ? -1 : read(fd, state, STATE_BYTES - 1);
	state[len < 0 ? 0 : len] = '\0';
	if (fd >= 0)
		close(fd);
}

/* The calls of a run in which nothing fails. */
struct recording {
	size_t count;
	struct call calls[CALLS_MAX];
};

static bool record(const struct call *call, long *ret_result, void *arg)
{
	struct recording *recording = arg;

	(void)ret_result;
	if (recording->count < CALLS_MAX)
		recording->calls[recording->count++] = *call;
	return false;
}

struct fault {
	const struct call *call;
	int cause;
	bool hit, drifted;
};

static bool meet(const struct call *call, long *ret_result, void *arg)
{
	struct fault *fault = arg;

	if (call->process != fault->call->process || call->ordinal != fault->call->ordinal)
		return false;
	fault->hit = true;
	/* The C library follows an F_DUPFD_CLOEXEC by an F_SETFD: one call earlier or later is another one. */
	fault->drifted = call->number != fault->call->number ||
			 (call->number == SYS_fcntl && call->arguments[1] != fault->call->arguments[1]);
	*ret_result = -fault->cause;
	return true;
}

/* In these calls an interruption is not a fault. */
static bool can_be_interrupted(long number)
{
	static const long numbers[] = {
#ifdef SYS_open
		SYS_open, SYS_poll, SYS_epoll_wait,
#endif
		SYS_openat, SYS_openat2, SYS_read, SYS_write, SYS_writev, SYS_wait4, SYS_waitid, SYS_ppoll,
		SYS_epoll_pwait, SYS_futex, SYS_rt_sigtimedwait, SYS_sendmsg, SYS_recvmsg, SYS_getrandom, SYS_flock
	};

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (numbers[i] == number)
			return true;
	return false;
}

enum verdict { REFUSED, HARMLESS, UNLISTED, WEAKER, WRONG_EXIT, WRONG_LINES, HANGS, DRIFTED, VERDICTS };

static const char *const verdict_names[VERDICTS] = { "refused", "harmless", "ran, but is not listed as harmless",
	"ran in another state", "wrong exit", "not one line that names a stage", "hangs", "met another call" };

enum {
	IN_SESSION = 4, /* the shim of a session */
	IN_ROOT = 8,    /* a run in another root directory */
};

/* The kinds of call whose failure changes nothing for the command. This is measured, too: the command's state must be
 * the same as without the fault. */
static const struct harmless {
	long number;
	int cause;         /* 0: any */
	long argument;     /* the second; -1: any */
	unsigned programs; /* 1: zs, and the child that probes; 2: the shim; 3: both; IN_SESSION; IN_ROOT */
	const char *why;
} harmless[] = {
	{ SYS_close, 0, -1, 3, "opened with O_CLOEXEC, or on the way to an exit" },
	{ SYS_munmap, 0, -1, 3, "the exec gives all memory back" },
	{ SYS_brk, 0, -1, 3, "malloc takes mmap" },
	{ SYS_mmap, 0, 0x1000, 3, "malloc's guard page; where it is more, malloc says so and zs refuses" },
	{ SYS_fcntl, 0, F_SETFD, 3, "open(2) has set O_CLOEXEC; musl sets it once more for Linux 2.6.22" },
	{ SYS_fcntl, 0, F_GETFD, 3, "only EBADF says that a standard descriptor is closed" },
	{ SYS_rt_sigaction, 0, -1, 1, "posix_spawn sets signals to their defaults; the host ignores none" },
	{ SYS_waitid, 0, -1, 1, "a session's host, which is this test program, waits again" },
	{ SYS_prctl, 0, 0, 1, "PR_GET_DUMPABLE: the probe's child gets memory of its own" },
	{ SYS_rt_sigprocmask, 0, -1, 1 | IN_SESSION,
		"musl's fork, posix_spawn and pthread_create; what a runner's thread starts sets its mask itself" },
	{ SYS_set_tid_address, 0, -1, 3, "musl's fork: of use to threads alone" },
	{ SYS_prlimit64, 0, -1, 1, "the probe of a feature that this policy does not need" },
	{ SYS_clone, 0, -1, 1, "the same; where it is the probe's own process, zs refuses" },
	{ SYS_prlimit64, ENOSYS, -1, 2, "musl takes setrlimit(2)" },
	{ SYS_open, 0, 0xa8100, 3 | IN_SESSION | IN_ROOT, "yama's setting: where that is 3, each connect(2) fails" },
	{ SYS_exit, 0, -1, 1, "the probe's child; musl exits once more" },
	{ SYS_exit_group, 0, -1, 1, "the same" },
	{ SYS_exit_group, 0, -1, 2, "who has written a map of several users; musl exits once more" },
	{ SYS_lseek, 0, -1, IN_ROOT, "musl closes /etc/passwd, which has been read" },
	{ SYS_getcwd, 0, -1, IN_ROOT, "a place in the root's layer, where a mount fails if it finds none" },
	{ SYS_openat2, 0, -1, IN_ROOT, "the same" },
	{ SYS_fstat, 0, -1, IN_ROOT, "the same" },
	{ SYS_newfstatat, 0, -1, IN_ROOT, "the same: if the root's own is not seen, one is made" },
	{ SYS_umask, 0, -1, IN_ROOT, "the same, with a stricter mode" },
	{ SYS_fcntl, ENOSYS, 0x406, IN_ROOT, "F_DUPFD_CLOEXEC: musl takes F_DUPFD" },
	{ SYS_clone3, ENOSYS, -1, 2, "the supervisor takes fork(2), and moves the process" },
	{ SYS_statx, ENOSYS, -1, 2, "musl takes newfstatat(2), which knows as well that nothing is there" },
	{ SYS_signalfd4, ENOSYS, -1, 2, "musl takes signalfd(2)" },
	{ SYS_ioctl, 0, 0x5413, 3,
		"TIOCGWINSZ: musl's fdopen shows a terminal's lines as they come; what is none adds no grant" },
	{ SYS_nanosleep, 0, -1, 2, "the clock has not ticked yet: asked again" },
	{ SYS_pipe2, ENOSYS, -1, 3, "musl takes pipe(2)" },
	{ SYS_open, 0, 0x88000, 1, "why there are no namespaces: a setting that cannot be read is not the reason" },
	{ SYS_read, 0, -1, 1, "the same" },
	{ SYS_write, EINTR, -1, 3, "zs_write_all() writes again" },
	{ SYS_open, 0, 0xa8901, 2, "O_WRONLY | O_NOFOLLOW: a standard file that is not the command's own is a pipe" },
	{ SYS_kill, 0, SIGKILL, 2, "who holds a user namespace for its descriptor ends with its parent" },
	{ SYS_getpid, 0, -1, 2, "always succeeds" },
	{ SYS_kill, EPERM, 0, 2, "the answer that the watchdog wants: signals do not get out" },
	{ SYS_ioctl, EPERM, 0x9400, 3, "the answer that says that the seccomp filter is in effect" },
	{ SYS_ioctl, 0, 0x40082104, 2, "SECCOMP_IOCTL_NOTIF_SET_FLAGS: the broker answers later" },
	{ SYS_pidfd_send_signal, EPERM, 0, 2, "the same, that a session's thread wants" },
	{ SYS_getppid, 0, -1, 2, "always succeeds" },
	{ SYS_geteuid, 0, -1, 3, "always succeeds; who gives up 'privileges' may be root" },
	{ SYS_getegid, 0, -1, 1, "always succeeds; of a user namespace that cannot be had" },
	{ SYS_landlock_create_ruleset, 0, 0, 1, "the probe of scopes, which only the machine's network needs" },
	{ SYS_poll, 0, -1, 2, "the supervisor, all set up, asks again" },
	{ SYS_rt_sigtimedwait, 0, -1, 2, "the init waits again" },
	{ SYS_wait4, 0, 0, 1, "the probe of a feature that this policy does not need: its child has ended" },
	{ SYS_wait4, 0, -1, 2, "the init asks again at the next signal" },
	{ SYS_read, EINTR, -1, 1, "read again" },
	{ SYS_sendmsg, EINTR, -1, 3, "sent again" },
	{ SYS_recvmsg, EINTR, -1, 3, "received again" },
	{ SYS_recvmsg, 0, -1, 2,
		"a session's thread for the next request ends the session, or the run is over before" },
	{ SYS_ppoll, 0, -1, 2, "a session's thread asks again whether its supervisor has ended" },
	{ SYS_dup3, ENOSYS, -1, 2, "musl takes dup2(2)" },
	{ SYS_recvfrom, 0, -1, 2,
		"a session's init that hears nothing more ends the session, or its run is over before that" },
#ifdef SYS_pause
	{ SYS_pause, 0, -1, 2, "who holds the user namespace of a mapped mount pauses again, until it is ended" },
#endif
#ifdef SYS_readlink
	{ SYS_readlink, 0, -1, 1,
		"may it write where settings or approvals are kept? When that cannot be told, they are protected" },
#endif
#ifdef SYS_lstat
	{ SYS_lstat, 0, -1, 1, "the same, of where approvals and the machine's settings are kept: is_kept()" },
#endif
#ifdef SYS_stat
	{ SYS_stat, 0, -1, 1, "whether a grant's path is there, which its way over links says once more" },
#endif
	{ SYS_setsockopt, 0, IPPROTO_TCP, 2, "how a listener of the proxy's paces what it sends is a matter of speed" },
	{ SYS_wait4, EINTR, -1, 1, "waited again" },
	{ SYS_pread64, 0, -1, 2, "the supervisor looks at the time that is used once more" },
	{ SYS_sched_getattr, 0, -1, 2, "who ends a run then waits for a processor as any other does" },
	{ SYS_sched_setattr, 0, -1, 2, "the same" },
	{ SYS_setitimer, 0, -1, 2, "the run keeps no log, as a shorter one does" },
	{ SYS_setsid, 0, -1, 2, "the same, and the watch, watchdog and killer stay in the caller's process group" },
	{ SYS_open, 0, 0x88100, 2, "/dev/tty: the same, and the command stays in the caller's session" },
	{ SYS_fstat, 0, -1, 1, "zs makes the journal's folder; where there is none the run says so" },
	{ SYS_faccessat2, ENOSYS, -1, 2, "musl takes faccessat(2)" },
	{ SYS_readlinkat, 0, -1, 2, "the journal names no process of the run, for which the next start would wait" },
#ifdef SYS_mkdir
	{ SYS_mkdir, 0, -1, 1, "the journal's folder, as above" },
#endif
	{ SYS_open, 0, 0xb8000, 1, "O_DIRECTORY | O_NOFOLLOW: the same" },
	{ SYS_sched_getaffinity, 0, -1, 2, "how often the supervisor looks at the time that is used" },
};

#ifdef SYS_lstat
/* A folder that may hold a repository is protected. One that cannot be looked at counts as such. */
static bool is_repository(const char *path)
{
	size_t len = strlen(path);

	return len > 5 && strcmp(path + len - 5, "/.git") == 0;
}

/* The folder of approvals without XDG_RUNTIME_DIR (/tmp/zs-UID), that of the machine's settings, and their parents. */
static bool is_kept(const char *path)
{
	static const char folder[] = "/tmp", own[] = "/tmp/zs-";
	const char *uid = path + sizeof own - 1;

	if (strcmp(path, folder) == 0 || strcmp(path, "/etc") == 0 || strcmp(path, "/etc/zs") == 0)
		return true;
	return strncmp(path, own, sizeof own - 1) == 0 && *uid && !uid[strspn(uid, "0123456789")];
}
#endif

static bool is_harmless(const struct fault *fault, const struct mode *mode)
{
	const struct call *call = fault->call;
	unsigned program = call->image | (mode->session && call->image == 2 ? IN_SESSION : 0) |
			   (mode == &modes[USERS] ? IN_ROOT : 0);

	/* zs looks at the machine to make the default policy, and does not grant a path that it cannot see. */
	if (!mode->policy && call->image == 1 && call->process == 0)
		return true;
#ifdef SYS_lstat
	if (call->number == SYS_lstat && !is_kept(call->path) && !is_repository(call->path))
		return false;
#endif
	/* During a sweep, each start looks at the journal of a start that was killed. */
	if (call->number == SYS_newfstatat && strncmp(call->path, "new-run-", strlen("new-run-")) == 0)
		return true;
	/* The init's first handler: musl's sigaction(3) first unblocks signals of its own, which no thread here uses.
	 */
	if (call->number == SYS_rt_sigprocmask && call->image == 2 && call->arguments[0] == SIG_UNBLOCK)
		return true;
	/* A journal asks only for its own pid. */
	if (call->number == SYS_readlinkat && strcmp(call->path, "/proc/self") != 0)
		return false;
	for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
		const struct harmless *row = &harmless[i];

		if (row->number == call->number && (row->cause == 0 || row->cause == fault->cause) &&
			(row->argument < 0 || (uint64_t)row->argument == call->arguments[1]) &&
			(row->programs & program))
			return true;
	}
	return false;
}

/* Calls that are not part of the set-up: musl's posix_spawn waits for the end of a pipe, which needs close(2) to work;
 * and a session's host waits for a command that may have begun. */
static bool is_left_out(const struct mode *mode, const struct call *call)
{
	/* Calls of a proxy that serves. A proxy that cannot wait ends; tests/e2e/test_hosts.py tests that. */
	if (call->number == SYS_epoll_pwait)
		return true;
	if (!mode->session || call->image != 1)
		return false;
	return call->number == SYS_close || (call->number == SYS_recvmsg && call->occurrence > 1);
}

static bool is_one_line(const char *text)
{
	const char *newline = strchr(text, '\n');
	const char *stage_end = strncmp(text, "zs: ", 4) == 0 ? strstr(text + 4, ": ") : NULL;

	return newline && newline[1] == '\0' && stage_end;
}

/* A run that may have begun: a process that cannot wait for it any more ends it and says so. In a session it ends all
 * runs. */
static bool is_end_of_run(const struct mode *mode, const struct call *call, const struct outcome *outcome)
{
	bool of_run = call->image == 2, speaks, waits, is_said, is_silent;

	is_said = outcome->status == ZS_EXIT_CANNOT_ENFORCE && is_one_line(outcome->err);
	is_silent = outcome->status == 128 + SIGKILL && !*outcome->err;
	speaks = of_run && (call->number == SYS_sendto || call->number == SYS_recvmsg || call->number == SYS_recvfrom);
	waits = call->number == SYS_poll;
	if (of_run && call->number == SYS_wait4)
		return is_said;
	/* The host says it if it has no answer yet. */
	return mode->session && (speaks || waits) && (is_said || is_silent);
}

/* zs itself refuses the file or folder that it was given, before it makes a sandbox. */
static bool is_refusal(const struct call *call, int status)
{
	if (call->command)
		return status == ZS_EXIT_CANNOT_EXECUTE;
	return status == ZS_EXIT_CANNOT_ENFORCE || (call->image == 1 && (status == 64 || status == 65));
}

/* Compares line by line. A namespace that is missing in the state is one whose /proc is not granted: that is less
 * access, not a weaker run. */
static bool is_as_strong(const char *state, const char *reference)
{
	while (*state && *reference) {
		size_t len = strcspn(state, "\n"), reference_len = strcspn(reference, "\n");
		bool same = len == reference_len && memcmp(state, reference, len) == 0;

		if (!same && !(len > 8 && memcmp(state + len - 8, " unknown", 8) == 0))
			return false;
		state += len + (state[len] == '\n');
		reference += reference_len + (reference[reference_len] == '\n');
	}
	return *state == *reference;
}

/* A run without a journal is confined as any other, and says that it has none. */
static bool says_no_journal(const char *err)
{
	return strncmp(err, "zs: journal: ", 13) == 0 && is_one_line(err);
}

static enum verdict judge(const struct mode *mode, const struct fault *fault, const struct outcome *outcome,
	const char *state, const char *reference)
{
	if (outcome->timed_out)
		return HANGS;
	if (!fault->hit || fault->drifted)
		return DRIFTED;
	if (is_end_of_run(mode, fault->call, outcome))
		return REFUSED;
	if (outcome->ran || *state) {
		bool said = fault->call->image == 2 && says_no_journal(outcome->err);

		if (outcome->status != 0 || (*outcome->err && !said) || !is_as_strong(state, reference))
			return WEAKER;
		return said || is_harmless(fault, mode) ? HARMLESS : UNLISTED;
	}
	if (!is_refusal(fault->call, outcome->status))
		return WRONG_EXIT;
	return is_one_line(outcome->err) ? REFUSED : WRONG_LINES;
}

/* Prints the first line of `state` that differs from `reference`. */
static void print_difference(const char *state, const char *reference)
{
	while (*state && *state == *reference) {
		const char *line = state, *other = reference;

		while (*line && *line == *other && *line != '\n')
			line++, other++;
		if (*line != '\n' || *other != '\n')
			break;
		state = line + 1;
		reference = other + 1;
	}
	printf("  state: %.*s; without the fault: %.*s\n", (int)strcspn(state, "\n"), state,
		(int)strcspn(reference, "\n"), reference);
}

static const char *cause_name(int cause)
{
	return cause == EPERM ? "EPERM" : cause == ENOSYS ? "ENOSYS" : cause == ENOMEM ? "ENOMEM" : "EINTR";
}

static void print_run(const struct fault *fault, const struct outcome *outcome, enum verdict verdict)
{
	const struct call *call = fault->call;

	printf("process %u program %u call %u: %s (%llx, %llx; %s) #%u %s: %s: exit %d %.*s\n", call->process,
		call->image, call->ordinal, call_name(call->number), (unsigned long long)call->arguments[0],
		(unsigned long long)call->arguments[1], call->path, call->occurrence, cause_name(fault->cause),
		verdict_names[verdict], outcome->status, (int)strcspn(outcome->err, "\n"), outcome->err);
}

static bool is_full(void)
{
	const char *how = getenv("ZS_INJECT");

	return how && strcmp(how, "full") == 0;
}

/* Each call is tried with each errno; if there are very many calls, as for the default policy, some with only one. */
static bool is_sampled(size_t errno_index, size_t index, size_t count)
{
	size_t stride = count / SAMPLE + 1;

	return is_full() || stride == 1 || (index % stride == 0 && errno_index == index / stride % 3);
}

struct sweep {
	const struct mode *mode;
	struct stand stand;
	struct recording recording;
	char reference[STATE_BYTES];
	size_t runs, verdicts[VERDICTS];
	size_t unruled; /* ran although the call for a ruleset was skipped */
};

static void sweep_call(struct sweep *sweep, const struct call *call, int cause)
{
	enum { TRIES = 4 };
	struct fault fault;
	struct outcome outcome;
	char state[STATE_BYTES];
	enum verdict verdict = DRIFTED;

	/* The fault happens before the other processes go on, or after they are at rest. */
	sweep->stand.injection.late = cause == EPERM;
	/* On a busy machine a process may wait more often before the call, so the fault hits another one. */
	for (int i = 0; i < TRIES && verdict == DRIFTED; i++) {
		fault = (struct fault){ .call = call, .cause = cause };
		stand_run(&sweep->stand, meet, &fault, &outcome, state);
		verdict = judge(sweep->mode, &fault, &outcome, state, sweep->reference);
	}
	sweep->runs++;
	sweep->verdicts[verdict]++;
	CHECK(verdict == REFUSED || verdict == HARMLESS, "%s", verdict_names[verdict]);
	CHECK(cgroups_left(&sweep->stand.cgroups) == 0, "%s: %s: a cgroup is left", call_name(call->number),
		call->path);
	if (is_full() || (verdict != REFUSED && verdict != HARMLESS))
		print_run(&fault, &outcome, verdict);
	if (verdict == WEAKER)
		print_difference(state, sweep->reference);
}

/* The process that waits for the overlay runs beside the set-up of the run. */
static bool waits(const struct mode *mode, const struct call *call)
{
	return !mode->session && call->image == 1 && call->number == SYS_recvmsg;
}

static void sweep_calls(struct sweep *sweep)
{
	static const int causes[] = { EPERM, ENOSYS, ENOMEM, EINTR };
	const struct recording *recording = &sweep->recording;

	for (size_t i = 0; i < recording->count; i++) {
		const struct call *call = &recording->calls[i];

		for (size_t e = 0; e < sizeof causes / sizeof *causes && !call->startup && !waits(sweep->mode, call);
			e++) {
			if (causes[e] == EINTR && !can_be_interrupted(call->number))
				continue;
			if (is_left_out(sweep->mode, call))
				continue;
			if (is_sampled(e % 3, i, recording->count))
				sweep_call(sweep, call, causes[e]);
		}
	}
}

static double seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void record_mode(struct sweep *sweep, const char *zs, const struct scratch *scratch, const struct mode *mode,
	struct outcome *outcome)
{
	*sweep = (struct sweep){ .mode = mode };
	stand_make(&sweep->stand, scratch, zs, mode);
	/* The first run makes the folder of journals, which all later runs find. */
	for (int i = 0; i < 2; i++) {
		sweep->recording.count = 0;
		stand_run(&sweep->stand, record, &sweep->recording, outcome, sweep->reference);
	}
	CHECK(outcome->status == 0 && outcome->ran && *sweep->reference, "without a fault: %d %s", outcome->status,
		outcome->err);
}

static void sweep_mode(struct sweep *sweep, const char *zs, const struct scratch *scratch, const struct mode *mode)
{
	double began = seconds_now();
	struct outcome outcome;

	record_mode(sweep, zs, scratch, mode, &outcome);
	CHECK(!*outcome.err, "without a fault: %s", outcome.err);
	if (is_full())
		fputs(sweep->reference, stdout);
	CHECK(strcmp(mode->name, "limits") != 0 || scratch->owner != 0 || sweep->stand.cgroups.count > 0,
		"no cgroup was made");
	CHECK(cgroups_left(&sweep->stand.cgroups) == 0, "without a fault: a cgroup is left");
	if (outcome.status == 0 && outcome.ran)
		sweep_calls(sweep);
	printf("inject: uid %d, %s: %zu calls of %u processes, %s: %zu runs in %.1f s:", (int)scratch->owner,
		mode->name, sweep->recording.count, outcome.processes,
		is_full() || sweep->recording.count < SAMPLE ? "all" : "a sample", sweep->runs, seconds_now() - began);
	for (size_t i = 0; i < VERDICTS; i++)
		if (sweep->verdicts[i])
			printf(" %zu %s.", sweep->verdicts[i], verdict_names[i]);
	putchar('\n');
	fflush(stdout);
}

/* Returns the path of a built program, or skips the test. */
static const char *program(const char *variable)
{
	const char *path = getenv(variable);

	if (!path || !*path)
		check_skip("needs %s; ./zigw build test sets it", variable);
	return path && *path ? path : NULL;
}

SLOW_TEST(inject_each_system_call)
{
	/* The command is this program, which must not need libraries. */
	const char *zs = UNDER_ASAN ? NULL : program("ZS_TEST_ZS");
	struct sweep *sweep = calloc(1, sizeof *sweep);
	const char *only = getenv("ZS_INJECT_MODE");

	for (size_t m = 0; zs && m < MODES; m++)
		AS_EACH_USER (scratch)
			if ((m != USERS || scratch.owner == 0) && (!only || strcmp(only, modes[m].name) == 0))
				sweep_mode(sweep, zs, &scratch, &modes[m]);
	free(sweep);
}

/* A seccomp filter of the caller skips a call and reports success: once at each place, and always. The command must not
 * begin, or must have no more power than without the filter. */

static const struct fake {
	long number;
	long argument; /* the first argument; -1: any */
} fakes[] = {
	{ SYS_seccomp, -1 },
	{ SYS_landlock_restrict_self, -1 },
	{ SYS_landlock_add_rule, -1 },
	{ SYS_capset, -1 },
	{ SYS_setgroups, -1 },
	{ SYS_prctl, PR_SET_NO_NEW_PRIVS },
	{ SYS_prctl, PR_CAPBSET_DROP },
	{ SYS_prctl, PR_SET_SECUREBITS },
	{ SYS_prctl, PR_CAP_AMBIENT },
	{ SYS_prctl, PR_SET_DUMPABLE },
	{ SYS_prctl, -1 },
	{ SYS_unshare, -1 },
	{ SYS_setns, -1 },
	{ SYS_mount_setattr, -1 },
	{ SYS_move_mount, -1 },
	{ SYS_pivot_root, -1 },
	{ SYS_chroot, -1 },
	{ SYS_umount2, -1 },
	{ SYS_close_range, -1 },
	{ SYS_keyctl, -1 },
	{ SYS_prlimit64, -1 },
	{ SYS_fchdir, -1 },
	{ SYS_chdir, -1 },
	{ SYS_fsconfig, -1 },
};

struct faked {
	const struct fake *fake;
	const struct call *call; /* NULL: always */
	bool hit;
};

static bool is_faked(const struct fake *fake, const struct call *call)
{
	return call->number == fake->number && (fake->argument < 0 || (uint64_t)fake->argument == call->arguments[0]);
}

static bool succeed(const struct call *call, long *ret_result, void *arg)
{
	struct faked *faked = arg;

	if (!is_faked(faked->fake, call) ||
		(faked->call && (call->process != faked->call->process || call->ordinal != faked->call->ordinal)))
		return false;
	faked->hit = true;
	*ret_result = 0;
	return true;
}

static void sweep_fake(struct sweep *sweep, const struct fake *fake, const struct call *call)
{
	struct faked faked = { fake, call, false };
	struct outcome outcome;
	char state[STATE_BYTES];
	bool ran, weaker;

	stand_run(&sweep->stand, succeed, &faked, &outcome, state);
	ran = outcome.ran || *state;
	/* A command that can do nothing, not even write its state, has been granted less. */
	weaker = ran && *state && !outcome.timed_out && !is_as_strong(state, sweep->reference);
	sweep->runs++;
	/* With mounts alone the state would be the same. In a session of the mount tier, nothing depends on the domain
	 * that a thread of the runner enters before it starts a run. */
	sweep->unruled += ran && fake->number == SYS_landlock_restrict_self;
	CHECK(sweep->unruled <= (sweep->mode == &modes[SESSION]),
		"%s: %s %u of process %u: ran without a ruleset: %d %s", sweep->mode->name, call_name(fake->number),
		call ? call->ordinal : 0, call ? call->process : 0, outcome.status, outcome.err);
	CHECK(!outcome.timed_out && !weaker, "%s: %s (%lx) %s %u of process %u: %s, exit %d %s", sweep->mode->name,
		call_name(fake->number), call ? (unsigned long)call->arguments[0] : (unsigned long)fake->argument,
		call ? "call" : "always", call ? call->ordinal : 0, call ? call->process : 0,
		weaker ? "ran in another state" : "hangs", outcome.status, outcome.err);
	if (weaker)
		print_difference(state, sweep->reference);
}

static void fake_mode(struct sweep *sweep, const char *zs, const struct scratch *scratch, const struct mode *mode)
{
	struct outcome outcome;

	record_mode(sweep, zs, scratch, mode, &outcome);
	for (size_t f = 0; f < sizeof fakes / sizeof *fakes; f++) {
		bool made = false;

		for (size_t i = 0; i < sweep->recording.count; i++) {
			const struct call *call = &sweep->recording.calls[i];

			if (call->startup || !is_faked(&fakes[f], call))
				continue;
			made = true;
			/* There are many calls for the bounding set, all alike. */
			if (call->number != SYS_prctl || call->arguments[0] != PR_CAPBSET_DROP ||
				call->arguments[1] % 8 == 0)
				sweep_fake(sweep, &fakes[f], call);
		}
		if (made)
			sweep_fake(sweep, &fakes[f], NULL);
	}
	printf("fake success: uid %d, %s: %zu runs\n", (int)scratch->owner, mode->name, sweep->runs);
}

SLOW_TEST(inject_success_that_is_none)
{
	static const size_t which[] = { POLICY_FILE, LANDLOCK_TIER, SESSION, HOSTS, USERS };
	const char *zs = UNDER_ASAN ? NULL : program("ZS_TEST_ZS");
	struct sweep *sweep = calloc(1, sizeof *sweep);

	for (size_t m = 0; zs && m < sizeof which / sizeof *which; m++)
		AS_EACH_USER (scratch)
			if (which[m] != USERS || scratch.owner == 0)
				fake_mode(sweep, zs, &scratch, &modes[which[m]]);
	free(sweep);
}

/* An older kernel, whose Landlock is not sufficient. zs notices that when it probes, and also when it confines, since a
 * host may not have probed. */

struct old_kernel {
	long abi;
	unsigned from_image;
};

static bool answer_abi(const struct call *call, long *ret_result, void *arg)
{
	const struct old_kernel *kernel = arg;

	*ret_result = kernel->abi;
	return call->number == SYS_landlock_create_ruleset && call->image >= kernel->from_image &&
	       call->arguments[2] == LANDLOCK_CREATE_RULESET_VERSION;
}

/* The tests to run at each ABI. */
static const struct {
	const struct mode *mode;
	unsigned from_image;
	long least;
	const char *refusal;
} old_kernels[] = {
	{ &modes[POLICY_FILE], 1, 3, "zs: sandbox: paths: needs landlock: this kernel has " },
	{ &modes[LIMITS], 2, 3, "zs: landlock: this kernel has ABI " }, /* it has probed before */
	{ &modes[LANDLOCK_TIER], 1, 3, "zs: sandbox: paths: needs landlock: this kernel has " },
	{ &modes[LANDLOCK_TIER], 2, 3, "zs: sandbox: paths: needs landlock: this kernel has " },
	{ &modes[NETWORK], 1, 6, "zs: sandbox: " },
	{ &modes[LANDLOCK_SESSION], 2, 6, "zs: session: " },
};

static void meet_old_kernels(const char *zs, const struct scratch *scratch, size_t row)
{
	struct stand stand;

	stand_make(&stand, scratch, zs, old_kernels[row].mode);
	for (long abi = 0; abi <= 7; abi++) {
		struct old_kernel kernel = { abi, old_kernels[row].from_image };
		const char *refusal = old_kernels[row].refusal;
		struct outcome outcome;
		char state[STATE_BYTES];

		stand_run(&stand, answer_abi, &kernel, &outcome, state);
		/* Under ASan the command needs libraries that are not granted. */
		if (abi >= old_kernels[row].least)
			CHECK(UNDER_ASAN || (outcome.status == 0 && outcome.ran && *state && !*outcome.err),
				"%s, ABI %ld from program %u: %d %s", old_kernels[row].mode->name, abi,
				kernel.from_image, outcome.status, outcome.err);
		else
			CHECK(outcome.status == ZS_EXIT_CANNOT_ENFORCE && !outcome.ran && !*state &&
					is_one_line(outcome.err) && strncmp(outcome.err, refusal, strlen(refusal)) == 0,
				"%s, ABI %ld from program %u: %d %s", old_kernels[row].mode->name, abi,
				kernel.from_image, outcome.status, outcome.err);
	}
}

TEST(inject_an_older_landlock)
{
	const char *zs = program("ZS_TEST_ZS");

	for (size_t row = 0; zs && row < sizeof old_kernels / sizeof *old_kernels; row++)
		AS_EACH_USER (scratch)
			meet_old_kernels(zs, &scratch, row);
}

/* Makes a machine without user namespaces: a user namespace of the test's own, which has its own limit. */

static void forbid_user_namespaces(const void *arg)
{
	static const char limit[] = "/proc/sys/user/max_user_namespaces";
	const char *object;
	int fd = -1;

	(void)arg;
	/* A process that has changed its uid does not own its /proc/self. */
	prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
	if (zs_namespaces_enter(CLONE_NEWUSER, geteuid(), getegid(), &object) == 0)
		fd = open(limit, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, "0", 1) != 1) {
		perror(limit);
		_exit(HARNESS_FAILED);
	}
	close(fd);
}

static int run_zs_without_user_namespaces(void *arg)
{
	struct stand *stand = arg;

	forbid_user_namespaces(NULL);
	execve(stand->argv[0], stand->argv, stand->envp);
	return HARNESS_FAILED;
}

TEST(inject_no_user_namespaces_in_zs)
{
	const char *zs = program("ZS_TEST_ZS");

	if (!zs)
		return;
	AS_EACH_USER (scratch) {
		struct result result;
		struct stand stand;

		stand_make(&stand, &scratch, zs, &modes[POLICY_FILE]);
		run_child(scratch.owner, run_zs_without_user_namespaces, &stand, &result);
		CHECK(result.status == ZS_EXIT_CANNOT_ENFORCE && is_one_line(result.err) &&
				strstr(result.err, "/proc/sys/user/max_user_namespaces = 0"),
			"%d %s", result.status, result.err);
		CHECK(!file_exists(stand.mark), "it has run");
	}
}

static void build(struct zs_policy *policy, const void *arg)
{
	zs_policy_set_workspace(policy, scratch_path(arg, "ws"), ZS_WORKSPACE_WRITE, NULL);
	zs_policy_add_env(policy, "INJECT*", NULL);
}

/* The limit is reached between the check and the shim. */
TEST(inject_no_user_namespaces_in_the_shim)
{
	AS_EACH_USER (scratch) {
		struct result result;
		char state[128];
		char *envp[] = { state, NULL };

		snprintf(state, sizeof state, STATE_ENV "=%s", scratch_path(&scratch, "ws/ran"));
		run_confined_after(scratch.owner, build, &scratch,
			(char *[]){ (char *)scratch_path(&scratch, "ws/prog"), NULL }, envp, forbid_user_namespaces,
			&result);
		CHECK(result.status == ZS_EXIT_CANNOT_ENFORCE && is_one_line(result.err) &&
				strncmp(result.err, "zs: namespaces: ", 16) == 0,
			"%d %s", result.status, result.err);
		CHECK(!file_exists(scratch_path(&scratch, "ws/ran")), "it has run");
	}
}

/* Each allocation of zs, and of the shim that it becomes, fails once. */

static struct allocations *share_allocations(struct stand *stand, char *variable, size_t size)
{
	const char *path = scratch_path(stand->scratch, "allocations");
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	struct allocations *shared = MAP_FAILED;

	if (fd >= 0 && ftruncate(fd, sizeof *shared) == 0 && fchmod(fd, 0666) == 0)
		shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	snprintf(variable, size, ALLOCATIONS_ENV "=%s", path);
	stand->envp[8] = variable;
	return shared == MAP_FAILED ? NULL : shared;
}

/* The run is refused. Or, if zs was making the policy, it ran with less granted. */
static bool fails_closed(const struct outcome *outcome, const char *state, const char *reference, bool may_run)
{
	if (outcome->timed_out)
		return false;
	if (outcome->ran || *state)
		return outcome->status == 0 && (may_run ? !*outcome->err : says_no_journal(outcome->err)) &&
		       is_as_strong(state, reference);
	return is_one_line(outcome->err) && outcome->status == ZS_EXIT_CANNOT_ENFORCE;
}

static void fail_allocations(struct stand *stand, struct allocations *shared, const struct mode *mode)
{
	static const char *const programs[ALLOCATIONS_PROGRAMS] = { "zs", "the shim" };
	char reference[STATE_BYTES], state[STATE_BYTES];
	struct allocations counted;
	struct outcome outcome;
	size_t runs = 0, ran = 0;

	*shared = (struct allocations){ 0 };
	stand_run(stand, NULL, NULL, &outcome, reference);
	counted = *shared;
	CHECK(outcome.status == 0 && outcome.ran, "without a fault: %d %s", outcome.status, outcome.err);
	for (unsigned i = 0; i < ALLOCATIONS_PROGRAMS && outcome.ran; i++) {
		unsigned count = counted.calls[i], stride = is_full() ? 1 : count / SAMPLE + 1;

		CHECK(count > 0, "%s: no allocation was counted", programs[i]);
		for (unsigned at = 1; at <= count; at += stride, runs++) {
			struct outcome one;

			*shared = (struct allocations){ .program = i, .fail_at = at };
			stand_run(stand, NULL, NULL, &one, state);
			CHECK(shared->calls[i] >= at, "allocation %u of %u: was not reached", at, count);
			CHECK(fails_closed(&one, state, reference, i == ALLOCATIONS_ZS),
				"%s, allocation %u of %u in %s: %s exit %d %s", mode->name, at, count, programs[i],
				one.ran ? "it ran," : "", one.status, one.err);
			ran += one.ran;
		}
	}
	printf("inject: uid %d, %s: %u and %u allocations: %zu runs, of which %zu ran with less granted\n",
		(int)stand->scratch->owner, mode->name, counted.calls[0], counted.calls[1], runs, ran);
}

SLOW_TEST(inject_each_allocation)
{
	const char *zs = UNDER_ASAN ? NULL : program("ZS_TEST_COUNTED_ZS");

	for (size_t m = 0; zs && m < SESSION; m++) {
		struct stand stand;
		OWN_SCRATCH(scratch);
		struct allocations *shared;
		char variable[128];

		if (modes[m].option) /* the process that waits for the overlay allocates after the run */
			continue;
		stand_make(&stand, &scratch, zs, &modes[m]);
		shared = share_allocations(&stand, variable, sizeof variable);
		CHECK(shared, "%s", strerror(errno));
		if (shared) {
			fail_allocations(&stand, shared, &modes[m]);
			munmap(shared, sizeof *shared);
		}
	}
}
