#include "linux/watch/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/folder_reader.h"
#include "base/path.h"
#include "policy/policy.h"
#include "approval/session_place.h"
#include "settings/settings_places.h"
#include "linux/base/mount_calls.h"
#include "linux/base/stage.h"
#include "linux/watch/watched_name.h"
#include "linux/watch/watch.h"

static const char prefix[] = "run-";
static const char done[] = ZS_JOURNAL_MAGIC "\0" ZS_JOURNAL_DONE;

static void journal_complain(const char *object, int cause, const char *what, const char *hint)
{
	struct zs_error error;

	zs_error_say(&error, "journal", object, cause, "%s", what ? what : strerror(cause));
	zs_error_hint(&error, 0, "%s", hint);
	zs_watch_say(&error);
}

/* The folder */

/* The next run believes the journal, so the command must not be able to write it. In the Landlock tier nothing inside a
 * writable folder is protected, so the folder must lie outside of all writable grants. */
static bool is_safe(const struct zs_policy *policy, int folder)
{
	char path[PATH_MAX + sizeof prefix];

	if (zs_fd_path(folder, path) < 0)
		return false;
	if (policy->tier != ZS_TIER_MOUNTS)
		return !zs_policy_can_write(policy, path);
	/* This asks for a name in the folder, so that a grant of the folder itself counts as well. */
	snprintf(path + strlen(path), sizeof prefix + 1, "/%s", prefix);
	return zs_watch_access(policy, path) != ZS_ACCESS_WRITE;
}

/* make: make the folder when it is missing. A folder that variables name is used but never made here, since a host may
 * take the variables from a model; zs_settings_make_journal() makes it. */
static int open_in(const struct zs_policy *policy, const char *path, bool make, int *ret_folder)
{
	ZS_AUTO_FD int folder = -1;
	struct zs_error error;
	int r = path ? zs_session_folder_open(path, make, &folder, &error) : -ENOMEM;

	if (r == 0 && faccessat(folder, ".", W_OK, AT_EACCESS) < 0)
		r = -errno;
	if (r == 0 && !is_safe(policy, folder))
		r = -EPERM;
	if (r == 0)
		*ret_folder = ZS_STEAL_FD(folder);
	return r;
}

static int open_beside_trust(const struct zs_policy *policy, char *const envp[], int *ret_folder)
{
	ZS_AUTO_FD int folder = -1;
	int r = zs_state_folder_open(policy, envp, "journal", false, &folder);

	if (r == 0 && !is_safe(policy, folder))
		r = -EPERM;
	if (r == 0)
		*ret_folder = ZS_STEAL_FD(folder);
	return r;
}

/* The folders for approvals of a session are used where the user has no writable home. */
static int open_beside_approvals(const struct zs_policy *policy, char *const envp[], int *ret_folder)
{
	char *paths[ZS_SESSION_FOLDERS];
	int r = zs_session_folders(envp, paths), found = -ENOENT;
	const char *tmp = zs_env_value(envp, "TMPDIR");

	for (size_t i = 0; r == 0 && i < ZS_SESSION_FOLDERS; i++) {
		bool named = i == 0 || (tmp && *tmp);

		if (found < 0 && paths[i] && !(policy->workspace && zs_way_touches(paths[i], policy->workspace)))
			found = open_in(policy, paths[i], !named, ret_folder);
		free(paths[i]);
	}
	return r < 0 ? r : found;
}

/* Dead runs */

