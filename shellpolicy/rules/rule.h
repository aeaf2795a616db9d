/* Rules over commands as the IR has them: behind wrappers, in nested shells, with options in any order.
 *
 * In:  an IR, and the folders of struct zs_vet_options.
 * Out: findings. A rule is a row of data (rules_guard.c); guard.c adds what needs the paths of the IR.
 * This room sees the public header and base/ alone, so rules can be tried on any IR. */
#ifndef ZS_RULES_H
#define ZS_RULES_H

#include "base/arena.h"
#include "base/listed.h"
#include "zs_shellpolicy.h"

/* Conditions that no word of the command shows. */
enum zs_rule_when {
	ZS_WHEN_ALWAYS,
	ZS_WHEN_FED,    /* its input is a file, or a pipe from a command that prints more than its own words */
	ZS_WHEN_REMOTE, /* no operand is a URL of this machine */
	ZS_WHEN_FED_REMOTE,
	ZS_WHEN_INPUT,      /* its input is no terminal: a file, a here-document or a pipe */
	ZS_WHEN_SQL,        /* one of its words is SQL that destroys */
	ZS_WHEN_INSTALLED,  /* it is found in PATH, or by a path of the system: it is no program of the workspace */
	ZS_WHEN_NEW_REMOTE, /* an earlier command of the text gave the repository a remote */
	ZS_WHEN_ELSEWHERE,  /* it talks to a container server of another machine */
};

/* A rule matches a command if all of its parts do; "" matches everything. The parts are arrays: with a pointer, each
 * start of zs would write a relocation into each page of the rules, and each fork would copy these pages' entries. */
struct zs_rule {
	char command[480]; /* its words in order, each with alternatives: "gh|glab repo|project delete". A word may
				begin or end in a star; "**" is any number of words. Options may stand between the
				words, in any case of letters */
	char operand[456]; /* an operand after the command's words matches one of these patterns; "?": there is one;
			      "!": there is none; "$": one is no plain word */
	char except[88];   /* and no operand before it does; without `operand`: no operand but the last does */
	char flags[88];    /* it has one of these flags: "-f --force". Letters are found in bundles, and long flags
			      by their first letters */
	char also[40];     /* and one of these */
	char unless[88];   /* and none of these */
	char value[72];    /* the value of one of `flags` matches one of these patterns */
	char other[56];    /* and none of these */
	char last[40];     /* the last operand matches */
	bool dashes;       /* a word stands behind -- */
	enum zs_rule_when when;
	enum zs_risk code;
	char why[64];     /* what it does, for the reason */
	char instead[96]; /* the hint; "": none */
};

extern const struct zs_rule zs_guard_rules[], zs_tool_rules[];
extern const size_t zs_guard_rule_count, zs_tool_rule_count;

/* match.c: the rules in their order; NULL after the last. */
const struct zs_rule *zs_guard_rule(size_t i);
/* The first rule that matches command `index` of the IR; NULL: none does. */
const struct zs_rule *zs_first_rule(const struct zs_ir *ir, uint32_t index);
/* Does the rule match command `index` of the IR? */
bool zs_rule_matches(const struct zs_rule *rule, const struct zs_ir *ir, uint32_t index);
/* Do the words of a rule's command match the command? *ret_rest: index of the first word after them. */
bool zs_rule_command(const char *words, const struct zs_command *command, uint32_t *ret_rest);
/* Is the word the value of the flag before it, as the command's row tells? */
bool zs_is_value(const struct zs_command *command, const struct zs_row *row, uint32_t i);
/* Does a letter of the command take a value, so that the rest of the bundle is that value? */
bool zs_takes_value(const struct zs_row *row, char letter);
/* Finds one flag in one word. *ret_value: the text attached to it; NULL: none. */
bool zs_finds_flag(const char *text, const char *flag, size_t len, const struct zs_row *row, const char **ret_value);
/* Has the command one of the flags? */
bool zs_has_flag(const struct zs_command *command, const char *flags);
/* Has the command a URL of this machine, and none of another? */
bool zs_is_local(const struct zs_command *command);
/* Does a text match a pattern with a star at its start, its end or both? */
bool zs_matches(const char *text, const char *patterns);
/* The texts of a word: its own, or its values. NULL after the last. */
const char *zs_word_value(const struct zs_word *word, uint32_t i);

/* pipe.c: the commands that write into the command's pipe: [*ret_from, index). False: it reads from no pipe. */
bool zs_pipe_before(const struct zs_ir *ir, uint32_t index, uint32_t *ret_from);
/* May the command's input hold a file or the environment? */
bool zs_is_fed(const struct zs_ir *ir, uint32_t index);
/* Has the command an input of its own: a redirection, a here-document or a pipe? */
bool zs_has_input(const struct zs_ir *ir, uint32_t index);

/* sql.c: the part of SQL that destroys, as "DROP" or "DELETE without WHERE"; NULL: none. */
const char *zs_sql_destroys(const char *text);

/* place.c: paths, compared as text. */

struct zs_places {
	struct zs_arena *arena;
	const char *workspace, *folder, *home; /* absolute and plain; never NULL */
};

struct zs_places zs_places_of(struct zs_arena *arena, const struct zs_vet_options *options);

/* The standing of a path. */
enum zs_standing {
	ZS_PLACE_HARMLESS,  /* /dev/null and the like */
	ZS_PLACE_TEMPORARY, /* below a folder for temporary files */
	ZS_PLACE_INSIDE,    /* in the workspace */
	ZS_PLACE_WORKSPACE, /* the workspace itself, or all that is in it */
	ZS_PLACE_UNKNOWN,
	ZS_PLACE_OUTSIDE,
	ZS_PLACE_ABOVE, /* a folder that holds the workspace or the temporary files, or all that is in it */
};

struct zs_path {
	const char *text; /* absolute, without . and ..; NULL: not known */
	enum zs_standing standing;
	bool all; /* a pattern for all that is in the folder `text` */
};

/* The path that `value` names in the folder `folder`. `dynamic`: bytes of ZS_PLACE_* count. */
struct zs_path zs_path_of(const struct zs_places *places, const char *folder, const char *value, bool dynamic);

/* guard.c: the findings of an IR in the profile guard: those of the IR that count there, and those of the rules. */
struct zs_findings {
	struct zs_finding *items;
	uint32_t count, capacity;
};
struct zs_findings zs_guard_findings(
	struct zs_arena *arena, const struct zs_ir *ir, const struct zs_vet_options *options);

#endif
