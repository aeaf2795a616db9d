/* The accesses that a policy's Seatbelt profile allows, by two readings of its language (sbpl_ask.c). The rows follow
 * the lines of the checklist that a profile decides. */
#include "check.h"
#include "seatbelt_world.h"

#define W WORLD_WORKSPACE
#define OUT "/Users/me/other"

struct call_row {
	enum world_call call;
	const char *path, *to;
	bool allowed;
};

static const struct call_row files[] = {
	/* read and write inside the workspace, and outside */
	{ CALL_READ, W "/x", NULL, true },
	{ CALL_WRITE, W "/x", NULL, true },
	{ CALL_CREATE, W "/d/new", NULL, true },
	{ CALL_UNLINK, W "/x", NULL, true },
	{ CALL_CHMOD, W "/x", NULL, true },
	{ CALL_SETXATTR, W "/x", NULL, true },
	{ CALL_EXEC, W "/prog", NULL, true },
	{ CALL_DLOPEN, W "/lib.dylib", NULL, true },
	{ CALL_READ, OUT "/x", NULL, false },
	{ CALL_WRITE, OUT "/x", NULL, false },
	{ CALL_CREATE, OUT "/new", NULL, false },
	{ CALL_READ, "/Users/me/.ssh/id", NULL, false },
	{ CALL_READ, W "x", NULL, false },
	{ CALL_CREATE, W "x", NULL, false },
	{ CALL_READ, "/Users/me", NULL, false },
	{ CALL_READ, "/Users", NULL, false },
	/* stat: the way to granted paths, and no other path */
	{ CALL_STAT, "/Users/me", NULL, true },
	{ CALL_STAT, "/Users", NULL, true },
	{ CALL_STAT, "/", NULL, true },
	{ CALL_READ, "/", NULL, true },
	{ CALL_STAT, "/private", NULL, true },
	{ CALL_STAT, "/tmp", NULL, true },
	{ CALL_STAT, "/Users/me/bin", NULL, true },
	{ CALL_STAT, "/System", NULL, true },
	{ CALL_STAT, "/private/var/folders", NULL, true },
	{ CALL_READ, "/private/var/folders", NULL, false },
	{ CALL_STAT, "/Users/me/.ssh", NULL, false },
	{ CALL_STAT, "/Users/you", NULL, false },
	{ CALL_STAT, "/private/etc/hosts", NULL, false },
	{ CALL_READ, "/Users/me/.CFUserTextEncoding", NULL, true },
	{ CALL_WRITE, "/Users/me/.CFUserTextEncoding", NULL, false },
	{ CALL_READ, "/Users/me/Library/Preferences/.GlobalPreferences.plist", NULL, true },
	{ CALL_READ, "/Users/me/Library/Preferences/com.apple.dock.plist", NULL, false },
	/* read only */
	{ CALL_STAT, "/Users/me/ro/x", NULL, true },
	{ CALL_READ, "/Users/me/ro/x", NULL, true },
	{ CALL_WRITE, "/Users/me/ro/x", NULL, false },
	{ CALL_CREATE, "/Users/me/ro/new", NULL, false },
	{ CALL_UNLINK, "/Users/me/ro/x", NULL, false },
	{ CALL_RENAME, "/Users/me/ro/x", W "/y", false },
	{ CALL_RENAME, W "/y", "/Users/me/ro/x", false },
	{ CALL_LINK, "/Users/me/ro/x", W "/y", false },
	{ CALL_CLONE, "/Users/me/ro/x", W "/y", true },
	{ CALL_CHMOD, "/Users/me/ro/x", NULL, false },
	{ CALL_CHOWN, "/Users/me/ro/x", NULL, false },
	{ CALL_UTIMES, "/Users/me/ro/x", NULL, false },
	{ CALL_SETXATTR, "/Users/me/ro/x", NULL, false },
	{ CALL_CHFLAGS, "/Users/me/ro/x", NULL, false },
	{ CALL_EXEC, "/Users/me/ro/prog", NULL, false },
	{ CALL_DLOPEN, "/Users/me/ro/lib.dylib", NULL, false },
	/* a file that is not granted cannot be linked or cloned to a readable place */
	{ CALL_LINK, OUT "/x", W "/y", false },
	{ CALL_CLONE, OUT "/x", W "/y", false },
	/* exec: a tree, and one file */
	{ CALL_EXEC, "/usr/bin/env", NULL, true },
	{ CALL_DLOPEN, "/usr/lib/libSystem.B.dylib", NULL, true },
	{ CALL_WRITE, "/usr/bin/env", NULL, false },
	{ CALL_EXEC, "/Users/me/bin/tool", NULL, true },
	{ CALL_EXEC, "/Users/me/bin/other", NULL, false },
	{ CALL_DLOPEN, "/Users/me/bin/other", NULL, false },
	/* writable in read-only; a single file */
	{ CALL_WRITE, "/Users/me/ro/out/x", NULL, true },
	{ CALL_RENAME, "/Users/me/ro/out", W "/y", false },
	{ CALL_WRITE, "/Users/me/conf", NULL, true },
	{ CALL_UNLINK, "/Users/me/conf", NULL, false },
	{ CALL_RENAME, "/Users/me/conf", W "/y", false },
	{ CALL_REPLACE, W "/y", "/Users/me/conf", false },
	/* rename and link within a grant and between two */
	{ CALL_RENAME, W "/x", W "/d/y", true },
	{ CALL_RENAME, W "/x", "/Users/me/ro/out/y", true },
	{ CALL_LINK, W "/x", W "/d/y", true },
	{ CALL_CLONE, W "/x", W "/d/y", true },
	/* protect: the path, its content, missing files, in every spelling */
	{ CALL_READ, W "/.git/hooks/pre-commit", NULL, true },
	{ CALL_EXEC, W "/.git/hooks/pre-commit", NULL, true },
	{ CALL_WRITE, W "/.git/hooks/pre-commit", NULL, false },
	{ CALL_CREATE, W "/.git/hooks/new", NULL, false },
	{ CALL_CREATE, W "/.git/hooks", NULL, false },
	{ CALL_UNLINK, W "/.git/hooks/pre-commit", NULL, false },
	{ CALL_UNLINK, W "/.git/hooks", NULL, false },
	{ CALL_RENAME, W "/x", W "/.git/hooks/new", false },
	{ CALL_REPLACE, W "/x", W "/.git/config", false },
	{ CALL_RENAME, W "/.git/config", W "/x", false },
	{ CALL_LINK, W "/.git/config", W "/x", false },
	{ CALL_LINK, W "/x", W "/.git/hooks/new", false },
	{ CALL_CHMOD, W "/.git/hooks/pre-commit", NULL, false },
	{ CALL_CHFLAGS, W "/.git/config", NULL, false },
	{ CALL_SETXATTR, W "/.git/config", NULL, false },
	{ CALL_CREATE, W "/.git/HOOKS", NULL, false },
	{ CALL_CREATE, W "/.git/Config", NULL, false },
	{ CALL_CREATE, W "/.git/hoo\xe2\x84\xaas", NULL, false },
	{ CALL_CREATE, W "/.git/hook\xc5\xbf", NULL, false },
	{ CALL_CREATE, W "/.git/con\xef\xac\x81g", NULL, false },
	{ CALL_CREATE, W "/.git/c\xe2\x80\x8config", NULL, false },
	{ CALL_WRITE, W "/.bashrc", NULL, false },
	{ CALL_CREATE, W "/.bashrc", NULL, false },
	{ CALL_CREATE, W "/.BashRC", NULL, false },
	{ CALL_RENAME, W "/x", W "/.BASHRC", false },
	{ CALL_LINK, W "/x", W "/.BASHRC", false },
	{ CALL_CREATE, W "/.bashrcs", NULL, true },
	{ CALL_CREATE, W "/xbashrc", NULL, true },
	{ CALL_CREATE, W "/d/.bashrc", NULL, true },
	{ CALL_WRITE, W "/.git/index", NULL, true },
	{ CALL_CREATE, W "/.git/objects/ab/cd", NULL, true },
	{ CALL_LINK, W "/.git/objects/t", W "/.git/objects/ab/cd", true },
	{ CALL_RENAME, W "/.git/index.lock", W "/.git/index", true },
	{ CALL_CREATE, W "/.git/configs", NULL, true },
	/* its parent and grandparent cannot be moved, and nothing can be moved to their places if they are missing */
	{ CALL_RENAME, W "/.git", W "/x", false },
	{ CALL_UNLINK, W "/.git", NULL, false },
	{ CALL_WRITE, W "/sub/deep/keep", NULL, false },
	{ CALL_RENAME, W "/sub/deep", W "/x", false },
	{ CALL_RENAME, W "/sub", W "/x", false },
	{ CALL_RENAME, W "/x", W "/sub", false },
	{ CALL_RENAME, W "/x", W "/SUB/deep", false },
	{ CALL_RENAME, W "/x", W "/sub/Deep", false },
	{ CALL_RENAME, W "/sub/other", W "/x", true },
	{ CALL_RENAME, W "/x", W "/subs", true },
	{ CALL_RENAME, W, "/Users/me/ro/out/w", false },
	{ CALL_UNLINK, W, NULL, false },
	/* a writable path in a protected one, which cannot be moved */
	{ CALL_WRITE, W "/p/q/x", NULL, true },
	{ CALL_CREATE, W "/p/q/new", NULL, true },
	{ CALL_WRITE, W "/p/x", NULL, false },
	{ CALL_RENAME, W "/p/q", W "/x", false },
	/* hide */
	{ CALL_READ, W "/secret/key", NULL, false },
	{ CALL_STAT, W "/secret", NULL, false },
	{ CALL_STAT, W "/secret/key", NULL, false },
	{ CALL_READ, W "/secret", NULL, false },
	{ CALL_WRITE, W "/secret/key", NULL, false },
	{ CALL_CREATE, W "/secret/later", NULL, false },
	{ CALL_READ, W "/SECRET/key", NULL, false },
	{ CALL_EXEC, W "/secret/prog", NULL, false },
	{ CALL_DLOPEN, W "/secret/lib", NULL, false },
	{ CALL_RENAME, W "/secret", W "/x", false },
	{ CALL_RENAME, W "/secret/key", W "/x", false },
	{ CALL_LINK, W "/secret/key", W "/x", false },
	{ CALL_CLONE, W "/secret/key", W "/x", false },
	{ CALL_READ, "/usr/hidden", NULL, false },
	{ CALL_STAT, "/usr/hidden", NULL, false },
	{ CALL_EXEC, "/usr/hidden", NULL, false },
	{ CALL_READ, "/Users/me/ro/.ssh/id", NULL, false },
	/* a grant in it, and the way there */
	{ CALL_READ, W "/h/r/x", NULL, true },
	{ CALL_STAT, W "/h", NULL, true },
	{ CALL_READ, W "/h/x", NULL, false },
	{ CALL_STAT, W "/h/x", NULL, false },
	{ CALL_WRITE, W "/h/r/x", NULL, false },
	/* temporary folders: this user's own, shared as the policy says */
	{ CALL_CREATE, "/private/var/folders/ab/cd/T/x", NULL, true },
	{ CALL_READ, "/private/var/folders/ab/ef/T/x", NULL, false },
	{ CALL_CREATE, "/private/var/folders/ab/ef/T/x", NULL, false },
	{ CALL_RENAME, "/private/var/folders/ab/cd", W "/x", false },
	{ CALL_CREATE, "/private/tmp/x", NULL, false },
	{ CALL_CREATE, "/tmp/x", NULL, false },
	/* devices: a few of /dev, and no others at any place */
	{ CALL_MKNOD, W "/disk", NULL, false },
	{ CALL_READ, "/dev/disk0", NULL, false },
	/* a link to what is granted */
	{ CALL_READ, "/Users/me/links/go", NULL, true },
	{ CALL_STAT, "/Users/me/links", NULL, true },
	{ CALL_READ, "/Users/me/links", NULL, false },
	{ CALL_UNLINK, "/Users/me/links/go", NULL, false },
	/* the data volume's own name for the same files */
	{ CALL_READ, "/System/Volumes/Data/Users/me/.ssh/id", NULL, false },
	{ CALL_WRITE, "/System/Volumes/Data" W "/.git/config", NULL, false },
	{ CALL_READ, "/System/Library/CoreServices/SystemVersion.plist", NULL, true },
	/* unix sockets: by either name; no other */
	{ CALL_CONNECT_UNIX, "/private/var/run/db.sock", NULL, true },
	{ CALL_CONNECT_UNIX, "/var/run/db.sock", NULL, true },
	{ CALL_BIND_UNIX, W "/own.sock", NULL, true },
	{ CALL_CONNECT_UNIX, W "/own.sock", NULL, true },
	{ CALL_BIND_UNIX, "/private/var/run/db.sock", NULL, false },
	{ CALL_UNLINK, "/private/var/run/db.sock", NULL, false },
	{ CALL_CONNECT_UNIX, "/private/var/run/docker.sock", NULL, false },
	{ CALL_CONNECT_UNIX, "/var/run/mDNSResponder", NULL, false },
	{ CALL_CONNECT_UNIX, "/private/var/run/mDNSResponder", NULL, false },
	{ CALL_CONNECT_UNIX, W "/agent.sock", NULL, false },
	{ CALL_BIND_UNIX, W "/agent.sock", NULL, false },
	{ CALL_UNLINK, "/private/var/run/other", NULL, false },
};

