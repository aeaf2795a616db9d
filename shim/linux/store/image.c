/* Unpacked images lie in a store, $XDG_STATE_HOME/zs/images, each named by its manifest's digest. Two confined
 * processes unpack a layer: gzip or zstd, if it is compressed, and zs itself (unpack.c). */
#include "image.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/folder_reader.h"
#include "base/path.h"
#include "base/read_file.h"
#include "linux/store/confined.h"
#include "linux/store/image_layout.h"
#include "linux/store/store.h"
#include "policy/policy.h"

static const char step[] = "image";

struct making {
	struct zs_store store;
	char root[PATH_MAX]; /* the content of the image that is made */
};

bool zs_image_is(const char *path)
{
	ZS_AUTO_FREE char *file = zs_path_join(path, "oci-layout");
	struct stat st;

	return file && lstat(file, &st) == 0 && S_ISREG(st.st_mode);
}

/* Layers */

static int unpack(const struct making *making, int blob, enum zs_image_compression compression, const char *pass,
	struct zs_error *error)
{
	static const struct {
		const char *program, *option;
	} rows[] = {
#define X(id, program, option) [ZS_IMAGE_##id] = { program, option },
		ZS_IMAGE_COMPRESSIONS(X)
#undef X
	};
	bool compressed = compression != ZS_IMAGE_NONE;
	char program[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", program, sizeof program - 1);
	char inflater_path[32];
	char *inflate[] = { inflater_path, (char *)(uintptr_t)rows[compression].option, NULL };
	char *words[] = { program, (char[]){ ZS_UNPACK }, (char *)(uintptr_t)making->root, (char *)(uintptr_t)pass,
		NULL };
	pid_t inflater = -1, unpacker = -1;
	int ends[2] = { -1, -1 }, r = 0;

	if (len < 0 || lseek(blob, 0, SEEK_SET) < 0)
		return zs_error_errno(error, step, "", errno);
	program[len] = '\0';
	snprintf(inflater_path, sizeof inflater_path, "/usr/bin/%s", rows[compression].program);
	if (compressed && access(inflater_path, X_OK) < 0)
		snprintf(inflater_path, sizeof inflater_path, "/bin/%s", rows[compression].program);
	if (compressed && access(inflater_path, X_OK) < 0)
		return zs_error_say(error, step, inflater_path, EOPNOTSUPP, "is missing, and this layer needs it");
	if (compressed && pipe2(ends, O_CLOEXEC) < 0)
		return zs_error_errno(error, step, "pipe", errno);
	if (compressed)
		r = zs_confined_start(inflate, &(struct zs_confined){ .step = step }, blob, ends[1], &inflater, error);
	if (ends[1] >= 0)
		close(ends[1]);
	if (r == 0)
		r = zs_confined_start(words, &(struct zs_confined){ .step = step, .writes = making->root },
			compressed ? ends[0] : blob, STDERR_FILENO, &unpacker, error);
	if (ends[0] >= 0)
		close(ends[0]);
	if (unpacker > 0 && zs_confined_wait(unpacker) < 0)
		r = -ECANCELED;
	if (inflater > 0 && zs_confined_wait(inflater) < 0 && r == 0)
		r = -ECANCELED;
	return r;
}

/* Copies a blob, and compares the copy's digest: nobody can change the copy. Returns a descriptor. */
static int take_blob(const struct making *making, const struct zs_image_layout *layout,
	const struct zs_image_blob *blob, struct zs_error *error)
{
	ZS_AUTO_FD int from = zs_image_blob_open(layout, blob, error);
	ZS_AUTO_FD int copy = -1;
	char bytes[64 * 1024], hex[ZS_SHA256_HEX + 1];
	size_t len = sizeof bytes;
	uint64_t left = blob->size;
	void *map;
	int r = from < 0 ? from : 0;

	if (r < 0)
		return r;
	copy = openat(making->store.tmp.folder, "blob", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (copy < 0 || unlinkat(making->store.tmp.folder, "blob", 0) < 0)
		return zs_error_errno(error, step, making->store.path, errno);
	for (; r == 0 && left > 0; left -= len) {
		r = zs_read_up_to(from, left < sizeof bytes ? (size_t)left : sizeof bytes, bytes, &len);
		if (r == 0 && len == 0)
			return zs_error_say(error, step, blob->hex, EINVAL,
				"is not a file of the size that the image "
				"names");
		if (r == 0)
			r = zs_write_all(copy, bytes, len);
	}
	if (r < 0)
		return zs_error_errno(error, step, making->store.path, -r);
	map = blob->size ? mmap(NULL, blob->size, PROT_READ, MAP_PRIVATE, copy, 0) : NULL;
	if (map == MAP_FAILED)
		return zs_error_errno(error, step, blob->hex, errno);
	zs_sha256(map ? map : "", blob->size, hex);
	if (map)
		munmap(map, blob->size);
	if (strcmp(hex, blob->hex) != 0)
		return zs_error_say(error, step, blob->hex, EINVAL, "does not have the bytes of its digest");
	return ZS_STEAL_FD(copy);
}

static int add_layer(
	const struct making *making, const struct zs_image_layout *layout, size_t index, struct zs_error *error)
{
	const struct zs_image_blob *blob = &layout->layers[index];
	ZS_AUTO_FD int copy = take_blob(making, layout, blob, error);
	int r = copy < 0 ? copy : 0;

	/* The first layer has nothing below it to remove. */
	if (r == 0 && index > 0)
		r = unpack(making, copy, blob->compression, "whiteouts", error);
	if (r == 0)
		r = unpack(making, copy, blob->compression, "files", error);
	if (r == -ECANCELED)
		zs_error_say(error, step, blob->hex, ECANCELED,
			"is a layer that could not be unpacked; the line above says why");
	return r;
}

static int make_image(struct making *making, const struct zs_image_layout *layout, struct zs_error *error)
{
	int r = zs_store_begin(&making->store, error);

	if (r < 0)
		return r;
	if (snprintf(making->root, sizeof making->root, "%s/%s/root", making->store.path, making->store.tmp.name) >=
		(int)sizeof making->root)
		return zs_error_errno(error, step, making->store.path, ENAMETOOLONG);
	if (mkdir(making->root, 0755) < 0)
		return zs_error_errno(error, step, making->root, errno);
	for (size_t i = 0; r == 0 && i < layout->count; i++)
		r = add_layer(making, layout, i, error);
	return r < 0 ? r : zs_store_keep(&making->store, layout->manifest.hex, error);
}

int zs_image_use(struct zs_policy *policy, const char *path, bool root_user, char *const envp[], struct zs_error *error)
{
	ZS_AUTO_FREE struct zs_image_layout *layout = malloc(sizeof *layout);
	struct making making = { .store = ZS_STORE_NONE(step) };
	char root[PATH_MAX + ZS_SHA256_HEX];
	int r = layout ? zs_image_layout_read(path, layout, error) : zs_error_errno(error, step, NULL, ENOMEM);

	if (r < 0)
		return r;
	r = zs_store_open(&making.store, "images", policy, envp, error);
	if (r == 0 && !zs_store_has(&making.store, layout->manifest.hex))
		r = make_image(&making, layout, error);
	snprintf(root, sizeof root, "%s/%s/root", making.store.path, layout->manifest.hex);
	if (r == 0)
		r = zs_policy_set_root(policy, root, root_user, error);
	if (r == 0)
		r = zs_policy_set_image(policy, layout->manifest.hex, error);
	close(layout->folder);
	zs_store_close(&making.store);
	return r;
}
