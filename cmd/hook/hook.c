#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/command.h"
#include "run/confine.h"
#include "hook/hook_confine.h"
#include "hook/hook_event.h"
#include "hook/hook_guard.h"
#include "hook/hook_place.h"
#include "hook/hook_shell.h"
#include "base/input.h"
#include "base/json.h"
#include "base/memory_stream.h"
#include "base/message.h"
#include "base/own_rules.h"
#include "self.h"

struct fields {
	const char *profile, *shell;
	bool confine;
	struct zs_confine_fields run;
};

static const struct zs_option options[] = {
	ZS_CHOICE(
		'p', "profile", zs_profile_choices, offsetof(struct fields, profile), "what to block (default: guard)"),
	ZS_CHOICE(0, "shell", zs_shell_choices, offsetof(struct fields, shell),
		"the shell that will run a command whose event names\n"
		"none (default: $SHELL)"),
	ZS_FLAG(0, "confine", offsetof(struct fields, confine),
		"run each allowed command in zs run, with the\n"
		"options below; if the agent lets no hook change a\n"
		"command, deny every command"),
	ZS_NOT_TO_MODEL_OPTION(offsetof(struct fields, run.not_to_model)),
	{ 0 },
};

static const struct zs_option_group groups[] = {
	{ "Options", options, 0 },
	{ "With --confine, what the command may reach", zs_confine_options, offsetof(struct fields, run) },
	{ "With --confine", zs_trial_options, offsetof(struct fields, run) },
	{ 0 },
};

/* Longer reasons are cut. */
enum { REASON_BYTES = 16 * 1024 };

/* One event being answered. */
struct hook {
	const struct fields *fields;
	const struct zs_agent *agent;
	struct zs_hook_event event;
	struct zs_hook_place place;
	struct zs_hook_prefix prefix;
	const struct zs_hook_words *words;
	struct zs_own_rules rules;
	bool asks;                 /* a person must agree to a command */
	char reason[REASON_BYTES]; /* the reason of a denial or a question */
};

/* Returns exit code 0 if the guard has the whole answer. */
static int send(const struct zs_hook_answer *answer)
{
	return zs_hook_deliver(answer) ? ZS_EXIT_OK : ZS_EXIT_NO_OUTPUT;
}

static int send_denial(const struct zs_hook_words *words, const char *reason)
{
	struct zs_hook_answer answer = { .exit = words->deny_exit };
	ZS_AUTO_FREE char *text = NULL;
	size_t len = 0;
	FILE *out = zs_memory_stream(&text, &len);

	if (out)
		zs_hook_put_denial(out, words, reason);
	if (!zs_memory_close(out, &text))
		return ZS_EXIT_CANNOT_ENFORCE;
	*(words->deny ? &answer.output : &answer.error) = text;
	*(words->deny ? &answer.output_len : &answer.error_len) = len;
	return send(&answer);
}

/* Sets the reason of a denial. Its value is false, which ends the judgement. */
#define DENY(hook, ...) (snprintf((hook)->reason, sizeof(hook)->reason, __VA_ARGS__), false)

static enum zs_profile profile_of(const struct fields *fields)
{
	return fields->profile ? zs_profile_choice(fields->profile) : ZS_PROFILE_GUARD;
}

/* The shell that will run the command. zs run starts bash. A list of words is a text of ours, which no shell runs. */
static enum zs_shell shell_of(const struct hook *hook, const struct zs_event_command *command)
{
	if (hook->fields->confine || command->words)
		return ZS_SHELL_BASH;
	if (hook->event.shell)
		return zs_hook_shell(hook->event.shell);
	return hook->fields->shell ? zs_shell_choice(hook->fields->shell) : zs_hook_shell(getenv("SHELL"));
}

/* The first question's reason stays. Where the hook cannot ask, it denies. */
static bool ask_first(struct hook *hook, const char *reason, const char *hint)
{
	if (!hook->words->ask)
		return DENY(hook, "zs: blocked (asked): %s; the hooks of %s cannot ask. %s", reason, hook->agent->title,
			hint);
	if (!hook->asks)
		snprintf(hook->reason, sizeof hook->reason, "zs: %s", reason);
	hook->asks = true;
	return true;
}

static bool hook_vet(struct hook *hook, struct zs_vetter *vetter, size_t i, const char *text)
{
	const struct zs_vet_options vet_options = {
		.profile = profile_of(hook->fields),
		.shell = shell_of(hook, &hook->event.commands[i]),
		.workspace = hook->place.workspace,
		.folder = hook->place.folder,
		.home = getenv("HOME"),
		.rules = hook->rules.items,
		.rule_count = hook->rules.count,
	};
	const struct zs_report *report = zs_vet(vetter, text, strlen(text), &vet_options);
	char which[64] = "";

	if (report->verdict == ZS_ALLOW)
		return true;
	if (report->verdict == ZS_ASK)
		return ask_first(hook, report->reason, report->hint);
	if (hook->event.command_count > 1)
		snprintf(which, sizeof which, ", command %zu of %zu", i + 1, hook->event.command_count);
	return DENY(hook, "zs: blocked (%s)%s: %s%s%s", zs_risk_name(report->code), which, report->reason,
		*report->hint ? ". " : "", report->hint);
}

