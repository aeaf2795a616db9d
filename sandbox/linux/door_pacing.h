#ifndef ZS_SANDBOX_LINUX_DOOR_PACING_H
#define ZS_SANDBOX_LINUX_DOOR_PACING_H

/* What this socket and those that it accepts send over a loopback device is not paced. Nothing is congested there, but
 * a machine's default may be bbr, which sends in small bursts with a timer for each (net/ipv4/tcp_bbr.c): through the
 * door that costs half of the throughput and twice the processor's time. Reno is in every kernel and anybody's to
 * choose (man 7 tcp). Where it cannot be had all works, slower. */
void zs_door_do_not_pace(int socket);

#endif
