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
	/* From SIGTERM, after which the command may clean up, to SIGKILL for the supervisor, which ends everything at
	 * once. It is short, so that a run is dead within half a second after its time. */
	ZS_MCP_GRACE_MS = 200,
	/* From SIGKILL until zs stops waiting: a process may be in the kernel's uninterruptible sleep. */
	ZS_MCP_LAST_MS = 5000,
	ZS_MCP_PROGRESS_MS = 250,         /* the shortest time between two messages of progress */
	ZS_MCP_PROGRESS_SILENT_MS = 3000, /* then one is sent even without output: the client waits on */
	ZS_MCP_PROGRESS_BYTES = 4096,     /* how much of the new output such a message holds */
	ZS_MCP_DENIALS_MAX = 32,          /* different denials that are kept of a run: the first ones */
	ZS_MCP_REPORT_LINE_MAX = 4096,    /* the proxy writes no longer line (ZS_PROXY_LINE_MAX) */
};

struct zs_mcp_run {
	pid_t pid;              /* 0: the slot is free */
	char *id, *token;       /* as JSON; token: for progress; NULL: none */
	bool modern;            /* the era of its answer */
	int output;             /* to read from; -1 at its end */
	struct zs_lines report; /* of its proxy; fd is -1 at its end */
	char report_bytes[ZS_MCP_REPORT_LINE_MAX];
	int64_t started, limit, deadline; /* in ms of zs_now_ms(); limit: how long the run may take */
	enum { ZS_MCP_RUNNING, ZS_MCP_ASKED, ZS_MCP_KILLED, ZS_MCP_GIVEN_UP } phase;
	bool timed_out;
	bool silent; /* its answer is no longer wanted */
	struct zs_mcp_capture capture;
	struct zs_mcp_capture fresh;       /* the output since the last progress */
	char *denials[ZS_MCP_DENIALS_MAX]; /* connections that its proxy has refused, as JSON objects */
	size_t denial_count;
	int64_t told; /* the time of the last progress */
};

/* The parts that every call shares. */
struct zs_mcp_tool {
	const struct zs_confine_fields *confine;
	enum zs_profile profile;
	enum zs_network network;
	size_t output_max;
	uint32_t wall; /* seconds */
};

/* Starts a run in a free slot, whose limit the caller has set. Returns 0 or a negative errno; after an error call
 * zs_mcp_run_free(). */
int zs_mcp_run_start(const struct zs_mcp_tool *tool, struct zs_mcp_run *run, const char *command);

/* Ends the run with SIGTERM, and later with SIGKILL. */
void zs_mcp_run_end(struct zs_mcp_run *run, int64_t now);

/* Reads output and report if poll(2) has reported them, and checks the time. True: the run is over. *ret_status is that
 * of wait(2), or -1 if it is unknown. */
bool zs_mcp_run_look(struct zs_mcp_run *run, int64_t now, bool output, bool report, int *ret_status);

/* Returns the time of the next progress; INT64_MAX: never. */
int64_t zs_mcp_run_progress_at(const struct zs_mcp_run *run);

/* Frees the slot. */
void zs_mcp_run_free(struct zs_mcp_run *run);

#endif
