/* Runs without namespaces, as in a Docker container or in another program's sandbox: which policies are refused, and
 * what is still enforced once all promises that Landlock alone cannot keep are waived by name. */
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "attacks.h"
#include "harness.h"
#include "policy/policy.h"

struct setting {
	const struct scratch *scratch;
	enum zs_network network;
	const char *socket; /* the granted socket; NULL: none */
};

static void build(struct zs_policy *policy, const void *arg)
{
	const struct setting *setting = arg;

	grant_prog(policy, setting->scratch);
	zs_policy_set_workspace(policy, scratch_path(setting->scratch, "ws"), ZS_WORKSPACE_WRITE, NULL);
	zs_policy_add_path(policy, scratch_path(setting->scratch, "ro"), ZS_ACCESS_READ, NULL);
	zs_policy_add_path(policy, "/proc", ZS_ACCESS_READ, NULL);
	zs_policy_set_network(policy, setting->network, NULL);
	zs_policy_add_env(policy, ATTACK_ENV "*", NULL);
	if (setting->socket)
		zs_policy_add_socket(policy, setting->socket, NULL);
	for (enum zs_promise promise = 0; promise < ZS_PROMISE_COUNT; promise++)
		zs_policy_give_up(policy, promise, NULL);
}

/* How an attack runs. */
enum how { FREE, CONFINED };

static int attempt(const struct setting *setting, enum how how, const char *name, const char *a, const char *b)
{
	const struct attack attack = { setting->scratch, name, a, b };
	struct result result;

	if (how == FREE)
		attack_free(setting->scratch->owner, &attack, &result);
	else
		attack_confined_on(setting->scratch->owner, &attack, build, setting, harness_be_in_docker, &result);
	if (*result.err)
		printf("%s", result.err);
	return result.status;
}

/* Rows for root only; rows without a control, since there is no watchdog when the attack runs unconfined. */
enum { ROOT = 1, NO_CONTROL = 2 };

/* An argument that begins with "@" is a path in the scratch folder. */
struct row {
	const char *attack, *a, *b;
	int confined;
	unsigned flags;
};

static const char *argument(const struct setting *setting, const char *text)
{
	return *text == '@' ? scratch_path(setting->scratch, text + 1) : text;
}

/* The control comes after each attack, since some destroy their target. */
static void check_rows(const struct setting *setting, const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct row *row = &rows[i];
		const char *a = argument(setting, row->a), *b = argument(setting, row->b);
		int status;

		if ((row->flags & ROOT) && setting->scratch->owner != 0)
			continue;
		status = attempt(setting, CONFINED, row->attack, a, b);
		CHECK(status == row->confined, "%s %s %s: %d, not %d", row->attack, a, b, status, row->confined);
		if (row->flags & NO_CONTROL)
			continue;
		status = attempt(setting, FREE, row->attack, a, b);
		CHECK(status == 0, "%s %s %s fails even free: %d", row->attack, a, b, status);
	}
}

#define CHECK_ROWS(setting, rows) check_rows(setting, rows, sizeof rows / sizeof *rows)

TEST(landlock_tier_files)
{
	static const struct row rows[] = {
		{ "read", "@out/file", "", EACCES, 0 },
		{ "read", "@ws/link", "", EACCES, 0 },
		{ "list", "@out", "", EACCES, 0 },
		{ "list", "/tmp", "", EACCES, 0 },
		{ "exec", "@out/own", "", EACCES, 0 },
		{ "exec", "@ro/own", "", EACCES, 0 },
		{ "append", "@out/file", "", EACCES, 0 },
		{ "append", "@ro/file", "", EACCES, 0 },
		{ "truncate", "@ro/file", "", EACCES, 0 },
		{ "truncate", "@out/file", "", EACCES, 0 },
		{ "write", "@out/new", "", EACCES, 0 },
		{ "mkdir", "@out/folder", "", EACCES, 0 },
		{ "mkfifo", "@ro/fifo", "", EACCES, 0 },
		{ "symlink", "@ro/new", "", EACCES, 0 },
		{ "link", "@out/file", "@ws/hard", EXDEV, 0 },
		{ "rename", "@out/new", "@ws/moved", EACCES, 0 },
		{ "unlink", "@out/file", "", EACCES, 0 },
		{ "rmdir", "@out/sub", "", EACCES, 0 },
		/* The granted places. */
		{ "read", "@ro/file", "", 0, 0 },
		{ "list", "@ro", "", 0, 0 },
		{ "write", "@ws/new", "", 0, 0 },
		{ "rename", "@ws/new", "@ws/sub/new", 0, NO_CONTROL },
		{ "exec", "@ws/prog", "", 0, 0 },
	};

	AS_EACH_USER (scratch) {
		struct setting setting = { .scratch = &scratch };

		scratch_copy_prog(&scratch, "out/own");
		scratch_copy_prog(&scratch, "ro/own");
		CHECK_ROWS(&setting, rows);
	}
}

