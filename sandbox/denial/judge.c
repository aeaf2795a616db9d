/* Would an attempt have succeeded without zs, and what grants it? This process is outside, so it asks the kernel. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "denial/attempt.h"
#include "denial/listening.h"

struct judge {
	const struct zs_policy *policy;
	const struct zs_refusal *refusal;
	struct zs_denial *denial;
	struct zs_denial_words *words;
};

static void set(struct judge *judge, enum zs_denial_kind kind, enum zs_denial_cause cause, bool exists)
{
	judge->denial->kind = kind;
	judge->denial->cause = cause;
	judge->denial->exists = exists;
}

static void grant(struct judge *judge, const char *option, const char *value)
{
	judge->denial->option = option;
	snprintf(judge->words->value, sizeof judge->words->value, "%s", value);
}

static bool lies_in_any(const char *path, const char *const *trees)
{
	for (; *trees; trees++)
		if (zs_path_lies_in(path, *trees))
			return true;
	return false;
}

bool zs_denial_is_own_place(const struct zs_policy *policy, const char *path)
{
	static const char *const temporary[] = { "/tmp", "/var/tmp", "/dev/shm", NULL };

	return zs_path_lies_in(path, "/proc") || (policy->tmp == ZS_TMP_PRIVATE && lies_in_any(path, temporary));
}

/* Paths */

static bool outside_allows(const char *path, int mode)
{
	return faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0;
}

static bool is_there(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

/* The innermost grant that takes an access away from the path. */
static const struct zs_grant *find_barrier(const struct zs_policy *policy, const char *real, bool write)
{
	const struct zs_grant *barrier = NULL;

	for (size_t i = 0; i < policy->grant_count; i++) {
		const struct zs_grant *row = &policy->grants[i];

		if ((row->access == ZS_ACCESS_HIDE || (write && row->access == ZS_ACCESS_PROTECT)) &&
			zs_path_lies_in(real, row->path) && (!barrier || row->len > barrier->len))
			barrier = row;
	}
	return barrier;
}

/* git itself may be allowed to write its repository, but not its hooks and configuration. */
static bool is_git_own(const struct zs_policy *policy, const char *real)
{
	static const char *const kept[] = { "hooks", "config", "config.worktree", "modules", "worktrees", NULL };
	const char *inner = strstr(real, "/.git/");

	if (policy->git != ZS_GIT_PROTECT || !policy->workspace || !zs_path_lies_in(real, policy->workspace))
		return false;
	if (!inner)
		return strlen(real) > 5 && strcmp(real + strlen(real) - 5, "/.git") == 0;
	for (size_t i = 0; kept[i]; i++) {
		size_t len = strlen(kept[i]);

		if (strncmp(inner + 6, kept[i], len) == 0 && (!inner[6 + len] || inner[6 + len] == '/'))
			return false;
	}
	return true;
}

/* A grant of all of "/" or of the home folder is never proposed. */
static bool is_too_much(const struct zs_policy *policy, const char *path)
{
	return strcmp(path, "/") == 0 || (policy->home && zs_path_lies_in(policy->home, path)) ||
	       (policy->account_home && zs_path_lies_in(policy->account_home, path));
}

/* Cuts the last name off. */
static void cut_name(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash)
		slash[slash == path] = '\0';
}

static void folder_of(const char *path, char folder[PATH_MAX])
{
	snprintf(folder, PATH_MAX, "%s", path);
	cut_name(folder);
}

/* The path that the option names: as the command does, since a grant opens the links on the way, too. But a link where
 * the command writes may be its own, so no option takes it. */
static const char *grant_name(const struct zs_policy *policy, const char *path, const char *real)
{
	bool own = zs_policy_gives(policy, path, ZS_ACCESS_WRITE) ||
		   (policy->workspace && zs_path_lies_in(path, policy->workspace));
	bool leads_out = own && !zs_policy_gives(policy, real, ZS_ACCESS_WRITE) &&
			 !(policy->workspace && zs_path_lies_in(real, policy->workspace));

	return leads_out || strstr(path, "/..") ? real : path;
}

