#include "git/git_obeyed.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "git/git_command.h"
#include "git/git_config.h"
#include "git/git_orders.h"
#include "base/path.h"

static const char step[] = "git";

/* man 5 gitrepository-layout. The hooks come first. "commondir" names the folder with the rest of them, in any
 * repository that has it. */
const char *const zs_git_obeyed_names[] = { "hooks", "config", "config.worktree", "info/attributes", "commondir",
	NULL };

/* The names in a linked worktree's own part of a repository. */
static const char *const linked[] = { "config.worktree", "commondir", "gitdir", NULL };

/* man 5 githooks */
static const char *const hooks[] = { "applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit",
	"pre-merge-commit", "prepare-commit-msg", "commit-msg", "post-commit", "pre-rebase", "post-checkout",
	"post-merge", "pre-push", "pre-receive", "update", "proc-receive", "post-receive", "post-update",
	"reference-transaction", "push-to-checkout", "pre-auto-gc", "post-rewrite", "sendemail-validate",
	"fsmonitor-watchman", "p4-changelist", "p4-prepare-changelist", "p4-post-changelist", "p4-pre-submit",
	"post-index-change", NULL };

enum { BASES_MAX = 16 };

struct search {
	const struct zs_git_places *places;
	zs_git_obeyed_each *each;
	void *arg;
	struct zs_error *error;
	const char *work_tree;        /* NULL: there is none */
	const char *bases[BASES_MAX]; /* folders in which git starts programs */
	size_t base_count;
	const char *git_dir;
	size_t reported;
};

static int git_obeyed_fail(const struct search *search, const char *object, int cause)
{
	return zs_error_errno(search->error, step, object, cause);
}

static int git_obeyed_report(struct search *search, const char *path)
{
	if (++search->reported > ZS_GIT_OBEYED_MAX) {
		zs_error_say(search->error, step, search->git_dir, E2BIG,
			"git obeys more than %d files and folders of this repository", ZS_GIT_OBEYED_MAX);
		return zs_error_hint(search->error, -E2BIG, "remove links from its hooks folder");
	}
	return search->each(path, search->arg);
}

/* Any other failure does not say whether something is there. */
static bool git_obeyed_is_absent(int cause)
{
	return cause == ENOENT || cause == ENOTDIR || cause == EACCES || cause == ENAMETOOLONG;
}

/* A walk along a path that goes on where nothing exists, since missing files can be made. path.done is real as far as
 * it exists. */
struct walk {
	struct search *search; /* NULL: nothing is reported */
	struct zs_path_walk path;
	bool missing;
	mode_t mode; /* of path.done; 0: it does not exist */
};

static int report_walked(const struct walk *walk)
{
	return walk->search ? git_obeyed_report(walk->search, walk->path.done) : 0;
}

/* The name does not exist, or its folder is no folder. A file that is made there later can lead elsewhere. */
static int miss(struct walk *walk, int cause)
{
	size_t folder_len = walk->path.folder_len;
	int r = walk->path.rest[strspn(walk->path.rest, "/")] ? report_walked(walk) : 0;

	walk->missing = true;
	if (r == 0 && cause == ENOTDIR && folder_len > 0) {
		walk->path.done[folder_len] = '\0';
		r = report_walked(walk);
		walk->path.done[folder_len] = '/';
	}
	return r;
}

/* Looks at a name. If it is a link, the walk goes on along the target. */
static int look(struct walk *walk)
{
	char target[PATH_MAX];
	struct stat st;
	ssize_t len;
	int r;

	walk->mode = 0;
	if (walk->missing)
		return 0;
	if (lstat(walk->path.done, &st) < 0)
		return git_obeyed_is_absent(errno) ? miss(walk, errno) : -errno;
	walk->mode = st.st_mode;
	if (!S_ISLNK(st.st_mode))
		return 0;
	len = readlink(walk->path.done, target, sizeof target - 1);
	if (len < 0)
		return -errno;
	target[len] = '\0';
	r = report_walked(walk);
	return r == 0 && zs_path_follow(&walk->path, target) < 0 ? -ELOOP : r;
}

