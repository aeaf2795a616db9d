/* Reads a Seatbelt profile and answers which accesses it allows. It knows the constructs that our profiles use, and
 * refuses all others. sbpl_ask.c has the source of each fact.
 *
 *	sbpl = sbpl_read(text, parameters, problem);
 *	sbpl_ask(sbpl, &(struct sbpl_query){ .operation = "file-read-data", .path = "/private/tmp/x" }) == SBPL_DENY
 *  */
#ifndef ZS_TESTS_SANDBOX_SBPL_H
#define ZS_TESTS_SANDBOX_SBPL_H

#include <stdbool.h>
#include <stddef.h>

enum { SBPL_PROBLEM_SIZE = 160 };

struct sbpl;

/* parameters: name, value, …, NULL. Returns NULL, and the fault in `problem`, if the text cannot be read. */
struct sbpl *sbpl_read(const char *text, const char *const *parameters, char problem[SBPL_PROBLEM_SIZE]);
void sbpl_free(struct sbpl *sbpl);

enum sbpl_kind { SBPL_FILE, SBPL_FOLDER, SBPL_SYMLINK, SBPL_SOCKET, SBPL_CHARACTER_DEVICE, SBPL_BLOCK_DEVICE };

/* One access, as the kernel asks about it. A field that does not apply is 0. */
struct sbpl_query {
	const char *operation;  /* a single operation, without a star; or process-exec* and others that have no parts */
	const char *path;       /* the file's real path */
	enum sbpl_kind kind;    /* of the file */
	unsigned mode;          /* of the file */
	const char *extension;  /* that the process holds for the file */
	const char *name;       /* the name of a service, a sysctl, shared memory, a domain of preferences, a class */
	bool local_name;        /* the name is local to the process */
	bool same_sandbox;      /* the other process is in the same sandbox */
	const char *remote;     /* "127.0.0.1:80"; over TCP */
	bool udp;               /* over UDP */
	const char *local;      /* the local address, in the same form */
	unsigned long command;  /* of an ioctl */
	const char *domain;     /* of a socket: "AF_UNIX" */
	unsigned long protocol; /* of the socket */
};

/* UNCLEAR: the two readings give different answers, see sbpl_ask.c. */
enum sbpl_answer { SBPL_DENY, SBPL_ALLOW, SBPL_UNCLEAR };
enum sbpl_answer sbpl_ask(const struct sbpl *sbpl, const struct sbpl_query *query);

/* The number of rules, which are in order, for tests that leave one out. */
size_t sbpl_rules(const struct sbpl *sbpl);
void sbpl_leave_out(struct sbpl *sbpl, size_t rule, bool out);
/* The text of a rule, of length *ret_len. */
const char *sbpl_rule_text(const struct sbpl *sbpl, size_t rule, size_t *ret_len);

#endif
