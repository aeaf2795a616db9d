#include "mcp/mcp_server.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/input.h"
#include "base/message.h"
#include "base/scheduling.h"

enum {
	INPUT,
	OUTPUT,
	RUNS, /* two for each run: its output and its report */
	EVENTS = RUNS + 2 * ZS_MCP_RUNS_MAX,
};

static bool any_run(const struct zs_mcp_server *server)
{
	for (size_t i = 0; i < ZS_MCP_RUNS_MAX; i++)
		if (server->runs[i].pid)
			return true;
	return false;
}

static void take_lines(struct zs_mcp_server *server, struct zs_lines *lines)
{
	enum zs_line kind;
	size_t len = 0;
	char *line = NULL;
	int r = zs_lines_fill(lines);

	if (r < 0 && r != -EAGAIN) {
		zs_complain_errno("mcp", "standard input", r);
		lines->at_end = true;
	}
	while ((kind = zs_lines_next(lines, &line, &len)) != ZS_LINE_NONE) {
		if (kind == ZS_LINE_TOO_LONG)
			zs_mcp_take_too_long(server);
		else
			zs_mcp_take(server, line, len);
	}
}

static void mcp_server_look_at(struct zs_mcp_server *server, struct zs_mcp_run *run, const struct pollfd events[2])
{
	int64_t now = zs_now_ms();
	int status = -1;

	if (zs_mcp_run_look(run, now, events[0].fd >= 0 && events[0].revents, events[1].fd >= 0 && events[1].revents,
		    &status)) {
		if (!run->silent)
			zs_mcp_tell_end(&server->out, run, status, now);
		zs_mcp_run_free(run);
	} else if (now < zs_mcp_run_progress_at(run)) {
		return;
	} else if (zs_mcp_out_left(&server->out) < ZS_MCP_UNREAD_PROGRESS_MAX) {
		zs_mcp_tell_progress(&server->out, run, now);
	} else {
		run->told = now;
	}
}

/* Returns how long to wait at most, in ms; -1: without limit. */
static int timeout_of(const struct zs_mcp_server *server)
{
	int64_t next = INT64_MAX, now = zs_now_ms();

	for (const struct zs_mcp_run *run = server->runs; run < server->runs + ZS_MCP_RUNS_MAX; run++) {
		int64_t tell = zs_mcp_run_progress_at(run), first = tell < run->deadline ? tell : run->deadline;

		if (run->pid && first < next)
			next = first;
	}
	if (next == INT64_MAX)
		return -1;
	if (next <= now)
		return 0;
	return next - now > INT32_MAX ? INT32_MAX : (int)(next - now);
}

/* input: -1 once it has ended. When the client has gone, poll(2) reports POLLERR for the output, even if there is
 * nothing to write. Free slots have no entries, since RLIMIT_NOFILE limits those of poll(2) too. */
static int wait_for(struct zs_mcp_server *server, int input, struct pollfd events[EVENTS])
{
	nfds_t count = RUNS;

	events[INPUT] = (struct pollfd){ input, POLLIN, 0 };
	events[OUTPUT] = (struct pollfd){ server->out.broken ? -1 : server->out.fd,
		zs_mcp_out_left(&server->out) > 0 ? POLLOUT : 0, 0 };
	for (size_t i = 0; i < ZS_MCP_RUNS_MAX; i++) {
		const struct zs_mcp_run *run = &server->runs[i];

		if (!run->pid)
			continue;
		events[count++] = (struct pollfd){ run->output, POLLIN, 0 };
		events[count++] = (struct pollfd){ run->report.fd, POLLIN, 0 };
	}
	return poll(events, count, timeout_of(server)) < 0 ? -errno : 0;
}

static int turn(struct zs_mcp_server *server, struct zs_lines *lines)
{
	struct pollfd events[EVENTS], *event = events + RUNS;
	int r = wait_for(server, lines->at_end ? -1 : lines->fd, events);

	if (r < 0)
		return r == -EINTR || r == -EAGAIN ? 0 : r;
	if (events[OUTPUT].revents & (POLLERR | POLLHUP | POLLNVAL))
		server->out.broken = true;
	for (size_t i = 0; i < ZS_MCP_RUNS_MAX; i++) {
		if (!server->runs[i].pid)
			continue;
		mcp_server_look_at(server, &server->runs[i], event);
		event += 2;
	}
	if (events[INPUT].revents)
		take_lines(server, lines);
	zs_mcp_out_flush(&server->out);
	return 0;
}

/* Ends all runs, whose answers are no longer wanted. */
static void end_runs(struct zs_mcp_server *server)
{
	for (size_t i = 0; i < ZS_MCP_RUNS_MAX; i++) {
		if (!server->runs[i].pid)
			continue;
		server->runs[i].silent = true;
		zs_mcp_run_end(&server->runs[i], zs_now_ms());
	}
}

static void flush_rest(struct zs_mcp_out *out)
{
	int64_t until = zs_now_ms() + ZS_MCP_FLUSH_MS, now;

	while (!out->broken && zs_mcp_out_left(out) > 0 && (now = zs_now_ms()) < until) {
		struct pollfd event = { out->fd, POLLOUT, 0 };

		poll(&event, 1, (int)(until - now));
		zs_mcp_out_flush(out);
	}
}

int zs_mcp_serve(struct zs_mcp_server *server)
{
	struct zs_lines lines = { .fd = STDIN_FILENO, .size = ZS_MCP_LINE_MAX + 1 };
	int r = 0;

	lines.buffer = malloc(lines.size);
	if (!lines.buffer)
		return zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "mcp", "", ENOMEM);
	for (size_t i = 0; i < ZS_MCP_RUNS_MAX; i++)
		server->runs[i].output = server->runs[i].report.fd = -1;
	server->out.fd = STDOUT_FILENO;
	/* write(2) reports a client that has gone. */
	signal(SIGPIPE, SIG_IGN);
	/* This process ends runs at their time, and by its own end. Both need the processor soon. */
	zs_use_short_slices();
	while (r == 0 && !lines.at_end && !server->out.broken)
		r = turn(server, &lines);
	lines.at_end = true;
	end_runs(server);
	while (r == 0 && any_run(server))
		r = turn(server, &lines);
	flush_rest(&server->out);
	free(lines.buffer);
	/* After an error the runs end with this process. */
	if (r < 0)
		return zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "mcp", "poll", r);
	return server->out.broken ? ZS_EXIT_NO_OUTPUT : ZS_EXIT_OK;
}
