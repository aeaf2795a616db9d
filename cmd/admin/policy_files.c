/* zs policy check and zs policy diff: policies and settings by their files. */
#include "admin/policy_files.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/exit.h"
#include "base/input.h"
#include "base/json.h"
#include "base/message.h"
#include "run/confine_policy.h"

extern char **environ;

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	return len >= end_len && strcmp(text + len - end_len, end) == 0;
}

/* check */

/* The workspace of a project's file; NULL: the file is a user's. free() it. */
static char *workspace_of(const char *path)
{
	static const char end[] = "/.zs/settings.json";
	char *absolute, *real;

	if (zs_absolute_path(path, &absolute) < 0)
		return NULL;
	if (!ends_with(absolute, end)) {
		free(absolute);
		return NULL;
	}
	absolute[strlen(absolute) - (sizeof end - 1)] = '\0';
	real = realpath(*absolute ? absolute : "/", NULL);
	free(absolute);
	return real;
}

static void policy_files_tell(const struct zs_error *error, void *arg)
{
	(void)arg;
	zs_complain_error(error);
}

static int check_text(const char *path, const char *text, size_t len)
{
	bool policy = zs_is_policy_json(path, text, len);
	char *workspace = policy ? NULL : workspace_of(path);
	int r = policy ? zs_policy_check_json(path, text, len, environ, policy_files_tell, NULL)
		       : zs_settings_check(path, workspace, text, len, environ, policy_files_tell, NULL);

	if (r == 0) {
		zs_put_value(stdout, path);
		if (policy)
			puts(": a policy, valid");
		else
			puts(workspace ? ": a project's settings, valid" : ": settings, valid");
	}
	free(workspace);
	return r < 0 ? ZS_EXIT_BAD_INPUT : ZS_EXIT_OK;
}

int zs_policy_check(char *const files[])
{
	int worst = ZS_EXIT_OK;

	for (; *files; files++) {
		size_t len;
		char *text;
		int r = zs_read_input(*files, ZS_POLICY_BYTES_MAX, &text, &len);

		if (r < 0) {
			zs_complain_errno("policy", *files, r);
			worst = ZS_EXIT_BAD_INPUT;
			continue;
		}
		r = check_text(*files, text, len);
		free(text);
		worst = worst == ZS_EXIT_OK ? r : worst;
	}
	return worst;
}

/* diff */

static int effective(const char *folder, struct zs_policy **ret_policy)
{
	struct zs_confine_fields fields = { .workspace = folder };
	struct zs_confinement made;
	int r = zs_make_policy(&fields, false, false, &made);

	if (r != ZS_EXIT_OK)
		return r;
	*ret_policy = made.policy;
	made.policy = NULL;
	zs_confinement_free(&made);
	return ZS_EXIT_OK;
}

static int from_settings(const char *cwd, const char *path, struct zs_policy **ret_policy)
{
	struct zs_settings *settings;
	struct zs_error error;
	int r = zs_settings_of_file(cwd, path, environ, &settings, &error);

	if (r == 0) {
		r = zs_settings_policy(settings, ZS_WORKSPACE_WRITE, NULL, ret_policy, NULL, &error);
		zs_settings_free(settings);
	}
	return r < 0 ? zs_complain_exit(&error, ZS_EXIT_BAD_INPUT) : ZS_EXIT_OK;
}

static int from_file(const char *cwd, const char *path, struct zs_policy **ret_policy)
{
	struct zs_error error;
	char *text;
	size_t len;
	int r = zs_read_input(path, ZS_POLICY_BYTES_MAX, &text, &len);

	if (r < 0) {
		zs_complain_errno("policy", path, r);
		return ZS_EXIT_BAD_INPUT;
	}
	if (!zs_is_policy_json(path, text, len)) {
		free(text);
		return from_settings(cwd, path, ret_policy);
	}
	r = zs_policy_from_json(text, len, environ, ret_policy, &error);
	free(text);
	return r < 0 ? zs_complain_exit(&error, ZS_EXIT_BAD_INPUT) : ZS_EXIT_OK;
}

