/* A profile after it has been read. */
#ifndef ZS_TESTS_SANDBOX_SBPL_TREE_H
#define ZS_TESTS_SANDBOX_SBPL_TREE_H

#include <regex.h>

#include "sbpl.h"

/* The subjects of operations and filters. A filter fits an operation if they have a subject in common. */
enum sbpl_about {
	SBPL_PATH = 1 << 0,
	SBPL_VNODE = 1 << 1,
	SBPL_IOCTL = 1 << 2,
	SBPL_TARGET = 1 << 3,
	SBPL_MACH = 1 << 4,
	SBPL_SYSCTL = 1 << 5,
	SBPL_POSIX = 1 << 6,
	SBPL_NETWORK = 1 << 7,
	SBPL_SOCKETS = 1 << 8,
	SBPL_PREFERENCE = 1 << 9,
	SBPL_IOKIT = 1 << 10,
};

struct sbpl_operation {
	const char *name, *parent;
	unsigned about;
	bool open; /* "deny default" leaves it allowed, as far as that is known */
};

/* NULL: there is no operation of that name. */
const struct sbpl_operation *sbpl_operation(const char *name);

enum sbpl_match {
	SBPL_ALL,
	SBPL_ANY,
	SBPL_NOT,
	SBPL_LITERAL,
	SBPL_SUBPATH,
	SBPL_REGEX,
	SBPL_FILE_MODE,
	SBPL_VNODE_TYPE,
	SBPL_EXTENSION,
	SBPL_GLOBAL_NAME,
	SBPL_LOCAL_NAME,
	SBPL_NAME,
	SBPL_NAME_PREFIX,
	SBPL_IS_SAME_SANDBOX,
	SBPL_REMOTE,
	SBPL_LOCAL,
	SBPL_COMMAND,
	SBPL_DOMAIN,
	SBPL_PROTOCOL,
};

struct sbpl_filter {
	enum sbpl_match match;
	char *text;
	enum { SBPL_IP, SBPL_TCP, SBPL_UDP } transport; /* of an address */
	unsigned long number;
	regex_t regex;
	bool has_regex;
	struct sbpl_filter *parts;
	size_t count;
};

enum { SBPL_OPERATIONS_MAX = 16 };

struct sbpl_rule {
	bool allow, left_out;
	const struct sbpl_operation *operations[SBPL_OPERATIONS_MAX];
	size_t operation_count;
	struct sbpl_filter any; /* has no parts: matches everything */
	size_t begin, end;      /* offsets in the text */
};

struct sbpl {
	char *text;
	struct sbpl_rule *rules;
	size_t count;
};

#endif
