#include "record.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "jail.h"

static char record[ZS_JAIL_RECORD_MAX];
static size_t used;

static void add(const char *text)
{
	size_t len = strlen(text) + 1;

	/* an argument that does not fit is left out, and so are all after it */
	if (len > sizeof record - used) {
		used = sizeof record;
		return;
	}
	memcpy(record + used, text, len);
	used += len;
}

int zs_record(const char *path, char *const *argv)
{
	char directory[512];
	int fd = open(ZS_JAIL_LOG, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	uint32_t len;

	used = sizeof len;
	add(path);
	add(getcwd(directory, sizeof directory) ? directory : "");
	for (; argv[0] && argv[1]; argv++)
		add(argv[1]);
	len = (uint32_t)(used - sizeof len);
	memcpy(record, &len, sizeof len);
	/* one write, since the markers of a pipeline run at the same time */
	return fd >= 0 && write(fd, record, used) == (ssize_t)used ? 0 : -1;
}
