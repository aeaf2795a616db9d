#include "run/box_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/command.h"
#include "base/json.h"
#include "base/message.h"
#include "base/read_file.h"
#include "named_session.h"
#include "zs_box.h"

/* A copy, as --json shows it. */
struct copied {
	bool json, failed;
	int status; /* 0, or 1: the box's files do not allow it */
	struct zs_error error;
	char sha256[ZS_SHA256_HEX + 1]; /* of the bytes that were copied */
	uint64_t bytes;
};

void zs_box_digest(const struct zs_policy *policy, char ret_hex[ZS_SHA256_HEX + 1])
{
	ZS_AUTO_FREE char *json = NULL;
	size_t len;

	if (zs_policy_to_json(policy, false, &json, &len, NULL) == 0)
		zs_sha256(json, len, ret_hex);
}

static void print(const char *id, const struct copied *copied)
{
	bool whole = !copied->failed && copied->status == 0;
	char digest[ZS_SHA256_HEX + 1] = "", text[1024] = "", status[16] = "null", bytes[24] = "null";
	struct zs_policy *policy = NULL;
	struct zs_json json = { stdout, false };
	struct zs_error error;

	if (zs_box_policy(id, &policy, &error) == 0)
		zs_box_digest(policy, digest);
	if (copied->failed)
		zs_error_format(&copied->error, text, sizeof text);
	else
		snprintf(status, sizeof status, "%d", copied->status);
	if (whole)
		snprintf(bytes, sizeof bytes, "%llu", (unsigned long long)copied->bytes);
	zs_json_print(&json, "{'status':");
	zs_json_raw(&json, status);
	zs_json_print(&json, ",'failure':%s,'message':%s,'sha256':%s,'bytes':", copied->failed ? "not-run" : NULL,
		copied->failed ? text : NULL, whole ? copied->sha256 : NULL);
	zs_json_raw(&json, bytes);
	zs_json_print(
		&json, ",'policy':%s,'image':%s}", *digest ? digest : NULL, policy ? zs_policy_image(policy) : NULL);
	putchar('\n');
	zs_policy_free(policy);
}

/* The exit code of a copy that returned r. */
static int end_of(int r, struct copied *copied)
{
	copied->failed = r < 0;
	if (r == 0 && copied->status != 0)
		zs_complain_error(&copied->error);
	if (r < 0 && !copied->json)
		return zs_fail_error(ZS_EXIT_CANNOT_ENFORCE, &copied->error);
	return r < 0 ? ZS_EXIT_CANNOT_ENFORCE : copied->status;
}

/* Takes size and digest of a whole file. */
static bool measure(int fd, struct copied *copied)
{
	struct stat st;
	void *map;

	if (fstat(fd, &st) < 0)
		return false;
	copied->bytes = (uint64_t)st.st_size;
	map = st.st_size ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
	if (map == MAP_FAILED)
		return false;
	zs_sha256(map ? map : "", (size_t)st.st_size, copied->sha256);
	if (map)
		munmap(map, (size_t)st.st_size);
	return true;
}

static bool is_standard(const char *file)
{
	return strcmp(file, "-") == 0;
}

static int parse_mode(const char *text, mode_t *ret_mode)
{
	char *end;
	unsigned long mode = strtoul(text, &end, 8);

	if (*text < '0' || *text > '7' || *end || mode > 0777)
		return zs_fail(ZS_EXIT_USAGE, "box: --mode: %s: is no mode in octal, up to 777", text);
	*ret_mode = (mode_t)mode;
	return ZS_EXIT_OK;
}

