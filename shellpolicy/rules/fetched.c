/* Files that one command fetches from another host and a later one of the same text runs: nobody has read them. */
#include "rules/guard.h"

#include <string.h>

struct files {
	const char **items;
	uint32_t count, capacity;
};

static const char *without_dot(const char *path)
{
	return path[0] == '.' && path[1] == '/' ? path + 2 : path;
}

static void add_word(struct zs_guard *guard, struct files *files, const struct zs_word *word)
{
	const char *text;

	for (uint32_t i = 0; (text = zs_word_value(word, i)) != NULL; i++)
		ZS_PUSH(guard->places.arena, files, without_dot(text));
}

/* Adds what the command writes by a flag, an operand or a redirection. */
static void add_written(struct zs_guard *guard, struct files *files, uint32_t index)
{
	const struct zs_ir *ir = guard->ir;

	zs_arena_spend(guard->places.arena, ir->write_count + ir->redirect_count);
	for (uint32_t i = 0; i < ir->write_count; i++)
		if (ir->writes[i].command == index)
			add_word(guard, files, &ir->writes[i].path);
	for (uint32_t i = 0; i < ir->redirect_count; i++)
		if (ir->redirects[i].writes && ir->redirects[i].command == (int32_t)index)
			add_word(guard, files, &ir->redirects[i].target);
}

/* curl -O https://x/F, wget https://x/F: the URL names the file. */
static void add_named_by_url(struct zs_guard *guard, struct files *files, const struct zs_command *command)
{
	const char *text, *name;

	if (strcmp(command->key, "curl") == 0 && !zs_has_flag(command, "-O --remote-name --remote-name-all"))
		return;
	for (uint32_t i = 1; i < command->argc; i++)
		for (uint32_t j = 0; (text = zs_word_value(&command->argv[i], j)) != NULL; j++) {
			size_t len = strcspn(text, "?#");

			if (!strstr(text, "://"))
				continue;
			for (name = text + len; name > text && name[-1] != '/';)
				name--;
			ZS_PUSH(guard->places.arena, files,
				zs_arena_string(guard->places.arena, name, (size_t)(text + len - name)));
		}
}

/* The word that names the program or the script that the command runs; NULL: its code is in a flag. */
static const struct zs_word *program_of(const struct zs_command *command)
{
	static const char shells[] = "sh bash dash zsh ksh ash fish source .";
	bool shell = zs_listed(command->key, shells);

	if (!shell && !zs_listed(command->key, "python python3 node ruby perl php"))
		return command->argc ? command->argv : NULL;
	for (uint32_t i = 1; i < command->argc; i++) {
		const char *text = zs_word_value(&command->argv[i], 0);

		if (!text || *text != '-')
			return &command->argv[i];
		if (zs_listed(text, shell ? "-c -lc -ec" : "-c -m -e -r"))
			return NULL;
	}
	return NULL;
}

static bool is_program(const struct zs_command *command, const struct files *files)
{
	const struct zs_word *program = program_of(command);
	const char *text;

	for (uint32_t i = 0; program && (text = zs_word_value(program, i)) != NULL; i++)
		for (uint32_t j = 0; j < files->count; j++)
			if (strcmp(without_dot(text), files->items[j]) == 0)
				return true;
	return false;
}

void zs_guard_fetched(struct zs_guard *guard, uint32_t index)
{
	const struct zs_ir *ir = guard->ir;
	const struct zs_command *command = &ir->commands[index];
	struct files files = { 0 };
	uint32_t from;

	if (!zs_listed(command->key, "curl wget wget2 http https xh aria2c") || zs_is_local(command))
		return;
	add_written(guard, &files, index);
	add_named_by_url(guard, &files, command);
	for (uint32_t i = index + 1; i < ir->command_count; i++) {
		const struct zs_command *later = &ir->commands[i];

		zs_arena_spend(guard->places.arena, files.count + 1);
		if (zs_listed(later->key, "tee")) { /* curl https://x | tee F */
			zs_arena_spend(guard->places.arena, ir->operator_count + ir->payload_count);
			if (zs_pipe_before(ir, i, &from) && from <= index)
				add_written(guard, &files, i);
		}
		if (!later->key || !is_program(later, &files))
			continue;
		zs_guard_find(guard, ZS_RISK_OPAQUE_INTERPRETER, (int32_t)i, later->key,
			"it runs what another host has just sent",
			"Fetch it in one command, read it, and run it in the next.", later->span);
		return;
	}
}
