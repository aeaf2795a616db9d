/* The effects of each command on files. The judges note writes and findings; this file only sums them up, so that the
 * prediction and the verdict cannot differ. */
#include "effects.h"

#include "judge/judge.h"
#include "judge/unknown.h"

#include <string.h>

/* The places of the command that is summed up. */
struct summary {
	struct zs_arena *arena;
	ZS_LIST(struct zs_effect_place) places;
	enum zs_prediction prediction;
	bool moves;
};

/* Takes over what says less. */
static void lower(struct summary *summary, enum zs_prediction prediction)
{
	if (prediction < summary->prediction)
		summary->prediction = prediction;
}

/* Has the command said already that any file of the workspace may change? */
static bool is_anywhere(const struct zs_effect_place *place)
{
	return !place->path.text && place->pattern && !zs_is_repository(place);
}

/* Notes files that no word names: of the workspace, or of the repository. */
static void add_anything(struct summary *summary, struct zs_span span, bool dot_git)
{
	const struct zs_effect_place place = {
		.path = { .dynamic = dot_git ? ZS_PLACE_REPOSITORY : "workspace", .span = span },
		.pattern = "**",
		.effect = ZS_EFFECT_OVERWRITE,
	};

	for (uint32_t i = 0; i < summary->places.count; i++)
		if (is_anywhere(&summary->places.items[i]))
			return;
	ZS_PUSH(summary->arena, &summary->places, place);
	lower(summary, ZS_PREDICTS_WITHIN);
}

/* The part of a name that the names beside it begin with: "x" of x.txt and x.tar.gz, ".x" of .x.y. */
static size_t stem_of(const char *name)
{
	return (size_t)(*name == '.') + strcspn(name + (*name == '.'), ".");
}

/* Notes a file; with `beside`, all files of its folder whose names begin like its own. */
static void add_file(struct summary *summary, const struct zs_word *path, enum zs_effect effect, bool beside)
{
	struct zs_effect_place place = { .path = *path, .effect = effect };

	if (!path->text) {
		place.pattern = "**";
	} else if (beside) {
		const char *slash = strrchr(path->text, '/'), *name = slash ? slash + 1 : path->text;
		size_t folder = slash ? (size_t)(slash - path->text) : 0;

		ZS_PUSH(summary->arena, &summary->places, place); /* a link leads to a file that has another name */
		place.path.text = folder ? zs_arena_string(summary->arena, path->text, folder) : slash ? "/" : ".";
		place.pattern = zs_arena_format(summary->arena, "%.*s*", (int)stem_of(name), name);
	}
	ZS_PUSH(summary->arena, &summary->places, place);
	lower(summary, place.pattern ? ZS_PREDICTS_WITHIN : ZS_PREDICTS_WRITES);
}

/* Has a write of the same command and word been noted? */
static bool is_named(const struct zs_build *build, const struct zs_finding *finding)
{
	for (uint32_t i = 0; i < build->writes.count; i++) {
		const struct zs_write *write = &build->writes.items[i];

		if ((int32_t)write->command == finding->command && write->path.span.start == finding->span.start &&
			write->path.span.end == finding->span.end)
			return true;
	}
	return false;
}

/* Does a finding with this code say that files change? */
static bool is_change(enum zs_risk code)
{
	return code == ZS_RISK_WRITE || code == ZS_RISK_METADATA || code == ZS_RISK_REPO_STATE;
}

/* Findings that say nothing about the files that the command changes. The others stand for code that zs cannot read, a
 * program that it does not know, or a change of the system. */
static const uint32_t about_no_file = 1u << ZS_RISK_CD | 1u << ZS_RISK_REDIRECT | 1u << ZS_RISK_PRIVILEGE |
				      1u << ZS_RISK_NETWORK | 1u << ZS_RISK_BACKGROUND | 1u << ZS_RISK_SUBSHELL |
				      1u << ZS_RISK_OPERATOR | 1u << ZS_RISK_EXPANSION;

/* Takes what a finding says of its command. An unknown command counts even where it is only noted. */
static void take_finding(
	struct summary *summary, const struct zs_build *build, const struct zs_finding *finding, bool dot_git)
{
	summary->moves |= finding->code == ZS_RISK_CD;
	if (is_change(finding->code)) {
		if (!is_named(build, finding))
			add_anything(summary, finding->span, dot_git && finding->code == ZS_RISK_REPO_STATE);
	} else if (finding->code == ZS_RISK_UNKNOWN_COMMAND ||
		   (!finding->informational && !(about_no_file & 1u << finding->code))) {
		lower(summary, ZS_PREDICTS_UNKNOWN);
	}
}

static bool runs_own_program(const struct zs_command *command)
{
	const char *name = command->argc ? command->argv[0].text : NULL;

	return !command->row && name && zs_is_workspace_program(name);
}

/* Does it change nothing but the repository that git finds from its folder? */
static bool stays_in_repository(const struct zs_command *command)
{
	for (uint32_t i = 0; i < command->flag_count; i++)
		if (strcmp(command->flags[i], "--git-dir") == 0 || strcmp(command->flags[i], "--work-tree") == 0)
			return false;
	return command->effects.dot_git;
}

static void sum_up(struct zs_build *build, uint32_t index)
{
	struct zs_command *command = &build->commands.items[index];
	const struct zs_row *row = command->row ? zs_row_named(command->row) : NULL;
	bool runs = command->effects.prediction == ZS_PREDICTS_RUNS || runs_own_program(command);
	bool dot_git = stays_in_repository(command);
	struct summary summary = { .arena = build->arena, .prediction = ZS_PREDICTS_READS };

	for (uint32_t i = 0; i < build->writes.count; i++)
		if (build->writes.items[i].command == index)
			add_file(&summary, &build->writes.items[i].path, build->writes.items[i].effect,
				build->writes.items[i].beside);
	for (uint32_t i = 0; i < build->redirects.count; i++) {
		const struct zs_redirect *redirect = &build->redirects.items[i];

		if (redirect->command == (int32_t)index && redirect->writes)
			add_file(&summary, &redirect->target,
				strstr(redirect->op, ">>") ? ZS_EFFECT_APPEND : ZS_EFFECT_OVERWRITE, false);
	}
	for (uint32_t i = 0; i < build->findings.count; i++) {
		const struct zs_finding *finding = &build->findings.items[i];

		if (finding->command == (int32_t)index &&
			!(runs_own_program(command) && finding->code == ZS_RISK_UNKNOWN_COMMAND))
			take_finding(&summary, build, finding, dot_git);
	}
	if (runs)
		lower(&summary, ZS_PREDICTS_RUNS);
	if (summary.prediction == ZS_PREDICTS_UNKNOWN) /* a few of its places would look like all of them */
		summary.places.count = 0;
	command->effects = (struct zs_effects){
		.prediction = summary.prediction,
		.places = summary.places.items,
		.place_count = summary.places.count,
		.caches = row && zs_is_tool(row),
		.dot_git = dot_git,
		.moves = summary.moves,
	};
}

bool zs_is_repository(const struct zs_effect_place *place)
{
	return !place->path.text && place->path.dynamic && strcmp(place->path.dynamic, ZS_PLACE_REPOSITORY) == 0;
}

void zs_effects_fill(struct zs_build *build)
{
	for (uint32_t i = 0; i < build->commands.count; i++)
		sum_up(build, i);
}
