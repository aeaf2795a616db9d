/* The profile guard from inside: the files of this room share its state. */
#ifndef ZS_GUARD_H
#define ZS_GUARD_H

#include "rules/folders.h"
#include "rules/rule.h"

struct zs_guard {
	const struct zs_ir *ir;
	struct zs_places places;
	struct zs_folders *folders; /* for each command */
	struct zs_folders seen;     /* all of them */
	bool *apart;                /* for each command: it runs in a container, which has files of its own */
	struct zs_findings findings;
};

/* The worst standing that a word may have, and the path. */
struct zs_worst {
	struct zs_path path;
	bool any;
};

/* A change that a command makes to a path. */
struct zs_deed {
	enum zs_effect effect;
	bool deep;   /* it goes down into folders */
	bool forced; /* it replaces what is there */
	int32_t command;
	struct zs_span span;
};

/* deeds.c */

/* Adds a finding, and returns it. */
struct zs_finding *zs_guard_find(struct zs_guard *guard, enum zs_risk code, int32_t command, const char *object,
	const char *detail, const char *hint, struct zs_span span);
/* A path as messages show it. */
const char *zs_guard_shown(struct zs_guard *guard, const char *path);
/* The worst place that a word may name in the folders. */
struct zs_worst zs_guard_worst(struct zs_guard *guard, const struct zs_word *word, const struct zs_folders *folders);
/* Judges a deed at one place. True: it counts, and a finding was added. */
bool zs_guard_place(struct zs_guard *guard, const struct zs_deed *deed, const struct zs_path *path);
/* Judges a deed at the places that a word may name. */
void zs_guard_word(struct zs_guard *guard, const struct zs_deed *deed, const struct zs_word *word,
	const struct zs_folders *folders);
/* Judges a deed on the files that the find at `index` finds. */
void zs_guard_found(struct zs_guard *guard, struct zs_deed deed, uint32_t index);
/* Judges all writes of the IR. */
void zs_guard_writes(struct zs_guard *guard);

/* sends.c: judges data that the command sends to another host, and commands that it runs there. */
void zs_guard_sends(struct zs_guard *guard, uint32_t index);

/* fetched.c: judges a later command that runs a file which this one fetches. */
void zs_guard_fetched(struct zs_guard *guard, uint32_t index);

/* code.c: judges code on a command line or in a here-document. */
void zs_guard_payload(struct zs_guard *guard, const struct zs_payload *payload);
/* Judges a command of a text that is no bash for us: of code, of another host. It is split at blanks. */
void zs_guard_text(struct zs_guard *guard, uint32_t index, const char *text, struct zs_span span);
/* Judges the command that a container is made for, as far as it acts elsewhere. */
void zs_guard_image(struct zs_guard *guard, uint32_t index);
/* Judges code that a flag gives and that no row names: git rebase --exec CODE. */
void zs_guard_exec_flags(struct zs_guard *guard, uint32_t index);

#endif
