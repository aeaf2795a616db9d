/* zs: two walls around the shell commands of AI agents. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/command.h"
#include "base/json.h"
#include "base/message.h"
#include "exec_command.h"
#include "image.h"
#include "named_session.h"
#include "zs_shim.h"

#define ROW(name) &zs_##name##_subcommand,
static const struct zs_subcommand *const subcommands[] = { ZS_SUBCOMMANDS(ROW) };
#undef ROW

enum {
	SUBCOMMANDS = sizeof subcommands / sizeof *subcommands,
	LINE_BYTES = 4096 /* a pipe takes this many bytes in one piece (man 7 pipe, PIPE_BUF) */
};

static void print_usage(FILE *out)
{
	fputs("Usage: zs COMMAND [OPTIONS]\n"
	      "\n"
	      "Vets the shell commands of AI agents, and confines those that run.\n"
	      "\n"
	      "Commands:\n",
		out);
	for (size_t i = 0; i < SUBCOMMANDS; i++)
		fprintf(out, "  %-9s  %s\n", subcommands[i]->name, subcommands[i]->description);
	fputs("  help       Explain a command: zs help COMMAND; all, as JSON: zs help --json\n"
	      "\n"
	      "Options:\n"
	      "  --help, --version\n"
	      "\n"
	      "Exit codes; any other is that of the command that ran:\n",
		out);
#define ROW(code, text) fprintf(out, "  %-8d  %s\n", code, text);
	ZS_EXITS(ROW)
#undef ROW
}

static const struct zs_subcommand *main_find(const char *name)
{
	for (size_t i = 0; i < SUBCOMMANDS; i++)
		if (strcmp(subcommands[i]->name, name) == 0)
			return subcommands[i];
	return NULL;
}

static int no_such_command(const char *name)
{
	const char *names[SUBCOMMANDS + 1] = { "help" }, *nearest;

	for (size_t i = 0; i < SUBCOMMANDS; i++)
		names[i + 1] = subcommands[i]->name;
	nearest = zs_nearest(name, names, SUBCOMMANDS + 1);
	if (nearest)
		zs_complain("%s: no such command; did you mean 'zs %s'?", name, nearest);
	else
		zs_complain("%s: no such command; see 'zs --help'", name);
	return ZS_EXIT_USAGE;
}

/* zs help --json: cmd/package/ makes man pages and completions from it. */

/* Joins the lines of an exit code's text, as the help has them, into one line. */
static void put_exit(struct zs_json *json, int code, const char *text)
{
	char line[256];
	size_t len = 0;

	for (; *text && len + 1 < sizeof line; text++)
		if (*text != '\n' && !(*text == ' ' && len && line[len - 1] == ' '))
			line[len++] = *text;
		else if (len && line[len - 1] != ' ')
			line[len++] = ' ';
	line[len] = '\0';
	zs_json_print(json, "{'code':%d,'text':%s}", code, line);
}

static void put_option(struct zs_json *json, const struct zs_option *option)
{
	const char letter[] = { option->letter, '\0' };

	zs_json_print(json, "{'letter':%s,'name':%s,'takes_value':%i,'repeats':%i,'value':%s,'choices':[",
		option->letter ? letter : NULL, option->name,
		option->kind == ZS_OPTION_TEXT || option->kind == ZS_OPTION_LIST, option->kind == ZS_OPTION_LIST,
		option->value);
	for (const char *const *choice = option->choices; choice && *choice; choice++)
		zs_json_text(json, *choice);
	zs_json_print(json, "],'text':%s}", option->text);
}

static void put_subcommand(struct zs_json *json, const struct zs_subcommand *subcommand)
{
	zs_json_print(json, "{'name':%s,'description':%s,'usage':%s,'words':", subcommand->name,
		subcommand->description, subcommand->usage);
	zs_json_split(json, subcommand->words);
	zs_json_print(json, "'runs_command':%i,'groups':[", subcommand->operands_end_options);
	for (const struct zs_option_group *group = subcommand->groups; group->title; group++) {
		zs_json_print(json, "{'title':%s,'options':[", group->title);
		for (const struct zs_option *o = group->options; o->kind != ZS_OPTION_END; o++)
			put_option(json, o);
		zs_json_print(json, "]}");
	}
	zs_json_print(json, "],'notes':%s}", subcommand->notes);
}

static void help_json(void)
{
	struct zs_json json = { stdout, false };

	zs_json_print(&json, "{'version':%s,'exits':[", ZS_VERSION);
#define ROW(code, text) put_exit(&json, code, text);
	ZS_EXITS(ROW)
#undef ROW
	zs_json_print(&json, "],'commands':[");
	for (size_t i = 0; i < SUBCOMMANDS; i++)
		put_subcommand(&json, subcommands[i]);
	zs_json_print(&json, "]}\n");
}

static int help(const char *name)
{
	const struct zs_subcommand *subcommand = name ? main_find(name) : NULL;

	if (name && strcmp(name, "--json") == 0) {
		help_json();
		return ZS_EXIT_OK;
	}
	if (name && !subcommand)
		return no_such_command(name);
	if (subcommand)
		zs_options_help(subcommand, stdout);
	else
		print_usage(stdout);
	return ZS_EXIT_OK;
}

static int main_run(const struct zs_subcommand *subcommand, int argc, char **argv)
{
	void *fields = calloc(1, subcommand->fields_size);
	struct zs_operands operands;
	int exit_code;

	if (!fields)
		return zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, subcommand->name, "", ENOMEM);
	if (zs_options_parse(subcommand, argc, argv, fields, &operands, &exit_code))
		exit_code = subcommand->main(fields, &operands);
	zs_options_free(subcommand, fields);
	free(fields);
	return exit_code;
}

static int dispatch(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : NULL;
	const struct zs_subcommand *subcommand;

	if (!name) {
		print_usage(stderr);
		return ZS_EXIT_USAGE;
	}
	if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
		return help(argv[2]);
	if (strcmp(name, "--version") == 0) {
		puts("zs " ZS_VERSION);
		return ZS_EXIT_OK;
	}
	subcommand = main_find(name);
	if (subcommand && subcommand->guard)
		subcommand->guard(argc - 1, argv + 1);
	return subcommand ? main_run(subcommand, argc - 1, argv + 1) : no_such_command(name);
}

int main(int argc, char **argv)
{
	static char line[LINE_BYTES];
	int exit_code;

	zs_exec_shim(argc, argv);
	if (argc == 4 && strcmp(argv[1], ZS_UNPACK) == 0)
		return zs_image_unpack(argv + 2);
	/* Buffers whole lines, so that the lines of several processes do not mix. */
	setvbuf(stderr, line, _IOLBF, sizeof line);
	exit_code = dispatch(argc, argv);
	if (fflush(stdout) != 0 || ferror(stdout))
		return zs_fail_errno(ZS_EXIT_NO_OUTPUT, "output", "standard output", errno);
	return exit_code;
}
