#include "learn/learn_search.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/message.h"
#include "base/path.h"
#include "base/variable_names.h"
#include "run/confine_policy.h"
#include "learn/learn_rules.h"
#include "run/trial.h"

extern char **environ;

static bool is(const struct zs_learn_entry *entry, const char *option)
{
	return strcmp(entry->option, option) == 0;
}

/* One run */

static int add_item(struct zs_option_list *list, const char *value)
{
	const char **items = calloc(list->count + 2, sizeof *items);

	if (!items)
		return zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "learn", "", ENOMEM);
	for (size_t i = 0; i < list->count; i++)
		items[i] = list->items[i];
	items[list->count] = value;
	free(list->items);
	*list = (struct zs_option_list){ items, list->count + 1 };
	return ZS_EXIT_OK;
}

/* The caller's list, and a copy of it that can grow. */
static int copy_list(struct zs_option_list *list)
{
	struct zs_option_list copy = { calloc(list->count + 1, sizeof *copy.items), list->count };

	if (!copy.items)
		return zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "learn", "", ENOMEM);
	for (size_t i = 0; i < list->count; i++)
		copy.items[i] = list->items[i];
	*list = copy;
	return ZS_EXIT_OK;
}

struct lists {
	const char *option;
	struct zs_option_list *list;
};

static int run_with(const struct zs_learn *learn, struct zs_confine_fields *fields, struct zs_trial *ret_trial)
{
	const struct lists lists[] = { { "--ro", &fields->read }, { "--rw", &fields->write },
		{ "--exec", &fields->exec }, { "--socket", &fields->sockets }, { "--host", &fields->hosts },
		{ "--env", &fields->pass }, { "--for", &fields->tasks } };
	size_t copied = 0;
	int r = ZS_EXIT_OK;

	while (copied < ZS_COUNT(lists) && r == ZS_EXIT_OK) {
		r = copy_list(lists[copied].list);
		copied += r == ZS_EXIT_OK;
	}
	for (size_t i = 0; i < learn->count && r == ZS_EXIT_OK; i++) {
		if (learn->entries[i].out)
			continue;
		if (is(&learn->entries[i], "--git"))
			fields->git = "allow";
		for (size_t k = 0; k < ZS_COUNT(lists) && r == ZS_EXIT_OK; k++)
			if (is(&learn->entries[i], lists[k].option))
				r = add_item(lists[k].list, learn->entries[i].value);
	}
	if (r == ZS_EXIT_OK)
		r = zs_trial_run(fields, learn->argv, true, ret_trial);
	while (copied)
		free(lists[--copied].list->items);
	return r;
}

/* A dry run can write what another run cannot. */
static bool passes(const struct zs_trial *trial)
{
	for (size_t i = 0; i < zs_denials_count(trial->denials); i++) {
		const struct zs_denial *denial = zs_denials_get(trial->denials, i);

		if (denial->decisive && denial->cause == ZS_DENIED_PROTECTED)
			return false;
	}
	return trial->status == 0;
}

static int run(struct zs_learn *learn, struct zs_trial *ret_trial)
{
	struct zs_confine_fields fields = *learn->fields;
	int r = run_with(learn, &fields, ret_trial);

	if (r != ZS_EXIT_OK)
		return r;
	learn->runs++;
	learn->status = ret_trial->status;
	if (ret_trial->status == ZS_EXIT_CANNOT_ENFORCE || ret_trial->status == ZS_EXIT_UNPROTECTED) {
		zs_denials_free(ret_trial->denials);
		return zs_fail(ZS_EXIT_CANNOT_ENFORCE,
			"learn: the run ended with %d; 'zs why' with the same command says more", learn->status);
	}
	return ZS_EXIT_OK;
}

int zs_learn_try(struct zs_learn *learn, bool with_entries, bool *ret_passes)
{
	size_t count = learn->count;
	struct zs_trial trial;
	int r;

	learn->count = with_entries ? count : 0;
	r = run(learn, &trial);
	learn->count = count;
	if (r != ZS_EXIT_OK)
		return r;
	*ret_passes = passes(&trial);
	zs_denials_free(trial.denials);
	return ZS_EXIT_OK;
}

/* Entries */

static void drop(struct zs_learn *learn, size_t index)
{
	free(learn->entries[index].value);
	learn->count--;
	memmove(&learn->entries[index], &learn->entries[index + 1], (learn->count - index) * sizeof *learn->entries);
}