static int read_all(int file, char **ret_text, size_t *ret_len)
{
	ZS_AUTO_FREE char *text = NULL;
	struct stat st;

	if (fstat(file, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_uid != geteuid() || st.st_size > ZS_JOURNAL_BYTES_MAX)
		return -EBADMSG;
	text = malloc((size_t)st.st_size + 1);
	if (!text)
		return -ENOMEM;
	if (pread(file, text, (size_t)st.st_size, 0) != (ssize_t)st.st_size)
		return errno ? -errno : -EIO;
	*ret_len = (size_t)st.st_size;
	*ret_text = ZS_STEAL(text);
	return 0;
}

/* Deals with the journal of a dead run, whose lock this process holds. */
static void recover(int folder, const char *name, int file)
{
	ZS_AUTO_FREE char *text = NULL;
	size_t len;
	int r = read_all(file, &text, &len);

	if (r == 0)
		r = zs_last_look(text, len, false);
	if (r == 0)
		unlinkat(folder, name, 0);
	else if (r == -EBUSY)
		journal_complain(name, EBUSY, "its run was killed, and some of its processes are left",
			"the next run in this workspace checks the files that they leave");
	else if (r != -EPERM)
		journal_complain(name, -r, r == -EBADMSG ? "is not a journal of this version of zs" : NULL,
			"look for a new .git, .mcp.json or .claude in this workspace, and remove the file from "
			"$XDG_STATE_HOME/zs/journal");
}

/* A journal has this prefix until it is locked and complete, and no run looks at it. A start that was killed before
 * that has started no command; its file is removed when it is older than any start takes. */
static const char unfinished[] = "new-";
enum { UNFINISHED_SECONDS = 60 };

static void sweep(int folder, const char *name)
{
	struct timespec now;
	struct stat st;

	if (clock_gettime(CLOCK_REALTIME, &now) == 0 && fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		S_ISREG(st.st_mode) && now.tv_sec - st.st_mtim.tv_sec > UNFINISHED_SECONDS) {
		ZS_AUTO_FD int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

		if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0)
			unlinkat(folder, name, 0);
	}
}

/* Deals with the dead runs of this workspace, whose journals have its identity (own) in their names. Those of other
 * workspaces are found when a run starts there. */
static int recover_own(int folder, const char *name, unsigned char type, void *own)
{
	ZS_AUTO_FD int file = -1;

	(void)type;
	if (strncmp(name, unfinished, strlen(unfinished)) == 0)
		sweep(folder, name);
	if (strncmp(name, own, strlen(own)) == 0)
		file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0)
		recover(folder, name, file);
	return 0;
}

/* This run */

static const char *fresh(const struct zs_journal *journal, char name[NAME_MAX + 1])
{
	snprintf(name, NAME_MAX + 1, "%s%s", unfinished, journal->name);
	return name;
}

