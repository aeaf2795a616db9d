#include "git/git_index.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	VERSION_FIRST = 2,
	VERSION_PREFIXES = 4, /* from here on a path is written as what differs from the path before it */
	STATS = 40,           /* bytes of an entry before the content's name */
	PADDING = 8,          /* in older versions an entry's length is a multiple of this */
	SHA1_BYTES = 20,
	LENGTH_MASK = 0xfff,
	STAGE_SHIFT = 12,
	STAGE_MASK = 3,
	EXTENDED = 0x4000, /* more flags follow */
	SKIPPED = 0x4000,  /* of those */
};

struct reader {
	int fd; /* -1: no entries */
	uint32_t version, left;
	size_t name_bytes; /* of an object */
	uint64_t size, at; /* of the file; where the next byte is */
	size_t next, filled;
	unsigned char buffer[8192];
	struct zs_git_index_entry entry;
	bool has; /* entry and path are valid */
	size_t len;
	char path[PATH_MAX];
};

static int fill(struct reader *reader)
{
	ssize_t got = pread(reader->fd, reader->buffer, sizeof reader->buffer, (off_t)reader->at);

	if (got <= 0)
		return got < 0 ? -errno : -EBADMSG;
	reader->next = 0;
	reader->filled = (size_t)got;
	return 0;
}

static void pass(struct reader *reader, size_t count)
{
	reader->next += count;
	reader->at += count;
}

static int take(struct reader *reader, void *ret_bytes, size_t count)
{
	for (unsigned char *out = ret_bytes; count > 0;) {
		size_t part = reader->filled - reader->next;
		int r = part > 0 ? 0 : fill(reader);

		if (r < 0)
			return r;
		part = reader->filled - reader->next;
		part = part < count ? part : count;
		memcpy(out, reader->buffer + reader->next, part);
		pass(reader, part);
		out += part;
		count -= part;
	}
	return 0;
}

/* Adds the text up to its NUL to the path. */
static int take_text(struct reader *reader)
{
	const unsigned char *end = NULL;

	while (!end) {
		int r = reader->next < reader->filled ? 0 : fill(reader);
		const unsigned char *text = reader->buffer + reader->next;
		size_t part;

		if (r < 0)
			return r;
		part = reader->filled - reader->next;
		end = memchr(text, '\0', part);
		part = end ? (size_t)(end - text) : part;
		if (reader->len + part >= sizeof reader->path)
			return -EBADMSG;
		memcpy(reader->path + reader->len, text, part);
		reader->len += part;
		pass(reader, part + (end != NULL));
	}
	reader->path[reader->len] = '\0';
	return 0;
}

static uint32_t number(const unsigned char *bytes, size_t count)
{
	uint32_t value = 0;

	while (count-- > 0)
		value = value << 8 | *bytes++;
	return value;
}

/* Reads how many bytes of the last path go: as offsets in git's packs. */
static int take_cut(struct reader *reader)
{
	unsigned char byte = 0;
	size_t cut = 0;
	int r = take(reader, &byte, 1);

	for (; r == 0 && byte & 0x80; r = take(reader, &byte, 1))
		if (cut < PATH_MAX)
			cut = (cut + (byte & 0x7f) + 1) << 7;
	cut += byte & 0x7f;
	if (r == 0 && cut > reader->len)
		return -EBADMSG;
	reader->len -= r == 0 ? cut : 0;
	return r;
}

static int take_path(struct reader *reader, uint64_t start, unsigned length)
{
	unsigned char byte;
	int r = 0;

	if (reader->version >= VERSION_PREFIXES)
		r = take_cut(reader);
	else
		reader->len = 0;
	if (r == 0)
		r = take_text(reader);
	while (r == 0 && reader->version < VERSION_PREFIXES && (reader->at - start) % PADDING)
		r = take(reader, &byte, 1);
	/* The length that the entry states shows that the names of objects are as long as was assumed. An index that is
	 * split has entries without a path. */
	return r == 0 && (!reader->len || length != (reader->len < LENGTH_MASK ? reader->len : LENGTH_MASK)) ? -EBADMSG
													     : r;
}

