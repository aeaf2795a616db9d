/* zs_shellpolicy.h: for a program that asks whether a bash text may run. Nothing runs.
 *
 *	struct zs_vetter *vetter = zs_vetter_new();
 *	const struct zs_report *report = zs_vet(vetter, text, strlen(text), &(struct zs_vet_options){ 0 });
 *	if (report->verdict != ZS_ALLOW)
 *		fprintf(stderr, "blocked: %s (%s)\n", report->reason, report->hint);
 *	zs_vetter_free(vetter);
 *
 * Pure: the library makes no system calls besides allocation, and uses no I/O, clock, locale or environment. The same
 * text gives the same report everywhere.
 *
 * Errors: every failure, lack of memory included, is a report that blocks. No error path lets a caller run the command
 * by mistake.
 *
 * Ownership: everything that a report points to belongs to the vetter, and lives until its next zs_vet() or
 * zs_vetter_free(). Names and rows are static.
 *
 * Threads: one thread at a time may use a vetter. Different vetters are independent.
 */
#ifndef ZS_SHELLPOLICY_H
#define ZS_SHELLPOLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Version of struct zs_ir, its fields and their meaning. zs_decide() blocks an IR of any other version. */
#define ZS_IR_VERSION 2

/* Limits of one vetting. A text that reaches one is blocked with the code `limit`. They lie far above the texts that
 * people and agents write. */
#define ZS_MAX_INPUT (64 * 1024)              /* bytes of text */
#define ZS_MAX_NODES 60000                    /* syntax nodes, all nested texts together */
#define ZS_MAX_DEPTH 100                      /* nesting of syntax (substitutions, groups, …) */
#define ZS_MAX_NESTED_SHELLS 8                /* bash -c within eval within … */
#define ZS_MAX_WORDS 20000                    /* words, after brace expansion */
#define ZS_MAX_PARSE_STEPS 1200               /* tree-sitter progress reports, each about a hundred parse actions */
#define ZS_MAX_PARSE_READS 4000               /* chunks that tree-sitter reads, or reads again */
#define ZS_MAX_PARSE_COPIED (8 * 1024 * 1024) /* bytes that tree-sitter allocates, freed ones included */
#define ZS_MAX_STEPS 8000000 /* bytes that the reader looks at again, as for braces in words that braces made */
#define ZS_MAX_MEMORY (24 * 1024 * 1024) /* bytes that a vetting takes from the system */

/* A zeroed verdict blocks. ZS_ASK: a rule of the caller's wants a person to agree; without that it is a block. */
enum zs_verdict { ZS_BLOCK, ZS_ALLOW, ZS_ASK };

/* The sets of risks that block. enumerator, name, what it blocks */
#define ZS_PROFILES(X)                                                                                                 \
	X(STRICT, "strict", "cd, writing redirections, and all that cannot be inspected")                              \
	X(RELAXED, "relaxed", "as strict, but cd and redirections pass")                                               \
	X(VERIFY, "verify", "as strict, and everything that changes files or repository state")                        \
	X(GUARD, "guard", "what destroys or exposes beyond the workspace, and what zs cannot read")

enum zs_profile {
#define X(id, name, text) ZS_PROFILE_##id,
	ZS_PROFILES(X)
#undef X
		ZS_PROFILE_COUNT
};

/* Risk codes. Their names are stable: codes are added, never renamed. The order is their priority: the first code that
 * blocks in the profile gives the report's code, reason and hint. In guard, `cd` and `redirect` are found only where
 * the place lies outside of the workspace or is not known; the codes from `destroys` to `persists` are found only
 * there. enumerator, name, profiles in which it blocks (S strict, R relaxed, V verify, G guard; + : a rule of the
 * caller's may allow it, if it is a finding about one command), meaning */
