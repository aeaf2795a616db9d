/* The socket of zs vet --serve: in a folder of the user's own, for processes of the user's own. */
#ifndef ZS_CMD_SERVE_SOCKET_H
#define ZS_CMD_SERVE_SOCKET_H

#include <stdbool.h>
#include <sys/types.h>

struct zs_serve_socket {
	int fd;     /* listens, and does not block */
	int folder; /* which is the working directory as well */
	const char *name;
	dev_t device;
	ino_t inode;
};

/* Changes the working directory. A socket that nobody listens to is replaced. Points into path. Returns an exit code;
 * stderr was told what is wrong. */
int zs_serve_socket_open(const char *path, struct zs_serve_socket *ret_socket);

/* Removes it, unless another file is there by now. */
void zs_serve_socket_close(const struct zs_serve_socket *socket);

/* Does a process of this user stand at the other end? */
bool zs_serve_socket_is_own(int fd);

#endif
