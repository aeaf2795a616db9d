/* The profile guard: rules.c's rules, and what needs the paths of the IR. Its findings replace `cd` and `redirect`,
 * which count here only where they leave the workspace. */
#include "rules/guard.h"

#include <string.h>

/* Redirections */

/* The folders in which a redirection is opened: those of its simple command, or all. */
static const struct zs_folders *folders_of_redirect(struct zs_guard *guard, const struct zs_redirect *redirect)
{
	const struct zs_ir *ir = guard->ir;
	const struct zs_command *last = NULL;
	uint32_t index = 0;

	zs_arena_spend(guard->places.arena, ir->command_count + ir->operator_count);
	for (uint32_t i = 0; i < ir->command_count; i++)
		if (ir->commands[i].span.end <= redirect->span.start &&
			(!last || ir->commands[i].span.start >= last->span.start)) {
			last = &ir->commands[i];
			index = i;
		}
	if (!last || last->nesting != ZS_NEST_TOP)
		return &guard->seen;
	for (uint32_t i = 0; i < ir->operator_count; i++)
		if (ir->operators[i].span.start >= last->span.end && ir->operators[i].span.end <= redirect->span.start)
			return &guard->seen;
	return &guard->folders[index];
}

/* Does the redirection stand in a text that a container runs? */
static bool is_apart(const struct zs_guard *guard, struct zs_span span)
{
	for (uint32_t i = 0; i < guard->ir->payload_count; i++) {
		const struct zs_payload *payload = &guard->ir->payloads[i];

		if (payload->code.span.start == span.start && payload->code.span.end == span.end &&
			guard->apart[payload->command])
			return true;
	}
	return false;
}

static void judge_redirect(struct zs_guard *guard, const struct zs_redirect *redirect)
{
	const struct zs_word *target = &redirect->target;
	struct zs_deed deed = { .effect = redirect->op[0] == '>' && redirect->op[1] == '>' ? ZS_EFFECT_APPEND
											   : ZS_EFFECT_OVERWRITE,
		.command = -1,
		.span = redirect->span };
	struct zs_worst worst;
	bool said;

	if ((target->dynamic && strcmp(target->dynamic, "process substitution") == 0) ||
		is_apart(guard, redirect->span))
		return;
	worst = zs_guard_worst(guard, target, folders_of_redirect(guard, redirect));
	if (worst.path.text && zs_matches(worst.path.text, "/dev/tcp/* /dev/udp/*")) {
		zs_guard_find(guard, ZS_RISK_SENDS_OUT, -1, zs_guard_shown(guard, worst.path.text),
			"it sends output to another host", NULL, redirect->span);
		return;
	}
	said = zs_guard_place(guard, &deed, &worst.path);
	if (said && (guard->findings.items[guard->findings.count - 1].code != ZS_RISK_DESTROYS ||
			    zs_matches(worst.path.text, "/dev/*")))
		return;
	guard->findings.count -= said; /* it is said as a redirection */
	switch (worst.path.standing) {
	case ZS_PLACE_HARMLESS:
		if (zs_matches(target->text ? target->text : "", "/dev/std* /dev/fd/*")) /* vet.c: it may be a file */
			break;
		return;
	case ZS_PLACE_TEMPORARY:
	case ZS_PLACE_INSIDE:
		return;
	case ZS_PLACE_WORKSPACE:
	case ZS_PLACE_UNKNOWN:
	case ZS_PLACE_OUTSIDE:
	case ZS_PLACE_ABOVE:
		break;
	}
	zs_guard_find(guard, ZS_RISK_REDIRECT, -1, worst.path.text ? zs_guard_shown(guard, worst.path.text) : NULL,
		worst.path.text ? "which is outside of the workspace" : "the text does not say which file it writes",
		"Write files of the workspace or of /tmp, by a path that stands in the text.", redirect->span);
}

/* Changing the folder */

