/* The common parts of the tests of sessions: a session for each test, runs in it, and checks of what they leave. */
#ifndef ZS_TESTS_SANDBOX_SESSION_STAND_H
#define ZS_TESTS_SANDBOX_SESSION_STAND_H

#include "harness.h"

/* A session of one test, in a process of its own. */
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
	bool is_open; /* the session is opened before body */
};

/* 0; or 1, after it has printed why there is no session. */
int stand_open(struct stand *stand);
/* Runs body with a stand, in a process of its own, as each user that a test can be. CHECKs that body returns 0. */
void stand_as_each_user(int (*body)(struct stand *stand), const char *kind, void (*more)(struct zs_policy *policy));

/* The same, with the session opened before body and closed after it. */
void stand_in_session(int (*body)(struct stand *stand), const char *kind, void (*more)(struct zs_policy *policy));

/* A test whose block is such a body. */
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

/* A run, the pipe that it reads, and the pipe of its standard output, which all processes that it starts hold open. */
struct run {
	pid_t pid;
	int in, out;
};

/* Starts a run that performs an attack of attacks.h with one argument. */
int stand_begin(const struct stand *stand, struct run *run, const char *attack, const char *a, struct zs_error *error);
/* The same, and waits for the line which says that the command has begun. Prints why if it has not. */
bool stand_begins(const struct stand *stand, struct run *run, const char *attack, const char *a);
/* Reads the line which says that the command has begun. */
int stand_read_pid(const struct run *run);
/* Have all processes that held the run's output ended within this time? */
bool stand_is_silent(const struct run *run, int milliseconds);
/* Waits for the process. Returns its exit code, or 128 plus the signal. */
int stand_status_of(pid_t pid);
/* Starts a run, and waits until it ends by itself. */
int stand_run_one(const struct stand *stand, const char *attack, const char *a);

/* Returns an error's line, in a static buffer. */
char *stand_text_of(const struct zs_error *error);

/* Reads the first two children. */
void stand_read_children(pid_t parent, pid_t ret_children[2]);
/* Finds the session parent, or with `runner` the runner, which is the second child. */
pid_t stand_find_child(bool runner);
/* This process was the session's host, so the session's remaining processes become its children. Are they gone within a
 * moment? */
bool stand_is_all_gone(void);

/* Runs the tests of these names again, in a program of their own with this variable in its environment. */
void stand_run_again(const char *const names[], const char *variable, bool docker);

#define RUN_AGAIN(variable, docker, ...)                                                                               \
	stand_run_again((const char *[]){ "/proc/self/exe", __VA_ARGS__, NULL }, variable, docker)

#endif