#define DEVICE(name, at) .operation = name, .path = at, .kind = SBPL_CHARACTER_DEVICE
#define OWN_PTY .extension = "com.apple.sandbox.pty"

/* A path that is not a file, or a file of a special kind. */
static const struct {
	struct sbpl_query query;
	bool allowed;
} others[] = {
	/* public: what everybody may read */
	{ { .operation = "file-read-data", .path = "/Users/me/public/x", .mode = 0604 }, true },
	{ { .operation = "file-read-data", .path = "/Users/me/public/x", .mode = 0640 }, false },
	{ { .operation = "process-exec*", .path = "/Users/me/public/x", .mode = 0755 }, true },
	{ { .operation = "process-exec*", .path = "/Users/me/public/x", .mode = 0750 }, false },
	/* devices */
	{ { DEVICE("file-read-data", "/dev/null") }, true },
	{ { DEVICE("file-write-data", "/dev/null") }, true },
	{ { DEVICE("file-write-data", "/dev/zero") }, true },
	{ { DEVICE("file-read-data", "/dev/urandom") }, true },
	{ { DEVICE("file-read-data", "/dev/random") }, true },
	{ { DEVICE("file-write-data", "/dev/random") }, false },
	{ { DEVICE("file-write-data", "/dev/tty") }, true },
	{ { DEVICE("file-read-data", "/dev/ptmx") }, true },
	{ { DEVICE("file-read-data", "/dev/fd/0") }, true },
	{ { DEVICE("file-write-unlink", "/dev/null") }, false },
	{ { DEVICE("file-write-mode", "/dev/null") }, false },
	{ { DEVICE("file-read-data", "/dev/rdisk0") }, false },
	{ { DEVICE("file-read-data", "/dev/bpf0") }, false },
	{ { DEVICE("file-read-data", W "/node") }, false },
	{ { .operation = "file-read-data", .path = W "/node", .kind = SBPL_BLOCK_DEVICE }, false },
	{ { .operation = "file-write-data", .path = W "/node", .kind = SBPL_BLOCK_DEVICE }, false },
	{ { .operation = "file-link", .path = W "/node", .kind = SBPL_BLOCK_DEVICE }, false },
	/* terminals: the command's own, and the caller's */
	{ { .operation = "pseudo-tty" }, true },
	{ { DEVICE("file-write-data", "/dev/ttys003"), OWN_PTY }, true },
	{ { DEVICE("file-read-data", "/dev/ttys003"), OWN_PTY }, true },
	{ { DEVICE("file-write-mode", "/dev/ttys003"), OWN_PTY }, true },
	{ { DEVICE("file-write-data", "/dev/ttys003") }, false },
	{ { DEVICE("file-read-data", "/dev/ttys003") }, false },
	{ { DEVICE("file-read-data", "/dev/tty.usbserial"), OWN_PTY }, false },
	{ { DEVICE("file-ioctl", "/dev/ttys003"), .command = 0x40487413 }, true },
	{ { DEVICE("file-ioctl", "/dev/tty"), .command = 0x40487413 }, true },
	{ { DEVICE("file-ioctl", "/dev/null"), .command = 0x40487413 }, true },
	{ { DEVICE("file-ioctl", "/dev/ttys003"), .command = 0x80017472 }, false }, /* TIOCSTI */
	{ { DEVICE("file-ioctl", "/dev/tty"), .command = 0x80017472 }, false },
	{ { .operation = "file-ioctl", .path = "/dev/disk0", .kind = SBPL_BLOCK_DEVICE, .command = 1 }, false },
	{ { .operation = "file-ioctl", .path = W "/x" }, false },
	{ { .operation = "file-mknod", .path = W "/x" }, false },
	{ { .operation = "file-mount", .path = W "/x" }, false },
	{ { .operation = "file-chroot", .path = W "/x" }, false },
	/* processes */
	{ { .operation = "process-fork" }, true },
	{ { .operation = "signal", .same_sandbox = true }, true },
	{ { .operation = "signal" }, false },
	{ { .operation = "process-info-pidinfo", .same_sandbox = true }, true },
	{ { .operation = "process-info-setcontrol", .same_sandbox = true }, true },
	{ { .operation = "process-info-pidinfo" }, false },
	{ { .operation = "process-info-pidfdinfo" }, false },
	{ { .operation = "process-info-listpids" }, false },
	{ { .operation = "mach-priv-task-port" }, false },
	{ { .operation = "mach-priv-task-port", .same_sandbox = true }, false },
	{ { .operation = "mach-task-name" }, false },
	{ { .operation = "mach-priv-host-port" }, false },
	{ { .operation = "system-debug" }, false },
	{ { .operation = "sysctl-read", .name = "kern.procargs2.1" }, false },
	{ { .operation = "sysctl-read", .name = "kern.proc.all" }, false },
	{ { .operation = "sysctl-read", .name = "kern.proc.pid.1" }, false },
	/* what tools ask about the machine */
	{ { .operation = "sysctl-read", .name = "hw.ncpu" }, true },
	{ { .operation = "sysctl-read", .name = "hw.optional.arm64" }, true },
	{ { .operation = "sysctl-read", .name = "kern.osrelease" }, true },
	{ { .operation = "sysctl-write", .name = "kern.grade_cputype" }, true },
	{ { .operation = "sysctl-write", .name = "kern.hostname" }, false },
	{ { .operation = "sysctl-read", .name = "net.routetable.0" }, false },
	{ { .operation = "sysctl-read", .name = "kern.bootargs" }, false },
	{ { .operation = "iokit-open", .name = "RootDomainUserClient" }, true },
	{ { .operation = "iokit-open", .name = "AppleKeyStoreUserClient" }, false },
	{ { .operation = "iokit-get-properties", .name = "IOPlatformSerialNumber" }, false },
	{ { .operation = "nvram-get", .name = "boot-args" }, false },
	{ { .operation = "nvram-set", .name = "boot-args" }, false },
	{ { .operation = "user-preference-read", .name = "kCFPreferencesAnyApplication" }, true },
	{ { .operation = "user-preference-read", .name = "com.apple.mail" }, false },
	{ { .operation = "user-preference-write", .name = "kCFPreferencesAnyApplication" }, false },
	/* services */
	{ { .operation = "mach-lookup", .name = "com.apple.system.opendirectoryd.libinfo" }, true },
	{ { .operation = "mach-lookup", .name = "com.apple.cfprefsd.daemon" }, true },
	{ { .operation = "mach-lookup", .name = "com.apple.cfprefsd.agent", .local_name = true }, true },
	{ { .operation = "mach-lookup", .name = "com.apple.logd" }, true },
	{ { .operation = "mach-lookup", .name = "com.apple.system.notification_center" }, true },
	{ { .operation = "mach-lookup", .name = "com.apple.PowerManagement.control" }, true },
	{ { .operation = "mach-lookup", .name = "com.apple.coreservices.launchservicesd" }, false },
	{ { .operation = "mach-lookup", .name = "com.apple.lsd.open" }, false },
	{ { .operation = "mach-lookup", .name = "com.apple.pasteboard.1" }, false },
	{ { .operation = "mach-lookup", .name = "com.apple.coreservices.appleevents" }, false },
	{ { .operation = "mach-lookup", .name = "com.apple.windowserver.active" }, false },
	{ { .operation = "mach-lookup", .name = "com.apple.SecurityServer" }, false },
	{ { .operation = "mach-lookup", .name = "com.apple.securityd.xpc" }, false },
	{ { .operation = "mach-lookup", .name = "com.apple.xpc.launchd" }, false },
	{ { .operation = "mach-lookup", .name = "com.apple.trustd.agent" }, false },
	{ { .operation = "mach-lookup", .name = "com.apple.SystemConfiguration.configd" }, false },
	{ { .operation = "mach-register", .name = "com.example" }, false },
	{ { .operation = "lsopen" }, false },
	{ { .operation = "appleevent-send" }, false },
	{ { .operation = "job-creation" }, false },
	{ { .operation = "distributed-notification-post" }, false },
	{ { .operation = "ipc-posix-sem", .name = "/mp-1" }, true },
	{ { .operation = "ipc-posix-shm-read-data", .name = "apple.shm.notification_center" }, true },
	{ { .operation = "ipc-posix-shm-read-data", .name = "apple.cfprefs.501v1" }, true },
	{ { .operation = "ipc-posix-shm-write-data", .name = "apple.cfprefs.501v1" }, false },
	{ { .operation = "ipc-posix-shm-write-create", .name = "/psm_1" }, true },
	{ { .operation = "ipc-posix-shm-read-data", .name = "/other" }, false },
	{ { .operation = "ipc-posix-shm-write-create", .name = "/other" }, false },
	{ { .operation = "ipc-sysv-shm" }, false },
	{ { .operation = "system-privilege" }, false },
	{ { .operation = "system-reboot" }, false },
	/* the fingerprint */
	{ { .operation = "file-read-data", .path = WORLD_ALLOWED }, true },
	{ { .operation = "file-read-data", .path = WORLD_DENIED }, false },
	/* no network, except the granted socket */
	{ { .operation = "network-outbound", .remote = "127.0.0.1:80" }, false },
	{ { .operation = "network-outbound", .remote = "93.184.216.34:80" }, false },
	{ { .operation = "network-bind", .local = "127.0.0.1:80" }, false },
	{ { .operation = "network-inbound", .local = "127.0.0.1:80" }, false },
	{ { .operation = "system-socket", .domain = "AF_UNIX" }, true },
	{ { .operation = "system-socket", .domain = "AF_SYSTEM", .protocol = 2 }, false },
	{ { .operation = "system-socket", .domain = "AF_ROUTE" }, false },
};

