/* The search of zs learn: runs a command, grants what was refused, until it passes; then takes back what it does not
 * need. */
#ifndef ZS_CMD_LEARN_SEARCH_H
#define ZS_CMD_LEARN_SEARCH_H

#include "run/confine.h"

enum {
	ZS_LEARN_RUNS_MAX = 32, /* in which something new is granted; those that take back are as many as the grants */
	ZS_LEARN_ENTRIES_MAX = 256,
	ZS_LEARN_REFUSED_MAX = 64,
};

struct zs_learn_entry {
	const char *option; /* of zs run: "--ro" */
	char *value;
	const char *key; /* of settings.json; NULL: only the option grants it */
	bool out;        /* left out of the next run */
	bool sure;       /* the command went further with it than without */
};

/* Refused, and not proposed. */
struct zs_learn_refused {
	const char *kind;
	char *what;
	const char *reason;
	char *grant; /* words for zs run that grant it all the same, or NULL */
};

enum zs_learn_end { ZS_LEARN_PASSES, ZS_LEARN_OWN_FAILURE, ZS_LEARN_STILL_FAILS, ZS_LEARN_BOUND };

struct zs_learn {
	const struct zs_confine_fields *fields;
	char *const *argv;
	char workspace[4096]; /* real */
	struct zs_learn_entry entries[ZS_LEARN_ENTRIES_MAX];
	size_t count;
	struct zs_learn_refused refused[ZS_LEARN_REFUSED_MAX];
	size_t refused_count;
	unsigned runs, others; /* others: of the refused, for which there is no room */
	int status;            /* of the last run */
	enum zs_learn_end end;
};

/* Fills in the last seven fields. Returns an exit code; errors are on stderr, and a line for each run. Call
 * zs_learn_free() in either case. */
int zs_learn_search(struct zs_learn *learn);
void zs_learn_free(struct zs_learn *learn);

/* Runs the command with all entries, or without any. */
int zs_learn_try(struct zs_learn *learn, bool with_entries, bool *ret_passes);

#endif