static bool is_path(const struct zs_learn_entry *entry)
{
	return is(entry, "--ro") || is(entry, "--rw") || is(entry, "--exec");
}

/* Does the entry grant all of what the other one would? */
static bool covers(const struct zs_learn_entry *entry, const char *option, const char *value)
{
	bool same = is(entry, option);

	if (!is_path(entry))
		return same && strcmp(entry->value, value) == 0;
	return (same || (is(entry, "--rw") && strcmp(option, "--ro") == 0)) && zs_path_lies_in(value, entry->value);
}

/* Puts the entry in, without those that it covers. Takes value. False: there is no room. */
static bool put(struct zs_learn *learn, const char *option, char *value)
{
	const struct zs_learn_entry entry = { option, value,
		strcmp(option, "--env") == 0 ? "sandbox.additional_env_vars" : zs_trial_key(option), false, false };

	for (size_t i = learn->count; i-- > 0;)
		if (covers(&entry, learn->entries[i].option, learn->entries[i].value))
			drop(learn, i);
	if (learn->count == ZS_LEARN_ENTRIES_MAX) {
		free(value);
		return false;
	}
	learn->entries[learn->count++] = entry;
	return true;
}

static bool is_covered(const struct zs_learn *learn, const char *option, const char *value)
{
	for (size_t i = 0; i < learn->count; i++)
		if (covers(&learn->entries[i], option, value))
			return true;
	return false;
}

/* Adds a grant of a path, made wider where the rules let it. False: it is granted already, or there is no memory. */
static bool add_path(struct zs_learn *learn, const struct zs_learn_ground *ground, const char *option, const char *path)
{
	bool write = strcmp(option, "--rw") == 0, program = strcmp(option, "--exec") == 0;
	char *value;

	if (is_covered(learn, option, path))
		return false;
	/* A program comes with its libraries; its folder may hold any others. */
	value = program ? strdup(path) : zs_learn_folder(ground, path, write);
	for (size_t i = 0; i < learn->count && value && !program; i++) {
		char *common = is(&learn->entries[i], option)
				       ? zs_learn_common(ground, learn->entries[i].value, value, write)
				       : NULL;

		if (!common)
			continue;
		free(value);
		value = common;
	}
	return value && put(learn, option, value);
}

/* Refused, and not proposed */

static void refuse(struct zs_learn *learn, const struct zs_denial *denial, const char *what, const char *reason)
{
	struct zs_learn_refused *row = &learn->refused[learn->refused_count];
	const char *kind = zs_denial_kind_name(denial->kind);

	for (size_t i = 0; i < learn->refused_count; i++)
		if (strcmp(learn->refused[i].kind, kind) == 0 && strcmp(learn->refused[i].what, what) == 0)
			return;
	if (learn->refused_count == ZS_LEARN_REFUSED_MAX) {
		learn->others++;
		return;
	}
	*row = (struct zs_learn_refused){ kind, strdup(what), reason, NULL };
	if (denial->option && asprintf(&row->grant, "%s %s", denial->option, denial->value) < 0)
		row->grant = NULL;
	learn->refused_count += row->what != NULL;
}

/* A record that nothing grants. A tool may want to make a folder in one that is too much to grant. */
static const char *reason_of_none(const struct zs_learn_ground *ground, const struct zs_denial *denial)
{
	bool makes = denial->kind == ZS_DENIAL_WRITE && !denial->exists && *denial->real == '/' &&
		     denial->cause != ZS_DENIED_PROTECTED && denial->cause != ZS_DENIED_HIDDEN;

	return makes && !zs_learn_refusal(ground, denial->real, true, false)
		       ? "it is missing; make this folder yourself, and learn again"
		       : "no option grants it";
}

static const char *reason_against(const struct zs_learn_ground *ground, const struct zs_denial *denial)
{
	bool write = strcmp(denial->option, "--rw") == 0;
	const char *secret = *denial->real == '/' ? zs_denials_secret(ground->denials, denial->real) : NULL;

	if (secret)
		return secret;
	if (strcmp(denial->option, "--net") == 0)
		return "it takes the whole network";
	if (strcmp(denial->option, "--limit") == 0 || strcmp(denial->option, "--without") == 0)
		return "it takes a protection away";
	if (write || strcmp(denial->option, "--ro") == 0 || strcmp(denial->option, "--exec") == 0) {
		if (denial->cause == ZS_DENIED_PROTECTED || denial->cause == ZS_DENIED_HIDDEN)
			return "the policy keeps it on purpose";
		return zs_learn_refusal(ground, denial->value, write, false);
	}
	return strcmp(denial->option, "--socket") == 0 ? denial->risk : NULL;
}

