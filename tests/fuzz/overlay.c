/* Programs of file operations through an overlay: the list of changes is what two looks at the tree differ in, and
 * after zs_overlay_apply() the workspace is the tree that the command saw.
 *
 * An input is operations of one, two or three bytes: what to do, and to which of a few paths. Those in front of the
 * first '|' make the workspace, the others are the command's. Any bytes are a program. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "target.h"
#include "zs_overlay.h"

enum {
	PATHS = 16,
	PATH_BYTES = 1024,
	CONTENT_BYTES = 512,
	FILES_MAX = 4096,
	OPERATIONS_MAX = 200,
	NO_NAMESPACES = 77, /* as the other fuzzers end where no jail can be made */
};

static const char *const paths[PATHS] = { "a", "b", "c", "a/a", "a/b", "a/c", "b/a", "b/b", "a/a/a", "a/a/b", "a/b/a",
	"b/a/a", "b/a/b", "b/b/b", "c/a", "a/a/a/a" };

static const mode_t modes[] = { 0644, 0600, 0755, 0700, 0444, 0555, 0, 0111 };

/* The operations. A file operation that fails changes nothing, which is as good. */

static void write_file(int top, const char *path, int flags, uint8_t byte)
{
	int fd = openat(top, path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags, 0644);

	if (fd < 0)
		return;
	if (byte & 1 && ftruncate(fd, byte) < 0)
		zs_target_check(errno == EINVAL, "ftruncate"); /* a fifo */
	if (!(byte & 1) && write(fd, &byte, 1) < 0)
		zs_target_check(errno == EPIPE || errno == ENXIO, "write");
	close(fd);
}

static void remove_all(int top, const char *path)
{
	int fd = openat(top, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);

	for (struct dirent *entry; folder && (entry = readdir(folder));)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			remove_all(fd, entry->d_name);
	if (folder)
		closedir(folder);
	unlinkat(top, path, folder ? AT_REMOVEDIR : 0);
}