/* base: a real path, or "" for a path from the root. 1: no process can ever reach such a path; 0; or a negative
 * errno. */
static int walk_along(struct walk *walk, const char *base, const char *path)
{
	int r = 0, next;

	walk->missing = false;
	walk->mode = S_IFDIR;
	if (zs_path_start(&walk->path, strcmp(base, "/") == 0 ? "" : base, path) < 0)
		return 1;
	while (r == 0 && (next = zs_path_step(&walk->path)) != ZS_PATH_ENDS) {
		if (next < 0)
			return 1;
		if (next == ZS_PATH_GOES_UP)
			walk->mode = walk->missing ? 0 : S_IFDIR;
		else
			r = look(walk);
	}
	return r == -ELOOP ? 1 : r;
}

/* Reports a place, and the links on the way to it. ret_walk->path.done is the place. 1: there can be no such place. */
static int report_place(struct search *search, const char *base, const char *path, struct walk *ret_walk)
{
	int r;

	ret_walk->search = search;
	r = walk_along(ret_walk, base, path);
	if (r < 0)
		return git_obeyed_fail(search, path, -r);
	return r > 0 || !ret_walk->path.done[0] ? 1 : git_obeyed_report(search, ret_walk->path.done);
}

static int report_in(struct search *search, const char *folder, const char *name)
{
	struct walk walk;
	int r = report_place(search, folder, name, &walk);

	return r < 0 ? r : 0;
}

static int report_all(struct search *search, const char *folder, const char *const *names)
{
	int r = 0;

	for (; r == 0 && *names; names++)
		r = report_in(search, folder, *names);
	return r;
}

/* Reports the targets of hooks that are links, often to a script of the work tree. */
static int report_links(struct search *search, const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	int r = 0;

	if (!dir)
		return git_obeyed_is_absent(errno) ? 0 : git_obeyed_fail(search, folder, errno);
	while (r == 0 && (errno = 0, entry = readdir(dir))) {
		if ((entry->d_type == DT_LNK || entry->d_type == DT_UNKNOWN) && entry->d_name[0] != '.')
			r = report_in(search, folder, entry->d_name);
		errno = 0;
	}
	if (r == 0 && errno)
		r = git_obeyed_fail(search, folder, errno);
	closedir(dir);
	return r;
}

static bool holds_work_tree(const struct search *search, const char *folder)
{
	return search->work_tree && zs_path_lies_in(search->work_tree, folder);
}

/* Reports a folder of hooks. A folder that holds the work tree itself is not reported as a whole, but each hook in it
 * is. Husky's folder "_" holds only starters; the hooks that they start lie in the folder above it
 * (typicode.github.io/husky). */
static int report_hooks(const char *base, const char *rest, void *arg)
{
	struct search *search = arg;
	struct walk walk = { .search = NULL };
	char *slash;
	int r = walk_along(&walk, base, rest);

	if (r == 0 && walk.path.done[0] && !holds_work_tree(search, walk.path.done)) {
		r = report_place(search, base, rest, &walk);
		if (r == 0)
			r = report_links(search, walk.path.done);
		slash = strrchr(walk.path.done, '/');
		if (r < 0 || strcmp(slash, "/_") != 0)
			return r < 0 ? r : 0;
		*slash = '\0';
		if (walk.path.done[0] && !holds_work_tree(search, walk.path.done))
			return git_obeyed_report(search, walk.path.done);
	}
	if (r < 0)
		return git_obeyed_fail(search, rest, -r);
	return walk.path.done[0] ? report_all(search, walk.path.done, hooks) : 0;
}

/* A word of a command, and the folders in which the command may start. */
struct command {
	struct search *search;
	const struct zs_git_word *word;
	char *start; /* a folder to which an earlier word changes */
};

