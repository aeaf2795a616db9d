/* Finds the values in git's configuration that name files which git obeys, by a table of keys. */
#ifndef ZS_SANDBOX_GIT_ORDERS_H
#define ZS_SANDBOX_GIT_ORDERS_H

#include "git/git_obeyed.h"

/* How a value is read. */
enum zs_git_how {
	ZS_GIT_NOT,       /* it names no file that is run */
	ZS_GIT_FILE,      /* not a key: a file of configuration that has been read */
	ZS_GIT_INCLUDE,   /* a path, from the file's own folder */
	ZS_GIT_WORK_TREE, /* a path, from the git directory */
	ZS_GIT_HOOKS,     /* the path of a folder from which git runs files */
	ZS_GIT_COMMAND,   /* a command line */
	ZS_GIT_ALIAS,     /* a command line after "!", else arguments of git */
	ZS_GIT_URL,       /* a command line after "NAME::" */
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
	size_t files; /* the number of files that have been read */
};

/* Adds the orders of a file and of all files that it includes. Each included file is an order, too. A missing file adds
 * none. */
int zs_git_orders_add_file(struct zs_git_orders *orders, const char *file, struct zs_error *error);

/* The same for one entry that is in no file; and for one value. */
struct zs_git_entry;
int zs_git_orders_add_entry(struct zs_git_orders *orders, const struct zs_git_entry *entry, struct zs_error *error);
int zs_git_orders_add(struct zs_git_orders *orders, enum zs_git_how how, const char *value, struct zs_error *error);

/* The prefixes with which git may be installed, below which it reads the system's configuration. */
enum { ZS_GIT_PREFIXES = 6 };
extern const char *const zs_git_prefixes[ZS_GIT_PREFIXES];

/* Drops the orders after the first `count`. */
void zs_git_orders_cut(struct zs_git_orders *orders, size_t count);

/* Calls each for all places that a value can mean: "~", "~user", "%(prefix)/" and ":(optional)" have several meanings,
 * and a relative path starts in each base. */
int zs_git_expand(const struct zs_git_places *places, const char *value, const char *const bases[], size_t count,
	int (*each)(const char *base, const char *rest, void *arg), void *arg);

#endif
