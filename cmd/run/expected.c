#include "run/expected.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/message.h"
#include "base/path.h"
#include "base/shell_quote.h"
#include "git/git_index.h"
#include "run/confine.h"
#include "vet/report.h"
#include "zs_shellpolicy.h"

enum {
	PATHS_SHOWN = 5,            /* of a record for people */
	INDEX_BYTES_MAX = 64 << 20, /* of an index of git that is compared */
	COMMAND_BYTES_SHOWN = 200,  /* of a command */
};

struct zs_expected {
	struct zs_vetter *vetter;       /* holds the report */
	const struct zs_report *report; /* never NULL */
	char *text;                     /* the command, as bash text */
	char *workspace, *folder;       /* real paths */
	bool moves;                     /* the command changes its folder: then relative paths may start anywhere */
	bool everywhere;                /* the paths of changes are absolute */
};

/* The kind of a change that has been refused: nobody knows which it would have been. */
enum { TRIED = ZS_CHANGE_COUNT };

/* Folders and files that builds and tools make anew, and that nobody commits. */
static const char build_names[][16] = { "__pycache__", "node_modules", "target", "build", "dist", "out", "obj",
	"coverage", "htmlcov", "CMakeFiles", ".cache", ".coverage", ".eggs", ".eslintcache", ".gradle", ".hypothesis",
	".mypy_cache", ".next", ".nox", ".nuxt", ".parcel-cache", ".pytest_cache", ".ruff_cache", ".terraform", ".tox",
	".tsbuildinfo", ".turbo", ".venv", "zig-cache", ".zig-cache", "zig-out" };

static bool is_build_path(const char *path)
{
	for (;; path += *path == '/') {
		size_t len = strcspn(path, "/");

		for (size_t i = 0; i < ZS_COUNT(build_names); i++)
			if (strlen(build_names[i]) == len && memcmp(path, build_names[i], len) == 0)
				return true;
		path += len;
		if (!*path)
			return false;
	}
}

/* Reading the command */

/* The words of a program, as bash text. */
static char *quote_words(char *const argv[])
{
	size_t room = 1;
	char *text, *at;

	for (size_t i = 0; argv[i]; i++)
		room += ZS_SHELL_QUOTED_BYTES(strlen(argv[i]));
	text = at = malloc(room);
	if (!text)
		return NULL;
	for (size_t i = 0; argv[i]; i++) {
		if (i)
			*at++ = ' ';
		/* a quoted name would not be found in a row of a text that is printed */
		at = argv[i][strcspn(argv[i], " \t\n'\"\\$`;&|<>()*?[]{}~#!")] || !*argv[i]
			     ? zs_shell_quote(argv[i], at)
			     : stpcpy(at, argv[i]);
	}
	*at = '\0';
	return text;
}

static char *text_of(char *const argv[])
{
	static const char *const head[] = { ZS_BASH_WORDS };
	size_t i = 0;

	while (i < ZS_COUNT(head) && argv[i] && strcmp(argv[i], head[i]) == 0)
		i++;
	return i == ZS_COUNT(head) && argv[i] ? strdup(argv[i]) : quote_words(argv);
}

/* The folder in which the command starts; a relative one lies in the workspace. */
static char *start_of(const char *workspace, const char *folder)
{
	ZS_AUTO_FREE char *joined = NULL;

	if (!folder || *folder == '/')
		return realpath(folder ? folder : workspace, NULL);
	joined = zs_path_join(workspace, folder);
	return joined ? realpath(joined, NULL) : NULL;
}

int zs_expect(char *const argv[], const char *workspace, const char *folder, struct zs_expected **ret_expected)
{
	struct zs_expected *expected = calloc(1, sizeof *expected);
	struct zs_vet_options options = { .profile = ZS_PROFILE_GUARD };
	int r = 0;

	if (!expected)
		return -ENOMEM;
	expected->text = text_of(argv);
	expected->workspace = realpath(workspace ? workspace : ".", NULL);
	expected->folder = expected->workspace ? start_of(expected->workspace, folder) : NULL;
	if (!expected->text || !expected->folder)
		r = expected->text ? -errno : -ENOMEM;
	if (r < 0) {
		zs_expected_free(expected);
		return r;
	}
	options.workspace = expected->workspace;
	options.folder = expected->folder;
	options.home = getenv("HOME");
	expected->vetter = zs_vetter_new(); /* a NULL vetter knows nothing of any command */
	expected->report = zs_vet(expected->vetter, expected->text, strlen(expected->text), &options);
	for (uint32_t i = 0; i < expected->report->ir.command_count; i++)
		expected->moves |= expected->report->ir.commands[i].effects.moves;
	*ret_expected = expected;
	return 0;
}

