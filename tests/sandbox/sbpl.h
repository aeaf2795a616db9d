/* The decisions of a Seatbelt profile: its language read and asked, as far as profiles of ours are written in it. It
 * refuses each construct that it does not know. sbpl_ask.c says where each fact is from.
 *
 *	sbpl = sbpl_read(text, parameters, problem);
 *	sbpl_ask(sbpl, &(struct sbpl_query){ .operation = "file-read-data", .path = "/private/tmp/x" }) == SBPL_DENY
 */
#ifndef ZS_TESTS_SANDBOX_SBPL_H
#define ZS_TESTS_SANDBOX_SBPL_H

#include <stdbool.h>
#include <stddef.h>

enum { SBPL_PROBLEM_SIZE = 160 };

struct sbpl;

/* parameters: name, value, …, NULL. NULL, and what is wrong with it. */
struct sbpl *sbpl_read(const char *text, const char *const *parameters, char problem[SBPL_PROBLEM_SIZE]);
void sbpl_free(struct sbpl *sbpl);

enum sbpl_kind { SBPL_FILE, SBPL_FOLDER, SBPL_SYMLINK, SBPL_SOCKET, SBPL_CHARACTER_DEVICE, SBPL_BLOCK_DEVICE };

/* One access, as the kernel asks about it. A field that does not apply is 0. */
struct sbpl_query {
	const char *operation;  /* a single one: without a star, but process-exec* and the like, which have no parts */
	const char *path;       /* where the file is */
	enum sbpl_kind kind;    /* of the file */
	unsigned mode;          /* of the file */
	const char *extension;  /* that the process holds for it */
	const char *name;       /* of a service, a sysctl, shared memory, a domain of preferences, a class */
	bool local_name;        /* is it local to the process? */
	bool same_sandbox;      /* is the other process in it? */
	const char *remote;     /* "127.0.0.1:80"; by TCP */
	bool udp;               /* by UDP */
	const char *local;      /* the same */
	unsigned long command;  /* of an ioctl */
	const char *domain;     /* of a socket: "AF_UNIX" */
	unsigned long protocol; /* of the socket */
};

/* UNCLEAR: the two readings of which rule counts differ, see sbpl_ask.c. */
enum sbpl_answer { SBPL_DENY, SBPL_ALLOW, SBPL_UNCLEAR };
enum sbpl_answer sbpl_ask(const struct sbpl *sbpl, const struct sbpl_query *query);

/* The rules, in their order, for tests that leave one out. */
size_t sbpl_rules(const struct sbpl *sbpl);
void sbpl_leave_out(struct sbpl *sbpl, size_t rule, bool out);
/* The rule's own text, of that length. */
const char *sbpl_rule_text(const struct sbpl *sbpl, size_t rule, size_t *ret_len);

#endif
