/* Unpacks a layer of an image, a tar file (POSIX pax, ustar, and GNU's long names), into a folder. Whoever made the
 * layer is not trusted: this process is confined, and each name is looked up with the folder as root directory, so that
 * a link leads nowhere else. Names that are absolute or hold ".." end the work, devices are left out, and no file gets
 * a setuid bit or another owner.
 *
 * A layer is read twice: its whiteouts, which remove what the layers below it have (image-spec, layer.md), come before
 * its files. */
#include "image.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/read_file.h"
#include "linux/files/own_tmp.h"
#include "linux/store/tar.h"
#include "linux/watch/watched_name.h"
#include "snapshot.h"
#include "zs_shim.h"

enum {
	/* Bounds of one layer; see ZS_TAR_BYTES_MAX, too. */
	ENTRIES_MAX = 2 * 1000 * 1000,
	PAX_BYTES_MAX = 1024 * 1024, /* of a header with long names */
	EXTENSIONS_MAX = 16,         /* such headers for one entry */
	TAIL_BYTES_MAX = 16 << 20,   /* behind the end, where programs fill up a last block of theirs */
	FILE_MODE_MAX = 0777,
	FOLDER_MODE_MAX = 01777,
};

static const char step[] = "unpack";
static const char whiteout[] = ".wh.", opaque[] = ".wh..wh..opq";

struct entry {
	char name[PATH_MAX], link[PATH_MAX];
	char type;
	mode_t mode;
	uint64_t size, mtime;
};

struct unpacker {
	int root;
	bool whiteouts; /* the pass that removes */
	bool all;       /* of a snapshot: no name is a whiteout, and nothing that is mounted is touched */
	uint64_t bytes;
	unsigned entries;
	const char *now; /* the entry's name */
	/* A pax or GNU header has told these for the next entry. */
	char *long_name, *long_link;
	uint64_t long_size;
	unsigned extensions; /* for the next entry */
	bool has_size;
	struct zs_error *error;
};

static int wrong(struct unpacker *unpacker, const char *name, int cause, const char *why)
{
	return zs_error_say(unpacker->error, step, name, cause, "%s", why);
}

/* Input */

static int read_exactly(struct unpacker *unpacker, void *into, size_t size)
{
	size_t len;
	int r = zs_read_up_to(STDIN_FILENO, size, (char *)into, &len);

	if (r < 0)
		return zs_error_errno(unpacker->error, step, "", -r);
	return len == size ? 0 : wrong(unpacker, "", EINVAL, "the layer ends too early");
}

/* Copies an entry's data, and the rest of its last block; to -1: nowhere. */
static int take_data(struct unpacker *unpacker, uint64_t size, int to)
{
	static char bytes[64 * ZS_TAR_BLOCK];
	uint64_t whole = (size + ZS_TAR_BLOCK - 1) / ZS_TAR_BLOCK * ZS_TAR_BLOCK;
	int r = 0;

	while (r == 0 && whole > 0) {
		size_t part = whole < sizeof bytes ? (size_t)whole : sizeof bytes;
		size_t data = size < part ? (size_t)size : part;

		r = read_exactly(unpacker, bytes, part);
		if (r == 0 && to >= 0 && data > 0)
			r = zs_write_all(to, bytes, data);
		if (r < 0 && !unpacker->error->cause)
			zs_error_errno(unpacker->error, step, unpacker->now, -r);
		whole -= part;
		size -= data;
	}
	return r;
}

static int take_text(struct unpacker *unpacker, uint64_t size, char **ret_text)
{
	ZS_AUTO_FREE char *text = size <= PAX_BYTES_MAX ? calloc(1, (size_t)size + ZS_TAR_BLOCK + 1) : NULL;
	int r;

	if (size > PAX_BYTES_MAX)
		return wrong(unpacker, "", E2BIG, "a header has more than 1 MiB");
	if (!text)
		return zs_error_errno(unpacker->error, step, "", ENOMEM);
	r = read_exactly(unpacker, text, ((size_t)size + ZS_TAR_BLOCK - 1) / ZS_TAR_BLOCK * ZS_TAR_BLOCK);
	text[size] = '\0';
	if (r == 0)
		*ret_text = ZS_STEAL(text);
	return r;
}

