#include "door_pacing.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

void zs_door_do_not_pace(int socket)
{
	static const char reno[] = "reno";

	setsockopt(socket, IPPROTO_TCP, TCP_CONGESTION, reno, sizeof reno - 1);
}
