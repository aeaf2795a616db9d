#include "git/git_orders.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "git/git_config.h"
#include "base/path.h"

static const char step[] = "git";

/* From man 1 git-config and the manuals of git's commands, of git-lfs and of git-svn. "*" is any name, and "*x" any
 * name that ends in x: git names new keys as it has named the present ones. The first row that matches counts. */
static const struct row {
	char section[16], key[24];
	enum zs_git_how how;
} rows[] = {
	{ "include", "path", ZS_GIT_INCLUDE },
	{ "includeif", "path", ZS_GIT_INCLUDE },
	{ "core", "worktree", ZS_GIT_WORK_TREE },
	{ "core", "hookspath", ZS_GIT_HOOKS },
	{ "init", "templatedir", ZS_GIT_HOOKS }, /* git init and git clone copy hooks from there */
	{ "alias", "*", ZS_GIT_ALIAS },
	{ "core", "fsmonitor", ZS_GIT_COMMAND },
	{ "core", "sshcommand", ZS_GIT_COMMAND },
	{ "core", "editor", ZS_GIT_COMMAND },
	{ "core", "pager", ZS_GIT_COMMAND },
	{ "core", "askpass", ZS_GIT_COMMAND },
	{ "core", "gitproxy", ZS_GIT_COMMAND },
	{ "core", "alternaterefscommand", ZS_GIT_COMMAND },
	{ "sequence", "editor", ZS_GIT_COMMAND },
	{ "pager", "*", ZS_GIT_COMMAND },
	{ "interactive", "difffilter", ZS_GIT_COMMAND },
	{ "diff", "external", ZS_GIT_COMMAND },
	{ "diff", "command", ZS_GIT_COMMAND },
	{ "diff", "textconv", ZS_GIT_COMMAND },
	{ "difftool", "cmd", ZS_GIT_COMMAND },
	{ "difftool", "path", ZS_GIT_COMMAND },
	{ "merge", "driver", ZS_GIT_COMMAND },
	{ "mergetool", "cmd", ZS_GIT_COMMAND },
	{ "mergetool", "path", ZS_GIT_COMMAND },
	{ "filter", "clean", ZS_GIT_COMMAND },
	{ "filter", "smudge", ZS_GIT_COMMAND },
	{ "filter", "process", ZS_GIT_COMMAND },
	{ "lfs", "clean", ZS_GIT_COMMAND },
	{ "lfs", "smudge", ZS_GIT_COMMAND },
	{ "lfs", "path", ZS_GIT_COMMAND },
	{ "credential", "helper", ZS_GIT_COMMAND },
	{ "gpg", "program", ZS_GIT_COMMAND },
	{ "gpg", "defaultkeycommand", ZS_GIT_COMMAND },
	{ "hook", "command", ZS_GIT_COMMAND },
	{ "trailer", "command", ZS_GIT_COMMAND },
	{ "trailer", "cmd", ZS_GIT_COMMAND },
	{ "tar", "command", ZS_GIT_COMMAND },
	{ "gc", "recentobjectshook", ZS_GIT_COMMAND },
	{ "uploadpack", "packobjectshook", ZS_GIT_COMMAND },
	{ "remote", "uploadpack", ZS_GIT_COMMAND },
	{ "remote", "receivepack", ZS_GIT_COMMAND },
	{ "remote", "vcs", ZS_GIT_COMMAND },
	{ "submodule", "update", ZS_GIT_COMMAND },
	{ "sendemail", "*", ZS_GIT_COMMAND }, /* sendmailCmd, smtpServer, toCmd, ccCmd, headerCmd */
	{ "imap", "tunnel", ZS_GIT_COMMAND },
	{ "instaweb", "*", ZS_GIT_COMMAND },
	{ "web", "browser", ZS_GIT_COMMAND },
	{ "help", "browser", ZS_GIT_COMMAND },
	{ "browser", "cmd", ZS_GIT_COMMAND },
	{ "browser", "path", ZS_GIT_COMMAND },
	{ "man", "cmd", ZS_GIT_COMMAND },
	{ "man", "path", ZS_GIT_COMMAND },
	{ "guitool", "cmd", ZS_GIT_COMMAND },
	{ "svn", "authorsprog", ZS_GIT_COMMAND },
	{ "remote", "url", ZS_GIT_URL },
	{ "remote", "pushurl", ZS_GIT_URL },
	{ "remote", "pushdefault", ZS_GIT_URL },
	{ "branch", "remote", ZS_GIT_URL },
	{ "branch", "pushremote", ZS_GIT_URL },
	{ "submodule", "url", ZS_GIT_URL },
	{ "url", "insteadof", ZS_GIT_URL }, /* the subsection is the URL */
	{ "url", "pushinsteadof", ZS_GIT_URL },
	{ "*", "*cmd", ZS_GIT_COMMAND },
	{ "*", "*command", ZS_GIT_COMMAND },
	{ "*", "*hook", ZS_GIT_COMMAND },
	{ "*", "*program", ZS_GIT_COMMAND },
	{ "*", "*prog", ZS_GIT_COMMAND },
	{ "*", "*editor", ZS_GIT_COMMAND },
	{ "*", "*pager", ZS_GIT_COMMAND },
	{ "*", "*helper", ZS_GIT_COMMAND },
	{ "*", "*driver", ZS_GIT_COMMAND },
	{ "*", "*textconv", ZS_GIT_COMMAND },
};

