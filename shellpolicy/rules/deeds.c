/* Changes of files: where a path stands, and whether the change counts there. */
#include "rules/guard.h"

#include <string.h>

struct zs_finding *zs_guard_find(struct zs_guard *guard, enum zs_risk code, int32_t command, const char *object,
	const char *detail, const char *hint, struct zs_span span)
{
	ZS_PUSH(guard->places.arena, &guard->findings,
		(struct zs_finding){ .code = code,
			.command = command,
			.object = object,
			.detail = detail,
			.hint = hint,
			.span = span });
	return &guard->findings.items[guard->findings.count - 1];
}

/* A path as messages show it. */
const char *zs_guard_shown(struct zs_guard *guard, const char *path)
{
	char *text = zs_arena_format(guard->places.arena, "%s", path);

	for (char *at = text; *at; at++)
		if (*at == ZS_PLACE_PATTERN)
			*at = '*';
		else if (*at > 0 && *at < ' ')
			*at = '?';
	return text;
}

/* Paths */

static void take_path(struct zs_worst *worst, struct zs_path path)
{
	bool more = path.standing > worst->path.standing ||
		    (path.standing == worst->path.standing && path.all && !worst->path.all);

	if (!worst->any || more)
		worst->path = path;
	worst->any = true;
}

struct zs_worst zs_guard_worst(struct zs_guard *guard, const struct zs_word *word, const struct zs_folders *folders)
{
	struct zs_worst worst = { .path.standing = ZS_PLACE_UNKNOWN };
	const char *value;

	for (uint32_t i = 0; (value = zs_word_value(word, i)) != NULL; i++) {
		zs_arena_spend(guard->places.arena, strlen(value) * folders->count);
		if (*value == '/' || *value == ZS_PLACE_HOME || *value == ZS_PLACE_ROOT)
			take_path(&worst, zs_path_of(&guard->places, "", value, !word->text));
		else if (folders->unknown && (word->text ? *value != '\0' : true))
			take_path(&worst, (struct zs_path){ .standing = ZS_PLACE_UNKNOWN });
		for (uint32_t j = 0; *value && *value != '/' && *value != ZS_PLACE_HOME && *value != ZS_PLACE_ROOT &&
				     j < folders->count;
			j++)
			take_path(&worst, zs_path_of(&guard->places, folders->items[j], value, !word->text));
	}
	if (!worst.any && word->value_count) /* only empty words: no path */
		worst = (struct zs_worst){ { .standing = ZS_PLACE_HARMLESS }, true };
	return worst;
}

/* Files that run or count when a session, a service or a program of others starts: in the home folder, in the system,
 * in the workspace. */
static const char home_files[] =
	".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin "
	".zlogout "
	".kshrc .cshrc .tcshrc .login .inputrc .xinitrc .xprofile .xsession .config/fish .config/fish/* "
	".config/autostart* "
	".config/systemd* .config/environment.d* .ssh/authorized_keys* .ssh/rc .ssh/config .ssh/environment .gitconfig "
	".config/git .config/git/* .pam_environment .vimrc .config/nvim* .emacs* .tmux.conf .npmrc .config/pip* "
	".local/share/systemd* Library/LaunchAgents*";
static const char system_files[] =
	"/etc/cron* /etc/profile* /etc/bash.bashrc /etc/bashrc /etc/zsh* /etc/environment /etc/rc.local /etc/init.d* "
	"/etc/systemd* /lib/systemd* /usr/lib/systemd* /etc/sudoers* /etc/ld.so* /etc/pam.d* /etc/xdg/autostart* "
	"/var/spool/cron* /Library/LaunchAgents* /Library/LaunchDaemons* /etc/ssh* /etc/passwd /etc/shadow "
	"/etc/gitconfig";
static const char git_files[] = ".git/hooks* .git/config .git/info/attributes";

/* Files and folders that say what zs, or an agent's hooks, let commands do: in the home folder, and in any folder of
 * the workspace, since agents look in the one that they start in. tests/cmd/test_agent_rows.c compares them with
 * ZS_OBEYED. */
