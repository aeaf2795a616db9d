/* The common parts of the tests of sessions: a session of a test's own, runs in it, and the remains of both. */
#ifndef ZS_TESTS_SANDBOX_SESSION_STAND_H
#define ZS_TESTS_SANDBOX_SESSION_STAND_H

#include "harness.h"

/* A session of a test's own, in a process of the test's own. */
struct stand {
	const struct scratch *scratch;
	const char *kind;
	void (*more)(struct zs_policy *policy);
	const char *protect; /* in the scratch folder */
	const char *host;    /* HOST:PORT */
	int report;
	const char *tmpdir;
	struct zs_sandbox *sandbox;
	struct zs_session *session;
	int (*body)(struct stand *stand);
	bool is_open; /* the session, before body */
};

/* 0, or 1 when it has printed why there is no session. */
int stand_open(struct stand *stand);
/* Runs body with a stand, in a process of its own as each user that a test can be, and CHECKs that it returns 0. */
void stand_as_each_user(int (*body)(struct stand *stand), const char *kind, void (*more)(struct zs_policy *policy));

/* The same, with the session open before body, and closed behind it. */
void stand_in_session(int (*body)(struct stand *stand), const char *kind, void (*more)(struct zs_policy *policy));

/* A test of which the block is such a body. */
#define REGISTER_STAND(test, id, how)                                                                                  \
	static int id(struct stand *stand);                                                                            \
	test(id)                                                                                                       \
	{                                                                                                              \
		how(id, #id, NULL);                                                                                    \
	}                                                                                                              \
	static int id(struct stand *stand)
#define STAND_TEST(id) REGISTER_STAND(TEST, id, stand_as_each_user)
#define SLOW_STAND_TEST(id) REGISTER_STAND(SLOW_TEST, id, stand_as_each_user)
#define SESSION_TEST(id) REGISTER_STAND(TEST, id, stand_in_session)
#define SLOW_SESSION_TEST(id) REGISTER_STAND(SLOW_TEST, id, stand_in_session)

/* A run, what it is given to read, and what it writes: to standard output, which all that it starts holds open. */
struct run {
	pid_t pid;
	int in, out;
};

/* By an attack of attacks.h with one argument. */
int stand_begin(const struct stand *stand, struct run *run, const char *attack, const char *a, struct zs_error *error);
/* The same, and waits for the line that says the command has begun; if it has not, prints why. */
bool stand_begins(const struct stand *stand, struct run *run, const char *attack, const char *a);
/* The line that says the command has begun. */
int stand_read_pid(const struct run *run);
/* Has every process that held the run's output ended, within this time? */
bool stand_is_silent(const struct run *run, int milliseconds);
/* Waits for it: exit code, or 128 and the signal. */
int stand_status_of(pid_t pid);
/* Begins a run, and ends it by itself. */
int stand_run_one(const struct stand *stand, const char *attack, const char *a);

/* An error's line, in a static buffer. */
char *stand_text_of(const struct zs_error *error);

/* The first two. */
void stand_read_children(pid_t parent, pid_t ret_children[2]);
/* The children that there are besides runs, as they were started. */
pid_t stand_find_child(bool runner);
/* The remains of a session whose host this was come to us, and are gone in a moment. */
bool stand_is_all_gone(void);

/* Runs tests by these names again, in a program of their own with this in its environment. */
void stand_run_again(const char *const names[], const char *variable, bool docker);

#define RUN_AGAIN(variable, docker, ...)                                                                               \
	stand_run_again((const char *[]){ "/proc/self/exe", __VA_ARGS__, NULL }, variable, docker)

#endif
