/* The parts that the files of the differential fuzzer share. */
#ifndef ZS_FUZZ_DIFFERENTIAL_H
#define ZS_FUZZ_DIFFERENTIAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include <yyjson.h>

#include "jail.h"
#include "mutator.h"
#include "oracle.h"
#include "zs_shellpolicy.h"

#define ZS_JOBS_MAX 64
#define ZS_FINDINGS_MAX 1000 /* findings after which a job stops */

enum { ZS_EXIT_FOUND = 1, ZS_EXIT_USAGE = 64, ZS_EXIT_NO_JAIL = 77 };

/* The counters, summed over all jobs. */
#define COUNTERS(X)                                                                                                    \
	X(mutants)                                                                                                     \
	X(allowed)                                                                                                     \
	X(hiding) /* allowed, with a marker that the report does not show */                                           \
	X(executions)                                                                                                  \
	X(ran) /* the marker ran, or bash read a command */                                                            \
	X(timeouts)                                                                                                    \
	X(minimising)                                                                                                  \
	X(alike)    /* found, and probably known */                                                                    \
	X(vanished) /* found, and not confirmed by a fresh bash */                                                     \
	X(findings)

struct shared {
#define X(name) atomic_ulong name;
	COUNTERS(X)
#undef X
	atomic_flag output;
	struct {
		char text[ZS_INPUT_MAX];
		size_t len;
	} vetted[ZS_JOBS_MAX]; /* the text that each job vets now, in case the job dies */
};

struct job {
	const char *server, *marker, *bash;
	unsigned long count, seconds, seed, jobs, wall;
	enum zs_profile profile;
	bool jail_is_optional, parse; /* compare what the parsers read, not what ran */
	bool other;                   /* the bash is not 5.2 */
	unsigned long number;         /* number of this job */
	struct shared *shared;
	struct mutator *mutator;
	struct zs_vetter *vetter;
	struct jail *jail;  /* forks bash, or has its parser */
	struct jail *fresh; /* forks before bash's main(); with `parse` the same as `jail` */
	struct jail_result result;
	struct seed known[ZS_FINDINGS_MAX + 1]; /* minimised findings */
	size_t known_count;
};

#define ZS_COUNT(job, name) atomic_fetch_add(&(job)->shared->name, 1)

/* jobs.c: one mutant. */
void zs_differ_once(struct job *job);
/* Opens and checks a jail. If that fails, the program ends. */
struct jail *zs_open_jail(const struct job *job, enum jail_stage stage);
/* Vets the text, runs it in a fresh bash if it is allowed, and compares. */
enum oracle_kind zs_try(struct job *job, const char *text, size_t len, char *ret_what, size_t what_size);

/* shrink.c: shortens a finding as far as possible. Returns its length. */
size_t zs_shrink(struct job *job, char *text, size_t len, enum oracle_kind kind);
/* Is the finding probably known? Is it known already? The second call makes it known. */
bool zs_is_like_known(const struct job *job, const char *text, size_t len);
bool zs_is_known(struct job *job, const char *text, size_t len);

#endif
