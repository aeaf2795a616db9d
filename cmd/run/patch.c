/* Makes a patch for git apply (man 1 git-diff, "Generating patch text with -p"). */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "run/changes.h"
#include "base/cleanup.h"
#include "base/diff.h"
#include "base/error.h"

/* The bytes in which git looks for a NUL. */
enum { BINARY_PREFIX = 8000 };

/* Returns git's mode of a side: 100644, 100755 or 120000; 0 for a directory and the like. */
static unsigned git_mode(mode_t mode)
{
	if (S_ISLNK(mode))
		return 0120000;
	if (!S_ISREG(mode))
		return 0;
	return mode & S_IXUSR ? 0100755 : 0100644;
}

static bool is_odd(unsigned char byte)
{
	return byte < 0x20 || byte >= 0x7f || byte == '"' || byte == '\\';
}

static void put_byte(FILE *out, unsigned char byte)
{
	static const char named[] = "\"\"\\\\\aa\bb\ff\nn\rr\tt\vv";

	for (const char *pair = named; *pair; pair += 2)
		if (byte == (unsigned char)*pair) {
			fprintf(out, "\\%c", pair[1]);
			return;
		}
	if (is_odd(byte))
		fprintf(out, "\\%03o", byte);
	else
		fputc(byte, out);
}

/* Quotes a name as git does with core.quotePath. */
static void put_name(FILE *out, const char *prefix, const char *path)
{
	bool odd = false;

	for (const char *c = path; *c; c++)
		odd = odd || is_odd((unsigned char)*c);
	if (!odd) {
		fprintf(out, "%s%s", prefix, path);
		return;
	}
	fprintf(out, "\"%s", prefix);
	for (const char *c = path; *c; c++)
		put_byte(out, (unsigned char)*c);
	fputc('"', out);
}

static void put_side(FILE *out, const char *prefix, const char *path, unsigned mode)
{
	if (mode)
		put_name(out, prefix, path);
	else
		fputs("/dev/null", out);
}

/* Writes a tab after a name that holds a blank; otherwise patch(1) would take the last part for a date. */
static void put_name_line(FILE *out, const char *sign, const char *prefix, const char *path, unsigned mode)
{
	fputs(sign, out);
	put_side(out, prefix, path, mode);
	fputs(mode && strchr(path, ' ') ? "\t\n" : "\n", out);
}

static void put_head(FILE *out, const char *path, unsigned old, unsigned new)
{
	fputs("diff --git ", out);
	put_name(out, "a/", path);
	fputc(' ', out);
	put_name(out, "b/", path);
	fputc('\n', out);
	if (!old)
		fprintf(out, "new file mode %06o\n", new);
	else if (!new)
		fprintf(out, "deleted file mode %06o\n", old);
	else if (old != new)
		fprintf(out, "old mode %06o\nnew mode %06o\n", old, new);
}

struct patch {
	FILE *out;
	struct zs_overlay *overlay;
	struct zs_error *error;
	uint64_t bytes; /* the size of both sides of all files so far */
};

/* -EFBIG: the file is too large to show. */
static int read_side(const struct patch *patch, const struct zs_change *change, enum zs_side side, unsigned mode,
	char **ret_bytes, struct zs_diff_text *ret_text)
{
	int r;

	*ret_text = (struct zs_diff_text){ "", 0 };
	if (!mode)
		return 0;
	r = zs_overlay_content(
		patch->overlay, change, side, ZS_PATCH_BYTES_MAX, ret_bytes, &ret_text->len, patch->error);
	if (r == 0)
		ret_text->bytes = *ret_bytes;
	return r;
}

static bool is_binary(struct zs_diff_text text)
{
	return text.len && memchr(text.bytes, '\0', text.len < BINARY_PREFIX ? text.len : BINARY_PREFIX);
}

static void put_binary(FILE *out, const char *path, unsigned old, unsigned new)
{
	fputs("Binary files ", out);
	put_side(out, "a/", path, old);
	fputs(" and ", out);
	put_side(out, "b/", path, new);
	fputs(" differ\n", out);
}

/* Limits the total size: a sparse file costs its maker nothing, but printing it fills the disk or, for a terminal, the
 * memory. */
static int count_bytes(struct patch *patch, const char *path, uint64_t bytes)
{
	patch->bytes += bytes;
	if (patch->bytes <= (uint64_t)ZS_PATCH_MIB_MAX << 20)
		return 0;
	return zs_error_say(patch->error, "patch", path, EFBIG, "more than %d MiB would be printed", ZS_PATCH_MIB_MAX);
}

static int put_content(struct patch *patch, const struct zs_change *change, unsigned old_mode, unsigned new_mode)
{
	ZS_AUTO_FREE char *old_bytes = NULL, *new_bytes = NULL;
	struct zs_diff_text old, new;
	FILE *out = patch->out;
	int r = read_side(patch, change, ZS_SIDE_OLD, old_mode, &old_bytes, &old);

	if (r == 0)
		r = read_side(patch, change, ZS_SIDE_NEW, new_mode, &new_bytes, &new);
	/* A file that cannot be read, because of its mode, is shown like a binary one. */
	if (r == -EFBIG || r == -EACCES || (r == 0 && (is_binary(old) || is_binary(new)))) {
		put_binary(out, change->path, old_mode, new_mode);
		return 0;
	}
	if (r < 0 || (old.len == new.len && memcmp(old.bytes, new.bytes, old.len) == 0))
		return r;
	r = count_bytes(patch, change->path, old.len + new.len);
	if (r < 0)
		return r;
	put_name_line(out, "--- ", "a/", change->path, old_mode);
	put_name_line(out, "+++ ", "b/", change->path, new_mode);
	r = zs_diff_hunks(out, old, new);
	return r < 0 ? zs_error_errno(patch->error, "diff", "", -r) : 0;
}

static int put_change(struct patch *patch, const struct zs_change *change, unsigned old, unsigned new)
{
	if (old == new && change->kind == ZS_CHANGE_MODE)
		return 0;
	put_head(patch->out, change->path, old, new);
	return change->kind == ZS_CHANGE_MODE ? 0 : put_content(patch, change, old, new);
}

/* Is it a path in a .git? git refuses such paths in a patch. */
static bool is_repository(const char *path)
{
	for (const char *name = path; name; name = strchr(name, '/') ? strchr(name, '/') + 1 : NULL)
		if (strcspn(name, "/") == 4 && strncasecmp(name, ".git", 4) == 0)
			return true;
	return false;
}

int zs_changes_patch(FILE *out, struct zs_overlay *overlay, struct zs_error *error)
{
	struct patch patch = { out, overlay, error, 0 };
	const struct zs_change *changes;
	size_t count;
	int r = zs_overlay_changes(overlay, &changes, &count, error);

	for (size_t i = 0; r == 0 && i < count; i++) {
		unsigned old = git_mode(changes[i].old_mode), new = git_mode(changes[i].new_mode);

		if (is_repository(changes[i].path))
			continue;
		/* Git shows file to symlink as a delete plus an add. */
		if (changes[i].kind == ZS_CHANGE_TYPE && old && new) {
			r = put_change(&patch, &changes[i], old, 0);
			old = 0;
		}
		if (r == 0 && (old || new))
			r = put_change(&patch, &changes[i], old, new);
	}
	return r;
}
