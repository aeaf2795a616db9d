/* A program that knows of no proxy and no C library's resolver, as a static Go program does: it asks 127.0.0.1:53 for
 * the name's address, connects to that, and says what comes back.
 *
 *	blind NAME PORT tls     sends a ClientHello that names NAME; "handshake" when a ServerHello comes
 *	blind NAME PORT http    asks for /, and prints the answer's body
 *	blind NAME PORT hear    says nothing, and prints the first line that comes
 *
 * It ends with 1 and a line on standard error when there is no such name, no connection, or no answer. */
#include <arpa/inet.h>
#include <err.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { NAME_MAX_BYTES = 200, PACKET = 512, ANSWER = 8192, PATIENCE_SECONDS = 20 };

/* A message in the making. */
struct message {
	uint8_t bytes[PACKET];
	size_t len;
};

static void put(struct message *message, const void *bytes, size_t len)
{
	if (len > sizeof message->bytes - message->len)
		errx(EXIT_FAILURE, "too long");
	memcpy(message->bytes + message->len, bytes, len);
	message->len += len;
}

static void put_number(struct message *message, size_t bytes, size_t number)
{
	while (bytes-- > 0)
		put(message, &(uint8_t){ (uint8_t)(number >> (8 * bytes)) }, 1);
}

static void be_patient(int fd)
{
	const struct timeval patience = { .tv_sec = PATIENCE_SECONDS };

	if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) < 0)
		err(EXIT_FAILURE, "setsockopt");
}

static int connect_to(int type, uint32_t address, uint16_t port)
{
	const struct sockaddr_in to = {
		.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(address)
	};
	int fd = socket(AF_INET, type, 0);

	if (fd < 0 || connect(fd, (const struct sockaddr *)&to, sizeof to) < 0)
		err(EXIT_FAILURE, "%s", type == SOCK_DGRAM ? "resolver" : "connect");
	be_patient(fd);
	return fd;
}

/* RFC 1035, section 4: one question, for A, and recursion is desired. */
static struct message question_of(const char *name)
{
	struct message question = { .len = 0 };

	put_number(&question, 2, 0x1234);
	put_number(&question, 2, 0x0100);
	put_number(&question, 2, 1);
	put_number(&question, 6, 0);
	for (size_t len; *name; name += len + (name[len] == '.')) {
		len = strcspn(name, ".");
		put_number(&question, 1, len);
		put(&question, name, len);
	}
	put_number(&question, 1, 0);
	put_number(&question, 2, 1);
	put_number(&question, 2, 1);
	return question;
}

/* The address of the first answer, which stands behind the question: a pointer to its name, type, class, TTL, length.
 */
static uint32_t resolve(const char *name)
{
	enum { COUNT_AT = 6, HEAD_OF_ANSWER = 12 };
	const struct message question = question_of(name);
	int fd = connect_to(SOCK_DGRAM, INADDR_LOOPBACK, 53);
	uint8_t answer[PACKET];
	uint32_t address;
	ssize_t len;

	if (send(fd, question.bytes, question.len, 0) < 0)
		err(EXIT_FAILURE, "resolver: send");
	len = recv(fd, answer, sizeof answer, 0);
	if (len < 0)
		err(EXIT_FAILURE, "resolver: recv");
	close(fd);
	if ((size_t)len < question.len + HEAD_OF_ANSWER + sizeof address || answer[COUNT_AT + 1] == 0)
		errx(EXIT_FAILURE, "%s: no such name", name);
	memcpy(&address, answer + question.len + HEAD_OF_ANSWER, sizeof address);
	return ntohl(address);
}

static void put_extension(struct message *hello, uint16_t type, const void *bytes, size_t len)
{
	put_number(hello, 2, type);
	put_number(hello, 2, len);
	put(hello, bytes, len);
}

/* RFC 5246, section 7.4.1.2, with the extensions that a server wants: the name (RFC 6066), curves, points (RFC 8422)
 * and signatures. It never goes further than the first answer, so nothing in it is random. */
