/* Finds the rule that counts. There is no public documentation of this, so there are two readings, and our profiles
 * must have the same answer in both:
 *
 *  - the order alone: of all rules that match, whatever they call the operation, the last;
 *  - the operation first: of the rules that match for this very operation the last; when there is none, of those for
 *    the wider one ("file-read*"), and so on up to "default". So an earlier deny of the narrower operation beats a
 * later allow of the wider one, and the other way round: (allow file-read-data) is not undone by a later (deny
 * file-read*) (measured: GreyhavenHQ/greywall pull request 20).
 *
 * The operations and the filters that fit them are those of macOS 10.14 (its kernel's tables, as published by projects
 * that decompile profiles), as far as our profiles use them or must not use them. Firefox's and WebKit's profiles say
 * that "deny default" leaves four operations allowed; for file-clone that is not known. A regular expression matches
 * anywhere in the path. Paths are real paths: /private/tmp, not /tmp. */
#include <stdlib.h>
#include <string.h>

#include "sbpl_tree.h"

#define VNODE (SBPL_PATH | SBPL_VNODE)

static const struct sbpl_operation table[] = {
	{ "default", NULL, 0, false },
	{ "appleevent-send", "default", 0, false },
	{ "distributed-notification-post", "default", 0, false },
	{ "file*", "default", VNODE, false },
	{ "file-chroot", "file*", VNODE, false },
	{ "file-clone", "file*", VNODE, true },
	{ "file-ioctl", "file*", VNODE | SBPL_IOCTL, false },
	{ "file-link", "file*", VNODE, false },
	{ "file-map-executable", "file*", VNODE, true },
	{ "file-mknod", "file*", VNODE, false },
	{ "file-mount", "file*", VNODE, false },
	{ "file-read*", "file*", VNODE, false },
	{ "file-read-data", "file-read*", VNODE, false },
	{ "file-read-metadata", "file-read*", VNODE, false },
	{ "file-read-xattr", "file-read*", VNODE, false },
	{ "file-test-existence", "file*", VNODE, false },
	{ "file-write*", "file*", VNODE, false },
	{ "file-write-acl", "file-write*", VNODE, false },
	{ "file-write-create", "file-write*", VNODE, false },
	{ "file-write-data", "file-write*", VNODE, false },
	{ "file-write-flags", "file-write*", VNODE, false },
	{ "file-write-mode", "file-write*", VNODE, false },
	{ "file-write-owner", "file-write*", VNODE, false },
	{ "file-write-setugid", "file-write*", VNODE, false },
	{ "file-write-times", "file-write*", VNODE, false },
	{ "file-write-unlink", "file-write*", VNODE, false },
	{ "file-write-xattr", "file-write*", VNODE, false },
	{ "iokit*", "default", 0, false },
	{ "iokit-get-properties", "iokit*", SBPL_IOKIT, true },
	{ "iokit-open", "iokit*", SBPL_IOKIT, false },
	{ "ipc-posix*", "default", SBPL_POSIX, false },
	{ "ipc-posix-sem", "ipc-posix*", SBPL_POSIX, false },
	{ "ipc-posix-shm*", "ipc-posix*", SBPL_POSIX, false },
	{ "ipc-posix-shm-read*", "ipc-posix-shm*", SBPL_POSIX, false },
	{ "ipc-posix-shm-read-data", "ipc-posix-shm-read*", SBPL_POSIX, false },
	{ "ipc-posix-shm-write*", "ipc-posix-shm*", SBPL_POSIX, false },
	{ "ipc-posix-shm-write-create", "ipc-posix-shm-write*", SBPL_POSIX, false },
	{ "ipc-posix-shm-write-data", "ipc-posix-shm-write*", SBPL_POSIX, false },
	{ "ipc-sysv*", "default", 0, false },
	{ "ipc-sysv-shm", "ipc-sysv*", 0, false },
	{ "job-creation", "default", 0, false },
	{ "lsopen", "default", 0, false },
	{ "mach*", "default", 0, false },
	{ "mach-lookup", "mach*", SBPL_MACH, false },
	{ "mach-priv*", "mach*", 0, false },
	{ "mach-priv-host-port", "mach-priv*", 0, false },
	{ "mach-priv-task-port", "mach-priv*", SBPL_TARGET, false },
	{ "mach-register", "mach*", SBPL_MACH, false },
	{ "mach-task-name", "mach*", SBPL_TARGET, false },
	{ "network*", "default", SBPL_NETWORK | SBPL_PATH, false },
	{ "network-bind", "network*", SBPL_NETWORK | SBPL_PATH, false },
	{ "network-inbound", "network*", SBPL_NETWORK | SBPL_PATH, false },
	{ "network-outbound", "network*", SBPL_NETWORK | SBPL_PATH, false },
	{ "nvram*", "default", 0, true },
	{ "nvram-get", "nvram*", 0, true },
	{ "nvram-set", "nvram*", 0, true },
	{ "process*", "default", 0, false },
	{ "process-exec*", "process*", SBPL_PATH, false },
	{ "process-exec-interpreter", "process-exec*", SBPL_PATH, false },
	{ "process-fork", "process*", 0, false },
	{ "process-info*", "process*", SBPL_TARGET, true },
	{ "process-info-listpids", "process-info*", SBPL_TARGET, true },
	{ "process-info-pidinfo", "process-info*", SBPL_TARGET, true },
	{ "process-info-pidfdinfo", "process-info*", SBPL_TARGET, true },
	{ "process-info-setcontrol", "process-info*", SBPL_TARGET, true },
	{ "pseudo-tty", "default", 0, false },
	{ "signal", "default", SBPL_TARGET, false },
	{ "sysctl*", "default", SBPL_SYSCTL, false },
	{ "sysctl-read", "sysctl*", SBPL_SYSCTL, false },
	{ "sysctl-write", "sysctl*", SBPL_SYSCTL, false },
	{ "system*", "default", 0, false },
	{ "system-debug", "system*", SBPL_TARGET, false },
	{ "system-fsctl", "system*", 0, false },
	{ "system-privilege", "system*", 0, false },
	{ "system-reboot", "system*", 0, false },
	{ "system-set-time", "system*", 0, false },
	{ "system-socket", "system*", SBPL_SOCKETS, false },
	{ "user-preference*", "default", 0, false },
	{ "user-preference-read", "user-preference*", SBPL_PREFERENCE, false },
	{ "user-preference-write", "user-preference*", SBPL_PREFERENCE, false },
};

