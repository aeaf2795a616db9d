/* The rules that every program needs, whatever the policy: each name is here because a tool fails without it. */
#include "base/cleanup.h"
#include "base/path.h"
#include "seatbelt/place.h"
#include "seatbelt/rules.h"

/* "deny default" does not cover the operations of the second rule, or may not: for file-clone that is not documented.
 * By process-info a process can read the environment of any other process of its user, whatever sysctl-read says
 * (KERN_PROCARGS2). */
static const char denials[] = "(version 1)\n"
			      "(deny default)\n"
			      "(deny process-info* nvram* iokit-get-properties file-map-executable file-clone)\n";
static const char head[] = "(allow process-fork)\n"
			   "(allow signal (target same-sandbox))\n"
			   "(allow process-info* (target same-sandbox))\n";

struct name {
	const char *filter, *value;
};

/* No name of kern.proc is here: it lists the processes outside. */
static const struct name sysctls_read[] = {
	{ "sysctl-name", "hw.activecpu" },
	{ "sysctl-name", "hw.busfrequency_compat" },
	{ "sysctl-name", "hw.byteorder" },
	{ "sysctl-name", "hw.cacheconfig" },
	{ "sysctl-name", "hw.cachelinesize" },
	{ "sysctl-name", "hw.cachelinesize_compat" },
	{ "sysctl-name", "hw.cpufamily" },
	{ "sysctl-name", "hw.cpufrequency" },
	{ "sysctl-name", "hw.cpufrequency_compat" },
	{ "sysctl-name", "hw.cpusubtype" },
	{ "sysctl-name", "hw.cputype" },
	{ "sysctl-name", "hw.l1dcachesize" },
	{ "sysctl-name", "hw.l1dcachesize_compat" },
	{ "sysctl-name", "hw.l1icachesize" },
	{ "sysctl-name", "hw.l1icachesize_compat" },
	{ "sysctl-name", "hw.l2cachesize" },
	{ "sysctl-name", "hw.l2cachesize_compat" },
	{ "sysctl-name", "hw.l3cachesize" },
	{ "sysctl-name", "hw.l3cachesize_compat" },
	{ "sysctl-name", "hw.logicalcpu" },
	{ "sysctl-name", "hw.logicalcpu_max" },
	{ "sysctl-name", "hw.machine" },
	{ "sysctl-name", "hw.memsize" },
	{ "sysctl-name", "hw.model" },
	{ "sysctl-name", "hw.ncpu" },
	{ "sysctl-name", "hw.nperflevels" },
	{ "sysctl-name-prefix", "hw.optional." },
	{ "sysctl-name", "hw.packages" },
	{ "sysctl-name", "hw.pagesize" },
	{ "sysctl-name", "hw.pagesize_compat" },
	{ "sysctl-name-prefix", "hw.perflevel" },
	{ "sysctl-name", "hw.physicalcpu" },
	{ "sysctl-name", "hw.physicalcpu_max" },
	{ "sysctl-name", "hw.tbfrequency" },
	{ "sysctl-name", "hw.tbfrequency_compat" },
	{ "sysctl-name", "hw.vectorunit" },
	{ "sysctl-name", "kern.argmax" },
	{ "sysctl-name", "kern.boottime" },
	{ "sysctl-name", "kern.hostname" },
	{ "sysctl-name", "kern.iossupportversion" },
	{ "sysctl-name", "kern.maxfiles" },
	{ "sysctl-name", "kern.maxfilesperproc" },
	{ "sysctl-name", "kern.maxproc" },
	{ "sysctl-name", "kern.ngroups" },
	{ "sysctl-name", "kern.osproductversion" },
	{ "sysctl-name", "kern.osrelease" },
	{ "sysctl-name", "kern.ostype" },
	{ "sysctl-name", "kern.osvariant_status" },
	{ "sysctl-name", "kern.osversion" },
	{ "sysctl-name", "kern.secure_kernel" },
	{ "sysctl-name", "kern.tcsm_available" },
	{ "sysctl-name", "kern.tcsm_enable" },
	{ "sysctl-name", "kern.usrstack64" },
	{ "sysctl-name", "kern.version" },
	{ "sysctl-name", "kern.willshutdown" },
	{ "sysctl-name-prefix", "machdep.cpu." },
	{ "sysctl-name", "machdep.ptrauth_enabled" },
	{ "sysctl-name", "security.mac.lockdown_mode_state" },
	{ "sysctl-name", "sysctl.proc_cputype" },
	{ "sysctl-name", "sysctl.proc_translated" },
	{ "sysctl-name", "vm.loadavg" },
	{ "sysctl-name", "vm.swapusage" },
	{ 0 },
};

/* Queries that pass the kernel a buffer, which it takes for writing: those of Java and V8. */
static const struct name sysctls_written[] = {
	{ "sysctl-name", "kern.grade_cputype" },
	{ "sysctl-name", "kern.tcsm_enable" },
	{ 0 },
};

/* Users and groups, the user's temporary folder, preferences, logging, notifications, power. No LaunchServices, no
 * pasteboard, no AppleEvents, no keychain, no window server, no launchd. */
