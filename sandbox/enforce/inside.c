/* Explains why a program cannot do its work inside zs. The program itself prints a bare errno, and blames the machine.
 */
#include "enforce/inside.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"

#define CONFINED "it is confined already: run it "

static const struct row {
	const char *programs, *why, *hint;
} rows[] = {
	{ "sudo su doas pkexec runuser", "no process gains privileges", "run it outside of zs" },
	{ "apt apt-get aptitude dnf yum zypper pacman", "the system's packages stay as they are",
		"install outside of zs, or into the workspace" },
	{ "bwrap unshare nsenter firejail", "no process makes namespaces or mounts", CONFINED "without this program" },
	{ "mount umount fusermount fusermount3", "no process makes namespaces or mounts",
		"mount it outside of zs, and grant the folder" },
	{ "zs", "no zs runs a command inside another", CONFINED "without a zs of its own" },
	{ "docker podman nerdctl buildah", "a container's files and network would be outside of zs",
		"run it outside of zs" },
	{ "chromium chromium-browser chrome google-chrome google-chrome-stable",
		"its own sandbox makes namespaces, and its profile lies in the home folder",
		CONFINED "with --no-sandbox --user-data-dir=/tmp/chromium" },
	{ "systemctl journalctl loginctl", "the machine's services are out of reach", "run it outside of zs" },
};

static const char shells[] = "sh bash dash zsh ksh ash";

/* Is the word, or the last part of the path that it is, in the list? len: of the word. */
static bool is_one_of(const char *list, const char *word, size_t len)
{
	for (size_t i = len; i > 0; i--)
		if (word[i - 1] == '/') {
			word += i;
			len -= i;
			break;
		}
	for (; *list; list += strspn(list, " ")) {
		size_t size = strcspn(list, " ");

		if (size == len && strncmp(list, word, len) == 0)
			return true;
		list += size;
	}
	return false;
}

/* Finds a word in the list where the shell's text begins a command. This is no reading of bash: it serves a hint. */
static const char *find_in_text(const char *text, const char *list, size_t *ret_len)
{
	static const char ends[] = ";&|(\n";

	for (; *text; text += strcspn(text, ends)) {
		text += strspn(text, ";&|( \t\n");
		*ret_len = strcspn(text, " \t\n;&|()<>");
		if (is_one_of(list, text, *ret_len))
			return text;
	}
	return NULL;
}

static const char *find_program(char *const argv[], const char *list, size_t *ret_len)
{
	const char *found = NULL;

	*ret_len = strlen(argv[0]);
	if (is_one_of(list, argv[0], *ret_len))
		return argv[0];
	for (size_t i = 1; !found && argv[i] && is_one_of(shells, argv[0], strlen(argv[0])); i++)
		found = find_in_text(argv[i], list, ret_len);
	return found;
}

static bool tell_program(char *const argv[])
{
	struct zs_error error;
	size_t len;

	for (size_t i = 0; i < ZS_COUNT(rows); i++) {
		const char *program = find_program(argv, rows[i].programs, &len);
		ZS_AUTO_FREE char *name = program ? strndup(program, len) : NULL;

		if (!name)
			continue;
		zs_error_say(&error, "inside zs", name, EPERM, "%s", rows[i].why);
		zs_error_hint(&error, 0, "%s", rows[i].hint);
		zs_error_write(STDERR_FILENO, &error);
		return true;
	}
	return false;
}

void zs_tell_inside(const struct zs_policy *resolved, char *const argv[], int code)
{
	enum { CANNOT_ENFORCE = 125, CANNOT_EXECUTE, NOT_FOUND, INTERRUPTED = 130 };
	struct zs_error error;

	/* Another root has programs and packages of its own. */
	if (code == 0 || code == CANNOT_ENFORCE || code == INTERRUPTED || resolved->root || tell_program(argv))
		return;
	/* This process may see the command's files, where what is not granted does not exist. */
	if ((code != CANNOT_EXECUTE && code != NOT_FOUND) || argv[0][0] != '/' ||
		zs_policy_gives(resolved, argv[0], ZS_ACCESS_EXEC))
		return;
	zs_error_say(&error, "inside zs", argv[0], EACCES, "the policy grants no program there");
	zs_error_hint(&error, 0, "if it exists, --exec %s", argv[0]);
	zs_error_write(STDERR_FILENO, &error);
}
