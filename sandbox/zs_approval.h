/* zs_approval.h: for a host that asks a person when a command needs more than its policy grants.
 *
 *	struct zs_request request = { .argv = argv, .folder = cwd, .write_paths = (const char *[]){ "~/out", NULL } };
 *
 *	if (zs_approvals_new(policy, environ, &approvals, &error) < 0 ||
 *	    zs_approvals_load(approvals, &error) < 0 ||
 *	    zs_approvals_ask(approvals, &request, ask, data, &error) < 0 ||    -EACCES: denied
 *	    zs_approvals_save(approvals, &error) < 0 ||
 *	    zs_approvals_apply(approvals, policy, &error) < 0 ||
 *	    zs_settings_protect(policy, environ, &error) < 0 ||
 *	    zs_approvals_protect(policy, environ, &error) < 0)
 *		… zs_error_format(&error, line, sizeof line); nothing runs …
 *	zs_exec(policy, argv, environ, &error);                                approvals are kept until it runs
 *
 * Questions: one call of the host's shows all items that are missing, narrow ones before broad ones. It leaves out a
 * path or host that the policy grants, or that was approved before.
 *
 * Scope: an answer is for the shown item: a canonical path, or a host's name in the form that zs compares. The path is
 * resolved once, and its place is held open, so that nothing can take that place between the answer and the run. If
 * the path does not exist yet, the answer is for its nearest folder that exists. The command reaches it by the shown
 * path, not by a link to it.
 *
 * Answers for the session are in a file: $XDG_RUNTIME_DIR/zs/session-ID.json, or the same in a private folder of the
 * user's in the temporary one. ID is ZS_SESSION of envp, or the leader of the terminal session with the time at which
 * it started; these answers end with that leader. There is no session where the file would lie in a workspace: a
 * command may have written it. Answers for always are in the user's settings, and count where zs_settings_policy()
 * makes the policy.
 *
 * Running without any sandbox is one more item. Only a request that says so asks for it. The host then reads
 * zs_approvals_unsandboxed(), and runs the command itself.
 *
 * Errors, ownership and threads are as in zs_sandbox.h. One thread at a time may use the approvals.
 */
#ifndef ZS_APPROVAL_H
#define ZS_APPROVAL_H

#include "zs_sandbox.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The needs that a command may have, from narrow to broad. enumerator, name, key of settings.json, option of zs run
 * that grants it as well, text */
#define ZS_NEEDS(X)                                                                                                    \
	X(HOST, "host", "network_hosts", "--host", "connect to a host")                                                \
	X(WRITE, "write", "write_paths", "--rw", "write a file, or a folder and all below it")                         \
	X(GIT, "git", "allow_git_access", "--git allow",                                                               \
		"write git's metadata, as commits do, of every repository that it works in; hooks and configuration "  \
		"stay protected")                                                                                      \
	X(ALL_HOSTS, "all-hosts", "allow_all_hosts", "--net full", "connect to any host")                              \
	X(ALL_WRITES, "all-writes", "allow_fs_write_all", "--rw /", "write all files that you can write")              \
	X(UNSANDBOXED, "unsandboxed", "allow_unsandboxed", NULL, "run without any sandbox")

/* The answers. The first is that of a zeroed or forgotten answer. enumerator, name, text */
#define ZS_ANSWERS(X)                                                                                                  \
	X(DENY, "deny", "no")                                                                                          \
	X(ONCE, "once", "for this run")                                                                                \
	X(SESSION, "session", "until this session ends")                                                               \
	X(ALWAYS, "always", "until it is taken out of the user's settings")

#define ZS_ENUM_NEED(id, name, setting, option, text) ZS_NEED_##id,
#define ZS_ENUM_ANSWER(id, name, text) ZS_ANSWER_##id,
enum zs_need_kind { ZS_NEEDS(ZS_ENUM_NEED) ZS_NEED_COUNT };
enum zs_answer { ZS_ANSWERS(ZS_ENUM_ANSWER) ZS_ANSWER_COUNT };

/* The parts of a need, and the name of an answer: static strings. NULL when out of range, and for a need without an
 * option. */
const char *zs_need_name(enum zs_need_kind kind);
const char *zs_need_setting(enum zs_need_kind kind);
const char *zs_need_option(enum zs_need_kind kind);
const char *zs_need_text(enum zs_need_kind kind);
const char *zs_answer_name(enum zs_answer answer);

/* Bounds. A call that reaches one fails and names it. */
enum {
	ZS_REQUEST_ITEMS_MAX = 64, /* more than anybody reads */
	ZS_APPROVALS_MAX = 1024,
	ZS_SESSION_NAME_MAX = 64,
	ZS_SESSION_FILE_MAX = 256 * 1024,
};