static void grant_path(struct judge *judge, const char *option, const char *path, const char *real)
{
	bool write = strcmp(option, "--rw") == 0;
	const struct zs_grant *barrier = find_barrier(judge->policy, real, write);
	/* Hide wins over a grant of the same path, and a path that is missing cannot be granted. */
	bool stays = barrier && (barrier->firm || (write && !is_there(real)) ||
					(barrier->access == ZS_ACCESS_HIDE && strcmp(barrier->path, real) == 0));

	if (barrier)
		judge->denial->cause = barrier->access == ZS_ACCESS_HIDE ? ZS_DENIED_HIDDEN : ZS_DENIED_PROTECTED;
	if (write && is_git_own(judge->policy, real))
		grant(judge, "--git", "allow");
	else if (!barrier && judge->policy->home && zs_path_lies_in(real, judge->policy->home) &&
		 zs_path_lies_in(real + strlen(judge->policy->home) + 1, ".gnupg"))
		/* The agent signs, and the keys stay outside. */
		grant(judge, "--for", "sign-gpg");
	else if (!stays && !is_too_much(judge->policy, real))
		grant(judge, option, grant_name(judge->policy, path, real));
}

/* A path that the command may read is out of reach for another reason. */
static bool can_read(const struct judge *judge, const char *path)
{
	ZS_AUTO_FREE char *real = realpath(path, NULL);

	return real && zs_policy_gives(judge->policy, real, ZS_ACCESS_READ);
}

/* Does it exist, for this user to use? A name that leads nowhere on is of no use to the command. */
static bool can_use(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 &&
	       (S_ISLNK(st.st_mode) || outside_allows(path, R_OK) || outside_allows(path, X_OK));
}

/* The path is granted. Outside, root needs no mode of a file to use it; inside it does. */
static bool judge_granted(struct judge *judge, enum zs_denial_kind kind, const char *real)
{
	int error = judge->refusal->error;

	if (geteuid() != 0 || (error != EACCES && error != EPERM))
		return false;
	snprintf(judge->words->real, sizeof judge->words->real, "%s", real);
	set(judge, kind, ZS_DENIED_PRIVILEGE, is_there(real));
	return true;
}

static bool judge_read(struct judge *judge, const char *path, int mode)
{
	ZS_AUTO_FREE char *real = realpath(path, NULL);

	if (mode == F_OK ? !can_use(path) : !outside_allows(path, mode))
		return false;
	if (real && zs_policy_gives(judge->policy, real, ZS_ACCESS_READ))
		return judge_granted(judge, ZS_DENIAL_READ, real);
	set(judge, ZS_DENIAL_READ, ZS_DENIED_NOT_GRANTED, true);
	if (real)
		snprintf(judge->words->real, sizeof judge->words->real, "%s", real);
	grant_path(judge, "--ro", path, real ? real : path);
	return true;
}

/* entry: the folder is written, and not the file. */
static bool judge_write(struct judge *judge, const char *path, bool entry)
{
	ZS_AUTO_FREE char *real = NULL;
	char folder[PATH_MAX];
	bool exists = is_there(path);
	const char *written = entry || !exists ? folder : path;

	folder_of(path, folder);
	if (!outside_allows(written, W_OK) || zs_path_would_be(path, &real) < 0)
		return false;
	if (zs_policy_gives(judge->policy, real, ZS_ACCESS_LAYER))
		return judge_granted(judge, ZS_DENIAL_WRITE, real);
	snprintf(judge->words->real, sizeof judge->words->real, "%s", real);
	set(judge, ZS_DENIAL_WRITE, can_read(judge, written) ? ZS_DENIED_READ_ONLY : ZS_DENIED_NOT_GRANTED, exists);
	/* A protected name may be missing, in a folder that can be written. */
	if (find_barrier(judge->policy, real, true))
		written = path;
	else if (written == folder)
		cut_name(real);
	grant_path(judge, "--rw", written, real);
	return true;
}

/* A dry run writes what it likes in the workspace; another run does not write what is protected there. */
static bool judge_success(struct judge *judge)
{
	ZS_AUTO_FREE char *real = NULL;
	const struct zs_grant *barrier;

	if (!judge->policy->workspace || zs_path_would_be(judge->refusal->path, &real) < 0 ||
		!zs_path_lies_in(real, judge->policy->workspace))
		return false;
	barrier = find_barrier(judge->policy, real, true);
	if (!barrier || !zs_path_lies_in(barrier->path, judge->policy->workspace))
		return false;
	snprintf(judge->words->real, sizeof judge->words->real, "%s", real);
	set(judge, ZS_DENIAL_WRITE, ZS_DENIED_PROTECTED, is_there(real));
	grant_path(judge, "--rw", real, real);
	return true;
}