static struct message hello_to(const char *name)
{
	static const uint8_t groups[] = { 0, 4, 0, 29, 0, 23 }, points[] = { 1, 0 },
			     signatures[] = { 0, 8, 4, 3, 8, 4, 4, 1, 5, 3 };
	static const uint8_t ciphers[] = { 0xc0, 0x2b, 0xc0, 0x2f, 0xc0, 0x2c, 0xc0, 0x30 };
	struct message sni = { .len = 0 }, extensions = { .len = 0 }, body = { .len = 0 }, hello = { .len = 0 };
	const uint8_t random[32] = { 0 };

	put_number(&sni, 2, strlen(name) + 3);
	put_number(&sni, 1, 0);
	put_number(&sni, 2, strlen(name));
	put(&sni, name, strlen(name));
	put_extension(&extensions, 0, sni.bytes, sni.len);
	put_extension(&extensions, 10, groups, sizeof groups);
	put_extension(&extensions, 11, points, sizeof points);
	put_extension(&extensions, 13, signatures, sizeof signatures);
	put_number(&body, 2, 0x0303);
	put(&body, random, sizeof random);
	put_number(&body, 1, 0); /* no session */
	put_number(&body, 2, sizeof ciphers);
	put(&body, ciphers, sizeof ciphers);
	put_number(&body, 2, 0x0100); /* one compression: none */
	put_number(&body, 2, extensions.len);
	put(&body, extensions.bytes, extensions.len);
	put_number(&hello, 1, 22);
	put_number(&hello, 2, 0x0301);
	put_number(&hello, 2, body.len + 4);
	put_number(&hello, 1, 1);
	put_number(&hello, 3, body.len);
	put(&hello, body.bytes, body.len);
	return hello;
}

static void say(int fd, const void *bytes, size_t len)
{
	if (send(fd, bytes, len, MSG_NOSIGNAL) != (ssize_t)len)
		err(EXIT_FAILURE, "send");
}

/* Until `enough` bytes have come, or the end. A string, if there is no NUL in it. */
static size_t hear(int fd, char *answer, size_t enough)
{
	size_t got = 0;

	while (got < enough) {
		ssize_t len = recv(fd, answer + got, enough - got, 0);

		if (len < 0)
			err(EXIT_FAILURE, "recv");
		if (len == 0)
			break;
		got += (size_t)len;
	}
	answer[got] = '\0';
	if (got == 0)
		errx(EXIT_FAILURE, "no answer");
	return got;
}

static void speak_tls(int fd, const char *name)
{
	enum { RECORD = 5, HANDSHAKE = 22, SERVER_HELLO = 2 };
	const struct message hello = hello_to(name);
	char answer[RECORD + 2];

	say(fd, hello.bytes, hello.len);
	if (hear(fd, answer, RECORD + 1) != RECORD + 1 || answer[0] != HANDSHAKE || answer[RECORD] != SERVER_HELLO)
		errx(EXIT_FAILURE, "no ServerHello");
	puts("handshake");
}

static void speak_http(int fd, const char *name)
{
	char request[PACKET], answer[ANSWER];
	const char *body;
	int len = snprintf(request, sizeof request, "GET / HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", name);

	say(fd, request, (size_t)len);
	hear(fd, answer, sizeof answer - 1);
	body = strstr(answer, "\r\n\r\n");
	if (!body)
		errx(EXIT_FAILURE, "no answer of HTTP");
	fputs(body + 4, stdout);
}

static void only_hear(int fd)
{
	char answer[ANSWER];
	size_t len = 0;

	do
		hear(fd, answer + len, 1);
	while (answer[len] != '\n' && ++len < sizeof answer - 1);
	fputs(answer, stdout);
}

int main(int argc, char **argv)
{
	int fd;

	if (argc != 4 || strlen(argv[1]) > NAME_MAX_BYTES)
		errx(EXIT_FAILURE, "usage: blind NAME PORT tls|http|hear");
	fd = connect_to(SOCK_STREAM, resolve(argv[1]), (uint16_t)atoi(argv[2]));
	if (strcmp(argv[3], "tls") == 0)
		speak_tls(fd, argv[1]);
	else if (strcmp(argv[3], "http") == 0)
		speak_http(fd, argv[1]);
	else
		only_hear(fd);
	close(fd);
	return EXIT_SUCCESS;
}
