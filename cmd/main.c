/* zs: two walls around the shell commands of AI agents. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/command.h"
#include "base/exit.h"
#include "manual.h"
#include "base/message.h"
#include "zs_shim.h"

static const struct zs_subcommand *const subcommands[] = {
	&zs_bash_subcommand,
	&zs_vet_subcommand,
	&zs_run_subcommand,
	&zs_hook_subcommand,
	&zs_mcp_subcommand,
	&zs_approvals_subcommand,
	&zs_doctor_subcommand,
	&zs_trust_subcommand,
	&zs_policy_subcommand,
	&zs_install_subcommand,
	&zs_uninstall_subcommand,
	&zs_shim_subcommand,
};

enum {
	SUBCOMMANDS = sizeof subcommands / sizeof *subcommands,
	LINE_BYTES = 4096 /* what reaches a pipe in one piece (man 7 pipe, PIPE_BUF) */
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

static int help(const char *name)
{
	const struct zs_subcommand *subcommand = name ? main_find(name) : NULL;

	if (name && strcmp(name, "--json") == 0) {
		zs_manual_json(stdout, subcommands, SUBCOMMANDS);
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

	if (!fields) {
		zs_complain_errno(subcommand->name, "", ENOMEM);
		return ZS_EXIT_CANNOT_ENFORCE;
	}
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
	/* A line at a time, and not a byte, so that those of several commands do not mix. */
	setvbuf(stderr, line, _IOLBF, sizeof line);
	exit_code = dispatch(argc, argv);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		zs_complain_errno("output", "standard output", errno);
		return ZS_EXIT_NO_OUTPUT;
	}
	return exit_code;
}
