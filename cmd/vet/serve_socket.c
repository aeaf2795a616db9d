#include "vet/serve_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/exit.h"
#include "base/message.h"

static const char step[] = "vet: --socket";

enum { BACKLOG = 64 };

static int complain(const char *path, const char *what)
{
	zs_complain("%s: %s: %s", step, path, what);
	return ZS_EXIT_CANNOT_ENFORCE;
}

static int complain_errno(const char *path)
{
	zs_complain_errno(step, path, errno);
	return ZS_EXIT_CANNOT_ENFORCE;
}

/* Who can write the folder can put another socket there, of a server that allows everything. */
static int open_folder(const char *path, int *ret_folder)
{
	char folder[sizeof((struct sockaddr_un *)0)->sun_path];
	const char *slash = strrchr(path, '/');
	struct stat status;
	int fd;

	snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &status) < 0 || fchdir(fd) < 0) {
		complain_errno(folder);
	} else if (status.st_uid != geteuid() || (status.st_mode & (S_IWGRP | S_IWOTH))) {
		complain(folder, "others can write this folder; use one of your own, such as $XDG_RUNTIME_DIR");
	} else {
		*ret_folder = fd;
		return ZS_EXIT_OK;
	}
	if (fd >= 0)
		close(fd);
	return ZS_EXIT_CANNOT_ENFORCE;
}

static void fill_address(const char *name, struct sockaddr_un *address)
{
	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	snprintf(address->sun_path, sizeof address->sun_path, "%s", name);
}

static int make_socket(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	if (fd >= 0 && (fcntl(fd, F_SETFD, FD_CLOEXEC) < 0 || fcntl(fd, F_SETFL, O_NONBLOCK) < 0)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* connect(2): ECONNREFUSED says that nobody listens; a full backlog is EAGAIN. */
static bool is_stale(const struct sockaddr_un *address)
{
	int fd = make_socket();
	bool refused;

	if (fd < 0)
		return false;
	refused = connect(fd, (const struct sockaddr *)address, sizeof *address) < 0 && errno == ECONNREFUSED;
	close(fd);
	return refused;
}

static int remove_stale(const char *path, const struct sockaddr_un *address)
{
	struct stat status;

	if (lstat(address->sun_path, &status) < 0)
		return errno == ENOENT ? ZS_EXIT_OK : complain_errno(path);
	if (!S_ISSOCK(status.st_mode))
		return complain(path, "is there, and is no socket; name another path");
	if (status.st_uid != geteuid())
		return complain(path, "is another user's; name another path");
	if (!is_stale(address))
		return complain(path, "somebody listens there already; stop that, or name another path");
	return unlink(address->sun_path) < 0 ? complain_errno(path) : ZS_EXIT_OK;
}

/* man 7 unix: its mode is by the umask, and who cannot write it cannot connect. */
static int bind_private(int fd, const struct sockaddr_un *address)
{
	mode_t before = umask(S_IXUSR | S_IRWXG | S_IRWXO);
	int r = bind(fd, (const struct sockaddr *)address, sizeof *address);

	umask(before);
	return r;
}

static int listen_there(const char *path, struct zs_serve_socket *made)
{
	struct sockaddr_un address;
	struct stat status;
	int r;

	fill_address(made->name, &address);
	/* Of two servers that find a stale socket, the second must not remove the first one's. */
	if (flock(made->folder, LOCK_EX) < 0)
		return complain_errno(path);
	r = remove_stale(path, &address);
	if (r == ZS_EXIT_OK && (bind_private(made->fd, &address) < 0 || listen(made->fd, BACKLOG) < 0 ||
				       lstat(made->name, &status) < 0))
		r = complain_errno(path);
	flock(made->folder, LOCK_UN);
	if (r == ZS_EXIT_OK) {
		made->device = status.st_dev;
		made->inode = status.st_ino;
	}
	return r;
}

int zs_serve_socket_open(const char *path, struct zs_serve_socket *ret_socket)
{
	const char *slash = strrchr(path, '/');
	struct zs_serve_socket made = { .fd = -1, .folder = -1, .name = slash ? slash + 1 : path };
	int r;

	if (!*made.name)
		return complain(path, "names no file; write the path of a socket");
	if (strlen(path) >= sizeof((struct sockaddr_un *)0)->sun_path)
		return complain(path, "is too long for a socket's path (man 7 unix); use a shorter one");
	r = open_folder(path, &made.folder);
	if (r != ZS_EXIT_OK)
		return r;
	made.fd = make_socket();
	r = made.fd < 0 ? complain_errno(path) : listen_there(path, &made);
	if (r == ZS_EXIT_OK) {
		*ret_socket = made;
		return r;
	}
	if (made.fd >= 0)
		close(made.fd);
	close(made.folder);
	return r;
}

void zs_serve_socket_close(const struct zs_serve_socket *made)
{
	struct stat status;

	if (fstatat(made->folder, made->name, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_dev == made->device &&
		status.st_ino == made->inode)
		unlinkat(made->folder, made->name, 0);
	close(made->fd);
	close(made->folder);
}

#ifdef __APPLE__
bool zs_serve_socket_is_own(int fd)
{
	uid_t uid;
	gid_t gid;

	return getpeereid(fd, &uid, &gid) == 0 && uid == geteuid();
}
#else
bool zs_serve_socket_is_own(int fd)
{
	struct ucred peer;
	socklen_t size = sizeof peer;

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}
#endif