/* Folders to write come first: some paths are looked up only once those exist. Hosts come last, one in a run. */
enum phase { WRITES, OTHERS, HOSTS, PHASES };

static enum phase phase_of(const struct zs_denial *denial)
{
	if (denial->option && strcmp(denial->option, "--host") == 0)
		return HOSTS;
	return denial->option && strcmp(denial->option, "--rw") == 0 ? WRITES : OTHERS;
}

static bool has_writes(const struct zs_learn *learn)
{
	for (size_t i = 0; i < learn->count; i++)
		if (is(&learn->entries[i], "--rw"))
			return true;
	return false;
}

/* Takes one denial into the entries, or tells why not. Returns how many entries are new. */
static size_t take_one(
	struct zs_learn *learn, const struct zs_learn_ground *ground, const struct zs_denial *denial, bool only_refused)
{
	const char *reason = denial->option ? reason_against(ground, denial) : reason_of_none(ground, denial);

	if (phase_of(denial) == HOSTS && learn->fields->network && strcmp(learn->fields->network, "hosts") != 0)
		reason = "--net of this command line stands against it";
	if (reason) {
		refuse(learn, denial, denial->real, reason);
		return 0;
	}
	if (only_refused || is_covered(learn, denial->option, denial->value))
		return 0;
	if (*denial->value == '/' && strcmp(denial->option, "--socket") != 0)
		return add_path(
			learn, ground, denial->option, strstr(denial->value, "/..") ? denial->real : denial->value);
	return put(learn, denial->option, strdup(denial->value));
}

/* Takes what the run was refused into the entries, of one phase. One at a time where a run shows nothing later: of
 * hosts, since a program asks for some that it can do without; and once a run can have filled a cache. The last refusal
 * comes first. Returns how many are new. */
static size_t take(struct zs_learn *learn, const struct zs_learn_ground *ground, bool only_refused)
{
	size_t added = 0;

	for (enum phase phase = WRITES; phase < PHASES && added == 0; phase++) {
		bool alone = phase == HOSTS || (phase == OTHERS && has_writes(learn));

		for (size_t i = zs_denials_count(ground->denials); i-- > 0 && !(alone && added);) {
			const struct zs_denial *denial = zs_denials_get(ground->denials, i);

			if (denial->decisive && phase_of(denial) == phase)
				added += take_one(learn, ground, denial, only_refused);
		}
	}
	return added;
}

/* Variables that do not pass make no record. Adds all that may pass at all; those that are not needed go again. */
static size_t add_variables(struct zs_learn *learn)
{
	struct zs_confinement made;
	struct zs_error error;
	size_t added = 0;

	if (zs_make_policy(learn->fields, true, false, &made) != ZS_EXIT_OK)
		return 0;
	for (char *const *entry = environ; *entry; entry++) {
		size_t len = strcspn(*entry, "=");
		ZS_AUTO_FREE char *name = strndup(*entry, len);

		if (len > 0 && name && !zs_env_is_secret(name, len) && !zs_env_is_loader(name, len) &&
			!is_covered(learn, "--env", name) && zs_policy_add_env(made.policy, name, &error) == 0)
			added += put(learn, "--env", ZS_STEAL(name));
	}
	zs_confinement_free(&made);
	return added;
}

/* Taking back */

/* Was the run refused what the entry would grant? */
static bool is_asked(const struct zs_denials *denials, const struct zs_learn_entry *entry)
{
	for (size_t i = 0; i < zs_denials_count(denials); i++) {
		const struct zs_denial *denial = zs_denials_get(denials, i);

		if (is_path(entry) ? zs_path_lies_in(denial->real, entry->value) ||
					     zs_path_lies_in(denial->named, entry->value)
				   : denial->value && strcmp(denial->value, entry->value) == 0)
			return true;
	}
	return false;
}