static const struct name services[] = {
	{ "global-name", "com.apple.system.opendirectoryd.libinfo" },
	{ "global-name", "com.apple.system.opendirectoryd.membership" },
	{ "global-name", "com.apple.bsd.dirhelper" },
	{ "global-name", "com.apple.cfprefsd.agent" },
	{ "local-name", "com.apple.cfprefsd.agent" },
	{ "global-name", "com.apple.cfprefsd.daemon" },
	{ "global-name", "com.apple.logd" },
	{ "global-name", "com.apple.system.logger" },
	{ "global-name", "com.apple.system.notification_center" },
	{ "global-name", "com.apple.PowerManagement.control" },
	{ 0 },
};

static const struct name power[] = { { "iokit-registry-entry-class", "RootDomainUserClient" }, { 0 } };

static const struct name preferences[] = { { "preference-domain", "kCFPreferencesAnyApplication" }, { 0 } };

static const struct name memory_of_system[] = {
	{ "ipc-posix-name", "apple.shm.notification_center" },
	{ "ipc-posix-name-prefix", "apple.cfprefs." },
	{ 0 },
};

/* Names of Python's multiprocessing.shared_memory, and of OpenMP's list of its runtimes. */
static const struct name memory_of_runtimes[] = {
	{ "ipc-posix-name-prefix", "/psm_" },
	{ "ipc-posix-name-prefix", "/__KMP_REGISTERED_LIB_" },
	{ 0 },
};

static const struct {
	const char *operation;
	const struct name *names;
} named[] = {
	{ "sysctl-read", sysctls_read },
	{ "sysctl-write", sysctls_written },
	{ "mach-lookup", services },
	{ "iokit-open", power },
	{ "user-preference-read", preferences },
	{ "ipc-posix-shm-read*", memory_of_system },
	{ "ipc-posix-shm*", memory_of_runtimes },
};

/* These rules come after the trees, which may hold /dev. A device in another folder may be a disk of root's, which a
 * grant of the folder does not mean. A terminal that was opened inside has the extension. The caller's terminal, which
 * the command inherits, has not: the command can query it and set its modes. 2147578994 is TIOCSTI, which types into
 * the terminal for the shell outside. The rule has the number, since macOS 13 and 14 do not know the name. */
#define LOOK "file-read* file-read-data file-read-metadata file-test-existence"
static const char devices[] =
	"(deny file-read-data file-write* file-link file-clone (vnode-type BLOCK-DEVICE) (vnode-type "
	"CHARACTER-DEVICE))\n"
	"(allow " LOOK " file-write-data\n"
	" (literal \"/dev/null\") (literal \"/dev/zero\") (literal \"/dev/tty\") (literal \"/dev/ptmx\")\n"
	" (subpath \"/dev/fd\"))\n"
	"(allow " LOOK " (literal \"/dev/random\") (literal \"/dev/urandom\"))\n"
	"(allow pseudo-tty)\n"
	"(allow " LOOK " file-write*\n"
	" (require-all (regex #\"^/dev/ttys[0-9]+$\") (extension \"com.apple.sandbox.pty\")))\n"
	"(allow file-ioctl\n"
	" (literal \"/dev/null\") (literal \"/dev/zero\") (literal \"/dev/random\") (literal \"/dev/urandom\")\n"
	" (literal \"/dev/tty\") (literal \"/dev/ptmx\") (regex #\"^/dev/ttys[0-9]+$\"))\n"
	"(deny file-ioctl (ioctl-command 2147578994))\n";

static void put_names(struct zs_seatbelt_writer *writer, const char *operation, const struct name *names)
{
	zs_seatbelt_print(writer, "(allow %s", operation);
	for (; names->filter; names++)
		zs_seatbelt_print(writer, "\n (%s \"%s\")", names->filter, names->value);
	zs_seatbelt_put(writer, ")\n");
}

/* The files that CoreFoundation reads at its start. */
static void put_home(struct zs_seatbelt_writer *writer, const char *home)
{
	static const char *const names[] = { ".CFUserTextEncoding", "Library/Preferences/.GlobalPreferences.plist" };

	for (size_t i = 0; home && i < ZS_COUNT(names); i++) {
		ZS_AUTO_FREE char *path = zs_path_join(home, names[i]);

		zs_seatbelt_put(writer, "(allow " LOOK);
		zs_seatbelt_put_filter(writer, "literal", path);
		zs_seatbelt_put(writer, ")\n");
	}
}

void zs_seatbelt_put_denials(struct zs_seatbelt_writer *writer)
{
	zs_seatbelt_put(writer, denials);
}

void zs_seatbelt_put_base(struct zs_seatbelt_writer *writer, const char *home)
{
	zs_seatbelt_put_denials(writer);
	zs_seatbelt_put(writer, head);
	for (size_t i = 0; i < ZS_COUNT(named); i++)
		put_names(writer, named[i].operation, named[i].names);
	zs_seatbelt_put(writer, "(allow ipc-posix-sem)\n");
	put_home(writer, home);
	/* dyld lists "/", and programs use the links by name. */
	zs_seatbelt_put(writer, "(allow file-read-metadata file-test-existence (literal \"/private\"))\n"
				"(allow " LOOK " (literal \"/\")");
	for (const char *const *link = zs_seatbelt_links; *link; link++)
		zs_seatbelt_print(writer, " (literal \"%s\")", *link);
	zs_seatbelt_put(writer, ")\n");
}

void zs_seatbelt_put_devices(struct zs_seatbelt_writer *writer)
{
	zs_seatbelt_put(writer, devices);
}