static void judge_cd(struct zs_guard *guard, const struct zs_finding *finding)
{
	const struct zs_command *command = finding->command >= 0 ? &guard->ir->commands[finding->command] : NULL;
	const struct zs_word *target = NULL;
	static const char *const homes_path[] = { "\016" };
	static const struct zs_word home = { .values = homes_path, .value_count = 1 };
	struct zs_worst worst = { .path.standing = ZS_PLACE_UNKNOWN };
	const char *value;
	bool stays = false;

	if (command && guard->apart[finding->command])
		return;
	if (command && zs_is_cd(command) && finding->span.start == command->span.start) {
		target = zs_cd_target(command);
		if (strcmp(command->key, "popd") == 0 || (target && target->text && zs_matches(target->text, "- +*")) ||
			(!target && strcmp(command->key, "pushd") == 0))
			return; /* a folder that an earlier cd was judged for */
		target = target ? target : &home;
	}
	for (uint32_t i = 1; command && !target && i < command->argc; i++)
		if (command->argv[i].span.start == finding->span.start &&
			command->argv[i].span.end == finding->span.end &&
			(finding->span.start != command->span.start || finding->span.end != command->span.end))
			target = &command->argv[i];
	for (uint32_t i = 0; target && (value = zs_word_value(target, i)) != NULL; i++) {
		stays = (stays || !i) &&
			zs_stays(&guard->places, &guard->folders[finding->command], value, !target->text);
		if (!stays)
			break;
	}
	if (stays)
		return;
	if (target)
		worst = zs_guard_worst(guard, target, &guard->folders[finding->command]);
	zs_guard_find(guard, ZS_RISK_CD, finding->command,
		worst.path.text ? zs_guard_shown(guard, worst.path.text) : finding->object,
		worst.path.text   ? "it leaves the workspace"
		: finding->detail ? finding->detail
				  : "the text does not say where it goes",
		"Stay in the workspace, and name files by their path; the tool's own option may help (git -C dir, make "
		"-C dir).",
		finding->span);
}

/* Commands */

/* terraform apply --help shows a page. Behind a flag it may be a value, and these programs may hand it to another. */
static bool asks_for_help(const struct zs_command *command)
{
	static const char passing[] = "npm* pnpm* yarn* bun* heroku* fly* flyctl* ssh make gmake just task rake";
	uint32_t last = command->argc - 1;

	if (command->argc < 3 || !command->argv[last].text || strcmp(command->argv[last].text, "--help") != 0 ||
		!command->argv[last - 1].text || *command->argv[last - 1].text == '-')
		return false;
	for (uint32_t i = 1; i < last; i++)
		if (!command->argv[i].text || strcmp(command->argv[i].text, "--") == 0)
			return false;
	return !zs_listed(command->key, passing);
}

/* True: a rule matched, so the command's row has no more to say. */
static bool judge_rules(struct zs_guard *guard, uint32_t index)
{
	const struct zs_command *command = &guard->ir->commands[index];

	const struct zs_rule *rule;

	for (size_t i = 0; (rule = zs_guard_rule(i)) != NULL; i++) {
		if (!zs_rule_matches(rule, guard->ir, index) ||
			(rule->code == ZS_RISK_REMOTE_CHANGE && asks_for_help(command)))
			continue;
		if (rule->code != ZS_RISK_NONE)
			zs_guard_find(guard, rule->code, (int32_t)index, NULL, rule->why, rule->instead, command->span);
		return true;
	}
	return false;
}

/* Programs that also work on a file that holds a file system. */
static const char on_images[] = "mkfs mkfs.* mke2fs mkswap mkdosfs fdisk sfdisk sgdisk gdisk cgdisk parted wipefs fsck "
				"fsck.* e2fsck tune2fs resize2fs e2label fatlabel debugfs xfs_repair";

/* mkfs.ext4 build/disk.img: does each of its words stand for a file of the workspace? */
static bool is_on_image(struct zs_guard *guard, uint32_t index)
{
	const struct zs_command *command = &guard->ir->commands[index];
	bool any = false;

	if (!zs_listed(command->key, on_images))
		return false;
	for (uint32_t i = 1; i < command->argc; i++) {
		const char *text = zs_word_value(&command->argv[i], 0);
		struct zs_worst worst;

		if (text && *text == '-')
			continue;
		worst = zs_guard_worst(guard, &command->argv[i], &guard->folders[index]);
		any = worst.path.standing == ZS_PLACE_INSIDE || worst.path.standing == ZS_PLACE_TEMPORARY;
		if (!any)
			return false;
	}
	return any;
}

