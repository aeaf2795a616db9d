/* Writes a lasting answer into the user's settings file. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yyjson.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/json_text.h"
#include "base/path.h"
#include "settings/settings.h"
#include "settings/settings_places.h"

static const char step[] = "settings";

enum { PARTS_MAX = 5, NAME_BYTES = 128 };

struct addition {
	const struct zs_setting_key *key;
	const char *entry; /* NULL: true */
	char *json;        /* the same as JSON */
	char name[NAME_BYTES];
	const char *parts[PARTS_MAX + 1]; /* the parts of the key's name: the entry's place in the file */
	struct zs_error *error;
};

static const struct zs_setting_key *find_key(const char *name)
{
	for (size_t i = 0; i < ZS_SETTING_KEY_COUNT; i++)
		if (strcmp(zs_setting_keys[i].name, name) == 0)
			return &zs_setting_keys[i];
	return NULL;
}

/* Splits "sandbox.limits.x". If platform is not NULL, adds the system's name after "sandbox". */
static void settings_append_split(struct addition *addition, const char *platform)
{
	size_t count = 0;
	char *rest;

	strcpy(addition->name, addition->key->name);
	for (char *part = strtok_r(addition->name, ".", &rest); part && count < PARTS_MAX;
		part = strtok_r(NULL, ".", &rest)) {
		addition->parts[count++] = part;
		if (count == 1 && platform)
			addition->parts[count++] = platform;
	}
	addition->parts[count] = NULL;
}

static int settings_append_parse(const struct addition *addition, char *const envp[], const char *path,
	const char *text, size_t len, struct zs_settings_file *ret_file)
{
	const struct zs_settings_reading reading = {
		.file = path, .platform = zs_settings_places.platform, .envp = envp, .error = addition->error
	};

	return zs_settings_parse(&reading, text, len, ret_file);
}

/* Counts the items that are equal to the entry. A path is compared in the form in which it is read. */
static size_t count_of(const struct addition *addition, const struct zs_settings_file *file, const char *entry)
{
	size_t count = 0;

	for (size_t i = 0; i < file->count; i++)
		if (file->items[i].key == addition->key && file->items[i].form == ZS_FORM_VALUE)
			count += entry ? strcmp(file->items[i].text, entry) == 0 : file->items[i].number;
	return count;
}

/* Makes the file's new text, if it is valid. *ret_text NULL: the file has the entry already. */
static int change(struct addition *addition, char *const envp[], const char *path, const struct zs_file_text *old,
	char **ret_text)
{
	ZS_AUTO_FREE char *text = NULL;
	ZS_AUTO_FREE char *normal = NULL;
	struct zs_settings_file file;
	const char *problem;
	bool known;
	int r = settings_append_parse(addition, envp, path, old->text, old->len, &file);

	if (r < 0)
		return r;
	if (addition->entry && addition->key->type == ZS_SETTING_PATHS)
		zs_path_normalize(addition->entry, zs_env_value(envp, "HOME"), &normal, &problem);
	known = count_of(addition, &file, normal ? normal : addition->entry) > 0;
	zs_settings_file_free(&file);
	*ret_text = NULL;
	if (known)
		return 0;
	settings_append_split(addition, zs_platform_names[zs_settings_places.platform]);
	if (!zs_json_has(old->text, old->len, addition->parts))
		settings_append_split(addition, NULL);
	r = zs_json_insert(old->text, old->len, addition->parts, addition->json, addition->entry, &text);
	if (r < 0)
		return zs_error_errno(addition->error, step, path, -r);
	r = settings_append_parse(addition, envp, path, text, strlen(text), &file);
	if (r < 0)
		return r;
	known = count_of(addition, &file, normal ? normal : addition->entry) > 0;
	zs_settings_file_free(&file);
	if (!known)
		return zs_error_say(
			addition->error, step, path, EIO, "%s cannot be added; add it by hand", addition->key->name);
	*ret_text = ZS_STEAL(text);
	return 0;
}

