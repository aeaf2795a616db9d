/* A harness: commands that share a box, whose connections are ended before it is graded.
 *
 *	box /path/to/workspace
 *
 * cc box.c -static $(pkg-config --static --cflags --libs zs-sandbox) -o box
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "zs_box.h"
#include "zs_shim.h"

extern char **environ;

static int complain(const struct zs_error *error)
{
	char line[1024];

	zs_error_format(error, line, sizeof line);
	fprintf(stderr, "%s\n", line);
	return ZS_EXIT_CANNOT_ENFORCE;
}

/* Runs a text in the box's shell, and prints how it ended. Negative: it has no status. */
static int run(const char *id, const char *text)
{
	char *words[] = { (char *)"sh", (char *)"-c", (char *)text, NULL };
	struct zs_box_capture outputs[ZS_BOX_OUTPUTS] = { { .max = 4096 }, { .max = 4096 } };
	const struct zs_box_command command = { .argv = words, .milliseconds = 60000, .captures = outputs };
	struct zs_box_result result;
	struct zs_error error;
	int r = zs_box_exec(id, &command, &result, &error);

	if (r < 0 || result.end == ZS_BOX_LOST)
		return complain(&error), -1;
	if (result.end == ZS_BOX_TIMED_OUT)
		printf("%s: its time was over\n", text);
	else
		printf("%s: %d\n%.*s", text, result.status, (int)outputs[0].len,
			outputs[0].bytes ? outputs[0].bytes : "");
	free(outputs[0].bytes);
	free(outputs[1].bytes);
	return 0;
}

/* Copies a file of this machine into the box, and from there to standard output. */
static int copy(const char *id)
{
	int file = open("/etc/passwd", O_RDONLY);
	struct zs_error error;
	int status, r;

	if (file < 0)
		return perror("/etc/passwd"), -1;
	r = zs_box_put(id, file, "/tmp/in/name", 0644, &status, &error);
	close(file);
	fflush(stdout);
	if (r == 0 && status == 0)
		r = zs_box_get(id, "/tmp/in/name", 1024 * 1024, STDOUT_FILENO, &status, &error);
	return r < 0 || status != 0 ? complain(&error), -1 : 0;
}

static int grade(const char *id)
{
	struct zs_error error;

	if (run(id, "echo kept >/tmp/kept") < 0 || copy(id) < 0)
		return -1;
	if (zs_box_cut(id, &error) < 0)
		return complain(&error), -1;
	return run(id, "cat /tmp/kept; exit 3");
}

int main(int argc, char **argv)
{
	char id[ZS_BOX_ID_SIZE];
	struct zs_policy *policy = NULL;
	struct zs_error error;
	int r;

	zs_exec_shim(argc, argv);
	if (argc != 2)
		return fprintf(stderr, "usage: box WORKSPACE\n"), 64;
	r = zs_policy_default(argv[1], environ, &policy, &error);
	if (r == 0)
		r = zs_box_create(policy, &(struct zs_box_options){ .cwd = argv[1] }, id, &error);
	zs_policy_free(policy);
	if (r < 0)
		return complain(&error);
	r = grade(id);
	if (zs_box_close(id, &error) < 0)
		return complain(&error);
	return r < 0 ? ZS_EXIT_CANNOT_ENFORCE : 0;
}