#define ZS_RISKS(X)                                                                                                    \
	X(VERSION, "version", "SRVG", "the IR has another version than the engine")                                    \
	X(SYNTAX_ERROR, "syntax_error", "SRVG", "bash would not accept it")                                            \
	X(UNSUPPORTED, "unsupported", "SRVG", "a construct that zs does not read")                                     \
	X(LIMIT, "limit", "SRVG", "larger, deeper or slower to read than a limit allows")                              \
	X(OPAQUE_INTERPRETER, "opaque_interpreter", "SRVG", "an interpreter runs code that it reads from its input")   \
	X(EVAL, "eval", "SRVG", "runs text as code, and zs cannot see the text")                                       \
	X(GUARD, "guard", "SRVG", "changes zs itself, or what it lets commands do")                                    \
	X(DENIED, "denied", "SRVG", "a rule of the settings denies it")                                                \
	X(DESTROYS, "destroys", "G+", "deletes, moves or overwrites outside of the workspace, or all of it")           \
	X(LOSES_WORK, "loses_work", "G+", "throws away work that a repository cannot bring back")                      \
	X(REMOTE_CHANGE, "remote_change", "G+", "deletes, deploys or publishes on another system")                     \
	X(SENDS_OUT, "sends_out", "G+", "sends files or secrets to another host")                                      \
	X(PERSISTS, "persists", "G", "makes something that runs after the session has ended")                          \
	X(CD, "cd", "SVG", "changes the working directory")                                                            \
	X(REDIRECT, "redirect", "SVG", "redirects output to a file")                                                   \
	X(DYNAMIC_COMMAND, "dynamic_command", "SRVG", "the text does not say which program runs")                      \
	X(DYNAMIC_ARGUMENT, "dynamic_argument", "V", "an option, a subcommand or a script is known only at run time")  \
	X(INLINE_CODE, "inline_code", "V", "code on the command line of an interpreter")                               \
	X(WRITE, "write", "V+", "creates, changes, moves or deletes a file")                                           \
	X(REPO_STATE, "repo_state", "V+", "changes a repository: index, refs, objects or configuration")               \
	X(METADATA, "metadata", "V+", "changes mode, owner, times or attributes of a file")                            \
	X(DEVICE, "device", "V+", "writes to a device or a file system as a whole")                                    \
	X(ENVIRONMENT, "environment", "V", "an assignment that changes which code runs")                               \
	X(PRIVILEGE, "privilege", "G", "asks for another user's rights")                                               \
	X(NETWORK, "network", "", "talks to another host")                                                             \
	X(UNKNOWN_COMMAND, "unknown_command", "V+", "zs does not know this command")                                   \
	X(BACKGROUND, "background", "", "keeps running after the command line has ended")                              \
	X(SUBSHELL, "subshell", "", "runs commands in a subshell or substitution")                                     \
	X(OPERATOR, "operator", "", "joins commands: && || ; & | or a newline")                                        \
	X(EXPANSION, "expansion", "", "a value is computed at run time: $x, globs, braces, arithmetic")                \
	X(ARITHMETIC_DATA, "arithmetic_data", "", "bash reads data as arithmetic, and $(…) in it would run")           \
	X(ASKED, "asked", "SRVG", "a rule of the settings wants a person to agree")

enum zs_risk {
#define X(id, name, profiles, text) ZS_RISK_##id,
	ZS_RISKS(X)
#undef X
		ZS_RISK_COUNT,
	ZS_RISK_NONE = ZS_RISK_COUNT
};

/* The effect of a write on its path. */
#define ZS_EFFECTS(X)                                                                                                  \
	X(CREATE, "create")                                                                                            \
	X(OVERWRITE, "overwrite")                                                                                      \
	X(APPEND, "append")                                                                                            \
	X(DELETE, "delete")                                                                                            \
	X(MOVE, "move")                                                                                                \
	X(METADATA, "metadata")                                                                                        \
	X(LINK, "link")

enum zs_effect {
#define X(id, name) ZS_EFFECT_##id,
	ZS_EFFECTS(X)
#undef X
		ZS_EFFECT_COUNT
};

/* The prediction of a command's effects on files. The order: the earlier one says less, and a zeroed one says nothing.
 * enumerator, name, meaning */
#define ZS_PREDICTIONS(X)                                                                                              \
	X(UNKNOWN, "unknown", "cannot be known")                                                                       \
	X(RUNS, "runs", "runs code of the workspace, which may change its files")                                      \
	X(WITHIN, "within", "changes files within these places")                                                       \
	X(WRITES, "writes", "changes exactly these files")                                                             \
	X(READS, "reads", "changes no file")

enum zs_prediction {
#define X(id, name, text) ZS_PREDICTS_##id,
	ZS_PREDICTIONS(X)
#undef X
		ZS_PREDICTION_COUNT
};

