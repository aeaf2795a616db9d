/* A profile knows files by their places, and a command can move files. So this tries all short sequences of moving,
 * linking, cloning and making files on a small file system that takes "A" for "a". It asks the profile at each step.
 * After no sequence may a protected file be written, a hidden file be read, or a forbidden file exist. */
#include <strings.h>

#include "check.h"
#include "seatbelt_world.h"

enum { ENTRIES_MAX = 24, STEPS = 2, MEMORY = 1 << 16 };

enum content { PLAIN, PROTECTED, HIDDEN };

/* A name of a file, or of a folder when `folder` is set. The first names cannot be moved. */
struct entry {
	int parent; /* the index of its folder's entry; -1: name is a whole path */
	const char *name;
	bool folder;
	enum content content;
	int object;
};

static const struct entry start[] = {
	{ -1, "/Users/me", true, PLAIN, 0 },
	{ 0, "w", true, PLAIN, 1 },
	{ 1, ".git", true, PLAIN, 2 },
	{ 2, "config", false, PROTECTED, 3 },
	{ 1, "sub", true, PLAIN, 4 },
	{ 4, "deep", true, PLAIN, 5 },
	{ 5, "keep", false, PROTECTED, 6 },
	{ 1, "secret", true, HIDDEN, 7 },
	{ 7, "key", false, HIDDEN, 8 },
	{ 1, "p", true, PROTECTED, 9 },
	{ 9, "file", false, PROTECTED, 10 },
	{ 1, "x", false, PLAIN, 11 },
	{ 1, "d", true, PLAIN, 12 },
	{ 0, "ro", true, PLAIN, 13 },
	{ 13, "out", true, PLAIN, 14 },
	{ 13, "r", false, PROTECTED, 15 },
	{ 0, "conf", false, PLAIN, 16 },
	{ 0, "other", false, HIDDEN, 17 },
};

/* Files that would be obeyed if they were made. */
static const char *const absent[] = { "/Users/me/w/.git/hooks", "/Users/me/w/.bashrc", NULL };

static const char *const names[] = { "n", "HOOKS", ".BashRC", ".GIT", "Sub" };

struct search {
	const struct sbpl *sbpl;
	struct entry entries[ENTRIES_MAX];
	size_t count;
	int objects;
	char story[512]; /* the calls of the first violation */
	char steps[STEPS][160];
	struct memory {
		enum world_call call;
		char path[112];
		enum sbpl_answer answer;
	} *memory;
};

static void path_of(const struct search *search, size_t index, char path[112])
{
	const struct entry *entry = &search->entries[index];

	if (entry->parent < 0) {
		snprintf(path, 112, "%s", entry->name);
		return;
	}
	path_of(search, (size_t)entry->parent, path);
	snprintf(path + strlen(path), 112 - strlen(path), "/%s", entry->name);
}

/* A call with one path. The other calls consist of these. */
static bool may(struct search *search, enum world_call call, const char *path)
{
	size_t hash = (size_t)call;
	struct memory *memory;

	for (const char *c = path; *c; c++)
		hash = hash * 31 + (unsigned char)*c;
	memory = &search->memory[hash % MEMORY];
	if (memory->call != call || strcmp(memory->path, path) != 0) {
		memory->call = call;
		snprintf(memory->path, sizeof memory->path, "%s", path);
		memory->answer = world_call(search->sbpl, call, path, WORLD_WORKSPACE "/n");
	}
	/* An access that is unclear may be allowed. */
	return memory->answer != SBPL_DENY;
}

static void tell(struct search *search, int step, const char *what, const char *path)
{
	size_t len = 0;

	if (search->story[0])
		return;
	for (int i = 0; i < step; i++)
		len += (size_t)snprintf(search->story + len, sizeof search->story - len, "%s; ", search->steps[i]);
	snprintf(search->story + len, sizeof search->story - len, "then %s %s", what, path);
}

static void judge(struct search *search, int step)
{
	for (size_t i = 1; i < search->count && !search->story[0]; i++) {
		const struct entry *entry = &search->entries[i];
		char path[112];

		path_of(search, i, path);
		if (entry->content == PROTECTED && (may(search, CALL_WRITE, path) || may(search, CALL_CHMOD, path)))
			tell(search, step, "write", path);
		if (entry->content == HIDDEN && may(search, CALL_READ, path))
			tell(search, step, "read", path);
		for (const char *const *at = absent; *at; at++)
			if (strcasecmp(path, *at) == 0)
				tell(search, step, "there is", path);
	}
}

static int find(const struct search *search, int folder, const char *name)
{
	for (size_t i = 0; i < search->count; i++)
		if (search->entries[i].parent == folder && strcasecmp(search->entries[i].name, name) == 0)
			return (int)i;
	return -1;
}

static bool is_in(const struct search *search, int entry, int folder)
{
	for (; entry >= 0; entry = search->entries[entry].parent)
		if (entry == folder)
			return true;
	return false;
}

static void go_on(struct search *search, int step);