/* A kernel may lack it. */
static bool has_vsock(void)
{
	int fd = socket(AF_VSOCK, SOCK_STREAM, 0);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

TEST(landlock_tier_network)
{
	struct sockaddr_in tcp = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr_un abstract = { .sun_family = AF_UNIX };
	socklen_t size = sizeof tcp;
	int fds[4];
	struct scratch server;
	char port[16], name[64], stream[128], datagram[128];

	scratch_make(&server, geteuid());
	fds[0] = harness_listen(SOCK_STREAM, &tcp, sizeof tcp);
	getsockname(fds[0], (struct sockaddr *)&tcp, &size);
	snprintf(port, sizeof port, "%d", ntohs(tcp.sin_port));
	snprintf(stream, sizeof stream, "%s", scratch_path(&server, "socket"));
	fds[1] = harness_listen_at(SOCK_STREAM, stream);
	snprintf(datagram, sizeof datagram, "%s", scratch_path(&server, "datagram"));
	fds[2] = harness_listen_at(SOCK_DGRAM, datagram);
	snprintf(name, sizeof name, "zs-tier-%d", getpid());
	memcpy(abstract.sun_path + 1, name, strlen(name));
	size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
	fds[3] = harness_listen(SOCK_STREAM, &abstract, size);
	AS_EACH_USER (scratch) {
		struct setting setting = { .scratch = &scratch };
		const struct row rows[] = {
			{ "connect", "127.0.0.1", port, EACCES, 0 },
			{ "call", "tcp", "", EACCES, 0 },
			{ "call", "udp6", "", EACCES, 0 },
			{ "call", "netlink_route", "", EACCES, 0 },
			{ "call", "netlink_uevent", "", EACCES, 0 },
			{ "call", "vsock", "", EAFNOSUPPORT, has_vsock() ? 0 : NO_CONTROL },
			{ "call", "packet", "", EAFNOSUPPORT, ROOT },
			{ "call", "local", "", EACCES, 0 },
			{ "call", "local_pair", "", 0, 0 },
			{ "call", "local_datagram_pair", "", EACCES, 0 },
			{ "socket_file", stream, "", EACCES, 0 },
			{ "send_file", datagram, "", EACCES, 0 },
			{ "connect6", "::1", port, EACCES, NO_CONTROL },
			{ "connect_mapped", "127.0.0.1", port, EACCES, 0 },
			{ "fast_open", "127.0.0.1", port, EACCES, 0 },
			{ "mptcp", "127.0.0.1", port, EACCES, NO_CONTROL },
			{ "sctp", "127.0.0.1", port, EACCES, NO_CONTROL },
			{ "ring_socket", "", "", ENOSYS, NO_CONTROL },
			{ "abstract", name, "", EACCES, 0 },
			{ "own_loopback", "", "", EBADF, 0 },
		};
		/* With the machine's network and one granted socket: sockets can be reached by path, and only the scope
		 * protects others. */
		const struct row full[] = {
			{ "connect", "127.0.0.1", port, 0, 0 },
			{ "abstract", name, "", EPERM, 0 },
			{ "socket_file", stream, "", 0, 0 },
			{ "call", "raw_ipv4", "", EPERM, ROOT },
			{ "call", "vsock", "", EAFNOSUPPORT, has_vsock() ? 0 : NO_CONTROL },
		};

		CHECK_ROWS(&setting, rows);
		setting.network = ZS_NETWORK_FULL;
		CHECK(attempt(&setting, CONFINED, "socket_file", stream, "") == EACCES, "none granted");
		setting.socket = stream;
		CHECK_ROWS(&setting, full);
	}
	scratch_remove(&server);
	for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
		close(fds[i]);
}

TEST(landlock_tier_processes)
{
	AS_EACH_USER (scratch) {
		pid_t victim = harness_start_victim(scratch.owner);
		struct setting setting = { .scratch = &scratch };
		char pid[16];
		const struct row rows[] = {
			{ "outward", "kill", pid, EPERM, 0 },
			{ "outward", "tgkill", pid, EPERM, 0 },
			{ "outward", "sigqueue", pid, EPERM, 0 },
			{ "outward", "pidfd_send_signal", pid, EPERM, 0 },
			{ "outward", "prlimit", pid, EPERM, 0 },
			{ "outward", "sched_setaffinity", pid, EPERM, 0 },
			{ "outward", "sched_setscheduler", pid, EPERM, 0 },
			{ "outward", "setpriority", pid, EPERM, 0 },
			{ "outward", "ioprio_set", pid, EPERM, 0 },
			{ "outward", "ptrace", pid, EPERM, 0 },
			{ "outward", "process_vm_readv", pid, EPERM, 0 },
			{ "outward", "mem", pid, EACCES, 0 },
			{ "outward", "environ", pid, EACCES, 0 },
			{ "outward", "root", pid, EACCES, 0 },
			{ "outward", "cwd", pid, EACCES, 0 },
			{ "outward", "fd", pid, EACCES, 0 },
			{ "outward", "maps", pid, EACCES, 0 },
			/* The watchdog. */
			{ "outward", "kill", "parent", EPERM, NO_CONTROL },
			{ "outward", "pidfd_send_signal", "parent", EPERM, NO_CONTROL },
			{ "outward", "ptrace", "parent", EPERM, NO_CONTROL },
			{ "outward", "prlimit", "parent", EPERM, NO_CONTROL },
			{ "outward", "sched_setaffinity", "parent", EPERM, NO_CONTROL },
			{ "outward", "setpriority", "parent", EPERM, NO_CONTROL },
			{ "outward", "mem", "parent", EACCES, NO_CONTROL },
			{ "outward", "environ", "parent", EACCES, NO_CONTROL },
			{ "outward", "root", "parent", EACCES, NO_CONTROL },
		};

		snprintf(pid, sizeof pid, "%d", victim);
		CHECK_ROWS(&setting, rows);
		CHECK(waitpid(victim, NULL, WNOHANG) == 0, "it has ended");
		kill(victim, SIGKILL);
		waitpid(victim, NULL, 0);
	}
}

TEST(landlock_tier_privileges_and_ipc)
{
	int memory = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0666);
	char id[16];

	snprintf(id, sizeof id, "%d", memory);
	AS_EACH_USER (scratch) {
		struct setting setting = { .scratch = &scratch };
		const struct row rows[] = {
			{ "capabilities", "", "", EPERM, ROOT },
			{ "bounding_set", "", "", EPERM, ROOT },
			{ "securebits", "", "", EPERM, ROOT },
			{ "new_privs", "", "", EPERM, 0 },
			{ "user_namespace_mount", "", "", EPERM, 0 },
			{ "shared_memory", id, "", ENOSYS, 0 },
			{ "call", "keyctl", "", EPERM, 0 },
			{ "call", "unshare", "", EPERM, 0 },
			{ "call", "trace_child", "", EPERM, 0 },
			{ "call", "limit_another", "", EPERM, 0 },
			{ "call", "personality", "", EPERM, 0 },
		};

		CHECK_ROWS(&setting, rows);
		CHECK(attempt(&setting, CONFINED, "call", "io_uring_setup", "") == ENOSYS, "io_uring");
	}
	shmctl(memory, IPC_RMID, NULL);
}