/* Findings of rows about devices, mounts, the kernel and services count here too. */
static void judge_device(struct zs_guard *guard, uint32_t index)
{
	const struct zs_ir *ir = guard->ir;

	if (guard->apart[index] || is_on_image(guard, index))
		return;
	zs_arena_spend(guard->places.arena, ir->finding_count);
	for (uint32_t i = 0; i < ir->finding_count; i++) {
		const struct zs_finding *finding = &ir->findings[i];

		if (finding->code != ZS_RISK_DEVICE || finding->informational || finding->command != (int32_t)index)
			continue;
		zs_guard_find(guard, ZS_RISK_DESTROYS, (int32_t)index, finding->object,
			"it changes devices, mounts, the network or services of this machine",
			"Say what you would run and why, and let the person who runs you do it.", finding->span);
		return;
	}
}

/* ed FILE, vim -es FILE: an editor that a script leads. */
static void judge_editor(struct zs_guard *guard, uint32_t index)
{
	const struct zs_command *command = &guard->ir->commands[index];
	struct zs_deed deed = { .effect = ZS_EFFECT_OVERWRITE, .command = (int32_t)index, .span = command->span };

	if (!zs_listed(command->key, "ed red ex") &&
		!(zs_listed(command->key, "vi vim nvim") && zs_has_flag(command, "-e -E -s -c")))
		return;
	for (uint32_t i = 1; i < command->argc; i++) {
		const char *text = zs_word_value(&command->argv[i], 0);

		if (text && *text && !strchr("-+", *text) && !zs_listed(command->argv[i - 1].text, "-c --cmd -S -u -i"))
			zs_guard_word(guard, &deed, &command->argv[i], &guard->folders[index]);
	}
}

/* rsync --remove-source-files FROM... TO */
static void judge_taken(struct zs_guard *guard, uint32_t index)
{
	const struct zs_command *command = &guard->ir->commands[index];
	struct zs_deed deed = { .effect = ZS_EFFECT_MOVE, .command = (int32_t)index, .span = command->span };

	if (!zs_listed(command->key, "rsync") || !zs_has_flag(command, "--remove-source-files"))
		return;
	for (uint32_t i = 1; i + 1 < command->argc; i++) {
		const char *text = zs_word_value(&command->argv[i], 0);

		if (text && *text != '-' && !strchr(text, ':'))
			zs_guard_word(guard, &deed, &command->argv[i], &guard->folders[index]);
	}
}

/* find -delete, and tar -C: their words have no role in the IR. */
static void judge_grammars(struct zs_guard *guard, uint32_t index)
{
	const struct zs_command *command = &guard->ir->commands[index];
	struct zs_deed deed = { .command = (int32_t)index, .span = command->span };

	if (zs_listed(command->key, "find gfind bfs") && zs_has_flag(command, "-delete")) {
		deed.effect = ZS_EFFECT_DELETE;
		zs_guard_found(guard, deed, index);
	}
	if (zs_listed(command->key, "tar gtar bsdtar") && zs_has_flag(command, "--remove-files")) {
		deed.effect = ZS_EFFECT_DELETE;
		deed.deep = true;
		for (uint32_t i = 1; i < command->argc; i++)
			if (command->argv[i].text == NULL || *command->argv[i].text != '-')
				zs_guard_word(guard, &deed, &command->argv[i], &guard->folders[index]);
	} else if (zs_listed(command->key, "tar gtar bsdtar") && !zs_has_flag(command, "-t -c --list --create")) {
		deed.effect = ZS_EFFECT_OVERWRITE;
		for (uint32_t i = 1; i + 1 < command->argc; i++)
			if (zs_listed(command->argv[i].text, "-C --directory"))
				zs_guard_word(guard, &deed, &command->argv[i + 1], &guard->folders[index]);
		for (uint32_t i = 1; i < command->argc; i++) {
			const char *text = command->argv[i].text;
			struct zs_word folder = { .text = text && zs_matches(text, "--directory=*") ? text + 12
												    : NULL };

			if (folder.text)
				zs_guard_word(guard, &deed, &folder, &guard->folders[index]);
		}
	}
}

