#include "run/changes.h"

#include <string.h>
#include <sys/stat.h>

#include "base/json.h"
#include "base/message.h"

static const char *type_name(mode_t mode)
{
	static const struct {
		mode_t type;
		const char *name;
	} types[] = { { S_IFREG, "file" }, { S_IFDIR, "directory" }, { S_IFLNK, "symlink" }, { S_IFIFO, "fifo" },
		{ S_IFSOCK, "socket" } };

	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if ((mode & S_IFMT) == types[i].type)
			return types[i].name;
	return mode ? "device" : NULL;
}

/* "0644", "0644 > 0755"; a symbolic link has no mode of its own. */
static void format_modes(const struct zs_change *change, char *buffer, size_t size)
{
	unsigned from = change->old_mode & ZS_PERMISSIONS, to = change->new_mode & ZS_PERMISSIONS;
	bool has_from = change->old_mode && !S_ISLNK(change->old_mode);
	bool has_to = change->new_mode && !S_ISLNK(change->new_mode);

	if (has_from && has_to && from != to)
		snprintf(buffer, size, "%04o > %04o", from, to);
	else if (has_from || has_to)
		snprintf(buffer, size, "%04o", has_to ? to : from);
	else
		buffer[0] = '\0';
}

static void changes_put_row(FILE *out, const struct zs_change *change, const struct zs_overlay_options *options)
{
	const char *from = type_name(change->old_mode), *to = type_name(change->new_mode);
	bool applies = zs_change_applies(change, options);
	char types[32], modes[32];

	if (change->kind == ZS_CHANGE_TYPE)
		snprintf(types, sizeof types, "%s > %s", from, to);
	else
		snprintf(types, sizeof types, "%s", to ? to : from);
	format_modes(change, modes, sizeof modes);
	zs_tell(out, "%-8s %-9s %-11s  %s%s%s%s", zs_change_name(change->kind), types, modes, change->path,
		applies ? "" : "  (not applied: ", applies ? "" : zs_held_text(change->held), applies ? "" : ")");
}

void zs_changes_table(
	FILE *out, const struct zs_change *changes, size_t count, const struct zs_overlay_options *options)
{
	for (size_t i = 0; i < count; i++)
		changes_put_row(out, &changes[i], options);
}

static void put_side(struct zs_json *json, const char *key, mode_t mode, uint64_t size)
{
	char permissions[8], bytes[24];

	if (!mode) {
		zs_json_print(json, "%s:null", key);
		return;
	}
	snprintf(permissions, sizeof permissions, "%04o", (unsigned)(mode & ZS_PERMISSIONS));
	snprintf(bytes, sizeof bytes, "%llu", (unsigned long long)size);
	zs_json_print(
		json, "%s:{'type':%s,'mode':%s,'size':", key, type_name(mode), S_ISLNK(mode) ? NULL : permissions);
	zs_json_raw(json, S_ISREG(mode) ? bytes : "null");
	zs_json_print(json, "}");
}

void zs_changes_json(FILE *out, const struct zs_change *changes, size_t count, const struct zs_overlay_options *options)
{
	for (size_t i = 0; i < count; i++) {
		const struct zs_change *change = &changes[i];
		struct zs_json json = { out, false };

		zs_json_print(&json, "{'change':%s,'path':%s", zs_change_name(change->kind), change->path);
		put_side(&json, "old", change->old_mode, change->old_size);
		put_side(&json, "new", change->new_mode, change->new_size);
		zs_json_print(
			&json, "'held':%s}", zs_change_applies(change, options) ? NULL : zs_held_name(change->held));
		fputc('\n', out);
	}
}