/* Which promises of a policy must be waived, and how the error says that. */

#define WORKSPACE(access) ",\"workspace\":{\"root\":\"/usr\",\"access\":\"" access "\"}"
#define HIDDEN ",\"paths\":[{\"path\":\"/usr\",\"access\":\"read\"},{\"path\":\"/usr/bin\",\"access\":\"hide\"}]"

enum { WRITTEN = 2, LIMIT = 5 };

static const struct demand {
	const char *name;
	const char *members;          /* members of the policy's JSON, after the version */
	const char *fields, *without; /* behind them those of root, and */
	bool overlay;
} demands[] = {
	{ "nothing", "", "private-tmp, loopback, metadata, processes", "private-tmp,loopback,metadata,processes",
		false },
	{ "least", ",\"tmp\":\"shared\",\"network\":\"full\"", "metadata, processes", "metadata,processes", false },
	[WRITTEN] = { "written", WORKSPACE("write"), "protect, private-tmp, loopback, metadata, processes",
		"protect,private-tmp,loopback,metadata,processes", false },
	{ "hide", HIDDEN, "hide, private-tmp, loopback, metadata, processes",
		"hide,private-tmp,loopback,metadata,processes", false },
	{ "socket", ",\"unix_sockets\":[\"/run/docker.sock\"]", "private-tmp, loopback, sockets, metadata, processes",
		"private-tmp,loopback,sockets,metadata,processes", false },
	[LIMIT] = { "limit", ",\"limits\":{\"processes\":10}",
		"limits: processes, private-tmp, loopback, metadata, processes",
		"private-tmp,loopback,metadata,processes", false },
	{ "hosts", ",\"network\":{\"hosts\":[\"example.org\"]}",
		"network: hosts, private-tmp, loopback, metadata, processes", "private-tmp,loopback,metadata,processes",
		false },
	{ "overlay", WORKSPACE("overlay"), "private-tmp, loopback, metadata, processes",
		"private-tmp,loopback,metadata,processes", true },
	{ "partly", ",\"without\":[\"metadata\",\"protect\"]", "private-tmp, loopback, processes",
		"private-tmp,loopback,metadata,processes", false },
};