/* Copies what can be read to a file without a name, at its beginning: the digest is that of the bytes that are sent. */
static int take_copy(int from, struct copied *copied)
{
	FILE *file = tmpfile();
	static char bytes[64 * 1024];
	int fd = file ? fcntl(fileno(file), F_DUPFD_CLOEXEC, 0) : -1, r = fd < 0 ? -errno : 0;
	size_t len = 1;

	while (r == 0 && len > 0) {
		r = zs_read_up_to(from, sizeof bytes, bytes, &len);
		if (r == 0)
			r = zs_write_all(fd, bytes, len);
	}
	if (file)
		fclose(file);
	if (r == 0 && (!measure(fd, copied) || lseek(fd, 0, SEEK_SET) < 0))
		r = -errno;
	if (r == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return r;
}

int zs_box_copy_in(char *const words[], const char *octal, const char *user, bool json)
{
	const char *file = words[1];
	struct copied copied = { .json = json };
	mode_t mode = 0644;
	struct stat st;
	int r, from = is_standard(file) ? STDIN_FILENO : open(file, O_RDONLY | O_CLOEXEC);

	if (from < 0 || fstat(from, &st) < 0)
		return zs_fail_errno(ZS_EXIT_BAD_INPUT, "box", file, errno);
	if (S_ISDIR(st.st_mode))
		return zs_fail_errno(ZS_EXIT_BAD_INPUT, "box", file, EISDIR);
	if (!is_standard(file))
		mode = st.st_mode & 0777;
	if (octal && parse_mode(octal, &mode) != ZS_EXIT_OK)
		return ZS_EXIT_USAGE;
	if (json)
		from = take_copy(from, &copied);
	if (from < 0)
		return zs_fail_errno(ZS_EXIT_BAD_INPUT, "box", file, -from);
	r = end_of(zs_box_put_alone(words[0], from, words[2], mode, user, &copied.status, &copied.error), &copied);
	if (json)
		print(words[0], &copied);
	return r;
}

/* The file appears when it is whole. Its name replaces a regular file, and nothing else: no device, pipe or link. */
static int get_into(char *const words[], uint64_t most, const char *user, struct copied *copied)
{
	const char *file = words[2];
	char part[PATH_MAX];
	struct stat st;
	mode_t mask = umask(0);
	int to, r;

	umask(mask);
	if (lstat(file, &st) == 0 && !S_ISREG(st.st_mode))
		return zs_fail(ZS_EXIT_NO_OUTPUT,
			"box: %s: is there and is no regular file; name another, or - for standard output", file);
	if (snprintf(part, sizeof part, "%s.XXXXXX", file) >= (int)sizeof part)
		return zs_fail_errno(ZS_EXIT_NO_OUTPUT, "box", file, ENAMETOOLONG);
	to = mkstemp(part);
	if (to < 0)
		return zs_fail_errno(ZS_EXIT_NO_OUTPUT, "box", file, errno);
	r = end_of(zs_box_get_alone(words[0], words[1], most, to, user, &copied->status, &copied->error), copied);
	if (r == ZS_EXIT_OK && !measure(to, copied))
		r = zs_fail_errno(ZS_EXIT_NO_OUTPUT, "box", file, errno);
	if (r == ZS_EXIT_OK && (fchmod(to, 0666 & ~mask) < 0 || close(to) < 0 || rename(part, file) < 0))
		r = zs_fail_errno(ZS_EXIT_NO_OUTPUT, "box", file, errno);
	if (r != ZS_EXIT_OK)
		unlink(part);
	return r;
}

int zs_box_copy_out(char *const words[], uint64_t most, const char *user, bool json)
{
	struct copied copied = { .json = json };
	int r;

	if (json && is_standard(words[2]))
		return zs_fail(
			ZS_EXIT_USAGE, "box: --json: the result goes to standard output; name a file for the content");
	if (is_standard(words[2]))
		return end_of(
			zs_box_get_alone(words[0], words[1], most, STDOUT_FILENO, user, &copied.status, &copied.error),
			&copied);
	r = get_into(words, most, user, &copied);
	/* Otherwise the fault is outside, and has been said. */
	if (json && (copied.failed || r == copied.status))
		print(words[0], &copied);
	return r;
}