static int take_entry(struct reader *reader)
{
	struct zs_git_index_entry *entry = &reader->entry;
	unsigned char stats[STATS], flags[2], more[2] = { 0 };
	uint64_t start = reader->at;
	int r = take(reader, stats, sizeof stats);

	*entry = (struct zs_git_index_entry){ 0 };
	if (r == 0)
		r = take(reader, entry->content, reader->name_bytes);
	if (r == 0)
		r = take(reader, flags, sizeof flags);
	if (r == 0 && number(flags, 2) & EXTENDED)
		r = take(reader, more, sizeof more);
	if (r < 0)
		return r;
	entry->changed = number(stats, 4);
	entry->changed_nanoseconds = number(stats + 4, 4);
	entry->inode = number(stats + 20, 4);
	entry->seconds = number(stats + 8, 4);
	entry->nanoseconds = number(stats + 12, 4);
	entry->mode = number(stats + 24, 4);
	entry->size = number(stats + 36, 4);
	entry->stage = number(flags, 2) >> STAGE_SHIFT & STAGE_MASK;
	entry->skipped = number(more, 2) & SKIPPED;
	return take_path(reader, start, number(flags, 2) & LENGTH_MASK);
}

/* Looks at the extensions behind the entries. Those whose name begins with a small letter change the meaning of the
 * entries; "sdir" only allows entries of folders. */
static int take_extensions(struct reader *reader)
{
	while (reader->at + 8 + reader->name_bytes <= reader->size) {
		unsigned char head[8];
		int r = take(reader, head, sizeof head);

		if (r < 0)
			return r;
		if (memcmp(head, "sdir", 4) != 0 && (head[0] < 'A' || head[0] > 'Z'))
			return -EOPNOTSUPP;
		reader->at += number(head + 4, 4);
		reader->next = reader->filled = 0;
	}
	return 0;
}

static int start(struct reader *reader, int fd, size_t name_bytes)
{
	unsigned char head[12];
	struct stat st;
	int r;

	reader->fd = fd;
	reader->name_bytes = name_bytes;
	reader->at = reader->next = reader->filled = reader->len = 0;
	reader->left = 0;
	reader->has = false;
	if (fd < 0)
		return 0;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (st.st_size > ZS_GIT_INDEX_BYTES_MAX)
		return -EFBIG;
	reader->size = (uint64_t)st.st_size;
	r = take(reader, head, sizeof head);
	reader->version = number(head + 4, 4);
	reader->left = number(head + 8, 4);
	if (r == 0 &&
		(memcmp(head, "DIRC", 4) != 0 || reader->version < VERSION_FIRST || reader->version > VERSION_PREFIXES))
		return -EBADMSG;
	return r;
}

/* Goes to the next path. */
static int next(struct reader *reader)
{
	char last[PATH_MAX];
	bool had = reader->has;
	int r;

	memcpy(last, reader->path, had ? reader->len + 1 : 0);
	do {
		reader->has = reader->left > 0;
		if (!reader->has)
			return 0;
		reader->left--;
		r = take_entry(reader);
	} while (r == 0 && had && strcmp(last, reader->path) == 0);
	return r == 0 && had && strcmp(last, reader->path) > 0 ? -EBADMSG : r;
}

static int read_all(struct reader *reader, int fd, size_t name_bytes)
{
	int r = start(reader, fd, name_bytes);

	do
		r = r < 0 ? r : next(reader);
	while (r == 0 && reader->has);
	return r < 0 || fd < 0 ? r : take_extensions(reader);
}

/* Checks all of the index before any path is reported. It does not say how long the names of objects are, so the
 * shorter ones are tried first. */
static int check(struct reader *reader, int fd)
{
	int r = read_all(reader, fd, SHA1_BYTES);

	if (r == -EBADMSG)
		r = read_all(reader, fd, ZS_GIT_NAME_BYTES_MAX);
	return r < 0 ? r : start(reader, fd, reader->name_bytes);
}

bool zs_git_index_same(const struct zs_git_index_entry *a, const struct zs_git_index_entry *b)
{
	return a->mode == b->mode && a->stage == b->stage && memcmp(a->content, b->content, sizeof a->content) == 0;
}

static bool is_equal(const struct zs_git_index_entry *a, const struct zs_git_index_entry *b)
{
	return zs_git_index_same(a, b) && a->seconds == b->seconds && a->nanoseconds == b->nanoseconds &&
	       a->size == b->size && a->skipped == b->skipped;
}

int zs_git_index_compare(int before, int after, zs_git_index_each *each, void *arg)
{
	struct reader a, b;
	int r = check(&a, before);

	if (r == 0)
		r = check(&b, after);
	if (r == 0)
		r = next(&a);
	if (r == 0)
		r = next(&b);
	while (r == 0 && (a.has || b.has)) {
		int order = !a.has ? 1 : !b.has ? -1 : strcmp(a.path, b.path);

		if (order != 0 || !is_equal(&a.entry, &b.entry))
			r = each(order <= 0 ? a.path : b.path, order <= 0 ? &a.entry : NULL,
				order >= 0 ? &b.entry : NULL, arg);
		if (r == 0 && order <= 0)
			r = next(&a);
		if (r == 0 && order >= 0)
			r = next(&b);
	}
	return r;
}