struct question {
	const struct demand *demand;
	bool docker;
	unsigned waived;
};

enum { BY_CGROUP = 3 };

/* Can a cgroup hold a limit of processes without a namespace? */
static bool has_cgroup(void)
{
	struct zs_feature features[ZS_FEATURE_COUNT];

	zs_features_probe(features);
	return features[ZS_FEATURE_RUN_MEMORY].present;
}

/* Prints the refusal, or the tier and the promises that are not kept. */
static int ask(void *arg)
{
	const struct question *question = arg;
	struct zs_policy *policy;
	struct zs_sandbox *sandbox;
	struct zs_error error;
	char line[1536], json[256];
	int len = snprintf(json, sizeof json, "{\"version\":1%s}", question->demand->members);

	if (question->demand == &demands[LIMIT] && has_cgroup())
		return BY_CGROUP;
	if (question->docker)
		harness_be_in_docker(NULL);
	check_ok(zs_policy_from_json(json, (size_t)len, NULL, &policy, &error), &error, json);
	for (enum zs_promise promise = 0; promise < ZS_PROMISE_COUNT; promise++)
		if (question->waived >> promise & 1)
			zs_policy_give_up(policy, promise, NULL);
	if (zs_sandbox_new(policy, &sandbox, &error) < 0) {
		zs_error_format(&error, line, sizeof line);
		puts(line);
		return 1;
	}
	printf("%s:", zs_tier_name(zs_sandbox_tier(sandbox)));
	for (enum zs_promise promise = 0; promise < ZS_PROMISE_COUNT; promise++)
		if (!zs_sandbox_keeps(sandbox, promise))
			printf(" %s", zs_promise_name(promise));
	puts(strstr(zs_sandbox_json(sandbox), "\"tier\":\"landlock\"") ? " as the shim is told" : "");
	return 0;
}