/* The kind of nesting around a command. A command has the innermost kind; `depth` counts all of them. */
#define ZS_NESTINGS(X)                                                                                                 \
	X(TOP, "top")                                                                                                  \
	X(SUBSHELL, "subshell")                                                                                        \
	X(SUBSTITUTION, "substitution")                                                                                \
	X(FUNCTION, "function")                                                                                        \
	X(WRAPPER, "wrapper")                                                                                          \
	X(SHELL, "shell")

enum zs_nesting {
#define X(id, name) ZS_NEST_##id,
	ZS_NESTINGS(X)
#undef X
		ZS_NEST_COUNT
};

/* The bytes [start, end) of the text given to zs_vet(). Code nested in a word (bash -c '…') has that word's span. */
struct zs_span {
	uint32_t start, end;
};

/* A word as the command would receive it. */
struct zs_word {
	const char *text;    /* unquoted; NULL: known only at run time */
	const char *dynamic; /* why text is NULL: "variable", "substitution", "glob", … */
	struct zs_span span;
	/* Made by a vetting in the profile guard: the texts that a dynamic word may become, as far as the text of the
	 * command determines them; none: not known. Bytes of ZS_PLACE_* stand for parts of them. */
	const char *const *values;
	uint32_t value_count;
	const char
		*raw; /* made there, too: a dynamic word as it was written; NULL: it is static, or in another profile */
};

/* At the start of a value: the home folder, the root of the repository. Anywhere: text that a pattern matches within
 * one name; other control bytes below it stand for text that is not known. */
#define ZS_PLACE_HOME '\016'
#define ZS_PLACE_ROOT '\017'
#define ZS_PLACE_PATTERN '\020'

/* Contexts of container servers of this machine. */
#define ZS_LOCAL_SERVERS "default desktop-linux colima* orbstack rootless"

/* A place in which a command changes files. */
struct zs_effect_place {
	struct zs_word path; /* the file; with a pattern the folder. A path that is known only at run time may be any */
	const char *pattern; /* the names in the folder that change: "x*"; "**" is everything below it. NULL: `path` is
				the file */
	enum zs_effect effect;
};

/* Why the path of a place is not known: the command changes the repository that git finds from its folder, and no file
 * of the work tree. */
#define ZS_PLACE_REPOSITORY "repository"

/* Is it such a place? */
bool zs_is_repository(const struct zs_effect_place *place);

/* The effects of a command on files, as its row says. Redirections count. A wrapper's effects are its own; those of the
 * command that it runs stand with that one. */
struct zs_effects {
	enum zs_prediction prediction;
	const struct zs_effect_place *places; /* of WRITES and WITHIN; with RUNS the files that its words name */
	uint32_t place_count;
	bool caches;  /* a tool that may also keep a cache in a build folder: .mypy_cache */
	bool dot_git; /* where no word names a file, it changes the repository itself, and no file of the work tree */
	bool moves;   /* it goes to another folder before it does so: cd, env -C */
};

/* A simple command. A wrapper (sudo rm x) is two commands: the wrapper and, nested, the command that it runs. */
struct zs_command {
	const char *key; /* "ls", "git log"; NULL: the name is dynamic */
	const struct zs_word *argv;
	uint32_t argc;
	const char *const *flags; /* normalised: --x=v is --x, -20 is -* */
	uint32_t flag_count;
	struct zs_span span;
	enum zs_nesting nesting;
	uint32_t depth;
	const char *row; /* name of the row that judged it, for zs_row_named(): "git stash drop"; NULL: none */
	bool recurses;   /* it calls the function in whose body it stands */
	struct zs_effects effects;
};

/* An operator between commands. */
struct zs_operator {
	const char *text; /* "&&" "||" ";" "&" "|" "|&" */
	struct zs_span span;
};

/* A redirection. */
struct zs_redirect {
	const char *op;     /* ">" ">>" "<" "<<" … */
	int32_t descriptor; /* the descriptor that is opened: 2 for 2>x, 1 for >x, 0 for <x */
	struct zs_word target;
	bool writes;     /* it writes a file other than the harmless ones (/dev/null, …) */
	int32_t command; /* index in commands; -1: it belongs to a compound command */
	struct zs_span span;
};

/* A file that a command changes. */
struct zs_write {
	struct zs_word path;
	enum zs_effect effect;
	uint32_t command; /* index in commands */
	bool beside;      /* files beside it change whose names begin like its own: gzip x makes x.gz */
};

