/* The rules of the caller: struct zs_own_rule. */
#ifndef ZS_OWN_H
#define ZS_OWN_H

#include "rules/folders.h"
#include "rules/rule.h"

/* For each command of the IR the rule that counts, or NULL. *ret_lifted: for each, is there a rule that allows it? Then
 * its findings are lifted even if a person must agree. */
const struct zs_own_rule **zs_own_rulings(
	struct zs_arena *arena, const struct zs_ir *ir, const struct zs_vet_options *options, const bool **ret_lifted);

/* The finding of a command that a rule denies or asks for. */
struct zs_finding zs_own_finding(
	struct zs_arena *arena, const struct zs_ir *ir, uint32_t index, const struct zs_own_rule *rule);

/* A command that rules are compared with. */
struct zs_own {
	struct zs_places places;
	const struct zs_command *command;
	const struct zs_row *row, *outer; /* outer: that of git, for git push */
	uint32_t sub;                     /* index of the subcommand's word; 0: there is none */
	const struct zs_folders *folders; /* in which it may run */
};

/* own_may.c: may the command be the one that the rule means? Words that are not known count for the rule. */
bool zs_own_may(const struct zs_own *own, const struct zs_own_rule *rule);
/* May the command have one of the flags? */
bool zs_own_may_flag(const struct zs_own *own, const char *flags);

/* own_must.c: is the command certainly the one that the rule means? */
bool zs_own_must(const struct zs_own *own, const struct zs_own_rule *rule);

/* own_text.c */

/* Bytes of a word's value that stand for text that is not known. */
#define ZS_OWN_UNKNOWN "\1\2\3\4\6\016\017\020"
#define ZS_OWN_WORDS '\3' /* it may be several words */

/* The texts of a word: one that stands for any words if nothing is known of it. NULL after the last. */
const char *zs_own_value(const struct zs_word *word, uint32_t i);
/* May the word be several words, or none? */
bool zs_own_is_open(const struct zs_word *word);
/* May a value match a pattern of `len` bytes? Letters of any case. */
bool zs_own_may_text(const char *value, const char *pattern, size_t len);
/* The same for a pattern of an operand, which may be a path. */
bool zs_own_may_operand(const struct zs_own *own, const char *value, const char *pattern, size_t len);
/* Does a known text match a pattern, letter by letter? A path with .. in it does not match a path's pattern. */
bool zs_own_must_operand(const struct zs_own *own, const char *text, const char *pattern, size_t len);
bool zs_own_must_text(const char *text, const char *pattern, size_t len);
/* Is the word the value of the flag before it? The flags before a subcommand are those of the outer row. */
bool zs_own_is_value(const struct zs_own *own, uint32_t i);
/* Is the text a flag? A lone - is none. */
bool zs_own_is_flag(const char *text);
/* Has the long flag this name, with one dash or two? `abbreviated`: the start of the name is enough. */
bool zs_own_long_flag(const char *text, const char *flag, size_t len, bool abbreviated);

#endif