static bool has_slash(const struct zs_git_word *word)
{
	return strchr(word->text, '/') || word->text[0] == '~';
}

/* May the word run this place? A name without a slash is looked for in PATH if it is a program; as an argument it can
 * be a script. Git's own arguments are revisions more often than files. A folder cannot be run. */
static bool is_run(const struct zs_git_word *word, const struct walk *walk)
{
	size_t len = strlen(word->text);

	if (word->text[len - 1] == '/' || word->start)
		return false;
	if (has_slash(word))
		return S_ISREG(walk->mode) || (walk->mode == 0 && (word->first || !word->git));
	return S_ISREG(walk->mode) && !word->first && (!word->git || strchr(word->text, '.'));
}

static int report_word(const char *base, const char *rest, void *arg)
{
	struct command *command = arg;
	struct walk walk = { .search = NULL };
	int r = walk_along(&walk, base, rest);

	if (r != 0)
		return r < 0 ? git_obeyed_fail(command->search, rest, -r) : 0;
	if (command->word->start && S_ISDIR(walk.mode) && !walk.missing) {
		free(command->start);
		command->start = strdup(walk.path.done);
		return command->start ? 0 : git_obeyed_fail(command->search, rest, ENOMEM);
	}
	if (!is_run(command->word, &walk))
		return 0;
	r = report_place(command->search, base, rest, &walk);
	return r < 0 ? r : 0;
}

static int git_obeyed_read_word(const struct zs_git_word *word, void *arg)
{
	struct command *command = arg;
	struct search *search = command->search;
	const char *bases[BASES_MAX + 3];
	const char *text = word->text + (word->tail ? strspn(word->text, "/") : 0);
	size_t count = 0;

	/* The text is a URL, or empty. */
	if (strstr(text, "://") || !*text || (!has_slash(word) && word->first))
		return 0;
	for (; count < search->base_count; count++)
		bases[count] = search->bases[count];
	if (command->start)
		bases[count++] = command->start;
	if (word->tail && search->places->home)
		bases[count++] = search->places->home;
	command->word = word;
	return zs_git_expand(search->places, text, bases, count, report_word, command);
}

static int report_command(struct search *search, const char *line, bool git)
{
	struct command command = { .search = search };
	int r;

	if (!strpbrk(line, "/.~ "))
		return 0;
	r = zs_git_words(line, git, git_obeyed_read_word, &command);
	free(command.start);
	if (r == -ENOMEM)
		return git_obeyed_fail(search, search->git_dir, ENOMEM);
	if (r == -EOVERFLOW) {
		zs_error_say(search->error, step, search->git_dir, E2BIG,
			"git's configuration has a command that nests other commands too deep: %.100s", line);
		return zs_error_hint(search->error, -E2BIG, "put it into a script");
	}
	/* Git starts some without a shell, so that blanks belong to the path. */
	if (r == 0 && strchr(line, ' ')) {
		const struct zs_git_word whole = { .text = line, .git = true };

		command.start = NULL;
		r = git_obeyed_read_word(&whole, &command);
	}
	return r;
}

/* Counts the bases that no configuration names: the work tree and the git directory. */
static size_t given_of(const struct search *search)
{
	return search->work_tree ? 2 : 1;
}

static int add_base(const char *base, const char *rest, void *arg)
{
	struct search *search = arg;
	struct walk walk = { .search = NULL };
	char *copy;
	int r = walk_along(&walk, base, rest);

	if (r != 0 || walk.mode == 0)
		return r < 0 ? git_obeyed_fail(search, rest, -r) : 0;
	if (search->base_count == BASES_MAX) {
		zs_error_say(search->error, step, search->git_dir, E2BIG,
			"git's configuration names more than %zu work trees", BASES_MAX - given_of(search));
		return zs_error_hint(search->error, -E2BIG, "remove some core.worktree");
	}
	copy = strdup(walk.path.done);
	if (!copy)
		return git_obeyed_fail(search, rest, ENOMEM);
	search->bases[search->base_count++] = copy;
	return 0;
}

