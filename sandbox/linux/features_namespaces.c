/* The settings that forbid user namespaces, and how each is lifted. */
#include "features.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cleanup.h"

static const struct {
	const char *path;
	const char *forbids; /* the value that does */
	const char *fix;
} settings[] = {
	/* Ubuntu 23.10 and later: unshare(2) succeeds, but into a profile that has no capabilities. */
	{ "/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1",
		"load the profile that 'zs doctor --apparmor' prints, or sysctl -w "
		"kernel.apparmor_restrict_unprivileged_userns=0" },
	{ "/proc/sys/user/max_user_namespaces", "0", "sysctl -w user.max_user_namespaces=10000" },
	/* Debian's own switch, off before Debian 11. */
	{ "/proc/sys/kernel/unprivileged_userns_clone", "0", "sysctl -w kernel.unprivileged_userns_clone=1" },
};

static bool holds(const char *path, const char *value)
{
	ZS_AUTO_FD int fd = open(path, O_RDONLY | O_CLOEXEC);
	char text[32];
	ssize_t len = fd < 0 ? -1 : read(fd, text, sizeof text - 1);

	if (len < 0)
		return false;
	text[len] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return strcmp(text, value) == 0;
}

void zs_userns_explain(struct zs_feature *feature)
{
	for (size_t i = 0; i < ZS_COUNT(settings); i++) {
		if (!holds(settings[i].path, settings[i].forbids))
			continue;
		snprintf(feature->detail, sizeof feature->detail, "forbidden by %s = %s", settings[i].path,
			settings[i].forbids);
		snprintf(feature->fix, sizeof feature->fix, "%s", settings[i].fix);
		return;
	}
}