void zs_expected_free(struct zs_expected *expected)
{
	if (!expected)
		return;
	zs_vetter_free(expected->vetter);
	free(expected->text);
	free(expected->workspace);
	free(expected->folder);
	free(expected);
}

/* Comparing paths */

static bool lies_below(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return len == 0 || (strncmp(path, folder, len) == 0 && (path[len] == '/' || !path[len]));
}

/* The kinds of changes that an effect may have, as bits. */
static unsigned kinds_of(enum zs_effect effect)
{
	const unsigned made = 1u << ZS_CHANGE_CREATED | 1u << ZS_CHANGE_CHANGED | 1u << ZS_CHANGE_MODE |
			      1u << ZS_CHANGE_LINK | 1u << ZS_CHANGE_TYPE;

	if (effect == ZS_EFFECT_DELETE || effect == ZS_EFFECT_MOVE)
		return 1u << ZS_CHANGE_DELETED;
	return effect == ZS_EFFECT_METADATA ? 1u << ZS_CHANGE_MODE : made;
}

static bool has_kind(enum zs_effect effect, const struct zs_change *change)
{
	return (unsigned)change->kind == TRIED || kinds_of(effect) & 1u << change->kind;
}

/* Does the place, at this path below the workspace, explain the change? */
static bool fits(const struct zs_effect_place *place, const char *at, const struct zs_change *change)
{
	const char *slash = strrchr(change->path, '/'), *name = slash ? slash + 1 : change->path;
	size_t folder = slash ? (size_t)(slash - change->path) : 0;

	/* a tool that fails deletes the file that it would have overwritten; its content is lost either way */
	if (place->effect == ZS_EFFECT_OVERWRITE && !place->pattern && strcmp(change->path, at) == 0)
		return true;
	if (!place->pattern)
		return has_kind(place->effect, change) && lies_below(change->path, at);
	if (strcmp(place->pattern, "**") == 0)
		return lies_below(change->path, at);
	return strlen(at) == folder && strncmp(at, change->path, folder) == 0 &&
	       strncmp(name, place->pattern, strlen(place->pattern) - 1) == 0;
}

/* The part of a real path below the workspace; NULL: it lies elsewhere. Where paths are absolute: the path. */
static const char *below_workspace(const struct zs_expected *expected, const char *real)
{
	size_t len = strlen(expected->workspace);

	if (expected->everywhere)
		return real;
	if (!lies_below(real, expected->workspace))
		return NULL;
	return real[len] ? real + len + 1 : "";
}

/* A command that goes elsewhere before it writes: the path's last names decide. */
static bool fits_somewhere(const struct zs_effect_place *place, const char *path, const struct zs_change *change)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;

	if (place->pattern)
		return true;
	for (const char *at = change->path; at; at = strchr(at, '/')) {
		at += *at == '/';
		if (lies_below(at, name))
			return has_kind(place->effect, change);
	}
	return false;
}

/* Compares the place with the change, with and without following a link at its end: rm removes a link, cp writes
 * through it. */
static bool fits_path(const struct zs_expected *expected, const struct zs_effect_place *place, const char *path,
	const struct zs_change *change)
{
	ZS_AUTO_FREE char *joined = *path == '/' ? strdup(path) : zs_path_join(expected->folder, path);
	ZS_AUTO_FREE char *parent = joined ? strdup(joined) : NULL;
	ZS_AUTO_FREE char *real = NULL;
	ZS_AUTO_FREE char *folder = NULL;
	ZS_AUTO_FREE char *itself = NULL;
	const char *at;
	char *slash;

	if (!parent)
		return false;
	if (expected->moves && *path != '/')
		return fits_somewhere(place, path, change);
	if (zs_path_would_be(joined, &real) == 0 && (at = below_workspace(expected, real)) && fits(place, at, change))
		return true;
	slash = strrchr(parent, '/');
	if (!slash[1] || strcmp(slash, "/.") == 0 || strcmp(slash, "/..") == 0)
		return false;
	*slash = '\0';
	if (zs_path_would_be(*parent ? parent : "/", &folder) < 0)
		return false;
	itself = zs_path_join(folder, slash + 1);
	return itself && (at = below_workspace(expected, itself)) && fits(place, at, change);
}