static bool git_orders_fits(const char *pattern, const char *name)
{
	size_t len = strlen(name), tail;

	if (pattern[0] != '*')
		return strcmp(pattern, name) == 0;
	tail = strlen(pattern + 1);
	return len >= tail && strcmp(name + len - tail, pattern + 1) == 0;
}

/* A subsection makes no difference here, although it does in git. */
enum zs_git_how zs_git_how(const char *section, const char *key)
{
	for (size_t i = 0; i < ZS_COUNT(rows); i++)
		if (git_orders_fits(rows[i].section, section) && git_orders_fits(rows[i].key, key))
			return rows[i].how;
	return ZS_GIT_NOT;
}

static int git_orders_fail(struct zs_error *error, const char *object, int cause)
{
	return zs_error_errno(error, step, object, cause);
}

int zs_git_orders_add(struct zs_git_orders *orders, enum zs_git_how how, const char *value, struct zs_error *error)
{
	struct zs_git_order *items;

	if (orders->count >= ZS_GIT_ORDERS_MAX) {
		zs_error_say(error, step, value, E2BIG, "git's configuration names more than %d programs and files",
			ZS_GIT_ORDERS_MAX);
		return zs_error_hint(error, -E2BIG, "remove some of them");
	}
	items = zs_with_room(orders->items, orders->count, sizeof *items);
	if (!items)
		return git_orders_fail(error, value, ENOMEM);
	orders->items = items;
	items[orders->count] = (struct zs_git_order){ how, strdup(value) };
	return items[orders->count++].value ? 0 : git_orders_fail(error, value, ENOMEM);
}

void zs_git_orders_cut(struct zs_git_orders *orders, size_t count)
{
	while (orders->count > count)
		free(orders->items[--orders->count].value);
}

/* Finds the home that "~user" names; 0 with *ret_home NULL: there is no such user. */
static int find_home(const char *name, size_t len, char **ret_home)
{
	enum { ROOM = 64 * 1024 };
	ZS_AUTO_FREE char *copy = strndup(name, len);
	ZS_AUTO_FREE char *room = malloc(ROOM);
	struct passwd entry, *found = NULL;

	if (!copy || !room)
		return -ENOMEM;
	if (getpwnam_r(copy, &entry, room, ROOM, &found) != 0 || !found)
		return 0;
	*ret_home = strdup(found->pw_dir);
	return *ret_home ? 1 : -ENOMEM;
}

/* Git is built with one of these as its prefix, and reads the system's configuration there. */
const char *const zs_git_prefixes[ZS_GIT_PREFIXES] = { "/usr", "/usr/local", "/opt/homebrew", "/opt/local",
	"/Library/Developer/CommandLineTools/usr", "/Applications/Xcode.app/Contents/Developer/usr" };

static int expand_tilde(const struct zs_git_places *places, const char *value,
	int (*each)(const char *base, const char *rest, void *arg), void *arg)
{
	size_t len = strcspn(value + 1, "/");
	const char *rest = value + 1 + len;
	ZS_AUTO_FREE char *home = NULL;
	int r;

	if (len > 0) {
		r = find_home(value + 1, len, &home);
		return r > 0 ? each(home, rest, arg) : r;
	}
	r = places->home ? each(places->home, rest, arg) : 0;
	if (r == 0 && places->account_home && (!places->home || strcmp(places->home, places->account_home) != 0))
		r = each(places->account_home, rest, arg);
	return r;
}

int zs_git_expand(const struct zs_git_places *places, const char *value, const char *const bases[], size_t count,
	int (*each)(const char *base, const char *rest, void *arg), void *arg)
{
	static const char optional[] = ":(optional)", prefix[] = "%(prefix)/";
	int r = 0;

	if (strncmp(value, optional, strlen(optional)) == 0)
		r = zs_git_expand(places, value + strlen(optional), bases, count, each, arg);
	if (r < 0)
		return r;
	if (strncmp(value, prefix, strlen(prefix)) == 0) {
		for (size_t i = 0; r == 0 && i < ZS_GIT_PREFIXES; i++)
			r = each(zs_git_prefixes[i], value + strlen(prefix), arg);
		return r;
	}
	if (value[0] == '~')
		return expand_tilde(places, value, each, arg);
	if (value[0] == '/')
		return each("", value, arg);
	for (size_t i = 0; r == 0 && *value && i < count; i++)
		r = each(bases[i], value, arg);
	return r;
}