TEST(landlock_tier_names_what_it_lacks)
{
	for (size_t i = 0; i < sizeof demands / sizeof *demands; i++)
		AS_EACH_USER (scratch) {
			const char *root = scratch.owner == 0 ? ", privileges" : "",
				   *root_too = *root ? ",privileges" : "";
			struct question question = { .demand = &demands[i], .docker = true };
			struct result result;
			char want[256], hint[256];

			snprintf(want, sizeof want, "zs: sandbox: %s%s%s: needs user-namespace: ", demands[i].fields,
				root, demands[i].overlay ? ", overlay" : "");
			snprintf(hint, sizeof hint, "run without: --without %s%s%s; or: ", demands[i].without, root_too,
				demands[i].overlay ? ",overlay" : "");
			run_child(scratch.owner, ask, &question, &result);
			CHECK(result.status == BY_CGROUP ||
					(result.status == 1 && strncmp(result.out, want, strlen(want)) == 0 &&
						strstr(result.out, hint)),
				"%s: %s", demands[i].name, result.out);
		}
}

TEST(landlock_tier_is_taken_when_all_is_waived)
{
	AS_EACH_USER (scratch) {
		struct question question = { .demand = &demands[WRITTEN], .docker = true, .waived = ~0u };
		const char *want =
			scratch.owner == 0
				? "landlock: protect private-tmp loopback metadata processes privileges as the shim is "
				  "told\n"
				: "landlock: protect private-tmp loopback metadata processes as the shim is told\n";
		struct result result;

		run_child(scratch.owner, ask, &question, &result);
		CHECK(result.status == 0 && strcmp(result.out, want) == 0, "%s", result.out);
		/* If any of the needed ones is not waived, the policy is refused. */
		for (enum zs_promise promise = 0; promise < ZS_PROMISE_COUNT; promise++) {
			bool needed = promise != ZS_PROMISE_HIDE && promise != ZS_PROMISE_SOCKETS &&
				      promise != ZS_PROMISE_OVERLAY &&
				      (promise != ZS_PROMISE_PRIVILEGES || scratch.owner == 0);

			question.waived = ~(1u << promise);
			run_child(scratch.owner, ask, &question, &result);
			CHECK(result.status == needed, "without all but %s: %s", zs_promise_name(promise), result.out);
			CHECK(!needed || strstr(result.out, zs_promise_name(promise)), "%s", result.out);
		}
		/* Waiving a promise that can be kept changes nothing. */
		question = (struct question){ .demand = &demands[WRITTEN], .waived = ~0u };
		run_child(scratch.owner, ask, &question, &result);
		CHECK(result.status == 0 && strcmp(result.out, "mounts:\n") == 0, "%s", result.out);
		question.demand = &demands[LIMIT];
		question.docker = true;
		run_child(scratch.owner, ask, &question, &result);
		CHECK(result.status == BY_CGROUP ||
				(result.status == 1 && strstr(result.out, "zs: sandbox: limits: processes: ") &&
					strstr(result.out, "leave out limits: processes")),
			"nobody can give up a limit: %s", result.out);
	}
}

struct approved {
	const struct scratch *scratch;
	bool swapped;
};

static void build_approved(struct zs_policy *policy, const void *arg)
{
	const struct approved *approved = arg;
	const char *path = scratch_path(approved->scratch, "out");
	const struct setting setting = { .scratch = approved->scratch };
	struct zs_approved_place place;
	struct zs_error error;

	build(policy, &setting);
	CHECK(zs_approved_place_read(zs_approved_place_open(path), &place) == 0, "open");
	check_ok(zs_policy_add_approved(policy, path, &place, &error), &error, "approve");
	if (approved->swapped)
		CHECK(rename(path, scratch_path(approved->scratch, "old")) == 0 &&
				rename(scratch_path(approved->scratch, "ro"), path) == 0,
			"swap");
}

/* A file that takes the path of an approved one is not granted in its place. */
static void write_approved(const struct scratch *scratch, bool swapped)
{
	const char *target = scratch_path(scratch, "out/file");
	struct attack attack = { scratch, "write", target, "" };
	struct approved approved = { scratch, swapped };
	struct result result;

	attack_confined_on(scratch->owner, &attack, build_approved, &approved, harness_be_in_docker, &result);
	CHECK(file_holds(target, "old") == swapped, "%d %s", result.status, result.err);
	CHECK(!swapped || strstr(result.err, ZS_APPROVED_PLACE_REPLACED), "%d %s", result.status, result.err);
}

TEST(landlock_tier_approved_places)
{
	for (int swapped = 0; swapped < 2; swapped++)
		AS_EACH_USER (scratch)
			write_approved(&scratch, swapped);
}