/* rename(2) and link(2) between two mounts, which are one file system outside. */
static bool judge_two_mounts(struct judge *judge)
{
	char from[PATH_MAX], to[PATH_MAX];
	struct stat source, target;
	size_t common = 0;

	folder_of(judge->refusal->path, from);
	folder_of(judge->refusal->other, to);
	if (!is_there(judge->refusal->path) || stat(from, &source) < 0 || stat(to, &target) < 0 ||
		source.st_dev != target.st_dev)
		return false;
	set(judge, ZS_DENIAL_WRITE, ZS_DENIED_NAMESPACE, is_there(judge->refusal->path));
	for (size_t i = 0; from[i] == to[i] || (!from[i] && to[i] == '/') || (from[i] == '/' && !to[i]); i++) {
		if (!from[i] || !to[i] || from[i] == '/')
			common = i;
		if (!from[i] || !to[i])
			break;
	}
	from[common ? common : 1] = '\0';
	if (!is_too_much(judge->policy, from))
		grant(judge, "--rw", from);
	return true;
}

static bool judge_proc(struct judge *judge, enum zs_denial_kind kind)
{
	const char *name = judge->refusal->path + sizeof "/proc/" - 1;
	char *end;
	long pid;

	if (strncmp(judge->refusal->path, "/proc/", sizeof "/proc/" - 1) != 0)
		return false;
	pid = strtol(name, &end, 10);
	/* A number stands for another process outside. */
	if (end != name && (!judge->refusal->foreign || pid <= 0))
		return false;
	if (!is_there(judge->refusal->path) ||
		!outside_allows(judge->refusal->path, kind == ZS_DENIAL_WRITE ? W_OK : R_OK))
		return false;
	set(judge, kind, ZS_DENIED_NAMESPACE, true);
	return true;
}

bool zs_denial_interpreter(const char *path, char program[PATH_MAX])
{
	ZS_AUTO_FD int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char line[256];
	ssize_t len = fd < 0 ? -1 : read(fd, line, sizeof line - 1);
	char *start;

	if (len < 3 || line[0] != '#' || line[1] != '!')
		return false;
	line[len] = '\0';
	line[strcspn(line, "\n")] = '\0';
	start = line + 2 + strspn(line + 2, " \t");
	start[strcspn(start, " \t")] = '\0';
	snprintf(program, PATH_MAX, "%s", start);
	return *start == '/';
}

static bool judge_exec(struct judge *judge, const char *path)
{
	ZS_AUTO_FREE char *real = realpath(path, NULL);
	char program[PATH_MAX];
	struct stat st;

	if (!real || stat(real, &st) < 0 || !S_ISREG(st.st_mode) || !outside_allows(real, X_OK))
		return false;
	set(judge, ZS_DENIAL_EXEC, can_read(judge, real) ? ZS_DENIED_READ_ONLY : ZS_DENIED_NOT_GRANTED, true);
	snprintf(judge->words->real, sizeof judge->words->real, "%s", real);
	if (zs_policy_gives(judge->policy, real, ZS_ACCESS_EXEC)) {
		/* The script is granted, so its interpreter is missing. */
		if (!zs_denial_interpreter(real, program) || !outside_allows(program, X_OK) ||
			zs_policy_gives(judge->policy, program, ZS_ACCESS_EXEC))
			return false;
		snprintf(judge->words->real, sizeof judge->words->real, "%s", program);
		grant_path(judge, "--exec", program, program);
		return true;
	}
	grant_path(judge, "--exec", path, real);
	return true;
}

/* rename(2) removes its first path and makes the second; link(2) reads the first. */
static bool judge_two_paths(struct judge *judge)
{
	const struct zs_refusal *refusal = judge->refusal;

	if (refusal->attempt == ZS_ATTEMPT_REMOVE && judge_write(judge, refusal->path, true))
		return true;
	/* Where the first can be seen, as by Landlock alone, link(2) is refused for the second. */
	if (refusal->attempt == ZS_ATTEMPT_MAKE && refusal->error == ENOENT && judge_read(judge, refusal->path, F_OK))
		return true;
	return judge_write(judge, refusal->other, true);
}