/* Does the path lie in a repository of git, and not among its hooks? The folder's name decides: .git, .bare, x.git. */
static bool is_in_repository(const char *path)
{
	static const char tail[] = ".git";
	const char *end = path;

	for (; (end = strchr(path, '/')) != NULL || *path; path = end + 1) {
		size_t len = end ? (size_t)(end - path) : strlen(path);

		if ((len >= sizeof tail - 1 && strncmp(path + len - (sizeof tail - 1), tail, sizeof tail - 1) == 0) ||
			(len == strlen(".bare") && strncmp(path, ".bare", len) == 0))
			return !end || !lies_below(end + 1, "hooks");
		if (!end)
			return false;
	}
	return false;
}

static bool fits_place(
	const struct zs_expected *expected, const struct zs_effect_place *place, const struct zs_change *change)
{
	if (zs_is_repository(place))
		return is_in_repository(change->path);
	if (place->path.text)
		return fits_path(expected, place, place->path.text, change);
	for (uint32_t i = 0; i < place->path.value_count; i++) {
		const char *value = place->path.values[i];

		for (const char *byte = value; *byte; byte++)
			if ((unsigned char)*byte < ' ') /* a part that is not known */
				return true;
		if (fits_path(expected, place, value, change))
			return true;
	}
	return place->path.value_count == 0;
}

/* Git's index */

static int each_entry(
	const char *path, const struct zs_git_index_entry *before, const struct zs_git_index_entry *after, void *arg)
{
	(void)path;
	(void)arg;
	return before && after && zs_git_index_same(before, after) ? 0 : 1;
}

static FILE *content_of(struct zs_overlay *overlay, const struct zs_change *change, enum zs_side side)
{
	ZS_AUTO_FREE char *bytes = NULL;
	size_t len;
	FILE *file;

	if (zs_overlay_content(overlay, change, side, INDEX_BYTES_MAX, &bytes, &len, NULL) < 0)
		return NULL;
	file = tmpfile();
	if (file && (fwrite(bytes, 1, len, file) != len || fflush(file) != 0 || fseek(file, 0, SEEK_SET) != 0)) {
		fclose(file);
		return NULL;
	}
	return file;
}

/* git status notes the times of files in the index; that changes no content. */
static bool is_refreshed_index(struct zs_overlay *overlay, const struct zs_change *change)
{
	const char *end = strstr(change->path, ".git/");
	FILE *before, *after;
	bool same;

	if (!end || change->kind != ZS_CHANGE_CHANGED || strcmp(strrchr(change->path, '/'), "/index") != 0)
		return false;
	before = content_of(overlay, change, ZS_SIDE_OLD);
	after = content_of(overlay, change, ZS_SIDE_NEW);
	same = before && after && zs_git_index_compare(fileno(before), fileno(after), each_entry, NULL) == 0;
	if (before)
		fclose(before);
	if (after)
		fclose(after);
	return same;
}

/* git status would write the index, too. */
static bool is_lock_of_index(const struct zs_change *change)
{
	const char *name = strrchr(change->path, '/');

	return (unsigned)change->kind == TRIED && name && strcmp(name, "/index.lock") == 0 &&
	       is_in_repository(change->path);
}

/* Comparing the run */

enum verdict { DIFFERS, BUILD, EXPECTED };

/* May a command that runs code of the workspace make this change? All but what git and agents obey. */
static bool build_may(const struct zs_change *change)
{
	return change->held != ZS_HELD_GIT && change->held != ZS_HELD_SETTINGS && change->held != ZS_HELD_PROTECTED;
}

static bool is_git(const struct zs_command *command)
{
	return command->row && strncmp(command->row, "git", 3) == 0;
}

