#include "settings/trust.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "policy/json_reader.h"
#include "base/path.h"
#include "settings/settings_places.h"
#include "base/sha256.h"

static const char step[] = "trust";
static const char file_name[] = "trust";

struct trusted {
	char *root;
	char sha256[ZS_SHA256_HEX + 1];
};

struct trust {
	struct trusted *items;
	size_t count;
};

static void trust_free(struct trust *trust)
{
	for (size_t i = 0; i < trust->count; i++)
		free(trust->items[i].root);
	free(trust->items);
}

static struct trusted *trust_find(const struct trust *trust, const char *root)
{
	for (size_t i = 0; i < trust->count; i++)
		if (strcmp(trust->items[i].root, root) == 0)
			return &trust->items[i];
	return NULL;
}

static int trust_add(struct trust *trust, const char *root, const char *sha256)
{
	struct trusted *items = zs_with_room(trust->items, trust->count, sizeof *items);
	char *copy = strdup(root);

	if (items)
		trust->items = items;
	if (!items || !copy) {
		free(copy);
		return -ENOMEM;
	}
	items[trust->count].root = copy;
	memcpy(items[trust->count++].sha256, sha256, ZS_SHA256_HEX + 1);
	return 0;
}

/* Reading */

static int read_pair(const struct zs_json_node *node, void *into)
{
	struct trust *trust = into;
	const char *sha256;
	int r = zs_json_string(node, &sha256);

	if (r < 0)
		return r;
	if (node->name[0] != '/')
		return zs_json_fail(node, EINVAL, "is not absolute");
	if (strlen(sha256) != ZS_SHA256_HEX || strspn(sha256, "0123456789abcdef") != ZS_SHA256_HEX)
		return zs_json_fail(node, EINVAL, "is not a SHA-256");
	if (trust_find(trust, node->name))
		return zs_json_fail(node, EINVAL, "duplicate key");
	return trust_add(trust, node->name, sha256) < 0 ? zs_json_fail(node, ENOMEM, "out of memory") : 0;
}

static int read_version(const struct zs_json_node *node, void *into)
{
	(void)into;
	return yyjson_is_uint(node->value) && yyjson_get_uint(node->value) == 1
		       ? 0
		       : zs_json_fail(node, EINVAL, "is not 1");
}

static const struct zs_json_field fields[] = {
	{ "version", read_version, .required = true },
	{ "trusted", zs_json_read_pairs, .required = true, .each = read_pair },
};

static int read_top(const struct zs_json_node *node, void *trust)
{
	return zs_json_object(node, fields, ZS_COUNT(fields), trust);
}

/* Reads the file; a missing file is empty. trust_free() *trust also on failure. */
static int trust_read_file(const char *folder, struct trust *trust, struct zs_error *error)
{
	ZS_AUTO_FREE char *path = zs_path_join(folder, file_name);
	struct zs_json_reader reader = { .step = step, .file = path, .error = error, .own = trust };
	struct zs_file_text text;
	int r = path ? zs_read_own_file(step, path, ZS_TRUST_BYTES_MAX, ZS_FILE_PRIVATE, &text, error)
		     : zs_error_errno(error, step, folder, ENOMEM);

	if (r < 0)
		return r == -ENOENT ? 0 : r;
	r = zs_json_parse(&reader, text.text, text.len, ZS_TRUST_BYTES_MAX, read_top);
	free(text.text);
	return r < 0 ? zs_error_hint(error, r, "remove the file, and trust the projects again") : 0;
}

static int find_folder(char *const envp[], char **ret_folder, struct zs_error *error)
{
	int r = zs_settings_folder(&zs_settings_places.state, envp, ret_folder);

	if (r == -ENOENT)
		return zs_error_say(error, step, "HOME", ENOENT, "is not set, so trust cannot be stored");
	return r < 0 ? zs_error_errno(error, step, NULL, -r) : 0;
}