static const char hook_files[] = ".zs .config/zs .local/state/zs .local/bin/zs .mcp.json .agents .claude/settings* "
				 ".claude/hooks .claude/plugins "
				 ".claude.json .cline .clinerules/hooks "
				 ".codex .copilot .github/hooks .github/mcp.json .github/copilot .cursor/hooks* "
				 ".cursor/mcp.json .cursor/cli* .gemini "
				 ".grok .kimi-code .kiro .opencode opencode.json* .config/opencode .qwen .windsurf "
				 ".codeium/windsurf .aider.conf.yml "
				 ".amazonq .amp .augment .continue .crush.json crush.json .factory .junie .kilo "
				 ".kilocode kilo.json* .openhands .pi "
				 ".roo .roomodes";

/* The part of the path below the folder; NULL: it lies elsewhere. */
static const char *below(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return strncmp(path, folder, len) == 0 && path[len] == '/' ? path + len + 1 : NULL;
}

static bool is_start_file(struct zs_guard *guard, const char *path)
{
	const char *home = below(path, guard->places.home), *work = below(path, guard->places.workspace);

	return zs_matches(path, system_files) || (home && zs_matches(home, home_files)) ||
	       (work && zs_matches(work, git_files));
}

/* Is the name one of the files or below one of them? With `takes_away`: or a folder that holds one. */
static bool is_hook_name(const char *name, bool takes_away)
{
	size_t name_len = strlen(name), size;

	for (const char *at = hook_files; *at; at += size + (at[size] == ' ')) {
		bool star;

		size = strcspn(at, " ");
		star = at[size - 1] == '*';
		if (strncmp(name, at, size - star) == 0 && (star || !name[size] || name[size] == '/'))
			return true;
		if (takes_away && name_len < size && strncmp(at, name, name_len) == 0 && at[name_len] == '/')
			return true;
	}
	return false;
}

static bool is_hook_file(struct zs_guard *guard, const char *path, bool takes_away)
{
	const char *home = below(path, guard->places.home), *work = below(path, guard->places.workspace);

	if ((home && is_hook_name(home, takes_away)) || zs_matches(path, "/etc/zs /etc/zs/*"))
		return true;
	for (bool top = true; work; top = false) {
		if (is_hook_name(work, takes_away && top))
			return true;
		work = strchr(work, '/');
		work += work != NULL;
	}
	return false;
}

/* Is it a place in the workspace's own repository? */
static bool is_repository(struct zs_guard *guard, const char *path)
{
	size_t len = strlen(guard->places.workspace);

	return strncmp(path, guard->places.workspace, len) == 0 && strncmp(path + len, "/.git", 5) == 0 &&
	       (!path[len + 5] || path[len + 5] == '/') && !zs_matches(path, "*.lock *_MSG *_EDITMSG");
}

/* Writes */

static const char *verb_of(enum zs_effect effect)
{
	static const char *const verbs[ZS_EFFECT_COUNT] = {
		[ZS_EFFECT_CREATE] = "makes",
		[ZS_EFFECT_OVERWRITE] = "overwrites",
		[ZS_EFFECT_APPEND] = "changes",
		[ZS_EFFECT_DELETE] = "deletes",
		[ZS_EFFECT_MOVE] = "moves away",
		[ZS_EFFECT_METADATA] = "changes the rights of",
		[ZS_EFFECT_LINK] = "replaces",
	};

	return verbs[effect];
}

static void blame_place(struct zs_guard *guard, const struct zs_deed *deed, const struct zs_path *path)
{
	struct zs_arena *arena = guard->places.arena;
	const char *where = path->standing == ZS_PLACE_WORKSPACE ? "the workspace"
			    : path->standing == ZS_PLACE_ABOVE   ? "a folder that holds more than the workspace"
								 : "a place outside of the workspace";

	zs_guard_find(guard, ZS_RISK_DESTROYS, deed->command, zs_guard_shown(guard, path->text),
		zs_arena_format(arena, "it %s %s%s", verb_of(deed->effect),
			path->all && path->standing != ZS_PLACE_OUTSIDE ? "all that is in " : "", where),
		path->standing == ZS_PLACE_WORKSPACE ? "Name the files and folders that you mean, such as build/*."
						     : "Stay in the workspace or in /tmp; ask the person who runs you "
						       "for changes elsewhere.",
		deed->span);
}