/* A file that is being read. */
struct source {
	struct zs_git_orders *orders;
	const char *file;
	unsigned depth;
	struct zs_error *error;
};

static int read_file(struct zs_git_orders *orders, const char *file, unsigned depth, struct zs_error *error);

static int include(const char *base, const char *rest, void *arg)
{
	const struct source *source = arg;
	ZS_AUTO_FREE char *path = zs_path_join(base, rest);

	if (!path)
		return git_orders_fail(source->error, rest, ENOMEM);
	return read_file(source->orders, path, source->depth + 1, source->error);
}

/* Git obeys nothing in a repository whose configuration it cannot read. zs cannot know the orders of such a file
 * either, so this is an error. */
static int git_orders_refuse(const struct source *source, unsigned line, const char *problem)
{
	zs_error_say(source->error, step, source->file, EBADMSG, "line %u: %s", line, problem);
	return zs_error_hint(source->error, -EBADMSG,
		"mend the line, or remove the file; 'git config --list --file FILE' also refuses it");
}

static int add_path(
	const struct source *source, const struct zs_git_entry *entry, enum zs_git_how how, const char *value)
{
	ZS_AUTO_FREE char *folder = strdup(source->file);
	ZS_AUTO_FREE char *home = NULL;
	const char *bases[] = { folder };
	char *slash = folder ? strrchr(folder, '/') : NULL;
	size_t len = strcspn(value, "/");
	int r;

	if (!folder)
		return git_orders_fail(source->error, source->file, ENOMEM);
	if (value[0] == '~' && len > 1) {
		r = find_home(value + 1, len - 1, &home);
		if (r <= 0)
			return r < 0 ? git_orders_fail(source->error, value, -r)
				     : git_orders_refuse(source, entry->line,
					       "names the home folder of a user who does not exist");
	}
	if (how != ZS_GIT_INCLUDE)
		return zs_git_orders_add(source->orders, how, value, source->error);
	if (slash)
		*slash = '\0';
	r = zs_git_expand(source->orders->places, value, bases, 1, include, (void *)source);
	return r == -ENOMEM ? git_orders_fail(source->error, value, ENOMEM) : r;
}

static int add_value(const struct source *source, const struct zs_git_entry *entry, const char *value)
{
	enum zs_git_how how = zs_git_how(entry->section, entry->key);

	if (how == ZS_GIT_URL && strcmp(entry->section, "url") == 0)
		value = entry->subsection ? entry->subsection : "";
	if (how == ZS_GIT_NOT)
		return 0;
	return how == ZS_GIT_INCLUDE || how == ZS_GIT_HOOKS || how == ZS_GIT_WORK_TREE
		       ? add_path(source, entry, how, value)
		       : zs_git_orders_add(source->orders, how, value, source->error);
}

static int add_entry(const struct zs_git_entry *entry, void *arg)
{
	const struct source *source = arg;
	int r;

	if (!entry->value)
		return 0;
	r = add_value(source, entry, entry->value);
	return r == 0 && strcmp(entry->value, entry->older) != 0 ? add_value(source, entry, entry->older) : r;
}

static int read_file(struct zs_git_orders *orders, const char *file, unsigned depth, struct zs_error *error)
{
	struct source source = { orders, file, depth, error };
	ZS_AUTO_FREE char *text = NULL;
	unsigned line = 0;
	size_t len = 0;
	int r;

	if (depth > ZS_GIT_INCLUDE_DEPTH_MAX || ++orders->files > ZS_GIT_FILES_MAX) {
		zs_error_say(error, step, file, E2BIG, "git's configuration includes %s",
			depth > ZS_GIT_INCLUDE_DEPTH_MAX ? "files that include each other more than 10 deep"
							 : "too many files");
		return zs_error_hint(error, -E2BIG, "remove the include.path that names it");
	}
	r = depth > 0 ? zs_git_orders_add(orders, ZS_GIT_FILE, file, error) : 0;
	if (r < 0)
		return r;
	r = zs_git_config_read(file, &text, &len);
	if (r < 0)
		return git_orders_fail(error, file, -r);
	r = zs_git_config_each(text, len, add_entry, &source, &line);
	if (r == -EBADMSG && line > 0)
		return git_orders_refuse(&source, line, "git cannot read this line");
	return r == -ENOMEM ? git_orders_fail(error, file, ENOMEM) : r;
}

int zs_git_orders_add_entry(struct zs_git_orders *orders, const struct zs_git_entry *entry, struct zs_error *error)
{
	/* Git refuses a relative include that is in no file. */
	struct source source = { orders, "/", 0, error };

	return add_entry(entry, &source);
}

int zs_git_orders_add_file(struct zs_git_orders *orders, const char *file, struct zs_error *error)
{
	return read_file(orders, file, 0, error);
}

void zs_git_orders_free(struct zs_git_orders *orders)
{
	if (!orders)
		return;
	zs_git_orders_cut(orders, 0);
	free(orders->items);
	free(orders);
}
