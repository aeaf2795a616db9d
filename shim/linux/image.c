/* The store of unpacked images: $XDG_STATE_HOME/zs/images, a folder for each image, named by its manifest's digest. Two
 * confined processes unpack a layer: gzip, if it is compressed, and zs itself (unpack.c). */
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
#include "linux/files/own_tmp.h"
#include "linux/image_layout.h"
#include "policy/policy.h"
#include "settings/settings_places.h"
#include "zs_shim.h"

static const char step[] = "image";
/* An image that is not complete yet. */
static const char unfinished[] = "new-";

struct store {
	char path[PATH_MAX];
	int folder;
	struct zs_own_tmp tmp; /* the image that is made */
	char root[PATH_MAX];   /* its content */
};

bool zs_image_is(const char *path)
{
	ZS_AUTO_FREE char *file = zs_path_join(path, "oci-layout");
	struct stat st;

	return file && lstat(file, &st) == 0 && S_ISREG(st.st_mode);
}

/* The store */

static int remove_unfinished(int folder, const char *name, unsigned char type, void *arg)
{
	struct zs_own_tmp left = { .made = true, .parent = folder, .folder = -1 };
	ZS_AUTO_FD int fd = -1;

	(void)type;
	(void)arg;
	if (strncmp(name, unfinished, strlen(unfinished)) != 0 || strlen(name) >= sizeof left.name)
		return 0;
	fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	left.folder = fd;
	snprintf(left.name, sizeof left.name, "%s", name);
	return fd < 0 ? 0 : zs_own_tmp_remove(&left);
}

/* The store lies beside what zs itself obeys, which no run can write. */
static int find_store(struct store *store, const struct zs_policy *policy, char *const envp[], struct zs_error *error)
{
	ZS_AUTO_FREE char *state = NULL;
	int r = zs_settings_folder(&zs_settings_places.state, envp, &state);

	if (r == -ENOENT)
		return zs_error_say(error, step, "HOME", ENOENT, "is not set, so there is no folder for images");
	if (r < 0)
		return zs_error_errno(error, step, "", -r);
	if (snprintf(store->path, sizeof store->path, "%s/images", state) >= PATH_MAX - ZS_SHA256_HEX - 16)
		return zs_error_errno(error, step, state, ENAMETOOLONG);
	if (policy->workspace && zs_settings_are_planted(&zs_settings_places.state, envp, policy->workspace))
		return zs_error_say(error, step, store->path, EPERM, "lies in the workspace; unset XDG_STATE_HOME");
	r = zs_make_private_folders(store->path);
	return r < 0 ? zs_error_errno(error, step, store->path, -r) : 0;
}