/* Does the effect count at a place of this standing? */
static bool counts_at(const struct zs_guard *guard, const struct zs_deed *deed, const struct zs_path *path)
{
	bool takes_away = deed->effect == ZS_EFFECT_DELETE || deed->effect == ZS_EFFECT_MOVE;
	bool at_home = strncmp(path->text, guard->places.home, strlen(guard->places.home)) == 0;

	switch (path->standing) {
	case ZS_PLACE_HARMLESS:
		return deed->effect == ZS_EFFECT_DELETE && !zs_matches(path->text, "/dev/fd/*");
	case ZS_PLACE_TEMPORARY:
	case ZS_PLACE_INSIDE:
	case ZS_PLACE_UNKNOWN:
		return false;
	case ZS_PLACE_WORKSPACE:
		return takes_away && (path->all || deed->deep || deed->effect == ZS_EFFECT_MOVE);
	case ZS_PLACE_OUTSIDE:
	case ZS_PLACE_ABOVE:
		break;
	}
	if (zs_listed(path->text, "/tmp /var/tmp /private/tmp /dev/shm") && !takes_away &&
		deed->effect != ZS_EFFECT_METADATA)
		return false; /* cp x /tmp */
	switch (deed->effect) {
	case ZS_EFFECT_CREATE:
		return false;
	case ZS_EFFECT_LINK:
		return deed->forced;
	case ZS_EFFECT_METADATA:
		return deed->deep || !at_home || !path->text[strlen(guard->places.home)];
	case ZS_EFFECT_OVERWRITE:
	case ZS_EFFECT_APPEND:
	case ZS_EFFECT_DELETE:
	case ZS_EFFECT_MOVE:
	case ZS_EFFECT_COUNT:
		break;
	}
	return true;
}

/* Judges one place. True: it counts. */
bool zs_guard_place(struct zs_guard *guard, const struct zs_deed *deed, const struct zs_path *path)
{
	bool takes_away = deed->effect == ZS_EFFECT_DELETE || deed->effect == ZS_EFFECT_MOVE;
	const char *text = path->text ? zs_guard_shown(guard, path->text) : NULL;

	if (!path->text)
		return false;
	if (is_hook_file(guard, path->text, takes_away) && deed->effect != ZS_EFFECT_CREATE) {
		zs_guard_find(guard, ZS_RISK_GUARD, deed->command, text, "it changes what an agent's commands may do",
			NULL, deed->span);
	} else if (is_start_file(guard, path->text) && !takes_away && deed->effect != ZS_EFFECT_CREATE &&
		   (deed->effect != ZS_EFFECT_METADATA || deed->deep)) {
		zs_guard_find(guard, ZS_RISK_PERSISTS, deed->command, text,
			"it changes a file that runs or counts after this session",
			"Set it for this command alone, or ask the person who runs you.", deed->span);
	} else if (takes_away && is_repository(guard, path->text)) {
		zs_guard_find(guard, ZS_RISK_LOSES_WORK, deed->command, text, "it deletes the repository's history",
			"Leave .git; for a fresh copy, clone into another folder.", deed->span);
	} else if (counts_at(guard, deed, path)) {
		blame_place(guard, deed, path);
	} else {
		return false;
	}
	return true;
}

static void blame_unknown(struct zs_guard *guard, const struct zs_deed *deed, const char *what)
{
	zs_guard_find(guard, ZS_RISK_DESTROYS, deed->command, what, "the text does not say which folder it deletes",
		"Name the folder: rm -rf build/out. A variable counts if the same text sets it: d=build; rm -rf "
		"\"$d\".",
		deed->span);
}

void zs_guard_word(struct zs_guard *guard, const struct zs_deed *deed, const struct zs_word *word,
	const struct zs_folders *folders)
{
	struct zs_worst worst = zs_guard_worst(guard, word, folders);

	if (word->dynamic && strcmp(word->dynamic, "process substitution") == 0)
		return;
	if (zs_guard_place(guard, deed, &worst.path))
		return;
	if (worst.path.standing == ZS_PLACE_UNKNOWN && deed->effect == ZS_EFFECT_DELETE && deed->deep)
		blame_unknown(guard, deed, NULL);
}

/* find and xargs */

/* Tests of find that pick some files. */
static const char picks[] =
	"-name -iname -path -ipath -wholename -iwholename -regex -iregex -newer* -mtime -mmin -ctime "
	"-cmin -atime -amin -size -empty -user -group -perm -links -xtype -lname -samefile -inum";

/* ! -name x, -name '*': does the test at `i` leave all files, or all but some? */
static bool is_for_all(const struct zs_command *command, uint32_t i)
{
	const char *value = i + 1 < command->argc ? command->argv[i + 1].text : NULL;

	return zs_listed(command->argv[i - 1].text, "! -not") || (value && strcmp(value, "*") == 0);
}

