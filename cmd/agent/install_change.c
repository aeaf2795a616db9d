#include "agent/install_change.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/agent_state.h"
#include "base/cleanup.h"
#include "base/command.h"
#include "base/diff.h"
#include "base/memory_stream.h"
#include "base/message.h"
#include "base/person.h"
#include "self.h"

enum { PATIENCE_SECONDS = 3600 };

/* Prints a unified diff. escaped: for a terminal, which the file's text must not control; else for patch(1).
 * -ENOMEM. */
static int show_change(const struct zs_agent_file *old, const struct zs_agent_change *new, FILE *out, bool escaped)
{
	struct zs_diff_text before = { old->text ? old->text : "", old->len };
	struct zs_diff_text after = { new->text ? new->text : "", new->len };
	ZS_AUTO_FREE char *diff = NULL;
	size_t len;
	FILE *text = zs_memory_stream(&diff, &len);
	int r = text ? zs_diff_hunks(text, before, after) : -ENOMEM;

	if (!zs_memory_close(text, &diff) || r < 0)
		return -ENOMEM;
	fputs("--- ", out);
	zs_put_value(out, old->text ? old->real : "/dev/null");
	fputs("\n+++ ", out);
	zs_put_value(out, new->text ? old->real : "/dev/null");
	fputc('\n', out);
	if (escaped)
		zs_put_lines(out, diff, len);
	else
		fwrite(diff, 1, len, out);
	return 0;
}

int zs_install_agree(const struct zs_agent_file *file, const struct zs_agent_change *new, bool yes, bool dry_run)
{
	struct zs_person person;
	const char *why;
	bool asks = !yes && !dry_run && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);

	if (!asks) {
		if (show_change(file, new, stdout, isatty(STDOUT_FILENO)) < 0)
			return zs_fail_errno(ZS_EXIT_NO_OUTPUT, "install", file->real, ENOMEM);
		if (yes || dry_run)
			return ZS_EXIT_OK;
		return zs_fail(
			ZS_EXIT_NO, "install: there is no terminal to ask at; look at the change, and add --yes");
	}
	why = zs_person_meet(&person, PATIENCE_SECONDS);
	if (why)
		return zs_fail(ZS_EXIT_NO, "install: %s", why);
	yes = show_change(file, new, person.out, true) == 0 && zs_person_agrees(&person, "Make this change? [y/N] ");
	zs_person_leave(&person);
	return yes ? ZS_EXIT_OK : zs_fail(ZS_EXIT_NO, "install: nothing was changed");
}

bool zs_install_is_plain(const char *path)
{
	size_t len = strlen(path);

	while (len > 0) {
		uint32_t point = 0;
		size_t step = zs_utf8_decode(path, len, &point);

		if (step == 0 || zs_is_unseen(point))
			return false;
		path += step;
		len -= step;
	}
	return true;
}

int zs_install_self(char zs[PATH_MAX])
{
	char self[PATH_MAX];
	int r = zs_self_path(self, sizeof self);

	if (r < 0 || !realpath(self, zs) || access(zs, X_OK) < 0)
		return zs_fail_errno(ZS_EXIT_CANNOT_ENFORCE, "install", "the path of zs", r < 0 ? r : errno);
	return zs_install_is_plain(zs)
		       ? ZS_EXIT_OK
		       : zs_fail(ZS_EXIT_BAD_INPUT,
				 "install: %s: a configuration cannot contain this path; install zs at another one",
				 zs);
}

void zs_install_warn(const char *zs)
{
	const char *sudo = getenv("SUDO_USER");
	char why[ZS_STATE_NOTE_BYTES];

	if (zs_program_is_loose(zs, why, sizeof why))
		zs_complain("install: warning: %s: %s; install zs elsewhere: ./zigw build install --prefix /usr/local",
			zs, why);
	if (geteuid() == 0 && sudo && strcmp(sudo, "root") != 0)
		zs_complain(
			"install: warning: this changes the configuration of root, not of %s; leave sudo out", sudo);
}
