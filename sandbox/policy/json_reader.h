/* Reading JSON strictly, a policy's or settings: each object is a table of the keys it may have, so that nothing is
 * ignored by accident, and each error names key and line. All return 0 or a negative errno with the reader's error
 * filled in. */
#ifndef ZS_SANDBOX_JSON_READER_H
#define ZS_SANDBOX_JSON_READER_H

#include <errno.h>
#include <yyjson.h>

#include "policy/policy.h"

struct zs_json_reader {
	const char *step;   /* what is read, for messages */
	const char *file;   /* the same: its name; may be NULL */
	const char *text;   /* as given */
	const char *buffer; /* where yyjson reads in place: a string lies at the offset it has in text */
	struct zs_policy *policy;
	struct zs_error *error;
	zs_each_error *each; /* not NULL: it is told of an error, and what can still be read is */
	void *each_arg;
	void *own; /* of who reads */
};

/* The part had errors: all of them have been told. */
enum { ZS_JSON_TOLD = -ECANCELED };

struct zs_json_node;
typedef int zs_json_read(const struct zs_json_node *node, void *into);

/* A key that an object may have. Behind `required` stands what the readers of fields below use. */
struct zs_json_field {
	const char *name;
	zs_json_read *read;
	bool required;
	size_t offset;            /* in `into` */
	const char *const *names; /* up to a NULL */
	const char *what;         /* the message of another name */
	int (*add)(struct zs_policy *policy, const char *text, struct zs_error *error);
	zs_json_read *each;
	const struct zs_json_field *fields;
	size_t count;
};

/* A value where it stands. A message says that place: "paths[3].access", and the line. */
struct zs_json_node {
	struct zs_json_reader *reader;
	const struct zs_json_node *outer; /* NULL: this is the whole */
	const struct zs_json_field *field;
	const char *name; /* of a key; NULL: it is outer's element `index` */
	size_t index;
	const char *at; /* in the buffer, to count lines to */
	yyjson_val *value;
};

/* Parses a text, and has its outermost value read. */
int zs_json_parse(struct zs_json_reader *reader, const char *text, size_t len, size_t max, zs_json_read *read);

/* After a part has been read with the result r: is the next one? *result becomes that of the whole. */
bool zs_json_goes_on(struct zs_json_reader *reader, int r, int *result);

/* The result of a function that has told the errors, or returned one with the error filled in. */
int zs_json_end_check(int r, const struct zs_error *error, zs_each_error *each, void *arg);

/* The line at which a node stands. */
unsigned zs_json_line(const struct zs_json_node *node);

int zs_json_fail(const struct zs_json_node *node, int cause, const char *what);

/* The policy refused a value, or not: says so at its place, keeping the refusal's own words and hint. */
int zs_json_judged(const struct zs_json_node *node, int r, const struct zs_error *inner);

/* A string without a NUL in it. */
int zs_json_string(const struct zs_json_node *node, const char **ret_text);

/* A whole number above 0. */
int zs_json_amount(const struct zs_json_node *node, uint64_t *ret_amount);

/* An object with keys of the table. */
int zs_json_object(const struct zs_json_node *node, const struct zs_json_field *fields, size_t count, void *into);

/* An array, and an object whose keys are free: each element and each value is read. */
int zs_json_array(const struct zs_json_node *node, zs_json_read *each, void *into);
int zs_json_pairs(const struct zs_json_node *node, zs_json_read *each, void *into);

/* Readers of fields: the three above with what the field says; a string (const char *), true or false (bool), and the
 * number of one of `names` (an enum), which go to `offset`; an array of strings, each for add(). */
zs_json_read zs_json_read_object, zs_json_read_array, zs_json_read_pairs;
zs_json_read zs_json_read_string, zs_json_read_bool, zs_json_read_name, zs_json_read_strings;

#endif