static bool judge_place(struct hook *hook)
{
	const struct fields *fields = hook->fields;

	if (!zs_hook_find_place(hook->agent, &hook->event, fields->run.workspace, &hook->place))
		return DENY(hook, "zs: blocked (cd): %s", hook->place.why);
	if (hook->place.outside && (fields->confine || profile_of(fields) != ZS_PROFILE_RELAXED))
		return DENY(hook, "zs: blocked (cd): %s. Stay in the workspace, and name files by their path",
			hook->place.why);
	if (fields->confine && !fields->run.workspace && !hook->place.certain)
		return DENY(hook, "zs: the workspace is not known: %s; write zs hook %s --confine --workspace DIR",
			hook->place.why, hook->agent->id);
	return true;
}

static bool add_word(const char *name, const char *value, void *arg)
{
	struct zs_hook_prefix *prefix = arg;
	size_t room = strlen(name) + (value ? strlen(value) : 0) + sizeof "--=";
	char *word = malloc(room); /* freed with the process, like the prefix */

	if (!word)
		return false;
	snprintf(word, room, "--%s%s%s", name, value ? "=" : "", value ? value : "");
	return zs_hook_prefix_add(prefix, word);
}

/* Returns this program's path, in a form that is still valid when the command runs. */
static char *own_path(void)
{
	char self[4096];

	return zs_self_path(self, sizeof self) < 0 ? NULL : realpath(self, NULL);
}

static bool make_prefix(struct hook *hook, const char *self)
{
	const struct zs_confine_fields *run = &hook->fields->run;
	struct zs_hook_prefix *prefix = &hook->prefix;
	bool verify = profile_of(hook->fields) == ZS_PROFILE_VERIFY && !run->verify;
	bool secrets = profile_of(hook->fields) != ZS_PROFILE_RELAXED && !run->secrets && !run->policy;
	bool workspace = !run->workspace && !run->policy;

	return zs_hook_prefix_add(prefix, self) && zs_hook_prefix_add(prefix, "run") &&
	       (run->not_to_model || add_word("denials-to-model", NULL, prefix)) &&
	       zs_options_given(zs_confine_options, run, add_word, prefix) &&
	       zs_options_given(zs_trial_options, run, add_word, prefix) &&
	       (!verify || add_word("verify", NULL, prefix)) && (!secrets || add_word("secrets", "hide", prefix)) &&
	       (!workspace || add_word("workspace", hook->place.workspace, prefix)) && zs_hook_prefix_done(prefix);
}

static int send_confined(struct hook *hook)
{
	const char *dollar = strchr(hook->words->rewrite, '$');
	ZS_AUTO_FREE char *text = NULL;
	size_t len = 0;
	FILE *out = zs_memory_stream(&text, &len);
	bool ok = out;

	if (ok) {
		fwrite(hook->words->rewrite, 1, (size_t)(dollar - hook->words->rewrite), out);
		ok = zs_hook_put_confined(out, &hook->event, &hook->prefix);
		fputs(dollar + 1, out);
	}
	if (!zs_memory_close(out, &text) || !ok)
		return ZS_EXIT_CANNOT_ENFORCE;
	return send(&(struct zs_hook_answer){ .allow = true, .output = text, .output_len = len });
}

static bool load_rules(struct hook *hook)
{
	struct zs_vet_options unused;
	struct zs_error error;
	char line[1024];

	if (zs_own_rules_load(hook->place.workspace, hook->fields->run.no_settings, &hook->rules, &unused, &error) == 0)
		return true;
	zs_error_format(&error, line, sizeof line);
	return DENY(hook, "%s", line);
}

/* Vets each command. For a command that is wrapped already, it vets the command inside. */
static bool judge_commands(struct hook *hook)
{
	struct zs_vetter *vetter = zs_vetter_new(); /* a NULL vetter blocks everything */
	bool ok = true;

	for (size_t i = 0; ok && i < hook->event.command_count; i++) {
		struct zs_event_command *command = &hook->event.commands[i];
		ZS_AUTO_FREE char *inner = hook->prefix.text ? zs_hook_unwrap(&hook->prefix, command) : NULL;

		command->wrapped = inner;
		ok = hook_vet(hook, vetter, i, inner ? inner : command->text);
	}
	zs_vetter_free(vetter);
	return ok;
}

static bool hook_judge(struct hook *hook)
{
	const bool confine = hook->fields->confine;

	if (!judge_place(hook))
		return false;
	if (confine && hook->words->rewrite) {
		char *self = own_path();

		if (!self)
			return DENY(hook, "zs: the program zs was not found: %s; install it again", strerror(errno));
		if (!make_prefix(hook, self))
			return DENY(hook, "zs: out of memory");
	}
	if (!load_rules(hook) || !judge_commands(hook))
		return false;
	return !confine || hook->words->rewrite ||
	       DENY(hook,
		       "zs: %s does not let a hook change a command, so zs cannot confine it; write the hook as "
		       "zs hook %s without --confine",
		       hook->agent->title, hook->agent->id);
}

