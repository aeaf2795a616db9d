#include "linux/limits/cgroup_place.h"

#include <errno.h>
#include <string.h>

static const char *const controllers[ZS_HIERARCHY_COUNT] = {
	[ZS_HIERARCHY_MEMORY] = "memory",
	[ZS_HIERARCHY_PIDS] = "pids",
	[ZS_HIERARCHY_CPUACCT] = "cpuacct",
};

struct field {
	const char *text;
	size_t len;
};

/* Returns the next word of a line that ends at `end`, and advances *at behind it. */
static struct field next_field(const char **at, const char *end)
{
	struct field field = { *at, 0 };

	while (field.text + field.len < end && field.text[field.len] != ' ')
		field.len++;
	*at = field.text + field.len + (field.text + field.len < end);
	return field;
}

static bool is(struct field field, const char *text)
{
	return field.len == strlen(text) && memcmp(field.text, text, field.len) == 0;
}

bool zs_has_word(const char *text, size_t len, char separator, const char *word)
{
	size_t want = strlen(word);

	for (size_t at = 0; at < len;) {
		size_t end = at;

		while (end < len && text[end] != separator && text[end] != '\n' && text[end] != '\0')
			end++;
		if (end - at == want && memcmp(text + at, word, want) == 0)
			return true;
		at = end + 1;
	}
	return false;
}

static bool is_octal(char c)
{
	return c >= '0' && c <= '7';
}

/* Copies a path. The kernel writes space, tab, newline and backslash as \ooo. False: it is too long or relative. */
static bool unescape(struct field field, char *path, size_t size)
{
	size_t len = 0;

	for (size_t i = 0; i < field.len && len < size; len++) {
		const char *c = field.text + i;
		bool escaped = *c == '\\' && i + 3 < field.len && is_octal(c[1]) && is_octal(c[2]) && is_octal(c[3]);

		path[len] = escaped ? (char)((c[1] - '0') * 64 + (c[2] - '0') * 8 + (c[3] - '0')) : *c;
		i += escaped ? 4 : 1;
	}
	if (len == size)
		return false;
	path[len] = '\0';
	return path[0] == '/';
}

/* Parses "36 35 98:0 /root /point rw,noatime shared:1 - type source rw,options". The number of fields before "-"
 * varies. */
static bool cgroup_place_read_line(const char *line, const char *end, struct zs_mount_line *mount)
{
	struct field root, point, flags, type, options;

	for (int i = 0; i < 3; i++)
		next_field(&line, end);
	root = next_field(&line, end);
	point = next_field(&line, end);
	flags = next_field(&line, end);
	while (line < end && !is(next_field(&line, end), "-")) {
	}
	type = next_field(&line, end);
	next_field(&line, end);
	options = next_field(&line, end);
	mount->type = type.text;
	mount->type_len = type.len;
	mount->v2 = is(type, "cgroup2");
	mount->read_only =
		zs_has_word(flags.text, flags.len, ',', "ro") || zs_has_word(options.text, options.len, ',', "ro");
	mount->options = options.text;
	mount->options_len = options.len;
	return unescape(root, mount->root, sizeof mount->root) && unescape(point, mount->point, sizeof mount->point);
}

bool zs_mount_is(const struct zs_mount_line *mount, const char *type)
{
	return is((struct field){ mount->type, mount->type_len }, type);
}

bool zs_mount_next(const char **text, struct zs_mount_line *ret_mount)
{
	while (**text) {
		const char *line = *text, *end = line + strcspn(line, "\n");

		*text = *end ? end + 1 : end;
		if (cgroup_place_read_line(line, end, ret_mount))
			return true;
	}
	return false;
}

static bool next_cgroup(const char **text, struct zs_mount_line *ret_mount)
{
	while (zs_mount_next(text, ret_mount))
		if (ret_mount->v2 || zs_mount_is(ret_mount, "cgroup"))
			return true;
	return false;
}

/* Finds the path of the line "0::/path" (version 2, controller NULL), or "4:memory:/path". */
static struct field find_membership(const char *text, const char *controller)
{
	for (const char *end; *text; text = *end ? end + 1 : end) {
		const char *list = strchr(text, ':');
		const char *path = list ? strchr(list + 1, ':') : NULL;

		end = text + strcspn(text, "\n");
		if (!path || path > end)
			continue;
		list++;
		if (controller ? zs_has_word(list, (size_t)(path - list), ',', controller)
			       : text[0] == '0' && list == text + 2 && list == path)
			return (struct field){ path + 1, (size_t)(end - path - 1) };
	}
	return (struct field){ NULL, 0 };
}

/* Makes the cgroup's path below the mount point. False: the cgroup lies outside of the mounted folder ("/../x", seen
 * from a cgroup namespace), or has been removed. */
static bool cgroup_place_join(const struct zs_mount_line *mount, struct field path, struct zs_cgroup_place *place)
{
	static const char deleted[] = " (deleted)";
	size_t root = strcmp(mount->root, "/") == 0 ? 0 : strlen(mount->root);
	size_t point = strcmp(mount->point, "/") == 0 ? 0 : strlen(mount->point);

	if (path.len >= sizeof deleted - 1 &&
		memcmp(path.text + path.len - (sizeof deleted - 1), deleted, sizeof deleted - 1) == 0)
		return false;
	if (path.len < root || memcmp(path.text, mount->root, root) != 0 ||
		(path.len > root && path.text[root] != '/') || (path.len >= 3 && memcmp(path.text, "/..", 3) == 0))
		return false;
	path.text += root;
	path.len -= root;
	place->is_top = path.len <= 1;
	if (place->is_top)
		path.len = 0;
	if (point + path.len >= sizeof place->path || point + path.len == 0)
		return false;
	memcpy(place->path, mount->point, point);
	memcpy(place->path + point, path.text, path.len);
	place->path[point + path.len] = '\0';
	return true;
}

int zs_cgroup_find(
	const char *mountinfo, const char *membership, enum zs_hierarchy hierarchy, struct zs_cgroup_place *ret_place)
{
	const char *controller = controllers[hierarchy];
	struct field path = find_membership(membership, controller);
	struct zs_mount_line mount;

	while (path.text && next_cgroup(&mountinfo, &mount)) {
		bool right = controller ? !mount.v2 && zs_has_word(mount.options, mount.options_len, ',', controller)
					: mount.v2;

		if (right && !mount.read_only && cgroup_place_join(&mount, path, ret_place))
			return 0;
	}
	return -ENOENT;
}