/* A folder that was only on the way to one that the command writes. */
static bool holds_written(const struct zs_learn *learn, const struct zs_learn_entry *entry)
{
	for (size_t i = 0; i < learn->count; i++)
		if (is_path(entry) && is(&learn->entries[i], "--rw") && &learn->entries[i] != entry &&
			zs_path_lies_in(learn->entries[i].value, entry->value))
			return true;
	return false;
}

/* Runs without the entries that are out, and drops them if that passes. writes: a run before may have filled a cache,
 * so that the command no longer asks for what it would need from clean. Then only what it can do without goes: it
 * asked, was refused, and passes. A sure entry is not tried: the command may ask, and then take the cache. */
static int try_without(struct zs_learn *learn, bool writes, size_t *ret_dropped)
{
	struct zs_trial trial;
	int r = run(learn, &trial);

	*ret_dropped = 0;
	for (size_t i = learn->count; i-- > 0;) {
		struct zs_learn_entry *entry = &learn->entries[i];

		if (entry->out && r == ZS_EXIT_OK && passes(&trial) &&
			(!writes || is(entry, "--env") || holds_written(learn, entry) ||
				is_asked(trial.denials, entry))) {
			drop(learn, i);
			(*ret_dropped)++;
		} else {
			entry->out = false;
		}
	}
	if (r == ZS_EXIT_OK)
		zs_denials_free(trial.denials);
	return r;
}

/* All variables at once, then halves: few of many are needed. They are the last entries. */
static int minimise_variables(struct zs_learn *learn, size_t *ret_first)
{
	size_t first = 0, dropped;
	int r = ZS_EXIT_OK;

	while (first < learn->count && !is(&learn->entries[first], "--env"))
		first++;
	*ret_first = first;
	for (size_t size = learn->count - first; size > 0 && r == ZS_EXIT_OK; size /= 2)
		for (size_t i = first; i < learn->count && r == ZS_EXIT_OK; i += dropped ? 0 : size) {
			for (size_t k = i; k < i + size && k < learn->count; k++)
				learn->entries[k].out = true;
			r = try_without(learn, false, &dropped);
		}
	return r;
}

static int variables_last(const void *a, const void *b)
{
	const struct zs_learn_entry *left = a, *right = b;

	return is(left, "--env") - is(right, "--env");
}

/* The last path below a folder that the run was refused, and that may be granted; or NULL. */
static char *find_below(const struct zs_learn_ground *ground, const char *folder)
{
	for (size_t i = zs_denials_count(ground->denials); i-- > 0;) {
		const struct zs_denial *denial = zs_denials_get(ground->denials, i);

		if (denial->decisive && denial->option && strcmp(denial->option, "--ro") == 0 &&
			zs_path_lies_in(denial->value, folder) && strcmp(denial->value, folder) != 0 &&
			!strstr(denial->value, "/..") && !reason_against(ground, denial))
			return zs_learn_folder(ground, denial->value, false);
	}
	return NULL;
}

/* A folder that was looked at on the way holds one that the command writes, so it is visible without a grant. Tries the
 * path below it that the command needs. */
static int narrow(struct zs_learn *learn, struct zs_learn_ground *ground, struct zs_learn_entry *entry)
{
	char *wide = entry->value;
	struct zs_trial trial;
	int r;

	entry->out = true;
	r = run(learn, &trial);
	entry->out = false;
	if (r != ZS_EXIT_OK)
		return r;
	ground->denials = trial.denials;
	entry->value = find_below(ground, wide);
	zs_denials_free(trial.denials);
	ground->denials = NULL;
	if (!entry->value || strcmp(entry->value, wide) == 0)
		goto restore;
	r = run(learn, &trial);
	if (r == ZS_EXIT_OK && passes(&trial)) {
		zs_denials_free(trial.denials);
		free(wide);
		return r;
	}
	if (r == ZS_EXIT_OK)
		zs_denials_free(trial.denials);
restore:
	free(entry->value);
	entry->value = wide;
	return r;
}