static bool judge_path(struct judge *judge)
{
	const struct zs_refusal *refusal = judge->refusal;
	bool writes = refusal->attempt >= ZS_ATTEMPT_WRITE && refusal->attempt <= ZS_ATTEMPT_REMOVE;
	const char *path = refusal->path;

	if (*path != '/')
		return false;
	if (refusal->error == EXDEV)
		return *refusal->other && judge_two_mounts(judge);
	if (zs_path_lies_in(path, "/proc"))
		return judge_proc(judge, writes ? ZS_DENIAL_WRITE : ZS_DENIAL_READ);
	if (refusal->attempt == ZS_ATTEMPT_LOOK)
		return judge_read(judge, path, F_OK);
	if (refusal->attempt == ZS_ATTEMPT_READ)
		return judge_read(judge, path, R_OK);
	if (refusal->attempt == ZS_ATTEMPT_EXEC)
		return judge_exec(judge, path);
	if ((refusal->attempt == ZS_ATTEMPT_CHANGE || refusal->attempt == ZS_ATTEMPT_REMOVE) && !is_there(path))
		return false;
	if (*refusal->other)
		return judge_two_paths(judge);
	/* mkdir(2) and its like fail outside, too, where something exists. */
	if (refusal->attempt == ZS_ATTEMPT_MAKE && is_there(path))
		return false;
	return judge_write(judge, path, refusal->attempt != ZS_ATTEMPT_WRITE && refusal->attempt != ZS_ATTEMPT_CHANGE);
}

/* Sockets */

/* Is it an address of this machine? To bind any port to it tells, and disturbs nobody. */
static bool is_own(const struct zs_address *address)
{
	ZS_AUTO_FD int probe = socket(address->family, SOCK_DGRAM, 0);
	struct sockaddr_storage at;
	socklen_t size = zs_address_to_sockaddr(address, 0, &at);

	return probe >= 0 && bind(probe, (const struct sockaddr *)&at, size) == 0;
}

/* Does the machine know a way to the address? A datagram socket that connects sends nothing (man 7 ip). */
static bool has_route(const struct zs_address *address, uint16_t port)
{
	ZS_AUTO_FD int probe = socket(address->family, SOCK_DGRAM, 0);
	struct sockaddr_storage at;
	socklen_t size = zs_address_to_sockaddr(address, port, &at);

	return probe < 0 || connect(probe, (const struct sockaddr *)&at, size) == 0 || errno != ENETUNREACH;
}

static void put_place(const struct zs_address *address, uint16_t port, char *text, size_t size)
{
	char name[ZS_ADDRESS_TEXT_SIZE];

	zs_address_text(address, name);
	snprintf(text, size, address->family == AF_INET6 ? "[%s]:%u" : "%s:%u", name, port);
}

static bool judge_bind(struct judge *judge, const struct zs_address *address)
{
	if ((judge->refusal->error != EADDRNOTAVAIL && judge->refusal->error != EACCES) || !is_own(address))
		return false;
	set(judge, ZS_DENIAL_SOCKET, ZS_DENIED_NAMESPACE, true);
	grant(judge, "--net", "full");
	return true;
}

static bool judge_inet(struct judge *judge)
{
	struct zs_address address;
	char place[ZS_ADDRESS_TEXT_SIZE + sizeof "[]:65535"];
	uint16_t port;

	if (!zs_address_from_sockaddr(judge->refusal->address, judge->refusal->address_size, &address, &port))
		return false;
	put_place(&address, port, judge->words->named, sizeof judge->words->named);
	/* C libraries ask for the way to an address without a packet, to sort addresses; the resolver tells of names.
	 */
	if (judge->policy->network == ZS_NETWORK_FULL || (judge->refusal->datagram && (port == 0 || port == 53)))
		return false;
	if (strcmp(judge->refusal->call, "bind") == 0)
		return judge_bind(judge, &address);
	address = zs_address_reached(&address);
	if (zs_address_kind(&address) == ZS_ADDRESS_LOOPBACK && !judge->refusal->datagram &&
		!zs_listens_inet(-1, &address, port))
		return false;
	if (!has_route(&address, port))
		return false;
	set(judge, ZS_DENIAL_CONNECT, ZS_DENIED_NO_HOST, true);
	put_place(&address, port, place, sizeof place);
	if (judge->refusal->datagram)
		grant(judge, "--net", "full");
	else
		grant(judge, "--host", place);
	return true;
}

