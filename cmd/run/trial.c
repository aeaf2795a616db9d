#include "run/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/message.h"
#include "run/confine_policy.h"
#include "run/denied.h"

/* The child: it waits until it is followed, and becomes the run. */
static _Noreturn void be_run(
	const struct zs_confine_fields *fields, char *const argv[], bool silent, int go, int report)
{
	int out = silent ? open("/dev/null", O_WRONLY | O_CLOEXEC) : STDERR_FILENO;
	char byte;

	while (read(go, &byte, 1) < 0 && errno == EINTR) {
	}
	close(go);
	/* One run after another must not take the caller's input. */
	if (silent && dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO) < 0)
		_exit(ZS_EXIT_CANNOT_ENFORCE);
	if (dup2(out, STDOUT_FILENO) < 0 || (silent && dup2(out, STDERR_FILENO) < 0) || fcntl(report, F_SETFD, 0) < 0)
		_exit(ZS_EXIT_CANNOT_ENFORCE);
	_exit(zs_confine_run(fields, true, report, argv));
}

static void take_decisions(struct zs_denials *denials, int report)
{
	struct stat st;
	char *text;
	ssize_t len;

	if (fstat(report, &st) < 0 || st.st_size == 0)
		return;
	text = malloc((size_t)st.st_size);
	len = text ? pread(report, text, (size_t)st.st_size, 0) : -1;
	if (len > 0)
		zs_denials_add_decisions(denials, text, (size_t)len);
	free(text);
}

static int trial_follow(const struct zs_confine_fields *fields, char *const argv[], bool silent, struct zs_trial *trial)
{
	FILE *decisions = tmpfile();
	int ends[2], status, r;
	struct zs_error error;
	pid_t child;

	if (!decisions || pipe(ends) < 0) {
		r = errno;
		if (decisions)
			fclose(decisions);
		return zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "trial", "", r);
	}
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	fflush(NULL);
	child = fork();
	if (child == 0) {
		close(ends[1]);
		be_run(fields, argv, silent, ends[0], fileno(decisions));
	}
	close(ends[0]);
	r = child < 0 ? zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "trial", "fork", errno) : ZS_EXIT_OK;
	if (child < 0)
		close(ends[1]);
	else if (zs_denials_trace(trial->denials, child, ends[1], &status, &error) < 0)
		r = zs_fail_error(ZS_EXIT_CANNOT_ENFORCE, &error);
	else
		trial->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	if (r == ZS_EXIT_OK && (trial->status == 126 || trial->status == 127) && zs_denials_count(trial->denials) == 0)
		zs_denied_program(trial->denials, *argv);
	if (r == ZS_EXIT_OK)
		take_decisions(trial->denials, fileno(decisions));
	fclose(decisions);
	return r;
}

int zs_trial_run(const struct zs_confine_fields *fields, char *const argv[], bool silent, struct zs_trial *ret_trial)
{
	struct zs_confine_fields like_run = *fields;
	struct zs_trial trial = { 0 };
	struct zs_confinement made;
	struct zs_error error;
	int r;

	/* The workspace's secrets are not hidden from zs run either. */
	like_run.diff = true;
	r = zs_make_policy(&like_run, true, false, &made);

	if (r != ZS_EXIT_OK)
		return r;
	if (zs_policy_root(made.policy))
		r = zs_fail(ZS_EXIT_USAGE, "--root: does not go with a trial run; a refusal is judged by this "
					   "machine's files");
	else if (zs_denials_new(made.policy, &trial.denials, &error) < 0)
		r = zs_fail_error(ZS_EXIT_CANNOT_ENFORCE, &error);
	zs_confinement_free(&made);
	if (r == ZS_EXIT_OK)
		r = trial_follow(&like_run, argv, silent, &trial);
	if (r != ZS_EXIT_OK) {
		zs_denials_free(trial.denials);
		return r;
	}
	*ret_trial = trial;
	return ZS_EXIT_OK;
}

const char *zs_trial_key(const char *option)
{
	static const struct {
		const char *option, *key;
	} rows[] = {
		{ "--ro", "sandbox.additional_read_only_paths" },
		{ "--rw", "sandbox.additional_read_write_paths" },
		{ "--exec", "sandbox.additional_executable_paths" },
		{ "--host", "sandbox.network_hosts" },
		{ "--net", "sandbox.allow_network" },
		{ "--git", "sandbox.allow_git_access" },
		{ "--for", "sandbox.for" },
	};

	for (size_t i = 0; i < ZS_COUNT(rows); i++)
		if (strcmp(rows[i].option, option) == 0)
			return rows[i].key;
	return NULL;
}
