#include "mcp/mcp_run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/exit.h"
#include "base/json.h"
#include "base/memory_stream.h"

enum { READ_BYTES = 64 * 1024 /* at once: what a pipe holds */ };

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static int open_pipe(int *ret_read, int *ret_write)
{
	int ends[2];

	if (pipe(ends) < 0)
		return -errno;
	*ret_read = ends[0];
	*ret_write = ends[1];
	return fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0 &&
			       fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0
		       ? 0
		       : -EIO;
}

/* Prepares the run's process. In a session of its own it has no terminal, and gets no signal that is meant for the
 * client. */
static bool mcp_run_settle(int output)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	return null >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
	       dup2(output, STDERR_FILENO) >= 0 && setsid() >= 0;
}

/* Becomes the run, as zs bash does, with the same policy. Errors are printed where the command would have printed. */
static _Noreturn void be_run(const struct zs_mcp_tool *tool, pid_t server, int output, int report, const char *command)
{
	const char *const words[] = { ZS_BASH_WORDS, command, NULL };
	char *argv[sizeof words / sizeof *words];

	memcpy(argv, words, sizeof words);
	signal(SIGPIPE, SIG_DFL);
	/* If the server has died already, its end can no longer end the run. */
	if (!mcp_run_settle(output) || getppid() != server)
		_exit(ZS_EXIT_CANNOT_ENFORCE);
	_exit(zs_confine_run(tool->confine, tool->profile == ZS_PROFILE_VERIFY, report, argv));
}

int zs_mcp_run_start(const struct zs_mcp_tool *tool, struct zs_mcp_run *run, const char *command)
{
	/* The server must not keep the write ends open, or it would never see the pipes end. */
	ZS_AUTO_FD int output = -1;
	ZS_AUTO_FD int report = -1;
	pid_t server = getpid(), pid;
	int r = zs_mcp_capture_new(&run->capture, tool->output_max / 2, tool->output_max - tool->output_max / 2);

	if (r == 0)
		r = zs_mcp_capture_new(&run->fresh, 0, ZS_MCP_PROGRESS_BYTES);
	if (r == 0)
		r = open_pipe(&run->output, &output);
	if (r == 0)
		r = open_pipe(&run->report.fd, &report);
	if (r < 0)
		return r;
	pid = fork();
	if (pid == 0)
		be_run(tool, server, output, report, command);
	if (pid < 0)
		return -errno;
	run->pid = pid;
	run->report.buffer = run->report_bytes;
	run->report.size = sizeof run->report_bytes;
	run->started = run->told = zs_now_ms();
	run->deadline = run->started + run->limit;
	return 0;
}

void zs_mcp_run_end(struct zs_mcp_run *run, int64_t now)
{
	if (run->phase != ZS_MCP_RUNNING)
		return;
	run->phase = ZS_MCP_ASKED;
	run->deadline = now + ZS_MCP_GRACE_MS;
	kill(run->pid, SIGTERM);
}

static void pass_deadline(struct zs_mcp_run *run, int64_t now)
{
	switch (run->phase) {
	case ZS_MCP_RUNNING:
		run->timed_out = true;
		zs_mcp_run_end(run, now);
		break;
	case ZS_MCP_ASKED:
		run->phase = ZS_MCP_KILLED;
		run->deadline = now + ZS_MCP_LAST_MS;
		kill(run->pid, SIGKILL);
		break;
	case ZS_MCP_KILLED:
	case ZS_MCP_GIVEN_UP:
		run->phase = ZS_MCP_GIVEN_UP;
		close_end(&run->output);
		break;
	}
}

/* Reads once, so that no run keeps the others waiting. */
static void read_output(struct zs_mcp_run *run)
{
	char bytes[READ_BYTES];
	ssize_t len = read(run->output, bytes, sizeof bytes);

	if (len > 0) {
		zs_mcp_capture_add(&run->capture, bytes, (size_t)len);
		zs_mcp_capture_add(&run->fresh, bytes, (size_t)len);
	} else if (len == 0 || (errno != EAGAIN && errno != EINTR)) {
		close_end(&run->output);
	}
}

