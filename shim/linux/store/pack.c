/* Packs a folder of a box as a tar file, which unpack.c reads. The process runs inside, behind the walls of the box's
 * commands, and they may change files meanwhile: a file has the size that its header says, whatever it is by then.
 *
 * Left out is what is mounted below the folder, since it is of the machine or of the run, and sockets and devices. A
 * file that cannot be read ends the work: a copy without it would look whole. */
#include "snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/folder_reader.h"
#include "base/read_file.h"
#include "linux/store/tar.h"
#include "linux/watch/watched_name.h"

/* Each level takes a descriptor and some of the stack. */
enum { DEPTH_MAX = 500 };

/* Holes become zeros, and a command may make a hole of any size. */
#define HOLES_MAX (UINT64_C(1) << 30)

static const char step[] = "save";

struct packer {
	char path[PATH_MAX]; /* of the entry, below the folder */
	size_t len;
	unsigned depth;
	void *names; /* a tree of struct name: files with several names that have been packed */
	uint64_t bytes, holes;
	struct zs_error *error;
};

struct name {
	dev_t device;
	ino_t inode;
	char path[];
};

static int fail(struct packer *packer, int cause)
{
	return zs_error_errno(packer->error, step, packer->path, cause);
}

static int compare(const void *a, const void *b)
{
	const struct name *one = a, *other = b;

	if (one->device != other->device)
		return one->device < other->device ? -1 : 1;
	return one->inode < other->inode ? -1 : one->inode > other->inode;
}

/* Gives the earlier name of the file. NULL: this is the first, which is remembered, or there was no memory for that. */
static const char *find_name(struct packer *packer, const struct stat *st)
{
	struct name *name = malloc(sizeof *name + packer->len + 1), **found;

	if (!name)
		return NULL;
	*name = (struct name){ st->st_dev, st->st_ino };
	memcpy(name->path, packer->path, packer->len + 1);
	found = tsearch(name, &packer->names, compare);
	if (found && *found == name)
		return NULL;
	free(name);
	return found ? (*found)->path : NULL;
}

/* Output */

static int put(struct packer *packer, const void *bytes, size_t len)
{
	int r = zs_write_all(STDOUT_FILENO, bytes, len);

	return r < 0 ? fail(packer, -r) : 0;
}

static int put_padding(struct packer *packer, uint64_t size)
{
	static const char zeros[ZS_TAR_BLOCK];

	return put(packer, zeros, (size_t)(-size % ZS_TAR_BLOCK));
}

/* Octal, or with the highest bit set in base 256. */
static void put_number(char *field, size_t size, uint64_t number)
{
	if (snprintf(field, size, "%0*llo", (int)size - 1, (unsigned long long)number) < (int)size)
		return;
	for (size_t i = size; i-- > 0; number >>= 8)
		field[i] = (char)number;
	field[0] |= (char)0x80;
}

static int put_header(
	struct packer *packer, char type, const char *name, const char *link, const struct stat *st, uint64_t size)
{
	struct zs_tar_header header = { .type = type, .magic = "ustar" };
	unsigned sum = 0;

	/* A longer one has a pax header before. */
	memcpy(header.name, name, strnlen(name, sizeof header.name));
	memcpy(header.link, link, strnlen(link, sizeof header.link));
	memcpy(header.checksum, "        ", sizeof header.checksum);
	header.magic[6] = header.magic[7] = '0';
	put_number(header.mode, sizeof header.mode, st->st_mode & 07777);
	put_number(header.uid, sizeof header.uid, 0);
	put_number(header.gid, sizeof header.gid, 0);
	put_number(header.size, sizeof header.size, size);
	put_number(header.mtime, sizeof header.mtime, st->st_mtime > 0 ? (uint64_t)st->st_mtime : 0);
	for (size_t i = 0; i < sizeof header; i++)
		sum += ((const unsigned char *)&header)[i];
	snprintf(header.checksum, sizeof header.checksum, "%06o", sum);
	return put(packer, &header, sizeof header);
}

/* Appends "LEN KEY=VALUE\n", where LEN counts itself. */
static int add_record(char *text, const char *key, const char *value)
{
	int rest = (int)(strlen(key) + strlen(value)) + 3, len = rest + 1;

	while (snprintf(NULL, 0, "%d", len) + rest != len)
		len++;
	return sprintf(text, "%d %s=%s\n", len, key, value);
}

/* A pax header with the names that have no room in the next one. */
static int put_long_names(struct packer *packer, const char *name, const char *link)
{
	static const struct stat st = { .st_mode = 0600 };
	static char text[2 * PATH_MAX + 64];
	int len = 0, r;

	if (strlen(name) > sizeof((struct zs_tar_header *)0)->name)
		len = add_record(text, "path", name);
	if (strlen(link) > sizeof((struct zs_tar_header *)0)->link)
		len += add_record(text + len, "linkpath", link);
	if (len == 0)
		return 0;
	r = put_header(packer, 'x', "", "", &st, (uint64_t)len);
	if (r == 0)
		r = put(packer, text, (size_t)len);
	return r < 0 ? r : put_padding(packer, (uint64_t)len);
}

static int put_entry(struct packer *packer, char type, const char *link, const struct stat *st, uint64_t size)
{
	int r = put_long_names(packer, packer->path, link);

	return r < 0 ? r : put_header(packer, type, packer->path, link, st, size);
}

/* Entries */

