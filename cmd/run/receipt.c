#include "run/receipt.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "run/expected.h"
#include "run/changes.h"
#include "base/memory_stream.h"
#include "base/message.h"

enum {
	SHOWN = 20,
	HALF = 1,    /* some changes are held back */
	REFUSED = 2, /* the command has done what its row does not say */
};

static const struct zs_overlay_options options;

/* Prints the patch for a terminal, with each line escaped as in messages. */
static int print_patch_shown(FILE *out, struct zs_overlay *overlay, struct zs_error *error)
{
	char *text = NULL;
	size_t len;
	FILE *memory = zs_memory_stream(&text, &len);
	int r = memory ? zs_changes_patch(memory, overlay, error) : -ENOMEM;

	if (memory && fclose(memory) != 0 && r == 0)
		r = -ENOMEM;
	if (r == 0)
		zs_put_lines(out, text, len);
	free(text);
	if (r == -ENOMEM)
		*error = (struct zs_error){ .step = "patch", .cause = ENOMEM };
	return r;
}

static int receipt_print(const struct zs_receipt *receipt, FILE *out, struct zs_overlay *overlay,
	const struct zs_change *changes, size_t count, struct zs_error *error)
{
	int r = 0;

	if (receipt->patch)
		r = (isatty(fileno(out)) ? print_patch_shown : zs_changes_patch)(out, overlay, error);
	else if (receipt->list)
		(receipt->json ? zs_changes_json : zs_changes_table)(out, changes, count, &options);
	if (r < 0 || (fflush(out) == 0 && !ferror(out)))
		return r;
	*error = (struct zs_error){ .step = "output", .cause = errno ? errno : EIO };
	snprintf(error->object, sizeof error->object, "%s", receipt->file ? receipt->file : "standard error");
	return -error->cause;
}

static bool is_new_folder(const struct zs_change *change)
{
	return S_ISDIR(change->new_mode) && !S_ISDIR(change->old_mode);
}

/* Returns the length of the path of a repository that is held back as a whole: the path up to and including .git, if
 * the change lies in a .git that is protected, or that of a new repository. 0: neither. */
static size_t length_of_whole(const struct zs_change *change)
{
	if (change->held == ZS_HELD_GIT && is_new_folder(change))
		return strlen(change->path);
	for (const char *at = change->path; change->held == ZS_HELD_PROTECTED && at; at = strchr(at, '/')) {
		at += *at == '/';
		if (strncmp(at, ".git", 4) == 0 && (at[4] == '/' || !at[4]))
			return (size_t)(at - change->path) + 4;
	}
	return 0;
}

/* Prints the changes that are not applied. All changes in a repository share a line, since a commit changes many files
 * there. Returns whether there are any. */
static bool print_held(const struct zs_change *changes, size_t count, bool listed)
{
	const struct zs_change *last = NULL;
	size_t held = 0, whole = 0;

	for (size_t i = 0; i < count; i++) {
		const struct zs_change *change = &changes[i];
		size_t length = length_of_whole(change);

		if (zs_change_applies(change, &options) ||
			(whole && strncmp(change->path, last->path, whole) == 0 && change->path[whole] == '/' &&
				((!last->path[whole] && is_new_folder(last)) || length == whole)))
			continue;
		whole = length;
		last = change;
		if (held++ < SHOWN && !listed)
			zs_complain("apply: %.*s: not applied: %s", (int)(whole ? whole : strlen(change->path)),
				change->path, zs_held_text(change->held));
	}
	if (held > SHOWN && !listed)
		zs_complain("apply: %zu more changes are not applied; --diff lists them", held - SHOWN);
	return held > 0;
}

/* Prints the changes that are held back, and that therefore nothing is applied. */
static bool refuse_half(const struct zs_change *changes, size_t count)
{
	if (!print_held(changes, count, false))
		return false;
	zs_complain(
		"apply: so nothing has been applied; --rw FILE lets git change a file, and --apply applies the others");
	return true;
}