static const char *member(yyjson_val *line, const char *name)
{
	const char *text = yyjson_get_str(yyjson_obj_get(line, name));

	return text ? text : "";
}

static void put_denial(struct zs_json *json, yyjson_val *line)
{
	char grant[ZS_MCP_REPORT_LINE_MAX];

	if (strcmp(member(line, "event"), "denied") != 0) {
		zs_json_print(json, "{'kind':'network','host':%s,'port':%u,'reason':%s}", member(line, "host"),
			(unsigned)yyjson_get_uint(yyjson_obj_get(line, "port")), member(line, "reason"));
		return;
	}
	snprintf(grant, sizeof grant, "%s %s", member(line, "option"), member(line, "value"));
	zs_json_print(json, "{'kind':%s,'path':%s,'reason':%s,'grant':%s}", member(line, "kind"), member(line, "path"),
		member(line, "reason"), *member(line, "option") ? grant : NULL);
}

/* Takes a line of the report: of the proxy, or of the process that collects what is refused. A denial that occurs again
 * is kept once. */
static void add_denial(struct zs_mcp_run *run, const char *text, size_t len)
{
	yyjson_doc *doc = yyjson_read(text, len, 0);
	yyjson_val *line = yyjson_doc_get_root(doc);
	bool denied =
		(yyjson_is_false(yyjson_obj_get(line, "allowed")) || strcmp(member(line, "event"), "denied") == 0) &&
		run->denial_count < ZS_MCP_DENIALS_MAX;
	char *item = NULL;
	struct zs_json json = { denied ? zs_memory_stream(&item, &len) : NULL, false };

	if (denied)
		put_denial(&json, line);
	zs_memory_close(json.out, &item);
	yyjson_doc_free(doc);
	for (size_t i = 0; item && i < run->denial_count; i++)
		if (strcmp(run->denials[i], item) == 0) {
			free(item);
			return;
		}
	if (item)
		run->denials[run->denial_count++] = item;
}

/* False: nothing was read. */
static bool read_report(struct zs_mcp_run *run)
{
	struct zs_lines *report = &run->report;
	enum zs_line kind;
	size_t len = 0;
	char *line = NULL;
	int r = report->fd >= 0 ? zs_lines_fill(report) : -EAGAIN;

	while (r == 0 && (kind = zs_lines_next(report, &line, &len)) != ZS_LINE_NONE)
		if (kind == ZS_LINE_WHOLE)
			add_denial(run, line, len);
	if (report->at_end || (r < 0 && r != -EAGAIN))
		close_end(&report->fd);
	return r == 0 && !report->at_end;
}

bool zs_mcp_run_look(struct zs_mcp_run *run, int64_t now, bool output, bool report, int *ret_status)
{
	pid_t done;

	if (output)
		read_output(run);
	if (report)
		read_report(run);
	if (run->output >= 0 && now >= run->deadline)
		pass_deadline(run, now);
	/* The supervisor keeps the pipe open until it exits, and then every process of the run is dead. So the run is
	 * over when the pipe has ended. */
	if (run->output >= 0)
		return false;
	while (read_report(run)) {
	}
	do
		done = waitpid(run->pid, ret_status, run->phase == ZS_MCP_GIVEN_UP ? WNOHANG : 0);
	while (done < 0 && errno == EINTR);
	if (done != run->pid)
		*ret_status = -1;
	return true;
}

int64_t zs_mcp_run_progress_at(const struct zs_mcp_run *run)
{
	if (!run->token || run->silent || run->phase != ZS_MCP_RUNNING)
		return INT64_MAX;
	return run->told + (run->fresh.used > 0 ? ZS_MCP_PROGRESS_MS : ZS_MCP_PROGRESS_SILENT_MS);
}

void zs_mcp_run_free(struct zs_mcp_run *run)
{
	close_end(&run->output);
	close_end(&run->report.fd);
	zs_mcp_capture_free(&run->capture);
	zs_mcp_capture_free(&run->fresh);
	for (size_t i = 0; i < run->denial_count; i++)
		free(run->denials[i]);
	free(run->id);
	free(run->token);
	*run = (struct zs_mcp_run){ .output = -1, .report.fd = -1 };
}
