/* Resolves paths as text and compares them with the workspace. Nothing is looked up: a link leads where its name
 * stands. */
#include "rules/rule.h"

#include <string.h>

/* Folders that no path of a text names stand for those that the caller does not know. */
#define NO_WORKSPACE "/\1workspace"
#define NO_HOME "/\1home"

static bool is_unknown(char c)
{
	return c > 0 && c < ZS_PLACE_HOME && c != '\n' && c != '\t' && c != '\4';
}

/* Does the path lie below the folder? */
static bool lies_below(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	if (len == 1)
		return path[1] != '\0';
	return strncmp(path, folder, len) == 0 && path[len] == '/';
}

static bool is_in(const char *path, const char *folder)
{
	return strcmp(path, folder) == 0 || lies_below(path, folder);
}

/* Is the component made of patterns alone, so that it stands for all that is in a folder: * .* ?* [^.]* ? */
static bool is_all(const char *component, size_t len)
{
	bool pattern = false;

	for (size_t i = 0; i < len; i++) {
		pattern |= component[i] == ZS_PLACE_PATTERN;
		if (component[i] != ZS_PLACE_PATTERN && !strchr(".!^]-", component[i]))
			return false;
	}
	return pattern;
}

static bool may_be_nothing(const char *component, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!is_unknown(component[i]))
			return false;
	return len > 0;
}

/* Appends the components of `text` to the path. A last component that stands for all, or that may be empty, is left
 * out: the path is then its folder. */
static bool append(char *path, const char *text, bool dynamic)
{
	size_t len = strlen(path);
	bool all = false;

	while (*text) {
		size_t size = strcspn(text, "/");

		if (size == 2 && strncmp(text, "..", 2) == 0) {
			while (len && path[len - 1] != '/')
				len--;
			len -= len > 0;
		} else if (dynamic && (is_all(text, size) || may_be_nothing(text, size)) &&
			   !text[size + strspn(text + size, "/")]) {
			all |= is_all(text, size);
		} else if (size && !(size == 1 && *text == '.')) {
			path[len++] = '/';
			memcpy(path + len, text, size);
			len += size;
		}
		text += size;
		text += *text == '/';
		path[len] = '\0';
	}
	/* * / * stands for all, too */
	while (dynamic && all) {
		char *slash = strrchr(path, '/');

		if (!slash || !is_all(slash + 1, strlen(slash + 1)))
			break;
		*slash = '\0';
	}
	return all;
}

/* A plain absolute path of the text in a folder. */
static char *plain_path(struct zs_arena *arena, const char *folder, const char *text, bool dynamic, bool *ret_all)
{
	char *path = zs_arena_alloc(arena, strlen(folder) + strlen(text) + 3);

	append(path, folder, false);
	*ret_all = append(path, text, dynamic);
	if (!*path)
		strcpy(path, "/");
	return path;
}

struct zs_places zs_places_of(struct zs_arena *arena, const struct zs_vet_options *options)
{
	const char *workspace = options->workspace ? options->workspace
				: options->folder  ? options->folder
						   : NO_WORKSPACE;
	struct zs_places places = { .arena = arena };
	bool all;

	places.workspace = plain_path(arena, "", workspace, false, &all);
	places.folder = options->folder ? plain_path(arena, "", options->folder, false, &all) : places.workspace;
	places.home = plain_path(arena, "", options->home ? options->home : NO_HOME, false, &all);
	/* A program that runs in "/" or "/home" works there on nothing of its own. root's home lies elsewhere. */
	if (zs_listed(places.workspace, "/ /home /Users") || lies_below(places.home, places.workspace))
		places.workspace = NO_WORKSPACE;
	return places;
}

static bool is_temporary(const char *path)
{
	static const char *const folders[] = { "/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/dev/shm",
		"/var/folders", "/private/var/folders" };

	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		if (lies_below(path, folders[i]))
			return true;
	return false;
}

/* In a workspace that is the home folder the hidden files of the user are not part of the work. */
static bool is_hidden_of_home(const struct zs_places *places, const char *path)
{
	return strcmp(places->home, places->workspace) == 0 && lies_below(path, places->home) &&
	       path[strlen(places->home) + 1] == '.';
}

static enum zs_standing standing_of(const struct zs_places *places, const char *path)
{
	if (zs_listed(path, "/dev/null /dev/stdout /dev/stderr /dev/stdin /dev/tty /dev/full /dev/zero /dev/fd/* "
			    "/dev/pts/*"))
		return ZS_PLACE_HARMLESS;
	if (is_in(path, places->workspace) && !is_hidden_of_home(places, path))
		return strcmp(path, places->workspace) == 0 ? ZS_PLACE_WORKSPACE : ZS_PLACE_INSIDE;
	if (lies_below(places->workspace, path) || strcmp(path, "/") == 0 ||
		zs_listed(path, "/tmp /var/tmp /private/tmp /dev/shm"))
		return ZS_PLACE_ABOVE;
	if (is_temporary(path) && !is_in(path, places->home))
		return ZS_PLACE_TEMPORARY;
	return ZS_PLACE_OUTSIDE;
}

struct zs_path zs_path_of(const struct zs_places *places, const char *folder, const char *value, bool dynamic)
{
	struct zs_path path = { .standing = ZS_PLACE_UNKNOWN };

	if (dynamic && is_unknown(*value))
		return path;
	if (dynamic && (*value == ZS_PLACE_HOME || *value == ZS_PLACE_ROOT) && (!value[1] || value[1] == '/')) {
		folder = *value == ZS_PLACE_HOME ? places->home : places->workspace;
		value++;
	} else if (*value == '/') {
		folder = "";
	}
	path.text = plain_path(places->arena, folder, value, dynamic, &path.all);
	path.standing = standing_of(places, path.text);
	return path;
}
