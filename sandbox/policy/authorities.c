/* Judges what a variable such as SSL_CERT_FILE names: certificates are public, and nothing else may be read in their
 * name. */
#include "policy/authorities.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/read_file.h"

/* Does the text begin with a certificate? Blank lines and lines that begin with "#" may come before it. */
static bool begins_with_certificate(const char *text)
{
	static const char *const marks[] = { "-----BEGIN CERTIFICATE-----", "-----BEGIN TRUSTED CERTIFICATE-----",
		"-----BEGIN X509 CERTIFICATE-----" };

	for (text += strspn(text, " \t\r\n"); *text == '#'; text += strspn(text, " \t\r\n"))
		text += strcspn(text, "\n");
	for (size_t i = 0; i < ZS_COUNT(marks); i++)
		if (strncmp(text, marks[i], strlen(marks[i])) == 0)
			return true;
	return false;
}

/* Returns the file's text; NULL: it cannot be read, is too long, or is no text. free() it. */
static char *read_text(int fd)
{
	const size_t max = (size_t)ZS_AUTHORITY_MIB_MAX << 20;
	ZS_AUTO_FREE char *text = malloc(max + 2);
	size_t len;

	if (!text || zs_read_up_to(fd, max + 1, text, &len) < 0 || len > max)
		return NULL;
	text[len] = '\0';
	return strlen(text) == len ? ZS_STEAL(text) : NULL;
}

/* May everybody reach the folders above this real path? */
static bool everybody_reaches(const char *real)
{
	ZS_AUTO_FREE char *folder = strdup(real);
	struct stat st;

	for (char *slash = folder ? strrchr(folder, '/') : NULL; slash && slash > folder;
		slash = strrchr(folder, '/')) {
		*slash = '\0';
		if (stat(folder, &st) < 0 || !(st.st_mode & S_IXOTH))
			return false;
	}
	return folder;
}

enum zs_authority zs_authority_of(const char *path)
{
	ZS_AUTO_FREE char *real = realpath(path, NULL);
	ZS_AUTO_FREE char *text = NULL;
	ZS_AUTO_FD int fd = real ? open(real, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC) : -1;
	bool everybody;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return ZS_AUTHORITY_NONE;
	everybody = st.st_mode & S_IROTH && everybody_reaches(real);
	if (S_ISDIR(st.st_mode))
		return everybody && st.st_mode & S_IXOTH ? ZS_AUTHORITY_PUBLIC : ZS_AUTHORITY_NONE;
	text = S_ISREG(st.st_mode) && (everybody || st.st_uid == geteuid()) ? read_text(fd) : NULL;
	if (!text || strstr(text, "PRIVATE KEY"))
		return ZS_AUTHORITY_NONE;
	if (begins_with_certificate(text))
		return ZS_AUTHORITY_CERTIFICATES;
	return everybody ? ZS_AUTHORITY_PUBLIC : ZS_AUTHORITY_NONE;
}
