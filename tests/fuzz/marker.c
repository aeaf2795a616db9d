/* The program whose running is looked for. The jail has it as /bin/pwn and /bin/pwn0 … pwn9; each run appends one
 * record to ZS_JAIL_LOG: its length, then NUL-terminated texts: the path that was executed, the working directory, and
 * the arguments. */
#include <fcntl.h>
#include <linux/auxvec.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "jail.h"

static char record[ZS_JAIL_RECORD_MAX];
static size_t used = sizeof(uint32_t);

static void add(const char *text)
{
	size_t len = strlen(text) + 1;

	/* An argument that does not fit is left out, and with it all after it. */
	if (len > sizeof record - used) {
		used = sizeof record;
		return;
	}
	memcpy(record + used, text, len);
	used += len;
}

int main(int argc, char **argv)
{
	unsigned long path = getauxval(AT_EXECFN); /* argv[0] is the caller's to choose: exec -a */
	char directory[512];
	int fd = open(ZS_JAIL_LOG, O_WRONLY | O_CREAT | O_APPEND, 0666);
	uint32_t len;

	add(path ? (const char *)path : argv[0]);
	add(getcwd(directory, sizeof directory) ? directory : "");
	for (int i = 1; i < argc; i++)
		add(argv[i]);
	len = (uint32_t)(used - sizeof len);
	memcpy(record, &len, sizeof len);
	/* One write: markers of a pipeline run at once. */
	return fd >= 0 && write(fd, record, used) == (ssize_t)used ? 0 : 1;
}