const struct sbpl_operation *sbpl_operation(const char *name)
{
	for (size_t i = 0; name && i < sizeof table / sizeof *table; i++)
		if (strcmp(table[i].name, name) == 0)
			return &table[i];
	return NULL;
}

static bool is_in(const char *path, const char *tree)
{
	size_t len = strlen(tree);

	return strcmp(tree, "/") == 0 || (strncmp(path, tree, len) == 0 && (path[len] == '/' || !path[len]));
}

/* pattern: "*:80", "localhost:*". */
static bool is_address(const char *address, const char *pattern)
{
	const char *port = strrchr(address, ':') + 1, *wanted = strrchr(pattern, ':') + 1;
	bool is_local = strncmp(address, "127.0.0.1:", 10) == 0 || strncmp(address, "[::1]:", 6) == 0;

	return (pattern[0] == '*' || is_local) && (*wanted == '*' || strcmp(port, wanted) == 0);
}

static bool is_transport(const struct sbpl_query *query, const struct sbpl_filter *filter)
{
	return filter->transport == SBPL_IP || (filter->transport == SBPL_UDP) == query->udp;
}

static bool is_kind(enum sbpl_kind kind, const char *name)
{
	return kind == (strcmp(name, "BLOCK-DEVICE") == 0 ? SBPL_BLOCK_DEVICE : SBPL_CHARACTER_DEVICE);
}

static bool matches(const struct sbpl_filter *filter, const struct sbpl_query *query);

static bool matches_part(const struct sbpl_filter *filter, const struct sbpl_query *query, bool wanted)
{
	for (size_t i = 0; i < filter->count; i++)
		if (matches(&filter->parts[i], query) == wanted)
			return true;
	return false;
}