/* Code for an interpreter, on its command line. */
struct zs_payload {
	const char *interpreter; /* "bash", "python3" */
	struct zs_word code;
	uint32_t command; /* index in commands */
};

/* One risk that was found in the text. */
struct zs_finding {
	enum zs_risk code;
	bool informational; /* it never blocks: >/dev/null is a redirect, and harmless */
	int32_t command;    /* index in commands, or -1 */
	const char *object; /* the operand, path, variable or construct of the finding; may be NULL */
	const char *detail; /* the problem, if the code's meaning does not say enough; may be NULL */
	const char *hint;   /* the way out, when it is not the code's usual advice; may be NULL */
	struct zs_span span;
};

/* A place where bash would not accept the text. */
struct zs_parse_error {
	uint32_t byte, line, column; /* line and column count from 1; columns are bytes */
	const char *found;           /* the text at that place, shortened; "" at the end of the text */
};

/* The intermediate representation: the text lowered to plain data, without syntax nodes, independent of the parser. */
struct zs_ir {
	uint32_t version;     /* ZS_IR_VERSION */
	const char *platform; /* "bash" */
	const struct zs_command *commands;
	const struct zs_operator *operators;
	const struct zs_redirect *redirects;
	const struct zs_write *writes;
	const struct zs_payload *payloads;
	const struct zs_finding *findings;
	const struct zs_parse_error *errors;
	uint32_t command_count, operator_count, redirect_count, write_count, payload_count, finding_count, error_count;
};

/* The kinds of marks that both readings of a text set, and that must agree. */
#define ZS_MARK_KINDS(X)                                                                                               \
	X(WORD, "word")                 /* of a command, a redirection, a list; an assignment as a whole */            \
	X(OPERATOR, "operator")         /* ; & && || | |& */                                                           \
	X(SUBSTITUTION, "substitution") /* $(...) and <(...) */

enum zs_mark_kind {
#define X(id, name) ZS_MARK_##id,
	ZS_MARK_KINDS(X)
#undef X
		ZS_MARK_COUNT
};

/* A word, operator or substitution, as one reading saw it. */
struct zs_mark {
	uint32_t start, end; /* bytes of its struct zs_text */
	enum zs_mark_kind kind;
};

/* The outcome of the second reading. The strict reader, zs's own, makes the first; the parser's tree is the second. */
#define ZS_AGREEMENTS(X)                                                                                               \
	X(REFUSED, "the strict reader refuses it")                                                                     \
	X(DIFFERS, "the readings differ")                                                                              \
	X(PLAIN, "plain: the readings cannot differ, the strict reader alone decides")                                 \
	X(AGREED, "the readings agree")                                                                                \
	X(CARRIED, "the parser reports an error in what the strict reader fully understands")                          \
	X(STOPPED, "the parser was stopped at a limit")

enum zs_agreement {
#define X(id, text) ZS_##id,
	ZS_AGREEMENTS(X)
#undef X
		ZS_AGREEMENT_COUNT
};

/* A text that was read: the given text, or code nested in it. */
struct zs_text {
	const char *text;
	uint32_t len;
	struct zs_span span; /* its place in the text given to zs_vet() */
	enum zs_agreement agreement;
	const struct zs_mark *strict, *tree; /* ordered by start; an outer mark stands before those in it */
	uint32_t strict_count, tree_count;
};

/* The shells that may run the text. Every text is read as bash; what the shell reads otherwise blocks as `unsupported`.
 * enumerator, name, meaning */
#define ZS_SHELL_NAMES(X)                                                                                              \
	X(BASH, "bash", "bash 4 or newer")                                                                             \
	X(BASH32, "bash-3.2", "the bash of macOS")                                                                     \
	X(SH, "sh", "any of dash, BusyBox's ash and the bash of macOS")                                                \
	X(DASH, "dash", "dash, the sh of Debian")                                                                      \
	X(ASH, "ash", "BusyBox's ash, the sh of Alpine")                                                               \
	X(ZSH, "zsh", "zsh with its default options")                                                                  \
	X(KSH, "ksh", "ksh93, mksh, yash and their kin")                                                               \
	X(FISH, "fish", "fish 3.4 or newer")                                                                           \
	X(ANY, "any", "a shell that is not known: each of the shells above must read the text as bash does")

