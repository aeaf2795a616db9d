/* Finds the files of the workspace that patterns match. The walk follows no link: a command could make one that leads
 * anywhere. A folder that matches is taken as a whole, with what appears in it later. */
#include "policy/policy.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/folder_reader.h"
#include "base/path.h"
#include "base/pattern.h"
#include "base/read_file.h"
#include "git/git_index.h"
#include "policy/preset.h"

static const char step[] = "pattern";

struct walk {
	const struct zs_policy *policy;
	struct zs_policy *resolved;
	const char **texts; /* of the policy's patterns, relative to the workspace */
	char **folders;     /* those that were found, the workspace first */
	size_t count, at;
	const char **tracked; /* the files in git's index whose names are those of secrets, sorted */
	size_t tracked_count;
	bool only_secrets; /* there is no other pattern */
	size_t secrets;
	char names[384]; /* of the first secrets */
	struct zs_error *error;
};

static int by_text(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static int fail_at(const struct walk *walk, const char *path, int cause)
{
	return zs_error_errno(walk->error, step, path, cause);
}

static int say_too_many(const struct walk *walk, const struct zs_pattern *pattern, const char *path)
{
	zs_error_say(walk->error, step, pattern->text, E2BIG, "matches more than %d files, such as %s",
		ZS_POLICY_MATCHES_MAX, path);
	return zs_error_hint(walk->error, -E2BIG,
		zs_is_secrets(pattern->text) ? "show these files (--secrets show), or hide the folder that holds them"
					     : "name the folder that holds them, or narrow the pattern: DIR/*.pem");
}

static int add_match(struct walk *walk, const struct zs_pattern *pattern, const char *path)
{
	struct zs_policy *resolved = walk->resolved;
	size_t count = resolved->grant_count;
	int r;

	resolved->matches++;
	r = zs_policy_add_grant(resolved, path, pattern->access, ZS_ORIGIN_SPELLED, false, walk->error);
	if (resolved->grant_count == count)
		resolved->matches--;
	if (resolved->matches > ZS_POLICY_MATCHES_MAX)
		return say_too_many(walk, pattern, path);
	if (r < 0)
		return zs_error_hint(
			walk->error, r, "the pattern %s matches it; rename or remove the file", pattern->text);
	if (pattern->firm)
		zs_policy_make_firm(resolved, path, pattern->access);
	return 0;
}

/* A link is a name for another file. If that lies in the workspace, it is meant as well. A folder is not: a command
 * could make a link to any. */
static int add_link_match(struct walk *walk, const struct zs_pattern *pattern, const char *path)
{
	ZS_AUTO_FREE char *real = realpath(path, NULL);
	struct stat st;

	if (!real || !zs_path_lies_in(real, walk->folders[0]) || lstat(real, &st) < 0 || S_ISDIR(st.st_mode))
		return 0;
	return add_match(walk, pattern, real);
}

/* Secrets */

static bool matches_any(const char *const *patterns, const char *path)
{
	while (*patterns && !zs_pattern_matches(*patterns, path))
		patterns++;
	return *patterns;
}

static bool lies_in_any(const char *const *folders, const char *path)
{
	for (; *folders; folders++)
		for (const char *at = path; (at = strstr(at, *folders)); at++)
			if ((at == path || at[-1] == '/') && at[strlen(*folders)] == '/')
				return true;
	return false;
}

/* A file that cannot be read may hold anything. */
static bool holds_word(int folder, const char *name, const char *words)
{
	enum { START_BYTES = 64 * 1024 };
	ZS_AUTO_FD int fd = openat(folder, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
	ZS_AUTO_FREE char *text = malloc(START_BYTES + 1);
	bool holds = false;
	size_t len = 0;

	if (fd < 0 || !text || zs_read_up_to(fd, START_BYTES, text, &len) < 0)
		return true;
	text[len] = '\0';
	for (size_t size; !holds && *words; words += size + (words[size] != '\0')) {
		size = strcspn(words, " ");
		holds = memmem(text, len, words, size) != NULL;
	}
	return holds;
}

/* git shows the content of a file that it tracks, and fails where it cannot read the file. */
static bool is_tracked(const struct walk *walk, const char *relative)
{
	return walk->tracked && bsearch(&relative, walk->tracked, walk->tracked_count, sizeof *walk->tracked, by_text);
}

/* A grant of the file, or of a folder of the workspace in which it lies, is a wish to show it. */
static bool is_shown(const struct walk *walk, const char *path)
{
	for (size_t i = 0; i < walk->policy->grant_count; i++) {
		const struct zs_grant *grant = &walk->policy->grants[i];

		if (grant->access >= ZS_ACCESS_READ && grant->origin == ZS_ORIGIN_SPELLED &&
			!zs_path_lies_in(walk->folders[0], grant->path) && zs_path_lies_in(path, grant->path))
			return true;
	}
	return false;
}

/* Does "@secrets" leave out what lies in a folder of this name? */
static bool is_secret_folder(const char *name)
{
	const char *const *folder = zs_secret_folders;

	while (*folder && strcmp(*folder, name) != 0)
		folder++;
	return *folder;
}

static bool is_secret(const struct walk *walk, int folder, const char *name, const char *path, const char *relative)
{
	const struct zs_secret_file *file = zs_secret_files;

	while (file->pattern && !zs_pattern_matches(file->pattern, name))
		file++;
	return file->pattern && !matches_any(zs_secret_exceptions, name) && !lies_in_any(zs_secret_folders, relative) &&
	       !is_tracked(walk, relative) && !is_shown(walk, path) &&
	       (!*file->words || holds_word(folder, name, file->words));
}

static void note_secret(struct walk *walk, const char *relative)
{
	size_t names = strlen(walk->names), len = strlen(relative);

	if (walk->secrets++ && names + len + sizeof ", " < sizeof walk->names)
		snprintf(walk->names + names, sizeof walk->names - names, ", %s", relative);
	else if (!names)
		snprintf(walk->names, sizeof walk->names, "%s", relative);
}

static int add_tracked(
	const char *path, const struct zs_git_index_entry *before, const struct zs_git_index_entry *after, void *arg)
{
	struct walk *walk = arg;
	const char *name = strrchr(path, '/'), **tracked;
	const struct zs_secret_file *file = zs_secret_files;

	(void)before;
	(void)after;
	while (file->pattern && !zs_pattern_matches(file->pattern, name ? name + 1 : path))
		file++;
	if (!file->pattern)
		return 0;
	tracked = zs_with_room(walk->tracked, walk->tracked_count, sizeof *tracked);
	if (tracked)
		walk->tracked = tracked;
	if (!tracked || !(tracked[walk->tracked_count] = strdup(path)))
		return -ENOMEM;
	walk->tracked_count++;
	return 0;
}

/* Without an index that can be read, nothing is tracked. */
static void find_tracked(struct walk *walk)
{
	ZS_AUTO_FREE char *dot_git = zs_path_join(walk->folders[0], ".git");
	ZS_AUTO_FREE char *other = NULL;
	bool elsewhere = zs_git_dir(walk->folders[0], &other) == 0;
	ZS_AUTO_FREE char *path = dot_git ? zs_path_join(elsewhere ? other : dot_git, "index") : NULL;
	ZS_AUTO_FD int index = path ? open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;

	if (index >= 0)
		zs_git_index_compare(-1, index, add_tracked, walk);
	if (walk->tracked_count)
		qsort(walk->tracked, walk->tracked_count, sizeof *walk->tracked, by_text);
}

static void tell_secrets(struct walk *walk)
{
	struct zs_error *line = walk->secrets ? calloc(1, sizeof *line) : NULL;

	if (!line)
		return;
	zs_error_say(line, "secrets", walk->names, EACCES, "the command failed, and did not see %s",
		walk->secrets == 1 ? "this file" : "these files");
	zs_error_hint(line, 0,
		"if it needs one, add --ro FILE or --secrets show; in your settings: additional_read_only_paths, "
		"show_secrets");
	walk->resolved->secrets = line;
}

/* Walking */

static int add_folder(struct walk *walk, char *path)
{
	char **folders = zs_with_room(walk->folders, walk->count, sizeof *folders);

	if (folders)
		walk->folders = folders;
	if (folders && walk->count < ZS_POLICY_FOLDERS_MAX) {
		folders[walk->count++] = path;
		return 0;
	}
	free(path);
	if (!folders)
		return fail_at(walk, NULL, ENOMEM);
	zs_error_say(walk->error, step, walk->policy->patterns[0].text, E2BIG,
		"the workspace has more than %d folders to search", ZS_POLICY_FOLDERS_MAX);
	return zs_error_hint(walk->error, -E2BIG,
		walk->only_secrets ? "run in a smaller workspace, or let the run see files such as .env: --secrets show"
				   : "name the files themselves, or run in a smaller workspace");
}

static int visit_name(int folder, const char *name, unsigned char type, void *arg)
{
	struct walk *walk = arg;
	ZS_AUTO_FREE char *path = zs_path_join(walk->folders[walk->at], name);
	const char *relative;
	bool matched = false;
	struct stat st;
	int r = 0;

	if (!path)
		return fail_at(walk, name, ENOMEM);
	if (type == DT_UNKNOWN && fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		type = S_ISDIR(st.st_mode) ? DT_DIR : S_ISLNK(st.st_mode) ? DT_LNK : DT_REG;
	relative = path + strlen(walk->folders[0]) + (walk->folders[0][1] != '\0');
	for (size_t i = 0; r == 0 && i < walk->policy->pattern_count; i++) {
		const struct zs_pattern *pattern = &walk->policy->patterns[i];

		bool secrets = zs_is_secrets(pattern->text);

		if (secrets ? type == DT_DIR || !is_secret(walk, folder, name, path, relative)
			    : !zs_pattern_matches(walk->texts[i], relative))
			continue;
		if (secrets)
			note_secret(walk, relative);
		matched = true;
		r = (type == DT_LNK ? add_link_match : add_match)(walk, pattern, path);
	}
	if (r < 0 || matched || type != DT_DIR || (walk->only_secrets && is_secret_folder(name)))
		return r;
	return add_folder(walk, ZS_STEAL(path));
}

/* A folder of this user's that cannot be listed: a command could open it again, so it is taken as a whole. A command
 * can open no folder of another user. */
static int visit_closed(struct walk *walk, const char *path, int cause)
{
	struct stat st;
	int r = 0;

	if (cause == ENOENT || cause == ENOTDIR || cause == ELOOP)
		return 0;
	if (cause != EACCES || lstat(path, &st) < 0)
		return fail_at(walk, path, cause);
	for (size_t i = 0; r == 0 && st.st_uid == geteuid() && i < walk->policy->pattern_count; i++)
		if (!zs_is_secrets(walk->policy->patterns[i].text))
			r = add_match(walk, &walk->policy->patterns[i], path);
	return r;
}

static int visit_folder(struct walk *walk)
{
	const char *path = walk->folders[walk->at];
	ZS_AUTO_FD int folder = zs_folder_open(path);
	int cause = 0, made = folder < 0 ? folder : zs_has_kernel_files(folder), r = 0;

	/* Nobody keeps a file in /proc or /sys. */
	if (made == 0)
		r = zs_folder_each(folder, visit_name, walk, &cause);
	else if (made < 0)
		cause = -made;
	return r == 0 && cause ? visit_closed(walk, path, cause) : r;
}

/* Finds a pattern's text relative to the workspace; it starts with '/' if it was absolute. */
static int place_pattern(struct walk *walk, const struct zs_pattern *pattern, const char **ret_text)
{
	const char *const roots[] = { walk->resolved->workspace, walk->policy->workspace };

	*ret_text = pattern->text;
	for (size_t i = 0; pattern->text[0] == '/' && i < ZS_COUNT(roots); i++)
		if (zs_path_lies_in(pattern->text, roots[i]) && strcmp(pattern->text, roots[i]) != 0) {
			*ret_text = pattern->text + (roots[i][1] ? strlen(roots[i]) : 0);
			return 0;
		}
	if (pattern->text[0] != '/')
		return 0;
	zs_error_say(walk->error, step, pattern->text, EINVAL, "lies outside of the workspace %s", roots[0]);
	return zs_error_hint(walk->error, -EINVAL, "patterns are for the workspace; elsewhere name files and folders");
}

static int walk_all(struct walk *walk)
{
	char *root;
	int r = 0;

	if (!walk->resolved->workspace)
		return zs_error_say(walk->error, step, walk->policy->patterns[0].text, EINVAL,
			"patterns are for the workspace, and this policy has none");
	walk->texts = calloc(walk->policy->pattern_count, sizeof *walk->texts);
	root = strdup(walk->resolved->workspace);
	if (!walk->texts || !root) {
		free(root);
		return fail_at(walk, NULL, ENOMEM);
	}
	walk->only_secrets = walk->policy->pattern_count == 1 && zs_is_secrets(walk->policy->patterns[0].text);
	r = add_folder(walk, root);
	for (size_t i = 0; r == 0 && i < walk->policy->pattern_count; i++)
		r = place_pattern(walk, &walk->policy->patterns[i], &walk->texts[i]);
	for (size_t i = 0; r == 0 && i < walk->policy->pattern_count; i++)
		if (zs_is_secrets(walk->policy->patterns[i].text))
			find_tracked(walk);
	for (; r == 0 && walk->at < walk->count; walk->at++)
		r = visit_folder(walk);
	tell_secrets(walk);
	return r;
}

int zs_policy_expand(const struct zs_policy *policy, struct zs_policy *resolved, struct zs_error *error)
{
	struct walk walk = { .policy = policy, .resolved = resolved, .error = error };
	int r = policy->pattern_count ? walk_all(&walk) : 0;

	for (size_t i = 0; i < walk.count; i++)
		free(walk.folders[i]);
	for (size_t i = 0; i < walk.tracked_count; i++)
		free((char *)walk.tracked[i]);
	free(walk.tracked);
	free(walk.folders);
	free(walk.texts);
	return r;
}