/* Opens the folder and locks it: one process at a time makes an image, and finds what a killed one has left. */
static int open_store(struct store *store, const struct zs_policy *policy, char *const envp[], struct zs_error *error)
{
	struct stat st;
	int r = find_store(store, policy, envp, error);

	if (r < 0)
		return r;
	store->folder = open(store->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (store->folder < 0 || fstat(store->folder, &st) < 0)
		return zs_error_errno(error, step, store->path, errno);
	if (st.st_uid != geteuid() || st.st_mode & (S_IRWXG | S_IRWXO))
		return zs_error_say(error, step, store->path, EPERM, "is not yours alone");
	while (flock(store->folder, LOCK_EX) < 0)
		if (errno != EINTR)
			return zs_error_errno(error, step, store->path, errno);
	zs_folder_list(store->folder, remove_unfinished, NULL);
	return 0;
}

/* Processes */

static _Noreturn void be(const struct zs_policy *policy, char *const argv[], int in, int out)
{
	char *const none[] = { NULL };
	struct zs_error error;

	if (dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0)
		_exit(ZS_EXIT_CANNOT_ENFORCE);
	signal(SIGPIPE, SIG_DFL);
	zs_exec(policy, argv, none, &error);
	zs_error_write_last(STDERR_FILENO, &error);
	_exit(ZS_EXIT_CANNOT_ENFORCE);
}

/* Starts a program that can read nothing but its input, and write in this folder alone; NULL: nowhere. */
static int start(char *const argv[], const char *folder, int in, int out, pid_t *ret_pid, struct zs_error *error)
{
	struct zs_policy *policy;
	int r = zs_policy_new(NULL, &policy);

	if (r < 0)
		return zs_error_errno(error, step, NULL, -r);
	r = zs_policy_add_exec(policy, argv[0], error);
	if (r == 0 && folder)
		r = zs_policy_add_path(policy, folder, ZS_ACCESS_WRITE, error);
	if (r == 0) {
		*ret_pid = fork();
		if (*ret_pid == 0)
			be(policy, argv, in, out);
		r = *ret_pid < 0 ? zs_error_errno(error, step, "fork", errno) : 0;
	}
	zs_policy_free(policy);
	return r;
}

static bool has_succeeded(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static int unpack(const struct store *store, int blob, bool gzip, const char *pass, struct zs_error *error)
{
	static const char *const compressors[] = { "/usr/bin/gzip", "/bin/gzip" };
	char program[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", program, sizeof program - 1);
	char *inflate[] = { (char *)(uintptr_t)compressors[access(compressors[0], X_OK) < 0], (char[]){ "-dc" }, NULL };
	char *words[] = { program, (char[]){ ZS_UNPACK }, (char *)(uintptr_t)store->root, (char *)(uintptr_t)pass,
		NULL };
	pid_t inflater = -1, unpacker = -1;
	int ends[2] = { -1, -1 }, r = 0;

	if (len < 0 || lseek(blob, 0, SEEK_SET) < 0)
		return zs_error_errno(error, step, "", errno);
	program[len] = '\0';
	if (gzip && pipe2(ends, O_CLOEXEC) < 0)
		return zs_error_errno(error, step, "pipe", errno);
	if (gzip)
		r = start(inflate, NULL, blob, ends[1], &inflater, error);
	if (ends[1] >= 0)
		close(ends[1]);
	if (r == 0)
		r = start(words, store->root, gzip ? ends[0] : blob, STDERR_FILENO, &unpacker, error);
	if (ends[0] >= 0)
		close(ends[0]);
	if (unpacker > 0 && !has_succeeded(unpacker))
		r = -ECANCELED;
	if (inflater > 0 && !has_succeeded(inflater) && r == 0)
		r = -ECANCELED;
	return r;
}

/* Layers */

/* Copies a blob, and compares the copy's digest: nobody can change the copy. Returns a descriptor. */
static int take_blob(const struct store *store, const struct zs_image_layout *layout, const struct zs_image_blob *blob,
	struct zs_error *error)
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
	copy = openat(store->tmp.folder, "blob", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (copy < 0 || unlinkat(store->tmp.folder, "blob", 0) < 0)
		return zs_error_errno(error, step, store->path, errno);
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
		return zs_error_errno(error, step, store->path, -r);
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
	const struct store *store, const struct zs_image_layout *layout, size_t index, struct zs_error *error)
{
	const struct zs_image_blob *blob = &layout->layers[index];
	ZS_AUTO_FD int copy = take_blob(store, layout, blob, error);
	int r = copy < 0 ? copy : 0;

	/* The first layer has nothing below it to remove. */
	if (r == 0 && index > 0)
		r = unpack(store, copy, blob->gzip, "whiteouts", error);
	if (r == 0)
		r = unpack(store, copy, blob->gzip, "files", error);
	if (r == -ECANCELED)
		zs_error_say(error, step, blob->hex, ECANCELED,
			"is a layer that could not be unpacked; the line above says why");
	return r;
}

static int make_image(struct store *store, const struct zs_image_layout *layout, struct zs_error *error)
{
	int r = zs_own_tmp_make(&store->tmp, store->path, unfinished);

	if (r < 0)
		return zs_error_errno(error, step, store->path, -r);
	if (snprintf(store->root, sizeof store->root, "%s/%s/root", store->path, store->tmp.name) >=
		(int)sizeof store->root)
		return zs_error_errno(error, step, store->path, ENAMETOOLONG);
	if (mkdir(store->root, 0755) < 0)
		return zs_error_errno(error, step, store->root, errno);
	for (size_t i = 0; r == 0 && i < layout->count; i++)
		r = add_layer(store, layout, i, error);
	if (r == 0 && renameat(store->folder, store->tmp.name, store->folder, layout->manifest.hex) < 0)
		r = zs_error_errno(error, step, store->path, errno);
	return r;
}

static int image_find(struct store *store, const struct zs_policy *policy, const struct zs_image_layout *layout,
	char *const envp[], struct zs_error *error)
{
	struct stat st;
	int r = open_store(store, policy, envp, error);

	if (r < 0 || fstatat(store->folder, layout->manifest.hex, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return r;
	r = make_image(store, layout, error);
	if (r < 0)
		zs_own_tmp_remove(&store->tmp);
	return r;
}

int zs_image_use(struct zs_policy *policy, const char *path, bool root_user, char *const envp[], struct zs_error *error)
{
	ZS_AUTO_FREE struct zs_image_layout *layout = malloc(sizeof *layout);
	struct store store = { .folder = -1, .tmp = { .parent = -1, .folder = -1 } };
	char root[PATH_MAX + ZS_SHA256_HEX];
	int r = layout ? zs_image_layout_read(path, layout, error) : zs_error_errno(error, step, NULL, ENOMEM);

	if (r < 0)
		return r;
	r = image_find(&store, policy, layout, envp, error);
	snprintf(root, sizeof root, "%s/%s/root", store.path, layout->manifest.hex);
	if (r == 0)
		r = zs_policy_set_root(policy, root, root_user, error);
	if (r == 0)
		r = zs_policy_set_image(policy, layout->manifest.hex, error);
	close(layout->folder);
	for (size_t i = 0; i < 3; i++) {
		const int fds[] = { store.folder, store.tmp.folder, store.tmp.parent };

		if (fds[i] >= 0)
			close(fds[i]);
	}
	return r;
}