static int report_order(struct search *search, const struct zs_git_order *order)
{
	const char *value = order->value;

	switch (order->how) {
	case ZS_GIT_FILE:
		return report_in(search, "", value);
	case ZS_GIT_HOOKS:
		return zs_git_expand(search->places, value, search->bases, search->base_count, report_hooks, search);
	case ZS_GIT_COMMAND:
		return report_command(search, value + (value[0] == '!'), false);
	case ZS_GIT_ALIAS:
		return report_command(search, value + (value[0] == '!'), value[0] != '!');
	case ZS_GIT_URL:
		value = strstr(value, "::");
		return value ? report_command(search, value + 2, false) : 0;
	case ZS_GIT_NOT:
	case ZS_GIT_INCLUDE:
	case ZS_GIT_WORK_TREE:
	default:
		return 0;
	}
}

/* Finds where git starts programs: at the top of the work tree, and in the git directory when it receives a push. */
static int find_bases(
	struct search *search, const char *git_dir, const char *work_tree, const struct zs_git_orders *own)
{
	int r = 0;

	search->work_tree = work_tree;
	search->base_count = 0;
	if (work_tree)
		search->bases[search->base_count++] = work_tree;
	search->bases[search->base_count++] = git_dir;
	for (size_t i = 0; r == 0 && i < own->count; i++)
		if (own->items[i].how == ZS_GIT_WORK_TREE)
			r = zs_git_expand(search->places, own->items[i].value, &git_dir, 1, add_base, search);
	return r;
}

static void drop_bases(struct search *search, size_t given)
{
	while (search->base_count > given)
		free((char *)search->bases[--search->base_count]);
}

static int report_orders(struct search *search, const char *git_dir, const char *work_tree,
	const struct zs_git_orders *own, const struct zs_git_orders *user)
{
	int r = find_bases(search, git_dir, work_tree, own);

	for (size_t i = 0; r == 0 && i < own->count; i++)
		r = report_order(search, &own->items[i]);
	for (size_t i = 0; r == 0 && i < user->count; i++)
		if (user->items[i].how != ZS_GIT_FILE)
			r = report_order(search, &user->items[i]);
	drop_bases(search, given_of(search));
	return r;
}

/* Reads the first line of a file in a git directory as a real path. NULL: there is none, or *ret_r is a negative
 * errno. */
static char *read_place(const char *git_dir, const char *name, int *ret_r)
{
	ZS_AUTO_FREE char *file = zs_path_join(git_dir, name);
	ZS_AUTO_FREE char *text = NULL;
	struct walk walk = { .search = NULL };
	size_t len;
	char *place;
	int r = file ? zs_git_config_read(file, &text, &len) : -ENOMEM;

	*ret_r = r;
	if (r < 0 || !text[0])
		return NULL;
	text[strcspn(text, "\r\n")] = '\0';
	r = walk_along(&walk, text[0] == '/' ? "" : git_dir, text);
	*ret_r = r < 0 ? r : 0;
	if (r != 0 || !walk.path.done[0])
		return NULL;
	place = strdup(walk.path.done);
	*ret_r = place ? 0 : -ENOMEM;
	return place;
}

static int add_config(struct search *search, struct zs_git_orders *orders, const char *git_dir, const char *name)
{
	ZS_AUTO_FREE char *file = zs_path_join(git_dir, name);

	return file ? zs_git_orders_add_file(orders, file, search->error) : git_obeyed_fail(search, git_dir, ENOMEM);
}

/* Reports the files of a linked worktree: its own configuration, and the shared one as seen from its own folder. */
static int report_linked(
	struct search *search, const char *own_dir, struct zs_git_orders *orders, const struct zs_git_orders *user)
{
	ZS_AUTO_FREE char *tree = NULL;
	size_t count = orders->count;
	char *slash;
	int r = report_all(search, own_dir, linked);

