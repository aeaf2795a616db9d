/* Files that one command fetches from another host and a later one of the same text runs: nobody has read them. */
#include "rules/guard.h"

#include <string.h>

static const char *without_dot(const char *path)
{
	return path[0] == '.' && path[1] == '/' ? path + 2 : path;
}

static bool names_file(const struct zs_word *word, const char *file)
{
	const char *text;

	for (uint32_t i = 0; (text = zs_word_value(word, i)) != NULL; i++)
		if (strcmp(without_dot(text), file) == 0)
			return true;
	return false;
}

/* Does the command write the file, by a flag, an operand or a redirection? */
static bool writes_to(const struct zs_ir *ir, uint32_t index, const char *file)
{
	for (uint32_t i = 0; i < ir->write_count; i++)
		if (ir->writes[i].command == index && names_file(&ir->writes[i].path, file))
			return true;
	for (uint32_t i = 0; i < ir->redirect_count; i++)
		if (ir->redirects[i].writes && ir->redirects[i].command == (int32_t)index &&
			names_file(&ir->redirects[i].target, file))
			return true;
	return false;
}

/* curl -O https://x/F, wget https://x/F: the URL names the file. */
static bool is_named_by_url(const struct zs_command *command, const char *file)
{
	const char *text, *name;

	if (strcmp(command->key, "curl") == 0 && !zs_has_flag(command, "-O --remote-name --remote-name-all"))
		return false;
	for (uint32_t i = 1; i < command->argc; i++)
		for (uint32_t j = 0; (text = zs_word_value(&command->argv[i], j)) != NULL; j++) {
			size_t len = strcspn(text, "?#");

			if (!strstr(text, "://"))
				continue;
			for (name = text + len; name > text && name[-1] != '/';)
				name--;
			if ((size_t)(text + len - name) == strlen(file) && strncmp(name, file, strlen(file)) == 0)
				return true;
		}
	return false;
}

/* Does the command fetch the file, alone or through a pipe: curl https://x | tee F? */
static bool fetches(struct zs_guard *guard, uint32_t index, const char *file)
{
	const struct zs_ir *ir = guard->ir;
	const struct zs_command *command = &ir->commands[index];
	uint32_t from;

	if (!zs_listed(command->key, "curl wget wget2 http https xh aria2c") || zs_is_local(command))
		return false;
	if (writes_to(ir, index, file) || is_named_by_url(command, file))
		return true;
	for (uint32_t i = index + 1; i < ir->command_count; i++)
		if (writes_to(ir, i, file) && zs_pipe_before(ir, i, &from) && from <= index)
			return true;
	return false;
}

/* The word that names the program or the script that the command runs; NULL: its code is in a flag. */
static const struct zs_word *program_of(const struct zs_command *command)
{
	static const char shells[] = "sh bash dash zsh ksh ash fish source .";
	bool shell = zs_listed(command->key, shells);

	if (!shell && !zs_listed(command->key, "python python3 node ruby perl php"))
		return command->argv;
	for (uint32_t i = 1; i < command->argc; i++) {
		const char *text = zs_word_value(&command->argv[i], 0);

		if (!text || *text != '-')
			return &command->argv[i];
		if (zs_listed(text, shell ? "-c -lc -ec" : "-c -m -e -r"))
			return NULL;
	}
	return NULL;
}

void zs_guard_fetched(struct zs_guard *guard, uint32_t index)
{
	const struct zs_command *command = &guard->ir->commands[index];
	const struct zs_word *program = command->argc ? program_of(command) : NULL;
	const char *text;

	for (uint32_t i = 0; program && (text = zs_word_value(program, i)) != NULL; i++)
		for (uint32_t j = 0; j < index; j++) {
			zs_arena_spend(guard->places.arena, guard->ir->write_count + guard->ir->redirect_count);
			if (!guard->ir->commands[j].key || !fetches(guard, j, without_dot(text)))
				continue;
			zs_guard_find(guard, ZS_RISK_OPAQUE_INTERPRETER, (int32_t)index, text,
				"it runs what another host has just sent",
				"Fetch it in one command, read it, and run it in the next.", command->span);
			return;
		}
}
