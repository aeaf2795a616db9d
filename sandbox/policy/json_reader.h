/* Reading JSON strictly, a policy's or settings: each object is a table of the keys it may have, so that nothing is
 * ignored by accident, and each error names key and line. All return 0 or a negative errno with the reader's error
 * filled in. */
#ifndef ZS_SANDBOX_JSON_READER_H
#define ZS_SANDBOX_JSON_READER_H

#include <errno.h>
#include <yyjson.h>

#include "policy/policy.h"

struct zs_json_reader {
	const char *step;   /* what is read, for messages; NULL: "policy" */
	const char *file;   /* the same: its name; may be NULL */
	const char *text;   /* as given */
	const char *buffer; /* where yyjson reads in place: a string lies at the offset it has in text */
	char *const *envp;
	struct zs_policy *policy;
	struct zs_error *error;
	zs_each_error *each; /* not NULL: it is told of an error, and what can still be read is */
	void *each_arg;
};

/* The part had errors: all of them have been told. */
enum { ZS_JSON_TOLD = -ECANCELED };

/* Where we are, for messages: "paths[3].access", which is put together when there is one, and a place in the buffer to
 * count lines to. */
struct zs_json_place {
	const struct zs_json_place *outer; /* NULL: this is the whole */
	const char *name;                  /* NULL: it is outer's element `index` */
	size_t index;
	const char *at;
};

/* A key that an object may have. */
struct zs_json_field {
	const char *name;
	int (*read)(struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, void *into);
	bool required;
};

/* Into reader->buffer, which is to be freed. */
int zs_json_parse(struct zs_json_reader *reader, const char *text, size_t len, size_t max, yyjson_doc **ret_doc);

/* After a part has been read with the result r: is the next one? *result becomes that of the whole. */
bool zs_json_goes_on(struct zs_json_reader *reader, int r, int *result);

/* The line of a place in the buffer. */
unsigned zs_json_line(const struct zs_json_reader *reader, const char *at);

int zs_json_fail(struct zs_json_reader *reader, const struct zs_json_place *place, int cause, const char *what);

/* The policy refused a value: says so at its place, keeping the refusal's own words and hint. */
int zs_json_refused(struct zs_json_reader *reader, const struct zs_json_place *place, const struct zs_error *inner);

struct zs_json_place zs_json_inside(const struct zs_json_place *place, const char *name, const char *at);
struct zs_json_place zs_json_element(const struct zs_json_place *place, size_t index, yyjson_val *value);

/* Without a NUL in it. */
int zs_json_string(
	struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, const char **ret_text);

int zs_json_object(struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value,
	const struct zs_json_field *fields, size_t count, void *into);

/* An array of strings, each added to the policy. */
typedef int zs_json_add(struct zs_policy *policy, const char *text, struct zs_error *error);
int zs_json_strings(
	struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, zs_json_add *add);

/* An object whose keys are free. */
typedef int zs_json_pair(struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *key);
int zs_json_pairs(
	struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value, zs_json_pair *read);

/* "path_lists", whose entries are judged by the workspace. */
int zs_json_path_lists(struct zs_json_reader *reader, const struct zs_json_place *place, yyjson_val *value);

#endif
