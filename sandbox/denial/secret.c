/* Would a grant of a path give a secret away? For callers that propose grants. */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/path.h"
#include "base/pattern.h"
#include "denial/attempt.h"
#include "policy/preset.h"

/* Secrets lie near the top of a tool's folder. Deeper are packages, whose tests have keys of their own. */
enum { DEPTH = 2, LOOKS_MAX = 4096 };

static const char by_name[] = "a file with a secret's name", unread[] = "more files than can be looked at";

static bool matches_any(const char *const *patterns, const char *name)
{
	while (*patterns && !zs_pattern_matches(*patterns, name))
		patterns++;
	return *patterns;
}

/* Has the file one of these words, with spaces between? One that cannot be read may have them. */
static bool holds_word(const char *path, const char *words)
{
	enum { START_BYTES = 64 * 1024 };
	ZS_AUTO_FD int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	ZS_AUTO_FREE char *text = malloc(START_BYTES);
	ssize_t len = fd < 0 || !text ? -1 : read(fd, text, START_BYTES);
	bool holds = len < 0;

	for (size_t size; !holds && *words; words += size + (words[size] != '\0')) {
		size = strcspn(words, " ");
		holds = memmem(text, (size_t)len, words, size) != NULL;
	}
	return holds;
}

static bool is_secret_file(const char *path)
{
	static const char *const names[] = { "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "credentials",
		"credentials.toml", "credentials.xml", ".netrc", ".git-credentials", ".pypirc", ".pgpass", "*.kdbx",
		NULL };
	const char *name = strrchr(path, '/') + 1;
	const struct zs_secret_file *file = zs_secret_files;

	if (matches_any(zs_secret_exceptions, name))
		return false;
	if (matches_any(names, name))
		return true;
	while (file->pattern && !zs_pattern_matches(file->pattern, name))
		file++;
	return file->pattern && (!*file->words || holds_word(path, file->words));
}

/* looks: how many names may still be looked at. */
static const char *find_below(const char *folder, unsigned depth, unsigned *looks)
{
	DIR *entries = opendir(folder);
	const char *found = NULL;
	struct dirent *entry;

	while (entries && !found && (entry = readdir(entries))) {
		char path[PATH_MAX];

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
			(size_t)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= sizeof path)
			continue;
		if ((*looks)-- == 1)
			found = unread;
		else if (entry->d_type != DT_DIR)
			found = is_secret_file(path) ? by_name : NULL;
		else if (depth > 1)
			found = find_below(path, depth - 1, looks);
	}
	if (entries)
		closedir(entries);
	return found;
}

const char *zs_denials_secret(const struct zs_denials *denials, const char *path)
{
	const struct zs_policy *policy = zs_denials_policy(denials);
	const char *risk = zs_denial_risk(policy, path);
	struct stat st;
	unsigned looks = LOOKS_MAX;

	if (risk && zs_denial_risk_is_secret(risk))
		return risk;
	risk = zs_denial_risk_within(policy, path);
	if (risk)
		return risk;
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return find_below(path, DEPTH, &looks);
	return *path == '/' && is_secret_file(path) ? by_name : NULL;
}
