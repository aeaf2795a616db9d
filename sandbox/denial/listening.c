#include "denial/listening.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

enum { LISTENS = 0x0a }; /* TCP_LISTEN */

/* A table writes an address as words of 32 bits, each as this machine reads it. */
struct place {
	uint32_t words[4];
	size_t count; /* of words */
	unsigned port;
};

static bool is_zero(const uint32_t *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (words[i])
			return false;
	return true;
}

/* Reads the local address and the state: "  0: 0100007F:1F90 00000000:0000 0A …". */
static bool read_row(const char *line, struct place *ret_place)
{
	char address[33];
	unsigned state;
	size_t len;

	if (sscanf(line, " %*d: %32[0-9A-F]:%x %*[0-9A-F]:%*x %x", address, &ret_place->port, &state) != 3 ||
		state != LISTENS)
		return false;
	len = strlen(address);
	ret_place->count = len / 8;
	for (size_t i = 0; i < ret_place->count; i++) {
		char word[9] = "";

		memcpy(word, address + 8 * i, 8);
		ret_place->words[i] = (uint32_t)strtoul(word, NULL, 16);
	}
	return len == 8 || len == 32;
}

/* Does a connection to `wanted` reach the listener? One at all addresses of version 6 may take version 4, too. */
static bool reaches(const struct place *listener, const struct place *wanted)
{
	const uint32_t *words = listener->words;

	if (listener->port != wanted->port)
		return false;
	if (is_zero(words, listener->count))
		return listener->count == 4 || wanted->count == 1;
	if (listener->count == wanted->count)
		return memcmp(words, wanted->words, wanted->count * sizeof *words) == 0;
	return listener->count == 4 && is_zero(words, 2) && words[2] == htonl(0xffff) && words[3] == wanted->words[0];
}

static FILE *open_table(int proc, const char *name)
{
	ZS_AUTO_FD int own = proc < 0 ? open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	ZS_AUTO_FD int fd = openat(proc < 0 ? own : proc, name, O_RDONLY | O_CLOEXEC);
	FILE *table = fd < 0 ? NULL : fdopen(fd, "r");

	fd = table ? -1 : fd;
	return table;
}

bool zs_listens_inet(int proc, const struct zs_address *address, uint16_t port)
{
	static const char *const tables[] = { "self/net/tcp", "self/net/tcp6" };
	struct place wanted = { .count = address->family == AF_INET6 ? 4 : 1, .port = port }, listener;
	bool found = false;

	memcpy(wanted.words, address->bytes, wanted.count * sizeof *wanted.words);
	for (size_t i = 0; i < ZS_COUNT(tables) && !found; i++) {
		FILE *table = open_table(proc, tables[i]);
		char line[512];

		while (table && !found && fgets(line, sizeof line, table))
			found = read_row(line, &listener) && reaches(&listener, &wanted);
		if (table)
			fclose(table);
	}
	return found;
}

/* Is this the socket's path? It stands in the table as the program has bound it, which may lead through links. */
static bool is_path(const char *bound, const char *path)
{
	const char *name = strrchr(path, '/'), *bound_name = strrchr(bound, '/');
	ZS_AUTO_FREE char *real = NULL;

	if (strcmp(bound, path) == 0)
		return true;
	if (!name || strcmp(bound_name ? bound_name + 1 : bound, name + 1) != 0)
		return false;
	if (*bound != '/') /* relative to the working directory that its program had */
		return true;
	real = realpath(bound, NULL);
	return real && strcmp(real, path) == 0;
}

bool zs_listens_unix(const char *path)
{
	enum { ACCEPTS = 0x10000, DATAGRAM = 2 }; /* __SO_ACCEPTCON; SOCK_DGRAM */
	FILE *table = fopen("/proc/self/net/unix", "re");
	char line[PATH_MAX + 128];
	bool found = false;

	/* "0000000000000000: 00000002 00000000 00010000 0001 01 12345 /run/x" */
	while (table && !found && fgets(line, sizeof line, table)) {
		unsigned flags, type;
		int at = 0;

		line[strcspn(line, "\n")] = '\0';
		if (sscanf(line, "%*[^:]: %*x %*x %x %x %*x %*u %n", &flags, &type, &at) == 2 && at && line[at])
			found = (flags & ACCEPTS || type == DATAGRAM) && is_path(line + at, path);
	}
	if (table)
		fclose(table);
	return found;
}
