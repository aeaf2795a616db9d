/* zs_approval.h: a command needs more than its policy gives; may it?
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
 * A path or host that the policy grants, or that was approved before, is not asked for. Each other item is asked for by
 * itself, narrow ones before broad ones; all in one call of the host's, which shows them to a person. An answer is for
 * what was shown: a canonical path, which was resolved once and whose place is held open, so that nothing can take that
 * place between the answer and the run; or a host's name as it is compared. Where something is to be made that is not
 * there, it is for the nearest folder that is. The command reaches it by that path, not by a link that was asked for.
 *
 * Answers for the session are in a file of the session, $XDG_RUNTIME_DIR/zs/session-ID.json, or in a private folder of
 * the user's in the temporary one. ID is ZS_SESSION of envp, or the leader of the terminal session with the time at
 * which it started; with that leader they end. A workspace holds no session: a command may have written what is there.
 * Those for always are in the user's settings, and count where the policy comes of these (zs_settings_policy()).
 *
 * To run without any sandbox is one more item, which nothing here asks for but a request that says so; who was granted
 * it reads zs_approvals_unsandboxed() and does that itself.
 *
 * Errors, ownership and threads are as in zs_sandbox.h; approvals are for one thread at a time.
 */
#ifndef ZS_APPROVAL_H
#define ZS_APPROVAL_H

#include "zs_sandbox.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The needs that may be asked for, from narrow to broad: name, key of settings.json, option of zs run that grants it as
 * well, text. */
#define ZS_NEEDS(X)                                                                                                    \
	X(HOST, "host", "network_hosts", "--host", "connect to a host")                                                \
	X(WRITE, "write", "write_paths", "--rw", "write a file, or a folder and all below it")                         \
	X(GIT, "git", "allow_git_access", "--git allow",                                                               \
		"write git's metadata, as commits do, of every repository that it works in; hooks and configuration "  \
		"stay protected")                                                                                      \
	X(ALL_HOSTS, "all-hosts", "allow_all_hosts", "--net full", "connect to any host")                              \
	X(ALL_WRITES, "all-writes", "allow_fs_write_all", "--rw /", "write everything that you can write")             \
	X(UNSANDBOXED, "unsandboxed", "allow_unsandboxed", NULL, "run without any sandbox")

/* The first is that of a forgotten answer. */
#define ZS_ANSWERS(X)                                                                                                  \
	X(DENY, "deny", "no")                                                                                          \
	X(ONCE, "once", "for this run")                                                                                \
	X(SESSION, "session", "until this session ends")                                                               \
	X(ALWAYS, "always", "until it is taken out of the user's settings")

#define ZS_ENUM_NEED(id, name, setting, option, text) ZS_NEED_##id,
#define ZS_ENUM_ANSWER(id, name, text) ZS_ANSWER_##id,
enum zs_need_kind { ZS_NEEDS(ZS_ENUM_NEED) ZS_NEED_COUNT };
enum zs_answer { ZS_ANSWERS(ZS_ENUM_ANSWER) ZS_ANSWER_COUNT };

/* NULL when out of range; of an option also where there is none. */
const char *zs_need_name(enum zs_need_kind kind);
const char *zs_need_setting(enum zs_need_kind kind);
const char *zs_need_option(enum zs_need_kind kind);
const char *zs_need_text(enum zs_need_kind kind);
const char *zs_answer_name(enum zs_answer answer);

/* Limits; each is an error that says so. */
enum {
	ZS_REQUEST_ITEMS_MAX = 64, /* more than anybody reads */
	ZS_APPROVALS_MAX = 1024,
	ZS_SESSION_NAME_MAX = 64,
	ZS_SESSION_FILE_MAX = 256 * 1024,
};

/* The wishes of a command. Lists end with NULL; NULL is an empty one. */
struct zs_request {
	const char *const *hosts;       /* NAME, NAME:PORT, *.NAME */
	const char *const *write_paths; /* absolute, or "~/…" */
	bool git, all_hosts, all_writes, unsandboxed;
	char *const *argv;  /* to be shown */
	const char *folder; /* the same */
};