static enum verdict judge_command(const struct zs_expected *expected, const struct zs_command *command,
	struct zs_overlay *overlay, const struct zs_change *change)
{
	const struct zs_effects *effects = &command->effects;

	for (uint32_t i = 0; i < effects->place_count; i++)
		if (fits_place(expected, &effects->places[i], change))
			return EXPECTED;
	if (effects->prediction == ZS_PREDICTS_RUNS && build_may(change))
		return EXPECTED;
	if ((is_git(command) || effects->prediction == ZS_PREDICTS_RUNS) &&
		(is_lock_of_index(change) || is_refreshed_index(overlay, change)))
		return EXPECTED;
	return effects->caches && is_build_path(change->path) ? BUILD : DIFFERS;
}

/* Redirections of compound commands belong to no command. */
static bool is_redirected(const struct zs_expected *expected, const struct zs_change *change)
{
	const struct zs_ir *ir = &expected->report->ir;

	for (uint32_t i = 0; i < ir->redirect_count; i++) {
		const struct zs_redirect *redirect = &ir->redirects[i];
		const struct zs_effect_place place = { .path = redirect->target, .effect = ZS_EFFECT_OVERWRITE };

		if (redirect->writes && redirect->command < 0 && fits_place(expected, &place, change))
			return true;
	}
	return false;
}

static enum verdict judge_change(
	const struct zs_expected *expected, struct zs_overlay *overlay, const struct zs_change *change)
{
	const struct zs_ir *ir = &expected->report->ir;
	enum verdict verdict = is_redirected(expected, change) ? EXPECTED : DIFFERS;

	for (uint32_t i = 0; i < ir->command_count && verdict != EXPECTED; i++) {
		enum verdict one = judge_command(expected, &ir->commands[i], overlay, change);

		verdict = one > verdict ? one : verdict;
	}
	return verdict;
}

/* A new folder is as good as what was made in it. */
static void judge_folders(const struct zs_change *changes, size_t count, enum verdict *verdicts)
{
	for (size_t i = count; i-- > 0;) {
		const struct zs_change *change = &changes[i];

		if (verdicts[i] != DIFFERS || !S_ISDIR(change->new_mode) || change->kind != ZS_CHANGE_CREATED)
			continue;
		for (size_t j = i + 1; j < count && lies_below(changes[j].path, change->path); j++)
			if (verdicts[j] > verdicts[i])
				verdicts[i] = verdicts[j];
	}
}

/* Nothing can differ from what cannot be known. */
static bool is_known(const struct zs_ir *ir)
{
	for (uint32_t i = 0; i < ir->command_count; i++)
		if (ir->commands[i].effects.prediction == ZS_PREDICTS_UNKNOWN)
			return false;
	return ir->command_count > 0;
}

/* Printing */

/* May the command have made a change that no row speaks of? The shell's own commands write nothing else. */
static bool is_suspect(const struct zs_command *command)
{
	const struct zs_row *row = command->row ? zs_row_named(command->row) : NULL;

	return command->argc > 0 && !(row && strcmp(zs_row_view(row).table, "builtins") == 0);
}

static size_t count_suspects(const struct zs_ir *ir)
{
	size_t count = 0;

	for (uint32_t i = 0; i < ir->command_count; i++)
		count += is_suspect(&ir->commands[i]);
	return count;
}

static const char *kind_name(unsigned kind)
{
	return kind == TRIED ? "tried to write" : zs_change_name((enum zs_change_kind)kind);
}

static void put_record(FILE *out, const struct zs_expected *expected, const struct zs_command *command, bool certain,
	const struct zs_change *changes, size_t count, const enum verdict *verdicts, enum verdict wanted)
{
	struct zs_json json = { out, false };
	unsigned seen = 0;

	zs_json_print(&json, "{'command':");
	zs_json_bytes(&json, expected->text + command->span.start, command->span.end - command->span.start);
	zs_json_print(&json, "'certain':%i,'class':%s,'predicted':", certain, wanted == BUILD ? "build" : "difference");
	zs_report_effects(&json, &command->effects);
	zs_json_print(&json, "'seen':[");
	for (size_t i = 0; i < count; i++)
		seen |= verdicts[i] == wanted ? 1u << changes[i].kind : 0;
	for (unsigned kind = 0; kind <= TRIED; kind++)
		if (seen & 1u << kind)
			zs_json_text(&json, kind_name(kind));
	zs_json_print(&json, "],'paths':[");
	for (size_t i = 0; i < count; i++)
		if (verdicts[i] == wanted)
			zs_json_text(&json, changes[i].path);
	zs_json_print(&json, "]}\n");
}

