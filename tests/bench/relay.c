/* The least that a relay can do: one connection, no policy, no events, each call waits.
 *
 *	bench-relay splice|copy PORT       prints the port that it listens at; passes what comes there on to PORT
 *
 * The client's first bytes go to the server at once; from then on bytes go from the server to the client only. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { AT_ONCE = 256 * 1024, PIPE_BYTES = 512 * 1024 };

static _Noreturn void die(const char *what)
{
	perror(what);
	exit(1);
}

static struct sockaddr_in at_port(unsigned port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)
	};
}

/* Its connections are not paced, as the proxy's are not. */
static int open_socket(void)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, "reno", strlen("reno")) < 0)
		die("socket");
	return fd;
}

static int accept_one(void)
{
	struct sockaddr_in address = at_port(0);
	socklen_t size = sizeof address;
	int listener = open_socket(), fd;

	if (bind(listener, (struct sockaddr *)&address, size) < 0 || listen(listener, 1) < 0 ||
		getsockname(listener, (struct sockaddr *)&address, &size) < 0)
		die("listen");
	printf("%d\n", ntohs(address.sin_port));
	fflush(stdout);
	fd = accept(listener, NULL, NULL);
	if (fd < 0)
		die("accept");
	return fd;
}

static int connect_to(unsigned port)
{
	const struct sockaddr_in address = at_port(port);
	int fd = open_socket();

	if (connect(fd, (const struct sockaddr *)&address, sizeof address) < 0)
		die("connect");
	return fd;
}

/* Until one of them has ended. */
static void splice_all(int from, int to)
{
	int ends[2];
	ssize_t held, len;

	if (pipe(ends) < 0)
		die("pipe");
	fcntl(ends[1], F_SETPIPE_SZ, PIPE_BYTES);
	while ((held = splice(from, NULL, ends[1], NULL, PIPE_BYTES, SPLICE_F_MOVE)) > 0)
		for (; held > 0; held -= len)
			if ((len = splice(ends[0], NULL, to, NULL, (size_t)held, SPLICE_F_MOVE)) <= 0)
				return;
}

static void copy_all(int from, int to)
{
	static char buffer[AT_ONCE];
	ssize_t len;

	/* send(2) of a socket that waits takes all. */
	while ((len = recv(from, buffer, sizeof buffer, 0)) > 0)
		if (send(to, buffer, (size_t)len, MSG_NOSIGNAL) != len)
			return;
}

int main(int argc, char **argv)
{
	char first[4096];
	int client, server;
	ssize_t len;

	if (argc != 3)
		return 64;
	client = accept_one();
	server = connect_to((unsigned)atoi(argv[2]));
	len = recv(client, first, sizeof first, 0);
	if (len <= 0 || send(server, first, (size_t)len, MSG_NOSIGNAL) != len)
		die("first");
	(strcmp(argv[1], "splice") == 0 ? splice_all : copy_all)(server, client);
	return 0;
}