/* One item that is asked for. Strings last as long as the call; they may hold any byte, so escape what you show. */
struct zs_need {
	enum zs_need_kind kind;
	const char *wanted;  /* as requested; of a switch NULL */
	const char *granted; /* what an approval is for: the canonical path or name; of a switch NULL */
	bool missing;        /* nothing is at `wanted`; `granted` is the folder in which it would be made */
	bool folder;         /* it is for all that is in it as well */
	const char *broad;   /* NULL, or why this is more than it looks: "your home folder, with its keys" */
};

struct zs_question {
	const struct zs_request *request;
	const struct zs_need *needs;
	size_t count;
	bool session; /* can an answer be for the session? */
};

/* Fills `answers`, which start out as DENY. A negative errno denies all of them, and is what zs_approvals_ask()
 * returns. */
typedef int zs_approval_ask(
	const struct zs_question *question, enum zs_answer *answers, void *data, struct zs_error *error);

struct zs_approvals;

/* For one run: what is approved once lasts as long as this does. Nothing is approved yet, and what the policy grants
 * needs no approval: it is looked at now, and not kept; NULL grants nothing. envp: HOME, XDG_RUNTIME_DIR, TMPDIR,
 * ZS_SESSION, XDG_CONFIG_HOME; it is kept, and must outlive the approvals. */
int zs_approvals_new(const struct zs_policy *policy, char *const envp[], struct zs_approvals **ret_approvals,
	struct zs_error *error);
void zs_approvals_free(struct zs_approvals *approvals);

/* One that the host remembers itself. value: a canonical path or a host; of a switch NULL. A path that has become a
 * link or is gone is left out. */
int zs_approvals_add(struct zs_approvals *approvals, enum zs_need_kind kind, const char *value, enum zs_answer answer,
	struct zs_error *error);

/* Adds what was approved for the session that envp tells. An error: its file, or the folder that it is in, is not what
 * this user alone can have written. */
int zs_approvals_load(struct zs_approvals *approvals, struct zs_error *error);

/* Asks for what is requested and not granted. 0: all of it is granted now. -EACCES: something was denied, which *error
 * names, with what grants it; nothing may run. ask: NULL denies. */
int zs_approvals_ask(struct zs_approvals *approvals, const struct zs_request *request, zs_approval_ask *ask, void *data,
	struct zs_error *error);

/* Writes down the answers that were for the session or for always; also of a request of which something was denied.
 * Settings that cannot be read as such are an error, and stay as they are. */
int zs_approvals_save(struct zs_approvals *approvals, struct zs_error *error);

/* Takes an approval of the session back. *ret_known: was it there? */
int zs_approvals_revoke(
	char *const envp[], enum zs_need_kind kind, const char *value, bool *ret_known, struct zs_error *error);

/* Tells of each that the user's settings grant always, with its line there: it may also be of his own hand. */
struct zs_settings;
typedef void zs_each_always(enum zs_need_kind kind, const char *value, unsigned line, void *arg);
void zs_approvals_each_always(const struct zs_settings *settings, zs_each_always *each, void *arg);

/* Is there a session, so that an answer can be for it? */
bool zs_approvals_has_session(char *const envp[]);

/* Protects the folders in which sessions are kept, as far as the policy lets them be written; they are made where they
 * are missing. Last of all: what is granted afterwards is not known here. */
int zs_approvals_protect(struct zs_policy *policy, char *const envp[], struct zs_error *error);

/* Adds all that is approved to a policy. A place that has been replaced since it was approved ends the run. */
int zs_approvals_apply(const struct zs_approvals *approvals, struct zs_policy *policy, struct zs_error *error);

/* Has the last request asked to run without a sandbox, and was that approved? */
bool zs_approvals_unsandboxed(const struct zs_approvals *approvals);

/* One approval. */
struct zs_approval {
	enum zs_need_kind kind;
	const char *value; /* NULL of a switch */
	enum zs_answer answer;
};
size_t zs_approvals_count(const struct zs_approvals *approvals);
struct zs_approval zs_approvals_at(const struct zs_approvals *approvals, size_t index);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