/* ps -e | xargs kill: nothing chooses among the processes. */
static void judge_kill(struct zs_guard *guard, uint32_t index)
{
	const struct zs_ir *ir = guard->ir;
	const struct zs_command *command = &ir->commands[index];
	uint32_t from;

	if (!zs_listed(command->key, "kill") || !zs_pipe_before(ir, index, &from) ||
		!zs_listed(ir->commands[from].key, "ps") || zs_has_flag(&ir->commands[from], "-C -p -t --ppid --pid"))
		return;
	for (uint32_t i = from + 1; i < index; i++)
		if (!zs_listed(ir->commands[i].key, "xargs"))
			return;
	zs_guard_find(guard, ZS_RISK_DESTROYS, (int32_t)index, NULL, "it ends every process",
		"End the process that you started, by its id.", command->span);
}

/* :(){ :|:& };: calls of a function in its own body, side by side. */
static void judge_recursion(struct zs_guard *guard, uint32_t index)
{
	const struct zs_ir *ir = guard->ir;
	const struct zs_command *command = &ir->commands[index];
	uint32_t from = index ? command[-1].span.end : 0;
	uint32_t to = index + 1 < ir->command_count ? command[1].span.start : UINT32_MAX;

	if (!command->recurses)
		return;
	zs_arena_spend(guard->places.arena, ir->operator_count);
	for (uint32_t i = 0; i < ir->operator_count; i++) {
		const struct zs_operator *operator = &ir->operators[i];
		bool nested = operator->span.start == command->span.start && operator->span.end == command->span.end;
		bool before = operator->span.start >= from && operator->span.end <= command->span.start;
		bool after = operator->span.start >= command->span.end && operator->span.end <= to;

		if (!(nested || after ? zs_listed(operator->text, "| |& &")
				      : before && zs_listed(operator->text, "| |&")))
			continue;
		zs_guard_find(guard, ZS_RISK_DESTROYS, (int32_t)index, NULL,
			"it starts copies of itself without end, which stops the machine",
			"Repeat the command in a loop.", command->span);
		return;
	}
}

/* Commands that run another one in a container. */
static const char container_keys[] = "docker|podman|nerdctl|kubectl|oc exec|run",
		  compose_keys[] = "docker|podman compose exec|run";

static void mark_containers(struct zs_guard *guard)
{
	const struct zs_ir *ir = guard->ir;

	guard->apart = zs_arena_alloc(guard->places.arena, ir->command_count + 1);
	for (uint32_t i = 0; i < ir->command_count; i++) {
		const struct zs_command *command = &ir->commands[i];
		int32_t outer = command->nesting == ZS_NEST_TOP ? -1 : zs_holder_of(guard->places.arena, ir, i);
		uint32_t rest;

		for (uint32_t j = i; outer < 0 && command->nesting == ZS_NEST_WRAPPER && j-- > 0;)
			if (ir->commands[j].depth < command->depth)
				outer = (int32_t)j;
		if (outer < 0)
			continue;
		command = &ir->commands[outer];
		guard->apart[i] = guard->apart[outer] || zs_rule_command(container_keys, command, &rest) ||
				  zs_rule_command(compose_keys, command, &rest) ||
				  zs_rule_command("docker-compose|podman-compose exec|run", command, &rest);
	}
}

/* Is the finding about a redirection of the IR? Then judge_redirect() says more. */
static bool has_redirect(const struct zs_ir *ir, const struct zs_finding *finding)
{
	for (uint32_t i = 0; i < ir->redirect_count; i++)
		if (ir->redirects[i].writes && ir->redirects[i].span.start == finding->span.start &&
			ir->redirects[i].span.end == finding->span.end)
			return true;
	return false;
}

