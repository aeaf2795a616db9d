/* Collects beside a run what zs refuses to it, and prints that at its end. */
#ifndef ZS_CMD_DENIED_H
#define ZS_CMD_DENIED_H

#include <stdio.h>

#include "run/confine.h"
#include "zs_denials.h"

struct zs_expected;

/* The most lines that a run that failed prints on stderr. */
enum { ZS_DENIED_LINES_MAX = 5 };

struct zs_denied_options {
	const char *to; /* "": lines on stderr if the run has failed; else FILE or fd:N, which gets lines of JSON */
	bool silent;    /* no record is printed: they are only compared */
	bool usual;     /* nobody has asked: then nothing is said about what cannot be seen */
	bool model;     /* a model reads the lines: see zs_denials_collect_for_model() */
	int report;     /* a pipe that gets the same lines as JSON; -1: none */
	const struct zs_confine_fields *fields; /* the run's, to remember it by; NULL: it is not… */
	const struct zs_option *table;          /* … and those of its options that a later run takes */
	const struct zs_expected *expected;     /* what refused writes are compared with; NULL */
	bool json;                              /* prints the differences as JSON */
	bool here;                              /* the run starts in this folder, and not in the workspace */
	bool fixed;  /* the run may have begun, so the policy stays: FILE may not lie where it lets commands write */
	bool member; /* fd:N gets members of a JSON object at the end, and a newline: see zs_denied_no_members */
};

/* Those members when nothing is known. */
extern const char zs_denied_no_members[];

/* Starts a process that collects what the run refuses that this process is about to become. The policy protects FILE.
 * *ret_channel: for zs_exec_reporting() and zs_wrap_with(); 0: this system cannot see anything, and nobody has asked.
 * Returns an exit code; errors are on stderr. */
int zs_denied_start(
	const struct zs_denied_options *options, struct zs_policy *policy, char *const argv[], int *ret_channel);

/* Prints a record as a line of JSON. */
void zs_denied_print_json(FILE *out, const struct zs_denial *denial);

/* Adds the command's own program, which zs itself has failed to start. PATH is searched for a name without a slash. */
void zs_denied_program(struct zs_denials *denials, const char *name);

#endif