static void set_attribute(int top, const char *path, const char *name)
{
	int fd = openat(top, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return;
	fsetxattr(fd, name, "y", 1, 0);
	close(fd);
}

/* false: it is no operation. */
static bool operate(int top, uint8_t what, uint8_t first, uint8_t second)
{
	const char *path = paths[first % PATHS], *other = paths[second % PATHS];

	switch (what) {
	case 'd':
		mkdirat(top, path, 0755);
		break;
	case 'f':
		write_file(top, path, O_CREAT, second);
		break;
	case 'n':
		write_file(top, path, O_CREAT | O_TRUNC, second);
		break;
	case '>':
		write_file(top, path, O_APPEND, second);
		break;
	case 'u':
		unlinkat(top, path, 0);
		break;
	case 'r':
		unlinkat(top, path, AT_REMOVEDIR);
		break;
	case 'R':
		remove_all(top, path);
		break;
	case 'm':
		renameat(top, path, top, other);
		break;
	case 'x':
		syscall(SYS_renameat2, top, path, top, other, RENAME_EXCHANGE);
		break;
	case 'l':
		linkat(top, path, top, other, 0);
		break;
	case 's':
		symlinkat(other, top, path);
		break;
	case 'p':
		mkfifoat(top, path, 0644);
		break;
	case 'c':
		/* AT_SYMLINK_NOFOLLOW: musl and old kernels refuse it, also for files. */
		if (fchmodat(top, path, modes[second % (sizeof modes / sizeof *modes)], AT_SYMLINK_NOFOLLOW) < 0)
			zs_target_check(errno != EINVAL, "fchmodat");
		break;
	case 'e':
		set_attribute(top, path, "user.mark");
		break;
	case 't':
		utimensat(top, path, (struct timespec[]){ { .tv_nsec = UTIME_NOW }, { .tv_sec = second } },
			AT_SYMLINK_NOFOLLOW);
		break;
	default:
		return false;
	}
	return true;
}

/* Returns what is behind the first '|'. */
static const uint8_t *run_program(int top, const uint8_t *at, const uint8_t *end)
{
	for (unsigned count = 0; at < end && *at != '|' && count < OPERATIONS_MAX; count++) {
		uint8_t first = end - at > 1 ? at[1] : 0, second = end - at > 2 ? at[2] : 0;

		if (!operate(top, *at, first, second))
			at++;
		else
			at += end - at > 3 ? 3 : end - at;
	}
	return at < end && *at == '|' ? at + 1 : end;
}

/* A look at a tree */

struct file {
	char path[PATH_BYTES];
	mode_t mode;
	char content[CONTENT_BYTES]; /* of a regular file, or a link's target */
	ssize_t len;
};

struct tree {
	struct file files[FILES_MAX]; /* in the order of zs_overlay_changes() */
	size_t count;
};

/* Names compare as bytes, and a folder's content follows it. */
static int compare(const void *a, const void *b)
{
	const char *left = a, *right = b;

	while (*left && *left == *right)
		left++, right++;
	return (*left == '/' ? 1 : (uint8_t)*left) - (*right == '/' ? 1 : (uint8_t)*right);
}

static void look_below(int top, const char *path, struct tree *tree)
{
	int fd = openat(top, *path ? path : ".", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);

	zs_target_check(folder, "a folder that cannot be read");
	for (struct dirent *entry; (entry = readdir(folder));) {
		struct file *file = &tree->files[tree->count];
		struct stat st;
		int content;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		zs_target_check(++tree->count < FILES_MAX, "more files than operations can make");
		*file = (struct file){ 0 };
		snprintf(file->path, sizeof file->path, "%s%s%s", path, *path ? "/" : "", entry->d_name);
		zs_target_check(fstatat(fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0, "a file without a status");
		file->mode = st.st_mode;
		if (S_ISLNK(st.st_mode))
			file->len = readlinkat(fd, entry->d_name, file->content, sizeof file->content);
		if (S_ISDIR(st.st_mode))
			look_below(top, file->path, tree);
		if (!S_ISREG(st.st_mode))
			continue;
		content = openat(fd, entry->d_name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
		file->len = read(content, file->content, sizeof file->content);
		zs_target_check(file->len >= 0 && file->len == st.st_size, "a file that cannot be read");
		close(content);
	}
	closedir(folder);
}

static void look(int top, struct tree *tree)
{
	tree->count = 0;
	look_below(top, "", tree);
	qsort(tree->files, tree->count, sizeof *tree->files, compare);
}

static bool has_content(const struct file *left, const struct file *right)
{
	return left->len == right->len && memcmp(left->content, right->content, (size_t)left->len) == 0;
}

static bool is_same(const struct tree *left, const struct tree *right)
{
	bool same = left->count == right->count;

	for (size_t i = 0; same && i < left->count; i++)
		same = strcmp(left->files[i].path, right->files[i].path) == 0 &&
		       left->files[i].mode == right->files[i].mode && has_content(&left->files[i], &right->files[i]);
	return same;
}

/* The change from one file to the other of the same path; ZS_CHANGE_COUNT: none. */
static enum zs_change_kind kind_of(const struct file *old, const struct file *new)
{
	if ((old->mode & S_IFMT) != (new->mode & S_IFMT))
		return ZS_CHANGE_TYPE;
	if (!has_content(old, new))
		return S_ISLNK(old->mode) ? ZS_CHANGE_LINK : ZS_CHANGE_CHANGED;
	return old->mode != new->mode ? ZS_CHANGE_MODE : ZS_CHANGE_COUNT;
}

/* The list is that of the differences, in the tree's order. */
static void check_changes(const struct tree *old, const struct tree *new, const struct zs_change *changes, size_t count)
{
	size_t i = 0, j = 0, seen = 0;

	while (i < old->count || j < new->count) {
		int order = i == old->count ? 1 : j == new->count ? -1 : compare(&old->files[i], &new->files[j]);
		const struct file *file = order < 0 ? &old->files[i] : &new->files[j];
		enum zs_change_kind kind = order < 0   ? ZS_CHANGE_DELETED
					   : order > 0 ? ZS_CHANGE_CREATED
						       : kind_of(&old->files[i], &new->files[j]);

		i += order <= 0;
		j += order >= 0;
		if (kind == ZS_CHANGE_COUNT)
			continue;
		zs_target_check(seen < count && strcmp(changes[seen].path, file->path) == 0, "another list of changes");
		zs_target_check(changes[seen].kind == kind, "another kind of change");
		zs_target_check(changes[seen].held == ZS_HELD_NOT, "a change that is held");
		seen++;
	}
	zs_target_check(seen == count, "a change that is none");
}

/* The world: a folder in which only this process sees a file system */

static char world[] = "/tmp/zs-fuzz-overlay-XXXXXX";

static void leave(void)
{
	rmdir(world);
}

static bool write_to(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 && write(fd, text, strlen(text)) > 0;

	close(fd);
	return ok;
}

static void enter(void)
{
	char users[64], groups[64];

	if (!mkdtemp(world))
		abort();
	atexit(leave);
	snprintf(users, sizeof users, "0 %u 1", (unsigned)geteuid());
	snprintf(groups, sizeof groups, "0 %u 1", (unsigned)getegid());
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0 || !write_to("/proc/self/setgroups", "deny") ||
		!write_to("/proc/self/gid_map", groups) || !write_to("/proc/self/uid_map", users)) {
		fprintf(stderr, "fuzz: no user and mount namespace: %s\n", strerror(errno));
		exit(NO_NAMESPACES);
	}
	umask(0);
}

static int open_folder(const char *name)
{
	int fd = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	zs_target_check(fd >= 0, "a folder that is not there");
	return fd;
}

static void check_call(int r, const struct zs_error *error)
{
	char text[1024] = "";

	if (r < 0)
		zs_error_format(error, text, sizeof text);
	zs_target_check(r == 0, text);
}

/* Checks the list of changes, and makes them. */
static void apply(int lower, int upper, const struct tree *old, const struct tree *new)
{
	struct zs_overlay *overlay;
	const struct zs_change *changes;
	struct zs_error error = { 0 };
	static struct tree made;
	size_t count;

	check_call(zs_overlay_open(lower, upper, &overlay, &error), &error);
	check_call(zs_overlay_changes(overlay, &changes, &count, &error), &error);
	check_changes(old, new, changes, count);
	check_call(zs_overlay_apply(overlay, &(struct zs_overlay_options){ 0 }, &error), &error);
	zs_overlay_free(overlay);
	look(lower, &made);
	zs_target_check(is_same(&made, new), "another workspace than the command saw");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool is_in;
	static struct tree old, new;
	int lower, upper, merged;
	bool differ;

	zs_target_input = (struct zs_target_input){ data, size };
	if (!is_in)
		enter();
	is_in = true;
	zs_target_check(mount("fuzz", world, "tmpfs", 0, "size=64m") == 0 && chdir(world) == 0, "no tmpfs");
	zs_target_check(mkdir("lower", 0755) == 0 && mkdir("upper", 0755) == 0 && mkdir("work", 0755) == 0 &&
				mkdir("merged", 0755) == 0,
		"no folders");
	lower = open_folder("lower");
	upper = open_folder("upper");
	data = run_program(lower, data + !!size, data + size);
	look(lower, &old);
	zs_target_check(
		mount("fuzz", "merged", "overlay", 0, "lowerdir=lower,upperdir=upper,workdir=work,userxattr") == 0,
		"no overlay");
	merged = open_folder("merged");
	run_program(merged, data, zs_target_input.bytes + size);
	look(merged, &new);
	close(merged);
	zs_target_check(umount("merged") == 0, "a mount that stays");
	differ = !is_same(&old, &new);
	apply(lower, upper, &old, &new);
	close(lower);
	close(upper);
	zs_target_check(chdir("/") == 0 && umount(world) == 0, "a world that stays");
	return differ ? 0 : -1;
}

/* An operation's second and third byte mean a path by their lowest four bits: '@' is the first. */
static const struct seed samples[] = {
	ROW(" d@@dC@fH1fI2fD3lDEsB@dA@fF4|nD5uIdFFmECcDCrA@RC@dC@fI6"),
	ROW(" dA@dF@fK1fL2fG3|RF@dF@fK1mG@xF@cA@eF@tF@pGG"),
	ROW(" d@@fC1|R@@f@2u@@d@@dC@fH3mC@"),
	ROW(" f@1lA@lBAcA1|>B2cA0u@@l@Ac@6"),
	ROW(" p@@l@A|cA3"),
	ROW(" d@@dC@dH@fI1cH5|R@@s@C"),
};

static const struct seed pieces[] = { ROW("|"), ROW("d@@"), ROW("dA@"), ROW("dC@"), ROW("dF@"), ROW("f@1"), ROW("fC2"),
	ROW("nC3"), ROW(">D3"), ROW("fH4"), ROW("fK0"), ROW("uC@"), ROW("u@@"), ROW("rC@"), ROW("r@@"), ROW("R@@"),
	ROW("RC@"), ROW("m@A"), ROW("mCA"), ROW("mAC"), ROW("mCF"), ROW("x@A"), ROW("xCF"), ROW("xCA"), ROW("lCA"),
	ROW("lDF"), ROW("s@C"), ROW("sCD"), ROW("p@@"), ROW("pD@"), ROW("c@6"), ROW("cC5"), ROW("cD0"), ROW("eC@"),
	ROW("e@@"), ROW("tC0"), ROW("t@1"), ROW("A"), ROW("@"), ROW("C"), ROW("F"), ROW("H") };

const struct target zs_target = { samples, pieces, sizeof samples / sizeof *samples, sizeof pieces / sizeof *pieces };