/* Lets the agent ask its user about the command, as it will run. */
static int send_question(struct hook *hook, bool confined)
{
	ZS_AUTO_FREE char *text = NULL;
	size_t len = 0;
	FILE *out = zs_memory_stream(&text, &len);
	bool ok = out;

	for (const char *at = hook->words->ask; ok && *at; at++) {
		if (*at == '$')
			zs_json_text(&(struct zs_json){ out, false }, hook->reason);
		else if (*at != '&')
			fputc(*at, out);
		else if (confined) {
			fputs(",\"updatedInput\":", out);
			ok = zs_hook_put_confined(out, &hook->event, &hook->prefix);
		}
	}
	if (!zs_memory_close(out, &text) || !ok)
		return ZS_EXIT_CANNOT_ENFORCE;
	return send(&(struct zs_hook_answer){ .allow = true, .output = text, .output_len = len });
}

/* Is there a command that is not confined yet? */
static bool has_unwrapped(const struct zs_hook_event *event)
{
	for (size_t i = 0; i < event->command_count; i++)
		if (!event->commands[i].wrapped)
			return true;
	return false;
}

static int hook_answer(struct hook *hook, const char *text, size_t len)
{
	bool ok = zs_hook_read_event(hook->agent, text, len, &hook->event);

	hook->words = hook->event.shape ? hook->event.shape->words : zs_hook_default_words(hook->agent);
	if (!ok)
		ok = DENY(hook, "zs: not allowed: %s", hook->event.why);
	else if (hook->event.runs)
		ok = hook_judge(hook);
	if (!ok)
		return send_denial(hook->words, hook->reason);
	if (hook->asks)
		return send_question(hook, hook->fields->confine && has_unwrapped(&hook->event));
	if (hook->fields->confine && has_unwrapped(&hook->event))
		return send_confined(hook);
	return send(&(struct zs_hook_answer){
		.allow = true, .output = hook->words->allow, .output_len = strlen(hook->words->allow) });
}

/* Without --confine, refuses the options of zs run. --workspace is allowed, since it also bounds where a call may
 * run. */
static bool refuse_option(const char *name, const char *value, void *arg)
{
	(void)value, (void)arg;
	if (strcmp(name, "workspace") == 0)
		return true;
	return zs_fail(false, "hook: --%s: needs --confine; add --confine", name);
}

static bool hook_check(
	const struct fields *fields, const struct zs_operands *operands, const struct zs_agent **ret_agent)
{
	const char *id = operands->items[0], *nearest;

	if (operands->count != 1)
		return zs_fail(false, "hook: write the agent's name, and no other operand; see 'zs hook --help'");
	*ret_agent = zs_agent_find(id);
	nearest = *ret_agent ? NULL : zs_agent_nearest(id);
	if (!*ret_agent)
		return zs_fail(false, "hook: %s: no such agent; %s%s%s", id,
			nearest ? "did you mean '" : "see 'zs hook --help'", nearest ? nearest : "",
			nearest ? "'?" : "");
	if (fields->run.print_policy)
		return zs_fail(false, "hook: --print-policy: runs nothing; write zs run --print-policy");
	if (fields->run.not_to_model && !fields->confine)
		return refuse_option("no-denials-to-model", NULL, NULL);
	return fields->confine || (zs_options_given(zs_confine_options, &fields->run, refuse_option, NULL) &&
					  zs_options_given(zs_trial_options, &fields->run, refuse_option, NULL));
}

static int hook_main(const void *storage, const struct zs_operands *operands)
{
	struct hook hook = { .fields = storage };
	ZS_AUTO_FREE char *text = NULL;
	size_t len;
	int r;

	if (!hook_check(hook.fields, operands, &hook.agent))
		return ZS_EXIT_USAGE;
	r = zs_read_input("-", ZS_HOOK_EVENT_MAX, &text, &len);
	if (r < 0)
		return zs_fail_errno(ZS_EXIT_BAD_INPUT, "hook", "standard input", r);
	r = hook_answer(&hook, text, len);
	zs_own_rules_free(&hook.rules);
	zs_hook_event_free(&hook.event);
	zs_hook_place_free(&hook.place);
	zs_hook_prefix_free(&hook.prefix);
	return r;
}

const struct zs_subcommand zs_hook_subcommand = {
	.name = "hook",
	.description = "Answer an agent that asks before it runs a command",
	.usage = "AGENT [OPTIONS]",
	.words = ZS_AGENT_WORDS,
	.groups = groups,
	.notes = "AGENT is one of claude, codex, gemini, qwen, copilot, opencode, cline, cursor,\n"
		 "windsurf, antigravity, kimi, grok and kiro. zs reads the agent's event from\n"
		 "standard input and answers in the agent's format; no output means that the\n"
		 "command may run. After any error the answer is a denial.",
	.fields_size = sizeof(struct fields),
	.main = hook_main,
	.guard = zs_hook_guard,
};