/* Options of fd that take a value. */
static const char fd_values[] =
	"-e --extension -t --type -d --max-depth --min-depth --exact-depth -E --exclude -S --size "
	"--changed-within --changed-before -o --owner -j --threads -c --color --max-results "
	"--ignore-file --format";

/* Judges a deed on the files that fd finds: fd PATTERN FOLDER... */
static void judge_fd(struct zs_guard *guard, const struct zs_deed *deed, uint32_t index)
{
	const struct zs_command *command = &guard->ir->commands[index];
	static const struct zs_word here = { .text = "." };
	uint32_t operands = 0;
	bool some = zs_has_flag(command, "-e --extension -S --size --changed-within --changed-before");

	for (uint32_t i = 1; i < command->argc; i++) {
		const char *text = zs_word_value(&command->argv[i], 0);
		struct zs_worst worst;

		if (zs_listed(text, "-x -X --exec --exec-batch"))
			break;
		if ((text && *text == '-') || zs_listed(command->argv[i - 1].text, fd_values))
			continue;
		if (operands++ == 0) {
			some |= !zs_listed(text, ". .* ^");
			continue;
		}
		worst = zs_guard_worst(guard, &command->argv[i], &guard->folders[index]);
		if (worst.path.standing != ZS_PLACE_WORKSPACE || !some)
			zs_guard_word(guard, deed, &command->argv[i], &guard->folders[index]);
	}
	if (operands < 2 && !some)
		zs_guard_word(guard, deed, &here, &guard->folders[index]);
}

/* Judges a deed on the files that a find finds. */
void zs_guard_found(struct zs_guard *guard, struct zs_deed deed, uint32_t index)
{
	const struct zs_command *command = &guard->ir->commands[index];
	static const struct zs_word here = { .text = "." };
	bool some = false, named = false;

	deed.deep = true;
	if (zs_listed(command->key, "fd fdfind")) {
		judge_fd(guard, &deed, index);
		return;
	}
	for (uint32_t i = 2; i < command->argc && deed.effect == ZS_EFFECT_DELETE; i++)
		if (zs_listed(command->argv[i].text, ".git") && zs_listed(command->argv[i - 1].text, "-name -iname"))
			zs_guard_find(guard, ZS_RISK_LOSES_WORK, deed.command, ".git",
				"it deletes repositories with their history",
				"Leave .git; for a fresh copy, clone into another folder.", deed.span);
	for (uint32_t i = 1; i < command->argc; i++)
		some |= zs_listed(command->argv[i].text, picks) && !is_for_all(command, i);
	for (uint32_t i = 1; i < command->argc; i++) {
		const char *text = zs_word_value(&command->argv[i], 0);
		struct zs_worst worst;

		if (text && text[0] == '-' && text[1] && !strchr("HLPDO", text[1]))
			break;
		if (text && (strchr("(!", *text) || (*text == '-' && text[1])))
			continue;
		named = true;
		worst = zs_guard_worst(guard, &command->argv[i], &guard->folders[index]);
		if (worst.path.standing == ZS_PLACE_WORKSPACE && (some || deed.effect != ZS_EFFECT_DELETE))
			continue;
		zs_guard_word(guard, &deed, &command->argv[i], &guard->folders[index]);
	}
	if (!named && !some)
		zs_guard_word(guard, &deed, &here, &guard->folders[index]);
}

/* Commands whose operands are what xargs gets, or the place that they list. */
static const char listers[] = "ls echo printf rg grep egrep fgrep git tree";
/* Commands that only pass lines on. */
static const char passers[] = "head tail sort uniq grep egrep fgrep sed awk tr cut xargs cat tee rev tac basename";

/* ls | grep log$ | tail -n 3: do the commands in [from, to) pick some of the lines? */
static bool picks_lines(const struct zs_guard *guard, uint32_t from, uint32_t to)
{
	for (; from < to; from++) {
		const struct zs_command *command = &guard->ir->commands[from];

		if (zs_listed(command->key, "head tail") ||
			(zs_listed(command->key, "grep egrep fgrep rg") && !zs_has_flag(command, "-v --invert-match")))
			return true;
	}
	return false;
}

/* git ls-files: all files of the folder, or all that no commit holds. */
static bool lists_work(const struct zs_command *command)
{
	return strcmp(command->key, "git ls-files") == 0 && !zs_has_flag(command, "-d --deleted");
}

