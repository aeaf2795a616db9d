/* Sockets as the proxy has them: nothing waits for one, and no program inherits one. linux/, plain/. */
#ifndef ZS_SANDBOX_PROXY_SOCKET_H
#define ZS_SANDBOX_PROXY_SOCKET_H

#include <stddef.h>
#include <sys/types.h>

/* As socket(2) and accept(2); a negative errno. */
int zs_proxy_socket(int family, int type);
int zs_proxy_take(int listener);

/* As send(2). A peer that has gone is told by EPIPE, and by no signal. */
ssize_t zs_proxy_send(int socket, const void *bytes, size_t len);

/* Bytes from this socket, and from those that it accepts, are not paced on a loopback device. Nothing is congested
 * there, but a machine's default may be bbr, which sends in small bursts with a timer for each (net/ipv4/tcp_bbr.c):
 * through the proxy that costs half of the throughput and twice the processor's time. Reno is in every kernel and
 * anybody's to choose (man 7 tcp). Where it cannot be had all works, slower; macOS has neither. */
void zs_proxy_do_not_pace(int socket);

#endif
