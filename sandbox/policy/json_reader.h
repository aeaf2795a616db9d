/* Reads JSON strictly, for policies and settings. Each object has a table of the keys that it may have, so that no key
 * is ignored by accident. Each error names key and line. All functions return 0, or a negative errno with the reader's
 * error filled in. */
#ifndef ZS_SANDBOX_JSON_READER_H
#define ZS_SANDBOX_JSON_READER_H

#include <errno.h>
#include <yyjson.h>

#include "policy/policy.h"

struct zs_json_reader {
	const char *step;   /* the error's step */
	const char *file;   /* the file's name, for messages; may be NULL */
	const char *text;   /* the text as given */
	const char *buffer; /* yyjson's copy, which it reads in place: a string has the same offset as in text */
	struct zs_policy *policy;
	struct zs_error *error;
	zs_each_error *each; /* not NULL: it is called for each error, and reading goes on where it can */
	void *each_arg;
	void *own; /* for the caller's own use */
};

/* The part had errors, and all of them have been reported. */
enum { ZS_JSON_TOLD = -ECANCELED };

struct zs_json_node;
typedef int zs_json_read(const struct zs_json_node *node, void *into);

/* A key that an object may have. The members after `required` are for the readers of fields below. */
struct zs_json_field {
	const char *name;
	zs_json_read *read;
	bool required;
	size_t offset;            /* in `into` */
	const char *const *names; /* up to a NULL */
	const char *what;         /* for the message that refuses another name */
	int (*add)(struct zs_policy *policy, const char *text, struct zs_error *error);
	zs_json_read *each;
	const struct zs_json_field *fields;
	size_t count;
};

/* A value and its place. A message names the place: "paths[3].access", and the line. */
struct zs_json_node {
	struct zs_json_reader *reader;
	const struct zs_json_node *outer; /* NULL: this is the outermost value */
	const struct zs_json_field *field;
	const char *name; /* of a key; NULL: it is outer's element `index` */
	size_t index;
	const char *at; /* its place in the buffer, from which the line is counted */
	yyjson_val *value;
};

/* Parses a text, and reads its outermost value. */
int zs_json_parse(struct zs_json_reader *reader, const char *text, size_t len, size_t max, zs_json_read *read);

/* Does reading go on after a part that was read with the result r? Updates *result, the result of the whole. */
bool zs_json_goes_on(struct zs_json_reader *reader, int r, int *result);

/* Returns the result of a function that either has reported its errors or has returned one in *error. */
int zs_json_end_check(int r, const struct zs_error *error, zs_each_error *each, void *arg);

/* The line on which a node begins. */
unsigned zs_json_line(const struct zs_json_node *node);

int zs_json_fail(const struct zs_json_node *node, int cause, const char *what);

/* Completes the error of a value that the policy refused: adds its place, and keeps the error's own words and hint. r:
 * the policy's result, which may be 0. */
int zs_json_judged(const struct zs_json_node *node, int r, const struct zs_error *inner);

/* Reads a string that contains no NUL. */
int zs_json_string(const struct zs_json_node *node, const char **ret_text);

/* Reads a whole number above 0. */
int zs_json_amount(const struct zs_json_node *node, uint64_t *ret_amount);

/* Reads an object with the keys of the table. */
int zs_json_object(const struct zs_json_node *node, const struct zs_json_field *fields, size_t count, void *into);

/* Reads an array, or an object whose keys are free: reads each element or value. */
int zs_json_array(const struct zs_json_node *node, zs_json_read *each, void *into);
int zs_json_pairs(const struct zs_json_node *node, zs_json_read *each, void *into);

/* Readers of fields. The first three read as the functions above, with the members of the field. The others read a
 * string (const char *), true or false (bool), or one of `names` (an enum, by its number), and store it at `offset`; or
 * an array of strings, each of which they pass to add(). */
zs_json_read zs_json_read_object, zs_json_read_array, zs_json_read_pairs;
zs_json_read zs_json_read_string, zs_json_read_bool, zs_json_read_name, zs_json_read_strings;

#endif
