/* Runs a program in a scratch folder, as root or as an ordinary user, confined or not, and collects the result. */
#ifndef ZS_TESTS_SANDBOX_HARNESS_H
#define ZS_TESTS_SANDBOX_HARNESS_H

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include "check.h"
#include "zs_shim.h"

enum { NOBODY = 65534, HARNESS_FAILED = 99 };

/* A folder of a test's own, removed with the process:
 *	ws/ ro/ bin/ out/	each with file, sub/ and prog, which is this test program; ws/link → ../out/file
 */
struct scratch {
	char root[64];
	char prog[80]; /* bin/prog */
	uid_t owner;
};

void scratch_make(struct scratch *scratch, uid_t owner);
void scratch_remove(const struct scratch *scratch);
/* A scratch folder of the user who runs the tests, removed at the end of the block. */
#define OWN_SCRATCH(name) __attribute__((cleanup(scratch_end))) struct scratch name = scratch_own()
struct scratch scratch_own(void);
void scratch_end(struct scratch *scratch);
/* A policy that is freed at the end of the block. Set it at once, at least to NULL. */
#define AUTO_POLICY __attribute__((cleanup(policy_end))) struct zs_policy
void policy_end(struct zs_policy **policy);
/* Makes a policy that denies everything. */
struct zs_policy *policy_own(void);
/* Runs its block as each user that a test can be, with a scratch folder of that user. A failing CHECK in the block
 * names the user. */
#define AS_EACH_USER(scratch) for (struct scratch scratch = { 0 }; scratch_next(&scratch);)
/* Removes the scratch folder, and makes the next user's. False after the last. */
bool scratch_next(struct scratch *scratch);
/* Puts a copy of this test program there. All files called prog are links to one file. */
void scratch_copy_prog(const struct scratch *scratch, const char *name);
/* A path of the scratch folder; "ws/file". One of eight static buffers. */
const char *scratch_path(const struct scratch *scratch, const char *name);
bool file_exists(const char *path);
bool file_holds(const char *path, const char *text);
void write_text(const char *path, const char *text);
void make_folder(const char *path);

struct result {
	int status; /* exit code, or 128 and the signal */
	pid_t pid;  /* of the command */
	char out[4096], err[4096];
};

/* Forks, becomes uid, collects stdout and stderr, and exits with the result of body. */
void run_child(uid_t uid, int (*body)(void *arg), void *arg, struct result *result);

/* With this in the environment, the functions below use zs_session_spawn() in a session of its own instead of
 * zs_spawn(). */
#define HARNESS_SESSION_ENV "ZS_TEST_SESSION"
/* The same with denials, and every session is opened with them. */
#define HARNESS_DENIALS_ENV "ZS_TEST_DENIALS"
bool harness_has_denials(void);
/* Returns a channel for a run whose denials nobody collects; 0: without HARNESS_DENIALS_ENV. The caller closes it. */
int harness_channel(void);
bool harness_has_session(void);
int harness_spawn(const struct zs_sandbox *sandbox, char *const argv[], char *const envp[],
	const struct zs_spawn_options *options, pid_t *ret_pid, struct zs_error *error);

/* Forbids namespaces and mounts from now on, which is the part of Docker's filter that matters. With this in the
 * environment that is done at the start, and a test of a session waives all promises. */
void harness_be_in_docker(const void *arg);
#define HARNESS_NO_NAMESPACES_ENV "ZS_TEST_NO_NAMESPACES"
bool harness_has_no_namespaces(void);

/* Runs argv as uid with exactly the environment envp, confined by a policy that `build` fills, or unconfined. */
typedef void build_policy(struct zs_policy *policy, const void *arg);
void run_confined(
	uid_t uid, build_policy *build, const void *arg, char *const argv[], char *const envp[], struct result *result);
/* The same, and calls `after` once the sandbox has been made. */
void run_confined_after(uid_t uid, build_policy *build, const void *arg, char *const argv[], char *const envp[],
	void (*after)(const void *arg), struct result *result);
/* The same, after `before` has taken features of the machine away for this run. */
void run_confined_on(uid_t uid, build_policy *build, const void *arg, char *const argv[], char *const envp[],
	void (*before)(const void *arg), struct result *result);
void run_free(uid_t uid, char *const argv[], char *const envp[], struct result *result);

/* An attack of attacks.h with up to two arguments, performed by the scratch folder's prog. */
struct attack {
	const struct scratch *scratch;
	const char *name, *a, *b;
};

/* Each runs the attack and returns the result's status: unconfined; confined; the same with `after` and `before` as
 * above. */
int attack_free(uid_t uid, const struct attack *attack, struct result *result);
int attack_confined(
	uid_t uid, const struct attack *attack, build_policy *build, const void *arg, struct result *result);
int attack_confined_after(uid_t uid, const struct attack *attack, build_policy *build, const void *arg,
	void (*after)(const void *arg), struct result *result);
int attack_confined_on(uid_t uid, const struct attack *attack, build_policy *build, const void *arg,
	void (*before)(const void *arg), struct result *result);

/* The attack's command, for a test that starts it itself. */
struct attack_run {
	char texts[3][256];
	char *argv[2], *envp[4];
};
void attack_prepare(const struct attack *attack, struct attack_run *ret_run);

/* A policy that grants the program, /proc and a network; or none. */
enum { ATTACK_FREE = -1 };
int run_attack(uid_t uid, const struct scratch *scratch, int network, const char *name, const char *a, const char *b,
	struct result *result);

/* Opens a socket at this address or path, which everybody may use. It takes connections at once, without accept(2). */
int harness_listen(int type, const void *address, socklen_t size);
int harness_listen_at(int type, const char *path);

/* Starts a process of this user that sleeps, in a process group of its own; kill() it. */
pid_t harness_start_victim(uid_t uid);

/* For a body of run_child(): on failure prints why, and fails. */
#define EXPECT(expr, ...)                                                                                              \
	do {                                                                                                           \
		if (!(expr)) {                                                                                         \
			printf("%s:%d: %s: ", __FILE__, __LINE__, #expr);                                              \
			printf(__VA_ARGS__);                                                                           \
			putchar('\n');                                                                                 \
			return 1;                                                                                      \
		}                                                                                                      \
	} while (0)

/* The users that a test can be: root and nobody, or the present user. */
size_t test_users(uid_t ret_users[2]);

/* Grants this test program's copy and, where it is linked dynamically, its libraries. */
void grant_prog(struct zs_policy *policy, const struct scratch *scratch);

/* CHECKs that a policy call succeeded, with its error line if not. */
void check_ok(int r, const struct zs_error *error, const char *what);

#endif
