/* What the reader of python programs knows by name. */
#ifndef ZS_PYTHON_TABLES_H
#define ZS_PYTHON_TABLES_H

#include <stdbool.h>
#include <stddef.h>

/* What a name is for. Zero is not known. */
enum python_use {
	PYTHON_UNKNOWN,
	PYTHON_PLAIN,   /* a value; calling it with any values changes nothing */
	PYTHON_SHOWS,   /* the same, and it does no more than look at a module or another object that is not known */
	PYTHON_OPENS,   /* opens a file: only called, and only to read. The mode is its second argument */
	PYTHON_TYPE,    /* type(): its value is compared or shown */
	PYTHON_GETATTR, /* getattr(): of a literal name */
	PYTHON_IMPORTS, /* imports a module by a literal name */
	PYTHON_STREAM,  /* sys.modules: only `in sys.modules` */
};

/* A name of python itself. PYTHON_UNKNOWN also for those that exist and are refused. */
enum python_use zs_python_builtin(const char *name, size_t len);
/* A builtin that a program may not use, nor give to a variable of its own: it would be unclear which is meant. */
bool zs_python_is_denied(const char *name, size_t len);
bool zs_python_is_keyword(const char *name, size_t len);

/* Is there a row for this module, os.path? */
bool zs_python_has_module(const char *path, size_t len);
/* An attribute of a module; PYTHON_UNKNOWN when no row has it. */
enum python_use zs_python_of_module(const char *path, size_t len, const char *name, size_t name_len);
/* Modules that do something when they are imported. */
bool zs_python_import_acts(const char *path, size_t len);

/* Is the dotted path that of a module of the workspace, as far as its name tells: neither python's nor a known package?
 */
bool zs_python_is_own_module(const char *path, size_t len);
/* Is it that of a function of such a module, and no name of python's own that acts (src.app.os.remove, src.app.open)?
 */
bool zs_python_is_own_function(const char *path, size_t len);

/* An attribute of a value that is no module. */
bool zs_python_is_attribute(const char *name, size_t len);
/* One that tells about a module or function, and is text. */
bool zs_python_is_about(const char *name, size_t len);

#endif