/* Writes `size` bytes: zeros for what a file lacks that has become shorter. */
static int put_content(struct packer *packer, int fd, uint64_t size)
{
	static char bytes[64 * 1024];
	int r = 0;

	for (uint64_t left = size; r == 0 && left > 0;) {
		size_t part = left < sizeof bytes ? (size_t)left : sizeof bytes, len;

		r = zs_read_up_to(fd, part, bytes, &len);
		if (r < 0)
			return fail(packer, -r);
		memset(bytes + len, 0, part - len);
		r = put(packer, bytes, part);
		left -= part;
	}
	return r < 0 ? r : put_padding(packer, size);
}

static uint64_t count_holes(int fd, off_t size)
{
	uint64_t holes = 0;
	off_t data = 0, hole;

	while (data < size && (hole = lseek(fd, data, SEEK_HOLE)) >= 0 && hole < size) {
		data = lseek(fd, hole, SEEK_DATA);
		if (data < 0 || data > size)
			data = size;
		holes += (uint64_t)(data - hole);
	}
	return holes;
}

/* Is there room for the file? */
static int admit(struct packer *packer, int fd, off_t size)
{
	packer->holes += count_holes(fd, size);
	packer->bytes += (uint64_t)size;
	if (packer->holes > HOLES_MAX || packer->bytes > ZS_TAR_BYTES_MAX)
		return fail(packer, EFBIG);
	return lseek(fd, 0, SEEK_SET) < 0 ? fail(packer, errno) : 0;
}

static int pack_file(struct packer *packer, int folder, const char *name)
{
	ZS_AUTO_FD int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	const char *earlier;
	struct stat st;
	int r;

	if (fd < 0 || fstat(fd, &st) < 0)
		return errno == ENOENT ? 0 : fail(packer, errno);
	if (!S_ISREG(st.st_mode))
		return 0;
	earlier = st.st_nlink > 1 ? find_name(packer, &st) : NULL;
	if (earlier)
		return put_entry(packer, '1', earlier, &st, 0);
	r = admit(packer, fd, st.st_size);
	if (r == 0)
		r = put_entry(packer, '0', "", &st, (uint64_t)st.st_size);
	return r < 0 ? r : put_content(packer, fd, (uint64_t)st.st_size);
}

static int pack_link(struct packer *packer, int folder, const char *name, const struct stat *st)
{
	char target[PATH_MAX];
	ssize_t len = readlinkat(folder, name, target, sizeof target - 1);

	if (len < 0)
		return errno == ENOENT || errno == EINVAL ? 0 : fail(packer, errno);
	target[len] = '\0';
	return put_entry(packer, '2', target, st, 0);
}

static int pack_entry(int folder, const char *name, unsigned char type, void *arg);

static int pack_folder(struct packer *packer, int folder, const char *name, const struct stat *st)
{
	ZS_AUTO_FD int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int r, cause = 0;

	if (fd < 0)
		return errno == ENOENT ? 0 : fail(packer, errno);
	r = put_entry(packer, '5', "", st, 0);
	if (r == 0)
		r = zs_folder_each(fd, pack_entry, packer, &cause);
	return r == 0 && cause ? fail(packer, cause) : r;
}

/* A folder on which something is mounted is packed as an empty one. */
static int pack(struct packer *packer, int folder, const char *name)
{
	struct stat st;
	int mounted;

	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : fail(packer, errno);
	mounted = zs_watched_is_mount(folder, name);
	if (mounted < 0)
		return mounted == -ENOENT ? 0 : fail(packer, -mounted);
	if (mounted)
		return S_ISDIR(st.st_mode) ? put_entry(packer, '5', "", &st, 0) : 0;
	switch (st.st_mode & S_IFMT) {
	case S_IFREG:
		return pack_file(packer, folder, name);
	case S_IFLNK:
		return pack_link(packer, folder, name, &st);
	case S_IFDIR:
		return pack_folder(packer, folder, name, &st);
	case S_IFIFO:
		return put_entry(packer, '6', "", &st, 0);
	default:
		return 0;
	}
}

static int pack_entry(int folder, const char *name, unsigned char type, void *arg)
{
	struct packer *packer = arg;
	size_t len = packer->len, room = sizeof packer->path - len;
	int more = snprintf(packer->path + len, room, "%s%s", len ? "/" : "", name), r;

	(void)type;
	if ((size_t)more >= room || packer->depth == DEPTH_MAX)
		return fail(packer, ENAMETOOLONG);
	packer->len += (size_t)more;
	packer->depth++;
	r = pack(packer, folder, name);
	packer->depth--;
	packer->len = len;
	packer->path[len] = '\0';
	return r;
}

int zs_snapshot_pack(const char *folder)
{
	static const char end[2 * ZS_TAR_BLOCK];
	struct zs_error error = { 0 };
	struct packer packer = { .error = &error };
	ZS_AUTO_FD int fd = zs_folder_open(folder);
	int cause = 0, r = fd < 0 ? zs_error_errno(&error, step, folder, -fd) : 0;

	if (r == 0)
		r = zs_folder_each(fd, pack_entry, &packer, &cause);
	if (r == 0 && cause)
		r = zs_error_errno(&error, step, folder, cause);
	if (r == 0)
		r = put(&packer, end, sizeof end);
	tdestroy(packer.names, free);
	if (r == 0)
		return EXIT_SUCCESS;
	dprintf(STDERR_FILENO, "%d %s", error.cause, error.object);
	return EXIT_FAILURE;
}
