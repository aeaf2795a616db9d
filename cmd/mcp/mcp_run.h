/* A run: an allowed command, confined, and its output. */
#ifndef ZS_CMD_MCP_RUN_H
#define ZS_CMD_MCP_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/input.h"
#include "mcp/mcp_capture.h"
#include "run/confine.h"
#include "zs_shellpolicy.h"

enum {
	/* Between SIGTERM, by which the command may clean up, and SIGKILL to the supervisor, which ends all at once.
	 * Less than half of a second: so long after its time all of a run is dead. */
	ZS_MCP_GRACE_MS = 200,
	/* Between SIGKILL and not waiting any more: a process may be in the kernel's uninterruptible sleep. */
	ZS_MCP_LAST_MS = 5000,
	ZS_MCP_PROGRESS_MS = 250,         /* at most one message of progress in so long a time */
	ZS_MCP_PROGRESS_SILENT_MS = 3000, /* and one though nothing was printed, so that the client waits on */
	ZS_MCP_PROGRESS_BYTES = 4096,     /* the last bytes that were printed in between */
	ZS_MCP_DENIALS_MAX = 32,          /* different ones of a run; of more the first are told */
	ZS_MCP_REPORT_LINE_MAX = 4096,    /* the proxy writes no longer one (ZS_PROXY_LINE_MAX) */
};

struct zs_mcp_run {
	pid_t pid;              /* 0: the slot is free */
	char *id, *token;       /* as JSON; token: of progress; NULL: none */
	bool modern;            /* how it is to be answered */
	int output;             /* to read from; -1 when there is nothing more */
	struct zs_lines report; /* of its proxy; with fd -1 when there is nothing more */
	char report_bytes[ZS_MCP_REPORT_LINE_MAX];
	int64_t started, limit, deadline; /* ms of zs_now_ms(); limit: how long it may take */
	enum { ZS_MCP_RUNNING, ZS_MCP_ASKED, ZS_MCP_KILLED, ZS_MCP_GIVEN_UP } phase;
	bool timed_out;
	bool silent; /* nobody waits for its answer any more */
	struct zs_mcp_capture capture;
	struct zs_mcp_capture fresh;       /* printed since the last progress */
	char *denials[ZS_MCP_DENIALS_MAX]; /* requests that its proxy has refused: each a JSON object */
	size_t denial_count;
	int64_t told; /* when that was */
};

/* The parts that every call shares. */
struct zs_mcp_tool {
	const struct zs_confine_fields *confine;
	enum zs_profile profile;
	enum zs_network network;
	size_t output_max;
	uint32_t wall; /* seconds */
};

/* Into a free slot, whose limit the caller has set. A negative errno; then zs_mcp_run_free() it. */
int zs_mcp_run_start(const struct zs_mcp_tool *tool, struct zs_mcp_run *run, const char *command);

/* Asks it to end; it is killed if it does not. */
void zs_mcp_run_end(struct zs_mcp_run *run, int64_t now);

/* Reads what there is, if poll(2) has said so, and looks at the clock. True: it is over, with *ret_status of wait(2);
 * -1 where that cannot be known. */
bool zs_mcp_run_look(struct zs_mcp_run *run, int64_t now, bool output, bool report, int *ret_status);

/* When there is progress to tell; INT64_MAX: never. */
int64_t zs_mcp_run_progress_at(const struct zs_mcp_run *run);

/* Frees the slot. */
void zs_mcp_run_free(struct zs_mcp_run *run);

#endif
