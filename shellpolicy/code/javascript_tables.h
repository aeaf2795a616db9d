/* What the reader of JavaScript programs knows by name. */
#ifndef ZS_JAVASCRIPT_TABLES_H
#define ZS_JAVASCRIPT_TABLES_H

#include <stdbool.h>
#include <stddef.h>

/* What a name is for. Zero is not known. */
enum javascript_use {
	JAVASCRIPT_UNKNOWN,
	JAVASCRIPT_PLAIN, /* a value; calling it with any values changes nothing */
	JAVASCRIPT_SHOWS, /* called, it does no more than look at what it gets, a module too; or it is a callback */
	JAVASCRIPT_TAKES, /* the same, but for modules */
	JAVASCRIPT_READS, /* reads a file: only called, and only with an encoding */
	JAVASCRIPT_NEW,   /* a class: only behind new and instanceof, or called */
};

/* A global that is a function or value; objects with members of their own have rows instead. */
enum javascript_use zs_javascript_global(const char *name, size_t len);
/* A global that a program may not use, nor give to a variable of its own. */
bool zs_javascript_is_denied(const char *name, size_t len);
bool zs_javascript_is_keyword(const char *name, size_t len);

/* Is there a row for this global or module: process.stdout, fs? */
bool zs_javascript_has_members(const char *path, size_t len);
enum javascript_use zs_javascript_member(const char *path, size_t len, const char *name, size_t name_len);

/* Methods of text, arrays, dates, … */
bool zs_javascript_is_method(const char *name, size_t len);
/* Properties that lead from any value to the compiler, or to what called a function. */
bool zs_javascript_is_property(const char *name, size_t len);

#endif