/* Prints which changes are made and which are not, after an error that is already on stderr. */
static void print_half(const struct zs_change *changes, size_t count)
{
	size_t made = 0, missing = 0;

	for (size_t i = 0; i < count; i++)
		made += changes[i].made;
	for (size_t i = 0; made > 0 && i < count; i++) {
		if (changes[i].made || !zs_change_applies(&changes[i], &options))
			continue;
		if (missing++ < SHOWN)
			zs_complain("apply: %s: not applied", changes[i].path);
	}
	if (made > 0)
		zs_complain("apply: %zu changes are applied and %zu are not", made, missing);
}

static bool set_signals(void (*handler)(int))
{
	static const int numbers[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGTTOU };
	bool done = true;

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		done = signal(numbers[i], handler) != SIG_ERR && done;
	return done;
}

/* Compares the changes with what the rows say. True: the receipt refuses them. */
static bool differs(const struct zs_receipt *receipt, struct zs_overlay *overlay, const struct zs_change *changes,
	size_t count, FILE *out)
{
	size_t found = receipt->expected
			       ? zs_expected_compare(receipt->expected, overlay, changes, count, out, receipt->json)
			       : 0;

	fflush(out);
	if (!found || !receipt->refuses)
		return false;
	zs_complain("agree: refused: %s", receipt->apply ? "nothing has been applied" : "the changes are thrown away");
	return true;
}

/* Prints and applies the changes. The terminal's signals, ignored while the command ran, have their defaults again: one
 * that arrives while we print ends this process, and nothing is applied. While we apply, they are ignored, so that no
 * half of the work is left. The run's process gets them as well, and passes them on (zs_overlay_stopped()). */
static int receipt_take(
	const struct zs_receipt *receipt, const struct zs_policy *policy, FILE *out, struct zs_overlay *overlay)
{
	const struct zs_change *changes = NULL;
	size_t count = 0;
	struct zs_error error;
	int r;

	set_signals(SIG_DFL);
	r = zs_overlay_protect(overlay, policy, &error);
	if (r == 0)
		r = zs_overlay_changes(overlay, &changes, &count, &error);
	if (r == 0)
		r = receipt_print(receipt, out, overlay, changes, count, &error);
	if (r == 0 && differs(receipt, overlay, changes, count, out))
		return REFUSED;
	if (r == 0 && receipt->whole && refuse_half(changes, count))
		return HALF;
	if (r == 0 && receipt->apply) {
		set_signals(SIG_IGN);
		r = zs_overlay_apply(overlay, &options, &error);
	}
	if (r < 0) {
		zs_complain_error(&error);
		print_half(changes, count);
		return r;
	}
	r = receipt->apply && print_held(changes, count, receipt->list);
	if (receipt->apply && zs_overlay_stopped(overlay))
		zs_complain(r ? "apply: the signal came too late: every other change is applied"
			      : "apply: the signal came too late: every change is applied");
	return r;
}

static _Noreturn void receipt_receive(
	const struct zs_receipt *receipt, const struct zs_policy *policy, int end, FILE *out)
{
	struct zs_overlay *overlay;
	struct zs_error error;
	int status, r = zs_overlay_receive(end, &overlay, &status, &error);

	if (r == -ECANCELED) /* the run has printed the reason */
		_exit(ZS_EXIT_OK);
	if (r < 0) {
		zs_complain_error(&error);
	} else {
		r = receipt_take(receipt, policy, out, overlay);
		zs_overlay_free(overlay);
	}
	if (r == REFUSED)
		zs_overlay_release_as(end, ZS_EXIT_BLOCKED);
	else
		zs_overlay_release(end, r == 0);
	_exit(r < 0 ? ZS_EXIT_CANNOT_ENFORCE : ZS_EXIT_OK);
}

/* Closes all other descriptors, so that nobody waits for their end. */
static bool receipt_close_others(int end, int out)
{
	DIR *folder = opendir("/dev/fd");
	struct dirent *entry;
	bool done;

	if (!folder)
		return false;
	while ((errno = 0, entry = readdir(folder))) {
		int fd = atoi(entry->d_name);

		if (fd > STDERR_FILENO && fd != dirfd(folder) && fd != end && fd != out)
			close(fd);
	}
	done = errno == 0;
	closedir(folder);
	return done;
}