/* Returns the number of rows with a wrong result. say: report them as failures. */
static size_t wrong_calls(const struct sbpl *sbpl, const struct call_row *rows, size_t count, bool say)
{
	size_t wrong = 0;

	for (size_t i = 0; i < count; i++) {
		const struct call_row *row = &rows[i];
		enum sbpl_answer answer = world_call(sbpl, row->call, row->path, row->to);
		bool right = answer == (row->allowed ? SBPL_ALLOW : SBPL_DENY);

		wrong += !right;
		CHECK(right || !say, "%s %s %s: %d", world_call_name(row->call), row->path, row->to ? row->to : "",
			answer);
	}
	return wrong;
}

static size_t wrong_files(const struct sbpl *sbpl, bool say)
{
	return wrong_calls(sbpl, files, sizeof files / sizeof *files, say);
}

static size_t wrong_others(const struct sbpl *sbpl, bool say)
{
	size_t wrong = 0;

	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		const struct sbpl_query *query = &others[i].query;
		enum sbpl_answer answer = sbpl_ask(sbpl, query);
		bool right = answer == (others[i].allowed ? SBPL_ALLOW : SBPL_DENY);

		wrong += !right;
		CHECK(right || !say, "%zu: %s %s %s: %d", i, query->operation, query->path ? query->path : "",
			query->name ? query->name : "", answer);
	}
	return wrong;
}