	if (r < 0)
		return r;
	tree = read_place(own_dir, "gitdir", &r);
	slash = tree ? strrchr(tree, '/') : NULL;
	if (slash)
		*slash = '\0';
	if (r < 0)
		return git_obeyed_fail(search, own_dir, -r);
	r = add_config(search, orders, own_dir, "config.worktree");
	if (r == 0)
		r = report_orders(search, own_dir, tree && *tree ? tree : NULL, orders, user);
	zs_git_orders_cut(orders, count);
	return r;
}

static int report_worktrees(
	struct search *search, const char *common, struct zs_git_orders *orders, const struct zs_git_orders *user)
{
	ZS_AUTO_FREE char *worktrees = zs_path_join(common, "worktrees");
	DIR *folder = worktrees ? opendir(worktrees) : NULL;
	struct dirent *entry;
	int r = 0;

	if (!worktrees)
		return git_obeyed_fail(search, common, ENOMEM);
	if (!folder)
		return git_obeyed_is_absent(errno) ? 0 : git_obeyed_fail(search, worktrees, errno);
	while (r == 0 && (errno = 0, entry = readdir(folder))) {
		ZS_AUTO_FREE char *own = NULL;

		if (entry->d_name[0] == '.' || !zs_utf8_valid(entry->d_name))
			continue;
		own = zs_path_join(worktrees, entry->d_name);
		r = own ? report_linked(search, own, orders, user) : git_obeyed_fail(search, worktrees, ENOMEM);
		errno = 0;
	}
	if (r == 0 && errno)
		r = git_obeyed_fail(search, worktrees, errno);
	closedir(folder);
	return r;
}

static int report_repository(struct search *search, const struct zs_git_repository *repository, const char *common,
	struct zs_git_orders *orders, const struct zs_git_orders *user)
{
	bool is_linked = strcmp(common, repository->git_dir) != 0;
	int r = report_hooks(common, zs_git_obeyed_names[0], search);

	if (r == 0)
		r = report_all(search, common, zs_git_obeyed_names + 1);
	if (r == 0 && is_linked)
		r = report_all(search, repository->git_dir, linked);
	if (r == 0)
		r = add_config(search, orders, common, "config");
	if (r == 0 && !is_linked)
		r = report_worktrees(search, common, orders, user);
	if (r == 0)
		r = add_config(search, orders, repository->git_dir, "config.worktree");
	return r < 0 ? r : report_orders(search, repository->git_dir, repository->work_tree, orders, user);
}

int zs_git_obeyed(const struct zs_git_repository *repository, const struct zs_git_orders *user,
	zs_git_obeyed_each *each, void *arg, struct zs_error *error)
{
	struct search search = { .places = user->places, .each = each, .arg = arg, .error = error };
	struct zs_git_orders orders = { .places = user->places };
	ZS_AUTO_FREE char *common = NULL;
	int r;

	search.git_dir = repository->git_dir;
	search.work_tree = repository->work_tree;
	common = read_place(repository->git_dir, "commondir", &r);
	if (r == 0)
		r = report_repository(&search, repository, common ? common : repository->git_dir, &orders, user);
	else
		git_obeyed_fail(&search, repository->git_dir, -r);
	zs_git_orders_cut(&orders, 0);
	free(orders.items);
	return r;
}

int zs_git_obeyed_in_folder(const struct zs_git_orders *user, const char *folder, zs_git_obeyed_each *each, void *arg,
	struct zs_error *error)
{
	struct search search = {
		.places = user->places, .each = each, .arg = arg, .error = error, .git_dir = "git", .work_tree = folder
	};
	int r = 0;

	search.bases[search.base_count++] = folder;
	for (size_t i = 0; r == 0 && i < user->count; i++)
		r = report_order(&search, &user->items[i]);
	return r;
}
