#include "learn/learn_rules.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "git/obeyed.h"

/* Folders of the home in which each name belongs to another program. */
static const char shared[][16] = { ".config", ".cache", ".local", ".local/share", ".local/state", ".local/lib",
	".local/bin", "bin" };

static const struct {
	char path[8];
	unsigned names; /* a folder to read has so many at least; 0: none is made here */
} systems[] = {
	{ "/usr", 3 },
	{ "/var", 3 },
	{ "/etc", 0 },
	{ "/dev", 0 },
	{ "/proc", 0 },
	{ "/run", 0 },
	{ "/sys", 0 },
	{ "/boot", 0 },
	{ "/bin", 0 },
	{ "/sbin", 0 },
	{ "/lib", 0 },
	{ "/lib64", 0 },
};

static unsigned count_names(const char *path)
{
	unsigned count = 0;

	for (path += strspn(path, "/"); *path; path += strspn(path, "/")) {
		path += strcspn(path, "/");
		count++;
	}
	return count;
}

static bool is_shared(const char *below)
{
	for (size_t i = 0; i < ZS_COUNT(shared); i++)
		if (strcmp(below, shared[i]) == 0)
			return true;
	return false;
}

/* below: the path below the home folder. */
static const char *refuse_in_home(const char *below, bool write, bool wide)
{
	bool own = *below == '.' || count_names(below) >= 2;

	if ((write || wide) && is_shared(below))
		return "many programs share this folder";
	return wide && !own ? "it is too much of the home folder" : NULL;
}

static const char *refuse_outside(const char *path, bool write, bool wide)
{
	unsigned names = count_names(path);

	for (size_t i = 0; i < ZS_COUNT(systems); i++)
		if (zs_path_lies_in(path, systems[i].path) &&
			(write || (wide && (!systems[i].names || names < systems[i].names))))
			return "it belongs to the system";
	return (write || wide) && names < 2 ? "it is a folder at the top" : NULL;
}

static const char *refuse_text(const struct zs_learn_ground *ground, const char *path, bool write, bool wide)
{
	const char *below = NULL;

	if (strcmp(path, "/") == 0)
		return "it is everything";
	for (size_t i = 0; i < ZS_COUNT(ground->homes); i++) {
		const char *home = ground->homes[i];

		if (!home)
			continue;
		if (zs_path_lies_in(home, path))
			return "it is the whole home folder";
		if (zs_path_lies_in(path, home))
			below = path + strlen(home) + 1;
	}
	if (write && zs_obeyed_anywhere(path))
		return "git, a shell or an agent obeys it";
	if ((write || wide) && zs_path_lies_in(ground->workspace, path))
		return "it holds the workspace";
	return below ? refuse_in_home(below, write, wide) : refuse_outside(path, write, wide);
}

const char *zs_learn_refusal(const struct zs_learn_ground *ground, const char *path, bool write, bool wide)
{
	ZS_AUTO_FREE char *real = NULL;
	const char *reason;

	if (*path != '/' || zs_path_would_be(path, &real) < 0)
		return "its place is unknown";
	reason = zs_denials_secret(ground->denials, path);
	if (!reason)
		reason = zs_denials_secret(ground->denials, real);
	if (!reason)
		reason = refuse_text(ground, path, write, wide);
	return reason ? reason : refuse_text(ground, real, write, wide);
}

char *zs_learn_folder(const struct zs_learn_ground *ground, const char *path, bool write)
{
	char *folder = strdup(path), *slash = folder ? strrchr(folder, '/') : NULL;
	struct stat st;

	if (!slash || slash == folder || (stat(path, &st) == 0 && S_ISDIR(st.st_mode)))
		return folder;
	*slash = '\0';
	if (zs_learn_refusal(ground, folder, write, true))
		*slash = '/';
	return folder;
}

char *zs_learn_common(const struct zs_learn_ground *ground, const char *one, const char *other, bool write)
{
	size_t common = 0;
	char *folder;

	for (size_t i = 0;; i++) {
		if ((!one[i] || one[i] == '/') && (!other[i] || other[i] == '/'))
			common = i;
		if (!one[i] || one[i] != other[i])
			break;
	}
	folder = common ? strndup(one, common) : NULL;
	if (folder && zs_learn_refusal(ground, folder, write, true)) {
		free(folder);
		return NULL;
	}
	return folder;
}