/* Judges a deed on the place that a command names, whose output is the deed's operands. */
static void judge_lister(struct zs_guard *guard, const struct zs_deed *deed, uint32_t index, uint32_t end)
{
	const struct zs_command *command = &guard->ir->commands[index];
	struct zs_deed below = *deed;
	bool bare = true;
	bool pattern = (zs_listed(command->key, "grep egrep fgrep rg") || strcmp(command->key, "git grep") == 0) &&
		       !zs_has_flag(command, "-e -f --regexp --file");

	below.deep |= zs_listed(command->key, "ls");
	for (uint32_t i = 1; i < command->argc; i++) {
		const char *text = zs_word_value(&command->argv[i], 0);

		if (text && *text == '-')
			continue;
		if (i == 1 && strncmp(command->key, "git ", 4) == 0)
			continue;
		bare = false;
		if (pattern) {
			pattern = false; /* grep PATTERN FILE... */
			continue;
		}
		zs_guard_word(guard, &below, &command->argv[i], &guard->folders[index]);
	}
	if (bare && (zs_listed(command->key, "ls") || lists_work(command)) && !picks_lines(guard, index + 1, end))
		zs_guard_place(guard, deed, &(struct zs_path){ guard->places.workspace, ZS_PLACE_WORKSPACE, true });
}

static void judge_piped(struct zs_guard *guard, const struct zs_deed *deed, uint32_t xargs)
{
	static const struct zs_word everywhere = { .text = "/" };
	bool known = false;
	uint32_t from;

	if (!zs_pipe_before(guard->ir, xargs, &from)) {
		if (deed->deep)
			blame_unknown(guard, deed, NULL);
		return;
	}
	for (; from < xargs; from++) {
		const struct zs_command *command = &guard->ir->commands[from];
		size_t len = command->key ? strcspn(command->key, " ") : 0;
		bool first = !known;

		if (zs_listed(command->key, "find gfind bfs fd fdfind")) {
			known = true;
			zs_guard_found(guard, *deed, from);
		} else if (zs_listed(command->key, "locate plocate mlocate mdfind")) {
			known = true;
			zs_guard_word(guard, deed, &everywhere, &guard->folders[from]);
		} else if (len && zs_listed_bytes(command->key, len, listers) &&
			   !(zs_listed(command->key, passers) && known)) {
			known = true;
			judge_lister(guard, deed, from, xargs);
		} else if (first && deed->deep && !zs_listed(command->key, passers)) {
			break;
		}
	}
	if (!known && deed->deep)
		blame_unknown(guard, deed, NULL);
}

/* Is the command's text in a word of another command? */
static bool stands_in_word(const struct zs_ir *ir, uint32_t index)
{
	struct zs_span span = ir->commands[index].span;

	for (uint32_t i = 0; i < index; i++)
		if (ir->commands[i].depth < ir->commands[index].depth && ir->commands[i].span.start <= span.start &&
			ir->commands[i].span.end >= span.end)
			return true;
	return false;
}

/* rm $(find ~ -name x); for f in $(find ~); do rm "$f"; done: the files that a substitution finds. */
static void judge_substituted(struct zs_guard *guard, const struct zs_deed *deed, bool variable)
{
	const struct zs_ir *ir = guard->ir;

	zs_arena_spend(guard->places.arena, ir->command_count);
	for (uint32_t i = 0; i < ir->command_count; i++) {
		const struct zs_command *command = &ir->commands[i];
		bool before = command->span.end <= ir->commands[deed->command].span.start;
		bool within = command->span.start >= deed->span.start && command->span.end <= deed->span.end;

		if (command->nesting != ZS_NEST_SUBSTITUTION || (variable ? !before : !within) ||
			(variable && stands_in_word(ir, i)))
			continue;
		if (zs_listed(command->key, "find gfind bfs fd fdfind"))
			zs_guard_found(guard, *deed, i);
		else if (zs_listed(command->key, "ls"))
			judge_lister(guard, deed, i, ir->command_count);
	}
}

/* The wrapper around a command whose word only it knows: find or xargs; -1: another. */
static int32_t wrapper_of(const struct zs_guard *guard, uint32_t index, const char *names)
{
	for (uint32_t i = index; i-- > 0;)
		if (guard->ir->commands[i].depth < guard->ir->commands[index].depth)
			return zs_listed(guard->ir->commands[i].key, names) ? (int32_t)i : -1;
	return -1;
}