static bool matches_name(const struct sbpl_filter *filter, const struct sbpl_query *query)
{
	size_t len = strlen(filter->text);

	if (!query->name)
		return false;
	if (filter->match == SBPL_NAME_PREFIX)
		return strncmp(query->name, filter->text, len) == 0;
	return strcmp(query->name, filter->text) == 0 &&
	       (filter->match == SBPL_NAME || query->local_name == (filter->match == SBPL_LOCAL_NAME));
}

static bool matches(const struct sbpl_filter *filter, const struct sbpl_query *query)
{
	switch (filter->match) {
	case SBPL_ALL:
		return !matches_part(filter, query, false);
	case SBPL_ANY:
		return matches_part(filter, query, true);
	case SBPL_NOT:
		return matches_part(filter, query, false);
	case SBPL_LITERAL:
		return query->path && strcmp(query->path, filter->text) == 0;
	case SBPL_SUBPATH:
		return query->path && is_in(query->path, filter->text);
	case SBPL_REGEX:
		return query->path && regexec(&filter->regex, query->path, 0, NULL, 0) == 0;
	case SBPL_FILE_MODE:
		return (query->mode & filter->number) == filter->number;
	case SBPL_VNODE_TYPE:
		return query->path && is_kind(query->kind, filter->text);
	case SBPL_EXTENSION:
		return query->extension && strcmp(query->extension, filter->text) == 0;
	case SBPL_GLOBAL_NAME:
	case SBPL_LOCAL_NAME:
	case SBPL_NAME:
	case SBPL_NAME_PREFIX:
		return matches_name(filter, query);
	case SBPL_IS_SAME_SANDBOX:
		return query->same_sandbox;
	case SBPL_REMOTE:
		return query->remote && is_transport(query, filter) && is_address(query->remote, filter->text);
	case SBPL_LOCAL:
		return query->local && is_transport(query, filter) && is_address(query->local, filter->text);
	case SBPL_COMMAND:
		return query->command == filter->number;
	case SBPL_DOMAIN:
		return query->domain && strcmp(query->domain, filter->text) == 0;
	case SBPL_PROTOCOL:
		return query->protocol == filter->number;
	}
	abort();
}

static bool names(const struct sbpl_rule *rule, const struct sbpl_operation *operation)
{
	for (size_t i = 0; i < rule->operation_count; i++)
		if (rule->operations[i] == operation)
			return true;
	return false;
}

/* Finds the last rule that matches one of the operations from `operation` up to `top`, which is not included. NULL:
 * none. A deny of default does not apply to open operations. */
static const struct sbpl_rule *last(const struct sbpl *sbpl, const struct sbpl_query *query,
	const struct sbpl_operation *operation, const struct sbpl_operation *top, bool open)
{
	for (size_t i = sbpl->count; i-- > 0;) {
		const struct sbpl_rule *rule = &sbpl->rules[i];

		if (rule->left_out || (rule->any.count && !matches(&rule->any, query)))
			continue;
		for (const struct sbpl_operation *at = operation; at && at != top; at = sbpl_operation(at->parent))
			if (names(rule, at) && !(open && !rule->allow && !at->parent))
				return rule;
	}
	return NULL;
}

enum sbpl_answer sbpl_ask(const struct sbpl *sbpl, const struct sbpl_query *query)
{
	const struct sbpl_operation *operation = sbpl_operation(query->operation);
	const struct sbpl_rule *by_order, *by_operation = NULL;
	bool allows, also;

	if (!operation)
		abort();
	by_order = last(sbpl, query, operation, NULL, operation->open);
	for (const struct sbpl_operation *at = operation; at && !by_operation; at = sbpl_operation(at->parent))
		by_operation = last(sbpl, query, at, sbpl_operation(at->parent), operation->open);
	allows = by_order ? by_order->allow : true;
	also = by_operation ? by_operation->allow : true;
	return allows != also ? SBPL_UNCLEAR : allows ? SBPL_ALLOW : SBPL_DENY;
}
