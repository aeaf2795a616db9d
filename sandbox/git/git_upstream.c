/* Compares two texts of a repository's configuration, entry by entry. An added entry must have a form that can name no
 * program, no file of configuration and no transport that runs a program: not remote.NAME.uploadpack, "ext::…" or
 * "-oProxyCommand…". An entry that exists does not change, so the user still pushes to the same place. */
#include "git/git_upstream.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "git/git_config.h"
#include "base/cleanup.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyz"
#define WORDS LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"

struct entries {
	struct entry {
		char *name, *value; /* value NULL: the key alone */
	} *items;
	size_t count, seen; /* seen: so many have been found in the new text */
	bool adds;          /* the new text has others, too */
};

/* Does the text consist of these bytes only, and begin with the prefix, but not with "-" behind it? */
static bool consists_of(const char *text, const char *prefix, const char *bytes)
{
	size_t len = strlen(prefix);

	return strncmp(text, prefix, len) == 0 && text[len] && text[len] != '-' &&
	       !text[len + strspn(text + len, bytes)];
}

static bool is_remote(const char *value)
{
	return consists_of(value, "", WORDS);
}

static bool is_url(const char *value)
{
	/* "TRANSPORT::ADDRESS" runs git-remote-TRANSPORT (man 7 gitremote-helpers). */
	return consists_of(value, "", WORDS "/:@~+%=,") && !strstr(value, "::") && !strstr(value, "//-") &&
	       !strstr(value, "@-");
}

static bool is_branch(const char *value)
{
	return consists_of(value, "refs/heads/", WORDS "/+@#");
}

static bool is_usual_fetch(const struct zs_git_entry *entry)
{
	char want[256];
	int len = snprintf(want, sizeof want, "+refs/heads/*:refs/remotes/%s/*", entry->subsection);

	return len < (int)sizeof want && strcmp(entry->value, want) == 0;
}

static bool is_harmless(const struct zs_git_entry *entry)
{
	const char *key = entry->key, *value = entry->value;

	if (!entry->subsection || !value || strcmp(value, entry->older) != 0)
		return false;
	if (strcmp(entry->section, "remote") == 0 && is_remote(entry->subsection))
		return strcmp(key, "url") == 0 ? is_url(value) : strcmp(key, "fetch") == 0 && is_usual_fetch(entry);
	if (strcmp(entry->section, "branch") != 0)
		return false;
	return strcmp(key, "remote") == 0 || strcmp(key, "pushremote") == 0 ? is_remote(value)
	       : strcmp(key, "merge") == 0                                  ? is_branch(value)
					   : strcmp(key, "rebase") == 0 && consists_of(value, "", LETTERS);
}

static int note(const struct zs_git_entry *entry, void *arg)
{
	struct entries *old = arg;
	struct entry *grown = realloc(old->items, (old->count + 1) * sizeof *grown), *item;

	if (!grown)
		return -ENOMEM;
	old->items = grown;
	item = &grown[old->count++];
	*item = (struct entry){ strdup(entry->name), entry->value ? strdup(entry->value) : NULL };
	return item->name && (item->value || !entry->value) ? 0 : -ENOMEM;
}

static bool is_same(const struct entry *old, const struct zs_git_entry *entry)
{
	return strcmp(old->name, entry->name) == 0 && !old->value == !entry->value &&
	       (!old->value || strcmp(old->value, entry->value) == 0);
}

static int compare(const struct zs_git_entry *entry, void *arg)
{
	struct entries *old = arg;

	if (old->seen < old->count && is_same(&old->items[old->seen], entry)) {
		old->seen++;
		return 0;
	}
	for (size_t i = 0; i < old->count; i++)
		if (strcmp(old->items[i].name, entry->name) == 0)
			return -EPERM;
	old->adds = true;
	return is_harmless(entry) ? 0 : -EPERM;
}

bool zs_git_adds_upstream(const char *old, size_t old_len, const char *new, size_t new_len)
{
	struct entries entries = { 0 };
	unsigned line;
	bool adds = zs_git_config_each(old, old_len, note, &entries, &line) == 0 &&
		    zs_git_config_each(new, new_len, compare, &entries, &line) == 0 && entries.adds &&
		    entries.seen == entries.count;

	for (size_t i = 0; i < entries.count; i++) {
		free(entries.items[i].name);
		free(entries.items[i].value);
	}
	free(entries.items);
	return adds;
}