/* The wishes of a command. A list ends with NULL; NULL is an empty list. */
struct zs_request {
	const char *const *hosts;       /* NAME, NAME:PORT, *.NAME */
	const char *const *write_paths; /* absolute, or "~/…" */
	bool git, all_hosts, all_writes, unsandboxed;
	char *const *argv;  /* the command, to be shown */
	const char *folder; /* its working directory, to be shown */
};

/* One item of a question. Strings live as long as the call. They may hold any byte, so escape them before you show
 * them. A switch is a need without a value: all_hosts, git, … */
struct zs_need {
	enum zs_need_kind kind;
	const char *wanted;  /* as requested; NULL for a switch */
	const char *granted; /* the canonical path or name that an approval is for; NULL for a switch */
	bool missing;        /* `wanted` does not exist; `granted` is the folder in which it would be made */
	bool folder;         /* the approval is for everything in it as well */
	const char *broad; /* NULL, or the reason why it grants more than it seems: "your home folder, with its keys" */
};

/* The items that a host shows together. */
struct zs_question {
	const struct zs_request *request;
	const struct zs_need *needs;
	size_t count;
	bool session; /* may an answer be for the session? */
};

/* The host's callback: shows the question, and fills `answers`, one for each need; they start out as DENY. A negative
 * errno denies all of them, and zs_approvals_ask() returns it. */
typedef int zs_approval_ask(
	const struct zs_question *question, enum zs_answer *answers, void *data, struct zs_error *error);

struct zs_approvals;

/* Makes the approvals of one run; zs_approvals_free() them. An answer of ONCE lasts as long as they do. Nothing is
 * approved yet. A grant of the policy needs no approval; the function reads the policy now, and does not keep it.
 * policy NULL grants nothing. envp: HOME, XDG_RUNTIME_DIR, TMPDIR, ZS_SESSION, XDG_CONFIG_HOME; it is kept, and must
 * outlive the approvals. */
int zs_approvals_new(const struct zs_policy *policy, char *const envp[], struct zs_approvals **ret_approvals,
	struct zs_error *error);
void zs_approvals_free(struct zs_approvals *approvals);

/* Adds an approval that the host remembers itself. value: a canonical path or a host; NULL for a switch. A path that is
 * gone, or has become a link, is left out. */
int zs_approvals_add(struct zs_approvals *approvals, enum zs_need_kind kind, const char *value, enum zs_answer answer,
	struct zs_error *error);

/* Adds the approvals of the session that envp names. Fails if somebody but this user can have written the session's
 * file or its folder. */
int zs_approvals_load(struct zs_approvals *approvals, struct zs_error *error);

/* Asks for the items of the request that are not granted. 0: all of them are granted now. -EACCES: an item was denied,
 * and nothing may run; *error names the item, and the option or setting that grants it. ask NULL denies. */
int zs_approvals_ask(struct zs_approvals *approvals, const struct zs_request *request, zs_approval_ask *ask, void *data,
	struct zs_error *error);

/* Saves the answers for the session and for always, also if another item of the request was denied. Settings that
 * cannot be read are an error, and stay as they are. */
int zs_approvals_save(struct zs_approvals *approvals, struct zs_error *error);

/* Revokes an approval of the session. *ret_known: was there one? */
int zs_approvals_revoke(
	char *const envp[], enum zs_need_kind kind, const char *value, bool *ret_known, struct zs_error *error);

/* Calls each(…, arg) for each need that the user's settings grant always, with its line there. The user may have
 * written it by hand. */
struct zs_settings;
typedef void zs_each_always(enum zs_need_kind kind, const char *value, unsigned line, void *arg);
void zs_approvals_each_always(const struct zs_settings *settings, zs_each_always *each, void *arg);

/* Does envp name a session, or the terminal have one? Only then an answer can be for the session. */
bool zs_approvals_has_session(char *const envp[]);

/* Protects the folders of sessions, as far as the policy lets the command write them; makes missing ones. Call it after
 * the last grant: it does not see later ones. */
int zs_approvals_protect(struct zs_policy *policy, char *const envp[], struct zs_error *error);

/* Adds all approvals to a policy. A path that was replaced since its approval ends the run. */
int zs_approvals_apply(const struct zs_approvals *approvals, struct zs_policy *policy, struct zs_error *error);

/* Did the last request ask to run without a sandbox, and was that approved? */
bool zs_approvals_unsandboxed(const struct zs_approvals *approvals);

/* One approval. Its value lives as long as the approvals do. */
struct zs_approval {
	enum zs_need_kind kind;
	const char *value; /* NULL for a switch */
	enum zs_answer answer;
};
/* The number of approvals, and the one at index, which counts from 0. */
size_t zs_approvals_count(const struct zs_approvals *approvals);
struct zs_approval zs_approvals_at(const struct zs_approvals *approvals, size_t index);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