int zs_trust_holds(const char *root, const char *sha256, char *const envp[], bool *ret_trusted, struct zs_error *error)
{
	ZS_AUTO_FREE char *folder = NULL;
	struct trust trust = { 0 };
	struct trusted *item;
	int r = zs_settings_folder(&zs_settings_places.state, envp, &folder);

	*ret_trusted = false;
	if (r < 0)
		return r == -ENOENT ? 0 : zs_error_errno(error, step, NULL, -r);
	if (zs_settings_are_planted(&zs_settings_places.state, envp, root))
		return zs_error_say(error, step, folder, EPERM,
			"lies in the workspace, where its repository or a command may have written it");
	r = trust_read_file(folder, &trust, error);
	item = r == 0 ? trust_find(&trust, root) : NULL;
	*ret_trusted = item && strcmp(item->sha256, sha256) == 0;
	trust_free(&trust);
	return r;
}

/* Changing */

static char *print(const struct trust *trust, size_t *ret_len)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *top = yyjson_mut_obj(doc), *list = yyjson_mut_obj(doc);
	bool ok = yyjson_mut_obj_add_int(doc, top, "version", 1) && yyjson_mut_obj_add_val(doc, top, "trusted", list);
	char *text;

	for (size_t i = 0; ok && i < trust->count; i++)
		ok = yyjson_mut_obj_add_str(doc, list, trust->items[i].root, trust->items[i].sha256);
	yyjson_mut_doc_set_root(doc, top);
	text = ok ? yyjson_mut_write(doc, YYJSON_WRITE_PRETTY | YYJSON_WRITE_NEWLINE_AT_END, ret_len) : NULL;
	yyjson_mut_doc_free(doc);
	return text;
}

static int write_file(int fd, const struct trust *trust, struct zs_error *error)
{
	size_t len;
	ZS_AUTO_FREE char *text = print(trust, &len);

	if (!text)
		return zs_error_errno(error, step, NULL, ENOMEM);
	if (len > ZS_TRUST_BYTES_MAX)
		return zs_error_say(
			error, step, file_name, E2BIG, "more than %d bytes; revoke some", ZS_TRUST_BYTES_MAX);
	return zs_replace_file(step, fd, file_name, 0600, text, len, error);
}

/* sha256 NULL: removes the entry. */
static int change(const char *root, const char *sha256, char *const envp[], bool *ret_known, struct zs_error *error)
{
	ZS_AUTO_FREE char *folder = NULL;
	ZS_AUTO_FD int fd = -1;
	struct trust trust = { 0 };
	struct trusted *item;
	int r = find_folder(envp, &folder, error);

	if (r == 0)
		r = zs_lock_folder(step, folder, &fd, error);
	if (r == 0)
		r = trust_read_file(folder, &trust, error);
	item = r == 0 ? trust_find(&trust, root) : NULL;
	*ret_known = item;
	if (item) {
		free(item->root);
		*item = trust.items[--trust.count];
	}
	if (r == 0 && sha256 && trust_add(&trust, root, sha256) < 0)
		r = zs_error_errno(error, step, NULL, ENOMEM);
	if (r == 0 && (sha256 || item))
		r = write_file(fd, &trust, error);
	trust_free(&trust);
	return r;
}

int zs_trust_add(const char *root, const char *sha256, char *const envp[], struct zs_error *error)
{
	bool known;

	return change(root, sha256, envp, &known, error);
}

int zs_trust_revoke(const char *workspace, char *const envp[], bool *ret_known, struct zs_error *error)
{
	return change(workspace, NULL, envp, ret_known, error);
}

int zs_trust_list(char *const envp[], zs_each_trusted *each, void *arg, struct zs_error *error)
{
	ZS_AUTO_FREE char *folder = NULL;
	struct trust trust = { 0 };
	int r = find_folder(envp, &folder, error);

	if (r == 0)
		r = trust_read_file(folder, &trust, error);
	for (size_t i = 0; r == 0 && i < trust.count; i++)
		each(trust.items[i].root, trust.items[i].sha256, arg);
	trust_free(&trust);
	return r;
}