static bool judge_unix(struct judge *judge)
{
	const struct sockaddr_un *address = (const void *)judge->refusal->address;
	size_t len = judge->refusal->address_size - offsetof(struct sockaddr_un, sun_path);
	char path[PATH_MAX + sizeof address->sun_path + 2];
	ZS_AUTO_FREE char *real = NULL;
	struct stat st;

	if (judge->refusal->address_size <= offsetof(struct sockaddr_un, sun_path) || len > sizeof address->sun_path)
		return false;
	if (!address->sun_path[0]) {
		snprintf(judge->words->named, sizeof judge->words->named, "@%.*s", (int)(len - 1),
			address->sun_path + 1);
		set(judge, ZS_DENIAL_CONNECT, ZS_DENIED_NAMESPACE, true);
		return judge->policy->network != ZS_NETWORK_FULL && zs_listens_unix(judge->words->named);
	}
	snprintf(path, sizeof path, "%s%s%.*s", address->sun_path[0] == '/' ? "" : judge->refusal->path,
		address->sun_path[0] == '/' ? "" : "/", (int)len, address->sun_path);
	snprintf(judge->words->named, sizeof judge->words->named, "%.*s", (int)len, address->sun_path);
	real = realpath(path, NULL);
	if (!real || stat(real, &st) < 0 || !S_ISSOCK(st.st_mode) || !outside_allows(real, W_OK))
		return false;
	if (strcmp(judge->refusal->call, "bind") == 0 || !zs_listens_unix(real))
		return false;
	snprintf(judge->words->real, sizeof judge->words->real, "%s", real);
	set(judge, ZS_DENIAL_CONNECT, ZS_DENIED_NOT_GRANTED, true);
	grant(judge, "--socket", strstr(path, "/..") ? real : path);
	return true;
}

static bool judge_address(struct judge *judge)
{
	sa_family_t family = judge->refusal->address ? judge->refusal->address->sa_family : AF_UNSPEC;

	if (family == AF_UNIX)
		return judge_unix(judge);
	if (judge->refusal->address_size < sizeof(struct sockaddr_in))
		return false;
	return (family == AF_INET || family == AF_INET6) && judge_inet(judge);
}

static bool judge_socket(struct judge *judge)
{
	enum { PACKET = 17, FAMILIES = 46 }; /* Linux's AF_PACKET and AF_MAX: other systems make no such record */
	const struct zs_refusal *refusal = judge->refusal;
	int type = refusal->type & 0xf;
	bool plain = refusal->family == AF_UNIX || refusal->family == AF_INET || refusal->family == AF_INET6;
	/* No other family is tried: the kernel may load a module for it, and the command chooses it. */
	int fd = plain ? socket(refusal->family, type, refusal->protocol) : -1;

	if ((plain && fd < 0) || refusal->family <= AF_UNSPEC || refusal->family >= FAMILIES)
		return false;
	if (refusal->family == PACKET && geteuid() != 0)
		return false;
	if (fd >= 0)
		close(fd);
	snprintf(judge->words->named, sizeof judge->words->named, "%s(%d, %d, %d)", refusal->call, refusal->family,
		type, refusal->protocol);
	set(judge, ZS_DENIAL_SOCKET, ZS_DENIED_SECCOMP, true);
	if (refusal->family == AF_UNIX)
		grant(judge, "--without", "sockets");
	else if (refusal->family == AF_INET || refusal->family == AF_INET6)
		if (type == SOCK_STREAM || type == SOCK_DGRAM)
			grant(judge, "--net", "full");
	return true;
}

/* The rest */

static bool judge_signal(struct judge *judge)
{
	pid_t pid = judge->refusal->number;

	if (!judge->refusal->foreign || (judge->refusal->error != ESRCH && judge->refusal->error != EPERM) ||
		kill(pid, 0) < 0)
		return false;
	snprintf(judge->words->named, sizeof judge->words->named, "process %ld", (long)pid);
	set(judge, ZS_DENIAL_SIGNAL, ZS_DENIED_NAMESPACE, true);
	return true;
}

/* A limit that an errno tells of, or the run's end, if the policy has it. */
static bool judge_limit(struct judge *judge, enum zs_limit limit)
{
#define LIMIT_NAME(id, name, word, unit, text) [ZS_LIMIT_##id] = word,
	static const char names[][12] = { ZS_LIMITS(LIMIT_NAME) };
	uint64_t value =
		limit == ZS_LIMIT_TMP ? zs_policy_tmp_bytes(judge->policy) : zs_policy_limit(judge->policy, limit);
	char text[64];

	if (value == 0)
		return false;
	snprintf(judge->words->named, sizeof judge->words->named, "%s", names[limit]);
	set(judge, ZS_DENIAL_LIMIT, ZS_DENIED_LIMIT, true);
	zs_limit_text(limit, 2 * value, text, sizeof text);
	snprintf(judge->words->value, sizeof judge->words->value, "%s=%s", names[limit], text);
	judge->denial->option = "--limit";
	return true;
}