enum zs_shell {
#define X(id, name, text) ZS_SHELL_##id,
	ZS_SHELL_NAMES(X)
#undef X
		ZS_SHELL_COUNT
};

/* Rules of the caller's own. enumerator, name, meaning */
#define ZS_RULINGS(X)                                                                                                  \
	X(DENY, "deny", "the command is blocked in every profile, with the code `denied`")                             \
	X(ASK, "ask", "a person must agree; the code is `asked`")                                                      \
	X(ALLOW, "allow", "lifts findings about this command whose code may be lifted")

enum zs_ruling {
#define X(id, name, text) ZS_RULING_##id,
	ZS_RULINGS(X)
#undef X
		ZS_RULING_COUNT
};

/* A rule of the caller's own, about the commands of the IR: behind wrappers, in nested shells, in functions. `deny` and
 * `ask` match a command that may be meant: a word that is not known may be any words, an unknown flag the named one.
 * `allow` matches only what is certain: it takes the words in their order and compares them by their bytes. In a list,
 * one blank separates two entries. docs/rules.md explains the forms. */
struct zs_own_rule {
	enum zs_ruling ruling;
	const char *match;   /* "git push --force *": words and flags, all of which the command has. A star at the end:
				further words may follow. NULL: `command` says it */
	const char *command; /* "git push": words, each with alternatives: "kubectl|oc delete". NULL: `match` says it */
	const char *flags;   /* deny, ask: it has one of these flags; allow: it has no other. NULL: whatever it has */
	const char *unless;  /* it has none of these flags; NULL */
	const char *operand; /* deny, ask: an operand matches one of these patterns; allow: each does. A pattern that
				begins with / ~/ or ./ is a path, which the operand's path is compared with. NULL */
	const char *why, *instead; /* for the reason and the hint; NULL */
	const char *source;        /* whose rule it is, as messages say it: "the user's settings" */
};

/* Zeroed: the profile strict, in which commands without a row pass, for bash. */
struct zs_vet_options {
	enum zs_profile profile;
	enum zs_shell shell;
	bool block_unknown; /* each command without a row blocks; verify alone blocks it only with operands */
	/* For guard, absolute paths; the library compares them as text. NULL: a folder that no path of the text names.
	 */
	const char *workspace; /* the folder in which work may change files */
	const char *folder;    /* the folder in which the text runs; NULL: the workspace */
	const char *home;      /* the user's home folder */
	/* The first rule that matches a command counts, of those that deny, then of those that ask, then of those that
	 * allow. */
	const struct zs_own_rule *rules;
	uint32_t rule_count;
};

/* The verdict on a text. It is never partly filled: either everything was read, or verdict is ZS_BLOCK. */
struct zs_report {
	enum zs_verdict verdict;
	enum zs_risk code;                /* ZS_RISK_NONE when allowed */
	const char *reason;               /* one sentence for people and models; "" when allowed */
	const char *hint;                 /* what to do instead; "" when allowed */
	struct zs_span span;              /* the bytes that decided */
	const struct zs_finding *decided; /* the finding of the IR that decided; NULL: none did */
	uint32_t risks;                   /* every code that was found, as bits 1u << code */
	struct zs_ir ir;
	const struct zs_text *texts; /* in the order of reading; the first is the given text */
	uint32_t text_count;
	const struct zs_own_rule *const *rulings; /* for each command of the IR the rule that matches it, or NULL; NULL:
						     there are no rules */
};

struct zs_vetter;

/* Makes a vetter; zs_vetter_free() it. NULL when there is no memory: zs_vet() with a NULL vetter blocks. */
struct zs_vetter *zs_vetter_new(void);
/* Also frees the vetter's report. NULL is fine. */
void zs_vetter_free(struct zs_vetter *vetter);

/* Reads `len` bytes of `text` and decides. `text` need not end in NUL, and may go after the call. options: not NULL.
 * Returns the report, which is never NULL; it lives until the vetter's next zs_vet(), zs_decide() or
 * zs_vetter_free(). */
const struct zs_report *zs_vet(
	struct zs_vetter *vetter, const char *text, size_t len, const struct zs_vet_options *options);