/* path: the file's real place. */
static int write_back(const struct addition *addition, const char *path, const char *text)
{
	ZS_AUTO_FREE char *folder = strdup(path);
	ZS_AUTO_FD int fd = -1;
	struct stat st;
	char *slash;

	if (!folder)
		return zs_error_errno(addition->error, step, path, ENOMEM);
	slash = strrchr(folder, '/');
	*slash = '\0';
	fd = open(*folder ? folder : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return zs_error_errno(addition->error, step, folder, errno);
	return zs_replace_file(step, fd, slash + 1, stat(path, &st) == 0 ? st.st_mode & 0777 : 0600, text, strlen(text),
		addition->error);
}

static int settings_append_append(struct addition *addition, char *const envp[], const char *path)
{
	static const char empty[] = "{\n}\n";
	ZS_AUTO_FREE char *real = realpath(path, NULL);
	ZS_AUTO_FREE char *text = NULL;
	struct zs_file_text old;
	struct stat st;
	int r;

	if (!real && errno != ENOENT)
		return zs_error_errno(addition->error, step, path, errno);
	/* A file can be replaced without the right to write it. */
	if (real && stat(real, &st) == 0 && !(st.st_mode & S_IWUSR))
		return zs_error_say(
			addition->error, step, path, EACCES, "is read-only; add %s by hand", addition->key->name);
	r = zs_read_own_file(step, path, ZS_SETTINGS_BYTES_MAX, ZS_FILE_OWN, &old, addition->error);
	if (r == -ENOENT) {
		old = (struct zs_file_text){ strdup(empty), sizeof empty - 1 };
		r = old.text ? 0 : zs_error_errno(addition->error, step, path, ENOMEM);
	}
	if (r < 0)
		return r;
	r = change(addition, envp, path, &old, &text);
	free(old.text);
	return r < 0 || !text ? r : write_back(addition, real ? real : path, text);
}

static char *as_json(const char *entry)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	char *text = NULL;

	if (doc)
		text = yyjson_mut_val_write(
			entry ? yyjson_mut_str(doc, entry) : yyjson_mut_true(doc), YYJSON_WRITE_NOFLAG, NULL);
	yyjson_mut_doc_free(doc);
	return text;
}

/* Does the key exist, and does it take such an entry? */
static int settings_append_check(const struct addition *addition, const char *name)
{
	if (!addition->key)
		return zs_error_say(addition->error, step, name, EINVAL, "unknown key");
	if (addition->entry ? addition->key->type != ZS_SETTING_PATHS && addition->key->type != ZS_SETTING_HOSTS &&
				      addition->key->type != ZS_SETTING_VARIABLES
			    : addition->key->type != ZS_SETTING_BOOL)
		return zs_error_say(addition->error, step, name, EINVAL,
			addition->entry ? "is not a list" : "is not true or false");
	if (addition->entry && !zs_utf8_valid(addition->entry))
		return zs_error_say(addition->error, step, name, EILSEQ, "is not UTF-8");
	return 0;
}

int zs_settings_append(char *const envp[], const char *key, const char *entry, struct zs_error *error)
{
	struct addition addition = { .key = find_key(key), .entry = entry, .error = error };
	ZS_AUTO_FREE char *folder = NULL;
	ZS_AUTO_FREE char *path = NULL;
	ZS_AUTO_FD int lock = -1;
	int r = settings_append_check(&addition, key);

	if (r < 0)
		return r;
	r = zs_settings_folder(&zs_settings_places.config, envp, &folder);
	if (r == -ENOENT)
		return zs_error_say(error, step, "HOME", ENOENT, "is not set, so the settings have no folder");
	path = r == 0 ? zs_path_join(folder, "settings.json") : NULL;
	addition.json = path ? as_json(entry) : NULL;
	if (!addition.json)
		return zs_error_errno(error, step, NULL, ENOMEM);
	r = zs_lock_folder(step, folder, &lock, error);
	if (r == 0)
		r = settings_append_append(&addition, envp, path);
	free(addition.json);
	return r;
}