/* cat FILE...: does the command print named files of the workspace, and nothing else? */
static bool prints_named(struct zs_guard *guard, uint32_t index)
{
	const struct zs_command *command = &guard->ir->commands[index];

	if (!zs_listed(command->key, "cat") || guard->ir->redirect_count)
		return false;
	for (uint32_t i = 1; i < command->argc; i++) {
		struct zs_worst worst = zs_guard_worst(guard, &command->argv[i], &guard->folders[index]);

		if (!command->argv[i].text || *command->argv[i].text == '-' ||
			(worst.path.standing != ZS_PLACE_INSIDE && worst.path.standing != ZS_PLACE_TEMPORARY))
			return false;
	}
	return command->argc > 1;
}

/* psql app < seed.sql: the statements of a named file of the workspace, as with -f. */
static bool is_named_input(struct zs_guard *guard, const struct zs_finding *finding)
{
	static const char clients[] =
		"psql mysql mariadb redis-cli valkey-cli mongosh mongo clickhouse-client duckdb cqlsh sqlcmd usql";
	const struct zs_ir *ir = guard->ir;
	bool named = false;
	uint32_t from;

	if (finding->code != ZS_RISK_OPAQUE_INTERPRETER || finding->command < 0 ||
		!zs_listed(ir->commands[finding->command].key, clients))
		return false;
	if (zs_pipe_before(ir, (uint32_t)finding->command, &from))
		return from + 1 == (uint32_t)finding->command && prints_named(guard, from);
	for (uint32_t i = 0; i < ir->operator_count; i++)
		if (*ir->operators[i].text == '|')
			return false;
	for (uint32_t i = 0; i < ir->redirect_count; i++) {
		struct zs_worst worst;

		if (*ir->redirects[i].op != '<')
			continue;
		if (strcmp(ir->redirects[i].op, "<") != 0 || !ir->redirects[i].target.text)
			return false;
		worst = zs_guard_worst(guard, &ir->redirects[i].target, &guard->seen);
		if (worst.path.standing != ZS_PLACE_INSIDE && worst.path.standing != ZS_PLACE_TEMPORARY)
			return false;
		named = true;
	}
	return named;
}

struct zs_findings zs_guard_findings(
	struct zs_arena *arena, const struct zs_ir *ir, const struct zs_vet_options *options)
{
	struct zs_guard guard = { .ir = ir, .places = zs_places_of(arena, options) };

	guard.folders = zs_folders_of(&guard.places, ir, &guard.seen);
	mark_containers(&guard);
	for (uint32_t i = 0; i < ir->finding_count; i++) {
		const struct zs_finding *finding = &ir->findings[i];

		zs_arena_spend(arena, ir->redirect_count);
		if (finding->code == ZS_RISK_CD && !finding->informational)
			judge_cd(&guard, finding);
		else if (is_named_input(&guard, finding))
			continue;
		else if (finding->code != ZS_RISK_REDIRECT || finding->informational || !has_redirect(ir, finding))
			ZS_PUSH(arena, &guard.findings, *finding);
	}
	for (uint32_t i = 0; i < ir->redirect_count; i++)
		if (ir->redirects[i].writes)
			judge_redirect(&guard, &ir->redirects[i]);
	zs_guard_writes(&guard);
	for (uint32_t i = 0; i < ir->command_count; i++) {
		if (!ir->commands[i].key)
			continue;
		if (!judge_rules(&guard, i))
			judge_device(&guard, i);
		judge_grammars(&guard, i);
		judge_editor(&guard, i);
		judge_taken(&guard, i);
		judge_kill(&guard, i);
		judge_recursion(&guard, i);
		zs_guard_sends(&guard, i);
		zs_guard_fetched(&guard, i);
		zs_guard_exec_flags(&guard, i);
		zs_guard_image(&guard, i);
	}
	for (uint32_t i = 0; i < ir->payload_count; i++)
		zs_guard_payload(&guard, &ir->payloads[i]);
	return guard.findings;
}
