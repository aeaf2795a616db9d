/* Another root directory: overlayfs with the policy's folder as lower layer and a tmpfs of the run, or a folder on disk
 * (disk_tmp.h), as upper layer. Many runs share the folder, and none changes it.
 *
 * The mount points for the workspace and the grants are made in the upper layer before the overlay is mounted: in the
 * overlay the rights of the folder's owner count, who may be another user. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/read_file.h"
#include "linux/base/mount_calls.h"
#include "linux/base/stage.h"
#include "linux/files/disk_tmp.h"
#include "linux/files/overlay_mount.h"
#include "linux/files/root_tree.h"

/* The folder of the upper layer. On disk the workspace's layer may lie beside it. */
static const char own_folder[] = "root";

/* A new folder can be written: what lies in it is gone with the run. */
enum { FOLDER_MODE = 0755, FILE_MODE = 0644, KEPT_MODE = 01777 };

/* Two folders of the same path, in both layers. */
struct pair {
	int lower; /* -1: the lower layer has no such folder */
	int upper;
};

static void pair_close(struct pair *pair)
{
	if (pair->lower >= 0)
		close(pair->lower);
	if (pair->upper >= 0)
		close(pair->upper);
}

/* Enters a folder, which it makes in the upper layer with the mode of the lower one. -ELOOP: the lower layer has no
 * folder by that name, but something else; in the upper layer nothing is made over it. */