TEST(seatbelt_policy_matrix)
{
	struct world world;

	world_begin(&world);
	world_grant_all(&world);
	if (world_make(&world)) {
		wrong_files(world.sbpl, true);
		wrong_others(world.sbpl, true);
	}
	world_end(&world);
}

/* The same without any grant: the rights of every command. */
static const struct call_row nothing[] = {
	{ CALL_STAT, "/private", NULL, true },
	{ CALL_READ, "/private", NULL, false },
	{ CALL_READ, "/private/tmp/x", NULL, false },
	{ CALL_CREATE, "/private/tmp/x", NULL, false },
	{ CALL_READ, "/etc", NULL, true },
	{ CALL_READ, "/private/etc/passwd", NULL, false },
	{ CALL_EXEC, "/bin/sh", NULL, false },
	{ CALL_DLOPEN, "/usr/lib/libSystem.B.dylib", NULL, false },
	{ CALL_STAT, "/Users/me", NULL, false },
	{ CALL_CREATE, "/private/var/folders/ab/cd/T/x", NULL, false },
};

static size_t wrong_nothing(const struct sbpl *sbpl, bool say)
{
	return wrong_calls(sbpl, nothing, sizeof nothing / sizeof *nothing, say);
}

TEST(seatbelt_policy_of_nothing)
{
	struct world world;

	world_begin(&world);
	if (world_make(&world))
		wrong_nothing(world.sbpl, true);
	world_end(&world);
}