/* find ~ | while read -r f; do rm "$f"; done: the names that a variable gets from a pipe. */
static void judge_read(struct zs_guard *guard, const struct zs_deed *deed)
{
	uint32_t from;

	for (uint32_t i = 0; i < (uint32_t)deed->command; i++)
		if (zs_listed(guard->ir->commands[i].key, "read mapfile readarray") &&
			zs_pipe_before(guard->ir, i, &from))
			judge_piped(guard, deed, i);
}

/* kubectl exec POD -- sh -c 'rm -r x': does a cluster run the command, at any depth? */
static bool is_in_cluster(const struct zs_guard *guard, uint32_t index)
{
	const struct zs_ir *ir = guard->ir;

	for (uint32_t i = index, depth = ir->commands[index].depth; i-- > 0 && depth;) {
		if (ir->commands[i].depth >= depth)
			continue;
		depth = ir->commands[i].depth;
		if (guard->apart[index] && zs_listed(ir->commands[i].key, "kubectl* oc* k"))
			return true;
	}
	return false;
}

/* Judges a write in a container: its files are its own, but those of a cluster are shared. */
static void judge_apart(struct zs_guard *guard, const struct zs_deed *deed, const struct zs_word *path)
{
	const char *value = zs_word_value(path, 0);
	bool cluster = is_in_cluster(guard, (uint32_t)deed->command);
	bool all = value && *value == '/' && value[1 + strspn(value + 1, "/\020")] == '\0';

	if (deed->effect == ZS_EFFECT_DELETE && deed->deep && (cluster || all))
		zs_guard_find(guard, ZS_RISK_REMOTE_CHANGE, deed->command, value ? zs_guard_shown(guard, value) : NULL,
			"it deletes in a container", NULL, deed->span);
}

/* Makes the deed of a write; all of its command's writes have the same flags. */
static struct zs_deed deed_of(const struct zs_guard *guard, const struct zs_write *write)
{
	const struct zs_command *command = &guard->ir->commands[write->command];
	struct zs_deed deed = {
		.effect = write->effect,
		.deep = zs_has_flag(command, "-r -R --recursive") ||
			zs_listed(command->key, "rimraf trash trash-put del-cli"),
		.forced = zs_has_flag(command, "-f --force"),
		.command = (int32_t)write->command,
	};

	if (zs_listed(command->key, "rsync") && zs_has_flag(command, "--delete --delete-after --delete-before --del")) {
		deed.effect = ZS_EFFECT_DELETE;
		deed.deep = true;
	}
	return deed;
}

static void judge_write(struct zs_guard *guard, const struct zs_write *write, struct zs_deed deed)
{
	const char *dynamic = write->path.text || !write->path.dynamic ? "" : write->path.dynamic;
	bool counts = deed.effect != ZS_EFFECT_CREATE;
	int32_t wrapper;

	deed.span = write->path.span;
	if (guard->apart[write->command]) {
		judge_apart(guard, &deed, &write->path);
		return;
	}
	if (!zs_listed(dynamic, "found* replaced input")) {
		zs_guard_word(guard, &deed, &write->path, &guard->folders[write->command]);
		if (counts && !deed.deep && strcmp(dynamic, "variable") == 0)
			judge_read(guard, &deed);
		if (counts && !deed.deep && zs_listed(dynamic, "variable substitution"))
			judge_substituted(guard, &deed, strcmp(dynamic, "variable") == 0);
		return;
	}
	wrapper = wrapper_of(guard, write->command, "find gfind bfs fd fdfind");
	if (wrapper >= 0 && counts)
		zs_guard_found(guard, deed, (uint32_t)wrapper);
	if (wrapper >= 0)
		return;
	wrapper = wrapper_of(guard, write->command, "xargs gxargs parallel");
	if (wrapper >= 0 && counts)
		judge_piped(guard, &deed, (uint32_t)wrapper);
}

void zs_guard_writes(struct zs_guard *guard)
{
	const struct zs_ir *ir = guard->ir;
	struct zs_deed deed = { 0 };

	for (uint32_t i = 0; i < ir->write_count; i++) {
		if (!i || ir->writes[i].command != ir->writes[i - 1].command ||
			ir->writes[i].effect != ir->writes[i - 1].effect)
			deed = deed_of(guard, &ir->writes[i]);
		judge_write(guard, &ir->writes[i], deed);
	}
}
