#include "admin/apparmor.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/exit.h"
#include "base/message.h"

static const char setting[] = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns";

bool zs_apparmor_restricts(void)
{
	FILE *file = fopen(setting, "re");
	int value = file ? fgetc(file) : EOF;

	if (file)
		fclose(file);
	return value != EOF && value != '0';
}

/* man 5 apparmor.d, "Globbing": what would be a pattern is meant as it stands. */
static void put_path(FILE *out, const char *path)
{
	fputc('"', out);
	for (; *path; path++) {
		if (strchr("?*[]{}^,\"\\", *path))
			fputc('\\', out);
		fputc(*path, out);
	}
	fputc('"', out);
}

static bool is_printable(const char *path)
{
	for (; *path; path++)
		if ((unsigned char)*path < ' ' || *path == 0x7f)
			return false;
	return true;
}

int zs_apparmor_print(FILE *out)
{
	static const char self[] = "/proc/self/exe";
	char path[PATH_MAX];
	ssize_t len = readlink(self, path, sizeof path - 1);

	if (len < 0) {
		zs_complain_errno("doctor", self, errno);
		return ZS_EXIT_CANNOT_ENFORCE;
	}
	path[len] = '\0';
	if (path[0] != '/' || !is_printable(path) || access(path, F_OK) < 0) {
		zs_complain("doctor: %s: no profile can name this program's path; install it elsewhere", path);
		return ZS_EXIT_CANNOT_ENFORCE;
	}
	fputs("# Confines nothing: it lets zs make the namespaces that it confines commands in. Whoever may write the\n"
	      "# program may make them too, so only root should.\n"
	      "#\n"
	      "#   zs doctor --apparmor | sudo tee /etc/apparmor.d/zs\n"
	      "#   sudo apparmor_parser -r /etc/apparmor.d/zs\n"
	      "abi <abi/4.0>,\n"
	      "\n"
	      "profile zs ",
		out);
	put_path(out, path);
	fputs(" flags=(unconfined) {\n"
	      "  userns,\n"
	      "}\n",
		out);
	return ZS_EXIT_OK;
}
