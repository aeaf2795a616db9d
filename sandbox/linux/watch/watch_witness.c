/* Git's index as a witness: `git checkout` removes a file and makes it anew, and no event tells which program did that.
 * But git notes in its index which file it has made. Where the whole .git is protected, no process of the run can write
 * the index.
 *
 * The format: gitformat-index(5) of git, for SHA-1. A text that is no such index names no file. */
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/read_file.h"
#include "linux/watch/watched_name.h"

enum {
	INDEX_BYTES_MAX = 64 * 1024 * 1024,
	HEAD_BYTES = 12,
	/* Offsets in an entry. */
	CTIME = 0,
	MTIME = 8,
	INODE = 20,
	SIZE = 36,
	FLAGS = 60,
	NAME = 62,
	EXTENDED = 0x4000,
	STAGE = 0x3000,
};

struct index {
	const unsigned char *text;
	size_t len, at;
	uint32_t version;
	char name[PATH_MAX]; /* of the entry before: version 4 says what it shares with the next */
};

static uint32_t number(const unsigned char *text)
{
	return (uint32_t)text[0] << 24 | (uint32_t)text[1] << 16 | (uint32_t)text[2] << 8 | text[3];
}

/* How many bytes of the last name do not begin this one: offset encoding of gitformat-pack(5). */
static bool next_cut(struct index *index, size_t *ret_cut)
{
	size_t cut = 0;

	for (int i = 0; i < 3 && index->at < index->len; i++) {
		unsigned char byte = index->text[index->at++];

		cut = (i ? (cut + 1) << 7 : 0) | (byte & 0x7f);
		if (!(byte & 0x80)) {
			*ret_cut = cut;
			return true;
		}
	}
	return false;
}

/* The next entry, whose name is in index->name then. NULL: the text has no more, or is no index. */
static const unsigned char *next_entry(struct index *index)
{
	const unsigned char *entry = index->text + index->at, *end;
	size_t kept = 0, cut = 0, rest, head;

	if (index->len - index->at < NAME + 2)
		return NULL;
	head = (size_t)NAME + (entry[FLAGS] << 8 & EXTENDED ? 2 : 0);
	index->at += head;
	if (index->version == 4) {
		kept = strlen(index->name);
		if (!next_cut(index, &cut) || cut > kept)
			return NULL;
		kept -= cut;
	}
	end = memchr(index->text + index->at, '\0', index->len - index->at);
	rest = end ? (size_t)(end - index->text) - index->at : 0;
	if (!end || kept + rest >= sizeof index->name)
		return NULL;
	memcpy(index->name + kept, index->text + index->at, rest + 1);
	index->at += rest + 1;
	if (index->version < 4)
		index->at = (size_t)(entry - index->text) + ((head + rest + 8) & ~(size_t)7);
	return index->at <= index->len ? entry : NULL;
}

static bool is_same_time(const unsigned char *text, const struct timespec *time)
{
	return number(text) == (uint32_t)time->tv_sec && number(text + 4) == (uint32_t)time->tv_nsec;
}

static bool names_file(const unsigned char *text, size_t len, const char *name, const struct stat *st)
{
	struct index index = { .text = text, .len = len, .at = HEAD_BYTES };
	const unsigned char *entry;

	if (len < HEAD_BYTES || memcmp(text, "DIRC", 4) != 0)
		return false;
	index.version = number(text + 4);
	if (index.version < 2 || index.version > 4)
		return false;
	for (uint32_t left = number(text + 8); left > 0 && (entry = next_entry(&index)); left--)
		if (strcmp(index.name, name) == 0)
			return !(entry[FLAGS] << 8 & STAGE) && number(entry + INODE) == (uint32_t)st->st_ino &&
			       number(entry + SIZE) == (uint32_t)st->st_size &&
			       is_same_time(entry + CTIME, &st->st_ctim) && is_same_time(entry + MTIME, &st->st_mtim);
	return false;
}

const struct zs_watched_name *zs_watch_index_of(const struct zs_watch *watch, const struct zs_watched_name *name)
{
	const struct zs_watched_name *found = NULL;
	size_t most = 0;

	for (size_t i = 0; i < watch->count; i++) {
		const struct zs_watched_name *git = &watch->names[i];
		size_t top = git->index ? strlen(git->path) - strlen(ZS_GIT_FOLDER) : 0;

		if (top <= most || strncmp(name->path, git->path, top) != 0 || name->path[top] != '/')
			continue;
		found = git;
		most = top;
	}
	return found;
}

static int open_git(const struct zs_watched_name *git)
{
	return openat(git->folder, git->name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

bool zs_watch_index_is_locked(const struct zs_watched_name *git)
{
	ZS_AUTO_FD int folder = open_git(git);
	struct stat st;

	return folder >= 0 && fstatat(folder, "index.lock", &st, AT_SYMLINK_NOFOLLOW) == 0;
}

bool zs_watch_index_names(const struct zs_watched_name *git, const struct zs_watched_name *name, const struct stat *st)
{
	ZS_AUTO_FD int folder = open_git(git);
	ZS_AUTO_FD int file = folder < 0 ? -1 : openat(folder, "index", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	ZS_AUTO_FREE char *text = NULL;
	struct stat index;
	size_t len;

	if (file < 0 || fstat(file, &index) < 0 || !S_ISREG(index.st_mode) || index.st_size > INDEX_BYTES_MAX)
		return false;
	text = malloc((size_t)index.st_size + 1);
	return text && zs_read_up_to(file, (size_t)index.st_size, text, &len) == 0 &&
	       names_file((const unsigned char *)text, len, name->path + strlen(git->path) - strlen(ZS_GIT_FOLDER) + 1,
		       st);
}
