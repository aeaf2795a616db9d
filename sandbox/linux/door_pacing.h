/* What is sent on a loopback device is not paced. Nothing is congested there, but a machine's default may be bbr, which
 * sends in small bursts with a timer for each (net/ipv4/tcp_bbr.c): through the door that costs half of the throughput
 * and twice the processor's time. Reno is in every kernel and anybody's to choose (man 7 tcp). Where it cannot be had
 * all works, slower. */
#ifndef ZS_SANDBOX_LINUX_DOOR_PACING_H
#define ZS_SANDBOX_LINUX_DOOR_PACING_H

/* For all sockets that are opened in the caller's network from now on, which is the command's. */
void zs_pacing_end(void);

/* For one, which is not connected yet. */
void zs_pacing_end_of(int socket);

#endif
