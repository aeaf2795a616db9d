#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/command.h"
#include "run/confine_policy.h"
#include "run/limit_value.h"
#include "mcp/mcp_server.h"
#include "base/message.h"

struct fields {
	const char *profile, *wall, *max_output;
	struct zs_confine_fields confine;
};

static const struct zs_option options[] = {
	ZS_CHOICE('p', "profile", zs_profile_choices, offsetof(struct fields, profile), ZS_PROFILE_HELP),
	ZS_TEXT(0, "wall", "TIME", offsetof(struct fields, wall),
		"the longest that a command may ask to run\n"
		"(default: 10m; s m h)"),
	ZS_TEXT(0, "max-output", "BYTES", offsetof(struct fields, max_output),
		"how much of its output comes back, start and end\n"
		"(default: 32K; 256 to 1M)"),
	ZS_CHOICE(0, "agree", zs_agree_choices, offsetof(struct fields, confine.agree),
		"run each command as a dry run, and compare its\nchanges with what zs says of it; refuse throws "
		"away\nthose that differ, and the others are applied"),
	ZS_NOT_TO_MODEL_OPTION(offsetof(struct fields, confine.not_to_model)),
	{ 0 },
};

static const struct zs_option_group groups[] = {
	{ "Options", options, 0 },
	{ "Grants to the commands", zs_confine_options, offsetof(struct fields, confine) },
	{ 0 },
};

static bool read_limits(const struct fields *fields, struct zs_mcp_tool *tool)
{
	uint64_t wall = ZS_MCP_WALL_DEFAULT, output = ZS_MCP_OUTPUT_DEFAULT;

	if (fields->wall && !zs_parse_seconds(fields->wall, &wall))
		return zs_fail(false, "mcp: --wall: '%s' is not a time; write a number and s, m or h", fields->wall);
	if (fields->max_output && (!zs_parse_bytes(fields->max_output, &output) || output < ZS_MCP_OUTPUT_MIN ||
					  output > ZS_MCP_OUTPUT_MAX))
		return zs_fail(false, "mcp: --max-output: '%s' is not from %d to %d bytes; write a number, with K or M",
			fields->max_output, ZS_MCP_OUTPUT_MIN, ZS_MCP_OUTPUT_MAX);
	tool->wall = (uint32_t)wall;
	tool->output_max = (size_t)output;
	return true;
}

/* Reports a wrong option at the start, to the user and not to the model. Any other fault can be mended while the server
 * runs: each call makes the policy anew, and reports the fault. */
static int try_policy(const struct fields *fields, struct zs_mcp_tool *tool)
{
	struct zs_confinement made;
	int r = zs_make_policy(tool->confine, tool->profile == ZS_PROFILE_VERIFY, false, &made);

	if (r != ZS_EXIT_OK)
		return r == ZS_EXIT_USAGE ? r : ZS_EXIT_OK;
	zs_tell_untrusted(&made);
	zs_tell_left_out(&made);
	zs_tell_unmatched(&fields->confine);
	tool->network = zs_policy_network(made.policy);
	zs_confinement_free(&made);
	return ZS_EXIT_OK;
}

/* Fills closed standard descriptors, so that no run's pipe gets their numbers. */
static int check_standard(void)
{
	if (fcntl(STDOUT_FILENO, F_GETFD) < 0)
		return zs_fail_errno(ZS_EXIT_NO_OUTPUT, "mcp", "standard output", errno);
	while (fcntl(STDIN_FILENO, F_GETFD) < 0 || fcntl(STDERR_FILENO, F_GETFD) < 0) {
		if (open("/dev/null", O_RDWR) < 0)
			return zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "mcp", "/dev/null", errno);
	}
	return ZS_EXIT_OK;
}

static int mcp_serve(const struct zs_mcp_tool *tool)
{
	struct zs_mcp_server *server = calloc(1, sizeof *server);
	int r;

	if (!server)
		return zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "mcp", "", ENOMEM);
	server->tool = *tool;
	/* a NULL vetter blocks every command */
	server->vetter = zs_vetter_new();
	r = zs_mcp_serve(server);
	zs_vetter_free(server->vetter);
	free(server->out.bytes);
	free(server);
	return r;
}

static int mcp_main(const void *storage, const struct zs_operands *operands)
{
	const struct fields *fields = storage;
	struct zs_confine_fields confine = fields->confine;
	struct zs_mcp_tool tool = { .confine = &confine, .profile = zs_profile_choice(fields->profile) };
	int r;

	if (operands->count > 0)
		return zs_fail(ZS_EXIT_USAGE, "mcp: %s: takes no operand; see 'zs mcp --help'", operands->items[0]);
	if (!read_limits(fields, &tool))
		return ZS_EXIT_USAGE;
	confine.to_model = !confine.not_to_model;
	confine.hides_secrets = tool.profile != ZS_PROFILE_RELAXED;
	if (confine.print_policy)
		return zs_confine(&confine, tool.profile == ZS_PROFILE_VERIFY, false, operands->items);
	r = check_standard();
	if (r == ZS_EXIT_OK)
		r = try_policy(fields, &tool);
	return r == ZS_EXIT_OK ? mcp_serve(&tool) : r;
}

const struct zs_subcommand zs_mcp_subcommand = {
	.name = "mcp",
	.description = "Serve one tool, bash, by the Model Context Protocol",
	.usage = "[OPTIONS]",
	.groups = groups,
	.notes = "An agent starts it, and speaks with it by standard input and output. Each\n"
		 "command is vetted, and what is allowed runs as by zs bash, with these options.\n"
		 "It ends with its input, and every command with it.",
	.fields_size = sizeof(struct fields),
	.main = mcp_main,
};