/* Calls for which an ordinary user has no right outside either. */
static bool takes_root(const char *call)
{
	static const char names[][20] = { "mount", "umount2", "pivot_root", "chroot", "open_tree", "move_mount",
		"fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr", "open_tree_attr", "init_module",
		"finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot", "swapon", "swapoff", "acct",
		"quotactl", "quotactl_fd", "syslog", "settimeofday", "clock_settime", "clock_adjtime", "adjtimex",
		"sethostname", "setdomainname", "iopl", "ioperm", "vhangup", "lookup_dcookie", "nfsservctl", "mknod",
		"mknodat", "fanotify_init", "open_by_handle_at", "bpf" };

	for (size_t i = 0; i < ZS_COUNT(names); i++)
		if (strncmp(call, names[i], sizeof names[i]) == 0)
			return true;
	return false;
}

static bool judge_call(struct judge *judge)
{
	const struct zs_refusal *refusal = judge->refusal;

	if (refusal->error != EPERM && refusal->error != ENOSYS && refusal->error != EOPNOTSUPP)
		return false;
	if (geteuid() != 0 && takes_root(refusal->call))
		return false;
	/* C libraries take clone(2) instead. */
	if (strcmp(refusal->call, "clone3") == 0)
		return false;
	snprintf(judge->words->named, sizeof judge->words->named, "%s", refusal->call);
	set(judge, ZS_DENIAL_CALL, ZS_DENIED_SECCOMP, true);
	return true;
}

/* Is it the private /tmp that is full, or the layer of the dry run? */
static bool is_full(const struct zs_refusal *refusal, const struct zs_policy *policy)
{
	return refusal->error == ENOSPC && *refusal->path &&
	       (zs_denial_is_own_place(policy, refusal->path) ||
		       (policy->workspace && zs_path_lies_in(refusal->path, policy->workspace)));
}

static bool judge_any(struct judge *judge)
{
	const struct zs_refusal *refusal = judge->refusal;

	if (refusal->attempt == ZS_ATTEMPT_LIMIT)
		return judge_limit(judge, (enum zs_limit)refusal->number);
	if (refusal->error == 0)
		return judge_success(judge);
	if (refusal->error == EMFILE)
		return judge_limit(judge, ZS_LIMIT_FILES);
	if (refusal->error == EFBIG)
		return judge_limit(judge, ZS_LIMIT_FILE_SIZE);
	if (is_full(refusal, judge->policy))
		return judge_limit(judge, ZS_LIMIT_TMP);
	if (refusal->error == ENOMEM)
		return judge_limit(judge, ZS_LIMIT_MEMORY);
	switch (refusal->attempt) {
	case ZS_ATTEMPT_CONNECT:
		return judge_address(judge);
	case ZS_ATTEMPT_SIGNAL:
		return judge_signal(judge);
	case ZS_ATTEMPT_SOCKET:
		return judge_socket(judge);
	case ZS_ATTEMPT_FORK:
		return refusal->error == EAGAIN ? judge_limit(judge, ZS_LIMIT_PROCESSES) : judge_call(judge);
	case ZS_ATTEMPT_CALL:
		return judge_call(judge);
	case ZS_ATTEMPT_LOOK:
	case ZS_ATTEMPT_READ:
	case ZS_ATTEMPT_WRITE:
	case ZS_ATTEMPT_CHANGE:
	case ZS_ATTEMPT_MAKE:
	case ZS_ATTEMPT_REMOVE:
	case ZS_ATTEMPT_EXEC:
	case ZS_ATTEMPT_LIMIT:
		break;
	}
	return judge_path(judge);
}

bool zs_refusal_judge(const struct zs_policy *resolved, const struct zs_refusal *refusal, struct zs_denial *ret_denial,
	struct zs_denial_words *words)
{
	struct judge judge = { resolved, refusal, ret_denial, words };

	*ret_denial = (struct zs_denial){ .error = refusal->error, .pid = refusal->pid, .times = 1 };
	memcpy(ret_denial->process, refusal->process, sizeof ret_denial->process);
	words->real[0] = words->value[0] = '\0';
	snprintf(words->named, sizeof words->named, "%s", *refusal->named ? refusal->named : refusal->path);
	if (!judge_any(&judge))
		return false;
	ret_denial->named = words->named;
	ret_denial->real = *words->real ? words->real : words->named;
	ret_denial->value = ret_denial->option ? words->value : NULL;
	return true;
}