static int minimise(struct zs_learn *learn, struct zs_learn_ground *ground)
{
	bool writes = has_writes(learn);
	size_t first, dropped;
	int r;

	if (learn->count)
		qsort(learn->entries, learn->count, sizeof *learn->entries, variables_last);
	r = minimise_variables(learn, &first);
	for (size_t i = 0; i < first && r == ZS_EXIT_OK; i += !dropped, first -= dropped) {
		dropped = 0;
		if (writes && learn->entries[i].sure && !holds_written(learn, &learn->entries[i]))
			continue;
		learn->entries[i].out = true;
		r = try_without(learn, writes, &dropped);
		if (r == ZS_EXIT_OK && !dropped && is(&learn->entries[i], "--ro") &&
			holds_written(learn, &learn->entries[i]))
			r = narrow(learn, ground, &learn->entries[i]);
	}
	return r;
}

/* Was the second run refused what the first was not? */
static bool went_further(const struct zs_denials *first, const struct zs_denials *second)
{
	for (size_t i = 0; i < zs_denials_count(second); i++) {
		const struct zs_denial *denial = zs_denials_get(second, i);
		bool known = !denial->decisive;

		for (size_t k = 0; first && k < zs_denials_count(first) && !known; k++)
			known = strcmp(zs_denials_get(first, k)->real, denial->real) == 0;
		if (!known)
			return true;
	}
	return false;
}

/* One run, and what it adds. *ret_added: in, of the run before; out, 0: it passes, or nothing new is refused. An entry
 * that was added alone, and with which the run goes further, is sure. */
static int step(struct zs_learn *learn, struct zs_learn_ground *ground, bool *ret_passes, size_t *ret_added)
{
	struct zs_trial trial;
	int r = run(learn, &trial);

	if (r != ZS_EXIT_OK)
		return r;
	*ret_passes = passes(&trial);
	if (*ret_added == 1 && learn->count && (*ret_passes || went_further(ground->denials, trial.denials)))
		learn->entries[learn->count - 1].sure = true;
	zs_denials_free(ground->denials);
	ground->denials = trial.denials;
	*ret_added = take(learn, ground, *ret_passes);
	zs_complain("learn: run %u: status %d; %zu more to grant", learn->runs, learn->status, *ret_added);
	return ZS_EXIT_OK;
}

static const char *home_of(const char *home)
{
	return home && home[0] == '/' && home[1] ? home : NULL;
}

/* A path that was refused before a folder that holds it was granted. */
static void forget_granted(struct zs_learn *learn)
{
	size_t kept = 0;

	for (size_t i = 0; i < learn->refused_count; i++) {
		struct zs_learn_refused *row = &learn->refused[i];

		if (*row->what == '/' &&
			(is_covered(learn, "--ro", row->what) || is_covered(learn, "--exec", row->what))) {
			free(row->what);
			free(row->grant);
		} else {
			learn->refused[kept++] = *row;
		}
	}
	learn->refused_count = kept;
}

static bool is_own_failure(const struct zs_learn *learn)
{
	for (size_t i = 0; i < learn->count; i++)
		if (!is(&learn->entries[i], "--env"))
			return false;
	return learn->refused_count == 0;
}

int zs_learn_search(struct zs_learn *learn)
{
	const struct passwd *account = getpwuid(geteuid());
	struct zs_learn_ground ground = { NULL, { home_of(getenv("HOME")), home_of(account ? account->pw_dir : NULL) },
		learn->workspace };
	bool good = false, varied = false;
	size_t added = 0;
	int r = ZS_EXIT_OK;

	while (!good && (added || !learn->runs) && learn->runs < ZS_LEARN_RUNS_MAX && r == ZS_EXIT_OK) {
		r = step(learn, &ground, &good, &added);
		if (r == ZS_EXIT_OK && !good && !added && !varied) {
			added = add_variables(learn);
			varied = true;
		}
	}
	zs_denials_free(ground.denials);
	ground.denials = NULL;
	forget_granted(learn);
	if (good)
		learn->end = ZS_LEARN_PASSES;
	else if (added)
		learn->end = ZS_LEARN_BOUND;
	else
		learn->end = is_own_failure(learn) ? ZS_LEARN_OWN_FAILURE : ZS_LEARN_STILL_FAILS;
	return r == ZS_EXIT_OK && good && learn->count ? minimise(learn, &ground) : r;
}

void zs_learn_free(struct zs_learn *learn)
{
	while (learn->count)
		drop(learn, learn->count - 1);
	for (size_t i = 0; i < learn->refused_count; i++) {
		free(learn->refused[i].what);
		free(learn->refused[i].grant);
	}
}