/* "preset", "verify", a folder, or a file */
static int read_side(const char *name, struct zs_policy **ret_policy)
{
	struct zs_error error;
	struct stat st;
	char *cwd;
	int r = zs_absolute_path(".", &cwd);

	if (r < 0) {
		zs_complain_errno("policy", ".", r);
		return ZS_EXIT_BAD_INPUT;
	}
	if (strcmp(name, "preset") == 0 || strcmp(name, "verify") == 0) {
		r = (*name == 'p' ? zs_policy_default : zs_policy_verify)(cwd, environ, ret_policy, &error);
		r = r < 0 ? zs_complain_exit(&error, ZS_EXIT_USAGE) : ZS_EXIT_OK;
	} else if (stat(name, &st) == 0 && S_ISDIR(st.st_mode)) {
		r = effective(name, ret_policy);
	} else {
		r = from_file(cwd, name, ret_policy);
	}
	free(cwd);
	return r;
}

/* The lines of one side, sorted. */
struct lines {
	char **items;
	size_t count;
	bool failed;
};

static void add_line(const char *field, const char *value, struct zs_source source, void *arg)
{
	struct lines *lines = arg;
	char **items = realloc(lines->items, (lines->count + 1) * sizeof *items);
	size_t size = strlen(field) + strlen(value) + 2;
	char *line = malloc(size);

	(void)source;
	if (items)
		lines->items = items;
	if (!items || !line) {
		free(line);
		lines->failed = true;
		return;
	}
	snprintf(line, size, "%s %s", field, value);
	items[lines->count++] = line;
}

static int policy_files_compare(const void *one, const void *other)
{
	return strcmp(*(char *const *)one, *(char *const *)other);
}

static void lines_free(struct lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		free(lines->items[i]);
	free(lines->items);
}

static int read_lines(const char *name, struct lines *lines)
{
	struct zs_policy *policy;
	int r = read_side(name, &policy);

	if (r != ZS_EXIT_OK)
		return r;
	zs_policy_each(policy, NULL, add_line, lines);
	zs_policy_free(policy);
	if (lines->failed) {
		zs_complain_errno("policy", "", ENOMEM);
		return ZS_EXIT_CANNOT_ENFORCE;
	}
	if (lines->count)
		qsort(lines->items, lines->count, sizeof *lines->items, policy_files_compare);
	return ZS_EXIT_OK;
}

static void policy_files_put_line(char sign, const char *line, bool json)
{
	struct zs_json out = { stdout, false };
	size_t field = strcspn(line, " ");

	if (!json) {
		printf("%c %.*s ", sign, (int)field, line);
		zs_put_value(stdout, line + field + 1);
	} else {
		zs_json_open(&out, '{');
		zs_json_key(&out, "change"), zs_json_text(&out, sign == '+' ? "gained" : "lost");
		zs_json_key(&out, "field"), zs_json_bytes(&out, line, field);
		zs_json_key(&out, "value"), zs_json_text(&out, line + field + 1);
		zs_json_close(&out, '}');
	}
	putchar('\n');
}

static int print_difference(const struct lines *from, const struct lines *to, bool json)
{
	size_t i = 0, j = 0;
	bool differ = false;

	while (i < from->count || j < to->count) {
		int order = i == from->count ? 1 : -1;

		if (i < from->count && j < to->count)
			order = strcmp(from->items[i], to->items[j]);
		differ |= order != 0;
		if (order < 0)
			policy_files_put_line('-', from->items[i], json);
		else if (order > 0)
			policy_files_put_line('+', to->items[j], json);
		i += order <= 0;
		j += order >= 0;
	}
	return differ ? ZS_EXIT_NO : ZS_EXIT_OK;
}

int zs_policy_diff(const char *from_name, const char *to_name, bool json)
{
	struct lines from = { 0 }, to = { 0 };
	int r = read_lines(from_name, &from);

	if (r == ZS_EXIT_OK)
		r = read_lines(to_name, &to);
	if (r == ZS_EXIT_OK)
		r = print_difference(&from, &to, json);
	lines_free(&from);
	lines_free(&to);
	return r;
}