/* Decides over an IR that zs_vet() made or that the caller kept; reads no text. options: not NULL. The report replaces
 * the vetter's last one; its `ir` points to the arrays of *ir, and it has no `texts`. The reason's memory counts
 * towards ZS_MAX_MEMORY until the next zs_vet(). */
const struct zs_report *zs_decide(
	struct zs_vetter *vetter, const struct zs_ir *ir, const struct zs_vet_options *options);

/* The names of enumerators, as in the JSON, and their texts. They are static strings. A number out of range has the
 * name "unknown"; a risk out of range has the name "none" and the text "". */
const char *zs_risk_name(enum zs_risk risk);
const char *zs_risk_text(enum zs_risk risk);
const char *zs_profile_name(enum zs_profile profile);
const char *zs_effect_name(enum zs_effect effect);
const char *zs_prediction_name(enum zs_prediction prediction);
const char *zs_prediction_text(enum zs_prediction prediction);
const char *zs_nesting_name(enum zs_nesting nesting);
const char *zs_mark_name(enum zs_mark_kind kind);
const char *zs_agreement_text(enum zs_agreement agreement);
const char *zs_shell_name(enum zs_shell shell);
/* Finds a shell by its name. False: there is none, and *ret_shell is unchanged. */
bool zs_shell_parse(const char *name, enum zs_shell *ret_shell);
/* Finds a profile by its name. False: there is none, and *ret_profile is unchanged. */
bool zs_profile_parse(const char *name, enum zs_profile *ret_profile);

/* A row of the table of commands, which is static. `zs vet --rows` prints the table, and docs/generate.py makes a page
 * of it. The functions below give a row's parts. */
struct zs_row;

/* A word of the table, and its meaning. */
struct zs_term {
	const char *name, *text;
};

/* The kinds of words in the table. enumerator, name, meaning */
#define ZS_TERM_KINDS(X)                                                                                               \
	X(ROLE, "role", "the purpose of an operand, or of the value of a flag")                                        \
	X(EFFECT, "effect", "the effect of a flag that is present")                                                    \
	X(TRAIT, "trait", "a property of a command as a whole, or how it reads its words")                             \
	X(GRAMMAR, "grammar", "a way to read words that only one command has")

enum zs_term_kind {
#define X(id, name, text) ZS_TERM_##id,
	ZS_TERM_KINDS(X)
#undef X
		ZS_TERM_KIND_COUNT
};

/* The parts of a row that occur once. */
struct zs_row_view {
	const char *table;             /* "git", "packages": rows of one table are about one subject */
	const char *of;                /* the commands of a subcommand, "npm|git stash"; NULL: the row is of commands */
	const char *names;             /* "rm|unlink" */
	const char *language;          /* the language of the code that it takes: "sed"; NULL: none */
	const char *hint;              /* the way out, when it is not the code's usual advice; may be NULL */
	const struct zs_term *grammar; /* its own way to read its words; NULL: it has none */
};

/* A flag that matters. A flag that is not listed takes no value and means nothing; with the trait "strict" it blocks.
 */
struct zs_row_flag {
	const char *name; /* "-o": `len` bytes, without a NUL */
	size_t len;
	char takes; /* '=' a value, '?' a value only when attached, '#' attached digits, '!' or 0 none */
	const struct zs_term *meaning; /* the role of its value, or the effect of its presence; NULL: none */
};

/* An operand of a row. */
struct zs_row_operand {
	const struct zs_term *role;
	bool repeats; /* it may occur any number of times */
};

/* The name and meaning of a kind of words; NULL out of range. */
const struct zs_term *zs_term_kind(enum zs_term_kind kind);
/* The i-th word of a kind, the i-th row, and the i-th trait, flag and operand of a row. i counts from 0; NULL or false
 * after the last. */
const struct zs_term *zs_term_at(enum zs_term_kind kind, size_t i);
const struct zs_row *zs_row_at(size_t i);
const struct zs_term *zs_row_trait(const struct zs_row *row, size_t i);
bool zs_row_flag(const struct zs_row *row, size_t i, struct zs_row_flag *ret_flag);
bool zs_row_operand(const struct zs_row *row, size_t i, struct zs_row_operand *ret_operand);
/* The other parts of a row. */
struct zs_row_view zs_row_view(const struct zs_row *row);
/* The row that judges a command: "ls", "python3.11", "git stash drop". NULL when there is none. */
const struct zs_row *zs_row_named(const char *name);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
