/* Explains a refused namespace by the setting, limit or AppArmor profile that forbids it, and says how to lift that. */
#include "linux/features/features.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "policy/environment.h"

static const struct {
	const char *path;
	const char *forbids; /* the value that forbids */
	const char *fix;
} settings[] = {
	/* Ubuntu 23.10 and later: unshare(2) succeeds, but switches to an AppArmor profile without capabilities. */
	{ "/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1",
		"load the profile that 'zs doctor --apparmor' prints, or sysctl -w "
		"kernel.apparmor_restrict_unprivileged_userns=0" },
	{ "/proc/sys/user/max_user_namespaces", "0", "sysctl -w user.max_user_namespaces=10000" },
	/* Debian's own setting, 0 by default before Debian 11. */
	{ "/proc/sys/kernel/unprivileged_userns_clone", "0", "sysctl -w kernel.unprivileged_userns_clone=1" },
};

/* A feature, and its KIND in the path of its limit, /proc/sys/user/max_KIND_namespaces (man 7 namespaces). */
static const char *const limits[][2] = {
	{ "user-namespace", "user" },
	{ "mount-namespace", "mnt" },
	{ "pid-namespace", "pid" },
	{ "network-namespace", "net" },
	{ "ipc-namespace", "ipc" },
};

static bool features_namespaces_read_line(const char *path, char *line, size_t size)
{
	ZS_AUTO_FD int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? -1 : read(fd, line, size - 1);

	if (len < 0)
		return false;
	line[len] = '\0';
	line[strcspn(line, "\n")] = '\0';
	return true;
}

static bool holds(const char *path, const char *value)
{
	char line[32];

	return features_namespaces_read_line(path, line, sizeof line) && strcmp(line, value) == 0;
}

static bool explain_setting(struct zs_feature *feature)
{
	for (size_t i = 0; i < ZS_COUNT(settings); i++) {
		if (!holds(settings[i].path, settings[i].forbids))
			continue;
		snprintf(feature->detail, sizeof feature->detail, "forbidden by %s = %s", settings[i].path,
			settings[i].forbids);
		snprintf(feature->fix, sizeof feature->fix, "%s", settings[i].fix);
		return true;
	}
	return false;
}

/* A limit's file shows the value of the reader's user namespace. In a user namespace of our own that is not the limit
 * that refuses, so for a single namespace the errno ENOSPC alone decides. */
static bool explain_limit(struct zs_feature *feature, int cause)
{
	char path[64];

	if (cause != ENOSPC)
		return false;
	for (size_t i = 0; i < ZS_COUNT(limits); i++) {
		snprintf(path, sizeof path, "/proc/sys/user/max_%s_namespaces", limits[i][1]);
		if (feature->name ? strcmp(feature->name, limits[i][0]) != 0 : !holds(path, "0"))
			continue;
		snprintf(feature->detail, sizeof feature->detail, "no more are allowed by %s", path);
		snprintf(feature->fix, sizeof feature->fix,
			"sysctl -w user.max_%s_namespaces=10000, here or outside of the container", limits[i][1]);
		return true;
	}
	return false;
}

/* For AppArmor the file holds "PROFILE (MODE)", or "unconfined" without a mode. SELinux uses the same file, without
 * modes. */
static bool explain_apparmor(struct zs_feature *feature, int cause)
{
	static const char enforced[] = " (enforce)";
	char label[256];
	size_t len;

	if ((cause != EACCES && cause != EPERM) ||
		!features_namespaces_read_line("/proc/self/attr/current", label, sizeof label))
		return false;
	len = strlen(label);
	if (len < sizeof enforced || strcmp(label + len - strlen(enforced), enforced) != 0)
		return false;
	label[len - strlen(enforced)] = '\0';
	snprintf(feature->detail, sizeof feature->detail, "AppArmor's profile '%s' may forbid it", label);
	snprintf(feature->fix, sizeof feature->fix,
		"load the profile that 'zs doctor --apparmor' prints; " ZS_IN_DOCKER);
	return true;
}

/* Explains EINVAL of pivot_root(2). The new root is always a valid mount, so the old one must be at fault. */
static bool explain_root(struct zs_feature *feature, int cause)
{
	if (cause != EINVAL || !feature->name || strcmp(feature->name, "mount-namespace") != 0)
		return false;
	snprintf(feature->detail, sizeof feature->detail,
		"pivot_root: '/' is the file system that the kernel has booted with (initramfs)");
	snprintf(feature->fix, sizeof feature->fix,
		"mount a root file system and start zs behind switch_root or pivot_root");
	return true;
}

/* Anybody can set the variable, so it explains nothing but a refusal. */
static bool explain_confined(struct zs_feature *feature, int cause)
{
	const char *confined = getenv(ZS_CONFINED);

	if (cause != EPERM || !confined || strcmp(confined, "1") != 0)
		return false;
	snprintf(feature->detail, sizeof feature->detail,
		"a command that zs confines makes none, and this one is (" ZS_CONFINED "=1)");
	snprintf(feature->fix, sizeof feature->fix, "run the command without a zs of its own");
	return true;
}

void zs_namespace_explain(struct zs_feature *feature, int cause)
{
	if (!explain_confined(feature, cause) && !explain_root(feature, cause) && !explain_setting(feature) &&
		!explain_limit(feature, cause))
		explain_apparmor(feature, cause);
}