/* SIGPIPE is ignored, so that a report without a reader is an ordinary error. */
bool zs_stand_by(int one, int other)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	return null >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(null, STDOUT_FILENO) >= 0 &&
	       receipt_close_others(one, other) && set_signals(SIG_IGN) && signal(SIGPIPE, SIG_IGN) != SIG_ERR;
}

/* An earlier command may have put a link there. Only the machine's own links are followed: /dev/stderr. */
static int open_no_link(const char *file)
{
	const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC;
	int fd = open(file, flags | O_NOFOLLOW, 0666);

	return fd < 0 && errno == ELOOP && strncmp(file, "/dev/", 5) == 0 ? open(file, flags, 0666) : fd;
}

int zs_open_report(const char *step, const char *file)
{
	int given = file ? open_no_link(file) : STDERR_FILENO;
	int fd = given < 0 ? -1 : fcntl(given, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

	if (given < 0 && errno == ELOOP)
		zs_complain("%s: %s: is a symbolic link, which a command may have made; name a file", step, file);
	else if (fd < 0)
		zs_complain_errno(step, file ? file : "standard error", -errno);
	if (file && given >= 0)
		close(given);
	return fd;
}

int zs_protect_report(const char *step, const char *file, int fd, struct zs_policy *policy)
{
	ZS_AUTO_FREE char *real = NULL;
	struct zs_error error;
	struct stat status;

	if (fstat(fd, &status) == 0 && !S_ISREG(status.st_mode))
		return ZS_EXIT_OK;
	real = realpath(file, NULL);
	if (!real)
		return zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, step, file, -errno);
	return zs_policy_add_path(policy, real, ZS_ACCESS_PROTECT, &error) < 0
		       ? zs_fail_error(ZS_EXIT_CANNOT_ENFORCE, &error)
		       : ZS_EXIT_OK;
}

static FILE *open_stream(const char *file)
{
	int fd = zs_open_report("report", file);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");

	if (!out && fd >= 0) {
		zs_complain_errno("report", file ? file : "standard error", -errno);
		close(fd);
	}
	return out;
}

static int receipt_start(const struct zs_receipt *receipt, const struct zs_policy *policy, FILE *out, int *ret_overlay)
{
	int ends[2], r = zs_overlay_channel(ends);
	sigset_t mask;
	pid_t pid;
	char byte;

	if (r < 0)
		return zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "overlay", "channel", r);
	pid = sigprocmask(SIG_SETMASK, NULL, &mask) < 0 ? -1 : fork();
	if (pid == 0) {
		/* The byte says that it is ready. */
		if (zs_stand_by(ends[0], fileno(out)) && write(ends[0], "", 1) == 1)
			receipt_receive(receipt, policy, ends[0], out);
		_exit(ZS_EXIT_CANNOT_ENFORCE);
	}
	errno = pid < 0 ? errno : ECHILD;
	close(ends[0]);
	/* Restores the signal mask, which fork handlers may have left changed. */
	if (pid < 0 || sigprocmask(SIG_SETMASK, &mask, NULL) < 0 || read(ends[1], &byte, 1) != 1 ||
		fcntl(ends[1], F_SETFD, 0) < 0) {
		zs_complain_errno("overlay", "the process that waits for the changes", errno);
		/* Kills the process before its channel ends: then it would report that it has received nothing. */
		if (pid > 0 && kill(pid, SIGKILL) == 0)
			waitpid(pid, NULL, 0);
		close(ends[1]);
		return ZS_EXIT_CANNOT_ENFORCE;
	}
	*ret_overlay = ends[1];
	return ZS_EXIT_OK;
}

int zs_receive_later(const struct zs_receipt *receipt, const struct zs_policy *policy, int *ret_overlay)
{
	FILE *out;
	int r;

	*ret_overlay = 0;
	if (!receipt->list && !receipt->patch && !receipt->apply && !receipt->expected)
		return ZS_EXIT_OK;
	out = open_stream(receipt->file);
	if (!out)
		return ZS_EXIT_CANNOT_ENFORCE;
	r = receipt_start(receipt, policy, out, ret_overlay);
	fclose(out);
	return r;
}