/* A number is octal, or with the highest bit set in base 256. */
static bool read_number(const char *field, size_t size, uint64_t *ret_number)
{
	uint64_t number = 0;
	size_t i = 0;

	if ((unsigned char)field[0] & 0x80) {
		for (number = field[0] & 0x7f, i = 1; i < size; i++) {
			if (number >> 55)
				return false;
			number = number << 8 | (unsigned char)field[i];
		}
		*ret_number = number;
		return true;
	}
	while (i < size && field[i] == ' ')
		i++;
	for (; i < size && field[i] >= '0' && field[i] <= '7'; i++)
		number = number << 3 | (uint64_t)(field[i] - '0');
	*ret_number = number;
	return i == size || field[i] == ' ' || field[i] == '\0';
}

static bool has_checksum(const struct zs_tar_header *header)
{
	const unsigned char *bytes = (const unsigned char *)header;
	uint64_t wanted, sum = 0;

	for (size_t i = 0; i < ZS_TAR_BLOCK; i++)
		sum += i >= offsetof(struct zs_tar_header, checksum) && i < offsetof(struct zs_tar_header, type)
			       ? ' '
			       : bytes[i];
	return read_number(header->checksum, sizeof header->checksum, &wanted) && wanted == sum;
}

/* A pax record is "LEN KEY=VALUE\n". */
static int read_pax(struct unpacker *unpacker, char *text, size_t size)
{
	for (char *at = text, *end = text + size; at < end;) {
		char *after, *value;
		unsigned long len = strtoul(at, &after, 10);

		if (*after != ' ' || len < 5 || len > (size_t)(end - at) || at[len - 1] != '\n')
			return wrong(unpacker, "", EINVAL, "a pax header is broken");
		at[len - 1] = '\0';
		value = strchr(after, '=');
		if (!value || strlen(after) != len - 1 - (size_t)(after - at))
			return wrong(unpacker, "", EINVAL, "a pax header is broken");
		*value++ = '\0';
		if (strncmp(after + 1, "GNU.sparse", 10) == 0)
			return wrong(unpacker, "", EOPNOTSUPP, "it has sparse files");
		if (strcmp(after + 1, "path") == 0) {
			free(unpacker->long_name);
			unpacker->long_name = strdup(value);
		} else if (strcmp(after + 1, "linkpath") == 0) {
			free(unpacker->long_link);
			unpacker->long_link = strdup(value);
		} else if (strcmp(after + 1, "size") == 0) {
			unpacker->long_size = strtoull(value, NULL, 10);
			unpacker->has_size = true;
		}
		at += len;
	}
	return 0;
}

/* Places */

/* Writes a name without "./", and refuses one that could lead out. */
static int normalize(struct unpacker *unpacker, const char *name, char ret_name[PATH_MAX])
{
	size_t len = 0;

	if (name[0] == '/')
		return wrong(unpacker, name, EPERM, "is an absolute name");
	ret_name[0] = '\0';
	while (*name) {
		size_t part = strcspn(name, "/");

		if (part == 2 && name[0] == '.' && name[1] == '.')
			return wrong(unpacker, name, EPERM, "a name holds '..'");
		if (part > NAME_MAX || len + part + 2 > PATH_MAX)
			return wrong(unpacker, ret_name, ENAMETOOLONG, "a name is too long");
		if (part > 0 && !(part == 1 && name[0] == '.')) {
			if (len > 0)
				ret_name[len++] = '/';
			memcpy(ret_name + len, name, part);
			len += part;
			ret_name[len] = '\0';
		}
		name += part + (name[part] == '/');
	}
	return 0;
}

static int open_in_root(const struct unpacker *unpacker, const char *path, uint64_t flags)
{
	struct open_how how = { .flags = O_CLOEXEC | flags, .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS };
	int fd;

	if (unpacker->all)
		how.resolve |= RESOLVE_NO_XDEV;
	fd = (int)syscall(SYS_openat2, unpacker->root, path, &how, sizeof how);

	return fd < 0 ? -errno : fd;
}

static const char *last_of(const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash ? slash + 1 : name;
}

/* Opens the folder above a name. */
static int open_above(const struct unpacker *unpacker, const char *name)
{
	const char *last = last_of(name);
	char path[PATH_MAX];

	snprintf(path, sizeof path, "%.*s", last == name ? 1 : (int)(last - name), last == name ? "." : name);
	return open_in_root(unpacker, path, O_PATH | O_DIRECTORY);
}

static int make_one_above(const struct unpacker *unpacker, const char *path)
{
	ZS_AUTO_FD int there = open_in_root(unpacker, path, O_PATH | O_DIRECTORY);
	ZS_AUTO_FD int above = -1;

	if (there != -ENOENT)
		return there < 0 ? there : 0;
	above = open_above(unpacker, path);
	if (above < 0)
		return above;
	return mkdirat(above, last_of(path), 0755) < 0 ? -errno : 0;
}

