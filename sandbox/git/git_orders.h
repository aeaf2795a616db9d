/* The values in git's configuration that name files which git obeys, by a table of keys. */
#ifndef ZS_SANDBOX_GIT_ORDERS_H
#define ZS_SANDBOX_GIT_ORDERS_H

#include "git/git_obeyed.h"

/* How a value is read. */
enum zs_git_how {
	ZS_GIT_NOT,       /* it names nothing that is run */
	ZS_GIT_FILE,      /* none of a key: a file of configuration that has been read */
	ZS_GIT_INCLUDE,   /* a path, from the file's own folder */
	ZS_GIT_WORK_TREE, /* a path, from the git directory */
	ZS_GIT_HOOKS,     /* the path of a folder, from where git runs what lies in it */
	ZS_GIT_COMMAND,   /* a command line */
	ZS_GIT_ALIAS,     /* one behind "!", or else arguments of git's */
	ZS_GIT_URL,       /* a command line behind "NAME::" */
};

enum zs_git_how zs_git_how(const char *section, const char *key);

struct zs_git_order {
	enum zs_git_how how;
	char *value;
};

struct zs_git_orders {
	const struct zs_git_places *places;
	struct zs_git_order *items;
	size_t count;
	size_t files; /* that have been read */
};

/* Adds the orders of a file and of all that it includes. Each included file is an order, too. A missing file adds none.
 */
int zs_git_orders_add_file(struct zs_git_orders *orders, const char *file, struct zs_error *error);

/* The same of one entry of no file; and of one value. */
struct zs_git_entry;
int zs_git_orders_add_entry(struct zs_git_orders *orders, const struct zs_git_entry *entry, struct zs_error *error);
int zs_git_orders_add(struct zs_git_orders *orders, enum zs_git_how how, const char *value, struct zs_error *error);

/* The places where git may be installed; it reads its system's configuration there. */
enum { ZS_GIT_PREFIXES = 6 };
extern const char *const zs_git_prefixes[ZS_GIT_PREFIXES];

/* Forgets the orders after the first `count`. */
void zs_git_orders_cut(struct zs_git_orders *orders, size_t count);

/* Calls each for all places that a value can mean: "~", "~user", "%(prefix)/" and ":(optional)" stand for several, and
 * a relative path starts in each base. */
int zs_git_expand(const struct zs_git_places *places, const char *value, const char *const bases[], size_t count,
	int (*each)(const char *base, const char *rest, void *arg), void *arg);

#endif