static size_t wrong_without(struct sbpl *sbpl, size_t rule, size_t (*count)(const struct sbpl *sbpl, bool say))
{
	size_t wrong;

	sbpl_leave_out(sbpl, rule, true);
	wrong = count(sbpl, false);
	sbpl_leave_out(sbpl, rule, false);
	return wrong;
}

/* Each rule decides a row of the tables above. */
TEST(seatbelt_every_rule_is_needed)
{
	struct world world, empty;
	size_t len, empty_len;

	world_begin(&world);
	world_grant_all(&world);
	world_begin(&empty);
	if (!world_make(&world) || !world_make(&empty))
		return;
	for (size_t i = 0; i < sbpl_rules(world.sbpl); i++) {
		const char *text = sbpl_rule_text(world.sbpl, i, &len);
		size_t wrong = wrong_without(world.sbpl, i, wrong_files) + wrong_without(world.sbpl, i, wrong_others);

		for (size_t j = 0; j < sbpl_rules(empty.sbpl); j++) {
			const char *same = sbpl_rule_text(empty.sbpl, j, &empty_len);

			if (empty_len == len && memcmp(same, text, len) == 0)
				wrong += wrong_without(empty.sbpl, j, wrong_nothing);
		}
		CHECK(wrong > 0, "nothing needs %.*s", (int)len, text);
	}
	world_end(&world);
	world_end(&empty);
}

TEST(seatbelt_fingerprint_only)
{
	const struct zs_seatbelt_request request = { .fingerprint_allowed = "/tmp/id/a",
		.fingerprint_denied = "/tmp/id/d" };
	struct zs_seatbelt_profile profile = { 0 };
	struct zs_error error = { 0 };
	int r = zs_seatbelt_profile_new(&request, &profile, &error);

	CHECK(r == 0, "%d %s", r, error.what);
	CHECK(r == 0 && strcmp(profile.text,
				"(version 1)\n"
				"(allow default)\n"
				"(allow file-read-data (literal (param \"P0\")) (literal (param \"P1\")))\n"
				"(deny file-read-data (literal (param \"P2\")) (literal (param \"P3\")))\n") == 0,
		"%s", profile.text);
	CHECK(r == 0 && profile.parameter_count == 4 && strcmp(profile.parameters[1], "/private/tmp/id/a") == 0 &&
			strcmp(profile.parameters[3], "/tmp/id/a") == 0 && !profile.parameters[8],
		"%zu parameters", profile.parameter_count);
	zs_seatbelt_profile_free(&profile);
}