/* Restores the state at the end. */
static void try_new(struct search *search, int step, const char *what, const struct entry *entry, const char *from)
{
	char path[112];

	if (search->count == ENTRIES_MAX || find(search, entry->parent, entry->name) >= 0)
		return;
	search->entries[search->count++] = *entry;
	path_of(search, search->count - 1, path);
	if (may(search, CALL_CREATE, path)) {
		snprintf(search->steps[step], sizeof search->steps[step], "%s %s %s", what, from, path);
		go_on(search, step + 1);
	}
	search->count--;
}

/* Moves to a name that does not exist, or over one that does. */
static void try_move(struct search *search, int step, int from, int folder, const char *name)
{
	const struct entry was = search->entries[from];
	int target = find(search, folder, name);
	char path[112], to[112];
	struct entry replaced = { 0 };

	path_of(search, (size_t)from, path);
	if (is_in(search, folder, from) || !may(search, CALL_UNLINK, path))
		return;
	if (target >= 0 && target != from) {
		path_of(search, (size_t)target, to);
		if (search->entries[target].folder || !may(search, CALL_UNLINK, to))
			return;
		replaced = search->entries[target];
		search->entries[target].parent = -2; /* in no folder */
		search->entries[target].content = PLAIN;
	}
	search->entries[from].parent = folder;
	search->entries[from].name = name;
	path_of(search, (size_t)from, to);
	if (may(search, CALL_CREATE, to)) {
		snprintf(search->steps[step], sizeof search->steps[step], "rename %s %s", path, to);
		go_on(search, step + 1);
	}
	search->entries[from] = was;
	if (replaced.name)
		search->entries[target] = replaced;
}

static void try_from(struct search *search, int step, int from, int folder, const char *name)
{
	struct entry entry = search->entries[from];
	char path[112];

	if (entry.parent == -2 || entry.parent == -1)
		return;
	try_move(search, step, from, folder, name);
	path_of(search, (size_t)from, path);
	entry.parent = folder;
	entry.name = name;
	if (!entry.folder && may(search, CALL_LINK, path))
		try_new(search, step, "link", &entry, path);
	entry.object = search->objects;
	entry.content = entry.content == HIDDEN ? HIDDEN : PLAIN;
	if (may(search, CALL_CLONE, path))
		try_new(search, step, "clone", &entry, path);
}

static void go_on(struct search *search, int step)
{
	judge(search, step);
	for (int folder = 0; step < STEPS && folder < (int)search->count && !search->story[0]; folder++) {
		if (!search->entries[folder].folder || search->entries[folder].parent == -2)
			continue;
		for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
			const struct entry made = { folder, names[i], true, PLAIN, search->objects };

			try_new(search, step, "mkdir", &made, "");
			for (int from = 1; from < (int)search->count; from++)
				try_from(search, step, from, folder, names[i]);
		}
	}
}

/* Finds the first violation; "": there is none. */
static void run(struct search *search, const struct sbpl *sbpl)
{
	struct memory *memory = search->memory;

	*search = (struct search){ .sbpl = sbpl, .memory = memory, .count = sizeof start / sizeof *start };
	memset(memory, 0, MEMORY * sizeof *memory);
	memcpy(search->entries, start, sizeof start);
	search->objects = (int)search->count;
	go_on(search, 0);
}

/* Is it the rule for a place in the small file system, or the one for places that cannot be moved? */
static bool is_tried(const struct world *world, const char *rule)
{
	static const char *const places[] = { "/.git/config", "/sub/deep/keep", "/p", "/secret" };
	static const char subpath[] = " (subpath (param \"P";
	const char *at = strstr(rule, subpath);
	size_t parameter = at ? strtoul(at + sizeof subpath - 1, NULL, 10) : 0;

	if (strncmp(rule, "(deny file-write-create", 23) == 0)
		return true;
	for (size_t i = 0; strncmp(rule, "(deny", 5) == 0 && at && i < sizeof places / sizeof *places; i++) {
		char path[64];

		snprintf(path, sizeof path, WORLD_WORKSPACE "%s", places[i]);
		if (strcmp(world->profile.parameters[2 * parameter + 1], path) == 0)
			return true;
	}
	return false;
}

TEST(seatbelt_nothing_moves_out_of_its_rules)
{
	struct search search = { .memory = calloc(MEMORY, sizeof *search.memory) };
	struct world world;
	size_t tried = 0, len;

	world_begin(&world);
	world_grant_all(&world);
	if (world_make(&world)) {
		run(&search, world.sbpl);
		CHECK(!search.story[0], "%s", search.story);
		/* Without any of the rules that prevent it, there is a violation. */
		for (size_t i = 0; i < sbpl_rules(world.sbpl); i++) {
			char *rule = strdup(sbpl_rule_text(world.sbpl, i, &len));

			rule[len] = '\0';
			if (is_tried(&world, rule)) {
				tried++;
				sbpl_leave_out(world.sbpl, i, true);
				run(&search, world.sbpl);
				CHECK(search.story[0], "no way without %s", rule);
				sbpl_leave_out(world.sbpl, i, false);
			}
			free(rule);
		}
		CHECK(tried == 5, "%zu rules", tried);
	}
	world_end(&world);
	free(search.memory);
}