/* The same, and makes what is missing. */
static int make_above(const struct unpacker *unpacker, const char *name)
{
	int r = open_above(unpacker, name);
	char path[PATH_MAX];

	if (r != -ENOENT)
		return r;
	r = 0;
	for (const char *slash = strchr(name, '/'); r == 0 && slash; slash = strchr(slash + 1, '/')) {
		snprintf(path, sizeof path, "%.*s", (int)(slash - name), name);
		r = make_one_above(unpacker, path);
	}
	return r < 0 ? r : open_above(unpacker, name);
}

/* Removes a file, or a folder with all that is in it; in a box only an empty one, since something of the machine may be
 * mounted below it. */
static int remove_all(const struct unpacker *unpacker, int parent, const char *name)
{
	struct zs_own_tmp folder = { .parent = -1, .folder = -1 };
	ZS_AUTO_FD int fd = -1;
	int r;

	if (unlinkat(parent, name, 0) == 0 || errno == ENOENT)
		return 0;
	if (errno != EISDIR)
		return -errno;
	if (unpacker->all)
		return unlinkat(parent, name, AT_REMOVEDIR) < 0 ? -errno : 0;
	fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	folder.folder = fd;
	r = zs_own_tmp_empty(&folder);
	return r < 0 ? r : unlinkat(parent, name, AT_REMOVEDIR) < 0 ? -errno : 0;
}

/* Entries */

/* A folder on which something is mounted stays as it is. */
static int make_folder(const struct unpacker *unpacker, int parent, const char *name, mode_t mode)
{
	struct stat st;

	if (fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISDIR(st.st_mode)) {
		int r = remove_all(unpacker, parent, name);

		if (r < 0)
			return r;
		if (mkdirat(parent, name, 0700) < 0)
			return -errno;
	} else if (unpacker->all && zs_watched_is_mount(parent, name) > 0) {
		return 0;
	}
	/* Its owner must be able to go on. */
	return fchmodat(parent, name, (mode & FOLDER_MODE_MAX) | S_IRWXU, 0) < 0 ? -errno : 0;
}