static void put_line(FILE *out, const struct zs_expected *expected, const struct zs_command *command, bool certain,
	const struct zs_change *changes, size_t count, const enum verdict *verdicts)
{
	size_t len = command->span.end - command->span.start, shown = 0, all = 0;

	fputs("zs: agree: ", out);
	zs_put_text(out, expected->text + command->span.start, len < COMMAND_BYTES_SHOWN ? len : COMMAND_BYTES_SHOWN);
	fprintf(out, ": its row says that it %s, but %s", zs_prediction_text(command->effects.prediction),
		certain ? "" : "it or another command of the text ");
	for (size_t i = 0; i < count; i++) {
		if (verdicts[i] != DIFFERS)
			continue;
		all++;
		if (shown == PATHS_SHOWN)
			continue;
		fputs(shown++ ? ", " : "", out);
		fprintf(out, "%s ", kind_name(changes[i].kind));
		zs_put_value(out, changes[i].path);
	}
	if (all > shown)
		fprintf(out, " and %zu more", all - shown);
	fputc('\n', out);
}

static void put_records(FILE *out, const struct zs_expected *expected, const struct zs_change *changes, size_t count,
	const enum verdict *verdicts, enum verdict wanted, bool json)
{
	const struct zs_ir *ir = &expected->report->ir;
	size_t suspects = count_suspects(ir);

	for (uint32_t i = 0; i < ir->command_count; i++) {
		const struct zs_command *command = &ir->commands[i];

		if ((suspects && !is_suspect(command)) || (wanted == BUILD && !command->effects.caches))
			continue;
		if (json)
			put_record(out, expected, command, suspects == 1, changes, count, verdicts, wanted);
		else
			put_line(out, expected, command, suspects == 1, changes, count, verdicts);
	}
}

size_t zs_expected_compare(const struct zs_expected *expected, struct zs_overlay *overlay,
	const struct zs_change *changes, size_t count, FILE *out, bool json)
{
	size_t found[EXPECTED + 1] = { 0 };
	ZS_AUTO_FREE enum verdict *verdicts = count ? calloc(count, sizeof *verdicts) : NULL;

	if (!count || !is_known(&expected->report->ir))
		return 0;
	if (!verdicts)
		return count; /* fails closed */
	for (size_t i = 0; i < count; i++)
		verdicts[i] = judge_change(expected, overlay, &changes[i]);
	judge_folders(changes, count, verdicts);
	for (size_t i = 0; i < count; i++)
		found[verdicts[i]]++;
	if (found[DIFFERS])
		put_records(out, expected, changes, count, verdicts, DIFFERS, json);
	if (found[BUILD] && json)
		put_records(out, expected, changes, count, verdicts, BUILD, json);
	return found[DIFFERS];
}

/* A protected path is one that git or an agent obeys. */
static struct zs_change tried_change(const struct zs_denial *denial)
{
	return (struct zs_change){
		.path = denial->real,
		.kind = (enum zs_change_kind)TRIED,
		.held = denial->cause == ZS_DENIED_PROTECTED ? ZS_HELD_PROTECTED : ZS_HELD_NOT,
	};
}

size_t zs_expected_refused(const struct zs_expected *expected, const struct zs_denials *denials, FILE *out, bool json)
{
	size_t all = zs_denials_count(denials), count = 0;
	ZS_AUTO_FREE struct zs_change *changes = calloc(all + 1, sizeof *changes);
	struct zs_expected absolute = *expected;

	absolute.everywhere = true;
	if (!changes)
		return all; /* fails closed */
	for (size_t i = 0; i < all; i++)
		if (zs_denials_get(denials, i)->kind == ZS_DENIAL_WRITE && *zs_denials_get(denials, i)->real == '/')
			changes[count++] = tried_change(zs_denials_get(denials, i));
	return zs_expected_compare(&absolute, NULL, changes, count, out, json);
}