static int descend(struct pair *pair, const char *name)
{
	struct pair next = { -1, -1 };
	mode_t mode = FOLDER_MODE;
	struct stat st;
	int r = 0;

	if (pair->lower >= 0 && fstatat(pair->lower, name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
		if (!S_ISDIR(st.st_mode))
			return -ELOOP;
		mode = st.st_mode & KEPT_MODE;
		next.lower = openat(pair->lower, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		r = next.lower < 0 ? -errno : 0;
	} else if (pair->lower >= 0 && errno != ENOENT) {
		r = -errno;
	}
	if (r == 0 && mkdirat(pair->upper, name, mode | S_IRWXU) < 0 && errno != EEXIST)
		r = -errno;
	if (r == 0) {
		next.upper = openat(pair->upper, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		r = next.upper < 0 ? -errno : 0;
	}
	if (r < 0) {
		pair_close(&next);
		return r;
	}
	pair_close(pair);
	*pair = next;
	return 0;
}

struct maker {
	const struct zs_layers *layers;
	struct zs_error *error;
};

/* Makes the folder, or the empty file, of an absolute path that the lower layer does not have. over_link: a symbolic
 * link there is replaced. */
static int make_place(const struct maker *maker, const char *path, bool folder, bool over_link)
{
	struct pair at = { fcntl(maker->layers->lower, F_DUPFD_CLOEXEC, 0),
		fcntl(maker->layers->upper, F_DUPFD_CLOEXEC, 0) };
	char names[PATH_MAX], *name = names;
	struct stat st;
	int r = at.lower < 0 || at.upper < 0 ? -errno : 0;

	if (strlen(path) >= sizeof names)
		r = -ENAMETOOLONG;
	else
		strcpy(names, path + 1); // NOLINT: its length is known
	for (char *slash; r == 0 && (slash = strchr(name, '/')); name = slash + 1) {
		*slash = '\0';
		r = descend(&at, name);
	}
	if (r == 0 && *name && at.lower >= 0 && fstatat(at.lower, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		!(over_link && S_ISLNK(st.st_mode)))
		*name = '\0';
	if (r == 0 && *name &&
		(folder ? mkdirat(at.upper, name, FOLDER_MODE) : mknodat(at.upper, name, S_IFREG | FILE_MODE, 0)) < 0 &&
		errno != EEXIST)
		r = -errno;
	pair_close(&at);
	/* Attaching a mount there fails then, and names the path. */
	return r < 0 && r != -ELOOP ? zs_error_errno(maker->error, "", path, -r) : 0;
}

/* Makes the place for what is mounted from the machine's own path. Below /dev the place would not be seen: another
 * root's /dev is always covered by a folder of the run, where the places are made (zs_root_cover()). */
static int make_same(const struct maker *maker, const char *path)
{
	ZS_AUTO_FD int place = zs_open_place(AT_FDCWD, path);
	struct stat st;

	if (place < 0 || fstat(place, &st) < 0) /* a grant that is missing is skipped */
		return 0;
	return make_place(maker, path, S_ISDIR(st.st_mode), false);
}

static int make_parent(const struct maker *maker, const char *path)
{
	ZS_AUTO_FREE char *parent = strndup(path, (size_t)(strrchr(path, '/') - path));

	if (!parent)
		return zs_error_errno(maker->error, "", path, ENOMEM);
	return *parent ? make_place(maker, parent, true, false) : 0;
}

static int make_places(const struct zs_policy *policy, const struct maker *maker)
{
	static const char *const folders[] = { "/dev", "/proc", NULL };
	char cwd[PATH_MAX];
	int r = 0;

	for (size_t i = 0; r == 0 && folders[i]; i++)
		r = make_place(maker, folders[i], true, false);
	for (const char *const *path = zs_private_folders; r == 0 && policy->tmp == ZS_TMP_PRIVATE && *path; path++)
		r = make_place(maker, *path, true, false);
	if (r == 0 && policy->network != ZS_NETWORK_FULL)
		r = make_place(maker, "/etc/resolv.conf", false, true);
	if (r == 0 && policy->workspace)
		r = make_same(maker, policy->workspace);
	for (size_t i = 0; r == 0 && i < policy->grant_count; i++)
		if (policy->grants[i].access >= ZS_ACCESS_READ && strncmp(policy->grants[i].path, "/dev/", 5) != 0)
			r = make_same(maker, policy->grants[i].path);
	for (size_t i = 0; r == 0 && i < policy->sockets.count; i++)
		r = make_same(maker, policy->sockets.items[i]);
	for (size_t i = 0; r == 0 && i < policy->link_count; i++)
		r = make_parent(maker, policy->links[i].path);
	if (r == 0 && getcwd(cwd, sizeof cwd) && cwd[0] == '/')
		r = make_place(maker, cwd, true, false);
	return r;
}

/* apt gives up root's rights for downloads, and looks whether they are gone. It can be told not to. */
static int tell_apt(const struct maker *maker)
{
	static const char path[] = "/etc/apt/apt.conf.d/99zs-root-user", text[] = "APT::Sandbox::User \"root\";\n";
	ZS_AUTO_FD int apt = zs_open_place(maker->layers->lower, "etc/apt/apt.conf.d");
	ZS_AUTO_FD int file = -1;
	int r = apt < 0 ? 0 : make_place(maker, path, false, false);

	if (apt < 0 || r < 0)
		return r;
	/* The upper layer has no links. Where it lacks the file, the lower one has its own. */
	file = openat(maker->layers->upper, path + 1, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC);
	r = file < 0 ? -errno : zs_write_all(file, text, sizeof text - 1);
	return r < 0 && r != -ENOENT ? zs_error_errno(maker->error, "", path, -r) : 0;
}

static int other_root_set_up(struct zs_run *run, struct zs_layers *layers, struct zs_error *error)
{
	const struct maker maker = { layers, error };
	const char *root = run->policy->root;
	ZS_AUTO_FD int scratch = -1;
	ZS_AUTO_FD int own = -1;
	mode_t mask;
	int r = layers->lower = zs_layers_lower(root);

	if (r < 0)
		return zs_layers_refuse(error, root, -r, "choose another folder as the root directory");
	scratch = zs_disk_tmp_open(run);
	if (scratch == -ENOENT)
		scratch = zs_layers_scratch(zs_policy_tmp_bytes(run->policy));
	r = scratch < 0 ? scratch : 0;
	if (r == 0 && mkdirat(scratch, own_folder, 0700) < 0)
		r = -errno;
	if (r == 0)
		r = own = openat(scratch, own_folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (r >= 0)
		r = zs_layers_make(own, layers);
	if (r < 0)
		return zs_error_errno(error, "", "upper layer", -r);
	mask = umask(0);
	r = make_places(run->policy, &maker);
	if (r == 0 && run->policy->root_user)
		r = tell_apt(&maker);
	umask(mask);
	if (r < 0)
		return r;
	r = run->root = zs_layers_mount(layers);
	return r < 0 ? zs_layers_refuse(error, root, -r, "choose another folder as the root directory") : 0;
}

int zs_stage_root(struct zs_run *run, struct zs_error *error)
{
	struct zs_layers layers = ZS_LAYERS_NONE;
	int r;

	if (!run->policy->root)
		return 0;
	r = other_root_set_up(run, &layers, error);
	zs_layers_close(&layers);
	return r < 0 ? r : 0;
}