static int make_file(struct zs_journal *journal, const char *own)
{
	char name[NAME_MAX + 1];
	uint64_t number;
	ZS_AUTO_FD int file = -1;
	int r = zs_boot_id(journal->boot, sizeof journal->boot);

	if (r == 0 && getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
		r = -EIO;
	if (r < 0)
		return r;
	snprintf(journal->name, sizeof journal->name, "%s%016llx", own, (unsigned long long)number);
	file = openat(journal->folder, fresh(journal, name), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		S_IRUSR | S_IWUSR);
	if (file < 0)
		return -errno;
	if (flock(file, LOCK_EX | LOCK_NB) < 0) {
		r = -errno;
		unlinkat(journal->folder, name, 0);
		return r;
	}
	journal->file = ZS_STEAL_FD(file);
	return 0;
}

static bool may_miss_names(const struct zs_policy *policy)
{
	for (size_t i = 0; policy->tier == ZS_TIER_MOUNTS && i < policy->grant_count; i++)
		if (policy->grants[i].access == ZS_ACCESS_PROTECT &&
			zs_watch_access(policy, policy->grants[i].path) == ZS_ACCESS_WRITE)
			return true;
	return false;
}

static void close_folder(struct zs_journal *journal)
{
	if (journal->folder >= 0)
		close(journal->folder);
	journal->folder = -1;
}

/* Failures that come from the state of the user's folders: the run goes on without a file. All others refuse the run.
 */
static bool is_of_folders(int r)
{
	static const int causes[] = { EPERM, EACCES, EROFS, ENOENT, ENOTDIR, EEXIST, ELOOP, ENOSPC, EDQUOT };

	for (size_t i = 0; i < ZS_COUNT(causes); i++)
		if (r == -causes[i])
			return true;
	return false;
}

static int journal_open_folder(const struct zs_policy *policy, char *const envp[], int *ret_folder)
{
	int r = open_beside_trust(policy, envp, ret_folder);

	return is_of_folders(r) ? open_beside_approvals(policy, envp, ret_folder) : r;
}

static int begin(const struct zs_policy *policy, char *const envp[], bool own_too, struct zs_journal *journal)
{
	char id[ZS_FOLDER_ID_SIZE] = "", own[sizeof prefix + ZS_FOLDER_ID_SIZE];
	int r = journal_open_folder(policy, envp, &journal->folder);

	if (r == 0 && policy->workspace)
		r = zs_folder_id(AT_FDCWD, policy->workspace, id);
	/* A workspace that does not exist is refused later, by the stage that mounts it. */
	if (*id == '\0' && (r == -ENOENT || r == -ENOTDIR) && journal->folder >= 0)
		r = 0;
	snprintf(own, sizeof own, "%s%.40s-", prefix, id);
	if (r == 0)
		r = zs_folder_list(journal->folder, recover_own, own);
	return r < 0 || !own_too ? r : make_file(journal, own);
}

/* Looks at the names that dead runs in this workspace have left, and opens a journal for this run if it watches names.
 * When the user has no folder for it, this prints a warning, and the journal is memory that only the supervisor can
 * use. */
int zs_stage_journal(struct zs_run *run, struct zs_error *error)
{
	struct zs_journal *journal = run->journal;
	bool misses = may_miss_names(run->policy);
	int r = begin(run->policy, run->envp, misses, journal);

	if (is_of_folders(r)) {
		journal_complain("", -r, NULL,
			"zs cannot check which files killed runs have left, or this one if it is killed; let "
			"XDG_STATE_HOME name a folder of yours");
		close_folder(journal);
		journal->file = misses ? memfd_create("zs-journal", MFD_CLOEXEC) : -1;
		r = misses && journal->file < 0 ? -errno : 0;
	}
	if (r < 0 || !misses)
		close_folder(journal);
	return r < 0 ? zs_error_errno(error, "", "", -r) : 0;
}

void zs_journal_join(struct zs_journal *journal)
{
	char pid[32];

	if (journal->file >= 0 && zs_watched_target(AT_FDCWD, "/proc/self", pid) == 0)
		journal->watch = (pid_t)strtol(pid, NULL, 10);
}

/* The time since the machine's start, in clock ticks as in man 5 proc_pid_stat, field 22; rounded up. */
static unsigned long long ticks_now(void)
{
	struct timespec up = { 0 };
	unsigned long long second = (unsigned long long)sysconf(_SC_CLK_TCK);

	clock_gettime(CLOCK_BOOTTIME, &up);
	return (unsigned long long)up.tv_sec * second + (unsigned long long)up.tv_nsec * second / 1000000000 + 1;
}

struct text {
	char *bytes; /* ZS_JOURNAL_BYTES_MAX */
	size_t len;
	bool full;
};

static void put(struct text *text, const char *word)
{
	size_t size = strlen(word) + 1;

	text->full = text->full || size > ZS_JOURNAL_BYTES_MAX - text->len;
	if (text->full)
		return;
	memcpy(text->bytes + text->len, word, size);
	text->len += size;
}

static int put_tree(struct text *text, const char *path, size_t len)
{
	char id[ZS_FOLDER_ID_SIZE], tree[PATH_MAX];
	int r;

	snprintf(tree, sizeof tree, "%.*s", len ? (int)len : 1, path);
	r = zs_folder_id(AT_FDCWD, tree, id);
	if (r < 0)
		return r;
	put(text, "tree");
	put(text, tree);
	put(text, id);
	return 0;
}

static int put_all(struct text *text, const struct zs_journal *journal, const struct zs_policy *policy,
	const struct zs_watch *watch, bool overlaid)
{
	const char *tree = NULL;
	size_t tree_len = 0;
	char number[32];

	put(text, ZS_JOURNAL_MAGIC);
	put(text, journal->boot);
	snprintf(number, sizeof number, "%ld", (long)journal->watch);
	put(text, number);
	snprintf(number, sizeof number, "%llu", ticks_now());
	put(text, number);
	for (size_t i = 0; i < watch->count; i++) {
		const struct zs_watched_name *name = &watch->names[i];
		size_t len;
		int r = 0;

		if ((name->what != ZS_WATCHED_ABSENT && name->what != ZS_WATCHED_LINK) ||
			(overlaid && zs_path_lies_in(name->path, policy->workspace)))
			continue;
		len = zs_watch_tree(policy, name->path);
		if (!tree || len != tree_len || memcmp(tree, name->path, len) != 0)
			r = put_tree(text, name->path, len);
		if (r < 0)
			return r;
		tree = name->path;
		tree_len = len;
		put(text, name->target ? "link" : "absent");
		put(text, name->path + len + (name->path[len] == '/'));
		if (name->target)
			put(text, name->target);
	}
	put(text, "end");
	return text->full ? -E2BIG : 0;
}

static int write_text(struct zs_journal *journal, const char *bytes, size_t len)
{
	char name[NAME_MAX + 1];

	if (pwrite(journal->file, bytes, len, 0) != (ssize_t)len)
		return errno ? -errno : -EIO;
	if (journal->folder < 0)
		return 0;
	return renameat(journal->folder, fresh(journal, name), journal->folder, journal->name) < 0 ? -errno : 0;
}

int zs_journal_write(
	struct zs_journal *journal, const struct zs_policy *policy, const struct zs_watch *watch, bool overlaid)
{
	struct text text = { 0 };
	int r = -ENOMEM;

	if (journal->file < 0)
		return 0;
	text.bytes = malloc(ZS_JOURNAL_BYTES_MAX);
	if (text.bytes)
		r = put_all(&text, journal, policy, watch, overlaid);
	if (r == 0)
		r = write_text(journal, text.bytes, text.len);
	free(text.bytes);
	close_folder(journal);
	if (r != -E2BIG && !is_of_folders(r))
		return r;
	journal_complain("", -r, r == -E2BIG ? "there is no room for every protected name" : NULL,
		"if zs is killed during this run, no later run checks the files that this one leaves");
	return 0;
}

int zs_journal_look(const struct zs_journal *journal)
{
	ZS_AUTO_FREE char *text = NULL;
	size_t len;
	int r = journal->file < 0 ? 0 : read_all(journal->file, &text, &len);

	/* An empty journal: the command was never started. */
	return r < 0 || !text || len == 0 ? r : zs_last_look(text, len, true);
}

void zs_journal_end(struct zs_journal *journal)
{
	char name[NAME_MAX + 1];

	if (journal->folder >= 0) {
		unlinkat(journal->folder, fresh(journal, name), 0);
		unlinkat(journal->folder, journal->name, 0);
	}
	close_folder(journal);
	if (journal->file >= 0)
		close(journal->file);
	journal->file = -1;
}

bool zs_journal_is_due(const struct zs_journal *journal)
{
	struct stat st;

	return journal->file >= 0 && (fstat(journal->file, &st) < 0 || st.st_size > (off_t)sizeof done);
}

void zs_journal_settle(struct zs_journal *journal)
{
	if (zs_journal_is_due(journal) && zs_journal_look(journal) == 0 &&
		pwrite(journal->file, done, sizeof done, 0) == (ssize_t)sizeof done &&
		ftruncate(journal->file, sizeof done) == 0)
		zs_journal_end(journal);
}