static int make_file(struct unpacker *unpacker, int parent, const char *name, const struct entry *entry)
{
	const struct timespec times[] = { { .tv_nsec = UTIME_OMIT }, { .tv_sec = (time_t)entry->mtime } };
	ZS_AUTO_FD int fd = -1;
	int r = remove_all(unpacker, parent, name);

	if (r == 0) {
		fd = openat(parent, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		r = fd < 0 ? -errno : 0;
	}
	if (r < 0)
		return zs_error_errno(unpacker->error, step, entry->name, -r);
	r = take_data(unpacker, entry->size, fd);
	if (r == 0 && (fchmod(fd, (entry->mode & FILE_MODE_MAX) | S_IRUSR | S_IWUSR) < 0 || futimens(fd, times) < 0))
		r = zs_error_errno(unpacker->error, step, entry->name, errno);
	return r;
}

/* Another name of a file that an entry has made. */
static int make_hard_link(struct unpacker *unpacker, int parent, const char *name, const struct entry *entry)
{
	ZS_AUTO_FD int from = -1;
	char target[PATH_MAX];
	struct stat st;
	int r = normalize(unpacker, entry->link, target);

	if (r < 0)
		return r;
	r = from = open_above(unpacker, target);
	if (r >= 0 && (fstatat(from, last_of(target), &st, AT_SYMLINK_NOFOLLOW) < 0 || S_ISDIR(st.st_mode)))
		r = -ENOENT;
	if (r >= 0)
		r = remove_all(unpacker, parent, name);
	if (r == 0 && linkat(from, last_of(target), parent, name, 0) < 0)
		r = -errno;
	return r < 0 ? zs_error_errno(unpacker->error, step, entry->name, -r) : 0;
}

static int make_link(const struct unpacker *unpacker, int parent, const char *name, const struct entry *entry)
{
	const struct timespec times[] = { { .tv_nsec = UTIME_OMIT }, { .tv_sec = (time_t)entry->mtime } };
	int r = remove_all(unpacker, parent, name);

	if (r == 0 &&
		(symlinkat(entry->link, parent, name) < 0 || utimensat(parent, name, times, AT_SYMLINK_NOFOLLOW) < 0))
		r = -errno;
	return r;
}

/* A whiteout removes what the layers below have. */
static int take_away(struct unpacker *unpacker, int parent, const char *name, const struct entry *entry)
{
	struct zs_own_tmp folder = { .parent = -1, .folder = -1 };
	const char *hidden = name + strlen(whiteout);
	ZS_AUTO_FD int fd = -1;
	struct stat st;
	int r;

	if (strcmp(name, opaque) == 0) {
		fd = openat(parent, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		folder.folder = fd;
		r = fd < 0 || fstat(fd, &st) < 0 ? -errno : zs_own_tmp_empty(&folder);
		if (r == 0 && fchmod(fd, st.st_mode & FOLDER_MODE_MAX) < 0)
			r = -errno;
	} else if (!*hidden || strcmp(hidden, ".") == 0 || strcmp(hidden, "..") == 0) {
		return wrong(unpacker, entry->name, EINVAL, "is a whiteout of no name");
	} else {
		r = remove_all(unpacker, parent, hidden);
	}
	return r < 0 ? zs_error_errno(unpacker->error, step, entry->name, -r) : 0;
}

static int make_entry(struct unpacker *unpacker, int parent, const char *name, const struct entry *entry)
{
	int r;

	switch (entry->type) {
	case '0':
	case '7':
	case '\0':
		return make_file(unpacker, parent, name, entry);
	case '1':
		return make_hard_link(unpacker, parent, name, entry);
	case '2':
		r = make_link(unpacker, parent, name, entry);
		break;
	case '5':
		r = make_folder(unpacker, parent, name, entry->mode);
		break;
	case '6':
		r = remove_all(unpacker, parent, name);
		if (r == 0 && mkfifoat(parent, name, (entry->mode & FILE_MODE_MAX) | S_IRUSR | S_IWUSR) < 0)
			r = -errno;
		break;
	case '3': /* a device */
	case '4':
		return 0;
	default:
		return wrong(unpacker, entry->name, EOPNOTSUPP, "is a kind of entry that zs does not unpack");
	}
	return r < 0 ? zs_error_errno(unpacker->error, step, entry->name, -r) : 0;
}

/* Does the entry, with its data. */
static int do_entry(struct unpacker *unpacker, const struct entry *entry)
{
	bool has_data = entry->type == '0' || entry->type == '7' || entry->type == '\0';
	ZS_AUTO_FD int parent = -1;
	const char *name;
	bool removes;

	if (!entry->name[0]) /* the folder itself */
		return has_data ? take_data(unpacker, entry->size, -1) : 0;
	name = last_of(entry->name);
	removes = !unpacker->all && strncmp(name, whiteout, strlen(whiteout)) == 0;
	if (removes != unpacker->whiteouts)
		return has_data ? take_data(unpacker, entry->size, -1) : 0;
	parent = removes ? open_above(unpacker, entry->name) : make_above(unpacker, entry->name);
	if (parent == -ENOENT && removes)
		return has_data ? take_data(unpacker, entry->size, -1) : 0;
	if (parent < 0)
		return zs_error_errno(unpacker->error, step, entry->name, -parent);
	if (!removes)
		return make_entry(unpacker, parent, name, entry);
	if (has_data && take_data(unpacker, entry->size, -1) < 0)
		return -EINVAL;
	return take_away(unpacker, parent, name, entry);
}

static int read_entry(struct unpacker *unpacker, const struct zs_tar_header *header, struct entry *ret_entry)
{
	bool posix = memcmp(header->magic, "ustar", 6) == 0;
	char name[sizeof header->prefix + sizeof header->name + 2], link[sizeof header->link + 1];
	uint64_t mode;

	snprintf(name, sizeof name, "%.*s%s%.*s", posix ? (int)sizeof header->prefix : 0, header->prefix,
		posix && header->prefix[0] ? "/" : "", (int)sizeof header->name, header->name);
	snprintf(link, sizeof link, "%.*s", (int)sizeof header->link, header->link);
	if (!read_number(header->mode, sizeof header->mode, &mode) ||
		!read_number(header->mtime, sizeof header->mtime, &ret_entry->mtime) ||
		!read_number(header->size, sizeof header->size, &ret_entry->size))
		return wrong(unpacker, name, EINVAL, "its header is broken");
	ret_entry->type = header->type;
	ret_entry->mode = (mode_t)mode;
	if (unpacker->has_size)
		ret_entry->size = unpacker->long_size;
	/* Only regular files have data, whatever the header says of others. */
	if (ret_entry->type >= '1' && ret_entry->type <= '6')
		ret_entry->size = 0;
	if (snprintf(ret_entry->link, PATH_MAX, "%s", unpacker->long_link ? unpacker->long_link : link) >= PATH_MAX)
		return wrong(unpacker, name, ENAMETOOLONG, "its link is too long");
	return normalize(unpacker, unpacker->long_name ? unpacker->long_name : name, ret_entry->name);
}

/* Headers that say more about the next entry. 1: it was none of these. */
static int take_extension(struct unpacker *unpacker, const struct zs_tar_header *header)
{
	ZS_AUTO_FREE char *text = NULL;
	uint64_t size;
	int r;

	if (header->type != 'x' && header->type != 'g' && header->type != 'L' && header->type != 'K')
		return 1;
	if (!read_number(header->size, sizeof header->size, &size))
		return wrong(unpacker, "", EINVAL, "a header is broken");
	if (++unpacker->extensions > EXTENSIONS_MAX)
		return wrong(unpacker, "", E2BIG, "an entry has more than 16 headers");
	r = take_text(unpacker, size, &text);
	if (r == 0 && header->type == 'x')
		r = read_pax(unpacker, text, (size_t)size);
	if (r == 0 && header->type == 'L') {
		free(unpacker->long_name);
		unpacker->long_name = ZS_STEAL(text);
	} else if (r == 0 && header->type == 'K') {
		free(unpacker->long_link);
		unpacker->long_link = ZS_STEAL(text);
	}
	return r;
}

static void forget_extension(struct unpacker *unpacker)
{
	free(unpacker->long_name);
	free(unpacker->long_link);
	unpacker->long_name = unpacker->long_link = NULL;
	unpacker->has_size = false;
	unpacker->extensions = 0;
}

static int take_entry(struct unpacker *unpacker, const struct zs_tar_header *header)
{
	struct entry entry;
	int r = read_entry(unpacker, header, &entry);

	if (r < 0)
		return r;
	if (++unpacker->entries > ENTRIES_MAX)
		return wrong(unpacker, entry.name, E2BIG, "the layer has more than 2 million entries");
	if (entry.size > ZS_TAR_BYTES_MAX - unpacker->bytes)
		return wrong(unpacker, entry.name, E2BIG, "the layer has more than 64 GiB");
	unpacker->bytes += entry.size;
	unpacker->now = entry.name;
	r = do_entry(unpacker, &entry);
	forget_extension(unpacker);
	return r;
}

/* Reads what the compressing program has behind the end, so that it ends by itself. */
static int drain(struct unpacker *unpacker)
{
	char bytes[4096];
	size_t len, all = 0;

	do {
		int r = zs_read_up_to(STDIN_FILENO, sizeof bytes, bytes, &len);

		if (r < 0)
			return zs_error_errno(unpacker->error, step, "", -r);
		all += len;
		if (all > TAIL_BYTES_MAX)
			return wrong(unpacker, "", E2BIG, "has more than 16 MiB behind its end");
	} while (len > 0);
	return 0;
}

static int take_all(struct unpacker *unpacker)
{
	static const struct zs_tar_header zero;
	struct zs_tar_header header;

	for (;;) {
		size_t len;
		int r = zs_read_up_to(STDIN_FILENO, sizeof header, (char *)&header, &len);

		if (r < 0)
			return zs_error_errno(unpacker->error, step, "", -r);
		/* Two blocks of zeros end it, and some programs leave them out. */
		if (len == 0 || (len == sizeof header && memcmp(&header, &zero, sizeof zero) == 0))
			return drain(unpacker);
		if (len < sizeof header || !has_checksum(&header))
			return wrong(unpacker, "", EINVAL, "is no tar file, or a broken one");
		r = take_extension(unpacker, &header);
		if (r == 1)
			r = take_entry(unpacker, &header);
		if (r < 0)
			return r;
	}
}

static int unpack(const char *folder, struct unpacker *unpacker)
{
	int r;

	umask(0);
	unpacker->root = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	r = unpacker->root < 0 ? zs_error_errno(unpacker->error, step, folder, errno) : take_all(unpacker);
	forget_extension(unpacker);
	return r;
}

int zs_image_unpack(char *const words[])
{
	struct zs_error error = { 0 };
	struct unpacker unpacker = {
		.whiteouts = strcmp(words[1], "whiteouts") == 0, .all = strcmp(words[1], "all") == 0, .error = &error
	};

	if (unpack(words[0], &unpacker) == 0)
		return EXIT_SUCCESS;
	zs_error_write_last(STDERR_FILENO, &error);
	return ZS_EXIT_CANNOT_ENFORCE;
}

int zs_snapshot_unpack(const char *folder)
{
	struct zs_error error = { 0 };
	struct unpacker unpacker = { .all = true, .error = &error };

	if (unpack(folder, &unpacker) == 0)
		return EXIT_SUCCESS;
	dprintf(STDERR_FILENO, "%d %s", error.cause, error.object);
	return EXIT_FAILURE;
}
